"""Scene of a floating ship: its hull, the sea, and the marks of its stability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyvista as pv

from app.stage.actor_group import draw_nearer, move, placed, polyline, put, rgb
from app.stage.bodies.arrows import FRONT, VectorArrows
from app.stage.bodies.body_mesh import Axes, cut, soup
from app.stage.bodies.sea import Foam, Sea, surface
from app.stage.bodies.ship_hull import WettedHull, hull_mesh
from app.stage.bodies.trails import Trace
from app.stage.camera.rig import direction
from app.stage.camera.subject import TALL, Subject, corners, swept, turned_points, ways
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose, PosedGroup
from app.stage.text.caption_text import Sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis.ship_stability import roll_period
from physics.core.rotation import Array, ahead, from_matrix, matrix
from physics.hydrostatics import flotation
from physics.systems.ship.world import ShipWorld

MARK = 0.012  # radius of G, B and M, in radii of the ship
REACH = 0.12  # length of plumb lines beyond the marks, in radii of the ship
CLEAR = 0.055  # distance from a mark to its letter, in radii of the ship
HALO = 1.4  # radius of the dark or light ball behind a mark, in radii of the mark
LIGHT, DARK = "#f4f4f4", "#15181d"


@dataclass(frozen=True)
class LeverAtPose:
    """Buoyancy and righting lever of a ship at one pose.

    buoyancy : B (3,) [m], the centre of buoyancy
    foot : Z (3,) [m], the foot of the perpendicular from G to the plumb line through B, seen along the ship
    lever : from G to Z [m], above 0 where it rights a heel to starboard; GZ where the water carries just the weight
    rights : it turns the ship towards its rest
    """

    buoyancy: Array
    foot: Array
    lever: float
    rights: bool


def levers(world: ShipWorld, pose: Pose) -> LeverAtPose | None:
    """Levers at a pose; None if nothing is under water.

    In waves the force of the water need not pass through the centre of the submerged volume: B is drawn on the line of
    the force, at its depth in calm water.
    """
    still = world.pose(float(pose.place[2]), pose.rotation)
    volume = still.integrals.volume
    if volume <= 1e-9 * world.load.displacement:
        return None
    forward = ahead(pose.rotation)
    port = np.array([-forward[1], forward[0], 0.0])
    aside, onward = still.integrals.y / volume, still.integrals.x / volume
    if not world.waves.is_calm:
        force, moment = world.water(pose.time, pose.position, from_matrix(pose.rotation))
        lift = max(float(force[2]), 1e-3 * world.body.mass * world.scenario.g)
        aside, onward = float(moment @ forward) / lift, -float(moment @ port) / lift
    foot = pose.place + aside * port
    centre = foot + onward * forward
    centre[2] = still.integrals.z / volume
    heeled = math.remainder(still.heel - world.rest.heel, 2.0 * math.pi)
    return LeverAtPose(centre, foot, -aside, -aside * heeled >= 0.0)


def metacentre(world: ShipWorld) -> Array:
    """M (3,) [m] in the hull's axes from G, on the vertical line at rest."""
    height = flotation.hydrostatics(world.rest).gm_transverse
    return np.asarray(height * world.rest.rotation[2])


def masthead(world: ShipWorld) -> Array:
    """A point (3,) [m] in the hull's axes, far above G, whose path shows the rolling."""
    up = world.rest.rotation[2]
    return np.asarray(2.0 * (max(float(metacentre(world) @ up), 0.0) + REACH * world.body.radius) * up)


