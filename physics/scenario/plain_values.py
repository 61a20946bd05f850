"""Plain values: what a scenario from outside may be made of, before anything reads it.

Files, recipes in films, options, Python and the window's panels all come through here. What libraries behind it stumble
over or take for an order is refused once: control characters, halves of letters, numbers that no processor holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from physics.core.errors import ScenarioError
from physics.core.wording import N_

LARGEST = 2**63 - 1  # whole numbers of processors and of files
DEEPEST = 50  # tables and lists in one another; no scenario has more than ten
LINES = ("note", "source", "crs")  # texts that may have several lines; crs: a WKT
_KEY = re.compile(r"[A-Za-z0-9_.-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_IN_LINES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
_HALF = re.compile(r"[\ud800-\udfff]")  # half of a letter; so Python writes bytes of a name that are no UTF-8


def check_plain(table: Mapping[str, Any], place: str = "", depth: int = 0) -> None:
    """ScenarioError, naming the field, for a key, a text or a number in these tables that no scenario can hold."""
    for key, value in table.items():
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            shown = f"{key!a:.60}"
            raise ScenarioError(f"{place}{shown}", N_("unknown key; keys have letters a to z, digits, '_' and '-'"))
        _check(value, f"{place}{key}", key, depth)


def _check(value: Any, field: str, key: str, depth: int) -> None:
    if depth > DEEPEST:
        raise ScenarioError(f"{field:.60}", N_("lists or tables too deep in one another"))
    if isinstance(value, str):
        _check_text(value, field, key)
    elif isinstance(value, int) and abs(value) > LARGEST:
        raise ScenarioError(
            field, N_("expected a number of at most {largest} digits; write larger ones as 1e30", len(str(LARGEST)))
        )
    elif isinstance(value, Mapping):
        check_plain(value, f"{field}.", depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            _check(item, field, key, depth + 1)


def _check_text(text: str, field: str, key: str) -> None:
    if found := _HALF.search(text):
        raise ScenarioError(field, N_("{found} is not UTF-8; expected a name or text that is", _around(text, found)))
    several = key.rpartition(".")[2] in LINES
    if found := (_IN_LINES if several else _CONTROL).search(text):
        expected = N_("text") if several else N_("one line of text")
        raise ScenarioError(
            field, N_("expected {expected} without control characters, got {found}", expected, _around(text, found))
        )


def _around(text: str, found: re.Match[str]) -> str:
    """The text next to what was found, in letters that every terminal shows as they are."""
    first = max(0, found.start() - 20)
    return ascii(text[first : first + 40])
