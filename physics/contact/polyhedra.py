"""Contact of a polyhedron with the ground: its vertices touch, and nothing else.

Gaps are vertical and boolean (Leine et al. 2014, section 3.5): a vertex below the bilinear ground is in contact,
nothing is pushed back in position. The percussions themselves: physics.contact.percussions.
"""

from __future__ import annotations

import math

import numpy as np

from physics.contact.bumps import Ground, bump, level, upright
from physics.contact.places import leaning
from physics.contact.vertices import BodyMotion, Detection, Inertia, Rows, axes_of, fill_contact
from physics.core.jit import formula, unallocating
from physics.core.rotation import Array, Quaternion, Vector, added, dot
from physics.schemes.explicit import halfway
from physics.terrain.soil import swept
from physics.terrain.terrain import between, patch

# share of a vertex's distance from the centre of mass: that deep in the ground it feels the normal of the map
SUNK = 0.02
# vertices (n, 3) [m]; of their hull the triangles (m, 3) and twice their area vectors (m, 3) [m²]; vertices in_blocks
Polyhedron = tuple[Array, Array, Array, Array]
# a block of vertices: three components each, then room for cells and places in them, heights, corners of the ground
WIDTH = 24  # corners of the rocks of EOTA; with 8 or 16 the loops are not all compiled to vectors
COLUMN, LINE, EAST, NORTH, HEIGHT, LOW, HIGH, ROOM = (k * WIDTH for k in (3, 4, 5, 6, 7, 8, 10, 12))
SURELY = 1e-6  # [m], and of the radius: far above what rounding does to a height


@formula
def depth_of(grid: Ground, vertices: Array, i: int, r: Vector, R: Rows) -> float:
    """Depth of a vertex below the ground, plumb [m]."""
    rho = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
    ground = level(grid, r[0] + dot(R[0], rho), r[1] + dot(R[1], rho))[0]
    return ground - (r[2] + dot(R[2], rho))


@formula
def sink(grid: Ground, vertices: Array, r: Vector, R: Rows, depths: Array) -> float:
    """Fill ``depths`` (n,) with those of all vertices; the largest of them."""
    most = -math.inf
    for i in range(vertices.shape[0]):
        depths[i] = depth_of(grid, vertices, i, r, R)
        most = max(most, depths[i])
    return most


