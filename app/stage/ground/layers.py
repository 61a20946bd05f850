"""Layers over the terrain's own picture: steepness, aspect, an orthophoto, a map of an ensemble."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.stage.text.colour_map import OVER, ROUND, Bar, mapped
from app.system.language import tr
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_file
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.terrain.raster import open_raster
from physics.terrain.terrain import Terrain

LONGER_SIDE = 2048  # pixels along the longer side of a draped picture
STEEPEST = 60.0  # [deg] the top of the scale of steepness
OPACITY = 0.9  # opacity of an ensemble's map
_BANDS = (1, 3, 4)


@dataclass(frozen=True)
class TerrainLayer:
    """A picture (rows from south to north, columns from west to east, 4) of 0 to 255 whose outermost pixels lie on
    the outermost nodes of the terrain; ``shaded`` by the light on the terrain, or as it is; what its colours mean.

    dims : whether the terrain under it goes back: dimmer, and with little colour of its own
    note : what its values are conditional on, for the legend
    """

    picture: np.ndarray
    shaded: bool = True
    bar: Bar | None = None
    dims: bool = False
    note: str = ""


def ground(look: str, terrain: Terrain) -> TerrainLayer | None:
    """Layer of a look of the terrain; None for the natural one."""
    if look == "shade":
        return TerrainLayer(np.full((2, 2, 4), (196, 192, 186, 255), np.uint8))
    if look in ("slope", "aspect"):
        stride = max(1, max(terrain.heights.shape) // LONGER_SIDE)
        heights = terrain.heights[::stride, ::stride]
        zy, zx = map(np.asarray, np.gradient(heights, stride * terrain.cell[1], stride * terrain.cell[0]))
        return steepness(zx, zy) if look == "slope" else facing(zx, zy)
    return None


def steepness(zx: Array, zy: Array) -> TerrainLayer:
    """The slope [deg] from the derivatives of the height."""
    bar = Bar(tr("slope"), "", 0.0, STEEPEST, OVER, tuple((float(a), f"{a}°") for a in range(0, 61, 15)))
    return TerrainLayer(bar.rgba(np.degrees(np.arctan(np.hypot(zx, zy)))), bar=bar)


def facing(zx: Array, zy: Array) -> TerrainLayer:
    """The aspect, the direction that a slope faces, clockwise from north [deg]; none where it is level."""
    bar = Bar(tr("aspect"), "", 0.0, 360.0, ROUND, tuple((90.0 * k, name) for k, name in enumerate("NESWN")))
    azimuth = np.degrees(np.arctan2(-zx, -zy)) % 360.0
    return TerrainLayer(bar.rgba(np.where(np.hypot(zx, zy) > 0.01, azimuth, np.nan)), bar=bar)


def charts(title: str, unit: str, maps: Mapping[str, Array], terrain: Terrain, note: str) -> dict[str, TerrainLayer]:
    """Maps of an ensemble by scheme, on one scale: values (cells,) or (ny, nx) on the terrain's grid; NaN or 0: none.

    Row 0 is the southernmost. Raises ValueError where the values do not fit the terrain.
    """
    grids = {name: np.asarray(values, float).reshape(terrain.heights.shape) for name, values in maps.items()}
    grids = {name: np.where(grid > 0.0, grid, np.nan) for name, grid in grids.items()}
    bar, heights = mapped(title, unit, grids.values())
    return {
        name: TerrainLayer(bar.rgba(height, OPACITY), shaded=False, bar=bar, dims=True, note=note)
        for name, height in zip(grids, heights, strict=True)
    }


def draped(path: Path, terrain: Terrain) -> TerrainLayer:
    """A GeoTIFF (RGB, or one band, whose values get colours) cut to the terrain, in the terrain's coordinate system.

    Raises ScenarioError, naming the file, where it cannot be read, has no place, or lies elsewhere.
    """
    from rasterio.errors import RasterioError

    check_file(path, N_("a GeoTIFF"), ".tif", "view.drape")
    try:
        with open_raster(path) as data:
            if data.transform.is_identity:
                raise ScenarioError("view.drape", N_("has no coordinates; expected a GeoTIFF"), path)
            if data.count not in _BANDS:
                raise ScenarioError("view.drape", N_("expected 1, 3 or 4 bands, found {count}", data.count), path)
            bands, seen, table = _cut(data, terrain)
    except RasterioError as error:
        raise ScenarioError(
            "view.drape", N_("not a readable picture: {error}", str(error).splitlines()[0]), path
        ) from None
    if not seen.any():
        raise ScenarioError("view.drape", N_("does not cover any of the terrain"), path)
    bands, seen = bands[:, ::-1], seen[::-1]
    if table is None and len(bands) == 1:
        values = np.where(seen, bands[0].astype(float), np.nan)
        bar = Bar(path.stem, "", float(np.nanmin(values)), float(np.nanmax(values)), OVER)
        return TerrainLayer(bar.rgba(values), bar=bar)
    colours = np.moveaxis(_bytes(bands, seen), 0, -1) if table is None else table[bands[0].astype(int)]
    return TerrainLayer(np.dstack([colours, np.where(seen, 255, 0)]).astype(np.uint8), shaded=False)


def _cut(data: Any, terrain: Terrain) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Bands (1 or 3, h, w), where they are known (h, w), and the colours (256, 3) of a palette, from the north down."""
    import rasterio
    from rasterio.crs import CRS
    from rasterio.enums import ColorInterp, Resampling
    from rasterio.vrt import WarpedVRT

    x0, x1, y0, y1 = terrain.extent
    pixel = max(x1 - x0, y1 - y0) / (LONGER_SIDE - 1)
    wide, high = max(2, round((x1 - x0) / pixel) + 1), max(2, round((y1 - y0) / pixel) + 1)
    px, py = (x1 - x0) / (wide - 1), (y1 - y0) / (high - 1)
    anywhere = CRS.from_epsg(3857)  # where one of the two names no system, both are taken to be in the same one
    known = terrain.crs is not None and data.crs is not None
    palette = data.count == 1 and data.colorinterp[0] == ColorInterp.palette
    coarse = not palette and data.res[0] < px and data.crs == terrain.crs
    opaque = data.nodata is None and data.count < 4
    with WarpedVRT(
        data,
        src_crs=data.crs if known else anywhere,
        crs=CRS.from_string(terrain.crs) if known and terrain.crs else anywhere,
        transform=rasterio.Affine(px, 0.0, x0 - px / 2, 0.0, -py, y1 + py / 2),
        width=wide,
        height=high,
        resampling=Resampling.nearest if palette else Resampling.average if coarse else Resampling.bilinear,
        add_alpha=opaque,
    ) as cut:
        bands = cut.read(list(range(1, min(data.count, 3) + 1)))
        seen = cut.read(cut.count) > 0 if opaque or data.count == 4 else cut.read_masks(1) > 0
    colours = None
    if palette:
        colours = np.zeros((256, 3), np.uint8)
        for value, colour in data.colormap(1).items():
            colours[value] = colour[:3]
    if bands.dtype.kind == "f":
        seen &= np.isfinite(bands).all(axis=0)
    return bands, seen, colours


def _bytes(bands: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Colours of any type as 0 to 255; those of more than 8 bits are spread over it."""
    if bands.dtype == np.uint8:
        return bands
    low, high = np.quantile(bands[:, seen], [0.02, 0.98])
    spread = (bands.astype(float) - low) * (255.0 / max(high - low, 1e-9))
    return np.asarray(np.clip(spread, 0, 255), np.uint8)
