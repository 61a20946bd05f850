"""Session files: opened, shown, saved, copied as text, kept in case of a crash; settings that last."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.document import autosave
from app.document.history import Document, Experiment
from app.document.look import Look, on_map
from app.document.open import SUFFIXES, is_motion, measured_session, saved_for
from app.document.results_folder import SUMMARY
from app.document.session import ENDING, SavedSession, SessionView, from_text, save_session, to_text
from app.document.settings import save_settings
from app.kinds import taken
from app.playback.run import comparable
from app.system.language import tr
from app.system.sentences import told
from app.system.terminal import one_line
from app.window.controllers.cameras import Cameras
from app.window.controllers.ensembles import EnsembleController
from app.window.exports.dialog import ExportDialog, slug
from app.window.exports.queue import ExportQueue
from app.window.labels import Plain, tip
from app.window.widgets import Question, save_dialog
from app.window.workspace import Workspace
from physics import PhysicsError, Scenario, ScenarioError, World
from physics.core import cancellation
from physics.core.conf_files import first_conf
from physics.measured.measured_config import MeasuredTable
from physics.simulation.schedule import Schedule


class ShownSession:
    """Tells, and brings back, how the window shows a run: clock, view, cameras, plots and ensemble."""

    def __init__(self, workspace: Workspace, cameras: Cameras, ensembles: EnsembleController) -> None:
        self._workspace, self._cameras, self._ensembles = workspace, cameras, ensembles

    @property
    def look(self) -> Look:
        """How the run is looked at, with what is shown of results."""
        compare = self._workspace.actions["compare"].isChecked()
        return self._workspace.view.look.changed(compare=compare, **self._ensembles.look.said)

    def scenario(self) -> Scenario | None:
        """The run that is shown as a scenario, with its edits, the camera, and all else as the window has it."""
        workspace, run = self._workspace, self._workspace.session.run
        if run is None:
            return None
        clock = workspace.session.clock
        seen: dict[str, Any] = {"export.theme": workspace.theme.name, "export.time": clock.time}
        if workspace.plots.titles.get(run.scenario.kind) and workspace.plots.charts:
            seen["export.charts"] = tuple(chart.quantity.title for chart in workspace.plots.charts)
        if clock.first is not None or clock.last is not None:
            seen |= {"export.first": clock.first or 0.0, "export.last": clock.last}
        return run.schedule.whole.changed(**self.look.in_scenario(), **seen)

    def saved(self) -> SavedSession | None:
        """What the window shows, to be opened again."""
        workspace = self._workspace
        shown, clock = workspace.session.history.there(0), workspace.session.clock
        if shown is None or workspace.session.run is None:
            return None
        if workspace.session.opening:  # clock and view are those of what is shown until then
            return SavedSession(shown.schedule)
        look = SessionView(
            **self.look.said,
            time=clock.time if clock.awaited is None else clock.awaited,
            speed=clock.speed,
            loop=clock.loop,
            first=clock.first,
            last=clock.last,
            viewpoints=self._cameras.places,
            unfinished=self._ensembles.unfinished,
        )
        return SavedSession(shown.schedule, look)

    def look_as(self, look: SessionView, world: World) -> None:
        """Clock and view of a session that was opened, with its world; the camera follows when the stage stands."""
        workspace, clock = self._workspace, self._workspace.session.clock
        clock.speed = look.speed or clock.speed
        clock.loop, clock.first, clock.last = look.loop, look.first, look.last
        workspace.actions["overlay"].setChecked(look.layout == "overlay")
        if look.camera != workspace.view.look.camera:
            self._cameras.go(look.camera)
        workspace.actions["compare"].setChecked(look.compare)
        workspace.actions["link"].setChecked(look.linked)
        self._cameras.set_places([told for place in look.viewpoints if (told := on_map(place, world)) is not None])
        workspace.view.begin_from(look.viewpoint)
        self._ensembles.expect(look)


class BackgroundOpen:
    """The session in a file, read in a thread of its own; table: how the columns of a measured motion are read."""

    def __init__(self, path: str | Path, table: MeasuredTable | None = None) -> None:
        self.path, self._table = path, table
        self._saved: SavedSession | None = None
        self._error: Exception | None = None
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._work, name="opening", daemon=True)
        self._thread.start()

    def join(self, seconds: float | None = None) -> None:
        """Wait until it is read, or for so long."""
        self._thread.join(seconds)

    def give_up(self) -> None:
        """Read no further."""
        self._given_up.set()

    @property
    def running(self) -> bool:
        """Whether it is still being read."""
        return self._thread.is_alive()

    def result(self) -> SavedSession:
        """The session; ScenarioError where the file holds none."""
        if self._error is not None:
            raise self._error
        assert self._saved is not None
        return self._saved

    def _work(self) -> None:
        try:
            with cancellation.until(self._given_up.is_set):
                table = self._table
                self._saved = saved_for(self.path) if table is None else measured_session(self.path, table)
        except Exception as error:  # noqa: BLE001 - raised again in the thread that asks
            self._error = error


GRACE = 0.5  # [s] in which nearly every file is read; a window waits no longer
LOOK = 50  # [ms] between two looks at a file that is still being read
PERIOD = 3000  # [ms] between two looks whether there is something new to keep


class SessionFiles(QObject):
    """What the window opens and saves."""

    opened = Signal(object, object)  # SavedSession to be shown, and the Document that it is of

    def __init__(
        self,
        workspace: Workspace,
        shown: ShownSession,
        ensembles: EnsembleController,
        exports: ExportQueue,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.workspace, self._shown, self.ensembles, self.exports = workspace, shown, ensembles, exports
        self._window = parent
        self._kept: SavedSession | None = None
        self._left: Schedule | None = None  # that is not saved, and kept for the next start
        self._timer = QTimer(self, interval=PERIOD)
        self._timer.timeout.connect(lambda: workspace.tasks.add(self.keep))  # 8 to 14 ms
        self._opening: BackgroundOpen | None = None  # what is being read
        self._looking = QTimer(self, interval=LOOK, singleShot=True)
        self._looking.timeout.connect(self._take)
        self._slope: Scenario | None = None  # of rockfall, that was shown last
        self._warned: dict[str, str] = {}  # what does not last -> why; "": it does
        self.unkept = Plain(tr("Edits are not kept"), visible=False)  # in the status line, for as long as it is so
        self.unkept.setProperty("role", "error")

    # ---- opening ---------------------------------------------------------------------------------------

    def choose(self) -> None:
        """Ask for a file to open."""
        kinds = " ".join((*(f"*{suffix}" for suffix in (*SUFFIXES, SUMMARY)), "conf*"))
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            tr("Open a session, a scenario, a terrain, a body or a measured motion"),
            "",
            tr("All that opens ({kinds})").format(kinds=kinds),
        )
        if name:
            self.open(name)

    def choose_results(self) -> None:
        """Ask for a folder of an ensemble's results, and open it."""
        name = QFileDialog.getExistingDirectory(self._window, tr("Open the results of an ensemble"))
        if name:
            self.open(name)

    def open(self, path: str | Path) -> None:
        """Open any file that the command line takes; a wrong one is explained in the message bar."""
        self.give_up()
        path = first_conf(path) or path
        try:
            if is_motion(path):
                self._ask(Path(path))
                return
        except ScenarioError as error:
            self.workspace.complain(error)
            return
        self._read(BackgroundOpen(path))

    def _ask(self, path: Path) -> None:
        """Ask how the columns of a measured motion are read, then open it."""
        from app.window.motion_dialog import MotionDialog  # here: it draws, and what it draws with takes long to load

        dialog = MotionDialog(path, self.workspace.theme, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda table: self._read(BackgroundOpen(path, table)))
        dialog.open()

    def _read(self, opening: BackgroundOpen) -> None:
        self._opening = opening
        opening.join(GRACE)
        self._take()

    def _take(self) -> None:
        """Show what has been opened; or look again soon, where a large file is still being read."""
        opening = self._opening
        if opening is None:
            return
        if opening.running:
            self.workspace.status.setText(tr("Reading {name}…").format(name=one_line(Path(opening.path).name)))
            self._looking.start()
            return
        self._opening = None
        try:
            saved = opening.result()
        except ScenarioError as error:
            self.workspace.complain(error)
            return
        self.remember(opening.path)
        self.opened.emit(saved, document_of(opening.path))

    def give_up(self) -> None:
        """Do not open what is still being read."""
        self._looking.stop()
        if self._opening is not None:
            self._opening.give_up()
            self._opening = None

    def take_as(self, role: str) -> None:
        """Show the body of the file that is shown in another role, see app.kinds.body_role."""
        run = self.workspace.session.run
        if run is None or (of_file := run.scenario.body_file) is None:
            return
        try:
            file, reading = of_file
            made = taken(run.scenario.path(file).absolute(), role, self._slope, reading)
        except ScenarioError as error:
            self.workspace.complain(error)
            self.workspace.panel.roles.restore()
        else:
            self.opened.emit(SavedSession(Schedule.of(made)), Document())

    def remember(self, path: str | Path) -> None:
        """Put a file first among the recent ones."""
        self.workspace.settings.remember(path)
        self.store()

    def paste(self) -> None:
        """Open the scenario that is in the clipboard as text."""
        try:
            self.opened.emit(from_text(QApplication.clipboard().text()), Document())
        except ScenarioError as error:
            self.workspace.complain(error)

    # ---- saving ----------------------------------------------------------------------------------------

    def saved(self) -> SavedSession | None:
        """What the window shows, to be opened again; None while it shows nothing."""
        return self._shown.saved()

    @property
    def _now(self) -> Experiment | None:
        """What is edited: the current step of the history, which may not be shown yet."""
        return self.workspace.session.history.there(0)

    @property
    def path(self) -> Path | None:
        """The file that the session is saved to; None: not known yet."""
        return None if self._now is None else self._now.document.path

    @path.setter
    def path(self, path: Path | None) -> None:
        if self._now is not None:
            self._now.document.path = path

    @property
    def unsaved(self) -> bool:
        """Whether there are edits that are neither saved nor left for the next start."""
        return self._now is not None and self._now.unsaved and self._now.schedule != self._left

    def settled(self, then: Callable[[], object]) -> bool:
        """Whether no edits are unsaved; otherwise ask about them, and call ``then`` unless the user cancels."""
        self.workspace.panel.finish()
        if not self.unsaved:
            return True
        assert self._now is not None
        name = self._now.document.name or told(self._now.schedule.scenario.title) or tr("Untitled")
        text = tr("{name} has unsaved changes. Save them?").format(name=one_line(name))
        answers: dict[str, Callable[[], object]]
        answers = {tr("Save"): partial(self._save_first, then), tr("Don't save"): then}
        question = Question(self._window, tr("Unsaved changes"), text, answers, self.workspace.panel.restore)
        question.open()
        return False

    def _save_first(self, then: Callable[[], object]) -> None:
        if self.save():
            then()
        else:
            self.workspace.panel.restore()

    def save(self) -> bool:
        """Save the session where it was saved before, or ask for a place; whether it is saved."""
        return self.save_as() if self.path is None else self._write(self.path)

    def save_as(self) -> bool:
        """Ask for a place, and save the session there; whether it is saved."""
        name, _ = QFileDialog.getSaveFileName(
            self._window, tr("Save the session"), f"session{ENDING}", tr("Sessions (*{ending})").format(ending=ENDING)
        )
        return bool(name) and self._write(Path(name if name.endswith(".toml") else name + ENDING))

    def _write(self, path: Path) -> bool:
        self.workspace.panel.finish()
        saved = self._shown.saved()
        if saved is None or self._now is None:
            return False
        try:
            save_session(path, saved)
        except PhysicsError as error:
            self.workspace.complain(str(error))
            return False
        document = self._now.document
        document.name, document.path, document.saved = path.name, path, saved.schedule
        self.note_changes()
        self.remember(path)
        self.workspace.tell(tr("Saved: {path}").format(path=path))
        return True

    def note_changes(self) -> None:
        """Name file and scenario in the window's title, and mark it where edits are not saved."""
        now = self._now
        if now is not None:
            if now.schedule.whole.ground is not None:
                self._slope = now.schedule.whole
            title = told(now.schedule.scenario.title) or tr("Untitled")
            named = f"{one_line(now.document.name)}[*] – {title}" if now.document.name else f"{title}[*]"
            self._window.setWindowTitle(f"{named} – Polhode")
            self._window.window().setWindowModified(now.unsaved)

    def copy(self) -> None:
        """Put the session into the clipboard as one short text."""
        saved = self._shown.saved()
        if saved is not None:
            text = to_text(saved)
            QApplication.clipboard().setText(text)
            self.workspace.tell(tr("Copied: {count} letters that hold the whole scenario").format(count=len(text)))

    def save_plots(self) -> None:
        """Ask for a place, and save the plots there."""
        scenario = self._shown.scenario()
        if scenario is None:
            return
        kinds = tr("For print (*.pdf);;Drawing (*.svg);;Picture (*.png);;Table (*.csv)")
        path = save_dialog(self._window, tr("Save the plots"), "plots.pdf", kinds)
        if path is not None:
            self._tell_saved(path, lambda: self.workspace.plots.save(path, scenario))

    def save_picture(self) -> None:
        """Ask for a place, and save the view there."""
        from app.export.png import write_view  # here: it loads what describes a scenario

        try:
            picture, scenario = self.workspace.view.picture(), self._shown.scenario()
        except PhysicsError as error:  # the computer may have lost its OpenGL since the view was drawn
            self.workspace.complain(str(error))
            return
        if picture is None or scenario is None:
            return
        kinds = tr("Picture that opens again as a scenario (*.png);;Picture without that (*.jpg)")
        path = save_dialog(self._window, tr("Save picture"), f"{slug(scenario.title)}.png", kinds)
        if path is None:
            return
        scenario = scenario.changed(**{"export.size": picture.shape[1::-1]})
        self._tell_saved(path, lambda: write_view(path, picture, scenario))

    def _tell_saved(self, path: Path, write: Callable[[], object]) -> None:
        """Write a file; the status line tells where it is, the message bar why it is not."""
        try:
            write()
        except (PhysicsError, ScenarioError) as error:
            self.workspace.complain(str(error))
        else:
            self.workspace.tell(tr("Saved: {path}").format(path=path))

    def export(self) -> None:
        """Show the dialog that exports the run that is shown, with its edits."""
        scenario = self._shown.scenario()
        run, before = self.workspace.session.run, self.workspace.session.before
        if scenario is None or run is None:
            return
        known = before if comparable(run, before) else None
        dialog = ExportDialog(scenario, self.exports, self._window, run=run, before=known)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    # ---- what lasts ------------------------------------------------------------------------------------

    def last(self) -> SavedSession | None:
        """From now on keep settings and session; the session that a crash left behind, if any.

        That one is handed out once, as it may be what the program died of; a copy is put among the recent files.
        Raises ScenarioError where it is damaged.
        """
        self.workspace.lasting = True
        self._timer.start()
        self.workspace.session.shown.connect(self.keep)  # an edit at once, the playhead now and then
        self.ensembles.begun.connect(self.keep)
        left = autosave.recover()
        if left is not None:
            self._put_aside(left)
        return left

    def _put_aside(self, left: SavedSession) -> None:
        try:
            save_session(autosave.aside(), left)
        except PhysicsError:
            return
        self.remember(autosave.aside())

    def note_recovered(self) -> None:
        """What is shown was recovered: it is saved nowhere."""
        if self._now is not None:
            self._now.document.saved = None
        self.note_changes()

    def leave(self) -> None:
        """Keep what is not saved for the next start, without asking: the program is ended from outside."""
        self.workspace.panel.finish()
        if self.unsaved and self._now is not None:
            if self.workspace.lasting:
                self.keep()
            self._left = self._now.schedule

    def keep(self) -> None:
        """Save the session against a crash, if it has changed."""
        saved = self._shown.saved()
        if saved is not None and saved != self._kept:
            why = autosave.keep(saved)
            self._kept = self._kept if why else saved
            self._warn(_unkept(), why)

    def close(self) -> None:
        """The window closes in good order."""
        self._timer.stop()
        self.give_up()
        if self.workspace.lasting:
            self.store()
            self.workspace.lasting = False
            self.workspace.session.shown.disconnect(self.keep)
            self.ensembles.begun.disconnect(self.keep)
            if self.ensembles.unsaved or (self._now is not None and self._now.schedule == self._left):
                self.keep()
                autosave.leave()
            else:
                autosave.forget()

    def store(self) -> None:
        """Write the settings, where they are meant to last."""
        if self.workspace.lasting:
            self._warn(tr("Settings and recent files do not last"), save_settings(self.workspace.settings))

    def _warn(self, what: str, why: str) -> None:
        """Say once that something does not last, and again after it has lasted for a while."""
        if why and not self._warned.get(what):
            self.workspace.message.say(f"{what}: {why}")
        self._warned[what] = why
        self.unkept.setToolTip(tip(self._warned.get(_unkept(), "")))
        self.unkept.setVisible(bool(self._warned.get(_unkept())))


def document_of(path: str | Path) -> Document:
    """What is opened from a file: only a session is saved to it again."""
    return Document(Path(path).name, Path(path) if str(path).endswith(ENDING) else None)


def _unkept() -> str:
    return tr("Edits are not kept: a crash would lose what is not saved")
