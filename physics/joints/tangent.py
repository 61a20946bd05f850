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

from physics.core.jit import formula, procedure, unallocating
from physics.core.rotation import Array, Vector, cross, dot
from physics.joints.elimination import Equations
from physics.joints.mechanism import (
    ACROSS,
    ALONG,
    BALL,
    CONSTRAINTS,
    FIXED,
    HINGE,
    NO_MOTOR,
    ROW_FIRST,
    ROW_KINDS,
    ROW_SECOND,
    TURN_SECOND,
    UNIVERSAL,
    Mechanism,
    Records,
    records,
)
from physics.joints.rows import Pose, minus, plus, row_of, target, times, to_space, vector, vector_of

ITERATIONS = 50  # of Newton's method
ROUNDING = 4e-32  # squared correction beside the squared size of all bodies and their distances
ENOUGH = 1e-24  # the same where corrections do not get smaller any more


class Tangent(NamedTuple):
    """Matrices of one iteration, and room to work in.

    Attributes
    ----------
    blocks : (b + 1, 18, 19 + n) of each body: its 6 equations, the rows of the joint that carries it, then what both
        add to the next body; columns alike, then the right side and the n columns of the border. Where the joint holds
        a point, its 3 rows come first, and its forces stand behind the shift: pivots are 1 and -1 there, and most is 0.
        The last one is for what is not kept
    x : (b + 1, 6, 1 + n) shifts by column
    bodies : (b + 1,) records

        right : (6,) right side; shift : (6,) what was found
        scale : by which torques of joints and springs are multiplied, 1 for most schemes

    joints : (j,) records

        acting, ending : (6, 9) rows at both poses
        loads : (3,) of the coordinates, slopes : (3,) how they change with the coordinate at the end
        change : (6,) of multipliers times s, what was found

    border : (n,) records, the first for what is not kept

        forces, ends : (2, 6) column and row; which : (4,) joint, row of a constraint or -1, two bodies
        gap, compliance

    springs : (s,) records

        load of the point spring, slope : how it changes, by the vector between the spring's ends

    whole : (n, n + 1); used : (1,) rows of the border in use
    """

    blocks: Array
    x: Array
    bodies: Records
    joints: Records
    border: Records
    springs: Records
    whole: Array
    used: np.ndarray


_BODY = [("right", float, 6), ("shift", float, 6), ("scale", float)]
_JOINT = [
    ("acting", float, (6, 9)),
    ("ending", float, (6, 9)),
    ("loads", float, 3),
    ("slopes", float, 3),
    ("change", float, 6),
]
_BORDER = [("forces", float, (2, 6)), ("ends", float, (2, 6)), ("which", int, 4), ("gap", float), ("compliance", float)]


def new_tangent(m: Mechanism) -> Tangent:
    """A tangent to be filled."""
    b, j, s = len(m.bodies), len(m.joints), len(m.springs)
    n = 6 * (j - int((m.bodies.parent >= 0).sum())) + s + 1
    bodies = records(b + 1, _BODY)
    bodies.scale = 1.0
    return Tangent(
        blocks=np.zeros((b + 1, 18, 19 + n)),
        x=np.zeros((b + 1, 6, 1 + n)),
        bodies=bodies,
        joints=records(j, _JOINT),
        border=records(n, _BORDER),
        springs=records(s, [("load", float), ("slope", float)]),
        whole=np.zeros((n, n + 1)),
        used=np.zeros(1, np.int64),
    )


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
def clear(m: Mechanism, T: Tangent) -> None:
    """Set blocks and right sides to 0."""
    for i in range(m.bodies.shape[0]):
        N, size = T.blocks[i], _size(m, i)
        for r in range(size + 6):
            for c in range(N.shape[1] + size - 12):
                N[r, c] = 0.0
        for k in range(6):
            T.bodies[i].right[k] = 0.0


@formula
def offset(m: Mechanism, i: int) -> int:
    """Row of a body's block where its equations begin; its turn stands 3 columns, and rows, behind."""
    body = m.bodies[i]
    found: int = 3 if body.parent >= 0 and holds_point(m, body.parent) else 0
    return found


@formula
def _size(m: Mechanism, i: int) -> int:
    """Number of unknowns of body i and the joint that carries it."""
    body = m.bodies[i]
    size: int = 6 + m.joints[body.parent].hard if body.parent >= 0 else 6
    return size


