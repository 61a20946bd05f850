"""Rig: one camera a viewport, all moved together: the user turns one, the others follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyvista as pv

from physics.rotation import Array

ANGLE = 30.0  # [deg] of view across the shorter side of a viewport


class Rig:
    """Cameras that share direction and distance; each looks at its own anchor (3,) [m].

    aside : whether small broad pictures stand aside from the captions, which fill much of their left half
    ``clear`` (optional) takes a camera's position (3,) and what it looks at (3,) and tells how much higher [m] the
    camera must be so that the ground neither swallows it nor hides what it looks at.
    """

    def __init__(
        self, renderers: Sequence[pv.Renderer], clear: Callable[[Array, Array], float] | None, *, aside: bool = False
    ) -> None:
        self._renderers, self._clear, self._aside = list(renderers), clear, aside and len(renderers) > 1
        self._anchors = np.zeros((len(self._renderers), 3))
        self.position, self.focus, self.up = (
            np.array([0.0, -1.0, 0.0]),
            np.zeros(3),
            np.array([0.0, 0.0, 1.0]),
        )
        self.touched = False  # whether the user has moved a camera since the last ``look``
        self._moving = False
        self._set = [(np.zeros(3), np.zeros(3), np.zeros(3))] * len(self._renderers)  # what the cameras were told last
        self._tags = []
        for number, renderer in enumerate(self._renderers):
            camera = renderer.camera
            camera.view_angle = ANGLE
            tag = camera.AddObserver("ModifiedEvent", lambda *_, number=number: self._turned(number))
            self._tags.append((camera, tag))

    def close(self) -> None:
        """Let the cameras go."""
        for camera, tag in self._tags:
            camera.RemoveObserver(tag)
        self._tags, self._renderers, self._clear = [], [], None

    @property
    def distance(self) -> float:
        """From camera to what it looks at [m]."""
        return float(np.linalg.norm(self.position - self.focus))

    def look(self, position: Array, focus: Array) -> None:
        """Look from a position at a focus, both (3,) [m] relative to the anchors."""
        self.position, self.focus, self.up = (
            np.asarray(position, float),
            np.asarray(focus, float),
            np.array([0.0, 0.0, 1.0]),
        )
        self.touched = False
        self.apply()

    def follow(self, anchors: Array) -> None:
        """Move the anchors (views, 3) [m]."""
        self._anchors = np.asarray(anchors, float)
        self.apply()

    def eye(self, view: int) -> tuple[Array, Array]:
        """Where the camera of a view is and what it looks at, both (3,) [m]."""
        camera = self._renderers[view].camera
        return np.array(camera.GetPosition()), np.array(camera.GetFocalPoint())

    def apply(self) -> None:
        """Set all cameras."""
        self._moving = True
        for view, (renderer, anchor) in enumerate(zip(self._renderers, self._anchors, strict=True)):
            camera = renderer.camera
            position, focus = anchor + self.position, anchor + self.focus
            if self._clear is not None:
                arm = position - focus + np.array([0.0, 0.0, self._clear(position, focus)])
                position = focus + arm * (self.distance / np.linalg.norm(arm))  # up, but no further away
            self._place(view, position, focus)
            wide, high = renderer.GetSize()
            camera.SetUseHorizontalViewAngle(wide < high)
            spare = 1.0 - high / wide if self._aside and wide > high > 0 else 0.0  # in halves of the width
            camera.SetWindowCenter(-0.7 * spare, -0.1 * spare)
            renderer.ResetCameraClippingRange()
            near, far = camera.GetClippingRange()
            camera.SetClippingRange(min(near, 0.1 * self.distance), far)
        self._moving = False

    def _place(self, view: int, position: Array, focus: Array) -> None:
        camera = self._renderers[view].camera
        camera.SetPosition(*position)
        camera.SetFocalPoint(*focus)
        camera.SetViewUp(*self.up)
        self._set[view] = _told(camera)

    def _turned(self, view: int) -> None:
        """The user has moved a camera: the others do the same."""
        camera = self._renderers[view].camera
        told = _told(camera)
        if self._moving or all(np.array_equal(a, b) for a, b in zip(told, self._set[view], strict=True)):
            return
        position, focus, self.up = told
        self.position, self.focus = position - self._anchors[view], focus - self._anchors[view]
        self._set[view], self.touched, self._moving = told, True, True
        for other, (renderer, anchor) in enumerate(zip(self._renderers, self._anchors, strict=True)):
            if other != view:
                self._place(other, anchor + self.position, anchor + self.focus)
                renderer.camera.SetViewAngle(camera.GetViewAngle())
                renderer.ResetCameraClippingRange()
        self._moving = False


def _told(camera: pv.Camera) -> tuple[Array, Array, Array]:
    """Position, focus and up of a camera, (3,) each."""
    return np.array(camera.GetPosition()), np.array(camera.GetFocalPoint()), np.array(camera.GetViewUp())
