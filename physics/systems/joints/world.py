"""Joints world: several bodies, the mechanism that their joints make of them, and where it starts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from physics.bodies.body import Body, check_numbers
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate, multiply
from physics.core.trajectory import Block, Trajectory
from physics.core.wording import N_
from physics.joints import rows
from physics.joints.mechanism import NO_MOTOR, SINE, Mechanism
from physics.systems.joints.assembly import start_of
from physics.systems.joints.axles import leading_axles
from physics.systems.joints.scenario import JointsScenario
from physics.systems.scenario_body import body_of, with_axes
from physics.systems.world import World


@dataclass(frozen=True, kw_only=True)
class JointsBlock(Block):
    """A block of states of a mechanism; coordinates (n, j, 3): angles and travels, counted beyond half a turn."""

    coordinates: Array


@dataclass(frozen=True, kw_only=True)
class JointsWorld(World):
    """Bodies coupled by joints; ``body`` and ``moments`` are those of the first one, states (b, 3) and (b, 4).

    Attributes
    ----------
    parts : the bodies
    mechanism : the same as compiled code takes them, in principal axes
    coordinates : (j, 3) angles and travels at the start
    rank : number of independent constraints, motors not counted
    unique : (j,) whether the motion says what force a joint has
    """

    scenario: JointsScenario
    parts: tuple[Body, ...]
    mechanism: Mechanism
    coordinates: Array
    rank: int
    unique: np.ndarray

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All of them, in the order of trajectories."""
        return self.parts

    @property
    def body_names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(one.name for one in self.scenario.bodies)

    def of_body(self, number: int) -> World:
        """The world of one body, as that of a single body at its start."""
        body = self.parts[number]
        return World(
            scenario=self.scenario,
            body=body,
            moments=body.inertia,
            position=self.position[number],
            orientation=self.orientation[number],
            velocity=self.velocity[number],
            angular_velocity=self.angular_velocity[number],
            files=self.files,
            time=self.time,
        )

    @property
    def driven(self) -> bool:
        """True if a motor may give energy."""
        return bool((self.mechanism.joints.motor != NO_MOTOR).any())

    @property
    def lossless(self) -> bool:
        """True if nothing damps the motion, and no motor gives or takes energy."""
        return not (self.driven or self.mechanism.joints.damping.any() or self.mechanism.springs.damping.any())

    @property
    def knots(self) -> Array:
        """The rows of its motors' paths."""
        return np.unique(self.mechanism.path[:, 0])

    @property
    def shortest_period(self) -> float:
        """Shortest period of its motors that swing [s]."""
        joints = self.mechanism.joints
        frequency = np.abs(joints.motors[joints.motor == SINE, 3]).max(initial=0.0)
        return float(1.0 / frequency) if frequency else math.inf

    @property
    def keeps_spin(self) -> bool:
        """True if nothing holds the bodies to the ground, as what rights itself is; gravity acts evenly on all."""
        return not self.mechanism.grounded

    @property
    def lift(self) -> float:
        """Energy [J] that lifts the bodies by their own radii, and what the springs have at the start.

        Of one that rights itself, in place of that, what heels it as far as it is at the start, at least what turns it
        on its side, or on its end where nothing rights its roll.
        """
        q, _ = self.to_principal(self.orientation, self.angular_velocity)
        lifts = self._righting(q)
        for number, (drawn, body) in enumerate(zip(self.scenario.bodies, self.parts, strict=True)):
            heights = () if drawn.restoring is None else (drawn.restoring.transverse, drawn.restoring.longitudinal)
            height = next((0.5 * one for one in heights if one), body.radius)
            lifts[number] = max(lifts[number], body.mass * self.scenario.g * height)
        sprung = self._sprung(self.position[None], q[None], self.coordinates[None])[0]
        return float(lifts.sum() + sprung)

    def _righting(self, q: Array) -> Array:
        """Potential energy (..., b) [J] of what rights the bodies, at attitudes (..., b, 4) of their principal axes."""
        u = apply(conjugate(q), self.mechanism.up)
        pairs = u[..., [0, 1, 2, 0, 0, 1]] * u[..., [0, 1, 2, 1, 2, 2]]
        return np.asarray((pairs * self.mechanism.bodies.restoring * [0.5, 0.5, 0.5, 1.0, 1.0, 1.0]).sum(axis=-1))

    @property
    def least_potential_energy(self) -> float | None:
        """Potential energy of slack springs [J], where neither gravity nor a constant load acts."""
        return None if self.mechanism.gravity.any() or self.mechanism.joints.load.any() else 0.0

    @property
    def swinging_moment(self) -> float | None:
        """About the origin, at the start [kg m²]; None for bodies that nothing holds to the ground."""
        m = self.mechanism
        largest = float(m.bodies.mass @ np.sum(self.position**2, axis=1) + m.bodies.inertia.max(axis=1).sum())
        return largest if m.grounded else None

    def measures(self, block: Block) -> dict[str, Array]:
        """Energies of all bodies and springs, and the angular momentum of all bodies.

        About their common centre of mass, about the origin where a joint or a spring holds one to the ground.
        """
        m = self.mechanism
        q, w = self.to_principal(block.orientation, block.angular_velocity)
        r, v = block.position, block.velocity
        own = m.bodies.inertia * w
        kinetic = 0.5 * (np.sum(v * v, axis=2) @ m.bodies.mass + np.sum(own * w, axis=(1, 2)))
        if not m.grounded:
            r, v = (x - (m.bodies.mass @ x)[:, None] / m.bodies.mass.sum() for x in (r, v))
        spin = np.sum(m.bodies.mass[:, None] * np.cross(r, v) + apply(q, own), axis=1)
        potential = -np.sum(m.bodies.mass[:, None] * block.position * m.gravity, axis=(1, 2))
        if m.bodies.restoring.any():
            potential = potential + self._righting(q).sum(axis=1)
        if m.joints.load.any() or m.joints.stiffness.any() or len(m.springs):
            x = block.coordinates if isinstance(block, JointsBlock) else self.counted(block)[0]
            potential = potential - np.sum(m.joints.load * x, axis=(1, 2)) + self._sprung(block.position, q, x)
        return {"kinetic_energy": kinetic, "potential_energy": potential, "spin": spin}

    def _sprung(self, position: Array, q: Array, coordinates: Array) -> Array:
        """Energy (n,) [J] of the springs of joints and between bodies, at places and attitudes of principal axes."""
        m = self.mechanism
        off = coordinates - m.joints.rest
        found = np.sum(0.5 * m.joints.stiffness * off * off, axis=(1, 2))
        if len(m.springs):
            still = np.zeros((len(q), 1, 3))
            places = np.concatenate([position, still], axis=1)
            turns = np.concatenate([q, still[..., [0, 0, 0, 0]] + [1.0, 0.0, 0.0, 0.0]], axis=1)
            ends = [
                places[:, body] + apply(turns[:, body], point)
                for body, point in zip(m.springs.bodies.T, m.springs.points.transpose(1, 0, 2), strict=True)
            ]
            long = np.linalg.norm(ends[1] - ends[0], axis=2) - m.springs.rest
            found = found + np.sum(0.5 * m.springs.stiffness * long * long, axis=1)
        return np.asarray(found)

    @property
    def symmetry_axis(self) -> None:
        """No axis is one of all bodies."""
        return None

    @cached_property
    def axles(self) -> tuple[Array | None, ...]:
        """Axle (3,) of each body, in body axes, if the phase about it does not lead; else None."""
        q, w = self.to_principal(self.orientation, self.angular_velocity)
        state = np.concatenate([self.position, q, self.velocity, w], axis=1).ravel()
        return leading_axles(self.mechanism, self.parts, np.concatenate([state, self.coordinates.ravel()]))

    @cached_property
    def length(self) -> float:
        """Largest extent of bodies and joints at the start, along an axis of the inertial frame [m]."""
        m, points = self.mechanism, []
        for number, body in enumerate(self.parts):
            ends = [m.joints.arms[held == number, side] for side, held in enumerate((m.joints.first, m.joints.second))]
            points.append(np.concatenate([body.vertices, *(apply(body.axes, arms) for arms in ends)]))
            points[-1] = self.position[number] + apply(self.orientation[number], points[-1])
        return float(np.ptp(np.concatenate(points), axis=0).max())

    def to_principal(self, orientation: Array, angular_velocity: Array) -> tuple[Array, Array]:
        """Attitudes (..., b, 4) and angular velocities (..., b, 3) of the principal axes from those of the bodies."""
        axes = self._axes
        return multiply(orientation, axes), apply(conjugate(axes), angular_velocity)

    def from_principal(self, orientation: Array, angular_velocity: Array) -> tuple[Array, Array]:
        """Attitudes (..., b, 4) and angular velocities (..., b, 3) of the bodies from those of the principal axes."""
        axes = self._axes
        return multiply(orientation, conjugate(axes)), apply(axes, angular_velocity)

    @property
    def _axes(self) -> Array:
        return np.array([body.axes for body in self.parts])

    def counted(self, states: Block | Trajectory) -> tuple[Array, Array]:
        """Coordinates (n, j, 3), angles counted beyond half a turn, and their rates (n, j, 3), of stored states.

        Of a ball joint the rates are its relative angular velocity, and the coordinates nothing. Between two states an
        angle may turn far, at an even acceleration.
        """
        return self._counted(states.time, self._bodies(states))

    def stored(self, states: Block | Trajectory) -> Array:
        """States as rows (n, 13 b + 3 j) of physics.joints."""
        found = self._bodies(states)
        found[:, 13 * len(self.parts) :] = self._counted(states.time, found)[0].reshape(len(found), -1)
        return found

    def _counted(self, times: Array, stored: Array) -> tuple[Array, Array]:
        """Count coordinates of rows in which they may be 0, see ``counted``."""
        found = np.zeros((2, len(times), len(self.mechanism.joints), 3))
        found[0, :1] = self.coordinates
        pose = rows.new_pose(self.mechanism)
        rows.count_along(self.mechanism, times, stored, pose, np.zeros((len(pose.bodies), 6)), *found)
        return found[0], found[1]

    def _bodies(self, states: Block | Trajectory) -> Array:
        """Rows as ``stored`` gives them, with 0 for all coordinates."""
        n = len(states.time)
        q, w = self.to_principal(states.orientation, states.angular_velocity)
        bodies = np.concatenate([states.position, q, states.velocity, w], axis=2)
        return np.concatenate([bodies.reshape(n, -1), np.zeros((n, self.coordinates.size))], axis=1)


