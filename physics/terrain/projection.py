"""Projection of maps in degrees, or in another system, to one in metres: the fitting zone of UTM, or a named one."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.terrain import crs as systems
from physics.terrain.nodata import NumbersFound, cut, undeclared
from physics.terrain.raster import MAX_NODES, check_cell, check_degrees, check_size, fits_degrees, steps
from physics.terrain.terrain import Terrain
from physics.terrain.units import in_metres

UTM = "utm"
GRIDS = (".asc", ".tif", ".tiff", ".xyz")  # endings of maps that can be projected
WORLD = "EPSG:4326"  # longitude and latitude, of maps in degrees that declare no system
_ENDS = -80.0, 84.0  # [deg] of latitude, of UTM
AT_ONCE = 1_000_000  # nodes whose places are held


def zone(longitude: float, latitude: float) -> str:
    """The zone of UTM at a place [deg], as EPSG:32632. Where Norway has zones of its own the regular one holds.

    Raises ScenarioError near the poles, where there are none.
    """
    if not _ENDS[0] <= latitude <= _ENDS[1]:
        text = N_(
            "UTM ends at 80° south and 84° north, the map's middle is at {latitude:.1f}°; expected another system",
            latitude,
        )
        raise ScenarioError("terrain.project", text)
    number = int((longitude + 180.0) % 360.0 / 6.0) + 1
    return f"EPSG:{(32600 if latitude >= 0.0 else 32700) + number}"


def projected(terrain: Terrain, target: str, resolution: float | None, path: Path) -> Terrain:
    """A grid in another system, with square cells, NaN where it is not known; heights stay as they are.

    terrain : in its own system, NaN where it is not known; one in degrees that declares none is taken for WORLD
    target : UTM, or a system in metres
    resolution : of the cells [m], for which the map's are averaged; None: as fine as these

    Heights are interpolated between the map's nodes (bilinear). Raises ScenarioError where the map's system is not
    known, or where a system does not reach that far.
    """
    from rasterio._err import CPLE_BaseError  # what PROJ says, where rasterio has no words of its own
    from rasterio.errors import RasterioError
    from rasterio.warp import transform, transform_bounds

    x0, x1, y0, y1 = terrain.extent
    guess = "" if terrain.crs is not None else N_(" (a guess: {name} declares no system)", path.name)
    if terrain.crs is None and not fits_degrees(min(terrain.cell), terrain.extent):
        text = N_(
            "the map declares no coordinate system, and is not in degrees ({reach}); expected terrain.crs",
            terrain.reach,
        )
        raise ScenarioError("terrain.project", text, path)
    source = systems.known(terrain.crs or WORLD)
    if not source.is_geographic:
        check_degrees(terrain.heights, terrain.cell, min(terrain.cell), terrain.extent, path)
    ny, nx = terrain.heights.shape
    try:
        if target == UTM:
            longitude, latitude = transform(source, WORLD, [(x0 + x1) / 2], [(y0 + y1) / 2])
            code = zone(longitude[0], latitude[0])
        else:
            code = in_metres(target, "terrain.project")
        crs = systems.known(code)
        left, bottom, right, top = transform_bounds(source, crs, x0, y0, x1, y1)
        (xa, xb), (ya, yb) = transform(source, crs, [x0, x1], [y1, y0])
        fine = float(f"{math.hypot(xb - xa, yb - ya) / math.hypot(nx - 1, ny - 1):.3g}")  # as many along the diagonal
        cell = resolution or fine
        check_cell((cell, cell), path)
        west, south = math.ceil(left / cell), math.ceil(bottom / cell)
        columns, rows = math.floor(right / cell) - west + 1, math.floor(top / cell) - south + 1
        check_size(columns, rows, MAX_NODES, path)
        heights, origin, (dx, dy) = _means(terrain, steps(resolution, fine, path))
        x, moved = cell * np.arange(west, west + columns), np.empty((rows, columns))
        strip = max(1, AT_ONCE // columns)
        for row in range(0, rows, strip):
            check_wanted(row / rows)
            y = cell * np.arange(south + row, south + min(row + strip, rows))
            places = transform(crs, source, np.tile(x, len(y)), np.repeat(y, columns))
            u, v = ((np.array(side) - first) / step for side, first, step in zip(places, origin, (dx, dy), strict=True))
            moved[row : row + len(y)] = _between(heights, u, v).reshape(len(y), columns)
    except (RasterioError, CPLE_BaseError) as error:
        text = N_(
            "cannot be projected from {source:.60} ({error:.80})", source.to_string(), " ".join(str(error).split())
        )
        raise ScenarioError("terrain.project", N_("{text}; expected another system", text), path) from None
    if np.isnan(moved).all():
        raise ScenarioError("terrain.project", N_("nothing of the map lies in {code:.60}", code), path)
    note = N_(
        "{name}: projected from {source:.60}{guess} to {code:.60}, to cells of {cell:g} m",
        path.name,
        source.to_string(),
        guess,
        code,
        cell,
    )
    place, notes = (west * cell, south * cell), (*terrain.notes, note)
    return replace(terrain, heights=moved, origin=place, cell=(cell, cell), crs=code, notes=notes)


def _means(terrain: Terrain, k: int) -> tuple[Array, tuple[float, float], tuple[float, float]]:
    """Heights, origin and cell of a grid whose cells are means of k x k; those left over are left out."""
    if k == 1:
        return terrain.heights, terrain.origin, terrain.cell
    (x, y), (dx, dy), (ny, nx) = terrain.origin, terrain.cell, (side // k for side in terrain.heights.shape)
    blocks = terrain.heights[: ny * k, : nx * k].reshape(ny, k, nx, k)
    known = ~np.isnan(blocks)
    count = known.sum(axis=(1, 3))
    total = np.where(known, blocks, 0.0).sum(axis=(1, 3))
    means = np.divide(total, count, out=np.full((ny, nx), np.nan), where=count > 0)
    return means, (x + dx * (k - 1) / 2, y + dy * (k - 1) / 2), (k * dx, k * dy)


def _between(heights: Array, u: Array, v: Array) -> Array:
    """Heights (n,) at columns u and rows v (n,), between nodes; NaN beyond, and beside nodes that are NaN."""
    from scipy.ndimage import map_coordinates  # here: it takes long to load, and a window waits for it

    near = 1e-9 * max(heights.shape)  # of a cell: rounding of places on the border
    for places, last in ((u, heights.shape[1] - 1), (v, heights.shape[0] - 1)):
        np.clip(places, 0.0, last, out=places, where=(places > -near) & (places < last + near))
    return np.asarray(map_coordinates(heights, [v, u], float, order=1, mode="constant", cval=np.nan))


def cut_to_known(terrain: Terrain, path: Path, found: NumbersFound | None) -> Terrain:
    """A projected map that ends where it is not known: askew at its sides, and, if cut out, where it was NODATA."""
    if found is not None and found.unknown:
        share = N_(
            "{unknown} of {cells} cells were NODATA in {name}{found}",
            found.unknown,
            found.cells,
            path.name,
            undeclared(found),
        )
        note = N_("{share}; the map ends there", share)
        terrain = replace(terrain, notes=(*terrain.notes, note))
    return cut(terrain, path) if np.isnan(terrain.heights).any() else terrain
