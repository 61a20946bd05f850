"""The hull of a ship as it was given, painted; what is under water just now is darker."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage import textures
from app.stage.actor_group import rgb
from app.stage.bodies.body_actor import BodyActor
from app.stage.bodies.body_mesh import cut, smoothed, soup
from app.stage.bodies.sea import Height, calm
from app.stage.bodies.ship_hull import BOW, FLAT, RED, WOOD
from app.stage.lane_track import Pose
from physics.core.rotation import Array
from physics.systems.ship.world import ShipWorld

DEEP = 2.0  # [radii of the hull] below or above the water at which its shade ends
LINE = 0.012  # half the breadth of the painted waterline, in radii of the hull


class WettedHull(BodyActor):
    """A hull in its own axes, from its centre of gravity; ghostly where another lane's stands before it."""

    def __init__(self, mesh: pv.PolyData, size: float, height: Height, *, ghostly: bool) -> None:
        self._corners = np.array(mesh.points, float)
        self._deep, self._height = DEEP * size, height
        mesh.active_texture_coordinates = np.zeros((len(self._corners), 2))
        super().__init__(mesh, specular=0.12, ghostly=ghostly)
        self.mesh = mesh
        self.actor.SetTexture(textures.wetness())

    def show(self, pose: Pose) -> None:
        """Move to a pose, and darken what the water covers."""
        super().show(pose)
        over = self._corners @ pose.rotation[2] + pose.place[2]
        if self._height is not calm:
            x, y = (self._corners @ pose.rotation[axis] + pose.place[axis] for axis in (0, 1))
            over -= self._height(x, y, pose.time)
        held = self.mesh.GetPointData().GetTCoords()
        np.asarray(held)[:, 0] = 0.5 + over / (2.0 * self._deep)
        held.Modified()


def painted(world: ShipWorld, colour: str, shades: tuple[str, str, str], tint: float = 0.0) -> pv.PolyData:
    """The hull by its own triangles: red below where it floats at rest, decks of wood, the bow in the lane's colour."""
    body, rest = world.body, world.rest
    red, light, wood, dark = (
        (1 - tint) * rgb(shade) + tint * rgb(colour) for shade in (RED, shades[2], WOOD, shades[0])
    )
    low, high = body.vertices[:, 0].min(), body.vertices[:, 0].max()
    bow, line = float(low + BOW * (high - low)), LINE * body.radius
    triangles, normals = smoothed(body)
    over = triangles @ rest.rotation[2] + rest.height  # the height of each corner above the water at rest
    corners = np.concatenate([triangles, normals, over[..., None]], axis=2)
    for axis, at in ((6, -line), (6, line), (0, bow)):
        corners = cut(corners, axis, at)
    middle = corners.mean(axis=1)
    deck = _flat(corners[..., 3:6]) > FLAT
    fill = np.where(deck[:, None], wood, light)
    fill = np.where((middle[:, 0] > bow)[:, None], rgb(colour), fill)
    fill = np.where((middle[:, 6] < line)[:, None], dark, fill)
    fill = np.where((middle[:, 6] < -line)[:, None], red, fill)
    return soup(corners[..., :3], corners[..., 3:6], fill)


def _flat(normals: Array) -> Array:
    """How far the normals at the corners (n, 3, 3) of faces point upwards, (n,)."""
    return np.asarray(normals.mean(axis=1)[:, 2])
