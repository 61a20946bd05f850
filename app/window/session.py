"""Session: the scenario that is open, the run that computes it, and the clock that plays it."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal

from app.clock import Clock
from app.run import Run
from physics import Scenario

PATIENCE = 1.0  # [s] for a new run to catch up with the playhead before it replaces the shown one


class Session(QObject):
    """What the window shows and lets the user steer.

    ``run`` is the run that is shown, or None at first; a newly opened or edited scenario computes as
    ``pending`` and replaces it as soon as it has something to show. When it fails, the shown run stays.
    """

    shown = Signal(bool)  # another run is shown; whether its scenario was edited (rather than opened)
    failed = Signal(object)  # ScenarioError, or a sentence
    told = Signal(str)  # what goes on, for the status line
    ended = Signal()  # the shown run is complete

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.clock = Clock()
        self.run: Run | None = None
        self.pending: Run | None = None
        self.hold = False  # the user drags the playhead: time stands still meanwhile
        self._edited = False
        self._since = 0.0
        self._ending: list[Run] = []  # cancelled, but their threads may still be at work
        self._ended = True  # whether the end of the shown run was told

    def open(self, scenario: Scenario, edited: bool = False) -> None:
        """Compute a scenario in the background; it is shown as soon as it has begun."""
        self._retire(self.pending)
        self._edited, self._since = edited, time.monotonic()
        self.pending = Run(scenario).start()
        self.told.emit("Preparing the schemes…")

    def poll(self, elapsed: float) -> None:
        """Look what the workers have done, and let ``elapsed`` seconds pass on the clock."""
        self._ending = [run for run in self._ending if not run.finished]
        if self.pending is not None:
            self._receive(self.pending)
        if self.run is None:
            return
        self.clock.end, self.clock.complete = self.run.reached, self.run.finished
        if not self.hold:
            self.clock.tick(elapsed)
        if not self._ended:
            self._ended = self.run.finished
            self.told.emit(summary(self.run))
            if self._ended:
                self.ended.emit()
            if self._ended and self.run.error:
                self.failed.emit(self.run.error)

    def close(self) -> None:
        """End all workers, and wait for them."""
        self._retire(self.pending)
        self._retire(self.run)
        self.pending = self.run = None
        for run in self._ending:
            run.join()

    def _receive(self, run: Run) -> None:
        if run.world is None:
            if run.finished:
                self.pending = None
                self.failed.emit(run.fault or run.error)
                if self.run is not None:
                    self.told.emit(summary(self.run))
            return
        late = time.monotonic() - self._since > PATIENCE
        if self._edited and not (run.finished or late or run.reached >= self.clock.time):
            return
        self._retire(self.run)
        self.run, self.pending, self._ended = run, None, False
        self.clock.total, self.clock.end, self.clock.complete = (
            run.scenario.duration,
            run.reached,
            run.finished,
        )
        if self._edited:
            self.clock.seek(self.clock.time)
        else:
            self.clock.seek(0.0)
            self.clock.playing = True
        self.clock.revision += 1
        self.shown.emit(self._edited)

    def _retire(self, run: Run | None) -> None:
        if run is not None:
            run.cancel()
            self._ending.append(run)

    # ---- what the user steers: see the table of actions ------------------------------------------------

    def toggle(self) -> None:
        """Play or pause; at the end, play again from the start."""
        self.clock.toggle()

    def step(self, by: int) -> None:
        """Pause, and go to the next (1) or previous (-1) stored state of the lane that lasts longest."""
        if self.run is not None:
            self.clock.step(max((lane.trajectory.time for lane in self.run.lanes), key=len), by)

    def shift(self, seconds: float) -> None:
        """Move the playhead by some simulated seconds."""
        self.clock.seek(self.clock.time + seconds)

    def seek(self, seconds: float) -> None:
        """Move the playhead to a time [s]."""
        self.clock.seek(seconds)

    def to_start(self) -> None:
        """Go to the first state."""
        self.clock.seek(0.0)

    def to_end(self) -> None:
        """Go to the last state that is computed so far."""
        self.clock.seek(self.clock.end)

    def reset(self) -> None:
        """Back to the start, paused."""
        self.clock.playing = False
        self.clock.seek(0.0)
        self.clock.revision += 1

    def faster(self, by: int) -> None:
        """The next speed up (1) or down (-1)."""
        self.clock.faster(by)

    def set_speed(self, speed: float) -> None:
        """Play so many simulated seconds in a second."""
        self.clock.speed = speed
        self.clock.revision += 1

    def set_loop(self, on: bool) -> None:
        """Whether play goes on from the start at the end."""
        self.clock.loop = on
        self.clock.revision += 1


def summary(run: Run) -> str:
    """What a run does, or how it ended: one line for people."""
    if not run.finished:
        return f"Computing… {100 * run.reached / run.scenario.duration:.0f} %"
    parts = [lane.trajectory.events[-1].text for lane in run.lanes if lane.trajectory.events]
    if run.world is not None:
        parts += run.world.notes
    return "   ·   ".join(part[0].upper() + part[1:] for part in parts)
