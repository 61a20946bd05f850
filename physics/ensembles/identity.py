"""What an ensemble is: what must be the same for it to go on, and what its results tell of where they come from."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from physics.errors import ScenarioError
from physics.files import polhode_version
from physics.scenarios.scenario import Scenario


def identity(scenario: Scenario) -> dict[str, Any]:
    """What must be the same for an ensemble to go on: version, scenario, and the contents of the files it names."""
    plain = {"schemes": list(scenario.schemes)} | scenario.to_plain()
    files = {name: digest.hexdigest() for name, digest in _digests(scenario)}
    return {"version": polhode_version(), "scenario": json.loads(json.dumps(plain)), "files": files}


def named_files(scenario: Scenario) -> dict[str, list[Path]]:
    """The files that a scenario names: name -> the file, and those beside it that share its stem (of a shapefile)."""
    found = {}
    for text in sorted(set(_texts(scenario.to_plain()))):
        path = scenario.path(text)
        if os.path.isfile(path):  # unlike Path.is_file it takes any text
            beside = path.parent.glob(f"{path.stem}.*") if path.suffix.lower() == ".shp" else ()
            found[text] = [path, *sorted(p for p in beside if p != path)]
    return found


def _digests(scenario: Scenario) -> list[tuple[str, Any]]:
    found = []
    for name, paths in named_files(scenario).items():
        digest = hashlib.blake2b(digest_size=16)
        for path in paths:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
        found.append((name, digest))
    return found


def _texts(value: Any) -> list[str]:
    """All texts in plain values."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [value] if isinstance(value, str) and value else []


def check_same(path: Path, mine: dict[str, Any]) -> None:
    """ScenarioError, naming what differs, unless a file (.json) tells of the same ensemble."""
    folder = path.parent
    try:
        theirs = json.loads(path.read_text(encoding="utf-8"))
        different = _differences({key: theirs[key] for key in mine}, mine)
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        raise ScenarioError("", f"is damaged: {path.name} cannot be read; remove the folder", folder) from None
    for field, (was, is_) in different.items():
        if field.startswith("files."):
            what = f"the file {field.removeprefix('files.')} has changed since it was begun"
        else:
            what = f"it was begun with {field.removeprefix('scenario.')} = {was!r:.80}, now it is {is_!r:.80}"
        raise ScenarioError("", f"cannot go on: {what}", folder)


def _differences(theirs: dict[str, Any], mine: dict[str, Any], place: str = "") -> dict[str, tuple[Any, Any]]:
    """Dotted name -> both values, of keys whose values differ."""
    found: dict[str, tuple[Any, Any]] = {}
    for key in sorted({*theirs, *mine}):
        was, is_ = theirs.get(key), mine.get(key)
        if isinstance(was, dict) and isinstance(is_, dict):
            found |= _differences(was, is_, f"{place}{key}.")
        elif was != is_:
            found[f"{place}{key}"] = (was, is_)
    return found


def check_unchanged(scenario: Scenario, read: dict[str, Any]) -> None:
    """ScenarioError if a file that a scenario names is no more what it was when it was read (an ``identity``)."""
    now = identity(scenario)["files"]
    for name, digest in read["files"].items():
        if now.get(name) != digest:
            raise ScenarioError("", "has changed since it was read; begin again", scenario.path(name))
