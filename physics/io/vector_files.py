"""Vector files for a GIS: features as GeoJSON, and layers of them as a GeoPackage (OGC 12-128r19), an SQLite file.

The same features give the same bytes.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from physics.terrain import crs as systems
from physics.terrain.zones import Shape

Feature = dict[str, Any]  # "geometry" as GeoJSON has it, and "properties"


def features(shapes: Iterable[Shape]) -> Iterator[Feature]:
    """The features of shapes with attributes."""
    for shape, attributes in shapes:
        yield {"geometry": json.loads(shapely.to_geojson(shape)), "properties": attributes}


def write_geojson(path: Path, found: Iterable[Feature], crs: str | None, note: str) -> None:
    """Write features in the coordinate system ``crs``; a line a feature, so that memory stays bounded."""
    # the coordinate system as GDAL and QGIS read it
    known = {} if crs is None else {"crs": {"type": "name", "properties": {"name": systems.name(crs)}}}
    head = json.dumps({"type": "FeatureCollection", "name": path.stem, "note": note, **known})
    with path.open("w", encoding="utf-8") as file:
        file.write(head[:-1] + ', "features": [')
        for i, feature in enumerate(found):
            file.write((",\n" if i else "\n") + json.dumps({"type": "Feature"} | feature))
        file.write("\n]}\n")


# ---- GeoPackage ---------------------------------------------------------------------------------------

_TABLES = """
PRAGMA application_id = 0x47504B47;
PRAGMA user_version = 10300;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
 organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
 description TEXT DEFAULT '', last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,
 srs_id INTEGER REFERENCES gpkg_spatial_ref_sys(srs_id));
CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL UNIQUE REFERENCES gpkg_contents(table_name),
 column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL
 REFERENCES gpkg_spatial_ref_sys(srs_id), z TINYINT NOT NULL, m TINYINT NOT NULL,
 PRIMARY KEY (table_name, column_name));
"""
_SYSTEMS = (  # rows that every GeoPackage has
    ("Undefined Cartesian", -1, "NONE", -1, "undefined", None),
    ("Undefined geographic", 0, "NONE", 0, "undefined", None),
    ("WGS 84", 4326, "EPSG", 4326, "EPSG:4326", None),
)
_CHANGED = "1970-01-01T00:00:00.000Z"  # no real time: the same results give the same bytes
_OWN = 100_000  # number of a coordinate system that has no code of EPSG
_TYPES = {bool: "BOOLEAN", int: "INTEGER", float: "REAL", datetime: "DATETIME"}  # types of columns; others are text
_BATCH = 1000  # features at once; by the first of them the columns are known


def write_geopackage(path: Path, layers: Mapping[str, Iterable[Feature]], crs: str | None, note: str) -> None:
    """Write layers of features, by their names; those without a feature are left out.

    Properties that are lists or tables are left out, as a column has no place for them.
    OSError where the disk is full.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            file.executescript(_TABLES)
            system = _system(crs)
            rows = dict.fromkeys((*_SYSTEMS[:2], (*_SYSTEMS[2][:4], _wkt("EPSG:4326"), None), system))
            file.execute("BEGIN")
            file.executemany("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, ?)", rows)
            for name, found in layers.items():
                _write_layer(file, name, iter(found), system[1], note)
            file.execute("COMMIT")
    except sqlite3.Error as error:
        raise OSError(0, str(error), str(path)) from error


def _wkt(crs: str) -> str:
    return str(systems.known(crs).to_wkt())


def _system(crs: str | None) -> tuple[str, int, str, int, str, None]:
    """The row of a coordinate system."""
    if crs is None:
        return _SYSTEMS[0]
    authority, code = systems.known(crs).to_authority() or ("", "")
    number = int(code) if authority == "EPSG" else _OWN
    return crs[:60], number, authority or "NONE", number, _wkt(crs), None


def _write_layer(file: sqlite3.Connection, name: str, found: Iterator[Feature], system: int, note: str) -> None:
    head = list(islice(found, _BATCH))
    if not head:
        return
    names = dict.fromkeys(key for one in head for key in one["properties"])  # those of merged files may differ
    types_of = {key: {type(one["properties"].get(key)) for one in head} - {type(None)} for key in names}
    columns = {key: types for key, types in types_of.items() if types <= {*_TYPES, str}}
    kinds = {key: _TYPES.get(next(iter(types), str), "TEXT") for key, types in columns.items()}
    shapes = _shapes(head)
    of_layer = {shape.geom_type.upper() for shape in shapes}
    geometry = of_layer.pop() if len(of_layer) == 1 else "GEOMETRY"
    deep = 2 if shapely.has_z(shapes).any() else 0  # some may have a height
    named = "".join(f', "{key}" {kind}' for key, kind in kinds.items())
    file.execute(f'CREATE TABLE "{name}" (fid INTEGER PRIMARY KEY, geom {geometry}{named})')
    file.execute(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change, srs_id) "
        "VALUES (?, 'features', ?, ?, ?, ?)",
        (name, name, note, _CHANGED, system),
    )
    row = (name, "geom", geometry, system, deep, 0)
    file.execute("INSERT INTO gpkg_geometry_columns VALUES (?, ?, ?, ?, ?, ?)", row)
    marks = ", ".join("?" * (2 + len(columns)))
    header = struct.pack("<2sBBi", b"GP", 0, 1, system)  # version 1, little-endian, no envelope
    while head:
        rows = zip(head, shapely.to_wkb(_shapes(head), flavor="iso", byte_order=1), strict=True)
        values = ((None, header + blob, *map(_plain, map(one["properties"].get, columns))) for one, blob in rows)
        file.executemany(f'INSERT INTO "{name}" VALUES ({marks})', values)
        head = list(islice(found, _BATCH))


def _plain(value: Any) -> Any:
    """A value as SQLite takes it: dates in UTC as text."""
    return f"{value:%Y-%m-%dT%H:%M:%S}.{value.microsecond // 1000:03}Z" if isinstance(value, datetime) else value


def _shapes(found: Sequence[Feature]) -> np.ndarray:
    return np.asarray(shapely.from_geojson([json.dumps(one["geometry"]) for one in found]))
