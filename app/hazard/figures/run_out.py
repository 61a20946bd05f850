"""Run-outs, computed and measured: tables and figures of ``polhode validate`` and ``polhode fit``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from app.hazard.layers import in_zone
from app.plots.print_style import AXES, DASHES, INK, PALE, PrintTable, below_all, figure_page, label, lane_style
from app.system.language import tr, translated
from app.system.own_words import title_of
from physics.core.rotation import Array
from physics.core.wording import per_cent
from physics.hazard.fit import Outcome, Score
from physics.hazard.fit_parameters import Parameter
from physics.hazard.fit_results import WORDS, Report
from physics.hazard.posterior import LAWS, Posterior, with_its_error
from physics.hazard.ranks import BANDS, BINS, Ranks
from physics.hazard.validation import REACH_ANGLE, Comparison, Validation, distribution
from physics.schemes.lane import lane_of
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.world import RockfallWorld

ERROR_LOOK = {"linestyle": DASHES["dash"], "linewidth": 1.6}  # of what is predicted with the model's error


def figure(found: Validation, world: RockfallWorld, stops: Stops) -> Figure:
    """Cumulated shares of run-outs, and a map of stops and releases."""
    made, ((left, middle, right),) = figure_page(1, 3, height=3.0, width=9.5)
    _cumulated(left, found)
    looks = {name: _look(name) for name in found.schemes}
    looks |= {_corrected(name): _look(name) | ERROR_LOOK | {"label": _corrected(name)} for name in found.with_error}
    ranks = [one.ranks for one in (*found.schemes.values(), *found.with_error.values())]
    histogram(middle, dict(zip(looks, ranks, strict=True)), looks)
    _map(right, found, world, stops)
    below_all(made, left, middle, right, columns=4)
    titles = filter(None, [title_of(world.scenario), translated(found.measured.fitted)])
    made.suptitle("\n".join(titles), fontsize=9.5, x=0.01, ha="left", parse_math=False)
    return made


def _look(name: str) -> dict[str, Any]:
    return lane_style(lane_of(name).row) | {"label": name}


def _cumulated(axes: Axes, found: Validation) -> None:
    """Over the run-out: the share that went at most so far; shaded what the measured ones would be, drawn again."""
    cumulate_measured(axes, found.measured.runouts)
    for name, values in found.values.items():
        cumulate(axes, values, **_look(name))
    middle = found.measured.rule.computed.mean
    rule = tr("reach {angle:g}° (mean)").format(angle=REACH_ANGLE)
    axes.axvline(middle, color=INK, linewidth=0.8, linestyle=DASHES["dot"], label=rule)
    name_cumulated(axes, tr("Run-out"))


def name_cumulated(axes: Axes, title: str) -> None:
    """Name the axes of cumulated shares, and begin both at zero, when all is drawn."""
    axes.set_ylim(0.0, 1.0)
    axes.set_xlim(left=0.0)
    label(axes, tr("run-out [m]"), tr("share at most so far"), title)


def cumulate_measured(axes: Axes, runouts: Array) -> None:
    """The cumulated share of measured run-outs (n,) [m], in what chance makes of so few."""
    n = len(runouts)
    measured, ranks = np.r_[0.0, np.sort(runouts)], np.arange(n + 1) / n
    spread = np.sqrt(ranks * (1.0 - ranks) / n)
    low, high = np.clip(ranks - 2 * spread, 0, 1), np.clip(ranks + 2 * spread, 0, 1)
    chance, name = tr("by chance (2σ)"), tr("measured ({number})").format(number=n)
    axes.fill_between(measured, low, high, step="post", color=PALE, alpha=0.45, linewidth=0.0, label=chance)
    axes.step(measured, ranks, where="post", color=INK, linewidth=1.6, label=name)


def cumulate(axes: Axes, runouts: Array, **look: Any) -> None:
    """The cumulated share of computed run-outs (n,) [m]."""
    shares = np.arange(len(runouts) + 1) / len(runouts)
    axes.step(np.r_[0.0, np.sort(runouts)], shares, where="post", **look)


def histogram(axes: Axes, ranks: Mapping[str, Ranks], looks: Mapping[str, Mapping[str, Any]]) -> None:
    """The ranks of measured run-outs in each prediction, shaded what chance makes of uniform ones."""
    edges = np.linspace(0.0, 1.0, BINS + 1)
    for name, one in ranks.items():
        axes.stairs(one.counts, edges, **looks[name])
    least, most = next(iter(ranks.values())).expected
    axes.axhspan(least, most, color=PALE, alpha=0.45, linewidth=0.0, zorder=0, label=tr("uniform ranks (95 %)"))
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.1 * max(most, *(max(one.counts) for one in ranks.values())))
    label(axes, tr("rank among computed rocks"), tr("measured runs"), tr("Ranks"))


def _map(axes: Axes, found: Validation, world: RockfallWorld, stops: Stops) -> None:
    """Contour lines, releases, and stops, computed and measured."""
    terrain = world.terrain
    x0, x1, y0, y1 = terrain.extent
    ny, nx = terrain.heights.shape
    every = max(1, max(nx, ny) // 400)
    x, y = np.linspace(x0, x1, nx)[::every], np.linspace(y0, y1, ny)[::every]
    axes.contour(x, y, terrain.heights[::every, ::every], levels=14, colors=PALE, linewidths=0.5)
    for zone in world.observed.zones:
        for ring in _rings(zone.polygon):
            axes.plot(*ring.T, color=PALE, linewidth=0.9, linestyle=DASHES["dash"])
    for name, places in found.stops.items():
        rest = found.rested[name]
        look = {"color": _look(name)["color"], "alpha": 0.6, "linestyle": "none"}
        axes.plot(*places[rest].T, ".", markersize=2.2, markeredgewidth=0.0, **look)
        axes.plot(*places[~rest].T, "o", markersize=2.6, fillstyle="none", markeredgewidth=0.5, **look)
    if not all(rest.all() for rest in found.rested.values()):
        axes.plot([], [], "o", color=INK, markersize=2.6, fillstyle="none", linestyle="none", label=tr("not at rest"))
    starts = np.unique(stops.releases[np.isfinite(stops.releases[:, 0])], axis=0)
    axes.plot(*starts.T, "v", color=INK, markersize=3, linestyle="none", label=tr("releases"))
    axes.plot(
        *stops.places.T,
        "x",
        color=INK,
        markersize=4.5,
        markeredgewidth=1.2,
        linestyle="none",
        label=tr("measured stops"),
    )
    _frame(axes, np.concatenate([stops.places, starts, *found.stops.values()]))
    axes.set_aspect("equal")
    label(axes, "x [m]", "y [m]", tr("Stops"))


def _frame(axes: Axes, places: Array) -> None:
    """Show what of the map has anything on it, with room around."""
    low, high = places.min(axis=0), places.max(axis=0)
    room = 0.08 * float((high - low).max()) + 1.0
    axes.set_xlim(low[0] - room, high[0] + room)
    axes.set_ylim(low[1] - room, high[1] + room)


def _rings(polygon: Any) -> list[Array]:
    """The outlines (n, 2) of a polygon or several."""
    import shapely

    return [shapely.get_coordinates(part.exterior) for part in shapely.get_parts(polygon)]


def fit_figure(found: Report) -> Figure:
    """The score over each parameter; cumulated run-outs; sensitivities where there are some."""
    drawn = found.posterior
    panels = len(found.parameters) + len(found.runs.parts) * (1 + (drawn is not None))
    panels += bool(found.outcome.sensitivities)
    columns = 2 if panels in (2, 4) else 3
    made, rows = figure_page(-(-panels // columns), columns, height=2.5)
    axes = [one for row in rows for one in row]
    for i, parameter in enumerate(found.parameters):
        _scores(axes[i], found.outcome, parameter, i)
    last = len(found.parameters)
    for name, part in found.runs.parts.items():
        _runouts(axes[last], found, name, part)
        last += 1
    if drawn is not None:
        looks = _posterior_looks()
        for name, ranks in drawn.ranks.items():
            histogram(axes[last], {law: ranks[law] for law in looks if law in ranks}, looks)
            axes[last].set_title(f"{len(ranks['posterior'].values)} {tr(WORDS[name])}")
            last += 1
    if found.outcome.sensitivities:
        _shares(axes[last], found)
        last += 1
    for empty in axes[last:]:
        empty.set_axis_off()
    below_all(made, axes[0], axes[len(found.parameters)], axes[last - 1], columns=4)
    title = tr("{title}: fitted on measured runs, not a prediction").format(
        title=title_of(found.asked) or found.stops.path.stem
    )
    made.suptitle(title, fontsize=9.5, x=0.01, ha="left", parse_math=False)
    return made


def _posterior_looks() -> dict[str, dict[str, Any]]:
    plain = {"color": AXES[0], "label": tr("posterior")}
    return {
        "posterior": plain,
        with_its_error("posterior"): plain | ERROR_LOOK | {"label": _corrected(tr("posterior"))},
    }


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
    for which, words, colour, dash in looks:
        rocks, runouts = found.outcome.runouts[which]
        here = np.isin(rocks, found.runs.rocks(part, range(int(rocks.max()) + 1)))
        cumulate(axes, runouts[here], color=colour, linestyle=DASHES[dash], label=words)
    name_cumulated(axes, f"{part.sum()} {tr(WORDS[name])}")


def _shares(axes: Axes, found: Report) -> None:
    """First and total indices of the score, with bounds."""
    indices, fields = found.outcome.sensitivities["score"], [one.field for one in found.parameters]
    places = np.arange(len(fields))
    kinds = ((-0.18, "first", tr("first index"), AXES[1]), (0.18, "total", tr("total index"), AXES[2]))
    for shift, name, named, colour in kinds:
        values, bounds = getattr(indices, name), getattr(indices, f"{name}_bounds").T
        away = np.abs(np.clip(bounds, 0.0, None) - np.clip(values, 0.0, None))
        look: dict[str, Any] = {"color": colour, "height": 0.32, "label": named, "error_kw": {"linewidth": 0.7}}
        axes.barh(places + shift, np.clip(values, 0.0, None), xerr=away, **look)
    axes.set_yticks(places, fields)
    axes.invert_yaxis()
    label(axes, tr("share of the variance of the score"), "", tr("Sensitivities (Sobol)"))


def rule_name() -> str:
    """The heading of an angle of reach."""
    return tr("reach {angle:g}°").format(angle=REACH_ANGLE)


def _source_of_rule() -> str:
    return tr("It is the least shadow angle of Evans & Hungr (1993), who draw it from the top of the talus.")


def _note(median: float, q95: float) -> str:
    return tr(
        "Run-out: horizontal distance from release to stop. W1: mean distance by which computed run-outs would have to "
        "be moved to be the measured ones. An exact model would have the W1 of the measured values resampled from "
        "themselves: {median:.1f} m in the median, {q95:.1f} m at 95 %. KS: two samples, asymptotic p; rocks that did "
        "not come to rest count where they were last. {rule}: each rock stops where the line of sight to its release "
        "dips by that angle, straight down the fall line; nothing is fitted. {source}"
    ).format(median=median, q95=q95, rule=rule_name(), source=_source_of_rule())


def _corrected(name: str) -> str:
    """The heading of what laws predict with the model's error."""
    return tr("{laws} with error").format(laws=name)


