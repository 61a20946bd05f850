"""Computed run-outs beside measured ones, for print: a table, cumulated shares, and where rocks stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.plots.print_style import DASHES, INK, PALE, below_all, label, lane_style, page
from app.system.language import tr
from app.system.sentences import told
from physics.core.rotation import Array
from physics.ensembles.validation import REACH_ANGLE, Validation
from physics.schemes.lane import lane_of
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.world import RockfallWorld


def figure(found: Validation, world: RockfallWorld, stops: Stops) -> Figure:
    """Cumulated shares of run-outs, and a map of stops and releases."""
    made, ((left, right),) = page(1, 2, height=3.4)
    _cumulated(left, found)
    _map(right, found, world, stops)
    below_all(made, left, right, columns=4)
    titles = filter(None, map(told, [world.scenario.title, found.measured.fitted]))
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
