"""A flat picture: one laid flat over a viewport."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkCoordinate, vtkPolyDataMapper2D, vtkTexturedActor2D

from app.stage.actor_group import move, polygons
from app.stage.text.cards import Card, CardPicture, blank
from app.stage.viewport_layout import Box

MARGIN = 12.0  # of a card to the edges of the viewport [pixels of a picture 720 high]


class FlatPicture:
    """A picture laid flat over a viewport; ``actor`` is built once, the picture changes in place."""

    def __init__(self) -> None:
        self._plane = polygons(np.zeros((4, 3), np.float32), np.array([[0, 1, 2, 3]]))
        corners: np.ndarray = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        self._plane.active_texture_coordinates = corners
        self._image = image(np.zeros((2, 2, 4), np.uint8))
        self._pixels = _pixels(self._image)
        self._texture = pv.Texture(self._image)
        self._texture.InterpolateOff()
        self.actor = flat(self._plane, self._texture)
        self._slate = CardPicture()
        self._key: object = None
        self._place: tuple[int, ...] = ()
        self.top = self.right = self.bottom = 0  # its upper, right and lower edge [pixels]

    @property
    def box(self) -> Box | None:
        """What it covers of the viewport; None while it is hidden or empty."""
        if not self._place or not self.actor.GetVisibility():
            return None
        x, y, w, h = self._place
        return x, y, x + w, y + h

    def fill(self, place: tuple[int, int], size: tuple[int, int], radius: float, colour: str, opacity: float) -> None:
        """Draw an empty card with its lower left corner at a place of the viewport [pixels]."""
        key = (place, size, radius, colour, opacity)
        if key != self._key:
            self._key = key
            self._put(blank(size, radius, colour, opacity), *place)

    def show(self, card: Card, unit: float, viewport: tuple[int, int], corner: str, margin: float = MARGIN) -> None:
        """Draw a card in a corner ("top-left", "bottom-left") of a viewport (width, height) [pixels]."""
        key = (card, unit, viewport, corner)
        if key == self._key:
            return
        self._key = key
        aside = round(margin * unit)
        picture = self._slate.draw(card, unit, max(viewport[0] - 2 * aside, 1), max(viewport[1] - 2 * aside, 1))
        high = viewport[1] - aside - picture.shape[0]
        self._put(picture, aside, high if corner.startswith("top") else aside)

    def lay(self, picture: np.ndarray, unit: float, viewport: tuple[int, int], corner: str, away: int = 0) -> None:
        """Lay a picture (h, w, 4) into a corner, top or bottom, left or right; ``away`` from top or bottom [pixels]."""
        self._key = None
        margin, (h, w) = round(MARGIN * unit), picture.shape[:2]
        x = viewport[0] - margin - w if corner.endswith("right") else margin
        y = viewport[1] - margin - h - away if corner.startswith("top") else margin + away
        self._put(picture, x, y)

    def come_before(self, renderer: pv.Renderer, *, on: bool) -> None:
        """Lie over all that is flat in a renderer so far, and be shown or hidden."""
        renderer.RemoveViewProp(self.actor)
        renderer.AddViewProp(self.actor)
        self.actor.SetVisibility(on)

    def _put(self, picture: np.ndarray, x: int, y: int) -> None:
        h, w = picture.shape[:2]
        self.top, self.right, self.bottom = y + h, x + w, y
        if self._image.GetDimensions()[:2] == (w, h):  # as most often: only numbers have changed
            self._pixels[::-1] = picture
            self._image.Modified()
        else:
            self._image = image(picture)
            self._pixels = _pixels(self._image)
            self._texture.SetInputData(self._image)
        if (x, y, w, h) != self._place:
            self._place = x, y, w, h
            move(self._plane, np.array([(x, y, 0), (x + w, y, 0), (x + w, y + h, 0), (x, y + h, 0)]))


def flat(mesh: pv.PolyData, texture: pv.Texture) -> vtkActor2D:
    """An actor for a mesh whose points are pixels of a viewport."""
    mapper = vtkPolyDataMapper2D()
    mapper.SetInputData(mesh)
    pixels = vtkCoordinate()
    pixels.SetCoordinateSystemToViewport()
    mapper.SetTransformCoordinate(pixels)
    actor = vtkTexturedActor2D()
    actor.SetMapper(mapper)
    actor.SetTexture(texture)
    actor.SetPickable(False)
    return actor


def _pixels(image: pv.ImageData) -> np.ndarray:
    """The pixels (h, w, 4) that an image holds, from below."""
    w, h, _ = image.GetDimensions()
    return np.asarray(image.GetPointData().GetScalars()).reshape(h, w, 4)


def image(picture: np.ndarray) -> pv.ImageData:
    """A picture (h, w, 4) of 0 to 255 as VTK takes it."""
    h, w = picture.shape[:2]
    data = pv.ImageData(dimensions=(w, h, 1))
    data.point_data["rgba"] = picture[::-1].reshape(-1, 4)
    return data
