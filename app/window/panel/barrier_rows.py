"""Rows of the panel for distributions, and for lists of tables: barriers, lines, zones of ground, classes of rocks."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.kinds.field import Field, field_of
from app.kinds.words import word_shown
from app.system.language import tr
from app.window.labels import Elided, Plain, sentence, with_unit
from app.window.panel.rows import NumberField, Row, draw_button, line_for, named, words_for
from app.window.panel.typed import parsed, places, short, written
from app.window.widgets import across, dim, drop_down, filled, make, push
from physics import ScenarioError
from physics.systems.rockfall.ground_config import ZONES
from physics.systems.rockfall.scenario import RockfallScenario
from physics.terrain.soil import PRESET_LAWS

WITHOUT_UNIT = ("sigma", "exponent")
_row = partial(field_of, RockfallScenario)
MEASURES = {key: _row(f"ensemble.volume.{key}") for key in ("median", "sigma", "exponent", "min", "max")}
NUMBERS = {  # kind -> its numbers; a lognormal one need not be cut
    kind: tuple(key for key, one in MEASURES.items() if one.only is None or kind in one.only[1])
    for kind in _row("ensemble.volume.distribution").choices
}


class Distribution(Row):
    """Shows one kind at a time; its value is the scenario's table."""

    def __init__(self, field: Field, value: Any, space: QObject) -> None:
        super().__init__(field)
        self.kind = drop_down(tr("Distribution: {field}").format(field=self.label), space)
        words_for(self.kind, tuple(NUMBERS))
        self.setFocusProxy(self.kind)
        self.numbers = {name: NumberField(self._spoken(name)) for name in MEASURES}
        self._given: dict[str, Any] = {}
        self._parts = {name: self._part(name, number) for name, number in self.numbers.items()}
        head = across(named(self.label, dim(field.unit), self.kind), self.kind)
        row = filled(QHBoxLayout(), *self._parts.values(), spacing=6)
        filled(QVBoxLayout(self), head, row, self.error, margins=(0, 0, 0, 0), spacing=3)
        self.fill(value)
        self.kind.activated.connect(self._chose)

    def _part(self, name: str, number: NumberField) -> QWidget:
        """One number under its name."""
        part = QWidget(toolTip=MEASURES[name].tip)
        number.textEdited.connect(self.edited)
        filled(
            QVBoxLayout(part), Plain(tr(MEASURES[name].label), buddy=number), number, margins=(0, 0, 0, 0), spacing=3
        )
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
        return with_unit(f"{self.label}, {tr(MEASURES[name].label).lower()}", unit)


class Item(QWidget):
    """One table of a list.

    Signals
    -------
    edited : a value was changed by the user
    lowered : it shall change its place with the next one
    """

    edited, lowered = Signal(), Signal()
    line: QLineEdit  # of its corners

    def __init__(self, name: str) -> None:
        super().__init__()
        self.given: dict[str, Any] = {}
        self.name_shown = name
        self.gone = self._small("×", tr("Remove {barrier}").format(barrier=name))
        self._column = filled(QVBoxLayout(self), margins=(0, 0, 0, 0), spacing=3)

    @property
    def lines(self) -> dict[str, QLineEdit]:
        """Field named in errors -> the line that contains it."""
        raise NotImplementedError

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """Widgets that the Tab key goes through, in this order."""
        raise NotImplementedError

    def fill(self, table: dict[str, Any]) -> None:
        """Show a table."""
        raise NotImplementedError

    def value(self, key: str) -> dict[str, Any]:
        """The table; ScenarioError, whose field begins with ``key``, when it cannot be read."""
        raise NotImplementedError

    def _small(self, sign: str, name: str) -> QPushButton:
        button = make(QPushButton, sign, accessibleName=name, autoDefault=False)
        button.setProperty("role", "small")
        return button

    def _corners(self, line: QLineEdit, key: str, least: int) -> Any:
        """The corners of a line, None if it is empty; those that were given if they were not edited."""
        given = self.given.get(key.rpartition(".")[2])
        return (given if line.text() == written(given) else None) or places(line.text(), key, least)


