"""Loops of bodies that something acts on: splittings, and Runge-Kutta schemes, see physics.schemes.driven_body.

A splitting is made of kicks by the torques at a time and an attitude, of free rotations of the whole angular momentum,
and on both sides of each of these of half a turn that rotors and internal damping add: with H = m.J⁻¹ m / 2 - m.J⁻¹ h
of a gyrostat both are exact, and every part but the kick keeps the angular momentum in space to rounding. The time
goes on in the free rotations. Orders above 2 are those of compositions of Störmer-Verlet steps: Nyström compositions
have them for kicks alone. The turn of internal damping is of order 4. Kicks with the air or a controller in them are
themselves splittings: two of them, the last of one Störmer-Verlet step and the first of the next, are not one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from physics.core.jit import brief, formula, kernel
from physics.core.rotation import Array, Quaternion, Vector, cross, over, product, renormalised
from physics.schemes.composition import VERLET, Stages, staged, staged_by_moments
from physics.schemes.dop853 import MAX_OWN_STEPS, solver_of
from physics.schemes.dormand_prince import integrator, unsettled
from physics.schemes.driven_body import DrivenBody, acting_torque, advanced, in_air, kicked, momentum, rates, velocity
from physics.schemes.loop import store
from physics.schemes.problem import Problem
from physics.schemes.verlet import SCRATCH, as_long, by_symmetry, exactly

# the state: attitude 4, angular momentum 3; torques evaluated by schemes that choose how many, time at the start, steps
EVALUATIONS, BEGIN, STEPS, STATE_SIZE = 7, 8, 9, 10

DrivenMarch = Callable[[DrivenBody, float, int, Array, Array], tuple[int, float]]
UNDER_TORQUE = (
    "driven body"  # name of what serves free bodies and vessels that tables of theirs drive, beside the kinds
)
DRIVEN = Problem[DrivenMarch](UNDER_TORQUE)


def started(body: DrivenBody, q: Array, w: Array, time: float) -> Array:
    """The state (STATE_SIZE,) at a time [s] of an attitude (4,) and an angular velocity (3,) in principal axes."""
    m = momentum(body, time, (float(w[0]), float(w[1]), float(w[2])))
    return np.array([*q, *m, 0.0, time, 0.0])


@formula
def _end(body: DrivenBody, time: float, q: Quaternion, m: Vector, row: Array) -> bool:
    """Attitude and angular velocity into a row; whether they are finite."""
    store(row, q, velocity(body, time, m))
    return abs(q[0] + q[1] + q[2] + q[3]) + abs(m[0] + m[1] + m[2]) < np.inf


def _loop(free: Any, exact: bool) -> Any:
    """The loop around a free rotation ``free(J, h, q, w, s) -> (q, w)``; exact: it keeps the size of the spin."""

    @kernel
    def march(
        body: DrivenBody, h: float, every: int, state: Array, out: Array, b: Array, a: Array
    ) -> tuple[int, float]:
        J = (body.moments[0], body.moments[1], body.moments[2])
        turns, s = body.internal != 0.0 or body.rotors.any(), np.zeros(SCRATCH)
        mixed = in_air(body) or body.vessel.acts
        q, m = (state[0], state[1], state[2], state[3]), (state[4], state[5], state[6])
        tau, g, wanted = acting_torque(body, state[BEGIN] + h * state[STEPS], q)
        moved = False
        for row in range(out.shape[0]):
            for _ in range(every):
                begin, done = state[BEGIN] + h * state[STEPS], 0.0
                for i in range(len(b)):
                    if b[i] != 0.0:
                        if moved:
                            tau, g, wanted = acting_torque(body, begin + h * done, q)
                            moved = False
                        last, first = b[i], 0.0
                        if mixed:
                            last, first = 0.5 * a[i - 1] if i > 0 else 0.0, 0.5 * a[i] if i < len(a) else 0.0
                        for share in (last, first):
                            if share != 0.0:
                                m = kicked(body, begin + h * done, share * h, m, tau, g, wanted)
                    if i < len(a):
                        dt = a[i] * h
                        if turns:
                            q, m = advanced(body, begin + h * done, 0.5 * dt, q, m, False)
                        w = over(m, body.moments)
                        q, after = free(J, dt, q, w, s)
                        if exact:
                            after = as_long(J, w, after)
                        m = (J[0] * after[0], J[1] * after[1], J[2] * after[2])
                        done += a[i]
                        moved = True
                        if turns:
                            q, m = advanced(body, begin + h * done, 0.5 * dt, q, m, False)
                            q = renormalised(q)
                state[STEPS] += 1.0
                if not _end(body, state[BEGIN] + h * state[STEPS], q, m, out[row]):
                    return row, np.inf
        state[0], state[1], state[2], state[3] = q
        state[4], state[5], state[6] = m
        return out.shape[0], 0.0

    return march


def march_with(free: Any, exact: bool = False) -> DrivenMarch:
    """The loop of Störmer-Verlet steps around a free rotation."""
    return staged(_loop(free, exact), VERLET)


_SYMMETRIC, _OTHER = _loop(by_symmetry, True), _loop(exactly, True)


def march_exactly(stages: Stages = VERLET) -> DrivenMarch:
    """The loop around the exact free rotation, with the stages of one composition of Störmer-Verlet steps."""
    return staged_by_moments(_SYMMETRIC, _OTHER, stages)


# ---- Runge-Kutta -----------------------------------------------------------------------------------


@formula
def _rate(body: DrivenBody, time: float, y: Array, into: Array) -> None:
    """The derivative (7,) of attitude and angular momentum in the body."""
    q, m = (y[0], y[1], y[2], y[3]), (y[4], y[5], y[6])
    u, tau = rates(body, time, q, m)
    x = cross(m, u)
    store(into, product(q, (0.0, 0.5 * u[0], 0.5 * u[1], 0.5 * u[2])), (x[0] + tau[0], x[1] + tau[1], x[2] + tau[2]))


CLASSICAL, NORMALISED, ON_THE_GROUP = range(3)


@kernel
def _march(body: DrivenBody, h: float, every: int, state: Array, out: Array, how: int) -> tuple[int, float]:
    y, x, rate, total = state[:7].copy(), np.empty(7), np.empty(7), np.empty(7)
    for row in range(out.shape[0]):
        for _ in range(every):
            time = state[BEGIN] + h * state[STEPS]
            q, m = (y[0], y[1], y[2], y[3]), (y[4], y[5], y[6])
            if how == ON_THE_GROUP:
                q, m = advanced(body, time, h, q, m, True)
                store(y, renormalised(q), m)
            else:
                rate[:], total[:] = 0.0, 0.0
                for stage in range(4):
                    t = 0.0 if stage == 0 else h if stage == 3 else 0.5 * h
                    for i in range(7):
                        x[i] = y[i] + t * rate[i]
                    _rate(body, time + t, x, rate)
                    for i in range(7):
                        total[i] += h / 6.0 * rate[i] if stage == 0 or stage == 3 else h / 3.0 * rate[i]
                for i in range(7):
                    y[i] += total[i]
                if how == NORMALISED:
                    length = math.sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3])
                    for i in range(4):
                        y[i] /= length
            state[STEPS] += 1.0
            q, m = (y[0], y[1], y[2], y[3]), (y[4], y[5], y[6])
            if not _end(body, state[BEGIN] + h * state[STEPS], q, m, out[row]):
                return row, np.inf
    state[:7] = y
    return out.shape[0], 0.0


def march_stages(how: int) -> DrivenMarch:
    """The scheme of order 4: CLASSICAL, NORMALISED (the attitude, after each step), or ON_THE_GROUP (Munthe-Kaas)."""

    return lambda body, h, every, state, out: _march(body, h, every, state, out, how)


@brief
def _rates(body: DrivenBody, time: float, y: Array) -> Array:
    found = np.empty(7)
    _rate(body, time, y, found)
    return found


@np.errstate(over="ignore", invalid="ignore")  # what is no number is no solution
def march_dop853(body: DrivenBody, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """DOP853 with steps of its own within each step, see physics.schemes.dop853."""
    scale = np.ones(7)

    def rate(time: float, y: Array) -> Array:
        state[EVALUATIONS] += 1.0
        return np.asarray(_rates(body, time, y * scale) / scale)

    solved = solver_of(rate, MAX_OWN_STEPS)
    for row in range(len(out)):
        for _ in range(every):
            time = float(state[BEGIN] + h * state[STEPS])
            scale[4:] = 1.0
            pushed = abs(h) * math.hypot(*_rates(body, time, state[:7])[4:].tolist())
            scale[4:] = math.hypot(*state[4:7].tolist()) + pushed or 1.0
            end = solved(state[:7] / scale, time, time + h) if scale[4] < math.inf else None
            if end is None:
                return row, math.inf
            end[:4] /= math.sqrt(float(end[:4] @ end[:4]))
            state[:7] = end * scale
            state[STEPS] += 1.0
        q, m = state[:4], state[4:7]
        store(out[row], tuple(q), velocity(body, float(state[BEGIN] + h * state[STEPS]), tuple(m)))
    return len(out), 0.0


@formula
def _true_rate(body: DrivenBody, time: float, y: Array, _: Array, found: Array) -> bool:
    _rate(body, time, y, found)
    return True


march_truth = integrator(_true_rate, unsettled)
