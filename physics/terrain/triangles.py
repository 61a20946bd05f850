"""Triangles on a grid: the height of a surface over each node, row by row of the grid."""

from __future__ import annotations

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.rotation import Array

AT_ONCE = 2_000_000  # rows of triangles, or nodes, that are held at once: some 200 MB
_EDGE = 1e-6  # of a cell: nodes so near to the side of a triangle are in it


def lay(
    highest: Array, lowest: Array, points: Array, triangles: np.ndarray, origin: tuple[float, float], cell: float
) -> None:
    """Raise ``highest`` and lower ``lowest`` (ny, nx) to the triangles over and under each node.

    points (n, 3) [m], triangles (m, 3) of their numbers; origin: x, y [m] of the node [0, 0]. Upright triangles, and
    those between the nodes, change nothing.
    """
    u, v, z = ((points[triangles][..., k] - shift) / scale for k, (shift, scale) in enumerate(_scales(origin, cell)))
    across = (u[:, 1] - u[:, 0]) * (v[:, 2] - v[:, 0]) - (u[:, 2] - u[:, 0]) * (v[:, 1] - v[:, 0])
    flat = np.abs(across) > 1e-12
    u, v, z, across = u[flat], v[flat], z[flat], across[flat]
    first = np.maximum(np.ceil(v.min(axis=1) - _EDGE), 0.0).astype(np.int64)
    last = np.minimum(np.floor(v.max(axis=1) + _EDGE), highest.shape[0] - 1.0).astype(np.int64)
    for part in _parts(np.maximum(last - first + 1, 0)):
        check_wanted()
        _lay_part(highest, lowest, (u[part], v[part], z[part]), across[part], first[part], last[part])


def _scales(origin: tuple[float, float], cell: float) -> tuple[tuple[float, float], ...]:
    return (origin[0], cell), (origin[1], cell), (0.0, 1.0)


def _lay_part(
    highest: Array,
    lowest: Array,
    corners: tuple[Array, Array, Array],
    across: Array,
    first: np.ndarray,
    last: np.ndarray,
) -> None:
    """Of some triangles with their corners (m, 3) in cells and [m], and the rows of the grid that they reach."""
    u, v, z = corners
    which, row = _spread(first, last)
    left, right = _ends(u[which], v[which], row)
    start = np.maximum(np.ceil(left - _EDGE), 0.0).astype(np.int64)
    stop = np.minimum(np.floor(right + _EDGE), highest.shape[1] - 1.0).astype(np.int64)
    rise = z[:, 1:] - z[:, :1]
    along = (rise[:, 0] * (v[:, 2] - v[:, 0]) - rise[:, 1] * (v[:, 1] - v[:, 0])) / across
    up = (rise[:, 1] * (u[:, 1] - u[:, 0]) - rise[:, 0] * (u[:, 2] - u[:, 0])) / across
    low, high = z.min(axis=1), z.max(axis=1)
    width = highest.shape[1]
    for part in _parts(np.maximum(stop - start + 1, 0)):
        span, column = _spread(start[part], stop[part])
        t, j = which[part][span], row[part][span]
        height = z[t, 0] + along[t] * (column - u[t, 0]) + up[t] * (j - v[t, 0])
        height = np.clip(height, low[t], high[t])
        np.maximum.at(highest.reshape(-1), j * width + column, height)
        np.minimum.at(lowest.reshape(-1), j * width + column, height)


def _parts(sizes: np.ndarray) -> list[slice]:
    """Parts of a list of so many things each that have about AT_ONCE together; one thing stays whole."""
    ends = np.cumsum(sizes)
    cuts = np.searchsorted(ends, np.arange(1, int(sizes.sum()) // AT_ONCE + 1) * AT_ONCE)
    places = np.unique(np.concatenate([[0], cuts, [len(sizes)]]))
    return [slice(a, b) for a, b in zip(places[:-1].tolist(), places[1:].tolist(), strict=True)]


def _spread(first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of ranges first .. last: the number of the range, and each number in it."""
    lengths = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(len(first)), lengths)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + first[which]


def _ends(u: Array, v: Array, row: np.ndarray) -> tuple[Array, Array]:
    """Where the line of a row enters and leaves each triangle with corners u, v (n, 3), in cells."""
    left, right = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        span = v[:, b] - v[:, a]
        share = np.divide(row - v[:, a], span, out=np.full(len(row), np.nan), where=span != 0.0)
        reaches = (share >= 0.0) & (share <= 1.0) | (np.abs(row - v[:, a]) <= _EDGE) | (np.abs(row - v[:, b]) <= _EDGE)
        near = np.where(np.abs(row - v[:, a]) <= _EDGE, 0.0, np.where(np.abs(row - v[:, b]) <= _EDGE, 1.0, share))
        at = np.where(reaches, u[:, a] + near * (u[:, b] - u[:, a]), np.nan)
        left, right = np.fmin(left, at), np.fmax(right, at)
    return left, right
