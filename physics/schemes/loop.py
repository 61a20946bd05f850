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
from typing import Any, NamedTuple

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.potential import FREE
from physics.core.rotation import Array, Field, Quaternion, Vector, product, renormalised
from physics.core.trajectory import Event
from physics.core.wording import N_
from physics.schemes.problem import Problem

March = Callable[[Array, Array, float, int, Array, Array], tuple[int, float]]
Start = Callable[[Array, Array, Array], Array]
ROTATION = "void(UniTuple(f8, 3), f8, f8[::1])"  # of one that a loop is handed: moments, step [s], state; see ``store``


class Rotation(NamedTuple):
    """A scheme inside Moreau's time stepping: its two formulas, see physics.contact.moreau.

    memory: how many numbers the first may keep from step to step.
    """

    free_velocity: Any
    contact_attitude: Any
    memory: int = 0


CONTACT = Problem[Rotation]("contacts", ("rockfall", "table"))


def unsolved(scheme: str, time: float, residual: float, remedy: str, turn: str = "") -> Event:
    """The event of a step that has no solution and would end at a time [s]; turn: words on how far it turns."""
    ended = N_(", residual {residual:.2g}", residual) if 0.0 < residual < math.inf else ""
    return Event(
        "failed-solve",
        time,
        N_(
            "{scheme}: no solution of the step before {time:g} s{ended}{turn}; {remedy}",
            scheme,
            time,
            ended,
            turn,
            remedy,
        ),
    )


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


# columns of the rows that loops with contact store: time [s], the 13 of a motion, and how many contacts
# pressed at most in a step since the row before
AT_T = 0
AT_R = AT_T + 1
AT_Q = AT_R + 3
AT_V = AT_Q + 4
AT_W = AT_V + 3
AT_CONTACTS = AT_W + 3
ROW_SIZE = AT_CONTACTS + 1
MOTION = 13  # numbers of a motion


@formula
def store_row(into: Array, time: float, r: Vector, q: Quaternion, v: Vector, w: Vector, contacts: int) -> None:
    """A state into a row (ROW_SIZE,)."""
    into[AT_T] = time
    store_motion(into[AT_R:], r, q, v, w)
    into[AT_CONTACTS] = contacts


@formula
def motion_in(state: Array) -> tuple[Vector, Quaternion, Vector, Vector]:
    """The motion that ``store_motion`` stored: place, attitude, velocity and angular velocity."""
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


# ---- many bodies at once ---------------------------------------------------------------------------
# Free bodies with the same moments, some at once in the processor's vector registers. A block is a row of numbers:
# WIDTH attitudes and angular velocities, component by component, then ROOM to work in. The formulas are those of a
# single body, and no body's result depends on the others of its block: it has the same bits as alone. Where a step of a
# body has no solution, or its numbers overflow, it is NaN from there on.


WIDTH = 16  # bodies of a block; with 8 steps take up to a quarter longer
# where columns begin: attitudes, angular velocities, those to work in; and where they end
Q, W, STATE, ROOM = 0, 4 * WIDTH, 7 * WIDTH, 15 * WIDTH
NO_FIELD = (0.0,) * 12  # field of physics.core.potential that is zero

# march(J, h, every, blocks (m, ROOM), out (rows, 7, m WIDTH)): every-th states into the rows of out; blocks move on
MarchMany = Callable[[Array, float, int, Array, Array], None]
MANY = Problem[MarchMany]("many bodies")


@formula
def vector_in(s: Array, first: int, i: int) -> Vector:
    """Three numbers of a body, whose columns begin at ``first``."""
    return s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i]


@formula
def put_vector(s: Array, first: int, i: int, x: Vector) -> None:
    """Three numbers into their columns."""
    s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i] = x


@formula
def quaternion_in(s: Array, first: int, i: int) -> Quaternion:
    """Quaternion in four entries of an array, like ``vector_in``."""
    return s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i], s[first + 3 * WIDTH + i]


@formula
def put_quaternion(s: Array, first: int, i: int, q: Quaternion) -> None:
    """Put four numbers into an array, like ``put_vector``."""
    s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i], s[first + 3 * WIDTH + i] = q


def march_many_with(advance: Any) -> MarchMany:
    """The compiled loop of a scheme that moves a block on by ``advance(J, h, s)``, in loops over its bodies.

    What is to be compiled to vectors has no branch but for a choice between values, and calls no library.
    """

    @kernel
    def march(J: Array, h: float, every: int, blocks: Array, out: Array) -> None:
        moments = (J[0], J[1], J[2])
        for b in range(blocks.shape[0]):
            s = blocks[b]
            for row in range(out.shape[0]):
                for _ in range(every):
                    advance(moments, h, s)
                for k in range(7):
                    for i in range(WIDTH):
                        out[row, k, b * WIDTH + i] = s[k * WIDTH + i]

    return march


def marched(march: MarchMany, J: Array, h: float, every: int, states: Array, rows: int) -> Array:
    """Every-th states (rows, n, 7) of bodies from their states (n, 7): attitudes, angular velocities [rad/s].

    J (3,) [kg m²] in principal axes; h [s]. A body that has no finite numbers any more is NaN from there on.
    """
    n = len(states)
    padded = np.repeat(states[-1:], -(-n // WIDTH) * WIDTH, axis=0)  # the last block is filled with the last body
    padded[:n] = states
    blocks, out = np.empty((len(padded) // WIDTH, ROOM)), np.empty((rows, 7, len(padded)))
    blocks[:, :STATE] = padded.reshape(-1, WIDTH, 7).transpose(0, 2, 1).reshape(-1, STATE)
    march(np.ascontiguousarray(J, float), h, every, blocks, out)
    found = out.transpose(0, 2, 1)[:, :n]
    for body in np.flatnonzero(~np.isfinite(found[-1]).all(axis=1)):  # what is not finite stays so
        found[~np.isfinite(found[:, body]).all(axis=1), body] = np.nan
    return found


# ---- between contacts ------------------------------------------------------------------------------
# As in Leine et al. (2021), (84)-(87): first the free step, whose angular velocity then takes the percussions with the
# matrix Θ alone; the attitude follows the free motion, because contact changes the spin within the step. Every scheme
# whose angular velocity keeps the kinetic energy, or loses some, fits.

NOTHING = tuple(FREE.tolist())


def between_contacts(step: Any) -> Rotation:
    """The two formulas for ``step(J, field, h, q, w) -> (q, w, residual)``."""

    @formula
    def free_velocity(
        J: Vector, h: float, q: Quaternion, w: Vector, memory: Array
    ) -> tuple[Vector, Quaternion, Vector, Vector, float]:
        turn, free, residual = step(J, NOTHING, h, (1.0, 0.0, 0.0, 0.0), w)
        return free, turn, free, (0.0, 0.0, 0.0), residual

    return Rotation(free_velocity, contact_attitude)


@formula
def contact_attitude(
    J: Vector, h: float, q: Quaternion, w: Vector, turn: Quaternion, w_free: Vector, w_next: Vector
) -> Quaternion:
    """The attitude after the turn of the free step."""
    return renormalised(product(q, turn))
