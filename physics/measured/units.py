"""Units of a sensor's record that no heading and no scenario gives, chosen by the size of its numbers, or refused."""

from __future__ import annotations

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.measured.columns import QVEL, is_blackbox
from physics.measured.measured_config import RATE_UNITS, TIME_UNITS, MeasuredConfig

RANGES = (125.0, 245.0, 250.0, 500.0, 1000.0, 2000.0, 2293.7, 4000.0)  # [deg/s] that gyroscopes can be set to
DAYS, SHORT = (3e4, 8e4), 1e-4  # from 1982 to 2119, since 1900; [s] between samples that a sensor does not reach
FASTEST = 100.0  # [rad/s], the range of gyroscopes, some 5700 deg/s: larger numbers without a unit are degrees
FASTEST_DEGREES = 1.05 * RANGES[-1]  # [deg/s]: larger numbers are a sensor's counts, or in another unit
HARDEST = 500.0  # [m/s²] that a quarter of the samples may exceed: larger numbers are counts, or mg
SLOWEST = 0.5  # [s] between samples: longer intervals without a unit are milliseconds, from 500 on microseconds
SLOW = 2.0  # [s] between samples of loggers that measure rarely: up to it the unit is not guessed


def with_units(
    table: MeasuredConfig, columns: dict[str, Array], rates: Array | None, acceleration: Array | None
) -> MeasuredConfig:
    """The table with missing units chosen by the size of the numbers.

    ScenarioError where numbers in two units would be as likely, or of no unit.

    columns : values (n,) by their names
    rates, acceleration : (n, 3) as the file has them; None: it has none
    """
    found: dict[str, str] = {}
    if table.time is not None and table.time_unit is None:
        time = columns[table.time]
        if DAYS[0] < time[0] < DAYS[1] and np.ptp(time) < (len(time) - 1) * SHORT:
            text = N_("{first:.10g} looks like days of a spreadsheet; expected times in s, ms, us or ns", time[0])
            raise ScenarioError("measured.time_unit", text)
        found["time_unit"] = time_unit(time)
        _check_pace(table.time, time, found["time_unit"], rates, table.rate_unit)
    if table.angular_velocity == QVEL[3:]:
        found["rate_unit"] = "rad/s"
    elif rates is not None and table.rate_unit is None:
        largest, flown = float(np.abs(rates).max()), is_blackbox(table.angular_velocity)
        found["rate_unit"] = "deg/s" if largest > FASTEST or flown else "rad/s"
        counts = largest > FASTEST and not flown and (rates == np.rint(rates)).all()
        if counts or largest > FASTEST_DEGREES:
            text = N_("rates up to {largest:.4g} without a unit look like counts of a sensor", largest)
            wanted = N_("{text}; expected rad/s or deg/s, named in the headings or by rate_unit", text)
            raise ScenarioError("measured.rate_unit", wanted)
    if acceleration is not None and table.acceleration_unit is None:
        usual = float(np.percentile(np.linalg.norm(acceleration, axis=1), 75))
        if usual > HARDEST:
            text = N_("accelerations of {usual:.4g} without a unit look like counts of a sensor", usual)
            wanted = N_("{text}; expected m/s² or g, named in the headings or by acceleration_unit", text)
            raise ScenarioError("measured.acceleration_unit", wanted)
        found["acceleration_unit"] = "g" if 0.8 < usual < 1.25 else "m/s²"
    return table.model_copy(update=found)


def time_unit(time: Array) -> str:
    """The unit of times (n,) by their size: of seconds since 1970 from 2001 on, else by the longer steps between them.

    Samples may arrive in bursts, most of them right after another one.
    """
    step = float(np.percentile(np.abs(np.diff(time)), 95.0))
    for unit, size in TIME_UNITS.items():
        if _dated(time, unit) and step * size <= SLOW:
            return unit
    return [*TIME_UNITS][int(np.searchsorted(SLOWEST * np.array([1.0, 1e3, 1e6]), step))]


def _dated(time: Array, unit: str) -> bool:
    """True if times (n,) in a unit begin with a date, as seconds since 1970, from 2001 on."""
    return 1e9 <= abs(float(time[0])) * TIME_UNITS[unit] < 1e10


def _check_pace(name: str, time: Array, unit: str, rates: Array | None, rate_unit: str | None) -> None:
    """ScenarioError where times are as likely those of a slow logger, in the next larger unit, as of a fast one.

    A body that turns by more than a radian between slow samples was measured by a fast sensor.
    """
    units = [*TIME_UNITS]
    if unit == units[0] or _dated(time, unit):
        return
    larger = units[units.index(unit) - 1]
    step = float(np.percentile(np.diff(time), 95.0))
    slow = step * TIME_UNITS[larger]
    scale = RATE_UNITS[rate_unit or "deg/s"]
    turn = 0.0 if rates is None else slow * scale * float(np.median(np.linalg.norm(rates, axis=1)))
    if SLOWEST <= slow <= SLOW and turn < 1.0:
        both = N_("times {step:.3g} apart may be in {larger} or {unit}, and nothing tells which", step, larger, unit)
        wanted = N_(
            "{both}; expected the unit in the heading, such as {name:.40} ({unit}), or time_unit", both, name, unit
        )
        raise ScenarioError("measured.time_unit", wanted)
