"""QUAT.VI: the quaternion variational integrator of Betsch & Siebert (2009), appendix E, as a map of (q, w).

The momentum at a node is p_n = D2 Ld(q_{n-1}, q_n), at the start p_0 = 2 q_0 o (0, J w_0), and
w_n = J^{-1} G(q_n) p_n / 2. With q' = q o x, x = (x0, y), and the vertical u in the body, (E1) then reads

    J w = 2/h (x0 J y + y x J y) - h/4 vec(u o (1 + x) o a),
    J w' = 2/h (x0 J y - y x J y) + h/4 vec(u' o (1 + x*) o a)

for the potential a.u. The first is solved for Z, y = x0 h/2 Z, by Newton's method with the analytic Jacobian.

Without torque these are the discrete Moser-Veselov equations: beyond step times principal spin 1 they have no solution,
and the step says so by an infinite residual at once (Betsch & Siebert had to shorten the step of their top for it).
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.potential import vertical
from physics.core.rotation import Field, Quaternion, Vector, cross, dot, product, renormalised
from physics.schemes import moser_veselov
from physics.schemes.newton import CLOSE, ITERATIONS, solve_rows, speed_squared


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²]: attitude, velocity [rad/s], residual."""
    a = (field[0], field[1], field[2])
    if dot(a, a) == 0.0:
        return moser_veselov.step(J, field, h, q, w)
    size, u = speed_squared(J, field, w), vertical(q)
    k = 0.5 * h
    skew = (k * (J[2] - J[1]) / J[0], k * (J[0] - J[2]) / J[1], k * (J[1] - J[0]) / J[2])
    pull = (0.25 * h / J[0], 0.25 * h / J[1], 0.25 * h / J[2])
    Z = w
    for _ in range(ITERATIONS):
        r, m1, m2, m3 = _equations(skew, pull, k, a, u, w, Z)
        d, det = solve_rows(m1, m2, m3, r)
        if not det > 0.0:
            return q, w, math.inf
        Z = (Z[0] - d[0], Z[1] - d[1], Z[2] - d[2])
        change = dot(d, d)
        if change <= CLOSE * size:
            q_next, w_next = _advance(skew, pull, k, a, u, q, w, Z)
            return q_next, w_next, math.sqrt(change / size)
    return q, w, math.inf


@formula
def _equations(
    skew: Vector, pull: Vector, k: float, a: Vector, u: Vector, w: Vector, Z: Vector
) -> tuple[Vector, Vector, Vector, Vector]:
    """The first equation times J^{-1} s, and the rows of its derivative by Z; s = 1 + |k Z|², r = sqrt(s), k = h/2.

    Z_i + skew_i Z_j Z_k - s w_i - pull_i [(s + r) u x a + r k N Z]_i = 0, N = (u.a) I - a u^T - u a^T.
    """
    x, y, z = Z
    s = 1.0 + k * k * dot(Z, Z)
    r = math.sqrt(s)
    f, ua, uZ, aZ = cross(u, a), dot(u, a), dot(u, Z), dot(a, Z)
    n = (
        k * (ua * x - uZ * a[0] - aZ * u[0]),
        k * (ua * y - uZ * a[1] - aZ * u[1]),
        k * (ua * z - uZ * a[2] - aZ * u[2]),
    )
    residual = (
        x + skew[0] * y * z - s * w[0] - pull[0] * ((s + r) * f[0] + r * n[0]),
        y + skew[1] * z * x - s * w[1] - pull[1] * ((s + r) * f[1] + r * n[1]),
        z + skew[2] * x * y - s * w[2] - pull[2] * ((s + r) * f[2] + r * n[2]),
    )
    # ds = 2 k² Z.dZ, dr = ds / (2 r)
    i, p = 0.5 / r, (2.0 * k * k * x, 2.0 * k * k * y, 2.0 * k * k * z)
    g1 = w[0] + pull[0] * (f[0] + i * (f[0] + n[0]))
    g2 = w[1] + pull[1] * (f[1] + i * (f[1] + n[1]))
    g3 = w[2] + pull[2] * (f[2] + i * (f[2] + n[2]))
    l1, l2, l3 = r * k * pull[0], r * k * pull[1], r * k * pull[2]
    n12, n13, n23 = u[0] * a[1] + a[0] * u[1], u[0] * a[2] + a[0] * u[2], u[1] * a[2] + a[1] * u[2]
    return (
        residual,
        (
            1.0 - p[0] * g1 - l1 * (ua - 2.0 * u[0] * a[0]),
            skew[0] * z - p[1] * g1 + l1 * n12,
            skew[0] * y - p[2] * g1 + l1 * n13,
        ),
        (
            skew[1] * z - p[0] * g2 + l2 * n12,
            1.0 - p[1] * g2 - l2 * (ua - 2.0 * u[1] * a[1]),
            skew[1] * x - p[2] * g2 + l2 * n23,
        ),
        (
            skew[2] * y - p[0] * g3 + l3 * n13,
            skew[2] * x - p[1] * g3 + l3 * n23,
            1.0 - p[2] * g3 - l3 * (ua - 2.0 * u[2] * a[2]),
        ),
    )


@formula
def _advance(
    skew: Vector, pull: Vector, k: float, a: Vector, u: Vector, q: Quaternion, w: Vector, Z: Vector
) -> tuple[Quaternion, Vector]:
    """q' = q o x, x ~ (1, h/2 Z), and w' from the difference of both equations: -4/h J^{-1} y x J y and the kicks."""
    s = 1.0 + k * k * dot(Z, Z)
    i = 1.0 / math.sqrt(s)
    n = i * k
    x = (i, n * Z[0], n * Z[1], n * Z[2])
    q_next = renormalised(product(q, x))
    kick, two = _kicks(a, u, vertical(q_next), x), 2.0 / s
    return q_next, (
        w[0] - two * skew[0] * Z[1] * Z[2] + pull[0] * kick[0],
        w[1] - two * skew[1] * Z[2] * Z[0] + pull[1] * kick[1],
        w[2] - two * skew[2] * Z[0] * Z[1] + pull[2] * kick[2],
    )


@formula
def _kicks(a: Vector, u: Vector, v: Vector, x: Quaternion) -> Vector:
    """vec(u o (1 + x) o a) + vec(v o (1 + x*) o a) for the verticals u, v before and after the turn x."""
    n, y = 1.0 + x[0], (x[1], x[2], x[3])
    both, less = (
        cross((n * (u[0] + v[0]), n * (u[1] + v[1]), n * (u[2] + v[2])), a),
        (u[0] - v[0], u[1] - v[1], u[2] - v[2]),
    )
    # vec(u o y o a) = (u.a) y - (u.y) a - (a.y) u
    la, ly, ay = dot(less, a), dot(less, y), dot(a, y)
    return (
        both[0] + la * y[0] - ly * a[0] - ay * less[0],
        both[1] + la * y[1] - ly * a[1] - ay * less[1],
        both[2] + la * y[2] - ly * a[2] - ay * less[2],
    )
