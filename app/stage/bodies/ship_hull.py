"""Hulls of ships: a stock one, the body itself, and the hull of a floating ship with its wetted part."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage import textures
from app.stage.actor_group import rgb, winding_normals
from app.stage.bodies.body_mesh import (
    BodyActor,
    cut,
    in_triangles,
    outward,
    quadrangles,
    smoothed,
    soup,
)
from app.stage.bodies.sea import Height, calm
from app.stage.lane_track import Pose
from assets import HULLS
from physics.bodies.body import Body
from physics.core.rotation import Array
from physics.systems.ship.scenario import of_a_ship, reading_of
from physics.systems.ship.world import ShipWorld

STATIONS, UNDER, OVER = 49, 9, 7  # cross sections, and rows of each below and above the waterline
SHEER = 0.22  # height of the deck amidships, in depths
BOW = 0.9  # share of the length from which the bow is painted in the colour of the lane
FLAT = 0.8  # upward component of the normal of a deck
RAIL = 0.03  # height of rails and of the band below them, in breadths
RED, DARK, WOOD, GREY = "#8a4b45", "#2f3843", "#b39b7d", "#8b9299"  # below the waterline, along it, decks, fittings
BOXES = "#96604d", "#5f7488", "#a39272", "#6f8070"  # containers
COLOUR, WHITE = "colour", "white"  # that of the lane, and the lightest paint

# what stands on a deck: from stern to bow (of the length), half breadth (of the breadth) and its middle, foot and top
# above the deck (in breadths), paint
HullBlock = tuple[tuple[float, float], tuple[float, float], tuple[float, float], str]
HOUSE: tuple[HullBlock, ...] = (
    ((0.11, 0.20), (0.36, 0.0), (-0.05, 0.30), WHITE),
    ((0.15, 0.195), (0.46, 0.0), (0.30, 0.40), WHITE),  # the bridge
    ((0.115, 0.14), (0.10, 0.0), (0.30, 0.52), COLOUR),  # the funnel
)
MAST: HullBlock = ((0.90, 0.904), (0.01, 0.0), (-0.05, 0.5), WHITE)
FITTINGS: dict[str, tuple[HullBlock, ...]] = {
    "outline": HOUSE[:1],
    "stock": (
        *HOUSE,
        *(((s, s + 0.12), (0.30, 0.0), (-0.05, 0.10), GREY) for s in (0.27, 0.43, 0.59)),  # hatches
        ((0.405, 0.415), (0.015, 0.0), (-0.05, 0.62), WHITE),
    ),
    "tanker": (
        *HOUSE,
        MAST,
        *(((0.24, 0.86), (0.012, y), (-0.02, 0.05), GREY) for y in (-0.06, 0.0, 0.06)),  # pipes
        *(((s, s + 0.012), (0.36, 0.0), (-0.02, 0.07), GREY) for s in (0.50, 0.54, 0.58)),  # the manifold
    ),
    "feeder": (
        *HOUSE,
        MAST,
        *(
            (
                (s, s + 0.085),
                (0.065, 0.14 * k),
                (-0.02, 0.13 * (1 + (3 * bay + 2 * k) % 4 // 2 + (bay < 5))),
                BOXES[(bay * 3 + k) % 4],
            )
            for bay, s in enumerate(np.arange(0.23, 0.82, 0.092).tolist())
            for k in range(-3, 4)
            if abs(k) < 3 or bay < 6
        ),
    ),
}


def ship(
    extents: Array, colour: str, shades: tuple[str, str, str], tint: float = 0.0, fitted: str = "stock"
) -> pv.PolyData:
    """A ship, bow along +x, waterline at z = 0, about as long, broad and deep as a body of extents (3,) [m].

    colour : of bow, rail and funnel; shades : of the paint, light last; tint : share of the colour in all paint
    fitted : a row of FITTINGS
    """
    skin = sections(extents)
    paint = [(1 - tint) * rgb(shade) + tint * rgb(colour) for shade in (RED, shades[2], WOOD)]
    parts = [_sides(skin, paint, rgb(colour)), _deck(skin, paint[2], rgb(colour)), _transom(skin, paint)]
    low = np.array([-0.5 * extents[0], 0.0, SHEER * extents[2]])
    whole: pv.PolyData = pv.merge(
        [*parts, _fittings(fitted, low, extents, colour, shades[2], tint)], merge_points=False
    )
    return whole


def _fittings(name: str, low: Array, extents: Array, colour: str, light: str, tint: float) -> pv.PolyData:
    """Fittings on a deck of a length and a breadth in ``extents`` [m], its aftmost point ``low`` (3,) [m]."""
    paints = {COLOUR: colour, WHITE: light}
    corners, normals, fills = [], [], []
    unit = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    box = np.array([unit[list(t)] for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])
    for (aft, fore), (half, aside), (foot, top), shade in FITTINGS[name]:
        length, breadth = extents[:2]
        size = 0.5 * np.array([(fore - aft) * length, 2.0 * half * breadth, (top - foot) * breadth])
        middle = low + np.array([0.5 * (aft + fore) * length, aside * breadth, 0.5 * (foot + top) * breadth])
        corners.append(box * size + middle)
        normals.append(np.round(outward(box)))
        fill = (1 - tint) * rgb(paints.get(shade, shade)) + tint * rgb(colour)
        fills.append(np.tile(fill, (len(box), 1)))
    return soup(*(np.concatenate(each) for each in (corners, normals, fills)))


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
    (aft, fore), _, (_, top), _ = FITTINGS["stock"][-1]
    return np.array([((aft + fore) / 2 - 0.5) * extents[0], 0.0, SHEER * extents[2] + top * extents[1]])


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
    deck = depth * (SHEER + 0.22 * np.clip((s - 0.55) / 0.45, 0, 1) ** 2 + 0.04 * (1 - s) ** 4)  # the sheer
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
    """Deck from rail to rail; its foremost part in the colour."""
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


DEEP = 2.0  # end of the shade below and above the water, in radii of the hull
LINE = 0.007  # half the breadth of the painted waterline, in radii of the hull


class WettedHull(BodyActor):
    """A floating hull, darker where it is under water."""

    def __init__(self, mesh: pv.PolyData, size: float, height: Height) -> None:
        self._corners = np.array(mesh.points, float)
        self._deep, self._height = DEEP * size, height
        mesh.active_texture_coordinates = np.zeros((len(self._corners), 2))
        super().__init__(mesh, specular=0.12)
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


def hull_mesh(world: ShipWorld, colour: str, shades: tuple[str, str, str], tint: float = 0.0) -> pv.PolyData:
    """The hull by its own triangles: red below its waterline at rest, wooden decks, bow and rim in the lane's colour.

    The program's own hulls have rails and a superstructure too, which are drawn only.
    """
    body, rest = world.body, world.rest
    line = LINE * body.radius
    mesh = _painted(body, rest.rotation[2], rest.height, (-line, line), colour, shades, tint)
    hull = of_a_ship(world.scenario).hull
    path = None
    if hull is not None and hull.file is not None and reading_of(hull).upward(hull.file) == "z":
        path = world.scenario.path(hull.file)
    if path is None or path.stem not in FITTINGS or path.resolve().parent != HULLS:
        return mesh
    low, high = body.vertices.min(axis=0), body.vertices.max(axis=0)
    aft = np.array([low[0], 0.0, high[2]])
    parts = [mesh, _rails(body, colour), _fittings(path.stem, aft, high - low, colour, shades[2], tint)]
    whole: pv.PolyData = pv.merge(parts, merge_points=False)
    return whole


def _rails(body: Body, colour: str) -> pv.PolyData:
    """A strip around the highest deck of a body."""
    corners = body.vertices[body.faces]
    deck = body.faces[corners[..., 2].min(axis=1) > body.vertices[:, 2].max() - 1e-3 * body.radius]
    sides = np.stack([deck, np.roll(deck, -1, axis=1)], axis=2).reshape(-1, 2)
    _, once, count = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True)
    a, b = np.moveaxis(body.vertices[sides[once[count == 1]]], 1, 0)
    up = np.array([0.0, 0.0, RAIL * float(body.extents[1])])
    strip = in_triangles(np.stack([a, b, b + up, a + up], axis=1))
    return soup(strip, winding_normals(strip), np.tile(rgb(colour), (len(strip), 1)))


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
    red, light, wood, dark = ((1 - tint) * rgb(shade) + tint * rgb(colour) for shade in (RED, shades[2], WOOD, DARK))
    (low, high), top = (body.vertices[:, 0].min(), body.vertices[:, 0].max()), float(body.vertices[:, 2].max())
    bow, rim = float(low + BOW * (high - low)), top - RAIL * float(body.extents[1])
    triangles, normals = smoothed(body.vertices, body.faces)
    over = triangles @ up + height
    corners = np.concatenate([triangles, normals, over[..., None]], axis=2)
    for axis, at in (*((6, level) for level in levels), (0, bow), (2, rim)):
        corners = cut(corners, axis, at)
    middle = corners.mean(axis=1)
    fill = np.where((middle[:, 5] > FLAT)[:, None], wood, light)
    fill = np.where(((middle[:, 0] > bow) | (middle[:, 2] > rim) & (middle[:, 5] <= FLAT))[:, None], rgb(colour), fill)
    fill = np.where((middle[:, 6] < levels[-1])[:, None], dark, fill)
    fill = np.where((middle[:, 6] < levels[0])[:, None], red, fill)
    return soup(corners[..., :3], corners[..., 3:6], fill)
