"""Rows of joints at a pose: gaps, Jacobian, targets of motors, right side of index 1; loads, energy, coordinates.

All kernels here write into arrays that the caller gives, and allocate nothing. Arrays over bodies have a last row for
the ground, which the number GROUND = -1 finds: at rest at the origin in a ``Pose``, and ignored in a result.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, kernel, unallocating
from physics.core.rotation import Array, Vector, cross, dot
from physics.joints.mechanism import (
    ACROSS,
    ALONG,
    BALL,
    BODY,
    CONSTRAINTS,
    NO_MOTOR,
    PATH,
    RATE,
    ROWS,
    TURN_FIRST,
    UNIVERSAL,
    Mechanism,
)

_KINDS, _FIRST, _SECOND = (np.ascontiguousarray(ROWS[:, :, i]) for i in range(3))


class Pose(NamedTuple):
    """A pose of all bodies, and what follows from it by ``place``, the coordinates by ``count``.

    Attributes
    ----------
    r : (b + 1, 3) places of the centres of mass [m]; q : (b + 1, 4) attitudes of the principal axes
    turns : (b + 1, 3, 3) rotation matrices of q
    levers : (j, 2, 3) the arms in inertial axes; apart : (j, 3) p_second - p_first, inertial [m]
    axes : (j, 2, 3, 3) the triads' vectors in inertial axes
    coordinates : (j, 3) angles, counted from those that were here before, and travels
    """

    r: Array
    q: Array
    turns: Array
    levers: Array
    apart: Array
    axes: Array
    coordinates: Array


def new_pose(mechanism: Mechanism) -> Pose:
    """A pose to be filled, with the ground in place and all angles counted from 0."""
    b, j = len(mechanism.mass), len(mechanism.kind)
    q, turns = np.zeros((b + 1, 4)), np.zeros((b + 1, 3, 3))
    q[:, 0], turns[-1] = 1.0, np.eye(3)
    empty = np.zeros((j, 2, 3)), np.zeros((j, 3)), np.zeros((j, 2, 3, 3)), np.zeros((j, 3))
    return Pose(np.zeros((b + 1, 3)), q, turns, *empty)


# ---- vectors in arrays -----------------------------------------------------------------------------------


@formula
def vector(a: Array, i: int) -> Vector:
    """Row i of an array (n, 3)."""
    return (a[i, 0], a[i, 1], a[i, 2])


@formula
def put(a: Array, i: int, x: Vector) -> None:
    """Store a vector as row i of an array (n, 3)."""
    a[i, 0], a[i, 1], a[i, 2] = x


@formula
def to_space(turns: Array, i: int, x: Vector) -> Vector:
    """A vector in the principal axes of body i, in inertial axes."""
    R = turns
    return (
        R[i, 0, 0] * x[0] + R[i, 0, 1] * x[1] + R[i, 0, 2] * x[2],
        R[i, 1, 0] * x[0] + R[i, 1, 1] * x[1] + R[i, 1, 2] * x[2],
        R[i, 2, 0] * x[0] + R[i, 2, 1] * x[1] + R[i, 2, 2] * x[2],
    )


@formula
def to_body(turns: Array, i: int, x: Vector) -> Vector:
    """A vector in inertial axes, in the principal axes of body i."""
    R = turns
    return (
        R[i, 0, 0] * x[0] + R[i, 1, 0] * x[1] + R[i, 2, 0] * x[2],
        R[i, 0, 1] * x[0] + R[i, 1, 1] * x[1] + R[i, 2, 1] * x[2],
        R[i, 0, 2] * x[0] + R[i, 1, 2] * x[1] + R[i, 2, 2] * x[2],
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
def _axis(p: Pose, j: int, side: int, i: int) -> Vector:
    """Axis i of the triad of one of the bodies of joint j, inertial."""
    a = p.axes
    return (a[j, side, i, 0], a[j, side, i, 1], a[j, side, i, 2])


@formula
def _lever(p: Pose, j: int, side: int) -> Vector:
    return (p.levers[j, side, 0], p.levers[j, side, 1], p.levers[j, side, 2])


# ---- pose ------------------------------------------------------------------------------------------------


@unallocating
def place(m: Mechanism, p: Pose) -> None:
    """Fill a pose from its places and attitudes, but for the coordinates."""
    _place(m, p)


@formula
def _place(m: Mechanism, p: Pose) -> None:
    for i in range(m.mass.shape[0]):
        w, x, y, z = p.q[i, 0], p.q[i, 1], p.q[i, 2], p.q[i, 3]
        R = p.turns[i]
        R[0, 0], R[0, 1], R[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
        R[1, 0], R[1, 1], R[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
        R[2, 0], R[2, 1], R[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)
    for j in range(m.kind.shape[0]):
        for side in range(2):
            body = m.first[j] if side == 0 else m.second[j]
            put(p.levers[j], side, to_space(p.turns, body, vector(m.arms[j], side)))
            for i in range(3):
                put(p.axes[j, side], i, to_space(p.turns, body, vector(m.triads[j, side], i)))
        a, b = m.first[j], m.second[j]
        put(p.apart, j, minus(plus(vector(p.r, b), _lever(p, j, 1)), plus(vector(p.r, a), _lever(p, j, 0))))


@unallocating
def count(m: Mechanism, p: Pose) -> None:
    """Fill the coordinates of a pose that is placed."""
    for j in range(m.kind.shape[0]):
        _count(m, p, j)


@formula
def _count(m: Mechanism, p: Pose, j: int) -> None:
    """Coordinates of a joint: travels along the first triad; angles nearest to the ones before."""
    kind = m.kind[j]
    if kind == BALL:
        return
    constraints = CONSTRAINTS[kind]
    for c in range(6 - constraints):
        row = constraints + c
        if _KINDS[kind, row] == ALONG:
            p.coordinates[j, c] = dot(_axis(p, j, 0, _FIRST[kind, row]), vector(p.apart, j))
            continue
        if kind != UNIVERSAL:
            angle = math.atan2(dot(_axis(p, j, 0, 2), _axis(p, j, 1, 1)), dot(_axis(p, j, 0, 1), _axis(p, j, 1, 1)))
        elif c == 0:
            angle = math.atan2(dot(_axis(p, j, 0, 2), _axis(p, j, 1, 0)), dot(_axis(p, j, 0, 1), _axis(p, j, 1, 0)))
        else:
            angle = math.atan2(-dot(_axis(p, j, 0, 0), _axis(p, j, 1, 2)), dot(_axis(p, j, 0, 0), _axis(p, j, 1, 1)))
        turn = 2.0 * math.pi
        p.coordinates[j, c] = angle + turn * np.rint((p.coordinates[j, c] - angle) / turn)


# ---- motors ----------------------------------------------------------------------------------------------


@formula
def target(m: Mechanism, t: float, j: int, c: int) -> Vector:
    """Value, rate and acceleration of a motor's coordinate at a time [s]; 0 without a motor."""
    kind, x = m.motor[j, c], m.motors[j, c]
    if kind == NO_MOTOR:
        return (0.0, 0.0, 0.0)
    if kind == RATE:
        return (x[1] + x[0] * t, x[0], 0.0)
    if kind != PATH:
        w = 2.0 * math.pi * x[2]
        sine, cosine = math.sin(w * t + x[3]), math.cos(w * t + x[3])
        return (x[0] + x[1] * sine, x[1] * w * cosine, -x[1] * w * w * sine)
    i, last = int(x[0]), int(x[0]) + int(x[1]) - 1
    if t <= m.path[i, 0]:
        return (m.path[i, 1], 0.0, 0.0)
    while i < last and t > m.path[i + 1, 0]:
        i += 1
    if i == last:
        return (m.path[i, 1], 0.0, 0.0)
    span, d = m.path[i + 1, 0] - m.path[i, 0], m.path[i + 1, 1] - m.path[i, 1]
    s = (t - m.path[i, 0]) / span
    return (
        m.path[i, 1] + d * s * s * s * (10.0 - s * (15.0 - 6.0 * s)),
        d / span * 30.0 * s * s * (1.0 - s) * (1.0 - s),
        d / (span * span) * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s),
    )


