"""The body itself, and its axes."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.look import Look
from app.stage.part import Part, placed, put, tinted
from app.stage.solid import sharp
from app.stage.track import Pose
from physics.bodies.body import Body
from physics.rotation import Array


class BodyActor(Part):
    """The body of one lane as a mesh in body axes [m]."""

    def __init__(self, mesh: pv.PolyData, *, specular: float = 0.2, ghostly: bool = False) -> None:
        super().__init__()
        self.actor = self.add(mesh, specular=specular, ambient=0.14, opacity=0.5 if ghostly else 1.0)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        put(self.actor, placed(pose.rotation, pose.place, pose.scale))


class Axes(Part):
    """The body axes x, y, z as slim arrows that reach ``lengths`` (3,) [m] or one for all; none where 0."""

    overlay = "axes"

    def __init__(self, body: Body, look: Look, lengths: Array | float) -> None:
        super().__init__()
        arrows = []
        thick = 0.011 * body.radius
        for axis, (colour, length) in enumerate(zip(look.axes, np.broadcast_to(lengths, 3), strict=True)):
            if length <= 0.0:
                continue
            direction = np.eye(3)[axis]
            tip = 0.16 * body.radius
            shaft = pv.Cylinder(
                center=direction * (length - tip) / 2,
                direction=direction,
                radius=thick,
                height=length - tip,
                resolution=16,
            )
            head = pv.Cone(
                center=direction * (length - tip / 2),
                direction=direction,
                height=tip,
                radius=3.2 * thick,
                resolution=24,
            )
            for piece in (shaft, head):
                solid = sharp(piece)
                solid.point_data["rgba"] = tinted(colour, np.full(solid.n_points, 255))
                arrows.append(solid)
        self.actor = self.add(pv.merge(arrows, merge_points=False), specular=0.2)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        put(self.actor, placed(pose.rotation, pose.place, pose.scale))
