"""Ensembles: many rocks of one rockfall scenario that differ in what is drawn for each.

Each rock has a seed of its own, so that any of them can be run again alone (physics.systems.rockfall.sampling).
Rocks are computed by threads (``Ensemble.march``) or by a cluster (physics.hazard.cluster) and always counted in
their order: results do not depend on who computed them. What a rock leaves behind is a RockRecord: one row, its cells
and its histograms.
"""

from __future__ import annotations

import copy
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock, Semaphore, Thread, local
from typing import Any

import numpy as np

from physics.core.archives import counted, merged_arrays, part_of
from physics.core.errors import ScenarioError
from physics.core.input_checks import finite
from physics.core.processors import processors
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.ensembles.identity import identity
from physics.hazard.barriers import BarrierSegments, BarrierStatistics, crossing_rows, segments_of
from physics.hazard.maps import Maps
from physics.hazard.rock_record import RecordRoom, RockPaths, RockRecord, record_of
from physics.hazard.rock_rows import CROSSING, REASONS, RockTable
from physics.hazard.statistics import Cells, LateralSpread, Statistics
from physics.hazard.study import Study
from physics.scenario.scenario import Scenario
from physics.schemes.lane import lane_of
from physics.schemes.loop import CONTACT
from physics.simulation.audit import sound_step
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.sampling import class_of, varies
from physics.systems.rockfall.world import LIFT, RockfallWorld
from physics.systems.world import World
from physics.terrain.terrain import Terrain

# ---- doubts: steps in which a rock moves farther than its radius, and starts in the ground ------------

MAX_PROBED_ROCKS = 1000  # rocks of different sizes that are built once more to know their radius; a tenth of a second

Coarse = dict[str, float]  # rocks: how many; looked_at: of how many; largest_sound_step [s]: for the fastest of them


class Radii:
    """Radii [m] of rocks that differ in size or shape, each built once: a window reads them again and again."""

    def __init__(self, world: RockfallWorld) -> None:
        self._world = world
        self._known: dict[int, float] = {}

    def of(self, rocks: Iterable[int]) -> Array:
        """Radii (n,) of rocks with these numbers."""
        numbers = [int(rock) for rock in rocks]
        self._known |= {rock: self._world.with_rock(rock).body.radius for rock in numbers if rock not in self._known}
        return np.array([self._known[rock] for rock in numbers])


def coarse_of(world: RockfallWorld, rows: RockTable, radii: Radii | None = None) -> Coarse:
    """Rocks of a lane that were too fast for its step; of rocks that differ in size or shape MAX_PROBED_ROCKS count.

    world : with the step of the lane
    radii : those that are known from before; None: none are
    """
    scenario = world.scenario
    if scenario.alike and scenario.body.blocks is None:
        passages = rows.column("max_velocity") / world.body.radius  # radii that a rock moves by [1/s]
    else:
        found = rows.read(0, MAX_PROBED_ROCKS)
        passages = found.max_velocity / (radii or Radii(world)).of(found.rock)
    fastest = float(passages.max(initial=0.0))
    coarse: Coarse = {"rocks": int((scenario.step * passages > 1.0).sum()), "looked_at": len(passages)}
    return coarse | ({"largest_sound_step": sound_step(1.0, fastest)} if coarse["rocks"] else {})


def checked(found: Any) -> Coarse:
    """Facts of a scheme in a file as numbers; an error of physics.core.input_checks.DAMAGED where they are none."""
    known: Coarse = {key: int(found[key]) for key in ("rocks", "looked_at")}
    return known | ({"largest_sound_step": finite(found["largest_sound_step"])} if known["rocks"] else {})


def together(parts: Sequence[Mapping[str, Coarse]]) -> dict[str, Coarse]:
    """Facts of several ensembles together."""
    whole: dict[str, Coarse] = {}
    for name, found in (item for part in parts for item in part.items()):
        own = whole.setdefault(name, {"rocks": 0, "looked_at": 0})
        for key in ("rocks", "looked_at"):
            own[key] += found[key]
        if (step := found.get("largest_sound_step")) is not None:
            own["largest_sound_step"] = min(step, own.get("largest_sound_step", step))
    return whole


def doubts(coarse: Mapping[str, Coarse], step: float) -> list[str]:
    """One sentence for each lane some of whose rocks were too fast for its step.

    step : of the scenario [s]
    """
    return [
        N_(
            "{name}: in a step of {step:g} s {found} moved farther than their radius: they meet "
            "little of the ground; take a step of at most {found2:.2g} s",
            name,
            lane_of(name).step or step,
            _number(found),
            found["largest_sound_step"],
        )
        for name, found in coarse.items()
        if found["rocks"]
    ]


