"""Slope: how steep a grid of heights is, and which way it faces (Horn 1981, as in most GIS)."""

from __future__ import annotations

import numpy as np

from physics.core.rotation import Array


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
