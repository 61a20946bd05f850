"""Recent samples: what a curve that ends at the body's present state needs: samples of the last seconds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.stage.lane_track import LaneTrack
from physics.core.rotation import Array

MEMORY = 320.0  # [rad] of rotation that the curves remember
POINTS = 3000  # of a curve

Sample = Callable[[Array], Array]  # values (m, ...) at times (m,) [s]


class RecentSamples:
    """Values of a track over the last ``seconds``, (points, ...): at a time and at fixed times before it.

    The fixed times are kept from picture to picture: while a run plays on, few values are new. Before the start of the
    run the first value holds.
    """

    def __init__(self, track: LaneTrack, seconds: float, points: int, sample: Sample) -> None:
        self._track, self._sample, self._n = track, sample, points
        self._step = seconds / (points - 1)
        self._last: int | None = None  # number of the last fixed time whose value is kept
        self._values = np.zeros((points, 0))

    def at(self, time: float) -> Array:
        """The values up to a time [s], oldest first; not to be changed."""
        last = int(np.floor(time / self._step)) if self._step > 0.0 else 0
        new = self._n - 1 if self._last is None else last - self._last
        if not 0 <= new < self._n - 1:
            new = self._n - 1
        times = self._step * np.arange(last - new + 1, last + 2)
        times[-1] = time
        fresh = self._sample(np.maximum(times, 0.0))
        if new == self._n - 1:
            self._values = fresh
        else:
            self._values[: -1 - new] = self._values[new:-1].copy()
            self._values[-1 - new :] = fresh
        # what was not yet recorded is held at the last state: not to be kept
        kept = self._track.finished or last * self._step <= self._track.end
        self._last = last if kept else None
        return self._values


def lately(track: LaneTrack, sample: Sample, angle: float = MEMORY, points: int = POINTS) -> RecentSamples:
    """What a free body did while it turned by an angle [rad]."""
    rate = float(np.linalg.norm(track.run.angular_velocity[0]))
    return RecentSamples(track, min(angle / max(rate, 1e-9), track.world.scenario.duration), points, sample)
