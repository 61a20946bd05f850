"""Headings of motion tables: which column is what, by the words that phones, loggers and scripts write.

phyphox writes ``Time (s)`` and ``Gyroscope x (rad/s)``; Sensor Logger ``seconds_elapsed`` and ``x``, or ``qw``; loggers
in stones and pebbles ``Time (ms)``, ``AccX (m/s2)``, ``RotX (deg/s)``; plain tables ``t``, ``wx``, ``q0``; the EuRoC
sets ``timestamp [ns]``, ``w_RS_S_x [rad s^-1]``, ``q_RS_w []``; ROS ``field.angular_velocity.x``; blackbox logs of
drones ``time (us)``, ``gyroADC[0]``. Words are compared without blanks and signs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from physics.core.errors import ScenarioError
from physics.measured.measured_config import Columns, MeasuredTable

RATES = (
    "gyroscope gyro gyr gyrosc gyroadc rot rotation rotationrate omega w wrss g rate angular av ω "
    "angularvelocity fieldangularvelocity"
)
# linearacceleration is that of ROS, field.linear_acceleration.x, with gravity: phones take it off under that name
ACCELERATIONS = "accelerometer acceleration accel acc a arss totalacceleration fieldlinearacceleration"
FIELDS = "magnetometer magneticfield mag magnetic m b"
POSITIONS = "position pos p prsr centre center"
# arrays of MuJoCo, of one free body: place and quaternion, velocity in space and rates in the body
QPOS, QVEL = tuple(f"qpos_{i}" for i in range(1, 8)), tuple(f"qvel_{i}" for i in range(1, 7))
IN_SPACE = "vrot"  # rates that space tells, of Rockable
QUATERNIONS = "q qrs quat quaternion orientation fieldorientation attitude"
TIMES = "secondselapsed elapsed time t timestamp zeit seconds sampletime"  # the first that is there
SECONDS = ("secondselapsed", "seconds")  # headings of times that are units themselves
_UNITS = {
    "s": "s", "sec": "s", "seconds": "s", "ms": "ms", "us": "us", "µs": "us", "μs": "us", "ns": "ns",
    "rad/s": "rad/s", "rads": "rad/s", "rads^-1": "rad/s", "rads-1": "rad/s",
    "deg/s": "deg/s", "°/s": "deg/s", "dps": "deg/s", "degree/s": "deg/s", "degs^-1": "deg/s", "degs-1": "deg/s",
    "m/s2": "m/s²", "m/s^2": "m/s²", "m/s²": "m/s²", "ms^-2": "m/s²", "ms-2": "m/s²", "g": "g",
}  # fmt: skip
_UNIT = re.compile(r"[(\[](?![wxyz0-4][)\]])([^)\]]*)[)\]]")  # gyroADC[0] has none
_LAST = re.compile(r"(.*?)[\s_.\-(\[]*([wxyz0-4])[)\]]?")


class Heading(NamedTuple):
    """What a heading says: a quantity without blanks and signs, the component, and the unit; "" where it does not."""

    quantity: str
    component: str
    unit: str


def heading(name: str) -> Heading:
    """What the heading of a column says."""
    told = _UNIT.search(name)
    unit = _UNITS.get(told[1].strip().lower().replace(" ", ""), "") if told else ""
    plain = _UNIT.sub("", name).strip().lower()
    if not told:  # time_ms, gyro_x_dps
        before, _, last = plain.rpartition("_")
        unit = _UNITS.get(last, "") if before and last != "g" else ""
        plain = before if unit else plain
    found = _LAST.fullmatch(plain)
    quantity, component = (found[1], found[2]) if found else (plain, "")
    quantity = re.sub(r"[\s_.\-]", "", quantity)
    return Heading(quantity, component, unit or ("s" if quantity in SECONDS else ""))


def mapped(table: MeasuredTable, names: Sequence[str], stem: str) -> MeasuredTable:
    """The table with all columns named, and the units that headings tell: given ones, else guessed.

    names : of the columns of the file; stem : of its name. ScenarioError, naming field and column, for a column that
    the file does not have, and where neither rates nor a quaternion are found.
    """
    known = {name: heading(name) for name in names}
    changes: dict[str, object] = {}
    if table.time is None and table.sampling_rate is None:
        changes["time"] = _time(known)
    if table.angular_velocity is None and table.orientation is None:
        changes["angular_velocity"] = _vector(known, RATES) or _bare(known, stem)
        changes["orientation"] = _quaternion(known)
        in_space = _vector(known, IN_SPACE)
        changes |= {"angular_velocity": in_space, "rate_frame": "space"} if in_space and changes["orientation"] else {}
    if table.position is None:
        changes["position"] = _vector(known, POSITIONS) or (QPOS[:3] if known.keys() >= {*QPOS} else None)
    if table.angular_velocity is None and table.orientation is None and known.keys() >= {*QPOS, *QVEL}:
        changes |= {"orientation": QPOS[3:], "angular_velocity": QVEL[3:]}
    if table.acceleration is None:
        changes["acceleration"] = _vector(known, ACCELERATIONS)
    if table.magnetic_field is None:
        changes["magnetic_field"] = _vector(known, FIELDS)
    full = table.model_copy(update={key: value for key, value in changes.items() if value is not None})
    _check_there(full, names)
    units = {
        "time_unit": _unit(known, full.time),
        "rate_unit": _unit(known, full.angular_velocity and full.angular_velocity[0]),
        "acceleration_unit": _unit(known, full.acceleration and full.acceleration[0]),
    }
    return full.model_copy(update={key: unit for key, unit in units.items() if unit and getattr(full, key) is None})


def names_scalar(orientation: Sequence[str]) -> bool:
    """Whether headings of a quaternion say which one is the scalar: w, or 0 to 3; 1 to 4 are written either way."""
    return {heading(name).component for name in orientation} in ({*"wxyz"}, {*"0123"})


def _check_there(table: MeasuredTable, names: Sequence[str]) -> None:
    there = ", ".join(f"{name:.30}" for name in names[:12]) + (", …" if len(names) > 12 else "")
    for field in ("time", "angular_velocity", "orientation", "position", "acceleration", "magnetic_field"):
        given = getattr(table, field) or ()
        for name in (given,) if isinstance(given, str) else given:
            if name not in names:
                raise ScenarioError(f"measured.{field}", f"there is no column '{name:.60}'; the file has {there}")
    if table.angular_velocity is None and table.orientation is None:
        raise ScenarioError(
            "measured.angular_velocity",
            f"no columns of rates (gyro_x) or of a quaternion (qw) are known among {there}; expected their names",
        )
    if table.time is None and table.sampling_rate is None:
        raise ScenarioError("measured.time", f"no column of times is known among {there}; expected its name")
    if table.rate_frame == "space" and table.orientation is None:
        raise ScenarioError("measured.rate_frame", "expected columns of a quaternion beside rates that space tells")
    if table.fusion and (table.angular_velocity is None or table.acceleration is None):
        raise ScenarioError("measured.fusion", "expected columns of rates and of the acceleration")
    for field, usual in (("scalar", "first"), ("attitude", "body-to-space")):
        if table.orientation is None and getattr(table, field) != usual:
            raise ScenarioError(f"measured.{field}", f"tells how a quaternion is read, and none is known among {there}")
    if table.angular_velocity is None and any(table.bias):
        raise ScenarioError("measured.bias", f"is taken off rates, and none are known among {there}")


def _unit(known: dict[str, Heading], name: str | None) -> str:
    return known[name].unit if name is not None else ""


def _time(known: dict[str, Heading]) -> str | None:
    for word in TIMES.split():
        for name, told in known.items():
            if told.quantity == word and not told.component:
                return name
    return None


def _vector(known: dict[str, Heading], words: str) -> Columns | None:
    """Columns x, y, z, or 1, 2, 3, of one quantity among these words; the first word that has them."""
    for word in words.split():
        for letters in ("xyz", "123", "012"):
            found = [_of(known, word, letter) for letter in letters]
            if all(found) and not (letters != "xyz" and _of(known, word, "4" if letters == "123" else "3")):
                return found[0], found[1], found[2]
    return None


def _quaternion(known: dict[str, Heading]) -> tuple[str, str, str, str] | None:
    """Columns of a quaternion, the scalar first."""
    for word in (*QUATERNIONS.split(), ""):
        for letters in ("wxyz", "0123", "1234"):
            found = [_of(known, word, letter) for letter in letters]
            if all(found):
                return found[0], found[1], found[2], found[3]
    return None


def _bare(known: dict[str, Heading], stem: str) -> Columns | None:
    """Columns x, y, z without a word, of a file that does not say that they are something else."""
    x, y, z = (_of(known, "", letter) for letter in "xyz")
    other = any(word in stem.lower() for word in ("acc", "mag", "grav", "orientation"))
    return (x, y, z) if x and y and z and not (other or _of(known, "", "w")) else None


def _of(known: dict[str, Heading], word: str, component: str) -> str:
    """The column of a quantity's component; "" where there is none."""
    return next((n for n, told in known.items() if (told.quantity, told.component) == (word, component)), "")
