"""Columns of numbers out of large tables, by name: text of any separator, .npz and .parquet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np

from physics.core.archives import npz_arrays, pyarrow_or_sentence
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_packed, input_file
from physics.core.rotation import Array
from physics.core.text_tables import MAX_LINE_LETTERS, Head, fault_in, is_remark, numbers_in, read_head
from physics.core.wording import N_
from physics.measured.measured_config import (
    ACCELERATION_UNITS,
    LENGTH_UNITS,
    RATE_UNITS,
    TIME_UNITS,
    Columns,
    MeasuredConfig,
)

# words of English, German, French and Italian headings, as ``heading`` leaves them
RATES = (
    "gyroscope gyro gyr gyrosc gyroadc rot rotation rotationrate omega w wrss g rate angular av ω "
    "angularvelocity fieldangularvelocity angvel motionrotationrate gyrorotation "
    "gyroskop winkelgeschwindigkeit drehrate drehgeschwindigkeit "
    "vitesseangulaire vitessederotation giroscopio velocitaangolare velocitadirotazione"
)
# linearacceleration is that of ROS, field.linear_acceleration.x, with gravity: phones take it off under that name
ACCELERATIONS = (
    "accelerometer acceleration accel acc a arss totalacceleration fieldlinearacceleration "
    "beschleunigung beschleunigungssensor accelerometre accelerazione accelerometro"
)
FIELDS = (
    "magnetometer magneticfield mag magnetic m b magnetfeld magnetometre champmagnetique magnetometro campomagnetico"
)
POSITIONS = "position pos p prsr centre center posizione"
# arrays of MuJoCo, of one free body: place and quaternion, velocity in space and rates in the body
QPOS, QVEL = tuple(f"qpos_{i}" for i in range(1, 8)), tuple(f"qvel_{i}" for i in range(1, 7))
IN_SPACE = "vrot"  # rates in space, of Rockable
QUATERNIONS = "q qrs quat quaternion orientation fieldorientation attitude quaternione orientierung orientamento lage"
TIMES = (  # the first that is there
    "secondselapsed elapsed time t timestamp zeit seconds sampletime "
    "zeitstempel sekunden temps horodatage secondes tempo secondi"
)
SECONDS = ("secondselapsed", "seconds", "sekunden", "secondes", "secondi")  # headings of times, and units too
UNITS_OF = {"time_unit": TIME_UNITS, "rate_unit": RATE_UNITS, "acceleration_unit": ACCELERATION_UNITS}
_UNITS = {  # without blanks, powers' signs and accents
    "s": "s", "sec": "s", "seconds": "s", "sekunden": "s", "secondes": "s", "secondi": "s",
    "ms": "ms", "us": "us", "μs": "us", "ns": "ns",
    "rad/s": "rad/s", "rads": "rad/s", "rads-1": "rad/s", "rad/sec": "rad/s", "rad_s": "rad/s",
    "deg/s": "deg/s", "°/s": "deg/s", "dps": "deg/s", "degree/s": "deg/s", "degs-1": "deg/s", "°s-1": "deg/s",
    "deg/sec": "deg/s", "deg_s": "deg/s", "degrees/s": "deg/s",
    "grad/s": "deg/s", "degres/s": "deg/s", "gradi/s": "deg/s",
    "m/s2": "m/s²", "ms-2": "m/s²", "g": "g",
    "m": "m", "cm": "cm", "mm": "mm",
}  # fmt: skip
# units of times, rates, accelerations and places that are not read, written likewise
OTHER_UNIT = re.compile(
    r"min(ute[sn]?|s|-1)?|h|hr|hours|rp[ms]|[mμu](dps|deg/s|rad/s|rads-1|g)|(rev|tr|giri|turns|u|1|deg|°)/(s|min)"
    r"|[cm]m/s2|[cm]ms-2|ft/s2|km|[mμu]m|in|inch(es)?|ft|feet"
)
_UNIT = re.compile(r"[(\[](?![wxyz0-4][)\]])([^)\]]*)[)\]]")  # gyroADC[0] has none
# x_m may be anything
_WORDS = "|".join(re.escape(word) for word, unit in _UNITS.items() if unit not in ("g", *LENGTH_UNITS))
_OPEN = re.compile(rf"(.+?)(?:[ _]|/| in )({_WORDS})")
# of ROS messages, behind the topic: /imu/angular_velocity/x, msg.orientation.w
_ROS = re.compile(r"(?:.*[/.])?(?=(?:angular_velocity|linear_acceleration|orientation)[/.][wxyz]$)")
# heading of seconds of ROS, beside a column of nanoseconds
_SECONDS = re.compile(r"(.*stamp[./_])(?:secs?|seconds)", re.IGNORECASE)
_NANOSECONDS = ("nanosec", "nanosecs", "nsec", "nsecs", "nanoseconds")
PLUS = " + "  # sign between the two, in a name
# when a sensor measured, in a message of ROS: field.header.stamp, /imu/header/stamp, header.stamp.sec + ...; before it
# what other columns of the message begin with too
_STAMP = re.compile(r"((?:.*?[/._ ])??)(?:header[/._]?)?stamp(?:[/._]sec\w* \+ .*)?", re.IGNORECASE)
LONGEST_HEADING = 200  # letters
_LAST = re.compile(r"(.*?)[\s_.\-(\[]*([wxyz0-4])[)\]]?")
_AXIS = re.compile(r"\b(?:axis|achse|axe|asse|about|along|um|selon|suivant|lungo|in)\b")  # beside x, y or z


class ColumnHeading(NamedTuple):
    """Parts of a heading: quantity without blanks and signs, component, and unit; "" for a missing part."""

    quantity: str
    component: str
    unit: str


def heading(name: str) -> ColumnHeading:
    """Parts of the heading of a column; of one that is longer than LONGEST_HEADING nothing is known."""
    if len(name) > LONGEST_HEADING:
        return ColumnHeading("", "", "")
    if PLUS in name and _SECONDS.fullmatch(name.split(PLUS)[0]):
        return ColumnHeading("", "", "s")
    letters = unicodedata.normalize("NFKD", name.lower()).replace("\u2212", "-")  # m/s², s⁻¹, é
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = _ROS.sub("field.", plain, count=1)
    if marked := _UNIT.search(plain):
        word, plain = re.sub(r"[\s^·*]", "", marked[1]), _UNIT.sub("", plain).strip()
        unit = _UNITS.get(word, word if OTHER_UNIT.fullmatch(word) else "")
    elif ending := _OPEN.fullmatch(plain.strip()):  # time_ms, gyro_x_dps, Zeit in s
        plain, unit = ending[1], _UNITS[ending[2]]
    else:
        unit = ""
    plain = _AXIS.sub("", plain).strip(" _-/,:")
    found = _LAST.fullmatch(plain)
    quantity, component = (found[1], found[2]) if found else (plain, "")
    quantity = re.sub(r"[\s_.\-/']", "", quantity)
    return ColumnHeading(quantity, component, unit or ("s" if quantity in SECONDS else ""))


def mapped(table: MeasuredConfig, names: Sequence[str], stem: str) -> MeasuredConfig:
    """The table with all columns named, and units: given ones, else those of the headings, else guessed.

    names : of the columns of the file; stem : of its name. ScenarioError, naming field and column, for a column that
    the file does not have, and where neither rates nor a quaternion are found.
    """
    known = {name: heading(name) for name in names}
    changes: dict[str, object] = {}
    if table.angular_velocity is None and table.orientation is None:
        changes["angular_velocity"] = _vector(known, RATES) or _bare(known, stem, lengths=False)
        changes["orientation"] = _quaternion(known)
        in_space = _vector(known, IN_SPACE)
        changes |= {"angular_velocity": in_space, "rate_frame": "space"} if in_space and changes["orientation"] else {}
    if table.position is None:
        usual = _bare(known, stem, lengths=True) or (QPOS[:3] if known.keys() >= {*QPOS} else None)
        changes["position"] = _vector(known, POSITIONS) or usual
    if table.angular_velocity is None and table.orientation is None and known.keys() >= {*QPOS, *QVEL}:
        changes |= {"orientation": QPOS[3:], "angular_velocity": QVEL[3:]}
    if table.acceleration is None:
        changes["acceleration"] = _vector(known, ACCELERATIONS)
    if table.magnetic_field is None:
        changes["magnetic_field"] = _vector(known, FIELDS)
    full = table.model_copy(update={key: value for key, value in changes.items() if value is not None})
    if full.time is None and full.sampling_rate is None and (times := clocks(full, names)):
        full = full.model_copy(update={"time": times[0]})
    _check_there(full, names)
    named = {
        "time_unit": () if full.time is None else (full.time,),
        "rate_unit": full.angular_velocity or (),
        "acceleration_unit": full.acceleration or (),
    }
    units = {
        key: _unit(columns, UNITS_OF[key], f"measured.{key}")
        for key, columns in named.items()
        if getattr(full, key) is None
    }
    return full.model_copy(update={key: unit for key, unit in units.items() if unit})


def names_scalar(orientation: Sequence[str]) -> bool:
    """True if headings of a quaternion show which one is the scalar: w, or 0 to 3; 1 to 4 are written either way."""
    return {heading(name).component for name in orientation} in ({*"wxyz"}, {*"0123"})


def is_blackbox(rates: Sequence[str] | None) -> bool:
    """True for the rates of a flight controller's blackbox, which writes whole degrees in a second."""
    return rates is not None and all(heading(name).quantity == "gyroadc" for name in rates)


