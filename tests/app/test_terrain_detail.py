"""The ground's small forms: at all scales, without stripes on cliffs, and in the picture alone."""

from __future__ import annotations

import numpy as np
import pytest

from app.stage.ground.layers import charts
from app.stage.ground.shaded_relief import ShadedRelief, paint
from app.stage.text.colour_map import LAID, table
from physics.terrain.terrain import Terrain


def plane(angle: float, nodes: int, cell: float, *, turned: bool = False) -> Terrain:
    """A slope of an angle [deg] that falls to the east, or to the north."""
    height = np.tile(-np.tan(np.radians(angle)) * cell * np.arange(nodes), (nodes, 1))
    return Terrain(np.ascontiguousarray(height.T if turned else height), (0.0, 0.0), (cell, cell))


def grey(relief: ShadedRelief) -> np.ndarray:
    return relief.natural.astype(float).mean(axis=2)


def lightness(colours: np.ndarray) -> np.ndarray:
    """CIE L* of colours (..., 3) of 0 to 255 in sRGB (IEC 61966-2-1)."""
    share = colours / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    y = linear @ [0.2126, 0.7152, 0.0722]
    return np.where(y > 0.008856, 116.0 * np.cbrt(y) - 16.0, 903.3 * y)


def test_what_is_made_up_is_in_the_picture_alone() -> None:
    terrain = plane(50.0, 41, 5.0)
    before = terrain.heights.copy()
    relief = paint(terrain, 256)
    np.testing.assert_array_equal(terrain.heights, before)
    assert grey(relief).std() > 8.0
    inner = relief.light[32:-32, 32:-32].astype(float)  # where ridges and hollows do not feel the edge
    assert np.ptp(inner) < 12.0  # of 255: shades tell the heights only


@pytest.mark.parametrize("angle", [10.0, 35.0, 60.0])
def test_maps_stand_out_on_meadow_scree_and_rock(angle: float) -> None:
    terrain = plane(angle, 41, 2.0)
    relief, values = paint(terrain, 256), np.zeros(terrain.heights.shape)
    values[20, 20] = 1.0
    bare = relief.natural.astype(float)
    under = relief.picture(list(charts("reach", "1", {"": values}, terrain).values()), contours=False)[:64].astype(
        float
    )
    assert under.mean() < 0.65 * bare.mean()
    assert np.ptp(under, axis=2).mean() < 0.2 * np.ptp(bare, axis=2).mean() + 2.0  # hardly a colour of its own
    scale = lightness(table(LAID).astype(float))
    assert (np.diff(scale) > -0.2).all()  # lighter and lighter
    assert scale[0] > np.quantile(lightness(under), 0.95) + 5.0
