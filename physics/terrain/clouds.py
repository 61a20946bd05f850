"""Point clouds as terrain: LAS and LAZ files, and points too many to triangulate, laid on cells chosen by density."""

from __future__ import annotations

import logging
import math
import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_no_pipes
from physics.core.rotation import Array
from physics.core.wording import N_, joined
from physics.terrain.nodata import check_heights, filled, in_metres, law_of
from physics.terrain.raster import (
    MAX_NODES,
    Extent,
    Window,
    check_cell,
    check_degrees,
    check_size,
    check_window,
    range_in_words,
)
from physics.terrain.surface import CHOSEN
from physics.terrain.terrain import Terrain, gradient
from physics.terrain.units import DeclaredSystem, agreed, declared_beside, height_unit, of_records

CLOUDS = (".las", ".laz")
GROUND, NOISE = 2, (7, 18)  # classes of points (ASPRS, LAS 1.4-R15, table 17)
ENOUGH = 2.0  # points a cell, on average, where the program chooses cells
AT_ONCE = 1_000_000  # points that are held

# ---- cells --------------------------------------------------------------------------------------------


@dataclass
class CloudCells:
    """Square cells, row 0 in the south, and the sums, or the lowest, of the points in them.

    size : of a cell [m]
    corner : x, y [m] from which the points are counted
    first : number of the first row and column, counted from 0 m
    count : (ny, nx) points in each
    sums : (3, ny, nx) of x, y from the corner, and z; of the lowest alone: (1, ny, nx) z
    """

    size: float
    corner: tuple[float, float]
    first: tuple[int, int]
    count: npt.NDArray[np.uint32]
    sums: Array

    @classmethod
    def over(cls, extent: Extent, size: float, path: Path, lowest: bool = False) -> CloudCells:
        """Empty cells that hold all places of an extent; ScenarioError where there are too many, or too few."""
        x0, y0 = math.floor(extent[0] / size), math.floor(extent[2] / size)
        nx, ny = max(math.ceil(extent[1] / size) - x0, 1), max(math.ceil(extent[3] / size) - y0, 1)
        check_size(nx, ny, MAX_NODES, path, extent, size)
        sums = np.full((1, ny, nx), np.inf) if lowest else np.zeros((3, ny, nx))
        return cls(size, (x0 * size, y0 * size), (y0, x0), np.zeros((ny, nx), np.uint32), sums)

    @property
    def lowest(self) -> bool:
        """True for the lowest point of each cell."""
        return len(self.sums) == 1

    def add(self, points: Array) -> None:
        """Count points (n, 3) within the extent in."""
        row, column = (
            np.minimum(np.floor(points[:, k] / self.size).astype(np.int64) - self.first[1 - k], n - 1)
            for k, n in zip((1, 0), self.count.shape, strict=True)
        )
        place = row * self.count.shape[1] + column
        np.add.at(self.count.reshape(-1), place, 1)
        if self.lowest:
            np.minimum.at(self.sums.reshape(-1), place, points[:, 2])
            return
        for total, values in zip(self.sums, (points - (*self.corner, 0.0)).T, strict=True):
            np.add.at(total.reshape(-1), place, values)

    def dense(self) -> CloudCells:
        """These cells, or the smallest of 2, 5, 10 ... 100 times their size that hold ENOUGH points on average."""
        cells = self
        for k in (2, 5, 10, 20, 50, 100):
            if cells.count.sum() >= ENOUGH * np.count_nonzero(cells.count) or min(self.count.shape) < 4 * k:
                break
            cells = self._merged(k)
        return cells

    def _merged(self, k: int) -> CloudCells:
        """Cells of k x k of these."""
        rows, columns = (
            np.unique(np.r_[0, np.arange(-first % k, n, k)])
            for first, n in zip(self.first, self.count.shape, strict=True)
        )

        def merged(law: np.ufunc, numbers: Any) -> Any:
            return law.reduceat(law.reduceat(numbers, rows, axis=-2), columns, axis=-1)

        first = self.first[0] // k, self.first[1] // k
        sums = merged(np.minimum if self.lowest else np.add, self.sums)
        return CloudCells(k * self.size, self.corner, first, merged(np.add, self.count), sums)

    def terrain(
        self, extent: Extent, path: Path, crs: str | None, notes: tuple[str, ...], unit: float = 1.0
    ) -> Terrain:
        """The terrain of the cells, NaN where they hold no point.

        extent : of the points; unit : of their heights [m]. Raises ScenarioError where heights or places are in another
        unit.
        """
        cell = (self.size, self.size)
        check_cell(cell, path)
        origin = (self.first[1] + 0.5) * self.size, (self.first[0] + 0.5) * self.size
        held = self.count > 0
        heights = np.full(held.shape, np.nan)
        heights[held] = self.sums[-1][held] * unit / (1.0 if self.lowest else self.count[held])
        check_heights(in_metres(heights, law_of()), law_of(), path)
        check_degrees(heights, cell, self.size, extent, path)
        if not self.lowest:
            heights = self._at_centres(heights, origin)
        return Terrain(heights, origin, cell, crs, path.stem, notes)

    def _at_centres(self, means: Array, origin: tuple[float, float]) -> Array:
        """Heights at the centres of cells, of means whose points lie around other places: the slope between is undone.

        Means alone would make a smooth slope rough, by its steepness times a part of a cell.
        """
        known = ~np.isnan(means)
        at = np.stack([origin[0] + self.size * np.arange(means.shape[1])] * means.shape[0]) - self.corner[0]
        up = (origin[1] + self.size * np.arange(means.shape[0]))[:, np.newaxis] - self.corner[1]
        count = np.maximum(self.count, 1)
        dx, dy = self.sums[0] / count - at, self.sums[1] / count - up
        heights = means
        for _ in range(3):
            zx, zy = gradient(heights if known.all() else filled(heights, ~known), (self.size, self.size))
            heights = np.where(known, means - zx * dx - zy * dy, np.nan)
        return heights


