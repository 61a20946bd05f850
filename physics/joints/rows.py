"""Rows of joints at a pose: gaps, Jacobian, targets of motors, right side of index 1; loads, energy, coordinates.

All kernels here write into arrays that the caller gives, and allocate nothing. Arrays over bodies have a last row for
the ground, which the number GROUND = -1 finds: at rest at the origin in a ``MechanismPose``, and ignored in a result.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, procedure, unallocating
from physics.core.potential import gradient
from physics.core.records import Records
from physics.core.rotation import Array, Quaternion, Vector, cross, dot
from physics.joints.joint_types import ACROSS, ALONG, TURN_FIRST, TURN_SECOND
from physics.joints.mechanism import (
    BALL,
    BODY,
    CONSTRAINTS,
    NO_MOTOR,
    PATH,
    ROW_FIRST,
    ROW_KINDS,
    ROW_SECOND,
    UNIVERSAL,
    Mechanism,
)


class MechanismPose(NamedTuple):
    """A pose of all bodies, and what follows from it by ``place``, the coordinates by ``count``.

    Attributes
    ----------
    bodies : (b + 1,) records

        r : (3,) place of the centre of mass [m]; q : (4,) attitude of the principal axes
        turns : (3, 3) rotation matrix of q

    joints : (j,) records

        levers : (2, 3) the arms in inertial axes; apart : (3,) p_second - p_first, inertial [m]
        axes : (2, 3, 3) the triads' vectors in inertial axes
        coordinates : (3,) angles, counted from those that were here before, and travels

    numbers : all of these, (16 (b + 1) + 30 j,)
    """

    bodies: Records
    joints: Records
    numbers: Array


POSE_BODY = np.dtype([("r", float, 3), ("q", float, 4), ("turns", float, (3, 3))], align=True)
_ARMS = [("levers", float, (2, 3)), ("apart", float, 3), ("axes", float, (2, 3, 3))]
POSE_JOINT = np.dtype([*_ARMS, ("coordinates", float, 3)], align=True)


def new_pose(mechanism: Mechanism) -> MechanismPose:
    """A pose to be filled, with the ground in place and all angles counted from 0."""
    at = 16 * (len(mechanism.bodies) + 1)
    numbers = np.zeros(at + 30 * len(mechanism.joints))
    bodies, joints = numbers[:at].view(POSE_BODY), numbers[at:].view(POSE_JOINT)
    pose = MechanismPose(bodies.view(np.recarray), joints.view(np.recarray), numbers)
    pose.bodies.q[:, 0], pose.bodies.turns[-1] = 1.0, np.eye(3)
    return pose


# ---- vectors in arrays -----------------------------------------------------------------------------------


@formula
def vector(a: Array, i: int) -> Vector:
    """Row i of an array (n, 3)."""
    return (a[i, 0], a[i, 1], a[i, 2])


@formula
def vector_of(a: Array) -> Vector:
    """The vector in an array (3,)."""
    return (a[0], a[1], a[2])


@formula
def numbers_of(q: Array) -> Quaternion:
    """The quaternion in an array (4,)."""
    return (q[0], q[1], q[2], q[3])


@formula
def put(a: Array, i: int, x: Vector) -> None:
    """Store a vector as row i of an array (n, 3)."""
    a[i, 0], a[i, 1], a[i, 2] = x


@formula
def put_vector(a: Array, x: Vector) -> None:
    """Store a vector as an array (3,)."""
    a[0], a[1], a[2] = x


@formula
def to_space(R: Array, x: Vector) -> Vector:
    """R x: a vector in the principal axes of a body with the rotation matrix R (3, 3), in inertial axes."""
    return (
        R[0, 0] * x[0] + R[0, 1] * x[1] + R[0, 2] * x[2],
        R[1, 0] * x[0] + R[1, 1] * x[1] + R[1, 2] * x[2],
        R[2, 0] * x[0] + R[2, 1] * x[1] + R[2, 2] * x[2],
    )


@formula
def to_body(R: Array, x: Vector) -> Vector:
    """R^T x: a vector in inertial axes, in the principal axes of a body with the rotation matrix R (3, 3)."""
    return (
        R[0, 0] * x[0] + R[1, 0] * x[1] + R[2, 0] * x[2],
        R[0, 1] * x[0] + R[1, 1] * x[1] + R[2, 1] * x[2],
        R[0, 2] * x[0] + R[1, 2] * x[1] + R[2, 2] * x[2],
    )


@formula
def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@formula
def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@formula
def times(s: float, a: Vector) -> Vector:
    """s a."""
    return (s * a[0], s * a[1], s * a[2])


@formula
def quaternion(p: MechanismPose, i: int) -> Quaternion:
    """Attitude of body i."""
    return numbers_of(p.bodies[i].q)


@formula
def put_quaternion(p: MechanismPose, i: int, q: Quaternion) -> None:
    """Store an attitude as that of body i."""
    into = p.bodies[i].q
    into[0], into[1], into[2], into[3] = q


@formula
def _axis(p: MechanismPose, j: int, side: int, i: int) -> Vector:
    """Axis i of the triad of one of the bodies of joint j, inertial."""
    a = p.joints[j].axes
    return (a[side, i, 0], a[side, i, 1], a[side, i, 2])


@formula
def _lever(p: MechanismPose, j: int, side: int) -> Vector:
    return vector(p.joints[j].levers, side)


# ---- pose ------------------------------------------------------------------------------------------------


@unallocating
def place(m: Mechanism, p: MechanismPose) -> None:
    """Fill a pose from its places and attitudes, but for the coordinates."""
    _place(m, p)


@formula
def _place(m: Mechanism, p: MechanismPose) -> None:
    for i in range(m.bodies.shape[0]):
        place_body(p, i)
    for j in range(m.joints.shape[0]):
        place_joint(m, p, j)


@formula
def place_body(p: MechanismPose, i: int) -> None:
    """Fill the matrix of a body's attitude."""
    w, x, y, z = quaternion(p, i)
    R = p.bodies[i].turns
    R[0, 0], R[0, 1], R[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    R[1, 0], R[1, 1], R[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    R[2, 0], R[2, 1], R[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@formula
def place_joint(m: Mechanism, p: MechanismPose, j: int) -> None:
    """Place what a pose tells of a joint, but for the coordinates."""
    joint, into = m.joints[j], p.joints[j]
    for side in range(2):
        R = p.bodies[joint.first if side == 0 else joint.second].turns
        put(into.levers, side, to_space(R, vector(joint.arms, side)))
        for i in range(3):
            put(into.axes[side], i, to_space(R, vector(joint.triads[side], i)))
    tip = plus(vector_of(p.bodies[joint.second].r), vector(into.levers, 1))
    foot = plus(vector_of(p.bodies[joint.first].r), vector(into.levers, 0))
    apart = into.apart
    apart[0], apart[1], apart[2] = minus(tip, foot)


@unallocating
def count(m: Mechanism, p: MechanismPose) -> None:
    """Fill the coordinates of a pose that is placed."""
    for j in range(m.joints.shape[0]):
        count_joint(m, p, j)


@formula
def count_joint(m: Mechanism, p: MechanismPose, j: int) -> None:
    """Coordinates of a joint: travels along the first triad; angles nearest to the ones before."""
    kind = m.joints[j].kind
    if kind == BALL:
        return
    constraints = CONSTRAINTS[kind]
    for c in range(6 - constraints):
        row = constraints + c
        if ROW_KINDS[kind, row] == ALONG:
            p.joints[j].coordinates[c] = dot(_axis(p, j, 0, ROW_FIRST[kind, row]), vector_of(p.joints[j].apart))
            continue
        if kind != UNIVERSAL:
            angle = math.atan2(dot(_axis(p, j, 0, 2), _axis(p, j, 1, 1)), dot(_axis(p, j, 0, 1), _axis(p, j, 1, 1)))
        elif c == 0:
            angle = math.atan2(dot(_axis(p, j, 0, 2), _axis(p, j, 1, 0)), dot(_axis(p, j, 0, 1), _axis(p, j, 1, 0)))
        else:
            angle = math.atan2(-dot(_axis(p, j, 0, 0), _axis(p, j, 1, 2)), dot(_axis(p, j, 0, 0), _axis(p, j, 1, 1)))
        turn = 2.0 * math.pi
        p.joints[j].coordinates[c] = angle + turn * np.rint((p.joints[j].coordinates[c] - angle) / turn)


# ---- motors ----------------------------------------------------------------------------------------------


@formula
def target(m: Mechanism, t: float, j: int, c: int) -> Vector:
    """Value, rate and acceleration of a motor's coordinate at a time [s]; 0 without a motor."""
    x = m.joints[j].motors[c]
    if m.joints[j].motor[c] != PATH:
        w = 2.0 * math.pi * x[3]
        sine, cosine = math.sin(w * t + x[4]), math.cos(w * t + x[4])
        return (x[0] + x[1] * t + x[2] * sine, x[1] + x[2] * w * cosine, -x[2] * w * w * sine)
    return _along_path(m.path, int(x[0]), int(x[0]) + int(x[1]) - 1, t)


@procedure
def _along_path(path: Array, first: int, last: int, t: float) -> Vector:
    """Value, rate and acceleration at a time [s] of the path in rows first to last, see ``Mechanism``.

    Between two rows it is the quintic with their values and rates, and without acceleration at both.
    """
    if t <= path[first, 0] or t >= path[last, 0]:
        end = first if t <= path[first, 0] else last
        return (path[end, 1] + path[end, 2] * (t - path[end, 0]), path[end, 2], 0.0)
    while last - first > 1:
        middle = (first + last) // 2
        if t > path[middle, 0]:
            first = middle
        else:
            last = middle
    span, rate = path[last, 0] - path[first, 0], path[first, 2]
    s = (t - path[first, 0]) / span
    u = 1.0 - s
    d = path[last, 1] - path[first, 1] - rate * span  # how much more than the turn at the first rate
    f = (path[last, 2] - rate) * span
    return (
        path[first, 1]
        + s * span * rate
        + d * s * s * s * (10.0 - s * (15.0 - 6.0 * s))
        - f * s * s * s * (4.0 - s * (7.0 - 3.0 * s)),
        rate + d / span * 30.0 * s * s * u * u - f / span * s * s * (6.0 - 5.0 * s) * (2.0 - 3.0 * s),
        d / (span * span) * 60.0 * s * u * (1.0 - 2.0 * s) - f / (span * span) * 12.0 * s * u * (2.0 - 5.0 * s),
    )


@formula
def row_target(m: Mechanism, t: float, j: int, row: int) -> Vector:
    """Value, rate and acceleration of ``target``, by row; constraints have 0."""
    c = row - CONSTRAINTS[m.joints[j].kind]
    return target(m, t, j, c) if c >= 0 else (0.0, 0.0, 0.0)


@unallocating
def gaps(m: Mechanism, t: float, p: MechanismPose, out: Array) -> None:
    """Gaps (j, 6) of the hard rows at a time [s], [m] or radians: what constraints and motors are off.

    The pose is placed; coordinates of joints with motors are counted here.
    """
    _gaps(m, t, p, out)


@formula
def _gaps(m: Mechanism, t: float, p: MechanismPose, out: Array) -> None:
    for j in range(m.joints.shape[0]):
        for n in range(m.joints[j].hard):
            out[j, m.joints[j].rows[n]] = gap_of(m, t, p, j, m.joints[j].rows[n])


@formula
def gap_of(m: Mechanism, t: float, p: MechanismPose, j: int, row: int) -> float:
    """Gap of a hard row, see ``gaps``."""
    kind = m.joints[j].kind
    code, i, k, c = ROW_KINDS[kind, row], ROW_FIRST[kind, row], ROW_SECOND[kind, row], row - CONSTRAINTS[kind]
    if c >= 0:
        count_joint(m, p, j)
        gap: float = p.joints[j].coordinates[c] - target(m, t, j, c)[0]
        return gap
    if code == ALONG:
        return dot(_axis(p, j, 0, i), vector_of(p.joints[j].apart))
    return dot(_axis(p, j, 0, i), _axis(p, j, 1, k))


@unallocating
def misfit(m: Mechanism, t: float, p: MechanismPose, out: Array) -> float:
    """Place a pose, and find its gaps (j, 6): the largest one beside the size of the mechanism, infinite for none.

    The size, beside which gaps are rounded, is the largest coordinate of a place or of an arm [m], or 1.
    """
    _place(m, p)
    _gaps(m, t, p, out)
    size, gap = 1.0, 0.0
    for i in range(m.bodies.shape[0]):
        for k in range(3):
            size = max(size, abs(p.bodies[i].r[k]))
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for side in range(2):
            for k in range(3):
                size = max(size, abs(p.joints[j].levers[side, k]))
        for n in range(joint.hard):
            one = abs(out[j, joint.rows[n]])
            if not one < np.inf:
                return np.inf
            gap = max(gap, one)
    return gap / size


@unallocating
def speeds(m: Mechanism, t: float, out: Array) -> None:
    """Rates (j, 6) that the hard rows have to have at a time [s]: G u = speeds."""
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for n in range(joint.hard):
            row = joint.rows[n]
            out[j, row] = row_target(m, t, j, row)[1]


# ---- Jacobian --------------------------------------------------------------------------------------------


@formula
def row_of(m: Mechanism, p: MechanismPose, j: int, row: int) -> tuple[Vector, Vector, Vector]:
    """Loads of a row on both bodies by a multiplier 1, in inertial axes.

    Returns the force on the second body, the opposite of that on the first, and the torques about the centres of mass
    on the first and on the second body.
    """
    kind, nothing = m.joints[j].kind, (0.0, 0.0, 0.0)
    code = ROW_KINDS[kind, row]
    e = _axis(p, j, 1 if code == TURN_SECOND else 0, ROW_FIRST[kind, row])
    if code == ALONG:  # at p_second on both: momentum is kept where D is not 0
        return e, cross(e, plus(_lever(p, j, 0), vector_of(p.joints[j].apart))), cross(_lever(p, j, 1), e)
    if code == ACROSS:
        f = _axis(p, j, 1, ROW_SECOND[kind, row])
        return nothing, cross(e, f), cross(f, e)
    return nothing, times(-1.0, e), e


@unallocating
def jacobian(m: Mechanism, p: MechanismPose, out: Array) -> None:
    """Jacobian (j, 6, 2, 6) of the rows in use: by the velocities of the first and of the second body of each joint."""
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        a, b = joint.first, joint.second
        for n in range(joint.hard + joint.soft):
            row = joint.rows[n]
            force, on_first, on_second = row_of(m, p, j, row)
            on_first, on_second = to_body(p.bodies[a].turns, on_first), to_body(p.bodies[b].turns, on_second)
            into = out[j, row]
            for i in range(3):
                into[0, i], into[0, 3 + i] = -force[i], on_first[i]
                into[1, i], into[1, 3 + i] = force[i], on_second[i]


@unallocating
def row_rates(m: Mechanism, jacobian: Array, u: Array, out: Array) -> None:
    """G u (j, 6) of the rows in use, for velocities (b + 1, 6)."""
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        a, b = joint.first, joint.second
        for n in range(joint.hard + joint.soft):
            row, found = joint.rows[n], 0.0
            for i in range(6):
                found += jacobian[j, row, 0, i] * u[a, i] + jacobian[j, row, 1, i] * u[b, i]
            out[j, row] = found


@formula
def _rate_of(m: Mechanism, p: MechanismPose, u: Array, j: int, row: int) -> float:
    """Rate of a row for velocities (b + 1, 6)."""
    joint = m.joints[j]
    a, b = joint.first, joint.second
    force, on_first, on_second = row_of(m, p, j, row)
    found: float = dot(force, minus(_linear(u, b), _linear(u, a)))
    return found + dot(on_first, _turning(p, u, a)) + dot(on_second, _turning(p, u, b))


@formula
def _linear(u: Array, i: int) -> Vector:
    return (u[i, 0], u[i, 1], u[i, 2])


@formula
def _turning(p: MechanismPose, u: Array, i: int) -> Vector:
    """Angular velocity of body i in inertial axes."""
    return to_space(p.bodies[i].turns, (u[i, 3], u[i, 4], u[i, 5]))


@unallocating
def coordinate_rates(m: Mechanism, p: MechanismPose, u: Array, out: Array) -> None:
    """Rates (j, 3) of the coordinates for velocities (b + 1, 6); of a ball its relative angular velocity, see ROWS."""
    for j in range(m.joints.shape[0]):
        constraints = CONSTRAINTS[m.joints[j].kind]
        for c in range(6 - constraints):
            out[j, c] = _rate_of(m, p, u, j, constraints + c)


@unallocating
def gamma(m: Mechanism, t: float, p: MechanismPose, u: Array, out: Array) -> None:
    """Right side (j, 6) of index 1: G a = gamma for velocities (b + 1, 6), motors included."""
    for j in range(m.joints.shape[0]):
        gamma_of(m, t, p, u, j, out)


@formula
def gamma_of(m: Mechanism, t: float, p: MechanismPose, u: Array, j: int, out: Array) -> None:
    """Fill one joint's rows of ``gamma``."""
    joint = m.joints[j]
    kind, a, b = joint.kind, joint.first, joint.second
    wa, wb = _turning(p, u, a), _turning(p, u, b)
    la, lb, D = _lever(p, j, 0), _lever(p, j, 1), vector_of(p.joints[j].apart)
    speed_a, speed_b = cross(wa, la), cross(wb, lb)
    rate = minus(plus(_linear(u, b), speed_b), plus(_linear(u, a), speed_a))
    pull = minus(cross(wb, speed_b), cross(wa, speed_a))
    for n in range(joint.hard):
        row = joint.rows[n]
        code, i = ROW_KINDS[kind, row], ROW_FIRST[kind, row]
        wanted = row_target(m, t, j, row)[2]
        e = _axis(p, j, 0, i)
        turned = cross(wa, e)
        if code == ALONG:
            wanted -= dot(e, pull) + 2.0 * dot(turned, rate) + dot(cross(wa, turned), D)
        elif code == ACROSS:
            f = _axis(p, j, 1, ROW_SECOND[kind, row])
            other = cross(wb, f)
            wanted -= dot(cross(wa, turned), f) + 2.0 * dot(turned, other) + dot(e, cross(wb, other))
        elif code == TURN_FIRST:
            wanted -= dot(turned, wb)
        else:
            wanted += dot(cross(wb, _axis(p, j, 1, i)), wa)
        out[j, row] = wanted


# ---- what acts -------------------------------------------------------------------------------------------


@unallocating
def loads(m: Mechanism, p: MechanismPose, u: Array, damped: float, out: Array) -> None:
    """Forces, inertial, and torques, in principal axes, (b + 1, 6) [N], [N m]: gravity, restoring, springs, loads.

    damped : share of the dampers' loads, by the velocities (b + 1, 6); a motor's coordinate is loaded as any other.
    Gyroscopic torques are not in it.
    """
    for i in range(m.bodies.shape[0]):
        for k in range(3):
            out[i, k], out[i, 3 + k] = m.bodies[i].mass * m.gravity[k], 0.0
        if is_righted(m, i):
            e = to_body(p.bodies[i].turns, vector_of(m.up))
            out[i, 3], out[i, 4], out[i, 5] = cross(e, righting(m, i, e))
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        if not joint.acts:
            continue
        constraints = CONSTRAINTS[joint.kind]
        for c in range(6 - constraints):
            k, damping, load = joint.stiffness[c], damped * joint.damping[c], joint.load[c]
            if k == 0.0 and load == 0.0 and damping == 0.0:
                continue
            x = load - k * (p.joints[j].coordinates[c] - joint.rest[c])
            if damping != 0.0:
                x -= damping * _rate_of(m, p, u, j, constraints + c)
            force, on_first, on_second = row_of(m, p, j, constraints + c)
            _add(p, joint.first, -x, force, times(-1.0, on_first), out)
            _add(p, joint.second, x, force, on_second, out)
    for s in range(m.springs.shape[0]):
        one = m.springs[s]
        a, b = one.bodies[0], one.bodies[1]
        length, n, on_first, on_second = spring(m, p, s)
        x = one.stiffness * (one.rest - length)
        damping = damped * one.damping
        if damping != 0.0:
            x -= damping * (
                dot(n, minus(_linear(u, b), _linear(u, a)))
                + dot(on_first, _turning(p, u, a))
                + dot(on_second, _turning(p, u, b))
            )
        _add(p, a, -x, n, times(-1.0, on_first), out)
        _add(p, b, x, n, on_second, out)


@formula
def is_righted(m: Mechanism, i: int) -> bool:
    """True if gravity and buoyancy right body i."""
    K = m.bodies[i].restoring
    return bool(K[0] + K[1] + K[2] > 0.0)


@formula
def righting(m: Mechanism, i: int, u: Vector) -> Vector:
    """K u [N m] of body i, with u upwards in its axes: the torque there is u x K u, see physics.core.potential."""
    K = m.bodies[i].restoring
    return gradient((0.0, 0.0, 0.0, K[0], K[1], K[2], 0.0, 0.0, 0.0, K[3], K[4], K[5]), u)


@formula
def _add(p: MechanismPose, i: int, x: float, force: Vector, torque: Vector, out: Array) -> None:
    torque = to_body(p.bodies[i].turns, torque)
    for k in range(3):
        out[i, k] += x * force[k]
        out[i, 3 + k] += x * torque[k]


@formula
def spring(m: Mechanism, p: MechanismPose, s: int) -> tuple[float, Vector, Vector, Vector]:
    """Length [m] of a point spring, and its row as of ``row_of``; without a direction where the length is 0."""
    one = m.springs[s]
    a, b = one.bodies[0], one.bodies[1]
    la = to_space(p.bodies[a].turns, vector(one.points, 0))
    lb = to_space(p.bodies[b].turns, vector(one.points, 1))
    d = minus(plus(vector_of(p.bodies[b].r), lb), plus(vector_of(p.bodies[a].r), la))
    length = math.sqrt(dot(d, d))
    n = times(1.0 / length, d) if length > 0.0 else d
    return length, n, cross(n, la), cross(lb, n)


@formula
def gyroscopic(m: Mechanism, u: Array, i: int) -> Vector:
    """w x J w of body i in principal axes [N m]."""
    body = m.bodies[i]
    w = (u[i, 3], u[i, 4], u[i, 5])
    return cross(w, (body.inertia[0] * w[0], body.inertia[1] * w[1], body.inertia[2] * w[2]))


# ---- states ----------------------------------------------------------------------------------------------


@unallocating
def unpack(m: Mechanism, row: Array, p: MechanismPose, u: Array) -> None:
    """Pose and velocities (b + 1, 6) of a stored row or state; the pose is placed and counted."""
    b = m.bodies.shape[0]
    for i in range(b):
        at = BODY * i
        for k in range(3):
            p.bodies[i].r[k], u[i, k], u[i, 3 + k] = row[at + k], row[at + 7 + k], row[at + 10 + k]
        for k in range(4):
            p.bodies[i].q[k] = row[at + 3 + k]
    for j in range(m.joints.shape[0]):
        for c in range(3):
            p.joints[j].coordinates[c] = row[BODY * b + 3 * j + c]
    place(m, p)
    count(m, p)


@unallocating
def pack(m: Mechanism, p: MechanismPose, u: Array, row: Array) -> None:
    """Store pose, velocities and counted coordinates as a row, or as the first numbers of a state."""
    b = m.bodies.shape[0]
    for i in range(b):
        at = BODY * i
        for k in range(3):
            row[at + k], row[at + 7 + k], row[at + 10 + k] = p.bodies[i].r[k], u[i, k], u[i, 3 + k]
        for k in range(4):
            row[at + 3 + k] = p.bodies[i].q[k]
    for j in range(m.joints.shape[0]):
        for c in range(3):
            row[BODY * b + 3 * j + c] = p.joints[j].coordinates[c]


@unallocating
def count_along(
    m: Mechanism, times: Array, states: Array, p: MechanismPose, u: Array, coordinates: Array, rates: Array
) -> None:
    """Coordinates and their rates (n, j, 3) of stored rows at times (n,) [s], counted from one row to the next.

    u : (b + 1, 6) room for velocities
    coordinates : those before the first row come in its place. Between two rows a rate is taken to change evenly, and
        what a motor drives to turn as that says.
    """
    for i in range(len(times)):
        unpack(m, states[i], p, u)
        coordinate_rates(m, p, u, rates[i])
        before = max(i - 1, 0)
        half = 0.5 * (times[i] - times[before])
        for j in range(m.joints.shape[0]):
            for c in range(3):
                turned = half * (rates[before, j, c] + rates[i, j, c])
                if m.joints[j].motor[c] != NO_MOTOR:
                    turned = target(m, times[i], j, c)[0] - target(m, times[before], j, c)[0]
                p.joints[j].coordinates[c] = coordinates[before, j, c] + turned
        count(m, p)
        for j in range(m.joints.shape[0]):
            for c in range(3):
                coordinates[i, j, c] = p.joints[j].coordinates[c]
