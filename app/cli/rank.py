"""``polhode rank``: the schemes for one motion by what an accuracy costs; returns the exit status."""

from __future__ import annotations

import json
import math
from argparse import Namespace

from app.cli.overrides import building, by_option, scenario_asked
from app.cli.progress import Progress
from physics.analysis.ranking import HEADINGS, advice, candidates, cells, facts, ranked
from physics.systems import system_of

ALL = "all"  # in place of the names of schemes


def rank(arguments: Namespace) -> int:
    """``polhode rank``: run each scheme with ever smaller steps until it is as accurate as asked for."""
    asked, arguments.scheme = arguments.scheme or [], None  # its own schemes are those of the scenario
    scenario = scenario_asked(arguments)
    names = asked if asked and ALL not in asked else candidates(scenario, ALL in asked)
    with Progress(arguments.progress, arguments.quiet) as progress, building(), by_option(arguments):
        found = ranked(
            scenario,
            names,
            math.radians(arguments.accuracy),
            lambda share: progress.show("ranking", share, 1.0),
        )
    if arguments.json:
        print(json.dumps([facts(one) for one in found], indent=2))
        return 0
    torque = system_of(scenario).torque
    lines = [HEADINGS, *(cells(one, torque) for one in found)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    for line in lines:
        print("  ".join(f"{word:{width}}" for word, width in zip(line, widths, strict=True)).rstrip())
    print(f"\nFor {arguments.accuracy:g}° at the end, after {scenario.duration:g} s. {advice(found)}")
    return 0
