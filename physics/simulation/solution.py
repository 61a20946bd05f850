"""Solutions: stored states of a motion, what it is between them, and up to when two of them agree."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.core.rotation import Array, angle_between, cubic, multiply
from physics.core.trajectory import STATE

COLUMNS = ("time", *STATE)


@dataclass(frozen=True)
class Solution:
    """Stored states of a solution: columns as in Trajectory."""

    time: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array

    def at(self, times: Array) -> tuple[Array, Array, Array, Array]:
        """Position, orientation, velocity and angular velocity at times (n,) [s], by cubics between stored states.

        Each cubic has the states and their rates of change at both ends; the last one goes on a little.
        """
        i = np.clip(np.searchsorted(self.time, times, side="right") - 1, 0, max(len(self.time) - 2, 0))
        j = np.minimum(i + 1, len(self.time) - 1)
        span = self.time[j] - self.time[i]
        f = np.clip((times - self.time[i]) / np.where(span > 0.0, span, 1.0), 0.0, 1.5)
        span, f = (x.reshape(-1, *[1] * (self.position.ndim - 1)) for x in (span, f))
        (p, q), (v, w) = ([column[k] for k in (i, j)] for column in (self.orientation, self.angular_velocity))
        near = np.where(np.sum(p * q, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        turned = cubic(p, _rate(p, v), near * q, near * _rate(q, w), span, f)
        return (
            cubic(self.position[i], self.velocity[i], self.position[j], self.velocity[j], span, f),
            turned / np.linalg.norm(turned, axis=-1, keepdims=True),
            self.velocity[i] + f * (self.velocity[j] - self.velocity[i]),
            v + f * (w - v),
        )

    def thinned(self, most: int) -> Solution:
        """Half as many states as the most at most, where there are more: without those nearest to one another."""
        if len(self.time) < most:
            return self
        place = np.floor((self.time - self.time[0]) / (self.time[-1] - self.time[0]) * (most // 2 - 1))
        return self.rows(np.diff(place, prepend=-1.0) > 0.0)

    def rows(self, where: slice | NDArray[np.bool_]) -> Solution:
        """Some of its states."""
        return Solution(*(getattr(self, name)[where] for name in COLUMNS))

    def between(self, begin: float, end: float) -> Solution:
        """Its states from a time [s] to another, both included."""
        first, last = np.searchsorted(self.time, begin), np.searchsorted(self.time, end, side="right")
        return self.rows(slice(int(first), int(last)))

    def around(self, begin: float, end: float) -> Solution:
        """The same with the states next to them on both sides."""
        first, last = np.searchsorted(self.time, begin, side="right") - 1, np.searchsorted(self.time, end) + 1
        return self.rows(slice(max(int(first), 0), int(last)))


def concatenated(*parts: Solution) -> Solution:
    """Solutions one after another."""
    return Solution(*(np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS))


def _rate(q: Array, w: Array) -> Array:
    """Rates of change (..., 4) of attitudes (..., 4) with angular velocities (..., 3) [rad/s]."""
    return 0.5 * multiply(q, np.concatenate([np.zeros_like(w[..., :1]), w], axis=-1))


def farthest(values: Array) -> Array:
    """The largest value (n,) of all bodies (n, b), or of the only one (n,)."""
    return values if values.ndim == 1 else np.asarray(values.max(axis=1))


def parting(one: Solution, other: Solution, angle: float, length: float) -> float:
    """The last time [s] of states of one at which another is as near [rad], [m], or infinite where it is at all.

    Of states that part from the first on: the first time of the other.
    """
    position, orientation, _, _ = other.at(one.time)
    turned = farthest(angle_between(one.orientation, orientation))
    moved = farthest(np.linalg.norm(one.position - position, axis=-1))
    parted = np.flatnonzero(~((turned <= angle) & (moved <= length)))
    if not len(parted):
        return math.inf
    return float(one.time[parted[0] - 1] if parted[0] else other.time[0])
