"""Ensembles of one scenario from many drawn starts, for every combination of its batch, and shares of outcomes.

Each run has a number, and what is drawn for it depends on seed and number alone; the same starts serve every lane and
every value of the batch. Threads take runs in any order and write each into its own row: results do not depend on them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.json_text import json_text
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.ensembles.identity import identity
from physics.io.trajectory_writers import write_csv
from physics.scenario.batch import combinations
from physics.scenario.scenario import Scenario, fields
from physics.schemes.lane import lane_of
from physics.schemes.loop import MANY
from physics.simulation.schedule import stream
from physics.systems import kinds_of, system_of
from physics.systems.system import Chunk, StartSampling
from physics.systems.world import World

MAX_RUNS = 1_000_000  # runs of all lanes and values: 176 MB of rows
_ROWS = 4096  # stored states between two moments at which a march can be ended
_AT_ONCE = 8  # runs that a thread takes: 50 ms of tippe tops
_MANY = 256  # runs that are made together: 50 ms of free bodies


@dataclass(frozen=True)
class Share:
    """Share of the solved runs in which the event happened; bounds of 95 % after Wilson (1927).

    Wilson, Journal of the American Statistical Association 22, 209-212. A share of no runs is NaN, between 0 and 1.
    """

    count: int
    runs: int
    failed: int

    @property
    def share(self) -> float:
        """Share of the runs that did not fail."""
        return self.count / self.runs if self.runs else math.nan

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the probability."""
        from scipy.stats import binomtest  # here: it takes long to load

        if not self.runs:
            return 0.0, 1.0
        found = binomtest(self.count, self.runs).proportion_ci(0.95, method="wilson")
        return float(found.low), float(found.high)


@dataclass(frozen=True)
class Series:
    """The runs of one lane for one combination of the batch's values.

    Attributes
    ----------
    lane : its name
    values : of the batch, by field
    world : before starts are drawn
    rows : (runs, columns) outcome of each, see physics.systems.system.StartSampling
    """

    lane: str
    values: Mapping[str, Any]
    world: World
    rows: Array

    def column(self, name: str) -> Array:
        """One column (runs,) of the outcomes."""
        scenario = self.world.scenario
        return np.asarray(self.rows[:, list(sampling_of(scenario).columns(scenario)).index(name)])

    @property
    def shares(self) -> dict[str, Share]:
        """Shares of the runs in which the events of its system happened, by column."""
        scenario, found = self.world.scenario, dict[str, Share]()
        for name in sampling_of(scenario).events(scenario):
            happened = self.column(name)
            good = np.isfinite(happened)
            found[name] = Share(int(happened[good].sum()), int(good.sum()), int((~good).sum()))
        return found


def sampling_of(scenario: Scenario) -> StartSampling[Any]:
    """Sampling of starts of the scenario's kind; ScenarioError where there is none."""
    if (sampling := system_of(scenario).starts) is None:
        raise ScenarioError(
            "kind", N_("expected {starts}, got '{kind}'", kinds_of(lambda row: row.starts is not None), scenario.kind)
        )
    return sampling


def _together(series: Series) -> Callable[..., Array] | None:
    """Function that makes several runs at once; None: they are made one by one."""
    outcomes, scenario = sampling_of(series.world.scenario).outcomes, series.world.scenario
    return None if scenario.acted or MANY not in lane_of(series.lane).scheme.marches else outcomes


def _parts(series: Series) -> list[range]:
    """The numbers of its runs, as threads take them."""
    most, n = _MANY if _together(series) else _AT_ONCE, len(series.rows)
    return [range(first, min(first + most, n)) for first in range(0, n, most)]


