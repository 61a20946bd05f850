"""Contact of a smooth body with the ground: the places where it would come deepest, in the middle of a step.

The depth of a body below the ground has maxima where it would come to rest on a slope, on both walls of a gully, on the
crest of a ridge, on a tip. Each is a place of contact, with the plane that touches the body there; whether the body has
come down to it at the start or the end of the step follows from the gap to this plane, which its support mapping gives
in closed form. The percussions then act on the material point that is there in the middle of the step, as on a vertex.
"""

from __future__ import annotations

import math

import numpy as np

from physics.bodies.surface import Shape, shape_of, times
from physics.contact.bumps import Bumps, Ground, bump
from physics.contact.places import ALIKE, ARM, DEPTH, END, EVEN, NORMAL, POINT, SPEED, keep, leaning, normal_at
from physics.contact.polyhedra import sink_blocks
from physics.contact.vertices import (
    BEND,
    DIRECTION,
    START,
    BodyMotion,
    Detection,
    Grid,
    Inertia,
    Rows,
    axes_of,
    fill_contact,
    in_space,
    turned_back,
)
from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Vector, added, cross, dot, vector_at
from physics.schemes.explicit import halfway
from physics.terrain.soil import swept
from physics.terrain.terrain import patch

# ---- ellipsoids ---------------------------------------------------------------------------------------
# The depth is F(x, y) = ground - underside, plumb. Of an ellipsoid {x : x.M^-1 x = 1}, M = [[P, m], [m^T, s]] in
# space, with its centre at the origin, the underside is
#
#     b(x) = g.x - k sqrt(1 - x.Q x),   Q = P^-1,  g = Q m,  k² = s - m.Q m,
#
# and on a plane of slope p + g it comes deepest at x = P p / sqrt(k² + p.P p). In a bilinear patch p depends a little
# on x, which is iterated; where that leaves the patch, the place is on an edge, of which the same is known, or at a
# node.

ITERATIONS = 40

Plane = tuple[float, float, float, float]  # A, B, C, D of A + B x + C y + D x y, x and y from the centre of the body
Underside = tuple[float, float, float, float, float, float, float, float, float]  # P xx, xy, yy; Q alike; g x, y; k


@formula
def ground_about(grid: Grid, j: int, i: int, x: float, y: float) -> Plane:
    """The ground of a cell, from x, y [m] of the map."""
    heights, dx, dy = grid
    s, t = x / dx - i, y / dy - j
    h = float(heights[j, i])
    a, b = float(heights[j, i + 1]) - h, float(heights[j + 1, i]) - h
    c = float(heights[j + 1, i + 1]) - h - a - b
    return h + a * s + b * t + c * s * t, (a + c * t) / dx, (b + c * s) / dy, c / (dx * dy)


@formula
def underside_of(shape: Shape, R: Rows) -> Underside:
    """The underside of an ellipsoid whose attitude has the rows R."""
    M = shape[0]
    x, y, z = times(M, R[0]), times(M, R[1]), times(M, R[2])
    pxx, pxy, pyy = dot(R[0], x), dot(R[0], y), dot(R[1], y)
    mx, my = dot(R[0], z), dot(R[1], z)
    i = 1.0 / (pxx * pyy - pxy * pxy)
    qxx, qxy, qyy = i * pyy, -i * pxy, i * pxx
    gx, gy = qxx * mx + qxy * my, qxy * mx + qyy * my
    k = math.sqrt(max(dot(R[2], z) - gx * mx - gy * my, 0.0))
    return pxx, pxy, pyy, qxx, qxy, qyy, gx, gy, k


@formula
def underside(b: Underside, x: float, y: float) -> Vector:
    """Its height above the centre at x, y [m] from there, and its slopes; infinite beside the body."""
    _, _, _, qxx, qxy, qyy, gx, gy, k = b
    u, v = qxx * x + qxy * y, qxy * x + qyy * y
    e = 1.0 - x * u - y * v
    if e <= 0.0:
        return math.inf, 0.0, 0.0
    root = math.sqrt(e)
    return gx * x + gy * y - k * root, gx + k * u / root, gy + k * v / root


