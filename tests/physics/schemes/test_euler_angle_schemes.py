"""Schemes on Euler angles: their angles, and what they lose at the gimbal lock."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import assets
import physics
from physics import SCHEMES
from physics.core.potential import FREE
from physics.core.rotation import angle_between, multiply, random_attitudes, unit_of, yaw_pitch_roll
from physics.scenario.scenario_file import load_scenario
from physics.schemes.euler_angles import from_zxz, from_zyx, zxz_of, zyx_of
from tests.small import top

SEQUENCES = {"ZYX": (zyx_of, from_zyx), "ZXZ": (zxz_of, from_zxz)}


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_are_those_of_the_sequence_and_give_the_attitude_back_with_its_sign(sequence):
    angles_of, attitude_of = SEQUENCES[sequence]
    for q in random_attitudes(np.random.default_rng(5), 200):
        angles = angles_of(tuple(q))
        known = Rotation.from_euler(sequence, angles).as_quat()[[3, 0, 1, 2]]
        assert angle_between(known, q) < 1e-14
        np.testing.assert_allclose(attitude_of(angles), q, rtol=0, atol=1e-14)


# a start whose axis passes the lock at a given distance [rad] when the body turns about its y axis
PASSING = {
    "euler-zyx-rk4": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    "euler-zxz-rk4": ((0.0, math.pi / 2, 0.0), (0.0, 0.0, 1.0)),
}


@pytest.mark.parametrize("name", PASSING)
def test_half_the_distance_from_the_lock_costs_8_times_the_error(name):
    base, axis = (np.array(x) for x in PASSING[name])
    J, w, scheme, errors = np.ones(3), np.array([0.0, 1.0, 0.0]), SCHEMES[name], []
    for distance in (0.1, 0.05, 0.025, 0.0125):
        q, out = multiply(unit_of(base), unit_of(distance * axis)), np.empty((1, 7))
        assert scheme.march(J, FREE, 1e-3, 2500, scheme.start(J, q, w), out) == (1, 0.0)
        errors.append(float(angle_between(out[0, :4], multiply(q, unit_of(2.5 * w)))))
    np.testing.assert_allclose(np.log2(np.array(errors[1:]) / errors[:-1]), 3.0, atol=0.15)


def test_the_example_loses_its_attitude_where_the_pitch_is_near_90_degrees():
    scenario = load_scenario(assets.SCENARIOS / "vessel-gimbal-lock.toml")
    found = physics.simulate(scenario)
    truth = physics.simulate(scenario.changed(schemes=["verlet-exact"]))["verlet-exact"].orientation
    pitch = np.abs(yaw_pitch_roll(truth)[:, 1])
    error = {name: np.degrees(angle_between(run.orientation, truth)) for name, run in found.items()}
    first = int(np.argmax(pitch > 80.0))
    assert error["euler-zyx-rk4"][:first].max() < 0.01
    assert error["euler-zyx-rk4"][first + 10] > 5.0
    assert error["rk4-unit"].max() < 1e-4


def test_an_upright_top_has_no_lagrange_angles_and_ends_in_a_sentence():
    start = {"nutation": 0.0, "precession": 0.0, "spin": 140.0}
    run = physics.simulate(top(duration=0.1, schemes=["euler-zxz-rk4"], initial=start))["euler-zxz-rk4"]
    assert np.isfinite(run.orientation).all()
    assert run.events[-1].kind == "failed-solve"
    assert "gimbal lock" in run.events[-1].text
