"""The T-handle as two round bars that blend: its lengths are those that have the moments of the scenario."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from physics.bodies.closed_surface import closed
from physics.bodies.mesh_io import Mesh
from physics.core.rotation import Array

RADIUS = 0.01979  # of both bars [m]
ACROSS, SHAFT = 0.18919, 0.09711  # lengths [m]: of the bar along x, and of the one that stands on it along -y
ROUND, BLEND = 0.004, 0.006  # radii [m] of the edges, and of the hollow between the bars
CELL = 0.0035  # [m] of the grid on which the surface is found
STEP = 1e-6  # [m] of the slope of the distance


def handle() -> Mesh:
    """Its closed surface, the bar along x and the shaft along y; its centre of mass lies aside of the origin."""
    low, high = np.array([-0.1, -0.11, -0.03]), np.array([0.1, 0.03, 0.03])
    shape = np.ceil((high - low) / CELL).astype(int) + 1
    grid = pv.ImageData(dimensions=tuple(shape), spacing=(CELL,) * 3, origin=tuple(low))
    grid.point_data["distance"] = distance(np.asarray(grid.points, float))
    surface = grid.contour([0.0], scalars="distance", method="flying_edges").clean()
    points = np.asarray(surface.points, float)
    for _ in range(4):  # from the chords of the grid's cells onto the surface, whose edges are rounder than they
        slopes = [(distance(points + step) - distance(points - step)) / (2.0 * STEP) for step in STEP * np.eye(3)]
        slope = np.column_stack(slopes)
        points -= (distance(points) / np.sum(slope**2, axis=1))[:, None] * slope
    mesh, _ = closed(Mesh(points, surface.regular_faces), instead="")
    return mesh


def distance(points: Array) -> Array:
    """Distances (n,) [m] of points (n, 3) from the handle; negative inside."""
    x, y, z = points.T
    bars = (_bar(x, np.hypot(y, z), ACROSS / 2.0), _bar(y + SHAFT / 2.0, np.hypot(x, z), SHAFT / 2.0))
    near = np.clip(0.5 + 0.5 * (bars[1] - bars[0]) / BLEND, 0.0, 1.0)
    return np.asarray(bars[1] + near * (bars[0] - bars[1]) - BLEND * near * (1.0 - near))


def _bar(along: Array, aside: Array, half: float) -> Array:
    """Distance to a bar of half a length with rounded edges."""
    a, b = np.abs(along) - half + ROUND, aside - RADIUS + ROUND
    return np.asarray(np.hypot(np.maximum(a, 0.0), np.maximum(b, 0.0)) + np.minimum(np.maximum(a, b), 0.0) - ROUND)
