"""The worker of an ensemble: the program of its process, ``python -m app.hazard.worker``.

It reads orders from the standard input and writes messages to the standard output, both as in physics.core.messages.
When the orders end, the window has closed or crashed, and the process ends too.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict
from io import BufferedReader
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

import numpy as np

from app.hazard.source import Query, Summary
from app.system.errors import in_words
from app.system.language import Code, speaking
from physics import PhysicsError, Scenario, ScenarioError, World
from physics.core.messages import receive, send
from physics.core.wording import N_, joined
from physics.hazard.checkpoint import CheckpointWriter
from physics.hazard.ensemble import Ensemble, Radii, Results, coarse_of, doubts
from physics.hazard.rock_rows import RESTED, median_runout
from physics.hazard.statistics import BY_DISTANCE, summary_of
from physics.hazard.validation import Validator

NICE = 19  # the rocks give way to the window: it waits 2 ms less at a time than with 10, for 4 % fewer rocks
PERIOD = 0.1  # [s] between two messages of how far it is

Tell = Callable[..., None]  # what, facts, arrays: see physics.core.messages
WorkerAnswer = tuple[dict[str, Any], dict[str, np.ndarray]]  # facts and arrays of it


class Known(NamedTuple):
    """Facts of an ensemble that all summaries share: radii of rocks, measured stops."""

    radii: Radii
    validator: Validator


class EnsembleWorker:
    """An ensemble, and the orders that it obeys: each method without an underscore; none of them waits.

    tell : sends a message, from any thread; ``progress`` (see there), ``marched`` when a march has ended, ``saved``,
        ``seen``, ``row``; the last four with ``error`` where something went wrong, or ``fault``: field, message and
        file of a ScenarioError
    prepared : thread that loads the modules of a march, which waits for it
    kept : where checkpoints are kept, see CheckpointWriter, and gone on from; None: nowhere
    """

    def __init__(self, tell: Tell, prepared: Thread, scenario: dict[str, Any], folder: str, kept: str | None) -> None:
        self._prepared = prepared
        self._tell, self._scenario, self._folder = tell, scenario, folder
        self._ensemble: Ensemble | None = None
        self._known: Known | None = None
        self._kept = kept
        self._keeping: WorkerCheckpoints | None = None
        self._paused = Event()
        self._marching = self._saving = Thread()

    # ---- orders ----------------------------------------------------------------------------------------

    def march(self, workers: int) -> None:
        """Begin, or go on."""
        self._paused.clear()
        self._marching = _begin(self._answer, "marched", N_("the ensemble failed"), self._march, workers)

    def pause(self) -> None:
        """Stop soon; what is counted stays."""
        self._paused.set()
        if self._ensemble is not None:
            self._ensemble.pause()

    def save(self, path: str, language: Code) -> None:
        """Write the folder of results, its report in a language; only while no rocks are computed."""
        self._saving = _begin(
            self._answer, "saved", N_("the results cannot be written"), self._save, Path(path), language
        )

    def see(self, known: dict[str, int], map: str, statistic: str) -> None:
        """Tell the results of this moment; known : scheme -> how many of its paths are known already."""
        wanted = Query(tuple(known), map, statistic)
        _begin(self._answer, "seen", N_("the results cannot be shown"), self._see, wanted, known)

    def row(self, rock: int) -> None:
        """Tell the row of a rock that is counted, of each scheme."""
        _begin(self._answer, "row", N_("the rock cannot be shown"), self._row, rock)

    def end(self) -> None:
        """End on closed input: keep what is counted, and finish what is being written."""
        self.pause()
        for thread in (self._marching, self._saving):
            if thread.ident is not None:
                thread.join()

    # ---- the threads -----------------------------------------------------------------------------------

    def _answer(self, what: str, failed: str, work: Callable[..., WorkerAnswer], *values: Any) -> None:
        """Tell what some work finds, or what went wrong in it."""
        try:
            self._tell(what, *work(*values))
        except Exception as error:  # noqa: BLE001 - reported in a sentence
            self._tell(what, _problem(in_words(error, failed)))

    def _march(self, workers: int) -> WorkerAnswer:
        self._prepared.join()
        try:
            if self._keeping is None:
                ensemble = Ensemble(World.of(Scenario(**self._scenario, folder=self._folder)))
                self._keeping = WorkerCheckpoints(self._kept, ensemble)
                self._known, self._ensemble = Known(Radii(ensemble.world), Validator(ensemble.world)), ensemble
            if not self._paused.is_set():
                self._go_on(self._keeping, workers)
        except MemoryError:
            advice = N_("expected fewer threads or a smaller terrain")
            raise PhysicsError(N_("not enough memory for this ensemble; {advice}", advice)) from None
        finally:
            if self._keeping is not None:
                self._keeping.end()
                self._tell_progress(self._keeping)
        return {}, {}

    def _go_on(self, keeping: WorkerCheckpoints, workers: int) -> None:
        sent = 0.0
        with closing(keeping.ensemble.march(workers)) as march:
            for _ in march:
                keeping.keep()
                if self._paused.is_set():
                    return
                if time.monotonic() - sent >= PERIOD:
                    sent = time.monotonic()
                    self._tell_progress(keeping)

    def _tell_progress(self, keeping: WorkerCheckpoints) -> None:
        """Send the number of rocks done, the time left, the number kept, and why no more are kept."""
        done, left = keeping.ensemble.done, keeping.ensemble.time_left
        self._tell("progress", {"done": done, "left": left, "kept": keeping.kept, "unkept": keeping.fault})

    def _save(self, path: Path, language: Code) -> WorkerAnswer:
        assert self._ensemble is not None
        from app.hazard.study_report import save_with_study  # here: it loads what draws plans

        try:
            with speaking(language):
                save_with_study(path, self._ensemble, paths=True)
        except OSError as error:
            raise PhysicsError(N_("{path}: cannot be written: {error}", path, error.strerror or error)) from error
        return {"path": str(path)}, {}

    def _see(self, wanted: Query, known: dict[str, int]) -> WorkerAnswer:
        """The arrays of each scheme that there is have its number in ``left`` behind their names."""
        ensemble, about = self._ensemble, self._known
        if ensemble is None or about is None:
            return {}, {}
        results = ensemble.snapshot()
        if not (done := len(next(iter(results.values())).rows)):
            return {}, {}
        summaries = {name: asdict(_summary(ensemble, about, name, found)) for name, found in results.items()}
        left = [name for name in wanted.schemes if name in results]
        facts: dict[str, Any] = {"done": done, "summaries": summaries, "left": left, "unit": ""}
        arrays: dict[str, np.ndarray] = {}
        for number, name in enumerate(left):
            found = results[name]
            arrays |= {f"{what} {number}": array for what, array in _paths(found, known[name]).items()}
            for layer, unit, values, empty in found.maps.measured():
                if layer == wanted.layer:
                    facts["unit"], arrays[f"map {number}"] = unit, found.maps.of_cells(values, empty)
                    break
        return facts, arrays

    def _row(self, rock: int) -> WorkerAnswer:
        ensemble = self._ensemble
        if ensemble is None or not 0 <= rock < ensemble.done:
            return {}, {}
        return {}, {name: one.rows.read(rock, rock + 1).view(np.uint8) for name, one in ensemble.results.items()}


def _begin(work: Callable[..., None], *values: Any) -> Thread:
    thread = Thread(target=work, args=values, daemon=True)
    thread.start()
    return thread


def _problem(error: PhysicsError | ScenarioError) -> dict[str, Any]:
    """Description of a failure, as facts."""
    if isinstance(error, ScenarioError):
        return {"fault": [error.field, error.message, None if error.file is None else str(error.file)]}
    return {"error": str(error)}


class WorkerCheckpoints:
    """Checkpoints of a window's ensemble; where they cannot be written, it goes on without them.

    path : see CheckpointWriter; None: none are kept

    Attributes
    ----------
    kept : rocks in the last checkpoint
    fault : why there is none of later rocks; "" where nothing hinders
    """

    def __init__(self, path: str | None, ensemble: Ensemble) -> None:
        self.ensemble, self.kept, self.fault = ensemble, 0, ""
        self._keeper: CheckpointWriter | None = None
        self._window = os.getppid()
        if path is not None:
            try:
                self._keeper = CheckpointWriter(Path(path), ensemble, resume=True)
                self.kept = self._keeper.kept
            except PhysicsError as error:
                self.fault = str(error)

    def keep(self) -> None:
        """Save a checkpoint when it is time for one."""
        if self._keeper is not None and self._keeper.due:
            self._save(self._keeper)

    def end(self) -> None:
        """Save what is new."""
        if self._keeper is not None and self.kept < self.ensemble.done:
            self._save(self._keeper)

    def _save(self, keeper: CheckpointWriter) -> None:
        if os.getppid() != self._window:  # it has died: another one may have the folder by now
            return
        try:
            keeper.save()
            self.kept, self.fault = keeper.kept, ""
        except (PhysicsError, MemoryError) as error:
            self.fault = str(in_words(error, N_("no memory for a checkpoint")))


# ---- reports on the results ----------------------------------------------------------------------------


def _summary(ensemble: Ensemble, about: Known, name: str, found: Results) -> Summary:
    world = ensemble.world
    measures = {**found.statistics.summary(BY_DISTANCE), "runout": summary_of(found.rows.column("runout"))}
    median = median_runout(found.rows)
    coarse = coarse_of(world.of_lane(name), found.rows, about.radii)
    doubt = joined("\n", [*doubts({name: coarse}, world.scenario.step), *found.sunk()])
    return Summary(
        len(found.rows),
        measures,
        dict(found.reasons),
        found.barriers.summary(),
        median,
        doubt,
        about.validator.facts(name, found),
    )


def _paths(found: Results, known: int) -> dict[str, np.ndarray]:
    """The paths behind those that are known, and which of these rocks came to rest."""
    paths = found.paths
    rock, offsets = paths.rock[known:], paths.offsets[known:]
    reasons = found.rows.read(0, int(rock[-1]) + 1)["stop_reason"] if len(rock) else np.zeros(0, int)
    return {
        "rock": rock,
        "offsets": offsets - offsets[0],
        "points": paths.points[offsets[0] :],
        "values": paths.values[offsets[0] :],
        "rested": np.isin(reasons[rock], RESTED),
    }


# ---- the process ---------------------------------------------------------------------------------------


def main() -> None:
    """Obey the orders until there are no more."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    orders = sys.stdin.buffer
    assert isinstance(orders, BufferedReader)
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # whatever else is printed must not go among the messages
    lock, worker = Lock(), None

    def tell(what: str, facts: dict[str, Any], arrays: dict[str, np.ndarray] | None = None) -> None:
        with lock, suppress(OSError):  # the window is gone
            send(answers, what, facts, arrays)

    prepared = _begin(_prepare)
    while (order := receive(orders)) is not None:
        if order.what == "begin":
            worker = EnsembleWorker(tell, prepared, **order.facts)
        else:
            getattr(worker, order.what)(**order.facts)
    if worker is not None:
        worker.end()
    os._exit(0)  # amid whatever the threads do


def _prepare() -> None:
    """Load the kernels, so that the first rock falls at once: the window starts this process before it is needed."""
    Ensemble(
        World.of(
            Scenario(
                kind="rockfall",
                duration=0.01,
                step=0.01,
                body={"shape": "cuboid", "size": (1.0, 1.0, 1.0), "mass": 1.0},
                terrain={"profile": "ramp"},
                release={"position": (1.0, 0.0)},
            )
        )
    ).rock(0)


if __name__ == "__main__":
    main()
