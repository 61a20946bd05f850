"""Mechanisms as compiled code takes them: bodies, joints, what acts on them, and their tree; states and stored rows.

A joint couples a first and a second body, each a number or GROUND. It has six rows: its constraints, then its
coordinates, as ROWS says. A row is one of

    ALONG         e.D          e an axis of the first body's triad, D = p_second - p_first; a force at p_second on both
    ACROSS        e.f          f an axis of the second body's triad
    TURN_FIRST    angle        about an axis of the first body's triad; its rate is u.(W_second - W_first)
    TURN_SECOND   the same about an axis of the second body's triad

A constraint, and a coordinate with a motor, is a hard row: gap = row - target = 0. A coordinate with damping is a soft
row, which implicit schemes treat as a row with a compliance. Arrays over rows have the shape (j, 6) with zeros where a
row is neither.

Velocities are (b, 6): of the centre of mass in inertial axes, angular in principal axes. Loads and rows of the Jacobian
follow the same axes, so that the mass matrix is diag(m, m, m, J). With rows G and multipliers:

    M a = loads - gyroscopic + G^T multipliers,    G a = gamma

The pieces: physics.joints.rows evaluates gaps, the Jacobian, loads and gamma at a ``MechanismPose``;
physics.joints.elimination solves the equations in O(n); physics.schemes.joint_march has the loops. ``start_state``
gives the state of a loop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from physics.core.records import Records, records
from physics.core.rotation import Array, matrix
from physics.joints.joint_types import JOINT_TYPES, NAMES, POINT

GROUND = -1
TYPES = tuple(JOINT_TYPES.values())  # a joint's kind is the number of its type
BALL, HINGE, UNIVERSAL = map(NAMES.index, ("ball", "hinge", "universal"))
POINTS = tuple(n for n, one in enumerate(TYPES) if one.constraints[:3] == POINT)  # let their bodies share a point
ROWS = np.array([(*one.constraints, *(coordinate.row for coordinate in one.coordinates)) for one in TYPES])
ROW_KINDS, ROW_FIRST, ROW_SECOND = (np.ascontiguousarray(ROWS[:, :, i]) for i in range(3))
CONSTRAINTS = np.array([len(one.constraints) for one in TYPES])  # rows of each kind; the others are its coordinates

NO_MOTOR, RATE, PATH, SINE = range(4)


_TREE = ("order", "parent", "side", "carrier", "offset", "unknowns")
_BODY = [("mass", float), ("inertia", float, 3), ("restoring", float, 6), *((name, int) for name in _TREE)]
_COORDINATES = [(name, float, 3) for name in ("stiffness", "rest", "damping", "load")]
_JOINT = [
    *((name, int) for name in ("kind", "first", "second", "hard", "soft", "closes", "point", "acts")),
    ("arms", float, (2, 3)),
    ("triads", float, (2, 3, 3)),
    *_COORDINATES,
    ("motor", int, 3),
    ("motors", float, (3, 5)),
    ("rows", int, 6),
]
_SPRING = [("bodies", int, 2), ("points", float, (2, 3)), ("stiffness", float), ("damping", float), ("rest", float)]


class Mechanism(NamedTuple):
    """Bodies, joints and springs, all in principal axes; those of the ground are the inertial ones.

    Attributes
    ----------
    bodies : (b,) records

        mass [kg]; inertia : (3,) principal moments [kg m²]
        restoring : (6,) K [N m] of what rights it, xx, yy, zz, xy, xz, yz: V = u.Ku/2 with u = ``up`` in its axes
        order : number of the body that is the next one on the way from the leaves of the tree to its roots
        parent : joint that leads to the root, -1 at a floating root; side : 0 or 1, which body of it this one is
        carrier : body at its other side, -1 for none
        unknowns : number of those of the body and its parent; offset : how many come before the body's equations, see
            physics.joints.tangent

    joints : (j,) records

        kind : number of its type in JOINT_TYPES; first, second : numbers of bodies
        arms : (2, 3) from the centre of mass of the first and of the second body to the joint's point [m]
        triads : (2, 3, 3) unit vectors u, x, y in the axes of the first and of the second body; u is ``axis``. Of a
            universal joint those of the first are (axis, axis2, axis x axis2), of the second (axis2, axis, axis2 x
            axis)
        stiffness, rest, damping, load : (3,) of the coordinates, a force or torque -k (x - rest) - c x' + load; x is
            counted, beyond half a turn too; a ball has damping alone, equal on its three rates
        motor : (3,) NO_MOTOR, RATE, PATH or SINE; motors : (3, 5) its numbers: PATH: the first of its rows of ``path``
            and their number; else value at time 0, or mean, and rate; amplitude, frequency [Hz], phase [rad]
        rows : (6,) numbers of the rows in use, the hard ones first; hard, soft : how many there are of each
        closes : 1 if it closes a loop; point : 1 if it does not, and its first three rows let its bodies share a point
        acts : 1 if something acts on its coordinates, or a motor drives one

    springs : (s,) records

        bodies : (2,); points : (2, 3) [m]; stiffness [N/m], damping [N s/m]; rest : length [m]

    gravity : (3,) [m/s²]; up : (3,) unit vector against it, 0 without
    path : (n, 3) times [s], values and rates of motors: between two rows a quintic without acceleration at both, before
        the first and after the last on at their rate
    border : (n, 2) joint and row of those that close loops, hard or soft, and (-1, spring) of springs with damping
    """

    bodies: Records
    joints: Records
    springs: Records
    gravity: Array
    up: Array
    path: Array
    border: np.ndarray

    @property
    def grounded(self) -> bool:
        """True if a joint or a spring holds a body to the ground."""
        held = (self.joints.first, self.joints.second, self.springs.bodies)
        return any(bool((bodies == GROUND).any()) for bodies in held)

    @property
    def constraint_count(self) -> int:
        """Number of hard rows, redundant ones included."""
        return int(self.joints.hard.sum())


# ---- from a drawing ------------------------------------------------------------------------------------


class Joint(NamedTuple):
    """A joint in the drawing, in inertial axes; see ``Mechanism`` for the numbers of its coordinates.

    at : (3,) [m]; axis, axis2 : of any length but 0; a ball and a fixed joint need none
    motor : of each coordinate None, or (RATE, w, value at time 0), (PATH, rows (n, 3)) or (SINE, mean, amplitude,
        frequency, phase)
    """

    kind: int
    first: int
    second: int
    at: ArrayLike
    axis: ArrayLike = (0.0, 0.0, 1.0)
    axis2: ArrayLike = (1.0, 0.0, 0.0)
    stiffness: Sequence[float] = ()
    rest: Sequence[float] = ()
    damping: Sequence[float] = ()
    load: Sequence[float] = ()
    motor: Sequence[tuple[Any, ...] | None] = ()


class Spring(NamedTuple):
    """A spring between two points of the drawing, ``start`` on the first body [m]; rest is a length [m]."""

    first: int
    second: int
    start: ArrayLike
    end: ArrayLike
    stiffness: float
    damping: float
    rest: float


def triads(kind: int, axis: ArrayLike, axis2: ArrayLike) -> Array:
    """Triads (2, 3, 3) of a joint in the drawing: of its first and of its second body, see ``Mechanism``."""
    u = np.asarray(axis, float) / np.linalg.norm(axis)
    if kind == UNIVERSAL:
        x = np.asarray(axis2, float) / np.linalg.norm(axis2)
        return np.array([[u, x, np.cross(u, x)], [x, u, np.cross(x, u)]])
    least = np.eye(3)[np.abs(u).argmin()]
    x = np.cross(u, least) / np.linalg.norm(np.cross(u, least))
    return np.array([[u, x, np.cross(u, x)]] * 2)


def from_drawing(
    mass: ArrayLike,
    inertia: ArrayLike,
    position: ArrayLike,
    orientation: ArrayLike,
    joints: Sequence[Joint],
    springs: Sequence[Spring] = (),
    gravity: ArrayLike = (0.0, 0.0, -9.81),
    restoring: ArrayLike = 0.0,
) -> Mechanism:
    """The mechanism of a drawing, where all angles and travels are 0.

    Parameters
    ----------
    mass : (b,) [kg]; inertia : (b, 3) about the principal axes [kg m²]
    position : (b, 3) of the centres of mass [m]; orientation : (b, 4) of the principal axes, in the drawing
    restoring : (b, 6) of what rights them, see ``Mechanism``; 0: nothing
    """
    mass = np.array(mass, float)
    b, n, s = len(mass), len(joints), len(springs)
    position, orientation = np.reshape(position, (b, 3)), np.reshape(orientation, (b, 4))
    turns = np.array([*matrix(orientation), np.eye(3)]) if b else np.eye(3)[None]
    centres = np.array([*position, np.zeros(3)], float)  # the last is the ground, which the number -1 finds

    def arm(body: int, point: ArrayLike) -> Array:
        return np.asarray((np.asarray(point, float) - centres[body]) @ turns[body])

    path = [np.empty((0, 3))]
    bodies, coupled, sprung = records(b, _BODY), records(n, _JOINT), records(s, _SPRING)
    bodies.mass, bodies.inertia, bodies.restoring = mass, np.reshape(inertia, (b, 3)), restoring
    bodies.order, bodies.parent, bodies.side = _tree(b, [joint[1:3] for joint in joints])
    for joint, into in zip(joints, coupled, strict=True):
        into.kind, ends = joint.kind, joint[1:3]
        into.first, into.second = ends
        into.arms = [arm(body, joint.at) for body in ends]
        axes = triads(joint.kind, joint.axis, joint.axis2)
        into.triads = [triad @ turns[body] for triad, body in zip(axes, ends, strict=True)]
        for name, *_ in _COORDINATES:
            given = getattr(joint, name)
            into[name][: len(given)] = given
        if joint.kind == BALL:
            into.damping[1:] = into.damping[0]
        for c, given_motor in enumerate(joint.motor):
            if given_motor is None:
                continue
            into.motor[c], values = given_motor[0], given_motor[1:]
            if into.motor[c] == PATH:
                table = np.reshape(np.asarray(values[0], float), (-1, 3))
                into.motors[c, :2] = sum(map(len, path)), len(table)
                path.append(table)
            else:
                into.motors[c, [1, 0] if into.motor[c] == RATE else [0, 2, 3, 4]] = values
        _use_rows(into)
    for spring, into in zip(springs, sprung, strict=True):
        into.bodies, (into.stiffness, into.damping, into.rest) = spring[:2], spring[4:]
        into.points = arm(spring.first, spring.start), arm(spring.second, spring.end)
    closing = [j for j in range(n) if j not in bodies.parent]
    coupled.closes[closing] = 1
    coupled.point = np.isin(coupled.kind, POINTS) & (coupled.closes == 0)
    bodies.carrier, bodies.unknowns, held = -1, 6, bodies.parent >= 0
    parents = coupled[bodies.parent[held]]
    bodies.carrier[held] = np.where(bodies.side[held] == 0, parents.second, parents.first)
    bodies.unknowns[held] += parents.hard
    bodies.offset[held] = 3 * parents.point
    border = [(j, row) for j in closing for row in coupled[j].rows[: coupled[j].hard + coupled[j].soft]]
    border += [(-1, i) for i in np.flatnonzero(sprung.damping)]
    pull = np.array(gravity, float)
    return Mechanism(
        bodies=bodies,
        joints=coupled,
        springs=sprung,
        gravity=pull,
        up=-pull / (math.hypot(*pull) or 1.0),
        path=np.concatenate(path),
        border=np.array(border, np.int64).reshape(-1, 2),
    )


def _use_rows(joint: Records) -> None:
    """Fill ``rows``, ``hard``, ``soft`` and ``acts`` of a joint."""
    count = CONSTRAINTS[joint.kind]
    driven = [count + c for c in range(6 - count) if joint.motor[c] != NO_MOTOR]
    damped = [count + c for c in range(6 - count) if joint.motor[c] == NO_MOTOR and joint.damping[c] != 0.0]
    joint.hard, joint.soft = count + len(driven), len(damped)
    joint.acts = any(value.any() for value in (joint.stiffness, joint.damping, joint.load, joint.motor))
    joint.rows[: joint.hard + joint.soft] = [*range(count), *driven, *damped]


def _tree(b: int, ends: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``order``, ``parent`` and ``side`` of bodies: breadth first from the ground, then from each floating body."""
    at: list[list[tuple[int, int, int]]] = [[] for _ in range(b + 1)]
    for j, (first, second) in enumerate(ends):
        at[first].append((j, 1, second))
        at[second].append((j, 0, first))
    parent, side = np.full(b, -1, np.int64), np.zeros(b, np.int64)
    found: list[int] = []
    seen = [False] * b + [True]
    for root in (GROUND, *range(b)):
        if root != GROUND and seen[root]:
            continue
        seen[root], front = True, [root]
        while front:
            body = front.pop(0)
            found.append(body)
            for j, which, other in at[body]:
                if not seen[other]:
                    seen[other], parent[other], side[other] = True, j, which
                    front.append(other)
    return np.array(found[:0:-1], np.int64), parent, side


