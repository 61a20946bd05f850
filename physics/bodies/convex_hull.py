"""Convex hulls, by Qhull."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from physics.core.rotation import Array

JOGGLED = "QJ Pp"  # Qhull's options for corners that are moved a little, so that no four lie in one plane


class FlatError(ValueError):
    """The points lie in one plane."""


def qhull(points: Array, options: str | None = None) -> Any:
    """SciPy's hull of points (n, 3); FlatError where they lie in one plane."""
    from scipy.spatial import ConvexHull, QhullError  # here: it takes long to load

    try:
        return ConvexHull(points, qhull_options=options)
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


def joggled_faces(points: Array) -> np.ndarray:
    """Triangles (m, 3), wound either way, of the hull of points (n, 3) [m] all of which are corners."""
    return np.asarray(qhull(points, JOGGLED).simplices)


def near_one(points: Array) -> Array:
    """Points times a power of two, which changes no digit: Qhull ends the process for coordinates of 1e300."""
    return np.ldexp(points, -math.frexp(float(np.abs(points).max()))[1])
