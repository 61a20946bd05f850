"""Overlay: a group of actors for all lanes of a viewport, built when it is first switched on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from app.stage.actor_group import ActorGroup
from app.stage.lane_track import LaneTrack, Pose
from app.stage.plotter import Box
from app.stage.text.caption_text import Sign
from app.stage.theme_colours import StageColours
from physics.core.rotation import Array


def axes_of_picture(camera: vtkCamera) -> tuple[Array, Array]:
    """Unit vectors (3,) to the right and up in the picture of a camera."""
    ahead, up = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    right = np.cross(ahead, up)
    right /= max(float(np.linalg.norm(right)), 1e-12)
    return right, np.cross(right, ahead)


class Overlay(ActorGroup):
    """The actors of one overlay for the lanes of one viewport."""

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__()
        self.tracks, self.look = list(tracks), look
        self.unit = 1.0

    def set_unit(self, unit: float) -> None:
        super().set_unit(unit)
        self.unit = unit

    @property
    def box(self) -> Box | None:
        """The part of the viewport that it covers; None: nothing."""
        return None

    @property
    def above(self) -> int:
        """Height [pixels] that it takes in the upper right corner."""
        return 0

    def show(self, poses: Sequence[Pose]) -> None:
        """Move to the poses of the lanes, in their order."""

    def keep_clear(self, top: int, headed: int) -> None:
        """Keep clear of captions up to ``top``, and of a headline down to ``headed`` [pixels]."""

    def signs(self) -> tuple[Sign, ...]:
        """Signs for the legend."""
        return ()
