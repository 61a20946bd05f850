"""ALGO.C1 of Simo & Wong (1991) with β/γ = 1/2, as compared by Betsch & Siebert (2009).

Θ = h/2 (W_n + W_{n+1}), Λ_{n+1} = Λ_n exp(Θ), and the balance of momentum in space with the torque at the middle,

    Λ_{n+1} J W_{n+1} = Λ_n J W_n + h m(Λ_n exp(Θ/2)).

In the attitude Λ_n exp(Θ/2) this is (B) of physics.schemes.mean_axis with |c| = tan(|Θ|/4).
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector
from physics.schemes.mean_axis import turn


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²]: attitude, velocity [rad/s], residual."""
    return turn(J, field, h, q, w, True)
