"""Events of a run: flips, impacts, rest and edits are found where they are."""

from __future__ import annotations

import numpy as np
import pytest

from app.playback.markers import flips, markers
from app.playback.run import Run
from physics import Scenario, World, simulate
from physics.simulation.schedule import Schedule
from tests import small


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


def test_edits_are_events() -> None:
    schedule = Schedule((cuboid(2),)).edited(cuboid(2, step=0.02), at=3.0)
    run = Run(schedule).start()
    run.join()
    assert [(marker.time, marker.kind) for marker in markers(run)] == [(3.0, "edit")]
