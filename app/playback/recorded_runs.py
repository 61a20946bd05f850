"""Recorded runs that come with the program: shown until the kernels are compiled that compute the same.

A recording is named after its example and after a key, a digest of all that decides its numbers. Where one thing is
another, the name is another and nothing is found: a wrong recording is never shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import assets
import physics
from physics import ScenarioError
from physics.core.arithmetic import elementary_functions
from physics.core.json_text import json_text
from physics.core.trajectory import Trajectory
from physics.io.trajectory_readers import load
from physics.systems.world import World

# what rocks are computed with: their laws, how they turn, and what builds rock and ground
SOURCES = (
    *("bodies/body.py", "bodies/convex_hull.py", "bodies/shapes.py", "contact/*.py"),
    *("core/arithmetic.py", "core/jit.py", "core/rotation.py", "core/step_count.py"),
    *("schemes/contact_rotation.py", "schemes/explicit.py", "schemes/implicit.py", "schemes/loop.py"),
    *("schemes/newton.py", "schemes/rows/leine.py", "simulation/energies.py"),
    *("systems/ground_cover.py", "systems/ground_tables.py", "systems/release.py", "systems/rock_sampling.py"),
    *("systems/rockfall.py", "systems/rockfall_world.py", "systems/scenario_body.py", "systems/world.py"),
    *("terrain/crop.py", "terrain/dem.py", "terrain/ground_laws.py", "terrain/nodata.py", "terrain/raster_io.py"),
    *("terrain/scar.py", "terrain/slope.py", "terrain/soil.py", "terrain/terrain.py"),
)
_ROOT = Path(physics.__file__).parent


@dataclass(frozen=True)
class RecordedRun:
    """The beginning of the run of an example: lane -> its first states."""

    example: str
    lanes: Mapping[str, Trajectory]


def recorded_run(world: World, folder: Path = assets.RECORDINGS) -> RecordedRun | None:
    """The recorded run of a world, if one comes with the program."""
    if not folder.is_dir():
        return None
    ending = f".{key_of(world)}.npz"
    for file in folder.glob(f"*{ending}"):
        with suppress(ScenarioError):  # damaged: all is computed
            return RecordedRun(file.name.removesuffix(ending), load(file))
    return None


def key_of(world: World, root: Path = _ROOT) -> str:
    """A digest of a world's scenario and files, of the sources that compute it, and of this machine's functions."""
    plain = {key: value for key, value in world.scenario.in_full().items() if key not in ("title", "note", "view")}
    return key([plain, dict(world.files), elementary_functions()], root, SOURCES)


def key(facts: object, root: Path, sources: Iterable[str]) -> str:
    """A digest of plain facts, and of the sources in a folder by patterns of their names."""
    digest = hashlib.sha256(json_text(facts).encode())
    for pattern in sources:
        for file in sorted(root.glob(pattern)):
            digest.update(f"\n{file.relative_to(root).as_posix()}\n".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]
