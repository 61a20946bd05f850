"""Tables of text: what parts the words of a line, how numbers are written, which lines are remarks; rows of a .csv.

All readers of tables take their marks from here: maps, points, blocks, releases and what a sensor recorded.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
import numpy.typing as npt

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_text, input_file, is_number
from physics.core.rotation import Array
from physics.core.wording import N_

MAX_TABLE_BYTES = 64_000_000  # bytes of a file
MAX_ROWS = 250_000  # rows below a header: about a kilobyte each while they are read
MAX_LINE_LETTERS = 100_000  # letters of a line
MOST_HEADINGS = 1000  # lines above the numbers of a table
REMARKS = ("#", "%", "//")  # beginnings of lines for people
_BETWEEN = re.compile(r"[\s,\[\]]*")  # signs between the records of an array
_BETWEEN_BLANKS = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?|[^,]*")  # a number with a decimal comma, or no comma


@dataclass(frozen=True)
class Marks:
    """The marks of a table.

    Attributes
    ----------
    separator : what parts words; "": blanks
    decimal_comma : whether a comma in a number is a decimal one
    """

    separator: str
    decimal_comma: bool

    def words(self, line: str) -> list[str]:
        """The words of a line without the blanks around them; csv.Error if they cannot be separated."""
        if not self.separator:
            return line.split()
        return [word.strip() for word in next(csv.reader([line], delimiter=self.separator), [])]

    def plain(self, text: str) -> str:
        """Numbers, or lines of them, with decimal points. Two commas in a number make none of it."""
        return text.replace(",", ".") if self.decimal_comma else text

    def number(self, word: str) -> float:
        """The number in a word; ValueError if it is none."""
        return float(self.plain(word))

    def is_number(self, word: str) -> bool:
        """True if a word is a number."""
        return is_number(self.plain(word))


def marks_of(lines: Sequence[str]) -> Marks:
    """The marks of a table, from the first line that shows them.

    Semicolons, tabs or bars part words where there are any, and commas where they are not decimal ones between blanks.
    """
    for line in lines:
        for mark in ";\t|":
            if mark in line:
                return Marks(mark, decimal_comma=True)
        words = line.split()
        if "," in line and not (len(words) > 1 and all(map(_BETWEEN_BLANKS.fullmatch, words))):
            return Marks(",", decimal_comma=False)
    return Marks("", decimal_comma=True)


def is_remark(line: str) -> bool:
    """True if a line of a table is a comment: it begins with #, % or //, but is not number 1 of a list, as in #1."""
    return bool(re.match(r"\s*(#(?!\d)|%|//)", line))


class Head(NamedTuple):
    """The head of a table.

    marks: of the table; names: the headings, none where there are none; line: the number of their line, or 0; first:
    the number of lines before the numbers; width: the number of words in the first line that is no remark, or 0
    """

    marks: Marks
    names: tuple[str, ...]
    line: int
    first: int
    width: int


def read_head(file: TextIO, path: Path | None) -> Head:
    """The head of an open table: headings are its first line that is no remark, unless that holds numbers.

    Then they are the remark just above, if it has a word for each column. A number alone above rows of several counts
    them. ScenarioError for binary data.
    """
    remark, lines, number = (0, ""), list[tuple[int, str]](), 0
    while len(lines) < 2 and number < MOST_HEADINGS and (line := file.readline(MAX_LINE_LETTERS)):
        number += 1
        check_text(line, number, path)
        if is_remark(line):
            remark = remark if lines else (number, line.strip().lstrip("#%/").strip())
        elif line.strip():
            lines.append((number, line))
    if not lines:
        return Head(marks_of([]), (), 0, number, 0)
    (at, first), (_, last) = lines[0], lines[-1]
    marks = marks_of([last])
    with suppress(csv.Error):
        if not _numbers_alone(last, marks):  # labels may hold any mark
            marks = marks_of([first, last])
        width, above = len(marks.words(last)), _headings(remark[1], marks)
        alone = _numbers_alone(first, marks)
        if width > 1 and first.strip().isdecimal():
            return Head(marks, (), 0, at, width)
        rows = [[marks.is_number(word) for word in marks.words(line)] for _, line in lines]
        beside_labels = len(rows) == 2 and rows[0] == rows[1] and any(rows[0])
        if (alone or beside_labels) and len(above) == width and not any(map(marks.is_number, above)):
            return Head(marks, above, remark[0], at - 1, width)
        if not (alone or beside_labels):
            return Head(marks, _headings(first, marks), at, at, width)
        return Head(marks, (), 0, at - 1, width)
    raise ScenarioError(N_("line {number}", at), N_("not a table; expected numbers, or headings"), path)


def _numbers_alone(line: str, marks: Marks) -> bool:
    return all(map(marks.is_number, filter(None, marks.words(line))))


