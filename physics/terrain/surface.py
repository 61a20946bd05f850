"""Surfaces as terrain: meshes in one or several pieces, and triangles between points at irregular places.

They are laid on a grid: over each node the uppermost counts, and overhangs are reported. What a surface does not
cover is no part of the map.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from physics.bodies.mesh_io import Mesh, MeshReading, read_mesh
from physics.core.cancellation import check_wanted
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.terrain.nodata import NumbersFound, check_heights, gaps_closed, in_metres, law_of, mended, undeclared
from physics.terrain.raster import MAX_NODES, Window, check_cell, check_degrees, check_size, check_window
from physics.terrain.terrain import Kinds, Terrain
from physics.terrain.units import DeclaredSystem, agreed, declared_beside, height_unit

# ---- triangles on a grid ------------------------------------------------------------------------------

AT_ONCE = 2_000_000  # rows of triangles, or nodes, that are held at once: some 200 MB
_EDGE = 1e-6  # share of a cell: nodes that near to the side of a triangle are in it


def lay(
    highest: Array, lowest: Array, points: Array, triangles: np.ndarray, origin: tuple[float, float], cell: float
) -> None:
    """Raise ``highest`` and lower ``lowest`` (ny, nx) to the triangles over and under each node.

    points (n, 3) [m], triangles (m, 3) of their numbers; origin: x, y [m] of the node [0, 0]. Upright triangles, and
    those between the nodes, change nothing.
    """
    u, v, z = np.moveaxis((points[triangles] - (*origin, 0.0)) / (cell, cell, 1.0), 2, 0)
    across = (u[:, 1] - u[:, 0]) * (v[:, 2] - v[:, 0]) - (u[:, 2] - u[:, 0]) * (v[:, 1] - v[:, 0])
    flat = np.abs(across) > 1e-12
    u, v, z, across = u[flat], v[flat], z[flat], across[flat]
    first = np.maximum(np.ceil(v.min(axis=1) - _EDGE), 0.0).astype(np.int64)
    last = np.minimum(np.floor(v.max(axis=1) + _EDGE), highest.shape[0] - 1.0).astype(np.int64)
    for part in _parts(np.maximum(last - first + 1, 0)):
        check_wanted()
        _lay_part(highest, lowest, (u[part], v[part], z[part]), across[part], first[part], last[part])


def _lay_part(
    highest: Array,
    lowest: Array,
    corners: tuple[Array, Array, Array],
    across: Array,
    first: np.ndarray,
    last: np.ndarray,
) -> None:
    """``lay`` for triangles with corners (m, 3) in cells and [m], and the rows of the grid that they reach."""
    u, v, z = corners
    which, row = _spread(first, last)
    left, right = _ends(u[which], v[which], row)
    start = np.maximum(np.ceil(left - _EDGE), 0.0).astype(np.int64)
    stop = np.minimum(np.floor(right + _EDGE), highest.shape[1] - 1.0).astype(np.int64)
    rise = z[:, 1:] - z[:, :1]
    along = (rise[:, 0] * (v[:, 2] - v[:, 0]) - rise[:, 1] * (v[:, 1] - v[:, 0])) / across
    up = (rise[:, 1] * (u[:, 1] - u[:, 0]) - rise[:, 0] * (u[:, 2] - u[:, 0])) / across
    low, high = z.min(axis=1), z.max(axis=1)
    width = highest.shape[1]
    for part in _parts(np.maximum(stop - start + 1, 0)):
        span, column = _spread(start[part], stop[part])
        t, j = which[part][span], row[part][span]
        height = z[t, 0] + along[t] * (column - u[t, 0]) + up[t] * (j - v[t, 0])
        height = np.clip(height, low[t], high[t])
        np.maximum.at(highest.reshape(-1), j * width + column, height)
        np.minimum.at(lowest.reshape(-1), j * width + column, height)


def _parts(sizes: np.ndarray) -> list[slice]:
    """Parts of a list of so many things each that have about AT_ONCE together; one thing stays whole."""
    ends = np.cumsum(sizes)
    cuts = np.searchsorted(ends, np.arange(1, int(sizes.sum()) // AT_ONCE + 1) * AT_ONCE)
    places = np.unique(np.concatenate([[0], cuts, [len(sizes)]]))
    return [slice(a, b) for a, b in zip(places[:-1].tolist(), places[1:].tolist(), strict=True)]


def _spread(first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number of the range and each number in it, of ranges first .. last."""
    lengths = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(len(first)), lengths)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + first[which]


def _ends(u: Array, v: Array, row: np.ndarray) -> tuple[Array, Array]:
    """Columns at which a row enters and leaves each triangle with corners u, v (n, 3), in cells."""
    left, right = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        span = v[:, b] - v[:, a]
        share = np.divide(row - v[:, a], span, out=np.full(len(row), np.nan), where=span != 0.0)
        reaches = (share >= 0.0) & (share <= 1.0) | (np.abs(row - v[:, a]) <= _EDGE) | (np.abs(row - v[:, b]) <= _EDGE)
        near = np.where(np.abs(row - v[:, a]) <= _EDGE, 0.0, np.where(np.abs(row - v[:, b]) <= _EDGE, 1.0, share))
        at = np.where(reaches, u[:, a] + near * (u[:, b] - u[:, a]), np.nan)
        left, right = np.fmin(left, at), np.fmax(right, at)
    return left, right


