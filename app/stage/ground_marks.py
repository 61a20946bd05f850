"""Ground marks: what lies on the ground under a rock and where it was let go."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, move, placed, polyline, put
from app.stage.floor import blob
from app.stage.ground import Ground
from app.stage.lane_track import Pose
from app.stage.moving_groups import PosedGroup
from physics.core.rotation import Array


class GroundShadow(PosedGroup):
    """A soft shadow that lies on the ground under a rock."""

    def __init__(self, ground: Ground, radius: float) -> None:
        super().__init__()
        self._ground, self._radius = ground, radius
        self._mesh = blob(0.62)
        self._template = np.array(self._mesh.points, float)
        self.actor = self.add(self._mesh, lit=False)
        draw_nearer(self.actor, 8.0)

    def show(self, pose: Pose) -> None:
        """Move to a pose; wider and fainter the higher the rock flies."""
        height = max(0.0, float(pose.position[2] - self._ground.heights(pose.position[None])[0]) / self._radius - 1.0)
        points = self._template * (1.25 * self._radius * pose.scale * (1.0 + 0.12 * min(height, 8.0)))
        points[:, :2] += pose.position[:2]
        points[:, 2] = self._ground.heights(points) + 0.04 * self._radius * pose.scale
        move(self._mesh, points)
        self.actor.prop.opacity = 1.0 / (1.0 + 0.22 * height)


class Release(ActorGroup):
    """Where the rock was let go: a pin in the ground."""

    def __init__(self, ground: Ground, start: Array, radius: float) -> None:
        super().__init__()
        self._ground, self._start, self._radius = ground, start, radius
        self._staff = polyline(2)
        self.add(self._staff, "white", lit=False, width=2.0)
        self._ball = self.add(pv.Sphere(radius=0.4 * radius), "white", specular=0.2, ambient=0.3)

    def show(self, scale: float) -> None:
        """Draw as many times larger as the rock is drawn."""
        foot = np.r_[self._start[:2], self._ground.heights(self._start[None])]
        top = foot + np.array([0.0, 0.0, 3.4 * scale * self._radius])
        move(self._staff, np.array([foot, top]))
        put(self._ball, placed(np.eye(3), top, scale))