class Fence(Item):
    """The lines of one barrier."""

    def __init__(self, number: int) -> None:
        name = tr("barrier {number}").format(number=number)
        super().__init__(name)
        self.name = line_for(tr("Name of {barrier}").format(barrier=name))
        self.line = line_for(tr("Line of {barrier}").format(barrier=name))
        self.height_line = NumberField(with_unit(tr("Height of {barrier}").format(barrier=name), "m"))
        self.capacity = NumberField(with_unit(tr("Capacity of {barrier}").format(barrier=name), "kJ"))
        self.name.setPlaceholderText(sentence(name))
        self.line.setPlaceholderText(tr("x, y; x, y; … or a file of lines"))
        self.height_line.setFixedWidth(64)
        self.height_line.setToolTip(tr("Plumb above the ground; above 0; rocks that cross lower count as stopped"))
        self.capacity.setFixedWidth(64)
        self.capacity.setToolTip(
            tr("Kinetic energy that it stops; above 0; faster rocks lose as much and break it; empty: it only measures")
        )
        self.line.setToolTip(
            tr(
                "Corners on the map: x, y; x, y; … At least two. Or a file of lines (.geojson), each a barrier "
                "of its own"
            )
        )
        self.gone.setToolTip(tr("Remove this barrier"))
        unit, energy = dim("m"), dim("kJ")
        for word in (unit, energy):
            word.setWordWrap(False)
        self._column.addLayout(
            across(self.name, Plain(tr("Height"), buddy=self.height_line), unit, self.height_line, self.gone)
        )
        self._column.addLayout(across(self.line, Plain(tr("Capacity"), buddy=self.capacity), energy, self.capacity))
        for line in self.lines.values():
            line.textEdited.connect(self.edited)

    @property
    def lines(self) -> dict[str, QLineEdit]:
        capacity = {"capacity": self.capacity}
        return {"line": self.line, "file": self.line, "height": self.height_line, "name": self.name} | capacity

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return self.name, self.height_line, self.gone, self.line, self.capacity

    def fill(self, table: dict[str, Any]) -> None:
        """Show a barrier."""
        self.given = table
        self.name.setText(table.get("name", ""))
        self.name.setCursorPosition(0)
        self.line.setText(table.get("file") or written(table.get("line")))
        self.line.setCursorPosition(0)
        self.height_line.setText(short(table.get("height")))
        self.capacity.setText(short(table.get("capacity")))

    def value(self, key: str) -> dict[str, Any]:
        """The barrier; ScenarioError, whose field begins with ``key``, when it cannot be read."""
        line = self.line.text().strip()
        if line.lower().endswith(ZONES):
            found: dict[str, Any] = {"file": line}
        else:
            found = {"line": self._corners(self.line, f"{key}.line", 2)}
            if found["line"] is None:
                raise ScenarioError(f"{key}.line", tr("expected corners such as 10, 20; 30, 25, or a file of lines"))
        for name, box in (("height", self.height_line), ("capacity", self.capacity)):
            text, given = box.text().strip(), self.given.get(name)
            if text or (name == "height" and "line" in found):  # lines of a file may have their own
                found[name] = given if text == short(given) != "" else parsed(text, f"{key}.{name}")
        name = self.name.text().strip()
        return found | ({"name": name} if name else {})


