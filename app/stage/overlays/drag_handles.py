"""Drag handles: the body and the angular velocity at the start, as they are dragged in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pyvista as pv

from app.stage.bodies.arrows import FASTEST, VectorArrows
from app.stage.lane_scene import LaneScene
from physics.bodies.body import Body
from physics.bodies.closed_surface import distinct_edges
from physics.core.rotation import Array, matrix, multiply

MAX_OUTLINED_CORNERS = 240  # bodies with more are not drawn by their own edges while they are turned
PRECISE = 4  # significant digits of a dragged angular velocity


@dataclass(frozen=True)
class DraggedStart:
    """Start that is being dragged: orientation (4,) body to space, angular velocity (3,) [rad/s] in the body.

    foot : (3,) [m] of the arrow
    scale : length [m] of 1 rad/s
    corners, edges : (n, 3) [m] of the body from the foot, and (m, 2)
    still : (3,) [m] from the foot to the handle of a body that does not turn
    about : (3,) the only axis in space about which the body is turned; None: any
    """

    orientation: Array
    omega: Array
    foot: Array
    scale: float
    corners: Array
    edges: Array
    still: Array | None = None
    about: Array | None = None

    @property
    def tip(self) -> Array:
        """Tip of the arrow (3,) [m]."""
        arrow = self.scale * matrix(self.orientation) @ self.omega if self.still is None else self.still
        return np.asarray(self.foot + arrow)

    @property
    def drawn(self) -> Array:
        """Corners of the body in space (n, 3) [m]."""
        return np.asarray(self.foot + self.corners @ matrix(self.orientation).T)

    def pulled(self, tip: Array) -> DraggedStart:
        """Start with the arrow's tip at a point (3,) [m]."""
        omega = matrix(self.orientation).T @ (tip - self.foot) / self.scale
        digits = PRECISE - 1 - math.floor(math.log10(max(float(np.abs(omega).max()), 1e-9)))
        return replace(self, omega=np.round(omega, digits), still=None)

    def dragged(self, across: float, down: float, right: Array, up: Array) -> DraggedStart:
        """Turned by angles [rad] across and down a picture with the axes right and up (3,).

        About a fixed axis the top of the body follows the pointer: sideways, or towards the eye and away.
        """
        if self.about is None:
            return self.turned(across * up + down * right)
        ways = np.cross(self.about, (0.0, 0.0, 1.0))
        return self.turned((across * float(ways @ right) + down * float(ways @ np.cross(right, up))) * self.about)

    def turned(self, axis: Array) -> DraggedStart:
        """Turned about an axis (3,) in space by its length [rad]; the angular velocity turns with the body."""
        angle = float(np.linalg.norm(axis))
        if angle == 0.0:
            return self
        turn = np.r_[math.cos(angle / 2), math.sin(angle / 2) * axis / angle]
        orientation = multiply(turn, self.orientation)
        return replace(self, orientation=np.round(orientation / float(np.linalg.norm(orientation)), 6))


def start_of(scene: LaneScene, scale: float) -> DraggedStart | None:
    """Start of a lane as drawn by the stage; None of a mechanism, which has no angular velocity of its own.

    scale : of the body
    """
    rate = next((part.omega_scale for part in scene.tracked if isinstance(part, VectorArrows)), None)
    if rate is None:
        return None
    world, pose = scene.track.world, scene.pose(0.0, scale)
    omega = np.asarray(world.angular_velocity, float)
    if not (np.any(omega) or world.terrain is not None):  # no angular velocity gives the length of arrows
        rate = FASTEST * world.body.radius
    corners, edges = _outline(world.body)
    if world.arm is not None:
        corners = corners + world.arm
    start = DraggedStart(
        np.asarray(world.orientation, float),
        omega,
        scene.track.foot(pose),
        rate * scale,
        scale * corners,
        edges,
        about=scene.hinge,
    )
    still = np.array([0.0, 0.0, scene.handle * world.body.radius * scale])
    return start if np.any(omega) else replace(start, still=still)


def _outline(body: Body) -> tuple[Array, Array]:
    """Corners (n, 3) and edges (m, 2) of a body, or of the box around a fine mesh."""
    if len(body.vertices) <= MAX_OUTLINED_CORNERS:
        return body.vertices, distinct_edges(body.faces)
    ends = np.array([body.vertices.min(axis=0), body.vertices.max(axis=0)])
    sides = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    pairs = [(a, b) for a in range(8) for b in range(a) if np.abs(sides[a] - sides[b]).sum() == 1]
    return np.take_along_axis(ends, sides, axis=0), np.array(pairs)


def projected(renderer: pv.Renderer, points: Array) -> Array:
    """Points (n, 3) [m] as pixels of the whole picture from its lower left, and their depth (n, 3)."""
    found = []
    for point in points:
        renderer.SetWorldPoint(*map(float, point), 1.0)
        renderer.WorldToDisplay()
        found.append(renderer.GetDisplayPoint())
    return np.array(found)


def unprojected(renderer: pv.Renderer, pixel: Array) -> Array:
    """The point (3,) [m] at a pixel and depth (3,) of ``projected``."""
    renderer.SetDisplayPoint(*map(float, pixel))
    renderer.DisplayToWorld()
    x, y, z, w = renderer.GetWorldPoint()
    return np.asarray(np.array([x, y, z]) / w)
