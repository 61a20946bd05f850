"""Newton's method in the implicit schemes: three linear equations, and when it has converged."""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.rotation import Field, Vector, cross, dot

ITERATIONS = 50
CLOSE = 1e-20  # squared relative correction: Newton squares the error, the next one would be below rounding


@formula
def solve_rows(a: Vector, b: Vector, c: Vector, r: Vector) -> tuple[Vector, float]:
    """The x of the three equations a.x = r1, b.x = r2, c.x = r3, and the determinant; zeros where that is not positive.

    Along the solution that a step of length zero starts from, the determinant of these schemes is positive; it
    vanishes where that solution ends.
    """
    bc, ca, ab = cross(b, c), cross(c, a), cross(a, b)
    det = dot(a, bc)
    if not det > 0.0:
        return (0.0, 0.0, 0.0), det
    s = 1.0 / det
    return (
        s * (r[0] * bc[0] + r[1] * ca[0] + r[2] * ab[0]),
        s * (r[0] * bc[1] + r[1] * ca[1] + r[2] * ab[1]),
        s * (r[0] * bc[2] + r[1] * ca[2] + r[2] * ab[2]),
    ), det


@formula
def speed_squared(J: Vector, field: Field, w: Vector) -> float:
    """Scale of corrections of an angular velocity [rad²/s²]: |w|², and the swing of a pendulum at rest."""
    pull = abs(field[0]) + abs(field[1]) + abs(field[2]) + abs(field[3]) + abs(field[4]) + abs(field[5])
    return dot(w, w) + 2.0 * pull / (J[0] + J[1] + J[2])
