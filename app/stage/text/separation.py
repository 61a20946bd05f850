"""Separation: two names at places of the scene stand clear of one another in the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkTextActor

from app.stage.text.upright_labels import projected
from physics.core.rotation import Array

GAP = 0.25  # between two names, in heights of their letters


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
    """How far to move two rectangles (2, 2), so that their middles (2, 2) are far enough apart; both move alike.

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
