"""The energy-momentum scheme of mechanisms: Cayley's map for each step, joints' forces at the mean of both poses.

With w and v the means of the velocities at both ends, a step is

    q' = q o (1, h w / 2) / |.|,   r' = r + h v,
    m (v' - v) = h F,   R' J w' - R J w = h N,   gaps(q', r') = 0,

R' - R = hat(h W) (R + R') / 2 with the inertial W = R w. All rows of constraints are at most bilinear in places and in
what turns with the bodies; so forces with the means of both, which are no rotations, do no work, and act and react at
one point. Gonzalez (1996), in the directors of Betsch & Steinmann (2002), whose rates Cayley's map replaces. Springs
and constant loads on coordinates take the quotient of their energies, dampers the mean rate.

``quat-em`` of Betsch & Siebert (2009), (51), has q' = q o (1 - |c|², 2 c) / |.|, c = h w / 4, and is else the same.
There R' - R = hat(h W) (R + R') / 2 / (1 - |c|²), and the midpoint derivatives of the rows give the torques of the
means times 1 / (1 - |c|²): they do no work. The forces have no such factor, so that the momentum of what floats is
kept up to h² in place of rounding.

On one free body the angular velocities by Cayley's map are those of ``implicit``, and the motion by quaternions that of
``quat-em``. Places and attitudes lie on the joints at the end of each step, velocities up to h². Newton's method starts
from the change of the last two steps.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, kernel, unallocating
from physics.core.rotation import Array, Field, Quaternion, Vector, cross, dot, normalised, product
from physics.joints.mechanism import BALL, BEGIN, CONSTRAINTS, MEMORY, NO_MOTOR, STEPS, Mechanism, row_size
from physics.joints.motion import Room, ended, enter
from physics.joints.rows import (
    Pose,
    count,
    new_pose,
    pack,
    place,
    times,
    to_body,
    to_space,
    vector,
)
from physics.joints.tangent import (
    ITERATIONS,
    Tangent,
    add_skew,
    choose,
    clear,
    copy,
    ends_of,
    fill,
    fill_rows,
    is_exact,
    is_found,
    loaded,
    new_tangent,
    offset,
    solve,
)
from physics.schemes.engine_rules import half_turned
from physics.schemes.implicit import midpoint_velocity


class Step(NamedTuple):
    """Room for a step.

    start, mean, end : poses; before : (b, 6) momenta, inertial; u : (b + 1, 6) velocities at the start, v : at the end
    turn : (b + 1, 3) inertial, h W; multipliers, earlier : (j, 6) of this step and the one before
    change, sooner : (b, 6) of the velocities in the last step and the one before
    """

    start: Pose
    mean: Pose
    end: Pose
    before: Array
    v: Array
    turn: Array
    multipliers: Array
    earlier: Array
    change: Array
    sooner: Array


@formula
def step(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
    """One step of a free body on which nothing acts."""
    middle, residual = midpoint_velocity(J, h, w)
    w = (2.0 * middle[0] - w[0], 2.0 * middle[1] - w[1], 2.0 * middle[2] - w[2])
    return half_turned(h, q, middle), w, residual


@formula
def _momentum(m: Mechanism, p: Pose, i: int, w: Vector) -> Vector:
    """Angular momentum of body i about its centre of mass, inertial."""
    return to_space(p.turns, i, (m.inertia[i, 0] * w[0], m.inertia[i, 1] * w[1], m.inertia[i, 2] * w[2]))


@formula
def _bend(w: Vector, quaternion: bool) -> float:
    """Scalar part of the step's quaternion beside its vector part w."""
    return 1.0 - 0.25 * dot(w, w) if quaternion else 1.0


@formula
def _place_end(m: Mechanism, h: float, quaternion: bool, u: Array, y: Step, T: Tangent) -> None:
    """The end's pose, the mean of both, and the scale of the torques, from the velocities at the end."""
    p, x, mean = y.start, y.end, y.mean
    for i in range(m.mass.shape[0]):
        s = 0.5 * h
        w = (0.5 * s * (u[i, 3] + y.v[i, 3]), 0.5 * s * (u[i, 4] + y.v[i, 4]), 0.5 * s * (u[i, 5] + y.v[i, 5]))
        scalar = _bend(w, quaternion)
        q = normalised(product((p.q[i, 0], p.q[i, 1], p.q[i, 2], p.q[i, 3]), (scalar, w[0], w[1], w[2])))
        x.q[i, 0], x.q[i, 1], x.q[i, 2], x.q[i, 3] = q
        T.scale[i], turn = 1.0 / scalar, to_space(p.turns, i, w)
        for k in range(3):
            y.turn[i, k] = 2.0 * turn[k]
            x.r[i, k] = p.r[i, k] + s * (u[i, k] + y.v[i, k])
    place(m, x)
    for j in range(m.kind.shape[0]):
        for k in range(3):
            x.coordinates[j, k] = p.coordinates[j, k]
            mean.apart[j, k] = 0.5 * (p.apart[j, k] + x.apart[j, k])
        for side in range(2):
            for k in range(3):
                mean.levers[j, side, k] = 0.5 * (p.levers[j, side, k] + x.levers[j, side, k])
                for i in range(3):
                    mean.axes[j, side, i, k] = 0.5 * (p.axes[j, side, i, k] + x.axes[j, side, i, k])
    for _ in range(1 if m.springs.shape[0] > 0 else 0):
        for i in range(m.mass.shape[0]):
            for k in range(3):
                mean.r[i, k] = 0.5 * (p.r[i, k] + x.r[i, k])
                for c in range(3):
                    mean.turns[i, k, c] = 0.5 * (p.turns[i, k, c] + x.turns[i, k, c])


