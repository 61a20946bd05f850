"""The explicit scheme of Leine et al. (2021), (45)-(47): keeps the kinetic energy, not the spin.

In use in RAMMS::ROCKFALL before the paper; rotation about the major axis is unstable in it (59).
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Array, Field, Quaternion, Vector, cross, normalised, product
from physics.schemes.loop import NO_FIELD, WIDTH, Q, W, put_quaternion, put_vector, quaternion_in, vector_in


@formula
def advance_velocity(J: Vector, h: float, w: Vector) -> tuple[Vector, Vector]:
    """w^{k+1} from (46) and the half-step matrix h/2 G(w^k) as the vector g with G = hat(g).

    G(w) = Θ hat(w) + hat(w) Θ is skew for a diagonal Θ: with tr = A + B + C, G(w) = hat((tr - J_i) w_i).
    """
    tr = J[0] + J[1] + J[2]
    g = (0.5 * h * (tr - J[0]) * w[0], 0.5 * h * (tr - J[1]) * w[1], 0.5 * h * (tr - J[2]) * w[2])
    gw = cross(g, w)
    change = solve_with_skew(J, g, (2.0 * gw[0], 2.0 * gw[1], 2.0 * gw[2]))  # the second line of (46): less rounding
    return (w[0] - change[0], w[1] - change[1], w[2] - change[2]), g


@formula
def solve_with_skew(J: Vector, g: Vector, b: Vector) -> Vector:
    """The x with (Θ + hat(g)) x = b. The matrix is positive definite plus skew: always solvable.

    (Θ + hat(g))^{-1} = (adj Θ + g g^T - hat(Θ g)) / (det Θ + g.Θg).
    """
    Jg = (J[0] * g[0], J[1] * g[1], J[2] * g[2])
    det = J[0] * J[1] * J[2] + g[0] * Jg[0] + g[1] * Jg[1] + g[2] * Jg[2]
    gb = g[0] * b[0] + g[1] * b[1] + g[2] * b[2]
    c = cross(Jg, b)
    return (
        (J[1] * J[2] * b[0] + g[0] * gb - c[0]) / det,
        (J[2] * J[0] * b[1] + g[1] * gb - c[1]) / det,
        (J[0] * J[1] * b[2] + g[2] * gb - c[2]) / det,
    )


@formula
def halfway(h: float, q: Quaternion, w: Vector) -> Quaternion:
    """The attitude half a step on, of length 1: (79), (83)."""
    return normalised(product(q, (1.0, 0.25 * h * w[0], 0.25 * h * w[1], 0.25 * h * w[2])))


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²] of a free body: attitude, velocity, residual 0."""
    w_next, _ = advance_velocity(J, h, w)
    # (47): p + h/2 F(p) w = p o (1, h w / (4 |p|)), because F carries 1/(2|p|); the half step is not normalised
    half = product(q, (1.0, 0.25 * h * w[0], 0.25 * h * w[1], 0.25 * h * w[2]))
    s = 0.25 * h / math.sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2] + half[3] * half[3])
    full = product(half, (1.0, s * w_next[0], s * w_next[1], s * w_next[2]))
    return normalised(full), w_next, 0.0


@formula
def advance_many(J: Vector, h: float, s: Array) -> None:
    """One step of a block of bodies, see physics.schemes.loop."""
    for i in range(WIDTH):
        q, w, _ = step(J, NO_FIELD, h, quaternion_in(s, Q, i), vector_in(s, W, i))
        put_quaternion(s, Q, i, q)
        put_vector(s, W, i, w)


@formula
def free_velocity(
    J: Vector, h: float, q: Quaternion, w: Vector, memory: Array
) -> tuple[Vector, Quaternion, Vector, Vector, float]:
    """First part of the rotation inside Moreau's time stepping: (82) without percussions, see physics.contact.moreau.

    The matrix that answers contact torques is Θ + hat(g), and their work counts from w^k.
    """
    w_free, g = advance_velocity(J, h, w)
    return w_free, halfway(h, q, w), w, g, 0.0


@formula
def contact_attitude(
    J: Vector, h: float, q: Quaternion, w: Vector, q_mid: Quaternion, w_free: Vector, w_next: Vector
) -> Quaternion:
    """Second part: (83), from the midpoint with the angular velocity after contact."""
    return halfway(h, q_mid, w_next)
