"""The body itself: a finely made solid in free flight, a block of rock on a slope."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.look import Look
from app.stage.part import Part, placed, rgb
from app.stage.solid import machined, stone
from app.stage.track import Pose, Track
from physics.body import Body


class BodyActor(Part):
    """The body of one lane, its edges in the lane's colour; its faces too where lanes share a viewport."""

    def __init__(self, track: Track, look: Look, *, rock: bool, shared: bool = False, ghostly: bool = False) -> None:
        super().__init__()
        colour = track.scheme.colour
        mesh = stone(track.body, colour) if rock else machined(track.body, look.faces, colour, 0.5 if shared else 0.0)
        self.actor = self.add(mesh, specular=0.04 if rock else 0.2, ambient=0.14, opacity=0.5 if ghostly else 1.0)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        self.actor.user_matrix = placed(pose.rotation, pose.place, pose.scale)


class Axes(Part):
    """The body axes x, y, z as slim arrows that reach ``length`` [m] from the centre of mass."""

    overlay = "axes"

    def __init__(self, body: Body, look: Look, length: float) -> None:
        super().__init__()
        arrows = []
        thick = 0.011 * body.radius
        for axis, colour in enumerate(look.axes):
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
                solid = piece.triangulate().compute_normals(split_vertices=True, feature_angle=40.0, cell_normals=False)
                solid.clear_data()
                solid = solid.compute_normals(split_vertices=True, feature_angle=40.0, cell_normals=False)
                solid.point_data["rgba"] = np.tile(np.r_[rgb(colour), 255], (solid.n_points, 1)).astype(np.uint8)
                arrows.append(solid)
        self.actor = self.add(pv.merge(arrows, merge_points=False), specular=0.2)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        self.actor.user_matrix = placed(pose.rotation, pose.place, pose.scale)
