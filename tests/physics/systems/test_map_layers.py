"""Layers of a map: soils, forests, releases and barriers go out as GeoJSON and GeoPackage, and come in again."""

from __future__ import annotations

import json
import sqlite3
import struct
from pathlib import Path

import numpy as np
import pytest
import shapely

import physics
from physics.io.vector_files import features, write_geojson, write_geopackage
from physics.systems.rockfall.map_layers import layers_of
from physics.systems.world import World
from tests.physics.falling import scenario

LEFT = ((5.0, -20.0), (25.0, -20.0), (25.0, 5.0), (5.0, 5.0))
RIGHT = ((15.0, -5.0), (35.0, -5.0), (35.0, 20.0), (15.0, 20.0))
AREA = ((0.0, -3.0), (2.0, -3.0), (2.0, 3.0), (0.0, 3.0))
SCAR = {"modulus": 15e6, "coefficient": 1.5, "density": 1700.0}


def world(**tables):
    return World.of(scenario(**tables))


def full(**soil):
    """Two soils and two forests that overlap, a release area and two barriers."""
    zones = [{"polygon": LEFT, "preset": "medium-hard", "drag": 0.2}, {"polygon": RIGHT, "preset": "soft"}]
    woods = [{"polygon": LEFT, "preset": "dense"}, {"polygon": RIGHT, "drag": 100.0, "height": 12.0}]
    nets = [{"line": [[20.0, -9.0], [20.0, 9.0]], "height": 2.5, "name": "net"}, {"line": AREA[:2], "height": 1.0}]
    return world(soil=soil | {"zone": zones}, forest={"zone": woods}, release={"polygon": AREA}, barrier=nets)


def written(layers, folder, suffix):
    """The names of files of layers: a GeoJSON for each, or a GeoPackage for each, as its first layer is read."""
    for name, shapes in layers.items():
        if suffix == ".geojson":
            write_geojson(folder / f"{name}.geojson", features(shapes), None, "a note")
        else:
            write_geopackage(folder / f"{name}.gpkg", {name: features(shapes)}, None, "a note")
    return {name: str(folder / f"{name}{suffix}") for name in layers}


def laws(found):
    cover = found.cover
    of_soils, of_forests = cover.soil_laws(780.0, 0.3).numbers, cover.forest_laws(780.0, 0.0)[0].numbers
    return of_soils[cover.soil_map], of_forests[cover.forest_map]


@pytest.mark.parametrize("suffix", [".geojson", ".gpkg"])
@pytest.mark.parametrize("soil", [{}, {"restitution": 0.3, "scar": SCAR}], ids=["rigid", "compactable"])
def test_what_goes_out_comes_in_again(tmp_path, suffix, soil):
    first = full(**soil)
    layers = layers_of(first)
    assert list(layers) == ["release", "soil", "forest", "barriers"]
    assert [(row["order"], row["soil"], row["drag"]) for _, row in layers["soil"]] == [
        (1, "medium-hard", 0.2),
        (2, "soft", 0.8),
    ]
    assert [(row["forest"], row["drag"], row["height"]) for _, row in layers["forest"]] == [
        ("dense", 750.0, 30.0),
        (None, 100.0, 12.0),
    ]
    files = written(layers, tmp_path, suffix)
    again = world(
        soil=soil | {"zones": files["soil"]},
        forest={"zones": files["forest"]},
        release={"file": files["release"]},
        barrier=[{"file": files["barriers"]}],
    )
    for one, other in zip(laws(again), laws(first), strict=True):
        assert len(np.unique(other.reshape(-1, other.shape[-1]), axis=0)) == 3
        np.testing.assert_array_equal(one, other)
    assert again.source.outlines[0].equals(first.source.outlines[0])
    assert [(one.name, one.line.tolist(), one.height) for one in again.fences] == [
        (one.name, one.line.tolist(), one.height) for one in first.fences
    ]


def test_zones_of_a_file_are_before_those_of_the_scenario(tmp_path):
    written(layers_of(full()), tmp_path, ".geojson")
    later = {"polygon": [[10.0, -10.0], [20.0, -10.0], [20.0, 0.0]], "preset": "snow"}
    found = layers_of(world(soil={"zones": str(tmp_path / "soil.geojson"), "zone": [later]}))
    assert [(row["order"], row["soil"]) for _, row in found["soil"]] == [(1, "medium-hard"), (2, "soft"), (3, "snow")]


def test_a_release_is_a_point_a_line_or_nothing_where_steep_cells_say_where():
    assert layers_of(world())["release"][0][0].equals(shapely.Point(1.0, 0.0))
    thrown = world(release={}, initial={"position": [3.0, 1.0, 60.0], "orientation": "random"})
    assert shapely.get_coordinates(layers_of(thrown)["release"][0][0], include_z=True).tolist() == [[3.0, 1.0, 60.0]]
    line = layers_of(world(release={"line": AREA[:3]}))["release"][0][0]
    assert line.equals(shapely.LineString(AREA[:3]))
    assert layers_of(world(release={"slope_above": 20.0})) == {}


