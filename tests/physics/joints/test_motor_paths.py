"""Paths of motors: curves through their rows, against scipy's interpolants and motions known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BPoly, PchipInterpolator

import physics
from physics.core.rotation import Array
from physics.joints import motion, rows
from physics.scenario.scenario import Scenario
from physics.scenario.scenario_file import parse_scenario
from physics.systems.joints.world import JointsWorld
from tests.physics.mechanisms import HEAD

ARM = """
kind = "joints"
[[body]]
name = "arm"
size = [0.4, 0.1, 0.1]
mass = 1.0
position = [0.2, 0, 0]
[[joint]]
type = "hinge"
between = ["ground", "arm"]
axis = [0, 1, 0]
"""
TABLES = {
    "even": [[0.0, 0.0], [1.0, 2.0], [2.0, 3.0], [3.0, 3.5], [4.0, 0.0]],
    "uneven, with a flat stretch": [[-2.0, 1.0], [0.5, 1.0], [0.75, -3.0], [3.0, -4.0], [3.5, -4.0]],
    "with rates": [[0.0, 0.0, 1.0], [1.0, 2.0], [1.5, 2.5, 0.0], [4.0, 2.0, -5.0]],
    "of two rows": [[0.5, 3.0], [2.5, -1.0]],
    "of one row": [[1.0, 2.0, 3.0]],
}


def arm(motor: str) -> Scenario:
    return parse_scenario(HEAD + ARM + f"motor = {{{motor}}}\n", "arm.toml")


def along(motor: str, times: Array) -> Array:
    """Value, rate and acceleration (3, n) of a motor at times."""
    mechanism = JointsWorld.of(arm(motor)).mechanism
    return np.array([rows.target(mechanism, float(time), 0, 0) for time in times]).T


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_path_is_a_quintic_with_the_rates_of_the_monotone_cubic(table: list[list[float]]) -> None:
    times, values = np.array([row[:2] for row in table]).T
    usual = PchipInterpolator(times, values).derivative()(times) if len(table) > 1 else times
    rates = [row[2] if len(row) > 2 else rate for row, rate in zip(table, usual, strict=True)]
    inner, before, after = (
        np.linspace(*ends, 30) for ends in (times[[0, -1]], times[0] - [2, 0.1], times[-1] + [0, 2])
    )
    at = np.concatenate([inner, before, after])
    found = along(f"path = {table}", at)
    ends = np.array([values[0] + rates[0] * (before - times[0]), values[-1] + rates[-1] * (after - times[-1])])
    np.testing.assert_allclose(found[0, 30:], ends.ravel(), atol=1e-12)
    np.testing.assert_allclose(found[1, 30:], np.repeat([rates[0], rates[-1]], 30), atol=1e-12)
    np.testing.assert_array_equal(found[2, 30:], 0.0)
    if len(table) > 1:
        curve = BPoly.from_derivatives(times, [[*pair, 0.0] for pair in zip(values, rates, strict=True)])
        for order, (ours, bound) in enumerate(zip(found, (1e-12, 1e-11, 1e-9), strict=True)):
            np.testing.assert_allclose(ours[:30], curve(inner, order), atol=bound)


def test_rates_are_weighted_harmonic_means() -> None:
    """Fritsch & Butland 1984, equation 5 with the weights for uneven rows; one-sided parabolas at both ends."""
    found = along("path = [[0, 0], [1, 1], [3, 2]]", np.array([0.0, 1.0, 3.0]))
    np.testing.assert_allclose(found, [[0.0, 1.0, 2.0], [7 / 6, 9 / 13, 1 / 6], [0.0, 0.0, 0.0]], atol=1e-15)


def test_steady_turn_is_steady_and_takes_the_torque_of_gravity() -> None:
    """41 rows of 3.14 rad/s: m g r cos(angle), at most 1.962 N m, between, before and after the rows too."""
    table = [[time, np.pi * time] for time in np.linspace(1.0, 9.0, 41).tolist()]
    scenario = arm(f"path = {table}").changed(duration=10.0, schemes=["dop853"])
    run, world = physics.simulate(scenario)["dop853"], JointsWorld.of(scenario)
    torque = motion.joint_loads(world.mechanism, run.time, world.stored(run)).torque[:, 0, 1]
    np.testing.assert_allclose(run.angular_velocity[:, 0], np.tile([0.0, np.pi, 0.0], (len(run), 1)), atol=1e-12)
    np.testing.assert_allclose(torque, -1.0 * 9.81 * 0.2 * np.cos(np.pi * run.time), atol=1e-9)


def test_path_from_rest_to_rest() -> None:
    """d s³ (10 - 15 s + 6 s²), and held outside."""
    found = along('path = [[0, 0], [2, 4], [3, 4], [4, -4]], between = "rest"', np.array([-1, 0, 0.5, 1, 2.5, 3.5, 5]))
    np.testing.assert_allclose(found[0], [0, 0, 4 * 0.103515625, 2, 4, 0, -4], atol=1e-14)
    np.testing.assert_allclose(found[1], [0, 0, 2 * 30 * 0.25**2 * 0.75**2, 3.75, 0, -15, 0], atol=1e-14)


def test_motor_is_written_as_it_was_given() -> None:
    motor = {"path": [[0.0, 1.0], [2.0, 3.0, -1.0]]}
    assert arm("path = [[0, 1], [2, 3, -1]]").to_plain()["joint"][0]["motor"] == [motor]
    rest = arm('path = [[0, 1], [2, 3]], between = "rest"').to_plain()["joint"][0]["motor"]
    assert rest == [{"path": [[0.0, 1.0], [2.0, 3.0]], "between": "rest"}]


@pytest.mark.parametrize(
    ("motor", "field", "words"),
    [
        ("path = []", "path", "at least 1 value"),
        ("path = [[0, 0], [1]]", "path.1", "[time, value] or [time, value, rate], got 1 values"),
        ("path = [[0, 0, 0, 0]]", "path.0", "got 4 values"),
        ("path = [[1, 0], [1, 2]]", "path", "times that rise, got 1 after 1"),
        ("path = [[2, 0], [1, 2]]", "path", "times that rise, got 1 after 2"),
        ("path = [[0, 0], [1, nan]]", "path.1.1", "finite"),
        ("path = [[0, 0], [1e-200, 1]]", "path", "change too fast"),
        ("path = [[-1e308, 0], [1e308, 1]]", "path", "change too fast"),
        ('path = [[0, 0], [1, 2, 3]], between = "rest"', "path", "without a rate beside between"),
        ('rate = 1.0, between = "rest"', "between", "needs path"),
        ('path = [[0, 0]], between = "linear"', "between", "'smooth' or 'rest'"),
    ],
)
def test_wrong_paths_are_refused_by_name(motor: str, field: str, words: str) -> None:
    with pytest.raises(physics.ScenarioError) as caught:
        arm(motor)
    assert caught.value.field == f"joint.0.motor.0.{field}"
    assert words in caught.value.message
