"""Cameras that go with a body: the place that they follow, smoothed, and the frame in which they ride."""

from __future__ import annotations

import math

import numpy as np

from app.stage.camera.rig import UP, Viewpoint
from app.stage.lane_track import LaneTrack
from physics.core.rotation import Array

LAG = 1.0  # how far a rock may be from where its camera takes it to be, in radii of the body
ROLLS = 0.15  # how far a body that does not bounce may be


def steady(track: LaneTrack, time: float) -> Array:
    """The body's place (3,) [m], smoothed over about a second so that bounces do not shake the follow camera.

    Never farther than LAG or ROLLS radii from the body, which a hard bounce or a bend would take out of the picture.
    """
    offsets = np.linspace(-0.7, 0.7, 29)
    weights = np.cos(np.pi * offsets / 1.4) ** 2
    place = track.positions(np.array([time]))[0]
    lag = np.asarray(weights @ track.positions(time + offsets) / weights.sum()) - place
    most = (ROLLS if track.world.terrain is None else LAG) * track.body.radius
    length = float(np.linalg.norm(lag))
    return np.asarray(place + lag * (most * math.tanh(length / most) / max(length, 1e-30)))


def riding(track: LaneTrack, time: float) -> Array:
    """A frame (3, 3) that goes with a body: its own; of a rock, which turns too fast: ahead, to the left, and up."""
    if track.world.terrain is None:
        return track.pose(time).rotation
    spans = np.array([0.7, 1.4, 2.8, 5.6, 11.2, 22.4])  # the shortest one counts most, unless the rock rests
    ways = track.positions(time + spans) - track.positions(time - spans)
    ahead = (ways / (spans[:, None] ** 3)).sum(axis=0) + np.array([1e-9, 0.0, 0.0])
    ahead[2] = np.clip(ahead[2], -np.hypot(*ahead[:2]), np.hypot(*ahead[:2]))
    x = ahead / np.linalg.norm(ahead)
    y = np.cross(UP, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def aboard(track: LaneTrack, position: Array, focus: Array) -> Viewpoint:
    """Where the camera that rides stands in the frame of ``riding``; a rock's looks ahead over it.

    position, focus (3,) [m], relative to the body: where it begins on all others
    """
    if track.world.terrain is not None:
        r = track.body.radius
        return Viewpoint(np.array([-9.5 * r, 0.0, 3.2 * r]), np.array([1.5 * r, 0.0, 0.4 * r]), UP)
    turn = track.pose(0.0).rotation.T
    return Viewpoint(turn @ position, turn @ focus, turn @ UP)
