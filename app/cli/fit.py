"""``polhode fit``: a few numbers of a scenario, fitted to measured run-outs; takes the parsed arguments."""

from __future__ import annotations

import html
import time
from argparse import Namespace
from pathlib import Path

import numpy as np

from app.cli.overrides import building, scenario_asked
from app.cli.progress import Progress
from app.system.language import tr
from app.system.sentences import told
from app.system.terminal import one_line
from physics import ScenarioError
from physics.core.errors import naming
from physics.core.json_text import json_text
from physics.ensembles.ensemble import processors
from physics.ensembles.falling_rocks import FallingRocks
from physics.ensembles.fit import Fit
from physics.ensembles.fit_parameters import Bounds, parameters_of
from physics.ensembles.fit_results import WORDS, Report, facts, fitted_scenario, report, write_trials
from physics.ensembles.fit_runs import runs_of
from physics.io.trajectory_writers import check_new_folder, replacing
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import of_rocks
from physics.systems.rockfall.world import RockfallWorld

ROCKS = 20  # of each run, in all trials
INTERRUPTED = 130  # the status after Ctrl+C


def fit(arguments: Namespace) -> int:
    """``polhode fit``: search, judge by what was held out, and write what was found and what it is worth."""
    file, folder = Path(arguments.scenario), check_new_folder(arguments.output)
    asked = scenario_asked(arguments)
    interrupted, began = False, time.monotonic()
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(), naming(file):
            world = RockfallWorld.of(of_rocks(asked))
            stops, search, falling = _begun(world, arguments)
        progress.note([*world.notes, _pairing(search.runs.paired)])
        with falling:
            with building():
                search.prepare()
            try:
                with naming(file):
                    search.search(lambda: progress.show(tr("trials"), len(search.trials), search.budget, counted=True))
            except KeyboardInterrupt:
                if search.best() is None:
                    raise
                interrupted = True
            rate = len(search.trials) / (time.monotonic() - began)
            found = report(world, stops, search, search.outcome(interrupted))
    _write(folder, found)
    _tell(found, rate, arguments)
    return INTERRUPTED if interrupted else 0


def _begun(world: RockfallWorld, arguments: Namespace) -> tuple[Stops, Fit, FallingRocks]:
    """The measured stops, the fit of them, still without trials, and what lets its rocks fall."""
    if (stops := world.observed.stops) is None:
        raise ScenarioError("observed.stops", "missing; expected a file of measured stops, or --observed")
    asked = world.scenario
    parameters = parameters_of(asked, [Bounds(*one) for one in arguments.free])
    runs = runs_of(world, stops, arguments.holdout, asked.seed)
    scenario = of_rocks(asked.changed(**{"ensemble.rocks": arguments.rocks or ROCKS * len(runs)}))
    falling = FallingRocks(scenario, arguments.workers or processors())
    return stops, Fit(scenario, parameters, runs, falling, arguments.trials), falling


def _pairing(paired: bool) -> str:
    if paired:
        return "each measured run is compared with rocks of its own, which start where it did"
    return "all measured runs are compared with all rocks: these do not start, one after the other, where the runs did"


def _write(folder: Path, found: Report) -> None:
    """The folder, whole or not at all."""
    from app.document.toml_writer import toml_text
    from app.figures.run_out import fit_figure
    from app.plots.print_style import style, write

    with replacing(folder) as part:
        part.mkdir()
        (part / "fitted.toml").write_text(toml_text(fitted_scenario(found).portable()), encoding="utf-8")
        (part / "summary.json").write_text(json_text(facts(found), 2) + "\n", encoding="utf-8")
        write_trials(part / "trials.csv", found)
        with style():
            made = fit_figure(found)
            for ending in (".pdf", ".svg", ".png"):
                write(made, part / f"fit{ending}")
        (part / "index.html").write_text(_page(found), encoding="utf-8")


def _page(found: Report) -> str:
    """What was fitted, on which runs, and how far apart both still are."""
    from app.export.collection import page
    from app.figures.run_out import parameter_table, plain, score_table

    scores = score_table(found)
    runs = (
        f"{tr(WORDS[name])}: {', '.join(str(row + 1) for row in np.flatnonzero(part))}"
        for name, part in found.runs.parts.items()
    )
    worth = tr(
        "Numbers that were fitted to runs say how near the laws can come to these. What they say of other slopes, "
        "other blocks or other runs is not known, but for the runs that were held out."
    )
    drawn = tr("Scores over the parameters, run-outs, sensitivities")
    rows = tr("Rows of {file}, {runs}.").format(file=found.stops.path.name, runs="; ".join(runs))
    words = [
        f"<p><strong>{html.escape(_says(found))}</strong></p>",
        f"<p>{html.escape(worth)}</p>",
        f'<img src="fit.png" alt="{html.escape(drawn)}">',
        *(
            f"<h2>{html.escape(made.title)}</h2><pre>{html.escape(plain(made))}</pre>"
            for made in (parameter_table(found), scores)
        ),
        f"<small>{html.escape(scores.note)}</small>",
        f"<p>{html.escape(rows)}</p>",
        *(f'<p><a href="{name}">{name}</a></p>' for name in ("fitted.toml", "trials.csv", "summary.json", "fit.pdf")),
    ]
    title = tr("{title}: a fit, not a prediction").format(title=told(found.asked.title) or tr("Rockfall"))
    return page(title, "\n".join(words))


def _says(found: Report) -> str:
    """What was fitted and what it is worth, in the language in use."""
    return " ".join(map(told, found.sentences))


def _tell(found: Report, rate: float, arguments: Namespace) -> None:
    """The numbers, for people or as one JSON document."""
    from app.figures.run_out import parameter_table, plain, score_table

    if arguments.json:
        print(json_text(facts(found), 2))
        return
    scores = score_table(found)
    print(f"{plain(parameter_table(found))}\n\n{plain(scores)}")
    if not arguments.quiet:
        pace = tr("{number} trials, {rate:.2g} a second").format(number=len(found.outcome.trials), rate=rate)
        print(f"\n{scores.note}\n\n{one_line(_says(found))}\n{pace}")
