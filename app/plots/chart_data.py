"""The data of charts: the rows of a trajectory that are drawn, and the ranges of axes."""

from __future__ import annotations

import numpy as np

from app.kinds.quantities import Quantity
from physics import Trajectory, World
from physics.core.rotation import Array

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


def drawn(run: Trajectory) -> Trajectory:
    """The rows of a run that are drawn: evenly thinned, with the first and the last."""
    every = max(1, len(run) // MOST_ROWS)
    return run.rows(np.unique(np.r_[np.arange(0, len(run), every), len(run) - 1]))


def along(quantity: Quantity, run: Trajectory, world: World) -> Array:
    """What a quantity of the rows of a run is drawn over (n,)."""
    return run.time if quantity.over is None else quantity.over.values(run, world)


def value_at(quantity: Quantity, run: Trajectory, world: World, time: float) -> float:
    """A quantity of the last row up to a time [s]."""
    return float(quantity.values(_recent(run, time, counted=quantity.counted), world)[-1])


def along_at(quantity: Quantity, run: Trajectory, world: World, time: float) -> float:
    """What that value is drawn over."""
    over = quantity.over
    return time if over is None else float(over.values(_recent(run, time, counted=over.counted), world)[-1])


def _recent(run: Trajectory, time: float, *, counted: bool) -> Trajectory:
    """The first row, from which errors and distances are told, and the last one up to a time [s]; those between too."""
    i = run.index(time)
    between = np.arange(1, i, max(1, i // MOST_ROWS)) if counted else ()
    return run.rows(np.r_[0, between, i].astype(int))


def reach(quantity: Quantity, values: Array, world: World) -> tuple[float, float]:
    """The least and the greatest abscissa of a chart over another quantity than time: of its values and background."""
    assert quantity.over is not None
    if quantity.over.from_zero:
        return 0.0, nice_range(0.0, float(values.max(initial=1.0)), log=False)[1]
    behind = quantity.behind(world)
    told = np.concatenate([values, *(curve[:, 0] for curve in behind.curves), behind.limits, behind.beyond])
    return nice_range(float(told.min()), float(told.max()), log=False) if len(told) else (0.0, 1.0)
