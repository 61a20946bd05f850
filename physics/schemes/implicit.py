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
    exp_half_series,
    normalised,
    product,
    rotate,
)
from physics.schemes.loop import (
    NO_FIELD,
    STATE,
    WIDTH,
    Q,
    W,
    put_quaternion,
    put_vector,
    quaternion_in,
    vector_in,
)

ITERATIONS = 50
MID, NEXT, LEFT = STATE, STATE + 3 * WIDTH, STATE + 7 * WIDTH  # columns: midpoint velocity, attitude, whether not found
Entries = tuple[float, float, float, float, float, float]


@formula
def midpoint_velocity(J: Vector, h: float, w: Vector) -> tuple[Vector, float]:
    """w^{k+1/2} of (61) by Newton's method with the analytic Jacobian; and 0, or infinity when it has no solution."""
    a, scale = coefficients(J, h), dot(w, w)
    x = first_guess(a, w)
    if scale == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    for _ in range(ITERATIONS):
        x, found = corrected(a, w, scale, x)
        if found:
            return x, 0.0
    return x, math.inf


@formula
def coefficients(J: Vector, h: float) -> Vector:
    """Coefficients a_1 = h (C - B) / (2 A), cyclic [s], of (61): x_i - w_i + a_i x_j x_k = 0 with x = w^{k+1/2}."""
    return 0.5 * h * (J[2] - J[1]) / J[0], 0.5 * h * (J[0] - J[2]) / J[1], 0.5 * h * (J[1] - J[0]) / J[2]


@formula
def first_guess(a: Vector, w: Vector) -> Vector:
    """Two fixed-point iterations: they start Newton close enough to end after two of its own at usual steps."""
    x, y, z = w[0] - a[0] * w[1] * w[2], w[1] - a[1] * w[2] * w[0], w[2] - a[2] * w[0] * w[1]
    return w[0] - a[0] * y * z, w[1] - a[1] * z * x, w[2] - a[2] * x * y


@formula
def corrected(a: Vector, w: Vector, scale: float, last: Vector) -> tuple[Vector, bool]:
    """One iteration of Newton's method, and whether it was the last. scale: |w|².

    The Jacobian has ones on its diagonal and its inverse is written out.
    """
    a1, a2, a3 = a
    x, y, z = last
    r1, r2, r3 = x - w[0] + a1 * y * z, y - w[1] + a2 * z * x, z - w[2] + a3 * x * y
    c = c12, c13, c21, c23, c31, c32 = a1 * z, a1 * y, a2 * z, a2 * x, a3 * y, a3 * x
    inverse = 1.0 / (1.0 - c12 * c21 - c13 * c31 - c23 * c32 + c12 * c23 * c31 + c13 * c21 * c32)
    d1, d2, d3 = adjugate(c, r1, r2, r3, inverse)
    # what is left of the quadratic equations is known, and taken off with the inverse, or with I - C in its place
    r1, r2, r3 = a1 * d2 * d3, a2 * d3 * d1, a3 * d1 * d2
    correction = d1 * d1 + d2 * d2 + d3 * d3
    close, size = correction <= 1e-10 * scale, dot(a, a)
    # I - C leaves C² r, which is below a hundredth of rounding at usual steps: what it leaves adds up over a run
    if not close or size * size * size * scale * correction * correction <= 1e-36:
        x -= d1 + r1 - c12 * r2 - c13 * r3
        y -= d2 + r2 - c23 * r3 - c21 * r1
        z -= d3 + r3 - c31 * r1 - c32 * r2
        return (x, y, z), close
    e1, e2, e3 = adjugate(c, r1, r2, r3, inverse)
    x, y, z = x - (d1 + e1), y - (d2 + e2), z - (d3 + e3)
    return (x, y, z), size * correction * (e1 * e1 + e2 * e2 + e3 * e3) <= 1e-35 * scale  # the inverse leaves a d e


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
    b, c, turn, usual = spin_restored(J, w, w_next, e)
    if usual:
        return normalised(product(q, product(e, turn)))
    return normalised(product(q, product(e, arc(b, c))))


