"""Actors of an ensemble: the paths of thousands of rocks as one, where they started and rest, and the barriers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonDataModel import vtkCellArray

from app.stage.actor_group import ActorGroup, draw_nearer, move, polygons, polyline, tinted
from app.stage.ground.ground import Ground
from app.stage.text.colour_map import ALONG, Bar, spanning
from app.stage.text.upright_labels import projected
from app.stage.theme_colours import StageColours
from app.system.language import plural, tr
from physics.core.rotation import Array
from physics.terrain.terrain import Terrain

MOST = 300_000  # points of paths that are drawn: more of them take software longer than one waits for a picture
QUANTITIES = {  # name -> (column of values, title, unit)
    "energy": (0, "kinetic energy", "J"),
    "speed": (1, "speed", "m/s"),
    "rotation": (2, "spin rate", "rad/s"),
    "height": (3, "height above ground", "m"),
}


Flags = NDArray[np.bool_]  # a truth value for each rock, or for each point


class PathTable(Protocol):
    """Paths of rocks, as physics.ensembles.rock_record keeps them.

    rock (rocks,) their numbers; offsets (rocks + 1,) of their points; points (n, 3) [m], x and y from the terrain's
    origin; values (n, 4): kinetic energy [J], velocity [m/s], rotation [rad/s], jump height [m]
    """

    @property
    def rock(self) -> np.ndarray: ...
    @property
    def offsets(self) -> np.ndarray: ...
    @property
    def points(self) -> np.ndarray: ...
    @property
    def values(self) -> np.ndarray: ...


class PathGeometry(NamedTuple):
    """Paths of many rocks, ready to be drawn; made in any thread, as that takes up to 50 ms.

    rock (rocks,) their numbers; strips (rocks + 1,) : the points of rock i are strips[i] : strips[i + 1]; points (n, 3)
    [m] of the stage, their colours (n, 4); starts and ends (m, 3) [m]; bar: what the colours mean, None: nothing
    """

    rock: np.ndarray
    strips: np.ndarray
    points: np.ndarray
    colours: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    bar: Bar | None


def path_geometry(
    paths: Mapping[str, PathTable], colour: str, rested: Mapping[str, Flags], terrain: Terrain
) -> dict[str, PathGeometry]:
    """Paths by scheme, coloured by one of QUANTITIES on one scale, on a terrain in the stage's coordinates.

    rested : scheme -> (rocks,) whether each came to rest; only these have a deposit. Without a scheme: all did
    """
    column, title, unit = QUANTITIES[colour]
    kept = {name: _thinned(np.asarray(one.offsets), MOST) for name, one in paths.items()}
    values = {name: np.asarray(one.values)[kept[name], column] for name, one in paths.items()}
    bar = None  # where only the ends of the paths are known
    if any(np.isfinite(known).any() for known in values.values()):
        bar = spanning(tr(title), unit, ALONG, 0.995, values.values())
    return {name: _strung(one, kept[name], values[name], bar, rested.get(name), terrain) for name, one in paths.items()}


def _strung(
    paths: PathTable, kept: np.ndarray, values: np.ndarray, bar: Bar | None, rested: Flags | None, terrain: Terrain
) -> PathGeometry:
    """The points that are kept, coloured by their values."""
    origin = np.array([*terrain.origin, 0.0])

    def placed(points: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(points + origin, np.float32)

    offsets, points = np.asarray(paths.offsets), np.asarray(paths.points)
    full = np.diff(offsets) > 0
    ends = full if rested is None else full & np.asarray(rested, bool)
    return PathGeometry(
        rock=np.array(paths.rock[: len(offsets) - 1]),
        strips=np.searchsorted(kept, offsets),
        points=placed(points[kept]),
        colours=np.zeros((len(kept), 4), np.uint8) if bar is None else bar.rgba(values),
        starts=placed(points[offsets[:-1][full]]),
        ends=placed(points[offsets[1:][ends] - 1]),
        bar=bar,
    )


class PathActor(ActorGroup):
    """The paths of many rocks, coloured by a quantity; updated in place while there are more and more of them."""

    overlay = "rocks"

    def __init__(self, ground: Ground, look: StageColours) -> None:
        super().__init__()
        self._ground = ground
        self.bar: Bar | None = None
        self.rock, self._owner = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.rests = 0
        self.points = np.zeros((0, 3), np.float32)
        self._lines, self._starts, self._ends, self._chosen = (pv.PolyData() for _ in range(4))
        self._paths = self.add(self._lines, "white", lit=False, width=1.4, opacity=0.75)
        draw_nearer(self._paths, 10.0)
        self._paths.mapper.SetScalarModeToUsePointData()
        for mesh, colour, size in ((self._starts, "#ffffff", 3.0), (self._ends, look.alarm, 6.0)):
            draw_nearer(self.add(mesh, colour, lit=False, dot=size), 16.0)
        draw_nearer(self.add(self._chosen, look.ink, lit=False, width=4.5), 20.0)

    def show(self, path_geometry: PathGeometry) -> None:
        """Draw these paths in place of those before."""
        self.bar, self.rock, self.points = path_geometry.bar, path_geometry.rock, path_geometry.points
        self.rests = len(path_geometry.ends)
        self._owner = np.repeat(np.arange(len(path_geometry.rock)), np.diff(path_geometry.strips))
        self._lines.SetPoints(pv.vtk_points(path_geometry.points))
        self._lines.SetLines(_strips(path_geometry.strips))
        rgba = numpy_to_vtk(path_geometry.colours, deep=True)
        rgba.SetName("rgba")
        self._lines.GetPointData().SetScalars(rgba)
        self._paths.mapper.SetScalarVisibility(True)
        _dots(self._starts, path_geometry.starts)
        _dots(self._ends, path_geometry.ends)

    def clear(self) -> None:
        """Draw none."""
        self.bar, self.points, self._owner = None, np.zeros((0, 3), np.float32), np.zeros(0, np.int64)
        self.rock = self._owner
        for mesh in (self._lines, self._starts, self._ends, self._chosen):
            mesh.Initialize()

    @property
    def told(self) -> str:
        """What is drawn, for people; "": nothing."""
        if not (self.on and len(self.rock)):
            return ""
        if self.bar is None:
            return plural("{count} place of rest", "{count} places of rest", self.rests).format(count=self.rests)
        return plural("{count} whole path", "{count} whole paths", len(self.rock)).format(count=len(self.rock))

    def choose(self, rock: int | None) -> None:
        """Show one rock's path bold; None: none of them."""
        here = self.points[self._owner == self._index(rock)] if rock is not None else self.points[:0]
        self._chosen.SetPoints(pv.vtk_points(np.ascontiguousarray(here)))
        self._chosen.SetLines(_strips(np.array([0, len(here)])))

    def pick(self, renderer: pv.Renderer, x: float, y: float, within: float) -> int | None:
        """The rock whose path passes nearest to a pixel, from the viewport's lower left corner; None: none does."""
        if not len(self.points):
            return None
        pixels, depth = projected(renderer, self.points)
        a, b = pixels[:-1], pixels[1:]
        along = b - a
        share = ((x, y) - a) * along
        s = np.clip(share.sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12), 0.0, 1.0)
        apart = np.linalg.norm(a + s[:, None] * along - (x, y), axis=1)
        seen = (np.abs(depth[:-1]) < 1) & (np.abs(depth[1:]) < 1) & (self._owner[:-1] == self._owner[1:])
        apart = np.where(seen, apart, np.inf)
        near = int(np.argmin(apart))
        return int(self.rock[self._owner[near]]) if apart[near] <= within else None

    def _index(self, rock: int) -> int:
        found = np.flatnonzero(self.rock == rock)
        return int(found[0]) if len(found) else -1


