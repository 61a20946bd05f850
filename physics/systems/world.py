"""World: the things that a scenario speaks of, built once: the body, what acts on it, where it starts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from physics.bodies.body import IDENTITY, Body, check_numbers
from physics.core.errors import ScenarioError
from physics.core.potential import FREE
from physics.core.rotation import Array
from physics.core.trajectory import State
from physics.scenario.fingerprints import digests_since, versions
from physics.scenario.scenario import Scenario
from physics.systems import rock_sampling
from physics.systems.barrier_lines import BarrierLine
from physics.systems.ground_cover import Cover
from physics.systems.release import ReleaseSource
from physics.systems.rockfall_scenario import RockfallScenario
from physics.terrain.terrain import Terrain


@dataclass(frozen=True)
class World:
    """A scenario with its body, what acts on it, and its start.

    Attributes
    ----------
    terrain, cover : for rockfall, else None: the heights; the soils and forests on them
    arm : (3,) from the fixed point to the centre of mass, in body axes [m]; zero but for a top
    moments : (3,) principal moments [kg m²] about the point that the body turns about: the tip of a top, else the
        centre of mass
    field : (12,) potential and damping that act on an attached body, see physics.core.potential
    attached : whether the body only turns, about a point that stays
    position (3,) [m], orientation (4,), velocity (3,) [m/s], angular_velocity (3,) [rad/s] : the state at ``time``
    pattern : the body as the scenario gives it, before a size or a shape is drawn for the rock
    files : digests of the files that it was built from, see physics.scenario.fingerprints
    source : where the rocks of an ensemble start; None where the position is given
    rock : the number of the rock of the ensemble, see physics.systems.rock_sampling
    fences : the barriers, see physics.systems.barrier_lines
    notes : what was repaired or decided when the scenario's files were read, one sentence each
    time : [s] at which the motion starts; the run ends at the scenario's duration, which counts from t = 0
    """

    scenario: Scenario
    body: Body
    arm: Array
    moments: Array
    field: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    pattern: Body
    files: Mapping[str, str]
    terrain: Terrain | None = None
    cover: Cover | None = None
    fences: tuple[BarrierLine, ...] = ()
    notes: tuple[str, ...] = ()
    source: ReleaseSource | None = None
    rock: int = 0
    time: float = 0.0
    attached: bool = False

    builders: ClassVar[dict[str, Callable[[Scenario], World]]] = {}  # by kind; physics.systems fills it in

    @classmethod
    @np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what numbers do not hold is told in words
    def of(cls, scenario: Scenario) -> World:
        """Build body and terrain, read the files that the scenario names, place the body; ScenarioError on failure."""
        before = versions(scenario)
        world = cls.builders[scenario.kind](scenario)
        return replace(world, files=digests_since(scenario, before))

    @classmethod
    def at_start(cls, scenario: Scenario, body: Body, moments: Array, **more: Any) -> World:
        """A world whose body starts as the initial table says; ``more``: the attributes that its kind adds."""
        check_numbers(body, moments)
        initial = scenario.initial
        start: dict[str, Any] = {
            "arm": np.zeros(3),
            "field": FREE,
            "position": np.array(initial.position or (0.0, 0.0, 0.0), float),
            "orientation": _unit(initial.orientation),
            "velocity": np.array(initial.velocity, float),
            "angular_velocity": np.array(initial.angular_velocity, float),
            "notes": body.notes,
            "files": {},
        }
        world = cls(scenario=scenario, body=body, moments=moments, pattern=body, **(start | more))
        w, v = world.angular_velocity, world.velocity
        if not np.isfinite(w @ (moments * w) + body.mass * (v @ v)):
            raise ScenarioError("initial", "the kinetic energy is too large for a number; expected slower motion")
        return world

    def with_rock(self, rock: int) -> World:
        """The same world with another rock of its ensemble; ScenarioError when the rock is larger than the map."""
        scenario, terrain = self.scenario, self.terrain
        if terrain is None or not isinstance(scenario, RockfallScenario):
            return self
        body, orientation, place, z = rock_sampling.drawn(scenario, self.pattern, terrain, self.source, rock)
        position = self.position
        if place is not None:
            z = terrain.height(*place) + scenario.release.height if z is None else z
            position = np.array([*place, z])
        turned = self.orientation if orientation is None else orientation
        return replace(self, rock=rock, body=body, moments=body.inertia, orientation=turned, position=position)

    @property
    def rockfall(self) -> RockfallScenario:
        """The scenario of a world in which rocks fall."""
        assert isinstance(self.scenario, RockfallScenario)
        return self.scenario

    def starting(self, state: State) -> World:
        """The same world with a motion that starts from another state, at that state's time.

        What else the motion remembers begins anew: the slip that a contact has gathered, and how long a rock was calm.
        """
        return replace(
            self,
            position=np.array(state.position),
            orientation=np.array(state.orientation),
            velocity=np.array(state.velocity),
            angular_velocity=np.array(state.angular_velocity),
            time=state.time,
        )


def _unit(orientation: tuple[float, ...] | str) -> Array:
    """The orientation (4,) that the initial table gives; a random one is drawn later, with all that is drawn."""
    given = IDENTITY if isinstance(orientation, str) else np.array(orientation)
    return np.asarray(given / math.sqrt((given * given).sum()))  # no BLAS: its digits depend on the processor
