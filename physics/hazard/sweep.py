"""Sweeps: around which nodes of the grid a square is touched by a rock, and the maxima that the rock has meanwhile.

A rock sweeps a strip: its path, and on both sides half its width. What is counted so hangs on the side of the square,
which a study names, and not on the cells of the grid: a finer grid only has more nodes. A path is followed in steps of
STEP: each state of the rock counts at the last place from which it is not yet as far away.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from physics.core.jit import brief, formula, kernel
from physics.core.rotation import Array
from physics.hazard.statistics import COUNT, Cells
from physics.schemes.loop import AT_R

STEP = 0.1  # [m] on the map between two places of a path
STRIP = 32  # cells of a row of the grid that are stored together
_BEGUN, _X, _Y, _MOST, FOLLOW_CARRY = 0, 1, 2, 3, 3 + COUNT
_BLOCK = 32  # places whose maxima are known together

Int32Array = NDArray[np.int32]


def width_of(volume: float) -> float:
    """The width [m] of a rock of this volume [m³]: the diameter of a ball of as much."""
    return math.cbrt(6.0 * volume / math.pi)


@kernel
def follow(rows: Array, values: Array, carry: Array, places: Array, most: Array) -> int:
    """Put the places (n, 2) of rows of one rock (rows, ROW_SIZE), and the maxima of its values there; how many.

    carry (FOLLOW_CARRY,): zeros before the first rows; it keeps the place that is not over, see ``last_row``.
    """
    n = 0
    for row in range(rows.shape[0]):
        x, y = rows[row, AT_R], rows[row, AT_R + 1]
        if carry[_BEGUN] == 0.0 or (x - carry[_X]) ** 2 + (y - carry[_Y]) ** 2 >= STEP * STEP:
            if carry[_BEGUN] > 0.0:
                places[n, 0], places[n, 1] = carry[_X], carry[_Y]
                most[n] = carry[_MOST:]
                n += 1
            carry[_BEGUN], carry[_X], carry[_Y] = 1.0, x, y
            carry[_MOST:] = values[row]
        else:
            for k in range(COUNT):
                carry[_MOST + k] = max(carry[_MOST + k], values[row, k])
    return n


def last_row(carry: Array) -> tuple[Array, Array]:
    """The last place (1, 2) of ``follow`` and its maxima (1, COUNT)."""
    return carry[None, _X:_MOST], carry[None, _MOST:]


class SweepRoom:
    """Room for the sweep of one rock; used again, empty, for the next rock of a thread.

    Attributes
    ----------
    directory (strips,) : number of each strip of the map in ``peaks``, below 0 where the rock was not
    used (n,), peaks (n, STRIP, COUNT), since (n, STRIP) : number of the strip on the map, its maxima, -inf where the
        rock was not, and the place since which it touches the square of each
    """

    def __init__(self, cells: int) -> None:
        self.directory = np.full(-(-cells // STRIP), -1, np.int32)
        self._take(256)

    def _take(self, strips: int) -> None:
        self.used = np.full(strips, -1)
        self.peaks, self.since = np.empty((strips, STRIP, COUNT)), np.empty((strips, STRIP), np.int32)

    def swept(
        self, places: Array, most: Array, touch: tuple[float, float], shape: tuple[int, int], cell: tuple[float, float]
    ) -> tuple[Cells, Array]:
        """The cells (n,) that a path of ``follow`` touches, in their order, and their maxima (n, COUNT).

        touch : half the side of the square and half the width of the rock [m]
        shape, cell : of the grid: rows and columns, and their distances [m]
        """
        path = places, most, touch, shape, cell
        while (n := sweep(*path, self.directory, self.used, self.peaks, self.since)) < 0:
            self.directory[self.used] = -1
            self._take(2 * len(self.used))  # a kernel that makes its room longer takes ten times as long
        return taken_out(self.directory, self.used, self.peaks, n)


@formula
def _half(side: float, radius: float, across: float) -> float:
    """Half the chord of a square of half this side, rounded by a radius, so far from its middle; below 0 beyond it."""
    if across <= side:
        return side + radius
    if across > side + radius:
        return -1.0
    return side + math.sqrt(radius * radius - (across - side) * (across - side))


@formula
def _past(value: float, most: int) -> int:
    """The least whole number from 0 to most that is not below a value."""
    if value <= 0.0:
        return 0
    whole = int(min(value, float(most)))
    return whole + 1 if whole < value and whole < most else whole


@formula
def _raise(
    peaks: Array, slot: int, inside: int, first: int, last: int, most: Array, so_far: Array, onward: Array
) -> None:
    """Raise the peaks of a node to the largest of places first to last; so_far, onward: see ``sweep``."""
    if first // _BLOCK == last // _BLOCK:
        for i in range(first, last + 1):
            for k in range(COUNT):
                peaks[slot, inside, k] = max(peaks[slot, inside, k], most[i, k])
        return
    for k in range(COUNT):
        highest = max(peaks[slot, inside, k], max(onward[first, k], so_far[last, k]))
        for block in range(first // _BLOCK + 1, last // _BLOCK):
            highest = max(highest, onward[block * _BLOCK, k])
        peaks[slot, inside, k] = highest


@kernel
def sweep(
    places: Array,
    most: Array,
    touch: tuple[float, float],
    shape: tuple[int, int],
    cell: tuple[float, float],
    directory: Int32Array,
    used: Cells,
    peaks: Array,
    since: Int32Array,
) -> int:
    """See ``SweepRoom.swept``. Returns the number of strips; -1 where there is no room for as many.

    A row of nodes is touched from one node to another, and from place to place few come or go: a node that goes has
    the maxima since it came. so_far, onward: maxima from the first of a block of places to each, and from it on.
    """
    (side, radius), (ny, nx), (dx, dy), m, n = touch, shape, cell, places.shape[0], 0
    so_far, onward = most.copy(), most.copy()
    for i in range(1, m):
        if i % _BLOCK:
            for k in range(COUNT):
                so_far[i, k] = max(so_far[i, k], so_far[i - 1, k])
    for i in range(m - 2, -1, -1):
        if (i + 1) % _BLOCK:
            for k in range(COUNT):
                onward[i, k] = max(onward[i, k], onward[i + 1, k])
    lowest, above = (
        _past((places[:, 1].min() - side - radius) / dy, ny),
        _past((places[:, 1].max() + side + radius) / dy, ny),
    )
    begins = np.zeros(max(above - lowest, 0), np.int64)  # the first node of each row that is touched, and
    ends = np.zeros(max(above - lowest, 0), np.int64)  # the first one behind it that is not
    low, high = lowest, lowest  # rows that are touched, and the first one behind them
    for place in range(m + 1):
        first, last, x, y = lowest, lowest, 0.0, 0.0
        if place < m:
            x, y = places[place, 0], places[place, 1]
            first, last = _past((y - side - radius) / dy, ny), _past((y + side + radius) / dy, ny)
        for j in range(low if first == last else min(low, first), max(high, last)):
            begin = end = 0
            if first <= j < last:
                half = _half(side, radius, abs(j * dy - y))
                if half >= 0.0:
                    begin, end = _past((x - half) / dx, nx), _past((x + half) / dx, nx)
            if end <= begin:
                begin = end = 0
            was, till = begins[j - lowest], ends[j - lowest]
            if begin == was and end == till:
                continue
            for i in range(was, till):
                if begin <= i < end:
                    continue
                slot, inside = directory[(j * nx + i) // STRIP], (j * nx + i) % STRIP
                _raise(peaks, slot, inside, since[slot, inside], place - 1, most, so_far, onward)
            for i in range(begin, end):
                if was <= i < till:
                    continue
                strip, inside = (j * nx + i) // STRIP, (j * nx + i) % STRIP
                slot = directory[strip]
                if slot < 0:
                    if n == used.shape[0]:
                        return -1
                    slot, directory[strip], used[n] = n, n, strip
                    for k in range(STRIP * COUNT):
                        peaks[n, k // COUNT, k % COUNT] = -np.inf
                    n += 1
                since[slot, inside] = place
            begins[j - lowest], ends[j - lowest] = begin, end
        low, high = first, last
    return n


@brief
def taken_out(directory: Int32Array, used: Cells, peaks: Array, n: int) -> tuple[Cells, Array]:
    """The cells (m,) of n strips that were touched, in their order, and their maxima; the directory is empty again."""
    cells, most, m = np.empty(n * STRIP, np.int64), np.empty((n * STRIP, COUNT)), 0
    for slot in np.argsort(used[:n]):
        directory[used[slot]] = -1
        for inside in range(STRIP):
            if peaks[slot, inside, 0] >= 0.0:
                cells[m] = used[slot] * STRIP + inside
                most[m] = peaks[slot, inside]
                m += 1
    return cells[:m].copy(), most[:m].copy()
