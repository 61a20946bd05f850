"""Words of scenario files as people read them."""

from __future__ import annotations

from app.system.language import readable
from physics.scenario.body_shapes import BODY_SHAPES

_WORDS = {name: shape.title for name, shape in BODY_SHAPES.items() if shape.title} | {
    "": "None",
    "position": "Point",
    "slope_above": "Steep cells",
    "chant-sura-like": "Chant-Sura-like slope",
    "alpine": "Alpine slope",
    "extent": "Longest side",
    "power": "Power law",
    "jonswap": "JONSWAP",
    "pierson-moskowitz": "Pierson-Moskowitz",
    "precession": "Precession",
    "state": "Attitude and rate",
    "frequency": "Starts in a year",
    "return_period": "Return period [a]",
    "foen": "Swiss: 30, 300 kJ",
    "oerok": "Austrian: 100 kJ",
    "under": "Under the view",
    "beside": "Beside the view",
    "draft": "Draft: quick, edges not smooth",
    "fine": "Fine: four times as long",
    "all": "All that the view shows",
    "lines": "Bodies with lines and arrows",
    "bodies": "Bodies alone",
    "rows": "Rows",
    "speeds": "Speed table",
    "torques": "Torque table",
    "one": "One for all",
    "each": "Each its own",
}


def word_shown(word: str, nothing: str = "") -> str:
    """A word of scenario files as people read it; nothing: what "" is called."""
    return nothing if nothing and not word else _WORDS.get(word, readable(word))
