"""The energy-momentum scheme of mechanisms: Cayley's map for each step, joints' forces at the mean of both poses.

With w and v the means of the velocities at both ends, a step is

    q' = q o (1, h w / 2) / |.|,   r' = r + h v,
    m (v' - v) = h F,   R' J w' - R J w = h N,   gaps(q', r') = 0,

R' - R = hat(h W) (R + R') / 2 with the inertial W = R w. All rows of constraints are at most bilinear in places and in
what turns with the bodies; so forces with the means of both, which are no rotations, do no work, and act and react at
one point. Gonzalez (1996), in the directors of Betsch & Steinmann (2002), whose rates Cayley's map replaces. Springs
and constant loads on coordinates take the quotient of their energies, those of the two angles of a universal joint
together, dampers the mean rate. Where a motor drives one of the two, the other's spring has its mean load: it gives
energy back up to h² alone, also where the motor stands still. What rights a body, e x R K R^T e with e upwards, has the
mean of both R too, and does the work by which u.Ku/2 falls, u = R^T e.

``quat-em`` of Betsch & Siebert (2009), (51), has q' = q o (1 - |c|², 2 c) / |.|, c = h w / 4, and is else the same.
There R' - R = hat(h W) (R + R') / 2 / (1 - |c|²), and the midpoint derivatives of the rows give the torques of the
means times 1 / (1 - |c|²): they do no work. The forces have no such factor, so that the momentum of what floats is
kept up to h² in place of rounding.

``dir-em`` of the same paper has nine velocities V_I of the directors R e_I, and R' e_I - R e_I = h (V_I + V_I') / 2.
The null space of what keeps the directors orthonormal, sum (R + R') e_I / 2 x (...), leaves the same forces of joints,
the same h W that turns R into R', and the same work W.N; only the angular momentum is not R J w:

    L' - L = h N,   L = sum E_I R e_I x V_I,   V_I' = 2 W x (R + R') e_I / 2 - V_I.

Three numbers of the V_I are w = J^-1 R^T L, the others a memory, s_I = R^T V_I - w x e_I. The kept kinetic energy is
w.J w/2 + sum E_I |s_I|²/2: a scheme without the memory would lose the last part in each step.

On one free body the angular velocities by Cayley's map are those of ``implicit``, and the motions by quaternions and
by directors those of ``quat-em`` and ``dir-em``. Places and attitudes lie on the joints at the end of each step,
velocities up to h². Newton's method starts from the change of the last two steps.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, unallocating
from physics.core.records import Records, records
from physics.core.rotation import Array, Field, Quaternion, Vector, cross, dot, normalised, product
from physics.joints.mechanism import (
    BALL,
    BEGIN,
    CONSTRAINTS,
    MEMORY,
    NO_MOTOR,
    STEPS,
    UNIVERSAL,
    Mechanism,
    motion_of,
    row_size,
)
from physics.joints.motion import enter, loop_result
from physics.joints.rows import (
    MechanismPose,
    count,
    new_pose,
    numbers_of,
    pack,
    place,
    put,
    put_quaternion,
    times,
    to_body,
    to_space,
    vector_of,
)
from physics.joints.tangent import (
    ITERATIONS,
    Border,
    Tangent,
    add_righting,
    add_skew,
    choose,
    ends_of,
    fill,
    fill_rows,
    is_exact,
    is_found,
    loaded,
    new_tangent,
    solve_tangent,
)
from physics.schemes.dir_em import Velocities, advance, angular_velocity
from physics.schemes.engine_rules import half_turned
from physics.schemes.implicit import midpoint_velocity

CAYLEY, QUATERNIONS, DIRECTORS = range(3)  # rules of a step


class CayleyRoom(NamedTuple):
    """Room for a step.

    start, mean, end : poses
    bodies : (b + 1,) records

        before : (3,) angular momentum at the start, v : (6,) velocities at the end; turn : (3,) h W, all inertial
        change, sooner : (6,) of the velocities in the last step and the one before

    multipliers, earlier : (j, 6) of this step and the one before
    """

    start: MechanismPose
    mean: MechanismPose
    end: MechanismPose
    bodies: Records
    multipliers: Array
    earlier: Array


_BODY = [
    *((name, float, 3) for name in ("before", "turn")),
    *((name, float, 6) for name in ("v", "change", "sooner")),
]


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of a free body on which nothing acts."""
    middle, residual = midpoint_velocity(J, h, w)
    w = (2.0 * middle[0] - w[0], 2.0 * middle[1] - w[1], 2.0 * middle[2] - w[2])
    return half_turned(h, q, middle), w, residual


