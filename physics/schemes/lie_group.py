"""Stages of Runge-Kutta schemes on the rotation group: velocity and moment.

The unknowns are the rotation r since the start of the step and the momentum L in the axes that the body had there, L' =
R(r) (tau - D w): without a moment L stays as it is, and so does the spin in space, to rounding and at any step. With a
potential its component along the vertical has no moment in exact arithmetic, so the vertical spin is kept too.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.potential import torque
from physics.core.rotation import Field, Quaternion, Vector, exp_half, inverse, product, renormalised, rotate

START = (1.0, 0.0, 0.0, 0.0)


@formula
def stage(J: Vector, field: Field, u: Vector, r: Quaternion, L: Vector) -> tuple[Vector, Vector]:
    """Angular velocity in the body [rad/s], and moment in the axes of the start [N m]; u: the vertical there."""
    back = inverse(r)
    m = rotate(back, L)
    w = (m[0] / J[0], m[1] / J[1], m[2] / J[2])
    n = torque(field, rotate(back, u))
    return w, rotate(r, (n[0] - field[6] * w[0], n[1] - field[7] * w[1], n[2] - field[8] * w[2]))


@formula
def turned(r: Quaternion, t: float, w: Vector) -> Quaternion:
    """r o exp(t w): turned on for t [s] at an angular velocity in the body."""
    return product(r, exp_half((t * w[0], t * w[1], t * w[2])))


@formula
def ended(J: Vector, q: Quaternion, r: Quaternion, L: Vector) -> tuple[Quaternion, Vector, float]:
    """Attitude, angular velocity [rad/s] and residual 0 at the end of a step."""
    r = renormalised(r)
    m = rotate(inverse(r), L)
    return renormalised(product(q, r)), (m[0] / J[0], m[1] / J[1], m[2] / J[2]), 0.0
