"""File references: the names of files in files, which keys hold them, and how far they may lead."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from physics.core.errors import ScenarioError

KEYS = (
    "file",
    "drape",
    "zones",
    "results",
    "stops",
    "tracks",
    "screens",
)  # the keys, in any table, whose text names a file or a folder
_BUNDLED = Path(__file__).parents[2] / "assets"  # what comes with the program lies in neighbouring folders


def check_names(data: Any, folder: str | Path) -> None:
    """ScenarioError for a relative name that leads out of the folder of its file, or a name on another machine.

    data: the plain tables of the file. A whole path says openly where it leads, and is taken as it is; a link in the
    folder may lead anywhere: it is the user's own.
    """
    for field, name in names_in(data):
        check_name(field, name, folder)


def check_name(field: str, name: str, folder: str | Path) -> None:
    """As ``check_names``, of the name that one field holds."""
    home = Path(os.path.abspath(folder))
    if name.startswith(("//", "\\\\")):
        raise ScenarioError(field, f"'{name:.60}' lies on another machine; expected a file on this one")
    place = Path(os.path.normpath(home / name)) if "\0" not in name else Path()
    if not (place.is_relative_to(home) or place.is_relative_to(_BUNDLED) or Path(name).is_absolute()):
        raise ScenarioError(
            field,
            f"'{name:.60}' leads out of the folder of this file; expected a file in it or below, or a whole path",
        )


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
