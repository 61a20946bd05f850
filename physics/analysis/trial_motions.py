"""The motions on which a report card tries a scheme, and how it marches along them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from physics.core.cancellation import check_wanted
from physics.core.potential import FREE, SIZE, potential
from physics.core.rotation import Array, apply
from physics.schemes.scheme import Scheme

_BLOCK = 2000  # steps between two questions whether anybody still waits


@dataclass(frozen=True)
class TrialMotion:
    """A body, what turns it, and its start.

    moments (3,) [kg m²], field (12,) as in physics.core.potential, attitude (4,) unit quaternion, velocity (3,) [rad/s]
    in the body.
    """

    moments: Array
    field: Array
    attitude: Array
    velocity: Array

    @property
    def speed(self) -> float:
        """Of the start [rad/s]."""
        return float(np.linalg.norm(self.velocity))

    def start(self, scheme: Scheme) -> Array:
        """The state of a scheme at the start."""
        return scheme.start(self.moments, self.attitude, self.velocity)

    def march(self, scheme: Scheme, h: float, steps: int, every: int = 1) -> Array:
        """Attitudes and velocities (steps // every, 7) after every so many steps of h [s].

        Fewer rows where a step has no solution, or leads to numbers that are not finite.
        """
        state, out = self.start(scheme), np.empty((steps // every, 7))
        size, done = max(1, _BLOCK // every), 0
        while done < len(out):
            check_wanted()
            block = out[done : done + size]
            good = onward(scheme, self, h, every, state, block)
            done += good
            if good < len(block):
                break
        return out[:done]

    def energy(self, states: Array) -> Array:
        """Kinetic and potential energy (n,) [J] of states (n, 7)."""
        kinetic = 0.5 * (self.moments * states[:, 4:] ** 2).sum(axis=1)
        return np.asarray(kinetic + potential(self.field, states[:, :4]))

    def spin(self, states: Array) -> Array:
        """The angular momentum in space (n, 3) [kg m²/s] of states (n, 7)."""
        return np.asarray(apply(states[:, :4], self.moments * states[:, 4:]))


def onward(scheme: Scheme, motion: TrialMotion, h: float, every: int, state: Array, out: Array) -> int:
    """March on into rows of ``out``; how many were reached. A function of a user's may also end in an overflow."""
    out[:] = np.nan
    try:
        rows, _ = scheme.march(motion.moments, motion.field, h, every, state, out)
    except ArithmeticError:
        rows = len(out)
    whole = np.isfinite(out[:rows]).all(axis=1)
    return rows if whole.all() else int(np.argmin(whole))


def _weight(torque: float) -> Array:
    """The field of a weight on the body's z axis; torque: m g l [N m]."""
    return np.array([0.0, 0.0, torque, *np.zeros(SIZE - 3)])


# what is kept, unit length, reach, cost
TUMBLING = TrialMotion(
    np.array([0.6, 0.8, 1.0]), FREE, np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.8, 0.4, -0.9]) / [0.6, 0.8, 1.0]
)
# order: moments farther apart, for on the body above orders 8 and 10 leave nothing but rounding
SWIFT = TrialMotion(np.array([0.45, 0.6, 1.0]), FREE, np.array([1.0, 0.0, 0.0, 0.0]), np.array([3.0, 2.0, 0.9]))
# one step: a start without any symmetry
_TURNED = np.array([0.5, 0.5, -0.5, 0.5])
TURNED = TrialMotion(SWIFT.moments, FREE, _TURNED, SWIFT.velocity)
HEAVY = TrialMotion(SWIFT.moments, _weight(1.3), _TURNED, SWIFT.velocity)

# the cone of Betsch & Siebert (2009), section 5.2: height 0.1 m, radius 0.05 m, 2700 kg/m³, about its tip
_MASS = 2700.0 * math.pi * 0.05**2 * 0.1 / 3.0
_ACROSS = _MASS * 0.6 * (0.05**2 / 4.0 + 0.1**2)
# so slow that it falls half over: the torque of a fast one leaves high orders nothing but rounding
TOP = TrialMotion(
    np.array([_ACROSS, _ACROSS, 0.3 * _MASS * 0.05**2]),
    _weight(_MASS * 9.81 * 0.075),
    np.array([math.cos(math.pi / 6.0), math.sin(math.pi / 6.0), 0.0, 0.0]),  # tilted by 60 degrees
    np.array([0.0, 0.0, 20.0]),
)
