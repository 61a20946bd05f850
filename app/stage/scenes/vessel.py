"""Scene of a vessel: a ship in calm water, with its heading at the start.

An ellipsoid or bare moments are drawn as a stock ship of their extents, any other body as it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, circle, draw_nearer, move, polygons, polyline, polylines, tinted
from app.stage.bodies.arrows import FRONT, VectorArrows
from app.stage.bodies.body_mesh import Axes, BodyActor
from app.stage.bodies.model_skin import skin_of
from app.stage.bodies.sea import Foam, Sea, calm
from app.stage.bodies.ship_hull import foremost, given, masthead, ship, stem, topmost
from app.stage.bodies.trails import Trace, fine, late_trace, memory
from app.stage.camera.rig import direction
from app.stage.camera.subject import TALL, Subject, corners, swept
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose, PosedGroup, TrackedGroup
from app.stage.text.caption_text import Sign, arrows, sign
from app.stage.text.labels import separate
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.core.rotation import Array, ahead, cross
from physics.systems.attached.vessel import VesselScenario
from physics.systems.world import World

STOCK = ("ellipsoid", "inertia")  # shapes that stand for a ship
NAMED = 1.08  # place of the name of an angle, in radii of its sector
LETTER = 14.0  # size of the name [pixels of a picture 720 high]
CHALK = "#c9d9ea"  # colour of the dial on water
ROOM = 1.16  # extent of the dial with the names around it, in its radii
DIAL = 1.12  # radius of the circle along which the heading is measured, in radii of the ship


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The dial on the water and the ship, seen from ahead to starboard, see camera.fit.Framing."""
    radius, half = tracks[0].body.radius, tracks[0].body.extents / 2
    dial = ROOM * DIAL * radius * circle(48)
    mast = masthead(2 * half)[None]
    moved = swept(tracks, np.concatenate([corners(-half, half), mast]))
    focus = np.array([0.0, 0.0, 0.06 * radius])
    return Subject(np.concatenate([dial, moved, mast]), direction(-60.0, 24.0), focus, TALL)


def has_water(world: World) -> bool:
    """True if there is water around a vessel."""
    scenario = world.scenario
    return not isinstance(scenario, VesselScenario) or scenario.vessel is None or scenario.vessel.restoring


class Vessel(LaneScene):
    """A ship with the path of its bow (without water, of its masthead too) and the angle of its heading."""

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        body, colour = track.body, track.scheme.colour
        scenario = track.world.scenario
        waters = scenario if isinstance(scenario, VesselScenario) else None
        size, tint = body.radius, 0.35 if place.shared else 0.0
        stock = waters is not None and waters.body.form in STOCK
        paint = colour, look.faces, tint
        mesh = ship(body.extents, *paint) if stock else given(body, *paint)
        bow, top = (stem(body.extents), masthead(body.extents)) if stock else (foremost(body), topmost(body))
        self._bare = ship(body.extents, *paint, fitted="outline") if stock else None
        ahead = 0.5 * body.extents[0] if stock else float(bow[0])
        arms = np.array([ahead + 0.13 * size, 0.36 * size, 0.36 * size])
        if not stock:
            arms[1:] = np.maximum(arms[1:], body.vertices.max(axis=0)[1:] + 0.13 * size)
        afloat = has_water(track.world)
        self.body = BodyActor(mesh, specular=0.12, skin=() if stock else skin_of(body))
        self.posed = [self.body, Axes(body, look, arms)]
        if afloat:  # roll and pitch are measured from the level of the water
            self.posed += [Foam(mesh, float(body.extents[:2].min()), calm), Angles(size, look)]
            if place.first:
                self.parts.append(sea := Sea(body, calm, look))
                sea.show(track.pose(0.0))
        chalk = CHALK if afloat else look.faint
        self.parts += [Dial(size, chalk), Start(size, chalk)] if place.first else []
        rate = float(np.linalg.norm(track.world.angular_velocity))
        seconds = memory(rate, scenario.duration)
        # on water more curves, and more loops, would cover the sectors of roll and pitch
        points, tips = fine(rate * seconds), ((bow, seconds / 2, 3.2), *([] if afloat else [(top, seconds, 2.6)]))
        whole = [Trace(track, tip, long, free=True, width=width, points=points) for tip, long, width in tips]
        for trace in whole:
            trace.overlay = "whole"
        self.traces = [late_trace(track, tip, rate, long, 2.6, points=points) for tip, long, _ in tips] + whole
        self.tracked = [Heading(track, size), VectorArrows(track, look, 0.5 * size), *self.traces]
        self.parts += [*self.posed, *self.tracked]

    def shell(self, track: LaneTrack) -> pv.PolyData:
        return super().shell(track) if self._bare is None else self._bare  # hatches and rigging would cover the ship

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        return (*arrows(look), ("trails", sign(tr("heading at the start"), look.faint)))


