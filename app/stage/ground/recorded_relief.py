"""The recorded relief: the first picture of the first example's terrain comes with the program, as its run does.

Painting takes 0.07 s and loads SciPy, which takes 0.25 s: the first picture of the window would wait for both. It is
named after a digest of all that decides it, but for the processor, which may round a colour otherwise.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

import assets
from app.playback.recorded_runs import key
from app.stage.ground.shaded_relief import ShadedRelief
from physics.systems.rockfall.world import RockfallWorld

# what reads a terrain, and what paints it
SOURCES = (
    *("app/stage/ground/cubic_spline.py", "app/stage/ground/shaded_relief.py", "app/stage/ground/solid_noise.py"),
    *("physics/terrain/crop.py", "physics/terrain/dem.py", "physics/terrain/nodata.py"),
    *("physics/terrain/raster_io.py", "physics/terrain/terrain.py"),
)
_ROOT = Path(assets.__file__).parent.parent


def recorded_relief(world: RockfallWorld, folder: Path = assets.RELIEFS) -> ShadedRelief | None:
    """The pictures of a world's terrain, ROUGH pixels long, if they come with the program."""
    for file in folder.glob(f"*.{key_of(world)}.npz") if folder.is_dir() else ():
        with suppress(OSError, ValueError, KeyError, BadZipFile), np.load(file, allow_pickle=False) as kept:
            return ShadedRelief(kept["natural"], kept["light"], kept["ink"], float(kept["interval"]))
    return None  # none, or damaged: it is painted


def key_of(world: RockfallWorld, root: Path = _ROOT) -> str:
    """A digest of a world's terrain and files, and of the sources that read and paint it."""
    return key([world.scenario.in_full()["terrain"], dict(world.files)], root, SOURCES)
