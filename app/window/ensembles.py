"""Ensembles in the window: run, shown while they fill in, saved; a rock picked and replayed; a release placed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from app.colours import Theme
from app.ensembling import Ensembling, Seen, Wanted
from app.window.ensemble_panel import EnsemblePanel
from app.window.export_queue import duration
from physics import Scenario, ScenarioError

if TYPE_CHECKING:
    from app.stage import Stage
    from app.window.entries import Entry
    from app.window.mainwindow import MainWindow

PERIOD = 100  # [ms] between two looks at how far it is
ASIDE = {"ensemble", "schemes", "view", "export", "title", "note", "source", "record_every"}  # no matter for results


class Ensembles(QObject):
    """What the window does with ensembles of the scenario that is shown; see the table of actions."""

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        super().__init__(window)
        self.window, self.panel = window, EnsemblePanel(theme)
        self.running: Ensembling | None = None
        self.rock: int | None = None
        self._ending: list[Ensembling] = []
        self._seen: Seen | None = None  # that is shown
        self._stage: Stage | None = None
        self._timer = QTimer(self, interval=PERIOD)
        self._timer.timeout.connect(self._look)
        panel = self.panel
        panel.run.connect(self.run)
        panel.cancel.connect(self.cancel)
        panel.save.connect(self.save)
        panel.replay.connect(self.replay)
        panel.wanted.connect(self._want)
        panel.coloured.connect(lambda _: self._draw(paths=True))
        panel.chosen.connect(self.choose)

    # ---- what the user does: see the table of actions --------------------------------------------------

    def show_panel(self, on: bool) -> None:
        """Show or hide the panel."""
        self.panel.setVisible(on and self._scenario() is not None)

    def go_to(self, entry: Entry) -> None:
        """Show the panel, and give one of its entries the keyboard."""
        self.window.actions_by_id["ensemble"].setChecked(True)
        entry.take_focus()

    def run(self) -> None:
        """Begin an ensemble of the scenario that is shown, pause it, or go on with it."""
        scenario = self._scenario()
        if scenario is None or (self.running is not None and self.running.saving):
            return
        self.window.actions_by_id["ensemble"].setChecked(True)
        self.panel.explain(None)
        if self.running is not None and self.running.marching:
            self.running.pause()
            return
        try:
            asked, workers = self.panel.asked(scenario)
        except ScenarioError as error:
            self.panel.explain(error)
            return
        if self.running is None or self.running.complete or asked != self.running.scenario:
            self._drop()
            self.running = Ensembling(asked, workers)
            self.panel.show_begun(asked.schemes)
        self.running.workers = workers
        self.running.march()
        self._timer.start()
        self._look()

    def cancel(self) -> None:
        """End the ensemble, and forget what is computed."""
        self._drop()
        self.panel.show_nothing()
        self.panel.explain(None)

    def save(self) -> None:
        """Ask for a place, and write the folder of results there."""
        if self.running is None or not self.running.done or self.running.marching:
            self.panel.explain("nothing to save yet: results are saved when the ensemble is complete or paused")
            return
        name, _ = QFileDialog.getSaveFileName(self.window, "Save the results in a new folder", "results", "Folders (*)")
        if name:
            self.running.save(name)
            self._timer.start()

    def choose(self, rock: int) -> None:
        """Show one rock's path bold, and what happened to it; below 0: none."""
        rows = {} if self.running is None else self.running.row(rock)
        self.rock = rock if rows else None
        self.panel.show_rock(rock if rock >= 0 else None, rows)
        if self._stage is not None and self._stage.land is not None:
            self._stage.land.choose(self.rock)
            self.window.view.refresh()

    def next_rock(self, by: int) -> None:
        """Choose the next rock, or the one before."""
        if self.running is not None and self.running.done:
            self.choose((-1 if self.rock is None and by > 0 else self.rock or 0) + by if self.rock is not None else 0)

    def replay(self) -> None:
        """Compute the rock that is chosen alone, and play it, in place of the run that is shown."""
        if self.running is not None and self.rock is not None:
            self.window.take(self.running.scenario.changed(**{"ensemble.rock": self.rock}))

    def next_map(self) -> None:
        """Lay the next map over the terrain."""
        if self.running is not None:
            self.panel.next_map()

    def place_release(self) -> None:
        """Ask for a place on the terrain, or no longer."""
        viewport, land = self.window.view.viewport, None if self._stage is None else self._stage.land
        if viewport is not None and land is not None:
            viewport.ask_place(land.release() if viewport.aim is None else None)
            told = (
                "Click where the rock is to start, or move the cross with the arrows and press Return; Esc: no longer"
            )
            self.window.status.setText(told if viewport.aim is not None else "")

    def leave_placing(self) -> None:
        """Ask for a place no longer."""
        viewport = self.window.view.viewport
        if viewport is not None and viewport.aim is not None:
            self.place_release()

    # ---- what the window tells -------------------------------------------------------------------------

    def show_run(self, scenario: Scenario, opened: bool) -> None:
        """Another run is shown: what belongs to another terrain goes."""
        self._stage = None
        before = None if self.running is None else self.running.scenario
        if before is None or (before.terrain, before.folder) != (scenario.terrain, scenario.folder):
            self.cancel()
        if scenario.kind == "rockfall" and opened:
            self.panel.show_scenario(scenario)
        self.show_panel(self.window.actions_by_id["ensemble"].isChecked())
        self._look()

    def dress(self, stage: Stage) -> None:
        """A new stage stands: it shows the ensemble too."""
        self._stage = stage
        viewport = self.window.view.viewport
        if viewport is not None and not viewport.property("picked"):
            viewport.setProperty("picked", True)
            viewport.clicked.connect(self._pick)
            viewport.aimed.connect(self._place)
        if self.running is not None:
            self._seen = None
            self._want(self.panel.shown)

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.panel.set_theme(theme)

    def close(self) -> None:
        """End all threads, and wait for them."""
        self._timer.stop()
        self._drop()
        for ending in self._ending:
            ending.close()

    # ---- inside ----------------------------------------------------------------------------------------

    def _scenario(self) -> Scenario | None:
        """The rockfall scenario that is shown; None where none is."""
        run = self.window.session.run
        return run.scenario if run is not None and run.scenario.kind == "rockfall" else None

    def _drop(self) -> None:
        if self.running is not None:
            self.running.stop()
            self._ending.append(self.running)
        self.running, self._seen = None, None
        self._ending = [ending for ending in self._ending if ending.alive]
        self.choose(-1)
        if self._stage is not None and self._stage.land is not None:
            self._stage.land.show_ensemble(None, "energy", None)
            self._stage.land.ground.lay(None)
            self.window.view.refresh()

    def _want(self, wanted: Wanted) -> None:
        if self.running is not None:
            land = None if self._stage is None else self._stage.land
            self.running.want(wanted, None if land is None else land.painted)
            self._timer.start()

    def _look(self) -> None:
        """Show how far it is, and what is new."""
        running = self.running
        if running is None:
            self._timer.stop()
            return
        if running.error is not None and not (running.marching or running.saving):
            self.panel.explain(running.fault or running.error)
            running.error = running.fault = None
        self.panel.show_progress(*self._progress(running))
        if running.seen is not None and running.seen is not self._seen:
            self._draw()

    def _progress(self, running: Ensembling) -> tuple[str, str, int, int, bool]:
        """What the button does, the word beside the bar, how far the bar is, and whether it does not know."""
        done, rocks = running.done, running.scenario.ensemble.rocks
        if running.saving:
            return "Run", "Saving…", done, rocks, True
        if running.marching:
            left = running.time_left
            told = f", {duration(left)} left" if math.isfinite(left) else ""
            return "Pause", f"{done} of {rocks} rocks{told}" if done else "Preparing…", done, rocks, not done
        if running.saved is not None:
            return "Run again" if running.complete else "Go on", f"Saved: {running.saved}", done, rocks, False
        if running.complete:
            scenario = self._scenario()
            old = "" if scenario is None or _alike(scenario, running.scenario) else "; of values before the last edit"
            return "Run again", f"{done} rocks{old}", done, rocks, False
        return "Go on", f"Paused after {done} of {rocks} rocks", done, rocks, False

    def _draw(self, paths: bool = False) -> None:
        """Show the newest results; paths: these only."""
        seen = self._seen if paths or self.running is None else self.running.seen
        if seen is None:
            return
        self._seen = seen
        if not paths and seen.told:
            self.panel.show_seen(seen)
        land = None if self._stage is None else self._stage.land
        if land is None:
            return
        colour = self.panel.colour.currentData()
        land.show_ensemble(seen.paths if colour else None, colour or "energy", seen.rested)
        if not paths:
            land.ground.lay(seen.painted)
        land.choose(self.rock)
        self.window.view.refresh()

    def _pick(self, x: float, y: float) -> None:
        if self.running is not None and self._stage is not None and self._stage.land is not None:
            rock = self._stage.land.pick(x, y)
            self.choose(-1 if rock is None else rock)

    def _place(self, x: float, y: float) -> None:
        """The release is to be where one sees the ground at a pixel."""
        scenario, stage = self._scenario(), self._stage
        place = None if stage is None or stage.land is None else stage.land.place(x, y)
        if scenario is None or place is None:
            self.window.status.setText("No ground there")
            return
        self.leave_placing()
        self.window.take(placed(scenario, place))


def placed(scenario: Scenario, place: tuple[float, float]) -> Scenario:
    """The scenario with its release at a place [m], and nowhere else."""
    release: dict[str, Any] = scenario.to_plain().get("release", {})
    kept = {key: release[key] for key in ("height", "velocity") if key in release}
    return scenario.changed(release=kept | {"position": (round(place[0], 2), round(place[1], 2))})


def _alike(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios give the same rocks."""
    a, b = one.to_plain(), other.to_plain()
    return all(a.get(key) == b.get(key) for key in (a.keys() | b.keys()) - ASIDE)
