"""Error of a model: by how much measured run-outs differ from computed ones beyond the scatter of the rocks.

Of each run the rocks have a mean and a spread. Measured run-outs are taken to be the mean, plus a bias, which all runs
have in common, plus the scatter: that of the rocks times a scale, and one of the model. Both are known from a few runs
only, so they are drawn: the bias and the whole width from their posterior with the prior 1 / width, in closed form for
normal scatter (normal and inverse gamma; Gelman et al. 2013, Bayesian Data Analysis, chapter 3), which of the two
scatters it is from a grid.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from physics.core.rotation import Array

LEAST_RUNS = 4  # of fewer the width is hardly known
PARTS = (np.arange(10) + 0.5) / 10  # of the variance that are the rocks' scatter, all as likely beforehand


def drawn_errors(measured: Array, means: Array, spreads: Array, draws: int, seed: int) -> Array:
    """Bias [m], scale and spread [m] (draws, 3) from measured run-outs (n,) beside means and spreads of rocks (n,).

    The same for a seed. Rocks that did not come to rest count where they were last, here and in ``with_error``.
    """
    rng, n = np.random.default_rng([seed, len(measured), draws]), len(measured)
    off, mean_square = measured - means, float((spreads**2).mean())
    parts = PARTS if mean_square > 0.0 else np.zeros(1)
    relative = spreads**2 / mean_square if mean_square > 0.0 else np.ones(n)
    weights = 1.0 / (1.0 - parts[:, None] + parts[:, None] * relative)  # (parts, n), of runs by their variance
    total = weights.sum(axis=1)
    bias = (weights * off).sum(axis=1) / total
    squares = (weights * (off - bias[:, None]) ** 2).sum(axis=1) + 1e-12
    likely = 0.5 * (np.log(weights).sum(axis=1) - np.log(total) - (n - 1) * np.log(squares))
    chance = np.exp(likely - likely.max())
    which = rng.choice(len(parts), draws, p=chance / chance.sum())
    width = np.sqrt(squares[which] / rng.chisquare(n - 1, draws))
    found = bias[which] + width / np.sqrt(total[which]) * rng.standard_normal(draws)
    scale = width * np.sqrt(parts[which] / mean_square) if mean_square > 0.0 else np.zeros(draws)
    return np.column_stack([found, scale, width * np.sqrt(1.0 - parts[which])])


def errors_of_rocks(errors: Array, rocks: NDArray[np.int64], seed: int) -> tuple[Array, Array]:
    """Error (n, 3) of each rock, one of (draws, 3), and its noise (n,): drawn by its number and the seed.

    Not in turn: runs have their rocks in turn, and would each see only some of the draws.
    """
    draws, most = len(errors), int(rocks.max(initial=0)) + 1
    which = np.random.default_rng([seed, draws, 1]).integers(draws, size=most)[rocks]
    return errors[which], np.random.default_rng([seed, draws]).standard_normal(most)[rocks]


def with_error(runouts: Array, means: Array, errors: Array, noise: Array) -> Array:
    """Run-outs (n,) [m] of rocks, as those of measured rocks are predicted; none is negative.

    means : of the run of each rock (n,) [m]. errors : (n, 3) of each. noise : (n,) of a standard normal distribution.
    """
    bias, scale, spread = errors.T
    return np.asarray(np.maximum(means + bias + scale * (runouts - means) + spread * noise, 0.0))
