"""Events of a run: flips, impacts, rest and edits are found where they are."""

from __future__ import annotations

import numpy as np
import pytest

from app.kinds import kind_of
from app.playback.clock import decimals
from app.playback.markers import flips, impacts, markers, markers_of
from app.playback.run import Run, lanes_of
from app.playback.verdicts import seconds_in_words
from physics import Scenario, Trajectory, World, simulate
from physics.analysis.flips import Flips
from physics.analysis.steering import controller_torque, off_course
from physics.core.rotation import yaw_pitch_roll
from physics.simulation.schedule import Schedule, record_schedule
from physics.systems.toys.world import tilt
from tests import small
from tests.app.staging import example, finished


def cuboid(axis: int, **changes) -> Scenario:
    omega = [1e-3, 1e-3, 1e-3]
    omega[axis] = 10.0
    turning = {"duration": 20.0, "schemes": ("exact",), "initial": {"angular_velocity": tuple(omega)}}
    return small.cuboid(**(turning | changes))


def test_a_cuboid_about_its_intermediate_axis_flips_four_times_in_20_s() -> None:
    scenario = cuboid(1)
    run = simulate(scenario)["exact"]
    times = flips(run, World.of(scenario))
    assert len(times) == 4
    assert np.diff(times) == pytest.approx(np.diff(times)[0], rel=0.02)
    assert np.abs(run.angular_velocity[[run.index(t) for t in times], 1]).max() < 1.5


def test_flips_are_where_the_rate_is_zero_however_few_states_are_stored() -> None:
    """The moments of the test of physics.analysis.flips; a tenth of the rows is told in the same digits."""
    for every in (1, 10):
        scenario = cuboid(1, record_every=every)
        times = flips(simulate(scenario)["exact"], World.of(scenario))
        np.testing.assert_allclose(times, [2.46534, 6.93788, 11.41043, 15.88297], atol=3e-4)


def test_flips_of_a_scheme_that_gains_momentum_later_stay_flips() -> None:
    """The explicit lane of the thrown body turns twice as fast after 2 s, and about another axis."""
    scenario = example("measured-toss", measured=(), schemes=("explicit",))
    found = [
        flips(simulate(one)["explicit"], World.of(one))
        for one in (scenario.changed(duration=1.3), scenario.changed(duration=4.0))
    ]
    assert len(found[0]) == 4
    np.testing.assert_allclose(found[1][:4], found[0], atol=1e-9)


def test_flips_before_and_after_an_edit_are_those_of_the_body_there() -> None:
    """Its intermediate axis is x from 8 s on, about which it does not turn; an edit of the step amid a flip is none."""
    other = {"shape": "cuboid", "mass": 1.0, "size": (2.0, 3.0, 1.0)}
    runs = simulate(cuboid(1, edit=({"time": 2.47, "step": 0.02}, {"time": 8.0, "body": other})))
    assert runs.world is not None
    np.testing.assert_allclose(flips(runs["exact"], runs.world), [2.46534, 6.93788], atol=3e-4)


def test_a_lane_that_failed_before_its_first_state_has_no_markers() -> None:
    assert markers_of(lanes_of([World.of(small.cuboid())], ["exact"]), ()) == ()


def test_times_are_told_by_their_scale() -> None:
    """The same cuboid a million times as fast turns over at the same digits of microseconds."""
    fast = cuboid(1, duration=2e-5, step=1e-8, initial={"angular_velocity": (1e3, 1e7, 1e3)})
    texts = [
        [marker.text for marker in markers_of(lanes, ()) if marker.kind == "flip"]
        for lanes in (finished(one).lanes for one in (cuboid(1), fast))
    ]
    assert [one[0] for one in texts] == ["Exact: flip at 2.47 s", "Exact: flip at 2.47 µs"]
    assert [seconds_in_words(time) for time in (0.0, 2e-7, 0.0123, 7.04)] == ["0 s", "0.2 µs", "0.012 s", "7.0 s"]
    assert [*map(decimals, (20.0, 0.5, 2e-5))] == [2, 3, 7]


@pytest.mark.parametrize("axis", [0, 2])
def test_about_the_other_axes_it_does_not(axis) -> None:
    scenario = cuboid(axis)
    assert len(flips(simulate(scenario)["exact"], World.of(scenario))) == 0


