"""Rows of the panel: numbers with units, texts, files and corners on the map."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.kinds.field import ATTITUDE_FORMS, Field
from app.kinds.quantities import without_rounding
from app.kinds.words import word_shown
from app.system.language import tr, translated
from app.window.labels import Plain, with_unit
from app.window.panel.typed import parsed, places, pointed, short, written
from app.window.style import with_letters
from app.window.widgets import Explanation, dim, drop_down, filled, make, push
from physics import ScenarioError
from physics.core.rotation import rotation_vector, unit_of, yaw_pitch_roll
from physics.systems.ship.world import attitude_of

UNIT = 1e-6  # largest difference from 1 of the length of a quaternion that is shown by angles
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
        super().__init__(toolTip=field.tip)
        self.field, self.label = field, tr(field.label)
        self.error = Explanation()

    def fill(self, value: Any) -> None:
        """Show a value; None leaves it empty."""
        raise NotImplementedError

    def value(self) -> Any:
        """Value that is chosen or typed, None if all is empty; ScenarioError if it cannot be read."""
        raise NotImplementedError

    @property
    def unfinished(self) -> bool:
        """True while one of several numbers is being typed, but not the last."""
        return False

    @property
    def filled(self) -> bool:
        """True if something is typed."""
        return any(line.text().strip() for line in self.at(""))

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
        self.error.say(translated(message))
        wrong = self.at(place) if message else []
        for line in self.at(""):
            if line.property("error") != (line in wrong):
                line.setProperty("error", line in wrong)
                line.style().unpolish(line)
                line.style().polish(line)


def named(text: str, unit: Plain, buddy: QWidget) -> QHBoxLayout:
    """The name of a value beside its unit; buddy: the control that is named."""
    unit.setWordWrap(False)
    return filled(QHBoxLayout(), Plain(text, buddy=buddy), unit, 1, spacing=6)


ALONE = 96  # [pixels] of a number beside its name, at usual letters


class NumberField(QLineEdit):
    """A field for one number; arrows or wheel change its second digit.

    A decimal comma becomes a point when one leaves the field: so one sees how it was read.
    """

    def __init__(self, name: str) -> None:
        super().__init__(alignment=Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName(name)
        self.setAcceptDrops(False)  # a file dropped here is meant for the window
        self.editingFinished.connect(lambda: self.setText(pointed(self.text())))
        self.setMinimumWidth(48)

    def sizeHint(self) -> QSize:
        """The room that ten digits take."""
        return QSize(with_letters(ALONE), super().sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nudge or type."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._nudge(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Nudge too, so that a number can be edited by mouse alone; without the keyboard the wheel is the panel's."""
        steps = event.angleDelta().y()
        event.setAccepted(self.hasFocus() and steps != 0)
        if event.isAccepted():
            self._nudge(1 if steps > 0 else -1)

    def _nudge(self, by: int) -> None:
        try:
            value = float(pointed(self.text()))
        except ValueError:
            return
        if not math.isfinite(value):
            return
        size = 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.1
        size = max(1.0, size) if value == int(value) and abs(value) >= 1 else size
        self.setText(f"{round(value + by * size, 12):.10g}")
        self.textEdited.emit(self.text())


NARROWEST = 70  # [pixels] of a drop-down beside a long name


def words_for(box: QComboBox, words: tuple[str, ...], nothing: str = "", named: bool = False) -> None:
    """Fill a drop-down with words as people read them; nothing: what "" is called; named: see Field."""
    for word in words:
        box.addItem(word if named else tr(word_shown(word, nothing)), word)
    box.view().setMinimumWidth(box.sizeHint().width())  # the list shows whole what the box has no room for
    box.setMinimumWidth(NARROWEST)


def _wide(widget: QWidget) -> int:
    """Width at which a widget shows all of its text [pixels]."""
    widget.ensurePolished()
    return widget.sizeHint().width()


