"""LGVI: the Lie group variational integrator of Lee, Leok & McClamroch (2007), for a body under torque.

Half a kick, a step of the discrete Moser-Veselov equation, half a kick. Without torque it is moser-veselov.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector
from physics.schemes import moser_veselov
from physics.schemes.kicks import kicked_for


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²]: attitude, angular velocity [rad/s], residual."""
    q, w, residual = moser_veselov.step(J, field, h, q, kicked_for(J, field, 0.5 * h, q, w))
    return q, kicked_for(J, field, 0.5 * h, q, w), residual
