"""Names at the lines of a diagram, in place of a legend that many similar lines would make one search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, cycle
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from scipy.optimize import isotonic_regression

from app.plots.print_style import PALE
from app.theme import LIGHT, legible
from physics.core.rotation import Array
from physics.schemes.scheme import Scheme

SIZE = 6.8  # size of a name [pt]
SAME = 0.02  # share of a decade: lines nearer than that at every point that counts are one line to the eye
ROUNDING = 1e-13  # below, lines part by rounding alone
MARKS = {  # marks that pages of schemes have had from the first on
    "explicit": "v",
    "implicit": "^",
    "quat-em": "P",
    "quat-vi": "X",
    "dir-em": "<",
    "algo-c1": ">",
    "moser-veselov": "*",
    "magnus": "o",
    "factorization": "s",
    "factorization-e3": "D",
    "verlet": "p",
    "compositions": "H",
    "engines": "d",
    "particle-codes": "8",
    "exact": "h",
}
ALL_MARKS = tuple(MARKS.values())


def marked(schemes: Sequence[Scheme]) -> list[dict[str, Any]]:
    """The marks of schemes on their points, one for each page of the help, as far as there are enough.

    Schemes with matrices, and pages beyond the marks that there are, have hollow ones.
    """
    pages = list(dict.fromkeys(scheme.page for scheme in schemes))
    taken = {page: MARKS[page] for page in pages if page in MARKS}
    left = [mark for mark in ALL_MARKS if mark not in taken.values()]
    others = [page for page in pages if page not in MARKS]
    hollow = set(others[len(left) :])
    taken |= dict(zip(others, chain(left, cycle(ALL_MARKS)), strict=False))
    return [
        {"marker": taken[scheme.page], "markersize": 3.4}
        | ({"markerfacecolor": "white"} if scheme.name.endswith("-matrix") or scheme.page in hollow else {})
        for scheme in schemes
    ]


def coinciding(lines: Sequence[Line2D]) -> list[list[Line2D]]:
    """The lines in groups that lie on one another, as they are drawn on logarithmic axes."""
    groups: list[list[Line2D]] = []
    for line in lines:
        home = next((group for group in groups if _same(group[0], line)), None)
        if home is None:
            groups.append([line])
        else:
            home.append(line)
    return groups


def _same(one: Line2D, other: Line2D) -> bool:
    (a, b), (c, d) = (np.asarray(line.get_data(), float) for line in (one, other))
    if len(a) != len(c):
        return False
    seen = np.maximum(b, d) > ROUNDING
    if not seen.any():
        seen[:] = True
    apart = np.abs(np.log10([a[seen] / c[seen], b[seen] / d[seen]]))
    return bool(apart.max() < SAME)


def show_hidden(groups: Sequence[Sequence[Line2D]]) -> None:
    """Draw the lowest of lines on one another wide and pale, so that it is seen under the last one."""
    for group in groups:
        if len(group) > 1:
            group[0].set(linewidth=3.8, markersize=6.5, alpha=0.45, linestyle="-", zorder=1.5)


def name(axes: Axes, lines: Sequence[Line2D], left: bool = False, beside: float = 0.9) -> None:
    """Names in a column beside the first points of the lines, with thin lines to them.

    ``left``: inside the axes, which are widened for it; else at the right of the axes. ``beside``: inches of the figure
    above and below the axes, about. Lines that coincide are named below one another, with a sign of equality.
    """
    groups = coinciding(lines)
    show_hidden(groups)
    if left:
        low, high = np.log10(axes.get_xlim())
        axes.set_xlim(10 ** (low - 0.42 * (high - low)), 10**high)
    axes.set_ylim(axes.get_ylim())  # resolved: places in the axes count from here
    place = axes.transData + axes.transAxes.inverted()
    firsts = [_first(group[0]) for group in groups]
    gap = 1.25 * SIZE / 72 / (axes.figure.figure.get_size_inches()[1] - beside)  # of the axes' height, about
    rows = fanned(place.transform(firsts), gap)
    named = [(groups[row], firsts[row]) for row in rows]
    wanted = [place.transform(first)[1] for group, first in named for _ in group]
    heights = iter(spread(np.array(wanted), gap))
    for group, first in named:
        for k, line in enumerate(group):  # from below
            _put(axes, line, first, next(heights), left, equal=k < len(group) - 1)


def _first(line: Line2D) -> tuple[float, float]:
    """The first point of a line."""
    x, y = np.asarray(line.get_xydata())[0].tolist()
    return x, y


def _put(axes: Axes, line: Line2D, first: tuple[float, float], height: float, left: bool, equal: bool) -> None:
    """One name; ``equal``: to the one above it, which has the line to the point."""
    text, leader = (
        str(line.get_label()),
        {"arrowstyle": "-", "color": PALE, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 2},
    )
    axes.annotate(
        (f"{text} =" if left else f"= {text}") if equal else text,
        xy=first,
        xytext=(0.265 if left else 1.04, height),
        textcoords="axes fraction",
        ha="right" if left else "left",
        va="center",
        fontsize=SIZE,
        color=legible(to_hex(line.get_color()), LIGHT, 4.5),
        arrowprops=None if equal else leader | {"relpos": (1.0 if left else 0.0, 0.5)},
    )


def fanned(places: Array, gap: float) -> list[int]:
    """The numbers of places (n, 2) from the lowest to the highest; of equally high ones the leftmost is in the middle.

    Then the thin lines from a column at the left to places side by side do not cross.
    """
    found: list[int] = []
    levels = np.round(4.0 * places[:, 1] / gap)
    for level in np.unique(levels):
        far = sorted(np.flatnonzero(levels == level).tolist(), key=lambda k: -places[k, 0])
        found += [*far[0::2], *far[1::2][::-1]]
    return found


def spread(wanted: Array, gap: float) -> Array:
    """The places nearest to the wanted ones, in squares, that rise by a gap or more, between 0 and 1."""
    shift = gap * np.arange(len(wanted))
    placed = isotonic_regression(wanted - shift).x
    return np.asarray(np.clip(placed, 0.0, max(0.0, 1.0 - shift[-1])) + shift)
