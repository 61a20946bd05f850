"""Closed surfaces: whether a triangle mesh encloses a solid, and the repairs that are safe, each told.

What is repaired: points given more than once are joined, triangles without area are dropped, small gaps are closed,
triangles that face the wrong way are turned. What is refused: open edges of wider gaps, edges of more than two
triangles, surfaces with one side only, several separate surfaces, no volume. Who asks for it gets further repairs, see
physics.bodies.mesh_repair, and several surfaces side by side. Whether the surface cuts itself is not looked for.
"""

from __future__ import annotations

import numpy as np

from physics.bodies.edges import edges_of_sides, sides
from physics.bodies.gaps import without_gaps
from physics.bodies.mesh_io import Mesh
from physics.bodies.mesh_repair import conforming, cut_apart
from physics.core.errors import ScenarioError
from physics.core.rotation import Array

MOST = 200_000  # triangles of a body
TRY = ", or try a repair (--repair, or repair = true in a scenario)"


def closed(mesh: Mesh, instead: str = ", or take shape = 'hull'", repair: bool = False) -> tuple[Mesh, tuple[str, ...]]:
    """The mesh as one closed surface with its triangles counter-clockwise from outside, and what was repaired.

    ``instead`` ends the sentences about a mesh that is not closed: what else would serve, or nothing. ``repair``:
    whether more is repaired than what is safe.

    Raises ScenarioError that says what is wrong with a mesh that encloses no solid.
    """
    if not len(mesh.triangles):
        raise ScenarioError("", f"points without triangles have no surface; expected triangles{instead}")
    if len(mesh.triangles) > MOST:
        raise ScenarioError("", f"{len(mesh.triangles)} triangles are more than {MOST}; decimate the mesh{instead}")
    points, triangles, lost = _with_area(*_joined(mesh))
    notes = (f"{_counted(lost, 'triangle')} without area dropped",) if lost else ()
    if repair:
        points, triangles, changes = conforming(points, triangles)
        notes = (*notes, *changes)
    points, triangles, gaps = without_gaps(points, triangles)
    notes = (*notes, *gaps)
    if repair:
        points, triangles, changes = cut_apart(points, triangles)
        notes = (*notes, *changes)
    pairs = _pairs(points, triangles, instead if repair else f"{TRY}{instead}")
    triangles, turned = _outward(points, triangles, pairs, instead, several=repair)
    used, numbers = np.unique(triangles, return_inverse=True)
    return Mesh(points[used], numbers.reshape(-1, 3), mesh.notes), (*notes, *turned)


def is_convex(mesh: Mesh) -> bool:
    """Whether a closed surface is that of a convex body, but for rounding: it bends outwards over every edge."""
    points, triangles, _ = mesh
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


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


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
        raise ScenarioError("", "all triangles are without area; expected a solid")
    if (edges_of_sides(triangles[broad])[1] == 1).any():
        broad = whole
    return points, triangles[broad], int((~broad).sum())


def _pairs(points: Array, triangles: np.ndarray, instead: str = "") -> np.ndarray:
    """(e, 2) numbers of the two sides that meet in each edge; ScenarioError where there are not two."""
    edge, count = edges_of_sides(triangles)
    if n := int((count == 1).sum()):
        found = f"{_counted(n, 'edge')} {'borders' if n == 1 else 'border'} one triangle only"
        where = _place(points, triangles, edge, count == 1)
        raise ScenarioError("", f"the mesh is open: {found}, the longest {where}; close it{instead}")
    if n := int((count > 2).sum()):
        found, where = f"{_counted(n, 'edge')} of more than two triangles", _place(points, triangles, edge, count > 2)
        raise ScenarioError("", f"{found}, the longest {where}; expected the surface of a solid{instead}")
    return np.argsort(edge, kind="stable").reshape(-1, 2)


def _place(points: Array, triangles: np.ndarray, edge: np.ndarray, which: np.ndarray) -> str:
    """Where the longest of some edges is, in words."""
    ends = sides(triangles)[which[edge]]
    longest = np.argmax(((points[ends[:, 0]] - points[ends[:, 1]]) ** 2).sum(axis=1))
    start, end = (", ".join(f"{x:.4g}" for x in points[one]) for one in ends[longest])
    return f"from ({start}) to ({end})"


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
    from scipy.sparse import coo_array  # here: it takes long to load, and a window waits for it
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(coo_array((np.ones(links.shape[1], bool), links), (2 * m, 2 * m)), directed=False)
    if (label[:m] == label[m:]).any():
        raise ScenarioError("", f"the surface has one side only; expected the surface of a solid{instead}")
    shells = (label.max() + 1) // 2
    if shells > 1 and not several:
        raise ScenarioError("", f"{shells} separate surfaces; expected one{TRY}{instead}")
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
        raise ScenarioError("", "the surface encloses no volume; expected a solid")
    _check_apart(points, triangles, shell, np.flatnonzero(solid))
    wrong ^= (volumes < 0.0)[shell]
    triangles = np.where(wrong[:, None], triangles[:, ::-1], triangles)[solid[shell]]
    wrong = wrong[solid[shell]]
    notes = []
    if lost := int((~solid).sum()):
        notes.append(f"{_counted(lost, 'surface')} without volume dropped")
    if (kept := int(solid.sum())) > 1:
        notes.append(f"{kept} separate surfaces taken together; where they overlap the volume counts twice")
    if wrong.any():
        which = "the mesh was inside out: all triangles" if wrong.all() else _counted(int(wrong.sum()), "triangle")
        notes.append(f"{which} turned to face outwards")
    return triangles, tuple(notes)


def _check_apart(points: Array, triangles: np.ndarray, shell: np.ndarray, kept: np.ndarray) -> None:
    """ScenarioError where one of several surfaces may lie in another: which is the solid is then not known."""
    boxes = [points[triangles[shell == one]].reshape(-1, 3) for one in kept]
    low, high = (np.array([edge(box, axis=0) for box in boxes]) for edge in (np.min, np.max))
    for i in range(len(kept)):
        around = ((low <= low[i]) & (high >= high[i])).all(axis=1)
        around[i] = False
        if around.any():
            x, y, z = 0.5 * (low[i] + high[i])
            raise ScenarioError(
                "", f"a surface around ({x:.4g}, {y:.4g}, {z:.4g}) lies in another; expected the outer one"
            )
