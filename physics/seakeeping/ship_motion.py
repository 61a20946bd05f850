"""Motion of a ship: pressure of the water, weight, damping, wind, fins or a gyro-stabiliser, and their effect.

The pressure depends on the place and the attitude alone, all else on the velocities too, in the axes of the hull.
Laws: Newman, Marine Hydrodynamics (1977); Faltinsen, Sea Loads (1990); Fossen, Handbook of Marine Craft (2021).
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector, cross, inverse, normalised, product, renormalised, rotate
from physics.hydrostatics.immersion import integrals_below
from physics.seakeeping.ship_model import FINS, GYRO, ShipModel
from physics.seakeeping.wave_pressure import Wrench, pressure_force

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
def pressure_and_weight(
    ship: ShipModel, time: float, r: Vector, q: Quaternion, rotation: Array
) -> tuple[Vector, Vector]:
    """Force [N] in inertial axes, and moment about the centre of gravity [N m] in principal axes.

    In calm water the force is vertical: rho g V - m g at the centre of buoyancy. In waves it is that of the pressure of
    the undisturbed wave: what the hull changes of it, diffraction and radiation, is left out.
    rotation: (3, 3) to work in.
    """
    for k, column in enumerate((rotate(q, (1.0, 0.0, 0.0)), rotate(q, (0.0, 1.0, 0.0)), rotate(q, (0.0, 0.0, 1.0)))):
        for i in range(3):
            rotation[i, k] = column[i]
    weight = ship.density * ship.gravity
    f = _pressed(ship, time, r, rotation, ship.waves)
    force = (weight * f[0], weight * f[1], weight * f[2] - ship.mass * ship.gravity)
    return force, rotate(inverse(q), (weight * f[3], weight * f[4], weight * f[5]))


@formula
def _pressed(ship: ShipModel, time: float, r: Vector, rotation: Array, waves: Array | None) -> Wrench:
    """Force and moment of the pressure over its weight, in inertial axes; in calm water no law of waves is compiled."""
    if waves is None:
        found = integrals_below(ship.vertices, ship.triangles, rotation, r[2])
        return (0.0, 0.0, found[0], found[2], -found[1], 0.0)
    return pressure_force(ship.vertices, ship.triangles, rotation, r, time, waves, ship.depth, ship.wheeler)


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
    """Return True if no load depends on the velocities, except by inertia."""
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
        wanted = -s[0] * math.atan2(up[1], up[2]) - s[1] * u[3]
        x += min(max(wanted, -s[2]), s[2])
    elif ship.control == GYRO:
        x -= s[0] * u[6] * math.cos(gimbal)
        turning = (s[0] * u[3] * math.cos(gimbal) - s[2] * u[6] - s[3] * gimbal) / s[1]
    return (
        (force[0] + _resisted(ship, 0, u[0]), force[1] + _resisted(ship, 1, u[1]), force[2] + _resisted(ship, 2, u[2])),
        (x, moment[1] + _resisted(ship, 4, u[4]), moment[2] + _resisted(ship, 5, u[5])),
        turning,
    )


# ---- kicks: loads change the velocities while place and attitude stay ---------------------------------

FINE = 4.0  # substeps in the shortest time of damping or control: classical Runge-Kutta errs by 1e-5 of a substep then
MAX_SUBSTEPS = 10_000  # substeps


@formula
def accelerations(
    ship: ShipModel, time: float, up: Vector, gimbal: float, u: Velocities, force: Vector, moment: Vector
) -> Velocities:
    """Rates of ``u`` at rest, in the axes of the hull: by ``loads`` over mass and moments with the added ones."""
    f, n, turning = loads(ship, time, up, gimbal, u, force, moment)
    A, J, principal = ship.added, ship.moments, from_hull(ship.frame, n)
    w = to_hull(ship.frame, (principal[0] / (J[0] + A[3]), principal[1] / (J[1] + A[4]), principal[2] / (J[2] + A[5])))
    m = ship.mass
    return (f[0] / (m + A[0]), f[1] / (m + A[1]), f[2] / (m + A[2]), w[0], w[1], w[2], turning)


@formula
def _ahead(u: Velocities, t: float, a: Velocities) -> Velocities:
    return (
        u[0] + t * a[0],
        u[1] + t * a[1],
        u[2] + t * a[2],
        u[3] + t * a[3],
        u[4] + t * a[4],
        u[5] + t * a[5],
        u[6] + t * a[6],
    )


@formula
def _rate(ship: ShipModel, u: Velocities) -> float:
    """A bound of how fast damping and control change the velocities [1/s]."""
    found = 0.0
    least = min(ship.moments[0], ship.moments[1], ship.moments[2])
    for i in range(6):
        inertia = ship.mass if i < 3 else least
        found = max(found, (ship.linear[i] + 2.0 * ship.quadratic[i] * abs(u[i])) / inertia)
    s = ship.settings
    if ship.control == FINS:
        found += s[1] / least
    elif ship.control == GYRO:
        found += s[2] / s[1] + abs(s[0]) / math.sqrt(least * s[1])
    return found


@formula
def pushed(ship: ShipModel, dt: float, v: Vector, w: Vector, force: Vector, moment: Vector) -> tuple[Vector, Vector]:
    """``kicked`` where ``is_bare``: in the axes of the hull nothing is left to integrate."""
    A, J, m = ship.added, ship.moments, ship.mass
    return (v[0] + dt * force[0] / m, v[1] + dt * force[1] / m, v[2] + dt * force[2] / m), (
        w[0] + dt * moment[0] / (J[0] + A[3]),
        w[1] + dt * moment[1] / (J[1] + A[4]),
        w[2] + dt * moment[2] / (J[2] + A[5]),
    )


@formula
def is_bare(ship: ShipModel) -> bool:
    """Return True if velocities change alike in all axes: no load but pressure and weight, and no water in tow."""
    A = ship.added
    return bare_of_velocities(ship) and ship.wind[0] == 0.0 and A[0] == 0.0 and A[1] == 0.0 and A[2] == 0.0


@kernel
def kicked(
    ship: ShipModel,
    time: float,
    dt: float,
    q: Quaternion,
    v: Vector,
    w: Vector,
    gimbal: tuple[float, float],
    force: Vector,
    moment: Vector,
) -> tuple[Vector, Vector, float]:
    """Velocity [m/s] in space, angular velocity [rad/s] about the principal axes and rate of the gimbal after dt [s].

    force, moment: of physics.seakeeping.ship_motion.pressure_and_weight; they stay. What depends on the velocities is
    integrated by the classical Runge-Kutta scheme in substeps that are short beside its times.
    """
    plain = bare_of_velocities(ship) and ship.wind[0] == 0.0
    back = inverse(q)
    up = to_hull(ship.frame, rotate(back, (0.0, 0.0, 1.0)))
    along, about = to_hull(ship.frame, rotate(back, v)), to_hull(ship.frame, w)
    u = (along[0], along[1], along[2], about[0], about[1], about[2], gimbal[1])
    f, n = to_hull(ship.frame, rotate(back, force)), to_hull(ship.frame, moment)
    steps = 1 if plain else 1 + int(min(FINE * abs(dt) * _rate(ship, u), float(MAX_SUBSTEPS)))
    h, start = dt / steps, u
    for _ in range(steps):
        a = accelerations(ship, time, up, gimbal[0], u, f, n)
        b = accelerations(ship, time, up, gimbal[0], _ahead(u, 0.5 * h, a), f, n)
        c = accelerations(ship, time, up, gimbal[0], _ahead(u, 0.5 * h, b), f, n)
        d = accelerations(ship, time, up, gimbal[0], _ahead(u, h, c), f, n)
        u = _ahead(_ahead(_ahead(_ahead(u, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d)
    # changes are added, so that what nothing acts on keeps every digit
    change = rotate(q, from_hull(ship.frame, (u[0] - start[0], u[1] - start[1], u[2] - start[2])))
    turn = from_hull(ship.frame, (u[3] - start[3], u[4] - start[4], u[5] - start[5]))
    return (
        (v[0] + change[0], v[1] + change[1], v[2] + change[2]),
        (w[0] + turn[0], w[1] + turn[1], w[2] + turn[2]),
        u[6],
    )


# ---- rates of all that moves, for schemes that know nothing of rotations ------------------------------
# P' = P x w + F and K' = K x w + P x v + N in the axes of the hull, with mass and moments that include the added
# ones; without these they are Newton's and Euler's (Newman 1977, chapter 4; Fossen 2021).

SIZE = 15  # place 3, attitude 4, velocity 3, angular velocity 3, the gimbal's angle and rate


@kernel
def rates(ship: ShipModel, time: float, y: Array, found: Array) -> None:
    """Rates (15,) of place, attitude, velocity in space, angular velocity about principal axes, and the gimbal."""
    q, v, w = normalised((y[3], y[4], y[5], y[6])), (y[7], y[8], y[9]), (y[10], y[11], y[12])
    A, J, m, frame = ship.added, ship.moments, ship.mass, ship.frame
    back = inverse(q)
    force, moment = pressure_and_weight(ship, time, (y[0], y[1], y[2]), q, np.empty((3, 3)))
    along, about = to_hull(frame, rotate(back, v)), to_hull(frame, w)
    a = accelerations(
        ship,
        time,
        to_hull(frame, rotate(back, (0.0, 0.0, 1.0))),
        y[13],
        (along[0], along[1], along[2], about[0], about[1], about[2], y[14]),
        to_hull(frame, rotate(back, force)),
        to_hull(frame, moment),
    )
    # what inertia adds: with added mass hull and principal axes are the same
    P = ((m + A[0]) * along[0], (m + A[1]) * along[1], (m + A[2]) * along[2])
    K = ((J[0] + A[3]) * w[0], (J[1] + A[4]) * w[1], (J[2] + A[5]) * w[2])
    pull, gyroscopic, munk = cross(P, about), cross(K, w), from_hull(frame, cross(P, along))
    carried = cross(about, along)  # from the axes of the hull, which turn, to those in space
    gained: Vector = (
        a[0] + pull[0] / (m + A[0]) + carried[0],
        a[1] + pull[1] / (m + A[1]) + carried[1],
        a[2] + pull[2] / (m + A[2]) + carried[2],
    )
    speeding, turned = rotate(q, from_hull(frame, gained)), from_hull(frame, (a[3], a[4], a[5]))
    turning = product((y[3], y[4], y[5], y[6]), (0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]))
    for i in range(3):
        found[i], found[7 + i] = v[i], speeding[i]
        found[10 + i] = turned[i] + (gyroscopic[i] + munk[i]) / (J[i] + A[3 + i])
    for i in range(4):
        found[3 + i] = turning[i]
    found[13], found[14] = y[14], a[6]


# ---- free motion with added mass: a symmetric splitting of the kinetic energy -------------------------
# P' = P x w and K' = K x w + P x v in axes in which mass and moments are diagonal (Newman 1977, chapter 4): the flow
# of the energy of translation keeps P and the attitude, that of a rotation about one axis turns P and K about it.
# Each is exact, so that a step keeps the size of P, is reversible and symplectic, of order 2.


@kernel
def drifted(
    ship: ShipModel, h: float, r: Vector, q: Quaternion, v: Vector, w: Vector
) -> tuple[Vector, Quaternion, Vector, Vector]:
    """Place, attitude, velocity in space and angular velocity after a step h [s] in which nothing acts."""
    A, J, m = ship.added, ship.moments, ship.mass
    mx, my, mz = m + A[0], m + A[1], m + A[2]
    jx, jy, jz = J[0] + A[3], J[1] + A[4], J[2] + A[5]
    u = rotate(inverse(q), v)
    P, K = (mx * u[0], my * u[1], mz * u[2]), (jx * w[0], jy * w[1], jz * w[2])
    for half in range(2):
        if half == 1:
            P, K, q = _turned(P, K, q, 2, h * K[2] / jz)
            P, K, q = _turned(P, K, q, 1, 0.5 * h * K[1] / jy)
            P, K, q = _turned(P, K, q, 0, 0.5 * h * K[0] / jx)
        u = (P[0] / mx, P[1] / my, P[2] / mz)
        shift, couple = rotate(q, u), cross(P, u)
        r = (r[0] + 0.5 * h * shift[0], r[1] + 0.5 * h * shift[1], r[2] + 0.5 * h * shift[2])
        K = (K[0] + 0.5 * h * couple[0], K[1] + 0.5 * h * couple[1], K[2] + 0.5 * h * couple[2])
        if half == 0:
            P, K, q = _turned(P, K, q, 0, 0.5 * h * K[0] / jx)
            P, K, q = _turned(P, K, q, 1, 0.5 * h * K[1] / jy)
    q = renormalised(q)
    return r, q, rotate(q, (P[0] / mx, P[1] / my, P[2] / mz)), (K[0] / jx, K[1] / jy, K[2] / jz)


@kernel
def _turned(P: Vector, K: Vector, q: Quaternion, axis: int, angle: float) -> tuple[Vector, Vector, Quaternion]:
    """Attitude turned by an angle [rad] about an axis of the ship, and both momenta seen from there."""
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    turn = (c, s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)
    back = inverse(turn)
    return rotate(back, P), rotate(back, K), product(q, turn)
