"""A body on a table, plainly: the body as it is, the table under it, and the path of its contact point."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.stage import lane_numbers
from app.stage.arrows import VectorArrows
from app.stage.body_actor import Axes, BodyActor
from app.stage.body_mesh import machined
from app.stage.camera_fit import direction
from app.stage.camera_rig import ANGLE
from app.stage.caption_text import Sign, arrows
from app.stage.floor import Floor, FloorShadow
from app.stage.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose
from app.stage.text_cards import TextRun
from app.stage.theme_colours import StageColours
from app.stage.trails import Path
from physics.core.rotation import Array


def reach(tracks: Sequence[LaneTrack]) -> tuple[Array, float]:
    """The middle (3,) of the ways of the bodies on the table, and how far they go from there [m]."""
    points = np.concatenate([track.positions(np.linspace(0.0, track.end, 120)) for track in tracks])
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    return centre, float(np.linalg.norm(points - centre, axis=1).max())


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> tuple[Array, Array]:
    """Camera position and focus, (3,) [m] each: the whole way of the body, see camera_fit.Framing."""
    centre, far = reach(tracks)
    radius = far + 1.5 * tracks[0].world.body.radius
    return centre + radius / math.sin(math.radians(ANGLE / 2)) * direction(-58.0, 24.0), centre


class OnTable(LaneScene):
    """A body with its shadow on the table and the path of its centre of mass."""

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        body = track.body
        mesh = machined(body, look.faces, track.scheme.colour, 0.5 if place.shared else 0.0)
        self.body = BodyActor(mesh, ghostly=not place.first)
        self.posed = [self.body, Axes(body, look, 1.3 * body.radius)]
        if place.first:
            centre, far = reach([track])
            size = far + float(np.hypot(*centre[:2])) + 3.0 * body.radius
            self.posed.append(FloorShadow(body, 0.0, look))
            self.parts.append(Floor(size, 0.0, look))
        self.tracked = [VectorArrows(track, look, body.radius), Path(track)]
        self.parts += [*self.posed, *self.tracked]

    def numbers(self, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
        """What the caption says."""
        return lane_numbers.on_table(self.track, pose, look)

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        """What the signs mean."""
        return arrows(look)
