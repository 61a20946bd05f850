"""The true motion beside a lane: the outline of the true body, and arcs from the lane's axes to the true ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkFiltersCore import vtkAppendPolyData

from app.playback.verdicts import length_in_words
from app.stage.actor_group import (
    ActorGroup,
    Copies,
    beside,
    draw_nearer,
    move,
    placed,
    polygons,
    polylines,
    put,
    winding_normals,
)
from app.stage.bodies.arrows import FRONT
from app.stage.lane_track import LaneTrack, Pose, TrackedGroup
from app.stage.text.labels import projected
from app.stage.theme_colours import StageColours
from app.system.language import tr
from app.theme import OFF_FILL
from physics.bodies.body import Body
from physics.core.rotation import Array, cross, dot
from physics.core.separation import NEAR

if TYPE_CHECKING:
    from vtkmodules.vtkFiltersHybrid import vtkPolyDataSilhouette

ALIKE = 0.5, 0.01  # [deg] and radii by which a true body is at most off that lies upon the lane's: it is not drawn
TURNED = 1.0  # [deg] smallest arc
POINTS = 49  # along an arc
# cosines of the angle between faces at an edge that is drawn
FOLDS = tuple(math.cos(math.radians(angle)) for angle in (25.0, 45.0, 70.0))
SMOOTH = math.cos(math.radians(0.5))  # cosine of the angle between faces at an edge that is not seen
FEW = 100  # edges that are drawn, whatever their length; of more:
CHAIN, ENOUGH = 0.3, 7.0  # extent of the shortest chain of edges, and length of all of them, in sizes of the body
BARE = 3.0  # the same length, below which sections are drawn too
GHOST, CLEAR = "#ffffff", 0.28  # colour and opacity of the true body
MOST_OUTLINED = 8  # true bodies with an outline: of more it would hide those of the lane
CLOUDY = 0.4  # opacity of true bodies without an outline
VEIL = 0.5  # share of FRONT: before the lane's body, behind lines
WIDTHS = 1.7, 4.6  # widths of a line, and of the wider one below it [pixels of a picture 720 high]
DOT = 9.0  # size of a marked point, likewise
AWAY, RIM = 17.0, 0.66  # letters that say where the true body is, likewise, and how far from the middle [halves]
COMPASS = "→↗↑↖←↙↓↘"  # arrows by eighths of a turn
SECTOR = 0.45  # opacity of the sector between a hand and where it would be
BESIDE, LEAST = 1.08, 0.9  # distance of a marked point from an axis: in the largest one of the body; in its radius
FAR = 4.0  # the latter where there are more than MOST_OUTLINED bodies, which are small: one of them has an arc
BAR = 0.4  # greatest width of a bar, in its length
BEHIND = 0.8  # share of FRONT: the wider line, before all but the line itself


class Tip(NamedTuple):
    """Point of a body from which an arc goes to where it would be in the true motion.

    Attributes
    ----------
    body : number of the body
    hub, arm : (3,) [m] in body axes: the middle of the arc, and from there to the point
    hand : whether a line goes from there to the point, like a clock's
    about : (3,) unit vector of the axis about which the body looks alike; no arc is drawn while that axis is off
    """

    body: int
    hub: Array
    arm: Array
    hand: bool = False
    about: Array | None = None


def tips_of(track: LaneTrack, drawn: Sequence[Array]) -> list[Tip]:
    """Points of a lane's bodies from which arcs go to the true ones; of a single body those that draw curves.

    Without such points the end of its axis. Bodies that are symmetric about an axis and bars of a mechanism look alike
    when they turn about it: where this counts, a hand goes to a point beside that axis.

    drawn : (3,) [m] in body axes, each; one that is there twice counts once
    """
    bodies, middle = track.bodies, np.zeros(3)
    axes = [
        one.world.symmetry_axis if axle is None else None for one, axle in zip(bodies, track.whole.axles, strict=True)
    ]
    if len(bodies) > 1:
        axes = [
            _along_bar(one.body) if axis is None and axle is None else axis
            for one, axis, axle in zip(bodies, axes, track.whole.axles, strict=True)
        ]
    least = LEAST if len(bodies) <= MOST_OUTLINED else FAR
    besides = [_beside(bodies[number], axis, least) for number, axis in enumerate(axes) if axis is not None]
    if len(bodies) > 1:
        return besides
    (axis,) = axes
    points = [*{tuple(point): point for point in drawn}.values()]
    if not points:
        way = np.array([0.0, 0.0, 1.0]) if axis is None else axis
        return [Tip(0, middle, 1.3 * track.body.radius * way, hand=True), *besides]
    across = np.linalg.norm(np.cross(points, middle if axis is None else axis), axis=1)
    aside = (across > 0.5 * np.linalg.norm(points, axis=1)).tolist()
    found = [Tip(0, middle, arm, hand=off, about=axis if off else None) for arm, off in zip(points, aside, strict=True)]
    return found if any(aside) else [*found, *besides]


def _along_bar(body: Body) -> Array | None:
    """Unit vector (3,) along a bar in body axes; None of another body."""
    *_, middle, longest = np.argsort(body.extents)
    return np.eye(3)[longest] if body.extents[middle] < BAR * body.extents[longest] else None


def _beside(track: LaneTrack, axis: Array, least: float) -> Tip:
    """The point beside the axis about which a body is symmetric, at the height where it is widest.

    least : distance from the axis, in radii of the body
    """
    body, arm = track.body, track.world.arm
    along = body.vertices @ axis
    across = np.linalg.norm(body.vertices - np.outer(along, axis), axis=1)
    hub = float(along[across > 0.999 * across.max()].mean()) * axis
    aside = beside(axis)
    far = max(BESIDE * float(across.max()), least * body.radius)
    hub = hub if arm is None else hub + arm  # from the fixed point
    return Tip(track.number, hub, far * aside / np.linalg.norm(aside), hand=True, about=axis)


@dataclass(frozen=True)
class Outline:
    """The lines (n, 2, 3) [m] that show the attitude of a body from all sides.

    round : the surface, if its silhouette has other lines too
    """

    lines: Array
    round: pv.PolyData | None


def outline(mesh: pv.PolyData) -> Outline:
    """The edges at which a mesh of triangles bends, of many a few; without such edges the sections through the origin.

    Corners at one place are one.
    """
    triangles = np.asarray(mesh.points, float)[mesh.regular_faces]
    corners, normals = triangles.reshape(-1, 3), winding_normals(triangles)
    size = float(np.abs(corners).max())
    _, first, alike = np.unique(np.round(corners / size, 5), axis=0, return_index=True, return_inverse=True)
    faces = alike.reshape(-1, 3)
    sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    order = np.lexsort(sides.T)
    sides, owners = sides[order], np.tile(np.arange(len(faces)), 3)[order]
    edges, start, count = np.unique(sides, axis=0, return_index=True, return_counts=True)
    other = np.minimum(start + 1, len(owners) - 1)
    bend = np.where(count == 2, np.sum(normals[owners[start]] * normals[owners[other]], axis=1), -1.0)
    drawn = _features(corners[first] / size, edges, bend)
    lines = corners[first][edges[drawn]]
    if np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum() < BARE * size:
        lines = np.concatenate([lines, *(section(triangles, axis) for axis in range(3))])
    return Outline(lines, mesh.clean() if (bend[~drawn] < SMOOTH).any() else None)


def _features(points: Array, edges: np.ndarray, bend: Array) -> NDArray[np.bool_]:
    """Mask (n,) of the edges (n, 2) that are drawn: all that bend, or of many the long chains of sharp ones.

    points : (m, 3), of a body of size 1; bend : (n,) the cosines of the angles between the faces at the edges
    """
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    for fold in FOLDS:
        drawn = bend < fold
        if drawn.sum() <= FEW:
            break
        drawn[drawn] = _reach(points, edges[drawn]) > CHAIN
        if lengths[drawn].sum() <= ENOUGH:
            break
    longest = np.argsort(np.where(drawn, -lengths, 0.0), kind="stable")
    drawn[longest[FEW:][np.cumsum(lengths[longest])[FEW:] > ENOUGH]] = False
    return drawn


def _reach(points: Array, edges: np.ndarray) -> Array:
    """Largest extent along an axis (n,) of the chain of edges that each edge (n, 2) is in."""
    chain = np.arange(len(points))
    while True:
        joined = chain.copy()
        least = chain[edges].min(axis=1)
        for end in edges.T:
            np.minimum.at(joined, end, least)
        joined = joined[joined]
        if (joined == chain).all():
            break
        chain = joined
    low, high = points.copy(), points.copy()
    np.minimum.at(low, chain, points)
    np.maximum.at(high, chain, points)
    return np.asarray((high - low).max(axis=1)[chain[edges[:, 0]]])


def section(triangles: Array, axis: int) -> Array:
    """Lines (n, 2, 3) in which the plane through the origin across an axis cuts triangles (m, 3, 3)."""
    ahead = triangles[..., axis] > 0.0
    across = ahead.any(axis=1) & ~ahead.all(axis=1)
    cut, ahead = triangles[across], ahead[across]
    lone = np.argmax(ahead == (ahead.sum(axis=1, keepdims=True) == 1), axis=1)  # the corner alone on its side
    a, b, c = (cut[np.arange(len(cut)), (lone + k) % 3] for k in range(3))
    ends = [a + (a[:, axis] / (a[:, axis] - p[:, axis]))[:, None] * (p - a) for p in (b, c)]
    return np.stack(ends, axis=1)


def shell_of(body: Body) -> pv.PolyData:
    """The surface of a body in its axes [m]."""
    return polygons(body.vertices, body.faces)


def degrees_apart(one: Array, other: Array) -> Array:
    """Angles (n,) [deg] of the rotations between attitudes (n, 3, 3)."""
    chords = np.sqrt(np.sum((one - other) ** 2, axis=(1, 2)) / 8.0)
    return np.asarray(np.degrees(2.0 * np.arcsin(np.minimum(chords, 1.0))))


class Outlined(ActorGroup):
    """Lines of a body that stand out from what is bright and from what is dark, in front of everything."""

    _silhouette: vtkPolyDataSilhouette | None = None

    def enter(self, renderer: pv.Renderer) -> None:
        super().enter(renderer)
        if self._silhouette is not None:
            self._silhouette.SetCamera(renderer.GetActiveCamera())

    def draw(
        self, mesh: pv.PolyData, surface: pv.PolyData | None, colour: str, look: StageColours
    ) -> tuple[pv.Actor, ...]:
        """The actors of lines, with one around a surface as the camera sees it."""
        drawn = self.draw_lines(mesh, colour, look)
        if surface is not None:
            self._add_silhouette(surface, mesh, drawn)
        return drawn

    def draw_lines(self, mesh: pv.PolyData, colour: str, look: StageColours) -> tuple[pv.Actor, ...]:
        """The actors of lines, the wider and darker one of which is below the other."""
        core, casing = (
            self.add(mesh, colour, lit=False, width=width, opacity=opacity)
            for colour, width, opacity in zip((colour, look.panel), WIDTHS, (1.0, 0.6), strict=True)
        )
        draw_nearer(core, FRONT)
        draw_nearer(casing, BEHIND * FRONT)
        return core, casing

    def _add_silhouette(self, surface: pv.PolyData, mesh: pv.PolyData, drawn: Sequence[pv.Actor]) -> None:
        """A line around the body, which VTK finds anew when the body or the camera moves."""
        from vtkmodules.vtkFiltersHybrid import vtkPolyDataSilhouette  # here: few bodies are round

        self._silhouette, lines = vtkPolyDataSilhouette(), vtkAppendPolyData()
        self._silhouette.SetInputData(surface)
        self._silhouette.SetEnableFeatureAngle(False)
        self._silhouette.SetProp3D(drawn[0])
        lines.AddInputData(mesh)
        lines.AddInputConnection(self._silhouette.GetOutputPort())
        for actor in drawn:
            actor.mapper.SetInputConnection(lines.GetOutputPort())


def alike(poses: Sequence[Pose], trues: Sequence[Pose], radii: Array) -> NDArray[np.bool_]:
    """Mask (n,) of the bodies of radii (n,) [m] that look the same at both poses."""
    turns, true_turns = (np.array([one.rotation for one in group]) for group in (poses, trues))
    places, true_places = (np.array([one.position for one in group]) for group in (poses, trues))
    near = np.linalg.norm(true_places - places, axis=1) < ALIKE[1] * radii
    return np.asarray(near & (degrees_apart(turns, true_turns) < ALIKE[0]))


class LaneOutline(Outlined, TrackedGroup):
    """The body of a lane as an outline in the lane's colour: two solid bodies at nearly one place would tear.

    It has an edge in the colour of the true motion while it does not differ from that.
    """

    def __init__(self, found: Outline, colour: str, look: StageColours) -> None:
        super().__init__()
        self._look = look
        self._drawn = self.draw(polylines(found.lines), found.round, colour, look)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        true = track.true_poses(pose)
        right = bool(true) and alike([pose], true, np.array([track.body.radius])).all()
        self._drawn[1].prop.color = self._look.ink if right else self._look.panel
        for actor in self._drawn:
            put(actor, placed(pose.rotation, pose.place, pose.scale))


class TrueMotion(Outlined, TrackedGroup):
    """The true bodies, translucent, and arcs from where points of a lane's bodies are to where they would be.

    The ends of an arc are marked.
    shells : surfaces of all bodies, in their axes [m]
    before : those of lanes drawn in the same viewport, with which a common true body is drawn once
    """

    overlay = "truth"

    def __init__(
        self,
        track: LaneTrack,
        look: StageColours,
        shells: Sequence[pv.PolyData],
        tips: Sequence[Tip],
        before: Sequence[TrueMotion],
    ) -> None:
        super().__init__()
        self._track, self._before, self.tips = track, before, list(tips)
        self._radii = np.array([one.body.radius for one in track.bodies])
        self.solids = Copies(shells)
        many = len(shells) > MOST_OUTLINED
        solid = self.add(self.solids.mesh, GHOST, opacity=CLOUDY if many else CLEAR, ambient=0.35, culling="back")
        draw_nearer(solid, VEIL * FRONT)
        self._drawn = [(solid, *(() if many else self.draw(pv.PolyData(), self.solids.mesh, look.ink, look)))]
        self.shown = np.zeros(len(shells), bool)  # which true bodies are drawn
        self._ends, self._hands = list[pv.PolyData](), list[pv.PolyData]()
        if self.tips:
            self.arcs = polylines(np.zeros((len(self.tips), POINTS, 3)))
            self._drawn.append(self.draw_lines(self.arcs, look.ink, look))
            hands = sum(tip.hand for tip in self.tips)
            for colour in (track.scheme.colour, look.ink):
                self._ends.append(pv.PolyData(np.zeros((len(self.tips), 3), np.float32)))
                self._drawn.append((self.add(self._ends[-1], colour, lit=False, dot=DOT),))
                draw_nearer(self._drawn[-1][0], FRONT)
                if hands:
                    self._hands.append(polylines(np.zeros((hands, 2, 3))))
                    self._drawn.append(self.draw_lines(self._hands[-1], colour, look))
            if hands:
                self.sectors = _sectors(hands)
                self._sector, self._near = self.add(self.sectors, OFF_FILL, lit=False, opacity=SECTOR), look.dim
                self._drawn.append((self._sector,))
                draw_nearer(self._sector, VEIL * FRONT)
        self.seen = [False] * len(self._drawn)
        self._shown_as: object = None  # switch, words and visible actors at the last time
        self._away = self.letter("", np.zeros(3), look.ink, AWAY, look.panel)
        self._away.GetPositionCoordinate().SetCoordinateSystemToViewport()

    def show(self, track: LaneTrack, pose: Pose) -> None:
        trues = track.true_poses(pose)
        self.seen, self.shown = [False] * len(self._drawn), np.zeros_like(self.shown)
        if trues:
            poses = [*track.poses(pose.time)[:-1], pose]
            off = ~alike(poses, trues, self._radii)
            self._outline(off, trues)
            self._draw_arcs([tip for tip in self.tips if off[tip.body]], poses, trues)
        away = ""
        if self.seen[0] and self.viewport is not None:
            away = self._way(self.viewport, pose, trues[-1])
        if self._shown_as != (now := (self.on, away, *self.seen)):
            self._shown_as = now
            self._away.SetInput(away)
            self.set_visible(self.on)

    def _way(self, renderer: pv.Renderer, pose: Pose, true: Pose) -> str:
        """Distance of the true body, written at the rim towards it; "" of one in sight."""
        (pixel,), (depth,) = projected(renderer, true.place[None])
        half = np.array(renderer.GetSize()) / 2
        way = (pixel - half) / half
        if np.abs(way).max() < 1.0 and abs(depth) < 1.0:
            return ""
        way *= RIM / max(float(np.abs(way).max()), 1e-9)
        self._away.GetPositionCoordinate().SetValue([*(half * (1.0 + way)), 0.0])
        sector = round(math.atan2(way[1] * half[1], way[0] * half[0]) / (math.pi / 4))
        metres = float(np.linalg.norm(true.position - pose.position))
        return f"{COMPASS[sector]} {tr('truth')} {length_in_words(metres)}"

    def _outline(self, off: NDArray[np.bool_], trues: Sequence[Pose]) -> None:
        """Draw the bodies of a mask (n,) at poses of all, others as points, unless a lane before has drawn them."""
        self.shown = off & ~np.any([one.shown for one in self._before if one.shares_truth_of(self._track)], axis=0)
        self.seen[0] = bool(self.shown.any())
        if self.seen[0]:
            last = trues[-1]
            for actor in self._drawn[0]:
                put(actor, placed(last.rotation, last.place, last.scale))
            turns = last.rotation.T @ np.array([one.rotation for one in trues])  # in the axes of the last one
            turns[-1] = np.eye(3)  # exactly: VTK takes 5 ms to find edges of a fine surface anew
            turns *= self.shown[:, None, None]
            places = np.array([one.place - last.place for one in trues]) @ last.rotation
            self.solids.show(turns, places)

    def _draw_arcs(self, tips: Sequence[Tip], poses: Sequence[Pose], trues: Sequence[Pose]) -> None:
        """Draw the arcs of some tips, with their ends and hands; those that are too short or not wanted are points."""
        arcs = [(tip, *arc) for tip in tips if (arc := self._arc(tip, poses[tip.body], trues[tip.body])) is not None]
        if len(poses) > MOST_OUTLINED:
            arcs = sorted(arcs, key=lambda arc: float(np.linalg.norm(arc[1][-1] - arc[1][0])))[-1:]
        self.seen[1:] = [bool(arcs)] * (len(self.seen) - 1)
        if not arcs:
            return
        _fill(self.arcs, [points for _, points, _ in arcs])
        for end, mesh in enumerate(self._ends):
            _fill(mesh, [points[[-end]] for _, points, _ in arcs])
        for end, mesh in enumerate(self._hands):
            hands = [np.stack([hubs[end], points[-end]]) for tip, points, hubs in arcs if tip.hand]
            _fill(mesh, hands or [arcs[0][1][[-end]]])
        if self._hands:
            found = self._track.departure(poses[-1].time)
            self._sector.prop.color = OFF_FILL if found is not None and found.mark == "off" else self._near
            sectors = [
                np.concatenate([np.linspace(hubs[0], hubs[1], POINTS), arc]) for tip, arc, hubs in arcs if tip.hand
            ]
            _fill(self.sectors, sectors or [arcs[0][1][:1]])

    def _arc(self, tip: Tip, pose: Pose, true: Pose) -> tuple[Array, Array] | None:
        """Points (POINTS, 3) of an arc, and its middle (2, 3) in lane and truth; None: too short, or not wanted."""
        start, end = (pose.scale * (one.rotation @ tip.arm) for one in (pose, true))
        if not (angle := _angle(start, end)):
            return None
        if tip.about is not None and _angle(pose.rotation @ tip.about, true.rotation @ tip.about) > math.radians(NEAR):
            return None  # where the axis is off, the phase about it says little
        foot = self._track.bodies[tip.body].foot(pose)
        hubs = foot + np.array([pose.scale * (one.rotation @ tip.hub) for one in (pose, true)])
        return great_circle(start, end, angle) + np.linspace(hubs[0], hubs[1], POINTS), hubs

    def shares_truth_of(self, track: LaneTrack) -> bool:
        """True if the true body of another lane is the same."""
        return self._track.truth is track.truth

    def set_visible(self, on: bool) -> None:
        """Show or hide; hidden where the true motion is not known, or where the lane does as it does."""
        self._away.SetVisibility(on and bool(self._away.GetInput()))
        for actors, seen in zip(self._drawn, self.seen, strict=True):
            for actor in actors:
                actor.SetVisibility(on and seen)


def _sectors(count: int) -> pv.PolyData:
    """Surfaces between lines of POINTS from which arcs are drawn and the arcs, all at the origin until moved."""
    i = np.arange(POINTS - 1)
    strip = np.concatenate([np.stack([i, i + 1, POINTS + i + 1], -1), np.stack([i, POINTS + i + 1, POINTS + i], -1)])
    faces = np.concatenate([strip + 2 * POINTS * number for number in range(count)])
    return polygons(np.zeros((2 * POINTS * count, 3), np.float32), faces)


def _fill(mesh: pv.PolyData, rows: Sequence[Array]) -> None:
    """Move the points of a mesh to rows (k, 3) [m]; those that are left lie on the first one."""
    points = np.concatenate(rows)
    move(mesh, np.concatenate([points, np.repeat(points[:1], mesh.n_points - len(points), axis=0)]))


def _angle(a: Array, b: Array) -> float:
    """Angle [rad] between vectors (3,), 0 where it is too small to draw."""
    one, other = a.tolist(), b.tolist()
    across = cross(one, other)
    angle = math.atan2(math.sqrt(dot(across, across)), dot(one, other))
    return angle if angle > math.radians(TURNED) else 0.0


def great_circle(a: Array, b: Array, angle: float) -> Array:
    """Points (POINTS, 3) from one vector (3,) to another of the same length, by the shortest way around the origin."""
    across = b - math.cos(angle) * a
    if (length := float(np.linalg.norm(across))) < 1e-6 * float(np.linalg.norm(a)):  # opposite: any way is as short
        across = beside(a)
        length = float(np.linalg.norm(across))
    turn = np.linspace(0.0, angle, POINTS)[:, None]
    return np.asarray(np.cos(turn) * a + np.sin(turn) * (across * (float(np.linalg.norm(a)) / length)))
