"""The sea around a ship: a translucent patch that goes with it and fades out; its height may change with time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from app.stage import textures
from app.stage.actor_group import move, paint, polygons, put, tinted
from app.stage.lane_track import Pose, PosedGroup
from app.stage.theme_colours import StageColours
from physics.core.rotation import Array
from physics.seakeeping.waves import Waves, elevation
from physics.systems.ship.world import ShipWorld

Height = Callable[[Array, Array, float], Array]  # of the water [m] at x, y (n,) [m] and a time [s]
REACH = 2.6  # radius of the patch, in radii of the ship
POINTS = 97  # along a side of the patch
ALPHA = 140.0  # in the middle, of 255
LIGHT = (-0.5, -0.4, 0.77)  # where it comes from
CONTRAST, RANGE = 1.6, (0.4, 1.9)  # of the brightness of slopes, beside that of calm water
FINE = 0.1  # [rad] of the shortest wave between two places of a profile
RIPPLES = 1.6  # side of the square of ripples that repeats, in radii of the ship


def calm(x: Array, y: Array, time: float) -> Array:
    """Calm water, (n,) [m]."""
    return np.zeros(np.broadcast(x, y).shape)


class LongCrested:
    """Waves that all go one way, as a Height: along that way alone they have a profile, from which all places are told.

    It errs by FINE²/8 of the amplitude of the shortest wave; 40 000 places of 30 waves take 2 ms in place of 40. The
    profile reaches so far [m] about the middle of the places asked for that the next ones at the time are in it.
    """

    def __init__(self, waves: Waves, reach: float) -> None:
        self._waves, self._reach = waves, reach
        self._ahead = np.array([np.cos(waves.direction[0]), np.sin(waves.direction[0])])
        self._spacing = FINE / float(waves.wavenumber.max())
        self._time, self._places, self._heights = np.nan, np.empty(0), np.empty(0)

    def __call__(self, x: Array, y: Array, time: float) -> Array:
        """Of the water [m] at x, y (n,) [m] and a time [s]."""
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
    """The water that acts on the ship of a world: the very waves."""
    waves = world.waves
    if waves.is_calm:
        return calm
    one_way = np.ptp(waves.direction) == 0.0
    return LongCrested(waves, 1.5 * REACH * world.body.radius) if one_way else partial(elevation, waves)


class Sea(PosedGroup):
    """The surface of the water around the ship; ripples stay where they are while the ship goes."""

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
        # shaded by its slope, without lights: these take half as long again in software
        self.actor = self.add(self.mesh, lit=False)
        self.actor.SetTexture(textures.ripples())
        self.actor.ForceTranslucentOn()
        self._centre = np.full(2, np.nan)

    def show(self, pose: Pose) -> None:
        """Lie around a pose, as high as the water is then."""
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
