"""World: what a scenario speaks of, built once: the body and where it starts; each system adds what acts on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from physics.bodies.body import IDENTITY, Body, check_numbers
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate
from physics.core.trajectory import Block, State, Trajectory
from physics.core.wording import N_
from physics.scenario.fingerprints import digests_since, versions
from physics.scenario.scenario import Scenario
from physics.schemes.scheme import Scheme
from physics.terrain.terrain import Terrain


@dataclass(frozen=True, kw_only=True)
class World:
    """A scenario with its body and its start: what the worlds of all systems have.

    Made by ``World.of(scenario)``, which returns the world of the scenario's kind.

    Attributes
    ----------
    scenario : Scenario
        The scenario.
    body : Body
        Shape, mass, and axes.
    moments : ndarray, (3,)
        Principal moments [kg m²] about the point that the body turns about: the centre of mass, or the point that an
        attached body is attached to.
    position, velocity : ndarray, (3,)
        Centre of mass at ``time`` [m] and its velocity [m/s], in the inertial frame.
    orientation : ndarray, (4,)
        Unit quaternion at ``time``, scalar first, from the body frame to the inertial frame.
    angular_velocity : ndarray, (3,)
        Angular velocity at ``time`` in the body frame [rad/s].
    terrain : Terrain or None
        Ground that the body moves on; None where there is none, or a plane.
    arm : ndarray, (3,), or None
        From the point that an attached body turns about, which is the origin, to its centre of mass [m], in body axes;
        zero where they are the same; None for a body that no point holds.
    files : mapping
        Digests of the files that it was built from, see ``physics.scenario.file_references``.
    notes : tuple of str
        What was repaired or decided when the scenario's files were read, one sentence each.
    variants : mapping of str to World
        Worlds of the scenario's variants that lanes have, by name.
    time : float
        Time at which the motion starts [s]; the run ends at the scenario's duration, which counts from t = 0.
    earlier : tuple of World
        Worlds that the motion went through before edits made this one of them, the first one first.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="free", duration=1.0, step=0.01, schemes=["implicit"],
    ...     body={"shape": "cuboid", "size": [3, 2, 1], "mass": 12}, initial={"angular_velocity": [0, 0, 10]})
    >>> world = physics.World.of(scenario)
    >>> type(world).__name__, [round(moment, 9) for moment in world.moments.tolist()]
    ('FreeWorld', [5.0, 10.0, 13.0])
    """

    scenario: Scenario
    body: Body
    moments: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    terrain: Terrain | None = None
    arm: Array | None = None
    files: Mapping[str, str]
    notes: tuple[str, ...] = ()
    variants: Mapping[str, World] = field(default_factory=dict)
    time: float = 0.0
    earlier: tuple[World, ...] = ()

    builders: ClassVar[dict[str, Callable[[Any], World]]] = {}  # by kind; physics.systems fills it in

    @classmethod
    @np.errstate(over="ignore", invalid="ignore", divide="ignore")  # overflow is reported in a sentence
    def of(cls, scenario: Scenario) -> Self:
        """The world of a scenario: its files are read, its body is built and placed.

        ScenarioError where that fails, or where the world of the scenario's kind is not of this class.
        """
        before = versions(scenario)
        world = _built(cls.builders[scenario.kind], scenario)
        if not isinstance(world, cls):
            raise ScenarioError(
                "kind", N_("expected one with {name} as its world, got '{kind}'", cls.__name__, scenario.kind)
            )
        files, variants = digests_since(scenario, before), dict[str, World]()
        for name in {lane.variant: None for lane in scenario.lanes if lane.variant not in ("", scenario.variant)}:
            try:
                variants[name] = replace(_built(cls.builders[scenario.kind], scenario.of_variant(name)), files=files)
            except ScenarioError as error:
                raise ScenarioError(f"variants.{name}.{error.field}", error.message, error.file) from None
        notes = dict.fromkeys((*world.notes, *(note for one in variants.values() for note in one.notes)))
        return replace(world, files=files, notes=(*notes, *scenario.missing), variants=variants)

    @classmethod
    def at_start(cls, scenario: Scenario, body: Body, moments: Array, **more: Any) -> Self:
        """A world whose body starts as the initial table says; ``more``: the attributes that its class adds."""
        check_numbers(body, moments)
        initial = scenario.initial
        start: dict[str, Any] = {
            "position": np.array(initial.position or (0.0, 0.0, 0.0), float),
            "orientation": _unit(initial.orientation),
            "velocity": np.array(initial.velocity, float),
            "angular_velocity": np.array(initial.angular_velocity, float),
            "notes": body.notes,
            "files": {},
        }
        world = cls(scenario=scenario, body=body, moments=moments, **(start | more))
        w, v = world.angular_velocity, world.velocity
        if not np.isfinite(w @ (moments * w) + body.mass * (v @ v)):
            raise ScenarioError("initial", N_("the kinetic energy overflows; expected slower motion"))
        return world

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All that move: of a mechanism several, in the order of the trajectory's."""
        return (self.body,)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies of a mechanism, see Trajectory.bodies; () if one body moves."""
        return ()

    def of_body(self, number: int) -> World:
        """The world of one body of a mechanism, as that of a single body at its start; one body's is its own."""
        return self

    @property
    def crs(self) -> str | None:
        """The coordinate system of its positions, where it lies on a map that names one."""
        return None

    @property
    def driven(self) -> bool:
        """True if something may give energy to the motion."""
        return False

    @property
    def lossless(self) -> bool:
        """True if no law gives or takes energy, so that its error is the scheme's."""
        return True

    def losing_from(self, run: Trajectory) -> float:
        """The first time [s] at which an impact takes energy from a run, which no law does; infinite: none does."""
        return math.inf

    def highest_order(self, scheme: Scheme) -> int | None:
        """Order of convergence above which its laws leave a scheme none; None where they leave it its own."""
        return None

    @property
    def keeps_spin(self) -> bool:
        """True if nothing outside turns the body, so that its angular momentum stays in space."""
        return False

    @property
    def knots(self) -> Array:
        """Times (n,) [s] at which something that acts in time jumps, has a corner, or begins or ends."""
        return np.empty(0)

    @property
    def shortest_period(self) -> float:
        """[s] of what swings with the time alone, as waves do; infinite where nothing does."""
        return math.inf

    @property
    def symmetry_axis(self) -> Array | None:
        """Unit vector (3,) in body axes of the only axis about which moments and shape are alike; None without one."""
        spread = np.sum((self.body.corners - self.body.corners.mean(axis=0)) ** 2, axis=0)
        for axis, others in enumerate(([1, 2], [2, 0], [0, 1])):
            if _alike(self.moments[others]) and _alike(spread[others]) and not _alike(self.moments):
                return apply(self.body.axes, np.eye(3)[axis])
        return None

    @property
    def axles(self) -> tuple[Array | None, ...]:
        """Axle (3,) of each body of a mechanism, in body axes, if the phase about it does not lead; else None."""
        return (None,)

    @property
    def length(self) -> float:
        """Largest extent of the body, or of the mechanism at its start [m], by which distances from the truth count.

        Infinite where a point holds the body: its attitude says all.
        """
        return float(self.body.extents.max()) if self.arm is None else math.inf

    @property
    def lift(self) -> float:
        """Energy [J] that lifts the body by its radius."""
        return self.body.mass * self.scenario.g * self.body.radius

    @property
    def swinging_moment(self) -> float | None:
        """Its largest moment about the point that holds it [kg m²]; None for a body that no point holds."""
        return None if self.arm is None else float(self.moments.max())

    def measures(self, block: Block) -> dict[str, Array]:
        """kinetic_energy (n,) [J], potential_energy (n,) [J] and spin (n, 3) [kg m²/s] of the states in a block.

        A body that turns about a fixed point has its moments, spin and all its kinetic energy about that point.
        """
        axes = self.body.axes
        spin = apply(axes, self.moments * apply(conjugate(axes), block.angular_velocity))
        return {
            "kinetic_energy": self.kinetic_energy(block, spin),
            "potential_energy": self.potential_energy(block),
            "spin": apply(block.orientation, spin + self.rotor_spin(block.time, block.angular_velocity)),
        }

    def kinetic_energy(self, block: Block, spin: Array) -> Array:
        """(n,) [J] of the states in a block, with their spin (n, 3) in body axes."""
        turning = 0.5 * np.sum(block.angular_velocity * spin, axis=1)
        return np.asarray(turning + 0.5 * self.body.mass * np.sum(block.velocity**2, axis=1))

    def potential_energy(self, block: Block) -> Array:
        """(n,) [J] of the states in a block."""
        return np.asarray(self.body.mass * self.scenario.g * self.height(block.position))

    @property
    def least_potential_energy(self) -> float | None:
        """[J], the least that the body can have; None where it can fall without end."""
        return None

    def rotor_spin(self, time: Array, angular_velocity: Array) -> Array:
        """Angular momentum (n, 3) [kg m²/s] of what turns within the body, beside that of the body, in its axes.

        time (n,) [s], angular_velocity (n, 3) [rad/s] in the axes of the body
        """
        return np.zeros_like(angular_velocity)

    def height(self, position: Array) -> Array:
        """Height of positions (n, 3) against gravity (n,) [m]."""
        return np.asarray(position[:, 2])

    def of_lane(self, lane: str) -> Self:
        """The world of a lane alone: that of its variant, whose scenario has its step.

        Raises KeyError where this world is that of another variant, or was given another start.
        """
        scenario = self.scenario.of_lane(lane)
        own = self if scenario.variant == self.scenario.variant else self.variants[scenario.variant]
        assert isinstance(own, type(self))
        earlier = tuple(one.of_lane(lane) for one in self.earlier)
        return self if scenario is self.scenario and not earlier else replace(own, scenario=scenario, earlier=earlier)

    def starting(self, state: State) -> Self:
        """The same world with a motion that starts from another state, at that state's time.

        What else the motion remembers begins anew: the slip that a contact has gathered, what sticks there, how long a
        rock was calm, and the gimbal of a ship's gyro.
        """
        return replace(
            self,
            position=np.array(state.position),
            orientation=np.array(state.orientation),
            velocity=np.array(state.velocity),
            angular_velocity=np.array(state.angular_velocity),
            time=state.time,
            variants={},
        )


def _built(builder: Callable[[Any], World], scenario: Scenario) -> World:
    """The world of a scenario; ScenarioError too where its equations have no solution in floating point."""
    try:
        return builder(scenario)
    except np.linalg.LinAlgError:
        text = N_("its numbers are too large, too small or too far apart to compute with; expected others")
        raise ScenarioError("", text) from None


def _alike(values: Array) -> bool:
    """True if values above 0 are equal up to what a shape of facets lacks of a round one."""
    return bool(np.ptp(values) < 1e-6 * values.max())


def _unit(orientation: tuple[float, ...] | str) -> Array:
    """The orientation (4,) that the initial table gives; a random one is drawn later, with all that is drawn."""
    given = IDENTITY if isinstance(orientation, str) else np.array(orientation)
    return np.asarray(given / math.sqrt((given * given).sum()))  # no BLAS: its digits depend on the processor
