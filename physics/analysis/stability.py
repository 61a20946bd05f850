"""Stability of steady rotation: eigenvalues of the motion and of the explicit scheme, and Lyapunov levels.

A level set of V of Leine et al. (2021), (35) and (36), (38), bounds how far the motion goes from a steady rotation. V
is a sum of squares in d and α. Without the squares of the components along the axis of rotation it is smaller, and
quadratic: so {V <= v} lies within an ellipse of d and within one of α, across that axis. With J one of the two other
moments and k = |J (C - J)| the least of (J α - C Ω d)² + k α² is

    over α:  (C Ω d)² k / (J² + k)      over d:  k α²

for any size of d and α.
"""

from __future__ import annotations

import cmath
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from physics.analysis.invariants import lyapunov
from physics.core.rotation import Array, conjugate, multiply


@dataclass(frozen=True)
class SteadyRotation:
    """The steady rotation next to the start of a motion, in principal axes.

    axis : number (0, 1, 2) of the principal axis; rate : Ω [rad/s] about it, with its sign
    moments : (3,) [kg m²]; value : V at the start [kg² m⁴/s²]
    """

    axis: int
    rate: float
    moments: Array
    value: float

    @property
    def across(self) -> tuple[int, int]:
        """The numbers of the two other axes, in right-handed order."""
        return (self.axis + 1) % 3, (self.axis + 2) % 3

    def bounds(self) -> tuple[Array, Array]:
        """Half axes of the ellipses, across the axis, that d (2,) and α (2,) [rad/s] cannot leave."""
        J, C = self.moments[list(self.across)], self.moments[self.axis]
        k = np.abs(J * (C - J))
        root = np.sqrt(self.value)
        return np.asarray(root / abs(C * self.rate) * np.sqrt((J**2 + k) / k)), np.asarray(root / np.sqrt(k))


def steady(inertia: ArrayLike, angular_velocity: ArrayLike) -> SteadyRotation | None:
    """The steady rotation next to an angular velocity (3,) [rad/s] in principal axes, d = 0 there.

    None about the intermediate axis, which no level set bounds, where moments are equal, and for a body at rest.
    """
    J, w = np.asarray(inertia, float), np.asarray(angular_velocity, float)
    axis = int(np.argmax(np.abs(J * w)))
    others = np.delete(J, axis)
    apart = 1e-9 * J.max()
    if not (np.all(J[axis] - others > apart) or np.all(others - J[axis] > apart)) or w[axis] == 0.0:
        return None
    value = float(lyapunov(J, np.array([[1.0, 0.0, 0.0, 0.0]]), w[None], w[axis], axis)[0])
    return SteadyRotation(axis, float(w[axis]), J, value)


def since(start: ArrayLike, orientation: ArrayLike) -> Array:
    """Attitudes (n, 4) in the frame in which the body stood at the start (4,): what d of (20) is measured in."""
    return multiply(conjugate(start), orientation)


SLIGHTEST = 1e-100  # [rad] turned in a step, of either sign: bounds it, and its inverse, so that squares stay finite


@dataclass(frozen=True)
class StepAdvice:
    """Consequences of a step [s] for a motion that begins at a rate.

    steps : in a revolution; axis : number of the principal axis nearest to the angular velocity
    growth : the factor by which a turn [1] lets perturbations of that rotation grow under the explicit scheme,
        from (59); 1 and below: they stay small
    true_growth : the same of the motion itself, from (44)
    """

    steps: float
    axis: int
    growth: float
    true_growth: float


def advice(inertia: ArrayLike, angular_velocity: ArrayLike, step: float) -> StepAdvice | None:
    """Step advice for moments (3,) [kg m²] and ω (3,) [rad/s] in principal axes; None for a body at rest."""
    w = np.asarray(angular_velocity, float)
    rate = float(np.linalg.norm(w))
    if rate == 0.0:
        return None
    axis, steps = int(np.argmax(np.abs(w))), 2.0 * np.pi / rate / step
    factor = max(abs(number) for number in explicit_factors(inertia, rate, step, axis))
    real = growth_rate(inertia, rate, axis).real
    with np.errstate(over="ignore"):
        return StepAdvice(
            float(steps), axis, float(np.float64(factor) ** steps), float(np.exp(2.0 * np.pi * real / rate))
        )


def growth_rate(inertia: ArrayLike, rate: float, axis: int = 2) -> complex:
    """λ2 of (44) [1/s]: real and positive about the intermediate axis, imaginary about the others.

    inertia (3,) [kg m²]; rate Ω [rad/s] of the steady rotation about principal axis number ``axis``.
    """
    A, B, C = np.roll(np.asarray(inertia, float), 2 - axis)
    return abs(rate) * cmath.sqrt((A - C) / A * ((C - B) / B))


def explicit_factors(inertia: ArrayLike, rate: float, step: float, axis: int = 2) -> tuple[complex, complex]:
    """λ1, λ2 of (59), (60): what a step [s] of the explicit scheme multiplies small perturbations with.

    They do not depend on the signs of step and rate [rad/s], which enter squared: det Θ^ = ABC + Δt²/4 Ω² C (A + B)²
    (the printed determinant lacks Ω²).
    """
    A, B, C = np.roll(np.asarray(inertia, float) / np.max(inertia), 2 - axis)  # only their ratios count
    square = min(max(abs(step * rate), SLIGHTEST), 1.0 / SLIGHTEST) ** 2
    determinant = A * B * C + square / 4.0 * C * (A + B) ** 2
    d = square / (2.0 * determinant) * C * (A + B) * (A + B - 2.0 * C)
    e = square / determinant * C * (A - C) * (C - B)
    root = cmath.sqrt(d * d + 4.0 * e)
    return 1.0 - d / 2.0 + root / 2.0, 1.0 - d / 2.0 - root / 2.0
