"""Commands that compare with measurements: ``benchmark``, ``fit``, ``identify``, ``validate``.

Each takes the parsed arguments and returns the exit status.
"""

from __future__ import annotations

import html
import json
import math
import time
from argparse import Namespace
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

import assets
from app.cli.overrides import building, scenario_from
from app.cli.progress import Progress
from app.document.open import scenario_for
from app.document.session import scenario_toml
from app.kinds.measured_body import flight, identified, is_by_residual, tossed
from app.system.language import Code, speaking, tr, use, used
from app.system.sentences import translated
from app.system.terminal import one_line
from physics import PhysicsError, ScenarioError
from physics.analysis.identification import SURE, Identification
from physics.analysis.identification import identify as found_in
from physics.core.conf_files import first_conf
from physics.core.errors import naming
from physics.core.json_text import json_text
from physics.core.rotation import matrix
from physics.ensembles.ensemble import processors
from physics.ensembles.fit import FallingRocks, Fit, runs_of
from physics.ensembles.fit_parameters import Bounds, parameters_of
from physics.ensembles.fit_results import WORDS, Report, facts, fitted_scenario, report, write_trials
from physics.ensembles.posterior import most_simulations, posterior, write_draws
from physics.io.trajectory_writers import check_new_folder, check_output, replacing
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import MeasuredMotion, measured_motion
from physics.systems.measured import measured_tables
from physics.systems.rockfall.blocks import rocks_asked
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import of_rocks
from physics.systems.rockfall.world import RockfallWorld


def identify(arguments: Namespace) -> int:
    """``polhode identify``: fit the exact motion to a sensor's record of free flight."""
    file = Path(first_conf(arguments.file) or arguments.file)
    output = check_output(arguments.output, (".toml",)) if arguments.output else None
    with building():
        motion, folder = _motion(file, arguments.language)
        zero = (motion.table.begin or 0.0) - motion.table.at
        given = [None if one is None else one - zero for one in (arguments.begin, arguments.end)]

        def find(one: MeasuredMotion) -> Identification:
            span = given if None not in given else flight(one)
            begin, end = (other if one is None else one for one, other in zip(given, span, strict=True))
            return found_in(one, begin, end, aligned=arguments.aligned, unbiased=arguments.no_bias)

        motion, found = identified(motion, folder, find)
    if output is not None:
        scenario = tossed(motion, found, arguments.mass, arguments.length)
        with replacing(output) as part:
            part.write_text(scenario_toml(scenario, output.parent), encoding="utf-8")
    by_residual = None in given and is_by_residual(motion, found)
    shown = replace(found, begin=found.begin + zero, end=found.end + zero)
    if arguments.json:
        guessed = {field: getattr(motion.table, field) for field in motion.guessed}
        facts = {"file": str(file), "guessed": guessed, "flight_by_residual": by_residual}
        print(json.dumps(facts | shown.facts(), indent=2))
    else:
        print("\n".join(map(one_line, _lines(shown, motion, by_residual))))
    if not found.fitted:
        raise PhysicsError(". ".join(filter(None, [shown.doubt, motion.guess()])))
    return 0


def _motion(file: Path, language: Code | None) -> tuple[MeasuredMotion, Path]:
    """The measured motion in a file, or the first one of a scenario, whose language is used then; and its folder."""
    if file.suffix.lower() != ".toml":
        return measured_motion(MeasuredConfig(file=str(file.absolute())), file.parent), file.parent
    scenario = scenario_for(file)
    use(language or scenario.export.language)
    tables = measured_tables(scenario)
    if not tables:
        raise ScenarioError("measured", "missing; expected a table [[measured]] with a file", file)
    return measured_motion(tables[0], Path(scenario.folder)), Path(scenario.folder)