def build(scenario: JointsScenario) -> JointsWorld:
    """The bodies, coupled, at their start; ScenarioError where a body or a loop cannot be made."""
    return assembled(scenario, _parts(scenario))


def _parts(scenario: JointsScenario) -> tuple[Body, ...]:
    made: dict[str, Body] = {}
    for one in scenario.bodies:  # the links of a chain are one
        if one.field not in made:
            try:
                made[one.field] = with_axes(one.table, body_of(one.table, Path(scenario.folder)))
                check_numbers(made[one.field], made[one.field].inertia)
            except ScenarioError as error:
                raise ScenarioError(error.field.replace("body", one.field, 1), error.message, error.file) from None
    return tuple(made[one.field] for one in scenario.bodies)


def assembled(scenario: JointsScenario, parts: tuple[Body, ...]) -> JointsWorld:
    """The world of a scenario with these bodies; ScenarioError where a loop cannot be closed."""
    start = start_of(scenario, parts)
    axes = np.array([body.axes for body in parts])
    world = JointsWorld(
        scenario=scenario,
        body=parts[0],
        moments=parts[0].inertia,
        position=start.r,
        orientation=multiply(start.q, conjugate(axes)),
        velocity=start.v,
        angular_velocity=apply(axes, start.w),
        parts=parts,
        mechanism=start.mechanism,
        coordinates=start.coordinates,
        rank=start.rank,
        unique=start.unique,
        files={},
        notes=(*dict.fromkeys(note for body in parts for note in body.notes), *start.notes),
    )
    energy = world.mechanism.bodies.mass @ np.sum(start.v**2, axis=1) + np.sum(
        world.mechanism.bodies.inertia * start.w**2
    )
    if not math.isfinite(energy):
        raise ScenarioError("joint", N_("the kinetic energy overflows; expected slower motion"))
    return world
