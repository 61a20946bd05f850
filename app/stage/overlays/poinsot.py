"""Poinsot's construction: the ellipsoid of inertia rolls on the invariable plane without slipping.

Around the centre of mass the tip of ω, drawn to the scale of its arrow, lies on the ellipsoid w.Jw = 2T, which turns
with the body. Where the spin stays, the tip stays in a plane across it, at the distance 2T/|L|. The ellipsoid touches
that plane at the tip, a point on the axis of rotation: so it rolls. Both are drawn as the first state gives them, or
that after an edit; the curves are those of the run, so a scheme that loses the spin leaves them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import circle, draw_nearer, fading, move, placed, polyline, polylines, put, tinted
from app.stage.bodies.arrows import rate_scale
from app.stage.bodies.floor import upright
from app.stage.lane_track import POINTS, LaneTrack, Pose, lately
from app.stage.overlays.overlay import Overlay
from app.stage.text.caption_text import Sign, passing_sign, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.analysis.invariants import polhode_rates
from physics.core.rotation import Array, apply, matrix
from physics.systems import torque_free

OFF = 0.01  # relative distance of the tip from the plane that is marked
RULED = 97  # points of a line on the plane
CLEAR = 1.006  # scale of the curves on the ellipsoid, to be in front of it


class Poinsot(Overlay):
    """Ellipsoid, plane, polhode and herpolhode of every lane of a viewport; one plane for all."""

    overlay = "poinsot"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        first, size = self.tracks[0], self.tracks[0].body.radius
        self.scale = rate_scale(first)
        w, L = first.run.angular_velocity[0], first.run.origin(0).spin
        self.spin, self.twice = max(float(np.linalg.norm(L)), 1e-300), float(w @ first.body.spin(w))
        self.normal = L / self.spin if np.any(L) else np.array([0.0, 0.0, 1.0])
        self.height = self.scale * self.twice / self.spin
        self.stays = torque_free(first.world.scenario)  # else the tip itself leaves the plane
        self.rollers = [Roller(self, track, shared=len(tracks) > 1) for track in self.tracks]
        self.plane = self._invariable(1.15 * size)
        self._planes = [self.add(mesh, lit=False, width=1.2) for mesh in self.plane]

    def _invariable(self, half: float) -> tuple[pv.PolyData, pv.PolyData]:
        """A square and its rules, with an edge and the circles between which the herpolhode stays; half: of a side."""
        square = pv.Plane(i_size=2 * half, j_size=2 * half, i_resolution=1, j_resolution=1)
        square.point_data["rgba"] = tinted(self.look.plane, np.full(4, 56))
        tips = self.scale * self.reference(self.tracks[0]) if self.twice > 0 else np.zeros((2, 1, 3))
        reach = np.sqrt(np.maximum(np.sum(tips**2, axis=-1) - self.height**2, 0.0))
        rings = [r * circle(RULED) for r in (reach.min(), reach.max())]
        along, across = np.linspace(-half, half, RULED), np.linspace(-half, half, 9)
        rules = [np.stack([along, np.full(RULED, x), 0 * along], axis=1) for x in across]
        rules += [rule[:, [1, 0, 2]] for rule in rules]
        faint = [255 if abs(x) == half else 70 for x in across]
        alpha = np.repeat([190, 190, *faint, *faint], RULED)
        return square, polylines([*rings, *rules], tinted(self.look.plane, alpha))

    def reference(self, track: LaneTrack) -> Array:
        """The polhode of the first state, both branches (2, n, 3) [rad/s], in body axes."""
        return apply(track.body.axes, polhode_rates(track.body.inertia, 0.5 * self.twice, self.spin))

    def show(self, poses: Sequence[Pose]) -> None:
        foot = poses[0].place + self.height * self.normal
        for actor in self._planes:
            put(actor, placed(upright(self.normal), foot))
        for roller, pose in zip(self.rollers, poses, strict=True):
            roller.show(pose)

    def lift(self, tip: Array) -> float:
        """Distance [m] of a tip (3,) [m], from the centre of mass, beyond the plane."""
        return float(tip @ self.normal) - self.height

    def foot(self, tip: Array) -> Array:
        """The point (3,) [m] of the plane that is nearest to a tip."""
        return np.asarray(tip - self.lift(tip) * self.normal)

    def signs(self) -> tuple[Sign, ...]:
        off = any(roller.off for roller in self.rollers)
        return (
            ("poinsot", sign(tr("exact polhode"), self.look.sticks)),
            ("poinsot", sign(tr("invariable plane"), self.look.plane)),
            ("poinsot", passing_sign(tr("off the plane"), self.look.gap, on=off)),
        )


class Roller:
    """The ellipsoid of one lane with its curves."""

    def __init__(self, whole: Poinsot, track: LaneTrack, *, shared: bool) -> None:
        self._whole, self._track, self.scale = whole, track, whole.scale
        colour, look = track.scheme.colour, whole.look
        turned = matrix(track.body.axes)
        axes = self.scale * np.sqrt(max(whole.twice, 0.0) / track.body.inertia)
        lines, skin = _net(axes, turned), pv.Sphere(radius=1.0, theta_resolution=64, phi_resolution=48)
        skin.points = (skin.points * axes) @ turned.T
        self.skin = skin = skin.compute_normals(cell_normals=False)
        exact = polylines(CLEAR * self.scale * whole.reference(track))
        self._polhode = polyline(POINTS, fading(colour, POINTS, power=0.35))
        self.herpolhode = polyline(POINTS, fading(colour, POINTS, power=0.35))
        self._gap, self.recent, self.off = polyline(2), lately(track, self.tips), False
        self.ball = pv.Sphere(radius=0.045 * track.body.radius, theta_resolution=20, phi_resolution=14)
        self.bead = whole.add(self.ball, colour, specular=0.3)
        draw_nearer(self.bead, 24.0)  # nearer than the curves: lines are drawn nearer than solids
        whole.add(self.herpolhode, lit=False, width=2.6)
        whole.add(self._gap, look.gap, lit=False, width=4.0)
        self._turning = [
            whole.add(exact, look.sticks, lit=False, width=1.8, opacity=0.9),
            whole.add(self._polhode, lit=False, width=3.4),
            whole.add(lines, colour, lit=False, width=1.4, opacity=0.9),
            whole.add(skin, colour, specular=0.25, opacity=0.1 if shared else 0.17),
        ]

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        tips = self.recent.at(pose.time)
        move(self._polhode, CLEAR * tips[:, 0])
        move(self.herpolhode, pose.place + tips[:, 1])
        for actor in self._turning:
            put(actor, placed(pose.rotation, pose.place))
        tip = self.scale * pose.omega
        self.off = self._whole.stays and abs(self._whole.lift(tip)) > OFF * self._whole.height
        put(self.bead, placed(np.eye(3), pose.place + tip))
        move(self._gap, pose.place + np.stack([tip, self._whole.foot(tip) if self.off else tip]))

    def tips(self, times: Array) -> Array:
        """Tips of ω in the body frame and in inertial axes, (n, 2, 3) [m], at times (n,) [s]."""
        tips = self.scale * self._track.rates(times)
        return np.stack([tips, self._track.points(times, tips)], axis=1)


def _net(axes: Array, turned: Array) -> pv.PolyData:
    """Lines on an ellipsoid of half axes (3,) [m] along the columns of (3, 3): three families of parallels."""
    turn = np.linspace(0, 2 * np.pi, 73)
    rings = []
    for axis in range(3):
        for height in np.sin(np.radians([-45, 0, 45])):
            ring = np.zeros((73, 3))
            ring[:, axis] = height
            wide = np.sqrt(1 - height**2)
            ring[:, axis - 2], ring[:, axis - 1] = wide * np.cos(turn), wide * np.sin(turn)
            rings.append((ring * axes) @ turned.T)
    return polylines(rings)
