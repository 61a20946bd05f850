"""Commands about schemes: ``schemes`` lists them, ``check`` measures one, ``rank`` orders them by cost.

Each takes the parsed arguments and returns the exit status.
"""

from __future__ import annotations

import difflib
import json
import math
import sys
import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from app.cli.overrides import building, by_option, notes_of, scenario_from
from app.cli.progress import Progress
from app.system.language import tr, translated
from app.system.signals import postponed
from app.system.terminal import aligned, one_line
from physics import SCHEMES, ScenarioError, World, scheme_from_file
from physics.analysis.card_items import agreement, card_facts, card_items, card_text, differences
from physics.analysis.ranking import HEADINGS as RANKING_HEADINGS
from physics.analysis.ranking import advice, candidates, cells, end_of, rank_facts, ranked
from physics.analysis.report_card import check as report_card
from physics.core.wording import N_
from physics.schemes.own_scheme import add
from physics.schemes.scheme import FAMILIES, Scheme
from physics.systems.scheme_overview import HEADINGS, NOTE, chosen, keeps, rows


def check(arguments: Namespace) -> int:
    """``polhode check``: measure what a scheme keeps, its order and reach, beside what its row claims."""
    scheme = _scheme_of(arguments.name)
    row = scheme.claims
    with Progress(arguments.progress, arguments.quiet) as progress, building():
        card = report_card(scheme, lambda share: progress.show(tr("checking"), share, 1.0))
    items = card_items(card, row)
    if arguments.json:
        print(json.dumps(card_facts(card, row), indent=2))
    else:
        print(card_text(card, row, translated))
    if differences(items):
        print("polhode:", one_line(f"{scheme.name}: {translated(agreement(items))}"), file=sys.stderr)
        return 1
    if row is not None and not arguments.json:
        print(translated(agreement(items)))
    return 0


def _scheme_of(name: str) -> Scheme:
    """The scheme with a name, or the one in a file."""
    if name in SCHEMES:
        return SCHEMES[name]
    if Path(name).suffix == ".py":
        return scheme_from_file(name)
    near = difflib.get_close_matches(name, SCHEMES, n=1)
    advice = (
        N_("did you mean {near}?", near[0])
        if near
        else N_("expected one of polhode schemes, or a file that ends in .py")
    )
    raise ScenarioError("", N_("'{name:.60}' is not a scheme; {advice}", name, advice))


ALL = "all"  # word in place of the names of schemes


def rank(arguments: Namespace) -> int:
    """``polhode rank``: run each scheme with ever smaller steps until it has the requested accuracy."""
    asked, arguments.scheme = arguments.scheme or [], None  # its own schemes are those of the scenario
    scenario = scenario_from(arguments)
    names = asked if asked and ALL not in asked else candidates(scenario, ALL in asked)
    with Progress(arguments.progress, arguments.quiet) as progress, building(), by_option(arguments):
        progress.note(notes_of(World.of(scenario), Path(arguments.scenario)))
        found = ranked(
            scenario, names, math.radians(arguments.accuracy), lambda share: progress.show(tr("ranking"), share, 1.0)
        )
    if arguments.json:
        print(json.dumps([rank_facts(one) for one in found], indent=2))
        return 0
    rows = [cells(one) for one in found]
    lines = [[*map(tr, RANKING_HEADINGS)], *([name, *map(translated, others)] for name, *others in rows)]
    print("\n".join(aligned(lines)))
    words = tr("For {accuracy:g}° at the end, after {duration:g} s.")
    print(f"\n{words.format(accuracy=arguments.accuracy, duration=end_of(scenario))} {translated(advice(found))}")
    return 0


def add_schemes(files: Sequence[str], arguments: Namespace) -> None:
    """Add the schemes in files; ScenarioError, naming file and line, where one is wrong."""
    progress = Progress("none", getattr(arguments, "quiet", False))
    found: dict[str, str] = {}
    for file in files:
        with postponed():
            scheme = scheme_from_file(file)
        if scheme.name in found:
            raise ScenarioError("NAME", N_("'{name}' is that of {name2} too", scheme.name, found[scheme.name]), file)
        found[scheme.name] = file
        add(scheme)
        if scheme.code is not None and scheme.code.why:
            progress.note([scheme.advice])


IN_WORDS: dict[str, Callable[[str], str]] = {  # translators of the columns; names of schemes and kinds stay
    "scheme": str,
    "order": translated,
    "solves": tr,
    "motion": translated,
    "keeps": translated,
    "serves": str,
}
SHOWN = tuple(IN_WORDS)  # columns; the sources follow the table
WIDTH = 100  # letters of a line of text


def schemes(arguments: Namespace) -> int:
    """``polhode schemes``: what each scheme keeps and serves, its advice and its source."""
    families = chosen(arguments.family, arguments.kind)
    shown = [scheme for members in families.values() for scheme in members]
    if arguments.json:
        print(json.dumps([scheme.facts() | {"keeps": keeps(scheme)} for scheme in shown], indent=2))
        return 0
    print(_table(families))
    print(f"\n{textwrap.fill(tr(NOTE), WIDTH)}")
    for scheme in shown:
        where = f", doi:{scheme.doi}" if scheme.doi else ""
        text = f"{scheme.name}: {scheme.title}. {translated(scheme.advice)} {scheme.reference}{where}."
        print()
        print(textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False))
    return 0


def _table(families: Mapping[str, Iterable[Scheme]]) -> str:
    """The facts in columns, a heading above each family."""
    blocks = {family: [_cells(row) for one in members for row in rows(one)] for family, members in families.items()}
    head = [*map(tr, SHOWN)]
    first, *lines = aligned([head, *(line for block in blocks.values() for line in block)])
    rest = iter(lines)
    parts = [first]
    for family, block in blocks.items():
        heading = tr("{family}:").format(family=tr(FAMILIES[family]))
        parts.append("\n".join([heading, *islice(rest, len(block))]))
    return "\n\n".join(parts)


def _cells(row: tuple[str, ...]) -> list[str]:
    """One row of a scheme in the language in use."""
    known = dict(zip(HEADINGS, row, strict=True))
    return [IN_WORDS[column](known[column]) for column in SHOWN]
