"""Scenarios of kind ``rockfall``: a rock, or many, on a terrain."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from physics.core.errors import ScenarioError
from physics.measured.measured_config import check_lanes
from physics.scenario.common_config import SOLIDS, NotNegative, Positive, Table
from physics.scenario.scenario import Scenario
from physics.systems.measured_scenario import MeasuredScenario
from physics.systems.rockfall.ground_config import BarrierTable, ForestTable, SoilTable, TerrainTable
from physics.systems.rockfall.observation_config import FittedTable, ObservedTable
from physics.systems.rockfall.rock_config import EnsembleTable, ReleaseTable


class StopTable(Table):
    """``[stop]``: a rock rests when its kinetic energy stays below ``energy`` for ``for`` seconds, in contact."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = Field(0.05, description="[J/kg]")
    for_: Positive = Field(1.0, alias="for", description="[s]")


class RockfallScenario(MeasuredScenario):
    """A scenario of kind ``rockfall``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    later: ClassVar[frozenset[str]] = Scenario.later | {"soil", "forest", "stop"}
    shapes: ClassVar[tuple[str, ...]] = (*SOLIDS, "sphere", "disk")
    refused: ClassVar[tuple[str, ...]] = ("offset", "axes")
    most_corners: ClassVar[int | None] = 500  # of a rock: each is tested against the ground in each step
    varied: ClassVar[frozenset[str]] = frozenset()  # starts are drawn, and ensembles run as lanes do

    kind: Literal["rockfall"]
    terrain: TerrainTable | None = None
    soil: SoilTable = SoilTable()
    forest: ForestTable = ForestTable()
    release: ReleaseTable = ReleaseTable()
    ensemble: EnsembleTable = EnsembleTable()
    barrier: Annotated[tuple[BarrierTable, ...], Field(max_length=64)] = ()
    stop: StopTable = StopTable()
    observed: ObservedTable = ObservedTable()
    fitted: FittedTable | None = None

    def check_kind(self) -> None:
        """There is a terrain, one start, and one body or a random one for each rock."""
        check_lanes(self.measured)
        if self.terrain is None:
            raise ScenarioError("terrain", "missing; expected a table with file or profile")
        if self.initial.position is not None and self.release.place is not None:
            raise ScenarioError(f"release.{self.release.place}", "expected one start; initial.position is given too")
        if self.initial.gives("velocity") and self.release.velocity is not None:
            raise ScenarioError("release.velocity", "expected one velocity; initial.velocity is given too")
        self.refuse_initial("nutation", "precession", "spin")
        if self.body.blocks is not None and self.ensemble.size is not None:
            told = "expected none beside body.blocks, where masses and lengths stand"
            raise ScenarioError(f"ensemble.{self.ensemble.size[0]}", told)
        if self.body.form == "disk" and self.body.thickness == 0.0:
            raise ScenarioError("body.thickness", "expected more than 0 m of a disk that falls")
        if self.ensemble.shapes == "each" and self.body.form != "random" and self.body.blocks is None:
            raise ScenarioError("ensemble.shapes", f"'each' expects the shape 'random', got '{self.body.form}'")
        if self.ensemble.shapes == "each" and self.body.inertia is not None:
            raise ScenarioError("body.inertia", "expected none where each rock has a shape, and moments, of its own")

    @property
    def seed(self) -> int:
        """Of what is drawn for the rocks of its ensemble."""
        return self.ensemble.seed

    @property
    def ground(self) -> Table | None:
        """The terrain."""
        return self.terrain


def of_rocks(scenario: Scenario) -> RockfallScenario:
    """The same scenario where it is one of rockfall; else ScenarioError."""
    if not isinstance(scenario, RockfallScenario):
        raise ScenarioError("kind", f"expected 'rockfall', got '{scenario.kind}'")
    return scenario