def chosen_size(extent: Extent, points: int) -> float:
    """A size of cells [m], 1, 2 or 5 times a power of ten, for so many points; at most CHOSEN cells."""
    x0, x1, y0, y1 = extent
    least = math.sqrt(max((x1 - x0) * (y1 - y0), 1e-12) / max(1, min(points, CHOSEN)))
    power = 10.0 ** math.floor(math.log10(least))
    return float(f"{next(d for d in (1, 2, 5, 10) if d * power >= least * (1 - 1e-9)) * power:.3g}")


def laid_on_cells(points: Array, path: Path, resolution: float | None) -> Terrain:
    """The terrain of points (n, 3) [m] at irregular places, too many to triangulate, NaN in cells without any."""
    (x0, y0, _), (x1, y1, _) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    extent = x0, x1, y0, y1
    cells = CloudCells.over(extent, resolution or chosen_size(extent, len(points)), path)
    for first in range(0, len(points), AT_ONCE):
        check_wanted()
        cells.add(points[first : first + AT_ONCE])
    cells = cells if resolution else cells.dense()
    note = N_(
        "{file}: {count} points at irregular places; heights are those of cells of {size:g} m",
        path.name,
        len(points),
        cells.size,
    )
    return cells.terrain(extent, path, None, (note,))


# ---- LAS and LAZ --------------------------------------------------------------------------------------


