"""The states of a lane that was measured, between the times that a world begins and ends at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import apply, conjugate, multiply
from physics.core.trajectory import Block, Event
from physics.measured.marks import drift
from physics.measured.motion import MeasuredMotion
from physics.systems.rotating_world import FreeWorld
from physics.systems.rotation_stream import flight


def check_within(motion: MeasuredMotion, duration: float) -> None:
    """ScenarioError where no sample of a motion lies in a run of this duration [s]."""
    if motion.time[-1] < 0.0 or motion.time[0] > duration:
        told = f"expected a sample from 0 to {duration:g} s, got some from {motion.time[0]:g} to {motion.time[-1]:g} s"
        raise ScenarioError("measured.at", told)


def measured_stream(world: FreeWorld, lane: str, rows: int) -> Iterator[Block]:
    """Blocks of at most ``rows`` states; the first holds one state alone, the first sample from the world's time on.

    An attitude that only rates tell begins at that of the world. Velocities are differences of places, of order 2, at
    both ends too: those of a parabola are exact.
    """
    motion = world.measured[lane]
    last = max(1, int(np.searchsorted(motion.time, world.scenario.duration * (1 + 1e-12), side="right")))
    first = min(int(np.searchsorted(motion.time, world.time)), last - 1)
    attitudes = motion.orientation[first:last]
    if motion.relative:
        attitudes = multiply(multiply(world.orientation, conjugate(attitudes[0])), attitudes)
    time, rates = motion.time[first:last], motion.angular_velocity[first:last]
    position, velocity = flight(world, time)
    if motion.position is not None:
        position = motion.position[first:last]
        velocity = np.gradient(position, time, axis=0, edge_order=2) if len(time) > 2 else velocity
    end = float(time[-1])
    marks = (
        *(mark for mark in motion.marks if time[0] <= mark.time <= end),
        *drift(time, apply(attitudes, world.body.spin(rates)), lane),
        Event("end", end, f"{lane}: the samples end at {end:g} s"),
    )
    bounds = [0, *range(1, len(time), rows), len(time)]
    for begin, until in pairwise(bounds):
        here = slice(begin, until)
        yield Block(
            time=time[here],
            position=position[here],
            orientation=attitudes[here],
            velocity=velocity[here],
            angular_velocity=rates[here],
            contact=np.zeros(until - begin),
            events=marks if until == len(time) else (),
        )
