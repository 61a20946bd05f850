"""Coordinate systems: by code, OGC name, WKT or a .prj beside the map; in every output; never a file or a service."""

from __future__ import annotations

import http.server
import json
import threading

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.crs import CRS
from rasterio.enums import WktVersion
from rasterio.warp import transform

import physics
from physics.hazard.merge import gather
from physics.hazard.results_folder import save_results
from physics.io.trajectory_readers import load
from physics.io.trajectory_writers import save
from physics.systems.world import World
from physics.terrain.crs import known
from physics.terrain.dem import read_terrain
from physics.terrain.units import in_metres
from physics.terrain.zones import read_shapes
from tests.physics.falling import ran, scenario
from tests.small import features, refused, write_map

AUSTRIA = CRS.from_epsg(31287)
ESRI = AUSTRIA.to_wkt(version=WktVersion.WKT1_ESRI)
LOCAL = 'LOCAL_CS["Quarry",UNIT["metre",1]]'


@pytest.fixture
def land(tmp_path):
    """A slope of 60 x 40 m at real coordinates, as text."""
    x, _ = np.meshgrid(np.arange(31), np.arange(21))
    heights = np.maximum(0.0, 30.0 - 1.5 * x)
    write_map(tmp_path / "map.asc", heights, 2.0, (399999.0, 299999.0))
    lines = (f"{400000 + 2 * i} {300040 - 2 * j} {heights[j, i]:.2f}" for j in range(21) for i in range(31))
    (tmp_path / "map.xyz").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.parametrize(
    "text",
    ["EPSG:31287", " epsg:31287 ", "urn:ogc:def:crs:EPSG::31287", "urn:ogc:def:crs:EPSG:9.9:31287", ESRI]
    + [AUSTRIA.to_wkt(version=version) for version in (WktVersion.WKT1_GDAL, WktVersion.WKT2_2019)],
)
@pytest.mark.parametrize("name", ["map.asc", "map.xyz"])
def test_a_text_is_given_a_system_by_the_scenario_or_by_a_file_beside_it(land, name, text):
    assert read_terrain(land / name).crs is None
    assert read_terrain(land / name, crs=text).crs == "EPSG:31287"
    (land / "map.prj").write_text(text)
    assert read_terrain(land / name).crs == "EPSG:31287"
    assert read_terrain(land / name, crs="EPSG:31287").crs == "EPSG:31287"
    with pytest.raises(physics.ScenarioError, match=rf"terrain\.crs: {name} itself has EPSG:31287; expected that"):
        read_terrain(land / name, crs="EPSG:2056")


def test_a_map_of_the_web_has_no_grid_in_a_file():
    web = CRS.from_epsg(3857).to_wkt(version=WktVersion.WKT1_GDAL)
    assert "nadgrids=@null" in web
    assert in_metres(web) == "EPSG:3857"


def test_the_old_words_of_a_prj_are_read_as_gdal_reads_them(land):
    (land / "map.prj").write_text("Projection    UTM\nZone          33\nDatum         WGS84\nUnits         METERS\n")
    assert read_terrain(land / "map.asc").crs == "EPSG:32633"


def test_a_system_without_a_number_stays_as_it_is_described(land):
    found = read_terrain(land / "map.asc", crs=LOCAL).crs
    assert "Quarry" in found
    assert known(found) == known(LOCAL)


