"""Loops of mechanisms by the rules of engines: MuJoCo in joint coordinates, Bullet, ODE and XPBD with bodies apart.

All take a time step's velocities first and move with them: order 1, and less where joints are pulled together by a
share of their gap in each step, whatever its length. A free body turns by the rule of its engine. Rules as they are
documented and as their packages run; limits of speed, sleeping and single precision are left out.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from physics.core.jit import formula, unallocating
from physics.core.rotation import (
    Array,
    Field,
    Quaternion,
    Vector,
    cross,
    dot,
    exp_half,
    from_matrix,
    inverse,
    normalised,
    product,
    renormalised,
    rotate,
)
from physics.joints.elimination import factor, linearise, soften, solve
from physics.joints.mechanism import (
    ALONG,
    BALL,
    BEGIN,
    CONSTRAINTS,
    NO_MOTOR,
    POINTS,
    ROW_FIRST,
    ROW_KINDS,
    ROW_SECOND,
    STEPS,
    TURN_FIRST,
    UNIVERSAL,
    Mechanism,
    row_size,
)
from physics.joints.motion import Room, ended, enter, fill_sides, respond, strike
from physics.joints.rows import (
    Pose,
    count,
    gamma,
    gaps,
    gyroscopic,
    jacobian,
    loads,
    minus,
    new_pose,
    numbers_of,
    pack,
    place,
    place_joint,
    plus,
    put,
    put_quaternion,
    quaternion,
    row_of,
    row_rates,
    speeds,
    target,
    times,
    to_body,
    to_space,
    vector,
    vector_of,
)
from physics.schemes.engine_rules import NOTHING, bullet_turned, half_turned, ode_velocity
from physics.schemes.gyroscopic import change, newton_velocity, pushed, turned
from physics.schemes.joint_march import JointMarch, is_damped

PULL = 0.2  # share of a gap that Bullet and ODE take away in a step
SWEEPS = 10  # of Bullet over all rows
SMALL_STEPS = 20  # of XPBD in a step


def _marching(loop: Any, prepare: Any = lambda mechanism: ()) -> JointMarch:
    """The march of a loop ``loop(mechanism, h, every, begin, steps, room, out, *more) -> rows done``."""

    def march(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        room, at = enter(mechanism, state), row_size(mechanism)
        begin, steps = state[at + BEGIN], state[at + STEPS]
        done: int = loop(mechanism, h, every, begin, steps, room, out, *prepare(mechanism))
        return ended(mechanism, room, state, every, done, out)

    return march


@formula
def _finite(m: Mechanism, a: Room) -> bool:
    total = 0.0
    for i in range(m.bodies.shape[0]):
        for k in range(6):
            total += abs(a.u[i, k])
    return total < np.inf


# ---- MuJoCo ----------------------------------------------------------------------------------------------

# MuJoCo's defaults for rows of joints that close loops: time constant [s]; impedance without a gap, and from a width on
TIME_CONSTANT, LEAST, MOST, GAP_WIDTH = 0.02, 0.9, 0.95, 1e-3


class JointSpace(NamedTuple):
    """Rates in joint coordinates.

    everything : the mechanism with all coordinates as rows
    rate : (j, 3) of coordinates, of a ball the relative angular velocity in the second body's axes
    all_gamma, all_rates : (j, 6) of all rows
    relative : (j, 4) attitudes of the second bodies of joints, seen from the first ones
    weights : (j, 2) of points [1/kg] and angles [1/(kg m²)] of joints that close loops, how easily they are moved
    """

    everything: Mechanism
    rate: Array
    all_gamma: Array
    all_rates: Array
    relative: Array
    weights: Array


def _joint_space(mechanism: Mechanism) -> tuple[JointSpace]:
    j, joints = len(mechanism.joints), mechanism.joints.copy()
    joints.rows, joints.hard, joints.soft, joints.motor = np.arange(6), 6, 0, NO_MOTOR
    rate, all_gamma, all_rates, relative = (np.zeros((j, size)) for size in (3, 6, 6, 4))
    everything = mechanism._replace(joints=joints)
    return (JointSpace(everything, rate, all_gamma, all_rates, relative, _weights(mechanism)),)


def _weights(mechanism: Mechanism) -> Array:
    """Sums over both bodies of mean inverse inertias of their centres of mass and turns, with all coordinates 0."""
    joints, bodies, pose, b = mechanism.joints, mechanism.bodies, new_pose(mechanism), len(mechanism.bodies)
    if not len(mechanism.border):
        return np.zeros((len(joints), 2))
    places, turns = np.zeros((b + 1, 3)), np.repeat(np.eye(3)[None], b + 1, axis=0)
    for i in bodies.order[::-1]:
        if (j := bodies.parent[i]) < 0:
            continue
        own, other = bodies.side[i], 1 - bodies.side[i]
        far = (joints.first[j], joints.second[j])[other]
        axes = joints.triads[j, other] @ turns[far].T
        if joints.kind[j] == UNIVERSAL:
            axes = np.array([axes[1], axes[0], -axes[2]])
        turns[i] = axes.T @ joints.triads[j, own]
        places[i] = places[far] + turns[far] @ joints.arms[j, other] - turns[i] @ joints.arms[j, own]
        pose.bodies.q[i], pose.bodies.r[i] = from_matrix(turns[i]), places[i]
    place(mechanism, pose)
    jacobian(mechanism, pose, rows := np.zeros((len(joints), 6, 2, 6)))
    whole = np.zeros((0, b + 1, 6))
    for j in bodies.parent[bodies.parent >= 0]:
        one = np.zeros((CONSTRAINTS[joints.kind[j]], b + 1, 6))
        one[:, joints.first[j]], one[:, joints.second[j]] = np.swapaxes(rows[j, : len(one)], 0, 1)
        whole = np.concatenate([whole, one])
    inverse_mass = 1.0 / np.column_stack([np.repeat(bodies.mass[:, None], 3, axis=1), bodies.inertia]).ravel()
    G = whole[:, :b].reshape(len(whole), -1)
    Y = inverse_mass[:, None] * G.T
    moved = np.diag(inverse_mass) - Y @ np.linalg.solve(G @ Y, Y.T)
    easy = np.concatenate([np.diag(moved).reshape(b, 2, 3).mean(axis=2), np.zeros((1, 2))])
    return np.asarray(easy[joints.first] + easy[joints.second])


@formula
def _angular(a: Room, i: int) -> Vector:
    """Angular velocity of a body, inertial."""
    return to_space(a.p.bodies[i].turns, (a.u[i, 3], a.u[i, 4], a.u[i, 5]))


@formula
def _linear(a: Room, i: int) -> Vector:
    return (a.u[i, 0], a.u[i, 1], a.u[i, 2])


@unallocating
def _close_loops(m: Mechanism, t: float, d: float, a: Room, y: JointSpace) -> None:
    """Pull joints of loops together by springs and dampers, and let them give way: compliances, and right sides.

    Forces at points act on both bodies where the point is on each, in axes that do not turn.
    """
    gaps(m, t, a.p, a.multipliers)
    speeds(m, t, a.more)
    for j in range(m.joints.shape[0]):
        first, second, one = m.joints[j].first, m.joints[j].second, a.p.joints[j]
        if m.joints[j].closes and m.joints[j].kind in POINTS:
            wa, wb, la, lb = _angular(a, first), _angular(a, second), vector(one.levers, 0), vector(one.levers, 1)
            towards = minus(cross(wb, cross(wb, lb)), cross(wa, cross(wa, la)))
            for k in range(3):
                e = vector(one.axes[0], ROW_FIRST[m.joints[j].kind, k])
                torque = to_body(a.p.bodies[first].turns, cross(e, la))
                for c in range(3):
                    a.e.rows[j, k, 0, 3 + c] = torque[c]
                a.g[j, k] = -dot(e, towards)
    row_rates(m, a.e.rows, a.u, y.all_rates)
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        if not joint.closes:
            continue
        for angles in range(2):
            size = 0.0
            for n in range(joint.hard):
                k = joint.rows[n]
                if (ROW_KINDS[joint.kind, k] != ALONG) == (angles == 1):
                    size += a.multipliers[j, k] * a.multipliers[j, k]
            share = min(math.sqrt(size) / GAP_WIDTH, 1.0)
            share = 2.0 * share * share if share < 0.5 else 1.0 - 2.0 * (1.0 - share) * (1.0 - share)
            impedance = LEAST + share * (MOST - LEAST)
            for n in range(joint.hard):
                k = joint.rows[n]
                if (ROW_KINDS[joint.kind, k] != ALONG) == (angles == 1):
                    a.e.joints[j].compliance[k] = (1.0 - impedance) / impedance * y.weights[j, angles]
                    pull = 2.0 * d * (y.all_rates[j, k] - a.more[j, k]) + impedance * d * d * a.multipliers[j, k]
                    a.g[j, k] -= pull


@unallocating
def _featherstone(
    m: Mechanism, h: float, every: int, begin: float, steps: float, a: Room, out: Array, y: JointSpace
) -> int:
    damped = is_damped(m)
    d = 1.0 / (MOST * max(TIME_CONSTANT, 2.0 * h))
    for row in range(out.shape[0]):
        for _ in range(every):
            t, end = begin + h * steps, begin + h * (steps + 1.0)
            steps += 1.0
            # accelerations at the start, dampers at the end of the step
            linearise(m, a.p, a.e)
            if damped:
                soften(m, a.e, h)
            fill_sides(m, t, a)
            for j in range(m.joints.shape[0]):
                joint = m.joints[j]
                for n in range(joint.hard, joint.hard + joint.soft):
                    a.g[j, joint.rows[n]] = 0.0
            if m.border.shape[0] > 0:
                _close_loops(m, t, d, a, y)
            if not factor(m, a.e):
                return row
            solve(m, a.e, a.f, a.g, a.x, a.multipliers)
            # rates of the coordinates at the end
            linearise(y.everything, a.p, a.e)
            row_rates(y.everything, a.e.rows, a.u, y.all_rates)
            gamma(y.everything, t, a.p, a.u, y.all_gamma)
            row_rates(y.everything, a.e.rows, a.x, a.more)
            for j in range(m.joints.shape[0]):
                joint = m.joints[j]
                first, second, kind = joint.first, joint.second, joint.kind
                p, q = inverse(quaternion(a.p, first)), quaternion(a.p, second)
                y.relative[j, 0], y.relative[j, 1], y.relative[j, 2], y.relative[j, 3] = product(p, q)
                if kind == BALL:
                    wa, wb = _angular(a, first), _angular(a, second)
                    xa = to_space(a.p.bodies[first].turns, (a.x[first, 3], a.x[first, 4], a.x[first, 5]))
                    xb = to_space(a.p.bodies[second].turns, (a.x[second, 3], a.x[second, 4], a.x[second, 5]))
                    rate = plus(minus(wb, wa), times(h, plus(minus(xb, xa), cross(wb, wa))))
                    put(y.rate, j, to_body(a.p.bodies[second].turns, rate))
                    continue
                for c in range(6 - CONSTRAINTS[kind]):
                    k = CONSTRAINTS[kind] + c
                    y.rate[j, c] = y.all_rates[j, k] + h * (a.more[j, k] - y.all_gamma[j, k])
                    if joint.motor[c] != NO_MOTOR:
                        y.rate[j, c] = (target(m, end, j, c)[0] - a.p.joints[j].coordinates[c]) / h
            # places, from the roots to the leaves
            for n in range(m.bodies.shape[0] - 1, -1, -1):
                i = m.bodies[n].order
                j = m.bodies[i].parent
                if j < 0:
                    for k in range(6):
                        a.u[i, k] += h * a.x[i, k]
                    for k in range(3):
                        a.p.bodies[i].r[k] += h * a.u[i, k]
                    put_quaternion(a.p, i, turned(h, quaternion(a.p, i), (a.u[i, 3], a.u[i, 4], a.u[i, 5])))
                else:
                    _carry(m, end, h, a, y, j, i)
            place(m, a.p)
            count(m, a.p)
            if not _finite(m, a):
                return row
        pack(m, a.p, a.u, out[row])
    return len(out)


@formula
def _carry(m: Mechanism, t: float, h: float, a: Room, y: JointSpace, j: int, i: int) -> None:
    """Move body i with the joint that carries it, the other body has moved."""
    kind, first, second = m.joints[j].kind, m.joints[j].first, m.joints[j].second
    constraints, s = CONSTRAINTS[kind], y.relative[j]
    relative, u = (s[0], s[1], s[2], s[3]), vector(m.joints[j].triads[0], 0)
    turn = (0.0, 0.0, 0.0)  # about axes of the first body
    more = (0.0, 0.0, 0.0)  # about axes of the second one
    shift, drift = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)  # and its rate, in the axes of the first body
    if kind == BALL:
        more = vector(y.rate, j)
    else:
        for c in range(6 - constraints):
            code, rate = ROW_KINDS[kind, constraints + c], y.rate[j, c]
            speed = target(m, t, j, c)[1] if m.joints[j].motor[c] != NO_MOTOR else rate
            if code == ALONG:
                e = vector(m.joints[j].triads[0], ROW_FIRST[kind, constraints + c])
                shift = plus(shift, times(a.p.joints[j].coordinates[c] + h * rate, e))
                drift = plus(drift, times(speed, e))
            elif code == TURN_FIRST:
                turn = times(rate, u)
            else:
                more = times(rate, vector(m.joints[j].triads[1], 0))
    relative = product(exp_half(times(h, turn)), product(relative, exp_half(times(h, more))))
    if kind != BALL:  # from rates over the step to those at its end, which differ where a motor turns
        for c in range(6 - constraints):
            if m.joints[j].motor[c] != NO_MOTOR and ROW_KINDS[kind, constraints + c] != ALONG:
                speed = target(m, t, j, c)[1]
                if ROW_KINDS[kind, constraints + c] == TURN_FIRST:
                    turn = times(speed, u)
                else:
                    more = times(speed, vector(m.joints[j].triads[1], 0))
    carries_second = i == second
    if carries_second:
        put_quaternion(a.p, i, renormalised(product(quaternion(a.p, first), relative)))
    else:
        put_quaternion(a.p, i, renormalised(product(quaternion(a.p, second), inverse(relative))))
    qa, qb = quaternion(a.p, first), quaternion(a.p, second)
    la, lb = rotate(qa, vector(m.joints[j].arms, 0)), rotate(qb, vector(m.joints[j].arms, 1))
    apart, speed_apart = rotate(qa, shift), rotate(qa, drift)
    arm, relative_w = plus(la, apart), plus(rotate(qa, turn), rotate(qb, more))
    if carries_second:
        wa = rotate(qa, (a.u[first, 3], a.u[first, 4], a.u[first, 5]))
        wb = plus(wa, relative_w)
        r = minus(plus(vector_of(a.p.bodies[first].r), arm), lb)
        v = plus(_linear(a, first), minus(plus(cross(wa, arm), speed_apart), cross(wb, lb)))
        w = rotate(inverse(qb), wb)
    else:
        wb = rotate(qb, (a.u[second, 3], a.u[second, 4], a.u[second, 5]))
        wa = minus(wb, relative_w)
        r = minus(plus(vector_of(a.p.bodies[second].r), lb), arm)
        v = plus(_linear(a, second), minus(cross(wb, lb), plus(cross(wa, arm), speed_apart)))
        w = rotate(inverse(qa), wa)
    for k in range(3):
        a.p.bodies[i].r[k], a.u[i, k], a.u[i, 3 + k] = r[k], v[k], w[k]


march_mujoco = _marching(_featherstone, _joint_space)


# ---- bodies apart ----------------------------------------------------------------------------------------


def _apart(velocity: Any, attitude: Any, sweeps: int) -> JointMarch:
    """Bodies apart: free velocities, then impulses on all rows; sweeps: 0 if these are solved at once.

    velocity : (J, h, n, w) -> w by a moment n [N m]; attitude : (h, q, w) -> q
    """

    @unallocating
    def loop(m: Mechanism, h: float, every: int, begin: float, steps: float, a: Room, out: Array) -> int:
        for row in range(out.shape[0]):
            for _ in range(every):
                t, end = begin + h * steps, begin + h * (steps + 1.0)
                steps += 1.0
                loads(m, a.p, a.u, 1.0, a.f)
                for i in range(m.bodies.shape[0]):
                    body = m.bodies[i]
                    J = vector_of(body.inertia)
                    moment = (a.f[i, 3], a.f[i, 4], a.f[i, 5])
                    a.u[i, 3], a.u[i, 4], a.u[i, 5] = velocity(J, h, moment, (a.u[i, 3], a.u[i, 4], a.u[i, 5]))
                    for k in range(3):
                        a.u[i, k] += h / body.mass * a.f[i, k]
                linearise(m, a.p, a.e)
                gaps(m, t, a.p, a.g)
                speeds(m, end, a.more)
                for j in range(m.joints.shape[0]):
                    joint = m.joints[j]
                    for n in range(joint.hard):
                        k = joint.rows[n]
                        a.g[j, k] = a.more[j, k] - PULL / h * a.g[j, k]
                if sweeps == 0:
                    if not factor(m, a.e):
                        return row
                    row_rates(m, a.e.rows, a.u, a.more)
                    for j in range(m.joints.shape[0]):
                        joint = m.joints[j]
                        for n in range(joint.hard):
                            a.g[j, joint.rows[n]] -= a.more[j, joint.rows[n]]
                    respond(m, a, a.multipliers)
                    strike(m, a)
                else:
                    for _ in range(sweeps):
                        _sweep(m, a)
                for i in range(m.bodies.shape[0]):
                    for k in range(3):
                        a.p.bodies[i].r[k] += h * a.u[i, k]
                    put_quaternion(a.p, i, attitude(h, quaternion(a.p, i), (a.u[i, 3], a.u[i, 4], a.u[i, 5])))
                place(m, a.p)
                count(m, a.p)
                if not _finite(m, a):
                    return row
            pack(m, a.p, a.u, out[row])
        return len(out)

    return _marching(loop)


@formula
def _sweep(m: Mechanism, a: Room) -> None:
    """Impulses on one row after another, each to what is wanted of it."""
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        first, second = joint.first, joint.second
        for n in range(joint.hard):
            row = joint.rows[n]
            left, size = a.g[j, row], 0.0
            for side in range(2):
                i = first if side == 0 else second
                if i >= 0:
                    for k in range(6):
                        x = a.e.rows[j, row, side, k]
                        left -= x * a.u[i, k]
                        size += x * x / (m.bodies[i].mass if k < 3 else m.bodies[i].inertia[k - 3])
            for side in range(2):
                i = first if side == 0 else second
                if i >= 0:
                    for k in range(6):
                        x = left / size * a.e.rows[j, row, side, k]
                        a.u[i, k] += x / (m.bodies[i].mass if k < 3 else m.bodies[i].inertia[k - 3])


# ---- XPBD ------------------------------------------------------------------------------------------------


@unallocating
def _positions(m: Mechanism, h: float, every: int, begin: float, steps: float, a: Room, out: Array) -> int:
    """Places by forces, corrected row by row; velocities from the places (Müller et al. 2020)."""
    dt = h / SMALL_STEPS
    for row in range(out.shape[0]):
        for _ in range(every):
            for small in range(1, SMALL_STEPS + 1):
                t = begin + h * (steps + small / SMALL_STEPS)
                loads(m, a.p, a.u, 1.0, a.f)
                for i in range(m.bodies.shape[0]):
                    body = m.bodies[i]
                    torque = gyroscopic(m, a.u, i)
                    a.before[i] = a.p.bodies[i]
                    for k in range(3):
                        a.u[i, k] += dt / body.mass * a.f[i, k]
                        a.u[i, 3 + k] += dt / body.inertia[k] * (a.f[i, 3 + k] - torque[k])
                        a.p.bodies[i].r[k] += dt * a.u[i, k]
                    w = (0.5 * dt * a.u[i, 3], 0.5 * dt * a.u[i, 4], 0.5 * dt * a.u[i, 5])
                    _turn(a.p, i, w)
                for j in range(m.joints.shape[0]):
                    joint = m.joints[j]
                    for n in range(joint.hard):
                        _correct(m, t, a, j, joint.rows[n])
                for i in range(m.bodies.shape[0]):
                    # the turn of the step is the same vector in the axes before and after it
                    d = product(inverse(numbers_of(a.before[i].q)), quaternion(a.p, i))
                    sign = 2.0 / dt if d[0] >= 0.0 else -2.0 / dt
                    for k in range(3):
                        a.u[i, k] = (a.p.bodies[i].r[k] - a.before[i].r[k]) / dt
                        a.u[i, 3 + k] = sign * d[1 + k]
                place(m, a.p)
                count(m, a.p)
                if not _finite(m, a):
                    return row
            steps += 1.0
        pack(m, a.p, a.u, out[row])
    return len(out)


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of a free body on which nothing acts, by the same small steps."""
    dt = h / SMALL_STEPS
    for _ in range(SMALL_STEPS):
        d = change(J, dt, NOTHING, w)
        half = (0.5 * dt * (w[0] + d[0]), 0.5 * dt * (w[1] + d[1]), 0.5 * dt * (w[2] + d[2]))
        turn = normalised((1.0, half[0], half[1], half[2]))
        q, w = renormalised(product(q, turn)), (2.0 / dt * turn[1], 2.0 / dt * turn[2], 2.0 / dt * turn[3])
    return q, w, 0.0


