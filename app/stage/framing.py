"""Framing: where to look from so that one sees the whole motion, or the body alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.stage.camera import ANGLE
from app.stage.ground import Ground
from app.stage.top import reach
from app.stage.track import Track
from physics.rotation import Array
from physics.world import World

FOLLOW = 20.0  # distance of the follow camera in radii of the body
HALF = math.tan(math.radians(ANGLE / 2))


def whole(world: World, tracks: Sequence[Track], ground: Ground | None, aspect: float) -> tuple[Array, Array]:
    """Camera position and focus, (3,) [m] each, to see the whole motion; aspect: width over height of a viewport."""
    if ground is not None:
        return fall(tracks, ground, aspect)
    if world.scenario.kind == "top":
        return top(tracks)
    if world.scenario.kind == "vessel":
        return vessel(world.body.radius)
    return flight(tracks, 1.85 * world.body.radius)


def near(world: World, tracks: Sequence[Track], ground: Ground | None) -> tuple[Array, Array]:
    """Camera position and focus, (3,) [m] each, relative to what the follow camera follows."""
    if world.attached:
        position, focus = whole(world, tracks, ground, 1.0)
        return focus + 0.72 * (position - focus), focus
    return beside(tracks[0], ground), np.zeros(3)


def top(tracks: Sequence[Track]) -> tuple[Array, Array]:
    """For tops: the tip, and all that the axes have swept."""
    world = tracks[0].world
    length, arm = reach(world), float(world.arm[2])
    sweep = np.concatenate([track.positions(np.linspace(0.0, track.end, 200)) for track in tracks]) * (length / arm)
    low, high = min(0.0, float(sweep[:, 2].min())), max(0.0, float(sweep[:, 2].max()))
    centre = np.array([0.0, 0.0, 0.42 * (low + high)])
    broad = float(np.linalg.norm(world.body.vertices[:, :2], axis=1).max())
    radius = float(np.linalg.norm(sweep - centre, axis=1).max()) + 0.8 * broad
    return centre + radius / math.sin(math.radians(ANGLE / 2)) * direction(-58.0, 14.0), centre


def vessel(radius: float) -> tuple[Array, Array]:
    """For a ship of a radius [m]: from ahead of its starboard side, above the water."""
    centre = np.array([0.0, 0.0, 0.06 * radius])
    return centre + 1.32 * radius / math.sin(math.radians(ANGLE / 2)) * direction(-60.0, 24.0), centre


def direction(azimuth: float, elevation: float) -> Array:
    """The unit vector (3,) towards an azimuth, counter-clockwise from x, and an elevation [deg]."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return np.array([math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)])


def flight(tracks: Sequence[Track], reach: float) -> tuple[Array, Array]:
    """Camera position and focus, (3,) [m] each, for bodies in free flight; ``reach`` [m] around each is seen."""
    points = np.concatenate([track.positions(np.linspace(0.0, track.end, 60)) for track in tracks])
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    radius = reach + float(np.linalg.norm(points - centre, axis=1).max())
    return centre + radius / math.sin(math.radians(ANGLE / 2)) * _before(tracks[0]), centre


def _before(track: Track) -> Array:
    """A unit vector (3,) from which one sees a free body so that its spin stands upright or points aside."""
    spin = track.pose(0.0).spin
    flat = math.hypot(spin[0], spin[1])
    aside = math.degrees(math.atan2(spin[1], spin[0])) if flat > 0.4 * float(np.linalg.norm(spin)) else 0.0
    return direction(aside - 58.0, 18.0)


