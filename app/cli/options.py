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
from app.system.sentences import told
from app.system.terminal import one_line

if TYPE_CHECKING:
    from physics.bodies.mesh_io import MeshReading


class OneLineParser(argparse.ArgumentParser):
    """argparse, but errors are one line."""

    def __init__(self, name: str = "", **settings: Any) -> None:
        super().__init__(prog=f"polhode {name}".strip(), allow_abbrev=False, **settings)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # also of values such as -1,0,2 and -90:90:5

    def error(self, message: str) -> NoReturn:
        text = tr("{program}: {error}; see {program} --help").format(
            program=self.prog, error=told(one_line(message.removeprefix("argument ")))
        )
        with suppress(OSError):  # nobody may hear it
            print(text, file=sys.stderr)
        sys.exit(2)


class Version(argparse.Action):
    """``--version``, looked up only when it is asked for, and without physics, which takes 0.5 s to load."""

    def __call__(self, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("polhode")
        except PackageNotFoundError:  # run from a source tree that is not installed
            found = "unknown"
        print(f"polhode {found}")
        sys.exit(0)


LARGEST = 8192  # pixels along a side: 8K, and what every OpenGL can draw


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
    """Whole numbers of at least a least one."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text)):
            raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, got '{text}'")
        return int(text)

    return read


def between(low: float, high: float) -> Callable[[str], float]:
    """Numbers of a range, its ends included."""

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
    """The scale of a map, 5000 for 1:5000 or 5000."""
    if not 1 <= (value := number(text.removeprefix("1:"))) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"expected a scale such as 1:5000, got '{text}'")
    return value


def triple(text: str) -> tuple[float, float, float]:
    """Three finite numbers with commas between."""
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
    """A field and the bounds between which it is free: FIELD=LOW:HIGH, or FIELD=LOW:HIGH:log, which is true then."""
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


def add_scenario(parser: OneLineParser, output: str, endings: str) -> None:
    """The scenario, the output and what replaces values of the scenario."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario, a terrain, a body, or what polhode made")
    add_output(parser, output, endings)
    add_role(parser)
    add_reading(parser)
    add_scheme(parser)
    parser.add_argument("--step", type=above_zero, metavar="H", help="in place of the scenario's [s]")
    parser.add_argument("--rock", type=whole(0), metavar="K", help="the rock of the scenario's ensemble to show (0)")
    parser.add_argument("--duration", type=above_zero, metavar="T", help="in place of the scenario's [s]")


def add_language(parser: OneLineParser) -> None:
    """The language of what is drawn and of what is printed."""
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="of pictures and of what is printed (en)")


def add_printing(parser: OneLineParser) -> None:
    """In which language it prints, or that it prints JSON."""
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON document")


def add_role(parser: OneLineParser) -> None:
    """What a file of a body is taken for."""
    parser.add_argument(
        "--role", choices=("body", "rock", "ship", "slope"), help="what a body's file is taken for (body)"
    )


def add_reading(parser: OneLineParser) -> None:
    """How a mesh that is named is taken."""
    parser.add_argument(
        "--scale", dest="unit", type=above_zero, metavar="F", help="unit of a mesh [m]; 0.001 for millimetres (1)"
    )
    parser.add_argument("--up", choices=("z", "y"), help="the axis of a mesh that points up (z)")
    parser.add_argument(
        "--repair", action="store_true", help="mend a mesh that encloses no solid, and say what changed"
    )


def reading_of(arguments: argparse.Namespace) -> MeshReading:
    """How a mesh that is named is taken."""
    from physics.bodies.mesh_io import MeshReading  # here: it takes long to load, and a window waits for it

    return (
        MeshReading(arguments.unit or 1.0, arguments.up or "z", arguments.repair)
        if "unit" in arguments
        else MeshReading()
    )


def add_output(parser: OneLineParser, output: str, endings: str) -> None:
    """The file that is written; endings: what it may be."""
    parser.add_argument("-o", "--output", metavar=output, required=True, help=endings)


