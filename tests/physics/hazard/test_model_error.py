"""Error of a model: with it, bands of made runs of known truth hold, whatever the model's bias and width."""

import numpy as np
import pytest

from physics.hazard.model_error import LEAST_RUNS, drawn_errors, errors_of_rocks, with_error
from physics.hazard.ranks import drawn, ranks_of, steps

ROCKS, REPEATS = 40, 600


def ranks_of_made(runs, bias, ratio, spreads, told=True):
    """The rank of one more run, in each of many made sites: what is measured scatters ``ratio`` times as much as rocks.

    Each site has runs of other means and spreads; not ``told`` of the error, its rocks are taken as they are.
    """
    rng = np.random.default_rng([runs, REPEATS])
    ends = []
    for seed in range(REPEATS):
        means, widths = rng.uniform(150.0, 250.0, runs + 1), rng.uniform(*spreads, runs + 1)
        rocks = rng.normal(means, widths, (ROCKS, runs + 1))
        measured = rng.normal(means + bias, ratio * widths)
        seen, width = rocks.mean(axis=0), rocks.std(axis=0, ddof=1)
        predicted = rocks[:, -1]
        if told:
            errors = drawn_errors(measured[:-1], seen[:-1], width[:-1], ROCKS, seed)
            noise = np.random.default_rng([seed, ROCKS]).standard_normal(ROCKS)
            predicted = with_error(predicted, np.full(ROCKS, seen[-1]), errors, noise)
        ends.append(steps(measured[-1:], predicted)[0])
    return ranks_of(drawn(np.array(ends)))


@pytest.mark.parametrize("runs", [LEAST_RUNS, 9, 30])
@pytest.mark.parametrize(
    ("bias", "ratio", "spreads"),
    [(0.0, 1.0, (15.0, 15.0)), (13.0, 1.6, (15.0, 15.0)), (-20.0, 0.4, (5.0, 30.0)), (30.0, 3.0, (5.0, 30.0))],
)
def test_bands_of_made_runs_hold(runs, bias, ratio, spreads):
    from scipy.stats import binomtest  # here: it takes long to load

    found = ranks_of_made(runs, bias, ratio, spreads)
    for band in found.coverage:
        assert binomtest(band.inside, band.of, band.share).pvalue > 0.005, band
    assert abs(found.mean - 0.5) < 1.5 * found.mean_error


def test_without_the_error_they_do_not():
    narrow = ranks_of_made(9, 13.0, 1.6, (15.0, 15.0), told=False)
    assert not any(band.holds for band in narrow.coverage)
    wide = ranks_of_made(9, 0.0, 0.4, (15.0, 15.0), told=False)
    assert wide.coverage[0].low > 0.5


def test_a_known_bias_and_width_are_found():
    rng = np.random.default_rng(2)
    means, spreads = rng.uniform(50.0, 150.0, 2000), np.full(2000, 10.0)
    errors = drawn_errors(means + 7.0 + 20.0 * rng.standard_normal(2000), means, spreads, 4000, 1)
    bias, scale, spread = errors.T
    assert bias.mean() == pytest.approx(7.0, abs=1.5)
    assert np.hypot(10.0 * scale, spread) == pytest.approx(np.full(4000, 20.0), rel=0.1)
    alike = drawn_errors(means + 7.0, means, np.zeros(2000), 50, 1)  # a rule: all rocks of a run stop at one place
    assert alike[:, 0] == pytest.approx(np.full(50, 7.0))
    assert alike[:, 1:] == pytest.approx(np.zeros((50, 2)), abs=1e-6)


def test_rocks_that_scatter_as_measured_ones_keep_their_scatter():
    """The scale is told from the spread where some runs scatter more than others, and measured ones too."""
    rng = np.random.default_rng(3)
    means, spreads = rng.uniform(50.0, 150.0, 400), np.repeat([20.0, 60.0], 200)
    errors = drawn_errors(rng.normal(means, spreads), means, spreads, 2000, 1)
    assert np.median(errors[:, 1]) == pytest.approx(1.0, abs=0.15)
    alike = drawn_errors(rng.normal(means, 40.0), means, spreads, 2000, 1)
    assert np.median(alike[:, 1]) < 0.3
    assert np.median(alike[:, 2]) == pytest.approx(40.0, rel=0.1)


def test_predictions_are_not_negative_and_the_same_for_a_rock():
    errors = np.array([[-90.0, 1.0, 5.0], [0.0, 1.0, 5.0]])
    runouts, means, rocks = np.full(40, 20.0), np.full(40, 30.0), np.arange(40)

    def predicted(part, seed=4):
        return with_error(runouts[part], means[part], *errors_of_rocks(errors, rocks[part], seed))

    found = predicted(slice(None))
    assert found.min() == 0.0
    for part in (slice(17, None), slice(5), slice(9, 10)):
        np.testing.assert_array_equal(predicted(part), found[part])
    assert not np.array_equal(predicted(slice(None), 5), found)


@pytest.mark.parametrize("draws", [18, 40, 62])
def test_rocks_of_each_run_see_all_draws_of_the_error(draws):
    """Rock k is of run k mod n: of the draws in turn a run would see some only, or one where there are n draws."""
    runs, rocks = 18, np.arange(18 * 1200)
    errors = np.column_stack([np.arange(draws, dtype=float), np.ones(draws), np.zeros(draws)])
    bias = errors_of_rocks(errors, rocks, 7)[0][:, 0]
    for run in range(runs):
        assert len(np.unique(bias[rocks % runs == run])) == draws
    counts = np.bincount(bias.astype(int), minlength=draws)
    assert abs(counts / (len(rocks) / draws) - 1.0).max() < 0.3, "all as likely"
