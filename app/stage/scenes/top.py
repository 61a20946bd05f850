"""Scene of a top: its mesh, the path of its axis, and the reference path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, circle, fading, move, polyline, polylines, rgb, tinted
from app.stage.bodies.arrows import VectorArrows, sharp
from app.stage.bodies.body_mesh import Axes, BodyActor, in_triangles, machined, soup, swept_around
from app.stage.bodies.floor import Floor
from app.stage.bodies.model_skin import skin_of
from app.stage.bodies.trails import Trace
from app.stage.camera.rig import direction
from app.stage.camera.subject import Subject, outermost, swept, ways
from app.stage.ground.ground import Ground
from app.stage.lane_scene import LanePlace, LaneScene
from app.stage.lane_track import LaneTrack, Pose, RecentSamples
from app.stage.overlays.overlay import Overlay
from app.stage.scenes.soft_shadow import LAMP, SoftShadow
from app.stage.text.caption_text import Sign, arrows, sign
from app.stage.theme_colours import StageColours
from app.system.language import tr
from physics.bodies.body import Body
from physics.core.rotation import Array, apply
from physics.simulation.reference import Reference
from physics.systems.free.rotating_world import AttachedWorld

SECTORS, SIDES = 8, 96  # painted sectors, and facets around
BEVEL = 0.05  # bevel of the rim, in radii of the base
STEM = 0.28  # length of the stem above the base, in heights of the cone


def is_cone(body: Body) -> bool:
    """True if the body is a cone on its tip about its z axis."""
    z = body.vertices[:, 2]
    lowest = int(np.argmin(z))
    rest = np.delete(body.vertices, lowest, axis=0)
    span = float(np.ptp(z))
    radii = np.linalg.norm(rest[:, :2], axis=1)
    return (
        len(rest) > SECTORS
        and float(np.ptp(rest[:, 2])) < 1e-9 * span
        and float(np.ptp(radii)) < 1e-9 * span
        and float(np.linalg.norm(body.vertices[lowest, :2])) < 1e-9 * span
    )


def spun(body: Body, colour: str, shades: tuple[str, str, str], tint: float = 0.0) -> pv.PolyData:
    """A spinning top for a cone, with painted sectors; one of them, the rim and the stem have the colour of the lane.

    tint : share of the colour in the other sectors
    """
    foot, base = float(body.vertices[:, 2].min()), float(body.vertices[:, 2].max())
    height, radius = base - foot, float(np.linalg.norm(body.vertices[:, :2], axis=1).max())
    least = min(height, radius)  # of flat bodies too
    bevel, thin = BEVEL * least, 0.09 * least
    crown = base + STEM * height
    # outline: distance from the axis, height, and the paint up to the next point
    outline = (
        (0.0, foot, "sectors"),
        (radius * (1 - bevel / height), base - bevel, "rim"),
        (radius - bevel, base, "sectors"),
        (0.3 * radius, base, "rim"),
        (thin, base + 0.04 * height, "rim"),
        (thin, crown - thin, "rim"),
        (0.7 * thin, crown - 0.3 * thin, "rim"),
        (0.0, crown, ""),
    )
    own, dark, light = (0.86 * rgb(paint) for paint in (colour, shades[0], shades[2]))  # as lights bleach
    plain = [(1 - tint) * shade + tint * own for shade in (light, dark)]
    sectors = np.array([own] + [plain[k % 2] for k in range(1, SECTORS)])
    rings = [_ring(a, b, sectors, own) for a, b in pairwise(outline)]
    whole: pv.PolyData = pv.merge(rings, merge_points=False)
    return whole


def _ring(a: tuple[float, float, str], b: tuple[float, float, str], sectors: Array, rim: Array) -> pv.PolyData:
    """The frustum between two points of the outline."""
    out = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(b[1] - a[1], a[0] - b[0])
    corners, normals = (in_triangles(swept_around(np.array(line), SIDES)) for line in ((a[:2], b[:2]), (out, out)))
    fill = sectors[np.arange(SIDES) * SECTORS // SIDES] if a[2] == "sectors" else np.tile(rim, (SIDES, 1))
    kept = np.repeat([a[0] > 0, b[0] > 0], SIDES)  # the others are degenerate
    return soup(corners[kept], normals[kept], np.tile(fill, (2, 1))[kept])


SPIN = 1.92  # length of the arrow of the angular momentum, in 0.7 of the axis
ROUNDS = 5.0  # memory of the path, in turns of the precession


def axis_of(world: AttachedWorld) -> Array:
    """Unit vector (3,) of the drawn axis in body axes: from the tip through the centre of mass."""
    return np.asarray(world.arm / np.linalg.norm(world.arm))


def axis_length(world: AttachedWorld) -> float:
    """Length [m] of the drawn axis from the tip: a little beyond the body."""
    end = float((world.body.vertices @ axis_of(world)).max() + np.linalg.norm(world.arm))
    return end + STEM * float(world.body.extents[2]) if is_cone(world.body) else 1.2 * end


def framing(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The tip and the region swept by the axes, see camera.fit.Framing."""
    world = tracks[0].world
    assert isinstance(world, AttachedWorld)
    length = axis_length(world)
    sweep = ways(tracks, 200) * (length / float(np.linalg.norm(world.arm)))
    spins = np.array([track.pose(0.0).spin for track in tracks])
    tips = SPIN * 0.7 * length * spins / np.maximum(np.linalg.norm(spins, axis=1, keepdims=True), 1e-300)
    seen = np.concatenate([sweep, swept(tracks, outermost(world.body.vertices)), tips, np.zeros((1, 3))])
    centre = np.array([0.0, 0.0, 0.45 * (seen[:, 2].min() + seen[:, 2].max())])
    return Subject(seen, direction(-58.0, 14.0), centre)


