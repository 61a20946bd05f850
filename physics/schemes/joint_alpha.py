"""The generalised-alpha scheme of mechanisms at index 3: Brüls, Cardona & Arnold (2012), spectral radius 0.9.

As physics.schemes.lie_newmark, whose constants it shares, for places and attitudes at once: with a the accelerations
that the scheme remembers, and v' those of the equations of motion at both ends,

    (1 - am) a1 + am a = (1 - af) v'1 + af v',    q1 = q exp(h v + h² ((1/2 - beta) a + beta a1)),
    v1 = v + h ((1 - gamma) a + gamma a1),        M v'1 + gyroscopic - G^T multipliers = loads,    gaps(q1) = 0.

Places and attitudes lie on the joints, velocities up to h². Newton's method in full, see physics.joints.tangent.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, kernel, unallocating
from physics.core.rotation import Array, Vector, cross, dot, exp_half, product, renormalised
from physics.joints.mechanism import BALL, BEGIN, CONSTRAINTS, MEMORY, STEPS, Mechanism, row_size
from physics.joints.motion import Room, accelerate, ended, enter
from physics.joints.rows import Pose, count, new_pose, pack, place, to_body, to_space, vector
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
from physics.schemes.lie_newmark import weights

_AM, _AF, _GAMMA, _BETA = weights(0.9)
_SHARE = (1.0 - _AF) / (1.0 - _AM)  # of v'1 in a1


class Step(NamedTuple):
    """Room for a step.

    end : the pose there; v : (b + 1, 6) velocities there; turn : (b + 1, 3) in the axes at the end
    slow : (b, 6) a, fast : (b, 6) v', now : (b, 6) v'1; known : (b, 6) what a1 has without v'1
    multipliers : (j, 6), see physics.joints.tangent
    """

    end: Pose
    v: Array
    turn: Array
    slow: Array
    fast: Array
    now: Array
    known: Array
    multipliers: Array


@formula
def _place_end(m: Mechanism, h: float, a: Room, y: Step) -> None:
    """The end's pose and velocities from v'1."""
    p, x, u = a.p, y.end, a.u
    for i in range(m.mass.shape[0]):
        for k in range(6):
            a1 = y.known[i, k] + _SHARE * y.now[i, k]
            y.v[i, k] = u[i, k] + h * ((1.0 - _GAMMA) * y.slow[i, k] + _GAMMA * a1)
            way = h * u[i, k] + h * h * ((0.5 - _BETA) * y.slow[i, k] + _BETA * a1)
            if k < 3:
                x.r[i, k] = p.r[i, k] + way
            else:
                y.turn[i, k - 3] = way
        q = renormalised(product((p.q[i, 0], p.q[i, 1], p.q[i, 2], p.q[i, 3]), exp_half(vector(y.turn, i))))
        x.q[i, 0], x.q[i, 1], x.q[i, 2], x.q[i, 3] = q
    for j in range(m.kind.shape[0]):
        for c in range(3):
            x.coordinates[j, c] = p.coordinates[j, c]
    place(m, x)
    count(m, x)


@formula
def _load(m: Mechanism, fast: float, y: Step, T: Tangent) -> None:
    """Loads of coordinates and springs at the end, and how they change with coordinates; fast: by which rates do."""
    for j in range(m.kind.shape[0]):
        a, b, constraints = m.first[j], m.second[j], CONSTRAINTS[m.kind[j]]
        wa = to_space(y.end.turns, a, (y.v[a, 3], y.v[a, 4], y.v[a, 5]))
        wb = to_space(y.end.turns, b, (y.v[b, 3], y.v[b, 4], y.v[b, 5]))
        for row in range(6):
            rate, c = 0.0, row - constraints
            if c < 0 or not loaded(m, j, c):
                continue
            for k in range(3):
                rate += T.end[j, row, k] * (y.v[b, k] - y.v[a, k])
                rate += T.end[j, row, 3 + k] * wa[k] + T.end[j, row, 6 + k] * wb[k]
            stiffness, damping = m.stiffness[j, c], m.damping[j, c]
            away = y.end.coordinates[j, c] - m.rest[j, c] if m.kind[j] != BALL else 0.0
            T.loads[j, c] = m.load[j, c] - stiffness * away - damping * rate
            T.slopes[j, c] = -stiffness - damping * fast
    for i in range(m.springs.shape[0]):
        a, b = m.spring_bodies[i, 0], m.spring_bodies[i, 1]
        la, lb, d = ends_of(m, y.end, i)
        wa = cross(to_space(y.end.turns, a, (y.v[a, 3], y.v[a, 4], y.v[a, 5])), la)
        wb = cross(to_space(y.end.turns, b, (y.v[b, 3], y.v[b, 4], y.v[b, 5])), lb)
        apart = (
            y.v[b, 0] + wb[0] - y.v[a, 0] - wa[0],
            y.v[b, 1] + wb[1] - y.v[a, 1] - wa[1],
            y.v[b, 2] + wb[2] - y.v[a, 2] - wa[2],
        )
        size = dot(d, d)
        length = math.sqrt(size)
        stiffness, damping, rest = m.springs[i, 0], m.springs[i, 1], m.springs[i, 2]
        T.spring[i] = -stiffness * (length - rest) / length - damping * dot(d, apart) / size
        T.spring_slopes[i] = -(stiffness * rest / length + damping * fast) / size


@formula
def _linearise(m: Mechanism, t: float, s: float, fast: float, choice: Array, rank: int, y: Step, T: Tangent) -> None:
    """Blocks and right sides of the bodies at an iterate, then those of the joints, all times s."""
    clear(m, T)
    for i in range(m.mass.shape[0]):
        N, R, J = T.blocks[i], y.end.turns, (m.inertia[i, 0], m.inertia[i, 1], m.inertia[i, 2])
        at, w, x = offset(m, i), (y.v[i, 3], y.v[i, 4], y.v[i, 5]), vector(y.turn, i)
        spin = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
        c = cross(w, spin)
        rate = to_space(R, i, (J[0] * y.now[i, 3] + c[0], J[1] * y.now[i, 4] + c[1], J[2] * y.now[i, 5] + c[2]))
        for k in range(3):
            N[at + k, k] = m.mass[i]
            T.right[i, k] = s * m.mass[i] * (m.gravity[k] - y.now[i, k])
            T.right[i, 3 + k] = -s * rate[k]
        f = s * fast
        rows = (  # J + f (hat(w) J - hat(J w))
            (J[0], f * (spin[2] - w[2] * J[1]), f * (w[1] * J[2] - spin[1])),
            (f * (w[2] * J[0] - spin[2]), J[1], f * (spin[0] - w[0] * J[2])),
            (f * (spin[1] - w[1] * J[0]), f * (w[0] * J[1] - spin[0]), J[2]),
        )
        share = share_of(x)
        turned = (to_turned(rows[0], x, share), to_turned(rows[1], x, share), to_turned(rows[2], x, share))
        for k in range(3):  # R rows R^T
            into = (
                R[i, k, 0] * turned[0][0] + R[i, k, 1] * turned[1][0] + R[i, k, 2] * turned[2][0],
                R[i, k, 0] * turned[0][1] + R[i, k, 1] * turned[1][1] + R[i, k, 2] * turned[2][1],
                R[i, k, 0] * turned[0][2] + R[i, k, 1] * turned[1][2] + R[i, k, 2] * turned[2][2],
            )
            into = to_space(R, i, into)
            for l in range(3):
                N[at + 3 + k, at + 3 + l] += into[l]
        add_skew(N, at + 3, at + 3, -s, rate)
    fill(m, t, y.end, y.end, 1.0, s, y.multipliers, rank, choice, T)


@formula
def share_of(x: Vector) -> float:
    """Share of hat(x)² in the inverse of the tangent of exp: I + hat(x) / 2 + share hat(x)²."""
    size = dot(x, x)
    half = 0.5 * math.sqrt(size)
    return (1.0 - half / math.tan(half)) / size if size > 1e-4 else 1.0 / 12.0 + size / 720.0


@formula
def to_turned(row: Vector, x: Vector, share: float) -> Vector:
    """A row times I + hat(x) / 2 + share hat(x)²."""
    once = cross(row, x)
    twice = cross(once, x)
    return (
        row[0] + 0.5 * once[0] + share * twice[0],
        row[1] + 0.5 * once[1] + share * twice[1],
        row[2] + 0.5 * once[2] + share * twice[2],
    )


@formula
def _correct(m: Mechanism, s: float, y: Step, T: Tangent) -> float:
    """Correct v'1 and the multipliers: the squared correction of places and attitudes."""
    found = 0.0
    for i in range(m.mass.shape[0]):
        x = vector(y.turn, i)
        d = to_body(y.end.turns, i, (T.shift[i, 3], T.shift[i, 4], T.shift[i, 5]))
        share = share_of(x)
        once = cross(x, d)
        twice = cross(x, once)
        for k in range(3):
            w = d[k] + 0.5 * once[k] + share * twice[k]
            y.now[i, k] += T.shift[i, k] / s
            y.now[i, 3 + k] += w / s
            found += m.mass[i] * T.shift[i, k] * T.shift[i, k] + m.inertia[i, k] * w * w
    for j in range(m.kind.shape[0]):
        for n in range(m.hard[j]):
            y.multipliers[j, m.rows[j, n]] += T.change[j, m.rows[j, n]] / s
    return found


