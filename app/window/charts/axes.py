"""Axes of charts, and letters at the ends of curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtGui import QFont, QFontMetricsF

from app.kinds.quantities import Quantity
from app.plots.chart_data import End, ticks, together

if TYPE_CHECKING:
    from pyqtgraph import PlotItem


class UnitAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose last number that is not cut off bears the unit."""

    def __init__(self, unit: str) -> None:
        super().__init__("bottom")
        self.unit = unit

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        """Spacing of ticks, so wide that their numbers stand clear of each other in a narrow chart."""
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
    """An axis whose numbers have just the digits that tell them apart, so that they fit beside a narrow chart.

    Along an axis of errors there are also the names of its parts.
    """

    def __init__(self, quantity: Quantity) -> None:
        super().__init__("left")
        self._quantity = quantity
        self._marks: dict[float, str] | None = None

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Places of the numbers."""
        apart = (maxVal - minVal) * 1.5 * QFontMetricsF(self.style["tickFont"] or self.font()).height() / max(size, 1.0)
        marks, decades = self._quantity.numbers(minVal, maxVal, apart), self._quantity.decades
        self._marks = None
        if marks is None:
            levels: list[tuple[float, list[float]]] = super().tickValues(minVal, maxVal, size)
            return levels
        self._marks = dict(marks + ([] if decades is None else decades.words(maxVal)))
        return [(1.0, sorted(self._marks))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Texts of the numbers."""
        if self._marks is None:
            return ticks([value * scale for value in values], self._quantity.numbered)
        return [self._marks[value] for value in values]


class EndLetters:
    """Letters of lanes right of the ends of their curves over time; side by side where curves end together."""

    def __init__(self, item: PlotItem, count: int) -> None:
        self.texts = [pg.TextItem() for _ in range(count)]
        for text in self.texts:
            item.addItem(text, ignoreBounds=True)

    def write(self, letters: Sequence[str], inks: Sequence[str], font: QFont) -> None:
        """Write the letters in their colours."""
        for text, letter, ink in zip(self.texts, letters, inks, strict=True):
            text.setText(letter, ink)
            text.setFont(font)

    @property
    def wide(self) -> float:
        """Width of all letters side by side [pixels]."""
        return float(sum(text.boundingRect().width() for text in self.texts))

    def place(self, ends: Sequence[End | None], box: pg.ViewBox) -> None:
        """Put them beside the ends (x, height) of the curves; None: of a curve without one."""
        low, high = box.viewRange()[1]
        tall = max((text.boundingRect().height() for text in self.texts), default=0.0)
        near = tall * (high - low) / max(box.height(), 1.0)
        for text, end in zip(self.texts, ends, strict=True):
            text.setVisible(end is not None)
        for group, (x, middle) in together(ends, near):
            before = 0.0
            for number in group:
                wide = self.texts[number].boundingRect().width()
                self.texts[number].setAnchor((-before / wide, 0.5))
                self.texts[number].setPos(x, min(max(middle, low + 0.5 * near), high - 0.5 * near))
                before += wide
