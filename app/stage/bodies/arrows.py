"""Arrows: angular velocity and angular momentum in space, the lost angular momentum, and the spin of a toy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, draw_nearer, move, placed, polygons, polyline, put
from app.stage.lane_track import LaneTrack, Pose, PosedGroup, TrackedGroup
from app.stage.plotter import panes
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis.spacecraft import orbit_frame
from physics.core.rotation import Array, cross, dot
from physics.core.trajectory import Trajectory


class ArrowMeshes(NamedTuple):
    """A solid of revolution about x: points (n, 3), their normals (n, 3), and triangles (m, 3) of them."""

    points: Array
    normals: Array
    faces: np.ndarray

    def sized(self, length: float, radius: float, start: float = 0.0) -> ArrowMeshes:
        """Scaled to a length and a radius, from x = start."""
        scale = np.array([length, radius, radius])
        normals = self.normals / scale
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return ArrowMeshes(self.points * scale + (start, 0.0, 0.0), normals, self.faces)

    def along(self, axis: int) -> ArrowMeshes:
        """Turned to another axis: 0, 1, 2 for x, y, z."""
        return ArrowMeshes(np.roll(self.points, axis, axis=1), np.roll(self.normals, axis, axis=1), self.faces)


@lru_cache(maxsize=8)
def shaft(sides: int) -> ArrowMeshes:
    """A cylinder of radius 1 from x = 0 to 1."""
    return _solid(pv.Cylinder(center=(0.5, 0.0, 0.0), radius=1.0, height=1.0, resolution=sides))


@lru_cache(maxsize=8)
def head(sides: int) -> ArrowMeshes:
    """A cone whose base of radius 1 is at x = 0 and whose tip is at 1."""
    return _solid(pv.Cone(center=(0.5, 0.0, 0.0), height=1.0, radius=1.0, resolution=sides))


def sharp(mesh: pv.PolyData) -> pv.PolyData:
    """Triangles of a mesh with sharp edges where it bends by more than 40°."""
    triangles = mesh.triangulate()
    apart: pv.PolyData = triangles.compute_normals(split_vertices=True, feature_angle=40.0, cell_normals=False)
    return apart


def _solid(mesh: pv.PolyData) -> ArrowMeshes:
    mesh = sharp(mesh)
    return ArrowMeshes(np.array(mesh.points, float), np.array(mesh.point_normals, float), mesh.regular_faces)


def one_mesh(solids: Sequence[ArrowMeshes]) -> pv.PolyData:
    """One mesh of solids."""
    before = np.cumsum([0, *(len(solid.points) for solid in solids[:-1])])
    faces = np.concatenate([solid.faces + first for solid, first in zip(solids, before, strict=True)])
    points = np.concatenate([solid.points for solid in solids]).astype(np.float32)
    normals = np.concatenate([solid.normals for solid in solids]).astype(np.float32)
    return polygons(points, faces, normals)


FRONT = 66000.0  # offset for draw_nearer that puts an actor in front of everything
FASTEST = 1.2  # length of the fastest rotation that the energy of a free body allows, in radii of the body
SPIN = 1.35  # length of the first angular momentum of a free body, in radii of the body
LOST = 0.02  # smallest relative loss of angular momentum that is shown
ALIGNED = 0.03  # sine of the angle between arrows of which the longer one alone would be seen
BEGIN, LENGTH, NAMED = 1.02, 0.33, 1.46  # start, length and name of arrows of an orbit, in radii of the body
ROCK_RATE = 15.0  # [rad/s] drawn as long as the first angular velocity of a free body


def rate_scale(track: LaneTrack) -> float:
    """Length [m] of 1 rad/s for a free body, scaled to the fastest rotation that its energy allows at first."""
    track = track.first
    twice = float(track.body.spin(track.run.angular_velocity[0]) @ track.run.angular_velocity[0])
    fastest = np.sqrt(max(twice, 0.0) / float(track.body.inertia.min()))
    return FASTEST * track.body.radius / max(float(fastest), 1e-9)


def spin_scale(track: LaneTrack) -> float:
    """Length [m] of an angular momentum of 1 kg m²/s for a free body."""
    track = track.first
    return SPIN * track.body.radius / max(float(np.linalg.norm(track.run.origin(0).spin)), 1e-12)


class Arrow:
    """An arrow: its length moves points in place, its place and direction are a matrix."""

    def __init__(self, part: ActorGroup, colour: str, radius: float, near: float = 5.0) -> None:
        self._head = 6.0 * radius
        solids = [shaft(12).sized(1.0, radius), head(16).sized(1.0, 2.3 * radius)]
        self.mesh = one_mesh(solids)
        self._template = np.array(self.mesh.points)
        x, is_head = self._template[:, 0], np.arange(self.mesh.n_points) >= len(solids[0].points)
        # coordinates along the arrow: shares of its length and of the length of its head
        self._by_length, self._by_head = np.where(is_head, 1.0, x), np.where(is_head, x - 1.0, -x)
        self._length = 0.0
        self.actor = part.add(self.mesh, colour, specular=0.25, ambient=0.35, culling="back")
        draw_nearer(self.actor, near)
        self._edge = part.edge(self.actor, 0.8 * near - 5.0)

    def show(self, start: Array, vector: Array, scale: float = 1.0) -> None:
        """Point from start (3,) along vector (3,) [m]; scale : of the thickness."""
        length = float(np.linalg.norm(vector)) / scale
        self._edge.SetVisibility(length > 1e-6 and bool(self.actor.GetVisibility()))  # it is as wide on a point
        if length < 1e-6:
            length, vector = 1e-6, np.array([1e-6, 0.0, 0.0])
        if length != self._length:
            self._length, head = length, min(self._head, 0.6 * length)
            points = self._template * (head / self._head)
            points[:, 0] = self._by_length * length + self._by_head * head
            move(self.mesh, points)
        put(self.actor, placed(_frame(vector), start, scale))

    def set_visible(self, on: bool) -> None:
        """Show or hide."""
        self.actor.SetVisibility(on)
        self._edge.SetVisibility(on)


def _frame(vector: Array) -> Array:
    """A right-handed frame (3, 3) whose first column is the direction of a vector (3,)."""
    a, b, c = vector.tolist()
    s = 1.0 / math.sqrt(a * a + b * b + c * c)
    x = a * s, b * s, c * s
    least = min(range(3), key=lambda k: abs(x[k]))
    y = cross(_AXES[least], x)
    s = 1.0 / math.sqrt(dot(y, y))
    y = y[0] * s, y[1] * s, y[2] * s
    return np.array([x, y, cross(x, y)]).T


_AXES = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class VectorArrows(TrackedGroup):
    """Angular velocity (bright) and angular momentum (neutral) from the centre of mass or the fixed point.

    size : scale of the arrows [m]; lengths : of both at the start, in sizes; omega_scale : length [m] of 1 rad/s; None:
    by the start; near : as of ``draw_nearer``
    """

    overlay = "vectors"

    def __init__(
        self,
        track: LaneTrack,
        look: StageColours,
        size: float,
        *,
        lengths: tuple[float, float] = (1.06, SPIN),
        rock: bool = False,
        omega_scale: float | None = None,
        near: float = 5.0,
    ) -> None:
        super().__init__()
        start, first = track.pose(0.0), track.first.body
        rate = ROCK_RATE if rock else max(float(np.linalg.norm(start.omega)), 1e-9)
        spin = ROCK_RATE * float(first.inertia.max()) if rock else max(float(np.linalg.norm(start.spin)), 1e-12)
        usual = size * first.radius / track.body.radius  # of a body that is edited: vectors that stay are drawn alike
        self.omega_scale = lengths[0] * usual / rate if omega_scale is None else omega_scale  # [m] for 1 rad/s
        self.spin_scale = lengths[1] * usual / spin
        self._longest = max(lengths) * usual
        self.omega = Arrow(self, look.omega, 0.03 * size, near)
        self.spin = Arrow(self, look.ink, 0.016 * size, near)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        foot = track.foot(pose)
        for arrow, vector in zip((self.omega, self.spin), self.drawn(pose), strict=True):
            arrow.show(foot, vector * pose.scale, pose.scale)

    def drawn(self, pose: Pose) -> tuple[Array, Array]:
        """The arrows (3,) [m] of angular velocity and angular momentum at a pose, for a body in its own size.

        The second is 0 where it would lie on the first.
        """
        omega, spin = self._clipped(pose.omega * self.omega_scale), self._clipped(pose.spin * self.spin_scale)
        one, other = omega.tolist(), spin.tolist()
        across, along = cross(one, other), dot(one, other)
        aligned = along > 0.0 and dot(across, across) < ALIGNED**2 * dot(one, one) * dot(other, other)
        return omega, np.zeros(3) if aligned else spin

    def _clipped(self, vector: Array) -> Array:
        length = float(np.linalg.norm(vector))
        return vector * (self._longest / length) if length > self._longest else vector


class Loss(TrackedGroup):
    """Angular momentum that a free body has lost since the start or an edit: an arrow and the path of its tip.

    scale : of the arrows of the angular momentum
    """

    overlay = "vectors"

    def __init__(self, track: LaneTrack, look: StageColours, size: float, scale: float) -> None:
        super().__init__()
        self._scale, self._kept = scale, track.world.keeps_spin  # else torques change it, rightly
        # thicker than other arrows there, and nearer than the path: lines are drawn nearer than solids
        self._arrow = Arrow(self, look.alarm, 0.036 * size, 300.0)
        self._trail = polyline(300)
        self.add(self._trail, look.alarm, lit=False, width=1.8)
        self.lost = False

    def show(self, track: LaneTrack, pose: Pose) -> None:
        row = track.run.index(pose.time)
        origin, spin = track.run.origin(row), track.run.spin[row]
        of = origin.spin_scale if self._kept else 0.0
        self.lost = bool(np.linalg.norm(spin - origin.spin) > LOST * of > 0.0)
        if self.lost:
            self._arrow.show(pose.place + origin.spin * self._scale, (spin - origin.spin) * self._scale)
            times = np.linspace(origin.state.time, pose.time, 300)[1:]
            move(self._trail, pose.place + np.vstack([origin.spin, track.spins(times)]) * self._scale)
        self.set_visible(self.on)

    def set_visible(self, on: bool) -> None:
        """Show or hide; hidden while nothing is lost."""
        super().set_visible(on and self.lost)


class OrbitArrows(TrackedGroup):
    """Directions of flight and down to the planet, outside a body in an orbit."""

    overlay = "vectors"

    def __init__(self, look: StageColours, size: float) -> None:
        super().__init__()
        self._size = size
        words = (tr("flight"), look.measured), (tr("down"), look.gap)
        self.flight, self.down = (Arrow(self, colour, 0.016 * size) for _, colour in words)
        self.names = [self.letter(word, np.zeros(3), colour) for word, colour in words]

    def show(self, track: LaneTrack, pose: Pose) -> None:
        foot = track.foot(pose)
        row = track.run.index(pose.time)
        ways = self.drawn(replace(track.run.rows(slice(row, row + 1)), time=np.array([pose.time])), track)[0]
        for arrow, name, way in zip((self.flight, self.down), self.names, self._size * ways, strict=True):
            arrow.show(foot + BEGIN * way, LENGTH * way)
            name.GetPositionCoordinate().SetValue(*(foot + NAMED * way))

    def drawn(self, run: Trajectory, track: LaneTrack) -> Array:
        """Unit vectors of flight and down (n, 2, 3) in the rows of a run."""
        return orbit_frame(run, track.world)[:, ::2]


FOOT = math.radians(-58.0)  # azimuth of its foot: that of the first camera position
RADIUS = 1.08  # radius of its centre line, in radii of the body
HALF = 0.03  # half its width, in radii of the body
HEAD_TURN = 0.3  # longest head [rad], three times as broad as the shaft
APART = 0.09  # distance between the arrows of two lanes, in radii of the body
START_TURN = 0.75 * math.pi  # angle [rad] at the rate of the start
LARGEST_ANGLE = 1.8 * math.pi  # largest angle [rad]
SMALLEST_ANGLE = 0.1  # smallest angle [rad] that is drawn
MOVE_STEP = 0.01  # smaller moves [rad, radii] are not drawn, so that films redraw it less often
ABOVE = 0.006  # height above the table, in radii of the body
POINTS = 49  # along the arrow


class SpinArrow(PosedGroup):
    """An arrow on the table around a toy that shows the sense and the rate of its spin about the normal.

    number : of the lane in its viewport; each lane has its own circle
    """

    overlay = "trails"

    def __init__(self, track: LaneTrack, colour: str, number: int) -> None:
        super().__init__()
        self._size, self._seen = track.body.radius, False
        self._radius = RADIUS + APART * number
        self._shown: tuple[float, ...] = ()
        self._scale = START_TURN / max(float(np.linalg.norm(track.pose(0.0).omega)), 1e-9)  # [rad] for 1 rad/s
        side = 2 * np.arange(POINTS - 1)
        shaft = np.concatenate([np.stack([side, side + 1, side + 3], -1), np.stack([side, side + 3, side + 2], -1)])
        head = 2 * POINTS + np.array([[0, 1, 2]])
        self.mesh = polygons(np.zeros((2 * POINTS + 3, 3), np.float32), np.concatenate([shaft, head]))
        drawn = self.add(self.mesh, colour, lit=False)
        draw_nearer(drawn, 30.0)
        self.edge(drawn, 12.0)

    def show(self, pose: Pose) -> None:
        angle, *place = np.round(np.array([self.angle(pose), *pose.place[:2] / self._size]) / MOVE_STEP) * MOVE_STEP
        self._seen = bool(angle != 0.0)
        self.set_visible(self.on)
        if self._seen and (angle, *place) != self._shown:
            self._shown = angle, *place
            move(self.mesh, self.points(angle) + self._size * np.array([*place, 0.0]))

    def angle(self, pose: Pose) -> float:
        """Angle [rad] at a pose; 0 if it is too small to draw."""
        angle = min(max(float(self._scale * pose.omega[2]), -LARGEST_ANGLE), LARGEST_ANGLE)
        return angle if abs(angle) > SMALLEST_ANGLE else 0.0

    def points(self, angle: float) -> Array:
        """Points (n, 3) [m] of the arrow for an angle [rad], around the origin."""
        return self._size * bent(angle, self._radius)

    def set_visible(self, on: bool) -> None:
        """Show or hide; hidden while the body does not turn."""
        super().set_visible(on and self._seen)


def arrow_reach(names: Sequence[str]) -> float:
    """Outer radius of the arrows of lanes with these names, side by side, in radii of the body."""
    places = panes(names, overlaid=False)
    return RADIUS + APART * (max(map(places.count, places)) - 1) + 3.0 * HALF


def bent(angle: float, radius: float) -> Array:
    """Points (2 POINTS + 3, 3) of an arrow along an arc by an angle [rad]; all in radii of the body."""
    head = math.copysign(min(HEAD_TURN, 0.6 * abs(angle)), angle)
    turn = np.linspace(0.0, angle - head, POINTS)
    turns = np.concatenate([np.repeat(turn, 2), [angle - head, angle - head, angle]])
    aside = HALF * np.concatenate([np.tile([-1.0, 1.0], POINTS), np.array([-3.0, 3.0, 0.0]) * abs(head) / HEAD_TURN])
    around = np.column_stack([np.cos(FOOT + turns), np.sin(FOOT + turns)])
    return np.column_stack([(radius + aside)[:, None] * around, np.full(len(turns), ABOVE)])
