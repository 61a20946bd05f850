"""Camera rig: one camera a viewport, all moved together: the user turns one, the others follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyvista as pv

from physics.core.rotation import Array

ANGLE = 30.0  # [deg] of view across the shorter side of a viewport
HALF = math.tan(math.radians(ANGLE / 2))  # half of what one sees across the shorter side at a distance of 1
FLAT = 100.0  # factor by which a camera is farther, and its sight narrower, to be as good as parallel
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Viewpoint:
    """Position of a camera, its focus, and the upward direction of its picture, (3,) [m] each.

    parallel : of its lines of sight, from 0, perspective, to 1, parallel; what is at the focus keeps its size
    """

    position: Array
    focus: Array
    up: Array
    parallel: float = 0.0

    @property
    def distance(self) -> float:
        """Distance from the camera to what it looks at [m]."""
        return float(np.linalg.norm(self.position - self.focus))

    def moved(self, turn: Array, shift: Array) -> Viewpoint:
        """Turned, and moved away or nearer, by (3, 3) about the origin, then shifted by (3,) [m]."""
        position, focus, up = turn @ self.position + shift, turn @ self.focus + shift, turn @ self.up
        return Viewpoint(position, focus, up / np.linalg.norm(up), self.parallel)


@dataclass(frozen=True)
class Move:
    """A smooth move between two viewpoints: the focus goes straight, the camera swings around it."""

    start: Viewpoint
    end: Viewpoint
    seconds: float

    def at(self, time: float) -> Viewpoint:
        """The viewpoint at a time [s] after the start; held before and after."""
        s = min(max(time / self.seconds, 0.0), 1.0) if self.seconds > 0.0 else 1.0
        return between(self.start, self.end, s * s * (3.0 - 2.0 * s))


def alike(old: Viewpoint, new: Viewpoint) -> bool:
    """True if an old viewpoint shows all that a new one does, about as large: the camera need not move."""
    aside = float(np.linalg.norm(old.focus - new.focus)) / (HALF * new.distance)
    return aside < 0.25 and 0.85 < old.distance / new.distance < 1.7 and old.parallel == new.parallel


def between(a: Viewpoint, b: Viewpoint, share: float) -> Viewpoint:
    """The viewpoint that is a share of the way, 0 to 1, from a to b."""
    if share <= 0.0 or share >= 1.0:
        return a if share <= 0.0 else b
    focus = a.focus + share * (b.focus - a.focus)
    near, far = max(a.distance, 1e-9), max(b.distance, 1e-9)
    arm = _swung((a.position - a.focus) / near, (b.position - b.focus) / far, share)
    position = focus + near ** (1.0 - share) * far**share * arm
    return Viewpoint(position, focus, _swung(a.up, b.up, share), a.parallel + share * (b.parallel - a.parallel))


def _swung(a: Array, b: Array, share: float) -> Array:
    """The unit vector (3,) a share of the way along the great circle from a to b; opposite ones by way of above."""
    cosine = float(np.clip(a @ b, -1.0, 1.0))
    if cosine < -0.999:
        side = UP - (UP @ a) * a if abs(a[2]) < 0.9 else np.cross(a, (1.0, 0.0, 0.0))
        way = side / np.linalg.norm(side)
        return np.asarray(math.cos(math.pi * share) * a + math.sin(math.pi * share) * way)
    angle = math.acos(cosine)
    if angle < 1e-6:
        return b
    return np.asarray((math.sin((1 - share) * angle) * a + math.sin(share * angle) * b) / math.sin(angle))


def direction(azimuth: float, elevation: float) -> Array:
    """The unit vector (3,) towards an azimuth, counter-clockwise from x, and an elevation [deg]."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return np.array([math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)])


