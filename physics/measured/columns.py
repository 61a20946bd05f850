"""Columns of numbers out of large tables, by name: text of any separator, .npz and .parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from physics.core.archives import npz_arrays, pyarrow_or_sentence
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_packed, input_file, is_number
from physics.core.rotation import Array

TEXTS = (".csv", ".txt", ".tsv")
ENDINGS = (*TEXTS, ".npz", ".parquet")
WHAT = "a measured motion"
LARGEST = 200_000_000  # bytes: an hour of ten columns at 500 Hz; read in 3 s
LONGEST = 100_000  # letters of a line
FARTHEST = 1e20  # numbers are smaller: a time may be in nanoseconds since 1970, and squares must not overflow
MOST_COLUMNS = 2000
COMMENTS, MOST_COMMENTS = ("#", "%"), 1000  # what lines above the numbers begin with, and how many there are
UNNAMED = {4: "t wx wy wz", 5: "t qw qx qy qz", 8: "t qw qx qy qz wx wy wz"}  # by the number of columns
BLOCK = 65_536  # rows of a text that are read at once


@dataclass(frozen=True)
class Layout:
    """How a table of text is laid out.

    Attributes
    ----------
    separator : between words; "": blanks
    decimal_comma : whether a comma in a number is a decimal one
    names : the headings; without any those of UNNAMED, or column_1 and so on
    first : the number of lines before the numbers
    headed : whether the file has headings
    """

    separator: str
    decimal_comma: bool
    names: tuple[str, ...]
    first: int
    headed: bool = True

    def words(self, line: str) -> list[str]:
        """The words of a line."""
        if not self.separator:
            return line.split()
        return [word.strip() for word in next(csv.reader([line], delimiter=self.separator), [])]


def names_in(path: Path) -> tuple[str, ...]:
    """The names of a file's columns; those of an array (n, k) of a .npz are NAME_1 to NAME_k.

    Raises ScenarioError, naming the file, where it is missing, empty, too large or no table.
    """
    path = input_file(path, ENDINGS, WHAT, LARGEST)
    if path.suffix.lower() in TEXTS:
        with _opened(path) as file:
            return _layout(file, path).names
    if path.suffix.lower() == ".npz":
        return tuple(_flat(path))
    return _parquet_names(path)


def has_headings(path: Path) -> bool:
    """Whether a file names its columns itself; errors as ``names_in``."""
    path = input_file(path, ENDINGS, WHAT, LARGEST)
    if path.suffix.lower() not in TEXTS:
        return True
    with _opened(path) as file:
        return _layout(file, path).headed


def numbers_of(path: Path, names: Sequence[str]) -> dict[str, Array]:
    """Columns (n,) of a file, by name: numbers below FARTHEST, two rows or more; else ScenarioError.

    It names file, column and line.
    """
    path = input_file(path, ENDINGS, WHAT, LARGEST)
    if path.suffix.lower() in TEXTS:
        return _from_text(path, names)
    found = _from_npz(path, names) if path.suffix.lower() == ".npz" else _from_parquet(path, names)
    for name, values in found.items():
        _check_rows(path, len(values))
        if not (sound := np.abs(values) < FARTHEST).all():  # NaN neither
            row = int(np.argmin(sound)) + 1
            raise ScenarioError(f"row {row}, {name:.40}", f"expected a number below 1e20, got {values[row - 1]}", path)
    return found


def _check_rows(path: Path, count: int) -> None:
    if count < 2:
        raise ScenarioError("", f"{'one row' if count else 'no rows'} of numbers; expected two or more", path)


# ---- text ---------------------------------------------------------------------------------------------


def _opened(path: Path) -> TextIO:
    try:
        return path.open(encoding="utf-8-sig", errors="replace", newline=None)
    except OSError as error:
        raise ScenarioError("", f"cannot be read: {error.strerror or error}", path) from None


def _layout(file: TextIO, path: Path) -> Layout:
    """The layout of a text: headings are its first line, or else the last comment with as many words as columns.

    Comments begin with # or %, and stand above the headings or the numbers; blank lines do not count.
    """
    comment, number, line = "", 0, ""
    for number in range(MOST_COMMENTS):
        line = file.readline(LONGEST)
        if "\0" in line:
            raise ScenarioError(f"line {number + 1}", "expected text, got a byte of 0: binary data", path)
        if line.strip().startswith(COMMENTS):
            comment = line.strip()[1:].strip()
        elif not line or line.strip():
            break
    following = next(filter(str.strip, iter(lambda: file.readline(LONGEST), "")), "")
    if not (line + comment).strip():
        raise ScenarioError("", f"no headings; expected {WHAT}, such as t, wx, wy, wz", path)
    head, words = _words_in(line, following or line)
    if len(words) > MOST_COLUMNS:
        raise ScenarioError("", f"more than {MOST_COLUMNS} columns; expected {WHAT}", path)
    above, names = _words_in(comment, line)
    if comment and (not line.strip() or (len(names) == len(above.words(line)) and _sound(above, above.words(line)[0]))):
        return replace(above, names=tuple(names), first=number)
    if not all(_sound(head, word) for word in words):
        return replace(head, names=tuple(words), first=number + 1)
    usual = UNNAMED.get(len(words), " ".join(f"column_{i + 1}" for i in range(len(words))))
    return replace(head, names=tuple(usual.split()), first=number, headed=False)


def _words_in(line: str, following: str) -> tuple[Layout, list[str]]:
    """The separator of a line of headings, and of decimals in the following one; its words."""
    separator = next((mark for mark in "\t;|," if mark in line), "")
    layout = Layout(separator, separator != "," and "," in following, (), 0)
    return layout, layout.words(line.strip())


def _from_text(path: Path, names: Sequence[str]) -> dict[str, Array]:
    with _opened(path) as file:
        layout = _layout(file, path)
        places = [layout.names.index(name) for name in names]
        file.seek(0)
        lines = islice(_plain(file, layout), layout.first, None)
        parts = []
        try:
            while len(part := _block(lines, layout, places)):
                check_wanted()
                parts.append(part)
        except (ValueError, csv.Error):
            raise _first_fault(path, layout, names) from None
    _check_rows(path, sum(map(len, parts)))
    values = np.concatenate(parts)
    if not (np.abs(values) < FARTHEST).all():
        raise _first_fault(path, layout, names)
    return {name: np.ascontiguousarray(values[:, i]) for i, name in enumerate(names)}


def _plain(file: TextIO, layout: Layout) -> Iterator[str]:
    """The lines with decimal points; ValueError for one that is too long."""
    for line in iter(lambda: file.readline(LONGEST), ""):
        if len(line) == LONGEST:
            raise ValueError("a line that is too long")
        yield line.replace(",", ".") if layout.decimal_comma else line


def _block(lines: Iterator[str], layout: Layout, places: Sequence[int]) -> Array:
    """The next rows (n, len(places)); none at the end. ValueError where one has no number in a place."""
    some = [line for line in islice(lines, BLOCK) if line.strip()]
    if not some:
        return np.empty((0, len(places)))
    values = np.loadtxt(some, delimiter=layout.separator or None, usecols=places, ndmin=2, quotechar='"', comments=None)
    return np.asarray(values, float)


def _first_fault(path: Path, layout: Layout, names: Sequence[str]) -> ScenarioError:
    """The first line and column that hold no number."""
    with _opened(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST), ""), 1):
            if number <= layout.first or not line.strip():
                continue
            words = _words(layout, line)
            for name in names:
                place = layout.names.index(name)
                word = words[place] if place < len(words) else ""
                if not _sound(layout, word):
                    return ScenarioError(
                        f"line {number}, {name:.40}", f"expected a number below 1e20, got '{word:.40}'", path
                    )
    return ScenarioError("", f"not a table of numbers; expected {WHAT}", path)


def _words(layout: Layout, line: str) -> list[str]:
    try:
        return layout.words(line)
    except csv.Error:
        return []


def _sound(layout: Layout, word: str) -> bool:
    return is_number(word := word.replace(",", ".") if layout.decimal_comma else word) and bool(
        np.isfinite(float(word))
    )


# ---- archives -----------------------------------------------------------------------------------------


def _damaged(path: Path) -> ScenarioError:
    return ScenarioError("", f"not {WHAT}, or cut short; expected arrays (n,) or (n, k) of numbers", path)


def _flat(path: Path) -> dict[str, Array]:
    """The columns of a .npz of arrays of numbers (n,) and (n, k)."""
    try:
        arrays = npz_arrays(path)
        found = {}
        for name, array in arrays.items():
            if array.ndim == 1 and array.dtype.kind in "fiu":
                found[name] = array.astype(float)
            elif array.ndim == 2 and array.dtype.kind in "fiu" and array.shape[1] <= MOST_COLUMNS:
                found |= {f"{name}_{i + 1}": array[:, i].astype(float) for i in range(array.shape[1])}
    except DAMAGED:
        raise _damaged(path) from None
    return found


def _from_npz(path: Path, names: Sequence[str]) -> dict[str, Array]:
    return _of_one_length(path, {name: column for name, column in _flat(path).items() if name in names}.items())


def _parquet_names(path: Path) -> tuple[str, ...]:
    pyarrow, parquet = pyarrow_or_sentence()
    try:
        return tuple(map(str, parquet.read_schema(path).names))
    except (pyarrow.ArrowException, OSError):
        raise _damaged(path) from None


def _from_parquet(path: Path, names: Sequence[str]) -> dict[str, Array]:
    pyarrow, parquet = pyarrow_or_sentence()
    try:
        with parquet.ParquetFile(path) as file:
            check_packed(path, 8 * file.metadata.num_rows * len(names))
        table = parquet.read_table(path, columns=list(names))
        columns = [(name, np.asarray(table[name].to_numpy(), float)) for name in names]
    except (pyarrow.ArrowException, *DAMAGED):
        raise _damaged(path) from None
    return _of_one_length(path, columns)


def _of_one_length(path: Path, columns: Iterable[tuple[str, Array]]) -> dict[str, Array]:
    found = dict(columns)
    if len({len(values) for values in found.values()}) > 1:
        told = ", ".join(f"{name:.40} {len(values)}" for name, values in found.items())
        raise ScenarioError("", f"expected columns of one length, got {told}", path)
    return found
