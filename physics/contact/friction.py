"""The friction law between rock and ground: a coefficient that grows with slip in contact and falls back in flight.

μ(s) = μ_min + 2/π (μ_max - μ_min) atan(κ s), with the slip s gathered in contact at the speed of the centre of mass and
forgotten at the rate β in flight (Leine et al. 2014, (46), (47), (51)). Percussions obey Coulomb's law with this
coefficient, see physics.contact.percussions.
"""

from __future__ import annotations

import math

from physics.core.jit import formula


@formula
def coefficient(slip: float, mu_min: float, mu_max: float, kappa: float) -> float:
    """μ(s); slip [m], kappa [1/m]."""
    return mu_min + 2.0 / math.pi * (mu_max - mu_min) * math.atan(kappa * slip)


@formula
def slipped(slip: float, dt: float, speed: float, fading: float, rubs: bool) -> float:
    """Slip [m] after dt [s]: more where the rock rubs at a speed [m/s], else less, by the factor exp(-beta dt)."""
    return slip + dt * speed if rubs else slip * fading


@formula
def rebound(restitution: float, fading: float, before: float) -> float:
    """What the normal velocity is turned into [m/s], with its sign: less of it where an impact is fast.

    ε v / (1 + (v/K)²), fading = 1/K²; K = 9.144 m/s in Pfeiffer & Bowen (1989), 0 where restitution does not fade.
    """
    return restitution * before / (1.0 + fading * before * before)
