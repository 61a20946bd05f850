"""The classical Runge-Kutta scheme of order 4 on three Euler angles and the angular velocity, in two sequences.

Diebel (2006), sections 5.5, 5.6 and 5.8. ``zyx``: R = Rz(a) Ry(b) Rx(c), yaw, pitch and roll, whose rates divide by
cos b. ``zxz``: R = Rz(a) Rx(b) Rz(c), precession, nutation and spin, whose rates divide by sin b. Where that is 0 the
first and the third angle turn about one axis (gimbal lock), and the rates are no numbers: the step has no solution.
The state is the angles and the angular velocity. An attitude made of angles is a rotation whatever their errors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.potential import moment
from physics.core.rotation import Array, Field, Quaternion, Vector, added
from physics.schemes.gyroscopic import acceleration
from physics.schemes.loop import March, Start, as_tuple, start_by, store

LOCK = 1e-9  # sine or cosine that the rates divide by: what is below has no digits to divide by


@formula
def zyx_of(q: Quaternion) -> Vector:
    """Yaw, pitch and roll [rad] of an attitude (4,); those that ``from_zyx`` turns back into q, and not into -q."""
    x, y = 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]), 2.0 * (q[1] * q[2] + q[0] * q[3])
    a = math.atan2(y, x)
    b = math.atan2(2.0 * (q[0] * q[2] - q[1] * q[3]), math.sqrt(x * x + y * y))
    c = math.atan2(2.0 * (q[2] * q[3] + q[0] * q[1]), 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]))
    p = from_zyx((a, b, c))
    opposite = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0.0
    return (a + 2.0 * math.pi if opposite else a, b, c)


@formula
def from_zyx(angles: Vector) -> Quaternion:
    """The attitude (4,) of yaw, pitch and roll [rad]."""
    ca, sa = math.cos(0.5 * angles[0]), math.sin(0.5 * angles[0])
    cb, sb = math.cos(0.5 * angles[1]), math.sin(0.5 * angles[1])
    cc, sc = math.cos(0.5 * angles[2]), math.sin(0.5 * angles[2])
    return (
        ca * cb * cc + sa * sb * sc,
        ca * cb * sc - sa * sb * cc,
        ca * sb * cc + sa * cb * sc,
        sa * cb * cc - ca * sb * sc,
    )


@formula
def zyx_rate(angles: Vector, w: Vector) -> tuple[Vector, float]:
    """Rates of yaw, pitch and roll [rad/s], and the cosine of the pitch, by which they divide."""
    divisor, s, c = math.cos(angles[1]), math.sin(angles[2]), math.cos(angles[2])
    if abs(divisor) < LOCK:
        return (0.0, 0.0, 0.0), 0.0
    yaw = (w[1] * s + w[2] * c) / divisor
    return (yaw, w[1] * c - w[2] * s, w[0] + yaw * math.sin(angles[1])), divisor


@formula
def zxz_of(q: Quaternion) -> Vector:
    """Precession, nutation and spin [rad] of an attitude (4,), from which ``from_zxz`` makes the same q."""
    half_sum, half_difference = math.atan2(q[3], q[0]), math.atan2(q[2], q[1])
    across, along = math.sqrt(q[1] * q[1] + q[2] * q[2]), math.sqrt(q[0] * q[0] + q[3] * q[3])
    return (half_sum + half_difference, 2.0 * math.atan2(across, along), half_sum - half_difference)


@formula
def from_zxz(angles: Vector) -> Quaternion:
    """The attitude (4,) of precession, nutation and spin [rad]."""
    half_sum, half_difference = 0.5 * (angles[0] + angles[2]), 0.5 * (angles[0] - angles[2])
    c, s = math.cos(0.5 * angles[1]), math.sin(0.5 * angles[1])
    return (
        c * math.cos(half_sum),
        s * math.cos(half_difference),
        s * math.sin(half_difference),
        c * math.sin(half_sum),
    )


@formula
def zxz_rate(angles: Vector, w: Vector) -> tuple[Vector, float]:
    """Rates of precession, nutation and spin [rad/s], and the sine of the nutation, by which they divide."""
    divisor, s, c = math.sin(angles[1]), math.sin(angles[2]), math.cos(angles[2])
    if abs(divisor) < LOCK:
        return (0.0, 0.0, 0.0), 0.0
    precession = (w[0] * s + w[1] * c) / divisor
    return (precession, w[0] * c - w[1] * s, w[2] - precession * math.cos(angles[1])), divisor


def scheme_on(angles_of: Any, attitude_of: Any, angle_rate: Any) -> tuple[Start, March]:
    """Start and loop of the scheme on three angles, see physics.schemes.loop.

    ``angles_of(q) -> angles``; ``attitude_of(angles) -> q``; ``angle_rate(angles, w) -> (rates, divisor)``, whose
    divisor is 0 at the lock.
    """

    @formula
    def set_up(J: Vector, q: Quaternion, w: Vector, state: Array) -> None:
        state[0], state[1], state[2] = angles_of(q)
        state[3], state[4], state[5] = w

    @formula
    def rate(J: Vector, field: Field, x: Vector, w: Vector) -> tuple[Vector, Vector, float]:
        turning, divisor = angle_rate(x, w)
        return turning, acceleration(J, moment(field, attitude_of(x), w), w), abs(divisor)

    @formula
    def step(J: Vector, field: Field, h: float, x: Vector, w: Vector) -> tuple[Vector, Vector, float]:
        x1, w1, d1 = rate(J, field, x, w)
        x2, w2, d2 = rate(J, field, added(x, 0.5 * h, x1), added(w, 0.5 * h, w1))
        x3, w3, d3 = rate(J, field, added(x, 0.5 * h, x2), added(w, 0.5 * h, w2))
        x4, w4, d4 = rate(J, field, added(x, h, x3), added(w, h, w3))
        k = h / 6.0
        x = added(added(added(added(x, k, x1), 2.0 * k, x2), 2.0 * k, x3), k, x4)
        w = added(added(added(added(w, k, w1), 2.0 * k, w2), 2.0 * k, w3), k, w4)
        return x, w, min(min(d1, d2), min(d3, d4))

    @kernel
    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        moments = (J[0], J[1], J[2])
        acting = as_tuple(field)
        x, w = (state[0], state[1], state[2]), (state[3], state[4], state[5])
        for row in range(out.shape[0]):
            for _ in range(every):
                x, w, divisor = step(moments, acting, h, x, w)
                if not divisor > 0.0 or not abs(w[0] + w[1] + w[2] + x[0] + x[1] + x[2]) < np.inf:
                    return row, math.inf
            store(out[row], attitude_of(x), w)
        state[0], state[1], state[2] = x
        state[3], state[4], state[5] = w
        return out.shape[0], 0.0

    return start_by(set_up, 6), march


start_zyx, march_zyx = scheme_on(zyx_of, from_zyx, zyx_rate)
start_zxz, march_zxz = scheme_on(zxz_of, from_zxz, zxz_rate)
