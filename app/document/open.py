"""Opening of files: each becomes a scenario, or a session around one."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from app.document.export_kinds import OPENED
from app.document.session import SavedSession, SessionView, load_session, looked_at
from app.kinds import measured_body, taken
from app.kinds.rockfall import rock_on
from app.playback.run import MOST_LANES
from physics import Scenario, ScenarioError
from physics.bodies.mesh_io import ENDINGS as BODY
from physics.bodies.mesh_io import METRES, MeshReading
from physics.core.conf_files import first_conf, is_conf
from physics.core.input_checks import check_file
from physics.core.wording import N_
from physics.ensembles.summary import SUMMARY
from physics.io.trajectory_readers import load_scenario_of, written_here
from physics.io.trajectory_writers import ENDINGS as TRAJECTORIES
from physics.measured.columns import ENDINGS as MOTIONS
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import column_names
from physics.simulation.schedule import Schedule
from physics.terrain.dem import SUFFIXES as TERRAIN

SUFFIXES = tuple(dict.fromkeys((".toml", *TERRAIN, *BODY, *TRAJECTORIES, *MOTIONS, *OPENED)))
POINTS = ".xyz"  # a terrain unless a role makes it a body
SLOPE = "slope"  # role of a mesh that is a terrain


def measured_session(path: str | Path, table: MeasuredConfig) -> SavedSession:
    """The session of a measured motion, read by a table of columns; ScenarioError as scenario_for."""
    scenario = measured_body.opened(Path(path), table)
    return SavedSession(Schedule.of(scenario), looked_at(scenario))


def saved_for(path: str | Path, role: str | None = None, reading: MeshReading = METRES) -> SavedSession:
    """The session in a file; that of a scenario or a terrain has no edits. Raises ScenarioError as scenario_for.

    role : of a body, see app.kinds.kind, or SLOPE; None: a free body
    reading : unit, upward axis and repair of its mesh
    A folder of an ensemble's results, or the summary in it, is shown with its scenario; a run of Rockable as a measured
    motion.
    """
    path = Path(first_conf(path) or path)
    _check_role(path, role, reading)
    if os.path.isdir(path) or path.name == SUMMARY:
        from physics.ensembles.summary import scenario_of_results

        folder = path if os.path.isdir(path) else path.parent
        return SavedSession(Schedule.of(scenario_of_results(folder)), SessionView(results=str(folder.absolute())))
    if path.suffix.lower() == ".toml":
        return load_session(path)
    scenario = scenario_for(path, role, reading)
    return SavedSession(Schedule.of(scenario), looked_at(scenario))


def scenario_for(path: str | Path, role: str | None = None, reading: MeshReading = METRES) -> Scenario:
    """The scenario in a file, of a terrain with the standard rock, of a body, or in the recipe of an export.

    Raises ScenarioError for a file that is missing, of an unknown kind, or wrong. Heights of a terrain are
    read later, with the run: a large map takes a while.
    """
    path = Path(first_conf(path) or path)
    _check_role(path, role, reading)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES and not is_conf(path):
        expected = N_("expected one of {suffixes}, or a folder of results", ", ".join(SUFFIXES))
        raise ScenarioError("", N_("cannot open '{name}'; {expected}", suffix or path.name, expected), path)
    if suffix == ".toml":
        return load_session(path).seen
    if is_body(path, role):
        return taken(path.absolute(), role or "body", reading=reading)
    if is_motion(path):
        return measured_body.opened(path)
    if suffix in TRAJECTORIES:
        return load_scenario_of(path)
    if suffix in OPENED:
        from app.document.recipe import scenario_of  # here: other commands need no films

        return scenario_of(path)
    check_file(path, N_("a terrain"), ", ".join(TERRAIN))
    return rock_on(path.absolute(), reading.up or "z")


def is_body(path: str | Path, role: str | None = None) -> bool:
    """True for a mesh, or points, that are taken as a body in a role; None: not chosen.

    A model that the program has made itself opens by its recipe.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in BODY or role == SLOPE:
        return False
    if role is not None:
        return True
    if suffix in OPENED:
        from app.document.recipe import holds_recipe

        return not holds_recipe(path)
    return suffix != POINTS


def is_motion(path: str | Path) -> bool:
    """True for a sensor's record: a table that Polhode has not written, or a run of Rockable."""
    if is_conf(path) or first_conf(path) is not None:
        return True
    suffix = Path(path).suffix.lower()
    own = suffix in TRAJECTORIES and (not os.path.isfile(path) or written_here(path))
    return suffix in MOTIONS and not own


def is_assumed(path: str | Path) -> bool:
    """True for a body, a terrain or a sensor's record: the note of its scenario tells what was assumed of it."""
    return is_body(path) or is_motion(path) or Path(path).suffix.lower() in TERRAIN


def check_columns(path: str | Path) -> None:
    """Raise ScenarioError if a sensor's record is missing, empty or no table."""
    column_names(Path(first_conf(path) or path))


def _check_role(path: Path, role: str | None, reading: MeshReading) -> None:
    served, what = (TERRAIN, N_("a terrain")) if role == SLOPE else (BODY, N_("a body"))
    if role is not None and path.suffix.lower() not in served:
        raise ScenarioError("--role", N_("'{role}' applies to {what} ({served})", role, what, ", ".join(served)), path)
    solid = is_body(path, role)
    idle = [key for key in reading.given() if not (solid or (key == "up" and role == SLOPE))]
    if idle:
        instead = N_("a scenario has scale, up and repair in [body] and [hull]")
        raise ScenarioError(f"--{idle[0]}", N_("applies to a body, rock or ship in a mesh; {instead}", instead), path)


def few_lanes(saved: SavedSession) -> tuple[SavedSession, tuple[str, ...]]:
    """The session with as many schemes as a window shows, and sentences about schemes that are left out."""
    schedule, named = saved.schedule, saved.schedule.scenario.schemes
    most = MOST_LANES - (len(schedule.scenario.shown) - len(named))  # measured motions are lanes too
    if len(named) <= most:
        return saved, schedule.scenario.missing
    shown = tuple(one.changed(schemes=named[:most]) for one in schedule.scenarios)
    note = N_("schemes: {count} are named; a window shows, and saves, the first {most} of them", len(named), most)
    return replace(saved, schedule=replace(schedule, scenarios=shown)), (note, *schedule.scenario.missing)
