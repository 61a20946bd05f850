"""The motion of a free body at any times before and after a state: the exact one, and that of one that the air slows.

Fits to samples ask for both. In the air the classical Runge-Kutta scheme goes from one time to the next in steps whose
number does not depend on the parameters of a fit: its error is a smooth function of them. It has no more in it than
Euler's equations: a step takes a tenth of one of a body on which anything may act.
"""

from __future__ import annotations

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector, added, product
from physics.schemes import exact
from physics.schemes.loop import store

TURN = 0.06  # [rad] in a step, at the fastest


@kernel
def _evaluate(state: Array, times: Array, out: Array) -> None:
    for row in range(len(times)):
        q, w = exact.evaluate(state, times[row])
        store(out[row], q, w)


def free_motion(moments: Array, q: Array, w: Array, times: Array) -> tuple[Array, Array]:
    """Attitude (n, 4) and angular velocity (n, 3) [rad/s] in principal axes, at times (n,) [s] after the state (q, w).

    moments : (3,) principal moments, of which ratios alone count
    """
    out = np.empty((len(times), 7))
    state = exact.start(np.ascontiguousarray(moments), np.ascontiguousarray(q), np.ascontiguousarray(w))
    _evaluate(state, np.ascontiguousarray(times), out)
    return out[:, :4], out[:, 4:]


@formula
def _rate(free: Vector, drag: Vector, w: Vector) -> Vector:
    """w' [rad/s²] by Euler's equations, with (J2 - J3) / J1 and so on, and by the air."""
    return (
        free[0] * w[1] * w[2] - drag[0] * abs(w[0]) * w[0],
        free[1] * w[2] * w[0] - drag[1] * abs(w[1]) * w[1],
        free[2] * w[0] * w[1] - drag[2] * abs(w[2]) * w[2],
    )


@formula
def _turn(q: Quaternion, t: float, u: Quaternion) -> Quaternion:
    return (q[0] + t * u[0], q[1] + t * u[1], q[2] + t * u[2], q[3] + t * u[3])


@formula
def _spin(q: Quaternion, w: Vector) -> Quaternion:
    return product(q, (0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]))


@kernel
def _march(J: Array, c: Array, begin: int, q: Array, w: Array, times: Array, counts: np.ndarray, out: Array) -> None:
    free = ((J[1] - J[2]) / J[0], (J[2] - J[0]) / J[1], (J[0] - J[1]) / J[2])
    drag = (c[0], c[1], c[2])
    for way in (1, -1):
        r, v = (q[0], q[1], q[2], q[3]), (w[0], w[1], w[2])
        time, row = 0.0, begin if way == 1 else begin - 1
        while 0 <= row < len(times):
            h = (times[row] - time) / counts[row]
            for _ in range(counts[row]):
                k1, u1 = _rate(free, drag, v), _spin(r, v)
                v2 = added(v, 0.5 * h, k1)
                k2, u2 = _rate(free, drag, v2), _spin(_turn(r, 0.5 * h, u1), v2)
                v3 = added(v, 0.5 * h, k2)
                k3, u3 = _rate(free, drag, v3), _spin(_turn(r, 0.5 * h, u2), v3)
                v4 = added(v, h, k3)
                k4, u4 = _rate(free, drag, v4), _spin(_turn(r, h, u3), v4)
                v = added(added(added(added(v, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4)
                r = _turn(_turn(_turn(_turn(r, h / 6.0, u1), h / 3.0, u2), h / 3.0, u3), h / 6.0, u4)
                length = (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]) ** 0.5
                r = (r[0] / length, r[1] / length, r[2] / length, r[3] / length)
            store(out[row], r, v)
            time, row = times[row], row + way


def motion_in_air(moments: Array, drag: Array, q: Array, w: Array, times: Array, fastest: float) -> tuple[Array, Array]:
    """Attitude (n, 4) and angular velocity (n, 3) [rad/s] in principal axes, at times (n,) [s] after the state (q, w).

    Parameters
    ----------
    moments : (3,) principal moments, of which ratios alone count
    drag : (3,) over the moments: the rate w about an axis falls by drag |w| w
    times : that rise; some may lie before the state
    fastest : [rad/s] at which the body turns, roughly; where a drag is above 1, times the largest
    """
    begin = int(np.searchsorted(times, 0.0))
    far = np.abs(np.diff(np.concatenate([times[:begin], [0.0], times[begin:]])))  # of each time from that before it
    counts = np.clip(np.ceil(far * fastest / TURN), 1, 10_000).astype(np.int64)
    out = np.empty((len(times), 7))
    state = (np.ascontiguousarray(one) for one in (moments, drag, q, w, times))
    J, c, q, w, times = state
    _march(J, c, begin, q, w, times, counts, out)
    return out[:, :4], out[:, 4:]