class StabilityMarks(PosedGroup):
    """G, B and M with their letters, and two plumb lines: that at rest, and that through B now."""

    overlay = "vectors"

    def __init__(self, world: ShipWorld, look: StageColours) -> None:
        super().__init__()
        self._world, size = world, world.body.radius
        self._above = metacentre(world)
        self._reach = REACH * size
        sunk = world.rest.integrals.z / world.rest.integrals.volume - world.rest.height
        up = world.rest.rotation[2]
        self.masthead = masthead(world)
        self._mast = np.array([(sunk - self._reach) * up, self.masthead])
        self._upright, self._plumb = polyline(2), polyline(2)
        for line, colour in ((self._upright, look.ink), (self._plumb, look.buoyancy)):
            drawn = self.add(line, colour, lit=False, width=2.4)
            draw_nearer(drawn, FRONT)
            self.edge(drawn, 0.8 * FRONT)
        meshes = *(_ball(look.panel) for _ in range(3)), _ball(look.metacentre), _ball(look.buoyancy), _quartered()
        balls = [self.add(mesh, lit=False, culling="back") for mesh in meshes]  # drawn nearer they have no depth
        self._halos, self._marks = balls[:3], balls[3:]
        for mark in balls:
            draw_nearer(mark, FRONT)
        self._radius, self._clear = MARK * size, CLEAR * size
        self._names = [
            self.letter(name, np.zeros(3), colour, 12.5, look.panel)
            for name, colour in (("M", look.metacentre), ("B", look.buoyancy), ("G", look.ink))
        ]
        for name in self._names:
            name.GetTextProperty().SetBackgroundOpacity(0.85)

    def show(self, pose: Pose) -> None:
        found = levers(self._world, pose)
        above = pose.place + pose.rotation @ self._above
        move(self._upright, pose.place + self._mast @ pose.rotation.T)
        centre = pose.place if found is None else found.buoyancy
        top = max(float(above[2]), float(pose.place[2])) + self._reach
        move(self._plumb, np.array([centre, [centre[0], centre[1], top]]))
        port = np.cross([0.0, 0.0, 1.0], ahead(pose.rotation))
        side = 1.0 if found is None or found.lever >= 0.0 else -1.0  # letters on the other side of the lever
        for mark, halo, name, place, aside in zip(
            self._marks, self._halos, self._names, (above, centre, pose.place), (-side, -side, side), strict=True
        ):
            put(halo, placed(pose.rotation, place, HALO * self._radius))
            put(mark, placed(pose.rotation, place, self._radius))
            name.GetPositionCoordinate().SetValue(*(place + self._clear * aside * port))


class RightingLever(PosedGroup):
    """GZ as a bar, green where it rights the ship and red where it heels it."""

    overlay = "vectors"

    def __init__(self, world: ShipWorld, look: StageColours) -> None:
        super().__init__()
        self._world, self._look = world, look
        self._bar = pv.Cylinder(center=(0.5, 0, 0), direction=(1, 0, 0), radius=1.0, height=1.0, resolution=16)
        self._thick = 0.65 * MARK * world.body.radius
        self._actor = self.add(self._bar, look.rights, lit=False, culling="back")
        draw_nearer(self._actor, FRONT)
        self.edge(self._actor, 0.8 * FRONT)

    def show(self, pose: Pose) -> None:
        found = levers(self._world, pose)
        self.set_visible(self.on and found is not None)
        if found is None:
            return
        self._actor.prop.color = self._look.rights if found.rights else self._look.heels
        way = found.foot - pose.place
        length = float(np.linalg.norm(way))
        along = way / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
        frame = np.column_stack([along, np.cross([0.0, 0.0, 1.0], along), [0.0, 0.0, 1.0]])
        put(self._actor, placed(frame @ np.diag([max(length, 1e-9), self._thick, self._thick]), pose.place))


def _ball(colour: str) -> pv.PolyData:
    """A ball of radius 1."""
    ball = pv.Sphere(radius=1.0, theta_resolution=24, phi_resolution=16)
    triangles = np.asarray(ball.points, float)[ball.regular_faces]
    return soup(triangles, triangles, np.tile(rgb(colour), (len(triangles), 1)))


def _quartered() -> pv.PolyData:
    """A ball of radius 1 with alternating dark and light octants."""
    ball = pv.Sphere(radius=1.0, theta_resolution=24, phi_resolution=16)
    triangles = np.asarray(ball.points, float)[ball.regular_faces]
    for axis in range(3):
        triangles = cut(triangles, axis)
    light = np.prod(triangles.mean(axis=1), axis=1) > 0.0
    return soup(triangles, triangles, np.where(light[:, None], rgb(LIGHT), rgb(DARK)))


