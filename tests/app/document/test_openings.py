"""Files of hundreds of gigabytes that hold nothing, or nothing below a sound beginning: refused at once."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio

import physics
from app.document.open import saved_for
from app.hazard.saved import SavedEnsemble
from app.hazard.source import Query
from app.playback.run import Run
from physics.bodies.mesh_io import read_mesh
from physics.core.input_checks import MAX_INPUT_BYTES
from physics.ensembles.summary import scenario_of_results
from physics.hazard.checkpoint import begun
from physics.hazard.merge import gather
from physics.io import trajectory_readers, trajectory_writers
from physics.systems.rockfall.release import source_of
from physics.systems.rockfall.scenario import ReleaseConfig
from physics.systems.rockfall.world import make_terrain
from physics.terrain.dem import read_terrain
from physics.terrain.zones import read_shapes
from tests.app.commanding import polhode
from tests.faults.processes import ROCKS
from tests.small import cuboid, rock

GB = 10**9
MAP = b"ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\n9 8 7 6\n"
TABLE = b"scheme,time [s]\nexplicit,0.0\n"


def sparse(path: Path, size: int, head: bytes = b"") -> Path:
    """A file of a size that begins with some bytes; of what follows nothing is on the disk."""
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return path


def released(path: Path) -> object:
    """The reader of release points."""
    return source_of(ReleaseConfig(file=path.name), make_terrain(rock()), path.parent)


OUTSIDE: dict[str, tuple[Callable[[Path], Any], bytes, str]] = {  # ending -> its reader, a head, why at 30 GB
    ".xyz": (read_terrain, b"1 2 3\n2 2 3\n", "line 3: expected text, got a NUL byte"),
    ".asc": (read_terrain, MAP, "line 7: expected text, got a NUL byte"),
    ".tif": (read_terrain, b"II*\0", "not a readable terrain"),
    ".stl": (read_mesh, b"solid\n", "30 GB are more than the 64 MB that a body may have"),
    ".obj": (read_mesh, b"v 0 0 0\n", "30 GB are more than the 64 MB that a body may have"),
    ".ply": (read_mesh, b"ply\n", "30 GB are more than the 64 MB that a body may have"),
    ".pts": (read_mesh, b"0 0 0\n", "30 GB are more than the 64 MB that a body may have"),
    ".geojson": (read_shapes, b"{", "30 GB are more than the 50 MB that shapes may have"),
    ".json": (read_shapes, b"{", "30 GB are more than the 50 MB that shapes may have"),
    ".gpkg": (read_shapes, b"SQLite format 3\0", "30 GB are more than the 500 MB that shapes may have"),
    ".shp": (read_shapes, b"\0\0\x27\x0a", "30 GB are more than the 500 MB that shapes may have"),
    ".csv": (trajectory_readers.load, TABLE, "missing; expected a table of states"),
    ".npz": (trajectory_readers.load, b"PK\3\4", "not a trajectory that polhode wrote"),
    ".parquet": (trajectory_readers.load, b"PAR1", "not a trajectory that polhode wrote|not a table of states"),
    ".toml": (saved_for, b"kind = 'free'\n", "30 GB are more than the 1 MB that a scenario or a session may have"),
    ".polhode.toml": (saved_for, b"[session]\n", "30 GB are more than the 1 MB"),
    ".png": (saved_for, b"\x89PNG\r\n\x1a\n", "contains no recipe"),
    ".gif": (saved_for, b"GIF89a", "contains no recipe"),
    ".apng": (saved_for, b"\x89PNG\r\n\x1a\n", "contains no recipe"),
    ".html": (saved_for, b"<html>", "contains no recipe"),
    ".glb": (saved_for, b"glTF", "30 GB are more than the 64 MB that a body may have"),
    ".gltf": (read_mesh, b"{", "30 GB are more than the 64 MB that a body may have"),
    ".mp4": (saved_for, b"\0\0\0\x20ftypisom", "contains no recipe"),
    ".webm": (saved_for, b"\x1a\x45\xdf\xa3", "contains no recipe"),
    ".mov": (saved_for, b"\0\0\0\x14ftypqt  ", "contains no recipe"),
    ".mkv": (saved_for, b"\x1a\x45\xdf\xa3", "contains no recipe"),
}


def refused(read: Callable[[], Any], why: str) -> None:
    """Refused with a sentence of one line, and without reading far: a second of a processor reads a gigabyte."""
    began = time.thread_time()
    with pytest.raises(physics.ScenarioError, match=why) as fault:
        read()
    assert "\n" not in str(fault.value)
    assert time.thread_time() - began < 2.0


@pytest.mark.parametrize("ending", OUTSIDE)
@pytest.mark.parametrize("size", [30 * GB, 900 * GB])
def test_a_file_of_nothing_is_refused_at_once(ending: str, size: int, tmp_path: Path) -> None:
    read, head, why = OUTSIDE[ending]
    if size > MAX_INPUT_BYTES and not why.startswith("contains"):
        why = why if why.startswith("30") else "30 GB are more than the (100|40) GB that a t(errain|rajectory) may have"
    path = sparse(tmp_path / f"file{ending}", size, head)
    refused(lambda: read(path), why.replace("30 GB", f"{size // GB} GB"))
    refused(lambda: read(sparse(path, size)), ".")


def test_release_points_of_nothing_are_refused_at_once(tmp_path: Path) -> None:
    sparse(tmp_path / "points.csv", 900 * GB, b"x,y\n10,10\n")
    refused(lambda: released(tmp_path / "points.csv"), "900 GB are more than the 64 MB that release points may have")


def test_what_lies_beside_a_shapefile_is_bounded_too(tmp_path: Path) -> None:
    sparse(tmp_path / "soils.shp", 200, b"\0\0\x27\x0a")
    sparse(tmp_path / "soils.dbf", 900 * GB)
    refused(lambda: read_shapes(tmp_path / "soils.shp"), r"soils\.dbf: 900 GB are more than the 500 MB")


def test_a_table_whose_end_is_nothing_is_refused_at_once(tmp_path: Path) -> None:
    scenario = cuboid(duration=0.1, schemes=("explicit",))
    trajectory_writers.save(tmp_path / "run.csv", physics.simulate(scenario), scenario)
    with (tmp_path / "run.csv").open("r+b") as file:
        file.truncate(30 * GB)
    refused(
        lambda: trajectory_readers.load(tmp_path / "run.csv"), "not a table of states that polhode wrote, or cut short"
    )


# ---- results ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    (folder / "rocks.toml").write_text(ROCKS.format(rocks=2))
    words = ["--counts", "--paths", "--workers", "1", "--quiet"]
    assert polhode("ensemble", folder / "rocks.toml", "-o", folder / "out", *words).status == 0
    return folder / "out"


@pytest.mark.parametrize("name", ["summary.json", "rocks.csv", "paths.geojson", "counts.npz"])
@pytest.mark.parametrize("whole", [True, False])
def test_results_of_nothing_are_refused_at_once(name: str, whole: bool, results: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(results, tmp_path / "out"))
    scenario = scenario_of_results(folder)
    with (folder / name).open("r+b") as file:
        file.truncate(0 if whole else (folder / name).stat().st_size)
        file.truncate(900 * GB)
    if name == "summary.json":
        refused(lambda: saved_for(folder), r"summary\.json: 900 GB are more than the 16 MB that a summary may have")
    elif name == "counts.npz":
        refused(lambda: gather([folder, results], tmp_path / "all"), r"counts\.npz: is damaged")
    else:
        saved_ensemble = SavedEnsemble(folder, scenario)
        try:
            if name == "rocks.csv":
                refused(lambda: saved_ensemble.row(1), "expected a file as polhode ensemble writes it")
            wanted = Query(scenario.schemes[:1])
            refused(lambda: saved_ensemble.see(wanted), "expected a file as polhode ensemble writes it")
        finally:
            saved_ensemble.close()


def test_a_checkpoint_of_nothing_is_passed_over_at_once(tmp_path: Path) -> None:
    sparse(tmp_path / f"rocks-000000000003-{'0' * 32}.npz", 900 * GB)
    began = time.thread_time()
    assert begun(tmp_path) is None
    assert time.thread_time() - began < 2.0


# ---- what is read for long all the same ----------------------------------------------------------------


@pytest.fixture
def long(tmp_path: Path) -> physics.Scenario:
    """A sound map whose file goes on for 90 GB: its digest takes a minute or two."""
    heights = np.add.outer(np.arange(50.0), np.arange(50.0)).astype(np.float32)
    profile = {"driver": "GTiff", "width": 50, "height": 50, "count": 1, "dtype": "float32", "crs": "EPSG:2056"}
    with rasterio.open(tmp_path / "map.tif", "w", **profile, transform=rasterio.Affine(2, 0, 0, 0, -2, 100)) as file:
        file.write(heights, 1)
    os.truncate(tmp_path / "map.tif", 90 * GB)
    return rock(terrain={"file": "map.tif"}, release={}, folder=str(tmp_path))


def test_a_run_whose_map_is_read_for_long_is_cancelled_at_once(long: physics.Scenario) -> None:
    run = Run(long).start()
    run.join(0.5)
    assert not run.finished
    run.cancel()
    run.join()
    assert run.finished
    assert run.error == "the run was cancelled"


def interrupt_amid(path: Path, done: threading.Event) -> None:
    """Send Ctrl+C to this process once it has read a gigabyte of a file; where it is then does not depend on time."""
    while not done.wait(0.05):
        for entry in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(OSError):
                if entry.readlink() == path:
                    at = re.search(r"pos:\s*(\d+)", Path("/proc/self/fdinfo", entry.name).read_text())
                    if at is not None and int(at[1]) > GB:
                        signal.raise_signal(signal.SIGINT)
                        return


@pytest.mark.skipif(not Path("/proc/self/fdinfo").is_dir(), reason="the system does not tell what is read")
@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("command", ["ensemble", "run"])
def test_ctrl_c_ends_a_command_that_reads_for_long(command: str, long: physics.Scenario, tmp_path: Path) -> None:
    """A map is given up although the interrupt is postponed while kernels are compiled."""
    ended = threading.Event()
    threading.Thread(target=interrupt_amid, args=(tmp_path / "map.tif", ended)).start()
    began = time.thread_time()
    try:
        done = polhode(command, tmp_path / "map.tif", "-o", tmp_path / ("out.npz" if command == "run" else "out"))
    finally:
        ended.set()
    assert done.status == 130
    assert "interrupted" in done.err
    assert time.thread_time() - began < 5.0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map.tif"]
