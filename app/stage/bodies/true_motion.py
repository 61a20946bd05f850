"""The true motion beside a lane: the outline of the true body, and arcs from the lane's axes to the true ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import draw_nearer, move, placed, polyline, polylines, put
from app.stage.bodies.arrows import FRONT
from app.stage.bodies.body_mesh import outward, winding_normals
from app.stage.lane_track import LaneTrack, Pose, TrackedGroup
from app.stage.theme_colours import StageColours
from physics.bodies.body import Body
from physics.core.rotation import Array

ALIKE = 0.5, 0.01  # [deg] and radii by which a true body is at most off that lies upon the lane's: it is not drawn
TURNED = 1.0  # [deg] smallest arc
POINTS = 49  # along an arc
FOLD, SMOOTH = math.cos(math.radians(25.0)), math.cos(math.radians(0.5))  # of the angle between faces at an edge
WIDTHS = 1.7, 4.6  # of a line, and of the wider one below it [pixels of a picture 720 high]
BEHIND = 0.8  # of FRONT: the wider line, before all but the line itself


def outline(triangles: Array, normals: Array) -> Array:
    """Lines (n, 2, 3) [m] that show the shape and the attitude of a body of triangles (m, 3, 3), normals (m, 3).

    The edges at which it bends; where it is curved, its sections through the centre of mass too.
    """
    corners = triangles.reshape(-1, 3)
    size = float(np.abs(corners).max())
    _, first, alike = np.unique(np.round(corners / size, 5), axis=0, return_index=True, return_inverse=True)
    faces = alike.reshape(-1, 3)
    sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    order = np.lexsort(sides.T)
    sides, owners = sides[order], np.tile(np.arange(len(faces)), 3)[order]
    edges, start, count = np.unique(sides, axis=0, return_index=True, return_counts=True)
    other = np.minimum(start + 1, len(owners) - 1)
    bend = np.where(count == 2, np.sum(normals[owners[start]] * normals[owners[other]], axis=1), -1.0)
    folded, curved = bend < FOLD, (bend >= FOLD) & (bend < SMOOTH)
    lines = [corners[first][edges[folded]]]
    if curved.sum() > 0.8 * folded.sum():
        lines += [section(triangles, axis) for axis in range(3)]
    return np.concatenate(lines)


def section(triangles: Array, axis: int) -> Array:
    """Lines (n, 2, 3) in which the plane through the origin across an axis cuts triangles (m, 3, 3)."""
    ahead = triangles[..., axis] > 0.0
    across = ahead.any(axis=1) & ~ahead.all(axis=1)
    cut, ahead = triangles[across], ahead[across]
    lone = np.argmax(ahead == (ahead.sum(axis=1, keepdims=True) == 1), axis=1)  # the corner alone on its side
    a, b, c = (cut[np.arange(len(cut)), (lone + k) % 3] for k in range(3))
    ends = [a + (a[:, axis] / (a[:, axis] - p[:, axis]))[:, None] * (p - a) for p in (b, c)]
    return np.stack(ends, axis=1)


def outline_of(body: Body) -> Array:
    """The outline (n, 2, 3) [m] of a body in its axes."""
    triangles = body.vertices[body.faces]
    return outline(triangles, outward(triangles) if body.convex else winding_normals(triangles))


def outline_of_mesh(mesh: pv.PolyData) -> Array:
    """The outline (n, 2, 3) [m] of a drawn mesh of triangles."""
    triangles = np.asarray(mesh.points, float)[mesh.regular_faces]
    return outline(triangles, winding_normals(triangles))


def degrees_apart(one: Array, other: Array) -> float:
    """Angle [deg] of the rotation between two attitudes (3, 3)."""
    return math.degrees(2.0 * math.asin(min(math.sqrt(float(np.sum((one - other) ** 2)) / 8.0), 1.0)))


class TrueMotion(TrackedGroup):
    """The outline of the true body, and arcs from where points of the lane's body are to where they would be.

    lines : the outline, see ``outline``; tips : points (k, 3) [m] of the body, in its axes
    before : those of lanes drawn in the same viewport, with which a common true body is drawn once
    """

    overlay = "truth"

    def __init__(
        self, track: LaneTrack, look: StageColours, lines: Array, tips: Sequence[Array], before: Sequence[TrueMotion]
    ) -> None:
        super().__init__()
        self._track, self._before, self.tips = track, before, list(tips)
        self.body, self.arcs = polylines(lines), [polyline(POINTS) for _ in self.tips]
        self._drawn = [self._add(mesh, look) for mesh in (self.body, *self.arcs)]
        self.seen = [False] * len(self._drawn)  # the body, and each arc

    def _add(self, mesh: pv.PolyData, look: StageColours) -> tuple[pv.Actor, pv.Actor]:
        """A line that stands out from what is bright and from what is dark."""
        core, casing = (
            self.add(mesh, colour, lit=False, width=width, opacity=opacity)
            for colour, width, opacity in zip((look.ink, look.panel), WIDTHS, (1.0, 0.6), strict=True)
        )
        draw_nearer(core, FRONT)
        draw_nearer(casing, BEHIND * FRONT)
        return core, casing

    def show(self, track: LaneTrack, pose: Pose) -> None:
        true = track.true_pose(pose)
        self.seen = [False] * len(self._drawn)
        if true is not None:
            self._show(pose, true)
        self.set_visible(self.on)

    def _show(self, pose: Pose, true: Pose) -> None:
        off = np.linalg.norm(true.position - pose.position) / self._track.body.radius
        if degrees_apart(pose.rotation, true.rotation) < ALIKE[0] and off < ALIKE[1]:
            return
        self.seen[0] = not any(one.seen[0] and one.shares_truth_of(self._track) for one in self._before)
        for actor in self._drawn[0]:
            put(actor, placed(true.rotation, true.place, true.scale))
        foot = self._track.foot(pose)
        for number, (arc, tip) in enumerate(zip(self.arcs, self.tips, strict=True), 1):
            a, b = pose.scale * (pose.rotation @ tip), pose.scale * (true.rotation @ tip)
            if angle := _angle(a, b):
                self.seen[number] = True
                move(arc, foot + great_circle(a, b, angle))

    def shares_truth_of(self, track: LaneTrack) -> bool:
        """True if the true body of another lane is the same."""
        return self._track.truth is track.truth

    def set_visible(self, on: bool) -> None:
        """Show or hide; hidden where the true motion is not known, or where the lane does as it does."""
        for actors, seen in zip(self._drawn, self.seen, strict=True):
            for actor in actors:
                actor.SetVisibility(on and seen)


def _angle(a: Array, b: Array) -> float:
    """Angle [rad] between vectors (3,), 0 where it is too small to draw."""
    angle = math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
    return angle if angle > math.radians(TURNED) else 0.0


def great_circle(a: Array, b: Array, angle: float) -> Array:
    """Points (POINTS, 3) from one vector (3,) to another of the same length, by the shortest way around the origin."""
    across = b - math.cos(angle) * a
    if (length := float(np.linalg.norm(across))) < 1e-6 * float(np.linalg.norm(a)):  # opposite: any way is as short
        across = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        length = float(np.linalg.norm(across))
    turn = np.linspace(0.0, angle, POINTS)[:, None]
    return np.asarray(np.cos(turn) * a + np.sin(turn) * (across * (float(np.linalg.norm(a)) / length)))
