"""The panel of report cards: choose a scheme, and see what it keeps, its order and its reach."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.system.error_text import in_words
from app.theme import Theme
from app.window.cards import Explanation, dim
from app.window.charts.reading_table import reading_table
from app.window.labels import Plain
from app.window.lane_style import BADGE, badge
from app.window.make_widget import make
from app.window.save_dialog import save_dialog
from physics import SCHEMES, PhysicsError, ScenarioError
from physics.analysis.card_items import CardItem, agreement, card_items, differences, verdict
from physics.analysis.report_card import ReportCard, check
from physics.core.cancellation import GivenUp, until
from physics.schemes.scheme import Scheme

HEADINGS = ("Item", "Found", "Measured", "Claimed")
PAGE = "report-card"  # of the help
# a sign for each class, so that nobody needs the colour; which of the theme's colours it has
SIGNS = {
    "kept": ("●", "success"),
    "yes": ("●", "success"),
    "bounded": ("◐", "accent"),
    "drifts": ("▲", "warning"),
    "dissipates": ("▼", "warning"),
    "does not converge": ("✕", "danger"),
    "unsolved": ("✕", "danger"),
    "no solution": ("✕", "danger"),
    "no": ("○", "text_dim"),
}


@dataclass(frozen=True)
class _News:
    """What the worker tells of a scheme: the share that is done, its card, or what went wrong."""

    scheme: str
    share: float = 1.0
    card: ReportCard | None = None
    wrong: str = ""


class ReportCardPanel(QDialog):
    """Measures in a thread of its own, one scheme after the other; a card that is known is shown at once."""

    explained = Signal(str)  # the page of the help that is asked for

    def __init__(self, scheme: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Report card")
        self.resize(840, min(740, self.screen().availableGeometry().height() - 60))  # all lines of a card, where it can
        self.theme = theme
        self.cards: dict[str, ReportCard] = {}
        self.choice = make(QComboBox, accessibleName="Scheme", iconSize=QSize(BADGE))
        self.choice.setMaxVisibleItems(30)
        for name, row in SCHEMES.items():
            self.choice.addItem(badge(row, theme, self.devicePixelRatioF()), f"{row.title} ({name})", name)
        self.choice.setCurrentIndex(self.choice.findData(scheme))
        self.note = dim()
        self.table = reading_table(HEADINGS, "Report card")
        self.verdict, self.agreement = Plain(wordWrap=True), Plain(wordWrap=True)
        self.verdict.setProperty("role", "value")
        self.busy = make(QProgressBar, maximum=100, textVisible=False, accessibleName="Measuring")
        self.word = Explanation()
        self.help_button = make(QPushButton, "What it means", autoDefault=False)
        self.help_button.clicked.connect(lambda: self.explained.emit(PAGE))
        self.save_button = make(QPushButton, "Save…", autoDefault=False, enabled=False)
        self.save_button.setToolTip("As text (.txt), or as JSON (.json)")
        self.save_button.clicked.connect(self.save)
        self.close_button = QPushButton("Close", default=True)
        self.close_button.clicked.connect(self.close)
        self._arrange()
        self._asked: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[_News] = queue.SimpleQueue()
        self._wanted = ""  # the scheme whose card is waited for; read by the worker
        self.worker = threading.Thread(target=self._work, name="report card", daemon=True)
        self.worker.start()
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        self.choice.currentIndexChanged.connect(self._choose)
        self._choose()
        self.choice.setFocus()

    def _arrange(self) -> None:
        foot = QHBoxLayout()
        foot.addWidget(self.busy, 1)
        foot.addWidget(self.word, 1)
        foot.addStretch(1)
        for button in (self.help_button, self.save_button, self.close_button):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        for part in (self.choice, self.note):
            column.addWidget(part)
        column.addWidget(self.table, 1)
        column.addWidget(self.verdict)
        column.addWidget(self.agreement)
        column.addLayout(foot)

    @property
    def scheme(self) -> str:
        """The name of the chosen scheme."""
        return str(self.choice.currentData())

    @property
    def claims(self) -> Scheme | None:
        """The row whose claims are compared: a scheme of the user's own claims nothing."""
        row = SCHEMES[self.scheme]
        return row if row.code is None else None

    @property
    def card(self) -> ReportCard | None:
        """The card that is shown."""
        return self.cards.get(self.scheme)

    def save(self) -> None:
        """Ask for a place, and save the card there."""
        from app.export.card_file import write_card  # here: it loads what writes files

        if self.card is None:
            return
        path = save_dialog(self, "Save the card", f"{self.scheme}-card.txt", "Text (*.txt);;JSON (*.json)")
        if path is None:
            return
        try:
            write_card(self.card, self.claims, path)
        except (PhysicsError, ScenarioError) as error:
            self.word.say(str(error))
        else:
            self.word.say("")
            self.note.setText(f"Saved: {path}")

    def stop(self) -> None:
        """End the measurement soon; a march of some thousand steps, or a kernel that compiles, is not waited for."""
        self._wanted = ""
        self._asked.put(None)
        self._timer.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the measurement too."""
        self.stop()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """The same with Esc, which closes without that event."""
        self.stop()
        super().done(result)

    # ---- the worker ------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (name := self._asked.get()) is not None:
            if name != self._wanted:
                continue
            try:
                with until(lambda name=name: self._wanted != name):  # type: ignore[misc]
                    card = check(SCHEMES[name], lambda share, name=name: self._news.put(_News(name, share)))  # type: ignore[misc]
                self._news.put(_News(name, card=card))
            except GivenUp:
                continue
            except Exception as error:  # noqa: BLE001 - told in words
                self._news.put(_News(name, wrong=str(in_words(error, "the card failed"))))

    def _choose(self) -> None:
        """Show the card of the chosen scheme, or have it measured."""
        self._wanted = self.scheme
        self.word.say("")
        row = SCHEMES[self.scheme]
        self.note.setText(f"{row.short}, {row.equations}. Serves {', '.join(row.kinds)}.")
        if self.card is None:
            self._asked.put(self.scheme)
        self._draw()

    def _look(self) -> None:
        while not self._news.empty():
            news = self._news.get()
            if news.card is not None:
                self.cards[news.scheme] = news.card
            if news.scheme != self.scheme:
                continue
            self.busy.setValue(round(100 * news.share))
            if news.wrong:
                self.busy.hide()
                self.word.say(news.wrong)
            if news.card is not None:
                self._draw()

    # ---- what is shown ---------------------------------------------------------------------------------

    def _draw(self) -> None:
        card = self.card
        self.busy.setVisible(card is None)
        self.busy.setValue(0)
        self.save_button.setEnabled(card is not None)
        if card is None:
            self.table.setRowCount(0)
            self.verdict.setText("Measuring…")
            self.agreement.setText("")
            return
        items = card_items(card, self.claims)
        self.table.setRowCount(len(items))
        for line, item in enumerate(items):
            for column, cell in enumerate(self._cells(item)):
                self.table.setItem(line, column, cell)
        self.table.resizeRowsToContents()
        told = verdict(card)
        self.verdict.setText(f"{told[:1].upper()}{told[1:]}.")
        self.agreement.setText(agreement(items))
        self.agreement.setProperty("role", "error" if differences(items) else "dim")
        self.agreement.style().polish(self.agreement)

    def _cells(self, item: CardItem) -> tuple[QTableWidgetItem, ...]:
        sign, colour = SIGNS.get(item.found, ("", "text"))
        found = QTableWidgetItem(f"{sign}  {item.found}" if sign else item.found)
        found.setForeground(QColor(getattr(self.theme, colour)))
        claimed = QTableWidgetItem(f"✕  {item.claimed}" if item.agrees is False else item.claimed)
        if item.agrees is False:
            claimed.setForeground(QColor(self.theme.danger))
        name = item.name[:1].upper() + item.name[1:]
        return QTableWidgetItem(name), found, QTableWidgetItem(item.measured), claimed
