"""Terrain from point clouds: classes, cells by density, windows, coordinate systems, and what is no cloud."""

from __future__ import annotations

import struct

import laspy
import numpy as np
import pytest
from laspy.vlrs.known import GeoKeyDirectoryVlr, WktCoordinateSystemVlr
from rasterio.crs import CRS

import physics
from physics.terrain import clouds, dem
from physics.terrain.dem import read_terrain
from tests import small

WEST, SOUTH, SIDE = 2_683_000.0, 1_247_000.0, 60.0
TREES = 5  # class of high vegetation


def slope(x, y):
    """Heights [m] of a steep slope with waves, at x, y [m]."""
    return 1500.0 - 0.8 * (x - WEST) + 2.0 * np.sin((x - WEST) / 15.0) * np.cos((y - SOUTH) / 20.0)


def scattered(n, seed=3):
    """x, y, z (n,) of points on the slope, and those of them that are raised to trees."""
    random = np.random.default_rng(seed)
    x, y = WEST + SIDE * random.random(n), SOUTH + SIDE * random.random(n)
    trees = random.random(n) < 0.4
    return x, y, slope(x, y) + np.where(trees, 1.0 + 15.0 * random.random(n), 0.0), trees


def cloud(path, n=20_000, classes=True, version="1.4", form=6, crs=None, unit=1.0, points=None, withheld=None):
    x, y, z, trees = scattered(n) if points is None else points
    header = laspy.LasHeader(point_format=form, version=version)
    header.scales, header.offsets = [0.001] * 3, [WEST, SOUTH, 0.0]
    if crs is not None:
        header.vlrs.append(crs)
    data = laspy.LasData(header)
    data.x, data.y, data.z = x, y, z / unit
    if classes:
        data.classification = np.where(trees, TREES, clouds.GROUND)
    if withheld is not None:
        data.withheld = withheld
    data.write(path)
    return path


def errors(terrain):
    """How far heights [m] are from the slope's, at the nodes."""
    ny, nx = terrain.heights.shape
    x = terrain.origin[0] + terrain.cell[0] * np.arange(nx)
    y = terrain.origin[1] + terrain.cell[1] * np.arange(ny)
    return np.abs(terrain.heights - slope(*np.meshgrid(x, y)))


@pytest.mark.parametrize("ending", clouds.CLOUDS)
@pytest.mark.parametrize(("version", "form"), [("1.2", 1), ("1.2", 3), ("1.4", 6), ("1.4", 7)])
def test_ground_is_read_and_trees_are_left_out(tmp_path, ending, version, form):
    terrain = read_terrain(cloud(tmp_path / f"map{ending}", version=version, form=form), resolution=2.0)
    assert terrain.heights.shape == (30, 30)
    assert terrain.origin == (WEST + 1.0, SOUTH + 1.0)
    assert errors(terrain).max() < 0.05  # a mean over a cell without the slope in it is up to 0.5 m off
    (note,) = terrain.notes
    assert "points of class 2 (ground) in cells of 2 m, of 20000 points" in note


def test_cells_follow_the_density(tmp_path):
    sizes = [read_terrain(cloud(tmp_path / "map.laz", n)).cell[0] for n in (2_000, 20_000, 200_000)]
    assert sizes == [4.0, 1.0, 0.4]


def test_a_window_has_the_cells_of_the_whole(tmp_path):
    path = cloud(tmp_path / "map.laz")
    whole, window = read_terrain(path), read_terrain(path, (WEST + 10.0, SOUTH + 20.0, WEST + 40.0, SOUTH + 50.0))
    assert window.cell == whole.cell == (1.0, 1.0)
    assert window.heights.shape == (30, 30)
    assert np.abs(window.heights - whole.heights[20:50, 10:40])[2:-2, 2:-2].max() < 0.01  # gaps reach beyond the border
    with pytest.raises(physics.ScenarioError, match=r"map\.laz: window: holds nothing of the map"):
        read_terrain(path, (0.0, 0.0, 10.0, 10.0))


def test_classes_are_chosen(tmp_path):
    path = cloud(tmp_path / "map.las")
    high = read_terrain(path, resolution=4.0, classes=(TREES,)).heights
    both = read_terrain(path, resolution=4.0, classes=(clouds.GROUND, TREES)).heights
    ground = read_terrain(path, resolution=4.0).heights
    assert 5.0 < (high - ground).mean() < 12.0  # trees of 1 to 16 m
    assert (ground < both).all()
    assert (both < high).all()
    with pytest.raises(physics.ScenarioError, match=r"no points of class 9; its points are of classes 2 \(ground\), 5"):
        read_terrain(path, classes=(9,))


def test_without_classes_the_lowest_point_counts(tmp_path):
    terrain = read_terrain(cloud(tmp_path / "map.las", classes=False), resolution=2.0)
    assert (
        "no point is ground: the lowest point of each cell counts, buildings and trees among them" in terrain.notes[0]
    )
    assert errors(terrain).max() < 2.0  # the fall of a cell, and no tree


def test_noise_is_left_out_and_gaps_are_filled_or_cut(tmp_path) -> None:
    x, y, z, trees = scattered(20_000)
    deep = np.arange(len(z)) % 97 == 0
    found = cloud(tmp_path / "map.las", points=(x, y, np.where(deep, z - 300.0, z), trees), withheld=deep)
    assert errors(read_terrain(found, resolution=2.0)).max() < 0.05
    held = np.hypot(x - WEST - 30.0, y - SOUTH - 30.0) > 8.0
    path = cloud(tmp_path / "map.las", points=(x[held], y[held], z[held], trees[held]))
    filled, cut = (read_terrain(path, resolution=2.0, nodata=nodata) for nodata in (None, "cut"))
    assert errors(filled).max() < 3.0  # of the 13 m that it falls there
    assert any("interpolated" in note for note in filled.notes)
    assert cut.holes.sum() > 30


