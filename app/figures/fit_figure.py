"""A fit, for print: scores over each parameter, run-outs of both parts of the runs, sensitivities; and its tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from app.figures.run_out_validation import RULE, cumulate, cumulate_measured, name_cumulated
from app.plots.print_style import AXES, DASHES, INK, PALE, Table, below_all, label, page
from physics.ensembles.fit import Outcome
from physics.ensembles.fit_parameters import Parameter
from physics.ensembles.fit_results import WORDS, Report
from physics.ensembles.fit_runs import Score
from physics.ensembles.validation import distribution

NOTE = (
    "Score: W1, by how many metres run-outs would have to be moved in the mean to be the measured ones, within each "
    "block. W1: of all blocks at once; of the measured: of these drawn again from themselves, the median. Start and "
    "fitted: other rocks than those of the trials. " + RULE + ": an angle of reach that is fitted to nothing (Evans & "
    "Hungr 1993)."
)


def score_table(found: Report) -> Table:
    """Both parts of the runs: what was measured, before, after, and by a rule."""
    rows: list[tuple[str, ...]] = []
    for name, part in found.runs.parts.items():
        words, measured = f"{part.sum()} {WORDS[name]}", distribution(found.runs.runouts[part])
        chance = f"({found.chance[name]:.1f})"
        rows.append((words, "measured", "", chance, f"{measured.mean:.1f}", f"{measured.std:.1f}", ""))
        scores = {"start": found.outcome.start, "fitted": found.outcome.fitted, RULE: found.rule}
        rows += [(words, heading, *_words(score[name])) for heading, score in scores.items()]
    headings = ("runs", "", "score [m]", "W1 [m]", "mean [m]", "spread [m]", "not at rest")
    return Table("How far apart", headings, tuple(rows), NOTE)


def parameter_table(found: Report) -> Table:
    """What was free, what was found, and which share of the score's variance goes with it."""
    told = found.outcome.sensitivities.get("score")
    rows = []
    for i, one in enumerate(found.parameters):
        numbers = (one.bounds.low, one.bounds.high, one.start, found.values[one.field])
        shares = ("", "") if told is None else (f"{told.first[i]:.2f}", f"{told.total[i]:.2f}")
        rows.append((one.field, *(f"{number:.5g}" for number in numbers), *shares))
    return Table("Parameters", ("field", "from", "to", "start", "fitted", "first", "total"), tuple(rows))


def _words(score: Score) -> tuple[str, ...]:
    metres = (score.score, score.wasserstein, score.mean, score.std)
    return (*(f"{value:.1f}" for value in metres), f"{score.censored:.2f}")


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
    title = found.asked.title or found.stops.path.stem
    made.suptitle(f"{title}: fitted on measured runs, not a prediction", fontsize=9.5, x=0.01, ha="left")
    return made


def _scores(axes: Axes, outcome: Outcome, parameter: Parameter, i: int) -> None:
    """The score of each trial over one parameter."""
    for searched, colour, name in ((False, PALE, "trials before the search"), (True, AXES[2], "search")):
        points = [(one.values[i], one.score.score) for one in outcome.trials if (one.stage == "search") is searched]
        x, y = np.reshape(points, (-1, 2)).T
        axes.plot(x, y, ".", color=colour, markersize=3.5, markeredgewidth=0.0, label=name)
    start, best = outcome.trials[0], outcome.best
    axes.plot(start.values[i], start.score.score, "s", color=INK, markersize=4, linestyle="none", label="start")
    axes.plot(best.values[i], best.score.score, "D", color=AXES[0], markersize=4, linestyle="none", label="fitted")
    if parameter.bounds.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())  # labels of less than a decade would cover each other
        ticks = np.geomspace(parameter.bounds.low, parameter.bounds.high, 3)
        axes.set_xticks(ticks, [f"{tick:.2g}" for tick in ticks])
    axes.set_ylim(bottom=0.0)
    label(axes, parameter.field, "score [m]")


def _runouts(axes: Axes, found: Report, name: str, part: np.ndarray) -> None:
    """Cumulated run-outs of a part of the runs, measured, before and after."""
    cumulate_measured(axes, found.runs.runouts[part])
    axes.lines[-1].set_label("measured")
    for which, colour, dash in (("start", INK, "dot"), ("fitted", AXES[0], "solid")):
        rocks, runouts = found.outcome.runouts[which]
        here = np.isin(rocks, found.runs.rocks(part, range(int(rocks.max()) + 1)))
        cumulate(axes, runouts[here], color=colour, linestyle=DASHES[dash], label=f"run-outs, {which}")
    name_cumulated(axes, f"{part.sum()} {WORDS[name]}")


def _shares(axes: Axes, found: Report) -> None:
    """First and total indices of the score, with bounds."""
    told, fields = found.outcome.sensitivities["score"], [one.field for one in found.parameters]
    places = np.arange(len(fields))
    for shift, name, colour in ((-0.18, "first", AXES[1]), (0.18, "total", AXES[2])):
        values, bounds = getattr(told, name), getattr(told, f"{name}_bounds").T
        away = np.abs(np.clip(bounds, 0.0, None) - np.clip(values, 0.0, None))
        look: dict[str, Any] = {
            "color": colour,
            "height": 0.32,
            "label": f"{name} index",
            "error_kw": {"linewidth": 0.7},
        }
        axes.barh(places + shift, np.clip(values, 0.0, None), xerr=away, **look)
    axes.set_yticks(places, fields)
    axes.invert_yaxis()
    label(axes, "share of the variance of the score", "", "Sensitivities (Sobol)")
