"""RKMK 4: the classical Runge-Kutta scheme on the rotation vector since the start of the step (Munthe-Kaas 1999).

With R = R0 exp(v) the rotation vector obeys v' = w + v x w/2 + v x (v x w)/12 + O(v⁴), whose terms up to the second
suffice for order 4; the momentum in space goes with it (physics.schemes.lie_group).
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.potential import vertical
from physics.core.rotation import Field, Quaternion, Vector, added, cross, exp_half
from physics.schemes.lie_group import START, ended, stage


@formula
def speed(v: Vector, w: Vector) -> Vector:
    """The derivative of the rotation vector v at an angular velocity w [rad/s]."""
    a = cross(v, w)
    b = cross(v, a)
    return (
        w[0] + 0.5 * a[0] + b[0] / 12.0,
        w[1] + 0.5 * a[1] + b[1] / 12.0,
        w[2] + 0.5 * a[2] + b[2] / 12.0,
    )


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²]: attitude, angular velocity [rad/s], residual 0."""
    u, L, k = vertical(q), (J[0] * w[0], J[1] * w[1], J[2] * w[2]), 0.5 * h
    w1, n1 = stage(J, field, u, START, L)
    v = (k * w1[0], k * w1[1], k * w1[2])
    w2, n2 = stage(J, field, u, exp_half(v), added(L, k, n1))
    w2 = speed(v, w2)
    v = (k * w2[0], k * w2[1], k * w2[2])
    w3, n3 = stage(J, field, u, exp_half(v), added(L, k, n2))
    w3 = speed(v, w3)
    v = (h * w3[0], h * w3[1], h * w3[2])
    w4, n4 = stage(J, field, u, exp_half(v), added(L, h, n3))
    w4 = speed(v, w4)
    s = h / 6.0
    v = (
        s * (w1[0] + 2.0 * (w2[0] + w3[0]) + w4[0]),
        s * (w1[1] + 2.0 * (w2[1] + w3[1]) + w4[1]),
        s * (w1[2] + 2.0 * (w2[2] + w3[2]) + w4[2]),
    )
    L = added(added(added(added(L, s, n1), 2.0 * s, n2), 2.0 * s, n3), s, n4)
    return ended(J, q, exp_half(v), L)
