"""Runs: what a simulation has found, the trajectory of each lane by its name, and the scenario behind them."""

from __future__ import annotations

from collections.abc import Iterable

from physics.core.trajectory import Trajectory
from physics.scenario.scenario import Scenario


class Runs(dict[str, Trajectory]):
    """Name of the lane -> Trajectory, in the order of the scenario's schemes.

    scenario : what was computed, with its edits
    """

    def __init__(self, scenario: Scenario, found: Iterable[tuple[str, Trajectory]] = ()) -> None:
        super().__init__(found)
        self.scenario = scenario
