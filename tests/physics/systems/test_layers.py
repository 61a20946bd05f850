"""Layers that slow a rock: closed forms of the scheme and of the equation of motion, energy, where they end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import physics
from physics.schemes import serving
from physics.schemes.implicit import midpoint_velocity
from physics.systems.world import World
from tests import small
from tests.small import of_each_family

SCHEMES = serving("rockfall")
FEW = of_each_family("rockfall")  # where the rotation does not matter
MASS, G, H = 800.0, 9.81, 0.002
ROCK = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": MASS}


def rock(scheme="implicit", height=50.0, drag=750.0, layer=1000.0, duration=1.0, velocity=(3.0, -2.0, 4.0), **tables):
    """A rock released on the flat beyond the ramp, above the ground, in a forest."""
    return small.rock(
        duration=duration,
        step=H,
        schemes=[scheme],
        body=ROCK,
        terrain={"profile": "ramp"},
        release={"position": [250, 0], "height": height},
        **{"initial": {"velocity": list(velocity), "angular_velocity": [1.0, 2.0, 3.0]}}
        | ({"forest": {"drag": drag, "height": layer}} if layer else {})
        | tables,
    )


def fall(scheme, *args, **values):
    return physics.simulate(rock(scheme, *args, **values))[scheme]


@pytest.mark.parametrize("scheme", FEW)
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
def test_what_the_trees_take_is_the_work_of_the_drag(scheme):
    found = fall(scheme)
    mean = 0.5 * (found.velocity[1:] + found.velocity[:-1])
    work = -750.0 * H * np.sum(mean**2, axis=1)
    close = 1e-9 * found.kinetic_energy.max()
    turning = np.diff(found.kinetic_energy - 0.5 * MASS * np.sum(found.velocity**2, axis=1))
    if physics.SCHEMES[scheme].energy == "dissipates":  # which takes energy of rotation in free flight too
        assert turning.sum() < -close
        assert turning.max() < close
    else:
        np.testing.assert_allclose(turning, 0.0, rtol=0, atol=close)
    np.testing.assert_allclose(np.diff(found.total_energy) - turning, work, rtol=0, atol=close)


@pytest.mark.parametrize("scheme", FEW)
def test_above_the_trees_nothing_changes(scheme):
    """The same bytes without a forest and above one; then the drag sets in where the layer begins, of the way alone."""
    free, found = fall(scheme, 60.0, layer=None, duration=3.0), fall(scheme, 60.0, layer=30.0, duration=3.0)
    ground = found.position[0, 2] - 60.0
    middle = 0.5 * (found.position[1:, 2] + found.position[:-1, 2])
    first = int(np.argmax(middle < ground + 30.0))
    assert 100 < first < len(middle)
    for column, end in (("position", first), ("velocity", first), ("orientation", None), ("angular_velocity", None)):
        assert getattr(found, column)[:end].tobytes() == getattr(free, column)[:end].tobytes()
    gone = found.velocity[first + 2 :, 0]
    assert np.all(np.diff(gone) < 0.0)
    assert found.velocity[first - 1, 0] == 3.0


def test_drag_that_outweighs_the_rock_still_only_takes_energy():
    """d > 1, a feather in a thicket: the velocity may swing round, its energy falls."""
    found = fall("implicit", 50.0, 5e6, duration=0.5, velocity=(9.0, 0.0, 0.0))
    assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()
    assert np.linalg.norm(found.velocity[-1]) < 0.1


def hat(a):
    return np.cross(np.eye(3), a)


def matrix(drag):
    """The matrix of six numbers."""
    xx, yy, zz, xy, xz, yz = drag
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


FULL = [130.0, 200.0, 90.0, -70.0, 40.0, 60.0]  # [N m s]


@pytest.mark.parametrize("drag", [[30.0, 200.0, 90.0, 0.0, 0.0, 0.0], FULL], ids=["diagonal", "full"])
@pytest.mark.parametrize("scheme", ["explicit", "implicit"])
def test_rotational_drag_solves_the_equations_of_the_paper(scheme, drag):
    """(82) of the explicit scheme and (85) of the implicit one, with the torque at the mean of w^k and w^{k+1}."""
    C = matrix(drag)
    found = fall(scheme, forest={"rotational_drag": drag, "height": 1000.0}, layer=None, duration=0.2)
    theta = np.diag(World.of(rock()).body.inertia)
    for w, after in zip(found.angular_velocity[:-1], found.angular_velocity[1:], strict=True):
        if scheme == "explicit":
            gyro = theta @ hat(w) + hat(w) @ theta
            residual = theta @ (after - w) + 0.5 * H * (gyro + C) @ (after + w)
        else:
            mid, _ = midpoint_velocity(tuple(np.diag(theta)), H, tuple(w))
            residual = theta @ (after - (2 * np.array(mid) - w)) + 0.5 * H * C @ (after + w)
        np.testing.assert_allclose(residual, 0, atol=1e-10)


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if physics.SCHEMES[name].order != 0])
def test_a_matrix_of_rotational_drag_brakes_as_the_equation_of_motion_says(scheme):
    """Against Θ dω/dt = Θω x ω - C ω by a Runge-Kutta method of order 8: errors fall at least with the step."""
    theta, C, start = World.of(rock()).body.inertia, matrix(FULL), np.array([3.0, -2.0, 8.0])
    truth = solve_ivp(
        lambda _, w: (np.cross(theta * w, w) - C @ w) / theta, (0, 0.5), start, method="DOP853", rtol=1e-12, atol=1e-12
    ).y[:, -1]
    errors = []
    for step in (0.002, 0.001):
        scenario = rock(
            scheme,
            layer=None,
            duration=0.5,
            forest={"rotational_drag": FULL, "height": 1000.0},
            initial={"angular_velocity": start.tolist()},
        ).changed(step=step)
        errors.append(np.linalg.norm(physics.simulate(scenario)[scheme].angular_velocity[-1] - truth))
    assert errors[0] < 0.02 * np.linalg.norm(truth)
    assert errors[1] < 0.52 * errors[0]


def test_six_numbers_nine_three_and_one_are_one_matrix():
    def bytes_with(drag):
        found = fall("implicit", 2.0, forest={"rotational_drag": drag, "height": 1000.0}, layer=None)
        return found.angular_velocity.tobytes()

    assert bytes_with(FULL) == bytes_with(matrix(FULL).ravel().tolist())
    assert bytes_with([30.0, 200.0, 90.0]) == bytes_with([30.0, 200.0, 90.0, 0.0, 0.0, 0.0])
    assert bytes_with(9.0) == bytes_with([9.0, 9.0, 9.0])


ONE_AXIS = [1e4, 4e4, 1e4, 2e4, -1e4, -2e4]  # about (1, 2, -1) alone


@pytest.mark.parametrize("drag", [50.0, 5000.0, [0.0, 5000.0, 0.0], [1e6, 0.0, 0.0], FULL, ONE_AXIS], ids=str)
@pytest.mark.parametrize("scheme", FEW)
def test_rotational_drag_only_takes_energy(scheme, drag):
    """Also where one axis alone is braked and its component passes zero, and in contact."""
    for height in (90.0, 2.0):
        found = fall(
            scheme,
            height,
            forest={"rotational_drag": drag, "height": 1000.0},
            layer=None,
            duration=4.0,
            initial={"velocity": [9.0, 1.0, 0.0], "angular_velocity": [1.0, 20.0, 15.0]},
        )
        assert np.diff(found.total_energy).max() <= 1e-9 * found.kinetic_energy.max()


def test_rotational_drag_brakes_nothing_above_the_trees():
    above, free = (
        fall("implicit", forest={"rotational_drag": 9.0, "height": 20.0}, layer=None),
        fall("implicit", layer=None),
    )
    assert above.angular_velocity.tobytes() == free.angular_velocity.tobytes()


@pytest.mark.parametrize(
    ("forest", "sentence"),
    [
        ({"drag": 250.0}, r"forest\.height: missing; a forest with drag"),
        ({"rotational_drag": 250.0}, r"forest\.height: missing; a forest with drag"),
        ({"rotational_drag": -2.0, "height": 9.0}, r"forest\.rotational_drag"),
        ({"rotational_drag": [1.0, -2.0, 1.0], "height": 9.0}, r"forest\.rotational_drag: .*at least 0, got -2"),
        ({"rotational_drag": [1.0, 2.0], "height": 9.0}, r"forest\.rotational_drag: expected 1, 3, 6 or 9 .*got 2"),
        ({"rotational_drag": [1.0, 1.0, 1.0, 2.0, 0.0, 0.0], "height": 9.0}, r"rotational_drag: .*at least 0, got -1"),
        ({"rotational_drag": [1.0, 0.5, 0, 0, 1, 0, 0, 0, 1], "height": 9.0}, r"rotational_drag: .*symmetric matrix"),
        ({"drag": -1.0, "height": 30.0}, r"forest\.drag: expected a number of at least 0"),
        ({"drag": 1.0, "height": 0.0}, r"forest\.height: expected a number above 0"),
        ({"drag": math.nan, "height": 1.0}, r"forest\.drag: expected"),
        ({"dragg": 1.0}, r"forest\.dragg: unknown key; did you mean 'drag'"),
    ],
)
def test_a_wrong_forest_is_refused(forest, sentence):
    with pytest.raises(physics.ScenarioError, match=sentence):
        fall("implicit", layer=None, forest=forest)
