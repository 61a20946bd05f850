"""Words of a user's own, which no language changes, beside those that come with the program.

Titles, notes and sources of scenarios are shown as they stand in the file; only those of the examples are translated.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING

import assets
from app.system.language import speaks_english, tr

if TYPE_CHECKING:
    from physics import Scenario

WORDS = ("title", "note", "source")  # keys of a scenario, for people


def title_of(scenario: Scenario) -> str:
    """The title; "" without one."""
    return _shown(scenario, "title")


def note_of(scenario: Scenario) -> str:
    """The note; "" without one."""
    return _shown(scenario, "note")


def source_of(scenario: Scenario) -> str:
    """The paper and place that it is from; "" without one."""
    return _shown(scenario, "source")


@cache
def _examples() -> list[dict[str, str]]:
    """The words of the examples, read once: a language is used for the whole time of a process."""
    tables = (tomllib.loads(file.read_text(encoding="utf-8")) for file in assets.examples().values())
    return [{word: table.get(word, "") for word in WORDS} for table in tables]


def _shown(scenario: Scenario, word: str) -> str:
    """A text of a scenario, translated if it is an example's.

    A scenario is made from an example, also where it was saved since, if two of its three texts are the same.
    """
    text = str(getattr(scenario, word))
    if not text or speaks_english():
        return text
    own = {one: getattr(scenario, one) for one in WORDS}
    same = (example for example in _examples() if example[word] == text)
    return tr(text) if any(sum(one[word] == own[word] != "" for word in WORDS) > 1 for one in same) else text
