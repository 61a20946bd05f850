"""The order panel: halve the step, and see by how much the error of each scheme falls, and what that costs."""

from __future__ import annotations

from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.playback.lane_looks import lane_schemes
from app.system.language import tr, translated
from app.theme import Theme, legible
from app.window.charts.chart import line_width, name_axes, still
from app.window.charts.measurement import Measurement
from app.window.labels import Rich
from app.window.style import DASHES
from app.window.widgets import filled, push
from physics import Scenario
from physics.analysis.convergence import (
    AXES,
    HALVINGS,
    Axis,
    Point,
    axes_of,
    drawn,
    motions_of,
    study,
    uncounted,
    verdict,
)
from physics.core.rotation import Array
from physics.systems import torque_free, under_torque


class OrderPanel(Measurement):
    """Errors of the schemes of a run; they appear as they are known."""

    def __init__(self, scenario: Scenario, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Order of convergence"), QSize(380 * len(axes_of(scenario)) + 320, 560), theme, parent)
        self.scenario = scenario
        self.points: list[Point] = []
        self.plots = {axis: _plot(theme, axis) for axis in axes_of(scenario)}
        self.table = Rich(accessibleName=tr("Orders"), wordWrap=True)
        free = {torque_free(scenario.of_lane(name)) for name in motions_of(scenario)}
        against = " / ".join(tr("the exact motion") if one else tr("itself with a far smaller step") for one in free)
        left_out = uncounted(motions_of(scenario)) if under_torque(scenario) else ""
        self.note.setText(
            tr("After two turns of the body, against {against}. {left_out}")
            .format(against=against, left_out=left_out)
            .rstrip()
        )
        self.save_button = push(tr("Save…"), self.save, autoDefault=False, enabled=False)
        self.save_button.setToolTip(tr("For print (.pdf, .svg), as a picture (.png), or the numbers (.csv)"))
        plots = filled(QHBoxLayout(), *self.plots.values(), spacing=14)
        first, *others = self.plots.values()
        for plot in others:
            plot.setYLink(first)
        self.arrange(plots, self.table, self.note, tall=plots, buttons=(self.save_button,))
        self.measure(lambda _: study(scenario), self.points.append)

    def save(self) -> None:
        """Ask for a place, and save the plot there as far as it is known."""
        from app.plots.result_figures import write_order  # here: it loads what draws figures

        kinds = tr("For print (*.pdf);;Drawing (*.svg);;Picture (*.png);;Numbers (*.csv)")
        self.save_as(
            tr("Save the plot"),
            "order.pdf",
            kinds,
            lambda path: write_order(self.points, self.scenario, path),
            self.scenario,
        )

    def look(self) -> None:
        """Draw all that came since the last look at once."""
        known = len(self.points)
        super().look()
        if len(self.points) > known:
            self.busy.setValue(round(100 * len(self.points) / (HALVINGS * len(motions_of(self.scenario)))))
            self.save_button.setEnabled(True)
            self._draw()

    def _draw(self) -> None:
        for axis, plot in self.plots.items():
            plot.clear()
            plot.getAxis("bottom").setTicks(_ticks(drawn(self.points, axis)[0]))
        steps = sorted({point.step for point in self.points})
        places = [float(np.log10(step)) for step in steps]
        named = [(len(steps) - place) % 2 for place in range(len(steps))]  # every second one: all would touch
        words_below = [f"{step:.3g}" if shown else "" for step, shown in zip(steps, named, strict=True)]
        self.plots[AXES[0]].getAxis("bottom").setTicks([list(zip(places, words_below, strict=True)), []])
        words = []
        for scheme in lane_schemes(motions_of(self.scenario)):
            points = [point for point in self.points if point.scheme == scheme.name]
            colour = legible(scheme.colour, self.theme)
            for axis, plot in self.plots.items():
                x, y = drawn(points, axis)
                if len(x):
                    pen = pg.mkPen(colour, width=line_width(plot), style=DASHES[scheme.dash])
                    plot.plot(x, y, pen=pen, symbol="o", symbolSize=7, symbolBrush=colour, symbolPen=None)
            found, promised = map(translated, verdict(scheme, points))
            ink = legible(scheme.colour, self.theme, ratio=4.5)
            name = f"<b>{escape(scheme.letter)}</b> {escape(scheme.title)}"
            words.append(f"<span style='color:{ink}'>{name}: {found}</span> ({promised})")
        self.table.setText("<br>".join(words))


def _ticks(seen: Array) -> list[list[tuple[float, str]]]:
    """Numbers below a logarithmic axis with these values: powers of ten, and between few of them 3, 30, ..."""
    if not len(seen):
        return [[], []]
    low, high = np.floor(np.log10(seen.min())), np.ceil(np.log10(seen.max()))
    tens = 10.0 ** np.arange(low, high + 1.0)
    named = tens if high - low > 2 else np.outer(tens, (1.0, 3.0)).ravel()
    lines = np.outer(tens, np.arange(2.0, 10.0)).ravel()
    return [[(float(np.log10(x)), f"{x:.6g}") for x in named], [(float(np.log10(x)), "") for x in lines]]


def _plot(theme: Theme, over: Axis) -> pg.PlotWidget:
    """Empty logarithmic axes for errors [°]."""
    plot = pg.PlotWidget(background=theme.window)
    plot.setAccessibleName(tr("Attitude error over: {axis}").format(axis=tr(over.label).partition(" [")[0]))
    item = still(plot)
    item.setLogMode(True, True)
    item.showGrid(x=True, y=True, alpha=0.25)
    item.getViewBox().setDefaultPadding(0.06)  # else the number at the corner is left out
    name_axes(item, theme, bottom=tr(over.label), left=tr("attitude error [°]"))
    return plot
