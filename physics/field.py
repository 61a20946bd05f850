"""What turns an attached body: a potential of the vertical, and damping.

V = a.u + u.Ku/2 with u = R^T e_z the vertical in principal axes, a (3) and K (3, diagonal) [N m]; damping D (3,
diagonal) [N m s]. Kernels get the nine numbers as a tuple (a, K, D). A top has a = (0, 0, m g l), a vessel
K = m g (GM_L, GM_T, 0).
"""

from __future__ import annotations

import numpy as np

from physics.compiled import formula
from physics.rotation import Array, Field, Quaternion, Vector, apply, conjugate, cross


@formula
def vertical(q: Quaternion) -> Vector:
    """u = R(q)^T e_z."""
    return (
        2.0 * (q[1] * q[3] - q[0] * q[2]),
        2.0 * (q[2] * q[3] + q[0] * q[1]),
        q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3],
    )


@formula
def torque(field: Field, u: Vector) -> Vector:
    """Moment of the potential in principal axes [N m]: u x (a + K u)."""
    gradient = (field[0] + field[3] * u[0], field[1] + field[4] * u[1], field[2] + field[5] * u[2])
    return cross(u, gradient)


def potential(field: Array, orientation: Array) -> Array:
    """V [J] at attitudes (..., 4) of the principal axes."""
    u = apply(conjugate(orientation), np.array([0.0, 0.0, 1.0]))
    return np.asarray(u @ field[:3] + 0.5 * (u * u) @ field[3:6])
