"""The loop around a one-step scheme: from a state to the next stored states, compiled once for each scheme.

Every scheme offers two functions to the systems:

    start(J, q, w) -> state                              a vector of numbers that only the scheme understands
    march(J, field, h, every, state, out) -> (rows, residual)
                                                         every-th state into each row (q, w) of out; state moves on

``rows`` below ``len(out)`` means that the step after the last row had no solution; ``residual`` says how it ended.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Field, Quaternion, Vector
from physics.core.trajectory import Event

March = Callable[[Array, Array, float, int, Array, Array], tuple[int, float]]
Start = Callable[[Array, Array, Array], Array]


def unsolved(scheme: str, time: float, residual: float, remedy: str, turn: str = "") -> Event:
    """The event of a step that has no solution and would end at a time [s]; turn: words on how far it turns."""
    ended = f", residual {residual:.2g}" if 0.0 < residual < math.inf else ""
    return Event("failed-solve", time, f"{scheme}: no solution of the step before {time:g} s{ended}{turn}; {remedy}")


def start_with(J: Array, q: Array, w: Array) -> Array:
    """The state of a one-step scheme is the attitude and the angular velocity themselves."""
    return np.concatenate([q, w])


def start_by(set_up: Any, size: int) -> Start:
    """The start of a scheme whose state (size,) is filled by a formula ``set_up(J, q, w, state)`` on tuples."""

    @kernel
    def fill(J: Array, q: Array, w: Array, state: Array) -> None:
        set_up((J[0], J[1], J[2]), (q[0], q[1], q[2], q[3]), (w[0], w[1], w[2]), state)

    def start(J: Array, q: Array, w: Array) -> Array:
        state = np.zeros(size)
        fill(np.asarray(J, float), np.asarray(q, float), np.asarray(w, float), state)
        return state

    return start


@formula
def store(into: Array, q: Quaternion, w: Vector) -> None:
    """Attitude and angular velocity into a row, or into the state (7,) of a one-step scheme."""
    into[0], into[1], into[2], into[3] = q
    into[4], into[5], into[6] = w


@formula
def store_motion(into: Array, r: Vector, q: Quaternion, v: Vector, w: Vector) -> None:
    """Place, attitude, velocity and angular velocity into a row (13,), or into the first 13 numbers of a state."""
    into[0], into[1], into[2] = r
    into[3], into[4], into[5], into[6] = q
    into[7], into[8], into[9] = v
    into[10], into[11], into[12] = w


@formula
def motion_in(state: Array) -> tuple[Vector, Quaternion, Vector, Vector]:
    """What ``store_motion`` stored: place, attitude, velocity and angular velocity."""
    s = state
    return (s[0], s[1], s[2]), (s[3], s[4], s[5], s[6]), (s[7], s[8], s[9]), (s[10], s[11], s[12])


@formula
def as_tuple(field: Array) -> Field:
    """The twelve numbers of physics.core.potential, for formulas."""
    return (
        field[0], field[1], field[2], field[3], field[4], field[5],
        field[6], field[7], field[8], field[9], field[10], field[11],
    )  # fmt: skip


def march_with(step: Any) -> March:
    """The compiled loop of a one-step scheme ``step(J, field, h, q, w) -> (q, w, residual)``; field: twelve numbers."""

    @kernel
    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        moments = (J[0], J[1], J[2])
        acting = as_tuple(field)
        q = (state[0], state[1], state[2], state[3])
        w = (state[4], state[5], state[6])
        for row in range(out.shape[0]):
            for _ in range(every):
                q, w, residual = step(moments, acting, h, q, w)
                if not residual < np.inf or not abs(w[0] + w[1] + w[2] + q[0] + q[1] + q[2] + q[3]) < np.inf:
                    return row, residual
            store(out[row], q, w)
        store(state, q, w)
        return out.shape[0], 0.0

    return march
