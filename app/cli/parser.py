"""The options of the command line, one parser a command; wrong ones end in one line and status 2."""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
from collections.abc import Callable

from app.cli.options import OneLineParser as _Parser
from app.cli.options import Version as _Version
from app.cli.options import (
    above_zero,
    add_batch,
    add_image,
    add_language,
    add_lecture,
    add_measured,
    add_output,
    add_plan,
    add_plot,
    add_printing,
    add_progress,
    add_reading,
    add_role,
    add_run,
    add_scene,
    add_scheme,
    add_scheme_file,
    add_video,
    angles,
    between,
    free,
    triple,
    whole,
)
from app.system.language import LANGUAGES
from app.system.signals import postponed

SUMMARY = "See how rigid bodies tumble, and which numerical scheme gets it right."
EXPORTS = ("video", "image", "plot", "plan", "scene", "batch", "lecture")
ROOMS = dict.fromkeys(EXPORTS, "app.cli.export") | {  # where commands are; else app.cli.compute
    "check": "app.cli.schemes",
    "rank": "app.cli.schemes",
    "schemes": "app.cli.schemes",
    "identify": "app.cli.measurements",
    "hydrostatics": "app.cli.hydrostatics",
    "notebooks": "app.cli.notebooks",
    "report": "app.cli.report",
    "validate": "app.cli.measurements",
    "fit": "app.cli.measurements",
    "warm": "app.cli.warm",
    "window": "app.cli.window",
}


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments, with ``command``, the function to call with them, and ``background``: it may be slow.

    The first word decides: the name of a command, or else a file to open in the window (``./run`` for a file
    that is called like a command).
    """
    if argv and argv[0] in _COMMANDS:
        return _COMMANDS[argv[0]]().parse_args(argv[1:])
    if argv and not os.path.exists(argv[0]) and (near := difflib.get_close_matches(argv[0], _COMMANDS, 1)):
        parser().error(f"'{argv[0]}' is neither a command nor a file; did you mean {near[0]}?")
    return parser().parse_args(argv)


# ---- one parser a command -----------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """The parser of ``polhode [FILE]``, whose help names the commands."""
    width = max(map(len, _COMMANDS)) + 2
    commands = "\n".join(f"  {name:{width}}{make().description}" for name, make in _COMMANDS.items())
    parser = _Parser(
        usage="polhode [FILE] [--role ROLE] [--view VIEW] [--language en|de|fr|it]\n       polhode COMMAND …",
        description=f"{SUMMARY} Without a command the window opens.",
        epilog=f"commands (polhode COMMAND --help tells more):\n{commands}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a scenario, a terrain, a body, a measured motion, a folder of results, or what polhode made",
    )
    add_role(parser)
    add_reading(parser)
    shown = "how the window draws: interactor, by a graphics card; picture, in software (chosen at start)"
    parser.add_argument("--view", choices=("interactor", "picture"), help=shown)
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="of the window (the chosen one, or the system's)")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    return _calling(parser, "window", background=False)


def _run() -> _Parser:
    return add_run(_command("run", "Integrate without a window and write the states to a file.", background=False))


def _video() -> _Parser:
    return add_video(_command("video", "Render a video; needs neither a window nor a display.", background=True))


def _image() -> _Parser:
    return add_image(_command("image", "Render one picture; needs neither a window nor a display.", background=True))


def _plot() -> _Parser:
    return add_plot(_command("plot", "Draw the window's charts, or write their curves.", background=True))


def _plan() -> _Parser:
    return add_plan(_command("plan", "Draw a map of a slope and its rocks on paper, to scale.", background=True))


def _scene() -> _Parser:
    return add_scene(
        _command("scene", "Write the 3D scene as a page that plays in a browser, or as a model.", background=True)
    )


def _batch() -> _Parser:
    return add_batch(
        _command("batch", "Write a file for each combination of the values in a scenario's [batch].", background=True)
    )


def _lecture() -> _Parser:
    return add_lecture(
        _command("lecture", "Write short films of all examples that come with the program.", background=True)
    )


def _ensemble() -> _Parser:
    parser = _command(
        "ensemble", "Let many rocks fall, or start many tops, and write statistics and maps.", background=True
    )
    parser.add_argument(
        "scenario", metavar="SCENARIO", help="of rockfall or a table (.toml), or a terrain (.asc, .tif, .xyz)"
    )
    add_output(parser, "DIR", "a new folder: summary.json, rocks.csv, ..., maps; of a table runs.csv and share.pdf")
    add_scheme(parser)
    parser.add_argument("--rocks", "--runs", type=whole(1), metavar="N", help="in place of the scenario's")
    parser.add_argument("--seed", type=whole(0), metavar="N", help="in place of the scenario's")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=whole(1), metavar="N", help="threads (as many as processors)")
    where.add_argument("--dask", metavar="ADDRESS", help="a scheduler of dask.distributed, such as tcp://10.0.0.1:8786")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in DIR.part, if there is one")
    parser.add_argument("--parquet", action="store_true", help="rocks.parquet in place of rocks.csv")
    parser.add_argument("--paths", action="store_true", help="also paths.geojson: paths of the first 2000 rocks")
    parser.add_argument("--counts", action="store_true", help="also counts.npz, for polhode gather")
    add_language(parser)
    add_progress(parser)
    return parser


def _gather() -> _Parser:
    parser = _command(
        "gather", "Put ensembles of parts of one map together, with all their statistics.", background=True
    )
    parser.add_argument("folders", nargs="+", metavar="DIR", help="results of polhode ensemble --counts, or of this")
    add_output(parser, "OUT", "a new folder, as of polhode ensemble")
    parser.add_argument("--parquet", action="store_true", help="rocks.parquet in place of rocks.csv")
    parser.add_argument("--counts", action="store_true", help="also counts.npz, to be gathered with others")
    return parser


def _validate() -> _Parser:
    parser = _command("validate", "Compare where rocks stop with where they were measured to stop.", background=True)
    add_measured(parser)
    parser.add_argument("--zones", metavar="FILE", help="polygons in which stops are counted (the scenario's)")
    parser.add_argument("--rocks", type=whole(2), metavar="N", help="in place of the scenario's")
    parser.add_argument("-o", "--output", metavar="OUT", help=".csv: the table; .pdf, .svg or .png: the figure")
    return parser


def _fit() -> _Parser:
    about = "Search numbers of a scenario with which rocks stop where they were measured to stop."
    parser = _command("fit", about, background=True)
    add_measured(parser)
    add_output(parser, "DIR", "a new folder: fitted.toml, index.html, fit.pdf, trials.csv, summary.json")
    what = "a field such as soil.mu_min=0.2:0.8; LOW:HIGH:log by ratios; may be given again"
    parser.add_argument("--free", type=free, metavar="FIELD=LOW:HIGH", action="append", required=True, help=what)
    held = "of the runs that is not fitted (0.5)"
    parser.add_argument("--holdout", type=between(0, 0.9), default=0.5, metavar="SHARE", help=held)
    parser.add_argument("--trials", type=whole(1), default=400, metavar="N", help="sets of values at most (400)")
    parser.add_argument("--rocks", type=whole(2), metavar="N", help="for all runs (20 for each)")
    return parser


def _schemes() -> _Parser:
    parser = _command("schemes", "List the schemes and their facts, by family.", background=False)
    parser.add_argument("--family", metavar="NAME", help="only those of a family, such as papers or splitting")
    parser.add_argument(
        "--kind", metavar="NAME", help="only those that serve a kind: free, top, vessel, rockfall, table"
    )
    add_printing(parser)
    return parser


def _check() -> _Parser:
    parser = _command("check", "Measure order, reach and what is kept: the report card of a scheme.", background=False)
    parser.add_argument("name", metavar="NAME|FILE.py", help="a scheme that polhode schemes lists, or one in a file")
    add_printing(parser)
    add_progress(parser)
    return parser


def _rank() -> _Parser:
    parser = _command("rank", "Rank the schemes for one motion by what an accuracy costs.", background=False)
    parser.add_argument("scenario", metavar="SCENARIO", help="of a free body, a top or a vessel (.toml)")
    parser.add_argument("--scheme", metavar="NAME", action="append", help="may repeat; or all (a choice of ten)")
    add_scheme_file(parser)
    parser.add_argument("--step", type=above_zero, metavar="S", help="the longest step [s], in place of the scenario's")
    parser.add_argument("--duration", type=above_zero, metavar="T", help="in place of the scenario's [s]")
    parser.add_argument(
        "--accuracy", type=above_zero, default=0.1, metavar="DEGREES", help="of the attitude at the end (0.1)"
    )
    add_printing(parser)
    add_progress(parser)
    return parser


def _hydrostatics() -> _Parser:
    parser = _command("hydrostatics", "Tell how a hull floats and what rights it.", background=False)
    parser.add_argument(
        "hull",
        metavar="HULL",
        help=".stl, .obj or .ply [m]; box, wigley, prism, cylinder; or a ship's scenario or session",
    )
    parser.add_argument("--size", type=triple, metavar="L,B,D", help="of a box, ...: length, breadth, depth [m]")
    parser.add_argument("--mass", type=above_zero, metavar="M", help="of all [kg]; a scenario tells it")
    parser.add_argument("--cog", type=triple, metavar="X,Y,Z", help="centre of gravity [m], z up; a scenario tells it")
    add_reading(parser)
    parser.add_argument("--density", type=above_zero, metavar="D", help="of the water [kg/m³] (1025)")
    parser.add_argument(
        "--heel", type=angles, default="0:90:5", metavar="A:B:C", help="of the righting levers [degrees] (0:90:5)"
    )
    parser.add_argument("--fixed-trim", action="store_true", help="keep the trim that balances it upright")
    parser.add_argument("-o", "--output", metavar="OUT", help=".csv of the levers; .pdf, .svg or .png: their curve")
    add_printing(parser)
    return parser


def _identify() -> _Parser:
    parser = _command("identify", "Tell a body's moments and start from its measured free flight.", background=False)
    parser.add_argument(
        "file",
        metavar="FILE",
        help="rates or quaternions (.csv, .npz, .parquet), a run of Rockable, or a scenario that names them",
    )
    parser.add_argument("--begin", type=float, metavar="S", help="of the flight, by the file's time [s] (the longest)")
    parser.add_argument("--end", type=float, metavar="S", help="of the flight, by the file's time [s]")
    parser.add_argument("--aligned", action="store_true", help="the sensor's axes are the body's principal axes")
    parser.add_argument("--no-bias", action="store_true", help="the gyroscope has no bias")
    parser.add_argument("-o", "--output", metavar="OUT.toml", help="a scenario with the body, beside the measured lane")
    parser.add_argument("--mass", type=above_zero, default=0.2, metavar="M", help="of the body in it [kg] (0.2)")
    parser.add_argument("--length", type=above_zero, default=0.15, metavar="L", help="of its longest edge [m] (0.15)")
    add_printing(parser)
    return parser


def _figure() -> _Parser:
    parser = _command("figure", "Draw a figure or a table of the papers, for print.", background=True)
    parser.add_argument("name", nargs="?", metavar="NAME", help="see --list")
    parser.add_argument("-o", "--output", metavar="OUT", help=".png, .svg or .pdf; tables also .csv")
    parser.add_argument("--list", action="store_true", help="name the figures and say what each shows")
    parser.add_argument("--scenario", metavar="FILE", help="for order and work-precision: the scenario (.toml)")
    parser.add_argument(
        "--scheme", metavar="NAME", action="append", help="for order and work-precision: may repeat; or all"
    )
    add_scheme_file(parser)
    parser.add_argument(
        "--rocks",
        type=whole(2),
        metavar="N",
        help="for the figures of rockfall (1000), and of tippe tops (200 a point)",
    )
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="the list as one JSON document")
    return parser


def _notebooks() -> _Parser:
    parser = _command("notebooks", "Copy the example notebooks for Jupyter.", background=False)
    parser.add_argument("folder", metavar="DIR", help="a new folder")
    return parser


def _bench() -> _Parser:
    parser = _command("bench", "Measure the program, beside what it is compared with, in one run.", background=False)
    parser.add_argument("name", nargs="?", metavar="NAME", help="kernels, rockfall, frames, films, ... (all)")
    parser.add_argument("--json", action="store_true", help="as one JSON document")
    return parser


def _report() -> _Parser:
    parser = _command(
        "report", "Write a report of a problem, to be read and mailed; nothing is sent.", background=False
    )
    parser.add_argument(
        "scenario", nargs="?", metavar="FILE", help="what the problem is with: a scenario, a session, ..."
    )
    add_output(parser, "OUT.txt", ".txt, or .md")
    return parser


def _warm() -> _Parser:
    parser = _command("warm", "Compile ahead what the examples use, once for each version.", background=False)
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="by the stem of its file (all of them)")
    parser.add_argument("--idle", dest="background", action="store_true", help="give way to everything else")
    parser.add_argument("--listen", action="store_true", help="end where standard input does")
    add_progress(parser)
    return parser


_COMMANDS: dict[str, Callable[[], _Parser]] = {
    "run": _run,
    "video": _video,
    "image": _image,
    "plot": _plot,
    "plan": _plan,
    "scene": _scene,
    "batch": _batch,
    "lecture": _lecture,
    "ensemble": _ensemble,
    "gather": _gather,
    "validate": _validate,
    "fit": _fit,
    "schemes": _schemes,
    "check": _check,
    "rank": _rank,
    "hydrostatics": _hydrostatics,
    "identify": _identify,
    "figure": _figure,
    "notebooks": _notebooks,
    "bench": _bench,
    "report": _report,
    "warm": _warm,
}


def _command(name: str, description: str, background: bool) -> _Parser:
    """The parser of a command, still without options."""
    return _calling(_Parser(name, description=description), name, background)


def _calling(parser: _Parser, name: str, background: bool) -> _Parser:
    """Bind the function that is a command to a parser; imported only when it is called."""

    def call(arguments: argparse.Namespace) -> int:
        if getattr(arguments, "scheme_file", None):
            from app.cli.schemes import add_schemes

            add_schemes(arguments.scheme_file, arguments)
        with postponed():
            room = importlib.import_module(ROOMS.get(name, "app.cli.compute"))
        status: int = getattr(room, name)(arguments)
        return status

    parser.set_defaults(command=call, background=background)
    return parser
