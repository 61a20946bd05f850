"""Commands that compute: ``run``, ``compare``, ``ensemble``, ``gather``, ``figure``, ``bench``, ``warm``.

Each takes the parsed arguments and returns the exit status.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from argparse import Namespace
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import assets
from app.cli.overrides import building, computed, scenario_from
from app.cli.progress import Progress
from app.document.open import scenario_for
from app.kinds import kind_of
from app.playback.verdicts import HEADINGS, verdict_table, verdicts
from app.system.language import plural, tr, use
from app.system.sentences import translated
from app.system.terminal import aligned, one_line
from physics import PhysicsError, Scenario, ScenarioError, Trajectory, World, load_scenario
from physics.analysis.comparison import compare_lane
from physics.analysis.invariants import energy_error, spin_error
from physics.bodies import compound
from physics.core import jit
from physics.core.archives import pyarrow_or_sentence
from physics.core.errors import naming
from physics.core.trajectory import DOUBT
from physics.ensembles.start_ensemble import StartEnsemble
from physics.io import ramms
from physics.io.trajectory_writers import ENDINGS, check_new_folder, check_output, save
from physics.simulation.schedule import Schedule, stream
from physics.systems import kinds_of, system_of, torque_free
from physics.systems.rockfall.world import RockfallWorld

if TYPE_CHECKING:
    from physics.ensembles.ensemble import Results
    from physics.ensembles.results_folder import Outcome


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
    failed = [e.text for run in runs.values() for e in run.events if e.failed]
    if not arguments.quiet:
        for trajectory in runs.values():
            print(one_line(translated(_ending(trajectory, scenario))))
    if doubts := failed + [e.text for run in runs.values() for e in run.events if e.kind == DOUBT]:
        print("polhode:", one_line("; ".join(map(translated, doubts))), file=sys.stderr)
    return 1 if failed else 0


def compare(arguments: Namespace) -> int:
    """``polhode compare``: each lane beside the true motion, as a table with a sentence for each, or as JSON."""
    file, scenario = Path(arguments.scenario), scenario_from(arguments)
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            compile_for(scenario)  # no lane's cost is to hold what is loaded once
        world, lanes = computed(scenario, file, progress, truth=True)
        found = [compare_lane(lane.world, lane.trajectory, lane.truths[lane.scheme.name]) for lane in lanes]
    if arguments.json:
        body: dict[str, Any] = {"body": compound.facts(world.body)}
        if world.body_names:
            named = zip(world.body_names, world.bodies, strict=True)
            body = {"bodies": {name: compound.facts(one) for name, one in named}, "notes": world.notes}
        facts = {"scenario": str(file), **body, "lanes": {one.lane: one.facts() for one in found}}
        print(json.dumps(facts, indent=2))
    else:
        print("\n".join(aligned([[*map(tr, HEADINGS)], *map(list, verdict_table(lanes))])))
        print("\n" + "\n".join(map(one_line, verdicts(lanes))))
    if failed := [event.text for lane in lanes for event in lane.trajectory.events if event.failed]:
        print("polhode:", one_line("; ".join(map(translated, failed))), file=sys.stderr)
    return 1 if failed else 0


def ensemble(arguments: Namespace) -> int:
    """``polhode ensemble``: many rocks, statistics and maps; or many runs whose starts are drawn."""
    from app.export.study_report import write_study
    from physics.ensembles.checkpoint import CheckpointWriter, claimed
    from physics.ensembles.ensemble import Ensemble
    from physics.ensembles.identity import check_done, identity
    from physics.ensembles.results_folder import Outcome, save_outcome

    file, folder = Path(arguments.scenario), Path(arguments.output)
    requested = scenario_for(file)
    if system_of(requested).starts is not None:
        return start_ensemble(arguments)
    if not system_of(requested).ensembles:
        expected = kinds_of(lambda row: row.ensembles or row.starts is not None)
        raise ScenarioError("kind", f"an ensemble expects {expected}, got '{requested.kind}'", file)
    scenario = scenario_from(arguments)
    if arguments.resume and os.path.isfile(folder / "summary.json"):
        check_done(folder / "summary.json", identity(scenario))
        if not arguments.quiet:
            print(tr("{folder}: complete since an earlier call").format(folder=one_line(folder)))
        return 0
    check_new_folder(folder)
    if arguments.parquet:
        pyarrow_or_sentence()
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            world = World.of(scenario)
            progress.note(world.notes)
            rocks = Ensemble(world)
        with claimed(folder), CheckpointWriter(folder, rocks, arguments.resume) as keeper:
            check_new_folder(folder)  # another process may just have ended
            if keeper.damaged and not arguments.quiet:
                note = tr("a damaged checkpoint was skipped; {number} rocks are kept").format(number=keeper.kept)
                print(f"polhode: {one_line(keeper.folder)}: {note}", file=sys.stderr)
            if arguments.dask is None:
                marching = rocks.march(arguments.workers)
            else:
                from physics.ensembles.cluster import march as cluster_march

                marching = cluster_march(rocks, arguments.dask)
            with closing(marching) as march:
                progress.show(tr("rocks"), rocks.done, rocks.rocks)
                for done in march:
                    progress.show(tr("rocks"), done, rocks.rocks, counted=True)
                    keeper.keep()
            outcome = Outcome.of(rocks)
            also = partial(write_study, rocks.world, outcome) if outcome.study is not None else None
            save_outcome(folder, outcome, arguments.parquet, arguments.paths, arguments.counts, also)
    if not arguments.quiet:
        _print_ends(rocks.results)
    _print_doubts(outcome)
    return 0


def start_ensemble(arguments: Namespace) -> int:
    """Compute the runs of all lanes and of the scenario's batch; write runs.csv, summary.json and a figure."""
    from app.plots.result_figures import share_lines, write_starts
    from physics.ensembles.ensemble import processors

    file, folder = Path(arguments.scenario), Path(arguments.output)
    scenario = scenario_from(arguments)
    for option in _ROCKS_ONLY:
        if getattr(arguments, option):
            raise ScenarioError(f"--{option}", f"applies to ensembles of rocks, got kind '{scenario.kind}'", file)
    check_new_folder(folder)
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            ensemble = StartEnsemble(scenario)
            progress.note(ensemble.series[0].world.notes)
            ensemble.prepare()
        with closing(ensemble.march(arguments.workers or processors())) as march:
            for done in march:
                progress.show(tr("runs"), done, ensemble.runs, counted=True)
    write_starts(folder, ensemble)
    if not arguments.quiet:
        print(*map(one_line, share_lines(ensemble)), sep="\n")
    return 0