@unallocating
def _step(m: Mechanism, t: float, h: float, a: Room, y: Step, T: Tangent) -> bool:
    """One step to the time t [s]; False where it has no solution."""
    s, fast, large, exact = h * h * _BETA * _SHARE, _GAMMA / (h * _BETA), 0.0, is_exact(m)
    rank = choose(m, a.p, a.e, y.multipliers)
    if rank < 0:
        return False
    for i in range(m.mass.shape[0]):
        for k in range(6):
            y.known[i, k] = (_AF * y.fast[i, k] - _AM * y.slow[i, k]) / (1.0 - _AM)
            y.now[i, k] = y.fast[i, k]
        for k in range(3):
            large += m.mass[i] * (1e-3 + a.p.r[i, k] * a.p.r[i, k]) + m.inertia[i, k]
    before, found = 0.0, False
    for n in range(ITERATIONS):
        _place_end(m, h, a, y)
        if found:
            break
        if n == ITERATIONS - 1:
            return False
        fill_rows(m, y.end, y.end, T)
        _load(m, fast, y, T)
        _linearise(m, t, s, fast, a.e.choice, rank, y, T)
        solve(m, T)
        size = _correct(m, s, y, T)
        if not size < math.inf:
            return False
        found = is_found(size, before, large, exact)
        before = size
    copy(y.end, a.p)
    for i in range(m.mass.shape[0]):
        for k in range(6):
            a.u[i, k] = y.v[i, k]
            y.slow[i, k] = y.known[i, k] + _SHARE * y.now[i, k]
            y.fast[i, k] = y.now[i, k]
    return True


