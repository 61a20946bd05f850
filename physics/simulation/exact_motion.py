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
