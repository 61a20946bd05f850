"""Computed run-outs beside measured ones, for print: a table, cumulated shares, and where rocks stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.plots.print_style import DASHES, INK, PALE, Table, below_all, label, lane_style, page
from physics.core.rotation import Array
from physics.ensembles.validation import REACH_ANGLE, Comparison, Validation
from physics.schemes.lane import lane_of
from physics.systems.observations import Stops
from physics.systems.rockfall_world import RockfallWorld

RULE = f"reach {REACH_ANGLE:g}°"
NOTE = (
    "Run-out: horizontal distance from release to stop. W1: mean distance by which computed run-outs would have to be "
    "moved to be the measured ones. A right model would be off by the W1 of the measured drawn again from themselves: "
    "{median:.1f} m in the median, {q95:.1f} m at 95 %. KS: two samples, asymptotic p; rocks that did not come to rest "
    "count where they were last. "
    + RULE
    + ": each rock stops where the line of sight to its release dips by that angle "
    "(Evans & Hungr 1993), straight down the fall line; nothing is fitted."
)


def table(found: Validation, title: str) -> Table:
    """Each statistic of what was measured, of each scheme and of the rule."""
    columns = {**found.schemes, RULE: found.measured.rule}
    headings = ("", "measured", *columns)
    rows = [
        ("rocks", f"{found.measured.distribution.rocks}", *(f"{one.computed.rocks}" for one in columns.values())),
        (
            "mean [m]",
            _metres(found.measured.distribution.mean),
            *(_metres(one.computed.mean) for one in columns.values()),
        ),
        (
            "spread [m]",
            _metres(found.measured.distribution.std),
            *(_metres(one.computed.std) for one in columns.values()),
        ),
    ]
    for key, value in found.measured.distribution.quantiles.items():
        others = (_metres(one.computed.quantiles[key]) for one in columns.values())
        rows.append(((f"{key} [m]" if key == "median" else f"{int(key[1:])} % [m]"), _metres(value), *others))
    rows += [
        ("W1 [m]", _metres(found.measured.resampled.median), *(_metres(one.wasserstein) for one in columns.values())),
        ("KS", "", *(f"{one.ks:.2f}" for one in columns.values())),
        ("p", "", *(f"{one.p_value:.2g}" for one in columns.values())),
        ("not at rest", "", *(_share(one.censored) for one in found.schemes.values()), ""),
        ("Kaplan-Meier [m]", "", *(_median(one) for one in found.schemes.values()), ""),
    ]
    for number, band in enumerate(found.measured.rule.bands):
        inside = (_share(one.bands[number].measured) for one in columns.values())
        rows.append((f"in the {band.share:.0%} band".replace("%", " %"), _share(band.share), *inside))
    for number, name in enumerate(found.measured.zone_names):
        inside = (_share(one.zones[number]) for one in found.schemes.values())
        rows.append((f"in {name}" if name != "elsewhere" else name, _share(found.measured.zones[number]), *inside, ""))
    drawn = {"median": found.measured.resampled.median, "q95": found.measured.resampled.q95}
    first = f"{found.measured.fitted}.\n" if found.measured.fitted else ""
    return Table(title, headings, tuple(rows), first + NOTE.format(**drawn))


def _metres(value: float) -> str:
    return f"{value:.1f}"


def _share(value: float) -> str:
    return f"{value:.2f}"


def _median(one: Comparison) -> str:
    return "beyond" if one.median is None else _metres(one.median)


def plain(made: Table) -> str:
    """The table as lines of text."""
    lines = [made.headings, *made.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(made.headings))]
    return "\n".join(
        "  ".join(
            f"{word:<{w}}" if i == 0 else f"{word:>{w}}" for i, (word, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def figure(found: Validation, world: RockfallWorld, stops: Stops) -> Figure:
    """Cumulated shares of run-outs, and a map of stops and releases."""
    made, ((left, right),) = page(1, 2, height=3.4)
    _cumulated(left, found)
    _map(right, found, world, stops)
    below_all(made, left, right, columns=4)
    titles = filter(None, [world.scenario.title, found.measured.fitted])
    made.suptitle("\n".join(titles), fontsize=9.5, x=0.01, ha="left")
    return made


def _look(name: str) -> dict[str, Any]:
    return lane_style(lane_of(name).row) | {"label": name}


def _cumulated(axes: Axes, found: Validation) -> None:
    """Over the run-out: the share that went at most so far; shaded what the measured ones would be, drawn again."""
    cumulate_measured(axes, found.measured.runouts)
    for name, values in found.values.items():
        cumulate(axes, values, **_look(name))
    middle = found.measured.rule.computed.mean
    axes.axvline(middle, color=INK, linewidth=0.8, linestyle=DASHES["dot"], label=f"{RULE} (mean)")
    name_cumulated(axes, "Run-out")


def name_cumulated(axes: Axes, title: str) -> None:
    """Name the axes of cumulated shares, and begin both at zero, when all is drawn."""
    axes.set_ylim(0.0, 1.0)
    axes.set_xlim(left=0.0)
    label(axes, "run-out [m]", "share at most so far", title)


def cumulate_measured(axes: Axes, runouts: Array) -> None:
    """The cumulated share of measured run-outs (n,) [m], in what chance makes of so few."""
    n = len(runouts)
    measured, ranks = np.r_[0.0, np.sort(runouts)], np.arange(n + 1) / n
    spread = np.sqrt(ranks * (1.0 - ranks) / n)
    low, high = np.clip(ranks - 2 * spread, 0, 1), np.clip(ranks + 2 * spread, 0, 1)
    axes.fill_between(measured, low, high, step="post", color=PALE, alpha=0.45, linewidth=0.0, label="by chance (2σ)")
    axes.step(measured, ranks, where="post", color=INK, linewidth=1.6, label=f"measured ({n})")


def cumulate(axes: Axes, runouts: Array, **look: Any) -> None:
    """The cumulated share of computed run-outs (n,) [m]."""
    shares = np.arange(len(runouts) + 1) / len(runouts)
    axes.step(np.r_[0.0, np.sort(runouts)], shares, where="post", **look)


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
        axes.plot([], [], "o", color=INK, markersize=2.6, fillstyle="none", linestyle="none", label="not at rest")
    starts = np.unique(stops.releases[np.isfinite(stops.releases[:, 0])], axis=0)
    axes.plot(*starts.T, "v", color=INK, markersize=3, linestyle="none", label="releases")
    axes.plot(
        *stops.places.T, "x", color=INK, markersize=4.5, markeredgewidth=1.2, linestyle="none", label="measured stops"
    )
    _frame(axes, np.concatenate([stops.places, starts, *found.stops.values()]))
    axes.set_aspect("equal")
    label(axes, "x [m]", "y [m]", "Stops")


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
