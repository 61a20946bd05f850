"""Scenarios of kind ``free``: a body that nothing turns."""

from __future__ import annotations

from typing import ClassVar, Literal

from physics.measured.measured_config import check_lanes
from physics.systems.measured import MeasuredScenario
from physics.systems.start_spread import StartsConfig, check_axis


class FreeScenario(MeasuredScenario):
    """A scenario of kind ``free``."""

    usual_schemes: ClassVar[tuple[str, ...]] = ("explicit", "implicit")
    usual_gravity: ClassVar[float] = 0.0
    ensemble_size: ClassVar[str] = "ensemble.runs"

    kind: Literal["free"]
    ensemble: StartsConfig = StartsConfig()

    def check_kind(self) -> None:
        """The initial state is that of a body."""
        self.refuse_random_orientation()
        self.refuse_initial("nutation", "precession", "spin")
        check_lanes(self.measured)
        check_axis(self.ensemble.spread, self.initial.angular_velocity)

    @property
    def seed(self) -> int:
        """Of the starts of its ensemble."""
        return self.ensemble.seed
