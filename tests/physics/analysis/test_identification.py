"""Identification: what a free flight tells of a body is true within what is told of its uncertainty."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from physics import PhysicsError, ScenarioError
from physics.analysis.identification import SURE, free_flight, identify, whole_flight
from physics.core.rotation import Array, angle_between, apply, conjugate, multiply, unit_of
from physics.measured.motion import rates_of
from physics.schemes.free_motion import free_motion, motion_in_air
from tests.flights import sampled, thrown

MOMENTS = np.array([0.45, 0.75, 1.0])
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
PHONE = np.array([0.345, 0.72, 1.0])  # moments of a phone over the largest
STEP = np.radians(4000.0 / 256)  # [rad/s] of 8 bits from -2000 to 2000 deg/s


def smoothed(generator: np.random.Generator, count: int, kept: float) -> Array:
    """Noise (count, 3) of variance 1 after a filter of first order that keeps a share of the sample before."""
    from scipy.signal import lfilter

    return lfilter([np.sqrt(1.0 - kept**2)], [1.0, -kept], generator.normal(size=(count + 500, 3)), axis=0)[500:]


def recorded(seed: int, noise: float = 0.02, rest: float = 1.0, flight: float = 0.7, drag: float = 0.0):
    """A phone at 100 Hz that rests, is wound up in 0.4 s, flies in air or none, and lands: times and rates."""
    begin, end = rest + 0.4, rest + 0.4 + flight
    generator, time = np.random.default_rng(seed), np.arange(0.0, end + 1.3, 0.01)
    start = np.array([2.0, 11.0, 4.0]) * (1.0 + 0.3 * generator.normal(size=3))
    _, flown = motion_in_air(PHONE, np.full(3, drag), IDENTITY, start, np.clip(time - begin, 0.0, flight), 20.0)
    wound, landed = np.clip((time - rest) / 0.4, 0.0, 1.0), np.clip((time - end) / 0.3, 0.0, 1.0)
    hand = (wound**2 * (3.0 - 2.0 * wound))[:, None] * flown
    hand += (np.sin(np.pi * wound) ** 2 * (wound < 1.0))[:, None] * np.cross([0.0, 0.3, 1.0], start)
    knocks = (np.exp(-6.0 * landed) * np.cos(20.0 * landed) * (1.0 - landed))[:, None] * flown
    rates = np.where(landed[:, None] > 0.0, knocks, hand)
    return time, rates + 0.03 * generator.normal(size=3) + noise * generator.normal(size=rates.shape)


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
    for seed in range(30):
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


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_recording_is_no_free_motion_and_the_flight_in_it_is(seed):
    motion = sampled(*recorded(seed))
    whole, flight = (identify(motion, *span, aligned=True) for span in ((None, None), (1.42, 2.08)))
    assert not whole.fitted
    assert "no free motion fits from 0 to 3.39 s" in whole.doubt
    facts = whole.facts()
    assert [facts[name] for name in ("ratio_deviations", "velocity_deviations", "bias_deviations")] == [None] * 3
    assert facts["axes_deviation"] is None
    assert np.isnan(whole.ratio_deviations).all()
    assert whole.residual > 1.0
    assert flight.fitted
    assert flight.doubt == ""
    np.testing.assert_allclose(flight.ratios, PHONE, rtol=0.02)
    assert np.isfinite(flight.ratio_deviations).all()


def turned(rates: Array) -> Array:
    return apply(unit_of(np.array([0.3, -0.2, 0.15])), rates)


@pytest.mark.parametrize(
    ("seed", "seen"),
    [(0, None), (1, turned), (2, lambda rates: np.round(rates / STEP) * STEP), (3, lambda rates: rates + 0.05)],
    ids=["aligned", "turned", "8 bits", "bias"],
)
def test_the_flight_in_a_recording_is_where_a_free_motion_fits(seed, seen):
    """It rests for 2 s, is wound up, flies for 1 s from 2.4 s on, and lands; no accelerometer shows when."""
    time, rates = recorded(seed, rest=2.0, flight=1.0)
    motion = sampled(time, rates if seen is None else seen(rates))
    begin, end = free_flight(motion)
    assert begin == pytest.approx(2.4, abs=0.06)
    assert end == pytest.approx(3.4, abs=0.06)
    found = identify(motion, begin, end)
    assert found.fitted
    assert (np.abs(found.ratios - PHONE)[:2] <= 4.0 * found.ratio_deviations[:2]).all()
    assert found.ratio_deviations.max() < 0.01


@pytest.mark.parametrize("seed", range(4))
def test_a_flight_in_the_air_is_found_whole(seed):
    """A motion without drag fits no more than a fifth of it."""
    motion = sampled(*recorded(seed, rest=2.0, flight=1.0, noise=0.005, drag=0.03))
    begin, end = free_flight(motion)
    assert begin == pytest.approx(2.4, abs=0.06)
    assert end == pytest.approx(3.4, abs=0.06)
    found = identify(motion, begin, end)
    assert found.fitted
    np.testing.assert_allclose(found.ratios, PHONE, rtol=0.03)
    np.testing.assert_allclose(found.drag, 0.03, atol=0.004)


@pytest.mark.parametrize("drag", [0.0, 0.03])
def test_a_part_that_an_accelerometer_shows_is_followed_to_the_whole_flight(drag):
    motion = sampled(*recorded(1, rest=2.0, flight=1.0, noise=0.005, drag=drag))
    begin, end = whole_flight(motion, 2.6, 3.0)
    assert begin == pytest.approx(2.4, abs=0.06)
    assert end == pytest.approx(3.4, abs=0.06)
    assert whole_flight(motion, 2.45, 3.35) == (2.45, 3.35), "most of it: as the accelerometer says"
    assert whole_flight(motion, 1.0, 1.5) == (1.0, 1.5), "at rest nothing is told"


def test_of_two_flights_that_with_more_turns_is_found():
    short, long = recorded(0, flight=0.6)[1], recorded(0, flight=1.2)[1]
    rates = np.concatenate([short, long])
    begin, end = free_flight(sampled(0.01 * np.arange(len(rates)), rates))
    assert begin == pytest.approx(0.01 * len(short) + 1.4, abs=0.06)
    assert end - begin == pytest.approx(1.2, abs=0.12)


def swung(seed: int, duration: float = 6.0):
    """A phone that is waved about in a hand: times and rates."""
    generator, time = np.random.default_rng(seed), np.arange(0.0, duration, 0.01)
    phases, heights = generator.uniform(0.0, 6.0, (6, 3)), generator.uniform(0.1, 2.5, (6, 3))
    waves = np.sin(2.0 * np.pi * time[:, None, None] * generator.uniform(0.2, 3.0, (6, 3)) + phases)
    return time, np.sum(heights * waves, axis=1) + 0.02 * generator.normal(size=(len(time), 3))


STILL = np.arange(0.0, 6.0, 0.01)
ELSEWHERE = {
    "hand": lambda: swung(0),
    "another hand": lambda: swung(1),
    "rest": lambda: (STILL, 0.03 + 0.02 * np.random.default_rng(2).normal(size=(600, 3))),
    "one axis": lambda: (STILL, [0.0, 9.0, 0.0] + 0.02 * np.random.default_rng(2).normal(size=(600, 3))),
    "counts": lambda: (STILL, 800.0 * free_motion(MOMENTS, IDENTITY, np.array([2.0, 9.0, 3.0]), STILL)[1]),
    "14 times too fast": lambda: (STILL, 14.0 * free_motion(PHONE, IDENTITY, np.array([2.0, 9.0, 3.0]), STILL)[1]),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_no_flight_is_found_where_there_is_none(name):
    assert free_flight(sampled(*ELSEWHERE[name]())) is None


def test_a_recording_of_nothing_but_flight_is_found_whole():
    motion, _, _ = draw(4, 3.0)
    assert free_flight(motion) == (0.0, motion.time[-1])
    time = np.arange(0.0, 3.0, 0.01)
    attitudes = multiply(free(time)[0], unit_of(0.003 * np.random.default_rng(2).normal(size=(len(time), 3))))
    assert free_flight(sampled(time, rates_of(time, attitudes), attitudes)) == (0.0, time[-1])


def free(time, start=(1.5, 14.0, 4.0)):
    return free_motion(MOMENTS, IDENTITY, np.array(start), time)


def interpolated(time):
    every = time[::2]
    _, rates = free(every)
    return np.column_stack([np.interp(time, every, rates[:, i]) for i in range(3)])


SENSED = {
    "exact": lambda time: free(time)[1],
    "nine digits": lambda time: np.round(free(time)[1], 9),
    "slow and coarse": lambda time: np.round(free(time, (0.3, 2.0, 0.6))[1] / 0.06) * 0.06,
    "interpolated": interpolated,
    "differences": lambda time: rates_of(time, free(time)[0]),
    "repeats": lambda time: np.repeat(free(time)[1][::10], 10, axis=0),
}


@pytest.mark.parametrize("name", SENSED)
def test_what_is_left_of_a_free_motion_without_noise_is_no_doubt(name):
    """Rounding, steps, linear interpolation, differences: they hang together, but are less than what samples tell."""
    time = np.arange(0.0, 3.0, 0.01)
    if name == "repeats":
        time = np.arange(0.0, 3.0, 0.001)
    found = identify(sampled(time, SENSED[name](time)), aligned=True)
    assert found.fitted
    np.testing.assert_allclose(found.ratios, MOMENTS, rtol=0.02)


def test_intervals_of_a_filtered_sensor_hold_the_truth():
    """The sensor has 500 Hz and a filter of 9 ms; intervals for independent samples hold the truth in 70 of 100."""
    time, covered = np.arange(0.0, 1.5, 0.002), []
    for seed in range(8):
        generator = np.random.default_rng(seed)
        start = np.array([1.5, 14.0, 4.0]) + generator.normal(size=3)
        found = identify(sampled(time, free(time, start)[1] + 0.05 * smoothed(generator, len(time), 0.8)), aligned=True)
        assert found.fitted
        off = np.concatenate([found.ratios - MOMENTS, found.angular_velocity - start])
        told = np.concatenate([found.ratio_deviations, found.velocity_deviations])
        covered.append((np.abs(off) <= SURE * told)[[0, 1, 3, 4, 5]])
    assert np.mean(covered) > 0.8


# ---- the air --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("factors", "draws"), [(1, 10), (3, 4)])
def test_intervals_of_a_body_in_the_air_hold_the_truth(factors, draws):
    """Without drag in the fit no free motion fits, or intervals hold the truth in 10 of 16."""
    covered = []
    for seed in range(draws):
        motion, ratios, drag, start = thrown(seed, factors)
        found = identify(motion)
        assert found.fitted
        assert found.drag_factors in (1, 3)
        assert found.residual == pytest.approx(0.03, rel=0.15)
        assert found.residual < 0.9 * found.residual_without_drag
        off = np.concatenate([found.ratios - ratios, found.angular_velocity - start, found.drag - drag])
        told = np.concatenate([found.ratio_deviations, found.velocity_deviations, found.drag_deviations])
        covered.append((np.abs(off) <= SURE * told)[[0, 1, 3, 4, 5, 6]])
        least, most = found.ratio_intervals[1]
        assert 0.0 < least < found.ratios[1] < most < 0.2
    assert np.mean(covered) > 0.85


def test_a_motion_without_air_needs_none():
    """Akaike's criterion takes a drag that is not there in some of ten draws, and then says that it may be none."""
    found = [identify(draw(seed, 1.5)[0], aligned=True) for seed in range(6)]
    assert sum(one.drag_factors == 0 for one in found) >= 3
    assert all((np.abs(one.drag) <= 2.0 * SURE * one.drag_deviations).all() for one in found if one.drag_factors)
    assert found[0].facts()["residual_without_drag"] >= found[0].residual


