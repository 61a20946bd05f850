"""Marks on the ground: paths and places of rest of an ensemble, zones, barriers, field measurements, the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import pyvista as pv
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry
from vtkmodules.util.numpy_support import numpy_to_vtk

from app.stage.actor_group import ActorGroup, draw_nearer, move, placed, polygons, polyline, polylines, put, tinted
from app.stage.ground.ground import Ground
from app.stage.lane_track import LaneTrack, Pose, TrackedGroup
from app.stage.text.caption_text import Sign, ground_named, sign
from app.stage.text.colour_map import Bar, spanning
from app.stage.text.labels import projected
from app.stage.theme_colours import StageColours
from app.system.language import plural, tr
from physics.contact.obstacles import BREAST_HEIGHT, RADIUS, TALL
from physics.core.rotation import Array
from physics.systems.rockfall.map_layers import uncovered
from physics.systems.rockfall.map_lines import Barrier, Line
from physics.systems.rockfall.observations import Observations, Passages
from physics.systems.rockfall.world import RockfallWorld
from physics.terrain.terrain import Terrain
from physics.terrain.zones import Shape

MAX_PATH_POINTS = 300_000  # points of paths that are drawn: more are too slow without a graphics card
QUANTITIES = {  # name -> (column of values, title, unit)
    "energy": (0, "kinetic energy", "J"),
    "speed": (1, "speed", "m/s"),
    "rotation": (2, "spin rate", "rad/s"),
    "height": (3, "height above ground", "m"),
}


Flags = NDArray[np.bool_]  # a truth value for each rock, or for each point


class PathTable(Protocol):
    """Paths of rocks, as physics.hazard.rock_record keeps them.

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
    kept = {name: _thinned(np.asarray(one.offsets), MAX_PATH_POINTS) for name, one in paths.items()}
    values = {name: np.asarray(one.values)[kept[name], column] for name, one in paths.items()}
    bar = None  # where only the ends of the paths are known
    if any(np.isfinite(known).any() for known in values.values()):
        bar = spanning(tr(title), unit, 0.995, values.values())
    return {
        name: _geometry(one, kept[name], values[name], bar, rested.get(name), terrain) for name, one in paths.items()
    }


def _geometry(
    paths: PathTable, kept: np.ndarray, values: np.ndarray, bar: Bar | None, rested: Flags | None, terrain: Terrain
) -> PathGeometry:
    """Geometry of one scheme: the points that are kept, coloured by their values."""
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
        self.lines, self.starts, self.ends, self.chosen = (pv.PolyData() for _ in range(4))
        self._paths = self.add(self.lines, "white", lit=False, width=1.4, opacity=0.75)
        draw_nearer(self._paths, 10.0)
        self._paths.mapper.SetScalarModeToUsePointData()
        for mesh, colour, size in ((self.starts, "#ffffff", 3.0), (self.ends, look.alarm, 6.0)):
            draw_nearer(self.add(mesh, colour, lit=False, dot=size), 16.0)
        draw_nearer(self.add(self.chosen, look.ink, lit=False, width=4.5), 20.0)

    def show(self, path_geometry: PathGeometry) -> None:
        """Draw these paths in place of those before."""
        self.bar, self.rock, self.points = path_geometry.bar, path_geometry.rock, path_geometry.points
        self.rests = len(path_geometry.ends)
        self._owner = np.repeat(np.arange(len(path_geometry.rock)), np.diff(path_geometry.strips))
        self.lines.points = path_geometry.points
        self.lines.lines = _strips(path_geometry.strips)
        rgba = numpy_to_vtk(path_geometry.colours, deep=True)  # PyVista refuses those of no paths
        rgba.SetName("rgba")
        self.lines.GetPointData().SetScalars(rgba)
        self._paths.mapper.SetScalarVisibility(True)
        for mesh, points in ((self.starts, path_geometry.starts), (self.ends, path_geometry.ends)):
            mesh.points = points
            numbers: np.ndarray = np.arange(len(points))
            mesh.verts = pv.CellArray.from_regular_cells(numbers[:, None])

    def clear(self) -> None:
        """Draw none."""
        self.bar, self.points, self._owner = None, np.zeros((0, 3), np.float32), np.zeros(0, np.int64)
        self.rock = self._owner
        for mesh in (self.lines, self.starts, self.ends, self.chosen):
            mesh.Initialize()

    @property
    def summary(self) -> str:
        """Number of paths or places of rest that are drawn, in words; "": none."""
        if not (self.on and len(self.rock)):
            return ""
        if self.bar is None:
            return plural("{count} place of rest", "{count} places of rest", self.rests).format(count=self.rests)
        return plural("{count} whole path", "{count} whole paths", len(self.rock)).format(count=len(self.rock))

    def choose(self, rock: int | None) -> None:
        """Show one rock's path bold; None: none of them."""
        here = self.points[np.isin(self._owner, np.flatnonzero(self.rock == rock))]
        self.chosen.points = here
        self.chosen.lines = _strips(np.array([0, len(here)]))

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


