"""Rotating worlds: those in which nothing but the rotation of a body is integrated, free or attached to a point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from physics.core.potential import potential
from physics.core.rotation import Array, multiply
from physics.core.trajectory import Block
from physics.measured.motion import MeasuredMotion
from physics.systems.free.scenario import FreeScenario
from physics.systems.world import World


@dataclass(frozen=True, kw_only=True)
class RotatingWorld(World):
    """A body whose rotation is integrated; the motion of its centre of mass follows.

    Attributes
    ----------
    field : (12,) potential and damping that act on the rotation, see physics.core.potential
    """

    field: Array


@dataclass(frozen=True, kw_only=True)
class FreeWorld(RotatingWorld):
    """A body that nothing turns; its centre of mass flies on a parabola. Its field is zero.

    Attributes
    ----------
    measured : what a sensor on the body has recorded, by lane
    """

    scenario: FreeScenario
    measured: Mapping[str, MeasuredMotion] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AttachedWorld(RotatingWorld):
    """A body that only turns, about a point that stays at the origin: it has an arm."""

    arm: Array = field()

    @property
    def lossless(self) -> bool:
        """True if nothing damps the motion."""
        return not self.field[6:9].any()

    @property
    def least_potential_energy(self) -> float:
        """[J], of a top that hangs, or of a vessel that floats upright."""
        a, K = self.field[:3], np.diag(self.field[3:6])
        K[[0, 0, 1], [1, 2, 2]] = K[[1, 2, 2], [0, 0, 1]] = self.field[9:]
        return 0.5 * float(np.linalg.eigvalsh(K)[0]) - float(np.linalg.norm(a))

    def kinetic_energy(self, block: Block, spin: Array) -> Array:
        """All of it is about the fixed point, and so are moments and spin, (n,) [J]."""
        return np.asarray(0.5 * np.sum(block.angular_velocity * spin, axis=1))

    def potential_energy(self, block: Block) -> Array:
        """That of the field, (n,) [J]."""
        return potential(self.field, multiply(block.orientation, self.body.axes))
