"""Viewports: where the pictures of the lanes stand in the window."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyvista as pv


def arrange(renderers: Sequence[pv.Renderer], views: int, size: tuple[int, int]) -> None:
    """Give the first renderers viewports as nearly square as the picture's size allows; the others rest."""

    def shorter(columns: int) -> float:
        return min(size[0] / columns, size[1] / math.ceil(views / columns))

    columns = max(range(1, views + 1), key=shorter)
    rows = math.ceil(views / columns)
    for number, renderer in enumerate(renderers):
        used = number < views
        renderer.SetDraw(used)
        renderer.SetInteractive(used)
        i, j = (number % columns, rows - 1 - number // columns) if used else (0, 0)
        renderer.SetViewport(i / columns, j / rows, (i + 1) / columns, (j + 1) / rows)