@formula
def _momentum(m: Mechanism, p: MechanismPose, i: int, w: Vector) -> Vector:
    """Angular momentum of body i about its centre of mass, inertial."""
    body = m.bodies[i]
    return to_space(p.bodies[i].turns, (body.inertia[0] * w[0], body.inertia[1] * w[1], body.inertia[2] * w[2]))


@formula
def _bend(w: Vector, rule: int) -> float:
    """Scalar part of the step's quaternion beside its vector part w."""
    return 1.0 - 0.25 * dot(w, w) if rule == QUATERNIONS else 1.0


@formula
def _slope(x: Vector, d: Vector, half: float, rule: int) -> Vector:
    """D d, the change of the turn x with the attitude by d; with half = -1/2, D^T d."""
    scalar, along = _bend(times(0.5, x), rule), (0.125 if rule == QUATERNIONS else 0.25) * dot(x, d)
    c = cross(x, d)
    return (
        scalar * d[0] + half * c[0] + along * x[0],
        scalar * d[1] + half * c[1] + along * x[1],
        scalar * d[2] + half * c[2] + along * x[2],
    )


@formula
def _directors(h: float, u: Array, y: CayleyRoom, spare: Array, i: int) -> Velocities:
    """Director velocities of body i at the end, in the axes there; half the sum of u and v is R^T W."""
    x, v, d = u[i], y.bodies[i].v, spare[i]
    before = (
        (d[0, 0], d[0, 1] + x[5], d[0, 2] - x[4]),
        (d[1, 0] - x[5], d[1, 1], d[1, 2] + x[3]),
        (d[2, 0] + x[4], d[2, 1] - x[3], d[2, 2]),
    )
    mean = (0.5 * (x[3] + v[3]), 0.5 * (x[4] + v[4]), 0.5 * (x[5] + v[5]))
    return advance((1.0, 0.0, 0.0, 0.0), before, 0.5 * h, mean)[1]


@formula
def _place_end(m: Mechanism, h: float, rule: int, u: Array, y: CayleyRoom, T: Tangent) -> None:
    """The end's pose, the mean of both, and the scale of the torques, from the velocities at the end."""
    s = 0.5 * h
    for i in range(m.bodies.shape[0]):
        start, end, one = y.start.bodies[i], y.end.bodies[i], y.bodies[i]
        v = one.v
        w = (0.5 * s * (u[i, 3] + v[3]), 0.5 * s * (u[i, 4] + v[4]), 0.5 * s * (u[i, 5] + v[5]))
        scalar = _bend(w, rule)
        put_quaternion(y.end, i, normalised(product(numbers_of(start.q), (scalar, w[0], w[1], w[2]))))
        T.bodies[i].scale, turn = 1.0 / scalar, to_space(start.turns, w)
        for k in range(3):
            one.turn[k] = 2.0 * turn[k]
            end.r[k] = start.r[k] + s * (u[i, k] + v[k])
    place(m, y.end)
    for j in range(m.joints.shape[0]):
        for k in range(3):
            y.end.joints[j].coordinates[k] = y.start.joints[j].coordinates[k]
    for k in range(len(y.mean.numbers)):
        y.mean.numbers[k] = 0.5 * (y.start.numbers[k] + y.end.numbers[k])


@formula
def _shift(h: float, u: Array, y: CayleyRoom, i: int) -> Vector:
    """Way of a centre of mass in the step."""
    v = y.bodies[i].v
    return (0.5 * h * (u[i, 0] + v[0]), 0.5 * h * (u[i, 1] + v[1]), 0.5 * h * (u[i, 2] + v[2]))


