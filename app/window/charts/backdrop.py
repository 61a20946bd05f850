"""The backdrop of a chart: the curves and limits that stand still, and the area that is filled up to now."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from app.kinds.quantities import NOTHING, Quantity
from app.theme import Theme
from physics import World

FILL = 60  # of 255: of the area


class Backdrop:
    """What a quantity has behind its curves in a plot."""

    def __init__(self, item: pg.PlotItem, quantity: Quantity) -> None:
        self._item, self._quantity, self.behind = item, quantity, NOTHING
        self._world: World | None = None
        self._items: list[tuple[Any, Qt.PenStyle]] = []
        self._pen: tuple[QColor, int] = (QColor("gray"), 1)
        self._area = pg.PlotCurveItem(fillLevel=0.0, pen=None)
        if quantity.background is not None:
            item.addItem(self._area)

    def show(self, world: World) -> None:
        """Draw what stands behind the motions of a world."""
        if world is self._world or self._quantity.background is None:
            return
        self._world, self.behind = world, self._quantity.behind(world)
        for old, _ in self._items:
            self._item.removeItem(old)
        lines = [(pg.InfiniteLine(x, movable=False), Qt.PenStyle.DotLine) for x in self.behind.limits]
        lines += [(pg.InfiniteLine(x, movable=False), Qt.PenStyle.DashLine) for x in self.behind.beyond]
        curves = [(pg.PlotCurveItem(*curve.T, antialias=True), Qt.PenStyle.SolidLine) for curve in self.behind.curves]
        self._items = [*lines, *curves]
        for new, _ in self._items:
            new.setZValue(-5)
            self._item.addItem(new)
        self._draw()

    def fill(self, to: float) -> None:
        """Fill the area up to an abscissa."""
        if self.behind.foot is not None:
            area = self.behind.filled(to)
            self._area.setData(*(area.T if len(area) else np.empty((2, 0))))

    def colour(self, theme: Theme, wide: int, ink: str) -> None:
        """Recolour; wide: of a line [pixels]; ink: of the first lane."""
        self._pen = QColor(theme.text_dim), wide
        tint = QColor(ink)
        tint.setAlpha(FILL)
        self._area.setBrush(tint)
        self._draw()

    def _draw(self) -> None:
        colour, wide = self._pen
        for item, style in self._items:
            item.setPen(pg.mkPen(colour, width=wide, style=style))
