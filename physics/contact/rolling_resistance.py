"""Rolling resistance: a moment against the angular velocity, |M| <= μ_r a P_N.

a is the distance of the contact from the centre of mass: a ball rolls down no slope whose tangent is below μ_r. In
percussion form (Tasora & Anitescu 2013; Acary & Bourrier 2021), contact by contact, as friction. It resists pivoting
like rolling: a rock that spins on the spot comes to rest too. Moments count along the body's principal axes.
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
    answer,
)
from physics.core.jit import formula
from physics.core.rotation import Array, Symmetric, Vector


@formula
def resist(c: Array, mu: float, S: Symmetric, g: Vector) -> None:
    """Give a filled contact its rolling resistance; S, g: see physics.contact.polyhedra.touching."""
    squares = 0.0
    for m in range(9):
        squares += c[LEVER + m] * c[LEVER + m]
    c[ROLLING] = mu * math.sqrt(0.5 * squares)  # three levers of one arm: |ρ x d|² adds up to 2 |ρ|²
    answers = answer(S, g, (1.0, 0.0, 0.0)), answer(S, g, (0.0, 1.0, 0.0)), answer(S, g, (0.0, 0.0, 1.0))
    for k in range(3):
        c[MOMENT + k] = c[MOMENT_SHIFT + k] = 0.0
        for i in range(3):
            c[TURN + 3 * k + i] = answers[k][i]


@formula
def bound_of(c: Array) -> float:
    """The largest moment [N m s] with the normal percussion as it is."""
    return float(c[ROLLING] * c[PERCUSSION])


@formula
def rolled(c: Array, bound: float, w: Vector) -> tuple[Vector, float]:
    """Angular velocity with the moment that the other percussions ask for; how far that moved, over the arm [N s].

    bound: of the moment [N m s].
    """
    t, p = TURN, (c[MOMENT], c[MOMENT + 1], c[MOMENT + 2])
    # the gyroscopic matrix makes the answers unsymmetric: their symmetric part is solved, the sweeps do the rest
    A = (
        c[t],
        c[t + 4],
        c[t + 8],
        0.5 * (c[t + 5] + c[t + 7]),
        0.5 * (c[t + 2] + c[t + 6]),
        0.5 * (c[t + 1] + c[t + 3]),
    )
    new = (0.0, 0.0, 0.0)
    if bound > 0.0:
        free = (
            w[0] + c[MOMENT_SHIFT] - A[0] * p[0] - A[5] * p[1] - A[4] * p[2],
            w[1] + c[MOMENT_SHIFT + 1] - A[5] * p[0] - A[1] * p[1] - A[3] * p[2],
            w[2] + c[MOMENT_SHIFT + 2] - A[4] * p[0] - A[3] * p[1] - A[2] * p[2],
        )
        new, _ = friction(A, free, bound, (0.0, 0.0, 0.0), 1.0, 0.0, 0.0)
    step = (new[0] - p[0], new[1] - p[1], new[2] - p[2])
    for k in range(3):
        c[MOMENT_STEP + k] = step[k]
    moved = math.sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2])
    return _turned_by(c, step, w), moved / c[ROLLING]


@formula
def _turned_by(c: Array, step: Vector, w: Vector) -> Vector:
    """Angular velocity after a moment [N m s] more, which the contact keeps."""
    t = TURN
    for k in range(3):
        c[MOMENT + k] += step[k]
    return (
        w[0] + step[0] * c[t] + step[1] * c[t + 3] + step[2] * c[t + 6],
        w[1] + step[0] * c[t + 1] + step[1] * c[t + 4] + step[2] * c[t + 7],
        w[2] + step[0] * c[t + 2] + step[1] * c[t + 5] + step[2] * c[t + 8],
    )


@formula
def change_of_step(c: Array) -> tuple[float, float]:
    """step.d and d.d of the last two steps of the moment, d their difference, over the arm squared [N² s²]."""
    along = size = 0.0
    for k in range(3):
        d = c[MOMENT_STEP + k] - c[MOMENT_STEP_BEFORE + k]
        along += c[MOMENT_STEP + k] * d
        size += d * d
    s = 1.0 / (c[ROLLING] * c[ROLLING])
    return s * along, s * size


@formula
def extrapolated(c: Array, back: float, w: Vector) -> Vector:
    """Angular velocity with the moment moved by that much of its way since the last sweep, see percussions."""
    m, b = MOMENT, MOMENT_BEFORE
    step = (back * (c[b] - c[m]), back * (c[b + 1] - c[m + 1]), back * (c[b + 2] - c[m + 2]))
    for k in range(3):
        c[MOMENT_BEFORE + k], c[MOMENT_STEP_BEFORE + k] = c[MOMENT + k], c[MOMENT_STEP + k]
    return _turned_by(c, step, w)


@formula
def work_of_rolling(c: Array, w_before: Vector, w_next: Vector) -> float:
    """M.(ω^- + ω^+)/2 [J]."""
    work = 0.0
    for k in range(3):
        work += 0.5 * c[MOMENT + k] * (w_before[k] + w_next[k])
    return work
