"""Opening: what a file that a user gives the program becomes: always a scenario."""

from __future__ import annotations

from pathlib import Path

from physics import Scenario, ScenarioError, load_scenario
from physics.files import load_scenario_of

TERRAIN = (".asc", ".tif", ".tiff")
TRAJECTORIES = (".npz", ".parquet", ".csv")
EXPORTS = (".mp4", ".webm", ".gif", ".apng", ".png", ".html", ".glb")
SUFFIXES = (".toml", *TERRAIN, *TRAJECTORIES, *EXPORTS)


def scenario_for(path: str | Path) -> Scenario:
    """The scenario of a file: a scenario as it stands, a terrain with the standard rock on it, the recipe of an export.

    Raises ScenarioError for a file that is missing, of an unknown kind, or wrong. A terrain's heights are
    read later, with the run: a large map takes a while.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ScenarioError("", f"cannot open '{suffix or path.name}'; expected one of {', '.join(SUFFIXES)}", path)
    if suffix == ".toml":
        return load_scenario(path)
    if suffix in TRAJECTORIES:
        return load_scenario_of(path)
    if suffix in EXPORTS:
        from app.export.reading import scenario_of

        return scenario_of(path)
    if not path.is_file():
        raise ScenarioError("", "no such file; expected a terrain (.asc, .tif)", path)
    return rock_on(path.resolve())


def rock_on(terrain: Path) -> Scenario:
    """The platy rock EOTA221 of 780 kg, released on a steep cell of a terrain."""
    return Scenario(
        kind="rockfall",
        title=terrain.stem,
        note="A platy rock of 780 kg, released on a steep, high cell of this map, or where you say below.",
        duration=120.0,
        step=0.002,
        record_every=5,
        schemes=("explicit", "implicit"),
        body={"shape": "eota", "size": (0.93, 0.93, 0.47), "mass": 780.0},
        initial={"orientation": "random"},
        terrain={"file": str(terrain)},
        soil={"mu_min": 0.55, "mu_max": 2.0, "beta": 185.0, "kappa": 3.0, "drag": 0.4},
        ensemble={"seed": 1},
    )