@kernel
def _loop(
    m: Mechanism, h: float, every: int, begin: float, steps: float, a: Room, y: Step, T: Tangent, out: Array
) -> int:
    if steps == 0.0:
        if not accelerate(m, begin, a):
            return 0
        for i in range(m.mass.shape[0]):
            for k in range(6):
                y.slow[i, k] = y.fast[i, k] = a.x[i, k]
    for row in range(out.shape[0]):
        for _ in range(every):
            steps += 1.0
            if not _step(m, begin + h * steps, h, a, y, T):
                return row
        pack(m, a.p, a.u, out[row])
    return len(out)


def march(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop, see physics.schemes.joint_march."""
    room, at, b, j = enter(mechanism, state), row_size(mechanism), len(mechanism.mass), len(mechanism.kind)
    memory = state[at + MEMORY :][: 12 * (b + j)]
    bodies, joints = memory[: 12 * b].reshape(2, b, 6), memory[12 * b :].reshape(2, j, 6)
    step = Step(
        end=new_pose(mechanism),
        v=np.zeros((b + 1, 6)),
        turn=np.zeros((b + 1, 3)),
        slow=bodies[0].copy(),
        fast=bodies[1].copy(),
        now=np.zeros((b, 6)),
        known=np.zeros((b, 6)),
        multipliers=joints[0].copy(),
    )
    begin, steps = state[at + BEGIN], state[at + STEPS]
    done = int(_loop(mechanism, h, every, begin, steps, room, step, new_tangent(mechanism), out))
    if done == len(out):
        bodies[0], bodies[1], joints[0] = step.slow, step.fast, step.multipliers
    return ended(mechanism, room, state, every, done, out)
