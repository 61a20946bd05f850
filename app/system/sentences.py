"""Sentences of errors and events in the current language.

Errors are English, for scripts and logs. Where a sentence is shown, it is matched with the templates that
``assets/make/sentences.py`` takes from the sources, and translated with the catalogue. Nothing is read for English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from app.system.language import speaks_english, tr
from assets import LOCALE

SENTENCES = LOCALE / "sentences.txt"  # a template a line, after a tab if words may fill its places
PLACE = re.compile(r"\{(\w+)\}")
FIRM, LOOSE = ("; ", ". ", ": "), (", ", " (")  # signs between parts that are translated apart
LONGEST = 600, 4000  # characters of parts and of sentences: longer ones quote files
NAMED = "scheme"  # a place for names, also for one that is a word as well ("exact")
LIST = re.compile(r"((?:'[^']*'|[^\s,]+)(?:, (?:'[^']*'|[^\s,]+))*) (or|and) ('[^']*'|[^\s,]+)")


class Template(NamedTuple):
    """A text with places for values.

    before, after : its beginning and end; known : number of characters that are not of values
    words : single words in places are words of the program; else they are names
    """

    text: str
    words: bool
    before: str
    after: str
    pattern: str
    known: int


class Reading(NamedTuple):
    """A sentence in the current language, and the number of its characters that were known."""

    text: str
    known: int


@cache
def templates() -> dict[str, Template]:
    """All templates by their texts."""
    return {made.text: made for made in map(_template, SENTENCES.read_text(encoding="utf-8").splitlines())}


def _template(line: str) -> Template:
    text = line.removeprefix("\t")
    parts = [part.replace("{{", "{").replace("}}", "}") for part in PLACE.split(text)]
    pattern = "".join(f"(?P<{part}>.*?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    return Template(text, text != line, parts[0], parts[-1], pattern, sum(map(len, parts[::2])))


def translated(what: Exception | str) -> str:
    """An error or a sentence of physics in the current language; without a template it stays as it is.

    Names of files and fields stay, and so do values that are not phrases of the program.
    """
    if speaks_english():
        return str(what)
    from physics.core.errors import ScenarioError  # here: the command line is parsed before physics is loaded

    if isinstance(what, ScenarioError):
        places = [str(what.file)] * (what.file is not None) + [_value(what.field, {}).text] * bool(what.field)
        return ": ".join([*places, _reading(what.message, {}).text])
    return _reading(str(what), {}).text


def each_translated(what: str) -> str:
    """Words separated by commas, each in the current language."""
    return ", ".join(map(translated, what.split(", ")))


def _reading(sentence: str, known: dict[str, Reading]) -> Reading:
    """The reading that knows most of a sentence; known: readings of its parts, so that each is read once."""
    if sentence not in known:
        known[sentence] = Reading(sentence, 0)
        found = [Reading(tr(sentence), len(sentence))] if sentence in templates() else []
        if " " in sentence and not found and len(sentence) <= LONGEST[1]:
            found = _filled(sentence, known)
            if len(sentence) <= LONGEST[0]:  # max takes the first of equal ones
                found = [*_apart(sentence, FIRM, known), *found, *_apart(sentence, LOOSE, known)]
        known[sentence] = max([known[sentence], *found], key=lambda one: one.known)
    return known[sentence]


def _value(text: str, known: dict[str, Reading], words: bool = False) -> Reading:
    """The reading of a part; words: a single word is a word of the program, and not a name."""
    readable = len(text) <= LONGEST[0] and (words or " " in text)
    return _reading(text, known) if readable else Reading(text, 0)


def _filled(sentence: str, known: dict[str, Reading]) -> list[Reading]:
    """Readings of a sentence by templates with places."""
    found = []
    for one in templates().values():
        if sentence.startswith(one.before) and sentence.endswith(one.after) and "{" in one.text:
            match = re.fullmatch(one.pattern, sentence, re.DOTALL)
            if match is not None:
                values = {
                    place: _listed(value) or _value(value, known, one.words and place != NAMED)
                    for place, value in match.groupdict().items()
                }
                text = tr(one.text).format(**{place: value.text for place, value in values.items()})
                found.append(Reading(text, one.known + sum(value.known for value in values.values())))
    return found


def _apart(sentence: str, signs: tuple[str, ...], known: dict[str, Reading]) -> list[Reading]:
    """Readings of a sentence by its halves beside a sign."""
    found = []
    for sign in signs:
        head, between, tail = sentence.partition(sign)
        if between:
            end = "." if sign == ". " else ""  # of a whole sentence
            first = _value(head + end, known, sign == "; ")
            second = _value(tail, known, sign in ("; ", ": "))  # "step: missing"
            between = tr("; ") if sign == "; " else sign.removeprefix(end)
            found.append(Reading(f"{first.text}{between}{second.text}", first.known + second.known))
    return found


def _listed(value: str) -> Reading | None:
    """The reading of a list of names by the word before its last one."""
    match = LIST.fullmatch(value)
    if match is None:
        return None
    names, word, last = match.groups()
    return Reading(f"{names} {tr('or') if word == 'or' else tr('and')} {last}", len(word))
