"""Ensembling: an ensemble that marches in a thread of its own, and what a window shows of it, made in another one."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from app.looking import Looking, Paint, Seen, Told, Wanted
from physics import PhysicsError, Scenario, ScenarioError, World
from physics.ensembles.ensemble import Ensemble, Results, processors
from physics.ensembles.results import save_results
from physics.ensembles.statistics import BY_DISTANCE, summary_of
from physics.rotation import Array
from physics.systems import moreau

NICE = 5  # the rocks' threads give way to the window's


class Ensembling(Looking):
    """An ensemble of a scenario, to be started, paused and gone on with from a window.

    ``march`` computes rocks in a thread; a second thread looks at the results about once a second, and as soon as
    something else is wanted.

    Attributes
    ----------
    ensemble : None until the terrain is read
    """

    def __init__(self, scenario: Scenario, workers: int | None = None) -> None:
        self.workers = workers or processors()
        self.ensemble: Ensemble | None = None
        self._paused = threading.Event()
        self._marching = self._saving = threading.Thread()
        super().__init__(scenario)

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

    # ---- what a window orders ----------------------------------------------------------------------------

    def march(self) -> None:
        """Begin, or go on."""
        if not (self.marching or self.saving or self.complete):
            self.error = self.fault = self.saved = None
            self._paused.clear()
            self._marching = threading.Thread(target=self._march, name="ensemble", daemon=True)
            self._marching.start()
            self._news.set()

    def pause(self) -> None:
        """Stop soon; what is counted stays."""
        self._paused.set()
        if self.ensemble is not None:
            self.ensemble.pause()

    def save(self, path: str | Path) -> None:
        """Write the folder of results in the background; only while no rocks are computed."""
        if not (self.marching or self.saving) and self.done:
            self._saving = threading.Thread(target=self._save, args=(Path(path),), name="saving", daemon=True)
            self._saving.start()

    def stop(self) -> None:
        """End all threads soon."""
        super().stop()
        self.pause()

    @property
    def alive(self) -> bool:
        """Whether a thread is at work."""
        return self.marching or self.saving or super().alive

    def close(self) -> None:
        """End all threads, and wait for them."""
        super().close()
        for thread in (self._marching, self._saving):
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

    def _see(self, wanted: Wanted, paint: Paint) -> Seen | None:
        return None if self.ensemble is None else _seen(self.ensemble, wanted, paint)


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
