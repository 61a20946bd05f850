"""Symmetric splitting into turns about the principal axes, between half kicks.

Dullweber, Leimkuhler & McLachlan (1997): turns about axes 1, 2 for half a step, 3 for a whole one, 2, 1
for half a step. Each is exact: with only the axis i the momentum turns by -h m_i/J_i about it, and m_i stays.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector, product, renormalised
from physics.schemes.kicks import between_kicks


@formula
def about(axis: int, angle: float, q: Quaternion, m: Vector) -> tuple[Quaternion, Vector]:
    """Attitude and momentum after the body has turned by an angle [rad] about a principal axis (0, 1 or 2)."""
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    cc, ss = c * c - s * s, 2.0 * c * s
    if axis == 0:
        turned = (m[0], cc * m[1] + ss * m[2], cc * m[2] - ss * m[1])
        return product(q, (c, s, 0.0, 0.0)), turned
    if axis == 1:
        turned = (cc * m[0] - ss * m[2], m[1], cc * m[2] + ss * m[0])
        return product(q, (c, 0.0, s, 0.0)), turned
    turned = (cc * m[0] + ss * m[1], cc * m[1] - ss * m[0], m[2])
    return product(q, (c, 0.0, 0.0, s)), turned


@formula
def free(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """A free step of length h [s]: attitude, angular velocity [rad/s], residual 0."""
    m = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    q, m = about(0, 0.5 * h * m[0] / J[0], q, m)
    q, m = about(1, 0.5 * h * m[1] / J[1], q, m)
    q, m = about(2, h * m[2] / J[2], q, m)
    q, m = about(1, 0.5 * h * m[1] / J[1], q, m)
    q, m = about(0, 0.5 * h * m[0] / J[0], q, m)
    return renormalised(q), (m[0] / J[0], m[1] / J[1], m[2] / J[2]), 0.0


step = between_kicks(free)
