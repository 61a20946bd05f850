"""The gallery: examples by what one wants to see or by paper, with pictures, notes and citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

import assets
from app.system.language import tr
from app.system.own_words import note_of, source_of, title_of
from app.theme import Theme
from app.window.guides.example_groups import GROUPS
from app.window.guides.fuzzy_search import Text, score, words
from app.window.labels import Plain, Rich
from app.window.style import with_letters
from app.window.widgets import filled, make, push
from physics import Scenario
from physics.schemes import PAPERS, paper_of

PICTURES = Path(assets.__file__).parent / "gallery"
THUMB = QSize(112, 70)  # size of a row [pixels]
STEPS: dict[int, int] = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class Picture(Plain):
    """A picture as wide as its column."""

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Picture of the example"))
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setMinimumSize(THUMB * 2)
        self._whole = QPixmap()

    def show_file(self, file: Path) -> None:
        """Show the picture in a file."""
        self._whole = QPixmap(str(file))
        self._fit()

    def hasHeightForWidth(self) -> bool:
        """The height is given by the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height [pixels] of a picture of a width."""
        return width * THUMB.height() // THUMB.width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._whole.isNull():
            return
        ratio = self.devicePixelRatioF()
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        fitted = self._whole.scaled(self.size() * ratio, keep, smooth)
        fitted.setDevicePixelRatio(ratio)
        self.setPixmap(fitted)


class Gallery(QDialog):
    """Search by typing, choose with the arrows, open with Return."""

    opened = Signal(object)  # Scenario
    copied = Signal(str)  # BibTeX

    def __init__(self, scenarios: Sequence[tuple[str, Scenario]], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Examples"))
        self.resize(QSize(1080, 660).boundedTo(self.screen().availableSize() * 0.95))
        self.theme, self.scenarios = theme, dict(scenarios)
        self._texts = {stem: _found_by(stem, scenario) for stem, scenario in scenarios}
        self.line = QLineEdit(placeholderText=tr("Search the examples"), clearButtonEnabled=True)
        self.line.setAccessibleName(tr("Search the examples"))
        self.line.installEventFilter(self)
        self.order = make(QComboBox, accessibleName=tr("Groups"), focusPolicy=Qt.FocusPolicy.TabFocus)
        self.order.addItems([tr("By what one sees"), tr("By paper")])
        self.list = make(QListWidget, accessibleName=tr("Examples"), iconSize=THUMB)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.word = Plain(tr("Nothing found: try fewer letters"), "dim", alignment=Qt.AlignmentFlag.AlignCenter)
        self.picture = Picture()
        self.title, self.note = Plain("", "heading", wordWrap=True), Plain(wordWrap=True)
        self.source = Rich(wordWrap=True, openExternalLinks=True)
        self.source.setProperty("role", "dim")
        self.source.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.open_button = push(tr("Open"), self._open, "primary", default=True)
        self.cite_button = push(tr("Copy BibTeX"), self._copy)
        self.cite_button.setToolTip(tr("Copy the entry of this paper for a bibliography"))
        close = push(tr("Close"), self.reject, autoDefault=False)
        buttons = filled(QHBoxLayout(), self.cite_button, 1, close, self.open_button)
        shown = self.picture, self.title, self.note, self.source
        self.right = QWidget()
        filled(QVBoxLayout(self.right), *shown, 1, margins=(0, 0, 0, 0), spacing=10)
        top = filled(QHBoxLayout(), (self.line, 1), self.order, spacing=6)
        left = filled(QVBoxLayout(), top, (self.list, 1), (self.word, 1), spacing=8)
        right = filled(QVBoxLayout(), (self.right, 1), buttons, spacing=10)
        self.line.setMinimumWidth(with_letters(220))
        self.list.setMinimumWidth(with_letters(400))
        filled(QHBoxLayout(self), left, (right, 1), margins=(16, 16, 16, 16), spacing=16)
        self.list.currentItemChanged.connect(self._show)
        self.list.itemDoubleClicked.connect(lambda _: self._open())
        self.line.textChanged.connect(self._fill)
        self.order.currentIndexChanged.connect(self._fill)
        self._fill()
        self.line.setFocus()

    def _fill(self) -> None:
        """List the examples that answer what is typed under their headings; the best one is chosen."""
        asked = self.line.text().strip()
        rates = {stem: score(asked, text) if asked else 0.0 for stem, text in self._texts.items()}
        found = {stem: rate for stem, rate in rates.items() if rate is not None}
        self.list.clear()
        groups = _by_paper(self.scenarios) if self.order.currentIndex() else _by_sight(self.scenarios)
        for title, stems in groups:
            members = [stem for stem in stems if stem in found]
            if members:
                heading = QListWidgetItem(title)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                heading.setForeground(QColor(self.theme.text_dim))
                self.list.addItem(heading)
            for stem in members:
                item = QListWidgetItem(QIcon(str(PICTURES / f"{stem}.webp")), title_of(self.scenarios[stem]))
                item.setData(Qt.ItemDataRole.UserRole, stem)
                self.list.addItem(item)
        self.list.setVisible(bool(found))
        self.word.setHidden(bool(found))
        self.right.setVisible(bool(found))
        for button in (self.open_button, self.cite_button):
            button.setEnabled(bool(found))
        listed = [row for row in range(self.list.count()) if self._stem(row)]
        if listed:
            self._choose(max(listed, key=lambda row: (found[self._stem(row)], -row)))

    def _stem(self, row: int) -> str:
        """The example of a row; "" of a heading."""
        return self.list.item(row).data(Qt.ItemDataRole.UserRole) or ""

    def _choose(self, row: int) -> None:
        """Choose a row; the first one with the heading above it."""
        self.list.setCurrentRow(row)
        if row == 1:
            self.list.scrollToTop()

    @property
    def chosen(self) -> Scenario | None:
        """The example that is shown."""
        item = self.list.currentItem()
        return self.scenarios.get(item.data(Qt.ItemDataRole.UserRole)) if item is not None else None

    def _show(self) -> None:
        scenario = self.chosen
        if scenario is None:
            return
        self.picture.show_file(PICTURES / f"{self._stem(self.list.currentRow())}.webp")
        self.cite_button.setText(tr("Copy BibTeX"))  # of another one than was copied
        self.title.setText(title_of(scenario))
        self.note.setText(note_of(scenario))
        paper = paper_of(scenario.source)
        link = "" if paper is None else escape(paper.link, quote=True)
        where = f" <a href='{link}'>{link}</a>" if link else ""
        self.source.setText(f"{escape(source_of(scenario))}.{where}")

    def _open(self) -> None:
        if self.chosen is not None:
            self.opened.emit(self.chosen)
            self.accept()

    def _copy(self) -> None:
        paper = None if self.chosen is None else paper_of(self.chosen.source)
        if paper is not None:
            self.copied.emit(paper.bibtex)
            self.cite_button.setText(tr("Copied"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows move in the list while one types."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in STEPS:
            by = STEPS[event.key()]
            rows = range(self.list.currentRow() + by, self.list.count() if by > 0 else 0, by)
            self._choose(next((row for row in rows if self._stem(row)), self.list.currentRow()))
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens, also from the list."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.list.hasFocus():
            self._open()
        else:
            super().keyPressEvent(event)


def _found_by(stem: str, scenario: Scenario) -> Text:
    """The words by which an example is found."""
    group = next((tr(title) for title, stems in GROUPS.items() if stem in stems), "")
    body = frozenset(words(f"{source_of(scenario)} {scenario.title} {scenario.note}"))
    return Text(words(title_of(scenario)), words(group), frozenset(words(stem)), words(note_of(scenario)), body)


def _by_sight(scenarios: Mapping[str, Scenario]) -> list[tuple[str, list[str]]]:
    """Groups by what one wants to see: titles and stems."""
    return [(tr(title), [stem for stem in stems if stem in scenarios]) for title, stems in GROUPS.items()]


def _by_paper(scenarios: Mapping[str, Scenario]) -> list[tuple[str, list[str]]]:
    """Groups by paper: titles and stems."""
    papers = {stem: paper_of(scenario.source) for stem, scenario in scenarios.items()}
    return [
        (f"{short}\n{paper.title}", [stem for stem, of_it in papers.items() if of_it is paper])
        for short, paper in PAPERS.items()
    ]
