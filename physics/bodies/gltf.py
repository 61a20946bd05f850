"""glTF 2.0 files (.glb, .gltf): their solids, node by node, and the tables that describe how these look.

Khronos Group, glTF 2.0 Specification (ISO/IEC 12113): metres, y up, z ahead. Each number of a file is checked before it
is used, and what an accessor claims is compared with its buffer before memory is taken; errors name the place in the
JSON, such as ``meshes[0].primitives[1].indices``.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import os
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import as_float, check_bytes, check_file, file_beside
from physics.core.rotation import Array, matrix
from physics.core.wording import N_

GLTF = (".glb", ".gltf")
MAX_BYTES = 256_000_000  # bytes of the buffers of a file, with its pictures
MAX_NODES = 10_000  # nodes of a scene, with those of no mesh
MAX_ROWS = 12_000_000  # points and corners of a scene, as instances of a mesh might have any number
MIN_ROWS = 100  # that a surface of fewer counts as: each takes time
MAX_DEPTH = 200  # of nodes in one another
TRIANGLES, STRIP, FAN = 4, 5, 6  # modes of a primitive that make a surface
# extensions without which a shape is another one, and which are not read
UNREAD = {
    "KHR_draco_mesh_compression": N_("compressed with Draco; export it without compression"),
    "EXT_meshopt_compression": N_("compressed with meshopt; export it without compression"),
    "KHR_meshopt_compression": N_("compressed with meshopt; export it without compression"),
    "EXT_mesh_gpu_instancing": N_("made of instances of one mesh; make them real before the export"),
}
READ = ("KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual", "KHR_materials_", "EXT_texture_webp")
_NUMBERS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDE = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Primitive(NamedTuple):
    """A part of a node's mesh that has one material.

    Attributes
    ----------
    name : of the node, else of its mesh
    field : where it stands in the JSON
    row : its table
    place : (4, 4) from its coordinates to those of the scene
    points : (n, 3) in the scene's coordinates [m]
    triangles : (m, 3) of numbers of points, counter-clockwise from outside
    node : number of its node
    """

    name: str
    field: str
    row: dict[str, Any]
    place: Array
    points: Array
    triangles: np.ndarray
    node: int


class Gltf:
    """A glTF file; ScenarioError where it is damaged, without the file's name."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.notes = path, list[str]()
        self.json, self._chunk = _parsed(path, data)
        version = str(self._table(self.json, "asset", "").get("version", ""))
        if not version.startswith("2."):
            raise ScenarioError("asset.version", N_("expected glTF 2.0, got '{version:.20}'", version))
        used = self._names("extensionsUsed")
        for name in (*self._names("extensionsRequired"), *(one for one in used if one == "EXT_mesh_gpu_instancing")):
            if name in UNREAD:
                raise ScenarioError("extensionsRequired", N_("the model is {reason}", UNREAD[name]))
            if not name.startswith(READ):
                raise ScenarioError("extensionsRequired", N_("'{name:.60}' is not read; export without it", name))
        self._buffers: dict[int, bytes] = {}

    # ---- tables of the JSON ----------------------------------------------------------------------------

    def _names(self, key: str) -> list[str]:
        found = self.json.get(key, [])
        return [str(one) for one in found] if isinstance(found, list) else []

    def rows(self, table: dict[str, Any], key: str, place: str = "") -> list[Any]:
        """The list of a key, empty where it is missing."""
        found = table.get(key, [])
        if not isinstance(found, list):
            raise ScenarioError(f"{place}{key}", N_("expected a list"))
        return found

    def row(self, key: str, number: Any, field: str) -> dict[str, Any]:
        """The table of a number in one of the lists of the document; field: what names it."""
        found = self.rows(self.json, key)
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(found):
            raise ScenarioError(
                field, N_("expected one of the {count} {key}, got {number:.20}", len(found), key, str(number))
            )
        if not isinstance(found[number], dict):
            raise ScenarioError(f"{key}[{number}]", N_("expected a table"))
        return dict(found[number])

    def _table(self, row: dict[str, Any], key: str, place: str) -> dict[str, Any]:
        found = row.get(key, {})
        if not isinstance(found, dict):
            raise ScenarioError(f"{place}{key}", N_("expected a table"))
        return found

    # ---- numbers ---------------------------------------------------------------------------------------

    def _count(self, row: dict[str, Any], key: str, field: str, usual: int | None = None) -> int:
        """A number of bytes or of rows, 0 or more."""
        found = row.get(key, usual)
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < 2**53:
            raise ScenarioError(f"{field}.{key}", N_("expected a whole number, 0 or more, got {found:.20}", str(found)))
        return found

    def array(self, number: Any, field: str, wide: Sequence[int]) -> np.ndarray:
        """The rows (n, k) of an accessor, with k among ``wide``; whole numbers that stand for shares as these."""
        row, place = self.row("accessors", number, field), f"accessors[{number}]"
        kind, width = row.get("componentType"), _WIDE.get(str(row.get("type")), 0)
        if not isinstance(kind, int) or kind not in _NUMBERS or width not in wide:
            found = f"{row.get('type')} {kind}"
            raise ScenarioError(place, N_("expected numbers for {field}, got {found:.40}", field, found))
        form, count = np.dtype(_NUMBERS[kind]), self._count(row, "count", place)
        if "bufferView" not in row and count > MAX_ROWS:
            raise ScenarioError(f"{place}.count", N_("{count} rows are more than a file may have", count))
        inside = "bufferView" in row
        values = self._rows(row, place, form, width, count) if inside else np.zeros((count, width), form)
        if sparse := self._table(row, "sparse", f"{place}."):
            values = self._replaced(values, sparse, f"{place}.sparse")
        if not row.get("normalized") or form.kind == "f":
            return values
        return np.maximum(values / float(np.iinfo(form).max), -1.0)

    def _replaced(self, values: np.ndarray, sparse: dict[str, Any], place: str) -> np.ndarray:
        """Rows some of which are given one by one."""
        count = self._count(sparse, "count", place)
        which, new = (self._table(sparse, key, f"{place}.") for key in ("indices", "values"))
        kind = which.get("componentType")
        if kind not in (5121, 5123, 5125):
            raise ScenarioError(
                f"{place}.indices.componentType", N_("expected whole numbers, got {kind:.20}", str(kind))
            )
        at = self._rows(which, f"{place}.indices", np.dtype(_NUMBERS[kind]), 1, count)[:, 0]
        if len(at) and int(at.max()) >= len(values):
            raise ScenarioError(f"{place}.indices", N_("expected numbers of the {count} rows", len(values)))
        values = values.copy()
        values[at] = self._rows(new, f"{place}.values", values.dtype, values.shape[1], count)
        return values

    def _rows(self, row: dict[str, Any], place: str, form: np.dtype[Any], width: int, count: int) -> np.ndarray:
        """Rows of numbers in a view of a buffer."""
        number = row.get("bufferView")
        data, apart = self.view(number, f"{place}.bufferView"), form.itemsize * width
        stride = self._count(self.row("bufferViews", number, place), "byteStride", f"bufferViews[{number}]", 0) or apart
        start = self._count(row, "byteOffset", place, 0)
        if stride < apart or (count and start + stride * (count - 1) + apart > len(data)):
            text = N_(
                "{count} rows of {apart} bytes do not fit its {size} bytes: cut short or damaged",
                count,
                apart,
                len(data),
            )
            raise ScenarioError(place, text)
        if count == 0:
            return np.zeros((0, width), form)
        found = np.ndarray((count, width), form, data, start, (stride, form.itemsize))
        return np.array(found)

    def view(self, number: Any, field: str) -> bytes:
        """The bytes of a view of a buffer."""
        row, place = self.row("bufferViews", number, field), f"bufferViews[{number}]"
        data = self._buffer(row.get("buffer"), f"{place}.buffer")
        start, size = self._count(row, "byteOffset", place, 0), self._count(row, "byteLength", place)
        if start + size > len(data):
            raise ScenarioError(place, N_("ends after the {size} bytes of its buffer: cut short or damaged", len(data)))
        return data[start : start + size]

    def _buffer(self, number: Any, field: str) -> bytes:
        row, place = self.row("buffers", number, field), f"buffers[{number}]"
        if number not in self._buffers:
            if "uri" in row:
                data = self.outside(row["uri"], f"{place}.uri")
            elif number == 0 and self._chunk is not None:
                data = self._chunk
            else:
                raise ScenarioError(
                    f"{place}.uri", N_("missing; expected the name of a file, or a binary chunk of a .glb")
                )
            if (size := self._count(row, "byteLength", place)) > len(data):
                text = N_("expected {size} bytes, found {found}: cut short or damaged", size, len(data))
                raise ScenarioError(place, text)
            self._buffers[number] = data
        return self._buffers[number]

    def outside(self, uri: Any, field: str) -> bytes:
        """The bytes of a file beside this one, or those in the text of a data URI."""
        if isinstance(uri, str) and uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2].encode(), validate=True)
            except (binascii.Error, ValueError):
                raise ScenarioError(field, N_("expected bytes in base64")) from None
        path = self.file(uri, field)
        check_file(path, N_("a buffer or a picture of {name}", self.path.name), ".bin, .png, .jpg", field)
        check_bytes(path, N_("a buffer or a picture"), MAX_BYTES)
        try:
            return path.read_bytes()
        except OSError as error:
            raise ScenarioError(field, N_("cannot be read: {error}", error.strerror or error), path) from None

    def file(self, uri: Any, field: str) -> Path:
        """The path of a file that a URI names; ScenarioError where it does not lie beside this one or below."""
        if not isinstance(uri, str):
            raise ScenarioError(field, N_("expected the name of a file"))
        return file_beside(self.path, unquote(uri), field)

    # ---- nodes -----------------------------------------------------------------------------------------

    @cached_property
    def primitives(self) -> tuple[Primitive, ...]:
        """The surfaces in the scene, in the order of its nodes; ScenarioError for a mesh that bends."""
        return tuple(self._primitives())

    def _primitives(self) -> Iterator[Primitive]:
        left = size = 0
        for number, place in self._placed():
            node, field = self.row("nodes", number, f"nodes[{number}]"), f"nodes[{number}]"
            if "mesh" not in node:
                continue
            if "skin" in node:
                text = N_("a skinned mesh bends; expected a rigid one: apply the armature, or export the mesh alone")
                raise ScenarioError(f"{field}.skin", text)
            mesh, at = self.row("meshes", node["mesh"], f"{field}.mesh"), f"meshes[{node['mesh']}]"
            name = next((str(row["name"]) for row in (node, mesh) if row.get("name")), f"node {number + 1}")
            for i, row in enumerate(self.rows(mesh, "primitives", f"{at}.")):
                check_wanted()
                spot = f"{at}.primitives[{i}]"
                if not isinstance(row, dict):
                    raise ScenarioError(spot, N_("expected a table"))
                surface = row.get("mode", TRIANGLES) in (TRIANGLES, STRIP, FAN)
                size += self._size(row, spot) if surface else MIN_ROWS
                if size > MAX_ROWS:
                    text = N_("the scene has more than {most} points and corners of triangles; decimate it", MAX_ROWS)
                    raise ScenarioError(spot, text)
                if surface:
                    yield self._primitive(name, spot, row, place, number)
                else:
                    left += 1
        if left:
            one, many = N_("1 set of points or lines left out"), N_("{left} sets of points or lines left out", left)
            self.notes.append(one if left == 1 else many)

    def _size(self, row: dict[str, Any], spot: str) -> int:
        """Number of points and corners of triangles that a surface claims to have, more than MIN_ROWS."""
        attributes = self._table(row, "attributes", f"{spot}.")
        points = self._claimed(attributes.get("POSITION"), f"{spot}.attributes.POSITION")
        corners = self._claimed(row["indices"], f"{spot}.indices") if "indices" in row else points
        return MIN_ROWS + points + corners * (1 if row.get("mode", TRIANGLES) == TRIANGLES else 3)

    def _claimed(self, number: Any, field: str) -> int:
        return self._count(self.row("accessors", number, field), "count", f"accessors[{number}]")

    def _primitive(self, name: str, spot: str, row: dict[str, Any], place: Array, node: int) -> Primitive:
        attributes = self._table(row, "attributes", f"{spot}.")
        points = self.array(attributes.get("POSITION"), f"{spot}.attributes.POSITION", (3,)).astype(float)
        if "indices" in row:
            corners = self.array(row["indices"], f"{spot}.indices", (1,))[:, 0]
            if corners.dtype.kind == "f":
                raise ScenarioError(f"{spot}.indices", N_("expected whole numbers"))
            corners = corners.astype(np.int64)
        else:
            corners = np.arange(len(points))
        if len(corners) and not 0 <= int(corners.min()) <= int(corners.max()) < len(points):
            raise ScenarioError(f"{spot}.indices", N_("expected numbers of the mesh's {points} points", len(points)))
        triangles = _triangles(corners, row.get("mode", TRIANGLES))
        if np.linalg.det(place[:3, :3]) < 0.0:  # mirrored
            triangles = triangles[:, ::-1]
        with np.errstate(over="ignore", invalid="ignore"):  # the reader reports what is not finite
            moved = points @ place[:3, :3].T + place[:3, 3]
        return Primitive(name, spot, row, place, moved, triangles, node)

    def _placed(self) -> Iterator[tuple[int, Array]]:
        """Number of each node of the scene, and the map (4, 4) from its coordinates to those of the scene."""
        count = len(self.rows(self.json, "nodes"))
        if count > MAX_NODES:
            raise ScenarioError("nodes", N_("{count} nodes are more than {most}", count, MAX_NODES))
        scenes = self.rows(self.json, "scenes")
        if scenes:
            scene = self.json.get("scene", 0)
            first = self.rows(self.row("scenes", scene, "scene"), "nodes", f"scenes[{scene}].")
        else:
            below = {one for n in range(count) for one in self._children(n)}
            first = [n for n in range(count) if n not in below]
        seen, left = set[int](), [(number, np.eye(4), 1) for number in reversed(first)]
        while left:
            number, above, depth = left.pop()
            node = self.row("nodes", number, "scene")
            if number in seen or depth > MAX_DEPTH:
                raise ScenarioError(f"nodes[{number}]", N_("expected below one other node, once"))
            seen.add(number)
            place = above @ _local(node, f"nodes[{number}]")
            yield number, place
            left += [(one, place, depth + 1) for one in reversed(self._children(number))]

    def _children(self, number: int) -> list[int]:
        found = self.rows(self.row("nodes", number, "nodes"), "children", f"nodes[{number}].")
        for one in found:
            self.row("nodes", one, f"nodes[{number}].children")
        return found


