"""File references: the names of files in files, which keys hold them, and how far they may lead."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from physics.core.errors import ScenarioError
from physics.core.input_checks import file_beside
from physics.core.text_tables import MAX_ROWS, read_rows
from physics.core.wording import N_

KEYS = (
    "file",
    "blocks",
    "drape",
    "zones",
    "results",
    "stops",
    "tracks",
    "screens",
    "trees",
    "types",
    "rg70",
    "rg20",
    "rg10",
    "nrtrees",
    "dbhmean",
    "dbhstd",
    "conif_percent",
    "posterior",
)  # the keys, in any table, whose text names a file or a folder
BESIDE = "scenarios"  # a folder of that name has its files in the folders beside it: hulls, terrain, ...


def check_names(data: Any, folder: str | Path) -> None:
    """ScenarioError for a relative name that leads out of the folder of its file, or a name on another machine.

    data: the plain tables of the file. A file from elsewhere must not reach what happens to lie around the folder that
    it was saved in. In a folder called ``scenarios``, as in a checkout of this program, names may lead into the folders
    beside it, but into no hidden one. A whole path says openly where it leads, and is taken as it is; a link in the
    folder may lead anywhere: it is the user's own.
    """
    for field, name in names_in(data):
        check_name(field, name, folder)


def check_name(field: str, name: str, folder: str | Path) -> None:
    """Check the name that one field holds, see ``check_names``."""
    home = Path(os.path.abspath(folder))
    if name.startswith(("//", "\\\\")):
        raise ScenarioError(field, N_("'{name:.60}' lies on another machine; expected a file on this one", name))
    place = Path(os.path.normpath(home / name)) if "\0" not in name else Path()
    if not (place.is_relative_to(home) or _beside(place, home) or Path(name).is_absolute()):
        raise ScenarioError(
            field,
            N_(
                "'{name:.60}' leads out of the folder of this file; expected a file in it or below, or a whole path",
                name,
            ),
        )


def _beside(place: Path, home: Path) -> bool:
    """True if a place is in a folder beside that of scenarios."""
    if home.name != BESIDE or not place.is_relative_to(home.parent):
        return False
    inner = place.relative_to(home.parent).parts
    return len(inner) > 1 and not inner[0].startswith(".")


def files_in_table(path: Path) -> tuple[Path, ...]:
    """The files that the column ``file`` of a table (.csv) names; none where it has no such column or is no table.

    Names that lead out of the table's folder are left out: readers of the table refuse them.
    """
    return _files_in_table(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)  # a world asks three times; 200 000 rows take 0.3 s
def _files_in_table(path: Path, changed: int) -> tuple[Path, ...]:
    """changed: when the table was, in ns."""
    found = {}
    with suppress(ScenarioError):
        head = read_rows(path, N_("a table"), 1).rows
        named = bool(head) and any(name.lower() == "file" for name in head[0][1])
        rows = read_rows(path, N_("a table"), MAX_ROWS + 1).rows if named else head  # not all of a long table
        column = next((i for i, name in enumerate(rows[0][1]) if name.lower() == "file"), None) if rows else None
        names = {row[column] for _, row in rows[1:] if column < len(row)} if column is not None else set()
        for name in names - {""}:
            with suppress(ScenarioError):
                found[name] = file_beside(path, name)
    return tuple(found.values())


def names_in(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Field and text of each name of a file; a list of tables counts as one field."""
    if isinstance(value, list):
        for item in value:
            yield from names_in(item, place)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in KEYS and isinstance(item, str):
                yield f"{place}{key}", item
            else:
                yield from names_in(item, f"{place}{key}.")


def with_names(value: Any, change: Callable[[str], str]) -> Any:
    """Tables with every name of a file changed."""
    if isinstance(value, dict):
        return {
            key: change(inner) if key in KEYS and isinstance(inner, str) else with_names(inner, change)
            for key, inner in value.items()
        }
    return [with_names(inner, change) for inner in value] if isinstance(value, list) else value
