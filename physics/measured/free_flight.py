"""Free flight: the parts of a measured motion in which the accelerometer shows next to nothing."""

from __future__ import annotations

import numpy as np

from physics.measured.attitude import runs
from physics.measured.motion import MeasuredMotion

LARGEST = 4.0  # [m/s²]: a sensor 2 cm off the centre of mass shows as much in a body of 14 rad/s
SHORTEST = 0.15  # [s]: a fall of 11 cm
BRIDGED = 0.02  # [s] of a louder sensor within a flight


def free_flights(motion: MeasuredMotion, largest: float = LARGEST) -> tuple[tuple[float, float], ...]:
    """Begin and end [s] of the flights, the longest one first; none where the file has no acceleration.

    largest : what the accelerometer shows there at most [m/s²]. The ends are cut by a twentieth of each flight: the
    hand and the ground touch a little before and after it.
    """
    if motion.acceleration is None:
        return ()
    still = np.linalg.norm(motion.acceleration, axis=1) < largest
    begins, ends = runs(still)
    found: list[list[float]] = []
    for begin, end in zip(motion.time[begins], motion.time[ends], strict=True):
        if found and begin - found[-1][1] <= BRIDGED:
            found[-1][1] = float(end)
        else:
            found.append([float(begin), float(end)])
    flights = [(a + 0.05 * (b - a), b - 0.05 * (b - a)) for a, b in found if b - a >= SHORTEST]
    return tuple(sorted(flights, key=lambda flight: flight[0] - flight[1]))
