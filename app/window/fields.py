"""Fields for numbers: a label, a unit, one to three values, and room to explain what is wrong with them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from physics import Scenario, ScenarioError


@dataclass(frozen=True)
class Field:
    """A value of a scenario that the panel lets one edit.

    Attributes
    ----------
    key : dotted name in the scenario (``"body.mass"``), also the field that errors name
    label, unit : for people
    parts : names of the components of a vector, () for a single value
    tip : one sentence
    whole : whether only whole numbers are meant
    optional : whether it may be left empty
    """

    key: str
    label: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    tip: str = ""
    whole: bool = False
    optional: bool = False

    def of(self, scenario: Scenario) -> Any:
        """The value that a scenario holds: a number, a tuple, or None."""
        value: Any = scenario
        for name in self.key.split("."):
            value = getattr(value, name)
        return value


_SIZE = Field("body.size", "Size", "m", ("x", "y", "z"), "Extents along the axes of the body")
_MASS = Field("body.mass", "Mass", "kg")
_DENSITY = Field("body.density", "Density", "kg/m³")
_OMEGA = Field("initial.angular_velocity", "Angular velocity", "rad/s", ("x", "y", "z"), "In the body's axes")
STEP = (
    Field("step", "Step", "s", tip="Time step of every scheme"),
    Field("duration", "Duration", "s", tip="Simulated time at most"),
)
CARDS: dict[str, dict[str, tuple[Field, ...]]] = {
    "free": {
        "Body": (_SIZE, _MASS, _DENSITY),
        "Start": (_OMEGA,),
    },
    "top": {
        "Top": (
            Field("body.height", "Height", "m"),
            Field("body.radius", "Radius", "m"),
            _MASS,
            _DENSITY,
        ),
        "Start": (
            Field("initial.nutation", "Nutation", "rad", tip="Angle of the axis from the vertical"),
            Field("initial.precession", "Precession", "rad/s", tip="Rate of the axis about the vertical"),
        ),
    },
    "vessel": {
        "Ship": (
            Field("vessel.metacentric_height.transverse", "GM transverse", "m", tip="Transverse metacentric height"),
            Field(
                "vessel.metacentric_height.longitudinal", "GM longitudinal", "m", tip="Longitudinal metacentric height"
            ),
            Field("vessel.damping", "Damping", "N m s", ("roll", "pitch", "yaw"), "D4, D5, D6"),
        ),
        "Start": (_OMEGA,),
    },
    "rockfall": {
        "Rock": (
            _SIZE,
            _MASS,
            _DENSITY,
            Field(
                "ensemble.seed",
                "Orientation seed",
                "",
                (),
                "Another whole number, another orientation",
                whole=True,
            ),
        ),
        "Release": (
            Field(
                "release.position",
                "Position",
                "m",
                ("x", "y"),
                "Empty: a steep, high cell of the map",
                optional=True,
            ),
            Field("release.height", "Height", "m", (), "Of the centre of mass above the ground"),
        ),
        "Ground": (
            Field("soil.mu_min", "Friction μ min", "", (), "Friction coefficient of a fresh contact"),
            Field("soil.mu_max", "Friction μ max", "", (), "Friction coefficient after long slip"),
            Field("soil.kappa", "Growth κ", "1/m", (), "How fast friction grows with slip"),
            Field("soil.beta", "Decay β", "1/s", (), "How fast slip is forgotten in flight"),
            Field("soil.restitution", "Restitution", "", (), "0: impacts do not bounce"),
            Field("soil.drag", "Ground drag", "1/s", (), "Viscous drag over mass while in contact"),
        ),
    },
}


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


class Entry(QWidget):
    """The row of a field in the panel."""

    edited = Signal()

    def __init__(self, field: Field, value: Any) -> None:
        super().__init__(toolTip=field.tip)
        self.field = field
        names = [f"{field.label} {part}" for part in field.parts] or [field.label]
        self.numbers = [Number(f"{name} in {field.unit}" if field.unit else name) for name in names]
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
        unit = QLabel(self.field.unit)
        unit.setProperty("role", "dim")
        label = QLabel(self.field.label, buddy=self.numbers[0])
        name = QHBoxLayout()
        name.setSpacing(6)
        name.addWidget(label)
        name.addWidget(unit)
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

    def fill(self, value: Any) -> None:
        """Show a value; None leaves the fields empty."""
        self._given = value if isinstance(value, tuple) else (value,) * len(self.numbers)
        for number, one in zip(self.numbers, self._given, strict=True):
            number.setText(_short(one))

    def hint(self, values: tuple[float, ...]) -> None:
        """Show, dimmed, what empty fields stand for."""
        for number, value in zip(self.numbers, values, strict=True):
            number.setPlaceholderText(f"{value:.1f}")

    def value(self) -> Any:
        """The number or tuple that is typed, None when all is empty; ScenarioError when it is no number."""
        texts = [number.text().strip() for number in self.numbers]
        if self.field.optional and not any(texts):
            return None
        # a text that nobody touched stands for all digits of its number
        values = tuple(
            given if text == _short(given) != "" else self._parse(text)
            for text, given in zip(texts, self._given, strict=True)
        )
        return values if self.field.parts else values[0]

    def _parse(self, text: str) -> float | int:
        try:
            return int(text) if self.field.whole else float(text)
        except ValueError:
            kind = "a whole number" if self.field.whole else "a number"
            raise ScenarioError(
                self.field.key, f"expected {kind}, got {text!r}" if text else f"expected {kind}"
            ) from None

    def explain(self, message: str) -> None:
        """Say what is wrong with the value; "" when nothing is."""
        self.error.setText(message[:1].upper() + message[1:])
        self.error.setVisible(bool(message))
        for number in self.numbers:
            if number.property("error") != bool(message):
                number.setProperty("error", bool(message))
                number.style().unpolish(number)
                number.style().polish(number)
