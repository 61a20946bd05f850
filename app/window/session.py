"""Session: the open scenario, its run, and the clock that plays it."""

from __future__ import annotations

import bisect
import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.document.history import Document, Experiment, History
from app.kinds import kind_of
from app.playback.clock import Clock, usual_speed
from app.playback.headline import Headline, headline
from app.playback.kernel_compiler import KernelCompiler, compiling_words
from app.playback.markers import Marker, departures, markers, told_of
from app.playback.run import Run
from app.system.language import tr, translated
from physics import Scenario, ScenarioError, World
from physics.simulation.audit import sparse
from physics.simulation.schedule import THROUGHOUT, Schedule, changed_keys

CONTROLS = frozenset({"gravity", "wave", "wind", "damping", "control"})  # tables of what acts on the body
PATIENCE = 1.0  # [s] for a new run to catch up with the playhead before it replaces the shown one


class Session(QObject):
    """Runs, history and clock of the window.

    ``run`` is the run that is shown, or None at first; a newly opened or edited scenario computes as
    ``pending`` and replaces it as soon as it has something to show. If it fails, the shown run stays. The history
    moves at once, so that every quick undo counts; only the latest step is computed to the end.
    ``before`` is the run that was shown until the last edit.
    """

    moved = Signal()  # to another step of the history, which may not be shown yet
    left = Signal(object)  # Document whose run makes room for one of another document
    shown = Signal(str)  # another run is shown: "opened", "edited" or "restored" (undone, redone)
    failed = Signal(object)  # ScenarioError, or a sentence
    progress = Signal(str)  # progress, for the status line
    begun = Signal()  # the shown run is recorded beyond its start
    ended = Signal()  # the shown run is complete
    judged = Signal()  # the true motion of another lane of it is known

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.clock = Clock()
        self.run: Run | None = None
        self.before: Run | None = None
        self.pending: Run | None = None
        self.refused: Scenario | None = None  # the last one that was tried, if it has no start
        self.compiler = KernelCompiler()
        self.history = History()
        self.hold = False  # time stands still while the user drags the playhead
        self.calm = False  # no autoplay
        self.ready: Callable[[], bool] = lambda: True  # see Run
        self.branching = False  # edits of what the body or the ground is start at the playhead, not at the start
        self.otherwise: Schedule | None = None  # the last edit, from the playhead in place of the start or vice versa
        self.markers: tuple[Marker, ...] = ()
        self.headline: Headline | None = None  # as far as the run is known
        self._searching: float | None = None  # as that of the run was last shown
        self._judged = 0  # number of its lanes whose true motion is known
        self.rate: float | None = None  # measured simulated seconds per second
        self._how, self._at = "opened", 0.0  # the pending run: its signal, playhead
        self._afresh = False  # play the pending run from its start
        self._instead = False  # it replaces the shown run, which is not compared with
        self._beside: Run | None = None  # run computed for comparison with the pending one
        self._since = 0.0
        self._ending: list[Run] = []  # cancelled, but their threads may still be working
        self._begun = self._ended = True  # the beginning and the end of the shown run were reported
        self._measured = (0.0, 0.0)  # wall clock and playhead at the last measurement

    # ---- computation ------------------------------------------------------------------------------

    def open(
        self,
        scenario: Scenario,
        schedule: Schedule | None = None,
        at: float = 0.0,
        *,
        compared: bool = False,
        document: Document | None = None,
    ) -> None:
        """Compute a scenario in the background, and show it as soon as there is a start.

        schedule : with the edits of a saved session; at : its playhead [s]
        compared : compute the run without the last edit too
        document : its origin; None: no file
        """
        schedule = schedule or Schedule((scenario,))
        if self.opening:  # a step that was not shown is dropped
            self.history.back()
        self.history.push(Experiment(scenario, schedule, document or Document(saved=schedule)))
        self._compute("opened", at)
        if compared and schedule.before is not None:
            self._beside = Run(schedule.before, kind_of(scenario).prepare).start()

    def edit(self, scenario: Scenario, whole: bool = False, afresh: bool = False) -> None:
        """Change values from the playhead or from the start.

        Tables of CONTROLS act from the playhead on, and all others too if ``branching``; else all is computed anew,
        and always if ``whole``. ``otherwise`` is the other of the two, where there is one.

        afresh : play it from its start, wherever the playhead is

        Raises ScenarioError if the edit contradicts an earlier one.
        """
        shown = self.history.shown if self.opening else self.history.there(0)  # edits apply to what is shown
        anew = schedule = Schedule((scenario,))
        self.otherwise = None
        if shown is not None and not whole:
            try:
                later = shown.schedule.edited(scenario, self.clock.time)
            except ScenarioError:
                if self.branching:
                    raise
                later = anew
            changed = changed_keys(shown.schedule.scenario, scenario)
            if self.branching or changed <= CONTROLS | THROUGHOUT:
                schedule = later
            if len(later.times) > 1 and not changed <= THROUGHOUT:
                self.otherwise = anew if schedule is later else later
        if self.opening:
            self.history.back()
        self.history.push(Experiment(scenario, schedule) if shown is None else replace(shown, schedule=schedule))
        self._compute("edited", 0.0 if afresh else self.clock.time)
        self._afresh = afresh

    def edit_otherwise(self) -> None:
        """Take the last edit from the playhead where it was from the start, or vice versa, in its place."""
        there = self.history.there(0)
        if self.otherwise is not None and there is not None:
            schedule, self.otherwise = self.otherwise, there.schedule
            self.history.go(-1)
            self.history.push(replace(there, schedule=schedule))
            self._compute("edited", self.clock.time)
            self._instead = True

    def undo(self) -> None:
        """Undo the last edit."""
        self._go(-1)

    def redo(self) -> None:
        """Redo the edit that was undone."""
        self._go(1)

    def again(self) -> None:
        """Compute the current step again, with a changed scheme."""
        if self.history.there(0) is not None:
            self._compute(self._how if self.pending is not None else "restored", self.clock.time)

    def _go(self, by: int) -> None:
        if self.history.there(by) is not None:
            self.history.go(by)
            self._compute("restored", self._playhead())

    def _playhead(self) -> float:
        """Time [s] at which the current step of the history is shown: of another document, where it was left."""
        there = self.history.there(0)
        left = None if there is None else there.document.left
        if left is not None:
            return left.time
        return self.clock.time if self.clock.awaited is None else self.clock.awaited

    def _compute(self, how: str, at: float) -> None:
        """Compute the current step of the history."""
        experiment = self.history.there(0)
        assert experiment is not None
        self._retire(self.pending)
        self._retire(self._beside)
        self._beside, self._afresh, self._instead, self.refused = None, False, False, None
        self._how, self._at = how, at
        self._since = time.monotonic()
        self.compiler.stop()
        ready = self.ready if at == 0.0 else lambda: True  # else nothing is shown until the run is at the playhead
        self.pending = Run(experiment.schedule, kind_of(experiment.schedule.scenario).prepare, ready).start()
        self.moved.emit()
        self.progress.emit(tr("Preparing the schemes…"))

    def poll(self, elapsed: float) -> None:
        """Collect results of the workers, and let ``elapsed`` seconds pass on the clock."""
        self._ending = [run for run in self._ending if not run.finished]
        if self.pending is not None:
            self._receive(self.pending)
        if self.pending is not None and self.pending.compiling:
            self.progress.emit(summary(self.pending))
        elif self.pending is not None and self.pending.world is None and self.pending.reading:
            self.progress.emit(tr("Reading the map: {share:.0%}").format(share=self.pending.reading))
        if self.run is None:
            return
        self.clock.end, self.clock.complete = self.run.reached, self.run.finished
        if not self.hold:
            self.clock.tick(elapsed)
        self._measure()
        if not self._begun and self.run.reached > 0.0:
            self._begun = True
            self.begun.emit()
        if not self._ended:
            self._ended = self.run.finished
            if self._ended:
                self.markers, self._judged = markers(self.run), -1  # a truth that came between is told again below
            self.progress.emit(summary(self.run))
            if self._ended:
                self.ended.emit()
            if self._ended and self.run.error:
                self.failed.emit(self.run.error)
        if self._searching != self.run.searching:
            self._searching = self.run.searching
            self.progress.emit(summary(self.run))
        judged = sum(lane.truth is not None for lane in self.run.lanes)
        if judged != self._judged:
            self._judged = judged
            both = {*self.markers, *departures(self.run.lanes)}
            self.markers = tuple(sorted(both, key=lambda marker: marker.time))
            self.headline = headline(self.run.scenario, self.run.lanes, self.markers)
            self.judged.emit()

    def close(self) -> None:
        """End all workers, and wait for them."""
        self.compiler.stop()
        for run in (self.pending, self._beside, self.run, self.before):
            self._retire(run)
        self.pending = self._beside = self.run = self.before = None
        for run in self._ending:
            run.join()

    def _receive(self, run: Run) -> None:
        if run.world is None:
            if run.finished:
                self.pending, self.refused = None, run.scenario
                self.history.back()
                self.moved.emit()
                self.failed.emit(run.fault or run.error)
                self.progress.emit("" if self.run is None else summary(self.run))
            return
        late = time.monotonic() - self._since > PATIENCE
        if self._at > 0 and not (run.finished or late or run.reached >= self._at):
            return
        if self._beside is not None and self._beside.world is None and not self._beside.finished:
            return
        there, before = self.history.there(0), self.history.shown
        if there is not None and before is not None and there.document is not before.document:
            self.left.emit(before.document)
        self._retire(self.run)
        self._retire(self.before)
        if self._how == "opened":
            self.before = self._beside
        elif not self._instead:
            self.before = self.run
        self._beside = None
        self.run, self.pending, self._begun, self._ended = run, None, False, False
        self.markers, self._judged = (), 0
        self.headline = headline(run.scenario, run.lanes, ())
        self.history.reach()
        clock = self.clock
        clock.total, clock.end, clock.complete = run.scenario.duration, run.reached, run.finished
        if self._how == "opened":
            clock.first = clock.last = None
            clock.speed, clock.backward = _speed(run.scenario), False
            clock.wait_for(self._at)
            clock.playing = self._at == 0.0 and not self.calm
        elif self._afresh:
            clock.seek(0.0)
            clock.playing, clock.backward = True, False
        else:
            clock.wait_for(self._playhead())
        clock.revision += 1
        self.shown.emit(self._how)

    def _retire(self, run: Run | None) -> None:
        if run is not None:
            run.cancel()
            self._ending.append(run)

    def _measure(self) -> None:
        """Measure the speed of playing, over half a second at least."""
        wall, at = self._measured
        now = time.perf_counter()
        if not self.clock.playing or self.hold or self.clock.time < at:
            self._measured, self.rate = (now, self.clock.time), None
        elif now - wall > 0.5:
            self.rate = (self.clock.time - at) / (now - wall)
            self._measured = now, self.clock.time

    # ---- actions: see the table ------------------------------------------------

    def step(self, by: int) -> None:
        """Pause, and go to the next (1) or previous (-1) stored state of the longest lane."""
        if self.run is not None:
            self.clock.step(max((lane.trajectory.time for lane in self.run.lanes), key=len), by)

    def to_event(self, by: int) -> None:
        """Pause, and go to the next (1) or previous (-1) event, or place where a lane leaves the true motion."""
        times = sorted({marker.time for marker in self.markers})
        at = self.clock.time
        i = bisect.bisect_right(times, at + 1e-9) if by > 0 else bisect.bisect_left(times, at - 1e-9) - 1
        if 0 <= i < len(times):
            self.clock.playing = False
            self.clock.seek(times[i])
            self.clock.revision += 1

    def shift(self, seconds: float) -> None:
        """Move the playhead by simulated seconds."""
        self.clock.seek(self.clock.time + seconds)

    def seek(self, seconds: float) -> None:
        """Move the playhead to a time [s]."""
        self.clock.seek(seconds)

    def to_end(self) -> None:
        """Go to the last state, and stay with the newest one during computation."""
        self.clock.seek(self.clock.end)
        self.clock.newest = not self.clock.complete

    def reset(self) -> None:
        """Back to the start, paused."""
        self.clock.playing = False
        self.clock.seek(0.0)
        self.clock.revision += 1

    def set_speed(self, speed: float) -> None:
        """Set the simulated seconds per second."""
        self.clock.speed = speed
        self.clock.revision += 1

    def mark(self, first: bool) -> None:
        """Set the in point, or the out point, at the playhead, or remove it."""
        self.clock.mark(first=first)

    @property
    def opening(self) -> bool:
        """True if the current step of the history was opened and is not shown yet."""
        return self.pending is not None and self._how == "opened"

    @property
    def computing(self) -> bool:
        """True while the shown or the pending run is being computed."""
        return self.pending is not None or (self.run is not None and not self.run.finished)

    def stop(self) -> None:
        """Stop computing, and keep recorded states."""
        for run in (self.pending, self.run):
            if run is not None and not run.finished:
                run.cancel()

    def set_branching(self, on: bool) -> None:
        """Let all edits start at the playhead, or those of what the body and the ground are at the start."""
        self.branching = on


