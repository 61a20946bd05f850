"""Newmark's scheme and the generalised-alpha scheme on the rotation group, for bodies with torque and damping.

Simo & Vu-Quoc (1988) with gamma = 1/2 and beta = 1/4; Brüls & Cardona (2010). The turn of a step is a rotation vector
in the body, and the accelerations are those in the body:

    q' = q o exp(h w + h² ((1/2 - beta) a + beta a')),     w' = w + h ((1 - gamma) a + gamma a'),

a' such that (1 - am) a' + am a = (1 - af) f' + af f, with f = J⁻¹ (tau - D w - w x J w) at the start and f' at the end.
Newmark has a = f throughout. The alpha scheme damps what oscillates faster than the step can show: its spectral radius
rho there sets am, af, gamma and beta; for rho = 1 it is Newmark's. It remembers a, which starts as f.

f' is found by Newton's method; its Jacobian leaves the change of the torque with the attitude out, of order h².
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.potential import moment
from physics.core.rotation import Array, Field, Quaternion, Vector, dot, exp_half, product, renormalised
from physics.schemes.gyroscopic import acceleration
from physics.schemes.loop import March, Start, as_tuple, store
from physics.schemes.newton import ITERATIONS, solve_rows, speed_squared

CLOSE = 1e-27  # squared relative correction: torque makes the convergence linear, so the last one is all but rounding


class Weights(NamedTuple):
    """The constants of the alpha scheme."""

    am: float
    af: float
    gamma: float
    beta: float


def weights(rho: float) -> Weights:
    """The constants for a spectral radius at infinite frequency, 0 to 1."""
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 - am + af
    return Weights(am, af, gamma, 0.25 * (gamma + 0.5) ** 2)


@formula
def end(
    J: Vector, field: Field, h: float, q: Quaternion, turn: Vector, w: Vector, far: float, fast: float, f: Vector
) -> tuple[Quaternion, Vector, Vector, float]:
    """Attitude, angular velocity, f' and residual (inf: no solution) of a step of h [s].

    turn [rad] and w [rad/s]: rotation vector and angular velocity without f'; far [s²] and fast [s]: what f' adds to
    them; f: its first guess.
    """
    size = speed_squared(J, field, w)
    if size == 0.0:
        return q, w, (0.0, 0.0, 0.0), 0.0
    a, b, c = J[2] - J[1], J[0] - J[2], J[1] - J[0]
    for _ in range(ITERATIONS):
        v = (w[0] + fast * f[0], w[1] + fast * f[1], w[2] + fast * f[2])
        x = renormalised(product(q, exp_half((turn[0] + far * f[0], turn[1] + far * f[1], turn[2] + far * f[2]))))
        n = moment(field, x, v)
        r = (
            J[0] * f[0] - n[0] + a * v[1] * v[2],
            J[1] * f[1] - n[1] + b * v[2] * v[0],
            J[2] * f[2] - n[2] + c * v[0] * v[1],
        )
        d, det = solve_rows(
            (J[0] + fast * field[6], fast * a * v[2], fast * a * v[1]),
            (fast * b * v[2], J[1] + fast * field[7], fast * b * v[0]),
            (fast * c * v[1], fast * c * v[0], J[2] + fast * field[8]),
            r,
        )
        if not det > 0.0:
            return q, w, f, math.inf
        f = (f[0] - d[0], f[1] - d[1], f[2] - d[2])
        change = h * h * dot(d, d)
        if change <= CLOSE * size:
            v = (w[0] + fast * f[0], w[1] + fast * f[1], w[2] + fast * f[2])
            x = product(q, exp_half((turn[0] + far * f[0], turn[1] + far * f[1], turn[2] + far * f[2])))
            return renormalised(x), v, f, math.sqrt(change / size)
    return q, w, f, math.inf


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of Newmark's scheme of length h [s]: attitude, angular velocity [rad/s], residual."""
    f, k = acceleration(J, moment(field, q, w), w), 0.25 * h * h
    turn = (h * w[0] + k * f[0], h * w[1] + k * f[1], h * w[2] + k * f[2])
    half = (w[0] + 0.5 * h * f[0], w[1] + 0.5 * h * f[1], w[2] + 0.5 * h * f[2])
    q, w, _, residual = end(J, field, h, q, turn, half, k, 0.5 * h, f)
    return q, w, residual


def start_remembering(J: Array, q: Array, w: Array) -> Array:
    """The state (11,) of the alpha scheme: attitude, angular velocity, a, and whether a is set."""
    return np.concatenate([q, w, np.zeros(4)])


def alpha_march(rho: float) -> tuple[Start, March]:
    """Start and loop of the alpha scheme with a spectral radius."""
    constants: Any = weights(rho)
    am, af, gamma, beta = constants

    @kernel
    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        moments, acting = (J[0], J[1], J[2]), as_tuple(field)
        q, w = (state[0], state[1], state[2], state[3]), (state[4], state[5], state[6])
        a = (state[7], state[8], state[9])
        if state[10] == 0.0:
            a = acceleration(moments, moment(acting, q, w), w)
        share = (1.0 - af) / (1.0 - am)  # of f' in a'
        for row in range(out.shape[0]):
            for _ in range(every):
                f, k = acceleration(moments, moment(acting, q, w), w), 1.0 / (1.0 - am)
                known = (k * (af * f[0] - am * a[0]), k * (af * f[1] - am * a[1]), k * (af * f[2] - am * a[2]))
                s, t = h * h * (0.5 - beta), h * h * beta
                x, y = h * (1.0 - gamma), h * gamma
                turn = (
                    h * w[0] + s * a[0] + t * known[0],
                    h * w[1] + s * a[1] + t * known[1],
                    h * w[2] + s * a[2] + t * known[2],
                )
                part = (
                    w[0] + x * a[0] + y * known[0],
                    w[1] + x * a[1] + y * known[1],
                    w[2] + x * a[2] + y * known[2],
                )
                q, w, f, residual = end(moments, acting, h, q, turn, part, t * share, y * share, f)
                if not residual < np.inf or not abs(w[0] + w[1] + w[2] + q[0] + q[1] + q[2] + q[3]) < np.inf:
                    return row, residual
                a = (known[0] + share * f[0], known[1] + share * f[1], known[2] + share * f[2])
            store(out[row], q, w)
        store(state, q, w)
        state[7], state[8], state[9] = a
        state[10] = 1.0
        return out.shape[0], 0.0

    return start_remembering, march