def _check_there(table: MeasuredConfig, names: Sequence[str]) -> None:
    there = (
        N_("{names}, …", ", ".join(f"{name:.30}" for name in names[:12]))
        if len(names) > 12
        else ", ".join(f"{name:.30}" for name in names[:12])
    )
    for field in ("time", "angular_velocity", "orientation", "position", "acceleration", "magnetic_field"):
        given = getattr(table, field) or ()
        for name in (given,) if isinstance(given, str) else given:
            if name not in names:
                raise ScenarioError(
                    f"measured.{field}", N_("there is no column '{name:.60}'; the file has {there}", name, there)
                )
    if table.angular_velocity is None and table.orientation is None:
        raise ScenarioError(
            "measured.angular_velocity",
            N_(
                "no columns of rates (gyro_x) or of a quaternion (qw) are known among {there}; expected their names",
                there,
            ),
        )
    if table.time is None and table.sampling_rate is None:
        raise ScenarioError("measured.time", N_("no column of times is known among {there}; expected its name", there))
    if table.rate_frame == "space" and table.orientation is None:
        raise ScenarioError("measured.rate_frame", N_("expected columns of a quaternion beside rates in space"))
    if table.fusion and (table.angular_velocity is None or table.acceleration is None):
        raise ScenarioError("measured.fusion", N_("expected columns of rates and of the acceleration"))
    for field, usual in (("scalar", "first"), ("attitude", "body-to-space")):
        if table.orientation is None and getattr(table, field) != usual:
            raise ScenarioError(
                f"measured.{field}", N_("needs the columns of a quaternion, and none is known among {there}", there)
            )
    if table.angular_velocity is None and any(table.bias):
        raise ScenarioError("measured.bias", N_("is taken off rates, and none are known among {there}", there))


