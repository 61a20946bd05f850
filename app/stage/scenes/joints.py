"""Scene of a mechanism: its bodies with the halves of their joints, the ground's mounts, and what joints carry."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import draw_nearer, move, polylines
from app.stage.bodies.arrows import FRONT, Arrow
from app.stage.bodies.body_mesh import BodyActor, machined
from app.stage.bodies.floor import Floor
from app.stage.bodies.joint_parts import HALVES, Mounts, framed, merged, mount, rod, solid
from app.stage.bodies.trails import Trace
from app.stage.camera.rig import direction
from app.stage.camera.subject import Subject, around, ball, middle, outermost, swept
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose, TrackedGroup
from app.stage.overlays.contact_marks import point
from app.stage.overlays.overlay import Overlay
from app.stage.text.caption_text import Sign, passing_sign, sign
from app.stage.text.colour_map import nice
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics import Trajectory
from physics.bodies.body import IDENTITY, Body
from physics.core.rotation import Array, apply, matrix
from physics.joints.mechanism import BALL, CYLINDRICAL, GROUND, PLANAR, SLIDER, UNIVERSAL, Mechanism
from physics.joints.motion import joint_loads
from physics.systems.joints.world import JointsWorld

JOINT = 0.55  # size of a joint: of the thickness of the thinner one of its bodies
SLENDER = 0.5  # the same of a universal joint, whose forks reach farther
LEAST, MOST = 0.012, 0.09  # smallest and largest size of a joint, of the mechanism's
ALONG = 0.7  # cosine of the angle between a body and the axis about which it turns, beyond which it is a shaft
WIDE = 3.0  # largest half width of what turns on a pin, in sizes of the joint
RAIL = 0.5  # half length of the ground's rails and plates, of the mechanism's size
ROD = 0.35  # radius of a rod from a body to a joint beside it, in sizes of the joint
FLOORED = 1.25  # radius of the floor, of the mechanism's reach
SECONDS = 4.0  # memory of the trail at most
SLIDES, GLIDES = (SLIDER, CYLINDRICAL), (PLANAR,)  # joints that are open along, and across, their axis
GRAVITY = 9.81  # [m/s²] by which forces are scaled
HELD = 3.4  # radius around the ground's joints that a camera shows, in sizes of the joint
MOST_FRAMED = 24  # bodies whose corners a camera keeps in sight


def world_of(track: LaneTrack) -> JointsWorld:
    """World of the lane of a mechanism."""
    assert isinstance(track.whole, JointsWorld)
    return track.whole


def size_of(track: LaneTrack) -> float:
    """Half the largest extent [m] of a mechanism at its start."""
    low, high = extents(track)
    return 0.5 * float((high - low).max())


def extents(track: LaneTrack) -> tuple[Array, Array]:
    """Least and greatest coordinates (3,) [m] of a mechanism at its start."""
    points = np.concatenate([_corners(one) for one in track.bodies])
    return points.min(axis=0), points.max(axis=0)


def _corners(track: LaneTrack) -> Array:
    """Corners (n, 3) [m] of a body at the start."""
    pose = track.pose(0.0)
    return np.asarray(pose.place + track.body.vertices @ pose.rotation.T)


def thickness(body: Body) -> float:
    """The size [m] across a body: the mean of its two smaller extents."""
    least = np.sort(body.extents)[:2]
    return float(np.sqrt(least[0] * least[1]))


class JointPlace:
    """A joint: its bodies (-1: the ground), its place and axes in their axes, and its size [m].

    arms (2, 3) [m] : from the centres of mass; axes (2, 3) : the axis in each body, of a universal joint one of each
    """

    def __init__(self, mechanism: Mechanism, number: int, tracks: Sequence[LaneTrack], size: float) -> None:
        self.number, self.kind = number, int(mechanism.joints[number].kind)
        self.bodies = int(mechanism.joints[number].first), int(mechanism.joints[number].second)
        turns = [np.eye(3) if body == GROUND else matrix(tracks[body].body.axes) for body in self.bodies]
        self.arms = [turn @ arm for turn, arm in zip(turns, mechanism.joints[number].arms, strict=True)]
        self.axes = [turn @ axes[0] for turn, axes in zip(turns, mechanism.joints[number].triads, strict=True)]
        self._tracks = [None if body == GROUND else tracks[body] for body in self.bodies]
        made = [track.body for track in self._tracks if track is not None]
        thin = min(map(thickness, made)) * (SLENDER if self.kind == UNIVERSAL else JOINT)
        self.size = min(max(thin, LEAST * size), MOST * size)
        self._long = RAIL * size / self.size if GROUND in self.bodies else 2.5
        across = [
            _support(track.body, arm, axis)
            for track, arm, axis in self._sides()
            if abs(float(arm @ axis)) < ALONG * float(np.linalg.norm(arm))  # else a shaft turns about itself
        ]
        self._wide = min(max(across, default=0.0) / self.size, WIDE)

    def _sides(self) -> list[tuple[LaneTrack, Array, Array]]:
        sides = zip(self._tracks, self.arms, self.axes, strict=True)
        return [(track, arm, axis) for track, arm, axis in sides if track is not None]

    def half(self, side: int, look: StageColours, colour: str) -> list[pv.PolyData]:
        """The half (0: first, 1: second) on a body, in its axes, with a rod where it lies beside the body."""
        body, arm = self._tracks[side], self.arms[side]
        assert body is not None
        turn = self._frame(side, -arm)
        found = self._solids(side, turn, arm, colour)
        if _outside(body.body, arm) > 0.5 * self.size:
            length = float(np.linalg.norm(arm))
            away = framed(arm / length, np.eye(3)[int(np.argmin(np.abs(arm)))])
            found.append(solid(rod(ROD * self.size, 0.0, length), look.faint, away, np.zeros(3)))
        return found

    def grounded(self, side: int, look: StageColours, away: Array) -> list[pv.PolyData]:
        """The ground's half and its mount; away (3,) : from the body in the drawing."""
        turn, at = self._frame(side, away), self.arms[side]
        held = mount(self.kind, turn, away, self._wide)
        mounts = [solid(mesh, look.faint, turn, at, self.size) for mesh in held]
        return [*mounts, *self._solids(side, turn, at, look.faint)]

    def _frame(self, side: int, towards: Array) -> Array:
        """Columns (3, 3) of the frame in which its half is made, towards a direction (3,); a ball has no axis."""
        axis = np.cross(towards, np.roll(towards, 1) * (1.0, -1.0, 1.0)) if self.kind == BALL else self.axes[side]
        length = float(np.linalg.norm(axis))
        return framed(self.axes[side] if length < 1e-9 else axis / length, towards)

    def _solids(self, side: int, turn: Array, at: Array, colour: str) -> list[pv.PolyData]:
        made = HALVES[self.kind][side](self._wide, self._long)
        return [solid(mesh, colour, turn, at, self.size) for mesh in made]

    def points(self, poses: Sequence[Pose]) -> Array:
        """The joint's point on its first and on its second body (2, 3) [m], at poses of all bodies."""
        return np.array(
            [
                arm if body == GROUND else poses[body].place + poses[body].rotation @ arm
                for body, arm in zip(self.bodies, self.arms, strict=True)
            ]
        )


