"""Gaps: small holes in a surface that should be closed, and edges that nearly meet; scans and exports leave them."""

from __future__ import annotations

import numpy as np

from physics.bodies.edges import edges_of_sides, sides
from physics.core.rotation import Array

NEAR = 1e-4  # of the largest extent: points on open edges that are nearer than this are one
WIDEST = 0.05  # of the largest extent: gaps that are wider are no faults of a scan


def without_gaps(points: Array, triangles: np.ndarray) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """Points and triangles with small gaps closed, and what was done, a sentence each; as given where one is wide."""
    extent = float(np.ptp(points, axis=0).max())
    points, triangles, joined = joined_where_open(points, triangles, NEAR * extent)
    loops = _loops(sides(triangles)[open_sides(triangles)])
    widths = [float(np.linalg.norm(np.ptp(points[loop], axis=0))) for loop in loops or []]
    if loops is None or max(widths, default=0.0) > WIDEST * extent:
        return points, triangles, joined
    corners, faces = [points], [triangles]
    for loop in loops:
        middle = sum(map(len, corners))
        corners.append(points[loop].mean(axis=0, keepdims=True))
        faces.append(np.column_stack([np.roll(loop, -1), loop, np.full(len(loop), middle)]))
    if not loops:
        return points, triangles, joined
    some = "a gap was" if len(loops) == 1 else f"{len(loops)} gaps were"
    told = f"{some} closed, {'' if len(loops) == 1 else 'the widest '}{max(widths):.2g} m across"
    return np.concatenate(corners), np.concatenate(faces), (*joined, told)


def open_sides(triangles: np.ndarray) -> np.ndarray:
    """The numbers of the sides whose edge borders one triangle, from edge to edge in their order."""
    edge, count = edges_of_sides(triangles)
    alone = np.flatnonzero(count[edge] == 1)
    return np.asarray(alone[np.argsort(edge[alone])])


def joined_where_open(points: Array, triangles: np.ndarray, near: float) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """The surface with those points on open edges as one that are nearer to each other than ``near`` [m]."""
    among = np.unique(sides(triangles)[open_sides(triangles)])
    if not len(among):
        return points, triangles, ()
    from scipy.sparse import coo_array  # here: it takes long to load, and a window waits for it
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    pairs = cKDTree(points[among]).query_pairs(near, output_type="ndarray")
    if not len(pairs):
        return points, triangles, ()
    shape = (len(among), len(among))
    _, label = connected_components(coo_array((np.ones(len(pairs), bool), pairs.T), shape), directed=False)
    _, first = np.unique(label, return_index=True)
    number = np.arange(len(points))
    number[among] = among[first][label]
    joined = number[triangles]
    kept = (joined != np.roll(joined, 1, axis=1)).all(axis=1)
    if not kept.any():  # it is narrower than that everywhere
        return points, triangles, ()
    lost = len(among) - len(first)
    return points, joined[kept], (f"{lost} points on open edges were joined to others within {near:.2g} m",)


def _loops(edges: np.ndarray) -> list[np.ndarray] | None:
    """The points of each ring that directed edges make; None where they make no rings."""
    following = dict(edges.tolist())
    if len(following) < len(edges) or set(following) != set(following.values()):
        return None
    loops = []
    while following:
        point, after = following.popitem()
        loop = [point]
        while after in following:
            loop.append(after)
            after = following.pop(after)
        loops.append(np.array(loop))
    return loops