@formula
def _row_target(m: Mechanism, t: float, j: int, row: int) -> Vector:
    """As ``target``, by row; constraints have 0."""
    c = row - CONSTRAINTS[m.kind[j]]
    return target(m, t, j, c) if c >= 0 else (0.0, 0.0, 0.0)


@unallocating
def gaps(m: Mechanism, t: float, p: Pose, out: Array) -> None:
    """Gaps (j, 6) of the hard rows at a time [s], [m] or radians: what constraints and motors are off.

    The pose is placed; coordinates of joints with motors are counted here.
    """
    _gaps(m, t, p, out)


@formula
def _gaps(m: Mechanism, t: float, p: Pose, out: Array) -> None:
    for j in range(m.kind.shape[0]):
        kind = m.kind[j]
        for n in range(m.hard[j]):
            row = m.rows[j, n]
            code, i, k, c = _KINDS[kind, row], _FIRST[kind, row], _SECOND[kind, row], row - CONSTRAINTS[kind]
            if c >= 0:
                _count(m, p, j)
                out[j, row] = p.coordinates[j, c] - target(m, t, j, c)[0]
            elif code == ALONG:
                out[j, row] = dot(_axis(p, j, 0, i), vector(p.apart, j))
            else:
                out[j, row] = dot(_axis(p, j, 0, i), _axis(p, j, 1, k))


