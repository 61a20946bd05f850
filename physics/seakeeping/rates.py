"""The equations of motion of a ship as rates of all that moves: for schemes that know nothing of rotations.

P' = P x w + F and K' = K x w + P x v + N in the axes of the hull, with mass and moments that include the added ones;
without these they are Newton's and Euler's (Newman 1977, chapter 4; Fossen 2021).
"""

from __future__ import annotations

from physics.core.jit import kernel
from physics.core.rotation import Array, Vector, cross, inverse, normalised, product, rotate
from physics.seakeeping.kick import accelerations
from physics.seakeeping.loads import from_hull, pressure_and_weight, to_hull
from physics.seakeeping.ship_model import ShipModel

SIZE = 15  # place 3, attitude 4, velocity 3, angular velocity 3, the gimbal's angle and rate


@kernel
def rates(ship: ShipModel, time: float, y: Array, found: Array) -> None:
    """Rates (15,) of place, attitude, velocity in space, angular velocity about principal axes, and the gimbal."""
    q, v, w = normalised((y[3], y[4], y[5], y[6])), (y[7], y[8], y[9]), (y[10], y[11], y[12])
    A, J, m, frame = ship.added, ship.moments, ship.mass, ship.frame
    back = inverse(q)
    force, moment = pressure_and_weight(ship, time, (y[0], y[1], y[2]), q)
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
