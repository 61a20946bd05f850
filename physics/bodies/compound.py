"""Compound bodies: hollow ones, several parts as one body, and inertia tensors about any point in any axes.

A wall of thickness t is the solid between the surface and its inward offset, the points that lie deeper than t. The
offset of a box, a round cylinder, a cone, an ellipsoid and any convex polyhedron is exact. Where a mesh is not convex,
each corner moves inwards so that it lies t behind the planes of its triangles, by least squares weighted with their
areas. That is exact where these lie in three planes at most; on a surface of curvature radius R whose neighbouring
triangles enclose angles of a, mass and moments are off by shares of the order of a⁴ and a² t / R: 6e-6 and 4e-5 for 162
corners and t / R = 0.001 and 0.1. Thin walls lose digits as differences of two solids: about 4e-15 R / t.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from physics.bodies import shapes
from physics.bodies.body import Body
from physics.bodies.convex_hull import hull_faces, qhull
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, matrix
from physics.core.wording import N_

# ---- tensors ------------------------------------------------------------------------------------------


def tensor(body: Body) -> Array:
    """(3, 3) [kg m²] about the centre of mass, in body axes."""
    turn = matrix(body.axes)
    return np.asarray(turn * body.inertia @ turn.T)


def six(inertia: Array) -> tuple[float, ...]:
    """The numbers xx, yy, zz, xy, xz, yz of a tensor (3, 3)."""
    return tuple(inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist())


def point_mass(mass: float, arm: Array) -> Array:
    """Tensor (3, 3) [kg m²] of a mass [kg] at a place (3,) [m] about the origin, as the parallel axis theorem adds."""
    return mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))


def principal_of(inertia: Sequence[float], mass: float, about: ArrayLike, axes: ArrayLike) -> tuple[Array, Array]:
    """Principal moments (3,) [kg m²] about the centre of mass, and the quaternion (4,) from their axes to the body's.

    inertia : 3 moments, or 6 numbers xx, yy, zz, xy, xz, yz [kg m²], xy = -∫ x y dm; about : (3,) their point from the
        centre of mass, in body axes [m]; axes : (4,) unit quaternion, from their axes to the body's

    Raises ScenarioError where no body has such moments.
    """
    xx, yy, zz, xy, xz, yz = (*inertia, 0.0, 0.0, 0.0)[:6]
    turn = matrix(axes)
    given = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
    moments, found = shapes.principal(given - point_mass(mass, np.asarray(about, float)))
    try:
        shapes.check_inertia(moments)
    except ScenarioError as error:
        if np.array_equal(moments, inertia[:3]):
            raise
        message = N_("about the centre of mass, in the principal axes that were found: {message}", error.message)
        raise ScenarioError(error.field, message) from None
    return moments, found


def body_facts(body: Body) -> dict[str, float | list[float]]:
    """Facts about a body, for JSON; inertia: the tensor in body axes, axes: from the principal axes to the body's."""
    return {
        "mass": body.mass,
        "centre_of_mass": body.centre.tolist(),
        "moments": body.inertia.tolist(),
        "axes": body.axes.tolist(),
        "inertia": list(six(tensor(body))),
    }


def axes_found(body: Body) -> str:
    """The principal moments and axes of a body in words."""
    moments = ", ".join(f"{moment:.6g}" for moment in body.inertia)
    w, turn = float(body.axes[0]), body.axes[1:]
    size = float(np.linalg.norm(turn))
    if size < 1e-9:
        return N_("principal moments {moments} kg m², about the axes of the body", moments)
    angle = math.degrees(2.0 * math.atan2(size, abs(w)))
    axis = ", ".join(f"{part:.3g}" for part in turn / math.copysign(size, w))
    return N_(
        "principal moments {moments} kg m², about axes turned by {angle:.4g}° about ({axis}) from those of the body",
        moments,
        angle,
        axis,
    )


# ---- several parts ------------------------------------------------------------------------------------


def combined(parts: Sequence[tuple[Body, ArrayLike, ArrayLike]]) -> Body:
    """One body of several: each with the place (3,) [m] of its own origin and the quaternion (4,) from its axes.

    Each may overlap others: nothing is taken away.
    """
    turns = [np.array(turn) / np.linalg.norm(turn) for _, _, turn in parts]
    centres = [np.array(place) + apply(turn, body.centre) for (body, place, _), turn in zip(parts, turns, strict=True)]
    masses = np.array([body.mass for body, _, _ in parts])
    centre = masses @ np.array(centres) / masses.sum()
    whole, points, faces, count = np.zeros((3, 3)), [], [], 0
    for (body, _, _), turn, middle in zip(parts, turns, centres, strict=True):
        rotation = matrix(turn)
        whole += rotation @ tensor(body) @ rotation.T + point_mass(body.mass, middle - centre)
        points.append(apply(turn, body.vertices) + middle - centre)
        faces.append(body.faces + count)
        count += len(body.vertices)
    moments, axes = shapes.principal(whole)
    from_files = all(body.origins for body, _, _ in parts)
    return Body(
        float(masses.sum()),
        moments,
        np.concatenate(points),
        np.concatenate(faces),
        sum(body.volume for body, _, _ in parts),
        axes,
        convex=len(parts) == 1 and parts[0][0].convex,
        notes=tuple(note for body, _, _ in parts for note in body.notes),
        centre=centre,
        origins=tuple(
            origin.moved(matrix(turn), middle - centre)
            for (body, _, _), turn, middle in zip(parts, turns, centres, strict=True)
            for origin in body.origins
            if from_files
        ),
    )


