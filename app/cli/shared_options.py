"""Options that several commands share; each function adds some to a parser."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.argument_types import above_zero, between, not_negative, size, whole
from app.cli.one_line_parser import OneLineParser
from app.system.language import LANGUAGES

if TYPE_CHECKING:
    from physics.bodies.mesh_io import MeshReading

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
