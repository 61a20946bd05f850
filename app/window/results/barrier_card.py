"""What the barriers of an ensemble met: shares, statistics, and how a quantity is spread over the crossings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QGroupBox

from app.ensemble.source import Summary
from app.playback.lane_looks import lane_schemes
from app.system.language import tr
from app.theme import Theme, legible
from app.window.charts.axes import name_axes, still
from app.window.results.statistics_tables import NAMES, barrier_table, scaled
from app.window.style import DASHES
from app.window.widgets import across, column_in, dim, drop_down, eliding, table
from physics.ensembles.statistics import QUANTITIES

if TYPE_CHECKING:
    from pyqtgraph import PlotWidget


class BarrierCard(QGroupBox):
    """One barrier at a time; hidden where a scenario has none."""

    def __init__(self, theme: Theme, space: QObject) -> None:
        super().__init__(tr("Barriers"))
        self.setVisible(False)
        self.theme = theme
        self.told: Mapping[str, Summary] = {}
        self.choice = eliding(drop_down(tr("Barrier"), space))
        self.quantity = drop_down(tr("Quantity at the barrier"), space)
        for name in QUANTITIES:
            self.quantity.addItem(tr(NAMES[name]), name)
        for box in (self.choice, self.quantity):
            box.activated.connect(lambda _: self._refresh())
        self.table = table(tr("What the barrier met"))
        note = dim(tr("Barriers measure and do not stop: every crossing of the centre of mass counts."))
        column = self._column = column_in(self)
        column.addLayout(across(self.choice, self.quantity))
        for widget in (self.table, note):
            column.addWidget(widget)

    @cached_property
    def plot(self) -> PlotWidget:
        """How a quantity is spread; made when there is one."""
        import pyqtgraph as pg  # here: it takes long to load, and a window waits for it

        plot = pg.PlotWidget()
        plot.setFixedHeight(130)
        still(plot)
        self._column.insertWidget(2, plot)
        return plot

    def show_told(self, told: Mapping[str, Summary]) -> None:
        """Show the results of a moment."""
        self.told = told
        names = [barrier["name"] for barrier in next(iter(told.values())).barriers] if told else []
        self.setVisible(bool(names))
        if [self.choice.itemText(i) for i in range(self.choice.count())] != names:
            self.choice.clear()
            self.choice.addItems(names)
        self._refresh()

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        self._refresh()

    def _refresh(self) -> None:
        barrier, quantity = self.choice.currentIndex(), self.quantity.currentData()
        if barrier < 0 or not self.told:
            return
        import pyqtgraph as pg

        self.plot.clear()
        self.plot.setBackground(self.theme.panel)
        self.table.setText(barrier_table(self.told, barrier, quantity, self.theme))
        found = {scheme: told.barriers[barrier] for scheme, told in self.told.items()}
        factor, unit = scaled(max(one[quantity]["max"] for one in found.values()), QUANTITIES[quantity])
        for row, one in zip(lane_schemes(tuple(found)), found.values(), strict=True):
            histogram = one["histograms"][quantity]
            pen = pg.mkPen(legible(row.colour, self.theme), width=1, style=DASHES[row.dash])
            edges, counts = factor * np.array(histogram["edges"]), histogram["crossings"]
            self.plot.plot(edges, counts, stepMode="center", pen=pen)
        measured = f"{tr(NAMES[quantity].lower())} [{unit}]"
        name_axes(self.plot.getPlotItem(), self.theme, bottom=measured, left=tr("crossings"))
