"""Scene of a mechanism: its bodies with the halves of their joints, the ground's mounts, and what joints carry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyvista as pv

from app.stage.actor_group import (
    ActorGroup,
    Copies,
    circle,
    draw_nearer,
    fading,
    merged,
    move,
    placed,
    polygons,
    polyline,
    polylines,
    put,
    tinted,
)
from app.stage.bodies.arrows import FRONT, Arrow
from app.stage.bodies.body_mesh import BodyActor, machined
from app.stage.bodies.floor import Floor
from app.stage.bodies.joint_parts import (
    MOST_MARKED,
    JointPlace,
    Mounts,
    framed,
    halves_of,
    joints_of,
    marked,
    mechanism_world,
    size_of,
    unfolded,
)
from app.stage.bodies.ship_hull import given, ship
from app.stage.bodies.trails import SOME, PlacedTrace
from app.stage.bodies.true_motion import BAR, Outlined, outline
from app.stage.camera.rig import direction
from app.stage.camera.subject import Subject, ball, middle, outermost, swept
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene, ScenePart
from app.stage.lane_track import LaneTrack, Pose, RecentSamples, TrackedGroup
from app.stage.overlays.contact_marks import point
from app.stage.overlays.overlay import Overlay
from app.stage.scenes.soft_shadow import SPOT, CastShadows
from app.stage.scenes.vessel import CHALK, STOCK
from app.stage.text.caption_text import Sign, passing_sign, sign
from app.stage.text.colour_map import nice
from app.stage.text.labels import line_of_sight, projected
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics import Trajectory
from physics.bodies.body import IDENTITY, Body
from physics.core.rotation import Array, apply, matrix
from physics.joints.mechanism import BALL, GROUND, TYPES
from physics.joints.motion import joint_loads
from physics.systems.joints.world import JointsWorld

FLOORED = 1.25  # radius of the floor, of the mechanism's reach
SECONDS, LATELY = 4.0, 2.0  # memory of the curves of ω and of the trail at most
GRAVITY = 9.81  # [m/s²] by which forces are scaled
HELD = 3.4  # radius around the ground's joints that a camera shows, in sizes of the joint
MOST_FRAMED = 24  # bodies whose corners a camera keeps in sight


class Linkage(LaneScene):
    """A mechanism under one scheme, with the trail of a far end."""

    apart = True

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        self._look, self.joints, self._ships = look, joints_of(track), ships_of(mechanism_world(track))
        tint, known = 0.45 if place.shared else 0.0, dict[object, pv.PolyData]()
        *self.meshes, last = [self._mesh(one, tint, known) for one in track.bodies]
        self.body = BodyActor(last)
        self.others = Copies(self.meshes) if self.meshes else None
        world, size = mechanism_world(track), size_of(track)
        self.shadows: CastShadows | None = None
        if place.first and (held := self._mounts(world)):
            below = min(float(np.asarray(mesh.points)[:, 2].min()) for mesh in held)
            lowest, far = unfolded(track, self.joints)
            level = min(below, lowest)
            self.shadows = CastShadows([one.body.vertices for one in track.bodies], SPOT, look.shadow, level)
            self.parts += [Floor(FLOORED * max(far, size), level, look), Mounts(held), self.shadows]
        if place.first:
            self.parts += [Water(world, number) for number in self._ships]
        end, seconds = marked(track, self.joints), min(world.scenario.duration, LATELY)
        self.traces = [PlacedTrace(*end, seconds, free=False, width=2.2, points=SOME, ages=True)]
        self.gaps = Gaps(track, self.joints, look)
        self.tracked = [*self.traces, self.gaps]
        if len(world.mechanism.springs):
            self.tracked.append(Springs(track, look))
        if any(TYPES[joint.kind].axles for joint in self.joints):
            self.tracked.append(AxisLines(track, self.joints, look, size))
        self.momenta = Momenta(track, look, size) if world.keeps_spin else None
        if self.momenta is not None:
            self.tracked.append(self.momenta)
        self.mark, self._poses = SelectionMark(look), list[Pose]()
        self.tracked.append(self.mark)
        self.posed = [self.body]
        if self.others is not None:
            self.parts.append(BodyActor(self.others.mesh))
        self.parts += [self.body, *self.tracked]

    def _mesh(self, track: LaneTrack, tint: float, known: dict[object, pv.PolyData]) -> pv.PolyData:
        """A body with the halves of its joints, in body axes; bodies that are alike share one."""
        look, colour, body = self._look, self.track.scheme.colour, track.body
        afloat = track.number in self._ships
        halves = [one for one in halves_of(track, self.joints) if not (afloat and GROUND in one[0].bodies)]
        alike = tuple(
            (joint.kind, side, *np.round(joint.arms[side] / joint.size, 6), *np.round(joint.axes[side], 6))
            for joint, side in halves
        )
        key = body, alike, track.number % 2 if slender(body) else 0
        if key not in known:
            shades = 3 * (look.faces[2 - track.number % 2],) if slender(body) else look.faces
            if self._stock(track):
                bare = ship(body.extents, colour, shades, tint)
            elif afloat:
                bare = given(body, colour, shades, tint)
            else:
                bare = machined(body, shades, colour, tint, marked=len(self.track.bodies) <= MOST_MARKED)
            solids = [mesh for joint, side in halves for mesh in joint.half(side, look, metal(look, side))]
            known[key] = merged([bare, *solids])
        return known[key]

    def _stock(self, track: LaneTrack) -> bool:
        """True if a body is drawn as a stock ship."""
        table = mechanism_world(self.track).scenario.bodies[track.number].table
        return track.number in self._ships and table.form in STOCK

    def shell(self, track: LaneTrack) -> pv.PolyData:
        if not self._stock(track):
            return super().shell(track)
        return ship(track.body.extents, self.track.scheme.colour, self._look.faces, fitted="outline")

    def _mounts(self, world: JointsWorld) -> list[pv.PolyData]:
        """The ground's halves of its joints, with their mounts."""
        places = [drawn.position for drawn in world.scenario.bodies]
        held = []
        for joint in self.joints:
            for side in (0, 1):
                if joint.bodies[side] == GROUND and joint.bodies[1 - side] not in self._ships:  # water holds these
                    away = joint.arms[side] - np.array(places[joint.bodies[1 - side]])
                    if float(np.linalg.norm(away)) < 1e-6 * joint.size:
                        away = np.array([0.0, 0.0, -1.0])
                    held += joint.grounded(side, self._look, away / np.linalg.norm(away))
        return held

    def pick(self, renderer: pv.Renderer, u: float, v: float, within: float) -> ScenePart | None:
        poses = self._poses
        places = np.reshape([joint.points(poses).mean(axis=0) for joint in self.joints], (-1, 3))
        pixels, depth = projected(renderer, places)
        apart = np.where(np.abs(depth) < 1.0, np.linalg.norm(pixels - (u, v), axis=1), np.inf)
        if apart.min(initial=np.inf) <= within:
            return "joint", int(np.argmin(apart))
        touched = self.touch(renderer, u, v)
        return None if touched is None else ("body", touched[0])

    def touch(self, renderer: pv.Renderer, u: float, v: float) -> tuple[int, Array, Array] | None:
        ends = line_of_sight(renderer, u, v)
        lines = [(ends - pose.place) @ pose.rotation for pose in self._poses]
        hits = [_hits(track.body, line) for track, line in zip(self.track.bodies, lines, strict=True)]
        number = int(np.argmin([hit.min(initial=np.inf) for hit in hits]))
        if not len(hit := hits[number]):
            return None
        (near, far), way = lines[number], lines[number][1] - lines[number][0]
        return number, near + 0.5 * (hit.min() + hit.max()) * (far - near), way / np.linalg.norm(way)

    def choose(self, part: ScenePart | None) -> None:
        self.mark.choose(None)
        if part is None:
            return
        table, number = part
        if table == "body" and number < len(self.track.bodies):
            self.track.chosen = number
            self.mark.choose(number, outline(self.shell(self.track.bodies[number])).lines)
        elif table == "joint" and number < len(self.joints):
            joint = self.joints[number]
            side = int(joint.bodies[1] != GROUND)
            lines = RING * joint.size * _rings()
            if side in TYPES[joint.kind].axles or TYPES[joint.kind].axles == (0,):
                lines = np.concatenate([lines, AXLE * joint.size * np.array([[[-1.0], [1.0]]]) * joint.axes[side]])
            self.mark.choose(joint.bodies[side], joint.arms[side] + lines)

    def move(self, pose: Pose) -> None:
        super().move(pose)
        self._poses = self.track.poses(pose.time)
        if self.shadows is not None and self.shadows.on:
            self.shadows.show(self._poses)
        if self.others is not None:
            turns, places = zip(*((one.rotation, one.place) for one in self._poses[:-1]), strict=True)
            self.others.show(np.array(turns), np.array(places))

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        shown = (self.gaps.sign(look),)
        return shown if self.momenta is None else (*self.momenta.signs(look), *shown)


