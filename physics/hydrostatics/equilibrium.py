"""How a loaded hull floats by itself: Newton's method with the analytic stiffness, on the potential energy.

The energy over the displaced weight is u = zG - zB. At each attitude the hull first rises until it displaces its mass,
which takes the height out; then u depends on the attitude alone. Turning about a level axis n changes it by

    u' = (xB ny - yB nx),   u'' = [nx² (Iyy + V zB') + ny² (Ixx + V zB') - 2 nx ny Ixy - (nx Sy - ny Sx)²/A] / V

with places from the centre of gravity G, zB' = zB - zG, S and I the first and second moments of the waterplane. An axis
that is not level turns the heading too, of which nothing depends. The energy falls at every step, so that a start
far away ends at a position in which the hull can stay; at one in which it cannot, it is pushed off.
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.errors import PhysicsError
from physics.core.rotation import Array
from physics.hydrostatics.flotation import Pose, attitude, floating
from physics.hydrostatics.hull import LoadedHull

STEPS = 200
LONGEST = 0.2  # [rad] of a step
PUSH = 0.02  # [rad] off a position that is not stable, to starboard where it may be either side
DONE = 1e-13  # [rad] of a step, and of the lever over the size of the hull
LEVEL = 1e-9  # a stiffness above minus this of the hull's size counts as none: a cylinder's, which is rounding
STEEPEST = math.radians(89.0)  # trim that balances a heel: beyond it heel and trim are no angles of their own


def equilibrium(load: LoadedHull, heel: float = 0.0, trim: float = 0.0, fixed_trim: bool = False) -> Pose:
    """Where a hull that is released at a heel and a trim [rad] comes to rest: a minimum of its potential energy.

    With ``fixed_trim`` the trim stays, and only the heel is free.
    """
    pose = floating(load, heel, trim)
    return _settled(pose, heel=True, trim=not fixed_trim)


def balanced(load: LoadedHull, heel: float, trim: float = 0.0) -> Pose:
    """The hull held at a heel and free to trim, from a guess of the trim [rad]; PhysicsError where no trim balances."""
    pose = _settled(floating(load, heel, trim), heel=False, trim=True)
    if abs(pose.trim) > STEEPEST:
        raise PhysicsError(
            f"{load.hull.name}: at a heel of {math.degrees(heel):.4g}° no trim balances it, it rears up;"
            " expected a hull that floats on its length, or a fixed trim"
        )
    return pose


def _settled(pose: Pose, heel: bool, trim: bool) -> Pose:
    """The pose of least energy that is reached downhill, over what may change."""
    size = pose.load.size
    for _ in range(STEPS):
        slope, stiffness = _derivatives(pose, heel, trim)
        values, vectors = np.linalg.eigh(stiffness)
        if np.linalg.norm(slope) <= DONE * size:
            if values[0] > -LEVEL * size:
                return pose
            push = vectors[:, 0] if vectors[np.argmax(np.abs(vectors[:, 0])), 0] > 0.0 else -vectors[:, 0]
            pose = _turned(pose, PUSH * push, heel, trim)
            continue
        step = -vectors @ ((vectors.T @ slope) / np.maximum(np.abs(values), 1e-6 * size))
        length = float(np.linalg.norm(step))
        step *= min(1.0, LONGEST / length)
        for _ in range(40):
            new = _turned(pose, step, heel, trim)
            if new.energy <= pose.energy + 1e-4 * float(slope @ step) + 1e-14 * size:
                break
            step *= 0.5
        else:
            return pose  # nothing is lower, but for rounding
        pose = new
        if length <= DONE and values[0] > -LEVEL * size:
            return pose
    return pose


def _derivatives(pose: Pose, heel: bool, trim: bool) -> tuple[Array, Array]:
    """Of the energy over the weight [m]: slope (k,) and stiffness (k, k) in the angles that may change.

    Both: turns about the level axes x and y. Heel alone: about the hull's own axis, which the trim tilts.
    """
    i = pose.integrals
    under = i.z - i.volume * pose.height  # V zB'
    area = i.area or math.inf  # a hull just under water has no waterplane, nor moments of one
    if heel and not trim:
        c, s = math.cos(pose.trim), math.sin(pose.trim)
        slope = [-c * i.y]
        stiffness = [[c * (c * (i.area_yy + under) + s * i.x) - (c * i.area_y) ** 2 / area]]
    else:
        slope = [-i.y, i.x]
        coupling = -i.area_xy + i.area_x * i.area_y / area
        across, along = i.area_yy - i.area_y**2 / area, i.area_xx - i.area_x**2 / area
        stiffness = [[across + under, coupling], [coupling, along + under]]
    first = 0 if heel else 1
    return np.array(slope)[first:] / i.volume, np.array(stiffness)[first:, first:] / i.volume


def _turned(pose: Pose, step: Array, heel: bool, trim: bool) -> Pose:
    """The pose after turns [rad] about the axes of the derivatives, and free to rise."""
    if not heel:
        return floating(pose.load, pose.heel, pose.trim + float(step[0]), pose.height)
    if not trim:
        return floating(pose.load, pose.heel + float(step[0]), pose.trim, pose.height)
    across, along = step
    angle = math.hypot(across, along)
    x, y = across / angle, along / angle
    c, s = math.cos(angle), math.sin(angle)
    up = np.array([-s * y, s * x, c])  # the last row of the turn: nothing depends on the heading
    row = up @ attitude(pose.heel, pose.trim)
    return floating(pose.load, math.atan2(row[1], row[2]), -math.asin(max(-1.0, min(1.0, row[0]))), pose.height)
