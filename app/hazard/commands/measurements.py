"""Commands that compare rocks with measured ones: ``benchmark``, ``fit``, ``validate``."""

from __future__ import annotations

import html
import json
import time
from argparse import Namespace
from contextlib import closing, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

import assets
from app.cli.options import check_kept
from app.cli.overrides import building, scenario_from
from app.cli.progress import Progress
from app.document.open import scenario_for
from app.document.toml_writer import toml_text
from app.export.collection import html_page
from app.hazard.commands.entries import score_entries
from app.hazard.figures import field_sites
from app.hazard.figures.run_out import figure, fit_figure, parameter_table, rank_table, score_table, table, text_table
from app.plots.print_style import FIGURES, PrintTable, style, write, write_either
from app.system.language import speaking, tr, translated, used
from app.system.own_words import title_of
from app.system.signals import finishing
from app.system.terminal import one_line
from physics import Scenario, ScenarioError
from physics.core.errors import naming
from physics.core.json_text import json_text
from physics.core.processors import processors
from physics.core.wording import N_
from physics.hazard import validation
from physics.hazard.ensemble import Ensemble, coarse_of, doubts
from physics.hazard.fit import FallingRocks, Fit, runs_of
from physics.hazard.fit_parameters import Bounds, changed, parameters_of
from physics.hazard.fit_results import WORDS, Report, fit_facts, fitted_scenario, report, write_trials
from physics.hazard.posterior import most_simulations, posterior, write_draws, write_ranks
from physics.hazard.validation import measured_of
from physics.io.trajectory_writers import check_new_folder, check_output, replacing
from physics.scenario.fingerprints import files_of
from physics.systems.rockfall.blocks import rocks_asked
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import of_rocks
from physics.systems.rockfall.world import RockfallWorld

DEFAULT_ROCKS = 200  # rocks where the scenario has one
SITE_ROCKS = 360  # rocks of each site and set of laws


def validate(arguments: Namespace) -> int:
    """``polhode validate``: compute the rocks of a scenario, and compare their stops with measured ones."""
    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    file = Path(arguments.scenario)
    scenario = scenario_from(arguments)
    with naming(file):
        rocks = rocks_asked(of_rocks(scenario))
        scenario = scenario.changed(**{"ensemble.rocks": rocks if rocks > 1 else DEFAULT_ROCKS})
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            world = RockfallWorld.of(scenario)
            stops = _stops_of(world)
            measured = measured_of(world, stops)  # wrong stops are refused before rocks fall
            progress.note(world.notes)
            ensemble = Ensemble(world)
        with closing(ensemble.march(arguments.workers)) as march:
            for done in march:
                progress.show(tr("rocks"), done, ensemble.rocks, counted=True)
        sunk = (text for results in ensemble.results.values() for text in results.sunk())
        progress.note(dict.fromkeys([*_too_fast(ensemble), *sunk]))
        found = validation.validate(world, measured, ensemble.results)
    title = title_of(scenario) or file.stem
    if output is not None:
        write_either(output, lambda: figure(found, world, stops), lambda: table(found, title))
    if arguments.json:
        facts = {"scenario": str(file), "observed": str(stops.path), "seed": scenario.seed}
        print(json.dumps(facts | found.facts(), indent=2))
    else:
        made = table(found, title)
        print(text_table(made))
        if not arguments.quiet:
            print(f"\n{made.note}")
    return 0


