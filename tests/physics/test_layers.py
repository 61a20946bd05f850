"""Layers that slow a rock: closed forms of the scheme and of the equation of motion, energy, where they end."""

from __future__ import annotations

import math

import numpy as np
import pytest

import physics
from physics.schemes import serving

SCHEMES = serving("rockfall")
MASS, G, H = 800.0, 9.81, 0.002
ROCK = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": MASS}


def fall(scheme, height=50.0, drag=750.0, layer=1000.0, duration=1.0, velocity=(3.0, -2.0, 4.0), step=H, **tables):
    """A rock released on the flat beyond the ramp, above the ground, in a forest."""
    scenario = physics.Scenario(
        kind="rockfall",
        duration=duration,
        step=step,
        schemes=[scheme],
        body=ROCK,
        terrain={"profile": "ramp"},
        initial={"velocity": list(velocity), "angular_velocity": [1.0, 2.0, 3.0]},
        release={"position": [250, 0], "height": height},
        **({"forest": {"drag": drag, "height": layer}} if layer else {}) | tables,
    )
    return physics.simulate(scenario)[scheme]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_fall_through_a_forest_is_the_closed_form(scheme):
    """v' = ((1-d) v - h g) / (1+d), d = h c / 2m: exponential decay to the terminal velocity -m g / c."""
    drag, v = 2000.0, np.array([3.0, -2.0, 4.0])
    found = fall(scheme, 100.0, drag, duration=3.0, velocity=v)
    rate, end = drag / MASS, np.array([0.0, 0.0, -MASS * G / drag])
    d = 0.5 * H * rate
    steps = np.arange(len(found.time))[:, None]
    np.testing.assert_allclose(found.velocity, end + (v - end) * ((1 - d) / (1 + d)) ** steps, rtol=0, atol=1e-9)
    # of the equation of motion, to second order of the step: (1-d)/(1+d) = exp(-2d) (1 - 2d³/3 ...)
    t = found.time[:, None]
    np.testing.assert_allclose(found.velocity, end + (v - end) * np.exp(-rate * t), rtol=0, atol=8 * d * d)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_rock_reaches_its_terminal_velocity(scheme):
    found = fall(scheme, 150.0, 4000.0, duration=6.0)
    np.testing.assert_allclose(found.velocity[-1], [0.0, 0.0, -MASS * G / 4000.0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_the_trees_take_is_the_work_of_the_drag(scheme):
    found = fall(scheme)
    mean = 0.5 * (found.velocity[1:] + found.velocity[:-1])
    work = -750.0 * H * np.sum(mean**2, axis=1)
    np.testing.assert_allclose(np.diff(found.total_energy), work, rtol=0, atol=1e-9 * found.kinetic_energy.max())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_above_the_trees_nothing_changes(scheme):
    """The same bytes without a forest and above one; then the drag sets in where the layer begins."""
    free, found = fall(scheme, 60.0, layer=None, duration=3.0), fall(scheme, 60.0, layer=30.0, duration=3.0)
    ground = found.position[0, 2] - 60.0
    middle = 0.5 * (found.position[1:, 2] + found.position[:-1, 2])
    first = int(np.argmax(middle < ground + 30.0))
    assert 100 < first < len(middle)
    for column in ("position", "orientation", "velocity", "angular_velocity"):
        assert getattr(found, column)[:first].tobytes() == getattr(free, column)[:first].tobytes()
    gone = found.velocity[first + 2 :, 0]
    assert np.all(np.diff(gone) < 0.0)
    assert found.velocity[first - 1, 0] == 3.0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_drag_leaves_the_rotation_alone(scheme):
    free, found = fall(scheme, layer=None), fall(scheme)
    assert found.angular_velocity.tobytes() == free.angular_velocity.tobytes()


@pytest.mark.parametrize("terrain", ["ramp", "alpine"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_energy_never_rises_on_a_wooded_slope_and_the_rock_stops_sooner(scheme, terrain):
    runs = {}
    for drag in (0.0, 750.0):
        scenario = physics.Scenario(
            kind="rockfall",
            duration=400.0,  # a rock that creeps among trees takes its time
            step=H,
            schemes=[scheme],
            body=ROCK,
            terrain={"profile": terrain},
            initial={"orientation": "random"},
            soil={"preset": "medium"},
            forest={"drag": drag, "height": 30.0},
            ensemble={"seed": 3},
            **({"release": {"position": [1, 0]}} if terrain == "ramp" else {}),
        )
        runs[drag] = found = physics.simulate(scenario)[scheme]
        assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
        assert found.events[-1].kind in ("rest", "left-map")
    assert runs[750.0].kinetic_energy.max() < runs[0.0].kinetic_energy.max()


def test_drag_that_outweighs_the_rock_still_only_takes_energy():
    """d > 1, a feather in a thicket: the velocity may swing round, its energy falls."""
    found = fall("implicit", 50.0, 5e6, duration=0.5, velocity=(9.0, 0.0, 0.0))
    assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
    assert np.linalg.norm(found.velocity[-1]) < 0.1


@pytest.mark.parametrize(
    ("forest", "sentence"),
    [
        ({"drag": 250.0}, r"forest\.height: missing; a forest with drag"),
        ({"drag": -1.0, "height": 30.0}, r"forest\.drag: expected a number of at least 0"),
        ({"drag": 1.0, "height": 0.0}, r"forest\.height: expected a number above 0"),
        ({"drag": math.nan, "height": 1.0}, r"forest\.drag: expected"),
        ({"dragg": 1.0}, r"forest\.dragg: unknown key; did you mean 'drag'"),
    ],
)
def test_a_wrong_forest_is_refused(forest, sentence):
    with pytest.raises(physics.ScenarioError, match=sentence):
        fall("implicit", layer=None, forest=forest)


def test_only_rocks_meet_forests():
    with pytest.raises(physics.ScenarioError, match="forest: not a table of kind 'free'"):
        physics.Scenario(
            kind="free", duration=1.0, step=0.1, body=ROCK, forest={"drag": 1.0, "height": 3.0}, schemes=["implicit"]
        )
