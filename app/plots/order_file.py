"""The order panel's plots in a file: errors over steps, computing times and torques, for print, or the numbers."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from app.document.recipe import notes, title
from app.playback.lane_looks import lane_schemes
from app.plots.files import ENDINGS
from app.plots.print_style import DASHES, style
from app.system.language import tr
from app.system.sentences import told
from app.theme import LIGHT, legible
from physics import Scenario
from physics.analysis.convergence import Axis, Point, axes_of, drawn, uncounted, verdict
from physics.io.trajectory_writers import check_output, replacing
from physics.systems import system_of

MARKS = "osD^vP*X"  # a scheme each, also where colours are not seen
DOTS = 288  # an inch of a picture


def write_order(points: Sequence[Point], scenario: Scenario, path: str | Path) -> None:
    """Write the errors of an order study to a .pdf, .svg or .png, or to a .csv.

    The file appears when it is complete; ScenarioError or PhysicsError, naming it, where it cannot.
    """
    path = check_output(path, ENDINGS)
    suffix = path.suffix.lower()
    with replacing(path) as part:
        if suffix == ".csv":
            _write_points(part, points, axes_of(scenario))
            return
        told = notes(suffix, f"{tr('Order of convergence')}: {title(scenario)}", scenario)
        with style():
            order_figure(points, scenario).savefig(part, format=suffix[1:], dpi=DOTS, metadata=told)


def order_figure(points: Sequence[Point], scenario: Scenario) -> Figure:
    """The attitude error over the step, the computing time and, under torque, the number of torques; a line a scheme.

    Each is named with its slope and the order that it promises.
    """
    figure, over = Figure(figsize=(7.1, 4.2)), axes_of(scenario)
    plots = figure.subplots(1, len(over), sharey=True)
    schemes = list(dict.fromkeys(point.scheme for point in points))
    for number, scheme in enumerate(lane_schemes(schemes)):
        own = [point for point in points if point.scheme == scheme.name]
        found, promised = map(told, verdict(scheme, own))
        look = {
            "color": legible(scheme.colour, LIGHT),
            "linestyle": DASHES[scheme.dash],
            "marker": MARKS[number % len(MARKS)],
            "markersize": 3.5,
        }
        look["label"] = f"{scheme.letter}  {scheme.title}: {found} ({promised})"
        for axis, axes in zip(over, plots, strict=True):
            x, y = drawn(own, axis)
            if len(x):
                axes.loglog(x, y, **look)
    for axis, axes in zip(over, plots, strict=True):
        axes.set_xlabel(tr(axis.label))
        axes.yaxis.set_minor_locator(NullLocator())
    axes, steps = plots[0], sorted({point.step for point in points})
    axes.xaxis.set_major_locator(FixedLocator(steps))
    axes.xaxis.set_major_formatter(FixedFormatter([f"{step:.3g}" for step in steps]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(axis="x", labelrotation=45)
    axes.set_ylabel(tr("attitude error [°]"))
    figure.suptitle(title(scenario))
    left_out = told(uncounted(schemes)) if system_of(scenario).torque else ""
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="outside lower left",
        ncols=2,
        fontsize=7.5,
        handlelength=3.0,
        title=left_out,
        title_fontsize=7.5,
        alignment="left",
    )
    return figure


def _write_points(part: Path, points: Sequence[Point], over: Sequence[Axis]) -> None:
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("scheme", over[0].label, "attitude error [deg]", *(axis.label for axis in over[1:])))
        for point in points:
            step, *others = (getattr(point, axis.field) for axis in over)
            writer.writerow((point.scheme, step, point.error, *others))
