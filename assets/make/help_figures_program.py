"""Figures of the help about the program: what goes where, what is written, and what it costs."""

from __future__ import annotations

import re

import numpy as np

import physics
from app.kinds import KINDS
from assets import SCENARIOS
from assets.make.bar_figure import Bar, Bars
from assets.make.flow_figure import Arrow, Box, flow
from assets.make.help_tables import listing_of, table_of
from assets.make.line_figure import Curve, Panel, figure
from assets.make.svg import BLUE, GREEN, ORANGE, RED, VIOLET, box, sheet, text
from physics import SCHEMES


def index() -> str:
    """The way from a scenario to what is seen and written."""
    boxes = [
        Box(0, 0, "Scenario", ["a .toml file, or", "the panel's fields"], BLUE),
        Box(1, 0, "Model", [f"one of {len(KINDS)} kinds:", "body, forces, start"], BLUE),
        Box(2, 0, "Schemes", [f"{len(SCHEMES)} to choose from,", "up to eight at once"], ORANGE),
        Box(3, 0, "Recording", ["all states of each", "lane, and events"], GREEN),
        Box(0, 1, "Edit", ["at the playhead:", "a new branch"], BLUE),
        Box(1, 1, "Ensemble", ["many rocks or starts:", "statistics, maps"], ORANGE),
        Box(2, 1, "Exports", ["films, pages, models,", "plans, tables"], GREEN),
        Box(3, 1, "Window", ["view and plots at", "the clock's time"], GREEN),
    ]
    arrows = [Arrow(0, 1), Arrow(1, 2), Arrow(2, 3), Arrow(3, 7), Arrow(3, 6), Arrow(2, 5), Arrow(4, 0)]
    return flow(boxes, arrows, "From a scenario by model and schemes to a recording, window and exports")


def desk() -> str:
    """A run with an edit beside the run before it."""
    before = physics.load_scenario(SCENARIOS / "vessel-restoring.toml").changed(
        schemes=("verlet-exact",), duration=22.0
    )
    vessel = before.vessel.model_dump(exclude_none=True) | {"damping": [1.0e8, 5.0e8, 0.0]}
    edit = {"time": 10.0, "vessel": vessel}
    after = before.changed(edit=[edit])
    roll = {quantity.title: quantity for quantity in KINDS["vessel"].choices}["Roll"]
    curves = []
    for name, scenario, ink in (("before the edit", before, ""), ("after the edit", after, BLUE)):
        run = physics.simulate(scenario)["verlet-exact"]
        values = roll.values(run, physics.World.of(scenario))
        curves.append(Curve(run.time, values, ink, name, dashed=not ink))
    ends = np.array([min(curve.y.min() for curve in curves), max(curve.y.max() for curve in curves)])
    playhead = Curve(np.full(2, edit["time"]), ends, ORANGE, "playhead: damping edited")
    return figure(
        [Panel(f"Roll of the example vessel [{roll.unit}]", "time [s]", [*curves, playhead])],
        "The roll of a vessel whose damping is edited at 10 s: the new branch leaves the run before the edit there",
    )


def dialog() -> str:
    """Figure of an export, with the kinds that the page lists."""
    kinds = [name.lower() for name, *_ in table_of("export-dialog")]
    boxes = [
        Box(0, 0, "What?", [f"{kinds[0]}, {kinds[1]},", "figure, plan, page,", f"{kinds[5]} or {kinds[6]}"], BLUE),
        Box(1, 0, "Fields", ["only those that", "act on it; the", "name's ending"], BLUE),
        Box(2, 0, "In advance", ["nine frames are", "drawn: picture,", "time, size"], ORANGE),
        Box(3, 0, "Queue", ["one after another,", "each in a process", "of its own"], ORANGE),
        Box(4, 0, "File", ["whole, or none;", "its recipe opens", "as a scenario"], GREEN),
    ]
    arrows = [Arrow(k, k + 1) for k in range(4)]
    return flow(boxes, arrows, "An export: kind, fields, nine frames in advance, a queue of processes, a file", 20.0)


def exports() -> str:
    """One scenario, drawn anew for each file, and the way back."""
    boxes = [
        Box(0, 0, "Scenario", ["and schemes, camera,", "looks: the recipe"], BLUE),
        Box(1, 0, "States", ["integrated anew, at", "simulated times"], ORANGE),
        Box(2, 0, "Film, picture", [".mp4 .webm .mov .mkv", ".gif .apng .png"], GREEN),
        Box(2, 1, "Page, model", [".html plays by itself,", ".glb for Blender"], GREEN),
        Box(2, 2, "Plots, data", [".pdf .svg .csv", ".npz .parquet"], GREEN),
        Box(0, 1, "The same bytes", ["again, from the file", "alone, same machine"], VIOLET),
    ]
    arrows = [Arrow(0, 1), Arrow(1, 2), Arrow(1, 3), Arrow(1, 4), Arrow(3, 5, "recipe", dashed=True), Arrow(5, 0)]
    return flow(
        boxes, arrows, "A scenario is integrated, written as films, pages, data, and read again from these", 60.0
    )