def test_a_body_with_two_equal_moments_does_not_flip() -> None:
    """Its rates swing about both axes across while it precesses steadily."""
    rod = {"shape": "inertia", "inertia": (2.0, 2.0, 1.0), "mass": 1.0}
    scenario = cuboid(1, body=rod, initial={"angular_velocity": (5.0, 0.0, 1.0)}, duration=10.0)
    run = simulate(scenario)["exact"]
    assert len(flips(run, World.of(scenario))) == 0
    assert Flips.of(np.array(rod["inertia"]), run.angular_velocity, run.time).times == ()


def of_toy(scenario: Scenario, kind: str) -> tuple[list[float], Trajectory]:
    """Times [s] of markers of a kind of a toy's lane, and the lane; no true motion is sought."""
    worlds = [World.of(scenario)]
    (lane,) = lanes_of(worlds, scenario.schemes)
    assert list(record_schedule(worlds, lane.scheme.name, lane.recording))
    return [marker.time for marker in markers_of([lane], ()) if marker.kind == kind], lane.trajectory


def test_a_tippe_top_is_upside_down_where_it_passes_its_side_and_an_egg_that_rocks_on_its_own_never() -> None:
    times, top = of_toy(example("table-tippe-top", duration=1.7, schemes=("implicit",)), "turns-over")
    assert times == [pytest.approx(top.time[np.argmax(tilt(top.orientation) > np.pi / 2)], abs=0.002)]  # a row
    lying = {"initial.orientation": (0.8, 0.6, 0.0, 0.0), "initial.angular_velocity": (0.0, 0.0, 0.0)}
    times, egg = of_toy(example("table-egg", duration=0.3, schemes=("implicit",), **lying), "turns-over")
    assert np.degrees([tilt(egg.orientation).min(), tilt(egg.orientation).max()]) == pytest.approx([73.7, 106.3], abs=2)
    assert times == []


def test_each_reversal_of_a_spin_is_told_there_and_back() -> None:
    """The times are those of an integration of the rolling rattleback by DOP853 with a tolerance of 1e-12."""
    times, _ = of_toy(example("table-rattleback", step=0.001, schemes=("implicit",)), "turns-back")
    assert times == pytest.approx([2.7, 17.235], abs=0.1)


def test_a_rock_hits_the_ground_and_rests() -> None:
    high = {"position": (1.0, 0.0), "height": 3.0}
    run = Run(small.rock(duration=20.0, schemes=("implicit",), release=high)).start()
    run.join()
    found = markers(run)
    assert found[0].kind == "impact"
    assert found[0].time == pytest.approx(np.sqrt(2 * 2.6 / 9.81), abs=0.2)
    assert found[-1].kind == "rest"
    assert all(marker.text for marker in found)


def test_impacts_are_told_however_few_states_are_stored() -> None:
    """Each by the state after it, and the first one with the change of velocity that the ground makes."""
    high = {"position": (1.0, 0.0), "height": 3.0}
    found = []
    for every in (1, 5):
        scenario = small.rock(duration=6.0, schemes=("implicit",), release=high, record_every=every)
        found.append(impacts(simulate(scenario)["implicit"], 9.81))
    (times, changes), (later, coarse) = (np.transpose(one) for one in found)
    interval = 5 * scenario.step
    heavy = times[changes > 1.0]
    waits = np.array([(later - at)[later >= at - 1e-9].min() for at in heavy])
    assert len(heavy) > 2
    assert (waits < interval).all()
    assert coarse[0] == pytest.approx(changes[0], rel=0.05)


STEERED = {"duration": 16.0, "step": 0.1, "schemes": ("verlet-exact",)}


