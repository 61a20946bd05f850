"""Contact of a smooth body with the ground: the places where it would come deepest, in the middle of a step.

The depth of a body below the ground has maxima where it would come to rest on a slope, on both walls of a gully, on the
crest of a ridge, on a tip. Each is a place of contact, with the plane that touches the body there; whether the body has
come down to it at the start or the end of the step is told by the gap to this plane, which its support mapping gives in
closed form. The percussions then act on the material point that is there in the middle of the step, as on a vertex.
"""

from __future__ import annotations

import math

import numpy as np

from physics.bodies.surface import Shape, shape_of, times
from physics.contact.ellipsoids import ellipsoid_places
from physics.contact.places import ARM, DEPTH, END, NORMAL, POINT, SPEED, turned, turned_back, vector_in
from physics.contact.polyhedra import sink_blocks
from physics.contact.rims import rim_places, rounded
from physics.contact.tilt import leaning
from physics.contact.vertices import BEND, START, Detection, Rows, axes_of, fill_contact, flown
from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Symmetric, Vector, cross, dot
from physics.schemes.explicit import halfway
from physics.terrain.scar import swept

CLOSE = 0.01  # of the reach: places that are so near the ground are looked at, and those that a step may bring down

SmoothBody = tuple[Array, Array, Array, Array, Array]  # numbers of its surface; a polyhedron, for the area in a scar


@formula
def find_places(
    heights: Array, dx: float, dy: float, shape: Shape, r: Vector, R: Rows, least: float, places: Array
) -> int:
    """Fill ``places`` (n, WIDTH) with those where a body at r, R is at least that deep [m]; their number."""
    if shape[0][2] > 0.0:
        return ellipsoid_places(heights, dx, dy, shape, r, R, least, places)
    return rim_places(heights, dx, dy, shape, r, R, least, places)


@formula
def reach_of(shape: Shape) -> float:
    """A distance from its centre [m] that no point of a body exceeds."""
    M, _, _, length, rounding = shape
    return math.sqrt(M[0] + M[1] + M[2]) + length + rounding


@formula
def height_above(shape: Shape, place: Array, r: Vector, R: Rows) -> float:
    """How high the body at r, R is above the plane of a place [m], along the normal."""
    M, _, a, length, rounding = shape
    normal = vector_in(place, NORMAL)
    away = (r[0] - place[POINT], r[1] - place[POINT + 1], r[2] - place[POINT + 2])
    u = turned_back(R, normal)
    if place[END] == 0.0:
        return dot(normal, away) + dot(u, vector_in(place, ARM))
    lowest = math.sqrt(max(dot(u, times(M, u)), 0.0)) - float(place[END]) * length * dot(a, u) + rounding
    return dot(normal, away) - lowest


@formula
def velocity(shape: Shape, place: Array, R: Rows, v: Vector, w: Vector) -> Vector:
    """The velocity [m/s] of the point of the body at attitude R that is nearest the plane of a place."""
    M, _, a, length, rounding = shape
    arm = vector_in(place, ARM)
    if place[END] != 0.0:
        u = turned_back(R, vector_in(place, NORMAL))
        x, end = times(M, u), place[END] * length
        i = 1.0 / math.sqrt(max(dot(u, x), 1e-300))
        arm = rounded((end * a[0] - i * x[0], end * a[1] - i * x[1], end * a[2] - i * x[2]), rounding, u)
    turning = turned(R, cross(w, arm))
    return (v[0] + turning[0], v[1] + turning[1], v[2] + turning[2])


# ---- what Moreau's time stepping asks for ---------------------------------------------------------------


@formula
def _at_end(
    heights: Array,
    dx: float,
    dy: float,
    body: SmoothBody,
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
    """The depths at the end, ``fall`` [m] lower, below the planes of the places in the middle of the step."""
    shape = shape_of(body[0])
    half, reach = 0.5 * dt, reach_of(shape)
    way = dt * (math.sqrt(dot(v, v)) + reach * math.sqrt(dot(w, w)))
    n = find_places(heights, dx, dy, shape, flown(r, v, half), axes_of(halfway(dt, q, w)), -way - CLOSE * reach, places)
    end, R, deepest = flown(r, v, dt), axes_of(halfway(2.0 * dt, q, w)), -math.inf
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
    heights: Array,
    dx: float,
    dy: float,
    body: SmoothBody,
    r: Vector,
    R: Rows,
    depths: Array,
    least: float,
    starts: Array,
    places: Array,
) -> None:
    shape = shape_of(body[0])
    for i in range(depths.shape[0]):
        if depths[i] >= least and depths[i] > -math.inf:
            starts[i] = -height_above(shape, places[i], r, R) / places[i, NORMAL + 2]


@formula
def _landed(
    heights: Array,
    dx: float,
    dy: float,
    body: SmoothBody,
    r: Vector,
    R: Rows,
    landing: int,
    lowered: float,
    depths: Array,
    places: Array,
) -> None:
    """The places of the moment; the one nearest that which came down is on the ground."""
    shape = shape_of(body[0])
    x, y = places[landing, POINT], places[landing, POINT + 1]
    shallow = lowered - CLOSE * reach_of(shape)
    n, nearest, least = find_places(heights, dx, dy, shape, r, R, shallow, places), -1, math.inf
    for i in range(depths.shape[0]):
        depths[i] = places[i, DEPTH] if i < n else -math.inf
        away = abs(places[i, POINT] - x) + abs(places[i, POINT + 1] - y)
        if i < n and away < least:
            nearest, least = i, away
    if nearest >= 0:
        depths[nearest] = max(depths[nearest], lowered)


@formula
def _ploughing(
    heights: Array,
    dx: float,
    dy: float,
    body: SmoothBody,
    r: Vector,
    q: Quaternion,
    v: Vector,
    half: float,
    starts: Array,
    depths: Array,
) -> float:
    """That of the polyhedron that is drawn."""
    deep = np.empty(body[1].shape[0])
    sink_blocks(heights, dx, dy, body[4], r, axes_of(q), deep)
    return swept(body[2], body[3], deep, q, v)


@formula
def _touching(
    heights: Array,
    dx: float,
    dy: float,
    body: SmoothBody,
    depths: Array,
    lowered: float,
    r: Vector,
    R: Rows,
    S: Symmetric,
    g: Vector,
    mass: float,
    tilt: Vector,
    places: Array,
    contacts: Array,
) -> int:
    n = 0
    for i in range(depths.shape[0]):
        if depths[i] >= lowered and depths[i] > -math.inf:
            c, speed = contacts[n], vector_in(places[i], SPEED)
            normal, arm = leaning(vector_in(places[i], NORMAL), vector_in(places[i], ARM), R, tilt)
            fill_contact(c, normal, arm, R, S, g, mass)
            for k in range(3):
                c[BEND + k] = 0.0
                c[START + k] = dot(vector_in(c, 3 * k), speed)
            n += 1
    return n


SMOOTH = Detection(_at_end, _at_start, _landed, _ploughing, _touching, wanders=True, allocates=True)
