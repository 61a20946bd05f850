"""Options of the command line: types of their values, and the parser that all commands share.

The types read and check the text of an option; each raises ArgumentTypeError that says what was expected.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from app.system.language import tr
from app.system.terminal import one_line

if TYPE_CHECKING:
    from physics.bodies.mesh_io import MeshReading

ARGPARSE = (  # its texts on wrong command lines
    "expected one argument",
    "expected at least one argument",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "not allowed with argument %s",
    "the following arguments are required: %s",
    "unrecognized arguments: %s",
)
argparse._ = tr  # type: ignore[attr-defined]  # else it looks its texts up in gettext's global domain

Option = tuple[tuple[str, ...], dict[str, Any]]  # names, and what else ``add_argument`` takes


class OneLineParser(argparse.ArgumentParser):
    """argparse with errors on one line, and values that may begin with a minus."""

    def __init__(self, name: str = "", **settings: Any) -> None:
        super().__init__(prog=f"polhode {name}".strip(), allow_abbrev=False, **settings)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # -1,0,2 and -90:90:5 are values too

    def add(self, *options: Option) -> None:
        """Add options that several commands have."""
        for names, settings in options:
            self.add_argument(*names, **settings)

    def error(self, message: str) -> NoReturn:
        text = tr("{program}: {error}; see {program} --help").format(
            program=self.prog, error=one_line(message.removeprefix("argument "))
        )
        with suppress(OSError):  # standard error may be closed
            print(text, file=sys.stderr)
        sys.exit(2)


class Version(argparse.Action):
    """``--version``, without loading physics, which takes 0.5 s."""

    def __call__(self, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("polhode")
        except PackageNotFoundError:  # run from a source tree that is not installed
            found = "unknown"
        print(f"polhode {found}")
        sys.exit(0)


MAX_PIXELS = 8192  # pixels along a side: 8K, which every OpenGL can draw


def number(text: str) -> float:
    """A finite number, or NaN."""
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def above_zero(text: str) -> float:
    """A number above 0."""
    if not (value := number(text)) > 0:
        raise argparse.ArgumentTypeError(tr("expected a number above 0, got '{text}'").format(text=text))
    return value


def not_negative(text: str) -> float:
    """A number of at least 0."""
    if not (value := number(text)) >= 0:
        raise argparse.ArgumentTypeError(tr("expected a number of at least 0, got '{text}'").format(text=text))
    return value


def whole(least: int) -> Callable[[str], int]:
    """Type of whole numbers of at least ``least``."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text)):
            raise argparse.ArgumentTypeError(
                tr("expected a whole number of at least {least}, got '{text}'").format(least=least, text=text)
            )
        return int(text)

    return read


def between(low: float, high: float) -> Callable[[str], float]:
    """Type of numbers of a range, its ends included."""

    def read(text: str) -> float:
        if not low <= (value := number(text)) <= high:
            raise argparse.ArgumentTypeError(
                tr("expected a number from {low:g} to {high:g}, got '{text}'").format(low=low, high=high, text=text)
            )
        return value

    return read