def length_unit(columns: Columns) -> float:
    """The unit [m] of the columns of a place, by their headings; ScenarioError for another one."""
    return LENGTH_UNITS[_unit(columns, LENGTH_UNITS, "measured.position") or "m"]


def _unit(columns: Sequence[str], known: Iterable[str], field: str) -> str:
    """The unit in the headings of some columns, "" where there is none; ScenarioError for an unknown one, or two."""
    found = dict.fromkeys(unit for name in columns if (unit := heading(name).unit))
    for unit in found:
        if unit not in known:
            text = N_("the heading gives '{unit}'; expected one of {units}", unit, ", ".join(known))
            raise ScenarioError(field, text)
    if len(found) > 1:
        raise ScenarioError(field, N_("the headings give {units}; expected one unit", ", ".join(found)))
    return next(iter(found), "")


def clocks(table: MeasuredConfig, names: Sequence[str]) -> tuple[str, ...]:
    """The columns of times, the best first: the stamp of the measurement, of ROS, before that of its arrival.

    table : with its columns of rates or of a quaternion
    """
    first, *_ = table.angular_velocity or table.orientation or ("",)
    stamps = {name: match[1] for name in names if len(name) <= LONGEST_HEADING and (match := _STAMP.fullmatch(name))}
    own = sorted((name for name in stamps if first.startswith(stamps[name])), key=lambda name: -len(stamps[name]))
    known = {name: heading(name) for name in names}
    others = [name for word in TIMES.split() for name, one in known.items() if one[:2] == (word, "")]
    return tuple(dict.fromkeys([*own, *others, *(name for name in names if PLUS in name)]))


