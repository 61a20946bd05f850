"""The free motion of a ship with added mass: Kirchhoff's equations by a symmetric splitting of the kinetic energy.

P' = P x w and K' = K x w + P x v in axes in which mass and moments are diagonal (Newman 1977, chapter 4): the flow of
the energy of translation keeps P and the attitude, that of a rotation about one axis turns P and K about it. Each is
exact, so that a step keeps the size of P, is reversible and symplectic, of order 2.
"""

from __future__ import annotations

import math

from physics.core.jit import kernel
from physics.core.rotation import Quaternion, Vector, cross, inverse, product, renormalised, rotate
from physics.seakeeping.ship_model import ShipModel


@kernel
def drifted(
    ship: ShipModel, h: float, r: Vector, q: Quaternion, v: Vector, w: Vector
) -> tuple[Vector, Quaternion, Vector, Vector]:
    """Place, attitude, velocity in space and angular velocity after a step h [s] in which nothing acts."""
    A, J, m = ship.added, ship.moments, ship.mass
    mx, my, mz = m + A[0], m + A[1], m + A[2]
    jx, jy, jz = J[0] + A[3], J[1] + A[4], J[2] + A[5]
    u = rotate(inverse(q), v)
    P, K = (mx * u[0], my * u[1], mz * u[2]), (jx * w[0], jy * w[1], jz * w[2])
    for half in range(2):
        if half == 1:
            P, K, q = _turned(P, K, q, 2, h * K[2] / jz)
            P, K, q = _turned(P, K, q, 1, 0.5 * h * K[1] / jy)
            P, K, q = _turned(P, K, q, 0, 0.5 * h * K[0] / jx)
        u = (P[0] / mx, P[1] / my, P[2] / mz)
        shift, couple = rotate(q, u), cross(P, u)
        r = (r[0] + 0.5 * h * shift[0], r[1] + 0.5 * h * shift[1], r[2] + 0.5 * h * shift[2])
        K = (K[0] + 0.5 * h * couple[0], K[1] + 0.5 * h * couple[1], K[2] + 0.5 * h * couple[2])
        if half == 0:
            P, K, q = _turned(P, K, q, 0, 0.5 * h * K[0] / jx)
            P, K, q = _turned(P, K, q, 1, 0.5 * h * K[1] / jy)
    q = renormalised(q)
    return r, q, rotate(q, (P[0] / mx, P[1] / my, P[2] / mz)), (K[0] / jx, K[1] / jy, K[2] / jz)


@kernel
def _turned(P: Vector, K: Vector, q: Quaternion, axis: int, angle: float) -> tuple[Vector, Vector, Quaternion]:
    """Attitude turned by an angle [rad] about an axis of the ship, and both momenta seen from there."""
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    turn = (c, s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)
    back = inverse(turn)
    return rotate(back, P), rotate(back, K), product(q, turn)
