"""The charts of the window drawn for files: same quantities, colours, dashes and letters, without Qt."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, Formatter, MaxNLocator
from PIL import Image

from app.document.export_kinds import PLOT, endings
from app.document.recipe import notes, span, theme_of, title
from app.kinds import kind_of
from app.kinds.decades import Mark
from app.kinds.quantities import Abscissa, Quantity
from app.playback.run import Lane
from app.plots.chart_data import (
    End,
    abscissa_range,
    along,
    axis_range,
    drawn,
    end_of,
    reached,
    short_number,
    ticks,
    together,
    unknown,
    with_gaps,
)
from app.plots.print_style import BOLD, DASHES, escaped, pixels, style
from app.system.language import tr
from app.system.own_words import title_of
from app.theme import FAMILY, LIGHT, Theme, legible
from physics import World
from physics.core.rotation import Array
from physics.io.trajectory_writers import check_output, replacing

ENDINGS = endings(PLOT)
NUMBER, NUMBER_HIGH = 64.0, 18.0  # width and height of a lane's number above a chart [pixels of a picture 720 high]
CURVE = 2.0  # width of a curve [pixels of a picture 720 high]
LETTER = 13.0  # size of the letters at the ends of curves, in the same pixels
LETTERS = 0.4  # largest share of a chart's breadth that all these letters take side by side
SHADE = 0.14  # opacity of the band of errors that are rounding
DOTS = 96.0  # an inch: what a pixel is worth in .svg and .pdf


@dataclass(frozen=True)
class ChartPlace:
    """Place of a chart in a picture [pixels from the top left]: its data's box, and the base of its numbers.

    low and high (2,) are abscissa and height (see Quantity) at the box's lower left and upper right.
    """

    quantity: Quantity
    left: float
    right: float
    top: float
    bottom: float
    base: float
    low: tuple[float, float]
    high: tuple[float, float]

    def across(self, x: float) -> float:
        """The pixel of an abscissa."""
        return self.left + (x - self.low[0]) / (self.high[0] - self.low[0]) * (self.right - self.left)

    def up(self, y: float) -> float:
        """The pixel of an ordinate."""
        y = float(self.quantity.heights(np.asarray(y)))
        return self.bottom - (y - self.low[1]) / (self.high[1] - self.low[1]) * (self.bottom - self.top)


def quantities_of(world: World) -> tuple[Quantity, ...]:
    """The charts that the export table names, or the usual ones of a kind of scenario."""
    export = world.scenario.export
    return kind_of(world.scenario).chosen(export.charts, world, export.logarithmic)


class PlottedLane:
    """The rows of a lane that are drawn: those of a part of the time [s]."""

    def __init__(self, lane: Lane, part: tuple[float, float]) -> None:
        self._run, self._world = lane.trajectory, lane.world
        self._rows = drawn(self._run, part)

    @property
    def time(self) -> Array:
        """Times of the rows (n,) [s]."""
        return self._run.time[self._rows]

    def values(self, quantity: Quantity) -> Array:
        """A quantity of the rows (n,)."""
        return quantity.of_rows(self._run, self._world, self._rows)

    def along(self, quantity: Quantity) -> Array:
        """Abscissa (n,) of a quantity: times [s] or another quantity."""
        return along(quantity, self._run, self._world, self._rows)

    def over(self, abscissa: Abscissa) -> Array:
        """An abscissa of the rows (n,)."""
        return abscissa.values(self._run.rows(self._rows), self._world)


def shown(world: World, lanes: Sequence[Lane]) -> list[PlottedLane]:
    """Rows of each lane in the part of the time that the export table names."""
    part = span(world.scenario, lanes)
    return [PlottedLane(lane, part) for lane in lanes]


# ---- as a picture, for films --------------------------------------------------------------------------


def draw_panels(
    world: World,
    lanes: Sequence[Lane],
    theme: Theme,
    size: tuple[int, int],
    unit: float,
    quantities: Sequence[Quantity],
    columns: int,
) -> tuple[Image.Image, tuple[ChartPlace, ...]]:
    """Charts in columns on a picture of a size (width, height) [pixels]; unit: of a picture 720 high [pixels]."""
    (w, h), lines = size, -(-len(quantities) // columns)
    figure = Figure(figsize=(w / DOTS, h / DOTS), dpi=DOTS, facecolor=theme.window)
    panels = []
    with style(), np.errstate(all="ignore"):
        for number, (one, limits) in enumerate(zip(quantities, ranges(world, lanes, quantities), strict=True)):
            x0, y0 = (number % columns) * w / columns, (number // columns) * h / lines
            left, right = x0 + _room(one) * unit, x0 + w / columns - 14 * unit
            more = _number_lines(len(lanes), (right - left) / unit) - 1
            top, bottom = y0 + (46 + NUMBER_HIGH * more) * unit, y0 + h / lines - 24 * unit
            top = min(top, max(y0 + 46 * unit, bottom - 0.4 * h / lines))  # on small pictures the curves come first
            axes = figure.add_axes((left / w, 1 - bottom / h, (right - left) / w, (bottom - top) / h))
            draw_chart(axes, one, world, lanes, theme, limits, 72.0 / DOTS * unit)
            head = 1 - (y0 + 19 * unit) / h
            title, unit_text = tr(one.title), tr(one.unit)
            figure.text(left / w, head, title, color=theme.text, size=9.4 * unit, family=FAMILY, weight="medium")
            if 6.9 * len(title) + 5.6 * len(unit_text) < (right - left) / unit:
                figure.text(right / w, head, unit_text, color=theme.text_dim, size=8.4 * unit, ha="right")
            panels.append(ChartPlace(one, left, right, top, bottom, y0 + 26 * unit, *corners(axes)))
        return Image.fromarray(pixels(figure)), tuple(panels)


def _room(quantity: Quantity) -> float:
    """Width of the numbers and words beside a chart [pixels of a picture 720 high]."""
    words = [] if quantity.decades is None else [word for _, word in quantity.decades.words(1.0)]
    return max(50.0, 6.0 * max(map(len, words), default=0) + 8.0)


def _number_lines(lanes: int, wide: float) -> int:
    """Number of lines of the lanes' numbers under a title of that width [pixels of a picture 720 high]."""
    return -(-lanes // max(1, int(wide / NUMBER)))


def corners(axes: Axes) -> tuple[tuple[float, float], tuple[float, float]]:
    """The data at the lower left and at the upper right."""
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    return (x0, y0), (x1, y1)


# ---- as a file ----------------------------------------------------------------------------------------


def write_plots(world: World, lanes: Sequence[Lane], path: str | Path) -> None:
    """Write the charts to a .png, .svg or .pdf of the export table's size and theme, or the drawn curves to a .csv.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, ENDINGS)
    suffix = path.suffix.lower()
    with replacing(path) as part:
        if suffix == ".csv":
            _write_curves(part, world, lanes)
            return
        with style(), np.errstate(all="ignore"):
            figure = sheet(world, lanes)
            facts = notes(suffix, title(world.scenario), world.scenario)
            figure.savefig(part, format=suffix[1:], dpi=DOTS, metadata=facts, facecolor=figure.get_facecolor())


def draw_sheet(world: World, lanes: Sequence[Lane], finer: float = 2.0) -> np.ndarray:
    """The charts as a picture (height, width, 3), with so many times more pixels along its sides."""
    with style(), np.errstate(all="ignore"):
        figure = sheet(world, lanes)
        figure.set_dpi(finer * DOTS)
        return pixels(figure)


def sheet(world: World, lanes: Sequence[Lane]) -> Figure:
    """A figure with all charts, its title, and a legend that names the schemes."""
    export, quantities = world.scenario.export, quantities_of(world)
    theme, (w, h) = theme_of(world.scenario), export.size
    if theme is LIGHT:  # for paper
        theme = replace(theme, window="#ffffff")
    columns = min(len(quantities), max(1, round(math.sqrt(len(quantities) * w / h / 1.5))))
    unit = max(0.75, min(w, h) / 720.0)
    figure = Figure(figsize=(w / DOTS, h / DOTS), dpi=DOTS, facecolor=theme.window)
    figure.set_layout_engine("constrained", w_pad=0.12, h_pad=0.1)
    grid = figure.subplots(math.ceil(len(quantities) / columns), columns, squeeze=False).ravel()
    for axes, one, limits in zip(grid, quantities, ranges(world, lanes, quantities), strict=False):
        draw_chart(axes, one, world, lanes, theme, limits, 72.0 / DOTS * unit)
        axes.set_title(f"{tr(one.title)}  [{tr(one.unit)}]", color=theme.text, fontsize=10 * unit)
    for axes in grid[len(quantities) :]:
        axes.remove()
    if world.scenario.title:
        figure.suptitle(
            title_of(world.scenario),
            x=0.012,
            ha="left",
            color=theme.text,
            fontsize=13 * unit,
            parse_math=False,
            **BOLD,
        )
    handles, names = grid[0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower left", ncols=max(1, w // round(420 * unit)), fontsize=9 * unit,
        labelcolor=theme.text, handlelength=3.2,
    )  # fmt: skip
    return figure


def _write_curves(file: Path, world: World, lanes: Sequence[Lane]) -> None:
    """Write the drawn curves, a row for each drawn state; those that stand still have no time."""
    quantities = quantities_of(world)
    others = list(dict.fromkeys(one.over for one in quantities if one.over is not None))
    header = [
        "scheme",
        "time [s]",
        *(f"{over.title.lower()} [{over.unit}]" for over in others),
        *(f"{one.title} [{one.unit}]" for one in quantities),
    ]
    with file.open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(header)
        for lane, run in zip(lanes, shown(world, lanes), strict=True):
            columns = [run.time, *map(run.over, others), *map(run.values, quantities)]
            writer.writerows((lane.scheme.name, *row) for row in np.column_stack(columns).tolist())
        for place, one in enumerate(quantities, 2 + len(others)):
            if one.over is None:
                continue
            behind, across = one.behind(world), 2 + others.index(one.over)
            for x, y in (point for curve in behind.curves for point in curve.tolist()):
                cells = {0: behind.name, across: x, place: y}
                writer.writerow([cells.get(i, "") for i in range(len(header))])


class Ticks(Formatter):
    """Texts of the numbers along an axis: powers of ten, or as few digits as tell them apart, with a unit."""

    def __init__(self, powers: Callable[[], list[Mark] | None], unit: str) -> None:
        self._powers, self._unit = powers, unit

    def __call__(self, x: float, pos: int | None = None) -> str:
        """A single number."""
        powers = self._powers()
        return short_number(x, 4) + self._unit if powers is None else dict(powers).get(x, "")

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """All numbers of an axis."""
        powers = self._powers()
        if powers is None:
            return ticks([float(value) for value in values], self._unit)
        return [dict(powers)[one] for one in values]


class NumberPlaces(MaxNLocator):
    """Places of the numbers along an ordinate."""

    def __init__(self, quantity: Quantity) -> None:
        super().__init__(4)
        self._quantity = quantity
        self.texts = Ticks(self._powers, quantity.numbered)

    def __call__(self) -> Sequence[float]:
        """Heights of the numbers."""
        powers = self._powers()
        return super().__call__() if powers is None else [height for height, _ in powers]

    def _powers(self) -> list[Mark] | None:
        assert self.axis is not None
        low, high = self.axis.get_view_interval()
        apart = (high - low) / max(self.axis.get_tick_space(), 1)
        return self._quantity.numbers(low, high, apart)


# ---- one chart ----------------------------------------------------------------------------------------


def draw_chart(
    axes: Axes,
    quantity: Quantity,
    world: World,
    lanes: Sequence[Lane],
    theme: Theme,
    limits: tuple[float, float],
    scale: float,
) -> None:
    """Draw one quantity of all lanes; scale: points for a pixel of a picture 720 high."""
    axes.set_facecolor(theme.window)
    runs = shown(world, lanes)
    _draw_background(axes, quantity, world, theme, scale)
    curves = [(run.along(quantity), quantity.heights(run.values(quantity))) for run in runs]
    for lane, curve in zip(lanes, curves, strict=True):
        name = escaped(f"{lane.scheme.letter}  {lane.scheme.title} ({lane.scheme.short})")
        axes.plot(*with_gaps(quantity, *curve), **_line(lane, theme), linewidth=CURVE * scale, label=name)
    axes.set_ylim(*axis_range(quantity, *limits))
    part = _reach(quantity, world, runs, span(world.scenario, lanes))
    axes.set_xlim(*part)
    if quantity.over is None:
        _name_ends(axes, lanes, [end_of(*curve, part) for curve in curves], theme, scale)
    axes.grid(color=theme.plot_grid, linewidth=0.8 * scale)
    axes.tick_params(colors=theme.plot_axis, labelsize=10.5 * scale, length=0, pad=4 * scale, which="both")
    axes.minorticks_off()
    numbers = NumberPlaces(quantity)
    axes.yaxis.set_major_locator(numbers)
    axes.yaxis.set_major_formatter(numbers.texts)
    _draw_band(axes, quantity, theme, scale)
    if missing := unknown(quantity, lanes):
        place: dict[str, Any] = {"transform": axes.transAxes, "ha": "right", "va": "top"}
        axes.text(0.99, 0.97, missing, color=theme.text_dim, fontsize=10.0 * scale, **place)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    unit = "s" if quantity.over is None else tr(quantity.over.unit)
    axes.xaxis.set_major_formatter(lambda x, place: f"{x:g} {unit}" if place == 0 or x == 0 else f"{x:g}")
    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(theme.plot_grid)


def _name_ends(axes: Axes, lanes: Sequence[Lane], ends: Sequence[End | None], theme: Theme, scale: float) -> None:
    """Write the lanes' letters right of the ends of their curves, side by side where curves end together."""
    size, place = LETTER * scale, axes.get_window_extent()
    points, (low, high), (left, right) = 72.0 / DOTS, axes.get_ylim(), axes.get_xlim()
    wide = [0.8 * size * len(lane.scheme.letter) for lane in lanes]
    near = 1.3 * size / (points * place.height) * (high - low)
    groups = together(ends, near)
    widest = max((sum(wide[number] for number in group) for group, _ in groups), default=0.0)
    room = min((widest + 0.8 * size) / (points * place.width), LETTERS)
    axes.set_xlim(left, left + (right - left) / (1.0 - room))
    for group, (x, middle) in groups:
        height, beside = min(max(middle, low + 0.5 * near), high - 0.5 * near), 0.4 * size
        for number in group:
            ink = legible(lanes[number].scheme.colour, theme, ratio=4.5)
            look: dict[str, Any] = {"textcoords": "offset points", "va": "center", "annotation_clip": False, **BOLD}
            axes.annotate(lanes[number].scheme.letter, (x, height), (beside, 0.0), color=ink, fontsize=size, **look)
            beside += wide[number]


def _draw_band(axes: Axes, quantity: Quantity, theme: Theme, scale: float) -> None:
    """Draw the band in which no error is smaller than another, and name the parts of its axis."""
    if (decades := quantity.decades) is None:
        return
    look: dict[str, Any] = {"color": theme.text_dim, "alpha": SHADE, "linewidth": 0.0, "zorder": 0.5}
    axes.axhspan(decades.begin, decades.edge, **look)
    places, words = zip(*decades.words(axes.get_ylim()[1]), strict=True)
    axes.yaxis.set_minor_locator(FixedLocator(places))
    axes.yaxis.set_minor_formatter(FixedFormatter(words))


def _line(lane: Lane, theme: Theme) -> dict[str, Any]:
    return {"color": legible(lane.scheme.colour, theme), "linestyle": DASHES[lane.scheme.dash]}


def _draw_background(axes: Axes, quantity: Quantity, world: World, theme: Theme, scale: float) -> None:
    """Draw the curves and limits that stand still behind the others."""
    behind = quantity.behind(world)
    for curve in behind.curves:
        axes.plot(*curve.T, color=theme.text_dim, linewidth=1.1 * scale, zorder=1.5)
    for limits, dash in ((behind.limits, "dot"), (behind.beyond, "dash")):
        for x in limits:
            axes.axvline(x, color=theme.plot_axis, linewidth=0.9 * scale, linestyle=DASHES[dash], zorder=1.4)


def _reach(
    quantity: Quantity, world: World, runs: Sequence[PlottedLane], part: tuple[float, float]
) -> tuple[float, float]:
    """Range of the abscissa."""
    if quantity.over is None:
        return part[0], max(part[1], part[0] + 1e-6)
    return abscissa_range(quantity, np.concatenate([run.along(quantity) for run in runs]), world)


def ranges(world: World, lanes: Sequence[Lane], quantities: Sequence[Quantity]) -> list[tuple[float, float]]:
    """Heights that each ordinate has to hold, shared by charts of one group."""
    runs = shown(world, lanes)

    def own(one: Quantity) -> tuple[float, float]:
        curves = (curve[:, 1] for curve in one.behind(world).curves)
        return reached(one, np.concatenate([*(run.values(one) for run in runs), *curves]))

    found = [own(one) for one in quantities]
    limits = []
    for one in quantities:
        group = [
            r for r, other in zip(found, quantities, strict=True) if other is one or one.group == other.group != ""
        ]
        limits.append((min(low for low, _ in group), max(high for _, high in group)))
    return limits
