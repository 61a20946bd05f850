"""The looks of lanes: a colour, a dash and a letter that stay, whatever else is shown.

A row of the table of schemes names all three. Lanes of one scheme with several steps or variants, and schemes of the
user's, have shades, other dashes and a number at the letter. Lanes are numbered by variant, each from the longest step
on; the scenario's own step has the scheme's look. The line of a single lane is solid.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from app.theme import THEMES, contrast, legible, mixed, rgb
from physics import SCHEMES
from physics.core.rotation import Array
from physics.schemes.lane import IDENTIFIED, MEASURED, NamedLane, lane_of
from physics.schemes.scheme import DASHES, SPARE, Scheme

APART = 14.0  # CIE 1976; 2.3 is a difference that one just notices on large fields side by side
DRAWN_APART = 7.0  # the same, of lines that are darkened or lightened for a theme; dashes help there
PALE = 3.0  # contrast to white below which the first shade of a colour is darker, else lighter
SHADES = 12  # looks of one scheme
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
    """The rows of lanes with their looks."""
    numbers, looks = Counter[str](), dict[str, Scheme]()
    own = [row.name for row in SCHEMES.values() if row.code is not None]
    for lane in in_order(names):  # whatever the order in which they are named
        scheme, number = lane.scheme.name, 0
        computed = bool(lane.scheme.kinds)
        if lane.listed or not computed:
            number = numbers[scheme] + computed
            numbers[scheme] += 1
        elif scheme in own:
            number = own.index(scheme)
        looks[lane.name] = _numbered(lane.row, number)
    if len(looks) == 1:
        return tuple(replace(look, dash="solid") for look in looks.values())
    return tuple(looks[name] for name in names)


def _numbered(row: Scheme, number: int) -> Scheme:
    """A row with the look of its lane of some number; 0: its own."""
    if not number:
        return row
    shades = _shades(row.colour)
    return replace(
        row,
        colour=shades[number % len(shades)],
        dash=DASHES[(DASHES.index(row.dash) + number) % len(DASHES)],
        letter=row.letter + str(number + 1).translate(_SUBSCRIPT),
    )


@lru_cache(maxsize=128)
def _shades(colour: str) -> tuple[str, ...]:
    """A colour, lighter and darker ones, and spare ones that are apart from all before."""
    found = [colour]
    ends = [("#ffffff", 0.65), ("#000000", 0.45), ("#ffffff", 0.45), ("#000000", 0.65)]
    if contrast(colour, "#ffffff") < PALE:
        ends[:2] = ends[1::-1]
    shades = [mixed(colour, end, part) for end, part in ends]
    for other in (*shades, *SPARE):
        if len(found) < SHADES and all(_drawn_apart(other, before) for before in found):
            found.append(other)
    return tuple(found)


def in_order(names: Iterable[str]) -> list[NamedLane]:
    """Lanes in the order of the table of schemes; of one scheme by variant as they are named, then by falling step.

    The scenario's own step comes before all others.
    """
    order = {name: number for number, name in enumerate([*SCHEMES, MEASURED, IDENTIFIED])}
    lanes = [lane_of(name) for name in names]
    variants = list(dict.fromkeys(lane.variant for lane in lanes))
    return sorted(
        lanes,
        key=lambda one: (order[one.scheme.name], variants.index(one.variant), -(one.step or math.inf)),
    )


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
