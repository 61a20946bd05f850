"""THE TABLE of kinds: what the program shows of each system, one module and one row each."""

from __future__ import annotations

from pathlib import Path

from app.kinds import free, rockfall, ship, top, toys, vessel
from app.kinds.kind import BodyRole, Kind
from physics import Scenario
from physics.bodies.mesh_io import METRES, MeshReading

KINDS: dict[str, Kind] = {row.kind: row for row in (free.ROW, top.ROW, vessel.ROW, ship.ROW, rockfall.ROW, toys.ROW)}


def kind_of(scenario: Scenario) -> Kind:
    """The row of a scenario's kind."""
    return KINDS[scenario.kind]


def roles() -> dict[str, BodyRole]:
    """What the body of a file can be taken for, by name."""
    return {row.role.name: row.role for row in KINDS.values() if row.role is not None}


def role_of(scenario: Scenario) -> str | None:
    """The role that the body of a file has in a scenario; None where the body is of no file, or has no role in it."""
    role = kind_of(scenario).role
    return role.name if role is not None and scenario.body_file is not None else None


def taken(file: Path, role: str = "body", ground: Scenario | None = None, reading: MeshReading = METRES) -> Scenario:
    """The body in a file, taken so, in one of ``roles``; ScenarioError where it is none.

    ground : the rockfall scenario on whose slope a rock falls; None: the alpine slope that comes with the program
    """
    return roles()[role].scenario(file, reading, ground)