def beside_gltf(path: Path, *, pictures: bool = False) -> tuple[Path, ...]:
    """The files of the buffers of a glTF file, and of its pictures where wanted; () for another file, or a damaged one.

    Names that lead out of its folder are left out: readers refuse them.
    """
    if path.suffix.lower() not in GLTF or not os.path.isfile(path):
        return ()
    return _beside(path, path.stat().st_mtime_ns, ("buffers", "images") if pictures else ("buffers",))


@lru_cache(maxsize=8)  # a world asks three times
def _beside(path: Path, changed: int, keys: tuple[str, ...]) -> tuple[Path, ...]:
    """changed: when the file was, in ns."""
    found = dict[Path, None]()
    with suppress(ScenarioError, OSError):
        check_bytes(path, N_("a body"), MAX_BYTES)
        file = Gltf(path, path.read_bytes().removeprefix(BOM_UTF8))
        for row in (one for key in keys for one in file.rows(file.json, key)):
            if isinstance(row, dict) and "uri" in row and not str(row["uri"]).startswith("data:"):
                with suppress(ScenarioError):
                    found[file.file(row["uri"], "")] = None
    return tuple(found)


def _parsed(path: Path, data: bytes) -> tuple[dict[str, Any], bytes | None]:
    """The JSON of a file, and the binary chunk of a .glb."""
    chunk = None
    if path.suffix.lower() == ".glb":
        if data[:4] != b"glTF":
            raise ScenarioError("", N_("not a .glb file: it does not begin with 'glTF'"))
        if (version := int.from_bytes(data[4:8], "little")) != 2:
            raise ScenarioError("", N_("expected glTF 2.0, got version {version}", version))
        if (size := int.from_bytes(data[8:12], "little")) > len(data):
            raise ScenarioError("", N_("expected {size} bytes, found {found}: cut short or damaged", size, len(data)))
        length = int.from_bytes(data[12:16], "little")
        if data[16:20] != b"JSON" or 20 + length > len(data):
            raise ScenarioError("", N_("the first chunk of the .glb is no JSON, or is cut short"))
        rest = data[20 + length :]
        if rest[4:8] == b"BIN\0":
            chunk = rest[8 : 8 + int.from_bytes(rest[:4], "little")]
        data = data[20 : 20 + length]
    try:
        found = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ScenarioError("", N_("its JSON is damaged; expected a glTF 2.0 file")) from None
    if not isinstance(found, dict):
        raise ScenarioError("", N_("its JSON is no table; expected a glTF 2.0 file"))
    return found, chunk