@formula
def may_touch(ground: Plane, b: Underside, x0: float, x1: float, y0: float, y1: float, least: float) -> bool:
    """Return True if the underside may be that deep [m] in a cell: a plane that touches it from below is."""
    x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    e = x * (b[3] * x + b[4] * y) + y * (b[4] * x + b[5] * y)
    s = math.sqrt(0.9 / e) if e > 0.9 else 1.0
    x, y = s * x, s * y
    z, zx, zy = underside(b, x, y)
    A, B, C, D = ground
    A, B, C = A - z + zx * x + zy * y, B - zx, C - zy
    low = max(A + B * x0 + C * y0 + D * x0 * y0, A + B * x1 + C * y0 + D * x1 * y0)
    high = max(A + B * x0 + C * y1 + D * x0 * y1, A + B * x1 + C * y1 + D * x1 * y1)
    return max(low, high) >= least


@formula
def on_line(slope: float, along: float, beside: float, across: float, k: float, at: float) -> float:
    """Place y on the line x = ``at`` at which the underside is deepest; infinity where the line is beside the body.

    slope : of the ground less g, along y; along, beside, across: Q yy, P xy / P xx, P xx
    """
    c = 1.0 - at * at / across
    if c <= 0.0:
        return math.inf
    return beside * at + slope * math.sqrt(c / (along * (k * k * along + slope * slope)))


@formula
def deepest_in_cell(
    ground: Plane, b: Underside, x0: float, x1: float, y0: float, y1: float
) -> tuple[float, float, float]:
    """x, y [m] from the centre at which the underside is deepest in a cell, and how deep; -infinity: nowhere."""
    pxx, pxy, pyy, qxx, _, qyy, gx, gy, k = b
    A, B, C, D = ground
    x = y = 0.0
    for _ in range(ITERATIONS):
        u, v = B + D * y - gx, C + D * x - gy
        p, q = pxx * u + pxy * v, pxy * u + pyy * v
        s = 1.0 / math.sqrt(k * k + u * p + v * q)
        change = abs(s * p - x) + abs(s * q - y)
        x, y = s * p, s * q
        if D == 0.0 or change * change < 1e-24 * (pxx + pyy):
            break
    if x0 <= x <= x1 and y0 <= y <= y1:
        return x, y, A + B * x + C * y + D * x * y - underside(b, x, y)[0]
    px, py, deepest = 0.0, 0.0, -math.inf
    if x < x0 or x > x1:
        at = x0 if x < x0 else x1
        y_on = min(max(on_line(C + D * at - gy, qyy, pxy / pxx, pxx, k, at), y0), y1)
        depth = A + B * at + C * y_on + D * at * y_on - underside(b, at, y_on)[0]
        if depth > deepest:
            px, py, deepest = at, y_on, depth
    if y < y0 or y > y1:
        at = y0 if y < y0 else y1
        x_on = min(max(on_line(B + D * at - gx, qxx, pxy / pyy, pyy, k, at), x0), x1)
        depth = A + B * x_on + C * at + D * x_on * at - underside(b, x_on, at)[0]
        if depth > deepest:
            px, py, deepest = x_on, at, depth
    return px, py, deepest


@formula
def slope_in(heights: Array, j: int, i: int, rows: int, columns: int, share: float, spacing: float) -> float:
    """The slope of the ground along a row (0, 1), or a column (1, 0), of the cell that begins at j, i.

    share : the place across it, 0 .. 1
    """
    near = float(heights[j + rows, i + columns]) - float(heights[j, i])
    far = float(heights[j + 1, i + 1]) - float(heights[j + 1 - rows, i + 1 - columns])
    return (near * (1.0 - share) + far * share) / spacing


@formula
def is_deepest(
    grid: Grid,
    j: int,
    i: int,
    place: tuple[float, float],
    slopes: tuple[float, float],
    bounds: tuple[float, float, float, float],
) -> bool:
    """Return True if a place at an edge of the cell j, i is deepest among the neighbouring cells too.

    slopes : of the underside there
    """
    heights, dx, dy = grid
    (x, y), (zx, zy), (x0, x1, y0, y1) = place, slopes, bounds
    s, t = min(max((x - x0) / dx, 0.0), 1.0), min(max((y - y0) / dy, 0.0), 1.0)
    ny, nx = heights.shape
    if x <= x0 and i > 0 and slope_in(heights, j, i - 1, 0, 1, t, dx) - zx < -EVEN:
        return False
    if x >= x1 and i < nx - 2 and slope_in(heights, j, i + 1, 0, 1, t, dx) - zx > EVEN:
        return False
    if y <= y0 and j > 0 and slope_in(heights, j - 1, i, 1, 0, s, dy) - zy < -EVEN:
        return False
    return not (y >= y1 and j < ny - 2 and slope_in(heights, j + 1, i, 1, 0, s, dy) - zy > EVEN)


