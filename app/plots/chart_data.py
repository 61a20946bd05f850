"""The data of charts: the rows of a trajectory that are drawn, and the ranges of axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from physics import Trajectory
from physics.core.trajectory import COLUMNS

MOST_ROWS = 6000  # of a trajectory that are drawn


def nice_range(low: float, high: float, log: bool) -> tuple[float, float]:
    """A range that holds low to high and moves in steps, so that a growing curve seldom moves the axis.

    For a logarithmic axis all four numbers are exponents of ten.
    """
    if log:
        return float(np.floor(low / 2) * 2), float(max(np.ceil(high / 2) * 2, np.floor(low / 2) * 2 + 4))
    span = max(high - low, 1e-2, 0.02 * max(abs(high), abs(low)))
    step = 10.0 ** np.floor(np.log10(span)) / 2
    bottom, top = np.floor(low / step - 0.05) * step, np.ceil(high / step + 0.05) * step
    return (0.0 if low >= 0 > bottom else float(bottom)), float(top)


def rows(run: Trajectory, index: np.ndarray) -> Trajectory:
    """Some rows of a run, by their numbers."""
    return replace(run, **{name: getattr(run, name)[index] for name in COLUMNS})


def drawn(run: Trajectory) -> Trajectory:
    """The rows of a run that are drawn: evenly thinned, with the first and the last."""
    every = max(1, len(run) // MOST_ROWS)
    return rows(run, np.unique(np.r_[np.arange(0, len(run), every), len(run) - 1]))
