"""Repairs of a surface that its user asks for: they change it, and each returns a sentence on what it changed.

Triangles that lie on others are dropped, edges are split at corners of neighbours that lie on them (panel meshes do not
conform), and a surface that meets itself along an edge, as four triangles do, is cut apart there.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from physics.bodies.edges import edges_of_sides, sides
from physics.bodies.gaps import NEAR, joined_where_open, open_sides
from physics.core.cancellation import check_wanted
from physics.core.rotation import Array

ALIKE = 1e-7  # [rad] between triangles that lie on each other
PASSES = 50  # of splitting: an edge with so many corners on it is split into all its parts


def conforming(points: Array, triangles: np.ndarray) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """The surface with each triangle once and with edges that meet whole, and what was changed."""
    triangles, lost = _once(triangles)
    doubles = (f"{lost} triangle{'' if lost == 1 else 's'} that lie on others dropped",) if lost else ()
    near = NEAR * float(np.ptp(points, axis=0).max())
    points, triangles, joined = joined_where_open(points, triangles, near)
    triangles, split = _split(points, triangles, near)
    edges = "edge was" if split == 1 else "edges were"
    splits = (f"{split} {edges} split at corners of neighbours within {near:.2g} m",) if split else ()
    return points, triangles, (*doubles, *joined, *splits)


def _once(triangles: np.ndarray) -> tuple[np.ndarray, int]:
    """Triangles without repetitions, and how many were dropped; of two back to back, a wall inside, both are."""
    order = np.argsort(triangles, axis=1)
    even = (order[:, 1] - order[:, 0]) % 3 == 1  # a cyclic order is an even permutation
    _, group, count = np.unique(np.sort(triangles, axis=1), axis=0, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    if count.max() == 1:
        return triangles, 0
    balance = np.bincount(group, np.where(even, 1.0, -1.0))
    first = np.full((2, len(count)), -1)
    for way in (0, 1):  # the first triangle of each group that is wound so
        chosen = np.flatnonzero(even == bool(way))[::-1]
        first[way, group[chosen]] = chosen
    kept = np.where(balance > 0.0, first[1], np.where(balance < 0.0, first[0], -1))
    kept = np.sort(kept[kept >= 0])
    return triangles[kept], len(triangles) - len(kept)


def _split(points: Array, triangles: np.ndarray, near: float) -> tuple[np.ndarray, int]:
    """The triangles with open edges split at the points of others that lie on them within ``near`` [m]; how many."""
    from scipy.spatial import cKDTree  # here: it takes long to load, and a window waits for it

    done = 0
    for _ in range(PASSES):
        alone = open_sides(triangles)
        if not len(alone):
            break
        ends = sides(triangles)[alone]
        among = np.unique(ends)
        a, b = points[ends[:, 0]], points[ends[:, 1]]
        tree = cKDTree(points[among])
        around = tree.query_ball_point(0.5 * (a + b), 0.5 * np.linalg.norm(b - a, axis=1) + near)
        replaced = dict[int, list[tuple[int, int, int]]]()
        for i, found in enumerate(around):
            if i % 1000 == 0:
                check_wanted()
            side, triangle = divmod(int(alone[i]), len(triangles))
            if triangle in replaced:
                continue
            inner = _between(points, ends[i], among[found], near)
            if len(inner):
                apex = int(triangles[triangle, side - 1])
                chain = [int(ends[i, 0]), *inner.tolist(), int(ends[i, 1])]
                replaced[triangle] = [(p, q, apex) for p, q in pairwise(chain) if apex not in (p, q)]
        if not replaced:
            break
        done += len(replaced)
        kept = np.delete(triangles, list(replaced), axis=0)
        triangles = np.concatenate([kept, np.array([one for new in replaced.values() for one in new])])
    return triangles, done


def _between(points: Array, ends: np.ndarray, among: np.ndarray, near: float) -> np.ndarray:
    """The numbers among some points that lie on an edge, in their order along it; not its ends."""
    among = among[(among != ends[0]) & (among != ends[1])]
    start, way = points[ends[0]], points[ends[1]] - points[ends[0]]
    to = points[among] - start
    share = to @ way / max(float(way @ way), 1e-300)
    far = np.linalg.norm(to - share[:, None] * way, axis=1)
    on = (far <= near) & (share > 0.0) & (share < 1.0)
    return np.asarray(among[on][np.argsort(share[on])])


def cut_apart(points: Array, triangles: np.ndarray) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """The surface with a copy of each edge of four triangles and more for each pair of them between which it is solid.

    As given where triangles of an edge do not alternate in the side that they turn to each other.
    """
    edge, count = edges_of_sides(triangles)
    crowded = np.flatnonzero(count > 2)
    if not len(crowded) or (count[crowded] % 2).any():
        return points, triangles, ()
    order = np.argsort(edge, kind="stable")
    last = np.cumsum(count)
    mates = [order[np.isin(edge[order], np.flatnonzero(count == 2))].reshape(-1, 2)]
    for one in crowded:
        pairs = _wedges(points, triangles, order[last[one] - count[one] : last[one]])
        if pairs is None:
            return points, triangles, ()
        mates.append(pairs)
    m = len(triangles)
    first, second = np.concatenate(mates).T
    number = triangles.T.reshape(-1)  # of the corner at which a side starts; the next one is a side further
    following = (np.arange(3 * m) + m) % (3 * m)
    same = number[first] == number[second]  # they run through the edge in one direction
    links = np.concatenate(
        [
            np.stack([first, np.where(same, second, following[second])]),
            np.stack([following[first], np.where(same, following[second], second)]),
        ],
        axis=1,
    )
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(coo_array((np.ones(links.shape[1], bool), links), (3 * m, 3 * m)), directed=False)
    _, at, corner = np.unique(label, return_index=True, return_inverse=True)
    x, y, z = points[number[order[last[crowded[0]] - 1]]]
    edges = f"{len(crowded)} edge{'' if len(crowded) == 1 else 's'} of more than two triangles"
    told = f"the surface was cut apart along {edges}, near ({x:.4g}, {y:.4g}, {z:.4g})"
    return points[number[at]], corner.reshape(3, m).T, (told,)


def _wedges(points: Array, triangles: np.ndarray, around: np.ndarray) -> np.ndarray | None:
    """Pairs (n, 2) of the sides that meet in an edge, each with the solid between them; None where there are none."""
    m = len(triangles)
    ends = sides(triangles)[around]
    low, high = ends[0].min(), ends[0].max()
    along = points[high] - points[low]
    along = along / max(float(np.linalg.norm(along)), 1e-300)
    out = points[triangles[around % m, around // m - 1]] - points[low]
    out -= (out @ along)[:, None] * along
    x = out[0] / max(float(np.linalg.norm(out[0])), 1e-300)
    angle = np.round(np.mod(np.arctan2(out @ np.cross(along, x), out @ x) + ALIKE, 2.0 * np.pi), 6)
    upward = ends[:, 0] == low  # their outside is where the angle grows
    for first in (~upward, upward):  # of triangles that lie on each other: between two solids, or around a thin one
        turn = np.lexsort((first, angle))
        if not (upward[turn] == np.roll(upward[turn], 1)).any():
            turn = np.roll(turn, -1) if upward[turn[0]] else turn
            return np.asarray(around[turn].reshape(-1, 2))
    return None
