"""Ground: the terrain as a solid block with a painted top, as fine as the cameras can see."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonDataModel import vtkCellArray

from app.stage import covering, textures
from app.stage.block import sides
from app.stage.covering import Covering
from app.stage.part import Part
from app.stage.relief import LONGEST, ROUGH, Relief, paint
from app.stage.tiles import SIZE, Tile, Tiles
from physics.errors import ScenarioError
from physics.ground.terrain import Terrain
from physics.rotation import Array
from physics.world import World

COARSE = 240  # nodes along a side of the outline that cameras are placed by
CLOSE = 90.0  # distance of the camera [m] from which contour lines would be broad smears
GRAINY = 130.0  # [m] the longest side of tiles that show grain
CHUNK = 32  # actors that are made at once


class Laid(NamedTuple):
    """A map with the picture of the terrain under it, with contour lines or without.

    No texture: VTK's objects must be made and die in the thread that draws.
    """

    over: Covering
    contours: bool
    picture: np.ndarray


class Ground(Part):
    """The drawn terrain, shifted by ``shift`` (3,) [m]: tiles that are the finer the nearer they are.

    Where the drawn ground is coarser than the real one, things stand on the drawn one. ``outline`` is the whole of it
    with few nodes. ``fault``: what is wrong with what the scenario wants draped.
    """

    def __init__(self, world: World, shift: Array) -> None:
        super().__init__()
        terrain, view = world.terrain, world.scenario.view
        assert terrain is not None
        x, y = terrain.origin
        self.terrain = replace(terrain, origin=(x - float(shift[0]), y - float(shift[1])))
        self.exaggeration = view.exaggeration
        self._relief = _relief(terrain)
        self.interval = self._relief.interval
        self.outline = _outline(self.terrain)
        self._tiles = Tiles(self.terrain)
        self.fault: ScenarioError | None = None
        self._base, self._over = (), None  # coverings
        base = _base(world)
        if isinstance(base, ScenarioError):
            self.fault = base
        else:
            self._base = base
        self.add(sides(self.outline), lit=False)
        self._pictures: dict[bool, pv.Texture] = {}  # with contour lines and without
        self._bare: dict[bool, pv.Texture] = {}  # the same without a map, while there is one
        self._grain = textures.grain()
        self._shown: dict[Tile, pv.Actor] = {}
        self._idle: list[pv.Actor] = []
        self._eyes, self._lines = np.zeros((0, 3)), False

    @property
    def bars(self) -> list[covering.Bar]:
        """What the colours on the ground mean."""
        layers = (*self._base[-1:], *([self._over] if self._over is not None else []))
        return [layer.bar for layer in layers if layer.bar is not None]

    @property
    def bounds(self) -> tuple[float, ...]:
        """Least and greatest x, y and z [m] of the block and of what flies above it."""
        x0, x1, y0, y1 = self.outline.extent
        low, high, wide = float(self.outline.heights.min()), float(self.outline.heights.max()), max(x1 - x0, y1 - y0)
        return x0, x1, y0, y1, low - 0.1 * wide, high + 0.1 * wide

    def cover(self, base: Covering | None) -> None:
        """Give the terrain another look; None: its natural one."""
        self._base = () if base is None else (base,)
        self._pictures, self._bare = {}, {}
        self._dress(self._lines)

    def lay(self, laid: Laid | None) -> None:
        """Lay a map over the terrain, or take it away."""
        if self._over is None:
            if laid is None:
                return
            self._bare = self._pictures
        self._over = None if laid is None else laid.over
        self._pictures = self._bare if laid is None else {laid.contours: textures.whole(laid.picture)}
        self._dress(self._lines)

    @property
    def laid(self) -> bool:
        """Whether a map lies over the terrain."""
        return self._over is not None

    def painted(self, over: Covering) -> Laid:
        """A map for ``lay``, painted in a thread of the caller's: that takes 0.2 s."""
        contours = self._lines
        return Laid(over, contours, self._relief.picture((*self._base, over), contours=contours))

    def refine(self) -> bool:
        """Take the fine picture, if it was painted since; whether there is something new to see."""
        relief = _painted(self.terrain)
        if relief is None or relief is self._relief:
            return False
        self._relief = relief
        for actor in self._shown.values():
            mesh = actor.mapper.GetInput()
            place = mesh.GetPointData().GetArray("place")
            np.asarray(place)[:] = self._places(np.asarray(mesh.GetPoints().GetData()))
            place.Modified()
        self._pictures, self._eyes = {}, np.zeros((0, 3))
        self._dress(self._lines)
        return True

    def dress(self, eyes: Array, pixels: float, *, contours: bool) -> list[pv.Actor]:
        """Draw for eyes (n, 3) [m], with contour lines or without; returns actors that are new.

        pixels : how many a length of 1 at a distance of 1 spans, in a picture 720 high
        """
        new: list[pv.Actor] = []
        if not np.array_equal(eyes, self._eyes):
            self._eyes = eyes
            rough = max(self._relief.light.shape) < LONGEST  # so are the tiles: a first picture is there sooner
            new = self._choose(eyes / (1.0, 1.0, self.exaggeration), pixels * ROUGH / LONGEST if rough else pixels)
        if contours != self._lines or new or not self._pictures:
            self._dress(contours)
        return new

    def _choose(self, eyes: Array, pixels: float) -> list[pv.Actor]:
        """Give each tile that is wanted and not yet drawn the actor of one that is no longer."""
        wanted = self._tiles.choose(eyes, pixels)
        for tile in set(self._shown).difference(wanted):
            actor = self._shown.pop(tile)
            actor.SetVisibility(False)
            self._idle.append(actor)
        missing = [tile for tile in wanted if tile not in self._shown]
        lacking = len(missing) - len(self._idle)
        new = self._actors(CHUNK * -(-lacking // CHUNK)) if lacking > 0 else []
        for tile in missing:
            actor = self._idle.pop()
            actor.mapper.SetInputData(self._mesh(tile))
            if (SIZE << tile.level) * max(self.terrain.cell) <= GRAINY:
                actor.prop.SetTexture("grain", self._grain)
                actor.mapper.MapDataArrayToMultiTextureAttribute("grain", "grain", 0)
            else:
                actor.prop.RemoveTexture("grain")
            actor.SetVisibility(True)
            self._shown[tile] = actor
        return new

    def _actors(self, count: int) -> list[pv.Actor]:
        """Actors without a tile."""
        new = [self.add(pv.PolyData(), "white", lit=False) for _ in range(count)]
        for actor in new:
            actor.SetVisibility(False)
        self._idle += new
        return new

    def picture(self, *, contours: bool) -> np.ndarray:
        """The whole ground from above (h, w, 3), rows from south to north, with all that is laid over it."""
        layers = (*self._base, *([self._over] if self._over is not None else []))
        return self._relief.picture(layers, contours=contours)

    def _dress(self, contours: bool) -> None:
        """Give all tiles the picture with contour lines or without."""
        self._lines = contours
        if contours not in self._pictures:
            self._pictures[contours] = textures.whole(self.picture(contours=contours))
        for actor in (*self._shown.values(), *self._idle):
            actor.SetTexture(self._pictures[contours])

    def _mesh(self, tile: Tile) -> pv.PolyData:
        """A tile with its place on the picture of the whole, and on the grain."""
        points, faces = self._tiles.mesh(tile)
        mesh = pv.PolyData()
        mesh.SetPoints(pv.vtk_points(points))
        mesh.SetPolys(_cells(faces.tobytes(), faces.size))
        for name, values in (("place", self._places(points)), ("grain", points[:, :2] / 16.0)):
            array = numpy_to_vtk(values.astype(np.float32), deep=True)
            array.SetName(name)
            mesh.GetPointData().AddArray(array)
        mesh.GetPointData().SetActiveTCoords("place")
        return mesh

    def _places(self, points: Array) -> Array:
        """Where points (n, 3) [m] are on the picture (n, 2); the outermost nodes amid the outermost pixels."""
        x0, x1, y0, y1 = self.terrain.extent
        n = np.array(self._relief.light.shape[::-1])
        return np.asarray((0.5 + (points[:, :2] - (x0, y0)) / (x1 - x0, y1 - y0) * (n - 1)) / n)

    def heights(self, points: Array) -> Array:
        """Heights (n,) [m] of the drawn triangles under points (n, 2 or 3) [m]."""
        return self._tiles.heights(points)

    def above(self, points: Array) -> Array:
        """How far (n,) [m] points (n, 3) are above the ground as a camera sees it; beyond the map, far."""
        x0, x1, y0, y1 = self.terrain.extent
        x, y, z = points.T
        inside = (x > x0) & (x < x1) & (y > y0) & (y < y1)
        return np.where(inside, z - self.exaggeration * self.terrain.heights_at(x, y), 1e9)


@lru_cache(maxsize=64)
def _cells(faces: bytes, size: int) -> vtkCellArray:
    """Triangles as VTK keeps them; most tiles share theirs."""
    cells = vtkCellArray()
    cells.SetData(3, numpy_to_vtkIdTypeArray(np.frombuffer(faces, np.int64).reshape(size).copy(), deep=True))
    return cells


def prepare(world: World, *, rough: bool = False) -> None:
    """Paint the world's terrain in a thread of the caller's: its stage is then built at once.

    rough : for a first picture, if there is none yet; a stage that stands on it takes the fine one by ``refine``
    """
    if world.terrain is not None:
        _relief(world.terrain, ROUGH if rough else LONGEST).picture((), contours=True)  # made here, and kept
        _base(world)


def _relief(terrain: Terrain, longest: int = 0) -> Relief:
    """The painted pictures, kept as long as the terrain lives: another stage on the same terrain starts at once.

    longest : least length of their longer side [pixels]; 0: as they are, or fine where there are none
    """
    known = _painted(terrain)
    if known is None or max(known.light.shape) < longest:
        known = paint(terrain, longest or LONGEST)
        _PAINTED[id(terrain.heights)] = (weakref.ref(terrain.heights), known)
        for other in set(_PAINTED) - {id(terrain.heights)}:
            _PAINTED.pop(other, None)
    return known


def _painted(terrain: Terrain) -> Relief | None:
    """The pictures of a terrain, if they were painted."""
    heights, known = _PAINTED.get(id(terrain.heights), (None, None))
    return known if heights is not None and heights() is terrain.heights else None


_PAINTED: dict[int, tuple[weakref.ref[np.ndarray], Relief]] = {}


def _base(world: World) -> tuple[Covering, ...] | ScenarioError:
    """What the scenario wants to see of the terrain: its look, and what is draped over it."""
    view, terrain = world.scenario.view, world.terrain
    assert terrain is not None
    path = None if view.drape is None else world.scenario.path(view.drape)
    changed = path.stat().st_mtime_ns if path is not None and os.path.isfile(path) else 0
    key = (id(terrain.heights), view.ground, path, changed)
    known = _BASES.get(key)
    if known is None or known[0]() is not terrain.heights:
        known = (weakref.ref(terrain.heights), _covered(view.ground, path, terrain))
        _BASES.clear()
        _BASES[key] = known
    return known[1]


_BASES: dict[
    tuple[int, str, Path | None, int], tuple[weakref.ref[np.ndarray], tuple[Covering, ...] | ScenarioError]
] = {}


def _covered(look: str, path: Path | None, terrain: Terrain) -> tuple[Covering, ...] | ScenarioError:
    try:
        layers: Iterable[Covering | None] = (
            covering.ground(look, terrain),
            None if path is None else covering.draped(path, terrain),
        )
        return tuple(layer for layer in layers if layer is not None)
    except ScenarioError as error:
        return ScenarioError(error.field, error.message, error.file)  # without all that its traceback keeps alive


def _outline(terrain: Terrain) -> Terrain:
    """The terrain with few nodes."""
    (ny, nx), (dx, dy) = terrain.heights.shape, terrain.cell
    mx, my = min(nx, COARSE), min(ny, COARSE)
    x = terrain.origin[0] + np.linspace(0, (nx - 1) * dx, mx)
    y = terrain.origin[1] + np.linspace(0, (ny - 1) * dy, my)
    gx, gy = np.meshgrid(x, y)
    heights = terrain.heights_at(gx.ravel(), gy.ravel()).reshape(my, mx)
    return Terrain(heights, terrain.origin, ((nx - 1) * dx / (mx - 1), (ny - 1) * dy / (my - 1)))
