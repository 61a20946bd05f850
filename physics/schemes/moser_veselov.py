"""The discrete Moser-Veselov equations of the free rigid body: an integrable, symplectic map that keeps all invariants.

Moser & Veselov (1991); in quaternions McLachlan & Zanna (2005). Let the body turn within a step by x = (x0, y). Then

    h/2 J w = x0 J y + y x J y,         h/2 J w' = x0 J y - y x J y,

the same momentum before and after the turn: the spin in space is kept, and the energy, as J y.J^{-1}(y x J y) = 0.
With y = x0 h/2 Z the first is quadratic in Z [rad/s] and is solved by Newton's method with its analytic Jacobian.

About a principal axis a step turns the body by the angle arcsin(h |w|): beyond step times angular velocity 1 (about
other axes at a value near it) there is no solution, and the step says so by an infinite residual at once. The motion
is that of quat-vi without torque, whose discrete Lagrangian is the same.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector, dot, product, renormalised
from physics.schemes.newton import CLOSE, ITERATIONS, solve_rows


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²] of a free body: attitude, velocity, residual.

    By components Z_i + a_i Z_j Z_k = (1 + |h Z/2|²) w_i with a_1 = h (C - B) / (2 A), cyclic.
    """
    size = dot(w, w)
    a1 = 0.5 * h * (J[2] - J[1]) / J[0]
    a2 = 0.5 * h * (J[0] - J[2]) / J[1]
    a3 = 0.5 * h * (J[1] - J[0]) / J[2]
    k = 0.5 * h
    x, y, z = w
    for _ in range(ITERATIONS):
        s = 1.0 + k * k * (x * x + y * y + z * z)
        r = (x + a1 * y * z - s * w[0], y + a2 * z * x - s * w[1], z + a3 * x * y - s * w[2])
        p, t, v = 2.0 * k * k * x, 2.0 * k * k * y, 2.0 * k * k * z
        d, det = solve_rows(
            (1.0 - p * w[0], a1 * z - t * w[0], a1 * y - v * w[0]),
            (a2 * z - p * w[1], 1.0 - t * w[1], a2 * x - v * w[1]),
            (a3 * y - p * w[2], a3 * x - t * w[2], 1.0 - v * w[2]),
            r,
        )
        if not det > 0.0:
            return q, w, math.inf
        x, y, z = x - d[0], y - d[1], z - d[2]
        change = dot(d, d)
        if change <= CLOSE * size:
            s = 1.0 + k * k * (x * x + y * y + z * z)
            w_next = (w[0] - 2.0 * a1 * y * z / s, w[1] - 2.0 * a2 * z * x / s, w[2] - 2.0 * a3 * x * y / s)
            i = 1.0 / math.sqrt(s)
            n = i * k
            return renormalised(product(q, (i, n * x, n * y, n * z))), w_next, math.sqrt(change / (size or 1.0))
    return q, w, math.inf
