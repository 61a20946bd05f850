"""Zones: polygons from GeoJSON, GeoPackage and shapefiles, and which nodes of a terrain lie in them."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely.errors import ShapelyError
from shapely.geometry.base import BaseGeometry

from physics.core.errors import ScenarioError
from physics.core.input_checks import beside_shapes, check_bytes, check_no_pipes, input_file
from physics.core.wording import N_
from physics.terrain.crs import known
from physics.terrain.terrain import Kinds, Terrain
from physics.terrain.units import DEGREE, METRE, height_unit, of_text

Shape = tuple[BaseGeometry, dict[str, Any]]

SUFFIXES = (".geojson", ".json", ".gpkg", ".shp")
_FIRST = {".gpkg": b"SQLite format 3\0", ".shp": b"\0\0\x27\x0a"}  # bytes of a layer: GDAL would take other files too
MAX_GEOJSON_BYTES = 50_000_000  # bytes of a GeoJSON file that are read at once
LARGEST_LAYER = 500_000_000  # bytes of a layer, and of each file beside it: shapes of a whole country
MAX_CROSSINGS = 200  # GEOS would take minutes to take a star of 200 corners apart
MAX_CROSSED_CORNERS = 10_000  # corners of a polygon that crosses itself
FARTHEST = 1e9  # [m] coordinates of a map are smaller; geometry loses its sense where squares overflow


@dataclass(frozen=True)
class Zone:
    """A sound polygon (or several in one) on the map, with its attributes; number: of the feature, from 1."""

    number: int
    polygon: BaseGeometry
    attributes: dict[str, Any]

    @property
    def where(self) -> str:
        """Its name in sentences."""
        return f"feature {self.number}"


@dataclass(frozen=True)
class Zones:
    """The zones of a file in their order, what was repaired, one sentence each, and how many features the file has."""

    path: Path | None = None
    zones: tuple[Zone, ...] = ()
    notes: tuple[str, ...] = ()
    features: int = 0


# ---- vector files -------------------------------------------------------------------------------------


def read_shapes(path: str | Path, crs: str | None = None, heights: bool = False) -> tuple[list[Shape], tuple[str, ...]]:
    """The features of a vector file, each a geometry and its attributes, and notes on what was decided.

    heights: whether geometries keep the z that they have.

    Coordinates are those of ``crs``, the coordinate system of the map: a file in another is re-projected. A file that
    names none is taken to be in the map's, but a GeoJSON file that fits longitude and latitude is that, by its
    standard (RFC 7946), where the map's system is known. Raises ScenarioError for a file that is missing, empty,
    damaged, of an unknown kind or in degrees where the map's system is not known.
    """
    most = MAX_GEOJSON_BYTES if Path(path).suffix.lower() in (".geojson", ".json") else LARGEST_LAYER
    path = input_file(path, SUFFIXES, "shapes", most)
    for file in beside_shapes(path):
        check_bytes(file, "shapes", most)
    if path.suffix.lower() in (".geojson", ".json"):
        shapes, own, notes = _read_geojson(path, heights)
        if own is None and crs is not None and shapes and _fits_degrees(shapes):
            own = "EPSG:4326"
    else:
        shapes, own, notes = _read_layer(path, heights)
    if not shapes:
        raise ScenarioError("", N_("no shapes; expected at least one feature with a geometry"), path)
    moved, more = _projected(shapes, own, crs, path)
    return moved, (*notes, *more)


def _read_geojson(path: Path, heights: bool) -> tuple[list[Shape], str | None, tuple[str, ...]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        found = data["features"] if data["type"] == "FeatureCollection" else [data]
        pairs = [(f["geometry"], f.get("properties") or {}) if f["type"] == "Feature" else (f, {}) for f in found]
        crs = (data.get("crs") or {}).get("properties", {}).get("name")
        crs = None if crs is None else str(crs)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ScenarioError("", N_("not GeoJSON; expected a FeatureCollection"), path) from None
    shapes: list[Shape] = []
    closed = 0
    for n, (geometry, properties) in enumerate(pairs, start=1):
        if geometry is None:
            continue
        try:
            closed += _close(geometry)
            shape = shapely.from_geojson(json.dumps(geometry))
            shapes.append((shape if heights else shapely.force_2d(shape), dict(properties)))
        except (ShapelyError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ScenarioError(f"feature {n}", N_("not a geometry of GeoJSON"), path) from None
    notes = (
        (
            (
                N_("{closed} open rings were closed in {name}", closed, path.name)
                if closed > 1
                else N_("{closed} open ring was closed in {name}", closed, path.name)
            ),
        )
        if closed
        else ()
    )
    return shapes, crs, notes


def _close(geometry: dict[str, Any]) -> int:
    """Repeat the first point of a ring as its last where that is missing; the number of rings that were open."""
    found: list[Any] = geometry["coordinates"] if geometry["type"] in ("Polygon", "MultiPolygon") else []
    polygons = [found] if geometry["type"] == "Polygon" else found
    open_rings = [ring for polygon in polygons for ring in polygon if ring[:1] != ring[-1:]]
    for ring in open_rings:
        ring.append(ring[0])
    return len(open_rings)


def _read_layer(path: Path, heights: bool) -> tuple[list[Shape], str | None, tuple[str, ...]]:
    """The first layer of a GeoPackage or shapefile, by its contents too: other kinds may lead to other machines."""
    check_no_pipes(path)
    first = _FIRST[path.suffix.lower()]
    with path.open("rb") as file:
        if file.read(len(first)) != first:
            raise ScenarioError(
                "", N_("not readable shapes: its contents are not those of a {suffix} file", path.suffix), path
            )
    try:
        import pyogrio
        import pyogrio.raw
        from pyogrio.errors import DataLayerError, DataSourceError
    except ImportError:
        raise ScenarioError(
            "",
            N_("{suffix} needs pyogrio; install it with: pip install 'polhode[gis]', or use GeoJSON", path.suffix),
            path,
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # GDAL's remarks on files that it reads all the same
            layers = [name for name, kind in pyogrio.list_layers(path) if kind is not None]
            if not layers:
                raise ScenarioError("", N_("no layer of shapes"), path)
            meta, _, geometry, columns = pyogrio.raw.read(path, layer=layers[0], force_2d=not heights)
        with np.errstate(invalid="ignore"):  # coordinates are looked at where they are used
            found = shapely.from_wkb(geometry)
    except (DataSourceError, DataLayerError, ShapelyError, ValueError) as error:
        raise ScenarioError("", N_("not readable shapes: {error:.200}", str(error).splitlines()[0]), path) from None
    names = list(meta["fields"])
    rows = ({name: _plain(column[n]) for name, column in zip(names, columns, strict=True)} for n in range(len(found)))
    shapes = [(shape, row) for shape, row in zip(found, rows, strict=True) if shape is not None]
    notes = (
        (N_("of {layers} layers of {name} '{layers2}' was read", len(layers), path.name, layers[0]),)
        if len(layers) > 1
        else ()
    )
    return shapes, meta["crs"], notes


def _plain(value: Any) -> Any:
    """A plain value; None where the table has none."""
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and math.isnan(plain) else plain


def _fits_degrees(shapes: list[Shape]) -> bool:
    west, south, east, north = shapely.total_bounds(np.array([shape for shape, _ in shapes]))
    return bool(west >= -180 and east <= 180 and south >= -90 and north <= 90)


def _projected(
    shapes: list[Shape], own: str | None, crs: str | None, path: Path
) -> tuple[list[Shape], tuple[str, ...]]:
    """The shapes in the map's coordinate system ``crs``, their heights in metres."""
    if own is None:
        return shapes, ()
    from rasterio._err import CPLE_BaseError  # what PROJ says, where rasterio has no words of its own
    from rasterio.errors import RasterioError
    from rasterio.warp import transform

    system = of_text(own, "crs", path)
    theirs = str(system.text)
    corners = shapely.get_coordinates([shape for shape, _ in shapes], include_z=True)
    heights = np.nan_to_num(corners[:, 2]).any()
    unit, notes = height_unit(system, "crs", path) if heights else (1.0, ())
    if crs is None:
        if system.plan is not None and not system.plan.same(METRE):
            plan = N_("degrees") if system.plan == DEGREE else system.plan.name
            raise ScenarioError(
                "crs", N_("in {plan}, while the terrain names no coordinate system in metres", plan), path
            )
        moves = False
        notes += (
            N_("the terrain names no coordinate system; that of {name}, {theirs}, is taken for its", path.name, theirs),
        )
    elif moves := known(theirs) != known(crs):
        notes += (N_("shapes were re-projected from {theirs} to {crs} in {name}", theirs, crs, path.name),)

    def moved(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        x, y = transform(theirs, crs, points[:, 0], points[:, 1]) if moves else points[:, :2].T
        return np.column_stack([x, y, points[:, 2:] * unit])

    if not moves and unit == 1.0:
        return shapes, notes
    try:
        return [(shapely.transform(shape, moved, include_z=shape.has_z), row) for shape, row in shapes], notes
    except (RasterioError, CPLE_BaseError) as error:
        why = " ".join(str(error).split())
        text = N_(
            "{theirs:.60} cannot be converted to the map's {crs:.60} ({why:.80}); expected another system",
            theirs,
            crs,
            why,
        )
        raise ScenarioError("crs", text, path) from None


# ---- polygons on a map --------------------------------------------------------------------------------


def read_zones(path: Path | None, terrain: Terrain) -> Zones:
    """The polygons of a file that lie on the terrain; none without a file.

    Polygons that cross themselves are repaired, those off the map left out; both are noted. ScenarioError for another
    geometry than polygons, and where all of them lie off the map.
    """
    if path is None:
        return Zones()
    shapes, remarks = read_shapes(path, terrain.crs)
    zones, notes, off = [], list(remarks), 0
    for n, (shape, attributes) in enumerate(shapes, start=1):
        where = f"feature {n}"
        try:
            polygon, repaired = sound(shape, f"{where} of {path.name}")
        except ScenarioError as error:
            raise ScenarioError(where, error.message, path) from None
        notes += repaired
        if on_map(polygon, terrain):
            zones.append(Zone(n, polygon, attributes))
        else:
            off += 1
    if not zones:
        raise ScenarioError("", N_("all {off} polygons lie off the map; expected {reach}", off, terrain.reach), path)
    if off:
        notes.append(N_("{off} of {count} polygons lie off the map in {file}", off, len(shapes), path.name))
    return Zones(path, tuple(zones), tuple(notes), len(shapes))


def sound(shape: BaseGeometry, where: str) -> tuple[BaseGeometry, tuple[str, ...]]:
    """A valid polygon (or several in one) from a shape, and a note if it had to be repaired; ``where`` names it."""
    if shape.geom_type not in ("Polygon", "MultiPolygon"):
        raise ScenarioError(where, N_("expected a polygon, got {geom_type}", shape.geom_type))
    if not (np.abs(shapely.get_coordinates(shape)) < FARTHEST).all():
        raise ScenarioError(where, N_("expected finite coordinates in metres"))
    notes: tuple[str, ...] = ()
    if not shape.is_valid:
        check_crossings(shape, where)
        parts = shapely.get_parts(shapely.make_valid(shape))
        shape = shapely.union_all([p for p in parts if p.geom_type in ("Polygon", "MultiPolygon")])
        notes = (N_("a polygon that crosses itself was repaired: {where}", where),)
    if not shape.area > 0.0:
        raise ScenarioError(where, N_("the polygon has no area"))
    return shape, notes


def check_crossings(shapes: Any, where: str) -> None:
    """ScenarioError where sides of polygons cross more often than can be sorted out within a second or two."""
    corners, ring = shapely.get_coordinates(shapely.get_rings(shapely.get_parts(shapes)), return_index=True)
    if len(corners) > MAX_CROSSED_CORNERS:
        raise ScenarioError(
            where,
            N_(
                "crosses itself, and has more than {most_corners} corners; expected a sound polygon",
                MAX_CROSSED_CORNERS,
            ),
        )
    along = ring[1:] == ring[:-1]
    sides = shapely.linestrings(np.stack([corners[:-1][along], corners[1:][along]], axis=1))
    tree, found = shapely.STRtree(sides), 0
    for first in range(0, len(sides), 256):
        found += tree.query(sides[first : first + 256], predicate="crosses").shape[1]
        if found > 2 * MAX_CROSSINGS:  # each pair comes twice
            raise ScenarioError(
                where, N_("its sides cross more than {most_crossings} times; expected a sound polygon", MAX_CROSSINGS)
            )


def on_map(polygon: BaseGeometry, terrain: Terrain) -> bool:
    """Return True if any of the polygon lies on the map."""
    x0, x1, y0, y1 = terrain.extent
    return bool(polygon.intersects(shapely.box(x0, y0, x1, y1)))


def rasterised(
    polygons: Sequence[BaseGeometry], kinds: Sequence[int], terrain: Terrain, below: Kinds | None = None
) -> tuple[Kinds, list[str]]:
    """(ny, nx) the kind of the last polygon that holds each node, where none does that ``below``, or 0; and notes.

    kinds: 0 .. 255, one for each polygon.
    """
    from rasterio import Affine
    from rasterio.enums import MergeAlg
    from rasterio.features import rasterize

    grid = {"out_shape": terrain.heights.shape, "transform": Affine(*terrain.transform)}
    last = np.zeros(terrain.heights.shape, np.uint8) if below is None else np.ascontiguousarray(below[::-1])
    rasterize(zip(polygons, kinds, strict=True), out=last, transform=grid["transform"])
    count = rasterize([(p, 1) for p in polygons], dtype=np.uint16, merge_alg=MergeAlg.add, **grid)
    shared = int(np.count_nonzero(count > 1))
    notes: list[str] = (
        [N_("polygons overlap on {shared} nodes of the map; there the later wins", shared)] if shared else []
    )
    if not count.any():
        notes.append(N_("polygons are smaller than the map's cells and hold none of its nodes"))
    return np.ascontiguousarray(last[::-1]), notes
