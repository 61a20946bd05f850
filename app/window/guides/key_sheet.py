"""The sheet of keys, made from the table of actions."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.system.language import tr
from app.theme import Theme
from app.window.actions import MENUS
from app.window.labels import Plain, Rich
from app.window.widgets import filled, make, push

COLUMNS = 4  # largest number of columns
EDGES = QSize(70, 120)  # [pixels] of the dialog, in all, about the keys


class KeySheet(QDialog):
    """All actions that have a key, by menu; the menus' tips and the palette describe them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keys"))
        room = self.screen().availableGeometry()
        for count in range(COLUMNS, 0, -1):  # on the narrowest screen one column, which scrolls
            sheet = _sheet(count, theme)
            if sheet.sizeHint().width() + EDGES.width() <= room.width():
                break
        scroll = make(QScrollArea, widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
        scroll.setWidget(sheet)
        scroll.setAccessibleName(tr("Keys by menu"))
        close = push(tr("Close"), self.accept, default=True)
        text = tr(
            "Drag in the view to rotate, turn the wheel to zoom, hold shift and drag to move.\n"
            "Click or drag in a plot to go to that time."
        )
        hint = Plain(text, "dim")
        outer = filled(QVBoxLayout(self), (scroll, 1), hint, margins=(24, 18, 24, 18), spacing=16)
        outer.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)
        wanted = sheet.sizeHint() + EDGES
        self.resize(min(wanted.width(), room.width()), min(wanted.height(), room.height() - 40))


def _sheet(count: int, theme: Theme) -> QWidget:
    """All keys in so many columns."""
    sheet = QWidget()
    columns = QHBoxLayout(sheet)
    columns.setSpacing(30)
    for menus in _columns(count):
        label = Rich("".join(_table(menu, theme) for menu in menus))
        label.setAccessibleName(tr("Keys of the menus {menus}").format(menus=", ".join(map(tr, menus))))
        columns.addWidget(label, alignment=Qt.AlignmentFlag.AlignTop)
    return sheet


def _columns(count: int) -> list[list[str]]:
    """The menus in at most so many columns, the longest of which is as short as can be."""
    lengths = {menu: 2 + sum(bool(row.keys) for row in rows) for menu, rows in MENUS.items()}
    found = (_filled(lengths, most) for most in range(max(lengths.values()), sum(lengths.values()) + 1))
    return next(columns for columns in found if len(columns) <= count)


def _filled(lengths: dict[str, int], most: int) -> list[list[str]]:
    """The menus in their order, in columns of at most so many lines."""
    columns: list[list[str]] = [[]]
    for menu, length in lengths.items():
        if sum(lengths[above] for above in columns[-1]) + length > most:
            columns.append([])
        columns[-1].append(menu)
    return columns


def _table(menu: str, theme: Theme) -> str:
    rows = "".join(
        f"<tr><td width='100' style='padding: 2px 8px 2px 0; color: {theme.accent}'>{_keys(row.keys)}</td>"
        f"<td style='padding: 2px 0'>{escape(tr(row.text))}</td></tr>"
        for row in MENUS[menu]
        if row.keys
    )
    return f"<p style='margin: 10px 0 3px 0'><b>{tr(menu)}</b></p><table>{rows}</table>"


def _keys(keys: str) -> str:
    names = (QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys.split())
    return "<br>".join(map(escape, names))
