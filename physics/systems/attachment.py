"""What acts on a body that is attached to a point or floats, as the kernels take it (physics.core.potential)."""

from __future__ import annotations

import math

import numpy as np

from physics.bodies.body import Body
from physics.core.potential import FREE, SIZE
from physics.core.rotation import Array, matrix
from physics.scenario.scenario import Scenario

LEVEL = math.radians(0.05)  # by which a ship's principal axes may lie off without a word


def field_of(scenario: Scenario, body: Body, distance: float) -> Array:
    """Potential and damping (12,), see World.field."""
    weight = body.mass * scenario.g
    if scenario.kind == "top":
        return np.array([0.0, 0.0, weight * distance, *np.zeros(SIZE - 3)])
    if scenario.kind == "vessel" and scenario.vessel is not None:
        height = scenario.vessel.metacentric_height
        stiff, axes = weight * scenario.vessel.restoring, matrix(body.axes)
        K = axes.T @ np.diag([stiff * height.longitudinal, stiff * height.transverse, 0.0]) @ axes
        return np.array([0.0, 0.0, 0.0, *np.diag(K), *scenario.vessel.damping, K[0, 1], K[0, 2], K[1, 2]])
    return FREE


def notes_of(scenario: Scenario, body: Body) -> tuple[str, ...]:
    """A note if what damps a vessel acts about other axes than those of its file."""
    off = 2.0 * math.asin(min(1.0, float(np.linalg.norm(body.axes[1:]))))
    if scenario.vessel is None or not any(scenario.vessel.damping) or off < LEVEL:
        return ()
    return (f"damping acts about the hull's principal axes, {math.degrees(off):.2g}° off the axes of its file",)
