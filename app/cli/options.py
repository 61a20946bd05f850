"""Options of the command line: types of their values, the parser that all commands share, and groups of options.

The types read and check the text of an option; each raises ArgumentTypeError that says what was expected.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from app.system.language import LANGUAGES, tr
from app.system.sentences import translated
from app.system.terminal import one_line

if TYPE_CHECKING:
    from physics.bodies.mesh_io import MeshReading


class OneLineParser(argparse.ArgumentParser):
    """argparse with errors on one line, and values that may begin with a minus."""

    def __init__(self, name: str = "", **settings: Any) -> None:
        super().__init__(prog=f"polhode {name}".strip(), allow_abbrev=False, **settings)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # -1,0,2 and -90:90:5 are values too

    def error(self, message: str) -> NoReturn:
        text = tr("{program}: {error}; see {program} --help").format(
            program=self.prog, error=translated(one_line(message.removeprefix("argument ")))
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


LARGEST = 8192  # pixels along a side: 8K, which every OpenGL can draw


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
        raise argparse.ArgumentTypeError(f"expected a number above 0, got '{text}'")
    return value


def not_negative(text: str) -> float:
    """A number of at least 0."""
    if not (value := number(text)) >= 0:
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, got '{text}'")
    return value


def whole(least: int) -> Callable[[str], int]:
    """Type of whole numbers of at least ``least``."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text)):
            raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, got '{text}'")
        return int(text)

    return read


def between(low: float, high: float) -> Callable[[str], float]:
    """Type of numbers of a range, its ends included."""

    def read(text: str) -> float:
        if not low <= (value := number(text)) <= high:
            raise argparse.ArgumentTypeError(f"expected a number from {low:g} to {high:g}, got '{text}'")
        return value

    return read


def size(text: str) -> tuple[int, int]:
    """Width and height [pixels]."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT such as 1920x1080, got '{text}'")
    found = int(width), int(height)
    if min(found) < 16 or max(found) > LARGEST:
        raise argparse.ArgumentTypeError(f"expected sides of 16 to {LARGEST} pixels, got '{text}'")
    return found


def scale(text: str) -> float:
    """Scale of a map: 5000 for 1:5000 or 5000."""
    if not 1 <= (value := number(text.removeprefix("1:"))) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"expected a scale such as 1:5000, got '{text}'")
    return value


def triple(text: str) -> tuple[float, float, float]:
    """Three finite numbers, separated by commas."""
    values = [number(part) for part in text.split(",")]
    if len(values) != 3 or any(map(math.isnan, values)):
        raise argparse.ArgumentTypeError(f"expected three numbers X,Y,Z, got '{text}'")
    return values[0], values[1], values[2]


def angles(text: str) -> tuple[float, ...]:
    """Angles FIRST:LAST:STEP [degrees], both ends included where the step meets them."""
    values = [number(part) for part in text.split(":")]
    if len(values) != 3 or any(map(math.isnan, values)) or not values[2] > 0.0 or values[1] < values[0]:
        raise argparse.ArgumentTypeError(f"expected FIRST:LAST:STEP in degrees such as 0:90:5, got '{text}'")
    first, last, step = values
    if max(abs(first), abs(last)) > 180.0 or (last - first) / step > 10_000.0:
        raise argparse.ArgumentTypeError(f"expected angles from -180 to 180 degrees, 10 000 at most, got '{text}'")
    return tuple(first + step * i for i in range(int((last - first) / step + 1e-9) + 1))


def free(text: str) -> tuple[str, float, float, bool]:
    """A free field with its bounds, from FIELD=LOW:HIGH or FIELD=LOW:HIGH:log; the last value is true for log."""
    field, _, bounds = text.partition("=")
    low, high, *scale = [*bounds.split(":"), ""][: max(2, bounds.count(":") + 1)]
    values, logarithmic = (number(low), number(high)), scale == ["log"]
    if not field or any(map(math.isnan, values)) or (scale and not logarithmic):
        raise argparse.ArgumentTypeError(f"expected FIELD=LOW:HIGH such as soil.mu_min=0.2:0.8, got '{text}'")
    if not values[0] < values[1]:
        raise argparse.ArgumentTypeError(f"{field}: expected a lower and a higher bound, got '{bounds}'")
    if logarithmic and not values[0] > 0.0:
        raise argparse.ArgumentTypeError(f"{field}: expected bounds above 0 for log, got '{bounds}'")
    return field, *values, logarithmic


_CAMERAS = "fit: all of it; follow or ride: with the body; slope, top, front, side, back or left (the scenario's)"


def add_scenario(parser: OneLineParser, output: str = "", endings: str = "") -> None:
    """Add the scenario, the output if there is one, and what replaces values of the scenario."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario, a terrain, a body, or what polhode made")
    if output:
        add_output(parser, output, endings)
    add_role(parser)
    add_reading(parser)
    add_projection(parser)
    add_scheme(parser)
    parser.add_argument("--step", type=above_zero, metavar="H", help="in place of the scenario's [s]")
    parser.add_argument("--rock", type=whole(0), metavar="K", help="the rock of the scenario's ensemble to show (0)")
    parser.add_argument("--duration", type=above_zero, metavar="T", help="in place of the scenario's [s]")