def _strips(offsets: np.ndarray) -> pv.CellArray:
    """Lines through the points offsets[i] to offsets[i + 1]."""
    numbers: np.ndarray = np.arange(int(offsets[-1]))
    return pv.CellArray.from_arrays(offsets, numbers, deep=True)


FENCE, COURSE = "#ffd84d", "#5fd0ff"  # the ground is the same in both themes


class BarrierActor(ActorGroup):
    """Barriers as fences on the ground, those that stop rocks are solid; and lines of interest."""

    overlay = "barriers"

    def __init__(
        self, ground: Ground, shift: Array, fences: Sequence[Barrier], lines: Sequence[Line], look: StageColours
    ) -> None:
        super().__init__()
        self._colours = look.omega, look.axes[2]
        self._drawn = bool(fences), bool(lines)
        for line in lines:
            course = on_ground(np.asarray(line.line, float) - shift[:2], ground.terrain)
            drawn = polyline(len(course))
            move(drawn, course)
            for colour, wide, near in ((RIM, 5.0, 12.0), (COURSE, 2.8, 14.0)):
                draw_nearer(self.add(drawn, colour, lit=False, width=wide), near)
        for one in fences:
            foot = on_ground(np.asarray(one.line, float) - shift[:2], ground.terrain)
            top = foot + np.array([0.0, 0.0, one.height])
            n = len(foot)
            a = np.arange(n - 1)
            faces = np.concatenate([np.stack([a, a + 1, a + n + 1], 1), np.stack([a, a + n + 1, a + n], 1)])
            fence = polygons(np.concatenate([foot, top]).astype(np.float32), faces)
            fence.point_data["rgba"] = tinted(FENCE, np.full(2 * n, 120 if one.capacity is None else 255))
            self.add(fence, lit=False)
            for edge, width in ((top, 2.6), (foot, 1.4)):
                rail = polyline(n)
                move(rail, edge)
                for colour, wide, near in ((RIM, width + 2.2, 12.0), (FENCE, width, 14.0)):
                    draw_nearer(self.add(rail, colour, lit=False, width=wide), near)

    def signs(self) -> list[Sign]:
        """Meanings of its signs, for the legend."""
        found = zip((tr("barrier"), tr("line of interest")), self._colours, strict=True)
        return [
            ("barriers", sign(f"— {name}", colour))
            for (name, colour), drawn in zip(found, self._drawn, strict=True)
            if drawn
        ]


STEM_COLOUR = "#8b7052"
SIDES = 6  # sides of a stem
MAX_DRAWN_STEMS = 20_000  # stems nearest the release
MARKED = 500  # stems that a rock has met, the last ones


def stem_places(world: RockfallWorld, ground: Ground) -> Array:
    """Feet (n, 3) [m] of the stems of a world on the stage, in the order of its cover."""
    x, y = (world.cover.stems[0][:, :2] + ground.terrain.origin).T
    return np.stack([x, y, ground.terrain.heights_at(x, y)], axis=1)


