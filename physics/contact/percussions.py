"""Percussions: Signorini's law with Newton's impact law, and Coulomb's friction, on velocity level.

Several contacts that all stick are solved at once. Else contact by contact (block
Gauss-Seidel), each solved by itself as exactly as numbers allow: no percussion, sticking, or sliding, whose direction
is the root of a trigonometric polynomial. One contact needs one sweep, several need a few.
"""

from __future__ import annotations

import math

from physics.contact.friction import (
    bound_of,
    change_of_step,
    extrapolated,
    rebound,
    rolled,
    square_of_arm,
    turned_by,
    work_of_rolling,
)
from physics.contact.vertices import (
    APPROACH,
    BEND,
    BLOCK,
    BOUND,
    DIRECTION,
    INVERSE,
    LEVER,
    MOMENT,
    MOMENT_SHIFT,
    PERCUSSION,
    PERCUSSION_BEFORE,
    ROLLING,
    SLIDE,
    START,
    STEP,
    STEP_BEFORE,
    Inertia,
    Rows,
    Twist,
    push,
    speed,
)
from physics.core.jit import formula, unallocating
from physics.core.rotation import Array, Vector, added, cross, dot, vector_at
from physics.terrain.soil import SoilLaw

# ---- fallback: percussions that do no work ------------------------------------------------------------

MORE_SWEEPS = 500  # sweeps of Gauss-Seidel
TOLERANCE = 1e-8  # largest last change of a percussion, over the mass [m/s] or the largest percussion [1]


@formula
def work_of(contacts: Array, n: int, before: Twist, after: Twist) -> float:
    """P.(γ^- + γ^+)/2, and M.(ω^- + ω^+)/2 of rolling resistance [J]."""
    work = 0.0
    for i in range(n):
        c = contacts[i]
        for k in range(3):
            work += 0.5 * c[PERCUSSION + k] * (speed(c, k, *before) + speed(c, k, *after))
    if _rolls(contacts, n):
        work += work_of_rolling(contacts[0], before[1], after[1])
    return work


@formula
def _rolls(contacts: Array, n: int) -> bool:
    """True if rolling is resisted."""
    return n > 0 and contacts[0, ROLLING] > 0.0


@formula
def bounded(contacts: Array, n: int, mu: float, mass: float, twist: Twist) -> Twist:
    """Friction, and rolling resistance, within fixed bounds: μ times the normal percussions reached so far.

    That is a convex problem (Tresca's), on which Gauss-Seidel converges from anywhere.
    """
    v, w = twist
    for i in range(n):
        contacts[i, BOUND] = mu * contacts[i, PERCUSSION]
    rolls, bound = _rolls(contacts, n), bound_of(contacts, n)
    for _ in range(MORE_SWEEPS):
        change = largest = 0.0
        for i in range(n):
            c = contacts[i]
            normal = max(0.0, c[PERCUSSION] - (speed(c, 0, v, w) + c[APPROACH]) / c[BLOCK])
            step = normal - c[PERCUSSION]
            v, w = push(c, 0, step, mass, v, w)
            c[PERCUSSION] = normal
            change = max(change, abs(step))
            largest = max(largest, normal)
            # one over the largest eigenvalue of the tangential block, or less
            length = 1.0 / (c[BLOCK + 4] + c[BLOCK + 8])
            x = c[PERCUSSION + 1] - length * (speed(c, 1, v, w) + c[SLIDE])
            y = c[PERCUSSION + 2] - length * (speed(c, 2, v, w) + c[SLIDE + 1])
            size = math.sqrt(x * x + y * y)
            if size > c[BOUND]:
                x, y = x * c[BOUND] / size, y * c[BOUND] / size
            step1, step2 = x - c[PERCUSSION + 1], y - c[PERCUSSION + 2]
            v, w = push(c, 1, step1, mass, v, w)
            v, w = push(c, 2, step2, mass, v, w)
            c[PERCUSSION + 1], c[PERCUSSION + 2] = x, y
            change = max(change, abs(step1), abs(step2))
        if rolls:
            w, moved = rolled(contacts[0], bound, w)
            change = max(change, moved)
        if change <= TOLERANCE * max(mass, largest):
            break
    return v, w


