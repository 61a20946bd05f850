"""Ensembles: many rocks of one rockfall scenario that differ in what is drawn for each.

Each rock has a seed of its own, so that any of them can be run again alone, bit for bit (physics.sampling). Rocks
are computed by threads and counted in their order: results do not depend on the number of workers. What a rock
leaves behind is one row, its cells and its histograms; no trajectory is kept.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from physics.errors import ScenarioError
from physics.maps import Maps
from physics.rotation import Array
from physics.sampling import varies, world_of_rock
from physics.schemes import SCHEMES
from physics.statistics import LAST_SIZE, TIME, Cells, Statistics, tally
from physics.systems import moreau, rockfall
from physics.world import World

REASONS = {moreau.GOING: "end", moreau.REST: "rest", moreau.LEFT_MAP: "left-map", moreau.FAILED: "failed-solve"}
_ROWS = 4096  # steps that are computed at once: half a megabyte


class Row(NamedTuple):
    """One rock and scheme, as in rocks.csv; max_... over all its steps, energy_gain the largest rise in a step [J]."""

    scheme: str
    rock: int
    duration: float  # [s]
    steps: int
    stop_reason: str
    x: float  # [m] where it stopped
    y: float
    z: float
    runout: float  # [m] horizontal distance from release to where it stopped
    lateral: float  # [m] distance from the fall line of the release
    max_kinetic_energy: float  # [J]
    max_velocity: float  # [m/s]
    max_rotation: float  # [rad/s]
    max_jump_height: float  # [m]
    energy_gain: float  # [J]


@dataclass(frozen=True)
class Passage:
    """What one rock leaves behind: its row, its statistics, the cells (n,) it crossed and its maxima (n, 4) there."""

    row: Row
    statistics: Statistics
    cells: Cells
    peaks: Array
    deposit: int | None


@dataclass
class Results:
    """All rocks of one scheme so far."""

    maps: Maps
    rows: list[Row] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)

    def add(self, passage: Passage) -> None:
        """Count one more rock."""
        self.rows.append(passage.row)
        self.statistics.merge(passage.statistics)
        self.maps.add(passage.cells, passage.peaks, passage.deposit)


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


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Ensemble:
    """The rocks of a world's scenario, run by ``march``.

    Attributes
    ----------
    results : scheme name -> what its rocks left behind; fills in while ``march`` goes on
    done : rocks that are counted
    wall_time, cpu_time : [s] spent in ``march``; the latter of all threads of the process
    """

    def __init__(self, world: World) -> None:
        scenario, terrain = world.scenario, world.terrain
        if scenario.kind != "rockfall" or terrain is None:
            raise ScenarioError("kind", f"an ensemble expects 'rockfall', got '{scenario.kind}'")
        if scenario.ensemble.rocks > 1 and not varies(scenario):
            raise ScenarioError("initial.orientation", "all rocks would be the same; expected 'random'")
        self.world, self.rocks = world, scenario.ensemble.rocks
        self.results = {name: Results(Maps(terrain.heights.size)) for name in scenario.schemes}
        self.done, self.workers = 0, 0
        self.wall_time = self.cpu_time = 0.0
        self._around, self._down = rockfall.surroundings(world), fall_line(world)
        self._stop = Event()

    def march(self, workers: int | None = None) -> Iterator[int]:
        """Run the rocks that are not done on threads (as many as processors); yields how many are, after each.

        Close the generator to end it early: what was counted stays, and another ``march`` goes on from there.
        """
        self.workers = workers or processors()
        self._stop.clear()
        for name in self.results:
            rockfall.march_of(name)  # made once, not by each thread
        wall, cpu = time.perf_counter(), time.process_time()
        pool = ThreadPoolExecutor(self.workers, thread_name_prefix="rocks")
        ahead: deque[Future[list[Passage]]] = deque()
        following = iter(range(self.done, self.rocks))
        try:
            while True:
                for rock in following:  # a few ahead of the one that is counted next: memory stays bounded
                    ahead.append(pool.submit(self.rock, rock))
                    if len(ahead) >= 4 * self.workers:
                        break
                if not ahead:
                    return
                for passage in ahead.popleft().result():
                    self.results[passage.row.scheme].add(passage)
                self.done += 1
                now, now_cpu = time.perf_counter(), time.process_time()
                self.wall_time += now - wall
                self.cpu_time += now_cpu - cpu
                wall, cpu = now, now_cpu
                yield self.done
        finally:
            self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def rock(self, rock: int) -> list[Passage]:
        """Run one rock with every scheme."""
        return [self._passage(rock, name) for name in self.results]

    def _passage(self, rock: int, name: str) -> Passage:
        world, scheme = world_of_rock(self.world, rock), SCHEMES[name]
        terrain, body = world.terrain, world.body
        assert terrain is not None
        counted, last = Statistics(), np.zeros(LAST_SIZE)
        last[TIME] = -1.0
        moments = np.ascontiguousarray(body.inertia)
        visits: list[tuple[Cells, Array]] = []
        steps, reason, state = 0, None, np.zeros(0)
        for out, state, more, reason in rockfall.marching(world, scheme, _ROWS, 1, self._around):  # noqa: B007
            if self._stop.is_set():
                break
            steps += more
            cells, peaks = np.empty(len(out), np.int64), np.empty((len(out), 4))
            n = tally(
                *(out, moments, body.mass, world.scenario.g, terrain.heights, terrain.cell, last),
                *(counted.sums, counted.bins, counted.maxima, cells, peaks),
            )
            visits.append((cells[:n].copy(), peaks[:n].copy()))
        cells, peaks = _each_once(visits)
        kind = REASONS[moreau.GOING if reason is None else reason]
        row = self._row(rock, name, state, steps, kind, counted.maxima)
        return Passage(row, counted, cells, peaks, int(visits[-1][0][-1]) if kind == "rest" and visits else None)

    def _row(self, rock: int, name: str, state: Array, steps: int, kind: str, maxima: Array) -> Row:
        terrain, start = self.world.terrain, self.world.position
        assert terrain is not None
        x, y, z = state[0] + terrain.origin[0], state[1] + terrain.origin[1], state[2]
        east, north = x - start[0], y - start[1]
        across = abs(east * self._down[1] - north * self._down[0])
        duration = self.world.scenario.step * steps
        place: tuple[Any, ...] = (float(x), float(y), float(z), math.hypot(east, north), float(across))
        return Row(name, rock, duration, steps, kind, *place, *map(float, maxima))


def _each_once(visits: list[tuple[Cells, Array]]) -> tuple[Cells, Array]:
    """The cells (n,) of all visits, each once and sorted, with the maxima (n, 4) over their visits."""
    if not visits:
        return np.zeros(0, np.int64), np.zeros((0, 4))
    cells, peaks = np.concatenate([c for c, _ in visits]), np.concatenate([p for _, p in visits])
    order = np.argsort(cells, kind="stable")
    cells, first = np.unique(cells[order], return_index=True)
    return cells, np.maximum.reduceat(peaks[order], first, axis=0)
