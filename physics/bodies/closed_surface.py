"""Closed surfaces: whether a triangle mesh encloses a solid, and the repairs that are safe, each with a note.

What is repaired: points given more than once are joined, triangles without area are dropped, small gaps are closed,
triangles that face the wrong way are turned. What is refused: open edges of wider gaps, edges of more than two
triangles, surfaces with one side only, several separate surfaces, no volume. On request there are further repairs:
openings such as decks get lids, walls inside are dropped, and several surfaces become one solid, as the parts that a
file names always do. The surface is not checked for cutting itself.
"""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import pairwise

import numpy as np

from physics.bodies.mesh_io import Mesh, corners_of
from physics.bodies.union import united, volume
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_, Wording

# ---- edges --------------------------------------------------------------------------------------------


def sides(triangles: np.ndarray) -> np.ndarray:
    """(3m, 2) ends of the sides of triangles (m, 3), as these run through them; the sides 01 of all come first."""
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])


def edges_of_sides(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number of the edge of each side (3m,), in the order of their ends, and the number of sides of each edge."""
    ends = np.sort(sides(triangles), axis=1)
    key = ends[:, 0] * (int(triangles.max()) + 1) + ends[:, 1]
    _, edge, count = np.unique(key, return_inverse=True, return_counts=True)
    return edge, count


def connected(links: np.ndarray, n: int) -> tuple[int, np.ndarray]:
    """Number of groups of n things that links (2, m) between them connect, and the group (n,) of each."""
    from scipy.sparse import coo_array  # here: they take long to load, and a window waits for them
    from scipy.sparse.csgraph import connected_components

    groups, group = connected_components(coo_array((np.ones(links.shape[1], bool), links), (n, n)), directed=False)
    return groups, group


def distinct_edges(triangles: np.ndarray) -> np.ndarray:
    """(e, 2) ends of the edges, each edge once, the lower number first."""
    return np.unique(np.sort(sides(triangles), axis=1), axis=0)


# ---- small gaps, as scans and exports leave them ------------------------------------------------------

NEAR = 1e-4  # share of the largest extent: points on open edges that are nearer than this are one
WIDEST = 0.05  # share of the largest extent: gaps that are wider are no faults of a scan


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
    some = N_("a gap was") if len(loops) == 1 else N_("{loops} gaps were", len(loops))
    note = (
        N_("{some} closed, {widths:.2g} m across", some, max(widths))
        if len(loops) == 1
        else N_("{some} closed, the widest {widths:.2g} m across", some, max(widths))
    )
    return np.concatenate(corners), np.concatenate(faces), (*joined, note)


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
    from scipy.spatial import cKDTree  # here: it takes long to load, and a window waits for it

    pairs = cKDTree(points[among]).query_pairs(near, output_type="ndarray")
    if not len(pairs):
        return points, triangles, ()
    _, label = connected(pairs.T, len(among))
    _, first = np.unique(label, return_index=True)
    number = np.arange(len(points))
    number[among] = among[first][label]
    joined = number[triangles]
    kept = (joined != np.roll(joined, 1, axis=1)).all(axis=1)
    if not kept.any():  # it is narrower than that everywhere
        return points, triangles, ()
    lost = len(among) - len(first)
    return (
        points,
        joined[kept],
        (N_("{lost} points on open edges were joined to others within {near:.2g} m", lost, near),),
    )


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


# ---- repairs on request -------------------------------------------------------------------------------
# Triangles that lie on others are dropped, edges are split at corners of neighbours that lie on them (panel meshes do
# not conform), flat openings get lids, only what borders on the space outside is kept (panels of a semi-submersible go
# through where a column stands on a pontoon), and a surface that meets itself along an edge, as four triangles do, is
# cut apart there. Each repair returns a sentence on what it changed.

SAME = 1e-6  # share of the largest extent: points that are nearer are one; single precision rounds to a tenth of it
ALIKE = 1e-7  # [rad] between triangles that lie on each other
PASSES = 50  # passes of splitting: an edge with so many corners on it is split into all its parts
WARPED = 0.4  # share of the breadth of an opening: how far its rim may rise, as the sheer of a deck, to get a lid
# cosine of the angle of such a rim to an axis: that of half a ship, cut along its keel, lies aslant
LEVEL = math.cos(math.radians(10.0))
LOOSE = 0.1  # share of the area of a solid: where more of it hangs loose, it is rather open


def conforming(points: Array, triangles: np.ndarray) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """The surface with each triangle once and with edges that meet whole, and what was changed."""
    points, triangles, merged = _merged(points, triangles, SAME * float(np.ptp(points, axis=0).max()))
    triangles, lost = _once(triangles)
    doubles = (
        (
            (
                N_("{lost} triangle that lie on others dropped", lost)
                if lost == 1
                else N_("{lost} triangles that lie on others dropped", lost)
            ),
        )
        if lost
        else ()
    )
    near = NEAR * float(np.ptp(points, axis=0).max())
    points, triangles, joined = joined_where_open(points, triangles, near)
    triangles, split = _split(points, triangles, near)
    edges = N_("edge was") if split == 1 else N_("edges were")
    splits = (
        (N_("{split} {edges} split at corners of neighbours within {near:.2g} m", split, edges, near),) if split else ()
    )
    return points, triangles, (*merged, *doubles, *joined, *splits)


def _merged(points: Array, triangles: np.ndarray, near: float) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """The surface with points that are nearer to each other than ``near`` [m] as one, as those of near duplicates."""
    from scipy.spatial import cKDTree  # here: it takes long to load, and a window waits for it

    pairs = cKDTree(points).query_pairs(near, output_type="ndarray")
    if not len(pairs):
        return points, triangles, ()
    groups, label = connected(pairs.T, len(points))
    _, first = np.unique(label, return_index=True)
    triangles = first[label][triangles]
    kept = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    if not kept.any():
        return points, triangles, ()
    lost = len(points) - groups
    return points, triangles[kept], (N_("{lost} points merged with others within {near:.2g} m", lost, near),)


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


def lidded(points: Array, triangles: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """The triangles with lids over openings whose rims are flat, and what was closed.

    A rim may have walls below it: each compartment gets a lid of its own.
    """
    ends = sides(triangles)[open_sides(triangles)]
    if not len(ends):
        return triangles, ()
    import shapely  # here: it takes long to load, and a window waits for it

    among, number = np.unique(ends, return_inverse=True)
    rims, label = connected(number.reshape(-1, 2).T, len(among))
    running, lids, sizes = set(map(tuple, ends.tolist())), [triangles], []
    for rim in (among[label == one] for one in range(rims)):
        check_wanted()
        off = points[rim] - points[rim].mean(axis=0)
        axes = np.linalg.svd(off, full_matrices=len(rim) < 3)[2]  # of the shortest extent last
        flat, depth = off @ axes.T, np.ptp(points @ axes[2])
        length, breadth, rise = np.ptp(flat, axis=0)
        aslant = rise > 0.01 * breadth and np.abs(axes[2]).max() < LEVEL
        if aslant or rise > WARPED * min(breadth, depth) or depth < NEAR * length:
            continue
        place = dict(zip(map(tuple, flat[:, :2].tolist()), rim.tolist(), strict=True))
        at = {point: xy for xy, point in place.items()}
        lines = [shapely.LineString((at[a], at[b])) for a, b in ends.tolist() if a in at and b in at]
        for polygon in shapely.polygonize(lines).geoms:
            ring = [place[xy] for xy in polygon.exterior.coords[:-1]]
            along = sum(side in running for side in zip(ring, np.roll(ring, -1).tolist(), strict=True))
            against = polygon.exterior.is_ccw != (2 * along > len(ring))
            for piece in shapely.constrained_delaunay_triangles(polygon).geoms:  # across a deck, also with sheer
                corners = [place[xy] for xy in piece.exterior.coords[:-1]]
                lids.append(np.array([corners if piece.exterior.is_ccw == against else corners[::-1]]))
            sizes.append((polygon.area, points[ring].mean(axis=0)))
    if not sizes:
        return triangles, ()
    area, middle = max(sizes, key=lambda size: size[0])
    where = N_("{area:.3g} m² around {middle}", area, _rounded(middle))
    several = N_("{sizes} openings were closed by lids, the largest of {where}", len(sizes), where)
    return np.concatenate(lids), (
        (several if len(sizes) > 1 else N_("an opening was closed by a lid of {where}", where)),
    )


def outer(points: Array, triangles: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """The triangles between a solid and the space around it, seen from there, and what was dropped.

    Around each edge two triangles that follow each other share the space between them: so the space falls into cells,
    of which the one outside encloses the others. Triangles with no side there are walls, those with both are loose. As
    given where no edge has more than two triangles, or much is loose, as all of an open surface is.
    """
    edge, count = edges_of_sides(triangles)
    if (count < 3).all():
        return triangles, ()
    m, order, last = len(triangles), np.argsort(edge, kind="stable"), np.cumsum(count)
    few = [order[count[edge[order]] == n].reshape(-1, n) for n in (1, 2)]
    pairs = [few[0][:, [0, 0]], few[1], few[1][:, ::-1]]
    for one in np.flatnonzero(count > 2):
        around = order[last[one] - count[one] : last[one]]
        angle, upward = _turns(points, triangles, around)
        around = around[np.lexsort((upward, angle))]
        pairs.append(np.stack([around, np.roll(around, -1)], axis=1))
    first, second = np.concatenate(pairs).T
    upward = np.less(*sides(triangles).T)
    # the side of a triangle from which it is seen counter-clockwise is m + i, the other one is i
    links = np.stack([first % m + m * upward[first], second % m + m * ~upward[second]])
    cells, cell = connected(links, 2 * m)
    parts, part = connected(np.stack([first, second]) % m, m)
    a, b, c = np.moveaxis(points[triangles] - points.mean(axis=0), 1, 0)
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    enclosed = np.bincount(cell, np.concatenate([volume, -volume]), cells)
    within = np.zeros(cells, np.int64)
    within[cell] = np.tile(part, 2)
    largest = np.argsort(-enclosed)
    around_part = np.zeros(parts, np.int64)
    around_part[within[largest]] = largest  # the last one: of the space around a solid the volume is negative
    behind, before = np.isin(cell, around_part).reshape(2, m)
    solid = np.isin(part, part[behind != before])
    loose, wall = solid & behind & before, solid & ~behind & ~before
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    if not solid.any() or area[loose].sum() > LOOSE * area[behind != before].sum():
        return triangles, ()
    wrong = solid & behind & ~before
    seen = []
    for gone in (wall, loose):
        place = _rounded(points[triangles[np.argmax(area * gone)]].mean(axis=0))
        seen.append((_triangles(int(gone.sum())), N_("{area:.3g} m², near {place}", area[gone].sum(), place)))
    (walls, at_walls), (sheets, at_sheets) = seen
    notes = [N_("{walls} of walls inside dropped, {at_walls}", walls, at_walls)] if wall.any() else []
    notes += [N_("{sheets} that hang loose dropped, {at_sheets}", sheets, at_sheets)] if loose.any() else []
    if wrong.any():
        notes.append(N_("{wrong} turned to face outwards", _triangles(int(wrong.sum()))))
    return np.where(wrong[:, None], triangles[:, ::-1], triangles)[~(wall | loose)], tuple(notes)


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
    _, label = connected(links, 3 * m)
    _, at, corner = np.unique(label, return_index=True, return_inverse=True)
    edges = (
        N_("{crowded} edge of more than two triangles", len(crowded))
        if len(crowded) == 1
        else N_("{crowded} edges of more than two triangles", len(crowded))
    )
    note = N_(
        "the surface was cut apart along {edges}, near {crowded}",
        edges,
        _place(points[number[order[last[crowded[0]] - 1]]]),
    )
    return points[number[at]], corner.reshape(3, m).T, (note,)


def _turns(points: Array, triangles: np.ndarray, around: np.ndarray) -> tuple[Array, np.ndarray]:
    """Angles about an edge of the triangles that meet there with a side each, and whether their outside is beyond."""
    m = len(triangles)
    ends = sides(triangles)[around]
    low, high = ends[0].min(), ends[0].max()
    along = points[high] - points[low]
    along = along / max(float(np.linalg.norm(along)), 1e-300)
    out = points[triangles[around % m, around // m - 1]] - points[low]
    out -= (out @ along)[:, None] * along
    x = out[0] / max(float(np.linalg.norm(out[0])), 1e-300)
    angle = np.round(np.mod(np.arctan2(out @ np.cross(along, x), out @ x) + ALIKE, 2.0 * np.pi), 6)
    return angle, ends[:, 0] == low


def _wedges(points: Array, triangles: np.ndarray, around: np.ndarray) -> np.ndarray | None:
    """Pairs (n, 2) of the sides that meet in an edge, each with the solid between them; None where there are none."""
    angle, upward = _turns(points, triangles, around)
    for first in (~upward, upward):  # of triangles that lie on each other: between two solids, or around a thin one
        turn = np.lexsort((first, angle))
        if not (upward[turn] == np.roll(upward[turn], 1)).any():
            turn = np.roll(turn, -1) if upward[turn[0]] else turn
            return np.asarray(around[turn].reshape(-1, 2))
    return None


# ---- closed surfaces ----------------------------------------------------------------------------------

MAX_TRIANGLES = 200_000  # triangles of a body
MOST_NAMED = 8  # parts whose names a note gives
TRY = N_(", or try a repair (--repair, or repair = true in a scenario)")
NO_LID = N_(": no flat lid does")


def closed(
    mesh: Mesh, instead: str = N_(", or take shape = 'hull'"), repair: bool = False
) -> tuple[Mesh, tuple[str, ...]]:
    """The mesh as one closed surface with its triangles counter-clockwise from outside, and what was repaired.

    ``instead`` ends the sentences about a mesh that is not closed: what else would serve, or nothing. ``repair``:
    whether more is repaired than what is safe.

    Raises ScenarioError that says what is wrong with a mesh that encloses no solid.
    """
    if not len(mesh.triangles):
        raise ScenarioError("", N_("points without triangles have no surface; expected triangles{instead}", instead))
    if len(mesh.triangles) > MAX_TRIANGLES:
        raise ScenarioError(
            "",
            N_(
                "{triangles} triangles are more than {most}; decimate the mesh{instead}",
                len(mesh.triangles),
                MAX_TRIANGLES,
                instead,
            ),
        )
    if len(mesh.parts) > 1:
        return _of_parts(mesh, instead, repair)
    points, triangles, lost = _with_area(*_joined(mesh))
    notes = (N_("{lost} without area dropped", _triangles(lost)),) if lost else ()
    if repair:
        points, triangles, changes = conforming(points, triangles)
        notes = (*notes, *changes)
    points, triangles, gaps = without_gaps(points, triangles)
    notes = (*notes, *gaps)
    if repair:
        triangles, lids = lidded(points, triangles)
        triangles, dropped = outer(points, triangles)
        points, triangles, changes = cut_apart(points, triangles)
        notes = (*notes, *lids, *dropped, *changes)
    pairs = _pairs(points, triangles, *((instead, NO_LID) if repair else (TRY + instead, "")))
    triangles, turned = _outward(points, triangles, pairs, instead, several=repair)
    if repair:
        points, triangles, joined = _of_shells(points, triangles)
        turned = (*turned, *joined)
    return Mesh(*corners_of(points, triangles), mesh.notes), (*notes, *turned)


# ---- several parts ------------------------------------------------------------------------------------


def _of_parts(mesh: Mesh, instead: str, repair: bool) -> tuple[Mesh, tuple[str, ...]]:
    """The union of the parts of a mesh, each of them closed; or all of it as one surface, as of a box with its lid.

    A repair takes it as one surface first: so walls between parts that touch go. ScenarioError, which names the part,
    where neither is so, and where a part is a cavity in another.
    """
    if repair:
        with suppress(ScenarioError):
            return closed(mesh._replace(parts=()), instead, repair)
    solids, notes, inwards = list[tuple[Array, np.ndarray]](), list[str](), list[bool]()
    ends = np.cumsum([count for _, count in mesh.parts])
    for (name, count), end in zip(mesh.parts, ends, strict=True):
        given = Mesh(*corners_of(mesh.points, mesh.triangles[end - count : end]))
        try:
            part, said = closed(given, instead, repair)
        except ScenarioError as error:
            if not repair:
                with suppress(ScenarioError):
                    return closed(mesh._replace(parts=()), instead)
            text = N_("part '{name}': {reason}; or choose the parts by nodes", name, error.message)
            raise ScenarioError("", text) from None
        solids.append((part.points, part.triangles))
        inwards.append(volume(given.points, given.triangles) < 0.0)
        notes += [N_("part '{name}': {note}", name, note) for note in said]
    found = united(solids)
    boxes = np.array([(points.min(axis=0), points.max(axis=0)) for points, _ in solids])
    for i in found.swallowed:
        name = mesh.parts[i][0]
        meets = (boxes[:, 0] < boxes[i, 1]).all(axis=1) & (boxes[:, 1] > boxes[i, 0]).all(axis=1)
        if (np.array(inwards)[meets] != inwards[i]).any():
            text = N_("part '{name}' lies in others and is wound as a cavity; expected parts without cavities", name)
            raise ScenarioError("", text)
    names = ", ".join(name for name, _ in mesh.parts[:MOST_NAMED]) + (", …" if len(mesh.parts) > MOST_NAMED else "")
    if found.after < found.before:
        one = N_("{count} parts made one solid of {after:.4g} m³", len(solids), found.after)
        notes.append(N_("{found}; on their own they have {before:.4g} m³: {names}", one, found.before, names))
    else:
        notes.append(N_("{count} parts taken together, which do not overlap: {names}", len(solids), names))
    return Mesh(found.points, found.triangles, mesh.notes), tuple(notes)


def _of_shells(points: Array, triangles: np.ndarray) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """Several closed surfaces in one mesh as one solid; ScenarioError where one lies in others."""
    m = len(triangles)
    pairs = _pairs(points, triangles) % m
    count, label = connected(pairs.T, m)
    if count < 2:
        return points, triangles, ()
    solids = [corners_of(points, triangles[label == shell]) for shell in range(count)]
    made = united(solids)
    if made.swallowed:  # which is the solid is not known: it may be a cavity
        inner = solids[made.swallowed[0]][0]
        where = _place(0.5 * (inner.min(axis=0) + inner.max(axis=0)))
        raise ScenarioError("", N_("a surface around {where} lies in another; expected the outer one", where))
    note = N_("{kept} separate surfaces taken together, which do not overlap", count)
    if made.after < made.before:
        found = N_("{kept} separate surfaces made one solid of {after:.4g} m³", count, made.after)
        note = N_("{found}; on their own they have {before:.4g} m³", found, made.before)
    return made.points, made.triangles, (note,)


def is_convex(mesh: Mesh) -> bool:
    """Return True if a closed surface is convex, but for rounding: it bends outwards over every edge."""
    points, triangles = mesh.points, mesh.triangles
    if 2 * len(points) - len(triangles) != 4:  # it has several parts, or goes round a hole
        return False
    first, second = _pairs(points, triangles).T
    m, apex = len(triangles), np.roll(triangles, -2, axis=1).T.reshape(-1)  # the corner opposite to each side
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals /= np.maximum(lengths, 1e-300)
    above = np.einsum("ij,ij->i", normals[first % m], points[apex[second]] - points[apex[first]])
    return bool(above.max() <= 1e-5 * float(np.ptp(points, axis=0).max()))


def _place(place: Array) -> str:
    """A place [m] in words."""
    return f"({', '.join(f'{x:.4g}' for x in place)})"


def _rounded(place: Array) -> str:
    """A place that was computed, in words, without the rounding of zeros."""
    return _place(np.round(place, 9) + 0.0)


def _triangles(n: int) -> Wording:
    return N_("{n} triangle", n) if n == 1 else N_("{n} triangles", n)


def _joined(mesh: Mesh) -> tuple[Array, np.ndarray]:
    """Points and triangles with equal points as one; an .stl repeats every corner: that needs no note."""
    points, number = np.unique(mesh.points + 0.0, axis=0, return_inverse=True)  # -0.0 is 0.0
    return points, number.reshape(-1)[mesh.triangles]


def _with_area(points: Array, triangles: np.ndarray) -> tuple[Array, np.ndarray, int]:
    """The triangles without those that have no area, and how many these were; slivers that close the surface stay."""
    corners = np.sort(triangles, axis=1)
    whole = (corners[:, :-1] != corners[:, 1:]).all(axis=1)
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    longest = np.max([((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    broad = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-10 * longest
    if not broad.any():
        raise ScenarioError("", N_("all triangles are without area; expected a solid"))
    if (edges_of_sides(triangles[broad])[1] == 1).any():
        broad = whole
    return points, triangles[broad], int((~broad).sum())


def _pairs(points: Array, triangles: np.ndarray, instead: str = "", lids: str = "") -> np.ndarray:
    """(e, 2) numbers of the two sides that meet in each edge; ScenarioError where there are not two."""
    edge, count = edges_of_sides(triangles)
    if n := int((count == 1).sum()):
        found = N_("{n} edge borders one triangle only", n) if n == 1 else N_("{n} edges border one triangle only", n)
        where = _longest(points, triangles, edge, count == 1)
        raise ScenarioError(
            "", N_("the mesh is open: {found}, the longest {where}; close it{instead}", found, where, lids or instead)
        )
    if n := int((count > 2).sum()):
        found, where = (
            N_("{n} edge of more than two triangles", n) if n == 1 else N_("{n} edges of more than two triangles", n),
            _longest(points, triangles, edge, count > 2),
        )
        raise ScenarioError(
            "", N_("{found}, the longest {where}; expected the surface of a solid{instead}", found, where, instead)
        )
    return np.argsort(edge, kind="stable").reshape(-1, 2)


def _longest(points: Array, triangles: np.ndarray, edge: np.ndarray, which: np.ndarray) -> str:
    """Place of the longest of some edges, in words."""
    ends = sides(triangles)[which[edge]]
    longest = np.argmax(((points[ends[:, 0]] - points[ends[:, 1]]) ** 2).sum(axis=1))
    start, end = map(_place, points[ends[longest]])
    return N_("from {start} to {end}", start, end)


def _outward(
    points: Array, triangles: np.ndarray, pairs: np.ndarray, instead: str, several: bool = False
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The triangles, all counter-clockwise from outside."""
    m = len(triangles)
    first, second = pairs.T % m
    start = triangles.T.reshape(-1)  # of each side
    # a triangle m + i is i turned; neighbours agree where they run through their edge in opposite directions
    turned = np.where(start[pairs[:, 0]] == start[pairs[:, 1]], m, 0)
    links = np.concatenate([np.stack([first, second + turned]), np.stack([first + m, second + m - turned])], axis=1)
    groups, label = connected(links, 2 * m)
    if (label[:m] == label[m:]).any():
        raise ScenarioError("", N_("the surface has one side only; expected the surface of a solid{instead}", instead))
    shells = groups // 2
    if shells > 1 and not several:
        raise ScenarioError("", N_("{shells} separate surfaces; expected one{try}{instead}", shells, TRY, instead))
    # of each surface, the one of its two sides that its first triangle is seen from; then the one outside
    part = np.minimum(label[:m], label[m:])
    parts, shell = np.unique(part, return_inverse=True)
    seen = label[:m][np.array([np.argmax(part == one) for one in parts])]
    wrong = label[:m] != seen[shell]
    corners = points[np.where(wrong[:, None], triangles[:, ::-1], triangles)]
    a, b, c = np.moveaxis(corners - points.mean(axis=0), 1, 0)
    volumes = np.bincount(shell, np.einsum("ij,ij->i", a, np.cross(b, c))) / 6.0
    solid = np.abs(volumes) > 1e-9 * float(np.ptp(points, axis=0).max()) ** 3
    if not solid.any():
        raise ScenarioError("", N_("the surface encloses no volume; expected a solid"))
    wrong ^= (volumes < 0.0)[shell]
    triangles = np.where(wrong[:, None], triangles[:, ::-1], triangles)[solid[shell]]
    wrong = wrong[solid[shell]]
    notes = []
    if lost := int((~solid).sum()):
        one, many = N_("{n} surface without volume dropped", lost), N_("{n} surfaces without volume dropped", lost)
        notes.append(one if lost == 1 else many)
    if wrong.any():
        which = N_("the mesh was inside out: all triangles") if wrong.all() else _triangles(int(wrong.sum()))
        notes.append(N_("{which} turned to face outwards", which))
    return triangles, tuple(notes)
