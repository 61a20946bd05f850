"""Loops of mechanisms: RATTLE around a free rotation and its compositions, and Runge-Kutta schemes by index 1.

RATTLE (Andersen 1983; Hairer, Lubich & Wanner, Geometric Numerical Integration, VII.1): half a kick of what acts and of
the joints' forces, a straight line of each centre of mass and the free rotation of the scheme, so that the joints are
closed at the end, and half a kick after which the velocities agree with them. Dampers act in the first half with the
rates before, in the second with those after, so that the step is symmetric: then compositions raise the order.
The forces of the first half come from the equations at its start, and by Newton's method where bodies turn far or the
joints lose their independence. With L constant, a turn x of a body in its free rotation follows

    I x' = dL + L x x,    I = R J R^T,

which with I constant, as that of a rotor, has the solution h dL = I (1 - Z/2 + share Z²) x, Z = h I^-1 hat(L), since
Z³ = -angle² Z; share is that of physics.schemes.joint_alpha for the angle. The first I is the mean of both ends.

Every loop has the signature of ``JointMarch``: every-th state into each row of out, which is the first part of a state;
``rows`` below ``len(out)`` and a residual of infinity mean that the step after the last row had no solution.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from physics.core.jit import brief, formula, unallocating
from physics.core.rotation import Array, Quaternion, Vector, cross, product
from physics.joints.elimination import factor, linearise, soften
from physics.joints.mechanism import BEGIN, BODY, EVALUATIONS, MEMORY, STEPS, Mechanism, row_size
from physics.joints.motion import (
    ENOUGH,
    ITERATIONS,
    ROUNDING,
    Room,
    accelerate,
    close,
    enter,
    leave,
    loop_result,
    match,
    respond,
    strike,
)
from physics.joints.rows import (
    MechanismPose,
    count,
    loads,
    misfit,
    new_pose,
    numbers_of,
    pack,
    place,
    plus,
    put_quaternion,
    times,
    to_body,
    to_space,
    vector_of,
)
from physics.joints.tangent import Border, Tangent, fill, fill_rows, new_tangent
from physics.joints.tangent import solve_tangent as solve_tangent
from physics.schemes import moser_veselov
from physics.schemes.composition import VERLET, Stages
from physics.schemes.dop853 import MAX_OWN_STEPS, solver_of
from physics.schemes.dormand_prince import integrator
from physics.schemes.free_rotation import odd_axis
from physics.schemes.joint_alpha import share_of
from physics.schemes.problem import Problem
from physics.schemes.ship_march import by_step
from physics.schemes.verlet import SCRATCH, as_long, by_symmetry, exactly

JointMarch = Callable[[Mechanism, float, int, Array, Array], tuple[int, float]]
JOINTS = Problem[JointMarch]("mechanisms", ("joints",))


# ---- RATTLE ----------------------------------------------------------------------------------------------


@formula
def freely(J: Vector, h: float, q: Quaternion, w: Vector, s: Array) -> tuple[Quaternion, Vector]:
    """The exact free rotation, with the size of the spin kept to rounding."""
    turned, after = by_symmetry(J, h, q, w, s) if odd_axis(J) >= 0 else exactly(J, h, q, w, s)
    return turned, as_long(J, w, after)


@formula
def _kick(m: Mechanism, share: float, f: Array, u: Array) -> None:
    """Add share M^-1 f to velocities (b + 1, 6)."""
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        for k in range(3):
            u[i, k] += share * f[i, k] / body.mass
            u[i, 3 + k] += share * f[i, 3 + k] / body.inertia[k]


@formula
def _before(m: Mechanism, h: float, damped: bool, a: Room) -> None:
    """First half of a kick: loads at the start, and a guess of the joints' forces.

    They differ from those before by h times a rate that changes evenly from step to step.
    """
    if damped:
        loads(m, a.p, a.u, 1.0, a.acting)
    _kick(m, 0.5 * h, a.acting, a.u)
    for i in range(m.bodies.shape[0] + 1):
        for k in range(6):
            a.f[i, k] = 0.0
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        first, second = joint.first, joint.second
        for n in range(joint.hard):
            row = joint.rows[n]
            rate, sooner = a.trend[0, j, row], a.trend[1, j, row]
            a.trend[0, j, row], a.trend[1, j, row] = 2.0 * rate - sooner, rate
            a.multipliers[j, row] += h * a.trend[0, j, row]
            for k in range(6):
                a.f[first, k] += a.multipliers[j, row] * a.e.rows[j, row, 0, k]
                a.f[second, k] += a.multipliers[j, row] * a.e.rows[j, row, 1, k]
    _kick(m, 0.5 * h, a.f, a.u)


@formula
def _after(m: Mechanism, t: float, h: float, damped: bool, a: Room) -> bool:
    """Second half of a kick, at a pose that is placed: loads, and the joints' forces by the velocities there."""
    count(m, a.p)
    loads(m, a.p, a.u, 0.0, a.acting)
    _kick(m, 0.5 * h, a.acting, a.u)
    linearise(m, a.p, a.e)
    if damped:
        soften(m, a.e, 0.5 * h)
    if not factor(m, a.e):
        return False
    match(m, t, a)
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for n in range(joint.hard):
            a.multipliers[j, joint.rows[n]] *= 2.0 / h
    a.e.count[0].soft = 0
    return factor(m, a.e) if damped else True


