"""Reading terrain: GeoTIFF, ESRI ASCII grids, points and meshes; windows of large maps."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from physics.bodies.mesh_io import MESHES, with_z_up
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_text, input_file
from physics.core.rotation import Array
from physics.core.text_tables import MAX_LINE_LETTERS, MOST_HEADINGS, Marks, is_remark, points_in
from physics.core.wording import N_
from physics.terrain import projection
from physics.terrain.clouds import CLOUDS, laid_on_cells, read_cloud
from physics.terrain.nodata import (
    NumbersFound,
    Reader,
    check_heights,
    in_metres,
    law_of,
    mended,
    read_cells,
    strip_rows,
)
from physics.terrain.raster import (
    MAX_NODES,
    GridPart,
    Window,
    check_cell,
    check_size,
    check_window,
    open_raster,
    part_of,
)
from physics.terrain.surface import MAX_IRREGULAR_POINTS, between_points, highest, lost_points, read_surface
from physics.terrain.terrain import Terrain
from physics.terrain.units import agreed, declared_beside, height_unit, of_raster

# ---- points x, y, z in a text file --------------------------------------------------------------------

SLACK = 0.02  # share of a cell: coordinates are rounded in the file
_MARKS = Marks("", decimal_comma=True)
SPARSE = 20  # nodes a point: points that leave more of a grid out make none


def read_points(
    path: Path,
    window: Window | None = None,
    resolution: float | None = None,
    nodata: str | None = None,
    up: str = "z",
    projected: bool = False,
    unit: float = 1.0,
) -> tuple[Terrain, NumbersFound | None]:
    """A terrain from lines x y z, parted by blanks, commas or semicolons, with or without a header.

    Headings such as E, N, H say which columns these are; without them they are the first three, and others are left
    out, with a note. Nodes of a regular grid that the file leaves out are NaN, and what was found in its numbers
    comes with it. Between points that make none there are triangles, see physics.terrain.surface, and
    of more points than that takes means in cells. unit: of the heights [m]. The others: see
    physics.terrain.dem.read_terrain. Raises ScenarioError where lines are not three numbers.
    """
    points, notes = _points(path, window, up)
    law = law_of(unit)
    found = in_metres(points[:, 2], law)
    check_heights(found, law, path)
    columns, rows = _axis(points[:, 0], "x", path), _axis(points[:, 1], "y", path)
    if columns is None or rows is None or columns[2] * rows[2] > SPARSE * len(points):
        if projected:
            raise ScenarioError("terrain.project", N_("the points make no grid; project them first"), path)
        if len(points) > MAX_IRREGULAR_POINTS:
            terrain = laid_on_cells(points[np.isfinite(points[:, 2])], path, resolution)
        else:
            terrain = between_points(points, path, window, resolution, nodata, found)
        return replace(terrain, notes=(*notes, *terrain.notes)), None
    (x0, dx, nx), (y0, dy, ny) = columns, rows
    extent = (x0, x0 + (nx - 1) * dx, y0, y0 + (ny - 1) * dy)
    check_size(nx, ny, MAX_NODES, path, extent)
    place = _nodes(points, columns, rows)
    if np.bincount(place).max() > 1:
        points, lost = highest(points)
        place, notes = _nodes(points, columns, rows), (*notes, *lost_points(lost, path))
        if np.bincount(place).max() > 1:
            raise ScenarioError(
                "", N_("points share a place or make no regular grid; expected one height in each place"), path
            )
    grid = np.full((ny, nx), np.nan)
    grid.ravel()[place] = points[:, 2]
    part = part_of((x0 - dx / 2, extent[3] + dy / 2), (dx, dy), (nx, ny), None, resolution, MAX_NODES, path, projected)

    def read(first: int, rows: int) -> Array:
        return grid[first : first + rows, : part.columns * part.k].copy()

    heights, cells = read_cells([nullcontext(read)], part, law_of(), path)
    terrain = Terrain(heights, part.origin, part.cell, None, path.stem, notes)
    return terrain, cells._replace(taken=found.taken)


def _nodes(points: Array, columns: tuple[float, float, int], rows: tuple[float, float, int]) -> np.ndarray:
    """The number of each point's node in a grid, whose rows run from the north; columns, rows: see ``_axis``."""
    (x0, dx, nx), (y0, dy, ny) = columns, rows
    i, j = (np.rint((points[:, axis] - o) / d).astype(np.int64) for axis, o, d in ((0, x0, dx), (1, y0, dy)))
    return np.asarray((ny - 1 - j) * nx + i)


