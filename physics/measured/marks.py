"""Marks: where a gyroscope was saturated, and where samples are missing."""

from __future__ import annotations

import math

import numpy as np

from physics.core.rotation import Array
from physics.core.trajectory import Event
from physics.measured.attitude import gaps

SATURATION, GAP, DRIFT = "saturation", "gap", "drift"
RANGES = (125.0, 245.0, 250.0, 500.0, 1000.0, 2000.0, 2293.7, 4000.0)  # [deg/s] that gyroscopes can be set to
NEAR = 0.98  # of a range: what was taken off as a bias, or a scale, shifts the end by some percent
LEAST = 3  # samples in a row with the same largest rate
TURNED = 5.0  # [deg]
MOST = 100  # marks of a kind


def marks_of(time: Array, rates: Array, most: float | None = None) -> tuple[Event, ...]:
    """Saturation and gaps of rates (n, 3) [rad/s] at times (n,) [s], in their order.

    most : the largest rate that the gyroscope can tell [rad/s]; None: one of RANGES, where a rate stays at it
    """
    found = [*_saturated(time, rates, most), *_missing(time)]
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
        Event(GAP, float(time[i]), f"no samples for {spans[i]:.3g} s: what the attitude did there is not known")
        for i in gaps(time)[:MOST]
    ]


def _saturated(time: Array, rates: Array, most: float | None) -> list[Event]:
    found = []
    for i, axis in enumerate("xyz"):
        size = np.abs(rates[:, i])
        end = most if most is not None else _range_of(size)
        if end is None:
            continue
        at_end = np.concatenate([[False], size >= NEAR * end, [False]])
        begins, ends = (np.flatnonzero(np.diff(at_end.astype(int)) == sign) for sign in (1, -1))
        for first, after in list(zip(begins, ends, strict=True))[:MOST]:
            span = float(time[after - 1] - time[first])
            told = f"gyroscope {axis} at its end, {math.degrees(end):.4g} deg/s, for {span:.3g} s: it turned faster"
            found.append(Event(SATURATION, float(time[first]), told))
    return found


def _range_of(size: Array) -> float | None:
    """The range [rad/s] at whose end rates (n,) stay; None: they do not."""
    largest = float(size.max())
    same = size >= largest * (1.0 - 1e-9)
    runs = np.convolve(same, np.ones(LEAST), "valid") if len(same) >= LEAST else np.zeros(1)
    if runs.max() < LEAST:
        return None
    ranges = np.radians(RANGES)
    nearest = float(ranges[np.argmin(np.abs(ranges - largest))])
    return largest if abs(largest / nearest - 1.0) < 1.0 - NEAR else None