@formula
def closes(m: Mechanism, j: int) -> bool:
    """True if a joint closes a loop."""
    joint = m.joints[j]
    a, b = joint.first, joint.second
    return not ((a >= 0 and m.bodies[a].parent == j) or (b >= 0 and m.bodies[b].parent == j))


@formula
def ends_of(m: Mechanism, p: Pose, i: int) -> tuple[Vector, Vector, Vector]:
    """Levers of a point spring, and the vector between its ends."""
    one = m.springs[i]
    a, b = p.bodies[one.bodies[0]], p.bodies[one.bodies[1]]
    la, lb = to_space(a.turns, vector(one.points, 0)), to_space(b.turns, vector(one.points, 1))
    return la, lb, minus(plus(vector_of(b.r), lb), plus(vector_of(a.r), la))


@formula
def loaded(m: Mechanism, j: int, c: int) -> bool:
    """True if something acts on a coordinate that has no motor."""
    joint = m.joints[j]
    acts = joint.stiffness[c] != 0.0 or joint.damping[c] != 0.0 or joint.load[c] != 0.0
    return bool(acts and joint.motor[c] == NO_MOTOR)


@formula
def chosen(m: Mechanism, e: Equations, multipliers: Array) -> int:
    """Number of rows of the border to use, which ``e.choice`` names first, of equations that are factored.

    The multipliers (j, 6) of the others are set to 0.
    """
    if m.border.shape[0] == 0:
        return 0
    for n in range(e.count[0].rank, m.border.shape[0]):
        j = m.border[e.choice[n], 0]
        if j >= 0:
            multipliers[j, m.border[e.choice[n], 1]] = 0.0
    rank: int = e.count[0].rank
    return rank


@formula
def copy(x: Pose, into: Pose) -> None:
    """Copy a pose, all of it."""
    for i in range(x.bodies.shape[0]):
        into.bodies[i] = x.bodies[i]
    for j in range(x.joints.shape[0]):
        into.joints[j] = x.joints[j]


@formula
def holds_point(m: Mechanism, j: int) -> bool:
    """True if a joint of the tree holds a point: its force is a vector then, in inertial axes."""
    return is_point(m.joints[j].kind) and not closes(m, j)


@formula
def is_point(kind: int) -> bool:
    """True if a joint of a kind lets its bodies share a point: then its first three rows are those of ``apart``."""
    return kind in (BALL, HINGE, UNIVERSAL, FIXED)


@formula
def fill_rows(m: Mechanism, p: Pose, x: Pose, T: Tangent) -> None:
    """Fill the rows at both poses, but for points: those of constraints, motors and loaded coordinates."""
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        constraints = CONSTRAINTS[joint.kind]
        for row in range(3 if holds_point(m, j) else 0, 6):
            c = row - constraints
            if c < 0 or joint.motor[c] != NO_MOTOR or loaded(m, j, c):
                for moment in range(2):
                    force, on_first, on_second = row_of(m, p if moment == 0 else x, j, row)
                    if moment == 0:
                        on_first = times(T.bodies[m.joints[j].first].scale, on_first)
                        on_second = times(T.bodies[m.joints[j].second].scale, on_second)
                    into = T.joints[j].acting[row] if moment == 0 else T.joints[j].ending[row]
                    for k in range(3):
                        into[k], into[3 + k], into[6 + k] = force[k], on_first[k], on_second[k]


@formula
def is_exact(m: Mechanism) -> bool:
    """True if the equations are linearised in full: then each iteration doubles the digits."""
    exact: bool = m.border.shape[0] == 0 and m.springs.shape[0] == 0
    for j in range(m.joints.shape[0]):
        for c in range(6 - CONSTRAINTS[m.joints[j].kind]):
            exact = exact and not loaded(m, j, c)
    return exact


@formula
def is_found(size: float, before: float, large: float, exact: bool) -> bool:
    """True if a squared correction of places was the last one; ``before`` is the one before it, 0 for none.

    large : squared size of all bodies and their distances; exact : each correction doubles the digits
    """
    left = 1e4 * size * (size / before) * (size / before) if exact and size < before else size
    return left <= ROUNDING * large or (size <= ENOUGH * large and size > 0.25 * before > 0.0)


