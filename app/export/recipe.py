"""The recipe: what is written into every picture and video, so that it can be made again."""

from __future__ import annotations

import tomlkit

from physics import SCHEMES, Scenario
from physics.files import polhode_version


def title(scenario: Scenario) -> str:
    """The title of a picture or video."""
    return scenario.title or "Polhode"


def recipe(scenario: Scenario) -> str:
    """A scenario file whose comments name the version and the sources of the schemes."""
    lines = [f"Made with Polhode {polhode_version()}"]
    lines += [f"{name}: {SCHEMES[name].reference}" for name in scenario.schemes]
    return (
        "".join(f"# {line}\n" for line in lines)
        + "\n"
        + tomlkit.dumps({"schemes": list(scenario.schemes)} | scenario.to_plain())
    )
