"""Motion of mechanisms at one time: accelerations by index 1, projection on the joints, forces in the joints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, unallocating
from physics.core.records import Records
from physics.core.rotation import Array, Vector, cross, exp_half, product, renormalised
from physics.joints.elimination import CUT, JointEquations, factor, linearise, new_equations, solve_constrained
from physics.joints.mechanism import MEMORY, RANK, STEPS, Mechanism, memory_size, motion_of, row_size
from physics.joints.rows import (
    MechanismPose,
    count,
    gamma,
    gaps,
    gyroscopic,
    loads,
    minus,
    misfit,
    new_pose,
    pack,
    place,
    put_quaternion,
    quaternion,
    row_of,
    row_rates,
    speeds,
    unpack,
    vector,
)

ITERATIONS = 50  # iterations of Newton's method
ROUNDING = 1e-15  # rounding of a gap beside the size of the mechanism
ENOUGH = 1e-12  # the same where gaps do not get smaller any more


class Room(NamedTuple):
    """A pose with its velocities and equations, and arrays to work in.

    Attributes
    ----------
    p, e : pose and equations; u : (b + 1, 6) velocities
    f, x : (b + 1, 6) loads, and what they give; g, multipliers, more : (j, 6)
    acting : (b + 1, 6) loads at the pose; before : (b + 1,) bodies of another pose
    trend : (2, j, 6) changes of multipliers in the last two steps by time, for a guess
    """

    p: MechanismPose
    e: JointEquations
    u: Array
    f: Array
    x: Array
    g: Array
    multipliers: Array
    more: Array
    acting: Array
    trend: Array
    before: Records


def new_room(mechanism: Mechanism) -> Room:
    """Room for one mechanism, to be filled from a state by ``enter``."""
    pose, body, joint = new_pose(mechanism), (len(mechanism.bodies) + 1, 6), (len(mechanism.joints), 6)
    arrays = [np.zeros(shape) for shape in (body, body, body, joint, joint, joint, body, (2, *joint))]
    arrays.append(pose.bodies.copy())
    return Room(pose, new_equations(mechanism), *arrays)


def enter(mechanism: Mechanism, state: Array) -> Room:
    """Room with the motion of a state, and with the rows of the border that it has chosen."""
    room, at, found = new_room(mechanism), row_size(mechanism), motion_of(mechanism, state[None])
    room.p.bodies.r[:-1], room.p.bodies.q[:-1], room.p.joints.coordinates = found.r, found.q, found.coordinates[0]
    room.u[:-1, :3], room.u[:-1, 3:] = found.v, found.w
    place(mechanism, room.p)
    count(mechanism, room.p)
    room.e.count[0].rank = int(state[at + RANK])
    chosen = state[at + MEMORY + memory_size(mechanism) :]
    if room.e.count[0].rank >= 0:
        room.e.choice[:] = chosen
    return room


def leave(mechanism: Mechanism, room: Room, state: Array) -> None:
    """Keep the chosen rows of the border in a state."""
    at = row_size(mechanism)
    state[at + RANK] = room.e.count[0].rank
    state[at + MEMORY + memory_size(mechanism) :] = room.e.choice


def loop_result(mechanism: Mechanism, room: Room, state: Array, every: int, done: int, out: Array) -> tuple[int, float]:
    """Result of a loop that has filled ``done`` rows of ``out``; where these are all, its end is kept in the state."""
    if done < len(out):
        return done, np.inf
    pack(mechanism, room.p, room.u, state)
    state[row_size(mechanism) + STEPS] += every * len(out)
    leave(mechanism, room, state)
    return done, 0.0


# ---- index 1 ---------------------------------------------------------------------------------------------


@unallocating
def accelerate(m: Mechanism, t: float, a: Room) -> bool:
    """Accelerations ``a.x`` and ``a.multipliers`` [N], [N m] at a time [s] from a pose that is placed and counted.

    The rows are linearised and factored without the soft ones. False where that fails.
    """
    linearise(m, a.p, a.e)
    if not factor(m, a.e):
        return False
    fill_sides(m, t, a)
    solve_constrained(m, a.e, a.f, a.g, a.x, a.multipliers)
    return True


@formula
def fill_sides(m: Mechanism, t: float, a: Room) -> None:
    """Right sides of the equations of motion: ``a.f`` loads less gyroscopic torques, ``a.g`` gamma of the rows."""
    loads(m, a.p, a.u, 1.0, a.f)
    for i in range(m.bodies.shape[0]):
        n = gyroscopic(m, a.u, i)
        for k in range(3):
            a.f[i, 3 + k] -= n[k]
    gamma(m, t, a.p, a.u, a.g)


@formula
def respond(m: Mechanism, a: Room, multipliers: Array) -> None:
    """Changes ``a.x`` (b, 6) by which the rows change by ``a.g``, least in the metric of the masses."""
    for i in range(m.bodies.shape[0]):
        for k in range(6):
            a.f[i, k] = 0.0
    solve_constrained(m, a.e, a.f, a.g, a.x, multipliers)


@formula
def strike(m: Mechanism, a: Room) -> None:
    """Change the velocities as ``respond`` found."""
    for i in range(m.bodies.shape[0]):
        for k in range(6):
            a.u[i, k] += a.x[i, k]


# ---- projection ------------------------------------------------------------------------------------------


@unallocating
def close(m: Mechanism, t: float, a: Room) -> bool:
    """Move the pose onto the joints and motors at a time [s], by Newton's method, least in the metric of the masses.

    False where gaps stay above ENOUGH. At the end the pose is placed and counted; the rows are those of the last step.
    """
    before = np.inf
    for _ in range(ITERATIONS):
        gap = misfit(m, t, a.p, a.g)
        if gap <= ROUNDING or (gap <= ENOUGH and gap > 0.5 * before):
            count(m, a.p)
            return True
        before = gap
        linearise(m, a.p, a.e)
        if not gap < np.inf or not factor(m, a.e):
            return False
        for j in range(m.joints.shape[0]):
            for k in range(6):
                a.g[j, k] = -a.g[j, k]
        respond(m, a, a.more)
        for i in range(m.bodies.shape[0]):
            for k in range(3):
                a.p.bodies[i].r[k] += a.x[i, k]
            turn(a.p, i, (a.x[i, 3], a.x[i, 4], a.x[i, 5]))
    return False


@formula
def turn(p: MechanismPose, i: int, theta: Vector) -> None:
    """Turn body i by a rotation vector in its own axes [rad]."""
    put_quaternion(p, i, renormalised(product(quaternion(p, i), exp_half(theta))))


@unallocating
def match(m: Mechanism, t: float, a: Room) -> None:
    """Move the velocities onto the joints and motors at a time [s]; the equations are factored at the pose.

    ``a.multipliers`` are the impulses [N s], [N m s], those of the dampers too after ``soften``.
    """
    row_rates(m, a.e.rows, a.u, a.more)
    speeds(m, t, a.g)
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for n in range(joint.hard + joint.soft):
            row = joint.rows[n]
            a.g[j, row] = (a.g[j, row] if n < joint.hard else 0.0) - a.more[j, row]
    for s in range(m.springs.shape[0]):
        one = m.springs[s]
        first, second, found = one.bodies[0], one.bodies[1], 0.0
        for k in range(6):
            found += a.e.springs[s, 0, k] * a.u[first, k] + a.e.springs[s, 1, k] * a.u[second, k]
        a.e.dampers[s].right = -found
    respond(m, a, a.multipliers)
    strike(m, a)


# ---- forces in joints ------------------------------------------------------------------------------------


class JointLoads(NamedTuple):
    """Forces and torques of joints on their second bodies, inertial.

    force, torque : (n, j, 3) [N], [N m] of constraints and motors, the torque about the joint's point
    rank : (n,) independent ones of the hard rows; below their number the forces are those of least norm
    """

    force: Array
    torque: Array
    rank: np.ndarray


def joint_loads(mechanism: Mechanism, times: Array, rows: Array) -> JointLoads:
    """Loads of the joints in stored rows (n, row_size) at times (n,) [s], by the accelerations there."""
    n, j = len(times), len(mechanism.joints)
    multipliers = np.zeros((n, j, 6))
    force, torque = np.zeros((2, n, j, 3))
    found = JointLoads(force, torque, np.zeros(n, np.int64))
    room = new_room(mechanism)
    _multipliers(mechanism, times, rows, room, multipliers, found.rank)
    for i in np.flatnonzero(found.rank < mechanism.constraint_count):
        unpack(mechanism, rows[i], room.p, room.u)
        linearise(mechanism, room.p, room.e)
        multipliers[i] = _of_least_norm(mechanism, room.e.rows, multipliers[i])
    _as_loads(mechanism, rows, multipliers, room, found.force, found.torque)
    return found


def joint_gaps(mechanism: Mechanism, times: Array, rows: Array) -> Array:
    """Gaps (n, j, 6) [m] or radians of the hard rows in stored rows (n, row_size) at times (n,) [s]."""
    room, found = new_room(mechanism), np.zeros((len(times), len(mechanism.joints), 6))
    _gaps_along(mechanism, times, rows, room.p, room.u, found)
    return found


@unallocating
def _gaps_along(m: Mechanism, times: Array, rows: Array, p: MechanismPose, u: Array, found: Array) -> None:
    for i in range(len(times)):
        unpack(m, rows[i], p, u)
        gaps(m, times[i], p, found[i])


@unallocating
def _multipliers(m: Mechanism, at: Array, rows: Array, a: Room, multipliers: Array, rank: np.ndarray) -> None:
    hard = 0
    for j in range(m.joints.shape[0]):
        hard += m.joints[j].hard
    closing = 0
    for i in range(m.border.shape[0]):
        j = m.border[i, 0]
        if j >= 0 and (i == 0 or m.border[i - 1, 0] != j):
            closing += m.joints[j].hard
    for i in range(len(at)):
        unpack(m, rows[i], a.p, a.u)
        good = accelerate(m, at[i], a)
        rank[i] = hard - (closing - max(a.e.count[0].rank, 0))
        for j in range(m.joints.shape[0]):
            for k in range(6):
                multipliers[i, j, k] = a.multipliers[j, k] if good else np.nan


def _of_least_norm(mechanism: Mechanism, jacobian: Array, multipliers: Array) -> Array:
    """The smallest multipliers (j, 6) with the same effect on all bodies; NaN where these are too large for numbers."""
    b = len(mechanism.bodies)
    used = [(j, row) for j, joint in enumerate(mechanism.joints) for row in joint.rows[: joint.hard]]
    G = np.zeros((len(used), b + 1, 6))
    for i, (j, row) in enumerate(used):
        G[i, mechanism.joints[j].first] += jacobian[j, row, 0]
        G[i, mechanism.joints[j].second] += jacobian[j, row, 1]
    inertia = np.column_stack([np.repeat(mechanism.bodies.mass[:, None], 3, axis=1), mechanism.bodies.inertia])
    found, at = np.zeros_like(multipliers), tuple(np.array(used).T)
    with np.errstate(over="ignore", invalid="ignore"):
        effect = (G[:, :b] / np.sqrt(inertia)).reshape(len(used), -1).T
        whole = effect @ multipliers[at]
    if not (np.isfinite(effect).all() and np.isfinite(whole).all()):
        return np.full_like(multipliers, np.nan)
    found[at] = np.linalg.lstsq(effect, whole, rcond=np.sqrt(CUT))[0]
    return found


@unallocating
def _as_loads(m: Mechanism, rows: Array, multipliers: Array, a: Room, force: Array, torque: Array) -> None:
    for i in range(len(rows)):
        unpack(m, rows[i], a.p, a.u)
        for j in range(m.joints.shape[0]):
            joint = m.joints[j]
            for n in range(joint.hard):
                row = joint.rows[n]
                f, _, on_second = row_of(m, a.p, j, row)
                on_second = minus(on_second, cross(vector(a.p.joints[j].levers, 1), f))
                for k in range(3):
                    force[i, j, k] += multipliers[i, j, row] * f[k]
                    torque[i, j, k] += multipliers[i, j, row] * on_second[k]
