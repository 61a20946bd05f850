"""Flips of a free body: when its rate about the intermediate axis changes its sign, and how long one takes by theory.

About that axis the rate is a Jacobian sn of the time (Landau & Lifshitz, Mechanics, section 37): it is zero once in
half a period, 2 K(m) / rate. Where the angular momentum stays far from the axis, the body wobbles about another one and
does not flip. Nor does one with two equal moments, which has no such axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from physics.core.rotation import Array

NEAR = 0.7  # share of the angular momentum along the intermediate axis, at its most, from which on a body flips
EQUAL = 1e-6  # share of the largest moment by which equal ones may differ, as those of facets do


def has_intermediate(moments: Array) -> bool:
    """True if no two of the principal moments (3,) are equal: else no axis is the intermediate one."""
    return bool(np.diff(np.sort(moments)).min() >= EQUAL * moments.max())


@dataclass(frozen=True)
class Flips:
    """Flips of a body in a flight.

    Attributes
    ----------
    axis : the number of the axis about which it turned: the intermediate one if it flips, else another
    moment : which one that is, of rising moments: 0, 1 or 2
    times : [s] after the begin at which it flipped
    takes : [s] from one flip to the next, by theory; None where it does not flip
    """

    axis: int
    moment: int
    times: tuple[float, ...]
    takes: float | None

    @classmethod
    def of(cls, moments: Array, rates: Array, time: Array) -> Flips:
        """Flips by moments (3,), of which ratios alone count, and rates (n, 3) [rad/s] about their axes.

        time : (n,) [s]. In the air a flip takes ever longer: theory is that of the state in the middle.
        """
        order = np.argsort(moments)
        first, second, third = moments[order]
        spin = np.linalg.norm(moments * rates, axis=1)
        about = rates[:, order[1]]
        w = rates[len(rates) // 2]
        squared, energy = float(np.sum((moments * w) ** 2)), float(np.sum(moments * w**2))  # L², 2T
        outer = int(squared > second * energy)  # it circles about the largest moment's axis, not the smallest one's
        if not has_intermediate(moments) or not (second * np.abs(about) / np.maximum(spin, 1e-300)).max() > NEAR:
            return cls(int(order[2 * outer]), 2 * outer, (), None)
        here = np.flatnonzero((about[1:] > 0.0) != (about[:-1] > 0.0))
        share = about[here] / (about[here] - about[here + 1])
        times = time[here] + share * (time[here + 1] - time[here]) - time[0]
        takes = _half_period(first, second, third, squared, energy)
        return cls(int(order[1]), 1, tuple(times.tolist()), takes if takes < math.inf else None)


def _half_period(first: float, second: float, third: float, squared: float, energy: float) -> float:
    """Time [s] between zeros of the rate about the intermediate axis, by rising moments, L² and 2T."""
    from scipy.special import ellipk

    low, high = squared - energy * first, energy * third - squared
    one, other = (third - second) * low, (second - first) * high
    large, small = max(one, other), min(one, other)
    if not large > 0.0:
        return math.inf
    return float(2.0 * ellipk(small / large) * math.sqrt(first * second * third / large))
