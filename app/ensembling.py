"""Ensembling: an ensemble that marches in a thread of its own, and what a window shows of it, made in another one."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from physics import PhysicsError, Scenario, ScenarioError, World
from physics.ensembles.ensemble import Ensemble, Results, processors
from physics.ensembles.paths import Paths
from physics.ensembles.results import save_results
from physics.ensembles.statistics import BY_DISTANCE, QUANTITIES, summary_of
from physics.rotation import Array
from physics.systems import moreau

PERIOD = 1.0  # [s] at least between two looks at the results while they fill in
SHARE = 4.0  # looks are so seldom that they take at most a fifth of the time
NICE = 5  # the rocks' threads give way to the window's

MAPS = {  # what can be laid over the terrain -> title; of the QUANTITIES each with one of STATISTICS
    "reach_probability": "reach probability",
    "passages": "rocks that passed",
    "deposits": "rocks at rest",
    "kinetic_energy": "kinetic energy",
    "velocity": "velocity",
    "rotation": "spin rate",
    "jump_height": "jump height",
}
WORDS = {"mean": "mean", "median": "median", "max": "largest", "q90": "90 %", "q95": "95 %", "q99": "99 %"}


@dataclass(frozen=True)
class Wanted:
    """What is wanted of an ensemble: a scheme's, and a map: one of MAPS ("" for none), with a statistic."""

    scheme: str = ""
    map: str = ""
    statistic: str = "q95"

    @property
    def layer(self) -> str:
        """The name of the map in physics.ensembles.maps."""
        return f"{self.map}_{self.statistic}" if self.map in QUANTITIES else self.map

    @property
    def title(self) -> str:
        """The map for people."""
        return f"{MAPS[self.map]}, {WORDS[self.statistic]}" if self.map in QUANTITIES else MAPS.get(self.map, "")


@dataclass(frozen=True)
class Told:
    """What the rocks of one scheme so far tell.

    Attributes
    ----------
    rocks : their number
    measures : quantity -> mean, std, median, q90, q95, q99, max, over the whole path, by distance; and of the run-out
    reasons : why rocks stopped -> how many
    barriers : as physics.ensembles.barriers tells them
    """

    rocks: int
    measures: dict[str, dict[str, float]]
    reasons: dict[str, int]
    barriers: list[dict[str, Any]]


@dataclass(frozen=True)
class Seen:
    """The results of a moment, ready to be shown.

    Attributes
    ----------
    told : scheme -> what its rocks tell; empty before the first rock
    paths, rested : of the wanted scheme: thinned paths, and which of these rocks came to rest
    unit, values : of the wanted map: (cells,); None where none is wanted
    painted : what ``paint`` made of the map
    """

    done: int
    wanted: Wanted
    told: dict[str, Told]
    paths: Paths | None = None
    rested: Array | None = None
    unit: str = ""
    values: Array | None = None
    painted: Any = None


Paint = Callable[[str, str, Array], Any]  # title, unit and values of a map -> what the stage shows


