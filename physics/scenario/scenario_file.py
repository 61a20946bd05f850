"""Scenario files: a Scenario from TOML text."""

from __future__ import annotations

from pathlib import Path

from physics.core.errors import naming
from physics.scenario.file_references import check_names
from physics.scenario.scenario import Scenario
from physics.scenario.toml import tables_of, text_of


def load_scenario(path: str | Path) -> Scenario:
    """The scenario in a TOML file; ScenarioError names file and field when something is wrong."""
    path = Path(path)
    return parse_scenario(text_of(path, "a scenario"), path)


def parse_scenario(text: str, path: str | Path) -> Scenario:
    """The scenario in a TOML text; relative names of files start at the folder of ``path``, and stay in it."""
    path = Path(path)
    data = tables_of(text, "a scenario", path)
    data.pop("folder", None)
    with naming(path):
        check_names(data, path.parent)
        return Scenario(**data, folder=str(path.parent))
