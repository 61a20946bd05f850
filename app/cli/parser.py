"""The commands of ``polhode``: their descriptions, options and modules. Wrong options end in one line and status 2."""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.cli.options import (
    OneLineParser,
    Option,
    Version,
    above_zero,
    angles,
    between,
    check_kept,
    free_field,
    not_negative,
    pair_above_zero,
    scale,
    size,
    spaced,
    triple,
    triple_above_zero,
    whole,
)
from app.document.export_kinds import IMAGE, PLAN, PLOT, SCENE, VIDEO, endings
from app.system.language import LANGUAGES
from app.system.signals import postponed

SUMMARY = "See how rigid bodies tumble, and which numerical scheme gets it right."


@dataclass(frozen=True)
class Command:
    """A command: what its help says, its options, and the module of its function.

    background : it gives way to all other processes
    function : its name, where it is not the command's
    """

    description: str
    add: Callable[[OneLineParser], None]
    module: str = "app.cli.compute"
    background: bool = False
    function: str = ""


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments, with ``command``, the function to call with them, and ``background``: it may be slow.

    The first word decides: the name of a command, or else a file to open in the window (``./run`` for a file
    that is called like a command).
    """
    name = argv[0] if argv else ""
    if row := COMMANDS.get(name):
        made = OneLineParser(name, description=row.description)
        row.add(made)
        return _calling(made, row.module, row.function or name, row.background).parse_args(argv[1:])
    if name and not os.path.exists(name) and (near := difflib.get_close_matches(name, COMMANDS, 1)):
        parser().error(f"'{argv[0]}' is neither a command nor a file; did you mean {near[0]}?")
    return parser().parse_args(argv)


def parser() -> argparse.ArgumentParser:
    """The parser of ``polhode [FILE]``, whose help names the commands."""
    width = max(map(len, COMMANDS)) + 2
    commands = "\n".join(f"  {name:{width}}{row.description}" for name, row in COMMANDS.items())
    made = OneLineParser(
        usage="polhode [FILE] [--role ROLE] [--view VIEW] [--language en|de|fr|it]\n       polhode COMMAND …",
        description=f"{SUMMARY} Without a command the window opens.",
        epilog=f"commands (see polhode COMMAND --help):\n{commands}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shown = "a scenario, a terrain, a body, a measured motion, a folder of results, or a file made by polhode"
    made.add_argument("file", nargs="?", metavar="FILE", help=shown)
    made.add(ROLE, *READING)
    shown = "how the window draws: interactor, with a graphics card; picture, in software (chosen at start)"
    made.add_argument("--view", choices=("interactor", "picture"), help=shown)
    made.add_argument("--language", choices=tuple(LANGUAGES), help="of the window (the chosen one, or the system's)")
    made.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    return _calling(made, "app.cli.window", "window", background=False)


def _calling(made: OneLineParser, module: str, function: str, background: bool) -> OneLineParser:
    """Bind the function of a command to its parser; the module is imported when it is called."""

    def call(arguments: argparse.Namespace) -> int:
        check_kept(arguments)
        if getattr(arguments, "scheme_file", None):
            from app.cli.schemes import add_schemes

            add_schemes(arguments.scheme_file, arguments)
        with postponed():
            room = importlib.import_module(module)
        status: int = getattr(room, function)(arguments)
        return status

    made.set_defaults(command=call, background=background)
    return made


# ---- options that several commands have -----------------------------------------------------------------


def option(*names: str, **settings: Any) -> Option:
    """An option or an argument, as ``add_argument`` takes it."""
    return names, settings


def output(name: str, endings: str) -> Option:
    """The output; endings: help on its kinds."""
    return option("-o", "--output", metavar=name, required=True, help=endings)


def theme(usual: str) -> Option:
    """The colours; usual: the default that the help names."""
    return option("--theme", metavar="NAME", help=f"colours: dark, light or 'high contrast' ({usual})")


LANGUAGE = option("--language", choices=tuple(LANGUAGES), help="of pictures and of what is printed (en)")
PRINTING = (LANGUAGE, option("--json", action="store_true", help="as one JSON document"))
ROLE = option("--role", choices=("body", "rock", "ship", "slope"), help="what the body in a file is (body)")
PROJECTION = option(
    "--project", metavar="SYSTEM", help="of a map in degrees: utm, the zone that fits, or a code such as EPSG:2056"
)
READING = (  # how a mesh is read
    option("--scale", dest="unit", type=above_zero, metavar="F", help="unit of a mesh [m]; 0.001 for millimetres (1)"),
    option("--up", choices=("z", "y", "x"), help="the axis of a mesh that points up (z; of glTF y)"),
    option("--nodes", metavar="NAME", action="append", help="a part of a .glb, .gltf or .obj; may be repeated (all)"),
    option("--repair", action="store_true", help="repair a mesh that encloses no solid, and report the changes"),
)
SCHEME_FILE = option(
    "--scheme-file",
    metavar="FILE.py",
    action="append",
    help="your own scheme, to be named by --scheme or the scenario; runs the file; may be repeated",
)
SCHEMES = (
    option(
        "--scheme",
        metavar="NAME[:VARIANT][@H]",
        action="append",
        help="in place of the scenario's, of a variant, with a step of its own [s]; may be repeated",
    ),
    SCHEME_FILE,
)
SEED = option("--seed", type=whole(0), metavar="N", help="in place of the scenario's")
POSTERIOR = option("--posterior", metavar="FILE", help="posterior.csv of polhode fit: each rock takes one set")
REPLACED = (  # values of a scenario
    ROLE,
    *READING,
    PROJECTION,
    *SCHEMES,
    option("--step", type=above_zero, metavar="H", help="in place of the scenario's [s]"),
    option("--rock", type=whole(0), metavar="K", help="the rock of the scenario's ensemble to show (0)"),
    option("--duration", type=above_zero, metavar="T", help="in place of the scenario's [s]"),
)
PROGRESS = (
    option("--quiet", action="store_true", help="print errors only"),
    option(
        "--progress",
        choices=("bar", "lines", "none"),
        help="on standard error (a bar on a terminal); lines are 'progress DONE TOTAL'",
    ),
)
MEASURED = (  # a scenario of rocks, the stops measured on its slope, and how both are compared
    option("scenario", metavar="SCENARIO", help="of rockfall (.toml)"),
    option("--observed", metavar="STOPS.csv", help="x, y and runout or release_x, release_y (scenario's)"),
    *SCHEMES,
    SEED,
    option("--workers", type=whole(1), metavar="N", help="threads (as many as processors)"),
    *PRINTING,
    *PROGRESS,
)
SIZE = option("--size", type=size, metavar="WxH", help="pixels (1920x1080)")
VIEW = (
    option(
        "--content",
        choices=("all", "lines", "bodies"),
        help="all that the view shows; lines: bodies with lines and arrows; bodies: these alone (all)",
    ),
    option("--layout", choices=("side-by-side", "overlay"), help="of the lanes (the scenario's)"),
    option(
        "--camera",
        metavar="MODE",
        help="fit: all of it; follow: with the body; top: as a map; all others in help page Exports (the scenario's)",
    ),
)
LOOK = (
    SIZE,
    theme("dark"),
    *VIEW,
    option("--compare", action=argparse.BooleanOptionalAction, help="also show the run without the last edit (no)"),
    option("--plots", choices=("none", "under", "beside"), help="the charts, in step with the run (none)"),
    option("--occlusion", action=argparse.BooleanOptionalAction, help="ambient occlusion: darker in hollows (no)"),
    option(
        "--quality",
        choices=("draft", "usual", "fine"),
        help="of edges: draft is quick, fine is drawn twice as large (usual)",
    ),
    option("--captions", action=argparse.BooleanOptionalAction, help="title, clock, schemes (yes)"),
)
CARDS = (
    option("--title-card", type=between(0, 60), metavar="T", help="duration of title, note, schemes [s] (0)"),
    option("--end-card", type=between(0, 60), metavar="T", help="duration of steps, sources, recipe [s] (0)"),
    option("--authors", metavar="TEXT", help="of the title card: names, institute"),
)
SPAN = (
    option("--first", type=not_negative, metavar="T", help="where it begins [s] (0)"),
    option("--last", type=above_zero, metavar="T", help="where it ends [s] (with the run)"),
)
LAYERS = (  # results of an ensemble
    option("--ensemble", metavar="DIR", help="paths of the rocks of polhode ensemble --paths (none)"),
    option("--map", metavar="NAME", help="of that folder, in its place: kinetic_energy_q95, ..."),
    option("--colour", metavar="WHAT", help="of paths: energy, speed, rotation or height (energy)"),
)
TRANSPARENT = option(
    "--transparent", action="store_true", default=None, help="pictures and films (.mov, .webm, .apng) without sky"
)
FPS = option("--fps", type=between(1, 240), help="frames a second (30)")
SERIES = (
    option(
        "--as",
        dest="ending",
        metavar="ENDING",
        default=".mp4",
        help=f"{', '.join(endings())} (.mp4)",
    ),
    FPS,
    *LOOK,
    *CARDS,
    LANGUAGE,
    *PROGRESS,
)


def scenario(*outputs: Option) -> tuple[Option, ...]:
    """A scenario, the output if there is one, and what replaces values of the scenario."""
    shown = "a scenario, a terrain, a body, or what polhode made"
    return (option("scenario", metavar="SCENARIO", help=shown), *outputs, *REPLACED)


# ---- the options of each command ----------------------------------------------------------------------


def _run(parser: OneLineParser) -> None:
    parser.add(*scenario(output("OUT", "trajectories: .npz, .csv, .parquet, or .rts for RAMMS")), *PROGRESS)


def _video(parser: OneLineParser) -> None:
    parser.add(*scenario(output("OUT", f"{', '.join(endings(VIDEO))}, or a folder for numbered .png pictures")))
    parser.add(FPS)
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--speed", type=above_zero, help="0.1 is ten times slow motion (1)")
    pace.add_argument("--length", type=above_zero, metavar="T", help="of the film [s], in place of a speed (none)")
    parser.add(*LOOK, *LAYERS)
    parser.add_argument("--orbit", type=between(-360, 360), metavar="W", help="of the camera [deg/s] (0)")
    parser.add(*SPAN, *CARDS)
    shown = "captions, slow motion at flips and first impacts, verdict at the end"
    parser.add_argument("--explain", action="store_true", help=shown)
    parser.add(TRANSPARENT, LANGUAGE, *PROGRESS)


def _image(parser: OneLineParser) -> None:
    parser.add(*scenario(output("OUT.png", "the picture, .png")))
    shown = "simulated time [s] (the end; of a session its playhead)"
    parser.add_argument("--time", type=not_negative, metavar="T", help=shown)
    parser.add(*LOOK, *LAYERS, TRANSPARENT, LANGUAGE, *PROGRESS)
    parser.set_defaults(writer=IMAGE)


def _plot(parser: OneLineParser) -> None:
    parser.add(*scenario(output("OUT", f"{', '.join(endings(PLOT))}; .csv for the curves")), SIZE, theme("light"))
    parser.set_defaults(theme="light", writer=PLOT)
    parser.add(*SPAN, LANGUAGE, *PROGRESS)


def _plan(parser: OneLineParser) -> None:
    parser.add_argument("scenario", metavar="SCENARIO", help="of rockfall (.toml), or a terrain")
    parser.add(output("OUT", ", ".join(endings(PLAN))), PROJECTION)
    parser.add_argument("--scale", type=scale, metavar="1:N", help="such as 1:5000 (the largest at which all fits)")
    parser.add_argument("--paper", choices=("a4", "a3"), help="upright or across (a4)")
    parser.add_argument("--ensemble", metavar="DIR", help="results of polhode ensemble (none)")
    parser.add_argument("--map", metavar="NAME", help="of that folder: kinetic_energy_q95, reach_probability, ...")
    parser.add_argument("--whose", metavar="SCHEME", help="whose results (the first that has any)")
    parser.add(LANGUAGE, *PROGRESS)


def _scene(parser: OneLineParser) -> None:
    parser.add(*scenario(output("OUT", ".html: one page that needs no network; .glb: glTF 2.0")))
    parser.add_argument("--blender", action="store_true", help="a script beside a .glb that renders it in Blender (no)")
    parser.add_argument("--speed", type=above_zero, help="at which the page begins (1)")
    parser.add(*VIEW, theme("dark"), LANGUAGE, *PROGRESS)
    parser.set_defaults(writer=SCENE)


def _batch(parser: OneLineParser) -> None:
    parser.add(*scenario(output("DIR", "a new folder: the files, and index.html that shows them")), *SERIES)


def _lecture(parser: OneLineParser) -> None:
    parser.add(output("DIR", "a new folder: the films, and index.html that shows them"), *SCHEMES, *SERIES)
    parser.set_defaults(plots="under", size=(1280, 720))


def _ensemble(parser: OneLineParser) -> None:
    shown = "of rockfall or a table (.toml), or a terrain (.asc, .tif, .xyz, .laz)"
    parser.add_argument("scenario", metavar="SCENARIO", help=shown)
    parser.add(output("DIR", "a new folder: summary.json, rocks.csv, ..., maps; of a table runs.csv and share.pdf"))
    parser.add(PROJECTION, *SCHEMES)
    parser.add_argument("--rocks", "--runs", type=whole(1), metavar="N", help="in place of the scenario's")
    parser.add(SEED, POSTERIOR)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=whole(1), metavar="N", help="threads (as many as processors)")
    where.add_argument("--dask", metavar="ADDRESS", help="a scheduler of dask.distributed, such as tcp://10.0.0.1:8786")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint in DIR.part, if any")
    parser.add_argument("--parquet", action="store_true", help="rocks.parquet in place of rocks.csv")
    parser.add_argument("--paths", action="store_true", help="also paths.geojson: paths of the first 2000 rocks")
    parser.add_argument("--counts", action="store_true", help="also counts.npz, for polhode gather")
    parser.add(LANGUAGE, *PROGRESS)


def _gather(parser: OneLineParser) -> None:
    parser.add_argument("folders", nargs="+", metavar="DIR", help="results of polhode ensemble --counts, or of this")
    parser.add(output("OUT", "a new folder, as of polhode ensemble"))
    parser.add_argument("--parquet", action="store_true", help="rocks.parquet in place of rocks.csv")
    parser.add_argument("--counts", action="store_true", help="also counts.npz, to be gathered with others")
    parser.add(LANGUAGE)


def _validate(parser: OneLineParser) -> None:
    parser.add(*MEASURED, POSTERIOR)
    parser.add_argument("--zones", metavar="FILE", help="polygons in which stops are counted (the scenario's)")
    parser.add_argument("--rocks", type=whole(2), metavar="N", help="in place of the scenario's")
    parser.add_argument("-o", "--output", metavar="OUT", help=".csv: the table; .pdf, .svg or .png: the figure")


def _benchmark(parser: OneLineParser) -> None:
    shown = "field: sites with measured rocks, computed; entries: stops of any program scored there"
    parser.add_argument("name", choices=("field", "entries"), help=shown)
    shown = "more sites: scenarios of rockfall with measured stops in [observed]; of entries also contacts (.csv)"
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=shown)
    shown = "of entries: site, run, x, y of each computed stop (.csv, .json); may be repeated"
    parser.add_argument("--entry", dest="entries", metavar="FILE", action="append", default=[], help=shown)
    shown = "of each site and set of laws (360); of entries, of each run (20)"
    parser.add_argument("--rocks", type=whole(2), metavar="N", help=shown)
    parser.add_argument("-o", "--output", metavar="OUT", help=".csv: the table; .pdf, .svg or .png: the figure")
    parser.add_argument("--stops", metavar="OUT", help="of entries: Polhode's stops as an entry (.csv, .json)")
    parser.add_argument("--data", metavar="DIR", help="of entries: copy the sites' data to a new folder, and end")
    parser.add(*PRINTING, *PROGRESS)


def _fit(parser: OneLineParser) -> None:
    kinds = "a new folder: fitted.toml, posterior.csv, ranks.csv, index.html, fit.pdf, trials.csv, summary.json"
    parser.add(*MEASURED, output("DIR", kinds))
    shown = "a field such as soil.mu_min=0.2:0.8; LOW:HIGH:log by ratios; may be repeated"
    parser.add_argument("--free", type=free_field, metavar="FIELD=LOW:HIGH", action="append", required=True, help=shown)
    shown = "of the runs that is not fitted (0.5)"
    parser.add_argument("--holdout", type=between(0, 0.9), default=0.5, metavar="SHARE", help=shown)
    parser.add_argument("--trials", type=whole(1), default=400, metavar="N", help="sets of values at most (400)")
    parser.add_argument("--rocks", type=whole(2), metavar="N", help="for all runs (20 for each)")
    shown = "sets of the posterior, for polhode ensemble --posterior; 0: none (100)"
    parser.add_argument("--draws", type=whole(0), default=100, metavar="N", help=shown)


def _schemes(parser: OneLineParser) -> None:
    parser.add_argument("--family", metavar="NAME", help="only those of a family, such as papers or splitting")
    shown = "only those that serve a kind: free, top, vessel, ship, rockfall, table, joints"
    parser.add_argument("--kind", metavar="NAME", help=shown)
    parser.add(*PRINTING)


def _check(parser: OneLineParser) -> None:
    parser.add_argument("name", metavar="NAME|FILE.py", help="a scheme that polhode schemes lists, or one in a file")
    parser.add(*PRINTING, *PROGRESS)


def _rank(parser: OneLineParser) -> None:
    parser.add_argument("scenario", metavar="SCENARIO", help="of a free body, top, vessel, ship or mechanism (.toml)")
    parser.add_argument("--scheme", metavar="NAME", action="append", help="may be repeated; or all (a choice of ten)")
    parser.add(SCHEME_FILE)
    parser.add_argument("--step", type=above_zero, metavar="S", help="the longest step [s], in place of the scenario's")
    parser.add_argument("--duration", type=above_zero, metavar="T", help="in place of the scenario's [s]")
    shown = "of the attitude at the end (0.1)"
    parser.add_argument("--accuracy", type=above_zero, default=0.1, metavar="DEGREES", help=shown)
    parser.add(*PRINTING, *PROGRESS)


def _compare(parser: OneLineParser) -> None:
    parser.add(*scenario(), *PRINTING, *PROGRESS)
    shown = "of a slope: let so many fall with each scheme, and compare where they stop with those of a reference"
    parser.add_argument("--rocks", type=whole(1), metavar="N", help=shown)
    parser.add(SEED)
    parser.add_argument("--workers", type=whole(1), metavar="N", help="threads for the rocks (as many as processors)")
    shown = "of the rocks: their table (.csv) or figure (.pdf, .svg, .png)"
    parser.add_argument("-o", "--output", metavar="OUT", help=shown)


def _hydrostatics(parser: OneLineParser) -> None:
    shown = ".stl, .obj, .ply or .glb [m]; box, wigley, prism, cylinder; or a ship's scenario or session"
    parser.add_argument("hull", metavar="HULL", help=shown)
    parser.add_argument("--size", type=triple, metavar="L,B,D", help="of a box, ...: length, breadth, depth [m]")
    parser.add_argument("--mass", type=above_zero, metavar="M", help="of all [kg] (the scenario's)")
    parser.add_argument("--cog", type=triple, metavar="X,Y,Z", help="centre of gravity [m], z up (the scenario's)")
    parser.add(*READING)
    shown = "radii of gyration of roll, pitch and yaw [m], for the natural periods (the scenario's)"
    parser.add_argument("--radii", type=triple_above_zero, metavar="X,Y,Z", help=shown)
    shown = "added mass in heave [kg], in roll and pitch [kg m²] (the scenario's, or an estimate)"
    parser.add_argument("--added-mass", type=triple_above_zero, metavar="Z,X,Y", help=shown)
    parser.add_argument("--density", type=above_zero, metavar="D", help="of the water [kg/m³] (1025)")
    shown = "of the righting levers [degrees] (0:90:5)"
    parser.add_argument("--heel", type=angles, default="0:90:5", metavar="A:B:C", help=shown)
    parser.add_argument("--fixed-trim", action="store_true", help="keep the trim that balances it upright")
    parser.add_argument("-o", "--output", metavar="OUT", help=".csv of the levers; .pdf, .svg or .png: their curve")
    shown = "draughts of the curves of form [m], A,B,C or FIRST:LAST:STEP (the scenario's, or round ones)"
    parser.add_argument("--draughts", type=spaced, metavar="D", help=shown)
    shown = "displacements of KN [t], alike (the scenario's, or round ones)"
    parser.add_argument("--displacements", type=spaced, metavar="M", help=shown)
    shown = "place by which water comes in [m], to both sides; may be repeated (the scenario's)"
    parser.add_argument("--opening", type=triple, metavar="X,Y,Z", action="append", help=shown)
    shown = "free surface of a tank [m] and its liquid [kg/m³]; may be repeated (the scenario's)"
    parser.add_argument("--tank", type=triple_above_zero, metavar="L,B,D", action="append", help=shown)
    shown = "for the weather criterion: area in the wind [m²], and its lever to half the draught [m] (the scenario's)"
    parser.add_argument("--windage", type=pair_above_zero, metavar="A,Z", help=shown)
    shown = "place of the deck's edge that comes to the water first [m] (the scenario's)"
    parser.add_argument("--deck-edge", type=triple, metavar="X,Y,Z", help=shown)
    parser.add_argument("--bilge-keels", type=not_negative, metavar="A", help="their area [m²] (the scenario's, or 0)")
    parser.add_argument("--sharp-bilges", action="store_true", help="the bilges are sharp, not round")
    parser.add_argument("--sheet", metavar="OUT", help=".pdf or .csv with all numbers, criteria and curves")
    parser.add(*PRINTING)


def _identify(parser: OneLineParser) -> None:
    shown = "rates or quaternions (.csv, .npz, .parquet), a run of Rockable, or a scenario that names them"
    parser.add_argument("file", metavar="FILE", help=shown)
    parser.add_argument("--begin", type=float, metavar="S", help="of the flight, by the file's time [s] (the longest)")
    parser.add_argument("--end", type=float, metavar="S", help="of the flight, by the file's time [s]")
    parser.add_argument("--aligned", action="store_true", help="the sensor's axes are the body's principal axes")
    parser.add_argument("--no-bias", action="store_true", help="the gyroscope has no bias")
    parser.add_argument("-o", "--output", metavar="OUT.toml", help="a scenario with the body, beside the measured lane")
    parser.add_argument("--mass", type=above_zero, default=0.2, metavar="M", help="of the body in it [kg] (0.2)")
    parser.add_argument("--length", type=above_zero, default=0.15, metavar="L", help="of its longest edge [m] (0.15)")
    parser.add(*PRINTING)


def _live(parser: OneLineParser) -> None:
    shown = (
        "http://HOST:PORT that phyphox shows with 'Allow remote access'; for lines t, wx, wy, wz ws://HOST:PORT/PATH, "
        "or udp://HOST:PORT"
    )
    parser.add_argument("address", metavar="ADDRESS", help=shown)
    shown = "a folder, made if it is missing, to which a log of each toss is added (none are kept)"
    parser.add_argument("-o", "--output", metavar="FOLDER", help=shown)
    parser.add_argument("--tosses", type=whole(1), metavar="N", help="end after so many (Ctrl+C ends too)")
    parser.add(LANGUAGE)
    parser.add_argument("--json", action="store_true", help="a JSON document in a line for each toss")


def _figure(parser: OneLineParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="see --list")
    parser.add_argument("-o", "--output", metavar="OUT", help=".png, .svg or .pdf; tables also .csv")
    parser.add_argument("--list", action="store_true", help="list the figures and what each shows")
    parser.add_argument("--scenario", metavar="FILE", help="for order and work-precision: the scenario (.toml)")
    shown = "for order and work-precision: may be repeated; or all"
    parser.add_argument("--scheme", metavar="NAME", action="append", help=shown)
    parser.add(SCHEME_FILE)
    shown = "for the figures of rockfall (1000), and of tippe tops (200 a point)"
    parser.add_argument("--rocks", type=whole(2), metavar="N", help=shown)
    parser.add(LANGUAGE)
    parser.add_argument("--json", action="store_true", help="the list as one JSON document")


def _notebooks(parser: OneLineParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="a new folder")


def _schema(parser: OneLineParser) -> None:
    parser.add_argument("-o", "--output", metavar="OUT.json", help="such as scenario.schema.json (printed)")


def _bench(parser: OneLineParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="kernels, rockfall or joints (all)")
    parser.add_argument("--json", action="store_true", help="as one JSON document")


def _report(parser: OneLineParser) -> None:
    shown = "what the problem is with: a scenario, a session, ..."
    parser.add_argument("scenario", nargs="?", metavar="FILE", help=shown)
    parser.add(output("OUT.txt", ".txt, or .md"))


def _warm(parser: OneLineParser) -> None:
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="by the stem of its file (all of them)")
    parser.add_argument("--idle", dest="background", action="store_true", help="give way to all other processes")
    parser.add_argument("--listen", action="store_true", help="end when standard input ends")
    parser.add(*PROGRESS)


_EXPORT, _MEASUREMENTS, _SCHEMES = "app.cli.export", "app.cli.measurements", "app.cli.schemes"
_ENSEMBLES, _FIELD, _LANES, _PLAN = (
    f"app.hazard.commands.{name}" for name in ("ensembles", "measurements", "lanes", "plan")
)
COMMANDS = {
    "run": Command("Integrate without a window and write the states to a file.", _run),
    "video": Command("Render a video; needs neither a window nor a display.", _video, _EXPORT, True),
    "image": Command("Render one picture; needs neither a window nor a display.", _image, _EXPORT, True, "written"),
    "plot": Command("Draw the window's charts, or write their curves.", _plot, _EXPORT, True, "written"),
    "plan": Command("Draw a map of a slope and its rocks on paper, to scale.", _plan, _PLAN, True),
    "scene": Command("Write the 3D scene as a page that plays in a browser, or as a model.", _scene, _EXPORT, True),
    "batch": Command("Write a file for each combination of the values in a scenario's [batch].", _batch, _EXPORT, True),
    "lecture": Command("Write short films of all examples that come with the program.", _lecture, _EXPORT, True),
    "ensemble": Command(
        "Let many rocks fall, or start many tops, and write statistics and maps.", _ensemble, _ENSEMBLES, True
    ),
    "gather": Command("Merge ensembles of parts of one map, with all their statistics.", _gather, _ENSEMBLES, True),
    "validate": Command("Compare where rocks stop with where they were measured to stop.", _validate, _FIELD, True),
    "benchmark": Command("Score computed rocks at sites where they were measured.", _benchmark, _FIELD, True),
    "fit": Command("Fit numbers of a scenario to where rocks were measured to stop.", _fit, _FIELD, True),
    "schemes": Command("List the schemes and their facts, by family.", _schemes, _SCHEMES),
    "check": Command("Measure order, reach and what is kept: the report card of a scheme.", _check, _SCHEMES),
    "rank": Command("Rank schemes for one motion by cost at a given accuracy.", _rank, _SCHEMES),
    "compare": Command("Compare each lane with the true motion: since when it is off, by how much.", _compare, _LANES),
    "hydrostatics": Command(
        "Compute how a hull floats and its righting levers.", _hydrostatics, "app.cli.hydrostatics"
    ),
    "identify": Command("Find a body's moments and start from its measured free flight.", _identify, _MEASUREMENTS),
    "live": Command("Read a sensor while it measures, and fit each toss as it lands.", _live, "app.cli.live"),
    "figure": Command("Draw a figure or a table of the papers, for print.", _figure, background=True),
    "notebooks": Command("Copy the example notebooks for Jupyter.", _notebooks, "app.cli.notebooks"),
    "schema": Command("Write the JSON schema of scenario files, for editors.", _schema, "app.cli.schema"),
    "bench": Command("Measure the program's speed beside what it is compared with.", _bench),
    "report": Command("Write a problem report, to read and mail; nothing is sent.", _report, "app.cli.report"),
    "warm": Command("Compile ahead what the examples use, once for each version.", _warm),
}
