"""Readers of what lies on a map: its coordinate system, lines of barriers, starts with heights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rasterio.crs import CRS
from rasterio.enums import WktVersion

from physics.systems.barrier_lines import fences_of
from physics.systems.ground_tables import BarrierTable
from physics.terrain.crs import name, told_beside
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
    told = told_beside(path.with_suffix(".asc"))
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
    found, _ = fences_of([BarrierTable(file=path.name)], MAP, path.parent)
    for fence in found:
        yield from (fence.line, np.array(fence.height))
