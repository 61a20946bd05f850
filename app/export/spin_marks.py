"""Spin marks: the spin arrow of a body on a table as a few arrows of fixed lengths, of which one at a time is seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.export.scene_parts import SpinMark
from physics.core.rotation import Array

if TYPE_CHECKING:
    from app.stage.lane_scene import LaneScene

STEP = math.radians(7.5)  # between the lengths: at most 86 of both senses, of 2 kB each


def spin_mark(scene: LaneScene, times: Array) -> SpinMark | None:
    """The arrows of a lane's scene at times (n,) [s]; None where it has no spin arrow."""
    from app.stage.bodies.arrows import SpinArrow

    arrow = next((part for part in scene.posed if isinstance(part, SpinArrow)), None)
    if arrow is None:
        return None
    angles = np.array([arrow.angle(scene.track.pose(float(time))) for time in times])
    lengths = np.round(angles / STEP).astype(int)
    drawn = np.unique(lengths[lengths != 0])
    points = tuple(arrow.points(STEP * length) for length in drawn.tolist())
    return SpinMark(points, arrow.mesh.regular_faces, np.where(lengths == 0, -1, np.searchsorted(drawn, lengths)))