class LineItem(Item):
    """The points of one line of interest."""

    def __init__(self, number: int) -> None:
        name = tr("line of interest {number}").format(number=number)
        super().__init__(name)
        self.name = line_for(tr("Name of {barrier}").format(barrier=name))
        self.line = line_for(tr("Points of {line}").format(line=name))
        self.name.setPlaceholderText(sentence(name))
        self.line.setPlaceholderText(tr("x, y; x, y; … or a file of lines"))
        self.line.setToolTip(
            tr("Points on the map: x, y; x, y; … At least two. Or a file of lines (.geojson), each of its own")
        )
        self.gone.setToolTip(tr("Remove this line"))
        self._column.addLayout(across(self.name, self.gone))
        self._column.addWidget(self.line)
        for line in (self.name, self.line):
            line.textEdited.connect(self.edited)

    @property
    def lines(self) -> dict[str, QLineEdit]:
        return {"points": self.line, "file": self.line, "name": self.name}

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return self.name, self.gone, self.line

    def fill(self, table: dict[str, Any]) -> None:
        """Show a line."""
        self.given = table
        self.name.setText(table.get("name", ""))
        self.line.setText(table.get("file") or written(table.get("points")))
        for line in (self.name, self.line):
            line.setCursorPosition(0)

    def value(self, key: str) -> dict[str, Any]:
        """The line; ScenarioError, whose field begins with ``key``, when it cannot be read."""
        line, name = self.line.text().strip(), self.name.text().strip()
        found: dict[str, Any] = {"file": line}
        if not line.lower().endswith(ZONES):
            found = {"points": self._corners(self.line, f"{key}.points", 2)}
            if found["points"] is None:
                raise ScenarioError(f"{key}.points", tr("expected corners such as 10, 20; 30, 25, or a file of lines"))
        return found | ({"name": name} if name else {})


class ZoneItem(Item):
    """The preset and the corners of one zone; a zone keeps the other values that it has."""

    def __init__(self, number: int, field: Field, space: QObject) -> None:
        name = tr("zone {number}").format(number=number)
        super().__init__(name)
        self.preset = drop_down(tr("{field}: {zone}").format(field=tr(field.label), zone=name), space)
        words_for(self.preset, field.choices, field.empty or "")
        self.line = line_for(tr("Corners of {zone}").format(zone=name))
        self.line.setPlaceholderText(tr("x, y; x, y; x, y; …"))
        self.line.setToolTip(tr("Corners on the map: x, y; x, y; x, y; … At least three"))
        self.down = self._small("↓", tr("Move {zone} down").format(zone=name))
        self.down.setToolTip(tr("Move this zone down: where zones overlap the lower one in this list counts"))
        self.down.installEventFilter(space)
        self.down.clicked.connect(self.lowered)
        self.gone.setToolTip(tr("Remove this zone"))
        shown = Plain(sentence(name), buddy=self.preset)
        shown.setWordWrap(False)
        row = filled(QHBoxLayout(), shown, (self.preset, 1), self.down, self.gone)
        filled(self._column, row, self.line)
        self.preset.activated.connect(lambda _: self.edited.emit())
        self.line.textEdited.connect(self.edited)

    @property
    def lines(self) -> dict[str, QLineEdit]:
        return {"polygon": self.line}

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return self.preset, self.down, self.gone, self.line

    def fill(self, table: dict[str, Any]) -> None:
        """Show a zone."""
        self.given = table
        self.preset.setCurrentIndex(max(0, self.preset.findData(table.get("preset", ""))))
        self.line.setText(written(table.get("polygon")))
        self.line.setCursorPosition(0)

    def value(self, key: str) -> dict[str, Any]:
        """The zone; ScenarioError, whose field begins with ``key``, when it cannot be read."""
        corners, preset = self._corners(self.line, f"{key}.polygon", 3), self.preset.currentData()
        if corners is None:
            raise ScenarioError(f"{key}.polygon", tr("expected corners such as 10, 20; 30, 25"))
        kept = self.given
        if preset != kept.get("preset", ""):  # it brings its own values: those of the former one are taken away
            kept = {name: value for name, value in kept.items() if name not in ("preset", *PRESET_LAWS, "height")}
        return kept | {"polygon": corners} | ({"preset": preset} if preset else {})


