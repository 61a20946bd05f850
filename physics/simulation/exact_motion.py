"""The exact motion of a free body at any times, to measure errors against."""

from __future__ import annotations

import numpy as np

from physics.core.jit import kernel
from physics.core.rotation import Array
from physics.schemes import exact
from physics.schemes.loop import store
from physics.systems.world import World


@kernel
def _evaluate(state: Array, times: Array, out: Array) -> None:
    for row in range(len(times)):
        q, w = exact.evaluate(state, times[row])
        store(out[row], q, w)


def exact_motion(world: World, times: Array) -> tuple[Array, Array]:
    """Orientation (n, 4) and angular velocity (n, 3) [rad/s], body frame, of a free body at times (n,) [s].

    From the world's own start. Source: physics.schemes.exact.
    """
    q, w = world.body.to_principal(world.orientation, world.angular_velocity)
    return world.body.from_principal(*free_motion(world.moments, q, w, np.asarray(times, float) - world.time))


def free_motion(moments: Array, q: Array, w: Array, times: Array) -> tuple[Array, Array]:
    """Attitude (n, 4) and angular velocity (n, 3) [rad/s] in principal axes, at times (n,) [s] after the state (q, w).

    moments : (3,) principal moments, of which ratios alone count
    """
    out = np.empty((len(times), 7))
    state = exact.start(np.ascontiguousarray(moments), np.ascontiguousarray(q), np.ascontiguousarray(w))
    _evaluate(state, np.ascontiguousarray(times), out)
    return out[:, :4], out[:, 4:]


def degrees_between(one: Array, other: Array) -> Array:
    """The angle (n,) [deg] of the rotation between attitudes (n, 4), 0 to 180."""
    near = one - other * np.where(np.sum(one * other, axis=-1) < 0, -1.0, 1.0)[..., None]
    half = np.clip(0.5 * np.linalg.norm(near, axis=-1), 0.0, 1.0)
    return np.asarray(np.degrees(4.0 * np.arcsin(half)))