class Choice(Row):
    """The row of a field that is one of some words: below its name where they have no room beside it."""

    def __init__(self, field: Field, value: Any, space: QObject) -> None:
        super().__init__(field)
        self.box = drop_down(self.label, space)
        words_for(self.box, field.choices, field.empty or "", field.named)
        self.setFocusProxy(self.box)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        name = Plain(self.label, buddy=self.box)
        below = _wide(name) + grid.horizontalSpacing() + _wide(self.box) > with_letters(ROOM)
        grid.addWidget(name, 0, 0)
        grid.addWidget(self.box, int(below), int(not below), 1, -1)
        self.note = dim(name=tr("Note: {field}").format(field=self.label))
        grid.addWidget(self.note, 2, 0, 1, -1)
        grid.addWidget(self.error, 3, 0, 1, -1)
        self.fill(value)
        self.box.currentIndexChanged.connect(lambda _: self._tell())
        self.box.activated.connect(lambda _: self.edited.emit())

    def _tell(self) -> None:
        """Say what is to be known of the word that is chosen."""
        words = dict(self.field.notes).get(self.box.currentData(), "")
        self.note.setText(tr(words))
        self.note.setVisible(bool(words))

    def fill(self, value: Any) -> None:
        """Show a value; the first word where it is none of them."""
        self.box.setCurrentIndex(max(0, self.box.findData(value or "")))
        self._tell()

    def value(self) -> Any:
        """The word that is chosen, or None."""
        return self.box.currentData() or None

    @property
    def filled(self) -> bool:
        """True if it is one."""
        return self.value() is not None


