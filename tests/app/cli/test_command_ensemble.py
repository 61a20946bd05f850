"""``polhode ensemble``: what it writes, what it refuses, and that nothing is left of an interrupted one."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pyogrio.raw
import pytest

import assets
from physics import ScenarioError
from physics.ensembles.summary import scenario_of_results
from physics.hazard.checkpoint import remove_checkpoints
from physics.hazard.statistics import QUANTITIES
from tests.app.commanding import complaint, polhode
from tests.faults.processes import ROCKS, started


@pytest.fixture
def rocks(tmp_path: Path) -> Path:
    path = tmp_path / "rocks.toml"
    path.write_text(ROCKS.format(rocks=3))
    return path


def test_it_writes_a_folder_and_says_how_the_rocks_ended(rocks: Path, tmp_path: Path) -> None:
    done = polhode("ensemble", rocks, "-o", tmp_path / "out")
    assert done == (0, "explicit: 3 rocks; rest 3\nimplicit: 3 rocks; rest 3\n", "")
    assert (tmp_path / "out" / "maps" / "implicit" / "reach_probability.tif").is_file()


def test_rocks_that_did_not_rest_are_told_with_what_they_make_of_the_run_out(rocks: Path, tmp_path: Path) -> None:
    rocks.write_text(rocks.read_text().replace("duration = 60.0", "duration = 2.0"))
    words = ["--scheme", "implicit", "--counts"]
    done = polhode("ensemble", rocks, "-o", tmp_path / "out", *words)
    found = json.loads((tmp_path / "out" / "summary.json").read_text())["schemes"]["implicit"]
    runout = found["runout"]
    told = (
        f"implicit: 3 rocks; end 3; 100.0% not at rest: the run-out is at least {runout['mean']:.4g} m in the mean and "
        f"{runout['median']:.4g} m in the median, which by Kaplan and Meier is not reached\n"
    )
    assert done == (0, told, "")
    assert (found["censored"], found["runout_kaplan_meier"]) == (1.0, {"median": None})
    assert polhode("gather", tmp_path / "out", "-o", tmp_path / "whole").out == told
    whole = json.loads((tmp_path / "whole" / "summary.json").read_text())["schemes"]["implicit"]
    assert whole["runout"] == runout
    assert (whole["censored"], whole["runout_kaplan_meier"]) == (1.0, {"median": None})


def test_parts_are_gathered_and_say_so_when_they_are_opened(rocks: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        words = ["--seed", seed, "--scheme", "implicit", "--counts", "--quiet"]
        assert polhode("ensemble", rocks, "-o", tmp_path / f"part{seed}", *words).status == 0
    done = polhode("gather", tmp_path / "part1", tmp_path / "part2", "-o", tmp_path / "whole")
    assert done == (0, "implicit: 6 rocks; rest 6\n", "")
    with pytest.raises(ScenarioError, match=r"whole: gathered from several ensembles; open one of them .*part1"):
        scenario_of_results(tmp_path / "whole")
    refused = polhode("gather", tmp_path / "part1", tmp_path, "-o", tmp_path / "more")
    assert refused.status == 2
    assert "holds no counts.npz; expected a folder of polhode ensemble --counts" in refused.err
    words = ["-o", tmp_path / "more", "--scheme", "implicit"]
    assert "unrecognized arguments: --scheme" in polhode("gather", tmp_path / "part1", *words).err


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
        (
            [assets.SCENARIOS / "top-steady.toml", "-o", tmp_path / "out"],
            "top-steady.toml: kind: an ensemble expects free, rockfall, table or joints, got 'top'",
        ),
        ([rocks, "-o", tmp_path / "out", "--scheme", "verlet"], "--scheme"),
        ([rocks, "-o", tmp_path / "out", "--rocks", "0"], "expected a whole number of at least 1"),
        ([rocks, "-o", tmp_path / "out", "--workers", "x"], "--workers"),
        ([rocks, "-o", tmp_path], "the folder is not empty"),
        ([rocks, "-o", tmp_path / "no" / "out"], "there is no folder"),
    ):
        assert why in complaint("ensemble", *words)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of folders there")
def test_an_output_that_another_process_writes_is_refused_before_it_is_computed_too(rocks: Path) -> None:
    words = ["ensemble", rocks, "-o", rocks.with_name("out"), "--rocks", "1000000"]
    child = started(*words, "--progress", "lines")
    assert child.stderr.readline() == "progress 1 1000000\n"
    assert f"{rocks.with_name('out')}: is being written by another process" in complaint(*words)
    assert rocks.with_name("out.part").is_dir()
    child.kill()
    child.communicate()
    remove_checkpoints(rocks.with_name("out.part"))  # kept on a machine so busy that ten seconds went by
    done = polhode(*words[:-1], "2")  # what was killed holds nothing
    assert done.status == 0, done.err
    assert sorted(path.name for path in rocks.parent.iterdir()) == ["out", rocks.name]


def test_rows_and_paths_for_other_programs(rocks: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert polhode("ensemble", rocks, "-o", tmp_path / "out", "--parquet", "--paths", "--quiet").status == 0
    assert polhode("ensemble", rocks, "-o", tmp_path / "csv", "--quiet").status == 0
    table = parquet.read_table(tmp_path / "out" / "rocks.parquet").to_pylist()
    with (tmp_path / "csv" / "rocks.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [list(map(str, row.values())) for row in table] == [list(row.values()) for row in rows]
    assert not (tmp_path / "out" / "rocks.csv").exists()
    lines = json.loads((tmp_path / "out" / "paths.geojson").read_text())["features"]
    assert [(f["properties"]["scheme"], f["properties"]["rock"]) for f in lines] == [
        (scheme, rock) for scheme in ("explicit", "implicit") for rock in range(3)
    ]
    assert lines[0]["geometry"]["coordinates"][0][:2] == [1.0, 0.0]
    x = float(rows[0]["x [m]"])
    assert lines[0]["geometry"]["coordinates"][-1][0] == pytest.approx(x, abs=0.01)
    first = lines[0]["properties"]
    assert len(first["kinetic_energy"]) == len(lines[0]["geometry"]["coordinates"])  # a value a point, to four digits
    of_rows = {(row["scheme"], int(row["rock"])): row for row in rows}
    for line in lines:  # over all steps, also between two points of the path
        own, row = line["properties"], of_rows[line["properties"]["scheme"], line["properties"]["rock"]]
        for name, unit in QUANTITIES.items():
            assert own[f"max_{name}"] == float(row[f"max_{name} [{unit}]"]) >= max(own[name]) * (1 - 1e-3)
    meta, _, _, read = pyogrio.raw.read(tmp_path / "out" / "results.gpkg", layer="path_points", read_geometry=False)
    points = dict(zip(meta["fields"], read, strict=True))
    assert first["t"][0] == 0.0
    assert first["t"][-1] == pytest.approx(float(rows[0]["duration [s]"]), abs=0.01)
    assert points["t"].tolist() == [t for line in lines for t in line["properties"]["t"]]
    assert points["velocity"].tolist() == [v for line in lines for v in line["properties"]["velocity"]]
    dates = points["time"].astype("datetime64[ms]").astype(float) / 1000.0  # a GIS knows them as such, since 1970
    assert dates == pytest.approx(points["t"], abs=1.1e-3)


def test_no_scheduler_is_one_sentence(rocks: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    said = complaint("ensemble", rocks, "-o", tmp_path / "out", "--dask", "tcp://127.0.0.1:1")
    assert "--dask: no scheduler answers at 'tcp://127.0.0.1:1'" in said
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rocks.toml"]
