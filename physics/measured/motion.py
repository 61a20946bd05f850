"""Measured motion: rates and attitudes of a body at the times of the samples, in the body's axes and in SI units."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from physics.core.conf_files import beside_conf, is_conf
from physics.core.errors import ScenarioError, naming
from physics.core.rotation import Array, apply, conjugate, cross_product, multiply, rotation_vector, unit_of
from physics.core.trajectory import Event
from physics.core.wording import N_
from physics.measured.columns import (
    DATE,
    QVEL,
    clocks,
    has_headings,
    length_unit,
    mapped,
    names_in,
    names_scalar,
    numbers_of,
)
from physics.measured.measured_config import ACCELERATION_UNITS, MOST_RATE, RATE_UNITS, TIME_UNITS, MeasuredConfig
from physics.measured.rockable import COLUMNS, particle_of, states
from physics.measured.units import RANGES, with_units

GAP = 3.5  # times the usual distance of two samples
REPEATED = 5  # equal samples in a row from which on a logger may have held the last one
# share of all samples: where more are equal, the motion is so, as that of a sphere in flight that is computed
RARE = 0.2
JUMP = 3.0  # times a large change between samples: after a slow motion, or one in coarse steps, there is none


def gaps(time: Array) -> np.ndarray:
    """The numbers (m,) of the intervals of times (n,) [s] in which samples are missing."""
    spans = np.diff(time)
    return np.flatnonzero(spans > GAP * np.median(spans))


def repeated(values: Array) -> np.ndarray:
    """Mask (n,) of the samples (n, k) that a logger without new ones has filled with the one before: then they jump.

    REPEATED equal ones or more, and then a change of JUMP times the 95th percentile of other changes. What stays at the
    end of a range, or in one step of a coarse sensor, goes on from there without a jump.
    """
    changes = np.linalg.norm(np.diff(values, axis=0), axis=1)
    same, found = changes == 0.0, np.zeros(len(values), bool)
    first, last = runs(same)
    if not 0.0 < same.mean() < RARE:
        return found
    long = (last - first + 2 >= REPEATED) & (last + 1 < len(changes))
    ahead = changes[np.minimum(last + 1, len(changes) - 1)]
    for i in np.flatnonzero(long & (ahead > JUMP * np.percentile(changes[~same], 95.0))):
        found[first[i] + 1 : last[i] + 2] = True
    return found


def runs(holds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last numbers of the samples of each run in which a condition (n,) holds."""
    steps = np.diff(np.concatenate([[0], holds.astype(int), [0]]))
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1) - 1


def integrated(time: Array, rates: Array) -> Array:
    """Attitudes (n, 4) at times (n,) [s] of a body with rates (n, 3) [rad/s] in its own axes, from the identity on.

    Each interval is one rotation, by the Magnus series of order 4 with rates at its two Gauss points (Iserles et al.
    2000, section 5.2). These come of a cubic spline between gaps, across which rates are taken to change evenly: smooth
    rates give attitudes of order 4 in the distance of the samples.
    """
    from scipy.interpolate import CubicSpline

    spans = np.diff(time)
    nodes = [0.5 - math.sqrt(3.0) / 6.0, 0.5 + math.sqrt(3.0) / 6.0]
    one, two = (rates[:-1] + c * np.diff(rates, axis=0) for c in nodes)
    ends = [-1, *gaps(time).tolist(), len(time) - 1]
    for before, last in pairwise(ends):
        first = before + 1
        if last - first >= 3:
            spline = CubicSpline(time[first : last + 1], rates[first : last + 1])
            for values, c in ((one, nodes[0]), (two, nodes[1])):
                values[first:last] = spline(time[first:last] + c * spans[first:last])
    h = spans[:, None]
    turns = 0.5 * h * (one + two) + math.sqrt(3.0) / 12.0 * h * h * cross_product(one, two)
    return running_product(np.concatenate([[[1.0, 0.0, 0.0, 0.0]], unit_of(turns)]))


def running_product(q: Array) -> Array:
    """The products q0, q0 o q1, q0 o q1 o q2, … (n, 4) of unit quaternions, in log2 n passes."""
    out, step = np.array(q), 1
    while step < len(out):
        out[step:] = multiply(out[:-step], out[step:])
        step *= 2
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))


