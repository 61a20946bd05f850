"""Whether a triangulated surface cuts itself: an edge of one triangle goes through another.

Triangles that touch at a corner, or that lie in one plane, are passed over: what they do to a volume is below rounding.
``uncrossed`` puts points back that stick out a little.
"""

from __future__ import annotations

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Vector, cross, dot

MARGIN = 1e-6  # of an edge and of a triangle: meshes in single precision overlap by 1e-7 of their size
MOVES = 500  # of points, after which a surface that cuts itself is given up
SLICE = 500  # triangles after which a search that is given up ends: spikes by the thousand all overlap


def uncrossed(points: Array, triangles: np.ndarray, reach: float) -> tuple[Array, np.ndarray] | None:
    """Points (n, 3) of which some are moved so that no edge goes through a triangle, and how far each was [m].

    The end of an edge that reaches least through a triangle is put onto its plane, again and again. None where that
    takes a move of more than ``reach`` [m], or more than MOVES.
    """
    found = points.copy()
    for _ in range(MOVES):
        pair = crossing(found, triangles)
        if pair is None:
            return found, np.linalg.norm(found - points, axis=1)
        point, move = _least_move(found, triangles, pair)
        found[point] += move
        if np.linalg.norm(found[point] - points[point]) > reach:
            return None
    return None


def depth(points: Array, triangles: np.ndarray, pair: tuple[int, int]) -> float:
    """How far one of two triangles that cross reaches through the other [m]."""
    return float(np.linalg.norm(_least_move(points, triangles, pair)[1]))


def _least_move(points: Array, triangles: np.ndarray, pair: tuple[int, int]) -> tuple[int, Array]:
    """The end of an edge that goes through the other of two triangles, by the shortest way to that one's plane."""
    moves = []
    for one, other in (pair, pair[::-1]):
        a, b, c = points[triangles[other]]
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        for k in range(3):
            start, end = triangles[one, k], triangles[one, (k + 1) % 3]
            if _pierces(points, start, end, triangles[other]):
                moves += [(int(p), -float((points[p] - a) @ normal) * normal) for p in (start, end)]
    return min(moves, key=lambda move: float(move[1] @ move[1]))


def crossing(points: Array, triangles: np.ndarray) -> tuple[int, int] | None:
    """Two triangles (m, 3) over points (n, 3) of which an edge of one goes through the other; None where none do."""
    corners = points[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    # along the axis on which the fewest pairs overlap: of a long cylinder's sides all do along its own
    first = min(range(3), key=lambda k: int(np.searchsorted(np.sort(low[:, k]), high[:, k], side="right").sum()))
    order = np.argsort(low[:, first], kind="stable")
    triangles, low, high = triangles[order], low[order], high[order]
    for begin in range(0, len(triangles), SLICE):
        check_wanted()
        a, b = _search(points, triangles, low, high, first, begin, min(begin + SLICE, len(triangles)))
        if a >= 0:
            return int(order[a]), int(order[b])
    return None


@kernel
def _search(
    points: Array, triangles: np.ndarray, low: Array, high: Array, first: int, begin: int, end: int
) -> tuple[int, int]:
    """Numbers of two triangles that cross, or -1, -1; they are sorted by their low ends along the first axis."""
    for i in range(begin, end):
        for j in range(i + 1, len(triangles)):
            if low[j, first] > high[i, first]:
                break
            if low[j, 0] > high[i, 0] or low[i, 0] > high[j, 0]:
                continue
            if low[j, 1] > high[i, 1] or low[i, 1] > high[j, 1]:
                continue
            if low[j, 2] > high[i, 2] or low[i, 2] > high[j, 2]:
                continue
            for k in range(3):
                if _pierces(points, triangles[i, k], triangles[i, (k + 1) % 3], triangles[j]):
                    return i, j
                if _pierces(points, triangles[j, k], triangles[j, (k + 1) % 3], triangles[i]):
                    return i, j
    return -1, -1


@formula
def _to(points: Array, i: int, j: int) -> Vector:
    return (points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2])


@formula
def _pierces(points: Array, start: int, end: int, triangle: np.ndarray) -> bool:
    """Whether the edge from a start to an end goes through a triangle or a side of it (Möller and Trumbore 1997)."""
    for k in range(3):
        if triangle[k] == start or triangle[k] == end:
            return False
    a, b, way = _to(points, triangle[0], triangle[1]), _to(points, triangle[0], triangle[2]), _to(points, start, end)
    normal = cross(a, b)
    slope = dot(way, normal)
    if abs(slope) <= MARGIN * np.sqrt(dot(way, way) * dot(normal, normal)):
        return False
    off = _to(points, triangle[0], start)
    t = -dot(off, normal) / slope
    u = dot(way, cross(off, b)) / slope
    v = dot(way, cross(a, off)) / slope
    w = 1.0 - u - v
    if not MARGIN < t < 1.0 - MARGIN or min(u, v, w) < -MARGIN:
        return False
    return (u < MARGIN) + (v < MARGIN) + (w < MARGIN) < 2  # not at a corner: one may lie on an edge that is not split
