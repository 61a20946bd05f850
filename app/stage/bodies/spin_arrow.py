"""The spin arrow: which way a body on a table turns about the normal, and how fast, bent around its foot."""

from __future__ import annotations

import math

import numpy as np

from app.stage.actor_group import draw_nearer, move, polygons
from app.stage.lane_track import LaneTrack, Pose, PosedGroup
from app.stage.plotter import MOST_VIEWS
from physics.core.rotation import Array

FRONT = math.radians(-58.0)  # azimuth at which it begins: where the camera stands at first
RADIUS = 1.08  # of its middle line, in radii of the body
HALF = 0.03  # of its width, likewise
HEAD = 0.3  # [rad] of its head at most, which is as broad as three shafts
APART = 0.09  # from that of one lane of a viewport to that of the next, likewise
FASTEST = 0.75 * math.pi  # [rad] that it goes around at the rate of the start
MOST = 1.8 * math.pi  # [rad] that it goes around
LEAST = 0.1  # [rad] below which it would be a fleck
STEP = 0.01  # [rad], and of the body's radius: it moves by such steps, which no pixel tells, so that films draw it less
ABOVE = 0.006  # of the body's radius: how far it is off the table
POINTS = 49  # along it


class SpinArrow(PosedGroup):
    """From the front to the right around a body that turns counter-clockwise, seen from above, and else to the left.

    number : of the lane in its viewport; each has a circle of its own
    """

    overlay = "trails"

    def __init__(self, track: LaneTrack, colour: str, number: int) -> None:
        super().__init__()
        self._size, self._seen = track.body.radius, False
        self._radius = RADIUS + APART * number
        self._shown: tuple[float, ...] = ()
        self._scale = FASTEST / max(float(np.linalg.norm(track.pose(0.0).omega)), 1e-9)  # [rad] for 1 rad/s
        side = 2 * np.arange(POINTS - 1)
        shaft = np.concatenate([np.stack([side, side + 1, side + 3], -1), np.stack([side, side + 3, side + 2], -1)])
        head = 2 * POINTS + np.array([[0, 1, 2]])
        self.mesh = polygons(np.zeros((2 * POINTS + 3, 3), np.float32), np.concatenate([shaft, head]))
        draw_nearer(self.add(self.mesh, colour, lit=False), 6.0)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        angle, *place = np.round(np.array([self.angle(pose), *pose.place[:2] / self._size]) / STEP) * STEP
        self._seen = bool(angle != 0.0)
        self.set_visible(self.on)
        if self._seen and (angle, *place) != self._shown:
            self._shown = angle, *place
            move(self.mesh, self.points(angle) + self._size * np.array([*place, 0.0]))

    def angle(self, pose: Pose) -> float:
        """How far it goes around at a pose [rad]; 0 where there is nothing to see."""
        angle = min(max(float(self._scale * pose.omega[2]), -MOST), MOST)
        return angle if abs(angle) > LEAST else 0.0

    def points(self, angle: float) -> Array:
        """Its points (n, 3) [m] around the origin where it goes around by an angle [rad]."""
        return self._size * bent(angle, self._radius)

    def set_visible(self, on: bool) -> None:
        """Show or hide; nothing while the body does not turn."""
        super().set_visible(on and self._seen)


def reach(lanes: int) -> float:
    """How far out the arrows of so many lanes go, in radii of the body, where viewports share them alike."""
    return RADIUS + APART * ((lanes - 1) // MOST_VIEWS) + 3.0 * HALF


def bent(angle: float, radius: float) -> Array:
    """The points (2 POINTS + 3, 3) of an arrow by an angle [rad] around a circle; all in radii of the body."""
    head = math.copysign(min(HEAD, 0.6 * abs(angle)), angle)
    turn = np.linspace(0.0, angle - head, POINTS)
    turns = np.concatenate([np.repeat(turn, 2), [angle - head, angle - head, angle]])
    aside = HALF * np.concatenate([np.tile([-1.0, 1.0], POINTS), np.array([-3.0, 3.0, 0.0]) * abs(head) / HEAD])
    around = np.column_stack([np.cos(FRONT + turns), np.sin(FRONT + turns)])
    return np.column_stack([(radius + aside)[:, None] * around, np.full(len(turns), ABOVE)])
