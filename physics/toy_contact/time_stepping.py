"""Time stepping of a smooth convex body on a plane, for every scheme that fits Moreau's (physics.contact.moreau).

A step is half a step of free motion by the scheme, the percussions of the whole step, and another free half:

    q_M, w^- = free(h/2, q, w)      w^+ = w^- + J^-1 W P, v^+ = v + h g + W P / m      q', w' = free(h/2, q_M, w^+)

and r' = r + h (v + v^+)/2. It is symmetric in time, hence of second order for every scheme whose free motion is.
Gravity does m g.(r' - r), and percussions do P.W^T(v + v^+, w^- + w^+)/2: so where contact and friction are laws on the
mean velocity, and the free motion keeps its energy, energy is exact without slip and never rises.

Impacts are found where they happen: free motion up to the touch, percussions on the end velocity (plastic, or with
Newton's restitution), and what is left is a step of its own. Where friction begins to stick it acts on the end velocity
for this one step: on the mean one the rest of the slip would change its sign in each step from then on.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from physics.bodies.surface import Shape, height, support
from physics.contact.vertices import PERCUSSION, axes_of
from physics.core.jit import Handed, formula, procedure, unallocating
from physics.core.rotation import Array, Quaternion, Vector, added, cross, dot
from physics.schemes.loop import MOTION, ROTATION, motion_in, store, store_motion, store_row
from physics.toy_contact.facets import END, GAP, MAX_POINTS, NEAR, carried, facet, gap_of, near_facet, take
from physics.toy_contact.single import (
    CONTOUR,
    ROLL,
    SLIP,
    Answer,
    Laws,
    Levers,
    RigidMotion,
    Solid,
    contact_velocities,
    levers,
    rolling,
    slip,
    wandering,
)

# ---- a step with one contact --------------------------------------------------------------------------
# The levers are corrected along the angular momentum so that what is closed in the mean is closed at the end:
# discrete gradients in the sense of Gonzalez (1996, Journal of Nonlinear Science 6, 449-467), of the height -u.ρ(u)
# for the normal, and of the slipped way while the contact sticks. They are of second order. Where it slips, that of
# the normal is taken of the motion across ρ, and across ρ, so that torques stay normal to ρ: then Jellett's integral
# is kept to rounding.

BAND = 1e-9  # share of the size: a gap that counts as none
CORRECTIONS = 8  # corrections of the levers
# share of the energy of rotation: where a body spins about its arm within 0.001 rad, corrections are rounding
SOFT = 1e-6
STEEPEST = 0.01  # share of the size: the largest correction of a lever
# share of both ends of the step in the levers of a contact that sticks, as they lie in the body: the errors of the
# middle alone and of the ends alone are opposite. Of the normal 0.12 is best for the rattleback and 0.25 for the disk,
# of slip 0.55 for a rolling sphere
OF_NORMAL, OF_SLIP = 0.2, 0.6
NOTHING = (0.0, 0.0, 0.0)


@formula
def averaged(first: Levers, middle: Levers, last: Levers) -> Levers:
    """The levers of a contact that sticks, from those at the start, in the middle and at the end of a step."""
    return (
        between(first[0], middle[0], last[0], OF_NORMAL),
        between(first[1], middle[1], last[1], OF_SLIP),
        between(first[2], middle[2], last[2], OF_SLIP),
        middle[3],
    )


@formula
def between(first: Vector, middle: Vector, last: Vector, share: float) -> Vector:
    """The vector in the middle, and of both ends together that share."""
    a, b = 0.5 * share, 1.0 - share
    x, y, z = added(first, 1.0, last)
    return (b * middle[0] + a * x, b * middle[1] + a * y, b * middle[2] + a * z)


@formula
def without(a: Vector, x: Vector) -> Vector:
    """x without its part along a."""
    aa = dot(a, a)
    return added(x, -dot(a, x) / aa if aa > 0.0 else 0.0, a)


@formula
def seen(before: float, mean: float) -> float:
    """Factor of a correction for the mean velocity, which was found with the velocity before."""
    return before / mean if abs(mean) > 0.1 * before else 1.0


@formula
def bounded(x: float, largest: float) -> float:
    """x, no larger than that either way."""
    return min(max(x, -largest), largest)


DRIFT_SIZE = 8  # attitude 4, angular velocity 3, residual


@formula
def drifted(
    drift: Any, J: Vector, h: float, q: Quaternion, w: Vector, memory: Array
) -> tuple[Quaternion, Vector, float]:
    """Free motion by a scheme: attitude, angular velocity [rad/s], residual; its own memory begins at DRIFT_SIZE."""
    store(memory, q, w)
    drift(J, h, memory)
    return (memory[0], memory[1], memory[2], memory[3]), (memory[4], memory[5], memory[6]), memory[7]


@formula
def rolled(
    drift: Any,
    solid: Solid,
    laws: Laws,
    gravity: Vector,
    dt: float,
    begin: RigidMotion,
    turn: Vector,
    sticks: int,
    memory: Array,
) -> tuple[RigidMotion, Vector, int, float, float]:
    """A step with one contact: its end, the correction of the lever, what sticks, how it presses, residual."""
    J, _, shape, size = solid
    r, q, v, w = begin
    at_start, x, y, up = levers(shape, q, laws.spin_radius)
    start, band = slip(at_start, v, w), BAND * size
    begins_to_roll, begins_to_wander = rolling((x, y, up), w), NOTHING
    if laws.contour > 0.0:
        begins_to_wander = wandering(shape, (x, y, up), w)
    q_mid, w_before, residual = drifted(drift, J, 0.5 * dt, q, w, memory)
    middle, t1, t2, u = levers(shape, q_mid, laws.spin_radius)
    arms, along = middle, (t1, t2, u)
    momentum = (J[0] * w_before[0], J[1] * w_before[1], J[2] * w_before[2])
    rho = support(shape, u)
    sideways = without(rho, w_before)
    sideways = without(rho, (J[0] * sideways[0], J[1] * sideways[1], J[2] * sideways[2]))
    if sticks & SLIP != 0:
        sideways = momentum
    energy, lifts = dot(momentum, w_before), dot(sideways, w_before)
    weight = lifts + SOFT * energy
    steepest = STEEPEST * size * lifts / max(math.sqrt(dot(sideways, sideways)), 1e-300)
    largest = STEEPEST * size * energy / max(math.sqrt(dot(momentum, momentum)), 1e-300)
    fall, shifts, begins, late_law = added(v, 0.5 * dt, gravity), (NOTHING, NOTHING, NOTHING), True, False
    if sticks & SLIP == 0:
        turn = (turn[0], 0.0, 0.0)
    q_next, v_next, w_next, mean = q, v, w, Answer(v, w, 0.0, 0.0, 0)
    earliest = 1
    for pass_ in range(CORRECTIONS):
        bent = arms
        if energy > 0.0:
            bent = (
                added(arms[0], turn[0] / weight, sideways),
                added(arms[1], turn[1] / energy, momentum),
                added(arms[2], turn[2] / energy, momentum),
                arms[3],
            )
        mean = contact_velocities(solid, bent, along, laws, fall, w_before, shifts)
        if late_law and mean.work > 0.0:  # friction that begins to stick, in vain
            shifts, late_law = (NOTHING, NOTHING, NOTHING), False
            mean = contact_velocities(solid, bent, along, laws, fall, w_before, shifts)
        v_next = added((-v[0], -v[1], -v[2]), 2.0, mean.v)
        w_kick = added(added(mean.w, 1.0, mean.w), -1.0, w_before)
        q_next, w_next, late = drifted(drift, J, 0.5 * dt, q_mid, w_kick, memory)
        residual = max(residual, late)
        if not residual < math.inf:
            break
        begun = mean.sticks & ~sticks if begins else 0
        if begun != 0:
            # all that sticks: against the velocities at the end of the step
            earliest = pass_ + 3
            begins, late_law, x, y, z = False, True, start, begins_to_roll, begins_to_wander
            shifts = (
                (0.5 * x[0], 0.5 * x[1], 0.5 * x[2]) if mean.sticks & SLIP else NOTHING,
                (0.5 * y[0], 0.5 * y[1], 0.0) if mean.sticks & ROLL else NOTHING,
                (0.5 * z[0], 0.5 * z[1], 0.0) if mean.sticks & CONTOUR else NOTHING,
            )
            continue
        ends, _, _, up = levers(shape, q_next, laws.spin_radius)
        below = height(shape, up)
        if pass_ >= earliest and abs(r[2] + dt * mean.v[2] - below) <= band:
            break
        rolls = mean.sticks & SLIP != 0
        arms = averaged(at_start, middle, ends) if rolls else middle
        # the corrections as the mean angular velocity sees them
        late_slip, mean_slip = slip(ends, v_next, w_next), slip(arms, mean.v, mean.w)
        a, b = seen(lifts, dot(sideways, mean.w)), seen(energy, dot(momentum, mean.w))
        turn = (
            bounded(a * ((r[2] - below) / dt - dot(arms[0], mean.w)), steepest),
            bounded(b * (0.5 * (start[0] + late_slip[0]) - mean_slip[0]), largest) if rolls else 0.0,
            bounded(b * (0.5 * (start[1] + late_slip[1]) - mean_slip[1]), largest) if rolls else 0.0,
        )
    end = RigidMotion(added(r, dt, mean.v), q_next, v_next, w_next)
    return end, turn, mean.sticks, mean.pressed, residual


# ---- a step with points of a face or of a line --------------------------------------------------------


@procedure
def lain(
    drift: Any,
    solid: Solid,
    laws: Laws,
    gravity: Vector,
    dt: float,
    begin: RigidMotion,
    memory: Array,
    points: Array,
    contacts: Array,
) -> tuple[RigidMotion, int, bool, float, float]:
    """A step with points of a face or a line: its end, how many press, whether solved, residual, depth."""
    J, mass, shape, size = solid
    r, q, v, w = begin
    R = axes_of(q)
    u, quantum = R[2], mass * dot(gravity, gravity) * dt * dt
    known, chosen, falls, solved = facet(shape, u, points), 0, False, True
    line = points[0, END] != 0.0
    if not line:
        points[known, 0], points[known, 1], points[known, 2] = support(shape, u)
        points[known, END] = 0.0
        known += 1
    for n in range(known):
        points[n, GAP] = gap_of(shape, points[n], r[2], u)
        if points[n, GAP] <= NEAR * size:
            arm = cross((points[n, 0], points[n, 1], points[n, 2]), u)
            falls = falls or v[2] + dot(arm, w) < 0.0
            take(points, chosen, n)
            chosen += 1
    if falls:
        (v, w), solved = carried(J, mass, laws.mu, R, points, chosen, contacts, 0.0, (v, w), (v, w), quantum)
    q_mid, w_before, residual = drifted(drift, J, 0.5 * dt, q, w, memory)
    R = axes_of(q_mid)
    if line:
        known, chosen = facet(shape, R[2], points), 0
        for n in range(known):
            points[n, GAP] = gap_of(shape, points[n], r[2], u)
            if points[n, GAP] <= NEAR * size:
                take(points, chosen, n)
                chosen += 1
    free = (added(v, dt, gravity), w_before)
    v_next, w_kick = free
    r_next, q_next, w_next = r, q, w
    while True:
        if chosen > 0:
            (v_next, w_kick), good = carried(
                J, mass, laws.mu, R, points, chosen, contacts, dt, free, (v, w_before), quantum
            )
            solved = solved and good
        q_next, w_next, late = drifted(drift, J, 0.5 * dt, q_mid, w_kick, memory)
        residual = max(residual, late)
        r_next = added(added(r, 0.5 * dt, v), 0.5 * dt, v_next)
        if chosen == MAX_POINTS or not residual < math.inf:
            break
        u_next = axes_of(q_next)[2]
        lowest, deepest = -1, -1e-8 * size
        for n in range(chosen, known):
            gap = gap_of(shape, points[n], r_next[2], u_next)
            if gap < deepest:
                lowest, deepest = n, gap
        if not line and known < MAX_POINTS and r_next[2] - height(shape, u_next) < deepest - 1e-8 * size:
            rho = support(shape, u_next)
            points[known, 0], points[known, 1], points[known, 2] = rho
            points[known, END] = 0.0
            points[known, GAP] = r[2] + dot(u, rho)
            lowest = known
            known += 1
        if lowest < 0:
            break
        take(points, chosen, lowest)
        chosen += 1
    pressed = 0
    for n in range(chosen):
        pressed += contacts[n, PERCUSSION] > 0.0
    depth = 0.0 if line else height(shape, axes_of(q_next)[2]) - r_next[2]
    return RigidMotion(r_next, q_next, v_next, w_next), pressed, solved, residual, depth


# the state of the loop: a motion, then these
CLOSED = MOTION  # whether the contact is
STICKS = CLOSED + 1  # bits of the frictions that stick
CALM = STICKS + 1  # [s] since when its energy is below that of rest, and does not rise
LEVEL = CALM + 1  # [J/kg] of its energy then
STEP = LEVEL + 1  # steps that are done
UNSOLVED = STEP + 1  # steps whose percussions are the fallback
MARKS = UNSOLVED + 1  # how many are written
TURN = MARKS + 1  # (3,) corrections of the levers
DRIFT = TURN + 3  # (DRIFT_SIZE,) room of ``drifted``, and on to the end
STATE_SIZE = DRIFT + DRIFT_SIZE
GOING, REST, FAILED = 0, 1, 2  # reasons to stop
IMPACT, LIFT_OFF, MARK = 1.0, 2.0, 3  # marks: kind, time [s], speed [m/s]
DEEP = 3e-6  # share of the size: how far a step with one contact may leave a body with a face below the plane
SHORTEST = 0.01  # share of the step: the shortest part of it in which a body is laid down
LANDINGS = 8  # landings in a step before a contact stays closed
STRIKES = 2.0  # steps of free fall: the normal velocity below which an impact is plastic
RISES = 1.1  # ratio of energies from which on a calm body picks up speed, as one that was let go at rest
FAINT = 1e-6  # share of the energy of rest below which it does not rise


class Settings(NamedTuple):
    """Settings of a run: step [s], gravity [m/s²], steps a row of output, and energy [J/kg] and time [s] of rest."""

    step: float
    gravity: Vector
    every: int
    rest_energy: float
    rest_time: float


class Room(NamedTuple):
    """Room to work in: points (MOST, facets.WIDTH), contacts (MOST, vertices.WIDTH); marks (n, MARK): what happened."""

    points: Array
    contacts: Array
    marks: Array


@formula
def gap(shape: Shape, motion: RigidMotion) -> float:
    """Height of the lowest point of the body above the plane [m]."""
    return motion.r[2] - height(shape, axes_of(motion.q)[2])


@formula
def marked(marks: Array, written: int, mark: Vector) -> int:
    """Write a mark behind those written, as long as there is room; their number."""
    if written < marks.shape[0]:
        marks[written, 0], marks[written, 1], marks[written, 2] = mark
        return written + 1
    return written


@formula
def struck(solid: Solid, laws: Laws, bounce: float, begin: RigidMotion) -> tuple[RigidMotion, int]:
    """The motion after an impact at one point, and what sticks there."""
    shape = solid.shape
    r, q, v, w = begin
    arms, t1, t2, u = levers(shape, q, laws.spin_radius)
    start = slip(arms, v, w)
    down = v[2] + dot(arms[0], w)
    # the mean of the velocities before and after: no slip after it, and the normal velocity -bounce times before
    raised = (v[0], v[1], v[2] - 0.5 * (1.0 - bounce) * down)
    x, y = rolling((t1, t2, u), w), wandering(shape, (t1, t2, u), w)
    half = (
        (0.5 * start[0], 0.5 * start[1], 0.5 * start[2]),
        (0.5 * x[0], 0.5 * x[1], 0.0),
        (0.5 * y[0], 0.5 * y[1], 0.0),
    )
    mean = contact_velocities(solid, arms, (t1, t2, u), laws, raised, w, half)
    lifted = 0.5 * (1.0 - bounce) * down
    v_mean = (mean.v[0], mean.v[1], mean.v[2] + lifted)
    after = added(added(v_mean, 1.0, v_mean), -1.0, v), added(added(mean.w, 1.0, mean.w), -1.0, w)
    return RigidMotion(r, q, after[0], after[1]), mean.sticks


@formula
def flown(
    drift: Any, J: Vector, gravity: Vector, dt: float, begin: RigidMotion, memory: Array
) -> tuple[RigidMotion, float]:
    """A step of free flight, and the residual."""
    r, q, v, w = begin
    q_mid, w_mid, first = drifted(drift, J, 0.5 * dt, q, w, memory)
    q_next, w_next, second = drifted(drift, J, 0.5 * dt, q_mid, w_mid, memory)
    r_next = added(added(r, dt, v), 0.5 * dt * dt, gravity)
    return RigidMotion(r_next, q_next, added(v, dt, gravity), w_next), max(first, second)


@unallocating
def _march(
    drift: Any, solid: Solid, flat: bool, laws: Laws, settings: Settings, room: Room, state: Array, out: Array
) -> tuple[int, int]:
    (J, mass, shape, size), (h, gravity, every, rest_energy, rest_time) = solid, settings
    points, contacts, marks = room
    r, q, v, w = motion_in(state)
    now = RigidMotion(r, q, v, w)
    shut, sticks, turn = state[CLOSED] > 0.0, int(state[STICKS]), (state[TURN], state[TURN + 1], state[TURN + 2])
    calm, level, count, unsolved = state[CALM], state[LEVEL], state[STEP], state[UNSOLVED]
    written = int(state[MARKS])
    memory = state[DRIFT:]
    g, faceted = math.sqrt(dot(gravity, gravity)), flat or shape[3] > 0.0
    least, band = g * h * h / size, BAND * size
    reason, row = GOING, 0
    while row < out.shape[0] and reason == GOING:
        most = 0  # points that touch in a step of the row
        for _ in range(every):
            left, landings, residual, touches = h, 0, 0.0, 0
            while left > 0.0:
                dt = left
                if shut:
                    lies = near_facet(shape, flat, axes_of(now.q)[2], now.w, h, least)
                    if not lies:
                        end, turned, stuck, pressed, residual = rolled(
                            drift, solid, laws, gravity, dt, now, turn, sticks, memory
                        )
                        lies = faceted and gap(shape, end) < -DEEP * size
                        if not lies:
                            now, turn, sticks, touches = end, turned, stuck, int(pressed > 0.0)
                    if lies:
                        while True:
                            end, touches, solved, residual, depth = lain(
                                drift, solid, laws, gravity, dt, now, memory, points, contacts
                            )
                            if not (depth > NEAR * size and dt > SHORTEST * h):
                                break
                            dt *= 0.5
                        unsolved += not solved
                        now, turn, sticks = end, NOTHING, 0
                    if touches == 0 and gap(shape, now) > band:
                        shut = False
                        written = marked(marks, written, (LIFT_OFF, h * (count + 1.0), now.v[2]))
                    left = left - dt if dt < left else 0.0
                    if not residual < math.inf:
                        break
                    continue
                end, residual = flown(drift, J, gravity, dt, now, memory)
                if not residual < math.inf:
                    break
                after = gap(shape, end)
                if after >= 0.0:
                    now, left = end, 0.0
                    continue
                # the moment of the touch, by the Illinois rule
                low, high, f_low, f_high, side = 0.0, dt, gap(shape, now), after, 0
                if f_low > band:
                    for _ in range(60):
                        dt = (low * f_high - high * f_low) / (f_high - f_low)
                        end, _ = flown(drift, J, gravity, dt, now, memory)
                        after = gap(shape, end)
                        if abs(after) <= 0.1 * band or high - low <= 1e-15 * h:
                            break
                        if after < 0.0:
                            high, f_high = dt, after
                            f_low *= 0.5 if side == -1 else 1.0
                            side = -1
                        else:
                            low, f_low = dt, after
                            f_high *= 0.5 if side == 1 else 1.0
                            side = 1
                    now = end
                    left = max(left - dt, 0.0)
                u = axes_of(now.q)[2]
                down = now.v[2] + dot(cross(support(shape, u), u), now.w)
                landings += 1
                bounce = laws.restitution if landings < LANDINGS and -down > STRIKES * g * h else 0.0
                if down < 0.0:
                    now, sticks = struck(solid, laws, bounce, now)
                    touches = 1
                    written = marked(marks, written, (IMPACT, h * (count + 1.0) - left, -down))
                shut, turn = bounce == 0.0, NOTHING
            if not residual < math.inf:
                reason = FAILED
                break
            v, w = now.v, now.w
            energy = 0.5 * dot(v, v) + 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / mass
            if not energy < math.inf:
                reason = FAILED
                break
            count += 1.0
            most = max(most, touches)
            if not (energy < rest_energy and shut):
                calm = 0.0
            elif calm == 0.0 or energy > RISES * max(level, FAINT * rest_energy):
                calm, level = h, energy
            else:
                calm += h
            if calm >= rest_time:
                reason = REST
                break
        if reason == FAILED:
            break
        store_row(out[row], h * count, now.r, now.q, now.v, now.w, most)
        row += 1
    store_motion(state, now.r, now.q, now.v, now.w)
    state[CLOSED], state[STICKS] = shut, sticks
    state[TURN], state[TURN + 1], state[TURN + 2] = turn
    state[CALM], state[LEVEL], state[STEP] = calm, level, count
    state[UNSOLVED], state[MARKS] = unsolved, written
    return row, reason


def stepping_with(free_velocity: Any, contact_attitude: Any) -> Any:
    """The compiled time stepping with the rotation of one scheme; all share the loop, see physics.core.jit.

    march(...) -> (rows, reason): every-th state into each row of out, from ``state``, which moves on; from STATE_SIZE
    on it holds the scheme's memory. The last row holds the state at which it stopped. flat: whether the body has faces.
    """

    @formula
    def drift(J: Vector, h: float, x: Array) -> None:
        q, w = (x[0], x[1], x[2], x[3]), (x[4], x[5], x[6])
        free, turn, _, _, x[7] = free_velocity(J, h, q, w, x[DRIFT_SIZE:])
        store(x, contact_attitude(J, h, q, w, turn, free, free), free)

    handed = Handed(drift, ROTATION)
    return lambda *given: _march(handed.address, *given)
