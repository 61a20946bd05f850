"""The factorization methods of order 2, 4, 6 and 8 for a free body (Gustafsson 2010, section 4.3.2).

The momentum is exact, as in physics.schemes.exact; the one angle ψ of the attitude about the spin comes from Gauss
quadrature of (33) over every step. The thesis measures ψ from the third axis of the body, where 1 + m3 can vanish; here
it is the axis whose momentum keeps its sign, u3 = a dn > 0, so that no start is singular. With |m| = 1 the integrand
of (33) is (2E + u3 / I3) / (1 + u3). The spin in space is kept to rounding whatever the step: ψ turns about it.

(31) is taken with its products over all steps carried out: those of p^-1 and p cancel, and what adds up is ψ alone,
reduced to one turn of the quaternion and with its rounding errors carried along (Kahan).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector
from physics.schemes import exact, free_rotation
from physics.schemes.exact import FRONT, STEPS
from physics.schemes.free_rotation import KIND, MOMENT, SPIN, STEADY
from physics.schemes.gauss_legendre import (
    INNER_8,
    NODE_4,
    NODE_6,
    OUTER_8,
    WEIGHT_6,
    WEIGHT_6_MIDDLE,
    WEIGHT_8_INNER,
    WEIGHT_8_OUTER,
)
from physics.schemes.loop import March, start_by, store

# among the constants of exact: 2E for |m| = 1; behind them: ψ, and the part of it that rounding took
ENERGY, PSI, LOST, SIZE = exact.RHO, exact.SIZE, exact.SIZE + 1, exact.SIZE + 2
TURN, TURN_LOST = 4.0 * math.pi, 4.0 * 1.2246467991473532e-16  # 4π in two doubles


# ---- the increase of ψ over one step ------------------------------------------------------------------


@formula
def rate(s: Array, t: float) -> float:
    """dψ/dt [rad/s] at time t [s], the integrand of (33)."""
    u, _, _ = free_rotation.direction(s, t)
    energy, spin, moment = float(s[ENERGY]), float(s[SPIN]), float(s[MOMENT + 2])
    return (energy + u[2] * spin / moment) / (1.0 + u[2])


@formula
def turn_2(s: Array, h: float, middle: float) -> float:
    """Increase of ψ [rad] over the step of length h [s] whose middle lies ``middle`` steps after the start."""
    return h * rate(s, h * middle)


@formula
def turn_4(s: Array, h: float, middle: float) -> float:
    """The same by two nodes."""
    return 0.5 * h * (rate(s, h * (middle - NODE_4)) + rate(s, h * (middle + NODE_4)))


@formula
def turn_6(s: Array, h: float, middle: float) -> float:
    """The same by three nodes."""
    outer = rate(s, h * (middle - NODE_6)) + rate(s, h * (middle + NODE_6))
    return h * (WEIGHT_6 * outer + WEIGHT_6_MIDDLE * rate(s, h * middle))


@formula
def turn_8(s: Array, h: float, middle: float) -> float:
    """The same by four nodes."""
    outer = rate(s, h * (middle - OUTER_8)) + rate(s, h * (middle + OUTER_8))
    inner = rate(s, h * (middle - INNER_8)) + rate(s, h * (middle + INNER_8))
    return h * (WEIGHT_8_OUTER * outer + WEIGHT_8_INNER * inner)


# ---- marching -----------------------------------------------------------------------------------------


@formula
def set_up(J: Vector, q: Quaternion, w: Vector, s: Array) -> None:
    """Fill the constants s (SIZE) of the motion that starts with attitude q and angular velocity w [rad/s]."""
    free_rotation.set_up(J, w, s)
    s[STEPS], s[PSI], s[LOST] = 0.0, 0.0, 0.0
    s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3] = q
    if s[KIND] == STEADY:
        return
    s[ENERGY] = (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / s[SPIN]  # 2E for |m| = 1
    exact.face(J, q, w, s, 1.0, 0.0)


start = start_by(set_up, SIZE)


@formula
def evaluate(s: Array, t: float, psi: float) -> tuple[Quaternion, Vector]:
    """Attitude and angular velocity [rad/s] at time t [s] after the start, where ψ has grown by psi [rad]."""
    if s[KIND] == STEADY:
        return exact.steady(s, t)
    u, _, _ = free_rotation.direction(s, t)
    return exact.attitude(s, u, math.cos(0.5 * psi), math.sin(0.5 * psi)), exact.velocity(s, u)


def march_with(turn: Any) -> March:
    """The compiled loop; ``turn(s, h, middle)`` is one of those above."""

    @kernel
    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        psi, lost, steps, steady = state[PSI], state[LOST], state[STEPS], state[KIND] == STEADY
        for row in range(out.shape[0]):
            if not steady:
                for i in range(every):
                    more = turn(state, h, steps + i + 0.5) - lost
                    total = psi + more
                    lost, psi = (total - psi) - more, total
                    if psi >= TURN:
                        turns = np.floor(psi / TURN)
                        psi -= turns * TURN
                        lost += turns * TURN_LOST
            steps += every
            q, w = evaluate(state, h * steps, psi)
            if not abs(q[0] + q[1] + q[2] + q[3]) < np.inf:
                return row, np.inf
            store(out[row], q, w)
        state[PSI], state[LOST], state[STEPS] = psi, lost, steps
        return out.shape[0], 0.0

    return march
