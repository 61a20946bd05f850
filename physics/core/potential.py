"""Torque on an attached body: a potential of the vertical, and damping.

V = a.u + u.Ku/2 with u = R^T e_z the vertical in principal axes, a (3) and K (3, 3, symmetric) [N m]; damping D (3,
diagonal) [N m s]. Kernels get the twelve numbers as a tuple: a, the diagonal of K, D, and K12, K13, K23. A top has
a = (0, 0, m g l), a vessel K = m g (GM_L, GM_T, 0) in the axes of its body, which need not be the principal ones.
"""

from __future__ import annotations

import numpy as np

from physics.core.jit import formula
from physics.core.rotation import Array, Field, Quaternion, Vector, cross, upwards

SIZE = 12
FREE = np.zeros(SIZE)  # nothing acts


@formula
def vertical(q: Quaternion) -> Vector:
    """Unit vector upwards, in body axes.

    Parameters
    ----------
    q : tuple of float, (4,)
        Attitude of the body, a unit quaternion, scalar first.

    Returns
    -------
    tuple of float, (3,)
        u = R(q)^T e_z, without units.

    Examples
    --------
    >>> import physics
    >>> physics.vertical((1.0, 0.0, 0.0, 0.0))
    (0.0, 0.0, 1.0)
    >>> physics.vertical((0.5, 0.5, 0.5, 0.5))  # y of the body points up
    (0.0, 1.0, 0.0)
    """
    return (
        2.0 * (q[1] * q[3] - q[0] * q[2]),
        2.0 * (q[2] * q[3] + q[0] * q[1]),
        q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3],
    )


@formula
def gradient(field: Field | Array, u: Vector) -> Vector:
    """a + K u: the derivative of the potential by the vertical [N m]."""
    return (
        field[0] + field[3] * u[0] + field[9] * u[1] + field[10] * u[2],
        field[1] + field[4] * u[1] + field[9] * u[0] + field[11] * u[2],
        field[2] + field[5] * u[2] + field[10] * u[0] + field[11] * u[1],
    )


@formula
def torque(field: Field | Array, u: Vector) -> Vector:
    """Moment of the potential V = a.u + u.Ku/2, in principal axes.

    Parameters
    ----------
    field : tuple of float, (12,)
        a (3), the diagonal of K (3), damping (3), and K12, K13, K23, in [N m], the damping in [N m s]. A top of mass m
        whose centre of mass lies l above its tip has a = (0, 0, m g l), a vessel with the metacentric heights GM_L and
        GM_T has K11 = m g GM_L and K22 = m g GM_T. Schemes get it from the program and need not look into it.
    u : tuple of float, (3,)
        Unit vector upwards in principal axes, see ``vertical``.

    Returns
    -------
    tuple of float, (3,)
        u x (a + K u) [N m]; the damping is not in it, see ``moment``.

    Examples
    --------
    A top with m g l = 0.5 N m that lies on its side:

    >>> import physics
    >>> field = (0.0, 0.0, 0.5) + 9 * (0.0,)
    >>> physics.torque(field, (0.0, 1.0, 0.0))
    (0.5, 0.0, 0.0)

    References
    ----------
    Betsch & Siebert (2009), section 5.2, for the top; Gustafsson (2010), (43), for the vessel.
    """
    return cross(u, gradient(field, u))


@formula
def moment(field: Field, q: Quaternion, w: Vector) -> Vector:
    """Moment of the potential and of the damping, in principal axes.

    Parameters
    ----------
    field : tuple of float, (12,)
        Potential [N m] and damping [N m s], see ``torque``.
    q : tuple of float, (4,)
        Attitude of the principal axes, a unit quaternion, scalar first.
    w : tuple of float, (3,)
        Angular velocity in principal axes [rad/s].

    Returns
    -------
    tuple of float, (3,)
        u x (a + K u) - D w [N m], with the upward unit vector u at q.

    Examples
    --------
    >>> import physics
    >>> field = (0.0, 0.0, 0.5) + (0.0, 0.0, 0.0) + (0.25, 0.25, 0.25) + (0.0, 0.0, 0.0)
    >>> physics.moment(field, (0.5, 0.5, 0.5, 0.5), (0.0, 0.0, 2.0))
    (0.5, 0.0, -0.5)

    References
    ----------
    Gustafsson (2010), (44).
    """
    n = torque(field, vertical(q))
    return (n[0] - field[6] * w[0], n[1] - field[7] * w[1], n[2] - field[8] * w[2])


def potential(field: Array, orientation: Array) -> Array:
    """V [J] at attitudes (..., 4) of the principal axes."""
    u = upwards(orientation)
    mixed = np.stack([u[..., 0] * u[..., 1], u[..., 0] * u[..., 2], u[..., 1] * u[..., 2]], axis=-1)
    return np.asarray(u @ field[:3] + 0.5 * (u * u) @ field[3:6] + mixed @ field[9:])