def add_language(parser: OneLineParser) -> None:
    """Add the language of pictures and of printed text."""
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="of pictures and of what is printed (en)")


def add_printing(parser: OneLineParser) -> None:
    """Add the language of printed text, and JSON in its place."""
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON document")


def add_role(parser: OneLineParser) -> None:
    """Add the role of a body from a file."""
    parser.add_argument("--role", choices=("body", "rock", "ship", "slope"), help="what the body in a file is (body)")


def add_projection(parser: OneLineParser) -> None:
    """Add the system to which a map in degrees is projected."""
    parser.add_argument(
        "--project", metavar="SYSTEM", help="of a map in degrees: utm, the zone that fits, or a code such as EPSG:2056"
    )


def add_reading(parser: OneLineParser) -> None:
    """Add how a mesh is read: unit, upward axis, repair."""
    parser.add_argument(
        "--scale", dest="unit", type=above_zero, metavar="F", help="unit of a mesh [m]; 0.001 for millimetres (1)"
    )
    parser.add_argument("--up", choices=("z", "y", "x"), help="the axis of a mesh that points up (z)")
    parser.add_argument(
        "--repair", action="store_true", help="repair a mesh that encloses no solid, and report the changes"
    )


def reading_of(arguments: argparse.Namespace) -> MeshReading:
    """Options that set how a mesh is read."""
    from physics.bodies.mesh_io import MeshReading  # here: slow to load, and a window waits for it

    if "unit" not in arguments:
        return MeshReading()
    return MeshReading(arguments.unit or 1.0, arguments.up or "z", arguments.repair)


def add_output(parser: OneLineParser, output: str, endings: str) -> None:
    """Add the output; endings: help on its kinds."""
    parser.add_argument("-o", "--output", metavar=output, required=True, help=endings)


def add_measured(parser: OneLineParser) -> None:
    """Add a scenario of rocks, the stops measured on its slope, and how both are compared."""
    parser.add_argument("scenario", metavar="SCENARIO", help="of rockfall (.toml)")
    parser.add_argument("--observed", metavar="STOPS.csv", help="x, y and runout or release_x, release_y (scenario's)")
    add_scheme(parser)
    parser.add_argument("--seed", type=whole(0), metavar="N", help="in place of the scenario's")
    parser.add_argument("--workers", type=whole(1), metavar="N", help="threads (as many as processors)")
    add_printing(parser)
    add_progress(parser)


def add_scheme(parser: OneLineParser) -> None:
    """Add schemes that replace those of the scenario."""
    parser.add_argument(
        "--scheme",
        metavar="NAME[:VARIANT][@H]",
        action="append",
        help="in place of the scenario's, of a variant, with a step of its own [s]; may be repeated",
    )
    add_scheme_file(parser)


def add_scheme_file(parser: OneLineParser) -> None:
    """Add schemes of the user's own."""
    parser.add_argument(
        "--scheme-file",
        metavar="FILE.py",
        action="append",
        help="your own scheme, to be named by --scheme or the scenario; runs the file; may be repeated",
    )


