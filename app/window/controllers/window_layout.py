"""The layout of the window: where the parts of the window are, and how it becomes as it was at first."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QSplitter, QVBoxLayout, QWidget

from app.window.actions import fill_menus
from app.window.transport import Transport, tool_bar
from app.window.workspace import Workspace

USUAL = {"plots": True, "ensemble": False, "overlay": False}  # switches of what is shown


class WindowLayout(QObject):
    """Menus and tools above; panel, message, view, plots and ensemble in the middle; transport below.

    tools : the bar above, with the menus; body : all below it
    results : the panel of the ensemble; parent : the window
    """

    emptied = Signal()  # what the user switched in view and plots is forgotten: they are to be drawn anew

    def __init__(self, workspace: Workspace, transport: Transport, results: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.workspace, self._window = workspace, parent
        self.menus = QMenuBar()
        self.menus.setStyleSheet("QMenuBar { background: transparent; border: none; padding: 0; }")  # as the bar around
        self.menus_by_name = fill_menus(self.menus, workspace.actions)
        self.tools = tool_bar(self.menus, workspace.actions)
        self._split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._split.addWidget(workspace.view)
        self._split.addWidget(workspace.plots)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(0, 1)
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(workspace.message)
        middle.addWidget(self._split, 1)
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(workspace.panel)
        upper.addLayout(middle, 1)
        upper.addWidget(results)
        self.body = QWidget()
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(transport)

    def divide(self) -> None:
        """Share the height between view and plots."""
        high = self._window.height() - 120
        self._split.setSizes([int(0.73 * high), int(0.27 * high)])

    def show_plots(self, on: bool) -> None:
        """Show or hide the plots."""
        self.workspace.plots.setVisible(on)

    def make_usual(self) -> None:
        """Panels, plots and what is drawn as at the first start."""
        for name, on in USUAL.items():
            self.workspace.actions[name].setChecked(on)
        self.divide()
        self.workspace.view.overlays, self.workspace.plots.titles = {}, {}
        self.emptied.emit()
