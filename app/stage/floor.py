"""What surrounds a body in free flight: a globe to draw on, a floor far below, a soft shadow on it."""

from __future__ import annotations

import math

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, placed, polygons, polylines, put, tinted
from app.stage.lane_track import Pose
from app.stage.moving_groups import PosedGroup
from app.stage.theme_colours import StageColours
from physics.bodies.body import Body
from physics.core.rotation import Array


class Globe(PosedGroup):
    """Circles of latitude and longitude of a sphere (radius [m]) whose pole is the first direction of the spin."""

    overlay = "grid"
    unless = "poinsot"

    def __init__(self, radius: float, pole: Array, look: StageColours) -> None:
        super().__init__()
        turn = np.linspace(0, 2 * np.pi, 97)
        circles = []
        for latitude in np.radians([-60, -30, 0, 30, 60]):
            ring = np.stack(
                [
                    np.cos(latitude) * np.cos(turn),
                    np.cos(latitude) * np.sin(turn),
                    np.full(97, np.sin(latitude)),
                ],
                axis=1,
            )
            circles.append(ring)
        for longitude in np.radians(np.arange(0, 180, 30)):
            ring = np.stack([np.sin(turn) * np.cos(longitude), np.sin(turn) * np.sin(longitude), np.cos(turn)], axis=1)
            circles.append(ring)
        mesh = polylines([radius * circle @ upright(pole).T for circle in circles])
        self.actor = self.add(mesh, look.faint, lit=False, width=1.0, opacity=0.2)

    def show(self, pose: Pose) -> None:
        """Move with the body."""
        put(self.actor, placed(np.eye(3), pose.place))


def upright(pole: Array) -> Array:
    """A rotation (3, 3) that takes z to the direction of the pole (3,)."""
    length = np.linalg.norm(pole)
    z = pole / length if length > 0 else np.array([0.0, 0.0, 1.0])
    x = np.cross(np.eye(3)[1] if abs(z[1]) < 0.9 else np.eye(3)[0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


class Floor(ActorGroup):
    """Rings on a floor at height z [m] that fade out, around the origin."""

    overlay = "grid"

    def __init__(self, size: float, z: float, look: StageColours) -> None:
        super().__init__()
        turn = np.linspace(0, 2 * np.pi, 121)
        rings, alphas = [], []
        for k in range(1, 8):
            r = size * k / 7
            rings.append(np.stack([r * np.cos(turn), r * np.sin(turn), np.full(121, z)], axis=1))
            alphas.append(np.full(121, 105 * (1 - k / 8) ** 1.3))
        for angle in np.radians(np.arange(0, 360, 30)):
            spoke = np.linspace(size / 7, size, 121)
            rings.append(np.stack([spoke * np.cos(angle), spoke * np.sin(angle), np.full(121, z)], axis=1))
            alphas.append(70 * (1 - spoke / size) ** 1.3)
        self.add(polylines(rings, tinted(look.faint, np.concatenate(alphas))), lit=False, width=1.0)


def blob(darkness: float, rings: int = 14, sides: int = 40) -> pv.PolyData:
    """A disc of radius 1 that fades from dark to nothing: a soft shadow."""
    r = np.linspace(0.0, 1.0, rings + 1)
    turn = 2 * np.pi * np.arange(sides) / sides
    points = np.stack([np.outer(r, np.cos(turn)), np.outer(r, np.sin(turn)), np.zeros((rings + 1, sides))], axis=2)
    i, j = np.meshgrid(np.arange(rings), np.arange(sides), indexing="ij")
    a, b = i * sides + j, i * sides + (j + 1) % sides
    faces = np.concatenate([np.stack([a, b, b + sides], -1), np.stack([a, b + sides, a + sides], -1)]).reshape(-1, 3)
    mesh = polygons(points.reshape(-1, 3).astype(np.float32), faces)
    alpha = 255 * darkness * np.repeat((0.5 + 0.5 * np.cos(np.pi * r)) ** 1.4, sides)
    mesh.point_data["rgba"] = tinted("black", alpha)
    return mesh


class FloorShadow(PosedGroup):
    """A soft shadow on the floor at height z [m], as long and wide as the body is just now."""

    overlay = "grid"

    def __init__(self, body: Body, z: float, look: StageColours) -> None:
        super().__init__()
        self._spread = np.cov(body.vertices.T, bias=True)
        self._z = z
        self.actor = self.add(blob(look.shadow), lit=False)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        across = pose.rotation[:2]
        (a, b), (_, c) = (across @ self._spread @ across.T).tolist()
        a = max(a, 1e-12)
        root = math.sqrt(a)  # Cholesky: any square root takes the round blob to the same ellipse
        matrix = np.eye(4)
        matrix[0, 0], matrix[1, 0], matrix[1, 1] = 2.3 * root, 2.3 * b / root, 2.3 * math.sqrt(max(c - b * b / a, 0.0))
        matrix[:3, 3] = pose.place[0], pose.place[1], self._z
        put(self.actor, matrix)
        self.actor.SetVisibility(self.on and bool(pose.place[2] > self._z))  # a top may hang below