def benchmark(arguments: Namespace) -> int:
    """``polhode benchmark``: ``field``, sites with measured rocks, computed with stated laws; or ``entries``."""
    if arguments.name == "entries":
        return score_entries(arguments)
    for name, given in (("--entry", arguments.entries), ("--stops", arguments.stops), ("--data", arguments.data)):
        if given:
            raise ScenarioError(name, N_("expected beside 'benchmark entries', not 'benchmark {name}'", arguments.name))
    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    files = [Path(name) for name in arguments.scenarios]
    asked = [field_sites.tschamut(), *(of_rocks(scenario_for(file)) for file in files)]
    check_kept(arguments, chain.from_iterable(map(files_of, asked)))
    built, files = [], [assets.SCENARIOS / "rock-tschamut.toml", *files]
    with Progress(arguments.progress, arguments.quiet) as progress:
        for scenario, file in zip(asked, files, strict=True):  # wrong ones are refused before rocks fall
            with building(progress), naming(file):
                worlds = field_sites.worlds_of(
                    of_rocks(scenario.changed(**{"ensemble.rocks": arguments.rocks or SITE_ROCKS}))
                )
                built.append((worlds, field_sites.measured_at(worlds[0], _stops_of(worlds[0]))))
            progress.note(worlds[0].notes)
        shown = partial(progress.show, tr("rocks"), counted=True)
        sites = [field_sites.site(worlds, measured, shown) for worlds, measured in built]
        with speaking("en" if arguments.json else used()):
            rows = field_sites.rows_of(sites, shown)
    made = field_sites.table(rows)
    if output is not None:
        write_either(output, lambda: field_sites.figure(sites), lambda: made)
    if arguments.json:
        print(json_text([row._asdict() for row in rows], 2))
        return 0
    print(text_table(made))
    if not arguments.quiet:
        print(f"\n{made.note}")
    return 0


ROCKS_PER_RUN = 20  # rocks of each run, in all trials
INTERRUPTED = 130  # the status after Ctrl+C


def _stops_of(world: RockfallWorld) -> Stops:
    """The measured stops of a world; ScenarioError where it has none."""
    if (stops := world.observed.stops) is None:
        raise ScenarioError("observed.stops", N_("missing; expected a file of measured stops, or --observed"))
    return stops


def fit(arguments: Namespace) -> int:
    """``polhode fit``: search, judge by the runs that were held out, and write the result and its quality."""
    file, folder = Path(arguments.scenario), check_new_folder(arguments.output)
    asked = scenario_from(arguments)
    interrupted, began = False, time.monotonic()
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            world = RockfallWorld.of(of_rocks(asked))
            stops, search, falling = _begun(world, arguments)
        progress.note([*world.notes, _pairing(search.runs.paired)])
        with falling:
            with building():
                search.prepare()
            progress.note(_fallen(search.scenario, arguments.workers))
            try:
                with naming(file):
                    search.search(lambda: progress.show(tr("trials"), len(search.trials), search.budget, counted=True))
            except KeyboardInterrupt:
                if search.best() is None:
                    raise
                interrupted = True
            rate = len(search.trials) / (time.monotonic() - began)
            with finishing() if interrupted else nullcontext():  # judging takes longer than an ended process may
                outcome, drawn = search.outcome(interrupted), None
                if arguments.draws and not interrupted:
                    most = most_simulations(arguments.draws)
                    drawn = posterior(
                        search,
                        arguments.draws,
                        np.array(outcome.best.values),
                        lambda done: progress.show(tr("trials of the posterior"), done, most, counted=True),
                    )
                found = report(world, stops, search, outcome, drawn)
                _write(folder, found)
            if not interrupted:
                progress.note(_fallen(changed(search.scenario, found.values), arguments.workers))
    _print_result(found, rate, arguments)
    return INTERRUPTED if interrupted else 0


def _too_fast(ensemble: Ensemble) -> list[str]:
    """Sentences on rocks of an ensemble that were too fast for the step."""
    world = ensemble.world
    coarse = {name: coarse_of(world.of_lane(name), results.rows) for name, results in ensemble.results.items()}
    return doubts(coarse, world.scenario.step)


def _fallen(scenario: Scenario, workers: int | None) -> list[str]:
    """The same of the rocks of a scenario: those of trials leave no more than their stops."""
    ensemble = Ensemble(RockfallWorld.of(scenario))
    with closing(ensemble.march(workers)) as march:
        for _ in march:
            pass
    return _too_fast(ensemble)


