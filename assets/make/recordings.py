"""``python -m assets.make.recordings`` records what the window shows at first: run, relief and hulls; tests compare.

To be made anew when the scenario, its files or the sources that compute it change: see app.playback.recorded_runs,
app.stage.ground.recorded_relief and physics.bodies.convex_hull.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from app.playback.recorded_runs import key_of
from app.stage.bodies.body_mesh import PLANED, SMOOTH, WORN, bevelled, plane_faces
from app.stage.ground import recorded_relief
from app.stage.ground.shaded_relief import ROUGH, paint
from assets import FIRST, RECORDINGS, RELIEFS, examples
from physics import Trajectory, World, load_scenario, simulate
from physics.bodies import convex_hull
from physics.bodies.convex_hull import KEPT, MOST, computed_faces, name_of, qhull
from physics.core.arithmetic import elementary_functions
from physics.core.json_text import json_text
from physics.core.trajectory import COLUMNS
from physics.io.trajectory_writers import polhode_version
from physics.systems.rockfall.world import RockfallWorld

# examples whose first picture needs hulls and nothing else of SciPy: other rocks stand on terrains that are painted
DRAWN = [name for name in examples() if name == FIRST or not name.startswith("rock-")]
LAST = 32.0  # [s] of the motion that is recorded: kernels are compiled in a third of that, on a busy machine in more


def record(example: str) -> tuple[World, dict[str, Trajectory]]:
    """The world of an example, and the beginning of its run."""
    scenario = load_scenario(examples()[example])
    runs = simulate(scenario)
    begun = {name: replace(run.rows(run.time <= LAST), events=(), steps=0, wall_time=0.0) for name, run in runs.items()}
    return World.of(scenario), begun


def hulls(example: str) -> dict[str, np.ndarray]:
    """The hulls that the first picture of an example needs, by their names, as Qhull computes them."""
    asked: list[tuple[np.ndarray, str | None]] = []

    def noted(points: np.ndarray, options: str | None = None) -> object:
        asked.append((points, options))
        return qhull(points, options)

    with patch.multiple(convex_hull, qhull=noted, MOST=0):  # none is taken from those that are kept
        body = World.of(load_scenario(examples()[example])).body
        if len(plane_faces(body)) <= SMOOTH:
            bevelled(body, (WORN if example == FIRST else PLANED) * body.radius)
    return {
        name_of(points, options or ""): computed_faces(points) if options is None else qhull(points, options).simplices
        for points, options in asked
        if len(points) <= MOST
    }


def main(runs: Path = RECORDINGS, reliefs: Path = RELIEFS, kept: Path = KEPT) -> None:
    """Record the first example, in place of what was recorded before."""
    found = {name: faces for example in DRAWN for name, faces in hulls(example).items()}
    text = json.dumps({name: faces.ravel().tolist() for name, faces in found.items()}, separators=(",", ":"))
    kept.write_text(text.replace('],"', '],\n"') + "\n", encoding="ascii")
    for folder in (runs, reliefs):
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.npz"):
            old.unlink()
    world = write_run(runs)
    write_relief(world, reliefs)


def write_relief(world: World, folder: Path) -> None:
    """Paint the terrain of the first example."""
    assert isinstance(world, RockfallWorld)
    relief = paint(world.terrain, ROUGH)
    pictures = {"natural": relief.natural, "light": relief.light, "ink": relief.ink}
    file = folder / f"{FIRST}.{recorded_relief.key_of(world)}.npz"
    np.savez_compressed(file, allow_pickle=False, **pictures, interval=np.array(relief.interval))


def write_run(folder: Path) -> World:
    """Record the run of the first example; its world."""
    world, runs = record(FIRST)
    told = {  # no files: their places differ
        "version": polhode_version(),
        "functions": elementary_functions(),
        "schemes": {name: {} for name in runs},
    }
    columns = {f"{name}/{column}": getattr(run, column) for name, run in runs.items() for column in COLUMNS}
    np.savez(folder / f"{FIRST}.{key_of(world)}.npz", allow_pickle=False, **columns, meta=np.array(json_text(told)))
    return world


if __name__ == "__main__":
    main()
