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
from app.hazard.figures.lane_distributions import sentences, table, write_comparison
from app.hazard.figures.run_out import text_table
from app.plots.print_style import FIGURES
from app.system.language import tr, translated
from app.system.own_words import title_of
from app.system.terminal import one_line
from physics import ScenarioError
from physics.core.errors import naming
from physics.core.wording import N_
from physics.hazard.lane_distributions import LaneEnsemble
from physics.io.trajectory_writers import check_output
from physics.systems import kinds_of, system_of
from physics.systems.rockfall.scenario import of_rocks


def compare_distributions(arguments: Namespace) -> int:
    """``polhode compare SLOPE --rocks N``: each scheme beside a reference, by distribution."""
    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    file = Path(arguments.scenario)
    if not system_of(asked := scenario_for(file, arguments.role)).ensembles:
        served = kinds_of(lambda row: row.ensembles)
        raise ScenarioError("--rocks", N_("applies to {served}, got '{kind}'", served, asked.kind), file)
    scenario = of_rocks(scenario_from(arguments))
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(progress), naming(file):
            falling = LaneEnsemble(scenario)
            progress.note(falling.world.notes)
        with closing(falling.ensemble.march(arguments.workers)) as march:
            for done in march:
                progress.show(tr("rocks"), done, falling.ensemble.rocks, counted=True)
        compared = falling.compared()
    title, lines = title_of(scenario) or file.stem, sentences(compared)
    if output is not None:
        write_comparison(output, compared, title)
    if arguments.json:
        facts = {"scenario": str(file), "rocks": compared.rocks, "seed": scenario.seed, "reference": compared.reference}
        facts |= {"reference_with_twice_its_step": compared.settled.facts()}
        said = {one.lane: one.facts() | {"sentence": line} for one, line in zip(compared.lanes, lines, strict=False)}
        print(json.dumps(facts | {"lanes": said}, indent=2))
    else:
        made = table(compared, title)
        print(text_table(made))
        print("\n" + "\n".join(map(one_line, lines)))
        if not arguments.quiet:
            print(f"\n{made.note}")
    for doubt in falling.doubts():
        print("polhode:", one_line(translated(doubt)), file=sys.stderr)
    return 0