@formula
def _shift(h: float, u: Array, y: Step, i: int) -> Vector:
    """Way of a centre of mass in the step."""
    return (0.5 * h * (u[i, 0] + y.v[i, 0]), 0.5 * h * (u[i, 1] + y.v[i, 1]), 0.5 * h * (u[i, 2] + y.v[i, 2]))


@formula
def _load(m: Mechanism, h: float, u: Array, y: Step, T: Tangent) -> None:
    """Loads of the coordinates and springs, and how they change with the coordinate and length at the end."""
    counted = False
    for j in range(m.kind.shape[0]):
        constraints = CONSTRAINTS[m.kind[j]]
        for c in range(6 - constraints):
            k, damping, load = m.stiffness[j, c], m.damping[j, c], m.load[j, c]
            if m.motor[j, c] == NO_MOTOR and not loaded(m, j, c):
                continue
            if m.kind[j] != BALL and not counted:
                count(m, y.end)
                counted = True
            a, b = m.first[j], m.second[j]
            row, way = T.mean[j, constraints + c], 0.0
            ra, rb = _shift(h, u, y, a), _shift(h, u, y, b)
            for i in range(3):
                way += row[i] * (rb[i] - ra[i]) + row[3 + i] * y.turn[a, i] + row[6 + i] * y.turn[b, i]
            ratio, x0, x1 = 1.0, y.start.coordinates[j, c], y.end.coordinates[j, c]
            # below that the quotient would be rounding, and differs from 1 by less
            if abs(way) > 1e-7 and m.kind[j] != BALL:
                ratio = (x1 - x0) / way
            T.loads[j, c] = ratio * (load - k * (0.5 * (x0 + x1) - m.rest[j, c])) - damping / h * way
            T.slopes[j, c] = -0.5 * ratio * k - damping / h
    for i in range(m.springs.shape[0]):
        k, damping, rest = m.springs[i, 0], m.springs[i, 1], m.springs[i, 2]
        d0, d1 = ends_of(m, y.start, i)[2], ends_of(m, y.end, i)[2]
        l0, l1 = math.sqrt(dot(d0, d0)), math.sqrt(dot(d1, d1))
        mean = times(0.5, (d0[0] + d1[0], d0[1] + d1[1], d0[2] + d1[2]))
        size = dot(mean, mean)
        rate = 0.5 * (l1 - l0) * (l1 + l0) / (h * size)
        T.spring[i] = -k * (l1 + l0 - 2.0 * rest) / (l1 + l0) - damping * rate
        # by the length at the end, whose direction is d1 / l1
        T.spring_slopes[i] = -(2.0 * k * rest / ((l1 + l0) * (l1 + l0)) + damping * l1 / (h * size)) / l1


@formula
def _slope(x: Vector, d: Vector, half: float, quaternion: bool) -> Vector:
    """D d, the change of the turn x with the attitude by d; with half = -1/2, D^T d."""
    scalar, along = _bend(times(0.5, x), quaternion), (0.125 if quaternion else 0.25) * dot(x, d)
    c = cross(x, d)
    return (
        scalar * d[0] + half * c[0] + along * x[0],
        scalar * d[1] + half * c[1] + along * x[1],
        scalar * d[2] + half * c[2] + along * x[2],
    )


@formula
def _linearise(
    m: Mechanism, t: float, h: float, quaternion: bool, u: Array, y: Step, choice: np.ndarray, rank: int, T: Tangent
) -> None:
    """Blocks and right sides of the bodies at an iterate, then those of the joints."""
    clear(m, T)
    for i in range(m.mass.shape[0]):
        N, at, x = T.blocks[i], offset(m, i), vector(y.turn, i)
        after = _momentum(m, y.end, i, (y.v[i, 3], y.v[i, 4], y.v[i, 5]))
        for k in range(3):
            N[at + k, k] = m.mass[i]
            T.right[i, k] = 0.5 * h * m.mass[i] * (h * m.gravity[k] - y.v[i, k] + u[i, k])
            T.right[i, 3 + k] = 0.5 * h * (y.before[i, k] - after[k])
        R = y.end.turns
        for k in range(3):  # row k of R J R^T D
            a = (R[i, k, 0] * m.inertia[i, 0], R[i, k, 1] * m.inertia[i, 1], R[i, k, 2] * m.inertia[i, 2])
            row = _slope(x, to_space(R, i, a), -0.5, quaternion)
            for c in range(3):
                N[at + 3 + k, at + 3 + c] += row[c]
        add_skew(N, at + 3, at + 3, -0.5 * h, after)
    fill(m, t, y.mean, y.end, 0.5, 0.5 * h * h, y.multipliers, rank, choice, T)