@procedure
def _put_row(into: Array, r: int, shift: int, turn: int, row: Array, first: bool) -> None:
    """Store a row as one of the first or of the second body."""
    sign, at = (-1.0, 3) if first else (1.0, 6)
    for k in range(3):
        into[r, shift + k], into[r, turn + k] = sign * row[k], row[at + k]


@formula
def fill(
    m: Mechanism, t: float, p: Pose, x: Pose, theta: float, s: float, multipliers: Array, rank: int, choice: np.ndarray,
    T: Tangent,
) -> None:  # fmt: skip
    """Add all joints and springs to the blocks of the bodies, and s times their forces to the right sides.

    t : end of the step [s]; p : where the forces act, x : the end, both placed; theta, s : see above
    multipliers : (j, 6) [N], [N m]; of joints of the tree that hold a point the first three are an inertial force
    rank, choice : the chosen rows of the border, see physics.joints.elimination; ``T.joints`` : rows at both poses
    """
    border = 0
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        kind, a, b, hard = joint.kind, joint.first, joint.second, joint.hard
        acting, ending = p.joints[j], x.joints[j]
        constraints, n, begin, tree = CONSTRAINTS[kind], 6 + hard, 0, not closes(m, j)
        aa = ab = ba = bb = T.blocks[-1]
        ta = ra = tb = rb = ca = cb = 0  # where shift and turn of each body stand: rows, columns of the shift
        if tree:  # all in the block of the body that is carried: it comes first there
            carries_b = b >= 0 and m.bodies[b].parent == j
            aa = ab = ba = bb = T.blocks[b if carries_b else a]
            p0 = offset(m, b if carries_b else a)
            own, next_ = (p0, 3 + p0, 0), (n, n + 3, n)
            ta, ra, ca = next_ if carries_b else own
            tb, rb, cb = own if carries_b else next_
        else:  # how its forces change with the other body's pose is left out: it stands nowhere in the tree
            if a >= 0:
                aa, ta, ra = T.blocks[a], offset(m, a), offset(m, a) + 3
            if b >= 0:
                bb, tb, rb = T.blocks[b], offset(m, b), offset(m, b) + 3
        if holds_point(m, j):
            begin, f = 3, (multipliers[j, 0], multipliers[j, 1], multipliers[j, 2])
            la, lb, la1, lb1 = (
                times(T.bodies[a].scale, vector(acting.levers, 0)),
                times(T.bodies[b].scale, vector(acting.levers, 1)),
                vector(ending.levers, 0),
                vector(ending.levers, 1),
            )
            on_a, on_b = cross(f, la), cross(lb, f)
            for k in range(3):
                T.bodies[a].right[k] -= s * f[k]
                T.bodies[b].right[k] += s * f[k]
                T.bodies[a].right[3 + k] += s * on_a[k]
                T.bodies[b].right[3 + k] += s * on_b[k]
                bb[tb + k, 3 + k], aa[ta + k, 3 + k] = -1.0, 1.0
                bb[k, cb + k], aa[k, ca + k] = 1.0, -1.0
                aa[k, n + 6] = -ending.apart[k]
            add_twice(bb, rb, rb, -s * theta * T.bodies[b].scale, lb1, f)
            add_twice(aa, ra, ra, s * theta * T.bodies[a].scale, la1, f)
            add_skew(bb, rb, 3, -1.0, lb)
            add_skew(aa, ra, 3, 1.0, la)
            add_skew(bb, 0, rb, -1.0, lb1)
            add_skew(aa, 0, ra, 1.0, la1)
        for r in range(begin, hard + 6 - constraints):
            row = joint.rows[r] if r < hard else constraints + r - hard
            c = row - constraints
            soft = r >= hard
            if soft and not loaded(m, j, c):
                continue
            multiplier = T.joints[j].loads[c] if soft else multipliers[j, row]
            mean, end, scaled = T.joints[j].acting[row], T.joints[j].ending[row], theta * s * multiplier
            for k in range(3):
                T.bodies[a].right[k] -= s * multiplier * mean[k]
                T.bodies[b].right[k] += s * multiplier * mean[k]
                T.bodies[a].right[3 + k] += s * multiplier * mean[3 + k]
                T.bodies[b].right[3 + k] += s * multiplier * mean[6 + k]
            code, i = ROW_KINDS[kind, row], ROW_FIRST[kind, row]
            side = 1 if code == TURN_SECOND else 0
            e, e1 = vector(acting.axes[side], i), vector(ending.axes[side], i)
            gap = 0.0
            if code == ACROSS:
                f, f1 = vector(acting.axes[1], ROW_SECOND[kind, row]), vector(ending.axes[1], ROW_SECOND[kind, row])
                add_twice(aa, ra, ra, -scaled, e1, f)
                add_twice(ba, rb, ra, scaled, e1, f)
                add_twice(bb, rb, rb, -scaled, f1, e)
                add_twice(ab, ra, rb, scaled, f1, e)
                gap = dot(e1, f1)
            elif code == ALONG:
                lever, tip = vector(acting.levers, 1), vector(ending.levers, 1)
                add_skew(aa, ta, ra, -scaled, e1)
                add_twice(aa, ra, ra, -scaled, e1, plus(vector(acting.levers, 0), vector_of(acting.apart)))
                add_skew(aa, ra, ca, scaled, e)
                add_skew(ab, ra, cb, -scaled, e)
                add_twice(ab, ra, rb, scaled, tip, e)
                add_skew(ba, tb, ra, scaled, e1)
                add_twice(ba, rb, ra, scaled, e1, lever)
                add_twice(bb, rb, rb, -scaled, tip, e)
                gap = dot(e1, vector_of(ending.apart))
            elif side == 0:
                add_skew(aa, ra, ra, -scaled, e1)
                add_skew(ba, rb, ra, scaled, e1)
            else:
                add_skew(bb, rb, rb, scaled, e1)
                add_skew(ab, ra, rb, -scaled, e1)
            if not soft and c >= 0:
                gap = ending.coordinates[c] - target(m, t, j, c)[0]
            if tree and not soft:
                for k in range(3):
                    aa[ta + k, 6 + r], aa[ra + k, 6 + r] = mean[k], -mean[3 + k]
                    bb[tb + k, 6 + r], bb[rb + k, 6 + r] = -mean[k], -mean[6 + k]
                _put_row(aa, 6 + r, ca, ra, end, True)
                _put_row(bb, 6 + r, cb, rb, end, False)
                aa[6 + r, n + 6] = -gap
            elif tree:
                forces, ends = T.border[0].forces, T.border[0].ends
                _put_row(forces, 0, 0, 3, mean, True)
                _put_row(forces, 1, 0, 3, mean, False)
                _put_row(ends, 0, 0, 3, end, True)
                _put_row(ends, 1, 0, 3, end, False)
                slope = -s * T.joints[j].slopes[c]
                for k in range(6):
                    row_a, row_b = (ta + k, tb + k) if k < 3 else (ra + k - 3, rb + k - 3)
                    for l in range(6):
                        col_a, col_b = (ca + l, cb + l) if l < 3 else (ra + l - 3, rb + l - 3)
                        aa[row_a, col_a] += slope * forces[0, k] * ends[0, l]
                        aa[row_a, col_b] += slope * forces[0, k] * ends[1, l]
                        aa[row_b, col_a] += slope * forces[1, k] * ends[0, l]
                        aa[row_b, col_b] += slope * forces[1, k] * ends[1, l]
            else:
                used = soft and T.joints[j].slopes[c] != 0.0
                for k in range(rank):
                    used = used or (m.border[choice[k], 0] == j and m.border[choice[k], 1] == row)
                if used:
                    border += 1  # the first place is for what is not kept
                    one = T.border[border]
                    _put_row(one.forces, 0, 0, 3, mean, True)
                    _put_row(one.forces, 1, 0, 3, mean, False)
                    _put_row(one.ends, 0, 0, 3, end, True)
                    _put_row(one.ends, 1, 0, 3, end, False)
                    one.which[0], one.which[1] = j, -1 if soft else row
                    one.which[2], one.which[3] = a, b
                    one.gap = -gap
                    one.compliance = -1.0 / (s * T.joints[j].slopes[c]) if soft else 0.0
    for i in range(m.springs.shape[0]):
        border += 1
        one, load, slope = T.border[border], T.springs[i].load, T.springs[i].slope
        a, b = m.springs[i].bodies[0], m.springs[i].bodies[1]
        for moment in range(2):
            la, lb, d = ends_of(m, p if moment == 0 else x, i)
            on_a, on_b, into = cross(d, la), cross(lb, d), one.forces if moment == 0 else one.ends
            if moment == 0:
                on_a, on_b = times(T.bodies[a].scale, on_a), times(T.bodies[b].scale, on_b)
            for k in range(3):
                into[0, k], into[1, k] = -d[k], d[k]
                into[0, 3 + k], into[1, 3 + k] = on_a[k], on_b[k]
        for k in range(6):
            T.bodies[a].right[k] += s * load * one.forces[0, k]
            T.bodies[b].right[k] += s * load * one.forces[1, k]
        one.which[0], one.which[1] = 0, -1
        one.which[2], one.which[3] = a, b
        one.gap, one.compliance = 0.0, -1.0 / (s * min(slope, -1e-100))
    T.used[0] = border


