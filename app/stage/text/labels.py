"""Labels at points of the scene: upright texts in one actor, and two names kept clear of each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkTextActor

from app.stage.actor_group import move
from app.stage.text.cards import flat, image, outlined
from app.stage.theme_colours import StageColours
from physics.core.rotation import Array

SIZE, LEAST = 10.5, 9.0  # height of the letters [pixels of a picture 720 high], and at least [pixels]
GAP = 0.25  # least distance between two names, in heights of their letters
MIN_DISTANCE = 84.0  # distance between two labels [pixels of a picture 720 high]


def projected(renderer: pv.Renderer, points: np.ndarray) -> tuple[Array, Array]:
    """Pixels (n, 2) from the viewport's lower left corner, and depths (n,), in sight from -1 to 1, of points (n, 3)."""
    matrix = renderer.camera.GetCompositeProjectionTransformMatrix(renderer.GetTiledAspectRatio(), -1, 1)
    matrix = pv.array_from_vtkmatrix(matrix)  # the model's transform is in it
    clip = points @ matrix[:3, :3].T.astype(points.dtype) + matrix[:3, 3].astype(points.dtype)
    w = points @ matrix[3, :3].astype(points.dtype) + matrix[3, 3]
    ahead = w > 1e-9
    clip /= np.where(ahead, w, 1.0)[:, None]
    return (clip[:, :2] + 1) * (np.array(renderer.GetSize()) / 2), np.where(ahead, clip[:, 2], 2.0)


def line_of_sight(renderer: pv.Renderer, u: float, v: float) -> Array:
    """The nearest and the farthest point (2, 3) [m] in sight at a pixel from the viewport's lower left corner."""
    held = renderer.camera.GetCompositeProjectionTransformMatrix(renderer.GetTiledAspectRatio(), -1, 1)
    matrix = np.asarray(pv.array_from_vtkmatrix(held), np.float64)
    wide, high = renderer.GetSize()
    x, y = 2.0 * (u + 0.5) / wide - 1.0, 2.0 * (v + 0.5) / high - 1.0
    ends = np.array([[x, y, -1.0, 1.0], [x, y, 1.0, 1.0]]) @ np.linalg.inv(matrix).T
    return np.asarray(ends[:, :3] / ends[:, 3:])


