"""The factorization methods as the thesis has them, about e3 with c0, c3 (Gustafsson 2010, section 4.3.2, (31)-(36)).

For a momentum m of length 1, e3 the axis of the largest moment, each step carries out

    q' = q o p^-1(t) o exp(ψ e3 / 2) o p(t + h),    ψ = integral of 2E + (m2 dm1/dt - m1 dm2/dt) / (1 + m3) over it (33)

with p of (34)-(36): p o m o p^-1 = e3 for any c0 and c3 with c0² + c3² = 1/2, here 1/2 and 1/2 as in the listing. The
momentum is that of schemes.free_rotation, the integral a Gauss quadrature. At m = -e3, where 1 + m3 vanishes, there
is no p, and the step has no solution.

1 + m3 is (m1² + m2²) / (1 - m3) where m3 < 0: added up it has no right digit within 1e-8 of -e3, and the attitude
would be wrong without a word. physics.schemes.factorization turns about another axis, which is never singular.
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector, inverse, product, renormalised
from physics.schemes import free_rotation
from physics.schemes.free_rotation import KIND, OMEGA, SPIN, STEADY
from physics.schemes.gauss_legendre import OFFSETS, WEIGHTS
from physics.schemes.loop import Start, start_by, store

# behind the constants of the momentum: the number of nodes; of the axis e3; the moments T1, T2, T3; 2E for |m| = 1,
# times the spin; c0 and c3; the number of steps taken; the attitude
NODES, THIRD, MOMENTS, ENERGY, C0, C3, STEPS, ATTITUDE, SIZE = (
    free_rotation.SIZE + n for n in (0, 1, 2, 5, 6, 7, 8, 9, 13)
)


@formula
def set_up(J: Vector, q: Quaternion, w: Vector, s: Array) -> None:
    """Fill the constants s (SIZE) of the motion that starts with attitude q and angular velocity w [rad/s]."""
    free_rotation.set_up(J, w, s)
    third = 2 if J[2] >= J[0] and J[2] >= J[1] else (1 if J[1] >= J[0] else 0)
    s[THIRD], s[STEPS], s[C0], s[C3] = third, 0.0, 0.5, 0.5
    s[MOMENTS], s[MOMENTS + 1], s[MOMENTS + 2] = cycled(J, third)
    s[ATTITUDE], s[ATTITUDE + 1], s[ATTITUDE + 2], s[ATTITUDE + 3] = q
    if s[SPIN] > 0.0:
        s[ENERGY] = (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / s[SPIN]


_start = start_by(set_up, SIZE)


def start_with(order: int) -> Start:
    """The start of the method of that order, which has half as many nodes."""

    def start(J: Array, q: Array, w: Array) -> Array:
        state = _start(J, q, w)
        state[NODES] = order // 2
        return state

    return start


@formula
def cycled(v: Vector, last: int) -> Vector:
    """A vector in axes exchanged cyclically until the one of that number is the last."""
    if last == 2:
        return v
    return (v[1], v[2], v[0]) if last == 0 else (v[2], v[0], v[1])


@formula
def momentum(s: Array, t: float) -> Vector:
    """m of length 1 at time t [s], e3 last."""
    if s[KIND] == STEADY:
        w = cycled((s[OMEGA], s[OMEGA + 1], s[OMEGA + 2]), s[THIRD])
        A, B, C = s[MOMENTS], s[MOMENTS + 1], s[MOMENTS + 2]
        return (A * w[0] / s[SPIN], B * w[1] / s[SPIN], C * w[2] / s[SPIN])
    u, _, _ = free_rotation.direction(s, t)
    return cycled(free_rotation.unordered(s, u), s[THIRD])


@formula
def one_and(m: Vector) -> float:
    """1 + m3 with all digits."""
    return 1.0 + m[2] if m[2] >= 0.0 else (m[0] * m[0] + m[1] * m[1]) / (1.0 - m[2])


@formula
def rate(s: Array, t: float) -> float:
    """dψ/dt [rad/s] at time t [s], the integrand of (33)."""
    m = momentum(s, t)
    T1, T2, T3 = s[MOMENTS], s[MOMENTS + 1], s[MOMENTS + 2]
    d1, d2 = m[1] * m[2] * (T2 - T3) / (T2 * T3), m[2] * m[0] * (T3 - T1) / (T3 * T1)
    return float(s[ENERGY] + s[SPIN] * (m[1] * d1 - m[0] * d2) / one_and(m))


@formula
def turn(s: Array, h: float, middle: float) -> float:
    """Increase of ψ [rad] over the step of length h [s] whose middle lies ``middle`` steps after the start."""
    nodes, total = int(s[NODES]), 0.0
    for i in range(nodes):
        total += WEIGHTS[nodes - 1, i] * rate(s, h * (middle + OFFSETS[nodes - 1, i]))
    return h * total


@formula
def upright(s: Array, t: float) -> Quaternion:
    """p of (34)-(36) at time t [s]: the turn that takes m onto e3."""
    m = momentum(s, t)
    c0, c3, root = s[C0], s[C3], math.sqrt(one_and(m))
    return (c0 * root, (c3 * m[0] + c0 * m[1]) / root, (c3 * m[1] - c0 * m[0]) / root, c3 * root)


@kernel
def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop over (31)."""
    s, steps = state, state[STEPS]
    q = (s[ATTITUDE], s[ATTITUDE + 1], s[ATTITUDE + 2], s[ATTITUDE + 3])
    p = upright(s, h * steps)
    for row in range(out.shape[0]):
        for i in range(every if s[SPIN] > 0.0 else 0):
            half = 0.5 * turn(s, h, steps + i + 0.5)
            then = upright(s, h * (steps + i + 1.0))
            x, a, b, c = product(inverse(p), product((math.cos(half), 0.0, 0.0, math.sin(half)), then))
            axis = cycled((a, b, c), (1 - int(s[THIRD])) % 3)
            q, p = renormalised(product(q, (x, axis[0], axis[1], axis[2]))), then
        steps += every
        w = free_rotation.angular_velocity(s, h * steps)
        if not abs(q[0] + q[1] + q[2] + q[3]) + abs(w[0] + w[1] + w[2]) < np.inf:
            return row, np.inf
        store(out[row], q, w)
    s[ATTITUDE], s[ATTITUDE + 1], s[ATTITUDE + 2], s[ATTITUDE + 3] = q
    s[STEPS] = steps
    return out.shape[0], 0.0