def buried(rocks: int, deepest: float, of: int) -> list[str]:
    """A sentence if rocks of an ensemble start in the ground, the deepest so deep [m]."""
    return [
        N_("{rocks} of {of} rocks start in the ground, up to {deepest:.2g} m deep; {lift}", rocks, of, deepest, LIFT)
    ] * bool(rocks)


def _number(found: Any) -> str:
    return N_("{found} of {found2} rocks", found["rocks"], found["looked_at"])


# ---- the ensemble -------------------------------------------------------------------------------------

COUNTING = 2  # number of the way in which maps and lines count rocks; folders of another one are not gone on with
_AHEAD = 128  # rocks that may be ready before the one that is counted next: some 100 MB a scheme on a fine grid


def identity_of(scenario: Scenario) -> dict[str, Any]:
    """Identity of a scenario's ensemble of rocks, see physics.ensembles.identity."""
    return identity(scenario) | {"counting": COUNTING}


def check_counting(counting: object, folder: Path) -> None:
    """ScenarioError for the results of a version that counted rocks in another way."""
    if counting != COUNTING:
        text = N_("was written by an earlier version, which counted rocks in another way; compute it again")
        raise ScenarioError("", text, folder)


class Results:
    """All rocks of one scheme so far, in memory that does not grow with them (but for rows, which go to a file).

    Attributes
    ----------
    rows, crossings : one a rock, and one a crossing of a barrier, in the order of rocks
    reasons : why rocks stopped (values of physics.hazard.rock_rows.REASONS), and how many
    steps, unsolved : of all rocks; those whose percussions were left at the cap
    largest_gain, largest_relative_gain : the largest rise of total energy in a step [J], and over the largest kinetic
        energy of its rock
    statistics, maps, spread, barriers, paths : see there
    trees (4,) : rocks that hit one, trees hit by each rock and broken, energy that they took [J]
    buried : how many rocks start in the ground, and how deep the deepest does [m]
    """

    def __init__(self, terrain: Terrain, lines: BarrierSegments, study: Study | None = None) -> None:
        self.rows, self.crossings, self.reasons = RockTable(), RockTable(CROSSING), Counter[str]()
        self._origin = terrain.origin
        self.steps = self.unsolved = 0
        self.largest_gain = self.largest_relative_gain = 0.0
        self.buried, self.trees = np.zeros(2), np.zeros(4)
        self.statistics, self.paths = Statistics(), RockPaths()
        self.maps, self.spread = Maps(terrain.heights.size, study), LateralSpread(terrain)
        self.barriers = BarrierStatistics(lines)

    def add(self, record: RockRecord) -> None:
        """Count one more rock."""
        row = record.row[0]
        self.rows.append(record.row)
        self._count(row)
        self._bury(float(record.depth[0] > 0.0), float(record.depth[0]))
        self.statistics.add(record.sums, record.maxima, record.places, record.weights)
        self.maps.add(record.cells, record.peaks, record.deposit, int(row["class"]))
        self.spread.add(record.offsets)
        self.barriers.add(record.crossings)
        self.crossings.append(crossing_rows(record.crossings, row, self._origin))
        self.trees = self.trees + np.concatenate([record.trees[:1] > 0.0, record.trees])
        self.paths.add(int(row["rock"]), record.points, record.values)

    def _count(self, row: Any) -> None:
        gain, energy = float(row["energy_gain"]), float(row["max_kinetic_energy"])
        self.reasons[REASONS[int(row["stop_reason"])]] += 1
        self.steps += int(row["steps"])
        self.unsolved += int(row["unsolved"])
        self.largest_gain = max(self.largest_gain, gain)
        if energy > 0.0:
            self.largest_relative_gain = max(self.largest_relative_gain, gain / energy)

    def _bury(self, rocks: float, depth: float) -> None:
        self.buried = np.array([self.buried[0] + rocks, max(self.buried[1], depth)])

    def merge(self, other: Results, places: Callable[[Cells], Cells], kinds: Cells) -> None:
        """Count the rocks of another part of the map too, numbered on; ``places``: its cells' numbers here.

        kinds (1 + classes,): the numbers here of its classes. Paths are not kept.
        """
        rocks = len(self.rows)
        for own, others in ((self.rows, other.rows), (self.crossings, other.crossings)):
            for rows in others.pieces():
                numbered = np.array(rows)
                numbered["rock"] += rocks
                numbered["class"] = kinds[rows["class"]]
                own.append(numbered)
        self.reasons += other.reasons
        self.steps, self.unsolved = self.steps + other.steps, self.unsolved + other.unsolved
        self.largest_gain = max(self.largest_gain, other.largest_gain)
        self.largest_relative_gain = max(self.largest_relative_gain, other.largest_relative_gain)
        self._bury(*other.buried.tolist())
        self.trees = self.trees + other.trees
        self.statistics.merge(other.statistics)
        self.maps.merge(other.maps, places, kinds)
        self.spread.merge(other.spread)
        self.barriers.merge(other.barriers)

    def now(self) -> Results:
        """A copy that stays as it is while this one goes on."""
        found = copy.copy(self)
        found.rows, found.paths, found.reasons = copy.copy(self.rows), copy.copy(self.paths), self.reasons.copy()
        found.crossings = copy.copy(self.crossings)
        found.statistics, found.maps = copy.deepcopy(self.statistics), copy.deepcopy(self.maps)
        found.spread, found.barriers = copy.deepcopy(self.spread), copy.deepcopy(self.barriers)
        return found

    def sunk(self) -> list[str]:
        """A sentence if rocks start in the ground."""
        return buried(int(self.buried[0]), float(self.buried[1]), len(self.rows))

    def arrays(self) -> dict[str, Any]:
        """All but the rows and crossings, for ``restore``."""
        parts = {name: getattr(self, name).arrays() for name in _PARTS}
        return merged_arrays(parts | {"starts": {"buried": self.buried}, "trees": {"counts": self.trees}})

    def most_bytes(self, rocks: int) -> int:
        """The most that ``arrays`` of so many rocks take."""
        fixed = merged_arrays({name: getattr(self, name).arrays() for name in ("statistics", "spread", "barriers")})
        kept: int = sum(array.nbytes for array in fixed.values())
        return self.maps.most_bytes(rocks) + self.paths.most_bytes() + kept

    def restore(self, arrays: dict[str, Any], rows: np.ndarray, crossings: np.ndarray) -> None:
        """Restore the state in ``arrays``, with the rows (n,) and crossings (m,) of the counted rocks."""
        for name in _PARTS:
            getattr(self, name).restore(part_of(arrays, name))
        self.buried = counted(part_of(arrays, "starts")["buried"], self.buried)
        self.trees = counted(part_of(arrays, "trees").get("counts", self.trees), self.trees)
        self.rows.append(rows)
        self.crossings.append(crossings)
        for row in rows:
            self._count(row)


