"""Random starts of many runs: their table in the scenario, and the values drawn for a run.

A run is known by its number: all that is drawn for it comes from the ensemble's seed and this number. So any run can be
made again alone, bit for bit, and none depends on how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Protocol

import numpy as np
from numpy.random import Generator
from pydantic import Field

from physics.core.errors import ScenarioError
from physics.core.rotation import Array, cross, exp_half, multiply
from physics.core.wording import N_
from physics.scenario.common_config import NotNegative, Table
from physics.scenario.described import described

MAX_ENSEMBLE_RUNS = 100_000  # 18 MB of rows a lane


class SpreadConfig(Table):
    """``[ensemble.spread]``: how far starts scatter: standard deviations, or half widths where they are uniform."""

    distribution: Literal["normal", "uniform"] = described("normal", about="of what scatters")
    tilt: NotNegative = described(0.0, unit="rad", about="of a turn of the body about a level axis of any direction")
    spin: NotNegative = described(0.0, unit="rad/s", about="of the rate of turning")
    direction: NotNegative = described(0.0, unit="rad", about="of the axis of turning in the body, to any side")

    def idle(self) -> Iterator[tuple[str, str]]:
        """A distribution of nothing."""
        yield from super().idle()
        if not self.tilt + self.spin + self.direction:
            yield "distribution", N_("expected one of tilt, spin and direction beside it")


class RunsConfig(Table):
    """``[ensemble]``: how many runs, and the seed of what is drawn for them."""

    runs: Annotated[int, Field(strict=True, ge=1, le=MAX_ENSEMBLE_RUNS)] = described(1, about="how many")
    seed: Annotated[int, Field(strict=True, ge=0)] = described(0, about="of what is drawn")


class StartsConfig(RunsConfig):
    """``[ensemble]``: how many runs, and how their starts scatter about ``[initial]``."""

    spread: SpreadConfig = SpreadConfig()


def check_axis(spread: SpreadConfig, angular_velocity: Sequence[float]) -> None:
    """ScenarioError where an angular velocity that is zero should scatter in size or direction."""
    for key in ("spin", "direction"):
        if getattr(spread, key) and not any(angular_velocity):
            raise ScenarioError(
                f"ensemble.spread.{key}", N_("expected none where initial.angular_velocity is zero: it has no axis")
            )


class _Scenario(Protocol):
    @property
    def ensemble(self) -> StartsConfig: ...


class ScatteredWorld(Protocol):
    """A world of a scenario that has a StartsConfig."""

    @property
    def scenario(self) -> _Scenario: ...


def runs(world: ScatteredWorld) -> int:
    """Number of runs in the ensemble of its scenario."""
    return world.scenario.ensemble.runs


def varies(world: ScatteredWorld) -> bool:
    """True if the starts of its ensemble differ."""
    spread = world.scenario.ensemble.spread
    return spread.tilt + spread.spin + spread.direction > 0.0


def shares_of(ensemble: RunsConfig, distribution: str, run: int, shape: tuple[int, ...]) -> tuple[Array, Generator]:
    """Numbers of a run, by which half widths or standard deviations are multiplied, and what draws further ones."""
    generator = np.random.default_rng(np.random.SeedSequence([ensemble.seed, run]))
    normal = distribution == "normal"
    return generator.standard_normal(shape) if normal else generator.uniform(-1.0, 1.0, shape), generator


def scattered(ensemble: StartsConfig, run: int, orientation: Array, w: Array) -> tuple[Array, Array]:
    """The start of a run: tilted about a level axis, turning faster or slower, about another axis in the body.

    orientation (4,), w (3,) [rad/s]: of the start about which they scatter. All numbers are drawn whatever scatters:
    what one quantity does not depend on whether another is drawn too.
    """
    spread = ensemble.spread
    shares, generator = shares_of(ensemble, spread.distribution, run, (3,))
    level, side = generator.uniform(0.0, 2.0 * math.pi, 2)
    tilt, spin, lean = (shares * (spread.tilt, spread.spin, spread.direction)).tolist()
    turn = exp_half((tilt * math.cos(level), tilt * math.sin(level), 0.0))
    rate = float(np.sqrt((w * w).sum()))
    if rate > 0.0:
        axis = w / rate
        least = int(np.argmin(np.abs(axis)))  # np.cross would take most of the time
        across = np.array(cross(tuple(axis.tolist()), (float(least == 0), float(least == 1), float(least == 2))))
        across /= np.sqrt((across * across).sum())
        aside = np.array(cross(tuple(axis.tolist()), tuple(across.tolist())))
        w = (rate + spin) * (
            math.cos(lean) * axis + math.sin(lean) * (math.cos(side) * across + math.sin(side) * aside)
        )
    q = multiply(turn, orientation)
    return q / np.sqrt((q * q).sum()), w
