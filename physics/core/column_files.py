"""Column files: tables of text with a header, whose columns are known by their names (.csv)."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.input_checks import input_file
from physics.core.rotation import Array

LARGEST = 64_000_000  # bytes of a file
MOST = 250_000  # rows: about a kilobyte each while they are read
FARTHEST = 1e9  # numbers are smaller: their squares must not overflow


class Columns(NamedTuple):
    """The columns of a file.

    lines: the number of each row's line; words: column -> (n,) texts; numbers: column -> (n,), NaN where a cell of a
    column that may be empty is; only columns that the file has
    """

    path: Path
    lines: list[int]
    words: dict[str, list[str]]
    numbers: dict[str, Array]


def read_columns(
    path: str | Path,
    what: str,
    *,
    needed: Sequence[str],
    optional: Sequence[str] = (),
    words: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> Columns:
    """The columns of a table of ``what``; those of numbers are needed or optional, labels are for people.

    The header names them in any order and in letters of any size, with a unit behind a space or without. Raises
    ScenarioError, naming line and column, for what is missing, unknown, twice there or no number.
    """
    path = input_file(path, (".csv",), what, LARGEST)
    rows = _rows(path)
    expected = ", ".join((*words, *needed))
    if not rows:
        raise ScenarioError("", f"no {what}; expected a line of headings with {expected}", path)
    (first, header), *body = rows
    names = [(name.lower().split() or [""])[0] for name in header]
    _check_header(names, first, path, (*words, *needed), optional, labels)
    if not 0 < len(body) <= MOST:
        found = f"more than {MOST} lines" if body else f"no {what} below the headings"
        raise ScenarioError("", f"{found}; expected lines with {expected}", path)
    for line, row in body:
        if len(row) > len(names) and any(word.strip() for word in row[len(names) :]):
            raise ScenarioError(f"line {line}", f"expected {len(names)} columns, got {len(row)}", path)
    known = [name for name in (*needed, *optional) if name in names]
    return Columns(
        path,
        [line for line, _ in body],
        {name: list(_cells(body, names.index(name))) for name in words},
        {name: _numbers(body, names.index(name), name, path, empty=name in optional) for name in known},
    )


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The number and the words of each line that is not empty."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            lines = ((i, row) for i, row in enumerate(csv.reader(file), start=1) if any(row))
            return list(islice(lines, MOST + 2))
    except csv.Error:
        raise ScenarioError("", "not a table; expected headings, and lines of values between commas", path) from None


def _check_header(
    names: list[str], line: int, path: Path, needed: Sequence[str], optional: Sequence[str], labels: Sequence[str]
) -> None:
    for name in needed:
        if name not in names:
            raise ScenarioError(f"line {line}", f"no column '{name}'; expected {', '.join(needed)}", path)
    for name in names:
        if name not in {"", *needed, *optional, *labels}:
            others = f"; also {', '.join(optional)}" if optional else ""
            told = f"expected {', '.join(needed)}{others}; for people {', '.join(labels)}"
            raise ScenarioError(f"line {line}", f"the column '{name:.40}' would do nothing; {told}", path)
        if name and names.count(name) > 1:
            raise ScenarioError(f"line {line}", f"expected one column '{name}'", path)


def _cells(body: list[tuple[int, list[str]]], column: int) -> Iterator[str]:
    """The words of one column, each in one line; "" where a row is too short."""
    for _, row in body:
        yield " ".join(row[column].split()) if column < len(row) else ""


def _numbers(body: list[tuple[int, list[str]]], column: int, name: str, path: Path, *, empty: bool) -> Array:
    """The numbers (n,) of one column; NaN where a cell is empty, if it may be."""
    found = np.full(len(body), np.nan)
    for i, word in enumerate(_cells(body, column)):
        if not word and empty:
            continue
        try:
            found[i] = float(word)
        except ValueError:
            found[i] = np.nan
        if not abs(found[i]) < FARTHEST:  # also NaN
            raise ScenarioError(f"line {body[i][0]}, {name}", f"expected a number below 1e9, got '{word:.40}'", path)
    return found
