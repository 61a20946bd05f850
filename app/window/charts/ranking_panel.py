"""The panel *Which integrator?*: the schemes for the motion that is shown, by what an accuracy costs."""

from __future__ import annotations

import math
import queue
import threading
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
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
from app.window.make_widget import make
from physics.analysis.ranking import HEADINGS, Rank, advice, cells, ranked
from physics.analysis.work_precision import selection
from physics.core.cancellation import GivenUp, until
from physics.scenario.scenario import Scenario
from physics.schemes import serving
from physics.systems import system_of

PAGE = "which-integrator"  # of the help


@dataclass(frozen=True)
class _Question:
    """What is to be ranked."""

    schemes: tuple[str, ...]
    accuracy: float  # [rad]


@dataclass(frozen=True)
class _News:
    """What the worker tells of a question: the share that is done, its ranking, or what went wrong."""

    question: _Question
    share: float = 1.0
    ranks: tuple[Rank, ...] = ()
    wrong: str = ""


class RankingPanel(QDialog):
    """Measures in a thread of its own; another question, or closing, ends what it measures."""

    explained = Signal(str)  # the page of the help that is asked for

    def __init__(self, scenario: Scenario, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Which integrator?")
        self.resize(820, min(680, self.screen().availableGeometry().height() - 60))
        self.scenario, self.theme = scenario, theme
        self.ranks: tuple[Rank, ...] = ()
        self.accuracy = make(QDoubleSpinBox, accessibleName="Error of the attitude at the end")
        self.accuracy.setDecimals(4)
        self.accuracy.setRange(0.0001, 90.0)
        self.accuracy.setValue(0.1)
        self.accuracy.setSuffix("°")
        self.accuracy.setKeyboardTracking(False)
        self.every = QCheckBox("All schemes that serve it, not a choice of them")
        self.note = dim()
        self.table = reading_table([word.capitalize() for word in HEADINGS], "Ranking")
        self.verdict = Plain(wordWrap=True)
        self.verdict.setProperty("role", "value")
        self.busy = make(QProgressBar, maximum=100, textVisible=False, accessibleName="Measuring")
        self.word = Explanation()
        self.help_button = make(QPushButton, "What it means", autoDefault=False)
        self.help_button.clicked.connect(lambda: self.explained.emit(PAGE))
        self.close_button = QPushButton("Close", default=True)
        self.close_button.clicked.connect(self.close)
        self._arrange()
        self._asked: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[_News] = queue.SimpleQueue()
        self._wanted: _Question | None = None  # read by the worker
        self.worker = threading.Thread(target=self._work, name="ranking", daemon=True)
        self.worker.start()
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        self.accuracy.valueChanged.connect(self._ask)
        self.every.toggled.connect(self._ask)
        self._ask()
        self.accuracy.setFocus()

    def _arrange(self) -> None:
        head = QFormLayout()
        head.addRow("Error of the attitude at the end", self.accuracy)
        head.addRow("", self.every)
        foot = QHBoxLayout()
        foot.addWidget(self.busy, 1)
        foot.addWidget(self.word, 1)
        foot.addStretch(1)
        for button in (self.help_button, self.close_button):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.note)
        column.addWidget(self.table, 1)
        column.addWidget(self.verdict)
        column.addLayout(foot)

    def stop(self) -> None:
        """End the measurement soon; a run of one scheme, or a kernel that compiles, is not waited for."""
        self._wanted = None
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
        while (asked := self._asked.get()) is not None:
            if asked is self._wanted:
                self._measure(asked)

    def _measure(self, asked: _Question) -> None:
        try:
            with until(lambda: self._wanted is not asked):
                told = ranked(
                    self.scenario, asked.schemes, asked.accuracy, lambda share: self._news.put(_News(asked, share))
                )
            self._news.put(_News(asked, ranks=told))
        except GivenUp:
            return
        except Exception as error:  # noqa: BLE001 - told in words
            self._news.put(_News(asked, wrong=str(in_words(error, "the ranking failed"))))

    def _ask(self) -> None:
        """Have the schemes ranked for the accuracy that is set."""
        kind, own = self.scenario.served, self.scenario.schemes
        names = serving(kind) if self.every.isChecked() else dict.fromkeys([*own, *selection(kind)])
        self._wanted = _Question(tuple(names), math.radians(self.accuracy.value()))
        self._asked.put(self._wanted)
        self.note.setText(
            f"{self.scenario.title or self.scenario.kind}: the motion of {self.scenario.duration:g} s, from a step of "
            f"{self.scenario.step:g} s down. Times are those of this computer, now."
        )
        self.word.say("")
        self.ranks = ()
        self._draw()

    def _look(self) -> None:
        while not self._news.empty():
            news = self._news.get()
            if news.question is not self._wanted:
                continue
            self.busy.setValue(round(100 * news.share))
            if news.wrong:
                self.busy.hide()
                self.verdict.setText("")
                self.word.say(news.wrong)
            if news.ranks:
                self.ranks = news.ranks
                self._draw()

    def _draw(self) -> None:
        """Show the ranking, or that it is measured."""
        self.busy.setVisible(not self.ranks)
        self.busy.setValue(0)
        self.table.setRowCount(len(self.ranks))
        torque = system_of(self.scenario).torque
        for line, rank in enumerate(self.ranks):
            for column, word in enumerate(cells(rank, torque)):
                cell = QTableWidgetItem(word)
                if column:
                    cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if not math.isfinite(rank.time):
                    cell.setForeground(QColor(self.theme.text_dim))
                self.table.setItem(line, column, cell)
        self.table.resizeRowsToContents()
        self.verdict.setText(advice(self.ranks) if self.ranks else "Measuring…")
