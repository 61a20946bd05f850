"""The sheet of keys, made from the table of actions."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.colours import Theme
from app.window.actions import MENUS


class KeySheet(QDialog):
    """All actions that have a key, by menu; what they do is told by the menus' tips and the palette."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, windowTitle="Keys")
        columns = QHBoxLayout()
        columns.setSpacing(36)
        for menus in (("File", "Edit"), ("Play", "Help"), ("View",), ("Camera", "Ensemble")):
            label = QLabel("".join(_table(menu, theme) for menu in menus))
            label.setAccessibleName(f"Keys of the menus {' and '.join(menus)}")
            column = QVBoxLayout()
            column.addWidget(label)
            column.addStretch(1)
            columns.addLayout(column)
        close = QPushButton("Close", default=True)
        close.clicked.connect(self.accept)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 18, 24, 18)
        outer.setSpacing(16)
        outer.addLayout(columns)
        hint = QLabel(
            "Drag in the view to turn, turn the wheel to come closer, hold shift and drag to move.\n"
            "Click or drag in a plot to go to that time."
        )
        hint.setProperty("role", "dim")
        outer.addWidget(hint)
        outer.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)


def _table(menu: str, theme: Theme) -> str:
    rows = "".join(
        f"<tr><td width='130' style='padding: 3px 0; color: {theme.accent}'>{_keys(row.keys)}</td>"
        f"<td style='padding: 3px 0'>{escape(row.text)}</td></tr>"
        for row in MENUS[menu]
        if row.keys
    )
    return f"<p style='margin: 12px 0 4px 0'><b>{menu}</b></p><table>{rows}</table>"


def _keys(keys: str) -> str:
    return escape(
        " or ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys.split())
    )
