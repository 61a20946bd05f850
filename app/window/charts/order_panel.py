"""The order panel: halve the step, and see by how much the error of each scheme falls, and what that costs."""

from __future__ import annotations

import queue
import threading
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.playback.lane_looks import lane_schemes
from app.system.error_text import in_words
from app.theme import Theme, legible
from app.window.cards import Explanation, dim
from app.window.charts.axes import line_width, name_axes, still
from app.window.labels import Rich
from app.window.lane_style import DASHES
from app.window.make_widget import make
from app.window.save_dialog import save_dialog
from physics import PhysicsError, Scenario, ScenarioError
from physics.analysis.convergence import HALVINGS, Point, drawn, schemes_of, study, verdict
from physics.systems import system_of


class OrderPanel(QDialog):
    """Computes in a thread of its own; errors appear as they are known."""

    def __init__(self, scenario: Scenario, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Order of convergence")
        self.resize(min(1080, self.screen().availableGeometry().width() - 40), 560)
        self.scenario, self.theme = scenario, theme
        self.points: list[Point] = []
        self.plot = _plot(theme, "Attitude error over the step", "step [s]")
        self.cost = _plot(theme, "Attitude error over the computing time", "computing time [s]")
        self.table = Rich(accessibleName="Orders")
        self.table.setWordWrap(True)
        against = "the exact motion" if system_of(scenario).torque_free else "itself with a far smaller step"
        self.note = dim(f"After two turns of the body, against {against}.")
        self.busy = make(QProgressBar, maximum=HALVINGS * len(schemes_of(scenario)), accessibleName="Computing")
        self.save_button = make(QPushButton, "Save…", autoDefault=False, enabled=False)
        self.save_button.setToolTip("For print (.pdf, .svg), as a picture (.png), or the numbers (.csv)")
        self.save_button.clicked.connect(self.save)
        self.word = Explanation()
        self.close_button = QPushButton("Close", default=True)
        self.close_button.clicked.connect(self.close)
        foot = QHBoxLayout()
        foot.addWidget(self.busy, 1)
        foot.addWidget(self.word, 1)
        foot.addStretch(1)
        foot.addWidget(self.save_button)
        foot.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        plots = QHBoxLayout()
        plots.setSpacing(14)
        plots.addWidget(self.plot)
        plots.addWidget(self.cost)
        column.addLayout(plots, 1)
        column.addWidget(self.table)
        column.addWidget(self.note)
        column.addLayout(foot)
        self._news: queue.SimpleQueue[Point | str | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self.worker = threading.Thread(target=self._work, name="order", daemon=True)
        self.worker.start()
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    @property
    def finished_computing(self) -> bool:
        """Whether all errors are known."""
        return not self._timer.isActive()

    def save(self) -> None:
        """Ask for a place, and save the plot there as far as it is known."""
        from app.plots.order_file import write_order  # here: it loads what draws figures

        kinds = "For print (*.pdf);;Drawing (*.svg);;Picture (*.png);;Numbers (*.csv)"
        path = save_dialog(self, "Save the plot", "order.pdf", kinds)
        if path is None:
            return
        try:
            write_order(self.points, self.scenario, path)
        except (PhysicsError, ScenarioError) as error:
            self.word.say(str(error))
        else:
            self.word.say("")
            self.note.setText(f"Saved: {path}")

    def stop(self) -> None:
        """End the computation soon; a halving that is long, or a kernel that compiles, is not waited for."""
        self._stopped.set()
        self._timer.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the computation too."""
        self.stop()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """The same with Esc, which closes without that event."""
        self.stop()
        super().done(result)

    def _work(self) -> None:
        try:
            for point in study(self.scenario):
                if self._stopped.is_set():
                    return
                self._news.put(point)
        except Exception as error:  # noqa: BLE001 - told in words
            self._news.put(str(in_words(error, "the study failed")))
        self._news.put(None)

    def _look(self) -> None:
        known = len(self.points)
        while not self._news.empty():
            news = self._news.get()
            if isinstance(news, Point):
                self.points.append(news)
            elif isinstance(news, str):
                self.table.setText(escape(news))
            else:
                self._timer.stop()
                self.busy.hide()
        if len(self.points) > known:
            self.busy.setValue(len(self.points))
            self.save_button.setEnabled(True)
            self._draw()

    def _draw(self) -> None:
        self.plot.clear()
        self.cost.clear()
        steps = sorted({point.step for point in self.points})
        places = [float(np.log10(step)) for step in steps]
        named = [(len(steps) - place) % 2 for place in range(len(steps))]  # every second one: all would touch
        words_below = [f"{step:.3g}" if shown else "" for step, shown in zip(steps, named, strict=True)]
        self.plot.getAxis("bottom").setTicks([list(zip(places, words_below, strict=True)), []])
        words = []
        for scheme in lane_schemes(schemes_of(self.scenario)):
            points = [point for point in self.points if point.scheme == scheme.name]
            colour = legible(scheme.colour, self.theme)
            for plot in (self.plot, self.cost):
                x, y = drawn(points, over_time=plot is self.cost)
                if len(x):
                    pen = pg.mkPen(colour, width=line_width(plot), style=DASHES[scheme.dash])
                    plot.plot(x, y, pen=pen, symbol="o", symbolSize=7, symbolBrush=colour, symbolPen=None)
            found, promised = verdict(scheme, points)
            ink = legible(scheme.colour, self.theme, ratio=4.5)
            name = f"<b>{escape(scheme.letter)}</b> {escape(scheme.title)}"
            words.append(f"<span style='color:{ink}'>{name}: {found}</span> ({promised})")
        self.table.setText("<br>".join(words))


def _plot(theme: Theme, name: str, bottom: str) -> pg.PlotWidget:
    """Empty logarithmic axes for errors [°]; name: for screen readers."""
    plot = pg.PlotWidget(background=theme.window)
    plot.setAccessibleName(name)
    item = still(plot)
    item.setLogMode(True, True)
    item.showGrid(x=True, y=True, alpha=0.25)
    item.getViewBox().setDefaultPadding(0.06)  # else the number at the corner is left out
    name_axes(item, theme, bottom=bottom, left="attitude error [°]")
    return plot
