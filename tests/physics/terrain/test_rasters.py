"""Maps and layers are files of their own kind; none leads to another folder or to another machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import rasterio

from app.hazard.layers import read_map
from app.stage.ground.layers import draped
from physics.core.errors import ScenarioError
from physics.terrain.dem import read_terrain
from physics.terrain.profiles import ramp
from physics.terrain.zones import read_shapes

GRID = {"width": 6, "height": 5, "count": 1, "dtype": "float32", "transform": rasterio.Affine(2, 0, 7e5, 0, -2, 2e5)}


class _Asked(BaseHTTPRequestHandler):
    """Notes what it is asked for."""

    paths: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.paths.append(self.path)
        self.send_error(404)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def machine() -> Iterator[str]:
    """The address of another machine."""
    server = HTTPServer(("127.0.0.1", 0), _Asked)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def asked() -> list[str]:
    """What the other machine was asked for."""
    _Asked.paths.clear()
    return _Asked.paths


def _virtual(source: str) -> str:
    return f"""<VRTDataset rasterXSize="6" rasterYSize="5"><GeoTransform>700000, 2, 0, 200000, 0, -2</GeoTransform>
<Metadata><MDI key="INTERNAL_MASK_FLAGS_1">2</MDI></Metadata><VRTRasterBand dataType="Float32" band="1">
<SimpleSource><SourceFilename relativeToVRT="0">{source}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>"""


def _map(path: Path, overviews: str = "") -> Path:
    with rasterio.open(path, "w", driver="GTiff", **GRID) as file:
        file.write(1800.0 - np.arange(30.0, dtype=np.float32).reshape(5, 6), 1)
        if overviews:
            file.update_tags(ns="OVERVIEWS", OVERVIEW_FILE=overviews)
    return path


def _service(machine: str) -> str:
    place = "<UpperLeftX>0</UpperLeftX><UpperLeftY>9</UpperLeftY><LowerRightX>9</LowerRightX>"
    place += "<LowerRightY>0</LowerRightY><TileLevel>0</TileLevel>"
    service = f'<Service name="TMS"><ServerUrl>{machine}/${{z}}/${{x}}/${{y}}.tif</ServerUrl></Service>'
    return f"<GDAL_WMS>{service}<DataWindow>{place}</DataWindow><BandsCount>1</BandsCount></GDAL_WMS>"


@pytest.mark.parametrize("kind", ["virtual", "service", "virtual beside", "virtual mask", "tag"])
def test_a_map_does_not_lead_to_another_machine(kind: str, machine: str, asked: list[str], tmp_path: Path) -> None:
    elsewhere = f"/vsicurl/{machine}/{kind.replace(' ', '-')}.tif"
    path = _map(tmp_path / "map.tif", elsewhere if kind == "tag" else "")
    texts = {"virtual": _virtual(elsewhere), "service": _service(machine)}
    beside = {"virtual beside": ".ovr", "virtual mask": ".msk"}
    if kind in texts:
        path.write_text(texts[kind])
    elif kind in beside:
        path.with_name(path.name + beside[kind]).write_text(_virtual(elsewhere))
    terrain = ramp()
    with pytest.raises(ScenarioError, match=r"map\.tif: "):
        read_terrain(path, resolution=4.0)
    with pytest.raises(ScenarioError, match=r"map\.tif: "):
        draped(path, terrain)
    with pytest.raises(ScenarioError, match=r"map\.tif: "):
        read_map(path, terrain)
    assert not asked


def test_a_map_does_not_lead_out_of_its_folder(tmp_path: Path) -> None:
    secret = _map(tmp_path / "secret.tif")
    path = tmp_path / "folder" / "map.asc"
    path.parent.mkdir()
    path.write_text("<!--\nncols 6\nnrows 5\nxllcorner 0\nyllcorner 0\ncellsize 2\n-->" + _virtual(str(secret)))
    with pytest.raises(ScenarioError, match=r"line 1: expected a name and a number, such as 'ncols 100', got '<!--'"):
        read_terrain(path)


def test_less_of_a_map_may_lie_beside_it(tmp_path: Path) -> None:
    path = _map(tmp_path / "map.tif")
    whole = read_terrain(path, resolution=4.0)
    _map(tmp_path / "map.tif.ovr")
    assert read_terrain(path, resolution=4.0).heights.shape == whole.heights.shape


@pytest.mark.parametrize("ending", [".gpkg", ".shp"])
@pytest.mark.parametrize("kind", ["virtual", "service"])
def test_a_layer_does_not_lead_elsewhere(
    ending: str, kind: str, machine: str, asked: list[str], tmp_path: Path
) -> None:
    path, source = tmp_path / f"zones{ending}", f"/vsicurl/{machine}/{kind}.geojson"
    virtual = f'<OGRVRTLayer name="a"><SrcDataSource>{source}</SrcDataSource></OGRVRTLayer>'
    service = f"<OGRWFSDataSource><URL>{machine}/wfs</URL></OGRWFSDataSource>"
    path.write_text(service if kind == "service" else f"<OGRVRTDataSource>{virtual}</OGRVRTDataSource>")
    with pytest.raises(ScenarioError, match="its contents are not those of"):
        read_shapes(path)
    assert not asked
