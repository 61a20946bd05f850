"""The panel of report cards: choose a scheme, and see what it keeps, its order and its reach."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QTableWidgetItem, QWidget

from app.system.language import capitalised, tr, translated
from app.theme import Theme
from app.window.charts.measurement import Measurement
from app.window.charts.ranking_panel import reading_table
from app.window.labels import Plain
from app.window.style import badge, badge_size
from app.window.widgets import make, push, set_role
from physics import SCHEMES
from physics.analysis.card_items import CardItem, agreement, card_items, differences, verdict
from physics.analysis.report_card import ReportCard, check

HEADINGS = ("Item", "Found", "Measured", "Claimed")
# a sign for each class, so that the colour is not needed; which of the theme's colours it has
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


class ReportCardPanel(Measurement):
    """The card of the chosen scheme; one that is known is shown at once."""

    def __init__(self, scheme: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Report card"), QSize(940, 740), theme, parent)  # all of a card, where it can
        self.cards: dict[str, ReportCard] = {}
        self.choice = make(QComboBox, accessibleName=tr("Scheme"), iconSize=badge_size(), maxVisibleItems=30)
        for name, row in SCHEMES.items():
            self.choice.addItem(badge(row, theme, self.devicePixelRatioF()), f"{row.title} ({name})", name)
        self.choice.setCurrentIndex(self.choice.findData(scheme))
        self.table = reading_table([*map(tr, HEADINGS)], tr("Report card"))
        self.verdict, self.agreement = Plain("", "value", wordWrap=True), Plain(wordWrap=True)
        self.help_button = self.help_for("report-card")
        self.save_button = push(tr("Save…"), self.save, autoDefault=False, enabled=False)
        self.save_button.setToolTip(tr("As text (.txt), or as JSON (.json)"))
        parts = (self.choice, self.note, self.table, self.verdict, self.agreement)
        self.arrange(*parts, tall=self.table, buttons=(self.help_button, self.save_button))
        self.choice.currentIndexChanged.connect(self._choose)
        self._choose()
        self.choice.setFocus()

    @property
    def scheme(self) -> str:
        """The name of the chosen scheme."""
        return str(self.choice.currentData())

    @property
    def card(self) -> ReportCard | None:
        """The card that is shown."""
        return self.cards.get(self.scheme)

    def save(self) -> None:
        """Ask for a place, and save the card there."""
        from app.export.card_file import write_card  # here: it loads what writes files

        if (card := self.card) is None:
            return
        self.save_as(
            tr("Save the card"),
            f"{self.scheme}-card.txt",
            tr("Text (*.txt);;JSON (*.json)"),
            lambda path: write_card(card, SCHEMES[card.scheme].claims, path),
        )

    def _choose(self) -> None:
        """Show the card of the chosen scheme, or have it measured."""
        row = SCHEMES[self.scheme]
        self.note.setText(
            tr("{short}, {equations}. Serves {kinds}.").format(
                short=row.short, equations=row.equations, kinds=", ".join(row.kinds)
            )
        )
        self.word.say("")
        if self.card is None:
            self.measure(lambda progress: [check(row, progress)], self._take)
        else:
            self.give_up()
        self._draw()

    def _take(self, card: ReportCard) -> None:
        self.cards[card.scheme] = card
        self._draw()

    def fail(self, wrong: str) -> None:
        """Say it in place of a verdict."""
        super().fail(wrong)
        self.verdict.setText("")

    # ---- what is shown ---------------------------------------------------------------------------------

    def _draw(self) -> None:
        card = self.card
        self.save_button.setEnabled(card is not None)
        if card is None:
            self.table.setRowCount(0)
            self.verdict.setText(tr("Measuring…"))
            self.agreement.setText("")
            return
        items = card_items(card, SCHEMES[card.scheme].claims)
        self.table.setRowCount(len(items))
        for line, item in enumerate(items):
            for column, cell in enumerate(self._cells(item)):
                self.table.setItem(line, column, cell)
        self.make_room(self.table)
        self.table.resizeRowsToContents()
        self.verdict.setText(f"{capitalised(translated(verdict(card)))}.")
        self.agreement.setText(translated(agreement(items)))
        set_role(self.agreement, "error" if differences(items) else "dim")

    def _cells(self, item: CardItem) -> tuple[QTableWidgetItem, ...]:
        sign, colour = SIGNS.get(item.found, ("", "text"))
        found = QTableWidgetItem(f"{sign}  {translated(item.found)}".strip())
        found.setForeground(QColor(getattr(self.theme, colour)))
        words = translated(item.claimed)
        claimed = QTableWidgetItem(f"✕  {words}" if item.agrees is False else words)
        if item.agrees is False:
            claimed.setForeground(QColor(self.theme.danger))
        name = translated(item.name)
        name = name[:1].upper() + name[1:]
        return QTableWidgetItem(name), found, QTableWidgetItem(translated(item.measured)), claimed
