"""Rows of the panel: a label, a unit, one to four values, and room to explain what is wrong with them."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.window.field import Field
from app.window.texts import Corners, FileRow, Text
from physics import ScenarioError


class Number(QLineEdit):
    """A field for one number; the arrows up and down change its second digit, Return hands the keyboard back."""

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name, alignment=Qt.AlignmentFlag.AlignRight)
        self.setAcceptDrops(False)  # a file dropped here is meant for the window
        self.setMinimumWidth(48)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nudge, finish, or type."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._nudge(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.clearFocus()

    def _nudge(self, by: int) -> None:
        try:
            value = float(self.text())
        except ValueError:
            return
        size = 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.1
        size = max(1.0, size) if value == int(value) and abs(value) >= 1 else size
        self.setText(f"{round(value + by * size, 12):.10g}")
        self.textEdited.emit(self.text())


def _short(value: float | None) -> str:
    """A number as the panel shows it: all its digits where they fit, else five."""
    if value is None:
        return ""
    text = f"{value:.10g}"
    return text if len(text) < 10 else f"{value:.5g}"


_WORDS = {
    "": "None",
    "eota": "EOTA block",
    "inertia": "Moments only",
    "random": "Random rock",
    "hull": "Hull of points",
    "position": "Point",
    "slope_above": "Steep cells",
}


def entry_for(field: Field, value: Any, degrees: bool, space: QObject) -> Row:
    """The row of a field: words to choose from, a text, or numbers."""
    if field.endings or field.corners:
        return (FileRow if field.endings else Corners)(field, value)
    return Choice(field, value, space) if field.choices else Entry(field, value, degrees)


class Choice(QWidget):
    """The row of a field that is one of some words."""

    edited = Signal()

    def __init__(self, field: Field, value: Any, space: QObject) -> None:
        super().__init__(toolTip=field.tip)
        self.field = field
        self.box = QComboBox(accessibleName=field.label, focusPolicy=Qt.FocusPolicy.TabFocus)
        for word in field.choices:
            self.box.addItem(_WORDS.get(word, word.replace("-", " ").capitalize()), word)
        self.box.installEventFilter(space)
        self.error = QLabel(wordWrap=True, visible=False)
        self.error.setProperty("role", "error")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(QLabel(field.label, buddy=self.box), 0, 0)
        grid.addWidget(self.box, 0, 1)
        grid.addWidget(self.error, 1, 0, 1, -1)
        self.fill(value)
        self.box.activated.connect(lambda _: self.edited.emit())

    def fill(self, value: Any) -> None:
        """Show a value; the first word where it is none of them."""
        self.box.setCurrentIndex(max(0, self.box.findData(value or "")))

    def value(self) -> Any:
        """The word that is chosen, or None."""
        return self.box.currentData() or None

    def take_focus(self) -> None:
        """Take the keyboard."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def explain(self, message: str) -> None:
        """Say what is wrong with the choice; "" when nothing is."""
        self.error.setText(message[:1].upper() + message[1:])
        self.error.setVisible(bool(message))


class Entry(QWidget):
    """The row of a field in the panel."""

    edited = Signal()

    def __init__(self, field: Field, value: Any, degrees: bool = False) -> None:
        super().__init__(toolTip=field.tip)
        self.field = field
        self._factor = math.degrees(1.0) if degrees and field.angular else 1.0
        names = [f"{field.label} {part}" for part in field.parts] or [field.label]
        self.numbers = [Number(f"{name} in {self._unit}" if field.unit else name) for name in names]
        self.error = QLabel(wordWrap=True, visible=False)
        self.error.setProperty("role", "error")
        self._arrange()
        self.fill(value)
        for number in self.numbers:
            number.textEdited.connect(self.edited)

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        self.unit = QLabel(self._unit)
        self.unit.setProperty("role", "dim")
        label = QLabel(self.field.label, buddy=self.numbers[0])
        name = QHBoxLayout()
        name.setSpacing(6)
        name.addWidget(label)
        name.addWidget(self.unit)
        name.addStretch(1)
        grid.addLayout(name, 0, 0, 1, max(1, len(self.numbers)))
        if self.field.parts:
            label.setText(f"{self.field.label}  {', '.join(self.field.parts)}")
            for i, number in enumerate(self.numbers):
                grid.addWidget(number, 1, i)
        else:
            self.numbers[0].setFixedWidth(96)
            grid.addWidget(self.numbers[0], 0, 1)
        grid.addWidget(self.error, 2, 0, 1, -1)

    @property
    def _unit(self) -> str:
        return self.field.unit.replace("rad", "°") if self._factor != 1.0 else self.field.unit

    def set_degrees(self, on: bool) -> None:
        """Show angles in degrees, or in radians; what is typed keeps its meaning."""
        if self.field.angular:
            try:
                value = self.value()
            except ScenarioError:
                value = self._given if self.field.parts else self._given[0]
            self._factor = math.degrees(1.0) if on else 1.0
            self.unit.setText(self._unit)
            for number in self.numbers:
                number.setAccessibleName(number.accessibleName().rsplit(" in ", 1)[0] + f" in {self._unit}")
            self.fill(value)

    def fill(self, value: Any) -> None:
        """Show a value; None leaves the fields empty."""
        self._given = value if isinstance(value, tuple) else (value,) * len(self.numbers)
        for number, one in zip(self.numbers, self._given, strict=True):
            number.setText(self._shown(one))

    def _shown(self, value: float | None) -> str:
        return _short(value if value is None or self._factor == 1.0 else value * self._factor)

    def hint(self, values: tuple[float, ...]) -> None:
        """Show, dimmed, what empty fields stand for."""
        for number, value in zip(self.numbers, values, strict=True):
            number.setPlaceholderText(f"{value:.1f}" if abs(value) >= 1000 else f"{value:.4g}")

    def value(self) -> Any:
        """The number or tuple that is typed, None when all is empty; ScenarioError when it is no number."""
        texts = [number.text().strip() for number in self.numbers]
        if self.field.optional and not any(texts):
            return None
        # a text that nobody touched stands for all digits of its number
        values = tuple(
            given if text == self._shown(given) != "" else self._parse(text)
            for text, given in zip(texts, self._given, strict=True)
        )
        return values if self.field.parts else values[0]

    def _parse(self, text: str) -> float | int:
        try:
            return int(text) if self.field.whole else float(text) / self._factor
        except ValueError:
            kind = "a whole number" if self.field.whole else "a number"
            raise ScenarioError(
                self.field.key, f"expected {kind}, got {text!r}" if text else f"expected {kind}"
            ) from None

    def take_focus(self) -> None:
        """Take the keyboard, to type another value."""
        self.numbers[0].setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.numbers[0].selectAll()

    def explain(self, message: str) -> None:
        """Say what is wrong with the value; "" when nothing is."""
        self.error.setText(message[:1].upper() + message[1:])
        self.error.setVisible(bool(message))
        for number in self.numbers:
            if number.property("error") != bool(message):
                number.setProperty("error", bool(message))
                number.style().unpolish(number)
                number.style().polish(number)


Row = Entry | Choice | Text