def size(text: str) -> tuple[int, int]:
    """Width and height [pixels]."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(tr("expected WIDTHxHEIGHT such as 1920x1080, got '{text}'").format(text=text))
    found = int(width), int(height)
    if min(found) < 16 or max(found) > MAX_PIXELS:
        raise argparse.ArgumentTypeError(
            tr("expected sides of 16 to {largest} pixels, got '{text}'").format(largest=MAX_PIXELS, text=text)
        )
    return found


def scale(text: str) -> float:
    """Scale of a map: 5000 for 1:5000 or 5000."""
    if not 1 <= (value := number(text.removeprefix("1:"))) <= 10_000_000:
        raise argparse.ArgumentTypeError(tr("expected a scale such as 1:5000, got '{text}'").format(text=text))
    return value


def triple(text: str) -> tuple[float, float, float]:
    """Three finite numbers, separated by commas."""
    values = [number(part) for part in text.split(",")]
    if len(values) != 3 or any(map(math.isnan, values)):
        raise argparse.ArgumentTypeError(tr("expected three numbers X,Y,Z, got '{text}'").format(text=text))
    return values[0], values[1], values[2]


def pair_above_zero(text: str) -> tuple[float, float]:
    """Two numbers above 0, separated by a comma."""
    values = [number(part) for part in text.split(",")]
    if len(values) != 2 or not all(math.isfinite(one) and one > 0.0 for one in values):
        raise argparse.ArgumentTypeError(tr("expected two numbers above 0, got '{text}'").format(text=text))
    return values[0], values[1]


def triple_above_zero(text: str) -> tuple[float, float, float]:
    """Three numbers above 0, separated by commas."""
    values = triple(text)
    if not min(values) > 0.0:
        raise argparse.ArgumentTypeError(tr("expected three numbers above 0, got '{text}'").format(text=text))
    return values


def angles(text: str) -> tuple[float, ...]:
    """Angles FIRST:LAST:STEP [degrees], both ends included where the step meets them."""
    values = [number(part) for part in text.split(":")]
    if len(values) != 3 or any(map(math.isnan, values)) or not values[2] > 0.0 or values[1] < values[0]:
        raise argparse.ArgumentTypeError(
            tr("expected FIRST:LAST:STEP in degrees such as 0:90:5, got '{text}'").format(text=text)
        )
    first, last, step = values
    if max(abs(first), abs(last)) > 180.0 or (last - first) / step > 10_000.0:
        raise argparse.ArgumentTypeError(
            tr("expected angles from -180 to 180 degrees, 10 000 at most, got '{text}'").format(text=text)
        )
    return tuple(first + step * i for i in range(int((last - first) / step + 1e-9) + 1))


def spaced(text: str) -> tuple[float, ...]:
    """Numbers above 0: FIRST:LAST:STEP, both ends included where the step meets them, or A,B,C."""
    values = [number(part) for part in text.replace(":", ",").split(",")]
    ordered = ":" not in text or (text.count(":") == 2 and len(values) == 3 and values[0] <= values[1])
    if not all(math.isfinite(one) and one > 0.0 for one in values) or not ordered:
        raise argparse.ArgumentTypeError(
            tr("expected numbers above 0 such as 2,3,5 or FIRST:LAST:STEP, got '{text}'").format(text=text)
        )
    if ":" not in text:
        return tuple(values)
    first, last, step = values
    count = int(min((last - first) / step, 1000.0) + 1e-9) + 1
    return tuple(first + step * i for i in range(count))


def free_field(text: str) -> tuple[str, float, float, bool]:
    """A free field with its bounds, from FIELD=LOW:HIGH or FIELD=LOW:HIGH:log; the last value is true for log."""
    field, _, bounds = text.partition("=")
    low, high, *scale = [*bounds.split(":"), ""][: max(2, bounds.count(":") + 1)]
    values, logarithmic = (number(low), number(high)), scale == ["log"]
    if not field or any(map(math.isnan, values)) or (scale and not logarithmic):
        raise argparse.ArgumentTypeError(
            tr("expected FIELD=LOW:HIGH such as soil.mu_min=0.2:0.8, got '{text}'").format(text=text)
        )
    if not values[0] < values[1]:
        raise argparse.ArgumentTypeError(
            tr("{field}: expected a lower and a higher bound, got '{bounds}'").format(field=field, bounds=bounds)
        )
    if logarithmic and not values[0] > 0.0:
        raise argparse.ArgumentTypeError(
            tr("{field}: expected bounds above 0 for log, got '{bounds}'").format(field=field, bounds=bounds)
        )
    return field, *values, logarithmic


RESULTS = ("output", "sheet", "stops", "data")  # options that name a file, or a folder, to write


def check_kept(arguments: argparse.Namespace, read: Iterable[str | Path] = ()) -> None:
    """ScenarioError where a result would be written over a file that is read, or over another result.

    read : files and folders beside the files that the arguments name
    """
    values = vars(arguments)
    written = {name: Path(values[name]) for name in RESULTS if isinstance(values.get(name), str)}
    if not written:
        return
    from physics.core.errors import ScenarioError  # here: slow to load, and a window waits for it
    from physics.core.wording import N_
    from physics.io.ramms import ENDING, POINTS
    from physics.io.trajectory_writers import check_unread

    given = (value if isinstance(value, list) else [value] for name, value in values.items() if name not in RESULTS)
    real = {name: os.path.realpath(file) for name, file in written.items()}
    named = (one for one in chain.from_iterable(given) if isinstance(one, str | Path) and os.path.isfile(one))
    files = [*read, *named]
    for name, file in written.items():
        if not values[name]:  # of a variable that a shell does not know
            raise ScenarioError(f"--{name}", N_("expected a name, got none"))
        beside = {".py": values.get("blender"), POINTS: file.suffix.lower() == ENDING}  # files that go with a result
        for one in (file, *(file.with_suffix(ending) for ending, there in beside.items() if there and file.name)):
            try:
                check_unread(one, files)
            except ScenarioError as error:
                place = values.get("scenario") or values.get("file") or file
                raise ScenarioError(f"--{name}", error.message, place) from None
        if other := next((b for b in written if b != name and real[b] == real[name]), None):
            raise ScenarioError(f"--{name}", N_("expected another name than that of --{other}", other), file)


def reading_of(arguments: argparse.Namespace) -> MeshReading:
    """Options that set how a mesh is read."""
    from physics.bodies.mesh_io import MeshReading  # here: slow to load, and a window waits for it

    if "unit" not in arguments:
        return MeshReading()
    return MeshReading(arguments.unit or 1.0, arguments.up or "", arguments.repair, tuple(arguments.nodes or ()))