@formula
def spin_restored(J: Vector, w: Vector, w_next: Vector, e: Quaternion) -> tuple[Vector, Vector, Quaternion, bool]:
    """The vectors b and c of (74), B (75) from their one to their other up to its length, and whether that is good.

    b and c have the same length, and whatever length B has goes in the end: one square root in all.
    """
    back = (e[0], -e[1], -e[2], -e[3])
    b = (J[0] * w_next[0], J[1] * w_next[1], J[2] * w_next[2])
    c = rotate(back, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
    real, k = dot(b, b) + dot(b, c), cross(b, c)
    # squares vanish below 1e-140, and so does the turn; none is above
    return b, c, (real, k[0], k[1], k[2]), real > 1e-3 * dot(b, b) and 1e-140 < real < 1e140


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²] of a free body: attitude, velocity, residual."""
    mid, residual = midpoint_velocity(J, h, w)
    w_next = (2.0 * mid[0] - w[0], 2.0 * mid[1] - w[1], 2.0 * mid[2] - w[2])
    return advance_attitude(J, h, q, w, mid, w_next), w_next, residual


@formula
def advance_many(J: Vector, h: float, s: Array) -> None:
    """One step of a block of bodies, see physics.schemes.loop: ``step`` in several loops over them.

    A body that has found its midpoint velocity keeps it while others go on.
    """
    a = coefficients(J, h)
    for i in range(WIDTH):
        w = vector_in(s, W, i)
        x, turns = first_guess(a, w), dot(w, w) != 0.0
        put_vector(s, MID, i, (x[0] if turns else 0.0, x[1] if turns else 0.0, x[2] if turns else 0.0))
        s[LEFT + i] = 1.0 if turns else 0.0
    for _ in range(ITERATIONS):
        left = 0
        for i in range(WIDTH):
            w, last, seeks = vector_in(s, W, i), vector_in(s, MID, i), s[LEFT + i] > 0.0
            x, found = corrected(a, w, dot(w, w), last)
            put_vector(s, MID, i, (x[0] if seeks else last[0], x[1] if seeks else last[1], x[2] if seeks else last[2]))
            seeks = seeks and not found
            s[LEFT + i] = 1.0 if seeks else 0.0
            left += 1 if seeks else 0
        if left == 0:
            break
    left = 0
    for i in range(WIDTH):
        w, mid = vector_in(s, W, i), vector_in(s, MID, i)
        e, small = exp_half_series((h * mid[0], h * mid[1], h * mid[2]))
        w_next = (2.0 * mid[0] - w[0], 2.0 * mid[1] - w[1], 2.0 * mid[2] - w[2])
        _, _, turn, usual = spin_restored(J, w, w_next, e)
        put_quaternion(s, NEXT, i, normalised(product(quaternion_in(s, Q, i), product(e, turn))))
        usual = usual and small and not s[LEFT + i] > 0.0
        s[LEFT + i] = 0.0 if usual else 1.0
        left += 0 if usual else 1
    if left > 0:
        for i in range(WIDTH):
            if s[LEFT + i] > 0.0:
                q, _, residual = step(J, NO_FIELD, h, quaternion_in(s, Q, i), vector_in(s, W, i))
                put_quaternion(s, NEXT, i, q)
                s[MID + i] += 0.0 if residual < math.inf else math.nan
    for i in range(WIDTH):
        w, mid = vector_in(s, W, i), vector_in(s, MID, i)
        put_quaternion(s, Q, i, quaternion_in(s, NEXT, i))
        put_vector(s, W, i, (2.0 * mid[0] - w[0], 2.0 * mid[1] - w[1], 2.0 * mid[2] - w[2]))


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
