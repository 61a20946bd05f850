"""Falling rocks: where rocks of a scenario stop, and nothing else of them; again and again with other laws.

The rocks are those of physics.ensembles.ensemble, by the same numbers: what is drawn for them does not change with what
the scenario says of the ground. A rock costs what its steps cost: no row of them is kept, and no statistics.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from physics.contact import moreau
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.schemes.lane import lane_of
from physics.systems.rockfall import system as rockfall
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.rockfall.world import RockfallWorld
from physics.systems.world import World

KEPT = 20_000  # rocks that are kept as they start: 10 kB each
_LAST_ONLY = 2**40  # steps from one stored row to the next: none but the last


class FallingRocks:
    """Threads that let rocks of a scenario fall; a context, which ends them.

    Attributes
    ----------
    lane : the scheme that moves them
    """

    def __init__(self, scenario: RockfallScenario, workers: int) -> None:
        if scenario.edit:
            raise ScenarioError("edit", "serves single runs; expected a scenario without edits")
        if len(scenario.schemes) != 1:
            told = ", ".join(scenario.schemes)
            raise ScenarioError("schemes", f"expected one scheme, got {told}; choose with --scheme")
        (self.lane,) = scenario.schemes
        self._start = scenario
        self._started: dict[int, RockfallWorld] = {}
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="rocks")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)

    def stops(self, scenario: RockfallScenario, rocks: NDArray[np.int64]) -> tuple[Array, NDArray[np.bool_]]:
        """Run-outs (n,) [m] of rocks (n,) by their numbers, and whether they came to rest.

        Rocks that did not count where they were last. Raises ScenarioError where there is no such rock or ground.
        """
        world = World.of(scenario).of_lane(self.lane)
        assert isinstance(world, RockfallWorld)
        around = rockfall.surroundings(world)
        rotation = lane_of(self.lane).scheme.moreau
        assert rotation is not None  # a scenario of rocks names no other scheme
        rockfall.march_of(rotation, is_smooth=world.body.surface is not None)  # made once, not by each thread
        alike = self._alike(scenario)
        tasks = [self._pool.submit(self._stop, world, around, rock, alike) for rock in rocks.tolist()]
        try:
            found = [task.result() for task in tasks]
        except BaseException:
            for task in tasks:
                task.cancel()
            raise
        return np.array([runout for runout, _ in found]), np.array([reason == moreau.REST for _, reason in found])

    def _alike(self, scenario: RockfallScenario) -> bool:
        """Whether rocks start as in the first scenario: only what can change while a rock falls is different."""
        then, now = self._start.to_plain(), scenario.to_plain()
        different = {key for key in then.keys() | now.keys() if then.get(key) != now.get(key)}
        return different <= scenario.later - {"body"}

    def _stop(
        self, world: RockfallWorld, around: rockfall.Surroundings, rock: int, alike: bool
    ) -> tuple[float, int | None]:
        """The run-out of one rock [m], and why it stopped; None: the time was over."""
        if not alike:
            one = world.with_rock(rock)
        else:
            if (start := self._started.get(rock)) is None:
                start = world.with_rock(rock)
                if len(self._started) < KEPT:
                    self._started[rock] = start
            one = replace(start, scenario=world.scenario, cover=world.cover)
        state, reason = np.zeros(0), None
        for _, state, _, reason in rockfall.marching(one, lane_of(self.lane).row, 1, _LAST_ONLY, around):  # noqa: B007
            pass
        east, north = state[:2] - (one.position[:2] - np.array(one.terrain.origin))
        return math.hypot(east, north), reason