def read_cloud(
    path: Path,
    window: Window | None = None,
    resolution: float | None = None,
    classes: tuple[int, ...] | None = None,
    crs: str | None = None,
) -> Terrain:
    """The terrain of a .las or .laz file, NaN where it has no point; points are read a million at a time.

    classes : of the points that count; by default ground, and where no point is ground the lowest point of each cell,
        noise left out
    window, resolution, crs : see physics.terrain.dem.read_terrain; without a resolution cells are chosen by density

    Raises ScenarioError for a file that is no point cloud in metres, or has no point of these classes.
    """
    with _opened(path) as file:
        extent, all_points = _measured(file, classes, path)
    with _opened(path) as file:
        head = file.header
        if window is not None:
            check_window(window, extent, path)
            x0, x1, y0, y1 = extent
            part = max(x0, window[0]), min(x1, window[2]), max(y0, window[1]), min(y1, window[3])
        else:
            part = extent
        system = agreed(crs, (_system(head, path), declared_beside(path)), path)
        unit, converted = height_unit(system, "coordinate system", path)
        notes = (*converted, *_named_header(head, all_points, path))
        share = (part[1] - part[0]) * (part[3] - part[2]) / ((extent[1] - extent[0]) * (extent[3] - extent[2]))
        size = resolution or chosen_size(part, math.ceil(share * head.point_count))
        ground = CloudCells.over(part, size, path)
        lowest = CloudCells.over(part, size, path, lowest=True) if classes is None else None
        found = np.zeros(256, np.int64)
        for points, kinds, valid in _chunks(file, path):
            inside = valid & (points[:, 0] >= part[0]) & (points[:, 0] <= part[1])
            inside &= (points[:, 1] >= part[2]) & (points[:, 1] <= part[3])
            points, kinds = points[inside], kinds[inside]
            found += np.bincount(kinds, minlength=256)
            ground.add(points[np.isin(kinds, classes or (GROUND,))])
            if lowest is not None and not found[GROUND]:  # the first ground point makes them needless
                lowest.add(points[~np.isin(kinds, NOISE)])
    cells, what = ground, N_("points of {ground}", _named(classes or (GROUND,)))
    if not ground.count.any():
        if lowest is None or not lowest.count.any():
            there = N_("; its points are of {found}", _named(np.flatnonzero(found).tolist())) if found.any() else ""
            raise ScenarioError("", N_("no {what}{there}", what, there), path)
        cells, what = lowest, N_("no point is ground: the lowest point of each cell")
    cells = cells if resolution else cells.dense()
    kept = int(cells.count.sum())
    if cells.lowest:
        text = N_("{what} counts, buildings and trees among them; cells of {size:g} m", what, cells.size)
    else:
        text = N_(
            "heights are those of {kept} {what} in cells of {size:g} m, of {found} points",
            kept,
            what,
            cells.size,
            int(found.sum()),
        )
    return cells.terrain(extent, path, system.text, (*notes, N_("{file}: {text}", path.name, text)), unit)


def _named(classes: Sequence[int]) -> str:
    words = joined(", ", [N_("{number} (ground)", n) if n == GROUND else str(n) for n in classes])
    return N_("class {words}", words) if len(classes) == 1 else N_("classes {words}", words)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """An open reader of laspy; ScenarioError where it fails, also later."""
    check_no_pipes(path)
    try:
        import laspy
        from laspy.errors import LaspyException
    except ImportError:
        raise ScenarioError(
            "",
            N_("{suffix} needs laspy; install it with: pip install 'polhode[gis]', or use a GeoTIFF", path.suffix),
            path,
        ) from None
    logging.getLogger("laspy").setLevel(logging.CRITICAL)  # it prints what it raises too
    _check_counts(path)
    parts = laspy.DecompressionSelection
    wanted = parts.XY_RETURNS_CHANNEL | parts.Z | parts.CLASSIFICATION | parts.FLAGS
    try:
        # not lazrs in parallel, whose threads are missing in a forked process: it would wait for ever
        with laspy.open(path, laz_backend=laspy.LazBackend.Lazrs, decompression_selection=wanted) as file:
            yield file
    except (LaspyException, OSError, ValueError, RuntimeError, struct.error, IndexError, OverflowError) as error:
        if isinstance(error, ScenarioError):
            raise
        reason = str(error).splitlines() or [type(error).__name__]
        raise ScenarioError("", N_("not a readable point cloud: {reason:.200}", reason[0]), path) from None


