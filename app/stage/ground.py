"""Ground: the terrain as a solid block with a painted top, and what lies on it: soft shadows and the release mark."""

from __future__ import annotations

import weakref
from functools import lru_cache

import numpy as np
import pyvista as pv

from app.stage.floor import blob
from app.stage.look import Look
from app.stage.part import Part, draw_nearer, move, placed, polyline
from app.stage.relief import Relief, paint
from app.stage.track import Pose
from physics.rotation import Array
from physics.terrain import Terrain
from physics.world import World

FAR, NEAR = 240, 1000  # nodes along a side that are drawn from afar and from near by
TILE = 48  # cells along a side of a tile: from near by, only the tiles in sight are drawn
CLOSE = 90.0  # distance of the camera [m] from which the ground is drawn for near by


class Ground(Part):
    """The drawn terrain, shifted by ``shift`` (3,) [m]: from afar one coarse mesh, from near by fine tiles with grain.

    Where the drawn ground is coarser than the real one, things stand on the drawn one.
    """

    def __init__(self, terrain: Terrain, shift: Array) -> None:
        super().__init__()
        self._terrain, self._shift = terrain, shift
        self._relief = _relief(terrain)
        self.interval = self._relief.interval
        self._pictures = {False: _texture(self._relief.plain), True: _texture(self._relief.contours)}
        self.drawn = _resampled(terrain, shift, FAR)
        self._far = self._surface(_mesh(self.drawn, self.drawn))
        self.add(_skirt(self.drawn), lit=False)
        self._grain = _grain()
        self._near: list[pv.Actor] = []
        self._coarse, self._fine = self.drawn, self.drawn
        self.near = False

    def dress(self, *, near: bool, contours: bool) -> list[pv.Actor]:
        """Draw for a camera near by or far away, with contour lines or without; returns actors that are new."""
        new: list[pv.Actor] = []
        if near and not self._near:
            self._fine = _resampled(self._terrain, self._shift, NEAR)
            new = self._near = [self._surface(_mesh(tile, self._fine), grain=True) for tile in _tiles(self._fine)]
        self.near, self.drawn = near, self._fine if near else self._coarse
        self._far.SetVisibility(not near)
        for actor in self._near:
            actor.SetVisibility(near)
        for actor in (self._far, *self._near):
            actor.SetTexture(self._pictures[contours])
        return new

    def heights(self, points: Array) -> Array:
        """Heights (n,) [m] of the drawn triangles under points (n, 2 or 3) [m]."""
        (x0, y0), (dx, dy), h = self.drawn.origin, self.drawn.cell, self.drawn.heights
        ny, nx = h.shape
        u, v = np.clip((points[:, 0] - x0) / dx, 0, nx - 1), np.clip((points[:, 1] - y0) / dy, 0, ny - 1)
        i, j = np.minimum(u.astype(int), nx - 2), np.minimum(v.astype(int), ny - 2)
        s, t, low, high = u - i, v - j, h[j, i], h[j + 1, i + 1]
        below = low + s * (h[j, i + 1] - low) + t * (high - h[j, i + 1])
        above = low + t * (h[j + 1, i] - low) + s * (high - h[j + 1, i])
        return np.asarray(np.where(s >= t, below, above))

    def _surface(self, mesh: pv.PolyData, *, grain: bool = False) -> pv.Actor:
        actor = self.add(mesh, "white", lit=False)
        actor.SetTexture(self._pictures[True])
        if grain:
            actor.prop.SetTexture("grain", self._grain)
            actor.mapper.MapDataArrayToMultiTextureAttribute("grain", "grain", 0)
        return actor


def prepare(world: World) -> None:
    """Paint the world's terrain, which takes a second, in a thread of the caller's: its stage is then built at once."""
    if world.terrain is not None:
        _relief(world.terrain)


def _relief(terrain: Terrain) -> Relief:
    """The painted pictures, kept as long as the terrain lives: another stage on the same terrain starts at once."""
    known = _PAINTED.get(id(terrain.heights))
    if known is None or known[0]() is not terrain.heights:
        known = (weakref.ref(terrain.heights), paint(terrain))
        _PAINTED.clear()
        _PAINTED[id(terrain.heights)] = known
    return known[1]


_PAINTED: dict[int, tuple[weakref.ref[np.ndarray], Relief]] = {}


def _resampled(terrain: Terrain, shift: Array, most: int) -> Terrain:
    """The terrain with at most so many nodes a side, in the stage's coordinates."""
    (ny, nx), (dx, dy) = terrain.heights.shape, terrain.cell
    mx, my = min(nx, most), min(ny, most)
    x = terrain.origin[0] + np.linspace(0, (nx - 1) * dx, mx)
    y = terrain.origin[1] + np.linspace(0, (ny - 1) * dy, my)
    gx, gy = np.meshgrid(x, y)
    heights = terrain.heights_at(gx.ravel(), gy.ravel()).reshape(my, mx) - shift[2]
    origin = (terrain.origin[0] - shift[0], terrain.origin[1] - shift[1])
    return Terrain(heights, origin, ((nx - 1) * dx / (mx - 1), (ny - 1) * dy / (my - 1)))


