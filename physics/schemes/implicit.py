"""The implicit scheme of Leine et al. (2021), (61)-(75): keeps energy and the spin vector, hence stability.

Implicit midpoint rule for the angular velocity (61), then an attitude update that returns the spin to
where it was in space (66), (74), written in quaternions.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import (
    Array,
    Field,
    Quaternion,
    Vector,
    arc,
    cross,
    dot,
    exp_half,
    normalised,
    product,
    rotate,
)

ITERATIONS = 50
Entries = tuple[float, float, float, float, float, float]


@formula
def midpoint_velocity(J: Vector, h: float, w: Vector) -> tuple[Vector, float]:
    """w^{k+1/2} of (61) by Newton's method with the analytic Jacobian; and 0, or infinity when it has no solution.

    By components (61) reads x_i - w_i + a_i x_j x_k = 0 with x = w^{k+1/2} and a_1 = h (C - B) / (2 A), cyclic:
    the Jacobian has ones on its diagonal and its inverse is written out.
    """
    a1 = 0.5 * h * (J[2] - J[1]) / J[0]
    a2 = 0.5 * h * (J[0] - J[2]) / J[1]
    a3 = 0.5 * h * (J[1] - J[0]) / J[2]
    # two fixed-point iterations start Newton close enough to end after two of its own at usual steps
    x, y, z = w[0] - a1 * w[1] * w[2], w[1] - a2 * w[2] * w[0], w[2] - a3 * w[0] * w[1]
    x, y, z = w[0] - a1 * y * z, w[1] - a2 * z * x, w[2] - a3 * x * y
    scale, a = dot(w, w), a1 * a1 + a2 * a2 + a3 * a3
    if scale == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    for _ in range(ITERATIONS):
        r1, r2, r3 = x - w[0] + a1 * y * z, y - w[1] + a2 * z * x, z - w[2] + a3 * x * y
        c = c12, c13, c21, c23, c31, c32 = a1 * z, a1 * y, a2 * z, a2 * x, a3 * y, a3 * x
        inverse = 1.0 / (1.0 - c12 * c21 - c13 * c31 - c23 * c32 + c12 * c23 * c31 + c13 * c21 * c32)
        d1, d2, d3 = adjugate(c, r1, r2, r3, inverse)
        # what is left of the quadratic equations is known, and taken off with the inverse, or with I - C in its place
        r1, r2, r3 = a1 * d2 * d3, a2 * d3 * d1, a3 * d1 * d2
        correction = d1 * d1 + d2 * d2 + d3 * d3
        close = correction <= 1e-10 * scale
        # I - C leaves C² r, which is below a hundredth of rounding at usual steps: what it leaves adds up over a run
        if not close or a * a * a * scale * correction * correction <= 1e-36:
            x -= d1 + r1 - c12 * r2 - c13 * r3
            y -= d2 + r2 - c23 * r3 - c21 * r1
            z -= d3 + r3 - c31 * r1 - c32 * r2
            if close:
                return (x, y, z), 0.0
            continue
        e1, e2, e3 = adjugate(c, r1, r2, r3, inverse)
        x, y, z = x - (d1 + e1), y - (d2 + e2), z - (d3 + e3)
        if a * correction * (e1 * e1 + e2 * e2 + e3 * e3) <= 1e-35 * scale:  # the inverse leaves a d e
            return (x, y, z), 0.0
    return (x, y, z), math.inf


@formula
def adjugate(c: Entries, r1: float, r2: float, r3: float, factor: float) -> Vector:
    """``factor`` adj(I + C) r: the solution of (I + C) d = r where the factor is 1 / det(I + C).

    c : the entries of C beside its diagonal of zeros, by rows
    """
    c12, c13, c21, c23, c31, c32 = c
    return (
        ((1.0 - c23 * c32) * r1 + (c13 * c32 - c12) * r2 + (c12 * c23 - c13) * r3) * factor,
        ((c23 * c31 - c21) * r1 + (1.0 - c13 * c31) * r2 + (c13 * c21 - c23) * r3) * factor,
        ((c21 * c32 - c31) * r1 + (c12 * c31 - c32) * r2 + (1.0 - c12 * c21) * r3) * factor,
    )


@formula
def advance_attitude(J: Vector, h: float, q: Quaternion, w: Vector, mid: Vector, w_next: Vector) -> Quaternion:
    """q^{k+1} = q^k o exp(h w^{k+1/2}) o B (66), B taking Θ w^{k+1} onto exp(-h w^{k+1/2}) Θ w^k (74), (75)."""
    e = exp_half((h * mid[0], h * mid[1], h * mid[2]))
    back = (e[0], -e[1], -e[2], -e[3])
    b = (J[0] * w_next[0], J[1] * w_next[1], J[2] * w_next[2])
    c = rotate(back, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
    # b and c have the same length, and whatever length B has goes in the end: one square root in all
    real, k = dot(b, b) + dot(b, c), cross(b, c)
    if real > 1e-3 * dot(b, b) and 1e-140 < real < 1e140:  # squares vanish below, and so does the turn; none is above
        return normalised(product(q, product(e, (real, k[0], k[1], k[2]))))
    return normalised(product(q, product(e, arc(b, c))))


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²] of a free body: attitude, velocity, residual."""
    mid, residual = midpoint_velocity(J, h, w)
    w_next = (2.0 * mid[0] - w[0], 2.0 * mid[1] - w[1], 2.0 * mid[2] - w[2])
    return advance_attitude(J, h, q, w, mid, w_next), w_next, residual


@formula
def free_velocity(
    J: Vector, h: float, q: Quaternion, w: Vector, memory: Array
) -> tuple[Vector, Vector, Vector, Vector, float]:
    """First part of the rotation inside Moreau's time stepping: w_free of (84), see physics.contact.moreau.

    The matrix that answers contact torques in (85) is Θ alone, and their work counts from w_free.
    """
    mid, residual = midpoint_velocity(J, h, w)
    free = (2.0 * mid[0] - w[0], 2.0 * mid[1] - w[1], 2.0 * mid[2] - w[2])
    return free, mid, free, (0.0, 0.0, 0.0), residual


@formula
def contact_attitude(
    J: Vector, h: float, q: Quaternion, w: Vector, turn: Vector, w_free: Vector, w_next: Vector
) -> Quaternion:
    """Second part: the attitude (87) follows the free motion, because contact changes the spin within the step."""
    return advance_attitude(J, h, q, w, turn, w_free)
