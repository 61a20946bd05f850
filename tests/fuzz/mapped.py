"""Readers of what lies on a map: its coordinate system, lines of barriers, starts with heights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rasterio.crs import CRS
from rasterio.enums import WktVersion

from physics.systems.rockfall import observations
from physics.systems.rockfall.ground_config import ForestConfig
from physics.systems.rockfall.scenario import BarrierConfig
from physics.systems.rockfall.trees import read_trees
from physics.systems.rockfall.world import fences_of
from physics.terrain.crs import declared_beside, name
from physics.terrain.terrain import Terrain

MAP = Terrain(np.zeros((21, 31)), cell=(2.0, 2.0))


def system_seeds() -> list[bytes]:
    """A coordinate system in all its forms."""
    crs = CRS.from_epsg(31287)
    versions = (WktVersion.WKT1_ESRI, WktVersion.WKT1_GDAL, WktVersion.WKT2_2019)
    texts = ["EPSG:31287", "urn:ogc:def:crs:EPSG::31287", *(crs.to_wkt(version=version) for version in versions)]
    return [text.encode() for text in texts]


def system(path: Path) -> list[np.ndarray]:
    """What a .prj beside a map tells."""
    told = declared_beside(path.with_suffix(".asc"))
    if told is not None:
        name(told)
    return []


def fence_seeds() -> list[bytes]:
    """Two lines with a name and a height."""
    line = {"type": "LineString", "coordinates": [[5.0, 1.0], [6.0, 9.0, 3.0]]}
    lines = {"type": "MultiLineString", "coordinates": [[[9.0, 1.0], [9.0, 9.0]], [[12.0, 1.0], [15.0, 9.0]]]}
    told = [({"name": "upper", "height": 3.0}, line), ({"height": 2}, lines)]
    features = [{"type": "Feature", "properties": table, "geometry": shape} for table, shape in told]
    return [json.dumps({"type": "FeatureCollection", "features": features}).encode()]


def fences(path: Path) -> Iterator[np.ndarray]:
    """The barriers of a file of lines."""
    found, _ = fences_of([BarrierConfig(file=path.name)], MAP, path.parent)
    for fence in found:
        yield from (fence.line, np.array(fence.height))


def observed_seeds() -> list[bytes]:
    """Stops, tracks and passages."""
    return [
        b"name,x [m],y [m],runout [m]\na,10,12,40.5\nb,11,13,\n",
        b"x,y,release_x,release_y,z\n10,12,0,0,3\n11,13,,,4\n",
        b"track,x,y,z\na,1,2,3\na,2,3,\nb,1,1,1\nb,4,4,4\n",
        b"screen,x,y,velocity [m/s],height [m]\nroad,1,2,12.5,0.7\nroad,2,3,,1\n",
    ]


def tree_seeds() -> list[bytes]:
    """Trees with heights and species, and without."""
    return [b"x [m],y [m],dbh [cm],height [m],species\n1,2,40,20,fir\n2,1,30,,\n", b"x,y,dbh\n1,1,25\n"]


def stems(path: Path) -> Iterator[np.ndarray]:
    """The stems of a table of trees."""
    yield read_trees(path, ForestConfig(), MAP)[0]


def observed(path: Path) -> Iterator[np.ndarray]:
    """What was measured, by the columns that the file has."""
    head = path.read_bytes()[:200].lower()
    if b"track" in head:
        yield from (one.points[:, :2] for one in observations.read_tracks(path))
    elif b"screen" in head:
        yield observations.read_passages(path).places
    else:
        yield observations.read_stops(path).places
