"""The optimal Magnus methods of order 2, 4, 6 and 8 for a free body (Gustafsson 2010, sections 3.1 and 4.3.1).

The momentum is exact, read at the Gauss nodes of every step from the one elliptic curve of schemes.free_rotation:
nothing adds up in it. The attitude advances by one rotation, q^{n+1} = q^n o exp(Γ), in quaternions or in matrices.

Vectors stand for elements of the Lie algebra: a rotation vector θ [rad] for the matrix θ^ and for the quaternion θ/2,
so that both forms share Γ, with c = 1 in (22)-(25). The thesis conjugates the equation of motion to bring the unknown
to the right (30); here the commutator is reversed in place of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import (
    Array,
    Quaternion,
    Vector,
    cross,
    dot,
    exp_half,
    from_rows,
    product,
    renormalised,
    rotate,
)
from physics.schemes import free_rotation
from physics.schemes.gauss_legendre import INNER_8, NODE_4, NODE_6, OUTER_8
from physics.schemes.loop import March, start_by

# behind the constants of the momentum: the number of steps taken, the attitude as quaternion, and as rows of a matrix
STEPS, ATTITUDE, ROWS, SIZE = (free_rotation.SIZE + n for n in (0, 1, 5, 14))


# ---- the exponent Γ over one step ---------------------------------------------------------------------


@formula
def commutator(a: Vector, b: Vector) -> Vector:
    """[a, b] of an equation with its unknown on the left, q' = 1/2 q o (0, w): b x a."""
    return cross(b, a)


@formula
def sum_of(p: float, a: Vector, q: float, b: Vector) -> Vector:
    """p a + q b."""
    return (p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2])


@formula
def exponent_2(s: Array, h: float, middle: float) -> Vector:
    """Γ of (22) [rad] for the step of length h [s] whose middle lies ``middle`` steps after the start."""
    w = free_rotation.angular_velocity(s, h * middle)
    return (h * w[0], h * w[1], h * w[2])


@formula
def exponent_4(s: Array, h: float, middle: float) -> Vector:
    """Γ of (23); α1, α2: value and slope at the middle of the line through the nodes, times h."""
    w1 = free_rotation.angular_velocity(s, h * (middle - NODE_4))
    w2 = free_rotation.angular_velocity(s, h * (middle + NODE_4))
    a1 = sum_of(0.5 * h, w1, 0.5 * h, w2)
    a2 = sum_of(0.5 * h / NODE_4, w2, -0.5 * h / NODE_4, w1)
    return sum_of(1.0, a1, -1.0 / 12.0, commutator(a1, a2))


@formula
def exponent_6(s: Array, h: float, middle: float) -> Vector:
    """Γ of (24); α1, α2, α3: coefficients at the middle of the parabola through the nodes, times h."""
    w1 = free_rotation.angular_velocity(s, h * (middle - NODE_6))
    w2 = free_rotation.angular_velocity(s, h * middle)
    w3 = free_rotation.angular_velocity(s, h * (middle + NODE_6))
    a1 = (h * w2[0], h * w2[1], h * w2[2])
    a2 = sum_of(0.5 * h / NODE_6, w3, -0.5 * h / NODE_6, w1)
    a3 = sum_of(0.5 * h / NODE_6**2, sum_of(1.0, w3, 1.0, w1), -h / NODE_6**2, w2)
    s1 = commutator(a1, a2)
    r1 = commutator(a1, sum_of(-1.0 / 30.0, a3, -1.0 / 60.0, s1))
    left = sum_of(1.0, sum_of(-20.0, a1, -1.0, a3), 1.0, s1)
    last = commutator(left, sum_of(1.0, a2, 1.0, r1))
    return sum_of(1.0, sum_of(1.0, a1, 1.0 / 12.0, a3), 1.0 / 240.0, last)


@formula
def exponent_8(s: Array, h: float, middle: float) -> Vector:
    """Γ of (25); α1 ... α4: coefficients at the middle of the cubic through the nodes, times h, as (21) gives them."""
    w1 = free_rotation.angular_velocity(s, h * (middle - OUTER_8))
    w2 = free_rotation.angular_velocity(s, h * (middle - INNER_8))
    w3 = free_rotation.angular_velocity(s, h * (middle + INNER_8))
    w4 = free_rotation.angular_velocity(s, h * (middle + OUTER_8))
    even, odd = sum_of(0.5 * h, w2, 0.5 * h, w3), sum_of(0.5 * h / INNER_8, w3, -0.5 * h / INNER_8, w2)
    even4, odd4 = sum_of(0.5 * h, w1, 0.5 * h, w4), sum_of(0.5 * h / OUTER_8, w4, -0.5 * h / OUTER_8, w1)
    apart = 1.0 / (OUTER_8**2 - INNER_8**2)
    a3, a4 = sum_of(apart, even4, -apart, even), sum_of(apart, odd4, -apart, odd)
    a1, a2 = sum_of(1.0, even, -(INNER_8**2), a3), sum_of(1.0, odd, -(INNER_8**2), a4)
    s1 = commutator(sum_of(-1.0 / 28.0, a1, -1.0 / 784.0, a3), sum_of(1.0, a2, 3.0 / 28.0, a4))
    r1 = commutator(a1, sum_of(-1.0 / 42.0, a3, 1.0 / 3.0, s1))
    left = sum_of(1.0, sum_of(1.0, a1, 1.0 / 28.0, a3), 1.0, s1)
    s2 = commutator(left, sum_of(1.0, sum_of(1.0, a2, 3.0 / 28.0, a4), 1.0, r1))
    s2_hat = commutator(a2, s1)
    r2 = commutator(sum_of(1.0, a1, 1.25, s1), sum_of(2.0, a3, 1.0, sum_of(1.0, s2, 0.5, s2_hat)))
    left = sum_of(1.0, sum_of(1.0, a1, 1.0 / 12.0, a3), 1.0, sum_of(-7.0 / 3.0, s1, -1.0 / 6.0, s2))
    right = sum_of(1.0, sum_of(-9.0, a2, -2.25, a4), 1.0, sum_of(63.0, r1, 1.0, r2))
    s3 = commutator(left, right)
    return sum_of(1.0, sum_of(1.0, a1, 1.0 / 12.0, a3), 1.0, sum_of(-7.0 / 120.0, s2, 1.0 / 360.0, s3))


