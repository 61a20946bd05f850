"""Partial drawing: of each picture only the rectangles in which something has changed since the one before are drawn.

Software that draws takes time for every pixel. In a film of bodies before a camera that stands still, most pixels
stay as they are. A rectangle is drawn by a camera that sees no more than it, into its own place of the viewport: the
pixels are those of a whole picture, but for rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from PIL import Image
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from app.export.rectangle import Rectangle, joined
from app.export.viewport_changes import ViewportChanges


class PartialDrawing:
    """Draws the pictures of a window that is not shown.

    reduced : how many times smaller than the window its pictures are
    transparent : whether they have an opacity, (height, width, 4), multiplied with the colours
    """

    def __init__(self, window: Any, *, reduced: int = 1, transparent: bool = False) -> None:
        self._window, self._reduced, self._transparent = window, reduced, transparent
        window.SetSwapBuffers(False)  # else VTK merges the samples of all pixels and of their depths: 75 ms at 1080p
        wide, high = window.GetSize()
        self._picture = np.zeros((high // reduced, wide // reduced, 4 if transparent else 3), np.uint8)
        self._pixels = vtkUnsignedCharArray()
        self._viewports: dict[Any, ViewportChanges] = {}

    def take(self) -> np.ndarray:
        """The picture of now, the caller's own: (height, width, 3 or 4), 8 bits a colour."""
        renderers = [one for one in self._window.GetRenderers() if one.GetDraw()]
        self._viewports = {one: self._viewports.get(one) or ViewportChanges(one) for one in renderers}
        due = {view: view.changed() for view in self._viewports.values()}
        insets = [view for view in due if view.renderer.GetLayer() > 0]
        below = [view for view in due if view not in insets]
        for inset in insets:  # what lies over a viewport is drawn with what is below
            for view in below:
                met = any(one.meets(inset.place) for one in due[view])
                if met or (due[inset] and view.place.meets(inset.place)):
                    due[view] = joined([*due[view], inset.place.within(view.place)])
        for step in zip_longest(*(due[view] for view in below)):
            self._draw([(view, place) for view, place in zip(below, step, strict=True) if place is not None], insets)
        return self._picture.copy()

    def _draw(self, places: Sequence[tuple[ViewportChanges, Rectangle]], insets: Sequence[ViewportChanges]) -> None:
        """Draw a rectangle of some viewports, and the insets that it meets."""
        places = [(view, place.aligned(self._reduced)) for view, place in places]
        drawn = {view.renderer for view, _ in places}
        drawn |= {one.renderer for one in insets if any(place.meets(one.place) for _, place in places)}
        for renderer in self._viewports:
            renderer.SetDraw(renderer in drawn)
        for view, place in places:
            view.crop(place)
        self._window.Render()
        for renderer in self._viewports:
            renderer.SetDraw(True)
        for _, place in places:
            self._read(place)

    def _read(self, place: Rectangle) -> None:
        """Take a rectangle of what is drawn."""
        x0, y0, x1, y1 = place
        read = self._window.GetRGBACharPixelData if self._transparent else self._window.GetPixelData
        read(x0, y0, x1 - 1, y1 - 1, 0, self._pixels, 0)
        part = np.asarray(self._pixels).reshape(y1 - y0, x1 - x0, -1)[::-1]
        if (n := self._reduced) > 1:
            part = np.asarray(Image.fromarray(np.ascontiguousarray(part)).reduce(n))
        high = self._picture.shape[0]
        self._picture[high - y1 // n : high - y0 // n, x0 // n : x1 // n] = part
