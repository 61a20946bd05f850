"""Subject of a camera: the points that it must show, and the distance from which all are in view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from app.stage.camera.rig import HALF
from app.stage.lane_track import LaneTrack
from physics.core.rotation import Array

SPAN = (0.88, 0.88)  # shares of the width and the height of the free part of a viewport that a subject spans at most
TALL = (0.88, 0.92)  # the same where nothing is drawn above or below
SAMPLES = 64  # points on a ball
# Size of products that stay in one thread and in the processor's cache: 20 ms for 69 000 points and 400 directions on
# a busy machine, where one product of all takes 80 ms and keeps other threads waiting.
ALONE = 80_000
POSES = 60  # samples of a motion


@dataclass(frozen=True)
class Subject:
    """Points between which all moves that a camera must see.

    Attributes
    ----------
    points : (n, 3) [m]
    towards : unit vector (3,) from the focus to the camera
    focus : (3,) [m], what the camera looks at and turns about
    span : shares of the width and the height of a viewport that the points span at most
    least : distance [m] that the camera keeps at least
    """

    points: Array
    towards: Array
    focus: Array
    span: tuple[float, float] = SPAN
    least: float = 0.0

    def eye(self, distance: float) -> Array:
        """The camera's position (3,) [m] at a distance [m] from the focus."""
        return np.asarray(self.focus + distance * self.towards)

    def seen(self, distance: float) -> Array:
        """Picture of the points from a distance [m]: to the right and up (n, 2), at a distance of 1."""
        across, ahead = self._arms
        return np.asarray(across / (distance - ahead)[:, None])

    @cached_property
    def _arms(self) -> tuple[Array, Array]:
        """The points from the focus: to the right and up (n, 2), and towards the camera (n,) [m]."""
        arms = self.points - self.focus
        return arms @ self._plane, arms @ self.towards

    @cached_property
    def _plane(self) -> Array:
        """Directions to the right and up in the picture: unit vectors in columns (3, 2)."""
        right = np.cross((0.0, 0.0, 1.0), self.towards)
        right /= np.linalg.norm(right)
        return np.column_stack([right, np.cross(self.towards, right)])

    def reduced(self) -> Subject:
        """Subject with only the points that are outermost in some direction: its extents are the same to 0.4 %."""
        return replace(self, points=outermost(self.points, 400))

    def centred(self, aspect: float) -> Subject:
        """Subject with the focus moved aside, so that its points are in the middle of a viewport that they fill."""
        centred = self
        for _ in range(4):  # what is nearer goes farther aside, so that one step is not enough
            distance = centred.distance(aspect)
            aside = self._plane @ middle(centred.seen(distance))
            centred = replace(centred, focus=centred.focus + distance * aside)
        return centred

    def distance(self, aspect: float, part: tuple[float, float] = (1.0, 1.0)) -> float:
        """Distance [m] from which the points fill a viewport of that width over height, or a part of its sides."""
        sides = 2.0 * HALF * np.array([max(aspect, 1.0), max(1.0 / aspect, 1.0)]) * part * self.span
        size = float(np.linalg.norm(self.points - self.focus, axis=1).max()) + 1e-9
        near = max(float(self._arms[1].max()), 0.0) + 1e-3 * size
        far = near + 2.0 * size / float(sides.min())
        across = np.ascontiguousarray(self._arms[0].T)  # extremes along rows: all of it takes 0.2 ms, not 0.7
        for _ in range(20):  # to 1e-6 of the way from near to far
            middle = (near + far) / 2
            seen = across / (middle - self._arms[1])
            fits = bool((seen.max(axis=1) - seen.min(axis=1) <= sides).all())
            near, far = (near, middle) if fits else (middle, far)
        return max(far, self.least)


def ball(radius: float, count: int = SAMPLES) -> Array:
    """Points (count, 3) [m] all over a sphere around the origin: Fibonacci's lattice."""
    i = np.arange(count) + 0.5
    z, turn = 1.0 - 2.0 * i / count, np.pi * (1.0 + np.sqrt(5.0)) * i
    flat = np.sqrt(1.0 - z * z)
    return np.asarray(radius * np.column_stack([flat * np.cos(turn), flat * np.sin(turn), z]))


def outermost(points: Array, count: int = SAMPLES) -> Array:
    """Outermost points (m, 3) of some (n, 3), in ``count`` directions."""
    ahead, rows = ball(1.0, count).astype(np.float32), np.arange(count)
    farthest, found = np.full(count, -np.inf, np.float32), np.zeros(count, int)
    some = ALONE // count
    for first in range(0, len(points), some):
        far = ahead @ points[first : first + some].T.astype(np.float32)
        at = np.argmax(far, axis=1)
        farther = far[rows, at] > farthest
        farthest[farther], found[farther] = far[rows, at][farther], first + at[farther]
    return np.asarray(points[np.unique(found)], float)


def ways(tracks: Sequence[LaneTrack], samples: int = POSES) -> Array:
    """Places of the bodies over time (m, 3) [m], ``samples`` of each, one body after another."""
    return np.concatenate([track.positions(np.linspace(0.0, track.end, samples)) for track in tracks])


def turned_points(tracks: Sequence[LaneTrack], arms: Array) -> Array:
    """Points of the bodies (n, 3) [m] as they have pointed from the centres of mass, POSES times each (n, m, 3) [m]."""
    times = [np.linspace(0.0, track.end, POSES) for track in tracks]
    return np.array(
        [np.concatenate([track.points(at, arm) for track, at in zip(tracks, times, strict=True)]) for arm in arms]
    )


def swept(tracks: Sequence[LaneTrack], arms: Array) -> Array:
    """Places (m, 3) [m], at POSES times each, of points of the bodies (n, 3) [m] from their centres of mass."""
    return np.asarray((ways(tracks) + turned_points(tracks, arms)).reshape(-1, 3))


def middle(points: Array) -> Array:
    """The middle (d,) of the box around points (n, d)."""
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2)


def corners(low: Array, high: Array) -> Array:
    """The corners (8, 3) of a box between two of them (3,)."""
    return np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def around(places: Array, arms: Array) -> Array:
    """Points (m n, 3) [m]: arms (n, 3) from each of some places (m, 3)."""
    return np.asarray((places[:, None] + arms).reshape(-1, 3))
