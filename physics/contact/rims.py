"""Where the rims of a disk come deepest below the ground.

A rim is an ellipse, its core, rounded by a ball that goes along it. Between the two rims of a cylinder, and on its
faces, nothing touches: on a plane the rims alone do, and the ground is taken to be one, as it is between vertices.
"""

from __future__ import annotations

import math

from physics.bodies.surface import Shape
from physics.contact.places import ALIKE, EVEN, keep, normal_at, turned, turned_back
from physics.contact.vertices import Rows
from physics.core.jit import formula
from physics.core.rotation import Array, Vector, dot
from physics.terrain.terrain import patch

RIM = 16  # points of a rim from which its deepest ones are looked for
ROUNDS = 8  # of the search for the deepest point of a rim
SHALLOW = 0.02  # of the half axes: how much deeper than these points it may be, 1 - cos(pi / RIM)
_CIRCLE = tuple((math.cos(2.0 * math.pi * k / RIM), math.sin(2.0 * math.pi * k / RIM)) for k in range(RIM))


@formula
def rounded(core: Vector, rounding: float, u: Vector) -> Vector:
    """The point of a rounded rim that lies in the direction -u from its core."""
    return (core[0] - rounding * u[0], core[1] - rounding * u[1], core[2] - rounding * u[2])


@formula
def rim_places(
    heights: Array, dx: float, dy: float, shape: Shape, r: Vector, R: Rows, least: float, places: Array
) -> int:
    """Fill ``places`` with those of the rims of a disk at r, R that are at least that deep [m]; their number.

    On each rim: where it is deepest among its neighbours, of RIM points first, then exactly on the slope that is found
    there. Two more, a third of the rim away from the deepest, carry a disk that lies; they stay in the body.
    """
    M, _, _, length, rounding = shape
    a, b = math.sqrt(M[0]), math.sqrt(M[1])  # along x and y of the body; its axis is z
    n, size = 0, a + b
    for side in range(1 if length == 0.0 else 2):
        end = 1.0 - 2.0 * side
        before = here = deepest = -math.inf
        cos = sin = 0.0
        for k in range(RIM + 2):
            p, q = _CIRCLE[k % RIM]
            core = (a * p, b * q, end * length)
            at = turned(R, core)
            z, zx, zy = patch(heights, dx, dy, r[0] + at[0], r[1] + at[1])
            after = z - r[2] - at[2] + rounding * math.sqrt(1.0 + zx * zx + zy * zy)
            level = k == RIM + 1 and deepest == -math.inf  # all are as deep: it lies on a plain
            if k >= 2 and here >= before and (here > after or level) and here >= least - SHALLOW * size:
                p, q = _CIRCLE[k - 1 if k <= RIM else 0]
                m, c, s = _refined(heights, dx, dy, shape, r, R, (a * p, b * q, end * length), end, least, places, n)
                n = max(n, m + 1)
                if here > deepest:
                    deepest, cos, sin = here, c / a, s / b
            before, here = here, after
        for turn in range(2 if deepest > -math.inf else 0):
            t = math.sqrt(0.75) * (1.0 - 2.0 * turn)
            core = (a * (-0.5 * cos - t * sin), b * (t * cos - 0.5 * sin), end * length)
            n = max(n, _fixed(heights, dx, dy, r, R, core, rounding, least, places, n, ALIKE * size) + 1)
    return n


@formula
def _fixed(
    heights: Array,
    dx: float,
    dy: float,
    r: Vector,
    R: Rows,
    core: Vector,
    rounding: float,
    least: float,
    places: Array,
    n: int,
    near: float,
) -> int:
    """Keep the point of a rim that is nearest the ground below its core, as one of the body; its row, or -1."""
    at = turned(R, core)
    normal = normal_at(heights, dx, dy, r[0] + at[0], r[1] + at[1])
    arm = rounded(core, rounding, turned_back(R, normal))
    at = turned(R, arm)
    ground = patch(heights, dx, dy, r[0] + at[0], r[1] + at[1])[0]
    depth = ground - r[2] - at[2]
    if not depth >= least:
        return -1
    return keep(places, n, (r[0] + at[0], r[1] + at[1], ground), normal, arm, depth, 0.0, near)


@formula
def _refined(
    heights: Array,
    dx: float,
    dy: float,
    shape: Shape,
    r: Vector,
    R: Rows,
    core: Vector,
    end: float,
    least: float,
    places: Array,
    n: int,
) -> tuple[int, float, float]:
    """Keep where a rim is deepest, from a point of its core nearby; its row or -1, and x, y of its core."""
    M, _, _, length, rounding = shape
    size, first = math.sqrt(M[0]) + math.sqrt(M[1]), core
    at = turned(R, core)
    normal = normal_at(heights, dx, dy, r[0] + at[0], r[1] + at[1])
    tilt = math.inf
    ground, arm, flat = 0.0, core, False
    for _ in range(ROUNDS):
        u = turned_back(R, normal)
        H = math.sqrt(M[0] * u[0] * u[0] + M[1] * u[1] * u[1])
        flat = EVEN * size > H
        if flat:
            break
        core = (-M[0] * u[0] / H, -M[1] * u[1] / H, end * length)
        arm = rounded(core, rounding, u)
        at = turned(R, arm)
        ground = patch(heights, dx, dy, r[0] + at[0], r[1] + at[1])[0]
        next_normal = normal_at(heights, dx, dy, r[0] + at[0], r[1] + at[1])
        tilt = 1.0 - dot(normal, next_normal)
        if tilt < 1e-15:
            break
        normal = next_normal
    if flat or tilt > EVEN:
        # it lies on its face, or at a fold of the ground: the point from which it began
        m = _fixed(heights, dx, dy, r, R, first, rounding, least, places, n, ALIKE * size)
        return m, first[0], first[1]
    depth = ground - r[2] - at[2]
    if not depth >= least:
        return -1, core[0], core[1]
    m = keep(places, n, (r[0] + at[0], r[1] + at[1], ground), normal, arm, depth, end, ALIKE * size)
    return m, core[0], core[1]