def rates_of(time: Array, attitudes: Array) -> Array:
    """Rates (n, 3) [rad/s] in the body from attitudes (n, 4): centred differences, one-sided at both ends; order 2."""
    before = np.clip(np.arange(len(time)) - 1, 0, None)
    after = np.clip(np.arange(len(time)) + 1, None, len(time) - 1)
    turns = rotation_vector(multiply(conjugate(attitudes[before]), attitudes[after]))
    return np.asarray(turns / (time[after] - time[before])[:, None])


def fused(time: Array, rates: Array, acceleration: Array, magnetic_field: Array | None) -> Array:
    """Attitudes (n, 4), sensor to space with z up, by VQF, which also takes the bias off.

    Laidig & Seel (2023), Information Fusion 91, 187. The rates are resampled to even times. ScenarioError where the
    library is not installed.
    """
    try:
        from vqf import offlineVQF
    except ImportError:
        text = N_("needs the library vqf; install it with: pip install 'polhode[sensors]'")
        raise ScenarioError("measured.fusion", text) from None
    step = float(np.median(np.diff(time)))
    even = np.linspace(time[0], time[-1], max(2, round((time[-1] - time[0]) / step) + 1))
    given = [None if one is None else _resampled(time, one, even) for one in (rates, acceleration, magnetic_field)]
    found: dict[str, Any] = offlineVQF(*given, float(even[1] - even[0]))
    q = np.asarray(found["quat6D" if magnetic_field is None else "quat9D"], float)
    nearest = np.clip(np.round((time - even[0]) / (even[1] - even[0])).astype(int), 0, len(even) - 1)
    late = (time - even[nearest])[:, None]
    return multiply(q[nearest], unit_of(late * rates))


def _resampled(time: Array, values: Array, even: Array) -> Array:
    return np.ascontiguousarray(np.column_stack([np.interp(even, time, values[:, i]) for i in range(3)]))


SATURATION, MISSING, DRIFT = "saturation", "gap", "drift"
NEAR = 0.98  # share of a range: what was taken off as a bias, or a scale, shifts the end by some percent
MIN_SATURATED = 3  # samples in a row with the same largest rate
TURNED = 5.0  # [deg]
MAX_MARKS = 100  # marks of a kind