# ---- solution --------------------------------------------------------------------------------------------


@unallocating
def solve(m: Mechanism, T: Tangent) -> None:
    """Solve for ``shift`` and ``change``, numbers that are none where a pivot is 0."""
    width = 1 + T.used[0]
    for i in range(m.bodies.shape[0]):
        at, last = offset(m, i), _size(m, i) + 6
        for k in range(6):
            T.blocks[i, at + k, last] += T.bodies[i].right[k]
    for n in range(1, width):
        for side in range(2):
            i = T.border[n].which[2 + side]
            if i >= 0:
                at, last = offset(m, i), _size(m, i) + 6
                for k in range(6):
                    T.blocks[i, at + k, last + n] += T.border[n].forces[side, k]
    for n in range(m.bodies.shape[0]):
        i = m.bodies[n].order
        N, size, far, simple = T.blocks[i], _size(m, i), _carrier(m, i), 2 * offset(m, i)
        last = size + 6
        rows, columns = last if far >= 0 else size, last + width
        for c in range(size):
            pivot, begin = 1.0 / N[c, c], simple if c < simple else c + 1
            for r in range(c + 1, rows):
                share = N[r, c] * pivot
                if share != 0.0:
                    for k in range(begin, columns):
                        N[r, k] -= share * N[c, k]
        if far >= 0:
            into, end, at = T.blocks[far], _size(m, far) + 6, offset(m, far)
            for r in range(6):
                for k in range(3):
                    into[at + r, k] += N[size + r, size + k]
                    into[at + r, at + 3 + k] += N[size + r, size + 3 + k]
                for k in range(width):
                    into[at + r, end + k] += N[size + r, last + k]
    for n in range(m.bodies.shape[0] - 1, -1, -1):
        i = m.bodies[n].order
        N, size, far, at = T.blocks[i], _size(m, i), _carrier(m, i), offset(m, i)
        last = size + 6
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
    if width > 1:
        _solve_border(m, T)
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        N, size, at = T.blocks[i], _size(m, i), offset(m, i)
        for r in range(size):
            found = N[r, size + 6]
            for k in range(1, width):
                found += T.whole[k - 1, width - 1] * N[r, size + 6 + k]
            if r < 3:
                T.bodies[i].shift[r] = found
            elif r < 3 + at:
                T.joints[body.parent].change[r - 3] = found
            elif r < 6 + at:
                T.bodies[i].shift[r - at] = found
            else:
                T.joints[body.parent].change[m.joints[body.parent].rows[r - 6]] = found


