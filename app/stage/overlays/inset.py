"""Inset: a small picture with a camera of its own in the corner of a viewport."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.stage.lane_track import LaneTrack
from app.stage.lighting import studio
from app.stage.overlays.overlay import Overlay
from app.stage.plotter import Box
from app.stage.text.cards import MARGIN, Card, FlatPicture, TextRun
from app.stage.text.labels import PointLabels
from app.stage.theme_colours import StageColours


class Inset(Overlay):
    """Draws its actors in a renderer of its own, laid over a part of the viewport; the camera looks at the origin.

    shape, least : width and height in the viewport's shorter side, and at least [pixels of a picture 720 high]
    raised : whether it stands in the upper right corner, else in the lower right one
    under_heading : whether a raised one stands at the left below the heading, in viewports beside others
    half : how much of the scene one sees, from the middle to the upper edge
    turns : whether the camera looks from where that of the viewport does, else from +z
    """

    shape = (0.4, 0.36)
    least = (190.0, 165.0)
    raised = False
    under_heading = False
    half = 1.5
    turns = True

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        self.renderer = vtkRenderer()
        self.renderer.SetLayer(1)
        self.renderer.SetInteractive(False)
        for light in studio():
            self.renderer.AddLight(light)
        self._camera = self.renderer.GetActiveCamera()
        self._camera.SetParallelProjection(True)
        self._camera.SetPosition(0.0, 0.0, 10.0)
        self.letters = PointLabels()
        self._back, self._title = FlatPicture(), FlatPicture()
        self.renderer.AddViewProp(self._title.actor)
        self._parent: pv.Renderer | None = None
        self._tag = 0
        self.unit, self._captions = 1.0, (0, 0, 0)

    @property
    def box(self) -> Box | None:
        """What it covers of the viewport."""
        return self._back.box

    @property
    def beside(self) -> int:
        """How much of the viewport's width it takes from the heading [pixels]."""
        return int(self.renderer.GetSize()[0] + MARGIN * self.unit) if self._upper_right else 0

    @property
    def above(self) -> int:
        """How much of the viewport's height it takes in the upper right corner [pixels]."""
        return int(self.renderer.GetSize()[1] + 0.5 * MARGIN * self.unit) if self._upper_right else 0

    @property
    def _upper_right(self) -> bool:
        """Whether it stands in the upper right corner."""
        return self.raised and not (self.under_heading and self._among_others)

    @property
    def _among_others(self) -> bool:
        """Whether its viewport has others beside it."""
        x0, _, x1, _ = (0.0, 0.0, 1.0, 1.0) if self._parent is None else self._parent.GetViewport()
        return bool(x1 - x0 < 1)

    def enter(self, renderer: pv.Renderer) -> None:
        """Come into a viewport."""
        self._parent = renderer
        for prop in self.props:
            self.renderer.AddViewProp(prop)
        renderer.AddViewProp(self._back.actor)
        window = renderer.GetRenderWindow()
        window.SetNumberOfLayers(2)
        window.AddRenderer(self.renderer)
        self._tag = renderer.AddObserver("StartEvent", lambda *_: self._turn())

    def leave(self, renderer: pv.Renderer) -> None:
        """Go out of a viewport, for good."""
        self.ended = True
        renderer.RemoveObserver(self._tag)
        renderer.RemoveViewProp(self._back.actor)
        renderer.GetRenderWindow().RemoveRenderer(self.renderer)
        self.renderer.RemoveAllViewProps()
        self.renderer.RemoveAllLights()
        self._parent = None

    def set_visible(self, on: bool) -> None:
        """Show or hide."""
        self.renderer.SetDraw(on)
        self._back.actor.SetVisibility(on)

    def set_unit(self, unit: float) -> None:
        """Fit lines, letters and the place in the viewport to the size of the picture."""
        super().set_unit(unit)
        self.unit = unit
        self.letters.set_unit(unit)
        self._place()

    def keep_clear(self, top: int, right: int, headed: int) -> None:
        """Tell up to where [pixels] the captions reach, and how far down the heading does.

        In small broad viewports it stands between them, else beside.
        """
        if (top, right, headed) != self._captions:
            self._captions = top, right, headed
            self._place()

    def _place(self) -> None:
        if self._parent is None:
            return
        x0, y0, x1, y1 = self._parent.GetViewport()
        wide, high = self._parent.GetSize()
        margin, gap = MARGIN * self.unit, round(0.5 * MARGIN * self.unit)
        w, h = (
            max(1, round(min(max(share * min(wide, high), least * self.unit), side - 2 * margin)))
            for share, least, side in zip(self.shape, self.least, (wide, high), strict=True)
        )
        top, right, headed = self._captions
        aside = self._among_others and (self.under_heading if self.raised else wide > high)  # from what moves
        if aside and 0 < (room := high - headed - top - 2 * gap) < h:
            w, h = max(1, round(w * room / h)), room
        left = round(margin) if aside else round(wide - margin - w)
        if self.raised:
            low = high - max(headed + gap, round(margin)) - h if aside else round(high - margin - h)
        else:
            above = aside or right + gap > left
            low = min(top + gap, round(high - margin - h)) if above else round(margin)
        across, up = (x1 - x0) / max(wide, 1), (y1 - y0) / max(high, 1)
        self.renderer.SetViewport(x0 + left * across, y0 + low * up, x0 + (left + w) * across, y0 + (low + h) * up)
        self._back.fill((left, low), (w, h), 7 * self.unit, self.look.panel, 0.75 * self.look.panel_opacity)
        self._camera.SetParallelScale(self.half)
        self.renderer.ResetCameraClippingRange()

    def entitle(self, *pieces: TextRun) -> None:
        """Set the title, flat in a left corner."""
        card, corner = Card((pieces,), self.look.panel, 0.0), "top-left" if self.raised else "bottom-left"
        self._title.show(card, self.unit, self.renderer.GetSize(), corner, 0.0)

    def _turn(self) -> None:
        """Look from where the viewport's camera looks."""
        if self._parent is None or not self.turns or not self.on:
            return
        camera = self._parent.GetActiveCamera()
        towards = np.array(camera.GetPosition()) - np.array(camera.GetFocalPoint())
        self._camera.SetPosition(*(10.0 * towards / np.linalg.norm(towards)))
        self._camera.SetViewUp(*camera.GetViewUp())
        self.renderer.ResetCameraClippingRange()
