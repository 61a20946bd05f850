"""A file of a sensor opens as a scenario, and ``polhode identify`` writes one."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from app.__main__ import main
from app.document.open import scenario_for
from app.playback.markers import markers
from app.playback.run import Run
from assets import SCENARIOS
from assets.make import synthetic_toss
from physics import ScenarioError, load_scenario, simulate
from physics.schemes.free_motion import free_motion
from tests.app.commanding import CUBOID, polhode
from tests.small import tossed


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
    assert scenario.shown == ("implicit", "explicit", "measured", "identified")
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


def written(path, head, *columns):
    lines = [head] * bool(head) + [",".join(f"{v:.8f}" for v in row) for row in np.column_stack(columns).tolist()]
    path.write_text("\n".join(lines))
    return str(path)


def slow(count=1000):
    """A flight of moments 0.42, 0.71, 1 with rates below 100 deg/s: times, attitudes and rates."""
    time = np.arange(count) * 0.02
    return time, *free_motion(np.array([0.42, 0.71, 1.0]), np.array([1.0, 0, 0, 0]), np.array([0.2, 0.9, 0.3]), time)


def test_the_unit_that_leaves_nothing_is_taken_and_named(tmp_path, capsys):
    time, _, rates = slow()
    assert main(["identify", written(tmp_path / "deg.csv", "t,gx,gy,gz", time, np.degrees(rates)), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(facts["ratios"], (0.42, 0.71, 1.0), rtol=1e-5)
    assert facts["guessed"] == {"time_unit": "s", "rate_unit": "deg/s"}
    assert facts["fitted"] is True
    scenario = scenario_for(tmp_path / "deg.csv")
    assert 'Guessed, as no heading gives it: time_unit = "s", rate_unit = "deg/s".' in scenario.note
    assert scenario.measured[0].rate_unit == "deg/s"
    assert main(["run", str(tmp_path / "deg.csv"), "-o", str(tmp_path / "deg.npz")]) == 0
    assert 'time_unit = "s", rate_unit = "deg/s".' in capsys.readouterr().err


def test_a_scenario_tells_what_it_guesses_of_its_record(tmp_path):
    rows = "".join(f"{0.01 * i:.2f},0.1,0.2,0.3\n" for i in range(5))
    (tmp_path / "log.csv").write_text(f"t,wx,wy,wz\n{rows}")
    (tmp_path / "log.toml").write_text(CUBOID + '[[measured]]\nfile = "log.csv"\n')
    done = polhode("rank", tmp_path / "log.toml", "--scheme", "implicit", "--accuracy", "5")
    guess = 'log.csv: Guessed, as no heading gives it: time_unit = "s", rate_unit = "rad/s"'
    assert done.err == f"polhode: note: {guess}\n"


def test_counts_of_a_sensor_are_no_free_motion_and_have_no_interval(tmp_path, capsys):
    """Those of 0.07 deg/s, of which the nearest free motion has moments of 0.93 and 0.95 in place of 0.42 and 0.71."""
    time = np.arange(301) * 0.01
    _, rates = free_motion(np.array([0.42, 0.71, 1.0]), np.array([1.0, 0, 0, 0]), np.array([2.0, 9.0, 3.0]), time)
    counts = 1000.0 * time, np.round(np.degrees(rates) / 0.07)
    assert main(["identify", written(tmp_path / "counts.csv", "t,gx,gy,gz", *counts)]) == 2
    assert "look like counts of a sensor; expected rad/s or deg/s" in capsys.readouterr().err
    raw = written(tmp_path / "raw.csv", "t,gx (deg/s),gy (deg/s),gz (deg/s)", *counts)
    assert main(["identify", raw, "--aligned", "--json"]) == 1
    told = capsys.readouterr()
    facts = json.loads(told.out)
    assert facts["fitted"] is False
    assert facts["ratio_deviations"] is facts["velocity_deviations"] is facts["bias_deviations"] is None
    (sentence,) = told.err.splitlines()
    assert "no free motion fits from 0 to 3 s" in sentence
    assert 'time_unit = "ms"' in sentence
    assert main(["identify", raw, "--aligned"]) == 1
    told = capsys.readouterr()
    assert "±" not in told.out
    assert "no free motion fits; that which is nearest, and not the body's" in told.out


@pytest.fixture
def recording(tmp_path):
    """A recording of 2 s of rest, a wind-up, 1 s of flight and a landing, without an accelerometer."""
    return written(
        tmp_path / "rates.csv", "Zeit (s),Gyroskop x (rad/s),Gyroskop y (rad/s),Gyroskop z (rad/s)", *record()
    )


def record():
    time, start = np.arange(0.0, 4.6, 0.01), np.array([2.0, 11.0, 4.0])
    _, flown = free_motion(np.array(RATIOS), np.array([1.0, 0, 0, 0]), start, np.clip(time - 2.5, 0.0, 1.0))
    wound, landed = np.clip((time - 2.0) / 0.5, 0.0, 1.0), np.clip((time - 3.5) / 0.6, 0.0, 1.0)
    hand = (wound * wound)[:, None] * flown + (np.sin(np.pi * wound) ** 2)[:, None] * np.cross([0.0, 0.3, 1.0], start)
    shake = (np.exp(-6.0 * landed) * np.cos(20.0 * landed) * (1.0 - landed))[:, None] * flown
    bias = np.array([0.03, -0.05, 0.02])
    rates = np.where((landed > 0.0)[:, None], shake, hand) + bias
    return time, rates + 0.02 * np.random.default_rng(1).normal(size=rates.shape)


RATIOS = (0.345, 0.759, 1.0)


def test_a_recording_without_an_accelerometer_opens_with_the_body_of_its_flight(recording, capsys):
    assert main(["identify", recording, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["begin"], facts["end"]) == pytest.approx((2.5, 3.5), abs=0.06)
    assert facts["flight_by_residual"] is True
    assert facts["fitted"] is True
    off, spread = np.abs(np.subtract(facts["ratios"], RATIOS)), np.array(facts["ratio_deviations"])
    assert (off <= 2.5 * spread).all()
    assert spread.max() < 0.002
    assert main(["identify", recording]) == 0
    assert "The flight is where a free motion fits: no accelerometer shows it" in capsys.readouterr().out
    scenario = scenario_for(recording)
    inertia = np.array(scenario.body.inertia)
    np.testing.assert_allclose(inertia / inertia.max(), RATIOS, rtol=0.01)
    assert scenario.measured[0].begin == pytest.approx(2.5, abs=0.06)
    assert "rad/s are left, the bias of the gyroscope" in scenario.note


def test_a_recording_without_a_flight_opens_beside_a_phone_with_what_is_left(tmp_path, capsys):
    time = np.arange(0.0, 5.0, 0.01)
    waved = np.column_stack([3.0 * np.sin(5.0 * time), 4.0 * np.cos(7.0 * time), 2.0 * np.sin(11.0 * time + 1.0)])
    path = written(tmp_path / "hand.csv", "t,gx (rad/s),gy (rad/s),gz (rad/s)", time, waved)
    scenario = scenario_for(path)
    assert scenario.body.shape == "cuboid"
    assert not any(scenario.measured[0].bias), "of a motion that is not the body's"
    assert "no free motion fits from 0 to 4.99 s" in scenario.note
    assert "root mean square" in scenario.note
    assert "a bias of" in scenario.note
    assert "±" not in scenario.note
    assert main(["identify", path, "--json"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert (facts["fitted"], facts["flight_by_residual"]) == (False, False)
    assert facts["residual"] > 1.0


def test_the_example_says_what_identify_finds(tmp_path):
    shipped, output = load_scenario(SCENARIOS / "measured-toss.toml"), tmp_path / "found.toml"
    command = ["identify", str(synthetic_toss.FILE), "--mass", "0.3", "--length", "0.155", "-o", str(output)]
    assert main(command) == 0
    found = load_scenario(output)
    for one, other in (
        (shipped.body.inertia, found.body.inertia),
        (shipped.initial.angular_velocity, found.initial.angular_velocity),
        (shipped.measured[0].bias, found.measured[0].bias),
        (shipped.measured[0].axes, found.measured[0].axes),
    ):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5)
    number = r"(\d\.\d+) ± (\d\.\d+)"
    told, expected = (np.array(re.findall(number, one.note), float) for one in (shipped, found))
    assert told.shape == (2, 2)
    np.testing.assert_allclose(told, expected, atol=1.01e-4, err_msg="as printed, or one in the last digit")
    went_in = re.search(r"where (\d\.\d+) and (\d\.\d+) went in", shipped.note)
    np.testing.assert_allclose(np.array(went_in.groups(), float), sorted(synthetic_toss.MOMENTS)[1::-1], atol=5e-5)


def test_a_toss_in_the_air_opens_with_its_drag(tmp_path, capsys):
    """The racquet of a fit: energy falls, and the exact motion, which knows no air, is no lane."""
    moments, c = np.array([0.94, 0.07, 1.0]), 0.03
    given = tossed(moments, c, (13.0, 1.0, 0.5), "dop853", 0.01)
    run = simulate(given)["dop853"]
    seen = run.angular_velocity + 0.03 * np.random.default_rng(1).normal(size=(101, 3))
    file, output = written(tmp_path / "toss.csv", "t,wx,wy,wz", run.time, seen), tmp_path / "found.toml"
    assert main(["identify", file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["residual"] < 0.1 * told["residual_without_drag"]
    assert all(least < c < most for least, most in zip(*drag_ends(told), strict=True))
    assert main(["identify", file, "--mass", "0.3", "--length", "0.68", "-o", str(output)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"drag of the air over the moments +0\.0[23]\d+ ± 0\.00", said)
    assert "the same without drag" in said
    scenario = load_scenario(output)
    assert scenario.shown == ("implicit", "explicit", "measured", "identified")
    np.testing.assert_allclose(
        np.array(scenario.damping.quadratic) / np.array(scenario.body.inertia), told["drag"], rtol=1e-3
    )
    assert "drag of the air over the moments" in scenario.note
    energy = simulate(scenario.changed(schemes=("dop853",), step=0.01))["dop853"].total_energy
    assert (np.diff(energy) < 0.0).all()


def drag_ends(told):
    """Lower and upper ends of the intervals of the drag in JSON."""
    drag, half = np.array(told["drag"]), 1.96 * np.array(told["drag_deviations"])
    return drag - half, drag + half


def test_a_short_flight_is_told_with_the_ends_of_its_wide_interval(tmp_path, capsys):
    time = np.arange(0.0, 0.55, 0.01)
    _, rates = free_motion(np.array([0.94, 0.07, 1.0]), np.array([1.0, 0, 0, 0]), np.array([13.0, 1.0, 0.5]), time)
    seen = rates + 0.03 * np.random.default_rng(5).normal(size=rates.shape)
    assert main(["identify", written(tmp_path / "toss.csv", "t,wx,wy,wz", time, seen)]) == 0
    least, most = re.search(r"moments over the largest.*\[(0\.\d+), (0\.\d+)\]", capsys.readouterr().out).groups()
    assert float(least) < 0.07 < float(most)


def test_tables_that_the_program_wrote_are_no_measured_motion(tmp_path):
    (tmp_path / "run.csv").write_text("scheme,time [s]\nexact,0\n")
    with pytest.raises(ScenarioError, match="a table of states without its scenario"):
        scenario_for(tmp_path / "run.csv")


def test_a_drift_is_a_mark_on_the_timeline(toss):
    scenario = scenario_for(toss)
    other = {"body.inertia": (5e-4, 5e-4, 5e-4)}  # with these moments the rates keep no spin
    run = Run(scenario.changed(schemes=("exact",), **other)).start()
    run.join()
    assert "drift" in {mark.kind for mark in markers(run)}


def test_a_saturated_gyroscope_is_told_with_the_moments_and_no_doubt_of_a_step(tmp_path):
    time = np.arange(400) * 0.01
    _, rates = free_motion(np.array([0.4, 0.7, 1.0]), np.array([1.0, 0, 0, 0]), np.array([3.0, 40.0, 6.0]), time)
    cut = np.clip(np.degrees(rates), -2000.0, 2000.0)
    scenario = scenario_for(written(tmp_path / "cut.csv", "t,gx (deg/s),gy (deg/s),gz (deg/s)", time, cut))
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
    scenario = scenario_for(written(tmp_path / "path.csv", "t,px,py,pz,qw,qx,qy,qz", time, path, turning))
    assert scenario.g == pytest.approx(9.81, rel=1e-4)
    np.testing.assert_allclose(scenario.initial.position, (1.0, 2.0, 3.0), atol=1e-5)
    np.testing.assert_allclose(scenario.initial.velocity, (0.5, 0.0, 4.0), atol=1e-4)