def _headings(line: str, marks: Marks) -> tuple[str, ...]:
    """The words of a line of headings, which blanks alone never part where other marks do."""
    own = marks_of([line])
    return tuple((own if own.separator or not marks.separator else marks).words(line))


def numbers_in(lines: Iterable[str], marks: Marks, places: Sequence[int]) -> npt.NDArray[np.float64]:
    """The numbers (n, len(places)) in some columns of lines, without blank ones and remarks.

    ValueError where one holds no number there: ``fault_in`` says which.
    """
    rows = [marks.plain(line) for line in lines if line.strip() and not line.lstrip().startswith(REMARKS)]
    if not rows:
        return np.empty((0, len(places)))
    separator = marks.separator or None
    return np.loadtxt(rows, delimiter=separator, usecols=places, quotechar='"', comments=None, ndmin=2)


def fault_in(lines: Iterable[str], marks: Marks, places: Sequence[int], most: float) -> tuple[int, int, str] | None:
    """The first line, column (counted from 0 in ``places``) and word that is no number below ``most``."""
    for i, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith(REMARKS):
            continue
        try:
            words = marks.words(line)
        except csv.Error:
            words = []
        for column, place in enumerate(places):
            word = words[place] if place < len(words) else ""
            if not (marks.is_number(word) and abs(marks.number(word)) < most):
                return i, column, word
    return None


# ---- points -------------------------------------------------------------------------------------------

CHUNK = 16_000_000  # letters that are read at once: half a million lines
_NAMES = (  # headings of x, y and z, in small letters
    ("x", "e", "east", "easting"),
    ("y", "n", "north", "northing"),
    ("z", "h", "height", "elevation", "altitude"),
)
_POINTS = Marks("", decimal_comma=True)


def points_in(file: TextIO, path: Path | None = None) -> tuple[Iterator[Array], tuple[str, ...]]:
    """Points (n, 3) of an open table, some at a time, and a note where it has other columns too.

    Headings such as E, N, H say which columns these are; without them they are the first three. Raises ScenarioError,
    naming the line, where they are no finite numbers, and where the first column counts the points.
    """
    head = read_head(file, path)
    if not head.width:
        raise ScenarioError("", N_("no points; expected lines x y z"), path)
    if head.width < 3:
        raise ScenarioError("", N_("expected three numbers x, y, z a line, got {width}", head.width), path)
    names = [re.split(r"[\s\[(]", name.strip().lower())[0] for name in head.names]
    found = [next((i for i, name in enumerate(names) if name in known), None) for known in _NAMES]
    places = [0, 1, 2] if None in found else [place for place in found if place is not None]
    points = _points(file, head, places, path)
    if places == [0, 1, 2] and head.width == 3:
        return points, ()
    columns = ", ".join(head.names[i] if i < len(head.names) else str(i + 1) for i in places)
    return points, (N_("x, y, z are its columns {columns}; others are left out", columns),)


def _points(file: TextIO, head: Head, places: list[int], path: Path | None) -> Iterator[Array]:
    first = True
    size, letters = max(path.stat().st_size, 1) if path else math.inf, 0
    for number, lines in _blocks(file, head, path):
        check_wanted(min(letters / size, 1.0))
        letters += sum(map(len, lines))
        points = _three(lines, number, head, places, path)
        if not np.isfinite(points[:, :2]).all():
            raise ScenarioError("", N_("expected finite coordinates"), path)
        if first and head.width > 3 and not head.names and len(points) > 3 and (np.diff(points[:, 0]) == 1.0).all():
            raise ScenarioError("", N_("the first column counts the points; expected x, y, z in the first three"), path)
        first = first and not len(points)
        yield points


def _three(lines: list[str], number: int, head: Head, places: list[int], path: Path | None) -> Array:
    """The points (n, 3) in lines, of which the first has a number."""
    # without separators tabs are blanks: there may be two of them, to align columns
    marks = head.marks if head.marks.separator != "\t" else _POINTS
    try:
        return numbers_in(lines, marks, places)
    except ValueError:
        fault = fault_in(lines, marks, places, math.inf)
    if fault is None:
        raise ScenarioError("", N_("not a table of numbers; expected lines x y z"), path)
    line, _, word = fault
    found = N_(", got '{word:.40}'", word) if word else N_(", like the lines before")
    raise ScenarioError(N_("line {number}", number + line), N_("expected three numbers x, y, z{found}", found), path)


def _blocks(file: TextIO, head: Head, path: Path | None) -> Iterator[tuple[int, list[str]]]:
    """Blocks of lines of about CHUNK letters, below the head, and the number of the first; ScenarioError for a line
    that is longer.
    """
    file.seek(0)
    for _ in range(head.first):
        file.readline()
    rest, number = "", head.first + 1
    while text := file.read(CHUNK):
        check_text(text, number, path)
        whole, mark, end = (rest + text).rpartition("\n")
        if not whole and len(end) >= CHUNK:
            raise ScenarioError("", N_("{end} letters without a line's end; expected lines x y z", len(end)), path)
        rest = end
        if mark:
            yield number, whole.split("\n")
            number += whole.count("\n") + 1
    if rest:
        yield number, [rest]


