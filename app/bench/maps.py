"""How long a terrain takes to open and to be seen, beside the bare read of its file; and the memory that it takes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from app.bench.compare import Say, compared, told

SIDES = (1000, 4000)  # cells
ROUNDS = 3
LIMIT = 1.5
_SCRIPT = "import sys; from app.bench.maps import {what}; {what}(sys.argv[1])"


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure square maps of several sizes; ``say`` gets a line for each."""
    found, memory = [], []
    with tempfile.TemporaryDirectory() as folder:
        for side in SIDES:
            path = Path(folder) / f"{side}.tif"
            write_map(path, side)
            read, seen, bare = [], [], []
            for _ in range(ROUNDS):
                bare.append(_result("bare", path)[0])
                opened, drawn, peak = _result("opened", path)
                read.append(opened)
                seen.append(opened + drawn)
            found.append(compared(f"{side} x {side} opened", "the bare read", read, bare))
            found.append(compared(f"{side} x {side} first picture", "the bare read", seen, bare, limit=LIMIT))
            memory.append((side, peak / path.stat().st_size, peak))
    table = told(say, found)
    for side, times, peak in memory:
        say(f"{side} x {side}: peak memory {peak / 1e6:.0f} MB above the program's own, {times:.1f} times the file")
    return [*table, *({"side": side, "peak_over_file": times, "peak": peak} for side, times, peak in memory)]


def write_map(path: Path, side: int) -> None:
    """A GeoTIFF (float32, uncompressed) of a mountain with some roughness."""
    import rasterio

    x, y = np.meshgrid(np.linspace(0, 6, side, dtype=np.float32), np.linspace(0, 6, side, dtype=np.float32))
    z = 1500 + 60 * side / 1000 * (np.sin(x) * np.cos(0.7 * y) + 0.1 * np.sin(9 * x + 4 * y)) + 200 * (3 - y)
    place = rasterio.Affine(2.0, 0, 2_700_000, 0, -2.0, 1_200_000)
    kind = {"driver": "GTiff", "dtype": "float32", "count": 1, "crs": "EPSG:2056", "transform": place}
    with rasterio.open(path, "w", width=side, height=side, **kind) as file:
        file.write(z.astype(np.float32), 1)


def _result(what: str, path: Path) -> list[float]:
    """Numbers that a process of its own prints: files that are in its memory would make the next one look fast."""
    command = [sys.executable, "-c", _SCRIPT.format(what=what), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def bare(path: str) -> None:
    """Print how long the bare read takes [ms]."""
    import rasterio

    from app.bench.compare import milliseconds

    def read() -> None:
        with rasterio.open(path) as file:
            file.read(1)

    print(milliseconds(read))


def opened(path: str) -> None:
    """Print how long the world takes, and its first picture then [ms], and the peak of memory that both add."""
    from app.bench import frames
    from app.bench.compare import milliseconds
    from app.bench.memory import peak, resident
    from app.opening import scenario_for
    from app.run import Lane
    from app.stage import prepare
    from physics import World
    from physics.schemes import SCHEMES
    from physics.simulate import record, recording

    before, worlds = resident(), []
    scenario = scenario_for(path).changed(duration=0.01, schemes=("implicit",))
    read = milliseconds(lambda: worlds.append(World.of(scenario)))
    world = worlds[0]
    lane = Lane(SCHEMES["implicit"], recording(world, "implicit"))
    for _ in record(world, "implicit", lane.recording):
        pass

    def draw() -> None:
        prepare(world)
        with frames.staged(world, (lane,), frames.SIZE, samples=0) as (stage, _):
            stage.render()

    print(read, milliseconds(draw), peak() - before)
