"""Curves of a study: how often in a year rocks bring more than an energy or a height to each barrier and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.plots.print_style import AXES, AXES_DASHES, BOLD, INK, PALE, escaped, label
from app.system.language import tr
from physics.core.rotation import Array
from physics.hazard.design import Rocks, rocks_at
from physics.hazard.results_folder import Outcome

ROWS = 4  # barriers and lines on a page
PAPER = 8.27, 11.69  # inches, A4
_PANELS = ((0, 1e-3, True), (3, 1.0, False))  # number of a quantity, what it is multiplied by, logarithmic or not
_DECADES = 1e-4  # share of the largest value at which a logarithmic axis begins


def curves_of(outcome: Outcome, scheme: str, heading: str, names: Sequence[str]) -> Iterator[Figure]:
    """Pages with a row for each barrier and line that rocks reach; names: of the classes."""
    assert outcome.study is not None
    lines, crossings = outcome.lines, outcome.results[scheme].crossings.read()
    found = [rocks_at(i, lines, crossings, outcome.weights(scheme)) for i in range(len(lines.names))]
    reached = [(name, rocks) for name, rocks in zip(lines.names, found, strict=True) if len(rocks.kinds)]
    for first in range(0, len(reached), ROWS):
        some = reached[first : first + ROWS]
        figure, high = Figure(figsize=PAPER), 0.9 * len(some) / ROWS
        figure.set_layout_engine("constrained", rect=(0.07, 0.94 - high, 0.88, high))
        grid = figure.subplots(len(some), 2, squeeze=False)
        figure.text(0.095, 0.955, escaped(heading), fontsize=11, color=INK, **BOLD)
        for (name, rocks), axes in zip(some, grid, strict=True):
            for one, panel in zip(axes, _PANELS, strict=True):
                _draw(one, rocks, panel, names, outcome.study.periods)
            label(axes[0], f"{tr('kinetic energy')} [kJ]", tr("rocks in a year above"), escaped(name))
            label(axes[1], f"{tr('height')} [m]", "")
        grid[0, 1].legend(loc="upper right", fontsize=6)
        yield figure


def _draw(
    axes: Axes, rocks: Rocks, panel: tuple[int, float, bool], names: Sequence[str], periods: Sequence[float]
) -> None:
    """The curves of each class, and of all of them; lines at the frequencies of return periods."""
    quantity, factor, logarithmic = panel
    values = factor * rocks.values[:, quantity]
    low = _DECADES * float(values.max()) if logarithmic else 0.0
    for period in periods:
        axes.axhline(1.0 / period, color=PALE, linewidth=0.6)
        axes.text(1.0, 1.0 / period, f"{period:g} a", transform=axes.get_yaxis_transform(), fontsize=5, va="bottom")
    for number, name in enumerate(names, start=1):
        own = rocks.kinds == number
        look = {"color": AXES[(number - 1) % len(AXES)], "linestyle": AXES_DASHES[(number - 1) // len(AXES) % 3]}
        _step(axes, values[own], rocks.weights[own], low, label=escaped(name), **look)
    _step(axes, values, rocks.weights, low, label=tr("all"), color=INK, linewidth=1.4)
    axes.set_yscale("log")
    if logarithmic and low > 0.0:
        axes.set_xscale("log")


def _step(axes: Axes, values: Array, weights: Array, low: float, **look: Any) -> None:
    """Draw the frequencies with which each value is reached or exceeded, down to a value."""
    if len(values):
        order = np.argsort(-values)
        often = np.append(np.cumsum(weights[order]), weights.sum())
        axes.step(np.append(np.maximum(values[order], low), low), often, where="post", **look)
