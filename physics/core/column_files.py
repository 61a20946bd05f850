"""Column files: tables of text with a header, whose columns are known by their names (.csv)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.core.csv_rows import MOST, CsvRows, read_rows
from physics.core.errors import ScenarioError
from physics.core.rotation import Array

FARTHEST = 1e9  # numbers are smaller: their squares must not overflow


class Columns(NamedTuple):
    """The columns of a file.

    lines: the number of each row's line; words: column -> (n,) texts, also of labels; numbers: column -> (n,), NaN
    where a cell of a column that may be empty is; only columns that the file has
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
    table = read_rows(Path(path), what, MOST + 2)
    path, rows = table.path, table.rows
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
        {name: list(_cells(body, names.index(name))) for name in (*words, *labels) if name in names},
        {name: _numbers(table, body, names.index(name), name, empty=name in optional) for name in known},
    )


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


def _numbers(table: CsvRows, body: list[tuple[int, list[str]]], column: int, name: str, *, empty: bool) -> Array:
    """The numbers (n,) of one column; NaN where a cell is empty, if it may be."""
    found = np.full(len(body), np.nan)
    for i, word in enumerate(_cells(body, column)):
        if not word and empty:
            continue
        try:
            found[i] = table.marks.number(word)
        except ValueError:
            found[i] = np.nan
        if not abs(found[i]) < FARTHEST:  # also NaN
            raise ScenarioError(
                f"line {body[i][0]}, {name}", f"expected a number below 1e9, got '{word:.40}'", table.path
            )
    return found
