"""Command palette: commands, scenarios, fields and help, found by a few letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.system.language import tr
from app.theme import Theme
from app.window.guides.fuzzy_search import Text, nearest, score, words
from app.window.guides.help_sections import HelpSection
from app.window.labels import Plain, Rich, tip
from app.window.style import badge_size, with_letters
from app.window.widgets import filled, make

MAX_LISTED = 150  # entries that are listed
ROW = 540  # [pixels] for the texts of a row
SEEN = 30  # rows that get their texts at once, which takes 0.5 ms each: more than are seen before one scrolls
ALIKE = 0.4  # entries that answer a query so nearly as well as the best one do so as well; titles' lengths cost less
GATHERED = 6  # entries with headings, one after another, from which on they are gathered under these
STEPS: dict[int, int] = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 9, Qt.Key.Key_PageUp: -9}
KINDS = (
    "",
    "Open",
    "Recent",
    "Look from",
    "Forget",
    "Continue",
    "Discard",
    "Add scheme",
    "Remove scheme",
    "Chart",
    "Go to",
    "Help",
    "Language",
)
ELSEWHERE = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.TabFocusReason)  # one has gone to another control


@dataclass(frozen=True)
class Entry:
    """Entry of the palette.

    Attributes
    ----------
    kind : one of KINDS
    text, hint, key : what it is called, what it does in a few words, its key
    call : what it does
    also : other words for it
    body : the passage of the help that it opens; the match is shown of it, and passed to the call
    note : what else is said of it
    removes : the verbs of what it takes away; "": it takes nothing away
    heading : under which it stands in a long list; "": under none
    icon : a badge before it, or None
    state : end of the text that is no part of its title: whether it is on
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
    heading: str = ""
    icon: QIcon | None = None
    state: str = ""

    @property
    def found_by(self) -> Text:
        """Its words."""
        body = " ".join((self.note, self.heading, "" if self.body is None else self.body.text))
        also, body_words = frozenset(words(f"{self.also} {self.state}")), frozenset(words(body))
        title = words(self.text.removesuffix(self.state))
        return Text(title, words(tr(self.kind)), also, words(self.hint), body_words, frozenset(words(self.removes)))