def _begun(world: RockfallWorld, arguments: Namespace) -> tuple[Stops, Fit, FallingRocks]:
    """The measured stops, their fit without trials yet, and the rocks that fall for it."""
    stops, asked = _stops_of(world), world.scenario
    parameters = parameters_of(asked, [Bounds(*one) for one in arguments.free])
    runs = runs_of(world, stops, arguments.holdout, asked.seed)
    scenario = of_rocks(asked.changed(**{"ensemble.rocks": arguments.rocks or ROCKS_PER_RUN * len(runs)}))
    falling = FallingRocks(scenario, arguments.workers or processors())
    return stops, Fit(scenario, parameters, runs, falling, arguments.trials), falling


def _pairing(paired: bool) -> str:
    if paired:
        return N_("each measured run is compared with rocks of its own, which start where it did")
    return N_(
        "all measured runs are compared with all rocks: these do not start, one after the other, where the runs did"
    )


def _write(folder: Path, found: Report) -> None:
    """Write the folder, whole or not at all."""
    with replacing(folder) as part:
        part.mkdir()
        (part / "fitted.toml").write_text(toml_text(fitted_scenario(found).portable()), encoding="utf-8")
        (part / "summary.json").write_text(json_text(fit_facts(found), 2) + "\n", encoding="utf-8")
        write_trials(part / "trials.csv", found)
        if found.posterior is not None:
            write_draws(part / "posterior.csv", found.fit, found.posterior)
            write_ranks(part / "ranks.csv", found.fit, found.posterior)
        with style():
            made = fit_figure(found)
            for ending in (".pdf", ".svg", ".png"):
                write(made, part / f"fit{ending}")
        (part / "index.html").write_text(_page(found), encoding="utf-8")


def _page(found: Report) -> str:
    """The result page: what was fitted, on which runs, and the remaining differences."""
    tables = _tables(found)
    runs = (
        f"{tr(WORDS[name])}: {', '.join(str(row + 1) for row in np.flatnonzero(part))}"
        for name, part in found.runs.parts.items()
    )
    worth = tr(
        "Numbers fitted to runs show how closely the laws can match these. Their accuracy for other "
        "slopes, blocks or runs is unknown, except for the held-out runs."
    )
    drawn = tr("Scores over the parameters, run-outs, sensitivities")
    rows = tr("Rows of {file}, {runs}.").format(file=found.stops.path.name, runs="; ".join(runs))
    words = [
        f"<p><strong>{html.escape(_summary(found))}</strong></p>",
        f"<p>{html.escape(worth)}</p>",
        f'<img src="fit.png" alt="{html.escape(drawn)}">',
        *(f"<h2>{html.escape(made.title)}</h2><pre>{html.escape(text_table(made))}</pre>" for made in tables),
        *(f"<small>{html.escape(made.note)}</small>" for made in tables if made.note),
        f"<p>{html.escape(rows)}</p>",
        *(f'<p><a href="{name}">{name}</a></p>' for name in ("fitted.toml", "trials.csv", "summary.json", "fit.pdf")),
    ]
    if found.posterior is not None:
        words += [f'<p><a href="{name}">{name}</a></p>' for name in ("posterior.csv", "ranks.csv")]
    title = tr("{title}: a fit, not a prediction").format(title=title_of(found.asked) or tr("Rockfall"))
    return html_page(title, "\n".join(words))


def _tables(found: Report) -> list[PrintTable]:
    tables = [parameter_table(found), score_table(found)]
    return tables if found.posterior is None else [*tables, rank_table(found.posterior)]


def _summary(found: Report) -> str:
    """The summary of a fit in the language in use."""
    return " ".join(map(translated, found.sentences))


def _print_result(found: Report, rate: float, arguments: Namespace) -> None:
    """Print the numbers, as text or as one JSON document."""
    if arguments.json:
        print(json_text(fit_facts(found), 2))
        return
    tables = _tables(found)
    print("\n\n".join(map(text_table, tables)))
    if not arguments.quiet:
        notes = "\n\n".join(made.note for made in tables if made.note)
        pace = tr("{number} trials, {rate:.2g} a second").format(number=len(found.outcome.trials), rate=rate)
        print(f"\n{notes}\n\n{one_line(_summary(found))}\n{pace}")
