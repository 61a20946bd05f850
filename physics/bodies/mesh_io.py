"""Mesh files: points and triangles from .stl, .obj and .ply files, points from .pts and .xyz files.

Files are read as they are, checked for damage only; physics.bodies.closed_surface says whether a mesh encloses a solid.
What a file claims is compared with its size before memory is taken. Colours, normals and textures are passed over.
"""

from __future__ import annotations

import re
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.bodies.ply import ply_mesh
from physics.core.cancellation import check_wanted
from physics.core.csv_rows import is_remark, marks_of
from physics.core.errors import ScenarioError
from physics.core.input_checks import input_file, is_number
from physics.core.rotation import Array

MESHES = (".stl", ".obj", ".ply")
ENDINGS = (*MESHES, ".pts", ".xyz")
LARGEST = 64_000_000  # bytes of a file: a million triangles of a binary .stl
LONGEST = 200_000  # letters of a line: a polygon of 20 000 corners
_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class Mesh(NamedTuple):
    """Points (n, 3) [m] and triangles (m, 3) of point numbers; a cloud of points has no triangles."""

    points: Array
    triangles: np.ndarray


def read_mesh(path: str | Path, what: str = "a body", largest: int = LARGEST) -> Mesh:
    """The mesh in a .stl (text or binary), .obj, .ply (text or binary), .pts or .xyz file (x, y, z first).

    what: the words for it in sentences; largest: bytes that the file may have. Polygons are cut into triangles from
    their first corner. Raises ScenarioError, naming the file and, in a text, the line, for a file that is missing,
    damaged, too large or something else.
    """
    path = input_file(path, ENDINGS, what, largest)
    try:
        points, triangles = _READERS[path.suffix.lower()](path.read_bytes().removeprefix(BOM_UTF8))
    except ScenarioError as error:
        raise error.in_file(path) from None
    except OSError as error:
        raise ScenarioError("", f"cannot be read: {error.strerror or error}", path) from None
    bad = ~np.isfinite(points).all(axis=1)
    if bad.any():
        raise ScenarioError("", f"point {int(np.argmax(bad)) + 1}: expected finite coordinates", path)
    if np.abs(points).max(initial=0.0) > 1e9:
        raise ScenarioError("", "expected coordinates within a million kilometres, in metres", path)
    outside = (triangles < 0) | (triangles >= len(points))
    if outside.any():
        face = int(np.argmax(outside.any(axis=1))) + 1
        raise ScenarioError("", f"triangle {face}: expected numbers of the file's {len(points)} points", path)
    if len(points) < 4:
        raise ScenarioError("", f"expected at least 4 points, found {len(points)}", path)
    return Mesh(points, triangles)


# ---- .pts and .obj ------------------------------------------------------------------------------------


# numbers are taken out of each line as it is read: the words of a long file would take a hundred times its size


def _points(data: bytes) -> Mesh:
    """x, y, z in a line, before colours or intensities that may follow; a first line may name them or count the points.

    Parted by blanks, commas or semicolons, between which a comma is a decimal one; lines that begin with # or // are
    remarks.
    """
    marks = marks_of([line for line in data[:LONGEST].decode("utf-8", "replace").split("\n") if not is_remark(line)])
    data = data.replace(b",", b"." if marks.decimal_comma else b" ").replace(b";", b" ")
    points, first, wide = array("d"), 0, False
    for i, words in _lines(data):
        if words[0].startswith(("#", "//")):
            continue
        first = first or i
        if i == first and (len(words) == 1 or not any(map(is_number, words))):
            continue
        points.extend(_three(i, words[:3], "three coordinates"))
        wide = wide or len(words) > 3
    found = np.array(points).reshape(-1, 3)
    if wide and len(found) > 1 and (np.diff(found[:, 0]) == 1.0).all():
        raise ScenarioError("", "the first column counts the points; expected x, y, z in the first three")
    return Mesh(found, np.empty((0, 3), np.int64))


