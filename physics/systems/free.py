"""A free body: nothing turns it; its centre of mass flies on a parabola, or stays where nothing pulls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from physics.core.potential import FREE
from physics.core.trajectory import Block
from physics.measured.measured_table import MeasuredTable
from physics.measured.motion import measured_motion
from physics.scenario.scenario import Scenario
from physics.schemes.scheme import Scheme
from physics.systems.free_scenario import FreeScenario
from physics.systems.free_starts import SAMPLING
from physics.systems.measured_stream import check_within, measured_stream
from physics.systems.rotating_world import FreeWorld
from physics.systems.rotation_stream import end, stream
from physics.systems.scenario_body import make_body
from physics.systems.system import System


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
    starts=SAMPLING,
    rotation_alone=True,
    torque_free=True,
    passive=True,
)