@formula
def _load(m: Mechanism, h: float, u: Array, y: CayleyRoom, T: Tangent, border: Border | None) -> None:
    """Loads of the coordinates and springs, and how they change with the coordinate and length at the end."""
    counted = False
    for j in range(m.joints.shape[0]):
        joint, of_joint = m.joints[j], T.joints[j]
        constraints, both, driven, lost, size = CONSTRAINTS[joint.kind], joint.kind == UNIVERSAL, False, 0.0, 0.0
        for c in range(6 - constraints):
            driven = driven or joint.motor[c] != NO_MOTOR
            if joint.motor[c] == NO_MOTOR and not loaded(m, j, c):
                continue
            if joint.kind != BALL and not counted:
                count(m, y.end)
                counted = True
            a, b = joint.first, joint.second
            row, way = of_joint.acting[constraints + c], 0.0
            ra, rb, ta, tb = _shift(h, u, y, a), _shift(h, u, y, b), y.bodies[a].turn, y.bodies[b].turn
            for i in range(3):
                way += row[6 + i] * (rb[i] - ra[i]) + row[3 + i] * ta[i] + row[9 + i] * tb[i]
            load, k, damping = joint.load[c], joint.stiffness[c], joint.damping[c]
            if joint.kind != BALL:
                x0, x1 = y.start.joints[j].coordinates[c], y.end.joints[j].coordinates[c]
                load -= k * (0.5 * (x0 + x1) - joint.rest[c])
                lost, size = load * (x1 - x0 - way) + both * lost, way * way + both * size
            # the work that the load lacks is made up along the way, of two angles along both: one may turn back, and
            # its way then vanishes at another moment than its change; below 1e-7 the quotient would be rounding
            share = lost / size if size > 1e-14 and not both else 0.0
            of_joint.loads[c] = load + share * way - damping / h * way
            of_joint.slopes[c] = -0.5 * k - damping / h
            of_joint.ways[c] = way
        if both and size > 1e-14 and not driven:
            for c in range(2):
                of_joint.loads[c] += lost / size * of_joint.ways[c]
    if border is None:
        return
    for i in range(m.springs.shape[0]):
        one, spring = m.springs[i], border.springs[i]
        k, damping, rest = one.stiffness, one.damping, one.rest
        d0, d1 = ends_of(m, y.start, i)[2], ends_of(m, y.end, i)[2]
        l0, l1 = math.sqrt(dot(d0, d0)), math.sqrt(dot(d1, d1))
        mean = times(0.5, (d0[0] + d1[0], d0[1] + d1[1], d0[2] + d1[2]))
        size = dot(mean, mean)
        rate = 0.5 * (l1 - l0) * (l1 + l0) / (h * size)
        spring.load = -k * (l1 + l0 - 2.0 * rest) / (l1 + l0) - damping * rate
        # by the length at the end, whose direction is d1 / l1
        spring.slope = -(2.0 * k * rest / ((l1 + l0) * (l1 + l0)) + damping * l1 / (h * size)) / l1


