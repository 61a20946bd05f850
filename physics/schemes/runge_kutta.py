"""The classical Runge-Kutta scheme of order 4 (Kutta 1901) on attitude and angular velocity, with and without length 1.

q' = q o (0, w)/2 and J w' = tau - D w - w x J w. The quaternion leaves length 1 by the error of the scheme: the torque
and every picture take it as it is in ``rk4``, divided by its length after each step in ``rk4-unit``.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.potential import moment
from physics.core.rotation import Array, Field, Quaternion, Vector, normalised, product
from physics.schemes.dormand_prince import integrator, unsettled
from physics.schemes.gyroscopic import acceleration
from physics.schemes.loop import store


@formula
def rate(J: Vector, field: Field, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector]:
    """Derivatives of attitude [1/s] and angular velocity [rad/s²]."""
    turning = product(q, (0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]))
    return turning, acceleration(J, moment(field, q, w), w)


@formula
def ahead(t: float, q: Quaternion, w: Vector, dq: Quaternion, dw: Vector) -> tuple[Quaternion, Vector]:
    """Attitude and angular velocity after t [s] at these derivatives."""
    return (q[0] + t * dq[0], q[1] + t * dq[1], q[2] + t * dq[2], q[3] + t * dq[3]), (
        w[0] + t * dw[0],
        w[1] + t * dw[1],
        w[2] + t * dw[2],
    )


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²]: attitude, angular velocity [rad/s], residual 0."""
    q1, w1 = rate(J, field, q, w)
    x, y = ahead(0.5 * h, q, w, q1, w1)
    q2, w2 = rate(J, field, x, y)
    x, y = ahead(0.5 * h, q, w, q2, w2)
    q3, w3 = rate(J, field, x, y)
    x, y = ahead(h, q, w, q3, w3)
    q4, w4 = rate(J, field, x, y)
    k = h / 6.0
    return (
        (
            q[0] + k * (q1[0] + 2.0 * (q2[0] + q3[0]) + q4[0]),
            q[1] + k * (q1[1] + 2.0 * (q2[1] + q3[1]) + q4[1]),
            q[2] + k * (q1[2] + 2.0 * (q2[2] + q3[2]) + q4[2]),
            q[3] + k * (q1[3] + 2.0 * (q2[3] + q3[3]) + q4[3]),
        ),
        (
            w[0] + k * (w1[0] + 2.0 * (w2[0] + w3[0]) + w4[0]),
            w[1] + k * (w1[1] + 2.0 * (w2[1] + w3[1]) + w4[1]),
            w[2] + k * (w1[2] + 2.0 * (w2[2] + w3[2]) + w4[2]),
        ),
        0.0,
    )


@formula
def step_unit(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """The same, the attitude divided by its length at the end of the step."""
    q, w, residual = step(J, field, h, q, w)
    return normalised(q), w, residual


@formula
def _true_rate(model: tuple[Vector, Field], _: float, y: Array, __: Array, found: Array) -> bool:
    q, w = rate(model[0], model[1], (y[0], y[1], y[2], y[3]), (y[4], y[5], y[6]))
    store(found, q, w)
    return True


march_truth = integrator(_true_rate, unsettled)
