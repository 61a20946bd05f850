"""Mesh files: points and triangles from .stl, .obj and .ply files, points from .pts and .xyz files.

Files are read as they are, checked for damage only; physics.bodies.closed_surface says whether a mesh encloses a solid.
What a file claims is compared with its size before memory is taken. Colours, normals and textures are passed over.
Coordinates in too few digits are noted: a block of 1.4 m at 2 683 141 m, in single precision, had a
volume 6.5 % too small.
"""

from __future__ import annotations

import math
import re
import struct
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import input_file
from physics.core.rotation import Array
from physics.core.text_tables import points_in
from physics.core.wording import N_

# ---- polygons, cut into triangles: fans where these lie inside, else ears (Meisters 1975) -------------

FLAT = 1e-10  # share of the square of its longest side: twice the area of a triangle that counts as none
MAX_CONCAVE_CORNERS = 2000  # corners of a concave polygon: cutting it takes the square of their number


class Polygons(NamedTuple):
    """The numbers of the points at all corners, one polygon after the other, and how many corners each has."""

    corners: np.ndarray
    lengths: np.ndarray


def cut(points: Array, polygons: Polygons) -> np.ndarray:
    """Triangles (m, 3) that cover polygons over points (n, 3), n - 2 for a polygon of n corners, wound as it is.

    From the first corner where all these triangles lie in the polygon, as in each convex one; else by ears. Polygons
    of fewer than three corners have none. Raises ScenarioError for a concave polygon of too many corners.
    """
    corners, lengths = polygons
    ends = np.cumsum(lengths)
    fans = np.maximum(lengths - 2, 0)
    face = np.repeat(np.arange(len(lengths)), fans)
    nth = np.arange(len(face)) - (np.cumsum(fans) - fans)[face]
    first = (ends - lengths)[face]
    triangles = np.stack([corners[first], corners[first + nth + 1], corners[first + nth + 2]], axis=1)
    several = np.flatnonzero(lengths > 3)
    if not len(several):
        return triangles
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    with np.errstate(invalid="ignore", over="ignore"):  # the reader reports NaN
        areas = np.cross(b - a, c - a)
        normals = np.zeros((len(lengths), 3))
        np.add.at(normals, face, areas)
        whole = np.linalg.norm(normals, axis=1)
        normals /= np.maximum(whole[:, None], 1e-300)
        sides = np.stack([((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))])
        height = np.einsum("ij,ij->i", areas, normals[face])
        # a triangle whose corners coincide is left out later; one between corners in a line would leave a gap there
        wrong = (
            (height < FLAT * sides.max(axis=0)) & (sides.min(axis=0) > 0.0) & (whole[face] > FLAT * sides.max(axis=0))
        )
    bad = np.zeros(len(lengths), bool)
    bad[face[wrong]] = True
    starts = np.cumsum(fans) - fans
    for i in several[bad[several]]:
        check_wanted()
        if lengths[i] > MAX_CONCAVE_CORNERS:
            raise ScenarioError(
                "",
                N_(
                    "face {i} is concave and has {i2} corners; expected at most {most}",
                    i + 1,
                    lengths[i],
                    MAX_CONCAVE_CORNERS,
                ),
            )
        ring = corners[ends[i] - lengths[i] : ends[i]]
        triangles[starts[i] : starts[i] + fans[i]] = ring[_ears(_plane(points[ring], normals[i]))]
    return triangles


def _plane(points: Array, normal: Array) -> Array:
    """Points (n, 3) in the plane of a normal (3,), (n, 2), as seen from its tip; from their middle, of size 1."""
    aside = np.eye(3)[np.argmin(np.abs(normal))]
    x = np.cross(aside, normal)
    x /= max(float(np.linalg.norm(x)), 1e-300)
    flat = (points - points.mean(axis=0)) @ np.stack([x, np.cross(normal, x)], axis=1)
    return np.asarray(flat / max(float(np.abs(flat).max()), 1e-300))


