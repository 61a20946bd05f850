"""Registry of kinds: the display of each system, one module and one row each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.kinds import free, joints, rockfall, ship, top, toys, vessel
from app.kinds.kind import BodyRole, Kind, Layers
from physics import PhysicsError, Scenario, ScenarioError
from physics.bodies.mesh_io import METRES, MeshReading
from physics.systems.scenario_body import BodyScenario

_ROWS = free.ROW, top.ROW, vessel.ROW, ship.ROW, rockfall.ROW, toys.ROW, joints.ROW
KINDS: dict[str, Kind] = {row.kind: row for row in _ROWS}


def kind_of(scenario: Scenario) -> Kind:
    """The row of a scenario's kind."""
    return KINDS[scenario.kind]


def layers() -> list[Layers]:
    """Layers of results that pictures can show."""
    return [row.layers() for row in KINDS.values() if row.layers is not None]


def roles() -> dict[str, BodyRole]:
    """Roles that the body in a file can take, by name."""
    return {row.role.name: row.role for row in KINDS.values() if row.role is not None}


def role_of(scenario: Scenario) -> str | None:
    """Role of the body of a scenario; None if the body is not from a file, or has no role."""
    role = kind_of(scenario).role
    return role.name if role is not None and scenario.body_file is not None else None


def read_as(scenario: Scenario, loaded: bool, reading: MeshReading) -> Scenario:
    """The scenario with its mesh read in a way; a hull that is not loaded yet takes the load of its role."""
    role, values = kind_of(scenario).role, reading.values()
    table = "body" if role is None else role.table
    if role is not None and role.laden and not loaded and scenario.body_file is not None:
        made = taken(scenario.path(scenario.body_file[0]), role.name, reading=reading)
        return scenario.changed(**{table: made.to_plain()[table]})
    if isinstance(scenario, BodyScenario) and scenario.body.shape == "hull":
        del values["repair"]  # the convex hull of points is closed
    return scenario.changed(**{f"{table}.{key}": value for key, value in values.items()})


SET = ("mass", "centre_of_gravity", "radii_of_gyration")  # keys of a hull that its role sets
SET_BESIDE = ("initial.heel", "duration", "step", "note")


def read_anew(scenario: Scenario, before: MeshReading) -> tuple[Scenario, tuple[str, ...]]:
    """The scenario whose mesh is read otherwise than before, and the keys of its load that stay.

    What the role has set is set as if the file had been opened so; what was typed stays.
    """
    role = kind_of(scenario).role
    if role is None or scenario.body_file is None:
        return scenario, ()
    file, reading = scenario.path(scenario.body_file[0]), scenario.body_file[1]
    of_load = tuple(f"{role.table}.{key}" for key in SET)
    try:
        was, now = (taken(file, role.name, reading=one) for one in (before, reading))
    except (PhysicsError, ScenarioError):  # it has no load, read so, which is reported with the run
        return scenario, ()
    changes, kept = {}, list[str]()
    for key in (*of_load, *SET_BESIDE):
        mine, theirs, new = (_value(one, key) for one in (scenario, was, now))
        if mine == theirs or (not isinstance(mine, str | None) and np.allclose(mine, theirs, rtol=1e-9, atol=0.0)):
            changes[key] = new
        elif key in of_load and mine is not None:
            kept.append(key)
    return scenario.changed(**changes), tuple(kept)


def _value(scenario: Scenario, key: str) -> Any:
    """The value of a key in the tables of a scenario; None where it is not given."""
    found: Any = scenario.to_plain()
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def taken(file: Path, role: str = "body", ground: Scenario | None = None, reading: MeshReading = METRES) -> Scenario:
    """Scenario of the body in a file, in one of ``roles``; ScenarioError if the file holds no such body.

    ground : rockfall scenario whose slope a rock falls on; None: the alpine example
    """
    return roles()[role].scenario(file, reading, ground)
