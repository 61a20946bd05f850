"""Processed Störmer-Verlet steps: a cheap kernel between a change of variables and its inverse (Blanes et al. 2000).

The kernel is half a turn, one kick with a force gradient, half a turn: what it errs to order 2 is what a change of
variables undoes. The processor is that change. It is applied backwards at the start, and forwards to what is stored:
the numbers in between are not those of the motion, and cost one torque a step.

With x = h ad(A) / 2 the kernel moves, to first order in the kick B, by (x / sinh x) B for B. The processor is the
product of commutators of a turn over a h and a kick over b h whose sum is sum 2 b sinh(2 a x) h B, which undoes it if
sum 2 b sinh(2 a x) = (1 - x / sinh x) / 2x: with three pairs up to x^5, so that the error is of order h^8 in the kick
and h^4 in its square (the corrector of order 7 of Wisdom, Holman & Touma 1996, in Rein & Tamayo 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.core.rotation import Array
from physics.schemes.composition import Stages, march_exactly
from physics.schemes.loop import March, start_with

MOTION = 7  # numbers of an attitude and an angular velocity
PROCESSED, EVALUATIONS, STATE_SIZE = 7, 8, 9  # the state: kernel's variables, whether they are, torques evaluated


@dataclass(frozen=True)
class Processed:
    """A kernel and its processor, from the kernel's variables to the motion's."""

    kernel: Stages
    processor: Stages


def of_pairs(kernel: Stages, turns: Sequence[float], kicks: Sequence[float]) -> Processed:
    """The processor of a and b (see above), one pair after another, and once more in the opposite order."""
    pairs = list(zip(turns, kicks, strict=True))
    a, b = [0.0], [0.0]
    for turn, kick in [*pairs, *((-turn, -kick) for turn, kick in pairs[::-1])]:
        a[-1] += turn
        a += [-2.0 * turn, turn]
        b += [0.5 * kick, -0.5 * kick]
    kicks_of_all = np.array([*b, 0.0])
    return Processed(kernel, Stages(kicks_of_all, np.array(a), np.zeros(len(kicks_of_all))))


def inverse(stages: Stages) -> Stages:
    """The stages that undo others without a gradient."""
    return Stages(-stages.kicks[::-1], -stages.turns[::-1], stages.gradients)


def start(J: Array, q: Array, w: Array) -> Array:
    """The state (STATE_SIZE,) of an attitude (4,) and an angular velocity (3,) of the motion."""
    return np.concatenate([start_with(J, q, w), np.zeros(STATE_SIZE - MOTION)])


def torques(state: Array) -> int:
    """Number of torques evaluated since the start, those of the processor too."""
    return int(state[EVALUATIONS])


def march_processed(method: Processed) -> March:
    """The loop of a processed composition, see physics.schemes.loop; the processor acts once for each stored row."""
    kernel, after, before = (march_exactly(s) for s in (method.kernel, method.processor, inverse(method.processor)))
    each, extra = method.kernel.torques, method.processor.torques

    def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        inner, row = state[:MOTION], np.empty((1, MOTION))
        if not state[PROCESSED]:
            good, residual = before(J, field, h, 1, inner, row)
            if not good:
                return 0, residual
            state[PROCESSED], state[EVALUATIONS] = 1.0, extra
        for i in range(len(out)):
            good, residual = kernel(J, field, h, every, inner, row)
            if good:
                good, residual = after(J, field, h, 1, inner.copy(), out[i : i + 1])
            if not good:
                return i, residual
            state[EVALUATIONS] += each * every + extra
        return len(out), 0.0

    return march


MODIFIED_KICK = Stages(np.array([0.0, 1.0, 0.0]), np.full(2, 0.5), np.array([0.0, 1.0 / 24.0, 0.0]))
PROCESSED_84 = of_pairs(
    MODIFIED_KICK,
    (0.41833001326703777399, 0.83666002653407554798, 1.2549900398011133220),
    (0.10792879818625499744, -0.036541846493404262957, 0.0049853622853844211558),
)