_PARTS = ("statistics", "maps", "spread", "barriers", "paths")


class Ensemble:
    """The rocks of a world's scenario, run by ``march``.

    For a window: one thread of its own goes through ``march``, which yields after each rock; any other thread may call
    ``pause``, read ``done``, ``rocks`` and ``time_left``, and take a ``snapshot``, whose results it owns. Going through
    a new ``march`` goes on where the former one ended. Why each rock stopped stands in ``results[scheme].rows``.

    Attributes
    ----------
    results : scheme name -> what its rocks left behind; fills in while ``march`` goes on
    identity : origin of the results; files: as they were read, also if they change
    done : rocks that are counted
    workers : threads, or threads of the cluster, of the last march
    wall_time, cpu_time : [s] spent in marches; the latter of all threads, also of a cluster
    """

    def __init__(self, world: World) -> None:
        if not isinstance(world, RockfallWorld):
            raise ScenarioError("kind", N_("an ensemble expects 'rockfall', got '{kind}'", world.scenario.kind))
        scenario = world.scenario
        if scenario.edit:
            raise ScenarioError("edit", N_("applies to single runs; expected a scenario without edits for an ensemble"))
        if world.rocks > 1 and not varies(scenario, world.cover.soils):
            raise ScenarioError("initial.orientation", N_("all rocks would be the same; expected 'random'"))
        self.identity = identity_of(scenario) | {"files": dict(world.files)}
        self.world, self.rocks, self.lines = world, world.rocks, segments_of(world)
        self.study = Study.of(scenario.scenario_class, scenario.hazard)
        self._check_classes()
        self.results = {name: Results(world.terrain, self.lines, self.study) for name in scenario.schemes}
        self.done, self.workers = 0, 0
        self.wall_time = self.cpu_time = 0.0
        self._around = rockfall.surroundings(world)
        self._lock, self._stop, self._own = Lock(), Event(), local()
        self._clock = self._marching = time.perf_counter()
        self._first = 0  # rocks that were done when the last march began

    def _check_classes(self) -> None:
        """ScenarioError if no rock is of a class."""
        scenario = self.world.scenario
        missing, rock = set(range(1, 1 + len(scenario.scenario_class))), 0
        while missing and rock < self.rocks:
            missing.discard(class_of(scenario, rock))
            rock += 1
        if missing:
            text = N_(
                "none of {rocks} is of scenario_class.{missing}; expected more rocks or another share",
                self.rocks,
                min(missing) - 1,
            )
            raise ScenarioError("ensemble.rocks", text)

    def march(self, workers: int | None = None) -> Generator[int, None, None]:
        """Run the rocks that are not done on threads (as many as processors); yields how many are, after each.

        The thread that goes through this is one of them: with a thread more than processors, the one that holds the
        GIL would often wait for a processor, and all others for it. Close the generator, or call ``pause``, to end it
        early: what was counted stays, and another ``march`` goes on.
        """
        self.begin(workers or processors())
        cpu = time.process_time()
        for name in self.results:
            rotation = lane_of(name).scheme.solver(CONTACT)
            rockfall.march_of(rotation, is_smooth=self.world.body.surface is not None)  # made once, not by each thread
        work = _Work(self)
        helpers: list[Thread] = []
        try:
            for i in range(1, self.workers):
                helper = Thread(target=work.help, name=f"rocks-{i}", daemon=True)
                try:
                    helper.start()
                except RuntimeError:  # no memory for one more, or no number: those that are there do it
                    break
                helpers.append(helper)
            self.workers = 1 + len(helpers)
            while self.done < self.rocks:
                passages = work.found(self.done)
                if passages is None or self.paused:
                    return
                now = time.process_time()
                self.count(passages, now - cpu)
                cpu = now
                yield self.done
        finally:
            work.end()
            for helper in helpers:
                helper.join()

    def pause(self) -> None:
        """End the march that goes on, within milliseconds; from any thread."""
        self._stop.set()

    @property
    def paused(self) -> bool:
        """True if the last march was paused or has ended."""
        return self._stop.is_set()

    def rock(self, rock: int) -> list[RockRecord] | None:
        """Run one rock with every scheme; None when the march was paused meanwhile."""
        world = self.world.with_rock(rock)
        around = self._around._replace(cover=world.cover)
        if not hasattr(self._own, "room"):
            self._own.room = RecordRoom(self.world.terrain.heights.size)
        found = []
        for name in self.results:
            record = record_of(world, around, self.lines, name, rock, self._stop, self._own.room)
            if record is None:
                return None
            found.append(record)
        return found

    def begin(self, workers: int) -> None:
        """A march begins."""
        self.workers, self._first = workers, self.done
        self._clock = self._marching = time.perf_counter()
        self._stop.clear()

    def count(self, passages: list[RockRecord], cpu: float) -> None:
        """Count the next rock, given with every scheme, and the processor time [s] that it took."""
        with self._lock:
            for found, record in zip(self.results.values(), passages, strict=True):
                found.add(record)
            self.done += 1
            now = time.perf_counter()
            if self.done - self._first == self.workers:  # each has loaded its kernels by now, or compiled them
                self._marching = now
            self.wall_time += now - self._clock
            self.cpu_time += cpu
            self._clock = now

    @property
    def time_left(self) -> float:
        """About how long the march that goes on will take [s]; infinite until each worker has done a rock."""
        done = self.done - self._first - self.workers
        return (self.rocks - self.done) * (self._clock - self._marching) / done if done > 0 else np.inf

    def snapshot(self) -> dict[str, Results]:
        """The results of this moment, for another thread than the one that marches: they do not change any more."""
        with self._lock:
            return {name: found.now() for name, found in self.results.items()}


