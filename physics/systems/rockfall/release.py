"""Releases: where on the map rocks start: points, lines, polygons, or the cells of steep slopes."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from physics.core.errors import ScenarioError, naming
from physics.core.rotation import Array
from physics.core.text_tables import MAX_ROWS, CsvRows, read_rows
from physics.core.wording import N_, joined, per_cent
from physics.systems.rockfall.scenario import ReleaseConfig
from physics.terrain.terrain import Terrain
from physics.terrain.zones import check_crossings, read_shapes

HIGHEST = 1e5  # [m] no rock starts higher
FEW = 1000  # corners of a polygon that is taken apart into triangles at once, where the map has holes
LABELS = ("id", "fid", "name", "label", "comment")  # columns of a table that act on nothing, as everyone knows


@dataclass(frozen=True)
class ReleaseSource:
    """Pieces of one kind, among which starts are drawn: points, segments, triangles or cells.

    Attributes
    ----------
    corner, a, b : (n, 2) [m] corner and sides of each piece; points have no sides, segments one, cells are
        parallelograms
    weights : (n,) running sum of lengths or areas; None where all pieces count alike
    folded : whether the pieces are triangles, not parallelograms
    in_turn : whether rocks take the pieces one after the other, as points are
    altitudes : (n,) z of points, of the centre of mass there [m], NaN where a point has none; None where none has
    outlines : the lines or polygons that the pieces make up, without what lies off the map; () for points and cells
    notes : what was left out or repaired, one sentence each
    """

    corner: Array
    a: Array
    b: Array
    weights: Array | None = None
    folded: bool = False
    in_turn: bool = False
    altitudes: Array | None = None
    outlines: tuple[BaseGeometry, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def shapes(self) -> tuple[BaseGeometry, ...]:
        """Shapes from which the same source is read again: points, lines or polygons; none for cells."""
        if not self.in_turn:
            return self.outlines
        if self.altitudes is None:
            return tuple(shapely.points(self.corner))
        high = shapely.points(np.column_stack([self.corner, self.altitudes]))
        return tuple(np.where(np.isnan(self.altitudes), shapely.points(self.corner), high))

    def place(self, rock: int, rng: np.random.Generator) -> tuple[float, float]:
        """Start x, y [m] of a rock of an ensemble: the points in turn, else anywhere, evenly."""
        which, s, t = rng.random(3)
        if self.in_turn:
            piece = rock % len(self.corner)
        elif self.weights is None:
            piece = int(which * len(self.corner))
        else:
            piece = int(np.searchsorted(self.weights, which * self.weights[-1], side="right"))
        if self.folded and s + t > 1.0:
            s, t = 1.0 - s, 1.0 - t
        x, y = self.corner[piece] + s * self.a[piece] + t * self.b[piece]
        return float(x), float(y)

    def altitude(self, rock: int) -> float | None:
        """z [m] of the centre of mass of a rock at its start; None where its height above the ground is given."""
        z = math.nan if self.altitudes is None else float(self.altitudes[rock % len(self.altitudes)])
        return None if math.isnan(z) else z


def source_of(release: ReleaseConfig, terrain: Terrain, folder: Path) -> ReleaseSource:
    """Source of the starts of a release on a terrain; relative file names start at ``folder``.

    Raises ScenarioError, naming the field, for a release that is empty or off the map.
    """
    if release.place in (None, "position"):
        place = release.position or terrain.steepest()
        if not terrain.contains(*place):  # beyond the edge, or in a hole
            at = "({:.10g}, {:.10g})".format(*place)
            raise ScenarioError("release.position", N_("{at} lies off the map; expected {reach}", at, terrain.reach))
        return _drawn([shapely.Point(place)], terrain, "release.position")
    if release.slope_above is not None:
        return _steep(release.slope_above, terrain)
    if release.file is not None:
        path = folder / release.file
        shapes, notes = (_table(path), ()) if path.suffix.lower() == ".csv" else _shapes(path, terrain)
        with naming(path):
            source = _drawn(shapes, terrain, "")
            _check_altitudes(source, terrain)
        if release.gives("height") and source.altitudes is not None and not np.isnan(source.altitudes).any():
            raise ScenarioError("release.height", N_("expected none beside the z of the points in {name}", path.name))
        return replace(source, notes=(*notes, *(N_("{name}: {note}", path.name, note) for note in source.notes)))
    shape = shapely.LineString(release.line) if release.line is not None else shapely.Polygon(release.polygon)
    source = _drawn([shape], terrain, f"release.{release.place}")
    return replace(
        source, notes=tuple(N_("{place}: {note}", f"release.{release.place}", note) for note in source.notes)
    )


def _check_altitudes(source: ReleaseSource, terrain: Terrain) -> None:
    """ScenarioError for a point in the ground."""
    if source.altitudes is None:
        return
    if (source.altitudes > HIGHEST).any():
        raise ScenarioError("z", N_("expected at most {highest:g} m", HIGHEST))
    ground = terrain.heights_at(*source.corner.T)
    for n in np.flatnonzero(source.altitudes < ground)[:1]:
        x, y = source.corner[n]
        raise ScenarioError(
            "z",
            N_(
                "{n:.10g} m at ({x:.10g}, {y:.10g}) lies below the ground, which is at {n2:.6g} m; "
                "expected that of the centre of mass, or points without z",
                source.altitudes[n],
                x,
                y,
                ground[n],
            ),
        )


def _steep(limit: float, terrain: Terrain) -> ReleaseSource:
    """The cells of the map between four nodes that are steeper in their middle than the limit [deg]."""
    h, (dx, dy) = terrain.heights, terrain.cell
    zx = (h[:-1, 1:] - h[:-1, :-1] + h[1:, 1:] - h[1:, :-1]) / (2.0 * dx)
    zy = (h[1:, :-1] - h[:-1, :-1] + h[1:, 1:] - h[:-1, 1:]) / (2.0 * dy)
    slope = np.hypot(zx, zy)
    if terrain.holes.size:
        slope[terrain.holes > 0] = 0.0
    j, i = np.nonzero(slope > math.tan(math.radians(limit)))
    if not len(i):
        steepest = math.degrees(math.atan(float(slope.max())))
        raise ScenarioError(
            "release.slope_above",
            N_("no cell is steeper than {limit:g}°; the steepest has {steepest:.1f}°", limit, steepest),
        )
    corner = np.stack([terrain.origin[0] + i * dx, terrain.origin[1] + j * dy], axis=1)
    return ReleaseSource(corner, np.broadcast_to([dx, 0.0], corner.shape), np.broadcast_to([0.0, dy], corner.shape))


# ---- shapes -------------------------------------------------------------------------------------------

_KINDS = (N_("points"), N_("lines"), N_("polygons"))  # names by dimension


def _drawn(shapes: list[BaseGeometry], terrain: Terrain, field: str) -> ReleaseSource:
    """The source that shapes draw on the map; what lies off the map is left out, with a note."""
    parts = _parts(shapes)
    kinds = np.unique(shapely.get_dimensions(parts))
    if len(kinds) != 1:
        found = N_("a mix of {kinds}", joined(" and ", [_KINDS[k] for k in kinds])) if len(kinds) else N_("none")
        raise ScenarioError(field, N_("expected points, lines or polygons, found {found}", found))
    kind, notes = int(kinds[0]), []
    if not (np.abs(shapely.get_coordinates(parts)) < 1e9).all():  # also NaN
        raise ScenarioError(field, N_("expected finite coordinates within a million kilometres"))
    if kind == 2:
        if not (valid := shapely.is_valid(parts)).all():
            check_crossings(parts[~valid], field)
            parts = _parts(shapely.make_valid(parts), 2)
            notes.append(N_("a polygon that crosses itself was taken apart into the areas that it encloses"))
        parts = _parts([shapely.union_all(parts)])  # overlaps count once
    if kind > 0 and shapely.has_z(parts).any():
        notes.append(N_("heights of {kind} are not used: rocks start release.height above the ground", _KINDS[kind]))
    whole = _size(parts, kind)
    if not whole > 0.0:
        raise ScenarioError(
            field, N_("expected a line that has a length") if kind == 1 else N_("expected a polygon with an area")
        )
    x0, x1, y0, y1 = terrain.extent
    frame = shapely.box(x0, y0, x1, y1)  # an intersection may change the order of points, and lose their z
    inner = parts[shapely.intersects(parts, frame)] if kind == 0 else _parts(shapely.intersection(parts, frame), kind)
    if terrain.holes.size and len(inner):
        inner = _outside_holes(inner, kind, terrain)
    inside = _size(inner, kind)
    if not inside > 0.0:
        what = (
            N_("({x:.10g}, {y:.10g}) lies", *shapely.get_coordinates(parts)[0]) if kind == 0 else N_("all of it lies")
        )
        raise ScenarioError(field, N_("{what} off the map; expected {reach}", what, terrain.reach))
    if inside < whole * (1.0 - 1e-9):
        notes.append(
            N_(
                "{share} of the {kind} lie off the map and are left out",
                per_cent(1.0 - inside / whole, 1),
                _KINDS[kind],
            )
        )
    return replace(_pieces(inner, kind), outlines=tuple(shapely.force_2d(inner)) if kind else (), notes=tuple(notes))


def _outside_holes(parts: np.ndarray, kind: int, terrain: Terrain) -> np.ndarray:
    """Parts of shapes of one kind that lie outside of the map's holes."""
    from rasterio import Affine
    from rasterio.features import shapes

    if kind == 0:
        return np.asarray(parts[[terrain.contains(x, y) for x, y in shapely.get_coordinates(parts).tolist()]])
    bounds = shapely.total_bounds(parts)
    most = np.array(terrain.holes.shape[::-1]) - 1  # a line may lie on the edge of the map
    first = np.clip(np.floor((bounds[:2] - terrain.origin) / terrain.cell).astype(int), 0, most)
    last = np.floor((bounds[2:] - terrain.origin) / terrain.cell).astype(int) + 1
    near = terrain.holes[first[1] : last[1], first[0] : last[0]]
    (dx, dy), (west, south) = terrain.cell, terrain.origin + first * terrain.cell
    outlines = shapes(near, near > 0, transform=Affine(dx, 0.0, west, 0.0, dy, south))  # rows from the south
    holes = shapely.union_all([shapely.from_geojson(json.dumps(outline)) for outline, _ in outlines])
    left = _parts(shapely.difference(parts, holes), kind)
    return left if kind == 1 else _parts([piece for part in left for piece in _halved(part)], kind)


