"""The layout of viewports: where the pictures of the lanes stand in the window."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyvista as pv

from app.playback.run import BEFORE

MOST_VIEWS = 4  # beside each other
STEADY = 0.75  # share of the largest side that viewports may have for them to stay in the columns where they stand

Size = tuple[float, float]  # width and height [pixels]
Box = tuple[float, float, float, float]  # left, lower, right and upper edge of a part of a viewport [pixels]


def arrange(renderers: Sequence[pv.Renderer], views: int, size: tuple[int, int], before: int = 0) -> int:
    """Give the first renderers viewports as nearly square as the picture's size allows; the others rest.

    Returns the columns. before : those in which they stand, kept unless others are much better; 0: in none yet
    """

    def shorter(columns: int) -> float:
        return min(size[0] / columns, size[1] / math.ceil(views / columns))

    columns = max(range(1, views + 1), key=shorter)
    if 1 <= before <= views and shorter(before) >= STEADY * shorter(columns):
        columns = before
    rows = math.ceil(views / columns)
    for number, renderer in enumerate(renderers):
        used = number < views
        renderer.SetDraw(used)
        renderer.SetInteractive(used)
        row = number // columns if used else 0
        i, n = (
            (number % columns, min(columns, views - row * columns)) if used else (0, 1)
        )  # the last row may hold fewer
        renderer.SetViewport(i / n, 1 - (row + 1) / rows, (i + 1) / n, 1 - row / rows)
    return columns


def panes(names: Sequence[str], *, overlaid: bool) -> list[int]:
    """The viewport of each lane, by its scheme: one each for four; else one before an edit is with the one after."""
    if overlaid or len(names) <= MOST_VIEWS:
        return [0 if overlaid else number for number in range(len(names))]
    known = list(dict.fromkeys(name.rstrip(BEFORE) for name in names))
    views = min(len(known), MOST_VIEWS)
    return [known.index(name.rstrip(BEFORE)) * views // len(known) for name in names]
