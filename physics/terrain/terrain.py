"""Terrain: a regular grid of heights with bilinear interpolation (Leine et al. 2014, section 3.5).

Heights belong to nodes (the centres of a DEM's cells). Coordinates: x east, y north, z up [m], in the
DEM's own reference system; kernels work in coordinates relative to ``origin``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from physics.core.jit import formula
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.terrain import raster

# ---- slope and aspect ---------------------------------------------------------------------------------


def gradient(heights: Array, cell: tuple[float, float]) -> tuple[Array, Array]:
    """dz/dx and dz/dy, (ny, nx) each, at the nodes of heights (ny, nx) [m] with cells (dx, dy) [m]; row 0 is south.

    Horn (1981): differences of the three rows and columns around a node, the middle one counting twice. At the edge
    the outermost slope goes on.
    """
    z = np.pad(heights, 1, mode="reflect", reflect_type="odd")
    across = z[:, 2:] - z[:, :-2]
    zx = (across[:-2] + 2.0 * across[1:-1] + across[2:]) / (8.0 * cell[0])
    along = z[2:] - z[:-2]
    zy = (along[:, :-2] + 2.0 * along[:, 1:-1] + along[:, 2:]) / (8.0 * cell[1])
    return zx, zy


def slope(heights: Array, cell: tuple[float, float]) -> Array:
    """(ny, nx) steepness [degrees], 0 where level."""
    return np.degrees(np.arctan(np.hypot(*gradient(heights, cell))))


def aspect(heights: Array, cell: tuple[float, float]) -> Array:
    """(ny, nx) the direction down the slope [degrees], clockwise from north (+y), 0 to 360; NaN where level."""
    zx, zy = gradient(heights, cell)
    facing = np.degrees(np.arctan2(-zx, -zy)) % 360.0
    return np.where(np.hypot(zx, zy) > 0.0, facing, np.nan)


# ---- heights ------------------------------------------------------------------------------------------

Ground = tuple[Array, tuple[float, float]]  # for kernels: heights (ny, nx) and the spacing of nodes [m]
Kinds = npt.NDArray[np.uint8]  # small numbers on the grid: of the ground at its nodes, of holes in its cells


@formula
def spot(ny: int, nx: int, dx: float, dy: float, x: float, y: float) -> tuple[int, int, float, float]:
    """Row and column of the cell that holds x, y [m] from the first node, and the place in it along x and y, 0 .. 1."""
    u = min(max(x / dx, 0.0), nx - 1.0)
    v = min(max(y / dy, 0.0), ny - 1.0)
    i = max(min(int(u), nx - 2), 0)  # never negative, which is known to the compiler so
    j = max(min(int(v), ny - 2), 0)
    return j, i, u - i, v - j


@formula
def patch(heights: Array, dx: float, dy: float, x: float, y: float) -> tuple[float, float, float]:
    """Height and un-normalised upward normal (-dz/dx, -dz/dy, 1) at x, y [m] from the first node.

    Leine et al. (2014), section 3.5: the bilinear patch. Beyond the edge the outermost patch goes on level
    with its edge.
    """
    j, i, s, t = spot(heights.shape[0], heights.shape[1], dx, dy, x, y)
    h00, h10 = float(heights[j, i]), float(heights[j, i + 1])  # large maps are kept in single precision
    h01, h11 = float(heights[j + 1, i]), float(heights[j + 1, i + 1])
    z = between(h00, h10, h01, h11, s, t)
    zx = ((h10 - h00) * (1 - t) + (h11 - h01) * t) / dx
    zy = ((h01 - h00) * (1 - s) + (h11 - h10) * s) / dy
    return z, -zx, -zy


@formula
def between(h00: float, h10: float, h01: float, h11: float, s: float, t: float) -> float:
    """The height in a cell, from those of its corners and the place in it along x and y, 0 .. 1."""
    return h00 * (1 - s) * (1 - t) + h10 * s * (1 - t) + h01 * (1 - s) * t + h11 * s * t


@formula
def off_map(heights: Array, holes: Kinds, dx: float, dy: float, x: float, y: float) -> bool:
    """Return True if x, y [m] from the first node is beyond the edge or in a hole of the map; holes: see Terrain."""
    ny, nx = heights.shape
    if x < 0.0 or y < 0.0 or x > dx * (nx - 1) or y > dy * (ny - 1):
        return True
    if holes.shape[0] == 0:
        return False
    j, i, _, _ = spot(ny, nx, dx, dy, x, y)
    return bool(holes[j, i] > 0)


@dataclass(frozen=True)
class Terrain:
    """Heights on a regular grid.

    Attributes
    ----------
    heights : (ny, nx) [m]; row 0 is the southernmost, column 0 the westernmost
    origin : x and y of the node [0, 0] [m]
    cell : spacing along x and y [m]
    crs : coordinate reference system as text (``"EPSG:2056"``), or None if the file has none
    name : for display
    notes : what was repaired when the terrain was read, one sentence each
    pieces : (ny, nx) number, from 1, of the piece of a surface that is uppermost at each node, 0 where none is; (0, 0)
        of a terrain that is no surface
    holes : (ny-1, nx-1) 1 for each cell between the nodes that is no part of the map, else 0; (0, 0) without holes
    """

    heights: Array
    origin: tuple[float, float] = (0.0, 0.0)
    cell: tuple[float, float] = (1.0, 1.0)
    crs: str | None = None
    name: str = "terrain"
    notes: tuple[str, ...] = ()
    holes: Kinds = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    pieces: Kinds = field(default_factory=lambda: np.zeros((0, 0), np.uint8))

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """x_min, x_max, y_min, y_max of the nodes [m]."""
        ny, nx = self.heights.shape
        (x, y), (dx, dy) = self.origin, self.cell
        return x, x + (nx - 1) * dx, y, y + (ny - 1) * dy

    def cells_around(self, axis: int, at: Array) -> npt.NDArray[np.int64]:
        """Numbers (n,) along x (0) or y (1) of the cells around coordinates (n,) [m], also of cells off the map."""
        return np.floor((at - self.origin[axis]) / self.cell[axis] + 0.5).astype(np.int64)

    @property
    def transform(self) -> tuple[float, float, float, float, float, float]:
        """The affine transform of a raster with a cell around each node, its first row in the north [m]."""
        (west, _, _, north), (dx, dy) = self.extent, self.cell
        return dx, 0.0, west - dx / 2, 0.0, -dy, north + dy / 2

    @property
    def reach(self) -> str:
        """Range of the coordinates, for messages."""
        return raster.range_in_words(self.extent)

    def contains(self, x: float, y: float) -> bool:
        """Return True if the point [m] lies on the map."""
        return not off_map(self.heights, self.holes, *self.cell, x - self.origin[0], y - self.origin[1])

    def height(self, x: float, y: float) -> float:
        """Height [m] of the ground at a point [m]."""
        return float(patch(self.heights, *self.cell, x - self.origin[0], y - self.origin[1])[0])

    def normal(self, x: float, y: float) -> Array:
        """Upward unit normal (3,) of the ground at a point [m]."""
        _, a, b = patch(self.heights, *self.cell, x - self.origin[0], y - self.origin[1])
        return np.array([a, b, 1.0]) / math.sqrt(a * a + b * b + 1.0)

    def heights_at(self, x: Array, y: Array) -> Array:
        """Heights (n,) [m] under points (n,), (n,) [m]."""
        (x0, y0), (dx, dy), (ny, nx) = self.origin, self.cell, self.heights.shape
        u, v = np.clip((x - x0) / dx, 0, nx - 1), np.clip((y - y0) / dy, 0, ny - 1)
        i, j = np.minimum(u.astype(int), nx - 2), np.minimum(v.astype(int), ny - 2)
        s, t, h = u - i, v - j, self.heights
        return np.asarray(
            (h[j, i] * (1 - s) + h[j, i + 1] * s) * (1 - t) + (h[j + 1, i] * (1 - s) + h[j + 1, i + 1] * s) * t
        )

    def slope(self) -> Array:
        """(ny, nx) steepness at the nodes [rad]."""
        return np.radians(slope(self.heights, self.cell))

    def advice(self, extents: Array, *, smooth: bool = False) -> tuple[str, ...]:
        """Advice on the cell size for a rock of these extents (3,) [m] (Lu et al. 2019: similar sizes).

        smooth : whether it touches the ground wherever it is, not at vertices or rims alone
        """
        cell, least, most = max(self.cell), float(np.min(extents)), float(np.max(extents))
        if cell < 0.5 * least and not smooth:
            text = N_(
                "cells of {cell:g} m are smaller than half of the rock's least extent of {least:.3g} m", cell, least
            )
            cure = N_("[terrain] resolution = {least:.2g} would average them", least)
            return (N_("{text}: tips of the ground may pass between its vertices; {cure}", text, cure),)
        if cell > 10.0 * most:
            text = N_("cells of {cell:.3g} m are more than ten times the rock of {most:.3g} m", cell, most)
            return (N_("{text}: it meets a smoother slope than the real one", text),)
        return ()

    def steepest(self) -> tuple[float, float]:
        """A start for a rock where none is given: a steep, high point away from the edges, x and y [m].

        Among the nodes above 40 degrees (or the steepest tenth) on the terrain and on the smoothed terrain, the
        highest: a bump of a cell or two is no slope to roll on.
        """
        from scipy.ndimage import uniform_filter  # here: it takes long to load, and a window waits for it

        stride = 1 + 2 * math.isqrt(self.heights.size // _LOOKED_AT)  # of a large map, some nodes are enough
        heights, holes = self.heights[::stride, ::stride].astype(float), np.zeros(self.heights.shape, bool)
        if self.holes.size:
            around = np.pad(self.holes, 1)
            holes = (around[1:, 1:] | around[1:, :-1] | around[:-1, 1:] | around[:-1, :-1]) > 0
        (ny, nx), (dx, dy) = heights.shape, (stride * self.cell[0], stride * self.cell[1])
        mx, my = (min(max(1, n // 10), (n - 1) // 2) for n in (nx, ny))
        part = slice(my, ny - my), slice(mx, nx - mx)
        smooth = uniform_filter(heights, [max(1, round(20.0 / d)) for d in (dy, dx)], mode="nearest")
        steepness = np.minimum(*(slope(h, (dx, dy)) for h in (heights, smooth)))[part]
        limit = min(40.0, float(np.quantile(steepness, 0.9)))
        inner = np.where(steepness >= limit, smooth[part], -np.inf)
        inner[holes[::stride, ::stride][part]] = -np.inf
        j, i = np.unravel_index(int(np.argmax(inner)), inner.shape)
        return self.origin[0] + (int(i) + mx) * dx, self.origin[1] + (int(j) + my) * dy


_LOOKED_AT = 2_000_000  # nodes above which not all are looked at for a start
