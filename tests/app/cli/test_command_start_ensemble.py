"""``polhode ensemble`` of bodies on a table: its folder, its figure, and what it refuses."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest

import assets
from app.document.toml_writer import toml_text
from physics import load_scenario
from tests.app.commanding import complaint, polhode

TOP = load_scenario(assets.SCENARIOS / "table-tippe-top.toml")


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """A file of tippe tops under two frictions."""
    path = tmp_path / "tops.toml"
    path.write_text(toml_text(TOP.changed(duration=0.02, batch={"table": {"mu": [0.1, 0.2]}}).to_plain()))
    return path


@pytest.mark.picture
def test_it_writes_runs_shares_and_a_figure(sweep: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = polhode("ensemble", sweep, "-o", out, "--rocks", "3", "--seed", "7", "--scheme", "implicit")
    told = "inverts 0 of 3, 0 % (95 %: 0 to 56.1 %)"
    assert done == (0, f"implicit, table.mu 0.1: {told}\nimplicit, table.mu 0.2: {told}\n", "")
    assert sorted(path.name for path in out.iterdir()) == ["runs.csv", "share.pdf", "share.png", "summary.json"]
    rows = list(csv.DictReader((out / "runs.csv").read_text().splitlines()))
    assert [(row["scheme"], row["table.mu"], row["run"]) for row in rows[2:4]] == [
        ("implicit", "0.1", "2"),
        ("implicit", "0.2", "0"),
    ]
    assert {(row["inverts"], row["inverts_at [s]"], row["failed"]) for row in rows} == {("0", "", "0")}
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["runs"], summary["seed"], summary["shares"][1]["table.mu"]) == (6, 7, 0.2)
    assert summary["scenario"]["ensemble"]["runs"] == 3


def test_friction_without_bound_is_told_as_a_text(tmp_path: Path) -> None:
    path, out = tmp_path / "tops.toml", tmp_path / "out"
    short = TOP.changed(duration=0.002, batch={"table": {"mu": [0.1, math.inf]}})
    path.write_text(toml_text(short.to_plain()))
    assert polhode("ensemble", path, "-o", out, "--runs", "2", "--scheme", "implicit", "--quiet") == (0, "", "")
    summary = json.loads((out / "summary.json").read_text(), parse_constant=pytest.fail)
    assert [share["table.mu"] for share in summary["shares"]] == [0.1, "inf"]
    assert summary["scenario"]["batch"] == {"table": {"mu": [0.1, "inf"]}}


def test_wrong_input_is_one_sentence(sweep: Path, tmp_path: Path) -> None:
    for words, why in (
        (["--resume"], "--resume: applies to ensembles of rocks, got kind 'table'"),
        (["--rocks", "200000"], "--rocks"),
        (["--scheme", "verlet"], "--scheme"),
    ):
        assert why in complaint("ensemble", sweep, "-o", tmp_path / "out", *words)
    assert not (tmp_path / "out").exists()
