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
from physics.joints.elimination import Equations, factor, linearise
from physics.joints.mechanism import (
    ACROSS,
    ALONG,
    BALL,
    CONSTRAINTS,
    FIXED,
    HINGE,
    NO_MOTOR,
    ROWS,
    TURN_SECOND,
    UNIVERSAL,
    Mechanism,
)
from physics.joints.rows import Pose, minus, plus, row_of, target, times, to_space, vector

ITERATIONS = 50  # of Newton's method
ROUNDING = 4e-32  # squared correction beside the squared size of all bodies and their distances
ENOUGH = 1e-24  # the same where corrections do not get smaller any more
_KINDS, _FIRST, _SECOND = (np.ascontiguousarray(ROWS[:, :, i]) for i in range(3))


class Tangent(NamedTuple):
    """Matrices of one iteration, and room to work in.

    Attributes
    ----------
    blocks : (b, 18, 19 + n) of each body: its 6 equations, the rows of the joint that carries it, then what both add to
        the next body; columns alike, then the right side and the n columns of the border. Where the joint holds a
        point, its 3 rows come first, and its forces stand behind the shift: pivots are 1 and -1 there, and most is 0
    right : (b + 1, 6) right sides of the bodies; x : (b + 1, 6, 1 + n) shifts by column
    scale : (b + 1,) by which the torques of joints and springs on each body are multiplied, 1 for most schemes
    mean, end : (j, 6, 9) rows at both poses
    forces, ends : (n, 2, 6) columns and rows of the border, the first for what is not kept
    which : (n, 4) joint, row of a constraint or -1, two bodies
    gaps, compliance : (n,); whole : (n, n + 1); used : (1,) rows of the border in use
    loads : (j, 3) of the coordinates, slopes : (j, 3) how they change with the coordinate at the end
    spring, spring_slopes : (s,) of the point springs likewise, by the vector between their ends
    shift : (b + 1, 6) and change : (j, 6) what was found, the change of multipliers times s
    aside : where blocks go that are not kept
    """

    blocks: Array
    right: Array
    scale: Array
    x: Array
    mean: Array
    end: Array
    forces: Array
    ends: Array
    which: np.ndarray
    gaps: Array
    compliance: Array
    whole: Array
    used: np.ndarray
    loads: Array
    slopes: Array
    spring: Array
    spring_slopes: Array
    shift: Array
    change: Array
    aside: Array


