"""The sea around a ship, as a translucent patch that moves with it, and the waterline of its hull."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersGeneral import vtkContourTriangulator

from app.stage import textures
from app.stage.actor_group import draw_nearer, move, paint, polygons, polylines, put, tinted
from app.stage.bodies.arrows import FRONT
from app.stage.lane_track import Pose, PosedGroup
from app.stage.theme_colours import StageColours
from app.theme import mixed
from physics.bodies.body import Body
from physics.core.rotation import Array
from physics.seakeeping.waves import Waves, elevation
from physics.systems.ship.world import ShipWorld

Height = Callable[[Array, Array, float], Array]  # height of the water [m] at x, y (n,) [m] and a time [s]
REACH = 2.6  # radius of the patch, in radii of the ship
POINTS = 97  # along a side of the patch
ALPHA = 140.0  # opacity in the middle, of 255
LIGHT = (-0.5, -0.4, 0.77)  # direction of the light
CONTRAST, RANGE = 1.6, (0.4, 1.9)  # of the brightness of slopes, relative to calm water
FINE = 0.1  # phase [rad] of the shortest wave between two points of a profile
RIPPLES = 1.6  # side of the repeated square of ripples, in radii of the ship


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
        self._ahead = np.array([np.cos(waves.direction[0]), np.sin(waves.direction[0])])
        self._spacing = FINE / float(waves.wavenumber.max())
        self._time, self._places, self._heights = np.nan, np.empty(0), np.empty(0)

    def __call__(self, x: Array, y: Array, time: float) -> Array:
        along = self._ahead[0] * x + self._ahead[1] * y
        low, high = float(along.min()), float(along.max())
        if (high - low) / self._spacing > along.size:
            return elevation(self._waves, x, y, time)
        if time != self._time or low < self._places[0] or high > self._places[-1]:
            middle = 0.5 * (low + high)
            low, high = min(low, middle - self._reach), max(high, middle + self._reach)
            self._time, self._places = time, np.linspace(low, high, 2 + int((high - low) / self._spacing))
            east, north = np.outer(self._ahead, self._places)
            self._heights = elevation(self._waves, east, north, time)
        return np.asarray(np.interp(along, self._places, self._heights))


def surface(world: ShipWorld) -> Height:
    """The water that acts on the ship of a world, with its waves."""
    waves = world.waves
    if waves.is_calm:
        return calm
    one_way = np.ptp(waves.direction) == 0.0
    return LongCrested(waves, 1.5 * REACH * world.body.radius) if one_way else partial(elevation, waves)


class Sea(PosedGroup):
    """The surface of the water around the ship; ripples stay in place while the ship moves."""

    overlay = "grid"

    def __init__(self, size: float, height: Height, look: StageColours) -> None:
        super().__init__()
        self._height, self._still = height, height is calm
        self._tile = RIPPLES * size
        side = np.linspace(-1.0, 1.0, POINTS)
        x, y = (axis.ravel() for axis in np.meshgrid(side, side))
        self._plan = REACH * size * np.column_stack([x, y])
        i = np.arange(POINTS * POINTS).reshape(POINTS, POINTS)
        a, b, c, d = i[:-1, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel(), i[1:, :-1].ravel()
        faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
        inside = np.hypot(x, y)[faces].min(axis=1) < 1.0
        points = np.column_stack([self._plan, np.zeros(len(x))]).astype(np.float32)
        self.mesh = polygons(points, faces[inside])
        fade = np.clip((1.0 - np.hypot(x, y)) / 0.6, 0.0, 1.0)
        self._colours = tinted(look.water, ALPHA * fade * fade * (3.0 - 2.0 * fade))
        self.mesh.point_data["rgba"] = self._colours.copy()
        self.mesh.active_texture_coordinates = np.zeros((len(x), 2))
        # shaded by its slope: lights take 1.5 times as long in software
        self.actor = self.add(self.mesh, lit=False)
        self.actor.SetTexture(textures.ripples())
        self.actor.ForceTranslucentOn()
        self._centre = np.full(2, np.nan)

    def show(self, pose: Pose) -> None:
        """Move to a pose, with the height of the water at its time."""
        centre = pose.place[:2]
        if not np.array_equal(centre, self._centre):
            self._centre = centre.copy()
            places = self.mesh.GetPointData().GetTCoords()
            np.asarray(places)[:] = (self._plan + centre) / self._tile
            places.Modified()
            shift = np.eye(4)
            shift[:2, 3] = centre
            put(self.actor, shift)
        if not self._still:
            self._heave(pose.time)

    def _heave(self, time: float) -> None:
        x, y = (self._plan + self._centre).T
        z = self._height(x, y, time)
        move(self.mesh, np.column_stack([self._plan, z]))
        step = float(self._plan[1, 0] - self._plan[0, 0])
        along, across = np.gradient(z.reshape(POINTS, POINTS), step)  # over y, and over x
        x, y = across.ravel(), along.ravel()
        lit = (LIGHT[2] - LIGHT[0] * x - LIGHT[1] * y) / np.sqrt(1.0 + x * x + y * y)
        bright = np.clip(1.0 + CONTRAST * (lit / LIGHT[2] - 1.0), *RANGE)
        shades = np.minimum(bright[:, None] * self._colours[:, :3], 255.0)
        paint(self.mesh, np.column_stack([shades, self._colours[:, 3]]))


FOAM = 0.05  # breadth of the foam, in breadths of the ship


class MeshCut:
    """Intersection of a closed mesh with faces (m, 3) and a surface."""

    def __init__(self, faces: np.ndarray) -> None:
        pairs = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
        self._edges, numbers = np.unique(pairs, axis=0, return_inverse=True)
        self._sides = numbers.reshape(-1, 3)

    def loops(self, points: Array, over: Array) -> list[Array]:
        """Loops (k, 3) on which ``over`` (n,), the height of points (n, 3) above a surface, is 0."""
        wet = over < 0.0
        low, high = self._edges.T
        across = wet[low] != wet[high]
        if not across.any():
            return []
        a, b = low[across], high[across]
        share = over[a] / (over[a] - over[b])
        places = points[a] + share[:, None] * (points[b] - points[a])
        number = np.cumsum(across) - 1
        crossed = across[self._sides]
        faces = crossed.sum(axis=1) == 2
        pairs = number[self._sides[faces][crossed[faces]].reshape(-1, 2)]
        return [places[ring] for ring in _rings(pairs, len(places))]


def _rings(pairs: np.ndarray, n: int) -> list[np.ndarray]:
    """Rings formed by pairs (m, 2) of n indices, each of which is in two pairs, as in a closed mesh."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.searchsorted(both[:, 0], np.arange(n)).tolist()
    beside = both[:, 1].tolist()
    left, rings = set(range(n)), []
    while left:
        here = left.pop()
        ring = [here]
        while True:
            onward = [k for k in beside[first[here] : first[here] + 2] if k in left]
            if not onward:
                break
            here = onward[0]
            left.discard(here)
            ring.append(here)
        if len(ring) > 2:
            rings.append(np.array(ring))
    return rings


