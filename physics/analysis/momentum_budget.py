"""The budget of a spacecraft's angular momentum: what torques and the planet gave, what its wheels took, what is left.

In space dL/dt = n, n the torque from outside, L = R (J w) + R h, with the inertia J in which rotors are locked and the
angular momentum h that they have beside this. Along the motion that a scheme computed L minus what n gave stays as it
was, to the scheme's error.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from physics.analysis.spacecraft import to_planet
from physics.core.rotation import Array, apply, conjugate, cubic, matrix, multiply, rotation_vector, unit_of
from physics.core.trajectory import Trajectory
from physics.schemes.driven_body import DrivenBody
from physics.schemes.gauss_legendre import SHARES_6, WEIGHTS_6
from physics.systems.free.rotating_world import FreeWorld
from physics.systems.world import World


def budgeted(world: World) -> bool:
    """True of a free body with torques, rotors or a planet, and neither spring nor air: these are not in the budget."""
    if not isinstance(world, FreeWorld):
        return False
    actions = world.scenario.actions
    return bool(actions.torque or actions.rotor or actions.gravity_gradient) and not (
        actions.spring or actions.damping.air
    )


def wheels(run: Trajectory, world: World) -> Array:
    """Angular momentum of the rotors (n, 3) in space [kg m²/s], beside what they have where they are locked."""
    return apply(run.orientation, world.rotor_spin(run.time, run.angular_velocity))


def body(run: Trajectory, world: World) -> Array:
    """Angular momentum of the body with locked rotors (n, 3) in space [kg m²/s]."""
    return run.spin - wheels(run, world)


def given(run: Trajectory, world: World) -> Array:
    """Angular momentum (n, 3) in space [kg m²/s] that torques and the planet gave since the start of a run.

    Of a run with edits: of a stretch, since its start. Between two stored states the attitude is a cubic with the
    slopes of the motion, and the torque is integrated by Gauss's rule from row to row, of tables too: it errs by the
    fourth power of the time between two rows, and not at all where torques are constant or linear in space. NaN after
    a pair of rows between which the body turned by more than half a turn, where the attitude decides on the torque.
    """
    if not isinstance(world, FreeWorld) or world.acting is None:
        return np.zeros((len(run), 3))
    acting, start = world.acting, run.start
    times = np.concatenate([[start.time], run.time])
    q = np.concatenate([start.orientation[None], run.orientation])
    w = np.concatenate([start.angular_velocity[None], run.angular_velocity])
    spin = np.concatenate([run.origin(0).spin[None], run.spin])
    rates = w + _lag(acting, apply(conjugate(q), spin), w)
    edges = np.union1d(times, acting.times[(acting.times > times[0]) & (acting.times < times[-1])])
    before = np.searchsorted(times, edges[:-1], side="right") - 1
    width = np.diff(edges)
    total = np.zeros((len(width), 3))
    for share, weight in zip(SHARES_6, WEIGHTS_6, strict=True):
        now = edges[:-1] + share * width
        turned = _between(times, q, rates, before, now)
        total += weight * width[:, None] * _torque(acting, world, now, turned)
    if acting.rate or acting.torques[:, 3:].any():
        size = np.linalg.norm(rates, axis=1)
        turned_by = np.maximum(size[before], size[before + 1]) * (times[before + 1] - times[before])
        total[turned_by > np.pi] = np.nan  # two attitudes do not tell by how many turns they differ
    sums = np.concatenate([np.zeros((1, 3)), np.cumsum(total, axis=0)])
    return np.asarray(sums[np.searchsorted(edges, run.time)])


def closure(run: Trajectory, world: World) -> Array:
    """Size (n,) of the angular momentum that the budget misses, over the largest of its parts so far.

    Of a run with edits: of a stretch, since its start. NaN as long as nothing turns.
    """
    gift = given(run, world)
    missed = np.linalg.norm(run.spin - run.since("spin") - gift, axis=1)
    parts = (run.spin, run.since("spin"), gift, wheels(run, world), body(run, world))
    scale = np.maximum.accumulate(np.max([np.linalg.norm(part, axis=1) for part in parts], axis=0))
    return np.asarray(np.divide(missed, scale, out=np.full(len(run), np.nan), where=scale > 0.0))


def _lag(acting: DrivenBody, m: Array, w: Array) -> Array:
    """Angular velocity (n, 3) by which internal damping turns the body faster than w, in its axes [rad/s]."""
    back = conjugate(acting.axes)
    moments = np.cross(apply(back, m), apply(back, w))
    return apply(acting.axes, acting.internal * moments / acting.moments**2)


def _between(times: Array, q: Array, rates: Array, before: NDArray[np.intp], now: Array) -> Array:
    """Attitudes (k, 4) at times (k,) after the rows before (k,): cubics through the rows with the slopes there."""
    after = before + 1
    h = (times[after] - times[before])[:, None]
    s = (now - times[before])[:, None] / h
    turn = rotation_vector(multiply(conjugate(q[before]), q[after]))
    size = np.linalg.norm(turn, axis=1, keepdims=True)
    half = 0.5 * np.maximum(size, 1e-3)
    share = np.where(size < 1e-3, 1.0 / 12.0, (1.0 - half / np.tan(half)) / (4.0 * half * half))
    slope = rates[after]  # of the rotation vector at the end: by the inverse of the derivative of the exponential
    across = np.cross(turn, slope)
    slope = slope + 0.5 * across + share * np.cross(turn, across)
    return multiply(q[before], unit_of(cubic(0.0, rates[before], turn, slope, h, s)))


def _torque(acting: DrivenBody, world: FreeWorld, time: Array, q: Array) -> Array:
    """Torques of the tables and of the planet (n, 3) in space [N m], at times (n,) and attitudes (n, 4) of the body."""
    table = np.stack([np.interp(time, acting.times, column) for column in acting.torques.T], axis=1)
    found = table[:, :3] + apply(multiply(q, acting.axes), table[:, 3:])
    if acting.rate:
        axes, down = matrix(world.body.axes), apply(conjugate(q), to_planet(acting, time))
        inertia = axes @ np.diag(world.body.inertia) @ axes.T
        found = found + apply(q, 3.0 * acting.rate**2 * np.cross(down, down @ inertia))
    return np.asarray(found)