def ranges_of(rates: Array, most: float | None = None) -> Array:
    """The largest rates (3,) [rad/s] that a gyroscope measures about its axes, whose samples are (n, 3) [rad/s].

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
    """Event at the time from which the spin (n, 3) in space stays TURNED away from its start: free flight keeps it."""
    norms = np.linalg.norm(spin, axis=1)
    if not norms.min() > 0.0:
        return ()
    off = np.degrees(np.arccos(np.clip(spin @ spin[0] / (norms * norms[0]), -1.0, 1.0)))
    near = np.flatnonzero(off <= TURNED)
    if near[-1] == len(time) - 1:
        return ()
    at = float(time[near[-1] + 1])
    text = N_(
        "{lane}: the angular momentum is {turned:g}° off its start from here on: a bias, drag, or other moments",
        lane,
        TURNED,
    )
    return (Event(DRIFT, at, text),)


def _missing(time: Array) -> list[Event]:
    spans = np.diff(time)
    return [
        Event(MISSING, float(time[i]), N_("no new samples for {i:.3g} s: the attitude there is unknown", spans[i]))
        for i in gaps(time)[:MAX_MARKS]
    ]


def _saturations(time: Array, saturated: np.ndarray, ranges: Array) -> list[Event]:
    found = []
    for axis, at_end, end in zip("xyz", saturated.T, ranges, strict=True):
        for first, last in list(zip(*runs(at_end), strict=True))[:MAX_MARKS]:
            span = float(time[last] - time[first])
            text = N_(
                "gyroscope {axis} at its end, {end:.4g} deg/s, for {span:.3g} s: it turned faster",
                axis,
                math.degrees(end),
                span,
            )
            found.append(Event(SATURATION, float(time[first]), text))
    return found


def _range_of(size: Array) -> float:
    """The range [rad/s] at whose end rates (n,) stay; infinity where they do not."""
    largest = float(size.max())
    same = size >= largest * (1.0 - 1e-9)
    runs = np.convolve(same, np.ones(MIN_SATURATED), "valid") if len(same) >= MIN_SATURATED else np.zeros(1)
    if runs.max() < MIN_SATURATED:
        return math.inf
    ranges = np.radians(RANGES)
    nearest = float(ranges[np.argmin(np.abs(ranges - largest))])
    return largest if abs(largest / nearest - 1.0) < 1.0 - NEAR else math.inf


SHORTEST, LONGEST_RECORD = 1e-9, 1e9  # [s] between two samples, [s] in all


@dataclass(frozen=True)
class MeasuredMotion:
    """Motion of a body as recorded by a sensor.

    Attributes
    ----------
    table : what was chosen and guessed of the file: all columns and units are named
    time : (n,) [s] of the scenario, rising
    angular_velocity : (n, 3) [rad/s] in the body's axes
    orientation : (n, 4) body -> space, without jumps of sign
    position : (n, 3) [m] of the centre of mass in space; None: the file has none
    saturated : (n, 3) whether the gyroscope was at its end about an axis of the sensor; None: nowhere
    acceleration : (n, 3) [m/s²] that the accelerometer shows, in the body's axes; None: the file has none
    relative : whether the attitude is one from the identity on, because rates alone do not give that at the start
    marks : saturation and gaps
    guessed : names of the fields given neither by the table nor by headings: units by the size of the numbers, the
        scalar by its usual place
    other_clocks : columns that hold times too, where the table does not say which one counts
    apart : whether quaternions and rates of the file turn otherwise, however they are read
    origin : (4,) the attitude, of relative ones, at which the body starts as the scenario says; None: the first one
    """

    table: MeasuredConfig
    time: Array
    angular_velocity: Array
    orientation: Array
    acceleration: Array | None
    relative: bool
    marks: tuple[Event, ...]
    position: Array | None = None
    saturated: np.ndarray | None = None
    guessed: tuple[str, ...] = ()
    other_clocks: tuple[str, ...] = ()
    origin: Array | None = None
    apart: bool = False

    def guess(self) -> str:
        """Guesses in words; "" if there are none."""
        values = ", ".join(f'{field} = "{getattr(self.table, field)}"' for field in self.guessed)
        return N_("Guessed, as no heading gives it: {values}", values) if values else ""

    def choices(self) -> tuple[str, ...]:
        """Sentences, each without its dot, on what was chosen and guessed: which column is the time, units."""
        time, others = self.table.time, ", ".join(self.other_clocks)
        return tuple(
            filter(
                None,
                [
                    N_("The time is the column {time}, not {others}", time, others) if others else "",
                    self.guess(),
                    N_("The quaternions of the file turn otherwise than its rates tell") if self.apart else "",
                ],
            )
        )

    def __len__(self) -> int:
        return len(self.time)

    def taken(self, samples: slice) -> MeasuredMotion:
        """The same of some samples."""
        return replace(
            self,
            time=self.time[samples],
            angular_velocity=self.angular_velocity[samples],
            orientation=self.orientation[samples],
            acceleration=None if self.acceleration is None else self.acceleration[samples],
            position=None if self.position is None else self.position[samples],
            saturated=None if self.saturated is None else self.saturated[samples],
        )


def column_names(path: Path) -> tuple[str, ...]:
    """The names of the columns of a file, or of a run; ScenarioError as ``names_in`` and ``particle_of``."""
    if not is_conf(path):
        return names_in(path)
    particle_of(path, None)
    return COLUMNS


def measured_motion(table: MeasuredConfig, folder: Path) -> MeasuredMotion:
    """The motion in the file of a table; relative names start at ``folder``.

    Raises ScenarioError, naming file, column and line, for what is missing or wrong.
    """
    path = folder / table.file
    files = beside_conf(path) or [path]
    changed = tuple(file.stat().st_mtime_ns for file in files if file.is_file())
    return _read(table, path, changed)


@lru_cache(maxsize=4)  # an edit must not read the file again
def _read(table: MeasuredConfig, path: Path, changed: tuple[int, ...]) -> MeasuredMotion:
    """changed: when the file, or the files of a run, were, in ns."""
    with naming(path):
        return _motion(table, path)


class _Readings(NamedTuple):
    """Readings of sensors, in their own axes and SI units: attitudes (n, 4) sensor -> space; None if missing."""

    time: Array
    rates: Array | None
    attitude: Array | None
    acceleration: Array | None
    position: Array | None

    def readings(self) -> Array:
        """Rates (n, 3) or attitudes (n, 4) from which the rotation is known."""
        found = self.attitude if self.rates is None else self.rates
        assert found is not None
        return found


@np.errstate(all="ignore")  # overflow is reported in a sentence
def _motion(table: MeasuredConfig, path: Path) -> MeasuredMotion:
    names = column_names(path)
    full = mapped(table, names, path.stem)
    times = clocks(full, names) if table.time is None and table.sampling_rate is None else ()
    columns = _columns(full, path)
    if len(times) > 1 and not np.ptp(columns[times[0]]):  # a driver that leaves the stamps of its messages empty
        full = mapped(table.model_copy(update={"time": times[1]}), names, path.stem)
        columns = _columns(full, path)
    others = tuple(name for name in times if name != full.time)
    guessed = _taken_for_granted(table, full, path)
    if is_conf(path):
        full = full.model_copy(update={"particle": particle_of(path, table.particle)})
    full, turned, apart = (full, (), False) if is_conf(path) else _of_one_motion(table, full, columns, guessed)
    guessed = tuple(dict.fromkeys((*guessed, *turned)))
    table, given = _readings(full, columns)
    guessed = tuple(field for field in guessed if field != "scalar" or given.attitude is not None)
    here = _shown(table, given.time)
    if given.position is None:  # a sensor's: what is computed may stand still to the bit and then be hit
        here = here[~repeated(given.readings()[here])]
    rates, attitude, acceleration, position = (one if one is None else one[here] for one in given[1:])
    time, relative = given.time[here], attitude is None
    if rates is None:
        assert attitude is not None
        rates = rates_of(time, attitude)
    _check_sizes(time, rates)
    if attitude is None:
        attitude = integrated(time, rates)
    measured = rates if table.angular_velocity is None else rates + np.array(table.bias)  # what the gyroscope showed
    ranges = ranges_of(measured, table.range)
    saturated = np.abs(measured) >= NEAR * ranges
    marks = marks_of(time, saturated, ranges)
    if (turn := table.turn()) is not None:
        rates, attitude = apply(turn, rates), multiply(attitude, conjugate(turn))
        attitude = multiply(turn, attitude) if relative else attitude
        acceleration = None if acceleration is None else apply(turn, acceleration)
    table = table if table.begin is not None else table.model_copy(update={"begin": float(time[0])})
    late = table.at - (table.begin or 0.0)
    moved = tuple(Event(mark.kind, mark.time + late, mark.text) for mark in marks)
    shown = _without_jumps(attitude)
    return MeasuredMotion(
        table,
        time + late,
        rates,
        shown,
        acceleration,
        relative,
        moved,
        position,
        saturated,
        guessed,
        others,
        apart=apart,
    )


SAME, OTHER = 0.1, 0.5  # shares of rates by which quaternions turn likewise at most, and otherwise at least
TURNS, FINE = 0.5, 1.0  # [rad/s] of a body that turns, not of a sensor's noise; [rad] between samples at most
_OTHER_WAYS: dict[str, tuple[str, ...]] = {
    "rate_unit": tuple(RATE_UNITS),
    "scalar": ("first", "last"),
    "attitude": ("body-to-space", "space-to-body"),
    "rate_frame": ("body", "space"),
}


def _of_one_motion(
    given: MeasuredConfig, full: MeasuredConfig, columns: dict[str, Array], guessed: tuple[str, ...]
) -> tuple[MeasuredConfig, tuple[str, ...], bool]:
    """The full table so that quaternions turn as rates do, its fields that this changes, and whether they do not.

    Only what neither the scenario's table nor a heading gives is changed, and only where the rates tell.
    """
    if full.orientation is None or full.angular_velocity is None or full.fusion or _apart(full, columns) < OTHER:
        return full, (), False
    free = [
        field
        for field in _OTHER_WAYS
        if field in guessed or (field in ("attitude", "rate_frame") and field not in given.model_fields_set)
    ]
    if full.angular_velocity == QVEL[3:] or full.rate_frame != given.rate_frame:  # such headings give all of it
        free = []
    ways = [dict(zip(free, values, strict=True)) for values in product(*(_OTHER_WAYS[field] for field in free))]
    best = min((full.model_copy(update=way) for way in ways), key=lambda one: _apart(one, columns))
    if not _apart(best, columns) < SAME:
        return full, (), True
    was = _readings(full, columns)[0]
    return best, tuple(field for field in free if getattr(best, field) != getattr(was, field)), False


def _apart(table: MeasuredConfig, columns: dict[str, Array]) -> float:
    """The share of the rates by which quaternions turn otherwise, in the median; 0 where the samples do not tell."""
    _, found = _readings(table, columns)
    if found.attitude is None or found.rates is None:
        return 0.0
    new = np.append(True, (np.diff(found.attitude, axis=0) != 0.0).any(axis=1))  # a slower filter's are repeated
    time, attitude, rates = found.time[new], found.attitude[new], found.rates[new]
    if len(time) < 3:
        return 0.0
    turning = rates_of(time, attitude)
    size = float(np.median(np.linalg.norm(turning, axis=1)))
    if size < TURNS or size * float(np.median(np.diff(time))) > FINE:
        return 0.0
    return float(np.median(np.linalg.norm(turning - rates, axis=1))) / size


def _taken_for_granted(given: MeasuredConfig, full: MeasuredConfig, path: Path) -> tuple[str, ...]:
    """The fields of the full table given neither by the scenario's nor by headings."""
    if is_conf(path) or full.angular_velocity == QVEL[3:]:
        return ()
    units = {"time_unit": full.time, "rate_unit": full.angular_velocity, "acceleration_unit": full.acceleration}
    found = [field for field, columns in units.items() if columns is not None and getattr(full, field) is None]
    order = full.orientation is not None and "scalar" not in given.model_fields_set
    if order and not (has_headings(path) and names_scalar(full.orientation or ())):
        found.append("scalar")
    return tuple(found)


