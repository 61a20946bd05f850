"""Angles that people read off a body that turns about a point."""

from __future__ import annotations

import math

import numpy as np

from physics.core.rotation import Array, apply


def yaw_pitch_roll(orientation: Array) -> Array:
    """Yaw, pitch and roll (..., 3) [deg] of attitudes (..., 4): the rotations z-y'-x'' that take a ship there.

    Yaw about the vertical z, then pitch about the ship's own new y axis, then roll about its own newest x axis, each
    by the right-hand rule: with x ahead, y to port and z up, a positive yaw turns the bow to port, a positive pitch
    lowers the bow, a positive roll lowers the starboard side. Yaw and roll lie within 180 degrees, pitch within 90.
    """
    x, y, z = (apply(orientation, axis) for axis in np.eye(3))
    level = np.hypot(x[..., 0], x[..., 1])
    upright = level < 1e-9  # the bow points straight up or down: all of the turn about the vertical is yaw
    yaw = np.where(upright, np.arctan2(-y[..., 0], y[..., 1]), np.arctan2(x[..., 1], x[..., 0]))
    pitch = np.where(upright, np.copysign(np.pi / 2, -x[..., 2]), np.arctan2(-x[..., 2], level))
    roll = np.where(upright, 0.0, np.arctan2(y[..., 2], z[..., 2]))
    return np.asarray(np.degrees(np.stack([yaw, pitch, roll], axis=-1)))


def nutation(orientation: Array) -> Array:
    """The angle (...) [deg] between a top's axis, the body's z axis, and the vertical at attitudes (..., 4)."""
    z = apply(orientation, np.array([0.0, 0.0, 1.0]))
    return np.asarray(np.degrees(np.arctan2(np.hypot(z[..., 0], z[..., 1]), z[..., 2])))


def ahead(rotation: Array) -> Array:
    """The level unit vector (3,) in which a ship of this attitude (3, 3) heads; x where its bow is upright."""
    length = math.hypot(rotation[0, 0], rotation[1, 0])
    return np.array([rotation[0, 0], rotation[1, 0], 0.0]) / length if length > 1e-12 else np.array([1.0, 0.0, 0.0])
