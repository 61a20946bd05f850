"""A step with one contact: free motion, the percussion of the whole step in its middle, free motion.

The levers are corrected along the angular momentum so that what is closed in the mean is closed at the end: discrete
gradients in the sense of Gonzalez (1996, Journal of Nonlinear Science 6, 449-467), of the height -u.ρ(u) for the
normal, and while the contact sticks of the way that it slips. They are of second order. Where it slips, that of the
normal is taken of the motion across ρ, and across ρ, so that torques stay normal to ρ: then Jellett's integral is kept
to rounding.
"""

from __future__ import annotations

import math
from typing import Any

from physics.bodies.surface import height, support
from physics.core.jit import formula
from physics.core.rotation import Array, Vector, dot
from physics.toy_contact.single import (
    CONTOUR,
    ROLL,
    SLIP,
    Answer,
    Laws,
    Levers,
    RigidMotion,
    Solid,
    closed,
    levers,
    plus,
    rolling,
    slip,
    wandering,
)

BAND = 1e-9  # of the size: a gap that counts as none
CORRECTIONS = 8  # of the levers
SOFT = 1e-6  # of the energy of rotation: where a body spins about its arm within 0.001 rad, corrections are rounding
STEEPEST = 0.01  # of the size: the largest correction of a lever
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
    return (
        b * middle[0] + a * (first[0] + last[0]),
        b * middle[1] + a * (first[1] + last[1]),
        b * middle[2] + a * (first[2] + last[2]),
    )


@formula
def without(a: Vector, x: Vector) -> Vector:
    """x without its part along a."""
    aa = dot(a, a)
    return plus(x, -dot(a, x) / aa if aa > 0.0 else 0.0, a)


@formula
def seen(before: float, mean: float) -> float:
    """What a correction is multiplied by, for the mean velocity to see it as it was found with that before."""
    return before / mean if abs(mean) > 0.1 * before else 1.0


@formula
def bounded(x: float, largest: float) -> float:
    """x, no larger than that either way."""
    return min(max(x, -largest), largest)


def rolling_step_with(drift: Any) -> Any:
    """The step with the free motion of one scheme, ``drift(J, h, q, w, memory) -> (q, w, residual)``."""

    @formula
    def rolled(
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
        q_mid, w_before, residual = drift(J, 0.5 * dt, q, w, memory)
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
        fall, shifts, begins, late_law = plus(v, 0.5 * dt, gravity), (NOTHING, NOTHING, NOTHING), True, False
        if sticks & SLIP == 0:
            turn = (turn[0], 0.0, 0.0)
        q_next, v_next, w_next, mean = q, v, w, Answer(v, w, 0.0, 0.0, 0)
        earliest = 1
        for pass_ in range(CORRECTIONS):
            bent = arms
            if energy > 0.0:
                bent = (
                    plus(arms[0], turn[0] / weight, sideways),
                    plus(arms[1], turn[1] / energy, momentum),
                    plus(arms[2], turn[2] / energy, momentum),
                    arms[3],
                )
            mean = closed(solid, bent, along, laws, fall, w_before, shifts)
            if late_law and mean.work > 0.0:  # friction that begins to stick, in vain
                shifts, late_law = (NOTHING, NOTHING, NOTHING), False
                mean = closed(solid, bent, along, laws, fall, w_before, shifts)
            v_next, w_kick = plus((-v[0], -v[1], -v[2]), 2.0, mean.v), plus(plus(mean.w, 1.0, mean.w), -1.0, w_before)
            q_next, w_next, late = drift(J, 0.5 * dt, q_mid, w_kick, memory)
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
        end = RigidMotion(plus(r, dt, mean.v), q_next, v_next, w_next)
        return end, turn, mean.sticks, mean.pressed, residual

    return rolled
