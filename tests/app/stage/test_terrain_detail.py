"""The ground's small forms: at all scales, without stripes on cliffs, and in the picture alone."""

from __future__ import annotations

import numpy as np

from app.stage.ground.shaded_relief import ShadedRelief, paint
from physics.terrain.terrain import Terrain


def plane(angle: float, nodes: int, cell: float, *, turned: bool = False) -> Terrain:
    """A slope of an angle [deg] that falls to the east, or to the north."""
    height = np.tile(-np.tan(np.radians(angle)) * cell * np.arange(nodes), (nodes, 1))
    return Terrain(np.ascontiguousarray(height.T if turned else height), (0.0, 0.0), (cell, cell))


def grey(relief: ShadedRelief) -> np.ndarray:
    return relief.natural.astype(float).mean(axis=2)


def test_what_is_made_up_is_in_the_picture_alone() -> None:
    terrain = plane(50.0, 41, 5.0)
    before = terrain.heights.copy()
    relief = paint(terrain, 256)
    np.testing.assert_array_equal(terrain.heights, before)
    assert grey(relief).std() > 8.0
    inner = relief.light[32:-32, 32:-32].astype(float)  # where ridges and hollows do not feel the edge
    assert np.ptp(inner) < 12.0  # of 255: shades tell the heights only
