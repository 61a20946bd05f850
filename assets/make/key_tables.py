"""Write the help page of all keys of scenario files: ``python -m assets.make.key_tables``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from physics.scenario.common_config import Table
from physics.scenario.described import Key, in_words, keys_in
from physics.scenario.scenario import Scenario
from physics.systems import SYSTEMS

PAGE = Path(__file__).parents[1] / "help" / "keys.md"
EMPTY = "–"  # empty cells are joined with those before them, where the help is shown
MARK = "\n## All kinds, or several\n"  # what is before it is written by hand
HEAD = ("| Key | Value | Bounds | Unit | Default | Meaning |", "| --- | --- | --- | --- | --- | --- |")
Place = tuple[str, type[BaseModel]]  # of a table: its heading in files, and its model


def page() -> str:
    """The page, with the tables that the models describe."""
    before, _, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    return before + MARK + "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    found: dict[Place, list[str]] = {("", Scenario): [*SYSTEMS]}
    for kind, row in SYSTEMS.items():
        for place in sorted(_tables("", row.scenario), key=lambda one: one[0].count(".")):
            found.setdefault(place, []).append(kind)
    shown: dict[Place, list[Key]] = {}
    for kind in ("", *SYSTEMS):
        if kind:
            yield f"\n## Kind {kind}"
        for place, kinds in found.items():
            if kinds == [kind] or (not kind and len(kinds) > 1):
                of = "" if len(kinds) in (1, len(SYSTEMS)) else f" Kinds: {', '.join(kinds)}."
                yield from _section(place, of, shown)


def _section(place: Place, of: str, shown: dict[Place, list[Key]]) -> Iterator[str]:
    """A table, without the keys that it has in common with one that is shown; of : the kinds that have it."""
    like = next((one for one in shown if _shared(one[1], place[1])), None)
    keys = shown[place] = [key for key in keys_in(place[1]) if not key.tables or key.numeric or key.choices]
    if own := [key for key in keys if key.name != "kind" or not key.choices if like is None or key not in shown[like]]:
        beside = f" Beside the keys of {like[0] or 'all kinds'}:" if like else ""
        yield f"\n{' '.join(filter(None, [_told(*place), of.strip(), beside.strip()]))}\n"
        yield from (*HEAD, *map(_row, own))
    elif keys and like is not None and like[1] is place[1]:
        yield f"\n{_told(*place)} The keys of {like[0]}."


def _tables(heading: str, model: type[BaseModel]) -> Iterator[Place]:
    """A table, and the tables in it."""
    yield heading, model
    path = heading.strip("[]`")
    for key in keys_in(model):
        for table in key.tables:
            name = f"{path}.{key.name}".strip(".")
            yield from _tables(f"`[[{name}]]`" if key.listed else f"`[{name}]`", table)


def _shared(one: type[BaseModel], other: type[BaseModel]) -> bool:
    """True if two tables have keys in common."""
    return any(base in other.__mro__ for base in one.__mro__ if issubclass(base, Table) and base is not Table)


# what the heading says, and names of the code
NAMED = re.compile(r"^(One of )?`[^`]*`( of [^:]*)?(: |\.)|[,;] see [\w.]+(?=\.$)")


def _told(heading: str, model: type[BaseModel]) -> str:
    """The heading of a table with what its docstring says first."""
    said = " ".join((model.__doc__ or "").partition("\n\n")[0].replace("``", "`").split())
    said = NAMED.sub("", said) if heading else ""
    return f"{heading}: {said[:1].lower()}{said[1:]}" if said and heading else f"{heading}." if heading else said


def _row(key: Key) -> str:
    needed = key.required and key.empty in (None, "", "none")  # a panel says none where the whole table is missing
    default = "needed" if needed else key.usual or key.empty or ""
    about = (
        f"{key.label}: {key.about[:1].lower()}{key.about[1:]}" if key.label and key.about else key.label or key.about
    )
    without = f"without it: {key.empty}" if key.usual and key.empty else ""
    about = "; ".join(filter(None, [about, without, in_words(key.only)]))
    cells = (f"`{key.name}`", _value(key), key.limits.words(key.limits.template), key.unit, default, about)
    return "| " + " | ".join(cell.replace("|", "\\|") or EMPTY for cell in cells) + " |"


def _value(key: Key) -> str:
    """Values that a key takes."""
    number = "whole number" if key.whole else "number"
    words = [f"`{word}`" for word in key.choices]
    if key.numeric:
        words.insert(0, f"{key.count} {number}s" if key.count else f"list of {number}s" if key.listed else number)
    elif key.flag:
        words.append("true or false")
    elif key.files:
        words.append(", ".join(key.files))
    elif key.text:
        words.append("list of texts" if key.listed else "text")
    return ", ".join(words) or "table"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
