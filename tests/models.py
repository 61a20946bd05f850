"""Small models as programs for animation write them: a hammer of two boxes, with a picture of wood."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

HEAD, HANDLE = (0.10, 0.03, 0.03), (0.02, 0.30, 0.02)  # [m] along x, y (up) and z of the file
HEAD_AT = 0.14  # [m] of the head's middle along y; the handle's middle is the origin, so that it ends in the head


def wood() -> bytes:
    """A picture of 16 x 16 pixels (.png), light above and dark below."""
    rows = np.linspace(220, 90, 16).astype(np.uint8)
    picture = np.stack([np.repeat(rows[:, None], 16, axis=1), np.full((16, 16), 120), np.full((16, 16), 40)], axis=2)
    file = io.BytesIO()
    Image.fromarray(picture.astype(np.uint8)).save(file, "png")
    return file.getvalue()


def box(size: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Points, normals and places (24 rows each) and triangles (12, 3) of a box, with four corners of each side."""
    points, normals, places, triangles = [], [], [], []
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal, across = np.eye(3)[axis] * sign, np.eye(3)[(axis + 1) % 3]
            up = np.cross(normal, across)
            start = len(points)
            for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
                points.append(0.5 * normal + (u - 0.5) * across + (v - 0.5) * up)
                normals.append(normal)
                places.append((u, 1 - v))
            triangles += [(start, start + 1, start + 2), (start, start + 2, start + 3)]
    return np.array(points) * size, np.array(normals), np.array(places, float), np.array(triangles)


class Writer:
    """A glTF document in the making."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "meshes": []}

    def view(self, data: bytes) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        row = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.data += data
        self.json["bufferViews"].append(row)
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values: np.ndarray, kind: int = 5126) -> int:
        form = {5126: "<f4", 5123: "<u2"}[kind]
        values = np.ascontiguousarray(values, form).reshape(len(values), -1)
        row = {"bufferView": self.view(values.tobytes()), "componentType": kind, "count": len(values)}
        row["type"] = {1: "SCALAR", 2: "VEC2", 3: "VEC3"}[values.shape[1]]
        row |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        self.json["accessors"].append(row)
        return len(self.json["accessors"]) - 1

    def box(self, name: str, size: tuple[float, float, float], material: int) -> int:
        points, normals, places, triangles = box(size)
        attributes = {"POSITION": points, "NORMAL": normals, "TEXCOORD_0": places}
        row = {
            "attributes": {key: self.accessor(values) for key, values in attributes.items()},
            "indices": self.accessor(triangles.reshape(-1), 5123),
            "material": material,
        }
        self.json["meshes"].append({"name": name, "primitives": [row]})
        return len(self.json["meshes"]) - 1

    def glb(self) -> bytes:
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<I4s", len(text), b"JSON") + text
        body += struct.pack("<I4s", len(self.data), b"BIN\0") + bytes(self.data)
        return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def hammer() -> Writer:
    """The hammer: its nodes are turned and scaled, as scenes are, and give the sizes above only together."""
    made = Writer()
    picture = made.view(wood())
    made.json["images"] = [{"bufferView": picture, "mimeType": "image/png", "name": "wood"}]
    made.json["samplers"] = [{"wrapS": 33071, "wrapT": 33071}]
    made.json["textures"] = [{"source": 0, "sampler": 0}]
    steel = {"baseColorFactor": [0.2, 0.25, 0.3, 1.0], "metallicFactor": 0.9, "roughnessFactor": 0.3}
    made.json["materials"] = [
        {"name": "steel", "pbrMetallicRoughness": steel},
        {"name": "wood", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.0}},
    ]
    # a head along z, which its node turns by a quarter about y, in centimetres, which the root makes metres
    head = made.box("head", (100 * HEAD[2], 100 * HEAD[1], 100 * HEAD[0]), 0)
    handle = made.box("handle", (100 * HANDLE[0], 100 * HANDLE[1], 100 * HANDLE[2]), 1)
    half = 0.5**0.5
    made.json["nodes"] = [
        {"name": "hammer", "scale": [0.01, 0.01, 0.01], "children": [1, 2]},
        {"name": "head", "mesh": head, "translation": [0, 100 * HEAD_AT, 0], "rotation": [0, half, 0, half]},
        {"name": "handle", "mesh": handle},
    ]
    made.json["scenes"], made.json["scene"] = [{"nodes": [0]}], 0
    return made


def solid(points: np.ndarray, triangles: np.ndarray) -> Writer:
    """A model of one node without a material, y up as the points are."""
    made = Writer()
    row = {"attributes": {"POSITION": made.accessor(points)}, "indices": made.accessor(triangles.reshape(-1), 5123)}
    made.json["meshes"], made.json["nodes"] = [{"primitives": [row]}], [{"mesh": 0}]
    return made


def union_inertia(density: float) -> tuple[float, float, np.ndarray]:
    """Volume, mass and tensor (3, 3) about the centre of mass, z up: two boxes less what both have."""
    boxes = [(np.array(HEAD), HEAD_AT, 1.0), (np.array(HANDLE), 0.0, 1.0)]
    low, high = HEAD_AT - 0.5 * HEAD[1], 0.5 * HANDLE[1]
    boxes.append((np.array([HANDLE[0], high - low, HANDLE[2]]), 0.5 * (low + high), -1.0))
    volumes = np.array([sign * size.prod() for size, _, sign in boxes])
    middles = np.array([at for _, at, _ in boxes])
    centre = volumes @ middles / volumes.sum()
    tensor = np.zeros((3, 3))
    for (size, at, _), volume in zip(boxes, volumes, strict=True):
        squares = size**2
        own = np.diag(squares.sum() - squares) / 12.0
        arm = np.array([0.0, at - centre, 0.0])
        tensor += density * volume * (own + arm @ arm * np.eye(3) - np.outer(arm, arm))
    up = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)  # y up to z up: x, -z, y
    return float(volumes.sum()), float(density * volumes.sum()), up @ tensor @ up.T


def written(made: Writer, path: Path) -> Path:
    """The document in a .glb, or in a .gltf with its buffer and its picture beside it."""
    if path.suffix == ".glb":
        path.write_bytes(made.glb())
        return path
    made.json["buffers"] = [{"byteLength": len(made.data), "uri": "hammer%20data.bin"}]
    path.with_name("hammer data.bin").write_bytes(made.data)
    path.with_name("wood.png").write_bytes(wood())
    made.json["images"] = [{"uri": "wood.png"}]
    path.write_text(json.dumps(made.json))
    return path
