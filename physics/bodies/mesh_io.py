"""Mesh files: points and triangles from .stl, .obj, .ply, .glb and .gltf files, points from .pts and .xyz files.

Files are read as they are, checked for damage only; physics.bodies.closed_surface says whether a mesh encloses a solid.
What a file claims is compared with its size before memory is taken. Colours, normals and textures are passed over.
Coordinates in too few digits are noted: a block of 1.4 m at 2 683 141 m, in single precision, had a
volume 6.5 % too small.
"""

from __future__ import annotations

import math
import os
import re
import struct
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from physics.bodies.gltf import GLTF, Gltf, beside_gltf
from physics.bodies.obj import obj_file, text_lines, three_numbers
from physics.bodies.polygons import Polygons, cut
from physics.core.errors import ScenarioError
from physics.core.input_checks import input_file
from physics.core.rotation import Array
from physics.core.text_tables import points_in
from physics.core.wording import N_

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
SOLIDS = (*MESHES, *GLTF)
ENDINGS = (*SOLIDS, ".pts", ".xyz")
MAX_MESH_BYTES = 64_000_000  # bytes of a file: a million triangles of a binary .stl
COARSE = 1e-3  # share of an extent: steps between numbers from which a shape counts as inaccurate
ROUNDED = range(6, 10)  # digits: six are what programs write by default, nine are single precision; 1000 is exact
# up -> for each axis with z up that of the file, and its sign
TURNS = {"x": ((1, 1), (2, 1), (0, 1)), "y": ((0, 1), (2, -1), (1, 1)), "z": ((0, 1), (1, 1), (2, 1))}
_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class Mesh(NamedTuple):
    """Points (n, 3) [m] and triangles (m, 3) of point numbers; a cloud of points has no triangles.

    notes: what is to know about the file, a sentence each; parts: the names of its parts, and how many triangles each
    has, in their order; () where it names none
    """

    points: Array
    triangles: np.ndarray
    notes: tuple[str, ...] = ()
    parts: tuple[tuple[str, int], ...] = ()


class MeshReading(NamedTuple):
    """Options of reading a mesh: its unit [m], the axis that points up, whether it is repaired, and which parts it has.

    up: "": z, of glTF y, as the format says; nodes: names of its parts; (): all of them
    """

    scale: float = 1.0
    up: str = ""
    repair: bool = False
    nodes: tuple[str, ...] = ()

    def given(self, *without: str) -> dict[str, Any]:
        """Values that differ from the defaults, by the keys of a table, except some keys."""
        usual = MeshReading()._asdict()
        return {key: v for key, v in self._asdict().items() if v != usual[key] and key not in without}

    def values(self) -> dict[str, Any]:
        """The values of all keys of a table; None: the key is left out."""
        return self._asdict() | {"up": self.up or None}

    def upward(self, path: str | Path) -> str:
        """The axis of a file that points up."""
        return self.up or usual_up(path)


METRES = MeshReading()


def usual_up(path: str | Path) -> str:
    """The axis that points up in a file of which nothing else is known: glTF names its own."""
    return "y" if Path(path).suffix.lower() in GLTF else "z"


def with_z_up(vectors: Array, up: str) -> Array:
    """Vectors (..., 3) of a file whose axis ``up`` points up, with z up; from y up they are x, -z, y."""
    return np.stack([sign * vectors[..., axis] for axis, sign in TURNS[up]], axis=-1)


def read_mesh(
    path: str | Path, what: str = N_("a body"), largest: int = MAX_MESH_BYTES, reading: MeshReading = METRES
) -> Mesh:
    """The mesh in a .stl (text or binary), .obj, .ply (text or binary), .glb, .gltf, .pts or .xyz file (x, y, z first).

    what: the words for it in sentences; largest: bytes that the file may have; reading: its unit and its axis up.
    Polygons are cut into triangles, see ``cut``. Raises ScenarioError, naming the file and, in a text,
    the line, for a file that is missing, damaged, too large or something else.
    """
    path = input_file(path, ENDINGS, what, largest)
    try:
        data = path.read_bytes().removeprefix(BOM_UTF8)
        made = _gltf(path, data) if path.suffix.lower() in GLTF else _READERS[path.suffix.lower()](data)
        points, triangles, notes, parts = _chosen(made, reading.nodes)
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
    if (up := reading.upward(path)) != "z":
        points = with_z_up(points, up)
    return Mesh(points if reading.scale == 1.0 else points * reading.scale, triangles, notes, parts)


def when_written(path: Path) -> tuple[int, ...]:
    """Times at which a file of a mesh and the buffers beside it were written [ns], as far as they are there."""
    return tuple(one.stat().st_mtime_ns for one in (path, *beside_gltf(path)) if os.path.isfile(one))


def _chosen(mesh: Mesh, names: tuple[str, ...]) -> Mesh:
    """The parts of some names; ScenarioError where there is none of a name."""
    known = [name for name, _ in mesh.parts]
    for name in names:
        if name not in known:
            if not known:
                raise ScenarioError("nodes", N_("expected none: the file names no parts"))
            some = ", ".join(dict.fromkeys(known))
            raise ScenarioError("nodes", N_("there is no part '{name:.60}'; expected some of {parts:.400}", name, some))
    if not names:
        return mesh
    kept = np.repeat([name in names for name in known], [count for _, count in mesh.parts])
    parts = tuple(part for part in mesh.parts if part[0] in names)
    return Mesh(*corners_of(mesh.points, mesh.triangles[kept]), mesh.notes, parts)


def corners_of(points: Array, triangles: np.ndarray) -> tuple[Array, np.ndarray]:
    """The points that are corners of triangles (m, 3), and the triangles by their numbers among these."""
    used, numbers = np.unique(triangles, return_inverse=True)
    return points[used], numbers.reshape(-1, 3)


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
    """Points and faces, and the names of objects; other statements do not bear on the solid."""
    file = obj_file(data)
    return Mesh(file.points, file.triangles, parts=file.objects if any(name for name, _ in file.objects) else ())


# ---- .glb and .gltf -----------------------------------------------------------------------------------


def _gltf(path: Path, data: bytes) -> Mesh:
    """The triangles of all nodes in the scene's coordinates; each node is a part."""
    file = Gltf(path, data)
    primitives = [one for one in file.primitives if len(one.triangles)]
    if not primitives:
        raise ScenarioError("meshes", N_("the scene has no triangles; expected a solid"))
    counts = np.cumsum([0, *(len(one.points) for one in primitives)])
    triangles = np.concatenate([one.triangles + at for one, at in zip(primitives, counts, strict=False)])
    parts = dict[int, tuple[str, int]]()
    for one in primitives:
        name, count = parts.get(one.node, (one.name, 0))
        parts[one.node] = name, count + len(one.triangles)
    points = np.concatenate([one.points for one in primitives])
    return Mesh(points, triangles, tuple(file.notes), tuple(parts.values()))


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
    for i, (keyword, *words) in text_lines(data):
        if keyword.startswith("vertex"):
            points.extend(three_numbers(i, words, N_("three coordinates after 'vertex'")))
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
