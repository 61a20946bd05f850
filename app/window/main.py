"""The start of the window: what ``polhode [FILE]`` calls, and the empty window that appears first."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEventLoop, QLibraryInfo, QLocale, Qt, QTimer, QTranslator
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from app.document.settings import Language, Settings, load_settings
from app.system import errors as error_log
from app.system import scratch_folders, signals
from app.system.language import Code, first_known, tr, translated, use
from app.window.qt_opengl import make_ready
from app.window.style import application_icon, apply, resolve
from app.window.widgets import WaitingPage

if TYPE_CHECKING:
    from app.document.session import SavedSession
    from app.window.main_window import MainWindow
    from physics.bodies.mesh_io import Mesh


SOON = 0.5  # [s] for a display server to show a window


class StartupWindow(QMainWindow):
    """The top-level window, empty at first; ``furnish`` adds the main window, which takes a second to load.

    view : "interactor" or "picture", as at the command line; None: chosen later
    """

    def __init__(self, app: QApplication, settings: Settings, view: str | None = None) -> None:
        super().__init__()
        make_ready(self, view, settings.interactor)
        self._view = view
        self.settings, self.theme = settings, resolve(settings.theme)
        self.desk: MainWindow | None = None
        apply(app, self.theme, settings.letters)
        self.setWindowTitle("Polhode")
        self.setCentralWidget(WaitingPage(tr("Loading…")))
        area = self.screen().availableSize()
        self.resize(min(1600, int(area.width() * 0.9)), min(1000, int(area.height() * 0.9)))
        self.restoreGeometry(QByteArray.fromBase64(settings.geometry.encode()))

    def appear(self) -> None:
        """Show the window, and wait until it is on the screen."""
        self.show()
        limit = time.monotonic() + SOON
        while not self.windowHandle().isExposed() and time.monotonic() < limit:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        QApplication.processEvents()

    def furnish(self) -> MainWindow:
        """Add the main window."""
        from app.window.main_window import MainWindow

        self.desk = MainWindow(self.theme, self.settings)
        self.desk.view.asked = self._view
        self.desk.windowTitleChanged.connect(self.setWindowTitle)
        self.desk.resize(self.size())
        self.setCentralWidget(self.desk)
        return self.desk

    def closeEvent(self, event: QCloseEvent) -> None:
        """End all work."""
        if self.desk is not None and not self.desk.may_close():
            event.ignore()
            return
        if self.desk is not None:
            self.desk.actions_by_id["present"].setChecked(False)  # the next start has the usual window
        self.settings.geometry = self.saveGeometry().toBase64().toStdString()
        self.hide()  # now: a worker that compiles may take seconds to end
        if self.desk is not None:
            self.desk.close()
        super().closeEvent(event)


def open_window(
    file: str | Path | None = None,
    saved: SavedSession | None = None,
    view: str | None = None,
    language: Code | None = None,
    role: str | None = None,
    mesh: Mesh | None = None,
) -> int:
    """Open the window with the session in a file, or with the first scenario; the exit status.

    A file without a session is opened in the window, which asks how to read a measured motion or a mesh.
    view : "interactor" or "picture", see app.window.view.viewport; None: chosen
    language : of all texts; None: that of the settings or the system
    role : of the body in the file, see app.kinds.kind; None: to be chosen
    mesh : in the file, where that holds one
    """
    if os.environ.get("WAYLAND_DISPLAY") and os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "xcb")  # VTK draws through X as well
    app = QApplication(sys.argv[:1])

    def leave() -> None:
        """Keep unsaved edits for the next start: there may be no user to answer."""
        if front.desk is not None:
            front.desk.files.leave()

    def end() -> None:
        leave()
        app.closeAllWindows()

    signals.leave()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: QTimer.singleShot(0, end))  # after the current event
    app.commitDataRequest.connect(leave)  # the desktop's session ends
    signals.check()
    error_log.listen()
    app.setApplicationName("polhode")
    app.setApplicationDisplayName("Polhode")
    app.setWindowIcon(application_icon())
    settings = load_settings()
    speak(app, language or spoken(settings.language))
    front = StartupWindow(app, settings, view)
    front.appear()
    if not front.isVisible():  # closed meanwhile
        return 0
    window = front.furnish()
    collector = settle(window)
    QTimer.singleShot(0, lambda: begin(window, saved, file, role, mesh))
    status = app.exec()
    collector.stop()
    front.deleteLater()
    app.processEvents()
    return status


def spoken(chosen: Language) -> Code:
    """The language that was chosen, or the system's."""
    return first_known(QLocale.system().uiLanguages() if chosen == "system" else [chosen])


