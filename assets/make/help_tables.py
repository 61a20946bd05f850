"""Tables and listings of help pages, read for their figures: a number stands once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

PAGES = Path(__file__).parents[1] / "help"


def page_of(page: str, heading: str = "") -> str:
    """Text of a page from a heading on; from its beginning where none is named."""
    told = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    if not heading:
        return told
    _, found, rest = told.partition(f"\n## {heading}")
    assert found, f"{page}: no heading {heading}"
    return rest


def table_of(page: str, heading: str = "") -> list[list[str]]:
    """The cells of the first table from a heading on."""
    found = re.search(r"(?:^\|.*\n)+", page_of(page, heading), re.MULTILINE)
    assert found is not None, f"{page}: no table"
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found[0].splitlines()[2:]]


def row_of(cells: Iterable[str]) -> str:
    """A row of a table as pages have it: nothing but one blank in an empty cell."""
    return " ".join(["|", *(f"{cell} |" if cell else "|" for cell in cells)])


def listing_of(page: str, headings: str) -> list[list[str]]:
    """The rows of the listing whose headings match a pattern, parted where two or more spaces stand."""
    found = re.search(rf"^    {headings}.*\n((?:    .*\n)+)", page_of(page), re.MULTILINE)
    assert found is not None, f"{page}: no listing of {headings}"
    return [re.split(r"\s{2,}", row.strip()) for row in found[1].splitlines()]
