"""Time stepping of a smooth convex body on a plane, for every scheme that fits Moreau's (physics.contact.moreau).

A step is half a step of free motion by the scheme, the percussions of the whole step, and another free half:

    q_M, w^- = free(h/2, q, w)      w^+ = w^- + J^-1 W P, v^+ = v + h g + W P / m      q', w' = free(h/2, q_M, w^+)

and r' = r + h (v + v^+)/2. It is symmetric in time, hence of second order for every scheme whose free motion is.
Gravity does m g.(r' - r), and percussions do P.W^T(v + v^+, w^- + w^+)/2: so where contact and friction are laws on the
mean velocity, and the free motion keeps its energy, energy is exact without slip and never rises. The steps:
physics.toy_contact.rolling_step and lying_step.

Impacts are found where they happen: free motion up to the touch, percussions on the end velocity (plastic, or with
Newton's restitution), and what is left is a step of its own. Where friction begins to stick it acts on the end velocity
for this one step: on the mean one the rest of the slip would change its sign in each step from then on.
"""

from __future__ import annotations

import math
from typing import Any

from physics.bodies.surface import Shape, height, shape_of, support
from physics.contact.vertices import axes_of
from physics.core.jit import formula, unallocating
from physics.core.rotation import Array, Quaternion, Vector, cross, dot
from physics.schemes.loop import motion_in, store_motion
from physics.toy_contact.facets import NEAR, near_facet
from physics.toy_contact.lying_step import lying_step_with
from physics.toy_contact.rolling_step import BAND, NOTHING, rolling_step_with
from physics.toy_contact.single import (
    Laws,
    RigidMotion,
    Solid,
    closed,
    levers,
    plus,
    rolling,
    slip,
    wandering,
)

# the state of the loop: position 3, attitude 4, velocity 3, angular velocity 3, then these
CLOSED, STICKS, CALM, STEP, UNSOLVED, MARKS, TURN, STATE_SIZE = 13, 14, 15, 16, 17, 18, 19, 22
COLUMNS = 15  # of its output: time, position 3, attitude 4, velocity 3, angular velocity 3, contacts
GOING, REST, FAILED = 0, 1, 2  # why it stopped
IMPACT, LIFT_OFF = 1.0, 2.0  # what the rows of marks tell: kind, time [s], speed [m/s]
DEEP = 3e-6  # of the size: how far a step with one contact may leave a body with a face below the plane
SHORTEST = 0.01  # of the step: the shortest part of it in which a body is laid down
LANDINGS = 8  # in a step, before a contact stays closed
STRIKES = 2.0  # steps of free fall: the normal velocity below which an impact is plastic


@formula
def gap(shape: Shape, motion: RigidMotion) -> float:
    """How high the lowest point of the body is above the plane [m]."""
    return motion.r[2] - height(shape, axes_of(motion.q)[2])


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
    mean = closed(solid, arms, (t1, t2, u), laws, raised, w, half)
    lifted = 0.5 * (1.0 - bounce) * down
    v_mean = (mean.v[0], mean.v[1], mean.v[2] + lifted)
    after = plus(plus(v_mean, 1.0, v_mean), -1.0, v), plus(plus(mean.w, 1.0, mean.w), -1.0, w)
    return RigidMotion(r, q, after[0], after[1]), mean.sticks


def stepping_with(free_velocity: Any, contact_attitude: Any) -> Any:
    """The compiled time stepping with the rotation of one scheme.

    march(...) -> (rows, reason): every-th state into each row of out, from ``state``, which moves on; from STATE_SIZE
    on it holds the scheme's memory. The last row holds the state at which it stopped. moments (3,) [kg m²]; surface:
    its numbers, flat and size [m]; laws: physics.toy_contact.single; gravity (3,) [m/s²]; stop: energy [J/kg], time
    [s]; points (MOST, facets.WIDTH), contacts (MOST, vertices.WIDTH): to work in; marks (n, 3): what happened.
    """

    @formula
    def drift(J: Vector, h: float, q: Quaternion, w: Vector, memory: Array) -> tuple[Quaternion, Vector, float]:
        """Free motion by the scheme."""
        free, turn, _, _, residual = free_velocity(J, h, q, w, memory)
        return contact_attitude(J, h, q, w, turn, free, free), free, residual

    rolled, lain = rolling_step_with(drift), lying_step_with(drift)

    @formula
    def flown(J: Vector, gravity: Vector, dt: float, begin: RigidMotion, memory: Array) -> tuple[RigidMotion, float]:
        """A step of free flight, and the residual."""
        r, q, v, w = begin
        q_mid, w_mid, first = drift(J, 0.5 * dt, q, w, memory)
        q_next, w_next, second = drift(J, 0.5 * dt, q_mid, w_mid, memory)
        r_next = plus(plus(r, dt, v), 0.5 * dt * dt, gravity)
        return RigidMotion(r_next, q_next, plus(v, dt, gravity), w_next), max(first, second)

    @unallocating
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
        solid = Solid(J, mass, shape, size)
        r, q, v, w = motion_in(state)
        now = RigidMotion(r, q, v, w)
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
                        lies = near_facet(shape, flat, axes_of(now.q)[2], now.w, h, least)
                        if not lies:
                            end, turned, stuck, pressed, residual = rolled(
                                solid, laws, gravity, dt, now, turn, sticks, memory
                            )
                            lies = faceted and gap(shape, end) < -DEEP * size
                            if not lies:
                                now, turn, sticks, touches = end, turned, stuck, int(pressed > 0.0)
                        if lies:
                            end, touches, solved, residual, depth = lain(
                                solid, laws, gravity, dt, now, memory, points, contacts
                            )
                            while depth > NEAR * size and dt > SHORTEST * h:
                                dt *= 0.5
                                end, touches, solved, residual, depth = lain(
                                    solid, laws, gravity, dt, now, memory, points, contacts
                                )
                            unsolved += not solved
                            now, turn, sticks = end, NOTHING, 0
                        if touches == 0 and gap(shape, now) > band:
                            shut = False
                            if told < marks.shape[0]:
                                marks[told, 0], marks[told, 1], marks[told, 2] = LIFT_OFF, h * (count + 1.0), now.v[2]
                                told += 1
                        left = left - dt if dt < left else 0.0
                        if not residual < math.inf:
                            break
                        continue
                    end, residual = flown(J, gravity, dt, now, memory)
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
                            end, _ = flown(J, gravity, dt, now, memory)
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
                        if told < marks.shape[0]:
                            marks[told, 0], marks[told, 1], marks[told, 2] = IMPACT, h * (count + 1.0) - left, -down
                            told += 1
                    shut, turn = bounce == 0.0, NOTHING
                if not residual < math.inf:
                    reason = FAILED
                    break
                count += 1.0
                v, w = now.v, now.w
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
            store_motion(out[row, 1:], now.r, now.q, now.v, now.w)
            out[row, 14] = touches
            row += 1
        store_motion(state, now.r, now.q, now.v, now.w)
        state[CLOSED], state[STICKS] = shut, sticks
        state[TURN], state[TURN + 1], state[TURN + 2] = turn
        state[CALM], state[STEP], state[UNSOLVED], state[MARKS] = calm, count, unsolved, told
        return row, reason

    return march
