"""A free body: nothing turns it; its centre of mass flies on a parabola, or stays where nothing pulls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from physics.core.potential import FREE
from physics.core.trajectory import Block
from physics.measured.measured_table import MeasuredTable, check_lanes
from physics.measured.motion import measured_motion
from physics.scenario.scenario import Scenario
from physics.schemes.scheme import Scheme
from physics.systems.measured_stream import check_within, measured_stream
from physics.systems.rotating_world import FreeWorld
from physics.systems.rotation_stream import end, stream
from physics.systems.scenario_body import BodyScenario, make_body
from physics.systems.system import System


class FreeScenario(BodyScenario):
    """A scenario of kind ``free``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    usual_gravity: ClassVar[float] = 0.0

    kind: Literal["free"]
    measured: Annotated[tuple[MeasuredTable, ...], Field(max_length=4)] = Field(
        (), description="files of what a sensor on the body has recorded, each a lane beside the schemes"
    )

    def check_kind(self) -> None:
        """The initial state is that of a body."""
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        check_lanes(self.measured)

    @property
    def shown(self) -> tuple[str, ...]:
        """The schemes, and what was measured."""
        return (*self.schemes, *(table.lane for table in self.measured))


def measured_tables(scenario: Scenario) -> tuple[MeasuredTable, ...]:
    """The files of what was measured that a scenario names; none of a kind that has no such lanes."""
    return scenario.measured if isinstance(scenario, FreeScenario) else ()


def build(scenario: FreeScenario) -> FreeWorld:
    """The body with its moments about the centre of mass."""
    body = make_body(scenario)
    folder = Path(scenario.folder)
    measured = {table.lane: measured_motion(table, folder) for table in scenario.measured}
    for motion in measured.values():
        check_within(motion, scenario.duration)
    return FreeWorld.at_start(scenario, body, body.inertia, field=FREE, measured=measured)


def states(world: FreeWorld, scheme: Scheme, rows: int) -> Iterator[Block]:
    """The states of a lane: computed, or as they were measured."""
    if scheme.name in world.measured:
        return measured_stream(world, scheme.name, rows)
    return stream(world, scheme, rows)


ROW = System(
    kind="free",
    scenario=FreeScenario,
    build=build,
    stream=states,
    end=end,
    rotation_alone=True,
    torque_free=True,
    passive=True,
)
