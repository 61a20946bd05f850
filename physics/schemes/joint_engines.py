"""Loops of mechanisms by the rules of engines: MuJoCo in joint coordinates, Bullet, ODE and XPBD with bodies apart.

All take a time step's velocities first and move with them: order 1, and less where joints are pulled together by a
share of their gap in each step, whatever its length. A free body turns by the rule of its engine. Rules as they are
documented and as their packages run; limits of speed, sleeping and single precision are left out.
"""

from __future__ import annotations

import math
from typing import Any

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
from physics.joints.articulated import (
    Links,
    accelerate_links,
    articulate,
    axis_of,
    coordinates_of,
    hold,
    is_travel,
    new_links,
    reach_of,
)
from physics.joints.elimination import factor, linearise
from physics.joints.joint_types import ALONG
from physics.joints.mechanism import (
    BALL,
    BEGIN,
    CONSTRAINTS,
    NO_MOTOR,
    POINTS,
    ROW_KINDS,
    STEPS,
    UNIVERSAL,
    Mechanism,
    row_size,
)
from physics.joints.motion import Room, enter, loop_result, respond, strike
from physics.joints.rows import (
    MechanismPose,
    count,
    count_joint,
    gamma_of,
    gap_of,
    gaps,
    gyroscopic,
    jacobian,
    loads,
    minus,
    new_pose,
    numbers_of,
    pack,
    place,
    place_body,
    place_joint,
    plus,
    put,
    put_quaternion,
    put_vector,
    quaternion,
    row_of,
    row_rates,
    row_target,
    speeds,
    spring,
    target,
    times,
    to_body,
    to_space,
    vector,
    vector_of,
)
from physics.schemes.engine_rules import NOTHING, bullet_turned, half_turned, ode_velocity
from physics.schemes.gyroscopic import attitude_after, change, newton_velocity, pushed
from physics.schemes.joint_march import JointMarch

PULL = 0.2  # share of a gap that Bullet and ODE take away in a step
SWEEPS = 10  # sweeps of Bullet over all rows
SMALL_STEPS = 20  # steps of XPBD in a step


