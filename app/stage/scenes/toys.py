"""Scene of a toy on a table: its material, its mirror image, and the trails and forces of its contact."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, move, paint, placed, polyline, put, rgb
from app.stage.bodies.arrows import FRONT, Arrow, SpinArrow, VectorArrows, arrow_reach
from app.stage.bodies.body_mesh import Axes, BodyActor
from app.stage.bodies.floor import Mirrored, Tabletop
from app.stage.bodies.toy import bore, cut_of, glass, material_of, semi_axes, toy
from app.stage.bodies.trails import THIN, DrawnCurve, Path
from app.stage.camera.modes import steady
from app.stage.camera.rig import direction
from app.stage.camera.subject import POSES, Subject, around, middle, outermost, turned_points, ways
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose, PosedGroup, RecentSamples
from app.stage.overlays.contact_marks import point
from app.stage.overlays.overlay import Overlay
from app.stage.scenes.soft_shadow import LAMP, SoftShadow
from app.stage.text.caption_text import Sign, arrows, sign
from app.stage.text.colour_map import nice
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.theme import contrast, mixed
from physics.analysis import toy_motion
from physics.core.rotation import Array, apply
from physics.systems.toys.world import NO_SLIP, ToyWorld

POINTS = 2400  # points of a trail
MEMORY = 6.0  # [s] of a trail at most
FADED = 30.0  # length around its centre over which a trail fades to a third, in radii of the body
GONE = 60.0  # opacity, of 255, below which a trail has no thin line either
ABOVE = 0.004  # height of a trail above its surface, in radii of the body
FACE = 3  # contacts of a body on a face, which has no single contact point
LINE = 1e-3  # [rad] between its axis and the plane, below which a cylinder lies on a line


def toy_world(track: LaneTrack) -> ToyWorld:
    """World of the lane of a toy."""
    assert isinstance(track.world, ToyWorld)
    return track.world


class ContactTrail(DrawnCurve):
    """Recent paths of the contact point on the table and on the body, coloured by sticking or slipping.

    Rolling without slip draws two curves of equal length, one of which rolls on the other.
    """

    overlay = "trails"
    around = False

    def __init__(self, track: LaneTrack, look: StageColours) -> None:
        super().__init__()
        self._track, self._inks = track, (rgb(look.slips), rgb(look.sticks))
        self.seconds = min(track.world.scenario.duration, MEMORY)
        self._recent = RecentSamples(track, self.seconds, POINTS, self._sampled)
        self._fade = 255.0 * np.linspace(0.0, 1.0, POINTS) ** 0.5
        self._faded = FADED * track.body.radius
        blank = np.zeros((POINTS, 4))
        self.on_table, self.on_body, *self._thin = (polyline(POINTS, blank) for _ in range(4))
        for thin, line in zip(self._thin, (self.on_table, self.on_body), strict=True):
            thin.SetPoints(line.GetPoints())
        lines = (self.on_table, 3.0), (self.on_body, 3.0), *((line, 3.0 * THIN) for line in self._thin)
        self._actors = [self.add(line, lit=False, width=width) for line, width in lines]
        dark = contrast(look.slips, "#ffffff") > 3.0
        for number, actor in enumerate(self._actors):
            draw_nearer(actor, 8.0)
            if dark or number % 2 == 0:  # black edges of bright curves on a body would be seen all around it
                self.edge(actor, 4.0)

    def arms(self, times: Array) -> Array:
        """Contact points (n, 3) [m] on the table at times (n,) [s]."""
        return np.asarray(self._sampled(times)[:, :3])

    def _sampled(self, times: Array) -> Array:
        """Contact point (3), its place on the body (3), sticking and touching (1 or 0), at times (n,) [s]."""
        track, world, run = self._track, toy_world(self._track), self._track.run
        attitudes = track.attitudes(times)
        arms = _middle(world, world.normal(attitudes))
        points = track.positions(times) + apply(attitudes, arms)
        before = run.rows(np.clip(np.searchsorted(run.time, times, side="right") - 1, 0, len(run) - 1))
        touches = (before.contact > 0.0) & (before.contact < FACE)
        return np.column_stack([points, arms, toy_motion.sticks(before, world), touches])

    def show(self, track: LaneTrack, pose: Pose) -> None:
        samples, off = self._recent.at(pose.time), ABOVE * track.body.radius
        points, arms, sticks, touches = samples[:, :3], samples[:, 3:6], samples[:, 6:7], samples[:, 7]
        around = went_around(points)
        fade = self._fade * np.exp(-np.abs(around[-1] - around) / self._faded)
        rgba = np.column_stack([self._inks[0] + sticks * (self._inks[1] - self._inks[0]), fade * touches])
        move(self.on_table, points * (1.0, 1.0, 0.0) + (0.0, 0.0, off))
        move(self.on_body, arms * (1.0 + ABOVE))
        for line in (self.on_table, self.on_body):
            paint(line, rgba)
        rgba[:, 3] = 255.0 * ((fade > GONE) & (touches > 0.0))
        for line in self._thin:
            paint(line, rgba)
        for actor in self._actors[1::2]:
            put(actor, placed(pose.rotation, pose.place))


def went_around(points: Array) -> Array:
    """Length (n,) [m] around its centre that a trail (n, 3) [m] has covered up to each point.

    It separates the laps of a disk, and does not fade the star of a rattleback, whose lines go through the centre.
    """
    arms, steps = (points - middle(points))[:, :2], np.diff(points[:, :2], axis=0, prepend=points[:1, :2])
    across = arms[:, 0] * steps[:, 1] - arms[:, 1] * steps[:, 0]
    return np.asarray(np.cumsum(across / np.maximum(np.hypot(*arms.T), 1e-12)))


def _middle(world: ToyWorld, normals: Array) -> Array:
    """Contact points (n, 3) [m] for normals (n, 3) in the body: the middle of a line of contact."""
    surface = world.surface
    along = normals @ surface.axis
    swept = np.where(np.abs(along) < LINE, np.sign(along), 0.0) * surface.half_length
    return surface.support(normals) + swept[:, None] * surface.axis


def trail_signs(track: LaneTrack, look: StageColours) -> tuple[Sign, ...]:
    """Signs of the colours of the trails."""
    rolls = ("trails", sign(tr("contact rolls"), look.sticks))
    slips = ("trails", sign(tr("slips"), look.slips))
    return (rolls,) if toy_world(track).scenario.table.mu >= NO_SLIP else (rolls, slips)


class ToyContactMarks(Overlay):
    """Arrows of normal force, friction and slip at the contact."""

    overlay = "contacts"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        first = self.tracks[0]
        fastest = first.body.radius * float(np.linalg.norm(first.run.angular_velocity[0]))
        self._slip = nice(max(0.3 * fastest, 1e-3))  # [m/s] drawn as long as the body's radius
        self.arrows = [ToyArrows(self, track, look, self._slip) for track in self.tracks]

    def show(self, poses: Sequence[Pose]) -> None:
        for shown, pose in zip(self.arrows, poses, strict=True):
            shown.show(pose)

    def signs(self) -> tuple[Sign, ...]:
        slip = ("contacts", sign(tr("slip ({slip:g} m/s a radius)").format(slip=self._slip), self.look.axes[2]))
        return (
            ("contacts", sign(tr("normal force (a weight a radius)"), self.look.axes[1])),
            ("contacts", sign(tr("friction"), self.look.alarm)),
            *(() if toy_world(self.tracks[0]).scenario.table.mu >= NO_SLIP else (slip,)),
        )


class ToyArrows:
    """Arrows at the contact of one toy, by the stored states around the time shown."""

    def __init__(self, part: ActorGroup, track: LaneTrack, look: StageColours, slip: float) -> None:
        r = self._radius = track.body.radius
        self._track, self._slip = track, slip
        self._weight = track.body.mass * max(toy_world(track).scenario.g, 1e-9)
        colours = (look.axes[1], 0.022), (look.alarm, 0.03), (look.axes[2], 0.022)
        self.normal, self.friction, self.slips = (Arrow(part, colour, thick * r, FRONT) for colour, thick in colours)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        foot, *vectors = self.drawn(pose)
        for arrow, vector in zip((self.normal, self.friction, self.slips), vectors, strict=True):
            point(arrow, foot, vector, self._radius)

    def drawn(self, pose: Pose) -> tuple[Array, Array, Array, Array]:
        """The contact (3,) [m] at a pose; normal force, friction and slip there, (3,) in radii of the body each."""
        track, world = self._track, toy_world(self._track)
        arm = pose.rotation @ world.surface.support(pose.rotation[2])
        i = min(max(track.run.index(pose.time), 1), len(track.run) - 1)
        force = toy_motion.force(track.run, world, slice(i, i + 1))[0] / self._weight
        touches = bool(track.run.contact[i] > 0.0)
        velocity = toy_motion.slip(track.run.rows(slice(i, i + 1)), world)[0] if touches else np.zeros(3)
        level = np.array([1.0, 1.0, 0.0])
        return pose.place + arm, np.array([0.0, 0.0, force[2]]), force * level, velocity * level / self._slip


COARSE = 48  # facets around of a mirrored body
SHADOW = 0.6  # darkness of the shadow; 0.7 looks like a hole under the Euler disk
NARROW = 0.1  # spread of the light on a hoop, whose thin shadow fades in a broad light
NEAR = 0.25  # distance below the cut from which the glass is visible, in half heights


def path_ball(tracks: Sequence[LaneTrack]) -> tuple[Array, float]:
    """Centre (3,) of the paths of the bodies on the table, and their largest distance [m] from it."""
    points = ways(tracks, 120)
    centre = middle(points)
    return centre, float(np.linalg.norm(points - centre, axis=1).max())


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The whole paths of the bodies, see camera.fit.Framing."""
    places, turns = ways(tracks), turned_points(tracks, outermost(tracks[0].body.vertices))
    flat = float(np.median(np.ptp(turns[..., 2], axis=0))) / float(np.hypot(turns[..., 0], turns[..., 1]).max())
    towards = direction(-58.0, 36.0 - 12.0 * min(flat, 1.0))  # a flat body is seen from above
    rings = _rings(tracks, turns, places[:, 2])
    return Subject(around(places * (1.0, 1.0, 0.0), rings), towards, path_ball(tracks)[0])


