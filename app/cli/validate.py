"""``polhode validate``: computed run-outs beside measured ones; takes the parsed arguments, returns the status."""

from __future__ import annotations

import json
from argparse import Namespace
from contextlib import closing
from pathlib import Path

from app.cli.overrides import building, scenario_asked
from app.cli.progress import Progress
from app.system.language import speaking, tr, used
from physics import ScenarioError
from physics.core.errors import naming
from physics.io.trajectory_writers import check_output
from physics.systems.rockfall.blocks import rocks_asked
from physics.systems.rockfall.scenario import of_rocks
from physics.systems.rockfall.world import RockfallWorld

FIGURES = (".png", ".svg", ".pdf")
ROCKS = 200  # where the scenario has one


def validate(arguments: Namespace) -> int:
    """``polhode validate``: let the rocks of a scenario fall, and compare where they stop with measured stops."""
    from app.figures.run_out import figure, plain, table
    from app.plots.print_style import style, write
    from physics.ensembles.ensemble import Ensemble
    from physics.ensembles.validation import measured_of
    from physics.ensembles.validation import validate as compare

    output = check_output(arguments.output, (".csv", *FIGURES)) if arguments.output else None
    file = Path(arguments.scenario)
    scenario = scenario_asked(arguments)
    with naming(file):
        rocks = rocks_asked(of_rocks(scenario))
        scenario = scenario.changed(**{"ensemble.rocks": rocks if rocks > 1 else ROCKS})
    with Progress(arguments.progress, arguments.quiet) as progress:
        with building(), naming(file):
            world = RockfallWorld.of(scenario)
            if (stops := world.observed.stops) is None:
                raise ScenarioError("observed.stops", "missing; expected a file of measured stops, or --observed")
            measured = measured_of(world, stops)  # refused before rocks fall
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
