"""Options of the commands that write a run: states, films, pictures, plots and pages, one or one for each scenario."""

from __future__ import annotations

from app.cli.argument_types import above_zero, between, not_negative, scale
from app.cli.one_line_parser import OneLineParser
from app.cli.shared_options import (
    add_cards,
    add_language,
    add_layers,
    add_look,
    add_output,
    add_progress,
    add_scenario,
    add_scheme,
    add_size,
    add_span,
    add_theme,
    add_transparent,
    add_view,
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
