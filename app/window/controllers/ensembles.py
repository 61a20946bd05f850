"""Ensembles in the window: run, shown while they fill in, saved, opened again; a rock picked and replayed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.document.look import Look
from app.document.session import SessionView
from app.ensemble import recovery
from app.ensemble.live import LiveEnsemble
from app.ensemble.process import SpareProcess
from app.ensemble.source import EnsembleSource, Paint, Query, Snapshot
from app.system.language import tr
from app.window.labels import sentence
from app.window.results.ensemble_panel import EnsemblePanel
from app.window.results.progress_text import how_far, none_started, unsaveable
from app.window.results.result_pictures import ResultPictures, painted
from app.window.results.shown_results import shown_results
from app.window.view.frame_timer import Task
from app.window.workspace import Workspace
from physics import Scenario, ScenarioError
from physics.systems import system_of

if TYPE_CHECKING:
    from app.stage import Stage
    from app.stage.ground.scene import TerrainScene
    from app.window.panel.number_rows import Entry
    from app.window.view.viewport import Viewport

PERIOD, CALM = 100, 1000  # [ms] between two looks, and after which a process is started for the next ensemble


class EnsembleController(QObject):
    """What the window does with ensembles of the scenario that is shown; see the table of actions."""

    begun = Signal()  # rocks are computed from now on

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.workspace, self._window = workspace, parent
        self.panel, self.view, self.status = EnsemblePanel(workspace.theme), workspace.view, workspace.status
        self.running: EnsembleSource | None = None
        self.rock: int | None = None
        self._chosen: tuple[int, dict[str, Any]] | None = None  # whose row is shown
        self._spare = SpareProcess()
        self._ending: list[EnsembleSource] = []
        self._asked: Scenario | None = None  # for what runs
        self._expected: SessionView | None = None  # of a session that is being opened
        self._shown: Scenario | None = None  # that the window shows
        self._left: dict[str, Scenario] = {}  # names of ensembles that were set aside -> what the window showed
        self._recalling = ""  # the name of one that is shown as soon as its process has ended
        self._wanted = Query()  # what is to be shown
        self._seen: Snapshot | None = None  # that is shown
        self._coming: Snapshot | None = None  # a newer one, whose parts are shown one after another
        self._paint: Paint | None = None
        self._stage: Stage | None = None
        self._viewport: Viewport | None = None  # whose clicks are heard
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

    # ---- what the user does: see the table of actions --------------------------------------------------

    def show_panel(self, on: bool) -> None:
        """Show or hide the panel."""
        self.panel.setVisible(on and self._scenario() is not None)
        self._later.start()

    def go_to(self, entry: Entry) -> None:
        """Show the panel, and give one of its entries the keyboard."""
        self.workspace.actions["ensemble"].setChecked(True)
        entry.take_focus()

    def run(self) -> None:
        """Begin an ensemble of the scenario that is shown, pause it, or go on with it."""
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
            asked, workers = self.panel.asked(scenario)
            if not isinstance(running, LiveEnsemble) or running.over or asked != self._asked:
                running = self._begin(asked)
        except (ScenarioError, OSError) as error:
            self.panel.explain(error if isinstance(error, ScenarioError) else none_started(error))
            return
        running.march(workers)
        self.begun.emit()
        self._timer.start()
        self._look()

    def cancel(self) -> None:
        """End the ensemble, and discard what is computed."""
        self._drop()
        self.panel.show_nothing()

    def save(self) -> None:
        """Ask for a place, and write the folder of results there."""
        running = self.running
        self.workspace.actions["ensemble"].setChecked(True)  # where it is said what becomes of it
        if (why := unsaveable(running)) or not isinstance(running, LiveEnsemble):
            self.panel.explain(why)
            self.status.setText(sentence(why))  # the panel is of rockfall alone
            return
        name, _ = QFileDialog.getSaveFileName(
            self._window, tr("Save the results in a new folder"), "results", "Folders (*)"
        )
        if name:
            running.save(name)
            self._timer.start()
            self._look()

    def choose(self, rock: int) -> None:
        """Show one rock's path bold, and what happened to it; below 0: none."""
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
        """Choose the next rock, or the one before."""
        if self.running is not None and self.running.done:
            self.choose(0 if self.rock is None else min(max(self.rock + by, 0), self.running.done - 1))

    def replay(self) -> None:
        """Compute the rock that is chosen alone, and play it, in place of the run that is shown."""
        if self.running is None or self.rock is None:
            self.status.setText(tr("No rock is chosen: click a path of the ensemble, or type a rock's number"))
        else:
            self.workspace.take(self.running.scenario.changed(**{"ensemble.rock": self.rock}), afresh=True)

    def next_map(self) -> None:
        """Lay the next map over the terrain."""
        if self.running is not None:
            self.panel.next_map()

    @property
    def look(self) -> Look:
        """What is shown of results in a folder, as an export and a session show it too."""
        return shown_results(self._scenario(), self.running, self.panel.shown)

    @property
    def unfinished(self) -> str | None:
        """The name under which the rocks that are shown are kept, if they are."""
        running = self.running
        return running.unfinished.name if isinstance(running, LiveEnsemble) and running.unfinished else None

    @property
    def unsaved(self) -> bool:
        """Whether rocks are kept that are neither saved nor given up."""
        running = self.running
        if not isinstance(running, LiveEnsemble) or running.unfinished is None:
            return False
        return running.done > 0 or bool(running.unfinished.kept)

    def expect(self, look: SessionView) -> None:
        """The scenario that is opened next is shown with the results that a session tells."""
        self._expected = look

    # ---- what the window tells -------------------------------------------------------------------------

    def show_run(self, scenario: Scenario, opened: bool) -> None:
        """Another run is shown: what belongs to another terrain goes."""
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
        elif not opened and self.running is None:  # undone: its rocks come back too
            self._recalling = next((name for name, one in self._left.items() if one == scenario), "")
            self._timer.start()
        self._shown = scenario
        self.show_panel(self.workspace.actions["ensemble"].isChecked())
        self._look()

    def dress(self, stage: Stage) -> None:
        """A new stage stands: it shows the ensemble too."""
        self._stage = stage
        self._paint = None if stage.land is None else partial(painted, stage.land)
        self._later.start()
        viewport = self.view.viewport
        if viewport is not None and viewport is not self._viewport:
            self._viewport = viewport
            viewport.clicked.connect(self._pick)
        self._seen = self._coming = None
        self._want(self.panel.shown)
        self.show_layout()

    def show_layout(self) -> None:
        """Let one choose a scheme where several share a view; each other view shows its own."""
        known = () if self.running is None else self.running.scenario.schemes
        self.panel.show_choice(self._land is not None and self._land.shared(known))

    def close(self) -> None:
        """End all threads, and wait for them; what is kept and not saved is for the next window."""
        self._timer.stop()
        self._later.stop()
        self._spare.close()
        self._set_aside()
        for ending in self._ending:
            ending.close()

    # ---- inside ----------------------------------------------------------------------------------------

    def _scenario(self) -> Scenario | None:
        """The scenario that is shown, where an ensemble of it can be run; else None."""
        run = self.workspace.session.run
        return run.scenario if run is not None and system_of(run.scenario).ensembles else None

    @property
    def _land(self) -> TerrainScene | None:
        return None if self._stage is None else self._stage.land

    def _reopen(self, folder: str) -> None:
        """Show the results in a folder."""
        from app.document.results_folder import scenario_of_results
        from app.ensemble.saved import SavedEnsemble

        self._set_aside()
        try:
            running = SavedEnsemble(folder, scenario_of_results(folder))
        except ScenarioError as error:
            self.workspace.complain(error)
            return
        self.panel.show_scenario(running.scenario)
        self._show_begun(running)

    def _prepare(self) -> None:
        """Have a process wait for the next ensemble, unless one looks at results in a folder."""
        if self.panel.isVisible() and (self.running is None or isinstance(self.running, LiveEnsemble)):
            self._spare.prepare()

    def _begin(self, asked: Scenario) -> LiveEnsemble:
        """An ensemble; where it is the one whose process has ended, with the rocks that are kept of it."""
        child, before = self._spare.take(), self.running
        if isinstance(before, LiveEnsemble) and before.lost and asked == self._asked:
            running = LiveEnsemble(before.scenario, child, before.leave())
        else:
            if asked == self._asked:  # the same rocks again
                self.cancel()
            running = LiveEnsemble(asked, child, recovery.new() if self.workspace.lasting else None)
        self._show_begun(running)
        self._asked = asked
        return running

    def _recall(self, name: str, shown: Scenario) -> bool:
        """Show the rocks that are kept under a name; whether there are any."""
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
        self._asked, _ = self.panel.asked(shown)
        running.recall()
        self._timer.start()
        return True

    def _show_begun(self, running: EnsembleSource) -> None:
        self._set_aside()
        self.running = running
        self.workspace.message.hide()
        self.panel.show_begun(running.scenario.schemes)
        self.workspace.actions["ensemble"].setChecked(True)

    def _set_aside(self) -> None:
        """Show no ensemble; rocks that are not saved stay, see app.ensemble.recovery."""
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
        self.running = self._seen = self._coming = None
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
        """Show how far it is, and what is new."""
        if (running := self.running) is None:
            if self._recalling and any(ending.alive for ending in self._ending):
                return
            self._timer.stop()
            if self._recalling and self._shown is not None:
                self._recall(self._recalling, self._shown)
            return
        if running.error is not None and not (running.marching or running.saving):
            self.panel.explain(running.fault or running.error)
            running.error = running.fault = None
        if running.marching:
            self._later.start()  # anew: not before this one has ended
        self.panel.show_progress(*how_far(running, self._scenario()))
        if running.chosen is not None and running.chosen is not self._chosen and running.chosen[0] == self.rock:
            self._chosen = running.chosen
            self.panel.rock.show_rock(*running.chosen)
        if self._coming is None and (seen := running.seen) is not None and seen is not self._seen:
            self._coming = seen
            for part in (*self.panel.parts(seen), partial(self._lay, seen)):
                self.workspace.tasks.add(partial(self._show_part, seen, part))

    def _show_part(self, seen: Snapshot, part: Task) -> None:
        if seen is self._coming:  # else it is no longer wanted
            part()

    def _lay(self, seen: Snapshot) -> None:
        """Show the newest results on the terrain, the last of their parts."""
        self._seen, self._coming, land = seen, None, self._land
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
