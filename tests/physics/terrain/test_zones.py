"""Zones from vector files: formats, coordinate systems, repairs that are told, what is refused in one sentence."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
import shapely
from rasterio.warp import transform

import physics
from physics.hazard.ensemble import Ensemble
from physics.systems.rockfall.ground_config import SoilLaws
from physics.systems.rockfall.ground_cover import lay
from physics.systems.rockfall.world import make_terrain
from physics.terrain.terrain import Terrain
from physics.terrain.zones import read_shapes
from tests import small
from tests.small import features, refused

MAP = Terrain(np.zeros((41, 61)), origin=(2_600_000.0, 1_200_000.0), cell=(2.0, 2.0), crs="EPSG:2056")
WEST = shapely.box(2_599_990, 1_199_990, 2_600_041, 1_200_090)
EAST = shapely.box(2_600_079, 1_199_990, 2_600_130, 1_200_090)
SUFFIXES = (".geojson", ".gpkg", ".shp")


def write(path, shapes, crs="EPSG:2056", **columns):
    """A vector file with attributes, one value a shape."""
    columns = columns or {"soil": ["snow", "hard"][: len(shapes)]}
    if path.suffix == ".geojson":
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        geometries = [json.loads(shapely.to_geojson(shape)) for shape in shapes]
        path.write_text(features(*zip(rows, geometries, strict=True), crs=crs or ""))
    else:
        import pyogrio.raw  # here: each process that collects tests would load it for 0.25 s

        columns = {name[:10] if path.suffix == ".shp" else name: values for name, values in columns.items()}
        data = [np.array(c, object if isinstance(c[0], str | None) else float) for c in columns.values()]
        options = {"crs": crs} if crs else {}
        pyogrio.raw.write(
            path, shapely.to_wkb(np.array(shapes)), data, list(columns), geometry_type="Polygon", **options
        )
    return path


def rockfall(**tables):
    """A rock on the long ramp, with other tables."""
    return small.rock(**({"duration": 1.0, "step": 0.002, "terrain": {"profile": "ramp"}} | tables))


def cover(path, table="soil", terrain=MAP, **values):
    return lay(rockfall(**{table: {"zones": str(path), **values}}), terrain)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_presets_come_from_polygons_of_every_format(tmp_path, suffix):
    found = cover(write(tmp_path / f"soils{suffix}", [WEST, EAST]), mu_min=0.2)
    presets = [found.soils[k].preset for k in found.soil_map[7]]
    assert presets == ["snow"] * 21 + [None] * 19 + ["hard"] * 21
    assert found.soils[0].mu_min == 0.2
    assert [note.split(" of [soil] ")[0] for note in found.notes] == ["mu_min"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_parameters_come_from_attributes_too(tmp_path, suffix):
    path = write(tmp_path / f"soils{suffix}", [WEST, EAST], mu_min=[0.3, 0.7], kappa=[1.5, 2.5], name=["a", "b"])
    found = cover(path, beta=99.0)
    west, east = (found.soils[found.soil_map[7, i]] for i in (3, 57))
    assert (west.mu_min, west.kappa, west.beta) == (0.3, 1.5, 99.0)
    assert (east.mu_min, east.kappa, east.beta) == (0.7, 2.5, 99.0)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_missing_value_is_no_value(tmp_path, suffix):
    path = write(tmp_path / f"soils{suffix}", [WEST, EAST], soil=["snow", None], kappa=[float("nan"), 2.5])
    if suffix == ".geojson":
        path.write_text(path.read_text().replace("NaN", "null"))
    found = cover(path)
    west, east = (found.soils[found.soil_map[7, i]] for i in (3, 57))
    assert (west.preset, west.kappa) == ("snow", 2.0)
    assert (east.preset, east.kappa) == (None, 2.5)


def test_another_attribute_may_name_the_soil_and_keys_beside_it_win(tmp_path):
    path = write(tmp_path / "soils.geojson", [WEST], ground=["snow"], mu_min=[0.15])
    found = cover(path, soil_key="ground").soils[1]
    assert (found.preset, found.mu_min, found.mu_max) == ("snow", 0.15, 0.35)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_long_names_and_capitals_are_known(tmp_path, suffix):
    """Shapefiles cut names to ten letters."""
    scars = {"scar_modulus": [15e6], "scar_coefficient": [1.5], "scar_density": [1700.0]}
    path = write(tmp_path / f"soils{suffix}", [WEST], SOIL=["hard"], RESTITUTION=[0.25], **scars)
    found = cover(path).soils[1]
    assert (found.preset, found.restitution) == ("hard", 0.25)
    assert (found.scar.modulus, found.scar.coefficient, found.scar.density) == (15e6, 1.5, 1700.0)
    wood = write(tmp_path / f"wood{suffix}", [WEST], drag=[1.0], height=[9.0], rotational_drag=[60.0])
    assert cover(wood, "forest").forests[1].turning == (60.0, 60.0, 60.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_scar_of_the_table_acts_under_the_preset_of_a_feature_unless_it_is_rigid(tmp_path, suffix):
    path = write(tmp_path / f"soils{suffix}", [WEST, EAST], soil=["soft", "extra-hard"], rigid=[0, 1])
    found = cover(path, scar={"modulus": 15e6, "coefficient": 1.5, "density": 1700.0})
    west, east = (found.soils[found.soil_map[7, i]] for i in (3, 57))
    assert (west.preset, west.scar.modulus) == ("soft", 15e6)
    assert (east.preset, east.scar) == ("extra-hard", None)
    assert any(note.startswith("scar of [soil] also in zones") for note in found.notes)


def test_forests_come_from_files(tmp_path):
    path = write(tmp_path / "wood.gpkg", [WEST, EAST], drag=[500.0, 250.0], height=[30.0, 20.0])
    found = cover(path, "forest")
    west, east = (found.forests[found.forest_map[7, i]] for i in (3, 57))
    assert (west.drag, west.height, east.drag, east.height) == (500.0, 30.0, 250.0, 20.0)
    assert found.forest_laws(1.0, float(MAP.heights.max()))[1] == 30.0


def test_zones_of_the_scenario_win_over_those_of_the_file(tmp_path):
    path = write(tmp_path / "soils.geojson", [WEST])
    x, y = MAP.origin
    band = [[x - 1, y - 1], [x + 9, y - 1], [x + 9, y + 99], [x - 1, y + 99]]
    found = cover(path, zone=[{"polygon": band, "preset": "soft"}])
    assert [found.soils[found.soil_map[7, i]].preset for i in (2, 12, 40)] == ["soft", "snow", None]
    assert any("the later wins" in note for note in found.notes)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:32632"])
def test_files_in_another_coordinate_system_are_projected(tmp_path, suffix, crs):
    x, y = transform("EPSG:2056", crs, *shapely.get_coordinates(WEST).T)
    found = cover(write(tmp_path / f"soils{suffix}", [shapely.Polygon(np.column_stack([x, y]))], crs))
    assert [found.soils[k].preset for k in found.soil_map[7]] == ["snow"] * 21 + [None] * 40
    assert f"re-projected from {crs} to EPSG:2056 in soils{suffix}" in found.notes[0]


def test_geojson_without_a_coordinate_system_is_in_degrees_by_its_standard_where_it_fits(tmp_path):
    x, y = transform("EPSG:2056", "EPSG:4326", *shapely.get_coordinates(WEST).T)
    found = cover(write(tmp_path / "a.geojson", [shapely.Polygon(np.column_stack([x, y]))], None))
    assert "re-projected from EPSG:4326" in found.notes[0]
    assert found.soil_map[7, 3] == 1
    found = cover(write(tmp_path / "b.geojson", [WEST], None))
    assert found.notes == ()
    local = Terrain(np.zeros((41, 61)))  # a map without a coordinate system: the file is taken to be in its own
    assert (
        cover(write(tmp_path / "c.geojson", [shapely.box(-1, -1, 10.5, 50)], None), terrain=local).soil_map[7, 3] == 1
    )


def test_a_system_that_only_the_file_names_is_told(tmp_path):
    local = Terrain(MAP.heights, MAP.origin, MAP.cell)
    found = cover(write(tmp_path / "a.gpkg", [WEST]), terrain=local)
    assert "the terrain names no coordinate system; that of a.gpkg, EPSG:2056, is taken for its" in found.notes[0]
    with pytest.raises(physics.ScenarioError, match="in degrees, while the terrain names no coordinate system"):
        cover(write(tmp_path / "b.gpkg", [shapely.box(7, 46, 8, 47)], "EPSG:4326"), terrain=local)


def test_repairs_are_told(tmp_path):
    x, y = MAP.origin
    bow = [[x, y], [x + 40, y + 40], [x + 40, y], [x, y + 40]]
    far = shapely.box(x - 500, y, x - 400, y + 50)
    path = write(tmp_path / "a.geojson", [shapely.Polygon(bow), far, EAST], soil=["snow", "snow", "hard"])
    data = json.loads(path.read_text())
    data["features"][2]["geometry"]["coordinates"][0].pop()
    path.write_text(json.dumps(data))
    found = cover(path)
    assert found.notes == (
        "1 open ring was closed in a.geojson",
        "a polygon that crosses itself was repaired: feature 1 of a.geojson",
        "1 of 3 polygons lie off the map in a.geojson",
    )
    assert [found.soils[k].preset for k in (found.soil_map[2, 10], found.soil_map[10, 2])] == [None, "snow"]


def test_polygons_between_the_nodes_are_told(tmp_path):
    x, y = MAP.origin
    found = cover(write(tmp_path / "a.geojson", [shapely.box(x + 0.5, y + 0.5, x + 1.5, y + 1.5)]))
    assert any("hold none of its nodes" in note for note in found.notes)


def test_shapes_of_any_kind_are_read_for_releases(tmp_path):
    path = tmp_path / "start.geojson"
    path.write_text(
        '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": null, "geometry": '
        '{"type": "Point", "coordinates": [2600010, 1200010, 5]}}, {"type": "Feature", "properties": {"n": 3}, '
        '"geometry": {"type": "LineString", "coordinates": [[2600010, 1200010], [2600020, 1200010]]}}]}'
    )
    shapes, notes = read_shapes(path, "EPSG:2056")
    assert [(s.geom_type, row) for s, row in shapes] == [("Point", {}), ("LineString", {"n": 3})]
    assert not shapes[0][0].has_z
    assert notes == ()


def feature(geometry, **properties):
    return json.dumps({"type": "Feature", "properties": properties, "geometry": geometry})


SQUARE = {"type": "Polygon", "coordinates": [[[2.6e6, 1.2e6], [2.61e6, 1.2e6], [2.61e6, 1.21e6], [2.6e6, 1.2e6]]]}
WRONG = {
    "empty": ("a.geojson", "", "the file is empty"),
    "prose": ("a.geojson", "Dear reader", "not GeoJSON"),
    "a list": ("a.geojson", "[1, 2]", "not GeoJSON"),
    "deep": ("a.geojson", '{"type":' * 100_000, "not GeoJSON"),
    "no features": ("a.geojson", '{"type": "FeatureCollection", "features": []}', "no shapes; expected at least one"),
    "no geometry": ("a.geojson", feature(None, soil="snow"), "no shapes"),
    "junk geometry": (
        "a.geojson",
        feature({"type": "Polygon", "coordinates": 3}, soil="snow"),
        "feature 1: not a geom",
    ),
    "a line": (
        "a.geojson",
        feature({"type": "LineString", "coordinates": [[2.6e6, 1.2e6], [2.61e6, 1.2e6]]}, soil="snow"),
        "feature 1: expected a polygon, got LineString",
    ),
    "unknown soil": ("a.geojson", feature(SQUARE, soil="snwo"), "feature 1.preset: 'snwo' is not a soil; did you mean"),
    "no attribute": ("a.geojson", feature(SQUARE, sole="snow"), "feature 1: missing attribute; expected 'soil' (a pre"),
    "bad number": (
        "a.geojson",
        feature(SQUARE, mu_min=-1),
        "feature 1.mu_min: expected a number of at least 0, got -1",
    ),
    "a word": ("a.geojson", feature(SQUARE, mu_min="low"), "feature 1.mu_min: expected a number, got 'low'"),
    "off the map": (
        "a.geojson",
        feature({"type": "Polygon", "coordinates": [[[2e6, 1e6], [2.1e6, 1e6], [2.1e6, 1.1e6]]]}, soil="snow"),
        "all 1 polygons lie off the map; expected x 2600000 to 2600120",
    ),
    "unknown crs": (
        "a.geojson",
        feature(SQUARE, soil="snow")[:-1] + ', "crs": {"type": "name", "properties": {"name": "EPSG:999999"}}}',
        "crs: unknown coordinate system 'EPSG:999999'",
    ),
    "half rigid": ("a.geojson", feature(SQUARE, soil="snow", rigid="no"), "feature 1.rigid: expected true or false"),
    "rigid, with a scar": (
        "a.geojson",
        feature(SQUARE, rigid=True, scar_modulus=1e7, scar_coefficient=1.0, scar_density=1700.0),
        "feature 1.rigid: expected none in a zone that has a scar",
    ),
    "half a scar": ("a.geojson", feature(SQUARE, scar_modulus=1e7), "feature 1.scar.coefficient: missing"),
    "other ending": ("a.kml", "<kml/>", "cannot read shapes from '.kml'; expected one of .geojson"),
    "junk gpkg": ("a.gpkg", "no database" * 99, "not readable shapes"),
    "junk shp": ("a.shp", "no shapes" * 99, "not readable shapes"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_are_one_sentence_that_names_the_file(tmp_path, name):
    file, text, sentence = WRONG[name]
    path = tmp_path / file
    path.write_text(text)
    with refused(sentence, file=path):
        cover(path)


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(physics.ScenarioError, match="no such file; expected shapes"):
        cover(tmp_path / "a.geojson")


def test_without_pyogrio_geojson_works_and_the_rest_says_what_to_install(tmp_path, monkeypatch):
    written = write(tmp_path / "a.gpkg", [WEST])
    monkeypatch.setitem(sys.modules, "pyogrio", None)
    assert cover(write(tmp_path / "a.geojson", [WEST])).soil_map[7, 3] == 1
    with pytest.raises(physics.ScenarioError, match=r"\.gpkg needs pyogrio; install it with: pip install"):
        cover(written)


def test_roughness_that_only_a_file_of_zones_tells_makes_rocks_differ(tmp_path):
    path = write(tmp_path / "rough.geojson", [shapely.box(0, -20, 60, 20)], crs=None, roughness=[0.2])
    ensemble = {"rocks": 2, "seed": 3, "rock": 1}
    world = physics.World.of(rockfall(soil={"zones": str(path)}, release={"position": [20.0, 0.0]}, ensemble=ensemble))
    assert not [note for note in world.notes if "changes nothing" in note]
    assert Ensemble(world).rocks == 2


LAWS = {  # a value of each key of [soil] that says what ground is
    "mu_min": 0.15,
    "mu_max": 1.7,
    "beta": 33.0,
    "kappa": 0.7,
    "drag": 3.0,
    "restitution": 0.4,
    "restitution_speed": 5.0,
    "rolling": 0.3,
    "ramp": 20.0,
    "roughness": 0.2,
    "bumps": 0.3,
    "scar": {"modulus": 5e6, "coefficient": 1.0, "density": 1500.0, "layer": 0.3},
    "ground": "compactable",
    "laws": "recommended",
    "drag_time": 0.2,
    "scatter": 0.3,
}
BESIDE = {  # what they act on, in the same table
    "restitution_speed": {"restitution": 0.4},
    "ground": {"preset": "hard"},
    "laws": {"preset": "hard"},
    "drag_time": {"drag": 3.0},
    "scatter": {"ramp": 20.0},
}
PRESET = {"mu_min": 0.25, "mu_max": 2.0, "beta": 100.0, "kappa": 1.25, "drag": 0.8}  # of soft


def test_every_law_of_a_soil_is_tried():
    assert {*LAWS, "preset"} == set(SoilLaws.model_fields)


def place_of(tmp_path, where, own, soil):
    """The ground of a place that has a preset and ``own``, and the notes; where: how the place is given."""
    x, y = MAP.origin
    if where == "piece":
        mesh = tmp_path / "land.obj"
        mesh.write_text("v -10 -30 60\nv 90 -30 20\nv 90 30 20\nv -10 30 60\nf 1 2 3 4\n")
        piece = {"file": str(mesh), "soil": {"preset": "soft"} | own}
        scenario = rockfall(soil=soil).changed(terrain={"piece": [piece], "resolution": 2.0})
        laid = lay(scenario, make_terrain(scenario))
        return laid.soils[laid.soil_map[10, 10]], laid.notes
    if where == "feature":
        own = {f"scar_{k}": v for k, v in own["scar"].items()} if "scar" in own else own
        path = write(tmp_path / "a.geojson", [WEST], soil=["soft"], **{key: [value] for key, value in own.items()})
        found = cover(path, **soil)
    else:
        ring = [[x - 1, y - 1], [x + 41, y - 1], [x + 41, y + 99], [x - 1, y + 99]]
        found = lay(rockfall(soil=soil | {"zone": [{"polygon": ring, "preset": "soft"} | own]}), MAP)
    return found.soils[found.soil_map[7, 3]], found.notes


@pytest.mark.parametrize("where", ["zone", "feature", "piece"])
@pytest.mark.parametrize("key", LAWS)
def test_a_law_of_the_soil_acts_under_a_preset_that_does_not_give_it(tmp_path, key, where):
    """A preset gives friction and drag; a key of [soil] that it takes the place of is told by name."""
    value = LAWS[key]
    ground, notes = place_of(tmp_path, where, {}, BESIDE.get(key, {}) | {key: value})
    if key in PRESET:
        assert getattr(ground, key) == PRESET[key]
        assert f"{key} of [soil] not in zones and pieces with a preset that has its own, or cannot use it" in notes
    else:
        found = getattr(ground, key)
        assert (found.model_dump() if key == "scar" else found) == value
        assert any(key in note.split(" of [soil] also in")[0].split(", ") for note in notes)
    assert ground.preset == "soft"


@pytest.mark.parametrize("where", ["zone", "feature", "piece"])
@pytest.mark.parametrize("key", [key for key in LAWS if key not in ("ground", "laws")])  # no attributes of files
def test_a_law_of_a_place_wins_over_its_preset_and_the_soil(tmp_path, key, where):
    other = {"scar": {"modulus": 9e6, "coefficient": 2.0, "density": 1800.0, "layer": 0.2}}.get(key, 0.5)
    ground, notes = place_of(tmp_path, where, {key: other}, BESIDE.get(key, {}) | {key: LAWS[key]})
    found = getattr(ground, key)
    assert (found.model_dump() if key == "scar" else found) == other
    assert not any(key in note.split(" of [soil]")[0].split(", ") for note in notes)


@pytest.mark.parametrize("where", ["zone", "feature", "piece"])
def test_a_rigid_place_takes_no_scar_of_the_soil(tmp_path, where):
    assert place_of(tmp_path, where, {"rigid": True}, {"scar": LAWS["scar"]})[0].pressed is None


@pytest.mark.parametrize("where", ["zone", "feature", "piece"])
def test_a_speed_of_restitution_without_restitution_is_refused_in_every_place(tmp_path, where):
    with pytest.raises(physics.ScenarioError, match="restitution_speed: needs restitution"):
        place_of(tmp_path, where, {"restitution_speed": 5.0}, {})


def test_restitution_of_the_soil_moves_rocks_that_fall_in_zones_of_presets():
    """A ball dropped on a zone bounces by e v; on a plane, from 1 m above its radius."""
    ring = [[200.0, -90.0], [400.0, -90.0], [400.0, 90.0], [200.0, 90.0]]
    for restitution in (0.0, 0.4):
        scenario = rockfall(
            duration=0.7,
            schemes=["implicit"],
            body={"shape": "sphere", "radius": 0.5, "mass": 1000.0},
            soil={"restitution": restitution, "zone": [{"polygon": ring, "preset": "hard"}]},
            release={"position": [250.0, 0.0], "height": 1.5},
        )
        up = float(physics.simulate(scenario)["implicit"].velocity[:, 2].max())
        assert up == pytest.approx(restitution * np.sqrt(2.0 * 9.81), rel=0.02, abs=0.01)
