"""Order of convergence that the errors of a scheme show, of attitude and of velocity."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from physics.core.rotation import Array
from physics.core.wording import N_
from physics.schemes.scheme import Scheme

# numbers of steps
_COUNTS = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, *(1024 * 2**k for k in range(7)))
_USUAL = 8192  # steps that are enough for all but the worst, which take up to 65 536
_EXACT = 1e-11  # share of the coarsest step that was solved: no method with an error of truncation is so near there
_ROUNDING = 1e-14  # a step: errors below it are rounding
_LARGEST = 0.3  # errors above it show no order
_NEAR = 0.15  # distance from an integer within which an order is that integer


@dataclass(frozen=True)
class Order:
    """Order shown by the errors of attitude, or of velocity.

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
        """Order in words, for people and for JSON."""
        return str(self.number) if self.outcome == "order" else N_(self.outcome)


def orders_of(scheme: Scheme, march: Callable[[int], Array], truth: Array, speed: float) -> tuple[Order, Order]:
    """The orders of attitude and of velocity of a scheme.

    An error is the largest one at four times: the distance of quaternions, or of velocities over the first speed.

    march : states (n, 7) at the four times by a number of steps, fewer where one has no solution; truth : (4, 7)
    """
    if scheme.adaptive:
        return Order("to tolerance"), Order("to tolerance")
    errors = np.full((2, len(_COUNTS)), math.nan)
    for column, count in enumerate(_COUNTS):
        found = march(count)
        if len(found) == 4:
            errors[:, column] = distance(found, truth, speed)
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


def distance(found: Array, truth: Array, speed: float) -> tuple[float, float]:
    """The largest errors of attitude and velocity of states (n, 7)."""
    q = found[:, :4] / np.linalg.norm(found[:, :4], axis=1, keepdims=True)
    turned = np.minimum(np.linalg.norm(q - truth[:, :4], axis=1), np.linalg.norm(q + truth[:, :4], axis=1))
    return float(turned.max()), float(np.linalg.norm(found[:, 4:] - truth[:, 4:], axis=1).max() / speed)