def new_tangent(m: Mechanism) -> Tangent:
    """A tangent to be filled."""
    b, j, s = len(m.mass), len(m.kind), len(m.springs)
    closing = [k for k in range(j) if k not in m.parent]
    n = 6 * len(closing) + s + 1
    return Tangent(
        blocks=np.zeros((b, 18, 19 + n)),
        right=np.zeros((b + 1, 6)),
        scale=np.ones(b + 1),
        x=np.zeros((b + 1, 6, 1 + n)),
        mean=np.zeros((j, 6, 9)),
        end=np.zeros((j, 6, 9)),
        forces=np.zeros((n, 2, 6)),
        ends=np.zeros((n, 2, 6)),
        which=np.zeros((n, 4), np.int64),
        gaps=np.zeros(n),
        compliance=np.zeros(n),
        whole=np.zeros((n, n + 1)),
        used=np.zeros(1, np.int64),
        loads=np.zeros((j, 3)),
        slopes=np.zeros((j, 3)),
        spring=np.zeros(s),
        spring_slopes=np.zeros(s),
        shift=np.zeros((b + 1, 6)),
        change=np.zeros((j, 6)),
        aside=np.zeros((18, 19 + n)),
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
    for i in range(m.mass.shape[0]):
        N, size = T.blocks[i], _size(m, i)
        for r in range(size + 6):
            for c in range(N.shape[1] + size - 12):
                N[r, c] = 0.0
        for k in range(6):
            T.right[i, k] = 0.0


@formula
def offset(m: Mechanism, i: int) -> int:
    """Row of a body's block where its equations begin; its turn stands 3 columns, and rows, behind."""
    found: int = 3 if m.parent[i] >= 0 and holds_point(m, m.parent[i]) else 0
    return found


@formula
def _size(m: Mechanism, i: int) -> int:
    """Number of unknowns of body i and the joint that carries it."""
    size: int = 6 + m.hard[m.parent[i]] if m.parent[i] >= 0 else 6
    return size


@formula
def closes(m: Mechanism, j: int) -> bool:
    """True if a joint closes a loop."""
    a, b = m.first[j], m.second[j]
    return not ((a >= 0 and m.parent[a] == j) or (b >= 0 and m.parent[b] == j))


@formula
def ends_of(m: Mechanism, p: Pose, i: int) -> tuple[Vector, Vector, Vector]:
    """Levers of a point spring, and the vector between its ends."""
    a, b = m.spring_bodies[i, 0], m.spring_bodies[i, 1]
    la, lb = to_space(p.turns, a, vector(m.spring_points[i], 0)), to_space(p.turns, b, vector(m.spring_points[i], 1))
    return la, lb, minus(plus(vector(p.r, b), lb), plus(vector(p.r, a), la))


@formula
def loaded(m: Mechanism, j: int, c: int) -> bool:
    """True if something acts on a coordinate that has no motor."""
    acts = m.stiffness[j, c] != 0.0 or m.damping[j, c] != 0.0 or m.load[j, c] != 0.0
    return bool(acts and m.motor[j, c] == NO_MOTOR)


@unallocating
def choose(m: Mechanism, p: Pose, e: Equations, multipliers: Array) -> int:
    """Number of rows of the border to use, which ``e.choice`` names first, at a pose; -1 where there is no solution.

    The multipliers (j, 6) of the others are set to 0.
    """
    if m.border.shape[0] == 0:
        return 0
    linearise(m, p, e)
    if not factor(m, e, False):
        return -1
    for n in range(e.rank[0], m.border.shape[0]):
        j = m.border[e.choice[n], 0]
        if j >= 0:
            multipliers[j, m.border[e.choice[n], 1]] = 0.0
    rank: int = e.rank[0]
    return rank


@formula
def copy(x: Pose, into: Pose) -> None:
    """Copy a pose, all of it."""
    for i in range(x.r.shape[0]):
        for k in range(3):
            into.r[i, k] = x.r[i, k]
            for c in range(3):
                into.turns[i, k, c] = x.turns[i, k, c]
        for k in range(4):
            into.q[i, k] = x.q[i, k]
    for j in range(x.apart.shape[0]):
        for k in range(3):
            into.apart[j, k], into.coordinates[j, k] = x.apart[j, k], x.coordinates[j, k]
            for side in range(2):
                into.levers[j, side, k] = x.levers[j, side, k]
                for c in range(3):
                    into.axes[j, side, k, c] = x.axes[j, side, k, c]


@formula
def holds_point(m: Mechanism, j: int) -> bool:
    """True if a joint of the tree holds a point: its force is a vector then, in inertial axes."""
    kind = m.kind[j]
    return kind in (BALL, HINGE, UNIVERSAL, FIXED) and not closes(m, j)


@formula
def fill_rows(m: Mechanism, p: Pose, x: Pose, T: Tangent) -> None:
    """Fill the rows at both poses, but for points: those of constraints, motors and loaded coordinates."""
    for j in range(m.kind.shape[0]):
        constraints = CONSTRAINTS[m.kind[j]]
        for row in range(3 if holds_point(m, j) else 0, 6):
            c = row - constraints
            if c < 0 or m.motor[j, c] != NO_MOTOR or loaded(m, j, c):
                for moment in range(2):
                    force, on_first, on_second = row_of(m, p if moment == 0 else x, j, row)
                    into = T.mean[j, row] if moment == 0 else T.end[j, row]
                    if moment == 0:
                        on_first = times(T.scale[m.first[j]], on_first)
                        on_second = times(T.scale[m.second[j]], on_second)
                    for k in range(3):
                        into[k], into[3 + k], into[6 + k] = force[k], on_first[k], on_second[k]


@formula
def is_exact(m: Mechanism) -> bool:
    """True if the equations are linearised in full: then each iteration doubles the digits."""
    exact: bool = m.border.shape[0] == 0 and m.springs.shape[0] == 0
    for j in range(m.kind.shape[0]):
        for c in range(6 - CONSTRAINTS[m.kind[j]]):
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
    rank, choice : the chosen rows of the border, see physics.joints.elimination; T.mean, T.end : rows at both poses
    """
    border = 0
    for j in range(m.kind.shape[0]):
        kind, a, b, hard = m.kind[j], m.first[j], m.second[j], m.hard[j]
        constraints, n, begin, tree = CONSTRAINTS[kind], 6 + hard, 0, not closes(m, j)
        aa = ab = ba = bb = T.aside
        ta = ra = tb = rb = ca = cb = 0  # where shift and turn of each body stand: rows, columns of the shift
        if tree:  # all in the block of the body that is carried: it comes first there
            carries_b = b >= 0 and m.parent[b] == j
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
                times(T.scale[a], vector(p.levers[j], 0)),
                times(T.scale[b], vector(p.levers[j], 1)),
                vector(x.levers[j], 0),
                vector(x.levers[j], 1),
            )
            on_a, on_b = cross(f, la), cross(lb, f)
            for k in range(3):
                T.right[a, k] -= s * f[k]
                T.right[b, k] += s * f[k]
                T.right[a, 3 + k] += s * on_a[k]
                T.right[b, 3 + k] += s * on_b[k]
                bb[tb + k, 3 + k], aa[ta + k, 3 + k] = -1.0, 1.0
                bb[k, cb + k], aa[k, ca + k] = 1.0, -1.0
                aa[k, n + 6] = -x.apart[j, k]
            add_twice(bb, rb, rb, -s * theta * T.scale[b], lb1, f)
            add_twice(aa, ra, ra, s * theta * T.scale[a], la1, f)
            add_skew(bb, rb, 3, -1.0, lb)
            add_skew(aa, ra, 3, 1.0, la)
            add_skew(bb, 0, rb, -1.0, lb1)
            add_skew(aa, 0, ra, 1.0, la1)
        for r in range(begin, hard + 6 - constraints):
            row = m.rows[j, r] if r < hard else constraints + r - hard
            c = row - constraints
            soft = r >= hard
            if soft and not loaded(m, j, c):
                continue
            multiplier = T.loads[j, c] if soft else multipliers[j, row]
            mean, end, scaled = T.mean[j, row], T.end[j, row], theta * s * multiplier
            for k in range(3):
                T.right[a, k] -= s * multiplier * mean[k]
                T.right[b, k] += s * multiplier * mean[k]
                T.right[a, 3 + k] += s * multiplier * mean[3 + k]
                T.right[b, 3 + k] += s * multiplier * mean[6 + k]
            code, i = _KINDS[kind, row], _FIRST[kind, row]
            side = 1 if code == TURN_SECOND else 0
            e, e1 = vector(p.axes[j, side], i), vector(x.axes[j, side], i)
            gap = 0.0
            if code == ACROSS:
                f, f1 = vector(p.axes[j, 1], _SECOND[kind, row]), vector(x.axes[j, 1], _SECOND[kind, row])
                add_twice(aa, ra, ra, -scaled, e1, f)
                add_twice(ba, rb, ra, scaled, e1, f)
                add_twice(bb, rb, rb, -scaled, f1, e)
                add_twice(ab, ra, rb, scaled, f1, e)
                gap = dot(e1, f1)
            elif code == ALONG:
                lever, tip = vector(p.levers[j], 1), vector(x.levers[j], 1)
                add_skew(aa, ta, ra, -scaled, e1)
                add_twice(aa, ra, ra, -scaled, e1, plus(vector(p.levers[j], 0), vector(p.apart, j)))
                add_skew(aa, ra, ca, scaled, e)
                add_skew(ab, ra, cb, -scaled, e)
                add_twice(ab, ra, rb, scaled, tip, e)
                add_skew(ba, tb, ra, scaled, e1)
                add_twice(ba, rb, ra, scaled, e1, lever)
                add_twice(bb, rb, rb, -scaled, tip, e)
                gap = dot(e1, vector(x.apart, j))
            elif side == 0:
                add_skew(aa, ra, ra, -scaled, e1)
                add_skew(ba, rb, ra, scaled, e1)
            else:
                add_skew(bb, rb, rb, scaled, e1)
                add_skew(ab, ra, rb, -scaled, e1)
            if not soft and c >= 0:
                gap = x.coordinates[j, c] - target(m, t, j, c)[0]
            if tree and not soft:
                for k in range(3):
                    aa[ta + k, 6 + r], aa[ra + k, 6 + r] = mean[k], -mean[3 + k]
                    bb[tb + k, 6 + r], bb[rb + k, 6 + r] = -mean[k], -mean[6 + k]
                _put_row(aa, 6 + r, ca, ra, end, True)
                _put_row(bb, 6 + r, cb, rb, end, False)
                aa[6 + r, n + 6] = -gap
            elif tree:
                _put_row(T.forces[0], 0, 0, 3, mean, True)
                _put_row(T.forces[0], 1, 0, 3, mean, False)
                _put_row(T.ends[0], 0, 0, 3, end, True)
                _put_row(T.ends[0], 1, 0, 3, end, False)
                slope = -s * T.slopes[j, c]
                for k in range(6):
                    row_a, row_b = (ta + k, tb + k) if k < 3 else (ra + k - 3, rb + k - 3)
                    for l in range(6):
                        col_a, col_b = (ca + l, cb + l) if l < 3 else (ra + l - 3, rb + l - 3)
                        aa[row_a, col_a] += slope * T.forces[0, 0, k] * T.ends[0, 0, l]
                        aa[row_a, col_b] += slope * T.forces[0, 0, k] * T.ends[0, 1, l]
                        aa[row_b, col_a] += slope * T.forces[0, 1, k] * T.ends[0, 0, l]
                        aa[row_b, col_b] += slope * T.forces[0, 1, k] * T.ends[0, 1, l]
            else:
                used = soft and T.slopes[j, c] != 0.0
                for k in range(rank):
                    used = used or (m.border[choice[k], 0] == j and m.border[choice[k], 1] == row)
                if used:
                    border += 1  # the first place is for what is not kept
                    _put_row(T.forces[border], 0, 0, 3, mean, True)
                    _put_row(T.forces[border], 1, 0, 3, mean, False)
                    _put_row(T.ends[border], 0, 0, 3, end, True)
                    _put_row(T.ends[border], 1, 0, 3, end, False)
                    T.which[border, 0], T.which[border, 1] = j, -1 if soft else row
                    T.which[border, 2], T.which[border, 3] = a, b
                    T.gaps[border] = -gap
                    T.compliance[border] = -1.0 / (s * T.slopes[j, c]) if soft else 0.0
    for i in range(m.springs.shape[0]):
        border += 1
        a, b = m.spring_bodies[i, 0], m.spring_bodies[i, 1]
        for moment in range(2):
            la, lb, d = ends_of(m, p if moment == 0 else x, i)
            on_a, on_b, into = cross(d, la), cross(lb, d), T.forces[border] if moment == 0 else T.ends[border]
            if moment == 0:
                on_a, on_b = times(T.scale[a], on_a), times(T.scale[b], on_b)
            for k in range(3):
                into[0, k], into[1, k], into[0, 3 + k], into[1, 3 + k] = -d[k], d[k], on_a[k], on_b[k]
        for k in range(6):
            T.right[a, k] += s * T.spring[i] * T.forces[border, 0, k]
            T.right[b, k] += s * T.spring[i] * T.forces[border, 1, k]
        T.which[border, 0], T.which[border, 1], T.which[border, 2], T.which[border, 3] = 0, -1, a, b
        T.gaps[border], T.compliance[border] = 0.0, -1.0 / (s * min(T.spring_slopes[i], -1e-100))
    T.used[0] = border


# ---- solution --------------------------------------------------------------------------------------------


@unallocating
def solve(m: Mechanism, T: Tangent) -> None:
    """Solve for ``shift`` and ``change``, numbers that are none where a pivot is 0."""
    width = 1 + T.used[0]
    for i in range(m.mass.shape[0]):
        at, last = offset(m, i), _size(m, i) + 6
        for k in range(6):
            T.blocks[i, at + k, last] += T.right[i, k]
    for n in range(1, width):
        for side in range(2):
            i = T.which[n, 2 + side]
            if i >= 0:
                at, last = offset(m, i), _size(m, i) + 6
                for k in range(6):
                    T.blocks[i, at + k, last + n] += T.forces[n, side, k]
    for n in range(m.order.shape[0]):
        i = m.order[n]
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
    for n in range(m.order.shape[0] - 1, -1, -1):
        i = m.order[n]
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
    for i in range(m.mass.shape[0]):
        N, size, at = T.blocks[i], _size(m, i), offset(m, i)
        for r in range(size):
            found = N[r, size + 6]
            for k in range(1, width):
                found += T.whole[k - 1, width - 1] * N[r, size + 6 + k]
            if r < 3:
                T.shift[i, r] = found
            elif r < 3 + at:
                T.change[m.parent[i], r - 3] = found
            elif r < 6 + at:
                T.shift[i, r - at] = found
            else:
                T.change[m.parent[i], m.rows[m.parent[i], r - 6]] = found


@formula
def _carrier(m: Mechanism, i: int) -> int:
    """Body that carries body i by the tree, or -1."""
    j, far = m.parent[i], -1
    if j >= 0:
        far = m.second[j] if m.side[i] == 0 else m.first[j]
    return far


@unallocating
def _solve_border(m: Mechanism, T: Tangent) -> None:
    """Multipliers of the border, in the last column of ``whole``, from its Schur complement."""
    n, A = T.used[0], T.whole
    for i in range(n):
        ends, first, second = T.ends[i + 1], T.which[i + 1, 2], T.which[i + 1, 3]
        for k in range(1 + n):
            found = 0.0
            for c in range(6):
                found += ends[0, c] * T.x[first, c, k] + ends[1, c] * T.x[second, c, k]
            if k == 0:
                A[i, n] = T.gaps[i + 1] - found
            else:
                A[i, k - 1] = found + (T.compliance[i + 1] if k - 1 == i else 0.0)
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
        if T.which[i + 1, 1] >= 0:
            T.change[T.which[i + 1, 0], T.which[i + 1, 1]] = A[i, n]
