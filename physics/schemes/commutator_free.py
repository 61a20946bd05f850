"""CF4: the commutator-free scheme of order 4 (Celledoni, Marthinsen & Owren 2003).

Stages as in the classical Runge-Kutta scheme, each turned by exponentials of weighted angular velocities; the fourth
stage goes on from the second, so that a step takes five exponentials. Momentum: physics.schemes.lie_group.
"""

from __future__ import annotations

from physics.core.jit import formula
from physics.core.potential import vertical
from physics.core.rotation import Field, Quaternion, Vector, added
from physics.schemes.lie_group import START, ended, stage, turned


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s] for the principal moments J [kg m²]: attitude, angular velocity [rad/s], residual 0."""
    u, L, k = vertical(q), (J[0] * w[0], J[1] * w[1], J[2] * w[2]), 0.5 * h
    w1, n1 = stage(J, field, u, START, L)
    second = turned(START, k, w1)
    w2, n2 = stage(J, field, u, second, added(L, k, n1))
    w3, n3 = stage(J, field, u, turned(START, k, w2), added(L, k, n2))
    on = (w3[0] - 0.5 * w1[0], w3[1] - 0.5 * w1[1], w3[2] - 0.5 * w1[2])
    w4, n4 = stage(J, field, u, turned(second, h, on), added(L, h, n3))
    both = (2.0 * (w2[0] + w3[0]), 2.0 * (w2[1] + w3[1]), 2.0 * (w2[2] + w3[2]))
    first = (3.0 * w1[0] + both[0] - w4[0], 3.0 * w1[1] + both[1] - w4[1], 3.0 * w1[2] + both[2] - w4[2])
    last = (3.0 * w4[0] + both[0] - w1[0], 3.0 * w4[1] + both[1] - w1[1], 3.0 * w4[2] + both[2] - w1[2])
    r = turned(turned(START, h / 12.0, first), h / 12.0, last)
    s = h / 6.0
    L = added(added(added(added(L, s, n1), 2.0 * s, n2), 2.0 * s, n3), s, n4)
    return ended(J, q, r, L)