def test_a_preset_is_known_by_the_name_that_people_read(tmp_path):
    soils = [(shapely.Polygon(LEFT), {"soil": "Medium hard"})]
    woods = [(shapely.Polygon(LEFT), {"forest": "Dense"})]
    files = written({"soil": soils, "forest": woods}, tmp_path, ".geojson")
    cover = world(soil={"zones": files["soil"]}, forest={"zones": files["forest"]}).cover
    assert (cover.soils[1].preset, cover.forests[1].preset, cover.forests[1].drag) == ("medium-hard", "dense", 750.0)


@pytest.mark.parametrize(
    ("forest", "sentence"),
    [
        ({"preset": "dens"}, r"forest\.preset: 'dens' is not a forest; did you mean 'dense'\? expected one"),
        ({"zone": [{"polygon": LEFT, "preset": "Open"}]}, r"forest\.zone\.0\.preset: .*did you mean 'open'"),
    ],
)
def test_an_unknown_forest_is_refused(forest, sentence):
    with pytest.raises(physics.ScenarioError, match=sentence):
        scenario(forest=forest)


def test_a_forest_zone_takes_its_preset_and_keeps_what_is_beside_it():
    zone = {"polygon": LEFT, "preset": "open", "height": 12.0}
    found = world(forest={"preset": "dense", "rotational_drag": 40.0, "zone": [zone]})
    base, inner = found.cover.forests
    assert (base.drag, base.height) == (750.0, 30.0)
    assert (inner.drag, inner.height, inner.rotational_drag) == (250.0, 12.0, 40.0)
    also = "rotational_drag of [forest] also in zones and pieces with a preset, which gives drag and height alone"
    assert found.cover.notes == (also,)


def test_a_geopackage_is_one_as_its_standard_has_it(tmp_path):
    """OGC 12-128r19: requirements 2, 10, 13, 19, 21."""
    layers = {name: features(shapes) for name, shapes in layers_of(full()).items()}
    write_geopackage(tmp_path / "a.gpkg", layers | {"deposits": iter(())}, "EPSG:2056", "conditional")
    file = sqlite3.connect(tmp_path / "a.gpkg")
    assert file.execute("PRAGMA application_id").fetchone()[0] == 0x47504B47
    assert file.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    systems = dict(file.execute("SELECT srs_id, definition FROM gpkg_spatial_ref_sys"))
    assert set(systems) == {-1, 0, 4326, 2056}
    assert systems[2056].startswith("PROJCS[")
    contents = file.execute("SELECT table_name, data_type, description, srs_id FROM gpkg_contents").fetchall()
    assert contents == [(name, "features", "conditional", 2056) for name in ("release", "soil", "forest", "barriers")]
    kinds = dict(file.execute("SELECT table_name, geometry_type_name FROM gpkg_geometry_columns"))
    assert kinds == {"release": "POLYGON", "soil": "POLYGON", "forest": "POLYGON", "barriers": "LINESTRING"}
    blob, soil, modulus, rigid = file.execute("SELECT geom, soil, scar_modulus, rigid FROM soil").fetchone()
    assert struct.unpack("<2sBBi", blob[:8]) == (b"GP", 0, 1, 2056)
    assert shapely.from_wkb(blob[8:]).equals(shapely.Polygon(LEFT))
    assert (soil, modulus, rigid) == ("medium-hard", None, 1)
    file.close()


def test_gdal_reads_the_geopackage_and_its_coordinate_system(tmp_path):
    import pyogrio
    import pyogrio.raw

    shapes = layers_of(full())
    for crs in ("EPSG:2056", None):
        path = tmp_path / f"{crs}.gpkg"
        write_geopackage(path, {key: features(some) for key, some in shapes.items()}, crs, "")
        meta, _, geometry, columns = pyogrio.raw.read(path, layer="barriers")
        assert (crs or "Undefined") in meta["crs"]
        assert dict(zip(meta["fields"], map(list, columns), strict=True)) == {
            "name": ["net", "barrier 2"],
            "height": [2.5, 1.0],
        }
        assert [shape.geom_type for shape in shapely.from_wkb(geometry)] == ["LineString"] * 2


def test_the_same_features_give_the_same_bytes(tmp_path):
    shapes = layers_of(full())
    for name in ("a", "b"):
        write_geopackage(tmp_path / name, {key: features(some) for key, some in shapes.items()}, "EPSG:2056", "")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_polygon_of_geojson_is_closed_and_has_its_attributes(tmp_path):
    files = written(layers_of(full()), tmp_path, ".geojson")
    found = json.loads(Path(files["forest"]).read_text())
    assert found["features"][0]["geometry"]["coordinates"] == [[list(place) for place in (*LEFT, LEFT[0])]]
    assert found["features"][0]["properties"]["forest"] == "dense"
