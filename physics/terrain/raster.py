"""Part of a map that is read: a window, cells averaged to a resolution, at most as many as memory holds; rasters."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from physics.core.errors import NotInMetres, ScenarioError
from physics.core.input_checks import check_no_pipes
from physics.core.rotation import Array
from physics.core.wording import N_

# files that GDAL reads with a raster: less of it, masks
_BESIDE = (".ovr", ".OVR", ".msk", ".MSK", ".msk.ovr", ".msk.OVR")


@contextmanager
def open_raster(path: Path) -> Iterator[Any]:
    """An open GeoTIFF, as rasterio has it; rasterio's errors where it is none.

    A virtual raster or the description of a service, under the name of a map or beside it, would be read from other
    folders and machines: ScenarioError.
    """
    os.environ.setdefault("GDAL_PAM_ENABLED", "NO")  # reading must not write .aux.xml files beside the map
    os.environ.setdefault("CPL_VSIL_CURL_ALLOWED_FILENAME", "none")  # no file is one of a network
    check_no_pipes(path)
    for ending in _BESIDE:
        beside = path.with_name(path.name + ending)
        if beside.is_file():
            with _opened(beside):
                pass
    with _opened(path) as data:
        yield data


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)  # checked where it matters
        data = rasterio.open(path, driver="GTiff")
    with data:
        if "OVERVIEW_FILE" in data.tags(ns="OVERVIEWS"):
            raise ScenarioError("", N_("leads to another file; expected one that holds all of its map"), path)
        yield data


MAX_NODES = 25_000_000  # nodes that are held at once in double precision: 200 MB of heights

CELLS = 1e-4, 1e6  # [m] a tenth of a millimetre, a thousand kilometres: what is none of these is in another unit
DEGREES = 1e-6, 0.02  # cells of a map in degrees: a tenth of a metre, two kilometres
UPRIGHT = 10.0  # mean rise from node to node, in cells, of which no ground is: 84 degrees

Window = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax [m]
Extent = tuple[float, float, float, float]  # x_min, x_max, y_min, y_max of the nodes [m]


def range_in_words(extent: Extent) -> str:
    """Range of the coordinates of a map, for messages."""
    x0, x1, y0, y1 = extent
    return N_("x {x0:.10g} to {x1:.10g}, y {y0:.10g} to {y1:.10g}", x0, x1, y0, y1)


def check_window(window: Window, extent: Extent, path: Path) -> None:
    """Refuse a window beside a map."""
    x0, x1, y0, y1 = extent
    if window[0] > x1 or window[2] < x0 or window[1] > y1 or window[3] < y0:
        raise ScenarioError("window", N_("holds nothing of the map; expected {extent}", range_in_words(extent)), path)


def check_cell(cell: tuple[float, float], path: Path) -> None:
    """ScenarioError for cells that no map has."""
    if not CELLS[0] <= min(cell) <= max(cell) <= CELLS[1]:
        found = " x ".join(f"{side:g}" for side in dict.fromkeys(cell))
        raise ScenarioError(
            "cell size", N_("expected {cells:g} to {cells2:g} m, got {found}", CELLS[0], CELLS[1], found), path
        )


def fits_degrees(cell: float, extent: Extent) -> bool:
    x0, x1, y0, y1 = extent
    return DEGREES[0] < cell < DEGREES[1] and x0 >= -180.0 and x1 <= 360.0 and y0 >= -90.0 and y1 <= 90.0


def _in_degrees(cell: float, extent: Extent, path: Path) -> NotInMetres:
    text = N_(
        "expected metres, got degrees ({extent}, cells of {cell:.3g}); project the map first",
        range_in_words(extent),
        cell,
    )
    return NotInMetres("coordinate system", text, path)


def check_degrees(heights: Array, cell: tuple[float, float], own: float, extent: Extent, path: Path) -> None:
    """ScenarioError for a map that fits degrees, and is too steep for one in metres.

    heights: (rows, columns) [m], NaN where unknown; cell: of them; own, extent: the cells and the reach of the file.
    A slope of the laboratory, of a metre and cells of a centimetre, fits degrees too, but is not that steep.
    """
    if not fits_degrees(own, extent):
        return
    every = 1 + heights.size // 4_000_000  # rows and columns of a large map: a sample is enough
    along = np.abs(np.diff(heights[::every], axis=1)) / cell[0], np.abs(np.diff(heights[:, ::every], axis=0)) / cell[1]
    if any(np.isfinite(rise).any() and np.nanmean(rise) > UPRIGHT for rise in along):
        raise _in_degrees(own, extent, path)


def check_size(
    columns: int, rows: int, most: int, path: Path, extent: Extent | None = None, own: float = math.inf
) -> None:
    """Refuse a map that is too small, or of more nodes than ``most``; extent, own: of the whole map and its cells."""
    if columns < 2 or rows < 2:
        if extent is not None and fits_degrees(own, extent):
            raise _in_degrees(own, extent, path)
        raise ScenarioError(
            "", N_("expected at least 2 x 2 cells, found {columns} x {rows}", max(columns, 0), max(rows, 0)), path
        )
    if columns * rows > most:
        whole = N_(" of a map from {extent}", range_in_words(extent)) if extent is not None else ""
        raise ScenarioError(
            "",
            N_(
                "{columns} x {rows} cells{whole} are more than the {most} that are read at once; "
                "expected a part of it, [terrain] window = [xmin, ymin, xmax, ymax], or a coarser "
                "resolution",
                columns,
                rows,
                whole,
                most,
            ),
            path,
        )


def steps(resolution: float | None, cell: float, path: Path) -> int:
    """The number of cells along each axis that make one of the resolution [m]."""
    if resolution is None:
        return 1
    if resolution < 0.999 * cell:
        raise ScenarioError(
            "resolution",
            N_("expected at least the map's cells of {cell:g} m, got {resolution:g}", cell, resolution),
            path,
        )
    return max(1, round(resolution / cell))


class GridPart(NamedTuple):
    """The part of a grid that is read.

    column, row: its first ones in the file, rows from the north; columns, rows: of cells, each k x k of the file's;
    origin, cell: of the south-western node, and the spacing of nodes [m]; own, whole: the cells and the reach of the
    whole map; projected: whether it will be, so that it may be in degrees
    """

    column: int
    row: int
    columns: int
    rows: int
    k: int
    origin: tuple[float, float]
    cell: tuple[float, float]
    own: float
    whole: Extent
    projected: bool


def part_of(
    corner: tuple[float, float],
    cell: tuple[float, float],
    size: tuple[int, int],
    window: Window | None,
    resolution: float | None,
    most: int,
    path: Path,
    projected: bool,
) -> GridPart:
    """The part of a grid that is in a window, in cells of about a resolution [m].

    corner: the north-western one of the first cell; size: columns and rows. Raises ScenarioError for less than 2 x 2
    cells and for more than ``most``.
    """
    (west, north), (dx, dy) = corner, cell
    first, last, top, bottom = 0, size[0] - 1, 0, size[1] - 1
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
    check_size(columns, rows, most, path, extent, min(cell))
    origin = (west + dx * (first + k / 2), north - dy * (top + k * (rows - 0.5)))
    return GridPart(first, top, columns, rows, k, origin, (k * dx, k * dy), min(cell), extent, projected)
