"""Files that were made to do harm are refused in one sentence, soon, before memory is taken; see also tests/fuzz."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import physics
from app.document.open import scenario_for
from physics import ScenarioError
from physics.io import trajectory_readers
from physics.io.trajectory_writers import FLAT, check_new_folder, check_output
from physics.scenario.batch import combinations
from physics.schemes.own_scheme import scheme_from_file
from physics.terrain.zones import read_shapes
from tests.fuzz.verdict import judged


def test_columns_that_unpack_to_much_are_refused(tmp_path: Path) -> None:
    rows, path = 400_000, tmp_path / "states.parquet"
    columns = {"scheme": pyarrow.array(["explicit"] * rows)} | dict.fromkeys(FLAT, pyarrow.array(np.zeros(rows)))
    table = pyarrow.table(columns).replace_schema_metadata({"polhode": json.dumps({"schemes": {}})})
    pyarrow.parquet.write_table(table, path)
    assert judged(lambda: trajectory_readers.load(path) and []).kind == "sentence"


def test_text_in_place_of_numbers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "states.parquet"
    columns = {"scheme": ["a"], **{name: [0.0] for name in FLAT}, "time": ["x" * 1000]}
    table = pyarrow.table(columns).replace_schema_metadata({"polhode": "{}"})
    pyarrow.parquet.write_table(table, path)
    with pytest.raises(ScenarioError, match="not a table of states"):
        trajectory_readers.load(path)


ENDINGS = [".toml", ".tif", ".asc", ".xyz", ".las", ".stl", ".npz", ".csv", ".png", ".mp4", ".html"]


def no_file(kind: str, path: Path) -> None:
    """Something else than a file at a path."""
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    elif kind == "a folder":
        path.mkdir()
    else:
        folder = os.getcwd()
        with socket.socket(socket.AF_UNIX) as made:
            os.chdir(path.parent)  # the name of a socket is short
            made.bind(path.name)
            os.chdir(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
@pytest.mark.parametrize("kind", ["a pipe", "a device", "a socket", "a folder"])
def test_what_is_no_file_is_called_what_it_is(kind: str, tmp_path: Path) -> None:
    for ending in ENDINGS:
        path = tmp_path / f"one{ending}"
        no_file(kind, path)
        if kind != "a folder" or ending == ".toml":  # another folder may be one of results
            with pytest.raises(ScenarioError, match=rf"one{ending}: {kind}, not a file; expected"):
                physics.World.of(scenario_for(path))
        if ending in (".npz", ".csv"):
            with pytest.raises(ScenarioError, match=f"cannot be written: it is {kind}"):
                check_output(path)
    no_file(kind, tmp_path / "conf0")
    for name in ("own.py", "zones.geojson"):
        no_file(kind, tmp_path / name)
    with pytest.raises(ScenarioError, match=rf"own\.py: {kind}, not a file"):
        scheme_from_file(tmp_path / "own.py")
    with pytest.raises(ScenarioError, match=rf"zones\.geojson: {kind}, not a file"):
        read_shapes(tmp_path / "zones.geojson")
    with pytest.raises(ScenarioError, match=r"(conf0: .*, not a file|cannot open 'conf0'|expected)"):
        physics.World.of(scenario_for(tmp_path / "conf0"))
    if kind != "a folder":
        no_file(kind, tmp_path / "out")
        with pytest.raises(ScenarioError, match=r"it is a (pipe|socket|link); expected a new folder"):
            check_new_folder(tmp_path / "out")


@pytest.mark.parametrize("ending", [".toml", ".tif", ".xyz", ".stl", ".npz", ".png", ""])
def test_a_name_that_is_too_long_is_no_file(ending: str) -> None:
    with pytest.raises(ScenarioError, match=r"no such file|cannot open"):
        physics.World.of(scenario_for("x" * 300 + ending))


def test_a_batch_of_very_many_is_refused() -> None:
    table = {f"a{i}": list(range(10)) for i in range(5000)}  # a number of 5000 digits, which Python does not print
    scenario = physics.Scenario(
        kind="free", duration=1.0, step=0.01, body={"size": (3.0, 2.0, 1.0), "mass": 1.0}, batch=table
    )
    with pytest.raises(ScenarioError, match="batch: more than 1000 combinations"):
        combinations(scenario)
