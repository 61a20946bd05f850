"""Angularity: how sharp the corners of a rock are, by the classes of Powers (1953, J. Sedimentary Petrology 23, 117).

Roundness is Wadell's: the mean radius of the corners over that of the largest ball inside. The numbers of secondary
corners are those that glossaries of geology give beside the classes (after Pettijohn 1957): 15 to 30, 10 to 20, 5 to
10, at most 5, none. That a rock has eight corners besides, as a block has, is ours; and so is what the literature says
nothing of: that very angular rocks have as many as angular ones.
"""

from __future__ import annotations

from typing import NamedTuple


class Angularity(NamedTuple):
    """A class: the middle of its interval of roundness, and the corners of a rock before they are rounded."""

    roundness: float
    corners: int


ANGULARITIES = {
    "very-angular": Angularity(0.14, 30),
    "angular": Angularity(0.21, 30),
    "sub-angular": Angularity(0.30, 23),
    "sub-rounded": Angularity(0.41, 16),
    "rounded": Angularity(0.59, 11),
    "well-rounded": Angularity(0.84, 8),
}