def _stamps(names: Sequence[str]) -> tuple[str, ...]:
    """Names of the times that two columns make: of seconds, and of nanoseconds in these."""
    short = [name for name in names if len(name) <= LONGEST_HEADING]
    found = [(one, match[1]) for one in short if (match := _SECONDS.fullmatch(one))]
    pairs = ((one, stamp + part) for one, stamp in found for part in _NANOSECONDS)
    return tuple(one + PLUS + other for one, other in pairs if other in names)


def _vector(known: dict[str, ColumnHeading], words: str) -> Columns | None:
    """Columns x, y, z, or 1, 2, 3, of one quantity among these words; the first word that has them."""
    for word in words.split():
        for letters in ("xyz", "123", "012"):
            found = [_of(known, word, letter) for letter in letters]
            if all(found) and not (letters != "xyz" and _of(known, word, "4" if letters == "123" else "3")):
                return found[0], found[1], found[2]
    return None


def _quaternion(known: dict[str, ColumnHeading]) -> tuple[str, str, str, str] | None:
    """Columns of a quaternion, the scalar first."""
    for word in (*QUATERNIONS.split(), ""):
        for letters in ("wxyz", "0123", "1234"):
            found = [_of(known, word, letter) for letter in letters]
            if all(found):
                return found[0], found[1], found[2], found[3]
    return None


def _bare(known: dict[str, ColumnHeading], stem: str, *, lengths: bool) -> Columns | None:
    """Columns x, y, z without a word, of a file that does not say that they are something else.

    lengths : whether they have a unit of length, or none
    """
    some = {name: one for name, one in known.items() if (one.unit in LENGTH_UNITS) == lengths}
    x, y, z = (_of(some, "", letter) for letter in "xyz")
    other = any(word in stem.lower() for word in ("acc", "mag", "grav", "orientation"))
    scalar = "" if lengths else _of(known, "", "w")
    return (x, y, z) if x and y and z and not (other or scalar) else None


def _of(known: dict[str, ColumnHeading], word: str, component: str) -> str:
    """The column of a quantity's component; "" where there is none."""
    return next((n for n, one in known.items() if (one.quantity, one.component) == (word, component)), "")


TEXTS = (".csv", ".txt", ".tsv")
WHAT = N_("a measured motion")
MAX_FILE_BYTES = 200_000_000  # bytes: an hour of ten columns at 500 Hz; read in 3 s
DATE = 1e6  # [s]: later times are dates
FARTHEST = 1e20  # numbers are smaller: a time may be in nanoseconds since 1970, and squares must not overflow
MOST_COLUMNS = 2000
UNNAMED = {4: "t wx wy wz", 5: "t qw qx qy qz", 8: "t qw qx qy qz wx wy wz"}  # names by the number of columns
_NINE = [f"_covariance_{i}" for i in range(9)]
UNNAMED[40] = " ".join(  # ros2 topic echo --csv, of sensor_msgs/Imu
    [
        *("header.stamp.sec", "header.stamp.nanosec", "header.frame_id"),
        *(f"orientation.{one}" for one in "xyzw"),
        *(f"orientation{one}" for one in _NINE),
        *(f"angular_velocity.{one}" for one in "xyz"),
        *(f"angular_velocity{one}" for one in _NINE),
        *(f"linear_acceleration.{one}" for one in "xyz"),
        *(f"linear_acceleration{one}" for one in _NINE),
    ]
)
BLOCK = 65_536  # rows of a text that are read at once


