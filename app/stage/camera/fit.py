"""The fit of a camera: viewpoints from which one sees the whole motion, or the body alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyvista as pv

from app.stage.bodies.arrows import FASTEST
from app.stage.camera.rig import UP, CameraRig, direction
from app.stage.camera.subject import Subject, around, ball, middle, ways
from app.stage.ground.ground import Ground
from app.stage.lane_track import LaneTrack
from physics.core.rotation import Array
from physics.scenario.camera_modes import CameraMode
from physics.systems.world import World

FOLLOW = 3.0  # radii of the ball around a rock that the follow camera shows
CLOSER = 0.85  # share of the space swept by an attached body that the follow camera shows
SLOPE = (0.8, 0.74)  # shares of the free width and height of a viewport that the way of a rock spans
# (tracks, ground, width over height of a viewport) -> what a camera must see of the whole motion
Framing = Callable[[Sequence[LaneTrack], Ground | None, float], Subject]
# points (n, 3) [m], relative to the body, that the follow camera must see of moving lanes
Vicinity = Callable[[Sequence[LaneTrack]], Array]
WIDE = 0.3  # share of the map that a way must span for the axis cameras to show all of the map


def bounds(tracks: Sequence[LaneTrack], reach: float) -> tuple[float, ...]:
    """Least and greatest x, y and z [m] of all that may be drawn where there is no ground: wide, and cheap to know.

    reach : of what is drawn around a body [radii of the body]
    """
    boxes = np.array([_box(track.whole, reach) for track in tracks])
    return tuple(np.column_stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)]).ravel().tolist())


def _box(world: World, reach: float) -> Array:
    """The lower and the upper corner (2, 3) [m] of all that may be drawn of a motion."""
    around, flown = reach * max(body.radius for body in world.bodies), 0.0
    seconds, start, speed = world.scenario.duration, world.position, world.velocity
    if world.arm is not None:
        around += 4.0 * float(np.linalg.norm(world.arm))
    elif world.swinging_moment is not None:  # a mechanism that the ground holds: unfolded, at most
        around += 4.0 * sum(body.radius for body in world.bodies)
    else:
        flown = float(np.abs(speed).max()) * seconds + 0.5 * world.scenario.g * seconds**2
    places = np.reshape(start, (-1, 3))
    return np.array([places.min(axis=0) - around - flown, places.max(axis=0) + around + flown])


def standard(
    mode: CameraMode, framing: Framing, tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float
) -> Subject:
    """Subject of a camera that stands: the whole motion from an axis of the map, or down the slope."""
    towards = _unit(mode.stands) if isinstance(mode.stands, tuple) else None
    if ground is None:
        whole = framing(tracks, ground, aspect)
        return _squashed(replace(whole, towards=direction(-58.0, 18.0) if towards is None else towards), mode)
    points = np.concatenate([_way(track, ground) for track in tracks])
    if towards is None:
        return _behind(points, ground, aspect)
    return _squashed(_along(_with_map(points, ground), towards), mode)


def _squashed(subject: Subject, mode: CameraMode) -> Subject:
    """A subject as parallel lines of sight see it, whatever is nearer, where a mode has such."""
    if not mode.parallel:
        return subject
    depth = (subject.points - subject.focus) @ subject.towards
    return replace(subject, points=subject.points - depth[:, None] * subject.towards)


def _along(points: Array, towards: Array) -> Subject:
    """A way (n, 3) on a slope, seen from at least 25 m."""
    return Subject(points, towards, middle(points), SLOPE, 25.0)


def _unit(vector: Sequence[float] | Array) -> Array:
    return np.asarray(np.array(vector) / np.linalg.norm(vector))


def _behind(points: Array, ground: Ground, aspect: float) -> Subject:
    """View down the slope along a way (n, 3), from as low as nearly all of it is in sight."""
    for elevation in (48.0, 56.0, 64.0, 72.0, 80.0):
        view = _along(points, direction(_down(points) + 180.0, elevation))
        if _seen(view, aspect, ground) > 0.9:
            break
    return view


def near(framing: Framing, vicinity: Vicinity, tracks: Sequence[LaneTrack], ground: Ground | None) -> Subject:
    """Subject of the follow camera, relative to the body that it follows."""
    if tracks[0].world.arm is not None:
        whole = framing(tracks, ground, 1.0)
        return replace(whole, points=whole.focus + CLOSER * (whole.points - whole.focus))
    body = tracks[0].body
    if ground is None:
        return Subject(vicinity(tracks), framing(tracks, ground, 1.0).towards, np.zeros(3))
    towards = direction(_down(_way(tracks[0], ground)) + 100.0, 12.0)
    return Subject(ball(FOLLOW * body.radius), towards, np.zeros(3))


def arrow_ball(tracks: Sequence[LaneTrack]) -> Array:
    """The ball in which the arrows of a free body stay, see Vicinity."""
    return ball(FASTEST * tracks[0].body.radius)


def flight(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """Bodies in free flight, see Framing."""
    places = [ways([track], 30) for track in tracks]
    points = np.concatenate([_flown(track, way) for track, way in zip(tracks, places, strict=True)])
    return Subject(points, _before(tracks[0]), middle(np.concatenate(places)))


def _flown(track: LaneTrack, places: Array) -> Array:
    """Points (n, 3) [m] between which a free body and its curves stay that is at some places (m, 3)."""
    radius = track.body.radius
    places = np.unique(np.round(places / (0.02 * radius)), axis=0) * (0.02 * radius)  # most bodies stay where they are
    return around(places, ball(FASTEST * radius))


def _before(track: LaneTrack) -> Array:
    """Unit vector (3,) towards the camera for which the angular momentum of a free body is upright or points aside."""
    spin = track.pose(0.0).spin
    flat = math.hypot(spin[0], spin[1])
    aside = math.degrees(math.atan2(spin[1], spin[0])) if flat > 0.4 * float(np.linalg.norm(spin)) else 0.0
    return direction(aside - 58.0, 18.0)


def fall(tracks: Sequence[LaneTrack], ground: Ground | None, aspect: float) -> Subject:
    """The whole way of the rocks, from across the slope, see Framing.

    Of some three-quarter views the one that hides least of the way behind the ground. aspect: width over height.
    """
    assert ground is not None
    points = np.concatenate([_way(track, ground) for track in tracks])
    down = _down(points[: len(points) // len(tracks)])
    views = [
        (_along(points, direction(down + aside, elevation)), 0.002 * elevation + 0.0005 * abs(abs(aside) - 50.0))
        for aside in (50.0, -50.0, 35.0, -35.0, 70.0, -70.0)
        for elevation in (26.0, 34.0, 44.0)
    ]
    return max(views, key=lambda one: _seen(one[0], aspect, ground) - one[1])[0]


def _way(track: LaneTrack, ground: Ground) -> Array:
    """Points (n, 3) along the way of a rock: recorded, and while it still falls also where the ground leads down."""
    points = track.positions(np.linspace(0.0, track.end, 80))
    points = points if track.finished else np.concatenate([points, _downhill(points[-1], ground)])
    return points * (1.0, 1.0, ground.exaggeration)


def _with_map(points: Array, ground: Ground) -> Array:
    """Points (n, 3) and the corners of the map, unless it is so large that one would no longer see the way."""
    x0, x1, y0, y1 = ground.outline.extent
    if np.ptp(points[:, :2], axis=0).max() < WIDE * max(x1 - x0, y1 - y0):
        return points
    low, high = (float(edge(ground.outline.heights)) * ground.exaggeration for edge in (np.min, np.max))
    return np.concatenate([points, [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (low, high)]])


def _down(points: Array) -> float:
    """The azimuth [deg], counter-clockwise from x, in which a way (n, 3) leads; where it leads nowhere, -60."""
    run = points[-1, :2] - points[0, :2]
    return math.degrees(math.atan2(run[1], run[0])) if np.linalg.norm(run) > 1.0 else -60.0


def _downhill(start: Array, ground: Ground) -> Array:
    """The line of steepest descent (80, 3) from a point, until the ground is level or ends."""
    terrain = ground.outline
    x0, x1, y0, y1 = terrain.extent
    stride = 0.012 * max(x1 - x0, y1 - y0)
    here, points = start[:2].copy(), []
    for _ in range(80):
        slope = terrain.normal(float(here[0]), float(here[1]))[:2]
        if np.linalg.norm(slope) > 0.12:
            here = np.clip(here + stride * slope / np.linalg.norm(slope), (x0, y0), (x1, y1))
        points.append((*here, terrain.height(float(here[0]), float(here[1]))))
    return np.array(points)


def _seen(view: Subject, aspect: float, ground: Ground) -> float:
    """The share of a subject's points that the ground does not hide in a viewport of that width over height."""
    eye, points = view.eye(view.distance(aspect)), view.points
    s = np.linspace(0.03, 0.97, 40)[:, None, None]
    rays = (points + (0, 0, 2.0)) + s * (eye - points)
    flat = rays.reshape(-1, 3)
    hidden = (ground.above(flat) < 0.0).reshape(len(s), -1).any(axis=0)
    return 1.0 - float(hidden.mean())


