"""Files that were made to do harm are refused in one sentence, soon, before memory is taken; see also tests/fuzz."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import physics
from app.document.open import scenario_for
from physics import ScenarioError
from physics.io import trajectory_readers
from physics.io.trajectory_writers import FLAT
from physics.scenario.batch import combinations
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
@pytest.mark.parametrize("ending", [".toml", ".tif", ".asc", ".xyz", ".stl", ".npz", ".csv", ".png", ".mp4", ".html"])
def test_a_pipe_that_never_answers_is_no_file(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"pipe{ending}"
    os.mkfifo(path)
    with pytest.raises(ScenarioError, match=r"no such file|expected \.npz"):
        physics.World.of(scenario_for(path))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices")
@pytest.mark.parametrize("ending", [".toml", ".tif", ".stl", ".npz"])
def test_a_link_to_a_device_is_no_file(ending: str, tmp_path: Path) -> None:
    (tmp_path / f"zero{ending}").symlink_to("/dev/zero")
    with pytest.raises(ScenarioError, match="no such file"):
        physics.World.of(scenario_for(tmp_path / f"zero{ending}"))


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
