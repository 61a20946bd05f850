"""The looks of lanes that are shown together: colours that everybody can tell apart.

A scheme has a colour of its family. Where two that are shown together are too much alike, also for people with one of
the three colour deficiencies, the later one in the table of schemes takes a spare colour. Lanes of one scheme with
several steps are numbered at the letter, from the longest step on, and their lines have other dashes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from app.theme import rgb
from physics import SCHEMES
from physics.core.rotation import Array
from physics.schemes.lane import Lane, lane_of
from physics.schemes.scheme import Scheme

APART = 14.0  # CIE 1976; 2.3 is a difference that one just notices on large fields side by side
# found by a search: any two differ by more than APART for all eyes
SPARE = (
    "#2255FF", "#EE7700", "#44BB33", "#FF2277", "#33DDCC", "#AA66FF", "#AA1100", "#FFCC66", "#447744", "#774477",
    "#CCDD00", "#7788AA", "#008877", "#EE99AA", "#9933AA", "#AADD99", "#BB5500", "#CC99EE", "#DD0044", "#77BB66",
    "#FF22AA", "#CCCCFF", "#8833CC", "#BB66DD",
)  # fmt: skip
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DASHES = ("solid", "dash", "dash-dot")  # dots are those of lanes before an edit
# Machado, Oliveira & Fernandes (2009), IEEE Trans. Vis. Comput. Graph. 15, 1291, table 1, severity 1: for linear RGB
_EYES = np.array(
    [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ]
)
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)


def lane_schemes(names: Sequence[str]) -> tuple[Scheme, ...]:
    """The rows of lanes that are shown together, in colours that can be told apart as far as there are enough."""
    shown: dict[str, Scheme] = {}
    before: list[str] = []  # the scheme of each lane that is shown
    for lane in in_order(names):  # whatever the order in which they are named
        own, taken = lane.row, [scheme.colour for scheme in shown.values()]
        colour = next((colour for colour in (own.colour, *SPARE) if _apart(colour, taken)), own.colour)
        own = own if colour == own.colour else replace(own, colour=colour)
        shown[lane.name] = _numbered(own, before.count(lane.scheme.name))
        before.append(lane.scheme.name)
    return tuple(shown[name] for name in names)


def in_order(names: Iterable[str]) -> list[Lane]:
    """Lanes in the order of the table of schemes; of one scheme that with the scenario's step, then by falling step."""
    order = {name: number for number, name in enumerate(list(SCHEMES))}
    lanes = map(lane_of, names)
    return sorted(lanes, key=lambda lane: (order[lane.scheme.name], -(lane.step or math.inf)))


def _numbered(scheme: Scheme, earlier: int) -> Scheme:
    """A lane with its number, where so many earlier ones are of the same scheme."""
    if not earlier:
        return scheme
    dash = _DASHES[(_DASHES.index(scheme.dash) + earlier) % len(_DASHES)] if scheme.dash in _DASHES else _DASHES[0]
    return replace(scheme, letter=scheme.letter + str(1 + earlier).translate(_SUBSCRIPT), dash=dash)


def _apart(colour: str, others: Sequence[str]) -> bool:
    return all(float(np.linalg.norm(_seen(colour) - _seen(other), axis=1).min()) > APART for other in others)


@lru_cache(maxsize=256)
def _seen(colour: str) -> Array:
    """CIE L*a*b* (4, 3) of "#rrggbb": as all three cones see it, and with each of the three deficiencies."""
    s = np.array(rgb(colour))
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    t = (np.clip(_EYES @ linear, 0.0, 1.0) @ _XYZ.T) / _XYZ.sum(axis=1)
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    x, y, z = f.T
    return np.column_stack([116 * y - 16, 500 * (x - y), 200 * (y - z)])
