"""Cells without height: filled from those around them, or cut out of the map; either is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.terrain.terrain import Kinds, Terrain

FAR = 100.0  # cells over which heights are interpolated; beyond, that of the nearest known cell
HIGHEST = 9000.0  # [m] no ground is farther from sea level: what is, stands for NODATA
NARROW = 2  # nodes: gaps of a surface that are not wider are closed


def mended(terrain: Terrain, nodata: str, path: Path) -> Terrain:
    """The terrain with its cells without height filled ("fill") or cut out ("cut"), and a note on them.

    Raises ScenarioError where that leaves nothing.
    """
    if terrain.heights.min() > -HIGHEST and terrain.heights.max() < HIGHEST:  # not so where one is NaN
        return terrain
    unknown = ~((terrain.heights > -HIGHEST) & (terrain.heights < HIGHEST))
    if unknown.all():
        raise ScenarioError("", "all cells are NODATA; expected heights", path)
    share = f"{np.count_nonzero(unknown)} of {unknown.size} cells were NODATA in {path.name}; "
    heights = _filled(terrain.heights, unknown)
    if nodata == "fill":
        notes = (*terrain.notes, share + "their heights were interpolated from those around them")
        return replace(terrain, heights=heights, notes=notes)
    holes: Kinds = (unknown[1:, 1:] | unknown[1:, :-1] | unknown[:-1, 1:] | unknown[:-1, :-1]).astype(np.uint8)
    if holes.all():
        raise ScenarioError("", "no cell of the map has a height at each corner; expected nodata = 'fill'", path)
    return replace(terrain, heights=heights, notes=(*terrain.notes, share + "the map ends there"), holes=holes)


def closed(terrain: Terrain, path: Path) -> Terrain:
    """The terrain of a surface with its gaps closed: holes inside of it, and joints of at most NARROW nodes; told."""
    from scipy.ndimage import binary_closing, binary_fill_holes  # here: they take long to load, and a window waits

    known = ~np.isnan(terrain.heights)
    wide = np.pad(known, NARROW)
    filled = binary_fill_holes(binary_closing(wide, np.ones((3, 3)), NARROW // 2))[NARROW:-NARROW, NARROW:-NARROW]
    gaps = filled & ~known
    if not gaps.any() or not known.any():
        return terrain
    heights = np.where(gaps, _filled(terrain.heights, ~known), terrain.heights)
    note = f"{np.count_nonzero(gaps)} of {gaps.size} nodes lie in gaps of {path.name}; their heights were interpolated"
    return replace(terrain, heights=heights, notes=(*terrain.notes, note))


def _filled(heights: Array, unknown: npt.NDArray[np.bool_]) -> Array:
    """Unknown heights by inverse distance from the known ones around; far from any, that of the nearest."""
    from rasterio.fill import fillnodata

    level = float(heights[~unknown].mean())  # single precision is spent on what differs
    rest = np.where(unknown, np.nan, heights - level).astype(np.float32)
    rest = fillnodata(rest, (~unknown).astype(np.uint8), max_search_distance=FAR, smoothing_iterations=0)
    filled = np.where(unknown, rest + level, heights)
    far = np.isnan(filled)
    if far.any():
        from scipy.ndimage import distance_transform_edt

        j, i = distance_transform_edt(far, return_distances=False, return_indices=True)
        filled = filled[j, i]
    return filled
