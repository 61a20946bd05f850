"""Scenarios of kind ``table``: a smooth convex body on a plane that may tilt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator

from physics.core.errors import ScenarioError
from physics.core.wording import N_
from physics.scenario.body_shapes import SMOOTH
from physics.scenario.common_config import OR_INFINITE, InitialConfig, NotNegative, Number, Positive, Table
from physics.scenario.described import described
from physics.systems.scenario_body import BodyScenario
from physics.systems.start_spread import StartsConfig, check_axis

Fraction = Annotated[NotNegative, Field(le=1.0)]
Tilt = Annotated[Number, Field(gt=-1.57, lt=1.57)]
Friction = Annotated[float, Field(strict=True, ge=0), OR_INFINITE]
COULOMB = ("viscous", (None,))  # keys of Coulomb friction act without viscous friction, which takes its place


class ToyTableConfig(Table):
    """``[table]``: how it lies, and what acts where the body touches it; what is not given does not act."""

    tilt: Tilt = described(0.0, "Tilt", "rad", "Of the table; downhill is x")
    mu: Friction = described(
        0.3,
        "Friction μ",
        about="Of Coulomb friction; 0: none; 1000 or more, or inf: the body does not slip",
        only=COULOMB,
    )
    spin_radius: NotNegative = described(
        0.0,
        "Spin radius",
        "m",
        "Of Coulomb-Contensou friction: drilling eases sliding; 0: contact at a point",
        only=COULOMB,
    )
    rolling_arm: NotNegative = described(
        0.0, "Rolling arm", "m", "Of the rolling moment, arm times normal force; 0: none"
    )
    contour: NotNegative = described(
        0.0, "Contour friction μ", about="Against the contact point that wanders on the body; 0: none"
    )
    viscous: Positive | None = described(
        None, "Viscous friction", "s/m", "Force over normal force and slip, in place of Coulomb friction", empty="none"
    )
    regularisation: NotNegative = described(
        0.0, "Regularisation", "m/s", "Slip below which Coulomb friction fades; 0: it may stick", only=COULOMB
    )
    restitution: Fraction = described(0.0, "Restitution", about="Of the normal velocity at impacts")
    lift_off: bool = described(False, about="whether events report when the body leaves the table")

    def idle(self) -> Iterator[tuple[str, str]]:
        """Keys without effect: what changes Coulomb friction, where there is none."""
        yield from super().idle()
        if self.mu == 0.0:
            for key in ("spin_radius", "regularisation"):
                yield key, N_("expected none where mu is 0: there is no friction that it could change")


class ToyInitialConfig(InitialConfig):
    """``[initial]`` of a body on a table: without a place it touches the table above the origin."""

    height: Positive | None = described(
        None,
        "Height",
        "m",
        "Of the centre of mass above the table",
        empty="it touches, or as the position says",
        only=("position", (None,)),
    )


class StopConfig(Table):
    """``[stop]``: a body rests when its kinetic energy stays below ``energy`` for ``for`` seconds, on the table."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    energy: NotNegative = described(1e-10, unit="J/kg", about="kinetic energy over mass, below which it rests")
    for_: Positive = described(0.1, unit="s", about="how long it stays below", alias="for")


class ToyScenario(BodyScenario):
    """A scenario of kind ``table``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    ensemble_size: ClassVar[str] = "ensemble.runs"
    later: ClassVar[frozenset[str]] = BodyScenario.later | {"table", "stop"}
    varied: ClassVar[frozenset[str]] = BodyScenario.varied | {"table", "stop"}
    not_varied: ClassVar[frozenset[str]] = frozenset({"table.tilt"})
    shapes: ClassVar[tuple[str, ...]] = SMOOTH
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
                "body.inertia", N_("missing; a body whose centre of mass or axes are not those of its shape expects it")
            )
        check_axis(self.ensemble.spread, self.initial.angular_velocity)

    @property
    def seed(self) -> int:
        """Seed of the starts of its ensemble."""
        return self.ensemble.seed