def test_a_short_flight_gives_wide_intervals_in_place_of_a_refusal():
    motion, ratios, _, _ = thrown(3, 1)
    short = identify(motion, 0.0, 0.5)
    whole = identify(motion)
    assert short.fitted
    assert short.ratio_deviations[1] > 3.0 * whole.ratio_deviations[1]
    assert short.ratio_intervals[1][0] < ratios[1] < short.ratio_intervals[1][1]


@pytest.mark.parametrize(
    ("moments", "start", "told"),
    [((0.2, 1.0, 1.0), (1.0, 10.0, 0.3), False), ((0.6, 0.6, 1.0), (0.3, 0.3, 9.0), True), (PHONE, (2, 11, 4), True)],
    ids=["a needle end over end", "a disk about its axis", "a phone"],
)
def test_flips_are_told_where_moments_are_known_to_differ(moments, start, told):
    """Two axes across a needle are told apart by noise alone: its rates along them swing, and nothing flips."""
    generator, time = np.random.default_rng(1), np.arange(0.0, 1.5, 0.01)
    _, rates = free_motion(np.array(moments), IDENTITY, np.array(start, float), time)
    found = identify(sampled(time, rates + 0.02 * generator.normal(size=rates.shape)))
    assert found.tells_flips == told
    assert (found.facts()["flips"] is not None) == told
