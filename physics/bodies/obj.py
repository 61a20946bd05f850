"""Wavefront .obj files: points and faces, the names of objects and, where wanted, what corners and faces look like."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from itertools import count
from typing import NamedTuple

import numpy as np

from physics.bodies.polygons import Polygons, cut
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_

MAX_LINE_LETTERS = 200_000  # letters of a line: a polygon of 20 000 corners


class ObjFile(NamedTuple):
    """An .obj file.

    Attributes
    ----------
    points : (n, 3); triangles : (m, 3) of their numbers
    objects, materials : names, and how many triangles each has, in their order
    libraries : names of the files that describe the materials
    places, normals : (k, 2) and (l, 3) of corners, and which of them each corner has, (m, 3); -1: none
    """

    points: Array
    triangles: np.ndarray
    objects: tuple[tuple[str, int], ...]
    materials: tuple[tuple[str, int], ...] = ()
    libraries: tuple[str, ...] = ()
    places: tuple[Array, np.ndarray] | None = None
    normals: tuple[Array, np.ndarray] | None = None


def obj_file(data: bytes, *, looks: bool = False) -> ObjFile:
    """The content of an .obj file; looks: also what its corners and faces look like, which takes longer."""
    points, faces = array("d"), _Faces(array("q"), array("q"), array("q"), array("q"))
    begun: dict[str, list[tuple[str, int]]] = {"o": [], "usemtl": []}  # names, and the face that each begins with
    extra = {"vt": array("d"), "vn": array("d")}
    corners: dict[str, array[int]] = {"vt": array("q"), "vn": array("q")}  # from 1; 0: none
    libraries = list[str]()
    for i, (keyword, *words) in text_lines(data, continued=("v", "f")):
        if keyword == "v":
            points.extend(
                three_numbers(i, words[:3], N_("three coordinates after 'v'"))
            )  # a fourth is a weight, more a colour
        elif keyword == "f":
            if len(words) < 3:
                raise ScenarioError(
                    N_("line {number}", i), N_("expected at least 3 corners of a face, got {words}", len(words))
                )
            try:
                faces.corners.extend(int(word.split("/", 1)[0]) for word in words)
            except (ValueError, OverflowError):
                raise ScenarioError(
                    N_("line {number}", i), N_("expected numbers of points, such as 'f 1 2 3'")
                ) from None
            faces.lengths.append(len(words))
            faces.above.append(len(points) // 3)
            faces.lines.append(i)
            if looks:
                for place, key in enumerate(("vt", "vn"), start=1):
                    above = len(extra[key]) // (2 if key == "vt" else 3)
                    corners[key].extend(_extra(word, place, above) for word in words)
        elif keyword in begun:
            begun[keyword].append((" ".join(words), len(faces.lengths)))
        elif looks and keyword in extra:
            extra[keyword].extend((*_decimals(words), 0.0, 0.0, 0.0)[: 2 if keyword == "vt" else 3])
        elif looks and keyword == "mtllib":
            libraries.append(" ".join(words))
    found = np.array(points).reshape(-1, 3)
    polygons = _polygons(faces)
    ends = np.r_[0, np.cumsum(np.maximum(polygons.lengths - 2, 0))]  # triangles before each face
    runs = {key: _runs(names, ends) for key, names in begun.items()}
    if not looks:
        return ObjFile(found, cut(found, polygons), runs["o"])
    # by corners, not by points: so a triangle also knows what else its corners have
    at = cut(found[polygons.corners], Polygons(np.arange(len(polygons.corners)), polygons.lengths))
    own = [
        (np.array(extra[key]).reshape(-1, width), np.array(corners[key], np.int64)[at] - 1)
        for key, width in (("vt", 2), ("vn", 3))
    ]
    return ObjFile(found, polygons.corners[at], runs["o"], runs["usemtl"], tuple(libraries), *own)


def _runs(begun: list[tuple[str, int]], ends: np.ndarray) -> tuple[tuple[str, int], ...]:
    """Names, and the triangles of the faces from each on; "" before the first."""
    names = [("", 0), *begun]
    last = [face for _, face in names[1:]] + [len(ends) - 1]
    runs = ((name, int(ends[end] - ends[face])) for (name, face), end in zip(names, last, strict=True))
    return tuple(run for run in runs if run[1])


def _extra(word: str, place: int, above: int) -> int:
    """The number that a corner has at a place after its point, from 1; 0 where it has none that there is."""
    parts = word.split("/")
    try:
        number = int(parts[place]) if len(parts) > place else 0
    except ValueError:
        return 0
    number = above + 1 + number if number < 0 else number
    return number if 0 < number <= above else 0


def _decimals(words: list[str]) -> list[float]:
    """Numbers of a line that describes looks; none where it is damaged."""
    try:
        found = [float(word) for word in words]
    except ValueError:
        return []
    return found if all(map(math.isfinite, found)) else []


class _Faces(NamedTuple):
    """Polygons: the numbers of all corners; of each how many it has, the points above it, and its line."""

    corners: array[int]
    lengths: array[int]
    above: array[int]
    lines: array[int]


def _polygons(faces: _Faces) -> Polygons:
    """The polygons by numbers of points from 0."""
    given, lengths = np.array(faces.corners, np.int64), np.array(faces.lengths, np.int64)
    above = np.repeat(np.array(faces.above, np.int64), lengths)
    wrong = (given == 0) | (given > above) | (given < -above)  # negative numbers count back from the last point
    if wrong.any():
        face = int(np.searchsorted(np.cumsum(lengths), np.argmax(wrong), side="right"))
        start = int(lengths[:face].sum())
        found = " ".join(map(str, given[start : start + int(lengths[face])].tolist()))[:40]
        expected = N_("expected numbers of the {face} points above", faces.above[face])
        raise ScenarioError(N_("line {number}", faces.lines[face]), N_("{expected}, got '{found}'", expected, found))
    return Polygons(np.where(given > 0, given - 1, above + given), lengths)


def text_lines(data: bytes, continued: tuple[str, ...] = ()) -> Iterator[tuple[int, list[str]]]:
    """Number and words of each line that is not blank.

    continued: first words of lines that go on in the next one after a backslash; a remark may end in one by chance
    """
    with TextIOWrapper(BytesIO(data), encoding="utf-8", errors="replace") as file:
        first, begun = 1, list[str]()
        for i in count(1):
            line = file.readline(MAX_LINE_LETTERS + 1)
            if not line:
                break
            if len(line) > MAX_LINE_LETTERS:
                raise ScenarioError(N_("line {number}", i), N_("longer than {longest} letters", MAX_LINE_LETTERS))
            if i % 10_000 == 0:
                check_wanted()
            first, words = (first, begun) if begun else (i, [])
            words += line.split()
            begun = []
            if words and words[0] in continued and words[-1].endswith("\\"):
                words[-1] = words[-1].removesuffix("\\")
                begun = words if words[-1] else words[:-1]
                if len(begun) > MAX_LINE_LETTERS:
                    raise ScenarioError(
                        N_("line {number}", first), N_("continued to more than {longest} words", MAX_LINE_LETTERS)
                    )
            elif words:
                yield first, words
        if begun:
            yield first, begun


def three_numbers(i: int, words: list[str], expected: str) -> tuple[float, float, float]:
    """The three numbers of a line."""
    try:
        x, y, z = map(float, words)
    except ValueError:
        raise ScenarioError(
            N_("line {number}", i), N_("expected {expected}, got '{words}'", expected, " ".join(words)[:40])
        ) from None
    return x, y, z
