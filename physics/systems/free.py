"""A free body: nothing turns it; its centre of mass flies on a parabola, or stays where nothing pulls it."""

from __future__ import annotations

from typing import ClassVar, Literal

from physics.core.potential import FREE
from physics.systems.rotating_world import FreeWorld
from physics.systems.rotation_stream import end, stream
from physics.systems.scenario_body import BodyScenario, make_body
from physics.systems.system import System


class FreeScenario(BodyScenario):
    """A scenario of kind ``free``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    usual_gravity: ClassVar[float] = 0.0

    kind: Literal["free"]

    def check_kind(self) -> None:
        """The initial state is that of a body."""
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")


def build(scenario: FreeScenario) -> FreeWorld:
    """The body with its moments about the centre of mass."""
    body = make_body(scenario)
    return FreeWorld.at_start(scenario, body, body.inertia, field=FREE)


ROW = System(
    kind="free",
    scenario=FreeScenario,
    build=build,
    stream=stream,
    end=end,
    rotation_alone=True,
    torque_free=True,
    passive=True,
)
