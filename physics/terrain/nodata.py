"""Heights out of the numbers of a file, and cells that have none: filled from those around, or cut out of the map.

Every reader of maps goes the same way: the file's own numbers, what is no height among them, scale and unit, rows from
the south, means of cells. What a file does not declare is so found before it is scaled or averaged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from contextvars import copy_context
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.terrain.raster import GridPart, check_degrees
from physics.terrain.terrain import Kinds, Terrain

FAR = 100.0  # cells over which heights are interpolated; beyond, that of the nearest known cell
HIGHEST = 9000.0  # [m] no ground is farther from sea level: what is, stands for NODATA
NEAR = 100.0  # [m] between numbers on both sides of HIGHEST: these are heights in another unit, and none is NODATA
STRIP = 1_000_000  # cells that are read at a time, and turned over while they are in the processor's own memory
NARROW = 2  # nodes: gaps of a surface that are not wider are closed
USUAL = (-9999.0, -99999.0, -999999.0, -32767.0, -32768.0)  # numbers that stand for NODATA in any unit
Pair = tuple[float, float]
NONE: Pair = (math.inf, -math.inf)  # lowest and highest of no numbers


class Law(NamedTuple):
    """Conversion of the numbers of a file to heights [m]: scale · number + offset.

    nodata: numbers within HIGHEST of sea level that stand for NODATA all the same
    """

    scale: float = 1.0
    offset: float = 0.0
    nodata: tuple[float, ...] = ()

    @property
    def bounds(self) -> Pair:
        """The numbers between which heights lie."""
        low, high = sorted((side - self.offset) / self.scale for side in (-HIGHEST, HIGHEST))
        return low, high


def law_of(scale: float = 1.0, offset: float = 0.0, dtype: str = "float64") -> Law:
    """The law of numbers of a type: USUAL ones and, of integers of two bytes or more, the last of the type are NODATA.

    Those alone that the law makes heights of: in metres none, in feet -9999, in tenths of a metre -32768.
    """
    usual = [*USUAL]
    if (kind := np.dtype(dtype)).kind in "iu" and kind.itemsize > 1:
        limits = np.iinfo(kind)
        usual += [float(limits.max), *([float(limits.min)] if kind.kind == "i" else [])]
    low, high = Law(scale, offset).bounds
    return Law(scale, offset, tuple(number for number in dict.fromkeys(usual) if low < number < high))


class NumbersFound(NamedTuple):
    """Counts and ranges of the numbers of a file.

    cells: of the file; unknown: those without height; known, taken: the lowest and the highest number that is a height,
    and that stood for NODATA without being declared; beyond: of the latter the nearest to heights, below and above
    """

    cells: int = 0
    unknown: int = 0
    known: Pair = NONE
    taken: Pair = NONE
    beyond: Pair = (-math.inf, math.inf)

    def and_in(self, other: NumbersFound) -> NumbersFound:
        """Counts and ranges of both parts."""
        return NumbersFound(
            self.cells + other.cells,
            self.unknown + other.unknown,
            _wider(self.known, other.known),
            _wider(self.taken, other.taken),
            (max(self.beyond[0], other.beyond[0]), min(self.beyond[1], other.beyond[1])),
        )


def _wider(one: Pair, other: Pair) -> Pair:
    return min(one[0], other[0]), max(one[1], other[1])


def _ends(numbers: Array) -> Pair:
    return (float(numbers.min()), float(numbers.max())) if numbers.size else NONE


def in_metres(numbers: Array, law: Law) -> NumbersFound:
    """Turn the own numbers of a file into heights [m], in place: NaN where they are none; and what was found.

    What the file declares as NODATA is NaN already.
    """
    (low, high), (least, most) = law.bounds, _ends(numbers)
    if not (low < least and most < high) or any((numbers == number).any() for number in law.nodata):  # or NaN
        known = (numbers > low) & (numbers < high)
        for number in law.nodata:
            known &= numbers != number
        taken = numbers[~known & np.isfinite(numbers)]
        beyond = float(taken[taken <= low].max(initial=-np.inf)), float(taken[taken >= high].min(initial=np.inf))
        found = NumbersFound(
            numbers.size, numbers.size - int(np.count_nonzero(known)), _ends(numbers[known]), _ends(taken), beyond
        )
        numbers[~known] = np.nan
    else:
        found = NumbersFound(numbers.size, 0, (least, most))
    if law.scale != 1.0 or law.offset != 0.0:
        numbers *= law.scale
        numbers += law.offset
    return found


def check_heights(found: NumbersFound, law: Law, path: Path) -> None:
    """ScenarioError where no number is a height, or where numbers go on beyond HIGHEST: they are in another unit."""
    text = N_("numbers from {{:.6g}} to {{:.6g}}").format(*_wider(found.known, found.taken))
    expected = N_("expected heights in metres, none farther than {highest:g} m from sea level", HIGHEST)
    if found.unknown == found.cells:
        if found.taken[0] < found.taken[1]:
            raise ScenarioError("", N_("{text} are no heights; {expected}", text, expected), path)
        raise ScenarioError("", N_("all cells are NODATA; expected heights"), path)
    gaps = found.known[0] - found.beyond[0], found.beyond[1] - found.known[1]
    if min(gaps) * abs(law.scale) < NEAR:
        raise ScenarioError(
            "", N_("{text} are not all heights; {expected}, and NODATA that the file declares", text, expected), path
        )


# ---- cells --------------------------------------------------------------------------------------------

# first row of the part, from the north, and number of rows, of the file -> its own numbers, NaN where they are declared
# as NODATA; rows are read in order
Reader = Callable[[int, int], Array]


def read_cells(
    opened: Sequence[AbstractContextManager[Reader]],
    part: GridPart,
    law: Law,
    path: Path,
    *,
    rows: int | None = None,
    single: bool = False,
) -> tuple[Array, NumbersFound]:
    """Heights (rows, columns) [m] of a part of a map, from the south, NaN where unknown, and what was found.

    opened: readers of the file, each for a thread of its own; rows: of a strip; single: in single precision. Raises
    ScenarioError where numbers are no heights in metres, or coordinates are degrees.
    """
    heights = np.empty((part.rows, part.columns), np.float32 if single else np.float64)
    rows = rows or strip_rows(part)
    with ExitStack() as stack:
        read_in_turn = partial(_read_strips, heights, part, law, rows, len(opened) * rows)
        readers = [stack.enter_context(one) for one in opened]
        if len(readers) == 1:
            found = read_in_turn(0, readers[0])
        else:
            pool = stack.enter_context(ThreadPoolExecutor(len(readers)))
            parts = [pool.submit(copy_context().run, read_in_turn, i * rows, read) for i, read in enumerate(readers)]
            found = reduce(NumbersFound.and_in, [one.result() for one in parts])
    check_heights(found, law, path)
    if not part.projected:
        check_degrees(heights, part.cell, part.own, part.whole, path)
    return heights, found


def strip_rows(part: GridPart) -> int:
    """The rows of cells that are read at a time."""
    return max(1, -(-STRIP // (part.columns * part.k**2)))


def _read_strips(
    heights: Array, part: GridPart, law: Law, rows: int, stride: int, first: int, read: Reader
) -> NumbersFound:
    """Fill a strip of so many rows every stride rows, from the first; what was found in them."""
    found, k = NumbersFound(), part.k
    for row in range(first, part.rows, stride):
        n = min(rows, part.rows - row)
        strip = heights[part.rows - row - n : part.rows - row][::-1]
        high = n * k if n > 1 else max(1, min(k, STRIP // (part.columns * k)))  # of the file, read at a time
        total, count = np.zeros((2, n, part.columns * k)) if k > 1 else np.zeros((2, 0, 0))  # of rows, then of columns
        for above in range(row * k, (row + n) * k, high):
            check_wanted(row / part.rows)
            numbers = read(above, min(high, (row + n) * k - above))
            here = in_metres(numbers, law)
            found = found.and_in(here)
            if k == 1:
                strip[:] = numbers
                continue
            cells = numbers.reshape(n, -1, part.columns * k)
            if here.unknown:
                known = ~np.isnan(cells)
                cells[~known] = 0.0
                count += known.sum(axis=1)
            else:
                count += cells.shape[1]
            total += cells.sum(axis=1)
        if k > 1:
            total, count = (rows_of.reshape(n, part.columns, k).sum(axis=2) for rows_of in (total, count))
            strip[:] = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return found


# ---- cells without height -----------------------------------------------------------------------------


def mended(terrain: Terrain, nodata: str, path: Path, found: NumbersFound | None = None) -> Terrain:
    """The terrain with its cells without height filled ("fill") or cut out ("cut"), and a note on them.

    found: what was found in the numbers of the file, of a map whose cells may be means of those. Raises ScenarioError
    where that leaves nothing.
    """
    whole = not math.isnan(terrain.heights.min())
    if whole and (found is None or not found.unknown):
        return terrain
    unknown = np.isnan(terrain.heights)
    found = found or NumbersFound(unknown.size, int(np.count_nonzero(unknown)))
    share = N_(
        "{unknown} of {cells} cells were NODATA in {name}{found}; ",
        found.unknown,
        found.cells,
        path.name,
        undeclared(found),
    )
    if whole:
        return replace(terrain, notes=(*terrain.notes, N_("{share}means of cells leave them out", share)))
    if unknown.all():
        raise ScenarioError("", N_("all cells are NODATA; expected heights"), path)
    if nodata == "fill":
        left = N_(
            "means of cells leave them out, and {unknown} of {size} means without any were",
            np.count_nonzero(unknown),
            unknown.size,
        )
        text = (
            N_("{share}{left}", share, left) if found.cells > unknown.size else N_("{share}their heights were", share)
        )
        notes = (*terrain.notes, N_("{text} interpolated from those around them", text))
        return replace(terrain, heights=filled(terrain.heights, unknown), notes=notes)
    return cut(replace(terrain, notes=(*terrain.notes, N_("{share}the map ends there", share))), path)


def cut(terrain: Terrain, path: Path) -> Terrain:
    """The terrain with holes where heights are NaN; ScenarioError where that leaves nothing."""
    unknown = np.isnan(terrain.heights)
    holes: Kinds = (unknown[1:, 1:] | unknown[1:, :-1] | unknown[:-1, 1:] | unknown[:-1, :-1]).astype(np.uint8)
    if holes.all():
        raise ScenarioError("", N_("no cell of the map has a height at each corner; expected nodata = 'fill'"), path)
    return replace(terrain, heights=filled(terrain.heights, unknown), holes=holes)


def undeclared(found: NumbersFound) -> str:
    """Words on numbers taken for NODATA that the file does not declare."""
    low, high = found.taken
    if low > high:
        return ""
    numbers = N_("the number {low:.6g}", low) if low == high else N_("numbers from {low:.6g} to {high:.6g}", low, high)
    return N_(" ({numbers}, not declared but no height)", numbers)


def gaps_closed(terrain: Terrain, path: Path) -> Terrain:
    """Terrain of a surface with its gaps closed: holes inside it, and joints of at most NARROW nodes; with notes."""
    from scipy.ndimage import binary_closing, binary_fill_holes  # here: they take long to load, and a window waits

    known = ~np.isnan(terrain.heights)
    wide = np.pad(known, NARROW)
    inside = binary_fill_holes(binary_closing(wide, np.ones((3, 3)), NARROW // 2))[NARROW:-NARROW, NARROW:-NARROW]
    gaps = inside & ~known
    if not gaps.any() or not known.any():
        return terrain
    heights = np.where(gaps, filled(terrain.heights, ~known), terrain.heights)
    note = N_(
        "{gaps} of {size} nodes lie in gaps of {name}; their heights were interpolated",
        np.count_nonzero(gaps),
        gaps.size,
        path.name,
    )
    return replace(terrain, heights=heights, notes=(*terrain.notes, note))


def filled(heights: Array, unknown: npt.NDArray[np.bool_]) -> Array:
    """Unknown heights by inverse distance from the known ones around; far from any, that of the nearest."""
    from rasterio.fill import fillnodata

    level = float(heights[~unknown].mean())  # single precision is spent on what differs
    rest = np.where(unknown, np.nan, heights - level).astype(np.float32)
    rest = fillnodata(rest, (~unknown).astype(np.uint8), max_search_distance=FAR, smoothing_iterations=0)
    found = np.where(unknown, rest + level, heights)
    far = np.isnan(found)
    if far.any():
        from scipy.ndimage import distance_transform_edt

        j, i = distance_transform_edt(far, return_distances=False, return_indices=True)
        found = found[j, i]
    return found