def vicinity(tracks: Sequence[LaneTrack]) -> Array:
    """The bodies relative to their smoothed paths, see camera.fit.Vicinity."""
    turns = turned_points(tracks, outermost(tracks[0].body.vertices))
    taken = [steady(track, time) for track in tracks for time in np.linspace(0.0, track.end, POSES)]
    lags = ways(tracks) - np.array(taken)
    return around(lags * (1.0, 1.0, 0.0), _rings(tracks, turns, lags[:, 2]))


def _rings(tracks: Sequence[LaneTrack], turns: Array, heights: Array) -> Array:
    """Circles (n, 3) [m] around bodies that may turn about the vertical, and around their spin arrows.

    turns : arms of points of the bodies (k, m, 3) [m]; heights : of their centres (m,) [m], from the focus
    """
    profile = np.stack([np.hypot(turns[..., 0], turns[..., 1]), heights + turns[..., 2]], axis=-1).reshape(-1, 2)
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    table = heights - ways(tracks)[:, 2]
    reach = arrow_reach([track.scheme.name for track in tracks]) * tracks[0].body.radius
    arrows = [(reach, edge) for edge in (table.min(), table.max())]
    rim = np.array([*profile[np.unique(np.argmax(profile @ circle.T, axis=0))], *arrows])
    return np.concatenate([np.column_stack([far * circle, np.full(len(turn), high)]) for far, high in rim])


