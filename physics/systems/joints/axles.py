"""Axles: the bodies of a mechanism whose phase does not lead a comparison, because their axle says what they do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from physics.bodies.body import Body
from physics.core.records import Records
from physics.core.rotation import Array, apply, multiply, unit_of
from physics.joints import rows
from physics.joints.mechanism import BODY, CONSTRAINTS, HINGE, Mechanism, row_size

PARALLEL = 1e-6  # sine of the angle between directions that count as one
HELD = 1e-6  # share of a turn of the axle that the constraints leave free, below which they hold it
ASIDE = 1e-3  # [rad] by which bodies turn at most to a pose beside another
DENSE = 2000  # constraints of the largest mechanism whose freedoms are looked at


def leading_axles(mechanism: Mechanism, bodies: Sequence[Body], row: Array) -> tuple[Array | None, ...]:
    """Unit vector (3,) of each body's axle, in body axes, if its phase does not lead; else None.

    Such a body is one of revolution, in shape and moments, about a hinge along an axle through its centre of mass. All
    its joints are hinges along this axle on which nothing acts, its springs end on the axle, and nothing rights it, so
    that nothing turns it about the axle by its phase. And the axle itself can turn: the phase of a wheel on a fixed
    axle is all of its motion.

    row : (13 b + 3 j,) the stored row in which the freedoms are looked at, and beside it
    """
    found: list[Array | None] = [_axle(mechanism, body, number) for number, body in enumerate(bodies)]
    candidates = [number for number, axle in enumerate(found) if axle is not None]
    if candidates:
        for number, free in zip(candidates, _turning(mechanism, row, candidates, found), strict=True):
            if not free:
                found[number] = None
    return tuple(None if axle is None else apply(body.axes, axle) for axle, body in zip(found, bodies, strict=True))


def _axle(mechanism: Mechanism, body: Body, number: int) -> Array | None:
    """The axle (3,) in principal axes about which nothing holds a body of revolution; None without one."""
    joints = [
        (joint, side)
        for side, ends in enumerate((mechanism.joints.first, mechanism.joints.second))
        for joint in mechanism.joints[ends == number]
    ]
    if not joints or any(joint.kind != HINGE or joint.acts for joint, _ in joints):
        return None
    if mechanism.bodies.restoring[number].any():
        return None
    axle = np.array(_triad(*joints[0]))
    springs = mechanism.springs.points[mechanism.springs.bodies == number]
    along = [_triad(*one) for one in joints]
    points = [*(joint.arms[side] for joint, side in joints), *springs]
    if any(np.linalg.norm(np.cross(axle, x)) > PARALLEL for x in along):
        return None
    if any(np.linalg.norm(np.cross(axle, x)) > PARALLEL * body.radius for x in points):
        return None
    return axle if body.is_round(axle) else None


def _triad(joint: Records, side: int) -> Array:
    """The axis (3,) of a joint in the principal axes of a body at one of its sides."""
    return np.asarray(joint.triads[side][0])


def _turning(mechanism: Mechanism, row: Array, numbers: Sequence[int], axles: Sequence[Array | None]) -> list[bool]:
    """True for each of some bodies whose axle the joints, motors not counted, let turn there or beside it.

    At a dead centre, where a linkage turns back, an axle may stand still that turns everywhere else.
    """
    if int(CONSTRAINTS[mechanism.joints.kind].sum()) > DENSE:
        return [False] * len(numbers)
    b, held = len(mechanism.bodies), _held(mechanism, row)
    wanted = np.zeros((6 * b, 2 * len(numbers)))
    for i, number in enumerate(numbers):
        axle = np.asarray(axles[number])
        across = np.linalg.svd(axle[None])[2][1:]
        wanted[6 * number + 3 : 6 * number + 6, 2 * i : 2 * i + 2] = across.T

    def sizes(held: Array) -> Array:
        return np.asarray(np.linalg.norm(_left_free(held, wanted), axis=0).reshape(len(numbers), 2).max(axis=1))

    found = sizes(held)
    if (found <= HELD).any():
        found = np.maximum(found, sizes(_held(mechanism, _beside(mechanism, row, held))))
    return [bool(size > HELD) for size in found]


def _held(mechanism: Mechanism, row: Array) -> Array:
    """Constraints (k, 6 b) of the velocities of the bodies in a stored row."""
    b, kinds = len(mechanism.bodies), mechanism.joints.kind
    chosen = [(j, n) for j, kind in enumerate(kinds) for n in range(int(CONSTRAINTS[kind]))]
    pose, jacobian = rows.new_pose(mechanism), np.zeros((len(kinds), 6, 2, 6))
    rows.unpack(mechanism, row[: row_size(mechanism)], pose, np.zeros((b + 1, 6)))
    rows.jacobian(mechanism, pose, jacobian)
    held = np.zeros((len(chosen), b + 1, 6))
    for i, (j, n) in enumerate(chosen):
        for side, body in enumerate((mechanism.joints[j].first, mechanism.joints[j].second)):
            held[i, body] = jacobian[j, n, side]
    return held[:, :b].reshape(len(chosen), 6 * b)


def _left_free(held: Array, ways: Array) -> Array:
    """Parts (6 b, n) of ways that constraints leave."""
    return np.asarray(ways - held.T @ np.linalg.lstsq(held.T, ways, rcond=None)[0])


def _beside(mechanism: Mechanism, row: Array, held: Array) -> Array:
    """A stored row a little on, along some way that the constraints leave."""
    b = len(mechanism.bodies)
    way = _left_free(held, np.random.default_rng(1).standard_normal((6 * b, 1))).reshape(b, 6)
    way *= ASIDE / max(float(np.abs(way[:, 3:]).max()), 1e-12)
    found = row.copy()
    bodies = found[: BODY * b].reshape(b, BODY)  # places, attitudes, then velocities
    bodies[:, :3] += way[:, :3]
    bodies[:, 3:7] = multiply(bodies[:, 3:7], unit_of(way[:, 3:]))
    return found
