"""A folder of an ensemble's results is read again: its scenario, rows, paths, maps; what is wrong is one sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from commanding import polhode

from app.looking import Wanted
from app.opening import saved_for
from app.reopening import Reopened
from physics import ScenarioError, load_scenario, simulate

SLOPE = """\
kind = "rockfall"
duration = 6.0
step = 0.005
schemes = ["explicit", "implicit"]
[body]
shape = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[initial]
orientation = "random"
[terrain]
file = "slope.asc"
[release]
position = [2.0, 10.0]
[ensemble]
rocks = 7
seed = 5
mass = { distribution = "uniform", min = 500.0, max = 900.0 }
[[barrier]]
line = [[10.0, 1.0], [10.0, 19.0]]
height = 2.0
"""
ROCKS = 7


def write_slope(folder: Path) -> None:
    x, _ = np.meshgrid(np.arange(30.0), np.arange(20.0))
    rows = "\n".join(" ".join(f"{z:.3f}" for z in row) for row in np.maximum(0.0, 12.0 - 0.8 * x))
    head = "ncols 30\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n"
    (folder / "slope.asc").write_text(head + rows + "\n")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scenario, and its results with paths, without them, and with rows as .parquet."""
    folder = tmp_path_factory.mktemp("results")
    write_slope(folder)
    (folder / "slope.toml").write_text(SLOPE)
    for name, words in {"out": ["--paths"], "bare": [], "columns": ["--parquet"]}.items():
        assert polhode("ensemble", folder / "slope.toml", "-o", folder / name, "--quiet", *words).status == 0
    return folder


def opened(folder: Path) -> Reopened:
    return Reopened(folder, saved_for(folder).course.scenario)


def seen(results: Reopened, wanted: Wanted):
    """What the thread that looks leaves; looked at here."""
    try:
        return results._see(wanted, lambda *_: None)
    finally:
        results.close()


def table(folder: Path) -> np.ndarray:
    return np.genfromtxt(folder / "rocks.csv", delimiter=",", skip_header=1, dtype=None, encoding="utf-8")


@pytest.mark.parametrize("name", ["out", "out/summary.json"])
def test_a_folder_opens_with_the_scenario_that_it_was_made_from(made, name) -> None:
    saved = saved_for(made / name)
    assert saved.look.results == str(made / "out")
    assert saved.course.scenario.to_plain() == load_scenario(made / "slope.toml").to_plain()


@pytest.mark.parametrize("name", ["out", "columns"])
def test_every_row_is_found(made, name) -> None:
    results = opened(made / name)
    results.close()
    rows = table(made / "out")
    assert results.done == ROCKS
    for rock in range(ROCKS):
        found = results.row(rock)
        assert list(found) == ["explicit", "implicit"]
        for line in rows[rows["f1"] == rock]:
            row = found[str(line[0])]
            assert [row[key] for key in ("rock", "duration", "x", "y", "z", "energy_gain")] == [
                line[1], line[2], line[5], line[6], line[7], line[14],
            ]  # fmt: skip
    assert results.row(ROCKS) == results.row(-1) == {}


def test_a_rock_of_the_folder_falls_alone_bit_for_bit(made) -> None:
    results = opened(made / "out")
    results.close()
    run = simulate(results.scenario.changed(**{"ensemble.rock": 4}))
    for scheme, row in results.row(4).items():
        assert tuple(run[scheme].position[-1]) == (row["x"], row["y"], row["z"])


def test_paths_and_maps_are_those_of_the_folder(made) -> None:
    found = seen(opened(made / "out"), Wanted("implicit", "kinetic_energy", "max"))
    rows = table(made / "out")
    mine = rows[rows["f0"] == "implicit"]
    assert found.paths.rock.tolist() == list(range(ROCKS))
    assert found.rested.tolist() == [word == "rest" for word in mine["f4"]]
    assert np.nanmax(found.values) == pytest.approx(mine["f10"].max(), rel=1e-6)
    told = found.told["implicit"]
    assert (told.rocks, sum(told.reasons.values())) == (ROCKS, ROCKS)
    assert told.barriers[0]["rocks"] <= ROCKS
    assert found.told["explicit"].measures["runout"]["max"] == rows[rows["f0"] == "explicit"]["f8"].max()


def test_without_paths_it_shows_where_rocks_stopped(made) -> None:
    found = seen(opened(made / "bare"), Wanted("implicit"))
    ends = table(made / "bare")
    ends = ends[ends["f0"] == "implicit"]
    assert found.paths.points[::2, 0] == pytest.approx(ends["f5"] - 0.5, abs=1e-4)  # from the node [0, 0]
    assert np.isnan(found.paths.values).all()
    assert found.values is None


def test_moved_with_its_files_it_opens_there(made, tmp_path) -> None:
    there = tmp_path / "there"
    shutil.copytree(made / "out", there / "out")
    told = json.loads((there / "out" / "summary.json").read_text())
    told["folder"] = str(tmp_path / "nowhere")
    (there / "out" / "summary.json").write_text(json.dumps(told))
    with pytest.raises(ScenarioError, match="is not there any more"):
        saved_for(there / "out")
    shutil.copy(made / "slope.asc", there)
    assert saved_for(there / "out").course.scenario.folder == str(there)
    (there / "slope.asc").write_text((there / "slope.asc").read_text() + " ")
    with pytest.raises(ScenarioError, match="has changed since"):
        saved_for(there / "out")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "not a folder of results; expected one that polhode ensemble has written"),
        ("", "expected a file as polhode ensemble writes it"),
        ("[1]", "expected a file as polhode ensemble writes it"),
        ('{"files": {}, "scenario": {"kind": "free"}}', "duration: missing"),
        ('{"files": 3, "scenario": {}}', "expected a file as polhode ensemble writes it"),
        ('{"files": {}, "scenario": {"kind": "rockfall", "body": {"file": "../../x.stl"}}}', "leads out of the folder"),
    ],
)
def test_a_foreign_folder_is_told_in_one_line(tmp_path, text, words) -> None:
    if text is not None:
        (tmp_path / "summary.json").write_text(text)
    with pytest.raises(ScenarioError) as caught:
        saved_for(tmp_path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damaged_rows_and_maps_are_told(made, tmp_path) -> None:
    shutil.copytree(made / "out", tmp_path / "out")
    results = Reopened(tmp_path / "out", load_scenario(made / "slope.toml"))
    results.close()
    (tmp_path / "out" / "rocks.csv").write_text("scheme,rock\nimplicit,zero\n")
    with pytest.raises(ScenarioError, match="as polhode ensemble writes it"):
        results.row(0)
    (tmp_path / "out" / "maps" / "implicit" / "passages.tif").write_bytes(b"no map")
    with pytest.raises(ScenarioError):
        results._see(Wanted("implicit", "passages"), lambda *_: None)
