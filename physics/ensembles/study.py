"""Studies: how often rocks of each class start, and what an ensemble of them says of a year.

A rock stands for as many a year as start of its class, over the number of rocks of the class: its weight.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.core.rotation import Array
from physics.ensembles.statistics import QUANTITIES
from physics.systems.rockfall.scenario import HazardConfig, RockfallScenario, ScenarioClassConfig

INTENSITIES = 30e3, 300e3  # [J] where classes of intensity meet: Canton of Valais, hazard maps
LEVELS = 3  # weak, medium and strong


class Study(NamedTuple):
    """Classes of rocks and what is wanted of them.

    names, frequencies (classes,) : of the classes, and starts in a year [1/a]
    periods : return periods [a]; height : [m] whose exceedance is counted, infinite for none
    """

    names: tuple[str, ...]
    frequencies: Array
    periods: tuple[float, ...]
    height: float

    @classmethod
    def of(cls, classes: tuple[ScenarioClassConfig, ...], hazard: HazardConfig) -> Study | None:
        """The study of the tables of a scenario; None without classes."""
        if not classes:
            return None
        names = tuple(one.name or f"class {i}" for i, one in enumerate(classes, start=1))
        height = math.inf if hazard.height is None else hazard.height
        return cls(names, np.array([one.yearly for one in classes]), hazard.return_periods, height)

    @property
    def limits(self) -> Array:
        """Values of the QUANTITIES whose exceedance is counted (4, 2), infinite for none."""
        found = np.full((len(QUANTITIES), LEVELS - 1), np.inf)
        names = list(QUANTITIES)
        found[names.index("kinetic_energy")] = INTENSITIES
        found[names.index("jump_height"), 0] = self.height
        return found

    def weights(self, rocks: NDArray[np.int64]) -> Array:
        """Starts in a year [1/a] that each rock of a class stands for (classes,), where there are so many rocks."""
        return np.where(rocks > 0, self.frequencies / np.maximum(rocks, 1), 0.0)

    def summary(self, rocks: NDArray[np.int64]) -> list[dict[str, Any]]:
        """Facts of each class with so many rocks (classes,), for summary.json."""
        each = zip(self.names, self.frequencies, rocks, self.weights(rocks), strict=True)
        return [
            {"name": name, "frequency": float(often), "rocks": int(n), "weight": float(weight)}
            for name, often, n, weight in each
        ]


def weighted_quantiles(values: Array, weights: Array, shares: tuple[float, ...] = (0.95, 0.99)) -> list[float]:
    """The least of values (n,) that a share of the weights (n,) does not exceed, for each share."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    places = [np.searchsorted(below, share * below[-1] * (1.0 - 1e-12)) for share in shares]
    return [float(values[order[place]]) for place in places]


def study_of(scenario: RockfallScenario) -> Study | None:
    """The study of a scenario; None without classes."""
    return Study.of(scenario.scenario_class, scenario.hazard)


def study_in(plain: dict[str, Any]) -> tuple[Study | None, tuple[float, float]]:
    """The study, and the factors, of a scenario as plain values; ValueError where its tables are damaged."""
    hazard = HazardConfig(**plain.get("hazard", {}))
    classes = tuple(ScenarioClassConfig(**table) for table in plain.get("scenario_class", ()))
    return Study.of(classes, hazard), hazard.factors
