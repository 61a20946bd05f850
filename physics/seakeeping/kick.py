"""Kicks: what acts on a ship changes its velocities while place and attitude stay."""

from __future__ import annotations

import math

from physics.core.jit import formula, kernel
from physics.core.rotation import Quaternion, Vector, inverse, rotate
from physics.seakeeping.loads import Velocities, bare_of_velocities, from_hull, loads, to_hull
from physics.seakeeping.ship_model import FINS, GYRO, ShipModel

FINE = 4.0  # substeps in the shortest time of damping or control: classical Runge-Kutta errs by 1e-5 of a substep then
MOST = 10_000  # substeps


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

    force, moment: of physics.seakeeping.loads.pressure_and_weight; they stay. What depends on the velocities is
    integrated by the classical Runge-Kutta scheme in substeps that are short beside its times.
    """
    A, J, m = ship.added, ship.moments, ship.mass
    plain = bare_of_velocities(ship) and ship.wind[0] == 0.0
    if plain and A[0] == 0.0 and A[1] == 0.0 and A[2] == 0.0:
        v = (v[0] + dt * force[0] / m, v[1] + dt * force[1] / m, v[2] + dt * force[2] / m)
        w = (
            w[0] + dt * moment[0] / (J[0] + A[3]),
            w[1] + dt * moment[1] / (J[1] + A[4]),
            w[2] + dt * moment[2] / (J[2] + A[5]),
        )
        return v, w, gimbal[1]
    back = inverse(q)
    up = to_hull(ship.frame, rotate(back, (0.0, 0.0, 1.0)))
    along, about = to_hull(ship.frame, rotate(back, v)), to_hull(ship.frame, w)
    u = (along[0], along[1], along[2], about[0], about[1], about[2], gimbal[1])
    f, n = to_hull(ship.frame, rotate(back, force)), to_hull(ship.frame, moment)
    steps = 1 if plain else 1 + int(min(FINE * abs(dt) * _rate(ship, u), float(MOST)))
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