# ---- hollow bodies ------------------------------------------------------------------------------------


class Cavity(NamedTuple):
    """Space inside a wall: volume [m³], centre (3,) [m] from the solid's, tensor (3, 3) [m⁵] about its own centre."""

    volume: float
    centre: Array
    tensor: Array


THINNEST = 1e-6  # share of a solid that its wall has at least: its moments have a relative error of some 1e-8


def hollow(body: Body, cavity: Cavity, mass: float | None, density: float | None) -> Body:
    """A solid of density 1 with a cavity; give the mass [kg] of its wall, or the density [kg/m³]."""
    volume = body.volume - cavity.volume
    if volume < THINNEST * body.volume:
        raise ScenarioError(
            "body.shell", N_("expected a thicker wall, of at least {thinnest:g} of the solid's volume", THINNEST)
        )
    mass = (1000.0 if density is None else density) * volume if mass is None else mass
    centre = -cavity.volume / volume * cavity.centre
    unit = tensor(body) - cavity.tensor - point_mass(cavity.volume, cavity.centre) - point_mass(volume, centre)
    moments, axes = shapes.principal(unit * (mass / volume))
    return replace(
        body,
        mass=mass,
        inertia=moments,
        axes=axes,
        volume=volume,
        vertices=body.vertices - centre,
        centre=body.centre + centre,
        surface=None,
        origins=tuple(one.moved(np.eye(3), -centre) for one in body.origins),
    )


def _check_wall(thickness: float, most: float, what: str = N_("the radius of the largest ball inside")) -> None:
    if thickness >= most * (1.0 - 1e-9):
        raise ScenarioError(
            "body.shell", N_("expected less than {most:.4g} m, {what}, got {thickness:g}", most, what, thickness)
        )


def _of(body: Body) -> Cavity:
    return Cavity(body.volume, body.centre, tensor(body))


def in_box(size: ArrayLike, thickness: float) -> Cavity:
    """The cavity of a box with extents (3,) [m]."""
    _check_wall(thickness, min(np.asarray(size, float)) / 2.0)
    return _of(shapes.cuboid(np.asarray(size, float) - 2.0 * thickness, density=1.0))


def in_cylinder(size: ArrayLike, thickness: float) -> Cavity:
    """The cavity of a round cylinder about the z axis with extents (3,) [m]."""
    a, b, c = np.asarray(size, float)
    if abs(a - b) > 1e-9 * a:
        raise ScenarioError(
            "body.shell", N_("expected a round cylinder, got extents {a:g} and {b:g} m across its axis", a, b)
        )
    _check_wall(thickness, min(a, c) / 2.0)
    return _of(shapes.cylinder([a - 2.0 * thickness, a - 2.0 * thickness, c - 2.0 * thickness], density=1.0))


def in_cone(height: float, radius: float, thickness: float) -> Cavity:
    """The cavity of a cone [m]: a similar one about the centre of the ball inside."""
    ball = radius * height / (radius + math.hypot(radius, height))
    _check_wall(thickness, ball)
    part = 1.0 - thickness / ball
    small = shapes.scaled(shapes.cone(height, radius, density=1.0), part)
    return Cavity(small.volume, (1.0 - part) * np.array([0.0, 0.0, 0.25 * height - ball]), tensor(small))


# nodes of Gauss and Legendre from pole to pole for axes of 1 : 1, and twice as many around: errors below 1e-11
NODES = 26
FLATTEST = 20.0  # largest axis over the smallest: more take too many nodes