def in_blocks(vertices: Array) -> Array:
    """Vertices (n, 3) as ``sink_blocks`` takes them: WIDTH a row, component by component, and room to work in."""
    n = len(vertices)
    padded = vertices[np.minimum(np.arange(-(-n // WIDTH) * WIDTH), n - 1)]  # the last one fills the last block
    blocks = np.zeros((len(padded) // WIDTH, ROOM))
    blocks[:, : 3 * WIDTH] = padded.reshape(-1, WIDTH, 3).transpose(0, 2, 1).reshape(len(blocks), -1)
    return blocks


@formula
def sink_blocks(grid: Ground, blocks: Array, r: Vector, R: Rows, depths: Array) -> float:
    """Same as ``sink``, bit for bit, of vertices ``in_blocks``: in loops that are compiled to vectors."""
    (heights, dx, dy, bumps), n, most = grid, depths.shape[0], -math.inf
    ny, nx = heights.shape
    for b in range(blocks.shape[0]):
        s = blocks[b]
        for i in range(WIDTH):
            rho = (s[i], s[WIDTH + i], s[2 * WIDTH + i])
            u = min(max((r[0] + dot(R[0], rho)) / dx, 0.0), nx - 1.0)
            v = min(max((r[1] + dot(R[1], rho)) / dy, 0.0), ny - 1.0)
            column, row = min(np.floor(u), nx - 2.0), min(np.floor(v), ny - 2.0)
            s[COLUMN + i], s[LINE + i], s[EAST + i], s[NORTH + i] = column, row, u - column, v - row
            s[HEIGHT + i] = r[2] + dot(R[2], rho)
        for i in range(WIDTH):
            column, row = max(int(s[COLUMN + i]), 0), max(int(s[LINE + i]), 0)
            s[LOW + i], s[LOW + WIDTH + i] = heights[row, column], heights[row, column + 1]
            s[HIGH + i], s[HIGH + WIDTH + i] = heights[row + 1, column], heights[row + 1, column + 1]
        for i in range(WIDTH):
            h00, h10, h01, h11 = s[LOW + i], s[LOW + WIDTH + i], s[HIGH + i], s[HIGH + WIDTH + i]
            s[HEIGHT + i] = between(h00, h10, h01, h11, s[EAST + i], s[NORTH + i]) - s[HEIGHT + i]
        if bumps.height > 0.0:
            for i in range(min(WIDTH, n - WIDTH * b)):
                rho = (s[i], s[WIDTH + i], s[2 * WIDTH + i])
                s[HEIGHT + i] += bump(bumps, r[0] + dot(R[0], rho), r[1] + dot(R[1], rho))[0]
        for i in range(min(WIDTH, n - WIDTH * b)):
            depths[WIDTH * b + i] = s[HEIGHT + i]
            most = max(most, s[HEIGHT + i])
    return most


@formula
def sink_some(grid: Ground, vertices: Array, r: Vector, R: Rows, chosen: Array, least: float, depths: Array) -> None:
    """Same as ``sink``, for those vertices only whose number in ``chosen`` (n,) is not below ``least``."""
    for i in range(vertices.shape[0]):
        if chosen[i] >= least:
            depths[i] = depth_of(grid, vertices, i, r, R)


@formula
def _at_end(
    grid: Ground,
    body: Polyhedron,
    motion: BodyMotion,
    dt: float,
    fall: float,
    depths: Array,
    places: Array,
    steep: float,
) -> float:
    """Vertices above a cone of the steepest slope on the ground below the centre are clear: they are not looked at."""
    (r, q, v, w), vertices = motion, body[0]
    end, R = added(r, dt, v), axes_of(halfway(2.0 * dt, q, w))
    if steep == math.inf:
        return sink_blocks(grid, body[3], end, R, depths)
    heights, dx, dy, bumps = grid
    gap = end[2] - patch(heights, dx, dy, end[0], end[1])[0] - SURELY - 0.5 * bumps.height
    most = -math.inf
    for i in range(vertices.shape[0]):
        rho = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
        z, size = dot(R[2], rho), dot(rho, rho)
        clear = gap + z
        if clear > 0.0 and clear * clear > steep * (size - z * z) + SURELY * size:
            depths[i] = -math.inf
        else:
            depths[i] = depth_of(grid, vertices, i, end, R)
            most = max(most, depths[i])
    return most


@formula
def _at_start(
    grid: Ground, body: Polyhedron, r: Vector, R: Rows, depths: Array, least: float, starts: Array, places: Array
) -> None:
    if least == -math.inf:
        sink_blocks(grid, body[3], r, R, starts)
    else:
        sink_some(grid, body[0], r, R, depths, least, starts)


@formula
def _landed(
    grid: Ground, body: Polyhedron, r: Vector, R: Rows, landing: int, lowered: float, depths: Array, places: Array
) -> None:
    sink(grid, body[0], r, R, depths)
    depths[landing] = lowered


@formula
def _ploughing(
    grid: Ground, body: Polyhedron, r: Vector, q: Quaternion, v: Vector, half: float, starts: Array, depths: Array
) -> float:
    """half: the middle of the step, as a share of the time between ``starts`` and ``depths``."""
    for i in range(starts.shape[0]):  # as a loop: whole arrays take 3 s more to compile
        starts[i] += half * (depths[i] - starts[i])
    return swept(body[1], body[2], starts, q, v)


@unallocating
def touching(
    grid: Ground,
    body: Polyhedron,
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
    """Fill ``contacts`` with the vertices at or below the ground lowered by that much [m]; their number.

    depths: of the vertices, see ``sink``; r, R: position and attitude at which they act; inertia: what answers
    torques; mass: the mass that answers forces [kg]; tilt: see physics.contact.places.
    """
    vertices, n = body[0], 0
    leans = tilt[0] != 0.0 or tilt[1] != 0.0 or tilt[2] != 0.0
    for i in range(vertices.shape[0]):
        if depths[i] < lowered:
            continue
        rho = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
        normal = upright(grid, r[0] + dot(R[0], rho), r[1] + dot(R[1], rho))
        if leans:  # not what would slide down the leaning plane, into the ground
            sunk = depth_of(grid, vertices, i, r, R) - lowered
            if sunk * sunk < SUNK * SUNK * dot(rho, rho) or sunk < 0.0:
                normal, rho = leaning(normal, rho, R, tilt)
        fill_contact(contacts[n], normal, rho, R, inertia, mass)
        n += 1
    return n


POLYHEDRON = Detection(_at_end, _at_start, _landed, _ploughing, touching, wanders=False, allocates=False)