@formula
def ellipsoid_places(grid: Grid, shape: Shape, r: Vector, R: Rows, least: float, places: Array) -> int:
    """Fill ``places`` with those of an ellipsoid at r, R that are at least that deep [m]; their number."""
    b, (heights, dx, dy) = underside_of(shape, R), grid
    ny, nx = heights.shape
    ex, ey = math.sqrt(b[0]), math.sqrt(b[2])
    first_i, last_i = max(int((r[0] - ex) / dx), 0), min(int((r[0] + ex) / dx), nx - 2)
    first_j, last_j = max(int((r[1] - ey) / dy), 0), min(int((r[1] + ey) / dy), ny - 2)
    near, n = ALIKE * (ex + ey), 0
    for j in range(first_j, last_j + 1):
        for i in range(first_i, last_i + 1):
            x0, y0 = i * dx - r[0], j * dy - r[1]
            x1, y1 = x0 + dx, y0 + dy
            A, B, C, D = ground_about(grid, j, i, r[0], r[1])
            ground = (A - r[2], B, C, D)
            if not may_touch(ground, b, x0, x1, y0, y1, least):
                continue
            x, y, depth = deepest_in_cell(ground, b, x0, x1, y0, y1)
            if depth < least or depth == -math.inf:
                continue
            z, zx, zy = underside(b, x, y)
            if not is_deepest(grid, j, i, (x, y), (zx, zy), (x0, x1, y0, y1)):
                continue
            point, arm = (r[0] + x, r[1] + y, r[2] + z + depth), turned_back(R, (x, y, z))
            n = max(n, keep(places, n, point, (-zx, -zy, 1.0), arm, depth, 1.0, near) + 1)
    return n


# ---- rims of a disk -----------------------------------------------------------------------------------
# A rim is an ellipse, its core, rounded by a ball that goes along it. Nothing touches between the two rims of a
# cylinder or on its faces: on a plane the rims alone do, and the ground counts as one, as it does between vertices.

RIM = 16  # points of a rim from which its deepest ones are looked for
ROUNDS = 8  # rounds of the search for the deepest point of a rim
SHALLOW = 0.02  # share of the half axes: how much deeper than these points it may be, 1 - cos(pi / RIM)
_CIRCLE = tuple((math.cos(2.0 * math.pi * k / RIM), math.sin(2.0 * math.pi * k / RIM)) for k in range(RIM))


@formula
def rounded(core: Vector, rounding: float, u: Vector) -> Vector:
    """The point of a rounded rim that lies in the direction -u from its core."""
    return (core[0] - rounding * u[0], core[1] - rounding * u[1], core[2] - rounding * u[2])


@formula
def rim_places(grid: Grid, shape: Shape, r: Vector, R: Rows, least: float, places: Array) -> int:
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
            at = in_space(R, core)
            z, zx, zy = patch(*grid, r[0] + at[0], r[1] + at[1])
            after = z - r[2] - at[2] + rounding * math.sqrt(1.0 + zx * zx + zy * zy)
            level = k == RIM + 1 and deepest == -math.inf  # all are as deep: it lies on a plain
            if k >= 2 and here >= before and (here > after or level) and here >= least - SHALLOW * size:
                p, q = _CIRCLE[k - 1 if k <= RIM else 0]
                m, c, s = _refined(grid, shape, r, R, (a * p, b * q, end * length), end, least, places, n)
                n = max(n, m + 1)
                if here > deepest:
                    deepest, cos, sin = here, c / a, s / b
            before, here = here, after
        for turn in range(2 if deepest > -math.inf else 0):
            t = math.sqrt(0.75) * (1.0 - 2.0 * turn)
            core = (a * (-0.5 * cos - t * sin), b * (t * cos - 0.5 * sin), end * length)
            n = max(n, _fixed(grid, r, R, core, rounding, least, places, n, ALIKE * size) + 1)
    return n


@formula
def _fixed(
    grid: Grid, r: Vector, R: Rows, core: Vector, rounding: float, least: float, places: Array, n: int, near: float
) -> int:
    """Keep the point of a rim that is nearest the ground below its core, as one of the body; its row, or -1."""
    at = in_space(R, core)
    normal = normal_at(grid, r[0] + at[0], r[1] + at[1])
    arm = rounded(core, rounding, turned_back(R, normal))
    at = in_space(R, arm)
    ground = patch(*grid, r[0] + at[0], r[1] + at[1])[0]
    depth = ground - r[2] - at[2]
    if not depth >= least:
        return -1
    return keep(places, n, (r[0] + at[0], r[1] + at[1], ground), normal, arm, depth, 0.0, near)


