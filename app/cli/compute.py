"""Commands that compute: ``run``, ``compare``, ``figure``, ``bench``, ``warm``.

Each takes the parsed arguments and returns the exit status.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

import assets
from app.cli.overrides import building, computed, scenario_from
from app.cli.progress import Progress
from app.kinds import kind_of
from app.playback.verdicts import HEADINGS, ranking, verdict, verdict_table, verdicts
from app.system.language import listed, tr, translated, use
from app.system.terminal import aligned, one_line
from physics import PhysicsError, Scenario, ScenarioError, Trajectory, load_scenario
from physics.analysis.comparison import compare_lane
from physics.analysis.invariants import energy_error, spin_error
from physics.bodies import compound
from physics.core import jit
from physics.core.errors import naming
from physics.core.wording import N_
from physics.ensembles.start_ensemble import StartEnsemble
from physics.io import ramms
from physics.io.trajectory_writers import ENDINGS, check_new_folder, check_output, save
from physics.simulation.schedule import Schedule, stream
from physics.systems import torque_free
from physics.systems.rockfall.world import RockfallWorld


def run(arguments: Namespace) -> int:
    """``polhode run``: integrate, write the states, print for each scheme why it ended."""
    check_output(arguments.output, (*ENDINGS, ramms.ENDING))
    for_ramms = Path(arguments.output).suffix.lower() == ramms.ENDING
    scenario = scenario_from(arguments)
    if for_ramms:
        ramms.check_ramms(arguments.output, scenario)
    with Progress(arguments.progress, arguments.quiet) as progress:
        world, lanes = computed(scenario, Path(arguments.scenario), progress)
        runs = {lane.scheme.name: lane.trajectory for lane in lanes}
        if for_ramms and isinstance(world, RockfallWorld):
            (trajectory,) = runs.values()  # check_ramms has refused more than one, and other kinds
            ramms.save_ramms(arguments.output, trajectory, world)
        else:
            save(arguments.output, runs, scenario)
    if not arguments.quiet:
        for trajectory in runs.values():
            print(one_line(translated(_ending(trajectory, scenario))))
    return _doubted(runs.values())


def compare(arguments: Namespace) -> int:
    """``polhode compare``: each lane beside the true motion, as a table with a sentence for each, or as JSON."""
    file, scenario = Path(arguments.scenario), scenario_from(arguments)
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            compile_for(scenario)  # no lane's cost is to hold what is loaded once
        world, lanes = computed(scenario, file, progress, truth=True)
        found = [compare_lane(lane.world, lane.trajectory, lane.truths[lane.scheme.name]) for lane in lanes]
    if arguments.json:
        body: dict[str, Any] = {"body": compound.body_facts(world.body)}
        if world.body_names:
            named = zip(world.body_names, world.bodies, strict=True)
            body = {"bodies": {name: compound.body_facts(one) for name, one in named}, "notes": world.notes}
        said = {lane.scheme.name: {"sentence": verdict(lane)} for lane in lanes}
        facts = {"scenario": str(file), **body, "lanes": {one.lane: one.facts() | said[one.lane] for one in found}}
        print(json.dumps(facts, indent=2))
    else:
        print("\n".join(aligned([[*map(tr, HEADINGS)], *map(list, verdict_table(lanes))])))
        print("\n" + "\n".join(map(one_line, filter(None, [*verdicts(lanes), ranking(lanes)]))))
    return _doubted(lane.trajectory for lane in lanes)


def _doubted(runs: Iterable[Trajectory]) -> int:
    """Exit status after runs; what says that a step had no solution, or that numbers cannot be right, is printed."""
    events = [event for run in runs for event in run.events]
    failed = [event.text for event in events if event.failed]
    if doubts := failed + [event.text for event in events if event.doubtful]:
        print("polhode:", one_line(listed(doubts)), file=sys.stderr)
    return 1 if failed else 0


def start_ensemble(arguments: Namespace) -> int:
    """Compute the runs of all lanes and of the scenario's batch; write runs.csv, summary.json and a figure."""
    from app.plots.result_figures import share_lines, write_starts
    from physics.core.processors import processors

    file, folder = Path(arguments.scenario), Path(arguments.output)
    scenario = scenario_from(arguments)
    for option in _ROCKS_ONLY:
        if getattr(arguments, option):
            raise ScenarioError(
                f"--{option}", N_("applies to ensembles of rocks, got kind '{kind}'", scenario.kind), file
            )
    check_new_folder(folder)
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            ensemble = StartEnsemble(scenario)
            progress.note(note for one in ensemble.series for note in one.world.notes)
            ensemble.prepare()
        with closing(ensemble.march(arguments.workers or processors())) as march:
            for done in march:
                progress.show(tr("runs"), done, ensemble.runs, counted=True)
    write_starts(folder, ensemble)
    if not arguments.quiet:
        print(*map(one_line, share_lines(ensemble)), sep="\n")
    return 0