def _begin(m: Mechanism, t: float, first: bool, a: Room) -> bool:
    """Loads and equations at the start, and the joints' forces there unless they are known from the step before."""
    if first:
        good = accelerate(m, t, a)
    else:
        linearise(m, a.p, a.e)
        good = factor(m, a.e)
    loads(m, a.p, a.u, 0.0, a.acting)
    return good


@formula
def _steered(m: Mechanism, h: float, a: Room, end: MechanismPose, i: int, x: Vector) -> Vector:
    """h dL of body i, inertial, by which its free rotation ends turned by x, see above."""
    J, R = vector_of(m.bodies[i].inertia), a.p.bodies[i].turns
    L = (J[0] * a.u[i, 3], J[1] * a.u[i, 4], J[2] * a.u[i, 5])
    d, e = to_body(R, x), to_body(end.bodies[i].turns, x)
    size = (J[0] * L[0] * L[0] + J[1] * L[1] * L[1] + J[2] * L[2] * L[2]) / (J[0] * J[1] * J[2])
    share, c = share_of((h * math.sqrt(size), 0.0, 0.0)), times(h, cross(L, d))
    twice = cross(L, (h * share * c[0] / J[0], h * share * c[1] / J[1], h * share * c[2] / J[2]))
    found = (
        0.5 * (J[0] * d[0] - c[0]) + twice[0],
        0.5 * (J[1] * d[1] - c[1]) + twice[1],
        0.5 * (J[2] * d[2] - c[2]) + twice[2],
    )
    e = to_space(end.bodies[i].turns, (0.5 * J[0] * e[0], 0.5 * J[1] * e[1], 0.5 * J[2] * e[2]))
    return plus(e, to_space(R, found))


@unallocating
def _steer(m: Mechanism, t: float, h: float, a: Room, end: MechanismPose, T: Tangent, border: Border | None) -> None:
    """Correct the velocities at the start by the gaps at the end, where the free rotation leads, by Newton's method.

    The next step's guess begins anew, with the joints' forces before.
    """
    for j in range(m.joints.shape[0]):
        for k in range(6):
            a.trend[0, j, k], a.trend[1, j, k] = 0.0, 0.0
    for i in range(m.bodies.shape[0]):
        N, at = T.blocks[i], m.bodies[i].offset
        for k in range(3):
            N[at + k, k] = m.bodies[i].mass
            unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            column = _steered(m, h, a, end, i, unit)
            for c in range(3):
                N[at + 3 + c, at + 3 + k] = column[c]
    fill_rows(m, a.p, end, T)
    fill(m, t, a.p, end, 0.0, 1.0, a.e.nothing, T, border)
    solve_tangent(m, T, border)
    for i in range(m.bodies.shape[0]):
        d, J = T.bodies[i].shift, m.bodies[i].inertia
        turned = to_body(a.p.bodies[i].turns, _steered(m, h, a, end, i, (d[3], d[4], d[5])))
        for k in range(3):
            a.u[i, k] += d[k] / h
            a.u[i, 3 + k] += turned[k] / (h * J[k])