@formula
def _refined(
    grid: Grid, shape: Shape, r: Vector, R: Rows, core: Vector, end: float, least: float, places: Array, n: int
) -> tuple[int, float, float]:
    """Keep where a rim is deepest, from a point of its core nearby; its row or -1, and x, y of its core."""
    M, _, _, length, rounding = shape
    size, first = math.sqrt(M[0]) + math.sqrt(M[1]), core
    at = in_space(R, core)
    normal = normal_at(grid, r[0] + at[0], r[1] + at[1])
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
        at = in_space(R, arm)
        ground = patch(*grid, r[0] + at[0], r[1] + at[1])[0]
        next_normal = normal_at(grid, r[0] + at[0], r[1] + at[1])
        tilt = 1.0 - dot(normal, next_normal)
        if tilt < 1e-15:
            break
        normal = next_normal
    if flat or tilt > EVEN:
        # it lies on its face, or at a fold of the ground: the point from which it began
        m = _fixed(grid, r, R, first, rounding, least, places, n, ALIKE * size)
        return m, first[0], first[1]
    depth = ground - r[2] - at[2]
    if not depth >= least:
        return -1, core[0], core[1]
    m = keep(places, n, (r[0] + at[0], r[1] + at[1], ground), normal, arm, depth, end, ALIKE * size)
    return m, core[0], core[1]


# ---- both ---------------------------------------------------------------------------------------------

# share of the reach: places that are so near the ground are looked at, and those that a step may bring down
CLOSE = 0.01

SmoothBody = tuple[Array, Array, Array, Array, Array]  # numbers of its surface; a polyhedron, for the area in a scar


@formula
def find_places(grid: Grid, shape: Shape, r: Vector, R: Rows, least: float, places: Array) -> int:
    """Fill ``places`` (n, WIDTH) with those where a body at r, R is at least that deep [m]; their number."""
    if shape[0][2] > 0.0:
        return ellipsoid_places(grid, shape, r, R, least, places)
    return rim_places(grid, shape, r, R, least, places)


@formula
def reach_of(shape: Shape) -> float:
    """A distance from its centre [m] that no point of a body exceeds."""
    M, _, _, length, rounding = shape
    return math.sqrt(M[0] + M[1] + M[2]) + length + rounding


@formula
def height_above(shape: Shape, place: Array, r: Vector, R: Rows) -> float:
    """Height of the body at r, R above the plane of a place [m], along the normal."""
    M, _, a, length, rounding = shape
    normal = vector_at(place, NORMAL)
    away = (r[0] - place[POINT], r[1] - place[POINT + 1], r[2] - place[POINT + 2])
    u = turned_back(R, normal)
    if place[END] == 0.0:
        return dot(normal, away) + dot(u, vector_at(place, ARM))
    lowest = math.sqrt(max(dot(u, times(M, u)), 0.0)) - float(place[END]) * length * dot(a, u) + rounding
    return dot(normal, away) - lowest


@formula
def velocity(shape: Shape, place: Array, R: Rows, v: Vector, w: Vector) -> Vector:
    """The velocity [m/s] of the point of the body at attitude R that is nearest the plane of a place."""
    arm = nearest(shape, place, R) if place[END] != 0.0 else vector_at(place, ARM)
    turning = in_space(R, cross(w, arm))
    return (v[0] + turning[0], v[1] + turning[1], v[2] + turning[2])


@formula
def nearest(shape: Shape, place: Array, R: Rows) -> Vector:
    """The point of the body, in its axes, that is nearest the plane of a place along the surface."""
    M, _, a, length, rounding = shape
    u = turned_back(R, vector_at(place, NORMAL))
    x, end = times(M, u), place[END] * length
    i = 1.0 / math.sqrt(max(dot(u, x), 1e-300))
    return rounded((end * a[0] - i * x[0], end * a[1] - i * x[1], end * a[2] - i * x[2]), rounding, u)


@formula
def find_on_bumps(ground: Ground, shape: Shape, r: Vector, R: Rows, least: float, places: Array) -> int:
    """Same as ``find_places``, each place on the bump that is there, with its slope: those beside it are not met."""
    heights, dx, dy, bumps = ground
    n = find_places((heights, dx, dy), shape, r, R, least - 0.5 * bumps.height, places)
    if bumps.height > 0.0:
        for m in range(n):
            _raise(bumps, shape, r, R, places[m])
    return n


