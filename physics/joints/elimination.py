"""Solution of [M, -G^T; G, 0] (a, multipliers) = (f, g) in O(n): from the leaves of the tree to its roots, and back.

A body with all that hangs on it takes a matrix (6, 6), to which the rows of its joint add what they hold on the next
body (Baraff 1996; articulated bodies of Featherstone are the same): no fill, no search for pivots, as the rows of one
joint are independent on the body that it carries. Joints that close loops, and springs with damping, are a dense border
of the tree: its Schur complement, scaled to a unit diagonal of G M^-1 G^T, says which of its rows are independent.
Those are chosen by pivoting once, and kept until one falls below KEPT.

Soft rows, see physics.joints.mechanism, have the equation G a + compliance multiplier = g.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, unallocating
from physics.core.records import Records, records
from physics.core.rotation import Array
from physics.joints.mechanism import CONSTRAINTS, Mechanism, no_choice
from physics.joints.rows import MechanismPose, jacobian, spring, to_body

CUT = 1e-11  # pivots below it are those of redundant rows
KEPT = 1e-4  # least pivot of a choice that is kept
KEEP, CHOOSE, USE = range(3)  # stages of ``factor``: the choice as it is, then a new one


class JointEquations(NamedTuple):
    """Matrices of one pose, and room to work in.

    Attributes
    ----------
    rows : (j, 6, 2, 6) the Jacobian
    springs : (s, 2, 6) rows of the point springs
    dampers : (s,) records

        compliance and right side of a point spring's row

    bodies : (b, 6, 6) factors L L^T
    joints : (j,) records

        compliance : (6,) of the soft rows; right : (6,) room
        near : (6, 6) L^-1 of the rows on the carried body; far : (6, 6) L^-1 of the rows on the body that carries
        own : (6, 6) factors of the matrix of the rows

    border : (n,) records

        scale : of the row; use : numbers of the rows in use

    columns : (n, b + 1, 6) motion by a unit multiplier of each row of the border
    whole : (n, n) factors of the rows in use; forces : (n,) of the border
    choice : (n,) hard rows of the border, the chosen ones first
    count : (1,) record: how many rows are used; rank : how many are chosen, see ``no_choice``; soft : 1 with soft rows
    load : (b + 1, 6); nothing, spare : (j, 6)
    """

    rows: Array
    springs: Array
    dampers: Records
    bodies: Array
    joints: Records
    border: Records
    columns: Array
    whole: Array
    forces: Array
    choice: np.ndarray
    count: Records
    load: Array
    nothing: Array
    spare: Array


_VECTORS = [(name, float, 6) for name in ("compliance", "right")]
_JOINT = [*_VECTORS, *((name, float, (6, 6)) for name in ("near", "far", "own"))]


def new_equations(mechanism: Mechanism) -> JointEquations:
    """Equations to be filled by ``linearise`` and ``factor``."""
    b, j, s, n = (len(x) for x in (mechanism.bodies, mechanism.joints, mechanism.springs, mechanism.border))
    count = records(1, [("used", int), ("rank", int), ("soft", int)])
    count.rank = no_choice(mechanism)
    return JointEquations(
        rows=np.zeros((j, 6, 2, 6)),
        springs=np.zeros((s, 2, 6)),
        dampers=records(s, [("compliance", float), ("right", float)]),
        bodies=np.zeros((b, 6, 6)),
        joints=records(j, _JOINT),
        border=records(n, [("scale", float), ("use", int)]),
        columns=np.zeros((n, b + 1, 6)),
        whole=np.zeros((n, n)),
        forces=np.zeros(n),
        choice=np.arange(n),
        count=count,
        load=np.zeros((b + 1, 6)),
        nothing=np.zeros((j, 6)),
        spare=np.zeros((j, 6)),
    )


@unallocating
def linearise(m: Mechanism, p: MechanismPose, e: JointEquations) -> None:
    """Fill the rows of the equations at a pose that is placed; the soft ones are left out until ``soften``."""
    jacobian(m, p, e.rows)
    e.count[0].soft = 0
    for s in range(m.springs.shape[0]):
        one = m.springs[s]
        _, n, on_first, on_second = spring(m, p, s)
        on_first = to_body(p.bodies[one.bodies[0]].turns, on_first)
        on_second = to_body(p.bodies[one.bodies[1]].turns, on_second)
        for k in range(3):
            e.springs[s, 0, k], e.springs[s, 0, 3 + k] = -n[k], on_first[k]
            e.springs[s, 1, k], e.springs[s, 1, 3 + k] = n[k], on_second[k]


@unallocating
def soften(m: Mechanism, e: JointEquations, share: float) -> None:
    """Add the soft rows, compliance 1 / (share x damping), share a time [s]: multipliers are impulses [N s]."""
    e.count[0].soft = 1
    for j in range(m.joints.shape[0]):
        joint = m.joints[j]
        for n in range(joint.hard, joint.hard + joint.soft):
            row = joint.rows[n]
            e.joints[j].compliance[row] = 1.0 / (share * joint.damping[row - CONSTRAINTS[joint.kind]])
    for s in range(m.springs.shape[0]):
        one = m.springs[s]
        if one.damping != 0.0:
            e.dampers[s].compliance = 1.0 / (share * one.damping)


# ---- small symmetric matrices ----------------------------------------------------------------------------
# Reciprocals of pivots are kept: a division takes as long as ten products.


@formula
def _cholesky(A: Array) -> bool:
    """Factors L L^T of the lower half of A (6, 6) in place, 1 / L on the diagonal; False where it is not positive."""
    for i in range(6):
        for k in range(i):
            x = A[i, k]
            for l in range(k):
                x -= A[i, l] * A[k, l]
            A[i, k] = x * A[k, k]
        d = A[i, i]
        for k in range(i):
            d -= A[i, k] * A[i, k]
        if not d > 0.0:
            return False
        A[i, i] = 1.0 / math.sqrt(d)
    return True


@formula
def _down(A: Array, x: Array) -> None:
    """L^-1 x in place, by ``_cholesky``."""
    for i in range(6):
        found = x[i]
        for k in range(i):
            found -= A[i, k] * x[k]
        x[i] = found * A[i, i]


@formula
def _up(A: Array, x: Array) -> None:
    """L^-T x in place, by ``_cholesky``."""
    for i in range(5, -1, -1):
        found = x[i]
        for k in range(i + 1, 6):
            found -= A[k, i] * x[k]
        x[i] = found * A[i, i]


@formula
def factor_symmetric(A: Array, n: int) -> bool:
    """Factors L D L^T of A (n, n) in place, of any signs: L below the diagonal, 1 / D on it, D L^T above."""
    for i in range(n):
        for k in range(i):
            x = A[i, k]
            for l in range(k):
                x -= A[i, l] * A[l, k]
            A[k, i] = x
            A[i, k] = x * A[k, k]
        d = A[i, i]
        for k in range(i):
            d -= A[i, k] * A[k, i]
        A[i, i] = 1.0 / d
        if not abs(A[i, i]) < np.inf:
            return False
    return True


@formula
def forward(A: Array, n: int, x: Array) -> None:
    """L^-1 x in place, by ``factor_symmetric``."""
    for i in range(1, n):
        found = x[i]
        for k in range(i):
            found -= A[i, k] * x[k]
        x[i] = found


@formula
def backward(A: Array, n: int, x: Array) -> None:
    """L^-T D^-1 x in place, by ``factor_symmetric``."""
    for i in range(n):
        x[i] *= A[i, i]
    for i in range(n - 1, -1, -1):
        found = x[i]
        for k in range(i + 1, n):
            found -= A[k, i] * x[k]
        x[i] = found


# ---- the tree --------------------------------------------------------------------------------------------


@formula
def _factor_tree(m: Mechanism, e: JointEquations) -> bool:
    """Factors of all bodies and joints of the tree for the rows in ``e``; False where a matrix is singular."""
    soft = e.count[0].soft
    for i in range(m.bodies.shape[0]):
        body = m.bodies[i]
        A = e.bodies[i]
        for k in range(6):
            for l in range(k):
                A[k, l] = 0.0
            A[k, k] = body.mass if k < 3 else body.inertia[k - 3]
    for n in range(m.bodies.shape[0]):
        i = m.bodies[n].order
        A, j = e.bodies[i], m.bodies[i].parent
        if not _cholesky(A):
            return False
        if j < 0:
            continue
        near = m.bodies[i].side
        size, S, Y = m.joints[j].hard + soft * m.joints[j].soft, e.joints[j].own, e.joints[j].near
        for a in range(size):
            row = m.joints[j].rows[a]
            for k in range(6):
                Y[a, k] = e.rows[j, row, near, k]
            _down(A, Y[a])
            for b in range(a + 1):
                x = 0.0
                for k in range(6):
                    x += Y[a, k] * Y[b, k]
                S[a, b] = x
            S[a, a] += e.joints[j].compliance[row]
        if not factor_symmetric(S, size):
            return False
        far = m.bodies[i].carrier
        if far < 0:
            continue
        B, Z = e.bodies[far], e.joints[j].far
        for a in range(size):
            row = m.joints[j].rows[a]
            for k in range(6):
                Z[a, k] = e.rows[j, row, 1 - near, k]
            for b in range(a):
                x = S[a, b]
                for k in range(6):
                    Z[a, k] -= x * Z[b, k]
            for k in range(6):
                x = Z[a, k] * S[a, a]
                for l in range(k + 1):
                    B[k, l] += x * Z[a, l]
    return True


@formula
def _solve_tree(m: Mechanism, e: JointEquations, f: Array, g: Array, x: Array, multipliers: Array) -> None:
    """Solve for x (b + 1, 6) and multipliers (j, 6) of the tree alone; f (b + 1, 6) is used up, g (j, 6) is kept."""
    soft = e.count[0].soft
    for n in range(m.bodies.shape[0]):
        i = m.bodies[n].order
        j, y = m.bodies[i].parent, f[i]
        _down(e.bodies[i], y)
        if j < 0:
            continue
        c = e.joints[j].right
        far = m.bodies[i].carrier
        size, S, Y = m.joints[j].hard + soft * m.joints[j].soft, e.joints[j].own, e.joints[j].near
        for a in range(size):
            found = g[j, m.joints[j].rows[a]]
            for k in range(6):
                found -= Y[a, k] * y[k]
            c[a] = found
        forward(S, size, c)
        if far >= 0:
            Z, into = e.joints[j].far, f[far]
            for a in range(size):
                share = c[a] * S[a, a]
                for k in range(6):
                    into[k] += share * Z[a, k]
    for n in range(m.bodies.shape[0] - 1, -1, -1):
        i = m.bodies[n].order
        j, y = m.bodies[i].parent, x[i]
        for k in range(6):
            y[k] = f[i, k]
        if j >= 0:
            c = e.joints[j].right
            far = m.bodies[i].carrier
            size, S, Y = m.joints[j].hard + soft * m.joints[j].soft, e.joints[j].own, e.joints[j].near
            if far >= 0:
                Z = e.joints[j].far
                for a in range(size):
                    found = c[a]
                    for k in range(6):
                        found -= Z[a, k] * x[far, k]
                    c[a] = found
            backward(S, size, c)
            for a in range(size):
                multipliers[j, m.joints[j].rows[a]] = c[a]
                for k in range(6):
                    y[k] += c[a] * Y[a, k]
        _up(e.bodies[i], y)


# ---- the border ------------------------------------------------------------------------------------------


@formula
def _of_border(m: Mechanism, e: JointEquations, i: int) -> tuple[Array, int, int]:
    """Row i (2, 6) of the border, and its bodies."""
    j, s = m.border[i, 0], m.border[i, 1]
    if j >= 0:
        return e.rows[j, s], m.joints[j].first, m.joints[j].second
    return e.springs[s], m.springs[s].bodies[0], m.springs[s].bodies[1]


@formula
def _border_row(m: Mechanism, e: JointEquations, i: int, x: Array) -> float:
    """Row i of the border times velocities or accelerations (b + 1, 6)."""
    row, a, b = _of_border(m, e, i)
    found = 0.0
    for k in range(6):
        found += row[0, k] * x[a, k] + row[1, k] * x[b, k]
    return found


@formula
def _add_border(m: Mechanism, e: JointEquations, i: int, multiplier: float, f: Array) -> None:
    """Add the loads of a multiplier of row i of the border to loads (b + 1, 6)."""
    row, a, b = _of_border(m, e, i)
    for k in range(6):
        f[a, k] += multiplier * row[0, k]
        f[b, k] += multiplier * row[1, k]


@formula
def _is_soft(m: Mechanism, i: int) -> bool:
    """True if row i of the border is soft."""
    j = m.border[i, 0]
    if j < 0:
        return True
    found = True
    for n in range(m.joints[j].hard):
        found = found and m.joints[j].rows[n] != m.border[i, 1]
    return found


@formula
def _compliance(m: Mechanism, e: JointEquations, i: int) -> float:
    """Compliance of row i of the border, 0 of a hard one."""
    j, row = m.border[i, 0], m.border[i, 1]
    found: float = e.dampers[row].compliance if j < 0 else e.joints[j].compliance[row]
    return found


@unallocating
def _fill_column(m: Mechanism, e: JointEquations, i: int) -> None:
    """Fill column i of ``columns``, and its ``scale``."""
    column, bodies = e.columns[i], m.bodies.shape[0]
    for b in range(bodies + 1):
        for k in range(6):
            e.load[b, k] = 0.0
    _add_border(m, e, i, 1.0, e.load)
    size = abs(_compliance(m, e, i))
    for b in range(bodies):
        for k in range(6):
            size += e.load[b, k] * e.load[b, k] / (m.bodies[b].mass if k < 3 else m.bodies[b].inertia[k - 3])
    e.border[i].scale = 1.0 / math.sqrt(size)
    _solve_tree(m, e, e.load, e.nothing, column, e.spare)


@formula
def _fill_whole(m: Mechanism, e: JointEquations, n: int) -> None:
    """Fill the lower half of ``whole``, the scaled Schur complement (n, n) of the rows ``use`` of the border."""
    for i in range(n):
        row = e.border[i].use
        for k in range(i + 1):
            other = e.border[k].use
            e.whole[i, k] = e.border[row].scale * e.border[other].scale * _border_row(m, e, other, e.columns[row])
        e.whole[i, i] += e.border[row].scale * e.border[row].scale * _compliance(m, e, row)


@formula
def _choose(A: Array, n: int, choice: np.ndarray) -> int:
    """Bring the independent ones of n rows of the border to the front of ``choice``, by pivoting; their number."""
    for i in range(n):
        best = i
        for k in range(i + 1, n):
            if A[k, k] > A[best, best]:
                best = k
        if not A[best, best] > CUT:
            return i
        choice[i], choice[best] = choice[best], choice[i]
        A[i, i], A[best, best] = A[best, best], A[i, i]
        for k in range(i + 1, best):
            A[k, i], A[best, k] = A[best, k], A[k, i]
        for k in range(best + 1, n):
            A[k, i], A[k, best] = A[k, best], A[k, i]
        for k in range(i + 1, n):
            x = A[k, i] / A[i, i]
            for l in range(i + 1, k + 1):
                A[k, l] -= x * A[l, i]
    return n


# ---- both ------------------------------------------------------------------------------------------------
# With each function numba compiles all that it calls once more: large ones are called at few levels and places.


@unallocating
def factor(m: Mechanism, e: JointEquations) -> bool:
    """Factors for the rows that ``linearise`` filled, and ``soften``.

    False where a matrix is singular, or no number. Where the choice of rows is not good any more it is made anew.
    """
    good, rows, count = _factor_tree(m, e), m.border.shape[0], e.count[0]
    if not good or rows == 0:
        return good
    for stage in range(KEEP if count.rank >= 0 else CHOOSE, USE + 1):
        if stage == CHOOSE:
            count.rank = 0
            for i in range(rows):
                if not _is_soft(m, i):
                    e.choice[count.rank] = i
                    count.rank += 1
        count.used = count.rank
        for i in range(rows):
            if i < count.rank:
                e.border[i].use = e.choice[i]
            if count.soft and stage != CHOOSE and _is_soft(m, i):
                e.border[count.used].use = i
                count.used += 1
        for i in range(count.used):
            _fill_column(m, e, e.border[i].use)
        _fill_whole(m, e, count.used)
        if stage == CHOOSE:
            count.rank = _choose(e.whole, count.rank, e.choice)
            continue
        good = factor_symmetric(e.whole, count.used)
        for i in range(count.rank if stage == KEEP else 0):
            good = good and 0.0 < e.whole[i, i] < 1.0 / KEPT
        if good:
            break
    return good


@formula
def solve_constrained(m: Mechanism, e: JointEquations, f: Array, g: Array, x: Array, multipliers: Array) -> None:
    """Solve M x - G^T multipliers = f, G x (+ compliance multipliers) = g.

    Parameters
    ----------
    f : (b + 1, 6) loads, used up; g : (j, 6); that of the springs' soft rows is in ``e.dampers``
    x : (b + 1, 6) result, the ground's row is left alone; multipliers : (j, 6) result of the rows in use, 0 for rows
        that are not chosen; the springs' are in ``e.forces``, by rows of the border
    """
    n = m.border.shape[0]
    if n:
        for i in range(m.bodies.shape[0]):
            for k in range(6):
                e.load[i, k] = f[i, k]
    for _ in range(2):  # the tree alone, then with what the border adds to the loads
        _solve_tree(m, e, f, g, x, multipliers)
        if not n:
            break
        count, F = e.count[0].used, e.forces
        for i in range(count):
            row = e.border[i].use
            j = m.border[row, 0]
            wanted = e.dampers[m.border[row, 1]].right if j < 0 else g[j, m.border[row, 1]]
            F[i] = e.border[row].scale * (wanted - _border_row(m, e, row, x))
        forward(e.whole, count, F)
        backward(e.whole, count, F)
        for i in range(n):
            if m.border[i, 0] >= 0:
                multipliers[m.border[i, 0], m.border[i, 1]] = 0.0
        for i in range(count):
            row = e.border[i].use
            multiplier = e.border[row].scale * F[i]
            if m.border[row, 0] >= 0:
                multipliers[m.border[row, 0], m.border[row, 1]] = multiplier
            _add_border(m, e, row, multiplier, e.load)
        f, n = e.load, 0
