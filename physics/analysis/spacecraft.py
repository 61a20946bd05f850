"""Times of a spacecraft by linear theory: librations under the gravity gradient, nutation under internal damping.

Librations: Hughes 1986, Spacecraft Attitude Dynamics, on a circular orbit, with the axis of the least moment a towards
the planet and that of the largest, c, along the normal. In the plane w² = 3 n² (b - a)/c. Roll and yaw are coupled:
their squared frequencies are the roots of s² - (1 + 3 k + k l) n² s + 4 k l n⁴, k = (c - a)/b, l = (c - b)/a.

Nutation: the energy sink of internal damping (Chernousko 1968), by the mean loss beside the energy of a nutation. For
moments A, A, C it is exact at any angle: its tangent falls by exp(-t kappa (C - A) L²/(A³ C)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def libration_periods(moments: Sequence[float]) -> tuple[float, tuple[float, ...]]:
    """Periods of pitch, inf where nothing pulls, and of the coupled swings in roll and yaw, the longer first [orbits].

    moments (3,) [kg m²] in any order; swings that nothing brings back are left out
    """
    a, b, c = sorted(moments)
    k, other = (c - a) / b, (c - b) / a
    half = 0.5 * (1.0 + 3.0 * k + k * other)
    largest = half + math.sqrt(max(half * half - 4.0 * k * other, 0.0))
    pitch = 3.0 * (b - a) / c
    squares = [square for square in (4.0 * k * other / largest, largest) if square > 0.0]
    return 1.0 / math.sqrt(pitch) if pitch > 0.0 else math.inf, tuple(1.0 / math.sqrt(square) for square in squares)


def nutation_time(moments: Sequence[float], axis: int, spin: float, internal: float) -> float | None:
    """Time [s] in which a small nutation falls by a factor of e; below 0 about the minor axis, where it grows by that.

    None about the intermediate axis, and where nothing damps.

    axis : of moments (3,) [kg m²], about which the body turns
    spin : angular momentum [kg m²/s]
    internal : damping [kg m² s], see physics.schemes.driven_body
    """
    A, B, C = (moments[(axis + k) % 3] for k in (1, 2, 0))
    rate = spin / C
    square = rate * rate * (C - A) * (C - B) / (A * B)  # of the frequency of the nutation
    if not (square > 0.0 and internal > 0.0):
        return None
    swings = square * A * A / ((C - B) * rate) ** 2  # of the squares of the two transverse rates
    return 2.0 * A * (1.0 - A / C) / (internal * square * (1.0 + swings))
