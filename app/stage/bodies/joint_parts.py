"""Joints of a mechanism: where they are, and solids, half of each on its first body or the ground, half on its second.

So a joint that a scheme lets come apart is seen to. Solids are made along z, the axis of the joint, and with x towards
the body that carries them, in sizes of the joint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, beside, merged, tinted
from app.stage.bodies.arrows import sharp
from app.stage.lane_track import LaneTrack, Pose
from app.stage.theme_colours import StageColours
from physics.bodies.body import Body
from physics.core.rotation import Array, matrix
from physics.joints.joint_types import NAMES
from physics.joints.mechanism import BALL, GROUND, TYPES, Mechanism
from physics.systems.joints.world import JointsWorld

ROUND, COARSE = 28, 8  # facets around; in mechanisms of many bodies
JOINT = 0.7  # size of a joint: of the thickness of the thinner one of its bodies
SLENDER = 0.5  # the same of a universal joint, whose forks reach farther
SMALLEST_SIZE, LARGEST_SIZE = 0.012, 0.09  # smallest and largest size of a joint, of the mechanism's
ALONG = 0.7  # cosine of the angle between a body and the axis about which it turns, beyond which it is a shaft
WIDE = 3.0  # largest half width of what turns on a pin, in sizes of the joint
RAIL = 0.5  # half length of the ground's rails and plates, of the mechanism's size
ROD = 0.35  # radius of a rod from a body to a joint beside it, in sizes of the joint
MOST_MARKED = 40  # bodies with marks on their faces and round joints, which are most of the triangles of a link
Solids = list[pv.PolyData]


def solid(mesh: pv.PolyData, colour: str, turn: Array, at: Array, size: float = 1.0) -> pv.PolyData:
    """A mesh in a colour, scaled, turned by (3, 3) and moved to (3,) [m]."""
    placed = sharp(mesh)
    placed.points = size * np.asarray(placed.points, float) @ turn.T + at
    normals = np.asarray(placed.point_normals, float) @ turn.T
    held: np.ndarray = normals.astype(np.float32)  # as bodies have: others would be lost when merged
    placed.point_data.active_normals = held
    placed.point_data["rgba"] = tinted(colour, np.full(placed.n_points, 255))
    return placed


def framed(axis: Array, towards: Array) -> Array:
    """Columns x, y, z (3, 3) of a frame with z along an axis (3,), and x as near as can be to another direction."""
    aside = towards - (towards @ axis) * axis
    if np.linalg.norm(aside) < 1e-6 * max(float(np.linalg.norm(towards)), 1e-300):
        aside = beside(axis)
    x = aside / np.linalg.norm(aside)
    return np.column_stack([x, np.cross(axis, x), axis])


def rod(radius: float, start: float, end: float, around: int = ROUND) -> pv.PolyData:
    """A cylinder along z, with so many facets around."""
    middle = (0.0, 0.0, 0.5 * (start + end))
    return pv.Cylinder(center=middle, direction=(0, 0, 1), radius=radius, height=end - start, resolution=around)


def box(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> pv.PolyData:
    """A box between two limits along each axis."""
    return pv.Box(bounds=(*x, *y, *z))


def _cup(_: float, __: float, around: int) -> Solids:
    """A socket, open away from its body."""
    cup = pv.Sphere(radius=1.3, theta_resolution=around + 8, phi_resolution=around // 2, end_phi=85.0)
    cup.points = np.asarray(cup.points)[:, [2, 1, 0]] * (1.0, 1.0, -1.0)  # its pole along x
    return [cup]


def _pin(wide: float, _: float, around: int) -> Solids:
    """An axle with heads."""
    end = wide + 0.55
    return [rod(0.5, -end, end, around), rod(0.95, end, end + 0.4, around), rod(0.95, -end - 0.4, -end, around)]


def _fork(_: float, __: float, around: int) -> Solids:
    """Two prongs that hold a pin, one of the two of a cross."""
    prongs = [box((-0.55, 2.3), (-0.5, 0.5), side) for side in ((1.05, 1.4), (-1.4, -1.05))]
    return [*prongs, box((2.0, 2.5), (-0.5, 0.5), (-1.4, 1.4)), rod(0.36, -1.55, 1.55, around)]


def _bearing(away: float, wide: float) -> Solids:
    """The ground's foot of a hinge: cheeks beside what turns, on a plate, or a bearing around the end of a shaft."""
    if abs(away) < 0.7:
        side = wide + 0.15
        cheeks = [box((-0.7, 2.6), (-0.7, 0.7), ends) for ends in ((side, side + 0.4), (-side - 0.4, -side))]
        return [*cheeks, box((2.6, 3.1), (-2.2, 2.2), (-side - 1.2, side + 1.2))]
    foot = (-1.5, -1.0) if away < 0.0 else (1.0, 1.5)
    return [rod(2.6, *foot), rod(1.5, min(*foot, 0.0), max(*foot, 0.0))]


