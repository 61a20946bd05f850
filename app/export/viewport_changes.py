"""Viewport changes: where a viewport looks otherwise than when it was drawn last, and a camera that sees only there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkRecti
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkPolyDataMapper,
    vtkPolyDataMapper2D,
    vtkProp,
    vtkRenderer,
    vtkTextActor,
    vtkTexturedActor2D,
)

from app.export.rectangle import Rectangle, around, joined
from physics.core.rotation import Array

EDGE = 3  # pixels by which smooth edges and rounding reach beyond a thing's box
MOST_POINTS = 20_000  # of a mesh whose box in the picture is sought point by point, in a millisecond
SPOILT = 2  # pixels at the edges of what is drawn alone that may lack samples: Mesa's software leaves one so
NOTHING = Rectangle(0, 0, 0, 0)
_VIEWPORT = 2  # VTK's number for coordinates in pixels of a viewport


@dataclass
class _Drawn:
    """How a thing looked when it was drawn: numbers that change with it, its box, and its picture if it is flat."""

    state: tuple[int, ...]
    box: Rectangle
    picture: np.ndarray | None = None


class ViewportChanges:
    """A viewport, and how what is in it looked when it was drawn last."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.renderer = renderer
        self.place = NOTHING  # its pixels of the window
        self._matrix: Array = np.eye(4)  # from the scene to the clip coordinates of the viewport
        self._look: tuple[object, ...] = ()
        self._drawn: dict[vtkProp, _Drawn] = {}

    def changed(self) -> list[Rectangle]:
        """What must be drawn since this was asked last."""
        (x, y), (wide, high) = self.renderer.GetOrigin(), self.renderer.GetSize()
        self.place = Rectangle(x, y, x + wide, y + high)
        aspect = self.renderer.GetTiledAspectRatio()
        seen = self.renderer.GetActiveCamera().GetCompositeProjectionTransformMatrix(aspect, -1, 1)
        before, self._look = self._look, (self.place, *(seen.GetData()))
        self._matrix = np.reshape(seen.GetData(), (4, 4))
        shown = self.renderer.GetViewProps()
        found = [shown.GetItemAsObject(number) for number in range(shown.GetNumberOfItems())]
        props = [prop for prop in found if isinstance(prop, vtkProp)]  # all are
        if self._look != before or self.renderer.GetPass() or props != list(self._drawn):
            self._drawn = {prop: self._now(prop, _state(prop)) for prop in props}
            return [self.place]
        changes: list[Rectangle] = []
        for prop, old in self._drawn.items():
            if (state := _state(prop)) != old.state:
                new = self._drawn[prop] = self._now(prop, state)
                changes += _differing(old, new)
        return joined([box.within(self.place) for box in changes])

    def crop(self, place: Rectangle) -> None:
        """Let a rectangle alone be drawn next time, by the same camera: its pixels are those of a whole picture."""
        x0, y0, x1, y1 = place.beyond(SPOILT).within(self.place)
        camera = self.renderer.GetActiveCamera()
        camera.SetScissorRect(vtkRecti(x0, y0, x1 - x0, y1 - y0))
        camera.SetUseScissor(True)

    def _now(self, prop: vtkProp, state: tuple[int, ...]) -> _Drawn:
        return _Drawn(state, self._box(prop), _picture(prop))

    def _box(self, prop: vtkProp) -> Rectangle:
        """The pixels of the window that a thing takes; all of the viewport where that is not known."""
        if not prop.GetVisibility():
            return NOTHING
        if isinstance(prop, vtkActor):
            look = prop.GetProperty()
            return self._projected(*_points(prop), EDGE + max(look.GetLineWidth(), look.GetPointSize()) / 2)
        if isinstance(prop, vtkTextActor):
            size = [0.0, 0.0]
            prop.GetSize(self.renderer, size)
            return self._projected(np.array([prop.GetPositionCoordinate().GetValue()]), np.eye(4), EDGE + max(size))
        if actor := _flat(prop):
            bounds = np.reshape(_mesh(actor).GetBounds(), (3, 2))
            return around(bounds[0] + self.place.x0, bounds[1] + self.place.y0, 0.0)
        return self.place

    def _projected(self, points: Array, placed: Array, reach: float) -> Rectangle:
        """The pixels of the window around points (n, 3) that a matrix (4, 4) places, so many pixels beyond them."""
        if not len(points):
            return NOTHING
        matrix = self._matrix @ placed
        x, y, _, w = matrix[:, :3] @ points.T + matrix[:, 3:]
        if not w.min() > 1e-9:
            return self.place
        (x0, y0), (wide, high) = self.place[:2], self.renderer.GetSize()
        return around((x / w + 1) * (wide / 2) + x0, (y / w + 1) * (high / 2) + y0, reach)


