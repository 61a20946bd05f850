"""A free body: nothing turns it; its centre of mass flies on a parabola, or stays where nothing pulls it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from physics.core.potential import FREE
from physics.core.trajectory import Block
from physics.schemes.scheme import Scheme
from physics.systems.free.rotating_world import FreeWorld
from physics.systems.free.rotation_stream import end, flight, stream
from physics.systems.free.scenario import FreeScenario
from physics.systems.free.starts import SAMPLING
from physics.systems.measured_stream import measured_stream
from physics.systems.scenario_body import make_body
from physics.systems.system import System


def build(scenario: FreeScenario) -> FreeWorld:
    """The body with its moments about the centre of mass."""
    body = make_body(scenario)
    return FreeWorld.at_start(scenario, body, body.inertia, field=FREE, measured=scenario.motions())


def states(world: FreeWorld, scheme: Scheme, rows: int) -> Iterator[Block]:
    """The states of a lane: computed, or as they were measured."""
    if scheme.name in world.measured:
        return measured_stream(world, world.measured[scheme.name], scheme.name, rows, partial(flight, world))
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
