"""Barriers from files: each line one of its own, in its own coordinate system, on the map or told."""

from __future__ import annotations

import numpy as np
import pytest
from rasterio.warp import transform

import physics
from physics.systems.rockfall.map_lines import fences_of
from physics.systems.rockfall.scenario import BarrierConfig
from physics.systems.world import World
from physics.terrain.terrain import Terrain
from tests.physics.falling import ran, scenario
from tests.small import features, refused

MAP = Terrain(np.zeros((41, 61)), origin=(2_600_000.0, 1_200_000.0), cell=(2.0, 2.0), crs="EPSG:2056")
NET, DAM = [[10.0, 5.0], [10.0, 60.0]], [[50.0, 5.0], [55.0, 30.0], [50.0, 60.0]]


def lines(path, *corners, crs="EPSG:2056", at=MAP.origin, kind="LineString", told=()):
    """A file of lines, relative to a place of Switzerland."""
    given = []
    for line, properties in zip(corners, told or [{}] * len(corners), strict=True):
        x, y = np.array(line).T + np.array(at)[:, None]
        x, y = (x, y) if crs is None else transform("EPSG:2056", crs, x, y)
        places = [list(map(float, place)) for place in zip(x, y, strict=True)]
        geometry = {"type": kind, "coordinates": [places] if kind == "MultiLineString" else places}
        given.append((properties, geometry))
    path.write_text(features(*given, crs="" if crs in (None, "EPSG:4326") else crs))
    return path.name


def found(folder, terrain=MAP, **table):
    return fences_of([BarrierConfig(**table)], terrain, folder)


@pytest.mark.parametrize("crs", ["EPSG:2056", "EPSG:4326", "EPSG:32632"])
def test_each_line_of_a_file_is_a_barrier_in_the_system_of_the_map(tmp_path, crs):
    fences, notes = found(tmp_path, file=lines(tmp_path / "nets.geojson", NET, DAM, crs=crs), height=3.0)
    assert [(fence.name, fence.height) for fence in fences] == [("nets 1", 3.0), ("nets 2", 3.0)]
    for fence, line in zip(fences, (NET, DAM), strict=True):
        np.testing.assert_allclose(fence.line - MAP.origin, line, atol=0.01)
    assert len(notes) == (crs != "EPSG:2056")


def test_names_and_heights_may_be_attributes_of_the_lines(tmp_path):
    told = [{"name": "upper", "Height": 4}, {"height": None, "owner": "canton"}]
    name = lines(tmp_path / "nets.json", NET, DAM, told=told, kind="MultiLineString")
    fences, notes = found(tmp_path, file=name, height=2.5, name="net")
    assert [(fence.name, fence.height) for fence in fences] == [("upper", 4.0), ("net 2", 2.5)]
    assert notes == ()


def test_lines_off_the_map_are_left_out_and_told(tmp_path):
    far = [[500.0, 5.0], [510.0, 5.0]]
    fences, notes = found(tmp_path, file=lines(tmp_path / "nets.geojson", far, NET), height=3.0)
    assert [fence.name for fence in fences] == ["nets 2"]
    assert notes == ("1 of 2 lines lie off the map in nets.geojson",)
    with pytest.raises(physics.ScenarioError, match=r"far\.geojson: all 1 lines lie off the map; expected x 2600000"):
        found(tmp_path, file=lines(tmp_path / "far.geojson", far), height=3.0)


WRONG = {
    "no height": ({}, {}, "nets.geojson: feature 1.height: missing; expected an attribute"),
    "no number": ({"height": "high"}, {}, "nets.geojson: feature 1.height: expected a number above 0 [m], got 'high'"),
    "two heights": ({"height": 2.0}, {"height": 3.0}, "barrier.0.height: expected none where each line"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_height_is_told_in_one_sentence(tmp_path, name):
    told, table, words = WRONG[name]
    with refused(words):
        found(tmp_path, file=lines(tmp_path / "nets.geojson", NET, told=[told]), **table)


def test_a_file_of_something_else_is_told(tmp_path):
    with pytest.raises(physics.ScenarioError, match=r"a\.geojson: feature 1: expected a line, got MultiPoint"):
        found(tmp_path, file=lines(tmp_path / "a.geojson", NET, kind="MultiPoint"), height=3.0)
    with pytest.raises(physics.ScenarioError, match=r"b\.geojson: feature 1: expected points that differ"):
        found(tmp_path, file=lines(tmp_path / "b.geojson", [NET[0], NET[0]]), height=3.0)
    many = [[[float(i), 1.0], [float(i), 2.0]] for i in range(65)]
    with pytest.raises(physics.ScenarioError, match=r"c\.geojson: more than 64 barriers with its lines"):
        found(tmp_path, file=lines(tmp_path / "c.geojson", *many), height=3.0)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"height": 2.0}, r"barrier\.0\.line: missing; expected the points of a line, or a file"),
        ({"line": NET, "file": "a.geojson", "height": 2.0}, r"barrier\.0\.file: expected either line or file"),
        ({"line": NET}, r"barrier\.0\.height: missing"),
    ],
)
def test_a_barrier_is_a_line_or_a_file(table, words):
    with pytest.raises(physics.ScenarioError, match=words):
        scenario(barrier=[table])


def test_rocks_are_measured_at_the_lines_of_a_file_as_at_those_that_are_typed(tmp_path):
    across = [[[x, -60.0], [x + 5.0, 0.0], [x, 60.0]] for x in (10.0, 30.0)]
    typed = [{"line": line, "height": 2.0, "name": f"nets {i}"} for i, line in enumerate(across, start=1)]
    lines(tmp_path / "nets.geojson", *across, crs=None, at=(0.0, 0.0))
    summaries = []
    for barrier in (typed, [{"file": "nets.geojson", "height": 2.0}]):
        tables = scenario(barrier=barrier, ensemble={"rocks": 4}, schemes=["implicit"], duration=30.0).to_plain()
        ensemble = ran(World.of(physics.Scenario(**tables, folder=str(tmp_path))))
        summaries.append(ensemble.results["implicit"].barriers.summary())
    assert summaries[0] == summaries[1]
    assert summaries[0][0]["crossings"] > 0


@pytest.mark.parametrize("release", [[[20.0, -30.0], [20.0, 30.0]], [[21.3, -30.7], [26.1, 28.9]]])
def test_a_rock_that_starts_on_a_line_has_not_crossed_it_whichever_way_it_is_drawn(release):
    drawn = {"line": [{"points": release, "name": "there"}, {"points": release[::-1], "name": "back"}]}
    drawn |= {"barrier": [{"line": release, "height": 9.0, "capacity": 1e6}]}
    start = {"release": {"line": release, "height": 1.0}, "ensemble": {"rocks": 8, "seed": 4}, "duration": 2.0}
    found = ran(World.of(scenario(schemes=["implicit"], **drawn, **start))).results["implicit"]
    assert found.rows.column("runout").min() > 1.0
    assert [one["crossings"] for one in found.barriers.summary()] == [0, 0, 0]


def test_lines_of_one_name_are_told_apart_in_tables_and_by_a_note(tmp_path):
    name = lines(tmp_path / "roads.geojson", NET, DAM, NET, told=[{"name": "A9"}, {"name": "A9 2"}, {"name": "A9"}])
    fences, notes = found(tmp_path, file=name, height=1.0)
    assert [fence.name for fence in fences] == ["A9", "A9 2", "A9 3"]
    assert notes == ("another line is named A9: this one is A9 3 in tables and on plans",)