def languages() -> str:
    """The way of a sentence from the code to people and to files."""
    boxes = [
        Box(0, 0, "Code", ["English sentences,", "with places for", "values"], BLUE),
        Box(1, 0, "Catalogue", ["German, French or", "Italian, by the", "words of one list"], ORANGE),
        Box(2, 0, "People", ["window, captions,", "charts, errors,", "tables of commands"], GREEN),
        Box(1, 1, "Programs", [".csv .json .npz,", "keys, options:", "always English"], GREEN),
    ]
    arrows = [Arrow(0, 1), Arrow(1, 2), Arrow(0, 3)]
    return flow(
        boxes, arrows, "A sentence goes from the code through a catalogue to people, and in English to files", 60.0
    )


def files() -> str:
    """Figure of which version opens the file of which other one, from the table of the page."""
    parts = [
        text(8.0, 16.0, "Whether this version opens a file of", bold=True),
        text(390.0, 16.0, "an earlier version", bold=True),
        text(540.0, 16.0, "a later version", bold=True),
    ]
    y = 26.0
    for name, _, earlier, later in table_of("files"):
        parts.append(text(8.0, y + 15.0, re.sub(r"[`]|, and .*", "", name)))
        for x, told in ((384.0, earlier), (534.0, later)):
            word, ink = _opens(told)
            parts += [box(x, y + 2.0, 140.0, 18.0, ink, 0.3, round=4.0), text(x + 8.0, y + 15.0, word)]
        y += 22.0
    return sheet(parts, "Which files of earlier and later versions open: as a rule those of earlier ones", y + 2.0)


def _opens(told: str) -> tuple[str, str]:
    """A word for what the table says of a file, and its colour."""
    if re.match(r"another|refused|not loaded|kept as", told):
        return "no", RED
    if re.match(r"opens(?!; an unknown key)", told):
        return "yes", GREEN
    return ("with its like", ORANGE) if told.startswith("gathered") else ("what it knows of it", ORANGE)


def graphics() -> str:
    """Figure of the cost of a frame, from the listings of the page."""
    looks, kinds = [], []
    for name, window, now, *_ in listing_of("graphics", "what +window"):
        looks += [Bar(name, float(window), VIOLET, told=window), Bar("", float(now), BLUE, told=now)]
    for name, picture, interactor in listing_of("graphics", "what +picture"):
        for told, value, ink in ((name, picture, BLUE), ("", interactor, ORANGE)):
            low, *high = (float(end) for end in value.split("-"))
            kinds.append(
                Bar(
                    told.replace("frame, ", "").replace(" in four lanes", ", 4 lanes"),
                    (high or [low])[0],
                    ink,
                    told=value,
                )
            )
    panels = [Bars("Two lanes, 1280 x 720", "[ms] a frame", looks), Bars("With panel and charts", "[ms]", kinds)]
    legend = [("before the new light", VIOLET), ("now; drawn as a picture", BLUE), ("drawn by an interactor", ORANGE)]
    return figure(panels, "Processor time of a frame in software, before and now, as picture and interactor", legend)


def interface() -> str:
    """Figure of the calls that lead from one object to another."""
    names = [
        "load_scenario",
        "Scenario",
        "simulate",
        "Runs",
        "Trajectory",
        "integrate",
        "Motion",
        "to_pandas",
        "to_xarray",
    ]
    assert set(names) <= set(physics.__all__)
    boxes = [
        Box(0, 0, "a file .toml", ["load_scenario(file)"], BLUE),
        Box(1, 0, "Scenario", ["simulate(scenario)"], BLUE),
        Box(2, 0, "Runs", ['runs["implicit"]'], GREEN),
        Box(3, 0, "Trajectory", ["time, orientation,", "velocity, spin, …"], GREEN),
        Box(1, 1, "moments, start", ["integrate(...)"], ORANGE),
        Box(2, 1, "Motion", ["time, orientation,", "angular_velocity"], GREEN),
        Box(3, 1, "Tables", ["to_pandas(...)", "to_xarray(...)"], VIOLET),
    ]
    arrows = [Arrow(0, 1), Arrow(1, 2), Arrow(2, 3), Arrow(4, 5), Arrow(5, 6), Arrow(3, 6)]
    return flow(boxes, arrows, "load_scenario, simulate and integrate, what they return, and how tables are made of it")


def licences() -> str:
    """Figure of the number of distributions under each licence, from the first table of the page."""
    rows = [(name, len(told.split(","))) for name, told in table_of("licences", "What is installed")]
    rows.sort(key=lambda row: -row[1])
    bars = [
        Bar(name.replace(" AND Apache-2.0 WITH LLVM-exception", " and Apache-2.0"), n, _ink(name), told=str(n))
        for name, n in rows
    ]
    bars = [
        Bar(
            bar.name.replace("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", "BSD-3-Clause and others"),
            bar.value,
            bar.ink,
            told=bar.told,
        )
        for bar in bars
    ]
    return figure(
        [Bars("Distributions that are installed with Polhode, by licence", "distributions", bars)],
        "How many of the distributions that are installed are under which licence; most under MIT or BSD",
        [("permissive", BLUE), ("asks for more", ORANGE)],
        high=300,
    )


