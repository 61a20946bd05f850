"""The command ``plan``: a map on paper."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from app.cli.overrides import building, by_option, notes_of, scenario_from
from app.cli.progress import Progress
from app.document.recipe import recipe
from app.hazard.layers import notes_since
from app.hazard.plan import ENDINGS, check_plan, write_plan
from physics import World
from physics.core.errors import naming
from physics.io.trajectory_writers import check_output


def plan(arguments: Namespace) -> int:
    """``polhode plan``: a map on paper, to scale; nothing is computed."""
    check_output(arguments.output, ENDINGS)
    scenario, file = scenario_from(arguments), Path(arguments.scenario)
    with by_option(arguments):
        check_plan(scenario)
        recipe(scenario)
    with building(), naming(file):
        world = World.of(scenario)
    Progress("none", arguments.quiet).note([*notes_of(world, file), *notes_since(scenario)])
    with by_option(arguments):
        write_plan(world, (), arguments.output)
    return 0
