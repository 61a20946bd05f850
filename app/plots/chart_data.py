"""The data of charts: the rows of a trajectory that are drawn, ranges of axes, and numbers as axes write them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.kinds.quantities import MINUS, Quantity
from app.playback.run import Lane
from app.playback.verdicts import seconds_in_words
from app.system.language import tr
from physics import Trajectory, World
from physics.core.rotation import Array

CLEAR = 10.0  # times an error that is told from no other: a linear axis of errors at least
HALF_TURN = 180.0  # [deg] that an attitude is off at most
MAX_DRAWN_ROWS = 6000

End = tuple[float, float]  # of a curve: abscissa and height


def short_number(value: float, digits: int) -> str:
    """A number as short text; very small ones, which are errors, with fewer digits."""
    if 10.0**digits <= abs(value) < 1e5:
        return f"{value:.0f}".replace("-", MINUS)
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}".replace("-", MINUS)
    mantissa, exponent = f"{value:.{digits - 1 if abs(value) > 1 else max(digits - 3, 0)}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if abs(value) > 1 and "." in mantissa else mantissa
    return f"{mantissa}e{int(exponent)}".replace("-", MINUS)


def read_out(quantity: Quantity, value: float, digits: int) -> str:
    """A value beside a chart: an error as in captions, other values shortened."""
    return quantity.text(value) if quantity.share or quantity.word(value) else short_number(value, digits)


def ticks(values: Sequence[float], unit: str = "") -> list[str]:
    """The numbers along an axis, with as few digits as keep neighbours distinct; unit : behind each of them."""
    return [f"{one}{unit}" for one in _numbers(values)]


def _numbers(values: Sequence[float]) -> list[str]:
    if not len(values):
        return []
    largest = max(map(abs, values))
    apart = min((abs(b - a) for a, b in pairwise(values) if b != a), default=largest)
    if largest == 0 or apart < 1e-14 * largest:
        return [short_number(value, 4) for value in values]
    power = math.floor(math.log10(largest) + 1e-9)
    power = 0 if -3 <= power < 5 else power
    scaled = [value / 10.0**power for value in values]
    close = 1e-3 * apart / 10.0**power
    decimals = next((n for n in range(12) if all(abs(round(one, n) - one) < close for one in scaled)), 12)
    ending = f"e{power}" if power else ""
    return ["0" if abs(one) < close else f"{one:.{decimals}f}{ending}".replace("-", MINUS) for one in scaled]


def nice_range(low: float, high: float, log: bool) -> tuple[float, float]:
    """A range that holds low to high and moves in steps, so that the axis seldom moves as a curve grows.

    For a logarithmic axis all four numbers are exponents of ten.
    """
    if log:
        return float(np.floor(low / 2) * 2), float(max(np.ceil(high / 2) * 2, np.floor(low / 2) * 2 + 4))
    span = max(high - low, 1e-2, 0.02 * max(abs(high), abs(low)))
    step = 10.0 ** np.floor(np.log10(span)) / 2
    bottom, top = np.floor(low / step - 0.05) * step, np.ceil(high / step + 0.05) * step
    return (0.0 if low >= 0 > bottom else float(bottom)), float(top)


def reached(quantity: Quantity, values: Array) -> tuple[float, float]:
    """Least and greatest height of values (n,) in a chart; of an error the ends of its axis."""
    if quantity.decades is not None:
        return quantity.decades.limits(values)
    heights = quantity.heights(values)
    if quantity.true and quantity.error is not None:
        return 0.0, float(np.max(heights, initial=CLEAR * quantity.error.floor, where=np.isfinite(heights)))
    return (float(heights.min()), float(heights.max())) if len(heights) else (0.0, 1.0)


def axis_range(quantity: Quantity, low: float, high: float) -> tuple[float, float]:
    """Heights at which an axis begins and ends that has to hold low to high."""
    if quantity.decades is not None:
        return low, high
    low, high = nice_range(low, high, quantity.log)
    return low, min(high, HALF_TURN) if quantity.true and quantity.angular else high


def unknown(quantity: Quantity, lanes: Sequence[Lane]) -> str:
    """Sentence on where a chart has no curve because no true motion is known; "" if it is known to the end."""
    if not quantity.true or not lanes:
        return ""
    truths = [lane.truth for lane in lanes]
    ends = [
        truth.valid_until
        for lane, truth in zip(lanes, truths, strict=True)
        if truth is not None and truth.valid_until < lane.trajectory.time[-1] * (1.0 - 1e-9)
    ]
    if None in truths:
        return tr("no truth known yet")
    if not ends:
        return ""
    until = min(ends)
    return tr("no truth after {time}").format(time=seconds_in_words(until)) if until > 0.0 else tr("no truth known")


def drawn(run: Trajectory, part: tuple[float, float] = (-np.inf, np.inf)) -> NDArray[np.intp]:
    """The rows of a part of a run's time [s] that are drawn: evenly thinned, with the first and the last."""
    first, end = np.searchsorted(run.time, part[0]), np.searchsorted(run.time, part[1], "right")
    if end <= first:
        return np.empty(0, np.intp)
    return np.unique(np.r_[first : end : max(1, (end - first) // MAX_DRAWN_ROWS), end - 1])


def along(quantity: Quantity, run: Trajectory, world: World, rows: NDArray[np.intp]) -> Array:
    """Abscissa (m,) of a quantity for some rows (m,) of a run."""
    return run.time[rows] if quantity.over is None else quantity.over.values(run.rows(rows), world)


def counted(quantity: Quantity, run: Trajectory, world: World) -> Array | None:
    """Values (n,) of all rows of a quantity that counts on from the first one; None of others."""
    return quantity.values(run, world) if quantity.counted else None


def value_at(quantity: Quantity, run: Trajectory, world: World, time: float, known: Array | None = None) -> float:
    """A quantity of the last row up to a time [s]; known: its values up to some row, see ``counted``."""
    row = run.index(time)
    if known is None or row >= len(known):
        return quantity.at(run, world, row)
    return float(quantity.plain(known[row : row + 1], run, world)[0])


def along_at(quantity: Quantity, run: Trajectory, world: World, time: float) -> float:
    """Abscissa of that value."""
    row = np.array([run.index(time)])
    return time if quantity.over is None else float(along(quantity, run, world, row)[0])


def breaks(quantity: Quantity, x: Array, y: Array) -> NDArray[np.intp]:
    """The points before which a curve is broken: an angle goes on at the other end of its range."""
    cyclic = (quantity.cyclic, y), (quantity.over is not None and quantity.over.cyclic, x)
    jumps = [np.abs(np.diff(values)) > 180.0 for goes_round, values in cyclic if goes_round]
    return np.flatnonzero(np.any(jumps, axis=0)) + 1 if jumps else np.empty(0, np.intp)


def with_gaps(quantity: Quantity, x: Array, y: Array) -> tuple[Array, Array]:
    """Abscissas and ordinates of a curve with a gap (NaN) where it is broken."""
    gaps = breaks(quantity, x, y)
    return np.insert(x, gaps, x[gaps]), np.insert(y, gaps, np.nan)


def end_of(x: Array, heights: Array, part: tuple[float, float]) -> End | None:
    """The last point of a curve (n,) that is known and in a part of the abscissa; None without one."""
    seen = np.flatnonzero(np.isfinite(heights) & (x >= part[0]) & (x <= part[1]))
    return (float(x[seen[-1]]), float(heights[seen[-1]])) if len(seen) else None


def together(ends: Sequence[End | None], near: float) -> list[tuple[list[int], End]]:
    """Groups of curves that end nearer to each other than a height, from below: their numbers, and where each ends.

    None : of a curve without an end
    """
    groups: list[list[int]] = []
    known = {number: end for number, end in enumerate(ends) if end is not None}
    rising, last = sorted(known, key=lambda number: known[number][1]), -math.inf
    for number in rising:
        if known[number][1] - last < near:
            groups[-1].append(number)
        else:
            groups.append([number])
        last = known[number][1]
    return [
        (sorted(group), (max(known[n][0] for n in group), sum(known[n][1] for n in group) / len(group)))
        for group in groups
    ]


def abscissa_range(quantity: Quantity, values: Array, world: World) -> tuple[float, float]:
    """The least and the greatest abscissa of a chart over another quantity than time: of its values and background."""
    assert quantity.over is not None
    if quantity.over.from_zero:
        return 0.0, nice_range(0.0, float(values.max(initial=1.0)), log=False)[1]
    behind = quantity.behind(world)
    shown = np.concatenate([values, *(curve[:, 0] for curve in behind.curves), behind.limits, behind.beyond])
    return nice_range(float(shown.min()), float(shown.max()), log=False) if len(shown) else (0.0, 1.0)