def test_a_steered_ship_swings_over_its_course_and_comes_to_its_bound_again() -> None:
    run = finished(example("vessel-steered", **STEERED))
    (lane,) = run.lanes
    found = {marker.kind: marker.time for marker in markers(run)}
    near = np.abs(yaw_pitch_roll(lane.trajectory.orientation)[:, 0] - 30.0) < 1.0
    assert found["meets-course"] == lane.trajectory.time[np.argmax(near)] == pytest.approx(10.5, abs=0.5)
    assert "on-course" not in found
    assert not near[-1]
    torque = np.abs(controller_torque(lane.trajectory, lane.world))
    assert torque[0] == torque[lane.trajectory.index(found["at-bound"])] == 8e7
    assert torque[lane.trajectory.index(found["at-bound"]) - 1] < 8e7
    assert "swings once in 30.1 s, with a damping ratio of 0.45" in kind_of(run.scenario).facts(lane.world)
    damped = World.of(run.scenario.changed(**{"vessel.damping": (0.0, 0.0, 1e9)}))  # which adds to the controller's
    assert "with a damping ratio of 0.82" in kind_of(run.scenario).facts(damped)
    weak = {"proportional": 1e7, "derivative": 3e7, "heading": 0.0}  # the current wins: a run swings in 127 to 133 s
    drifts = World.of(run.scenario.changed(wind=None, torque=(), steering=weak, **{"current.direction": -0.35}))
    facts = kind_of(run.scenario).facts(drifts)
    assert "swings once in 127 s, with a damping ratio of 0.053. Wind, current and torques hold it 34° off" in facts


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"current.direction": 0.0}, "hold it 33° off its course."),  # on which it is not stable: a run ends at 33.399°
        (
            {"current.direction": -0.35, "steering.limit": 1e6},
            "hold it 65° off its course. There the controller is at its limit.",
        ),  # at 65.41°
        (
            {"current.direction": 0.0, "torque": ({"value": (0.0, 0.0, 6e6)},), "steering.limit": 1e6},
            "hold it 120° off its course.",
        ),
        ({"current": None, "torque": ({"value": (0.0, 0.0, 1e8)},), "steering.limit": 1e6}, "turn it on and on"),
    ],
)
def test_the_panel_tells_where_a_ship_comes_to_rest_whose_course_is_no_rest(changes: dict, told: str) -> None:
    """Runs of 3000 s with damping end there, and the last turns 157 times."""
    helm = {"proportional": 1e7, "derivative": 3e7, "heading": 0.0}
    ship = example("vessel-steered", **{"wind": None, "torque": (), "steering": helm} | changes)
    assert told in kind_of(ship).facts(World.of(ship))


def test_a_ship_that_is_damped_steered_and_left_alone_counts_work_and_course_of_each_stretch() -> None:
    helm = {"heading": 0.2, "proportional": 3e8, "derivative": 2.6e9, "limit": 4e7}
    alone = {"steering": None, "wind": None, "current": None, "torque": (), "vessel.damping": (1e8, 1e9, 1e8)}
    start = {"initial.angular_velocity": (0.1, 0.02, 0.0), "duration": 70.0}
    schedule = Schedule((example("vessel-steered", **STEERED | alone | start),))
    edits = {
        8.0: {"steering": helm},
        34.0: {"steering": helm | {"heading": 0.5}},
        60.0: {"steering": None, "vessel.damping": (0.0, 0.0, 0.0)},
    }
    for at, changes in edits.items():
        schedule = schedule.edited(schedule.scenario.changed(**changes), at=at)
    run = Run(schedule).start()
    run.join()
    (lane,) = run.lanes
    motion, world = lane.trajectory, lane.world
    titles = {one.title: one for one in kind_of(run.scenario).choices if one.fits is None or one.fits(world)}
    assert "Energy error" not in titles
    steered = (motion.time > 8.0) & (motion.time <= 60.0)
    assert not titles["Controller torque"].values(motion, world)[~steered].any()
    work = titles["Work"].values(motion, world)
    assert work[motion.index(8.0)] < -0.5 * motion.origins[0].energy_scale
    assert not work[motion.time > 60.0].any()
    assert 0.0 < np.abs(titles["Energy balance"].values(motion, world)).max() < 0.01
    found = {kind: [one.time for one in markers(run) if one.kind == kind] for kind in ("on-course", "at-bound")}
    off = np.degrees(off_course(motion, world))
    for (begin, end), at in zip(((8.0, 34.0), (34.0, 60.0)), found["on-course"], strict=True):
        assert begin < at < end
        row = motion.index(at)
        assert np.abs(off[row : motion.index(end)]).max() < 1.0 < abs(off[row - 1])
    assert found["at-bound"] == pytest.approx([8.1, 34.1])


def test_edits_are_events() -> None:
    schedule = Schedule((cuboid(2),)).edited(cuboid(2, step=0.02), at=3.0)
    run = Run(schedule).start()
    run.join()
    assert [(marker.time, marker.kind) for marker in markers(run)] == [(3.0, "edit")]


def test_a_ship_is_over_on_the_timeline_from_the_state_on_that_its_run_reports() -> None:
    """Also where it has passed 90 degrees by two at the end."""
    run = finished(example("ship-capsize", schemes=["rkn-4:above"], duration=5.3))
    (told,) = (event.time for event in run.lanes[0].trajectory.events if event.kind == "capsize")
    assert [(marker.kind, marker.time) for marker in markers(run)] == [("heels-over", told)]