def _ink(licence: str) -> str:
    return ORANGE if "GPL" in licence or "MPL" in licence else BLUE


def notebooks() -> str:
    """Figure of the files that the runs of an example become, with their sizes."""
    runs = physics.simulate(physics.load_scenario(SCENARIOS / "cuboid-major.toml"))
    table, arrays = physics.to_pandas(runs), physics.to_xarray(runs)
    rows, columns = table.shape
    scenario = Box(0, 1, "simulate", ["cuboid-major.toml,", f"{len(runs)} schemes"], BLUE)
    boxes = [
        scenario,
        Box(
            1, 0, "to_pandas", [f"{rows} rows (scheme, time), {columns} columns", "orientation_w, …, spin_z"], GREEN, 2
        ),
        Box(
            1,
            1,
            "to_xarray",
            [
                ", ".join(f"{name}: {size}" for name, size in arrays.sizes.items()),
                f"{len(arrays.data_vars)} variables with units",
            ],
            GREEN,
            2,
        ),
        Box(1, 2, "app.show", ["a page in the cell that plays and can be turned"], GREEN, 2),
    ]
    return flow(
        boxes, [Arrow(0, 1), Arrow(0, 2), Arrow(0, 3)], "A run becomes a table, arrays or a page in the notebook", 60.0
    )


def reliability() -> str:
    """Figure of what a kill leaves of a file at each moment of its writing."""
    moments = (
        ("Before", ["the old file, or none"], "the old file", BLUE),
        ("While it is written", ["into NAME.part beside it"], "the old file, and a .part", ORANGE),
        ("When it is whole", ["NAME.part becomes NAME"], "the old or the new one", ORANGE),
        ("After", ["the new file"], "the new file", GREEN),
    )
    boxes = [Box(k, 0, title, lines, ink) for k, (title, lines, _, ink) in enumerate(moments)]
    boxes += [Box(k, 1, "A kill leaves", [left], RED) for k, (_, _, left, _) in enumerate(moments)]
    arrows = [*(Arrow(k, k + 1) for k in range(3)), *(Arrow(k, k + 4, dashed=True) for k in range(4))]
    return flow(boxes, arrows, "A file is written beside the old one and takes its place when it is whole", 14.0)


def scale() -> str:
    """Memory over rocks and the share of one worker's speed over workers, from the listings of the page."""
    rows = listing_of("scale", "rocks")
    rocks, memory = (
        np.array(column) for column in zip(*((_number(row[0]), _number(row[3])) for row in rows), strict=True)
    )
    workers = [(float(row[0]), float(row[3])) for row in listing_of("scale", "workers")]
    panels = [
        Panel("Memory that grows [MB]", "rocks", [Curve(rocks, memory, BLUE, dots=True)], log_x=True, low=0.0),
        Panel(
            "Speed of a worker, beside one alone",
            "workers, on two cores",
            [Curve(*np.array(workers).T, ORANGE, dots=True)],
            low=0.0,
            high=1.0,
        ),
    ]
    return figure(
        panels, "Memory hardly grows from a hundred to a million rocks; eight workers run at 0.83 of one's speed"
    )


def _number(told: str) -> float:
    return float(re.sub(r"[^\d.]", "", told.replace(" MB", "")))


def speed() -> str:
    """Ratios to the bare thing beside what was wanted, from the listing of the page."""
    bars: list[Bar] = []
    for row in listing_of("speed", "what +beside"):
        told = [float(cell) for cell in row[2:] if re.fullmatch(r"[\d.]+", cell)]
        if len(told) == 2 and max(told) < 4.0 and "threads" not in row[0]:  # of threads more is better
            name = row[0].rstrip("*†")
            bars.append(
                Bar(name, told[0], BLUE if told[0] <= told[1] else ORANGE, told=f"{told[0]:g}, wanted {told[1]:g}")
            )
    return figure(
        [Bars("Time or memory beside the bare thing that does the same", "ratio", bars, [("the bare thing", 1.0)])],
        "Ratios of frames, films, maps and starts to the bare thing, with what was wanted",
        [("as wanted, or better", BLUE), ("more than wanted", ORANGE)],
        high=390,
    )


FIGURES = {
    "index": index,
    "desk": desk,
    "export-dialog": dialog,
    "exports": exports,
    "files": files,
    "graphics": graphics,
    "interface": interface,
    "languages": languages,
    "licences": licences,
    "notebooks": notebooks,
    "reliability": reliability,
    "scale": scale,
    "speed": speed,
}
