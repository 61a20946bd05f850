"""Rotating worlds: those in which nothing but the rotation of a body is integrated, free or attached to a point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from physics.core.potential import potential
from physics.core.rotation import Array, multiply
from physics.core.trajectory import Block
from physics.measured.motion import MeasuredMotion
from physics.schemes.driven_body import DrivenBody, turning_potential
from physics.schemes.scheme import Scheme
from physics.systems.free.actions import Rotors, rotors_of
from physics.systems.free.scenario import FreeScenario
from physics.systems.world import World


@dataclass(frozen=True, kw_only=True)
class RotatingWorld(World):
    """A body whose rotation is integrated; the motion of its centre of mass follows.

    Attributes
    ----------
    field : (12,) potential and damping that act on the rotation, see physics.core.potential
    acting : the body as compiled code takes it with what acts, where tables of its scenario say so; else None
    """

    field: Array
    acting: DrivenBody | None = None

    @property
    def knots(self) -> Array:
        """The rows of its tables of torques, where there is more than one, and those of its rotors after the first."""
        if self.acting is None:
            return np.empty(0)
        times = self.acting.times
        return np.union1d(times if len(times) > 1 else times[:0], self.acting.rotor_times[1:])


@dataclass(frozen=True, kw_only=True)
class FreeWorld(RotatingWorld):
    """A body that nothing turns, or what its scenario says; its centre of mass flies on a parabola.

    All attributes of ``World``, and:

    Attributes
    ----------
    field : ndarray, (12,)
        Zero: potential and damping of an attached body.
    measured : mapping of str to MeasuredMotion
        What a sensor on the body has recorded, by lane.
    rotors : Rotors
        Rotors in the body.
    acting : DrivenBody or None
        The body as compiled code takes it with what acts; None if nothing does.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 1}, initial={"angular_velocity": [0, 0, 10]})
    >>> world = physics.FreeWorld.of(scenario)
    >>> world.keeps_spin, world.lossless, world.angular_velocity.tolist()
    (True, True, [0.0, 0.0, 10.0])
    """

    scenario: FreeScenario
    measured: Mapping[str, MeasuredMotion] = field(default_factory=dict)
    rotors: Rotors = field(default_factory=lambda: rotors_of((), np.zeros(3)))

    @property
    def driven(self) -> bool:
        """True if a torque, a motor or a planet may give energy."""
        return self.scenario.actions.driven

    @property
    def lossless(self) -> bool:
        """True if nothing gives or takes energy; a motor that holds a speed gives what ``potential_energy`` counts."""
        return not (self.driven or self.scenario.actions.damped)

    def highest_order(self, scheme: Scheme) -> int | None:
        """4 for a splitting under internal damping, whose turn is of that order; None for others."""
        return 4 if scheme.family == "splitting" and self.scenario.actions.damping.internal else None

    @property
    def keeps_spin(self) -> bool:
        """True if nothing outside turns the body, so that its angular momentum stays in space."""
        return not self.scenario.actions.external

    @property
    def shortest_period(self) -> float:
        """Shortest period of the gravity gradient [s]: half an orbit."""
        return math.inf if self.acting is None or not self.acting.rate else math.pi / self.acting.rate

    @property
    def lift(self) -> float:
        """Energy [J] that lifts the body by its radius, and what its spring has at the start."""
        if self.acting is None or not self.acting.stiffness:
            return super().lift
        start = multiply(self.orientation, self.acting.axes)[None]
        return super().lift + float(turning_potential(self.acting._replace(rate=0.0), np.zeros(1), start)[0])

    def rotor_spin(self, time: Array, angular_velocity: Array) -> Array:
        """Angular momentum (n, 3) of the rotors [kg m²/s], in body axes, beside what they have when locked."""
        return np.asarray((self.rotors.speeds(time, angular_velocity) * self.rotors.inertia) @ self.rotors.axes)

    def kinetic_energy(self, block: Block, spin: Array) -> Array:
        """(n,) [J] with that of the rotors: I s (s/2 + a.w) beside what they have where they are locked."""
        speeds = self.rotors.speeds(block.time, block.angular_velocity)
        along = block.angular_velocity @ self.rotors.axes.T
        found = super().kinetic_energy(block, spin)
        return np.asarray(found + (speeds * (0.5 * speeds + along)) @ self.rotors.inertia)

    def potential_energy(self, block: Block) -> Array:
        """(n,) [J]: of gravity, of its gradient, of the spring, and of motors that hold a speed: -I s a.w."""
        found = super().potential_energy(block)
        held = self.rotors.governed(block.time) * self.rotors.held
        found = found - np.sum(block.angular_velocity @ self.rotors.axes.T * held, axis=1)
        if self.acting is not None:
            found = found + turning_potential(self.acting, block.time, multiply(block.orientation, self.acting.axes))
        return np.asarray(found)


@dataclass(frozen=True, kw_only=True)
class AttachedWorld(RotatingWorld):
    """A body that only turns, about a point that stays at the origin: a top, or a vessel.

    All attributes of ``World``, of which ``arm`` (3,) [m] is never None, and:

    Attributes
    ----------
    field : ndarray, (12,)
        Potential and damping that act on the rotation, see ``physics.torque``.
    acting : DrivenBody or None
        A vessel that is steered, as compiled code takes it; None of all others.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="top", duration=1.0, step=0.005,
    ...     body={"shape": "cone", "height": 0.1, "radius": 0.05, "density": 2700},
    ...     initial={"nutation": 1.0, "precession": 10.0, "spin": "steady"})
    >>> world = physics.AttachedWorld.of(scenario)
    >>> [round(number, 6) for number in world.arm.tolist()]
    [0.0, 0.0, 0.075]
    >>> round(float(world.field[2]), 4)  # m g l
    0.5201

    References
    ----------
    Betsch & Siebert (2009), section 5.2, for this cone; Gustafsson (2010), section 5, for the vessel.
    """

    arm: Array = field()

    @property
    def driven(self) -> bool:
        """True if a torque, wind, current or a controller may give energy to a vessel."""
        return self.acting is not None

    @property
    def lossless(self) -> bool:
        """True if nothing damps or drives the motion."""
        return not (self.driven or self.field[6:9].any())

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
        """Potential energy of the field (n,) [J]."""
        return potential(self.field, multiply(block.orientation, self.body.axes))