@formula
def _linearise(m: Mechanism, h: float, rule: int, u: Array, y: CayleyRoom, spare: Array | None, T: Tangent) -> None:
    """Blocks and right sides of the bodies at an iterate; those of the joints come from physics.joints.tangent."""
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        N, at, x, R = T.blocks[i], body.offset, vector_of(y.bodies[i].turn), y.end.bodies[i].turns
        w, J = (y.bodies[i].v[3], y.bodies[i].v[4], y.bodies[i].v[5]), vector_of(body.inertia)
        if spare is not None:
            d = _directors(h, u, y, spare, i)
            w = angular_velocity(J, d)
            E = 0.5 * (J[0] + J[1] + J[2])
            d = (
                times(0.5 * h * (E - J[0]), d[0]),
                times(0.5 * h * (E - J[1]), d[1]),
                times(0.5 * h * (E - J[2]), d[2]),
            )
            trace = d[0][0] + d[1][1] + d[2][2]
            for k in range(3):  # row k of R (J + h/2 (E V^T - tr E V)) R^T, V^T with the velocities as rows
                row = (
                    R[k, 0] * (J[0] - trace) + R[k, 0] * d[0][0] + R[k, 1] * d[1][0] + R[k, 2] * d[2][0],
                    R[k, 1] * (J[1] - trace) + R[k, 0] * d[0][1] + R[k, 1] * d[1][1] + R[k, 2] * d[2][1],
                    R[k, 2] * (J[2] - trace) + R[k, 0] * d[0][2] + R[k, 1] * d[1][2] + R[k, 2] * d[2][2],
                )
                row = to_space(R, row)
                for c in range(3):
                    N[at + 3 + k, at + 3 + c] += row[c]
        after = _momentum(m, y.end, i, w)
        for k in range(3):
            N[at + k, k] = body.mass
            T.bodies[i].right[k] = 0.5 * h * body.mass * (h * m.gravity[k] - y.bodies[i].v[k] + u[i, k])
            T.bodies[i].right[3 + k] = 0.5 * h * (y.bodies[i].before[k] - after[k])
        if spare is not None:
            continue
        for k in range(3):  # row k of R J R^T D
            row = _slope(x, to_space(R, (R[k, 0] * J[0], R[k, 1] * J[1], R[k, 2] * J[2])), -0.5, rule)
            for c in range(3):
                N[at + 3 + k, at + 3 + c] += row[c]
        add_skew(N, at + 3, at + 3, -0.5 * h, after)


@formula
def _correct(m: Mechanism, h: float, rule: int, y: CayleyRoom, T: Tangent) -> float:
    """Correct the velocities at the end and the multipliers: the squared correction of places and attitudes."""
    size = 0.0
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        d = (T.bodies[i].shift[3], T.bodies[i].shift[4], T.bodies[i].shift[5])
        w = to_body(y.end.bodies[i].turns, _slope(vector_of(y.bodies[i].turn), d, 0.5, rule))
        for k in range(3):
            y.bodies[i].v[k] += 2.0 / h * T.bodies[i].shift[k]
            y.bodies[i].v[3 + k] += 2.0 / h * w[k]
            size += body.mass * T.bodies[i].shift[k] * T.bodies[i].shift[k] + body.inertia[k] * w[k] * w[k]
    s = 2.0 / (h * h)
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for n in range(joint.hard):
            y.multipliers[j, joint.rows[n]] += s * T.joints[j].change[joint.rows[n]]
    return size


@formula
def _begin(m: Mechanism, u: Array, y: CayleyRoom) -> float:
    """Momenta at the start, and guesses for the end: the squared size of all bodies and their distances."""
    large = 0.0
    for i in range(m.bodies.shape[0]):
        body, one = m.bodies[i], y.bodies[i]
        momentum = _momentum(m, y.start, i, (u[i, 3], u[i, 4], u[i, 5]))
        for k in range(3):
            one.before[k] = momentum[k]
            r = y.start.bodies[i].r[k]
            large += body.mass * (1e-3 + r * r) + body.inertia[k]
        for k in range(6):
            one.v[k] = u[i, k] + 2.0 * one.change[k] - one.sooner[k]
    for j in range(m.joints.shape[0]):
        for k in range(6):
            x = y.multipliers[j, k]
            y.multipliers[j, k], y.earlier[j, k] = 2.0 * x - y.earlier[j, k] if x != 0.0 else 0.0, x
    return large


@formula
def _finish(m: Mechanism, h: float, u: Array, y: CayleyRoom, spare: Array | None) -> None:
    """Make the end the start of the next step."""
    count(m, y.end)
    for k in range(len(y.end.numbers)):
        y.start.numbers[k] = y.end.numbers[k]
    for i in range(m.bodies.shape[0]):
        one = y.bodies[i]
        if spare is not None:
            d = _directors(h, u, y, spare, i)
            w = angular_velocity(vector_of(m.bodies[i].inertia), d)
            put(spare[i], 0, (d[0][0], d[0][1] - w[2], d[0][2] + w[1]))
            put(spare[i], 1, (d[1][0] + w[2], d[1][1], d[1][2] - w[0]))
            put(spare[i], 2, (d[2][0] - w[1], d[2][1] + w[0], d[2][2]))
            one.v[3], one.v[4], one.v[5] = w
        for k in range(6):
            one.sooner[k], one.change[k], u[i, k] = one.change[k], one.v[k] - u[i, k], one.v[k]


