"""Ranks of measured values in what was predicted for them, and how many lie within the bands of these predictions.

The rank is the share of the predicted distribution below the measured value (probability integral transform; Gneiting,
Balabdaoui & Raftery 2007, Journal of the Royal Statistical Society B 69, 243-268). Where a measured value is one more
draw from what was predicted, ranks are uniform from 0 to 1; their histogram is high at one end where predictions are
biased, and at both ends where they are too narrow (Hamill 2001, Monthly Weather Review 129, 550-560).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.core.rotation import Array
from physics.hazard.statistics import LEVEL, share_bounds

BANDS = (0.5, 0.8, 0.9)  # shares of what was predicted, in its middle
BINS = 10  # of the histogram
SEED = 0  # of the draws within steps of a predicted distribution

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Coverage:
    """Number of measured values that lie within a band of what was predicted.

    Attributes
    ----------
    share : of the predicted distribution in the band
    inside, of : number of measured values in it, and of all
    low, high : interval of LEVEL of the share that the band truly holds (Clopper & Pearson 1934, Biometrika 26)
    """

    share: float
    inside: int
    of: int
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """True if the interval has the band's share."""
        return self.low <= self.share <= self.high


@dataclass(frozen=True)
class Ranks:
    """Ranks of measured values, 0 to 1.

    Attributes
    ----------
    values : (n,) of each
    counts : (BINS,) of them in equal parts of 0 to 1
    expected : least and largest count of a part for LEVEL of uniform ranks
    mean, mean_error : their mean, and half the width of its interval of LEVEL around 0.5 for uniform ranks
    coverage : of BANDS
    """

    values: tuple[float, ...]
    counts: tuple[int, ...]
    expected: tuple[int, int]
    mean: float
    mean_error: float
    coverage: tuple[Coverage, ...]

    def facts(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self) | {"seed": SEED, "level": LEVEL}


def steps(measured: Array, computed: Array, rested: Mask | None = None) -> Array:
    """Lower end and width of the step on which each measured value stands in a distribution (n, 2), as shares.

    Of m computed values and the measured one itself, which are m + 1 draws of one distribution. Those that have not
    ``rested`` are censored: they went at least so far, and their share passes on to all that went farther (Kaplan &
    Meier 1958). Equal values, and all censored ones where none that rested went farther, make the step wider.
    """
    if not len(computed):
        return np.tile([0.0, 1.0], (len(measured), 1))
    ends = np.ones(len(computed), bool) if rested is None else rested
    order = np.argsort(computed, kind="stable")
    found, first = np.unique(computed[order], return_index=True)
    stopped = np.add.reduceat(ends[order].astype(int), first)
    left = len(computed) - first  # values from each on
    farther = np.concatenate([[1.0], np.cumprod(1.0 - stopped / (left + 1.0))])
    place = np.searchsorted(found, measured)
    equal = np.append(found, np.nan)[place] == measured
    ties, over = (np.append(counts, 0)[place] for counts in (stopped, left))
    return np.column_stack([1.0 - farther[place], farther[place] * (np.where(equal, ties, 0) + 1.0) / (over + 1.0)])


def drawn(ends: Array, seed: int = SEED) -> Array:
    """Ranks (n,), each drawn evenly from its step (n, 2); the same for a seed."""
    return np.asarray(ends[:, 0] + np.random.default_rng(seed).random(len(ends)) * ends[:, 1])


def ranks_in(measured: Array, computed: Array, rested: Mask | None = None) -> Ranks:
    """Ranks of measured values (n,) in one distribution (m,), of which some did not come to rest; see ``steps``."""
    return ranks_of(drawn(steps(measured, computed, rested)))


def ranks_each(measured: Array, computed: Iterable[tuple[Array, Mask | None]]) -> Ranks:
    """Ranks of measured values (n,), each in a distribution of its own: n pairs of values and whether they rested."""
    ends = [steps(np.array([one]), *own)[0] for one, own in zip(measured.tolist(), computed, strict=True)]
    return ranks_of(drawn(np.array(ends)))


def of_runs(runs: NDArray[np.int64], count: int) -> list[NDArray[np.int64]]:
    """Indices of the rocks of each of ``count`` runs, in their order; runs (m,): that of each rock."""
    order = np.argsort(runs, kind="stable")
    return np.split(order, np.searchsorted(runs[order], np.arange(1, count)))


def ranks_of(values: Array) -> Ranks:
    """Ranks (n,) with their histogram, mean and coverage."""
    from scipy.stats import binom  # here: it takes half a second to load

    n = len(values)
    counts = np.bincount(np.minimum((BINS * values).astype(int), BINS - 1), minlength=BINS)
    least, most = binom.ppf([0.5 * (1.0 - LEVEL), 0.5 * (1.0 + LEVEL)], n, 1.0 / BINS)
    return Ranks(
        values=tuple(values.tolist()),
        counts=tuple(counts.tolist()),
        expected=(int(least), int(most)),
        mean=float(values.mean()),
        mean_error=1.96 / math.sqrt(12.0 * n),
        coverage=tuple(coverage(values, share) for share in BANDS),
    )


def coverage(values: Array, share: float) -> Coverage:
    """Coverage of the middle share by ranks (n,)."""
    inside = int((np.abs(values - 0.5) <= 0.5 * share).sum())
    return Coverage(share, inside, len(values), *share_bounds(inside, len(values)))
