"""Reading terrain: GeoTIFF, ESRI ASCII grids, points and meshes; windows of large maps."""

from __future__ import annotations

import math
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from physics.bodies.mesh_io import MESHES
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_text, input_file, is_number
from physics.core.rotation import Array
from physics.terrain import crs as systems
from physics.terrain.crop import LARGEST, Window, check_cell, check_size, check_window, steps
from physics.terrain.nodata import mended
from physics.terrain.raster_io import open_raster
from physics.terrain.shipped_raster import shipped_raster
from physics.terrain.surface import read_surface
from physics.terrain.terrain import Terrain
from physics.terrain.xyz import read_points

SUFFIXES = (".asc", ".tif", ".tiff", ".xyz", *MESHES)
LARGEST_RASTER = 150_000_000  # nodes of a raster in single precision, which rounds to a tenth of a millimetre: 600 MB
STRIP = 1_000_000  # cells that are read at a time, and turned over while they are in the processor's own memory
READERS = 2  # threads that read a large map: half of the time goes to memory that is touched for the first time
PIECE = 4_000_000  # letters of a text that are looked at at a time
LONGEST_WORD = 400  # letters: a number in full has about 330


def read_terrain(
    path: str | Path,
    window: Window | None = None,
    resolution: float | None = None,
    nodata: str | None = None,
    crs: str | None = None,
    up: str = "z",
) -> Terrain:
    """A terrain from a GeoTIFF (.tif, .tiff), an ESRI ASCII grid (.asc), points (.xyz) or a mesh (.stl, .obj, .ply).

    window: xmin, ymin, xmax, ymax [m], the part of the map that is read; resolution: cells are averaged to about this
    size [m], and have it on a mesh or between points at irregular places; nodata: cells without height are
    ``"fill"``-ed from those around, the usual, or ``"cut"`` out of the map; both are told; crs: the coordinate system
    where neither the file nor a .prj beside it tells one; up: the axis of a mesh or of points that points up. Raises
    ScenarioError, naming file and field, for a file that is missing, empty, not a grid in metres, all NODATA,
    degenerate or too large.
    """
    path = input_file(path, SUFFIXES, "a terrain")
    suffix = path.suffix.lower()
    if suffix in MESHES:
        return read_surface((path,), window, resolution, nodata, crs, up)
    if suffix == ".asc":
        _check_header(path, window is None and resolution is None)
    if suffix == ".xyz":
        terrain = read_points(path, window, resolution, nodata, up)
    else:
        whole = window is None and resolution is None
        terrain = (shipped_raster(path) if whole else None) or _read_raster(path, window, resolution)
    check_cell(terrain.cell, path)
    terrain = mended(terrain, nodata or "fill", path)
    told = systems.told_beside(path) if terrain.crs is None and suffix in (".asc", ".xyz") else terrain.crs
    return replace(terrain, crs=systems.agreed(crs, told, path))


# ---- rasters ------------------------------------------------------------------------------------------


def _read_raster(path: Path, window: Window | None, resolution: float | None) -> Terrain:
    import rasterio
    from rasterio._err import CPLE_BaseError  # what GDAL says where rasterio has no words of its own
    from rasterio.errors import RasterioError

    try:
        asc = {"driver": "AAIGrid", "DATATYPE": "Float64"} if path.suffix.lower() == ".asc" else {}
        with rasterio.Env(GDAL_CACHEMAX=128), open_raster(path, **asc) as data:
            _check_raster(data, path)
            return _read_part(data, path, window, resolution)
    except (RasterioError, CPLE_BaseError, OSError, MemoryError) as error:
        raise ScenarioError("", f"not a readable terrain: {str(error).splitlines()[0]}", path) from None