class Toy(BodyActor):
    """A toy in its material, see bodies.toy."""

    def __init__(self, world: ToyWorld, colour: str) -> None:
        super().__init__(toy(world, colour), closed=True)
        look, material = self.actor.prop, material_of(world)
        look.specular, look.specular_power = material.specular, material.power


class Glass(PosedGroup):
    """The part cut off from the smooth shape, visible when it comes near the table."""

    def __init__(self, world: ToyWorld) -> None:
        super().__init__()
        self._surface, self._cut, self._half = world.surface, cut_of(world), float(semi_axes(world)[2])
        self.actor = self.add(glass(world), specular=0.8, opacity=0.0)

    def show(self, pose: Pose) -> None:
        surface = self._surface
        along = float((surface.support(pose.rotation[2]) - surface.centre) @ surface.axis) / self._half
        share = min(max((along - self._cut + NEAR) / NEAR, 0.0), 1.0)
        self.actor.prop.opacity = 0.3 * share
        self.actor.SetVisibility(share > 0.0)
        put(self.actor, placed(pose.rotation, pose.place))


class Plumb(PosedGroup):
    """Gravity as an arrow above the body, as a tilted table is drawn level."""

    overlay = "grid"

    def __init__(self, world: ToyWorld, look: StageColours) -> None:
        super().__init__()
        size = world.body.radius
        self._above, self._down = np.array([0.0, 0.0, 2.4 * size]), size * world.gravity / max(world.scenario.g, 1e-300)
        self._arrow = Arrow(self, look.faint, 0.022 * size)

    def show(self, pose: Pose) -> None:
        self._arrow.show(pose.place + self._above, self._down)