def _halved(polygon: BaseGeometry) -> list[BaseGeometry]:
    """Pieces of a polygon of at most FEW corners each: triangles of many holes at once would take minutes."""
    if shapely.get_num_coordinates(polygon) <= FEW:
        return [polygon]
    x0, y0, x1, y1 = polygon.bounds
    x, y = (0.5 * (x0 + x1), y1) if x1 - x0 > y1 - y0 else (x1, 0.5 * (y0 + y1))
    rest = (x, y0) if x < x1 else (x0, y)
    halves = shapely.clip_by_rect(polygon, x0, y0, x, y), shapely.clip_by_rect(polygon, *rest, x1, y1)
    return [piece for half in halves for part in _parts([half], 2) for piece in _halved(part)]


def _parts(shapes: Any, kind: int | None = None) -> np.ndarray:
    """The points, lines and polygons in shapes and collections of shapes; of one kind, if that is given."""
    parts = shapely.get_parts(shapely.get_parts(np.atleast_1d(np.asarray(shapes, object))))  # collections nest
    parts = parts[~shapely.is_empty(parts)]
    return np.asarray(parts if kind is None else parts[shapely.get_dimensions(parts) == kind])


def _size(parts: np.ndarray, kind: int) -> float:
    """Number, length [m] or area [m²] of shapes of one kind."""
    return float((len(parts), shapely.length(parts).sum(), shapely.area(parts).sum())[kind])