def _stand(end: float, _: float, __: float) -> Solids:
    """A foot of the ground behind the end of its half."""
    plate = box((end + 0.9, end + 1.4), (-2.2, 2.2), (-2.2, 2.2))
    return [box((end - 0.1, end + 1.0), (-0.45, 0.45), (-0.45, 0.45)), plate]


Half = Callable[[float, float, int], Solids]


class JointDrawing(NamedTuple):
    """Drawing of a type of joint.

    Attributes
    ----------
    first, second : the half on each body, by the half width of what turns on a pin, and the half length of what slides,
        both in sizes of the joint, and the number of facets around
    mount : the ground's foot, by the share of the way to the body that is along the axis, and the half width; None: a
        rail or a plate needs none
    size : of the thickness of the thinner body
    """

    first: Half
    second: Half
    mount: Callable[[float, float], Solids] | None = None
    size: float = JOINT


DRAWINGS = {
    "ball": JointDrawing(
        _cup,
        lambda _, __, n: [pv.Sphere(radius=1.0, theta_resolution=n + 4, phi_resolution=n - 4)],
        partial(_stand, 1.2),
    ),
    "hinge": JointDrawing(
        _pin, lambda wide, _, n: [rod(0.85, -max(wide, 0.8) - 0.1, max(wide, 0.8) + 0.1, n)], _bearing
    ),
    "universal": JointDrawing(_fork, _fork, partial(_stand, 2.4), SLENDER),
    "slider": JointDrawing(  # rail and carriage
        lambda _, long, __: [box((-0.4, 0.4), (-0.4, 0.4), (-long, long))],
        lambda _, __, ___: [box((-0.9, 0.9), (-0.9, 0.9), (-1.5, 1.5))],
    ),
    "cylindrical": JointDrawing(
        lambda _, long, n: [rod(0.4, -long, long, n)], lambda _, __, n: [rod(0.9, -1.5, 1.5, n)]
    ),
    "planar": JointDrawing(  # plate and puck
        lambda _, long, __: [box((-long, long), (-long, long), (-0.2, -0.08))],
        lambda _, __, n: [rod(1.3, -0.08, 0.25, n)],
    ),
    "fixed": JointDrawing(
        lambda _, __, ___: [box((-0.75, 0.75), (-0.75, 0.75), (-0.75, 0.75))],
        lambda _, __, ___: [],
        partial(_stand, 2.4),
    ),
}


class Mounts(ActorGroup):
    """The ground's halves of joints, and what holds them."""

    def __init__(self, meshes: Sequence[pv.PolyData]) -> None:
        super().__init__()
        self.mesh = merged(meshes)
        self.add(self.mesh, specular=0.2, ambient=0.14)


def mechanism_world(track: LaneTrack) -> JointsWorld:
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
        self._drawing = DRAWINGS[NAMES[self.kind]]
        thin = min(map(thickness, made)) * self._drawing.size
        self.size = min(max(thin, SMALLEST_SIZE * size), LARGEST_SIZE * size)
        self._around = ROUND if len(tracks) <= MOST_MARKED else COARSE
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
        mount = self._drawing.mount
        held = [] if mount is None else mount(float(away @ turn[:, 2]), self._wide)
        mounts = [solid(mesh, look.faint, turn, at, self.size) for mesh in held]
        return [*mounts, *self._solids(side, turn, at, look.faint)]

    def _frame(self, side: int, towards: Array) -> Array:
        """Columns (3, 3) of the frame in which its half is made, towards a direction (3,); a ball has no axis."""
        axis = np.cross(towards, np.roll(towards, 1) * (1.0, -1.0, 1.0)) if self.kind == BALL else self.axes[side]
        length = float(np.linalg.norm(axis))
        return framed(self.axes[side] if length < 1e-9 else axis / length, towards)

    def _solids(self, side: int, turn: Array, at: Array, colour: str) -> list[pv.PolyData]:
        half = self._drawing.second if side else self._drawing.first
        made = half(self._wide, self._long, self._around)
        return [solid(mesh, colour, turn, at, self.size) for mesh in made]

    def points(self, poses: Sequence[Pose]) -> Array:
        """The joint's point on its first and on its second body (2, 3) [m], at poses of all bodies."""
        return np.array(
            [
                arm if body == GROUND else poses[body].place + poses[body].rotation @ arm
                for body, arm in zip(self.bodies, self.arms, strict=True)
            ]
        )

    def axis(self, side: int, poses: Sequence[Pose]) -> Array:
        """The direction (3,) of the axis that is fixed to the first (0) or the second (1) body, at poses of all."""
        body = self.bodies[side]
        return self.axes[side] if body == GROUND else np.asarray(poses[body].rotation @ self.axes[side])


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
    mechanism, size = mechanism_world(track).mechanism, size_of(track)
    return [JointPlace(mechanism, number, track.bodies, size) for number in range(len(mechanism.joints))]


