"""Inset: a small picture with a camera of its own in the corner of a viewport."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.stage.backdrop import studio
from app.stage.cards import Card, Piece, Sheet
from app.stage.extra import Extra
from app.stage.letters import Letters
from app.stage.look import Look
from app.stage.track import Track

MARGIN = 12.0  # to the edges of the viewport [pixels of a picture 720 high]


class Inset(Extra):
    """Draws its actors in a renderer of its own, laid over a corner of the viewport; the camera looks at the origin.

    ``shape`` : width and height in shares of the viewport's shorter side; ``corner`` : "top-right" or "bottom-right";
    ``half`` : how much of the scene one sees, from the middle to the upper edge; ``turns`` : whether the camera looks
    from where that of the viewport does, else from +z.
    """

    shape = (0.36, 0.36)
    corner = "bottom-right"
    half = 1.5
    turns = True

    def __init__(self, tracks: Sequence[Track], look: Look) -> None:
        super().__init__(tracks, look)
        self.renderer = vtkRenderer()
        self.renderer.SetLayer(1)
        self.renderer.SetInteractive(False)
        for light in studio():
            self.renderer.AddLight(light)
        self._camera = self.renderer.GetActiveCamera()
        self._camera.SetParallelProjection(True)
        self._camera.SetPosition(0.0, 0.0, 10.0)
        self.letters = Letters()
        self._title = Sheet()
        self.renderer.AddViewProp(self._title.actor)
        self._parent: pv.Renderer | None = None
        self._tag = 0
        self._unit = 1.0

    def enter(self, renderer: pv.Renderer) -> None:
        """Come into a viewport."""
        self._parent = renderer
        for prop in self.props:
            self.renderer.AddViewProp(prop)
        window = renderer.GetRenderWindow()
        window.SetNumberOfLayers(2)
        window.AddRenderer(self.renderer)
        self._tag = renderer.AddObserver("StartEvent", lambda *_: self._turn())

    def leave(self, renderer: pv.Renderer) -> None:
        """Go out of a viewport, for good."""
        self.ended = True
        renderer.RemoveObserver(self._tag)
        renderer.GetRenderWindow().RemoveRenderer(self.renderer)
        self.renderer.RemoveAllViewProps()
        self.renderer.RemoveAllLights()
        self._parent = None

    def set_visible(self, on: bool) -> None:
        """Show or hide."""
        self.renderer.SetDraw(on)

    def set_unit(self, unit: float) -> None:
        """Fit lines, letters and the place in the viewport to the size of the picture."""
        super().set_unit(unit)
        self._unit = unit
        self.letters.set_unit(unit)
        if self._parent is None:
            return
        x0, y0, x1, y1 = self._parent.GetViewport()
        wide, high = self._parent.GetSize()
        shorter, margin = min(wide, high), MARGIN * unit
        w, h = (min(share * shorter, side - 2 * margin) for share, side in zip(self.shape, (wide, high), strict=True))
        left, low = wide - margin - w, (margin if self.corner == "bottom-right" else high - margin - h)
        across, up = (x1 - x0) / max(wide, 1), (y1 - y0) / max(high, 1)
        self.renderer.SetViewport(x0 + left * across, y0 + low * up, x0 + (left + w) * across, y0 + (low + h) * up)
        self._camera.SetParallelScale(self.half)
        self.renderer.ResetCameraClippingRange()

    def entitle(self, *lines: tuple[Piece, ...]) -> None:
        """Set the title, flat in the upper left corner."""
        card = Card(lines, self.look.panel, 0.0)
        self._title.show(card, self._unit, self.renderer.GetSize(), "top-left")

    def _turn(self) -> None:
        """Look from where the viewport's camera looks."""
        if self._parent is None or not self.turns or not self.on:
            return
        camera = self._parent.GetActiveCamera()
        towards = np.array(camera.GetPosition()) - np.array(camera.GetFocalPoint())
        self._camera.SetPosition(*(10.0 * towards / np.linalg.norm(towards)))
        self._camera.SetViewUp(*camera.GetViewUp())
        self.renderer.ResetCameraClippingRange()
