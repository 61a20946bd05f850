"""What acts on a ship: the pressure of the water, its weight, damping, wind, fins or a gyro-stabiliser.

The pressure depends on the place and the attitude alone, all else on the velocities too, in the axes of the hull.
Laws: Newman, Marine Hydrodynamics (1977); Faltinsen, Sea Loads (1990); Fossen, Handbook of Marine Craft (2021).
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector, inverse, rotate
from physics.hydrostatics.immersion import integrals_below
from physics.seakeeping.ship_model import FINS, GYRO, ShipModel
from physics.seakeeping.wave_pressure import pressure_force

Velocities = tuple[float, float, float, float, float, float, float]  # v and w in the hull's axes, rate of the gimbal


@formula
def to_hull(frame: Array, a: Vector) -> Vector:
    """A vector in principal axes in those of the hull; frame: of the ship's model."""
    return _row(frame, 0, a), _row(frame, 1, a), _row(frame, 2, a)


@formula
def from_hull(frame: Array, a: Vector) -> Vector:
    """A vector in the axes of the hull in principal ones; frame: of the ship's model."""
    return _column(frame, 0, a), _column(frame, 1, a), _column(frame, 2, a)


@formula
def _row(A: Array, i: int, a: Vector) -> float:
    """Row i of A times a."""
    found: float = A[i, 0] * a[0] + A[i, 1] * a[1] + A[i, 2] * a[2]
    return found


@formula
def _column(A: Array, i: int, a: Vector) -> float:
    """Column i of A times a."""
    found: float = A[0, i] * a[0] + A[1, i] * a[1] + A[2, i] * a[2]
    return found


@kernel
def pressure_and_weight(ship: ShipModel, time: float, r: Vector, q: Quaternion) -> tuple[Vector, Vector]:
    """Force [N] in inertial axes, and moment about the centre of gravity [N m] in principal axes.

    In calm water the force is vertical: rho g V - m g at the centre of buoyancy. In waves it is that of the pressure of
    the undisturbed wave: what the hull changes of it, diffraction and radiation, is left out.
    """
    rotation = np.empty((3, 3))
    for k, column in enumerate((rotate(q, (1.0, 0.0, 0.0)), rotate(q, (0.0, 1.0, 0.0)), rotate(q, (0.0, 0.0, 1.0)))):
        for i in range(3):
            rotation[i, k] = column[i]
    weight = ship.density * ship.gravity
    if ship.waves.shape[1] > 0:
        f = pressure_force(ship.vertices, ship.triangles, rotation, r, time, ship.waves, ship.depth, ship.wheeler)
        force = (weight * f[0], weight * f[1], weight * f[2] - ship.mass * ship.gravity)
        return force, rotate(inverse(q), (weight * f[3], weight * f[4], weight * f[5]))
    found = integrals_below(ship.vertices, ship.triangles, rotation, r[2])
    moment = rotate(inverse(q), (weight * found[2], -weight * found[1], 0.0))
    return (0.0, 0.0, weight * found[0] - ship.mass * ship.gravity), moment


@kernel
def potential_energies(ship: ShipModel, heights: Array, rotations: Array) -> Array:
    """m g z - rho g int z dV over the part below calm water [J], (n,), at heights (n,) [m] and attitudes (n, 3, 3)."""
    found = np.empty(len(heights))
    for i in range(len(heights)):
        sunk = integrals_below(ship.vertices, ship.triangles, rotations[i], heights[i])[3]
        found[i] = ship.gravity * (ship.mass * heights[i] - ship.density * sunk)
    return found


@formula
def bare_of_velocities(ship: ShipModel) -> bool:
    """Whether what acts does not depend on the velocities, but for inertia."""
    found = ship.control == 0
    for i in range(6):
        found = found and ship.linear[i] == 0.0 and ship.quadratic[i] == 0.0
    return found


@formula
def _resisted(ship: ShipModel, i: int, u: float) -> float:
    found: float = -(ship.linear[i] + ship.quadratic[i] * abs(u)) * u
    return found


@formula
def wind_moment(ship: ShipModel, time: float, up: Vector) -> float:
    """About the x axis of the hull [N m], by the vertical in its axes: cos² of the heel of what acts upright."""
    across = up[1] * up[1] + up[2] * up[2]
    share = up[2] * up[2] / across if across > 0.0 else 0.0
    found: float = ship.wind[0] * (ship.wind[1] if time >= ship.wind[2] else 1.0) * share
    return found


@formula
def loads(
    ship: ShipModel, time: float, up: Vector, gimbal: float, u: Velocities, force: Vector, moment: Vector
) -> tuple[Vector, Vector, float]:
    """Force [N] and moment [N m] in the axes of the hull with those that depend on velocities and on the heel.

    up: the vertical in the hull's axes; gimbal: its angle [rad]; force, moment: of pressure and weight, in the hull's
    axes. The third number is the angular acceleration of the gimbal [rad/s²].
    """
    s, turning = ship.settings, 0.0
    x = moment[0] + wind_moment(ship, time, up) + _resisted(ship, 3, u[3])
    if ship.control == FINS:
        asked = -s[0] * math.atan2(up[1], up[2]) - s[1] * u[3]
        x += min(max(asked, -s[2]), s[2])
    elif ship.control == GYRO:
        x -= s[0] * u[6] * math.cos(gimbal)
        turning = (s[0] * u[3] * math.cos(gimbal) - s[2] * u[6] - s[3] * gimbal) / s[1]
    return (
        (force[0] + _resisted(ship, 0, u[0]), force[1] + _resisted(ship, 1, u[1]), force[2] + _resisted(ship, 2, u[2])),
        (x, moment[1] + _resisted(ship, 4, u[4]), moment[2] + _resisted(ship, 5, u[5])),
        turning,
    )