@formula
def harmless(contacts: Array, n: int, free: Twist, before: Twist, after: Twist) -> Twist:
    """Velocities from ``free`` towards ``after``, as far as the percussions, all scaled alike, do no work."""
    whole = work_of(contacts, n, before, after)
    if whole <= 0.0:
        return after
    # the work of percussions scaled by s is s first + s² (whole - first)
    first = work_of(contacts, n, before, free)
    s = min(max(-first / (whole - first), 0.0), 1.0) if whole > first else 0.0
    for i in range(n):
        for k in range(3):
            contacts[i, PERCUSSION + k] *= s
            contacts[i, MOMENT + k] *= s
    (v, w), (v_next, w_next) = free, after
    return added(v, s, added(v_next, -1.0, v)), added(w, s, added(w_next, -1.0, w))


# ---- several contacts that all stick ------------------------------------------------------------------
# One linear system in place of sweeps: an edge or a face on the ground sticks in nineteen steps of twenty, where
# sweeps need about ten rounds. What holds it is not unique: the method of multipliers finds the least percussions.
# Each turn of it leaves about a millionth of the error, so that two reach rounding.

STIFFNESS = 1e6  # times the mass: what a multiplier grows by, over the velocity that is left
TURNS = 2


@formula
def stuck(
    contacts: Array, n: int, mu: float, mass: float, inertia: Inertia, free: Twist, still: bool
) -> tuple[Twist, bool]:
    """Velocities after percussions that hold all contacts, and whether these obey Signorini's and Coulomb's laws.

    free: the velocities without percussions, which are zero; inertia: S and g of the matrix S + hat(g) that answers
    torques; still: whether rolling resistance holds the body from turning as well. Where the laws are not obeyed, the
    percussions, and the moment that holds it, stay zero.

    Held contacts end with γ = W^T u = -(approach, slide), W their directions and levers. A turn of the multipliers,
    P -> P - s m (γ' - γ), takes the velocity u' at which (W W^T + M / (s m)) (u' - u) = -W (γ(u) - γ). As the
    directions of a contact are those of axes, the rows of v are solved by dividing, and 3 x 3 numbers are left.
    """
    (S, g), (v_held, w_held), soft = inertia, free, 1.0 / (STIFFNESS * mass)
    share, arm = 1.0 / (n + soft * mass), square_of_arm(contacts[0]) if still else 0.0
    b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)  # sum of directions times levers
    a = (
        (soft * S[0] + arm, soft * (S[3] - g[2]), soft * (S[4] + g[1])),
        (soft * (S[3] + g[2]), soft * S[1] + arm, soft * (S[5] - g[0])),
        (soft * (S[4] - g[1]), soft * (S[5] + g[0]), soft * S[2] + arm),
    )
    for i in range(n):
        for k in range(3):
            d, lever = vector_at(contacts[i], DIRECTION + 3 * k), vector_at(contacts[i], LEVER + 3 * k)
            b, a = _with_product(b, d, lever), _with_product(a, lever, lever)
    for k in range(3):
        a = _with_product(a, (-share * b[k][0], -share * b[k][1], -share * b[k][2]), b[k])
    c = cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])  # over the determinant, the columns of the inverse
    over = 1.0 / dot(a[0], c[0])
    for _ in range(TURNS):
        f = t = (0.0, 0.0, 0.0)
        for i in range(n):
            for k in range(3):
                left = _left(contacts[i], k, v_held, w_held)
                f = added(f, left, vector_at(contacts[i], DIRECTION + 3 * k))
                t = added(t, left, vector_at(contacts[i], LEVER + 3 * k))
        if still:
            t = added(t, arm, added(w_held, 1.0, vector_at(contacts[0], MOMENT_SHIFT)))
        for k in range(3):
            t = added(t, -share * f[k], b[k])
        turn = added(added(added((0.0, 0.0, 0.0), -over * t[0], c[0]), -over * t[1], c[1]), -over * t[2], c[2])
        move = f[0] + dot(b[0], turn), f[1] + dot(b[1], turn), f[2] + dot(b[2], turn)
        v_soft, w_soft = added(v_held, -share, move), added(w_held, 1.0, turn)
        sound = True
        for i in range(n):
            for k in range(3):
                step = -STIFFNESS * mass * _left(contacts[i], k, v_soft, w_soft)
                contacts[i, PERCUSSION + k] += step
                v_held, w_held = push(contacts[i], k, step, mass, v_held, w_held)
            sound = sound and _in_cone(contacts[i], mu)
        if still:
            turning = added(w_soft, 1.0, vector_at(contacts[0], MOMENT_SHIFT))
            w_held = turned_by(contacts[0], added((0.0, 0.0, 0.0), -STIFFNESS * mass * arm, turning), w_held)
            moment, bound = vector_at(contacts[0], MOMENT), bound_of(contacts, n)
            sound = sound and dot(moment, moment) <= bound * bound
        if not sound:
            break
    if still:
        turning = added(w_held, 1.0, vector_at(contacts[0], MOMENT_SHIFT))
        sound = sound and arm * dot(turning, turning) <= TOLERANCE * TOLERANCE
    if sound and _most_left(contacts, n, v_held, w_held) <= TOLERANCE:
        return (v_held, w_held), True
    _clear(contacts, n)
    return free, False


