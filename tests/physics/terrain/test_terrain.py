"""Terrain files: what is read, what is repaired and told, what is refused in one sentence."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics.systems.world import World
from physics.terrain import terrain as ground
from physics.terrain.dem import read_terrain
from physics.terrain.terrain import Terrain
from tests import small
from tests.small import refused

HEADER = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 2\nNODATA_value -9999\n"


def asc(folder, text):
    path = folder / "map.asc"
    path.write_text(text)
    return path


def test_rows_come_from_the_south_and_nodes_are_cell_centres(tmp_path):
    terrain = read_terrain(asc(tmp_path, HEADER + "1 2 3\n4 5 6\n"))
    np.testing.assert_array_equal(terrain.heights, [[4, 5, 6], [1, 2, 3]])
    assert terrain.origin == (101.0, 201.0)
    assert terrain.cell == (2.0, 2.0)
    assert terrain.extent == (101.0, 105.0, 201.0, 203.0)
    assert terrain.height(101.0, 203.0) == 1.0
    assert terrain.height(102.0, 202.0) == pytest.approx(3.0)


WRONG = {
    "empty": ("", "the file is empty"),
    "words": (HEADER + "1 two 3\n4 5 6\n", "line 7: expected heights, got 'two'"),
    "too few": (HEADER + "1 2 3\n4 5\n", "expected 3 x 2 = 6 heights, found 5"),
    "too many": (HEADER + "1 2 3\n4 5 6\n7\n", "found 7"),
    "no cellsize": (HEADER.replace("cellsize 2\n", "") + "1 2 3\n4 5 6\n", "cellsize: missing from the header"),
    "no ncols": (HEADER.replace("ncols 3\n", "") + "1 2 3\n4 5 6\n", "ncols: missing from the header"),
    "no corner": (HEADER.replace("xllcorner 100\n", "") + "1 2 3\n4 5 6\n", "xllcorner: missing from the header"),
    "zero cellsize": (
        HEADER.replace("cellsize 2", "cellsize 0") + "1 2 3\n4 5 6\n",
        "cellsize: expected a number above 0",
    ),
    "cellsize nan": (HEADER.replace("cellsize 2", "cellsize nan") + "1 2 3\n4 5 6\n", "cellsize: expected"),
    "negative rows": (HEADER.replace("nrows 2", "nrows -2") + "1 2 3\n4 5 6\n", "nrows: expected a number above 0"),
    "word in header": (
        HEADER.replace("nrows 2", "nrows two") + "1 2 3\n4 5 6\n",
        "nrows: expected a number, got 'two'",
    ),
    "all nodata": (HEADER + "-9999 -9999 -9999\n" * 2, "all cells are NODATA"),
    "one row": (HEADER.replace("nrows 2", "nrows 1") + "1 2 3\n", "at least 2 x 2 cells"),
    "huge": (HEADER.replace("ncols 3", "ncols 100000").replace("nrows 2", "nrows 100000"), "more than the"),
    "prose": ("Dear reader,\nthis is no map.\n", "line 2: expected a name and a number, such as 'ncols 100'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_grids_are_one_sentence_that_names_the_file(tmp_path, name):
    text, sentence = WRONG[name]
    path = asc(tmp_path, text)
    with refused(sentence, file=path):
        read_terrain(path)


def test_reading_leaves_nothing_beside_the_map(tmp_path):
    read_terrain(asc(tmp_path, HEADER + "1 2 3\n4 5 6\n"))
    assert [p.name for p in tmp_path.iterdir()] == ["map.asc"]


def test_a_start_is_steep_high_and_on_the_map():
    x = np.arange(100.0)
    heights = np.tile(np.interp(x, [0, 20, 60, 99], [200, 190, 100, 95]), (80, 1))
    terrain = Terrain(heights)
    east, north = terrain.steepest()
    assert terrain.contains(east, north)
    assert 15 <= east <= 60
    assert math.degrees(math.acos(terrain.normal(east, north)[2])) > 30


@pytest.mark.parametrize("shape", [(2, 2), (2, 9), (9, 3), (4, 4)])
def test_a_start_is_found_on_the_smallest_maps(shape):
    terrain = Terrain(np.random.default_rng(1).random(shape))
    assert terrain.contains(*terrain.steepest())


def test_a_start_is_not_in_a_hole():
    heights = np.tile(np.interp(np.arange(60.0), [0, 20, 40, 59], [200, 190, 100, 95]), (40, 1))
    there = Terrain(heights).steepest()
    holes = np.zeros((39, 59), np.uint8)
    holes[:, int(there[0]) - 3 : int(there[0]) + 3] = 1
    assert not Terrain(heights, holes=holes).contains(*there)
    assert Terrain(heights, holes=holes).contains(*Terrain(heights, holes=holes).steepest())


@pytest.mark.parametrize(
    ("cell", "size", "sentence"),
    [
        (0.2, [0.93, 0.93, 0.47], "smaller than half of the rock's least extent of 0.47 m"),
        (0.24, [0.93, 0.93, 0.47], None),
        (2.0, [0.93, 0.93, 0.47], None),
        (5.0, [0.93, 0.93, 0.47], None),
        (5.0, [0.4, 0.4, 0.2], "more than ten times the rock of 0.4 m"),
    ],
)
def test_cells_that_do_not_suit_the_rock_are_told(tmp_path, cell, size, sentence):
    path = tmp_path / "flat.asc"
    path.write_text(f"ncols 20\nnrows 20\nxllcenter 0\nyllcenter 0\ncellsize {cell}\n" + ("0 " * 20 + "\n") * 20)
    body = {"shape": "eota", "size": size, "mass": 780.0}
    scenario = small.rock(body=body, terrain={"file": str(path)}, release={"position": (2.0, 2.0)})
    notes = World.of(scenario).notes
    assert len(notes) == (sentence is not None)
    assert sentence is None or sentence in notes[0]


def test_slope_and_aspect_of_planes_are_exact():
    """Aspect is the direction down the slope, clockwise from north."""
    x, y = np.meshgrid(2.0 * np.arange(9), 5.0 * np.arange(7))
    for degrees, facing in [(30.0, 90.0), (45.0, 180.0), (60.0, 225.0), (10.0, 359.0)]:
        east, north = math.sin(math.radians(facing)), math.cos(math.radians(facing))
        heights = -math.tan(math.radians(degrees)) * (east * x + north * y)
        np.testing.assert_allclose(ground.slope(heights, (2.0, 5.0)), degrees, atol=1e-9)
        np.testing.assert_allclose(ground.aspect(heights, (2.0, 5.0)), facing, atol=1e-9)
    assert np.isnan(ground.aspect(np.ones((3, 3)), (1.0, 1.0))).all()
    np.testing.assert_array_equal(ground.slope(np.ones((2, 2)), (1.0, 1.0)), 0.0)


def test_the_gradient_is_that_of_horn():
    z = np.random.default_rng(2).random((3, 3))
    zx, zy = ground.gradient(z, (2.0, 3.0))
    weights = np.array([1.0, 2.0, 1.0])
    assert zx[1, 1] == pytest.approx((weights @ z[:, 2] - weights @ z[:, 0]) / 16.0)
    assert zy[1, 1] == pytest.approx((weights @ z[2] - weights @ z[0]) / 24.0)