STILL = 0.1  # distance of a point from the axis of a joint of the ground at which it is still, in radii of the body


def unfolded(track: LaneTrack, joints: Sequence[JointPlace]) -> tuple[float, float]:
    """Lowest height and reach [m] of a mechanism that is stretched out from the ground's joints, however it moves.

    Paths go through bodies from joint to joint; what slides is as far as at the start.
    """
    from scipy.sparse.csgraph import csgraph_from_dense, dijkstra  # imported here: mechanisms alone need it

    bodies = np.array([joint.bodies for joint in joints]).ravel()  # of both ends of each joint
    arms = np.array([joint.arms for joint in joints]).reshape(-1, 3)
    apart = np.full((len(arms), len(arms)), np.inf)
    for body in np.unique(bodies):
        ends = np.flatnonzero(bodies == body)
        apart[np.ix_(ends, ends)] = np.linalg.norm(arms[ends, None] - arms[ends], axis=2)
    for joint in joints:
        first, second = joint.points(track.poses(0.0))
        apart[2 * joint.number, 2 * joint.number + 1] = np.linalg.norm(second - first)
    grounded = np.flatnonzero(bodies == GROUND)
    far = dijkstra(csgraph_from_dense(apart, null_value=np.inf), directed=False, indices=grounded)
    reaches = np.zeros(len(grounded))
    for body, one in enumerate(track.bodies):
        ends = np.flatnonzero((bodies == body) & np.isfinite(far[0]))
        if not len(ends):  # it floats
            continue
        tips = np.linalg.norm(arms[ends, None] - one.body.vertices, axis=2)  # of each corner from each end
        reaches = np.maximum(reaches, (far[:, ends, None] + tips).min(axis=1).max(axis=1))
    return float((arms[grounded, 2] - reaches).max()), float(reaches.min())


def marked(track: LaneTrack, joints: Sequence[JointPlace]) -> tuple[LaneTrack, Array]:
    """The body whose point draws a trail, with that point (3,) [m]: the last one's far end.

    Where a joint of the ground holds that end still, it is one of the body that most joints part from the ground.
    """
    end = far_end(track, joints)
    grounded = [one for one in halves_of(track, joints) if GROUND in one[0].bodies and TYPES[one[0].kind].axles]
    held = [(joint.arms[side], joint.axes[side]) for joint, side in grounded]
    if all(np.linalg.norm(np.cross(axis, end - arm)) > STILL * track.body.radius for arm, axis in held):
        return track, end
    steps, reached = 0, {GROUND: 0}
    while joined := {
        body for joint in joints for body in joint.bodies if body not in reached and set(joint.bodies) & reached.keys()
    }:
        steps += 1
        reached |= dict.fromkeys(joined, steps)
    farthest = max(track.bodies, key=lambda one: reached.get(one.number, 0))
    return farthest, far_end(farthest, joints)


def halves_of(track: LaneTrack, joints: Sequence[JointPlace]) -> list[tuple[JointPlace, int]]:
    """Joints of a body, each with the side, 0 or 1, on which the body is."""
    return [(joint, side) for joint in joints for side in (0, 1) if joint.bodies[side] == track.number]


def far_end(track: LaneTrack, joints: Sequence[JointPlace]) -> Array:
    """The point (3,) [m] of a body whose trail is drawn: that which lies across from its joint, or a corner."""
    arms = [joint.arms[side] for joint, side in halves_of(track, joints)]
    if arms and float(np.linalg.norm(arms[0])) > 0.3 * track.body.radius:
        across = track.body.vertices @ -arms[0]
        far = track.body.vertices[across > across.max() - 1e-6 * abs(across.max())]
        return np.asarray(far.mean(axis=0))
    return np.asarray(track.body.vertices[int(np.argmax(np.linalg.norm(track.body.vertices, axis=1)))])
