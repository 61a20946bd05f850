"""Run-out: how far rocks went, where some did not come to rest before the map or the time ended.

Of these it is only known that they went at least so far: their run-out is censored. Mean, deviation and quantiles over
all rocks take it as if they had stopped there, and are too small. The estimate of Kaplan & Meier (1958, Journal of the
American Statistical Association 53, 457-481) counts each as one that goes on like the others that got as far.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from physics.contact import moreau
from physics.core.rotation import Array
from physics.ensembles.rock_rows import REASONS, RockTable
from physics.ensembles.statistics import bins_for, bins_of, middles_of

EXACT = 250_000  # rocks up to which the median is exact: 25 MB; of more it is that of bins, 1.5 MB
RATIO = 1.001  # of these bins: the median is known within 0.05 %
_SLACK = 1e-9  # of a share: products of shares are rounded


def censored(reasons: Mapping[str, int]) -> float:
    """The share of rocks that did not come to rest; 0 where there are none."""
    rocks = sum(reasons.values())
    return 1.0 - reasons.get(REASONS[moreau.REST], 0) / rocks if rocks else 0.0


def median(rows: RockTable) -> float | None:
    """The median run-out [m] by Kaplan and Meier, in memory that does not grow with rocks; None: it is not reached."""
    values, rested, others = _exact(rows) if len(rows) <= EXACT else _binned(rows)
    return _half(values, _farther(rested, others))


def _exact(rows: RockTable) -> tuple[Array, Array, Array]:
    """Run-outs [m], ascending, and how many rocks rest there, and how many were there last while they still moved."""
    values, place = np.unique(rows.column("runout"), return_inverse=True)
    at_rest, n = rows.column("stop_reason") == moreau.REST, len(values)
    rested, others = (np.bincount(place[who], minlength=n) for who in (at_rest, ~at_rest))
    return values, rested.astype(float), others.astype(float)


def _binned(rows: RockTable) -> tuple[Array, Array, Array]:
    """The same of bins; in a bin rocks rest before others are censored."""
    bins = bins_for(RATIO)
    rested, others = np.zeros(bins), np.zeros(bins)
    for piece in rows.pieces():
        place, at_rest = bins_of(piece.runout, RATIO, bins), piece.stop_reason == moreau.REST
        rested += np.bincount(place[at_rest], minlength=bins)
        others += np.bincount(place[~at_rest], minlength=bins)
    used: NDArray[np.int64] = np.flatnonzero(rested + others)
    return middles_of(used, RATIO), rested[used], others[used]


def _farther(rested: Array, others: Array) -> Array:
    """The share of rocks that go farther than each of ascending values, at which so many rest, and others are lost."""
    at_risk = (rested + others)[::-1].cumsum()[::-1]
    return np.asarray(np.cumprod(1.0 - rested / at_risk))


def _half(values: Array, farther: Array) -> float | None:
    """The value that half of the rocks exceed; in the middle where that holds between two values; None: at none."""
    low = int(np.searchsorted(-farther, -(0.5 + _SLACK)))
    if low == len(values):
        return None
    high = int(np.searchsorted(-farther, -(0.5 - _SLACK)))  # where it falls below a half
    return float(0.5 * (values[low] + values[high])) if low < high < len(values) else float(values[low])
