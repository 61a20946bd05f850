"""What surrounds a body: a globe that free ones draw on, and the floor that a top stands on."""

from __future__ import annotations

import numpy as np

from app.stage.actor_group import ActorGroup, placed, polylines, put, tinted
from app.stage.lane_track import Pose, PosedGroup
from app.stage.theme_colours import StageColours
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
    """Rings at height z [m] that fade out, around the origin."""

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
