"""Places: where a smooth body comes near the ground, each a row of numbers."""

from __future__ import annotations

import math

from physics.contact.vertices import Rows
from physics.core.jit import formula
from physics.core.rotation import Array, Vector, dot
from physics.terrain.terrain import patch

# the point of the ground, the normal there (both inertial), the point of the body in its axes, how deep that is [m];
# END: -1 or 1 of what wanders along the surface, or along the rim at this end of the axis, as the body turns; 0 of
# what stays in the body; and the velocity of the point of the body that is nearest at the start of the step [m/s]
POINT, NORMAL, ARM, DEPTH, END, SPEED, WIDTH = 0, 3, 6, 9, 10, 11, 14
MOST = 16  # places of a step
ALIKE = 1e-3  # of the size: places that are nearer to each other are one
EVEN = 1e-9  # slopes that differ by less are the same


@formula
def _slot(places: Array, n: int, x: float, y: float, depth: float, near: float) -> int:
    """The row for a place that deep at x, y; -1: it is known, or shallower than all that there is room for."""
    shallowest = 0
    for m in range(n):
        if abs(places[m, POINT] - x) + abs(places[m, POINT + 1] - y) < near:
            return m if depth > places[m, DEPTH] else -1
        if places[m, DEPTH] < places[shallowest, DEPTH]:
            shallowest = m
    if n < places.shape[0]:
        return n
    return shallowest if depth > places[shallowest, DEPTH] else -1


@formula
def keep(
    places: Array, n: int, point: Vector, normal: Vector, arm: Vector, depth: float, end: float, near: float
) -> int:
    """Write a place beside n others if it is a new one, or deeper; its row, or -1.

    normal : (x, y, 1), of any length
    near : [m] places that are nearer to each other are one
    """
    m = _slot(places, n, point[0], point[1], depth, near)
    if m >= 0:
        s = 1.0 / math.sqrt(dot(normal, normal))
        for k in range(3):
            places[m, POINT + k], places[m, NORMAL + k], places[m, ARM + k] = point[k], s * normal[k], arm[k]
        places[m, DEPTH], places[m, END] = depth, end
    return m


@formula
def vector_in(place: Array, first: int) -> Vector:
    """The point, the normal or another three numbers of a place."""
    return (place[first], place[first + 1], place[first + 2])


@formula
def turned(R: Rows, x: Vector) -> Vector:
    """x of the body in space."""
    return (dot(R[0], x), dot(R[1], x), dot(R[2], x))


@formula
def turned_back(R: Rows, x: Vector) -> Vector:
    """x of space in the body."""
    return (
        R[0][0] * x[0] + R[1][0] * x[1] + R[2][0] * x[2],
        R[0][1] * x[0] + R[1][1] * x[1] + R[2][1] * x[2],
        R[0][2] * x[0] + R[1][2] * x[1] + R[2][2] * x[2],
    )


@formula
def normal_at(heights: Array, dx: float, dy: float, x: float, y: float) -> Vector:
    """The unit normal of the ground at x, y."""
    _, a, b = patch(heights, dx, dy, x, y)
    s = 1.0 / math.sqrt(a * a + b * b + 1.0)
    return (a * s, b * s, s)
