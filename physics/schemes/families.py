"""Purpose of each family of schemes, which of it to choose, and colours of rows that name none.

The five palettes were found by a search: any two shades of one differ by more than 14 in CIE L*a*b* (1976) for all
eyes, those with one of the three colour deficiencies too, and by more than 7 where they are darkened or lightened to
stand off a theme.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from physics.schemes.scheme import FAMILIES, Scheme

DASHES = ("solid", "dash", "dash-dot", "dot")
PALETTES = {
    "Lie group": ("#1166EE", "#66AADD", "#005588", "#8899FF", "#99DDFF", "#6677AA"),  # blues
    "variational": ("#226644", "#66AA66", "#AAEE00", "#445500", "#22FFBB", "#AABB44"),  # greens
    "engines": ("#DD0000", "#FF7744", "#883344", "#EE9977", "#EE4477", "#992222", "#FFBBBB", "#BB6644"),  # reds
    "particles": ("#FFBB00", "#995511", "#DD8833", "#EEDDAA", "#775533", "#AA8855"),  # yellows and browns
    "Runge-Kutta": ("#338899", "#00DDFF", "#336666", "#AAEEEE", "#77BBCC"),  # teals
}


class Advice(NamedTuple):
    """What a family is for, and which of its schemes to choose, the best one first: names, each with what for."""

    purpose: str
    choices: dict[str, str]


ADVICE = {
    "papers": Advice(
        "free bodies, tops, vessels and rocks: what the three papers compare",
        {
            "implicit": "free bodies, rocks",
            "exact": "the truth of a free body",
            "explicit": "to see what goes wrong",
            "verlet-exact": "tops, vessels",
            "quat-em": "tops whose energy counts",
            "magnus-4": "free bodies, nothing to solve",
        },
    ),
    "splitting": Advice(
        "tops and vessels: kicks of torque between exact free rotations, symplectic, of orders 4 to 8",
        {
            "rkn-4": "order 4",
            "chin-4": "order 4, only forward steps",
            "kahan-li-6": "with damping",
            "rkn-6-14": "the most accurate one without it",
        },
    ),
    "Lie group": Advice(
        "methods of Runge-Kutta and of structural dynamics that stay on the group of rotations",
        {"rkmk-4": "accuracy", "lie-newmark": "as in codes of flexible bodies"},
    ),
    "variational": Advice(
        "steps from a discrete action, or close to one, that keep its invariants over long runs",
        {"pdmv-6": "free bodies", "lgvi": "tops, vessels"},
    ),
    "engines": Advice(
        "what games and robots compute with, to see what they lose",
        {"bullet": "Bullet's own default", "mujoco-midpoint": "keeps the energy"},
    ),
    "particles": Advice(
        "what codes of many particles turn their bodies with",
        {"spiral": "accuracy", "fincham": "keeps the spin"},
    ),
    "Runge-Kutta": Advice(
        "the textbook's methods on quaternion and angular velocity",
        {"rk4-unit": "what most people try first", "dop853": "accuracy to a tolerance"},
    ),
    "own": Advice("what comes from files of your own", {}),
}


def in_order(rows: Iterable[Scheme]) -> list[Scheme]:
    """Rows by family, in the order of FAMILIES; those without a colour of their own get one of their family's.

    A family without a palette has the colours of its other rows: where two alike are shown together, one gets another.
    """
    rows = sorted(rows, key=lambda row: [*FAMILIES].index(row.family))
    found, places = [], Counter[str]()
    for row in rows:
        if not row.colour:
            own = [one.colour for one in rows if one.family == row.family and one.colour]
            shades, place = PALETTES.get(row.family, own), places[row.family]
            turn = place // len(shades)
            dash = DASHES[(place + turn) % len(DASHES)]
            row = replace(row, colour=shades[place % len(shades)], dash=row.dash or dash)
            places[row.family] += 1
        found.append(row)
    return found