class Entry(Row):
    """The row of a field that is a number, or some."""

    def __init__(self, field: Field, value: Any, degrees: bool = False) -> None:
        super().__init__(field)
        self._factor = math.degrees(1.0) if degrees and field.angular else 1.0
        self._parts = [tr(part) for part in field.parts]
        self._names = [f"{self.label} {part}" for part in self._parts] or [self.label]
        self.numbers = [NumberField(with_unit(name, self._unit)) for name in self._names]
        self.setFocusProxy(self.numbers[0])
        self._hint: Any = None
        self._arrange()
        self.fill(value)
        for number in self.numbers:
            number.textEdited.connect(self.edited)

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        self.unit = dim(self._unit)
        many = len(self.field.parts) > 4  # in rows of three, each with the names of its parts
        parts = "" if many else ", ".join(self._parts)
        name = "  ".join(filter(None, (self.label, parts)))
        grid.addLayout(named(name, self.unit, self.numbers[0]), 0, 0, 1, 3 if many else max(1, len(self.numbers)))
        if many:
            for i, (number, part) in enumerate(zip(self.numbers, self._parts, strict=True)):
                grid.addWidget(dim(part), 1 + 2 * (i // 3), i % 3)
                grid.addWidget(number, 2 + 2 * (i // 3), i % 3)
        elif self.field.parts:
            for i, number in enumerate(self.numbers):
                grid.addWidget(number, 1, i)
        else:
            self.numbers[0].setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            grid.addWidget(self.numbers[0], 0, 1)
        grid.addWidget(self.error, 5 if many else 2, 0, 1, -1)

    @property
    def _unit(self) -> str:
        return self.field.unit.replace("rad", "°") if self._factor != 1.0 else tr(self.field.unit)

    def set_degrees(self, on: bool) -> None:
        """Show angles in degrees, or in radians; what is typed keeps its meaning."""
        if self.field.angular:
            try:
                value = self.value()
            except ScenarioError:
                value = self._given if self.field.parts else self._given[0]
            self._factor = math.degrees(1.0) if on else 1.0
            self.unit.setText(self._unit)
            for number, name in zip(self.numbers, self._names, strict=True):
                number.setAccessibleName(with_unit(name, self._unit))
            self.fill(value)
            self.hint(self._hint)

    def fill(self, value: Any) -> None:
        """Show a value; None leaves the fields empty."""
        self._given = value if isinstance(value, tuple) else (value,) * len(self.numbers)
        self._given += (None,) * (len(self.numbers) - len(self._given))
        for number, one in zip(self.numbers, self._given, strict=True):
            number.setText(self._shown(one))
            number.setCursorPosition(0)  # of a long number one sees the beginning

    def _shown(self, value: float | None) -> str:
        if self.field.whole and value is not None:
            return str(value)
        room = 9 if len(self.numbers) == 1 else 6 if len(self.numbers) == 4 else 8
        return short(value if value is None or self._factor == 1.0 else value * self._factor, room)

    def hint(self, value: Any) -> None:
        """Show, dimmed, what empty fields stand for."""
        self._hint = value
        values = value if isinstance(value, tuple) else (value,) * len(self.numbers)
        for number, one in zip(self.numbers, values, strict=True):
            shown = None if one is None else float(one) * self._factor
            number.setPlaceholderText("" if shown is None else self._hinted(shown))

    def _hinted(self, value: float) -> str:
        """A number that was not typed: few digits, and so short that it is seen whole."""
        if len(self.numbers) != 4:
            return short(value if abs(value) >= 1000 else float(f"{value:.4g}"), 8)
        return f"{value:.2f}" if abs(value) < 1000 else short(value, 6)

    def value(self) -> Any:
        """The number or tuple that is typed, None when all is empty; ScenarioError when it is no number."""
        texts = [number.text().strip() for number in self.numbers]
        if self.field.optional and not any(texts):
            return None
        while self.field.least and len(texts) > self.field.least and not texts[-1]:
            texts.pop()
        # an unedited text stands for all digits of its number
        values = tuple(
            given if text == self._shown(given) != "" else self._parse(text)
            for text, given in zip(texts, self._given, strict=False)  # the last may be empty
        )
        return values if self.field.parts else values[0]

    @property
    def unfinished(self) -> bool:
        """True while one of several numbers is being typed, but not the last."""
        return any(number.hasFocus() for number in self.numbers[:-1])

    def _parse(self, text: str) -> float | int:
        value = parsed(text, self.field.key, self.field.whole)
        return value if self.field.whole else value / self._factor

    def at(self, place: str) -> list[QLineEdit]:
        """All numbers, or the one of a component."""
        one = place.split(".")[0]
        return [self.numbers[int(one)]] if one.isdigit() and int(one) < len(self.numbers) else [*self.numbers]


class Orientation(Row):
    """The row of an attitude: a quaternion, and the same by angles and by an axis; the one that is edited leads."""

    def __init__(self, field: Field, value: Any, degrees: bool = False) -> None:
        super().__init__(field)

        self.quaternion = Entry(field, None, degrees)
        self.angles, self.axis, self.angle = (
            Entry(replace(field, label=one.label, about=one.about, unit=one.unit, parts=one.parts), None, degrees)
            for one in ATTITUDE_FORMS
        )
        self._all = self.quaternion, self.angles, self.axis, self.angle
        self.setFocusProxy(self.quaternion)
        for part in self._all:
            part.edited.connect(partial(self._lead, part))
        filled(QVBoxLayout(self), *self._all, self.error, margins=(0, 0, 0, 0), spacing=3)
        self.fill(value)

    def _lead(self, part: Entry) -> None:
        """Let the others follow a part; what cannot be read stands alone."""
        self._leader = self.axis if part is self.angle else part
        try:
            self._follow(self.value())
        except ScenarioError:
            self._follow(None)
        self.edited.emit()

    def _follow(self, value: Any) -> None:
        """Show a quaternion in the other forms; one that is no attitude, or None, leaves them empty."""
        shown: dict[Entry, Any] = dict.fromkeys(self._all)
        if value is not None and abs(math.hypot(*value) - 1.0) < UNIT:
            turn = rotation_vector(value)
            size = float(np.linalg.norm(turn))
            shown[self.quaternion] = value
            shown[self.angles] = without_rounding(np.radians(yaw_pitch_roll(np.array(value))), math.pi)
            shown[self.axis] = without_rounding(turn / size, 1.0) if size > 0.0 else (0.0, 0.0, 1.0)
            shown[self.angle] = size
        leading = (self.axis, self.angle) if self._leader is self.axis else (self._leader,)
        for part in self._all:
            if part not in leading:
                part.fill(shown[part])

    def fill(self, value: Any) -> None:
        """Show a quaternion; None leaves all empty."""
        self._leader = self.quaternion
        self.quaternion.fill(value)
        self._follow(value)

    def hint(self, value: Any) -> None:
        """Show, dimmed, the quaternion that empty fields stand for."""
        self.quaternion.hint(value)

    def value(self) -> Any:
        """The quaternion, computed from the part that leads; None when that is empty."""
        given = self._leader.value()
        if given is None or self._leader is self.quaternion:
            return given
        if self._leader is self.angles:
            return tuple(map(float, attitude_of(*given)))
        angle, size = self.angle.value(), math.hypot(*given)
        if angle is None:
            raise ScenarioError(self.field.key, tr("expected an angle about the axis"))
        if not 0.0 < size < math.inf:
            raise ScenarioError(self.field.key, tr("expected an axis other than 0, 0, 0"))
        return tuple(map(float, unit_of(angle / size * np.array(given))))

    @property
    def unfinished(self) -> bool:
        """True while one of several numbers is being typed, but not the last."""
        return self._leader.unfinished or (self._leader is self.axis and self.axis.numbers[-1].hasFocus())

    def set_degrees(self, on: bool) -> None:
        """Show angles in degrees, or in radians; what is typed keeps its meaning."""
        for part in self._all:
            part.set_degrees(on)

    def at(self, place: str) -> list[QLineEdit]:
        """The numbers of the part that leads, or a component of the quaternion."""
        if self._leader is self.quaternion:
            return self.quaternion.at(place)
        return [*self._leader.numbers, *(self.angle.numbers if self._leader is self.axis else ())]


class TextRow(Row):
    """The row of a field that is a text."""

    def __init__(self, field: Field, value: Any) -> None:
        super().__init__(field)
        self.line = line_for(self.label)
        self.setFocusProxy(self.line)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.addLayout(named(self.label, dim(field.unit), self.line), 0, 0)
        if (button := self.button()) is not None:
            grid.addWidget(button, 0, 1)
        grid.addWidget(self.line, 1, 0, 1, -1)
        grid.addWidget(self.error, 2, 0, 1, -1)
        self.fill(value)
        self.line.textEdited.connect(self.edited)

    def button(self) -> QPushButton | None:
        """The button that gives the text otherwise than by typing; None: there is none."""
        raise NotImplementedError

    def fill(self, value: Any) -> None:
        """Show a value; None leaves the line empty."""
        self.line.setText(value or "")
        self.line.setCursorPosition(0)

    def value(self) -> Any:
        """The text, or None when there is none."""
        return self.line.text().strip() or None

    def at(self, place: str) -> list[QLineEdit]:
        """The line."""
        return [self.line]


class FileRow(TextRow):
    """The row of a field that names a file, with a button that asks for one."""

    def button(self) -> QPushButton:
        """Asks for a file."""
        name = tr("Choose: {field}").format(field=self.label)
        return push(tr("Choose…"), self._choose, accessibleName=name, autoDefault=False)

    def _choose(self) -> None:
        if name := self._asked(str(Path(self.line.text()).parent)):
            self.fill(name)
            self.edited.emit()

    def _asked(self, folder: str) -> str:
        """The file that is chosen, first from a folder; "": none."""
        kinds = f"{self.label} ({' '.join(f'*{ending}' for ending in self.field.files)})"
        return QFileDialog.getOpenFileName(self, self.label, folder, kinds)[0]


class LineRow(TextRow):
    """The row of a field that is a text to be typed."""

    def hint(self, value: Any) -> None:
        """Show, dimmed, what an empty line stands for."""
        self.line.setPlaceholderText("" if value is None else str(value))

    def button(self) -> None:
        """Return no button: the text is typed alone."""


class Corners(TextRow):
    """The row of a field that is a list of places x, y on the map, with a button to draw them there."""

    def button(self) -> QPushButton:
        """Lets one draw them."""
        return draw_button(self)

    def fill(self, value: Any) -> None:
        """Show places ((x, y), ...)."""
        super().fill(written(value))

    def value(self) -> Any:
        """The places, or None when there are none; ScenarioError when they cannot be read."""
        return places(self.line.text(), self.field.key, self.field.corners)


def line_for(name: str) -> QLineEdit:
    """A line to type a text in."""
    line = make(QLineEdit, accessibleName=name)
    line.setAcceptDrops(False)  # a file dropped here is meant for the window
    return line


def draw_button(row: Row) -> QPushButton:
    """A button that asks to draw a row's value on the terrain."""
    name = tr("Draw on the terrain: {field}").format(field=row.label)
    tip = tr("Click the corners on the terrain; Return or a double click ends, Esc cancels")
    return push(tr("Draw…"), lambda: row.drawn.emit(), accessibleName=name, autoDefault=False, toolTip=tip)