def _lines(found: Identification, motion: MeasuredMotion, by_residual: bool) -> list[str]:
    """The result for people: each number with half of its 95 % interval."""
    axes, spread = matrix(found.axes), math.degrees(SURE * found.axes_deviation)
    rates, bias = found.angular_velocity, found.bias
    lines = [
        tr("{file}: {samples} samples from {begin:.4g} to {end:.4g} s").format(
            file=motion.table.file, samples=found.samples, begin=found.begin, end=found.end
        )
    ]
    if by_residual:
        lines.append(tr("The flight is where a free motion fits: no accelerometer shows it"))
    if motion.guessed:
        lines.append(translated(motion.guess()))
    if not found.fitted:
        lines.append(tr("no free motion fits; that which is nearest, and not the body's:"))
    if found.left_out:
        lines.append(tr("{number} of them at the end of the gyroscope's range, left out").format(number=found.left_out))
    lines.append(f"{tr('moments over the largest')}  {_pairs(found.ratios, found.ratio_deviations)}")
    principal = tr("principal axis {letter}, in the sensor's axes")
    lines += [f"{principal.format(letter=letter)}  {_row(axes[:, i])}" for i, letter in enumerate("xyz")]
    lines += [tr("their directions to ± {angle:.2g}°").format(angle=spread)] if spread > 0.0 else []
    lines.append(f"{tr('angular velocity at the first [rad/s]')}  {_pairs(rates, found.velocity_deviations)}")
    if bias.any():
        lines.append(f"{tr('bias of the gyroscope [rad/s]')}  {_pairs(bias, found.bias_deviations)}")
    lines.append(f"{tr('left, root of the mean square')}  {found.residual:.3g} {found.unit}")
    mark_words = tr("at {time:.4g} s: {what}")
    return [*lines, *(mark_words.format(time=mark.time, what=translated(mark.text)) for mark in motion.marks[:5])]


def _pairs(values: np.ndarray, deviations: np.ndarray) -> str:
    """Values, each with half of its interval."""
    pairs = zip(values, deviations, strict=True)
    return "  ".join(f"{value:.5g} ± {SURE * one:.2g}" if one > 0.0 else f"{value:.5g}" for value, one in pairs)


def _row(values: np.ndarray) -> str:
    return " ".join(f"{value:+.4f}" for value in values)


FIGURES = (".png", ".svg", ".pdf")
DEFAULT_ROCKS = 200  # where the scenario has one


def validate(arguments: Namespace) -> int:
    """``polhode validate``: compute the rocks of a scenario, and compare their stops with measured ones."""
    from app.figures.run_out import figure, plain, table
    from app.plots.print_style import style, write
    from physics.ensembles.ensemble import Ensemble
    from physics.ensembles.validation import measured_of
    from physics.ensembles.validation import validate as compare

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
        progress.note(dict.fromkeys(text for results in ensemble.results.values() for text in results.sunk()))
        found = compare(world, measured, ensemble.results)
    title = scenario.title or file.stem
    if output is not None:
        drawn = output.suffix.lower() in FIGURES
        with style(), speaking(used() if drawn else "en"):
            write(figure(found, world, stops) if drawn else table(found, title), output)
    if arguments.json:
        facts = {"scenario": str(file), "observed": str(stops.path), "seed": scenario.seed}
        print(json.dumps(facts | found.facts(), indent=2))
    else:
        made = table(found, title)
        print(plain(made))
        if not arguments.quiet:
            print(f"\n{made.note}")
    return 0


def benchmark(arguments: Namespace) -> int:
    """``polhode benchmark field``: sites with measured rocks, computed with stated laws."""
    from app.figures import field_sites
    from app.figures.run_out import plain
    from app.plots.print_style import style, write

    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    files = [Path(name) for name in arguments.scenarios]
    asked = [field_sites.tschamut(), *(of_rocks(scenario_for(file)) for file in files)]
    built, files = [], [assets.SCENARIOS / "rock-tschamut.toml", *files]
    with Progress(arguments.progress, arguments.quiet) as progress:
        for scenario, file in zip(asked, files, strict=True):  # wrong ones are refused before rocks fall
            with building(progress), naming(file):
                worlds = field_sites.worlds_of(of_rocks(scenario.changed(**{"ensemble.rocks": arguments.rocks})))
                built.append((worlds, field_sites.measured_at(worlds[0], _stops_of(worlds[0]))))
            progress.note(worlds[0].notes)
        shown = partial(progress.show, tr("rocks"), counted=True)
        sites = [field_sites.site(worlds, measured, shown) for worlds, measured in built]
        made = field_sites.table(sites, shown)
    if output is not None:
        drawn = output.suffix.lower() in FIGURES
        with style(), speaking(used() if drawn else "en"):
            write(field_sites.figure(sites) if drawn else made, output)
    print(plain(made))
    if not arguments.quiet:
        print(f"\n{made.note}")
    return 0


