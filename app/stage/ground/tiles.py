"""Terrain tiles: a terrain as squares, each as fine as one can see: large and coarse far away, small and fine near by.

A tile of level k holds every 2^k-th node, so heights are those of the map at every level.

The grain of the ground is a picture that repeats. Laid down from above it would be drawn out into stripes on a cliff,
so each triangle takes it from the nearest of some directions; where two directions meet, points are there twice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from physics.core.rotation import Array
from physics.terrain.terrain import Terrain

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
    """Differences between the points before and after, along an axis of a grid of points (rows, columns, 3)."""
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


SIZE = 64  # cells along a side of a tile, of any level
SEEN = 10.0  # pixels of a picture 720 high that a cell may span before its tile is drawn finer


class TerrainTile(NamedTuple):
    """A level, and the first row and column of nodes."""

    level: int
    row: int
    column: int


class TerrainTiles:
    """The tiles that cover a terrain; ``choose`` says which are drawn, ``heights`` how high they are."""

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        ny, nx = terrain.heights.shape
        longest = max(nx, ny) - 1
        self.levels = 1 + max(0, int(np.ceil(np.log2(longest / SIZE))))
        # the level that is drawn at each of the smallest tiles
        self._drawn = np.full((-(-(ny - 1) // SIZE), -(-(nx - 1) // SIZE)), self.levels - 1, np.int64)

    def choose(self, eyes: Array, pixels: float) -> list[TerrainTile]:
        """The tiles to draw for eyes (n, 3) [m]; pixels: how many a length of 1 at a distance of 1 spans."""
        terrain, chosen = self.terrain, []
        ny, nx = terrain.heights.shape
        rows = columns = np.zeros(1, np.int64)
        for level in range(self.levels - 1, -1, -1):
            stride = SIZE << level
            wide = stride * max(terrain.cell)
            j, i = np.minimum(rows + stride // 2, ny - 1), np.minimum(columns + stride // 2, nx - 1)
            x, y = terrain.origin[0] + i * terrain.cell[0], terrain.origin[1] + j * terrain.cell[1]
            centres = np.stack([x, y, terrain.heights[j, i]], axis=1)
            apart = np.linalg.norm(centres[:, None] - eyes, axis=2).min(axis=1) - 0.7 * wide
            finer = (apart < wide / SIZE * pixels / SEEN) & (level > 0)
            for row, column in zip(rows[~finer].tolist(), columns[~finer].tolist(), strict=True):
                chosen.append(TerrainTile(level, row, column))
                self._drawn[row // SIZE : (row + stride) // SIZE, column // SIZE : (column + stride) // SIZE] = level
            half = stride // 2
            rows = np.concatenate([rows[finer] + dj for dj in (0, 0, half, half)])
            columns = np.concatenate([columns[finer] + di for di in (0, half, 0, half)])
            inside = (rows < ny - 1) & (columns < nx - 1)
            rows, columns = rows[inside], columns[inside]
        return chosen

    def heights(self, points: Array) -> Array:
        """Heights (n,) [m] of the drawn triangles under points (n, 2 or 3) [m]."""
        (x0, y0), (dx, dy), h = self.terrain.origin, self.terrain.cell, self.terrain.heights
        ny, nx = h.shape
        u, v = np.clip((points[:, 0] - x0) / dx, 0, nx - 1), np.clip((points[:, 1] - y0) / dy, 0, ny - 1)
        i, j = np.minimum(u.astype(int), nx - 2), np.minimum(v.astype(int), ny - 2)
        stride = 1 << self._drawn[j // SIZE, i // SIZE]
        i, j = i // stride * stride, j // stride * stride
        ii, jj = np.minimum(i + stride, nx - 1), np.minimum(j + stride, ny - 1)
        s, t = (u - i) / (ii - i), (v - j) / (jj - j)
        low, high = h[j, i], h[jj, ii]
        below = low + s * (h[j, ii] - low) + t * (high - h[j, ii])
        above = low + t * (h[jj, i] - low) + s * (high - h[jj, i])
        return np.asarray(np.where(s >= t, below, above))

    def mesh(self, tile: TerrainTile) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) [m] and triangles (m, 3) of a tile, with a rim that hangs down to close gaps."""
        terrain, stride = self.terrain, 1 << tile.level
        ny, nx = terrain.heights.shape
        rows = _nodes(tile.row, stride, ny)
        columns = _nodes(tile.column, stride, nx)
        # the rim: the outermost nodes once more, lower
        rows, columns = np.r_[rows[0], rows, rows[-1]], np.r_[columns[0], columns, columns[-1]]
        h = terrain.heights[np.ix_(rows, columns)]
        drop = 0.75 * stride * max(terrain.cell) if self.levels > 1 else 0.0
        low = np.zeros(h.shape, bool)  # but at the edges of the map, where the sides of the block are
        low[0], low[-1] = rows[0] > 0, rows[-1] < ny - 1
        low[:, 0] |= columns[0] > 0
        low[:, -1] |= columns[-1] < nx - 1
        h -= np.where(low, drop, 0.0)
        x, y = terrain.origin[0] + columns * terrain.cell[0], terrain.origin[1] + rows * terrain.cell[1]
        points = np.empty((len(rows), len(columns), 3), np.float32)
        points[..., 0], points[..., 1], points[..., 2] = x, y[:, None], h
        return points.reshape(-1, 3), triangles(len(rows), len(columns))


def _nodes(first: int, stride: int, count: int) -> np.ndarray:
    """The nodes of a tile along one side: every ``stride``-th, and the last one of the map."""
    return np.unique(np.minimum(first + stride * np.arange(SIZE + 1), count - 1))


@lru_cache(maxsize=64)
def triangles(rows: int, columns: int) -> np.ndarray:
    """Two triangles (n, 3) a cell of a grid of nodes."""
    j, i = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (j * columns + i).ravel()
    return np.stack([a, a + 1, a + columns + 1, a, a + columns + 1, a + columns], axis=1).reshape(-1, 3)