class StemActor(ActorGroup):
    """Stems of trees as prisms, in one mesh; start (3,) [m]: of the release on the stage."""

    overlay = "zones"

    def __init__(self, world: RockfallWorld, ground: Ground, start: Array) -> None:
        super().__init__()
        foot, rows = stem_places(world, ground), world.cover.stems[0]
        near = np.argsort(np.hypot(*(foot - start)[:, :2].T), kind="stable")[:MAX_DRAWN_STEMS]
        angles = 2.0 * np.pi * np.arange(SIDES) / SIDES
        ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(SIDES)], axis=1)
        low = foot[near, None] + rows[near, RADIUS, None, None] * ring
        top = low + rows[near, TALL, None, None] * np.array([0.0, 0.0, 1.0])
        points = np.stack([low - np.array([0.0, 0.0, 0.5]), top], axis=1).reshape(-1, 3)
        a = np.arange(SIDES)
        b = (a + 1) % SIDES
        faces = np.stack([a, b, b + SIDES, a + SIDES], axis=1)
        whole = (2 * SIDES * np.arange(len(near))[:, None, None] + faces).reshape(-1, 4)
        stems = polygons(points.astype(np.float32), whole)
        colours = tinted(STEM_COLOUR, np.full(len(points), 255))
        light = 0.75 + 0.25 * np.tile(np.cos(angles - 0.75 * np.pi), 2 * len(near))  # from the north-west
        colours[:, :3] = (colours[:, :3] * light[:, None]).astype(np.uint8)
        stems.point_data["rgba"] = colours
        self.add(stems, lit=False)

    def signs(self) -> list[Sign]:
        """Meaning of its sign, for the legend."""
        return [("zones", sign(f"| {tr('tree')}", STEM_COLOUR))]


class StemMarks(TrackedGroup):
    """Dots on the stems that a rock has met so far, in the colour of its lane; larger on those that broke."""

    overlay = "zones"

    def __init__(self, track: LaneTrack, ground: Ground) -> None:
        super().__init__()
        assert isinstance(track.world, RockfallWorld)
        self._places = stem_places(track.world, ground) + np.array([0.0, 0.0, BREAST_HEIGHT])
        self._meshes = [pv.PolyData(np.zeros((MARKED, 3), np.float32)) for _ in range(2)]
        for mesh, dot in zip(self._meshes, (7.0, 12.0), strict=True):
            draw_nearer(self.add(mesh, track.scheme.colour, lit=False, dot=dot), 14.0)
        self._numbers: list[list[int]] = [[], []]
        self.set_visible(False)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        met = [event for event in track.run.events if event.number >= 0 and event.time <= pose.time]
        numbers = [[event.number for event in met if event.kind == kind] for kind in ("tree", "tree-broken")]
        for mesh, prop, now, before in zip(self._meshes, self.props, numbers, self._numbers, strict=True):
            prop.SetVisibility(bool(now))
            if now and now != before:
                move(mesh, self._places[np.resize(now[-MARKED:], MARKED)])
        self._numbers = numbers


def on_ground(line: Array, terrain: Terrain, spacing: float = 2.0) -> Array:
    """Points (n, 3) [m] of a line (k, 2) that lies on the ground, ``spacing`` [m] apart; 0: its own points only."""
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    places = np.union1d(np.linspace(0.0, along[-1], max(2, int(along[-1] / spacing))), along) if spacing else along
    x, y = (np.interp(places, along, line[:, k]) for k in range(2))
    return np.stack([x, y, terrain.heights_at(x, y)], axis=1)


AREA_COLOURS = {"release": "#ffffff", "soil": "#ffb454", "forest": "#7ddc7a"}  # the ground is the same in both themes
HATCHES = {"soil": 1.0, "forest": -1.0}  # direction of the lines in zones, y over x; a release has none
SIGNS = {"release": "□", "soil": "///", "forest": "\\\\\\"}
LINES = 12  # lines of the hatch across a zone