def edge_of(look: StageColours) -> str:
    """Colour of the waterline: of water, as white lines show the true motion."""
    return mixed(look.water, "#ffffff", 0.55)


class Waterline(PosedGroup):
    """The line in which the water cuts the hull, foam along it, and the waterplane as a translucent cap."""

    overlay = "grid"

    def __init__(self, body: Body, height: Height, look: StageColours) -> None:
        super().__init__()
        self._cut, self._height, self._colour = MeshCut(body.faces), height, edge_of(look)
        self._corners, self._foam = body.vertices, FOAM * float(body.extents[:2].min())
        self.line, self.foam = polylines(np.zeros((1, 2, 3))), pv.PolyData()
        self._room = 0
        self._grow(64)
        self.add(self.foam, lit=False).ForceTranslucentOn()
        draw_nearer(self.add(self.line, self._colour, lit=False, width=2.0, opacity=0.9), 4.0)
        self.cap = polygons(np.zeros((3, 3), np.float32), np.array([[0, 1, 2]]))
        draw_nearer(self.add(self.cap, look.water, lit=False, opacity=0.2), FRONT)
        self.loops: list[Array] = []

    def _grow(self, room: int) -> None:
        """Make room for a number of line segments."""
        self._room = room
        self.line.copy_from(polylines(np.zeros((room, 2, 3))))
        strips = np.arange(4 * room).reshape(-1, 4)
        self.foam.copy_from(polygons(np.zeros((4 * room, 3), np.float32), strips))
        alpha = np.tile([170.0, 170.0, 0.0, 0.0], room)
        self.foam.point_data["rgba"] = tinted(self._colour, alpha)
        self.foam.point_data.active_scalars_name = "rgba"

    def show(self, pose: Pose) -> None:
        """Intersect hull and water at a pose."""
        points = self._corners @ pose.rotation.T + pose.place
        over = points[:, 2] - self._height(points[:, 0], points[:, 1], pose.time)
        self.loops = self._cut.loops(points, over)
        pieces = sum(map(len, self.loops))
        if pieces > self._room:
            self._grow(2 * pieces)
        lines, strips = np.zeros((self._room, 2, 3)), np.zeros((self._room, 4, 3))
        done = 0
        for loop in self.loops:
            here, there = loop, np.roll(loop, -1, axis=0)
            out = self._foam * _outward(loop)
            rows = slice(done, done + len(loop))
            lines[rows] = np.stack([here, there], axis=1)
            strips[rows] = np.stack([here, there, there + np.roll(out, -1, axis=0), here + out], axis=1)
            done += len(loop)
        move(self.line, lines.reshape(-1, 3))
        move(self.foam, strips.reshape(-1, 3))
        self.cap.copy_from(_filled([_flattened(loop) for loop in self.loops]))


def _flattened(loop: Array) -> Array:
    """A loop (n, 3) projected to its nearest plane: a cap with folds would hide parts of itself."""
    level = np.column_stack([np.ones(len(loop)), loop[:, :2]])
    found = np.linalg.lstsq(level, loop[:, 2], rcond=None)[0]
    return np.column_stack([loop[:, :2], level @ found])


def _outward(loop: Array) -> Array:
    """Horizontal outward unit vectors (n, 3) at the corners of a loop (n, 3)."""
    along = np.roll(loop, -1, axis=0) - np.roll(loop, 1, axis=0)
    out = np.column_stack([along[:, 1], -along[:, 0], np.zeros(len(loop))])
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
    x, y = loop[:, 0], loop[:, 1]
    area = float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    return out if area > 0.0 else -out


def _filled(loops: list[Array]) -> pv.PolyData:
    """The surface inside loops, without holes."""
    if not loops:
        return polygons(np.zeros((3, 3), np.float32), np.array([[0, 1, 2]]))
    closed = [np.concatenate([loop, loop[:1]]) for loop in loops]
    outline = polylines(closed).clean()
    maker = vtkContourTriangulator()
    maker.SetInputData(outline)
    maker.Update()
    made: pv.PolyData = pv.wrap(maker.GetOutput())
    return made
