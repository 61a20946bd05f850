"""The exact motion of a free body at any times, to measure errors against."""

from __future__ import annotations

import numpy as np

from physics.core.rotation import Array
from physics.schemes.free_motion import free_motion
from physics.systems.world import World


def exact_motion(world: World, times: Array) -> tuple[Array, Array]:
    """Orientation (n, 4) and angular velocity (n, 3) [rad/s], body frame, of a free body at times (n,) [s].

    From the world's own start. Source: physics.schemes.exact.
    """
    q, w = world.body.to_principal(world.orientation, world.angular_velocity)
    return world.body.from_principal(*free_motion(world.moments, q, w, np.asarray(times, float) - world.time))


def degrees_between(one: Array, other: Array) -> Array:
    """The angle (n,) [deg] of the rotation between attitudes (n, 4), 0 to 180."""
    near = one - other * np.where(np.sum(one * other, axis=-1) < 0, -1.0, 1.0)[..., None]
    half = np.clip(0.5 * np.linalg.norm(near, axis=-1), 0.0, 1.0)
    return np.asarray(np.degrees(4.0 * np.arcsin(half)))