def _points(path: Path, window: Window | None, up: str) -> tuple[Array, tuple[str, ...]]:
    """All points (n, 3) in the window, z up, and a note on the columns that were taken for them."""
    kept, size, low, high = list[Array](), 0, np.full(2, np.inf), np.full(2, -np.inf)
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        points, notes = points_in(file, path)
        for some in points:
            if not len(some):
                continue
            chunk = with_z_up(some, up)
            low, high = np.minimum(low, chunk[:, :2].min(axis=0)), np.maximum(high, chunk[:, :2].max(axis=0))
            if window is not None:
                x, y = chunk[:, 0], chunk[:, 1]
                chunk = chunk[(x >= window[0]) & (x <= window[2]) & (y >= window[1]) & (y <= window[3])]
            kept.append(chunk)
            size += len(chunk)
            if size > MAX_NODES:
                raise ScenarioError(
                    "",
                    N_(
                        "more than the {largest} points that are read at once; expected a part of the map, "
                        "[terrain] window = [xmin, ymin, xmax, ymax]; its first points lie around ({low:.10g}, "
                        "{low2:.10g})",
                        MAX_NODES,
                        low[0],
                        low[1],
                    ),
                    path,
                )
    if not kept:
        raise ScenarioError("", N_("no points; expected lines x y z"), path)
    if window is not None:
        check_window(window, (low[0], high[0], low[1], high[1]), path)
    if size < 4:
        raise ScenarioError("", N_("expected at least 2 x 2 points, found {size}", size), path)
    return np.concatenate(kept), tuple(N_("{name}: {note}", path.name, note) for note in notes)


def _axis(values: Array, name: str, path: Path) -> tuple[float, float, int] | None:
    """First value, step and number of the equal steps along an axis; None where steps differ."""
    different = np.unique(values)
    if len(different) < 2:
        raise ScenarioError("", N_("all points have {name} = {values:g}; expected a grid", name, values[0]), path)
    gaps = np.diff(different)
    gap = float(np.median(gaps[gaps > 1e-6 * (different[-1] - different[0])]))
    n = round((different[-1] - different[0]) / gap)
    step = float(different[-1] - different[0]) / max(n, 1)
    off = (different - different[0]) / step
    if n < 1 or np.abs(off - np.rint(off)).max() > SLACK:
        return None
    return float(different[0]), step, n + 1


# ---- terrain of any kind ------------------------------------------------------------------------------

SUFFIXES = (".asc", ".tif", ".tiff", ".xyz", *CLOUDS, *MESHES)
LARGEST_RASTER = 150_000_000  # nodes of a raster in single precision, which rounds to a tenth of a millimetre: 600 MB
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
    classes: tuple[int, ...] | None = None,
    project: str | None = None,
) -> Terrain:
    """A terrain from a GeoTIFF (.tif), an ESRI ASCII grid (.asc), points (.xyz, .las, .laz) or a mesh (.stl, ...).

    window: xmin, ymin, xmax, ymax [m], the part of the map that is read; resolution: cells are averaged to about this
    size [m], and have it on a mesh or between points at irregular places; nodata: cells without height are
    ``"fill"``-ed from those around, the default, or ``"cut"`` out of the map; both are noted; crs: the coordinate
    system where neither the file nor a .prj beside it has one; up: the axis of a mesh or of an .xyz that points up;
    classes: of the points of a .las or .laz, see physics.terrain.clouds; project: the system to which a grid is
    projected, see physics.terrain.projection, while window is in the file's own coordinates.
    Raises ScenarioError, naming file and field, for a file that is missing, empty, not a grid in metres, all NODATA,
    degenerate or too large.
    """
    path = input_file(path, SUFFIXES, N_("a terrain"))
    suffix = path.suffix.lower()
    if suffix in MESHES:
        return read_surface((path,), window, resolution, nodata, crs, up)
    found, projected, own = None, project is not None, None if project else resolution
    if suffix in CLOUDS:
        terrain = read_cloud(path, window, resolution, classes, crs)
    elif suffix in (".tif", ".tiff"):
        terrain, found = _read_raster(path, window, own, projected, crs)
    else:
        system = agreed(crs, [declared_beside(path)], path, projected=projected)
        unit, notes = height_unit(system, "coordinate system", path)
        if suffix == ".asc":
            terrain, found = read_grid(path, window, own, projected, unit)
        else:
            terrain, found = read_points(path, window, own, nodata, up, projected, unit)
        terrain = replace(terrain, crs=system.text, notes=(*notes, *terrain.notes))
    if project is not None:
        terrain = projection.projected(
            terrain if nodata == "cut" else mended(terrain, "fill", path, found), project, resolution, path
        )
        return projection.cut_to_known(terrain, path, found if nodata == "cut" else None)
    check_cell(terrain.cell, path)
    return mended(terrain, nodata or "fill", path, found)


