"""Hulls of ships: a stock one, the body itself, and the hull of a floating ship with its wetted part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage import textures
from app.stage.actor_group import rgb
from app.stage.bodies.body_mesh import BodyActor, cut, in_triangles, outward, quadrangles, smoothed, soup
from app.stage.bodies.sea import Height, calm
from app.stage.lane_track import Pose
from physics.bodies.body import Body
from physics.core.rotation import Array
from physics.systems.ship.world import ShipWorld

STATIONS, UNDER, OVER = 49, 9, 7  # cross sections, and rows of each below and above the waterline
BOW = 0.9  # share of the length from which the bow is painted in the colour of the lane
FLAT = 0.8  # upward component of the normal of a deck
RED, WOOD = "#8a4b45", "#b39b7d"  # below the waterline; the deck

# superstructure: blocks from stern to bow (of the length), half breadth (of the beam), foot and top (of the depth)
Block = tuple[tuple[float, float], float, tuple[float, float]]
BLOCKS: tuple[Block, ...] = (
    ((0.10, 0.26), 0.36, (0.2, 0.50)),  # the house
    ((0.17, 0.245), 0.40, (0.50, 0.66)),  # the bridge
    ((0.115, 0.15), 0.12, (0.50, 0.84)),  # the funnel
    ((0.47, 0.478), 0.02, (0.2, 1.00)),  # the mast
    ((0.34, 0.44), 0.30, (0.2, 0.31)),  # three hatches
    ((0.505, 0.605), 0.30, (0.2, 0.31)),
    ((0.65, 0.74), 0.26, (0.2, 0.33)),
)


def ship(
    extents: Array, colour: str, shades: tuple[str, str, str], tint: float = 0.0, blocks: Sequence[Block] = BLOCKS
) -> pv.PolyData:
    """A ship, bow along +x, waterline at z = 0, about as long, broad and deep as a body of extents (3,) [m].

    colour : of bow, rail and funnel; shades : of the paint, light last; tint : share of the colour in all paint
    blocks : the first ones of BLOCKS
    """
    skin = sections(extents)
    paint = [(1 - tint) * rgb(shade) + tint * rgb(colour) for shade in (RED, shades[2], WOOD, shades[1])]
    parts = [_sides(skin, paint, rgb(colour)), _deck(skin, paint[2], rgb(colour)), _transom(skin, paint)]
    white, grey = paint[1], paint[3]
    shades_of_blocks = white, white, rgb(colour), grey, grey, grey, grey
    parts += [
        soup(*_block(extents, place), np.tile(shade, (12, 1)))
        for place, shade in zip(blocks, shades_of_blocks, strict=False)
    ]
    whole: pv.PolyData = pv.merge(parts, merge_points=False)
    return whole


def given(body: Body, colour: str, shades: tuple[str, str, str], tint: float = 0.0) -> pv.PolyData:
    """A body by its own triangles, painted as ``ship``: red below z = 0, decks of wood, the bow in the colour."""
    return _painted(body, np.array([0.0, 0.0, 1.0]), 0.0, (0.0,), colour, shades, tint)


def foremost(body: Body) -> Array:
    """The foremost point (3,) [m] of a body, the highest of several."""
    front = _outermost(body.vertices, 0)
    return np.asarray(_outermost(front, 2).mean(axis=0))


def topmost(body: Body) -> Array:
    """The highest point (3,) [m] of a body, the middle of a flat top."""
    return np.asarray(_outermost(body.vertices, 2).mean(axis=0))


def _outermost(points: Array, axis: int) -> Array:
    """Points of (n, 3) that are farthest along an axis, within a hundredth of the length."""
    along = points[:, axis]
    return np.asarray(points[along >= along.max() - 0.01 * np.ptp(along)])


def masthead(extents: Array) -> Array:
    """The top of the mast (3,) [m]."""
    (aft, fore), _, (_, top) = BLOCKS[3]
    return np.array([((aft + fore) / 2 - 0.5) * extents[0], 0.0, top * extents[2]])


def stem(extents: Array) -> Array:
    """The foremost point of the deck (3,) [m]."""
    return np.asarray(sections(extents)[-1, -1])


def sections(extents: Array) -> Array:
    """Points of the port side (stations from stern to bow, rows from keel to deck, 3) [m]; y >= 0.

    The keel, the first row, and the stem, the last station, lie in the plane y = 0; one row lies at z = 0.
    """
    length, beam, depth = extents
    s = np.linspace(0.0, 1.0, STATIONS)[:, None]
    keel = -0.5 * depth * np.minimum(1.0, 0.45 + 0.55 * np.sqrt(s / 0.22))  # rises to the transom
    deck = depth * (0.22 + 0.22 * np.clip((s - 0.55) / 0.45, 0, 1) ** 2 + 0.04 * (1 - s) ** 4)  # the sheer
    down = np.linspace(1.0, 0.0, UNDER) ** 1.6
    up = np.linspace(0.0, 1.0, OVER)[1:]
    z = np.concatenate([keel * down, deck * up], axis=1)
    v = (z - keel) / (deck - keel)
    entry = np.clip((s - 0.55) / 0.45, 0, 1)  # 0 amidships, 1 at the bow
    half = 0.5 * beam * (0.84 + 0.16 * np.sin(0.5 * np.pi * np.minimum(s / 0.3, 1))) * (1 - entry**2.4)
    y = half * v ** (0.16 + 0.75 * entry + 0.12 * np.clip(1 - s / 0.25, 0, 1))
    y[:, 0] = y[-1] = 0.0
    rake = 0.055 * length * entry**2 * (v - 1)  # the stem leans forward
    x = np.broadcast_to((s - 0.5) * length, z.shape) + rake
    return np.stack([x, y, z], axis=-1)


def _sides(skin: Array, paint: list[Array], colour: Array) -> pv.PolyData:
    """Both sides, smooth; red below the waterline, a band of the colour at the rail and at the bow."""
    normals = np.cross(np.gradient(skin, axis=0), np.gradient(skin, axis=1))
    normals[-1] = normals[-2]
    normals[:, 0, :] = (0.0, 0.0, -1.0)
    normals /= np.maximum(np.linalg.norm(normals, axis=2, keepdims=True), 1e-12)
    normals *= np.where(normals[..., 1:2] < 0, -1.0, 1.0)
    strips = _strips(np.concatenate([skin, normals], axis=2))
    corners, smooth = strips[..., :3], strips[..., 3:]
    forward = np.linspace(0, 1, STATIONS)[np.repeat(np.arange(STATIONS - 1), skin.shape[1] - 1)]
    row = np.tile(np.arange(skin.shape[1] - 1), STATIONS - 1)
    fill = np.where((row < UNDER - 1)[:, None], paint[0], paint[1])
    fill = np.where(((row >= UNDER - 1) & (forward >= BOW) | (row == skin.shape[1] - 2))[:, None], colour, fill)
    fill = np.tile(fill, (2, 1))
    mirror = np.array([1.0, -1.0, 1.0])
    return soup(
        np.concatenate([corners, corners * mirror]), np.concatenate([smooth, smooth * mirror]), np.tile(fill, (2, 1))
    )


def _strips(grid: Array) -> Array:
    """Triangles (n, 3, k) of a grid of points (stations, rows, k): first all lower ones, then all upper ones."""
    return in_triangles(quadrangles(grid)[:, [0, 3, 2, 1]])


def _deck(skin: Array, wood: Array, colour: Array) -> pv.PolyData:
    """From rail to rail; its foremost part in the colour."""
    rail = skin[:, -1]
    corners = _strips(np.stack([rail, rail * (1, -1, 1)], axis=1))
    ahead = np.linspace(0, 1, STATIONS)[:-1] >= BOW
    fill = np.tile(np.where(ahead[:, None], colour, wood), (2, 1))
    return soup(corners, np.tile([0.0, 0.0, 1.0], (len(corners), 1)), fill)


def _transom(skin: Array, paint: list[Array]) -> pv.PolyData:
    """The flat stern."""
    corners = _strips(np.stack([skin[0], skin[0] * (1, -1, 1)], axis=1))
    below = np.tile(np.arange(skin.shape[1] - 1) < UNDER - 1, 2)
    fill = np.where(below[:, None], paint[0], paint[1])
    return soup(corners, np.tile([-1.0, 0.0, 0.0], (len(corners), 1)), fill)


def _block(extents: Array, place: Block) -> tuple[Array, Array]:
    """A box of the superstructure: triangles (12, 3, 3) [m] and normals (12, 3)."""
    (aft, fore), half, (foot, top) = place
    low = extents * (aft - 0.5, -half, foot)
    high = extents * (fore - 0.5, half, top)
    middle, size = (low + high) / 2, (high - low) / 2
    unit = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([unit[list(t)] for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])
    normals = np.round(outward(triangles))
    return triangles * size + middle, normals


DEEP = 2.0  # end of the shade below and above the water, in radii of the hull
LINE = 0.012  # half the breadth of the painted waterline, in radii of the hull


class WettedHull(BodyActor):
    """A floating hull, darker where it is under water; ghostly if another lane is drawn before it."""

    def __init__(self, mesh: pv.PolyData, size: float, height: Height, *, ghostly: bool) -> None:
        self._corners = np.array(mesh.points, float)
        self._deep, self._height = DEEP * size, height
        mesh.active_texture_coordinates = np.zeros((len(self._corners), 2))
        super().__init__(mesh, specular=0.12, ghostly=ghostly)
        self.mesh = mesh
        self.actor.SetTexture(textures.wetness())

    def show(self, pose: Pose) -> None:
        """Move to a pose, and darken the wetted part."""
        super().show(pose)
        over = self._corners @ pose.rotation[2] + pose.place[2]
        if self._height is not calm:
            x, y = (self._corners @ pose.rotation[axis] + pose.place[axis] for axis in (0, 1))
            over -= self._height(x, y, pose.time)
        held = self.mesh.GetPointData().GetTCoords()
        np.asarray(held)[:, 0] = 0.5 + over / (2.0 * self._deep)
        held.Modified()


def painted(world: ShipWorld, colour: str, shades: tuple[str, str, str], tint: float = 0.0) -> pv.PolyData:
    """The hull by its own triangles: red below its waterline at rest, wooden decks, the bow in the lane's colour."""
    body, rest = world.body, world.rest
    line = LINE * body.radius
    return _painted(body, rest.rotation[2], rest.height, (-line, line), colour, shades, tint)