def add_look(parser: OneLineParser) -> None:
    """Add the look of a picture."""
    add_size(parser)
    add_view(parser)
    parser.add_argument(
        "--compare", action=argparse.BooleanOptionalAction, help="also show the run without the last edit (no)"
    )
    parser.add_argument("--plots", choices=("none", "under", "beside"), help="the charts, in step with the run (none)")
    parser.add_argument(
        "--occlusion",
        action=argparse.BooleanOptionalAction,
        help="ambient occlusion: darker in hollows (no)",
    )
    parser.add_argument(
        "--quality",
        choices=("draft", "usual", "fine"),
        help="of edges: draft is quick, fine is drawn twice as large (usual)",
    )
    parser.add_argument("--captions", action=argparse.BooleanOptionalAction, help="title, clock, schemes (yes)")


def add_cards(parser: OneLineParser) -> None:
    """Add the cards before and after the motion of a film."""
    seconds = between(0, 60)
    parser.add_argument("--title-card", type=seconds, metavar="T", help="duration of title, note, schemes [s] (0)")
    parser.add_argument("--end-card", type=seconds, metavar="T", help="duration of steps, sources, recipe [s] (0)")
    parser.add_argument("--authors", metavar="TEXT", help="of the title card: names, institute")


def add_explain(parser: OneLineParser) -> None:
    """Add what makes a film explain itself."""
    parser.add_argument(
        "--explain", action="store_true", help="captions, slow motion at flips and first impacts, verdict at the end"
    )


def add_span(parser: OneLineParser) -> None:
    """Add the part of the run."""
    parser.add_argument("--first", type=not_negative, metavar="T", help="where it begins [s] (0)")
    parser.add_argument("--last", type=above_zero, metavar="T", help="where it ends [s] (with the run)")


def add_layers(parser: OneLineParser) -> None:
    """Add results of an ensemble in the picture."""
    parser.add_argument("--ensemble", metavar="DIR", help="paths of the rocks of polhode ensemble --paths (none)")
    parser.add_argument("--map", metavar="NAME", help="of that folder, in its place: kinetic_energy_q95, ...")
    parser.add_argument("--colour", metavar="WHAT", help="of paths: energy, speed, rotation or height (energy)")


def add_view(parser: OneLineParser) -> None:
    """Add lanes and camera."""
    parser.add_argument("--layout", choices=("side-by-side", "overlay"), help="of the lanes (the scenario's)")
    parser.add_argument("--camera", metavar="MODE", help=_CAMERAS)


def add_size(parser: OneLineParser, theme: str = "dark") -> None:
    """Add the size of the picture, and its colours."""
    parser.add_argument("--size", type=size, metavar="WxH", help="pixels (1920x1080)")
    add_theme(parser, theme)


def add_theme(parser: OneLineParser, usual: str) -> None:
    """Add the colours; usual: the default that the help names."""
    parser.add_argument("--theme", metavar="NAME", help=f"colours: dark, light or 'high contrast' ({usual})")


def add_transparent(parser: OneLineParser) -> None:
    """Add pictures without sky."""
    parser.add_argument(
        "--transparent", action="store_true", default=None, help="pictures and films (.mov, .webm, .apng) without sky"
    )


def add_progress(parser: OneLineParser) -> None:
    """Add how much is printed on standard error."""
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    parser.add_argument(
        "--progress",
        choices=("bar", "lines", "none"),
        help="on standard error (a bar on a terminal); lines are 'progress DONE TOTAL'",
    )


def add_series(parser: OneLineParser) -> None:
    """Add the kind and look of the files of a collection."""
    kinds = ".mp4, .webm, .mov, .mkv, .gif, .apng, .png, .svg, .pdf, .html, .glb, .npz, .csv or .parquet (.mp4)"
    parser.add_argument("--as", dest="ending", metavar="ENDING", default=".mp4", help=kinds)
    parser.add_argument("--fps", type=between(1, 240), help="frames a second (30)")
    add_look(parser)
    add_cards(parser)
    add_language(parser)
    add_progress(parser)
