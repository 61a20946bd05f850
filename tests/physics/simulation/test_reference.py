"""The true motion: against closed forms and other schemes at fine steps; what is compared with it; where it ends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import physics
from assets import SCENARIOS
from physics import Scenario, load_scenario
from physics.analysis.comparison import compare
from physics.core.rotation import angle_between, apply, product
from physics.schemes import serving
from tests.physics import on_table
from tests.physics.conftest import DATA
from tests.small import cuboid

CONE = {"shape": "cone", "height": 0.1, "radius": 0.05, "density": 2700.0}
FAST = {"nutation": math.pi / 3.0, "precession": 10.0, "spin": "steady"}
SLOW = {"nutation": math.pi / 3.0, "precession": 0.0, "spin": 20.0}


def top(initial: dict[str, Any], schemes: tuple[str, ...] = ("dop853",), **changes: Any) -> Scenario:
    """The cone of Betsch & Siebert (2009), section 5.2."""
    given = {"duration": 1.0, "step": 0.002} | changes
    return Scenario(kind="top", body=CONE, initial=initial, schemes=schemes, **given)


def test_a_steady_top_is_on_its_circle_to_the_end() -> None:
    scenario = top(FAST, duration=2.0005, step=0.003)  # no whole number of steps
    truth = physics.reference(scenario).reference
    assert (truth.valid_until, truth.reason) == (2.0005, "")
    world = physics.World.of(scenario)
    spin = float(world.angular_velocity[2] - 10.0 * math.cos(math.pi / 3.0))
    times = np.append(np.linspace(0.0, 2.0, 777), 2.0005)
    found = truth.states(times)[1]
    for time, q in zip(times.tolist(), found, strict=True):
        turned = (math.cos(5.0 * time), 0.0, 0.0, math.sin(5.0 * time))
        spun = (math.cos(0.5 * spin * time), 0.0, 0.0, math.sin(0.5 * spin * time))
        exact = product(product(turned, tuple(world.orientation.tolist())), spun)
        assert math.degrees(float(angle_between(q, np.array(exact)))) < 0.02


@pytest.mark.parametrize("start", [SLOW, {"nutation": 0.3, "spin": 0.0}, {"nutation": 3.0, "spin": 1.0}])
def test_a_top_agrees_with_another_scheme_up_to_its_end(start: dict[str, Any]) -> None:
    scenario = top(start, ("dop853@0.0005",), duration=1.5)
    truth, (run,) = physics.reference(scenario).reference, physics.simulate(scenario).values()
    assert truth.valid_until == 1.5
    assert truth.degrees_off(run).max() < 0.02
    assert truth.metres_off(run).max() < 1e-4


def test_a_motion_of_one_step_has_its_start_and_its_end() -> None:
    truth = physics.reference(top(FAST, duration=0.001, step=0.001)).reference
    assert truth.valid_until == 0.001
    assert truth.at(0.001) is not None
    assert truth.at(0.01) is None


def test_the_last_state_of_a_lane_is_compared_though_rounding_puts_it_after_the_end() -> None:
    scenario = cuboid(duration=0.3, step=0.1, schemes=("implicit", "implicit@0.1000000001"))
    for lane in compare(physics.simulate(scenario)):
        assert lane.departure is not None
        assert lane.departure.until == pytest.approx(0.3)


FREE = {"major": (0.01, 0.01, 10.0), "intermediate": (0.01, 10.0, 0.01), "minor": (10.0, 0.01, 0.01)}


def free(axis: str) -> Scenario:
    """The cuboid about an axis, under every scheme of free bodies."""
    return cuboid(schemes=serving("free"), initial={"angular_velocity": FREE[axis]}, duration=3.0, step=0.01)


@pytest.mark.parametrize("scenario", [free("major"), free("intermediate"), free("minor"), top(FAST), top(SLOW)])
def test_every_scheme_is_as_far_off_as_from_another_solution(scenario: Scenario) -> None:
    names = tuple(name for name in serving(scenario.kind) if name != "dop853")
    runs = physics.simulate(scenario.changed(schemes=names))
    fine = next(iter(physics.simulate(scenario.changed(schemes=("dop853",))).values()))
    truth = physics.reference(scenario).reference
    for lane in compare(runs):
        run, found = runs[lane.lane], lane.departure
        assert found is not None
        apart = np.degrees(angle_between(run.orientation, fine.orientation[: len(run)]))
        assert np.abs(truth.degrees_off(run) - apart).max() < 0.02, lane.lane
        for degrees in (1.0, 10.0):
            later = np.flatnonzero(apart > degrees + 0.02)
            if len(later):
                assert (found.left[degrees] or math.inf) <= run.time[later[0]], lane.lane
            elif apart.max() < degrees - 0.02:
                assert found.left[degrees] is None, lane.lane


def test_what_is_compared_says_what_is_kept_and_at_what_cost() -> None:
    by_name = {lane.lane: lane for lane in compare(physics.simulate(free("intermediate")))}
    assert by_name["exact"].degrees_off == 0.0
    assert by_name["mujoco-euler"].energy.end > 0.01
    assert by_name["bullet"].energy.end < -0.01
    assert all(lane.conserved == "spin" and lane.cost is not None for lane in by_name.values())


def test_it_is_a_trajectory_with_edits_and_their_energies() -> None:
    scenario = cuboid(duration=1.0, step=0.01, gravity={"g": 0.0}, edit=[{"time": 0.5, "gravity": {"g": 2.0}}])
    truth = physics.reference(scenario)
    assert isinstance(truth, physics.Trajectory)
    assert (truth.scheme, truth.valid_until, len(truth)) == ("exact", 1.0, 101)
    (run,) = physics.simulate(scenario.changed(schemes=("exact",))).values()
    for name in ("time", "position", "orientation", "velocity", "angular_velocity", "kinetic_energy", "spin"):
        np.testing.assert_allclose(getattr(truth, name), getattr(run, name), atol=1e-9)


def example(name: str, *schemes: str, **changes: Any) -> Scenario:
    """A scenario that comes with the program under other schemes."""
    return load_scenario(SCENARIOS / f"{name}.toml").changed(schemes=schemes, **changes)


@pytest.mark.parametrize(
    ("name", "scheme", "duration"),
    [
        ("vessel-restoring", "dop853@0.01", 30.0),
        ("vessel-damped", "dop853@0.01", 60.0),
        ("ship-barge", "rk4@0.005", 10.0),
        ("ship-capsize", "dop853@0.01", 5.0),
        ("ship-tanker", "yoshida-6@0.02", 10.0),
        ("table-disk", "exact@0.00005", 3.0),
        ("table-tippe-top", "exact@0.00001", 1.0),
        ("table-egg", "exact@0.00002", 1.0),
        ("table-coin", "exact@0.00001", 1.0),
    ],
)
def test_other_kinds_agree_with_another_scheme_at_a_fine_step(name: str, scheme: str, duration: float) -> None:
    scenario = example(name, scheme, duration=duration, record_every=10)
    truth, (run,) = physics.reference(scenario).reference, physics.simulate(scenario).values()
    assert (truth.valid_until, truth.reason) == (duration, "")
    assert truth.degrees_off(run).max() < 0.02
    assert truth.metres_off(run).max() < 2e-4 * physics.World.of(scenario).body.radius


def apart(scenario: Scenario, states: list[dict[str, Any]]) -> float:
    """The largest angle [deg] between the truth, which has to be known to the end, and states at times t [s]."""
    truth = physics.reference(scenario).reference
    assert (truth.valid_until, truth.reason) == (scenario.duration, "")
    found = truth.states(np.array([state["t"] for state in states], float))[1]
    return math.degrees(angle_between(found, np.array([state["q"] for state in states], float)).max())


@pytest.mark.parametrize("name", ["betsch_top", "vessel_restoring", "vessel_damped"])
def test_tops_and_vessels_agree_with_solutions_of_20_digits(name: str) -> None:
    case, scenario = DATA["cases"][name], top(FAST)
    if name != "betsch_top":
        scenario = example(name.replace("_", "-"), "verlet-exact", duration=case["T"])
    assert apart(scenario, case["trajectory"]) < 0.02


@pytest.mark.parametrize("name", on_table.CASES)
def test_toys_agree_with_solutions_of_two_integrators(name: str) -> None:
    states = on_table.CASES[name]["states"]
    assert apart(on_table.published(name, states[-1]["t"], 1e-3)[0].scenario, states) < 0.02


def test_of_a_symmetric_body_the_axis_and_the_phase_are_told_apart() -> None:
    """The director scheme lags in phase, and its top keeps near to the circle."""
    scenario = top(FAST, ("dir-em",), duration=0.5, step=0.005)
    runs = physics.simulate(scenario)
    (lane,), (run,) = compare(runs), runs.values()
    truth = physics.reference(scenario).reference.at(0.5)
    axis, true = (apply(q, np.array([0.0, 0.0, 1.0])) for q in (run.orientation[-1], truth.orientation))
    facts = lane.facts()
    assert facts["axis_error_end"] == pytest.approx(math.degrees(math.acos(axis @ true)), rel=1e-6)
    assert facts["axis_error_end"] < 3.0
    assert facts["error_end"] == lane.degrees_off > 10.0
    assert (facts["verdict"], facts["error_of"], facts["phase_error_end"]) == ("off", None, None)
    (uneven,) = compare(physics.simulate(cuboid(schemes=("explicit",))))
    assert uneven.facts()["axis_error_end"] is None


def test_contact_ends_the_truth_of_a_rock_at_its_first_impacts() -> None:
    scenario = example("rock-ramp", "exact@0.00002", duration=4.0, record_every=20)
    truth, (run,) = physics.reference(scenario).reference, physics.simulate(scenario).values()
    assert 0.2 < truth.valid_until < 4.0
    assert "differ from then on" in truth.reason or "came to its limit" in truth.reason
    off = truth.degrees_off(run)
    assert np.nanmax(off) < 0.1
    assert np.isnan(off[run.time > truth.valid_until]).all()


def test_a_body_at_rest_and_a_motion_shorter_than_a_step_have_a_truth() -> None:
    scenario = cuboid(initial={"angular_velocity": (0.0, 0.0, 0.0)}, duration=0.5)
    assert (
        physics.reference(scenario).reference.degrees_off(next(iter(physics.simulate(scenario).values()))).max() == 0.0
    )
    assert len(physics.reference(cuboid(duration=0.01, step=0.01))) == 2


def test_the_truth_has_the_times_of_the_states_that_a_lane_stores_and_its_edits_take_effect_when_they_do_there() -> (
    None
):
    thicker = {"time": 0.335, "body": {"shape": "cuboid", "size": (3.0, 2.0, 1.5), "mass": 1.0}}
    for more in ({"record_every": 7}, {"record_every": 5, "edit": [thicker]}, {"duration": 1.005}):
        scenario = cuboid(**({"schemes": ("dop853",), "duration": 1.0} | more))
        truth, (run,) = physics.reference(scenario), physics.simulate(scenario).values()
        assert truth.time.tolist() == run.time.tolist()
        assert np.degrees(angle_between(truth.orientation, run.orientation)).max() < 1e-6
        assert truth.reference.degrees_off(run).max() < 1e-6