ASIDE, ABOVE = -24.0, 14.0  # camera [deg]: azimuth from ahead, to starboard, and elevation
SLIGHT = 0.1  # least roll [rad] that sets the scale of the arrow of a ship that starts without rotation
ROLLS, POINTS = 1.5, 160  # memory of the path of the masthead, in periods of roll, and points along it


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The hull in all its poses, see camera.fit.Framing."""
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
    moved = swept(tracks, _outline(track))
    towards = direction(math.degrees(heading) + ASIDE, ABOVE)
    return Subject(np.concatenate([centre + still, moved]), towards, centre, TALL)


def vicinity(tracks: Sequence[LaneTrack]) -> Array:
    """The hull in all its attitudes, see camera.fit.Vicinity."""
    return np.asarray(turned_points(tracks, _outline(tracks[0])).reshape(-1, 3))


def _outline(track: LaneTrack) -> Array:
    """Corners of the box around the hull and the masthead (9, 3) [m], from the centre of mass."""
    assert isinstance(track.world, ShipWorld)
    hull = corners(track.body.vertices.min(axis=0), track.body.vertices.max(axis=0))
    return np.concatenate([hull, masthead(track.world)[None]])


class RollArrow(VectorArrows):
    """The angular velocity alone, not hidden by the hull."""

    def __init__(self, track: LaneTrack, look: StageColours, size: float, rate: float) -> None:
        super().__init__(track, look, size, omega_scale=size / rate, near=FRONT)

    def drawn(self, pose: Pose) -> tuple[Array, Array]:
        """The angular velocity; no arrow of the angular momentum, which has the same direction."""
        return super().drawn(pose)[0], np.zeros(3)


class Ship(LaneScene):
    """A hull afloat, with its waterline, the path of its top, and its righting lever."""

    handle = 0.7  # short, as a ship is long

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        world = track.world
        assert isinstance(world, ShipWorld)
        body, height = track.body, surface(world)
        mesh = hull_mesh(world, track.scheme.colour, look.faces, 0.35 if place.shared else 0.0)
        self.body = WettedHull(mesh, body.radius, height)
        seas = [Sea(body, height, look)] if place.first else []
        for sea in seas:
            sea.show(track.pose(0.0))  # exported pages show this state
        foam = Foam(mesh, float(body.extents[:2].min()), height)
        marks = StabilityMarks(world, look)
        within = [RightingLever(world, look), marks]
        rate, period = _roll(world)
        self.traces = [Trace(track, marks.masthead, ROLLS * period, free=True, width=3.2, points=POINTS)]
        self.tracked = [RollArrow(track, look, min(0.4 * body.radius, float(body.extents[1])), rate), *self.traces]
        axes = Axes(body, look, 0.5 * body.extents + 0.3 * body.radius)
        self.posed = [*seas, self.body, foam, axes, *within]
        # what is in the sea is drawn after it; of actors in front of the hull the last one wins
        self.parts = [*seas, self.body, foam, axes, *self.tracked, *within]

    @property
    def hinge(self) -> Array:
        """The heading: a ship is turned by heeling it."""
        return ahead(matrix(self.track.world.orientation))

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        return (
            ("vectors", sign(tr("G gravity"), look.ink)),
            ("vectors", sign(tr("B buoyancy"), look.buoyancy)),
            ("vectors", sign(tr("M metacentre"), look.metacentre)),
            ("vectors", sign(tr("GZ rights"), look.rights)),
            ("vectors", sign(tr("GZ heels"), look.heels)),
            ("vectors", sign(tr("angular velocity ω"), look.omega)),
        )


def _roll(world: ShipWorld) -> tuple[float, float]:
    """Estimated largest roll rate [rad/s], and the period [s] of small rolls."""
    period = roll_period(world) or world.scenario.duration
    up = matrix(world.orientation)[2]
    heel = abs(math.remainder(math.atan2(up[1], up[2]) - world.rest.heel, 2.0 * math.pi))
    start = float(np.linalg.norm(world.angular_velocity))
    return max(start, 2.0 * math.pi / period * max(heel, SLIGHT)), period
