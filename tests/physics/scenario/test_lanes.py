"""Lanes with a step of their own: the same numbers as the scenario with that step, under a name that tells it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from physics import Scenario, ScenarioError, World, parse_scenario, simulate
from physics.analysis.convergence import HALVINGS, study
from physics.hazard.ensemble import coarse_of, doubts
from physics.io import trajectory_readers
from physics.io.trajectory_writers import save
from physics.simulation.schedule import Schedule
from tests import small
from tests.physics import falling


def alone(scenario: Scenario, scheme: str, step: float, **changes):
    return simulate(scenario.changed(schemes=[scheme], step=step, **changes))[scheme]


def test_a_lane_gives_what_the_scenario_with_its_step_gives() -> None:
    scenario = small.cuboid(schemes=["implicit", "implicit@0.005", "explicit@0.04"], record_every=3)
    runs = simulate(scenario)
    assert list(runs) == ["implicit", "implicit@0.005", "explicit@0.04"]
    small.same_run(runs["implicit"], alone(scenario, "implicit", 0.01))
    small.same_run(runs["implicit@0.005"], alone(scenario, "implicit", 0.005))
    small.same_run(runs["explicit@0.04"], alone(scenario, "explicit", 0.04))
    assert runs["implicit@0.005"].events[-1].text == "implicit@0.005: the run ends at 2 s"


def test_a_rock_falls_with_the_step_of_its_lane() -> None:
    scenario = small.rock(schemes=["implicit", "implicit@0.0025"])
    run = simulate(scenario)["implicit@0.0025"]
    small.same_run(run, alone(scenario, "implicit", 0.0025))
    assert run.events[-1].text.startswith("implicit@0.0025: the rock rests after")


def test_an_edit_of_the_step_leaves_lanes_with_one_of_their_own() -> None:
    scenario = small.cuboid(schemes=["implicit", "implicit@0.004"], edit=[{"time": 1.0, "step": 0.02}])
    runs, plain = simulate(scenario), simulate(scenario.without_edits())
    np.testing.assert_allclose(np.diff(runs["implicit@0.004"].time), 0.004, rtol=1e-9)
    np.testing.assert_allclose(
        runs["implicit@0.004"].angular_velocity, plain["implicit@0.004"].angular_velocity, atol=1e-9
    )
    np.testing.assert_allclose(np.diff(runs["implicit"].time)[[0, -1]], [0.01, 0.02], rtol=1e-9)


def test_a_stretch_lasts_a_step_of_every_lane_at_least() -> None:
    scenario = small.cuboid(schemes=["implicit", "implicit@0.5"])
    assert Schedule((scenario,)).edited(scenario.changed(step=0.02), at=0.3).times == (0.0,)
    assert Schedule((scenario,)).edited(scenario.changed(step=0.02), at=1.9).times == (0.0, 1.5)
    with pytest.raises(ScenarioError, match="at least a step after"):
        scenario.changed(edit=[{"time": 0.3, "step": 0.02}])


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["implicit@"], r"schemes: expected a step \[s\] above 0 behind the @, .* got 'implicit@'"),
        (["implicit@-1"], "expected a step .* got 'implicit@-1'"),
        (["implicit@x"], "expected a step .* got 'implicit@x'"),
        (["implicit@0.005@2"], "expected a step .* got 'implicit@0.005@2'"),
        (["implicit@1e999"], "expected a step"),
        (["implicit@0.0"], "expected a step"),
        (["implicit@5."], "expected a step"),  # Windows has no folders whose name ends in a point
        (["implicit@/../x"], "expected a step"),
        (["implicit@3"], "implicit@3: expected at most the duration of 2 s, got 3"),
        (["implicit@1e-30"], r"implicit@1e-30: expected at most 1e\+15 steps"),
        (["implicit", "implicit@1e-9"], "stored states"),
        (["implicit@0.005", "implicit@5e-3"], "expected each scheme once"),
        (["implicti@0.005"], "'implicti' is not a scheme for kind 'free'; did you mean implicit"),
        (["verlet-exact@0.1"], "'verlet-exact' cannot serve kind 'free'"),
        ([{"scheme": "implicit"}], r"schemes: expected a name or {scheme = NAME, step = seconds, variant = NAME}"),
        ([{"scheme": "implicit", "step": "1"}], "expected a name or"),
        ([{"scheme": "implicit", "step": True}], "expected a name or"),
        ([{"scheme": "implicit", "step": 0.1, "h": 1}], "expected a name or"),
        ([{"scheme": "implicit", "step": math.nan}], "expected"),
    ],
)
def test_a_wrong_lane_is_refused_in_one_sentence(names: list, words: str) -> None:
    with pytest.raises(ScenarioError, match=words) as told:
        small.cuboid(schemes=names)
    assert "\n" not in str(told.value)


def test_a_file_may_give_a_lane_as_a_table(tmp_path) -> None:
    text = 'kind = "free"\nduration = 1\nstep = 0.01\nschemes = ["implicit", {scheme = "implicit", step = 0.005}]\n'
    text += '[body]\nshape = "cuboid"\nsize = [3, 2, 1]\nmass = 1\n'
    assert parse_scenario(text, tmp_path / "a.toml").schemes == ("implicit", "implicit@0.005")


def test_files_name_the_lane_and_its_step(tmp_path) -> None:
    scenario = small.cuboid(schemes=["implicit", "implicit@0.05"])
    runs = simulate(scenario)
    for ending in (".npz", ".csv", ".parquet"):
        path = tmp_path / f"run{ending}"
        save(path, runs, scenario)
        found = trajectory_readers.load(path)
        assert list(found) == list(runs)
        small.same_run(found["implicit@0.05"], runs["implicit@0.05"])
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        told = json.loads(str(file["meta"]))
    assert told["scenario"]["schemes"] == ["implicit", "implicit@0.05"]
    assert "step" not in told["schemes"]["implicit"]
    assert told["schemes"]["implicit@0.05"]["step"] == 0.05
    assert told["schemes"]["implicit@0.05"]["steps"] == 40
    assert told["schemes"]["implicit@0.05"]["citation"] == told["schemes"]["implicit"]["citation"]


def test_doubts_are_those_of_the_lane_s_step() -> None:
    runs = simulate(small.cuboid(schemes=["implicit", "implicit@0.4"]))
    assert [event.kind for event in runs["implicit"].events] == ["end"]
    texts = [event.text for event in runs["implicit@0.4"].events]
    assert any("a step of 0.4 s turns the body by" in text for text in texts), texts


def test_the_order_of_a_scheme_is_told_once() -> None:
    points = list(study(small.cuboid(schemes=["implicit", "implicit@0.005"], duration=0.5)))
    assert {point.scheme for point in points} == {"implicit"}
    assert len(points) == HALVINGS


def test_ensembles_run_each_lane_with_its_step() -> None:
    scenario = falling.scenario(schemes=["implicit", "implicit@0.05"], step=0.01, ensemble={"rocks": 2, "seed": 4})
    both = falling.ran(World.of(scenario))
    coarse = falling.ran(World.of(scenario.changed(schemes=["implicit"], step=0.05)))
    np.testing.assert_array_equal(both.results["implicit@0.05"].rows.read(), coarse.results["implicit"].rows.read())
    for name, step in (("implicit", 0.01), ("implicit@0.05", 0.05)):
        rows = both.results[name].rows.read()
        np.testing.assert_allclose(rows["duration"], step * rows["steps"], rtol=1e-12)
    found = {name: coarse_of(both.world.of_lane(name), both.results[name].rows) for name in both.results}
    assert found["implicit@0.05"] == coarse_of(coarse.world, coarse.results["implicit"].rows)
    assert all("in a step of 0.05 s" in text for text in doubts(found, 0.01) if text.startswith("implicit@"))
