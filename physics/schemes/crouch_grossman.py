"""Runge-Kutta schemes whose stages are products of exponentials.

Order 3: Crouch & Grossman (1993); order 4: Owren & Marthinsen (1999). Momentum: physics.schemes.lie_group, with the
same coefficients.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.potential import vertical
from physics.core.rotation import Field, Quaternion, Vector, added
from physics.schemes.lie_group import START, ended, stage, turned

# coefficients of order 4, row by row, and weights
_A21 = 0.8177227988124852
_A31, _A32 = 0.3199876375476427, 0.0659864263556022
_A41, _A42, _A43 = 0.9214417194464946, 0.4997857776773573, -1.0969984448371582
_A51, _A52, _A53, _A54 = 0.3552358559023322, 0.2390958372307326, 1.3918565724203246, -1.1092979392113565
_B1, _B2, _B3, _B4, _B5 = (
    0.1370831520630755,
    -0.0183698531564020,
    0.7397813985370780,
    -0.1907142565505889,
    0.3322195591068374,
)


@formula
def step_3(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of order 3, of length h [s]: attitude, angular velocity [rad/s], residual 0."""
    u, L = vertical(q), (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    w1, n1 = stage(J, field, u, START, L)
    w2, n2 = stage(J, field, u, turned(START, 0.75 * h, w1), added(L, 0.75 * h, n1))
    a, b = h * (119.0 / 216.0), h * (17.0 / 108.0)
    w3, n3 = stage(J, field, u, turned(turned(START, a, w1), b, w2), added(added(L, a, n1), b, n2))
    a, b, c = h * (13.0 / 51.0), h * (-2.0 / 3.0), h * (24.0 / 17.0)
    r = turned(turned(turned(START, a, w1), b, w2), c, w3)
    return ended(J, q, r, added(added(added(L, a, n1), b, n2), c, n3))


@formula
def step_4(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of order 4, of length h [s]: attitude, angular velocity [rad/s], residual 0."""
    u, L = vertical(q), (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    w1, n1 = stage(J, field, u, START, L)
    r, M = turned(START, h * _A21, w1), added(L, h * _A21, n1)
    w2, n2 = stage(J, field, u, r, M)
    r, M = turned(turned(START, h * _A31, w1), h * _A32, w2), added(added(L, h * _A31, n1), h * _A32, n2)
    w3, n3 = stage(J, field, u, r, M)
    r = turned(turned(turned(START, h * _A41, w1), h * _A42, w2), h * _A43, w3)
    M = added(added(added(L, h * _A41, n1), h * _A42, n2), h * _A43, n3)
    w4, n4 = stage(J, field, u, r, M)
    r = turned(turned(turned(turned(START, h * _A51, w1), h * _A52, w2), h * _A53, w3), h * _A54, w4)
    M = added(added(added(added(L, h * _A51, n1), h * _A52, n2), h * _A53, n3), h * _A54, n4)
    w5, n5 = stage(J, field, u, r, M)
    r = turned(turned(turned(START, h * _B1, w1), h * _B2, w2), h * _B3, w3)
    M = added(added(added(L, h * _B1, n1), h * _B2, n2), h * _B3, n3)
    return ended(J, q, turned(turned(r, h * _B4, w4), h * _B5, w5), added(added(M, h * _B4, n4), h * _B5, n5))
