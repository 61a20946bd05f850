"""The record of a rock: what it leaves behind with one scheme, counted while it runs; no trajectory is kept."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from physics.contact import moreau
from physics.core.jit import brief, kernel
from physics.core.rotation import Array
from physics.ensembles import lateral_spread
from physics.ensembles.barriers import WIDTH, BarrierSegments, cross
from physics.ensembles.lateral_spread import pass_stations
from physics.ensembles.rock_paths import CARRY_SIZE, MOST_ROCKS, Points, thin
from physics.ensembles.rock_rows import ROW
from physics.ensembles.statistics import BINS, EDGES, LAST_SIZE, QUANTITIES, TAKEN, TIME, Cells, Places, tally
from physics.schemes.lane import lane_of
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.world import RockfallWorld, start_depth

_ROWS = 16_384  # steps that are computed at once: two megabytes, and half a minute of a fall
_CROSSINGS = 1024  # of barriers in one block of rows, that are noted


@dataclass(frozen=True)
class RockRecord:
    """What one rock leaves behind; plain arrays, so that it can come from another machine.

    Attributes
    ----------
    row (1,) : of type ROW
    sums, maxima, places, weights : see Statistics.add
    cells (n,), peaks (n, 4), deposit (0 or 1,) : see Maps.add
    offsets (n,) : see Spread.add
    crossings (n, WIDTH) : see Barriers.add
    points (n, 3), values (n, 4) : see Paths; empty for a rock whose path is not kept
    depth (1,) : how deep it starts in the ground [m]
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


class Histograms(NamedTuple):
    """Room for the histograms of one rock, see ``tally``; used again, all zero, for the next rock of a thread."""

    bins: Array
    taken: Places

    @classmethod
    def empty(cls) -> Histograms:
        """Room for a thread."""
        n = len(QUANTITIES) * BINS
        return cls(np.zeros((n, 2)), np.empty(n, np.int32))


@kernel
def observe(
    rows: Array,
    over: bool,
    drawn: bool,
    body: tuple[Array, float],
    ground: tuple[Array, tuple[float, float]],
    g: float,
    tallied: tuple[Array, Array, Array, Array, Array, Places],
    stations: tuple[Array, Array, float, Array, Array],
    carry: Array,
    crossed: tuple[Array, Array],
) -> tuple[Cells, Array, Points, Points, Array]:
    """All that is counted of rows (n, COLUMNS) of one rock, in one go, so that a thread asks for the GIL once.

    drawn: whether its path is kept; tallied: edges to taken of ``tally``; stations: start to offsets of
    ``pass_stations``; carry: of ``thin``; crossed: before and segments of ``cross``. Returns cells and peaks of
    ``tally``, points and values of ``thin``, and what ``cross`` found.
    """
    (moments, mass), (heights, cell), n = body, ground, rows.shape[0]
    edges, last, sums, maxima, bins, taken = tallied
    cells, peaks = np.empty(n, np.int64), np.empty((n, 4))
    entered = tally(rows, moments, mass, g, heights, cell, edges, last, sums, maxima, bins, taken, cells, peaks)
    pass_stations(rows, *stations)
    thinned = n if drawn else 0
    points, values = np.empty((thinned, 3), np.float32), np.empty((thinned, 4), np.float32)
    if drawn:
        thinned = thin(rows, over, *body, *ground, carry, points, values)
    found = np.empty((_CROSSINGS if crossed[1].shape[0] else 0, WIDTH))
    crossings = cross(rows, *crossed, *body, *ground, found)
    return (
        cells[:entered].copy(),
        peaks[:entered].copy(),
        points[:thinned].copy(),
        values[:thinned].copy(),
        found[:crossings].copy(),
    )


