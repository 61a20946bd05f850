"""The front: the program's top-level window, there before what computes and draws is loaded."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEventLoop, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QProgressBar, QVBoxLayout, QWidget

from app.settings import Settings
from app.window.looks import resolve
from app.window.theme import apply

if TYPE_CHECKING:
    from app.window.mainwindow import MainWindow

SOON = 0.5  # [s] in which a display server shows a window


class Front(QMainWindow):
    """An empty window at first; ``furnish`` puts the main window into it, which takes a second to load."""

    def __init__(self, app: QApplication, settings: Settings) -> None:
        super().__init__()
        self.settings, self.theme = settings, resolve(settings.theme)
        self.desk: MainWindow | None = None
        apply(app, self.theme)
        self.setWindowTitle("Polhode")
        self.setCentralWidget(waiting("Loading…"))
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
        from app.window.mainwindow import MainWindow

        self.desk = MainWindow(self.theme, self.settings)
        self.desk.windowTitleChanged.connect(self.setWindowTitle)
        self.desk.resize(self.size())
        self.setCentralWidget(self.desk)
        return self.desk

    def closeEvent(self, event: QCloseEvent) -> None:
        """End everything that runs."""
        self.settings.geometry = self.saveGeometry().toBase64().toStdString()
        self.hide()  # at once; a worker that compiles may take seconds to end
        if self.desk is not None:
            self.desk.close()
        super().closeEvent(event)


def waiting(text: str) -> QWidget:
    """A page that says what is being prepared."""
    page = QWidget()
    label = QLabel(text, alignment=Qt.AlignmentFlag.AlignCenter)
    label.setProperty("role", "dim")
    busy = QProgressBar(textVisible=False, maximum=0, accessibleName="Preparing")
    busy.setFixedWidth(220)
    column = QVBoxLayout(page)
    column.addStretch(1)
    column.addWidget(label)
    column.addWidget(busy, alignment=Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(1)
    return page