class UprightLabels:
    """Texts (n) at points (n, 3) [m] in one viewport; those that would touch another one or are hidden are left out.

    hidden : (eye (3,), points (n, 3)) -> which of them (n,) are out of sight
    once : of equal texts the first that can stand does, MIN_DISTANCE away from others
    boxes : middles, width and height (m, 4) of those that stand [pixels]
    """

    def __init__(
        self,
        texts: Sequence[str],
        points: Array,
        look: StageColours,
        hidden: Callable[[Array, Array], NDArray[np.bool_]],
        once: bool = False,
    ) -> None:
        self._once, self.boxes = once, np.zeros((0, 4))
        self._texts, self._points, self._look, self._hidden = tuple(texts), points, look, hidden
        self._mesh = pv.PolyData()
        self._texture = pv.Texture(np.zeros((2, 2, 4), np.uint8))
        self._texture.InterpolateOff()
        self.actor = flat(self._mesh, self._texture)
        self._unit, self._key, self._sizes = 0.0, b"", np.zeros((0, 2), int)

    def show(self, renderer: pv.Renderer, unit: float, taken: Array) -> None:
        """Stand where the camera of the viewport sees the points, clear of boxes (m, 4) that others have taken."""
        if not len(self._points):
            return
        if unit != self._unit:
            self._unit = unit
            self._draw(unit)
        pixels, depth = projected(renderer, self._points)
        key = pixels.tobytes() + taken.tobytes()
        if key == self._key:
            return
        self._key = key
        eye = np.array(renderer.camera.GetPosition())
        inside = (np.abs(depth) < 1) & (pixels > 0).all(axis=1) & (pixels < renderer.GetSize()).all(axis=1)
        wanted = np.flatnonzero(inside)
        wanted = wanted[~self._hidden(eye, self._points[wanted])]
        boxes, kept = np.column_stack([pixels, self._sizes]), list[int]()
        for number in wanted.tolist():
            if self._once and self._texts[number] in {self._texts[other] for other in kept}:
                continue
            others = np.concatenate([taken, boxes[kept]])
            away = np.abs(boxes[number, :2] - others[:, :2])
            room = (boxes[number, 2:] + others[:, 2:]) / 2 + GAP * SIZE * unit
            far = np.linalg.norm(away[len(taken) :], axis=1) > (MIN_DISTANCE if self._once else 0.0) * unit
            if (away > room).any(axis=1).all() and far.all():
                kept.append(number)
        self.boxes = boxes[kept]
        low = np.round(pixels - self._sizes / 2)
        high = low + self._sizes
        corners = np.full((len(self._points), 4, 3), -1e4, np.float32)
        corners[kept, :, 2] = 0.0
        corners[kept, :, 0] = np.stack([low[kept, 0], high[kept, 0], high[kept, 0], low[kept, 0]], axis=1)
        corners[kept, :, 1] = np.stack([low[kept, 1], low[kept, 1], high[kept, 1], high[kept, 1]], axis=1)
        move(self._mesh, corners.reshape(-1, 3))

    def _draw(self, unit: float) -> None:
        """All texts in one picture, one above the other."""
        ink, edge = self._look.ink, self._look.panel
        known = {text: outlined(text, ink, edge, max(SIZE * unit, LEAST)) for text in set(self._texts)}
        rows = {text: picture.shape[0] for text, picture in known.items()}
        wide, high = max(picture.shape[1] for picture in known.values()), sum(rows.values())
        sheet, places, top = np.zeros((high, wide, 4), np.uint8), {}, 0
        for text, picture in known.items():
            h, w = picture.shape[:2]
            sheet[top : top + h, :w] = picture
            places[text] = (0.0, w / wide, 1 - (top + h) / high, 1 - top / high)
            top += h
        self._texture.SetInputData(image(sheet))
        n = len(self._texts)
        box = np.array([places[text] for text in self._texts])
        self._mesh.points = np.full((4 * n, 3), -1e4, np.float32)
        self._mesh.faces = np.column_stack([np.full(n, 4), np.arange(4 * n).reshape(n, 4)]).ravel()
        around = np.stack([box[:, [0, 1, 1, 0]], box[:, [2, 2, 3, 3]]], axis=2)
        corners: np.ndarray = around.reshape(-1, 2).astype(np.float32)
        self._mesh.active_texture_coordinates = corners
        self._sizes = np.array([known[text].shape[1::-1] for text in self._texts])
        self._key = b""


def separate(names: Sequence[vtkTextActor], renderer: pv.Renderer) -> None:
    """Move two names aside, in the plane of the picture, where they would touch as a viewport shows them."""
    spots = [name.GetPositionCoordinate() for name in names]
    places = np.array([spot.GetValue() for spot in spots])
    sizes = np.array([_size(name, renderer) for name in names])
    plane = pv.array_from_vtkmatrix(renderer.camera.GetViewTransformMatrix())[:2, :3]  # to the right, and up
    seen, right = (projected(renderer, points)[0] for points in (places, places + plane[0]))
    moves = apart(seen, sizes.mean(axis=0) + GAP * sizes[:, 1].max())
    metres = moves / np.linalg.norm(right - seen, axis=1, keepdims=True)
    for spot, place in zip(spots, places + metres @ plane, strict=True):
        spot.SetValue(*place)


def apart(places: Array, room: Array) -> Array:
    """Shifts (2, 2) of two rectangles that bring their middles (2, 2) far enough apart; both move alike.

    room : (2,) in which their middles must be apart; at the ellipse around that they stand still, so that none jumps
    """
    way = places[1] - places[0]
    near = float(np.linalg.norm(way / room)) / math.sqrt(2.0)
    if near >= 1.0:
        return np.zeros((2, 2))
    wanted = way / near if near > 1e-6 else np.array([0.0, math.sqrt(2.0) * room[1]])
    return np.asarray(np.outer((-0.5, 0.5), wanted - way))


def _size(name: vtkTextActor, renderer: pv.Renderer) -> Array:
    """The width and the height of a name (2,) [pixels]."""
    size = [0.0, 0.0]
    name.GetSize(renderer, size)
    return np.array(size)
