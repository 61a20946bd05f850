"""Open the window: what ``polhode [FILE]`` calls."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.opening import saved_for
from app.saved import Saved
from app.settings import load_settings
from app.window.looks import resolve
from app.window.mainwindow import MainWindow
from app.window.theme import application_icon


def open_window(argv_file: str | Path | None) -> int:
    """Open the window on a file, or on the scenario that the program begins with; the exit status.

    Raises ScenarioError for a file that cannot be opened.
    """
    saved = None if argv_file is None else saved_for(argv_file)
    if os.environ.get("WAYLAND_DISPLAY") and os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "xcb")  # VTK draws through X as well
    app = QApplication(sys.argv[:1])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: QTimer.singleShot(0, app.closeAllWindows))  # not amid whatever runs now
    app.setApplicationName("polhode")
    app.setApplicationDisplayName("Polhode")
    app.setWindowIcon(application_icon())
    settings = load_settings()
    window = MainWindow(resolve(settings.theme), settings)
    area = app.primaryScreen().availableSize()
    window.resize(min(1600, int(area.width() * 0.9)), min(1000, int(area.height() * 0.9)))
    window.restoreGeometry(QByteArray.fromBase64(settings.geometry.encode()))
    window.show()
    QTimer.singleShot(0, lambda: _begin(window, saved, argv_file))
    collector = _collect_here()
    status = app.exec()
    collector.stop()
    window.deleteLater()
    app.processEvents()
    return status


def _begin(window: MainWindow, saved: Saved | None, file: str | Path | None) -> None:
    """Open what was asked for, or what a crash left behind; the first time, take the tour."""
    left = window.files.last()
    window.begin(saved or left)
    if file is not None:
        window.files.remember(file)
    elif left is not None:
        told = "The program ended without being closed; this is the session as it was."
        window.session.shown.connect(lambda _: window.message.say(told), Qt.ConnectionType.SingleShotConnection)
    elif not window.settings.toured:
        window.guides.take_tour()


def _collect_here() -> QTimer:
    """Collect Python's cyclic garbage in this thread only: Qt and VTK objects must not die in a worker."""
    gc.disable()
    QTimer.singleShot(4000, gc.freeze)  # what the start has made stays; looking at it would take 0.1 s each time
    timer = QTimer(interval=5000)
    timer.timeout.connect(lambda: gc.collect())
    timer.start()
    return timer
