"""Convex hulls, by Qhull."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from physics.core.rotation import Array


class FlatError(ValueError):
    """The points lie in one plane."""


def qhull(points: Array) -> Any:
    """SciPy's hull of points (n, 3); FlatError where they lie in one plane."""
    from scipy.spatial import ConvexHull, QhullError  # here: it takes long to load

    try:
        return ConvexHull(points)
    except QhullError:
        raise FlatError from None


def hull_faces(points: Array) -> np.ndarray:
    """Triangles (m, 3), counter-clockwise from outside, of the convex hull of points (n, 3); or FlatError.

    Where four corners and more lie in one plane, Qhull decides by rounding how triangles divide it: processors may
    divide it otherwise.
    """
    points = near_one(points)
    hull = qhull(points)
    faces = hull.simplices.copy()
    a, b, c = (points[faces[:, i]] for i in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    return np.asarray(faces)


def near_one(points: Array) -> Array:
    """Points times a power of two, which changes no digit: Qhull ends the process for coordinates of 1e300."""
    return np.ldexp(points, -math.frexp(float(np.abs(points).max()))[1])


# ---- fewer corners ------------------------------------------------------------------------------------

_PIECE = 4_000_000  # distances that are held at once: 32 MB
# directions of the first corners
_DIRECTIONS = np.array([d for d in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(d)])


def fewer_corners(corners: Array, most: int) -> tuple[np.ndarray, float]:
    """Numbers, sorted, of about ``most`` of the corners (n, 3) of a convex hull: at most so many, or 26.

    And how far the farthest of the others lies outside of the hull of these [m]. Those that lie farthest outside come
    in first, a few at a time; the extents along the axes stay. FlatError where all lie in one plane.
    """
    chosen = _extremes(corners, _DIRECTIONS[np.abs(_DIRECTIONS).sum(axis=1) == 1.0])
    try:
        qhull(corners[chosen])
    except FlatError:  # few corners have all extents: they lie in one plane
        chosen = _extremes(corners, _DIRECTIONS)
    while True:
        outside, facet = _outside(corners, qhull(corners[chosen]).equations)
        far = float(outside.max())
        if len(chosen) >= min(most, len(corners)) or far <= 0.0:
            return chosen, max(far, 0.0)
        outer = np.argsort(-outside, kind="stable")
        _, first = np.unique(facet[outer], return_index=True)  # the farthest over each facet
        candidates = outer[np.sort(first)]
        candidates = candidates[outside[candidates] > 0.5 * far]
        chosen = np.union1d(chosen, candidates[: most - len(chosen)])


def _extremes(corners: Array, directions: Array) -> np.ndarray:
    """Numbers of the corners (n, 3) that lie farthest along directions (m, 3), each once."""
    x, y, z = corners.T
    return np.unique([int(np.argmax(a * x + b * y + c * z)) for a, b, c in directions])


def _outside(corners: Array, planes: Array) -> tuple[Array, np.ndarray]:
    """Largest distance of corners (n, 3) outside of the planes (m, 4) of a hull [m], and the plane of each."""
    far, facet = np.empty(len(corners)), np.empty(len(corners), np.int64)
    a, b, c, d = planes.T
    piece = max(1, _PIECE // len(planes))
    for first in range(0, len(corners), piece):
        x, y, z = (column[:, None] for column in corners[first : first + piece].T)
        distances = a * x + b * y + c * z + d  # no BLAS: its digits depend on the processor
        facet[first : first + piece] = distances.argmax(axis=1)
        far[first : first + piece] = distances.max(axis=1)
    return far, facet