@dataclass
class StartEnsemble:
    """All runs of a scenario's lanes and batch; ``march`` makes them.

    Attributes
    ----------
    series : one a lane and combination, rows NaN until ``march`` has made them
    wall_time, cpu_time : [s] of the march, the latter of all threads
    """

    scenario: Scenario
    series: tuple[Series, ...] = field(init=False)
    workers: int = field(init=False, default=0)
    wall_time: float = field(init=False, default=0.0)
    cpu_time: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        sampling = sampling_of(self.scenario)
        if self.scenario.edit:
            raise ScenarioError("edit", N_("applies to single runs; expected a scenario without edits for an ensemble"))
        named = [name for name in fields(self.scenario.batch) if name != "schemes"]
        series, total = [], 0
        for _, one in combinations(self.scenario):
            world, plain = World.of(one), fields(one.to_plain())
            if sampling.runs(world) > 1 and not sampling.varies(world):
                raise ScenarioError(
                    "ensemble.spread", N_("all runs would be the same; expected a number above 0 in it")
                )
            values = {name: plain[name] for name in named}
            total += sampling.runs(world) * len(one.schemes)
            if total > MAX_RUNS:
                raise ScenarioError(
                    one.ensemble_size, N_("expected at most {most} runs of all lanes and of the batch", MAX_RUNS)
                )
            for lane in one.schemes:
                rows = np.full((sampling.runs(world), len(sampling.columns(one))), np.nan)
                series.append(Series(lane, values, world.of_lane(lane), rows))
        self.series, self._stop = tuple(series), Event()

    @property
    def runs(self) -> int:
        """Number of runs of all lanes and values."""
        return sum(len(one.rows) for one in self.series)

    def run(self, series: Series, number: int) -> Array:
        """Outcome of one run (columns,): its row in the whole ensemble, bit for bit."""
        return np.array(self._runs(series, range(number, number + 1))[0])

    def prepare(self) -> None:
        """Compile what the lanes need, once, before threads would."""
        for one in {one.lane: one for one in self.series}.values():
            if _together(one):
                brief = one.world.scenario.changed(duration=one.world.scenario.step)
                self._runs(replace(one, world=replace(one.world, scenario=brief)), range(1))
                continue
            blocks = stream(one.world, one.lane, 1)
            next(blocks)
            next(blocks)

    def march(self, workers: int) -> Generator[int, None, None]:
        """Make all runs on so many threads; yields how many are done. Closed early, it ends within a block."""
        self.workers = workers
        began, cpu, done = time.perf_counter(), time.process_time(), 0
        parts = [(one, part) for one in self.series for part in _parts(one)]
        with ThreadPoolExecutor(workers, thread_name_prefix="starts") as pool:
            try:
                for part in as_completed([pool.submit(self._fill, *part) for part in parts]):
                    done += part.result()
                    yield done
            finally:
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                self._stop.clear()
                self.wall_time, self.cpu_time = time.perf_counter() - began, time.process_time() - cpu

    def stop(self) -> None:
        """End ``march`` within a block, from another thread than its own, where it raises CancelledError."""
        self._stop.set()

    def _fill(self, series: Series, numbers: range) -> int:
        """Make these runs; how many."""
        series.rows[numbers.start : numbers.stop] = self._runs(series, numbers)
        return len(numbers)

    def _runs(self, series: Series, numbers: range) -> Array:
        """Outcomes of runs (n, columns)."""
        sampling, outcomes = sampling_of(series.world.scenario), _together(series)
        worlds = [sampling.draw(series.world, number) for number in numbers]
        if outcomes is not None:
            return outcomes(worlds, lane_of(series.lane).scheme, self._until_stopped)
        blocks = (self._until_stopped(stream(world, series.lane, _ROWS)) for world in worlds)
        return np.array([sampling.outcome(world, one) for world, one in zip(worlds, blocks, strict=True)])

    def _until_stopped(self, blocks: Iterator[Chunk]) -> Iterator[Chunk]:
        for block in blocks:
            if self._stop.is_set():
                raise CancelledError
            yield block


# ---- the folder of results: summary.json and runs.csv -------------------------------------------------


def write_start_results(folder: Path, ensemble: StartEnsemble) -> None:
    """Write the outcome of each run, and the shares, into an existing folder."""
    write_csv(folder / "runs.csv", _header(ensemble.series[0]), chain.from_iterable(map(_rows, ensemble.series)))
    (folder / "summary.json").write_text(json_text(summarised(ensemble), 2) + "\n", encoding="utf-8")


def summarised(ensemble: StartEnsemble) -> dict[str, Any]:
    """Contents of summary.json: the share of each lane and combination, and the origin of the results."""
    return {
        "shares": [_share(one, event) for one in ensemble.series for event in one.shares],
        "runs": ensemble.runs,
        "seed": ensemble.scenario.seed,
        "wall_seconds": ensemble.wall_time,
        "cpu_seconds": ensemble.cpu_time,
        "workers": ensemble.workers,
        **identity(ensemble.scenario),
    }


def _share(one: Series, event: str) -> dict[str, Any]:
    found = one.shares[event]
    share = None if math.isnan(found.share) else found.share
    counts = {"runs": found.runs, "failed": found.failed, event: found.count, "share": share, "bounds": found.bounds}
    return {"scheme": one.lane, **one.values, **counts}


def _header(one: Series) -> list[str]:
    columns = sampling_of(one.world.scenario).columns(one.world.scenario)
    return ["scheme", *one.values, "run", *(f"{name} [{unit}]" if unit else name for name, unit in columns.items())]


def _rows(one: Series) -> Iterator[list[Any]]:
    """A number that counts is written whole, one that is not known not at all."""
    units = list(sampling_of(one.world.scenario).columns(one.world.scenario).values())
    for number, row in enumerate(one.rows.tolist()):
        cells = ["" if math.isnan(x) else x if unit else int(x) for x, unit in zip(row, units, strict=True)]
        yield [one.lane, *one.values.values(), number, *cells]