def _check_raster(data: Any, path: Path) -> None:
    """Refuse what is no grid of heights in metres."""
    from rasterio.enums import ColorInterp

    transform, crs = data.transform, data.crs
    if data.colorinterp[0] == ColorInterp.red:
        raise ScenarioError("", "an image in colours; expected one band of heights", path)
    if transform.b or transform.d:
        raise ScenarioError("", "the grid is rotated; expected rows along x and columns along y", path)
    if not (transform.a > 0 and transform.e < 0 and math.isfinite(transform.a) and math.isfinite(transform.e)):
        raise ScenarioError("cell size", f"expected numbers above 0, got {transform.a:g} x {-transform.e:g}", path)
    if not (math.isfinite(transform.c) and math.isfinite(transform.f)):
        raise ScenarioError("corner", f"expected finite numbers, got {transform.c:g}, {transform.f:g}", path)
    if crs is not None:
        systems.check_metres(crs, "coordinate system", path)


def _read_part(data: Any, path: Path, window: Window | None, resolution: float | None) -> Terrain:
    """The window of an open raster, its cells averaged."""
    west, dx, north, dy = data.transform.c, data.transform.a, data.transform.f, -data.transform.e
    first, last, top, bottom = 0, data.width - 1, 0, data.height - 1  # columns and rows, from the north
    extent = (west + dx / 2, west + dx * (last + 0.5), north - dy * (bottom + 0.5), north - dy / 2)
    if window is not None:
        check_window(window, extent, path)
        near = 1e-6  # of a cell: nodes on the border of the window belong to it
        first = max(first, math.ceil((window[0] - west) / dx - 0.5 - near))
        last = min(last, math.floor((window[2] - west) / dx - 0.5 + near))
        top = max(top, math.ceil((north - window[3]) / dy - 0.5 - near))
        bottom = min(bottom, math.floor((north - window[1]) / dy - 0.5 + near))
    k = steps(resolution, dx, path)
    columns, rows = (last - first + 1) // k, (bottom - top + 1) // k
    if path.suffix.lower() == ".asc":
        check_size(columns, rows, LARGEST, path, extent)
        _check_values(path)
    check_size(columns, rows, LARGEST_RASTER, path, extent)
    heights = _read_cells(data, (first, top), (columns, rows), k)
    notes = _in_metres(heights, data, path)
    origin = (west + dx * (first + k / 2), north - dy * (top + k * (rows - 0.5)))
    crs = data.crs.to_string() if data.crs else None
    return Terrain(heights, origin, (k * dx, k * dy), crs, path.stem, notes)


