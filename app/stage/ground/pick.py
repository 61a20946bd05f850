"""Ground pick: where on the ground a pixel of the picture lies."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from physics.core.rotation import Array
from physics.terrain.terrain import Terrain

PLACES = 4000  # along a line of sight at which the ground is asked first


def aimed(terrain: Terrain, renderer: pv.Renderer, u: float, v: float) -> Array | None:
    """Where (3,) [m] one sees the terrain at a pixel from the viewport's lower left corner; None: beside it."""
    held = renderer.camera.GetCompositeProjectionTransformMatrix(renderer.GetTiledAspectRatio(), -1, 1)
    matrix = np.asarray(pv.array_from_vtkmatrix(held), np.float64)
    wide, high = renderer.GetSize()
    x, y = 2.0 * (u + 0.5) / wide - 1.0, 2.0 * (v + 0.5) / high - 1.0
    ends = np.array([[x, y, -1.0, 1.0], [x, y, 1.0, 1.0]]) @ np.linalg.inv(matrix).T
    near, far = ends[:, :3] / ends[:, 3:]
    low, last = _through(terrain, near, far)
    if not low < last:
        return None
    for _ in range(3):  # each round looks closer
        s = np.linspace(low, last, PLACES)
        points = near + s[:, None] * (far - near)
        first = int(np.argmax(points[:, 2] <= terrain.heights_at(points[:, 0], points[:, 1])))
        if first == 0:  # it goes over the ground, or comes in through a side of the block
            return None
        low, last = s[first - 1], s[first]
    return np.asarray(near + last * (far - near))


def _through(terrain: Terrain, near: Array, far: Array) -> tuple[float, float]:
    """The shares of the way from near to far, (3,) [m] each, between which it passes through the terrain's box."""
    x0, x1, y0, y1 = terrain.extent
    low = np.array([x0, y0, float(terrain.heights.min()) - 1.0])
    high = np.array([x1, y1, float(terrain.heights.max()) + 1.0])
    way = np.where(np.abs(far - near) < 1e-12, 1e-12, far - near)
    a, b = (low - near) / way, (high - near) / way
    return max(0.0, float(np.minimum(a, b).max())), min(1.0, float(np.maximum(a, b).min()))
