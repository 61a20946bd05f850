"""The looks of lanes that are shown together: colours that differ for all eyes, dashes, letters.

A row of the table of schemes names a colour, a dash and a letter. Where two that are shown together are too much
alike, in colour also for people with one of the three colour deficiencies, the later one in the table takes another
one: first of its family's colours, then a spare one. Up to four lanes have four different dashes. Lanes of one scheme
with several steps or variants are numbered at the letter: by variant, each from the longest step on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, count

import numpy as np

from app.theme import THEMES, legible, mixed, rgb
from physics import SCHEMES
from physics.core.rotation import Array
from physics.schemes.lane import MEASURED, Lane, lane_of
from physics.schemes.scheme import DASHES, PALETTES, Scheme

APART = 14.0  # CIE 1976; 2.3 is a difference that one just notices on large fields side by side
DRAWN_APART = 7.0  # the same, of lines that are darkened or lightened for a theme; dashes help there
# found by a search: any two differ by more than APART for all eyes
SPARE = (
    "#2255FF", "#EE7700", "#44BB33", "#FF2277", "#33DDCC", "#AA66FF", "#AA1100", "#FFCC66", "#447744", "#774477",
    "#CCDD00", "#7788AA", "#008877", "#EE99AA", "#9933AA", "#AADD99", "#BB5500", "#CC99EE", "#DD0044", "#77BB66",
    "#FF22AA", "#CCCCFF", "#8833CC", "#BB66DD",
)  # fmt: skip
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
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
    """The rows of lanes that are shown together, as far as there are enough colours, dashes and letters."""
    shown: dict[str, Scheme] = {}
    before: set[str] = set()  # the schemes of the lanes that are shown
    for lane in in_order(names):  # whatever the order in which they are named
        own, others = lane.row, [scheme for name, scheme in shown.items() if name != lane.name]
        colour = _colour(own, [other.colour for other in others], twin=lane.scheme.name in before)
        dash = _dash(own.dash, colour, others)
        letter = _letter(own.letter, {other.letter for other in others})
        shown[lane.name] = replace(own, colour=colour, dash=dash, letter=letter)
        before.add(lane.scheme.name)
    return tuple(shown[name] for name in names)


def in_order(names: Iterable[str]) -> list[Lane]:
    """Lanes in the order of the table of schemes; of one scheme by variant as they are named, then by falling step.

    The scenario's own step comes before all others.
    """
    order = {name: number for number, name in enumerate([*SCHEMES, MEASURED])}
    lanes = [lane_of(name) for name in names]
    variants = list(dict.fromkeys(lane.variant for lane in lanes))
    return sorted(
        lanes,
        key=lambda one: (order[one.scheme.name], variants.index(one.variant), -(one.step or math.inf)),
    )


def _colour(own: Scheme, taken: Sequence[str], twin: bool) -> str:
    """The first colour that is apart from those taken: its own, shades of it for a twin, its family's, a spare one.

    Among themselves the schemes of the papers keep theirs where only the lines in a theme are alike: they are known by.
    """
    if own.family == "papers" and all(_apart(own.colour, other) for other in taken):
        return own.colour
    shades = [mixed(own.colour, end, part) for part in (0.45, 0.65) for end in ("#ffffff", "#000000") if twin]
    wanted = (own.colour, *shades, *PALETTES.get(own.family, ()), *SPARE)
    return next((colour for colour in wanted if all(_drawn_apart(colour, other) for other in taken)), own.colour)


def _dash(own: str, colour: str, others: Sequence[Scheme]) -> str:
    """The dash that lines of this colour, and then all lines, have least often; its own one if it may be."""
    alike, all_ = Counter(other.dash for other in others if other.colour == colour), Counter(o.dash for o in others)
    return min(DASHES, key=lambda dash: (alike[dash], all_[dash], dash != own))


def _letter(own: str, taken: set[str]) -> str:
    """The letter, with a number where it is taken: I₂."""
    numbers = (str(number).translate(_SUBSCRIPT) for number in count(2))
    return next(letter for letter in chain((own,), (own + number for number in numbers)) if letter not in taken)


def _apart(one: str, other: str, least: float = APART) -> bool:
    """True if two colours differ for all eyes."""
    return float(np.linalg.norm(_seen(one) - _seen(other), axis=1).min()) > least


@lru_cache(maxsize=16384)
def _drawn_apart(one: str, other: str) -> bool:
    """True if two colours differ for all eyes, as they are and as lines in each theme."""
    drawn = ((legible(one, theme), legible(other, theme)) for theme in THEMES.values())
    return _apart(one, other) and all(_apart(*pair, DRAWN_APART) for pair in drawn)


@lru_cache(maxsize=1024)
def _seen(colour: str) -> Array:
    """CIE L*a*b* (4, 3) of "#rrggbb": as all three cones see it, and with each of the three deficiencies."""
    s = np.array(rgb(colour))
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    t = (np.clip(_EYES @ linear, 0.0, 1.0) @ _XYZ.T) / _XYZ.sum(axis=1)
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    x, y, z = f.T
    return np.column_stack([116 * y - 16, 500 * (x - y), 200 * (y - z)])