def _no_number(word: str) -> float:
    """ValueError for NaN and Infinity, which Python reads and JSON has not."""
    raise ValueError(word)


def _triangles(corners: np.ndarray, mode: int) -> np.ndarray:
    """Triangles (m, 3) of a list of corners."""
    if mode == TRIANGLES:
        return np.asarray(corners[: len(corners) // 3 * 3].reshape(-1, 3))
    count = max(len(corners) - 2, 0)
    n = np.arange(count)
    if mode == FAN:
        return np.stack([corners[n * 0], corners[n + 1], corners[n + 2]], axis=1) if count else np.zeros((0, 3), int)
    odd = n % 2
    return np.stack([corners[n + odd], corners[n + 1 - odd], corners[n + 2]], axis=1)


def _local(node: dict[str, Any], field: str) -> Array:
    """The map (4, 4) of a node: its matrix, by columns, or its translation, rotation (scalar last) and scale."""
    place = np.eye(4)
    if "matrix" in node:
        return _numbers(node, "matrix", field, 16).reshape(4, 4).T
    if "rotation" in node:
        x, y, z, w = _numbers(node, "rotation", field, 4).tolist()
        size = math.hypot(w, x, y, z)
        if not abs(size - 1.0) < 0.01:
            raise ScenarioError(f"{field}.rotation", N_("expected a unit quaternion, got one of length {norm:g}", size))
        place[:3, :3] = matrix(np.array([w, x, y, z]) / size)
    if "scale" in node:
        place[:3, :3] *= _numbers(node, "scale", field, 3)
    if "translation" in node:
        place[:3, 3] = _numbers(node, "translation", field, 3)
    return place


def _numbers(node: dict[str, Any], key: str, field: str, count: int) -> Array:
    found = node[key]
    right = isinstance(found, list) and len(found) == count
    values = np.array([as_float(one) for one in found]) if right else np.full(count, math.nan)
    if not (np.abs(values) < 1e15).all():
        raise ScenarioError(f"{field}.{key}", N_("expected {count} finite numbers", count))
    return values
