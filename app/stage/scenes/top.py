"""A top on the stage: its tip stands on the floor, its axis draws a path in the air."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, move, polyline, tinted
from app.stage.bodies.arrows import VectorArrows
from app.stage.bodies.body_actor import Axes, BodyActor
from app.stage.bodies.body_mesh import machined, sharp
from app.stage.bodies.floor import Floor
from app.stage.bodies.top_mesh import STEM, is_cone, spun
from app.stage.bodies.trails import Trace
from app.stage.camera.rig import direction
from app.stage.camera.subject import Subject, outermost, swept, ways
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose
from app.stage.scenes.soft_shadow import LAMP, SoftShadow
from app.stage.text.caption_text import Sign, arrows, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.core.rotation import Array
from physics.systems.free.rotating_world import AttachedWorld

SPIN = 1.92  # how far the arrow of the spin reaches, in 0.7 of the axis
ROUNDS = 5.0  # of the precession that the path remembers


def reach(world: AttachedWorld) -> float:
    """How far the axis that draws goes from the tip [m]: a little beyond the body."""
    top = float(world.body.vertices[:, 2].max() + world.arm[2])
    return top + STEM * float(world.body.extents[2]) if is_cone(world.body) else 1.2 * top


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The tip, and all that the axes have swept; see camera_fit.Framing."""
    world = tracks[0].world
    assert isinstance(world, AttachedWorld)
    length, arm = reach(world), float(world.arm[2])
    sweep = ways(tracks, 200) * (length / arm)
    spins = np.array([track.pose(0.0).spin for track in tracks])
    tips = SPIN * 0.7 * length * spins / np.maximum(np.linalg.norm(spins, axis=1, keepdims=True), 1e-300)
    seen = np.concatenate([sweep, swept(tracks, outermost(world.body.vertices)), tips, np.zeros((1, 3))])
    centre = np.array([0.0, 0.0, 0.45 * (seen[:, 2].min() + seen[:, 2].max())])
    return Subject(seen, direction(-58.0, 14.0), centre)


class Top(LaneScene):
    """A body on its tip, with the path of its axis and, in steady precession, the circle that this should be."""

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        assert isinstance(track.world, AttachedWorld)
        world, colour = track.world, track.scheme.colour
        size, tint = reach(world), 0.5 if place.shared else 0.0
        cone = is_cone(world.body)
        mesh = spun(world.body, colour, look.faces, tint) if cone else machined(world.body, look.faces, colour, tint)
        if not cone or abs(world.body.vertices[:, 2].min() + world.arm[2]) > 1e-6 * size:
            mesh = pv.merge([mesh, _axle(world, look)], merge_points=False)
        self.body = BodyActor(mesh, ghostly=not place.first)
        self.posed = [self.body, Axes(world.body, look, 0.6 * size * _FLAT)]
        self._steady = world.scenario.initial.spin == "steady"
        if place.first:
            self.posed.append(SoftShadow(np.asarray(mesh.points), LAMP, 1.3 * look.shadow))
            self.parts += [Floor(2.0 * size, 0.0, look), *([Circle(world, look)] if self._steady else [])]
        self.traces = [AxisPath(track, world)]
        self.tracked = [VectorArrows(track, look, 0.7 * size, lengths=(1.75, SPIN)), *self.traces]
        self.parts += [Pivot(size, look), *self.posed, *self.tracked]

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        """What the signs mean."""
        exact = (("trails", sign(tr("exact circle"), look.faint)),) if self._steady else ()
        return (*arrows(look), *exact)


_FLAT = np.array([1.0, 1.0, 0.0])  # the top's own axis is drawn by its stem


class Pivot(ActorGroup):
    """The fixed point."""

    def __init__(self, size: float, look: StageColours) -> None:
        super().__init__()
        self.add(pv.Sphere(radius=0.03 * size, theta_resolution=24, phi_resolution=16), look.faint, specular=0.2)


class Circle(ActorGroup):
    """The circle on which the axis of a top in steady precession stays."""

    overlay = "trails"

    def __init__(self, world: AttachedWorld, look: StageColours) -> None:
        super().__init__()
        lean, length, turn = world.scenario.initial.nutation or 0.0, reach(world), np.linspace(0, 2 * np.pi, 241)
        self.line = polyline(len(turn))
        flat = length * math.sin(lean)
        move(
            self.line, np.stack([flat * np.cos(turn), flat * np.sin(turn), 0 * turn + length * math.cos(lean)], axis=1)
        )
        self.add(self.line, look.faint, lit=False, width=1.5, opacity=0.9)


class AxisPath(Trace):
    """The path of the end of a top's axis.

    Along the recorded centres of mass, as between two steps of a fast spin the interpolated attitude wobbles.
    """

    around = False

    def __init__(self, track: LaneTrack, world: AttachedWorld) -> None:
        length = reach(world)
        point, rate = np.array([0.0, 0.0, length]), _precession(world)
        super().__init__(track, point, memory_of(world), free=True, width=3.2, rate=rate)
        self._stretch = length / float(world.arm[2])

    def arms(self, times: Array) -> Array:
        """See Trace; from the tip."""
        return self._track.positions(times) * self._stretch

    def show(self, track: LaneTrack, pose: Pose) -> None:
        """Draw up to a pose, around the tip."""
        self.draw(pose.time, np.zeros(3))


def memory_of(world: AttachedWorld) -> float:
    """How many seconds the path of a top's axis remembers."""
    return min(world.scenario.duration, ROUNDS * 2.0 * math.pi / _precession(world))


def _precession(world: AttachedWorld) -> float:
    """About how fast a top goes round [rad/s], from its start."""
    weight, A, C = abs(float(world.field[2])), float(world.moments[0]), float(world.moments[2])
    w = world.angular_velocity
    gyroscopic = weight / max(C * abs(float(w[2])), 1e-300)
    return max(min(gyroscopic, math.sqrt(weight / A)), float(np.hypot(w[0], w[1])), 1e-6)


def _axle(world: AttachedWorld, look: StageColours) -> pv.PolyData:
    """A rod from the fixed point up to the middle of a body that does not itself stand on that point."""
    size = reach(world)
    rod = pv.Cylinder(
        center=-0.5 * world.arm, direction=(0, 0, 1), radius=0.012 * size, height=float(world.arm[2]), resolution=24
    )
    solid = sharp(rod)
    solid.point_data["rgba"] = tinted(look.faint, np.full(solid.n_points, 255))
    return solid
