"""Where an ellipsoid comes deepest below the ground.

The depth is F(x, y) = ground - underside, plumb. Of an ellipsoid {x : x.M^-1 x = 1}, M = [[P, m], [m^T, s]] in space,
with its centre at the origin, the underside is

    b(x) = g.x - k sqrt(1 - x.Q x),   Q = P^-1,  g = Q m,  k² = s - m.Q m,

and on a plane of slope p + g it comes deepest at x = P p / sqrt(k² + p.P p). In a bilinear patch p depends a little on
x, which is iterated; where that leaves the patch, the place is on an edge, of which the same is known, or at a node.
"""

from __future__ import annotations

import math

from physics.bodies.surface import Shape, times
from physics.contact.places import ALIKE, EVEN, keep, turned_back
from physics.contact.vertices import Rows
from physics.core.jit import formula
from physics.core.rotation import Array, Vector, dot

ITERATIONS = 40

Plane = tuple[float, float, float, float]  # A, B, C, D of A + B x + C y + D x y, x and y from the centre of the body
Underside = tuple[float, float, float, float, float, float, float, float, float]  # P xx, xy, yy; Q alike; g x, y; k


@formula
def ground_about(heights: Array, dx: float, dy: float, j: int, i: int, x: float, y: float) -> Plane:
    """The ground of a cell, from x, y [m] of the map."""
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
    """Whether the underside may be that deep [m] in a cell: a plane that touches it from below may."""
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
    """Where on the line x = ``at`` the underside comes deepest: y; or infinity where the line is beside the body.

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
    heights: Array,
    dx: float,
    dy: float,
    j: int,
    i: int,
    place: tuple[float, float],
    slopes: tuple[float, float],
    bounds: tuple[float, float, float, float],
) -> bool:
    """Whether the underside rises above the ground of the neighbours too, from a place at an edge of the cell j, i.

    slopes : of the underside there
    """
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
def ellipsoid_places(
    heights: Array, dx: float, dy: float, shape: Shape, r: Vector, R: Rows, least: float, places: Array
) -> int:
    """Fill ``places`` with those of an ellipsoid at r, R that are at least that deep [m]; their number."""
    b = underside_of(shape, R)
    ny, nx = heights.shape
    ex, ey = math.sqrt(b[0]), math.sqrt(b[2])
    first_i, last_i = max(int((r[0] - ex) / dx), 0), min(int((r[0] + ex) / dx), nx - 2)
    first_j, last_j = max(int((r[1] - ey) / dy), 0), min(int((r[1] + ey) / dy), ny - 2)
    near, n = ALIKE * (ex + ey), 0
    for j in range(first_j, last_j + 1):
        for i in range(first_i, last_i + 1):
            x0, y0 = i * dx - r[0], j * dy - r[1]
            x1, y1 = x0 + dx, y0 + dy
            A, B, C, D = ground_about(heights, dx, dy, j, i, r[0], r[1])
            ground = (A - r[2], B, C, D)
            if not may_touch(ground, b, x0, x1, y0, y1, least):
                continue
            x, y, depth = deepest_in_cell(ground, b, x0, x1, y0, y1)
            if depth < least or depth == -math.inf:
                continue
            z, zx, zy = underside(b, x, y)
            if not is_deepest(heights, dx, dy, j, i, (x, y), (zx, zy), (x0, x1, y0, y1)):
                continue
            point, arm = (r[0] + x, r[1] + y, r[2] + z + depth), turned_back(R, (x, y, z))
            n = max(n, keep(places, n, point, (-zx, -zy, 1.0), arm, depth, 1.0, near) + 1)
    return n
