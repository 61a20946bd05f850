"""The help: pages of assets/help in a window of their own, with their contents at the left."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QFont, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

import assets
from app.system.language import speaks_english, tr
from app.theme import Theme
from app.window.guides.markdown_page import Page
from app.window.labels import Plain
from app.window.style import icon
from app.window.widgets import eliding, make

PAGES = Path(assets.__file__).parent / "help"
INDEX = "index"


def read(stem: str) -> str:
    """The Markdown of a page."""
    return (PAGES / f"{stem}.md").read_text(encoding="utf-8")


def contents() -> list[tuple[str, list[tuple[str, str]]]]:
    """The groups of the index page, each with (stem, title) of its pages."""
    groups: list[tuple[str, list[tuple[str, str]]]] = []
    for line in read(INDEX).splitlines():
        if line.startswith("## "):
            groups.append((line[3:], []))
        elif found := re.match(r"- \[(.+?)\]\(([\w-]+)\.md\)", line):
            groups[-1][1].append((found[2], found[1]))
    return [group for group in groups if group[1]]


class HelpWindow(QDialog):
    """Shows a page; stays open beside the main window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("Help"))
        room = self.screen().availableSize()
        self.setMinimumSize(QSize(760, 560).boundedTo(room))
        self.resize(QSize(1060, 800).boundedTo(room * 0.92))  # with its frame, also on the screen of a projector
        self.theme, self.page = theme, ""
        self._history: list[tuple[str, int]] = []
        keys = QKeySequence(QKeySequence.StandardKey.Back)
        hint = tr("Back ({key})").format(key=keys.toString(QKeySequence.SequenceFormat.NativeText))
        self.back_button = make(QToolButton, toolTip=hint, accessibleName=tr("Back"))
        self.back_button.setIconSize(QSize(20, 20))
        self.back_button.clicked.connect(self.back)
        heading = Plain(tr("Help"))
        heading.setProperty("role", "heading")
        self.list = eliding(make(QListWidget, accessibleName=tr("Contents of the help")))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.browser = Page(theme, PAGES)
        self.browser.asked.connect(self._follow)
        self._fill()
        self.list.currentItemChanged.connect(self._chosen)
        QShortcut(keys, self, self.back)
        self._arrange(heading)
        self.set_theme(theme)
        self.show_page(INDEX)

    def _arrange(self, heading: Plain) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.back_button)
        bar.addSpacing(4)
        bar.addWidget(heading, 1)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addLayout(bar)
        if not speaks_english():
            note = Plain(tr("These pages are in English."), wordWrap=True)
            note.setProperty("role", "dim")
            left.addWidget(note)
        left.addWidget(self.list, 1)
        self.list.setFixedWidth(236)
        self.browser.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 14, 14, 14)
        row.setSpacing(14)
        row.addLayout(left)
        row.addWidget(self.browser, 1)
        self.setTabOrder(self.back_button, self.list)
        self.setTabOrder(self.list, self.browser)

    def _fill(self) -> None:
        self.list.ensurePolished()
        self.list.addItem(_entry(INDEX, tr("Contents")))
        for group, pages in contents():
            title = QListWidgetItem(group)
            title.setFlags(Qt.ItemFlag.NoItemFlags)
            title.setToolTip(group)
            title.setSizeHint(QSize(0, 38))
            title.setTextAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
            self.list.addItem(title)
            for stem, name in pages:
                self.list.addItem(_entry(stem, name))

    def show_page(self, stem: str) -> None:
        """Show a page of assets/help by the stem of its file, and remember the one before."""
        if stem != self.page:
            if self.page:
                self._history.append((self.page, self.browser.verticalScrollBar().value()))
            self._open(stem)

    def mark(self, heading: str, text: str) -> None:
        """Scroll to a heading of the page that is shown, and mark a text below it."""
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        for sought in filter(None, (heading, text)):
            self.browser.find(sought)
        bar = self.browser.verticalScrollBar()
        bar.setValue(bar.value() + self.browser.cursorRect().top() - self.browser.viewport().height() // 3)

    def back(self) -> None:
        """To the page before, where it was left."""
        if self._history:
            stem, place = self._history.pop()
            self._open(stem)
            self.browser.verticalScrollBar().setValue(place)

    def set_theme(self, theme: Theme) -> None:
        """Recolour; the page stays where it is."""
        self.theme = theme
        self.back_button.setIcon(icon("chevron-left", theme))
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.flags() == Qt.ItemFlag.NoItemFlags:
                item.setForeground(QColor(theme.text_dim))
        for widget in (self.list, self.browser):
            widget.setFont(_prose())
        place = self.browser.verticalScrollBar().value()
        self.browser.theme = theme
        if self.page:
            self.browser.show_text(read(self.page))
            self.browser.verticalScrollBar().setValue(place)

    def _open(self, stem: str) -> None:
        text = read(stem)
        self.page = stem
        title = text.splitlines()[0].removeprefix("# ")
        self.browser.show_text(text)
        self.browser.setAccessibleName(tr("Page: {title}").format(title=title))
        self.browser.setFocus()
        self.setWindowTitle(tr("Help") if stem == INDEX else tr("{title} – Help").format(title=title))
        self.back_button.setEnabled(bool(self._history))
        self.list.blockSignals(True)
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == stem:
                self.list.setCurrentRow(row)
        self.list.blockSignals(False)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        """With the keys or the mouse; the keys stay in the list, to go on."""
        if item is not None:
            inside = self.list.hasFocus()
            self.show_page(item.data(Qt.ItemDataRole.UserRole))
            if inside:
                self.list.setFocus()

    def _follow(self, url: QUrl) -> None:
        if url.isRelative():
            self.show_page(url.path().removesuffix(".md"))
        else:
            QDesktopServices.openUrl(url)


def _entry(stem: str, title: str) -> QListWidgetItem:
    item = QListWidgetItem(title)
    item.setData(Qt.ItemDataRole.UserRole, stem)
    return item


def _prose() -> QFont:
    """The program's typeface; its digits of one width would make hyphens as wide."""
    font = QApplication.font()
    font.unsetFeature(QFont.Tag("tnum"))
    return font
