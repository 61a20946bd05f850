"""Command ``compare`` of a slope with many rocks: each scheme beside a reference, by distribution."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from contextlib import closing
from pathlib import Path

from app.cli.overrides import building, scenario_from
from app.cli.progress import Progress
from app.document.open import scenario_for
from app.hazard.commands.measurements import FIGURES
from app.hazard.figures.lane_distributions import figure, reference_sentence, sentence, table
from app.hazard.figures.run_out import text_table
from app.plots.print_style import style, write
from app.system.language import speaking, tr, translated, used
from app.system.own_words import title_of
from app.system.terminal import one_line
from physics import ScenarioError
from physics.core.errors import naming
from physics.core.wording import N_
from physics.hazard.ensemble import Ensemble, coarse_of, doubts
from physics.hazard.lane_distributions import beside, check_rocks, reference_lanes, values_of
from physics.io.trajectory_writers import check_output
from physics.systems import kinds_of, system_of
from physics.systems.rockfall.scenario import of_rocks
from physics.systems.rockfall.world import RockfallWorld


def compare_distributions(arguments: Namespace) -> int:
    """``polhode compare SLOPE --rocks N``: each scheme beside a reference, by distribution."""
    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    file = Path(arguments.scenario)
    if not system_of(asked := scenario_for(file, arguments.role)).ensembles:
        served = kinds_of(lambda row: row.ensembles)
        raise ScenarioError("--rocks", N_("applies to {served}, got '{kind}'", served, asked.kind), file)
    scenario = of_rocks(scenario_from(arguments))
    with naming(file):
        check_rocks(arguments.rocks)
    reference, coarser = reference_lanes(scenario)
    lanes = scenario.schemes
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            every = dict.fromkeys((*lanes, coarser, reference))
            world = RockfallWorld.of(scenario.changed(schemes=tuple(every)))
            progress.note(world.notes)
            ensemble = Ensemble(world)
        with closing(ensemble.march(arguments.workers)) as march:
            for done in march:
                progress.show(tr("rocks"), done, ensemble.rocks, counted=True)
        values = {name: values_of(results) for name, results in ensemble.results.items()}
        found = [beside(name, ensemble.results, values, reference) for name in lanes if name != reference]
        settled = beside(coarser, ensemble.results, values, reference)
    rocks = ensemble.rocks
    lines = [*(sentence(one, rocks) for one in found), reference_sentence(reference, settled, rocks)]
    title = title_of(scenario) or file.stem
    made = table(found, title, rocks)
    if output is not None:
        drawn = output.suffix.lower() in FIGURES
        with style(), speaking(used() if drawn else "en"):
            shown = {name: values[name] for name in dict.fromkeys((*lanes, reference))}
            write(figure(shown, reference, title, lines) if drawn else table(found, title, rocks), output)
    if arguments.json:
        facts = {"scenario": str(file), "rocks": rocks, "seed": scenario.seed, "reference": reference}
        facts |= {"reference_with_twice_its_step": settled.facts()}
        said = {one.lane: one.facts() | {"sentence": line} for one, line in zip(found, lines[:-1], strict=True)}
        print(json.dumps(facts | {"lanes": said}, indent=2))
    else:
        print(text_table(made))
        print("\n" + "\n".join(map(one_line, lines)))
        if not arguments.quiet:
            print(f"\n{made.note}")
    coarse = {name: coarse_of(world.of_lane(name), ensemble.results[name].rows) for name in lanes}
    sunk = [text for results in ensemble.results.values() for text in results.sunk()]
    for doubt in dict.fromkeys([*doubts(coarse, scenario.step), *sunk]):
        print("polhode:", one_line(translated(doubt)), file=sys.stderr)
    return 0
