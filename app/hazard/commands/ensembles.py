"""Commands that let many rocks fall: ``ensemble``, ``gather``."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import closing
from pathlib import Path

from app.cli.compute import start_ensemble
from app.cli.overrides import building, notes_of, scenario_from
from app.cli.progress import Progress
from app.document.open import scenario_for
from app.hazard.study_report import gather_with_study, save_with_study
from app.system.language import plural, tr, translated
from app.system.terminal import one_line
from physics import ScenarioError, World
from physics.core.archives import pyarrow_or_sentence
from physics.core.errors import naming
from physics.core.wording import N_, per_cent
from physics.ensembles.identity import check_done
from physics.hazard import rock_rows
from physics.hazard.checkpoint import CheckpointWriter, claimed
from physics.hazard.cluster import march as cluster_march
from physics.hazard.ensemble import Ensemble, Results, doubts, identity_of
from physics.hazard.results_folder import Outcome
from physics.hazard.statistics import summary_of
from physics.io.trajectory_writers import check_new_folder
from physics.systems import kinds_of, system_of


def ensemble(arguments: Namespace) -> int:
    """``polhode ensemble``: many rocks, statistics and maps; or many runs whose starts are drawn."""
    file, folder = Path(arguments.scenario), Path(arguments.output)
    requested = scenario_for(file)
    if system_of(requested).starts is not None:
        return start_ensemble(arguments)
    if not system_of(requested).ensembles:
        expected = kinds_of(lambda row: row.ensembles or row.starts is not None)
        raise ScenarioError("kind", N_("an ensemble expects {expected}, got '{kind}'", expected, requested.kind), file)
    scenario = scenario_from(arguments)
    if arguments.resume and os.path.isfile(folder / "summary.json"):
        check_done(folder / "summary.json", identity_of(scenario))
        if not arguments.quiet:
            print(tr("{folder}: complete since an earlier call").format(folder=one_line(folder)))
        return 0
    check_new_folder(folder)
    if arguments.parquet:
        pyarrow_or_sentence()
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            world = World.of(scenario)
            progress.note(notes_of(world, file))
            rocks = Ensemble(world)
        with claimed(folder), CheckpointWriter(folder, rocks, arguments.resume) as keeper:
            check_new_folder(folder)  # another process may just have ended
            if keeper.damaged and not arguments.quiet:
                note = tr("a damaged checkpoint was skipped; {number} rocks are kept").format(number=keeper.kept)
                print(f"polhode: {one_line(keeper.folder)}: {note}", file=sys.stderr)
            if arguments.dask is None:
                marching = rocks.march(arguments.workers)
            else:
                marching = cluster_march(rocks, arguments.dask)
            with closing(marching) as march:
                progress.show(tr("rocks"), rocks.done, rocks.rocks)
                for done in march:
                    progress.show(tr("rocks"), done, rocks.rocks, counted=True)
                    keeper.keep()
            written = {"parquet": arguments.parquet, "paths": arguments.paths, "counts": arguments.counts}
            outcome = save_with_study(folder, rocks, **written)
    if not arguments.quiet:
        _print_ends(rocks.results)
    _print_doubts(outcome)
    return 0


def gather(arguments: Namespace) -> int:
    """``polhode gather``: merge ensembles of parts of a map."""
    if arguments.parquet:
        pyarrow_or_sentence()
    folders = [Path(folder) for folder in arguments.folders]
    written = {"parquet": arguments.parquet, "counts": arguments.counts}
    outcome, missing = gather_with_study(folders, Path(arguments.output), **written)
    _print_ends(outcome.results)
    if missing:
        print("polhode:", tr("no plans and no report: {reason}").format(reason=translated(missing)), file=sys.stderr)
    _print_doubts(outcome)
    return 0


def _print_doubts(outcome: Outcome) -> None:
    """Report for which schemes the step was too coarse for some rocks, and which rocks start in the ground."""
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
    if not (share := rock_rows.censored_share(found.reasons)):
        return ""
    known, median = summary_of(found.rows.column("runout")), rock_rows.median_runout(found.rows)
    text = (
        tr(
            "{share} not at rest: the run-out is at least {mean:.4g} m in the mean and {least:.4g} m in the "
            "median, which by Kaplan and Meier is not reached"
        )
        if median is None
        else tr(
            "{share} not at rest: the run-out is at least {mean:.4g} m in the mean and {least:.4g} m in the "
            "median, which by Kaplan and Meier is {median:.4g} m"
        )
    )
    return f"; {text.format(share=per_cent(share, 1), mean=known['mean'], least=known['median'], median=median)}"
