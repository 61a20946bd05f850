"""Point labels: short names at places in space, laid flat over the picture."""

from __future__ import annotations

import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkTextActor

from app.theme import FONTS
from physics.core.rotation import Array

FONT_FILE = 4  # VTK's number for a typeface from a file


class PointLabels:
    """The letters of one part; their size follows the size of the picture."""

    def __init__(self) -> None:
        self._actors: list[tuple[vtkTextActor, float]] = []

    def add(self, text: str, place: Array, colour: str, size: float = 13.0, behind: str | None = None) -> vtkTextActor:
        """A name centred at a place (3,) [m]; size [pixels of a picture 720 high]; behind: its ground's colour."""
        actor = vtkTextActor()
        actor.SetInput(text)
        actor.SetTextScaleModeToNone()
        actor.GetPositionCoordinate().SetCoordinateSystemToWorld()
        actor.GetPositionCoordinate().SetValue(*place)
        actor.SetPickable(False)
        face = actor.GetTextProperty()
        face.SetFontFamily(FONT_FILE)
        face.SetFontFile(str(FONTS["Medium"]))
        face.SetColor(*pv.Color(colour).float_rgb)
        face.SetJustificationToCentered()
        face.SetVerticalJustificationToCentered()
        if behind is not None:
            face.SetBackgroundColor(*pv.Color(behind).float_rgb)
            face.SetBackgroundOpacity(0.5)
        self._actors.append((actor, size))
        return actor

    def set_unit(self, unit: float) -> None:
        """Tell how many pixels one pixel of a picture 720 high is worth."""
        for actor, size in self._actors:
            actor.GetTextProperty().SetFontSize(max(6, round(size * unit)))