def _check_sizes(time: Array, rates: Array) -> None:
    """ScenarioError for values beyond any sensor, or beyond floating-point numbers."""
    span, least, largest = float(time[-1] - time[0]), float(np.diff(time).min()), float(np.abs(rates).max())
    if not (largest < MOST_RATE and span < LONGEST_RECORD and least > SHORTEST):
        expected = N_(
            "rates below {most_rate:g} rad/s, and samples from {shortest:g} to {longest:g} s apart",
            MOST_RATE,
            SHORTEST,
            LONGEST_RECORD,
        )
        raise ScenarioError(
            "",
            N_(
                "expected {expected}, got {largest:.3g} rad/s and {least:.3g} s, {span:.3g} s in all",
                expected,
                largest,
                least,
                span,
            ),
        )


def _groups(table: MeasuredConfig) -> tuple[tuple[str, ...] | None, ...]:
    return (table.angular_velocity, table.orientation, table.acceleration, table.magnetic_field, table.position)


def _columns(table: MeasuredConfig, path: Path) -> dict[str, Array]:
    """The columns that a table names."""
    wanted = [*filter(None, [table.time]), *(name for group in _groups(table) if group for name in group)]
    if is_conf(path):
        return states(path, int(particle_of(path, table.particle)))
    if table.particle is not None:
        raise ScenarioError("measured.particle", N_("chooses a body of a run of Rockable (conf0), and this is a table"))
    return numbers_of(path, list(dict.fromkeys(wanted)))


