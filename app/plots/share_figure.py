"""Shares of runs over what a batch sweeps, with bounds of 95 %, drawn for print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from app.kinds import kind_of
from app.plots.print_style import below, label, lane_style, page
from app.system.language import tr
from app.system.sentences import told
from physics import Scenario
from physics.ensembles.start_ensemble import Series, sampling_of
from physics.schemes.lane import lane_of

MARKS = "osD^v*"  # of curves that have one colour


def swept(series: Sequence[Series]) -> str:
    """The field along the axis: the first of the batch that has several values, all numbers; "": there is none."""
    for field in series[0].values:
        values = [one.values[field] for one in series]
        if len({str(value) for value in values}) > 1 and all(type(value) in (int, float) for value in values):
            return field
    return ""


def share_figure(series: Sequence[Series], title: str) -> Figure:
    """The share of each series over the swept value; a curve for each lane, and for other values of the batch."""
    field, scenario = swept(series), series[0].world.scenario
    figure, ((axes,),) = page(1, 1, height=3.6)
    curves: dict[str, list[Series]] = {}
    for one in series:
        others = [f"{name.rpartition('.')[2]} {value}" for name, value in one.values.items() if name != field]
        curves.setdefault(", ".join([one.lane, *others]), []).append(one)
    seen = dict[str, int]()
    for name, members in curves.items():
        number = seen[members[0].lane] = seen.get(members[0].lane, -1) + 1
        members = sorted(members, key=lambda one: float(one.values[field]))
        x = np.array([float(one.values[field]) for one in members])
        y = np.array([one.share.share for one in members])
        low, high = np.array([one.share.bounds for one in members]).T
        look = lane_style(lane_of(members[0].lane).scheme) | {"label": name}
        bars = axes.errorbar(
            x,
            y,
            [y - low, high - y],
            marker=MARKS[number % len(MARKS)],
            markersize=3.5,
            capsize=2,
            clip_on=False,
            **look,
        )
        for bar in (*bars[1], *bars[2]):
            bar.set(clip_on=False, linewidth=0.8)
    event = sampling_of(scenario).event
    label(axes, _name(scenario, field), tr("share that {event} [1]").format(event=tr(event)), told(title))
    axes.set_ylim(0.0, 1.0)
    if min(float(one.values[field]) for one in series) >= 0.0:
        axes.set_xlim(left=0.0)
    below(axes)
    steps = [step for one in series for step in one.world.scenario.steps]
    most, h = max(one.share.runs for one in series), ", ".join(f"{step:g}" for step in dict.fromkeys(steps))
    below_it = tr(
        "{runs} runs a point, bars: 95 % (Wilson 1927); {duration:g} s in steps of {steps} s; seed {seed}"
    ).format(runs=most, duration=scenario.duration, steps=h, seed=scenario.seed)
    figure.supxlabel(below_it, fontsize=7, color="#4A5260", x=0.02, ha="left")
    return figure


def _name(scenario: Scenario, field: str) -> str:
    """The name and the unit that the panel has for a field; else the field."""
    for card in kind_of(scenario).cards.values():
        for one in card:
            if one.key == field:
                return f"{tr(one.label)} [{tr(one.unit) or 1}]"
    return f"{field} [1]"