class Top(LaneScene):
    """A body on its tip, with the path of its axis and, in steady precession, the exact circle."""

    def __init__(self, track: LaneTrack, look: StageColours, place: LanePlace) -> None:
        super().__init__(track)
        assert isinstance(track.world, AttachedWorld)
        world, colour = track.world, track.scheme.colour
        size, tint = axis_length(world), 0.5 if place.shared else 0.0
        cone = is_cone(world.body)
        mesh = spun(world.body, colour, look.faces, tint) if cone else machined(world.body, look.faces, colour, tint)
        axis, axle = axis_of(world), _axle(world, look)
        foot = float((world.body.vertices @ axis).min() + np.linalg.norm(world.arm))
        if not cone or abs(foot) > 1e-6 * size:
            mesh = pv.merge([mesh, axle], merge_points=False)
        self.body = BodyActor(mesh, skin=skin_of(world.body), axle=axle)
        self.posed = [self.body, Axes(world.body, look, 0.6 * size * (1.0 - np.abs(axis)))]
        self._steady = world.scenario.initial.spin == "steady" and track.stretch == 0  # an edit ends it
        if place.first:
            self.posed.append(SoftShadow(np.asarray(mesh.points), LAMP, 1.3 * look.shadow))
            self.parts += [Floor(2.0 * size, 0.0, look), *([Circle(world, look)] if self._steady else [])]
        self.traces = [AxisPath(track, world)]
        self.tracked = [VectorArrows(track, look, 0.7 * size, lengths=(1.65, SPIN)), *self.traces]
        self.parts += [Pivot(size, look), *self.posed, *self.tracked]

    def signs(self, look: StageColours) -> tuple[Sign, ...]:
        exact = (("trails", sign(tr("exact circle"), look.faint)),) if self._steady else ()
        return (*arrows(look), *exact)


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
        lean, length = world.scenario.initial.nutation or 0.0, axis_length(world)
        self.line = polylines([length * math.sin(lean) * circle(241) + (0.0, 0.0, length * math.cos(lean))])
        self.add(self.line, look.faint, lit=False, width=1.5, opacity=0.9)


class AxisPath(Trace):
    """The path of the end of a top's axis.

    It follows the recorded centres of mass, as an interpolated attitude wobbles between two steps of a fast spin.
    """

    around = False

    def __init__(self, track: LaneTrack, world: AttachedWorld) -> None:
        length = axis_length(world)
        point, rate = length * axis_of(world), _precession(world)
        super().__init__(track, point, memory_of(world), free=True, width=3.2, rate=rate)
        self._stretch = length / float(np.linalg.norm(world.arm))

    def arms(self, times: Array) -> Array:
        return self._track.positions(times) * self._stretch

    def show(self, track: LaneTrack, pose: Pose) -> None:
        self.draw(pose.time, np.zeros(3))


def memory_of(world: AttachedWorld) -> float:
    """Memory [s] of the path of a top's axis."""
    return min(world.scenario.duration, ROUNDS * 2.0 * math.pi / _precession(world))


def _precession(world: AttachedWorld) -> float:
    """Estimated rate of precession [rad/s], from the start."""
    weight, axis, w = float(np.linalg.norm(world.field[:3])), axis_of(world), world.angular_velocity
    gyroscopic = weight / max(abs(float(world.moments * w @ axis)), 1e-300)
    slow = min(gyroscopic, math.sqrt(weight / float(world.moments.max())))
    return max(slow, float(np.linalg.norm(w - (w @ axis) * axis)), 1e-6)


def _axle(world: AttachedWorld, look: StageColours) -> pv.PolyData:
    """A rod from the fixed point to the centre of mass, for a body that does not stand on that point."""
    size = axis_length(world)
    rod = pv.Cylinder(
        center=-0.5 * world.arm,
        direction=axis_of(world),
        radius=0.012 * size,
        height=float(np.linalg.norm(world.arm)),
        resolution=24,
    )
    solid = sharp(rod)
    solid.point_data["rgba"] = tinted(look.faint, np.full(solid.n_points, 255))
    return solid


PATH = 1600  # points


class ReferencePath(Overlay):
    """The path of the axis in the true motion of a viewport's first lane, once that is known."""

    overlay = "reference"

    def __init__(self, tracks: Sequence[LaneTrack], look: StageColours) -> None:
        super().__init__(tracks, look)
        world = self.tracks[0].world
        assert isinstance(world, AttachedWorld)
        self._tip, self._seconds = axis_length(world) * axis_of(world), memory_of(world)
        self.line = polyline(PATH, fading(look.ink, PATH, 0.95, power=0.6))
        self.add(self.line, lit=False, width=1.5)
        self._truth: Reference | None = None

    def show(self, poses: Sequence[Pose]) -> None:
        """Draw up to the poses, as far as the true motion is known."""
        track = self.tracks[0]
        if (truth := track.truth) is None or not truth.stretches:
            return
        if truth is not self._truth:
            self._truth = truth
            self._recent = RecentSamples(track, self._seconds, PATH, partial(self._tips, truth))
        move(self.line, self._recent.at(poses[0].time))

    def _tips(self, truth: Reference, times: Array) -> Array:
        return apply(truth.states(np.minimum(times, truth.valid_until))[1], self._tip)

    def signs(self) -> tuple[Sign, ...]:
        return (("reference", sign(tr("true path of the axis"), self.look.ink)),)