WRONG = {
    "a path": "/etc/passwd",
    "a file of the folder": "map.prj",
    "a service": "http://127.0.0.1:9/crs",
    "the OGC's own address": "http://www.opengis.net/def/crs/EPSG/0/31287",
    "another service": "/vsicurl/http://127.0.0.1:9/crs",
    "PROJ": "+proj=utm +zone=32",
    "PROJ with a file": "+init=/etc/passwd:1",
    "JSON": '{"type": "ProjectedCRS"}',
    "no number": "EPSG:999999",
    "degrees": "EPSG:4326",
    "feet": "EPSG:2263",
    "heights": "EPSG:5703",
    "nothing": "",
    "damaged": 'PROJCS["a"',
    "grids": 'PROJCS["a",GEOGCS["b",DATUM["c",SPHEROID["d",6378137,298],EXTENSION["PROJ4_GRIDS","/etc/passwd"]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],UNIT["metre",1]]',
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_system_in_metres_is_refused_by_name(land, name, capfd):
    with pytest.raises(physics.ScenarioError, match=r"^terrain\.crs: .*(expected|unknown)") as error:
        read_terrain(land / "map.asc", crs=WRONG[name])
    assert "\n" not in str(error.value)
    (land / "map.prj").write_text(WRONG[name])
    with pytest.raises(physics.ScenarioError, match=r"map\.(prj|asc): "):
        read_terrain(land / "map.asc")
    assert "passwd" not in capfd.readouterr().err  # PROJ tells what it could not make of it


@pytest.fixture
def asked():
    """Requests that a server on this machine gets, and its address."""
    found = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            found.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield found, f"http://127.0.0.1:{server.server_port}/crs"
        server.shutdown()
        thread.join()


def test_no_service_is_asked(land, asked):
    """The names of systems in polygons were handed to GDAL, which asks any address that they hold."""
    found, address = asked
    (land / "a.geojson").write_text(features(({}, {"type": "Point", "coordinates": [1, 2]}), crs=address))
    with pytest.raises(physics.ScenarioError, match=r"a\.geojson: crs: no coordinate system"):
        read_shapes(land / "a.geojson", "EPSG:31287")
    for text in (address, f"/vsicurl/{address}", f"EPSG:{address}", f"urn:ogc:def:crs:{address}"):
        with pytest.raises(physics.ScenarioError):
            in_metres(text)
    assert found == []


def rocks(land, **changes):
    return scenario(
        terrain={"file": "map.asc", "crs": "EPSG:31287"},
        release={"position": [400002.0, 300020.0]},
        ensemble={"rocks": 3},
        duration=20.0,
        schemes=["implicit"],
        folder=str(land),
        **changes,
    )


@pytest.mark.parametrize("crs", ["EPSG:31287", LOCAL])
def test_every_output_tells_the_system(land, crs):
    ensemble = ran(World.of(rocks(land).changed(**{"terrain.crs": crs})))
    save_results(land / "out", ensemble, paths=True, counts=True)
    gather([land / "out"], land / "whole")
    for folder in (land / "out", land / "whole"):
        for path in (folder / "maps" / "implicit").glob("*.tif"):
            with rasterio.open(path) as file:
                assert file.crs == known(crs)
                assert known(file.tags()["crs"]) == known(crs)
        assert known(json.loads((folder / "summary.json").read_text())["crs"]) == known(crs)
        deposits = json.loads((folder / "deposits.geojson").read_text())
        assert known(deposits["crs"]["properties"]["name"]) == known(crs)
    assert known(json.loads((land / "out" / "paths.geojson").read_text())["crs"]["properties"]["name"]) == known(crs)


@pytest.mark.parametrize("name", ["run.npz", "run.parquet"])
def test_a_trajectory_tells_the_system_of_its_map(land, name):
    tables = rocks(land).to_plain() | {"duration": 0.1, "terrain": {"file": "map.asc"}}
    (land / "map.prj").write_text(ESRI)
    scenario_ = physics.Scenario(**tables, folder=str(land))
    runs = physics.simulate(scenario_)
    save(land / name, runs, scenario_)
    assert load(land / name)["implicit"].crs == "EPSG:31287"


@pytest.mark.parametrize("theirs", ["EPSG:4326", "EPSG:32633"])
def test_a_release_in_another_system_starts_where_it_is_meant(land, theirs):
    """A .geojson in degrees says so by its standard, another one by its name."""
    x, y = transform("EPSG:31287", theirs, [400002.0], [300020.0])
    point = {"type": "Point", "coordinates": [x[0], y[0], 31.5]}
    (land / "a.geojson").write_text(features(({}, point), crs="" if theirs == "EPSG:4326" else theirs))
    tables = rocks(land).to_plain() | {"release": {"file": "a.geojson"}}
    world = World.of(physics.Scenario(**tables, folder=str(land)))
    np.testing.assert_allclose(world.position, [400002.0, 300020.0, 31.5], atol=0.01)
    assert any("re-projected from" in note for note in world.notes)


def test_another_prj_is_another_map(land):
    """A file beside a map belongs to it: results tell its digest, and it is read again when it has changed."""
    (land / "map.prj").write_text("EPSG:31287")
    tables = rocks(land).to_plain() | {"terrain": {"file": "map.asc"}}
    before = World.of(physics.Scenario(**tables, folder=str(land)))
    (land / "map.prj").write_text("EPSG:2056 ")
    after = World.of(physics.Scenario(**tables, folder=str(land)))
    assert (before.terrain.crs, after.terrain.crs) == ("EPSG:31287", "EPSG:2056")
    assert before.files != after.files


def test_another_world_file_is_another_map(tmp_path):
    Image.fromarray(np.arange(400.0, 412.0, dtype=np.float32).reshape(3, 4)).save(tmp_path / "map.tif")
    start, worlds = {"position": [5050.0, 8950.0]}, []
    for size in (50, 80):
        (tmp_path / "map.tfw").write_text(f"{size}\n0\n0\n-{size}\n5000\n9000\n")
        worlds.append(World.of(scenario(terrain={"file": "map.tif"}, release=start, folder=str(tmp_path))))
    assert [world.terrain.cell for world in worlds] == [(50.0, 50.0), (80.0, 80.0)]
    assert worlds[0].files != worlds[1].files


def test_a_profile_has_no_system():
    with pytest.raises(physics.ScenarioError, match=r"terrain\.crs: expected none beside profile"):
        scenario(terrain={"profile": "ramp", "crs": "EPSG:31287"})


@pytest.mark.parametrize("text", [AUSTRIA.to_wkt()[:-30], "EPSG:99999999"])
def test_no_line_of_proj_stands_beside_the_sentence(text, capfd):
    with pytest.raises(physics.ScenarioError, match="unknown coordinate system"):
        known(text)
    assert capfd.readouterr() == ("", "")


def test_a_layer_in_a_system_that_leads_nowhere_is_refused(tmp_path):
    """PROJ knows only the way there of some projections, not back."""
    system = CRS.from_proj4("+proj=august +ellps=WGS84 +units=m").to_wkt()
    (tmp_path / "a.geojson").write_text(features(({}, {"type": "Point", "coordinates": [1.0, 2.0]}), crs=system))
    with refused("a.geojson: crs:", "cannot be converted to the map's EPSG:31287"):
        read_shapes(tmp_path / "a.geojson", "EPSG:31287")
