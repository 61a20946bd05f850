"""The panel *Which integrator?*: schemes for the motion that is shown, by their cost at an accuracy."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFormLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.system.language import tr
from app.system.sentences import translated
from app.theme import Theme
from app.window.charts.measurement import Measurement
from app.window.labels import Plain, sentence
from app.window.widgets import DecimalBox, make
from physics.analysis.ranking import HEADINGS, Rank, advice, candidates, cells, ranked
from physics.scenario.scenario import Scenario
from physics.systems import under_torque


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


PAGE = "which-integrator"  # of the help


class RankingPanel(Measurement):
    """The ranking for the accuracy that is set; another one is measured anew."""

    explained = Signal(str)  # the page of the help to open

    def __init__(self, scenario: Scenario, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Which integrator?"), QSize(820, 680), theme, parent)
        self.scenario = scenario
        self.ranks: tuple[Rank, ...] = ()
        self.accuracy = DecimalBox()
        self.accuracy.setAccessibleName(tr("Error of the attitude at the end"))
        self.accuracy.setDecimals(4)
        self.accuracy.setRange(0.0001, 90.0)
        self.accuracy.setValue(0.1)
        self.accuracy.setSuffix("°")
        self.accuracy.setKeyboardTracking(False)
        self.every = QCheckBox(tr("All schemes for this kind, not a selection"))
        self.table = reading_table([sentence(tr(word)) for word in HEADINGS], tr("Ranking"))
        self.verdict = Plain(wordWrap=True)
        self.verdict.setProperty("role", "value")
        self.help_button = make(QPushButton, tr("What it means"), autoDefault=False)
        self.help_button.clicked.connect(lambda: self.explained.emit(PAGE))
        head = QFormLayout()
        head.addRow(tr("Error of the attitude at the end"), self.accuracy)
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
                motion=translated(self.scenario.title) or self.scenario.kind,
                duration=self.scenario.duration,
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
        self.table.setRowCount(len(ranks))
        torque = under_torque(self.scenario)
        for line, rank in enumerate(ranks):
            for column, word in enumerate(cells(rank, torque)):
                cell = QTableWidgetItem(translated(word) if column else word)
                if column:
                    cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if not math.isfinite(rank.time):
                    cell.setForeground(QColor(self.theme.text_dim))
                self.table.setItem(line, column, cell)
        self.make_room(self.table)
        self.table.resizeRowsToContents()
        self.verdict.setText(translated(advice(ranks)))
