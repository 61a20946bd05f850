"""Chart: one quantity of all lanes over time or another quantity, with a cursor that is the clock."""

from __future__ import annotations

import itertools
import math
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsItem,
    QGraphicsSceneWheelEvent,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.kinds.quantities import NOTHING, Quantity
from app.playback.run import Lane
from app.plots.chart_data import (
    End,
    abscissa_range,
    along,
    along_at,
    axis_range,
    counted,
    end_of,
    reached,
    read_out,
    unknown,
    value_at,
    with_gaps,
)
from app.system.language import tr
from app.theme import Theme, legible
from app.window.charts.axes import EndLetters, NumberAxis, UnitAxis
from app.window.labels import Rich, tip, with_unit
from app.window.style import DASHES, SMALL, with_letters
from app.window.widgets import filled
from physics import Trajectory, World
from physics.core.rotation import Array

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyqtgraph import PlotItem, PlotWidget
    from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent, MouseDragEvent
    from PySide6.QtWidgets import QWidget


Cell = tuple[str, str]  # a text and its colour


class Readout(QWidget):
    """Cells in rows and columns, painted anew while the clock runs: a label of HTML takes 1.3 ms a text, these 0.1."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.rows: list[list[Cell]] = []
        self._lefts: list[float] = []
        self._fit()

    def show_rows(self, rows: list[list[Cell]], rights: list[float]) -> None:
        """Show other cells; rights : where each column ends [pixels], but for the last cell of a row."""
        lefts = [0.0, *rights]
        if (rows, lefts) == (self.rows, self._lefts):
            return
        self.rows, self._lefts = rows, lefts
        self.setAccessibleName(self.text())
        self._fit()
        self.update()

    def text(self) -> str:
        """Text of the read-out, a line for each row."""
        return "\n".join("  ".join(text for text, _ in row) for row in self.rows)

    def sizeHint(self) -> QSize:
        """The room that its texts take."""
        metrics = QFontMetricsF(self.font())
        ends = [left + metrics.horizontalAdvance(text) for row in self.rows for left, (text, _) in self._placed(row)]
        return QSize(math.ceil(max(ends, default=0.0)), self.minimumHeight())

    def changeEvent(self, event: QEvent) -> None:
        """Fit other letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write all cells."""
        metrics = QFontMetricsF(self.font())
        with QPainter(self) as painter:
            for number, row in enumerate(self.rows):
                for left, (text, colour) in self._placed(row):
                    painter.setPen(QColor(colour))
                    painter.drawText(QPointF(left, number * metrics.lineSpacing() + metrics.ascent()), text)

    def _placed(self, row: list[Cell]) -> list[tuple[float, Cell]]:
        return list(zip(self._lefts, row, strict=False))

    def _fit(self) -> None:
        high = math.ceil(max(len(self.rows), 1) * QFontMetricsF(self.font()).lineSpacing())
        if high != self.minimumHeight():
            self.setFixedHeight(high)


FILL = 60  # opacity, of 255, of the area


class Backdrop:
    """Background of a quantity's curves in a plot."""

    def __init__(self, item: pg.PlotItem, quantity: Quantity) -> None:
        self._item, self._quantity, self.behind = item, quantity, NOTHING
        self._world: World | None = None
        self._items: list[tuple[Any, Qt.PenStyle]] = []
        self._pen: tuple[QColor, int] = (QColor("gray"), 1)
        self._area = pg.PlotCurveItem(fillLevel=0.0, pen=None)
        if quantity.background is not None:
            item.addItem(self._area)

    def show(self, world: World) -> None:
        """Draw what stands behind the motions of a world."""
        if world is self._world or self._quantity.background is None:
            return
        self._world, self.behind = world, self._quantity.behind(world)
        for old, _ in self._items:
            self._item.removeItem(old)
        lines = [(pg.InfiniteLine(x, movable=False), Qt.PenStyle.DotLine) for x in self.behind.limits]
        lines += [(pg.InfiniteLine(x, movable=False), Qt.PenStyle.DashLine) for x in self.behind.beyond]
        curves = [(pg.PlotCurveItem(*curve.T, antialias=True), Qt.PenStyle.SolidLine) for curve in self.behind.curves]
        self._items = [*lines, *curves]
        for new, _ in self._items:
            new.setZValue(-5)
            self._item.addItem(new)
        self._draw()

    def fill(self, to: float, time: float) -> None:
        """Fill the area up to an abscissa, under the curve of a time [s]."""
        if self._quantity.background is not None:
            area = self.behind.filled(to, time)
            self._area.setData(*(area.T if len(area) else np.empty((2, 0))))

    def colour(self, theme: Theme, wide: int, ink: str) -> None:
        """Recolour; wide: of a line [pixels]; ink: of the first lane."""
        self._pen = QColor(theme.text_dim), wide
        tint = QColor(ink)
        tint.setAlpha(FILL)
        self._area.setBrush(tint)
        self._draw()

    def _draw(self) -> None:
        colour, wide = self._pen
        for item, style in self._items:
            item.setPen(pg.mkPen(colour, width=wide, style=style))


