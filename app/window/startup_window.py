"""The startup window: the program's top-level window, there before what computes and draws is loaded."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEventLoop
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from app.document.settings import Settings
from app.system.language import tr
from app.window.qt_opengl import make_ready
from app.window.style import apply
from app.window.system_theme import resolve
from app.window.waiting_page import WaitingPage

if TYPE_CHECKING:
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