def _support(body: Body, arm: Array, axis: Array) -> float:
    """Reach [m] of a body along an axis (3,), to the farther side, from a point on it (3,)."""
    along = (body.vertices - arm) @ axis
    return float(np.abs([along.min(), along.max()]).max())


def _outside(body: Body, point: Array) -> float:
    """Distance [m] of a point (3,) from the convex hull of a body's corners, about; 0 within."""
    from scipy.spatial import ConvexHull  # imported here: mechanisms alone need it

    planes = ConvexHull(body.vertices).equations
    return max(float((planes[:, :3] @ point + planes[:, 3]).max()), 0.0)


def joints_of(track: LaneTrack) -> list[JointPlace]:
    """The joints of a lane's mechanism."""
    mechanism, size = world_of(track).mechanism, size_of(track)
    return [JointPlace(mechanism, number, track.bodies, size) for number in range(len(mechanism.joints))]


def far_end(track: LaneTrack, joints: Sequence[JointPlace]) -> Array:
    """The point (3,) [m] of a body whose trail is drawn: that which lies across from its joint, or a corner."""
    arms = [joint.arms[side] for joint in joints for side in (0, 1) if joint.bodies[side] == track.number]
    if arms and float(np.linalg.norm(arms[0])) > 0.3 * track.body.radius:
        across = track.body.vertices @ -arms[0]
        far = track.body.vertices[across > across.max() - 1e-6 * abs(across.max())]
        return np.asarray(far.mean(axis=0))
    return np.asarray(track.body.vertices[int(np.argmax(np.linalg.norm(track.body.vertices, axis=1)))])