class CommandPalette(QFrame):
    """Type, choose with the arrows, press Return.

    It lies in the window and is no dialog: what is typed right after its key would else still reach the window, whose
    letters are keys too.

    source : what the entries act on: the palette closes when that is deleted; None: what stays
    query : what is typed already
    name, prompt : of what is listed, for screen readers, and what the empty line says; "": those of commands
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        theme: Theme,
        parent: QWidget,
        source: QObject | None,
        query: str = "",
        name: str = "",
        prompt: str = "",
    ) -> None:
        super().__init__(parent)
        name = name or tr("Commands")
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("palette")
        self.entries, self.theme, self._window = entries, theme, parent
        if source is not None:
            source.destroyed.connect(self.close)
        self._texts = [entry.found_by for entry in entries]
        self._rates: dict[int, float] = {}  # how well the entries that are found answer what is typed
        self.line = QLineEdit(placeholderText=prompt or tr("Type what you want to do"), clearButtonEnabled=True)
        self.line.setAccessibleName(tr("Search: {name}").format(name=name))
        self.line.installEventFilter(self)
        self.list = make(
            QListWidget, accessibleName=tr("Found: {name}").format(name=name), focusPolicy=Qt.FocusPolicy.NoFocus
        )
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._click)
        self.list.verticalScrollBar().valueChanged.connect(self._dress_seen)
        self.word = Plain(tr("Nothing found: try fewer letters"), "dim", alignment=Qt.AlignmentFlag.AlignCenter)
        filled(QVBoxLayout(self), self.line, self.list, self.word, margins=(10, 10, 10, 10))
        self.line.textChanged.connect(self._fill)
        self.line.setText(query)
        self._fill(query)
        self._before = parent.window().focusWidget()
        wide, high = min(with_letters(620), parent.width() - 20), min(with_letters(420), parent.height() - 90)
        self.setGeometry((parent.width() - wide) // 2, 70, wide, high)
        self.show()
        self.raise_()
        self.line.setFocus()

    def lie_below(self, button: QWidget, size: QSize) -> None:
        """Lie below a button as a drop-down does, or above it where there is more room."""
        room = self._window.rect().adjusted(10, 10, -10, -10)
        place = button.mapTo(self._window, QPoint(0, 0))
        under, over = room.bottom() - (place.y() + button.height() + 4), place.y() - 4 - room.top()
        high = min(size.height(), max(under, over))
        wide = min(size.width(), room.width())
        top = place.y() + button.height() + 4 if high <= under else place.y() - 4 - high
        self.setGeometry(max(room.left(), min(place.x(), room.right() - wide)), top, wide, high)

    def _fill(self, query: str) -> None:
        query = query.strip()
        self.list.clear()
        found = self._found(query)
        if not found and (likely := nearest(query, self._texts)) is not None:
            found = self._found(query := likely)
        self._query = query
        self.list.hide()  # laid out once and not for each row
        for row in gathered(found[:MAX_LISTED], self.entries):
            if isinstance(row, str):
                self._add_heading(row)
            else:
                self._add(row, query)
        self._dress(0)
        self.list.setVisible(bool(found))
        self._choose(self._best(found))
        self.word.setHidden(bool(found))

    def _best(self, found: Sequence[int]) -> int:
        """The row of the best entry; under headings the first one of those that are as good."""
        if self.list.count() == len(found[:MAX_LISTED]):
            return 0
        good = {i for i in found if self._rates[i] >= self._rates[found[0]] - ALIKE}
        return next(row for row in range(self.list.count()) if self._number(row) in good)

    def _choose(self, row: int) -> None:
        """Choose a row; the first one with the heading above it."""
        self.list.setCurrentRow(row)
        if row == 1:
            self.list.scrollToTop()

    def _add(self, number: int, query: str) -> None:
        """List an entry."""
        item, entry = QListWidgetItem(), self.entries[number]
        item.setData(Qt.ItemDataRole.UserRole, number)
        said = f"{tr(entry.kind)} {entry.text}. {_hint(entry, query)} {entry.key} {entry.heading}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, said.strip())
        item.setToolTip(tip(entry.note))
        item.setSizeHint(QSize(0, with_letters(34)))
        self.list.addItem(item)

    def _dress(self, first: int) -> None:
        """Give rows from the first one that is seen their texts, unless they have them."""
        for row in range(first, min(first + SEEN, self.list.count())):
            item, number = self.list.item(row), self._number(row)
            if number is not None and self.list.itemWidget(item) is None:
                self.list.setItemWidget(item, self._row(self.entries[number], _hint(self.entries[number], self._query)))

    def _dress_seen(self) -> None:
        """Give the rows that are scrolled to their texts."""
        self._dress(max(0, self.list.indexAt(QPoint(1, 1)).row()))

    def _add_heading(self, text: str) -> None:
        """List a heading, which cannot be chosen."""
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setForeground(QColor(self.theme.text_dim))
        item.setTextAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
        item.setSizeHint(QSize(0, with_letters(32)))
        self.list.addItem(item)

    def _number(self, row: int) -> int | None:
        """The number of the entry of a row; None of a heading."""
        number: int | None = self.list.item(row).data(Qt.ItemDataRole.UserRole)
        return number

    def _found(self, query: str) -> list[int]:
        """Numbers of the entries that answer a query, the best first; without one of all but help sections."""
        if not query:
            self._rates = {i: 0.0 for i, entry in enumerate(self.entries) if entry.body is None}
        else:
            rated = [(score(query, text), i) for i, text in enumerate(self._texts)]
            self._rates = {i: _ranked(rate, self.entries[i]) for rate, i in rated if rate is not None}
        return sorted(self._rates, key=lambda i: (-self._rates[i], i))

    def _row(self, entry: Entry, excerpt: str) -> QWidget:
        row = QWidget()
        row.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        dim, wide = self.theme.text_dim, self.fontMetrics().horizontalAdvance
        room = with_letters(ROW) - wide(f"{tr(entry.kind)}  {entry.text}  {entry.key}")
        room -= 0 if entry.icon is None else badge_size().width()
        excerpt = self.fontMetrics().elidedText(excerpt, Qt.TextElideMode.ElideRight, max(room, 0))
        kind = f"<span style='color:{dim}'>{escape(tr(entry.kind))}&nbsp; </span>" if entry.kind else ""
        hint = f"<span style='color:{dim}'>&nbsp; {escape(excerpt)}</span>" if excerpt else ""
        text = Rich(f"{kind}{escape(entry.text)}{hint}")
        text.setMinimumWidth(0)
        key = Rich(f"<span style='color:{self.theme.accent}'>{escape(entry.key)}</span>")
        line = filled(QHBoxLayout(row), (text, 1), key, margins=(8, 0, 8, 0))
        if entry.icon is not None:
            badge = Plain()
            badge.setPixmap(entry.icon.pixmap(badge_size(), self.devicePixelRatioF()))
            line.insertWidget(0, badge)
        return row

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows move in the list while one types."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # no key of the window counts here
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in STEPS and self.list.count():
                self._step(STEPS[event.key()])
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

    def _step(self, by: int) -> None:
        """Go so many rows down, or up, past headings."""
        row = min(max(self.list.currentRow() + by, 0), self.list.count() - 1)
        ways = (range(row, self.list.count()), range(row, -1, -1))
        entries = (i for way in (ways if by > 0 else ways[::-1]) for i in way if self._number(i) is not None)
        row = next(entries, self.list.currentRow())
        self.list.setCurrentRow(row)
        if row == 1:
            self.list.scrollToTop()  # to the first heading

    def leave(self) -> None:
        """Close, and give the keyboard back to what had it."""
        self.close()
        before = self._before
        (before if before is not None and isValid(before) else self._window).setFocus()

    def _click(self, item: QListWidgetItem) -> None:
        """Do what is clicked; a heading is nothing to do."""
        if item is self.list.currentItem():
            self.accept()

    def accept(self) -> None:
        """Close, and do what is chosen."""
        item = self.list.currentItem()
        if item is not None:
            entry, query = self.entries[item.data(Qt.ItemDataRole.UserRole)], self._query
            self.leave()
            entry.call(*(() if entry.body is None else (query,)))


def gathered(found: Sequence[int], entries: Sequence[Entry]) -> list[int | str]:
    """The rows of a list: numbers of the entries that are found, and headings before those that they head.

    Where GATHERED or more that have headings follow each other, they stand under them in their own order; a few stay
    as they are found, the best one first.
    """
    rows: list[int | str] = []
    for headed, run in groupby(found, key=lambda i: bool(entries[i].heading)):
        numbers = list(run)
        if not headed or len(numbers) < GATHERED:
            rows += numbers
            continue
        for heading, members in groupby(sorted(numbers), key=lambda i: entries[i].heading):
            rows += [heading, *members]
    return rows


def _hint(entry: Entry, query: str) -> str:
    """Hint beside an entry; of a help passage the words around the match."""
    return entry.hint if entry.body is None else entry.body.excerpt(query)


def _ranked(rate: float, entry: Entry) -> float:
    """Rank of an entry: commands before pages, these before help sections, commands that remove something last."""
    if entry.kind == "Recent":  # the newest first, however long its name is
        return rate + 0.01 * sum(map(len, words(entry.text))) - 0.3
    return rate - (6.0 if entry.removes else 4.0 if entry.body is not None else 1.5 if entry.kind == "Help" else 0.0)
