"""What all plots have in common: they leave keyboard and mouse alone, and their axes are named and coloured alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.theme import Theme

if TYPE_CHECKING:
    from pyqtgraph import PlotItem, PlotWidget
    from PySide6.QtWidgets import QWidget


USUAL = 1200.0  # [pixels] of a window's height up to which lines are as thin as can be
WIDEST = 2.5  # times that width


def line_width(plot: QWidget) -> int:
    """How wide the lines of a plot are [device pixels]: one on a usual screen, more on fine and on large ones."""
    return max(1, round(plot.devicePixelRatioF() * min(max(plot.window().height() / USUAL, 1.0), WIDEST) - 0.01))


def still(plot: PlotWidget) -> PlotItem:
    """Let a plot take no focus, no zooming and no menu of its own; what is drawn in."""
    for part in (plot, plot.viewport()):
        part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    item = plot.getPlotItem()
    item.setMouseEnabled(False, False)
    item.hideButtons()
    item.setMenuEnabled(False)
    return item


def name_axes(item: PlotItem, theme: Theme, **names: str) -> None:
    """Name axes, with their units, and colour them."""
    for side, text in names.items():
        axis = item.getAxis(side)
        axis.setPen(theme.plot_axis)
        axis.setTextPen(theme.plot_axis)
        axis.enableAutoSIPrefix(False)
        item.setLabel(side, text, color=theme.plot_axis)
