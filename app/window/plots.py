"""The row of plots below the view: one chart a quantity, one curve a lane, one cursor, the clock."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QGraphicsItem, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.colours import Theme
from app.run import Lane, Run
from app.window.ink import DASHES, legible
from app.window.series import CHARTS, Series, distance, drawn, nice_range, rows
from physics import Trajectory, World


class Seeker(pg.ViewBox):
    """A plot's area in which clicking and dragging moves the playhead."""

    sought = Signal(float)  # the abscissa under the pointer

    def mouseClickEvent(self, event) -> None:
        """Move the playhead there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek(event)

    def mouseDragEvent(self, event, axis=None) -> None:
        """Drag the playhead along."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek(event)

    def wheelEvent(self, event, axis=None) -> None:
        """The ranges are fixed."""
        event.ignore()

    def _seek(self, event) -> None:
        event.accept()
        self.sought.emit(self.mapSceneToView(event.scenePos()).x())


class UnitAxis(pg.AxisItem):
    """An axis whose last number that is not cut off bears the unit."""

    def __init__(self, unit: str) -> None:
        super().__init__("bottom")
        self.unit = unit

    def tickStrings(self, values, scale, spacing) -> list[str]:
        """The numbers, one with the unit."""
        texts = super().tickStrings(values, scale, spacing)
        low, high = self.range
        shown = [i for i, value in enumerate(values) if value < high - 18.0 / max(self.width(), 1.0) * (high - low)]
        if shown:
            texts[shown[-1]] += f" {self.unit}"
        return texts


class Chart(QFrame):
    """One quantity of all lanes."""

    sought = Signal(float)  # [s]

    def __init__(self, series: Series, lanes: tuple[Lane, ...], world: World, theme: Theme) -> None:
        super().__init__()
        self.series, self.lanes, self.world = series, lanes, world
        self.setObjectName("chart")
        self.setAccessibleName(f"{series.title} in {series.unit}")
        self.title, self.readout = QLabel(), QLabel()
        self.title.setProperty("role", "value")
        self.readout.setProperty("role", "small")
        box = Seeker(enableMenu=False)
        box.sought.connect(self._seek)
        axis = UnitAxis("m" if series.over_distance else "s")
        self.plot = pg.PlotWidget(viewBox=box, axisItems={"bottom": axis})
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setMinimumSize(0, 0)
        self._fill_layout()
        item = self.plot.getPlotItem()
        item.hideButtons()
        item.layout.setContentsMargins(0, 7, 14, 0)  # room for numbers at the corners
        item.setMouseEnabled(False, False)
        item.disableAutoRange()
        item.setLogMode(False, series.log)
        item.setClipToView(True)
        item.setDownsampling(auto=True, mode="peak")
        self.curves = [item.plot(antialias=True) for _ in lanes]
        for curve in self.curves:  # keep the picture of a curve while only the cursor moves: dashes cost
            curve.curve.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.cursor = pg.InfiniteLine(movable=False)
        self.dots = [pg.ScatterPlotItem(size=7, pxMode=True, pen=None) for _ in lanes] if series.over_distance else []
        for mark in self.dots or [self.cursor]:
            item.addItem(mark)
        small = self.font()
        small.setPointSizeF(small.pointSizeF() * 0.85)
        for name in ("left", "bottom"):
            self.plot.getAxis(name).setStyle(tickLength=-4, tickFont=small, maxTickLevel=0)
        self.plot.getAxis("left").setWidth(46)
        self.range = (0.0, 1.0)  # of the ordinate; of its exponents on a logarithmic axis
        self.set_theme(theme)

    def _fill_layout(self) -> None:
        for label in (self.title, self.readout):
            label.setMinimumWidth(0)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 0)
        column.setSpacing(1)
        column.addWidget(self.title)
        column.addWidget(self.readout)
        column.addWidget(self.plot, 1)

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.plot.setBackground(theme.window)  # a transparent plot would keep the colour it was first shown on
        self.inks = [legible(lane.scheme.colour, theme, ratio=4.5) for lane in self.lanes]
        self.title.setText(f"{self.series.title} <span style='color:{theme.text_dim}'>{self.series.unit}</span>")
        for curve, lane in zip(self.curves, self.lanes, strict=True):
            colour = legible(lane.scheme.colour, theme)
            curve.setPen(pg.mkPen(colour, width=1, style=DASHES[lane.scheme.dash]))
        for dot, lane in zip(self.dots, self.lanes, strict=False):
            dot.setBrush(QColor(legible(lane.scheme.colour, theme)))
        self.cursor.setPen(pg.mkPen(theme.text, width=1, style=Qt.PenStyle.DashLine))
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setPen(pg.mkPen(theme.plot_grid))
            axis.setTextPen(pg.mkPen(theme.plot_axis))

    def draw(self, runs: list[Trajectory], span: float) -> None:
        """Draw the (thinned) trajectories; the abscissa goes to ``span`` [s] for charts over time."""
        low, high, far = np.inf, -np.inf, span
        for curve, run in zip(self.curves, runs, strict=True):
            y = self.series.values(run, self.world)
            x = distance(run, self.world) if self.series.over_distance else run.time
            curve.setData(x, y)
            seen = np.log10(y) if self.series.log else y
            low, high = min(low, float(seen.min())), max(high, float(seen.max()))
            if self.series.over_distance:
                far = max(float(x.max()), 1.0) if curve is self.curves[0] else max(far, float(x.max()))
        self.range = (low, high)
        far = nice_range(0.0, far, log=False)[1] if self.series.over_distance else far
        self.plot.setXRange(0.0, max(far, 1e-6), padding=0.01)

    def set_range(self, low: float, high: float) -> None:
        """Let the ordinate show at least low to high."""
        self.plot.setYRange(*nice_range(low, high, self.series.log), padding=0)

    def show_time(self, time: float) -> None:
        """Move the cursor, and tell the values under it."""
        parts = []
        self.cursor.setValue(time)
        for i, (lane, colour) in enumerate(zip(self.lanes, self.inks, strict=True)):
            run = lane.trajectory
            at = run.index(time)
            row = rows(run, np.array([0, at]))
            value = float(self.series.values(row, self.world)[-1])
            text = _short(value, 4 if len(self.lanes) < 3 else 3)
            parts.append(f"<span style='color:{colour}'>{lane.scheme.letter} {text}</span>")
            if self.dots:
                self.dots[i].setData([float(distance(row, self.world)[-1])], [value])
        self.readout.setText("&nbsp; ".join(parts))
        self.readout.setToolTip(self.readout.text())  # four lanes may not fit

    def _seek(self, x: float) -> None:
        if not self.series.over_distance:
            self.sought.emit(x)
            return
        run = self.lanes[0].trajectory
        self.sought.emit(float(run.time[np.argmin(np.abs(distance(run, self.world) - x))]))


