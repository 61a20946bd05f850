"""Grain places: where each triangle of the ground lies on a picture that repeats, hardly stretched however steep it is.

A picture that is laid down from above is drawn out into stripes on a cliff. So each triangle takes it from the nearest
of some directions; where two directions meet, points are there twice. Pure numpy.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from physics.core.rotation import Array

RINGS = ((35.0, 6), (66.0, 9))  # tilt from upright [deg], and how many directions around: 16 with the one from above


def unfolded(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray, Array]:
    """Points (n, 3) [m], triangles (m, 3) and places (n, 2) [m] on a picture, of a tile as TerrainTiles has it.

    Points come more than once where triangles take the picture from several directions.
    """
    across, along = _axes()
    grid = points.reshape(-1, faces[0, 2] - 1, 3)
    inside = grid[1:-1, 1:-1]  # without the rim that hangs down
    normals = np.cross(_steps(inside, 1), _steps(inside, 0))
    normals = np.pad(normals, ((1, 1), (1, 1), (0, 0)), mode="edge").reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-30
    directions = np.cross(across, along)
    nearest = np.argmax(normals[faces].sum(axis=1) @ directions.T, axis=1)
    if not nearest.any():  # level enough to be seen from above
        return points, faces, points[:, :2]
    keys = nearest[:, None] * len(points) + faces
    used = np.zeros(len(directions) * len(points), bool)
    used[keys] = True
    which, kept = np.divmod(np.flatnonzero(used), len(points))
    renumbered = (np.cumsum(used) - 1)[keys]
    taken = points[kept]
    places = np.stack([np.einsum("ij,ij->i", taken, axes[which]) for axes in (across, along)], axis=1)
    return taken, renumbered, places


def _steps(grid: np.ndarray, axis: int) -> np.ndarray:
    """From the point before to the next, along an axis of a grid of points (rows, columns, 3)."""
    last = grid.shape[axis] - 1
    at = np.arange(last + 1)
    return np.asarray(grid.take(np.minimum(at + 1, last), axis) - grid.take(np.maximum(at - 1, 0), axis))


@lru_cache(maxsize=1)
def _axes() -> tuple[np.ndarray, np.ndarray]:
    """Across and up (n, 3) of a picture that is seen from each direction; the first one is from above."""
    across, up = [(1.0, 0.0, 0.0)], [(0.0, 1.0, 0.0)]
    for tilt, count in RINGS:
        c, s = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
        for angle in 2.0 * np.pi * np.arange(count) / count:
            across.append((-np.sin(angle), np.cos(angle), 0.0))
            up.append((-c * np.cos(angle), -c * np.sin(angle), s))
    return np.array(across, np.float32), np.array(up, np.float32)
