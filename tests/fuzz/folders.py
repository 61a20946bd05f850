"""The readers of what an ensemble leaves: one file of a good folder is the input, the others are as they were."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

import physics
from app.document.open import saved_for
from app.hazard.layers import MAPS, check_layers, read_paths
from app.hazard.saved import SavedEnsemble
from app.hazard.source import Query
from physics.hazard.checkpoint import CheckpointWriter
from physics.hazard.ensemble import Ensemble, Results
from physics.hazard.merge import gather
from physics.hazard.results_folder import save_results
from physics.systems.world import World

ROCKS = 3
_KEEP = tempfile.TemporaryDirectory()  # until the program ends


def _scenario() -> physics.Scenario:
    return physics.Scenario(
        kind="rockfall",
        duration=0.3,
        step=0.01,
        schemes=("implicit",),
        body={"shape": "cuboid", "size": (1.0, 1.0, 1.0), "mass": 1.0},
        initial={"orientation": "random"},
        terrain={"profile": "ramp", "drop": 20.0, "width": 40.0},
        release={"position": (1.0, 0.0)},
        ensemble={"rocks": ROCKS, "seed": 1},
        barrier=[{"line": ((2.0, -5.0), (2.0, 5.0)), "height": 2.0}],
    )


@cache
def _world() -> World:
    return World.of(_scenario())


@cache
def _good() -> Path:
    """A folder of results with rocks.csv, ``columns`` with rocks.parquet, ``out.part`` with a checkpoint."""
    home = Path(_KEEP.name)
    ensemble = Ensemble(_world())
    with CheckpointWriter(home / "out", ensemble, resume=False) as keeper:
        march = ensemble.march(1)
        next(march)
        keeper.save()
        shutil.copytree(home / "out.part", home / "begun")
        for _ in march:
            pass
    save_results(home / "lines", ensemble, paths=True, counts=True)
    save_results(home / "columns", ensemble, parquet=True)
    other = Ensemble(World.of(_scenario().changed(**{"ensemble.seed": 2})))
    for _ in other.march(1):
        pass
    save_results(home / "others", other, counts=True)
    return home


@cache
def _apart(kind: str, name: str) -> Path:
    """A copy of a good folder, in which one file may be another."""
    folder = Path(_KEEP.name, "apart", f"{kind}-{Path(name).name}")
    shutil.copytree(_good() / kind, folder)
    return folder


def seeds(kind: str, name: str) -> list[bytes]:
    """The good file."""
    return [(_good() / kind / name).read_bytes()]


def checkpoint_seeds() -> list[bytes]:
    """A good checkpoint."""
    return [path.read_bytes() for path in (_good() / "begun").glob("rocks-*.npz")]


def results(path: Path, kind: str, name: str) -> Iterator[np.ndarray]:
    """A folder with the file in place of the one of that name: what a window and a picture show of it."""
    folder = _apart(kind, name)
    shutil.copyfile(path, folder / name)
    scenario = saved_for(folder).schedule.scenario
    found = SavedEnsemble(folder, scenario)
    try:
        scheme = scenario.schemes[0]
        for told in found.see(Query()).summaries.values():
            yield np.array([list(numbers.values()) for numbers in told.measures.values()])
        for rock in range(-1, ROCKS + 1):
            for row in found.row(rock).values():
                yield np.array(row.tolist(), float)
        for layer in ("", *MAPS):
            left = found.see(Query((scheme,), layer)).left[scheme]
            yield left.paths.points
            if left.values is not None:
                yield np.nan_to_num(left.values, nan=0.0)  # NaN: no rock passed
    finally:
        found.close()


def shown(path: Path, name: str) -> Iterator[np.ndarray]:
    """The file of a folder as an export shows it."""
    folder = _apart("lines", name)
    shutil.copyfile(path, folder / name)
    scenario, terrain = _scenario().changed(**{"export.results": str(folder)}), _world().terrain
    assert terrain is not None
    check_layers(scenario)
    paths = read_paths(folder / "paths.geojson", "implicit", terrain)
    yield from (paths.points, paths.values, paths.rock, paths.offsets)


def counts(path: Path) -> Iterator[np.ndarray]:
    """A part that is gathered with a good one."""
    folder, out = _apart("lines", "counts.npz"), Path(_KEEP.name, "gathered")
    shutil.copyfile(path, folder / "counts.npz")
    shutil.rmtree(out, ignore_errors=True)
    return _numbers(gather([_good() / "others", folder], out).results)


def checkpoint(path: Path) -> Iterator[np.ndarray]:
    """A checkpoint from which an ensemble goes on; its name tells the digest of its bytes."""
    home = Path(_KEEP.name, "resumed.part")
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(_good() / "begun", home, ignore=shutil.ignore_patterns("rocks-*"))
    digest = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    shutil.copyfile(path, home / f"rocks-{1:012d}-{digest}.npz")
    ensemble = Ensemble(_world())
    CheckpointWriter(home.with_suffix(""), ensemble, resume=True)
    for _ in ensemble.march(1):
        pass
    assert ensemble.done == ROCKS
    return _numbers(ensemble.results)


def _numbers(results: dict[str, Results]) -> Iterator[np.ndarray]:
    """What results tell."""
    for found in results.values():
        yield from (np.array(found.rows.read().tolist(), float), found.statistics.sums, found.statistics.bins)
        yield from (np.nan_to_num(values, nan=0.0) for _, _, values in found.maps.layers())  # NaN: no rock passed
