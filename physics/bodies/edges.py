"""Edges of triangles: the sides of each, and which of them are the same edge."""

from __future__ import annotations

import numpy as np


def sides(triangles: np.ndarray) -> np.ndarray:
    """(3m, 2) ends of the sides of triangles (m, 3), as these run through them; the sides 01 of all come first."""
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])


def edges_of_sides(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each side (3m,) the number of its edge, in the order of their ends; of each edge, how many sides it is."""
    ends = np.sort(sides(triangles), axis=1)
    key = ends[:, 0] * (int(triangles.max()) + 1) + ends[:, 1]
    _, edge, count = np.unique(key, return_inverse=True, return_counts=True)
    return edge, count


def distinct_edges(triangles: np.ndarray) -> np.ndarray:
    """(e, 2) ends of the edges, each edge once, the lower number first."""
    return np.unique(np.sort(sides(triangles), axis=1), axis=0)
