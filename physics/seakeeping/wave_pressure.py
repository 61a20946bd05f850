"""The force of still water and of waves on the part of a closed mesh below the moving surface: compiled.

F = -int p n dS and N = -int (r - r_G) x p n dS: buoyancy and the force of the undisturbed wave (Froude-Krylov) in one.
Each triangle is cut along a line where the surface, linear between its corners, meets it. The pressure over a
triangle is integrated from its value and its derivatives at the corners,

    mean p = sum over the corners of p/3 + m . grad p / 10 + m . (grad grad p) m / 90,

with m from a corner to the middle of the opposite side: exact for polynomials of degree 4, so that what is left falls
with the fourth power of k times the edge, or faster, and is nothing in calm water. Moments take the same rule of p times the place.
"""

from __future__ import annotations

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array
from physics.seakeeping.wave_kinematics import (
    PX,
    PXX,
    PXY,
    PXZ,
    PY,
    PYY,
    PYZ,
    PZ,
    PZZ,
    WIDTH,
    WORK,
    P,
    X,
    Y,
    Z,
    phases_at,
    pressure,
    surface,
)

Wrench = tuple[float, float, float, float, float, float]
LEVEL = 3  # after the place, in a row of a polygon: its height above the surface
SIDES = 6  # room for the corners of a triangle that is cut twice, and one more


@formula
def _corner(rows: Array, a: int, b: int, c: int) -> tuple[float, float, float, float]:
    """What corner a adds to the mean of p, and of p times the place."""
    x, y, z = rows[a, X], rows[a, Y], rows[a, Z]
    mx, my, mz = 0.5 * (rows[b, X] + rows[c, X]) - x, 0.5 * (rows[b, Y] + rows[c, Y]) - y, 0.5 * (rows[b, Z] + rows[c, Z]) - z
    slope = mx * rows[a, PX] + my * rows[a, PY] + mz * rows[a, PZ]
    bend = (
        mx * (mx * rows[a, PXX] + 2.0 * (my * rows[a, PXY] + mz * rows[a, PXZ]))
        + my * (my * rows[a, PYY] + 2.0 * mz * rows[a, PYZ])
        + mz * mz * rows[a, PZZ]
    )
    p = rows[a, P] / 3.0 + slope / 10.0 + bend / 90.0
    q = rows[a, P] / 10.0 + slope / 45.0
    return p, p * x + q * mx, p * y + q * my, p * z + q * mz


@formula
def _added(t: Wrench, rows: Array, a: int, b: int, c: int) -> Wrench:
    """The force, and its moment about the origin of the rows, with those on one more triangle."""
    x, y, z = rows[a, X], rows[a, Y], rows[a, Z]
    ux, uy, uz, vx, vy, vz = rows[b, X] - x, rows[b, Y] - y, rows[b, Z] - z, rows[c, X] - x, rows[c, Y] - y, rows[c, Z] - z
    nx, ny, nz = 0.5 * (uy * vz - uz * vy), 0.5 * (uz * vx - ux * vz), 0.5 * (ux * vy - uy * vx)
    pa, xa, ya, za = _corner(rows, a, b, c)
    pb, xb, yb, zb = _corner(rows, b, c, a)
    pc, xc, yc, zc = _corner(rows, c, a, b)
    p, x, y, z = pa + pb + pc, xa + xb + xc, ya + yb + yc, za + zb + zc
    return (
        t[0] - p * nx,
        t[1] - p * ny,
        t[2] - p * nz,
        t[3] - (y * nz - z * ny),
        t[4] - (z * nx - x * nz),
        t[5] - (x * ny - y * nx),
    )


