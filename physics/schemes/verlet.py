"""Störmer-Verlet splitting for bodies about a fixed point: tops and vessels (Gustafsson 2010, section 5).

Half a step of torque and damping at rest (S2), a step of free rotation (S1), half a step of S2 (40): a composition of
physics.schemes.composition, which solves S2. S1, here, runs on an elliptic curve set up afresh in every step, its
attitude by a Magnus method or by a factorization method, or is exact, which needs no curve
(physics.schemes.free_rotation). The order is 2 whatever that method is; only with the exact one is the step symplectic,
and the vertical spin is kept to rounding where S1 keeps the spin in space.
"""

from __future__ import annotations

import math
from typing import Any

from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Vector, exp_half, product, renormalised
from physics.schemes import exact, factorization, free_rotation

SCRATCH = factorization.SIZE  # constants of one curve, the largest that S1 asks for


# ---- S1: free rotation over a step h [s] of a body with moments J; s (SCRATCH,) holds the curve ----------


def by_magnus(exponent: Any) -> Any:
    """S1 with an exponent of physics.schemes.magnus."""

    @formula
    def free(J: Vector, h: float, q: Quaternion, w: Vector, s: Array) -> tuple[Quaternion, Vector]:
        free_rotation.set_up(J, w, s)
        return renormalised(product(q, exp_half(exponent(s, h, 0.5)))), free_rotation.angular_velocity(s, h)

    return free


def by_factorization(turn: Any) -> Any:
    """S1 with a quadrature of physics.schemes.factorization."""

    @formula
    def free(J: Vector, h: float, q: Quaternion, w: Vector, s: Array) -> tuple[Quaternion, Vector]:
        factorization.set_up(J, q, w, s)
        return factorization.evaluate(s, h, turn(s, h, 0.5) if s[free_rotation.KIND] != free_rotation.STEADY else 0.0)

    return free


@formula
def by_symmetry(J: Vector, h: float, q: Quaternion, w: Vector, s: Array) -> tuple[Quaternion, Vector]:
    """S1 by the exact solution of a body with two equal moments, which needs no elliptic function."""
    return free_rotation.rotated_symmetric(J, free_rotation.odd_axis(J), h, q, w)


@formula
def exactly(J: Vector, h: float, q: Quaternion, w: Vector, s: Array) -> tuple[Quaternion, Vector]:
    """S1 by the exact solution of any other body; only a step longer than free_rotation takes needs a curve."""
    good, turned, after = free_rotation.rotated(J, h, q, w)
    if good:
        return turned, after
    exact.set_up(J, q, w, s)
    return exact.evaluate(s, h)


@formula
def as_long(J: Vector, before: Vector, after: Vector) -> Vector:
    """``after`` with the size of spin of ``before``, which it has up to rounding.

    The rounding errors of the curve's constants are the same in every step: without this they add up, 1e-17 a step.
    """
    x, y, z = J[0] * before[0], J[1] * before[1], J[2] * before[2]
    a, b, c = J[0] * after[0], J[1] * after[1], J[2] * after[2]
    size = x * x + y * y + z * z
    if not 0.0 < size < math.inf:
        return after
    s = 0.5 * ((x - a) * (x + a) + (y - b) * (y + b) + (z - c) * (z + c)) / size
    return (after[0] + s * after[0], after[1] + s * after[1], after[2] + s * after[2])
