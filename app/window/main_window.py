"""The main window: panel, view, plots and transport on one clock."""

from __future__ import annotations

import time
from functools import partial
from operator import attrgetter

from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMainWindow

from app.document.history import Document
from app.document.open import few_lanes
from app.document.session import SavedSession, SessionView
from app.document.settings import Settings
from app.kinds import kind_of
from app.playback.run import Lane, comparable, faded
from app.system.language import listed, tr
from app.system.terminal import one_line
from app.theme import DARK, Theme
from app.window.actions import ACTIONS, connect_actions, make_actions, tell_overlays
from app.window.charts.chart_row import Plots
from app.window.controllers.appearance import Appearance, WindowLayout
from app.window.controllers.cameras import Cameras
from app.window.controllers.guides import Guides
from app.window.controllers.idle_compiler import IdleCompiler
from app.window.controllers.live_sensors import LiveSensors
from app.window.controllers.mechanism_editor import MechanismEditor, new_mechanism
from app.window.controllers.own_schemes import OwnSchemes
from app.window.controllers.session_files import SessionFiles, ShownSession
from app.window.controllers.view_editors import GroundEditor, StartHandles
from app.window.ensembles import Ensembles
from app.window.exports.queue import ExportNote, ExportQueue
from app.window.labels import Elided, Plain
from app.window.message_bar import MessageBar
from app.window.panel.panel import Panel
from app.window.rooms import ENSEMBLES
from app.window.session import Session
from app.window.style import apply, icon, letters_for
from app.window.transport import Transport
from app.window.verdict_strip import VerdictStrip
from app.window.view.frame_timer import FrameTimer
from app.window.view.view import View
from app.window.widgets import Question, accept_copy
from app.window.workspace import Workspace
from physics import PhysicsError, Scenario, ScenarioError
from physics.simulation.schedule import Schedule
from physics.systems import system_of

PLOTS = 0.02  # [s] at least between two updates of the plots
HINTED = ("play", "papers", "palette")  # actions whose keys the window names until one is used


