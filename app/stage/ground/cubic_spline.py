"""Cubic splines through values at 0, 1, 2, …, without knots at the second and the last but one; pure numpy.

They are those of `scipy.interpolate` up to rounding, which takes long to load: the first picture waits for it.
"""

from __future__ import annotations

import numpy as np

from physics.core.rotation import Array


def splined(values: Array, places: Array) -> Array:
    """Values (m, w) at the nodes 0 to m - 1, interpolated down each column at places (n,) between them: (n, w).

    Three nodes have a parabola, two a line, one is constant.
    """
    values = np.asarray(values, float)
    m = len(values)
    if m == 1:
        return np.repeat(values, len(places), axis=0)
    slopes, rises = _slopes(values), np.diff(values, axis=0)
    before, after = slopes[:-1], slopes[1:]
    first = np.minimum(places.astype(int), m - 2)
    t = (places - first)[:, None]
    found: Array = (before + after - 2.0 * rises)[first]
    for coefficients in (3.0 * rises - 2.0 * before - after, before, values):
        found *= t
        found += coefficients[first]
    return found


def _slopes(values: Array) -> Array:
    """The spline's slopes (m, w) at its nodes: where two pieces meet, they have the same second derivative.

    At the second node and at the last but one they have the same third derivative too.
    """
    m = len(values)
    if m < 4:
        return np.asarray(np.gradient(values, axis=0, edge_order=2 if m == 3 else 1))
    rises = np.diff(values, axis=0)
    slopes = np.empty_like(values)
    slopes[0], slopes[-1] = (5.0 * rises[0] + rises[1]) / 2.0, (5.0 * rises[-1] + rises[-2]) / 2.0
    slopes[1:-1] = 3.0 * (rises[:-1] + rises[1:])
    above = np.ones(m)  # the diagonal above the main one, once what is below that is eliminated
    above[0] = 2.0
    for i in range(1, m - 1):
        above[i] = 1.0 / (4.0 - above[i - 1])
        slopes[i] -= slopes[i - 1]
        slopes[i] *= above[i]
    slopes[-1] -= 2.0 * slopes[-2]
    slopes[-1] /= 1.0 - 2.0 * above[-2]
    for i in range(m - 2, -1, -1):
        slopes[i] -= above[i] * slopes[i + 1]
    return slopes