WATER, SHEER = 1.12, 60.0  # radius of the water around a ship, in its own, and its opacity, of 255


def ships_of(world: JointsWorld) -> tuple[int, ...]:
    """Numbers of the bodies that float."""
    return tuple(map(int, np.flatnonzero(world.mechanism.bodies.restoring.any(axis=1))))


class Water(ActorGroup):
    """The level of the water around a ship, through which one sees what hangs from it."""

    overlay = "grid"

    def __init__(self, world: JointsWorld, ship: int) -> None:
        super().__init__()
        up = world.mechanism.up
        around = circle(97) @ framed(up, up).T
        rim = np.array(world.scenario.bodies[ship].position) + WATER * world.parts[ship].radius * around
        corners = np.arange(1, len(rim) - 2)
        fan = np.column_stack([np.zeros_like(corners), corners, corners + 1])
        mesh = polygons(rim[:-1].astype(np.float32), fan)
        mesh.point_data["rgba"] = tinted(CHALK, np.full(len(rim) - 1, SHEER))
        self.add(mesh, lit=False).ForceTranslucentOn()
        self.add(polylines([rim], tinted(CHALK, np.full(len(rim), 2.0 * SHEER))), lit=False, width=1.4)


def metal(look: StageColours, side: int) -> str:
    """Colour of the halves of joints on their first (0) and second (1) bodies."""
    return (look.pin, look.faint)[side]


