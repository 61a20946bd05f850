"""Open the window: what ``polhode [FILE]`` calls."""

from __future__ import annotations

import gc
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.document.settings import load_settings
from app.system import error_log, scratch_folders, signals
from app.system.malloc import keep_little
from app.window.startup_window import StartupWindow
from app.window.style import application_icon

if TYPE_CHECKING:
    from app.document.session import SavedSession
    from app.window.main_window import MainWindow

CRASH, ROCKS = "The program ended without being closed; ", "Rocks of an ensemble are not saved yet; "
LEFT = "this is the session as it was."
ASIDE = "that session is among the recent files (Ctrl+Shift+O)."


def open_window(file: str | Path | None = None, saved: SavedSession | None = None, view: str | None = None) -> int:
    """Open the window on the session in a file, or on the scenario that the program begins with; the exit status.

    A file without a session is opened in the window, which asks how a measured motion is read.
    view : "interactor" or "picture", see app.window.view.view_choice; None: chosen
    """
    if os.environ.get("WAYLAND_DISPLAY") and os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "xcb")  # VTK draws through X as well
    keep_little()
    app = QApplication(sys.argv[:1])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: QTimer.singleShot(0, app.closeAllWindows))  # not amid whatever runs now
    signals.check()
    error_log.listen()
    app.setApplicationName("polhode")
    app.setApplicationDisplayName("Polhode")
    app.setWindowIcon(application_icon())
    front = StartupWindow(app, load_settings(), view)
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


def _begin(window: MainWindow, saved: SavedSession | None, file: str | Path | None) -> None:
    """Open what was asked for, or what a crash left behind; the first time, take the tour."""
    from physics import ScenarioError  # here: the window appears before physics is loaded

    if not window.isVisible():  # closed meanwhile: what began now would never be ended
        return
    scratch_folders.tidy()
    left, told = None, ""
    try:
        left = window.files.last()
    except ScenarioError as damaged:
        told = str(damaged)
    if left is not None:
        told = ROCKS if left.look.unfinished else CRASH
        told += LEFT if saved is None else ASIDE
    window.begin(saved or left)
    if told:
        recovered = left is not None and saved is None
        window.session.shown.connect(partial(_tell, window, told, recovered), Qt.ConnectionType.SingleShotConnection)
    if file is not None and saved is None:
        window.files.open(file)
    elif file is not None:
        window.files.remember(file)
    elif not (told or window.settings.toured):
        window.guides.take_tour()


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
    timer.timeout.connect(partial(_collect, window, timer))
    timer.start()
    return timer


def _collect(window: MainWindow, timer: QTimer) -> None:
    if window.staged:
        if not timer.property("frozen"):
            timer.setProperty("frozen", True)
            gc.freeze()  # what the start has made stays: to look at it would take 0.1 s each time
        gc.collect()
