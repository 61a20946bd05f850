"""The panel *Hydrostatics*: how the ship floats, its righting levers with the criteria, curves of form, KN."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.kinds import kind_of
from app.plots.hydrostatics_sheet import (
    COLOURS,
    LINES,
    Chart,
    cross_chart,
    form_charts,
    groups,
    weather_chart,
    write_sheet,
)
from app.plots.hydrostatics_words import code_words, four, heel_words, judged_value
from app.system.language import tr
from app.system.own_words import title_of
from app.theme import Theme, legible
from app.window.charts.chart import SHADE, line_width, name_axes, still
from app.window.charts.measurement import BAR, EDGE, Measurement, columns_width
from app.window.charts.ranking_panel import reading_table
from app.window.labels import sentence
from app.window.session import Session
from app.window.style import DASHES
from app.window.widgets import across, dim, filled, make, push, save_dialog
from physics import PhysicsError, Scenario, ScenarioError
from physics.core.cancellation import check_wanted
from physics.core.rotation import Array
from physics.hydrostatics.flotation import hydrostatics
from physics.hydrostatics.stability_sheet import Curves, Sheet, curves_of, sheet_of

TABLES = 0.58  # share of the panel's width that tables take at most
NAME_HIGH, NAME_WIDE = 0.055, 0.3  # room for the names of curves, in the extents of their chart


class HydrostaticsPanel(Measurement):
    """The sheet of the ship that is shown, computed anew after each edit.

    sheet, curves : what is shown, or None where it is not known
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Hydrostatics"), QSize(1050, 800), theme, parent)
        if parent is not None:  # beside the panel, whose edits it follows
            self.move(parent.mapToGlobal(QPoint(parent.width() - self.width() - EDGE, 4 * EDGE)))
        self.session = session
        self.scenario: Scenario | None = None
        self.sheet: Sheet | None = None
        self.curves: Curves | None = None
        self.free = make(QCheckBox, tr("Free to trim"), checked=True)
        self.free.setToolTip(tr("Off: at any heel it keeps the trim that balances it upright"))
        self.free.toggled.connect(self._compute)
        self.numbers = reading_table([tr("Quantity"), tr("Value"), tr("Unit")], tr("Hydrostatic numbers"))
        headings = [tr("Criterion"), tr("Value"), tr("At least"), ""]
        self.criteria = reading_table(headings, tr("Stability criteria"))
        self.levers = _plot(theme, tr("Righting levers over heel"))
        self.form = [_plot(theme, tr("Curve of form {number}").format(number=i)) for i in range(1, 7)]
        self.cross = _plot(theme, tr("Cross curves KN over heel"))
        self.wind = _plot(theme, tr("Levers of the weather criterion over heel"))
        self.tabs = make(QTabWidget, accessibleName=tr("Curves"))
        grid = QWidget()
        places = QGridLayout(grid)
        for i, plot in enumerate(self.form):
            places.addWidget(plot, i // 2, i % 2)
        pages = {"GZ": self.levers, tr("Curves of form"): grid, "KN": self.cross, tr("Wind"): self.wind}
        for name, widget in pages.items():
            self.tabs.addTab(widget, name)
        head = across(self.note, self.free)
        self.code = dim("")
        # criteria take up to all their rows; the numbers take the rest
        left = filled(QVBoxLayout(), (self.numbers, 1), (self.criteria, 1), self.code)
        middle = filled(QHBoxLayout(), left, (self.tabs, 1), spacing=14)
        self.save_button = push(tr("Save…"), self.save, autoDefault=False, enabled=False)
        self.save_button.setToolTip(tr("For print (.pdf), or all tables (.csv)"))
        self.arrange(head, middle, tall=middle, buttons=(self.save_button,))
        session.moved.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Compute the sheet of the scenario as it is edited; without a hull that floats a sentence says so."""
        there = self.session.history.there(0)
        scenario = self.scenario = None if there is None else there.schedule.scenario
        if scenario is None or kind_of(scenario).load is None:
            self.note.setText("")
            self.fail(tr("This scenario has no hull that floats"))
            return
        self.note.setText(title_of(scenario) or tr("Untitled"))
        self._compute()

    def _compute(self) -> None:
        """Compute numbers and levers, then what the hull has with any load."""
        scenario, fixed = self.scenario, not self.free.isChecked()
        if scenario is None or (load_of := kind_of(scenario).load) is None:
            return

        def found(_: object) -> Iterable[Sheet | Curves]:
            check_wanted()  # one types on
            load, inputs = load_of(scenario)
            yield sheet_of(load, scenario.g, fixed, inputs)
            yield curves_of(load.hull, load.density, scenario.g, inputs)

        self.save_button.setEnabled(False)
        self.measure(found, self._take)

    def _take(self, found: Sheet | Curves) -> None:
        if isinstance(found, Sheet):
            self.sheet, self.curves = found, None
            self._fill(found)
            self._draw_levers(found)
            self.tabs.setTabVisible(self.tabs.indexOf(self.wind), found.weather is not None)
            if found.weather is not None:
                self._draw(self.wind, weather_chart(found, found.weather))
            return
        self.curves = found
        for plot, chart in zip((*self.form, self.cross), (*form_charts(found), cross_chart(found)), strict=True):
            self._draw(plot, chart)
        self.save_button.setEnabled(True)

    def fail(self, wrong: str) -> None:
        """Say it in place of numbers, which would be those of another load."""
        super().fail(wrong)
        self.sheet = self.curves = None
        self.save_button.setEnabled(False)
        for table in (self.numbers, self.criteria):
            table.setRowCount(0)
        for plot in (self.levers, *self.form, self.cross, self.wind):
            plot.clear()

    def save(self) -> None:
        """Ask for a place, and write the sheet there, which takes some seconds: not here."""
        kinds = tr("For print (*.pdf);;Tables (*.csv)")
        sheet, curves = self.sheet, self.curves
        path = save_dialog(self, tr("Save the hydrostatics"), "hydrostatics.pdf", kinds)
        if path is not None and sheet is not None and curves is not None:

            def written(_: object) -> Iterable[tuple[Callable[[str], None], str]]:
                try:
                    write_sheet(sheet, curves, path)
                except (PhysicsError, ScenarioError) as error:  # the numbers stay
                    yield self.word.say, str(error)
                else:
                    yield self.note.setText, tr("Saved: {path}").format(path=path)

            self.measure(written, lambda news: news[0](news[1]))

    # ---- drawing -----------------------------------------------------------------------------------------

    def _fill(self, sheet: Sheet) -> None:
        self.code.setText(code_words(sheet))
        found, rows = groups(sheet), list[tuple[str, ...]]()
        for head, values in found:
            rows.append((sentence(head), "", ""))
            rows += [(sentence(name), four(value), unit) for name, value, unit in values]
        _fill(self.numbers, rows)
        self.numbers.clearSpans()
        for line, row in enumerate(rows):
            if not row[1] and (cell := self.numbers.item(line, 0)) is not None:
                self.numbers.setSpan(line, 0, 1, 3)
                font = cell.font()
                font.setBold(True)
                cell.setFont(font)
        judged = [
            (
                sentence(tr(one.name)),
                f"{judged_value(one)} {one.unit}",
                f"{one.limit:g}",
                f"{'✗✓'[one.passed]} {tr(one.verdict)}",
            )
            for one in sheet.judged
        ]
        _fill(self.criteria, judged)
        for line, one in enumerate(sheet.judged):
            if (cell := self.criteria.item(line, 3)) is not None:
                cell.setForeground(QColor(self.theme.success if one.passed else self.theme.danger))
        tables = (self.numbers, self.criteria)
        wide, room = 2 * BAR + max(map(columns_width, tables)), round(TABLES * self.width())
        for table in tables:
            table.setFixedWidth(min(wide, room))
        frame = 2 * self.criteria.frameWidth() + self.criteria.horizontalHeader().sizeHint().height()
        bar = self.criteria.horizontalScrollBar().sizeHint().height() if wide > room else 0
        self.criteria.setMaximumHeight(frame + self.criteria.verticalHeader().length() + bar)

    def _draw_levers(self, sheet: Sheet) -> None:
        """The curve on the side to which the hull heels, the slope GM, and the limits of the criteria."""
        levers, plot, theme = sheet.levers, self.levers, self.theme
        heels = np.degrees(levers.heels)
        plot.clear()
        colour = legible(COLOURS[2], theme)
        faint = QColor(colour)
        faint.setAlpha(SHADE)
        under = np.maximum(levers.levers, 0.0)
        plot.plot(heels, under, pen=None, fillLevel=0.0, brush=faint)
        for angle in (30.0, 40.0):
            plot.addItem(pg.InfiniteLine(angle, pen=pg.mkPen(theme.plot_axis, style=Qt.PenStyle.DotLine)))
        plot.addItem(pg.InfiniteLine(0.0, angle=0, pen=pg.mkPen(theme.plot_axis)))
        slope = hydrostatics(levers.upright).gm_transverse
        reach = min(math.radians(57.3), 1.05 * levers.most / slope) if slope > 0.0 < levers.most else 0.0
        line = levers.levers[0] + slope * np.array([0.0, reach])
        pen = pg.mkPen(theme.text_dim, width=line_width(plot), style=Qt.PenStyle.DashLine)
        plot.plot(np.degrees([0.0, reach]), line, pen=pen, name=tr("slope GM"))
        plot.plot(heels, levers.levers, pen=pg.mkPen(colour, width=line_width(plot)), name=tr("righting lever GZ"))
        marks = [(abs(math.degrees(levers.rest.heel)), "o", tr("at rest"))]
        if levers.vanishing is not None:
            angle = math.degrees(levers.vanishing)
            marks.append((angle, "d", tr("vanishes at {angle:.1f}°").format(angle=angle)))
        if (floods := math.degrees(levers.flooding)) <= heels[-1]:
            marks.append((floods, "s", tr("floods at {angle:.1f}°").format(angle=floods)))
        for x, symbol, name in marks:
            look = {"symbol": symbol, "symbolBrush": theme.text, "symbolPen": None, "symbolSize": 9}
            plot.plot([x], [0.0], pen=None, name=name, **look)
        name_axes(plot.getPlotItem(), theme, bottom=heel_words(sheet), left=tr("righting lever GZ [m]"))
        _leave_room(plot, levers.levers)

    def _draw(self, plot: pg.PlotWidget, chart: Chart) -> None:
        plot.clear()
        ends = []
        for (name, values), hue, line in zip(chart.curves, cycle(COLOURS), cycle(LINES), strict=False):
            ink = legible(hue, self.theme)
            pen = pg.mkPen(ink, width=line_width(plot), style=DASHES[line])
            plot.plot(chart.x, values, pen=pen, connect="finite")
            ends.append((float(values[np.isfinite(values)][-1]) if np.isfinite(values).any() else 0.0, name, ink))
        name_axes(plot.getPlotItem(), self.theme, bottom=chart.abscissa, left=chart.ordinate)
        if len(chart.curves) > 1:
            _name_ends(plot, chart, ends)


def _plot(theme: Theme, name: str) -> pg.PlotWidget:
    """Empty axes with a legend; name: for screen readers."""
    plot = pg.PlotWidget(background=theme.window)
    plot.setAccessibleName(name)
    item = still(plot)
    item.showGrid(x=True, y=True, alpha=0.15)
    item.addLegend(offset=(-6, 4), labelTextColor=theme.text, brush=theme.window, colCount=2)
    return plot


def _name_ends(plot: pg.PlotWidget, chart: Chart, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write the name of each curve, in its colour, at its end: (height, name, colour) of each."""
    values = np.concatenate([one for _, one in chart.curves])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    size = high - low or 1.0
    first, last, above = float(chart.x[0]), float(chart.x[-1]), -np.inf
    for height, name, ink in sorted(ends):
        above = max(height, above + NAME_HIGH * size)
        word = pg.TextItem(name, color=ink, anchor=(0.0, 0.5))
        word.setPos(last, above)
        plot.addItem(word)
    plot.setXRange(first, last + NAME_WIDE * (last - first), padding=0.02)
    plot.setYRange(low, max(low + size, above))


def _leave_room(plot: pg.PlotWidget, *curves: Array) -> None:
    """Leave room for the legend above the curves."""
    low, high = min(float(np.nanmin(one)) for one in curves), max(float(np.nanmax(one)) for one in curves)
    plot.setYRange(low, high + 0.2 * (high - low or 1.0))


def _fill(table: QTableWidget, rows: Sequence[Sequence[str]]) -> None:
    """Show rows of words, numbers at the right."""
    table.setRowCount(len(rows))
    for line, row in enumerate(rows):
        for column, word in enumerate(row):
            cell = QTableWidgetItem(word)
            if column in (1, 2) and word.lstrip("-")[:1].isdigit():
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            table.setItem(line, column, cell)
        table.setRowHeight(line, table.sizeHintForRow(line))
