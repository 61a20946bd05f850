"""A ship on the stage: the hull that was given, in its water, with what rights it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.stage.actor_group import draw_nearer
from app.stage.bodies.arrows import VectorArrows
from app.stage.bodies.sea import Sea, surface
from app.stage.bodies.stability_marks import (
    BUOYANCY,
    FRONT,
    HEELING,
    METACENTRE,
    RIGHTING,
    RightingLever,
    StabilityMarks,
    masthead,
)
from app.stage.bodies.trails import Trace
from app.stage.bodies.waterline import Waterline
from app.stage.bodies.wetted_hull import WettedHull, painted
from app.stage.camera.rig import direction
from app.stage.camera.subject import TALL, Subject, corners, swept, ways
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose, PosedGroup
from app.stage.text.caption_text import Sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis.ship_stability import roll_period
from physics.core.rotation import Array, ahead, matrix
from physics.systems.ship.world import ShipWorld

ASIDE, ABOVE = -24.0, 14.0  # of the camera: from ahead to starboard, and above the water [degrees]
SLIGHT = 0.1  # [rad] of roll whose fastest rate is drawn with the usual length where a ship starts without one
ROLLS = 1.5  # how much of its rolling a masthead remembers, in periods


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The hull wherever it sways, see camera_fit.Framing."""
    track = tracks[0]
    way = ways(tracks)
    low, high = way.min(axis=0), way.max(axis=0)
    centre = np.array([*(low + high)[:2] / 2, 0.0])
    half, sway = track.body.extents / 2, (high - low) / 2
    across = math.hypot(half[1], half[2])  # heeled
    reach = np.array([half[0] + sway[0], across + sway[1], 0.45 * across])
    turn = track.pose(0.0).rotation
    heading = math.atan2(turn[1, 0], turn[0, 0])
    c, s = math.cos(heading), math.sin(heading)
    still = corners(-reach, reach) @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    assert isinstance(track.world, ShipWorld)
    hull = corners(track.body.vertices.min(axis=0), track.body.vertices.max(axis=0))
    moved = swept(tracks, np.concatenate([hull, masthead(track.world)[None]]))
    towards = direction(math.degrees(heading) + ASIDE, ABOVE)
    return Subject(np.concatenate([centre + still, moved]), towards, centre, TALL)


class RollArrow(VectorArrows):
    """The angular velocity alone, not hidden by the hull."""

    def __init__(self, track: LaneTrack, look: StageColours, size: float, rate: float) -> None:
        super().__init__(track, look, size, omega_scale=size / rate)
        for actor in self.actors:
            actor.prop.culling = "back"
            draw_nearer(actor, FRONT)

    def drawn(self, pose: Pose) -> tuple[Array, Array]:
        """How it is drawn at a pose; nothing of the spin, which points there too."""
        return super().drawn(pose)[0], np.zeros(3)


class Ship(LaneScene):
    """A hull afloat, with its waterline, the path of its top, and the lever that rights it."""

    handle = 0.7  # it is long

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        world = track.world
        assert isinstance(world, ShipWorld)
        body, height = track.body, surface(world)
        mesh = painted(world, track.scheme.colour, look.faces, 0.35 if place.shared else 0.0)
        self.body = WettedHull(mesh, body.radius, height, ghostly=not place.first)
        around: list[PosedGroup] = [Waterline(body, height, look)]
        if place.first:
            sea = Sea(body.radius, height, look)
            sea.show(track.pose(0.0))  # for pages, which show it as it is
            around = [sea, *around]
        marks = StabilityMarks(world, look)
        within = [RightingLever(world), marks]
        rate, period = _roll(world)
        self.traces = [Trace(track, marks.masthead, ROLLS * period, free=True, width=2.4)]
        self.tracked = [RollArrow(track, look, min(0.4 * body.radius, float(body.extents[1])), rate), *self.traces]
        self.posed = [self.body, *around, *within]
        self.parts = [self.body, *around, *self.tracked, *within]  # of what the hull does not hide the last one wins

    @property
    def hinge(self) -> Array:
        """Where it heads: the natural way to turn a ship is to heel it."""
        return ahead(matrix(self.track.world.orientation))

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        """What the signs mean."""
        return (
            ("axes", sign(tr("G gravity"), look.ink)),
            ("axes", sign(tr("B buoyancy"), BUOYANCY)),
            ("axes", sign(tr("M metacentre"), METACENTRE)),
            ("vectors", sign(tr("GZ rights"), RIGHTING)),
            ("vectors", sign(tr("GZ heels"), HEELING)),
            ("vectors", sign(tr("angular velocity ω"), look.omega)),
        )


def _roll(world: ShipWorld) -> tuple[float, float]:
    """A rate of rolling [rad/s] that is as fast as this motion's, and the period [s] of small rolls."""
    period = roll_period(world) or world.scenario.duration
    up = matrix(world.orientation)[2]
    heel = abs(math.remainder(math.atan2(up[1], up[2]) - world.rest.heel, 2.0 * math.pi))
    start = float(np.linalg.norm(world.angular_velocity))
    return max(start, 2.0 * math.pi / period * max(heel, SLIGHT)), period