def _note_of_error() -> str:
    return tr(
        "With error: run-outs as measured ones are predicted, with the bias and the scatter of the model, as drawn by "
        "polhode fit from the fitted runs."
    )


def note_of_ranks() -> str:
    """Note on the rows of ranks and bands."""
    return tr(
        "Ranks: the share of computed rocks below each measured run-out, of those from its own place where they start "
        "as the runs did; rocks that did not come to rest go farther (Kaplan & Meier 1958). In the second column what "
        "is right, and what 95 % of uniform ranks have. Bands: how many measured run-outs lie in them, and the "
        "interval of 95 % of that share (Clopper & Pearson 1934)."
    )


def _note_of_a_fit() -> str:
    return tr(
        "Score: W1, by how many metres run-outs would have to be moved in the mean to be the measured ones, within "
        "each block. W1: of all blocks at once; of the measured: of these resampled from themselves, the median. "
        "Start and fitted: other rocks than those of the trials. {rule}: an angle of reach from the release that is "
        "fitted to nothing. {source}"
    ).format(rule=rule_name(), source=_source_of_rule())


def table(found: Validation, title: str) -> PrintTable:
    """Each statistic of what was measured, of each scheme and of the rule."""
    corrected = {_corrected(name): one for name, one in found.with_error.items()}
    columns = {**found.schemes, **corrected, rule_name(): found.measured.rule}
    others = ("",) * (len(corrected) + 1)
    headings = ("", tr("measured"), *columns)
    rows = [
        (tr("rocks"), f"{found.measured.distribution.rocks}", *(f"{one.computed.rocks}" for one in columns.values())),
        (
            tr("mean [m]"),
            _metres(found.measured.distribution.mean),
            *(_metres(one.computed.mean) for one in columns.values()),
        ),
        (
            tr("spread [m]"),
            _metres(found.measured.distribution.std),
            *(_metres(one.computed.std) for one in columns.values()),
        ),
    ]
    for key, value in found.measured.distribution.quantiles.items():
        computed = (_metres(one.computed.quantiles[key]) for one in columns.values())
        name = tr("median [m]") if key == "median" else f"{int(key[1:])} % [m]"
        rows.append((name, _metres(value), *computed))
    rows += [
        ("W1 [m]", _metres(found.measured.resampled.median), *(_metres(one.wasserstein) for one in columns.values())),
        ("KS", "", *(f"{one.ks:.2f}" for one in columns.values())),
        ("p", "", *(f"{one.p_value:.2g}" for one in columns.values())),
        (tr("not at rest"), "", *(_share(one.censored) for one in found.schemes.values()), *others),
        ("Kaplan-Meier [m]", "", *(_median(one) for one in found.schemes.values()), *others),
    ]
    rows += rank_rows([one.ranks for one in columns.values()])
    for number, name in enumerate(found.measured.zone_names):
        inside = (_share(one.zones[number]) for one in found.schemes.values())
        rows.append((in_zone(name), _share(found.measured.zones[number]), *inside, *others))
    drawn = {"median": found.measured.resampled.median, "q95": found.measured.resampled.q95}
    said = f" {_note_of_error()}" if corrected else ""
    first = f"{translated(found.measured.fitted)}.\n" if found.measured.fitted else ""
    return PrintTable(title, headings, tuple(rows), f"{first}{_note(**drawn)} {note_of_ranks()}{said}")


