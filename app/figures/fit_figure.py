"""A fit, for print: scores over each parameter, run-outs of both parts of the runs, sensitivities."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from app.figures.run_out_validation import cumulate, cumulate_measured, name_cumulated
from app.plots.print_style import AXES, DASHES, INK, PALE, below_all, label, page
from app.system.language import tr
from app.system.sentences import told as said
from physics.ensembles.fit import Outcome
from physics.ensembles.fit_parameters import Parameter
from physics.ensembles.fit_results import WORDS, Report


def fit_figure(found: Report) -> Figure:
    """The score over each parameter; cumulated run-outs; sensitivities where there are some."""
    panels = len(found.parameters) + len(found.runs.parts) + bool(found.outcome.sensitivities)
    columns = 2 if panels in (2, 4) else 3
    made, rows = page(-(-panels // columns), columns, height=2.5)
    axes = [one for row in rows for one in row]
    for i, parameter in enumerate(found.parameters):
        _scores(axes[i], found.outcome, parameter, i)
    last = len(found.parameters)
    for name, part in found.runs.parts.items():
        _runouts(axes[last], found, name, part)
        last += 1
    if found.outcome.sensitivities:
        _shares(axes[last], found)
        last += 1
    for empty in axes[last:]:
        empty.set_axis_off()
    below_all(made, axes[0], axes[len(found.parameters)], axes[last - 1], columns=4)
    title = tr("{title}: fitted on measured runs, not a prediction").format(
        title=said(found.asked.title) or found.stops.path.stem
    )
    made.suptitle(title, fontsize=9.5, x=0.01, ha="left")
    return made


def _scores(axes: Axes, outcome: Outcome, parameter: Parameter, i: int) -> None:
    """The score of each trial over one parameter."""
    for searched, colour, name in ((False, PALE, tr("trials before the search")), (True, AXES[2], tr("search"))):
        points = [(one.values[i], one.score.score) for one in outcome.trials if (one.stage == "search") is searched]
        x, y = np.reshape(points, (-1, 2)).T
        axes.plot(x, y, ".", color=colour, markersize=3.5, markeredgewidth=0.0, label=name)
    start, best = outcome.trials[0], outcome.best
    axes.plot(start.values[i], start.score.score, "s", color=INK, markersize=4, linestyle="none", label=tr("start"))
    axes.plot(best.values[i], best.score.score, "D", color=AXES[0], markersize=4, linestyle="none", label=tr("fitted"))
    if parameter.bounds.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())  # labels of less than a decade would cover each other
        ticks = np.geomspace(parameter.bounds.low, parameter.bounds.high, 3)
        axes.set_xticks(ticks, [f"{tick:.2g}" for tick in ticks])
    axes.set_ylim(bottom=0.0)
    label(axes, parameter.field, tr("score [m]"))


def _runouts(axes: Axes, found: Report, name: str, part: np.ndarray) -> None:
    """Cumulated run-outs of a part of the runs, measured, before and after."""
    cumulate_measured(axes, found.runs.runouts[part])
    axes.lines[-1].set_label(tr("measured"))
    looks = (("start", tr("run-outs, start"), INK, "dot"), ("fitted", tr("run-outs, fitted"), AXES[0], "solid"))
    for which, told, colour, dash in looks:
        rocks, runouts = found.outcome.runouts[which]
        here = np.isin(rocks, found.runs.rocks(part, range(int(rocks.max()) + 1)))
        cumulate(axes, runouts[here], color=colour, linestyle=DASHES[dash], label=told)
    name_cumulated(axes, f"{part.sum()} {tr(WORDS[name])}")


def _shares(axes: Axes, found: Report) -> None:
    """First and total indices of the score, with bounds."""
    told, fields = found.outcome.sensitivities["score"], [one.field for one in found.parameters]
    places = np.arange(len(fields))
    kinds = ((-0.18, "first", tr("first index"), AXES[1]), (0.18, "total", tr("total index"), AXES[2]))
    for shift, name, named, colour in kinds:
        values, bounds = getattr(told, name), getattr(told, f"{name}_bounds").T
        away = np.abs(np.clip(bounds, 0.0, None) - np.clip(values, 0.0, None))
        look: dict[str, Any] = {
            "color": colour,
            "height": 0.32,
            "label": named,
            "error_kw": {"linewidth": 0.7},
        }
        axes.barh(places + shift, np.clip(values, 0.0, None), xerr=away, **look)
    axes.set_yticks(places, fields)
    axes.invert_yaxis()
    label(axes, tr("share of the variance of the score"), "", tr("Sensitivities (Sobol)"))
