"""The order of convergence that a scheme shows on one motion: errors at ever smaller steps against the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from physics.analysis.trial_motions import SWIFT, TOP, TrialMotion
from physics.core.rotation import Array
from physics.schemes import SCHEMES
from physics.schemes.scheme import Scheme

_COUNTS = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, *(1024 * 2**k for k in range(7)))  # of steps
_USUAL = 8192  # so many are enough for all but the worst: those are asked for up to 65 536
_SPANS = {id(SWIFT): 2.0, id(TOP): 1.0}  # [s] of the comparison: 1 and 3 turns
_EXACT = 1e-11  # of the coarsest step that was solved: no method with an error of truncation is so near there
_ROUNDING = 1e-14  # a step: errors below it tell nothing
_LARGEST = 0.3  # errors above it tell nothing
_NEAR = 0.15  # of an integer


@dataclass(frozen=True)
class Order:
    """What the errors of attitude, or of velocity, show.

    outcome : ``order``; ``exact``: rounding alone at every step; ``unclear``: no slope near an integer;
        ``to tolerance``: the scheme chooses its own steps
    slope : of the smallest two steps, one half of the other, whose errors are above rounding; None: there are none
    """

    outcome: Literal["order", "exact", "unclear", "to tolerance"]
    slope: float | None = None

    @property
    def number(self) -> int | None:
        """The order; 0: the errors do not fall."""
        return round(self.slope) if self.outcome == "order" and self.slope is not None else None

    @property
    def words(self) -> str:
        """For people and for JSON."""
        return str(self.number) if self.outcome == "order" else self.outcome


def observed_orders(scheme: Scheme, motion: TrialMotion) -> tuple[Order, Order]:
    """The orders of attitude and of velocity, on SWIFT or TOP.

    An error is the largest one at four times: the distance of quaternions, or of velocities over the first speed.
    """
    if scheme.adaptive:
        return Order("to tolerance"), Order("to tolerance")
    truth, span = _truth(motion), _SPANS[id(motion)]
    errors = np.full((2, len(_COUNTS)), math.nan)
    for column, count in enumerate(_COUNTS):
        found = motion.march(scheme, span / count, count, count // 4)
        if len(found) == 4:
            errors[:, column] = _distance(found, truth, motion.speed)
        if count >= _USUAL and not errors[:, column - 1].max() >= _LARGEST:
            break
    return _seen(errors[0]), _seen(errors[1])


def _seen(errors: Array) -> Order:
    """The order that errors (n,) at _COUNTS show; NaN: not solved."""
    solved = errors[np.isfinite(errors)]
    if len(solved) and solved[0] <= _EXACT:
        return Order("exact")
    for one in reversed(range(len(_COUNTS))):
        if 2 * _COUNTS[one] not in _COUNTS:
            continue
        coarse, fine = errors[one], errors[_COUNTS.index(2 * _COUNTS[one])]
        if 0.0 < coarse < _LARGEST and fine > _ROUNDING * 2 * _COUNTS[one]:
            slope = math.log2(coarse / fine)
            near = abs(slope - round(slope)) <= _NEAR and round(slope) >= 0
            return Order("order" if near else "unclear", slope)
    slope = float(np.log2(errors[-2] / errors[-1]))
    return Order("order", slope) if abs(slope) <= _NEAR else Order("unclear")  # large errors that stay


def _distance(found: Array, truth: Array, speed: float) -> tuple[float, float]:
    """The largest errors of attitude and velocity of states (n, 7)."""
    q = found[:, :4] / np.linalg.norm(found[:, :4], axis=1, keepdims=True)
    turned = np.minimum(np.linalg.norm(q - truth[:, :4], axis=1), np.linalg.norm(q + truth[:, :4], axis=1))
    return float(turned.max()), float(np.linalg.norm(found[:, 4:] - truth[:, 4:], axis=1).max() / speed)


def _truth(motion: TrialMotion) -> Array:
    """The states (4, 7) after each quarter of the span."""
    return _top() if motion is TOP else SWIFT.march(SCHEMES["exact"], _SPANS[id(SWIFT)] / 4.0, 4)


@cache
def _top() -> Array:
    """By the composition that errs least on tops; with so many steps its last state is right to 2e-14."""
    return TOP.march(SCHEMES["rkn-6-14"], _SPANS[id(TOP)] / 2000.0, 2000, 500)
