"""The axes of a chart: numbers that fit, and the unit at one of them."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from app.plots.chart_data import ticks


class UnitAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose last number that is not cut off bears the unit."""

    def __init__(self, unit: str) -> None:
        super().__init__("bottom")
        self.unit = unit

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        """As usual, but so wide that the numbers stand clear of each other in a narrow chart."""
        levels: list[tuple[float, float]] = super().tickSpacing(minVal, maxVal, size)
        widest = QFontMetricsF(self.font()).horizontalAdvance(f"{maxVal:.4g} {self.unit}")
        least = (maxVal - minVal) * widest / max(size, 1.0)
        if levels[0][0] >= least:
            return levels
        power = 10.0 ** math.floor(math.log10(least))
        return [(next(step * power for step in (1, 2, 5, 10) if step * power >= least), 0)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The numbers, one with the unit."""
        texts: list[str] = super().tickStrings(values, scale, spacing)
        low, high = self.range
        shown = [i for i, value in enumerate(values) if value < high - 18.0 / max(self.width(), 1.0) * (high - low)]
        if shown:
            texts[shown[-1]] += f" {self.unit}"
        return texts


class NumberAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose numbers have just the digits that tell them apart, so that they fit beside a narrow chart."""

    def __init__(self) -> None:
        super().__init__("left")

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The numbers; powers of ten as usual."""
        return (
            super().tickStrings(values, scale, spacing) if self.logMode else ticks([value * scale for value in values])
        )
