"""The spherical midpoint rule of McLachlan, Modin & Verdier (2014), between half kicks.

m' = m + h x × J⁻¹ x, where x is the midpoint (m + m')/2 drawn out to the length of m: size of spin and energy are kept.
The attitude goes with it by Cayley's transform, q' = q o (1, c)/sqrt(1 + |c|²) with c = (h/2) (|m|/|y|) J⁻¹ x and y as
below: so the spin in space stays. The map of the momentum is symplectic; the map of both is not.

With y = (m + m')/2 the step reads y - (h/2) (|m|²/|y|²) y × J⁻¹ y = m, solved by Newton's method.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector, dot, normalised, product, renormalised
from physics.schemes.kicks import between_kicks
from physics.schemes.newton import CLOSE, ITERATIONS, solve_rows


@formula
def free(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """A free step of length h [s]: attitude, angular velocity [rad/s], residual (inf: no solution)."""
    m = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    size = dot(m, m)
    if size == 0.0:
        return q, w, 0.0
    # y × J⁻¹ y by components: a y2 y3 and so on
    a, b, c = 1.0 / J[2] - 1.0 / J[1], 1.0 / J[0] - 1.0 / J[2], 1.0 / J[1] - 1.0 / J[0]
    y = m
    for _ in range(ITERATIONS):
        long = dot(y, y)
        s = 0.5 * h * size / long
        g = (a * y[1] * y[2], b * y[2] * y[0], c * y[0] * y[1])
        k = 2.0 * s / long
        d, det = solve_rows(
            (1.0 + k * g[0] * y[0], k * g[0] * y[1] - s * a * y[2], k * g[0] * y[2] - s * a * y[1]),
            (k * g[1] * y[0] - s * b * y[2], 1.0 + k * g[1] * y[1], k * g[1] * y[2] - s * b * y[0]),
            (k * g[2] * y[0] - s * c * y[1], k * g[2] * y[1] - s * c * y[0], 1.0 + k * g[2] * y[2]),
            (y[0] - s * g[0] - m[0], y[1] - s * g[1] - m[1], y[2] - s * g[2] - m[2]),
        )
        if not det > 0.0:
            return q, w, math.inf
        y = (y[0] - d[0], y[1] - d[1], y[2] - d[2])
        change = dot(d, d)
        if change <= CLOSE * size:
            s = h * size / dot(y, y)
            n = (m[0] + s * a * y[1] * y[2], m[1] + s * b * y[2] * y[0], m[2] + s * c * y[0] * y[1])
            i = 0.5 * s
            q = renormalised(product(q, normalised((1.0, i * y[0] / J[0], i * y[1] / J[1], i * y[2] / J[2]))))
            return q, (n[0] / J[0], n[1] / J[1], n[2] / J[2]), math.sqrt(change / size)
    return q, w, math.inf


step = between_kicks(free)
