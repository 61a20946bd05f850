"""Cost of a frame, beside the bare picture of the same moved actors: ``python -m tests.benchmarks.frames``."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import assets
from app.bench.comparison import Comparison, Say, compared, milliseconds, reported
from app.export.offscreen_stage import staged
from app.playback.run import end_of
from assets.make.pictures import computed
from physics import Scenario, load_scenario

if TYPE_CHECKING:
    from app.stage import Stage

SCENARIOS = ("cuboid-major", "top-steady", "vessel-damped", "rock-alpine")
SIZE = (1280, 720)
FRAMES = 60
LIMIT = 1.15


def resident() -> int:
    """Resident memory of this process now [bytes]; 0 where the system does not report it."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def scenarios() -> dict[str, Scenario]:
    """The scenes that are measured, by name, without smooth edges; the cuboid also in four lanes."""
    plain = {"export.quality": "draft"}
    found = {name: load_scenario(assets.SCENARIOS / f"{name}.toml").changed(**plain) for name in SCENARIOS}
    four = ("explicit", "implicit", "quat-em", "exact")
    return found | {"cuboid, four lanes": found["cuboid-major"].changed(schemes=four)}


def run(say: Say = lambda text: None) -> dict[str, object]:
    """Measure every scene; ``say`` gets a line for each."""
    found, grown = [], {}
    for name, scenario in scenarios().items():
        comparison, grown[name] = _measure(name, scenario)
        found.append(comparison)
    table = reported(say, found)
    say("memory a frame, of those that have been shown before [bytes]:")
    for name, number in grown.items():
        say(f"{name:34}{number:10.0f}")
    return {"frames": table, "bytes_a_frame": grown}


def _measure(name: str, scenario: Scenario) -> tuple[Comparison, float]:
    world, lanes = computed(scenario)
    end = end_of(lanes)
    with staged(world, lanes, SIZE) as (stage, _):
        ours, theirs = [], []
        times = np.linspace(0.0, end, FRAMES + 3).tolist()
        for time in times:
            moved = milliseconds(partial(stage.show, time))
            theirs.append(milliseconds(stage.render))
            ours.append(moved + theirs[-1])
        held = [_held(stage, times) for _ in range(3)]
    beside = "the bare picture of the same actors"
    return compared(name, beside, ours[3:], theirs[3:], limit=LIMIT), (held[-1] - held[0]) / (2 * len(times))


def _held(stage: Stage, times: list[float]) -> int:
    """Resident memory [bytes] after all pictures are drawn once more, when caches are full."""
    for time in times:
        stage.show(time)
        stage.render()
    return resident()


if __name__ == "__main__":
    run(print)