@formula
def _turn(p: Pose, i: int, half: Vector) -> None:
    """Turn a body by twice a vector in its axes, and its matrix with it."""
    q = normalised(product(quaternion(p, i), (1.0, half[0], half[1], half[2])))
    put_quaternion(p, i, q)
    for k in range(3):
        e = rotate(q, (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0))
        p.bodies[i].turns[0, k], p.bodies[i].turns[1, k], p.bodies[i].turns[2, k] = e


@formula
def _correct(m: Mechanism, t: float, a: Room, j: int, row: int) -> None:
    """Move the bodies of a joint so that one row is closed, each by its inverse mass."""
    joint, p = m.joints[j], a.p
    first, second, kind = joint.first, joint.second, joint.kind
    place_joint(m, p, j)
    code, c = ROW_KINDS[kind, row], row - CONSTRAINTS[kind]
    e = vector(p.joints[j].axes[0], ROW_FIRST[kind, row])
    if c >= 0:
        count(m, p)
        gap = p.joints[j].coordinates[c] - target(m, t, j, c)[0]
    elif code == ALONG:
        gap = dot(e, vector_of(p.joints[j].apart))
    else:
        gap = dot(e, vector(p.joints[j].axes[1], ROW_SECOND[kind, row]))
    force, on_first, on_second = row_of(m, p, j, row)
    size = 0.0
    for side in range(2):
        i, turn = (first, on_first) if side == 0 else (second, on_second)
        if i >= 0:
            n = to_body(p.bodies[i].turns, turn)
            size += dot(force, force) / m.bodies[i].mass
            J = m.bodies[i].inertia
            size += n[0] * n[0] / J[0] + n[1] * n[1] / J[1] + n[2] * n[2] / J[2]
    x = -gap / size
    for side in range(2):
        i, turn, sign = (first, on_first, -1.0) if side == 0 else (second, on_second, 1.0)
        if i >= 0:
            n = to_body(p.bodies[i].turns, turn)
            for k in range(3):
                p.bodies[i].r[k] += sign * x / m.bodies[i].mass * force[k]
            x2, J = 0.5 * x, m.bodies[i].inertia
            _turn(p, i, (x2 * n[0] / J[0], x2 * n[1] / J[1], x2 * n[2] / J[2]))


march_xpbd = _marching(_positions)


# ---- by the rules of the free body -----------------------------------------------------------------------


@formula
def _of_bullet(J: Vector, h: float, n: Vector, w: Vector) -> Vector:
    return pushed(J, h, n, newton_velocity(J, NOTHING, h, NOTHING, w))


@formula
def _of_ode(J: Vector, h: float, n: Vector, w: Vector) -> Vector:
    return pushed(J, h, n, ode_velocity(J, h, w))


march_bullet = _apart(_of_bullet, bullet_turned, SWEEPS)
march_ode = _apart(_of_ode, half_turned, 0)
