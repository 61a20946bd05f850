"""Attitudes from rates: by an exponential map between samples, or with other sensors by a kept library."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import Array, conjugate, cross_product, multiply, rotation_vector, unit_of

GAP = 3.5  # times the usual distance of two samples
REPEATED = 5  # equal samples in a row from which on a logger may have held the last one
RARE = 0.2  # of all samples: where more are equal, the motion is so, as that of a sphere in flight that is computed
JUMP = 3.0  # times a large change between samples: after a slow motion, or one in coarse steps, there is none


def gaps(time: Array) -> np.ndarray:
    """The numbers (m,) of the intervals of times (n,) [s] in which samples are missing."""
    spans = np.diff(time)
    return np.flatnonzero(spans > GAP * np.median(spans))


def repeated(values: Array) -> np.ndarray:
    """Which samples (n, k) a logger that had no new ones has filled with the one before: then they jump (n,).

    REPEATED equal ones or more, and then a change of JUMP times the 95th percentile of other changes. What stays at the
    end of a range, or in one step of a coarse sensor, goes on from there without a jump.
    """
    changes = np.linalg.norm(np.diff(values, axis=0), axis=1)
    same, found = changes == 0.0, np.zeros(len(values), bool)
    first, last = runs(same)
    if not 0.0 < same.mean() < RARE:
        return found
    long = (last - first + 2 >= REPEATED) & (last + 1 < len(changes))
    ahead = changes[np.minimum(last + 1, len(changes) - 1)]
    for i in np.flatnonzero(long & (ahead > JUMP * np.percentile(changes[~same], 95.0))):
        found[first[i] + 1 : last[i] + 2] = True
    return found


def runs(holds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last numbers of the samples of each run in which a condition (n,) holds."""
    steps = np.diff(np.concatenate([[0], holds.astype(int), [0]]))
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1) - 1


def integrated(time: Array, rates: Array) -> Array:
    """Attitudes (n, 4) at times (n,) [s] of a body with rates (n, 3) [rad/s] in its own axes, from the identity on.

    Each interval is one rotation, by the Magnus series of order 4 with rates at its two Gauss points (Iserles et al.
    2000, section 5.2). These come of a cubic spline between gaps, across which rates are taken to change evenly: smooth
    rates give attitudes of order 4 in the distance of the samples.
    """
    from scipy.interpolate import CubicSpline

    spans = np.diff(time)
    nodes = [0.5 - math.sqrt(3.0) / 6.0, 0.5 + math.sqrt(3.0) / 6.0]
    one, two = (rates[:-1] + c * np.diff(rates, axis=0) for c in nodes)
    ends = [-1, *gaps(time).tolist(), len(time) - 1]
    for before, last in pairwise(ends):
        first = before + 1
        if last - first >= 3:
            spline = CubicSpline(time[first : last + 1], rates[first : last + 1])
            for values, c in ((one, nodes[0]), (two, nodes[1])):
                values[first:last] = spline(time[first:last] + c * spans[first:last])
    h = spans[:, None]
    turns = 0.5 * h * (one + two) + math.sqrt(3.0) / 12.0 * h * h * cross_product(one, two)
    return running_product(np.concatenate([[[1.0, 0.0, 0.0, 0.0]], unit_of(turns)]))


def running_product(q: Array) -> Array:
    """The products q0, q0 o q1, q0 o q1 o q2, … (n, 4) of unit quaternions, in log2 n passes."""
    out, step = np.array(q), 1
    while step < len(out):
        out[step:] = multiply(out[:-step], out[step:])
        step *= 2
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))


def rates_of(time: Array, attitudes: Array) -> Array:
    """Rates (n, 3) [rad/s] in the body from attitudes (n, 4): centred differences, one-sided at both ends; order 2."""
    before = np.clip(np.arange(len(time)) - 1, 0, None)
    after = np.clip(np.arange(len(time)) + 1, None, len(time) - 1)
    turns = rotation_vector(multiply(conjugate(attitudes[before]), attitudes[after]))
    return np.asarray(turns / (time[after] - time[before])[:, None])


def fused(time: Array, rates: Array, acceleration: Array, magnetic_field: Array | None) -> Array:
    """Attitudes (n, 4), sensor to space with z up, by VQF, which also takes the bias off.

    Laidig & Seel (2023), Information Fusion 91, 187. The rates are resampled to even times. ScenarioError where the
    library is not installed.
    """
    try:
        from vqf import offlineVQF
    except ImportError:
        told = "needs the library vqf; install it with: pip install 'polhode[sensors]'"
        raise ScenarioError("measured.fusion", told) from None
    step = float(np.median(np.diff(time)))
    even = np.linspace(time[0], time[-1], max(2, round((time[-1] - time[0]) / step) + 1))
    given = [None if one is None else _resampled(time, one, even) for one in (rates, acceleration, magnetic_field)]
    found: dict[str, Any] = offlineVQF(*given, float(even[1] - even[0]))
    q = np.asarray(found["quat6D" if magnetic_field is None else "quat9D"], float)
    nearest = np.clip(np.round((time - even[0]) / (even[1] - even[0])).astype(int), 0, len(even) - 1)
    late = (time - even[nearest])[:, None]
    return multiply(q[nearest], unit_of(late * rates))


def _resampled(time: Array, values: Array, even: Array) -> Array:
    return np.ascontiguousarray(np.column_stack([np.interp(even, time, values[:, i]) for i in range(3)]))