class Linkage(LaneScene):
    """A mechanism under one scheme, with the trail of its last body's far end."""

    apart = True

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        self._look, self.joints = look, joints_of(track)
        tint, known = 0.45 if place.shared else 0.0, dict[object, pv.PolyData]()
        made = [BodyActor(self._mesh(one, tint, known)) for one in track.bodies]
        *self.others, self.body = made
        world, size = world_of(track), size_of(track)
        if place.first and (held := self._mounts(world)):
            self.parts.append(Mounts(held))
            below = min(float(np.asarray(mesh.points)[:, 2].min()) for mesh in held)
            centre, far = reach(track)
            self.parts.append(Floor(FLOORED * max(far, size), min(below, float(centre[2] - far)), look))
        tip = far_end(track, self.joints)
        self.traces = [
            Trace(track, tip, min(world.scenario.duration, SECONDS), free=False, width=3.0),
        ]
        self.gaps = Gaps(track, self.joints, look)
        self.tracked = [*self.traces, self.gaps]
        self.momenta = None if world.mechanism.grounded else Momenta(track, look, size)
        if self.momenta is not None:
            self.tracked.append(self.momenta)
        self.posed = [self.body]
        self.parts += [*made, *self.tracked]

    def _mesh(self, track: LaneTrack, tint: float, known: dict[object, pv.PolyData]) -> pv.PolyData:
        """A body with the halves of its joints, in body axes; bodies that are alike share one."""
        look, colour, body = self._look, self.track.scheme.colour, track.body
        halves = [(joint, side) for joint in self.joints for side in (0, 1) if joint.bodies[side] == track.number]
        alike = tuple(
            (joint.kind, side, *np.round(joint.arms[side] / joint.size, 6), *np.round(joint.axes[side], 6))
            for joint, side in halves
        )
        key = body, alike
        if key not in known:
            bare = machined(body, look.faces, colour, tint)
            solids = [mesh for joint, side in halves for mesh in joint.half(side, look, metal(look, side))]
            known[key] = merged([bare, *solids])
        return known[key]

    def _mounts(self, world: JointsWorld) -> list[pv.PolyData]:
        """The ground's halves of its joints, with their mounts."""
        places = [drawn.position for drawn in world.scenario.bodies]
        held = []
        for joint in self.joints:
            for side in (0, 1):
                if joint.bodies[side] == GROUND:
                    away = joint.arms[side] - np.array(places[joint.bodies[1 - side]])
                    if float(np.linalg.norm(away)) < 1e-6 * joint.size:
                        away = np.array([0.0, 0.0, -1.0])
                    held += joint.grounded(side, self._look, away / np.linalg.norm(away))
        return held

    @property
    def tips(self) -> list[Array]:
        return []

    def move(self, pose: Pose) -> None:
        super().move(pose)
        for track, body in zip(self.track.bodies, self.others, strict=False):
            body.show(track.pose(pose.time))

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        shown = (self.gaps.sign(look),)
        return shown if self.momenta is None else (*self.momenta.signs(look), *shown)


def metal(look: StageColours, side: int) -> str:
    """Colour of the halves of joints on their first (0) and second (1) bodies."""
    return (look.faint, look.faces[2])[side]


LARGER = 20.0  # times that gaps are drawn larger than they are


