"""Linear stability of steady rotation: of the motion itself and of the explicit scheme."""

from __future__ import annotations

import cmath

import numpy as np
from numpy.typing import ArrayLike


def growth_rate(inertia: ArrayLike, rate: float, axis: int = 2) -> complex:
    """λ2 of (44) [1/s]: real and positive about the intermediate axis, imaginary about the others.

    inertia (3,) [kg m²]; rate Ω [rad/s] of the steady rotation about principal axis number ``axis``.
    """
    A, B, C = np.roll(np.asarray(inertia, float), 2 - axis)
    return cmath.sqrt(rate**2 / (A * B) * (A - C) * (C - B))


def explicit_factors(inertia: ArrayLike, rate: float, step: float, axis: int = 2) -> tuple[complex, complex]:
    """λ1, λ2 of (59), (60): what a step [s] of the explicit scheme multiplies small perturbations with.

    With det Θ^ = ABC + Δt²/4 Ω² C (A + B)² (the printed determinant lacks Ω²).
    """
    A, B, C = np.roll(np.asarray(inertia, float), 2 - axis)
    square = (step * rate) ** 2
    determinant = A * B * C + square / 4.0 * C * (A + B) ** 2
    d = square / (2.0 * determinant) * C * (A + B) * (A + B - 2.0 * C)
    e = square / determinant * C * (A - C) * (C - B)
    root = cmath.sqrt(d * d + 4.0 * e)
    return 1.0 - d / 2.0 + root / 2.0, 1.0 - d / 2.0 - root / 2.0
