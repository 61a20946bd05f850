"""Layers on the ground that slow a rock: forest.

Drags of translation act at the centre of mass, against its velocity: m dv/dt = -m ν v. A step takes ν as it finds it
and the mean of the velocities before and after (θ = 1/2), so that the work of a drag is -m ν h |mean velocity|², never
positive. A forest may slow the rotation as well, Θ dω/dt = -C ω with C symmetric and positive
semidefinite in the body's axes, which are principal axes of Θ.
"""

from __future__ import annotations

from physics.contact.vertices import answer, times
from physics.core.jit import formula
from physics.core.rotation import Symmetric, Vector, dot


@formula
def slowed(
    J: Vector, half: float, C: Symmetric, g: Vector, w: Vector, w_free: Vector, w_work: Vector, touched: bool
) -> tuple[Symmetric, Vector]:
    """Θ + D, and the angular velocity [rad/s] before percussions, under rotational drag (Leine et al. 2021, (78)).

    half: half of the step h [s]; D = h/2 C [kg m²].

    (82) and (85) without P are one equation, (Θ + D + hat(g)) w' = (Θ + hat(g)) w_free - D w, for every scheme of
    physics.contact.moreau; the matrix on the left is also what answers percussions.
    (85) takes the torque at (w + w')/2 but changes the energy by way of (w_free + w')/2: the product can be positive
    where a component of w passes zero. There, and where percussions are to come, w_work stands in for w: the work is
    then -1/2 (w_work + w').D (w_work + w'), never positive.
    """
    D = (half * C[0], half * C[1], half * C[2], half * C[3], half * C[4], half * C[5])
    S = (J[0] + D[0], J[1] + D[1], J[2] + D[2], D[3], D[4], D[5])
    if not touched:
        found = _after(S, g, D, w, w_free)
        mean = times(D, (w[0] + found[0], w[1] + found[1], w[2] + found[2]))
        if dot(mean, (w_work[0] + found[0], w_work[1] + found[1], w_work[2] + found[2])) >= 0.0:
            return S, found
    return S, _after(S, g, D, w_work, w_free)


@formula
def _after(S: Symmetric, g: Vector, D: Symmetric, w: Vector, w_free: Vector) -> Vector:
    change = answer(S, g, times(D, (w_free[0] + w[0], w_free[1] + w[1], w_free[2] + w[2])))
    return (w_free[0] - change[0], w_free[1] - change[1], w_free[2] - change[2])
