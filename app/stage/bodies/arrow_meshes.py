"""Meshes of arrows: shafts and heads of arrows, scaled from solids that are made once: VTK takes 10 ms for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyvista as pv

from app.stage.actor_group import polygons
from app.stage.bodies.body_mesh import sharp
from physics.core.rotation import Array


class ArrowMeshes(NamedTuple):
    """A solid of revolution about x: points (n, 3), their normals (n, 3), and triangles (m, 3) of them."""

    points: Array
    normals: Array
    faces: np.ndarray

    def sized(self, length: float, radius: float, start: float = 0.0) -> ArrowMeshes:
        """So long, so thick, from x = start on."""
        scale = np.array([length, radius, radius])
        normals = self.normals / scale
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return ArrowMeshes(self.points * scale + (start, 0.0, 0.0), normals, self.faces)

    def along(self, axis: int) -> ArrowMeshes:
        """About another axis: 0, 1, 2 for x, y, z."""
        return ArrowMeshes(np.roll(self.points, axis, axis=1), np.roll(self.normals, axis, axis=1), self.faces)


@lru_cache(maxsize=8)
def shaft(sides: int) -> ArrowMeshes:
    """A cylinder of radius 1 from x = 0 to 1."""
    return _solid(pv.Cylinder(center=(0.5, 0.0, 0.0), radius=1.0, height=1.0, resolution=sides))


@lru_cache(maxsize=8)
def head(sides: int) -> ArrowMeshes:
    """A cone whose base of radius 1 is at x = 0 and whose tip is at 1."""
    return _solid(pv.Cone(center=(0.5, 0.0, 0.0), height=1.0, radius=1.0, resolution=sides))


def _solid(mesh: pv.PolyData) -> ArrowMeshes:
    mesh = sharp(mesh)
    return ArrowMeshes(np.array(mesh.points, float), np.array(mesh.point_normals, float), mesh.regular_faces)


def joined(solids: Sequence[ArrowMeshes]) -> pv.PolyData:
    """One mesh of solids."""
    before = np.cumsum([0, *(len(solid.points) for solid in solids[:-1])])
    faces = np.concatenate([solid.faces + first for solid, first in zip(solids, before, strict=True)])
    points = np.concatenate([solid.points for solid in solids]).astype(np.float32)
    normals = np.concatenate([solid.normals for solid in solids]).astype(np.float32)
    return polygons(points, faces, normals)
