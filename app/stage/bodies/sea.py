"""The sea around a ship out to the horizon, which moves with it, and the foam where it meets the hull."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyvista as pv

from app.stage import textures
from app.stage.actor_group import move, paint, polygons, put, tinted, winding_normals
from app.stage.lane_track import Pose, PosedGroup
from app.stage.lighting import gleam
from app.stage.theme_colours import StageColours
from physics.bodies.body import Body
from physics.core.rotation import Array
from physics.seakeeping.waves import Waves, elevation
from physics.systems.ship.world import ShipWorld

Height = Callable[[Array, Array, float], Array]  # height of the water [m] at x, y (n,) [m] and a time [s]
REACH = 30.0  # distance of the horizon, in radii of the ship
ALONG, ACROSS = (301, 3.0), (33, 4.0)  # points across the crests and along them, and how much closer near the ship
VEIL, SHEER = 2.5, 0.55  # water over what is in it: how far from the ship, in depths below it, and its opacity
LIGHT = (-0.5, -0.4, 0.77)  # direction of the light
CONTRAST, RANGE = 2.2, (0.4, 1.9)  # of the brightness of slopes, relative to calm water
CREST = 0.3  # share of white in the highest crests
FINE = 0.1  # phase [rad] of the shortest wave between two points of a profile
RIPPLES = 0.8  # side of the repeated square of ripples, in radii of the ship


def calm(x: Array, y: Array, time: float) -> Array:
    """Calm water, (n,) [m]."""
    return np.zeros(np.broadcast(x, y).shape)


class LongCrested:
    """Height of waves that all travel in one direction, interpolated in a profile along it.

    The error is FINE²/8 of the amplitude of the shortest wave; 40 000 places of 30 waves take 2 ms instead of 40.

    reach : half length [m] of the profile about the middle of the places, so that it serves the next places too
    """

    def __init__(self, waves: Waves, reach: float) -> None:
        self._waves, self._reach = waves, reach
        self.ahead = np.array([np.cos(waves.direction[0]), np.sin(waves.direction[0])])
        self._spacing = FINE / float(waves.wavenumber.max())
        self._time, self._places, self._heights = np.nan, np.empty(0), np.empty(0)

    def __call__(self, x: Array, y: Array, time: float) -> Array:
        along = self.ahead[0] * x + self.ahead[1] * y
        low, high = float(along.min()), float(along.max())
        if (high - low) / self._spacing > along.size:
            return elevation(self._waves, x, y, time)
        if time != self._time or low < self._places[0] or high > self._places[-1]:
            middle = 0.5 * (low + high)
            low, high = min(low, middle - self._reach), max(high, middle + self._reach)
            self._time, self._places = time, np.linspace(low, high, 2 + int((high - low) / self._spacing))
            east, north = np.outer(self.ahead, self._places)
            self._heights = elevation(self._waves, east, north, time)
        return np.asarray(np.interp(along, self._places, self._heights))


def surface(world: ShipWorld) -> Height:
    """The water that acts on the ship of a world, with its waves."""
    return calm if world.waves.is_calm else LongCrested(world.waves, 2.0 * world.body.radius)


def _spread(points: int, closer: float) -> Array:
    """Places (points,) from -1 to 1, closer to each other in the middle."""
    return np.asarray(np.sinh(closer * np.linspace(-1.0, 1.0, points)) / np.sinh(closer))


class Sea(PosedGroup):
    """The surface of the water around the ship; ripples stay in place while the ship moves."""

    overlay = "grid"

    def __init__(self, body: Body, height: Height, look: StageColours) -> None:
        super().__init__()
        size, deep = body.radius, 0.5 * float(np.hypot(*body.extents[1:]))
        self._height, self._tile = height, RIPPLES * size
        self._ahead = height.ahead if isinstance(height, LongCrested) else np.array([1.0, 0.0])
        self._along = REACH * size * _spread(*(ACROSS if height is calm else ALONG))
        crest = np.outer(REACH * size * _spread(*ACROSS), (-self._ahead[1], self._ahead[0]))
        self._points = np.zeros((len(self._along), len(crest), 3))
        self._points[..., :2] = np.outer(self._along, self._ahead)[:, None] + crest
        i = np.arange(len(self._along) * len(crest)).reshape(-1, len(crest))
        a, b, c, d = i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]
        self._strips: np.ndarray = np.stack([a, b, c, a, c, d], axis=2)  # of triangles, each between two crests
        flat = self._points.reshape(-1, 3)
        self._normals = np.zeros(self._points.shape, np.float32)
        self._normals[..., 2] = 1.0
        self.mesh = polygons(flat.astype(np.float32), self._strips.reshape(-1, 3), self._normals.reshape(-1, 3))
        away = np.hypot(flat[:, 0], flat[:, 1]) / size
        self._colours = tinted(look.water, 255.0 * np.clip(2.0 - 2.0 * away / REACH, 0.0, 1.0))
        self.mesh.point_data["rgba"] = self._colours.copy()
        self.mesh.active_texture_coordinates = np.zeros((len(flat), 2))
        self._beside = away[self._strips].min(axis=2) < 1.0 + VEIL * deep / size
        self._veil = polygons(flat, self._strips[self._beside].reshape(-1, 3))
        self._veil.SetPoints(self.mesh.GetPoints())
        self._veil.GetPointData().ShallowCopy(self.mesh.GetPointData())
        # first the sea, which hides nothing that is drawn later; then, as a veil, what of it is before the hull
        self.actor = self.add(self.mesh)
        self.actor.ForceOpaqueOn()
        veil = self.add(self._veil, opacity=SHEER)
        put(self.actor, np.eye(4))
        veil.SetUserMatrix(self.actor.GetUserMatrix())
        for actor in self.actors:
            actor.SetTexture(textures.ripples())  # of exported pages
            gleam(actor, look, self._tile, behind=actor is self.actor)
        self.actors.remove(veil)  # exported pages draw the sea alone
        self._centre, self._highest, self._eye = np.full(2, np.nan), 0.0, -1

    def show(self, pose: Pose) -> None:
        """Move to a pose, with the height of the water at its time."""
        centre = pose.place[:2]
        if not np.array_equal(centre, self._centre):
            self._centre = centre.copy()
            places = self.mesh.GetPointData().GetTCoords()
            np.asarray(places)[:] = (self._points[..., :2].reshape(-1, 2) + centre) / self._tile
            places.Modified()
            shift = np.eye(4)
            shift[:2, 3] = centre
            put(self.actor, shift)
        if self._height is not calm:
            self._heave(pose.time)
            self._sort()

    def _sort(self) -> None:
        """Draw the farthest waves first: they do not hide each other."""
        if self.viewport is None:
            return
        eye = (np.array(self.viewport.camera.GetPosition()[:2]) - self._centre) @ self._ahead
        if (place := int(np.searchsorted(self._along, eye))) != self._eye:
            self._eye = place
            order = np.argsort(-np.abs(np.arange(len(self._strips)) + 0.5 - place))
            strips, beside = self._strips[order], self._beside[order]
            self.mesh.regular_faces = np.ascontiguousarray(strips.reshape(-1, 3))
            self._veil.regular_faces = np.ascontiguousarray(strips[beside].reshape(-1, 3))

    def _heave(self, time: float) -> None:
        x, y = np.outer(self._ahead, self._along) + self._centre[:, None]
        z = self._height(x, y, time)
        self._points[..., 2] = z[:, None]
        move(self.mesh, self._points.reshape(-1, 3))
        x, y = np.outer(self._ahead, np.gradient(z, self._along))  # slopes
        steep = np.sqrt(1.0 + x * x + y * y)
        self._normals[:] = (np.column_stack([-x, -y, np.ones(len(x))]) / steep[:, None])[:, None]
        held = self.mesh.GetPointData().GetNormals()
        np.asarray(held)[:] = self._normals.reshape(-1, 3)
        held.Modified()
        lit = (LIGHT[2] - LIGHT[0] * x - LIGHT[1] * y) / steep
        bright = np.repeat(np.clip(1.0 + CONTRAST * (lit / LIGHT[2] - 1.0), *RANGE), ACROSS[0])
        self._highest = self._highest or 2.0 * float(z.std()) or 1.0
        white = np.repeat(CREST * np.clip(z / self._highest, 0.0, 1.0) ** 2, ACROSS[0])[:, None]
        shades = (1.0 - white) * np.minimum(bright[:, None] * self._colours[:, :3], 255.0) + 255.0 * white
        paint(self.mesh, np.column_stack([shades, self._colours[:, 3]]))


FOAM = 0.07  # breadth of the foam, in breadths of the ship


class Foam(PosedGroup):
    """Foam on the water along a closed mesh in body axes [m]; a line would look like the outline of the true body."""

    overlay = "grid"

    def __init__(self, mesh: pv.PolyData, breadth: float, height: Height) -> None:
        super().__init__()
        self._height, self._breadth = height, FOAM * breadth
        corners = np.asarray(mesh.points, float)
        # corners at one place are one
        _, first, alike = np.unique(np.round(corners / breadth, 5), axis=0, return_index=True, return_inverse=True)
        self._corners, faces = corners[first], alike.reshape(-1)[mesh.regular_faces]
        self._normals = winding_normals(self._corners[faces])
        pairs = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
        self._edges, numbers = np.unique(pairs, axis=0, return_inverse=True)
        self._sides = numbers.reshape(-1, 3)
        self.foam = pv.PolyData()
        self._grow(64)
        self.add(self.foam, lit=False).ForceTranslucentOn()

    def _grow(self, room: int) -> None:
        """Make room for a number of segments."""
        self._room = room
        strips = np.arange(4 * room).reshape(-1, 4)
        self.foam.copy_from(polygons(np.zeros((4 * room, 3), np.float32), strips))
        self.foam.point_data["rgba"] = tinted("white", np.tile([165.0, 165.0, 0.0, 0.0], room))
        self.foam.point_data.active_scalars_name = "rgba"

    def show(self, pose: Pose) -> None:
        """Intersect mesh and water at a pose."""
        points = self._corners @ pose.rotation.T + pose.place
        over = points[:, 2] - self._height(points[:, 0], points[:, 1], pose.time)
        strips = self._strips(points, over, self._normals @ pose.rotation.T)
        if len(strips) > self._room:
            self._grow(2 * len(strips))
        found = np.zeros((self._room, 4, 3))
        found[: len(strips)] = strips
        move(self.foam, found.reshape(-1, 3))

    def _strips(self, points: Array, over: Array, normals: Array) -> Array:
        """Quadrangles (n, 4, 3) [m] outward from the line on which ``over``, of points (m, 3), is 0; normals (k, 3)."""
        wet = over < 0.0
        low, high = self._edges.T
        across = wet[low] != wet[high]
        a, b = low[across], high[across]
        share = over[a] / (over[a] - over[b])
        places = points[a] + share[:, None] * (points[b] - points[a])
        number = np.cumsum(across) - 1
        crossed = across[self._sides]
        faces = crossed.sum(axis=1) == 2
        pairs = number[self._sides[faces][crossed[faces]].reshape(-1, 2)]
        level = normals[faces] * (1.0, 1.0, 0.0)
        level /= np.maximum(np.linalg.norm(level, axis=1, keepdims=True), 1e-12)
        out = np.zeros_like(places)
        for ends in pairs.T:
            np.add.at(out, ends, level)  # of the two faces at an edge
        out *= self._breadth / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
        here, there = pairs.T
        return np.stack([places[here], places[there], places[there] + out[there], places[here] + out[here]], axis=1)
