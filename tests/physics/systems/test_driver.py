"""The driver of marches: what is watched and stored of a motion, and how much of it is in memory."""

from __future__ import annotations

import numpy as np
import pytest

from physics import Scenario, World
from physics.core.rotation import Array
from physics.core.trajectory import Block, Event
from physics.schemes import SCHEMES
from physics.systems.driver import AT_ONCE, Course, stream


@pytest.mark.parametrize("fails", [None, 17000])
def test_all_steps_of_a_long_row_are_watched_and_only_some_are_in_memory(fails: int | None) -> None:
    body = {"inertia": [1.0, 2.0, 3.0], "mass": 1.0}
    world = World.of(Scenario(kind="free", duration=20.0, step=1e-3, schemes=["rk4"], body=body, record_every=15000))
    sizes, watched = list[int](), list[float]()

    def march(h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        """The state is the number of steps."""
        sizes.append(len(out))
        out[:, 0] = state[0] + every * np.arange(1, len(out) + 1)
        good = len(out) if fails is None else int((out[:, 0] < fails).sum())
        state[0] = out[-1, 0]
        return good, 0.0

    def watch(times: Array, rows: Array) -> tuple[Event, ...]:
        watched.extend(rows[:, 0])
        return tuple(Event("seen", float(time), "") for time in times[rows[:, 0] == 16000.0])

    def block(time: Array, rows: Array, steps: int, events: tuple[Event, ...]) -> Block:
        none = np.zeros((len(time), 4))
        return Block(time, rows, none, none, none, none, events, steps)

    course = Course(np.zeros(1), lambda: np.zeros(1), march, block, watch=watch)
    blocks = list(stream(course, world, SCHEMES["rk4"], 256))
    last = 20000 if fails is None else fails - 1
    assert max(sizes) <= AT_ONCE
    assert watched == list(range(last + 1))
    assert [one.position[:, 0].tolist() for one in blocks] == [[0.0], [15000.0], [last]]
    assert [event.kind for event in blocks[-1].events] == ["seen", "end" if fails is None else "failed-solve"]
