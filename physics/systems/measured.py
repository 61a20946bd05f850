"""Scenarios whose lanes beside the schemes are what was measured: the tables, and the motions in their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate, multiply
from physics.core.trajectory import Block, Event
from physics.core.wording import N_
from physics.measured.fitted import fitted_motion
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import MeasuredMotion, drift, measured_motion
from physics.scenario.described import described
from physics.scenario.scenario import Scenario
from physics.systems.scenario_body import BodyScenario
from physics.systems.world import World

FreeFlight = Callable[[Array], tuple[Array, Array]]


def measured_stream(
    world: World, motion: MeasuredMotion, lane: str, rows: int, flight: FreeFlight | None = None
) -> Iterator[Block]:
    """Blocks of at most ``rows`` states; the first holds one state alone, the first sample from the world's time on.

    An attitude from rates alone begins at that of the world; that of a fit whose flight begins later than its recording
    is turned with it. Velocities are differences of places, of order 2, at
    both ends too: those of a parabola are exact. flight : places and velocities (n, 3) at times (n,) of a body that
    flies freely, of which its file may have none, and whose spin is to be kept; None: it touches something.
    """
    last = max(1, int(np.searchsorted(motion.time, world.scenario.duration * (1 + 1e-12), side="right")))
    first = min(int(np.searchsorted(motion.time, world.time)), last - 1)
    attitudes = motion.orientation[first:last]
    if motion.relative:
        origin = attitudes[0] if motion.origin is None or world.time > 0.0 else motion.origin
        attitudes = multiply(multiply(world.orientation, conjugate(origin)), attitudes)
    time, rates = motion.time[first:last], motion.angular_velocity[first:last]
    position, velocity = (np.zeros((len(time), 3)),) * 2 if flight is None else flight(time)
    if motion.position is not None:
        position = motion.position[first:last]
        velocity = np.gradient(position, time, axis=0, edge_order=2) if len(time) > 2 else velocity
    end, kept = float(time[-1]), flight is not None and not world.scenario.acted
    fit = motion.origin is not None
    ends = (
        N_("{lane}: the flight ends at {end:g} s", lane, end)
        if fit
        else N_("{lane}: the samples end at {end:g} s", lane, end)
    )
    marks = (
        *(mark for mark in motion.marks if time[0] <= mark.time <= end),
        *(drift(time, apply(attitudes, world.body.spin(rates)), lane) if kept else ()),
        Event("end", end, ends),
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


class MeasuredScenario(BodyScenario):
    """A scenario of a body of which motions may have been measured."""

    measured: Annotated[tuple[MeasuredConfig, ...], Field(max_length=4)] = described(
        (), about="files of what a sensor on the body has recorded, each a lane beside the schemes"
    )

    @property
    def shown(self) -> tuple[str, ...]:
        """The schemes, and what was measured."""
        return (*self.schemes, *(lane for table in self.measured for lane in table.lanes))

    def motions(self) -> dict[str, MeasuredMotion]:
        """Measured motions, and those fitted to them, by lane; ScenarioError if a file or a fit is invalid.

        Also where a motion has no sample within the duration.
        """
        found: dict[str, MeasuredMotion] = {}
        for table in self.measured:
            motion = measured_motion(table, Path(self.folder))
            fits = [] if table.identified is None else [fitted_motion(motion, table.identified)]
            found |= zip(table.lanes, (motion, *fits), strict=True)
        for motion in found.values():
            if motion.time[-1] < 0.0 or motion.time[0] > self.duration:
                first, last = motion.time[[0, -1]]
                text = N_(
                    "expected a sample from 0 to {duration:g} s, got some from {first:g} to {last:g} s",
                    self.duration,
                    first,
                    last,
                )
                raise ScenarioError("measured.at", text)
        return found

    def choices(self, motions: Mapping[str, MeasuredMotion]) -> tuple[str, ...]:
        """Sentences on what was chosen and guessed of the files of ``motions``."""
        files = ((Path(table.file).name, motions[table.lanes[0]]) for table in self.measured)
        return tuple(N_("{name}: {note}", name, choice) for name, motion in files for choice in motion.choices())


def measured_tables(scenario: Scenario) -> tuple[MeasuredConfig, ...]:
    """The files of what was measured that a scenario names; none of a kind that has no such lanes."""
    return scenario.measured if isinstance(scenario, MeasuredScenario) else ()