def in_ellipsoid(size: ArrayLike, thickness: float) -> Cavity:
    """The cavity of an ellipsoid with full axes (3,) [m], by integrals over the surface parallel to it.

    That has the normals of the ellipsoid, and its area elements times 1 - 2 H t + K t² with the mean curvature H and
    the Gaussian curvature K (do Carmo, Differential Geometry of Curves and Surfaces, 3.5, exercise 11).
    """
    half = np.asarray(size, float) / 2.0
    _check_wall(thickness, float(half.min() ** 2 / half.max()), N_("its smallest radius of curvature"))
    flat = float(half.max() / half.min())
    if flat > FLATTEST:
        raise ScenarioError(
            "body.shell",
            N_("expected an ellipsoid with extents of at most 1 : {flattest:g}, got 1 : {flat:.3g}", FLATTEST, flat),
        )
    nodes = max(64, math.ceil(NODES * flat))
    z, weight = np.polynomial.legendre.leggauss(nodes)
    turn = math.pi * np.arange(2 * nodes) / nodes
    across = np.sqrt(1.0 - z * z)[:, None]
    u = np.stack(
        [across * np.cos(turn), across * np.sin(turn), np.broadcast_to(z[:, None], (nodes, len(turn)))], axis=2
    )
    points, steep = u * half, np.linalg.norm(u / half, axis=2)
    normals = u / half / steep[..., None]
    gauss = (half.prod() * steep**2) ** -2
    twice_mean = ((half**2).sum() - (points**2).sum(axis=2)) / (half.prod() ** 2 * steep**3)
    element = half.prod() * steep * (1.0 - thickness * twice_mean + thickness**2 * gauss)
    area = normals * (element * weight[:, None] * math.pi / nodes)[..., None]
    inside = points - thickness * normals
    volume = float((inside * area).sum()) / 3.0
    second = (inside**3 * area).sum(axis=(0, 1)) / 3.0
    return Cavity(volume, np.zeros(3), np.diag(second.sum() - second))


def in_polyhedron(body: Body, thickness: float) -> Cavity:
    """The cavity of a solid with plane faces: exact where it is convex, else see the module."""
    points, faces = _convex(body, thickness) if body.convex else _moved(body, thickness)
    return Cavity(*shapes.polyhedron(points, faces))


def _convex(body: Body, thickness: float) -> tuple[Array, np.ndarray]:
    """The intersection of the half spaces behind all faces."""
    from scipy.optimize import linprog  # here: they take long to load
    from scipy.spatial import HalfspaceIntersection

    planes = np.array(qhull(body.vertices / body.radius).equations)
    ball = linprog([0.0, 0.0, 0.0, -1.0], np.insert(planes[:, :3], 3, 1.0, axis=1), -planes[:, 3], bounds=(None, None))
    _check_wall(thickness, float(ball.x[3]) * body.radius)
    planes[:, 3] += thickness / body.radius
    points = HalfspaceIntersection(planes, ball.x[:3]).intersections * body.radius
    return points, hull_faces(points)


MOST_SLIVERS = 1000  # triangles of no area that are looked at, one after the other
TURNED = 0.01  # share of the area of a surface: where more of the offset faces the other way, walls meet


def _moved(body: Body, thickness: float) -> tuple[Array, np.ndarray]:
    """The surface with each corner moved inwards, see the module."""
    faces = _without_slivers(body.vertices, body.faces)
    a, b, c = np.moveaxis(body.vertices[faces], 1, 0)
    outward = np.cross(b - a, c - a)
    area = np.linalg.norm(outward, axis=1)
    normals = outward / area[:, None]
    planes, sums = np.zeros((len(body.vertices), 3, 3)), np.zeros((len(body.vertices), 3))
    for k in range(3):
        np.add.at(planes, faces[:, k], area[:, None, None] * normals[:, :, None] * normals[:, None, :])
        np.add.at(sums, faces[:, k], outward)
    moved = body.vertices - thickness * np.einsum("nij,nj->ni", np.linalg.pinv(planes, 1e-6, hermitian=True), sums)
    a, b, c = np.moveaxis(moved[faces], 1, 0)
    turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals) < 0.0
    if (area * turned).sum() > TURNED * area.sum() or not 0.0 < shapes.polyhedron(moved, faces)[0] < body.volume:
        worst = body.vertices[faces[int(np.argmax(area * turned))]].mean(axis=0) + body.centre
        place = ", ".join(f"{x:.3g}" for x in worst)
        raise ScenarioError(
            "body.shell", N_("expected a thinner wall: {thickness:g} m fill the body near ({place})", thickness, place)
        )
    return moved, faces


def _without_slivers(points: Array, faces: np.ndarray) -> np.ndarray:
    """Triangles (m, 3) of the same surface, without those of no area that close it along a split edge.

    Such a one has no plane. With the triangle across its longest side it makes two, which share the other diagonal.
    """
    faces = faces.copy()
    for _ in range(MOST_SLIVERS):
        corners = points[faces]
        lengths = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        flat = np.flatnonzero(areas <= 1e-10 * lengths.max(axis=1) ** 2)
        if not len(flat):
            break
        start, end, between = np.roll(faces[flat[0]], -int(np.argmax(lengths[flat[0]])))
        other, side = np.argwhere((faces == end) & (np.roll(faces, -1, axis=1) == start))[0]
        apex = faces[other, side - 1]
        faces[flat[0]], faces[other] = (between, start, apex), (between, apex, end)
    return faces