@unallocating
def misfit(m: Mechanism, t: float, p: Pose, out: Array) -> float:
    """Place a pose, and find its gaps (j, 6): the largest one beside the size of the mechanism, infinite for none.

    The size, beside which gaps are rounded, is the largest coordinate of a place or of an arm [m], or 1.
    """
    _place(m, p)
    _gaps(m, t, p, out)
    size, gap = 1.0, 0.0
    for i in range(m.mass.shape[0]):
        for k in range(3):
            size = max(size, abs(p.r[i, k]))
    for j in range(m.kind.shape[0]):
        for side in range(2):
            for k in range(3):
                size = max(size, abs(p.levers[j, side, k]))
        for n in range(m.hard[j]):
            one = abs(out[j, m.rows[j, n]])
            if not one < np.inf:
                return np.inf
            gap = max(gap, one)
    return gap / size


@unallocating
def speeds(m: Mechanism, t: float, out: Array) -> None:
    """Rates (j, 6) that the hard rows have to have at a time [s]: G u = speeds."""
    for j in range(m.kind.shape[0]):
        for n in range(m.hard[j]):
            row = m.rows[j, n]
            out[j, row] = _row_target(m, t, j, row)[1]


# ---- Jacobian --------------------------------------------------------------------------------------------


@formula
def row_of(m: Mechanism, p: Pose, j: int, row: int) -> tuple[Vector, Vector, Vector]:
    """Loads of a row on both bodies by a multiplier 1, in inertial axes.

    Returns the force on the second body, the opposite of that on the first, and the torques about the centres of mass
    on the first and on the second body.
    """
    kind = m.kind[j]
    code, i = _KINDS[kind, row], _FIRST[kind, row]
    if code == ALONG:  # at p_second on both: momentum is kept where D is not 0
        e = _axis(p, j, 0, i)
        return e, cross(e, plus(_lever(p, j, 0), vector(p.apart, j))), cross(_lever(p, j, 1), e)
    nothing = (0.0, 0.0, 0.0)
    if code == ACROSS:
        couple = cross(_axis(p, j, 0, i), _axis(p, j, 1, _SECOND[kind, row]))
        return nothing, couple, times(-1.0, couple)
    e = _axis(p, j, 0, i) if code == TURN_FIRST else _axis(p, j, 1, i)
    return nothing, times(-1.0, e), e


@unallocating
def jacobian(m: Mechanism, p: Pose, out: Array) -> None:
    """Jacobian (j, 6, 2, 6) of the rows in use: by the velocities of the first and of the second body of each joint."""
    for j in range(m.kind.shape[0]):
        a, b = m.first[j], m.second[j]
        for n in range(m.hard[j] + m.soft[j]):
            row = m.rows[j, n]
            force, on_first, on_second = row_of(m, p, j, row)
            on_first, on_second = to_body(p.turns, a, on_first), to_body(p.turns, b, on_second)
            into = out[j, row]
            for i in range(3):
                into[0, i], into[0, 3 + i] = -force[i], on_first[i]
                into[1, i], into[1, 3 + i] = force[i], on_second[i]


@unallocating
def row_rates(m: Mechanism, jacobian: Array, u: Array, out: Array) -> None:
    """G u (j, 6) of the rows in use, for velocities (b + 1, 6)."""
    for j in range(m.kind.shape[0]):
        a, b = m.first[j], m.second[j]
        for n in range(m.hard[j] + m.soft[j]):
            row, found = m.rows[j, n], 0.0
            for i in range(6):
                found += jacobian[j, row, 0, i] * u[a, i] + jacobian[j, row, 1, i] * u[b, i]
            out[j, row] = found


@unallocating
def add_forces(m: Mechanism, jacobian: Array, multipliers: Array, scale: float, out: Array) -> None:
    """Add scale G^T multipliers to loads (b + 1, 6); multipliers (j, 6)."""
    for j in range(m.kind.shape[0]):
        a, b = m.first[j], m.second[j]
        for n in range(m.hard[j] + m.soft[j]):
            row = m.rows[j, n]
            x = scale * multipliers[j, row]
            for i in range(6):
                out[a, i] += x * jacobian[j, row, 0, i]
                out[b, i] += x * jacobian[j, row, 1, i]


