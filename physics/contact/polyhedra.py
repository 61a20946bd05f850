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

# vertices (n, 3) [m]; of their hull the triangles (m, 3) and twice their area vectors (m, 3) [m²]
Polyhedron = tuple[Array, Array, Array]
SURELY = 1e-6  # [m], and of the radius: far above what rounding does to a height


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
    steep: float,
) -> float:
    """Vertices above a cone of the steepest slope on the ground below the centre are clear: they are not looked at."""
    end, R, vertices = flown(r, v, dt), axes_of(halfway(2.0 * dt, q, w)), body[0]
    gap = end[2] - patch(heights, dx, dy, end[0], end[1])[0] - SURELY
    most = -math.inf
    for i in range(vertices.shape[0]):
        rho = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
        z, size = dot(R[2], rho), dot(rho, rho)
        clear = gap + z
        if clear > 0.0 and clear * clear > steep * (size - z * z) + SURELY * size:
            depths[i] = -math.inf
        else:
            depths[i] = depth_of(heights, dx, dy, vertices, i, end, R)
            most = max(most, depths[i])
    return most


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
    return swept(body[1], body[2], starts, q, v)


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
    for i in range(vertices.shape[0]):
        if depths[i] < lowered:
            continue
        rho = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
        normal = normal_at(heights, dx, dy, r[0] + dot(R[0], rho), r[1] + dot(R[1], rho))
        normal, rho = leaning(normal, rho, R, tilt)
        fill_contact(contacts[n], normal, rho, R, J, g, mass)
        n += 1
    return n


POLYHEDRON = Detection(_at_end, _at_start, _landed, _ploughing, touching, wanders=False, allocates=False)
