"""Ensembles in the window: run, shown while computing, saved, opened again; rocks picked and replayed."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from app.document.look import Look
from app.document.session import SavedSession, SessionView
from app.hazard import process as recovery
from app.hazard.live import LiveEnsemble
from app.hazard.process import SpareProcess
from app.hazard.source import EnsembleSource, Paint, Query, Snapshot
from app.hazard.window.ensemble_panel import EnsemblePanel
from app.hazard.window.shown_results import (
    ResultPictures,
    how_far,
    none_started,
    shown_layers,
    shown_results,
    unsaveable,
)
from app.system.language import tr, translated
from app.system.own_words import title_of
from app.theme import Theme
from app.window.ensembles import Ensembles
from app.window.guides.command_palette import Entry as Choice
from app.window.guides.synonyms import REMOVE
from app.window.labels import sentence
from app.window.view.frame_timer import Task
from app.window.workspace import Workspace
from physics import Scenario, ScenarioError
from physics.simulation.schedule import Schedule
from physics.systems import system_of

if TYPE_CHECKING:
    from app.stage import Stage
    from app.stage.ground.scene import TerrainScene
    from app.window.panel.rows import Entry

PERIOD, CALM = 100, 1000  # [ms] between updates, and until a process is started for the next ensemble


class EnsembleController(Ensembles):
    """Ensembles of the scenario that is shown; see the table of actions."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.workspace, self._window = workspace, parent
        self._panel, self.view, self.status = EnsemblePanel(workspace.theme), workspace.view, workspace.status
        self.running: EnsembleSource | None = None
        self.rock: int | None = None
        self._chosen: tuple[int, dict[str, Any]] | None = None  # rock and its row that are shown
        self._spare = SpareProcess()
        self._ending: list[EnsembleSource] = []
        self._requested: Scenario | None = None  # of what runs
        self._expected: SessionView | None = None  # look of a session that is being opened
        self._shown: Scenario | None = None  # scenario that the window shows
        self._left: dict[str, Scenario] = {}  # names of ensembles set aside -> scenario that was shown
        self._recalling = ""  # name of an ensemble to show when its process has ended
        self._wanted = Query()  # results to show
        self.seen: Snapshot | None = None  # results that are shown
        self._coming: Snapshot | None = None  # newer results, shown part by part
        self._paint: Paint | None = None
        self._stage: Stage | None = None
        self.view.clicked.connect(self._pick)
        self._timer = QTimer(self, interval=PERIOD)
        self._timer.timeout.connect(lambda: workspace.tasks.add(self._look))
        self._later = QTimer(self, interval=CALM, singleShot=True)
        self._later.timeout.connect(self._prepare)
        self.panel.run.connect(self.run)
        self.panel.cancel.connect(self.cancel)
        self.panel.save.connect(self.save)
        self.panel.replay.connect(self.replay)
        self.panel.wanted.connect(self._want)
        self.panel.chosen.connect(self.choose)

    @property
    def panel(self) -> EnsemblePanel:
        """The panel beside the view."""
        return self._panel

    def set_theme(self, theme: Theme) -> None:
        """Recolour the panel."""
        self._panel.set_theme(theme)

    # ---- what the user does: see the table of actions --------------------------------------------------

    def show_panel(self, on: bool) -> None:
        """Show or hide the panel."""
        self.panel.setVisible(on and self._scenario() is not None)
        self._later.start()

    def go_to(self, entry: Entry) -> None:
        """Show the panel, and give the focus to one of its entries."""
        self.workspace.actions["ensemble"].setChecked(True)
        entry.take_focus()

    def run(self) -> None:
        """Start an ensemble of the scenario that is shown, pause it, or continue it."""
        scenario = self._scenario()
        running = self.running
        if scenario is None or (running is not None and running.saving):
            return
        self.workspace.actions["ensemble"].setChecked(True)
        self.panel.explain(None)
        if isinstance(running, LiveEnsemble) and running.marching:
            running.pause()
            return
        try:
            requested, workers = self.panel.asked(scenario)
            if not isinstance(running, LiveEnsemble) or running.over or requested != self._requested:
                running = self._begin(requested)
        except (ScenarioError, OSError) as error:
            self.panel.explain(error if isinstance(error, ScenarioError) else none_started(error))
            return
        running.march(workers)
        self.begun.emit()
        self._timer.start()
        self._look()

    def cancel(self) -> None:
        """End the ensemble, and discard its rocks."""
        self._drop()
        self.panel.show_nothing()

    def save(self) -> None:
        """Ask for a new folder, and write the results there."""
        running = self.running
        self.workspace.actions["ensemble"].setChecked(True)  # it shows the progress
        if (why := unsaveable(running)) or not isinstance(running, LiveEnsemble):
            self.panel.explain(why)
            self.status.setText(sentence(why))  # the panel is for rockfall only
            return
        name, _ = QFileDialog.getSaveFileName(
            self._window, tr("Save the results in a new folder"), "results", "Folders (*)"
        )
        if name:
            running.save(name)
            self._timer.start()
            self._look()

    def choose(self, rock: int) -> None:
        """Show one rock's path bold, and its events; below 0: none."""
        running = self.running
        self.rock = rock if running is not None and 0 <= rock < running.done else None
        if running is not None:
            running.choose(self.rock)
        self._chosen = None
        self.panel.rock.show_rock(rock if rock >= 0 else None, {})
        if self._land is not None:
            self._land.choose(self.rock)
            self.view.refresh()

    def next_rock(self, by: int) -> None:
        """Choose the next rock, or the previous one."""
        if self.running is not None and self.running.done:
            self.choose(0 if self.rock is None else min(max(self.rock + by, 0), self.running.done - 1))

    def replay(self) -> None:
        """Compute the chosen rock alone, and play it in place of the run that is shown."""
        if self.running is None or self.rock is None:
            self.status.setText(tr("No rock is chosen: click a path of the ensemble, or type a rock's number"))
        else:
            self.workspace.take(self.running.scenario.changed(**{"ensemble.rock": self.rock}), afresh=True)

    def next_map(self) -> None:
        """Lay the next map over the terrain."""
        if self.running is not None:
            self.panel.next_map()

    @property
    def marching(self) -> bool:
        """True while rocks are computed."""
        return self.running is not None and self.running.marching

    @property
    def look(self) -> Look:
        """Look of results in a folder, for exports and sessions."""
        return shown_results(self._scenario(), self.running, self.panel.shown)

    @property
    def unfinished(self) -> str | None:
        """Name under which the shown rocks are kept, if they are."""
        running = self.running
        return running.unfinished.name if isinstance(running, LiveEnsemble) and running.unfinished else None

    @property
    def unsaved(self) -> bool:
        """True if there are rocks that are neither saved nor discarded."""
        running = self.running
        if not isinstance(running, LiveEnsemble) or running.unfinished is None:
            return False
        return running.done > 0 or bool(running.unfinished.kept)

    def expect(self, look: SessionView) -> None:
        """Show the next opened scenario with the results of a session."""
        self._expected = look

    # ---- calls from the window -------------------------------------------------------------------------

    def show_run(self, scenario: Scenario, opened: bool) -> None:
        """Follow another run; results of another terrain are set aside."""
        self._stage = self._paint = None
        before = None if self.running is None else self.running.scenario
        if before is None or (before.ground, before.folder) != (scenario.ground, scenario.folder):
            self._set_aside()
        if system_of(scenario).ensembles and (opened or self.panel.schemes is None):
            self.panel.show_scenario(scenario)
        self.panel.follow(scenario)
        if opened and self._expected is not None:
            look, self._expected = self._expected, None
            if not (look.unfinished and self._recall(look.unfinished, scenario)) and look.results:
                self._reopen(look.results)
                self.panel.look_as(look)
        elif not opened and self.running is None:  # after undo its rocks come back too
            self._recalling = next((name for name, one in self._left.items() if one == scenario), "")
            self._timer.start()
        self._shown = scenario
        self.show_panel(self.workspace.actions["ensemble"].isChecked())
        self._look()

    def dress(self, stage: Stage) -> None:
        """Show the ensemble on a new stage."""
        self._stage = stage
        self._paint = None if stage.land is None else partial(shown_layers, stage.land)
        self._later.start()
        self.seen = self._coming = None
        self._want(self.panel.shown)
        self.show_layout()

    def show_layout(self) -> None:
        """Offer the choice of a scheme if several share a view."""
        known = () if self.running is None else self.running.scenario.schemes
        self.panel.show_choice(self._land is not None and self._land.shared(known))

    def left(self, chosen: Callable[[SavedSession], object]) -> list[Choice]:
        """Entries to continue or discard ensembles that are incomplete or not saved, and not shown."""
        found, removed = [], []
        for one in recovery.left() if self.workspace.lasting else ():
            title, rocks = title_of(one.scenario) or tr("Untitled"), one.scenario.ensemble.rocks
            hint = tr("{done} of {rocks} rocks").format(done=one.done, rocks=rocks)
            hint += time.strftime(", %Y-%m-%d %H:%M", time.localtime(one.time))
            saved = SavedSession(Schedule.of(one.scenario), SessionView(unfinished=one.name))
            found.append(Choice("Continue", title, hint, "", partial(chosen, saved)))
            discard = partial(recovery.discard, one.name)
            removed.append(Choice("Discard", title, hint, "", discard, removes=REMOVE))
        return found + removed

    def fields(self) -> list[Choice]:
        """Entries that go to a field of the panel; none where the kind has no ensembles."""
        run = self.workspace.session.run
        if run is None or not system_of(run.scenario).ensembles:
            return []
        label = tr("{field} of the ensemble")
        return [
            Choice("Go to", label.format(field=entry.label), entry.toolTip(), "", partial(self.go_to, entry))
            for entry in self.panel.entries.values()
        ]

    def close(self) -> None:
        """End all threads, and wait for them; unsaved rocks are kept for the next window."""
        self._timer.stop()
        self._later.stop()
        self._spare.close()
        self._set_aside()
        for ending in self._ending:
            ending.close()

    # ---- inside ----------------------------------------------------------------------------------------

    def _scenario(self) -> Scenario | None:
        """The scenario that is shown, if it can have an ensemble."""
        run = self.workspace.session.run
        return run.scenario if run is not None and system_of(run.scenario).ensembles else None

    @property
    def _land(self) -> TerrainScene | None:
        return None if self._stage is None else self._stage.land

    def _reopen(self, folder: str) -> None:
        """Show the results in a folder."""
        from app.hazard.saved import SavedEnsemble
        from physics.ensembles.summary import scenario_of_results

        self._set_aside()
        try:
            running = SavedEnsemble(folder, scenario_of_results(folder))
        except ScenarioError as error:
            self.workspace.complain(error)
            return
        self.panel.show_scenario(running.scenario)
        self._show_begun(running)

    def _prepare(self) -> None:
        """Start a process for the next ensemble, unless results in a folder are shown."""
        if self.panel.isVisible() and (self.running is None or isinstance(self.running, LiveEnsemble)):
            self._spare.prepare()

    def _begin(self, requested: Scenario) -> LiveEnsemble:
        """A new ensemble; with its kept rocks if it is the one whose process has ended."""
        child, before = self._spare.take(), self.running
        if isinstance(before, LiveEnsemble) and before.lost and requested == self._requested:
            running = LiveEnsemble(before.scenario, child, before.leave())
        else:
            if requested == self._requested:  # the same rocks again
                self.cancel()
            running = LiveEnsemble(requested, child, recovery.new() if self.workspace.lasting else None)
        self._show_begun(running)
        self._requested = requested
        return running

    def _recall(self, name: str, shown: Scenario) -> bool:
        """Show the rocks that are kept under a name; True if there are any."""
        kept = recovery.found(name)
        scenario = None if kept is None else kept.scenario
        if kept is None or scenario is None:
            return False
        try:
            running = LiveEnsemble(scenario, self._spare.take(), kept)
        except OSError as error:
            kept.leave()
            self.panel.explain(none_started(error))
            return False
        self.panel.show_scenario(scenario)
        self._show_begun(running)
        self._requested, _ = self.panel.asked(shown)
        running.recall()
        self._timer.start()
        return True

    def _show_begun(self, running: EnsembleSource) -> None:
        self._set_aside()
        self.running = running
        self.workspace.message.hide()
        self.panel.show_begun(running.scenario)
        self.workspace.actions["ensemble"].setChecked(True)

    def _set_aside(self) -> None:
        """Show no ensemble; unsaved rocks are kept, see app.hazard.process."""
        if self.unfinished is not None and self._shown is not None:
            self._left = {self.unfinished: self._shown, **self._left}
        self._drop(keep=True)
        self.panel.show_nothing()

    def _drop(self, keep: bool = False) -> None:
        self._recalling = ""
        if self.running is not None:
            if keep:
                self.running.set_aside()
            else:
                self.running.stop()
            self._ending.append(self.running)
        self.running = self.seen = self._coming = None
        self._ending = [ending for ending in self._ending if ending.alive]
        self.choose(-1)
        if self._land is not None:
            self._land.show_results(None, None)
            self.view.refresh()

    def _want(self, wanted: Query) -> None:
        if self._land is not None:
            self._land.prefer(wanted.scheme)
            self.view.refresh()
        if self.running is not None:
            self._wanted = wanted.among(self.running.scenario, self._scenario())
            self.running.want(self._wanted, self._paint)
            self._timer.start()

    def _look(self) -> None:
        """Show progress and new results."""
        if (running := self.running) is None:
            if self._recalling and any(ending.alive for ending in self._ending):
                return
            self._timer.stop()
            if self._recalling and self._shown is not None:
                self._recall(self._recalling, self._shown)
            return
        if running.error is not None and not (running.marching or running.saving):
            self.panel.explain(running.fault or translated(running.error))
            running.error = running.fault = None
        if running.marching:
            self._later.start()  # again: not before this one has ended
        self.panel.show_progress(*how_far(running, self._scenario()))
        if running.chosen is not None and running.chosen is not self._chosen and running.chosen[0] == self.rock:
            self._chosen = running.chosen
            self.panel.rock.show_rock(*running.chosen)
        if self._coming is None and (seen := running.seen) is not None and seen is not self.seen:
            self._coming = seen
            for part in (*self.panel.parts(seen), partial(self._lay, seen)):
                self.workspace.tasks.add(partial(self._show_part, seen, part))

    def _show_part(self, seen: Snapshot, part: Task) -> None:
        if seen is self._coming:  # else it is out of date
            part()

    def _lay(self, seen: Snapshot) -> None:
        """Show the last part of new results, on the terrain."""
        self.seen, self._coming, land = seen, None, self._land
        if land is None or not isinstance(seen.painted, ResultPictures) or seen.wanted != self._wanted:
            return
        land.show_results(seen.painted.path_geometry, seen.painted.laid)
        land.choose(self.rock)
        self.show_layout()
        self.view.refresh()

    def _pick(self, x: float, y: float) -> None:
        if self.running is not None and self._land is not None:
            rock = self._land.pick(x, y)
            self.choose(-1 if rock is None else rock)
