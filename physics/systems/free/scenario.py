"""Scenarios of kind ``free``: a body that nothing turns, or that torques, rotors and damping of its own tables turn."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from physics.measured.measured_config import check_lanes
from physics.scenario.scenario import Scenario
from physics.schemes.driven_march import UNDER_TORQUE
from physics.systems.free.actions import (
    Actions,
    BodyDampingConfig,
    GravityGradientConfig,
    RotorConfig,
    SpringConfig,
    Torques,
    one_or_more,
)
from physics.systems.measured import MeasuredScenario
from physics.systems.start_spread import StartsConfig, check_axis


class FreeScenario(MeasuredScenario):
    """A scenario of kind ``free``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    usual_gravity: ClassVar[float] = 0.0
    ensemble_size: ClassVar[str] = "ensemble.runs"

    varied: ClassVar[frozenset[str]] = Scenario.varied | frozenset(Actions._fields)

    kind: Literal["free"]
    torque: Torques = ()
    rotor: Annotated[tuple[RotorConfig, ...], one_or_more(RotorConfig), Field(max_length=20)] = ()
    spring: SpringConfig | None = None
    gravity_gradient: GravityGradientConfig | None = None
    damping: BodyDampingConfig = BodyDampingConfig()
    ensemble: StartsConfig = StartsConfig()

    def check_kind(self) -> None:
        """The initial state is that of a body."""
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        check_lanes(self.measured)
        check_axis(self.ensemble.spread, self.initial.angular_velocity)

    @property
    def actions(self) -> Actions:
        """Actions on the body."""
        return Actions(self.torque, self.rotor, self.spring, self.gravity_gradient, self.damping)

    @property
    def acted(self) -> bool:
        """True if something does."""
        return self.actions.act

    @property
    def served(self) -> str:
        """The schemes that serve it: of bodies under torque, where something acts."""
        return UNDER_TORQUE if self.acted else self.kind

    @property
    def seed(self) -> int:
        """Seed of the starts of its ensemble."""
        return self.ensemble.seed
