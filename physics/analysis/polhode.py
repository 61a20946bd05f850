"""Polhodes: the curves that angular velocity and spin of a free body draw in the body.

In the principal axes the spin L stays on the sphere |L| = const and on the ellipsoid L.J^-1 L = 2T (Poinsot 1834; Leine
et al. 2021, section 1): where both meet is a closed curve about the axis of the largest or of the smallest moment. The
curve through the intermediate axis, the separatrix, divides the two families.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from physics.core.rotation import Array

POINTS = 721  # of a curve: enough for the corners near the separatrix


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


def rates(inertia: ArrayLike, energy: float, spin: float) -> Array:
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
