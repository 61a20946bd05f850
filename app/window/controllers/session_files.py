"""Session files: opened, shown, saved, copied as text, kept in case of a crash; settings that last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.document import autosave
from app.document.history import Document, Experiment
from app.document.look import Look
from app.document.open import SUFFIXES, is_body, is_motion, measured_session, saved_for
from app.document.session import (
    ENDING,
    PREFIX,
    SavedSession,
    SessionView,
    from_text,
    from_toml,
    looked_at,
    save_session,
    stamp_of,
    to_toml,
)
from app.document.settings import save_settings
from app.kinds import read_anew, read_as, role_of, taken
from app.playback.run import comparable
from app.system.language import tr
from app.system.own_words import title_of
from app.system.terminal import one_line
from app.window.background_reader import BackgroundReader, T
from app.window.controllers.cameras import Cameras
from app.window.ensembles import Ensembles
from app.window.exports.dialog import ExportDialog, slug
from app.window.exports.queue import ExportQueue
from app.window.labels import Plain, tip
from app.window.mesh_dialog import MeshDialog
from app.window.widgets import Question, save_dialog
from app.window.workspace import Workspace
from physics import PhysicsError, Scenario, ScenarioError, World
from physics.bodies.mesh_io import METRES, Mesh, MeshReading, read_mesh
from physics.core.conf_files import first_conf
from physics.core.errors import NotInMetres
from physics.ensembles.summary import SUMMARY
from physics.io.trajectory_writers import check_unread
from physics.scenario.fingerprints import files_of
from physics.schemes.lane import scheme_named
from physics.simulation.schedule import Schedule
from physics.terrain.projection import GRIDS, UTM


class ShownSession:
    """State of the window's view of a run, to save and restore: clock, view, cameras, plots and ensemble."""

    def __init__(self, workspace: Workspace, cameras: Cameras, ensembles: Ensembles) -> None:
        self._workspace, self._cameras, self._ensembles = workspace, cameras, ensembles

    @property
    def look(self) -> Look:
        """Look of the run, with results that are shown."""
        switches = {name: self._workspace.actions[name].isChecked() for name in ("compare", "logarithmic")}
        return self._workspace.view.look.changed(**switches, **self._ensembles.look.said)

    def scenario(self) -> Scenario | None:
        """The run that is shown as a scenario, with its edits, camera and all else of the window."""
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
        """The session that the window shows."""
        workspace = self._workspace
        shown = workspace.session.history.there(0)
        if shown is None or workspace.session.run is None:
            return None
        left = shown.document.left
        if left is not None or workspace.session.opening:  # clock and view still belong to another document
            return SavedSession(shown.schedule, left or SessionView())
        return SavedSession(shown.schedule, self._seen())

    def _seen(self) -> SessionView:
        clock = self._workspace.session.clock
        return SessionView(
            **self.look.said,
            time=clock.time if clock.awaited is None else clock.awaited,
            speed=clock.speed,
            loop=clock.loop,
            first=clock.first,
            last=clock.last,
            viewpoints=self._cameras.places,
            unfinished=self._ensembles.unfinished,
        )

    def leave(self, document: Document) -> None:
        """Keep clock and view with a document that another one replaces, for undo."""
        if self._workspace.view.run is self._workspace.session.run:
            document.left = self._seen()

    def return_to(self, look: SessionView, world: World) -> None:
        """Restore clock and view of a document that undo shows again; its ensemble comes back by itself."""
        self._look_as(look, world)
        if look.viewpoint is None:
            self._workspace.view.release()

    def look_as(self, look: SessionView, world: World) -> None:
        """Restore clock and view of an opened session; the camera follows when there is a stage."""
        self._look_as(look, world)
        self._ensembles.expect(look)

    def _look_as(self, look: SessionView, world: World) -> None:
        workspace, clock = self._workspace, self._workspace.session.clock
        clock.speed = look.speed or clock.speed
        clock.loop, clock.first, clock.last = look.loop, look.first, look.last or None
        workspace.actions["overlay"].setChecked(look.layout == "overlay")
        if look.camera != workspace.view.look.camera:
            self._cameras.go(look.camera)
        workspace.actions["compare"].setChecked(look.compare)
        workspace.actions["logarithmic"].setChecked(look.logarithmic)
        workspace.actions["link"].setChecked(look.linked)
        self._cameras.set_places(look.viewpoints)
        workspace.view.begin_from(look.viewpoint, look.overlays)


