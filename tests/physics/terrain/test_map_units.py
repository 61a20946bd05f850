"""Units of height and plan: every reader of maps, every way to declare a system; a plane of 30 degrees stays one."""

from __future__ import annotations

import json
import struct

import laspy
import numpy as np
import pytest
import rasterio
import shapely
from laspy.vlrs.known import WktCoordinateSystemVlr
from PIL import Image
from rasterio import Affine
from rasterio.crs import CRS
from rasterio.enums import WktVersion
from rasterio.warp import transform

import physics
from physics.systems.rockfall.world import make_terrain
from physics.terrain.dem import read_terrain
from physics.terrain.zones import read_shapes
from tests import small
from tests.small import features, refused

FOOT, US_FOOT = 0.3048, 1200 / 3937
WEST, SOUTH, CELL, NODES = 600_000.0, 5_100_000.0, 2.0, 21
COMPOUND = CRS.from_user_input("EPSG:25832+6360")
PLAN = CRS.from_epsg(25832)
ESRI_HEIGHTS = (
    'VERTCS["NAVD_1988_Foot_US",VDATUM["North_American_Vertical_Datum_1988"],PARAMETER["Vertical_Shift",0.0],'
    'PARAMETER["Direction",1.0],UNIT["Foot_US",0.3048006096012192]]'
)
OLD = "Projection UTM\nZone 32\nDatum WGS84\nUnits METERS\n"
TEXTS = {
    "code": "EPSG:25832+6360",
    "two codes": "EPSG:25832+EPSG:6360",
    "WKT": COMPOUND.to_wkt(version=WktVersion.WKT1_GDAL),
    "WKT2": COMPOUND.to_wkt(version=WktVersion.WKT2_2019),
    "two nodes of ESRI": PLAN.to_wkt(version=WktVersion.WKT1_ESRI) + "," + ESRI_HEIGHTS,
    "old words": OLD + "Zunits FEET\n",  # in a .prj alone
}
FEET = {"code": "EPSG:2229", "WKT": CRS.from_epsg(2229).to_wkt(), "local": 'LOCAL_CS["Quarry",UNIT["foot",0.3048]]'}


def plane(unit, plan=1.0):
    """x, y, z (n,) of a plane of 30 degrees in cells of 2 m, heights and places in units [m]; rows from the north."""
    along = CELL * np.arange(NODES)
    x, y = np.meshgrid(along, along[::-1])
    return (WEST + x).ravel() / plan, (SOUTH + y).ravel() / plan, (1000.5 + np.tan(np.pi / 6) * x).ravel() / unit


def check(terrain, note="US survey foot"):
    assert np.median(np.degrees(terrain.slope())) == pytest.approx(30.0, abs=0.02)
    assert 1000.4 < terrain.heights.min() < 1002.0 < 1022.0 < terrain.heights.max() < 1024.0
    assert any(text.startswith(f"heights in '{note}' were converted to metres in map") for text in terrain.notes)


def asc(path, unit, plan=1.0):
    x, y, z = plane(unit, plan)
    rows = "\n".join(" ".join(f"{height:.4f}" for height in row) for row in z.reshape(NODES, NODES))
    head = f"ncols {NODES}\nnrows {NODES}\nxllcenter {x.min()}\nyllcenter {y.min()}\ncellsize {CELL / plan}\n"
    path.write_text(head + rows)


def xyz(path, unit, plan=1.0):
    np.savetxt(path, np.column_stack(plane(unit, plan)), fmt="%.4f")


def mesh(path, unit, plan=1.0):
    import pyvista as pv

    x, y, z = (side.reshape(NODES, NODES, 1) for side in plane(unit, plan))
    surface = pv.StructuredGrid(x, y, z).extract_surface(algorithm="dataset_surface").triangulate()
    pv.PolyData(surface.points.astype(float), surface.faces).save(path)


def tif(path, unit, plan=1.0, crs=None, band=None):
    x, y, z = plane(unit, plan)
    side = CELL / plan
    place = {"transform": Affine(side, 0, x.min() - side / 2, 0, -side, y.max() + side / 2), "crs": crs}
    shape = {"width": NODES, "height": NODES, "count": 1, "dtype": "float64"}
    with rasterio.open(path, "w", driver="GTiff", **shape, **place) as file:
        file.write(z.reshape(NODES, NODES), 1)
        if band:
            file.units = (band,)


