"""Contact of a polyhedron with the ground: its vertices touch, and nothing else.

Gaps are vertical and boolean (Leine et al. 2014, section 3.5): a vertex below the bilinear ground is in contact,
nothing is pushed back in position. The percussions themselves: physics.contact.percussions.
"""

from __future__ import annotations

import math

from physics.contact.places import normal_at
from physics.contact.tilt import leaning
from physics.contact.vertices import Detection, Rows, axes_of, fill_contact, flown
from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Vector, dot
from physics.schemes.explicit import halfway
from physics.terrain.scar import swept
from physics.terrain.terrain import patch

SUNK = 0.02  # of its distance from the centre of mass: a vertex that deep in the ground feels the normal of the map

Polyhedron = tuple[Array, Array]  # vertices (n, 3) [m], and the triangles (m, 3) of their hull


@formula
def depth_of(heights: Array, dx: float, dy: float, vertices: Array, i: int, r: Vector, R: Rows) -> float:
    """How far a vertex lies below the ground, plumb [m]."""
    rho = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
    ground = patch(heights, dx, dy, r[0] + dot(R[0], rho), r[1] + dot(R[1], rho))[0]
    return ground - (r[2] + dot(R[2], rho))


@formula
def sink(heights: Array, dx: float, dy: float, vertices: Array, r: Vector, R: Rows, depths: Array) -> float:
    """Fill ``depths`` (n,) with those of all vertices; the largest of them."""
    most = -math.inf
    for i in range(vertices.shape[0]):
        depths[i] = depth_of(heights, dx, dy, vertices, i, r, R)
        most = max(most, depths[i])
    return most


@formula
def sink_some(
    heights: Array,
    dx: float,
    dy: float,
    vertices: Array,
    r: Vector,
    R: Rows,
    chosen: Array,
    least: float,
    depths: Array,
) -> None:
    """As ``sink``, for those vertices only whose number in ``chosen`` (n,) is not below ``least``."""
    for i in range(vertices.shape[0]):
        if chosen[i] >= least:
            depths[i] = depth_of(heights, dx, dy, vertices, i, r, R)


@formula
def _at_end(
    heights: Array,
    dx: float,
    dy: float,
    body: Polyhedron,
    r: Vector,
    v: Vector,
    q: Quaternion,
    w: Vector,
    dt: float,
    fall: float,
    depths: Array,
    places: Array,
) -> float:
    return sink(heights, dx, dy, body[0], flown(r, v, dt), axes_of(halfway(2.0 * dt, q, w)), depths)


@formula
def _at_start(
    heights: Array,
    dx: float,
    dy: float,
    body: Polyhedron,
    r: Vector,
    R: Rows,
    depths: Array,
    least: float,
    starts: Array,
    places: Array,
) -> None:
    sink_some(heights, dx, dy, body[0], r, R, depths, least, starts)


@formula
def _landed(
    heights: Array,
    dx: float,
    dy: float,
    body: Polyhedron,
    r: Vector,
    R: Rows,
    landing: int,
    lowered: float,
    depths: Array,
    places: Array,
) -> None:
    sink(heights, dx, dy, body[0], r, R, depths)
    depths[landing] = lowered


@formula
def _ploughing(
    heights: Array,
    dx: float,
    dy: float,
    body: Polyhedron,
    r: Vector,
    q: Quaternion,
    v: Vector,
    half: float,
    starts: Array,
    depths: Array,
) -> float:
    """half: the middle of the step, as a share of the time between ``starts`` and ``depths``."""
    for i in range(starts.shape[0]):  # as a loop: whole arrays take 3 s more to compile
        starts[i] += half * (depths[i] - starts[i])
    return swept(body[0], body[1], starts, q, v)


@formula
def touching(
    heights: Array,
    dx: float,
    dy: float,
    body: Polyhedron,
    depths: Array,
    lowered: float,
    r: Vector,
    R: Rows,
    J: Vector,
    g: Vector,
    mass: float,
    tilt: Vector,
    places: Array,
    contacts: Array,
) -> int:
    """Fill ``contacts`` with the vertices at or below the ground lowered by that much [m]; their number.

    depths: of the vertices, see ``sink``; r, R: position and attitude at which they act. J and g: the matrix Θ +
    hat(g) that answers torques; mass: the mass that answers forces [kg]; tilt: see physics.contact.tilt.
    """
    vertices, n = body[0], 0
    leans = tilt[0] != 0.0 or tilt[1] != 0.0 or tilt[2] != 0.0
    for i in range(vertices.shape[0]):
        if depths[i] < lowered:
            continue
        rho = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
        normal = normal_at(heights, dx, dy, r[0] + dot(R[0], rho), r[1] + dot(R[1], rho))
        if leans:  # not what would slide down the leaning plane, into the ground
            sunk = depth_of(heights, dx, dy, vertices, i, r, R) - lowered
            if sunk * sunk < SUNK * SUNK * dot(rho, rho) or sunk < 0.0:
                normal, rho = leaning(normal, rho, R, tilt)
        fill_contact(contacts[n], normal, rho, R, J, g, mass)
        n += 1
    return n


POLYHEDRON = Detection(_at_end, _at_start, _landed, _ploughing, touching, wanders=False)
