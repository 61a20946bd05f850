"""Soft shadows of a body on a table, a floor or the ground.

A light is a bright disc. Each ring of a shadow's mesh is the edge of the shadow that a part of the disc throws: where
the body touches they meet, and the edge is sharp; the higher what throws it, the farther they lie apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, move, paint, polygons
from app.stage.camera.rig import direction
from app.stage.camera.subject import outermost
from app.stage.ground.ground import Ground
from app.stage.ground.shaded_relief import LIGHTS
from app.stage.lane_track import Pose, PosedGroup
from physics.core.rotation import Array

RINGS, SIDES = 10, 36
OUTERMOST = 160  # directions of the outermost points of a body: 2 % of a sphere's radius is lost
OUTER = 32  # the same, of each of many bodies
CLEAR = 0.004  # height of a shadow above the plane, in radii of the body
STEEPEST = 0.45  # largest displacement of a shadow for each metre of height
SUNK = 0.06  # depth below a transparent floor at which the shadow has faded, in radii of the body


class ShadowLight(NamedTuple):
    """A bright disc: unit vector (3,) to its centre, and the tangent of its angular radius."""

    towards: Array
    spread: float


# The key light of backdrop.studio for the first view of a table, and the sun of terrains: higher, and broad enough to
# include the light of the sky.
LAMP = ShadowLight(direction(-101.0, 66.0), 0.4)
SPOT = LAMP._replace(spread=0.1)  # over mechanisms: of bars high above a floor a broad lamp leaves no shadow
SUN = ShadowLight(direction(90.0 - LIGHTS[0][0], 70.0), 0.4)


# begin of each strip of a disc of radius 1
_STRIPS = -np.cos(np.pi * np.arange(RINGS) / (RINGS - 1))
_TURN = 2.0 * np.pi * np.arange(SIDES) / SIDES
_NORMALS = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_AHEAD = np.cos(_TURN[:, None] - _TURN)
_EDGES = _STRIPS[::3]  # of a cast shadow's rings, likewise
_FLOOR = np.array([-np.inf, -np.inf, 0.0])
_SECANT = np.where(_AHEAD > 0.05, 1.0 / np.maximum(_AHEAD, 0.05), 1e9)


def covered(strip: Array) -> Array:
    """Share (n,) of a disc of radius 1 beyond a line at -1 to 1 from its centre (n,)."""
    return np.asarray((np.arccos(strip) - strip * np.sqrt(1.0 - strip * strip)) / np.pi)


def shadow(points: Array, light: ShadowLight, slope: Array, bore: Array | None = None) -> tuple[Array, Array, Array]:
    """Shadow of a convex body on a plane: centre (2,), radii of its rings (rings, sides), and darkness of each ring.

    points (n, 3) [m] : of the body, heights from the plane; slope (2,) : of the plane, along x and y
    bore (2, m, 3) [m] : rims of a hole through the body; the darkness is then (rings, sides)
    """
    far = _reaches(points, light, slope)
    middle = 2.0 * (far[0, :, None] * _NORMALS).mean(axis=0)  # Steiner's point
    rings, share = _rings(far - _NORMALS @ middle)
    if bore is None:
        return middle, rings, share
    through = np.minimum(*(_reaches(rim, light, slope) for rim in bore)) - _NORMALS @ middle
    return middle, *_without(rings, share, *_rings(through))


def _reaches(points: Array, light: ShadowLight, slope: Array) -> Array:
    """Extent [m] of the shadow of each strip of the light along each normal (rings, sides)."""
    way = light.towards[:2] / max(float(light.towards[2] - slope @ light.towards[:2]), 1e-9)
    way *= min(1.0, STEEPEST / max(float(np.linalg.norm(way)), 1e-9))  # of the shadow, by height
    # projection along each normal, for the strip of the disc beside it
    seen = np.empty((RINGS, SIDES, 3))
    seen[..., :2] = _NORMALS
    seen[..., 2] = (_STRIPS * light.spread)[:, None] - _NORMALS @ way
    return np.asarray((seen.reshape(-1, 3) @ points.T).max(axis=1).reshape(RINGS, SIDES))


def _rings(left: Array) -> tuple[Array, Array]:
    """Radii (rings, sides) of a shadow by its extents from the centre along each normal, and the darkness."""
    rings = (left[:, None, :] * _SECANT).min(axis=2)
    hidden = _hidden(left)
    share = covered(np.maximum(_STRIPS, -hidden.min()))
    return np.maximum(rings, 0.0), share * (_area(hidden) / max(float(share[0]), 1e-9))


def _without(rings: Array, share: Array, within: Array, light: Array) -> tuple[Array, Array]:
    """Radii of a shadow with a bright hole, and the darkness at each (2 rings, sides)."""
    both = np.sort(np.concatenate([rings, within]), axis=0)
    dark = [
        np.interp(far, edge, share, right=0.0) - np.interp(far, hole, light, right=0.0)
        for far, edge, hole in zip(both.T, rings.T, within.T, strict=True)
    ]
    return both, np.maximum(dark, 0.0).T


def _hidden(left: Array) -> Array:
    """Distance (sides,) up to which a body hides a disc of radius 1, seen from the centre of its shadow.

    left (rings, sides) : distance to the edge of the shadow of each strip
    """
    after = np.where((left > 0.0).any(axis=0), np.argmax(left > 0.0, axis=0), RINGS - 1)
    before, side = np.maximum(after - 1, 0), np.arange(SIDES)
    a, b = left[before, side], left[after, side]
    part = np.where(b > a, -a / np.where(b > a, b - a, 1.0), 0.0)
    return np.asarray(-(_STRIPS[before] + np.clip(part, 0.0, 1.0) * (_STRIPS[after] - _STRIPS[before])))


def _area(hidden: Array) -> float:
    """Hidden share of a disc of radius 1 by the distances (sides,)."""
    radii = np.minimum((hidden[None, :] * _SECANT).min(axis=1), 1.0)
    return float(np.mean(np.maximum(radii, 0.0) ** 2))


class SoftShadow(PosedGroup):
    """The shadow of a body, points (n, 3) [m], on a level plane or on a ground; darkness is 0 to 1.

    level : height of the plane [m]
    bore (2, m, 3) [m] : rims of a hole through the body
    """

    overlay = "grid"

    def __init__(
        self,
        points: Array,
        light: ShadowLight,
        darkness: float,
        ground: Ground | None = None,
        bore: Array | None = None,
        level: float = 0.0,
    ) -> None:
        super().__init__()
        self._level = level
        self._points, self._light, self._darkness, self._ground = outermost(points, OUTERMOST), light, darkness, ground
        self._radius, self.bore = float(np.linalg.norm(self._points, axis=1).max()), bore
        self.mesh = _disc(RINGS if bore is None else 2 * RINGS)
        self.actor = self.add(self.mesh, lit=False)
        if ground is not None:
            draw_nearer(self.actor, 8.0)

    def show(self, pose: Pose) -> None:
        size = self._radius * pose.scale
        height, slope = self._plane(pose, size)

        def above(points: Array) -> Array:
            """Places of points of the body, with heights above the plane."""
            points = pose.scale * points @ pose.rotation.T + pose.place
            points[..., 2] -= height + (points[..., :2] - pose.place[:2]) @ slope
            return points

        points = above(self._points)
        bore = None if self.bore is None else np.maximum(above(self.bore), _FLOOR)
        seen = 1.0 if self._ground else min(max(1.0 + float(points[:, 2].min()) / (SUNK * size), 0.0), 1.0)
        middle, rings, share = shadow(np.maximum(points, _FLOOR), self._light, slope, bore)
        disc = np.zeros((len(rings) + 1, SIDES, 3))
        disc[1:, :, :2] = rings[..., None] * _NORMALS
        disc[..., :2] += middle
        flat = disc.reshape(-1, 3)
        flat[:, 2] = CLEAR * size + (self._level if self._ground is None else self._ground.heights(flat))
        move(self.mesh, flat)
        rgba = np.zeros((len(flat), 4), np.uint8)
        alpha = np.broadcast_to(share if share.ndim > 1 else share[:, None], rings.shape)
        rgba[:, 3] = 255.0 * seen * self._darkness * np.concatenate([alpha[:1], alpha]).ravel()
        paint(self.mesh, rgba)

    def _plane(self, pose: Pose, size: float) -> tuple[float, Array]:
        """Height [m] and slope (2,) of the plane under a pose, measured within a size [m]."""
        if self._ground is None:
            return self._level, np.zeros(2)
        around = pose.place[:2] + size * np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
        here, east, west, north, south = self._ground.heights(around).tolist()
        return here, np.array([east - west, north - south]) / (2.0 * size)


class CastShadows(ActorGroup):
    """Shadows of many bodies on a level floor, each the outline of the body along the light, with a soft edge.

    One mesh for all: some microseconds a body, where a SoftShadow takes a fiftieth of a picture. The higher a body, the
    softer and the fainter its shadow.
    bodies : points (n, 3) [m] of each; level : height of the floor [m]; darkness : 0 to 1
    """

    overlay = "grid"

    def __init__(self, bodies: Sequence[Array], light: ShadowLight, darkness: float, level: float) -> None:
        super().__init__()
        some = [outermost(points, OUTER) for points in bodies]
        most = max(map(len, some))
        self._points = np.stack([np.resize(points, (most, 3)) for points in some])
        self._way = light.towards[:2] / light.towards[2]
        self._light, self._level, self._darkness = light, level, darkness
        self._lift = CLEAR * max(float(np.linalg.norm(points, axis=1).max()) for points in some)
        self.mesh = _disc(len(_EDGES), len(bodies))
        self.add(self.mesh, lit=False)

    def show(self, poses: Sequence[Pose]) -> None:
        """Move under the bodies at poses of all."""
        turns, places = np.array([one.rotation for one in poses]), np.array([one.place for one in poses])
        points = self._points @ turns.swapaxes(1, 2) + places[:, None]
        high = np.maximum(points[..., 2:] - self._level, 0.0)
        cast = points[..., :2] - high * self._way
        middle = cast.mean(axis=1, keepdims=True)
        left = cast - middle
        axes = np.linalg.eigh(left.swapaxes(1, 2) @ left)[1]
        left = left @ axes  # along the shadow's own axes
        low, top = left.min(axis=1, keepdims=True), left.max(axis=1, keepdims=True)
        half, aside = (top - low) / 2.0 + 1e-3 * self._lift, (top + low) / 2.0
        # the outermost points around, where both halves are 1: so thin bars keep their corners
        unit = (left - aside) / half
        outline = np.take_along_axis(unit, (unit @ _NORMALS.T).argmax(axis=1)[..., None], axis=1)
        soft = np.maximum(self._light.spread * high.mean(axis=1, keepdims=True), 1e-3 * half.min(axis=2, keepdims=True))
        hidden = np.minimum(half / soft, 1.0)  # share of the light, along each axis
        least = hidden.min(axis=2)
        share = covered(np.maximum(_EDGES, -least)) * hidden.prod(axis=2) / covered(-least)
        sizes = np.maximum(half + _EDGES[:, None] * soft, 0.0)
        discs = np.empty((len(poses), len(_EDGES) + 1, SIDES, 3))
        discs[..., :2] = middle[:, None] + aside[:, None] @ axes.swapaxes(1, 2)[:, None]
        discs[:, 1:, :, :2] += outline[:, None] @ (sizes[..., None] * axes.swapaxes(1, 2)[:, None])
        discs[..., 2] = self._level + self._lift
        move(self.mesh, discs.reshape(-1, 3))
        rgba = np.zeros((*discs.shape[:3], 4), np.uint8)
        rgba[..., 3] = np.round(255.0 * self._darkness * share[:, [0, *range(len(_EDGES))], None])
        paint(self.mesh, rgba.reshape(-1, 4))


def _disc(rings: int, count: int = 1) -> pv.PolyData:
    """Centres with a number of rings around each, all at the origin."""
    n, i, j = np.meshgrid(np.arange(count), np.arange(rings), np.arange(SIDES), indexing="ij")
    first = n * (rings + 1) * SIDES + i * SIDES
    a, b = first + j, first + (j + 1) % SIDES
    faces = np.stack([np.stack([a, b, b + SIDES], -1), np.stack([a, b + SIDES, a + SIDES], -1)]).reshape(-1, 3)
    points = np.zeros((count * (rings + 1) * SIDES, 3), np.float32)
    mesh = polygons(points, faces)
    mesh.point_data["rgba"] = np.zeros((len(points), 4), np.uint8)
    return mesh
