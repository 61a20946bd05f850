"""Identification: what a free flight tells of a body is true within what is told of its uncertainty."""

from __future__ import annotations

import numpy as np
import pytest

from physics import PhysicsError, ScenarioError
from physics.analysis.identification import SURE, identify
from physics.core.rotation import angle_between, apply, conjugate, multiply, unit_of
from physics.measured.attitude import integrated, rates_of
from physics.measured.measured_table import MeasuredTable
from physics.measured.motion import MeasuredMotion
from physics.simulation.exact_motion import free_motion

MOMENTS = np.array([0.45, 0.75, 1.0])
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
STEP = np.radians(4000.0 / 256)  # [rad/s] of 8 bits from -2000 to 2000 deg/s
RATES, QUATERNIONS = {"angular_velocity": ("x", "y", "z")}, {"orientation": ("w", "x", "y", "z")}


def sampled(time, rates, attitudes=None) -> MeasuredMotion:
    told = MeasuredTable(file="toss.csv", **(RATES if attitudes is None else QUATERNIONS))
    attitudes = integrated(time, rates) if attitudes is None else attitudes
    return MeasuredMotion(told, time, rates, attitudes, None, True, ())


def draw(seed: int, duration: float, axes=IDENTITY):
    """Rates at 100 Hz with noise, a bias and steps of 8 bits; and what went in."""
    generator = np.random.default_rng(seed)
    time = np.arange(0.0, duration, 0.01)
    start, bias = np.array([1.5, 14.0, 4.0]) + generator.normal(size=3), 0.08 * generator.normal(size=3)
    _, flown = free_motion(MOMENTS, IDENTITY, apply(conjugate(axes), start), time)
    seen = apply(axes, flown) + bias + 0.05 * generator.normal(size=flown.shape)
    return sampled(time, np.round(seen / STEP) * STEP), start, bias


def test_ratios_and_start_are_near_and_the_uncertainty_covers_them():
    covered, ratios, starts = [], [], []
    for seed in range(100):
        motion, start, bias = draw(seed, 3.0)
        found = identify(motion, aligned=True)
        ratios.append(np.abs(found.ratios / MOMENTS - 1.0).max())
        starts.append(np.linalg.norm(found.angular_velocity - start) / np.linalg.norm(start))
        off = np.concatenate([found.ratios - MOMENTS, found.angular_velocity - start, found.bias - bias])
        told = np.concatenate([found.ratio_deviations, found.velocity_deviations, found.bias_deviations])
        covered.append(np.abs(off) <= SURE * told)
    assert max(ratios) < 0.01
    assert max(starts) < 0.005
    assert np.mean(covered) > 0.9, "each number, of eight, in 90 of 100 draws"
    assert np.mean(covered, axis=0).min() > 0.85


def test_axes_that_are_turned_are_found():
    axes = unit_of(np.array([0.3, -0.2, 0.15]))
    motion, start, _ = draw(4, 3.0, axes)
    found = identify(motion)
    assert np.degrees(angle_between(found.axes, axes)) < 1.0
    np.testing.assert_allclose(found.ratios, MOMENTS, rtol=0.01)
    np.testing.assert_allclose(found.angular_velocity, start, atol=0.005 * np.linalg.norm(start))


def test_quaternions_tell_the_same():
    time, axes, start = np.arange(0.0, 3.0, 0.01), unit_of(np.array([0.1, 0.2, -0.1])), np.array([1.5, 14.0, 4.0])
    q, _ = free_motion(MOMENTS, axes, apply(conjugate(axes), start), time)
    noise = unit_of(0.01 * np.random.default_rng(2).normal(size=(len(time), 3)))
    attitudes = multiply(multiply(q, conjugate(axes)), noise)
    found = identify(sampled(time, rates_of(time, attitudes), attitudes))
    np.testing.assert_allclose(found.ratios, MOMENTS, rtol=0.01)
    np.testing.assert_allclose(found.angular_velocity, start, atol=0.005 * np.linalg.norm(start))
    assert found.residual == pytest.approx(0.01, rel=0.1)


def test_a_motion_that_tells_nothing_is_refused():
    time = np.arange(0.0, 1.0, 0.01)
    steady = np.tile([0.0, 0.0, 10.0], (100, 1)) + 0.05 * np.random.default_rng(3).normal(size=(100, 3))
    with pytest.raises(PhysicsError, match="does not tell the ratios of the moments"):
        identify(sampled(time, steady), aligned=True)
    with pytest.raises(ScenarioError, match="expected a flight of 20 samples or more, got 5"):
        identify(sampled(time, steady), 0.0, 0.045)