def fall(tracks: Sequence[Track], ground: Ground, aspect: float) -> tuple[Array, Array]:
    """Camera position and focus, (3,) [m] each, that look across the slope at the whole way of the rocks.

    Of some three-quarter views the one that hides least of the way behind the ground. aspect: width over height.
    """
    points = np.concatenate([_way(track, ground) for track in tracks])
    run = points[len(points) // len(tracks) - 1, :2] - points[0, :2]
    down = math.degrees(math.atan2(run[1], run[0])) if np.linalg.norm(run) > 1.0 else -60.0
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    best, view = -1.0, (centre, centre)
    for aside in (50.0, -50.0, 35.0, -35.0, 70.0, -70.0):
        for elevation in (26.0, 34.0, 44.0):
            towards = direction(down + aside, elevation)
            eye = centre + towards * _distance(points - centre, towards, aspect)
            score = _seen(eye, points, ground) - 0.002 * elevation - 0.0005 * abs(abs(aside) - 50.0)
            if score > best:
                best, view = score, (eye, centre)
    return view


def _way(track: Track, ground: Ground) -> Array:
    """Points (n, 3) along the way of a rock: recorded, and while it still falls also where the ground leads down."""
    points = track.positions(np.linspace(0.0, track.end, 80))
    return points if track.finished else np.concatenate([points, _downhill(points[-1], ground)])


def _downhill(start: Array, ground: Ground) -> Array:
    """The line of steepest descent (80, 3) from a point, until the ground is level or ends."""
    terrain = ground.drawn
    x0, x1, y0, y1 = terrain.extent
    stride = 0.012 * max(x1 - x0, y1 - y0)
    here, points = start[:2].copy(), []
    for _ in range(80):
        slope = terrain.normal(float(here[0]), float(here[1]))[:2]
        if np.linalg.norm(slope) > 0.12:
            here = np.clip(here + stride * slope / np.linalg.norm(slope), (x0, y0), (x1, y1))
        points.append((*here, terrain.height(float(here[0]), float(here[1]))))
    return np.array(points)


def _distance(arms: Array, towards: Array, aspect: float) -> float:
    """How far away a camera must be to see points (n, 3) around its focus, with a margin [m]."""
    right = np.cross([0.0, 0.0, 1.0], towards)
    right /= np.linalg.norm(right)
    above = np.cross(towards, right)
    wide, high = (HALF * aspect, HALF) if aspect >= 1 else (HALF, HALF / aspect)
    depth = arms @ towards
    needed = np.maximum(np.abs(arms @ right) / (0.74 * wide), np.abs(arms @ above) / (0.62 * high)) + depth
    return max(float(needed.max()), 25.0)


def _seen(eye: Array, points: Array, ground: Ground) -> float:
    """The share of points (n, 3) that the ground does not hide from an eye (3,)."""
    s = np.linspace(0.03, 0.97, 40)[:, None, None]
    rays = (points + (0, 0, 2.0)) + s * (eye - points)
    flat = rays.reshape(-1, 3)
    x0, x1, y0, y1 = ground.drawn.extent
    inside = (flat[:, 0] > x0) & (flat[:, 0] < x1) & (flat[:, 1] > y0) & (flat[:, 1] < y1)
    hidden = ((ground.heights(flat) > flat[:, 2]) & inside).reshape(len(s), -1).any(axis=0)
    return 1.0 - float(hidden.mean())


def beside(track: Track, ground: Ground | None) -> Array:
    """Where the follow camera stands, (3,) [m] relative to the body."""
    if ground is None:
        return 0.42 * FOLLOW * track.body.radius * _before(track)
    way = _way(track, ground)
    run = way[-1, :2] - way[0, :2]
    down = math.degrees(math.atan2(run[1], run[0])) if np.linalg.norm(run) > 1.0 else -60.0
    return FOLLOW * track.body.radius * direction(down + 100.0, 12.0)


def clearance(ground: Ground, radius: float, eye: Array, focus: Array) -> float:
    """How much higher [m] an eye must be to stand clear of the ground and to see a body (radius [m]) at its focus."""
    s = np.linspace(0.1, 1.0, 40)
    foot = focus - np.array([0.0, 0.0, 0.5 * radius])
    rays = foot + s[:, None] * (eye - foot)
    x0, x1, y0, y1 = ground.drawn.extent
    inside = (rays[:, 0] > x0) & (rays[:, 0] < x1) & (rays[:, 1] > y0) & (rays[:, 1] < y1)
    lack = (ground.heights(rays) + 1.2 * radius * s - rays[:, 2]) / s
    return max(0.0, float(np.where(inside, lack, 0.0).max()))


def steady(track: Track, time: float) -> Array:
    """The body's place (3,) [m], smoothed over about a second so that bounces do not shake the follow camera."""
    offsets = np.linspace(-0.7, 0.7, 29)
    weights = np.cos(np.pi * offsets / 1.4) ** 2
    return np.asarray(weights @ track.positions(time + offsets) / weights.sum())
