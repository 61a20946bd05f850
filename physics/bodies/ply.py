"""PLY files, text and binary: the points and faces among what else they carry."""

from __future__ import annotations

import struct
from io import BytesIO
from itertools import chain
from typing import NamedTuple

import numpy as np

from physics.bodies.polygons import Polygons
from physics.core.errors import ScenarioError
from physics.core.rotation import Array

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
            with np.errstate(invalid="ignore"):  # NaN is told by the reader
                points = np.stack([found[axis] for axis in "xyz"], axis=1).astype(float)
        elif element.name == "face":
            lists = [p.name for p in element.properties if p.length and p.name in _CORNERS and p.name in found]
            faces = _polygons(found[lists[0]]) if lists else faces
    return points, faces


def _header(data: bytes) -> tuple[str, list[_Element], int]:
    """Byte order ("" for text), elements, and where their rows start."""
    end = data.find(b"end_header", 0, 100_000)
    if not data.startswith(b"ply") or end < 0:
        raise ScenarioError("", "not a PLY file; expected a header from 'ply' to 'end_header'")
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
                    raise ValueError(line)  # noqa: TRY301 - told below, like the others
        except (ValueError, KeyError, IndexError):
            raise ScenarioError(f"line {i}", f"expected a line of a PLY header, got '{line.strip()[:40]}'") from None
    if order is None:
        raise ScenarioError("", f"not a PLY file; expected a format among {', '.join(_ORDERS)}")
    if not {"x", "y", "z"} <= {p.name for e in elements if e.name == "vertex" for p in e.properties if not p.length}:
        raise ScenarioError("", "expected an element 'vertex' with the properties x, y and z")
    for element in elements:
        if len({p.name for p in element.properties}) < len(element.properties):
            raise ScenarioError("", f"expected each property of '{element.name}' once")
        if not 0 <= element.rows <= len(data):  # a row takes at least a byte
            raise ScenarioError("", f"{element.rows} rows of '{element.name}' claimed in a file of {len(data)} bytes")
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
    """Which of some lines holds something else than numbers; first: the number of the first."""
    for i, line in enumerate(lines, start=first):
        try:
            np.array(line.split(), dtype=float)
        except ValueError:
            found = line.decode("ascii", errors="replace").strip()[:40]
            return ScenarioError(f"line {i}", f"expected numbers, got '{found}'")
    return ScenarioError("", "expected numbers below the header")


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
        raise ScenarioError("", f"cut short or damaged in row {i + 1} of {element.rows} of '{element.name}'") from None
    return row, at


def _polygons(given: np.ndarray | _Lists) -> Polygons:
    """The polygons whose corners are listed; ScenarioError where these are no numbers of points."""
    lengths = np.array([len(one) for one in given], np.int64)
    corners = given.astype(float).reshape(-1) if isinstance(given, np.ndarray) else np.array([*chain(*given)], float)
    wrong = ~(np.abs(corners) < 2.0**31)  # also NaN, in a text
    if wrong.any():
        face = int(np.searchsorted(np.cumsum(lengths), np.argmax(wrong), side="right")) + 1
        raise ScenarioError("", f"face {face}: expected numbers of points")
    return Polygons(corners.astype(np.int64), lengths)