def slender(body: Body) -> bool:
    """True for a bar with few faces, which has one colour: light tells its sides apart."""
    return len(body.vertices) == 8 and float(np.sort(body.extents)[1]) < BAR * float(body.extents.max())


INNER = 0.8  # share of the length of a torque at which its second head is
LINES = 0.7  # half length of the line of an axis, in sizes of the mechanism
RING = 2.4  # radius of the rings around a chosen joint, in its sizes
AXLE = 6.0  # half length of its axis, likewise
LARGER = 20.0  # times that gaps are drawn larger than they are


class SelectionMark(Outlined, TrackedGroup):
    """Lines around the chosen body or joint."""

    def __init__(self, look: StageColours) -> None:
        super().__init__()
        self.mesh = polylines(np.zeros((1, 2, 3)))
        self.body: int | None = None
        self._drawn = self.draw_lines(self.mesh, look.omega, look)

    def choose(self, body: int | None, lines: Array | None = None) -> None:
        """Draw lines (n, 2, 3) [m] in the axes of a body; None: nothing."""
        self.body = body
        if lines is not None:
            self.mesh.shallow_copy(polylines(lines))
        self.set_visible(self.on)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        if self.body is not None:
            one = track.poses(pose.time)[self.body]
            for actor in self._drawn:
                put(actor, placed(one.rotation, one.place))

    def set_visible(self, on: bool) -> None:
        super().set_visible(on and self.body is not None)


def _rings() -> Array:
    """Lines (n, 2, 3) of three circles of radius 1 around the axes."""
    ring = circle(33)
    return np.concatenate([np.roll(np.stack([ring[:-1], ring[1:]], axis=1), axis, axis=2) for axis in range(3)])


def _hits(body: Body, ends: Array) -> Array:
    """Shares (n,) of the way between two points (2, 3) in a body's axes at which its surface is met."""
    a, b, c = np.moveaxis(body.vertices[body.faces], 1, 0)
    way, from_corner = ends[1] - ends[0], ends[0] - a
    across = np.cross(b - a, c - a)
    slant = across @ way
    with np.errstate(divide="ignore", invalid="ignore"):
        share = -np.sum(across * from_corner, axis=1) / slant
        turn = np.cross(from_corner, way)
        u, v = -np.sum((c - a) * turn, axis=1) / slant, np.sum((b - a) * turn, axis=1) / slant
        met = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (share > 0.0)
    return np.asarray(share[met])


