"""Terrain: a regular grid of heights with bilinear interpolation (Leine et al. 2014, section 3.5).

Heights belong to nodes (the centres of a DEM's cells). Coordinates: x east, y north, z up [m], in the
DEM's own reference system; kernels work in coordinates relative to ``origin``.
"""

from __future__ import annotations

import math
import os
import re
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.ndimage import distance_transform_edt, uniform_filter

from physics.compiled import formula
from physics.errors import ScenarioError
from physics.rotation import Array

Kinds = npt.NDArray[np.uint8]  # of ground, at the nodes
LARGEST = 25_000_000  # nodes that are read at once: 200 MB of heights


@formula
def spot(ny: int, nx: int, dx: float, dy: float, x: float, y: float) -> tuple[int, int, float, float]:
    """Row and column of the cell that holds x, y [m] from the first node, and the place in it along x and y, 0 .. 1."""
    u = min(max(x / dx, 0.0), nx - 1.0)
    v = min(max(y / dy, 0.0), ny - 1.0)
    i = min(int(u), nx - 2)
    j = min(int(v), ny - 2)
    return j, i, u - i, v - j


@formula
def patch(heights: Array, dx: float, dy: float, x: float, y: float) -> tuple[float, float, float]:
    """Height and un-normalised upward normal (-dz/dx, -dz/dy, 1) at x, y [m] from the first node.

    Leine et al. (2014), section 3.5: the bilinear patch. Beyond the edge the outermost patch goes on level
    with its edge.
    """
    j, i, s, t = spot(heights.shape[0], heights.shape[1], dx, dy, x, y)
    h00, h10 = heights[j, i], heights[j, i + 1]
    h01, h11 = heights[j + 1, i], heights[j + 1, i + 1]
    z = h00 * (1 - s) * (1 - t) + h10 * s * (1 - t) + h01 * (1 - s) * t + h11 * s * t
    zx = ((h10 - h00) * (1 - t) + (h11 - h01) * t) / dx
    zy = ((h01 - h00) * (1 - s) + (h11 - h10) * s) / dy
    return z, -zx, -zy