# ---- rows ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CsvRows:
    """The rows of a file that are not blank.

    Attributes
    ----------
    path : the file
    rows : number of the line, and its words without the blanks around them
    marks : of its words and numbers; words are never parted by blanks alone
    """

    path: Path
    rows: list[tuple[int, list[str]]]
    marks: Marks


def read_rows(path: Path, what: str, most: int) -> CsvRows:
    """Read at most so many rows of a .csv file of ``what``; ScenarioError for no table, or one too large."""
    path = input_file(path, (".csv",), what, MAX_TABLE_BYTES)
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            head = read_head(file, path)
            marks = head.marks if head.marks.separator else Marks(",", decimal_comma=False)
            file.seek(0)
            read = enumerate(csv.reader(file, delimiter=marks.separator), start=1)
            kept = ((i, row) for i, row in read if any(row) and (i == head.line or not is_remark(row[0])))
            rows = [(i, [word.strip() for word in row]) for i, row in islice(kept, most)]
    except csv.Error:
        raise ScenarioError("", N_("not a table; expected lines of {what}", what), path) from None
    if rows and is_remark(rows[0][1][0]):
        rows[0][1][0] = rows[0][1][0].lstrip("#/ ")
    return CsvRows(path, rows, marks)


def read_records(path: Path, what: str, most: int) -> CsvRows:
    """Read at most so many records of a .json file of ``what``, an array of objects, as rows below their keys.

    ScenarioError, naming the line, where it is none.
    """
    path = input_file(path, (".json",), what, MAX_TABLE_BYTES)
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    decoder, found, at, line = json.JSONDecoder(), list[tuple[int, dict[str, Any]]](), 0, 1
    while len(found) < most:
        first = at if (between := _BETWEEN.match(text, at)) is None else between.end()
        line, at = line + text.count("\n", at, first), first
        if at == len(text):
            break
        try:
            record, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            record, end = None, at
        if not isinstance(record, dict) or any(isinstance(value, dict | list) for value in record.values()):
            raise ScenarioError(
                N_("line {number}", line), N_("expected an array of {what}, each an object", what), path
            )
        found.append((line, record))
        line, at = line + text.count("\n", at, end), end
    keys = list(dict.fromkeys(key for _, record in found for key in record))
    rows = [(line, ["" if record.get(key) is None else str(record[key]) for key in keys]) for line, record in found]
    return CsvRows(path, [(1, keys), *rows] if rows else [], Marks(",", decimal_comma=False))


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
    records: bool = False,
) -> Columns:
    """The columns of a table of ``what``; those of numbers are needed or optional, labels are for people.

    The header names them in any order and in letters of any size, with a unit behind a space or without; a .json file
    of ``records`` has their keys in its place. Raises ScenarioError, naming line and column, for what is missing,
    unknown, twice there or no number.
    """
    read = read_records if records and Path(path).suffix.lower() == ".json" else read_rows
    table = read(Path(path), what, MAX_ROWS + 2)
    path, rows = table.path, table.rows
    expected = ", ".join((*words, *needed))
    if not rows:
        raise ScenarioError("", N_("no {what}; expected a line of headings with {expected}", what, expected), path)
    (first, header), *body = rows
    names = [(name.lower().split() or [""])[0] for name in header]
    _check_header(names, first, path, (*words, *needed), optional, labels)
    if not 0 < len(body) <= MAX_ROWS:
        found = N_("more than {most} lines", MAX_ROWS) if body else N_("no {what} below the headings", what)
        raise ScenarioError("", N_("{found}; expected lines with {expected}", found, expected), path)
    for line, row in body:
        if len(row) > len(names) and any(word.strip() for word in row[len(names) :]):
            raise ScenarioError(
                N_("line {number}", line), N_("expected {names} columns, got {row}", len(names), len(row)), path
            )
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
            raise ScenarioError(
                N_("line {number}", line), N_("no column '{name}'; expected {needed}", name, ", ".join(needed)), path
            )
    for name in names:
        if name not in {"", *needed, *optional, *labels}:
            others = N_("; also {optional}", ", ".join(optional)) if optional else ""
            text = N_("expected {needed}{others}; for people {labels}", ", ".join(needed), others, ", ".join(labels))
            raise ScenarioError(
                N_("line {number}", line), N_("the column '{name:.40}' would do nothing; {text}", name, text), path
            )
        if name and names.count(name) > 1:
            raise ScenarioError(N_("line {number}", line), N_("expected one column '{name}'", name), path)


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
                N_("line {number}, {name}", body[i][0], name),
                N_("expected a number below 1e9, got '{word:.40}'", word),
                table.path,
            )
    return found