class AxisLines(TrackedGroup):
    """Axes of joints through the scene, in the alarm colour where the loads of a joint are not unique."""

    overlay = "axes"

    def __init__(self, track: LaneTrack, joints: Sequence[JointPlace], look: StageColours, size: float) -> None:
        super().__init__()
        self._axes = [(joint, side) for joint in joints for side in TYPES[joint.kind].axles]
        self._ends = LINES * size * np.array([[-1.0], [1.0]])
        unique = mechanism_world(track).unique
        tints = [tinted(look.dim if unique[one.number] else look.alarm, np.full(2, 170)) for one, _ in self._axes]
        self.mesh = polylines(np.zeros((len(tints), 2, 3)), np.concatenate(tints))
        self.add(self.mesh, lit=False, width=1.4)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        poses = track.poses(pose.time)
        lines = [one.points(poses)[side] + self._ends * one.axis(side, poses) for one, side in self._axes]
        move(self.mesh, np.concatenate(lines))


COILS, ROUND, COILED = 8, 16, 0.06  # turns of a spring, points of a turn, and its radius in its first length


class Springs(TrackedGroup):
    """Springs between points of bodies, as coils."""

    def __init__(self, track: LaneTrack, look: StageColours) -> None:
        super().__init__()
        springs = mechanism_world(track).mechanism.springs
        self._bodies = springs.bodies
        turns = np.stack(
            [np.eye(3) if body == GROUND else matrix(track.bodies[body].body.axes) for body in springs.bodies.ravel()]
        )
        self._points = np.einsum("nij,nj->ni", turns, springs.points.reshape(-1, 3)).reshape(-1, 2, 3)
        share = np.linspace(0.0, 1.0, COILS * ROUND + 1)
        angle = 2.0 * np.pi * COILS * share
        wide = np.minimum(1.0, 10.0 * np.minimum(share, 1.0 - share))
        self._coil = np.column_stack([wide * np.cos(angle), wide * np.sin(angle), share])
        first, second = self._ends(track.poses(0.0))
        self._radius = COILED * np.maximum(np.linalg.norm(second - first, axis=1), 0.1 * size_of(track))
        self.mesh = polylines(np.zeros((len(springs) * COILS * ROUND, 2, 3)))
        self.add(self.mesh, look.faint, lit=False, width=2.5)

    def _ends(self, poses: Sequence[Pose]) -> Array:
        """Ends (2, n, 3) [m] of the springs."""
        return np.array(
            [
                [
                    point if body == GROUND else poses[body].place + poses[body].rotation @ point
                    for body, point in zip(self._bodies[:, side], self._points[:, side], strict=True)
                ]
                for side in (0, 1)
            ]
        )

    def show(self, track: LaneTrack, pose: Pose) -> None:
        found = []
        for first, second, radius in zip(*self._ends(track.poses(pose.time)), self._radius, strict=True):
            way = second - first
            long = float(np.linalg.norm(way))
            z = way / long if long > 0.0 else np.array([0.0, 0.0, 1.0])
            curve = first + self._coil * (radius, radius, long) @ framed(z, z).T
            found.append(np.stack([curve[:-1], curve[1:]], axis=1).reshape(-1, 3))
        move(self.mesh, np.concatenate(found))


class Gaps(TrackedGroup):
    """Gaps of joints in the stored state before the time shown: lines between their halves, LARGER times longer."""

    overlay = "truth"

    def __init__(self, track: LaneTrack, joints: Sequence[JointPlace], look: StageColours) -> None:
        super().__init__()
        mechanism = mechanism_world(track).mechanism
        self._first, self._second = mechanism.joints.first, mechanism.joints.second
        self._arms = np.reshape([joint.arms for joint in joints], (-1, 2, 3))
        self._axes = np.reshape([joint.axes[0] for joint in joints], (-1, 3))
        kinds = [TYPES[joint.kind] for joint in joints]
        self._along = np.array([bool(kind.travels) for kind in kinds], bool)[:, None]
        self._across = np.array([kind.glides for kind in kinds], bool)[:, None]
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
        return ends[0], np.where(self._along, apart - slid, np.where(self._across, slid, apart))

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


def centre_of_mass(track: LaneTrack, places: Array) -> Array:
    """Common centre of mass (..., 3) [m] of a mechanism's bodies at places (..., b, 3)."""
    mass = np.array([body.mass for body in track.whole.bodies])[:, None]
    return np.asarray((mass * places).sum(axis=-2) / mass.sum())