def rank_rows(columns: Sequence[Ranks]) -> list[tuple[str, ...]]:
    """Rows of ranks and bands, a column each: first what they should be, with its interval of 95 % by chance."""
    first = columns[0]
    rows = []
    for band, *inside in zip(first.coverage, *map(_bands, columns), strict=True):
        name = tr("in the {share:.0f} % band").format(share=100.0 * band.share)
        rows.append((name, _share(band.share), *inside))
    rows.append((tr("mean rank"), f"0.50 ± {first.mean_error:.2f}", *(f"{one.mean:.2f}" for one in columns)))
    for number in range(BINS):
        name = tr("ranks from {low:.1f} to {high:.1f}").format(low=number / BINS, high=(number + 1) / BINS)
        rows.append((name, "{}-{}".format(*first.expected), *(f"{one.counts[number]}" for one in columns)))
    return rows


def _metres(value: float) -> str:
    return f"{value:.1f}"


def _share(value: float) -> str:
    return per_cent(value, 1)


def _median(one: Comparison) -> str:
    return tr("beyond") if one.median is None else _metres(one.median)


def text_table(made: PrintTable) -> str:
    """The table as lines of text."""
    lines = [made.headings, *made.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(made.headings))]
    return "\n".join(
        "  ".join(
            f"{word:<{w}}" if i == 0 else f"{word:>{w}}" for i, (word, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def score_table(found: Report) -> PrintTable:
    """Both parts of the runs: what was measured, before, after, and by a rule."""
    rows: list[tuple[str, ...]] = []
    for name, part in found.runs.parts.items():
        words, measured = f"{part.sum()} {tr(WORDS[name])}", distribution(found.runs.runouts[part])
        chance = f"({found.chance[name]:.1f})"
        rows.append((words, tr("measured"), "", chance, f"{measured.mean:.1f}", f"{measured.std:.1f}", ""))
        scores = {tr("start"): found.outcome.start, tr("fitted"): found.outcome.fitted, rule_name(): found.rule}
        rows += [(words, heading, *_words(score[name])) for heading, score in scores.items()]
    means = (tr("mean [m]"), tr("spread [m]"), tr("not at rest"))
    headings = (tr("runs"), "", tr("score [m]"), "W1 [m]", *means)
    return PrintTable(tr("How far apart"), headings, tuple(rows), _note_of_a_fit())


def rank_table(drawn: Posterior) -> PrintTable:
    """Both parts of the runs among the rocks of each of the laws: bands, mean rank and histogram."""
    names = dict(zip(LAWS, (tr("start"), tr("fitted"), tr("posterior")), strict=True))
    names |= {with_its_error(law): _corrected(name) for law, name in names.items()}
    rows = [
        (
            f"{len(one.values)} {tr(WORDS[part])}",
            names[law],
            *_bands(one),
            f"{one.mean:.2f} (± {one.mean_error:.2f})",
            " ".join(map(str, one.counts)),
        )
        for part, laws in drawn.ranks.items()
        for law, one in laws.items()
    ]
    bands = (f"{100.0 * share:.0f} %" for share in BANDS)
    headings = (tr("runs"), "", *bands, tr("mean rank"), tr("ranks by tenths"))
    return PrintTable(
        tr("Runs in the bands of the rocks"), headings, tuple(rows), f"{note_of_ranks()} {_note_of_error()}"
    )


def _bands(ranks: Ranks) -> tuple[str, ...]:
    return tuple(f"{one.inside}/{one.of} ({_share(one.low)} - {_share(one.high)})" for one in ranks.coverage)


def parameter_table(found: Report) -> PrintTable:
    """Free parameters, their fitted values, and each one's share of the score's variance."""
    indices = found.outcome.sensitivities.get("score")
    rows = []
    for i, one in enumerate(found.parameters):
        numbers = (one.bounds.low, one.bounds.high, one.start, found.values[one.field])
        shares = ("", "") if indices is None else (f"{indices.first[i]:.2f}", f"{indices.total[i]:.2f}")
        rows.append((one.field, *(f"{number:.5g}" for number in numbers), *shares))
    headings = (tr("field"), tr("from"), tr("to"), tr("start"), tr("fitted"), tr("first index"), tr("total index"))
    return PrintTable(tr("Parameters"), headings, tuple(rows))


def _words(score: Score) -> tuple[str, ...]:
    metres = (score.score, score.wasserstein, score.mean, score.std)
    return (*(f"{value:.1f}" for value in metres), _share(score.censored))
