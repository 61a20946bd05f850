"""Surroundings of a body: the equator of a free one, the floor of a top, the table of a toy."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from app.stage import textures
from app.stage.actor_group import ActorGroup, circle, draw_nearer, move, placed, polygons, polylines, put, rgb, tinted
from app.stage.bodies.body_mesh import in_triangles, soup, swept_around
from app.stage.lane_track import LaneTrack, Pose, PosedGroup, TrackedGroup
from app.stage.theme_colours import StageColours
from physics.core.rotation import Array

MIN_TABLE_RADIUS = 3.4  # smallest radius of a table, in radii of the body
SPARE = 1.6  # margin beyond the path of the body, in radii of the body
BOARDS = 7.0  # side of the repeated square of boards, in radii of the body
OPACITY = 222  # opacity, of 255; the mirrored body shines through
RINGS, SIDES = 24, 96
RIM = ((1.0, 0.0), (1.012, 0.01), (1.035, 0.012), (1.052, -0.004), (1.055, -0.03), (1.045, -0.06), (1.0, -0.075))
ALONG = (0.9, -0.43)  # direction of the boards
WIDE, COARSE = 5.0, 36  # radius of a floor, in that of the rings on it, and its sides
FADES = (0.0, 0.35, 1.0), (1.0, 1.0, 0.0)  # shares of its radius, and its opacity there
FLIP = np.diag([1.0, 1.0, -1.0])


class Tabletop(TrackedGroup):
    """A round table top of polished boards with a rim, as broad as the path of the body needs."""

    overlay = "grid"

    def __init__(self, track: LaneTrack, look: StageColours) -> None:
        super().__init__()
        self._size, self._radius, self._known = track.body.radius, 0.0, 0
        r = np.linspace(0.0, 1.0, RINGS + 1)
        turn = 2.0 * np.pi * np.arange(SIDES) / SIDES
        around = np.stack([np.cos(turn), np.sin(turn), np.zeros(SIDES)], axis=1)
        self._plan = (r[:, None, None] * around).reshape(-1, 3)
        self.mesh = polygons(self._plan.astype(np.float32), _rings_of_faces(RINGS, SIDES))
        light = np.repeat(1.06 - 0.5 * r**1.5, SIDES)[:, None]
        colours = tinted(look.wood, np.full(len(self._plan), OPACITY))
        colours[:, :3] = np.clip(light * rgb(look.wood), 0, 255)
        self.mesh.point_data["rgba"] = colours
        self.mesh.active_texture_coordinates = np.zeros((len(self._plan), 2))
        top = self.add(self.mesh, lit=False)  # shaded by its colours: lights take 1.5 times as long in software
        top.SetTexture(textures.planks())
        top.ForceTranslucentOn()
        self._rim = self.add(_rim(look), specular=0.35, culling="back")  # else its outside shows through the top
        self.show(track, track.pose(0.0))

    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Grow with the known path."""
        if self._known == len(track.run):
            return
        self._known = len(track.run)
        far = float(np.hypot(*track.run.position[:, :2].T).max())
        wanted = max(MIN_TABLE_RADIUS * self._size, far + SPARE * self._size)
        if wanted <= self._radius:
            return
        self._radius = wanted
        points = self._radius * self._plan
        move(self.mesh, points)
        c, s = ALONG
        places = self.mesh.GetPointData().GetTCoords()
        np.asarray(places)[:] = points[:, :2] @ np.array([[c, -s], [s, c]]) / (BOARDS * self._size)
        places.Modified()
        put(self._rim, placed(np.eye(3), np.zeros(3), self._radius))


def _rim(look: StageColours) -> pv.PolyData:
    """The moulding around a table of radius 1."""
    section = np.array(RIM)
    way = np.gradient(section, axis=0)
    normals = swept_around(np.column_stack([-way[:, 1], way[:, 0]]), SIDES)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    corners = in_triangles(swept_around(section, SIDES))
    return soup(corners, in_triangles(normals), np.tile(0.72 * rgb(look.wood), (len(corners), 1)))


class Mirrored(PosedGroup):
    """The mirror image of a body below the polished table top."""

    overlay = "grid"

    def __init__(self, mesh: pv.PolyData) -> None:
        super().__init__()
        corners = np.asarray(mesh.points)[mesh.regular_faces] @ FLIP
        normals = np.asarray(mesh.point_normals)[mesh.regular_faces] @ FLIP
        colours = np.asarray(mesh.point_data["rgba"])[mesh.regular_faces][..., :3]
        # darker than the body; without lights, which take 1.5 times as long
        shade = 0.62 - 0.3 * normals[..., 2:]
        self.actor = self.add(soup(corners, normals, shade * colours), lit=False, culling="back")

    def show(self, pose: Pose) -> None:
        put(self.actor, placed(FLIP @ pose.rotation @ FLIP, FLIP @ pose.place))


class Equator(PosedGroup):
    """The circle of a radius [m] across the first angular momentum of a free body, around it, beside its meaning."""

    overlay = "numbers"
    unless = ("poinsot",)

    def __init__(self, radius: float, pole: Array, look: StageColours) -> None:
        super().__init__()
        around = radius * circle(121) @ upright(pole).T
        self.actor = self.add(polylines([around]), look.faint, lit=False, width=1.0, opacity=0.5)

    def show(self, pose: Pose) -> None:
        """Move with the body."""
        put(self.actor, placed(np.eye(3), pose.place))


def upright(pole: Array) -> Array:
    """A rotation (3, 3) from z to the direction of the pole (3,)."""
    length = np.linalg.norm(pole)
    z = pole / length if length > 0 else np.array([0.0, 0.0, 1.0])
    x = np.cross(np.eye(3)[1] if abs(z[1]) < 0.9 else np.eye(3)[0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


class Floor(ActorGroup):
    """A floor at height z [m] around the origin that fades into the distance, with rings of a size [m] on it."""

    overlay = "grid"

    def __init__(self, size: float, z: float, look: StageColours) -> None:
        super().__init__()
        far, alphas = WIDE * size * np.array(FADES[0]), 255.0 * np.array(FADES[1])
        points = (far[:, None, None] * circle(COARSE + 1)[:-1] + (0.0, 0.0, z)).reshape(-1, 3)
        ground = polygons(points.astype(np.float32), _rings_of_faces(len(far) - 1, COARSE))
        ground.point_data["rgba"] = tinted(look.floor, np.repeat(alphas, COARSE))
        self.add(ground, lit=False)
        rings = [size * k / 4 * circle(73) + (0.0, 0.0, z) for k in range(1, 5)]
        alphas = np.repeat([105 * (1 - k / 5) ** 1.3 for k in range(1, 5)], 73)
        drawn = self.add(polylines(rings, tinted(look.faint, alphas)), lit=False, width=1.0)
        draw_nearer(drawn, 4.0)


def _rings_of_faces(rings: int, sides: int) -> np.ndarray:
    """Triangles (n, 3) between a number of rings of points around the first one."""
    i, j = np.meshgrid(np.arange(rings), np.arange(sides), indexing="ij")
    a, b = (i * sides + j).ravel(), (i * sides + (j + 1) % sides).ravel()
    return np.concatenate([np.stack([a, a + sides, b + sides], -1), np.stack([a, b + sides, b], -1)])
