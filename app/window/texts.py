"""Rows of the panel whose value is a text: a file, or corners on the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.window.field import Field
from physics import ScenarioError

CORNERS = "expected corners such as 10, 20; 30, 25"


class Text(QWidget):
    """The row of a field that is a text."""

    edited = Signal()

    def __init__(self, field: Field, value: Any) -> None:
        super().__init__(toolTip=field.tip)
        self.field = field
        self.line = QLineEdit(accessibleName=field.label)
        self.line.setAcceptDrops(False)  # a file dropped here is meant for the window
        self.error = QLabel(wordWrap=True, visible=False)
        self.error.setProperty("role", "error")
        self.unit = QLabel(field.unit)
        self.unit.setProperty("role", "dim")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.addWidget(QLabel(field.label, buddy=self.line), 0, 0)
        grid.addWidget(self.unit, 0, 1)
        grid.setColumnStretch(2, 1)
        grid.addWidget(self.line, 1, 0, 1, -1)
        grid.addWidget(self.error, 2, 0, 1, -1)
        self._arrange(grid)
        self.fill(value)
        self.line.textEdited.connect(self.edited)
        self.line.returnPressed.connect(self.line.clearFocus)

    def _arrange(self, grid: QGridLayout) -> None:
        """Room for more."""

    def fill(self, value: Any) -> None:
        """Show a value; None leaves the line empty."""
        self.line.setText(value or "")
        self.line.setCursorPosition(0)

    def value(self) -> Any:
        """The text, or None when there is none."""
        return self.line.text().strip() or None

    def explain(self, message: str) -> None:
        """Say what is wrong with the value; "" when nothing is."""
        self.error.setText(message[:1].upper() + message[1:])
        self.error.setVisible(bool(message))
        if self.line.property("error") != bool(message):
            self.line.setProperty("error", bool(message))
            self.line.style().unpolish(self.line)
            self.line.style().polish(self.line)


class FileRow(Text):
    """The row of a field that names a file, with a button that asks for one."""

    def _arrange(self, grid: QGridLayout) -> None:
        choose = QPushButton("Choose…", accessibleName=f"Choose {self.field.label.lower()}", autoDefault=False)
        choose.clicked.connect(self._choose)
        grid.addWidget(choose, 0, 3)

    def _choose(self) -> None:
        kinds = f"{self.field.label} ({' '.join(f'*{ending}' for ending in self.field.endings)})"
        name, _ = QFileDialog.getOpenFileName(self, self.field.label, str(Path(self.line.text()).parent), kinds)
        if name:
            self.fill(name)
            self.edited.emit()


class Corners(Text):
    """The row of a field that is a list of places x, y on the map."""

    def fill(self, value: Any) -> None:
        """Show places ((x, y), ...)."""
        super().fill("; ".join(f"{x:.10g}, {y:.10g}" for x, y in value or ()))

    def value(self) -> Any:
        """The places, or None when there are none; ScenarioError when they cannot be read."""
        text = super().value()
        if text is None:
            return None
        try:
            places = tuple(tuple(map(float, part.replace(",", " ").split())) for part in text.strip("; ").split(";"))
        except ValueError:
            raise ScenarioError(self.field.key, CORNERS) from None
        if any(len(place) != 2 for place in places):
            raise ScenarioError(self.field.key, CORNERS)
        return places
