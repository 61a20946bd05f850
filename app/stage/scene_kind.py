"""How a kind of motion is drawn: one row, which says all that the stage must know of a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.stage.camera.fit import Framing, Vicinity, arrow_ball
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack
from app.stage.overlays.overlay import Overlay
from app.stage.scenes.lane_numbers import Caption, no_numbers
from app.stage.theme_colours import StageColours


@dataclass(frozen=True)
class SceneKind:
    """The scene of a kind of motion.

    Attributes
    ----------
    lane : makes the scene of a lane: the body with all that moves with it
    framing : what a camera must see of the whole motion
    overlays : those of app.stage.overlays.overlays.EXTRAS that serve the motion: name -> what makes it for one viewport
    vicinity : what the follow camera must see of a body that moves freely
    numbers : what the caption says of a lane
    """

    lane: Callable[[LaneTrack, StageColours, LanePlace], LaneScene]
    framing: Framing
    overlays: Mapping[str, Callable[[Sequence[LaneTrack], StageColours], Overlay]] = field(default_factory=dict)
    vicinity: Vicinity = arrow_ball
    numbers: Caption = no_numbers
