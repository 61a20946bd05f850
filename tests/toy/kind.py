"""A pendulum: a body on a rod (the row in app.kinds)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.kinds.field import ANGULAR_VELOCITY, ATTITUDE, BODY, GRAVITY, field_of
from app.kinds.kind import Kind
from app.kinds.quantities import ENERGIES, ENERGY_ERROR, OMEGA, Quantity
from physics.core.rotation import nutation
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.world import World
from tests.toy.system import PendulumScenario

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.stage.ground.ground import Ground
    from app.stage.lane_scene import LanePlace, SceneKind
    from app.stage.lane_track import LaneTrack, Pose
    from app.stage.theme_colours import StageColours

CARDS = {
    "Pendulum": (*BODY, field_of(PendulumScenario, "pendulum.length"), GRAVITY),
    "Start": (ANGULAR_VELOCITY, ATTITUDE),
}
CHARTS = (
    Quantity("Swing", "°", lambda run, _: nutation(run.orientation)),
    ENERGY_ERROR,
)


def length(world: World) -> float:
    """Length from the fixed point to the centre of mass [m]."""
    assert world.arm is not None
    return float(np.linalg.norm(world.arm))


def _scene() -> SceneKind:
    import pyvista as pv

    from app.stage.bodies.arrows import VectorArrows
    from app.stage.bodies.body_mesh import Axes, BodyActor, machined
    from app.stage.bodies.trails import Trace
    from app.stage.camera.rig import direction
    from app.stage.camera.subject import Subject, ball
    from app.stage.lane_scene import LaneScene, SceneKind
    from app.stage.lane_track import PosedGroup
    from app.stage.overlays.reference_frames import InertialAxes

    class Rod(PosedGroup):
        """The rod from the fixed point to the centre of mass."""

        def __init__(self, colour: str) -> None:
            super().__init__()
            self.line = pv.Line((0, 0, 0), (0, 0, -1.0))
            self.add(self.line, colour, lit=False, width=3.0)

        def show(self, pose: Pose) -> None:
            """Draw the rod from the fixed point to the pose."""
            self.line.points = np.array([np.zeros(3), pose.place])

    class Hanging(LaneScene):
        """The body on its rod, with the curve of its centre of mass."""

        def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
            super().__init__(track)
            assert isinstance(track.world, AttachedWorld)
            colour = track.scheme.colour
            self.body = BodyActor(machined(track.body, look.faces, colour, 0.5 if place.shared else 0.0))
            self.posed = [self.body, Rod(colour), Axes(track.body, look, 1.3 * track.body.radius)]
            self.traces = [Trace(track, np.zeros(3), 5.0, free=False, width=3.0)]
            self.tracked = [VectorArrows(track, look, track.body.radius), *self.traces]
            self.parts = [*self.posed, *self.tracked]

    def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
        """All that the rod reaches."""
        size = length(tracks[0].world) + tracks[0].body.radius
        return Subject(ball(size), direction(-60.0, 12.0), np.array([0.0, 0.0, -0.5 * size]))

    def axes(tracks: Sequence[LaneTrack], look: StageColours) -> InertialAxes:
        """Half as long as the rod."""
        return InertialAxes(tracks, look, 0.5 * length(tracks[0].world))

    return SceneKind(lane=Hanging, framing=framing, overlays={"inertial": axes})


ROW = Kind(kind="pendulum", cards=CARDS, charts=CHARTS, more=(*OMEGA, *ENERGIES), scene=_scene)
