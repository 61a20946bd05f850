"""Bodies: meshes with bevelled edges, shades by face and the grain of stone, and their actors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from app.stage.actor_group import placed, polygons, put, rgb, tinted, winding_normals
from app.stage.bodies.arrows import head, one_mesh, shaft
from app.stage.lane_track import Pose, PosedGroup
from app.stage.lighting import mirror
from app.stage.theme_colours import StageColours
from physics.bodies.body import Body
from physics.core.rotation import Array


class BodyActor(PosedGroup):
    """The body of one lane as a mesh in body axes [m].

    closed : a closed surface, whose back faces need not be drawn; sunlit : without the reflections of the studio
    skin : surfaces with the materials of the body's file, which are seen in place of the mesh
    axle : rod from the fixed point of a body, with colours of its own, which is seen beside the skin
    """

    def __init__(
        self,
        mesh: pv.PolyData,
        *,
        specular: float = 0.2,
        closed: bool = False,
        sunlit: bool = False,
        skin: Sequence[Skin] = (),
        axle: pv.PolyData | None = None,
    ) -> None:
        super().__init__()
        self.axle = axle if skin else None
        self.actor = self.add(mesh, specular=specular, ambient=0.14, culling="back" if closed else "none")
        rods = [] if self.axle is None else [Skin(self.axle, None, 0.2, 40.0, closed=False, clear=False)]
        self.worn = [self._wear(one) for one in (*skin, *rods)]
        if skin:
            self.props.remove(self.actor)
            self.actors.remove(self.actor)
        if not sunlit:
            for actor in (self.actor, *self.worn):
                mirror(actor)

    def _wear(self, skin: Skin) -> pv.Actor:
        actor = self.add(skin.mesh, specular=skin.specular, ambient=0.14, culling="back" if skin.closed else "none")
        actor.prop.specular_power = skin.power
        if skin.texture is not None:
            actor.SetTexture(skin.texture)
        if skin.clear:
            actor.ForceTranslucentOn()
        else:
            actor.ForceOpaqueOn()
        return actor

    def show(self, pose: Pose) -> None:
        matrix = placed(pose.rotation, pose.place, pose.scale)
        for actor in (self.actor, *self.worn):
            put(actor, matrix)


@dataclass(frozen=True, eq=False)
class Skin:
    """A surface of one material, as the stage draws it.

    mesh : in body axes [m], with colours and, where there is a texture, places on it; specular, power : its shine;
    closed : seen from outside alone; clear : one sees through it
    """

    mesh: pv.PolyData
    texture: pv.Texture | None
    specular: float
    power: float
    closed: bool
    clear: bool


class Axes(PosedGroup):
    """The body axes x, y, z as slim arrows of ``lengths`` (3,) [m], or one for all; 0: no arrow."""

    overlay = "axes"

    def __init__(self, body: Body, look: StageColours, lengths: Array | float) -> None:
        super().__init__()
        arrows, colours = [], []
        thick, tip = 0.011 * body.radius, 0.16 * body.radius
        for axis, (colour, length) in enumerate(zip(look.axes, np.broadcast_to(lengths, 3), strict=True)):
            if length <= 0.0:
                continue
            for piece in (shaft(16).sized(length - tip, thick), head(24).sized(tip, 3.2 * thick, length - tip)):
                arrows.append(piece.along(axis))
                colours.append(tinted(colour, np.full(len(piece.points), 255)))
        mesh = one_mesh(arrows)
        mesh.point_data["rgba"] = np.concatenate(colours)
        self.actor = self.add(mesh, specular=0.2, culling="back")

    def show(self, pose: Pose) -> None:
        put(self.actor, placed(pose.rotation, pose.place, pose.scale))


SMOOTH = 40  # a hull with more faces than this is drawn as a curved body
PLANED, WORN = 0.022, 0.032  # width of bevels of a machined body and of a rock, in radii
NODES = 24  # along a side of the cube of noise
SHARP, SOFT = math.cos(math.radians(35.0)), 0.6  # cosines of the bend at which edges are sharp; of curved hulls
FINE = 600  # a body with more triangles than this is drawn by its own triangles, without bevels


def outward(triangles: Array) -> Array:
    """Unit normals (n, 3) of triangles (n, 3, 3), away from the origin, which lies inside the convex body."""
    normals = winding_normals(triangles)
    return normals * np.where(np.einsum("ij,ij->i", normals, triangles.mean(axis=1)) < 0, -1.0, 1.0)[:, None]


def plane_faces(body: Body) -> list[list[int]]:
    """The plane faces of a convex body: the numbers of their corners, counter-clockwise from outside.

    A corner belongs to three faces at least: others lie on an edge, or within a face.
    """
    borders: list[tuple[Array, set[tuple[int, int]]]] = []  # normal of each face, and its sides
    normals = winding_normals(body.vertices[body.faces] / body.radius, 1e-9)
    for normal, (a, b, c) in zip(normals, body.faces.tolist(), strict=True):
        border = next((border for known, border in borders if known @ normal > 1 - 1e-6), None)
        if border is None:
            borders.append((normal, border := set()))
        for one, other in ((a, b), (b, c), (c, a)):
            if (other, one) in border:
                border.remove((other, one))  # it lies within the face
            else:
                border.add((one, other))
    loops = [_loop(dict(border)) for _, border in borders]
    while True:
        faces = Counter(corner for loop in loops for corner in loop)
        kept = [[corner for corner in loop if faces[corner] > 2] for loop in loops]
        if kept == loops:
            return loops
        loops = [loop for loop in kept if len(loop) > 2]  # triangles without area have closed gaps between others


def _loop(after: Mapping[int, int]) -> list[int]:
    """Numbers in the order in which they follow on one another, around and around."""
    loop = [next(iter(after))]
    while (following := after[loop[-1]]) != loop[0]:
        loop.append(following)
    return loop


def bevelled(body: Body, width: float) -> tuple[Array, Array, NDArray[np.bool_]]:
    """A convex body with bevelled edges: triangles (n, 3, 3) [m], normals (n, 3), and a mask (n,) of the bevels.

    Each face is smaller, each edge a quadrangle, and each corner a polygon.

    width : distance [m] of each face from its former edges
    """
    loops = plane_faces(body)
    insets = [dict(zip(loop, _inset(body.vertices[loop], width), strict=True)) for loop in loops]
    left = {(a, b): face for face, loop in enumerate(loops) for a, b in zip(loop, [*loop[1:], loop[0]], strict=True)}
    faces = [_fan([*inset.values()]) for inset in insets]
    bevels = []
    clockwise: dict[int, dict[int, int]] = {}  # around each corner, the face that follows on each
    for (a, b), face in left.items():
        beyond = clockwise.setdefault(a, {})[face] = left[b, a]
        if a < b:
            bevels.append(_fan([insets[face][b], insets[face][a], insets[beyond][a], insets[beyond][b]]))
    for corner, after in clockwise.items():
        bevels.append(_convex([insets[face][corner] for face in reversed(_loop(after))]))
    triangles = np.array([corners for piece in (*faces, *bevels) for corners in piece])
    return triangles, winding_normals(triangles), np.arange(len(triangles)) >= sum(map(len, faces))


def _fan(ring: Sequence[Array]) -> list[list[Array]]:
    """Triangles of a plane convex polygon."""
    return [[ring[0], *pair] for pair in pairwise(ring[1:])]


def _convex(ring: Sequence[Array]) -> list[list[Array]]:
    """Triangles of a ring of points (3,), counter-clockwise from outside: beyond none of them is another point."""
    if len(ring) < 4:
        return [[*ring]]
    points = np.array(ring)
    first, between, last = points[0], points[1:-1], points[-1]
    normals = np.cross(between - first, last - first)
    beyond = (normals @ (points - first).T).max(axis=1) / np.linalg.norm(normals, axis=1)
    k = 1 + int(np.argmin(np.round(beyond / np.linalg.norm(last - first), 6)))  # rounded: in a plane, the first
    pieces = (ring[: k + 1], [first, ring[k], last], ring[k:])
    return [triangle for piece in pieces if len(piece) > 2 for triangle in _convex(piece)]


def _inset(corners: Array, width: float) -> Array:
    """A plane polygon (k, 3) shrunk by ``width``, or less, so that more than half of each side is left."""
    along = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(along, axis=1, keepdims=True)
    ahead = along / lengths
    back = -np.roll(ahead, 1, axis=0)
    turns = np.cross(ahead, back)
    sine = np.maximum(np.linalg.norm(turns, axis=1, keepdims=True), 1e-12)
    cotangent = (1.0 + np.sum(ahead * back, axis=1, keepdims=True)) / sine  # of half the angle
    width = min(width, 0.4 * float((lengths / (cotangent + np.roll(cotangent, -1, axis=0))).min()))
    return np.asarray(corners + width * (cotangent * ahead + np.cross(turns / sine, ahead)))


def soup(triangles: Array, normals: Array, colours: Array) -> pv.PolyData:
    """A mesh of triangles (n, 3, 3) with equal corners merged; normals and colours (0 to 255): (n, 3) or (n, 3, 3)."""
    normals, colours = _by_corner(normals), _by_corner(colours)
    winding = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    turned = np.einsum("ij,ij->i", winding, normals.sum(axis=1)) < 0  # VTK lights a face from its winding too
    corners = np.where(turned[:, None], [0, 2, 1], [0, 1, 2])
    triangles, normals, colours = (
        np.take_along_axis(values, corners[..., None], axis=1).reshape(-1, 3)
        for values in (triangles, normals, colours)
    )
    shades = colours.clip(0, 255).astype(np.uint8)
    points, normals = triangles.astype(np.float32), normals.astype(np.float32)
    kept, faces = distinct(points, normals, shades)
    mesh = polygons(points[kept], faces.reshape(-1, 3), normals[kept])
    mesh.point_data["rgba"] = np.column_stack([shades[kept], np.full(len(kept), 255, np.uint8)])
    return mesh


def distinct(*columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices of distinct corners by columns (n, 3), and the distinct corner of each corner (n,).

    Of 28 000 corners of a T-handle 5600 are left, which software draws in less time.
    """
    rows = np.column_stack([np.ascontiguousarray(column).view(np.uint8).reshape(len(column), -1) for column in columns])
    whole = rows.view(np.dtype((np.void, rows.shape[1])))[:, 0]
    _, kept, alike = np.unique(whole, return_index=True, return_inverse=True)
    return kept, alike


