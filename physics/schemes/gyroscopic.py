"""Euler's equations, and the rules for the gyroscopic torque ω × Jω that engines and particle codes share.

By components Euler's equations read w_i' + a_i w_j w_k = n_i / J_i with a_1 = (C - B)/A, cyclic, and n the moment that
acts. One Newton step of implicit Euler from the old velocity (``newton_velocity``) is the rule of Bullet, Box3D and
MuJoCo alike: (J + h (hat(w) J - hat(Jw))) (w - w') = h (w × Jw - n).
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.rotation import Quaternion, Vector, exp_half, product, renormalised
from physics.schemes.implicit import adjugate


@formula
def couplings(J: Vector, h: float) -> Vector:
    """h (C - B)/A, cyclic [s]: factors of the products of angular velocities in a step h."""
    return (h * (J[2] - J[1]) / J[0], h * (J[0] - J[2]) / J[1], h * (J[1] - J[0]) / J[2])


@formula
def acceleration(J: Vector, n: Vector, w: Vector) -> Vector:
    """J^{-1} (n - w × Jw) [rad/s²]: Euler's equations with a moment n [N m]."""
    return (
        (n[0] - (J[2] - J[1]) * w[1] * w[2]) / J[0],
        (n[1] - (J[0] - J[2]) * w[2] * w[0]) / J[1],
        (n[2] - (J[1] - J[0]) * w[0] * w[1]) / J[2],
    )


@formula
def change(J: Vector, h: float, n: Vector, w: Vector) -> Vector:
    """h J^{-1} (n - w × Jw) [rad/s]: the change of the angular velocity in a step of explicit Euler."""
    a = couplings(J, h)
    return (
        h * n[0] / J[0] - a[0] * w[1] * w[2],
        h * n[1] / J[1] - a[1] * w[2] * w[0],
        h * n[2] / J[2] - a[2] * w[0] * w[1],
    )


@formula
def pushed(J: Vector, h: float, n: Vector, w: Vector) -> Vector:
    """w + h J^{-1} n: the moment n [N m] added explicitly."""
    return (w[0] + h * n[0] / J[0], w[1] + h * n[1] / J[1], w[2] + h * n[2] / J[2])


@formula
def newton_velocity(J: Vector, D: Vector, h: float, n: Vector, w: Vector) -> Vector:
    """The angular velocity after one Newton step of implicit Euler, the moment n = τ - D w and its damping D inside.

    Its matrix is singular where a step is about as long as perturbations of the intermediate axis take to grow: there
    the engines divide by nothing, too.
    """
    d = (1.0 + h * D[0] / J[0], 1.0 + h * D[1] / J[1], 1.0 + h * D[2] / J[2])
    e = change(J, h, n, w)
    a = couplings(J, h)
    a1, a2, a3 = a[0] / d[0], a[1] / d[1], a[2] / d[2]
    c = c12, c13, c21, c23, c31, c32 = a1 * w[2], a1 * w[1], a2 * w[2], a2 * w[0], a3 * w[1], a3 * w[0]
    inverse = 1.0 / (1.0 - c12 * c21 - c13 * c31 - c23 * c32 + c12 * c23 * c31 + c13 * c21 * c32)
    d1, d2, d3 = adjugate(c, e[0] / d[0], e[1] / d[1], e[2] / d[2], inverse)
    return (w[0] + d1, w[1] + d2, w[2] + d3)


@formula
def attitude_after(h: float, q: Quaternion, w: Vector) -> Quaternion:
    """q o exp(h w), rounding taken off its length."""
    return renormalised(product(q, exp_half((h * w[0], h * w[1], h * w[2]))))
