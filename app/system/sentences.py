"""What errors and events say, in the language in use.

``physics`` and the program's own errors speak English, for scripts and logs. Where a sentence is shown, it is known
again by the templates that ``assets/make/sentences.py`` takes from the sources, and told in the words of the catalogue.
Nothing is read while the language is English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from app.system.language import speaks_english, tr
from assets import LOCALE

SENTENCES = LOCALE / "sentences.txt"  # a template a line; one whose places are filled with words: behind a tab
PLACE = re.compile(r"\{(\w+)\}")
FIRM, LOOSE = ("; ", ". ", ": "), (", ", " (")  # signs between what may be told apart
LONGEST = 600, 4000  # letters of what is told apart, and of a sentence: longer ones hold what a file says
NAMED = "scheme"  # a place whose word is a name, also where it is a word of the program's ("exact")
LIST = re.compile(r"((?:'[^']*'|[^\s,]+)(?:, (?:'[^']*'|[^\s,]+))*) (or|and) ('[^']*'|[^\s,]+)")


class Template(NamedTuple):
    """A text with places for values.

    before, after : what it begins and ends with; known : how many letters are not of values
    words : whether a single word in a place is one of the program's; else it is a name
    """

    text: str
    words: bool
    before: str
    after: str
    pattern: str
    known: int


class Reading(NamedTuple):
    """A sentence in the language in use, and how many of its letters were known."""

    text: str
    known: int


@cache
def templates() -> dict[str, Template]:
    """All templates by what they read without places; those with places by their own text."""
    return {made.text: made for made in map(_template, SENTENCES.read_text(encoding="utf-8").splitlines())}


def _template(line: str) -> Template:
    text = line.removeprefix("\t")
    parts = [part.replace("{{", "{").replace("}}", "}") for part in PLACE.split(text)]
    pattern = "".join(f"(?P<{part}>.*?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    return Template(text, text != line, parts[0], parts[-1], pattern, sum(map(len, parts[::2])))


def told(what: Exception | str) -> str:
    """An error, or what physics says, in the language in use; what no template knows stays as it is.

    Names of files and fields stay, and so do all values that are no phrases of the program's own.
    """
    if speaks_english():
        return str(what)
    from physics.core.errors import ScenarioError  # here: the command line is read before physics is loaded

    if isinstance(what, ScenarioError):
        places = [str(what.file)] * (what.file is not None) + [_value(what.field, {}).text] * bool(what.field)
        return ": ".join([*places, _reading(what.message, {}).text])
    return _reading(str(what), {}).text


def each_told(what: str) -> str:
    """Words parted by commas, each in the language in use."""
    return ", ".join(map(told, what.split(", ")))


def _reading(sentence: str, known: dict[str, Reading]) -> Reading:
    """The reading that knows most letters of a sentence; known: those of its parts, so that each is read once."""
    if sentence not in known:
        known[sentence] = Reading(sentence, 0)
        found = [Reading(tr(sentence), len(sentence))] if sentence in templates() else []
        if " " in sentence and not found and len(sentence) <= LONGEST[1]:
            found = _filled(sentence, known)
            if len(sentence) <= LONGEST[0]:  # the first of equal ones is taken
                found = [*_apart(sentence, FIRM, known), *found, *_apart(sentence, LOOSE, known)]
        known[sentence] = max([known[sentence], *found], key=lambda one: one.known)
    return known[sentence]


def _value(text: str, known: dict[str, Reading], words: bool = False) -> Reading:
    """The reading of a part; a single word is a name unless it is said to be a word."""
    told = len(text) <= LONGEST[0] and (words or " " in text)
    return _reading(text, known) if told else Reading(text, 0)


def _filled(sentence: str, known: dict[str, Reading]) -> list[Reading]:
    """The readings of a sentence by templates with places."""
    found = []
    for one in templates().values():
        if sentence.startswith(one.before) and sentence.endswith(one.after) and "{" in one.text:
            match = re.fullmatch(one.pattern, sentence, re.DOTALL)
            if match is not None:
                values = {
                    place: _listed(value) or _value(value, known, one.words and place != NAMED)
                    for place, value in match.groupdict().items()
                }
                told = tr(one.text).format(**{place: value.text for place, value in values.items()})
                found.append(Reading(told, one.known + sum(value.known for value in values.values())))
    return found


def _apart(sentence: str, signs: tuple[str, ...], known: dict[str, Reading]) -> list[Reading]:
    """The readings of a sentence by its halves beside a sign."""
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
    """The reading of a list of names by the word before the last one."""
    match = LIST.fullmatch(value)
    if match is None:
        return None
    names, word, last = match.groups()
    return Reading(f"{names} {tr('or') if word == 'or' else tr('and')} {last}", len(word))
