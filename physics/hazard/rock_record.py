"""Records of rocks: results of one rock with one scheme, counted while it runs; no trajectory is kept."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.contact import moreau
from physics.contact.obstacles import NOTE
from physics.core.jit import brief, kernel
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hazard.barriers import WIDTH, BarrierSegments, crossings_in, note_crossings, stopped_by, trees_in
from physics.hazard.rock_rows import RESTED, ROW
from physics.hazard.statistics import (
    BINS,
    COUNT,
    EDGES,
    LAST_SIZE,
    PASSED,
    STATION_CARRY,
    TAKEN,
    TIME,
    Cells,
    Places,
    Solid,
    Tallied,
    pass_stations,
    quantities,
    spacing_of,
    tally,
)
from physics.hazard.sweep import FOLLOW_CARRY, SweepRoom, follow, last_row, width_of
from physics.schemes.lane import lane_of
from physics.schemes.loop import AT_R, AT_T, AT_V
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.sampling import class_of
from physics.systems.rockfall.world import RockfallWorld, start_depth
from physics.terrain.terrain import Ground, patch

# ---- paths of the first rocks, thinned, for a 3D view and a GIS ---------------------------------------

MOST_ROCKS, MOST_POINTS = 2000, 1_000_000  # that are kept of one scheme: 32 MB
SPACING = 2.0  # [m] of path between points, but at bounces and summits
LEAST_SPACING = 0.25  # [m] a rock that rolls has too many of those
# what goes on from one block of rows to the next: whether there was one, path since the last point, place, rise
_BEGUN, _PATH, _X, _Y, _Z, _RISE, CARRY_SIZE = 0, 1, 2, 3, 4, 5, 6

Points = NDArray[np.float32]


@kernel
def thin(rows: Array, over: bool, solid: Solid, ground: Ground, carry: Array, points: Points, values: Points) -> int:
    """Put rows (n, ROW_SIZE) of one rock that a picture needs into points (n, 3), values (n, COUNT + 1); how many.

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
            found = quantities(rows, row, solid, ground)
            for k in range(COUNT):
                values[kept, k] = found[k]
            values[kept, COUNT] = rows[row, AT_T]
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
    values (n, COUNT + 1) : the QUANTITIES, and time since the release [s]
    """

    def __init__(self) -> None:
        # room for all: what is not filled takes no memory
        self._rock, self._offsets = np.empty(MOST_ROCKS, np.int64), np.zeros(MOST_ROCKS + 1, np.int64)
        self._points = np.empty((MOST_POINTS, 3), np.float32)
        self._values = np.empty((MOST_POINTS, COUNT + 1), np.float32)
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
        self._rocks += 1  # last: readers see whole rocks meanwhile

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it, for ``restore``."""
        return {"rock": self.rock, "offsets": self.offsets, "points": self.points, "values": self.values}

    def most_bytes(self) -> int:
        """The most that ``arrays`` take."""
        return sum(array.nbytes for array in (self._rock, self._offsets, self._points, self._values))

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Restore the state in ``arrays``; ValueError where they are damaged."""
        rocks, points = len(arrays["rock"]), len(arrays["points"])
        steps = np.diff(arrays["offsets"], prepend=0, append=points)  # 0 at both ends
        if steps[0] or steps[-1] or (steps < 0).any():
            raise ValueError(N_("offsets that are not those of the points"))
        self._rock[:rocks], self._offsets[: rocks + 1] = arrays["rock"], arrays["offsets"]
        self._points[:points], self._values[:points] = arrays["points"], arrays["values"]
        self._rocks = rocks


# ---- records ------------------------------------------------------------------------------------------

_LEVEL = 1e-3  # slope at which a fall line ends
_ROWS = 16_384  # steps that are computed at once: two megabytes, and half a minute of a fall
_CROSSINGS = 1024  # crossings of barriers in one block of rows, that are noted


@dataclass(frozen=True)
class RockRecord:
    """Results of one rock; plain arrays, so that they can come from another machine.

    Attributes
    ----------
    row (1,) : of type ROW
    sums, maxima, places, weights : see Statistics.add
    cells (n,), peaks (n, COUNT), deposit (0 or 1,) : see Maps.add; of physics.hazard.sweep
    offsets (n,) : see Spread.add
    crossings (n, WIDTH) : see Barriers.add
    points (n, 3), values (n, COUNT + 1) : see Paths; empty for a rock whose path is not kept
    depth (1,) : how deep it starts in the ground [m]
    trees (3,) : trees that it hit and broke, and the energy that they took at their first impact and as they broke [J]
    """

    row: np.ndarray
    sums: Array
    maxima: Array
    places: Places
    weights: Array
    cells: Cells
    peaks: Array
    deposit: Cells
    offsets: Array
    crossings: Array
    points: Points
    values: Points
    depth: Array
    trees: Array


def bundled(passages: list[RockRecord]) -> dict[str, np.ndarray]:
    """Passages as few long arrays, for a way on which each array costs: each field end to end, and the lengths."""
    names = [field.name for field in fields(RockRecord)]
    lengths = [[len(getattr(record, name)) for name in names] for record in passages]
    whole = {name: np.concatenate([getattr(record, name) for record in passages]) for name in names}
    return whole | {"lengths": np.array(lengths)}


def unbundled(bundle: dict[str, np.ndarray]) -> Iterator[RockRecord]:
    """The passages of ``bundled``, in their order."""
    names = [field.name for field in fields(RockRecord)]
    lasts = np.cumsum(bundle["lengths"], axis=0)
    for first, last in zip(lasts - bundle["lengths"], lasts, strict=True):
        places = zip(names, first.tolist(), last.tolist(), strict=True)
        yield RockRecord(**{name: bundle[name][a:b] for name, a, b in places})


class RecordRoom:
    """Room for what is counted of one rock; used again, all zero, for the next rock of a thread.

    Attributes
    ----------
    bins (COUNT BINS, 2), taken (COUNT BINS,) : histograms, see ``tally``
    sweep : see physics.hazard.sweep
    """

    def __init__(self, cells: int) -> None:
        n = COUNT * BINS
        self.bins, self.taken = np.zeros((n, 2)), np.empty(n, np.int32)
        self.sweep = SweepRoom(cells)


@kernel
def observe(
    rows: Array,
    over: bool,
    drawn: bool,
    solid: Solid,
    ground: Ground,
    g: float,
    tallied: Tallied,
    stations: tuple[Array, Array, float, Array, Array],
    carry: Array,
    crossed: tuple[Array, Array],
    followed: Array,
) -> tuple[Array, Array, Points, Points, Array]:
    """All that is counted of rows (n, ROW_SIZE) of one rock, in one go, so that a thread asks for the GIL once.

    drawn: whether its path is kept; tallied: of ``tally``; stations: start to offsets of
    ``pass_stations``; carry: of ``thin``; crossed: before and segments of ``cross``; followed: carry of
    ``follow``. Returns places and maxima of ``follow``, points and values of ``thin``, and what ``cross`` found.
    """
    n = rows.shape[0]
    measured, places, most = np.empty((n, COUNT)), np.empty((n, 2)), np.empty((n, COUNT))
    tally(rows, solid, g, ground, tallied, measured)
    new = follow(rows, measured, followed, places, most)
    pass_stations(rows, *stations)
    thinned = n if drawn else 0
    points, values = np.empty((thinned, 3), np.float32), np.empty((thinned, COUNT + 1), np.float32)
    if drawn:
        thinned = thin(rows, over, solid, ground, carry, points, values)
    found = np.empty((_CROSSINGS if crossed[1].shape[0] else 0, WIDTH))
    crossings = note_crossings(rows, *crossed, solid, ground, found)
    return (
        places[:new].copy(),
        most[:new].copy(),
        points[:thinned].copy(),
        values[:thinned].copy(),
        found[:crossings].copy(),
    )


@brief
def taken_out(bins: Array, taken: Places) -> tuple[Places, Array]:
    """The bins that were taken and their weights (m, 2); they are empty again."""
    weights = np.empty((taken.shape[0], 2))
    for i in range(taken.shape[0]):
        weights[i] = bins[taken[i]]
        bins[taken[i]] = 0.0
    return taken.copy(), weights


class RockAccumulator:
    """Counts the blocks of rows of one rock as they come."""

    def __init__(self, world: RockfallWorld, lines: BarrierSegments, rock: int, room: RecordRoom) -> None:
        terrain, body = world.terrain, world.body
        self._terrain, self._g, self._rock, self._lines = terrain, world.scenario.g, rock, lines
        self._body = (np.ascontiguousarray(body.inertia), body.mass)
        self._depth = np.array([start_depth(world)])
        self._start, self._down = world.position[:2] - np.array(terrain.origin), fall_line(world)
        self._last, self._carry, self._along = map(np.zeros, (LAST_SIZE, CARRY_SIZE, STATION_CARRY))
        self._last[TIME] = -1.0
        self._before: Array | None = None
        self._sums, self._room = np.zeros((2, COUNT, 3)), room
        self._maxima = np.array([-np.inf] * COUNT + [0.0])
        self._spacing, stations = spacing_of(terrain)
        self._offsets = np.zeros(stations)
        half = 0.5 * width_of(body.volume)
        self._touch, self._segments = (0.5 * world.scenario.hazard.cell, half), lines.widened(half)
        self._followed = np.zeros(FOLLOW_CARRY)
        self._found: list[tuple[Array, Array, Points, Points, Array]] = []

    def count(self, rows: Array, over: bool) -> None:
        """The next rows (n, ROW_SIZE) of physics.contact.moreau; over: there will be no more."""
        if not len(rows):
            return
        found = observe(
            *(rows, over, self._rock < MOST_ROCKS),
            *(self._body, (self._terrain.heights, self._terrain.cell), self._g),
            (EDGES, self._last, self._sums, self._maxima, self._room.bins, self._room.taken),
            (self._start, self._down, self._spacing, self._along, self._offsets),
            self._carry,
            (rows[:1] if self._before is None else self._before, self._segments),
            self._followed,
        )
        self._found.append(found)
        self._before = rows[-1:]

    def record(self, world: RockfallWorld, state: Array, steps: int, reason: int, notes: list[Array]) -> RockRecord:
        """All that was counted, with the state at which the rock stopped, after so many steps, why, and what it met."""
        places, most, points, values, crossings = map(np.concatenate, zip(*self._found, strict=True))
        met = np.concatenate([np.zeros((0, NOTE)), *notes])
        last, most_there = last_row(self._followed)
        path, terrain = (np.concatenate([places, last]), np.concatenate([most, most_there])), self._terrain
        cells, peaks = self._room.sweep.swept(*path, self._touch, terrain.heights.shape, terrain.cell)
        reason = stopped_by(met, world, state, reason)
        bins, weights = taken_out(self._room.bins, self._room.taken[: int(self._last[TAKEN])])
        row = np.zeros(1, ROW)
        row[0] = (
            *(*self._stopped(world, state, steps, reason), *self._maxima, int(state[moreau.UNSOLVED])),
            off_fall_line(self._terrain.heights, self._terrain.cell, self._start, state[:2]),
            *(world.body.mass, world.body.volume, *world.position[:2].tolist()),
            class_of(world.scenario, self._rock),
        )
        return RockRecord(
            row=row,
            sums=self._sums,
            maxima=self._maxima[:COUNT],
            places=bins,
            weights=weights,
            cells=cells,
            peaks=peaks,
            deposit=self._node(state) if reason in RESTED else np.zeros(0, np.int64),
            offsets=self._offsets[: int(self._along[PASSED])],
            crossings=self._lines.on_lines(np.concatenate([crossings, crossings_in(met, world)])),
            points=points,
            values=values,
            depth=self._depth,
            trees=trees_in(met),
        )

    def _node(self, state: Array) -> Cells:
        """The number (1,) of the node of the grid that is nearest to a state."""
        ny, nx = self._terrain.heights.shape
        dx, dy = self._terrain.cell
        i, j = min(max(int(state[0] / dx + 0.5), 0), nx - 1), min(max(int(state[1] / dy + 0.5), 0), ny - 1)
        return np.array([j * nx + i])

    def _stopped(self, world: RockfallWorld, state: Array, steps: int, reason: int) -> tuple[Any, ...]:
        """The first fields of ROW."""
        east, north = state[:2] - self._start
        across = abs(east * self._down[1] - north * self._down[0])
        x, y = state[:2] + np.array(self._terrain.origin)
        return self._rock, world.scenario.step * steps, steps, reason, x, y, state[2], math.hypot(east, north), across


def record_of(
    world: RockfallWorld,
    around: rockfall.Surroundings,
    lines: BarrierSegments,
    name: str,
    rock: int,
    stop: Event,
    room: RecordRoom,
) -> RockRecord | None:
    """Run one rock, whose world this is, with one lane; None when it was stopped.

    around: physics.systems.rockfall.system.surroundings of the world.
    """
    world = world.of_lane(name)
    follower = RockAccumulator(world, lines, rock, room)
    steps, reason, state, notes = 0, None, np.zeros(0), list[Array]()
    for rows, state, more, reason in rockfall.marching(world, lane_of(name).row, _ROWS, 1, around, notes):  # noqa: B007
        if stop.is_set():
            room.bins[:] = 0.0
            return None
        steps += more
        follower.count(rows, reason is not None)
    return follower.record(world, state, steps, moreau.GOING if reason is None else reason, notes)


@brief
def off_fall_line(heights: Array, cell: tuple[float, float], start: Array, place: Array) -> float:
    """Distance [m] of a place (2,) from the line of steepest descent that begins at ``start`` (2,).

    Both relative to the first node. Where the line ends, at the edge or on level ground, it goes on straight, away from
    the start.
    """
    ny, nx = heights.shape
    step, (x, y) = 0.5 * min(cell), (start[0], start[1])
    least = math.hypot(place[0] - x, place[1] - y)
    for _ in range(8 * (nx + ny)):
        _, east, north = patch(heights, cell[0], cell[1], x, y)
        slope = math.hypot(east, north)
        if slope < _LEVEL or not (0.0 <= x <= cell[0] * (nx - 1) and 0.0 <= y <= cell[1] * (ny - 1)):
            break
        east, north = east / slope, north / slope
        along = min(max((place[0] - x) * east + (place[1] - y) * north, 0.0), step)
        least = min(least, math.hypot(place[0] - x - along * east, place[1] - y - along * north))
        x, y = x + step * east, y + step * north
    east, north = x - start[0], y - start[1]
    length = math.hypot(east, north)
    if length > 0.0:
        east, north = east / length, north / length
        along = max((place[0] - x) * east + (place[1] - y) * north, 0.0)
        least = min(least, math.hypot(place[0] - x - along * east, place[1] - y - along * north))
    return float(least)


def fall_line(world: RockfallWorld) -> Array:
    """Unit vector (2,) down the slope at the release, horizontal.

    On level ground the slope of an ever wider neighbourhood counts; on a plane the direction of the start, or east.
    At the edge of the map the neighbourhood ends there.
    """
    terrain = world.terrain
    x0, x1, y0, y1 = terrain.extent
    x, y = min(max(float(world.position[0]), x0), x1), min(max(float(world.position[1]), y0), y1)
    height = terrain.height
    for cells in (1, 2, 4, 8, 16, 32):
        dx, dy = cells * terrain.cell[0], cells * terrain.cell[1]
        west, right = min(dx, x - x0), min(dx, x1 - x)
        south, up = min(dy, y - y0), min(dy, y1 - y)
        east = (height(x - west, y) - height(x + right, y)) / (west + right)
        north = (height(x, y - south) - height(x, y + up)) / (south + up)
        if (slope := math.hypot(east, north)) > 0.01:
            return np.array([east / slope, north / slope])
    speed = math.hypot(*world.velocity[:2].tolist())
    return world.velocity[:2] / speed if speed > 0.0 else np.array([1.0, 0.0])
