"""What the commands do; each takes the parsed arguments and returns the exit status."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.export.recipe import theme_of
from app.interrupt import postponed
from app.opening import scenario_for
from app.progress import Progress
from app.run import Lane
from physics import SCHEMES, Scenario, ScenarioError, Trajectory, World, ramms
from physics.files import ENDINGS, check_output, save
from physics.schemes.scheme import Scheme
from physics.simulate import record, recording

if TYPE_CHECKING:
    from app.export.series import Item


def window(arguments: Namespace) -> int:
    """``polhode [FILE]``: open the window."""
    from app.display import obstacle

    file = None if arguments.file is None else Path(arguments.file)
    if file is not None:
        _world(scenario_for(file), file)  # a wrong file is told here, before a window opens
    if why := obstacle():
        print(f"polhode: {why}", file=sys.stderr)
        return 1
    from app.window.main import open_window

    return open_window(file)


def run(arguments: Namespace) -> int:
    """``polhode run``: integrate, write the states, say for each scheme why it ended."""
    check_output(arguments.output, (*ENDINGS, ramms.ENDING))
    for_ramms = Path(arguments.output).suffix.lower() == ramms.ENDING
    scenario = _scenario(arguments)
    if for_ramms:
        ramms.check_ramms(arguments.output, scenario)
    with Progress(arguments.progress, arguments.quiet) as progress:
        world, lanes = _computed(scenario, Path(arguments.scenario), progress)
        runs = {lane.scheme.name: lane.trajectory for lane in lanes}
        if for_ramms:
            ramms.save_ramms(arguments.output, *runs.values(), world)
        else:
            save(arguments.output, runs, scenario)
    failed = [e.text for run in runs.values() for e in run.events if e.kind == "failed-solve"]
    if not arguments.quiet:
        for trajectory in runs.values():
            print(_ending(trajectory, scenario))
    if failed:
        print("polhode:", "; ".join(failed), file=sys.stderr)
    return 1 if failed else 0


def video(arguments: Namespace) -> int:
    """``polhode video``: render the run frame by frame."""
    from app.export.video import check_video, write_video

    scenario = _scenario(arguments)
    with _by_option(arguments):
        check_video(arguments.output, scenario)
        theme_of(scenario)
    with Progress(arguments.progress, arguments.quiet) as progress:
        world, lanes = _computed(scenario, Path(arguments.scenario), progress)
        write_video(
            world,
            lanes,
            arguments.output,
            progress=lambda done, total: progress.show("drawing", done, total, counted=True),
        )
    return 0


def image(arguments: Namespace) -> int:
    """``polhode image``: render one moment."""
    from app.export.image import write_image

    return _written(arguments, (".png",), write_image)


def plot(arguments: Namespace) -> int:
    """``polhode plot``: draw the charts, or list their curves."""
    from app.export.plots import ENDINGS, write_plots

    return _written(arguments, ENDINGS, write_plots)


def scene(arguments: Namespace) -> int:
    """``polhode scene``: a model or a page that moves."""
    from app.export.scene import ENDINGS, write_scene

    return _written(arguments, ENDINGS, write_scene)


def batch(arguments: Namespace) -> int:
    """``polhode batch``: a file for each combination of the values that a scenario lists."""
    from app.export.series import Item
    from physics.series import series

    scenario, file = _scenario(arguments), Path(arguments.scenario)
    try:
        made = series(scenario)
    except ScenarioError as error:
        raise error.in_file(file) from None
    names = ["-".join("".join(c if c.isalnum() or c == "." else " " for c in name).split()) for name, _ in made]
    items = [
        Item("-".join(filter(None, [f"{number:03}", name])), one)
        for number, (name, (_, one)) in enumerate(zip(names, made, strict=True), start=1)
    ]
    return _series(arguments, items, scenario.title or file.stem, file)


def lecture(arguments: Namespace) -> int:
    """``polhode lecture``: short films of all examples that come with the program."""
    from app.export import series

    items = series.lecture(series.examples(), lambda path: _scenario(Namespace(**vars(arguments), scenario=path)))
    return _series(arguments, items, "Rigid bodies that tumble", Path())


def _series(arguments: Namespace, items: list[Item], title: str, file: Path) -> int:
    from app.export.series import check_series, write_series

    with _by_option(arguments):
        check_series(arguments.output, arguments.ending, items)
    with Progress(arguments.progress, arguments.quiet) as progress:
        write_series(
            items,
            arguments.output,
            arguments.ending,
            title,
            lambda scenario: _computed(scenario, file, Progress("none")),
            lambda done, total: progress.show("files", done, total, counted=True),
        )
    return 0


def _written(arguments: Namespace, endings: tuple[str, ...], write: Callable[..., None]) -> int:
    """Compute a scenario and write one file of it."""
    check_output(arguments.output, endings)
    scenario = _scenario(arguments)
    with _by_option(arguments):
        theme_of(scenario)
        if scenario.export.time is not None and scenario.export.time > scenario.duration:
            message = f"expected at most the duration of {scenario.duration:g} s, got {scenario.export.time:g}"
            raise ScenarioError("export.time", message)
    with Progress(arguments.progress, arguments.quiet) as progress:
        world, lanes = _computed(scenario, Path(arguments.scenario), progress)
        write(world, lanes, arguments.output)
    return 0


def schemes(arguments: Namespace) -> int:
    """``polhode schemes``: the table of schemes."""
    if arguments.json:
        print(json.dumps([scheme.facts() for scheme in SCHEMES.values()], indent=2))
        return 0
    head = ("scheme", "order", "step", "keeps", "serves", "title")
    rows = [head, *(_row(scheme) for scheme in SCHEMES.values())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        print("  ".join(f"{word:{width}}" for word, width in zip(row, widths, strict=True)).rstrip())
    for scheme in SCHEMES.values():
        print()
        where = f", doi:{scheme.doi}" if scheme.doi else ""
        text = f"{scheme.name}: {scheme.advice} {scheme.reference}{where}."
        print(textwrap.fill(text, 100, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False))
    return 0


def _row(scheme: Scheme) -> tuple[str, ...]:
    kept = {
        "energy": scheme.keeps_energy,
        "spin": scheme.keeps_spin,
        "size of spin": scheme.keeps_spin_norm and not scheme.keeps_spin,
        "unit length": scheme.keeps_unit_length,
    }
    return (
        scheme.name,
        "exact" if scheme.order is None else str(scheme.order),
        "closed form" if scheme.order is None else "implicit" if scheme.implicit else "explicit",
        ", ".join(what for what, is_kept in kept.items() if is_kept),
        ", ".join(scheme.kinds),
        scheme.title,
    )


def ensemble(arguments: Namespace) -> int:
    """``polhode ensemble``: many rocks, statistics and maps."""
    from physics.ensemble import Ensemble
    from physics.results import check_results, save_results

    check_results(arguments.output)
    file = Path(arguments.scenario)
    if (kind := scenario_for(file).kind) != "rockfall":
        raise ScenarioError("kind", f"an ensemble expects 'rockfall', got '{kind}'", file)
    scenario = _scenario(arguments)
    with Progress(arguments.progress, arguments.quiet) as progress:
        with postponed():
            try:
                rocks = Ensemble(_world(scenario, file))
            except ScenarioError as error:
                raise error.in_file(file) from None
        with closing(rocks.march(arguments.workers)) as march:
            progress.show("rocks", 0, rocks.rocks)
            for done in march:
                progress.show("rocks", done, rocks.rocks, counted=True)
        save_results(arguments.output, rocks)
    if not arguments.quiet:
        for name, found in rocks.results.items():
            reasons = Counter(row.stop_reason for row in found.rows)
            ends = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
            print(f"{name}: {len(found.rows)} rocks; {ends}")
    return 0


def figure(arguments: Namespace) -> int:
    """``polhode figure``: a figure or a table of the papers."""
    from app.figures import FIGURES, draw
    from app.figures.printing import style, write

    if arguments.list:
        if arguments.json:
            print(json.dumps({drawing.name: drawing.shows for drawing in FIGURES.values()}, indent=2))
        else:
            width = max(map(len, FIGURES)) + 2
            for drawing in FIGURES.values():
                print(f"{drawing.name:{width}}{drawing.shows}")
        return 0
    if arguments.name is None or arguments.output is None:
        raise ScenarioError("", "polhode figure: expected NAME and -o OUT, or --list")
    check_output(arguments.output, (".png", ".svg", ".pdf", ".csv"))
    with style():
        write(draw(arguments.name, arguments.scenario, arguments.scheme), Path(arguments.output))
    return 0


def bench(arguments: Namespace) -> int:
    """``polhode bench``: the benchmarks."""
    from app.bench import BENCHMARKS

    names = list(BENCHMARKS) if arguments.name is None else [arguments.name]
    for name in names:
        if name not in BENCHMARKS:
            raise ScenarioError("", f"'{name}' is not a benchmark; expected one of {', '.join(BENCHMARKS)}")
    say = (lambda text: None) if arguments.json else print
    found = {name: BENCHMARKS[name](say) for name in names}
    if arguments.json:
        print(json.dumps(found, indent=2))
    return 0


# ---- shared by the commands that integrate ------------------------------------------------------------


# option -> the field of a scenario whose value it replaces
_FIELDS = {
    "scheme": "schemes",
    "step": "step",
    "duration": "duration",
    "rocks": "ensemble.rocks",
    "seed": "ensemble.seed",
    "layout": "view.layout",
    "camera": "view.camera",
    "size": "export.size",
    "fps": "export.fps",
    "speed": "export.speed",
    "theme": "export.theme",
    "plots": "export.plots",
    "captions": "export.captions",
    "orbit": "export.orbit",
    "time": "export.time",
    "transparent": "export.transparent",
}


def _scenario(arguments: Namespace) -> Scenario:
    """The scenario of the file with the values that the options give in place of its own."""
    scenario = scenario_for(arguments.scenario)
    given = {field: getattr(arguments, option) for option, field in _given(arguments)}
    with _by_option(arguments):
        return scenario.changed(**given) if given else scenario


def _given(arguments: Namespace) -> list[tuple[str, str]]:
    """The options that were given, each with its field."""
    return [(option, field) for option, field in _FIELDS.items() if getattr(arguments, option, None) is not None]


@contextmanager
def _by_option(arguments: Namespace) -> Iterator[None]:
    """Name the option, in place of the field, that is wrong, and the file."""
    try:
        yield
    except ScenarioError as error:
        wrong = (f"--{option}" for option, field in _given(arguments) if f"{error.field}.".startswith(f"{field}."))
        file = error.file or getattr(arguments, "scenario", None)
        raise ScenarioError(next(wrong, error.field), error.message, file) from None


def _world(scenario: Scenario, file: Path) -> World:
    try:
        return World.of(scenario)
    except ScenarioError as error:
        raise error.in_file(file) from None


def _computed(scenario: Scenario, file: Path, progress: Progress) -> tuple[World, tuple[Lane, ...]]:
    """The world and its lanes, every scheme run to its end."""
    with postponed():
        world = _world(scenario, file)
        lanes = tuple(Lane(SCHEMES[name], recording(world, name)) for name in scenario.schemes)
        for i, lane in enumerate(lanes):
            for reached in record(world, lane.scheme.name, lane.recording):
                progress.show("computing", i + reached / scenario.duration, len(lanes))
    return world, lanes


def _ending(run: Trajectory, scenario: Scenario) -> str:
    """Why a run ended and, for a free body, how well it kept energy and spin."""
    text = run.events[-1].text if run.events else f"{run.scheme}: {len(run)} states"
    if scenario.kind != "free":
        return text
    energy = np.abs(run.total_energy - run.total_energy[0]).max()
    spin = np.linalg.norm(run.spin - run.spin[0], axis=1).max()
    first = run.kinetic_energy[0], np.linalg.norm(run.spin[0])
    if not all(first):  # a body without motion has nothing to be relative to
        return text
    return f"{text}; largest relative error of energy {energy / first[0]:.2g}, of spin {spin / first[1]:.2g}"