def _readings(table: MeasuredConfig, columns: dict[str, Array]) -> tuple[MeasuredConfig, _Readings]:
    """The table with its units, and what its columns hold."""

    def vectors(names: tuple[str, ...] | None) -> Array | None:
        return None if names is None else np.column_stack([columns[name] for name in names])

    rates, quaternions, acceleration, field, position = map(vectors, _groups(table))
    position = None if position is None else position * length_unit(table.position or ("", "", ""))
    still = quaternions is not None and (quaternions == quaternions[0]).all()
    if still and table.rate_frame == "body" and rates is not None and rates.any():
        table, quaternions = table.model_copy(update={"orientation": None}), None  # ROS has these where none is known
    table = with_units(table, columns, rates, acceleration)
    time = _times(table, columns, len(next(iter(columns.values()))))
    if rates is not None:
        rates = rates * RATE_UNITS[table.rate_unit or "rad/s"]
    if acceleration is not None:
        acceleration = acceleration * ACCELERATION_UNITS[table.acceleration_unit or "m/s²"]
    attitude = None if quaternions is None else _attitudes(table, quaternions)
    if table.rate_frame == "space" and rates is not None and attitude is not None:
        rates = apply(conjugate(attitude), rates)
    rates = None if rates is None else rates - np.array(table.bias)  # of the gyroscope: in its axes
    if table.fusion and rates is not None and acceleration is not None:
        attitude = fused(time, rates, acceleration, field)
    return table, _Readings(time, rates, attitude, acceleration, position)