def _differing(old: _Drawn, new: _Drawn) -> list[Rectangle]:
    """Where a thing looks otherwise than before; of a flat picture only the pixels that differ."""
    if old.picture is None or new.picture is None or (old.box, old.picture.shape) != (new.box, new.picture.shape):
        return joined([old.box, new.box])
    rows, columns = np.nonzero(old.picture != new.picture)
    if not len(rows):
        return []
    x, y = new.box.x0 + columns, new.box.y0 + rows
    return [Rectangle(int(x.min()) - 1, int(y.min()) - 1, int(x.max()) + 2, int(y.max()) + 2)]


def _points(actor: vtkActor) -> tuple[Array, Array]:
    """Points (n, 3) in whose box one sees an actor, and the matrix (4, 4) that places them in the scene.

    They are its mesh's, or of large meshes the corners of their box.
    """
    mesh = _mesh(actor)
    if 0 < mesh.GetNumberOfPoints() <= MOST_POINTS:
        points = np.asarray(mesh.GetPoints().GetData())
        colours = mesh.GetPointData().GetScalars() if actor.GetMapper().GetScalarVisibility() else None
        if colours is not None and colours.GetNumberOfComponents() == 4:
            opaque = np.asarray(colours)[:, 3] > 0
            if not opaque.all():  # the ends of trails are transparent
                points = points[_seen(mesh, opaque)]
        return points, np.reshape(actor.GetMatrix().GetData(), (4, 4))
    low, high = np.reshape(actor.GetBounds(), (3, 2)).T
    return np.where(np.indices((2, 2, 2)).reshape(3, 8).T, high, low), np.eye(4)


def _seen(mesh: vtkPolyData, opaque: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The points (n,) of all lines and faces of which one sees something: those that are not transparent, and the next.

    Colours fade from point to point. A shadow was seen 5 pixels beyond its last point that is not transparent.
    """
    seen = opaque.copy()
    along = np.asarray(mesh.GetLines().GetConnectivityArray())
    seen[along[1:]] |= opaque[along[:-1]]
    seen[along[:-1]] |= opaque[along[1:]]
    faces, starts = np.asarray(mesh.GetPolys().GetConnectivityArray()), np.asarray(mesh.GetPolys().GetOffsetsArray())
    if len(faces):
        some = np.logical_or.reduceat(opaque[faces], starts[:-1])
        seen[faces[np.repeat(some, np.diff(starts))]] = True
    return seen


def _flat(prop: vtkProp) -> vtkTexturedActor2D | None:
    """A thing that lies at some pixels of its viewport; None: it does not."""
    if not isinstance(prop, vtkTexturedActor2D) or isinstance(prop, vtkTextActor):
        return None
    mapper = prop.GetMapper()
    assert isinstance(mapper, vtkPolyDataMapper2D)  # those of letters have another one
    return prop if mapper.GetTransformCoordinate().GetCoordinateSystem() == _VIEWPORT else None


def _mesh(actor: vtkActor | vtkTexturedActor2D) -> vtkPolyData:
    mapper = actor.GetMapper()
    assert isinstance(mapper, vtkPolyDataMapper | vtkPolyDataMapper2D)
    mesh = mapper.GetInput()
    assert isinstance(mesh, vtkPolyData)
    return mesh


def _picture(prop: vtkProp) -> np.ndarray | None:
    """The colours (height, width), from below, of a picture that lies flat in the viewport as large as it is."""
    if (actor := _flat(prop)) is None or _mesh(actor).GetNumberOfPoints() != 4:
        return None
    image = actor.GetTexture().GetInput()
    wide, high, _ = image.GetDimensions()
    return np.array(image.GetPointData().GetScalars()).view(np.uint32).reshape(high, wide)


def _state(prop: vtkProp) -> tuple[int, ...]:
    """Numbers that change when a thing looks otherwise; of one that is hidden none."""
    if not prop.GetVisibility():
        return ()
    told = [prop.GetRedrawMTime()]  # that of an actor counts its mesh
    if isinstance(prop, vtkTextActor):
        return (*told, prop.GetPositionCoordinate().GetMTime(), prop.GetTextProperty().GetMTime())
    if isinstance(prop, vtkActor):
        told.append(prop.GetUserTransformMatrixMTime())
    elif isinstance(prop, vtkTexturedActor2D):
        told.append(_mesh(prop).GetMTime())
    if isinstance(prop, (vtkActor, vtkTexturedActor2D)) and (texture := prop.GetTexture()):
        told.append(texture.GetInput().GetMTime())
    return tuple(told)
