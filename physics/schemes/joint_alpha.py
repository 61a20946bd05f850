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

from physics.core.jit import formula, unallocating
from physics.core.records import Records, records
from physics.core.rotation import Array, Vector, cross, dot, exp_half, product, renormalised
from physics.joints.mechanism import BALL, BEGIN, CONSTRAINTS, MEMORY, STEPS, Mechanism, row_size
from physics.joints.motion import Room, accelerate, enter, loop_result
from physics.joints.rows import (
    MechanismPose,
    count,
    new_pose,
    pack,
    place,
    put_quaternion,
    quaternion,
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
from physics.schemes.lie_newmark import weights

_AM, _AF, _GAMMA, _BETA = weights(0.9)
_SHARE = (1.0 - _AF) / (1.0 - _AM)  # share of v'1 in a1


class AlphaRoom(NamedTuple):
    """Room for a step.

    end : the pose there
    bodies : (b + 1,) records

        v : (6,) velocities at the end; turn : (3,) in the axes there
        slow : (6,) a, fast : (6,) v', now : (6,) v'1; known : (6,) what a1 has without v'1

    multipliers : (j, 6), see physics.joints.tangent
    """

    end: MechanismPose
    bodies: Records
    multipliers: Array


_BODY = [("turn", float, 3), *((name, float, 6) for name in ("v", "slow", "fast", "now", "known"))]


@formula
def _place_end(m: Mechanism, h: float, a: Room, y: AlphaRoom) -> None:
    """The end's pose and velocities from v'1."""
    p, x, u = a.p, y.end, a.u
    for i in range(m.bodies.shape[0]):
        for k in range(6):
            a1 = y.bodies[i].known[k] + _SHARE * y.bodies[i].now[k]
            y.bodies[i].v[k] = u[i, k] + h * ((1.0 - _GAMMA) * y.bodies[i].slow[k] + _GAMMA * a1)
            way = h * u[i, k] + h * h * ((0.5 - _BETA) * y.bodies[i].slow[k] + _BETA * a1)
            if k < 3:
                x.bodies[i].r[k] = p.bodies[i].r[k] + way
            else:
                y.bodies[i].turn[k - 3] = way
        q = renormalised(product(quaternion(p, i), exp_half(vector_of(y.bodies[i].turn))))
        put_quaternion(x, i, q)
    for j in range(m.joints.shape[0]):
        for c in range(3):
            x.joints[j].coordinates[c] = p.joints[j].coordinates[c]
    place(m, x)
    count(m, x)


@formula
def _load(m: Mechanism, fast: float, y: AlphaRoom, T: Tangent, border: Border | None) -> None:
    """Loads of coordinates and springs at the end, and how they change with coordinates; fast: by which rates do."""
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        a, b, constraints = joint.first, joint.second, CONSTRAINTS[joint.kind]
        wa = to_space(y.end.bodies[a].turns, (y.bodies[a].v[3], y.bodies[a].v[4], y.bodies[a].v[5]))
        wb = to_space(y.end.bodies[b].turns, (y.bodies[b].v[3], y.bodies[b].v[4], y.bodies[b].v[5]))
        for row in range(6):
            rate, c = 0.0, row - constraints
            if c < 0 or not loaded(m, j, c):
                continue
            for k in range(3):
                rate += T.joints[j].ending[row, 6 + k] * (y.bodies[b].v[k] - y.bodies[a].v[k])
                rate += T.joints[j].ending[row, 3 + k] * wa[k] + T.joints[j].ending[row, 9 + k] * wb[k]
            stiffness, damping = joint.stiffness[c], joint.damping[c]
            away = y.end.joints[j].coordinates[c] - joint.rest[c] if joint.kind != BALL else 0.0
            T.joints[j].loads[c] = joint.load[c] - stiffness * away - damping * rate
            T.joints[j].slopes[c] = -stiffness - damping * fast
    if border is None:
        return
    for i in range(m.springs.shape[0]):
        one, spring = m.springs[i], border.springs[i]
        a, b = one.bodies[0], one.bodies[1]
        la, lb, d = ends_of(m, y.end, i)
        wa = cross(to_space(y.end.bodies[a].turns, (y.bodies[a].v[3], y.bodies[a].v[4], y.bodies[a].v[5])), la)
        wb = cross(to_space(y.end.bodies[b].turns, (y.bodies[b].v[3], y.bodies[b].v[4], y.bodies[b].v[5])), lb)
        apart = (
            y.bodies[b].v[0] + wb[0] - y.bodies[a].v[0] - wa[0],
            y.bodies[b].v[1] + wb[1] - y.bodies[a].v[1] - wa[1],
            y.bodies[b].v[2] + wb[2] - y.bodies[a].v[2] - wa[2],
        )
        size = dot(d, d)
        length = math.sqrt(size)
        stiffness, damping, rest = one.stiffness, one.damping, one.rest
        spring.load = -stiffness * (length - rest) / length - damping * dot(d, apart) / size
        spring.slope = -(stiffness * rest / length + damping * fast) / size


@formula
def _linearise(m: Mechanism, s: float, fast: float, y: AlphaRoom, T: Tangent) -> None:
    """Blocks and right sides of the bodies at an iterate, all times s; those of joints: physics.joints.tangent."""
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        N, R, J = T.blocks[i], y.end.bodies[i].turns, vector_of(body.inertia)
        now, v = y.bodies[i].now, y.bodies[i].v
        at, w, x = body.offset, (v[3], v[4], v[5]), vector_of(y.bodies[i].turn)
        spin = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
        c = cross(w, spin)
        rate = to_space(R, (J[0] * now[3] + c[0], J[1] * now[4] + c[1], J[2] * now[5] + c[2]))
        for k in range(3):
            N[at + k, k] = body.mass
            T.bodies[i].right[k] = s * body.mass * (m.gravity[k] - now[k])
            T.bodies[i].right[3 + k] = -s * rate[k]
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
                R[k, 0] * turned[0][0] + R[k, 1] * turned[1][0] + R[k, 2] * turned[2][0],
                R[k, 0] * turned[0][1] + R[k, 1] * turned[1][1] + R[k, 2] * turned[2][1],
                R[k, 0] * turned[0][2] + R[k, 1] * turned[1][2] + R[k, 2] * turned[2][2],
            )
            into = to_space(R, into)
            for l in range(3):
                N[at + 3 + k, at + 3 + l] += into[l]
        add_skew(N, at + 3, at + 3, -s, rate)


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
def _correct(m: Mechanism, s: float, y: AlphaRoom, T: Tangent) -> float:
    """Correct v'1 and the multipliers: the squared correction of places and attitudes."""
    found = 0.0
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        x = vector_of(y.bodies[i].turn)
        d = to_body(y.end.bodies[i].turns, (T.bodies[i].shift[3], T.bodies[i].shift[4], T.bodies[i].shift[5]))
        share = share_of(x)
        once = cross(x, d)
        twice = cross(x, once)
        for k in range(3):
            w = d[k] + 0.5 * once[k] + share * twice[k]
            y.bodies[i].now[k] += T.bodies[i].shift[k] / s
            y.bodies[i].now[3 + k] += w / s
            found += body.mass * T.bodies[i].shift[k] * T.bodies[i].shift[k] + body.inertia[k] * w * w
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for n in range(joint.hard):
            y.multipliers[j, joint.rows[n]] += T.joints[j].change[joint.rows[n]] / s
    return found


