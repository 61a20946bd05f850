"""Lyapunov levels: how far a level set of the Lyapunov function lets the motion go from a steady rotation.

V of Leine et al. (2021), (35) and (36), (38), is a sum of squares in d and α. Without the squares of the components
along the axis of rotation it is smaller, and quadratic: so {V <= v} lies within an ellipse of d and within one of α,
across that axis. With J one of the two other moments and k = |J (C - J)| the least of (J α - C Ω d)² + k α² is

    over α:  (C Ω d)² k / (J² + k)      over d:  k α²

This is what the theorems say, with numbers; it holds for any size of d and α, not for small ones only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from physics.analysis.invariants import lyapunov
from physics.core.rotation import Array, conjugate, multiply


@dataclass(frozen=True)
class SteadyRotation:
    """The steady rotation next to the start of a motion, in principal axes.

    axis : number (0, 1, 2) of the principal axis; rate : Ω [rad/s] about it, with its sign
    moments : (3,) [kg m²]; value : V at the start [kg² m⁴/s²]
    """

    axis: int
    rate: float
    moments: Array
    value: float

    @property
    def across(self) -> tuple[int, int]:
        """The numbers of the two other axes, in right-handed order."""
        return (self.axis + 1) % 3, (self.axis + 2) % 3

    def bounds(self) -> tuple[Array, Array]:
        """Half axes of the ellipses, across the axis, that d (2,) and α (2,) [rad/s] cannot leave."""
        J, C = self.moments[list(self.across)], self.moments[self.axis]
        k = np.abs(J * (C - J))
        root = np.sqrt(self.value)
        return np.asarray(root / abs(C * self.rate) * np.sqrt((J**2 + k) / k)), np.asarray(root / np.sqrt(k))


def steady(inertia: ArrayLike, angular_velocity: ArrayLike) -> SteadyRotation | None:
    """The steady rotation next to an angular velocity (3,) [rad/s] in principal axes, d = 0 there.

    None about the intermediate axis, which no level set bounds, where moments are equal, and for a body at rest.
    """
    J, w = np.asarray(inertia, float), np.asarray(angular_velocity, float)
    axis = int(np.argmax(np.abs(J * w)))
    others = np.delete(J, axis)
    apart = 1e-9 * J.max()
    if not (np.all(J[axis] - others > apart) or np.all(others - J[axis] > apart)) or w[axis] == 0.0:
        return None
    value = float(lyapunov(J, np.array([[1.0, 0.0, 0.0, 0.0]]), w[None], w[axis], axis)[0])
    return SteadyRotation(axis, float(w[axis]), J, value)


def since(start: ArrayLike, orientation: ArrayLike) -> Array:
    """Attitudes (n, 4) in the frame in which the body stood at the start (4,): what d of (20) is measured in."""
    return multiply(conjugate(start), orientation)
