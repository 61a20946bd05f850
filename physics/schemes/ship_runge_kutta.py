"""Runge-Kutta schemes for ships, on place, attitude and velocities: the classical one, and DOP853 by SciPy."""

from __future__ import annotations

import math

import numpy as np

from physics.core.jit import kernel
from physics.core.rotation import Array
from physics.schemes.dop853 import TOLERANCE
from physics.schemes.ship_splitting import BEGIN, COLUMNS, EVALUATIONS, STEPS, ShipMarch
from physics.seakeeping.ship_model import ShipModel
from physics.seakeeping.ship_motion import SIZE, rates

MOST = 2000  # steps of DOP853 within a step: each takes twelve integrals over the hull


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

    def march(ship: ShipModel, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        done: tuple[int, float] = _march(ship, h, every, state, out, unit)
        return done

    return march


def march_dop853(ship: ShipModel, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """DOP853 with steps of its own within each step; where a deck dips into the water it takes many."""
    found = np.empty(SIZE)
    size = math.sqrt(float(ship.moments.max()) / ship.mass)
    scale = np.array([size] * 3 + [1.0] * 4 + [size] * 3 + [1.0] * 5)  # lengths in radii of gyration

    def rate(time: float, y: Array) -> Array:
        rates(ship, time, y * scale, found)
        state[EVALUATIONS] += 1.0
        return np.asarray(found / scale)

    from scipy.integrate import ode  # here: it takes long to load, and a window waits for it

    solver = ode(rate)  # one for all steps: SciPy keeps 1.8 kB of each that was ever made (1.17)
    solver.set_integrator("dop853", rtol=TOLERANCE, atol=TOLERANCE, nsteps=MOST)
    for row in range(len(out)):
        for _ in range(every):
            time = float(state[BEGIN] + h * state[STEPS])
            solver.set_initial_value(state[:SIZE] / scale, time)
            try:
                end = solver.integrate(time + h)
            except UserWarning:  # where warnings are errors
                return row, math.inf
            if not solver.successful() or not np.isfinite(end).all():
                return row, math.inf
            end[3:7] /= math.sqrt(float(end[3:7] @ end[3:7]))
            state[:SIZE] = end * scale
            state[STEPS] += 1.0
        out[row] = state[:COLUMNS]
    return len(out), 0.0
