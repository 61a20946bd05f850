"""Invariants and Lyapunov functions of the free body, and the distance from a steady rotation.

Steady rotation of reference: w* = Ω e* about principal axis number ``axis`` (0, 1, 2), which at the start coincides
with that axis of the inertial frame, as in Leine et al. (2021), section 2.3.
"""

from __future__ import annotations

import numpy as np

from physics.core.rotation import Array, apply, conjugate
from physics.core.trajectory import Trajectory


def energy_error(run: Trajectory) -> Array:
    """Change of the total energy since the origin of each row, over that origin's scale of energy, (n,)."""
    return np.asarray((run.total_energy - run.since("energy")) / run.since("energy_scale"))


def spin_error(run: Trajectory) -> Array:
    """Distance of the spin vector in space from that at the origin of each row, over its scale of spin, (n,)."""
    return np.asarray(np.linalg.norm(run.spin - run.since("spin"), axis=1) / run.since("spin_scale"))


def vertical_spin_error(run: Trajectory) -> Array:
    """Change of the vertical spin since the origin of each row, over its scale of spin, (n,)."""
    return np.asarray((run.spin - run.since("spin"))[:, 2] / run.since("spin_scale"))


def unit_error(run: Trajectory) -> Array:
    """Deviation of the quaternion's length from 1, (n,)."""
    return np.asarray(np.linalg.norm(run.orientation, axis=1) - 1.0)


def axis_difference(orientation: Array, axis: int = 2) -> Array:
    """d = A_KI e* - e* (20): where the axis of the steady rotation has gone in the body, (n, 3)."""
    e = np.eye(3)[axis]
    return np.asarray(apply(conjugate(orientation), e) - e)


def rate_difference(angular_velocity: Array, rate: float, axis: int = 2) -> Array:
    """α = w - w* (24), (n, 3) [rad/s]; ``rate`` is Ω [rad/s]."""
    return np.asarray(angular_velocity - rate * np.eye(3)[axis])


def lyapunov(inertia: Array, orientation: Array, angular_velocity: Array, rate: float, axis: int = 2) -> Array:
    """V of (35) for the major axis and (36), (38) for the minor axis, (n,) [kg² m⁴/s²]; constant on the exact motion.

    Positive definite near d = α = 0 when the moment about ``axis`` is strictly the largest or the smallest (the paper's
    theorems allow equality, where V does not bound α).
    """
    J = np.asarray(inertia, float)
    d, alpha = axis_difference(orientation, axis), rate_difference(angular_velocity, rate, axis)
    C = J[axis]
    spin_part = np.sum((J * alpha - C * rate * d) ** 2, axis=-1)  # (32), (37)
    sign = 1.0 if J.max() <= C else -1.0
    # w.Θw - w*.Θw* written in α, so that small differences keep their digits
    energy_part = np.sum(J * alpha**2, axis=-1) + 2.0 * C * rate * alpha[..., axis]
    shape_part = sign * np.sum(J * (C - J) * alpha**2, axis=-1)  # (34), (38)
    return np.asarray(spin_part + shape_part + energy_part**2 / rate**2)