def _times(table: MeasuredConfig, columns: dict[str, Array], count: int) -> Array:
    """The times (n,) [s] of the samples, which rise."""
    if table.time is None:
        assert table.sampling_rate is not None
        return np.arange(count) / table.sampling_rate
    given: Array = columns[table.time]
    if len(back := np.flatnonzero(np.diff(given) <= 0.0)):
        row = int(back[0]) + 1
        first, second = given[row - 1], given[row]
        text = N_("{first:.10g}, then {second:.10g}", first, second)
        raise ScenarioError(
            N_("row {number}, {name:.40}", row + 1, table.time), N_("expected times that rise, got {text}", text)
        )
    return np.asarray((given - given[0]) * TIME_UNITS[table.time_unit or "s"] + _origin(given, table))


def _origin(given: Array, table: MeasuredConfig) -> float:
    """The first time [s]; 0 where it is a date, of which doubles hold no fractions."""
    first = float(given[0]) * TIME_UNITS[table.time_unit or "s"]
    return first if abs(first) < DATE else 0.0


def _attitudes(table: MeasuredConfig, quaternions: Array) -> Array:
    """Unit quaternions (n, 4), scalar first, sensor -> space."""
    norms = np.linalg.norm(quaternions, axis=1)
    if len(wrong := np.flatnonzero(np.abs(norms - 1.0) > 0.05)):
        row = int(wrong[0])
        place, length = N_("row {number}, {name:.60}", row + 1, ", ".join(table.orientation or ())), f"{norms[row]:.3g}"
        raise ScenarioError(place, N_("expected a unit quaternion, got one of length {length}", length))
    q = quaternions / norms[:, None]
    q = np.roll(q, 1, axis=1) if table.scalar == "last" else q
    return conjugate(q) if table.attitude == "space-to-body" else np.asarray(q)


def _shown(table: MeasuredConfig, time: Array) -> np.ndarray:
    """The numbers of the samples between begin and end; ScenarioError where there are fewer than two."""
    first = 0 if table.begin is None else int(np.searchsorted(time, table.begin - 1e-9))
    last = len(time) if table.end is None else int(np.searchsorted(time, table.end + 1e-9, side="right"))
    if last - first < 2:
        field = "begin" if table.begin is not None else "end"
        text = N_("expected a time between {time:g} and {time2:g} s that leaves two samples", time[0], time[-1])
        raise ScenarioError(f"measured.{field}", text)
    return np.arange(first, last)


def _without_jumps(q: Array) -> Array:
    """The same attitudes (n, 4) with the signs for which neighbours are near."""
    signs = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0.0, -1.0, 1.0)
    return np.asarray(q * np.concatenate([[1.0], np.cumprod(signs)])[:, None])


LARGEST_FREE_ACCELERATION = 4.0  # [m/s²]: a sensor 2 cm off the centre of mass shows as much in a body of 14 rad/s
SHORTEST_FLIGHT = 0.15  # [s]: a fall of 11 cm
BRIDGED = 0.02  # [s] of a louder sensor within a flight


def free_flights(motion: MeasuredMotion, largest: float = LARGEST_FREE_ACCELERATION) -> tuple[tuple[float, float], ...]:
    """Begin and end [s] of the flights, the longest one first; none where the file has no acceleration.

    largest : what the accelerometer shows there at most [m/s²]. The ends are cut by a twentieth of each flight: the
    hand and the ground touch a little before and after it. Not where the record itself begins or ends: no one touches.
    """
    if motion.acceleration is None:
        return ()
    still = np.linalg.norm(motion.acceleration, axis=1) < largest
    begins, ends = runs(still)
    found: list[list[float]] = []
    for begin, end in zip(motion.time[begins], motion.time[ends], strict=True):
        if found and begin - found[-1][1] <= BRIDGED:
            found[-1][1] = float(end)
        else:
            found.append([float(begin), float(end)])
    first, last = motion.time[0], motion.time[-1]
    cuts = [(a, b, 0.05 * (b - a)) for a, b in found if b - a >= SHORTEST_FLIGHT]
    flights = [(a + cut if a > first else a, b - cut if b < last else b) for a, b, cut in cuts]
    return tuple(sorted(flights, key=lambda flight: flight[0] - flight[1]))
