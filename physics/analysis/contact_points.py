"""Contact points: where a rock meets the ground, recomputed from stored states for people to look at.

The time stepping takes contacts in the middle of a step, or where a point lands; this looks in the middle of the step
that led to a state, where a point that landed in it is still as near as the time stepping counts as touching.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.bodies.surface import Surface, shape_of
from physics.contact import places
from physics.contact.moreau import SLACK
from physics.contact.smooth import find_places
from physics.contact.vertices import axes_of
from physics.core.rotation import Array, apply, exp_half, multiply
from physics.core.trajectory import State, Trajectory
from physics.systems.rockfall.world import RockfallWorld


@dataclass(frozen=True)
class ContactPoints:
    """A rock against the ground in the middle of the step before a state: all its vertices, or where it is deepest.

    points : (n, 3) [m], inertial
    gaps : (n,) [m] above the ground, plumb
    touching : (n,) which of them touch: those no higher than SLACK of physics.contact.moreau
    normals : (n, 3) upward unit normals of the ground under them, or of a smooth rock there
    slips : (n, 3) [m/s] velocities of these points of the rock along the ground
    """

    points: Array
    gaps: Array
    normals: Array
    slips: Array
    touching: NDArray[np.bool_]


def touch(world: RockfallWorld, state: State) -> ContactPoints:
    """The world's rock at a stored state against the undamaged ground: vertices (n), or the places of a smooth one.

    Gaps are those of Leine et al. (2014), section 3.5; the middle of the step is r - v h/2, and the attitude turned
    back by half a step at the angular velocity after it. In compactable soil the rock lies deeper by its scar.
    """
    terrain, h = world.terrain, world.scenario.step
    back = exp_half(tuple((-0.5 * h * state.angular_velocity).tolist()))
    turned = multiply(state.orientation, back)
    centre = state.position - 0.5 * h * state.velocity
    smooth = None if world.body.surface is None else _deepest(world, world.body.surface, centre, turned)
    arms = apply(turned, world.body.vertices if smooth is None else smooth[0])
    points = centre + arms
    x, y = points[:, 0], points[:, 1]
    bumps = world.cover.bumps_below(terrain, world.body, x, y)
    gaps = points[:, 2] - terrain.heights_at(x, y) - bumps[:, 0]
    if smooth is None:
        normals = np.array([terrain.normal(float(a), float(b)) for a, b in zip(x, y, strict=True)])
    else:
        normals = smooth[1]
    if bumps.any():
        normals = normals / normals[:, 2:] + np.roll(bumps * [0.0, 1.0, 1.0], -1, axis=1)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rate = apply(state.orientation, state.angular_velocity)
    velocities = state.velocity + np.cross(rate, arms)
    slips = velocities - np.sum(velocities * normals, axis=1, keepdims=True) * normals
    return ContactPoints(points, gaps, normals, slips, gaps <= SLACK * world.body.radius)


def _deepest(world: RockfallWorld, surface: Surface, centre: Array, attitude: Array) -> tuple[Array, Array]:
    """Deepest places of a smooth rock: points (n, 3) in its axes and the normals (n, 3) there; one at least."""
    terrain, found = world.terrain, np.zeros((places.MAX_PLACES, places.WIDTH))
    x, y, z = (centre - np.array([*terrain.origin, 0.0])).tolist()
    R, shape = axes_of(tuple(attitude.tolist())), shape_of(surface.numbers)
    n = find_places((terrain.heights, *terrain.cell), shape, (x, y, z), R, -np.inf, found)
    if n == 0:  # beside the map
        return surface.support([R[2]]), np.array([[0.0, 0.0, 1.0]])
    return found[:n, places.ARM : places.ARM + 3], found[:n, places.NORMAL : places.NORMAL + 3]


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
