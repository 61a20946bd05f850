"""The palette: everything that one can do, open or read, found by a few letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app.theme import Theme
from app.window.guides.fuzzy_search import Text, nearest, score, words
from app.window.guides.help_sections import HelpSection
from app.window.labels import Plain, Rich
from app.window.make_widget import make

MOST = 60  # entries that are listed
STEPS: dict[int, int] = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 9, Qt.Key.Key_PageUp: -9}
ELSEWHERE = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.TabFocusReason)  # one has gone to another control


@dataclass(frozen=True)
class Entry:
    """What can be chosen.

    Attributes
    ----------
    kind : "Open", "Help", ...; "" for a command
    text, hint, key : what it is called, what it does in a few words, its key
    call : what it does
    also : other words for it
    body : the passage of the help that it opens; what was looked for is shown of it, and told to the call
    note : what else is said of it
    removes : the verbs of what it takes away; "": it takes nothing away
    """

    kind: str
    text: str
    hint: str
    key: str
    call: Callable[..., object]
    also: str = ""
    body: HelpSection | None = None
    note: str = ""
    removes: str = ""

    @property
    def found_by(self) -> Text:
        """Its words."""
        body = " ".join((self.note, "" if self.body is None else self.body.text))
        also, told = frozenset(words(self.also)), frozenset(words(body))
        return Text(words(self.text), words(self.kind), also, words(self.hint), told, frozenset(words(self.removes)))


class CommandPalette(QFrame):
    """Type, choose with the arrows, press Return.

    It lies in the window and is no dialog: what is typed right after its key would else still reach the window, whose
    letters are keys too.
    """

    def __init__(self, entries: Sequence[Entry], theme: Theme, parent: QWidget, query: str = "") -> None:
        super().__init__(parent)
        self.setAccessibleName("Commands")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("palette")
        self.entries, self.theme, self._window = entries, theme, parent
        self._texts = [entry.found_by for entry in entries]
        self.line = QLineEdit(placeholderText="Type what you want to do", clearButtonEnabled=True)
        self.line.setAccessibleName("Search commands")
        self.line.installEventFilter(self)
        self.list = make(QListWidget, accessibleName="Commands found", focusPolicy=Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(lambda _: self.accept())
        self.word = Plain("Nothing is found: try fewer letters", alignment=Qt.AlignmentFlag.AlignCenter)
        self.word.setProperty("role", "dim")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        for part in (self.line, self.list, self.word):
            column.addWidget(part)
        self.line.textChanged.connect(self._fill)
        self.line.setText(query)
        self._fill(query)
        self._before = parent.window().focusWidget()
        wide, high = min(620, parent.width() - 20), min(420, parent.height() - 90)
        self.setGeometry((parent.width() - wide) // 2, 70, wide, high)
        self.show()
        self.raise_()
        self.line.setFocus()

    def _fill(self, query: str) -> None:
        query = query.strip()
        self.list.clear()
        found = self._found(query)
        if not found and (likely := nearest(query, self._texts)) is not None:
            found = self._found(query := likely)
        self._query = query
        for i in found[:MOST]:
            item = QListWidgetItem()
            entry = self.entries[i]
            item.setData(Qt.ItemDataRole.UserRole, i)
            told = _told(entry, query)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.kind} {entry.text}. {told} {entry.key}")
            item.setSizeHint(QSize(0, 34))
            self.list.addItem(item)
            self.list.setItemWidget(item, self._row(entry, told))
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(found))
        self.word.setHidden(bool(found))

    def _found(self, query: str) -> list[int]:
        """Numbers of the entries that answer a query, the best first; without one of all but help sections."""
        if not query:
            return [i for i, entry in enumerate(self.entries) if entry.body is None]
        rated = [(score(query, text), i) for i, text in enumerate(self._texts)]
        found = [(_ranked(rate, self.entries[i]), i) for rate, i in rated if rate is not None]
        return [i for _, i in sorted(found, key=lambda pair: (-pair[0], pair[1]))]

    def _row(self, entry: Entry, told: str) -> QWidget:
        row = QWidget()
        row.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        dim = self.theme.text_dim
        kind = f"<span style='color:{dim}'>{escape(entry.kind)}&nbsp; </span>" if entry.kind else ""
        hint = f"<span style='color:{dim}'>&nbsp; {escape(told)}</span>" if told else ""
        text = Rich(f"{kind}{escape(entry.text)}{hint}")
        text.setMinimumWidth(0)
        key = Rich(f"<span style='color:{self.theme.accent}'>{escape(entry.key)}</span>")
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
            if event.key() in STEPS and self.list.count():
                row = self.list.currentRow() + STEPS[event.key()]
                self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.accept()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() in ELSEWHERE:
            self.close()
        return super().eventFilter(watched, event)

    def leave(self) -> None:
        """Close, and give the keyboard back to what had it."""
        self.close()
        before = self._before
        (before if before is not None and isValid(before) else self._window).setFocus()

    def accept(self) -> None:
        """Close, and do what is chosen."""
        item = self.list.currentItem()
        if item is not None:
            entry, query = self.entries[item.data(Qt.ItemDataRole.UserRole)], self._query
            self.leave()
            entry.call(*(() if entry.body is None else (query,)))


def _told(entry: Entry, query: str) -> str:
    """What is said beside an entry: of a passage the words about what is looked for."""
    return entry.hint if entry.body is None else entry.body.excerpt(query)


def _ranked(rate: float, entry: Entry) -> float:
    """What one can do comes before what one can read, that before help sections, and last what takes something away."""
    if entry.kind == "Recent":  # the newest first, however long its name is
        return rate + 0.01 * sum(map(len, words(entry.text))) - 0.3
    return rate - (6.0 if entry.removes else 4.0 if entry.body is not None else 1.5 if entry.kind == "Help" else 0.0)
