"""Studies: how often rocks of each class start, and what an ensemble of them says of a year.

A rock stands for as many a year as start of its class, over the number of rocks of the class: its weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from physics.core.rotation import Array
from physics.hazard.statistics import QUANTITIES, Cells
from physics.scenario.common_config import distinct
from physics.systems.rockfall.scenario import HazardConfig, ScenarioClassConfig

LEVELS = 3  # weak, medium and strong
INTENSITIES = {  # [J] where classes of intensity meet; of two classes the medium one is empty
    "foen": (30e3, 300e3),  # Canton of Valais, hazard maps
    "oerok": (100e3, 100e3),  # recommended by the Austrian conference on spatial planning: Geomech. Tunn. 10 (1), 2017
}


class Study(NamedTuple):
    """Classes of rocks and what is wanted of them.

    names, frequencies (classes,) : of the classes, and starts in a year [1/a]
    periods : return periods [a]; height : [m] whose exceedance is counted, infinite for none
    intensities : energies [J] where classes of intensity meet
    """

    names: tuple[str, ...]
    frequencies: Array
    periods: tuple[float, ...]
    height: float
    intensities: tuple[float, float]

    @classmethod
    def of(cls, classes: tuple[ScenarioClassConfig, ...], hazard: HazardConfig) -> Study | None:
        """The study of the tables of a scenario; None without classes."""
        if not classes:
            return None
        names = distinct([one.name or f"class {i}" for i, one in enumerate(classes, start=1)])
        height = math.inf if hazard.height is None else hazard.height
        often = np.array([one.yearly for one in classes])
        return cls(names, often, hazard.return_periods, height, INTENSITIES[hazard.intensity])

    @property
    def limits(self) -> Array:
        """Values of the QUANTITIES whose exceedance is counted (4, 2), infinite for none."""
        found = np.full((len(QUANTITIES), LEVELS - 1), np.inf)
        names = list(QUANTITIES)
        found[names.index("kinetic_energy")] = self.intensities
        found[names.index("jump_height"), 0] = self.height
        return found

    def weights(self, rocks: Cells) -> Array:
        """Starts in a year [1/a] that each rock of a class stands for (classes,), where there are so many rocks."""
        return np.where(rocks > 0, self.frequencies / np.maximum(rocks, 1), 0.0)

    def summary(self, rocks: Cells) -> list[dict[str, Any]]:
        """Facts of each class with so many rocks (classes,), for summary.json."""
        each = zip(self.names, self.frequencies, rocks, self.weights(rocks), strict=True)
        return [
            {"name": name, "frequency": float(often), "rocks": int(n), "weight": float(weight)}
            for name, often, n, weight in each
        ]


def joined_classes(
    parts: Sequence[tuple[ScenarioClassConfig, ...]],
) -> tuple[tuple[ScenarioClassConfig, ...], list[Cells]]:
    """Classes of several ensembles, those that are the same once; and for each, by its own number, their number there.

    Two alike in one ensemble stay two; shares, which differ with what else is there, count for nothing.
    """
    known: dict[tuple[ScenarioClassConfig, int], int] = {}
    numbers = []
    for classes in parts:
        plain = [one.model_copy(update={"share": None}) for one in classes]
        alike = [(one, plain[:i].count(one)) for i, one in enumerate(plain)]
        numbers.append(np.array([0, *(known.setdefault(one, len(known) + 1) for one in alike)]))
    return tuple(one for one, _ in known), numbers


def tables_in(plain: dict[str, Any]) -> tuple[tuple[ScenarioClassConfig, ...], HazardConfig]:
    """The classes of a scenario as plain values, and what is wanted of them; ValueError where they are damaged."""
    classes = tuple(ScenarioClassConfig(**table) for table in plain.get("scenario_class", ()))
    return classes, HazardConfig(**plain.get("hazard", {}))
