"""Tables of text (.csv): lines of words that commas, semicolons or tabs part, and the numbers in them."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from physics.core.errors import ScenarioError
from physics.core.input_checks import input_file

LARGEST = 64_000_000  # bytes of a file
MOST = 250_000  # rows below a header: about a kilobyte each while they are read


@dataclass(frozen=True)
class CsvRows:
    """The rows of a file that are not blank.

    Attributes
    ----------
    path : the file
    rows : number of the line, and its words without the blanks around them
    decimal_comma : whether a comma in a number is a decimal one: where semicolons or tabs part the words
    """

    path: Path
    rows: list[tuple[int, list[str]]]
    decimal_comma: bool

    def number(self, word: str) -> float:
        """The number that a word tells; ValueError where it tells none."""
        return float(word.replace(",", ".") if self.decimal_comma and word.count(",") == 1 else word)


def read_rows(path: Path, what: str, most: int) -> CsvRows:
    """At most so many rows of a .csv file of ``what``; ScenarioError for no table, or one too large."""
    path = input_file(path, (".csv",), what, LARGEST)
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            head = next(filter(str.strip, iter(lambda: file.readline(100_000), "")), "")
            delimiter = next((mark for mark in ";\t" if mark in head), ",")
            file.seek(0)
            lines = ((i, row) for i, row in enumerate(csv.reader(file, delimiter=delimiter), start=1) if any(row))
            rows = [(i, [word.strip() for word in row]) for i, row in islice(lines, most)]
    except csv.Error:
        raise ScenarioError("", f"not a table; expected lines of {what}", path) from None
    return CsvRows(path, rows, delimiter != ",")
