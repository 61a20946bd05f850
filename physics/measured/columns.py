"""Columns of numbers out of large tables, by name: text of any separator, .npz and .parquet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from physics.core.archives import npz_arrays, pyarrow_or_sentence
from physics.core.cancellation import check_wanted
from physics.core.csv_rows import LONGEST, Head, fault_in, numbers_in, read_head
from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_packed, input_file
from physics.core.rotation import Array

TEXTS = (".csv", ".txt", ".tsv")
ENDINGS = (*TEXTS, ".npz", ".parquet")
WHAT = "a measured motion"
LARGEST = 200_000_000  # bytes: an hour of ten columns at 500 Hz; read in 3 s
FARTHEST = 1e20  # numbers are smaller: a time may be in nanoseconds since 1970, and squares must not overflow
MOST_COLUMNS = 2000
UNNAMED = {4: "t wx wy wz", 5: "t qw qx qy qz", 8: "t qw qx qy qz wx wy wz"}  # by the number of columns
BLOCK = 65_536  # rows of a text that are read at once


def names_in(path: Path) -> tuple[str, ...]:
    """The names of a file's columns; those of an array (n, k) of a .npz are NAME_1 to NAME_k.

    Raises ScenarioError, naming the file, where it is missing, empty, too large or no table.
    """
    path = input_file(path, ENDINGS, WHAT, LARGEST)
    if path.suffix.lower() in TEXTS:
        with _opened(path) as file:
            return _head(file, path).names
    if path.suffix.lower() == ".npz":
        return tuple(_flat(path))
    return _parquet_names(path)


def has_headings(path: Path) -> bool:
    """Whether a file names its columns itself; errors as ``names_in``."""
    path = input_file(path, ENDINGS, WHAT, LARGEST)
    if path.suffix.lower() not in TEXTS:
        return True
    with _opened(path) as file:
        return _head(file, path).line > 0


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


def _head(file: TextIO, path: Path) -> Head:
    """The head of a text with a name for each column: the headings, or those of UNNAMED, or column_1 and so on."""
    head = read_head(file, path)
    if not head.width and not head.names:
        raise ScenarioError("", f"no headings; expected {WHAT}, such as t, wx, wy, wz", path)
    if max(head.width, len(head.names)) > MOST_COLUMNS:
        raise ScenarioError("", f"more than {MOST_COLUMNS} columns; expected {WHAT}", path)
    usual = UNNAMED.get(head.width, " ".join(f"column_{i + 1}" for i in range(head.width)))
    return head._replace(names=head.names or tuple(usual.split()))


def _from_text(path: Path, names: Sequence[str]) -> dict[str, Array]:
    with _opened(path) as file:
        head = _head(file, path)
        places = [head.names.index(name) for name in names]
        parts, number = [], head.first
        file.seek(0)
        lines = islice(iter(lambda: file.readline(LONGEST), ""), head.first, None)
        while some := list(islice(lines, BLOCK)):
            check_wanted()
            try:
                part = numbers_in(some, head.marks, places)
            except ValueError:
                part = np.full((1, len(places)), np.nan)
            if not (np.abs(part) < FARTHEST).all() or max(map(len, some)) == LONGEST:
                raise _fault(some, number, head, names, path)
            parts.append(part)
            number += len(some)
    _check_rows(path, sum(map(len, parts)))
    values = np.concatenate(parts)
    return {name: np.ascontiguousarray(values[:, i]) for i, name in enumerate(names)}


def _fault(lines: Sequence[str], number: int, head: Head, names: Sequence[str], path: Path) -> ScenarioError:
    """The first line and column that hold no number; number: of the lines above."""
    fault = fault_in(lines, head.marks, [head.names.index(name) for name in names], FARTHEST)
    if fault is None:
        return ScenarioError("", f"not a table of numbers; expected {WHAT}", path)
    line, column, word = fault
    field = f"line {number + line + 1}, {names[column]:.40}"
    return ScenarioError(field, f"expected a number below 1e20, got '{word:.40}'", path)


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