class SizesItem(Item):
    """The volumes of one class of rocks, and how often they start; a distribution of volumes stays as it is given."""

    def __init__(self, number: int, space: QObject) -> None:
        name = tr("class {number}").format(number=number)
        super().__init__(name)
        self.name = line_for(tr("Name of {rocks}").format(rocks=name))
        self.name.setPlaceholderText(sentence(name))
        self.share = NumberField(tr("Share of {rocks}").format(rocks=name))
        self.line = NumberField(with_unit(tr("Least volume of {rocks}").format(rocks=name), "m³"))
        self.most = NumberField(with_unit(tr("Largest volume of {rocks}").format(rocks=name), "m³"))
        self.often = NumberField(tr("How often {rocks} starts").format(rocks=name))
        for number_line in (self.share, self.line, self.most, self.often):
            number_line.setFixedWidth(64)
        self.share.setToolTip(
            tr("Of the ensemble's rocks; above 0, at most 1; in all classes or in none: equal shares")
        )
        self.line.setToolTip(tr("Of each rock; beside a second volume the least: all between them are as likely"))
        self.most.setToolTip(tr("The largest; empty: all rocks of the class have the first volume"))
        self.unit = drop_down(tr("Frequency or period of {rocks}").format(rocks=name), space)
        words_for(self.unit, ("frequency", "return_period"))
        self.gone.setToolTip(tr("Remove this class"))
        self.volume = Elided(buddy=self.line)
        first = across(self.name, Plain(tr("Share"), buddy=self.share), self.share, self.gone)
        second = across(self.volume, dim("m³"), self.line, dim("–"), self.most)
        filled(self._column, first, second, across(self.unit, self.often))
        for line in self.lines.values():
            line.textEdited.connect(self.edited)
        self.most.textEdited.connect(self.edited)
        self.unit.activated.connect(lambda _: self.edited.emit())

    @property
    def lines(self) -> dict[str, QLineEdit]:
        often = {"frequency": self.often, "return_period": self.often}
        return {"volume": self.line, "share": self.share, "name": self.name} | often

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return self.name, self.share, self.gone, self.line, self.most, self.unit, self.often

    def fill(self, table: dict[str, Any]) -> None:
        """Show a class."""
        self.given = table
        volume = table.get("volume")
        low, most = volume if isinstance(volume, tuple) else (volume, None)
        drawn = volume.get("distribution", "") if isinstance(volume, dict) else ""
        self.line.setText("" if drawn else short(low))
        self.volume.setText(": ".join(filter(None, (tr("Volume"), drawn and tr(word_shown(drawn))))))
        self.most.setText(short(most))
        self.unit.setCurrentIndex(int("return_period" in table))
        self.often.setText(short(table.get(self.unit.currentData())))
        self.share.setText(short(table.get("share")))
        self.name.setText(table.get("name", ""))
        self.name.setCursorPosition(0)

    def value(self, key: str) -> dict[str, Any]:
        """The class; ScenarioError, whose field begins with ``key``, when it cannot be read."""
        given = self.given.get("volume")
        ends = given if isinstance(given, tuple) else (given, None)
        found: dict[str, Any] = {"volume": given}
        if not isinstance(given, dict) or self.line.text().strip() or self.most.text().strip():
            low = self._number(self.line, None if isinstance(given, dict) else ends[0], f"{key}.volume")
            most = self.most.text().strip()
            found["volume"] = (low, self._number(self.most, ends[1], f"{key}.volume")) if most else low
        often = self.unit.currentData()
        found[often] = self._number(self.often, self.given.get(often), f"{key}.{often}")
        if self.share.text().strip():
            found["share"] = self._number(self.share, self.given.get("share"), f"{key}.share")
        name = self.name.text().strip()
        return found | ({"name": name} if name else {})

    def _number(self, line: QLineEdit, given: float | None, key: str) -> float:
        """The number in a line; all digits of the one that was given if it was not edited."""
        text = line.text().strip()
        return given if given is not None and text == short(given) else parsed(text, key)


