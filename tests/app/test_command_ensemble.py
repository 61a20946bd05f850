"""``polhode ensemble``: what it writes, what it refuses, and that nothing is left of an interrupted one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commanding import cuboid_file, polhode

ROOT = Path(__file__).parents[2]
ROCKS = """\
kind = "rockfall"
duration = 60.0
step = 0.004
schemes = ["explicit", "implicit"]
[body]
shape = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[initial]
orientation = "random"
[terrain]
profile = "ramp"
drop = 20.0
[release]
position = [1.0, 0.0]
[ensemble]
rocks = 3
"""


@pytest.fixture
def rocks(tmp_path: Path) -> Path:
    path = tmp_path / "rocks.toml"
    path.write_text(ROCKS)
    return path


def test_it_writes_a_folder_and_says_how_the_rocks_ended(rocks: Path, tmp_path: Path) -> None:
    done = polhode("ensemble", rocks, "-o", tmp_path / "out")
    assert done == (0, "explicit: 3 rocks; rest 3\nimplicit: 3 rocks; rest 3\n", "")
    assert (tmp_path / "out" / "maps" / "implicit" / "reach_probability.tif").is_file()


def test_options_take_the_place_of_the_scenario_s_values(rocks: Path, tmp_path: Path) -> None:
    words = ["--rocks", "4", "--seed", "9", "--scheme", "implicit", "--workers", "2", "--progress", "lines"]
    done = polhode("ensemble", rocks, "-o", tmp_path / "out", *words)
    assert done.status == 0
    assert done.err.splitlines() == [f"progress {n} 4" for n in (1, 2, 3, 4)]
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (summary["rocks"], summary["seed"], summary["workers"]) == (4, 9, 2)
    assert list(summary["schemes"]) == ["implicit"]
    assert polhode("ensemble", rocks, "-o", tmp_path / "more", "--rocks", "1", "--quiet") == (0, "", "")


def test_wrong_input_is_one_sentence(rocks: Path, tmp_path: Path) -> None:
    for words, why in (
        ([cuboid_file(tmp_path), "-o", tmp_path / "out"], "cuboid.toml: kind: an ensemble expects 'rockfall'"),
        ([rocks, "-o", tmp_path / "out", "--scheme", "verlet"], "--scheme"),
        ([rocks, "-o", tmp_path / "out", "--rocks", "0"], "expected a whole number of at least 1"),
        ([rocks, "-o", tmp_path / "out", "--workers", "x"], "--workers"),
        ([rocks, "-o", tmp_path], "the folder is not empty"),
        ([rocks, "-o", tmp_path / "no" / "out"], "there is no folder"),
    ):
        done = polhode("ensemble", *words)
        assert done.status == 2
        assert done.is_told_in_one_line
        assert why in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupted_ensemble_leaves_nothing(rocks: Path) -> None:
    child = subprocess.Popen(
        [
            *(sys.executable, "-m", "app", "ensemble", rocks, "-o", rocks.with_name("out")),
            *("--rocks", "1000000", "--progress", "lines"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert child.stderr is not None
    assert child.stderr.readline() == "progress 1 1000000\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "polhode: interrupted"
    assert "Traceback" not in err
    assert list(rocks.parent.iterdir()) == [rocks]