class Gaps(TrackedGroup):
    """Gaps of joints in the stored state before the time shown: lines between their halves, LARGER times longer."""

    overlay = "truth"

    def __init__(self, track: LaneTrack, joints: Sequence[JointPlace], look: StageColours) -> None:
        super().__init__()
        mechanism = world_of(track).mechanism
        self._first, self._second = mechanism.joints.first, mechanism.joints.second
        self._arms = np.array([joint.arms for joint in joints])
        self._axes = np.array([joint.axes[0] for joint in joints])
        along, across = [np.array([joint.kind in kinds for joint in joints]) for kinds in (SLIDES, GLIDES)]
        self._free, self._bound = along[:, None], across[:, None]
        self._least = 0.1 * np.array([joint.size for joint in joints])
        self.mesh = polylines(np.zeros((len(joints), 2, 3)))
        draw_nearer(self.add(self.mesh, look.gap, lit=False, width=6.0), FRONT)
        self.seen = False

    def vectors(self, motion: Trajectory, row: int) -> tuple[Array, Array]:
        """Points on the first bodies (j, 3) [m] in a row of a motion, and from there to those on the second ones."""
        position = np.concatenate([motion.position[row], np.zeros((1, 3))])  # the last is the ground, as its number is
        attitude = np.concatenate([motion.orientation[row], IDENTITY[None]])
        ends = [
            position[bodies] + apply(attitude[bodies], arms)
            for bodies, arms in zip((self._first, self._second), self._arms.swapaxes(0, 1), strict=True)
        ]
        apart, axes = ends[1] - ends[0], apply(attitude[self._first], self._axes)
        slid = np.sum(apart * axes, axis=1, keepdims=True) * axes
        return ends[0], np.where(self._free, apart - slid, np.where(self._bound, slid, apart))

    def show(self, track: LaneTrack, pose: Pose) -> None:
        points, gaps = self.vectors(track.motion, track.motion.index(pose.time))
        longer = LARGER * gaps
        seen = np.linalg.norm(longer, axis=1) > self._least
        self.seen = bool(seen.any())
        self.set_visible(self.on)
        if self.seen:
            ends = np.stack([points, points + np.where(seen[:, None], longer, 0.0)], axis=1)
            move(self.mesh, ends.reshape(-1, 3))

    def set_visible(self, on: bool) -> None:
        """Show or hide; hidden while all joints are closed."""
        super().set_visible(on and self.seen)

    def sign(self, look: StageColours) -> Sign:
        """Its meaning."""
        return "truth", passing_sign(
            tr("gap of a joint, {times:g} times larger").format(times=LARGER), look.gap, on=self.seen
        )


PARTS, LONG = 100, 1.3  # rows whose angular momenta give the scale; length of the largest, of the mechanism's size


