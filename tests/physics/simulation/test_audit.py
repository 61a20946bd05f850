"""The audit of a run, and that no number which is not finite gets into one."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.analysis.comparison import compare
from physics.analysis.invariants import spin_error
from physics.core.trajectory import DOUBT
from physics.io.trajectory_readers import load
from physics.io.trajectory_writers import save
from physics.simulation.audit import audit, doubts, sparse
from tests import small

BODY = {"size": (3.0, 2.0, 1.0), "mass": 1.0}


def scenario(**changes):
    return small.cuboid(**({"duration": 5.0, "initial": {"angular_velocity": (0.1, 5.0, 0.1)}} | changes))


@pytest.fixture(scope="module")
def runs():
    return physics.simulate(scenario())


def test_the_audit_tells_what_a_scheme_keeps(runs):
    explicit, implicit = audit(runs["explicit"]), audit(runs["implicit"])
    for found in (explicit, implicit):
        assert found["relative_energy_drift"] < 1e-12
    assert explicit["relative_spin_drift"] > 1e-3 > 1e-12 > implicit["relative_spin_drift"]
    energy = runs["explicit"].total_energy
    assert explicit["largest_energy_rise"] == np.diff(energy).max()


def test_a_body_that_never_moves_has_nothing_to_be_relative_to():
    still = physics.simulate(scenario(initial={}))["implicit"]
    assert audit(still) == {
        "largest_energy_rise": 0.0,
        "energy_drift": 0.0,
        "relative_energy_drift": None,
        "spin_drift": 0.0,
        "relative_spin_drift": None,
    }


ROD = {"size": (0.1, 0.1, 1.0), "mass": 1.0}


@pytest.mark.parametrize("rate", [0.0, 3.1])  # [rad/s] of one about the hinge, and of the other against it
def test_what_begins_without_angular_momentum_has_no_share_of_it(rate, tmp_path):
    hinge = {"type": "hinge", "between": ("a", "b"), "at": (0.0, 0.2, 0.0), "axis": (0.0, 1.0, 0.0)}
    first = {"angular_velocity": (0.0, rate, 0.0), "velocity": (0.5 * rate, 0.0, 0.0)}
    floating = physics.Scenario(
        kind="joints",
        duration=0.1,
        step=0.01,
        schemes=("cayley-em", "mujoco-euler"),
        gravity={"g": 0.0},
        body=[
            ROD | first | {"name": "a", "position": (0.0, 0.2, 0.5)},
            ROD | {"name": "b", "position": (0.0, 0.2, -0.5)},
        ],
        joint=[hinge | {"rate": -2.0 * rate, "torque": 0.7}],
    )
    runs = physics.simulate(floating)
    save(tmp_path / "a.npz", runs, floating)
    for run in (*runs.values(), *load(tmp_path / "a.npz").values()):
        assert np.isnan(spin_error(run)).all()
        assert audit(run)["relative_spin_drift"] is None
        assert audit(run)["spin_drift"] < 1e-3
    for lane in compare(runs):
        facts = lane.facts()
        assert (facts["conserved"], facts["momentum_change"], facts["largest_momentum_change"]) == ("spin", None, None)
        assert math.isfinite(facts["error_end"])


def test_a_step_that_an_edit_makes_too_long_is_doubted():
    slow = scenario(schemes=("implicit",), duration=4.0, step=0.01)
    (run,) = physics.simulate(slow.changed(edit=[{"time": 2.0, "step": 0.8}])).values()
    (doubt,) = [event.text for event in run.events if event.doubtful]
    assert re.fullmatch(r"implicit: a step of 0\.8 s turns the body by \d\.\d+ rad, more than half a turn; .*", doubt)


def test_files_tell_audit_seed_version_and_platform(runs, tmp_path):
    save(tmp_path / "a.npz", runs, scenario())
    with np.load(tmp_path / "a.npz") as data:
        meta = json.loads(str(data["meta"]))
    assert meta["schemes"]["explicit"]["audit"] == audit(runs["explicit"])
    assert (meta["seed"], meta["version"], set(meta["platform"])) == (
        0,
        physics.io.trajectory_writers.polhode_version(),
        {"system", "processor", "elementary_functions", "linear_algebra", "python", "numpy", "numba"},
    )


def test_a_motion_beyond_all_numbers_ends_with_an_event():
    thrown = scenario(
        duration=1e160, step=1e158, schemes=("exact",), initial={"velocity": (0.0, 0.0, 1e150)}, gravity={"g": 1.0}
    )
    run = physics.simulate(thrown)["exact"]
    assert run.events[-1].kind == "failed-solve"
    assert "numbers overflow" in run.events[-1].text
    assert "smaller step" in run.events[-1].text
    assert 0 < len(run) < 101
    assert all(np.isfinite(getattr(run, column)).all() for column in ("position", "kinetic_energy", "spin"))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"initial": {"position": (0.0, 0.0, 1e308)}, "gravity": {"g": 1e10}}, "initial"),
        ({"body": BODY | {"mass": 1e308, "size": (1e9, 1e9, 1e9)}}, "body"),
        ({"body": BODY | {"mass": 6.6e-306}}, "body"),
        ({"body": BODY | {"mass": 1e-308, "size": (1e-9, 1e-9, 1e-9)}}, "body"),
    ],
)
def test_a_start_beyond_all_numbers_is_refused(changes, field):
    with pytest.raises(physics.ScenarioError) as error:
        physics.simulate(scenario(**changes))
    assert error.value.field == field


def test_a_state_that_is_no_number_is_not_read(runs, tmp_path):
    run = runs["implicit"]
    broken = run.spin.copy()
    broken[3, 1] = np.nan
    save(tmp_path / "a.csv", {"implicit": physics.Trajectory(**vars(run) | {"spin": broken})}, scenario())
    with pytest.raises(physics.ScenarioError, match=r"a\.csv: implicit/spin: state 4: expected finite numbers"):
        load(tmp_path / "a.csv")


def told(**changes):
    """The doubts of a run, by scheme."""
    return {
        name: [event.text for event in run.events if event.kind == DOUBT]
        for name, run in physics.simulate(scenario(**changes)).items()
    }


def test_a_sound_run_raises_no_doubt():
    assert told() == {"explicit": [], "implicit": []}


def test_a_step_that_turns_farther_than_half_a_turn_is_doubted_but_where_it_is_exact():
    found = told(step=1.0, duration=20.0, schemes=("explicit", "exact", "dop853"))
    assert found["exact"] == found["dop853"] == []
    assert any("more than half a turn; take a smaller step" in text for text in found["explicit"])


def test_states_too_far_apart_for_pictures_are_told_where_the_numbers_are_right():
    """A turn of 1.4 pi from state to state looks like one of 0.6 pi backwards."""
    turning = {"initial": {"angular_velocity": (0.0, 0.0, 4.4)}, "schemes": ("exact",), "duration": 10.0}
    (told,) = sparse(physics.simulate(scenario(step=1.0, **turning))["exact"])
    assert "exact: between states stored 1 s apart the body turns by 4.4 rad, more than half a turn" in told
    (told,) = sparse(physics.simulate(scenario(step=0.1, record_every=10, **turning))["exact"])
    assert "stored 1 s apart" in told
    assert sparse(physics.simulate(scenario(step=0.1, **turning))["exact"]) == ()


def test_energy_from_nothing_is_doubted():
    """Restoring moments turn a vessel with a period of 20 s: explicit splittings lose their hold at 6 s a step."""
    vessel = {"metacentric_height": {"transverse": 1.0, "longitudinal": 100.0}}
    rolling = physics.Scenario(
        kind="vessel",
        duration=60.0,
        step=0.1,
        schemes=("verlet-magnus-2",),
        body={"mass": 1e7, "inertia": (1e9, 2e10, 2e10)},
        initial={"angular_velocity": (0.02, 0.01, 0.0)},
        vessel=vessel,
    )
    for step, doubted in ((0.1, False), (10.0, True)):
        run = physics.simulate(rolling.changed(step=step, duration=40.0 * step))["verlet-magnus-2"]
        found = [event.text for event in run.events if event.kind == DOUBT]
        assert any("total energy rises by" in text for text in found) == doubted, found
        assert run.events[-1].kind == "end"


def test_energy_falls_by_no_more_than_there_is():
    world = physics.World.of(scenario())
    run = physics.simulate(world.scenario)["implicit"]
    sunk = replace(run, potential_energy=np.linspace(0.0, -1e4 * run.kinetic_energy.max(), len(run)), events=())
    (told,) = (event.text for event in doubts(sunk, [world]))
    assert "falls by 99.99" in told
