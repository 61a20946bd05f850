"""Axis of errors: fixed decades, beyond a band in which no error is smaller than another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from app.system.language import tr
from physics.core.rotation import Array

BAND = 0.15  # height of the band, on one side of zero, over that of the decades
HEAD = 0.03  # share of the height of the decades that is free above them
MORE = 4  # decades that are added at once where errors are beyond the axis
PLAIN = 3  # powers of ten with fewer digits are written in full
SPACINGS = (1, 2, 4, 8, 16)  # decades between two numbers along an axis
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

Mark = tuple[float, str]  # a height along an axis, and the text there


@dataclass(frozen=True)
class Decades:
    """Scale on which an error is drawn: logarithmic beyond the band, linear in it.

    Attributes
    ----------
    floor : power of ten up to which errors are in the band
    top : end of the axis, further where an error is larger
    signed : gain is drawn above the band and loss below it
    band : name of the band
    """

    floor: float = 1e-13
    top: float = 1.0
    signed: bool = False
    band: str = "rounding"

    @property
    def edge(self) -> float:
        """Height at which the band ends."""
        return BAND * math.log10(self.top / self.floor)

    @property
    def begin(self) -> float:
        """Height at which the band begins."""
        return -self.edge if self.signed else 0.0

    def heights(self, errors: ArrayLike) -> Array:
        """Heights (n,) of errors (n,), in decades; NaN stays NaN."""
        size = np.abs(errors) / self.floor
        height = np.where(size < 1.0, self.edge * size, self.edge + np.log10(np.maximum(size, 1.0)))
        return np.asarray(np.copysign(height, errors))

    def limits(self, errors: Array) -> tuple[float, float]:
        """Heights at which an axis for these errors begins and ends."""
        largest = float(np.max(np.abs(errors), initial=self.top, where=np.isfinite(errors)))
        beyond = MORE * math.ceil(math.log10(largest / self.top) / MORE)
        high = self.edge + (1.0 + HEAD) * math.log10(self.top / self.floor) + beyond
        return (-high if self.signed else 0.0), high

    def words(self, high: float) -> list[Mark]:
        """Names of the parts of an axis up to a height."""
        if not self.signed:
            return [(0.5 * self.edge, tr(self.band))]
        middle = 0.5 * (self.edge + high)
        return [(-middle, tr("lost")), (0.0, tr(self.band)), (middle, tr("gained"))]

    def numbers(self, high: float, apart: float) -> list[Mark]:
        """Powers of ten along an axis up to a height, at least so far apart, also from the words."""
        lowest, between = round(math.log10(self.floor)), spacing(apart)
        last = lowest + math.floor(high - self.edge + 1e-9)
        sides = ((-1.0, "−"), (1.0, "+")) if self.signed else ((1.0, ""),)
        found = [
            (side * (self.edge + exponent - lowest), sign + power(exponent))
            for side, sign in sides
            for exponent in range(lowest, last + 1)
            if exponent % between == 0
        ]
        words = [height for height, _ in self.words(high)]
        return [mark for mark in found if min(abs(mark[0] - height) for height in words) >= apart]

    def word(self, error: float) -> str:
        """Text of an error that has no number: one that is not known, or in the band; else ""."""
        if math.isnan(error):
            return "–"
        return f"<{self.floor:g}" if abs(error) < self.floor else ""


def spacing(apart: float) -> int:
    """Decades between two numbers along an axis that are to stand so many decades apart."""
    return next((one for one in SPACINGS if one >= apart), SPACINGS[-1])


def power(exponent: int) -> str:
    """A power of ten as axes write it."""
    return f"{10.0**exponent:g}" if abs(exponent) < PLAIN else f"10{str(exponent).translate(RAISED)}"
