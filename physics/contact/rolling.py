"""Rolling resistance: a moment against the angular velocity along the ground, |M| <= μ_r a P_N.

a is the distance of the contact from the centre of mass: a ball rolls down no slope whose tangent is below μ_r. In
percussion form (Tasora & Anitescu 2013; Acary & Bourrier 2021), contact by contact, as friction.
"""

from __future__ import annotations

import math

from physics.contact.cone import friction
from physics.contact.vertices import (
    LEVER,
    MOMENT,
    MOMENT_BEFORE,
    MOMENT_SHIFT,
    MOMENT_STEP,
    MOMENT_STEP_BEFORE,
    PERCUSSION,
    ROLLING,
    TURN,
    TURN_ANSWER,
    TURN_BLOCK,
    Rows,
)
from physics.core.jit import formula
from physics.core.rotation import Array, Vector
from physics.schemes.explicit import solve


@formula
def resist(c: Array, mu: float, R: Rows, J: Vector, g: Vector) -> None:
    """Give a filled contact its rolling resistance; R, J, g: see physics.contact.polyhedra.touching."""
    squares = 0.0
    for m in range(9):
        squares += c[LEVER + m] * c[LEVER + m]
    c[ROLLING] = mu * math.sqrt(0.5 * squares)  # three levers of one arm: |ρ x d|² adds up to 2 |ρ|²
    for k in range(2):
        a = 3 * (k + 1)
        axis = (
            R[0][0] * c[a] + R[1][0] * c[a + 1] + R[2][0] * c[a + 2],
            R[0][1] * c[a] + R[1][1] * c[a + 1] + R[2][1] * c[a + 2],
            R[0][2] * c[a] + R[1][2] * c[a + 1] + R[2][2] * c[a + 2],
        )
        answer = solve(J, g, axis)
        for i in range(3):
            c[TURN + 3 * k + i], c[TURN_ANSWER + 3 * k + i] = axis[i], answer[i]
        c[MOMENT + k] = c[MOMENT_SHIFT + k] = 0.0
    for k in range(3):  # xx, yy, and the mean of xy and yx, which differ by the gyroscopic matrix
        i, j = k % 2, (k + 1) // 2
        c[TURN_BLOCK + k] = 0.5 * (_product(c, i, j) + _product(c, j, i))


@formula
def _product(c: Array, i: int, j: int) -> float:
    total = 0.0
    for m in range(3):
        total += c[TURN + 3 * i + m] * c[TURN_ANSWER + 3 * j + m]
    return total


@formula
def rate(c: Array, k: int, w: Vector) -> float:
    """Angular velocity along direction k of the plane of contact, 0 or 1 [rad/s]."""
    a = TURN + 3 * k
    return float(c[a] * w[0] + c[a + 1] * w[1] + c[a + 2] * w[2])


@formula
def rolled(c: Array, bound: float, w: Vector) -> tuple[Vector, float]:
    """Angular velocity with the moment that the other percussions ask for; how far that moved, over the arm [N s].

    bound: the normal percussion times μ_r a [N m s].
    """
    x, y, z = c[TURN_BLOCK], c[TURN_BLOCK + 1], c[TURN_BLOCK + 2]
    p, q = c[MOMENT], c[MOMENT + 1]
    new = (0.0, 0.0, 0.0)
    if bound > 0.0:
        free = (
            rate(c, 0, w) + c[MOMENT_SHIFT] - x * p - z * q,
            rate(c, 1, w) + c[MOMENT_SHIFT + 1] - z * p - y * q,
            0.0,
        )
        new, _ = friction((x, y, 1.0, 0.0, 0.0, z), free, bound, (0.0, 0.0, 0.0), 1.0, 0.0, 0.0)
    p, q = new[0] - p, new[1] - q
    c[MOMENT_STEP], c[MOMENT_STEP + 1] = p, q
    return turned_by(c, p, q, w), math.sqrt(p * p + q * q) / c[ROLLING]


@formula
def turned_by(c: Array, p: float, q: float, w: Vector) -> Vector:
    """Angular velocity after the moments p, q [N m s] more, which the contact keeps."""
    a = TURN_ANSWER
    c[MOMENT], c[MOMENT + 1] = c[MOMENT] + p, c[MOMENT + 1] + q
    return (
        w[0] + p * c[a] + q * c[a + 3],
        w[1] + p * c[a + 1] + q * c[a + 4],
        w[2] + p * c[a + 2] + q * c[a + 5],
    )


@formula
def change_of_step(c: Array) -> tuple[float, float]:
    """step.d and d.d of the last two steps of the moment, d their difference, over the arm squared [N² s²]."""
    d = c[MOMENT_STEP] - c[MOMENT_STEP_BEFORE], c[MOMENT_STEP + 1] - c[MOMENT_STEP_BEFORE + 1]
    s = 1.0 / (c[ROLLING] * c[ROLLING])
    return s * (c[MOMENT_STEP] * d[0] + c[MOMENT_STEP + 1] * d[1]), s * (d[0] * d[0] + d[1] * d[1])


@formula
def extrapolated(c: Array, back: float, w: Vector) -> Vector:
    """Angular velocity with the moment moved by that much of its way since the last sweep, see percussions."""
    p, q = back * (c[MOMENT_BEFORE] - c[MOMENT]), back * (c[MOMENT_BEFORE + 1] - c[MOMENT + 1])
    for k in range(2):
        c[MOMENT_BEFORE + k], c[MOMENT_STEP_BEFORE + k] = c[MOMENT + k], c[MOMENT_STEP + k]
    return turned_by(c, p, q, w)


@formula
def work_of_rolling(c: Array, w_before: Vector, w_next: Vector) -> float:
    """M.(ω^- + ω^+)/2 [J]."""
    return float(
        0.5 * c[MOMENT] * (rate(c, 0, w_before) + rate(c, 0, w_next))
        + 0.5 * c[MOMENT + 1] * (rate(c, 1, w_before) + rate(c, 1, w_next))
    )


@formula
def bound_of(c: Array) -> float:
    """The largest moment [N m s] with the normal percussion as it is."""
    return float(c[ROLLING] * c[PERCUSSION])