class Ensembling:
    """An ensemble of a scenario, to be started, paused and gone on with from a window.

    ``march`` computes rocks in a thread; a second thread looks at the results about once a second, and as soon as
    something else is wanted, and leaves the newest ``seen``. Nothing here waits but ``close``.

    Attributes
    ----------
    ensemble : None until the terrain is read
    seen : the newest results; each is a new object
    error, fault : what went wrong, as a sentence, and the ScenarioError behind it
    saved : the folder that was written last
    """

    def __init__(self, scenario: Scenario, workers: int | None = None) -> None:
        self.scenario, self.workers = scenario, workers or processors()
        self.ensemble: Ensemble | None = None
        self.seen: Seen | None = None
        self.error: str | None = None
        self.fault: ScenarioError | None = None
        self.saved: Path | None = None
        self._wanted, self._paint = Wanted(scenario.schemes[0]), _unpainted
        self._closed, self._news = threading.Event(), threading.Event()
        self._paused = threading.Event()
        self._marching = self._saving = threading.Thread()
        self._looking = threading.Thread(target=self._look, name="results", daemon=True)
        self._looking.start()

    # ---- what a window asks ----------------------------------------------------------------------------

    @property
    def marching(self) -> bool:
        """Whether rocks are being computed."""
        return self._marching.is_alive()

    @property
    def saving(self) -> bool:
        """Whether results are being written."""
        return self._saving.is_alive()

    @property
    def done(self) -> int:
        """Rocks that are counted."""
        return 0 if self.ensemble is None else self.ensemble.done

    @property
    def complete(self) -> bool:
        """Whether all rocks are counted."""
        return self.ensemble is not None and self.ensemble.done == self.ensemble.rocks

    @property
    def time_left(self) -> float:
        """About how long the march will take [s]; infinite before its first rock."""
        return np.inf if self.ensemble is None else self.ensemble.time_left

    def row(self, rock: int) -> dict[str, Any]:
        """Scheme -> the row (of type physics.ensembles.rows.ROW) of a rock that is counted; none of one that is not."""
        if self.ensemble is None or not 0 <= rock < self.done:
            return {}
        return {name: found.rows.read(rock, rock + 1)[0] for name, found in self.ensemble.results.items()}

    # ---- what a window orders --------------------------------------------------------------------------

    def march(self) -> None:
        """Begin, or go on."""
        if not (self.marching or self.saving or self.complete):
            self.error = self.fault = None
            self._paused.clear()
            self._marching = threading.Thread(target=self._march, name="ensemble", daemon=True)
            self._marching.start()
            self._news.set()

    def pause(self) -> None:
        """Stop soon; what is counted stays."""
        self._paused.set()
        if self.ensemble is not None:
            self.ensemble.pause()

    def want(self, wanted: Wanted, paint: Paint | None = None) -> None:
        """Look at something else; paint is called in the thread that looks."""
        self._wanted, self._paint = wanted, paint or _unpainted
        self._news.set()

    def save(self, path: str | Path) -> None:
        """Write the folder of results in the background; only while no rocks are computed."""
        if not (self.marching or self.saving) and self.done:
            self._saving = threading.Thread(target=self._save, args=(Path(path),), name="saving", daemon=True)
            self._saving.start()

    def stop(self) -> None:
        """End all threads soon."""
        self._closed.set()
        self.pause()
        self._news.set()

    @property
    def alive(self) -> bool:
        """Whether a thread is at work."""
        return self.marching or self.saving or self._looking.is_alive()

    def close(self) -> None:
        """End all threads, and wait for them."""
        self.stop()
        for thread in (self._marching, self._saving, self._looking):
            if thread.ident is not None:
                thread.join()

    # ---- the threads -----------------------------------------------------------------------------------

    def _march(self) -> None:
        if sys.platform == "linux":
            with suppress(OSError):  # the threads that it starts inherit this
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        try:
            if self.ensemble is None:
                self.ensemble = Ensemble(World.of(self.scenario))
            march = self.ensemble.march(self.workers)
            for _ in march:
                if self._paused.is_set():
                    march.close()
        except ScenarioError as error:
            self.error, self.fault = str(error), error
        except PhysicsError as error:
            self.error = str(error)
        except MemoryError:
            self.error = "not enough memory for this ensemble; expected fewer threads or a smaller terrain"
        except Exception as error:  # noqa: BLE001 - a worker must not die in silence: the window tells it
            self.error = f"the ensemble failed: {type(error).__name__}: {error}"
        finally:
            self._news.set()

    def _save(self, path: Path) -> None:
        assert self.ensemble is not None
        try:
            save_results(path, self.ensemble, paths=True)
            self.saved = path
        except (ScenarioError, PhysicsError) as error:
            self.error = str(error)
        except OSError as error:
            self.error = f"{path}: cannot be written: {error.strerror or error}"

    def _look(self) -> None:
        """Leave the newest results, again and again."""
        took, last = 0.0, (-1, Wanted(), _unpainted)
        while not self._closed.is_set():
            if self._news.wait(max(PERIOD, SHARE * took) if self.marching else None):
                self._news.clear()
            now = (self.done, self._wanted, self._paint)
            if self._closed.is_set() or self.ensemble is None or now == last:
                continue
            began = time.perf_counter()
            try:
                self.seen, last = _seen(self.ensemble, *now[1:]), now
            except Exception as error:  # noqa: BLE001 - as above
                self.error = f"the results cannot be shown: {type(error).__name__}: {error}"
            took = time.perf_counter() - began


def _unpainted(title: str, unit: str, values: Array) -> None:
    """Without a stage there is nothing to paint on."""


def _seen(ensemble: Ensemble, wanted: Wanted, paint: Paint) -> Seen:
    results = ensemble.snapshot()
    done = len(next(iter(results.values())).rows)
    if not done:
        return Seen(0, wanted, {})
    told = {name: _told(found) for name, found in results.items()}
    found = results.get(wanted.scheme)
    if found is None:
        return Seen(done, wanted, told)
    rested = found.rows.read(0, int(found.paths.rock[-1]) + 1 if len(found.paths) else 0)["stop_reason"] == moreau.REST
    unit, values = _layer(found, wanted.layer)
    painted = None if values is None else paint(wanted.title, unit, values)
    return Seen(done, wanted, told, found.paths, rested[found.paths.rock], unit, values, painted)


def _told(found: Results) -> Told:
    measures = {**found.statistics.summary(BY_DISTANCE), "runout": summary_of(found.rows.column("runout"))}
    return Told(len(found.rows), measures, dict(found.reasons), found.barriers.summary())


def _layer(found: Results, name: str) -> tuple[str, Array | None]:
    """Unit and values (cells,) of a map; None where there is none of this name."""
    for layer, unit, values, empty in found.maps.measured():
        if layer == name:
            return unit, found.maps.of_cells(values, empty)
    return "", None