@formula
def _left(c: Array, k: int, v: Vector, w: Vector) -> float:
    """Difference of a velocity from its aim [m/s]; the aims are in sequence: SLIDE is APPROACH + 1."""
    return float(speed(c, k, v, w) + c[APPROACH + k])


@formula
def _most_left(contacts: Array, n: int, v: Vector, w: Vector) -> float:
    most = 0.0
    for i in range(n):
        for k in range(3):
            most = max(most, abs(_left(contacts[i], k, v, w)))
    return most


@formula
def _in_cone(c: Array, mu: float) -> bool:
    x, y, most = c[PERCUSSION + 1], c[PERCUSSION + 2], mu * c[PERCUSSION]
    return bool(most >= 0.0 and x * x + y * y <= most * most)


@formula
def _with_product(a: Rows, x: Vector, y: Vector) -> Rows:
    """a + x y^T."""
    return added(a[0], x[0], y), added(a[1], x[1], y), added(a[2], x[2], y)


# ---- all contacts -------------------------------------------------------------------------------------

EDGE_TURNS = 8  # turns of what rolls with all contacts held: the first at rest, the second without a moment
SWEEPS = 100  # sweeps of Gauss-Seidel before the next, more robust form of friction is tried
TRIES = 13  # starts of Newton's method for the direction of sliding, the first at the guess
COARSE = 1e5  # times the work that friction of one contact may do by rounding: that of several is taken off


