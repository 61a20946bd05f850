"""Meshes: points and triangles from .stl, .obj and .ply files, points from .pts files.

Files are read as they are, checked for damage only; physics.bodies.surface says whether a mesh encloses a solid.
What a file claims is compared with its size before memory is taken. Colours, normals and textures are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.bodies.ply import ply_mesh
from physics.errors import ScenarioError
from physics.inputs import input_file, is_number
from physics.rotation import Array

ENDINGS = (".stl", ".obj", ".ply", ".pts")
LARGEST = 64_000_000  # bytes of a file: a million triangles of a binary .stl
_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class Mesh(NamedTuple):
    """Points (n, 3) [m] and triangles (m, 3) of point numbers; a cloud of points has no triangles."""

    points: Array
    triangles: np.ndarray


def read_mesh(path: str | Path) -> Mesh:
    """The mesh in a .stl (text or binary), .obj, .ply (text or binary) or .pts file (three columns).

    Polygons are cut into triangles from their first corner. Raises ScenarioError, naming the file and, in a text, the
    line, for a file that is missing, damaged, too large or something else.
    """
    path = input_file(path, ENDINGS, "a body")
    if (size := path.stat().st_size) > LARGEST:
        raise ScenarioError("", f"{size / 1e6:.0f} MB are more than the {LARGEST / 1e6:.0f} that are read", path)
    try:
        points, triangles = _READERS[path.suffix.lower()](path.read_bytes())
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


def _pts(data: bytes) -> Mesh:
    lines = [(i, words) for i, words in _lines(data) if not words[0].startswith("#")]
    return Mesh(_numbers(lines, "three coordinates"), np.empty((0, 3), np.int64))


def _obj(data: bytes) -> Mesh:
    """Points and faces; other statements do not bear on the solid."""
    corners: list[tuple[int, list[str]]] = []
    faces: list[tuple[int, int, list[str]]] = []
    for i, (keyword, *words) in _lines(data):
        if keyword == "v":
            corners.append((i, words[:3]))  # a fourth number is a weight, more are a colour
        elif keyword == "f":
            faces.append((i, len(corners), words))
            if len(words) < 3:
                raise ScenarioError(f"line {i}", f"expected at least 3 corners of a face, got {len(words)}")
    return Mesh(_numbers(corners, "three coordinates after 'v'"), _fans(faces))


def _fans(faces: list[tuple[int, int, list[str]]]) -> np.ndarray:
    """Triangles (m, 3) of polygons, each with its line, the number of points above it, and its words."""
    try:
        given = np.fromiter((int(word.split("/", 1)[0]) for _, _, words in faces for word in words), np.int64)
    except (ValueError, OverflowError):
        i = next(i for i, _, words in faces if not all(re.match(r"[+-]?\d{1,9}(/|$)", word) for word in words))
        raise ScenarioError(f"line {i}", "expected numbers of points, such as 'f 1 2 3'") from None
    lengths = np.array([len(words) for _, _, words in faces], np.int64)
    above = np.repeat(np.array([n for _, n, _ in faces], np.int64), lengths)
    wrong = (given == 0) | (given > above) | (given < -above)  # negative numbers count back from the last point
    if wrong.any():
        i, n, words = faces[int(np.searchsorted(np.cumsum(lengths), np.argmax(wrong), side="right"))]
        raise ScenarioError(f"line {i}", f"expected numbers of the {n} points above, got '{' '.join(words)[:40]}'")
    corners = np.where(given > 0, given - 1, above + given)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths - 2)
    nth = np.arange(len(first)) - np.repeat(np.cumsum(lengths - 2) - (lengths - 2), lengths - 2)
    return np.stack([corners[first], corners[first + nth + 1], corners[first + nth + 2]], axis=1)


def _lines(data: bytes) -> list[tuple[int, list[str]]]:
    """Number and words of each line that is not blank."""
    lines = data.decode("utf-8", errors="replace").splitlines()
    return [(i, words) for i, line in enumerate(lines, start=1) if (words := line.split())]


def _numbers(lines: Sequence[tuple[int, list[str]]], expected: str) -> Array:
    """Three numbers (n, 3) of each line."""
    try:
        values = np.fromiter((float(word) for _, words in lines for word in words), float)
    except ValueError:
        values = np.empty(0)
    if len(values) == 3 * len(lines) and all(len(words) == 3 for _, words in lines):
        return values.reshape(-1, 3)
    i, words = next((i, words) for i, words in lines if len(words) != 3 or not all(map(is_number, words)))
    raise ScenarioError(f"line {i}", f"expected {expected}, got '{' '.join(words)[:40]}'")


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
        raise ScenarioError(f"line {len(data.splitlines())}", "the file is cut short; expected 'endsolid' at its end")
    found = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", data)
    if len(found) == 3 * data.count(b"endloop"):
        with suppress(ValueError):
            return np.fromiter(map(float, chain.from_iterable(found)), float).reshape(-1, 3)
    return _stl_lines(data.decode("utf-8", errors="replace").splitlines())


def _stl_lines(lines: list[str]) -> Array:
    """Line by line, to say which one is wrong."""
    corners, since = [], 0
    for i, line in enumerate(map(str.strip, lines), start=1):
        if line.startswith("vertex"):
            corners.append((i, line.split()[1:]))
            since += 1
        elif line.startswith("endloop"):
            if since != 3:
                raise ScenarioError(f"line {i}", f"expected 3 corners of a triangle, got {since}")
            since = 0
    if since:
        raise ScenarioError(f"line {corners[-1][0]}", "expected 'endloop' after the corners of a triangle")
    return _numbers(corners, "three coordinates after 'vertex'")


def _ply(data: bytes) -> Mesh:
    return Mesh(*ply_mesh(data))


_READERS: dict[str, Callable[[bytes], Mesh]] = {".stl": _stl, ".obj": _obj, ".ply": _ply, ".pts": _pts}
