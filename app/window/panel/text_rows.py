"""Rows of the panel whose value is a text: a file, or corners on the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QGridLayout, QLineEdit, QPushButton

from app.kinds.field import Field
from app.system.language import tr
from app.window.panel.number_rows import pointed
from app.window.panel.row import Row, named
from app.window.widgets import dim, make
from physics import ScenarioError


class Text(Row):
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


class FileRow(Text):
    """The row of a field that names a file, with a button that asks for one."""

    def button(self) -> QPushButton:
        """Asks for a file."""
        choose = make(
            QPushButton, tr("Choose…"), accessibleName=tr("Choose: {field}").format(field=self.label), autoDefault=False
        )
        choose.clicked.connect(self._choose)
        return choose

    def _choose(self) -> None:
        if name := self._asked(str(Path(self.line.text()).parent)):
            self.fill(name)
            self.edited.emit()

    def _asked(self, folder: str) -> str:
        """The file that is chosen, first from a folder; "": none."""
        kinds = f"{self.label} ({' '.join(f'*{ending}' for ending in self.field.endings)})"
        return QFileDialog.getOpenFileName(self, self.label, folder, kinds)[0]


class Pieces(FileRow):
    """The row of the pieces of a surface: files, each with the preset of its soil, and a button that adds one."""

    def fill(self, value: Any) -> None:
        """Show pieces ({"file": ..., "soil": {"preset": ...}}, ...)."""
        self._known = {_piece_text(piece): piece for piece in value or ()}
        super().fill("; ".join(self._known))

    def value(self) -> Any:
        """The pieces, or None when there are none; those that are as they were keep the other laws of their soil."""
        parts = [part.strip() for part in self.line.text().split(";") if part.strip()]
        return tuple(self._known.get(part) or _piece(part) for part in parts) or None

    def _choose(self) -> None:
        if name := self._asked(""):
            self.line.setText("; ".join(filter(None, [self.line.text().strip("; "), name])))
            self.edited.emit()


def _piece_text(piece: dict[str, Any]) -> str:
    preset = (piece.get("soil") or {}).get("preset")
    return piece["file"] if preset is None else f"{piece['file']}: {preset}"


def _piece(text: str) -> dict[str, Any]:
    file, mark, preset = text.rpartition(": ")
    return {"file": file.strip(), "soil": {"preset": preset.strip()}} if mark else {"file": text}


class LineRow(Text):
    """The row of a field that is a text to be typed."""

    def hint(self, value: Any) -> None:
        """Show, dimmed, what an empty line stands for."""
        self.line.setPlaceholderText("" if value is None else str(value))

    def button(self) -> None:
        """There is no other way."""


class Corners(Text):
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
    """A line to type a text in; Return hands the keyboard back."""
    line = make(QLineEdit, accessibleName=name)
    line.setAcceptDrops(False)  # a file dropped here is meant for the window
    line.returnPressed.connect(line.clearFocus)
    return line


def draw_button(row: Row) -> QPushButton:
    """A button that asks to draw a row's value on the terrain."""
    draw = make(
        QPushButton,
        tr("Draw…"),
        accessibleName=tr("Draw on the terrain: {field}").format(field=row.label),
        autoDefault=False,
    )
    draw.setToolTip(tr("Click the corners on the terrain; Return or a double click ends, Esc leaves it as it was"))
    draw.clicked.connect(lambda: row.drawn.emit())
    return draw


def written(value: Any) -> str:
    """Places ((x, y), ...) as a text."""
    return "; ".join(f"{x:.10g}, {y:.10g}" for x, y in value or ())


def _coordinates(text: str) -> tuple[float, ...]:
    """The numbers in a text: 10, 20 or 10 20; where spaces alone part two of them a comma is a decimal one."""
    apart = [word.rstrip(",") for word in text.split()]
    return tuple(map(float, map(pointed, apart) if len(apart) == 2 else text.replace(",", " ").split()))


def places(text: str, key: str, least: int) -> tuple[tuple[float, ...], ...] | None:
    """The places in a text, None when it is empty; ScenarioError, naming the field, when they cannot be read."""
    text = text.strip().strip("; ")
    if not text:
        return None
    try:
        found = tuple(map(_coordinates, text.split(";")))
    except ValueError:
        found = ()
    if not found or any(len(place) != 2 for place in found):
        raise ScenarioError(key, tr("expected corners such as 10, 20; 30, 25"))
    if len(found) < least:
        raise ScenarioError(
            key, tr("expected at least {least} corners, got {count}").format(least=least, count=len(found))
        )
    return found