def _by_corner(values: Array) -> Array:
    """Values of triangles (n, 3) or of their corners (n, 3, 3), as values of corners."""
    return np.repeat(values[:, None], 3, axis=1) if values.ndim == 2 else values


def swept_around(line: Array, sides: int) -> Array:
    """Quadrangles (n, 4, 3) that a line (m, 2) of distances from z and heights sweeps around z."""
    turn = 2.0 * np.pi * np.arange(sides + 1) / sides
    flat = line[:, None, :1] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    high = np.broadcast_to(line[:, None, 1:], (len(line), sides + 1, 1))
    return quadrangles(np.concatenate([flat, high], axis=2))


def quadrangles(grid: Array) -> Array:
    """Corners ((n - 1) (m - 1), 4, k) of the cells of a grid of points (n, m, k)."""
    corners = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2)
    return corners.reshape(-1, 4, grid.shape[2])


def in_triangles(corners: Array) -> Array:
    """Triangles (2 n, 3, 3) of quadrangles (n, 4, 3)."""
    return np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])


def machined(
    body: Body, shades: tuple[str, str, str], edge: str, tint: float = 0.0, *, marked: bool = True
) -> pv.PolyData:
    """The body as a machined part: a shade for the faces across each axis, edges bevelled and coloured.

    tint : share of the edges' colour in the faces, 0 to 1; marked : whether a cuboid has marks on its faces
    """
    tints = np.array([(1 - tint) * rgb(shade) + tint * rgb(edge) for shade in shades])
    if as_given(body):
        return moulded(body, tints)
    if len(plane_faces(body)) > SMOOTH:
        return moulded(body, tints, SOFT)
    triangles, normals, bevel = bevelled(body, PLANED * body.radius)
    across = np.argmax(np.abs(normals), axis=1)
    colours = np.where(bevel[:, None], rgb(edge), tints[across])
    parts = [(triangles, normals, colours), *(_marks(body, tints) if marked and len(body.vertices) == 8 else ())]
    return soup(*(np.concatenate(values) for values in zip(*parts, strict=True)))


