"""``python -m assets.recordings`` records the run that the window shows at first; a test compares.

To be made anew when the scenario, its files or the sources that compute it change: see app.playback.recorded_runs.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from app.playback.recorded_runs import key_of
from assets import FIRST, RECORDINGS, examples
from physics import Trajectory, World, load_scenario, simulate
from physics.core.arithmetic import elementary_functions
from physics.core.json_text import json_text
from physics.core.trajectory import COLUMNS
from physics.io.trajectory_writers import polhode_version

LAST = 32.0  # [s] of the motion that is recorded: kernels are compiled in a third of that, on a busy machine in more


def record(example: str) -> tuple[World, dict[str, Trajectory]]:
    """The world of an example, and the beginning of its run."""
    scenario = load_scenario(examples()[example])
    runs = simulate(scenario)
    begun = {name: replace(run.rows(run.time <= LAST), events=(), steps=0, wall_time=0.0) for name, run in runs.items()}
    return World.of(scenario), begun


def main(folder: Path = RECORDINGS) -> None:
    """Record the first example, in place of what was recorded before."""
    world, runs = record(FIRST)
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.npz"):
        old.unlink()
    told = {  # no files: their places differ
        "version": polhode_version(),
        "functions": elementary_functions(),
        "schemes": {name: {} for name in runs},
    }
    columns = {f"{name}/{column}": getattr(run, column) for name, run in runs.items() for column in COLUMNS}
    np.savez(folder / f"{FIRST}.{key_of(world)}.npz", allow_pickle=False, **columns, meta=np.array(json_text(told)))


if __name__ == "__main__":
    main()