def _pieces(parts: np.ndarray, kind: int) -> ReleaseSource:
    if kind == 0:
        places, *altitudes = np.split(shapely.get_coordinates(parts, include_z=True), [2], axis=1)
        known = altitudes[0][:, 0] if shapely.has_z(parts).any() else None
        return ReleaseSource(places, np.zeros_like(places), np.zeros_like(places), in_turn=True, altitudes=known)
    if kind == 1:
        places, line = shapely.get_coordinates(parts, return_index=True)
        along = line[1:] == line[:-1]
        corner, a = places[:-1][along], (places[1:] - places[:-1])[along]
        return ReleaseSource(corner, a, np.zeros_like(a), np.cumsum(np.hypot(*a.T)))
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(parts))
    corner, second, third, _ = np.moveaxis(shapely.get_coordinates(triangles).reshape(-1, 4, 2), 1, 0)
    a, b = second - corner, third - corner
    return ReleaseSource(corner, a, b, np.cumsum(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])), folded=True)


# ---- files --------------------------------------------------------------------------------------------


def _shapes(path: Path, terrain: Terrain) -> tuple[list[BaseGeometry], tuple[str, ...]]:
    shapes, notes = read_shapes(path, terrain.crs, heights=True)
    return [shape for shape, _ in shapes], notes


