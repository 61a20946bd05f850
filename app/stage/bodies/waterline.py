"""The waterline of a ship: where the water cuts its mesh, joined into loops; the foam along it, and the waterplane."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersGeneral import vtkContourTriangulator

from app.stage.actor_group import draw_nearer, move, polygons, polylines, tinted
from app.stage.bodies.sea import Height
from app.stage.lane_track import Pose, PosedGroup
from app.stage.theme_colours import StageColours
from physics.bodies.body import Body
from physics.core.rotation import Array

FOAM = 0.05  # breadth of the foam, in breadths of the ship


class MeshCut:
    """A closed mesh, faces (m, 3), and where a surface cuts it."""

    def __init__(self, faces: np.ndarray) -> None:
        pairs = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
        self._edges, numbers = np.unique(pairs, axis=0, return_inverse=True)
        self._sides = numbers.reshape(-1, 3)

    def loops(self, points: Array, over: Array) -> list[Array]:
        """The loops (k, 3) at which ``over`` (n,), the height of points (n, 3) above a surface, passes 0."""
        wet = over < 0.0
        low, high = self._edges.T
        across = wet[low] != wet[high]
        if not across.any():
            return []
        a, b = low[across], high[across]
        share = over[a] / (over[a] - over[b])
        places = points[a] + share[:, None] * (points[b] - points[a])
        number = np.cumsum(across) - 1
        crossed = across[self._sides]
        faces = crossed.sum(axis=1) == 2
        pairs = number[self._sides[faces][crossed[faces]].reshape(-1, 2)]
        return [places[ring] for ring in _rings(pairs, len(places))]


def _rings(pairs: np.ndarray, n: int) -> list[np.ndarray]:
    """The rings that pairs (m, 2) of n numbers make, each of which stands in two of them, as in a closed mesh."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.searchsorted(both[:, 0], np.arange(n)).tolist()
    beside = both[:, 1].tolist()
    left, rings = set(range(n)), []
    while left:
        here = left.pop()
        ring = [here]
        while True:
            onward = [k for k in beside[first[here] : first[here] + 2] if k in left]
            if not onward:
                break
            here = onward[0]
            left.discard(here)
            ring.append(here)
        if len(ring) > 2:
            rings.append(np.array(ring))
    return rings


class Waterline(PosedGroup):
    """The line in which the water cuts the hull, foam along it, and the waterplane as a cap that one sees through."""

    overlay = "grid"

    def __init__(self, body: Body, height: Height, look: StageColours) -> None:
        super().__init__()
        self._cut, self._height = MeshCut(body.faces), height
        self._corners, self._foam = body.vertices, FOAM * float(body.extents[:2].min())
        self.line, self.foam = polylines(np.zeros((1, 2, 3))), pv.PolyData()
        self._room = 0
        self._grow(64)
        self.add(self.foam, lit=False).ForceTranslucentOn()
        draw_nearer(self.add(self.line, "white", lit=False, width=2.0, opacity=0.9), 4.0)
        self.cap = polygons(np.zeros((3, 3), np.float32), np.array([[0, 1, 2]]))
        draw_nearer(self.add(self.cap, look.water, lit=False, opacity=0.2), 66000.0)
        self.loops: list[Array] = []

    def _grow(self, room: int) -> None:
        """Make room for so many pieces of line."""
        self._room = room
        self.line.copy_from(polylines(np.zeros((room, 2, 3))))
        strips = np.arange(4 * room).reshape(-1, 4)
        self.foam.copy_from(polygons(np.zeros((4 * room, 3), np.float32), strips))
        alpha = np.tile([170.0, 170.0, 0.0, 0.0], room)
        self.foam.point_data["rgba"] = tinted("white", alpha)
        self.foam.point_data.active_scalars_name = "rgba"

    def show(self, pose: Pose) -> None:
        """Cut at a pose."""
        points = self._corners @ pose.rotation.T + pose.place
        over = points[:, 2] - self._height(points[:, 0], points[:, 1], pose.time)
        self.loops = self._cut.loops(points, over)
        pieces = sum(map(len, self.loops))
        if pieces > self._room:
            self._grow(2 * pieces)
        lines, strips = np.zeros((self._room, 2, 3)), np.zeros((self._room, 4, 3))
        done = 0
        for loop in self.loops:
            here, there = loop, np.roll(loop, -1, axis=0)
            out = self._foam * _outward(loop)
            rows = slice(done, done + len(loop))
            lines[rows] = np.stack([here, there], axis=1)
            strips[rows] = np.stack([here, there, there + np.roll(out, -1, axis=0), here + out], axis=1)
            done += len(loop)
        move(self.line, lines.reshape(-1, 3))
        move(self.foam, strips.reshape(-1, 3))
        self.cap.copy_from(_filled([_flattened(loop) for loop in self.loops]))


def _flattened(loop: Array) -> Array:
    """A loop (n, 3) in the plane that is nearest to it: a cap with the folds of waves would hide itself."""
    level = np.column_stack([np.ones(len(loop)), loop[:, :2]])
    found = np.linalg.lstsq(level, loop[:, 2], rcond=None)[0]
    return np.column_stack([loop[:, :2], level @ found])


def _outward(loop: Array) -> Array:
    """Level unit vectors (n, 3) out of a loop (n, 3), at its corners."""
    along = np.roll(loop, -1, axis=0) - np.roll(loop, 1, axis=0)
    out = np.column_stack([along[:, 1], -along[:, 0], np.zeros(len(loop))])
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
    x, y = loop[:, 0], loop[:, 1]
    area = float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    return out if area > 0.0 else -out


def _filled(loops: list[Array]) -> pv.PolyData:
    """The surface within loops, holes left out."""
    if not loops:
        return polygons(np.zeros((3, 3), np.float32), np.array([[0, 1, 2]]))
    closed = [np.concatenate([loop, loop[:1]]) for loop in loops]
    outline = polylines(closed).clean()
    maker = vtkContourTriangulator()
    maker.SetInputData(outline)
    maker.Update()
    made: pv.PolyData = pv.wrap(maker.GetOutput())
    return made
