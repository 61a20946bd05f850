"""Quantities of the motion of a body on a table: tilt, spin about the normal, contact point, slip, Jellett.

Rows (n,) or (n, 3) for the stored states of a run. ``tilt`` is the angle of the body's z axis from the normal of the
table: 0 for a disk that lies, π/2 for one that stands.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from physics.core.rotation import Array
from physics.core.trajectory import Trajectory
from physics.systems.toys import world as toy_columns
from physics.systems.toys.world import NO_SLIP, STILL, ToyWorld

LIGHT = 1e-3  # share of the weight: a normal force that counts as none


def tilt(run: Trajectory, world: ToyWorld) -> Array:
    """[rad], 0 to π; by the arc tangent, which keeps its digits where a disk lies."""
    return toy_columns.tilt(run.orientation)


def spin_about_normal(run: Trajectory, world: ToyWorld) -> Array:
    """ω.n [rad/s]."""
    return np.asarray(np.sum(run.angular_velocity * world.normal(run.orientation), axis=1))


def contact_arm(run: Trajectory, world: ToyWorld) -> Array:
    """Vector from the centre of mass to the lowest point of the body, in its axes [m]."""
    return toy_columns.contact_arm(world.surface, run.orientation)


def contact_point(run: Trajectory, world: ToyWorld) -> Array:
    """Lowest point of the body in the frame of the table [m]."""
    return toy_columns.contact_point(world.surface, run.position, run.orientation)


def slip(run: Trajectory, world: ToyWorld) -> Array:
    """Velocity of the material point at the contact, in the frame of the table [m/s]."""
    return toy_columns.slip(world.surface, run.orientation, run.velocity, run.angular_velocity)


def sticks(run: Trajectory, world: ToyWorld) -> NDArray[np.bool_]:
    """True where the contact point rolls (n,): it slips by less than STILL of how fast the body moves."""
    if world.scenario.table.mu >= NO_SLIP:
        return np.ones(len(run), bool)
    fast = world.size * np.linalg.norm(run.angular_velocity, axis=1) + np.linalg.norm(run.velocity, axis=1)
    return np.asarray(np.linalg.norm(slip(run, world)[:, :2], axis=1) <= STILL * fast)


def force(run: Trajectory, world: ToyWorld, rows: slice = slice(None)) -> Array:
    """The mean force (n, 3) [N] of the table since the stored state before; of the first state as of the second.

    From the change of the velocity, less gravity: percussions are not stored.
    """
    later = np.arange(len(run))[rows].clip(min(1, len(run) - 1))
    before = (later - 1).clip(0)
    span = (run.time[later] - run.time[before])[:, None]
    change = run.velocity[later] - run.velocity[before]
    rate = np.divide(change, span, out=np.zeros_like(change), where=span > 0.0)
    return np.asarray(world.body.mass * (rate - world.gravity))


def friction_needed(run: Trajectory, world: ToyWorld) -> Array:
    """f_t/N (n,): the μ that keeps the body from slipping; 0 where it does not touch."""
    acts = force(run, world)
    normal = acts[:, 2]
    across = np.hypot(acts[:, 0], acts[:, 1])
    touches = normal > LIGHT * world.body.mass * float(np.linalg.norm(world.gravity))
    return np.asarray(np.divide(across, normal, out=np.zeros(len(run)), where=touches))


def friction_used(run: Trajectory, world: ToyWorld) -> Array:
    """f_t/(μN) (n,): 1 where it slips by Coulomb's law, below 1 where it sticks, or drills; 0 without friction."""
    mu = world.scenario.table.mu if world.scenario.table.viscous is None else 0.0
    return friction_needed(run, world) / mu if mu > 0.0 else np.zeros(len(run))


def jellett(run: Trajectory, world: ToyWorld) -> Array:
    """-L.ρ [kg m³/s]: constant on a sphere with the centre of mass on its axis, whatever force acts at the contact."""
    return toy_columns.jellett(world.surface, world.moments, run.orientation, run.angular_velocity)


def precession_number(run: Trajectory, world: ToyWorld) -> Array:
    """Ω² sin(tilt) R / g: 4 for a thin disk that circles about its centre of mass at rest; Ω that of the z axis.

    R is the largest semi-axis across that of a disk or a cylinder, of others the largest of all.

    0 where the body lies on several points: it circles no more, and what is left of its tilt is rounding.
    """
    u, w = world.normal(run.orientation), run.angular_velocity
    across = u[:, 0] ** 2 + u[:, 1] ** 2
    circles = (across > 0.0) & (run.contact <= 1.0)
    rate = np.divide(w[:, 0] * u[:, 0] + w[:, 1] * u[:, 1], across, out=np.zeros(len(u)), where=circles)
    g = world.scenario.g or math.inf
    surface = world.surface
    radius = math.sqrt(float(np.linalg.eigvalsh(surface.form)[-1])) + surface.rounding
    return np.asarray(rate**2 * np.sqrt(across) * radius / g)
