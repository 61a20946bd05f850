"""NO-SQUISH: the symplectic quaternion scheme of Miller et al. (2002), between half kicks.

Its Hamiltonian T = sum of (p.P_k q)²/(8 J_k), with P_1 q = q o i and so on, is split into one term for each axis, in
the order 3 2 1 2 3. Each turns q and its momentum p = 2 q o (0, m) together by the angle h p.P_k q/(4 J_k), q in the
plane of q and P_k q, p in that of p and P_k p. So length of q, p.q = 0 and spin are kept without a projection. Rounding
alone lets the length wander, and with it the spin, by 1e-9 in 20 000 steps: it is put back here after each step.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector, renormalised
from physics.schemes.kicks import between_kicks


@formula
def permuted(axis: int, q: Quaternion) -> Quaternion:
    """P_k q = q o i, q o j or q o k."""
    if axis == 0:
        return (-q[1], q[0], q[3], -q[2])
    if axis == 1:
        return (-q[2], -q[3], q[0], q[1])
    return (-q[3], q[2], -q[1], q[0])


@formula
def about(axis: int, share: float, q: Quaternion, p: Quaternion) -> tuple[Quaternion, Quaternion]:
    """The exact flow of one term of the Hamiltonian; share: of the step over the axis's moment, h/J_k [s/(kg m²)]."""
    x, y = permuted(axis, q), permuted(axis, p)
    angle = 0.25 * share * (p[0] * x[0] + p[1] * x[1] + p[2] * x[2] + p[3] * x[3])
    c, s = math.cos(angle), math.sin(angle)
    return (
        (c * q[0] + s * x[0], c * q[1] + s * x[1], c * q[2] + s * x[2], c * q[3] + s * x[3]),
        (c * p[0] + s * y[0], c * p[1] + s * y[1], c * p[2] + s * y[2], c * p[3] + s * y[3]),
    )


@formula
def along(q: Quaternion, p: Quaternion) -> Vector:
    """The momentum m in the body, half the vector part of q* o p [kg m²/s]."""
    return (
        0.5 * (q[0] * p[1] - q[1] * p[0] - q[2] * p[3] + q[3] * p[2]),
        0.5 * (q[0] * p[2] + q[1] * p[3] - q[2] * p[0] - q[3] * p[1]),
        0.5 * (q[0] * p[3] - q[1] * p[2] + q[2] * p[1] - q[3] * p[0]),
    )


@formula
def free(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """A free step of length h [s]: attitude, angular velocity [rad/s], residual 0."""
    m = (2.0 * J[0] * w[0], 2.0 * J[1] * w[1], 2.0 * J[2] * w[2])
    p = (
        -q[1] * m[0] - q[2] * m[1] - q[3] * m[2],
        q[0] * m[0] + q[2] * m[2] - q[3] * m[1],
        q[0] * m[1] + q[3] * m[0] - q[1] * m[2],
        q[0] * m[2] + q[1] * m[1] - q[2] * m[0],
    )
    q, p = about(2, 0.5 * h / J[2], q, p)
    q, p = about(1, 0.5 * h / J[1], q, p)
    q, p = about(0, h / J[0], q, p)
    q, p = about(1, 0.5 * h / J[1], q, p)
    q, p = about(2, 0.5 * h / J[2], q, p)
    q = renormalised(q)
    m = along(q, p)
    return q, (m[0] / J[0], m[1] / J[1], m[2] / J[2]), 0.0


step = between_kicks(free)
