"""Contacts that are recomputed from stored states are those of the time stepping."""

from __future__ import annotations

import numpy as np
import pytest

from physics import simulate
from physics.analysis.contact_points import mean_force, touch
from physics.core.trajectory import State
from physics.systems.world import World
from tests import small

FALL = small.rock(
    duration=6.0,
    step=0.002,
    schemes=["implicit"],
    terrain={"profile": "ramp"},
    initial={"velocity": [1.0, 0.0, -0.84], "orientation": "random"},
)


@pytest.fixture(scope="module")
def world() -> World:
    return World.of(FALL)


@pytest.fixture(scope="module")
def run():
    return simulate(FALL)["implicit"]


def state(run, i: int) -> State:
    return State(run.time[i], run.position[i], run.orientation[i], run.velocity[i], run.angular_velocity[i])


def test_as_many_vertices_touch_as_the_recording_says(world: World, run) -> None:
    counts = np.array([touch(world, state(run, i)).touching.sum() for i in range(1, len(run))])
    stored = run.contact[1:]
    assert (stored > 0).sum() > 15
    assert (counts[stored > 0] > 0).mean() > 0.9
    assert (counts == 0)[stored == 0].mean() > 0.95  # others touch while they leave, without a percussion


def test_points_are_the_vertices_and_gaps_are_plumb(world: World, run) -> None:
    found = touch(world, state(run, 0))
    assert len(found.points) == len(world.body.vertices)
    for point, gap, normal in zip(found.points, found.gaps, found.normals, strict=True):
        assert point[2] - gap == pytest.approx(world.terrain.height(point[0], point[1]), abs=1e-9)
        np.testing.assert_allclose(normal, world.terrain.normal(point[0], point[1]))
    arms = found.points - found.points.mean(axis=0)
    assert np.linalg.norm(arms, axis=1).max() == pytest.approx(world.body.radius, rel=1e-6)


def test_in_flight_the_ground_exerts_no_force_and_in_touch_it_pushes_up(world: World, run) -> None:
    weight = world.body.mass * 9.81
    flying = np.flatnonzero((run.contact[:-1] == 0) & (run.contact[1:] == 0))[3]
    assert np.linalg.norm(mean_force(world, run, run.time[flying])) < 1e-6 * weight
    hit = np.flatnonzero(run.contact[1:] > 0)[0]
    assert mean_force(world, run, run.time[hit])[2] > weight
