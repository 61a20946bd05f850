"""Accelerations in joint coordinates in O(n): articulated bodies (Featherstone, Rigid Body Dynamics Algorithms, ch. 7).

Each body is taken at the point P of the joint that carries it, which is ``p_second``, or at its centre of mass where
none does. There a coordinate of the joint turns it about an axis through P, or moves it along the axis, and the axis
alone tells which loads drive it. A body that floats has six coordinates, travels and turns along inertial axes. With
the acceleration x = (angular, of the body's point at P), and all that hangs on a body held by its coordinates alone,

    load on the body at P = inertia x + load,    inertia = [turning, mixed^T; mixed, moving]

Coordinates are eliminated one after another, from the leaves of the tree to its roots. All is in inertial axes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, unallocating
from physics.core.records import Records, records
from physics.core.rotation import Array, Symmetric, Vector, cross, dot
from physics.joints.elimination import backward, factor_symmetric, forward
from physics.joints.joint_types import ALONG, TURN_SECOND
from physics.joints.mechanism import (
    BALL,
    CONSTRAINTS,
    NO_MOTOR,
    POINTS,
    ROW_FIRST,
    ROW_KINDS,
    UNIVERSAL,
    Mechanism,
)
from physics.joints.rows import MechanismPose, minus, plus, put, put_vector, target, times, to_space, vector, vector_of

_LINK = [
    *(("turning", float, 6), ("mixed", float, (3, 3)), ("moving", float, 6), ("load", float, (2, 3))),
    *((name, float, 3) for name in ("spin", "arm", "step")),
    *((name, float, (2, 3)) for name in ("held", "found")),
    ("turn", float, 4),
]
_NUMBERS = [(name, float) for name in ("ease", "drive", "rate", "acceleration")]
_COORDINATE = [("axis", float, 3), ("share", float, (2, 3)), *_NUMBERS]
_ROW = [("bodies", int, 2), ("force", float, 3), ("torques", float, (2, 3)), ("wanted", float), ("compliance", float)]


class Links(NamedTuple):
    """Bodies with what hangs on them, and rows that are added to the tree.

    Attributes
    ----------
    bodies : (b,) records

        turning, mixed, moving, load : see above, before the body's own coordinates are eliminated, matrices that are
            symmetric by xx, yy, zz, xy, xz, yz; load : (torque, force), for x = ``held``
        spin : (3,) angular velocity [rad/s]; arm : (3,) P less the centre of mass, step : less P of the carrier [m]
        held : (2, 3) x with coordinates that do not accelerate; found : (2, 3) what their accelerations add to it
        turn : (4,) of the body in a step, inertial

    coordinates : (b, 6) records of each body, of those that it has

        axis : (3,) towards the body; share : (2, 3) inertia times axis
        ease : inverse inertia along it, 0 with a motor; drive : load along it; rate, acceleration

    rows : (n,) records

        bodies : (2,); force : (3,) on the second body, the opposite on the first one; torques : (2, 3) on both about
            their centres of mass, all by a multiplier 1
        wanted : acceleration of the row + compliance x multiplier

    driven : (n, b, 6) loads along the coordinates by a multiplier 1 of each row
    loads : (b + 1, 2, 3) room
    whole : (n, n) factors of the rows' matrix; multipliers : (n,)
    """

    bodies: Records
    coordinates: Records
    rows: Records
    driven: Array
    loads: Array
    whole: Array
    multipliers: Array


def new_links(mechanism: Mechanism) -> Links:
    """Links to be filled by ``articulate``, and a row for each of the border."""
    b, n = len(mechanism.bodies), len(mechanism.border)
    sizes = ((n, b, 6), (b + 1, 2, 3), (n, n), n)
    coordinates = records((b, 6), _COORDINATE)
    coordinates.axis = [*np.eye(3), *np.eye(3)]  # of bodies that float
    return Links(records(b, _LINK), coordinates, records(n, _ROW), *(np.zeros(size) for size in sizes))


@formula
def coordinates_of(m: Mechanism, i: int) -> int:
    """Number of coordinates that body i has beside its carrier."""
    j = m.bodies[i].parent
    return 6 - CONSTRAINTS[m.joints[j].kind] if j >= 0 else 6


@formula
def is_travel(m: Mechanism, i: int, c: int) -> bool:
    """True if coordinate c of body i is a travel, not a turn."""
    j = m.bodies[i].parent
    if j < 0:
        return c < 3
    kind = m.joints[j].kind
    return bool(ROW_KINDS[kind, CONSTRAINTS[kind] + c] == ALONG)


@formula
def axis_of(m: Mechanism, p: MechanismPose, i: int, c: int) -> Vector:
    """Axis of coordinate c of body i, which a joint carries, towards the body; a ball's are the second body's own."""
    j = m.bodies[i].parent
    joint, sign = m.joints[j], 1.0 if m.bodies[i].side == 1 else -1.0
    row = CONSTRAINTS[joint.kind] + c
    if joint.kind == BALL:
        R = p.bodies[joint.second].turns
        return (sign * R[0, c], sign * R[1, c], sign * R[2, c])
    if ROW_KINDS[joint.kind, row] == TURN_SECOND:
        return times(sign, to_space(p.bodies[joint.second].turns, vector(joint.triads[1], 0)))
    return times(sign, to_space(p.bodies[joint.first].turns, vector(joint.triads[0], ROW_FIRST[joint.kind, row])))


@formula
def reach_of(m: Mechanism, p: MechanismPose, j: int, side: int) -> Vector:
    """Vector from the centre of mass of one of the bodies of joint j to P, with travels as they are counted."""
    joint = m.joints[j]
    i = joint.first if side == 0 else joint.second
    reach = to_space(p.bodies[i].turns, vector(joint.arms, side))
    if side == 0 and joint.kind not in POINTS:
        for c in range(6 - CONSTRAINTS[joint.kind]):
            row = CONSTRAINTS[joint.kind] + c
            if ROW_KINDS[joint.kind, row] == ALONG:
                e = to_space(p.bodies[i].turns, vector(joint.triads[0], ROW_FIRST[joint.kind, row]))
                reach = plus(reach, times(p.joints[j].coordinates[c], e))
    return reach


@formula
def _times(S: Symmetric, a: Vector) -> Vector:
    return (
        S[0] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[1] * a[1] + S[5] * a[2],
        S[4] * a[0] + S[5] * a[1] + S[2] * a[2],
    )


@formula
def _less(S: Symmetric, a: Vector, b: Vector) -> Symmetric:
    """S - a b^T where that is symmetric."""
    return (
        S[0] - a[0] * b[0], S[1] - a[1] * b[1], S[2] - a[2] * b[2],
        S[3] - a[0] * b[1], S[4] - a[0] * b[2], S[5] - a[1] * b[2],
    )  # fmt: skip


@formula
def _six(a: Array) -> Symmetric:
    return (a[0], a[1], a[2], a[3], a[4], a[5])


@unallocating
def articulate(m: Mechanism, t: float, h: float, p: MechanismPose, u: Array, f: Array, y: Links) -> None:
    """Fill the links at a pose that is placed, for velocities and loads (b + 1, 6); gyroscopic ones are added.

    t : time [s] of motors; h : [s] dampers of the tree act also on the change of rates in this time
    """
    for n in range(m.bodies.shape[0] - 1, -1, -1):
        _swing(m, t, p, u, f, y, m.bodies[n].order)
    for n in range(m.bodies.shape[0]):
        _eliminate(m, h, y, m.bodies[n].order)


@formula
def _swing(m: Mechanism, t: float, p: MechanismPose, u: Array, f: Array, y: Links, i: int) -> None:
    """Fill a body's link, after its carrier's, as if no coordinate accelerated and nothing hung on the body."""
    link, R, j, far = y.bodies[i], p.bodies[i].turns, m.bodies[i].parent, m.bodies[i].carrier
    w, J, mass = (u[i, 3], u[i, 4], u[i, 5]), m.bodies[i].inertia, m.bodies[i].mass
    W, arm, reach, step, spin = to_space(R, w), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    turned, pushed = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if j >= 0:
        side = m.bodies[i].side
        arm = reach_of(m, p, j, side)
        if far >= 0:
            carrier, reach = y.bodies[far], reach_of(m, p, j, 1 - side)  # which the ground needs not: it rests
            spin, step = vector_of(carrier.spin), minus(reach, vector_of(carrier.arm))
            turned = vector(carrier.held, 0)
            pushed = plus(vector(carrier.held, 1), plus(cross(turned, step), cross(spin, cross(spin, step))))
        turned = plus(turned, cross(spin, W))
        for c in range(coordinates_of(m, i)):
            e, travel, wanted = axis_of(m, p, i, c), is_travel(m, i, c), 0.0
            if m.joints[j].motor[c] != NO_MOTOR:
                wanted = target(m, t, j, c)[2]
            if travel:
                rate = dot(e, plus((u[i, 0], u[i, 1], u[i, 2]), cross(W, arm)))
                rate -= dot(e, plus((u[far, 0], u[far, 1], u[far, 2]), cross(spin, reach)))
                pushed = plus(pushed, plus(times(wanted, e), times(2.0 * rate, cross(W if side == 0 else spin, e))))
            else:
                rate = dot(e, minus(W, spin))
                turned = plus(turned, times(wanted, e))
            put_vector(y.coordinates[i, c].axis, e)
            y.coordinates[i, c].rate = rate
        if m.joints[j].kind == UNIVERSAL:
            one, other = y.coordinates[i, 0], y.coordinates[i, 1]
            both = one.rate * other.rate * (1.0 if side == 1 else -1.0)
            turned = plus(turned, times(both, cross(vector_of(one.axis), vector_of(other.axis))))
    put_vector(link.spin, W)
    put_vector(link.arm, arm)
    put_vector(link.step, step)
    put(link.held, 0, turned)
    put(link.held, 1, pushed)
    l, e0, e1, e2 = times(mass, arm), vector(R, 0), vector(R, 1), vector(R, 2)
    J0, J1 = (J[0] * e0[0], J[1] * e0[1], J[2] * e0[2]), (J[0] * e1[0], J[1] * e1[1], J[2] * e1[2])
    J2 = (J[0] * e2[0], J[1] * e2[1], J[2] * e2[2])
    own = (dot(J0, e0), dot(J1, e1), dot(J2, e2), dot(J0, e1), dot(J0, e2), dot(J1, e2))
    moment = cross(w, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
    moment = to_space(R, (moment[0] - f[i, 3], moment[1] - f[i, 4], moment[2] - f[i, 5]))
    force = minus(times(mass, pushed), plus((f[i, 0], f[i, 1], f[i, 2]), plus(cross(turned, l), cross(W, cross(W, l)))))
    put(link.load, 0, plus(moment, minus(_times(own, turned), cross(arm, force))))
    put(link.load, 1, force)
    away = dot(l, arm)
    own = _less((own[0] + away, own[1] + away, own[2] + away, own[3], own[4], own[5]), l, arm)
    for k in range(6):
        link.turning[k], link.moving[k] = own[k], mass if k < 3 else 0.0
    H = link.mixed
    H[0, 0], H[0, 1], H[0, 2] = 0.0, -l[2], l[1]
    H[1, 0], H[1, 1], H[1, 2] = l[2], 0.0, -l[0]
    H[2, 0], H[2, 1], H[2, 2] = -l[1], l[0], 0.0


@formula
def _eliminate(m: Mechanism, h: float, y: Links, i: int) -> None:
    """Eliminate the coordinates of a body, on which nothing hangs any more, and hang it on its carrier."""
    link, j, far = y.bodies[i], m.bodies[i].parent, m.bodies[i].carrier
    turning, moving = _six(link.turning), _six(link.moving)
    H0, H1, H2 = vector(link.mixed, 0), vector(link.mixed, 1), vector(link.mixed, 2)
    torque, force = vector(link.load, 0), vector(link.load, 1)
    for c in range(coordinates_of(m, i)):
        one = y.coordinates[i, c]
        one.ease, one.drive = 0.0, 0.0
        if j >= 0 and m.joints[j].motor[c] != NO_MOTOR:
            continue
        e = vector_of(one.axis)
        if is_travel(m, i, c):
            A = plus(plus(times(e[0], H0), times(e[1], H1)), times(e[2], H2))
            B, drive = _times(moving, e), -dot(e, force)
            size = dot(e, B)
        else:
            A, B, drive = _times(turning, e), (dot(H0, e), dot(H1, e), dot(H2, e)), -dot(e, torque)
            size = dot(e, A)
        ease = 1.0 / (size + (h * m.joints[j].damping[c] if j >= 0 else 0.0))
        a, b, share = times(ease, A), times(ease, B), ease * drive
        turning, moving = _less(turning, a, A), _less(moving, b, B)
        H0, H1, H2 = minus(H0, times(b[0], A)), minus(H1, times(b[1], A)), minus(H2, times(b[2], A))
        torque, force = plus(torque, times(share, A)), plus(force, times(share, B))
        one.ease, one.drive = ease, drive
        put(one.share, 0, A)
        put(one.share, 1, B)
    if far < 0:
        return
    into, step = y.bodies[far], vector_of(link.step)
    put(into.load, 0, plus(vector(into.load, 0), plus(torque, cross(step, force))))
    put(into.load, 1, plus(vector(into.load, 1), force))
    # its point at P moves by that of its carrier's + angular x step
    M0, M1, M2 = (moving[0], moving[3], moving[4]), (moving[3], moving[1], moving[5]), (moving[4], moving[5], moving[2])
    F0, F1, F2 = plus(H0, cross(step, M0)), plus(H1, cross(step, M1)), plus(H2, cross(step, M2))
    K0, K1 = cross(step, (H0[0], H1[0], H2[0])), cross(step, (H0[1], H1[1], H2[1]))
    K2 = cross(step, (H0[2], H1[2], H2[2]))
    L0, L1 = cross(step, (F0[0], F1[0], F2[0])), cross(step, (F0[1], F1[1], F2[1]))
    L2 = cross(step, (F0[2], F1[2], F2[2]))
    added = (K0[0] + L0[0], K1[1] + L1[1], K2[2] + L2[2], K0[1] + L1[0], K0[2] + L2[0], K1[2] + L2[1])
    for k in range(6):
        into.turning[k] += turning[k] + added[k]
        into.moving[k] += moving[k]
    for k in range(3):
        into.mixed[0, k] += F0[k]
        into.mixed[1, k] += F1[k]
        into.mixed[2, k] += F2[k]


@formula
def accelerate_links(m: Mechanism, y: Links) -> None:
    """Fill ``found`` and the accelerations of coordinates, from the roots to the leaves."""
    for n in range(m.bodies.shape[0] - 1, -1, -1):
        i = m.bodies[n].order
        link, far = y.bodies[i], m.bodies[i].carrier
        turned, pushed = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if far >= 0:
            turned = vector(y.bodies[far].found, 0)
            pushed = plus(vector(y.bodies[far].found, 1), cross(turned, vector_of(link.step)))
        for c in range(coordinates_of(m, i) - 1, -1, -1):
            one = y.coordinates[i, c]
            e, x = (
                vector_of(one.axis),
                one.drive - dot(vector(one.share, 0), turned) - dot(vector(one.share, 1), pushed),
            )
            x *= one.ease
            one.acceleration = x
            if is_travel(m, i, c):
                pushed = plus(pushed, times(x, e))
            else:
                turned = plus(turned, times(x, e))
        put(link.found, 0, turned)
        put(link.found, 1, pushed)


@formula
def _drive(m: Mechanism, y: Links, r: int) -> None:
    """Loads along all coordinates by a multiplier 1 of a row."""
    for i in range(m.bodies.shape[0] + 1):
        for k in range(3):
            y.loads[i, 0, k], y.loads[i, 1, k] = 0.0, 0.0
    row = y.rows[r]
    for side in range(2):
        i = row.bodies[side]
        if i >= 0:
            force = times(1.0 if side == 1 else -1.0, vector_of(row.force))
            torque = minus(vector(row.torques, side), cross(vector_of(y.bodies[i].arm), force))
            put(y.loads[i], 0, plus(vector(y.loads[i], 0), torque))
            put(y.loads[i], 1, plus(vector(y.loads[i], 1), force))
    for n in range(m.bodies.shape[0]):
        i = m.bodies[n].order
        link, far = y.bodies[i], m.bodies[i].carrier
        torque, force = vector(y.loads[i], 0), vector(y.loads[i], 1)
        for c in range(coordinates_of(m, i)):
            one = y.coordinates[i, c]
            drive = dot(vector_of(one.axis), force if is_travel(m, i, c) else torque)
            y.driven[r, i, c] = drive
            torque = minus(torque, times(drive * one.ease, vector(one.share, 0)))
            force = minus(force, times(drive * one.ease, vector(one.share, 1)))
        if far >= 0:
            put(y.loads[far], 0, plus(vector(y.loads[far], 0), plus(torque, cross(vector_of(link.step), force))))
            put(y.loads[far], 1, plus(vector(y.loads[far], 1), force))


@unallocating
def hold(m: Mechanism, y: Links) -> None:
    """Add the loads of the rows to the drives of links."""
    count = y.rows.shape[0]
    for r in range(count):
        _drive(m, y, r)
        row, left = y.rows[r], y.rows[r].wanted
        for side in range(2):
            i = row.bodies[side]
            if i >= 0:
                link = y.bodies[i]
                turned, W, arm = vector(link.held, 0), vector_of(link.spin), vector_of(link.arm)
                centre = minus(vector(link.held, 1), plus(cross(turned, arm), cross(W, cross(W, arm))))
                left -= dot(vector(row.torques, side), turned)
                left -= (1.0 if side == 1 else -1.0) * dot(vector_of(row.force), centre)
        for s in range(r + 1):
            found = row.compliance if s == r else 0.0
            for i in range(m.bodies.shape[0]):
                for c in range(coordinates_of(m, i)):
                    eased = y.coordinates[i, c].ease * y.driven[r, i, c]
                    found += eased * y.driven[s, i, c]
                    if s == r:
                        left -= eased * y.coordinates[i, c].drive
            y.whole[r, s] = found
        y.multipliers[r] = left
    factor_symmetric(y.whole, count)
    forward(y.whole, count, y.multipliers)
    backward(y.whole, count, y.multipliers)
    for r in range(count):
        for i in range(m.bodies.shape[0]):
            for c in range(coordinates_of(m, i)):
                y.coordinates[i, c].drive += y.multipliers[r] * y.driven[r, i, c]