USUAL = 1200.0  # [pixels] of a window's height up to which lines are as thin as can be
WIDEST = 2.5  # times that width
CURVE = 2.5  # times that width: a curve


def line_width(plot: QWidget) -> int:
    """Width of the lines of a plot [device pixels]: one on a usual screen, more on fine and on large ones."""
    return max(1, round(plot.devicePixelRatioF() * min(max(plot.window().height() / USUAL, 1.0), WIDEST) - 0.01))


def still(plot: PlotWidget) -> PlotItem:
    """Let a plot take no focus, no zooming and no menu of its own; what is drawn in."""
    for part in (plot, plot.viewport()):
        part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    item = plot.getPlotItem()
    item.setMouseEnabled(False, False)
    item.hideButtons()
    item.setMenuEnabled(False)
    return item


def name_axes(item: PlotItem, theme: Theme, **names: str) -> None:
    """Name axes, with their units, and colour them."""
    for side, text in names.items():
        axis = item.getAxis(side)
        axis.setPen(theme.plot_axis)
        axis.setTextPen(theme.plot_axis)
        axis.enableAutoSIPrefix(False)
        item.setLabel(side, text, color=theme.plot_axis, siPrefixEnableRanges=())  # numbers in the unit that is named


WIDE = 50  # [pixels] of the numbers beside a chart: "−5.75e9"
CORNER = 14  # [pixels] right of the plot, for half of the last number below it
ASIDE = 8  # [pixels] left and right of what is in a chart
DIGITS = (4, 3, 2)  # digits of the values that are read out
NOW = 0.05  # weight of a whole run from now beside the whole breadth of a chart, where one points at a curve
SHADE = 36  # opacity, of 255, of the band of errors that are rounding
VEIL = 190  # opacity, of 255, of the patch behind a text in a plot
ROOM = 180.0  # [pixels] of that text at most
LETTERS = 0.4  # largest share of a plot's breadth that letters at the ends of curves take
FAINT = 90  # opacity, of 255, of a curve whose last seconds stand out
LEAST = 110.0  # [pixels] of a chart's height that readouts leave to the plot and the title


