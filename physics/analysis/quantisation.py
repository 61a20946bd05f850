"""Samples of a sensor whose steps are larger than its noise: likelihoods of the intervals that they name.

The error of a rounded sample is as good as noise where the noise is half a step or more: what is left of it in the mean
falls as exp(-2 π² σ² / Δ²), 0.7 % there. Below that, samples of a slow motion err all the same way, and least squares
tells an uncertainty that is too small. A sample y then says only that the value with its noise was within Δ / 2 of y.
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.rotation import Array

NEAREST = 0.05  # of a step: deviations of the values from whole steps, by the digits of a file
FINEST = 0.05  # of a step: less noise than this makes likelihoods of edges alone
TAIL = 6  # steps to each side that have a share in an expected value


def step_of(values: Array) -> float:
    """The step of which all differences of rounded values (n, k) in a column are multiples; 0 where there is none."""
    levels = [np.unique(column) for column in values.T]
    spans = np.concatenate([np.diff(column) for column in levels])
    if not len(spans):
        return 0.0
    step = float(spans.min())
    step = float(spans.sum() / np.round(spans / step).sum())
    off = [(column - column[0]) / step for column in levels]
    return step if all(np.abs(one - np.round(one)).max() < NEAREST for one in off) else 0.0


def deviance(off: Array, step: float, noise: float) -> Array:
    """Signed roots of twice the logarithm by which a value at a distance ``off`` (n,) is less likely than at 0.

    off : of the value from the sample. The sum of squares is smallest where the samples are the likeliest; of a small
    step it is the usual one over the variance of the noise.
    """
    u, half = np.abs(off) / noise, 0.5 * step / noise
    return np.asarray(np.sign(off) * np.sqrt(2.0 * np.maximum(_logarithm(0.0 * u, half) - _logarithm(u, half), 0.0)))


def scores(off: Array, step: float, noise: float) -> Array:
    """Slopes (n,) of the logarithm of the likelihood over the distance ``off`` (n,) of the value from the sample."""
    u, half = np.abs(off) / noise, 0.5 * step / noise
    upper, lower = -0.5 * (half - u) ** 2, -0.5 * (half + u) ** 2
    slope = (np.exp(lower - _logarithm(u, half)) - np.exp(upper - _logarithm(u, half))) / math.sqrt(2.0 * math.pi)
    return np.asarray(np.sign(off) * slope / noise)


def noise_of(off: Array, step: float) -> float:
    """The standard deviation of the noise before rounding for which samples at distances (n,) are the likeliest."""
    from scipy.optimize import minimize_scalar

    def unlikely(logarithm: float) -> float:
        noise = math.exp(logarithm)
        return -float(_logarithm(np.abs(off) / noise, 0.5 * step / noise).sum())

    bounds = math.log(FINEST * step), math.log(step)
    return math.exp(float(minimize_scalar(unlikely, bounds=bounds, method="bounded", options={"xatol": 1e-3}).x))


def information(off: Array, step: float, noise: float) -> Array:
    """Fisher's information (n,) of one sample on the value, which lies at ``off`` (n,) from a level of the sensor."""
    from scipy.special import ndtr

    within = off - step * np.round(off / step)
    edges = (within[:, None] + step * (np.arange(-TAIL, TAIL + 2) - 0.5)) / noise
    shares = np.diff(ndtr(edges), axis=1)
    slopes = np.diff(np.exp(-0.5 * edges**2), axis=1) / (noise * math.sqrt(2.0 * math.pi))
    told = shares > 1e-12  # smaller ones are rounding
    return np.asarray((np.where(told, slopes, 0.0) ** 2 / np.where(told, shares, 1.0)).sum(axis=1))


def _logarithm(u: Array, half: float) -> Array:
    """Of the share of a normal distribution between u - half and u + half, for u >= 0."""
    from scipy.special import log_ndtr

    upper, lower = log_ndtr(half - u), log_ndtr(-half - u)
    return np.asarray(upper + np.log1p(-np.exp(lower - upper)))
