"""The free motion that was fitted to a recording, as a motion beside it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import conjugate, multiply
from physics.core.wording import N_
from physics.measured.measured_config import IdentifiedConfig
from physics.measured.motion import MeasuredMotion
from physics.schemes.free_motion import free_motion, motion_in_air

TURN = 0.05  # [rad] between two states
MOST_STATES = 100_000
MOST_TURN = 1e6  # [rad] in a flight


def fitted_motion(motion: MeasuredMotion, found: IdentifiedConfig) -> MeasuredMotion:
    """The motion that was fitted to a recording, from the begin of its flight to the end, as far as that is shown.

    Without an orientation of its own it begins with that of the recording. Raises ScenarioError where no two samples of
    the flight are shown, or the body turns too far.
    """
    late = motion.table.at - (motion.table.begin or 0.0)
    begin = found.begin + late
    first, last = (int(one) for one in np.searchsorted(motion.time, [begin - 1e-9, found.end + late + 1e-9]))
    if last - first < 2:
        shown = motion.time[[0, -1]] - late
        text = N_("expected a flight that is shown, which is from {first:g} to {last:g} s of the file", *shown.tolist())
        raise ScenarioError("measured.identified", text)
    ratios, drag, start, w = (
        np.array(one)
        for one in (found.ratios, found.drag, found.orientation or (1.0, 0.0, 0.0, 0.0), found.angular_velocity)
    )
    speed = math.sqrt(np.sum(ratios * w**2) / ratios.min())  # no motion with at most this energy turns faster
    if not (turn := speed * (float(motion.time[last - 1]) - begin)) < MOST_TURN:
        text = N_(
            "expected a flight in which the body turns by less than {most:g} rad, got {turn:.3g}", MOST_TURN, turn
        )
        raise ScenarioError("measured.identified.angular_velocity", text)
    count = min(2 + int(turn / TURN), MOST_STATES)
    time = np.linspace(motion.time[first], motion.time[last - 1], count)
    start /= np.linalg.norm(start)
    if drag.any():
        attitudes, rates = motion_in_air(ratios, drag, start, w, time - begin, speed * max(1.0, drag.max()))
    else:
        attitudes, rates = free_motion(ratios, start, w, time - begin)
    if found.orientation is None:
        attitudes = multiply(multiply(motion.orientation[first], conjugate(attitudes[0])), attitudes)
    return replace(
        motion,
        time=time,
        angular_velocity=rates,
        orientation=attitudes,
        acceleration=None,
        relative=motion.relative and found.orientation is None,
        marks=(),
        position=None,
        saturated=None,
        origin=motion.orientation[min(int(np.searchsorted(motion.time, 0.0)), len(motion) - 1)],
    )
