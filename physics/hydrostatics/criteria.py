"""The general criteria of the 2008 IS Code for the righting lever (IMO Resolution MSC.267(85), part A, 2.2).

A demonstration, and no approval: openings through which water comes in, free surfaces in tanks, wind and rolling
(2.3), and the rules for kinds of ships are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from physics.hydrostatics.flotation import hydrostatics
from physics.hydrostatics.righting_levers import Righting

ASKED = (  # what is judged, its least value, its unit
    ("area under GZ to 30°", 0.055, "m rad"),
    ("area under GZ to 40°", 0.09, "m rad"),
    ("area under GZ from 30° to 40°", 0.03, "m rad"),
    ("largest GZ at 30° or more", 0.2, "m"),
    ("heel of the largest GZ", 25.0, "°"),
    ("GM upright", 0.15, "m"),
)
VERDICTS = ("not passed", "passed")


@dataclass(frozen=True)
class Criterion:
    """A value of the ship, and the least that the code asks for."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def passed(self) -> bool:
        """Whether the value is at least the limit."""
        return bool(self.value >= self.limit)

    @property
    def verdict(self) -> str:
        """In words."""
        return VERDICTS[self.passed]


def criteria(found: Righting) -> tuple[Criterion, ...]:
    """Values and limits of 2.2.1 to 2.2.4, for a hull into which no water comes below 40 degrees."""
    values = (
        found.area_30,
        found.area_40,
        found.area_40 - found.area_30,
        found.most_beyond_30,
        math.degrees(found.most_at),
        hydrostatics(found.upright).gm_transverse,
    )
    judged = zip(ASKED, values, strict=True)
    return tuple(Criterion(name, value, limit, unit) for (name, limit, unit), value in judged)