# ---- marching -----------------------------------------------------------------------------------------


@formula
def set_up(J: Vector, q: Quaternion, w: Vector, s: Array) -> None:
    """Fill the state (SIZE) of the motion that starts with attitude q and angular velocity w [rad/s]."""
    free_rotation.set_up(J, w, s)
    s[ATTITUDE], s[ATTITUDE + 1], s[ATTITUDE + 2], s[ATTITUDE + 3] = q
    x, y, z = rotate(q, (1.0, 0.0, 0.0)), rotate(q, (0.0, 1.0, 0.0)), rotate(q, (0.0, 0.0, 1.0))
    for i in range(3):
        s[ROWS + 3 * i], s[ROWS + 3 * i + 1], s[ROWS + 3 * i + 2] = x[i], y[i], z[i]


start = start_by(set_up, SIZE)


def march_quaternion(exponent: Any) -> March:
    """The compiled loop with quaternions; ``exponent(s, h, middle)`` is one of those above."""

    @kernel
    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        q, steps = (state[ATTITUDE], state[ATTITUDE + 1], state[ATTITUDE + 2], state[ATTITUDE + 3]), state[STEPS]
        for row in range(out.shape[0]):
            for _ in range(every):
                q = renormalised(product(q, exp_half(exponent(state, h, steps + 0.5))))
                steps += 1.0
            if not abs(q[0] + q[1] + q[2] + q[3]) < np.inf:
                return row, np.inf
            out[row, 0], out[row, 1], out[row, 2], out[row, 3] = q
            out[row, 4], out[row, 5], out[row, 6] = free_rotation.angular_velocity(state, h * steps)
        state[ATTITUDE], state[ATTITUDE + 1], state[ATTITUDE + 2], state[ATTITUDE + 3] = q
        state[STEPS] = steps
        return out.shape[0], 0.0

    return march


def march_matrix(exponent: Any) -> March:
    """The compiled loop with rotation matrices: nine numbers, made orthogonal again in every step."""

    @kernel
    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        q, steps = (state[ATTITUDE], state[ATTITUDE + 1], state[ATTITUDE + 2], state[ATTITUDE + 3]), state[STEPS]
        a = (state[ROWS], state[ROWS + 1], state[ROWS + 2])
        b = (state[ROWS + 3], state[ROWS + 4], state[ROWS + 5])
        c = (state[ROWS + 6], state[ROWS + 7], state[ROWS + 8])
        for row in range(out.shape[0]):
            for _ in range(every):
                e = exp_half(exponent(state, h, steps + 0.5))
                # R exp(Γ^): by rows, the transposed exponential of each; Rodrigues' formula in half angles
                back = (e[0], -e[1], -e[2], -e[3])
                a, b, c = orthogonal(rotate(back, a), rotate(back, b), rotate(back, c))
                steps += 1.0
            if not abs(a[0] + b[1] + c[2]) < np.inf:
                return row, np.inf
            q = nearer(from_rows(a, b, c), q)
            out[row, 0], out[row, 1], out[row, 2], out[row, 3] = q
            out[row, 4], out[row, 5], out[row, 6] = free_rotation.angular_velocity(state, h * steps)
        state[ROWS], state[ROWS + 1], state[ROWS + 2] = a
        state[ROWS + 3], state[ROWS + 4], state[ROWS + 5] = b
        state[ROWS + 6], state[ROWS + 7], state[ROWS + 8] = c
        state[ATTITUDE], state[ATTITUDE + 1], state[ATTITUDE + 2], state[ATTITUDE + 3] = q
        state[STEPS] = steps
        return out.shape[0], 0.0

    return march


@formula
def orthogonal(a: Vector, b: Vector, c: Vector) -> tuple[Vector, Vector, Vector]:
    """The rows of R (3 I - R^T R) / 2, one Newton step to the nearest rotation, as core.rotation.renormalised."""
    ab, bc, ca = -0.5 * dot(a, b), -0.5 * dot(b, c), -0.5 * dot(c, a)
    aa, bb, cc = 1.5 - 0.5 * dot(a, a), 1.5 - 0.5 * dot(b, b), 1.5 - 0.5 * dot(c, c)
    return (
        sum_of(aa, a, 1.0, sum_of(ab, b, ca, c)),
        sum_of(bb, b, 1.0, sum_of(ab, a, bc, c)),
        sum_of(cc, c, 1.0, sum_of(ca, a, bc, b)),
    )


@formula
def nearer(q: Quaternion, to: Quaternion) -> Quaternion:
    """q or -q, the same attitude, so that stored quaternions do not jump."""
    if q[0] * to[0] + q[1] * to[1] + q[2] * to[2] + q[3] * to[3] < 0.0:
        return (-q[0], -q[1], -q[2], -q[3])
    return q