class ZoneActor(ActorGroup):
    """Outlines of the release, and of zones of soils and forests, these with a hatch where no later one covers them.

    names, places (n, 3) [m] of the stage : what zones are, and where their names stand; kinds : layers that are drawn
    """

    overlay = "zones"

    def __init__(self, ground: Ground, shift: Array, layers: Mapping[str, Sequence[Shape]], look: StageColours) -> None:
        super().__init__()
        self._ink = look.ink
        x0, x1, y0, y1 = ground.terrain.extent
        self._frame = shapely.box(x0, y0, x1, y1)
        self._terrain, self._spacing = ground.terrain, max(2.0, 1e-3 * max(x1 - x0, y1 - y0))
        self.names: list[str] = []
        self.kinds: list[str] = []
        places = [np.zeros((0, 3))]
        for kind, colour in AREA_COLOURS.items():
            layer = [(self._here(shape, shift), given) for shape, given in layers.get(kind, ())]
            edges = [shape.boundary if shape.area else shape for shape, _ in layer]
            if self._lines(edges, ((RIM, 4.4, 13.0), (colour, 2.2, 15.0))):
                self.kinds.append(kind)
            if kind in HATCHES:
                seen = [(shape, given) for shape, given in uncovered(layer) if shape.area]
                self._lines(
                    [_hatch(shape, HATCHES[kind]) for shape, _ in seen], ((RIM, 3.0, 11.0), (colour, 1.2, 12.0))
                )
                self.names += [ground_named(given) for _, given in seen]
                places += [self._on_ground(_named_at(shape, kind)) for shape, _ in seen]
        self.places = np.concatenate(places)

    def signs(self) -> list[Sign]:
        """Meanings of its signs, for the legend."""
        meanings = {"release": tr("area of release"), "soil": tr("other soils"), "forest": tr("other forests")}
        return [("zones", sign(f"{SIGNS[kind]} {meanings[kind]}", self._ink)) for kind in self.kinds]

    def _here(self, shape: BaseGeometry, shift: Array) -> BaseGeometry:
        """The part of a shape on the map, in the stage's coordinates."""
        return shapely.intersection(shapely.transform(shape, lambda places: places - shift[:2]), self._frame)

    def _on_ground(self, shape: BaseGeometry) -> Array:
        """Points (n, 3) [m] of a line or a point on the ground."""
        corners = shapely.get_coordinates(shape)
        return on_ground(corners, self._terrain, self._spacing if len(corners) > 1 else 0.0)

    def _lines(self, shapes: Sequence[BaseGeometry], looks: Sequence[tuple[str, float, float]]) -> bool:
        """Draw the lines among shapes, each look a colour, a width and how much nearer; True if there are any."""
        parts = shapely.get_parts(shapely.get_parts(np.array(shapes, object)))
        curves = [self._on_ground(part) for part in parts if part.geom_type == "LineString"]
        for colour, width, near in looks if curves else ():
            draw_nearer(self.add(polylines(curves), colour, lit=False, width=width), near)
        return bool(curves)


def _named_at(shape: BaseGeometry, kind: str) -> BaseGeometry:
    """Area in which the name of a zone stands: for a forest its south, as a soil may have the same area."""
    x0, y0, x1, y1 = shape.bounds
    south = shapely.intersection(shape, shapely.box(x0, y0, x1, y0 + 0.4 * (y1 - y0)))
    return (south if kind == "forest" else shape).representative_point()


def _hatch(shape: BaseGeometry, way: float) -> BaseGeometry:
    """Parallel lines across a shape, whose y grows ``way`` times as fast as x."""
    x0, y0, x1, y1 = shape.bounds
    low, high = sorted((y0 - way * x0, y1 - way * x1)) if way < 0.0 else (y0 - way * x1, y1 - way * x0)
    starts = np.linspace(low, high, LINES + 1)[1:-1]
    lines = [[(x0, way * x0 + c), (x1, way * x1 + c)] for c in starts.tolist()]
    return shapely.intersection(shapely.MultiLineString(lines), shape)


BRIGHT = "#5ff0ff"  # used for nothing that is computed; the ground is the same in both themes
RIM = "#10151d"  # behind bright lines, so that they are seen on any ground
ARM = 0.011  # arm of a cross, as a share of the longer side of the area of the measurements
STAFF = 0.02  # staff of a passage without height, likewise
_RISE = 0.15  # height of a cross above the ground, in arms