def _read_cells(data: Any, corner: tuple[int, int], size: tuple[int, int], k: int) -> Array:
    """Heights (rows, columns), from the south up, NaN where unknown, from a corner (column, row) of an open raster.

    size: columns and rows, each of k cells of the raster. In strips: what is read is turned over without a second map.
    """
    import rasterio
    from rasterio import windows
    from rasterio.enums import MaskFlags, Resampling

    columns, rows = size
    whole = data.mask_flag_enums[0] == [MaskFlags.all_valid]
    resampling = Resampling.average if k > 1 else Resampling.nearest
    heights = np.empty((rows, columns), np.float64 if rows * columns <= LARGEST else np.float32)
    block = data.block_shapes[0][0]
    high = max(1, -(-STRIP // (columns * k * k)))
    high = -(-high * k // block) * block // math.gcd(block, k) if high < rows else rows  # tiles are not read twice

    def read(file: Any, first: int, stride: int) -> None:
        for row in range(first, rows, stride):
            check_wanted()
            n = min(high, rows - row)
            window = windows.Window(corner[0], corner[1] + row * k, columns * k, n * k)
            how = {"window": window, "resampling": resampling}
            strip = heights[rows - row - n : rows - row]
            strip[:] = file.read(1, out=np.empty((n, columns), heights.dtype), **how)[::-1]
            if not whole:
                strip[file.read_masks(1, out_shape=(n, columns), **how)[::-1] == 0] = np.nan

    def read_too(first: int) -> None:
        with rasterio.open(data.name, driver=data.driver) as file:  # a file of its own for each thread
            read(file, first, READERS * high)

    if high * READERS > rows or data.driver != "GTiff":
        read(data, 0, high)
        return heights
    with ThreadPoolExecutor(READERS - 1) as pool:
        others = [pool.submit(read_too, i * high) for i in range(1, READERS)]
        read(data, 0, READERS * high)
        for other in others:
            other.result()
    return heights


def _in_metres(heights: Array, data: Any, path: Path) -> tuple[str, ...]:
    """Convert heights, in place, by the scale and unit of the band; what is to be told of it."""
    scale, offset, unit = data.scales[0], data.offsets[0], (data.units[0] or "").lower()
    if scale != 1.0 or offset != 0.0:
        heights *= scale
        heights += offset
    for names, factor in _UNITS.items():
        if unit in names:
            heights *= factor
            return (f"heights in '{data.units[0]}' were converted to metres in {path.name}",)
    return ()


_UNITS = {
    ("ft", "foot", "feet", "international foot"): 0.3048,
    ("us-ft", "us survey foot", "us survey feet", "ftus", "us foot"): 1200 / 3937,
    ("cm", "centimetre", "centimeter"): 0.01,
    ("dm", "decimetre", "decimeter"): 0.1,
}


# ---- ESRI ASCII ---------------------------------------------------------------------------------------

_FIELDS = {"ncols": int, "nrows": int, "cellsize": float}


def _header(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", errors="replace") as file:
        lines = [file.readline(200).split() for _ in range(8)]
    return {
        words[0].lower(): words[1] for words in lines if len(words) == 2 and re.match("\ufeff?[a-zA-Z_]+$", words[0])
    }


def _check_header(path: Path, whole: bool) -> None:
    """Say what is wrong with the header of an ESRI grid; GDAL's own words would not."""
    header = _header(path)
    for name, kind in _FIELDS.items():
        if f"\ufeff{name}" in header:
            raise ScenarioError("", "begins with a byte order mark; expected a text without one", path)
        if name not in header:
            raise ScenarioError(name, "missing from the header; expected a line such as 'cellsize 2.0'", path)
        try:
            value = kind(header[name])
        except ValueError:
            raise ScenarioError(name, f"expected a number, got '{header[name]}'", path) from None
        if not value > 0 or not math.isfinite(value):
            raise ScenarioError(name, f"expected a number above 0, got {header[name]}", path)
    x, y = (_lower_left(header, axis, path) for axis in "xy")
    if whole:
        cell, columns, rows = float(header["cellsize"]), int(header["ncols"]), int(header["nrows"])
        check_size(columns, rows, LARGEST, path, (x, x + cell * (columns - 1), y, y + cell * (rows - 1)))


def _lower_left(header: dict[str, str], axis: str, path: Path) -> float:
    """x or y of the first node."""
    names = [f"{axis}llcorner", f"{axis}llcenter"]
    given = next((n for n in names if n in header), None)
    if given is None:
        raise ScenarioError(names[0], f"missing from the header; expected {names[0]} or {names[1]}", path)
    if not is_number(header[given]) or not abs(float(header[given])) < 1e12:
        raise ScenarioError(given, f"expected a number of metres, got '{header[given]}'", path)
    return float(header[given]) + (float(header["cellsize"]) / 2 if given == names[0] else 0.0)


def _check_values(path: Path) -> None:
    """Every word below the header must be a number, and there must be columns x rows of them."""
    header, found = _header(path), 0
    columns, rows = int(header["ncols"]), int(header["nrows"])
    with path.open(encoding="utf-8", errors="replace") as file:
        for _ in header:
            file.readline(200)
        number, rest = len(header) + 1, ""
        while text := file.read(PIECE):
            check_wanted()
            check_text(text, number, path)
            text = rest + text
            end = max(map(text.rfind, " \t\n")) + 1
            if end == 0 and len(text) > LONGEST_WORD:
                end = len(text)  # no number is as long: it is told
            found += _heights_in(text[:end], number, path)
            number, rest = number + text.count("\n", 0, end), text[end:]
        found += _heights_in(rest, number, path)
    if found != columns * rows:
        raise ScenarioError("", f"expected {columns} x {rows} = {columns * rows} heights, found {found}", path)


def _heights_in(text: str, number: int, path: Path) -> int:
    """How many heights stand in a part of a file that begins in a line of this number."""
    try:
        return len(np.array(text.split(), dtype=float))
    except ValueError:
        for i, line in enumerate(text.split("\n"), start=number):
            if bad := next((word for word in line.split() if not is_number(word)), None):
                raise ScenarioError(f"line {i}", f"expected heights, got '{bad[:40]}'", path) from None
        raise
