"""Error over step and error over computing time, for any schemes and scenario."""

from __future__ import annotations

import textwrap

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import physics
from app.figures import line_labels
from app.playback.lane_looks import lane_schemes
from app.plots.print_style import label, lane_style, page
from physics.analysis.work_precision import able, measured, selection
from physics.core.errors import ScenarioError
from physics.systems import kinds_of, system_of
from physics.systems.scheme_table import short_names

LINE = 0.125  # inches that the name of a line takes, or a line of the caption
WIDE = 132  # letters in a line of the caption
ALL = "all"  # in place of the names of schemes
DEFAULT = {  # a free body that tumbles, when no scenario is named
    "kind": "free",
    "title": "a free cuboid after 2 s",
    "duration": 2.0,
    "step": 0.1,
    "body": {"shape": "cuboid", "size": [3, 2, 1], "mass": 1},
    "initial": {"angular_velocity": [1.0, 2.0, 3.0]},
}


def order(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Order of convergence: attitude error over step."""
    return _diagram(scenario, schemes, "Order of convergence", timed=False)


def work(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Work and precision: attitude error over computing time."""
    return _diagram(scenario, schemes, "Work and precision", timed=True)


def _diagram(file: str | None, schemes: list[str] | None, title: str, timed: bool) -> Figure:
    scenario = physics.Scenario(**DEFAULT) if file is None else physics.load_scenario(file)
    if not system_of(scenario).smooth:
        raise ScenarioError(
            "kind",
            f"{scenario.kind} has no order: impacts make it discontinuous; expected {kinds_of(lambda row: row.smooth)}",
        )
    known = able(scenario.served)
    names = known if schemes is not None and ALL in schemes else schemes or selection(scenario.served)
    found = measured(scenario, names)
    solved = [points for points in found if len(points.steps)]
    if not solved:
        raise ScenarioError("step", f"{', '.join(names)}: no solution of any step from {scenario.step:g} s down", file)
    of = (scenario.title or scenario.kind).replace("$", r"\$")  # no formula begins with it
    told = [f"{title}: {of}"]
    told += [f"{points.scheme}: no solution of any of these steps" for points in found if not len(points.steps)]
    hidden = _hidden(scenario.served, names) if schemes is None and len(names) < len(known) else ""
    beside = 1.2 + LINE * (len(told) + len(hidden.splitlines()))  # titles, numbers and captions
    figure, axes = page(1, 1, height=beside + max(3.9, LINE * len(solved)) - 0.3)
    lines = []
    rows = lane_schemes([points.scheme for points in solved])
    for points, scheme, mark in zip(solved, rows, line_labels.marked(rows), strict=True):
        x = points.times if timed else points.steps
        lines += axes[0, 0].loglog(x, points.errors, **mark, **lane_style(scheme))
    told[1:1] = _explained(lines)
    label(
        axes[0, 0], f"{'computing time' if timed else 'step'} [s]", "attitude error at the end [rad]", "\n".join(told)
    )
    if hidden:
        figure.supxlabel(hidden, x=0.01, ha="left", fontsize=line_labels.SIZE)
    line_labels.name(axes[0, 0], lines, left=timed, beside=beside)
    return figure


def _hidden(kind: str, shown: list[str]) -> str:
    """Which schemes are not drawn, and how to draw them."""
    names = short_names(name for name in able(kind) if name not in shown)
    told = (
        f"{len(shown)} of {len(able(kind))} schemes. Not shown: {names}. They are drawn with --scheme NAME, again for "
    )
    return textwrap.fill(f"{told}each, or with --scheme {ALL}.", WIDE, break_on_hyphens=False)


def _explained(lines: list[Line2D]) -> list[str]:
    """What hides lines from sight, if anything does."""
    told = []
    if len(line_labels.coinciding(lines)) < len(lines):
        told.append("=: on the line of the name above; the lowest such line is wide and pale")
    if min(float(np.min(line.get_ydata())) for line in lines) < line_labels.ROUNDING:
        told.append("Below 10⁻¹³ rounding alone parts the lines")
    return told
