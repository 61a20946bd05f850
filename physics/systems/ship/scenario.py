"""Scenarios of kind ``ship``: a hull that floats by its own mesh."""

from __future__ import annotations

from typing import ClassVar, Literal

from physics.bodies.mesh_io import MeshReading
from physics.core.errors import ScenarioError
from physics.scenario.scenario import Scenario
from physics.schemes.lane import lane_of
from physics.systems.ship.ship_config import (
    ControlTable,
    DampingTable,
    HullTable,
    ShipInitialTable,
    WaterTable,
    WaveTable,
    WindTable,
)


class ShipScenario(Scenario):
    """A scenario of kind ``ship``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("verlet-exact", "rkn-4")
    later: ClassVar[frozenset[str]] = Scenario.later | {"hull", "water", "wave", "wind", "damping", "control"}
    varied: ClassVar[frozenset[str]] = frozenset({"initial", "damping", "wind", "control"})  # waves depend on gravity

    kind: Literal["ship"]
    hull: HullTable | None = None
    water: WaterTable = WaterTable()
    wave: WaveTable | None = None
    wind: WindTable | None = None
    damping: DampingTable = DampingTable()
    control: ControlTable | None = None
    initial: ShipInitialTable = ShipInitialTable()

    def check_kind(self) -> None:
        """There is a hull, and what starts is a ship."""
        if self.hull is None:
            raise ScenarioError("hull", "missing; expected a table with file or shape, mass and centre_of_gravity")
        if self.body is not None:
            raise ScenarioError("body", "not a table of kind 'ship'; expected [hull]")
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        if self.g == 0.0:
            raise ScenarioError("gravity.g", "expected a gravity above 0 [m/s²]: nothing floats without")

        for lane in self.schemes:
            if why := self.unfit(lane):
                expected = "expected none, or a splitting or Runge-Kutta"
                raise ScenarioError("hull.added_mass", f"{lane} {why}; {expected}")

    def unfit(self, lane: str) -> str:
        """Rotations alone do not move the water that moves with a hull."""
        if self.hull is None or not any(self.hull.added_mass) or lane_of(lane).scheme.added_mass:
            return ""
        return "is a rotation alone and knows no added mass"

    @property
    def seed(self) -> int:
        """Of what is drawn for an irregular sea."""
        return 0 if self.wave is None or self.wave.spectrum is None else self.wave.seed

    @property
    def body_file(self) -> tuple[str, MeshReading] | None:
        """The file of the hull, and how it is taken."""
        table = self.hull
        return None if table is None or table.file is None else (table.file, reading_of(table))


def reading_of(table: HullTable) -> MeshReading:
    """How the file of a hull is taken."""
    return MeshReading(table.scale, table.up, table.repair)


def of_a_ship(scenario: Scenario) -> ShipScenario:
    """The same scenario where it is one of a ship; else ScenarioError."""
    if not isinstance(scenario, ShipScenario):
        raise ScenarioError("kind", f"expected 'ship', got '{scenario.kind}'")
    return scenario