class Momenta(TrackedGroup):
    """Angular momenta of a floating mechanism about its centre of mass: of each body there, and their sum."""

    overlay = "vectors"

    def __init__(self, track: LaneTrack, look: StageColours, size: float) -> None:
        super().__init__()
        self._size, self._known, self._scale = size, 0, 1.0
        self._mass = np.array([body.mass for body in track.whole.bodies])
        self.arrows = [Arrow(self, look.omega, 0.014 * size) for _ in track.bodies]
        self.sum = Arrow(self, look.ink, 0.02 * size)
        for arrow in (*self.arrows, self.sum):
            draw_nearer(arrow.actor, FRONT)  # bodies would hide them

    def centre(self, places: Array) -> Array:
        """Centre of mass (..., 3) [m] of bodies at places (..., b, 3)."""
        return np.asarray((self._mass[:, None] * places).sum(axis=-2) / self._mass.sum())

    def vectors(self, track: LaneTrack, row: int | slice) -> Array:
        """Angular momenta (..., b, 3) [kg m²/s] of bodies about the common centre of mass, in rows of the motion."""
        motion, bodies = track.motion, track.whole.bodies
        place, speed = motion.position[row], motion.velocity[row]
        arm, rate = place - self.centre(place)[..., None, :], speed - self.centre(speed)[..., None, :]
        own = [
            apply(motion.orientation[row][..., b, :], body.spin(motion.angular_velocity[row][..., b, :]))
            for b, body in enumerate(bodies)
        ]
        return np.stack(own, axis=-2) + self._mass[:, None] * np.cross(arm, rate)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        if self._known != len(track.motion):
            self._known = len(track.motion)
            sampled = self.vectors(track, slice(None, None, max(1, self._known // PARTS)))
            largest = np.linalg.norm([*sampled.reshape(-1, 3), *sampled.sum(axis=1)], axis=1).max()
            self._scale = LONG * self._size / max(float(largest), 1e-300)
        row = track.motion.index(pose.time)
        drawn = self._scale * self.vectors(track, row)
        places = np.array([one.pose(pose.time).place for one in track.bodies])
        for arrow, place, vector in zip(self.arrows, places, drawn, strict=True):
            point(arrow, place, vector / self._size, self._size)
        point(self.sum, self.centre(places), drawn.sum(axis=0) / self._size, self._size)

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        """Meanings of the arrows."""
        return (
            ("vectors", sign(tr("angular momentum of each body"), look.omega)),
            ("vectors", sign(tr("their sum"), look.ink)),
        )


class Forces(Overlay):
    """Forces of joints on their second bodies, at the stored state before the time shown; red where not unique."""

    overlay = "contacts"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self._joints = [joints_of(track) for track in self.tracks]
        self._size = size_of(self.tracks[0])
        self._unique = [world_of(track).unique for track in self.tracks]
        self._weight = nice(sum(float(body.mass) for body in self.tracks[0].whole.bodies) * GRAVITY)
        self._arrows = [
            [Arrow(self, look.axes[1] if sure else look.alarm, 0.02 * self._size) for sure in unique]
            for unique in self._unique
        ]
        for arrows in self._arrows:
            for arrow in arrows:
                draw_nearer(arrow.actor, FRONT)

    def show(self, poses: Sequence[Pose]) -> None:
        for number, (joints, arrows, pose) in enumerate(zip(self._joints, self._arrows, poses, strict=True)):
            placed = [one.pose(pose.time) for one in self.tracks[number].bodies]
            for joint, arrow, force in zip(joints, arrows, self.newtons(number, pose.time), strict=True):
                point(arrow, joint.points(placed)[1], force / self._weight, self._size)

    def newtons(self, number: int, time: float) -> Array:
        """Forces (j, 3) [N] of a lane's joints in the state stored before a time [s]."""
        track, world = self.tracks[number], world_of(self.tracks[number])
        row = track.motion.index(time)
        now = track.motion.rows(slice(row, row + 1))
        return np.asarray(joint_loads(world.mechanism, now.time, world.stored(now)).force[0])

    def signs(self) -> tuple[Sign, ...]:
        text = tr("force of a joint ({newtons:g} N: half the mechanism)").format(newtons=self._weight)
        shown: tuple[Sign, ...] = (("contacts", sign(text, self.look.axes[1])),)
        if not all(unique.all() for unique in self._unique):
            shown += (("contacts", sign(tr("not unique: constraints are redundant"), self.look.alarm)),)
        return shown


def reach(track: LaneTrack) -> tuple[Array, float]:
    """Centre (3,) and radius [m] of the ball in which a mechanism moves, as far as it is recorded."""
    points = _moved([track])
    centre = middle(points)
    return centre, float(np.linalg.norm(points - centre, axis=1).max())


def _moved(tracks: Sequence[LaneTrack]) -> Array:
    """Places (n, 3) [m] of corners of all bodies of some lanes, over time."""
    bodies = [one for track in tracks for one in track.bodies]
    some = bodies[:: max(1, len(bodies) // MOST_FRAMED)] + bodies[-1:]
    return np.concatenate([swept([one], outermost(one.body.vertices, 16)) for one in some])


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """All that the mechanisms sweep, see camera.fit.Framing."""
    points = _moved(tracks)
    if world_of(tracks[0]).mechanism.grounded:  # with the mounts
        held = [joint for joint in joints_of(tracks[0]) if GROUND in joint.bodies]
        arms = [joint.arms[joint.bodies.index(GROUND)] + ball(HELD * joint.size) for joint in held]
        points = np.concatenate([points, *arms])
    else:  # with the arrows
        points = np.concatenate([points, around(middle(points)[None], ball(LONG * size_of(tracks[0])))])
    return Subject(points, direction(-62.0, 14.0), middle(points))


def vicinity(tracks: Sequence[LaneTrack]) -> Array:
    """The followed body with its neighbours, see camera.fit.Vicinity."""
    return ball(max(2.2 * tracks[0].body.radius, 0.35 * size_of(tracks[0])))
