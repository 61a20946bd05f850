"""Scenarios whose lanes beside the schemes are what was measured: the tables, and the motions in their files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from physics.core.errors import ScenarioError
from physics.measured.measured_config import MeasuredTable
from physics.measured.motion import MeasuredMotion, measured_motion
from physics.scenario.scenario import Scenario
from physics.systems.scenario_body import BodyScenario


class MeasuredScenario(BodyScenario):
    """A scenario of a body of which motions may have been measured."""

    measured: Annotated[tuple[MeasuredTable, ...], Field(max_length=4)] = Field(
        (), description="files of what a sensor on the body has recorded, each a lane beside the schemes"
    )

    @property
    def shown(self) -> tuple[str, ...]:
        """The schemes, and what was measured."""
        return (*self.schemes, *(table.lane for table in self.measured))

    def motions(self) -> dict[str, MeasuredMotion]:
        """What was measured, by lane; ScenarioError where a file is wrong, or has no sample within the duration."""
        found = {table.lane: measured_motion(table, Path(self.folder)) for table in self.measured}
        for motion in found.values():
            if motion.time[-1] < 0.0 or motion.time[0] > self.duration:
                first, last = motion.time[[0, -1]]
                told = f"expected a sample from 0 to {self.duration:g} s, got some from {first:g} to {last:g} s"
                raise ScenarioError("measured.at", told)
        return found


def measured_tables(scenario: Scenario) -> tuple[MeasuredTable, ...]:
    """The files of what was measured that a scenario names; none of a kind that has no such lanes."""
    return scenario.measured if isinstance(scenario, MeasuredScenario) else ()
