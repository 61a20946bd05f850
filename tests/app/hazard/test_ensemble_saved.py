"""A folder of an ensemble's results is read again: its scenario, rows, paths, maps; what is wrong is one sentence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app.document.open import saved_for
from app.hazard.layers import check_layers
from app.hazard.saved import SavedEnsemble
from app.hazard.source import Query
from physics import ScenarioError, load_scenario
from tests.app.commanding import polhode
from tests.app.slopes import ROCKS
from tests.small import refused


def opened(folder: Path) -> SavedEnsemble:
    return SavedEnsemble(folder, saved_for(folder).schedule.scenario)


def seen(results: SavedEnsemble, wanted: Query):
    """What the thread that looks leaves; looked at here."""
    try:
        return results.see(wanted)
    finally:
        results.close()


def table(folder: Path) -> np.ndarray:
    return np.genfromtxt(folder / "rocks.csv", delimiter=",", skip_header=1, dtype=None, encoding="utf-8")


@pytest.mark.parametrize("name", ["out", "out/summary.json"])
def test_a_folder_opens_with_the_scenario_that_it_was_made_from(folders, name) -> None:
    saved = saved_for(folders / name)
    assert saved.look.results == str(folders / "out")
    assert saved.schedule.scenario.to_plain() == load_scenario(folders / "slope.toml").to_plain()


@pytest.mark.parametrize("name", ["out", "columns"])
def test_every_row_is_found(folders, name) -> None:
    results = opened(folders / name)
    results.close()
    rows = table(folders / "out")
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


def test_paths_and_maps_are_those_of_the_folder(folders) -> None:
    found = seen(opened(folders / "out"), Query(("explicit", "implicit"), "kinetic_energy", "max"))
    rows = table(folders / "out")
    mine = rows[rows["f0"] == "implicit"]
    for scheme, left in found.left.items():
        own = rows[rows["f0"] == scheme]
        assert left.paths.rock.tolist() == list(range(ROCKS))
        assert left.rested.tolist() == [word == "rest" for word in own["f4"]]
        assert np.nanmax(left.values) == pytest.approx(own["f10"].max(), rel=1e-6)
    assert list(found.left) == ["explicit", "implicit"]
    told = found.summaries["implicit"]
    assert (told.rocks, sum(told.reasons.values())) == (ROCKS, ROCKS)
    assert told.barriers[0]["rocks"] == (mine["f5"] > 10.0).sum() > 0  # that stopped beyond it
    assert found.summaries["explicit"].measures["runout"]["max"] == rows[rows["f0"] == "explicit"]["f8"].max()


def test_without_paths_it_shows_where_rocks_stopped(folders) -> None:
    found = seen(opened(folders / "bare"), Query(("implicit",))).left["implicit"]
    ends = table(folders / "bare")
    ends = ends[ends["f0"] == "implicit"]
    assert found.paths.points[::2, 0] == pytest.approx(ends["f5"] - 0.5, abs=1e-4)  # from the node [0, 0]
    assert np.isnan(found.paths.values).all()
    assert found.values is None


def test_moved_with_its_files_it_opens_there(folders, tmp_path) -> None:
    there = tmp_path / "there"
    shutil.copytree(folders / "out", there / "out")
    told = json.loads((there / "out" / "summary.json").read_text())
    told["folder"] = str(tmp_path / "nowhere")
    (there / "out" / "summary.json").write_text(json.dumps(told))
    with pytest.raises(ScenarioError, match="no longer exists"):
        saved_for(there / "out")
    shutil.copy(folders / "slope.asc", there)
    assert saved_for(there / "out").schedule.scenario.folder == str(there)
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
    with refused(words):
        saved_for(tmp_path)


def test_damaged_rows_and_maps_are_told(folders, tmp_path) -> None:
    shutil.copytree(folders / "out", tmp_path / "out")
    results = SavedEnsemble(tmp_path / "out", load_scenario(folders / "slope.toml"))
    results.close()
    (tmp_path / "out" / "rocks.csv").write_text("scheme,rock\nimplicit,zero\n")
    with pytest.raises(ScenarioError, match="as polhode ensemble writes it"):
        results.row(0)
    (tmp_path / "out" / "maps" / "implicit" / "passages.tif").write_bytes(b"no map")
    with pytest.raises(ScenarioError):
        results.see(Query(("implicit",), "passages"))


def test_results_whose_rocks_were_counted_in_another_way_are_refused_in_a_sentence(folders, tmp_path) -> None:
    summary = Path(shutil.copytree(folders / "out", tmp_path / "out")) / "summary.json"
    facts = json.loads(summary.read_text())
    del facts["counting"]
    summary.write_text(json.dumps(facts))
    shown = {"export.results": str(tmp_path / "out"), "export.map": "passages"}
    for use in (
        lambda: opened(tmp_path / "out"),
        lambda: check_layers(load_scenario(folders / "slope.toml").changed(**shown)),
    ):
        with refused("out: was written by an earlier version, which counted rocks in another way; compute it again"):
            use()
    done = polhode("ensemble", folders / "slope.toml", "-o", tmp_path / "out", "--resume")
    assert (done.status, done.out) == (2, "")
    assert (
        "it was begun by an earlier version, which counted rocks in another way; remove it and start anew" in done.err
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes there")
@pytest.mark.parametrize(
    ("pipe", "wanted"),
    [
        ("maps/explicit/deposits.tif", Query(("explicit",), map="deposits")),
        ("maps/explicit/deposits.tfw", Query(("explicit",), map="deposits")),
        ("summary.json", Query(("explicit",))),
        ("rocks.csv", Query(("explicit",))),
        ("paths.geojson", Query(("explicit",))),
    ],
)
def test_a_pipe_among_results_is_told_and_not_waited_for(folders, tmp_path, pipe, wanted) -> None:
    folder = Path(shutil.copytree(folders / "out", tmp_path / "out"))
    (tmp_path / "slope.asc").write_bytes((folders / "slope.asc").read_bytes())
    (folder / pipe).unlink(missing_ok=True)
    os.mkfifo(folder / pipe)
    program = f"""
import sys
from pathlib import Path
from app.hazard.source import Query
from app.document.open import saved_for
from app.hazard.layers import check_layers
from app.hazard.saved import SavedEnsemble
from physics import ScenarioError
try:
    results = SavedEnsemble({str(folder)!r}, saved_for({str(folder)!r}).schedule.scenario)
    results.see({wanted!r})
    results.close()
except ScenarioError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if pipe == "summary.json":
        assert "not a folder of results" in done.stdout
    elif pipe.startswith("maps"):
        assert done.stdout == f"{folder / pipe}: expected a file, got a pipe\n"
    else:  # is as if it were not there
        assert (done.stdout, done.returncode) == ("", 0)
