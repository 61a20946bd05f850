"""The lines of the program's own ship, a feeder: fine below, with flaring ends, as container ships are.

Half breadths y = B/2 (1 - |t|^n) (1 - (1 - z/r)^4) at a share t of the half length and a height z above the keel: the
power n grows from the keel to the deck, so that the ends are sharp below and full above; r is the height of the bilge.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from physics.bodies.closed_surface import closed
from physics.bodies.mesh_io import Mesh
from physics.core.rotation import Array

LENGTH, BREADTH, DEPTH = 120.0, 20.0, 14.0  # [m]
SHARP, FULL = 1.7, 8.0  # the power n at the keel and at the deck
BILGE = 5.0  # [m]
STATIONS, ROWS = 60, 20  # panels along the ship, and from keel to deck


def half_breadths(t: Array, z: Array) -> Array:
    """y [m] at shares t of the half length and heights z [m]."""
    power = SHARP + (FULL - SHARP) * (z / DEPTH) ** 2
    section = np.where(z < BILGE, 1.0 - (1.0 - np.minimum(z, BILGE) / BILGE) ** 4, 1.0)
    return np.asarray(0.5 * BREADTH * (1.0 - np.abs(t) ** power) * section)


def feeder() -> Mesh:
    """The ship, closed, x = 0 amidships, z = 0 at the keel."""
    t = np.sin(0.5 * math.pi * np.linspace(-1.0, 1.0, STATIONS + 1))[:, None]  # closer at the ends
    z = DEPTH * (1.0 - np.cos(0.5 * math.pi * np.linspace(0.0, 1.0, ROWS + 1)))[None, :]
    y = half_breadths(t, z)
    y[:, 0] = y[0] = y[-1] = 0.0  # keel and stems are edges of both sides
    port = np.stack(np.broadcast_arrays(0.5 * LENGTH * t, y, z), axis=-1)
    a, b, c, d = port[:-1, :-1], port[1:, :-1], port[1:, 1:], port[:-1, 1:]
    fore = (np.arange(STATIONS) >= STATIONS // 2)[:, None, None, None]  # no triangle of the ends in the plane y = 0
    first = np.where(fore, np.stack([a, d, b], axis=2), np.stack([a, c, b], axis=2))
    second = np.where(fore, np.stack([b, d, c], axis=2), np.stack([a, d, c], axis=2))
    side = np.concatenate([first, second]).reshape(-1, 3, 3)
    rail = port[:, -1]
    across = rail * (1.0, -1.0, 1.0)
    deck = np.concatenate(
        [np.stack([rail[:-1], across[:-1], across[1:]], 1), np.stack([rail[:-1], across[1:], rail[1:]], 1)]
    )
    corners = np.concatenate([side, side[:, ::-1] * (1.0, -1.0, 1.0), deck])
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    points = corners[np.linalg.norm(np.cross(one, other), axis=1) > 0.0].reshape(-1, 3)
    surface, _ = closed(Mesh(points, np.arange(len(points)).reshape(-1, 3)), instead="")
    return surface


def write_ply(mesh: Mesh, path: Path, comment: str) -> None:
    """A binary PLY of float32, which every program reads."""
    head = (
        f"ply\nformat binary_little_endian 1.0\ncomment {comment}\nelement vertex {len(mesh.points)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        f"element face {len(mesh.triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    faces = np.empty(len(mesh.triangles), [("n", "u1"), ("of", "<i4", 3)])
    faces["n"], faces["of"] = 3, mesh.triangles
    path.write_bytes(head.encode("ascii") + mesh.points.astype("<f4").tobytes() + faces.tobytes())
