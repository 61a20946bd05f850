"""An overlay: a group of actors that is built when it is first asked for, and shows all lanes of a viewport."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkCamera

from app.stage.actor_group import ActorGroup
from app.stage.lane_track import LaneTrack, Pose
from app.stage.text.caption_text import Sign
from app.stage.theme_colours import StageColours
from app.stage.viewport_layout import Box
from physics.core.rotation import Array


def axes_of_picture(camera: vtkCamera) -> tuple[Array, Array]:
    """Unit vectors (3,) to the right and up in the picture of a camera."""
    ahead, up = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    right = np.cross(ahead, up)
    right /= max(float(np.linalg.norm(right)), 1e-12)
    return right, np.cross(right, ahead)


class Overlay(ActorGroup):
    """What one overlay shows of the lanes of one viewport."""

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__()
        self.tracks, self.look = list(tracks), look
        self.ended = False  # whether it is no longer needed

    @property
    def box(self) -> Box | None:
        """What it covers of the viewport, flat over all else; None: nothing."""
        return None

    @property
    def beside(self) -> int:
        """How much of the viewport's width it takes from the heading [pixels]."""
        return 0

    @property
    def above(self) -> int:
        """How much of the viewport's height it takes in the upper right corner [pixels]."""
        return 0

    def show(self, poses: Sequence[Pose]) -> None:
        """Move to the poses of the lanes, in their order; adds nothing."""

    def keep_clear(self, top: int, right: int, headed: int) -> None:
        """Tell up to where [pixels] the captions of the viewport reach, and how far down the heading does."""

    def wait(self) -> None:
        """Wait for what is computed in the background."""

    def leave(self, renderer: pv.Renderer) -> None:
        """Go out of a viewport, for good."""
        self.ended = True
        super().leave(renderer)

    def signs(self) -> tuple[Sign, ...]:
        """What the signs mean, for the legend."""
        return ()
