"""Loops of ships: splittings, and Runge-Kutta schemes on place, attitude and velocities.

A splitting is made of kicks by what acts at a place, and free motions between them, in compositions of any order.
Without added mass the free motion is a straight line of the centre of gravity and the rotation of the scheme; with it,
Kirchhoff's equations take the place of both, see physics.seakeeping.ship_motion. Place and attitude at the end of a
step are those at the start of the next one: the force there is computed once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from physics.core.jit import Handed, formula, kernel
from physics.core.rotation import Array, Quaternion, Vector
from physics.schemes.composition import VERLET, Stages, staged, staged_by_moments
from physics.schemes.dop853 import solver_of
from physics.schemes.dormand_prince import integrator, unsettled
from physics.schemes.loop import ROTATION, motion_in, store, store_motion
from physics.schemes.problem import Problem
from physics.schemes.verlet import SCRATCH, as_long, by_symmetry, exactly
from physics.seakeeping.ship_model import ShipModel
from physics.seakeeping.ship_motion import SIZE, drifted, is_bare, kicked, pressure_and_weight, pushed, rates

# the state: place 3, attitude 4, velocity 3, angular velocity 3, the gimbal's angle and rate; time at the start, steps,
# and evaluations of the rates by schemes that choose how many
GIMBAL, BEGIN, STEPS, EVALUATIONS, STATE_SIZE = 13, 15, 16, 17, 18
COLUMNS = 13  # columns of a stored row: place 3, attitude 4, velocity 3, angular velocity 3

ShipMarch = Callable[[ShipModel, float, int, Array, Array], tuple[int, float]]
AFLOAT = Problem[ShipMarch]("ships", ("ship",))

EULER = Stages(np.array([1.0, 0.0]), np.array([1.0]), np.zeros(2))  # a kick, a free motion: as engines step
NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # acts on the rotation, see core.potential


def by_step(step: Any) -> Any:
    """The free rotation by a one-step scheme of the free body, ``step(J, field, h, q, w) -> (q, w, residual)``."""

    @formula
    def free(J: Vector, h: float, q: Quaternion, w: Vector, s: Array) -> tuple[Quaternion, Vector]:
        q, w, residual = step(J, NOTHING, h, q, w)
        return (q, w) if residual < np.inf else (q, (np.nan, np.nan, np.nan))

    return free


def _loop(free: Any, exact: bool) -> Any:
    """The loop around a free rotation ``free(J, h, q, w, s) -> (q, w)``; exact: it keeps the size of the spin.

    To compile the loop takes 2 s, and to compile the rotation 0.2 s.
    """

    @formula
    def turn(J: Vector, h: float, x: Array) -> None:
        q, w = free(J, h, (x[0], x[1], x[2], x[3]), (x[4], x[5], x[6]), x[7:])
        store(x, q, w)

    handed = Handed(turn, ROTATION)
    return lambda *given: _march_stages(handed.address, exact, *given)


@kernel
def _march_stages(
    turn: Any, exact: bool, ship: ShipModel, h: float, every: int, state: Array, out: Array, b: Array, a: Array
) -> tuple[int, float]:
    J = (ship.moments[0], ship.moments[1], ship.moments[2])
    water, bare = False, is_bare(ship)  # water: whether some of it moves with the hull
    for i in range(6):
        water = water or ship.added[i] != 0.0
    r, q, v, w = motion_in(state)
    gimbal, s = (state[GIMBAL], state[GIMBAL + 1]), np.zeros(7 + SCRATCH)
    time = state[BEGIN] + h * state[STEPS]
    rotation = np.empty((3, 3))
    force, moment = pressure_and_weight(ship, time, r, q, rotation)
    moved = False
    for row in range(out.shape[0]):
        for _ in range(every):
            begin, done = state[BEGIN] + h * state[STEPS], 0.0
            for i in range(len(b)):
                if b[i] != 0.0:
                    time = begin + h * done
                    if moved:
                        force, moment = pressure_and_weight(ship, time, r, q, rotation)
                        moved = False
                    if bare:
                        v, w = pushed(ship, b[i] * h, v, w, force, moment)
                    else:
                        v, w, turning = kicked(ship, time, b[i] * h, q, v, w, gimbal, force, moment)
                        gimbal = (gimbal[0], turning)
                if i < len(a):
                    dt = a[i] * h
                    if water:
                        r, q, v, w = drifted(ship, dt, r, q, v, w)
                    else:
                        r = (r[0] + dt * v[0], r[1] + dt * v[1], r[2] + dt * v[2])
                        before = w
                        store(s, q, w)
                        turn(J, dt, s)
                        q, w = (s[0], s[1], s[2], s[3]), (s[4], s[5], s[6])
                        if exact:
                            w = as_long(J, before, w)
                    gimbal = (gimbal[0] + dt * gimbal[1], gimbal[1])
                    done += a[i]
                    moved = True
            state[STEPS] += 1.0
            if not abs(q[0] + q[1] + q[2] + q[3]) + abs(w[0] + w[1] + w[2]) + abs(v[0] + v[1] + v[2]) < np.inf:
                return row, np.inf
        store_motion(out[row], r, q, v, w)
    store_motion(state, r, q, v, w)
    state[GIMBAL], state[GIMBAL + 1] = gimbal
    return out.shape[0], 0.0


def march_with(free: Any, stages: Stages = VERLET, exact: bool = False) -> ShipMarch:
    """The loop around a free rotation, with the stages of one composition."""
    return staged(_loop(free, exact), stages)


_SYMMETRIC, _OTHER = _loop(by_symmetry, True), _loop(exactly, True)


def march_exactly(stages: Stages = VERLET) -> ShipMarch:
    """The loop around the exact free rotation, with the stages of one composition."""
    return staged_by_moments(_SYMMETRIC, _OTHER, stages)


MAX_OWN_STEPS = 2000  # steps of DOP853 within a step: each takes twelve integrals over the hull


@kernel
def _march(ship: ShipModel, h: float, every: int, state: Array, out: Array, unit: bool) -> tuple[int, float]:
    y, x, n = state[:SIZE].copy(), np.empty(SIZE), SIZE
    a, b, c, d = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for row in range(out.shape[0]):
        for _ in range(every):
            time = state[BEGIN] + h * state[STEPS]
            rates(ship, time, y, a)
            for i in range(n):
                x[i] = y[i] + 0.5 * h * a[i]
            rates(ship, time + 0.5 * h, x, b)
            for i in range(n):
                x[i] = y[i] + 0.5 * h * b[i]
            rates(ship, time + 0.5 * h, x, c)
            for i in range(n):
                x[i] = y[i] + h * c[i]
            rates(ship, time + h, x, d)
            total = 0.0
            for i in range(n):
                y[i] += h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i])
                total += y[i]
            if unit:
                length = math.sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[6] * y[6])
                for i in range(3, 7):
                    y[i] /= length
            state[STEPS] += 1.0
            if not abs(total) < np.inf:
                return row, np.inf
        for i in range(COLUMNS):  # as a loop: to copy whole arrays takes 3 s more to compile
            out[row, i] = y[i]
    for i in range(n):
        state[i] = y[i]
    return out.shape[0], 0.0


def march_classical(unit: bool) -> ShipMarch:
    """The classical scheme of order 4; unit: the attitude is divided by its length after each step."""

    return lambda ship, h, every, state, out: _march(ship, h, every, state, out, unit)


def march_dop853(ship: ShipModel, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """DOP853 with steps of its own within each step; where a deck dips into the water it takes many."""
    found = np.empty(SIZE)
    size = math.sqrt(float(ship.moments.max()) / ship.mass)
    scale = np.array([size] * 3 + [1.0] * 4 + [size] * 3 + [1.0] * 5)  # lengths in radii of gyration

    def rate(time: float, y: Array) -> Array:
        rates(ship, time, y * scale, found)
        state[EVALUATIONS] += 1.0
        return np.asarray(found / scale)

    solved = solver_of(rate, MAX_OWN_STEPS)
    for row in range(len(out)):
        for _ in range(every):
            time = float(state[BEGIN] + h * state[STEPS])
            end = solved(state[:SIZE] / scale, time, time + h)
            if end is None:
                return row, math.inf
            end[3:7] /= math.sqrt(float(end[3:7] @ end[3:7]))
            state[:SIZE] = end * scale
            state[STEPS] += 1.0
        out[row] = state[:COLUMNS]
    return len(out), 0.0


@formula
def _true_rate(ship: ShipModel, time: float, y: Array, _: Array, found: Array) -> bool:
    rates(ship, time, y, found)
    return True


march_truth = integrator(_true_rate, unsettled)