def figure(arguments: Namespace) -> int:
    """``polhode figure``: a figure or a table of the papers."""
    from app.figures import FIGURES, draw, drawing_of
    from app.plots.print_style import style, write

    if [arguments.name, arguments.output].count(None) != 2 * arguments.list:
        raise ScenarioError("", N_("expected NAME and -o OUT, or --list without them; see polhode figure --help"))
    if arguments.list:
        if arguments.json:
            print(json.dumps({drawing.name: drawing.shows for drawing in FIGURES.values()}, indent=2))
        else:
            width = max(map(len, FIGURES)) + 2
            for drawing in FIGURES.values():
                print(f"{drawing.name:{width}}{drawing.shows}")
        return 0
    drawing = drawing_of(arguments.name)
    drawing.check(arguments.output)
    own = load_scenario(arguments.scenario).export.language if drawing.chosen and arguments.scenario else "en"
    use("en" if Path(arguments.output).suffix.lower() == ".csv" else arguments.language or own)
    with style():
        made = draw(arguments.name, arguments.scenario, arguments.scheme, arguments.rocks)
        write(made, Path(arguments.output))
    return 0


def bench(arguments: Namespace) -> int:
    """``polhode bench``: the benchmarks."""
    from app.bench import BENCHMARKS, measure

    names = list(BENCHMARKS) if arguments.name is None else [arguments.name]
    for name in names:
        if name not in BENCHMARKS:
            raise ScenarioError(
                "", N_("'{name}' is not a benchmark; expected one of {benchmarks}", name, ", ".join(BENCHMARKS))
            )
    say = (lambda text: None) if arguments.json else print
    found = {name: measure(name, say) for name in names}
    if arguments.json:
        print(json.dumps(found, indent=2))
    return 0


def _ending(run: Trajectory, scenario: Scenario) -> str:
    """Reason why a run ended and, for a free body, its errors of energy and angular momentum."""
    text = run.events[-1].text if run.events else N_("{scheme}: {count} states", run.scheme, len(run))
    if not torque_free(scenario) or not run.since("spin_scale")[0]:
        return text  # a body that does not turn has no relative errors
    energy, spin = np.abs(energy_error(run)).max(), spin_error(run).max()
    return N_(
        "{text}; largest relative error of energy {energy:.2g}, of angular momentum {spin:.2g}", text, energy, spin
    )


_LONGEST = ("rock-", "joints-pendulum", "joints-")  # beginnings of names that compile longest: first


def warm(arguments: Namespace) -> int:
    """``polhode warm``: compile the kernels of some examples, or of all; those in the cache are not compiled again."""
    if arguments.listen:
        threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    examples = assets.examples()
    for name in arguments.examples:
        if name not in examples:
            raise ScenarioError(
                "", N_("no example is called '{name:.60}'; expected some of {examples}", name, ", ".join(examples))
            )
    if not jit.keeps_kernels():
        raise PhysicsError(N_("no folder to keep kernels in; they are compiled each time that the program runs"))
    names = arguments.examples or sorted(examples, key=lambda name: [not name.startswith(one) for one in _LONGEST])
    began = time.monotonic()
    with Progress(arguments.progress, arguments.quiet) as progress:
        for done, name in enumerate(names):
            progress.show(tr("compiling what {name} uses").format(name=name), done, len(names), counted=True)
            if not jit.is_warm(name):
                with building():
                    compile_for(load_scenario(examples[name]))
                jit.note_warm(name)
    if not arguments.quiet:
        text = tr("the kernels of {count} examples are ready after {seconds:.0f} s")
        print(text.format(count=len(names), seconds=time.monotonic() - began))
    return 0


def _end_with_input() -> None:
    """End the process when standard input ends, as when the window that started it has closed; cached kernels stay."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


def compile_for(scenario: Scenario) -> None:
    """Take the first steps of all lanes of a scenario, and prepare its picture: kernels compile at their first call."""
    prepare = kind_of(scenario).prepare
    for world in Schedule.of(scenario).worlds():
        for lane in scenario.schemes:
            blocks = stream(world, lane, rows=1)
            next(blocks)  # the initial state
            next(blocks, None)
        if prepare is not None and (later := prepare(world)) is not None:
            later()


_ROCKS_ONLY = ("dask", "resume", "parquet", "paths", "counts", "posterior")