WKT = WktCoordinateSystemVlr(CRS.from_epsg(2056).to_wkt())


def geo_keys(*keys):
    """A record of GeoTIFF keys: number and value each."""
    record = GeoKeyDirectoryVlr()
    words = [1, 1, 0, len(keys), *(word for key, value in keys for word in (key, 0, 1, value))]
    record.parse_record_data(struct.pack(f"<{len(words)}H", *words))
    return record


LIES = {
    "from zero": (0.0, WEST + SIDE, 0.0, SOUTH + SIDE),
    "a tile": (WEST - 500.0, WEST + 500.0, SOUTH - 500.0, SOUTH + 500.0),
    "too small": (WEST + 10.0, WEST + 20.0, SOUTH + 10.0, SOUTH + 20.0),
    "nothing": (0.0, 0.0, 0.0, 0.0),
    "no numbers": (np.nan,) * 4,
    "elsewhere": (1e300, 2e300, 1e300, 2e300),
}


@pytest.mark.parametrize("name", LIES)
@pytest.mark.parametrize(("version", "form"), [("1.2", 1), ("1.4", 6)])
def test_the_points_say_where_they_are_and_a_header_that_lies_is_named(tmp_path, name, version, form):
    path = cloud(tmp_path / "map.laz", version=version, form=form)
    right, data = read_terrain(path), bytearray(path.read_bytes())
    x0, x1, y0, y1 = LIES[name]
    struct.pack_into("<4d", data, 179, x1, x0, y1, y0)
    path.write_bytes(data)
    for resolution in (None, 1.0):
        found = read_terrain(path, resolution=resolution)
        assert found.cell == right.cell == (1.0, 1.0)
        assert found.origin == right.origin
        np.testing.assert_allclose(found.heights, right.heights, rtol=1e-12)
        assert "map.laz: its header is wrong, x " in found.notes[0]
        assert "its points lie in x 26830" in found.notes[0]
    assert not any("header" in note for note in right.notes)


def test_noise_far_away_does_not_stretch_the_map(tmp_path):
    x, y, z, trees = scattered(20_000)
    noise = np.arange(len(x)) < 3
    path = cloud(tmp_path / "map.las", points=(np.where(noise, WEST - 4e5, x), y, z, trees))
    data = laspy.read(path)
    data.classification = np.where(noise, clouds.NOISE[0], data.classification)
    data.write(path)
    found = read_terrain(path)
    assert found.heights.shape == (60, 60)
    assert not any("header" in note for note in found.notes)


@pytest.mark.parametrize("crs", [WKT, geo_keys((1024, 1), (3072, 2056))])
def test_the_coordinate_system_is_that_of_the_file(tmp_path, crs):
    path = cloud(tmp_path / "map.laz", crs=crs)
    assert read_terrain(path).crs == "EPSG:2056"
    with pytest.raises(physics.ScenarioError, match=r"terrain\.crs: map\.laz itself has EPSG:2056"):
        read_terrain(path, crs="EPSG:31287")


@pytest.mark.parametrize(
    "crs", [geo_keys((1024, 2), (2048, 4326)), WktCoordinateSystemVlr(CRS.from_epsg(4326).to_wkt())]
)
def test_degrees_are_refused(tmp_path, crs):
    with pytest.raises(physics.ScenarioError, match="expected metres, got degrees"):
        read_terrain(cloud(tmp_path / "map.laz", crs=crs))


def test_what_is_no_cloud_is_refused(tmp_path):
    path = tmp_path / "map.laz"
    path.write_bytes(b"not a cloud")
    with pytest.raises(physics.ScenarioError, match=r"map\.laz: not a readable point cloud"):
        read_terrain(path)
    data = cloud(path).read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(physics.ScenarioError, match=r"map\.laz: "):
        read_terrain(path)
    (start,) = struct.unpack_from("<I", data, 96)
    (table,) = struct.unpack_from("<q", data, start)
    path.write_bytes(data[: table + 4] + b"\xff" * 4 + data[table + 8 :])  # 4294967295 chunks
    with pytest.raises(physics.ScenarioError, match=r"map\.laz: not a readable point cloud"):
        read_terrain(path)


def test_a_rock_falls_on_a_cloud(tmp_path):
    cloud(tmp_path / "map.laz")
    place = {"position": [WEST + 10.0, SOUTH + 30.0], "height": 0.5}
    terrain = {"file": "map.laz", "resolution": 2.0}
    scenario = small.rock(duration=0.5, schemes=["implicit"], terrain=terrain, release=place, folder=str(tmp_path))
    (run,) = physics.simulate(scenario).values()
    assert run.position[-1, 2] < run.position[0, 2]


def test_more_points_than_are_triangulated_are_laid_on_cells(tmp_path, monkeypatch):
    x, y, _, _ = scattered(5_000)
    path = tmp_path / "map.xyz"
    np.savetxt(path, np.column_stack([x, y, slope(x, y)]), fmt="%.3f")
    between = read_terrain(path, resolution=4.0)
    monkeypatch.setattr(dem, "MAX_IRREGULAR_POINTS", 4_000)
    laid = read_terrain(path, resolution=4.0)
    assert errors(laid).max() < 0.2
    assert "5000 points at irregular places; heights are those of cells of 4 m" in laid.notes[0]
    assert laid.cell == between.cell