def _short(value: float, digits: int) -> str:
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}"
    return f"{value:.{digits - 3}e}".replace("e-0", "e-").replace("e+0", "e")


class Plots(QWidget):
    """The row of charts of the run that is shown."""

    sought = Signal(float)  # [s]

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("plots")
        self.theme = theme
        self.charts: list[Chart] = []
        self.run: Run | None = None
        self.lanes: tuple[Lane, ...] = ()
        self._drawn: tuple[int, ...] = ()
        self._time = -1.0
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 6, 8, 6)
        self._row.setSpacing(8)
        self.setMinimumHeight(150)

    def show_run(self, run: Run, lanes: tuple[Lane, ...]) -> None:
        """Draw another run; lanes: those of the run, and of what it is compared with."""
        assert run.world is not None
        for chart in self.charts:
            self._row.removeWidget(chart)
            chart.hide()
            chart.deleteLater()
        self.run, self.lanes, self._drawn = run, lanes, ()
        self.charts = [
            Chart(series, lanes, run.world, self.theme) for series in CHARTS.get(run.scenario.kind, CHARTS["free"])
        ]
        for chart in self.charts:
            chart.sought.connect(self.sought)
            self._row.addWidget(chart, 1)

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        for chart in self.charts:
            chart.set_theme(theme)

    def refresh(self, time: float) -> None:
        """Draw what was recorded since the last time, and move the cursor to a time [s]."""
        if self.run is None or not self.isVisible():
            return
        lengths = (*(len(lane.recording) for lane in self.lanes), int(self.run.finished))
        if lengths != self._drawn:
            self._drawn = lengths
            self._draw(self.run)
        elif time == self._time:
            return
        self._time = time
        for chart in self.charts:
            chart.show_time(time)

    def _draw(self, run: Run) -> None:
        runs = [drawn(lane.trajectory) for lane in self.lanes]
        span = run.reached if run.finished else run.scenario.duration
        for chart in self.charts:
            chart.draw(runs, span)
        for chart in self.charts:
            group = [c for c in self.charts if c is chart or (c.series.group and c.series.group == chart.series.group)]
            chart.set_range(min(c.range[0] for c in group), max(c.range[1] for c in group))
