"""Events of a run: flips, impacts, rest and edits are found where they are."""

from __future__ import annotations

import numpy as np
import pytest

from app.kinds import kind_of
from app.playback.markers import flips, markers
from app.playback.run import Run
from physics import Scenario, World, simulate
from physics.analysis.steering import controller_torque
from physics.core.rotation import yaw_pitch_roll
from physics.simulation.schedule import Schedule
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


@pytest.mark.parametrize("axis", [0, 2])
def test_about_the_other_axes_it_does_not(axis) -> None:
    scenario = cuboid(axis)
    assert len(flips(simulate(scenario)["exact"], World.of(scenario))) == 0


def test_a_rock_hits_the_ground_and_rests() -> None:
    high = {"position": (1.0, 0.0), "height": 3.0}
    run = Run(small.rock(duration=20.0, schemes=("implicit",), release=high)).start()
    run.join()
    found = markers(run)
    assert found[0].kind == "impact"
    assert found[0].time == pytest.approx(np.sqrt(2 * 2.6 / 9.81), abs=0.2)
    assert found[-1].kind == "rest"
    assert all(marker.text for marker in found)


STEERED = {"duration": 16.0, "step": 0.1, "schemes": ("verlet-exact",)}


def test_a_steered_ship_comes_on_course_once_and_to_its_bound_again() -> None:
    run = finished(example("vessel-steered", **STEERED))
    (lane,) = run.lanes
    found = {marker.kind: marker.time for marker in markers(run)}
    yaw = yaw_pitch_roll(lane.trajectory.orientation)[:, 0]
    assert (
        found["on-course"] == lane.trajectory.time[np.argmax(np.abs(yaw - 30.0) < 1.0)] == pytest.approx(10.5, abs=0.5)
    )
    torque = np.abs(controller_torque(lane.trajectory, lane.world))
    assert torque[0] == torque[lane.trajectory.index(found["at-bound"])] == 8e7
    assert torque[lane.trajectory.index(found["at-bound"]) - 1] < 8e7
    assert "swings once in 30.9 s, with a damping ratio of 0.46" in kind_of(run.scenario).facts(lane.world)


def test_a_ship_that_is_steered_later_counts_work_and_course_from_the_edit_on() -> None:
    helm = {"heading": 0.2, "proportional": 3e8, "derivative": 1.2e9}
    none = {"steering": None, "wind": None, "current": None, "torque": ()}
    schedule = Schedule((example("vessel-steered", **STEERED | none),))
    run = Run(schedule.edited(schedule.scenario.changed(steering=helm), at=8.0)).start()
    run.join()
    (lane,) = run.lanes
    titles = {one.title: one for one in kind_of(run.scenario).choices if one.fits is None or one.fits(lane.world)}
    assert "Energy error" not in titles
    early = lane.trajectory.time <= 8.0
    assert not titles["Controller torque"].values(lane.trajectory, lane.world)[early].any()
    assert not titles["Work"].values(lane.trajectory, lane.world)[early].any()
    assert 0.0 < np.abs(titles["Energy balance"].values(lane.trajectory, lane.world)).max() < 0.02
    assert next(marker.time for marker in markers(run) if marker.kind == "on-course") > 8.0


def test_edits_are_events() -> None:
    schedule = Schedule((cuboid(2),)).edited(cuboid(2, step=0.02), at=3.0)
    run = Run(schedule).start()
    run.join()
    assert [(marker.time, marker.kind) for marker in markers(run)] == [(3.0, "edit")]
