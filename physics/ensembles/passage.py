"""Passage: what one rock leaves behind with one scheme, counted while it runs; no trajectory is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.ensembles import barriers, spread
from physics.ensembles.barriers import Lines
from physics.ensembles.paths import CARRY_SIZE, MOST_ROCKS, Points, thin
from physics.ensembles.rows import ROW
from physics.ensembles.statistics import BINS, LAST_SIZE, QUANTITIES, TIME, Cells, tally
from physics.rotation import Array
from physics.schemes import SCHEMES
from physics.systems import moreau, rockfall
from physics.world import World

_ROWS = 4096  # steps that are computed at once: half a megabyte
_CROSSINGS = 256  # of barriers in one block of rows, that are noted


@dataclass(frozen=True)
class Passage:
    """What one rock leaves behind; plain arrays, so that it can come from another machine.

    Attributes
    ----------
    row (1,) : of type ROW
    sums, maxima, places, weights : see Statistics.add
    cells (n,), peaks (n, 4), deposit (0 or 1,) : see Maps.add
    offsets (n,) : see Spread.add
    crossings (n, WIDTH) : see Barriers.add
    points (n, 3), values (n, 4) : see Paths; empty for a rock whose path is not kept
    """

    row: np.ndarray
    sums: Array
    maxima: Array
    places: NDArray[np.int32]
    weights: Array
    cells: Cells
    peaks: Array
    deposit: Cells
    offsets: Array
    crossings: Array
    points: Points
    values: Points


class Follower:
    """Counts the blocks of rows of one rock as they come."""

    def __init__(self, world: World, lines: Lines, rock: int) -> None:
        terrain, body = world.terrain, world.body
        assert terrain is not None
        self._terrain, self._g, self._rock, self._lines = terrain, world.scenario.g, rock, lines
        self._body = (np.ascontiguousarray(body.inertia), body.mass)
        self._start, self._down = world.position[:2] - np.array(terrain.origin), fall_line(world)
        self._last, self._carry, self._along = np.zeros(LAST_SIZE), np.zeros(CARRY_SIZE), np.zeros(spread.CARRY_SIZE)
        self._last[TIME] = -1.0
        self._before: Array | None = None
        self._sums, self._bins = np.zeros((2, len(QUANTITIES), 3)), np.zeros((2, len(QUANTITIES), BINS))
        self._maxima = np.array([-np.inf] * len(QUANTITIES) + [0.0])
        self._spacing, stations = spread.spacing_of(terrain)
        self._offsets = np.zeros(stations)
        self._visits: list[tuple[Cells, Array]] = []
        self._drawn: list[tuple[Points, Points]] = [(np.empty((0, 3), np.float32), np.empty((0, 4), np.float32))]
        self._crossings = [np.empty((0, barriers.WIDTH))]

    def count(self, rows: Array, over: bool) -> None:
        """The next rows (n, COLUMNS) of physics.systems.moreau; over: there will be no more."""
        if not len(rows):
            return
        heights, cell = self._terrain.heights, self._terrain.cell
        ground = (*self._body, heights, cell)
        cells, peaks = np.empty(len(rows), np.int64), np.empty((len(rows), len(QUANTITIES)))
        moments, mass = self._body
        n = tally(
            *(rows, moments, mass, self._g, heights, cell, self._last),
            *(self._sums, self._bins, self._maxima, cells, peaks),
        )
        self._visits.append((cells[:n].copy(), peaks[:n].copy()))
        spread.pass_stations(rows, self._start, self._down, self._spacing, self._along, self._offsets)
        if self._rock < MOST_ROCKS:
            points, values = np.empty((len(rows), 3), np.float32), np.empty((len(rows), 4), np.float32)
            n = thin(rows, over, *ground, self._carry, points, values)
            self._drawn.append((points[:n].copy(), values[:n].copy()))
        if len(self._lines.segments):
            found = np.empty((_CROSSINGS, barriers.WIDTH))
            before = rows[:1] if self._before is None else self._before
            n = barriers.cross(rows, before, self._lines.segments, *ground, found)
            self._crossings.append(found[:n].copy())
            self._before = rows[-1:].copy()

    def passage(self, world: World, state: Array, steps: int, reason: int) -> Passage:
        """All that was counted, with the state at which the rock stopped, after so many steps and why."""
        cells, peaks = _each_once(self._visits)
        points, values = (np.concatenate(parts) for parts in zip(*self._drawn, strict=True))
        places = np.flatnonzero(self._bins).astype(np.int32)
        row = np.zeros(1, ROW)
        row[0] = (*self._stopped(world, state, steps, reason), *self._maxima, int(state[moreau.UNSOLVED]))
        rests = reason == moreau.REST and len(self._visits) > 0
        return Passage(
            row=row,
            sums=self._sums,
            maxima=self._maxima[: len(QUANTITIES)],
            places=places,
            weights=self._bins.reshape(-1)[places],
            cells=cells,
            peaks=peaks,
            deposit=self._visits[-1][0][-1:] if rests else np.zeros(0, np.int64),
            offsets=self._offsets[: int(self._along[spread.PASSED])],
            crossings=np.concatenate(self._crossings),
            points=points,
            values=values,
        )

    def _stopped(self, world: World, state: Array, steps: int, reason: int) -> tuple[Any, ...]:
        """The first fields of ROW."""
        east, north = state[:2] - self._start
        across = abs(east * self._down[1] - north * self._down[0])
        x, y = state[:2] + np.array(self._terrain.origin)
        return self._rock, world.scenario.step * steps, steps, reason, x, y, state[2], math.hypot(east, north), across


def passage_of(
    world: World, around: rockfall.Surroundings, lines: Lines, name: str, rock: int, stop: Event
) -> Passage | None:
    """Run one rock, whose world this is, with one scheme; None when it was stopped.

    around: physics.systems.rockfall.surroundings of the world.
    """
    follower = Follower(world, lines, rock)
    steps, reason, state = 0, None, np.zeros(0)
    for rows, state, more, reason in rockfall.marching(world, SCHEMES[name], _ROWS, 1, around):  # noqa: B007
        if stop.is_set():
            return None
        steps += more
        follower.count(rows, reason is not None)
    return follower.passage(world, state, steps, moreau.GOING if reason is None else reason)


def fall_line(world: World) -> Array:
    """Unit vector (2,) down the slope at the release, horizontal.

    On level ground the slope of an ever wider neighbourhood counts; on a plane the direction of the start, or east.
    """
    terrain = world.terrain
    assert terrain is not None
    x, y = float(world.position[0]), float(world.position[1])
    for cells in (1, 2, 4, 8, 16, 32):
        dx, dy = cells * terrain.cell[0], cells * terrain.cell[1]
        z = terrain.heights_at(np.array([x - dx, x + dx, x, x]), np.array([y, y, y - dy, y + dy]))
        down = np.array([(z[0] - z[1]) / dx, (z[2] - z[3]) / dy]) / 2
        if np.linalg.norm(down) > 0.01:
            return np.asarray(down / np.linalg.norm(down))
    speed = float(np.linalg.norm(world.velocity[:2]))
    return world.velocity[:2] / speed if speed > 0.0 else np.array([1.0, 0.0])


def _each_once(visits: list[tuple[Cells, Array]]) -> tuple[Cells, Array]:
    """The cells (n,) of all visits, each once and sorted, with the maxima (n, 4) over their visits."""
    if not visits:
        return np.zeros(0, np.int64), np.zeros((0, len(QUANTITIES)))
    cells, peaks = np.concatenate([c for c, _ in visits]), np.concatenate([p for _, p in visits])
    order = np.argsort(cells, kind="stable")
    cells, first = np.unique(cells[order], return_index=True)
    return cells, np.maximum.reduceat(peaks[order], first, axis=0)
