"""How long a terrain takes to open and to be seen, beside the bare read of its file; and the memory that it takes."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.bench.comparison import Say, compared, told
from app.kinds import kind_of
from app.system import processes

if TYPE_CHECKING:
    import pyvista as pv

SIDES = (1000, 4000, 10_000)  # cells
ROUNDS = 5  # the first touch of memory takes from once to thrice as long
LIMIT, MEMORY = 1.5, 3.0  # wanted: the first picture over the bare read, and peak memory over the size of the file
SMALL = 200  # cells along a side of the map that loads all that the program loads once
_SCRIPT = "import sys; from app.bench.maps import {what}; {what}(*sys.argv[1:])"


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure square maps of several sizes; ``say`` gets a line for each."""
    found, memory = [], []
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.tif"
        write_map(small, SMALL)
        for side in SIDES:
            path = Path(folder) / f"{side}.tif"
            write_map(path, side)
            read, seen, fine, bare = [], [], [], []
            for _ in range(ROUNDS):
                bare.append(_result("bare", small, path)["read"])
                ours = _result("opened", small, path)
                read.append(ours["read"])
                seen.append(ours["read"] + ours["picture"])
                fine.append(seen[-1] + ours["fine"])
            found.append(compared(f"{side} x {side} opened", "the bare read", read, bare))
            found.append(compared(f"{side} x {side} first picture", "the bare read", seen, bare, limit=LIMIT))
            found.append(compared(f"{side} x {side} fine picture", "the bare read", fine, bare))
            memory.append((side, ours["peak"] / path.stat().st_size, ours["peak"]))
            path.unlink()
    table = told(say, found)
    for side, times, peak in memory:
        wanted = f"{times:.1f} times the file, wanted {MEMORY:g}"
        say(f"{side} x {side}: peak memory {peak / 1e6:.0f} MB above the program's own, {wanted}")
    table += [{"side": side, "peak_over_file": times, "peak": peak} for side, times, peak in memory]
    return table


def write_map(path: Path, side: int) -> None:
    """A GeoTIFF (float32, uncompressed) of a mountain with some roughness."""
    import rasterio
    from rasterio.windows import Window

    place = rasterio.Affine(2.0, 0, 2_700_000, 0, -2.0, 1_200_000)
    kind = {"driver": "GTiff", "dtype": "float32", "count": 1, "crs": "EPSG:2056", "transform": place}
    across = np.linspace(0, 6, side, dtype=np.float32)
    with rasterio.open(path, "w", width=side, height=side, **kind) as file:
        for first in range(0, side, 500):  # the largest map would not fit some memories as a whole
            x, y = np.meshgrid(across, across[first : first + 500])
            z = 1500 + 60 * side / 1000 * (np.sin(x) * np.cos(0.7 * y) + 0.1 * np.sin(9 * x + 4 * y)) + 200 * (3 - y)
            file.write(z.astype(np.float32), 1, window=Window(0, first, side, len(z)))


def _result(what: str, *paths: Path) -> dict[str, float]:
    """What a process of its own prints."""
    command = processes.python("-c", _SCRIPT.format(what=what), *map(str, paths))
    done = subprocess.run(command, env=processes.environment(), capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def bare(small: str, path: str) -> None:
    """Print how long the bare read takes [ms]."""
    import rasterio

    from app.bench.comparison import milliseconds

    def read(name: str) -> None:
        with rasterio.open(name) as file:
            file.read(1)

    read(small)
    print(json.dumps({"read": milliseconds(lambda: read(path))}))


def opened(small: str, path: str) -> None:
    """Print how long the world, its first picture and the fine one take [ms], and the memory [bytes] that they add.

    As in a window that shows another map already: it keeps its plotter.
    """
    from app.bench.frames import SIZE
    from app.bench.memory import peak, resident
    from app.system import opengl

    opengl.prepare()
    from app.stage.plotter import offscreen

    plotter = offscreen(SIZE, 0)
    _open(small, plotter)
    before = resident()
    read, picture, fine = _open(path, plotter)
    plotter.close()
    print(json.dumps({"read": read, "picture": picture, "fine": fine, "peak": peak() - before}))


def _open(path: str, plotter: pv.Plotter) -> tuple[float, float, float]:
    """Open a map and compute a rock's first hundredth of a second on it, as the window does."""
    from app.bench.comparison import milliseconds
    from app.document.open import scenario_for
    from app.playback.run import Lane
    from app.stage import Stage, prepare
    from app.theme import DARK
    from physics import World
    from physics.schemes import SCHEMES
    from physics.simulation.schedule import record_schedule
    from physics.simulation.stream import recording

    scenario = scenario_for(path).changed(duration=0.01, schemes=("implicit",))
    worlds: list[World] = []
    read = milliseconds(lambda: worlds.append(World.of(scenario)))
    world = worlds[0]
    lane = Lane(SCHEMES["implicit"], recording(world, "implicit"), world)
    states = record_schedule([world], "implicit", lane.recording)
    next(states, None)
    prepared = milliseconds(lambda: prepare(world, rough=True))
    stages: list[Stage] = []
    kind = kind_of(world.scenario).scene()
    standing = milliseconds(lambda: stages.append(Stage(plotter, world, (lane,), DARK, kind)))
    stage = stages[0]
    drawn = milliseconds(stage.render)
    fine = milliseconds(stage.wait) + milliseconds(stage.render)
    for _ in states:
        pass
    stage.close()
    return read, prepared + standing + drawn, fine
