"""The midpoint rule on the rotation group, in its implicit form (Krysl & Endres 2005), between half kicks.

J v = h exp(-v/2) m for the rotation vector v of the step and the momentum m in the body: the mean angular velocity v/h
belongs to the momentum half way. Then q' = q o exp v and m' = exp(-v) m: the spin in space stays as it is.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector, dot, exp_half, product, renormalised, rotate
from physics.schemes.kicks import between_kicks
from physics.schemes.newton import CLOSE, ITERATIONS, solve_rows


@formula
def tangent(a: Vector) -> tuple[float, float]:
    """The factors x and y of T(a) = I + x hat(a) + y hat(a)²: d exp(a) = exp(a) hat(T(a) da)."""
    t = dot(a, a)
    if t < 1e-2:
        return -0.5 + t * (1.0 / 24.0 - t / 720.0), 1.0 / 6.0 - t * (1.0 / 120.0 - t / 5040.0)
    s = math.sqrt(t)
    return (math.cos(s) - 1.0) / t, (1.0 - math.sin(s) / s) / t


@formula
def turn(J: Vector, h: float, w: Vector) -> tuple[Vector, float]:
    """The rotation vector v of a free step [rad], and the residual: inf where there is no solution."""
    size = h * h * dot(w, w)
    m = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    v = (h * w[0], h * w[1], h * w[2])
    if size == 0.0:
        return v, 0.0
    for _ in range(ITERATIONS):
        a = (0.5 * v[0], 0.5 * v[1], 0.5 * v[2])
        e = exp_half(a)
        y = rotate((e[0], -e[1], -e[2], -e[3]), m)
        p, s = tangent(a)
        # J dv - h/2 y x (T dv): columns of hat(y) T by T's rows
        aa = dot(a, a)
        t1 = (1.0 + s * (a[0] * a[0] - aa), -p * a[2] + s * a[0] * a[1], p * a[1] + s * a[0] * a[2])
        t2 = (p * a[2] + s * a[1] * a[0], 1.0 + s * (a[1] * a[1] - aa), -p * a[0] + s * a[1] * a[2])
        t3 = (-p * a[1] + s * a[2] * a[0], p * a[0] + s * a[2] * a[1], 1.0 + s * (a[2] * a[2] - aa))
        k = 0.5 * h
        d, det = solve_rows(
            (
                J[0] - k * (y[1] * t3[0] - y[2] * t2[0]),
                -k * (y[1] * t3[1] - y[2] * t2[1]),
                -k * (y[1] * t3[2] - y[2] * t2[2]),
            ),
            (
                -k * (y[2] * t1[0] - y[0] * t3[0]),
                J[1] - k * (y[2] * t1[1] - y[0] * t3[1]),
                -k * (y[2] * t1[2] - y[0] * t3[2]),
            ),
            (
                -k * (y[0] * t2[0] - y[1] * t1[0]),
                -k * (y[0] * t2[1] - y[1] * t1[1]),
                J[2] - k * (y[0] * t2[2] - y[1] * t1[2]),
            ),
            (J[0] * v[0] - h * y[0], J[1] * v[1] - h * y[1], J[2] * v[2] - h * y[2]),
        )
        if not det > 0.0:
            return v, math.inf
        v = (v[0] - d[0], v[1] - d[1], v[2] - d[2])
        change = dot(d, d)
        if change <= CLOSE * size:
            return v, math.sqrt(change / size)
    return v, math.inf


@formula
def free(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """A free step of length h [s]: attitude, angular velocity [rad/s], residual."""
    v, residual = turn(J, h, w)
    e = exp_half(v)
    m = rotate((e[0], -e[1], -e[2], -e[3]), (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
    return renormalised(product(q, e)), (m[0] / J[0], m[1] / J[1], m[2] / J[2]), residual


step = between_kicks(free)