@unallocating
def percussions(
    contacts: Array,
    n: int,
    law: SoilLaw,
    mu: float,
    restitution: float,
    mass: float,
    free: Twist,
    begun: Twist,
    quantum: float,
    wanders: bool = False,
    inertia: Inertia | None = None,
) -> tuple[Twist, bool]:
    """Velocities after the percussions, and whether they were solved to TOLERANCE, without the fallback.

    free: the velocities without contact; begun: those that the step starts with, for Newton's law and for the work of
    the percussions, P.(γ^- + γ^+)/2 summed over the contacts. Friction opposes the sliding at the end of the step, as
    in the papers. In a slow pivot that can do work, because gravity acts within the step: such a step, and one that
    does not settle, is solved again with friction against the mean sliding of the step, whose work is never positive.
    Where that does not settle either, friction keeps the bounds reached so far: the fallback.
    law: of the soil, for physics.contact.friction.rebound; mu, restitution: of friction and of this impact;
    ``quantum``: m (g h)², the scale of that work [J]; inertia: what answers torques, to look first whether several
    contacts all stick.

    wanders: whether the contacts wander along a smooth body in this step. The laws of one that is alone hold for the
    velocities at the start and the end of the step: where γ^- is START + BEND, γ^+ ends as -BEND, so that a body that
    rolls neither sinks nor loses energy, to second order. Several are stopped together: with velocities of their own
    they would press against each other along the line between them. What little work that does is taken off again.
    """
    alone, several = wanders and n == 1, wanders and n > 1
    for i in range(n):
        c = contacts[i]
        before = speed(c, 0, *begun)
        if alone:
            for k in range(3):
                c[BEND + k] = speed(c, k, *begun) - c[START + k]
            before = c[START]
        # a vertex that leaves and is drawn back within the step is held at -γ^-: its percussion does no work
        c[APPROACH] = rebound(law, restitution, before) if before < 0.0 else (0.0 if several else before)
        if alone:
            c[APPROACH] += c[BEND]
    scale = COARSE * quantum if several else quantum
    after, solved = answered(contacts, n, mu, mass, free, begun, scale, inertia)
    return harmless(contacts, n, free, begun, after) if several else after, solved


@formula
def answered(
    contacts: Array,
    n: int,
    mu: float,
    mass: float,
    free: Twist,
    begun: Twist,
    quantum: float,
    inertia: Inertia | None = None,
) -> tuple[Twist, bool]:
    """Same as ``percussions``, with the normal velocities -APPROACH below which each contact must not end."""
    for i in range(n):
        contacts[i, SLIDE], contacts[i, SLIDE + 1] = contacts[i, BEND + 1], contacts[i, BEND + 2]
    after = free
    for law in range(2):  # both in one place: twice in a kernel, they would take twice as long to compile
        if law == 1:
            _against_mean(contacts, n, begun)
        after, solved = _solved(contacts, n, mu, mass, free, inertia)
        if solved and (law == 1 or work_of(contacts, n, begun, after) <= 1e-7 * quantum):
            return after, True
    return harmless(contacts, n, free, begun, bounded(contacts, n, mu, mass, after)), False


@formula
def _against_mean(contacts: Array, n: int, begun: Twist) -> None:
    """Make n contacts ready to be solved again, with friction against their mean sliding."""
    _clear(contacts, n)
    for i in range(n):
        c = contacts[i]
        c[SLIDE], c[SLIDE + 1] = speed(c, 1, *begun), speed(c, 2, *begun)
        for k in range(3):
            c[MOMENT_SHIFT + k] = begun[1][k]


@formula
def _solved(
    contacts: Array, n: int, mu: float, mass: float, free: Twist, inertia: Inertia | None
) -> tuple[Twist, bool]:
    """Velocities and whether they were solved: by sweeps where not all contacts stick.

    Where rolling is resisted, rest is tried first, then a turn with all contacts held, as about an edge.
    """
    rolls = _rolls(contacts, n)
    if inertia is not None and (n > 1 or rolls):
        moment, first, aim, before = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
        arm = square_of_arm(contacts[0])
        for turn in range(EDGE_TURNS if rolls else 1):
            still = rolls and turn == 0
            w_pushed = turned_by(contacts[0], moment, free[1]) if turn > 1 else free[1]
            held, sticks = stuck(contacts, n, mu, mass, inertia, (free[0], w_pushed), still)
            if sticks and (still or not rolls):
                return held, True
            if still:
                continue
            if not (sticks and rolls):
                break
            bound, turning = bound_of(contacts, n), added(held[1], 1.0, vector_at(contacts[0], MOMENT_SHIFT))
            if turn == 1:
                first = aim = turning
            else:
                off = added(turning, -1.0, aim)
                if abs(bound - before) <= TOLERANCE * bound and arm * dot(off, off) <= TOLERANCE * TOLERANCE:
                    return held, True
                aim = _resisted(first, added(turning, -1.0, first), moment, bound)
            moment, before = added((0.0, 0.0, 0.0), -bound / math.sqrt(dot(aim, aim)), aim), bound
            _clear(contacts, n)
        _clear(contacts, n)
    return _gauss_seidel(contacts, n, mu, mass, free)