def add_measured(parser: OneLineParser) -> None:
    """A scenario of rocks, the stops that were measured on its slope, and how both are compared."""
    parser.add_argument("scenario", metavar="SCENARIO", help="of rockfall (.toml)")
    parser.add_argument("--observed", metavar="STOPS.csv", help="x, y and runout or release_x, release_y (scenario's)")
    add_scheme(parser)
    parser.add_argument("--seed", type=whole(0), metavar="N", help="in place of the scenario's")
    parser.add_argument("--workers", type=whole(1), metavar="N", help="threads (as many as processors)")
    add_printing(parser)
    add_progress(parser)


def add_scheme(parser: OneLineParser) -> None:
    """The schemes in place of those of the scenario."""
    parser.add_argument(
        "--scheme",
        metavar="NAME[:VARIANT][@H]",
        action="append",
        help="in place of the scenario's, of a variant, with a step of its own [s]; may be given again",
    )
    add_scheme_file(parser)


def add_scheme_file(parser: OneLineParser) -> None:
    """Schemes of the user's own."""
    parser.add_argument(
        "--scheme-file",
        metavar="FILE.py",
        action="append",
        help="your own scheme, to be named by --scheme or the scenario; runs the file; may be given again",
    )


def add_look(parser: OneLineParser) -> None:
    """How the picture looks."""
    add_size(parser)
    add_view(parser)
    parser.add_argument(
        "--compare", action=argparse.BooleanOptionalAction, help="beside it the run without the last edit (no)"
    )
    parser.add_argument("--plots", choices=("none", "under", "beside"), help="the charts, in step (none)")
    parser.add_argument(
        "--occlusion",
        action=argparse.BooleanOptionalAction,
        help="dark where no light of the sky comes (no)",
    )
    parser.add_argument(
        "--quality",
        choices=("draft", "usual", "fine"),
        help="of edges: draft is quick, fine is drawn twice as large (usual)",
    )
    parser.add_argument("--captions", action=argparse.BooleanOptionalAction, help="title, clock, schemes (yes)")


def add_cards(parser: OneLineParser) -> None:
    """The cards before and after the motion of a film."""
    seconds = between(0, 60)
    parser.add_argument("--title-card", type=seconds, metavar="T", help="title, note, schemes first, so long [s] (0)")
    parser.add_argument("--end-card", type=seconds, metavar="T", help="steps, sources, recipe last, so long [s] (0)")
    parser.add_argument("--authors", metavar="TEXT", help="of the title card: names, institute")


def add_span(parser: OneLineParser) -> None:
    """The part of the run."""
    parser.add_argument("--first", type=not_negative, metavar="T", help="where it begins [s] (0)")
    parser.add_argument("--last", type=above_zero, metavar="T", help="where it ends [s] (with the run)")


def add_layers(parser: OneLineParser) -> None:
    """Results of an ensemble in the picture."""
    parser.add_argument("--ensemble", metavar="DIR", help="paths of the rocks of polhode ensemble --paths (none)")
    parser.add_argument("--map", metavar="NAME", help="of that folder, in its place: kinetic_energy_q95, ...")
    parser.add_argument("--colour", metavar="WHAT", help="of paths: energy, speed, rotation or height (energy)")


def add_view(parser: OneLineParser) -> None:
    """Lanes and camera."""
    parser.add_argument("--layout", choices=("side-by-side", "overlay"), help="of the lanes (the scenario's)")
    parser.add_argument("--camera", metavar="MODE", help=_CAMERAS)


def add_size(parser: OneLineParser, theme: str = "dark") -> None:
    """The size of the picture, and its colours."""
    parser.add_argument("--size", type=size, metavar="WxH", help="pixels (1920x1080)")
    add_theme(parser, theme)


def add_theme(parser: OneLineParser, usual: str) -> None:
    """The colours; usual: where none are named."""
    parser.add_argument("--theme", metavar="NAME", help=f"colours: dark, light or 'high contrast' ({usual})")


def add_transparent(parser: OneLineParser) -> None:
    """Pictures without sky."""
    parser.add_argument("--transparent", action="store_true", default=None, help="pictures without sky")