@formula
def _correct(m: Mechanism, h: float, quaternion: bool, y: Step, T: Tangent) -> float:
    """Correct the velocities at the end and the multipliers: the squared correction of places and attitudes."""
    size = 0.0
    for i in range(m.mass.shape[0]):
        d = (T.shift[i, 3], T.shift[i, 4], T.shift[i, 5])
        w = to_body(y.end.turns, i, _slope(vector(y.turn, i), d, 0.5, quaternion))
        for k in range(3):
            y.v[i, k] += 2.0 / h * T.shift[i, k]
            y.v[i, 3 + k] += 2.0 / h * w[k]
            size += m.mass[i] * T.shift[i, k] * T.shift[i, k] + m.inertia[i, k] * w[k] * w[k]
    s = 2.0 / (h * h)
    for j in range(m.kind.shape[0]):
        for n in range(m.hard[j]):
            y.multipliers[j, m.rows[j, n]] += s * T.change[j, m.rows[j, n]]
    return size


@unallocating
def _step(m: Mechanism, t: float, h: float, quaternion: bool, a: Room, y: Step, T: Tangent) -> bool:
    """One step to the time t [s]; False where it has no solution."""
    u, choice, large, exact = a.u, a.e.choice, 0.0, is_exact(m) and not quaternion
    rank = choose(m, y.start, a.e, y.multipliers)
    if rank < 0:
        return False
    for i in range(m.mass.shape[0]):
        momentum = _momentum(m, y.start, i, (u[i, 3], u[i, 4], u[i, 5]))
        for k in range(3):
            y.before[i, k] = momentum[k]
            large += m.mass[i] * (1e-3 + y.start.r[i, k] * y.start.r[i, k]) + m.inertia[i, k]
        for k in range(6):
            y.v[i, k] = u[i, k] + 2.0 * y.change[i, k] - y.sooner[i, k]
    for j in range(m.kind.shape[0]):
        for k in range(6):
            x = y.multipliers[j, k]
            y.multipliers[j, k], y.earlier[j, k] = 2.0 * x - y.earlier[j, k] if x != 0.0 else 0.0, x
    before, found = 0.0, False
    for n in range(ITERATIONS):
        _place_end(m, h, quaternion, u, y, T)
        if found:
            break
        if n == ITERATIONS - 1:
            return False
        fill_rows(m, y.mean, y.end, T)
        _load(m, h, u, y, T)
        _linearise(m, t, h, quaternion, u, y, choice, rank, T)
        solve(m, T)
        size = _correct(m, h, quaternion, y, T)
        if not size < math.inf:
            return False
        found = is_found(size, before, large, exact)
        before = size
    count(m, y.end)
    copy(y.end, y.start)
    for i in range(m.mass.shape[0]):
        for k in range(6):
            y.sooner[i, k], y.change[i, k], u[i, k] = y.change[i, k], y.v[i, k] - u[i, k], y.v[i, k]
    return True


@kernel
def _loop(
    m: Mechanism,
    h: float,
    quaternion: bool,
    every: int,
    begin: float,
    steps: float,
    a: Room,
    y: Step,
    T: Tangent,
    out: Array,
) -> int:
    for row in range(out.shape[0]):
        for _ in range(every):
            steps += 1.0
            if not _step(m, begin + h * steps, h, quaternion, a, y, T):
                return row
        pack(m, y.start, a.u, out[row])
    return len(out)


def march(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop with Cayley's map, see physics.schemes.joint_march."""
    return _march(mechanism, h, False, every, state, out)


def march_quaternions(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop with the map of ``quat-em``."""
    return _march(mechanism, h, True, every, state, out)


def _march(mechanism: Mechanism, h: float, quaternion: bool, every: int, state: Array, out: Array) -> tuple[int, float]:
    room, at, b, j = enter(mechanism, state), row_size(mechanism), len(mechanism.mass), len(mechanism.kind)
    memory = state[at + MEMORY :][: 12 * (b + j)]
    bodies, joints = memory[: 12 * b].reshape(2, b, 6), memory[12 * b :].reshape(2, j, 6)
    y = Step(
        start=room.p,
        mean=new_pose(mechanism),
        end=new_pose(mechanism),
        before=np.zeros((b, 6)),
        v=np.zeros((b + 1, 6)),
        turn=np.zeros((b + 1, 3)),
        multipliers=joints[0].copy(),
        earlier=joints[1].copy(),
        change=bodies[0].copy(),
        sooner=bodies[1].copy(),
    )
    for old, new in zip((*y.mean,), (*room.p,), strict=True):
        old[...] = new
    begin, steps = state[at + BEGIN], state[at + STEPS]
    done = int(_loop(mechanism, h, quaternion, every, begin, steps, room, y, new_tangent(mechanism), out))
    if done == len(out):
        bodies[0], bodies[1], joints[0], joints[1] = y.change, y.sooner, y.multipliers, y.earlier
    return ended(mechanism, room, state, every, done, out)
