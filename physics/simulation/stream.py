"""The stream of a simulation: the motion of a world as a stream of blocks of states, and a recording for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from physics.core.trajectory import Block, Recording
from physics.schemes.lane import lane_of
from physics.simulation.energies import measures
from physics.systems import system_of
from physics.systems.world import World

_AT_ONCE = 2_000_000  # steps between two moments at which a run can be cancelled: some tenths of a second


def stream(world: World, lane: str, rows: int = 256) -> Iterator[Block]:
    """Stored states of one lane, in blocks of at most ``rows``; the caller owns pace, storage and cancelling."""
    rows = max(1, min(rows, _AT_ONCE // world.scenario.record_every))
    return system_of(world.scenario).stream(world.of_lane(lane), lane_of(lane).row, rows)


def recording(world: World, lane: str) -> Recording:
    """An empty recording for one lane in a world."""
    made = Recording(lane, partial(measures, world.of_lane(lane)))
    made.files, made.crs = world.files, world.crs
    return made