def momenta(track: LaneTrack, row: int | slice) -> Array:
    """Angular momenta (..., b, 3) [kg m²/s] of bodies about the common centre of mass, in rows of the motion."""
    motion, bodies = track.motion, track.whole.bodies
    place, speed = motion.position[row], motion.velocity[row]
    arm, rate = (one - centre_of_mass(track, one)[..., None, :] for one in (place, speed))
    own = [
        apply(motion.orientation[row][..., b, :], body.spin(motion.angular_velocity[row][..., b, :]))
        for b, body in enumerate(bodies)
    ]
    mass = np.array([body.mass for body in bodies])[:, None]
    return np.stack(own, axis=-2) + mass * np.cross(arm, rate)


def _some_rows(track: LaneTrack) -> slice:
    return slice(None, None, max(1, len(track.motion) // PARTS))


def _momentum_scale(vectors: Array, size: float) -> float:
    """Length [m] of 1 kg m²/s, by the momenta (n, b, 3) of a mechanism of a size [m]."""
    largest = np.linalg.norm([*vectors.reshape(-1, 3), *vectors.sum(axis=1)], axis=1).max()
    return LONG * size / max(float(largest), 1e-300)


def _arrow_tips(track: LaneTrack) -> Array:
    """Places (n, 3) [m] of the tips of the arrows of the angular momenta, as far as a mechanism is recorded."""
    places, vectors = track.motion.position[_some_rows(track)], momenta(track, _some_rows(track))
    drawn = _momentum_scale(vectors, size_of(track)) * vectors
    total = centre_of_mass(track, places) + drawn.sum(axis=1)
    return np.concatenate([(places + drawn).reshape(-1, 3), total])


class Momenta(TrackedGroup):
    """Angular momenta of a floating mechanism about its centre of mass: of each body there, and their sum."""

    overlay = "vectors"

    def __init__(self, track: LaneTrack, look: StageColours, size: float) -> None:
        super().__init__()
        self._size, self._known, self._scale = size, 0, 1.0
        self.arrows = [Arrow(self, look.omega, 0.014 * size, FRONT) for _ in track.bodies]
        self.sum = Arrow(self, look.ink, 0.02 * size, FRONT)  # bodies would hide them

    def show(self, track: LaneTrack, pose: Pose) -> None:
        if self._known != len(track.motion):
            self._known = len(track.motion)
            self._scale = _momentum_scale(momenta(track, _some_rows(track)), self._size)
        drawn = self._scale * momenta(track, track.motion.index(pose.time))
        places = np.array([one.place for one in track.poses(pose.time)])
        for arrow, place, vector in zip(self.arrows, places, drawn, strict=True):
            point(arrow, place, vector / self._size, self._size)
        point(self.sum, centre_of_mass(track, places), drawn.sum(axis=0) / self._size, self._size)

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        """Meanings of the arrows."""
        return (
            ("vectors", sign(tr("angular momentum of each body"), look.omega)),
            ("vectors", sign(tr("their sum"), look.ink)),
        )


class Loads(Overlay):
    """Forces of joints on their second bodies, and torques there with two heads; red where they are not unique.

    At the stored state before the time shown.
    """

    overlay = "contacts"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self._joints = [joints_of(track) for track in self.tracks]
        self._size = size_of(self.tracks[0])
        self._unique = [mechanism_world(track).unique for track in self.tracks]
        self._weight = nice(sum(float(body.mass) for body in self.tracks[0].whole.bodies) * GRAVITY)
        self._moment = nice(self._weight * self._size)
        self._arrows = [[self._arrows_of(sure) for sure in unique] for unique in self._unique]

    def _arrows_of(self, unique: bool) -> list[Arrow]:
        """The arrow of a force, and two for the heads of a torque."""
        colours = [self.look.axes[1], *2 * [self.look.axes[2]]] if unique else 3 * [self.look.alarm]
        return [Arrow(self, colour, 0.02 * self._size, FRONT) for colour in colours]

    def show(self, poses: Sequence[Pose]) -> None:
        for number, (joints, arrows, pose) in enumerate(zip(self._joints, self._arrows, poses, strict=True)):
            placed = self.tracks[number].poses(pose.time)
            forces, torques = self.loads(number, pose.time)
            for joint, (arrow, *heads), force, torque in zip(joints, arrows, forces, torques, strict=True):
                foot = joint.points(placed)[1]
                point(arrow, foot, force / self._weight, self._size)
                for head, share in zip(heads, (1.0, INNER), strict=True):
                    point(head, foot, share * torque / self._moment, self._size)

    def loads(self, number: int, time: float) -> tuple[Array, Array]:
        """Forces [N] and torques [N m] (j, 3) of a lane's joints in the state stored before a time [s]."""
        track, world = self.tracks[number], mechanism_world(self.tracks[number])
        row = track.motion.index(time)
        now = track.motion.rows(slice(row, row + 1))
        found = joint_loads(world.mechanism, now.time, world.stored(now))
        return found.force[0], found.torque[0]

    def signs(self) -> tuple[Sign, ...]:
        if not any(self._joints):
            return ()
        text = tr("force of a joint ({newtons:g} N: half the mechanism)").format(newtons=self._weight)
        shown: tuple[Sign, ...] = (("contacts", sign(text, self.look.axes[1])),)
        if any((mechanism_world(track).mechanism.joints.kind != BALL).any() for track in self.tracks):
            text = tr("torque of a joint ({moment:g} N m: half the mechanism)").format(moment=self._moment)
            shown += (("contacts", sign(text, self.look.axes[2])),)
        if not all(unique.all() for unique in self._unique):
            shown += (("contacts", sign(tr("not unique: constraints are redundant"), self.look.alarm)),)
        return shown


CURVED, TIP = 1200, 1.6  # points of the curves of ω; length of the fastest ω, in radii of its body


class Polhodes(Overlay):
    """Polhode and herpolhode of the chosen body: the curves of its ω in its own axes and in space, around it."""

    overlay = "poinsot"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self._recent: dict[LaneTrack, RecentSamples] = {}  # of the bodies chosen so far
        self.curves, self._turning = [], []
        for track in self.tracks:
            pair = [polyline(CURVED, fading(track.scheme.colour, CURVED, power=0.5)) for _ in range(2)]
            actors = [self.add(mesh, lit=False, width=width) for mesh, width in zip(pair, (3.4, 2.2), strict=True)]
            for actor in actors:
                draw_nearer(actor, FRONT)
            self.curves.append(pair)
            self._turning.append(actors[0])

    def show(self, poses: Sequence[Pose]) -> None:
        lanes = zip(self.tracks, self.curves, self._turning, poses, strict=True)
        for head, (polhode, herpolhode), turning, pose in lanes:
            track, one = head.followed, head.followed.pose(pose.time)
            if track not in self._recent:
                seconds = min(track.world.scenario.duration, SECONDS)
                self._recent[track] = RecentSamples(track, seconds, CURVED, partial(self.tips, track))
            tips = self.scale(track) * self._recent[track].at(pose.time)
            move(polhode, tips[:, 0])
            put(turning, placed(one.rotation, one.place))
            move(herpolhode, one.place + tips[:, 1])

    @staticmethod
    def scale(track: LaneTrack) -> float:
        """Length [m] of 1 rad/s."""
        fastest = float(np.linalg.norm(track.run.angular_velocity, axis=1).max())
        return TIP * track.body.radius / max(fastest, 1e-9)

    @staticmethod
    def tips(track: LaneTrack, times: Array) -> Array:
        """ω in the axes of the body and in inertial axes, (n, 2, 3) [rad/s], at times (n,) [s]."""
        rates = track.rates(times)
        return np.stack([rates, track.points(times, rates)], axis=1)

    def signs(self) -> tuple[Sign, ...]:
        track = self.tracks[0]
        text = tr("ω of {body}: polhode (thick) and herpolhode").format(body=track.whole.body_names[track.chosen])
        return (("poinsot", sign(text, self.look.ink)),)


def swept_ball(track: LaneTrack) -> tuple[Array, float]:
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
    if mechanism_world(tracks[0]).mechanism.grounded:  # with the mounts
        held = [joint for joint in joints_of(tracks[0]) if GROUND in joint.bodies]
        arms = [joint.arms[joint.bodies.index(GROUND)] + ball(HELD * joint.size) for joint in held]
        points = np.concatenate([points, *arms])
    else:  # with the arrows
        points = np.concatenate([points, *(_arrow_tips(track) for track in tracks)])
    return Subject(points, direction(-62.0, 14.0), middle(points))


def vicinity(tracks: Sequence[LaneTrack]) -> Array:
    """The followed body with its neighbours, see camera.fit.Vicinity."""
    return ball(max(2.2 * tracks[0].body.radius, 0.35 * size_of(tracks[0])))