@formula
def _clipped(polygon: Array, count: int, column: int, sign: float, out: Array) -> int:
    """The part of a polygon (count rows) where a column times a sign is below 0; its number of corners.

    An edge is cut from the lower to the upper end, so that neighbours get the identical point.
    """
    kept = 0
    for i in range(count):
        j = (i + 1) % count
        p, q = sign * polygon[i, column], sign * polygon[j, column]
        if p < 0.0:
            for k in range(LEVEL + 1):
                out[kept, k] = polygon[i, k]
            kept += 1
        if (p < 0.0) != (q < 0.0):
            low, high = (i, j) if polygon[i, column] < polygon[j, column] else (j, i)
            s = polygon[low, column] / (polygon[low, column] - polygon[high, column])
            for k in range(LEVEL + 1):
                out[kept, k] = polygon[low, k] + s * (polygon[high, k] - polygon[low, k])
            out[kept, column] = 0.0
            kept += 1
    return kept


@kernel
def pressure_force(
    vertices: Array,
    triangles: np.ndarray,
    rotation: Array,
    position: Array,
    time: float,
    table: Array,
    depth: float,
    wheeler: bool,
) -> Wrench:
    """Force [m³] and moment [m⁴] of the water on a closed mesh, over rho g: three components each, inertial axes.

    Parameters
    ----------
    vertices : (n, 3) in the body's axes, from the point about which the moment is taken [m]
    triangles : (m, 3) numbers of vertices, counter-clockwise from outside
    rotation : (3, 3) body -> inertial
    position : (3,) of that point, its height above calm water [m]
    time : [s]
    table, depth, wheeler : of Waves
    """
    components = table.shape[1]
    phases, work = phases_at(table, position[0], position[1], time), np.empty((WORK, components))
    crest = 0.0
    for i in range(components):
        crest += table[0, i]
    rows = np.empty((len(vertices), WIDTH))  # places from the point below or above the position, at calm water
    level = np.empty(len(vertices))  # above the surface; inf of what no crest reaches
    for i in range(len(vertices)):
        u, v, w = vertices[i, 0], vertices[i, 1], vertices[i, 2]
        rows[i, X] = rotation[0, 0] * u + rotation[0, 1] * v + rotation[0, 2] * w
        rows[i, Y] = rotation[1, 0] * u + rotation[1, 1] * v + rotation[1, 2] * w
        rows[i, Z] = rotation[2, 0] * u + rotation[2, 1] * v + rotation[2, 2] * w + position[2]
        level[i] = np.inf
        if rows[i, Z] <= crest:
            height = surface(table, phases, rows[i, X], rows[i, Y], work)
            level[i] = rows[i, Z] - height
            if level[i] < 0.0:
                pressure(table, depth, wheeler, False, height, work, rows, i)

    t = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    corners, wet, part = np.empty((SIDES, LEVEL + 1)), np.empty((SIDES, LEVEL + 1)), np.empty((SIDES, LEVEL + 1))
    cut = np.empty((SIDES, WIDTH))
    for i in range(len(triangles)):
        u, v, w = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        under = (level[u] < 0.0) + (level[v] < 0.0) + (level[w] < 0.0)
        if under == 0:
            continue
        kinked = not wheeler and components > 0 and max(rows[u, Z], rows[v, Z], rows[w, Z]) >= 0.0
        if under == 3 and not kinked:
            t = _added(t, rows, u, v, w)
            continue
        for j in range(3):
            k = triangles[i, j]
            if level[k] == np.inf:
                level[k] = rows[k, Z] - surface(table, phases, rows[k, X], rows[k, Y], work)
            for m in range(LEVEL):
                corners[j, m] = rows[k, m]
            corners[j, LEVEL] = level[k]
        count = _clipped(corners, 3, LEVEL, 1.0, wet)
        for above in range(2 if kinked else 1):  # the law of linear extrapolation changes at calm water
            polygon, sides = wet, count
            if kinked:
                polygon, sides = part, _clipped(wet, count, Z, -1.0 if above else 1.0, part)
            for j in range(sides):
                for m in range(LEVEL):
                    cut[j, m] = polygon[j, m]
                height = surface(table, phases, cut[j, X], cut[j, Y], work)
                pressure(table, depth, wheeler, above == 1, height, work, cut, j)
            for j in range(1, sides - 1):
                t = _added(t, cut, 0, j, j + 1)
    z = position[2]  # the moment was about the point at calm water
    return t[0], t[1], t[2], t[3] + z * t[1], t[4] - z * t[0], t[5]