# ---- states ----------------------------------------------------------------------------------------------
# A state is a vector of numbers: 13 of each body (place, attitude of the principal axes, velocity, angular velocity),
# the 3 counted coordinates of each joint, then what only loops understand. A stored row is the part before that.

BODY = 13


def row_size(mechanism: Mechanism) -> int:
    """Number of numbers of a stored row: 13 b + 3 j."""
    return BODY * len(mechanism.bodies) + 3 * len(mechanism.joints)


# after the stored row: time at the start [s], steps taken, evaluations of the equations by schemes that choose how
# many, and how many of the border's rows are independent; then ``memory``, zero at the start, free for a scheme, and
# the kept choice of the border's rows
BEGIN, STEPS, EVALUATIONS, RANK, MEMORY = range(5)


def memory_size(mechanism: Mechanism) -> int:
    """Numbers that a scheme may keep from step to step: 21 of each body and 18 of each joint."""
    return 21 * len(mechanism.bodies) + 18 * len(mechanism.joints)


def no_choice(mechanism: Mechanism) -> int:
    """Rank before the rows of the border are chosen: -1, or 0 where there are none to choose from."""
    return -1 if len(mechanism.border) else 0


def start_state(
    mechanism: Mechanism,
    r: ArrayLike,
    q: ArrayLike,
    v: ArrayLike,
    w: ArrayLike,
    coordinates: ArrayLike | None = None,
    begin: float = 0.0,
) -> Array:
    """The state of a loop at a time ``begin`` [s].

    Parameters
    ----------
    r : (b, 3) places of the centres of mass [m]; q : (b, 4) attitudes of the principal axes
    v : (b, 3) velocities [m/s]; w : (b, 3) angular velocities in principal axes [rad/s]
    coordinates : (j, 3) counted angles and travels; without them angles are within half a turn
    """
    b, j = len(mechanism.bodies), len(mechanism.joints)
    parts = [np.reshape(r, (b, 3)), np.reshape(q, (b, 4)), np.reshape(v, (b, 3)), np.reshape(w, (b, 3))]
    counted = np.zeros((j, 3)) if coordinates is None else np.reshape(coordinates, (j, 3))
    rest = np.zeros(MEMORY + memory_size(mechanism) + len(mechanism.border))
    rest[BEGIN], rest[RANK] = begin, no_choice(mechanism)
    return np.concatenate([np.concatenate(parts, axis=1).ravel(), counted.ravel(), rest])


class MechanismMotion(NamedTuple):
    """Stored rows taken apart.

    r, v : (n, b, 3) inertial [m], [m/s]; q : (n, b, 4); w : (n, b, 3) in principal axes [rad/s]
    coordinates : (n, j, 3) counted angles [rad] and travels [m]
    """

    r: Array
    q: Array
    v: Array
    w: Array
    coordinates: Array


def motion_of(mechanism: Mechanism, rows: Array) -> MechanismMotion:
    """The motion in stored rows (n, row_size), or in states."""
    n, b, j = len(rows), len(mechanism.bodies), len(mechanism.joints)
    bodies = rows[:, : BODY * b].reshape(n, b, BODY)
    coordinates = rows[:, BODY * b : BODY * b + 3 * j].reshape(n, j, 3)
    return MechanismMotion(bodies[..., :3], bodies[..., 3:7], bodies[..., 7:10], bodies[..., 10:], coordinates)
