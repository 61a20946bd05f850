"""Which scene a lane has: by the kind of the scenario, or by the ground."""

from __future__ import annotations

from app.stage.ground import Ground
from app.stage.lane_actors import Fall, Flight
from app.stage.lane_scene import LaneScene
from app.stage.lane_track import LaneTrack
from app.stage.theme_colours import StageColours
from app.stage.top import Top
from app.stage.vessel import Vessel
from physics.systems.world import World

BodyScene = Flight | Top | Vessel  # of the kinds without ground
SCENES: dict[str, type[Flight] | type[Top] | type[Vessel]] = {"free": Flight, "top": Top, "vessel": Vessel}


def scene_of(
    track: LaneTrack, look: StageColours, world: World, ground: Ground | None, *, first: bool, shared: bool
) -> LaneScene:
    """The scene of a lane; first: of its viewport, shared: others are in the same."""
    if ground is not None:
        return Fall(track, look, ground)
    return SCENES[world.scenario.kind](track, look, world.scenario.duration, first=first, shared=shared)