def as_given(body: Body) -> bool:
    """True if a body is drawn by its own triangles: bevels need a convex body with few faces."""
    return not body.convex or len(body.faces) > FINE


def moulded(body: Body, shades: Array, fold: float = SHARP) -> pv.PolyData:
    """A body by its own triangles: smooth where it is curved, its octants in two shades so that its rotation shows."""
    return _octants(*smoothed(body.vertices, body.faces, fold), shades)


def smoothed(points: Array, faces: np.ndarray, fold: float = SHARP) -> tuple[Array, Array]:
    """Triangles (n, 3, 3) [m] of points, and the normals (n, 3, 3) at their corners, smooth where these are curved.

    Each is the mean of those of the faces around, weighted by their angles there.

    fold : cosine of the angle between faces at an edge that stays sharp
    """
    triangles = points[faces]
    normals = winding_normals(triangles)
    ways = np.roll(triangles, -1, axis=1) - triangles
    ways /= np.maximum(np.linalg.norm(ways, axis=2, keepdims=True), 1e-30)
    angles = np.arccos(np.clip(-np.sum(ways * np.roll(ways, 1, axis=1), axis=2), -1.0, 1.0)).ravel()
    corners = faces.ravel()
    order = np.argsort(corners, kind="stable")
    start, count = np.searchsorted(corners[order], corners), np.bincount(corners)[corners]
    smooth, here = np.zeros((len(corners), 3)), np.arange(len(corners))
    for number in range(int(count.max())):  # each corner with one corner more at its vertex
        here = here[count[here] > number]
        other = order[start[here] + number]
        alike = np.einsum("ij,ij->i", normals[here // 3], normals[other // 3]) > fold
        smooth[here] += (alike * angles[other])[:, None] * normals[other // 3]
    smooth /= np.maximum(np.linalg.norm(smooth, axis=1, keepdims=True), 1e-30)
    return triangles, smooth.reshape(-1, 3, 3)


def _octants(triangles: Array, smooth: Array, shades: Array) -> pv.PolyData:
    """Triangles (n, 3, 3) with normals at their corners (n, 3, 3), every other octant in another shade."""
    corners = np.concatenate([triangles, smooth], axis=2)
    for axis in range(3):
        corners = cut(corners, axis)
    triangles, smooth = corners[..., :3], corners[..., 3:]
    even = np.prod(triangles.mean(axis=1), axis=1) > 0
    return soup(triangles, smooth, np.where(even[:, None], shades[2], shades[0]))


def cut(corners: Array, axis: int, at: float = 0.0) -> Array:
    """Triangles (n, 3, ...) cut where their coordinate along an axis is ``at``; what corners carry is interpolated."""
    ahead = corners[..., axis] > at
    lone = np.where(ahead.sum(axis=1, keepdims=True) == 1, ahead, ~ahead)  # the corner that is alone on its side
    across = ahead.any(axis=1) & ~ahead.all(axis=1)
    order = (np.argmax(lone[across], axis=1)[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(corners[across], order[..., None], axis=1), 1, 0)
    ab, ac = (a + ((a[:, axis] - at) / (a[:, axis] - p[:, axis]))[:, None] * (p - a) for p in (b, c))
    pieces = [np.stack(piece, axis=1) for piece in ((a, ab, ac), (ab, b, c), (ab, c, ac))]
    return np.concatenate([corners[~across], *pieces])


def _marks(body: Body, tints: Array) -> list[tuple[Array, Array, Array]]:
    """A disc on the three positive faces of a cuboid and a ring on the negative ones, to show its attitude.

    Each has triangles (n, 3, 3), normals (n, 3) and colours (n, 3).
    """
    marks, half = [], body.extents / 2
    for axis in range(3):
        size = 0.42 * min(half[k] for k in range(3) if k != axis)
        for sign, inner in ((1.0, 0.0), (-1.0, 0.68)):
            normal = sign * np.eye(3)[axis]
            triangles = normal * (half[axis] * 1.003) + size * np.roll(_disc(inner), axis + 1, axis=2)
            n = len(triangles)
            marks.append((triangles, np.tile(normal, (n, 1)), np.tile(tints[axis] * 0.55, (n, 1))))
    return marks


@lru_cache(maxsize=2)
def _disc(inner: float) -> Array:
    """Triangles (n, 3, 3) of a disc of radius 1 across z, with a hole."""
    disc = pv.Disc(inner=inner, outer=1.0, c_res=64).triangulate()
    corners: Array = np.asarray(disc.points, float)[disc.regular_faces]
    return corners


def stone(body: Body, edge: str, least: int = 6000) -> pv.PolyData:
    """The body as a block of rock: worn edges in the lane's colour, grain and stains on every face.

    least : smallest number of triangles, whose corners carry the colours
    """
    triangles, normals, bevel, base, light = _block(body, least)
    worn = np.repeat(bevel, 3)[:, None]
    share = 0.12 if bevel.any() else 0.3  # without bevels only the faces show the colour of the lane
    colours = np.where(worn, 0.4 * base + 0.6 * rgb(edge), (1 - share) * base + share * rgb(edge)) * light[:, None]
    return soup(triangles, normals, colours.reshape(-1, 3, 3))


@lru_cache(maxsize=2)
def _block(body: Body, least: int) -> tuple[Array, Array, NDArray[np.bool_], Array, Array]:
    """Block of rock, shared by lanes: triangles (n, 3, 3) [m], normals (n, 3), and a mask (n,) of the bevels.

    Also the colour (3 n, 3) of the stone at each corner, 0 to 255, and its brightness (3 n,).
    """
    if as_given(body):
        triangles = body.vertices[body.faces]
        normals = winding_normals(triangles)
        bevel = np.zeros(len(triangles), bool)
    else:
        triangles, normals, bevel = bevelled(body, WORN * body.radius)
    while len(triangles) < least:
        triangles, normals, bevel = _halved(triangles), np.repeat(normals, 4, axis=0), np.repeat(bevel, 4)
    corners = triangles.reshape(-1, 3) / body.radius
    stain, grain = _noise(corners, 1.6), _noise(corners, 7.0)
    per_face = (np.abs(np.sin(normals @ np.array([12.9, 78.2, 37.7]))) - 0.5)[:, None].repeat(3, axis=1).reshape(-1)
    warm, cool = np.array([176.0, 163.0, 146.0]), np.array([142.0, 144.0, 147.0])
    base = cool + (warm - cool) * np.clip(0.5 + 0.7 * stain, 0, 1)[:, None]
    return triangles, normals, bevel, base, 1.0 + 0.13 * stain + 0.13 * grain + 0.14 * per_face


def _halved(triangles: Array) -> Array:
    """Each triangle split into four at the midpoints of its sides."""
    a, b, c = (triangles[:, i] for i in range(3))
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    return np.stack([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]).transpose(2, 0, 1, 3).reshape(-1, 3, 3)


def _noise(points: Array, frequency: float) -> Array:
    """Smooth noise (n,) of about -1 to 1 at points (n, 3) of size 1, a function of the points."""
    from scipy.ndimage import map_coordinates

    at = (points * frequency * 3.0 + 12.0).T
    return np.asarray(map_coordinates(_nodes(), at, order=1, mode="grid-wrap", prefilter=False))


@lru_cache(maxsize=1)
def _nodes() -> Array:
    """Noise at the nodes (NODES, NODES, NODES) of a periodic cube, smoothed by a Gaussian of one node."""
    from scipy.ndimage import gaussian_filter  # imported here: only rocks need it

    values = gaussian_filter(np.random.default_rng(3).standard_normal((NODES,) * 3), 1.0, mode="wrap")
    return np.asarray(values / (2 * values.std()))