GRACE = 0.5  # [s] to wait for a file; nearly all are read in less
LOOK = 50  # [ms] between two checks of a file that is still being read
PERIOD = 3000  # [ms] between two autosaves


class SessionFiles(QObject):
    """Files that the window opens and saves."""

    opened = Signal(object, object)  # SavedSession to be shown, and its Document

    def __init__(
        self,
        workspace: Workspace,
        shown: ShownSession,
        ensembles: Ensembles,
        exports: ExportQueue,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.workspace, self._shown, self.ensembles, self.exports = workspace, shown, ensembles, exports
        self._window = parent
        self._kept: SavedSession | None = None
        self._left: Schedule | None = None  # not saved, but kept for the next start
        self.ended = False  # from outside: there may be no user to answer
        self._timer = QTimer(self, interval=PERIOD)
        self._timer.timeout.connect(lambda: workspace.tasks.add(self.keep))  # 8 to 14 ms
        self._opening: BackgroundReader[Any] | None = None  # file that is being read
        self._then: Callable[[Path, Any], object] = self._show  # what is done with it
        self._looking = QTimer(self, interval=LOOK, singleShot=True)
        self._looking.timeout.connect(self._take)
        self._slope: Scenario | None = None  # last shown scenario of rockfall
        self._warned: dict[str, str] = {}  # what is not kept -> reason, or ""
        self._written = workspace.settings.model_copy(deep=True)  # as they are in the file, but for other windows
        self.unkept = Plain(tr("Edits are not kept"), "error", visible=False)  # in the status line

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

    def open(self, path: str | Path, role: str | None = None, mesh: Mesh | None = None) -> None:
        """Open any file that the command line opens; errors are shown in the message bar.

        role : of a body, see app.kinds.kind; None: not chosen yet
        mesh : in the file, where that is read already
        """
        self.give_up()
        if mesh is not None:
            self._ask_of_mesh(role, None, Path(path), mesh)
            return
        path = first_conf(path) or path
        try:
            if is_motion(path):
                self._ask(Path(path))
                return
        except ScenarioError as error:
            self.workspace.complain(error)
            return
        if is_body(path, role):
            self._read(BackgroundReader(Path(path), read_mesh), partial(self._ask_of_mesh, role, None))
        else:
            self._read(BackgroundReader(Path(path), saved_for), self._show)

    def _ask(self, path: Path) -> None:
        """Ask how to read the columns of a measured motion, then open it."""
        from app.window.motion_dialog import MotionDialog  # here: pyqtgraph is slow to load

        dialog = MotionDialog(path, self.workspace.theme, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(
            lambda table: self._read(BackgroundReader(path, lambda file: measured_session(file, table)), self._show)
        )
        dialog.open()

    def _ask_of_mesh(self, role: str | None, reading: MeshReading | None, path: Path, mesh: Mesh) -> None:
        """Ask how a mesh is read, and show what comes of it, then open it."""
        dialog = MeshDialog(path, mesh, role, reading, self._slope, None, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(
            lambda scenario: self._show(path, SavedSession(Schedule.of(scenario), looked_at(scenario)))
        )
        dialog.open()

    def edit(self, scenario: Scenario) -> None:
        """Show an edited scenario; where it names another mesh, ask first how that is read.

        Where another axis of a hull points up, what depends on it is taken from the file first.
        """
        self.give_up()
        now, named = self._now, scenario.body_file
        known = None if now is None else now.schedule.whole.body_file
        if named is None:
            self.workspace.edit(scenario)
        elif known is not None and known[0] == named[0]:
            if known[1].upward(named[0]) == named[1].upward(named[0]):
                self.workspace.edit(scenario)
                return
            before = named[1]._replace(up=known[1].up)
            turned = BackgroundReader(scenario.path(named[0]), lambda _: read_anew(scenario, before))
            self._read(turned, self._unless_undone(lambda _, anew: self._turn(scenario, *anew)))
        else:
            self.workspace.message.hide()  # on the file before
            reading = None if named[1] == METRES else named[1]
            made = [partial(read_as, scenario, kept) for kept in ((True, False) if known is not None else (False,))]
            then = partial(self._ask_of_edit, role_of(scenario), reading, made)
            self._read(BackgroundReader(scenario.path(named[0]), read_mesh), self._unless_undone(then))

    def _unless_undone(self, then: Callable[[Path, T], object]) -> Callable[[Path, T], object]:
        """A function that takes a file that an edit names, unless the edit was undone while it was read.

        The fields do not tell: they follow when the experiment before is computed.
        """
        history = self.workspace.session.history
        step = history.there(0)
        return lambda path, found: then(path, found) if history.there(0) is step else None

    def _turn(self, scenario: Scenario, found: Scenario, kept: Sequence[str]) -> None:
        """Show an edited scenario with what depends on the axis of its hull, where it has not been edited since."""
        self.workspace.status.setText("")
        if self.workspace.panel.follow_axis(scenario, found, kept):
            self.workspace.edit(found)

    def _ask_of_edit(
        self,
        role: str | None,
        reading: MeshReading | None,
        made: Sequence[Callable[[MeshReading], Scenario]],
        path: Path,
        mesh: Mesh,
    ) -> None:
        """Ask how a mesh is read that an edit names; without an answer the edit is taken back."""
        panel, run = self.workspace.panel, self.workspace.session.run
        dialog = MeshDialog(path, mesh, role, reading, self._slope, made, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self.workspace.take)
        if panel.opened is not None and run is not None:
            dialog.rejected.connect(partial(panel.show_values, panel.opened, run.scenario))
        dialog.open()

    def _read(self, opening: BackgroundReader[T], then: Callable[[Path, T], object]) -> None:
        self._opening, self._then = opening, then
        opening.join(GRACE)
        self._take()

    def _take(self) -> None:
        """Show the opened session; check again soon while a large file is being read."""
        opening = self._opening
        if opening is None:
            return
        if opening.running:
            self.workspace.status.setText(tr("Reading {name}…").format(name=one_line(opening.path.name)))
            self._looking.start()
            return
        self._opening = None
        try:
            found = opening.result()
        except ScenarioError as error:
            self.workspace.complain(error)
        else:
            self._then(opening.path, found)

    def _show(self, path: Path, saved: SavedSession) -> None:
        self.remember(path)
        self.opened.emit(saved, document_of(path, saved))

    def complain(self, error: ScenarioError | str) -> None:
        """Show why a scenario has no start; offer to project a map that is not in metres."""
        refused = self.workspace.session.refused
        self.workspace.complain(error)
        if isinstance(error, NotInMetres) and refused is not None and str(error.file).lower().endswith(GRIDS):
            text = tr("The map {name} is not in metres, which rocks need.").format(name=Path(str(error.file)).name)
            project = partial(self._project, refused)
            self.workspace.message.offer(one_line(text), tr("Project it to its UTM zone"), project)

    def _project(self, scenario: Scenario) -> None:
        made = scenario.changed(**{"terrain.project": UTM})
        self.opened.emit(SavedSession(Schedule.of(made), looked_at(made)), Document())

    def give_up(self) -> None:
        """Cancel the opening of a file that is still being read."""
        self._looking.stop()
        if self._opening is not None:
            self._opening.give_up()
            self._opening = None

    def take_as(self, role: str) -> None:
        """Show the body of the current file in another role, see app.kinds.kind."""
        run = self.workspace.session.run
        if run is None or (of_file := run.scenario.body_file) is None:
            return
        file, reading = run.scenario.path(of_file[0]).absolute(), of_file[1]
        try:
            made = taken(file, role, self._slope, reading)
        except ScenarioError:  # which the dialog shows, with a repair if there is one
            self.workspace.panel.roles.restore()
            self._read(BackgroundReader(file, read_mesh), partial(self._ask_of_mesh, role, reading))
        else:
            self.opened.emit(SavedSession(Schedule.of(made)), Document())

    def remember(self, path: str | Path) -> None:
        """Put a file first among the recent ones."""
        self.workspace.settings.remember(path)
        self.store()

    def paste(self) -> None:
        """Open the scenario in the clipboard's text."""
        try:
            text = QApplication.clipboard().text()
            self.opened.emit((from_text if text.lstrip().startswith(PREFIX) else from_toml)(text), Document())
        except ScenarioError as error:
            self.workspace.complain(error)

    # ---- saving ----------------------------------------------------------------------------------------

    def saved(self) -> SavedSession | None:
        """The session that the window shows; None while it shows nothing."""
        return self._shown.saved()

    @property
    def _now(self) -> Experiment | None:
        """The current step of the history, which may not be shown yet."""
        return self.workspace.session.history.there(0)

    @property
    def path(self) -> Path | None:
        """The file to save the session to; None: not chosen yet."""
        return None if self._now is None else self._now.document.path

    @path.setter
    def path(self, path: Path | None) -> None:
        if self._now is not None:
            self._now.document.path = path

    @property
    def unsaved(self) -> bool:
        """True if there are edits that are neither saved nor kept for the next start."""
        return self._now is not None and self._now.unsaved and self._now.schedule != self._left

    def settled(self, then: Callable[[], object]) -> bool:
        """True if all edits are saved; else ask about them, and call ``then`` unless the user cancels."""
        self.workspace.panel.finish()
        if not self.unsaved:
            return True
        assert self._now is not None
        name = self._now.document.name or title_of(self._now.schedule.scenario) or tr("Untitled")
        text = tr("{name} has unsaved changes. Save them?").format(name=one_line(name))
        answers: dict[str, Callable[[], object]]
        answers = {tr("Save"): partial(self._save_first, then), tr("Don't save"): then}
        question = Question(self._window, tr("Unsaved changes"), text, answers, self.workspace.panel.restore)
        question.open()
        return False

    def _save_first(self, then: Callable[[], object]) -> None:
        if self.save(then):
            then()
        else:
            self.workspace.panel.restore()

    def save(self, then: Callable[[], object] = lambda: None) -> bool:
        """Save the session to its file, or ask for one; True if it is saved.

        If another program has written the file since it was opened or saved here, or if it names schemes that would be
        lost, ask whether it is replaced, and call ``then`` once it is.
        """
        now = self._now
        if now is None or now.document.path is None:
            return self.save_as()
        path, found = now.document.path, stamp_of(now.document.path)
        changed = found not in (None, now.document.stamp)
        shown = now.schedule.scenario.schemes
        lost = {*now.document.left_out} - {*shown, *map(scheme_named, shown)}
        if found is None or not (changed or lost):
            return self._write(path)
        text = tr("{name} names schemes that this window leaves out. Replace it with the session of this window?")
        if changed:
            text = tr(
                "{name} has changed on disk since it was opened here. Replace it with the session of this window?"
            )
        answers = {
            tr("Replace"): lambda: self._write(path) and then(),
            tr("Save session as…"): lambda: self.save_as() and then(),
        }
        title = tr("Changed on disk") if changed else tr("Schemes are left out")
        Question(self._window, title, text.format(name=one_line(path.name)), answers, safe=True).open()
        return False

    def save_as(self) -> bool:
        """Ask for a file, and save the session there; True if it is saved."""
        kinds = tr("Sessions (*{ending})").format(ending=ENDING)
        asked = self._window, tr("Save the session"), f"session{ENDING}", kinds
        path = save_dialog(*asked, lambda name: name.endswith(".toml"))
        return path is not None and self._write(path)

    def _write(self, path: Path) -> bool:
        self.workspace.panel.finish()
        saved = self._shown.saved()
        if saved is None or self._now is None:
            return False
        try:
            save_session(path, saved)
        except PhysicsError as error:
            self.workspace.complain(error)
            return False
        document = self._now.document
        document.name, document.path, document.saved = path.name, path, saved.schedule
        document.stamp, document.left_out = stamp_of(path), ()
        self.note_changes()
        self.remember(path)
        if self.workspace.session.refused is None:  # else the panel has values that are not saved: why, stays
            self.workspace.message.hide()
        self.workspace.status.setText(tr("Saved: {path}").format(path=path))
        return True

    def note_changes(self) -> None:
        """Show file, scenario and unsaved changes in the window's title."""
        now = self._now
        if now is not None:
            if now.schedule.whole.ground is not None:
                self._slope = now.schedule.whole
            title = title_of(now.schedule.scenario) or tr("Untitled")
            named = f"{one_line(now.document.name)}[*] – {title}" if now.document.name else f"{title}[*]"
            self._window.setWindowTitle(f"{named} – Polhode")
            self._window.window().setWindowModified(now.unsaved)

    def copy(self) -> None:
        """Copy the session as a file would hold it."""
        saved = self._shown.saved()
        if saved is not None:
            QApplication.clipboard().setText(to_toml(saved))
            self.workspace.tell(tr("Copied the whole scenario as text"))

    def save_plots(self) -> None:
        """Ask for a file, and save the plots there."""
        scenario = self._shown.scenario()
        if scenario is None or self.workspace.plots.run is None:  # they are drawn after the first picture
            return
        kinds = tr("For print (*.pdf);;Drawing (*.svg);;Picture (*.png);;Table (*.csv)")
        path = save_dialog(self._window, tr("Save the plots"), "plots.pdf", kinds)
        if path is not None:
            self._write_file(path, scenario, lambda: self.workspace.plots.save(path, scenario))

    def save_picture(self) -> None:
        """Ask for a file, and save the view there."""
        from app.export.png import write_view  # here: slow to load

        try:
            picture, scenario = self.workspace.view.picture(), self._shown.scenario()
        except PhysicsError as error:  # OpenGL may have been lost since the view was drawn
            self.workspace.complain(error)
            return
        if picture is None or scenario is None:
            return
        kinds = tr("Picture that opens again as a scenario (*.png);;Picture without that (*.jpg)")
        path = save_dialog(self._window, tr("Save picture"), f"{slug(scenario.title)}.png", kinds)
        if path is None:
            return
        sized = scenario.changed(**{"export.size": picture.shape[1::-1]})
        self._write_file(path, scenario, lambda: write_view(path, picture, sized))

    def _write_file(self, path: Path, scenario: Scenario, write: Callable[[], object]) -> None:
        """Write a file, but none that the scenario reads; the status line shows its path, the message bar an error."""
        try:
            check_unread(path, files_of(scenario))
            write()
        except (PhysicsError, ScenarioError) as error:
            self.workspace.complain(error)
        else:
            self.workspace.tell(tr("Saved: {path}").format(path=path))

    def export(self) -> None:
        """Show the export dialog for the run that is shown, with its edits."""
        scenario = self._shown.scenario()
        run, before = self.workspace.session.run, self.workspace.session.before
        if scenario is None or run is None:
            return
        known = before if comparable(run, before) else None
        settings = self.workspace.settings
        dialog = ExportDialog(scenario, self.exports, self._window, run=run, before=known, settings=settings)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    # ---- what lasts ------------------------------------------------------------------------------------

    def last(self) -> SavedSession | None:
        """Keep settings and session from now on; return the session that a crash left behind, if any.

        It is returned once, as it may be the cause of the crash; a copy is among the recent files.
        Raises ScenarioError if it is damaged.
        """
        self.workspace.lasting = True
        self._timer.start()
        self.workspace.session.shown.connect(self.keep)  # edits at once, the playhead by the timer
        self.ensembles.begun.connect(self.keep)
        left = autosave.recover()
        if left is not None:
            with suppress(PhysicsError):
                save_session(autosave.aside(), left)
                self.remember(autosave.aside())
        return left

    def note_recovered(self) -> None:
        """Mark the recovered session that is shown as unsaved."""
        if self._now is not None:
            self._now.document.saved = None
        self.note_changes()

    def leave(self) -> None:
        """Keep unsaved edits for the next start without a question: the program is ended from outside."""
        self.ended = True
        self.workspace.panel.finish()
        if self.unsaved and self._now is not None:
            if self.workspace.lasting:
                self.keep()
            self._left = self._now.schedule

    def keep(self) -> None:
        """Autosave the session if it has changed."""
        saved = self._shown.saved()
        if saved is not None and saved != self._kept:
            why = autosave.keep(saved)
            self._kept = self._kept if why else saved
            self._warn(_unkept(), why)

    def close(self) -> None:
        """Store settings, and end autosave: the window closes normally."""
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
        """Write what has changed of the settings, if they are to last."""
        if self.workspace.lasting:
            why = save_settings(self.workspace.settings, before=self._written)
            self._written = self._written if why else self.workspace.settings.model_copy(deep=True)
            self._warn(tr("Settings and recent files are not saved"), why)

    def _warn(self, what: str, why: str) -> None:
        """Warn once that something is not kept, and again after it was kept meanwhile."""
        if why and not self._warned.get(what):
            self.workspace.message.say(f"{what}: {why}")
        self._warned[what] = why
        self.unkept.setToolTip(tip(self._warned.get(_unkept(), "")))
        self.unkept.setVisible(bool(self._warned.get(_unkept())))


def document_of(path: str | Path, saved: SavedSession) -> Document:
    """The document of a session from a file; only sessions are saved to it again.

    Not to what a crash left behind: the next one takes its place.
    """
    own = str(path).endswith(ENDING) and Path(path).absolute().parent != autosave.folder()
    return Document(Path(path).name, Path(path) if own else None, stamp=saved.stamp)


def _unkept() -> str:
    return tr("Edits are not kept: a crash would lose unsaved edits")
