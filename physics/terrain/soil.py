"""Soils: the terrain categories of RAMMS::ROCKFALL as presets of the laws of Leine et al. (2014) and Lu et al. (2019).

The values are literature, approximate: the table of Bartelt, Gerber, Christen & Bühler (INTERPRAEVENT 2016) as others
pass it on. The row ``hard`` is the fixed set of Lu et al. (2019); the ends of the list are confirmed by an independent
account; the rows between them, and snow above all, are less sure. Measure where it matters.

Scars: that of ``hard`` is the set of Lu et al. (2019) for a whole slope, whose single impacts gave 10 to 25 MN/m². The
others are ours: the same drag and density, and moduli that fall with the softness, 10 MN/m² being their lowest. Rock
stays rigid, and so does snow, for which no value is known here.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import NamedTuple

LABEL = "literature, approximate"
PRESET_LAWS = ("mu_min", "mu_max", "beta", "kappa", "drag")  # what a preset gives: friction and drag
CATEGORIES = "Bartelt, Gerber, Christen & Bühler, INTERPRAEVENT 2016, as passed on in secondary sources"


class Scar(NamedTuple):
    """Compactable soil: M_E [N/m²], C_s, density [kg/m³], see physics.terrain.scar."""

    modulus: float
    coefficient: float = 1.5
    density: float = 1700.0


@dataclass(frozen=True)
class Soil:
    """A category of ground.

    Attributes
    ----------
    ground : what it typically is, for people
    mu_min, mu_max : friction coefficient of a fresh contact, and after long slip
    beta : decay of slip in flight [1/s]
    kappa : growth of friction with slip [1/m]
    drag : viscous drag over mass while in contact [1/s]
    source : where the values come from
    scar : what ``ground = "compactable"`` stands for; None where the ground stays rigid
    label : how far to trust the values
    """

    ground: str
    mu_min: float
    mu_max: float
    beta: float
    kappa: float
    drag: float
    source: str = CATEGORIES
    label: str = LABEL
    scar: Scar | None = None

    def laws(self) -> dict[str, float]:
        """The values under the keys of the scenario's ``[soil]``."""
        return {key: getattr(self, key) for key in PRESET_LAWS}


SOILS = {
    "extra-soft": Soil("moor, very wet", 0.20, 2.0, 50.0, 1.0, 0.9, scar=Scar(2e6)),
    "soft": Soil("deep soft meadow", 0.25, 2.0, 100.0, 1.25, 0.8, scar=Scar(4e6)),
    "medium-soft": Soil("meadow", 0.30, 2.0, 125.0, 1.5, 0.7, scar=Scar(7e6)),
    "medium": Soil("meadow with stones", 0.35, 2.0, 150.0, 2.0, 0.6, scar=Scar(10e6)),
    "medium-hard": Soil("dense scree, forest road", 0.40, 2.0, 175.0, 2.5, 0.5, scar=Scar(12.5e6)),
    "hard": Soil(
        "coarse scree, mixed rock and soil",
        *(0.55, 2.0, 185.0, 3.0, 0.4),
        "friction, scar: Lu et al., Landslides 16, 2353-2367 (2019); drag: " + CATEGORIES,
        scar=Scar(15e6),
    ),
    "extra-hard": Soil("bedrock, asphalt", 0.80, 2.0, 200.0, 4.0, 0.3),
    "snow": Soil("snow", 0.10, 0.35, 150.0, 2.0, 0.7),
}


def soil(name: str) -> Soil:
    """The soil of that name; ValueError, with the nearest name and all names, when there is none."""
    if name in SOILS:
        return SOILS[name]
    near = difflib.get_close_matches("-".join(name.lower().split()), SOILS, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise ValueError(f"{name!r:.40} is not a soil; {hint}expected one of {', '.join(SOILS)}")