def las(path, unit, plan=1.0, records=()):
    x, y, z = plane(unit, plan)
    header = laspy.LasHeader(point_format=1, version="1.2")
    header.scales, header.offsets = [0.001] * 3, [x.min(), y.min(), 0.0]
    header.vlrs.extend(records)
    data = laspy.LasData(header)
    data.x, data.y, data.z = x, y, z
    data.classification = np.full(len(x), 2)
    data.write(path)


BY_TEXT = {".asc": asc, ".xyz": xyz, ".stl": mesh, ".obj": mesh, ".ply": mesh, ".tif": tif, ".las": las, ".laz": las}
MESHES = (".stl", ".obj", ".ply")


def written(ending, path, unit, plan=1.0):
    """A map of this ending; a mesh of single precision is small and near zero, as these are."""
    BY_TEXT[ending](path, unit, plan)
    return path


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ending", BY_TEXT)
def test_a_text_says_the_unit_of_heights(tmp_path, ending, text):
    path = written(ending, tmp_path / f"map{ending}", FOOT if text == "old words" else US_FOOT)
    size = {} if ending == ".tif" else {"resolution": CELL}
    note = "foot" if text == "old words" else "US survey foot"
    (tmp_path / "map.prj").write_text(TEXTS[text])
    found = read_terrain(path, **size)
    check(found, note)
    assert found.crs == ("EPSG:32632" if text == "old words" else "EPSG:25832")
    if text != "old words":
        (tmp_path / "map.prj").unlink()
        check(read_terrain(path, crs=TEXTS[text], **size))


@pytest.mark.parametrize("text", FEET)
@pytest.mark.parametrize("ending", BY_TEXT)
def test_a_plan_in_feet_is_refused(tmp_path, ending, text):
    path = written(ending, tmp_path / f"map{ending}", US_FOOT, US_FOOT)
    for where in ("crs", ".prj"):
        given = {"crs": FEET[text]} if where == "crs" else {}
        if where == ".prj":
            (tmp_path / "map.prj").write_text(FEET[text])
        with pytest.raises(physics.ScenarioError, match=r"expected metres, got (US survey )?foot; project the map"):
            read_terrain(path, **given)


def geo_keys(*keys):
    """The words of GeoTIFF keys: number and value each, or the place of a number among doubles."""
    rows = [(*key, 0, 1) if len(key) == 2 else (key[0], key[1], 34736, 1) for key in sorted(keys)]
    return [1, 1, 0, len(keys), *(word for key, value, place, count in rows for word in (key, place, count, value))]


def tif_with_keys(path, unit, plan, keys, doubles=()):
    x, y, z = plane(unit, plan)
    side = CELL / plan
    tags = {33550: (side, side, 0.0), 33922: (0.0, 0.0, 0.0, x.min() - side / 2, y.max() + side / 2, 0.0)}
    tags |= {34735: tuple(geo_keys(*keys))} | ({34736: tuple(doubles)} if doubles else {})
    Image.fromarray(z.reshape(NODES, NODES).astype("f4")).save(path, tiffinfo=tags)


def las_with_keys(path, unit, plan, keys, doubles=(), wkt=None):
    words = geo_keys(*keys)
    packed = {34735: struct.pack(f"<{len(words)}H", *words), 34736: struct.pack(f"<{len(doubles)}d", *doubles)}
    records = [laspy.VLR("LASF_Projection", number, "", data) for number, data in packed.items() if data]
    las(path, unit, plan, [*records, *([WktCoordinateSystemVlr(wkt)] if wkt else [])])


KEYS = {
    "a system of heights": ((4096, 6360), "US survey foot", US_FOOT),
    "another one": ((4096, 8228), "foot", FOOT),
    "a unit": ((4099, 9002), "foot", FOOT),
    "both": ((4096, 6360), (4099, 9003), "US survey foot", US_FOOT),
    "a datum and a unit": ((4096, 5103), (4099, 9003), "US survey foot", US_FOOT),
    "a system in metres and a unit": ((4096, 5703), (4099, 9003), "US survey foot", US_FOOT),
    "a system of the user's own": ((4096, 32767), (4099, 9003), "US survey foot", US_FOOT),
}
WRITERS = {".tif": tif_with_keys, ".las": las_with_keys, ".laz": las_with_keys}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("ending", WRITERS)
def test_keys_say_the_unit_of_heights(tmp_path, ending, name):
    *keys, note, unit = KEYS[name]
    path = tmp_path / f"map{ending}"
    WRITERS[ending](path, unit, 1.0, [(1024, 1), (3072, 25832), *keys])
    found = read_terrain(path, resolution=CELL)
    check(found, note)
    assert found.crs == "EPSG:25832"
    with refused("terrain.crs: has metre where map", f"itself has {note}"):
        read_terrain(path, crs="EPSG:25832+5703")


