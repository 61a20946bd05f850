"""A pendulum: a body that hangs from a fixed point, above its centre of mass (the row in physics.systems)."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.potential import SIZE
from physics.scenario.common_config import Positive, Table
from physics.scenario.described import described
from physics.scenario.scenario import Scenario
from physics.systems.free.rotating_world import AttachedWorld
from physics.systems.free.rotation_stream import course
from physics.systems.scenario_body import BodyScenario, make_body
from physics.systems.system import System


class PendulumConfig(Table):
    """``[pendulum]``."""

    length: Positive = described(..., "Length", "m", "From the fixed point down to the centre of mass")


class PendulumScenario(BodyScenario):
    """A scenario of kind ``pendulum``."""

    served_as: ClassVar[str] = "top"
    usual_schemes: ClassVar[tuple[str, ...]] = ("quat-em", "verlet-exact")
    later: ClassVar[frozenset[str]] = Scenario.later | {"pendulum"}

    kind: Literal["pendulum"]
    pendulum: PendulumConfig | None = None

    def check_kind(self) -> None:
        """There is a table of the pendulum."""
        if self.pendulum is None:
            raise ScenarioError("pendulum", "missing; expected a table with length")
        self.refuse_motion_of_the_point()


def build(scenario: Scenario) -> AttachedWorld:
    """The body with its moments about the fixed point."""
    assert isinstance(scenario, PendulumScenario)
    assert scenario.pendulum is not None
    body, length = make_body(scenario), scenario.pendulum.length
    field = np.zeros(SIZE)
    field[2] = -body.mass * scenario.g * length
    moments = body.inertia + body.mass * length**2 * np.array([1.0, 1.0, 0.0])
    return AttachedWorld.at_start(scenario, body, moments, arm=np.array([0.0, 0.0, -length]), field=field)


ROW = System(
    kind="pendulum",
    scenario=PendulumScenario,
    build=build,
    course=course,
    torque=True,
    passive=True,
)