@unallocating
def _loop(
    m: Mechanism,
    h: float,
    rule: int,
    every: int,
    begin: float,
    steps: float,
    exact: bool,
    u: Array,
    y: CayleyRoom,
    spare: Array | None,
    T: Tangent,
    border: Border | None,
    out: Array,
) -> int:
    for row in range(out.shape[0]):
        for _ in range(every):
            steps += 1.0
            if border is not None and not choose(m, y.start, y.multipliers, border):
                return row
            large, before, found = _begin(m, u, y), 0.0, False
            for n in range(ITERATIONS):
                _place_end(m, h, rule, u, y, T)
                if found:
                    break
                if n == ITERATIONS - 1:
                    return row
                fill_rows(m, y.mean, y.end, T)
                _load(m, h, u, y, T, border)
                _linearise(m, h, rule, u, y, spare, T)
                add_righting(m, y.mean, y.end, 0.5, 0.5 * h * h, T)
                fill(m, begin + h * steps, y.mean, y.end, 0.5, 0.5 * h * h, y.multipliers, T, border)
                solve_tangent(m, T, border)
                size = _correct(m, h, rule, y, T)
                if not size < math.inf:
                    return row
                found = is_found(size, before, large, exact)
                before = size
            _finish(m, h, u, y, spare)
        pack(m, y.start, u, out[row])
    return len(out)


def kinetic_energy(mechanism: Mechanism, state: Array) -> float:
    """Kinetic energy [J] of the directors of a state of ``march_directors``."""
    b, j, J = len(mechanism.bodies), len(mechanism.joints), mechanism.bodies.inertia
    motion, spare = motion_of(mechanism, state[None]), state[row_size(mechanism) + MEMORY + 12 * (b + j) :][: 9 * b]
    found = (mechanism.bodies.mass[:, None] * motion.v[0] ** 2 + J * motion.w[0] ** 2).sum()
    moments = 0.5 * J.sum(axis=1, keepdims=True) - J
    return float(0.5 * (found + (moments[:, :, None] * spare.reshape(b, 3, 3) ** 2).sum()))


def _march(rule: int, mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop with a rule, see physics.schemes.joint_march."""
    room, at, b, j = enter(mechanism, state), row_size(mechanism), len(mechanism.bodies), len(mechanism.joints)
    memory = state[at + MEMORY :][: 21 * b + 12 * j]
    bodies, joints, spare = np.split(memory, (12 * b, 12 * (b + j)))
    bodies, joints, spare = bodies.reshape(2, b, 6), joints.reshape(2, j, 6), spare.reshape(b, 3, 3)
    y = CayleyRoom(
        start=room.p,
        mean=new_pose(mechanism),
        end=new_pose(mechanism),
        bodies=records(b + 1, _BODY),
        multipliers=joints[0].copy(),
        earlier=joints[1].copy(),
    )
    y.bodies.change[:b], y.bodies.sooner[:b] = bodies
    y.mean.numbers[:] = room.p.numbers
    begin, steps, exact = state[at + BEGIN], state[at + STEPS], is_exact(mechanism) and rule != QUATERNIONS
    after, tangent = spare.copy() if rule == DIRECTORS else None, new_tangent(mechanism, room.e)
    done = int(_loop(mechanism, h, rule, every, begin, steps, exact, room.u, y, after, *tangent, out))
    if done == len(out):
        bodies[0], bodies[1] = y.bodies.change[:b], y.bodies.sooner[:b]
        spare[:] = 0.0 if after is None else after
        joints[0], joints[1] = y.multipliers, y.earlier
    return loop_result(mechanism, room, state, every, done, out)


# by Cayley's map, by the map of ``quat-em``, by the directors of ``dir-em``
march, march_quaternions, march_directors = (partial(_march, rule) for rule in (CAYLEY, QUATERNIONS, DIRECTORS))
