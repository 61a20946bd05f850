"""Steps of MuJoCo's integrators for one body: the torque stands inside the solution, damping is taken implicitly.

Versions differ: what each integrator did was found by running the package, see assets/help/engines.md.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.potential import moment
from physics.core.rotation import Field, Quaternion, Vector
from physics.schemes.gyroscopic import attitude_after, change, newton_velocity
from physics.schemes.implicit import midpoint_velocity


@formula
def implicit(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """``implicit`` of every version; ``implicitfast`` from 3.11, ``discrete`` from 3.13 on."""
    w_next = newton_velocity(J, (field[6], field[7], field[8]), h, moment(field, q, w), w)
    return attitude_after(h, q, w_next), w_next, 0.0


@formula
def euler(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """``Euler``: (J + h D) (w' - w) = h (τ - D w - w × Jw)."""
    d = change(J, h, moment(field, q, w), w)
    w_next = (
        w[0] + d[0] / (1.0 + h * field[6] / J[0]),
        w[1] + d[1] / (1.0 + h * field[7] / J[1]),
        w[2] + d[2] / (1.0 + h * field[8] / J[2]),
    )
    return attitude_after(h, q, w_next), w_next, 0.0


@formula
def midpoint(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """``implicitfast`` of 3.10, free bodies alone: implicit midpoint, the attitude turned by the mean velocity."""
    mid, residual = midpoint_velocity(J, h, w)
    w_next = (2.0 * mid[0] - w[0], 2.0 * mid[1] - w[1], 2.0 * mid[2] - w[2])
    return attitude_after(h, q, mid), w_next, residual


@formula
def runge_kutta(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """``RK4`` of 3.10: classical for the velocity; each attitude by one turn, the last by the mean velocity.

    Rotations do not commute, so that a turn by the mean has order 2 only.
    """
    k1 = change(J, h, moment(field, q, w), w)
    w2 = (w[0] + 0.5 * k1[0], w[1] + 0.5 * k1[1], w[2] + 0.5 * k1[2])
    k2 = change(J, h, moment(field, attitude_after(0.5 * h, q, w), w2), w2)
    w3 = (w[0] + 0.5 * k2[0], w[1] + 0.5 * k2[1], w[2] + 0.5 * k2[2])
    k3 = change(J, h, moment(field, attitude_after(0.5 * h, q, w2), w3), w3)
    w4 = (w[0] + k3[0], w[1] + k3[1], w[2] + k3[2])
    k4 = change(J, h, moment(field, attitude_after(h, q, w3), w4), w4)
    mean = (
        (w[0] + 2.0 * w2[0] + 2.0 * w3[0] + w4[0]) / 6.0,
        (w[1] + 2.0 * w2[1] + 2.0 * w3[1] + w4[1]) / 6.0,
        (w[2] + 2.0 * w2[2] + 2.0 * w3[2] + w4[2]) / 6.0,
    )
    w_next = (
        w[0] + (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0]) / 6.0,
        w[1] + (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1]) / 6.0,
        w[2] + (k1[2] + 2.0 * k2[2] + 2.0 * k3[2] + k4[2]) / 6.0,
    )
    return attitude_after(h, q, mean), w_next, 0.0
