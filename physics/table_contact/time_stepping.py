"""Time stepping of a smooth convex body on a plane, for every scheme that fits Moreau's (physics.contact.moreau).

A step is half a step of free motion by the scheme, the percussions of the whole step, and another free half:

    q_M, w^- = free(h/2, q, w)      w^+ = w^- + J^-1 W P, v^+ = v + h g + W P / m      q', w' = free(h/2, q_M, w^+)

and r' = r + h (v + v^+)/2. It is symmetric in time, hence of second order for every scheme whose free motion is.
Gravity does m g.(r' - r), and percussions do P.W^T(v + v^+, w^- + w^+)/2: so where contact and friction are laws on the
mean velocity, and the free motion keeps its energy, energy is exact without slip and never rises.

The lever of the normal percussion is the discrete gradient of the height -u.ρ(u) over the step (Gonzalez 1996, Journal
of Nonlinear Science 6, 449-467): a correction of second order, across the normal, for which a contact that is closed in
the mean is closed at the end of the step, too. With the lever of the midpoint the body drifts off the plane.

Impacts are found where they happen: free motion up to the touch, percussions on the end velocity (plastic, or with
Newton's restitution), and what is left is a step of its own. Where friction begins to stick it acts on the end velocity
for this one step: on the mean one the rest of the slip would change its sign in each step from then on.
"""

from __future__ import annotations

import math
from typing import Any

from physics.contact.vertices import axes_of
from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector, cross, dot, normalised
from physics.table_contact.facets import END, GAP, MOST, NEAR, carried, facet, gap_of, near_facet, take
from physics.table_contact.single import CONTOUR, ROLL, SLIP, Answer, Laws, closed, levers, over, plus, rolling, slip, wandering
from physics.table_contact.surface import Shape, height, shape_of, support

# the state of the loop: position 3, attitude 4, velocity 3, angular velocity 3, then these
CLOSED, STICKS, CALM, STEP, UNSOLVED, MARKS, TURN, STATE_SIZE = 13, 14, 15, 16, 17, 18, 19, 22
COLUMNS = 15  # of its output: time, position 3, attitude 4, velocity 3, angular velocity 3, contacts
GOING, REST, FAILED = 0, 1, 2  # why it stopped
IMPACT, LIFT_OFF = 1.0, 2.0  # what the rows of marks tell: kind, time [s], speed [m/s]
BAND = 1e-9  # of the size: a gap that counts as none
DEEP = 3e-6  # of the size: how far a step with one contact may leave a body with a face below the plane
SHORTEST = 0.01  # of the step: the shortest part of it in which a body is laid down
LANDINGS = 8  # in a step, before a contact stays closed
CORRECTIONS = 8  # of the discrete gradient
STEEPEST = 0.1  # of the size: the largest correction of the lever
STRIKES = 2.0  # steps of free fall: the normal velocity below which an impact is plastic
THIRD = 1.0 / 6.0
NOTHING = (0.0, 0.0, 0.0)


