"""Compositions of kicks and exact free rotations for bodies about a fixed point: orders 4 to 8 under torque.

One step is B(b1 h) A(a1 h) B(b2 h) ... A(an h) B(bn+1 h): kicks B, which turn the angular velocity at rest, damping
included, and free rotations A, which are exact. Every composition is palindromic: reversible, and symplectic without
damping. Coefficients and sources: composition_coefficients and rows.compositions.

A kick may carry a force gradient (Chin 1997): its potential is V - c h² W with W = tau.J⁻¹ tau.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.potential import gradient, torque, vertical
from physics.core.rotation import Array, Field, Vector, cross
from physics.schemes.kicks import damping, kicked
from physics.schemes.loop import March, as_tuple, store
from physics.schemes.symmetric_rotation import odd_axis
from physics.schemes.verlet import SCRATCH, as_long, by_symmetry, exactly


@dataclass(frozen=True)
class Stages:
    """The stages of one step.

    Attributes
    ----------
    kicks : b (n + 1,), shares of the step; 0: none
    turns : a (n,), shares of the step
    gradients : c (n + 1,), see above
    """

    kicks: Array
    turns: Array
    gradients: Array

    @property
    def torques(self) -> int:
        """How many torques a step evaluates; the last one serves the next step too."""
        first_is_last = self.kicks[0] != 0.0
        return int(np.count_nonzero(self.kicks)) - int(first_is_last)


def of_verlet(shares: Sequence[float]) -> Stages:
    """The symmetric composition of Störmer-Verlet steps of these shares, outer first; the middle one is the rest."""
    gammas = _whole(shares)
    return Stages(0.5 * (np.append(0.0, gammas) + np.append(gammas, 0.0)), gammas, np.zeros(len(gammas) + 1))


def from_kicks(kicks: Sequence[float], turns: Sequence[float], middle: str) -> Stages:
    """B A B ... from the first halves; the middle one is what is left, of the kicks or of the turns (``middle``)."""
    b, a = (_whole(kicks), _pairs(turns)) if middle == "kick" else (_pairs(kicks), _whole(turns))
    return Stages(b, a, np.zeros(len(b)))


def from_turns(turns: Sequence[float], kicks: Sequence[float], middle: str) -> Stages:
    """A B A ... from the first halves; the middle one is what is left, of the kicks or of the turns (``middle``)."""
    a, b = (_pairs(turns), _whole(kicks)) if middle == "kick" else (_whole(turns), _pairs(kicks))
    return Stages(np.array([0.0, *b, 0.0]), a, np.zeros(len(b) + 2))


def _whole(first: Sequence[float]) -> Array:
    """A palindrome around what is left of 1."""
    return np.array([*first, 1.0 - 2.0 * float(np.sum(first)), *first[::-1]])


def _pairs(first: Sequence[float]) -> Array:
    """A palindrome of pairs; the last of the first half is what is left of 1/2."""
    half = [*first, 0.5 - float(np.sum(first))]
    return np.array([*half, *half[::-1]])


@formula
def gradient_torque(J: Vector, field: Field, u: Vector) -> Vector:
    """Moment of the potential W = tau.J⁻¹ tau in principal axes: u x dW/du, dW/du = 2 (g x a + H (a x u)).

    g and H are the first and second derivatives of the potential by the vertical u, a = J⁻¹ tau (Chin 1997).
    """
    g = gradient(field, u)
    tau = cross(u, g)
    a = (tau[0] / J[0], tau[1] / J[1], tau[2] / J[2])
    x, y = cross(g, a), cross(a, u)
    return cross(
        u,
        (
            2.0 * (x[0] + field[3] * y[0] + field[9] * y[1] + field[10] * y[2]),
            2.0 * (x[1] + field[9] * y[0] + field[4] * y[1] + field[11] * y[2]),
            2.0 * (x[2] + field[10] * y[0] + field[11] * y[1] + field[5] * y[2]),
        ),
    )


def _loop(free: Any) -> Any:
    """The loop of all compositions around a solution of the free rotation; their stages come as arrays."""

    @kernel
    def march(
        J: Array, field: Array, h: float, every: int, state: Array, out: Array, b: Array, a: Array, c: Array
    ) -> tuple[int, float]:
        moments = (J[0], J[1], J[2])
        acting = as_tuple(field)
        functions = np.empty((len(b), 6))  # of the time, for damping
        for i in range(len(b)):
            for k in range(3):
                functions[i, k], functions[i, 3 + k] = damping(J[k], field[6 + k], b[i] * h)
        s = np.zeros(SCRATCH)
        q, w = (state[0], state[1], state[2], state[3]), (state[4], state[5], state[6])
        for row in range(out.shape[0]):
            for _ in range(every):
                for i in range(len(b)):
                    if b[i] != 0.0:
                        u, f = vertical(q), functions[i]
                        n = torque(acting, u)
                        if c[i] != 0.0:
                            m, weight = gradient_torque(moments, acting, u), c[i] * h * h
                            n = (n[0] - weight * m[0], n[1] - weight * m[1], n[2] - weight * m[2])
                        w = kicked((f[0], f[1], f[2]), (f[3], f[4], f[5]), n, w)
                    if i < len(a):
                        q, after = free(moments, a[i] * h, q, w, s)
                        w = as_long(moments, w, after)
                if not abs(q[0] + q[1] + q[2] + q[3]) + abs(w[0] + w[1] + w[2]) < np.inf:
                    return row, np.inf
            store(out[row], q, w)
        store(state, q, w)
        return out.shape[0], 0.0

    return march


_SYMMETRIC, _OTHER = _loop(by_symmetry), _loop(exactly)


def march_with(stages: Stages) -> March:
    """The loop with the stages of one composition."""

    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        loop = _SYMMETRIC if odd_axis((J[0], J[1], J[2])) >= 0 else _OTHER
        done: tuple[int, float] = loop(J, field, h, every, state, out, stages.kicks, stages.turns, stages.gradients)
        return done

    return march
