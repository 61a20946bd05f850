"""Times of a spacecraft by linear theory: librations under the gravity gradient, nutation under internal damping.

Librations: Hughes 1986, Spacecraft Attitude Dynamics, on a circular orbit, with the axis of the least moment a towards
the planet and that of the largest, c, along the normal. In the plane w² = 3 n² (b - a)/c. Roll and yaw are coupled:
their squared frequencies are the roots of s² - (1 + 3 k + k l) n² s + 4 k l n⁴, k = (c - a)/b, l = (c - b)/a.

Nutation: the energy sink of internal damping (Chernousko 1968), by the mean loss beside the energy of a nutation. For
moments A, A, C it is exact at any angle: its tangent falls by exp(-t kappa (C - A) L²/(A³ C)).

Angles beside the orbit are those of the same two axes: pitch of the least moment's in the plane of the orbit, off the
direction down and positive ahead; roll by which it leaves this plane, positive along the normal; yaw of the largest
moment's axis about the vertical, off the normal and positive ahead. Small ones are turns about the axes of flight,
against the normal and down, as for aircraft.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from physics.core.rotation import Array, apply, matrix
from physics.core.trajectory import Trajectory
from physics.schemes.driven_body import DrivenBody
from physics.systems.free.rotating_world import RotatingWorld
from physics.systems.world import World

ALIKE = 1e-9  # relative difference of moments that count as equal


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


def orbit_frame(run: Trajectory, world: World) -> Array:
    """Unit vectors of flight, of the orbit's normal and down (n, 3, 3), in space, in the rows of a run.

    Through its edits; NaN where nothing pulls. An orbit goes around its normal.
    """
    found, parts = np.full((len(run), 3, 3), np.nan), run.stretches
    for k, acting in enumerate(_in_orbit(world)):
        if acting is not None and (parts == k).any():
            found[parts == k] = _frame(acting, run.time[parts == k])
    return found


def _in_orbit(world: World) -> list[DrivenBody | None]:
    """Actions on a body in each stretch between edits; None where it is in no orbit."""
    acting = (one.acting if isinstance(one, RotatingWorld) else None for one in (*world.earlier, world))
    return [one if one is not None and one.rate else None for one in acting]


def to_planet(acting: DrivenBody, time: Array) -> Array:
    """Unit vectors down (n, 3) in space at times (n,) [s] on an orbit."""
    (first, later), turn = acting.orbit, acting.rate * time[:, None]
    return np.asarray(np.cos(turn) * first + np.sin(turn) * later)


def _frame(acting: DrivenBody, time: Array) -> Array:
    down, normal = to_planet(acting, time), np.cross(*acting.orbit)
    return np.stack([np.cross(down, normal), np.broadcast_to(normal, down.shape), down], axis=1)


def orbit_angles(run: Trajectory, world: World) -> Array:
    """Pitch, roll and yaw beside the orbit (n, 3) [rad], see above; pitch and yaw from -pi to pi.

    NaN in no orbit. Of an axis the end counts that is nearer to down, or to the normal, at the start of the run; of
    axes with equal moments the one that is nearest to it then.
    """
    known = next((one for one in _in_orbit(world) if one is not None), None)
    if known is None:
        return np.full((len(run), 3), np.nan)
    start, moments, axes = run.start, world.body.inertia, matrix(world.body.axes).T  # one axis a row
    _, normal, down = _frame(known, np.array([start.time]))[0]
    seen = apply(start.orientation, axes)
    along, across = seen @ down, seen @ normal
    least = int(np.argmax(np.where(moments <= (1.0 + ALIKE) * moments.min(), np.abs(along), -1.0)))
    others = np.where(np.arange(3) == least, 0.0, moments)
    largest = int(np.argmax(np.where(others >= (1.0 - ALIKE) * others.max(), np.abs(across), -1.0)))
    ends = np.copysign(1.0, along[least]) * axes[least], np.copysign(1.0, across[largest]) * axes[largest]
    frame = orbit_frame(run, world)
    hanging, other = (np.einsum("nij,nj->ni", frame, apply(run.orientation, end)) for end in ends)
    pitch, yaw = np.arctan2(hanging[:, 0], hanging[:, 2]), np.arctan2(other[:, 0], other[:, 1])
    return np.stack([pitch, np.arcsin(np.clip(hanging[:, 1], -1.0, 1.0)), yaw], axis=1)
