"""Marks: where a gyroscope was saturated, and where samples are missing."""

from __future__ import annotations

import math

import numpy as np

from physics.core.rotation import Array
from physics.core.trajectory import Event
from physics.measured.attitude import gaps, runs

SATURATION, GAP, DRIFT = "saturation", "gap", "drift"
RANGES = (125.0, 245.0, 250.0, 500.0, 1000.0, 2000.0, 2293.7, 4000.0)  # [deg/s] that gyroscopes can be set to
NEAR = 0.98  # of a range: what was taken off as a bias, or a scale, shifts the end by some percent
LEAST = 3  # samples in a row with the same largest rate
TURNED = 5.0  # [deg]
MOST = 100  # marks of a kind


def ranges_of(rates: Array, most: float | None = None) -> Array:
    """The largest rates (3,) [rad/s] that a gyroscope tells about its axes, whose samples are (n, 3) [rad/s].

    most : where it is known; None: one of RANGES, where a rate stays at it, else infinity
    """
    return np.array([_range_of(size) if most is None else most for size in np.abs(rates).T])


def marks_of(time: Array, saturated: np.ndarray, ranges: Array) -> tuple[Event, ...]:
    """Saturation and gaps of samples at times (n,) [s], in their order.

    saturated : (n, 3) whether a rate is at its end; ranges : (3,) where that is [rad/s]
    """
    found = [*_saturations(time, saturated, ranges), *_missing(time)]
    return tuple(sorted(found, key=lambda mark: mark.time))


def drift(time: Array, spin: Array, lane: str) -> tuple[Event, ...]:
    """When the spin (n, 3) in space is first TURNED away from its start for good: what flies freely keeps it."""
    norms = np.linalg.norm(spin, axis=1)
    if not norms.min() > 0.0:
        return ()
    off = np.degrees(np.arccos(np.clip(spin @ spin[0] / (norms * norms[0]), -1.0, 1.0)))
    near = np.flatnonzero(off <= TURNED)
    if near[-1] == len(time) - 1:
        return ()
    at = float(time[near[-1] + 1])
    told = f"{lane}: the spin is {TURNED:g}° off its start from here on: a bias, drag, or other moments of inertia"
    return (Event(DRIFT, at, told),)


def _missing(time: Array) -> list[Event]:
    spans = np.diff(time)
    return [
        Event(GAP, float(time[i]), f"no new samples for {spans[i]:.3g} s: what the attitude did there is not known")
        for i in gaps(time)[:MOST]
    ]


def _saturations(time: Array, saturated: np.ndarray, ranges: Array) -> list[Event]:
    found = []
    for axis, at_end, end in zip("xyz", saturated.T, ranges, strict=True):
        for first, last in list(zip(*runs(at_end), strict=True))[:MOST]:
            span = float(time[last] - time[first])
            told = f"gyroscope {axis} at its end, {math.degrees(end):.4g} deg/s, for {span:.3g} s: it turned faster"
            found.append(Event(SATURATION, float(time[first]), told))
    return found


def _range_of(size: Array) -> float:
    """The range [rad/s] at whose end rates (n,) stay; infinity where they do not."""
    largest = float(size.max())
    same = size >= largest * (1.0 - 1e-9)
    runs = np.convolve(same, np.ones(LEAST), "valid") if len(same) >= LEAST else np.zeros(1)
    if runs.max() < LEAST:
        return math.inf
    ranges = np.radians(RANGES)
    nearest = float(ranges[np.argmin(np.abs(ranges - largest))])
    return largest if abs(largest / nearest - 1.0) < 1.0 - NEAR else math.inf
