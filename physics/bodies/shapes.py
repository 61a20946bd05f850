"""Shapes and their mass properties, exact for polyhedra."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from physics.bodies import surface
from physics.bodies.body import IDENTITY, Body, eigen
from physics.bodies.closed_surface import closed, distinct_edges, is_convex
from physics.bodies.convex_hull import FlatError, fewer_corners, hull_faces, near_one
from physics.bodies.mesh_io import Mesh
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, from_matrix
from physics.core.wording import N_


def polyhedron(vertices: ArrayLike, faces: ArrayLike) -> tuple[float, Array, Array]:
    """Volume [m³], centroid (3,) [m] and inertia (3, 3) [m⁵] about the centroid of a closed triangle mesh of density 1.

    Sums over the tetrahedra between the origin and each face (Dobrovolskis 1996, Icarus 124, 698).
    """
    corners = np.asarray(vertices, float)[np.asarray(faces)]
    shift = corners.mean(axis=(0, 1))  # sums about a point inside lose no digits when the mesh lies far away
    a, b, c = np.moveaxis(corners - shift, 1, 0)
    sixth = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    volume = float(sixth.sum())
    s = a + b + c
    centroid = np.einsum("i,ij->j", sixth, s) / (4.0 * volume)
    second = np.einsum("i,ij,ik->jk", sixth, s, s) + sum(np.einsum("i,ij,ik->jk", sixth, p, p) for p in (a, b, c))
    second = second / 20.0 - volume * np.outer(centroid, centroid)
    return volume, centroid + shift, np.trace(second) * np.eye(3) - second


def hull(points: ArrayLike, mass: float | None = None, density: float | None = None, most: int | None = None) -> Body:
    """The convex hull of points (n, 3) [m] as a homogeneous body; give its mass [kg] or its density [kg/m³].

    most: corners that it may have; of more, those are kept whose own hull comes near to all, with a note.
    """
    cloud = np.asarray(points, float)
    if cloud.ndim != 2 or cloud.shape[1] != 3 or len(cloud) < 4:
        raise ScenarioError(
            "body", N_("expected at least 4 points with 3 coordinates, got an array of shape {shape}", cloud.shape)
        )
    if not np.isfinite(cloud).all():
        raise ScenarioError("body", N_("expected finite coordinates"))
    try:
        faces = hull_faces(cloud)
        corners = cloud[np.unique(faces)]
        kept, notes = _decimated(corners, most or len(corners))
        faces = faces if len(kept) == len(cloud) else hull_faces(kept)
    except FlatError:
        raise ScenarioError("body", N_("the points lie in one plane; expected a solid")) from None
    return replace(_solid(kept, faces, mass, density), notes=notes)


def _decimated(corners: Array, most: int) -> tuple[Array, tuple[str, ...]]:
    """Reduce the corners of a hull to at most so many; also returns a note on what that leaves out."""
    if len(corners) <= most:
        return corners, ()
    near = near_one(corners)
    chosen, far = fewer_corners(near, most)
    far *= float(np.abs(corners).max() / np.abs(near).max())
    kept = corners[chosen]
    lost = 1.0 - polyhedron(kept, hull_faces(kept))[0] / polyhedron(corners, hull_faces(corners))[0]
    left = N_("the others lie at most {far:.2g} m outside, and it has {lost:.2g} of its volume less", far, lost)
    return kept, (N_("{corners} corners of the hull were reduced to {kept}: {left}", len(corners), len(kept), left),)


def mesh(given: Mesh, mass: float | None = None, density: float | None = None, repair: bool = False) -> Body:
    """The solid inside a triangle mesh [m], homogeneous, its centre of mass moved to the origin.

    See physics.bodies.closed_surface for what counts as solid, and what is repaired where ``repair`` is given. Give its
    mass [kg] or its density [kg/m³].
    """
    surface, repairs = closed(given, repair=repair)
    body = _solid(surface.points, surface.triangles, mass, density)
    return replace(body, convex=is_convex(surface), notes=repairs)


def random_rock(
    size: ArrayLike,
    mass: float | None = None,
    density: float | None = None,
    seed: int | np.random.SeedSequence = 0,
    points: int = 24,
    roundness: float = 0.0,
) -> Body:
    """A random convex rock with extents (3,) [m]: the hull of points on a rounded cube, stretched to the extents.

    roundness: Wadell's, see physics.bodies.angularity; above 0 each point is a ball of that radius, the cube being that
    much smaller, and a ball stands as 42 points.

    The points are spread evenly over directions and lie on x⁴ + y⁴ + z⁴ = 1: all of them are corners, and the rock is
    rather a block than a ball. Only operations that every platform rounds alike make them: a seed is one rock.
    """
    rng = np.random.default_rng(seed)
    cloud = np.empty((0, 3))
    while len(cloud) < points:  # uniform in the ball: uniform in direction
        cube = 2.0 * rng.random((2 * points, 3)) - 1.0
        reach = (cube * cube).sum(axis=1)
        cloud = np.concatenate([cloud, cube[(reach < 1.0) & (reach > 0.01)]])
    cloud = cloud[:points]
    cloud /= np.sqrt(np.sqrt(((cloud * cloud) ** 2).sum(axis=1, keepdims=True)))
    if roundness > 0.0:
        cloud = ((1.0 - roundness) * cloud[:, None] + roundness * _sphere(1)[None]).reshape(-1, 3)
    low, span = cloud.min(axis=0), np.ptp(cloud, axis=0)
    return hull((cloud - low) / span * np.asarray(size, float), mass, density)


def scaled(body: Body, factor: float) -> Body:
    """A body of the same shape and density, all lengths times a factor."""
    return replace(
        body,
        mass=body.mass * factor**3,
        inertia=body.inertia * factor**5,
        vertices=body.vertices * factor,
        volume=body.volume * factor**3,
        surface=None if body.surface is None else body.surface.scaled(factor),
        centre=body.centre * factor,
        origins=tuple(one.moved(factor * np.eye(3), np.zeros(3)) for one in body.origins),
    )


def _solid(vertices: Array, faces: Array, mass: float | None, density: float | None) -> Body:
    volume, centroid, unit_inertia = polyhedron(vertices, faces)
    if mass is None:
        mass = (1000.0 if density is None else density) * volume
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        inertia = unit_inertia * (mass / np.float64(volume))  # which gives no error where the volume is 0
    if not np.isfinite(inertia).all():
        raise ScenarioError("body", N_("mass, moments of inertia or extents are too large or too small for a number"))
    moments, axes = principal(inertia)
    return Body(mass, moments, vertices - centroid, faces, volume, axes, centre=centroid)


def principal(inertia: Array) -> tuple[Array, Array]:
    """Moments of a matrix (3, 3) [kg m²] in the order of the body axes they lie nearest to, and the axes.

    The axes are a quaternion, principal -> body axes.

    An inertia matrix that is diagonal up to rounding keeps the axes in which the body was given.
    """
    if np.abs(inertia - np.diag(np.diag(inertia))).max() <= 1e-12 * np.trace(inertia):
        return np.diag(inertia).copy(), IDENTITY
    moments, vectors = eigen(inertia)
    weight = vectors**2
    order = max(([*p] for p in itertools.permutations(range(3))), key=lambda p: float(weight[range(3), p].sum()))
    vectors, moments = vectors[:, order], moments[order]
    vectors *= np.where(np.diag(vectors) < 0, -1.0, 1.0)
    if (np.cross(vectors[0], vectors[1]) * vectors[2]).sum() < 0.0:
        vectors[:, 2] *= -1.0
    return moments, from_matrix(vectors)


# triangles of the corners of a box, in the order of their signs
_BOX = np.array([
    [0, 2, 6], [6, 4, 0], [0, 4, 5], [5, 1, 0], [4, 6, 5], [5, 6, 7],
    [3, 2, 0], [0, 1, 3], [3, 6, 2], [7, 6, 3], [1, 5, 3], [3, 5, 7],
])  # fmt: skip


def cuboid(size: ArrayLike, mass: float | None = None, density: float | None = None) -> Body:
    """A box with extents (3,) [m] along the body axes."""
    a, b, c = extents = np.asarray(size, float)
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * extents
    body = _solid(corners, _BOX, mass, density)
    moments = body.mass / 12.0 * np.array([b * b + c * c, c * c + a * a, a * a + b * b])
    return Body(body.mass, moments, corners, _BOX, float(a * b * c), IDENTITY)


def eota(size: ArrayLike, mass: float | None = None, density: float | None = None) -> Body:
    """An EOTA block (ETAG 27): 24 vertices, the permutations of (±L/2, ±L/4, ±L/4), with extents (3,) [m]."""
    signs = itertools.product((-1, 1), repeat=3)
    corners = {p for a, b, c in signs for p in itertools.permutations((a * 0.5, b * 0.25, c * 0.25))}
    return hull(np.array(sorted(corners)) * np.asarray(size, float), mass, density)


def ellipsoid(size: ArrayLike, mass: float | None = None, density: float | None = None) -> Body:
    """An ellipsoid with full axes (3,) [m]; the vertices are those of an inscribed polyhedron (162)."""
    a, b, c = np.asarray(size, float) / 2
    body = hull(_sphere() * (a, b, c), 1.0)
    volume = 4.0 / 3.0 * math.pi * a * b * c
    mass = (1000.0 if density is None else density) * volume if mass is None else mass
    moments = mass / 5.0 * np.array([b * b + c * c, c * c + a * a, a * a + b * b])
    return Body(mass, moments, body.vertices, body.faces, volume, IDENTITY, surface=surface.ellipsoid([a, b, c]))


def _sphere(halved: int = 2) -> Array:
    """162 points on the unit sphere: an icosahedron, its edges halved twice; 42 where they are halved once."""
    g = (1 + math.sqrt(5)) / 2
    points = np.array([p for s in (-1, 1) for t in (-g, g) for p in ((0, s, t), (s, t, 0), (t, 0, s))], float)
    for _ in range(halved):
        faces = hull_faces(points / np.linalg.norm(points, axis=1, keepdims=True))
        points = points / np.linalg.norm(points, axis=1, keepdims=True)
        points = np.concatenate([points, points[distinct_edges(faces)].mean(axis=1)])
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))


def cylinder(
    size: ArrayLike, mass: float | None = None, density: float | None = None, sides: int = 48, rim: float = 0.0
) -> Body:
    """An elliptic cylinder about the z axis, extents (3,) [m]; the vertices are those of an inscribed prism.

    rim : radius [m] with which its surface is rounded; the mass is that of the cylinder with edges
    """
    a, b, c = np.asarray(size, float)
    angle = 2 * math.pi * np.arange(sides) / sides
    ring = np.stack([a / 2 * np.cos(angle), b / 2 * np.sin(angle)], axis=1)
    points = np.concatenate([np.column_stack([ring, np.full(sides, z)]) for z in (-c / 2, c / 2)])
    body = hull(points, 1.0)
    volume = math.pi * a * b * c / 4
    mass = (1000.0 if density is None else density) * volume if mass is None else mass
    moments = mass * np.array([b * b / 16 + c * c / 12, a * a / 16 + c * c / 12, (a * a + b * b) / 16])
    smooth = surface.disk([a / 2, b / 2], c / 2, rim)
    return Body(mass, moments, body.vertices, body.faces, volume, IDENTITY, surface=smooth)


def cone(height: float, radius: float, mass: float | None = None, density: float | None = None) -> Body:
    """A circular cone on its tip along the body's z axis, height and radius of the base [m]; moments of the cone."""
    angle = 2 * math.pi * np.arange(64) / 64
    ring = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(64, 0.25 * height)])
    tip = [0.0, 0.0, -0.75 * height]
    body = hull(np.vstack([ring, tip]), 1.0)
    volume = math.pi * radius * radius * height / 3
    mass = (1000.0 if density is None else density) * volume if mass is None else mass
    side = 3.0 / 80.0 * mass * (4.0 * radius * radius + height * height)
    # the polygon's centre of mass is that of the cone: the base is regular
    return Body(mass, np.array([side, side, 0.3 * mass * radius * radius]), body.vertices, body.faces, volume, IDENTITY)


