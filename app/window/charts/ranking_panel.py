"""The panel *Which integrator?*: schemes for the motion that is shown, by their cost at an accuracy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFormLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.system.language import tr, translated
from app.system.own_words import title_of
from app.theme import Theme
from app.window.charts.measurement import Measurement
from app.window.labels import Plain, sentence
from app.window.widgets import DecimalBox
from physics.analysis.ranking import HEADINGS, Rank, advice, candidates, cells, end_of, ranked
from physics.scenario.scenario import Scenario


def reading_table(headings: Sequence[str], name: str) -> QTableWidget:
    """An empty table that is read by rows; name: for screen readers."""
    table = QTableWidget(0, len(headings))
    table.setHorizontalHeaderLabels(list(headings))
    table.setAccessibleName(name)
    table.verticalHeader().hide()
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    for column in range(len(headings)):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    header.setStretchLastSection(True)
    return table


def fill_table(table: QTableWidget, rows: Sequence[Sequence[str]], inks: Mapping[int, str]) -> None:
    """Show rows of words, all but the first one at the right; inks: colours of rows, by their numbers."""
    table.setRowCount(len(rows))
    for line, row in enumerate(rows):
        for column, word in enumerate(row):
            cell = QTableWidgetItem(word)
            if column:
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if line in inks:
                cell.setForeground(QColor(inks[line]))
            table.setItem(line, column, cell)


class RankingPanel(Measurement):
    """The ranking for the accuracy that is set; another one is measured anew."""

    def __init__(self, scenario: Scenario, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Which integrator?"), QSize(820, 680), theme, parent)
        self.scenario = scenario
        self.ranks: tuple[Rank, ...] = ()
        sought = tr("Error of the attitude at the end")
        self.accuracy = DecimalBox(accessibleName=sought, decimals=4, suffix="°", keyboardTracking=False)
        self.accuracy.setRange(0.0001, 90.0)
        self.accuracy.setValue(0.1)
        self.every = QCheckBox(tr("All schemes for this kind, not a selection"))
        self.table = reading_table([sentence(tr(word)) for word in HEADINGS], tr("Ranking"))
        self.verdict = Plain("", "value", wordWrap=True)
        self.help_button = self.help_for("which-integrator")
        head = QFormLayout()
        head.addRow(sought, self.accuracy)
        head.addRow("", self.every)
        self.arrange(head, self.note, self.table, self.verdict, tall=self.table, buttons=(self.help_button,))
        self.accuracy.valueChanged.connect(self._ask)
        self.every.toggled.connect(self._ask)
        self._ask()
        self.accuracy.setFocus()

    def _ask(self) -> None:
        """Have the schemes ranked for the accuracy that is set."""
        names = candidates(self.scenario, self.every.isChecked())
        accuracy = math.radians(self.accuracy.value())
        self.measure(lambda progress: [ranked(self.scenario, names, accuracy, progress)], self._draw)
        self._draw(())
        self.verdict.setText(tr("Measuring…"))
        self.note.setText(
            tr(
                "{motion}: the motion of {duration:g} s, from a step of {step:g} s down. Times are those of this "
                "computer, now."
            ).format(
                motion=title_of(self.scenario) or self.scenario.kind,
                duration=end_of(self.scenario),
                step=self.scenario.step,
            )
        )

    def fail(self, wrong: str) -> None:
        """Say it in place of a verdict."""
        super().fail(wrong)
        self.verdict.setText("")

    def _draw(self, ranks: tuple[Rank, ...]) -> None:
        """Show a ranking."""
        self.ranks = ranks
        words = [cells(rank) for rank in ranks]
        dimmed = {line: self.theme.text_dim for line, rank in enumerate(ranks) if not math.isfinite(rank.time)}
        fill_table(self.table, [(first, *map(translated, others)) for first, *others in words], dimmed)
        self.make_room(self.table)
        self.table.resizeRowsToContents()
        self.verdict.setText(translated(advice(ranks)))
