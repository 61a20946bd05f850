"""The curve of righting levers, drawn for print."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from app.plots.print_style import AXES, DASHES, INK, PALE, below, label, page
from app.system.language import tr
from physics.hydrostatics.flotation import hydrostatics
from physics.hydrostatics.righting_levers import Criterion, Righting

RADIAN = math.degrees(1.0)
MARK: dict[str, Any] = {"markersize": 4, "zorder": 4, "clip_on": False, "linestyle": "none"}


def righting_figure(found: Righting, judged: tuple[Criterion, ...], title: str) -> Figure:
    """GZ over heel, with GM as the slope at the start, rest and vanishing angle, and what the criteria say below."""
    figure, ((axes,),) = page(1, 1, height=4.2)
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
    heel = tr("heel to starboard [°]") if found.side > 0 else tr("heel to port [°]")
    label(axes, heel, tr("righting lever GZ [m]"), title)
    axes.set_xlim(0.0, heels[-1])
    axes.set_ylim(low, high)
    below(axes)
    told = [_judged(one) for one in judged]
    half = (len(told) + 1) // 2
    lines = [
        tr("General criteria of the 2008 IS Code, part A, 2.2: a demonstration, not an approval."),
        *(";  ".join(told[i : i + 2]) for i in range(0, 2 * half, 2)),
    ]
    figure.supxlabel("\n".join(lines), fontsize=7, color="#4A5260", x=0.02, ha="left")
    return figure


def _judged(one: Criterion) -> str:
    """A criterion in a line."""
    told = tr("{name}: {value:.3g} {unit} (at least {limit:g}), {verdict}")
    return told.format(name=tr(one.name), value=one.value, unit=one.unit, limit=one.limit, verdict=tr(one.verdict))


def _range(found: Righting) -> tuple[float, float]:
    """Of the levers, with room above and below [m]."""
    low, high = min(0.0, float(found.levers.min())), max(0.0, float(found.levers.max()))
    room = 0.1 * (high - low) or 0.1
    return low - room, high + room