def box_of_inertia(inertia: ArrayLike, mass: float) -> Body:
    """The homogeneous box of the principal moments (3,) [kg m²]: what is drawn for a body known by its inertia."""
    I = np.asarray(inertia, float)
    squares = 6.0 / mass * (I.sum() - 2.0 * I)
    size = np.sqrt(np.maximum(squares, 1e-4 * squares.max()))  # a lamina is drawn with a little thickness
    return replace(cuboid(size, mass), inertia=I)


def check_inertia(inertia: ArrayLike, field: str = "body.inertia") -> Array:
    """Three positive moments, none larger than the sum of the others (a lamina may be equal); else ScenarioError."""
    try:
        I = np.asarray(inertia, float)
    except (TypeError, ValueError):
        raise ScenarioError(field, N_("expected three moments above 0 kg m², got {i}", inertia)) from None
    if I.shape != (3,) or not np.isfinite(I).all() or not (I > 0).all():
        raise ScenarioError(field, N_("expected three moments above 0 kg m², got {i}", I.tolist()))
    for i, axis in enumerate("ABC"):
        if I[i] > (I.sum() - I[i]) * (1 + 1e-12):
            raise ScenarioError(
                field,
                N_("no body has these moments: {axis} = {i:g} is larger than the sum of the other two", axis, I[i]),
            )
    return I
