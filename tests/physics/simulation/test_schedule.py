"""Courses: what is edited on the way goes on from the state reached by then."""

from __future__ import annotations

import numpy as np
import pytest

from physics import Scenario, ScenarioError, Trajectory, reference, simulate
from physics.simulation.schedule import Schedule, record_schedule, recording
from tests import small


def free(**changes) -> Scenario:
    moving = {"angular_velocity": (1e-3, 10.0, 1e-3), "velocity": (1.0, 0.0, 0.0)}
    return small.cuboid(**({"schemes": ("implicit",), "initial": moving, "gravity": {"g": 9.81}} | changes))


def rock(**changes) -> Scenario:
    return small.rock(**({"duration": 20.0, "schemes": ("implicit",)} | changes))


def recorded(schedule: Schedule) -> Trajectory:
    worlds = schedule.worlds()
    into = recording(worlds[0], "implicit")
    for _ in record_schedule(worlds, "implicit", into):
        pass
    assert into.finished
    return into.trajectory()


def test_an_edit_that_changes_nothing_of_the_motion_leaves_it_as_it_was():
    schedule = Schedule((free(), free()), (0.0, 0.75))
    run, expected = recorded(schedule), simulate(free())["implicit"]
    np.testing.assert_allclose(run.time, expected.time, atol=1e-12)
    np.testing.assert_allclose(run.angular_velocity, expected.angular_velocity, atol=1e-10)
    np.testing.assert_allclose(run.position, expected.position, atol=1e-12)
    assert [event.kind for event in run.events] == ["end"]


def test_the_part_before_the_playhead_stays_and_another_step_goes_on_from_there():
    schedule = Schedule((free(),)).edited(free(step=0.02), at=1.0)
    run, before = recorded(schedule), simulate(free())["implicit"]
    assert schedule.times == (0.0, 1.0)
    np.testing.assert_array_equal(run.orientation[:101], before.orientation[:101])
    np.testing.assert_allclose(np.diff(run.time[100:]), 0.02)
    assert run.time[-1] == pytest.approx(2.0)
    energy = run.total_energy
    np.testing.assert_allclose(energy, energy[0], rtol=1e-12)


def test_another_mass_keeps_the_motion_and_changes_the_energy_from_there():
    heavy = free(body={"shape": "cuboid", "size": (3.0, 2.0, 1.0), "mass": 2.0})
    run = recorded(Schedule((free(),)).edited(heavy, at=1.0))
    before, after = run.kinetic_energy[100], run.kinetic_energy[101]
    assert after > 1.9 * before
    np.testing.assert_allclose(run.angular_velocity[101], run.angular_velocity[100], atol=0.2)


def test_edits_of_the_start_begin_at_the_start():
    other = free(initial={"angular_velocity": (0.0, 0.0, 5.0)})
    assert Schedule((free(),)).edited(other, at=1.0) == Schedule((other,))


def test_another_scheme_or_duration_holds_for_the_whole_course():
    schedule = Schedule((free(),)).edited(free(step=0.02), at=1.0)
    more = schedule.edited(schedule.scenario.changed(schemes=("explicit", "implicit"), duration=3.0), at=1.5)
    assert more.times == (0.0, 1.0)
    assert {scenario.schemes for scenario in more.scenarios} == {("explicit", "implicit")}
    assert {scenario.duration for scenario in more.scenarios} == {3.0}
    with pytest.raises(ScenarioError, match="last edit"):
        schedule.edited(schedule.scenario.changed(duration=0.5), at=0.2)


def test_an_edit_discards_the_edits_after_it():
    schedule = Schedule((free(),)).edited(free(step=0.02), at=1.0).edited(free(step=0.04), at=0.5)
    assert schedule.times == (0.0, 0.5)
    assert [scenario.step for scenario in schedule.scenarios] == [0.01, 0.04]
    assert schedule.edited(free(step=0.1), at=0.0) == Schedule((free(step=0.1),))


def test_a_rock_goes_on_with_another_friction():
    first = rock()
    rough = rock(soil={"mu_min": 3.0, "mu_max": 3.0, "drag": 2.0})
    run, before = recorded(Schedule((first,)).edited(rough, at=1.5)), simulate(first)["implicit"]
    i = before.index(1.5)
    np.testing.assert_array_equal(run.position[: i + 1], before.position[: i + 1])
    assert np.all(np.diff(run.time) > 0)
    assert abs(run.position[-1, 0] - before.position[-1, 0]) > 0.1
    assert run.events[-1].kind == "rest"


def test_a_rock_that_rests_is_not_woken():
    schedule = Schedule((rock(), rock(step=0.004)), (0.0, 19.0))
    run, alone = recorded(schedule), simulate(rock())["implicit"]
    assert run.time[-1] == alone.time[-1] < 19.0
    assert len(run) == len(alone)


def test_a_course_is_one_scenario_with_edits_and_becomes_the_same_again():
    schedule = Schedule((rock(forest={"drag": 900.0, "height": 20.0}),)).edited(rock(step=0.004), at=1.0)
    schedule = schedule.edited(schedule.scenario.changed(**{"soil.mu_min": 0.3}), at=2.0)
    assert [edit["time"] for edit in schedule.whole.edit] == [1.0, 2.0]
    again = Schedule.of(Scenario(**schedule.whole.to_plain()))
    assert again.times == schedule.times
    assert [one.step for one in again.scenarios] == [0.005, 0.004, 0.004]
    assert [one.soil.mu_min for one in again.scenarios] == [0.55, 0.55, 0.3]
    assert [one.forest.drags for one in again.scenarios] == [True, False, False]
    assert Schedule.of(free()).whole == free()


def test_a_scenario_with_edits_is_simulated_with_them():
    schedule = Schedule((free(),)).edited(free(step=0.02), at=1.0)
    run, expected = simulate(schedule.whole)["implicit"], recorded(schedule)
    np.testing.assert_array_equal(run.orientation, expected.orientation)
    np.testing.assert_array_equal(run.time, expected.time)
    assert run.events == expected.events


@pytest.mark.parametrize("compute", [simulate, reference])
def test_a_path_in_place_of_a_scenario_is_told(compute):
    with pytest.raises(ScenarioError, match=r"scenario: expected a Scenario, as .* returns it, got str"):
        compute("cuboid.toml")
