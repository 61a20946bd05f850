"""Moreau's time stepping of a rock with contact: Leine et al. (2021), (79)-(87), for every scheme that fits it.

A scheme brings two formulas; all else is common:

    free_velocity(J, h, q, w, memory) -> (w_free, turn, w_work, g, residual)
        the angular velocity without contact; what contact_attitude wants to know of the free turn; the angular velocity
        from which the work of contact torques counts; the vector g of the matrix Θ + hat(g) that answers them
    contact_attitude(J, h, q, w, turn, w_free, w_next) -> q_next

memory: numbers of the scheme that go on from step to step, zeros at the start.

Where a vertex would come down to the ground within a step, the step is divided: free flight until it touches, the
percussions of that moment, and what is left is a step of its own. The papers test for contact in the middle of steps,
which finds an impact half a step late on average, while the rock turns on and sinks: an error of first order. Vertices
that are on the ground already have contact for the whole step, as in the papers, if its end would find them in it.

What of the body touches is found by a Detection: vertices, or places that wander along a smooth body as it turns. These
act in the middle of a step between two halves of free motion, and their laws hold at its start and its end, see
physics.contact.percussions; so rolling is of second order with every scheme whose free motion is.

The total energy never rises when w_free has the energy of w, or less: then the percussions change it by their work
P.(γ^- + γ^+)/2, γ^- taken with w_work, which physics.contact.percussions keeps from being positive.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from physics.contact.bumps import Bumps
from physics.contact.friction import coefficient, resist, restitution_of, slipped
from physics.contact.obstacles import SPARE, Obstacles, meet_barriers, meet_stems
from physics.contact.percussions import percussions
from physics.contact.places import chances, lean, normal_at
from physics.contact.vertices import PERCUSSION, Detection, answer, axes_of, first_landing, flies, steepness, times
from physics.core.jit import formula, kernel, unallocating
from physics.core.rotation import Array, Symmetric, Vector, added, dot
from physics.schemes.explicit import halfway
from physics.schemes.loop import MOTION, motion_in, store_motion, store_row
from physics.terrain.soil import NO_TREES, LawMap, SoilLaw, deepest, soil_below, trees_around
from physics.terrain.terrain import Kinds, off_map

# ---- forest drag --------------------------------------------------------------------------------------
# Drags of translation act at the centre of mass, against its velocity: m dv/dt = -m ν v. A step takes ν at its start
# and the mean of the velocities before and after (θ = 1/2), so that the work of a drag is -m ν h |mean velocity|²,
# never positive. A forest may slow the rotation as well, Θ dω/dt = -C ω with C symmetric and positive semidefinite in
# the body's axes, which are principal axes of Θ.


@formula
def slowed(
    J: Vector, half: float, C: Symmetric, g: Vector, w: Vector, w_free: Vector, w_work: Vector, touched: bool
) -> tuple[Symmetric, Vector]:
    """Θ + D, and the angular velocity [rad/s] before percussions, under rotational drag (Leine et al. 2021, (78)).

    half: half of the step h [s]; D = h/2 C [kg m²].

    (82) and (85) without P are one equation, (Θ + D + hat(g)) w' = (Θ + hat(g)) w_free - D w, for every scheme of
    physics.contact.moreau; the matrix on the left is also what answers percussions.
    (85) takes the torque at (w + w')/2 but changes the energy by way of (w_free + w')/2: the product can be positive
    where a component of w passes zero. There, and where percussions are to come, w_work stands in for w: the work is
    then -1/2 (w_work + w').D (w_work + w'), never positive.
    """
    D = (half * C[0], half * C[1], half * C[2], half * C[3], half * C[4], half * C[5])
    S = (J[0] + D[0], J[1] + D[1], J[2] + D[2], D[3], D[4], D[5])
    if not touched:
        found = _after(S, g, D, w, w_free)
        mean = times(D, (w[0] + found[0], w[1] + found[1], w[2] + found[2]))
        if dot(mean, (w_work[0] + found[0], w_work[1] + found[1], w_work[2] + found[2])) >= 0.0:
            return S, found
    return S, _after(S, g, D, w_work, w_free)


@formula
def _after(S: Symmetric, g: Vector, D: Symmetric, w: Vector, w_free: Vector) -> Vector:
    change = answer(S, g, times(D, (w_free[0] + w[0], w_free[1] + w[1], w_free[2] + w[2])))
    return (w_free[0] - change[0], w_free[1] - change[1], w_free[2] - change[2])


# ---- the loop -----------------------------------------------------------------------------------------

# the state of the loop: a motion, then these
SLIP = MOTION  # [m], see physics.contact.friction
CALM = SLIP + 1  # [s] since when its energy is below that of rest
STEP = CALM + 1  # steps that are done
UNSOLVED = STEP + 1  # steps whose percussions are the fallback
SCAR = UNSOLVED + 1  # depth of the ground in a scar [m]
LEAN = SCAR + 1  # (3,) of the normal, see physics.contact.places
TOUCHED = LEAN + 3  # touch-downs with numbers drawn
DRAGGED = TOUCHED + 1  # [s] of drag that is left
CHANCE = DRAGGED + 1  # drawn for the restitution
STATE_SIZE = CHANCE + 1
LANDINGS = 8  # landings in a step that are found where they are
SLACK = 1e-3  # share of the radius: a vertex so near the ground is on it
# why it stopped
GOING, REST, LEFT_MAP, FAILED = 0, 1, 2, 3


class Faller(NamedTuple):
    """The rock: principal moments (3,) [kg m²], mass [kg], arrays as its detection takes them, radius [m]."""

    moments: Array
    mass: float
    body: tuple[Array, ...]
    radius: float


class Site(NamedTuple):
    """The ground: heights (ny, nx) at its nodes [m], clearances of the rock, cell [m], holes, laws of soil and forest.

    clearances : see physics.contact.vertices; holes : see physics.terrain.terrain; laws : see physics.terrain.soil
    top : of the highest tree [m], -inf without any; bumps : see physics.contact.bumps, their height is in the soil
    """

    heights: Array
    clearances: Array
    cell: tuple[float, float]
    holes: Kinds
    soil: LawMap
    forest: LawMap
    top: float
    bumps: Bumps


class Settings(NamedTuple):
    """Settings of a run.

    rest_energy [J/kg], rest_time [s] : a rock rests that has less, on the ground, for so long
    step [s]; g : gravity [m/s²]; key : of what is drawn for the rock, see physics.contact.places
    every : steps a row of output
    """

    rest_energy: float
    rest_time: float
    step: float
    g: float
    key: np.uint64
    every: int


class Room(NamedTuple):
    """Room to work in: contacts (n, vertices.WIDTH), places (n, places.WIDTH), depths (2, n) at both ends of a step."""

    contacts: Array
    places: Array
    depths: Array


@formula
def bumpy(bumps: Bumps, law: SoilLaw) -> Bumps:
    """The bumps that a rock feels on a soil."""
    return Bumps(law.bumps, bumps.over, bumps.x, bumps.y, bumps.key)


def moreau_with(free_velocity: Any, contact_attitude: Any, detection: Detection) -> Any:
    """The compiled time stepping with the rotation of one scheme and the contacts of one sort of bodies.

    march(...) -> (rows, reason, notes): every-th state into each row of out, from ``state``, which moves on; from
    STATE_SIZE on it holds the scheme's memory. The last row holds the state at which it stopped; there are fewer rows
    than room for them where the notes of more might find none. Positions are relative to the terrain's first node.
    """
    at_end, at_start, landed, ploughing, touching, wanders, _ = detection

    @(kernel if detection.allocates else unallocating)
    def march(
        faller: Faller, site: Site, settings: Settings, state: Array, room: Room, obstacles: Obstacles, out: Array
    ) -> tuple[int, int, int]:
        moments, mass, body, radius = faller
        heights, clearances, cell, holes, soil, forest, top, bumps = site
        rest_energy, rest_time, h, g, key, every = settings
        contacts, places, (starts, depths) = room.contacts, room.places, (room.depths[0], room.depths[1])
        J = (moments[0], moments[1], moments[2])
        inertia = (*J, 0.0, 0.0, 0.0)
        r, q, v, w = motion_in(state)
        s, calm, count, unsolved, lowered = state[SLIP], state[CALM], state[STEP], state[UNSOLVED], state[SCAR]
        tilt, touched = (state[LEAN], state[LEAN + 1], state[LEAN + 2]), state[TOUCHED]
        dragged, chance = state[DRAGGED], state[CHANCE]  # time that is left [s]; of the restitution, normal
        law = soil_below(soil, cell[0], cell[1], r)
        axes, memory, fast = axes_of(q), state[STATE_SIZE:], 0.0
        grid, varied = (heights, cell[0], cell[1]), soil.laws.shape[0] > 2
        ground = (heights, cell[0], cell[1], bumpy(bumps, law))
        wooded = top > -np.inf
        reason, row, faded, fading = GOING, 0, 0.0, 1.0
        corners, stems, pieces, standing, down, notes = obstacles
        whole, noted, stopped = (corners, radius, mass, J), 0, False
        planted, fenced, clear = stems[0].shape[0] > 0, pieces.shape[0] > 0, 0.0  # [m] without a stem
        while row < out.shape[0] and reason == GOING and (noted == 0 or noted + SPARE <= notes.shape[0]):
            most = 0  # contacts that press in a step of the row
            for _ in range(every):
                left, landings, active, began = h, 0, 0, r
                while left > 0.0:
                    # (79) midpoint, and the end of free flight
                    dt, landing = left, -1
                    middle, end = added(r, 0.5 * dt, v), added(r, dt, v)
                    if varied:
                        law = soil_below(soil, cell[0], cell[1], middle)
                        ground = (heights, cell[0], cell[1], bumpy(bumps, law))
                    # (78) among trees: drag and rotational drag, the latter part of the matrix that answers torques
                    wood, brake = NO_TREES
                    if wooded:
                        wood, brake = trees_around(forest, top, heights, cell[0], cell[1], middle)
                    q_mid, R, below, plough = q, axes, -1.0, 0.0  # below: how deep the deepest vertex would come
                    # what wanders stays on the ground if gravity would bring it back to it within the step
                    fall = 0.5 * g * dt * dt if wanders else 0.0
                    end = (end[0], end[1], end[2] - fall)
                    highest = (end[0], end[1], end[2] - 0.5 * law.bumps)  # above the highest bump
                    if not flies(heights, clearances, cell[0], cell[1], highest, radius):
                        # soil wants all vertices: none is passed over
                        steep = math.inf if law.scar_drag > 0.0 else steepness(clearances, cell[0], cell[1], end)
                        below = at_end(ground, body, (r, q, v, w), dt, fall, depths, places, steep)
                    if below < 0.0:
                        lowered, tilt = 0.0, (0.0, 0.0, 0.0)
                    else:
                        if law.scar_depth > 0.0 or lowered > 0.0:
                            # the depth is that of the touch-down, until the rock has left the ground again
                            lowered = deepest(law, v[2]) if lowered == 0.0 else lowered
                        # soil wants all vertices, a landing only those that come deep enough
                        least = -np.inf if law.scar_drag > 0.0 else lowered
                        at_start(ground, body, r, axes_of(q), depths, least, starts, places)
                        if landings < LANDINGS:
                            share, landing = first_landing(starts, depths, lowered, SLACK * radius)
                            dt *= share
                            landings += landing >= 0
                            middle = added(r, 0.5 * dt, v)
                        q_mid = halfway(dt, q, w)
                        R = axes_of(q_mid)
                        if law.scar_drag > 0.0:
                            half = 0.5 * dt / left
                            plough = law.scar_drag * ploughing(ground, body, middle, q_mid, v, half, starts, depths)
                    held = below >= lowered and landing < 0
                    # (84) or the free part of (82); contacts that wander act between two halves of the free motion
                    turning = 0.5 * dt if wanders and held else dt
                    w_free, free_turn, w_work, gyro, residual = free_velocity(J, turning, q, w, memory)
                    if not residual < np.inf:
                        reason = FAILED
                        break
                    if wanders and held:
                        w_work, gyro = w_free, (0.0, 0.0, 0.0)
                    # (81) gravity, and drag at the mean of the velocities before and after: while the ground is touched
                    touching_share = 1.0 if held else min(dragged / dt, 1.0) if dragged > 0.0 else 0.0
                    drag = 0.5 * dt * (plough + wood + law.drag * touching_share)
                    dragged -= dt
                    keep, gain = (1.0 - drag) / (1.0 + drag), 1.0 / (1.0 + drag)
                    v_next, w_next = (keep * v[0], keep * v[1], keep * v[2] - gain * g * dt), w_free
                    laden, heavy, bar = inertia, mass, lowered
                    if brake[0] + brake[1] + brake[2] > 0.0:
                        laden, w_next = slowed(J, 0.5 * dt, brake, gyro, w, w_free, w_work, held)
                    if held:
                        heavy = mass * (1.0 + drag)
                    elif landing >= 0:
                        # free flight until the touch, and percussions there, at once
                        r = added(added(r, 0.5 * dt, v), 0.5 * dt, v_next)
                        q = contact_attitude(J, dt, q, w, free_turn, w_free, w_next)
                        v, w, w_work, laden, gyro = v_next, w_next, w_next, inertia, (0.0, 0.0, 0.0)
                        middle, R, bar = r, axes_of(q), lowered - SLACK * radius
                        landed(ground, body, r, R, landing, lowered, depths, places)
                        dragged = law.drag_time
                        if law.ramp > 0.0 or law.roughness > 0.0 or law.scatter > 0.0:
                            luck = chances(key, int(touched)) if law.scatter > 0.0 else (0.0, 0.0, 0.0)
                            below_it = normal_at(grid, r[0], r[1])
                            tilt = lean(law, below_it, v, key, int(touched), luck)
                            chance = luck[2]
                            touched += 1.0
                    pressed = 0
                    if held or landing >= 0:
                        mu = coefficient(law, s)
                        leans = (0.0, 0.0, 0.0) if wanders and held else tilt
                        answers = (laden, gyro)
                        touches = touching(
                            ground, body, depths, bar, middle, R, answers, heavy, leans, places, contacts
                        )
                        if law.rolling > 0.0 and touches > 0:
                            resist(contacts, touches, law.rolling, answers)
                        (v_next, w_next), solved = percussions(
                            contacts,
                            touches,
                            law,
                            mu,
                            restitution_of(law, chance),
                            heavy,
                            (v_next, w_next),
                            (v, w_work),
                            mass * g * g * h * h,
                            wanders and held,
                            answers,
                        )
                        unsolved += not solved
                        for i in range(touches):
                            pressed += contacts[i, PERCUSSION] > 0.0
                        active = max(active, pressed)
                    fast = math.sqrt(v_next[0] * v_next[0] + v_next[1] * v_next[1] + v_next[2] * v_next[2])
                    if law.beta * dt != faded:  # most steps are equal: the exponential would take a tenth of their time
                        faded = law.beta * dt
                        fading = math.exp(-faded)
                    s = slipped(s, dt, fast, fading, held and pressed > 0)
                    if landing < 0:
                        # (83), (86), (87)
                        if wanders and held:
                            q, w = contact_attitude(J, turning, q, w, free_turn, w_free, w_free), w_next
                            w_next, free_turn, _, _, residual = free_velocity(J, turning, q, w, memory)
                            if not residual < np.inf:
                                reason = FAILED
                                break
                            w_free = w_next
                        q = contact_attitude(J, turning, q, w, free_turn, w_free, w_next)
                        r = added(middle, 0.5 * dt, v_next)
                    v, w = v_next, w_next
                    left = left - dt if landing >= 0 else 0.0
                if reason == FAILED:
                    break
                if planted:
                    clear -= math.sqrt((r[0] - began[0]) ** 2 + (r[1] - began[1]) ** 2)
                    if clear <= 0.0:
                        v, noted, clear = meet_stems(
                            stems, standing, whole, began, (r, q, v, w), h * (count + 1.0), notes, noted
                        )
                if fenced:
                    v, w, noted, stopped = meet_barriers(
                        pieces, down, whole, grid, began, (r, q, v, w), h * (count + 1.0), notes, noted
                    )
                if planted or fenced:
                    fast = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
                energy = 0.5 * fast * fast + 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / mass
                if not energy < np.inf:
                    reason = FAILED
                    break
                count += 1.0
                most = max(most, active)
                calm = calm + h if energy < rest_energy else 0.0
                if stopped or (calm >= rest_time and active > 0):
                    reason = REST
                elif off_map(heights, holes, cell[0], cell[1], r[0], r[1]):
                    reason = LEFT_MAP
                if reason != GOING:
                    break
            if reason == FAILED:
                break
            store_row(out[row], h * count, r, q, v, w, most)
            row += 1
        store_motion(state, r, q, v, w)
        state[SLIP], state[CALM], state[STEP], state[UNSOLVED], state[SCAR] = s, calm, count, unsolved, lowered
        state[LEAN], state[LEAN + 1], state[LEAN + 2], state[TOUCHED] = *tilt, touched
        state[DRAGGED], state[CHANCE] = dragged, chance
        return row, reason, noted

    return march
