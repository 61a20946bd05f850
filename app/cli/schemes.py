"""``polhode schemes``: the table of schemes, by family; takes the parsed arguments and returns the exit status."""

from __future__ import annotations

import json
import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping

from app.system.language import tr
from app.system.sentences import each_told, told
from physics.schemes.scheme import FAMILIES, Scheme
from physics.systems.scheme_overview import HEADINGS, NOTE, chosen, keeps, rows

TELLING: dict[str, Callable[[str], str]] = {  # how columns are told; names of schemes and kinds stay
    "scheme": str,
    "order": told,
    "solves": tr,
    "motion": told,
    "keeps": each_told,
    "serves": str,
}
SHOWN = tuple(TELLING)  # of HEADINGS; the sources follow the table
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
        text = f"{scheme.name}: {scheme.title}. {told(scheme.advice)} {scheme.reference}{where}."
        print()
        print(textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False))
    return 0


def _table(families: Mapping[str, Iterable[Scheme]]) -> str:
    """The facts in columns, a heading above each family."""
    blocks = {family: [_cells(row) for one in members for row in rows(one)] for family, members in families.items()}
    head = [*map(tr, SHOWN)]
    every = [head, *(line for lines in blocks.values() for line in lines)]
    widths = [max(len(line[i]) for line in every) for i in range(len(SHOWN))]

    def aligned(line: list[str]) -> str:
        return "  ".join(f"{word:{width}}" for word, width in zip(line, widths, strict=True)).rstrip()

    heading = tr("{family}:")
    below = (
        "\n".join([heading.format(family=tr(FAMILIES[family])), *map(aligned, lines)])
        for family, lines in blocks.items()
    )
    return "\n\n".join([aligned(head), *below])


def _cells(row: tuple[str, ...]) -> list[str]:
    """One line of a scheme in the language in use."""
    known = dict(zip(HEADINGS, row, strict=True))
    return [TELLING[column](known[column]) for column in SHOWN]
