"""A body on a table: the toy as it is made, the table that mirrors it, and the trails of its contact."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.stage.actor_group import placed, put
from app.stage.bodies import spin_arrow
from app.stage.bodies.arrows import Arrow, VectorArrows
from app.stage.bodies.body_actor import Axes, BodyActor
from app.stage.bodies.smooth_body import bore, cut_of, glass, material_of, semi_axes, toy
from app.stage.bodies.spin_arrow import SpinArrow
from app.stage.bodies.tabletop import Mirrored, Tabletop
from app.stage.bodies.trails import Path
from app.stage.camera.modes import steady
from app.stage.camera.rig import direction
from app.stage.camera.subject import POSES, Subject, around, middle, outermost, turned, ways
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose, PosedGroup
from app.stage.scenes.soft_shadow import LAMP, SoftShadow
from app.stage.scenes.toy_contact import ContactTrail, table_of, trail_signs
from app.stage.text.caption_text import Sign, arrows, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.core.rotation import Array
from physics.systems.toys.world import TableWorld

COARSE = 48  # facets around of a mirrored body
SHADOW = 0.6  # how dark the shadow is; at 0.7 it looks like a hole under the Euler disk
NARROW = 0.1  # spread of the light on a hoop: in a broad one all but the foot of its thin shadow is lost
NEAR = 0.25  # of the shape's half height: how far below its cut the glass begins to be seen


def reach(tracks: Sequence[LaneTrack]) -> tuple[Array, float]:
    """The middle (3,) of the ways of the bodies on the table, and how far they go from there [m]."""
    points = ways(tracks, 120)
    centre = middle(points)
    return centre, float(np.linalg.norm(points - centre, axis=1).max())


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The whole way of the bodies, see camera_fit.Framing."""
    places, turns = ways(tracks), turned(tracks, outermost(tracks[0].body.vertices))
    flat = float(np.median(np.ptp(turns[..., 2], axis=0))) / float(np.hypot(turns[..., 0], turns[..., 1]).max())
    towards = direction(-58.0, 36.0 - 12.0 * min(flat, 1.0))  # what mostly lies flat is seen to turn from above
    rings = _rings(tracks, turns, places[:, 2])
    return Subject(around(places * (1.0, 1.0, 0.0), rings), towards, reach(tracks)[0])


def vicinity(tracks: Sequence[LaneTrack]) -> Array:
    """The bodies beside where they are taken to be, see camera_fit.Vicinity."""
    turns = turned(tracks, outermost(tracks[0].body.vertices))
    taken = [steady(track, time) for track in tracks for time in np.linspace(0.0, track.end, POSES)]
    lags = ways(tracks) - np.array(taken)
    return around(lags * (1.0, 1.0, 0.0), _rings(tracks, turns, lags[:, 2]))


def _rings(tracks: Sequence[LaneTrack], turns: Array, heights: Array) -> Array:
    """Circles (n, 3) [m] around bodies, which turn about the vertical, if not yet then later, and their spin's arrows.

    turns : where points of them have pointed (k, m, 3) [m]; heights : of their centres (m,) [m], from what one sees
    """
    profile = np.stack([np.hypot(turns[..., 0], turns[..., 1]), heights + turns[..., 2]], axis=-1).reshape(-1, 2)
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    table = heights - ways(tracks)[:, 2]
    arrows = [(spin_arrow.reach(len(tracks)) * tracks[0].body.radius, edge) for edge in (table.min(), table.max())]
    rim = np.array([*profile[np.unique(np.argmax(profile @ circle.T, axis=0))], *arrows])
    return np.concatenate([np.column_stack([far * circle, np.full(len(turn), high)]) for far, high in rim])


class Toy(BodyActor):
    """A body as the toy is made, see smooth_body."""

    def __init__(self, world: TableWorld, colour: str, *, ghostly: bool) -> None:
        super().__init__(toy(world, colour), ghostly=ghostly)
        look, material = self.actor.prop, material_of(world)
        look.specular, look.specular_power = material.specular, material.power
        look.culling = "back"  # what is closed shows no more, and drawing takes less


class Glass(PosedGroup):
    """What a toy lacks of its smooth shape: seen where it touches the table all the same."""

    def __init__(self, world: TableWorld) -> None:
        super().__init__()
        self._surface, self._cut, self._half = world.surface, cut_of(world), float(semi_axes(world)[2])
        self.actor = self.add(glass(world), specular=0.8, opacity=0.0)

    def show(self, pose: Pose) -> None:
        """Move to a pose."""
        surface = self._surface
        along = float((surface.support(pose.rotation[2]) - surface.centre) @ surface.axis) / self._half
        share = min(max((along - self._cut + NEAR) / NEAR, 0.0), 1.0)
        self.actor.prop.opacity = 0.3 * share
        self.actor.SetVisibility(share > 0.0)
        put(self.actor, placed(pose.rotation, pose.place))


class Plumb(PosedGroup):
    """Gravity as an arrow above the body: where the table tilts, it is drawn level all the same."""

    overlay = "grid"

    def __init__(self, world: TableWorld, look: StageColours) -> None:
        super().__init__()
        size = world.body.radius
        self._above, self._down = np.array([0.0, 0.0, 2.4 * size]), size * world.gravity / max(world.scenario.g, 1e-300)
        self._arrow = Arrow(self, look.faint, 0.022 * size)

    def show(self, pose: Pose) -> None:
        """Hang above a pose."""
        self._arrow.show(pose.place + self._above, self._down)


class OnTable(LaneScene):
    """A body on its table, with the trails of its contact and the sense in which it turns."""

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        world, body, colour = table_of(track), track.body, track.scheme.colour
        self.body = Toy(world, colour, ghostly=not place.first)
        self.posed = [self.body, Axes(body, look, 1.3 * body.radius)]
        if place.first:
            table = Tabletop(track, look)
            self.tracked.append(table)
            self.parts.append(table)  # first: the mirrored body shines through it, all else lies on it
            coarse = toy(world, colour, COARSE)
            hole = bore(world)
            light = LAMP if hole is None else LAMP._replace(spread=NARROW)
            self.posed += [Mirrored(coarse), SoftShadow(np.asarray(coarse.points), light, SHADOW, bore=hole)]
        if cut_of(world) < 1.0:
            self.posed.append(Glass(world))
        self.posed.append(SpinArrow(track, colour, place.number))
        if world.scenario.table.tilt != 0.0:
            self.posed.append(Plumb(world, look))
        way = Path(track)
        way.overlay = "colours"  # where these are not asked for, the trails of the contact tell more
        trail = ContactTrail(track, look)
        self.traces = (trail,)
        moving = [VectorArrows(track, look, body.radius), trail, way]
        self.tracked += moving
        self.parts += [*self.posed, *moving]

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        """What the signs mean."""
        tilt = table_of(self.track).scenario.table.tilt
        plumb = (
            (
                (
                    "grid",
                    sign(tr("gravity: the table tilts by {angle:.3g}°").format(angle=math.degrees(tilt)), look.faint),
                ),
            )
            if tilt
            else ()
        )
        turning = ("trails", sign(tr("spin about the normal"), look.ink))
        return (*trail_signs(self.track, look), turning, *plumb, *arrows(look))
