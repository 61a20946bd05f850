"""Points x, y, z in a text file, in any order: on a regular grid, or at irregular places."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import check_text
from physics.core.rotation import Array
from physics.terrain.crop import LARGEST, Window, check_size, check_window, steps
from physics.terrain.surface import between_points, turned
from physics.terrain.terrain import Terrain

CHUNK = 16_000_000  # letters that are read at once: half a million lines
SLACK = 0.02  # of a cell: coordinates are rounded in the file
SPARSE = 20  # nodes a point: points that leave more of a grid out make none


def read_points(
    path: Path,
    window: Window | None = None,
    resolution: float | None = None,
    nodata: str | None = None,
    up: str = "z",
) -> Terrain:
    """A terrain from lines x y z [m], parted by blanks, commas or semicolons, with or without a header.

    Nodes of a regular grid that the file leaves out are NaN. Between points that make none there are triangles, see
    physics.terrain.surface. The others: see physics.terrain.dem.read_terrain. Raises ScenarioError where lines are not
    three numbers.
    """
    x, y, z = _points(path, window, up)
    columns, rows = _axis(x, "x", path), _axis(y, "y", path)
    if columns is None or rows is None or columns[2] * rows[2] > SPARSE * len(x):
        return between_points(np.column_stack([x, y, z]), path, window, resolution, nodata)
    (x0, dx, nx), (y0, dy, ny) = columns, rows
    check_size(nx, ny, LARGEST, path, (float(x.min()), float(x.max()), float(y.min()), float(y.max())))
    place = np.rint((y - y0) / dy).astype(np.int64) * nx + np.rint((x - x0) / dx).astype(np.int64)
    if np.bincount(place).max() > 1:
        raise ScenarioError("", "points share a place or make no regular grid; expected one height in each place", path)
    heights = np.full((ny, nx), np.nan)
    heights.ravel()[place] = z
    k = steps(resolution, dx, path)
    if k > 1:
        heights = _averaged(heights, k, path)
    origin = (x0 + dx * (k - 1) / 2, y0 + dy * (k - 1) / 2)
    return Terrain(heights, origin, (k * dx, k * dy), None, path.stem)


def _points(path: Path, window: Window | None, up: str) -> tuple[Array, Array, Array]:
    """The columns of all points in the window."""
    kept, size, low, high = [], 0, np.full(2, np.inf), np.full(2, -np.inf)
    for read in _chunks(path):
        chunk = turned(read, up)
        if not np.isfinite(chunk[:, :2]).all():
            raise ScenarioError("", "expected finite coordinates", path)
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
    x, y, z = np.concatenate(kept).T
    if len(x) < 4:
        raise ScenarioError("", f"expected at least 2 x 2 points, found {len(x)}", path)
    return x, y, z


def _chunks(path: Path) -> Iterator[Array]:
    """Blocks (n, 3) of points."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        head, delimiter = _head(file, path)
        check_text("".join(head), 1, path)
        number = 3 - len(head)
        for block in _blocks(file, head, path):
            check_wanted()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # no numbers in it
                try:
                    points = np.loadtxt(block, delimiter=delimiter, ndmin=2)
                except ValueError as error:
                    raise ScenarioError(*_fault(str(error), number), path) from None
            if points.size and points.shape[1] != 3:
                raise ScenarioError("", f"expected three numbers x, y, z a line, got {points.shape[1]}", path)
            if points.size:
                yield points
            number += len(block)


def _blocks(file: TextIO, head: list[str], path: Path) -> Iterator[list[str]]:
    """Blocks of lines of about CHUNK letters, those of the head first; ScenarioError for a line that is longer."""
    rest, number = "".join(head), 3
    while text := file.read(CHUNK):
        check_text(text, number, path)
        number += text.count("\n")
        whole, _, end = (rest + text).rpartition("\n")
        if not whole and len(end) >= CHUNK:
            raise ScenarioError("", f"{len(end)} letters without a line's end; expected lines x y z", path)
        rest = end
        if whole:
            yield whole.split("\n")
    if rest:
        yield rest.split("\n")


def _head(file: TextIO, path: Path) -> tuple[list[str], str | None]:
    """The first line if it holds numbers, not names; and what parts them."""
    first = file.readline(1000)
    second = file.readline(1000)
    delimiter = next((mark for mark in ";," if mark in second or (not second and mark in first)), None)
    if not second.strip() and not first.strip():
        raise ScenarioError("", "no points; expected lines x y z", path)
    try:
        np.array(first.split(delimiter), dtype=float)
    except ValueError:
        return [second], delimiter
    return [first, second], delimiter


def _fault(words: str, number: int) -> tuple[str, str]:
    """The line and what is wrong with it, from numpy's words; number: of the block's first line."""
    row = re.search(r"row (\d+)", words)
    text = re.search(r"string '([^']*)'", words)
    # numpy counts rows from 0 where it converts and from 1 where it counts columns
    line = number + int(row.group(1)) - (0 if text else 1) if row else number
    return f"line {line}", f"expected three numbers x, y, z, got '{text.group(1):.40}'" if text else (
        "expected three numbers x, y, z, like the lines before"
    )


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


def _averaged(heights: Array, k: int, path: Path) -> Array:
    """Means of k x k cells; NaN where none is known."""
    ny, nx = heights.shape[0] // k, heights.shape[1] // k
    check_size(nx, ny, LARGEST, path)
    blocks = heights[: ny * k, : nx * k].reshape(ny, k, nx, k).swapaxes(1, 2).reshape(ny, nx, k * k)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # means of nothing
        return np.asarray(np.nanmean(blocks, axis=2))