class Seeker(pg.ViewBox):  # type: ignore[misc] # pyqtgraph has no types
    """A plot's area in which clicking and dragging moves the playhead."""

    sought = Signal(float)  # the abscissa under the pointer
    zoomed = Signal(float, float)  # by a factor, about an abscissa
    whole = Signal()  # show all of it again

    def mouseClickEvent(self, event: MouseClickEvent) -> None:
        """Move the playhead there."""
        if event.double():
            event.accept()
            self.whole.emit()
        elif event.button() == Qt.MouseButton.LeftButton:
            self._seek(event)

    def mouseDragEvent(self, event: MouseDragEvent, axis: int | None = None) -> None:
        """Drag the playhead along."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek(event)

    def wheelEvent(self, event: QGraphicsSceneWheelEvent, axis: int | None = None) -> None:
        """Come closer, or go away."""
        event.accept()
        self.zoomed.emit(0.8 ** (event.delta() / 120.0), self.mapSceneToView(event.scenePos()).x())

    def _seek(self, event: MouseClickEvent | MouseDragEvent) -> None:
        event.accept()
        self.sought.emit(self.mapSceneToView(event.scenePos()).x())


class Chart(QFrame):
    """One quantity of all lanes."""

    sought = Signal(float)  # [s]
    zoomed = Signal(float, float)
    whole = Signal()

    def __init__(self, quantity: Quantity, lanes: tuple[Lane, ...], world: World, theme: Theme) -> None:
        super().__init__()
        self.quantity, self.name, self.unit = quantity, tr(quantity.title), tr(quantity.unit)
        self.setObjectName("chart")
        self.setAccessibleName(with_unit(self.name, self.unit))
        self.title, self.readout = Rich(wordWrap=True), Readout()
        self.title.setProperty("role", "value")
        self.title.setToolTip(tip(f"{self.name}, {self.unit}"))  # it may not fit
        box = Seeker(enableMenu=False)
        box.sought.connect(self._seek)
        box.zoomed.connect(self.zoomed)
        box.whole.connect(self.whole)
        axis = UnitAxis("s" if quantity.over is None else tr(quantity.over.unit))
        self.plot = pg.PlotWidget(viewBox=box, axisItems={"bottom": axis, "left": NumberAxis(quantity)})
        self.plot.setMinimumSize(0, 0)
        self._fill_layout()
        item = still(self.plot)
        item.disableAutoRange()
        if quantity.over is None or quantity.over.from_zero:  # both take an abscissa that only grows
            item.setClipToView(True)
            item.setDownsampling(auto=True, mode="peak")
        self.backdrop = Backdrop(item, quantity)
        self.band = pg.LinearRegionItem((0.0, 0.0), orientation="horizontal", movable=False, pen=pg.mkPen(None))
        if quantity.decades is not None:
            self.band.setRegion((quantity.decades.begin, quantity.decades.edge))
            self.band.setZValue(-10)
            item.addItem(self.band)
        self.missing = pg.TextItem(anchor=(1.03, 0))  # left of the playhead at the end
        item.addItem(self.missing, ignoreBounds=True)
        self.letters = EndLetters(item, len(lanes) if quantity.over is None else 0)
        self.curves = [item.plot(antialias=True) for _ in lanes]
        self.trails = [item.plot(antialias=True) for _ in lanes] if quantity.trail else []
        self._seen: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # time, abscissa and value that are drawn
        self._counted: list[Array | None] = []  # see chart_data.counted, of each lane when it was drawn
        self._part = 0.0, 1.0  # of the abscissa that is shown, left of letters
        self._ends: list[End | None] = [None] * len(self.letters.texts)
        for curve in self.curves:  # keep the picture of a curve while only the cursor moves: dashes cost
            curve.curve.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.cursor_line = pg.InfiniteLine(movable=False)
        self.dots = [pg.ScatterPlotItem(size=7, pxMode=True, pen=None) for _ in lanes] if quantity.over else []
        for mark in self.dots or [self.cursor_line]:
            item.addItem(mark)
        self.cross = pg.InfiniteLine(movable=False), pg.InfiniteLine(angle=0, movable=False)
        for line in self.cross:
            line.setVisible(False)
            item.addItem(line, ignoreBounds=True)
        self.hovered: QPointF | None = None  # where the pointer is, in the units of the axes
        self._time = 0.0
        self._told: list[float] = []  # the values that are read out, one a lane
        self.plot.scene().sigMouseMoved.connect(self._hover)
        self.plot.viewport().installEventFilter(self)
        axis.setStyle(hideOverlappingLabels=CORNER)  # else narrow charts lack the last number, and with it the unit
        self.range = (0.0, 1.0)  # of the heights of the ordinate
        self.theme, self._width = theme, 1
        box.sigResized.connect(self._arrange_ends)
        self.show_run(lanes, world)

    def _fill_layout(self) -> None:
        self.title.setMinimumWidth(0)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.title.setAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
        filled(QVBoxLayout(self), self.title, self.readout, (self.plot, 1), margins=(ASIDE, 4, ASIDE, 0), spacing=1)

    def show_run(self, lanes: tuple[Lane, ...], world: World) -> None:
        """Draw other lanes, as many as before."""
        self.lanes, self.world, self._counted = lanes, world, []
        self.set_theme(self.theme)

    def set_theme(self, theme: Theme) -> None:
        """Recolour, and follow the size of letters."""
        self.theme = theme
        self._set_letters()
        self.plot.setBackground(theme.window)  # a transparent plot would keep the colour it was first shown on
        self.inks = [legible(lane.scheme.colour, theme, ratio=4.5) for lane in self.lanes]
        self._dim = theme.text_dim
        self._entitle(None)
        self._set_pens()
        if self.letters.texts:
            font = QApplication.font()
            font.setBold(True)
            self.letters.write([lane.scheme.letter for lane in self.lanes], self.inks, font)
        shade, behind = QColor(theme.text_dim), QColor(theme.window)
        shade.setAlpha(SHADE)
        behind.setAlpha(VEIL)
        self.band.setBrush(shade)
        self.missing.setColor(theme.text_dim)
        self.missing.fill = pg.mkBrush(behind)
        for dot, lane in zip(self.dots, self.lanes, strict=False):
            dot.setBrush(QColor(legible(lane.scheme.colour, theme)))
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setPen(pg.mkPen(theme.plot_grid))
            axis.setTextPen(pg.mkPen(theme.plot_axis))

    def _set_letters(self) -> None:
        """Set the axes in smaller letters than the window's."""
        small, decades = QApplication.font(), self.quantity.decades
        small.setPointSizeF(small.pointSizeF() * SMALL)
        for name in ("left", "bottom"):
            self.plot.getAxis(name).setStyle(tickLength=-4, tickFont=small, maxTickLevel=0)
        half = math.ceil(0.5 * QFontMetricsF(small).height())
        self.plot.getPlotItem().layout.setContentsMargins(0, half, CORNER, 0)  # room for numbers at the corners
        words = [] if decades is None else [word for _, word in decades.words(1.0)]
        widest = max(map(QFontMetricsF(small).horizontalAdvance, words), default=0.0)
        numbers = with_letters(WIDE) + math.ceil(QFontMetricsF(small).horizontalAdvance(self.quantity.numbered))
        self.plot.getAxis("left").setWidth(max(numbers, math.ceil(widest) + ASIDE))
        self.missing.setFont(small)

    def _set_pens(self) -> None:
        """Lines that are seen on fine and on large screens; one device pixel is drawn fastest by far."""
        theme = self.theme
        self._width = wide = line_width(self)
        self.backdrop.colour(theme, wide, legible(self.lanes[0].scheme.colour, theme) if self.lanes else theme.text)
        for number, (curve, lane) in enumerate(zip(self.curves, self.lanes, strict=True)):
            style = DASHES[lane.scheme.dash]
            ink = QColor(legible(lane.scheme.colour, theme))
            for trail in self.trails[number : number + 1]:
                trail.setPen(pg.mkPen(ink, width=1.5 * CURVE * wide))
                ink, style = QColor(ink.red(), ink.green(), ink.blue(), FAINT), Qt.PenStyle.SolidLine
            curve.setPen(pg.mkPen(ink, width=CURVE * wide, style=style))
            # a wide line that is drawn whole takes eight times longer; in pieces dashes would close
            curve.curve.setSegmentedLineMode("on" if style is Qt.PenStyle.SolidLine else "auto")
        self.cursor_line.setPen(pg.mkPen(theme.text, width=wide, style=Qt.PenStyle.DashLine))
        for line in self.cross:
            line.setPen(pg.mkPen(theme.text_dim, width=wide, style=Qt.PenStyle.DotLine))

    def draw(
        self, runs: list[tuple[Trajectory, NDArray[np.intp]]], span: float, part: tuple[float, float] | None
    ) -> None:
        """Draw some rows of each trajectory; the abscissa goes to ``span`` [s] for charts over time.

        part : the part of the time [s] that is shown, None for all of it
        """
        self._seen, self._counted = [], []
        for (run, rows), lane in zip(runs, self.lanes, strict=True):
            known = counted(self.quantity, run, lane.world)
            values = self.quantity.of_rows(run, lane.world, rows) if known is None else known[rows]
            self._seen.append((run.time[rows], along(self.quantity, run, lane.world, rows), values))
            self._counted.append(known)
        self.backdrop.show(self.world)
        values = np.concatenate([y for _, _, y in self._seen] + [c[:, 1] for c in self.backdrop.behind.curves])
        self.range = reached(self.quantity, values)
        heights = [self.quantity.heights(y) for _, _, y in self._seen]
        for line, (_, x, _), high in zip(self.curves, self._seen, heights, strict=True):
            line.setData(*with_gaps(self.quantity, x, high))
        if self.quantity.over is not None:
            places = np.concatenate([x for _, x, _ in self._seen])
            self.plot.setXRange(*abscissa_range(self.quantity, places, self.world), padding=0.01)
        else:
            self._part = part or (0.0, max(span, 1e-6))
            self._ends = [end_of(x, high, self._part) for (_, x, _), high in zip(self._seen, heights, strict=True)]

    def _arrange_ends(self) -> None:
        """Show the part of the time, and letters right of the curves."""
        if self.quantity.over is not None:
            return
        (left, right), box = self._part, self.plot.getPlotItem().getViewBox()
        room = min(self.letters.wide / max(box.width(), 1.0), LETTERS)
        self.plot.setXRange(left, left + (right - left) / (1.0 - room), padding=0.0)
        self.letters.place(self._ends, box)

    def set_range(self, low: float, high: float) -> None:
        """Let the ordinate show at least the heights low to high."""
        self.plot.setYRange(*axis_range(self.quantity, low, high), padding=0)
        self._arrange_ends()
        self._say_missing()

    def _say_missing(self) -> None:
        """Say at the upper right from when on no true motion is known."""
        self.missing.setPlainText(unknown(self.quantity, self.lanes))
        (_, right), (_, top) = self.plot.getPlotItem().getViewBox().viewRange()
        self.missing.setPos(right, top)
        room = self.plot.width() - self.plot.getAxis("left").width() - CORNER
        self.missing.setTextWidth(max(1.0, min(room, with_letters(ROOM))))

    def show_time(self, time: float) -> None:
        """Move the cursor, and show the values under it, or under the pointer while it is in the chart."""
        self._time = time
        self.cursor_line.setValue(time)
        told = time if self.hovered is None else self._time_at(self.hovered.x())
        self._entitle(None if self.hovered is None else told)
        self._told = []
        for i, lane in enumerate(self.lanes):
            run, known = lane.trajectory, self._counted[i] if self._counted else None
            self._told.append(value_at(self.quantity, run, lane.world, told, known))
            if self.dots:
                height = self._told[-1] if told == time else value_at(self.quantity, run, lane.world, time, known)
                place = along_at(self.quantity, run, lane.world, time)
                self.dots[i].setData([place], [height])
                if i == 0:
                    self.backdrop.fill(place, time)
        for trail, (t, x, y) in zip(self.trails, self._seen, strict=False):
            rows = slice(*np.searchsorted(t, (time - self.quantity.trail, time)).tolist())
            trail.setData(*with_gaps(self.quantity, x[rows], y[rows]))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other rows of values may fit, and other lines are seen."""
        super().resizeEvent(event)
        layout = self.layout()
        assert layout is not None
        layout.activate()  # the room of the values is that of the new size
        self._arrange()
        if line_width(self) != self._width:
            self._set_pens()
        if self.quantity.true:
            self._say_missing()

    def lines(self, wide: int) -> int:
        """Number of lines of the title in a chart of this width [pixels]."""
        room, metrics = wide - 2 * ASIDE, QFontMetricsF(self.title.font())
        count, left = 1, float(room)
        for word in (*self.name.split(), self.unit):
            length = metrics.horizontalAdvance(f"{word} ")
            if length > left and left < room:
                count, left = count + 1, room
            left -= length
        return count

    def set_lines(self, count: int) -> None:
        """Give the title room for so many lines."""
        self.title.setFixedHeight(math.ceil(count * QFontMetricsF(self.title.font()).lineSpacing()) + 1)

    def _entitle(self, hovered: float | None) -> None:
        """The title, and the time [s] of the values below it where it is that of the pointer."""
        whole = self.unit.replace(" ", "\u00a0").replace("|", "|\u2060")  # a line would end behind a bar too
        beside = whole if hovered is None else tr("at {time:.4g} s").format(time=hovered)
        title = f"{escape(self.name)} <span style='color:{self._dim}'>{escape(beside)}</span>"
        if title != self.title.text():
            self.title.setText(title)

    def _arrange(self) -> None:
        """Write the values of all lanes in as few rows as there need be, and with fewer digits where none would do."""
        metrics = QFontMetricsF(self.readout.font())
        most = max(1, int((self.height() - with_letters(LEAST)) // metrics.height()))
        texts, columns, room = self._fitting(metrics, most)
        cells = list(zip(texts, self.inks, strict=False))
        seen, wide = len(room), self.readout.width()
        if room and room[-1] > wide:  # half a number would be another one
            seen = sum(right + metrics.horizontalAdvance("…") <= wide for right in room)
        rows = [cells[i : i + columns] for i in range(0, len(cells), columns)]
        shown = [[*row[:seen], ("…", self._dim)] if len(row) > seen else row for row in rows]
        self.readout.show_rows(shown, room)
        self.readout.setToolTip(_table(rows))  # eight lanes may not fit

    def _fitting(self, metrics: QFontMetricsF, most: int) -> tuple[list[str], int, list[float]]:
        """The values as texts, the number of columns in which they stand, and the right edge of each column [pixels].

        most : rows at most
        """
        for digits in DIGITS[len(self._told) > 2 :]:
            texts = [
                f"{lane.scheme.letter} {read_out(self.quantity, v, digits)}"
                for lane, v in zip(self.lanes, self._told, strict=False)
            ]
            widths = [metrics.horizontalAdvance(f"{text}  ") for text in texts]
            for count in range(1, most + 1):
                columns = max(1, math.ceil(len(texts) / count))
                widest = (max(widths[i::columns]) for i in range(min(columns, len(texts))))
                room = list(itertools.accumulate(widest))
                if not room or room[-1] <= self.readout.width():
                    return texts, columns, room
        return texts, columns, room

    def _hover(self, place: QPointF) -> None:
        """Cross hairs, and the values there."""
        box = self.plot.getPlotItem().getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        self.hovered = box.mapSceneToView(place) if inside else None
        for line, value in zip(self.cross, (0.0, 0.0) if self.hovered is None else self.hovered.toTuple(), strict=True):
            line.setVisible(inside)
            line.setValue(value)
        self.show_time(self._time)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """No cross hairs without a pointer."""
        if event.type() == QEvent.Type.Leave:
            self._hover(QPointF(-1e9, -1e9))
        return super().eventFilter(watched, event)

    def _time_at(self, x: float) -> float:
        """The time [s] of an abscissa."""
        if self.quantity.over is None or not self._seen:
            return x
        time, places, _ = self._seen[0]
        apart = np.abs(places - x) / (np.ptp(places) or 1.0)  # where it passes more than once: about now
        return float(time[np.argmin(apart + NOW * np.abs(time - self._time) / (np.ptp(time) or 1.0))])

    def _seek(self, x: float) -> None:
        self.sought.emit(self._time_at(x))


def _table(rows: list[list[Cell]]) -> str:
    """Cells in rows, as HTML."""
    lines = (
        "".join(f"<td><span style='color:{colour}'>{escape(text)}</span>&nbsp; </td>" for text, colour in row)
        for row in rows
    )
    return f"<table cellspacing='0' cellpadding='0'><tr>{'</tr><tr>'.join(lines)}</tr></table>"
