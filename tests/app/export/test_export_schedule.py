"""Exports of what was edited on the way: the whole course is drawn and written, and the file tells it again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.document.open import saved_for, scenario_for
from app.document.session import SavedSession, SessionView, save_session
from physics import load_scenario
from physics.io.trajectory_readers import load
from physics.simulation.schedule import Schedule
from tests.app.commanding import CUBOID, complaint, polhode

EDIT = "[[edit]]\ntime = 0.2\nstep = 0.02\n[[edit]]\ntime = 0.3\nbody = {mass = 5.0, inertia = [4.0, 3.0, 2.0]}\n"


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    path = tmp_path / "edited.toml"
    path.write_text(CUBOID + EDIT)
    return path


def test_a_run_holds_the_edits_and_opens_with_them(edited: Path) -> None:
    assert polhode("run", edited, "-o", edited.with_suffix(".npz"), "--quiet").status == 0
    run = load(edited.with_suffix(".npz"))["implicit"]
    np.testing.assert_allclose(np.diff(run.time), [0.01] * 20 + [0.02] * 15)
    again = saved_for(edited.with_suffix(".npz")).schedule
    assert again.times == (0.0, 0.2, 0.3)
    assert [scenario.step for scenario in again.scenarios] == [0.01, 0.02, 0.02]
    assert again.scenario.body.inertia == (4.0, 3.0, 2.0)


@pytest.mark.picture
def test_a_picture_of_a_course_is_another_than_without_it_and_is_made_again_from_itself(edited: Path) -> None:
    plain, first, again = (edited.with_name(f"{name}.png") for name in ("plain", "first", "again"))
    (edited.with_name("plain.toml")).write_text(CUBOID)
    assert polhode("image", edited.with_name("plain.toml"), "-o", plain, "--size", "160x90").status == 0
    assert polhode("image", edited, "-o", first, "--size", "160x90") == (0, "", "")
    assert polhode("image", first, "-o", again) == (0, "", "")
    assert first.read_bytes() == again.read_bytes()
    assert np.any(np.asarray(Image.open(first)) != np.asarray(Image.open(plain)))
    assert saved_for(first).schedule.times == (0.0, 0.2, 0.3)


def test_a_comparison_draws_the_run_without_the_last_edit_beside_it(edited: Path) -> None:
    out = edited.with_suffix(".csv")
    saved = SavedSession(Schedule.of(load_scenario(edited)), SessionView(time=0.25, compare=True, layout="overlay"))
    save_session(edited.with_name("one.polhode.toml"), saved)
    assert scenario_for(edited.with_name("one.polhode.toml")).view.layout == "overlay"
    assert polhode("plot", edited.with_name("one.polhode.toml"), "-o", out) == (0, "", "")
    rows = out.read_text(encoding="utf-8").splitlines()[1:]
    assert {row.split(",")[0] for row in rows} == {"explicit", "implicit", "explicit′", "implicit′"}


def test_an_ensemble_takes_no_edits(tmp_path: Path) -> None:
    path = tmp_path / "rock.toml"
    text = 'kind = "rockfall"\nduration = 2.0\nstep = 0.01\nbody = {size = [1.0, 1.0, 0.5], mass = 700.0}\n'
    path.write_text(
        text + 'initial = {orientation = "random"}\nterrain = {profile = "ramp"}\n[[edit]]\ntime = 1.0\nstep = 0.005\n'
    )
    assert "edit" in complaint("ensemble", path, "-o", tmp_path / "out", "--rocks", "2")
