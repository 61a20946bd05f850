"""Points that carry a body with a face or a line on a plane, and their percussions.

A disk that lies, or nearly so, is carried by points of its face; one that rolls on a cylinder's line, by both ends of
the line. A point takes a percussion only where the body would otherwise be below the plane at the end of the step:
points are added until that is so nowhere. In the mean a point is let down no farther than to the plane; one that is on
it and comes down is stopped before the step begins. Both take energy or none.
"""

from __future__ import annotations

import math

from physics.bodies.surface import Shape, times
from physics.contact.percussions import answered, harmless
from physics.contact.vertices import (
    APPROACH,
    PERCUSSION,
    PERCUSSION_BEFORE,
    STEP,
    STEP_BEFORE,
    Rows,
    Twist,
    lever_of,
    put_direction,
    speed,
    weigh,
)
from physics.core.jit import formula
from physics.core.rotation import Array, Vector, cross, dot
from physics.schemes.explicit import solve_with_skew

POINTS = 3  # points of a face
# a point: its place in the body (3,), then these
GAP = 3  # [m]
END = GAP + 1  # see ``facet``
WIDTH = END + 1
MAX_POINTS = 12  # points of a step
NEAR = 1e-7  # share of the size: a point that near the plane is on it
_AXES = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))  # normal to the plane, and along it
_THIRDS = tuple((math.cos(2.0 * math.pi * k / POINTS), math.sin(2.0 * math.pi * k / POINTS)) for k in range(POINTS))


@formula
def near_facet(shape: Shape, flat: bool, u: Vector, w: Vector, h: float, least: float) -> bool:
    """Return True if the contact point leaps in a step: a face or a line comes within its turn, or ``least``.

    flat : whether the body has faces; least : angle [rad] below which it lies
    """
    a, length = shape[2], shape[3]
    turn, across = cross(w, u), cross(a, u)
    if flat and math.sqrt(dot(across, across)) <= max(h * math.sqrt(dot(turn, turn)), least):
        return True
    return length > 0.0 and abs(dot(a, u)) <= max(h * abs(dot(a, turn)), least)


@formula
def facet(shape: Shape, u: Vector, points: Array) -> int:
    """Fill ``points`` (MAX_POINTS, WIDTH) with those of the face or the line that is nearest; their number.

    END: -1 or 1 for a point of a line, which wanders along the rim at this end of the axis; 0: it stays in the body.
    """
    M, c, a, length, r = shape
    along = dot(u, a)
    e = (u[0] - along * a[0], u[1] - along * a[1], u[2] - along * a[2])
    size = math.sqrt(dot(e, e))
    if size > abs(along):
        x = times(M, u)
        H = math.sqrt(dot(u, x))
        for n in range(2):
            s = length if n == 0 else -length
            for i in range(3):
                points[n, i] = c[i] - x[i] / H - s * a[i] - r * u[i]
            points[n, END] = 1.0 if n == 0 else -1.0
        return 2
    if size == 0.0:
        e = cross(a, (1.0, 0.0, 0.0)) if abs(a[0]) < 0.6 else cross(a, (0.0, 1.0, 0.0))
        size = math.sqrt(dot(e, e))
    f = cross(a, e)
    s = length if along > 0.0 else -length
    for n in range(POINTS):
        p, q = _THIRDS[n]
        d = (p * e[0] + q * f[0], p * e[1] + q * f[1], p * e[2] + q * f[2])
        x = times(M, d)
        H = math.sqrt(dot(d, x))
        for i in range(3):
            points[n, i] = c[i] - x[i] / H - s * a[i] - r * u[i]
        points[n, END] = 0.0
    return POINTS


@formula
def gap_of(shape: Shape, point: Array, z: float, u: Vector) -> float:
    """The height of a point, or of its rim, above the plane [m]; z: of the centre of mass."""
    if point[END] == 0.0:
        return float(z + point[0] * u[0] + point[1] * u[1] + point[2] * u[2])
    M, c, a, length, r = shape
    x = times(M, u)
    return float(z + dot(c, u) - math.sqrt(dot(u, x)) - point[END] * length * dot(a, u) - r)


@formula
def carried(
    J: Vector,
    mass: float,
    mu: float,
    R: Rows,
    points: Array,
    chosen: int,
    contacts: Array,
    dt: float,
    free: Twist,
    before: Twist,
    quantum: float,
) -> tuple[Twist, bool]:
    """Velocities after the percussions of the first ``chosen`` points, and whether they were solved.

    R: the rows of the attitude at which they act; free, before: velocities without contact at the end of the step, and
    at its start. dt: the step, in which a point may come down to the plane in the mean; 0: they stop what comes down,
    at once. quantum: see physics.contact.percussions.
    """
    for n in range(chosen):
        c, rho = contacts[n], (points[n, 0], points[n, 1], points[n, 2])
        for k in range(3):
            lever = lever_of(_AXES[k], rho, R)
            put_direction(c, k, _AXES[k], lever, solve_with_skew(J, (0.0, 0.0, 0.0), lever))
        weigh(c, mass)
        for k in range(3):
            c[PERCUSSION + k] = c[PERCUSSION_BEFORE + k] = c[STEP + k] = c[STEP_BEFORE + k] = 0.0
        c[APPROACH] = speed(c, 0, *before) + 2.0 * max(points[n, GAP], 0.0) / dt if dt > 0.0 else 0.0
    after, solved = answered(contacts, chosen, mu, mass, free, before, quantum)
    return harmless(contacts, chosen, free, before, after), solved


@formula
def take(points: Array, n: int, k: int) -> None:
    """Exchange points n and k."""
    for i in range(WIDTH):
        points[n, i], points[k, i] = points[k, i], points[n, i]
