"""Registry of kinds: the display of each system, one module and one row each."""

from __future__ import annotations

from pathlib import Path

from app.kinds import free, joints, rockfall, ship, top, toys, vessel
from app.kinds.kind import BodyRole, Kind
from physics import Scenario
from physics.bodies.mesh_io import METRES, MeshReading
from physics.systems.scenario_body import BodyScenario

_ROWS = free.ROW, top.ROW, vessel.ROW, ship.ROW, rockfall.ROW, toys.ROW, joints.ROW
KINDS: dict[str, Kind] = {row.kind: row for row in _ROWS}


def kind_of(scenario: Scenario) -> Kind:
    """The row of a scenario's kind."""
    return KINDS[scenario.kind]


def roles() -> dict[str, BodyRole]:
    """Roles that the body in a file can take, by name."""
    return {row.role.name: row.role for row in KINDS.values() if row.role is not None}


def role_of(scenario: Scenario) -> str | None:
    """Role of the body of a scenario; None if the body is not from a file, or has no role."""
    role = kind_of(scenario).role
    return role.name if role is not None and scenario.body_file is not None else None


def read_as(scenario: Scenario, loaded: bool, reading: MeshReading) -> Scenario:
    """The scenario with its mesh read in a way; a hull that is not loaded yet takes the load of its role."""
    role, values = kind_of(scenario).role, reading._asdict()
    table = "body" if role is None else role.table
    if role is not None and role.laden and not loaded and scenario.body_file is not None:
        made = taken(scenario.path(scenario.body_file[0]), role.name, reading=reading)
        return scenario.changed(**{table: made.to_plain()[table]})
    if isinstance(scenario, BodyScenario) and scenario.body.shape == "hull":
        del values["repair"]  # the convex hull of points is closed
    return scenario.changed(**{f"{table}.{key}": value for key, value in values.items()})


def taken(file: Path, role: str = "body", ground: Scenario | None = None, reading: MeshReading = METRES) -> Scenario:
    """Scenario of the body in a file, in one of ``roles``; ScenarioError if the file holds no such body.

    ground : rockfall scenario whose slope a rock falls on; None: the alpine example
    """
    return roles()[role].scenario(file, reading, ground)
