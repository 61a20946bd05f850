"""Rows of the panel for barriers and distributions."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.kinds.field import Field
from app.kinds.rockfall import ZONES
from app.system.language import tr
from app.window.labels import Plain, sentence, with_unit
from app.window.panel.rows import Number, Row, draw_button, line_for, named, parsed, places, short, words_for, written
from app.window.widgets import across, dim, drop_down, make
from physics import ScenarioError

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


class Fence(QWidget):
    """The lines of one barrier."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.given: dict[str, Any] = {}
        name = tr("barrier {number}").format(number=number)
        self.name = line_for(tr("Name of {barrier}").format(barrier=name))
        self.line = line_for(tr("Line of {barrier}").format(barrier=name))
        self.height_line = Number("")
        self.name.setPlaceholderText(sentence(name))
        self.line.setPlaceholderText(tr("x, y; x, y; … or a file of lines"))
        self.height_line.setAccessibleName(with_unit(tr("Height of {barrier}").format(barrier=name), "m"))
        self.height_line.setFixedWidth(64)
        self.height_line.setToolTip(tr("Plumb above the ground; above 0; rocks that cross lower count as stopped"))
        self.line.setToolTip(
            tr(
                "Corners on the map: x, y; x, y; … At least two. Or a file of lines (.geojson), each a barrier "
                "of its own"
            )
        )
        self.gone = make(
            QPushButton,
            "×",
            accessibleName=tr("Remove {barrier}").format(barrier=name),
            toolTip=tr("Remove this barrier"),
            autoDefault=False,
        )
        self.gone.setProperty("role", "small")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        unit = dim("m")
        unit.setWordWrap(False)
        column.addLayout(
            across(self.name, Plain(tr("Height"), buddy=self.height_line), unit, self.height_line, self.gone)
        )
        column.addWidget(self.line)

    def fill(self, barrier: dict[str, Any]) -> None:
        """Show a barrier."""
        self.given = barrier
        self.name.setText(barrier.get("name", ""))
        self.name.setCursorPosition(0)
        self.line.setText(barrier.get("file") or written(barrier.get("line")))
        self.line.setCursorPosition(0)
        self.height_line.setText(short(barrier.get("height")))

    def value(self, key: str) -> dict[str, Any]:
        """The barrier; ScenarioError, whose field begins with ``key``, when it cannot be read."""
        line, height, given = self.line.text().strip(), self.height_line.text().strip(), self.given.get("height")
        found: dict[str, Any] = {"file": line} if line.lower().endswith(ZONES) else {"line": self._corners(line, key)}
        if height or "line" in found:  # lines of a file may have their own
            found["height"] = given if height == short(given) != "" else parsed(height, f"{key}.height")
        name = self.name.text().strip()
        return found | ({"name": name} if name else {})

    def _corners(self, text: str, key: str) -> Any:
        """The corners of the line; those that were given where nobody has touched them."""
        corners = self.given.get("line") if text == written(self.given.get("line")) else None
        corners = corners or places(text, f"{key}.line", 2)
        if corners is None:
            raise ScenarioError(f"{key}.line", tr("expected corners such as 10, 20; 30, 25, or a file of lines"))
        return corners

    @property
    def lines(self) -> dict[str, QLineEdit]:
        """Field named in errors -> the line that contains it."""
        return {"line": self.line, "file": self.line, "height": self.height_line, "name": self.name}


class Barriers(Row):
    """All barriers; its value is the scenario's list of tables."""

    def __init__(self, field: Field, value: Any, space: QObject) -> None:
        super().__init__(field)
        self.fences: list[Fence] = []
        self._space = space
        self.add_button = make(QPushButton, tr("Add"), accessibleName=tr("Add a barrier"), autoDefault=False)
        self.add_button.clicked.connect(self.add)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(dim(self.label))
        self._column.addWidget(self.error)
        buttons = across(self.add_button, draw_button(self))
        buttons.setStretch(1, 1)
        self._column.addLayout(buttons)
        self.setFocusProxy(self.add_button)
        self.fill(value)

    def add(self) -> None:
        """Make room for one more barrier."""
        self._show([*(fence.given for fence in self.fences), {}], kept=len(self.fences))
        self.fences[-1].line.setFocus(Qt.FocusReason.OtherFocusReason)

    def fill(self, value: Any) -> None:
        """Show barriers; None: there are none."""
        self._show(list(value or ()))

    def _show(self, barriers: list[dict[str, Any]], kept: int = 0) -> None:
        """Show barriers; in the first ``kept`` rows what is typed stays."""
        while len(self.fences) > len(barriers):
            self.fences.pop().deleteLater()
        while len(self.fences) < len(barriers):
            self._append()
        for fence, barrier in list(zip(self.fences, barriers, strict=True))[kept:]:
            fence.fill(barrier)

    def _append(self) -> None:
        fence = Fence(len(self.fences) + 1)
        for line in (fence.name, fence.line, fence.height_line):
            line.textEdited.connect(self.edited)
        fence.gone.installEventFilter(self._space)
        fence.gone.clicked.connect(lambda: self._remove(fence))
        self._column.insertWidget(1 + len(self.fences), fence)
        before: QWidget | None = self.fences[-1].gone if self.fences else None
        self.fences.append(fence)
        for control in (fence.name, fence.height_line, fence.gone, fence.line):
            if before is not None:
                QWidget.setTabOrder(before, control)
            before = control
        QWidget.setTabOrder(fence.line, self.add_button)

    def _remove(self, fence: Fence) -> None:
        at = self.fences.index(fence)
        self.fences.pop(at).deleteLater()
        fence.hide()
        self.edited.emit()

    def value(self) -> Any:
        """The barriers, None when there are none; ScenarioError when one cannot be read."""
        return tuple(fence.value(f"{self.field.key}.{i}") for i, fence in enumerate(self.fences)) or None

    def at(self, place: str) -> list[QLineEdit]:
        """All lines, or the one that ``number.key`` names."""
        number, _, key = place.partition(".")
        if number.isdigit() and int(number) < len(self.fences):
            lines = self.fences[int(number)].lines
            return [lines[key]] if key in lines else list(lines.values())
        return [line for fence in self.fences for line in fence.lines.values()]

    def explain(self, message: str, place: str = "") -> None:
        """Say what is wrong, and with which barrier."""
        number, _, key = place.partition(".")
        if message and number.isdigit():
            barrier = tr("barrier {number}").format(number=int(number) + 1)
            message = f"{', '.join(filter(None, (barrier, key)))}: {message}"
        super().explain(message, place)
