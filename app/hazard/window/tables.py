"""Tables of the results of an ensemble: statistics, barriers, validation."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QGroupBox

from app.hazard.layers import STOPS, in_zone
from app.hazard.source import Summary
from app.playback.lane_looks import lane_schemes
from app.system.language import tr, translated
from app.theme import Theme, legible
from app.window.labels import Plain
from app.window.style import DASHES
from app.window.widgets import Explanation, across, column_in, dim, drop_down, eliding, filled, table
from physics.core.wording import in_digits, per_cent
from physics.hazard.rock_rows import REASONS
from physics.hazard.statistics import QUANTITIES, QUANTITY_ROWS, share_bounds

if TYPE_CHECKING:
    from pyqtgraph import PlotWidget


NAMES = {**{name: row.name for name, row in QUANTITY_ROWS.items()}, "runout": "Run-out"}
UNITS = {**QUANTITIES, "runout": "m"}
STATISTICS = {"mean": "mean", "median": "median", "q95": "95 %", "max": "largest"}
_WIDE = 2  # schemes beside each other for whose numbers and shares there is room
ROW = {  # column of a rock -> its name and unit
    "duration": ("Time", "s"),
    "runout": ("Run-out", "m"),
    "lateral": ("Off the fall line", "m"),
    **{f"max_{name}": (row.largest, row.unit) for name, row in QUANTITY_ROWS.items()},
}


def measures_table(summaries: Mapping[str, Summary], theme: Theme) -> str:
    """Each quantity with its statistics, a line a scheme."""
    rows = [_row(["", *map(tr, STATISTICS.values())], theme, dim=True)]
    for quantity, name in NAMES.items():
        largest = max(one.measures[quantity]["max"] for one in summaries.values())
        factor, unit = scaled(largest, UNITS[quantity])
        if quantity == "runout" and any(one.censored for one in summaries.values()):
            unit += tr(", not all at rest: see below")
        rows.append(_heading(tr(name), unit, 5, theme))
        for letter, one in zip(letters(summaries, theme), summaries.values(), strict=True):
            values = (in_digits(one.measures[quantity][key] * factor, 3) for key in STATISTICS)
            rows.append(_row([letter, *values], theme))
    return _table(rows)


def kaplan_meier(summary: Summary) -> str:
    """The median run-out by Kaplan and Meier [m]; where it is not reached it is beyond all that is known."""
    return (
        f"&gt; {in_digits(summary.measures['runout']['max'], 3)}"
        if summary.median is None
        else in_digits(summary.median, 3)
    )


def reasons_table(summaries: Mapping[str, Summary], theme: Theme) -> str:
    """Reason why rocks stopped, and what it means for the run-out that some did not, a column a scheme."""
    found = [code for code in STOPS if any(one.reasons.get(code) for one in summaries.values())]
    rows = [_row(["", *letters(summaries, theme)], theme)]
    for code in found:
        counts = ((one.reasons.get(code, 0), max(one.rocks, 1)) for one in summaries.values())
        words = (per_cent(n / all_) if len(summaries) > _WIDE else f"{n} ({per_cent(n / all_)})" for n, all_ in counts)
        rows.append(_row([tr(STOPS[code]), *words], theme))
    if any(one.censored for one in summaries.values()):
        rows.append(
            _row([f"<b>{tr('not at rest')}</b>", *(per_cent(one.censored) for one in summaries.values())], theme)
        )
        name = f"<b>{tr('median run-out')}</b> {_dim('m', theme)}<br>{_dim(tr('by Kaplan–Meier'), theme)}"
        rows.append(_row([name, *map(kaplan_meier, summaries.values())], theme))
    return _table(rows)


def barrier_table(summaries: Mapping[str, Summary], barrier: int, quantity: str, theme: Theme) -> str:
    """Table of the rocks at one barrier, a column a scheme."""
    found = {scheme: one.barriers[barrier] for scheme, one in summaries.items()}
    factor, unit = scaled(max(one[quantity]["max"] for one in found.values()), UNITS[quantity])
    rows = [_row(["", *letters(found, theme)], theme)]
    rows.append(_row([tr("rocks that cross"), *(str(one["rocks"]) for one in found.values())]))
    rows.append(_row(["", *(per_cent(one["share_crossing"]) for one in found.values())]))
    known = (share_bounds(one["rocks"], summaries[name].rocks) for name, one in found.items())
    rows.append(_row([tr("interval of 95 %"), *(f"{per_cent(low)} - {per_cent(high)}" for low, high in known)]))
    acts = "capacity" in next(iter(found.values()))
    stopped = tr("stopped by it") if acts else tr("lower than the barrier")
    rows.append(_row([stopped, *(per_cent(one["share_stopped"]) for one in found.values())]))
    for key, words in (("broken", tr("break it")), ("overtopped", tr("pass over it"))) if acts else ():
        rows.append(_row([words, *(str(one[key]) for one in found.values())]))
    rows.append(_heading(tr(NAMES[quantity]), unit, len(found) + 1, theme))
    for key, word in STATISTICS.items():
        rows.append(_row([tr(word), *(in_digits(one[quantity][key] * factor, 3) for one in found.values())]))
    if acts:
        rows.append(_heading(tr("behind it"), unit, len(found) + 1, theme))
        for key, word in STATISTICS.items():
            rows.append(
                _row([tr(word), *(in_digits(one["after"][quantity][key] * factor, 3) for one in found.values())])
            )
    return _table(rows)


def validation_table(summaries: Mapping[str, Summary], theme: Theme) -> str:
    """Measured run-outs, those of each scheme, and those of a rule fitted to nothing, a column each."""
    one = next(iter(summaries.values())).validation
    computed = [found.validation["computed"] for found in summaries.values()]
    rule, drawn = one["baselines"]["reach_angle"], one["baselines"]["resampled"]
    columns = [*computed, rule]
    heads = (f"<b>{_dim(tr('field'), theme)}</b>", *letters(summaries, theme), _dim(f"{rule['angle']:g}°", theme))
    rows = [_row(["", *heads])]
    for name, key in ((tr("mean"), "mean"), (tr("spread"), "std")):
        values = (metres(each["computed"][key]) for each in columns)
        rows.append(_row([f"{name} {_dim('m', theme)}", metres(one["measured"][key]), *values]))
    for key in ("q05", "median", "q95"):
        name = tr("median") if key == "median" else f"{int(key[1:])} %"
        values = (metres(each["computed"]["quantiles"][key]) for each in columns)
        rows.append(_row([f"{name} {_dim('m', theme)}", metres(one["measured"]["quantiles"][key]), *values]))
    apart = (metres(each["wasserstein"]) for each in columns)
    rows.append(_row([f"<b>{tr('apart')}</b> {_dim('m', theme)}", f"({metres(drawn['median'])})", *apart]))
    chances = (f"{each['p_value']:.2f}" if each["p_value"] >= 0.005 else "&lt; 0.01" for each in columns)
    rows.append(_row([tr("by chance"), "", *chances]))
    rows += _rank_rows([each["ranks"] for each in columns])
    for zone, part in one["zones"].items():
        inside = (per_cent(each["zones"].get(zone, 0.0)) for each in computed)
        rows.append(_row([html.escape(in_zone(zone)), per_cent(part), *inside, ""]))
    if all("with_error" in each for each in computed):
        rows.append(_heading(tr("with the error of the model"), "", len(columns) + 1, theme))
        rows += _rank_rows([each["with_error"] for each in computed])
    return _table(rows)


def _rank_rows(columns: list[dict[str, Any]]) -> list[str]:
    """Rows of the bands and of the mean rank: what is right, then a column each."""
    rows = []
    for n, band in enumerate(columns[0]["coverage"]):
        inside = (per_cent(one["coverage"][n]["inside"] / one["coverage"][n]["of"]) for one in columns)
        rows.append(_row([tr("{share:.0%} band").format(share=band["share"]), per_cent(band["share"]), *inside]))
    means = (f"{one['mean']:.2f}" for one in columns)
    return [*rows, _row([tr("mean rank"), f"0.5 ± {columns[0]['mean_error']:.2f}", *means])]


def metres(value: float) -> str:
    """Whole metres from 100 m on, tenths below."""
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.1f}"


def rock_table(rows: Mapping[str, Any], theme: Theme) -> str:
    """Table of one rock, a column a scheme; rows of type physics.hazard.rock_rows.ROW."""
    lines = [_row(["", *letters(rows, theme)], theme)]
    lines.append(_row([tr("Stopped"), *(tr(STOPS[REASONS[int(row["stop_reason"])]]) for row in rows.values())]))
    for key, (name, unit) in ROW.items():
        factor, unit = scaled(max(abs(float(row[key])) for row in rows.values()), unit)
        values = (in_digits(float(row[key]) * factor, 3) for row in rows.values())
        lines.append(_row([f"{tr(name)} {_dim(unit, theme)}", *values]))
    return _table(lines)


def letters(lanes: Iterable[str], theme: Theme) -> list[str]:
    """The letter of each lane in its colour."""
    return [
        f"<b style='color:{legible(row.colour, theme, ratio=4.5)}'>{html.escape(row.letter)}</b>"
        for row in lane_schemes(tuple(lanes))
    ]


def scaled(largest: float, unit: str) -> tuple[float, str]:
    """The factor and the unit that keep energies short."""
    if unit == "J":
        return (1e-6, "MJ") if largest >= 2e6 else (1e-3, "kJ") if largest >= 2e3 else (1.0, "J")
    return 1.0, unit


def _dim(text: str, theme: Theme) -> str:
    return f"<span style='color:{theme.text_dim}'>{html.escape(text)}</span>"


def _heading(name: str, unit: str, columns: int, theme: Theme) -> str:
    """The name of a quantity with its unit, above all columns."""
    return f"<tr><td colspan='{columns}' style='padding-top:6px'><b>{name}</b> {_dim(unit, theme)}</td></tr>"


def _row(cells: Iterable[str], theme: Theme | None = None, dim: bool = False) -> str:
    first, *others = cells
    shown = [_dim(cell, theme) if dim and theme is not None else cell for cell in others]
    return f"<tr><td>{first}</td>" + "".join(f"<td align='right'>{cell}</td>" for cell in shown) + "</tr>"


def _table(rows: Iterable[str]) -> str:
    return f"<table width='100%' cellspacing='0' cellpadding='2'>{''.join(rows)}</table>"


class SummaryCard(QGroupBox):
    """A table and a plot of results; hidden while there are none.

    high : of the plot [pixels]; place : of the plot in the column
    """

    def __init__(self, title: str, theme: Theme, high: int, place: int) -> None:
        super().__init__(title)
        self.setVisible(False)
        self.theme, self._high, self._place = theme, high, place
        self.summaries: Mapping[str, Summary] = {}
        self._column = column_in(self)

    @cached_property
    def plot(self) -> PlotWidget:
        """The plot; made when there is something to draw."""
        import pyqtgraph as pg  # here: it takes long to load, and a window waits for it

        from app.window.charts.chart import still

        plot = pg.PlotWidget()
        plot.setFixedHeight(self._high)
        still(plot)
        self._column.insertWidget(self._place, plot)
        return plot

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        self.theme = theme
        self._refresh()

    def _refresh(self) -> None:
        raise NotImplementedError


class BarrierCard(SummaryCard):
    """One barrier at a time; hidden where a scenario has none."""

    def __init__(self, theme: Theme, space: QObject) -> None:
        super().__init__(tr("Barriers"), theme, high=130, place=2)
        self.choice = eliding(drop_down(tr("Barrier"), space))
        self.quantity = drop_down(tr("Quantity at the barrier"), space)
        for name in QUANTITIES:
            self.quantity.addItem(tr(NAMES[name]), name)
        for box in (self.choice, self.quantity):
            box.activated.connect(lambda _: self._refresh())
        self.table = table(tr("What the barrier met"))
        self.note = dim("")
        filled(self._column, across(self.choice, self.quantity), self.table, self.note)

    def show_summaries(self, summaries: Mapping[str, Summary]) -> None:
        """Show the results of a moment."""
        self.summaries = summaries
        names = [barrier["name"] for barrier in next(iter(summaries.values())).barriers] if summaries else []
        self.setVisible(bool(names))
        if [self.choice.itemText(i) for i in range(self.choice.count())] != names:
            self.choice.clear()
            self.choice.addItems(names)
        self._refresh()

    def _refresh(self) -> None:
        barrier, quantity = self.choice.currentIndex(), self.quantity.currentData()
        if barrier < 0 or not self.summaries:
            return
        import pyqtgraph as pg

        from app.window.charts.chart import name_axes

        self.plot.clear()
        self.plot.setBackground(self.theme.panel)
        self.table.setText(barrier_table(self.summaries, barrier, quantity, self.theme))
        found = {scheme: one.barriers[barrier] for scheme, one in self.summaries.items()}
        self.note.setText(
            tr(
                "It stops lower rocks of at most its capacity and breaks under those of more energy; until then every "
                "crossing of the centre of mass counts."
            )
            if "capacity" in next(iter(found.values()))
            else tr("It measures and does not stop: every crossing of the centre of mass counts.")
        )
        factor, unit = scaled(max(one[quantity]["max"] for one in found.values()), QUANTITIES[quantity])
        for row, one in zip(lane_schemes(tuple(found)), found.values(), strict=True):
            histogram = one["histograms"][quantity]
            pen = pg.mkPen(legible(row.colour, self.theme), width=1, style=DASHES[row.dash])
            edges, counts = factor * np.array(histogram["edges"]), histogram["crossings"]
            self.plot.plot(edges, counts, stepMode="center", pen=pen)
        measured = f"{tr(NAMES[quantity].lower())} [{unit}]"
        name_axes(self.plot.getPlotItem(), self.theme, bottom=measured, left=tr("crossings"))


class ValidationCard(SummaryCard):
    """Hidden where nothing was measured."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(tr("Beside what was measured"), theme, high=170, place=0)
        self.table, self.fault, self.note = table(tr("Run-outs beside measured ones")), Explanation(), dim(_note())
        self.fitted = Plain(wordWrap=True, visible=False)
        filled(self._column, self.fault, self.fitted, self.table, self.note)

    def show_summaries(self, summaries: Mapping[str, Summary]) -> None:
        """Show the results of a moment."""
        self.summaries = {name: one for name, one in summaries.items() if one.validation}
        self.setVisible(bool(self.summaries))
        self._refresh()

    def _refresh(self) -> None:
        faults = [one.validation["fault"] for one in self.summaries.values() if "fault" in one.validation]
        self.fault.say(translated(faults[0]) if faults else "")
        whole = bool(self.summaries) and not faults
        fitted = {one.validation["fitted"]: None for one in self.summaries.values() if "fitted" in one.validation}
        self.fitted.setText("\n".join(map(translated, fitted)))
        self.fitted.setVisible(bool(fitted))
        for widget in (self.table, self.note):
            widget.setVisible(whole)
        if whole:
            self.table.setText(validation_table(self.summaries, self.theme))
            self._draw()
        if "plot" in self.__dict__:
            self.plot.setVisible(whole)

    def _draw(self) -> None:
        import pyqtgraph as pg

        from app.window.charts.chart import name_axes

        self.plot.clear()
        self.plot.setAccessibleName(tr("Share of rocks over run-out, measured and computed"))
        self.plot.setBackground(self.theme.panel)
        share = np.linspace(0.0, 100.0, 101)
        for row, one in zip(lane_schemes(tuple(self.summaries)), self.summaries.values(), strict=True):
            pen = pg.mkPen(legible(row.colour, self.theme), width=1, style=DASHES[row.dash])
            self.plot.plot(one.validation["computed"]["computed"]["percentiles"], share, pen=pen)
        measured = next(iter(self.summaries.values())).validation["measured"]["percentiles"]
        self.plot.plot(measured, share, pen=pg.mkPen(self.theme.text, width=2, style=Qt.PenStyle.SolidLine))
        below, left = tr("run-out [m]; bold: measured"), tr("at most so far [%]")
        name_axes(self.plot.getPlotItem(), self.theme, bottom=below, left=left)


def _note() -> str:
    ranks = tr("Rank: the share of computed run-outs below a measured one, in the mean; right by chance as beside it.")
    said = tr(
        "Field: measured. Apart: how many metres run-outs would have to be moved in the mean to be the measured ones, "
        "in brackets what chance alone makes of so few stops. By chance: how often two samples of one distribution "
        "differ as much (Kolmogorov, Smirnov). Bands: the middle of the computed, and how many measured lie there. "
        "Last column: a constant angle of reach down the fall line, fitted to nothing. Rocks not at rest count where "
        "they were last."
    )
    return f"{said} {ranks}"