@formula
def is_damped(m: Mechanism) -> bool:
    """True if a joint or a spring has damping."""
    found = False
    for j in range(m.joints.shape[0]):
        found = found or m.joints[j].soft > 0
    for s in range(m.springs.shape[0]):
        found = found or m.springs[s].damping != 0.0
    return found


def _rattle(free: Any) -> Any:
    """The loop around a free rotation ``free(J, h, q, w, s) -> (q, w)``, for the shares of a composition."""

    @unallocating
    def drift(
        m: Mechanism, t: float, h: float, a: Room, end: MechanismPose, T: Tangent, border: Border | None, s: Array
    ) -> bool:
        before, slow, bodies = np.inf, False, m.bodies.shape[0]
        for k in range(len(end.numbers)):
            end.numbers[k] = a.p.numbers[k]
        for _ in range(ITERATIONS):
            for i in range(bodies):
                start = a.p.bodies[i]
                for k in range(3):
                    end.bodies[i].r[k] = start.r[k] + h * a.u[i, k]
                J, w = vector_of(m.bodies[i].inertia), (a.u[i, 3], a.u[i, 4], a.u[i, 5])
                q, w = free(J, h, numbers_of(start.q), w, s)
                put_quaternion(end, i, q)
                a.x[i, 0], a.x[i, 1], a.x[i, 2] = w
            gap = misfit(m, t, end, a.g)
            if gap <= ROUNDING or (gap <= ENOUGH and gap > 0.5 * before):
                for i in range(bodies):
                    a.u[i, 3], a.u[i, 4], a.u[i, 5] = a.x[i, 0], a.x[i, 1], a.x[i, 2]
                for k in range(len(end.numbers)):
                    a.p.numbers[k] = end.numbers[k]
                return True
            if not gap < np.inf:
                return False
            # by the equations at the start, which cost half as much, as long as gaps shrink to a tenth
            slow = slow or gap > max(0.1 * before, ENOUGH)
            before = gap
            if slow:
                _steer(m, t, h, a, end, T, border)
                continue
            for j in range(m.joints.shape[0]):
                for n in range(m.joints[j].hard):
                    a.g[j, m.joints[j].rows[n]] /= -h
            respond(m, a, a.more)
            strike(m, a)
            for j in range(m.joints.shape[0]):
                for n in range(m.joints[j].hard):
                    a.trend[0, j, m.joints[j].rows[n]] += 2.0 / (h * h) * a.more[j, m.joints[j].rows[n]]
        return False

    @unallocating
    def march(
        m: Mechanism, h: float, every: int, begin: float, steps: float, a: Room, end: MechanismPose, T: Tangent,
        border: Border | None, out: Array, shares: Array, s: Array,
    ) -> int:  # fmt: skip
        damped, good = is_damped(m), True
        for row in range(out.shape[0]):
            for _ in range(every):
                done = 0.0
                for i in range(len(shares)):
                    dt = shares[i] * h
                    done = done + shares[i] if i + 1 < len(shares) else 1.0
                    t = begin + h * (steps + done)
                    _before(m, dt, damped, a)
                    good = good and drift(m, t, dt, a, end, T, border, s) and _after(m, t, dt, damped, a)
                    if not good:
                        return row
                steps += 1.0
            pack(m, a.p, a.u, out[row])
        return len(out)

    return march


