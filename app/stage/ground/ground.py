"""Ground: the terrain as a solid block with a painted top, as fine as the cameras can see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyvista as pv

from app.stage import textures
from app.stage.actor_group import ActorGroup, polygons
from app.stage.ground.layers import TerrainLayer
from app.stage.ground.shaded_relief import LONGER_SIDE, ROUGH, base_of, painted, relief_of
from app.stage.ground.tiles import SIZE, TerrainTile, TerrainTiles, unfolded
from app.stage.text.colour_map import Bar
from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.terrain import Terrain


def sides(terrain: Terrain) -> pv.PolyData:
    """The sides of the block, from the edge of the ground down to a level base."""
    ny, nx = terrain.heights.shape
    x0, x1, y0, y1 = terrain.extent
    x, y, h = np.linspace(x0, x1, nx), np.linspace(y0, y1, ny), terrain.heights
    base = h.min() - 0.06 * max(x1 - x0, y1 - y0)
    sides = (
        (np.stack([x, np.full(nx, y0), h[0]], 1), 0.62),
        (np.stack([np.full(ny, x1), y, h[:, -1]], 1), 0.5),
        (np.stack([x, np.full(nx, y1), h[-1]], 1), 0.72),
        (np.stack([np.full(ny, x0), y, h[:, 0]], 1), 0.8),
    )
    points, colours, faces, n = [], [], [], 0
    for edge, light in sides:
        foot = edge.copy()
        foot[:, 2] = base
        k = len(edge)
        a = n + np.arange(k - 1)
        faces += [np.stack([a, a + 1, a + k + 1], 1), np.stack([a, a + k + 1, a + k], 1)]
        points += [edge, foot]
        colours += [
            np.tile(np.array([126.0, 117.0, 106.0]) * light, (k, 1)),
            np.tile(np.array([70.0, 66.0, 64.0]) * light, (k, 1)),
        ]
        n += 2 * k
    mesh = polygons(np.concatenate(points).astype(np.float32), np.concatenate(faces))
    mesh.point_data["rgba"] = np.column_stack([np.concatenate(colours), np.full(n, 255)]).astype(np.uint8)
    return mesh


COARSE = 240  # nodes along a side of the outline that cameras are placed by
CLOSE = 90.0  # distance of the camera [m] from which contour lines would be broad smears
GRAINY = 130.0  # [m] longest side of tiles with grain; the finest tiles always have it
CHUNK = 32  # actors made at once


class MapLayer(NamedTuple):
    """A map with the picture of the terrain under it, with contour lines or without.

    No texture: VTK's objects must be made and die in the thread that draws.
    """

    over: TerrainLayer
    contours: bool
    picture: np.ndarray


class GroundTextures:
    """Textures of the ground from above: with a map ``over`` it or bare, with contour lines and without."""

    def __init__(self, over: TerrainLayer | None = None, laid: MapLayer | None = None) -> None:
        self.over = over
        self.textures = {} if laid is None else {laid.contours: textures.whole(laid.picture)}


class Ground(ActorGroup):
    """The drawn terrain, shifted by ``shift`` (3,) [m]: tiles that are the finer the nearer they are.

    Each viewport may show a map of its own over it. Where the drawn ground is coarser than the real one, things stand
    on the drawn one. ``outline`` is the whole of it with few nodes. ``fault``: what is wrong with what the scenario
    wants draped.
    """

    def __init__(self, world: RockfallWorld, shift: Array) -> None:
        super().__init__()
        terrain, view = world.terrain, world.scenario.view
        x, y = terrain.origin
        self.terrain = replace(terrain, origin=(x - float(shift[0]), y - float(shift[1])))
        self.exaggeration = view.exaggeration
        self._relief = relief_of(terrain)
        self.interval = self._relief.interval
        self.outline = _outline(self.terrain)
        self._tiles = TerrainTiles(self.terrain)
        base = base_of(world)
        self.fault = base if isinstance(base, ScenarioError) else None
        self._base = () if isinstance(base, ScenarioError) else base
        self.add(sides(self.outline), lit=False)
        self._tops: dict[str, GroundTextures] = {
            "": GroundTextures()
        }  # the bare one, and those with maps, by their names
        self._grain = textures.grain()
        self._views: list[ActorGroup] = []  # the tiles as each viewport shows them
        self._named: list[str] = []  # which of the tops each viewport shows
        self._shown: dict[TerrainTile, list[pv.Actor]] = {}  # of each tile, an actor for each viewport
        self._idle: list[list[pv.Actor]] = []
        self._eyes, self._lines, self._dressed = np.zeros((0, 3)), False, False

    @property
    def bars(self) -> list[Bar]:
        """Scales of the colours on the ground; all maps share one."""
        maps = [self._tops[name].over for name in self._named if name]
        layers = (*self._base[-1:], *maps[:1])
        return [layer.bar for layer in layers if layer is not None and layer.bar is not None]

    @property
    def bounds(self) -> tuple[float, ...]:
        """Least and greatest x, y and z [m] of the block and of what flies above it."""
        x0, x1, y0, y1 = self.outline.extent
        low, high, wide = float(self.outline.heights.min()), float(self.outline.heights.max()), max(x1 - x0, y1 - y0)
        return x0, x1, y0, y1, low - 0.1 * wide, high + 0.1 * wide

    def views(self, count: int) -> list[ActorGroup]:
        """The tiles for ``count`` viewports, each with actors of its own, as an actor has one texture."""
        while len(self._views) < count:
            view = ActorGroup()
            self._views.append(view)
            for twins in (*self._shown.values(), *self._idle):
                twins.append(_twin(twins[0], view))
        self._named, self._dressed = [""] * count, False
        return self._views[:count]

    def lay(self, laid: Mapping[str, MapLayer]) -> None:
        """Have these maps, by their names, in place of those before; ``share`` places them in viewports."""
        if laid or self.maps:
            self._tops = {"": self._tops[""], **{name: GroundTextures(one.over, one) for name, one in laid.items()}}
            self._named = [name if name in laid else "" for name in self._named]
            self._redress()

    def share(self, names: Sequence[str]) -> None:
        """Show in each viewport the map of a name; "": none."""
        if self._named != list(names):
            self._named = list(names)
            self._redress()

    def _redress(self) -> None:
        if self._dressed:  # else it is dressed when it is first seen
            self._dress(self._lines)

    @property
    def maps(self) -> tuple[str, ...]:
        """The names of the maps that there are."""
        return tuple(name for name in self._tops if name)

    @property
    def laid(self) -> bool:
        """True if a map lies over the terrain in any viewport."""
        return any(self._named)

    @property
    def note(self) -> str:
        """Condition of the values of the maps that lie over the terrain; "" where none does."""
        over = (self._tops[name].over for name in self._named if name)
        return next((one.note for one in over if one is not None), "")

    def map_in(self, view: int) -> str:
        """The title of the map that lies over the ground in a viewport; "": none does."""
        over = self._tops[self._named[view]].over
        return "" if over is None or over.bar is None else over.bar.title

    def painted(self, over: TerrainLayer) -> MapLayer:
        """A map for ``lay``, painted in a thread of the caller's: that takes 0.2 s."""
        contours = self._lines
        return MapLayer(over, contours, self.picture(over, contours=contours))

    def refine(self) -> bool:
        """Take over the fine picture if it was painted since; True if there is something new to see."""
        relief = painted(self.terrain)
        if relief is None or relief is self._relief:
            return False
        self._relief = relief
        for actor, *_ in self._shown.values():
            mesh = actor.mapper.GetInput()
            place = mesh.GetPointData().GetArray("place")
            np.asarray(place)[:] = self._places(np.asarray(mesh.GetPoints().GetData()))
            place.Modified()
        self._eyes = np.zeros((0, 3))
        self._tops = {name: GroundTextures(top.over) for name, top in self._tops.items()}  # without textures
        self._dress(self._lines)
        return True

    def dress(self, eyes: Array, pixels: float, *, contours: bool) -> list[list[pv.Actor]]:
        """Draw for eyes (n, 3) [m], with contour lines or without; returns actors that are new, one for each viewport.

        pixels : how many a length of 1 at a distance of 1 spans, in a picture 720 high
        """
        new: list[list[pv.Actor]] = []
        if not np.array_equal(eyes, self._eyes):
            self._eyes = eyes
            rough = max(self._relief.light.shape) < LONGER_SIDE  # so are the tiles: a first picture is there sooner
            new = self._choose(eyes / (1.0, 1.0, self.exaggeration), pixels * ROUGH / LONGER_SIDE if rough else pixels)
        if contours != self._lines or new or not self._dressed:
            self._dress(contours)
        return new

    def _choose(self, eyes: Array, pixels: float) -> list[list[pv.Actor]]:
        """Draw the chosen tiles with the actors of tiles that are no longer chosen; return actors made for this."""
        wanted = self._tiles.choose(eyes, pixels)
        for tile in set(self._shown).difference(wanted):
            self._idle.append(self._shown.pop(tile))
            for actor in self._idle[-1]:
                actor.SetVisibility(False)
        missing = [tile for tile in wanted if tile not in self._shown]
        lacking = len(missing) - len(self._idle)
        new = self._actors(CHUNK * -(-lacking // CHUNK)) if lacking > 0 else []
        for tile in missing:
            twins = self._shown[tile] = self._idle.pop()
            mapper, look = twins[0].mapper, twins[0].prop
            mapper.SetInputData(self._mesh(tile))
            if self._grainy(tile):
                look.SetTexture("grain", self._grain)
                mapper.MapDataArrayToMultiTextureAttribute("grain", "grain", 0)
            else:
                look.RemoveTexture("grain")
            for actor in twins:
                actor.SetVisibility(True)
        return new

    def _actors(self, count: int) -> list[list[pv.Actor]]:
        """Actors without a tile."""
        first, *others = self._views
        new = [[first.add(pv.PolyData(), "white", lit=False)] for _ in range(count)]
        for twins in new:
            twins += [_twin(twins[0], view) for view in others]
            for actor in twins:
                actor.SetVisibility(False)
        self._idle += new
        return new

    def picture(self, over: TerrainLayer | None = None, *, contours: bool) -> np.ndarray:
        """The whole ground from above (h, w, 3), rows from south to north, with a map over it or none."""
        return self._relief.picture((*self._base, *([] if over is None else [over])), contours=contours)

    def _dress(self, contours: bool) -> None:
        """Give all tiles in each viewport its picture, with contour lines or without."""
        self._lines, self._dressed = contours, True
        for view, name in zip(self._views, self._named, strict=False):
            top = self._tops[name]
            if contours not in top.textures:
                top.textures[contours] = textures.whole(self.picture(top.over, contours=contours))
            for actor in view.actors:
                actor.SetTexture(top.textures[contours])

    def _grainy(self, tile: TerrainTile) -> bool:
        """True if a tile is fine enough for grain: the finest, and small ones."""
        return tile.level == 0 or (SIZE << tile.level) * max(self.terrain.cell) <= GRAINY

    def _mesh(self, tile: TerrainTile) -> pv.PolyData:
        """A tile with its place on the picture of the whole, and on the grain."""
        points, faces = self._tiles.mesh(tile)
        points, faces, grain = unfolded(points, faces) if self._grainy(tile) else (points, faces, points[:, :2])
        mesh = polygons(points, faces)
        for name, values in (("place", self._places(points)), ("grain", grain / 16.0)):
            mesh.point_data[name] = values.astype(np.float32)
        mesh.GetPointData().SetActiveTCoords("place")
        return mesh

    def _places(self, points: Array) -> Array:
        """Texture coordinates (n, 2) of points (n, 3) [m]; the outermost nodes lie amid the outermost pixels."""
        x0, x1, y0, y1 = self.terrain.extent
        n = np.array(self._relief.light.shape[::-1])
        return np.asarray((0.5 + (points[:, :2] - (x0, y0)) / (x1 - x0, y1 - y0) * (n - 1)) / n)

    def heights(self, points: Array) -> Array:
        """Heights (n,) [m] of the drawn triangles under points (n, 2 or 3) [m]."""
        return self._tiles.heights(points)

    def above(self, points: Array) -> Array:
        """Heights (n,) [m] of points (n, 3) above the ground as a camera sees it; beyond the map, large."""
        x0, x1, y0, y1 = self.terrain.extent
        x, y, z = points.T
        inside = (x > x0) & (x < x1) & (y > y0) & (y < y1)
        return np.where(inside, z - self.exaggeration * self.terrain.heights_at(x, y), 1e9)


def _twin(actor: pv.Actor, view: ActorGroup) -> pv.Actor:
    """Another actor of the same mesh, for another viewport."""
    twin = pv.Actor(mapper=actor.mapper, prop=actor.prop)
    twin.SetPickable(False)
    twin.SetVisibility(actor.GetVisibility())
    view.include(twin)
    return twin


def _outline(terrain: Terrain) -> Terrain:
    """The terrain with few nodes."""
    (ny, nx), (dx, dy) = terrain.heights.shape, terrain.cell
    mx, my = min(nx, COARSE), min(ny, COARSE)
    x = terrain.origin[0] + np.linspace(0, (nx - 1) * dx, mx)
    y = terrain.origin[1] + np.linspace(0, (ny - 1) * dy, my)
    gx, gy = np.meshgrid(x, y)
    heights = terrain.heights_at(gx.ravel(), gy.ravel()).reshape(my, mx)
    return Terrain(heights, terrain.origin, ((nx - 1) * dx / (mx - 1), (ny - 1) * dy / (my - 1)))
