"""A close-up: the rocks of a viewport from near, in its corner, as they turn, seen from where its camera looks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.stage.actor_group import placed, put
from app.stage.bodies.arrows import Arrow
from app.stage.bodies.body_mesh import stone
from app.stage.lane_track import LaneTrack, Pose
from app.stage.overlays.inset import Inset
from app.stage.text.caption_text import Sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr

APART = 2.7  # from rock to rock [radii]
ARROW = 1.55  # how far the axis of rotation reaches [radii]
TRIANGLES = 1000  # of a rock, at least: so small a picture shows no more
STILL = 1e-6  # [rad/s]: slower rocks have no arrow


class CloseUp(Inset):
    """Each rock as large as the others, with an arrow along its angular velocity, whose length tells nothing."""

    overlay = "close-up"
    shape = (0.27, 0.27)
    least = (130.0, 130.0)
    raised = True
    aboard = False  # one sees the rock from near then as it is
    under_heading = True  # motions go down to the left or the right: they begin in the upper corners, below is sky

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self.half = 1.45 + 0.5 * APART * (len(tracks) - 1)  # all of them are seen across
        stones = [stone(track.body, track.scheme.colour, TRIANGLES) for track in tracks]
        self.rocks = [self.add(mesh, specular=0.04, ambient=0.2) for mesh in stones]
        for rock in self.rocks:
            rock.prop.culling = "back"
        self.arrows = [Arrow(self, look.omega, 0.05) for _ in tracks]
        self._poses: Sequence[Pose] = ()

    def show(self, poses: Sequence[Pose]) -> None:
        """Move to the poses of the lanes."""
        self._poses = poses

    def signs(self) -> tuple[Sign, ...]:
        """What the arrow is."""
        return (("close-up", sign(tr("close-up: axis of rotation"), self.look.omega)),)

    def _turn(self) -> None:
        """Look from where the viewport's camera looks; the rocks stand beside each other across it."""
        super()._turn()
        right = np.cross(self._camera.GetDirectionOfProjection(), self._camera.GetViewUp())
        right /= max(float(np.linalg.norm(right)), 1e-12)
        middle = 0.5 * (len(self._poses) - 1)
        for number, (pose, rock, arrow) in enumerate(zip(self._poses, self.rocks, self.arrows, strict=False)):
            place = (number - middle) * APART * right
            put(rock, placed(pose.rotation, place, 1.0 / self.tracks[number].body.radius))
            rate = float(np.linalg.norm(pose.omega))
            arrow.actor.SetVisibility(rate > STILL)
            if rate > STILL:
                arrow.show(place, ARROW / rate * pose.omega)
