"""``polhode rank``: the schemes for one motion by what an accuracy costs; returns the exit status."""

from __future__ import annotations

import json
import math
from argparse import Namespace

from app.cli.overrides import building, by_option, scenario_asked
from app.cli.progress import Progress
from app.system.language import tr
from app.system.sentences import told
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
            lambda share: progress.show(tr("ranking"), share, 1.0),
        )
    if arguments.json:
        print(json.dumps([facts(one) for one in found], indent=2))
        return 0
    torque = system_of(scenario).torque
    rows = [cells(one, torque) for one in found]
    lines = [[*map(tr, HEADINGS)], *([name, *map(told, others)] for name, *others in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    for line in lines:
        print("  ".join(f"{word:{width}}" for word, width in zip(line, widths, strict=True)).rstrip())
    words = tr("For {accuracy:g}° at the end, after {duration:g} s.")
    print(f"\n{words.format(accuracy=arguments.accuracy, duration=scenario.duration)} {told(advice(found))}")
    return 0
