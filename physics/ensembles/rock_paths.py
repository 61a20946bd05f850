"""Paths of the first rocks of an ensemble, thinned: what a 3D view and a GIS draw, in memory that is bounded."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from physics.contact.moreau import AT_R, AT_V
from physics.core.jit import kernel
from physics.core.rotation import Array
from physics.ensembles.statistics import QUANTITIES, quantities

MOST_ROCKS, MOST_POINTS = 2000, 1_000_000  # that are kept of one scheme: 28 MB
SPACING = 2.0  # [m] of path between points, but at bounces and summits
LEAST_SPACING = 0.25  # [m] a rock that rolls has too many of those
# what goes on from one block of rows to the next: whether there was one, path since the last point, place, rise
_BEGUN, _PATH, _X, _Y, _Z, _RISE, CARRY_SIZE = 0, 1, 2, 3, 4, 5, 6

Points = NDArray[np.float32]


@kernel
def thin(
    rows: Array,
    over: bool,
    moments: Array,
    mass: float,
    heights: Array,
    cell: tuple[float, float],
    carry: Array,
    points: Points,
    values: Points,
) -> int:
    """Put the rows (n, COLUMNS) of one rock that a picture needs into points (n, 3) and values (n, 4); how many.

    The first row, each that is SPACING from the point before it, each at which the rock begins to rise or to sink,
    and the last row when the rock's run is ``over``. carry (CARRY_SIZE,): zeros before the first rows.
    """
    kept = 0
    for row in range(rows.shape[0]):
        x, y, z, rise = rows[row, AT_R], rows[row, AT_R + 1], rows[row, AT_R + 2], rows[row, AT_V + 2]
        wanted = carry[_BEGUN] == 0.0
        if not wanted:
            carry[_PATH] += math.sqrt((x - carry[_X]) ** 2 + (y - carry[_Y]) ** 2 + (z - carry[_Z]) ** 2)
            turns = (rise > 0.0) != (carry[_RISE] > 0.0)
            wanted = carry[_PATH] >= SPACING or (turns and carry[_PATH] >= LEAST_SPACING)
            wanted = wanted or (over and row == rows.shape[0] - 1 and carry[_PATH] > 0.0)
        if wanted:
            points[kept, 0], points[kept, 1], points[kept, 2] = x, y, z
            found = quantities(rows, row, moments, mass, heights, cell)
            for k in range(4):
                values[kept, k] = found[k]
            kept += 1
            carry[_PATH] = 0.0
        carry[_BEGUN], carry[_X], carry[_Y], carry[_Z], carry[_RISE] = 1.0, x, y, z, rise
    return kept


class RockPaths:
    """Thinned paths of the first rocks of one scheme.

    At most MOST_ROCKS of them, and MOST_POINTS points; each begins with the release and ends where the rock stopped.
    Arrays that were read stay as they are when more rocks are added.

    Attributes
    ----------
    rock (rocks,) : the numbers of the rocks
    offsets (rocks + 1,) : the points of rock ``rock[i]`` are ``offsets[i] : offsets[i + 1]``
    points (n, 3) : [m], x and y from the terrain's origin (its node [0, 0])
    values (n, 4) : kinetic energy [J], velocity [m/s], rotation [rad/s], jump height [m]
    """

    def __init__(self) -> None:
        # room for all: what is not filled takes no memory
        self._rock, self._offsets = np.empty(MOST_ROCKS, np.int64), np.zeros(MOST_ROCKS + 1, np.int64)
        self._points = np.empty((MOST_POINTS, 3), np.float32)
        self._values = np.empty((MOST_POINTS, len(QUANTITIES)), np.float32)
        self._rocks = 0

    def __len__(self) -> int:
        return self._rocks

    @property
    def rock(self) -> NDArray[np.int64]:
        return self._rock[: self._rocks]

    @property
    def offsets(self) -> NDArray[np.int64]:
        return self._offsets[: self._rocks + 1]

    @property
    def points(self) -> Points:
        return self._points[: self._offsets[self._rocks]]

    @property
    def values(self) -> Points:
        return self._values[: self._offsets[self._rocks]]

    def add(self, rock: int, points: Points, values: Points) -> None:
        """One more rock, of a higher number than those before it; left out when there is no room for it."""
        first = int(self._offsets[self._rocks])
        last = first + len(points)
        if rock >= MOST_ROCKS or last > len(self._points):
            return
        self._points[first:last], self._values[first:last] = points, values
        self._rock[self._rocks], self._offsets[self._rocks + 1] = rock, last
        self._rocks += 1  # last: who reads meanwhile sees whole rocks

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it, as ``restore`` takes it."""
        return {"rock": self.rock, "offsets": self.offsets, "points": self.points, "values": self.values}

    def most_bytes(self) -> int:
        """The most that ``arrays`` take."""
        return sum(array.nbytes for array in (self._rock, self._offsets, self._points, self._values))

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Become what ``arrays`` told; ValueError where these are others."""
        rocks, points = len(arrays["rock"]), len(arrays["points"])
        steps = np.diff(arrays["offsets"], prepend=0, append=points)  # 0 at both ends
        if steps[0] or steps[-1] or (steps < 0).any():
            raise ValueError("offsets that are not those of the points")
        self._rock[:rocks], self._offsets[: rocks + 1] = arrays["rock"], arrays["offsets"]
        self._points[:points], self._values[:points] = arrays["points"], arrays["values"]
        self._rocks = rocks