def _staged(loop: Any, stages: Stages) -> JointMarch:
    """A loop of RATTLE with the shares of a composition of Störmer-Verlet steps."""

    def march(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
        room, at = enter(mechanism, state), row_size(mechanism)
        known = state[at + MEMORY :][: 3 * room.multipliers.size].reshape(3, *room.multipliers.shape)
        room.multipliers[:], room.trend[:] = known[0], known[1:]
        begin, steps = state[at + BEGIN], state[at + STEPS]
        if not _begin(mechanism, begin + h * steps, steps == 0.0, room):
            return 0, math.inf
        end, (T, border) = new_pose(mechanism), new_tangent(mechanism, room.e)
        done = int(loop(mechanism, h, every, begin, steps, room, end, T, border, out, stages.turns, np.zeros(SCRATCH)))
        if done == len(out):
            known[0], known[1:] = room.multipliers, room.trend
        return loop_result(mechanism, room, state, every, done, out)

    return march


_EXACT = _rattle(freely)
march_moser_veselov = _staged(_rattle(by_step(moser_veselov.step)), VERLET)


def march_exactly(stages: Stages = VERLET) -> JointMarch:
    """RATTLE around the exact free rotation, in a composition of Störmer-Verlet steps."""
    return _staged(_EXACT, stages)


# ---- index 1 ---------------------------------------------------------------------------------------------


@formula
def _fill(m: Mechanism, y: Array, a: Room) -> None:
    """Fill the room by the numbers of all bodies, with quaternions of length 1."""
    for i in range(m.bodies.shape[0]):
        at, size = BODY * i, 0.0
        for k in range(4):
            size += y[at + 3 + k] * y[at + 3 + k]
        size = 1.0 / math.sqrt(size)
        for k in range(3):
            a.p.bodies[i].r[k], a.u[i, k], a.u[i, 3 + k] = y[at + k], y[at + 7 + k], y[at + 10 + k]
        for k in range(4):
            a.p.bodies[i].q[k] = size * y[at + 3 + k]


@unallocating
def _rates(m: Mechanism, t: float, y: Array, a: Room, found: Array) -> bool:
    """Rates of the numbers of all bodies (13 b,), see physics.joints.mechanism.BODY; False where there are none."""
    _fill(m, y, a)
    place(m, a.p)
    count(m, a.p)
    if not accelerate(m, t, a):
        return False
    for i in range(m.bodies.shape[0]):
        at, w = BODY * i, (0.0, 0.5 * a.u[i, 3], 0.5 * a.u[i, 4], 0.5 * a.u[i, 5])
        q = product((y[at + 3], y[at + 4], y[at + 5], y[at + 6]), w)
        for k in range(3):
            found[at + k], found[at + 7 + k], found[at + 10 + k] = a.u[i, k], a.x[i, k], a.x[i, 3 + k]
        found[at + 3], found[at + 4], found[at + 5], found[at + 6] = q
    return True


@unallocating
def _onto_joints(m: Mechanism, t: float, y: Array, a: Room) -> bool:
    """Move the numbers of all bodies onto joints and motors at a time [s], places first, and fill the room by them."""
    _fill(m, y, a)
    if not close(m, t, a):
        return False
    linearise(m, a.p, a.e)
    if not factor(m, a.e):
        return False
    match(m, t, a)
    return True


@unallocating
def _classical(m: Mechanism, h: float, every: int, begin: float, steps: float, a: Room, out: Array, work: Array) -> int:
    n, y, x, k, total = BODY * m.bodies.shape[0], work[0], work[1], work[2], work[3]
    for row in range(out.shape[0]):
        for _ in range(every):
            t, good = begin + h * steps, True
            pack(m, a.p, a.u, y)
            for i in range(n):
                x[i], total[i] = y[i], 0.0
            for stage in range(4):
                good = good and _rates(m, t + (0.0, 0.5 * h, 0.5 * h, h)[stage], x, a, k)
                for i in range(n):
                    total[i] += (1.0, 2.0, 2.0, 1.0)[stage] * k[i]
                    x[i] = y[i] + (0.5 * h, 0.5 * h, h, 0.0)[stage] * k[i]
            for i in range(n):
                y[i] += h / 6.0 * total[i]
            steps += 1.0
            good = good and _onto_joints(m, begin + h * steps, y, a)
            if not good:
                return row
        pack(m, a.p, a.u, out[row])
    return len(out)


def march_classical(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """Classical scheme of order 4; after each step quaternions are normalised, and joints closed."""
    room, at = enter(mechanism, state), row_size(mechanism)
    begin, steps, work = state[at + BEGIN], state[at + STEPS], np.empty((4, at))
    done = int(_classical(mechanism, h, every, begin, steps, room, out, work))
    return loop_result(mechanism, room, state, every, done, out)


LEAST_RADIUS = 1e-3  # share of the longest arm: the radius of gyration of a point mass is less than places are rounded
SPENT, EACH = 1e6, 5e3  # most evaluations, and for each step: where moments are rounding, its own steps do not grow
NEAR = 1e-9  # share of a step: a kink nearer to its ends is there


@brief
def _scaled_rates(m: Mechanism, t: float, y: Array, scale: Array, a: Room, at: Array, found: Array) -> bool:
    """Rates as ``_rates`` has them, for numbers divided by ``scale``; ``at`` (13 b,) is room to work in."""
    for i in range(len(y)):
        at[i] = y[i] * scale[i]
    good = _rates(m, t, at, a, found)
    for i in range(len(y)):
        found[i] = found[i] / scale[i] if good else np.nan
    return good


@brief
def _closed(m: Mechanism, t: float, y: Array, a: Room, out: Array) -> bool:
    """``_onto_joints``, and the result as a stored row."""
    good = _onto_joints(m, t, y, a)
    if good:
        pack(m, a.p, a.u, out)
    return good


def march_dop853(mechanism: Mechanism, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """DOP853 with steps of its own within each step; they end at the rows of motors' paths. Joints are closed then."""
    room, at, n = enter(mechanism, state), row_size(mechanism), BODY * len(mechanism.bodies)
    size = math.sqrt(float((mechanism.bodies.inertia.max(axis=1) / mechanism.bodies.mass).max()))
    size = max(size, LEAST_RADIUS * float(np.abs(mechanism.joints.arms).max(initial=0.0)))
    scale = np.tile([size] * 3 + [1.0] * 4 + [size] * 3 + [1.0] * 3, len(mechanism.bodies))  # radii of gyration
    found, work = np.empty(n), np.empty(n)
    kinks = np.unique(mechanism.path[:, 0])

    def rate(time: float, y: Array) -> Array:
        _scaled_rates(mechanism, time, y, scale, room, work, found)
        state[at + EVALUATIONS] += 1.0
        return found.copy()

    solved = solver_of(rate, MAX_OWN_STEPS)
    for row in range(len(out)):
        for _ in range(every):
            begin = float(state[at + BEGIN] + h * state[at + STEPS])
            end = float(state[at + BEGIN] + h * (state[at + STEPS] + 1.0))
            stops = [begin, *kinks[(kinks > begin + NEAR * h) & (kinks < end - NEAR * h)], end]
            y: Array | None = state[:n] / scale
            for start, stop in pairwise(stops):
                y = None if y is None else solved(y, start, stop)
            if y is None or not _closed(mechanism, end, y * scale, room, state):
                return row, math.inf
            state[at + STEPS] += 1.0
            if state[at + EVALUATIONS] > SPENT + EACH * state[at + STEPS]:
                return row, math.inf
        out[row] = state[:at]
    leave(mechanism, room, state)
    return len(out), 0.0


@unallocating
def _settled(m: Mechanism, t: float, y: Array, a: Room) -> bool:
    """``_onto_joints``, and the result in place of the numbers."""
    good = _onto_joints(m, t, y, a)
    if good:
        pack(m, a.p, a.u, y)
    return good


march_truth = integrator(_rates, _settled)
