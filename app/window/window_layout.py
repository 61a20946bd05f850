"""The arrangement: where the parts of the main window are, and how it becomes as it was at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QSplitter, QVBoxLayout, QWidget

from app.window.actions import fill_menus
from app.window.exports.status_note import ExportNote
from app.window.transport import tool_bar

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

USUAL = {"plots": True, "ensemble": False, "overlay": False}  # switches of what is shown


class WindowLayout(QObject):
    """Menus and tools above; panel, message, view, plots and ensemble in the middle; transport and status below."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.menus = QMenuBar()
        self.menus.setStyleSheet("QMenuBar { background: transparent; border: none; padding: 0; }")  # as the bar around
        window.cameras.list_in(fill_menus(self.menus, window.actions_by_id)["View"])
        window.addToolBar(tool_bar(self.menus, window.actions_by_id))
        self._split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._split.addWidget(window.view)
        self._split.addWidget(window.plots)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(0, 1)
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(window.message)
        middle.addWidget(self._split, 1)
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(window.panel)
        upper.addLayout(middle, 1)
        upper.addWidget(window.ensembles.panel)
        window.statusBar().addWidget(window.status, 1)
        note = ExportNote(window.exports)
        note.clicked.connect(window.files.export)
        window.statusBar().addPermanentWidget(window.files.unkept)
        window.statusBar().addPermanentWidget(note)
        window.statusBar().setSizeGripEnabled(False)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(window.transport)
        window.setCentralWidget(body)

    def divide(self) -> None:
        """Share the height between view and plots."""
        high = self.window.height() - 120
        self._split.setSizes([int(0.73 * high), int(0.27 * high)])

    def show_plots(self, on: bool) -> None:
        """Show or hide the plots."""
        self.window.plots.setVisible(on)

    def make_usual(self) -> None:
        """Panels, plots and what is drawn as at the first start."""
        for name, on in USUAL.items():
            self.window.actions_by_id[name].setChecked(on)
        self.divide()
        self.window.view.overlays, self.window.plots.titles = {}, {}
        self.window.draw_anew()