def _table(path: Path) -> list[BaseGeometry]:
    """Points of a table with the columns x, y and perhaps z, in this order where it has no header."""
    table = read_rows(path, N_("release points"), MAX_ROWS + 2)
    path, rows = table.path, table.rows
    names = ["x", "y", "z"][: max(2, len(rows[0][1]) if rows else 0)]
    if rows and not rows[0][1][0].lstrip("+-")[:1].isdigit():
        names = [name.lower().split(" ")[0] for name in rows[0][1]]
        _check_columns(names, path)
        rows = rows[1:]
    columns = [names.index(name) for name in "xyz" if name in names]
    if not 0 < len(rows) <= MAX_ROWS:
        found = N_("more than {most} points", MAX_ROWS) if rows else N_("no points")
        raise ScenarioError("", N_("{found}; expected lines with x, y", found), path)
    points = []
    for i, row in rows:
        try:
            points.append(_numbers(table, row, columns, len(names)))
        except (ValueError, IndexError):
            wanted, got = ", ".join(names), " ".join(",".join(row).split())
            raise ScenarioError(
                N_("line {number}", i), N_("expected {wanted}, got '{got}'", wanted, got[:40]), path
            ) from None
    return list(shapely.points(np.array(points)))


def _numbers(table: CsvRows, row: list[str], columns: list[int], most: int) -> list[float]:
    """The numbers in some columns of a row of at most so many words; ValueError or IndexError where they are none."""
    if any(row[most:]):
        raise ValueError(row)
    return [table.marks.number(row[column]) for column in columns]


def _check_columns(names: list[str], path: Path) -> None:
    """ScenarioError for a header without x and y, or with a column that would do nothing."""
    if not {"x", "y"} <= set(names):
        raise ScenarioError(
            N_("line {number}", 1),
            N_("expected columns x and y, got '{names}'", " ".join(", ".join(names).split())[:60]),
            path,
        )
    for name in names:
        if names.count(name) > 1 and name in "xyz":
            raise ScenarioError(N_("line {number}", 1), N_("expected one column '{name}'", name), path)
        if name not in {"x", "y", "z", "", *LABELS}:
            known = N_("x, y, z, and {labels} for people", ", ".join(LABELS))
            raise ScenarioError(
                N_("line {number}", 1),
                N_("the column '{name:.40}' would do nothing; expected {known}", " ".join(name.split()), known),
                path,
            )
