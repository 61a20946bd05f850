"""The palette: everything that one can do, open or read, found by a few letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.colours import Theme
from app.window.guides.fuzzy import score

MOST = 60  # entries that are listed


@dataclass(frozen=True)
class Entry:
    """What can be chosen: its kind ("Open", "Help"), a text, what it does in a few words, its key, and the call."""

    kind: str
    text: str
    hint: str
    key: str
    call: Callable[[], object]


class Palette(QDialog):
    """Type, choose with the arrows, press Return."""

    def __init__(self, entries: Sequence[Entry], theme: Theme, parent: QWidget, query: str = "") -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint, windowTitle="Commands")
        self.setObjectName("palette")
        self.setStyleSheet(f"#palette {{ background: {theme.panel}; border: 1px solid {theme.outline}; }}")
        self.entries, self.theme = entries, theme
        self.line = QLineEdit(placeholderText="Type what you want to do", clearButtonEnabled=True)
        self.line.setAccessibleName("Search commands")
        self.line.installEventFilter(self)
        self.list = QListWidget(accessibleName="Commands found", focusPolicy=Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(lambda _: self.accept())
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.addWidget(self.line)
        column.addWidget(self.list)
        self.resize(620, 420)
        top = parent.mapToGlobal(parent.rect().topLeft())
        self.move(top.x() + (parent.width() - self.width()) // 2, top.y() + 70)
        self.line.textChanged.connect(self._fill)
        self.line.setText(query)
        self._fill(query)

    def _fill(self, query: str) -> None:
        self.list.clear()
        rated = ((_rate(query, entry), i) for i, entry in enumerate(self.entries))
        found = [(rate if query else 0.0, i) for rate, i in rated if rate is not None]
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        for _, i in found[:MOST]:
            item = QListWidgetItem()
            entry = self.entries[i]
            item.setData(Qt.ItemDataRole.UserRole, i)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.kind} {entry.text}. {entry.hint} {entry.key}")
            item.setSizeHint(QSize(0, 34))
            self.list.addItem(item)
            self.list.setItemWidget(item, self._row(entry))
        self.list.setCurrentRow(0)

    def _row(self, entry: Entry) -> QWidget:
        row = QWidget()
        row.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        dim = self.theme.text_dim
        kind = f"<span style='color:{dim}'>{escape(entry.kind)}&nbsp; </span>" if entry.kind else ""
        hint = f"<span style='color:{dim}'>&nbsp; {escape(entry.hint)}</span>" if entry.hint else ""
        text = QLabel(f"{kind}{escape(entry.text)}{hint}")
        text.setMinimumWidth(0)
        key = QLabel(f"<span style='color:{self.theme.accent}'>{escape(entry.key)}</span>")
        line = QHBoxLayout(row)
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(text, 1)
        line.addWidget(key)
        return row

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows move in the list while one types."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # no key of the window counts here
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 9, Qt.Key.Key_PageUp: -9}
            if event.key() in steps and self.list.count():
                row = self.list.currentRow() + steps[event.key()]
                self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.accept()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.reject()
                return True
        return super().eventFilter(watched, event)

    def accept(self) -> None:
        """Close, and do what is chosen."""
        item = self.list.currentItem()
        if item is not None:
            super().accept()
            self.entries[item.data(Qt.ItemDataRole.UserRole)].call()


def _rate(query: str, entry: Entry) -> float | None:
    """How well an entry answers: what one can do before what one can read; what is only in its hint comes last."""
    rate = score(query, f"{entry.kind} {entry.text}")
    if rate is None:
        return 0.0 if query.lower() in entry.hint.lower() else None
    return rate + 0.01 * len(entry.kind) - (0.5 if entry.kind == "Help" else 0.0)