def _thinned(offsets: np.ndarray, most: int) -> np.ndarray:
    """The points (m,) to draw so that they are about ``most``: every n-th of each path, and its last."""
    stride = max(1, -(-int(offsets[-1]) // most))
    if stride == 1:
        return np.arange(int(offsets[-1]))
    places = np.arange(int(offsets[-1]))
    owner = np.searchsorted(offsets, places, side="right") - 1
    wanted = (places - offsets[owner]) % stride == 0
    wanted[offsets[1:][np.diff(offsets) > 0] - 1] = True
    return np.asarray(places[wanted])


def _strips(offsets: np.ndarray) -> vtkCellArray:
    """Lines through the points offsets[i] to offsets[i + 1]."""
    cells = vtkCellArray()
    cells.SetData(
        numpy_to_vtkIdTypeArray(np.ascontiguousarray(offsets, np.int64), deep=True),
        numpy_to_vtkIdTypeArray(np.arange(int(offsets[-1]), dtype=np.int64), deep=True),
    )
    return cells


def _dots(mesh: pv.PolyData, points: np.ndarray) -> None:
    """Points in place of those before."""
    mesh.SetPoints(pv.vtk_points(points))
    cells = vtkCellArray()
    cells.SetData(1, numpy_to_vtkIdTypeArray(np.arange(len(points), dtype=np.int64), deep=True))
    mesh.SetVerts(cells)


class BarrierActor(ActorGroup):
    """Barriers as fences on the ground: lines (k, 2) [m] in map coordinates, each with its height [m]."""

    overlay = "barriers"

    def __init__(self, ground: Ground, shift: Array, lines: Sequence[tuple[Array, float]], look: StageColours) -> None:
        super().__init__()
        for line, height in lines:
            foot = on_ground(np.asarray(line, float) - shift[:2], ground.terrain)
            top = foot + np.array([0.0, 0.0, height])
            n = len(foot)
            a = np.arange(n - 1)
            faces = np.concatenate([np.stack([a, a + 1, a + n + 1], 1), np.stack([a, a + n + 1, a + n], 1)])
            fence = polygons(np.concatenate([foot, top]).astype(np.float32), faces)
            fence.point_data["rgba"] = tinted(look.omega, np.full(2 * n, 120))
            self.add(fence, lit=False)
            for edge, width in ((top, 2.6), (foot, 1.4)):
                rail = polyline(n)
                move(rail, edge)
                draw_nearer(self.add(rail, look.omega, lit=False, width=width), 14.0)


def on_ground(line: Array, terrain: Terrain, spacing: float = 2.0) -> Array:
    """Points (n, 3) [m] of a line (k, 2) that lies on the ground, every so many metres; 0: its own points only."""
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    places = np.union1d(np.linspace(0.0, along[-1], max(2, int(along[-1] / spacing))), along) if spacing else along
    x, y = (np.interp(places, along, line[:, k]) for k in range(2))
    return np.stack([x, y, terrain.heights_at(x, y)], axis=1)