def names_in(path: Path) -> tuple[str, ...]:
    """The names of a file's columns; those of an array (n, k) of a .npz are NAME_1 to NAME_k.

    Raises ScenarioError, naming the file, where it is missing, empty, too large or no table.
    """
    path = input_file(path, ENDINGS, WHAT, MAX_FILE_BYTES)
    return FORMATS[path.suffix.lower()].names(path)


def has_headings(path: Path) -> bool:
    """True if a file names its columns itself; errors as ``names_in``."""
    path = input_file(path, ENDINGS, WHAT, MAX_FILE_BYTES)
    if path.suffix.lower() not in TEXTS:
        return True
    with _opened(path) as file:
        return _head(file, path).line > 0


def numbers_of(path: Path, names: Sequence[str]) -> dict[str, Array]:
    """Columns (n,) of a file, by name: numbers below FARTHEST, two rows or more; else ScenarioError.

    It names file, column and line.
    """
    path = input_file(path, ENDINGS, WHAT, MAX_FILE_BYTES)
    found = FORMATS[path.suffix.lower()].numbers(path, names)
    if path.suffix.lower() in TEXTS:  # which say the line of a wrong number
        return found
    for name, values in found.items():
        _check_rows(path, len(values))
        if not (sound := np.abs(values) < FARTHEST).all():  # NaN neither
            row = int(np.argmin(sound)) + 1
            raise ScenarioError(
                N_("row {number}, {name:.40}", row, name),
                N_("expected a number below 1e20, got {row}", values[row - 1]),
                path,
            )
    return found


def _check_rows(path: Path, count: int) -> None:
    if count < 2:
        raise ScenarioError(
            "",
            N_("one row of numbers; expected two or more") if count else N_("no rows of numbers; expected two or more"),
            path,
        )


# ---- text ---------------------------------------------------------------------------------------------


def _text_names(path: Path) -> tuple[str, ...]:
    with _opened(path) as file:
        names = _head(file, path).names
    return (*names, *_stamps(names))


def _opened(path: Path) -> TextIO:
    try:
        return path.open(encoding="utf-8-sig", errors="replace", newline=None)
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None


def _head(file: TextIO, path: Path) -> Head:
    """The head of a text with a name for each column: the headings, or those of UNNAMED, or column_1 and so on."""
    head = read_head(file, path)
    if not head.width and not head.names:
        raise ScenarioError("", N_("no headings; expected {what}, such as t, wx, wy, wz", WHAT), path)
    if max(head.width, len(head.names)) > MOST_COLUMNS:
        raise ScenarioError("", N_("more than {most_columns} columns; expected {what}", MOST_COLUMNS, WHAT), path)
    if head.line and head.width > len(head.names):
        file.seek(0)
        rows = (line for line in islice(file, head.first, None) if line.strip() and not is_remark(line))
        words = head.marks.words(next(rows, ""))
        if any(words[len(head.names) :]):  # such as numbers of rows without a heading: which column is which?
            text = N_("{words} words below {names} headings; expected a heading for each", len(words), len(head.names))
            raise ScenarioError(N_("line {number}", head.line), text, path)
    usual = UNNAMED.get(head.width, " ".join(f"column_{i + 1}" for i in range(head.width)))
    return head._replace(names=head.names or tuple(usual.split()))


def _from_text(path: Path, names: Sequence[str]) -> dict[str, Array]:
    with _opened(path) as file:
        head = _head(file, path)
        sums = {name: [name] if name in head.names else name.split(PLUS) for name in names}
        names = list(dict.fromkeys(name for pair in sums.values() for name in pair))
        if twice := next((name for name in names if head.names.count(name) > 1), None):
            text = N_("expected one column '{name}', got {count}", twice, head.names.count(twice))
            raise ScenarioError(N_("line {number}", head.line), text, path)
        places = [head.names.index(name) for name in names]
        parts, number = [], head.first
        file.seek(0)
        lines = islice(iter(lambda: file.readline(MAX_LINE_LETTERS), ""), head.first, None)
        while some := list(islice(lines, BLOCK)):
            check_wanted()
            try:
                part = numbers_in(some, head.marks, places)
            except ValueError:
                part = np.full((1, len(places)), np.nan)
            if not (np.abs(part) < FARTHEST).all() or max(map(len, some)) == MAX_LINE_LETTERS:
                raise _fault(some, number, head, names, path)
            parts.append(part)
            number += len(some)
    _check_rows(path, sum(map(len, parts)))
    columns = dict(zip(names, np.concatenate(parts).T.copy(), strict=True))
    return {name: _together(columns[one], *(columns[other] for other in more)) for name, (one, *more) in sums.items()}


