"""Computed run-outs beside measured ones: cumulated shares, and what tells by how much they differ."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGroupBox

from app.ensemble.source import Summary
from app.playback.lane_looks import lane_schemes
from app.system.language import tr
from app.system.sentences import told
from app.theme import Theme, legible
from app.window.charts.axes import name_axes, still
from app.window.labels import Plain
from app.window.results.statistics_tables import validation_table
from app.window.style import DASHES
from app.window.widgets import Explanation, column_in, dim, table

if TYPE_CHECKING:
    from pyqtgraph import PlotWidget


class ValidationCard(QGroupBox):
    """Hidden where nothing was measured."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(tr("Beside what was measured"))
        self.setVisible(False)
        self.theme = theme
        self.told: Mapping[str, Summary] = {}
        self.table, self.fault, self.note = table(tr("Run-outs beside measured ones")), Explanation(), dim(_note())
        self.fitted = Plain(wordWrap=True, visible=False)
        self._column = column_in(self)
        for widget in (self.fault, self.fitted, self.table, self.note):
            self._column.addWidget(widget)

    @cached_property
    def plot(self) -> PlotWidget:
        """The cumulated shares; made when there are some."""
        import pyqtgraph as pg  # here: it takes long to load, and a window waits for it

        plot = pg.PlotWidget()
        plot.setFixedHeight(170)
        plot.setAccessibleName(tr("Share of rocks over run-out, measured and computed"))
        still(plot)
        self._column.insertWidget(0, plot)
        return plot

    def show_told(self, told: Mapping[str, Summary]) -> None:
        """Show the results of a moment."""
        self.told = {name: one for name, one in told.items() if one.validation}
        self.setVisible(bool(self.told))
        self._refresh()

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        self._refresh()

    def _refresh(self) -> None:
        faults = [one.validation["fault"] for one in self.told.values() if "fault" in one.validation]
        self.fault.say(faults[0] if faults else "")
        whole = bool(self.told) and not faults
        fitted = {one.validation["fitted"]: None for one in self.told.values() if "fitted" in one.validation}
        self.fitted.setText("\n".join(map(told, fitted)))
        self.fitted.setVisible(bool(fitted))
        for widget in (self.table, self.note):
            widget.setVisible(whole)
        if whole:
            self.table.setText(validation_table(self.told, self.theme))
            self._draw()
        if "plot" in self.__dict__:
            self.plot.setVisible(whole)

    def _draw(self) -> None:
        import pyqtgraph as pg

        self.plot.clear()
        self.plot.setBackground(self.theme.panel)
        share = np.linspace(0.0, 100.0, 101)
        for row, one in zip(lane_schemes(tuple(self.told)), self.told.values(), strict=True):
            pen = pg.mkPen(legible(row.colour, self.theme), width=1, style=DASHES[row.dash])
            self.plot.plot(one.validation["computed"]["computed"]["percentiles"], share, pen=pen)
        measured = next(iter(self.told.values())).validation["measured"]["percentiles"]
        self.plot.plot(measured, share, pen=pg.mkPen(self.theme.text, width=2, style=Qt.PenStyle.SolidLine))
        below, left = tr("run-out [m]; bold: measured"), tr("at most so far [%]")
        name_axes(self.plot.getPlotItem(), self.theme, bottom=below, left=left)


def _note() -> str:
    return tr(
        "Field: measured. Apart: how many metres run-outs would have to be moved in the mean to be the measured ones, "
        "in brackets what chance alone makes of so few stops. By chance: how often two samples of one distribution "
        "differ as much (Kolmogorov, Smirnov). Bands: the middle of the computed, and how many measured lie there. "
        "Last column: a constant angle of reach down the fall line, fitted to nothing. Rocks not at rest count where "
        "they were last."
    )