@formula
def _raise(bumps: Bumps, shape: Shape, r: Vector, R: Rows, place: Array) -> None:
    more, a, b = bump(bumps, place[POINT], place[POINT + 1])
    place[POINT + 2] += more
    x, y = place[NORMAL] / place[NORMAL + 2] + a, place[NORMAL + 1] / place[NORMAL + 2] + b
    s = 1.0 / math.sqrt(x * x + y * y + 1.0)
    place[NORMAL], place[NORMAL + 1], place[NORMAL + 2] = s * x, s * y, s
    if place[END] != 0.0:
        for k, component in enumerate(nearest(shape, place, R)):
            place[ARM + k] = component
    place[DEPTH] = -height_above(shape, place, r, R) / s


# ---- formulas of the detection -------------------------------------------------------------------------


@formula
def _at_end(
    grid: Ground,
    body: SmoothBody,
    motion: BodyMotion,
    dt: float,
    fall: float,
    depths: Array,
    places: Array,
    steep: float,
) -> float:
    """The depths at the end, ``fall`` [m] lower, below the planes of the places in the middle of the step."""
    (r, q, v, w), shape = motion, shape_of(body[0])
    half, reach = 0.5 * dt, reach_of(shape)
    way = dt * (math.sqrt(dot(v, v)) + reach * math.sqrt(dot(w, w)))
    n = find_on_bumps(grid, shape, added(r, half, v), axes_of(halfway(dt, q, w)), -way - CLOSE * reach, places)
    end, R, deepest = added(r, dt, v), axes_of(halfway(2.0 * dt, q, w)), -math.inf
    end, start = (end[0], end[1], end[2] - fall), axes_of(q)
    for i in range(depths.shape[0]):
        depths[i] = -height_above(shape, places[i], end, R) / places[i, NORMAL + 2] if i < n else -math.inf
        deepest = max(deepest, depths[i])
        if i < n:
            for k, speed in enumerate(velocity(shape, places[i], start, v, w)):
                places[i, SPEED + k] = speed
    return deepest


@formula
def _at_start(
    grid: Ground, body: SmoothBody, r: Vector, R: Rows, depths: Array, least: float, starts: Array, places: Array
) -> None:
    shape = shape_of(body[0])
    for i in range(depths.shape[0]):
        if depths[i] >= least and depths[i] > -math.inf:
            starts[i] = -height_above(shape, places[i], r, R) / places[i, NORMAL + 2]


@formula
def _landed(
    grid: Ground, body: SmoothBody, r: Vector, R: Rows, landing: int, lowered: float, depths: Array, places: Array
) -> None:
    """The places of the moment; the one nearest that which came down is on the ground."""
    shape = shape_of(body[0])
    x, y = places[landing, POINT], places[landing, POINT + 1]
    shallow = lowered - CLOSE * reach_of(shape)
    n, nearest, least = find_on_bumps(grid, shape, r, R, shallow, places), -1, math.inf
    for i in range(depths.shape[0]):
        depths[i] = places[i, DEPTH] if i < n else -math.inf
        away = abs(places[i, POINT] - x) + abs(places[i, POINT + 1] - y)
        if i < n and away < least:
            nearest, least = i, away
    if nearest >= 0:
        depths[nearest] = max(depths[nearest], lowered)


@formula
def _ploughing(
    grid: Ground, body: SmoothBody, r: Vector, q: Quaternion, v: Vector, half: float, starts: Array, depths: Array
) -> float:
    """Area of the drawn polyhedron."""
    deep = np.empty(body[1].shape[0])
    sink_blocks(grid, body[4], r, axes_of(q), deep)
    return swept(body[2], body[3], deep, q, v)


@formula
def _touching(
    grid: Ground,
    body: SmoothBody,
    depths: Array,
    lowered: float,
    r: Vector,
    R: Rows,
    inertia: Inertia,
    mass: float,
    tilt: Vector,
    places: Array,
    contacts: Array,
) -> int:
    n = 0
    for i in range(depths.shape[0]):
        if depths[i] >= lowered and depths[i] > -math.inf:
            c, speed = contacts[n], vector_at(places[i], SPEED)
            normal, arm = leaning(vector_at(places[i], NORMAL), vector_at(places[i], ARM), R, tilt)
            fill_contact(c, normal, arm, R, inertia, mass)
            for k in range(3):
                c[BEND + k] = 0.0
                c[START + k] = dot(vector_at(c, DIRECTION + 3 * k), speed)
            n += 1
    return n


SMOOTH = Detection(_at_end, _at_start, _landed, _ploughing, _touching, wanders=True, allocates=True)
