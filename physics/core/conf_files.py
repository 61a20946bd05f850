"""Configurations of Rockable, files conf0, conf1, … of a folder: which of them are one run."""

from __future__ import annotations

import os
import re
from pathlib import Path

_NAME = re.compile(r"conf(\d+)")


def is_conf(path: str | Path) -> bool:
    """True if a file has a name that Rockable gives to the states of a run."""
    return _NAME.fullmatch(Path(path).name) is not None


def beside_conf(path: Path) -> list[Path]:
    """The files of the run that a configuration belongs to, by their numbers, with it; none for another file."""
    return _confs(path.parent) if is_conf(path) else []


def first_conf(folder: str | Path) -> Path | None:
    """The first configuration of a run in a folder; None where there is none."""
    return next(iter(_confs(Path(folder))), None)


def _confs(folder: Path) -> list[Path]:
    try:
        found = [folder / name for name in os.listdir(folder) if _NAME.fullmatch(name)]
    except (OSError, ValueError):  # no folder, or no name of one
        return []
    return sorted(filter(os.path.isfile, found), key=lambda file: int(file.name.removeprefix("conf")))
