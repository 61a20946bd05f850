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
from app.system.language import Code, first_known, tr, use
from app.window.qt_opengl import make_ready
from app.window.style import application_icon, apply, resolve
from app.window.widgets import WaitingPage

if TYPE_CHECKING:
    from app.document.session import SavedSession
    from app.window.main_window import MainWindow


SOON = 0.5  # [s] in which a display server shows a window


class StartupWindow(QMainWindow):
    """An empty window at first; ``furnish`` puts the main window into it, which takes a second to load.

    view : "interactor" or "picture", as at the command line; None: chosen once that can be known
    """

    def __init__(self, app: QApplication, settings: Settings, view: str | None = None) -> None:
        super().__init__()
        make_ready(self, view, settings.interactor)
        self._view = view
        self.settings, self.theme = settings, resolve(settings.theme)
        self.desk: MainWindow | None = None
        apply(app, self.theme)
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
        """Put the main window in."""
        from app.window.main_window import MainWindow

        self.desk = MainWindow(self.theme, self.settings)
        self.desk.view.asked = self._view
        self.desk.windowTitleChanged.connect(self.setWindowTitle)
        self.desk.resize(self.size())
        self.setCentralWidget(self.desk)
        return self.desk

    def closeEvent(self, event: QCloseEvent) -> None:
        """End everything that runs."""
        if self.desk is not None and not self.desk.may_close():
            event.ignore()
            return
        self.settings.geometry = self.saveGeometry().toBase64().toStdString()
        self.hide()  # at once; a worker that compiles may take seconds to end
        if self.desk is not None:
            self.desk.close()
        super().closeEvent(event)


def open_window(
    file: str | Path | None = None,
    saved: SavedSession | None = None,
    view: str | None = None,
    language: Code | None = None,
) -> int:
    """Open the window on the session in a file, or on the scenario that the program begins with; the exit status.

    A file without a session is opened in the window, which asks how a measured motion is read.
    view : "interactor" or "picture", see app.window.view.viewport; None: chosen
    language : of all texts; None: the one that the settings or the system tell
    """
    if os.environ.get("WAYLAND_DISPLAY") and os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "xcb")  # VTK draws through X as well
    app = QApplication(sys.argv[:1])

    def leave() -> None:
        """What is not saved is for the next start: nobody may be there to answer."""
        if front.desk is not None:
            front.desk.files.leave()

    def end() -> None:
        leave()
        app.closeAllWindows()

    signals.leave()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: QTimer.singleShot(0, end))  # not amid whatever runs now
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
    QTimer.singleShot(0, lambda: _begin(window, saved, file))
    status = app.exec()
    collector.stop()
    front.deleteLater()
    app.processEvents()
    return status


def spoken(chosen: Language) -> Code:
    """The language that was chosen, or the system's."""
    return first_known(QLocale.system().uiLanguages() if chosen == "system" else [chosen])


def speak(app: QApplication, language: Code) -> None:
    """Have all texts in a language, those of Qt's own dialogs too."""
    use(language)
    own = QTranslator(app)
    if own.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(own)


def _begin(window: MainWindow, saved: SavedSession | None, file: str | Path | None) -> None:
    """Open what was asked for, or what a crash left behind; the first time, take the tour."""
    from app.window.controllers.session_files import document_of  # here: the window appears before physics is loaded
    from physics import ScenarioError

    if not window.isVisible():  # closed meanwhile: what began now would never be ended
        return
    scratch_folders.tidy()
    left, told = None, ""
    try:
        left = window.files.last()
    except ScenarioError as damaged:
        told = str(damaged)
    if left is not None:
        told = _told_of(left, aside=saved is not None)
    window.begin(saved or left, document_of(file) if saved is not None and file is not None else None)
    if told:
        recovered = left is not None and saved is None
        window.session.shown.connect(partial(_tell, window, told, recovered), Qt.ConnectionType.SingleShotConnection)
    if file is not None and saved is None:
        window.files.open(file)
    elif file is not None:
        window.files.remember(file)
    elif not (told or window.settings.toured):
        window.guides.take_tour()


def _told_of(left: SavedSession, aside: bool) -> str:
    """What became of a session that was not closed; aside: it is not the one that is shown."""
    why = (
        tr("Rocks of an ensemble are not saved yet")
        if left.look.unfinished
        else tr("The program ended without being closed")
    )
    if aside:
        return tr("{why}; that session is among the recent files (Ctrl+Shift+O).").format(why=why)
    return tr("{why}; this is the session as it was.").format(why=why)


def _tell(window: MainWindow, told: str, recovered: bool, _: str) -> None:
    """Say what became of a session that was not closed; one that is shown is saved nowhere."""
    if recovered:
        window.files.note_recovered()
    window.message.say(told)


def settle(window: MainWindow) -> QTimer:
    """Let workers disturb the window as little as they can.

    Cyclic garbage is collected in this thread only, as Qt and VTK objects must not die in a worker; and where a worker
    is in Python between two kernels, this thread gets its turn after a millisecond, not after five, several times a
    picture. Returns the timer that collects.
    """
    gc.disable()
    sys.setswitchinterval(0.001)
    timer = QTimer(interval=5000)
    collect = partial(_collect, window, timer)  # 4 to 9 ms: between two frames
    timer.timeout.connect(lambda: window.workspace.tasks.add(collect))
    timer.start()
    return timer


def _collect(window: MainWindow, timer: QTimer) -> None:
    if window.staged:
        if not timer.property("frozen"):
            timer.setProperty("frozen", True)
            gc.freeze()  # what the start has made stays: to look at it would take 0.1 s each time
        gc.collect()