def stepping_with(free_velocity: Any, contact_attitude: Any) -> Any:
    """The compiled time stepping with the rotation of one scheme.

    march(...) -> (rows, reason): every-th state into each row of out, from ``state``, which moves on; from STATE_SIZE
    on it holds the scheme's memory. The last row holds the state at which it stopped. moments (3,) [kg m²]; surface:
    its numbers, flat and size [m]; laws: physics.table_contact.single; gravity (3,) [m/s²]; stop: energy [J/kg], time
    [s]; points (MOST, facets.WIDTH), contacts (MOST, vertices.WIDTH): to work in; marks (n, 3): what happened.
    """

    @formula
    def drift(
        J: Vector, h: float, q: Quaternion, w: Vector, memory: Array
    ) -> tuple[Quaternion, Vector, float]:
        """Free motion by the scheme."""
        free, turn, _, _, residual = free_velocity(J, h, q, w, memory)
        return contact_attitude(J, h, q, w, turn, free, free), free, residual

    @formula
    def between(q: Quaternion, q_mid: Quaternion, q_next: Quaternion) -> Quaternion:
        """Where the contact counts: a third of the way from q_mid to the middle of the chord."""
        chord = (q[0] + q_next[0], q[1] + q_next[1], q[2] + q_next[2], q[3] + q_next[3])
        s = THIRD / math.sqrt(chord[0] * chord[0] + chord[1] * chord[1] + chord[2] * chord[2] + chord[3] * chord[3])
        m = 1.0 - THIRD
        return normalised(
            (
                m * q_mid[0] + s * chord[0],
                m * q_mid[1] + s * chord[1],
                m * q_mid[2] + s * chord[2],
                m * q_mid[3] + s * chord[3],
            )
        )

    @formula
    def bounded(x: float, largest: float) -> float:
        """x, no larger than that either way."""
        return min(max(x, -largest), largest)

    @formula
    def rolled(
        J: Vector,
        mass: float,
        shape: Shape,
        size: float,
        laws: Laws,
        gravity: Vector,
        dt: float,
        r: Vector,
        q: Quaternion,
        v: Vector,
        w: Vector,
        turn: Vector,
        sticks: int,
        memory: Array,
    ) -> tuple[Vector, Quaternion, Vector, Vector, Vector, int, float, float]:
        """A step with one contact: the state, the correction of the lever, what sticks, how it presses, residual."""
        at_start, x, y, up = levers(shape, q, laws.spin_radius)
        start, band = slip(at_start, v, w), BAND * size
        begins_to_roll, begins_to_wander = rolling((x, y, up), w), wandering(shape, (x, y, up), w)
        q_mid, w_before, residual = drift(J, 0.5 * dt, q, w, memory)
        arms, t1, t2, u = levers(shape, q_mid, laws.spin_radius)
        momentum = (J[0] * w_before[0], J[1] * w_before[1], J[2] * w_before[2])
        rho = support(shape, u)
        share = dot(rho, momentum) / dot(rho, rho) if dot(rho, rho) > 0.0 else 0.0
        sideways = plus(momentum, -share, rho)
        rolls = sticks & SLIP != 0
        steepest = STEEPEST * size * math.sqrt(dot(w_before, w_before))
        fall, shifts, begins = plus(v, 0.5 * dt, gravity), (NOTHING, NOTHING, NOTHING), True
        q_next, v_next, w_next, mean = q, v, w, Answer(v, w, 0.0, 0.0, 0)
        for pass_ in range(CORRECTIONS):
            bent, along, across = arms, (t1, t2, u), momentum if rolls else sideways
            speed2 = dot(across, w_before)
            if speed2 > 0.0:
                bent = (
                    plus(arms[0], turn[0] / speed2, across),
                    plus(arms[1], turn[1] / speed2, across),
                    plus(arms[2], turn[2] / speed2, across),
                    arms[3],
                )
            mean = closed(J, mass, bent, along, shape, laws, fall, w_before, shifts)
            if mean.work > 0.0:  # friction that begins to stick, in vain
                shifts, begins = (NOTHING, NOTHING, NOTHING), False
                mean = closed(J, mass, bent, along, shape, laws, fall, w_before, shifts)
            v_next, w_kick = plus((-v[0], -v[1], -v[2]), 2.0, mean.v), plus(plus(mean.w, 1.0, mean.w), -1.0, w_before)
            q_next, w_next, late = drift(J, 0.5 * dt, q_mid, w_kick, memory)
            residual = max(residual, late)
            if not residual < math.inf:
                break
            begun = mean.sticks & ~sticks if begins else 0
            if begun != 0:
                # against the velocities at the end of the step
                begins, a, b, c = False, start, begins_to_roll, begins_to_wander
                shifts = (
                    (0.5 * a[0], 0.5 * a[1], 0.5 * a[2]) if begun & SLIP else NOTHING,
                    (0.5 * b[0], 0.5 * b[1], 0.0) if begun & ROLL else NOTHING,
                    (0.5 * c[0], 0.5 * c[1], 0.0) if begun & CONTOUR else NOTHING,
                )
                continue
            ends, _, _, up = levers(shape, q_next, laws.spin_radius)
            below = height(shape, up)
            if pass_ > 0 and abs(r[2] + dt * mean.v[2] - below) <= band:
                break
            rolls = mean.sticks & SLIP != 0
            place = between(q, q_mid, q_next) if rolls else q_mid
            arms, t1, t2, u = levers(shape, place, laws.spin_radius)
            # the corrections along ``across``, as the mean angular velocity sees them
            across = momentum if rolls else sideways
            end, middle, seen = slip(ends, v_next, w_next), slip(arms, mean.v, mean.w), dot(across, mean.w)
            s = dot(across, w_before) / seen if abs(seen) > 0.1 * dot(across, w_before) else 1.0
            turn = (
                bounded(s * ((r[2] - below) / dt - dot(arms[0], mean.w)), steepest),
                bounded(s * (0.5 * (start[0] + end[0]) - middle[0]), steepest) if rolls else 0.0,
                bounded(s * (0.5 * (start[1] + end[1]) - middle[1]), steepest) if rolls else 0.0,
            )
        return (plus(r, dt, mean.v), q_next, v_next, w_next, turn, mean.sticks, mean.pressed, residual)

    @formula
    def lain(
        J: Vector,
        mass: float,
        shape: Shape,
        size: float,
        laws: Laws,
        gravity: Vector,
        dt: float,
        r: Vector,
        q: Quaternion,
        v: Vector,
        w: Vector,
        memory: Array,
        points: Array,
        contacts: Array,
    ) -> tuple[Vector, Quaternion, Vector, Vector, int, bool, float, float]:
        """A step with points of a face or a line: the state, how many press, whether solved, residual, depth."""
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
            v, w, solved = carried(J, mass, laws.mu, R, points, chosen, contacts, 0.0, (v, w), (v, w), quantum)
        q_mid, w_before, residual = drift(J, 0.5 * dt, q, w, memory)
        R = axes_of(q_mid)
        if line:
            known, chosen = facet(shape, R[2], points), 0
            for n in range(known):
                points[n, GAP] = gap_of(shape, points[n], r[2], u)
                if points[n, GAP] <= NEAR * size:
                    take(points, chosen, n)
                    chosen += 1
        free = (plus(v, dt, gravity), w_before)
        v_next, w_kick = free
        r_next, q_next, w_next = r, q, w
        while True:
            if chosen > 0:
                v_next, w_kick, good = carried(
                    J, mass, laws.mu, R, points, chosen, contacts, dt, free, (v, w_before), quantum
                )
                solved = solved and good
            q_next, w_next, late = drift(J, 0.5 * dt, q_mid, w_kick, memory)
            residual = max(residual, late)
            r_next = plus(plus(r, 0.5 * dt, v), 0.5 * dt, v_next)
            if chosen == MOST or not residual < math.inf:
                break
            u_next = axes_of(q_next)[2]
            lowest, deepest = -1, -1e-8 * size
            for n in range(chosen, known):
                gap = gap_of(shape, points[n], r_next[2], u_next)
                if gap < deepest:
                    lowest, deepest = n, gap
            if not line and known < MOST and r_next[2] - height(shape, u_next) < deepest - 1e-8 * size:
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
            pressed += contacts[n, 45] > 0.0
        depth = 0.0 if line else height(shape, axes_of(q_next)[2]) - r_next[2]
        return r_next, q_next, v_next, w_next, pressed, solved, residual, depth

    @formula
    def flown(
        J: Vector, gravity: Vector, dt: float, r: Vector, q: Quaternion, v: Vector, w: Vector, memory: Array
    ) -> tuple[Vector, Quaternion, Vector, Vector, float]:
        """A step of free flight."""
        q_mid, w_mid, first = drift(J, 0.5 * dt, q, w, memory)
        q_next, w_next, second = drift(J, 0.5 * dt, q_mid, w_mid, memory)
        return plus(plus(r, dt, v), 0.5 * dt * dt, gravity), q_next, plus(v, dt, gravity), w_next, max(first, second)

    @formula
    def struck(
        J: Vector, mass: float, shape: Shape, laws: Laws, bounce: float, q: Quaternion, v: Vector, w: Vector
    ) -> tuple[Vector, Vector, int]:
        """Velocities after an impact at one point, and what sticks there."""
        arms, t1, t2, u = levers(shape, q, laws.spin_radius)
        start = slip(arms, v, w)
        down = v[2] + dot(arms[0], w)
        # the mean of the velocities before and after: no slip after it, and the normal velocity -bounce times before
        raised = (v[0], v[1], v[2] - 0.5 * (1.0 - bounce) * down)
        x, y = rolling((t1, t2, u), w), wandering(shape, (t1, t2, u), w)
        half = ((0.5 * start[0], 0.5 * start[1], 0.5 * start[2]), (0.5 * x[0], 0.5 * x[1], 0.0), (0.5 * y[0], 0.5 * y[1], 0.0))
        mean = closed(J, mass, arms, (t1, t2, u), shape, laws, raised, w, half)
        lifted = 0.5 * (1.0 - bounce) * down
        v_mean = (mean.v[0], mean.v[1], mean.v[2] + lifted)
        return plus(plus(v_mean, 1.0, v_mean), -1.0, v), plus(plus(mean.w, 1.0, mean.w), -1.0, w), mean.sticks

    @kernel
    def march(
        moments: Array,
        mass: float,
        surface: tuple[Array, bool, float],
        laws: Laws,
        gravity: Vector,
        stop: tuple[float, float],
        h: float,
        every: int,
        state: Array,
        points: Array,
        contacts: Array,
        marks: Array,
        out: Array,
    ) -> tuple[int, int]:
        J = (moments[0], moments[1], moments[2])
        shape, flat, size = shape_of(surface[0]), surface[1], surface[2]
        r = (state[0], state[1], state[2])
        q = (state[3], state[4], state[5], state[6])
        v = (state[7], state[8], state[9])
        w = (state[10], state[11], state[12])
        shut, sticks, turn = state[CLOSED] > 0.0, int(state[STICKS]), (state[TURN], state[TURN + 1], state[TURN + 2])
        calm, count, unsolved, told = state[CALM], state[STEP], state[UNSOLVED], int(state[MARKS])
        memory = state[STATE_SIZE:]
        g, faceted = math.sqrt(dot(gravity, gravity)), flat or shape[3] > 0.0
        least, band = g * h * h / size, BAND * size
        reason, row = GOING, 0
        while row < out.shape[0] and reason == GOING:
            touches = 0
            for _ in range(every):
                left, landings, residual, touches = h, 0, 0.0, 0
                while left > 0.0:
                    dt = left
                    if shut:
                        lies = near_facet(shape, flat, axes_of(q)[2], w, h, least)
                        if not lies:
                            one = rolled(J, mass, shape, size, laws, gravity, dt, r, q, v, w, turn, sticks, memory)
                            residual = one[7]
                            lies = faceted and one[0][2] - height(shape, axes_of(one[1])[2]) < -DEEP * size
                            if not lies:
                                r, q, v, w, turn, sticks = one[0], one[1], one[2], one[3], one[4], one[5]
                                touches = int(one[6] > 0.0)
                        if lies:
                            more = lain(
                                J, mass, shape, size, laws, gravity, dt, r, q, v, w, memory, points, contacts
                            )
                            while more[7] > NEAR * size and dt > SHORTEST * h:
                                dt *= 0.5
                                more = lain(
                                    J, mass, shape, size, laws, gravity, dt, r, q, v, w, memory, points, contacts
                                )
                            r, q, v, w, touches, solved, residual = more[0], more[1], more[2], more[3], more[4], more[5], more[6]
                            unsolved += not solved
                            turn, sticks = NOTHING, 0
                        if touches == 0 and r[2] - height(shape, axes_of(q)[2]) > band:
                            shut = False
                            if told < marks.shape[0]:
                                marks[told, 0], marks[told, 1], marks[told, 2] = LIFT_OFF, h * (count + 1.0), v[2]
                                told += 1
                        left = left - dt if dt < left else 0.0
                        if not residual < math.inf:
                            break
                        continue
                    end = flown(J, gravity, dt, r, q, v, w, memory)
                    residual = end[4]
                    if not residual < math.inf:
                        break
                    after = end[0][2] - height(shape, axes_of(end[1])[2])
                    if after >= 0.0:
                        r, q, v, w = end[0], end[1], end[2], end[3]
                        left = 0.0
                        continue
                    # the moment of the touch, by the Illinois rule
                    low, high, f_low, f_high, side = 0.0, dt, r[2] - height(shape, axes_of(q)[2]), after, 0
                    if f_low > band:
                        for _ in range(60):
                            dt = (low * f_high - high * f_low) / (f_high - f_low)
                            end = flown(J, gravity, dt, r, q, v, w, memory)
                            after = end[0][2] - height(shape, axes_of(end[1])[2])
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
                        r, q, v, w = end[0], end[1], end[2], end[3]
                        left = max(left - dt, 0.0)
                    u = axes_of(q)[2]
                    down = v[2] + dot(cross(support(shape, u), u), w)
                    landings += 1
                    bounce = laws.restitution if landings < LANDINGS and -down > STRIKES * g * h else 0.0
                    if down < 0.0:
                        v, w, sticks = struck(J, mass, shape, laws, bounce, q, v, w)
                        touches = 1
                    shut, turn = bounce == 0.0, NOTHING
                    if told < marks.shape[0]:
                        marks[told, 0], marks[told, 1], marks[told, 2] = IMPACT, h * (count + 1.0) - left, -down
                        told += 1
                if not residual < math.inf:
                    reason = FAILED
                    break
                count += 1.0
                energy = 0.5 * dot(v, v) + 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / mass
                if not energy < math.inf:
                    reason = FAILED
                    break
                calm = calm + h if energy < stop[0] and shut else 0.0
                if calm >= stop[1]:
                    reason = REST
                    break
            if reason == FAILED:
                break
            out[row, 0] = h * count
            out[row, 1], out[row, 2], out[row, 3] = r
            out[row, 4], out[row, 5], out[row, 6], out[row, 7] = q
            out[row, 8], out[row, 9], out[row, 10] = v
            out[row, 11], out[row, 12], out[row, 13] = w
            out[row, 14] = touches
            row += 1
        state[0], state[1], state[2] = r
        state[3], state[4], state[5], state[6] = q
        state[7], state[8], state[9] = v
        state[10], state[11], state[12] = w
        state[CLOSED], state[STICKS] = shut, sticks
        state[TURN], state[TURN + 1], state[TURN + 2] = turn
        state[CALM], state[STEP], state[UNSOLVED], state[MARKS] = calm, count, unsolved, told
        return row, reason

    return march
