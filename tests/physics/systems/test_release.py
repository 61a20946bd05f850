"""Releases: rocks start evenly on lines, in polygons and on steep ground, and nowhere else."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import physics
from physics.systems.rockfall.release import source_of
from physics.systems.rockfall.scenario import ReleaseConfig
from physics.systems.world import World
from physics.terrain.profiles import ramp
from physics.terrain.terrain import Terrain
from tests import small
from tests.small import features, refused

MAP = Terrain(np.add.outer(np.zeros(101), 0.1 * np.arange(201.0)), (1000.0, 500.0), (1.0, 1.0))  # 200 x 100 m


def places(n=4000, terrain=MAP, folder="", **keys):
    source = source_of(ReleaseConfig(**keys), terrain, folder)
    return np.array([source.place(k, np.random.default_rng([k, 1])) for k in range(n)]), source


def shapes_in(path, *geometries):
    path.write_text(features(*(({}, geometry) for geometry in geometries)))
    return path.name


def even(values):
    """Whether values are uniform on 0 .. 1."""
    return stats.kstest(values, "uniform").pvalue > 0.01


def test_a_point_is_the_start_of_all():
    found, _ = places(3, position=[1010.5, 520.25])
    np.testing.assert_array_equal(found, [[1010.5, 520.25]] * 3)


def test_starts_on_a_line_are_even_by_length():
    corners = np.array([(1010.0, 510.0), (1040.0, 550.0), (1040.0, 590.0), (1010.0, 590.0)])  # 50, 40 and 30 m
    found, _ = places(line=corners.tolist())
    along = np.empty(len(found))
    for n, (start, end, before) in enumerate(zip(corners[:-1], corners[1:], (0.0, 50.0, 90.0), strict=True)):
        arm, length = found - start, np.linalg.norm(end - start)
        u, aside = arm @ (end - start) / length, np.abs(arm[:, 0] * (end - start)[1] - arm[:, 1] * (end - start)[0])
        on = (aside < 1e-6) & (u >= 0) & (u <= length)
        along[on] = before + u[on]
        assert on.sum() == pytest.approx(len(found) * (50, 40, 30)[n] / 120, rel=0.1)
    assert even(along / 120.0)


def test_starts_in_a_polygon_are_even_by_area():
    """An L with a long arm: chi-square over the squares of 10 m in it."""
    polygon = [(1010, 510), (1110, 510), (1110, 530), (1030, 530), (1030, 570), (1010, 570)]
    found, _ = places(8000, polygon=polygon)
    squares = np.floor((found - [1010, 510]) / 10).astype(int)
    numbers, counts = np.unique(squares[:, 0] + 100 * squares[:, 1], return_counts=True)
    assert len(numbers) == 28  # 2 x 10 and 2 x 4 squares, none outside
    assert stats.chisquare(counts).pvalue > 0.01


def test_starts_on_steep_cells_are_even_and_on_steep_cells_only():
    terrain = ramp(angle=40.0, drop=20.0, width=40.0, runout=60.0)
    found, source = places(5000, terrain, slope_above=35.0)
    slope = np.degrees(np.arccos([terrain.normal(x, y)[2] for x, y in found]))
    assert slope.min() > 35.0
    cells = np.floor((found - terrain.origin) / terrain.cell).astype(int)
    _, counts = np.unique(cells, axis=0, return_counts=True)
    assert len(counts) == len(source.corner)
    assert stats.chisquare(counts).pvalue > 0.01
    with pytest.raises(
        physics.ScenarioError, match=r"slope_above: no cell is steeper than 50°; the steepest has 40\.0°"
    ):
        places(1, terrain, slope_above=50.0)


def test_points_of_a_file_are_taken_in_turn(tmp_path):
    points = [[1010.0, 510.0], [1020.0, 520.0], [1030.0, 530.0]]
    shapes_in(tmp_path / "a.geojson", {"type": "MultiPoint", "coordinates": points[:2]},
             {"type": "Point", "coordinates": [*points[2], 7.0]})  # fmt: skip
    (tmp_path / "a.csv").write_text("id;x\n".replace(";", ",") + "1,2\n")
    (tmp_path / "b.csv").write_text("name,Y [m],X [m]\n" + "".join(f"a,{y},{x}\n" for x, y in points))
    (tmp_path / "c.csv").write_text("\n".join(f"{x}, {y}" for x, y in points))
    (tmp_path / "d.csv").write_text("# surveyed in May\n# y;x\n" + "".join(f"{y:.2f};{x:.2f}\n" for x, y in points))
    (tmp_path / "e.csv").write_text(
        "# surveyed\nid;x;y\n" + "".join(f"#1;{x:.0f},0;{y:.0f},0\n// so\n" for x, y in points)
    )
    for name in ("a.geojson", "b.csv", "c.csv", "d.csv", "e.csv"):
        found, _ = places(7, folder=tmp_path, file=name)
        np.testing.assert_array_equal(found, (points * 3)[:7])


def test_lines_and_polygons_of_a_file_are_drawn_together(tmp_path):
    squares = [
        [(x, 510), (x + 10 * n, 510), (x + 10 * n, 510 + 10), (x, 520), (x, 510)] for x, n in ((1010, 1), (1050, 3))
    ]
    shapes_in(tmp_path / "a.json", *({"type": "Polygon", "coordinates": [s]} for s in squares), None)
    found, _ = places(folder=tmp_path, file="a.json")
    right = (found[:, 0] > 1045).mean()
    assert right == pytest.approx(0.75, abs=0.03)
    lines = {"type": "MultiLineString", "coordinates": [s[:2] for s in squares]}
    shapes_in(tmp_path / "b.json", lines)
    found, _ = places(folder=tmp_path, file="b.json")
    assert set(found[:, 1]) == {510.0}
    assert (found[:, 0] > 1045).mean() == pytest.approx(0.75, abs=0.03)


def test_a_hole_is_left_out_and_overlaps_count_once(tmp_path):
    outer, hole = [(1010, 510), (1050, 510), (1050, 550), (1010, 550), (1010, 510)], None
    hole = [(1020, 520), (1040, 520), (1040, 540), (1020, 540), (1020, 520)]
    shapes_in(tmp_path / "a.json", {"type": "Polygon", "coordinates": [outer, hole]})
    found, _ = places(folder=tmp_path, file="a.json")
    assert not ((np.abs(found - [1030, 530]) < 9.999).all(axis=1)).any()
    shapes_in(tmp_path / "b.json", *({"type": "Polygon", "coordinates": [outer]} for _ in range(3)))
    found, source = places(folder=tmp_path, file="b.json")
    assert source.weights[-1] == pytest.approx(2 * 1600.0)
    assert even((found[:, 0] - 1010) / 40)


def test_what_lies_off_the_map_is_left_out_and_told():
    found, source = places(line=[[900.0, 550.0], [1100.0, 550.0]])
    assert source.notes == ("release.line: 50.0% of the lines lie off the map and are left out",)
    assert found[:, 0].min() >= 1000.0
    assert even((found[:, 0] - 1000.0) / 100.0)


HOLLOW = replace(MAP, heights=10.0 * MAP.heights, holes=np.zeros((100, 200), np.uint8))
HOLLOW.holes[20:40, 100:150] = 1  # x 1100 to 1150, y 520 to 540


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ({"slope_above": 30.0}, None),
        ({"polygon": [[1090, 510], [1160, 510], [1160, 550], [1090, 550]]}, "35.7% of the polygons"),
        ({"line": [[1050, 530], [1190, 530]]}, "35.7% of the lines"),
        ({"line": [[1200, 510], [1200, 550]]}, None),
        ({"file": "a.csv"}, "50.0% of the points"),
    ],
    ids=["cells", "polygon", "line", "edge", "points"],
)
def test_no_rock_starts_in_a_hole_of_the_map(keys, left, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1110,530\n1010,510\n")
    found, source = places(1000, HOLLOW, tmp_path, **keys)
    x, y = found.T
    assert not ((x > 1100.0) & (x < 1150.0) & (y > 520.0) & (y < 540.0)).any()
    assert [left in note for note in source.notes] == [True] * (left is not None)


def test_a_polygon_that_crosses_itself_is_taken_apart():
    found, source = places(polygon=[(1010, 510), (1050, 550), (1050, 510), (1010, 550)])
    assert source.notes == (
        "release.polygon: a polygon that crosses itself was taken apart into the areas that it encloses",
    )
    x, y = (found - [1030, 530]).T
    assert (np.abs(y) <= np.abs(x) + 1e-9).all()


WRONG = {
    "off the map": ({"position": [0.0, 0.0]}, r"release.position: (0, 0) lies off the map; expected x 1000 to 1200"),
    "line off the map": ({"line": [[0, 0], [1, 1]]}, "release.line: all of it lies off the map; expected x 1000"),
    "no length": ({"line": [[1010, 510], [1010, 510]]}, "release.line: expected a line that has a length"),
    "no area": (
        {"polygon": [[1010, 510], [1020, 520], [1030, 530]]},
        "release.polygon: expected a polygon with an area",
    ),
    "huge": ({"polygon": [[1010, 510], [1e300, 510], [1010, 1e300]]}, "release.polygon: expected finite coordinates"),
    "missing": ({"file": "none.geojson"}, "none.geojson: no such file"),
    "missing table": ({"file": "none.csv"}, "none.csv: no such file"),
    "ending": ({"file": "a.kml"}, "a.kml: cannot read shapes from '.kml'"),
    "words": ({"file": "words.csv"}, "words.csv: line 3: expected x, y, got 'here,there'"),
    "columns": ({"file": "columns.csv"}, "columns.csv: line 1: expected columns x and y"),
    "a column that does nothing": (
        {"file": "masses.csv"},
        "masses.csv: line 1: the column 'mass' would do nothing; expected x, y, z, and id",
    ),
    "a column twice": ({"file": "twice.csv"}, "twice.csv: line 1: expected one column 'z'"),
    "more than three numbers": ({"file": "four.csv"}, "four.csv: line 1: expected x, y, z, got '1010,510,5,7'"),
    "in the ground": (
        {"file": "deep.csv"},
        "deep.csv: z: 0.5 m at (1010, 510) lies below the ground, which is at 1 m; expected that of the centre",
    ),
    "two heights": (
        {"file": "high.csv", "height": 2.0},
        "release.height: expected none beside the z of the points in high.csv",
    ),
    "binary": ({"file": "binary.csv"}, "binary.csv: "),
    "no points": ({"file": "header.csv"}, "header.csv: no points"),
    "nan": ({"file": "nan.csv"}, "nan.csv: expected finite coordinates"),
    "mix": ({"file": "mix.json"}, "mix.json: expected points, lines or polygons, found a mix of points and lines"),
    "not GeoJSON": ({"file": "bad.json"}, "bad.json: not GeoJSON"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_release_is_told_in_one_sentence(tmp_path, name):
    (tmp_path / "words.csv").write_text("x,y\n1010,510\nhere,there\n")
    (tmp_path / "binary.csv").write_bytes(b'1,2\n"' + bytes(200_000))
    (tmp_path / "columns.csv").write_text("lat,lon\n1,2\n")
    (tmp_path / "header.csv").write_text("x,y\n")
    (tmp_path / "masses.csv").write_text("x,y,mass\n1010,510,70\n")
    (tmp_path / "twice.csv").write_text("x,y,z,z\n1010,510,7,8\n")
    (tmp_path / "four.csv").write_text("1010,510,5,7\n")
    (tmp_path / "deep.csv").write_text("x,y,z\n1010,510,0.5\n")
    (tmp_path / "high.csv").write_text("1010,510,9\n")
    (tmp_path / "nan.csv").write_text("1,2\nnan,3\n")
    (tmp_path / "bad.json").write_text("{}")
    line, point = {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}, {"type": "Point", "coordinates": [1, 2]}
    shapes_in(tmp_path / "mix.json", line, point)
    keys, words = WRONG[name]
    with refused(words):
        places(1, folder=tmp_path, **keys)


def rockfall(**changes):
    return small.rock(
        **{"duration": 1.0, "step": 0.002, "schemes": ["implicit"], "terrain": {"profile": "ramp"}, "release": {}}
        | {"ensemble": {"rocks": 100, "seed": 2}}
        | changes
    )


def test_rocks_start_at_their_height_above_the_ground_with_the_velocity_of_the_release():
    keys = {"polygon": [[0, -50], [100, -50], [100, 50], [0, 50]], "height": 1.5, "velocity": [1.0, 0.0, -0.5]}
    world = World.of(rockfall(release=keys))
    starts = [world.with_rock(rock) for rock in range(100)]
    for start in starts:
        x, y, z = start.position
        assert z == world.terrain.height(x, y) + 1.5
        np.testing.assert_array_equal(start.velocity, keys["velocity"])
    assert len({tuple(s.position) for s in starts}) == 100


POINTS = {  # how points with z may be told, and the z of their first rocks; 1 m above the ground where there is none
    "table.csv": ("id,x,y,z [m]\na,5,0,152.25\nb,6,1,153\n", [152.25, 153.0, 152.25]),
    "bare.csv": ("5;0;152.25".replace(";", ",") + "\n6,1,153\n", [152.25, 153.0, 152.25]),
    "points.geojson": ((5, 0, 152.25), (6, 1)),
}


@pytest.mark.parametrize("name", POINTS)
def test_the_z_of_a_point_is_that_of_the_centre_of_mass(tmp_path, name):
    told, expected = POINTS[name]
    if name.endswith(".geojson"):
        shapes_in(tmp_path / name, *({"type": "Point", "coordinates": place} for place in POINTS[name]))
        expected = [152.25, None, 152.25]
    else:
        (tmp_path / name).write_text(told)
    world = World.of(rockfall(release={"file": name}, folder=str(tmp_path)))
    found = [world.with_rock(rock).position for rock in range(3)]
    above = [world.terrain.height(x, y) + 1.0 for x, y, _ in found]
    assert [z for _, _, z in found] == [a if z is None else z for z, a in zip(expected, above, strict=True)]


def test_the_z_of_points_stays_with_them_where_others_lie_off_the_map(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,z\n0,0,7\n1010,510,21\n1150,550,18\n9999,0,8\n1020,505,30\n")
    _, source = places(1, folder=tmp_path, file="a.csv")
    np.testing.assert_array_equal(source.corner, [[1010, 510], [1150, 550], [1020, 505]])
    assert [source.altitude(rock) for rock in range(4)] == [21.0, 18.0, 30.0, 21.0]
    assert source.notes == ("a.csv: 40.0% of the points lie off the map and are left out",)


def test_the_heights_of_a_line_are_told_as_not_used(tmp_path):
    shapes_in(tmp_path / "a.json", {"type": "LineString", "coordinates": [[1010, 510, 5], [1050, 510, 7]]})
    _, source = places(1, folder=tmp_path, file="a.json")
    assert source.notes == ("a.json: heights of lines are not used: rocks start release.height above the ground",)


def test_two_places_to_start_are_refused():
    with pytest.raises(physics.ScenarioError, match=r"release\.slope_above: expected one of .*; line is given too"):
        rockfall(release={"line": [[0, 0], [1, 1]], "slope_above": 30.0})
    with pytest.raises(
        physics.ScenarioError, match=r"release\.line: expected one start; initial.position is given too"
    ):
        rockfall(release={"line": [[0, 0], [1, 1]]}, initial={"position": [0.0, 0.0, 200.0]})
    with pytest.raises(physics.ScenarioError, match=r"release\.slope_above"):
        rockfall(release={"slope_above": math.nan})
