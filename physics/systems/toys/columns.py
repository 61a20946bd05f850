"""What the motion of a body on a table tells: its tilt, where it touches, its slip, and Jellett's integral.

Rows (n,) or (n, 3) for positions (n, 3) [m], attitudes (n, 4), velocities (n, 3) [m/s] and angular velocities (n, 3)
[rad/s] in the body; of one state a number or (3,).
"""

from __future__ import annotations

import numpy as np

from physics.bodies.surface import Surface
from physics.core.rotation import Array, apply, conjugate


def normal(orientation: Array) -> Array:
    """The normal of the table in the body (n, 3)."""
    return apply(conjugate(orientation), np.array([0.0, 0.0, 1.0]))


def tilt(orientation: Array) -> Array:
    """Of the body's z axis from the normal [rad], 0 to π; by the arc tangent, which keeps its digits near 0."""
    u = normal(orientation)
    return np.asarray(np.arctan2(np.hypot(u[..., 0], u[..., 1]), u[..., 2]))


def contact_arm(surface: Surface, orientation: Array) -> Array:
    """From the centre of mass to the lowest point of the body, in its axes [m]."""
    return surface.support(normal(orientation))


def contact_point(surface: Surface, position: Array, orientation: Array) -> Array:
    """Where the lowest point of the body is, in the frame of the table [m]."""
    return np.asarray(position + apply(orientation, contact_arm(surface, orientation)))


def slip(surface: Surface, orientation: Array, velocity: Array, angular_velocity: Array) -> Array:
    """Velocity of the material point at the contact, in the frame of the table [m/s]."""
    return np.asarray(velocity + apply(orientation, np.cross(angular_velocity, contact_arm(surface, orientation))))


def jellett(surface: Surface, moments: Array, orientation: Array, angular_velocity: Array) -> Array:
    """-L.ρ [kg m³/s]: constant on a sphere with the centre of mass on its axis, whatever force acts at the contact."""
    return np.asarray(-np.sum(moments * angular_velocity * contact_arm(surface, orientation), axis=-1))
