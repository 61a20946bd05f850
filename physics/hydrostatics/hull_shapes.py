"""Hulls that the program makes: box, Wigley, prism and cylinder; x = 0 amidships, y = 0 the plane of symmetry."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from physics.bodies.closed_surface import closed
from physics.bodies.convex_hull import hull_faces
from physics.bodies.mesh_io import Mesh
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.hydrostatics.hull import Hull

PANELS = (160, 80)  # of a Wigley hull, along and down each side: volume within 1e-4 of the curved hull
SIDES = 384  # of a cylinder: levers within 2e-7


def box(size: ArrayLike) -> Hull:
    """A box of length, breadth, depth (3,) [m], its bottom at z = 0."""
    a, b, c = np.asarray(size, float)
    signs = itertools.product((-1, 1), (-1, 1), (0, 1))
    return _convex(np.array([(x * a / 2, y * b / 2, z * c) for x, y, z in signs]), "box")


def prism(size: ArrayLike) -> Hull:
    """A triangular prism of length, breadth, depth (3,) [m]: its edge down at z = 0, its deck at z = depth."""
    a, b, c = np.asarray(size, float)
    corners = [(x * a / 2, y * b / 2, z * c) for x in (-1, 1) for y, z in ((0, 0), (-1, 1), (1, 1))]
    return _convex(np.array(corners), "prism")


def cylinder(size: ArrayLike, sides: int = SIDES) -> Hull:
    """A lying elliptic cylinder of length, breadth, depth (3,) [m] about the x axis: a prism of many sides."""
    a, b, c = np.asarray(size, float)
    angle = 2 * math.pi * (np.arange(sides) + 0.5) / sides
    ring = np.stack([b / 2 * np.cos(angle), c / 2 * np.sin(angle)], axis=1)
    return _convex(np.concatenate([np.column_stack([np.full(sides, x), ring]) for x in (-a / 2, a / 2)]), "cylinder")


def wigley(size: ArrayLike, panels: tuple[int, int] = PANELS) -> Hull:
    """A Wigley hull of length, breadth, draught (3,) [m]: the waterline at z = 0, upright walls up to z = draught.

    y = ± breadth/2 (1 - (2x/length)²) (1 - (z/draught)²) below z = 0; panels along and down each side.
    """
    length, breadth, draught = np.asarray(size, float)
    along, down = panels
    x, z = np.linspace(-1.0, 1.0, along + 1), np.append(np.linspace(-1.0, 0.0, down + 1), 1.0)
    half = 0.5 * breadth * np.outer(1.0 - x * x, np.where(z < 0.0, 1.0 - z * z, 1.0))
    half[[0, -1]] = half[:, 0] = 0.0  # the stems and the keel are edges of both sides
    port = np.stack(np.broadcast_arrays(0.5 * length * x[:, None], half, draught * z), axis=-1)
    starboard = port * (1.0, -1.0, 1.0)
    skin = _triangles(port[:-1, :-1], port[:-1, 1:], port[1:, 1:], port[1:, :-1])
    deck = _triangles(port[:-1, -1:], starboard[:-1, -1:], starboard[1:, -1:], port[1:, -1:])
    corners = np.concatenate([skin, skin[:, ::-1] * (1.0, -1.0, 1.0), deck])
    a, b, c = np.moveaxis(corners, 1, 0)
    corners = corners[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 0.0].reshape(-1, 3)
    return _made(Mesh(corners, np.arange(len(corners)).reshape(-1, 3)), "wigley")


def _triangles(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Triangles (m, 3, 3) of a grid of quads, a corner of all in each array (p, q, 3).

    Their diagonals alternate: an even number of quads along the ship makes both ends alike.
    """
    one = np.stack([a, b, c, a, c, d], axis=2)
    other = np.stack([a, b, d, b, c, d], axis=2)
    even = np.indices(a.shape[:2]).sum(axis=0) % 2 == 0  # then no triangle of the ends lies in the plane y = 0
    return np.asarray(np.where(even[..., None, None], one, other).reshape(-1, 3, 3))


def _convex(points: Array, name: str) -> Hull:
    return _made(Mesh(points, hull_faces(points)), name)


def _made(mesh: Mesh, name: str) -> Hull:
    points, triangles, _ = closed(mesh)[0]
    return Hull(np.ascontiguousarray(points), np.ascontiguousarray(triangles), name)


MAKERS: dict[str, Callable[[ArrayLike], Hull]] = {"box": box, "wigley": wigley, "prism": prism, "cylinder": cylinder}


def make_hull(shape: str, size: ArrayLike, panels: int = PANELS[0]) -> Hull:
    """A hull of one of MAKERS by its extents (3,) [m]; ScenarioError where these are not three numbers above 0.

    panels : along each side of a Wigley hull, an even number; half as many down
    """
    extents = np.asarray(size, float)
    if extents.shape != (3,) or not (np.isfinite(extents).all() and (extents > 0.0).all()):
        raise ScenarioError("size", f"expected three lengths above 0 m, got {extents.tolist()}", shape)
    if extents.max() > 1e9 or extents.max() > 1e6 * extents.min():
        raise ScenarioError("size", "expected lengths below 1e9 m, none a million times another", shape)
    return wigley(extents, (panels, panels // 2)) if shape == "wigley" else MAKERS[shape](extents)
