"""Schemes by distribution: what is beyond chance, and what is not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp, wasserstein_distance

from physics.hazard.lane_distributions import difference, reference_lanes
from tests.small import rock

RANDOM = np.random.default_rng(7)


def test_distances_are_those_of_scipy() -> None:
    one, other = RANDOM.normal(90.0, 20.0, 60), RANDOM.normal(100.0, 15.0, 60)
    found = difference(one, other)
    assert found.wasserstein == pytest.approx(wasserstein_distance(one, other))
    assert found.ks == pytest.approx(ks_2samp(one, other).statistic)
    assert found.shift == pytest.approx(one.mean() - other.mean())


def test_chance_alone_exceeds_its_bound_in_one_of_twenty_pairs() -> None:
    """Skewed samples, as run-outs are; of 200 pairs 10 ± 3.1 by chance: 1 to 19 within three deviations."""
    wrong = sum(difference(*RANDOM.lognormal(3.0, 0.6, (2, 40)), seed=k).differs for k in range(200))
    assert 1 <= wrong <= 19


def test_a_shift_and_a_spread_are_told_apart() -> None:
    base = RANDOM.normal(100.0, 20.0, 400)
    short = difference(RANDOM.normal(80.0, 20.0, 400), base)
    assert short.differs
    assert short.shifted
    assert short.shift == pytest.approx(-20.0, abs=4.0)
    assert short.shift_error == pytest.approx(1.96 * 20.0 * np.sqrt(2 / 400), rel=0.1)
    wide = difference(RANDOM.normal(100.0, 40.0, 400), base)
    assert wide.differs
    assert wide.wasserstein > 10.0


def test_more_rocks_tell_what_fewer_do_not() -> None:
    """The number that is said to tell a distance does: there chance stays below it."""
    few = difference(*RANDOM.normal(100.0, 20.0, (2, 100)))
    rocks, told = few.finer(100)
    assert told <= few.by_chance / 2
    enough = difference(*RANDOM.normal(100.0, 20.0, (2, rocks)))
    assert enough.by_chance < 1.15 * told


def test_samples_without_spread_do_not_differ() -> None:
    same = difference(np.full(30, 5.0), np.full(30, 5.0))
    assert not same.differs
    assert same.finer(30) == (30, 0.0)


def test_the_reference_is_the_exact_rotation_at_a_fraction_of_the_finest_step() -> None:
    scenario = rock(schemes=("implicit", "explicit@0.002"), step=0.004)
    assert reference_lanes(scenario) == ("exact@0.0005", "exact@0.001")