def add_progress(parser: OneLineParser) -> None:
    """What is told on standard error."""
    parser.add_argument("--quiet", action="store_true", help="say nothing but errors")
    parser.add_argument(
        "--progress",
        choices=("bar", "lines", "none"),
        help="on standard error (a bar on a terminal); lines are 'progress DONE TOTAL'",
    )


def add_run(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode run``."""
    add_scenario(parser, "OUT", "trajectories: .npz, .csv, .parquet, or .rts for RAMMS")
    add_progress(parser)
    return parser


def add_video(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode video``."""
    add_scenario(parser, "OUT", ".mp4, .webm, .mov, .mkv, .gif, .apng, or a folder for numbered .png pictures")
    parser.add_argument("--fps", type=between(1, 240), help="frames a second (30)")
    parser.add_argument("--speed", type=above_zero, help="0.1 is ten times slow motion (1)")
    add_look(parser)
    add_layers(parser)
    parser.add_argument("--orbit", type=between(-360, 360), metavar="W", help="around what is seen [deg/s] (0)")
    add_span(parser)
    add_cards(parser)
    add_transparent(parser)
    add_language(parser)
    add_progress(parser)
    return parser


def add_image(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode image``."""
    add_scenario(parser, "OUT.png", "the picture, .png")
    parser.add_argument(
        "--time", type=not_negative, metavar="T", help="simulated time [s] (the end; of a session its playhead)"
    )
    add_look(parser)
    add_layers(parser)
    add_transparent(parser)
    add_language(parser)
    add_progress(parser)
    return parser


def add_plot(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode plot``."""
    add_scenario(parser, "OUT", ".png, .svg, .pdf, or .csv for the curves")
    add_size(parser, theme="light")
    parser.set_defaults(theme="light")
    add_span(parser)
    add_language(parser)
    add_progress(parser)
    return parser


def add_scene(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode scene``."""
    add_scenario(parser, "OUT", ".html: one page that needs no network; .glb: glTF 2.0")
    parser.add_argument("--speed", type=above_zero, help="at which the page begins (1)")
    add_view(parser)
    add_theme(parser, "dark")
    add_language(parser)
    add_progress(parser)
    return parser


def add_plan(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode plan``."""
    parser.add_argument("scenario", metavar="SCENARIO", help="of rockfall (.toml), or a terrain")
    add_output(parser, "OUT", ".pdf, .svg or .png")
    parser.add_argument("--scale", type=scale, metavar="1:N", help="such as 1:5000 (the largest at which all fits)")
    parser.add_argument("--paper", choices=("a4", "a3"), help="upright or across (a4)")
    parser.add_argument("--ensemble", metavar="DIR", help="results of polhode ensemble (none)")
    parser.add_argument("--map", metavar="NAME", help="of that folder: kinetic_energy_q95, reach_probability, ...")
    parser.add_argument("--whose", metavar="SCHEME", help="whose results (the first that has any)")
    add_language(parser)
    add_progress(parser)
    return parser


def add_batch(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode batch``."""
    add_scenario(parser, "DIR", "a new folder: the files, and index.html that shows them")
    _add_series(parser)
    return parser


def add_lecture(parser: OneLineParser) -> OneLineParser:
    """Those of ``polhode lecture``."""
    add_output(parser, "DIR", "a new folder: the films, and index.html that shows them")
    add_scheme(parser)
    _add_series(parser)
    parser.set_defaults(plots="under", size=(1280, 720))
    return parser


def _add_series(parser: OneLineParser) -> None:
    kinds = ".mp4, .webm, .mov, .mkv, .gif, .apng, .png, .svg, .pdf, .html, .glb, .npz, .csv or .parquet (.mp4)"
    parser.add_argument("--as", dest="ending", metavar="ENDING", default=".mp4", help=kinds)
    parser.add_argument("--fps", type=between(1, 240), help="frames a second (30)")
    add_look(parser)
    add_cards(parser)
    add_language(parser)
    add_progress(parser)
