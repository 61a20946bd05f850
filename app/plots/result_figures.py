"""Figures of results for print: shares of a batch, righting levers of a ship, errors of an order study."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from app.document.recipe import notes, title
from app.kinds import kind_of
from app.playback.lane_looks import lane_schemes
from app.plots.files import ENDINGS
from app.plots.hydrostatics_words import code_words, heel_words, judged_value, outside_words
from app.plots.print_style import AXES, DASHES, INK, PALE, below, escaped, figure_page, label, lane_style, style, write
from app.system.language import tr, translated
from app.system.own_words import title_of
from app.theme import LIGHT, legible
from physics import Scenario
from physics.analysis.convergence import Axis, Point, axes_of, drawn, uncounted, verdict
from physics.ensembles.start_ensemble import Series, StartEnsemble, sampling_of, write_start_results
from physics.hydrostatics.flotation import hydrostatics
from physics.hydrostatics.righting_levers import Criterion, Righting
from physics.hydrostatics.stability_sheet import Sheet
from physics.io.trajectory_writers import check_new_folder, check_output, replacing
from physics.schemes.lane import lane_of
from physics.systems import under_torque
from physics.systems.joints.scenario import JointsScenario, SweepConfig
from physics.systems.joints.system import UNITS

RADIAN = math.degrees(1.0)
LINE = 115  # characters of the small print in the width of a figure
MARK: dict[str, Any] = {"markersize": 4, "zorder": 4, "clip_on": False, "linestyle": "none"}


def righting_figure(sheet: Sheet, title: str) -> Figure:
    """GZ over heel, with GM as the slope at the start, rest and vanishing angle, and the criteria below."""
    found = sheet.levers
    figure, ((axes,),) = figure_page(1, 1, height=4.2)
    heels = np.degrees(found.heels)
    axes.axhline(0.0, color=INK, linewidth=0.7)
    axes.plot(heels, found.levers, color=AXES[2], label=tr("righting lever GZ"), zorder=3)
    righting = found.levers > 0.0
    axes.fill_between(heels, found.levers, where=righting, interpolate=True, color=AXES[2], alpha=0.12, linewidth=0.0)
    slope = hydrostatics(found.upright).gm_transverse
    low, high = _range(found)
    start = float(found.levers[0])
    reach = min(RADIAN, max(5.0, RADIAN * (high - start) / slope) if slope > 0.0 else RADIAN)
    axes.plot(
        [0.0, reach],
        [start, start + slope * reach / RADIAN],
        color=PALE,
        linestyle=DASHES["dash"],
        label=tr("slope GM"),
    )
    for angle in (30.0, 40.0):
        axes.axvline(angle, color=PALE, linestyle=DASHES["dot"], linewidth=0.8)
    axes.plot([abs(math.degrees(found.rest.heel))], [0.0], "o", color=AXES[1], label=tr("at rest"), **MARK)
    if found.vanishing is not None:
        where = math.degrees(found.vanishing)
        name = tr("vanishes at {angle:.1f}°").format(angle=where)
        axes.plot([where], [0.0], "D", color=AXES[0], label=name, **MARK)
    if (floods := math.degrees(found.flooding)) <= heels[-1]:
        axes.plot([floods], [0.0], "s", color=INK, label=tr("floods at {angle:.1f}°").format(angle=floods), **MARK)
    label(axes, heel_words(sheet), tr("righting lever GZ [m]"), title)
    axes.set_xlim(0.0, heels[-1])
    axes.set_ylim(low, high)
    below(axes)
    verdicts = [_judged(one) for one in sheet.judged]
    lines = [
        code_words(sheet),
        *(line for i in range(0, len(verdicts), 2) for line in _beside(verdicts[i : i + 2])),
        *outside_words(sheet),
    ]
    figure.supxlabel("\n".join(lines), fontsize=7, color="#4A5260", x=0.02, ha="left")
    return figure


def _judged(one: Criterion) -> str:
    """A criterion as a line of text."""
    text = tr("{name}: {value} (at least {limit:g}), {verdict}")
    value = f"{judged_value(one)} {one.unit}".rstrip()
    return text.format(name=tr(one.name), value=value, limit=one.limit, verdict=tr(one.verdict))


def _beside(verdicts: list[str]) -> list[str]:
    """Verdicts in one line where they fit into the width of the figure, else a line each."""
    line = ";  ".join(verdicts)
    return [line] if len(line) <= LINE else verdicts


def _range(found: Righting) -> tuple[float, float]:
    """Range of the levers, with room above and below [m]."""
    low, high = min(0.0, float(found.levers.min())), max(0.0, float(found.levers.max()))
    room = 0.1 * (high - low) or 0.1
    return low - room, high + room


SCHEME_MARKS = "osD^vP*X"  # a scheme each, also where colours are not seen
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
        facts = notes(suffix, f"{tr('Order of convergence')}: {title(scenario)}", scenario)
        with style():
            order_figure(points, scenario).savefig(part, format=suffix[1:], dpi=DOTS, metadata=facts)


def order_figure(points: Sequence[Point], scenario: Scenario) -> Figure:
    """The attitude error over the step, the computing time and, under torque, the number of torques, by scheme.

    Each is named with its slope and the order that it promises.
    """
    figure, over = Figure(figsize=(7.1, 4.2)), axes_of(scenario)
    plots = figure.subplots(1, len(over), sharey=True)
    schemes = list(dict.fromkeys(point.scheme for point in points))
    for number, scheme in enumerate(lane_schemes(schemes)):
        own = [point for point in points if point.scheme == scheme.name]
        found, promised = map(translated, verdict(scheme, own))
        look = {
            "color": legible(scheme.colour, LIGHT),
            "linestyle": DASHES[scheme.dash],
            "marker": SCHEME_MARKS[number % len(SCHEME_MARKS)],
            "markersize": 3.5,
        }
        look["label"] = f"{scheme.letter}  {escaped(scheme.title)}: {found} ({promised})"
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
    figure.suptitle(title(scenario), parse_math=False)
    left_out = translated(uncounted(schemes)) if under_torque(scenario) else ""
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


CURVE_MARKS = "osD^v*"  # marks of curves that have one colour


def swept(series: Sequence[Series]) -> str:
    """The field along the axis: the first of the batch that has several values, all numbers; "": there is none."""
    for field in series[0].values:
        values = [one.values[field] for one in series]
        if len({str(value) for value in values}) > 1 and all(type(value) in (int, float) for value in values):
            return field
    return ""


def event_words(one: Series, column: str) -> str:
    """Name of an outcome, with the body to which it happens where there are several."""
    sampling = sampling_of(one.world.scenario)
    return f"{sampling.events(one.world.scenario)[column]} {tr(sampling.event)}".strip()


def share_figure(series: Sequence[Series], title: str) -> Figure:
    """The share of each series over the swept value; a curve for each lane, event, and other values of the batch."""
    field, scenario = swept(series), series[0].world.scenario
    events = series[0].shares
    figure, ((axes,),) = figure_page(1, 1, height=3.6)
    curves: dict[tuple[str, str], list[Series]] = {}
    for one in series:
        others = [f"{name.rpartition('.')[2]} {value}" for name, value in one.values.items() if name != field]
        for event in events:
            others_too = [escaped(event_words(one, event))] if len(events) > 1 else []
            curves.setdefault((", ".join([one.lane, *others, *others_too]), event), []).append(one)
    seen = dict[str, int]()
    for (name, event), members in curves.items():
        number = seen[members[0].lane] = seen.get(members[0].lane, -1) + 1
        members = sorted(members, key=lambda one: float(one.values[field]))
        x = np.array([float(one.values[field]) for one in members])
        y = np.array([one.shares[event].share for one in members])
        low, high = np.array([one.shares[event].bounds for one in members]).T
        look = lane_style(lane_of(members[0].lane).scheme) | {"label": name}
        bars = axes.errorbar(
            x,
            y,
            [y - low, high - y],
            marker=CURVE_MARKS[number % len(CURVE_MARKS)],
            markersize=3.5,
            capsize=2,
            clip_on=False,
            **look,
        )
        for bar in (*bars[1], *bars[2]):
            bar.set(clip_on=False, linewidth=0.8)
    words = tr(sampling_of(scenario).event)
    label(axes, _name(scenario, field), tr("share that {event} [1]").format(event=words), title)
    axes.set_ylim(0.0, 1.0)
    if min(float(one.values[field]) for one in series) >= 0.0:
        axes.set_xlim(left=0.0)
    below(axes)
    steps = [step for one in series for step in one.world.scenario.steps]
    most = max(share.runs for one in series for share in one.shares.values())
    h = ", ".join(f"{step:g}" for step in dict.fromkeys(steps))
    below_it = tr(
        "{runs} runs a point, bars: 95 % (Wilson 1927); {duration:g} s in steps of {steps} s; seed {seed}"
    ).format(runs=most, duration=scenario.duration, steps=h, seed=scenario.seed)
    figure.supxlabel(below_it, fontsize=7, color="#4A5260", x=0.02, ha="left")
    return figure


def share_lines(ensemble: StartEnsemble) -> list[str]:
    """The share of each event in each series, a line each."""
    return [_share_line(one, event) for one in ensemble.series for event in one.shares]


def _share_line(one: Series, column: str) -> str:
    found, event = one.shares[column], event_words(one, column)
    name = ", ".join([one.lane, *(f"{field} {value}" for field, value in one.values.items())])
    if not found.runs:
        return tr("{name}: no run has a solution to its end").format(name=name)
    low, high = (100.0 * bound for bound in found.bounds)
    text = tr("{name}: {event} {count} of {runs}, {share:.3g} % (95 %: {low:.3g} to {high:.3g} %)").format(
        name=name, event=event, count=found.count, runs=found.runs, share=100.0 * found.share, low=low, high=high
    )
    return text + (tr("; {number} without a solution").format(number=found.failed) if found.failed else "")


def start_figures(ensemble: StartEnsemble) -> dict[str, Figure]:
    """The figures of an ensemble of starts by the names of their files; none where it only draws starts."""
    draws = {"share": share_figure} if swept(ensemble.series) else {}
    draws |= {"basin": basin_figure} if sweep_of(ensemble.scenario) else {}
    return {name: draw(ensemble.series, title_of(ensemble.scenario)) for name, draw in draws.items()}


def write_starts(folder: Path, ensemble: StartEnsemble) -> None:
    """Write runs.csv, summary.json and the figures of an ensemble of starts to a new folder, whole or not at all."""
    with replacing(check_new_folder(folder)) as part, style():
        part.mkdir()
        write_start_results(part, ensemble)
        for name, made in start_figures(ensemble).items():
            for ending in (".pdf", ".png"):
                write(made, part / f"{name}{ending}")


BODIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")  # distinct for all eyes
LATE = 0.75  # share of white in the colour of what happens at the end


def sweep_of(scenario: Scenario) -> tuple[SweepConfig, ...]:
    """Values that an ensemble sweeps in place of drawing them; (): none."""
    return scenario.ensemble.sweep if isinstance(scenario, JointsScenario) else ()


def basin_figure(series: Sequence[Series], title: str) -> Figure:
    """Outcome at each point of a sweep of two values: a map of each series, the colours those of bodies.

    Full colours for what happens at once, pale ones for what happens at the end.
    """
    scenario = series[0].world.scenario
    x, y = sweep_of(scenario)
    columns = min(3, len(series))
    figure, plots = figure_page(
        -(-len(series) // columns), columns, height=7.0 / columns + 0.2, sharex=True, sharey=True
    )
    events = sampling_of(scenario).events(scenario)
    for axes, one in itertools.zip_longest(plots.flat, series):
        if one is None:
            axes.set_visible(False)
            continue
        picture = np.full((y.points, x.points, 3), to_rgb("#E6E8EC"))
        picture[one.column("failed").reshape(picture.shape[:2]) > 0.0] = to_rgb(INK)
        pale = LATE * np.minimum(one.column("over_at") / scenario.duration, 1.0).reshape(picture.shape[:2])[..., None]
        for number, event in enumerate(events):
            there = one.column(event).reshape(picture.shape[:2]) > 0.0
            picture[there] = (pale + (1.0 - pale) * np.array(to_rgb(BODIES[number % len(BODIES)])))[there]
        halves = [0.5 * (axis.to - axis.from_) / (axis.points - 1) for axis in (x, y)]
        extent = (x.from_ - halves[0], x.to + halves[0], y.from_ - halves[1], y.to + halves[1])
        axes.imshow(picture, origin="lower", extent=extent, aspect="auto", interpolation="nearest")
        axes.grid(visible=False)
        axes.set_title(", ".join([one.lane, *(f"{field.rpartition('.')[2]} {v}" for field, v in one.values.items())]))
        names = [f"{escaped(axis.joint)} {tr(axis.key)} [{UNITS[axis.key]}]" for axis in (x, y)]
        axes.set(xlabel=names[0], ylabel=names[1])
        axes.label_outer()
    figure.suptitle(title, x=0.02, ha="left", parse_math=False)
    names = [*(escaped(event_words(series[0], event)) for event in events), tr("none within {duration:g} s")]
    names[-1] = names[-1].format(duration=scenario.duration)
    looks = [*(BODIES[number % len(BODIES)] for number in range(len(events))), "#E6E8EC"]
    figure.legend([Patch(color=colour) for colour in looks], names, loc="outside lower center", ncols=4)
    return figure


def _name(scenario: Scenario, field: str) -> str:
    """The name and the unit that the panel has for a field; else the field."""
    for card in kind_of(scenario).cards.values():
        for one in card:
            if one.key == field:
                return f"{tr(one.label)} [{tr(one.unit) or 1}]"
    return f"{field} [1]"
