"""Rows of the panel for lists of tables: pieces of a surface, parts of a body, bodies and joints of a mechanism."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QVBoxLayout

from app.kinds.field import PART, Field
from app.kinds.words import word_shown
from app.system.language import tr
from app.window.labels import Plain
from app.window.panel.rows import Entry, FileRow, LineRow, Row, words_for
from app.window.panel.typed import parsed, parted, short
from app.window.widgets import across, dim, drop_down, filled, make, push
from physics import ScenarioError

MOST_LINES = 8  # of a list that are seen at once
NONE = "–"  # text in place of a number that a table does not have


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


class Parts(Row):
    """The row of the parts of a body: mass or density, size and position of each; all else of them stays.

    Buttons add another like the last one, and take the last one away.
    """

    def __init__(self, field: Field, value: Any) -> None:
        super().__init__(field)
        self.entries: dict[tuple[int, str], Entry] = {}  # by the number of a part and its key
        self.add = push(tr("Add a part"), partial(self._become, 1), autoDefault=False)
        self.drop = push(tr("Remove the last part"), partial(self._become, -1), autoDefault=False)
        buttons = filled(QHBoxLayout(), self.add, self.drop)
        rows = Plain(self.label), buttons, self.error
        self._column = filled(QVBoxLayout(self), *rows, margins=(0, 0, 0, 0), spacing=3)
        self.fill(value)

    def _become(self, by: int) -> None:
        """Have one part more or fewer; all that is typed must be readable."""
        try:
            parts = self.value()
        except ScenarioError as error:
            self.explain(error.message, error.field.removeprefix(f"{self.field.key}."))
            return
        self.fill((*parts, parts[-1]) if by > 0 else parts[:-1])
        self.edited.emit()

    def fill(self, value: Any) -> None:
        """Show parts ({"shape": ..., "mass": ...}, ...)."""
        self._given = tuple(value or ())
        self.add.setEnabled(bool(self._given))
        self.drop.setEnabled(len(self._given) > 1)
        fields = {(i, key): one for i, part in enumerate(self._given) for key, one in self._fields(i, part).items()}
        if fields != {place: entry.field for place, entry in self.entries.items()}:
            for entry in self.entries.values():
                entry.hide()
                entry.deleteLater()
            self.entries = {place: Entry(one, None) for place, one in fields.items()}
            for entry in self.entries.values():
                entry.edited.connect(self.edited)
                self._column.insertWidget(self._column.count() - 2, entry)
        for (i, key), entry in self.entries.items():
            entry.fill(self._given[i].get(key))

    def _fields(self, number: int, part: dict[str, Any]) -> dict[str, Field]:
        name = part.get("name") or tr("Part {number}").format(number=number + 1)
        shape = part.get("shape") or ("inertia" if "inertia" in part and "size" not in part else "cuboid")
        made = {key: replace(one, key=f"{self.field.key}.{number}.{key}") for key, one in PART.items()}
        load = "mass" if "mass" in part else "density"
        made[load] = replace(made[load], label=f"{name}: {tr(word_shown(shape))}", empty=None)
        return {key: made[key] for key in (load, "size", "position") if key != "size" or "size" in part}

    def value(self) -> Any:
        """The parts, None when there are none; ScenarioError when a number cannot be read."""
        parts = [dict(part) for part in self._given]
        for (i, key), entry in self.entries.items():
            parts[i][key] = entry.value()
        return tuple({key: one for key, one in part.items() if one is not None} for part in parts) or None

    @property
    def unfinished(self) -> bool:
        """True while one of several numbers is being typed, but not the last."""
        return any(entry.unfinished for entry in self.entries.values())

    def at(self, place: str) -> list[QLineEdit]:
        """All numbers, or those of a key of a part."""
        number, _, key = place.partition(".")
        found = [entry for (i, name), entry in self.entries.items() if str(i) == number and key.startswith(name)]
        return [line for entry in found or self.entries.values() for line in entry.at("")]


class Listed(Row):
    """The row of a list of tables: a line each, to be chosen, and a button that adds one to the mechanism in the view.

    picked : the number of the line that the user has chosen
    """

    picked = Signal(int)

    def __init__(self, field: Field, value: Any, space: QObject) -> None:
        super().__init__(field)
        self.box = drop_down(tr("Add: {field}").format(field=self.label), space)
        words_for(self.box, field.choices)
        self.box.setVisible(bool(field.choices))
        name, tip = self.box.accessibleName(), tr("Click bodies in the view; Esc cancels")
        self.add = push(tr("Add…"), self.drawn, accessibleName=name, autoDefault=False, toolTip=tip)
        self.list = make(QListWidget, accessibleName=self.label, focusPolicy=Qt.FocusPolicy.TabFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.installEventFilter(space)
        self.list.currentRowChanged.connect(self.picked)
        self.list.hide()
        self.note = dim(name=tr("Note: {field}").format(field=self.label))
        self.note.hide()
        adding = across(self.box, self.add) if field.choices else self.add
        rows = Plain(self.label), self.list, self.note, adding, self.error
        filled(QVBoxLayout(self), *rows, margins=(0, 0, 0, 0), spacing=3)
        self.fill(value)

    def hint(self, value: Any) -> None:
        """Say what the tables make."""
        self.note.setText(value)
        self.note.setVisible(bool(value))

    def fill(self, value: Any) -> None:
        """Show tables."""
        self._given = value
        lines = [_table_text(i, table) for i, table in enumerate(value or (), 1)]
        if lines != self.lines:
            with QSignalBlocker(self.list):
                self.list.clear()
                self.list.addItems(lines)
            high = sum(self.list.sizeHintForRow(i) for i in range(min(len(lines), MOST_LINES)))
            self.list.setFixedHeight(high + 2 * self.list.frameWidth() + 2)
            self.list.setVisible(bool(lines))

    @property
    def lines(self) -> list[str]:
        """The lines that are shown."""
        return [self.list.item(i).text() for i in range(self.list.count())]

    def choose(self, number: int | None) -> None:
        """Mark the line of a table; None: no line."""
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(-1 if number is None else number)

    def value(self) -> Any:
        """The tables, as they are."""
        return self._given


def _table_text(number: int, table: dict[str, Any]) -> str:
    if "between" in table:
        ends = " – ".join(table["between"])
        if "type" not in table:
            return f"{tr('Spring {number}').format(number=number)}: {ends}"
        name = table.get("name") or tr("Joint {number}").format(number=number)
        return f"{name}: {tr(word_shown(table['type']))}, {ends}"
    shape = table.get("shape") or ("inertia" if "inertia" in table and "size" not in table else "cuboid")
    loads = [f"{table[key]:g} {tr(unit)}" for key, unit in (("mass", "kg"), ("density", "kg/m³")) if key in table]
    return f"{table['name']}: {', '.join((tr(word_shown('parts' if 'part' in table else shape)), *loads))}"


class NumberRows(LineRow):
    """The row of a list of numbers or vectors: "1; 2.5", "0, 0, 1; 1, 0, 0"."""

    def fill(self, value: Any) -> None:
        """Show numbers (1.0, 2.5) or vectors, of which one may be None; None: there is no list."""
        self._given, self._shown = value or (), [NONE if one is None else _words(one) for one in value or ()]
        super().fill("; ".join(self._shown))

    def value(self) -> Any:
        """The numbers or vectors, with all digits where they are as shown; None: there is no list."""
        known = dict(zip(self._shown, self._given, strict=True))
        words = [word.strip() for word in self.line.text().strip().strip(";").split(";")]
        return tuple(known.get(word) or self._read(word) for word in words) if any(words) else None

    def _read(self, word: str) -> Any:
        if word in ("", NONE):
            return None
        if not self.field.parts:
            return parsed(word, self.field.key)
        numbers = parted(word)
        if not (self.field.least or len(self.field.parts)) <= len(numbers) <= len(self.field.parts):
            text = tr("expected {count} numbers, got {words}").format(count=len(self.field.parts), words=word)
            raise ScenarioError(self.field.key, text)
        return tuple(parsed(number, self.field.key) for number in numbers)


class Column(NumberRows):
    """The row of a number or vector that all tables of a list have, or some: "1; 2.5; –"."""

    def value(self) -> Any:
        """The numbers or vectors, with all digits where they are as shown; ScenarioError where they are not as many."""
        words = [word.strip() for word in self.line.text().split(";")]
        if len(words) != len(self._given):
            text = tr("expected {count} numbers, parted by semicolons").format(count=len(self._given))
            raise ScenarioError(self.field.key, text)
        known = zip(words, self._shown, self._given, strict=True)
        return tuple(given if word == shown else self._read(word) for word, shown, given in known)


def _words(value: Any) -> str:
    return ", ".join(map(short, value)) if isinstance(value, tuple) else short(value)
