"""Contact points: where a rock meets the ground, recomputed from stored states for people to look at.

The time stepping takes contacts in the middle of a step, or where a vertex lands; this looks in the middle of the step
that led to a state, where a vertex that landed in it is still as near as the time stepping counts as touching.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.contact.moreau import SLACK
from physics.core.rotation import Array, apply, exp_half, multiply
from physics.core.trajectory import State, Trajectory
from physics.systems.rockfall_world import RockfallWorld


@dataclass(frozen=True)
class ContactPoints:
    """All vertices (n) of a rock against the ground in the middle of the step before a state.

    points : (n, 3) [m], inertial
    gaps : (n,) [m] above the ground, plumb
    touching : (n,) which vertices touch: those no higher than SLACK of physics.contact.moreau
    normals : (n, 3) upward unit normals of the ground under them
    slips : (n, 3) [m/s] velocities of the vertices along the ground
    """

    points: Array
    gaps: Array
    normals: Array
    slips: Array
    touching: NDArray[np.bool_]


def touch(world: RockfallWorld, state: State) -> ContactPoints:
    """The vertices of the world's rock at a stored state against the undamaged ground.

    Gaps are those of Leine et al. (2014), section 3.5; the middle of the step is r - v h/2, and the attitude turned
    back by half a step at the angular velocity after it. In compactable soil the rock lies deeper by its scar.
    """
    terrain, h = world.terrain, world.scenario.step
    back = exp_half(tuple((-0.5 * h * state.angular_velocity).tolist()))
    turned = multiply(state.orientation, back)
    arms = apply(turned, world.body.vertices)
    points = state.position - 0.5 * h * state.velocity + arms
    x, y = points[:, 0], points[:, 1]
    gaps = points[:, 2] - terrain.heights_at(x, y)
    normals = np.array([terrain.normal(float(a), float(b)) for a, b in zip(x, y, strict=True)])
    rate = apply(state.orientation, state.angular_velocity)
    velocities = state.velocity + np.cross(rate, arms)
    slips = velocities - np.sum(velocities * normals, axis=1, keepdims=True) * normals
    return ContactPoints(points, gaps, normals, slips, gaps <= SLACK * world.body.radius)


def mean_force(world: RockfallWorld, run: Trajectory, time: float) -> Array:
    """The mean force (3,) [N] of the ground on the rock between the two stored states around a time [s].

    From the change of the velocity, less gravity: the percussions of all contacts, and drag, over the time between
    the states; single percussions are not stored.
    """
    j = min(run.index(time) + 1, len(run) - 1)
    i = max(j - 1, 0)
    span = run.time[j] - run.time[i]
    if not span > 0.0:
        return np.zeros(3)
    change = (run.velocity[j] - run.velocity[i]) / span
    return np.asarray(world.body.mass * (change + np.array([0.0, 0.0, world.scenario.g])))