def speak(app: QApplication, language: Code) -> None:
    """Use a language for all texts, also of Qt's dialogs."""
    use(language)
    own = QTranslator(app)
    if own.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(own)


def begin(
    window: MainWindow,
    saved: SavedSession | None,
    file: str | Path | None,
    role: str | None = None,
    mesh: Mesh | None = None,
) -> None:
    """Open the requested session or file, or what a crash left behind."""
    from app.window.controllers.session_files import document_of  # here: the window appears before physics is loaded
    from physics import ScenarioError

    if not window.isVisible():  # closed meanwhile: new work would never be ended
        return
    scratch_folders.tidy()
    left, note = None, ""
    try:
        left = window.files.last()
    except ScenarioError as damaged:
        note = translated(damaged)
    if left is not None:
        note = _recovery_note(left, aside=saved is not None)
    window.begin(saved or left, document_of(file, saved) if saved is not None and file is not None else None)
    if note:
        _tell(window, note, left if saved is None else None)
    if file is not None and saved is None:
        window.files.open(file, role, mesh)
    elif file is not None:
        window.files.remember(file)


def _recovery_note(left: SavedSession, aside: bool) -> str:
    """A note on the session that a crash left behind; aside: it is not the one that is shown."""
    why = (
        tr("Rocks of an ensemble are not saved yet")
        if left.look.unfinished
        else tr("The program ended without being closed")
    )
    if aside:
        return tr("{why}; that session is among the recent files (Ctrl+Shift+O).").format(why=why)
    return tr("{why}; this is the session as it was.").format(why=why)


def _tell(window: MainWindow, note: str, recovered: SavedSession | None) -> None:
    """Show a note on what a crash left behind with what is shown first, or with why that has no start.

    recovered : the session that is shown, which is unsaved; where it has no start, it is among the recent files
    """
    session, message = window.session, window.message

    def show(_: str) -> None:
        session.failed.disconnect(refuse)
        if recovered is not None:
            window.files.note_recovered()
        message.say(note)

    def refuse(_: object) -> None:
        session.shown.disconnect(show)
        why = [message.text.text()] if message.isVisible() else []  # else it stands beside a field
        message.say(" ".join([*why, note if recovered is None else _recovery_note(recovered, aside=True)]))

    session.shown.connect(show, Qt.ConnectionType.SingleShotConnection)
    session.failed.connect(refuse, Qt.ConnectionType.SingleShotConnection)


def settle(window: MainWindow) -> QTimer:
    """Keep workers from disturbing the window; the timer that collects garbage.

    Garbage is collected in this thread only: Qt and VTK objects must not be deleted in a worker. Python switches from
    workers to this thread after 1 ms, in place of 5 ms.
    """
    gc.disable()
    sys.setswitchinterval(0.001)
    timer = QTimer(interval=5000)
    collect = partial(_collect, window, timer)  # takes 4 to 9 ms, so between two frames
    timer.timeout.connect(lambda: window.workspace.tasks.add(collect))
    timer.start()
    return timer


def _collect(window: MainWindow, timer: QTimer) -> None:
    if window.staged:
        if not timer.property("frozen"):
            timer.setProperty("frozen", True)
            gc.freeze()  # objects of the start stay: searching them takes 0.1 s each time
        gc.collect()
