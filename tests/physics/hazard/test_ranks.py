"""Ranks of measured values: uniform where they are draws of what was predicted, also with rocks off the map."""

import numpy as np
import pytest

from physics.hazard.ranks import BANDS, coverage, drawn, ranks_each, ranks_in, steps


def made(runs, rocks, edge, seed, tell=True):
    """Ranks of runs of which each is one more draw of what its own rocks are drawn of; rocks end at the edge.

    Not told which ended there, they count as if they had come to rest.
    """
    rng = np.random.default_rng(seed)
    middle = rng.normal(100.0, 50.0, (runs, 1))
    truth, ends = rng.normal(middle, 20.0, (runs, rocks + 1)), middle + edge(rng, (runs, rocks))
    computed, rested = np.minimum(truth[:, 1:], ends), truth[:, 1:] <= ends
    own = [(row, there if tell else None) for row, there in zip(computed, rested, strict=True)]
    return ranks_each(truth[:, 0], own)


EDGES = {
    "no edge": lambda rng, shape: np.full(shape, 1e9),
    "one edge for all": lambda rng, shape: np.full(shape, 8.0),
    "some leave the map early": lambda rng, shape: rng.normal(10.0, 30.0, shape),
}


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("rocks", [1, 20])
def test_ranks_are_uniform_where_runs_are_draws_of_what_was_predicted(edge, rocks):
    from scipy.stats import binomtest, kstest  # here: it takes long to load

    found = made(2000, rocks, EDGES[edge], seed=7)
    assert kstest(found.values, "uniform").pvalue > 0.01
    assert abs(found.mean - 0.5) < 1.5 * found.mean_error
    assert [one.share for one in found.coverage] == [*BANDS]
    for one in found.coverage:
        assert binomtest(one.inside, one.of, one.share).pvalue > 0.01
    assert sum(found.counts) == 2000


def test_rocks_off_the_map_that_count_as_at_rest_raise_the_ranks():
    """What censoring is for: without it a right prediction looks short."""
    found = made(2000, 20, EDGES["some leave the map early"], seed=7, tell=False)
    assert found.mean > 0.5 + 10.0 * found.mean_error
    assert not found.coverage[-1].holds


def test_a_bias_and_a_width_are_seen_in_ranks_and_bands():
    rng = np.random.default_rng(3)
    measured, computed = rng.normal(0.0, 1.0, 400), rng.normal(0.0, 1.0, 20_000)
    right, short, narrow = (ranks_in(measured, each) for each in (computed, computed - 1.0, 0.4 * computed))
    assert all(one.holds for one in right.coverage)
    assert short.mean > 0.7
    assert short.counts[-1] > short.expected[1]
    assert abs(narrow.mean - 0.5) < narrow.mean_error
    assert min(narrow.counts[0], narrow.counts[-1]) > narrow.expected[1]
    assert narrow.coverage[-1].high < 0.7


def test_steps_of_a_few_rocks_are_those_counted_by_hand():
    """Four rocks and the measured value are five draws; ties, and rocks off the map, widen its step."""
    computed = np.array([10.0, 20.0, 20.0, 30.0])
    told = np.array([5.0, 15.0, 20.0, 30.5])
    assert steps(told, computed) == pytest.approx(np.array([[0, 1], [1, 1], [1, 3], [4, 1]]) / 5)
    left = np.array([True, False, False, False])  # three go farther, nobody knows how far
    assert steps(told, computed, left) == pytest.approx(np.array([[0, 1], [1, 1], [1, 1], [1, 4]]) / 5)
    one_left = np.array([False, True, True, True])  # its fifth is shared by the four that went farther
    assert steps(told[1:2], computed, one_left) == pytest.approx(np.array([[0, 1 / 4]]))
    assert steps(told[:1], np.zeros(0)) == pytest.approx(np.array([[0, 1]]))
    ends = steps(told, computed)
    assert (drawn(ends) == drawn(ends)).all()
    assert (drawn(ends, 1) != drawn(ends)).all()
    assert ((drawn(ends) >= ends[:, 0]) & (drawn(ends) <= ends.sum(axis=1))).all()


def test_the_interval_of_a_coverage_is_that_of_clopper_and_pearson():
    """The upper bound p of none among 10 has (1 - p)^10 = 0.025."""
    found = coverage(np.zeros(10), 0.9)
    assert (found.inside, found.of, found.low) == (0, 10, 0.0)
    assert found.high == pytest.approx(1.0 - 0.025**0.1)
    assert coverage(np.full(10, 0.5), 0.9).low == pytest.approx(0.025**0.1)
    assert coverage(np.array([0.06, 0.04, 0.5]), 0.9).inside == 2