def _ears(ring: Array) -> np.ndarray:
    """Triangles (n - 2, 3) of the corners (n, 2) of a polygon that runs counter-clockwise.

    An ear is a corner between two others whose triangle holds no further one. Of a polygon that crosses itself, which
    may have none, the corner that bends most is taken. In plain Python: most polygons have some ten corners, for which
    arrays take twenty times as long.
    """
    places: list[tuple[float, float]] = list(map(tuple, ring.tolist()))
    left, found = list(range(len(ring))), []
    shape: dict[int, float] = {}  # of a corner's triangle, above 0 where it is an ear
    crossed = False
    while len(left) > 3:
        n = len(left)
        if n % 100 == 0:
            check_wanted()
        for again in (False, True):  # to cut an ear changes its neighbours, and rarely further corners
            others = [places[one] for one in left]
            for k, corner in enumerate(left):
                if corner not in shape or (again and shape[corner] < 0.0):
                    shape[corner] = _ear(others[k - 1], others[k], others[(k + 1) % n], others)
            best = max(left, key=shape.__getitem__)
            if crossed or shape[best] > 0.0:
                break
            crossed = again
        k = left.index(best)
        before, after = left[k - 1], left[(k + 1) % n]
        found.append((before, best, after))
        shape.pop(before, None)
        shape.pop(after, None)
        del left[k]
    return np.array([*found, tuple(left)])


def _ear(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], others: list[tuple[float, float]]
) -> float:
    """Twice the area of the triangle at a corner b over the square of its longest side where it is an ear.

    Below 0 where another corner lies in it or where it bends inwards; a corner at the place of one of these does not
    count, as where a hole is bridged.
    """
    (ax, ay), (bx, by), (cx, cy) = a, b, c
    ux, uy, vx, vy, wx, wy = bx - ax, by - ay, cx - bx, cy - by, ax - cx, ay - cy
    area, longest = ux * vy - uy * vx, max(ux * ux + uy * uy, vx * vx + vy * vy, wx * wx + wy * wy)
    if area <= FLAT * longest:
        return -1.0 + area / max(longest, 1e-300)
    for place in others:
        x, y = place
        if (
            ux * (y - ay) - uy * (x - ax) >= -FLAT
            and vx * (y - by) - vy * (x - bx) >= -FLAT
            and wx * (y - cy) - wy * (x - cx) >= -FLAT
            and place not in (a, b, c)
        ):
            return -0.5
    return area / longest


# ---- .ply, text and binary ----------------------------------------------------------------------------

_TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}
_TYPES |= {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I"}
_TYPES |= {"float32": "f", "float64": "d"}
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_Lists = list[list[float]]
PIECE = 1_000_000  # bytes of a text whose numbers are read at once
_CORNERS = ("vertex_indices", "vertex_index")


class _Property(NamedTuple):
    name: str
    kind: str  # of the values, as struct and numpy name it
    length: str  # of the length of a list, "" for a single value


class _Element(NamedTuple):
    name: str
    rows: int
    properties: list[_Property]


def ply_mesh(data: bytes) -> tuple[Array, Polygons]:
    """Points (n, 3) and faces of a PLY file; ScenarioError for a file that is damaged or something else."""
    order, elements, at = _header(data)
    if not order:  # a text is read as the binary file of its numbers
        data, at, order = _packed(data, at), 0, "="
        elements = [
            e._replace(properties=[_Property(p.name, "d", p.length and "d") for p in e.properties]) for e in elements
        ]
    points, faces = np.empty((0, 3)), Polygons(np.empty(0, np.int64), np.empty(0, np.int64))
    for element in elements:
        found, at = _read(data, at, element, order)
        if element.name == "vertex" and {"x", "y", "z"} <= found.keys():
            with np.errstate(invalid="ignore"):  # the reader reports NaN
                points = np.stack([found[axis] for axis in "xyz"], axis=1).astype(float)
        elif element.name == "face":
            lists = [p.name for p in element.properties if p.length and p.name in _CORNERS and p.name in found]
            faces = _polygons_ply(found[lists[0]]) if lists else faces
    return points, faces


def _header(data: bytes) -> tuple[str, list[_Element], int]:
    """Byte order ("" for text), elements, and where their rows start."""
    end = data.find(b"end_header", 0, 100_000)
    if not data.startswith(b"ply") or end < 0:
        raise ScenarioError("", N_("not a PLY file; expected a header from 'ply' to 'end_header'"))
    order, elements = None, list[_Element]()
    for i, line in enumerate(data[:end].decode("ascii", errors="replace").splitlines(), start=1):
        try:
            match line.split():
                case ["format", name, _]:
                    order = _ORDERS[name]
                case ["element", name, rows]:
                    elements.append(_Element(name, int(rows), []))
                case ["property", "list", length, kind, name]:
                    elements[-1].properties.append(_Property(name, _TYPES[kind], _TYPES[length]))
                case ["property", kind, name]:
                    elements[-1].properties.append(_Property(name, _TYPES[kind], ""))
                case [] | ["ply"] | ["comment" | "obj_info", *_]:
                    pass
                case _:
                    raise ValueError(line)  # noqa: TRY301 - reported below, like the others
        except (ValueError, KeyError, IndexError):
            raise ScenarioError(
                N_("line {number}", i), N_("expected a line of a PLY header, got '{line}'", line.strip()[:40])
            ) from None
    if order is None:
        raise ScenarioError("", N_("not a PLY file; expected a format among {orders}", ", ".join(_ORDERS)))
    if not {"x", "y", "z"} <= {p.name for e in elements if e.name == "vertex" for p in e.properties if not p.length}:
        raise ScenarioError("", N_("expected an element 'vertex' with the properties x, y and z"))
    for element in elements:
        if len({p.name for p in element.properties}) < len(element.properties):
            raise ScenarioError("", N_("expected each property of '{name}' once", element.name))
        if not 0 <= element.rows <= len(data):  # a row takes at least a byte
            raise ScenarioError(
                "",
                N_("{rows} rows of '{name}' claimed in a file of {data} bytes", element.rows, element.name, len(data)),
            )
    return order, elements, data.find(b"\n", end) + 1 or len(data)


def _packed(data: bytes, at: int) -> bytes:
    """The numbers of a text as doubles."""
    numbers, first = bytearray(), data[:at].count(b"\n") + 1
    file = BytesIO(data)
    file.seek(at)
    while lines := file.readlines(PIECE):  # the words of all would take a hundred times the memory
        try:
            numbers += np.array(b"".join(lines).split(), dtype=float).tobytes()
        except ValueError:
            raise _fault(lines, first) from None
        first += len(lines)
    return bytes(numbers)


def _fault(lines: list[bytes], first: int) -> ScenarioError:
    """The error for the line that holds something other than numbers; first: the number of the first line."""
    for i, line in enumerate(lines, start=first):
        try:
            np.array(line.split(), dtype=float)
        except ValueError:
            found = line.decode("ascii", errors="replace").strip()[:40]
            return ScenarioError(N_("line {number}", i), N_("expected numbers, got '{found}'", found))
    return ScenarioError("", N_("expected numbers below the header"))


def _read(data: bytes, at: int, element: _Element, order: str) -> tuple[dict[str, np.ndarray | _Lists], int]:
    """The values of an element's rows, by property, and where the next element starts.

    All rows at once where their lists are as long as those of the first row, else row by row.
    """
    properties = element.properties
    if not element.rows or not properties:
        return {p.name: np.empty(0) for p in properties if not p.length}, at
    first, _ = _row(data, at, element, order, 0)
    fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = []
    for p, values in zip(properties, first, strict=True):
        fields += [(f"{p.name} length", order + p.length)] if p.length else []
        fields += [(p.name, order + p.kind, (len(values),)) if p.length else (p.name, order + p.kind)]
    alike = np.dtype(fields)
    if at + element.rows * alike.itemsize <= len(data):
        rows = np.frombuffer(data, alike, element.rows, at)
        lengths = {p.name: len(values) for p, values in zip(properties, first, strict=True) if p.length}
        if all((rows[f"{name} length"] == length).all() for name, length in lengths.items()):
            return {p.name: rows[p.name] for p in properties}, at + element.rows * alike.itemsize
    found: dict[str, _Lists] = {p.name: [] for p in properties}
    for i in range(element.rows):
        row, at = _row(data, at, element, order, i)
        for p, values in zip(properties, row, strict=True):
            found[p.name].append(values)
    return {p.name: found[p.name] if p.length else np.ravel(found[p.name]) for p in properties}, at


def _row(data: bytes, at: int, element: _Element, order: str, i: int) -> tuple[_Lists, int]:
    """The values of one row, a list each property, and where the next row starts."""
    row = []
    try:
        for p in element.properties:
            length = 1
            if p.length:
                length = int(struct.unpack_from(order + p.length, data, at)[0])
                at += struct.calcsize(order + p.length)
            form = f"{order}{length}{p.kind}"
            row.append(list(struct.unpack_from(form, data, at)))
            at += struct.calcsize(form)
    except (struct.error, ValueError, OverflowError):
        raise ScenarioError(
            "", N_("cut short or damaged in row {i} of {rows} of '{name}'", i + 1, element.rows, element.name)
        ) from None
    return row, at


def _polygons_ply(given: np.ndarray | _Lists) -> Polygons:
    """The polygons whose corners are listed; ScenarioError where these are no numbers of points."""
    lengths = np.array([len(one) for one in given], np.int64)
    corners = given.astype(float).reshape(-1) if isinstance(given, np.ndarray) else np.array([*chain(*given)], float)
    wrong = ~(np.abs(corners) < 2.0**31)  # also NaN, in a text
    if wrong.any():
        face = int(np.searchsorted(np.cumsum(lengths), np.argmax(wrong), side="right")) + 1
        raise ScenarioError("", N_("face {face}: expected numbers of points", face))
    return Polygons(corners.astype(np.int64), lengths)


# ---- all formats --------------------------------------------------------------------------------------

MESHES = (".stl", ".obj", ".ply")
ENDINGS = (*MESHES, ".pts", ".xyz")
MAX_MESH_BYTES = 64_000_000  # bytes of a file: a million triangles of a binary .stl
MAX_LINE_LETTERS = 200_000  # letters of a line: a polygon of 20 000 corners
COARSE = 1e-3  # share of an extent: steps between numbers from which a shape counts as inaccurate
ROUNDED = range(6, 10)  # digits: six are what programs write by default, nine are single precision; 1000 is exact
# up -> for each axis with z up that of the file, and its sign
TURNS = {"x": ((1, 1), (2, 1), (0, 1)), "y": ((0, 1), (2, -1), (1, 1)), "z": ((0, 1), (1, 1), (2, 1))}
_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class Mesh(NamedTuple):
    """Points (n, 3) [m] and triangles (m, 3) of point numbers; a cloud of points has no triangles.

    notes: what is to know about the file, a sentence each
    """

    points: Array
    triangles: np.ndarray
    notes: tuple[str, ...] = ()


class MeshReading(NamedTuple):
    """Options of reading a mesh: its unit [m], the axis that points up, and whether it is repaired."""

    scale: float = 1.0
    up: str = "z"
    repair: bool = False

    def given(self, *without: str) -> dict[str, Any]:
        """Values that differ from the defaults, by the keys of a table, except some keys."""
        usual = MeshReading()._asdict()
        return {key: v for key, v in self._asdict().items() if v != usual[key] and key not in without}


METRES = MeshReading()


def with_z_up(vectors: Array, up: str) -> Array:
    """Vectors (..., 3) of a file whose axis ``up`` points up, with z up; from y up they are x, -z, y."""
    return np.stack([sign * vectors[..., axis] for axis, sign in TURNS[up]], axis=-1)


def read_mesh(
    path: str | Path, what: str = N_("a body"), largest: int = MAX_MESH_BYTES, reading: MeshReading = METRES
) -> Mesh:
    """The mesh in a .stl (text or binary), .obj, .ply (text or binary), .pts or .xyz file (x, y, z first).

    what: the words for it in sentences; largest: bytes that the file may have; reading: its unit and its axis up.
    Polygons are cut into triangles, see ``cut``. Raises ScenarioError, naming the file and, in a text,
    the line, for a file that is missing, damaged, too large or something else.
    """
    path = input_file(path, ENDINGS, what, largest)
    try:
        points, triangles, notes = _READERS[path.suffix.lower()](path.read_bytes().removeprefix(BOM_UTF8))
    except ScenarioError as error:
        raise error.in_file(path) from None
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None
    bad = ~np.isfinite(points).all(axis=1)
    if bad.any():
        raise ScenarioError("", N_("point {bad}: expected finite coordinates", int(np.argmax(bad)) + 1), path)
    if np.abs(points).max(initial=0.0) > 1e9:
        raise ScenarioError("", N_("expected coordinates within a million kilometres, in metres"), path)
    if len(points) < 4:
        raise ScenarioError("", N_("expected at least 4 points, found {points}", len(points)), path)
    notes = (*notes, *_rounded(points[np.unique(triangles)] if len(triangles) else points))
    if reading.up != "z":
        points = with_z_up(points, reading.up)
    return Mesh(points if reading.scale == 1.0 else points * reading.scale, triangles, notes)


# ---- precision ----------------------------------------------------------------------------------------


def _rounded(points: Array) -> tuple[str, ...]:
    """A sentence where the numbers are too coarse for the extents: far from the origin, in too few digits."""
    extents, far = np.ptp(points, axis=0), np.abs(points).max(axis=0)
    # of six digits, the fewest that programs write, a step is a thousandth of what is a hundredth as far away
    found = [
        (step, axis)
        for axis in range(3)
        if 0.0 < extents[axis] < 0.01 * far[axis]
        for step in [_step(points[:, axis])]
        if step > COARSE * extents[axis]
    ]
    if not found:
        return ()
    step, axis = max(found, key=lambda one: one[0] / extents[one[1]])
    names = ", ".join("xyz"[one] for _, one in found)
    where = N_("coordinates {names} of {axis:.7g} are rounded to steps of {step:.3g}", names, far[axis], step)
    way = N_("the shape is inaccurate; export the mesh near the origin, or with more digits")
    return (N_("{where} in an extent of {axis:.4g}: {way}", where, extents[axis], way),)


def _step(values: Array) -> float:
    """The step between the numbers of an axis: that of single precision or of few decimal digits; 0 for others."""
    far = float(np.abs(values).max())
    single = float(np.spacing(np.float32(far))) if (values == values.astype(np.float32)).all() else 0.0
    before = math.floor(math.log10(far)) + 1  # digits before the point
    exact = 4.0 * np.finfo(float).eps * far
    for digits in range(1, ROUNDED.stop):
        unit = 10.0 ** (before - digits)
        if np.abs(values - unit * np.rint(values / unit)).max() <= exact:
            return max(single, unit) if digits in ROUNDED else single
    return single


# ---- .pts and .obj ------------------------------------------------------------------------------------


# numbers are taken out of each line as it is read: the words of a long file would take a hundred times its size


def _points(data: bytes) -> Mesh:
    """x, y, z in a line, before colours or intensities; a first line may name them or count the points."""
    with TextIOWrapper(BytesIO(data), encoding="utf-8", errors="replace") as file:
        points, notes = points_in(file)
        return Mesh(np.concatenate([np.empty((0, 3)), *points]), np.empty((0, 3), np.int64), notes)


def _obj(data: bytes) -> Mesh:
    """Points and faces; other statements do not bear on the solid."""
    points, faces = array("d"), _Faces(array("q"), array("q"), array("q"), array("q"))
    for i, (keyword, *words) in _lines(data, continued=("v", "f")):
        if keyword == "v":
            points.extend(
                _three(i, words[:3], N_("three coordinates after 'v'"))
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
    found = np.array(points).reshape(-1, 3)
    return Mesh(found, cut(found, _polygons(faces)))


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


def _lines(data: bytes, continued: tuple[str, ...] = ()) -> Iterator[tuple[int, list[str]]]:
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


def _three(i: int, words: list[str], expected: str) -> tuple[float, float, float]:
    """The three numbers of a line."""
    try:
        x, y, z = map(float, words)
    except ValueError:
        raise ScenarioError(
            N_("line {number}", i), N_("expected {expected}, got '{words}'", expected, " ".join(words)[:40])
        ) from None
    return x, y, z


# ---- .stl ---------------------------------------------------------------------------------------------


def _stl(data: bytes) -> Mesh:
    """Binary, if it holds the triangles that a binary header counts; else text. Each triangle brings its own points.

    No text is taken for a binary file: its letters in the place of the count stand for 150 million triangles and more.
    """
    count = int.from_bytes(data[80:84], "little")
    end, notes = 84 + count * _STL.itemsize, tuple[str, ...]()
    if len(data) >= 84 and (len(data) == end or len(data) > end > 84):
        with np.errstate(invalid="ignore"):  # the caller reports NaN
            points = np.frombuffer(data, _STL, count, offset=84)["corners"].astype(float).reshape(-1, 3)
        if spare := len(data) - end:
            one = N_("the header counts {count} triangles; 1 byte after them is left out", count)
            many = N_("the header counts {count} triangles; {spare} bytes after them are left out", count, spare)
            notes = (one if spare == 1 else many,)
    elif data.lstrip()[:5].lower() == b"solid" and b"\0" not in data[:1000]:
        points = _stl_text(data)
    else:
        room = max(0, len(data) - 84) // _STL.itemsize
        raise ScenarioError(
            "", N_("neither a text .stl nor a whole binary one: {count} triangles claimed, {room} found", count, room)
        )
    return Mesh(points, np.arange(len(points)).reshape(-1, 3), notes)


def _stl_text(data: bytes) -> Array:
    data = data.lower()
    if b"endsolid" not in data[-1000:]:
        last = data.rstrip().count(b"\n") + 1
        raise ScenarioError(N_("line {number}", last), N_("the file is cut short; expected 'endsolid' at its end"))
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
            points.extend(_three(i, words, N_("three coordinates after 'vertex'")))
            since, last = since + 1, i
        elif keyword.startswith("endloop"):
            if since != 3:
                raise ScenarioError(N_("line {number}", i), N_("expected 3 corners of a triangle, got {since}", since))
            since = 0
    if since:
        raise ScenarioError(N_("line {number}", last), N_("expected 'endloop' after the corners of a triangle"))
    return np.array(points).reshape(-1, 3)


def _ply(data: bytes) -> Mesh:
    points, polygons = ply_mesh(data)
    outside = (polygons.corners < 0) | (polygons.corners >= len(points))
    if outside.any():
        face = int(np.searchsorted(np.cumsum(polygons.lengths), np.argmax(outside), side="right")) + 1
        raise ScenarioError("", N_("face {face}: expected numbers of the file's {points} points", face, len(points)))
    return Mesh(points, cut(points, polygons))


_READERS: dict[str, Callable[[bytes], Mesh]] = {
    ".stl": _stl,
    ".obj": _obj,
    ".ply": _ply,
    ".pts": _points,
    ".xyz": _points,
}
