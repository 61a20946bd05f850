"""The ground's small forms: at all scales, without stripes on cliffs, and in the picture alone."""

from __future__ import annotations

import numpy as np
import pytest

from app.stage.ground.layers import charts
from app.stage.ground.shaded_relief import ShadedRelief, paint
from app.stage.ground.tiles import TerrainTile, TerrainTiles, unfolded
from app.stage.text.colour_map import ROCKS, table
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


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("angle", "most"), [(45.0, 1.3), (60.0, 1.4), (75.0, 1.9)])
def test_a_cliff_has_no_stripes_down_the_slope(angle: float, most: float, turned: bool) -> None:
    # laid down from above, spots are 1 / cos(angle) times longer than wide: 1.4, 2.0 and 3.9
    picture = grey(paint(plane(angle, 41, 1.0, turned=turned), 448))
    picture = picture.T if turned else picture
    across = np.diff(picture, axis=0)
    along = np.diff(picture, axis=1) * np.cos(np.radians(angle))
    assert 0.6 < np.sqrt((across**2).mean() / (along**2).mean()) < most


def test_a_map_of_five_metres_has_forms_at_several_scales() -> None:
    picture, pixel = grey(paint(plane(45.0, 61, 5.0), 1024)), 300.0 / 1023
    power = (np.abs(np.fft.rfft(picture - picture.mean(), axis=0)) ** 2).mean(axis=1)
    waves = np.fft.rfftfreq(len(picture), pixel)
    for short, long in ((1.0, 4.0), (4.0, 12.0), (12.0, 40.0)):  # [m]
        assert power[(waves > 1 / long) & (waves <= 1 / short)].sum() > 0.1 * power.sum()
    assert picture.std() > 10.0


def test_rock_has_more_contrast_than_scree_and_scree_than_meadow() -> None:
    pictures = [grey(paint(plane(angle, 41, 2.0), 256)) for angle in (8.0, 37.0, 60.0)]
    meadow, scree, rock = (picture.std() / picture.mean() for picture in pictures)
    assert scree > 1.1 * meadow
    assert rock > 1.1 * scree


def test_what_is_made_up_is_in_the_picture_alone() -> None:
    terrain = plane(50.0, 41, 5.0)
    before = terrain.heights.copy()
    relief = paint(terrain, 256)
    np.testing.assert_array_equal(terrain.heights, before)
    assert grey(relief).std() > 8.0
    inner = relief.light[32:-32, 32:-32].astype(float)  # where ridges and hollows do not feel the edge
    assert np.ptp(inner) < 12.0  # of 255: shades tell the heights only


def test_grain_is_hardly_stretched_on_a_cliff_and_moves_no_point() -> None:
    tiles = TerrainTiles(plane(75.0, 33, 2.0))
    points, faces = tiles.mesh(TerrainTile(0, 0, 0))
    taken, numbers, places = unfolded(points, faces)
    np.testing.assert_array_equal(taken[numbers], points[faces])
    sides, shown = (np.diff(one[numbers].astype(float), axis=1) for one in (taken, places))
    solid = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) > 1.0  # not the rim
    longer = np.linalg.norm(sides[solid], axis=2) / np.linalg.norm(shown[solid], axis=2)
    assert longer.min() > 0.99
    assert longer.max() < 1.2  # from above: 3.9


def test_level_ground_takes_its_grain_from_above() -> None:
    points, faces = TerrainTiles(plane(5.0, 20, 2.0)).mesh(TerrainTile(0, 0, 0))
    taken, numbers, places = unfolded(points, faces)
    assert taken is points
    assert numbers is faces
    np.testing.assert_array_equal(places, points[:, :2])


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
    scale = lightness(table(ROCKS).astype(float))
    assert (np.diff(scale) > -0.2).all()  # lighter and lighter
    assert scale[0] > np.quantile(lightness(under), 0.95) + 5.0