@dataclass(frozen=True)
class Terrain:
    """Heights on a regular grid.

    Attributes
    ----------
    heights : (ny, nx) [m]; row 0 is the southernmost, column 0 the westernmost
    origin : x and y of the node [0, 0] [m]
    cell : spacing along x and y [m]
    crs : coordinate reference system as text (``"EPSG:2056"``), or None where the file tells none
    name : for people
    notes : what was repaired when the terrain was read, one sentence each
    """

    heights: Array
    origin: tuple[float, float] = (0.0, 0.0)
    cell: tuple[float, float] = (1.0, 1.0)
    crs: str | None = None
    name: str = "terrain"
    notes: tuple[str, ...] = ()

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """x_min, x_max, y_min, y_max of the nodes [m]."""
        ny, nx = self.heights.shape
        (x, y), (dx, dy) = self.origin, self.cell
        return x, x + (nx - 1) * dx, y, y + (ny - 1) * dy

    @property
    def reach(self) -> str:
        """Where the map is, for sentences."""
        x0, x1, y0, y1 = self.extent
        return f"x {x0:.10g} to {x1:.10g}, y {y0:.10g} to {y1:.10g}"

    def contains(self, x: float, y: float) -> bool:
        """Whether the point [m] lies on the map."""
        x0, x1, y0, y1 = self.extent
        return x0 <= x <= x1 and y0 <= y <= y1

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
        zy, zx = np.gradient(self.heights, self.cell[1], self.cell[0])
        return np.asarray(np.arctan(np.hypot(zx, zy)))

    def steepest(self) -> tuple[float, float]:
        """A start for a rock where none is given: a steep, high point away from the edges, x and y [m].

        Among the nodes above 40 degrees (or the steepest tenth) on the terrain and on the smoothed terrain, the
        highest: a bump of a cell or two is no slope to roll on.
        """
        ny, nx = self.heights.shape
        mx, my = max(1, nx // 10), max(1, ny // 10)
        size = [max(1, round(20.0 / d)) for d in (self.cell[1], self.cell[0])]
        smooth = replace(self, heights=uniform_filter(self.heights, size, mode="nearest"))
        slope = np.minimum(self.slope(), smooth.slope())[my : ny - my, mx : nx - mx]
        limit = min(math.radians(40.0), float(np.quantile(slope, 0.9)))
        inner = np.where(slope >= limit, smooth.heights[my : ny - my, mx : nx - mx], -np.inf)
        j, i = np.unravel_index(int(np.argmax(inner)), inner.shape)
        return self.origin[0] + (int(i) + mx) * self.cell[0], self.origin[1] + (int(j) + my) * self.cell[1]


# ---- reading ------------------------------------------------------------------------------------------

_ASC_FIELDS = {"ncols": int, "nrows": int, "cellsize": float}


def read_terrain(path: str | Path) -> Terrain:
    """A terrain from an ESRI ASCII grid (.asc) or a GeoTIFF (.tif, .tiff).

    NODATA cells are filled from their nearest neighbours and reported. Raises ScenarioError, naming file and
    field, for a file that is missing, empty, not a grid, all NODATA, degenerate or too large.
    """
    path = Path(path)
    if not path.is_file():
        raise ScenarioError("", "no such file; expected a terrain (.asc, .tif)", path)
    if path.stat().st_size == 0:
        raise ScenarioError("", "the file is empty; expected a terrain", path)
    if path.suffix.lower() == ".asc":
        _check_ascii_header(path)
    elif path.suffix.lower() not in (".tif", ".tiff"):
        raise ScenarioError("", f"cannot read terrain from '{path.suffix}'; expected .asc or .tif", path)
    return _fill(_read_grid(path), path)


def _check_ascii_header(path: Path) -> None:
    """Say what is wrong with the header of an ESRI grid; GDAL's own words would not."""
    with path.open(encoding="utf-8", errors="replace") as file:
        lines = [file.readline(200).split() for _ in range(8)]
    header = {words[0].lower(): words[1] for words in lines if len(words) == 2 and re.match("[a-zA-Z_]+$", words[0])}
    for name, kind in _ASC_FIELDS.items():
        if name not in header:
            raise ScenarioError(name, "missing from the header; expected a line such as 'cellsize 2.0'", path)
        try:
            value = kind(header[name])
        except ValueError:
            raise ScenarioError(name, f"expected a number, got '{header[name]}'", path) from None
        if not value > 0 or not math.isfinite(value):
            raise ScenarioError(name, f"expected a number above 0, got {header[name]}", path)
    for axis in "xy":
        names = [f"{axis}llcorner", f"{axis}llcenter"]
        given = next((n for n in names if n in header), None)
        if given is None:
            raise ScenarioError(names[0], f"missing from the header; expected {names[0]} or {names[1]}", path)
        try:
            float(header[given])
        except ValueError:
            raise ScenarioError(given, f"expected a number, got '{header[given]}'", path) from None
    _check_size(int(header["ncols"]), int(header["nrows"]), path)
    _check_values(path, len(header), int(header["ncols"]), int(header["nrows"]))


def _check_values(path: Path, header: int, columns: int, rows: int) -> None:
    """Every word below the header must be a number, and there must be columns x rows of them."""
    found = 0
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            if number <= header:
                continue
            words = line.split()
            try:
                np.array(words, dtype=float)
            except ValueError:
                bad = next(w for w in words if not _is_number(w))
                raise ScenarioError(f"line {number}", f"expected heights, got '{bad[:40]}'", path) from None
            found += len(words)
    if found != columns * rows:
        raise ScenarioError("", f"expected {columns} x {rows} = {columns * rows} heights, found {found}", path)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _check_size(columns: int, rows: int, path: Path) -> None:
    if columns < 2 or rows < 2:
        raise ScenarioError("", f"expected at least 2 x 2 cells, found {columns} x {rows}", path)
    if columns * rows > LARGEST:
        raise ScenarioError(
            "", f"{columns} x {rows} cells are more than the {LARGEST} that are read at once; cut the map", path
        )


def _read_grid(path: Path) -> Terrain:
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning, RasterioError

    os.environ.setdefault("GDAL_PAM_ENABLED", "NO")  # reading must not write .aux.xml files beside the map
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.open(path) as data:
                _check_size(data.width, data.height, path)
                band = data.read(1, masked=True)
                transform, crs = data.transform, data.crs
    except RasterioError as error:
        raise ScenarioError("", f"not a readable terrain: {str(error).splitlines()[0]}", path) from None
    if transform.b or transform.d:
        raise ScenarioError("", "the grid is rotated; expected rows along x and columns along y", path)
    if not (transform.a > 0 and transform.e < 0 and math.isfinite(transform.a) and math.isfinite(transform.e)):
        raise ScenarioError("cell size", f"expected numbers above 0, got {transform.a:g} x {-transform.e:g}", path)
    if crs is not None and crs.is_geographic:
        raise ScenarioError(
            "coordinate system", f"expected metres, got degrees ({crs.to_string()}); project the map first", path
        )
    heights = np.ma.filled(band.astype(float), np.nan)[::-1]
    origin = (transform.c + transform.a / 2, transform.f + transform.e * (len(heights) - 0.5))
    return Terrain(
        np.ascontiguousarray(heights), origin, (transform.a, -transform.e), crs.to_string() if crs else None, path.stem
    )


def _fill(terrain: Terrain, path: Path) -> Terrain:
    """Fill NODATA and NaN from the nearest known cell, and say so."""
    unknown = ~np.isfinite(terrain.heights)
    if not unknown.any():
        return terrain
    if unknown.all():
        raise ScenarioError("", "all cells are NODATA; expected heights", path)
    _, (j, i) = distance_transform_edt(unknown, return_indices=True)
    share = f"{unknown.sum()} of {unknown.size} cells were NODATA and took the height of the nearest known cell"
    return replace(terrain, heights=terrain.heights[j, i], notes=(*terrain.notes, share))