def _marching(loop: Any, prepare: Any = lambda mechanism: ()) -> JointMarch:
    """The march of a loop ``loop(mechanism, h, every, begin, steps, room, out, *more) -> rows done``."""

    def march(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        room, at = enter(mechanism, state), row_size(mechanism)
        begin, steps = state[at + BEGIN], state[at + STEPS]
        done: int = loop(mechanism, h, every, begin, steps, room, out, *prepare(mechanism))
        return loop_result(mechanism, room, state, every, done, out)

    return march


@formula
def _finite(m: Mechanism, a: Room) -> bool:
    total = 0.0
    for i in range(m.bodies.shape[0]):
        total += (
            (abs(a.u[i, 0]) + abs(a.u[i, 1])) + (abs(a.u[i, 2]) + abs(a.u[i, 3])) + (abs(a.u[i, 4]) + abs(a.u[i, 5]))
        )
    return total < np.inf


# ---- MuJoCo ----------------------------------------------------------------------------------------------

# MuJoCo's defaults for rows of joints that close loops: time constant [s]; impedance without a gap, and from a width on
TIME_CONSTANT, MIN_IMPEDANCE, MAX_IMPEDANCE, GAP_WIDTH = 0.02, 0.9, 0.95, 1e-3
LEAST_COMPLIANCE = 1e-15  # compliance of rows that nothing can move


def _joint_space(mechanism: Mechanism) -> tuple[Links, Array | None]:
    """Links, and weights: None where no loops are closed, so that numba leaves these out."""
    return new_links(mechanism), _weights(mechanism) if len(mechanism.border) else None


def _weights(mechanism: Mechanism) -> Array:
    """Mobility (j, 2) of points [1/kg] and angles [1/(kg m²)] of joints that close loops.

    Sums over both bodies of mean inverse inertias of their centres of mass and turns, with all coordinates 0. NaN where
    inertias differ by more than numbers hold: no step has a solution then.
    """
    joints, bodies, pose, b = mechanism.joints, mechanism.bodies, new_pose(mechanism), len(mechanism.bodies)
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
    G = whole[:, :b].reshape(len(whole), 6 * b)
    with np.errstate(over="ignore", invalid="ignore"):
        Y = inverse_mass[:, None] * G.T
        try:
            moved = np.diag(inverse_mass) - Y @ np.linalg.solve(G @ Y, Y.T)
        except np.linalg.LinAlgError:
            moved = np.full((6 * b, 6 * b), np.nan)
    easy = np.concatenate([np.diag(moved).reshape(b, 2, 3).mean(axis=2), np.zeros((1, 2))])
    return np.asarray(easy[joints.first] + easy[joints.second])


@formula
def _angular(a: Room, i: int) -> Vector:
    """Angular velocity of a body, inertial."""
    return to_space(a.p.bodies[i].turns, (a.u[i, 3], a.u[i, 4], a.u[i, 5]))


@formula
def _linear(a: Room, i: int) -> Vector:
    return (a.u[i, 0], a.u[i, 1], a.u[i, 2])


@formula
def _impedance(square: float) -> float:
    """Impedance of rows by the square of their gaps."""
    share = min(math.sqrt(square) / GAP_WIDTH, 1.0)
    share = 2.0 * share * share if share < 0.5 else 1.0 - 2.0 * (1.0 - share) * (1.0 - share)
    return MIN_IMPEDANCE + share * (MAX_IMPEDANCE - MIN_IMPEDANCE)


@formula
def _close_loops(m: Mechanism, t: float, h: float, a: Room, y: Links, weights: Array) -> None:
    """Fill rows: of joints of loops, pulled together by springs and dampers that give way, and of dampers at the end.

    Forces at points act on both bodies where the point is on each, in axes that do not turn.
    """
    d, r = 1.0 / (MAX_IMPEDANCE * max(TIME_CONSTANT, 2.0 * h)), 0
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        if not joint.closes:
            continue
        kind, first, second = joint.kind, joint.first, joint.second
        wa, wb = _angular(a, first), _angular(a, second)
        la, lb = vector(a.p.joints[j].levers, 0), vector(a.p.joints[j].levers, 1)
        towards = minus(cross(wb, cross(wb, lb)), cross(wa, cross(wa, la)))
        gamma_of(m, t, a.p, a.u, j, a.g)
        points, angles = 0.0, 0.0
        for n in range(joint.hard):
            k = joint.rows[n]
            gap = gap_of(m, t, a.p, j, k)
            a.more[j, k] = gap
            if ROW_KINDS[kind, k] == ALONG:
                points += gap * gap
            else:
                angles += gap * gap
        points, angles = _impedance(points), _impedance(angles)
        for n in range(joint.hard + joint.soft):
            k, row = joint.rows[n], y.rows[r]
            r += 1
            force, on_first, on_second = row_of(m, a.p, j, k)
            wanted, compliance = 0.0, 0.0
            if n >= joint.hard:
                compliance = 1.0 / (h * joint.damping[k - CONSTRAINTS[kind]])
            else:
                wanted = a.g[j, k]
                if kind in POINTS and k < 3:
                    on_first, wanted = cross(force, la), -dot(force, towards)
                impedance = points if ROW_KINDS[kind, k] == ALONG else angles
                weight = weights[j, 0] if ROW_KINDS[kind, k] == ALONG else weights[j, 1]
                rate = dot(force, minus(_linear(a, second), _linear(a, first)))
                rate += dot(on_first, wa) + dot(on_second, wb) - row_target(m, t, j, k)[1]
                wanted -= 2.0 * d * rate + impedance * d * d * a.more[j, k]
                compliance = max((1.0 - impedance) / impedance * weight, LEAST_COMPLIANCE)
            _fill_row(row, first, second, force, on_first, on_second, wanted, compliance)
    for s in range(m.springs.shape[0]):
        one = m.springs[s]
        if one.damping != 0.0:
            _, force, on_first, on_second = spring(m, a.p, s)
            _fill_row(y.rows[r], one.bodies[0], one.bodies[1], force, on_first, on_second, 0.0, 1.0 / (h * one.damping))
            r += 1


@formula
def _fill_row(
    row: Any, first: int, second: int, force: Vector, on_first: Vector, on_second: Vector, wanted: float,
    compliance: float,
) -> None:  # fmt: skip
    row.bodies[0], row.bodies[1] = first, second
    put_vector(row.force, force)
    put(row.torques, 0, on_first)
    put(row.torques, 1, on_second)
    row.wanted, row.compliance = wanted, compliance


@unallocating
def _featherstone(
    m: Mechanism, h: float, every: int, begin: float, steps: float, a: Room, out: Array, y: Links,
    weights: Array | None,
) -> int:  # fmt: skip
    for row in range(out.shape[0]):
        for _ in range(every):
            t, end = begin + h * steps, begin + h * (steps + 1.0)
            steps += 1.0
            # accelerations at the start, dampers at the end of the step
            loads(m, a.p, a.u, 1.0, a.f)
            articulate(m, t, h, a.p, a.u, a.f, y)
            if weights is not None:
                _close_loops(m, t, h, a, y, weights)
                hold(m, y)
            accelerate_links(m, y)
            for n in range(m.bodies.shape[0] - 1, -1, -1):
                _move(m, end, h, a, y, m.bodies[n].order)
            for j in range(m.joints.shape[0]):
                if m.joints[j].acts or not m.joints[j].point:
                    place_joint(m, a.p, j)
                    count_joint(m, a.p, j)
            if not _finite(m, a):
                return row
        place(m, a.p)
        count(m, a.p)
        pack(m, a.p, a.u, out[row])
    return len(out)


@formula
def _move(m: Mechanism, t: float, h: float, a: Room, y: Links, i: int) -> None:
    """Rates of body i at the end t of a step, and its place by them; its carrier has moved."""
    p, link, j, far = a.p, y.bodies[i], m.bodies[i].parent, m.bodies[i].carrier
    q = quaternion(p, i)
    if j < 0:
        w = to_body(p.bodies[i].turns, vector(link.found, 0))
        for k in range(3):
            a.u[i, k] += h * link.found[1, k]
            a.u[i, 3 + k] += h * w[k]
            p.bodies[i].r[k] += h * a.u[i, k]
        after = attitude_after(h, q, (a.u[i, 3], a.u[i, 4], a.u[i, 5]))
        put_quaternion(p, i, after)
        place_body(p, i)
        put_vector(link.spin, _angular(a, i))
        s = link.turn
        s[0], s[1], s[2], s[3] = product(after, inverse(q))
        return
    joint, side, count, kind = m.joints[j], m.bodies[i].side, coordinates_of(m, i), m.joints[j].kind
    spin, moved, turn, theta = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if far >= 0:
        spin, turn = vector_of(y.bodies[far].spin), numbers_of(y.bodies[far].turn)
    for n in range(count):
        c = n if side == 1 else count - 1 - n  # from the carrier to the body
        one = y.coordinates[i, c]
        rate = one.rate + h * one.acceleration
        one.rate = rate
        if joint.motor[c] != NO_MOTOR:
            goal = target(m, t, j, c)
            rate, one.rate = (goal[0] - p.joints[j].coordinates[c]) / h, goal[1]
        if kind != BALL:
            p.joints[j].coordinates[c] += h * rate
        if not is_travel(m, i, c):
            theta = plus(theta, times(h * rate, vector_of(one.axis)))
        if kind != BALL or n == 2:  # a ball turns about its three axes at once
            turn, theta = product(turn, exp_half(theta)), (0.0, 0.0, 0.0)
    s = link.turn
    s[0], s[1], s[2], s[3] = turn
    put_quaternion(p, i, renormalised(product(turn, q)))
    place_body(p, i)
    W = spin
    for c in range(count):
        part = times(y.coordinates[i, c].rate, axis_of(m, p, i, c))
        if is_travel(m, i, c):
            moved = plus(moved, part)
        else:
            W = plus(W, part)
    put_vector(link.spin, W)
    reach, arm = reach_of(m, p, j, 1 - side), reach_of(m, p, j, side)
    v = plus(_linear(a, far), plus(moved, minus(cross(spin, reach), cross(W, arm))))
    w = to_body(p.bodies[i].turns, W)
    r = minus(plus(vector_of(p.bodies[far].r), reach), arm)
    for k in range(3):
        p.bodies[i].r[k], a.u[i, k], a.u[i, 3 + k] = r[k], v[k], w[k]


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
    """Places by forces, corrected joint by joint; velocities from the places (Müller et al. 2020, algorithm 2)."""
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
                    _correct(m, t, a, j, False)
                    _correct(m, t, a, j, True)
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
def _turn(p: MechanismPose, i: int, half: Vector) -> None:
    """Turn a body by twice a vector in its axes, and its matrix with it."""
    q = normalised(product(quaternion(p, i), (1.0, half[0], half[1], half[2])))
    put_quaternion(p, i, q)
    for k in range(3):
        e = rotate(q, (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0))
        p.bodies[i].turns[0, k], p.bodies[i].turns[1, k], p.bodies[i].turns[2, k] = e


@formula
def _correct(m: Mechanism, t: float, a: Room, j: int, along: bool) -> None:
    """Move the bodies of a joint, each by its inverse mass, so that its gap of places, or of turns, closes.

    Rows of one sort are one vector and are corrected along it (Müller et al. 2020, (2)-(9) and (11)-(16)): one after
    another they drive some joints apart.
    """
    joint, p = m.joints[j], a.p
    place_joint(m, p, j)
    square, force, on_first, on_second = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for c in range(joint.hard):
        row = joint.rows[c]
        if (ROW_KINDS[joint.kind, row] == ALONG) == along:
            gap = gap_of(m, t, p, j, row)
            along_it, first, second = row_of(m, p, j, row)
            square += gap * gap
            force = plus(force, times(gap, along_it))
            on_first, on_second = plus(on_first, times(gap, first)), plus(on_second, times(gap, second))
    size = 0.0
    for side in range(2):
        i, turn = (joint.first, on_first) if side == 0 else (joint.second, on_second)
        if i >= 0:
            n = to_body(p.bodies[i].turns, turn)
            size += dot(force, force) / m.bodies[i].mass
            J = m.bodies[i].inertia
            size += n[0] * n[0] / J[0] + n[1] * n[1] / J[1] + n[2] * n[2] / J[2]
    if size == 0.0:  # closed
        return
    x = -square / size
    for side in range(2):
        i, turn, sign = (joint.first, on_first, -1.0) if side == 0 else (joint.second, on_second, 1.0)
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
