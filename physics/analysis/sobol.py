"""Sensitivities: which of several parameters a result depends on (Sobol; Saltelli et al. 2010, as scipy has it).

Of parameters that are drawn evenly and independently between their bounds: the first index is the share of the variance
of a result that goes with a parameter alone, the total one the share that would be left if all others were known.
Saltelli, Annoni, Azzini, Campolongo, Ratto & Tarantola, Computer Physics Communications 181 (2010) 259-270.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.core.rotation import Array

RESAMPLES = 200  # resamples of the points, for the bounds
BOUNDS = (0.05, 0.95)


@dataclass(frozen=True)
class Indices:
    """First and total indices (d,) of one result, each with what 5 and 95 % of resampled points do not exceed."""

    first: Array
    first_bounds: Array
    total: Array
    total_bounds: Array


def design(parameters: int, n: int, seed: int) -> Array:
    """Points (d + 2, n, d) in the unit cube: A, B, and A with one column of B for each parameter; n: a power of two."""
    from scipy.stats import qmc  # here: it takes half a second to load

    points = qmc.Sobol(2 * parameters, rng=np.random.default_rng(seed)).random(n)
    a, b = points[:, :parameters], points[:, parameters:]
    mixed = np.repeat(a[None], parameters, axis=0)
    for i in range(parameters):
        mixed[i, :, i] = b[:, i]
    return np.concatenate([a[None], b[None], mixed])


def points_within(parameters: int, budget: int, least: int = 8) -> int:
    """The largest power of two n for which a design has at most ``budget`` points; 0 where that is below ``least``."""
    n = 1 << max((budget // (parameters + 2)).bit_length() - 1, 0)
    return n if n >= least else 0


def indices(values: Array, seed: int = 0) -> Indices:
    """The indices of a result with values (d + 2, n) at the points of ``design``; bounds by resampling the points."""
    n, rng = values.shape[1], np.random.default_rng(seed)
    first, total = _indices(values)
    drawn = np.array([_indices(values[:, rng.integers(0, n, n)]) for _ in range(RESAMPLES)])
    bounds = np.quantile(drawn, BOUNDS, axis=0)
    return Indices(first, bounds[:, 0].T, total, bounds[:, 1].T)


def _indices(values: Array) -> tuple[Array, Array]:
    from scipy.stats import sobol_indices

    named = {"f_A": values[:1], "f_B": values[1:2], "f_AB": values[2:, None]}
    found = sobol_indices(func=named, n=values.shape[1])
    return np.atleast_1d(found.first_order), np.atleast_1d(found.total_order)