@pytest.mark.parametrize("name", KEYS)
def test_keys_stand_beside_a_text_of_the_plan(tmp_path, name):
    *keys, note, unit = KEYS[name]
    las_with_keys(tmp_path / "map.laz", unit, 1.0, [(1024, 1), *keys], wkt=PLAN.to_wkt())
    check(read_terrain(tmp_path / "map.laz", resolution=CELL), note)


PLAN_KEYS = {
    "a unit": [(3076, 9003)],
    "a unit of a system of the user's own": [(3072, 32767), (3076, 9003)],
    "a unit of a projection of the user's own": [(3072, 32767), (3074, 32767), (3075, 8), (3076, 9003)],
    "a length": [(3072, 32767), (3076, 32767), (3077, 0, 34736)],
    "a unit beside a system in metres": [(3072, 25832), (3076, 9003)],
    "a unit that is not known": [(3072, 32767), (3076, 9005)],
}


@pytest.mark.parametrize("name", PLAN_KEYS)
@pytest.mark.parametrize("ending", WRITERS)
def test_keys_of_a_plan_in_feet_are_refused(tmp_path, ending, name):
    path = tmp_path / f"map{ending}"
    WRITERS[ending](path, US_FOOT, US_FOOT, [(1024, 1), *PLAN_KEYS[name]], [US_FOOT])
    for given in (None, "EPSG:25832"):
        with pytest.raises(physics.ScenarioError, match=r"expected metres, got (US survey foot|user's|the unit)"):
            read_terrain(path, crs=given)


@pytest.mark.parametrize("declared", ["the file", "the band", "the scenario"])
def test_a_raster_says_the_unit_of_heights(tmp_path, declared):
    own = {"the file": {"crs": COMPOUND}, "the band": {"crs": PLAN, "band": "US survey foot"}}
    tif(tmp_path / "map.tif", US_FOOT, **own.get(declared, {"crs": PLAN}))
    check(read_terrain(tmp_path / "map.tif", crs=None if declared in own else "EPSG:25832+6360"))


@pytest.mark.parametrize("ending", MESHES)
def test_pieces_have_a_system_each(tmp_path, ending):
    for name, unit in (("map1", US_FOOT), ("map2", 1.0)):
        written(ending, tmp_path / f"{name}{ending}", unit)
    (tmp_path / "map1.prj").write_text("EPSG:25832+6360")
    (tmp_path / "map2.prj").write_text("EPSG:25832")
    pieces = [{"file": f"map1{ending}"}, {"file": f"map2{ending}"}]
    world = {"terrain": {"piece": pieces, "resolution": CELL}, "folder": str(tmp_path)}
    check(make_terrain(small.rock(**world)))
    (tmp_path / "map2.prj").write_text("EPSG:25833")
    with refused(f"map2{ending}", f"is in EPSG:25833, while map1{ending} is in EPSG:25832"):
        make_terrain(small.rock(**world))


@pytest.mark.parametrize("ending", [".asc", ".xyz", ".tif"])
def test_a_map_in_feet_is_projected_where_it_says_the_unit_of_heights(tmp_path, ending):
    """The plan alone does not say the unit of heights: feet as the plan, or metres."""
    x, y = transform("EPSG:26911", "EPSG:2229", [600_000.0], [3_800_000.0])
    path = written(ending, tmp_path / f"map{ending}", US_FOOT, US_FOOT)
    if ending == ".xyz":
        points = np.loadtxt(path)
        np.savetxt(path, points + np.array([x[0] - WEST / US_FOOT, y[0] - SOUTH / US_FOOT, 0.0]), fmt="%.6f")
    elif ending == ".asc":
        head, rest = path.read_text().split("cellsize")
        head = f"ncols {NODES}\nnrows {NODES}\nxllcenter {x[0]}\nyllcenter {y[0]}\n"
        path.write_text(f"{head}cellsize{rest}")
    else:
        with rasterio.open(path, "r+") as file:
            file.transform = Affine(CELL / US_FOOT, 0, x[0], 0, -CELL / US_FOOT, y[0])
    found = read_terrain(path, crs="EPSG:2229+6360", project="utm")
    assert np.degrees(found.slope())[3:-3, 3:-3] == pytest.approx(30.0, abs=0.05)
    assert 1000.0 < found.heights.min() < found.heights.max() < 1024.0
    with refused("declares no unit of heights beside a plan in US survey foot", "EPSG:2229+6360"):
        read_terrain(path, crs="EPSG:2229", project="utm")
    assert read_terrain(path, crs="EPSG:2229+5703", project="utm").heights.max() > 3000.0