@formula
def _rate_of(m: Mechanism, p: Pose, u: Array, j: int, row: int) -> float:
    """Rate of a row for velocities (b + 1, 6)."""
    a, b = m.first[j], m.second[j]
    force, on_first, on_second = row_of(m, p, j, row)
    found: float = dot(force, minus(_linear(u, b), _linear(u, a)))
    return found + dot(on_first, _turning(p, u, a)) + dot(on_second, _turning(p, u, b))


@formula
def _linear(u: Array, i: int) -> Vector:
    return (u[i, 0], u[i, 1], u[i, 2])


@formula
def _turning(p: Pose, u: Array, i: int) -> Vector:
    """Angular velocity of body i in inertial axes."""
    return to_space(p.turns, i, (u[i, 3], u[i, 4], u[i, 5]))


@unallocating
def coordinate_rates(m: Mechanism, p: Pose, u: Array, out: Array) -> None:
    """Rates (j, 3) of the coordinates for velocities (b + 1, 6); of a ball its relative angular velocity, see ROWS."""
    for j in range(m.kind.shape[0]):
        constraints = CONSTRAINTS[m.kind[j]]
        for c in range(6 - constraints):
            out[j, c] = _rate_of(m, p, u, j, constraints + c)


@unallocating
def gamma(m: Mechanism, t: float, p: Pose, u: Array, out: Array) -> None:
    """Right side (j, 6) of index 1: G a = gamma for velocities (b + 1, 6), motors included."""
    for j in range(m.kind.shape[0]):
        kind, a, b = m.kind[j], m.first[j], m.second[j]
        wa, wb = _turning(p, u, a), _turning(p, u, b)
        la, lb, D = _lever(p, j, 0), _lever(p, j, 1), vector(p.apart, j)
        speed_a, speed_b = cross(wa, la), cross(wb, lb)
        rate = minus(plus(_linear(u, b), speed_b), plus(_linear(u, a), speed_a))
        pull = minus(cross(wb, speed_b), cross(wa, speed_a))
        for n in range(m.hard[j]):
            row = m.rows[j, n]
            code, i = _KINDS[kind, row], _FIRST[kind, row]
            wanted = _row_target(m, t, j, row)[2]
            e = _axis(p, j, 0, i)
            turned = cross(wa, e)
            if code == ALONG:
                wanted -= dot(e, pull) + 2.0 * dot(turned, rate) + dot(cross(wa, turned), D)
            elif code == ACROSS:
                f = _axis(p, j, 1, _SECOND[kind, row])
                other = cross(wb, f)
                wanted -= dot(cross(wa, turned), f) + 2.0 * dot(turned, other) + dot(e, cross(wb, other))
            elif code == TURN_FIRST:
                wanted -= dot(turned, wb)
            else:
                wanted += dot(cross(wb, _axis(p, j, 1, i)), wa)
            out[j, row] = wanted


# ---- what acts -------------------------------------------------------------------------------------------


@unallocating
def loads(m: Mechanism, p: Pose, u: Array, damped: bool, out: Array) -> None:
    """Forces, inertial, and torques, in principal axes, (b + 1, 6) [N], [N m]: gravity, springs, constant loads.

    damped : with all dampers, by the velocities (b + 1, 6); a motor's coordinate is loaded as any other. Gyroscopic
    torques are not in it.
    """
    for i in range(m.mass.shape[0]):
        for k in range(3):
            out[i, k], out[i, 3 + k] = m.mass[i] * m.gravity[k], 0.0
    for j in range(m.kind.shape[0]):
        constraints = CONSTRAINTS[m.kind[j]]
        for c in range(6 - constraints):
            k, damping, load = m.stiffness[j, c], m.damping[j, c], m.load[j, c]
            if k == 0.0 and load == 0.0 and not (damped and damping != 0.0):
                continue
            x = load - k * (p.coordinates[j, c] - m.rest[j, c])
            if damped and damping != 0.0:
                x -= damping * _rate_of(m, p, u, j, constraints + c)
            force, on_first, on_second = row_of(m, p, j, constraints + c)
            _add(p, m.first[j], -x, force, times(-1.0, on_first), out)
            _add(p, m.second[j], x, force, on_second, out)
    for s in range(m.springs.shape[0]):
        a, b = m.spring_bodies[s, 0], m.spring_bodies[s, 1]
        length, n, on_first, on_second = spring(m, p, s)
        x = m.springs[s, 0] * (m.springs[s, 2] - length)
        if damped and m.springs[s, 1] != 0.0:
            x -= m.springs[s, 1] * (
                dot(n, minus(_linear(u, b), _linear(u, a)))
                + dot(on_first, _turning(p, u, a))
                + dot(on_second, _turning(p, u, b))
            )
        _add(p, a, -x, n, times(-1.0, on_first), out)
        _add(p, b, x, n, on_second, out)


