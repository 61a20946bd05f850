"""The plot below the view, and the names of others to choose from; the part of the time that it shows, and files."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.kinds import kind_of
from app.playback.run import Lane, Run
from app.plots.chart_data import drawn
from app.system.language import tr
from app.theme import Theme
from app.window.style import with_letters
from app.window.widgets import filled, make, take_out
from physics import Scenario

if TYPE_CHECKING:
    from app.window.charts.chart import Chart

MOST = 6  # charts to choose from by a click
NARROW = 240  # [pixels] of the chart: the window fits a screen of 1024 with both panels open
HIGH = 150  # [pixels] of names and chart, at usual letters
SHARE = 5.0  # curves that grow are drawn so seldom that it takes at most a fifth of the time
PICTURE, PRINT = (1920, 1080), (680, 454)  # pixels; in print a page of 180 x 120 mm


class Plots(QWidget):
    """The charts of the run that is shown, one of which is seen, large; names : the buttons that choose it."""

    sought = Signal(float)  # [s]

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("plots")
        self.theme = theme
        self.charts: list[Chart] = []
        self.titles: dict[str, list[str]] = {}  # kind -> titles of the charts that the user chose
        self.part: tuple[float, float] | None = None  # of the time [s] that is shown, None for all
        self.run: Run | None = None
        self.lanes: tuple[Lane, ...] = ()
        self._begun = False
        self._first: tuple[Run, tuple[Lane, ...]] | None = None  # what is to be shown from the beginning
        self._drawn: tuple[float, ...] = ()
        self._next = 0.0  # not before this time are curves drawn that grow
        self._time = -1.0
        self._seen = ""  # title of the chart that is seen, while there is one of this title
        self.names: list[QToolButton] = []
        self.logarithmic = make(QToolButton, checkable=True, autoRaise=True)
        self.logarithmic.setText(tr("logarithmic"))
        self.logarithmic.setStyleSheet("padding: 1px 8px;")
        self.logarithmic.toggled.connect(self._show_again)
        self._strip = filled(QHBoxLayout(), 1, self.logarithmic, spacing=2)
        self._row = filled(QVBoxLayout(self), self._strip, margins=(8, 4, 8, 6), spacing=2)

    def show_run(self, run: Run, lanes: tuple[Lane, ...]) -> None:
        """Draw another run; lanes: those of the run, and of what it is compared with.

        The first one when ``begin`` is called: the view comes first.
        """
        if not self._begun:
            self._first = run, lanes
            return
        from app.window.charts.chart import Chart  # here: it takes long to load, and a window waits for it

        assert run.world is not None
        if self.run is None or self.run.scenario.duration != run.scenario.duration:
            self.part = None
        titles = self.titles.get(run.scenario.kind) or run.scenario.export.charts
        wanted = kind_of(run.scenario).chosen(titles, run.world, self.logarithmic.isChecked())
        kept = wanted == tuple(chart.quantity for chart in self.charts) and len(lanes) == len(self.lanes)
        self.run, self.lanes, self._drawn = run, lanes, ()
        if kept:  # as after most edits: a new row of charts takes 0.1 s
            for chart in self.charts:
                chart.show_run(lanes, run.world)
            return
        take_out(self._row, *self.charts)
        self.charts = [Chart(quantity, lanes, run.world, self.theme) for quantity in wanted]
        for chart in self.charts:
            chart.sought.connect(self.sought)
            chart.zoomed.connect(self.zoom)
            chart.whole.connect(self.show_all)
            self._row.addWidget(chart, 1)
        self._name()
        self._fit()

    @property
    def drawn(self) -> bool:
        """True if the charts of the run are drawn, or hidden."""
        return self.run is not None and (bool(self._drawn) or not self.isVisible())

    def begin(self) -> None:
        """The view has its picture: draw the first run."""
        self._begun = True
        if self._first is not None:
            self.show_run(*self._first)
            self._first = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The title may take other lines."""
        super().resizeEvent(event)
        self._fit()

    def _name(self) -> None:
        """Make the buttons with the names of the charts anew."""
        take_out(self._strip, *self.names)
        self.names = []
        for number, chart in enumerate(self.charts):
            button = make(QToolButton, checkable=True, autoRaise=True)
            button.setText(tr(chart.quantity.title))
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            button.setProperty("elides", True)
            button.setStyleSheet("padding: 1px 8px;")
            button.setToolTip(tr(chart.quantity.title))
            button.clicked.connect(partial(self.see, chart.quantity.title))
            self._strip.insertWidget(number, button, button.sizeHint().width())
            self.names.append(button)
        for before, after in pairwise([self.logarithmic, *self.names, self.logarithmic] if self.names else []):
            QWidget.setTabOrder(before, after)

    def _show_again(self) -> None:
        """Draw other charts of the run, or the same ones otherwise."""
        if self.run is not None:
            self.show_run(self.run, self.lanes)

    def see(self, title: str) -> None:
        """Show the chart of a title in place of the one that is seen."""
        self._seen = title
        self._fit()

    def _fit(self) -> None:
        """Show the chosen chart, or the first one."""
        titles = [chart.quantity.title for chart in self.charts]
        seen = titles.index(self._seen) if self._seen in titles else 0
        for number, (chart, name) in enumerate(zip(self.charts, self.names, strict=True)):
            chart.setVisible(number == seen)
            name.setChecked(number == seen)
            name.setMaximumWidth(name.sizeHint().width())
        self.logarithmic.setVisible(any(chart.quantity.true for chart in self.charts[seen : seen + 1]))
        for chart in self.charts[seen : seen + 1]:
            chart.set_lines(chart.lines(self.width() - 16))

    def set_theme(self, theme: Theme) -> None:
        """Recolour, and follow the size of letters."""
        self.theme = theme
        self.setMinimumSize(NARROW, with_letters(HIGH))
        for chart in self.charts:
            chart.set_theme(theme)
        self._fit()
        self._time = -1.0  # the values are coloured too

    def refresh(self, time: float) -> None:
        """Draw what was recorded since the last time, and move the cursor to a time [s]."""
        if self.run is None or not self.isVisible():
            return
        truths = (-1.0 if lane.truth is None else lane.truth.valid_until for lane in self.lanes)
        lengths = (*(len(lane.recording) for lane in self.lanes), *truths, int(self.run.finished))
        now = perf_counter()
        if lengths != self._drawn and (now > self._next or self.run.finished or not self._drawn):
            self._drawn = lengths
            self._draw(self.run)
            self._next = now + SHARE * (perf_counter() - now)
        elif time == self._time:
            return
        self._time = time
        for chart in self.charts:
            chart.show_time(time)

    def _draw(self, run: Run) -> None:
        runs = [(lane.trajectory, drawn(lane.trajectory)) for lane in self.lanes]
        for chart in self.charts:
            chart.draw(runs, self._span(run), self.part)
        for chart in self.charts:
            group = [
                c for c in self.charts if c is chart or (c.quantity.group and c.quantity.group == chart.quantity.group)
            ]
            chart.set_range(min(c.range[0] for c in group), max(c.range[1] for c in group))

    @staticmethod
    def _span(run: Run) -> float:
        return run.reached if run.finished else run.scenario.duration

    # ---- what the user steers --------------------------------------------------------------------------

    def zoom(self, factor: float, about: float | None = None) -> None:
        """Show a part of the time, shorter by a factor below 1, about a time [s] (that of the playhead)."""
        if self.run is None:
            return
        span = self._span(self.run)
        low, high = self.part or (0.0, span)
        about = self._time if about is None else about
        low, high = max(0.0, about - factor * (about - low)), min(span, about + factor * (high - about))
        if high - low > 1e-6 * span:
            self.part = None if (low, high) == (0.0, span) else (low, high)
            self._drawn = ()

    def show_all(self) -> None:
        """Show all of the time again."""
        self.part, self._drawn = None, ()

    def bring(self, title: str) -> None:
        """Show the chart of a title, in place of the last one where as many are drawn as may be."""
        if self.run is None:
            return
        shown = [chart.quantity.title for chart in self.charts]
        if title not in shown:
            self.titles[self.run.scenario.kind] = [*shown[: MOST - 1], title]
            self._show_again()
        self.see(title)

    def choose(self) -> None:
        """A menu of all charts; those that are drawn are checked."""
        if self.run is None or self.run.world is None:
            return
        kind, shown = self.run.scenario.kind, [chart.quantity.title for chart in self.charts]
        menu = QMenu(tr("Plots"), self)
        for quantity in kind_of(self.run.scenario).choices_in(self.run.world):
            action = menu.addAction(f"{tr(quantity.title)}   {tr(quantity.unit)}")
            action.setCheckable(True)
            action.setChecked(quantity.title in shown)
            action.setEnabled(len(shown) < MOST or quantity.title in shown)
            action.setData(quantity.title)
        menu.addSeparator()
        usual = menu.addAction(tr("The usual ones"))
        menu.triggered.connect(lambda action: self._switch(kind, [] if action is usual else shown, action.data()))
        menu.popup(self.mapToGlobal(QPoint(20, 20 - menu.sizeHint().height())))

    def _switch(self, kind: str, shown: list[str], title: str | None) -> None:
        """Draw another chart, or one less; the usual ones where none is left."""
        self.titles[kind] = [other for other in shown if other != title] + (
            [title] if title is not None and title not in shown else []
        )
        self._show_again()

    # ---- files -----------------------------------------------------------------------------------------

    def save(self, path: Path, scenario: Scenario) -> None:
        """Write the charts that are drawn, and the part of the time that they show, as an export draws them.

        For print (.pdf, .svg) on white, as a picture (.png) in the window's colours, or the drawn points as .csv.
        PhysicsError or ScenarioError, naming the file, where it cannot.
        """
        from app.plots.files import write_plots  # here: it loads what draws figures

        assert self.run is not None
        assert self.run.world is not None
        first, last = self.part or (0.0, None)
        printed = path.suffix.lower() != ".png"
        shown = {
            "charts": tuple(chart.quantity.title for chart in self.charts),
            "logarithmic": self.logarithmic.isChecked(),
            "theme": "light" if printed else scenario.export.theme,
            "size": PRINT if printed else PICTURE,
            "time": None,
            "first": first,
            "last": last,
        }
        asked = scenario.changed(**{f"export.{name}": value for name, value in shown.items()})
        write_plots(replace(self.run.world, scenario=asked), self.lanes, path)