def _obj(data: bytes) -> Mesh:
    """Points and faces; other statements do not bear on the solid."""
    points, faces = array("d"), _Faces(array("q"), array("q"), array("q"), array("q"))
    for i, (keyword, *words) in _lines(data):
        if keyword == "v":
            points.extend(_three(i, words[:3], "three coordinates after 'v'"))  # a fourth is a weight, more a colour
        elif keyword == "f":
            if len(words) < 3:
                raise ScenarioError(f"line {i}", f"expected at least 3 corners of a face, got {len(words)}")
            try:
                faces.corners.extend(int(word.split("/", 1)[0]) for word in words)
            except (ValueError, OverflowError):
                raise ScenarioError(f"line {i}", "expected numbers of points, such as 'f 1 2 3'") from None
            faces.lengths.append(len(words))
            faces.above.append(len(points) // 3)
            faces.lines.append(i)
    return Mesh(np.array(points).reshape(-1, 3), _fans(faces))


class _Faces(NamedTuple):
    """Polygons: the numbers of all corners; of each how many it has, the points above it, and its line."""

    corners: array[int]
    lengths: array[int]
    above: array[int]
    lines: array[int]


def _fans(faces: _Faces) -> np.ndarray:
    """Triangles (m, 3) of polygons."""
    given, lengths = np.array(faces.corners, np.int64), np.array(faces.lengths, np.int64)
    above = np.repeat(np.array(faces.above, np.int64), lengths)
    wrong = (given == 0) | (given > above) | (given < -above)  # negative numbers count back from the last point
    if wrong.any():
        face = int(np.searchsorted(np.cumsum(lengths), np.argmax(wrong), side="right"))
        start = int(lengths[:face].sum())
        found = " ".join(map(str, given[start : start + int(lengths[face])].tolist()))[:40]
        expected = f"expected numbers of the {faces.above[face]} points above"
        raise ScenarioError(f"line {faces.lines[face]}", f"{expected}, got '{found}'")
    corners = np.where(given > 0, given - 1, above + given)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths - 2)
    nth = np.arange(len(first)) - np.repeat(np.cumsum(lengths - 2) - (lengths - 2), lengths - 2)
    return np.stack([corners[first], corners[first + nth + 1], corners[first + nth + 2]], axis=1)


def _lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Number and words of each line that is not blank."""
    with TextIOWrapper(BytesIO(data), encoding="utf-8", errors="replace") as file:
        for i in count(1):
            line = file.readline(LONGEST + 1)
            if not line:
                return
            if len(line) > LONGEST:
                raise ScenarioError(f"line {i}", f"longer than {LONGEST} letters")
            if i % 10_000 == 0:
                check_wanted()
            if words := line.split():
                yield i, words


def _three(i: int, words: list[str], expected: str) -> tuple[float, float, float]:
    """The three numbers of a line."""
    try:
        x, y, z = map(float, words)
    except ValueError:
        raise ScenarioError(f"line {i}", f"expected {expected}, got '{' '.join(words)[:40]}'") from None
    return x, y, z


# ---- .stl ---------------------------------------------------------------------------------------------


def _stl(data: bytes) -> Mesh:
    """Binary, if the length is the one that a binary header claims; else text. Each triangle brings its own points."""
    count = int.from_bytes(data[80:84], "little")
    if len(data) >= 84 and len(data) == 84 + count * _STL.itemsize:
        with np.errstate(invalid="ignore"):  # NaN is told by the caller
            points = np.frombuffer(data, _STL, offset=84)["corners"].astype(float).reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid" and b"\0" not in data[:1000]:
        points = _stl_text(data)
    else:
        room = max(0, len(data) - 84) // _STL.itemsize
        raise ScenarioError("", f"neither a text .stl nor a whole binary one: {count} triangles claimed, {room} found")
    return Mesh(points, np.arange(len(points)).reshape(-1, 3))


def _stl_text(data: bytes) -> Array:
    data = data.lower()
    if b"endsolid" not in data[-1000:]:
        last = data.rstrip().count(b"\n") + 1
        raise ScenarioError(f"line {last}", "the file is cut short; expected 'endsolid' at its end")
    found = (match.groups() for match in re.finditer(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", data))
    with suppress(ValueError):
        points = np.fromiter(map(float, chain.from_iterable(found)), float).reshape(-1, 3)
        if len(points) == 3 * data.count(b"endloop"):
            return points
    return _stl_lines(data)


def _stl_lines(data: bytes) -> Array:
    """Line by line, to say which one is wrong."""
    points, since, last = array("d"), 0, 0
    for i, (keyword, *words) in _lines(data):
        if keyword.startswith("vertex"):
            points.extend(_three(i, words, "three coordinates after 'vertex'"))
            since, last = since + 1, i
        elif keyword.startswith("endloop"):
            if since != 3:
                raise ScenarioError(f"line {i}", f"expected 3 corners of a triangle, got {since}")
            since = 0
    if since:
        raise ScenarioError(f"line {last}", "expected 'endloop' after the corners of a triangle")
    return np.array(points).reshape(-1, 3)


def _ply(data: bytes) -> Mesh:
    return Mesh(*ply_mesh(data))


_READERS: dict[str, Callable[[bytes], Mesh]] = {
    ".stl": _stl,
    ".obj": _obj,
    ".ply": _ply,
    ".pts": _points,
    ".xyz": _points,
}
