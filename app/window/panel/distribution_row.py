"""The row of the panel for a distribution: its kind, and the numbers that this kind has."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.kinds.field import Field
from app.system.language import tr
from app.window.labels import Plain, with_unit
from app.window.panel.number_rows import Number, parsed, short, words_for
from app.window.panel.row import Row, named
from app.window.widgets import across, dim, drop_down

NUMBERS = {  # kind -> its numbers; a lognormal one need not be cut
    "lognormal": ("median", "sigma", "min", "max"),
    "uniform": ("min", "max"),
    "power": ("exponent", "min", "max"),
}
WITHOUT_UNIT = ("sigma", "exponent")
TIPS = {
    "median": "Half of the rocks are below it, before the distribution is cut; above 0",
    "sigma": "Standard deviation of the natural logarithm; above 0, at most 5",
    "exponent": "The share of rocks above v falls as v to the power minus this; above 0, at most 50; for volumes "
    "in rockfall inventories about 0.4 to 0.7 (Dussauge et al. 2003)",
    "min": "None is below it; above 0",
    "max": "None is above it; more than min",
}


class Distribution(Row):
    """Shows one kind at a time; its value is the scenario's table."""

    def __init__(self, field: Field, value: Any, space: QObject) -> None:
        super().__init__(field)
        self.kind = drop_down(tr("Distribution: {field}").format(field=self.label), space)
        words_for(self.kind, tuple(NUMBERS))
        self.setFocusProxy(self.kind)
        self.numbers = {name: Number(self._spoken(name)) for name in TIPS}
        self._given: dict[str, Any] = {}
        row = QHBoxLayout()
        row.setSpacing(6)
        self._parts = {name: self._part(name, number) for name, number in self.numbers.items()}
        for part in self._parts.values():
            row.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(across(named(self.label, dim(field.unit), self.kind), self.kind))
        column.addLayout(row)
        column.addWidget(self.error)
        self.fill(value)
        self.kind.activated.connect(self._chose)

    def _part(self, name: str, number: Number) -> QWidget:
        """One number under its name."""
        part = QWidget(toolTip=tr(TIPS[name]))
        number.textEdited.connect(self.edited)
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(Plain(tr(name.capitalize()), buddy=number))
        column.addWidget(number)
        return part

    def _chose(self) -> None:
        self._reveal()
        self.edited.emit()

    def _reveal(self) -> None:
        for name, part in self._parts.items():
            part.setVisible(name in NUMBERS[self.kind.currentData()])

    def fill(self, value: Any) -> None:
        """Show the table of a distribution; None: an empty one."""
        self._given = value or {}
        self.kind.setCurrentIndex(max(0, self.kind.findData(self._given.get("distribution"))))
        for name, number in self.numbers.items():
            number.setText(short(self._given.get(name)))
        self._reveal()

    def value(self) -> Any:
        """The table, None when nothing of it is typed; ScenarioError when a number cannot be read."""
        kind = self.kind.currentData()
        texts = {name: self.numbers[name].text().strip() for name in NUMBERS[kind]}
        if not any(texts.values()):
            return None
        found: dict[str, Any] = {"distribution": kind}
        for name, text in texts.items():
            given = self._given.get(name)
            if text:
                key = f"{self.field.key}.{name}"
                found[name] = given if text == short(given) else parsed(text, key)
        return found

    def at(self, place: str) -> list[QLineEdit]:
        """All numbers, or the one of a name."""
        return [self.numbers[place]] if place in self.numbers else list(self.numbers.values())

    def explain(self, message: str, place: str = "") -> None:
        """Say what is wrong, and with which number."""
        super().explain(f"{place}: {message}" if message and place in self.numbers else message, place)

    def _spoken(self, name: str) -> str:
        unit = "" if name in WITHOUT_UNIT else self.field.unit
        return with_unit(f"{self.label}, {tr(name.capitalize()).lower()}", unit)