class ToyScene(LaneScene):
    """A toy on its table, with the trails of its contact and the arrow of its spin."""

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        world, body, colour = toy_world(track), track.body, track.scheme.colour
        self.body = Toy(world, colour)
        self.posed = [self.body, Axes(body, look, 1.3 * body.radius)]
        if place.first:
            table = Tabletop(track, look)
            self.tracked.append(table)
            self.parts.append(table)  # first: it is translucent, and all else lies on it
            coarse = toy(world, colour, COARSE)
            hole = bore(world)
            light = LAMP if hole is None else LAMP._replace(spread=NARROW)
            self.posed += [Mirrored(coarse), SoftShadow(np.asarray(coarse.points), light, SHADOW, bore=hole)]
        if cut_of(world) < 1.0:
            self.posed.append(Glass(world))
        self.posed.append(SpinArrow(track, mixed(colour, "#ffffff", 0.25), place.number))  # wood is as dark
        if world.scenario.table.tilt != 0.0:
            self.posed.append(Plumb(world, look))
        way = Path(track)
        way.overlay = "colours"  # without colours the trails of the contact show more
        trail = ContactTrail(track, look)
        self.traces = (trail,)
        moving = [VectorArrows(track, look, body.radius), trail, way]
        self.tracked += moving
        self.parts += [*self.posed, *moving]

    def shell(self, track: LaneTrack) -> pv.PolyData:
        world = toy_world(self.track)  # the stem of a tippe top tells how far it has turned over
        return toy(world, self.track.scheme.colour, COARSE) if cut_of(world) < 1.0 else super().shell(track)

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        tilt = toy_world(self.track).scenario.table.tilt
        turning = ("trails", sign(tr("spin about the normal"), look.ink))
        signs = (*trail_signs(self.track, look), turning)
        if tilt:
            text = tr("gravity: the table tilts by {angle:.3g}°").format(angle=math.degrees(tilt))
            signs += (("grid", sign(text, look.faint)),)
        return (*signs, *arrows(look))