class Tables(Row):
    """A list of tables, each an item; its value is the scenario's list."""

    on_terrain = True  # whether an item can be drawn there

    def __init__(self, field: Field, value: Any, space: QObject) -> None:
        super().__init__(field)
        self.items: list[Item] = []
        self._space = space
        name = tr("Add: {field}").format(field=self.label)
        self.add_button = push(tr("Add"), self.add, accessibleName=name, autoDefault=False)
        second = draw_button(self) if self.on_terrain else dim()
        buttons = filled(QHBoxLayout(), (self.add_button, 1), (second, 1))
        column, margins = QVBoxLayout(self), (0, 0, 0, 0)
        self._column = filled(column, dim(self.label), self.error, buttons, margins=margins, spacing=8)
        self.setFocusProxy(self.add_button)
        self.fill(value)

    def made(self, number: int) -> Item:
        """An empty item, number from 1."""
        raise NotImplementedError

    def add(self) -> None:
        """Make room for one more."""
        self._show([*(item.given for item in self.items), {}], kept=len(self.items))
        self.items[-1].line.setFocus(Qt.FocusReason.OtherFocusReason)

    def fill(self, value: Any) -> None:
        """Show tables; None: there are none."""
        self._show(list(value or ()))

    def _show(self, tables: list[dict[str, Any]], kept: int = 0) -> None:
        """Show tables; in the first ``kept`` rows what is typed stays."""
        while len(self.items) > len(tables):
            self.items.pop().deleteLater()
        while len(self.items) < len(tables):
            self._append()
        for item, table in list(zip(self.items, tables, strict=True))[kept:]:
            item.fill(table)

    def _append(self) -> None:
        item = self.made(len(self.items) + 1)
        item.edited.connect(self.edited)
        item.gone.installEventFilter(self._space)
        item.gone.clicked.connect(lambda: self._remove(item))
        item.lowered.connect(lambda: self._move_down(item))
        self._column.insertWidget(1 + len(self.items), item)
        before: QWidget | None = self.items[-1].gone if self.items else None
        self.items.append(item)
        for control in item.controls:
            if before is not None:
                QWidget.setTabOrder(before, control)
            before = control
        QWidget.setTabOrder(item.controls[-1], self.add_button)

    def _remove(self, item: Item) -> None:
        at = self.items.index(item)
        self.items.pop(at).deleteLater()
        item.hide()
        self.edited.emit()

    def _move_down(self, item: Item) -> None:
        """Swap a table with the next one; all that is typed must be readable."""
        at = self.items.index(item)
        try:
            tables = list(self.value() or ())
        except ScenarioError:
            return
        if at + 1 < len(tables):
            tables[at : at + 2] = tables[at + 1], tables[at]
            self.fill(tables)
            self.edited.emit()

    def value(self) -> Any:
        """The tables, None when there are none; ScenarioError when one cannot be read."""
        return tuple(item.value(f"{self.field.key}.{i}") for i, item in enumerate(self.items)) or None

    def at(self, place: str) -> list[QLineEdit]:
        """All lines, or the one that ``number.key`` names."""
        number, _, key = place.partition(".")
        if number.isdigit() and int(number) < len(self.items):
            lines = self.items[int(number)].lines
            return [lines[key]] if key in lines else list(lines.values())
        return [line for item in self.items for line in item.lines.values()]

    def explain(self, message: str, place: str = "") -> None:
        """Say what is wrong, and with which table."""
        number, _, key = place.partition(".")
        if message and number.isdigit() and int(number) < len(self.items):
            name = self.items[int(number)].name_shown
            message = f"{', '.join(filter(None, (name, key)))}: {message}"
        super().explain(message, place)


class Barriers(Tables):
    """All barriers."""

    def made(self, number: int) -> Item:
        """An empty barrier."""
        return Fence(number)


class Lines(Tables):
    """All lines of interest."""

    def made(self, number: int) -> Item:
        """An empty line."""
        return LineItem(number)


class ZoneList(Tables):
    """The zones of soils or forests that a scenario has itself."""

    def made(self, number: int) -> Item:
        """An empty zone."""
        return ZoneItem(number, self.field, self._space)


class Classes(Tables):
    """All classes of rocks of a study."""

    on_terrain = False

    def made(self, number: int) -> Item:
        """An empty class."""
        return SizesItem(number, self._space)
