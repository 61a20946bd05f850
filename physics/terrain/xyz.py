"""Points x, y, z in a text file, in any order: on a regular grid, or at irregular places."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import numpy as np

from physics.bodies.mesh_io import turned
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_text
from physics.core.rotation import Array
from physics.core.text_tables import Head, Marks, fault_in, numbers_in, read_head
from physics.terrain.crop import LARGEST, Window, check_size, check_window, part_of
from physics.terrain.nodata import Found, check_heights, in_metres, law_of, read_cells
from physics.terrain.surface import between_points, highest, lost_points
from physics.terrain.terrain import Terrain

CHUNK = 16_000_000  # letters that are read at once: half a million lines
SLACK = 0.02  # of a cell: coordinates are rounded in the file
NAMES = (  # headings of x, y and z, in small letters
    ("x", "e", "east", "easting"),
    ("y", "n", "north", "northing"),
    ("z", "h", "height", "elevation", "altitude"),
)
SPARSE = 20  # nodes a point: points that leave more of a grid out make none


def read_points(
    path: Path,
    window: Window | None = None,
    resolution: float | None = None,
    nodata: str | None = None,
    up: str = "z",
) -> tuple[Terrain, Found | None]:
    """A terrain from lines x y z [m], parted by blanks, commas or semicolons, with or without a header.

    Headings such as E, N, H say which columns these are; without them they are the first three, and others are left
    out, which is told. Nodes of a regular grid that the file leaves out are NaN, and what was found in its numbers
    comes with it. Between points that make none there are triangles, see physics.terrain.surface. The others: see
    physics.terrain.dem.read_terrain. Raises ScenarioError where lines are not three numbers.
    """
    points, notes = _points(path, window, up)
    found = in_metres(points[:, 2], law_of())
    check_heights(found, law_of(), path)
    columns, rows = _axis(points[:, 0], "x", path), _axis(points[:, 1], "y", path)
    if columns is None or rows is None or columns[2] * rows[2] > SPARSE * len(points):
        terrain = between_points(points, path, window, resolution, nodata, found)
        return replace(terrain, notes=(*notes, *terrain.notes)), None
    (x0, dx, nx), (y0, dy, ny) = columns, rows
    extent = (x0, x0 + (nx - 1) * dx, y0, y0 + (ny - 1) * dy)
    check_size(nx, ny, LARGEST, path, extent)
    place = _nodes(points, columns, rows)
    if np.bincount(place).max() > 1:
        points, lost = highest(points)
        place, notes = _nodes(points, columns, rows), (*notes, *lost_points(lost, path))
        if np.bincount(place).max() > 1:
            raise ScenarioError(
                "", "points share a place or make no regular grid; expected one height in each place", path
            )
    grid = np.full((ny, nx), np.nan)
    grid.ravel()[place] = points[:, 2]
    part = part_of((x0 - dx / 2, extent[3] + dy / 2), (dx, dy), (nx, ny), None, resolution, LARGEST, path)

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
        head = read_head(file, path)
        places, notes = _columns(head, path)
        for number, lines in _blocks(file, head, path):
            check_wanted()
            chunk = turned(_numbers(lines, number, head, places, path), up)
            if not len(chunk):
                continue
            if not np.isfinite(chunk[:, :2]).all():
                raise ScenarioError("", "expected finite coordinates", path)
            if notes and not head.names and not kept and len(chunk) > 3 and (np.diff(chunk[:, 0]) == 1.0).all():
                raise ScenarioError("", "the first column counts the points; expected x, y, z in the first three", path)
            low, high = np.minimum(low, chunk[:, :2].min(axis=0)), np.maximum(high, chunk[:, :2].max(axis=0))
            if window is not None:
                x, y = chunk[:, 0], chunk[:, 1]
                chunk = chunk[(x >= window[0]) & (x <= window[2]) & (y >= window[1]) & (y <= window[3])]
            kept.append(chunk)
            size += len(chunk)
            if size > LARGEST:
                raise ScenarioError(
                    "",
                    f"more than the {LARGEST} points that are read at once; expected a part of the map, [terrain] "
                    f"window = [xmin, ymin, xmax, ymax]; its first points lie around ({low[0]:.10g}, {low[1]:.10g})",
                    path,
                )
    if not kept:
        raise ScenarioError("", "no points; expected lines x y z", path)
    if window is not None:
        check_window(window, (low[0], high[0], low[1], high[1]), path)
    if size < 4:
        raise ScenarioError("", f"expected at least 2 x 2 points, found {size}", path)
    return np.concatenate(kept), notes


def _columns(head: Head, path: Path) -> tuple[list[int], tuple[str, ...]]:
    """The columns of x, y and z, from 0, and a note where there are others."""
    if not head.width:
        raise ScenarioError("", "no points; expected lines x y z", path)
    if head.width < 3:
        raise ScenarioError("", f"expected three numbers x, y, z a line, got {head.width}", path)
    names = [re.split(r"[\s\[(]", name.strip().lower())[0] for name in head.names]
    found = [next((i for i, name in enumerate(names) if name in known), None) for known in NAMES]
    places = [0, 1, 2] if None in found else [place for place in found if place is not None]
    if places == [0, 1, 2] and head.width == 3:
        return places, ()
    told = ", ".join(head.names[i] if head.names else str(i + 1) for i in places)
    return places, (f"{path.name}: x, y, z are its columns {told}; others are left out",)


def _numbers(lines: list[str], number: int, head: Head, places: list[int], path: Path) -> Array:
    """The points (n, 3) in lines, of which the first has a number."""
    marks = _marks(head)
    try:
        return numbers_in(lines, marks, places)
    except ValueError:
        fault = fault_in(lines, marks, places, math.inf)
    if fault is None:
        raise ScenarioError("", "not a table of numbers; expected lines x y z", path)
    line, _, word = fault
    expected = (
        f"expected three numbers x, y, z, got '{word:.40}'"
        if word
        else ("expected three numbers x, y, z, like the lines before")
    )
    raise ScenarioError(f"line {number + line}", expected, path)


def _marks(head: Head) -> Marks:
    """The marks of numbers, between which tabs are blanks: there may be two, to align columns."""
    return head.marks if head.marks.separator != "\t" else Marks("", decimal_comma=True)


def _blocks(file: TextIO, head: Head, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Blocks of lines of about CHUNK letters, below the head, and the number of the first; ScenarioError for a line
    that is longer.
    """
    file.seek(0)
    for _ in range(head.first):
        file.readline()
    rest, number = "", head.first + 1
    while text := file.read(CHUNK):
        check_text(text, number, path)
        whole, mark, end = (rest + text).rpartition("\n")
        if not whole and len(end) >= CHUNK:
            raise ScenarioError("", f"{len(end)} letters without a line's end; expected lines x y z", path)
        rest = end
        if mark:
            yield number, whole.split("\n")
            number += whole.count("\n") + 1
    if rest:
        yield number, [rest]


def _axis(values: Array, name: str, path: Path) -> tuple[float, float, int] | None:
    """First value, step and number of the equal steps along an axis; None where steps differ."""
    different = np.unique(values)
    if len(different) < 2:
        raise ScenarioError("", f"all points have {name} = {values[0]:g}; expected a grid", path)
    gaps = np.diff(different)
    gap = float(np.median(gaps[gaps > 1e-6 * (different[-1] - different[0])]))
    n = round((different[-1] - different[0]) / gap)
    step = float(different[-1] - different[0]) / max(n, 1)
    off = (different - different[0]) / step
    if n < 1 or np.abs(off - np.rint(off)).max() > SLACK:
        return None
    return float(different[0]), step, n + 1
