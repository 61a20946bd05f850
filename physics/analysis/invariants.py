"""Invariants and Lyapunov functions of the free body, the distance from a steady rotation, and polhodes.

Steady rotation of reference: w* = Ω e* about principal axis number ``axis`` (0, 1, 2), which at the start coincides
with that axis of the inertial frame, as in Leine et al. (2021), section 2.3.

Polhodes are the curves that angular velocity and spin draw in the body. In the principal axes the spin L stays on the
sphere |L| = const and on the ellipsoid L.J^-1 L = 2T (Poinsot 1834; Leine et al. 2021, section 1): where both meet is a
closed curve about the axis of the largest or of the smallest moment. The curve through the intermediate axis, the
separatrix, divides the two families.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from physics.core.rotation import Array, apply, conjugate
from physics.core.trajectory import Trajectory

POINTS = 721  # points of a curve: enough for the corners near the separatrix


def directions(inertia: ArrayLike, ratio: float) -> Array:
    """The unit spins of one polhode in principal axes, both branches, (2, POINTS, 3).

    inertia : (3,) principal moments [kg m²], in any order
    ratio : 2T/|L|² [1/(kg m²)]; held between 1/J of the largest and of the smallest moment
    """
    slow = 1.0 / np.asarray(inertia, float)  # ratio of the steady rotation about each axis
    low, middle, high = np.argsort(slow, kind="stable")
    ratio = float(np.clip(ratio, slow[low], slow[high]))
    pole = low if ratio < slow[middle] else high
    i, j = (pole + 1) % 3, (pole + 2) % 3
    away = abs(ratio - slow[pole])
    turn = np.linspace(0.0, 2.0 * np.pi, POINTS)
    spins = np.zeros((2, POINTS, 3))
    for axis, wave in ((i, np.cos(turn)), (j, np.sin(turn))):
        apart = abs(slow[axis] - slow[pole])
        spins[..., axis] = np.sqrt(away / apart) * wave if apart > 0.0 else 0.0
    rest = np.sqrt(np.maximum(1.0 - spins[0, :, i] ** 2 - spins[0, :, j] ** 2, 0.0))
    spins[0, :, pole], spins[1, :, pole] = rest, -rest
    return spins


def polhode_rates(inertia: ArrayLike, energy: float, spin: float) -> Array:
    """The angular velocities of one polhode in principal axes, both branches, (2, POINTS, 3) [rad/s].

    inertia : (3,) principal moments [kg m²]; energy : kinetic, of the rotation [J]; spin : its magnitude [kg m²/s]
    """
    return np.asarray(spin * directions(inertia, 2.0 * energy / spin**2) / np.asarray(inertia, float))


def separatrix(inertia: ArrayLike) -> Array | None:
    """The unit spins of the separatrix, two closed curves (2, POINTS, 3); None where two moments are equal."""
    J = np.asarray(inertia, float)
    least, middle, most = (int(k) for k in np.argsort(J, kind="stable"))
    if J[middle] - J[least] <= 1e-9 * J[most] or J[most] - J[middle] <= 1e-9 * J[most]:
        return None
    turn = np.linspace(0.0, 2.0 * np.pi, POINTS)
    # the planes in which (1/J1 - 1/J2) L1² = (1/J2 - 1/J3) L3²
    aside = np.sqrt([1.0 / J[middle] - 1.0 / J[most], 1.0 / J[least] - 1.0 / J[middle]])
    aside /= np.linalg.norm(aside)
    curves = np.zeros((2, POINTS, 3))
    for curve, sign in zip(curves, (1.0, -1.0), strict=True):
        curve[:, middle] = np.cos(turn)
        curve[:, least], curve[:, most] = aside[0] * np.sin(turn), sign * aside[1] * np.sin(turn)
    return curves


def family(inertia: ArrayLike, each: int = 4) -> list[Array]:
    """Polhodes spread over the sphere, ``each`` about the major and about the minor axis, each (2, POINTS, 3)."""
    J = np.asarray(inertia, float)
    low, middle, high = np.sort(1.0 / J)
    curves = []
    for pole in (low, high):
        if abs(middle - pole) > 1e-9 * high:
            # even distances along the great circle from the pole to the intermediate axis
            tilt = 0.5 * np.pi * np.arange(1, each + 1) / (each + 1)
            curves += [directions(J, pole + (middle - pole) * np.sin(t) ** 2) for t in tilt]
    return curves


def energy_error(run: Trajectory) -> Array:
    """Change of the total energy since the origin of each row, over that origin's scale of energy, (n,).

    NaN where that is 0, as of the other errors: what comes from nothing is no share of it.
    """
    return _share(run.total_energy - run.since("energy"), run.since("energy_scale"))


def spin_error(run: Trajectory) -> Array:
    """Distance of the spin vector in space from that at the origin of each row, over its scale of spin, (n,)."""
    return _share(np.linalg.norm(run.spin - run.since("spin"), axis=1), run.since("spin_scale"))


def vertical_spin_error(run: Trajectory) -> Array:
    """Change of the vertical spin since the origin of each row, over its scale of spin, (n,)."""
    return _share((run.spin - run.since("spin"))[:, 2], run.since("spin_scale"))


def constraint_multiplier(run: Trajectory) -> Array:
    """Multiplier λ of the constraint |q|² = 1 of a heavy top, (n,) [J].

    λ = -q.∇V(q) of Betsch & Siebert (2009), remark 4.2, where V = m g l.R(q)ᵀ e_z is quadratic in q: -2 V. Their scheme
    has it at the middle of each step (remark 4.3), and eliminates it by (53).
    """
    return -2.0 * run.potential_energy


def _share(change: Array, scale: Array) -> Array:
    """Changes (n,) over scales (n,), NaN where these are 0."""
    return np.asarray(np.divide(change, scale, out=np.full(len(change), np.nan), where=scale > 0.0))


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
