"""Rows of the panel: what all of them can do. Each shows one field, and what is wrong with its value."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.kinds.field import Field
from app.system.language import tr
from app.window.labels import Plain
from app.window.widgets import Explanation

ROOM = 280  # [pixels] of a row in the panel


class Row(QWidget):
    """The row of a field.

    Signals
    -------
    edited : the value was changed by the user
    drawn : the user wants to draw it on the terrain
    """

    edited, drawn = Signal(), Signal()

    def __init__(self, field: Field) -> None:
        super().__init__(toolTip=tr(field.tip))
        self.field, self.label = field, tr(field.label)
        self.error = Explanation()

    def fill(self, value: Any) -> None:
        """Show a value; None leaves it empty."""
        raise NotImplementedError

    def value(self) -> Any:
        """What is chosen or typed, None when all is empty; ScenarioError when it cannot be read."""
        raise NotImplementedError

    def at(self, place: str) -> list[QLineEdit]:
        """The lines in which a part of the value stands that an error names by its key or number; "": all."""
        return []

    def set_degrees(self, on: bool) -> None:
        """Show angles in degrees, or in radians; what is typed keeps its meaning."""

    def hint(self, value: Any) -> None:
        """Show, dimmed, what empty lines stand for."""

    def take_focus(self) -> None:
        """Take the keyboard, to change the value."""
        control = self.focusProxy()
        if control is not None:
            control.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if isinstance(control, QLineEdit):
                control.selectAll()

    def explain(self, message: str, place: str = "") -> None:
        """Say what is wrong with the value, or with a part of it; "" when nothing is."""
        self.error.say(message)
        wrong = self.at(place) if message else []
        for line in self.at(""):
            if line.property("error") != (line in wrong):
                line.setProperty("error", line in wrong)
                line.style().unpolish(line)
                line.style().polish(line)


def named(text: str, unit: Plain, buddy: QWidget) -> QHBoxLayout:
    """The name of a value beside its unit; buddy: the control that is named."""
    unit.setWordWrap(False)
    row = QHBoxLayout()
    row.setSpacing(6)
    row.addWidget(Plain(text, buddy=buddy))
    row.addWidget(unit)
    row.addStretch(1)
    return row
