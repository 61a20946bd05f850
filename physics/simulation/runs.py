"""Runs: what a simulation has found, the trajectory of each lane by its name, and the scenario behind them."""

from __future__ import annotations

from collections.abc import Iterable

from physics.core.trajectory import Trajectory
from physics.scenario.scenario import Scenario
from physics.systems.world import World


class Runs(dict[str, Trajectory]):
    """Name of the lane -> Trajectory, in the order of the scenario's schemes.

    scenario : what was computed, with its edits
    world : in which it ended, with the body and the terrain as they were read; None: a caller has put the runs together
    """

    def __init__(
        self, scenario: Scenario, found: Iterable[tuple[str, Trajectory]] = (), world: World | None = None
    ) -> None:
        super().__init__(found)
        self.scenario, self.world = scenario, world
