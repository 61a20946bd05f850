"""The panel *Compare schemes*: the lanes of a run beside the true motion, in sentences and as a table to copy."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget

from app.playback.run import Run
from app.playback.verdicts import HEADINGS, ranking, verdict_table, verdicts
from app.system.language import tr
from app.system.own_words import title_of
from app.theme import Theme
from app.window.charts.measurement import Measurement
from app.window.charts.ranking_panel import fill_table, reading_table
from app.window.labels import Plain, sentence
from app.window.widgets import push


class ComparisonPanel(Measurement):
    """The comparison of a run whose true motions are known."""

    def __init__(self, run: Run, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Compare schemes"), QSize(920, 420), theme, parent)
        self.rows: list[tuple[str, ...]] = []
        self.table = reading_table([sentence(tr(word)) for word in HEADINGS], tr("Comparison"))
        self.verdict = Plain("\n".join(filter(None, [*verdicts(run.lanes), ranking(run.lanes)])), wordWrap=True)
        self.note.setText(
            tr("{motion}: {duration:g} s with a step of {step:g} s").format(
                motion=title_of(run.scenario) or run.scenario.kind,
                duration=run.scenario.duration,
                step=run.scenario.step,
            )
        )
        self.copy_button = push(tr("Copy"), self.copy, autoDefault=False)
        self.arrange(self.note, self.verdict, self.table, tall=self.table, buttons=(self.copy_button,))
        self.measure(lambda _: [verdict_table(run.lanes)], self._draw)

    def copy(self) -> None:
        """Copy the sentences and the table, with tabs between columns."""
        lines = ["\t".join(cells) for cells in ([sentence(tr(word)) for word in HEADINGS], *self.rows)]
        QApplication.clipboard().setText("\n".join([self.verdict.text(), "", *lines]))
        self.note.setText(tr("Copied"))

    def _draw(self, rows: list[tuple[str, ...]]) -> None:
        self.rows = rows
        fill_table(self.table, rows, {})
        self.make_room(self.table)
        self.table.resizeRowsToContents()
