"""Colours of curves: the curves of all lanes coloured by a quantity on one scale, with its bar."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.bodies.trails import Path, Trace
from app.stage.ground.marks import QUANTITIES
from app.stage.lane_scene import LaneScene
from app.stage.plotter import Box
from app.stage.text.cards import FlatPicture
from app.stage.text.colour_map import ON_DARK, ON_LIGHT, ROCKS, Bar, nice, panel, reaching
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.theme import contrast
from physics.core.rotation import Array

FLAT = 0.01  # relative variation of a quantity below which the bar starts at 0


class CurveColours:
    """The overlay "colours"; its bar is in the upper right corner, or in the margin of the ground."""

    def __init__(self, scenes: Sequence[tuple[int, LaneScene]], renderer: pv.Renderer, look: StageColours) -> None:
        self._tracks = [scene.track for _, scene in scenes]
        self._ground = self._tracks[0].world.terrain is not None
        kind = Path if self._ground else Path | Trace  # of a rock only the path
        self._curves = [(scene.track, part) for _, scene in scenes for part in scene.parts if isinstance(part, kind)]
        self._renderer, self._look = renderer, look
        self._sheet = FlatPicture()
        renderer.AddViewProp(self._sheet.actor)
        self._known: object = (None, 0)
        self._laid: object = None
        self.bar: Bar | None = None

    @property
    def boxes(self) -> list[Box]:
        """Boxes of the last viewport that its own bar covers."""
        return [] if (box := self._sheet.box) is None else [box]

    def leave(self) -> None:
        """Go out of the viewport."""
        self._renderer.RemoveViewProp(self._sheet.actor)

    def show(self, quantity: str | None) -> None:
        """Colour by one of marks.QUANTITIES; None: each lane in its own colour."""
        key = (quantity, sum(len(track.run) for track in self._tracks))
        if key == self._known:
            return
        self._known, self.bar = key, None
        if quantity is not None:
            _, title, unit = QUANTITIES[quantity]
            values = np.concatenate([t.measured(t.run.time, quantity, curve.point) for t, curve in self._curves])
            if self._ground:
                self.bar = Bar(tr(title), unit, 0.0, reaching(values), ROCKS)
            else:
                colours = ON_DARK if contrast(self._look.sky, "#ffffff") > 4.0 else ON_LIGHT
                self.bar = Bar(tr(title.removesuffix(" above ground")), unit, *limits(values), colours)
        for _, curve in self._curves:
            curve.colour(self.bar, quantity or "")

    def lay(self, unit: float, away: int, *, captions: bool) -> None:
        """Put the bar into its corner, ``away`` from the upper edge [pixels]."""
        bar = self.bar if captions else None
        self._sheet.actor.SetVisibility(bar is not None)
        key = (self.bar, unit, away, self._renderer.GetSize())
        if bar is not None and key != self._laid:
            self._laid, size = key, self._renderer.GetSize()
            picture = panel(bar, self._look, unit, max(1, size[0] - round(24 * unit)))
            self._sheet.lay(picture, unit, size, "top-right", away)


def limits(values: Array) -> tuple[float, float]:
    """Round limits of values (n,); from 0 if they hardly vary."""
    low, high = float(np.min(values)), float(np.max(values))
    if high - low <= FLAT * max(abs(low), abs(high)):
        return min(0.0, low), max(0.0, high) or 1.0
    step = nice((high - low) / 4.0)
    return step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