@formula
def _resisted(first: Vector, change: Vector, moment: Vector, bound: float) -> Vector:
    """The angular velocity t with which t = first + K M and M = -bound t / |t| [rad/s].

    The held contacts let a body turn about one axis, along which K M is. change: K M of another moment.
    """
    size = math.sqrt(dot(change, change))
    axis = added((0.0, 0.0, 0.0), 1.0 / size, change)
    slope, along = bound * size / dot(moment, axis), dot(first, axis)
    across = dot(first, first) - along * along
    low, high = 0.0, 1.0  # of the turn about the axis without the moment
    for _ in range(60):
        share = 0.5 * (low + high)
        left = share * along
        if share + slope * share / math.sqrt(max(across, 0.0) + left * left) < 1.0:
            low = share
        else:
            high = share
    return added(first, (0.5 * (low + high) - 1.0) * along, axis)


@formula
def _clear(contacts: Array, n: int) -> None:
    """Make n contacts ready to be solved again."""
    for i in range(n):
        for k in range(3):
            contacts[i, PERCUSSION + k] = contacts[i, MOMENT + k] = 0.0


@formula
def _gauss_seidel(contacts: Array, n: int, mu: float, mass: float, free: Twist) -> tuple[Twist, bool]:
    """Contact by contact: 0 <= P_N complementary to γ_N + approach >= 0; |P_T| <= μ P_N against γ_T + slide."""
    (v, w), rolls = free, _rolls(contacts, n)
    for sweep in range(SWEEPS):
        change = largest = 0.0
        for i in range(n):
            c = contacts[i]
            p = (c[PERCUSSION], c[PERCUSSION + 1], c[PERCUSSION + 2])
            a = speed(c, 0, v, w) + c[APPROACH]
            x, y = speed(c, 1, v, w) + c[SLIDE], speed(c, 2, v, w) + c[SLIDE + 1]
            new, found = _alone(c, mu, p, (a - _block(c, 0, p), x - _block(c, 1, p), y - _block(c, 2, p)))
            if not found:
                change = math.inf
            for k in range(3):
                step = new[k] - p[k]
                v, w = push(c, k, step, mass, v, w)
                c[PERCUSSION + k], c[STEP + k] = new[k], step
                change = max(change, abs(step))
            largest = max(largest, new[0])
        if rolls:
            w, moved = rolled(contacts[0], bound_of(contacts, n), w)
            change = max(change, moved)
        if change <= TOLERANCE * max(mass, largest) or (n == 1 and change < math.inf and not rolls):
            return (v, w), True
        v, w = _extrapolated(contacts, n, mass, v, w, sweep)
    return (v, w), False


@formula
def _extrapolated(contacts: Array, n: int, mass: float, v: Vector, w: Vector, sweep: int) -> Twist:
    """Anderson's acceleration of depth one: from the last two sweeps to where their steps would vanish."""
    along = size = 0.0
    for i in range(n):
        for k in range(3):
            c = contacts[i]
            d = c[STEP + k] - c[STEP_BEFORE + k]
            along += c[STEP + k] * d
            size += d * d
    rolls = _rolls(contacts, n)
    if rolls:
        of_step, of_change = change_of_step(contacts[0])
        along, size = along + of_step, size + of_change
    back = along / size if sweep > 0 and size > 0.0 else 0.0
    back = min(max(back, -20.0), 20.0)
    for i in range(n):
        c = contacts[i]
        for k in range(3):
            step = back * (c[PERCUSSION_BEFORE + k] - c[PERCUSSION + k])
            c[PERCUSSION_BEFORE + k], c[STEP_BEFORE + k] = c[PERCUSSION + k], c[STEP + k]
            c[PERCUSSION + k] += step
            v, w = push(c, k, step, mass, v, w)
    if rolls:
        w = extrapolated(contacts[0], back, w)
    return v, w


