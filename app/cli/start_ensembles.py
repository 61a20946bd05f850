"""``polhode ensemble`` of a scenario whose starts are drawn: what became of each run, and the share that did it."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing
from pathlib import Path

from app.cli.overrides import building, scenario_asked
from app.cli.progress import Progress
from app.system.language import tr
from app.system.terminal import one_line
from physics import ScenarioError
from physics.core.errors import naming
from physics.ensembles.start_ensemble import Series, StartEnsemble, sampling_of

_ROCKS_ONLY = ("dask", "resume", "parquet", "paths", "counts")


def start_ensemble(arguments: Namespace) -> int:
    """Make the runs of all lanes and of the scenario's batch; write runs.csv, summary.json and a figure."""
    from app.plots.print_style import style, write
    from app.plots.result_figures import share_figure, swept
    from physics.ensembles.ensemble import processors
    from physics.ensembles.start_folder import write_start_results
    from physics.io.trajectory_writers import check_new_folder, replacing

    file, folder = Path(arguments.scenario), Path(arguments.output)
    scenario = scenario_asked(arguments)
    for option in _ROCKS_ONLY:
        if getattr(arguments, option):
            raise ScenarioError(f"--{option}", f"serves ensembles of rocks, got kind '{scenario.kind}'", file)
    check_new_folder(folder)
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(), naming(file):
            ensemble = StartEnsemble(scenario)
            progress.note(ensemble.series[0].world.notes)
            ensemble.prepare()
        with closing(ensemble.march(arguments.workers or processors())) as march:
            for done in march:
                progress.show(tr("runs"), done, ensemble.runs, counted=True)
    with replacing(folder) as part:
        part.mkdir()
        write_start_results(part, ensemble)
        if swept(ensemble.series):
            with style():
                made = share_figure(ensemble.series, scenario.title)
                for ending in (".pdf", ".png"):
                    write(made, part / f"share{ending}")
    if not arguments.quiet:
        for one in ensemble.series:
            print(one_line(_told(one)))
    return 0


def _told(one: Series) -> str:
    """The share of one series in one line."""
    found, event = one.share, tr(sampling_of(one.world.scenario).event)
    name = ", ".join([one.lane, *(f"{field} {value}" for field, value in one.values.items())])
    if not found.runs:
        return tr("{name}: no run has a solution to its end").format(name=name)
    low, high = (100.0 * bound for bound in found.bounds)
    text = tr("{name}: {event} {count} of {runs}, {share:.3g} % (95 %: {low:.3g} to {high:.3g} %)").format(
        name=name, event=event, count=found.count, runs=found.runs, share=100.0 * found.share, low=low, high=high
    )
    return text + (tr("; {number} without a solution").format(number=found.failed) if found.failed else "")
