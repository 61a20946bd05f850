"""Newton's method for implicit steps of mechanisms: the equations of a step linearised in full, and solved in O(n).

A step ends at places and attitudes that are unknown. What acts in the joints lies at a pose ``p`` which is a share
``theta`` of the way from the start to the end: 1/2 for schemes of the mean, 1 for those of the end. With the unknown
shift and turn (inertial, 6 numbers a body) of the end, and s times the change of the multipliers,

    [A - s theta K    -H] [shift, turn]   [right]
    [G                 0] [multipliers] = [-gap ]

A are the blocks that a scheme gives for each body, H the joints' forces at ``p``, G the rows at the end, and K how the
forces change with the pose. All of a joint of the tree stands in one small matrix with the body that it carries,
so that elimination from the leaves to the roots fills nothing. Without symmetry it takes no pivots: A is all but a
mass matrix. Joints that close loops, point springs, and coordinates of such joints are a dense border.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, procedure
from physics.core.records import Records, records
from physics.core.rotation import Array, Vector, cross, dot
from physics.joints.elimination import JointEquations, factor, linearise
from physics.joints.joint_types import ALONG, TURN_FIRST, TURN_SECOND
from physics.joints.mechanism import (
    CONSTRAINTS,
    NO_MOTOR,
    ROW_FIRST,
    ROW_KINDS,
    ROW_SECOND,
    UNIVERSAL,
    Mechanism,
)
from physics.joints.rows import (
    MechanismPose,
    is_righted,
    minus,
    plus,
    righting,
    row_of,
    target,
    times,
    to_body,
    to_space,
    vector,
    vector_of,
)

ITERATIONS = 50  # iterations of Newton's method
ROUNDING = 4e-32  # squared correction beside the squared size of all bodies and their distances
ENOUGH = 1e-24  # the same where corrections do not get smaller any more


class Tangent(NamedTuple):
    """Matrices of one iteration, and room to work in.

    Attributes
    ----------
    blocks : (b + 1, s, s + 1 + n) of each body: its 6 equations, the rows of the joint that carries it, then what both
        add to the next body, s <= 18 in all; columns alike, then the right side and the n columns of the border. Where
        the joint holds a point, its 3 rows come first, and its forces stand behind the shift: pivots are 1 and -1
        there, and most is 0. Zeros before they are filled, and again after ``solve_tangent``. The last one is for
        what is not kept
    x : (b + 1, 6, 1 + n) shifts by column
    bodies : (b + 1,) records

        right : (6,) right side; shift : (6,) what was found
        scale : by which torques of joints and springs are multiplied, 1 for most schemes

    joints : (j,) records

        acting, ending : (6, 12) rows at both poses: loads on both bodies by a multiplier 1, inertial
        loads : (3,) of the coordinates, slopes : (3,) how they change with the coordinate at the end
        ways : (3,) on which they do work in the step, where the scheme counts it
        change : (6,) of multipliers times s, what was found

    places : (2, 12) rows and columns of both bodies of a joint of the tree in its block
    """

    blocks: Array
    x: Array
    bodies: Records
    joints: Records
    places: np.ndarray


class Border(NamedTuple):
    """Joints that close loops, and point springs. Loops of mechanisms without any are compiled without it, for None.

    Attributes
    ----------
    e : equations that choose the independent rows
    rows : (n,) records

        forces, ends : (12,) column and row; which : (4,) joint, row of a constraint or -1, two bodies
        gap, compliance

    springs : (s,) records

        load of the point spring, slope : how it changes, by the vector between the spring's ends

    whole : (n, n + 1); used : (1,) rows in use
    """

    e: JointEquations
    rows: Records
    springs: Records
    whole: Array
    used: np.ndarray


_BODY = [("right", float, 6), ("shift", float, 6), ("scale", float)]
_ROWS = [("acting", float, (6, 12)), ("ending", float, (6, 12))]
_JOINT = [*_ROWS, *((name, float, 3) for name in ("loads", "slopes", "ways")), ("change", float, 6)]
_BORDER = [("forces", float, 12), ("ends", float, 12), ("which", int, 4), ("gap", float), ("compliance", float)]


def new_tangent(m: Mechanism, e: JointEquations) -> tuple[Tangent, Border | None]:
    """A tangent and a border to be filled; e : room for the choice of rows."""
    b, j, s = len(m.bodies), len(m.joints), len(m.springs)
    n = 6 * (j - int((m.bodies.parent >= 0).sum())) + s
    bodies, springs = records(b + 1, _BODY), records(s, [("load", float), ("slope", float)])
    bodies.scale = 1.0
    size = 6 + int(m.bodies.unknowns.max(initial=6))
    blocks, x = np.zeros((b + 1, size, size + 1 + n)), np.zeros((b + 1, 6, 1 + n))
    tangent = Tangent(blocks, x, bodies, records(j, _JOINT), np.zeros((2, 12), np.int64))
    border = Border(e, records(n, _BORDER), springs, np.zeros((n, n + 1)), np.zeros(1, np.int64))
    return tangent, border if n else None


# ---- blocks ----------------------------------------------------------------------------------------------


@procedure
def add_skew(N: Array, r: int, c: int, s: float, a: Vector) -> None:
    """Add s hat(a), the matrix of a x, at a row and a column."""
    N[r, c + 1] -= s * a[2]
    N[r, c + 2] += s * a[1]
    N[r + 1, c] += s * a[2]
    N[r + 1, c + 2] -= s * a[0]
    N[r + 2, c] -= s * a[1]
    N[r + 2, c + 1] += s * a[0]


@procedure
def add_twice(N: Array, r: int, c: int, s: float, a: Vector, b: Vector) -> None:
    """Add s (a b^T - a.b I), the matrix of x -> (x x a) x b."""
    d = dot(a, b)
    for i in range(3):
        for k in range(3):
            N[r + i, c + k] += s * a[i] * b[k]
        N[r + i, c + i] -= s * d


@formula
def add_righting(m: Mechanism, p: MechanismPose, x: MechanismPose, theta: float, s: float, T: Tangent) -> None:
    """Add s times the torque of what rights the bodies, e x R K R^T e with R at p, and its change with the turn at x.

    R of the mean of two poses is that of no rotation. There the torque does the work V0 - V1: V is quadratic in the
    directors, whose change in the step is hat(h W) R.
    """
    e = vector_of(m.up)
    for i in range(m.bodies.shape[0]):
        if not is_righted(m, i):
            continue
        R, end, N, at = p.bodies[i].turns, x.bodies[i].turns, T.blocks[i], m.bodies[i].offset + 3
        share = s * T.bodies[i].scale
        c = righting(m, i, to_body(R, e))
        torque, a = cross(e, to_space(R, c)), to_space(end, c)
        for k in range(3):
            T.bodies[i].right[3 + k] += share * torque[k]
            d = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            turned = to_space(R, righting(m, i, to_body(end, cross(e, d))))
            change = cross(e, plus(turned, cross(d, a)))
            for l in range(3):
                N[at + l, at + k] -= theta * share * change[l]


@formula
def ends_of(m: Mechanism, p: MechanismPose, i: int) -> tuple[Vector, Vector, Vector]:
    """Levers of a point spring, and the vector between its ends."""
    one = m.springs[i]
    a, b = p.bodies[one.bodies[0]], p.bodies[one.bodies[1]]
    la, lb = to_space(a.turns, vector(one.points, 0)), to_space(b.turns, vector(one.points, 1))
    return la, lb, minus(plus(vector_of(b.r), lb), plus(vector_of(a.r), la))


@formula
def loaded(m: Mechanism, j: int, c: int) -> bool:
    """True if something acts on a coordinate that has no motor; of a universal joint on either of its angles."""
    joint, acts = m.joints[j], False
    first, last = (0, 2) if joint.kind == UNIVERSAL else (c, c + 1)
    for k in range(first, last):
        acts = acts or joint.stiffness[k] != 0.0 or joint.damping[k] != 0.0 or joint.load[k] != 0.0
    return bool(acts and joint.motor[c] == NO_MOTOR)


@formula
def choose(m: Mechanism, p: MechanismPose, multipliers: Array, border: Border) -> bool:
    """Choose the rows of the border at a pose, and set the multipliers (j, 6) of the others to 0; False if singular."""
    e = border.e
    linearise(m, p, e)
    if not factor(m, e):
        return False
    for n in range(e.count[0].rank, m.border.shape[0]):
        j = m.border[e.choice[n], 0]
        if j >= 0:
            multipliers[j, m.border[e.choice[n], 1]] = 0.0
    return True


@formula
def fill_rows(m: Mechanism, p: MechanismPose, x: MechanismPose, T: Tangent) -> None:
    """Fill the rows at both poses, but for points: those of constraints, motors and loaded coordinates."""
    for j in range(m.joints.shape[0]):
        joint, into = m.joints[j], T.joints[j]
        constraints = CONSTRAINTS[joint.kind]
        for row in range(3 * joint.point, 6):
            c = row - constraints
            if c < 0 or joint.motor[c] != NO_MOTOR or loaded(m, j, c):
                for moment in range(2):
                    force, on_first, on_second = row_of(m, p if moment == 0 else x, j, row)
                    rows = into.acting[row] if moment == 0 else into.ending[row]
                    first = T.bodies[joint.first].scale if moment == 0 else 1.0
                    second = T.bodies[joint.second].scale if moment == 0 else 1.0
                    for k in range(3):
                        rows[k], rows[3 + k] = -force[k], first * on_first[k]
                        rows[6 + k], rows[9 + k] = force[k], second * on_second[k]


def is_exact(m: Mechanism) -> bool:
    """True if the equations are linearised in full: then each iteration doubles the digits."""
    acts = (m.joints.stiffness != 0.0) | (m.joints.damping != 0.0) | (m.joints.load != 0.0)
    return not (len(m.border) or len(m.springs) or (acts & (m.joints.motor == NO_MOTOR)).any())


@formula
def is_found(size: float, before: float, large: float, exact: bool) -> bool:
    """True if a squared correction of places was the last one; ``before`` is the one before it, 0 for none.

    large : squared size of all bodies and their distances; exact : each correction doubles the digits
    """
    left = 1e4 * size * (size / before) * (size / before) if exact and size < before else size
    return left <= ROUNDING * large or (size <= ENOUGH * large and size > 0.25 * before > 0.0)


@formula
def fill(
    m: Mechanism, t: float, p: MechanismPose, x: MechanismPose, theta: float, s: float, multipliers: Array, T: Tangent,
    border: Border | None,
) -> None:  # fmt: skip
    """Add all joints and springs to the blocks of the bodies, and s times their forces to the right sides.

    t : end of the step [s]; p : where the forces act, x : the end, both placed; theta, s : see above
    multipliers : (j, 6) [N], [N m]; of joints of the tree that hold a point the first three are an inertial force
    ``T.joints`` : rows at both poses; ``border`` : with chosen rows
    """
    used = 0
    for j in range(m.joints.shape[0]):
        joint, of_rows, acting, ending = m.joints[j], T.joints[j], p.joints[j], x.joints[j]
        kind, a, b, hard = joint.kind, joint.first, joint.second, joint.hard
        constraints, n, begin, tree = CONSTRAINTS[kind], 6 + hard, 0, joint.closes == 0
        aa = ab = ba = bb = T.blocks[-1]
        ta = tb = ca = cb = 0  # where the equations of each body begin, and the columns of its shift
        if tree:  # all in the block of the body that is carried: it comes first there
            carries_b = b >= 0 and m.bodies[b].parent == j
            own = 3 * joint.point
            aa = ab = ba = bb = T.blocks[b if carries_b else a]
            ta, ca = (n, n) if carries_b else (own, 0)
            tb, cb = (own, 0) if carries_b else (n, n)
        else:  # how its forces change with the other body's pose is left out: it stands nowhere in the tree
            if a >= 0:
                aa, ta = T.blocks[a], m.bodies[a].offset
            if b >= 0:
                bb, tb = T.blocks[b], m.bodies[b].offset
        ra, rb, at = ta + 3, tb + 3, T.places  # of its turn, columns alike
        for k in range(3):
            at[0, k], at[0, 3 + k], at[0, 6 + k], at[0, 9 + k] = ta + k, ra + k, tb + k, rb + k
            at[1, k], at[1, 3 + k], at[1, 6 + k], at[1, 9 + k] = ca + k, ra + k, cb + k, rb + k
        if joint.point:
            begin, f = 3, (multipliers[j, 0], multipliers[j, 1], multipliers[j, 2])
            for side in range(2):
                i, begins, column, sign = (a, ta, ca, -1.0) if side == 0 else (b, tb, cb, 1.0)
                body = T.bodies[i]
                lever, end_lever = times(body.scale, vector(acting.levers, side)), vector(ending.levers, side)
                torque = cross(lever, f)
                for k in range(3):
                    body.right[k] += sign * s * f[k]
                    body.right[3 + k] += sign * s * torque[k]
                    aa[begins + k, 3 + k], aa[k, column + k], aa[k, n + 6] = -sign, sign, -ending.apart[k]
                add_twice(aa, begins + 3, begins + 3, -sign * s * theta * body.scale, end_lever, f)
                add_skew(aa, begins + 3, 3, -sign, lever)
                add_skew(aa, 0, begins + 3, -sign, end_lever)
        for r in range(begin, hard + 6 - constraints):
            row = joint.rows[r] if r < hard else constraints + r - hard
            c = row - constraints
            soft = r >= hard
            if soft and not loaded(m, j, c):
                continue
            multiplier = of_rows.loads[c] if soft else multipliers[j, row]
            mean, end, scaled = of_rows.acting[row], of_rows.ending[row], theta * s * multiplier
            for k in range(6):
                T.bodies[a].right[k] += s * multiplier * mean[k]
                T.bodies[b].right[k] += s * multiplier * mean[6 + k]
            code, first, second = ROW_KINDS[kind, row], ROW_FIRST[kind, row], ROW_SECOND[kind, row]
            side = 1 if code == TURN_SECOND else 0
            e, e1, gap = vector(acting.axes[side], first), vector(ending.axes[side], first), 0.0
            if code >= TURN_FIRST:
                add_skew(aa if side == 0 else ab, ra, rb if side else ra, -scaled, e1)
                add_skew(ba if side == 0 else bb, rb, rb if side else ra, scaled, e1)
            else:  # e.f is as e.D of arms f on the second body and 0 on the first, and without a force
                arm, tip = vector(acting.axes[1], second), vector(ending.axes[1], second)
                reach, gap = arm, dot(e1, tip)
                if code == ALONG:
                    arm, tip, gap = vector(acting.levers, 1), vector(ending.levers, 1), dot(e1, vector_of(ending.apart))
                    reach = plus(vector(acting.levers, 0), vector_of(acting.apart))
                    add_skew(aa, ta, ra, -scaled, e1)
                    add_skew(aa, ra, ca, scaled, e)
                    add_skew(ab, ra, cb, -scaled, e)
                    add_skew(ba, tb, ra, scaled, e1)
                add_twice(aa, ra, ra, -scaled, e1, reach)
                add_twice(ab, ra, rb, scaled, tip, e)
                add_twice(ba, rb, ra, scaled, e1, arm)
                add_twice(bb, rb, rb, -scaled, tip, e)
            if not soft and c >= 0:
                gap = ending.coordinates[c] - target(m, t, j, c)[0]
            if tree:
                for k in range(12):
                    if soft:
                        for l in range(12):
                            aa[at[0, k], at[1, l]] += -s * of_rows.slopes[c] * mean[k] * end[l]
                    else:
                        aa[at[0, k], 6 + r], aa[6 + r, at[1, k]], aa[6 + r, n + 6] = -mean[k], end[k], -gap
            elif border is not None:
                wanted = soft and of_rows.slopes[c] != 0.0
                for k in range(border.e.count[0].rank):
                    i = border.e.choice[k]
                    wanted = wanted or (m.border[i, 0] == j and m.border[i, 1] == row)
                if wanted:
                    one = border.rows[used]
                    used += 1
                    for k in range(12):
                        one.forces[k], one.ends[k] = mean[k], end[k]
                    one.which[0], one.which[1], one.which[2], one.which[3] = j, -1 if soft else row, a, b
                    one.gap = 0.0 if soft else -gap
                    one.compliance = -1.0 / (s * of_rows.slopes[c]) if soft else 0.0
    if border is not None:
        for i in range(m.springs.shape[0]):
            one, load, slope = border.rows[used], border.springs[i].load, border.springs[i].slope
            used += 1
            a, b = m.springs[i].bodies[0], m.springs[i].bodies[1]
            for moment in range(2):
                la, lb, d = ends_of(m, p if moment == 0 else x, i)
                on_a, on_b, into = cross(d, la), cross(lb, d), one.forces if moment == 0 else one.ends
                if moment == 0:
                    on_a, on_b = times(T.bodies[a].scale, on_a), times(T.bodies[b].scale, on_b)
                for k in range(3):
                    into[k], into[3 + k], into[6 + k], into[9 + k] = -d[k], on_a[k], d[k], on_b[k]
            for k in range(6):
                T.bodies[a].right[k] += s * load * one.forces[k]
                T.bodies[b].right[k] += s * load * one.forces[6 + k]
            one.which[0], one.which[1], one.which[2], one.which[3] = 0, -1, a, b
            one.gap, one.compliance = 0.0, -1.0 / (s * min(slope, -1e-100))
        border.used[0] = used


# ---- solution --------------------------------------------------------------------------------------------


@procedure
def solve_tangent(m: Mechanism, T: Tangent, border: Border | None) -> None:
    """Solve for ``shift`` and ``change``, numbers that are none where a pivot is 0; clears blocks and right sides."""
    width = 1
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        for k in range(6):
            T.blocks[i, body.offset + k, body.unknowns + 6] += T.bodies[i].right[k]
    if border is not None:
        width += border.used[0]
        for n in range(1, width):
            one = border.rows[n - 1]
            for side in range(2):
                i = one.which[2 + side]
                if i >= 0:
                    body = m.bodies[i]
                    for k in range(6):
                        T.blocks[i, body.offset + k, body.unknowns + 6 + n] += one.forces[6 * side + k]
    for n in range(m.bodies.shape[0]):
        i = m.bodies[n].order
        body = m.bodies[i]
        N, size, far, simple, last = T.blocks[i], body.unknowns, body.carrier, 2 * body.offset, body.unknowns + 6
        rows, columns = last if far >= 0 else size, last + width
        for c in range(size):
            pivot, begin = 1.0 / N[c, c], simple if c < simple else c + 1
            for r in range(c + 1, rows):
                share = N[r, c] * pivot
                if share != 0.0:
                    for k in range(begin, columns):
                        N[r, k] -= share * N[c, k]
        if far >= 0:
            into, end, at = T.blocks[far], m.bodies[far].unknowns + 6, m.bodies[far].offset
            for r in range(6):
                for k in range(3):
                    into[at + r, k] += N[size + r, size + k]
                    into[at + r, at + 3 + k] += N[size + r, size + 3 + k]
                for k in range(width):
                    into[at + r, end + k] += N[size + r, last + k]
    for n in range(m.bodies.shape[0] - 1, -1, -1):
        i = m.bodies[n].order
        body = m.bodies[i]
        N, size, far, at, last = T.blocks[i], body.unknowns, body.carrier, body.offset, body.unknowns + 6
        for k in range(last, last + width):
            for r in range(size - 1, -1, -1):
                found = N[r, k]
                for c in range(max(r + 1, 2 * at), size):
                    found -= N[r, c] * N[c, k]
                if far >= 0:
                    for c in range(6):
                        found -= N[r, size + c] * T.x[far, c, k - last]
                N[r, k] = found / N[r, r]
            for r in range(3):
                T.x[i, r, k - last], T.x[i, 3 + r, k - last] = N[r, k], N[at + 3 + r, k]
        if border is None:
            _take(m, T, border, i)
    if border is not None:
        _solve_border(T, border)
        for i in range(m.bodies.shape[0]):
            _take(m, T, border, i)


@formula
def _take(m: Mechanism, T: Tangent, border: Border | None, i: int) -> None:
    """Store what was found for body i and its joint, and clear its block while it is in the cache."""
    body = m.bodies[i]
    N, size, at = T.blocks[i], body.unknowns, body.offset
    for r in range(size):
        found = N[r, size + 6]
        if border is not None:
            n = border.used[0]
            for k in range(n):
                found += border.whole[k, n] * N[r, size + 7 + k]
        if r < 3:
            T.bodies[i].shift[r] = found
        elif r < 3 + at:
            T.joints[body.parent].change[r - 3] = found
        elif r < 6 + at:
            T.bodies[i].shift[r - at] = found
        else:
            T.joints[body.parent].change[m.joints[body.parent].rows[r - 6]] = found
    for r in range(size + 6):
        for c in range(size + 6 + T.x.shape[2]):
            N[r, c] = 0.0
    for k in range(6):
        T.bodies[i].right[k] = 0.0


@formula
def _solve_border(T: Tangent, border: Border) -> None:
    """Multipliers of the border, in the last column of ``whole``, from its Schur complement."""
    n, A = border.used[0], border.whole
    for i in range(n):
        one = border.rows[i]
        for k in range(1 + n):
            found = 0.0
            for c in range(6):
                found += one.ends[c] * T.x[one.which[2], c, k] + one.ends[6 + c] * T.x[one.which[3], c, k]
            if k == 0:
                A[i, n] = one.gap - found
            else:
                A[i, k - 1] = found + (one.compliance if k - 1 == i else 0.0)
    for i in range(n):
        best = i
        for k in range(i + 1, n):
            if abs(A[k, i]) > abs(A[best, i]):
                best = k
        for k in range(n + 1):
            A[i, k], A[best, k] = A[best, k], A[i, k]
        for r in range(i + 1, n):
            share = A[r, i] / A[i, i]
            for k in range(i + 1, n + 1):
                A[r, k] -= share * A[i, k]
    for i in range(n - 1, -1, -1):
        one = border.rows[i]
        for k in range(i + 1, n):
            A[i, n] -= A[i, k] * A[k, n]
        A[i, n] /= A[i, i]
        if one.which[1] >= 0:
            T.joints[one.which[0]].change[one.which[1]] = A[i, n]