def clearance(ground: Ground, radius: float, eye: Array, focus: Array) -> float:
    """Height [m] by which an eye must rise to be clear of the ground and see a body (radius [m]) at its focus."""
    s = np.linspace(0.1, 1.0, 40)
    foot = focus - np.array([0.0, 0.0, 0.5 * radius])
    rays = foot + s[:, None] * (eye - foot)
    return max(0.0, float(((1.2 * radius * s - ground.above(rays)) / s).max()))


def cleared(ground: Ground, radius: float, eye: Array, focus: Array) -> Array:
    """An eye (3,) that stands clear of the ground and sees a body (radius [m]) at its focus: higher, no farther."""
    arm = eye - focus
    distance = np.linalg.norm(arm)
    raised = arm + clearance(ground, radius, eye, focus) * UP
    for _ in range(8):
        eye = focus + raised * (distance / np.linalg.norm(raised))
        lack = 1.2 * radius - float(ground.above(eye[None])[0])
        if lack <= 0.0:
            return np.asarray(eye)
        raised = eye - focus + 1.5 * lack * UP
    return np.asarray(eye + lack * UP)


def rig_of(
    renderers: Sequence[pv.Renderer], tracks: Sequence[LaneTrack], ground: Ground | None, reach: float
) -> CameraRig:
    """The cameras of viewports for some lanes; reach: see ``bounds``."""
    if ground is None:
        return CameraRig(renderers, None, heights=1.0, bounds=bounds(tracks, reach))
    clear = partial(cleared, ground, tracks[0].body.radius)
    return CameraRig(renderers, clear, heights=ground.exaggeration, bounds=ground.bounds)