@formula
def _begin(m: Mechanism, p: MechanismPose, y: AlphaRoom) -> float:
    """Guesses for the end: the squared size of all bodies and their distances."""
    large = 0.0
    for i in range(m.bodies.shape[0]):
        body, one = m.bodies[i], y.bodies[i]
        for k in range(6):
            one.known[k] = (_AF * one.fast[k] - _AM * one.slow[k]) / (1.0 - _AM)
            one.now[k] = one.fast[k]
        for k in range(3):
            r = p.bodies[i].r[k]
            large += body.mass * (1e-3 + r * r) + body.inertia[k]
    return large


@formula
def _finish(m: Mechanism, a: Room, y: AlphaRoom) -> None:
    """Make the end the start of the next step."""
    for k in range(len(y.end.numbers)):
        a.p.numbers[k] = y.end.numbers[k]
    for i in range(m.bodies.shape[0]):
        one = y.bodies[i]
        for k in range(6):
            a.u[i, k] = one.v[k]
            one.slow[k] = one.known[k] + _SHARE * one.now[k]
            one.fast[k] = one.now[k]


@unallocating
def _loop(
    m: Mechanism,
    h: float,
    every: int,
    begin: float,
    steps: float,
    exact: bool,
    a: Room,
    y: AlphaRoom,
    T: Tangent,
    border: Border | None,
    out: Array,
) -> int:
    s, fast = h * h * _BETA * _SHARE, _GAMMA / (h * _BETA)
    for row in range(out.shape[0]):
        for _ in range(every):
            steps += 1.0
            if border is not None and not choose(m, a.p, y.multipliers, border):
                return row
            large, before, found = _begin(m, a.p, y), 0.0, False
            for n in range(ITERATIONS):
                _place_end(m, h, a, y)
                if found:
                    break
                if n == ITERATIONS - 1:
                    return row
                fill_rows(m, y.end, y.end, T)
                _load(m, fast, y, T, border)
                _linearise(m, s, fast, y, T)
                add_righting(m, y.end, y.end, 1.0, s, T)
                fill(m, begin + h * steps, y.end, y.end, 1.0, s, y.multipliers, T, border)
                solve_tangent(m, T, border)
                size = _correct(m, s, y, T)
                if not size < math.inf:
                    return row
                found = is_found(size, before, large, exact)
                before = size
            _finish(m, a, y)
        pack(m, a.p, a.u, out[row])
    return len(out)


def march(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The loop, see physics.schemes.joint_march."""
    room, at, b, j = enter(mechanism, state), row_size(mechanism), len(mechanism.bodies), len(mechanism.joints)
    memory = state[at + MEMORY :][: 12 * (b + j)]
    bodies, joints = memory[: 12 * b].reshape(2, b, 6), memory[12 * b :].reshape(2, j, 6)
    step = AlphaRoom(new_pose(mechanism), records(b + 1, _BODY), joints[0].copy())
    step.bodies.slow[:b], step.bodies.fast[:b] = bodies
    begin, steps = state[at + BEGIN], state[at + STEPS]
    if steps == 0.0:
        if not accelerate(mechanism, begin, room):
            return 0, math.inf
        step.bodies.slow[:], step.bodies.fast[:] = room.x, room.x
    tangent = new_tangent(mechanism, room.e)
    done = int(_loop(mechanism, h, every, begin, steps, is_exact(mechanism), room, step, *tangent, out))
    if done == len(out):
        bodies[0], bodies[1], joints[0] = step.bodies.slow[:b], step.bodies.fast[:b], step.multipliers
    return loop_result(mechanism, room, state, every, done, out)
