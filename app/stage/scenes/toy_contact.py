"""The contact of a body on a table: its trails on the table and on the body, and what acts there as arrows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.stage.actor_group import ActorGroup, draw_nearer, move, paint, placed, polyline, put, rgb
from app.stage.bodies.arrows import Arrow
from app.stage.bodies.stability_marks import FRONT
from app.stage.bodies.trails import DrawnCurve
from app.stage.camera.subject import middle
from app.stage.lane_track import LaneTrack, Pose, RecentSamples
from app.stage.overlays.contact_marks import point
from app.stage.overlays.overlay import Overlay
from app.stage.text.caption_text import Sign, sign
from app.stage.text.colour_map import nice
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis import toy_motion as table_motion
from physics.core.rotation import Array, apply
from physics.systems.toys.world import NO_SLIP, TableWorld

POINTS = 2400  # of a trail
MEMORY = 6.0  # [s] of a trail at most
FADED = 8.0  # of the body's radius: on this way around a trail loses all but a third, so that its direction shows
ABOVE = 0.004  # of the body's radius: how far a trail is off what it lies on
FACE = 3  # contacts from which a body lies on a face: then there is no one contact point
LINE = 1e-3  # [rad] of its axis from the plane, at which a cylinder lies on a line


def table_of(track: LaneTrack) -> TableWorld:
    """The world of a lane on a table."""
    assert isinstance(track.world, TableWorld)
    return track.world


class ContactTrail(DrawnCurve):
    """Where the contact point went lately, on the table and on the body: in one colour where it sticks, or slips.

    Rolling without slip it draws two curves of equal length, one of which rolls on the other.
    """

    overlay = "trails"
    around = False

    def __init__(self, track: LaneTrack, look: StageColours) -> None:
        super().__init__()
        self._track, self._inks = track, (rgb(look.slips), rgb(look.sticks))
        self.seconds = min(track.world.scenario.duration, MEMORY)
        self._recent = RecentSamples(track, self.seconds, POINTS, self._sampled)
        self._fade = 255.0 * np.linspace(0.0, 1.0, POINTS) ** 0.7
        self._faded = FADED * track.body.radius
        blank = np.zeros((POINTS, 4))
        self.on_table, self.on_body = polyline(POINTS, blank), polyline(POINTS, blank)
        self._actors = [self.add(line, lit=False, width=2.6) for line in (self.on_table, self.on_body)]
        for actor in self._actors:
            draw_nearer(actor, 4.0)

    def arms(self, times: Array) -> Array:
        """The contact points (n, 3) [m] on the table at times (n,) [s]."""
        return np.asarray(self._sampled(times)[:, :3])

    def _sampled(self, times: Array) -> Array:
        """At times (n,) [s]: the contact point (3), where it is on the body (3), whether it sticks, and touches."""
        track, world, run = self._track, table_of(self._track), self._track.run
        attitudes = track.attitudes(times)
        arms = _middle(world, world.normal(attitudes))
        points = track.positions(times) + apply(attitudes, arms)
        before = run.rows(np.clip(np.searchsorted(run.time, times, side="right") - 1, 0, len(run) - 1))
        touches = (before.contact > 0.0) & (before.contact < FACE)
        return np.column_stack([points, arms, table_motion.sticks(before, world), touches])

    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Draw up to a pose."""
        samples, off = self._recent.at(pose.time), ABOVE * track.body.radius
        points, arms, sticks, touches = samples[:, :3], samples[:, 3:6], samples[:, 6:7], samples[:, 7]
        around = went_around(points)
        fade = self._fade * np.exp(-np.abs(around[-1] - around) / self._faded)
        rgba = np.column_stack([self._inks[0] + sticks * (self._inks[1] - self._inks[0]), fade * touches])
        move(self.on_table, points * (1.0, 1.0, 0.0) + (0.0, 0.0, off))
        move(self.on_body, arms * (1.0 + ABOVE))
        for line in (self.on_table, self.on_body):
            paint(line, rgba)
        put(self._actors[1], placed(pose.rotation, pose.place))


