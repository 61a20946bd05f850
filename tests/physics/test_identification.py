"""Identification: what a free flight tells of a body is true within what is told of its uncertainty."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from physics import PhysicsError, ScenarioError
from physics.analysis.flight_fit import Fit
from physics.analysis.identification import SURE, identify
from physics.analysis.quantisation import deviance, information, noise_of, step_of
from physics.core.rotation import Array, angle_between, apply, conjugate, multiply, unit_of
from physics.measured.attitude import integrated, rates_of
from physics.measured.measured_config import MeasuredTable
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


def draw(seed: int, duration: float, axes=IDENTITY, around=(1.5, 14.0, 4.0), spread: float = 1.0):
    """Rates at 100 Hz with noise, a bias and steps of 8 bits; and what went in."""
    generator = np.random.default_rng(seed)
    time = np.arange(0.0, duration, 0.01)
    start, bias = np.array(around) + spread * generator.normal(size=3), 0.08 * generator.normal(size=3)
    _, flown = free_motion(MOMENTS, IDENTITY, apply(conjugate(axes), start), time)
    seen = apply(axes, flown) + bias + 0.05 * generator.normal(size=flown.shape)
    return sampled(time, np.round(seen / STEP) * STEP), start, bias


@pytest.mark.parametrize(
    ("around", "spread"), [((1.5, 14.0, 4.0), 1.0), ((0.0, 14.0, 0.0), 0.3)], ids=["tumbling", "intermediate"]
)
def test_ratios_and_start_are_near_and_the_uncertainty_covers_them(around, spread):
    """Steps of 8 bits are five times the noise; least squares covered 0.86 about the intermediate axis, its x 0.69."""
    covered, ratios, starts = [], [], []
    for seed in range(50):
        motion, start, bias = draw(seed, 3.0, around=around, spread=spread)
        found = identify(motion, aligned=True)
        ratios.append(np.abs(found.ratios / MOMENTS - 1.0).max())
        starts.append(np.linalg.norm(found.angular_velocity - start) / np.linalg.norm(start))
        off = np.concatenate([found.ratios - MOMENTS, found.angular_velocity - start, found.bias - bias])
        told = np.concatenate([found.ratio_deviations, found.velocity_deviations, found.bias_deviations])
        covered.append((np.abs(off) <= SURE * told)[[0, 1, 3, 4, 5, 6, 7, 8]])  # the third ratio is 1
    assert max(ratios) < 0.01
    assert max(starts) < 0.005
    assert np.mean(covered) > 0.9, "each number, of eight, in 90 of 100 draws"
    assert np.mean(covered, axis=0).min() > 0.85


def test_samples_at_the_end_of_the_range_are_left_out_and_do_not_bias():
    """Fitted as they stand, they shift the ratios by 2 %."""
    time, start, end = np.arange(0.0, 3.0, 0.01), np.array([3.0, 17.0, 8.0]), np.radians(1000.0)
    _, rates = free_motion(MOMENTS, IDENTITY, start, time)
    seen = np.clip(rates + 0.05 * np.random.default_rng(1).normal(size=rates.shape), -end, end)
    saturated = np.abs(seen) >= 0.98 * end
    found = identify(replace(sampled(time, seen), saturated=saturated), aligned=True)
    assert found.left_out == saturated.any(axis=1).sum() > 20
    assert (np.abs(found.ratios - MOMENTS) <= 3.0 * found.ratio_deviations).all()
    assert found.ratio_deviations.max() < 0.002
    assert found.residual == pytest.approx(0.05, rel=0.1)
    with pytest.raises(ScenarioError, match="got 0 beside 300 at the end of the gyroscope's range"):
        identify(replace(sampled(time, seen), saturated=np.ones_like(saturated)), aligned=True)


def test_a_gap_in_the_samples_does_not_bias():
    motion, start, _ = draw(7, 3.0)
    lost = (motion.time > 0.8) & (motion.time < 1.7)
    rates = np.where(lost[:, None], np.nan, motion.angular_velocity)[~lost]
    found = identify(sampled(motion.time[~lost], rates), aligned=True)
    np.testing.assert_allclose(found.ratios, MOMENTS, rtol=0.01)
    np.testing.assert_allclose(found.angular_velocity, start, atol=0.005 * np.linalg.norm(start))


def test_likelihoods_of_steps_tell_noise_and_information():
    generator, step = np.random.default_rng(5), 0.3
    place = generator.uniform(-3.0, 3.0, 20_000)
    for noise in (0.05, 0.15, 0.45):
        seen = np.round((place + noise * generator.normal(size=len(place))) / step) * step
        assert noise_of(place - seen, step) == pytest.approx(min(noise, step), rel=0.03)
        assert step_of(seen[:, None]) == pytest.approx(step)
        score = np.gradient(
            [-0.5 * deviance(place + h - seen, step, noise) ** 2 for h in (-1e-4, 0, 1e-4)], 1e-4, axis=0
        )
        assert np.mean(score[1] ** 2) == pytest.approx(information(place - seen, step, noise).mean(), rel=0.05)
    assert step_of(place[:, None]) < 1e-6
    assert step_of(np.array([[0.0], [1.0], [1.3], [2.9]])) == 0.0


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
    there = (time < 1.1) | (time > 1.9)  # and a gap
    time, attitudes = time[there], attitudes[there]
    found = identify(sampled(time, rates_of(time, attitudes), attitudes))
    assert found.left_out == 0
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


def test_a_search_for_a_body_ends_soon_where_no_body_moves_so(monkeypatch):
    """Seven starts of hundreds of steps each took 54 000 motions, 14 s of a file that is opened."""
    time = np.arange(0.0, 6.0, 0.006)
    swung = np.column_stack([0.3 * np.sin(time), 5.0 + 0.1 * np.cos(3.0 * time), 0.2 * np.cos(time)])
    motions = 0

    def counted(self: Fit, p: Array, part: slice, motion=Fit.motion):
        nonlocal motions
        motions += 1
        return motion(self, p, part)

    monkeypatch.setattr(Fit, "motion", counted)
    with suppress(PhysicsError):  # that it tells nothing
        identify(sampled(time, swung))
    assert 1000 < motions < 10_000
