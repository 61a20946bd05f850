"""Linear stability of steady rotation: of the motion itself and of the explicit scheme."""

from __future__ import annotations

import cmath
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

SLIGHTEST = 1e-100  # [rad] turned in a step, of either sign: bounds it, and its inverse, so that squares stay finite


@dataclass(frozen=True)
class Advice:
    """What a step [s] means for a motion that begins at a rate.

    steps : in a revolution; axis : number of the principal axis nearest to the angular velocity
    growth : the factor by which a turn [1] lets perturbations of that rotation grow under the explicit scheme,
        from (59); 1 and below: they stay small
    true_growth : the same of the motion itself, from (44)
    """

    steps: float
    axis: int
    growth: float
    true_growth: float


def advice(inertia: ArrayLike, angular_velocity: ArrayLike, step: float) -> Advice | None:
    """Step advice for moments (3,) [kg m²] and ω (3,) [rad/s] in principal axes; None for a body at rest."""
    w = np.asarray(angular_velocity, float)
    rate = float(np.linalg.norm(w))
    if rate == 0.0:
        return None
    axis, steps = int(np.argmax(np.abs(w))), 2.0 * np.pi / rate / step
    factor = max(abs(number) for number in explicit_factors(inertia, rate, step, axis))
    real = growth_rate(inertia, rate, axis).real
    with np.errstate(over="ignore"):
        return Advice(float(steps), axis, float(np.float64(factor) ** steps), float(np.exp(2.0 * np.pi * real / rate)))


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