ROCKS_PER_RUN = 20  # of each run, in all trials
INTERRUPTED = 130  # the status after Ctrl+C


def _stops_of(world: RockfallWorld) -> Stops:
    """The measured stops of a world; ScenarioError where it has none."""
    if (stops := world.observed.stops) is None:
        raise ScenarioError("observed.stops", "missing; expected a file of measured stops, or --observed")
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
            try:
                with naming(file):
                    search.search(lambda: progress.show(tr("trials"), len(search.trials), search.budget, counted=True))
            except KeyboardInterrupt:
                if search.best() is None:
                    raise
                interrupted = True
            rate = len(search.trials) / (time.monotonic() - began)
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
    _print_result(found, rate, arguments)
    return INTERRUPTED if interrupted else 0


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
        return "each measured run is compared with rocks of its own, which start where it did"
    return "all measured runs are compared with all rocks: these do not start, one after the other, where the runs did"


def _write(folder: Path, found: Report) -> None:
    """Write the folder, whole or not at all."""
    from app.document.toml_writer import toml_text
    from app.figures.run_out import fit_figure
    from app.plots.print_style import style, write

    with replacing(folder) as part:
        part.mkdir()
        (part / "fitted.toml").write_text(toml_text(fitted_scenario(found).portable()), encoding="utf-8")
        (part / "summary.json").write_text(json_text(facts(found), 2) + "\n", encoding="utf-8")
        write_trials(part / "trials.csv", found)
        if found.posterior is not None:
            write_draws(part / "posterior.csv", found.fit, found.posterior)
        with style():
            made = fit_figure(found)
            for ending in (".pdf", ".svg", ".png"):
                write(made, part / f"fit{ending}")
        (part / "index.html").write_text(_page(found), encoding="utf-8")


def _page(found: Report) -> str:
    """The result page: what was fitted, on which runs, and the remaining differences."""
    from app.export.collection import page
    from app.figures.run_out import parameter_table, plain, score_table

    scores = score_table(found)
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
        *(
            f"<h2>{html.escape(made.title)}</h2><pre>{html.escape(plain(made))}</pre>"
            for made in (parameter_table(found), scores)
        ),
        f"<small>{html.escape(scores.note)}</small>",
        f"<p>{html.escape(rows)}</p>",
        *(f'<p><a href="{name}">{name}</a></p>' for name in ("fitted.toml", "trials.csv", "summary.json", "fit.pdf")),
    ]
    if found.posterior is not None:
        words.append('<p><a href="posterior.csv">posterior.csv</a></p>')
    title = tr("{title}: a fit, not a prediction").format(title=translated(found.asked.title) or tr("Rockfall"))
    return page(title, "\n".join(words))


def _summary(found: Report) -> str:
    """The summary of a fit in the language in use."""
    return " ".join(map(translated, found.sentences))


def _print_result(found: Report, rate: float, arguments: Namespace) -> None:
    """Print the numbers, as text or as one JSON document."""
    from app.figures.run_out import parameter_table, plain, score_table

    if arguments.json:
        print(json_text(facts(found), 2))
        return
    scores = score_table(found)
    print(f"{plain(parameter_table(found))}\n\n{plain(scores)}")
    if not arguments.quiet:
        pace = tr("{number} trials, {rate:.2g} a second").format(number=len(found.outcome.trials), rate=rate)
        print(f"\n{scores.note}\n\n{one_line(_summary(found))}\n{pace}")
