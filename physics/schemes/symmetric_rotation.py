"""Free rotation of a body with two equal moments: two turns, without elliptic functions.

With J1 = J2 the attitude after h seconds is R0 exp(h m/J1) exp(h w3 (1 - J3/J1) e3), m the momentum in body axes, and
the angular velocity turns by -h w3 (1 - J3/J1) about e3 (regular precession; Landau & Lifshitz, Mechanics, § 33).
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Quaternion, Vector, exp_half, product, renormalised


@formula
def odd_axis(J: Vector) -> int:
    """The axis (0, 1 or 2) whose moment differs from the two others, which are equal; -1: no two are equal."""
    if J[0] == J[1]:
        return 2
    if J[1] == J[2]:
        return 0
    return 1 if J[2] == J[0] else -1


@formula
def _as_long(a: float, b: float, x: float, y: float) -> tuple[float, float]:
    """(x, y) with the length of (a, b), which it has up to rounding."""
    size = a * a + b * b
    if not 0.0 < size < math.inf:
        return x, y
    e = 0.5 * ((a - x) * (a + x) + (b - y) * (b + y)) / size
    return x + e * x, y + e * y


@formula
def rotated(J: Vector, axis: int, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector]:
    """Attitude and angular velocity after h [s], for moments J [kg m²] of which ``odd_axis`` tells the axis.

    The angular velocity is turned twice by half the angle, with the cosine and sine of the attitude's own turn: of a
    steady precession the rounding of another pair would be the same in every step, and turn the spin one way.
    """
    if axis == 2:
        A, spin, odd, a, b = J[0], w[2], J[2], w[0], w[1]
    elif axis == 0:
        A, spin, odd, a, b = J[1], w[0], J[0], w[1], w[2]
    else:
        A, spin, odd, a, b = J[2], w[1], J[1], w[2], w[0]
    angle = h * spin * (1.0 - odd / A)
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    x, y = c * a + s * b, c * b - s * a
    x, y = _as_long(a, b, c * x + s * y, c * y - s * x)
    q = product(q, exp_half((h * J[0] * w[0] / A, h * J[1] * w[1] / A, h * J[2] * w[2] / A)))
    if axis == 2:
        return renormalised(product(q, (c, 0.0, 0.0, s))), (x, y, spin)
    if axis == 0:
        return renormalised(product(q, (c, s, 0.0, 0.0))), (spin, x, y)
    return renormalised(product(q, (c, 0.0, s, 0.0))), (y, spin, x)
