"""The scene of a lane: the common form of all kinds of motion, and the row by which a kind states how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyvista as pv

from app.stage.actor_group import ActorGroup
from app.stage.bodies.body_mesh import BodyActor
from app.stage.bodies.trails import DrawnCurve, Trace
from app.stage.bodies.true_motion import LaneOutline, Tip, TrueMotion, outline, shell_of, tips_of
from app.stage.camera.fit import Framing, Vicinity, arrow_ball
from app.stage.ground.ground import Ground
from app.stage.lane_track import LaneTrack, Pose, PosedGroup, TrackedGroup
from app.stage.overlays.overlay import Overlay
from app.stage.scenes.lane_numbers import Caption, no_numbers, runs_of
from app.stage.text.caption_text import Sign
from app.stage.text.cards import TextRun
from app.stage.theme_colours import StageColours
from app.theme import DAY, Theme
from physics.bodies.body import Body
from physics.core.rotation import Array
from physics.systems.world import World


@dataclass(frozen=True)
class LanePlace:
    """Place at which a lane is drawn.

    number : how many lanes of its viewport are before it; what the lanes share is drawn with the first one
    shared : whether other lanes are in the same viewport
    ground : the ground of the stage, None where there is none
    """

    number: int = 0
    shared: bool = False
    ground: Ground | None = None

    @property
    def first(self) -> bool:
        """True for the first lane of its viewport."""
        return self.number == 0


ScenePart = tuple[str, int]  # "body" or "joint" of a mechanism, and its number


class LaneScene:
    """The body under one scheme, with all that moves with it.

    Subclasses set ``body`` and fill ``parts`` (all, in the order in which translucent ones are laid over one another),
    ``posed`` and ``tracked`` (those that move), and ``traces`` (the curves that points draw). The
    stage sets ``caption``, which gives the lane's numbers, and adds the true motion.
    """

    body: BodyActor
    meshes: Sequence[pv.PolyData] = ()  # of the other bodies of a mechanism, before the last one, in body axes
    truth: TrueMotion
    apart = False  # bodies of lanes in one viewport are at different places: all are solid
    handle = 2.4  # length, in radii of the body, of the handle by which a body that does not turn is made to

    def __init__(self, track: LaneTrack) -> None:
        self.track = track
        self.traces: Sequence[DrawnCurve] = ()
        self.parts: list[ActorGroup] = []
        self.posed: list[PosedGroup] = []
        self.tracked: list[TrackedGroup] = []
        self.caption: Caption = no_numbers

    @property
    def hinge(self) -> Array | None:
        """The level axis in space (3,) about which alone the body is turned by hand at the start; None: about any."""
        return None

    def shell(self, track: LaneTrack) -> pv.PolyData:
        """The surface [m] in body axes, of triangles, by whose outline the true body is drawn; track: of the body."""
        return shell_of(track.body)

    @property
    def tips(self) -> list[Tip]:
        """Points from which arcs go to the true ones, see ``tips_of``."""
        return tips_of(self.track, [part.point for part in self.tracked if isinstance(part, Trace)])

    def add_truth(self, look: StageColours, shells: dict[Body, pv.PolyData], before: Sequence[LaneScene]) -> None:
        """Draw the true motion too, and the body as an outline where that of another lane is drawn.

        shells : those of bodies so far, which lanes share; before : scenes of the lanes in the same viewport so far
        """
        for track in self.track.bodies:
            if (body := track.body) not in shells:
                shells[body] = self.shell(track).clean()
        found = [shells[track.body] for track in self.track.bodies]
        self.truth = TrueMotion(self.track, look, found, self.tips, [scene.truth for scene in before])
        if before and not self.apart:
            self.body.switch(False)
            drawn = LaneOutline(outline(shells[self.track.body]), self.track.scheme.colour, look)
            self.tracked.append(drawn)
            self.parts.append(drawn)
        self.tracked.append(self.truth)
        self.parts.append(self.truth)

    def show(self, time: float, scale: float) -> Pose:
        """Move everything to a time [s]; scale: how many times larger a rock is."""
        pose = self.pose(time, scale)
        self.move(pose)
        return pose

    def pose(self, time: float, scale: float) -> Pose:
        """Pose in which the body is drawn at a time [s]."""
        return self.track.pose(time)

    def move(self, pose: Pose) -> None:
        """Move everything that is switched on to a pose."""
        for posed in self.posed:
            if posed.on:
                posed.show(pose)
        for tracked in self.tracked:
            if tracked.on:
                tracked.show(self.track, pose)

    def numbers(self, pose: Pose, look: StageColours) -> tuple[TextRun, ...]:
        """Numbers of the lane's caption at the time of a pose."""
        return runs_of(self.caption(self.track.motion, self.track.whole, pose.time), look)

    def pick(self, renderer: pv.Renderer, u: float, v: float, within: float) -> ScenePart | None:
        """The part of a mechanism that is at a pixel from the viewport's lower left corner, or within so many of it."""
        return None

    def touch(self, renderer: pv.Renderer, u: float, v: float) -> tuple[int, Array, Array] | None:
        """The body of a mechanism at a pixel from the viewport's lower left corner; None: none there.

        Its number, the middle (3,) [m] of what the line of sight passes of it, and the unit vector (3,) along that
        line, in the axes of the body.
        """
        return None

    def choose(self, part: ScenePart | None) -> None:
        """Mark a part of a mechanism, of which a body is followed by cameras; None: no part."""

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        """Meanings of the signs around the body, for the legend."""
        return ()


def _always(_: World) -> bool:
    return True


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
    reach : of what is drawn around a body [radii of the body], where there is no terrain
    floor : there is a floor, water or ground to judge distances by
    outside : whether that is so in a world, where ``floor`` is set
    late : curves of points are usually drawn for the last turns alone
    """

    lane: Callable[[LaneTrack, StageColours, LanePlace], LaneScene]
    framing: Framing
    overlays: Mapping[str, Callable[[Sequence[LaneTrack], StageColours], Overlay]] = field(default_factory=dict)
    vicinity: Vicinity = arrow_ball
    numbers: Caption = no_numbers
    reach: float = 8.0
    floor: bool = True
    outside: Callable[[World], bool] = _always
    late: bool = False

    def theme(self, theme: Theme, world: World) -> Theme:
        """The theme whose sky is over a world: outside a day's."""
        return DAY if self.floor and self.outside(world) and theme.name != "high contrast" else theme
