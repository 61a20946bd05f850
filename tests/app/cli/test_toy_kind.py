"""A kind that only its two rows know runs everywhere: command line, panel, charts, stage and film.

The rows are those of tests.toy: a pendulum. Nothing else in the program has heard of it.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import app.kinds
import physics.systems
from app.document.open import scenario_for
from physics import Scenario, World, simulate
from tests.app.commanding import complaint, polhode
from tests.app.windowing import settle, show, wait
from tests.toy import kind, system

LENGTH, SWING = 1.5, 0.02  # [m], [rad]
PENDULUM = f"""\
kind = "pendulum"
title = "A board on a rod"
duration = 4.0
step = 0.01
[body]
shape = "cuboid"
size = [0.6, 0.4, 0.2]
mass = 2.0
[pendulum]
length = {LENGTH}
[initial]
orientation = [{math.cos(SWING / 2)!r}, {math.sin(SWING / 2)!r}, 0.0, 0.0]
"""


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two rows, for as long as a test lasts."""
    monkeypatch.setitem(physics.systems.SYSTEMS, "pendulum", system.ROW)
    monkeypatch.setitem(app.kinds.KINDS, "pendulum", kind.ROW)
    monkeypatch.setitem(Scenario.kinds, "pendulum", system.ROW.scenario)
    monkeypatch.setitem(World.builders, "pendulum", system.ROW.build)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM)
    return path


def test_it_swings_with_the_period_of_a_physical_pendulum(file: Path) -> None:
    run = simulate(scenario_for(file))["quat-em"]
    about = 2.0 * (0.4**2 + 0.2**2) / 12.0 + 2.0 * LENGTH**2  # about x, through the fixed point
    period = 2.0 * math.pi * math.sqrt(about / (2.0 * 9.81 * LENGTH))
    y = run.position[:, 1]
    down = np.flatnonzero((y[:-1] > 0.0) & (y[1:] <= 0.0))
    first, second = run.time[down] + 0.01 * y[down] / (y[down] - y[down + 1])
    assert second - first == pytest.approx(period, rel=2e-4)  # the swing adds 2.5e-5, the step 5.4e-5
    assert np.ptp(run.total_energy) < 1e-12 * abs(run.total_energy[0])


def test_the_command_line_runs_and_checks_it(file: Path, tmp_path: Path) -> None:
    done = polhode("run", file, "-o", tmp_path / "out.csv", "--quiet")
    assert (done.status, done.err) == (0, "")
    assert "quat-em" in (tmp_path / "out.csv").read_text()
    refused = polhode("ensemble", file, "-o", tmp_path / "rocks")
    assert "an ensemble expects free, rockfall, table or joints, got 'pendulum'" in refused.err
    file.write_text(PENDULUM.replace("length = 1.5", "length = -1.5"))
    assert "pendulum.length" in complaint("run", file, "-o", tmp_path / "out.csv", "--quiet")


def test_plots_films_and_models_show_it(file: Path, tmp_path: Path) -> None:
    assert polhode("plot", file, "-o", tmp_path / "plot.csv", "--quiet").status == 0
    assert "Swing [°]" in (tmp_path / "plot.csv").read_text(encoding="utf-8").splitlines()[0]
    assert polhode("scene", file, "-o", tmp_path / "model.glb", "--blender", "--quiet").status == 0
    compile((tmp_path / "model.py").read_text(encoding="utf-8"), "model.py", "exec")
    assert scenario_for(tmp_path / "model.glb").kind == "pendulum"
    words = ("--size", "320x180", "--fps", "5", "--plots", "under", "--quiet")
    done = polhode("video", file, "-o", tmp_path / "frames", *words)
    assert (done.status, done.err) == (0, "")
    frames = [np.asarray(Image.open(path).convert("RGB"), int) for path in sorted((tmp_path / "frames").glob("*.png"))]
    assert len(frames) == 20
    assert all(frame.std() > 3 for frame in frames)
    assert np.abs(frames[0] - frames[6]).max() > 60  # a quarter of a swing later


@pytest.mark.picture
def test_a_window_shows_it_and_its_fields_act(qtbot, window, file: Path) -> None:
    scenario = scenario_for(file)
    show(qtbot, window, scenario)
    assert [chart.quantity.title for chart in window.plots.charts] == ["Swing", "Energy error"]
    assert {"pendulum.length", "body.mass", "gravity.g"} <= window.panel.entries.keys()
    scenes = [scene for _, scene in window.view.stage.describe().scenes]
    assert len(scenes) == 2
    number = window.panel.entries["pendulum.length"].numbers[0]
    number.selectAll()
    qtbot.keyClicks(number, "0.8")
    wait(qtbot, lambda: window.session.run.scenario.to_plain()["pendulum"]["length"] == 0.8)
    settle(qtbot, window)
    last = window.session.run.lanes[0].trajectory.position[-1]  # the edit may begin at the playhead
    assert np.linalg.norm(last) == pytest.approx(0.8)
