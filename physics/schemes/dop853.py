"""DOP853: the Runge-Kutta scheme of order 8(5,3) of Dormand & Prince, with steps of its own, by SciPy.

Hairer, Nørsett & Wanner (1993), II.10. Within each step of the run it takes as many steps as its tolerance requires, on
attitude and angular velocity; the quaternion is divided by its length at the end. It serves to check the others.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import numpy as np

from physics.core.jit import brief
from physics.core.rotation import Array
from physics.schemes import runge_kutta
from physics.schemes.loop import as_tuple, store

TOLERANCE = 1e-13  # tolerance of the error of one step, of the quaternion and of the angular velocity beside its size
MAX_OWN_STEPS = 20_000  # steps of its own within a step
warnings.filterwarnings("ignore", message="dop853:", category=UserWarning)  # a step that fails becomes an event


def solver_of(rate: Callable[[float, Array], Array], most: int) -> Callable[[Array, float, float], Array | None]:
    """The function (y, begin, end) -> y at the end; None where that takes more than ``most`` steps or overflows."""
    from scipy.integrate import ode  # here: it takes long to load, and a window waits for it

    solver = ode(rate)  # one for all calls: SciPy keeps 1.8 kB of each that was ever made (1.17)
    solver.set_integrator("dop853", rtol=TOLERANCE, atol=TOLERANCE, nsteps=most)

    def solved(y: Array, begin: float, end: float) -> Array | None:
        solver.set_initial_value(y, begin)
        try:
            found = np.asarray(solver.integrate(end))
        except UserWarning:  # where warnings are errors
            return None
        return found if solver.successful() and np.isfinite(found).all() else None

    return solved


def start(J: Array, q: Array, w: Array) -> Array:
    """The state (8,) of ``march``."""
    return np.concatenate([q, w, [0.0]])


def torques(state: Array) -> int:
    """Number of torques evaluated since the start."""
    return int(state[7])


@brief
def _rate(J: Array, field: Array, speed: float, y: Array) -> Array:
    """The derivative (7,) of attitude and angular velocity over ``speed`` [rad/s], by the time times ``speed``."""
    found = np.empty(7)
    q, w = runge_kutta.rate(
        (J[0], J[1], J[2]), as_tuple(field), (y[0], y[1], y[2], y[3]), (speed * y[4], speed * y[5], speed * y[6])
    )
    square = speed * speed
    store(
        found, (q[0] / speed, q[1] / speed, q[2] / speed, q[3] / speed), (w[0] / square, w[1] / square, w[2] / square)
    )
    return found


def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """March as physics.schemes.loop describes; the state (8,) is attitude, angular velocity and number of torques."""
    pull = math.sqrt(float(np.abs(field[:6]).sum() + 2.0 * np.abs(field[9:]).sum()) / float(J.min()))
    scale, calls = [1.0], [int(state[7])]  # [rad/s], of the step that is taken; the torques so far

    def rate(_: float, y: Array) -> Array:
        calls[0] += 1
        return _rate(J, field, scale[0], y)

    solved = solver_of(rate, MAX_OWN_STEPS)
    for row in range(len(out)):
        for _ in range(every):
            scale[0] = speed = max(math.hypot(*state[4:7].tolist()), pull)
            if speed == 0.0:
                continue
            if not 1e-140 < speed < 1e140:
                return row, math.inf
            end = solved(np.concatenate([state[:4], state[4:7] / speed]), 0.0, speed * h)
            state[7] = calls[0]
            if end is None:
                return row, math.inf
            state[:4], state[4:7] = end[:4] / math.sqrt(float(end[:4] @ end[:4])), speed * end[4:]
        out[row] = state[:7]
    return len(out), 0.0