@formula
def _carrier(m: Mechanism, i: int) -> int:
    """Body that carries body i by the tree, or -1."""
    body = m.bodies[i]
    j, far = body.parent, -1
    if j >= 0:
        far = m.joints[j].second if body.side == 0 else m.joints[j].first
    return far


@unallocating
def _solve_border(m: Mechanism, T: Tangent) -> None:
    """Multipliers of the border, in the last column of ``whole``, from its Schur complement."""
    n, A = T.used[0], T.whole
    for i in range(n):
        ends, first, second = T.border[i + 1].ends, T.border[i + 1].which[2], T.border[i + 1].which[3]
        for k in range(1 + n):
            found = 0.0
            for c in range(6):
                found += ends[0, c] * T.x[first, c, k] + ends[1, c] * T.x[second, c, k]
            if k == 0:
                A[i, n] = T.border[i + 1].gap - found
            else:
                A[i, k - 1] = found + (T.border[i + 1].compliance if k - 1 == i else 0.0)
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
        for k in range(i + 1, n):
            A[i, n] -= A[i, k] * A[k, n]
        A[i, n] /= A[i, i]
        if T.border[i + 1].which[1] >= 0:
            T.joints[T.border[i + 1].which[0]].change[T.border[i + 1].which[1]] = A[i, n]
