"""A file of a sensor opens as a scenario, and ``polhode identify`` writes one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from app.__main__ import main
from app.document.open import scenario_for
from app.playback.markers import markers
from app.playback.run import Run
from assets import SCENARIOS
from assets.make import synthetic_toss
from physics import ScenarioError, load_scenario, simulate
from physics.simulation.exact_motion import free_motion


@pytest.fixture
def toss(tmp_path):
    path = tmp_path / "toss.csv"
    synthetic_toss.write(path)
    return path


def test_the_file_that_comes_with_the_program_is_the_made_up_one(toss):
    assert toss.read_text() == synthetic_toss.FILE.read_text()
    assert "synthetic" in load_scenario(SCENARIOS / "measured-toss.toml").source


def test_a_file_of_a_phone_opens_with_the_body_that_its_flight_tells(toss):
    scenario = scenario_for(toss)
    assert scenario.shown[-1] == "measured"
    inertia = np.array(scenario.body.inertia)
    np.testing.assert_allclose(inertia / inertia.max(), synthetic_toss.MOMENTS, rtol=0.01)
    (table,) = scenario.measured
    assert synthetic_toss.REST + synthetic_toss.THROW < table.begin < table.end
    np.testing.assert_allclose(table.bias, synthetic_toss.BIAS, atol=0.03)


def test_what_tells_no_body_opens_beside_a_phone(tmp_path):
    (tmp_path / "still.csv").write_text("t,wx,wy,wz\n0,1,2,3\n0.1,1,2,3\n")
    scenario = scenario_for(tmp_path / "still.csv")
    assert scenario.body.shape == "cuboid"
    assert "expected a flight of 20 samples or more" in scenario.note


def test_identify_tells_and_writes(toss, capsys):
    output = toss.with_name("found.toml")
    assert main(["identify", str(toss), "--aligned", "--json", "-o", str(output)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert abs(told["ratios"][1] - synthetic_toss.MOMENTS[1]) < 2.0 * told["ratio_deviations"][1]
    assert 'file = "toss.csv"' in output.read_text()
    assert main(["identify", str(output)]) == 0
    assert "moments over the largest" in capsys.readouterr().out
    assert main(["identify", str(SCENARIOS / "poinsot.toml")]) == 2
    assert "expected a table [[measured]]" in capsys.readouterr().err


def test_tables_that_the_program_wrote_are_no_measured_motion(tmp_path):
    (tmp_path / "run.csv").write_text("scheme,time [s]\nexact,0\n")
    with pytest.raises(ScenarioError, match="a table of states without its scenario"):
        scenario_for(tmp_path / "run.csv")


def test_a_drift_is_a_mark_on_the_timeline(toss):
    scenario = scenario_for(toss)
    other = {"body.inertia": (5e-4, 5e-4, 5e-4)}  # with these moments the rates keep no spin
    run = Run(scenario.changed(schemes=("exact",), **other)).start()
    run.join(60)
    assert "drift" in {mark.kind for mark in markers(run)}


def test_a_saturated_gyroscope_is_told_with_the_moments_and_no_doubt_of_a_step(tmp_path):
    time = np.arange(400) * 0.01
    _, rates = free_motion(np.array([0.4, 0.7, 1.0]), np.array([1.0, 0, 0, 0]), np.array([3.0, 40.0, 6.0]), time)
    rows = np.column_stack([time, np.clip(np.degrees(rates), -2000.0, 2000.0)])
    lines = ["t,gx (deg/s),gy (deg/s),gz (deg/s)", *(",".join(f"{v:.6g}" for v in row) for row in rows)]
    (tmp_path / "cut.csv").write_text("\n".join(lines))
    scenario = scenario_for(tmp_path / "cut.csv")
    assert "samples at the end of the gyroscope's range are left out" in scenario.note
    inertia = np.array(scenario.body.inertia)
    np.testing.assert_allclose(inertia / inertia.max(), (0.4, 0.7, 1.0), rtol=1e-4)
    lane = simulate(scenario.changed(schemes=("exact",)))["measured"]
    assert {event.kind for event in lane.events} >= {"saturation", "end"}
    assert "doubt" not in {event.kind for event in lane.events}


def test_a_path_gives_the_start_and_gravity(tmp_path):
    time = np.arange(100) * 0.01
    path = np.array([1.0, 2.0, 3.0]) + np.outer(time, [0.5, 0.0, 4.0]) - np.outer(time**2, [0.0, 0.0, 0.5 * 9.81])
    turning = np.column_stack([np.cos(time), np.sin(time), 0 * time, 0 * time])
    rows = np.column_stack([time, path, turning])
    lines = ["t,px,py,pz,qw,qx,qy,qz", *(",".join(f"{v:.9g}" for v in row) for row in rows)]
    (tmp_path / "path.csv").write_text("\n".join(lines))
    scenario = scenario_for(tmp_path / "path.csv")
    assert scenario.g == pytest.approx(9.81, rel=1e-4)
    np.testing.assert_allclose(scenario.initial.position, (1.0, 2.0, 3.0), atol=1e-5)
    np.testing.assert_allclose(scenario.initial.velocity, (0.5, 0.0, 4.0), atol=1e-4)
