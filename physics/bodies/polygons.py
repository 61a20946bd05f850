"""Polygons over points, cut into triangles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_

# ---- polygons, cut into triangles: fans where these lie inside, else ears (Meisters 1975) -------------

FLAT = 1e-10  # share of the square of its longest side: twice the area of a triangle that counts as none
MAX_CONCAVE_CORNERS = 2000  # corners of a concave polygon: cutting it takes the square of their number


class Polygons(NamedTuple):
    """The numbers of the points at all corners, one polygon after the other, and how many corners each has."""

    corners: np.ndarray
    lengths: np.ndarray


def cut(points: Array, polygons: Polygons) -> np.ndarray:
    """Triangles (m, 3) that cover polygons over points (n, 3), n - 2 for a polygon of n corners, wound as it is.

    From the first corner where all these triangles lie in the polygon, as in each convex one; else by ears. Polygons
    of fewer than three corners have none. Raises ScenarioError for a concave polygon of too many corners.
    """
    corners, lengths = polygons
    ends = np.cumsum(lengths)
    fans = np.maximum(lengths - 2, 0)
    face = np.repeat(np.arange(len(lengths)), fans)
    nth = np.arange(len(face)) - (np.cumsum(fans) - fans)[face]
    first = (ends - lengths)[face]
    triangles = np.stack([corners[first], corners[first + nth + 1], corners[first + nth + 2]], axis=1)
    several = np.flatnonzero(lengths > 3)
    if not len(several):
        return triangles
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    with np.errstate(invalid="ignore", over="ignore"):  # the reader reports NaN
        areas = np.cross(b - a, c - a)
        normals = np.zeros((len(lengths), 3))
        np.add.at(normals, face, areas)
        whole = np.linalg.norm(normals, axis=1)
        normals /= np.maximum(whole[:, None], 1e-300)
        sides = np.stack([((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))])
        height = np.einsum("ij,ij->i", areas, normals[face])
        # a triangle whose corners coincide is left out later; one between corners in a line would leave a gap there
        wrong = (
            (height < FLAT * sides.max(axis=0)) & (sides.min(axis=0) > 0.0) & (whole[face] > FLAT * sides.max(axis=0))
        )
    bad = np.zeros(len(lengths), bool)
    bad[face[wrong]] = True
    starts = np.cumsum(fans) - fans
    for i in several[bad[several]]:
        check_wanted()
        if lengths[i] > MAX_CONCAVE_CORNERS:
            raise ScenarioError(
                "",
                N_(
                    "face {i} is concave and has {i2} corners; expected at most {most}",
                    i + 1,
                    lengths[i],
                    MAX_CONCAVE_CORNERS,
                ),
            )
        ring = corners[ends[i] - lengths[i] : ends[i]]
        triangles[starts[i] : starts[i] + fans[i]] = ring[_ears(_plane(points[ring], normals[i]))]
    return triangles


def _plane(points: Array, normal: Array) -> Array:
    """Points (n, 3) in the plane of a normal (3,), (n, 2), as seen from its tip; from their middle, of size 1."""
    aside = np.eye(3)[np.argmin(np.abs(normal))]
    x = np.cross(aside, normal)
    x /= max(float(np.linalg.norm(x)), 1e-300)
    flat = (points - points.mean(axis=0)) @ np.stack([x, np.cross(normal, x)], axis=1)
    return np.asarray(flat / max(float(np.abs(flat).max()), 1e-300))


def _ears(ring: Array) -> np.ndarray:
    """Triangles (n - 2, 3) of the corners (n, 2) of a polygon that runs counter-clockwise.

    An ear is a corner between two others whose triangle holds no further one. Of a polygon that crosses itself, which
    may have none, the corner that bends most is taken. In plain Python: most polygons have some ten corners, for which
    arrays take twenty times as long.
    """
    places: list[tuple[float, float]] = list(map(tuple, ring.tolist()))
    left, found = list(range(len(ring))), []
    shape: dict[int, float] = {}  # of a corner's triangle, above 0 where it is an ear
    crossed = False
    while len(left) > 3:
        n = len(left)
        if n % 100 == 0:
            check_wanted()
        for again in (False, True):  # to cut an ear changes its neighbours, and rarely further corners
            others = [places[one] for one in left]
            for k, corner in enumerate(left):
                if corner not in shape or (again and shape[corner] < 0.0):
                    shape[corner] = _ear(others[k - 1], others[k], others[(k + 1) % n], others)
            best = max(left, key=shape.__getitem__)
            if crossed or shape[best] > 0.0:
                break
            crossed = again
        k = left.index(best)
        before, after = left[k - 1], left[(k + 1) % n]
        found.append((before, best, after))
        shape.pop(before, None)
        shape.pop(after, None)
        del left[k]
    return np.array([*found, tuple(left)])


def _ear(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], others: list[tuple[float, float]]
) -> float:
    """Twice the area of the triangle at a corner b over the square of its longest side where it is an ear.

    Below 0 where another corner lies in it or where it bends inwards; a corner at the place of one of these does not
    count, as where a hole is bridged.
    """
    (ax, ay), (bx, by), (cx, cy) = a, b, c
    ux, uy, vx, vy, wx, wy = bx - ax, by - ay, cx - bx, cy - by, ax - cx, ay - cy
    area, longest = ux * vy - uy * vx, max(ux * ux + uy * uy, vx * vx + vy * vy, wx * wx + wy * wy)
    if area <= FLAT * longest:
        return -1.0 + area / max(longest, 1e-300)
    for place in others:
        x, y = place
        if (
            ux * (y - ay) - uy * (x - ax) >= -FLAT
            and vx * (y - by) - vy * (x - bx) >= -FLAT
            and wx * (y - cy) - wy * (x - cx) >= -FLAT
            and place not in (a, b, c)
        ):
            return -0.5
    return area / longest