class CameraRig:
    """Cameras that share direction and distance while they are ``linked``; each looks at its own anchor (3,) [m].

    heights : how many times larger heights are drawn
    bounds : of all that may be drawn, (6,) [m]: to ask each time takes a millisecond
    clear : takes a camera's position (3,) and what it looks at (3,) and gives a position (3,) where the ground neither
        swallows the camera nor hides what it looks at
    """

    def __init__(
        self,
        renderers: Sequence[pv.Renderer],
        clear: Callable[[Array, Array], Array] | None,
        *,
        bounds: Sequence[float],
        heights: float = 1.0,
    ) -> None:
        self._renderers, self._clear = list(renderers), clear
        n, self._bounds = len(self._renderers), bounds
        self._anchors, self._frames = np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1))
        self._middles = np.zeros((n, 2))
        self._looks = [Viewpoint(np.array([0.0, -1.0, 0.0]), np.zeros(3), UP)] * n
        self.linked = True
        self._far = 2.0 * float(np.linalg.norm(np.diff(np.reshape(bounds, (3, 2)))))  # beyond all that may be drawn
        self.touched = False  # whether the user has moved a camera since the last ``look``
        self._moving = False
        self._flat = [0.0] * n  # degree to which the sight of each camera is parallel
        self._set = [Viewpoint(np.zeros(3), np.zeros(3), np.zeros(3))] * n  # viewpoints set last
        self._tags = []
        for number, renderer in enumerate(self._renderers):
            camera = renderer.camera
            camera.view_angle = ANGLE
            camera.SetModelTransformMatrix(pv.vtkmatrix_from_array(np.diag([1.0, 1.0, heights, 1.0])))
            tag = camera.AddObserver("ModifiedEvent", lambda *_, number=number: self._turned(number))
            self._tags.append((camera, tag))

    def close(self) -> None:
        """Let the cameras go."""
        for camera, tag in self._tags:
            camera.RemoveObserver(tag)
            camera.SetParallelProjection(False)
            camera.SetModelTransformMatrix(pv.vtkmatrix_from_array(np.eye(4)))
        self._tags, self._renderers, self._clear = [], [], None

    @property
    def viewpoint(self) -> Viewpoint:
        """The first camera's, relative to its anchor."""
        return self._looks[0]

    @property
    def viewpoints(self) -> list[Viewpoint]:
        """Viewpoints of all cameras, relative to their anchors."""
        return list(self._looks)

    def look(self, *viewpoints: Viewpoint) -> None:
        """Look from a viewpoint, relative to the anchors, or each camera from one of its own."""
        n = len(self._renderers)
        self._looks = ([*viewpoints] + [viewpoints[0]] * n)[:n]
        self.touched = False
        self.apply()

    def orbit(self, angle: float) -> None:
        """Go around what is looked at by an angle [deg], counter-clockwise."""
        a, look = math.radians(angle), self.viewpoint
        turn = np.array([[math.cos(a), -math.sin(a), 0.0], [math.sin(a), math.cos(a), 0.0], [0.0, 0.0, 1.0]])
        position = look.focus + turn @ (look.position - look.focus)
        self.look(Viewpoint(position, look.focus, turn @ look.up, look.parallel))

    def link(self, on: bool) -> None:
        """Let all cameras move together, from now on as the first one, or each for itself."""
        self.linked = on
        if on:
            self._looks = [self._looks[0]] * len(self._renderers)
            self.apply()

    def take_over(self, other: CameraRig) -> None:
        """Look as another rig does."""
        n = len(self._renderers)
        self._looks = (other._looks + [other._looks[0]] * n)[:n] if other._looks else self._looks
        self.linked, self.touched = other.linked, other.touched

    def follow(self, anchors: Array, frames: Array | None = None) -> None:
        """Move the anchors (views, 3) [m]; ``clip`` comes later.

        frames : (views, 3, 3), turn with what is ridden on, and take the cameras as many times farther from the anchors
        """
        self._anchors = np.asarray(anchors, float)
        self._frames = np.tile(np.eye(3), (len(anchors), 1, 1)) if frames is None else frames
        self._place_all()

    def eye(self, view: int) -> tuple[Array, Array]:
        """Position and focus of the camera of a view, both (3,) [m]."""
        placed = self._present(view)
        return placed.position, placed.focus

    def stand(self, middles: Sequence[Array]) -> None:
        """Show what is looked at so far (views, 2) from the middle of each viewport, in halves of its sides."""
        self._middles = np.reshape(middles, (-1, 2))
        self.apply()

    def apply(self) -> None:
        """Set all cameras."""
        self._place_all()
        self.clip()

    def clip(self) -> None:
        """Let all cameras see as near and as far as there is something to be seen."""
        self._moving = True
        for view in range(len(self._renderers)):
            self._clip(view)
        self._moving = False

    def _place_all(self) -> None:
        self._moving = True
        for view, renderer in enumerate(self._renderers):
            camera = renderer.camera
            self._place(view)
            wide, high = renderer.GetSize()
            camera.SetUseHorizontalViewAngle(wide < high)
            camera.SetWindowCenter(*(-self._middles[view]))
        self._moving = False

    def _place(self, view: int) -> None:
        """Put a camera where it should be, and above the ground."""
        look = self._looks[view].moved(self._frames[view], self._anchors[view])
        camera = self._renderers[view].camera
        flat = look.parallel >= 1.0
        camera.SetParallelProjection(flat)
        camera.SetParallelScale(look.distance * self._scale(view))
        position = look.position if self._clear is None or flat else self._clear(look.position, look.focus)
        if look.parallel > 0.0:
            farther = max(1.0, self._far / look.distance) if flat else FLAT**look.parallel
            position = look.focus + farther * (position - look.focus)
            camera.view_angle = ANGLE if flat else 2 * math.degrees(math.atan(HALF / farther))
        elif self._flat[view] > 0.0:
            camera.view_angle = ANGLE
        self._flat[view] = look.parallel
        camera.SetPosition(*position)
        camera.SetFocalPoint(*look.focus)
        camera.SetViewUp(*look.up)
        self._set[view] = self._present(view)

    def _scale(self, view: int) -> float:
        """Half of what one sees across the height of a viewport by parallel lines of sight, at a distance of 1."""
        wide, high = self._renderers[view].GetSize()
        return float(HALF * max(1.0, high / max(wide, 1)))

    def _present(self, view: int) -> Viewpoint:
        """Present viewpoint of a camera; with parallel sight, the distance follows its scale."""
        camera, flat = self._renderers[view].camera, self._flat[view]
        position, focus, up = (np.array(get()) for get in (camera.GetPosition, camera.GetFocalPoint, camera.GetViewUp))
        if flat >= 1.0:
            distance = camera.GetParallelScale() / self._scale(view)
            position = focus + (position - focus) * (distance / np.linalg.norm(position - focus))
        elif flat > 0.0:
            position = focus + (position - focus) / FLAT**flat
        return Viewpoint(position, focus, up, flat)

    def _clip(self, view: int) -> None:
        renderer = self._renderers[view]
        renderer.ResetCameraClippingRange(self._bounds)
        near, far = renderer.camera.GetClippingRange()
        if self._flat[view] >= 1.0:
            return
        renderer.camera.SetClippingRange(min(near, 0.1 * self._looks[view].distance), far)

    def _turned(self, view: int) -> None:
        """The user has moved a camera: the others do the same."""
        camera = self._renderers[view].camera
        present = self._present(view)
        if self._moving or _same(present, self._set[view]):
            return
        turn = np.linalg.inv(self._frames[view])
        self._looks[view] = present.moved(turn, -turn @ self._anchors[view])
        self.touched, self._moving = True, True
        if self.linked:
            self._looks = [self._looks[view]] * len(self._renderers)
        for other, renderer in enumerate(self._renderers):
            if other == view or self.linked:
                self._place(other)
                renderer.camera.SetViewAngle(camera.GetViewAngle())
                self._clip(other)
        self._moving = False


def _same(a: Viewpoint, b: Viewpoint) -> bool:
    return all(map(np.array_equal, (a.position, a.focus, a.up), (b.position, b.focus, b.up)))
