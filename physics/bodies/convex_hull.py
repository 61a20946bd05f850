"""Convex hulls, by Qhull; those of the examples are kept: a first picture would wait 0.25 s until SciPy is loaded.

Where four corners and more lie in one plane, Qhull decides by rounding how triangles divide it. No formula tells that:
an EOTA block had 11 sets of triangles in 205 sizes. What it decided is written down.
"""

from __future__ import annotations

import hashlib
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from physics.core.rotation import Array

KEPT = Path(__file__).with_name("kept_hulls.json")  # python -m assets.make.recordings writes it
MOST = 200  # corners of one that is kept
JOGGLED = "QJ Pp"  # Qhull's options for corners that are moved a little, so that no four lie in one plane


class FlatError(ValueError):
    """The points lie in one plane."""


def qhull(points: Array, options: str | None = None) -> Any:
    """SciPy's hull of points (n, 3); FlatError where they lie in one plane."""
    from scipy.spatial import ConvexHull, QhullError  # here: it takes long to load, and a window waits for it

    try:
        return ConvexHull(points, qhull_options=options)
    except QhullError:
        raise FlatError from None


def hull_faces(points: Array) -> np.ndarray:
    """Triangles (m, 3), counter-clockwise from outside, of the convex hull of points (n, 3); or FlatError."""
    points = near_one(points)
    kept = _kept(points)
    return computed_faces(points) if kept is None else kept.copy()


def joggled_faces(points: Array) -> np.ndarray:
    """Triangles (m, 3), wound either way, of the hull of points (n, 3) [m] all of which are corners."""
    kept = _kept(points, JOGGLED)
    return np.asarray(qhull(points, JOGGLED).simplices) if kept is None else kept.copy()


def computed_faces(points: Array) -> np.ndarray:
    """The same as ``hull_faces``, computed."""
    hull = qhull(points)
    faces = hull.simplices.copy()
    a, b, c = (points[faces[:, i]] for i in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    return np.asarray(faces)


def near_one(points: Array) -> Array:
    """Points times a power of two, which changes no digit: Qhull ends the process for coordinates of 1e300."""
    return np.ldexp(points, -math.frexp(float(np.abs(points).max()))[1])


def name_of(points: Array, options: str = "") -> str:
    """The name under which the hull of points is kept: the same where processors round the last digits otherwise."""
    rounded = np.round(points, 9) + 0.0  # no -0
    return hashlib.sha256(options.encode() + rounded.tobytes()).hexdigest()[:16]


def _kept(points: Array, options: str = "") -> np.ndarray | None:
    """The triangles of a hull that is kept."""
    return _hulls().get(name_of(points, options)) if len(points) <= MOST else None


@cache
def _hulls() -> dict[str, np.ndarray]:
    text = KEPT.read_text(encoding="ascii")
    return {name: np.array(numbers, np.int32).reshape(-1, 3) for name, numbers in json.loads(text).items()}