class ObservedActor(ActorGroup):
    """Field measurements, in one colour that nothing computed has; passages by their velocity."""

    overlay = "observed"

    def __init__(self, ground: Ground, shift: Array, found: Observations, look: StageColours) -> None:
        super().__init__()
        self._ground, self._shift, self._look, self._found = ground, shift[:2], look, found
        self.bar: Bar | None = None
        size = self._size()
        if found.tracks:
            self._outlined([self._lifted(track.points, 0.3 * _RISE * ARM * size) for track in found.tracks], 1.8)
        if found.stops is not None:
            self._outlined(self._crosses(found.stops.places, ARM * size), 2.6)
        if found.passages is not None:
            self._staffs(found.passages, STAFF * size)

    def signs(self) -> list[Sign]:
        """Meanings of its signs, for the legend."""
        found, colour = self._found, self._look.measured
        stops = 0 if found.stops is None else len(found.stops)
        tracks = plural("{count} measured track", "{count} measured tracks", len(found.tracks))
        meanings = {
            f"× {tr('{count} measured stops').format(count=stops)}": found.stops is not None,
            f"— {tracks.format(count=len(found.tracks))}": bool(found.tracks),
            f"| {tr('measured passages')}": found.passages is not None,
        }
        return [("observed", sign(text, colour)) for text, there in meanings.items() if there]

    def _size(self) -> float:
        """The longer side of where anything was measured [m], at least a tenth of the map's."""
        x0, x1, y0, y1 = self._ground.terrain.extent
        places = [track.points[:, :2] for track in self._found.tracks]
        places += [one.places for one in (self._found.stops, self._found.passages) if one is not None]
        wide = np.ptp(np.concatenate(places), axis=0).max()
        return float(np.clip(wide, 0.1 * max(x1 - x0, y1 - y0), max(x1 - x0, y1 - y0)))

    def _outlined(self, curves: list[Array], width: float) -> None:
        """Lines in the colour of what was measured, with a dark rim."""
        for colour, wide, near in ((RIM, width + 2.2, 16.0), (BRIGHT, width, 20.0)):
            draw_nearer(self.add(polylines(curves), colour, lit=False, width=wide), near)

    def _crosses(self, places: Array, arm: float) -> list[Array]:
        """Two strokes (3, 3) [m] that lie on the ground at each of the places (n, 2)."""
        strokes = np.array([[(-arm, -arm), (0, 0), (arm, arm)], [(-arm, arm), (0, 0), (arm, -arm)]])
        lines = ((place - self._shift)[None] + stroke for place in places for stroke in strokes)
        return [on_ground(line, self._ground.terrain, 0.0) + np.array([0.0, 0.0, _RISE * arm]) for line in lines]

    def _lifted(self, points: Array, rise: float) -> Array:
        """The points (n, 3) of a track on the stage [m], and between those on the ground the ground's own."""
        here = points[:, :2] - self._shift
        if np.isnan(points[:, 2]).all():
            line = on_ground(here, self._ground.terrain)
            line[:, 2] += rise
            return line
        ground = self._ground.terrain.heights_at(here[:, 0], here[:, 1]) + rise
        return np.column_stack([here, np.where(np.isnan(points[:, 2]), ground, points[:, 2])])

    def _staffs(self, passages: Passages, usual: float) -> None:
        """A staff at each passage, as high as the rock was, in the colour of its velocity."""
        foot = passages.places - self._shift
        ground = self._ground.terrain.heights_at(foot[:, 0], foot[:, 1])
        high = np.where(np.isnan(passages.heights), usual, passages.heights)
        low, top = np.column_stack([foot, ground]), np.column_stack([foot, ground + high])
        curves = [np.array(pair) for pair in zip(low, top, strict=True)]
        draw_nearer(self.add(polylines(curves), RIM, lit=False, width=5.0), 16.0)
        colour: str | None = BRIGHT
        mesh, balls = polylines(curves), pv.PolyData(top.astype(np.float32))
        if np.isfinite(passages.velocities).any():
            self.bar, colour = spanning(tr("measured velocity"), "m/s", 1.0, [passages.velocities]), None
            rgba = self.bar.rgba(np.nan_to_num(passages.velocities))
            mesh.point_data["rgba"], balls.point_data["rgba"] = np.repeat(rgba, 2, axis=0), rgba
        draw_nearer(self.add(mesh, colour, lit=False, width=3.0), 20.0)
        draw_nearer(self.add(balls, colour, lit=False, dot=8.0), 22.0)


class Release(ActorGroup):
    """A pin in the ground at the release of the rock."""

    def __init__(self, ground: Ground, start: Array, radius: float) -> None:
        super().__init__()
        self._ground, self._start, self._radius = ground, start, radius
        self._staff = polyline(2)
        self.edge(self.add(self._staff, "white", lit=False, width=2.0), -20.0)
        self._ball = self.add(pv.Sphere(radius=0.4 * radius), "white", specular=0.2, ambient=0.3)

    def show(self, scale: float) -> None:
        """Draw as many times larger as the rock is drawn."""
        foot = np.r_[self._start[:2], self._ground.heights(self._start[None])]
        top = foot + np.array([0.0, 0.0, 3.4 * scale * self._radius])
        move(self._staff, np.array([foot, top]))
        put(self._ball, placed(np.eye(3), top, scale))
