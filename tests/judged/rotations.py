"""Attitudes as the integrations outside the program take them: quaternions, scalar first, and steps of scipy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numba import njit
from scipy.integrate import DOP853, OdeSolution

Array = np.ndarray
MOST = 60_000  # rates of change that an integration may cost


@njit(cache=True)
def matrix(q: Array) -> Array:
    """Rotation matrix (3, 3) of a quaternion of any length."""
    a, b, c, d = q / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return np.array(
        [
            [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
            [2.0 * (b * c + a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d - a * b)],
            [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a - b * b - c * c + d * d],
        ]
    )


@njit(cache=True)
def cross(a: Array, b: Array) -> Array:
    """a x b."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@njit(cache=True)
def dot(a: Array, b: Array) -> float:
    """a.b of vectors (3,)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def hat(a: Array) -> Array:
    """The matrix of a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@njit(cache=True)
def times(p: Array, q: Array) -> Array:
    """Product of quaternions."""
    v = p[0] * q[1:] + q[0] * p[1:] + cross(p[1:], q[1:])
    return np.array([p[0] * q[0] - dot(p[1:], q[1:]), v[0], v[1], v[2]])


def about(axis: Sequence[float], angle: float) -> Array:
    """The quaternion of a turn about an axis by an angle [rad]."""
    unit = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.array([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * unit)])


def degrees_between(p: Array, q: Array) -> Array:
    """Angles (...) [deg] between attitudes (..., 4), with all digits of small ones."""
    p, q = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (p, q))
    apart = np.minimum(np.linalg.norm(p - q, axis=-1), np.linalg.norm(p + q, axis=-1))
    return np.degrees(4.0 * np.arcsin(np.minimum(0.5 * apart, 1.0)))


@dataclass
class Motion:
    """An integration from knot to knot, whose rates of change have kinks there.

    until : [s] where it ends, which is before the wanted end if it cannot go on
    """

    until: float
    ends: list[float] = field(default_factory=list)
    parts: list[Callable[[Array], Array]] = field(default_factory=list)

    def __call__(self, time: Array) -> Array:
        """States (n, m) at times (n,) [s] up to ``until``, one at least."""
        part = np.searchsorted(self.ends, time).clip(max=len(self.ends) - 1)
        found = [self.parts[k](time[part == k]).T for k in np.unique(part)]
        return np.concatenate(found)


def integrated(
    rates: Callable[[float, Array], Array],
    state: Array,
    end: float,
    knots: Sequence[float] = (),
    tolerance: float = 1e-12,
    stop: Callable[[float, Array], float] | None = None,
) -> Motion:
    """The motion from a state at time 0 to an end [s], to where ``stop`` is below 0, or as far as MOST rates lead."""
    motion, begin, spent = Motion(0.0), 0.0, 0
    for until in sorted({*(knot for knot in knots if 0.0 < knot < end), end}):
        solver = DOP853(rates, begin, state, until, rtol=tolerance, atol=tolerance)
        times, pieces = [begin], []
        while solver.status == "running" and spent + solver.nfev < MOST:
            solver.step()
            if solver.status == "failed" or (stop is not None and stop(solver.t, solver.y) < 0.0):
                break
            times.append(solver.t)
            pieces.append(solver.dense_output())
        spent += solver.nfev
        if pieces:
            motion.ends.append(times[-1])
            motion.parts.append(OdeSolution(times, pieces))
            motion.until = times[-1]
        if times[-1] < until:
            break
        begin, state = until, solver.y
    return motion
