"""Kicks: what torque and damping do to a body that is held still (Gustafsson 2010, (45))."""

from __future__ import annotations

import math
from typing import Any

from physics.core.jit import formula
from physics.core.potential import torque, vertical
from physics.core.rotation import Field, Quaternion, Vector


@formula
def damping(J: float, D: float, t: float) -> tuple[float, float]:
    """exp(-t D/J) and (1 - exp(-t D/J)) / D, whose limit for D = 0 is t / J: the two functions in (45), for w = m/J."""
    x = -t * D / J
    return math.exp(x), (math.expm1(x) / x if x != 0.0 else 1.0) * t / J


@formula
def kicked(decay: Vector, gain: Vector, n: Vector, w: Vector) -> Vector:
    """Angular velocity after a kick by a torque n [N m]; decay and gain: the functions of ``damping`` for each axis."""
    return (decay[0] * w[0] + gain[0] * n[0], decay[1] * w[1] + gain[1] * n[1], decay[2] * w[2] + gain[2] * n[2])


@formula
def kicked_for(J: Vector, field: Field, t: float, q: Quaternion, w: Vector) -> Vector:
    """Angular velocity after a kick over t [s], for a step that does not keep the two functions of ``damping``."""
    n = torque(field, vertical(q))
    if field[6] == 0.0 and field[7] == 0.0 and field[8] == 0.0:
        return (w[0] + t * n[0] / J[0], w[1] + t * n[1] / J[1], w[2] + t * n[2] / J[2])
    decay1, gain1 = damping(J[0], field[6], t)
    decay2, gain2 = damping(J[1], field[7], t)
    decay3, gain3 = damping(J[2], field[8], t)
    return kicked((decay1, decay2, decay3), (gain1, gain2, gain3), n, w)


def between_kicks(free: Any) -> Any:
    """The step of half a kick, a free step ``free(J, field, h, q, w) -> (q, w, residual)``, and half a kick."""

    @formula
    def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
        """One step of length h [s] for the principal moments J [kg m²]: attitude, velocity [rad/s], residual."""
        q, w, residual = free(J, field, h, q, kicked_for(J, field, 0.5 * h, q, w))
        return q, kicked_for(J, field, 0.5 * h, q, w), residual

    return step