# ---- meshes and scattered points ----------------------------------------------------------------------

LARGEST_MESH = 256_000_000  # bytes of a file: five million triangles of a binary .stl
MAX_IRREGULAR_POINTS = 3_000_000  # points between which triangles are sought
CHOSEN = 4_000_000  # nodes of a map whose cells the program chooses, at most
SLIVER = 12.0  # mean distances of points: triangles with a longer side lie outside of them
FOLD = 0.01  # [m] of height over a node from which a surface counts as lying above itself


def read_surface(
    paths: Sequence[Path],
    window: Window | None = None,
    resolution: float | None = None,
    nodata: str | None = None,
    crs: str | None = None,
    up: str = "z",
) -> Terrain:
    """The terrain of meshes (.stl, .obj, .ply), piece by piece; ``Terrain.pieces`` says which is where.

    resolution: of its cells [m], by default chosen; nodata: without it gaps are closed, and the map ends where the
    surface does; the others as in physics.terrain.dem.read_terrain. Raises ScenarioError, naming the file, for what
    is no surface.
    """
    found = [agreed(crs, [declared_beside(path)], path) for path in paths]
    read = [_mesh(path, up, system) for path, system in zip(paths, found, strict=True)]
    pieces, notes = [mesh for mesh, _ in read], [note for _, notes in read for note in notes]
    named = [(path, system.text) for path, system in zip(paths, found, strict=True) if system.text is not None]
    for path, text in named[1:]:
        if text != named[0][1]:
            first, theirs = named[0]
            sentence = N_(
                "is in {text:.60}, while {name} is in {theirs:.60}; expected one coordinate system",
                text,
                first.name,
                theirs,
            )
            raise ScenarioError("", sentence, path)
    terrain = _laid(pieces, paths, window, resolution)
    terrain = _without_gaps(replace(terrain, notes=(*notes, *terrain.notes)), nodata, paths[0])
    return replace(terrain, crs=named[0][1] if named else None)


def _mesh(path: Path, up: str, system: DeclaredSystem) -> tuple[Mesh, list[str]]:
    """The triangles of a file that have heights at each corner, and notes on the file."""
    unit, converted = height_unit(system, "coordinate system", path)
    mesh = read_mesh(path, N_("a terrain"), LARGEST_MESH, MeshReading(up=up))
    if not len(mesh.triangles):
        raise ScenarioError("", N_("no triangles; expected a surface"), path)
    notes = [*converted, *(N_("{name}: {note}", path.name, note) for note in mesh.notes)]
    found = in_metres(mesh.points[:, 2], law_of(unit))
    check_heights(found, law_of(unit), path)
    if not found.unknown:
        return mesh, notes
    known = ~np.isnan(mesh.points[mesh.triangles][..., 2]).any(axis=1)
    if not known.any():
        raise ScenarioError("", N_("no triangle has a height at each corner; expected a surface"), path)
    notes.append(
        N_("{name}: {unknown} points without height were left out{found}", path.name, found.unknown, undeclared(found))
    )
    return mesh._replace(triangles=mesh.triangles[known]), notes


def highest(points: Array) -> tuple[Array, int]:
    """Highest of the points (n, 3) at each place, by x and y, and how many were left out; NaN is lowest."""
    order = np.lexsort((-points[:, 2], points[:, 1], points[:, 0]))  # NaN last
    _, first = np.unique(points[order][:, :2], axis=0, return_index=True)
    return points[order][first], len(points) - len(first)


def lost_points(lost: int, path: Path) -> tuple[str, ...]:
    """A note on points that share a place, as those at the border of two tiles do."""
    return (N_("{name}: {lost} points share a place with others; the highest counts", path.name, lost),) if lost else ()