def _painted(
    body: Body,
    up: Array,
    height: float,
    levels: tuple[float, ...],
    colour: str,
    shades: tuple[str, str, str],
    tint: float,
) -> pv.PolyData:
    """A body by its own triangles: red below the first level above the water [m], a dark line up to the last one.

    up, height : upward direction (3,) in the body, and height [m] of its centre above the water
    """
    red, light, wood, dark = (
        (1 - tint) * rgb(shade) + tint * rgb(colour) for shade in (RED, shades[2], WOOD, shades[0])
    )
    low, high = body.vertices[:, 0].min(), body.vertices[:, 0].max()
    bow = float(low + BOW * (high - low))
    triangles, normals = smoothed(body)
    over = triangles @ up + height
    corners = np.concatenate([triangles, normals, over[..., None]], axis=2)
    for axis, at in (*((6, level) for level in levels), (0, bow)):
        corners = cut(corners, axis, at)
    middle = corners.mean(axis=1)
    fill = np.where((middle[:, 5] > FLAT)[:, None], wood, light)
    fill = np.where((middle[:, 0] > bow)[:, None], rgb(colour), fill)
    fill = np.where((middle[:, 6] < levels[-1])[:, None], dark, fill)
    fill = np.where((middle[:, 6] < levels[0])[:, None], red, fill)
    return soup(corners[..., :3], corners[..., 3:6], fill)