def went_around(points: Array) -> Array:
    """How far a trail (n, 3) [m] has gone around its middle up to each point (n,) [m]; to and fro through it: not far.

    So the laps of a disk are told apart, and the star that a rattleback draws stays plain.
    """
    arms, steps = (points - middle(points))[:, :2], np.diff(points[:, :2], axis=0, prepend=points[:1, :2])
    across = arms[:, 0] * steps[:, 1] - arms[:, 1] * steps[:, 0]
    return np.asarray(np.cumsum(across / np.maximum(np.hypot(*arms.T), 1e-12)))


def _middle(world: TableWorld, normals: Array) -> Array:
    """Where a body touches (n, 3) [m], for normals (n, 3) in it: in the middle of the line where it lies on one."""
    surface = world.surface
    along = normals @ surface.axis
    swept = np.where(np.abs(along) < LINE, np.sign(along), 0.0) * surface.half_length
    return surface.support(normals) + swept[:, None] * surface.axis


def trail_signs(track: LaneTrack, look: StageColours) -> tuple[Sign, ...]:
    """What the colours of the trails mean."""
    rolls = ("trails", sign(tr("contact rolls"), look.sticks))
    return (
        (rolls,) if table_of(track).scenario.table.mu >= NO_SLIP else (rolls, ("trails", sign(tr("slips"), look.slips)))
    )


class TableContactMarks(Overlay):
    """Arrows at the contact: the normal force, friction, and the slip."""

    overlay = "contacts"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        first = self.tracks[0]
        fastest = first.body.radius * float(np.linalg.norm(first.run.angular_velocity[0]))
        self._slip = nice(max(0.3 * fastest, 1e-3))  # [m/s] drawn as long as the body's radius
        self._arrows = [TableArrows(self, track, look, self._slip) for track in self.tracks]

    def show(self, poses: Sequence[Pose]) -> None:
        """Move to poses."""
        for arrows, pose in zip(self._arrows, poses, strict=True):
            arrows.show(pose)

    def signs(self) -> tuple[Sign, ...]:
        """What the arrows mean."""
        slip = ("contacts", sign(tr("slip ({slip:g} m/s a radius)").format(slip=self._slip), self.look.axes[2]))
        return (
            ("contacts", sign(tr("normal force (a weight a radius)"), self.look.axes[1])),
            ("contacts", sign(tr("friction"), self.look.alarm)),
            *(() if table_of(self.tracks[0]).scenario.table.mu >= NO_SLIP else (slip,)),
        )


class TableArrows:
    """What acts on one body at its contact, as of the stored states around the time shown."""

    def __init__(self, part: ActorGroup, track: LaneTrack, look: StageColours, slip: float) -> None:
        r = self._radius = track.body.radius
        self._track, self._slip = track, slip
        self._weight = track.body.mass * max(table_of(track).scenario.g, 1e-9)
        colours = (look.axes[1], 0.022), (look.alarm, 0.03), (look.axes[2], 0.022)
        self._normal, self._friction, self._slips = (Arrow(part, colour, thick * r) for colour, thick in colours)
        for arrow in (self._normal, self._friction, self._slips):
            draw_nearer(arrow.actor, FRONT)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        track, world = self._track, table_of(self._track)
        arm = pose.rotation @ world.surface.support(pose.rotation[2])
        foot = pose.place + arm
        i = min(max(track.run.index(pose.time), 1), len(track.run) - 1)
        force = table_motion.force(track.run, world, slice(i, i + 1))[0] / self._weight
        touches = bool(track.run.contact[i] > 0.0)
        velocity = table_motion.slip(track.run.rows(slice(i, i + 1)), world)[0] if touches else np.zeros(3)
        point(self._normal, foot, np.array([0.0, 0.0, force[2]]), self._radius)
        point(self._friction, foot, force * (1.0, 1.0, 0.0), self._radius)
        point(self._slips, foot, velocity * (1.0, 1.0, 0.0) / self._slip, self._radius)