def _check_counts(path: Path) -> None:
    """ScenarioError for a header that counts more than its file can hold: laspy would go on reading for hours."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(375).ljust(375, b"\0")
    first, start, records = struct.unpack_from("<HII", head, 94)
    if head[24:26] == b"\1\4":
        further, more = struct.unpack_from("<QI", head, 235)
    else:
        further, more = size, 0
    damaged = head[:4] != b"LASF" or first + 54 * records > min(start, size) or (more and further + 60 * more > size)
    if damaged or (head[104] & 0x80 and 20 * _chunk_count(path, start, size) > size):
        raise ScenarioError("", N_("not a readable point cloud: its header is damaged, or that of another kind"), path)


def _chunk_count(path: Path, start: int, size: int) -> int:
    """Number of chunks of a .laz file, of 20 bytes or more each, for which lazrs takes memory, or ends the process."""
    with path.open("rb") as file:
        for place in ((start, os.SEEK_SET), (-8, os.SEEK_END)):
            file.seek(*place)
            (table,) = struct.unpack("<q", file.read(8).ljust(8, b"\0"))
            if table != -1:  # else it stands at the end
                break
        file.seek(min(max(table, 0), size))
        count: int = struct.unpack("<II", file.read(8).ljust(8, b"\0"))[1]
    return count


def _measured(file: Any, classes: tuple[int, ...] | None, path: Path) -> tuple[Extent, Extent]:
    """Extents of the points that may count, and of all points; headers may say anything of it.

    Raises ScenarioError where there is no area.
    """
    spans = [(np.full(2, np.inf), np.full(2, -np.inf))] * 2  # of those that may count, and of all
    for points, kinds, kept in _chunks(file, path):
        counts = kept & (np.isin(kinds, classes) if classes is not None else ~np.isin(kinds, NOISE))
        for i, places in enumerate((points[counts, :2], points[:, :2])):
            low, high = spans[i]
            spans[i] = (
                np.minimum(low, places.min(axis=0, initial=np.inf)),
                np.maximum(high, places.max(axis=0, initial=-np.inf)),
            )
    (own, every) = ((float(low[0]), float(high[0]), float(low[1]), float(high[1])) for low, high in spans)
    if own[0] > own[1]:
        own = every  # none counts, which is reported with the classes that there are
    x0, x1, y0, y1 = own
    if not (np.isfinite(own).all() and x0 < x1 and y0 < y1 and max(map(abs, own)) < 1e9):
        raise ScenarioError(
            "", N_("expected points over an area, got x {x0:g} to {x1:g}, y {y0:g} to {y1:g}", x0, x1, y0, y1), path
        )
    return own, every


def _named_header(head: Any, found: Extent, path: Path) -> tuple[str, ...]:
    """A note on a header that does not say where the points are; found: where they are."""
    (x0, y0, _), (x1, y1, _) = np.asarray(head.mins, float).tolist(), np.asarray(head.maxs, float).tolist()
    said = x0, x1, y0, y1
    slack = max(2.0 * float(max(head.scales[:2])), 1e-3 * max(found[1] - found[0], found[3] - found[2]))
    if all(abs(mine - theirs) <= slack for mine, theirs in zip(said, found, strict=True)):
        return ()
    return (
        N_(
            "{name}: its header is wrong, {said}; its points lie in {found}",
            path.name,
            range_in_words(said),
            range_in_words(found),
        ),
    )


def _chunks(file: Any, path: Path) -> Iterator[tuple[Array, npt.NDArray[np.uint8], npt.NDArray[np.bool_]]]:
    """Points (n, 3), their classes, and which are kept, others being withdrawn."""
    if not file.header.point_count:
        raise ScenarioError("", N_("no points"), path)
    read = 0
    for chunk in file.chunk_iterator(AT_ONCE):
        check_wanted(read / file.header.point_count)
        read += len(chunk)
        points = np.stack([np.asarray(chunk.x), np.asarray(chunk.y), np.asarray(chunk.z)], axis=1)
        yield points, np.asarray(chunk.classification).astype(np.uint8), np.asarray(chunk.withheld) == 0
    if read != file.header.point_count:
        raise ScenarioError(
            "", N_("its header counts {point_count} points, found {read}", file.header.point_count, read), path
        )


def _system(head: Any, path: Path) -> DeclaredSystem:
    """The coordinate system that a file declares."""
    records: dict[str, list[Any]] = {}
    for record in (*head.vlrs, *(head.evlrs or ())):
        records.setdefault(type(record).__name__, []).append(record)
    texts = [record.string.rstrip("\0 ") for record in records.get("WktCoordinateSystemVlr", ())]
    keys = [key for record in records.get("GeoKeyDirectoryVlr", ()) for key in record.geo_keys]
    words = [word for key in keys for word in (key.id, key.tiff_tag_location, key.count, key.value_offset)]
    doubles = [number.value for record in records.get("GeoDoubleParamsVlr", ()) for number in record.doubles]
    return of_records(texts, words, doubles, path)