# ---- rasters ------------------------------------------------------------------------------------------


def _read_raster(
    path: Path, window: Window | None, resolution: float | None, projected: bool, crs: str | None
) -> tuple[Terrain, NumbersFound]:
    from rasterio._err import CPLE_BaseError  # what GDAL says where rasterio has no words of its own
    from rasterio.env import Env
    from rasterio.errors import RasterioError

    try:
        with Env(GDAL_CACHEMAX=128), open_raster(path) as data:
            _check_raster(data, path)
            own, notes = of_raster(data, path)
            system = agreed(crs, (own, declared_beside(path)), path, projected=projected)
            unit, converted = height_unit(system, "coordinate system", path)
            terrain, found = _read_part(data, path, window, resolution, projected, unit)
            return replace(terrain, crs=system.text, notes=(*notes, *converted)), found
    except (RasterioError, CPLE_BaseError, OSError, MemoryError) as error:
        raise ScenarioError("", N_("not a readable terrain: {error}", str(error).splitlines()[0]), path) from None


def _check_raster(data: Any, path: Path) -> None:
    """Refuse what is no grid of heights."""
    from rasterio.enums import ColorInterp

    transform = data.transform
    if data.colorinterp[0] == ColorInterp.red:
        raise ScenarioError("", N_("an image in colours; expected one band of heights"), path)
    if transform.is_identity:  # of a file that has none; control points are no grid
        text = N_(
            "names neither its corner nor its cells; expected a GeoTIFF that does, or a world file (.tfw) beside it"
        )
        raise ScenarioError("", text, path)
    if transform.b or transform.d:
        raise ScenarioError("", N_("the grid is rotated; expected rows along x and columns along y"), path)
    if not (transform.a > 0 and transform.e != 0 and math.isfinite(transform.a) and math.isfinite(transform.e)):
        raise ScenarioError(
            "cell size", N_("expected numbers above 0, got {a:g} x {e:g}", transform.a, -transform.e), path
        )
    if not (math.isfinite(transform.c) and math.isfinite(transform.f)):
        raise ScenarioError("corner", N_("expected finite numbers, got {c:g}, {f:g}", transform.c, transform.f), path)


