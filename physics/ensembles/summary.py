"""Summary of an ensemble in its folder of results: what it says, and its scenario."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from physics.core.errors import ScenarioError
from physics.core.input_checks import DAMAGED, check_bytes, finite
from physics.core.wording import N_
from physics.ensembles.identity import MOST_SUMMARY, identity
from physics.io.trajectory_writers import of_version
from physics.scenario.file_references import check_names
from physics.scenario.scenario import Scenario
from physics.systems import system_of

SUMMARY = "summary.json"  # file in a folder of an ensemble's results


def scenario_of_results(path: str | Path) -> Scenario:
    """The scenario of the results in a folder; its files are where they were, or beside the folder.

    Raises ScenarioError if the folder has no results, or a file of the scenario is missing or has changed.
    """
    folder = Path(path).absolute()
    summary = read_summary(folder)
    if "parts" in summary:  # no single scenario has their releases and seeds
        parts = summary["parts"]
        raise ScenarioError("", N_("gathered from several ensembles; open one of them ({parts!s:.80})", parts), folder)
    try:
        files, plain = dict(summary["files"]), dict(summary["scenario"])
        places = [
            Path(place) for place in (summary.get("folder"), folder.parent, folder) if isinstance(place, str | Path)
        ]
        home = next((place for place in places if all(os.path.isfile(place / name) for name in files)), folder)
        check_names(plain, home)
        scenario = Scenario(**plain, folder=str(home))
    except ScenarioError as error:
        raise of_version(error.in_file(folder / SUMMARY), summary.get("version")) from None
    except DAMAGED:
        raise foreign(folder / SUMMARY) from None
    if not system_of(scenario).ensembles:
        raise foreign(folder / SUMMARY)
    found = identity(scenario)["files"]
    for name, digest in files.items():
        if found.get(name) != digest:
            what = N_("no longer exists") if name not in found else N_("has changed since")
            raise ScenarioError("", N_("{name}, which these results were made with, {what}", name, what), folder)
    return scenario


def read_summary(folder: Path) -> dict[str, Any]:
    """The contents of summary.json in a folder of results; ScenarioError if missing or unreadable."""
    path = folder / SUMMARY
    if not os.path.isfile(path):
        raise ScenarioError("", N_("not a folder of results; expected one that polhode ensemble has written"), folder)
    try:
        check_bytes(path, N_("a summary"), MOST_SUMMARY)
        found = json.loads(path.read_text(encoding="utf-8"), parse_constant=finite)
    except OSError as error:
        raise ScenarioError("", N_("cannot be read: {error}", error.strerror or error), path) from None
    except ScenarioError:
        raise
    except (ValueError, RecursionError):
        raise foreign(path) from None
    if not isinstance(found, dict):
        raise foreign(path)
    return found


def foreign(path: Path) -> ScenarioError:
    """The error about a file that polhode ensemble has not written."""
    return ScenarioError("", N_("expected a file as polhode ensemble writes it"), path)
