"""Scenarios of kind ``table``: a smooth convex body on a plane that may tilt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator

from physics.core.errors import ScenarioError
from physics.scenario.common_config import InitialConfig, NotNegative, Number, Positive, Table, Unbounded
from physics.systems.scenario_body import BodyScenario
from physics.systems.start_spread import StartsConfig, check_axis

SHAPES = ("ellipsoid", "sphere", "tippe-top", "egg", "disk", "hoop", "cylinder")  # that have a smooth surface
Fraction = Annotated[NotNegative, Field(le=1.0)]
Tilt = Annotated[Number, Field(gt=-1.57, lt=1.57)]
Friction = Annotated[Unbounded, Field(ge=0.0)]


class ToyTableConfig(Table):
    """``[table]``: how it lies, and what acts where the body touches it; what is not given does not act."""

    tilt: Tilt = Field(0.0, description="of the plane about its y axis [rad]; downhill is +x")
    mu: Friction = Field(0.3, description="of Coulomb friction; 0: none; 1000 or more, or inf: the body does not slip")
    spin_radius: NotNegative = Field(0.0, description="[m] of Coulomb-Contensou friction: drilling eases sliding")
    rolling_arm: NotNegative = Field(0.0, description="[m] of the rolling moment, arm times normal force")
    contour: NotNegative = Field(0.0, description="μ_r of contour friction, against the wandering contact point")
    viscous: Positive | None = Field(None, description="[s/m] c of F = -c N γ, in place of Coulomb friction")
    regularisation: NotNegative = Field(0.0, description="[m/s] ε of F = -μ N γ / sqrt(γ² + ε²); 0: set-valued")
    restitution: Fraction = Field(0.0, description="of the normal velocity at impacts")
    lift_off: bool = Field(False, description="whether events report when the body leaves the table")

    @model_validator(mode="after")
    def _one_law(self) -> ToyTableConfig:
        if self.viscous is not None:
            for key in ("mu", "spin_radius", "regularisation"):
                if self.gives(key):
                    raise ValueError(f"{key}: expected none beside viscous, which takes the place of Coulomb friction")
        if self.mu == 0.0:
            for key in ("spin_radius", "regularisation"):
                if self.gives(key):
                    raise ValueError(f"{key}: expected none where mu is 0: there is no friction that it could change")
        return self


class ToyInitialConfig(InitialConfig):
    """``[initial]`` of a body on a table: without a place it touches the table above the origin."""

    height: Positive | None = Field(
        None, description="of the centre of mass above the table [m]; without it it touches"
    )

    def idle(self) -> Iterator[tuple[str, str]]:
        """A position gives the height."""
        yield from super().idle()
        if self.position is not None:
            yield "height", "expected none beside position"


class StopConfig(Table):
    """``[stop]``: a body rests when its kinetic energy stays below ``energy`` for ``for`` seconds, on the table."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = Field(1e-10, description="[J/kg]")
    for_: Positive = Field(0.1, alias="for", description="[s]")


class ToyScenario(BodyScenario):
    """A scenario of kind ``table``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    ensemble_size: ClassVar[str] = "ensemble.runs"
    later: ClassVar[frozenset[str]] = BodyScenario.later | {"table", "stop"}
    varied: ClassVar[frozenset[str]] = BodyScenario.varied | {"table", "stop"}
    not_varied: ClassVar[frozenset[str]] = frozenset({"table.tilt"})
    shapes: ClassVar[tuple[str, ...]] = SHAPES
    refused: ClassVar[tuple[str, ...]] = ("blocks", "shell", "inertia_about", "inertia_axes")

    kind: Literal["table"]
    table: ToyTableConfig = ToyTableConfig()
    initial: ToyInitialConfig = ToyInitialConfig()
    stop: StopConfig = StopConfig()
    ensemble: StartsConfig = StartsConfig()

    @model_validator(mode="before")
    @classmethod
    def _rolling(cls, values: Any) -> Any:
        """``velocity = "rolling"`` is what a velocity that is not given means."""
        initial = values.get("initial") if isinstance(values, dict) else None
        if isinstance(initial, dict) and initial.get("velocity") == "rolling":
            return {**values, "initial": {key: value for key, value in initial.items() if key != "velocity"}}
        return values

    def check_kind(self) -> None:
        """The start is a state; moments are given where the centre of mass is off the centre of the shape."""
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        body = self.body
        if body.inertia is None and (any(body.offset) or body.axes != (1.0, 0.0, 0.0, 0.0)):
            raise ScenarioError(
                "body.inertia", "missing; a body whose centre of mass or axes are not those of its shape expects it"
            )
        check_axis(self.ensemble.spread, self.initial.angular_velocity)

    @property
    def seed(self) -> int:
        """Of the starts of its ensemble."""
        return self.ensemble.seed