def gather(arguments: Namespace) -> int:
    """``polhode gather``: merge ensembles of parts of a map."""
    from physics.ensembles.results_folder import gather

    if arguments.parquet:
        pyarrow_or_sentence()
    folders = [Path(folder) for folder in arguments.folders]
    outcome = gather(folders, Path(arguments.output), arguments.parquet, arguments.counts)
    _print_ends(outcome.results)
    _print_doubts(outcome)
    return 0


def _print_doubts(outcome: Outcome) -> None:
    """Report for which schemes the step was too coarse for some rocks, and which rocks start in the ground."""
    from physics.ensembles.ensemble import doubts

    sunk = [sentence for found in outcome.results.values() for sentence in found.sunk()]
    for doubt in dict.fromkeys([*doubts(outcome.facts["coarse_steps"], outcome.facts["scenario"]["step"]), *sunk]):
        print("polhode:", translated(doubt), file=sys.stderr)


def _print_ends(results: dict[str, Results]) -> None:
    """Print for each scheme how its rocks ended."""
    for name, found in results.items():  # the reasons are those of rocks.csv
        ends = ", ".join(f"{reason} {count}" for reason, count in sorted(found.reasons.items()))
        rocks = plural("{number} rock", "{number} rocks", len(found.rows)).format(number=len(found.rows))
        print(f"{name}: {rocks}; {ends}{_unstopped(found)}")


def _unstopped(found: Results) -> str:
    """Bounds of the run-out where some rocks did not come to rest; "" where all did."""
    from physics.ensembles import rock_rows
    from physics.ensembles.statistics import summary_of

    if not (share := rock_rows.censored_share(found.reasons)):
        return ""
    known, median = summary_of(found.rows.column("runout")), rock_rows.median_runout(found.rows)
    text = (
        tr(
            "{share:.1%} not at rest: the run-out is at least {mean:.4g} m in the mean and {least:.4g} m in the "
            "median, which by Kaplan and Meier is not reached"
        )
        if median is None
        else tr(
            "{share:.1%} not at rest: the run-out is at least {mean:.4g} m in the mean and {least:.4g} m in the "
            "median, which by Kaplan and Meier is {median:.4g} m"
        )
    )
    return f"; {text.format(share=share, mean=known['mean'], least=known['median'], median=median)}"


def figure(arguments: Namespace) -> int:
    """``polhode figure``: a figure or a table of the papers."""
    from app.figures import FIGURES, draw, drawing_of
    from app.plots.print_style import style, write

    if [arguments.name, arguments.output].count(None) != 2 * arguments.list:
        raise ScenarioError("", "expected NAME and -o OUT, or --list without them; see polhode figure --help")
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
            raise ScenarioError("", f"'{name}' is not a benchmark; expected one of {', '.join(BENCHMARKS)}")
    say = (lambda text: None) if arguments.json else print
    found = {name: measure(name, say) for name in names}
    if arguments.json:
        print(json.dumps(found, indent=2))
    return 0


def _ending(run: Trajectory, scenario: Scenario) -> str:
    """Why a run ended and, for a free body, its errors of energy and angular momentum."""
    text = run.events[-1].text if run.events else f"{run.scheme}: {len(run)} states"
    if not torque_free(scenario) or not run.spin[0].any():
        return text  # a body that does not turn has no relative errors
    energy, spin = np.abs(energy_error(run)).max(), spin_error(run).max()
    return f"{text}; largest relative error of energy {energy:.2g}, of angular momentum {spin:.2g}"


_LONGEST = ("rock-", "joints-pendulum", "joints-")  # beginnings of names that compile longest: first


def warm(arguments: Namespace) -> int:
    """``polhode warm``: compile the kernels of some examples, or of all; those in the cache are not compiled again."""
    if arguments.listen:
        threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    examples = assets.examples()
    for name in arguments.examples:
        if name not in examples:
            raise ScenarioError("", f"no example is called '{name:.60}'; expected some of {', '.join(examples)}")
    if not jit.keeps_kernels():
        raise PhysicsError("no folder to keep kernels in; they are compiled each time that the program runs")
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
        print(f"the kernels of {len(names)} examples are ready after {time.monotonic() - began:.0f} s")
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
