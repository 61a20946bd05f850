"""The readers of what is typed, kept and laid over the terrain: options of the command line, settings, pictures."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import rasterio

from app.cli.overrides import scenario_from
from app.cli.parser import parse
from app.document.settings import Settings, load_settings
from app.export.checks import check_looks
from app.stage.ground.layers import draped
from physics.core.errors import ScenarioError
from physics.terrain.profiles import ramp

# ---- options ------------------------------------------------------------------------------------------

_FILE = 'kind = "free"\nduration = 0.05\nstep = 0.01\n[body]\nsize = [3.0, 2.0, 1.0]\nmass = 1.0\n'
_LINES = [
    "run S -o a.npz --scheme explicit --scheme exact --step 0.01 --duration 1 --rock 0 --quiet --progress none",
    "video S -o a.mp4 --fps 30 --speed 0.1 --size 64x48 --theme dark --layout overlay --camera fit --orbit 10",
    "image S -o a.png --time 0.5 --plots under --no-captions --occlusion --transparent --compare --colour speed",
    "plot S -o a.svg --size 640x480 --theme light",
    "plan S -o a.pdf --scale 1:5000 --paper a3 --ensemble out --map reach_probability --whose implicit",
    "scene S -o a.html --speed 2 --camera ride",
    "ensemble S -o out --rocks 100 --seed 3 --workers 2 --parquet --paths --counts --resume",
    "lecture S -o out",
    "batch S -o out",
    "gather a b -o c --parquet",
    "figure leine-ramp -o a.png --rocks 10",
    "bench kernels --json",
    "schemes --json",
    "S",
]


def option_seeds() -> list[bytes]:
    """Command lines, a word a line."""
    return [line.replace(" ", "\n").encode() for line in _LINES]


def options(path: Path) -> Iterator[np.ndarray]:
    """Words of a command line, and what they make of a scenario."""
    words = [word for word in path.read_bytes().decode(errors="replace").split("\n") if "\0" not in word]
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
            arguments = parse(words)
    except SystemExit as end:
        if end.code:
            raise ScenarioError("", told.getvalue().removesuffix("\n")) from None
        return
    if hasattr(arguments, "scenario"):
        arguments.scenario = path.with_name("scenario.toml")
        arguments.scenario.write_text(_FILE)
        scenario = scenario_from(arguments)
        check_looks(scenario)
        yield np.array([scenario.duration, scenario.step, scenario.export.fps, scenario.export.speed])


# ---- settings -----------------------------------------------------------------------------------------


def setting_seeds() -> list[bytes]:
    """What a window keeps."""
    import tomlkit

    kept = Settings(theme="dark", geometry="AdnQyw==", overlays={"axes": True}, charts={"free": ["Energy"]})
    kept.remember("/tmp/a.toml")
    return [tomlkit.dumps(kept.model_dump()).encode()]


def settings(path: Path) -> Iterator[np.ndarray]:
    """Settings are read whatever they are: a window opens without them."""
    kept = load_settings(path)
    kept.remember(path)
    yield np.array([len(kept.recent)])


# ---- pictures on the terrain --------------------------------------------------------------------------


def drape_seeds() -> list[bytes]:
    """Colours, a palette, and numbers."""
    made = []
    x0, _, _, y1 = ramp().extent
    rng = np.random.default_rng(1)
    for bands, kind in ((3, "uint8"), (1, "uint8"), (1, "float32"), (4, "uint16")):
        grid = {"width": 12, "height": 9, "count": bands, "dtype": kind, "crs": "EPSG:2056"}
        with rasterio.MemoryFile() as memory:
            with memory.open(driver="GTiff", transform=rasterio.Affine(60.0, 0, x0, 0, -25.0, y1), **grid) as file:
                file.write(rng.integers(0, 200, (bands, 9, 12)).astype(kind))
                if (bands, kind) == (1, "uint8"):
                    file.write_colormap(1, {i: (i, 255 - i, 7, 255) for i in range(256)})
            made.append(bytes(memory.read()))
    return made


def drape(path: Path) -> Iterator[np.ndarray]:
    """A picture over the ramp."""
    covering = draped(path, ramp())
    yield covering.picture
    if covering.bar is not None:
        yield np.array([covering.bar.low, covering.bar.high])