def between_points(
    points: Array, path: Path, window: Window | None, resolution: float | None, nodata: str | None, found: NumbersFound
) -> Terrain:
    """The terrain of triangles (Delaunay) between points (n, 3) [m] at irregular places; the others: read_surface.

    Heights are NaN where none is known; found: what was found in their numbers.
    """
    from scipy.spatial import Delaunay, QhullError  # here: it takes long to load, and a window waits for it

    known = np.isfinite(points[:, 2])
    if not (np.abs(points[:, :2]) < 1e9).all() or known.sum() < 3:
        expected = N_("expected coordinates within a million kilometres, in metres, and heights of at least 3 points")
        raise ScenarioError("", expected, path)
    points = points[known]
    kept, lost = highest(points)
    try:
        triangles = Delaunay(kept[:, :2] - kept[:, :2].mean(axis=0)).simplices
    except QhullError:
        raise ScenarioError("", N_("the points lie on one line; expected a grid or a surface"), path) from None
    spacing = _spacing(Mesh(kept, triangles))
    a, b, c = np.moveaxis(kept[triangles][..., :2], 1, 0)
    longest = np.max([np.hypot(*(p - q).T) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    terrain = _laid([Mesh(kept, triangles[longest <= SLIVER * spacing])], [path], window, resolution)
    notes: list[str] = [
        N_(
            "{name}: {points} points at irregular places; heights are those of triangles between them",
            path.name,
            len(points),
        )
    ]
    if found.unknown:
        notes.append(
            N_(
                "{name}: {unknown} points without height were left out{found}",
                path.name,
                found.unknown,
                undeclared(found),
            )
        )
    notes.extend(lost_points(lost, path))
    return _without_gaps(replace(terrain, notes=(*notes, *terrain.notes)), nodata, path)


def _without_gaps(terrain: Terrain, nodata: str | None, path: Path) -> Terrain:
    if nodata is not None:
        return mended(terrain, nodata, path)
    return mended(gaps_closed(terrain, path), "cut", path)


def _spacing(mesh: Mesh) -> float:
    """The mean distance [m] of the points of a mesh as seen from above: two triangles of it make a square."""
    a, b, c = np.moveaxis(mesh.points[mesh.triangles][..., :2], 1, 0)
    (p, q), (r, s) = (b - a).T, (c - a).T
    area = 0.5 * float(np.abs(p * s - q * r).sum())
    return math.sqrt(2.0 * area / max(len(mesh.triangles), 1))


def _laid(pieces: Sequence[Mesh], paths: Sequence[Path], window: Window | None, resolution: float | None) -> Terrain:
    """The grid of pieces, NaN where there is none, and what was decided."""
    used = [mesh.points[np.unique(mesh.triangles)] for mesh in pieces]  # other points belong to no surface
    low, high = (edge([edge(points, axis=0) for points in used], axis=0) for edge in (np.min, np.max))
    extent = float(low[0]), float(high[0]), float(low[1]), float(high[1])
    if window is not None:
        check_window(window, extent, paths[0])
        extent = (
            max(extent[0], window[0]),
            min(extent[1], window[2]),
            max(extent[2], window[1]),
            min(extent[3], window[3]),
        )
    if not min(extent[1] - extent[0], extent[3] - extent[2]) > 0.0:
        raise ScenarioError("", N_("the surface is upright, or a point, as seen from above; expected ground"), paths[0])
    cell, notes = (resolution, []) if resolution is not None else _chosen(pieces, extent, paths)
    check_cell((cell, cell), paths[0])
    west, south = (math.ceil(side / cell - 1e-6) for side in (extent[0], extent[2]))
    nx, ny = (math.floor(side / cell + 1e-6) - first + 1 for side, first in ((extent[1], west), (extent[3], south)))
    own = min(map(_spacing, pieces))
    check_size(nx, ny, MAX_NODES, paths[0], extent, own)
    origin, shape = (west * cell, south * cell), (ny, nx)
    heights, lowest = np.full(shape, -np.inf), np.full(shape, np.inf)
    kinds: Kinds = np.zeros(shape, np.uint8)
    for number, mesh in enumerate(pieces, 1):
        before = heights.copy()
        lay(heights, lowest, mesh.points, mesh.triangles, origin, cell)
        kinds[heights > before] = number
    known = heights > -np.inf
    check_degrees(np.where(known, heights, np.nan), (cell, cell), own, extent, paths[0])
    folded = known & (np.where(known, heights, 0.0) - np.where(known, lowest, 0.0) > FOLD)
    if folded.any():
        deepest = float((heights[folded] - lowest[folded]).max())
        where = N_("the surface lies above itself over {folded} of {size} nodes", np.count_nonzero(folded), folded.size)
        notes.append(
            N_("{files}: {where}, by up to {deepest:.3g} m; the uppermost counts", _named(paths), where, deepest)
        )
    return Terrain(
        np.where(known, heights, np.nan), origin, (cell, cell), None, paths[0].stem, tuple(notes), pieces=kinds
    )


def _chosen(
    pieces: Sequence[Mesh], extent: tuple[float, float, float, float], paths: Sequence[Path]
) -> tuple[float, list[str]]:
    """A size of cells [m] that is 1, 2 or 5 times a power of ten, and a note on it.

    As the points lie, but at most a hundredth of the map, and not more than CHOSEN of them.
    """
    sides = extent[1] - extent[0], extent[3] - extent[2]
    fine = min(min(_spacing(mesh) for mesh in pieces), min(sides) / 100.0)
    wanted = max(fine, math.sqrt(sides[0] * sides[1] / CHOSEN), 1e-4)
    power = 10.0 ** math.floor(math.log10(wanted))
    cell = float(f"{max(d for d in (1, 2, 5) if d * power <= wanted * (1 + 1e-9)) * power:.3g}")
    if sides[0] * sides[1] / cell**2 > CHOSEN:
        cell = float(f"{min(d for d in (2, 5, 10) if d * power > cell * 1.001) * power:.3g}")
    return cell, [
        N_("{files}: cells of {cell:g} m were chosen; [terrain] resolution gives others", _named(paths), cell)
    ]


def _named(paths: Sequence[Path]) -> str:
    return paths[0].name if len(paths) == 1 else N_("{name} and {paths} more", paths[0].name, len(paths) - 1)
