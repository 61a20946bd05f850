"""Identity of an ensemble: version, arithmetic, scenario and files, which must agree for it to go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from physics.core.arithmetic import elementary_functions
from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_bytes
from physics.core.wording import N_
from physics.io.trajectory_writers import polhode_version
from physics.scenario.fingerprints import digests
from physics.scenario.scenario import Scenario

MOST_SUMMARY = 16_000_000  # bytes
_ARITHMETIC = "elementary_functions"
_COUNTING = "counting"  # key of the counting of rocks, see physics.hazard.ensemble


def identity(scenario: Scenario) -> dict[str, Any]:
    """Version, arithmetic, scenario and contents of its files, which must agree for an ensemble to go on."""
    plain = {"schemes": list(scenario.schemes)} | scenario.to_plain()
    return {
        "version": polhode_version(),
        "elementary_functions": elementary_functions(),
        "scenario": json.loads(json.dumps(plain)),
        "files": digests(scenario),
    }


def check_done(path: Path, mine: dict[str, Any]) -> None:
    """ScenarioError, naming the difference, unless the summary of results is of the same ensemble."""
    folder = path.parent
    try:
        check_bytes(path, N_("a summary"), MOST_SUMMARY)
        theirs = json.loads(path.read_text(encoding="utf-8"))
        check_same(
            {key: theirs.get(key) if key in (_ARITHMETIC, _COUNTING) else theirs[key] for key in mine}, mine, folder
        )
    except ScenarioError:
        raise
    except DAMAGED:
        raise ScenarioError("", N_("is damaged: {name} cannot be read; remove the folder", path.name), folder) from None


def check_same(theirs: dict[str, Any], mine: dict[str, Any], folder: Path) -> None:
    """ScenarioError, naming what differs, unless a folder holds the same ensemble."""
    different = differences(theirs, mine)
    for field, (was, is_) in different.items():
        if field.startswith("files."):
            what = N_("the file {field} has changed since it was begun", field.removeprefix("files."))
        elif field == _COUNTING:
            what = N_(
                "it was begun by an earlier version, which counted rocks in another way; remove it and start anew"
            )
        elif field == _ARITHMETIC:
            what = N_(
                "it was begun on a machine whose sin, cos, exp, atan or log differ in the last digit; go on there"
            )
        else:
            what = N_(
                "it was begun with {field} = {was!r:.80}, now it is {is!r:.80}",
                field.removeprefix("scenario."),
                was,
                is_,
            )
        raise ScenarioError("", N_("cannot continue: {what}", what), folder)


def differences(theirs: Mapping[str, Any], mine: Mapping[str, Any], place: str = "") -> dict[str, tuple[Any, Any]]:
    """Dotted name -> both values, of keys whose values differ."""
    found: dict[str, tuple[Any, Any]] = {}
    for key in sorted({*theirs, *mine}):
        was, is_ = theirs.get(key), mine.get(key)
        if isinstance(was, dict) and isinstance(is_, dict):
            found |= differences(was, is_, f"{place}{key}.")
        elif was != is_:
            found[f"{place}{key}"] = (was, is_)
    return found
