"""The ranking of schemes for a motion: errors, steps and the order of the list."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import assets
import physics
from physics.analysis.comparison import compare
from physics.analysis.convergence import run_in_steps, selection, slope, study, verdict
from physics.analysis.ranking import ACCURACY, HEADINGS, advice, candidates, cells, rank_facts, ranked
from physics.core.cancellation import GivenUp, until
from physics.core.errors import ScenarioError
from physics.core.rotation import angle_between, multiply
from physics.schemes import SCHEMES, serving
from physics.systems.world import World
from tests.small import cuboid, pendulum, top

NAMES = ["explicit", "implicit", "pdmv-6", "exact"]


def scenario(**more):
    return cuboid(**({"duration": 5.0, "step": 0.02, "initial": {"angular_velocity": (4.0, 3.0, 6.0)}} | more))


def test_each_rank_is_what_a_run_with_its_step_shows():
    asked = scenario()
    found = {rank.scheme: rank for rank in ranked(asked, NAMES)}
    truth = physics.simulate(asked.changed(schemes=["exact"]))["exact"].orientation[-1]
    for name, rank in found.items():
        run = physics.simulate(asked.changed(schemes=[name]))[name]
        assert rank.error == pytest.approx(float(angle_between(run.orientation[-1], truth)), abs=1e-12)
        if math.isfinite(rank.time):
            fine = physics.simulate(asked.changed(schemes=[name], step=rank.step))[name]
            assert float(angle_between(fine.orientation[-1], truth)) <= ACCURACY
            if rank.step < asked.step:  # twice the step would not do
                coarse = physics.simulate(asked.changed(schemes=[name], step=2.0 * rank.step))[name]
                assert float(angle_between(coarse.orientation[-1], truth)) > ACCURACY
    assert found["exact"].error < 1e-12
    assert math.isinf(found["explicit"].time)  # of order 1: no step that was tried will do


def test_schemes_are_ranked_with_the_scenario_s_own_step_and_end_where_runs_do():
    (rank,) = ranked(scenario(duration=1.0, step=0.15, schemes=["rk4"]), ["rk4"])
    run = physics.simulate(scenario(duration=0.9, step=0.15, schemes=["rk4", "exact"]))
    assert rank.error == pytest.approx(float(angle_between(*(run[name].orientation[-1] for name in run))), rel=1e-9)


def test_a_motion_with_edits_has_no_ranking_nor_order():
    edited = scenario(edit=[{"time": 2.0, "body": {"shape": "cuboid", "size": (1, 2, 1), "mass": 2}}])
    for measured in (lambda: ranked(edited, NAMES), lambda: list(study(edited))):
        with pytest.raises(ScenarioError, match="edit: applies to single runs; expected a scenario without edits"):
            measured()


def test_the_list_goes_by_time_and_then_by_error():
    found = ranked(scenario(), [*NAMES, "bullet"])
    times = [rank.time for rank in found]
    assert times == sorted(times)
    late = [rank.error for rank in found if math.isinf(rank.time)]
    assert len(late) == 2
    assert late == sorted(late)
    assert advice(found).startswith(f"{found[0].scheme} with a step of ")


def test_what_no_scheme_reaches_is_told():
    found = ranked(scenario(), ["explicit"], accuracy=1e-12)
    assert advice(found).startswith("None of these schemes")
    assert cells(found[0])[3] == "not reached"
    assert rank_facts(found[0])["time"] is None
    assert len(cells(found[0])) == len(HEADINGS)


def test_no_error_is_told_that_is_smaller_than_that_of_the_truth():
    damped = scenario(schemes=["kahan-li-6"], damping={"internal": 0.01}, duration=4.0)
    (rank,) = ranked(damped, ["kahan-li-6"])
    assert rank.error < rank.unsure < 1e-9
    assert cells(rank)[2] == f"<{math.degrees(rank.unsure):.2g}°"
    with pytest.raises(physics.ScenarioError, match="to which the true end is known"):
        ranked(damped, ["kahan-li-6"], accuracy=1e-14)


def test_advice_on_free_bodies_is_not_given_where_torques_act():
    pushed = scenario(torque={"value": (0.0, 0.0, 2.0)}, duration=0.2)
    assert advice(ranked(pushed, ["rkmk-4"])) == "rkmk-4 with a step of 0.02 s is the fastest."
    assert advice(ranked(scenario(duration=0.2), ["rkmk-4"])).endswith(SCHEMES["rkmk-4"].advice)


def test_a_step_without_a_solution_is_told_and_a_finer_one_counts():
    (rank,) = ranked(scenario(step=0.25), ["moser-veselov"], accuracy=1.0)
    assert math.isnan(rank.error)
    assert rank.step < 0.25
    assert cells(rank)[2] == "no solution"


def test_a_top_is_ranked_by_its_order_under_torque():
    found = ranked(top(duration=0.5), ["pdmv-6", "rkn-4"])
    orders = {rank.scheme: cells(rank)[1] for rank in found}
    assert orders == {"pdmv-6": "2", "rkn-4": "4"}
    rolling = physics.load_scenario(assets.SCENARIOS / "vessel-damped.toml").changed(duration=0.4)
    found = ranked(rolling, ["rkn-6", "chin-4", "kahan-li-6"])
    assert {rank.scheme: cells(rank)[1] for rank in found} == {"rkn-6": "4", "chin-4": "2", "kahan-li-6": "6"}
    points = list(study(rolling.changed(schemes=["chin-4"])))
    assert verdict(SCHEMES["chin-4"], points)[1] == "order 2"


def test_a_scheme_is_ranked_once_whatever_steps_its_lanes_have():
    lanes = scenario(schemes=["implicit", "implicit@0.01", "explicit"])
    assert candidates(lanes)[:2] == ["implicit", "explicit"]
    assert candidates(lanes)[2:] == [name for name in selection("free") if name not in ("implicit", "explicit")]
    assert candidates(lanes, every=True) == list(serving("free"))


def test_no_narrow_pulse_of_a_torque_escapes_the_truth_of_a_ranking(tmp_path):
    """It lasts 0.4 ms, and the finest of the steps that were extrapolated to the truth took 2.4 ms."""
    pulse = tmp_path / "pulse.csv"
    pulse.write_text("time,x,y,z\n0,0,0,0\n5.0001,0,0,0\n5.0003,4000,0,0\n5.0005,0,0,0\n")
    torn = scenario(schemes=["rkmk-4"], torque={"file": str(pulse)}, duration=10.0, step=1.0)
    (rank,) = ranked(torn, ["rkmk-4"])
    (lane,) = compare(physics.simulate(torn))
    assert math.degrees(rank.error) == pytest.approx(lane.degrees_off, abs=0.02)


def test_the_truth_of_a_ranking_is_no_coarse_extrapolation():
    """A step in which the top turns 4 times, and 3000 turns of it: a 16th of the step, and halves of that, erred."""
    steady = top(duration=200.0, step=0.2)
    (rank,) = ranked(steady, ["rkn-6"])
    world, half = World.of(steady), 0.5 * steady.initial.precession * 200.0
    spin = 0.5 * world.angular_velocity[2] * 200.0 - half * math.cos(steady.initial.nutation)
    turns = ([math.cos(angle), 0.0, 0.0, math.sin(angle)] for angle in (half, spin))
    truth = multiply(multiply(next(turns), world.orientation), next(turns))
    assert rank.error == pytest.approx(angle_between(run_in_steps(world, "rkn-6", 1000).attitude, truth), abs=1e-7)
    assert rank.step == 0.1


def test_schemes_are_ranked_that_serve_the_first_lane_s_variant():
    """A torque acts in it, and none in the scenario as it is."""
    torque = {"pushed": {"torque": [{"value": (0.0, 0.0, 2.0)}]}}
    pushed = scenario(schemes=["rk4:pushed"], variants=torque, duration=0.2)
    names = candidates(pushed)
    assert {name.partition(":")[0] for name in names} <= set(serving("driven body"))
    with pytest.raises(physics.ScenarioError, match="--scheme"):
        ranked(pushed, ["moser-veselov:pushed"])
    assert not any(rank.fault for rank in ranked(pushed, ["rk4:pushed", "verlet-exact:pushed"]))


def test_a_mechanism_is_ranked_and_shows_its_order_by_the_body_that_is_farthest_off():
    shoulder, elbow = pendulum().to_plain()["joint"]
    swinging = pendulum(joint=(shoulder | {"angle": 1.0}, elbow), duration=0.1, step=0.02)
    (rank,) = ranked(swinging, ["moser-veselov"], accuracy=1e-5)
    first, *_ = points = list(study(swinging))
    assert math.degrees(rank.error) == pytest.approx(first.error, rel=1e-3)
    assert rank.error > 1e-5
    assert rank.step < 0.02
    assert slope(points) == pytest.approx(2, abs=0.25)


def test_a_rockfall_has_no_ranking():
    rock = physics.load_scenario(Path(assets.__file__).parent / "scenarios" / "rock-ramp.toml")
    with pytest.raises(
        physics.ScenarioError,
        match="impacts decide where it ends, not steps; expected free, top, vessel, ship or joints",
    ):
        ranked(rock, ["implicit"])


def test_nobody_waits_for_a_ranking_that_is_given_up():
    with until(lambda: True), pytest.raises(GivenUp):
        ranked(scenario(), NAMES)
