"""Friction of one contact: percussions inside a cone, or on it and against what slides.

With γ(p) = b + A p the velocity that friction acts on and N(p) = n + k.p the normal percussion, a friction law is one
of p = -γ / c with a single unknown number c >= 0:

    stick     c = 0 and |p| <= μ N
    Coulomb   c μ N = sqrt(|γ|² + ε²); ε = 0: set-valued Coulomb friction, else regularised
    viscous   c κ N = 1

so that friction never does work, |γ|² / c <= 0, however well c is known. Sliding with N >= 0 exists wherever the
contact is closed without friction, because c = ∞ and c = 0 bracket it.
"""

from __future__ import annotations

import math

from physics.bodies.surface import Matrix
from physics.core.jit import formula
from physics.core.rotation import Vector, dot

ITERATIONS = 60
STICKS, SLIDES = 1.0, 0.0


@formula
def inverse_times(A: Matrix, c: float, b: Vector) -> Vector:
    """(A + c I)^-1 b for a symmetric positive definite A."""
    x, y, z, d, e, f = A[0] + c, A[1] + c, A[2] + c, A[3], A[4], A[5]
    m1, m2, m3 = y * z - d * d, d * e - f * z, f * d - y * e
    i = 1.0 / (x * m1 + f * m2 + e * m3)
    m4, m5, m6 = x * z - e * e, e * f - x * d, x * y - f * f
    return (
        i * (m1 * b[0] + m2 * b[1] + m3 * b[2]),
        i * (m2 * b[0] + m4 * b[1] + m5 * b[2]),
        i * (m3 * b[0] + m5 * b[1] + m6 * b[2]),
    )


@formula
def friction(
    A: Matrix, b: Vector, n: float, k: Vector, mu: float, epsilon: float, viscous: float
) -> tuple[Vector, float]:
    """The percussion p of friction, and STICKS or SLIDES. n: the normal percussion without friction, above 0."""
    if mu == 0.0 and viscous == 0.0:
        return (0.0, 0.0, 0.0), SLIDES
    size = math.sqrt(dot(b, b) + epsilon * epsilon)
    if mu > 0.0 and epsilon == 0.0:
        p = inverse_times(A, 0.0, b)
        held = n - dot(k, p)
        if held >= 0.0 and math.sqrt(dot(p, p)) <= mu * held:
            return (-p[0], -p[1], -p[2]), STICKS
    c = size / (mu * n) if mu > 0.0 else 1.0 / (viscous * n)
    low, high = 0.0, math.inf
    p = (0.0, 0.0, 0.0)
    for _ in range(ITERATIONS):
        p = inverse_times(A, c, b)  # with the sign of -p
        turn = inverse_times(A, c, p)  # its derivative by c is -turn
        normal, grows = n - dot(k, p), dot(k, turn)
        if mu > 0.0:
            pp = dot(p, p)
            slip = math.sqrt(c * c * pp + epsilon * epsilon)
            value = c * mu * normal - slip
            slope = mu * (normal + c * grows) - (c * pp - c * c * dot(p, turn)) / slip
        else:
            value, slope = c * viscous * normal - 1.0, viscous * (normal + c * grows)
        if value < 0.0:
            low = c
        else:
            high = c
        step = -value / slope if slope != 0.0 else math.inf
        if abs(step) <= 1e-9 * c:  # Newton squares the error
            c += step
            p = inverse_times(A, c, b)
            break
        c += step
        if not low < c < high:
            c = 0.5 * (low + high) if high < math.inf else 2.0 * low
        if high < math.inf and high - low <= 1e-15 * high:
            break
    return (-p[0], -p[1], -p[2]), SLIDES