def _tiles(terrain: Terrain) -> list[Terrain]:
    """The terrain cut into squares that share their edges."""
    (ny, nx), (x, y), (dx, dy) = terrain.heights.shape, terrain.origin, terrain.cell
    return [
        Terrain(terrain.heights[j : j + TILE + 1, i : i + TILE + 1], (x + i * dx, y + j * dy), terrain.cell)
        for j in range(0, ny - 1, TILE)
        for i in range(0, nx - 1, TILE)
    ]


def _mesh(part: Terrain, whole: Terrain) -> pv.PolyData:
    """Triangles over the nodes of a part, with its place on the picture of the whole, and on the grain."""
    ny, nx = part.heights.shape
    j, i = np.meshgrid(np.arange(ny), np.arange(nx), indexing="ij")
    x, y = part.origin[0] + i * part.cell[0], part.origin[1] + j * part.cell[1]
    points = np.stack([x, y, part.heights], axis=-1).reshape(-1, 3)
    a = (j[:-1, :-1] * nx + i[:-1, :-1]).ravel()
    faces = np.stack([a, a + 1, a + nx + 1, a, a + nx + 1, a + nx], axis=1).reshape(-1, 3)
    mesh = pv.PolyData.from_regular_faces(points.astype(np.float32), faces)
    x0, x1, y0, y1 = whole.extent
    mesh.active_texture_coordinates = ((points[:, :2] - (x0, y0)) / (x1 - x0, y1 - y0)).astype(np.float32)
    mesh.point_data["grain"] = (points[:, :2] / 16.0).astype(np.float32)
    return mesh


def _texture(picture: np.ndarray) -> pv.Texture:
    """The picture of a terrain (rows from south to north), for one look at a time."""
    texture = _filtered(picture[::-1])
    texture.RepeatOff()
    texture.EdgeClampOn()
    return texture


def _filtered(picture: np.ndarray) -> pv.Texture:
    texture = pv.Texture(np.ascontiguousarray(picture))
    texture.InterpolateOn()
    texture.MipmapOn()
    texture.SetMaximumAnisotropicFiltering(1)  # more takes Mesa's software half a minute a picture at grazing sight
    return texture


@lru_cache(maxsize=1)
def _grain_picture() -> np.ndarray:
    """Fine grain that repeats: what one sees of the ground from near by, and nothing from far."""
    rng = np.random.default_rng(8)
    n = 512
    spectrum = np.hypot(*np.meshgrid(np.fft.fftfreq(n) * n, np.fft.fftfreq(n) * n))
    total = np.fft.ifft2(np.fft.fft2(rng.standard_normal((n, n))) / np.maximum(spectrum, 6.0) ** 0.6).real
    total = np.clip(127.5 + 20.0 * total / total.std(), 0, 255).astype(np.uint8)
    return np.repeat(total[..., None], 3, axis=2)


def _grain() -> pv.Texture:
    texture = _filtered(_grain_picture())
    texture.RepeatOn()
    texture.SetBlendingMode(4)  # add signed: middle grey changes nothing
    return texture


def _skirt(terrain: Terrain) -> pv.PolyData:
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
    mesh = pv.PolyData.from_regular_faces(np.concatenate(points).astype(np.float32), np.concatenate(faces))
    mesh.point_data["rgba"] = np.column_stack([np.concatenate(colours), np.full(n, 255)]).astype(np.uint8)
    return mesh


class GroundShadow(Part):
    """A soft shadow that lies on the ground under a rock."""

    def __init__(self, ground: Ground, radius: float, look: Look) -> None:
        super().__init__()
        self._ground, self._radius = ground, radius
        self._mesh = blob(0.62)
        self._template = np.array(self._mesh.points, float)
        self.actor = self.add(self._mesh, lit=False)
        draw_nearer(self.actor, 8.0)

    def show(self, pose: Pose) -> None:
        """Move to a pose; wider and fainter the higher the rock flies."""
        height = max(0.0, float(pose.position[2] - self._ground.heights(pose.position[None])[0]) / self._radius - 1.0)
        points = self._template * (1.25 * self._radius * pose.scale * (1.0 + 0.12 * min(height, 8.0)))
        points[:, :2] += pose.position[:2]
        points[:, 2] = self._ground.heights(points) + 0.04 * self._radius * pose.scale
        move(self._mesh, points)
        self.actor.prop.opacity = 1.0 / (1.0 + 0.22 * height)


class Release(Part):
    """Where the rock was let go: a pin in the ground."""

    def __init__(self, ground: Ground, start: Array, radius: float, look: Look) -> None:
        super().__init__()
        self._ground, self._start, self._radius = ground, start, radius
        self._staff = polyline(2)
        self.add(self._staff, "white", lit=False, width=2.0)
        self._ball = self.add(pv.Sphere(radius=0.4 * radius), "white", specular=0.2, ambient=0.3)

    def show(self, scale: float) -> None:
        """Draw as many times larger as the rock is drawn."""
        foot = np.r_[self._start[:2], self._ground.heights(self._start[None])]
        top = foot + np.array([0.0, 0.0, 3.4 * scale * self._radius])
        move(self._staff, np.array([foot, top]))
        self._ball.user_matrix = placed(np.eye(3), top, scale)
