"""The gallery: every example of the papers, with a picture, what to look for, and the citation."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

import assets
from app.system.language import tr
from app.system.own_words import note_of, source_of, title_of
from app.theme import Theme
from app.window.labels import Plain, Rich
from app.window.style import with_letters
from app.window.widgets import filled, make, push
from physics import Scenario
from physics.schemes import PAPERS, paper_of

PICTURES = Path(assets.__file__).parent / "gallery"
WIDE, HIGH = 480, 300


class Gallery(QDialog):
    """Choose with the arrows, open with Return."""

    opened = Signal(object)  # Scenario
    copied = Signal(str)  # BibTeX

    def __init__(self, scenarios: Sequence[tuple[str, Scenario]], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Examples of the papers"))
        self.resize(980, 640)
        self.theme = theme
        self.list = make(QListWidget, accessibleName=tr("Examples"), iconSize=QSize(112, 70))
        self.list.setFixedWidth(with_letters(420))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.picture = Plain(accessibleName=tr("Picture of the example"))
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
        right = filled(QVBoxLayout(), *shown, 1, buttons, spacing=10)
        filled(QHBoxLayout(self), self.list, (right, 1), margins=(16, 16, 16, 16), spacing=16)
        self.scenarios: dict[str, Scenario] = {}
        self._fill(scenarios)
        self.list.currentItemChanged.connect(self._show)
        self.list.itemDoubleClicked.connect(lambda _: self._open())
        self.list.setCurrentRow(1)
        self.list.setFocus()

    def _fill(self, scenarios: Sequence[tuple[str, Scenario]]) -> None:
        for short, paper in PAPERS.items():
            of_it = [(stem, scenario) for stem, scenario in scenarios if paper_of(scenario.source) is paper]
            if of_it:
                heading = QListWidgetItem(f"{short}\n{paper.title}")
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                heading.setForeground(QColor(self.theme.text_dim))
                self.list.addItem(heading)
            for stem, scenario in of_it:
                item = QListWidgetItem(QIcon(str(PICTURES / f"{stem}.png")), title_of(scenario))
                item.setData(Qt.ItemDataRole.UserRole, stem)
                self.scenarios[stem] = scenario
                self.list.addItem(item)

    @property
    def chosen(self) -> Scenario | None:
        """The example that is shown."""
        item = self.list.currentItem()
        return self.scenarios.get(item.data(Qt.ItemDataRole.UserRole)) if item is not None else None

    def _show(self) -> None:
        scenario = self.chosen
        if scenario is None:
            return
        picture = QPixmap(str(PICTURES / f"{self.list.currentItem().data(Qt.ItemDataRole.UserRole)}.png"))
        self.picture.setPixmap(
            picture.scaled(WIDE, HIGH, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        )
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens, also from the list."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.list.hasFocus():
            self._open()
        else:
            super().keyPressEvent(event)