def _read_part(
    data: Any, path: Path, window: Window | None, resolution: float | None, projected: bool, unit: float
) -> tuple[Terrain, NumbersFound]:
    """The window of an open raster, its cells averaged; unit: of its heights [m]."""
    west, dx, first, step = data.transform.c, data.transform.a, data.transform.f, data.transform.e
    north = first if step < 0 else first + step * data.height  # rows may run from the south
    size = (data.width, data.height)
    part = part_of((west, north), (dx, abs(step)), size, window, resolution, LARGEST_RASTER, path, projected)
    if not (data.scales[0] != 0.0 and math.isfinite(data.scales[0]) and math.isfinite(data.offsets[0])):
        text = N_(
            "scale {scales:g} and offset {offsets:g} make no heights of its numbers", data.scales[0], data.offsets[0]
        )
        raise ScenarioError("", N_("{text}; expected finite numbers, and a scale other than 0", text), path)
    law = law_of(data.scales[0] * unit, data.offsets[0] * unit, data.dtypes[0])
    single = part.columns * part.rows > MAX_NODES
    rows, block = strip_rows(part), data.block_shapes[0][0]
    if part.k == 1:  # of the file's own cells whole blocks, so that none is read twice
        rows = -(-rows // block) * block
    rows = min(part.rows, rows)
    threads = READERS if rows * READERS <= part.rows else 1
    dtype = np.float32 if single and part.k == 1 else np.float64
    opened = [_rows_of_raster(path, part, dtype) for _ in range(threads)]
    heights, found = read_cells(opened, part, law, path, rows=rows, single=single)
    return Terrain(heights, part.origin, part.cell, None, path.stem), found


@contextmanager
def _rows_of_raster(path: Path, part: GridPart, dtype: npt.DTypeLike) -> Iterator[Reader]:
    """The rows of a part of a raster."""
    from rasterio.enums import MaskFlags
    from rasterio.windows import Window as Cells

    with open_raster(path) as file:
        whole, upright = file.mask_flag_enums[0] == [MaskFlags.all_valid], file.transform.e < 0
        width = part.columns * part.k

        def read(first: int, rows: int) -> Array:
            row = part.row + first
            cells = Cells(part.column, row if upright else file.height - row - rows, width, rows)
            numbers: Array = file.read(1, out=np.empty((rows, width), dtype), window=cells)
            if not whole:
                numbers[file.read_masks(1, window=cells) == 0] = np.nan
            return numbers if upright else numbers[::-1]

        yield read


# ---- ESRI ASCII ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Header:
    """The heading of a grid: its words by their names, and the number of the first line of heights."""

    words: dict[str, str]
    first: int

    def number(self, name: str, path: Path) -> float:
        """The number of a line above 0; ScenarioError if there is none."""
        if name not in self.words:
            raise ScenarioError(name, N_("missing from the header; expected a line such as 'cellsize 2.0'"), path)
        try:
            value = int(self.words[name]) if name in ("ncols", "nrows") else _MARKS.number(self.words[name])
        except ValueError:
            raise ScenarioError(name, N_("expected a number, got '{name:.40}'", self.words[name]), path) from None
        if not value > 0 or not math.isfinite(value):
            raise ScenarioError(name, N_("expected a number above 0, got {name:.40}", self.words[name]), path)
        return value

    def corner(self, axis: str, cell: float, path: Path) -> float:
        """x or y of the south-western corner of the first cell [m]."""
        names = [f"{axis}llcorner", f"{axis}llcenter"]
        given = next((n for n in names if n in self.words), None)
        if given is None:
            raise ScenarioError(
                names[0], N_("missing from the header; expected {names} or {names2}", names[0], names[1]), path
            )
        try:
            value = _MARKS.number(self.words[given])
        except ValueError:
            value = math.nan
        if not abs(value) < 1e12:
            raise ScenarioError(given, N_("expected a number of metres, got '{given:.40}'", self.words[given]), path)
        return value - (0.0 if given == names[0] else cell / 2)


def _header(file: TextIO, path: Path) -> _Header:
    """The heading of an open grid, whose next line is that of the first heights."""
    words: dict[str, str] = {}
    for number in range(1, MOST_HEADINGS):
        place, line = file.tell(), file.readline(MAX_LINE_LETTERS)
        check_text(line, number, path)
        found = line.split()
        if not line or (found and (_MARKS.is_number(found[0]) or found[0] == words.get("nodata_value"))):
            file.seek(place)
            return _Header(words, number)
        if not found or is_remark(line):
            continue
        if len(found) != 2 or not re.fullmatch("[a-zA-Z_]+", found[0]):
            expected = N_("expected a name and a number, such as 'ncols 100'")
            raise ScenarioError(
                N_("line {number}", number), N_("{expected}, got '{found:.40}'", expected, " ".join(found)), path
            )
        words[found[0].lower()] = found[1]
    raise ScenarioError("", N_("no heights in {most_headings} lines; expected an ESRI ASCII grid", MOST_HEADINGS), path)


def read_grid(
    path: Path, window: Window | None, resolution: float | None, projected: bool, unit: float = 1.0
) -> tuple[Terrain, NumbersFound]:
    """An ESRI ASCII grid, NaN where it has no number; it may have decimal commas, and remarks above the heading.

    unit : of its numbers [m]
    """
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        header = _header(file, path)
        columns, rows = int(header.number("ncols", path)), int(header.number("nrows", path))
        names = ("dx", "dy") if "cellsize" not in header.words and "dx" in header.words else ("cellsize",) * 2
        dx, dy = (header.number(name, path) for name in names)
        west, south = header.corner("x", dx, path), header.corner("y", dy, path)
        corner, size = (west, south + rows * dy), (columns, rows)
        part = part_of(corner, (dx, dy), size, window, resolution, MAX_NODES, path, projected)
        opened = [_rows_of_grid(_heights(file, header, columns, rows, path), columns, part)]
        heights, found = read_cells(opened, part, law_of(unit), path)
    return Terrain(heights, part.origin, part.cell, None, path.stem), found


@contextmanager
def _rows_of_grid(numbers: Iterator[Array], columns: int, part: GridPart) -> Iterator[Reader]:
    """The rows of a part of a grid, whose numbers come one after the other; all of them are looked at."""
    at, held = 0, np.empty(0)

    def upto(end: int) -> Array:
        """The next numbers, up to the end-th."""
        nonlocal at, held
        found = [held]
        while at + sum(map(len, found)) < end:
            found.append(next(numbers))
        whole = np.concatenate(found) if len(found) > 1 else held
        at, held, whole = end, whole[end - at :], whole[: end - at]
        return whole

    def read(first: int, rows: int) -> Array:
        row = part.row + first
        while at < row * columns:
            upto(min(row * columns, at + PIECE))
        cells = np.empty((rows, part.columns * part.k))
        for i in range(rows):  # a window may be narrow, and the file wide
            cells[i] = upto((row + i + 1) * columns)[part.column : part.column + cells.shape[1]]
        return cells

    yield read
    for _ in numbers:
        pass


def _heights(file: TextIO, header: _Header, columns: int, rows: int, path: Path) -> Iterator[Array]:
    """All numbers below the heading, piece by piece, NaN where the file says NODATA.

    Raises ScenarioError where a word is no number, or where there are not columns x rows of them.
    """
    nodata, found, number, rest = header.words.get("nodata_value", ""), 0, header.first, ""
    while text := file.read(PIECE):
        check_wanted()
        check_text(text, number, path)
        text = rest + text
        end = max(map(text.rfind, " \t\n")) + 1
        if end == 0 and len(text) > LONGEST_WORD:
            end = len(text)  # no number is as long: it is reported
        yield (heights := _heights_in(text[:end], nodata, number, path))
        found += len(heights)
        number, rest = number + text.count("\n", 0, end), text[end:]
    heights = _heights_in(rest, nodata, number, path)
    if (found := found + len(heights)) != columns * rows:
        raise ScenarioError(
            "",
            N_("expected {columns} x {rows} = {rows2} heights, found {found}", columns, rows, columns * rows, found),
            path,
        )
    yield heights


def _heights_in(text: str, nodata: str, number: int, path: Path) -> Array:
    """The numbers in a part of a file that begins in a line of this number."""
    words = _MARKS.plain(text).split()
    if nodata and not _MARKS.is_number(nodata):  # such as null
        words = ["nan" if word == nodata else word for word in words]
    try:
        heights = np.array(words, dtype=float)
    except ValueError:
        for i, line in enumerate(text.split("\n"), start=number):
            if bad := next((word for word in line.split() if word != nodata and not _MARKS.is_number(word)), None):
                raise ScenarioError(
                    N_("line {number}", i), N_("expected heights, got '{bad}'", bad[:40]), path
                ) from None
        raise
    if _MARKS.is_number(nodata):
        heights[heights == _MARKS.number(nodata)] = np.nan
    return heights