def _together(seconds: Array, nanoseconds: Array | None = None) -> Array:
    """Times of seconds and nanoseconds [s], or a column alone; dates, of which doubles hold no fractions, from 0 on."""
    if nanoseconds is None:
        return seconds
    date = abs(seconds[0]) >= DATE
    return np.asarray(seconds - date * seconds[0] + 1e-9 * (nanoseconds - date * nanoseconds[0]))


def _fault(lines: Sequence[str], number: int, head: Head, names: Sequence[str], path: Path) -> ScenarioError:
    """The first line and column that hold no number; number: of the lines above."""
    fault = fault_in(lines, head.marks, [head.names.index(name) for name in names], FARTHEST)
    if fault is None:
        return ScenarioError("", N_("not a table of numbers; expected {what}", WHAT), path)
    line, column, word = fault
    field = N_("line {number}, {name:.40}", number + line + 1, names[column])
    return ScenarioError(field, N_("expected a number below 1e20, got '{word:.40}'", word), path)


# ---- archives -----------------------------------------------------------------------------------------


def _damaged(path: Path) -> ScenarioError:
    return ScenarioError("", N_("not {what}, or cut short; expected arrays (n,) or (n, k) of numbers", WHAT), path)


def _flat(path: Path) -> dict[str, Array]:
    """The columns of a .npz of arrays of numbers (n,) and (n, k)."""
    try:
        arrays = npz_arrays(path)
        found = {}
        for name, array in arrays.items():
            if array.ndim == 1 and array.dtype.kind in "fiu":
                found[name] = array.astype(float)
            elif array.ndim == 2 and array.dtype.kind in "fiu" and array.shape[1] <= MOST_COLUMNS:
                found |= {f"{name}_{i + 1}": array[:, i].astype(float) for i in range(array.shape[1])}
    except DAMAGED:
        raise _damaged(path) from None
    return found


def _from_npz(path: Path, names: Sequence[str]) -> dict[str, Array]:
    return _of_one_length(path, {name: column for name, column in _flat(path).items() if name in names}.items())


def _parquet_names(path: Path) -> tuple[str, ...]:
    pyarrow, parquet = pyarrow_or_sentence()
    try:
        return tuple(map(str, parquet.read_schema(path).names))
    except (pyarrow.ArrowException, OSError):
        raise _damaged(path) from None


def _from_parquet(path: Path, names: Sequence[str]) -> dict[str, Array]:
    pyarrow, parquet = pyarrow_or_sentence()
    try:
        with parquet.ParquetFile(path) as file:
            check_packed(path, 8 * file.metadata.num_rows * len(names))
        table = parquet.read_table(path, columns=list(names))
        columns = [(name, np.asarray(table[name].to_numpy(), float)) for name in names]
    except (pyarrow.ArrowException, *DAMAGED):
        raise _damaged(path) from None
    return _of_one_length(path, columns)


def _of_one_length(path: Path, columns: Iterable[tuple[str, Array]]) -> dict[str, Array]:
    found = dict(columns)
    if len({len(values) for values in found.values()}) > 1:
        text = ", ".join(f"{name:.40} {len(values)}" for name, values in found.items())
        raise ScenarioError("", N_("expected columns of one length, got {text}", text), path)
    return found


class Format(NamedTuple):
    """Format of measured motions: the names of a file's columns, and the numbers (n,) of columns by name."""

    names: Callable[[Path], tuple[str, ...]]
    numbers: Callable[[Path, Sequence[str]], dict[str, Array]]


FORMATS = {
    **dict.fromkeys(TEXTS, Format(_text_names, _from_text)),
    ".npz": Format(lambda path: tuple(_flat(path)), _from_npz),
    ".parquet": Format(_parquet_names, _from_parquet),
}
ENDINGS = tuple(FORMATS)
