"""Error over step, and error over computing time and number of torques, for any schemes and scenario."""

from __future__ import annotations

import textwrap

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import physics
from app.figures import line_labels
from app.playback.lane_looks import lane_schemes
from app.plots.print_style import figure_page, label, lane_style
from app.system.language import tr, translated
from app.system.own_words import title_of
from physics.analysis.convergence import Points, able, measured, of_first, selection, served_first, uncounted
from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.schemes.lane import lane_of
from physics.systems import kinds_of, system_of, under_torque
from physics.systems.scheme_overview import short_names

LINE = 0.125  # inches that the name of a line takes, or a line of the caption
WIDE, TITLE_WIDE = 132, 90  # letters in a line of the caption, and of a title
ALL = "all"  # word in place of the names of schemes
LABELS = {"steps": "step [s]", "times": N_("computing time [s]"), "torques": N_("number of torques")}
DEFAULT = {  # a free body that tumbles, when no scenario is named
    "kind": "free",
    "duration": 2.0,
    "step": 0.1,
    "body": {"shape": "cuboid", "size": [3, 2, 1], "mass": 1},
    "initial": {"angular_velocity": [1.0, 2.0, 3.0]},
}


def order(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Order of convergence: attitude error over step."""
    return _figure(scenario, schemes, tr("Order of convergence"), ("steps",))


def work(scenario: str | None = None, schemes: list[str] | None = None) -> Figure:
    """Work and precision: attitude error over computing time, and over the number of torques where one acts."""
    return _figure(scenario, schemes, tr("Work and precision"), ("times", "torques"))


def _figure(file: str | None, schemes: list[str] | None, title: str, over: tuple[str, ...]) -> Figure:
    """A diagram for each of ``over``, fields of Points, below one another."""
    scenario = physics.Scenario(**DEFAULT) if file is None else physics.load_scenario(file)
    if not system_of(scenario).smooth:
        raise ScenarioError(
            "kind",
            N_(
                "{kind} has no order: impacts make it discontinuous; expected {smooth}",
                scenario.kind,
                kinds_of(lambda row: row.smooth),
            ),
        )
    kind, every = served_first(scenario), schemes is not None and ALL in schemes
    known = able(kind)
    names = of_first(scenario, known if every else selection(kind)) if every or not schemes else schemes
    found = measured(scenario, names)
    solved = [points for points in found if len(points.steps)]
    if not solved:
        raise ScenarioError(
            "step", N_("{names}: no solution of any step from {step:g} s down", ", ".join(names), scenario.step), file
        )
    of = title_of(scenario) or scenario.kind if file is not None else tr("a free cuboid after 2 s")
    notes = [tr("{title}: {scenario}").format(title=title, scenario=of)]
    failed = tr("{scheme}: no solution of any of these steps")
    notes += [failed.format(scheme=points.scheme) for points in found if not len(points.steps)]
    titles = [notes]
    if "torques" in over and under_torque(scenario):
        left_out = translated(uncounted(points.scheme for points in solved))
        titles.append(textwrap.wrap(left_out, TITLE_WIDE, break_on_hyphens=False))
    diagrams = [one for one in over if any(np.isfinite(getattr(points, one)).all() for points in solved)]
    notes += titles.pop() if len(titles) > len(diagrams) else []
    drawn = [lane_of(name).scheme.name for name in names]
    hidden = _hidden(kind, drawn) if schemes is None and len(names) < len(known) else ""
    high = max(3.9, LINE * len(solved))  # of a diagram
    beside = 1.2 + LINE * (len(notes) + len(hidden.splitlines()))  # titles, numbers and captions
    figure, axes = figure_page(
        len(diagrams), 1, height=high + (beside - 0.3) / len(diagrams) + 0.6 * (len(diagrams) > 1)
    )
    for one, below, title_lines in zip(diagrams, axes[:, 0], titles, strict=True):
        _draw(below, solved, one, title_lines, figure.get_figheight() - high)
    if hidden:
        figure.supxlabel(hidden, x=0.01, ha="left", fontsize=line_labels.SIZE)
    return figure


def _draw(axes: Axes, solved: list[Points], over: str, notes: list[str], beside: float) -> None:
    """One diagram below the lines ``notes``; beside: see line_labels.name."""
    shown = [points for points in solved if np.isfinite(getattr(points, over)).all()]
    lines = []
    rows = {row.name: row for row in lane_schemes([points.scheme for points in solved])}
    marks = dict(zip(rows, line_labels.marked(list(rows.values())), strict=True))
    for points in shown:
        look = marks[points.scheme] | lane_style(rows[points.scheme])
        lines += axes.loglog(getattr(points, over), points.errors, **look)
    explained = _explained(lines, max(points.unsure for points in shown))
    label(axes, tr(LABELS[over]), tr("attitude error at the end [rad]"), "\n".join([*notes, *explained]))
    line_labels.name(axes, lines, left=over != "steps", beside=beside)


def _hidden(kind: str, shown: list[str]) -> str:
    """Names of schemes that are not drawn, and how to draw them."""
    names = short_names(name for name in able(kind) if name not in shown)
    notes = tr(
        "{shown} of {number} schemes. Not shown: {names}. They are drawn with --scheme NAME, again for each, or with "
        "--scheme {all}."
    ).format(shown=len(shown), number=len(able(kind)), names=names, all=ALL)
    return textwrap.fill(notes, WIDE, break_on_hyphens=False)


def _explained(lines: list[Line2D], unsure: float) -> list[str]:
    """Notes on lines that are hidden, if any are; unsure [rad]: of the true end."""
    notes = []
    if len(line_labels.coinciding(lines)) < len(lines):
        notes.append(tr("=: on the line of the name above; the lowest such line is wide and pale"))
    least = min(float(np.min(line.get_ydata())) for line in lines)
    if least < unsure and unsure > line_labels.ROUNDING:
        notes.append(tr("Below {angle:.0e} rad the true end is not known").format(angle=unsure))
    elif least < line_labels.ROUNDING:
        notes.append(tr("Below 10⁻¹³ the lines differ by rounding only"))
    return notes
