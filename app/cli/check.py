"""``polhode check``: the report card of a scheme; takes the parsed arguments and returns the exit status."""

from __future__ import annotations

import difflib
import json
import sys
from argparse import Namespace
from pathlib import Path

from app.cli.overrides import building
from app.cli.progress import Progress
from app.system.language import tr
from app.system.sentences import told
from app.system.terminal import one_line
from physics import SCHEMES, ScenarioError, scheme_from_file
from physics.analysis.card_items import agreement, card_facts, card_items, card_text, differences
from physics.analysis.report_card import check as report_card
from physics.schemes.scheme import Scheme


def check(arguments: Namespace) -> int:
    """``polhode check``: measure what a scheme keeps, its order and reach, beside what its row claims."""
    scheme = scheme_asked(arguments.name)
    row = scheme.claims
    with Progress(arguments.progress, arguments.quiet) as progress, building():
        card = report_card(scheme, lambda share: progress.show(tr("checking"), share, 1.0))
    items = card_items(card, row)
    if arguments.json:
        print(json.dumps(card_facts(card, row), indent=2))
    else:
        print(card_text(card, row, told))
    if differences(items):
        print("polhode:", one_line(f"{scheme.name}: {told(agreement(items))}"), file=sys.stderr)
        return 1
    if row is not None and not arguments.json:
        print(told(agreement(items)))
    return 0


def scheme_asked(name: str) -> Scheme:
    """The scheme of a name, or the one in a file."""
    if name in SCHEMES:
        return SCHEMES[name]
    if Path(name).suffix == ".py":
        return scheme_from_file(name)
    near = difflib.get_close_matches(name, SCHEMES, n=1)
    advice = f"did you mean {near[0]}?" if near else "expected one of polhode schemes, or a file that ends in .py"
    raise ScenarioError("", f"'{name:.60}' is not a scheme; {advice}")
