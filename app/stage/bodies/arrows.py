"""Arrows: the angular velocity and the spin as arrows in space, and what a scheme has lost of the spin."""

from __future__ import annotations

import math

import numpy as np

from app.stage.actor_group import ActorGroup, draw_nearer, move, placed, polyline, put
from app.stage.bodies.arrow_meshes import head, joined, shaft
from app.stage.lane_track import LaneTrack, Pose, TrackedGroup
from app.stage.theme_colours import StageColours
from physics.core.rotation import Array, cross, dot

FASTEST = 1.2  # length of the fastest rotation that a free body's energy allows, in radii of the body
SPIN = 1.35  # length of a free body's first spin
LOST = 0.005  # relative loss of spin from which it is shown
ROCK_RATE = 15.0  # [rad/s] drawn with the length of a free body's first angular velocity


def rate_scale(track: LaneTrack) -> float:
    """The length [m] of an angular velocity of 1 rad/s of a free body: all it can reach with its energy stays near."""
    twice = float(track.body.spin(track.run.angular_velocity[0]) @ track.run.angular_velocity[0])
    fastest = np.sqrt(max(twice, 0.0) / float(track.body.inertia.min()))
    return FASTEST * track.body.radius / max(float(fastest), 1e-9)


def spin_scale(track: LaneTrack) -> float:
    """The length [m] of a spin of 1 kg m²/s of a free body."""
    return SPIN * track.body.radius / max(float(np.linalg.norm(track.run.spin[0])), 1e-12)


class Arrow:
    """An arrow of any length from any point: the length moves points in place, the rest is a matrix."""

    def __init__(self, part: ActorGroup, colour: str, radius: float) -> None:
        self._head = 6.0 * radius
        solids = [shaft(20).sized(1.0, radius), head(28).sized(1.0, 2.3 * radius)]
        self.mesh = joined(solids)
        self._template = np.array(self.mesh.points)
        x, is_head = self._template[:, 0], np.arange(self.mesh.n_points) >= len(solids[0].points)
        # along the arrow: what grows with its length, and what with that of its head
        self._by_length, self._by_head = np.where(is_head, 1.0, x), np.where(is_head, x - 1.0, -x)
        self._length = 0.0
        self.actor = part.add(self.mesh, colour, specular=0.25)
        self.actor.prop.culling = "back"

    def show(self, start: Array, vector: Array, scale: float = 1.0) -> None:
        """Point from start (3,) along vector (3,) [m]; scale: how much thicker than built."""
        length = float(np.linalg.norm(vector)) / scale
        if length < 1e-6:
            length, vector = 1e-6, np.array([1e-6, 0.0, 0.0])
        if length != self._length:
            self._length, head = length, min(self._head, 0.6 * length)
            points = self._template * (head / self._head)
            points[:, 0] = self._by_length * length + self._by_head * head
            move(self.mesh, points)
        put(self.actor, placed(_frame(vector), start, scale))


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
    """omega (bright) and spin (neutral), ``size`` [m] large, from the centre of mass or from the point that stays.

    lengths : of both at the start, in sizes; omega_scale : the length [m] of 1 rad/s where the start does not say it
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
    ) -> None:
        super().__init__()
        start = track.pose(0.0)
        rate = ROCK_RATE if rock else max(float(np.linalg.norm(start.omega)), 1e-9)
        spin = ROCK_RATE * float(track.body.inertia.max()) if rock else max(float(np.linalg.norm(start.spin)), 1e-12)
        self.omega_scale = lengths[0] * size / rate if omega_scale is None else omega_scale  # [m] for 1 rad/s
        self.spin_scale = lengths[1] * size / spin
        self._longest = 1.1 * max(lengths) * size
        self.omega = Arrow(self, look.omega, 0.03 * size)
        self.spin = Arrow(self, look.ink, 0.016 * size)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Move to a pose."""
        foot = track.foot(pose)
        for arrow, vector in zip((self.omega, self.spin), self.drawn(pose), strict=True):
            arrow.show(foot, vector * pose.scale, pose.scale)

    def drawn(self, pose: Pose) -> tuple[Array, Array]:
        """How omega and spin are drawn at a pose, (3,) [m], beside a body of its own size."""
        return self._clipped(pose.omega * self.omega_scale), self._clipped(pose.spin * self.spin_scale)

    def _clipped(self, vector: Array) -> Array:
        length = float(np.linalg.norm(vector))
        return vector * (self._longest / length) if length > self._longest else vector


class Loss(TrackedGroup):
    """What a free body, whose spin nothing can change, has lost since the start or an edit: an arrow, and its path.

    scale : of the arrows that show the spin
    """

    overlay = "vectors"

    def __init__(self, track: LaneTrack, look: StageColours, size: float, scale: float) -> None:
        super().__init__()
        self._scale = scale
        self._arrow = Arrow(self, look.alarm, 0.036 * size)  # a sleeve around whatever else points there
        draw_nearer(self._arrow.actor, 24.0)  # than the path, of which lines are drawn nearer than solids
        self._trail = polyline(300)
        self.add(self._trail, look.alarm, lit=False, width=1.8)
        self.lost = False  # whether the body has lost spin by now

    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Move to a pose."""
        row = track.run.index(pose.time)
        origin, spin = track.run.origin(row), track.run.spin[row]
        self.lost = bool(np.linalg.norm(spin - origin.spin) > LOST * origin.spin_scale)
        if self.lost:
            self._arrow.show(pose.place + origin.spin * self._scale, (spin - origin.spin) * self._scale)
            times = np.linspace(origin.state.time, pose.time, 300)[1:]
            move(self._trail, pose.place + np.vstack([origin.spin, track.spins(times)]) * self._scale)
        self.set_visible(self.on)

    def set_visible(self, on: bool) -> None:
        """Show or hide; nothing while nothing is lost."""
        super().set_visible(on and self.lost)