@formula
def _add(p: Pose, i: int, x: float, force: Vector, torque: Vector, out: Array) -> None:
    torque = to_body(p.turns, i, torque)
    for k in range(3):
        out[i, k] += x * force[k]
        out[i, 3 + k] += x * torque[k]


@formula
def spring(m: Mechanism, p: Pose, s: int) -> tuple[float, Vector, Vector, Vector]:
    """Length [m] of a point spring, and its row as of ``row_of``; without a direction where the length is 0."""
    a, b = m.spring_bodies[s, 0], m.spring_bodies[s, 1]
    la = to_space(p.turns, a, vector(m.spring_points[s], 0))
    lb = to_space(p.turns, b, vector(m.spring_points[s], 1))
    d = minus(plus(vector(p.r, b), lb), plus(vector(p.r, a), la))
    length = math.sqrt(dot(d, d))
    n = times(1.0 / length, d) if length > 0.0 else d
    return length, n, cross(n, la), cross(lb, n)


@unallocating
def potential(m: Mechanism, p: Pose) -> float:
    """Potential energy [J]: of weight from z = 0, of springs, and minus constant loads times their coordinates."""
    found = 0.0
    for i in range(m.mass.shape[0]):
        found -= m.mass[i] * dot((m.gravity[0], m.gravity[1], m.gravity[2]), vector(p.r, i))
    for j in range(m.kind.shape[0]):
        for c in range(6 - CONSTRAINTS[m.kind[j]]):
            x = p.coordinates[j, c] - m.rest[j, c]
            found += 0.5 * m.stiffness[j, c] * x * x - m.load[j, c] * p.coordinates[j, c]
    for s in range(m.springs.shape[0]):
        x = spring(m, p, s)[0] - m.springs[s, 2]
        found += 0.5 * m.springs[s, 0] * x * x
    return found


@formula
def gyroscopic(m: Mechanism, u: Array, i: int) -> Vector:
    """w x J w of body i in principal axes [N m]."""
    w = (u[i, 3], u[i, 4], u[i, 5])
    return cross(w, (m.inertia[i, 0] * w[0], m.inertia[i, 1] * w[1], m.inertia[i, 2] * w[2]))


# ---- states ----------------------------------------------------------------------------------------------


@unallocating
def unpack(m: Mechanism, row: Array, p: Pose, u: Array) -> None:
    """Pose and velocities (b + 1, 6) of a stored row or state; the pose is placed and counted."""
    b = m.mass.shape[0]
    for i in range(b):
        at = BODY * i
        for k in range(3):
            p.r[i, k], u[i, k], u[i, 3 + k] = row[at + k], row[at + 7 + k], row[at + 10 + k]
        for k in range(4):
            p.q[i, k] = row[at + 3 + k]
    for j in range(m.kind.shape[0]):
        for c in range(3):
            p.coordinates[j, c] = row[BODY * b + 3 * j + c]
    place(m, p)
    count(m, p)


@unallocating
def pack(m: Mechanism, p: Pose, u: Array, row: Array) -> None:
    """Store pose, velocities and counted coordinates as a row, or as the first numbers of a state."""
    b = m.mass.shape[0]
    for i in range(b):
        at = BODY * i
        for k in range(3):
            row[at + k], row[at + 7 + k], row[at + 10 + k] = p.r[i, k], u[i, k], u[i, 3 + k]
        for k in range(4):
            row[at + 3 + k] = p.q[i, k]
    for j in range(m.kind.shape[0]):
        for c in range(3):
            row[BODY * b + 3 * j + c] = p.coordinates[j, c]


@kernel
def count_along(m: Mechanism, times: Array, states: Array, p: Pose, coordinates: Array, rates: Array) -> None:
    """Coordinates and their rates (n, j, 3) of stored rows at times (n,) [s], counted from one row to the next.

    coordinates : those before the first row come in its place. Between two rows a rate is taken to change evenly.
    """
    u = np.zeros((len(p.r), 6))
    for i in range(len(times)):
        unpack(m, states[i], p, u)
        coordinate_rates(m, p, u, rates[i])
        if i == 0:
            p.coordinates[:] = coordinates[0]
        else:
            half = 0.5 * (times[i] - times[i - 1])
            p.coordinates[:] = coordinates[i - 1] + half * (rates[i - 1] + rates[i])
        count(m, p)
        coordinates[i] = p.coordinates
