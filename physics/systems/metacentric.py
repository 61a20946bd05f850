"""Metacentric heights of a ship, and the moments by which gravity and buoyancy right it (Gustafsson 2010, (43))."""

from __future__ import annotations

import numpy as np

from physics.bodies.body import Body
from physics.core.rotation import Array, matrix
from physics.scenario.common_config import NotNegative, Table
from physics.scenario.described import described


class MetacentricConfig(Table):
    """Heights of a ship's metacentres above its centre of mass."""

    transverse: NotNegative = described(..., "GM transverse", "m", "Transverse metacentric height")
    longitudinal: NotNegative = described(..., "GM longitudinal", "m", "Longitudinal metacentric height")


def righting(height: MetacentricConfig, body: Body, g: float) -> Array:
    """K (6,) [N m] of what rights a ship, xx, yy, zz, xy, xz, yz in its principal axes: V = u.Ku/2, u upwards."""
    stiff, axes = body.mass * g, matrix(body.axes)
    K = axes.T @ np.diag([stiff * height.longitudinal, stiff * height.transverse, 0.0]) @ axes
    return np.array([*np.diag(K), K[0, 1], K[0, 2], K[1, 2]])