@brief
def each_once(visits: Cells, peaks: Array) -> tuple[Cells, Array]:
    """The cells (n,) of all visits, each once and sorted, with the maxima (n, 4) over their visits."""
    cells, most = np.empty_like(visits), np.empty_like(peaks)
    n = -1
    for i in np.argsort(visits):
        if n < 0 or visits[i] != cells[n]:
            n += 1
            cells[n], most[n] = visits[i], peaks[i]
        else:
            most[n] = np.maximum(most[n], peaks[i])
    return cells[: n + 1].copy(), most[: n + 1].copy()


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

    def __init__(self, world: RockfallWorld, lines: BarrierSegments, rock: int, room: Histograms) -> None:
        terrain, body = world.terrain, world.body
        self._terrain, self._g, self._rock, self._lines = terrain, world.scenario.g, rock, lines
        self._body = (np.ascontiguousarray(body.inertia), body.mass)
        self._depth = np.array([start_depth(world)])
        self._start, self._down = world.position[:2] - np.array(terrain.origin), fall_line(world)
        self._last, self._carry, self._along = (
            np.zeros(LAST_SIZE),
            np.zeros(CARRY_SIZE),
            np.zeros(lateral_spread.CARRY_SIZE),
        )
        self._last[TIME] = -1.0
        self._before: Array | None = None
        self._sums, self._room = np.zeros((2, len(QUANTITIES), 3)), room
        self._maxima = np.array([-np.inf] * len(QUANTITIES) + [0.0])
        self._spacing, stations = lateral_spread.spacing_of(terrain)
        self._offsets = np.zeros(stations)
        self._found: list[tuple[Cells, Array, Points, Points, Array]] = []

    def count(self, rows: Array, over: bool) -> None:
        """The next rows (n, COLUMNS) of physics.contact.moreau; over: there will be no more."""
        if not len(rows):
            return
        found = observe(
            *(rows, over, self._rock < MOST_ROCKS),
            *(self._body, (self._terrain.heights, self._terrain.cell), self._g),
            (EDGES, self._last, self._sums, self._maxima, *self._room),
            (self._start, self._down, self._spacing, self._along, self._offsets),
            self._carry,
            (rows[:1] if self._before is None else self._before, self._lines.segments),
        )
        self._found.append(found)
        self._before = rows[-1:]

    def record(self, world: RockfallWorld, state: Array, steps: int, reason: int) -> RockRecord:
        """All that was counted, with the state at which the rock stopped, after so many steps and why."""
        visits, peaks, points, values, crossings = map(_joined, zip(*self._found, strict=True))
        cells, peaks = each_once(visits, peaks)
        places, weights = taken_out(self._room.bins, self._room.taken[: int(self._last[TAKEN])])
        row = np.zeros(1, ROW)
        row[0] = (*self._stopped(world, state, steps, reason), *self._maxima, int(state[moreau.UNSOLVED]))
        return RockRecord(
            row=row,
            sums=self._sums,
            maxima=self._maxima[: len(QUANTITIES)],
            places=places,
            weights=weights,
            cells=cells,
            peaks=peaks,
            deposit=visits[-1:] if reason == moreau.REST else np.zeros(0, np.int64),
            offsets=self._offsets[: int(self._along[lateral_spread.PASSED])],
            crossings=crossings,
            points=points,
            values=values,
            depth=self._depth,
        )

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
    room: Histograms,
) -> RockRecord | None:
    """Run one rock, whose world this is, with one lane; None when it was stopped.

    around: physics.systems.rockfall.system.surroundings of the world.
    """
    world = world.of_lane(name)
    follower = RockAccumulator(world, lines, rock, room)
    steps, reason, state = 0, None, np.zeros(0)
    for rows, state, more, reason in rockfall.marching(world, lane_of(name).row, _ROWS, 1, around):  # noqa: B007
        if stop.is_set():
            room.bins[:] = 0.0
            return None
        steps += more
        follower.count(rows, reason is not None)
    return follower.record(world, state, steps, moreau.GOING if reason is None else reason)


def fall_line(world: RockfallWorld) -> Array:
    """Unit vector (2,) down the slope at the release, horizontal.

    On level ground the slope of an ever wider neighbourhood counts; on a plane the direction of the start, or east.
    """
    terrain = world.terrain
    x, y, height = float(world.position[0]), float(world.position[1]), terrain.height
    for cells in (1, 2, 4, 8, 16, 32):
        dx, dy = cells * terrain.cell[0], cells * terrain.cell[1]
        east = (height(x - dx, y) - height(x + dx, y)) / (2.0 * dx)
        north = (height(x, y - dy) - height(x, y + dy)) / (2.0 * dy)
        if (slope := math.hypot(east, north)) > 0.01:
            return np.array([east / slope, north / slope])
    speed = math.hypot(*world.velocity[:2].tolist())
    return world.velocity[:2] / speed if speed > 0.0 else np.array([1.0, 0.0])


def _joined(parts: tuple[np.ndarray, ...]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
