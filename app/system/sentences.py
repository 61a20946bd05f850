"""Sentences of errors and events in the current language.

Errors are English, for scripts and logs. Where one is shown, it is matched with the templates that
``assets/make/sentences.py`` takes from the sources, and translated with the catalogue. What fills the places of a
template stays as it is, unless the sources fill this place with a phrase of the program: a user's words are never
translated. Nothing is read for English.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import NamedTuple

from app.system.language import speaks_english, tr
from assets import LOCALE

SENTENCES = LOCALE / "sentences.json"  # by each text: what the program says in its places
ERROR, ALONE, HEAD = "<error>", "<alone>", "<head>"  # any error or note; phrase shown alone; what is before errors
PLACE = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
JOINING = re.compile(r"; |\b(?:or|and)\b(?=[^{}]*(?:\{|$))")
LONGEST = 600, 4000  # characters of parts and of sentences: longer ones quote files
LAST = (" and ", " or ")  # before the last one of a list
SIGNS = ("; ", ", ", *LAST)  # between phrases that are joined
MOST_HEADS = 8  # names of files and fields before a sentence


class Template(NamedTuple):
    """A text with places for values.

    literal : what is before, between and after them; known : number of characters of these
    """

    literal: list[str]
    places: list[str]
    known: int


class Reading(NamedTuple):
    """A part of a sentence in the current language, and the number of its characters that the program said."""

    text: str
    known: int


@cache
def grammar() -> dict[str, dict[str, list[str]]]:
    """What the program says in the places of each text that sentences are made of; ERROR, ALONE and HEAD have lists."""
    found: dict[str, dict[str, list[str]]] = json.loads(SENTENCES.read_text(encoding="utf-8"))
    return found


@cache
def _template(text: str) -> Template:
    parts = [part.replace("{{", "{").replace("}}", "}") for part in PLACE.split(text)]
    return Template(parts[::2], parts[1::2], sum(map(len, parts[::2])))


def shown(message: Exception | str) -> str:
    """A message to show: an error in the current language; a text is in it already, with the words of the user."""
    return translated(message) if isinstance(message, Exception) else message


def translated(what: Exception | str) -> str:
    """An error or a sentence of physics in the current language; without a template it stays as it is.

    Names of files and fields stay, and so do values that are not phrases of the program.
    """
    if speaks_english():
        return str(what)
    if isinstance(what, str):
        return _sentence(what, ERROR, ALONE)
    from physics.core.errors import ScenarioError  # here: the command line is parsed before physics is loaded

    if isinstance(what, ScenarioError):
        places = [str(what.file)] * (what.file is not None) + [_named(what.field).text] * bool(what.field)
        return ": ".join([*places, _sentence(what.message, ERROR)])
    return _sentence(str(what), ERROR)


def _sentence(text: str, *among: str) -> str:
    found = _read(text, among, {}) if len(text) <= LONGEST[1] else None
    return text if found is None else found.text


def each_translated(what: str) -> str:
    """Words separated by commas, each in the current language."""
    return ", ".join(map(translated, what.split(", ")))


def _named(head: str) -> Reading:
    """The reading of a file, a field, a place in a file, or what failed."""
    return _read(head, (HEAD,), {}) or Reading(head, 0)


Readings = dict[tuple[str, tuple[str, ...]], Reading | None]  # of parts, so that each is read once


def _read(text: str, among: tuple[str, ...], read: Readings) -> Reading | None:
    """The reading of a part by that of some texts which knows most of it; None: it is none of these."""
    key = text, among
    if key not in read:
        read[key] = None
        found = [_joined(text, among, read)]
        for one in among:
            if one == ERROR:
                found.append(_headed(text, read))
            elif one in (ALONE, HEAD):
                found.append(_read(text, tuple(grammar()[one][""]), read))
            elif one not in SIGNS:
                found.append(_filled(text, one, read))
        read[key] = max((one for one in found if one is not None), key=lambda one: one.known, default=None)
    return read[key]


def _headed(text: str, read: Readings) -> Reading | None:
    """The reading of an error that names of files and fields may stand before."""
    found, errors = list[Reading](), tuple(grammar()[ERROR][""])
    for count in range(min(text.count(": "), MOST_HEADS) + 1):
        *names, said = text.split(": ", count)
        head = "".join(f"{name}: " for name in names)
        if head and any(error.startswith(head) for error in errors):  # it is no name, but how an error begins
            break
        if head.count("'") % 2 == 0 and (best := _read(said, errors, read)) is not None:
            heads = [_named(name) for name in names]
            known = best.known + sum(one.known for one in heads)
            found.append(Reading(": ".join([*(one.text for one in heads), best.text]), known))
    return max(found, key=lambda one: one.known, default=None)


def _joined(text: str, among: tuple[str, ...], read: Readings) -> Reading | None:
    """The reading of parts with a sign between them; one of a user's own stays as it is."""
    signs = {"; ": tr("; "), ", ": ", ", " and ": f" {tr('and')} ", " or ": f" {tr('or')} "}
    for sign in SIGNS:
        if sign in among and sign in text:
            parts = [_read(part, among, read) for part in text.split(sign)]
            if any(parts) or sign in LAST:
                known = sum(part.known for part in parts if part is not None)
                said = (one.text if one else part for one, part in zip(parts, text.split(sign), strict=True))
                return Reading(signs[sign].join(said), known)
    return None


