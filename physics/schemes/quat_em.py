"""QUAT.EM: the quaternion energy-momentum scheme of Betsch & Siebert (2009), (51).

With p = 2 q o (0, J w), q' = q o x and W = (w + w')/2, (51)_1 reads x - 1 = (1 + x) o (0, h W/4), hence

    x = (1, c) o (1, c) / (1 + |c|²),     c = h W/4,

of length 1 whatever W: neither the constraint nor the rotation vector (54) is needed. Multiplied from the left by the
conjugate of q_{n+1/2}, a multiple of q o (1, c), the vector part of (51)_2 is free of the multiplier, as by the null
space G in (53); it is (B) of physics.schemes.mean_axis. Three equations for W replace the seven of (52)_1 and (53), and
have the same solution.

The gradient of the potential at the midpoint of the two quaternions keeps the energy when V is quadratic in q: a top.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector
from physics.schemes.mean_axis import turn


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²]: attitude, velocity [rad/s], residual."""
    return turn(J, field, h, q, w, False)
