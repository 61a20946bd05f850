"""The body itself, and its axes."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.actor_group import placed, put, tinted
from app.stage.bodies.arrow_meshes import head, joined, shaft
from app.stage.lane_track import Pose, PosedGroup
from app.stage.lighting import mirror
from app.stage.theme_colours import StageColours
from physics.bodies.body import Body
from physics.core.rotation import Array


class BodyActor(PosedGroup):
    """The body of one lane as a mesh in body axes [m]; closed: faces turned away are not drawn, which takes less.

    sunlit : whether it stands in the sun rather than in the studio
    """

    def __init__(
        self,
        mesh: pv.PolyData,
        *,
        specular: float = 0.2,
        ghostly: bool = False,
        closed: bool = False,
        sunlit: bool = False,
    ) -> None:
        super().__init__()
        self.actor = self.add(mesh, specular=specular, ambient=0.14, opacity=0.5 if ghostly else 1.0)
        if not sunlit:
            mirror(self.actor)
        if closed and not ghostly:
            self.actor.prop.culling = "back"

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        put(self.actor, placed(pose.rotation, pose.place, pose.scale))


class Axes(PosedGroup):
    """The body axes x, y, z as slim arrows that reach ``lengths`` (3,) [m] or one for all; none where 0."""

    overlay = "axes"

    def __init__(self, body: Body, look: StageColours, lengths: Array | float) -> None:
        super().__init__()
        arrows, colours = [], []
        thick, tip = 0.011 * body.radius, 0.16 * body.radius
        for axis, (colour, length) in enumerate(zip(look.axes, np.broadcast_to(lengths, 3), strict=True)):
            if length <= 0.0:
                continue
            for piece in (shaft(16).sized(length - tip, thick), head(24).sized(tip, 3.2 * thick, length - tip)):
                arrows.append(piece.along(axis))
                colours.append(tinted(colour, np.full(len(piece.points), 255)))
        mesh = joined(arrows)
        mesh.point_data["rgba"] = np.concatenate(colours)
        self.actor = self.add(mesh, specular=0.2)
        self.actor.prop.culling = "back"

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        put(self.actor, placed(pose.rotation, pose.place, pose.scale))