class _Work:
    """The rocks of a march that are not begun, and those that are done and not yet counted."""

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble, self._following = ensemble, iter(range(ensemble.done, ensemble.rocks))
        self._room, self._lock = Semaphore(max(_AHEAD, 4 * ensemble.workers)), Lock()
        self._done = SimpleQueue[tuple[int, list[RockRecord] | BaseException | None]]()
        self._kept: dict[int, list[RockRecord] | None] = {}

    def help(self) -> None:
        """Run rocks until none is left or the march ends."""
        while self._room.acquire() and self._one():
            pass

    def _one(self) -> bool:
        """Run the next rock, if there is one."""
        with self._lock:
            rock = next(self._following, None)
        if rock is None:
            return False
        try:
            self._done.put((rock, None if self._ensemble.paused else self._ensemble.rock(rock)))
        except BaseException as error:  # noqa: BLE001 - raised again where rocks are counted
            self._done.put((rock, error))
        return not self._ensemble.paused

    def found(self, rock: int) -> list[RockRecord] | None:
        """Result of ``Ensemble.rock`` for a rock; runs others until it is there."""
        while rock not in self._kept:
            if self._done.empty() and self._room.acquire(blocking=False) and self._one():
                continue
            number, passages = self._done.get()
            if isinstance(passages, BaseException):
                raise passages
            self._kept[number] = passages
        self._room.release()
        return self._kept.pop(rock)

    def end(self) -> None:
        """Let all who help come to their end."""
        self._ensemble.pause()
        self._room.release(self._ensemble.workers)