def _filled(text: str, one: str, read: Readings) -> Reading | None:
    """The reading of a part by a text with places; None: it is not of this form."""
    values = _values(text, one)
    if values is None:
        return None
    template = _template(one)
    fills = {} if _unclear(text, template) else grammar().get(one, {})
    found = dict[str, Reading]()
    for place, value in values.items():
        allowed = tuple(fills.get(place, ())) if len(value) <= LONGEST[0] else ()
        if allowed and (part := _read(value, allowed, read)) is not None:
            found[place] = part
    said, known = tr(one), sum(part.known for part in found.values())
    if said == one:  # it only joins others
        if not (found or any(sign in one for sign in LAST)):
            return None
        words = {"; ": tr("; "), "or": tr("or"), "and": tr("and")}
        said = JOINING.sub(lambda word: words[word[0]], one)
    else:
        known += template.known
    return Reading(said.format(**values | {place: part.text for place, part in found.items()}), known)


def _unclear(text: str, template: Template) -> bool:
    """Whether a sign between two places is in one of them too, so that a user's words may be taken for others."""
    between = template.literal[1:-1]
    return any(sign in SIGNS and text.count(sign) > "".join(template.literal).count(sign) for sign in between)


def _values(text: str, one: str) -> dict[str, str] | None:
    """What is in the places of a template, each as short as can be; None: the text is not of this form."""
    (before, *between), places, known = _template(one)
    if not places:
        return {} if text == one else None
    after = between.pop()
    if len(text) < known or not text.startswith(before) or not text.endswith(after):
        return None
    at, end, found = len(before), len(text) - len(after), dict[str, str]()
    for i, (place, sign) in enumerate(zip(places, between, strict=False)):
        start = at
        at = text.find(sign, start, end) if sign else start + _length(text[start:end], one, places[i : i + 2])
        if at < 0:
            return None
        found[place] = text[start:at]
        at += len(sign)
    found[places[-1]] = text[at:end]
    return found if at <= end else None


def _length(text: str, one: str, places: list[str]) -> int:
    """The length of what is in the first one of two places with no sign between them: phrases of the program tell."""
    first, second = ([*map(_template, grammar().get(one, {}).get(place, ()))] for place in places)
    ends = [end for phrase in first if (end := _end(text, phrase)) is not None]
    begins = [at for phrase in second if phrase.literal[0] and (at := text.find(phrase.literal[0])) >= 0]
    return max(ends) if ends else min(begins, default=0)


def _end(text: str, phrase: Template) -> int | None:
    """Where a phrase at the beginning of a text ends; None: it does not begin with this one."""
    at = 0
    for i, sign in enumerate(phrase.literal):
        start = text.find(sign, at) if i else 0 if text.startswith(sign) else -1
        if start < 0:
            return None
        at = start + len(sign)
    return at if phrase.literal[-1] else None
