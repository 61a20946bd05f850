"""The block of a terrain: the sides of the terrain, which is drawn as a solid block."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage.actor_group import polygons
from physics.terrain.terrain import Terrain


def sides(terrain: Terrain) -> pv.PolyData:
    """The sides of the block, from the edge of the ground down to a level base."""
    ny, nx = terrain.heights.shape
    x0, x1, y0, y1 = terrain.extent
    x, y, h = np.linspace(x0, x1, nx), np.linspace(y0, y1, ny), terrain.heights
    base = h.min() - 0.06 * max(x1 - x0, y1 - y0)
    sides = (
        (np.stack([x, np.full(nx, y0), h[0]], 1), 0.62),
        (np.stack([np.full(ny, x1), y, h[:, -1]], 1), 0.5),
        (np.stack([x, np.full(nx, y1), h[-1]], 1), 0.72),
        (np.stack([np.full(ny, x0), y, h[:, 0]], 1), 0.8),
    )
    points, colours, faces, n = [], [], [], 0
    for edge, light in sides:
        foot = edge.copy()
        foot[:, 2] = base
        k = len(edge)
        a = n + np.arange(k - 1)
        faces += [np.stack([a, a + 1, a + k + 1], 1), np.stack([a, a + k + 1, a + k], 1)]
        points += [edge, foot]
        colours += [
            np.tile(np.array([126.0, 117.0, 106.0]) * light, (k, 1)),
            np.tile(np.array([70.0, 66.0, 64.0]) * light, (k, 1)),
        ]
        n += 2 * k
    mesh = polygons(np.concatenate(points).astype(np.float32), np.concatenate(faces))
    mesh.point_data["rgba"] = np.column_stack([np.concatenate(colours), np.full(n, 255)]).astype(np.uint8)
    return mesh