def test_depths_and_heights_alone_are_no_map(tmp_path):
    written(".asc", tmp_path / "map.asc", 1.0)
    for text, sentence in (
        ("EPSG:25832+5715", "expected heights, got depths"),
        ("EPSG:6360", "expected the system of a map, in metres, got EPSG:6360"),
        ("EPSG:4978", "expected the system of a map, in metres, got EPSG:4978"),
    ):
        with refused("terrain.crs", sentence):
            read_terrain(tmp_path / "map.asc", crs=text)


def shapes_file(path, crs, shape):
    if path.suffix == ".geojson":
        path.write_text(features(({}, json.loads(shapely.to_geojson(shape))), crs=crs))
        return
    import pyogrio.raw

    kind = f"{shape.geom_type} Z" if shape.has_z else shape.geom_type
    pyogrio.raw.write(path, shapely.to_wkb(np.array([shape])), [], [], geometry_type=kind, crs=crs)


@pytest.mark.parametrize("ending", [".geojson", ".gpkg", ".shp"])
@pytest.mark.parametrize("kind", ["Point", "LineString", "Polygon"])
def test_shapes_in_feet_lie_where_they_are_meant(tmp_path, ending, kind):
    corners = np.array([[600_000.0, 3_800_000.0], [600_040.0, 3_800_000.0], [600_040.0, 3_800_030.0]])
    corners = corners[: {"Point": 1, "LineString": 2, "Polygon": 3}[kind]]
    feet = np.column_stack(transform("EPSG:26911", "EPSG:2229", *corners.T))
    path = tmp_path / f"a{ending}"
    shapes_file(path, "EPSG:2229", getattr(shapely, kind)(feet if kind != "Point" else feet[0]))
    ((found, _),), notes = read_shapes(path, "EPSG:26911")
    assert shapely.hausdorff_distance(found, getattr(shapely, kind)(corners if kind != "Point" else corners[0])) < 1e-3
    assert notes == (f"shapes were re-projected from EPSG:2229 to EPSG:26911 in a{ending}",)
    with refused("crs", "in US survey foot, while the terrain names no coordinate system in metres", file=path):
        read_shapes(path)


@pytest.mark.parametrize("ending", [".geojson", ".gpkg", ".shp"])
def test_heights_of_shapes_are_in_the_unit_that_they_declare(tmp_path, ending):
    x, y = transform("EPSG:26911", "EPSG:2229", [600_000.0], [3_800_000.0])
    path, point = tmp_path / f"a{ending}", shapely.Point(x[0], y[0], 1000.0 / US_FOOT)
    shapes_file(path, "EPSG:2229+6360", point)
    ((found, _),), notes = read_shapes(path, "EPSG:26911", heights=True)
    assert shapely.get_coordinates(found, include_z=True)[0] == pytest.approx([6e5, 3.8e6, 1000.0], abs=1e-3)
    assert f"heights in 'US survey foot' were converted to metres in a{ending}" in notes
    shapes_file(path, "EPSG:2229", point)
    with refused("crs", "declares no unit of heights beside a plan in US survey foot", file=path):
        read_shapes(path, "EPSG:26911", heights=True)


def test_a_grid_of_trees_lies_on_the_map_that_it_declares(tmp_path):
    written(".asc", tmp_path / "map.asc", 1.0)
    written(".asc", tmp_path / "trees.asc", 10.0)
    (tmp_path / "trees.prj").write_text("EPSG:25833")
    world = small.rock(
        terrain={"file": "map.asc", "crs": "EPSG:25832"},
        release={"position": (WEST + 20.0, SOUTH + 20.0)},
        forest={"nrtrees": "trees.asc", "dbhmean": "trees.asc"},
        folder=str(tmp_path),
    )
    with refused("trees.asc: coordinate system", "expected that of the map, EPSG:25832, got EPSG:25833"):
        physics.World.of(world)
