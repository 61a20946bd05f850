"""A one-step scheme of the free body inside Moreau's time stepping, see physics.contact.moreau.

As in Leine et al. (2021), (84)-(87): first the free step, whose angular velocity then takes the percussions with the
matrix Θ alone; the attitude follows the free motion, because contact changes the spin within the step. Every scheme
whose angular velocity keeps the kinetic energy, or loses some, fits.
"""

from __future__ import annotations

from typing import Any

from physics.core.jit import formula
from physics.core.potential import FREE
from physics.core.rotation import Array, Quaternion, Vector, product, renormalised
from physics.schemes.scheme import Rotation

NOTHING = tuple(FREE.tolist())


def between_contacts(step: Any) -> Rotation:
    """The two formulas for ``step(J, field, h, q, w) -> (q, w, residual)``."""

    @formula
    def free_velocity(
        J: Vector, h: float, q: Quaternion, w: Vector, memory: Array
    ) -> tuple[Vector, Quaternion, Vector, Vector, float]:
        turn, free, residual = step(J, NOTHING, h, (1.0, 0.0, 0.0, 0.0), w)
        return free, turn, free, (0.0, 0.0, 0.0), residual

    return Rotation(free_velocity, contact_attitude)


@formula
def contact_attitude(
    J: Vector, h: float, q: Quaternion, w: Vector, turn: Quaternion, w_free: Vector, w_next: Vector
) -> Quaternion:
    """The attitude after the turn of the free step."""
    return renormalised(product(q, turn))