def _speed(scenario: Scenario) -> float:
    """Initial speed of a scenario: that of its films, if given."""
    given = "speed" in scenario.export.model_fields_set
    return scenario.export.speed if given else usual_speed(scenario.duration)


def _look_notes(world: World) -> tuple[str, ...]:
    """Notes on the looks of bodies from files; for others the stage, which takes long to load, is not loaded."""
    if not any(body.origins for body in world.bodies):
        return ()
    from app.stage.bodies.model_look import look_notes

    return look_notes(world)


def summary(run: Run) -> str:
    """Progress or end of a run, on one line for people."""
    if run.compiling:
        return compiling_words(run.scenario, run.compiling, time.monotonic() - run.compiling_since)
    if not run.finished:
        return tr("Computing… {share:.0f} %").format(share=100 * run.reached / run.scenario.duration)
    events = [(lane, lane.trajectory.events) for lane in run.lanes]
    parts = [told_of(lane, event.text) for lane, each in events for event in each[-1:]]
    if run.stopped:
        parts.append(tr("computing was stopped at {reached:.4g} s").format(reached=run.reached))
    parts += [told_of(lane, event.text) for lane, each in events for event in each if event.doubtful]
    if run.searching is None:  # while a search goes on this is called often
        parts += [told_of(lane, text) for lane in run.lanes for text in sparse(lane.trajectory)]
    if len(run.schedule.times) > 1:
        parts.append(
            tr("edited at {times}").format(times=", ".join(f"{time:.4g} s" for time in run.schedule.times[1:]))
        )
    if run.world is not None:
        parts += map(translated, (*run.world.notes, *_look_notes(run.world)))
    if (searched := run.searching) is not None:
        parts.append(tr("Searching the true motion… {share:.0%}").format(share=searched))
    return "   ·   ".join(part[0].upper() + part[1:] for part in parts)