class Dial(ActorGroup):
    """The circle of headings on the water."""

    overlay = "grid"

    def __init__(self, size: float, colour: str) -> None:
        super().__init__()
        self.edge(self.add(_dial(size, colour), lit=False, width=2.0), -20.0)


def _dial(size: float, colour: str) -> pv.PolyData:
    """The circle of headings, with a mark every 30 degrees."""
    around = circle(145)
    lines = [DIAL * size * around]
    lines += [np.stack([DIAL * size * mark, (DIAL + 0.04) * size * mark]) for mark in around[:-1:12]]
    return polylines(lines, tinted(colour, np.full(sum(map(len, lines)), 255)))


class Start(ActorGroup):
    """The heading at the start: a line on the water along x."""

    overlay = "trails"

    def __init__(self, size: float, colour: str) -> None:
        super().__init__()
        line = polylines([np.array([[0.0, 0.0, 0.0], [(DIAL + 0.12) * size, 0.0, 0.0]])])
        self.edge(self.add(line, colour, lit=False, width=1.6), -20.0)


class Heading(TrackedGroup):
    """Change of heading since the start: an arc along the dial and a hand."""

    overlay = "trails"
    POINTS = 91

    def __init__(self, track: LaneTrack, size: float) -> None:
        super().__init__()
        self._radius = DIAL * size
        self._arc, self._hand = polyline(self.POINTS), polyline(2)
        for line in (self._arc, self._hand):
            drawn = self.add(line, track.scheme.colour, lit=False, width=2.4)
            draw_nearer(drawn, 8.0)  # than the dial
            self.edge(drawn, 4.0)

    def show(self, track: LaneTrack, pose: Pose) -> None:
        bow = ahead(pose.rotation)
        turn = math.atan2(bow[1], bow[0]) * np.linspace(0.0, 1.0, self.POINTS)
        arc = self._radius * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
        move(self._arc, arc)
        move(self._hand, np.array([1.05 * arc[-1], 0.55 * arc[-1]]))


class Angles(PosedGroup):
    """Roll and pitch as sectors with names, from level to an axis of the ship."""

    overlay = "vectors"
    POINTS = 31
    SHEER = 0.36  # opacity of a sector
    RADII = (0.5, DIAL)  # of the sectors of roll and pitch, in radii of the ship

    def __init__(self, size: float, look: StageColours) -> None:
        super().__init__()
        self._radii = [share * size for share in self.RADII]
        n = self.POINTS
        fan = np.column_stack([np.zeros(n - 1, int), np.arange(1, n), np.arange(2, n + 1)])
        self.sectors, self.names = [], []
        for axis, name in enumerate((tr("roll"), tr("pitch"))):
            sector, edge = polygons(np.zeros((n + 1, 3), np.float32), fan), polyline(n + 2)
            self.add(sector, look.axes[axis], lit=False, opacity=self.SHEER)
            drawn = self.add(edge, look.axes[axis], lit=False, width=1.6)
            draw_nearer(drawn, FRONT)  # than water
            self.edge(drawn, 0.8 * FRONT)
            self.sectors.append((sector, edge))
            self.names.append(self.letter(name, np.zeros(3), look.ink, LETTER, look.panel))

    def show(self, pose: Pose) -> None:
        ahead, port = pose.rotation[:, 0], pose.rotation[:, 1]
        level = np.array([ahead[0], ahead[1], 0.0])
        across = np.array([-ahead[1], ahead[0], 0.0])  # level, and normal to the axis of the ship
        for (sector, edge), name, start, end, radius in zip(
            self.sectors, self.names, (across, level), (port, ahead), self._radii, strict=True
        ):
            arm = radius * _sector(start, end, self.POINTS)
            move(sector, pose.place + arm)
            move(edge, pose.place + np.concatenate([arm, arm[:1]]))
            name.GetPositionCoordinate().SetValue(*(pose.place + NAMED * arm[-1]))
        if self.viewport is not None:
            separate(self.names, self.viewport)


def _sector(start: Array, end: Array, n: int) -> Array:
    """The origin and n unit vectors from one direction (3,) to another, (n + 1, 3)."""
    a, b = (v / max(float(np.linalg.norm(v)), 1e-12) for v in (start, end))
    share = np.linspace(0.0, 1.0, n)[:, None]
    angle = math.atan2(math.hypot(*cross(a.tolist(), b.tolist())), float(a @ b))
    if angle < 1e-6:
        return np.concatenate([np.zeros((1, 3)), np.tile(a, (n, 1))])
    return np.concatenate(
        [np.zeros((1, 3)), (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / math.sin(angle)]
    )
