"""Titles of the maps of an ensemble, for people."""

from __future__ import annotations

from app.system.language import tr
from physics.ensembles.statistics import QUANTITIES

MAPS = {  # what can be laid over the terrain -> title; of the QUANTITIES each with one of STATISTICS
    "reach_probability": "reach probability",
    "passages": "rocks that passed",
    "deposits": "rocks at rest",
    "kinetic_energy": "kinetic energy",
    "velocity": "velocity",
    "rotation": "spin rate",
    "jump_height": "jump height",
}
WORDS = {"mean": "mean", "median": "median", "q90": "90 %", "q95": "95 %", "q99": "99 %", "max": "largest"}


def title_of(layer: str) -> str:
    """A map of physics.ensembles.maps for people: quantity and statistic."""
    quantity, _, statistic = layer.rpartition("_")
    if quantity not in QUANTITIES or statistic not in WORDS:
        return tr(MAPS.get(layer, layer.replace("_", " ")))
    word = tr("{share} quantile").format(share=WORDS[statistic]) if statistic.startswith("q") else tr(WORDS[statistic])
    return f"{tr(MAPS[quantity])}, {word}"
