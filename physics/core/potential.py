"""Torque on an attached body: a potential of the vertical, and damping.

V = a.u + u.Ku/2 with u = R^T e_z the vertical in principal axes, a (3) and K (3, 3, symmetric) [N m]; damping D (3,
diagonal) [N m s]. Kernels get the twelve numbers as a tuple: a, the diagonal of K, D, and K12, K13, K23. A top has
a = (0, 0, m g l), a vessel K = m g (GM_L, GM_T, 0) in the axes of its body, which need not be the principal ones.
"""

from __future__ import annotations

import numpy as np

from physics.core.jit import formula
from physics.core.rotation import Array, Field, Quaternion, Vector, apply, conjugate, cross

SIZE = 12
FREE = np.zeros(SIZE)  # nothing acts


@formula
def vertical(q: Quaternion) -> Vector:
    """u = R(q)^T e_z (3,): the unit vector upwards in the axes of the body, for its attitude q (4,)."""
    return (
        2.0 * (q[1] * q[3] - q[0] * q[2]),
        2.0 * (q[2] * q[3] + q[0] * q[1]),
        q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3],
    )


@formula
def gradient(field: Field, u: Vector) -> Vector:
    """a + K u: the derivative of the potential by the vertical [N m]."""
    return (
        field[0] + field[3] * u[0] + field[9] * u[1] + field[10] * u[2],
        field[1] + field[4] * u[1] + field[9] * u[0] + field[11] * u[2],
        field[2] + field[5] * u[2] + field[10] * u[0] + field[11] * u[1],
    )


@formula
def torque(field: Field, u: Vector) -> Vector:
    """Moment of the potential in principal axes (3,) [N m]: u x (a + K u), u the vertical there."""
    return cross(u, gradient(field, u))


@formula
def moment(field: Field, q: Quaternion, w: Vector) -> Vector:
    """Moment of the potential and of the damping in principal axes (3,) [N m]: tau - D w, w [rad/s]."""
    n = torque(field, vertical(q))
    return (n[0] - field[6] * w[0], n[1] - field[7] * w[1], n[2] - field[8] * w[2])


def potential(field: Array, orientation: Array) -> Array:
    """V [J] at attitudes (..., 4) of the principal axes."""
    u = apply(conjugate(orientation), np.array([0.0, 0.0, 1.0]))
    mixed = np.stack([u[..., 0] * u[..., 1], u[..., 0] * u[..., 2], u[..., 1] * u[..., 2]], axis=-1)
    return np.asarray(u @ field[:3] + 0.5 * (u * u) @ field[3:6] + mixed @ field[9:])
