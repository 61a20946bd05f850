"""The quarry of the example ``rock-quarry``, an invented one of the kind in which blocks are released for tests.

``python -m assets.make.quarry`` writes three pieces of ground with y up, 89 blocks of two series, two scans, and zones.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from physics.bodies.convex_hull import hull_faces
from physics.core.rotation import Array

HERE = Path(__file__).parents[1] / "quarry"
WIDE = 25.0  # [m] to either side
EDGES = {"face": (-10.0, 30.0), "bench": (30.0, 55.0), "floor": (55.0, 115.0)}  # x of the pieces [m]
LINE = [(-10.0, 50.0), (0.0, 49.0), (4.0, 46.0), (22.0, 24.0), (30.0, 18.5), (55.0, 16.5), (64.0, 8.0), (115.0, 5.0)]
SERIES = {"P1": (41, -7.0), "P2": (48, 8.0)}  # blocks, and where along the crest they are let go [m]
DENSITY = 2650.0  # [kg/m³]


def height(x: Array, z: Array) -> Array:
    """The ground [m] at x, away from the face, and z, along it: a profile with ribs and hollows."""
    profile = np.interp(x, *np.array(LINE).T)
    return np.asarray(profile + 0.25 * np.sin(0.9 * x + 0.4 * z) * np.cos(0.55 * z) + 0.002 * z * z)


def pieces() -> None:
    """Binary .stl files with y up: each row of squares has its corners where the profile bends."""
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    for name, (first, last) in EDGES.items():
        bends = [x for x, _ in LINE if first <= x <= last]
        x, z = np.meshgrid(np.union1d(np.arange(first, last + 1e-9, 2.5), bends), np.arange(-WIDE, WIDE + 1e-9, 2.5))
        points = np.stack([x, height(x, z), z], axis=-1)
        a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
        corners = np.stack([np.stack([a, d, c], axis=-2), np.stack([a, c, b], axis=-2)], axis=2).reshape(-1, 3, 3)
        found = np.zeros(len(corners), record)
        found["corners"] = corners
        head = f"{name} of an invented quarry, metres, y up".encode().ljust(80, b" ")
        (HERE / f"{name}.stl").write_bytes(head + np.uint32(len(found)).tobytes() + found.tobytes())


def scan(corners: int, seed: int) -> Array:
    """Points (n, 3) [m] on an angular block: planes that cut a ball, as a scanner sees it."""
    rng = np.random.default_rng(seed)
    rays = rng.normal(size=(corners, 3))
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    normals = rng.normal(size=(18, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    reach = 1.0 / np.maximum((rays @ normals.T) / rng.uniform(0.75, 1.0, 18), 0.9).max(axis=1)
    return np.asarray(rays * (reach * (1.0 + 0.002 * rng.normal(size=corners)))[:, None] * [0.55, 0.42, 0.33])


def scans() -> None:
    """A mesh with a small gap (.ply), and a cloud of points (.xyz)."""
    points = np.round(scan(1500, 3), 4)
    faces = np.delete(hull_faces(points), 100, axis=0)
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\n"
    head += f"property float z\nelement face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    rows = np.zeros(len(faces), np.dtype([("n", "u1"), ("corners", "<i4", 3)]))
    rows["n"], rows["corners"] = 3, faces
    (HERE / "scan-a.ply").write_bytes(head.encode() + points.astype("<f4").tobytes() + rows.tobytes())
    lines = ["x y z intensity", *("{:.3f} {:.3f} {:.3f} 120".format(*p) for p in scan(700, 4))]
    (HERE / "scan-b.xyz").write_text("\n".join(lines) + "\n")


def blocks() -> None:
    """A row a block: the first of three has the first scan, the second the other, the third is a random rock."""
    rng, rows = np.random.default_rng(1), []
    for series, (count, along) in SERIES.items():
        for number in range(1, count + 1):
            mass = float(np.clip(np.exp(rng.normal(np.log(600.0), 0.6)), 170.0, 1870.0))
            ratios = np.sort([1.0, rng.uniform(0.65, 0.95), rng.uniform(0.5, 0.8)])[::-1]
            lengths = ratios * (mass / DENSITY / 0.55 / ratios.prod()) ** (1 / 3)  # a block fills 0.55 of its box
            x, z = rng.uniform(1.0, 2.5), along + rng.uniform(-4.0, 4.0)
            y = float(height(np.array(x), np.array(z))) + 0.8 * lengths[0] + 0.4
            shape = ("scan-a.ply", "scan-b.xyz", "")[number % 3]
            told = [f"{series}-{number}", f"{mass:.0f}", *(f"{one:.2f}" for one in lengths), shape]
            rows.append(
                ";".join([*told, f"{x:.2f}", f"{y:.2f}", f"{z:.2f}", "1.0", "0", f"{rng.uniform(-0.3, 0.3):.2f}"])
            )
    head = "id;mass [kg];L1 [m];L2 [m];L3 [m];file;x [m];y [m];z [m];vx [m/s];vy [m/s];vz [m/s]"
    (HERE / "blocks.csv").write_text("\n".join([head, *rows]) + "\n")


def zones() -> None:
    """A heap of debris at the foot of the face, in the coordinates of the map: x, and -z."""
    ring = [[26.0, -12.0], [34.0, -14.0], [37.0, -4.0], [33.0, 3.0], [26.0, 1.0], [26.0, -12.0]]
    feature = {
        "type": "Feature",
        "properties": {"soil": "medium-soft"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    (HERE / "zones.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}) + "\n")


def write() -> None:
    """All files of the example."""
    HERE.mkdir(exist_ok=True)
    pieces()
    scans()
    blocks()
    zones()


if __name__ == "__main__":
    write()