class MainWindow(QMainWindow):
    """The main window. A timer, see FrameTimer, polls the session's clock; changes are drawn only."""

    def __init__(self, theme: Theme = DARK, settings: Settings | None = None) -> None:
        super().__init__()
        self.settings = settings or Settings(panel=True)  # without the user's: all is seen
        apply(_application(), theme, self.settings.letters)  # before the widgets: they take its typeface
        self.session, self.exports = Session(self), ExportQueue(self)
        self.panel, self.view, self.plots = Panel(theme), View(theme), Plots(theme)
        self.message, self.status = MessageBar(theme), Elided(accessibleName=tr("Status"))
        self.actions_by_id = make_actions(self)
        parts = self.session, self.panel, self.view, self.plots, self.message, self.status
        self.workspace = Workspace(self.settings, theme, *parts, self.actions_by_id)
        self.appearance, self.cameras = Appearance(self.workspace, self), Cameras(self.workspace, self)
        self.ensembles: Ensembles = ENSEMBLES(self.workspace, self)
        self.shown_session = ShownSession(self.workspace, self.cameras, self.ensembles)
        self.files = SessionFiles(self.workspace, self.shown_session, self.ensembles, self.exports, self)
        self.live_sensors = LiveSensors(self.workspace, self.files, self)
        self.ground_editor = GroundEditor(self.workspace, self)
        self.mechanism_editor = MechanismEditor(self.workspace, self)
        self.start_handles = StartHandles(self.session, self.panel, self.view, self.status, self)
        self.transport = Transport(self.session, self.actions_by_id, theme)
        self.own_schemes = OwnSchemes(self.workspace, self)
        self.idle_compiler = IdleCompiler(self.workspace, self.ensembles, self.exports, self)
        self.guides = Guides(self.workspace, self.cameras, self.ensembles, self.files, self.transport, self)
        comparing = (self.actions_by_id[name] for name in ("compare-schemes", "distributions"))
        self.verdicts = VerdictStrip(theme, *comparing)
        self.window_layout = WindowLayout(self.workspace, self.transport, self.verdicts, self.ensembles.panel, self)
        self.hint = Plain(tr("Space play, F3 examples, Ctrl+K all commands"), "dim")
        self._arrange()
        self._connect()
        self.session.ready = lambda: self.view.drawn
        self.setAcceptDrops(True)
        self.setWindowTitle("Polhode")
        self._dress()
        self._left_out: tuple[str, ...] = ()  # sentences about lanes of an opened session that are not shown
        self._leaving = False  # unsaved edits are settled: the window may close
        self._revision, self._plotted, self._then = -1, 0.0, time.perf_counter()
        self.set_letters()
        self._timer = FrameTimer(self, self.tick, self.view, self.workspace.tasks)
        self.plots.titles = dict(self.settings.charts)
        self.actions_by_id["branch"].setChecked(self.settings.branching)
        self.actions_by_id["degrees"].setChecked(self.settings.degrees)
        self.actions_by_id["calm"].setChecked(self.settings.reduced_motion)
        self.actions_by_id["ahead"].setChecked(self.settings.compile_ahead)
        self.actions_by_id["panel"].setChecked(self.settings.panel)

    def _arrange(self) -> None:
        self.cameras.list_in(self.window_layout.menus_by_name["View"])
        self.addToolBar(self.window_layout.tools)
        note = ExportNote(self.exports)
        note.clicked.connect(self.files.export)
        self.statusBar().addWidget(self.hint)
        self.hint.setVisible(not self.settings.hinted)
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().addPermanentWidget(self.files.unkept)
        self.statusBar().addPermanentWidget(note)
        self.statusBar().setSizeGripEnabled(False)
        self.setCentralWidget(self.window_layout.body)

    def _connect(self) -> None:
        connect_actions(self.actions_by_id, lambda name: attrgetter(name)(self))
        self.session.moved.connect(self._show_history)
        self.session.left.connect(self.shown_session.leave)
        self.session.shown.connect(self._show_run)
        self.session.failed.connect(self.files.complain)
        self.session.progress.connect(self.status.setText)
        self.session.judged.connect(lambda: self.workspace.tasks.add(self.verdicts.refresh))
        for recorded in (self.session.begun, self.session.ended):
            recorded.connect(lambda: self.workspace.tasks.add(self.view.fit_untouched))
        self.session.ended.connect(self._end)
        self.view.failed.connect(self.workspace.complain)
        self.view.clicked.connect(self._choose)
        self.panel.chosen.connect(self.replace)
        self.files.opened.connect(self.replace)
        self.guides.chosen.connect(self.replace)
        self.panel.edited.connect(self.files.edit)
        self.panel.reverted.connect(lambda scenario: self.workspace.edit(scenario, whole=True))
        self.panel.branching.toggled.connect(self.actions_by_id["branch"].setChecked)
        self.actions_by_id["branch"].toggled.connect(self.panel.branching.setChecked)
        self.panel.failed.connect(self.workspace.complain)
        self.panel.drawn.connect(self._draw)
        self.panel.picked.connect(self._choose_part)
        self.panel.removed.connect(self.mechanism_editor.remove)
        self.panel.ordered.connect(self.guides.show_order)
        self.panel.wanted.connect(partial(self.actions_by_id["panel"].setChecked, True))
        self.panel.roles.chosen.connect(self.files.take_as)
        self.session.failed.connect(lambda _: self.panel.restore())
        self.plots.sought.connect(self.session.seek)
        self.plots.logarithmic.setToolTip(self.actions_by_id["logarithmic"].toolTip())
        self.plots.logarithmic.toggled.connect(self.actions_by_id["logarithmic"].setChecked)
        self.appearance.chosen.connect(self.set_theme)
        self.appearance.lettered.connect(self.set_letters)
        self.window_layout.lettered.connect(self.set_letters)
        self.window_layout.emptied.connect(self.draw_anew)
        for name in HINTED:
            self.actions_by_id[name].triggered.connect(self._know)

    # ---- opening ---------------------------------------------------------------------------------------

    def begin(self, what: SavedSession | Scenario | None = None, document: Document | None = None) -> None:
        """Open a session or a scenario; None: the first scenario."""
        self.view.load()
        if what is None:
            what = self.panel.choice.load_first()
        else:
            self.panel.choice.load_all()
        self.open_saved(_session(what), document)

    def replace(self, what: SavedSession | Scenario, document: Document | None = None) -> None:
        """Open a session or a scenario, after a question about unsaved edits."""
        if self.files.settled(go_on := partial(self.open_saved, _session(what), document)):
            go_on()

    def open(self, scenario: Scenario) -> None:
        """Show and compute a scenario."""
        self.open_saved(_session(scenario))

    def new_mechanism(self) -> None:
        """Open a mechanism of one body, to build another from, after a question about unsaved edits."""
        self.replace(new_mechanism())

    def open_saved(self, saved: SavedSession, document: Document | None = None) -> None:
        """Show and compute a session with its edits and its look."""
        self.message.hide()
        self.files.give_up()
        document, given = document or Document(), saved.schedule.scenario
        saved, self._left_out = few_lanes(saved)
        there = saved.schedule.scenario.schemes
        document.left_out = *given.absent, *(name for name in given.schemes if name not in there)
        document.saved = saved.schedule
        document.left = saved.look if saved.look != SessionView() else None
        look, schedule = saved.look, saved.schedule
        if self.session.run is None:  # else the previous one is shown until this one is ready
            self.panel.name(schedule.scenarios[0])
        self.session.open(schedule.scenarios[0], schedule, look.time, compared=look.compare, document=document)

    def _show_history(self) -> None:
        self.files.note_changes()
        self.actions_by_id["undo"].setEnabled(self.session.history.there(-1) is not None)
        self.actions_by_id["redo"].setEnabled(self.session.history.there(1) is not None)

    def _show_run(self, how: str) -> None:
        run, shown = self.session.run, self.session.history.there(0)
        assert run is not None
        assert run.world is not None
        assert shown is not None
        left, shown.document.left = shown.document.left, None
        if how == "opened" and left is not None:
            self.shown_session.look_as(left, run.world)
        elif how == "opened":
            self.cameras.set_places([])
            self.cameras.begin(run.scenario.view)
        elif left is not None:
            self.shown_session.return_to(left, run.world)
        if how != "edited":
            self.workspace.unfilled = shown.opened
        self.actions_by_id["compare"].setEnabled(comparable(run, self.session.before))
        self.actions_by_id["hydrostatics"].setEnabled(kind_of(run.scenario).load is not None)
        self.actions_by_id["many-starts"].setEnabled(system_of(run.scenario).starts is not None)
        self.actions_by_id["distributions"].setEnabled(system_of(run.scenario).ensembles)
        if self.view.settled:
            self.workspace.fill_panel()
        self.message.hide()
        if how == "opened" and self._left_out:
            self.message.say(listed(self._left_out))
        elif how == "edited" and self.session.otherwise is not None and not self.files.unkept.isVisible():
            self._offer_otherwise(run.schedule.times[-1])
        self.plots.show_run(run, self.lanes)
        self.verdicts.show_lanes(run.lanes)
        self.ensembles.show_run(run.scenario, how == "opened")

    def _offer_otherwise(self, at: float) -> None:
        """Say from when an edit acts, and offer the other way; ``at``: the time [s] of the last edit, 0: the start."""
        assert self.session.otherwise is not None
        words = tr("The edit acts from {at:.4g} s on."), tr("Compute anew from the start")
        if at == 0.0:
            at = self.session.otherwise.times[-1]
            words = tr("Computed anew from the start with the edit."), tr("Go on from {at:.4g} s instead")
        sentence, word = (text.format(at=at) for text in words)
        self.message.offer(sentence, word, self.session.edit_otherwise)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes that are shown: those of the run, and of the previous run if they are compared."""
        run, before = self.session.run, self.session.before
        assert run is not None
        both = self.actions_by_id["compare"].isChecked() and comparable(run, before)
        return run.lanes + (faded(before.lanes) if both and before is not None else ())

    # ---- drawing ---------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Advance the clock, and draw what has changed."""
        now = time.perf_counter()
        elapsed, self._then = now - self._then, now
        session, clock = self.session, self.session.clock
        session.poll(elapsed if self.view.run is session.run else 0.0)
        if session.run is not None and session.run is not self.view.run and self.view.ready(session.run):
            self._stage()
        if self.workspace.unfilled is not None and self.view.settled:
            self.workspace.fill_panel()
        if session.run is not None and self.view.begun:
            self.plots.begin()
            self.panel.choice.begin()
        if session.headline is not self.view.headline:
            self.view.headline = session.headline
            self.view.refresh()
        if clock.revision != self._revision or self.view.changed:
            self._revision = clock.revision
            self.view.show_time(clock.time)
            if clock.playing != self._playing:
                self._show_playing()
        self.view.refine()  # what is drawn anew already has nothing to take over
        self.cameras.tick()
        self.transport.refresh()
        if now - self._plotted > PLOTS:
            self._plotted = now
            self.workspace.tasks.add(self._show_charts)

    def _end(self) -> None:
        """Say that the lanes of a run that was stopped will not be compared."""
        if self.session.run is not None and self.session.run.stopped:
            self.verdicts.give_up()

    def _show_charts(self) -> None:
        self.plots.refresh(self.session.clock.time)
        self.verdicts.show_time(self.session.clock.time)

    @property
    def staged(self) -> bool:
        """True if stage and charts of the shown run are complete."""
        return self.plots.drawn and self.view.run is self.session.run is self.plots.run

    def _stage(self) -> None:
        assert self.session.run is not None
        try:
            self.view.show_run(self.session.run, self.lanes, self.session.clock.time)
        except PhysicsError:  # the view shows it; the rest of the window works
            return
        except ScenarioError as error:
            self.workspace.complain(error)
            return
        assert self.view.stage is not None
        if self.view.stage.fault is not None:
            self.workspace.complain(self.view.stage.fault)
        tell_overlays(self.actions_by_id, self.view.stage.overlays)
        self.actions_by_id["overlay"].setEnabled(len(self.lanes) > 1)
        self.ground_editor.dress(self.view.stage)
        self.mechanism_editor.leave()
        self.ensembles.dress(self.view.stage)
        if self.workspace.unfilled is None and self.panel.part is not None:
            self.view.stage.choose(self.panel.part)

    def _choose(self, x: float, y: float) -> None:
        """Choose the body or joint of a mechanism at a pixel of the view, on the stage and in the panel."""
        if self.view.stage is not None:
            self._choose_part(self.view.stage.pick(x, y))

    def _choose_part(self, part: tuple[str, int] | None) -> None:
        """Choose a body, joint or spring of a mechanism, on the stage and in the panel."""
        self.panel.choose(part)
        if (stage := self.view.stage) is not None and part != stage.chosen:
            stage.choose(part)
            self.view.refresh()

    def _draw(self, key: str) -> None:
        """Start to draw a field of the panel in the view."""
        (self.mechanism_editor if key in ("body", "joint", "spring") else self.ground_editor).begin(key)

    def _show_playing(self) -> None:
        self._playing = self.session.clock.playing
        name, theme = "pause" if self._playing else "play", self.workspace.theme
        self.actions_by_id["play"].setIcon(icon(name, theme, theme.accent_text))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme to the whole window."""
        self.workspace.theme = theme
        apply(_application(), theme, self.workspace.letters)
        self._dress()

    def set_letters(self) -> None:
        """Show letters in the size of the settings, in a presentation at least in one that is seen from afar."""
        least = self.window_layout.least
        self.workspace.letters = max(self.settings.letters, letters_for(_application(), least))
        apply(_application(), self.workspace.theme, self.workspace.letters)
        self._dress()
        self.view.set_letters(self.workspace.letters, least)
        self.window_layout.tools.fit()
        if self.isVisible():
            self.window_layout.fit()
            self.workspace.tasks.add(self.view.fit_untouched)  # captions take other room

    def _dress(self) -> None:
        theme = self.workspace.theme
        for part in (self.panel, self.view, self.plots, self.verdicts, self.transport, self.message):
            part.set_theme(theme)
        self.ensembles.set_theme(theme)
        self.window_layout.rail.set_theme(theme)
        for row in ACTIONS:
            if row.icon:
                self.actions_by_id[row.id].setIcon(icon(row.icon, theme))
        self._show_playing()
        self.transport.show_loop()
        self.guides.set_theme(theme)

    # ---- actions: see the table ------------------------------------------------------------------------

    def compare(self, on: bool) -> None:
        """Show or hide the run before the last edit."""
        self.draw_anew()

    def draw_anew(self) -> None:
        """Draw again, with other lanes, plots or overlays."""
        if self.session.run is not None:
            self.plots.show_run(self.session.run, self.lanes)
            self.view.run = None

    def set_overlaid(self, on: bool) -> None:
        """Show all lanes in one view, or side by side."""
        self.view.set_layout("overlay" if on else "side-by-side")
        self.ensembles.show_layout()

    def set_following(self, on: bool) -> None:
        """Follow the body by the camera, or show everything."""
        self.cameras.go("follow" if on else "fit")

    def _know(self) -> None:
        """The user knows a key that matters: say no more which do."""
        self.settings.hinted = True
        self.hint.hide()

    def leave(self) -> None:
        """End typing in a field, the presentation, editing in the view, or following the body."""
        focus = self.window().focusWidget()
        if isinstance(focus, QLineEdit):
            focus.clearFocus()
            return
        if self.actions_by_id["present"].isChecked():
            self.actions_by_id["present"].setChecked(False)
            return
        self.ground_editor.leave()
        self.mechanism_editor.leave()
        if self.start_handles.on:
            self.actions_by_id["grips"].setChecked(False)
        else:
            self.cameras.leave()

    def leave_program(self) -> None:
        """Close the window."""
        self.window().close()

    def may_close(self) -> bool:
        """True if the window may close now; else ask about unsaved edits and exports, and close it after that."""
        return self._leaving or (self.files.settled(self._leave) and self._written())

    def _leave(self) -> None:
        if self._written():
            self._close()

    def _written(self) -> bool:
        """True if no export is under way, or nobody may be there to answer; else ask whether they are cancelled."""
        unwritten = self.exports.unwritten
        if not unwritten or self.files.ended:
            return True
        names = ", ".join(one_line(export.output.name) for export in unwritten)
        text = tr("Exports are not finished: {names}. Close the window, and cancel them?").format(names=names)
        Question(self, tr("Exports under way"), text, {tr("Close"): self._close}, safe=True).open()
        return False

    def _close(self) -> None:
        self._leaving = True
        self.window().close()

    # ---- the window's own events -----------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Start the timer."""
        super().showEvent(event)
        self.window_layout.divide()
        self.setFocus()  # on no control: the space bar must play
        self._then = time.perf_counter()
        self._timer.follow(self.window().windowHandle())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept one file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            accept_copy(event)
            self.status.setText(tr("Drop to open {name}").format(name=urls[0].fileName()))

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the file."""
        accept_copy(event)
        self.files.open(event.mimeData().urls()[0].toLocalFile())

    def closeEvent(self, event: QCloseEvent) -> None:
        """End all work."""
        if not self.may_close():
            event.ignore()
            return
        self._timer.stop()
        self.settings.charts = dict(self.plots.titles)
        self.settings.branching, self.settings.panel = self.session.branching, self.window_layout.paneled
        if self.view.viewport is not None and self.view.asked is None:
            self.settings.interactor = self.view.viewport.kind == "interactor"
        self.files.close()
        self.hide()  # now: a worker that compiles may take seconds to end
        self.exports.stop()
        for dialog in self.findChildren(QDialog):
            dialog.close()
        self.guides.close()
        self.own_schemes.close()
        self.ensembles.close()
        self.session.close()
        self.view.close_stage()
        super().closeEvent(event)


def _session(what: SavedSession | Scenario) -> SavedSession:
    return what if isinstance(what, SavedSession) else SavedSession(Schedule.of(what))


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
