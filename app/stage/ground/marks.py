"""Ground marks: where a rock was let go."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, move, placed, polyline, put
from app.stage.ground.ground import Ground
from physics.core.rotation import Array


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