@formula
def _block(c: Array, i: int, p: Vector) -> float:
    """Row i of the contact's own block times p."""
    return float(c[BLOCK + 3 * i] * p[0] + c[BLOCK + 3 * i + 1] * p[1] + c[BLOCK + 3 * i + 2] * p[2])


@formula
def _alone(c: Array, mu: float, last: Vector, free: Vector) -> tuple[Vector, bool]:
    """The percussion of one contact whose velocity without it is ``free``; whether it was found.

    last: a guess, for the direction of sliding.
    """
    if free[0] >= 0.0:
        return (0.0, 0.0, 0.0), True
    i = INVERSE
    normal = -(c[i] * free[0] + c[i + 1] * free[1] + c[i + 2] * free[2])
    x = -(c[i + 3] * free[0] + c[i + 4] * free[1] + c[i + 5] * free[2])
    y = -(c[i + 6] * free[0] + c[i + 7] * free[1] + c[i + 8] * free[2])
    size = math.sqrt(x * x + y * y)
    if normal >= 0.0 and size <= mu * normal:
        return (normal, x, y), True
    held = math.sqrt(last[1] * last[1] + last[2] * last[2])
    slip = math.sqrt(free[1] * free[1] + free[2] * free[2])
    p, q = 1.0, 0.0
    if held > 0.0:
        p, q = -last[1] / held, -last[2] / held
    elif slip > 0.0:
        p, q = free[1] / slip, free[2] / slip
    for turn in range(TRIES):
        found, percussion = _sliding(c, mu, free, p, q)
        if found:
            return percussion, True
        angle = 2.0 * math.pi * turn / TRIES
        p, q = math.cos(angle), math.sin(angle)
    return (max(last[0] - (free[0] + _block(c, 0, last)) / c[BLOCK], 0.0), 0.0, 0.0), False


@formula
def _sliding(c: Array, mu: float, free: Vector, p: float, q: float) -> tuple[bool, Vector]:
    """Sliding along s = (p, q): P = P_N (1, -μ s), γ_N = 0, and γ_T along s; Newton's method for the angle of s.

    With d = K_NN - μ K_NT s and e = K_TN - μ K_TT s, K the contact's own block: P_N = -a/d for the free normal
    velocity a, and the part of γ_T across s vanishes when (s x γ_T,free) d - a (s x e) = 0.
    """
    a, x, y = free
    k = BLOCK
    for _ in range(30):
        d = c[k] - mu * (c[k + 1] * p + c[k + 2] * q)
        e1 = c[k + 3] - mu * (c[k + 4] * p + c[k + 5] * q)
        e2 = c[k + 6] - mu * (c[k + 7] * p + c[k + 8] * q)
        d_turn = mu * (c[k + 1] * q - c[k + 2] * p)
        e1_turn, e2_turn = mu * (c[k + 4] * q - c[k + 5] * p), mu * (c[k + 7] * q - c[k + 8] * p)
        value = (p * y - q * x) * d - a * (p * e2 - q * e1)
        slope = (p * y - q * x) * d_turn - (p * x + q * y) * d + a * (p * e1 + q * e2) - a * (p * e2_turn - q * e1_turn)
        if slope == 0.0:
            return False, (0.0, 0.0, 0.0)
        turn = min(max(-value / slope, -0.5), 0.5)
        p, q = p - turn * q, q + turn * p
        s = 1.0 / math.sqrt(p * p + q * q)
        p, q = p * s, q * s
        if abs(turn) < 1e-7:  # Newton squares the error
            d = c[k] - mu * (c[k + 1] * p + c[k + 2] * q)
            e1 = c[k + 3] - mu * (c[k + 4] * p + c[k + 5] * q)
            e2 = c[k + 6] - mu * (c[k + 7] * p + c[k + 8] * q)
            normal = -a / d
            sound = d > 0.0 and p * (x + normal * e1) + q * (y + normal * e2) >= 0.0
            return sound, (normal, -mu * normal * p, -mu * normal * q)
    return False, (0.0, 0.0, 0.0)
