"""Moreau's time stepping of a rock with contact: Leine et al. (2022), (79)-(87), for every scheme that fits it.

A scheme brings two formulas; all else is common:

    free_velocity(J, h, q, w, memory) -> (w_free, turn, w_work, g, residual)
        the angular velocity without contact; what contact_attitude wants to know of the free turn; the angular velocity
        from which the work of contact torques counts; the vector g of the matrix Θ + hat(g) that answers them
    contact_attitude(J, h, q, w, turn, w_free, w_next) -> q_next

memory: numbers of the scheme that go on from step to step, zeros at the start.

The total energy never rises when w_free has the energy of w: then the percussions change it by their work
P.(γ^- + γ^+)/2, γ^- taken with w_work, which physics.systems.percussions keeps from being positive.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from physics.compiled import kernel
from physics.ground.cover import soil_below, trees_around
from physics.ground.layers import slowed
from physics.ground.scar import deepest, swept
from physics.ground.terrain import Kinds, off_map
from physics.rotation import Array
from physics.schemes.explicit import halfway
from physics.systems.contact import PERCUSSION, axes_of, flies, sink, touching
from physics.systems.percussions import percussions

# the state of the loop: position 3, attitude 4, velocity 3, angular velocity 3, then these
SLIP, CALM, STEP, UNSOLVED, SCAR, STATE_SIZE = range(13, 19)
# the columns of its output: time, position 3, attitude 4, velocity 3, angular velocity 3, contacts
AT_T, AT_R, AT_V, AT_W, COLUMNS = 0, 1, 8, 11, 15
# why it stopped
GOING, REST, LEFT_MAP, FAILED = 0, 1, 2, 3


def moreau_with(free_velocity: Any, contact_attitude: Any) -> Any:
    """The compiled time stepping with the rotation of one scheme.

    march(...) -> (rows, reason): every-th state into each row of out, from ``state``, which moves on; from STATE_SIZE
    on it holds the scheme's memory. The last row holds the state at which it stopped. Positions are relative to the
    terrain's first node; moments (3,) [kg m²] and vertices (n, 3) [m] in principal axes, faces (m, 3) their triangles;
    holes: see physics.ground.terrain; soil, forest: maps and laws, see physics.ground.cover; stop: energy [J/kg], time
    [s]; contacts and depths (n,): room to work in.
    """

    @kernel
    def march(
        moments: Array,
        mass: float,
        vertices: Array,
        faces: Array,
        radius: float,
        heights: Array,
        clearances: Array,
        cell: tuple[float, float],
        holes: Kinds,
        soil: tuple[Kinds, Array],
        forest: tuple[Kinds, Array, float],
        stop: tuple[float, float],
        h: float,
        g: float,
        every: int,
        state: Array,
        contacts: Array,
        depths: Array,
        out: Array,
    ) -> tuple[int, int]:
        J = (moments[0], moments[1], moments[2])
        r = (state[0], state[1], state[2])
        q = (state[3], state[4], state[5], state[6])
        v = (state[7], state[8], state[9])
        w = (state[10], state[11], state[12])
        s, calm, count, unsolved, lowered = state[SLIP], state[CALM], state[STEP], state[UNSOLVED], state[SCAR]
        mu_min, mu_max, beta, kappa, restitution, soil_drag, scar = soil_below(soil, cell[0], cell[1], r)
        decay, axes, memory = math.exp(-beta * h), axes_of(q), state[STATE_SIZE:]
        varied, wooded = soil[1].shape[0] > 1, forest[2] > -np.inf
        reason, row = GOING, 0
        while row < out.shape[0] and reason == GOING:
            active = 0
            for _ in range(every):
                # (79) midpoint
                middle = (r[0] + 0.5 * h * v[0], r[1] + 0.5 * h * v[1], r[2] + 0.5 * h * v[2])
                # (84) or the free part of (82)
                w_free, free_turn, w_work, gyro, residual = free_velocity(J, h, q, w, memory)
                if not residual < np.inf:
                    reason = FAILED
                    break
                if varied:
                    mu_min, mu_max, beta, kappa, restitution, soil_drag, scar = soil_below(
                        soil, cell[0], cell[1], middle
                    )
                    decay = math.exp(-beta * h)
                # (78) among trees: drag and rotational drag, the latter part of the matrix that answers torques
                wood, turn, laden = 0.0, (0.0, 0.0, 0.0), J
                if wooded:
                    wood, c1, c2, c3 = trees_around(forest, heights, cell[0], cell[1], middle)
                    turn = (0.5 * h * c1, 0.5 * h * c2, 0.5 * h * c3)
                    laden = (J[0] + turn[0], J[1] + turn[1], J[2] + turn[2])
                q_mid, R, below, plough = q, axes, -1.0, 0.0  # below: how far the deepest vertex is below the ground
                if not flies(heights, clearances, cell[0], cell[1], middle, radius):
                    q_mid = halfway(h, q, w)
                    R = axes_of(q_mid)
                    below = sink(heights, cell[0], cell[1], vertices, middle, R, depths)
                if below < 0.0:
                    lowered = 0.0
                elif scar[0] > 0.0 or lowered > 0.0:
                    # the depth is that of the touch-down, until the rock has left the ground again
                    lowered = deepest(scar, v[2]) if lowered == 0.0 else lowered
                    plough = scar[1] * swept(vertices, faces, depths, q_mid, v)
                touched = below >= lowered
                # (81) gravity, and drag at the mean of the velocities before and after: while the ground is touched
                drag = 0.5 * h * soil_drag if touched else 0.0
                drag += 0.5 * h * (plough + wood)
                keep, gain = (1.0 - drag) / (1.0 + drag), 1.0 / (1.0 + drag)
                v_next, w_next = (keep * v[0], keep * v[1], keep * v[2] - gain * g * h), w_free
                if turn[0] + turn[1] + turn[2] > 0.0:
                    w_next = slowed(laden, gyro, turn, w, w_free, w_work, touched)
                active = 0
                if touched:
                    mu = mu_min + 2.0 / math.pi * (mu_max - mu_min) * math.atan(kappa * s)
                    heavy = mass * (1.0 + drag)
                    touches = touching(
                        heights, cell[0], cell[1], vertices, depths, lowered, middle, R, laden, gyro, heavy, contacts
                    )
                    v_next, w_next, solved = percussions(
                        contacts, touches, mu, restitution, heavy, v_next, w_next, v, w_work, mass * g * g * h * h
                    )
                    unsolved += not solved
                    for i in range(touches):
                        active += contacts[i, PERCUSSION] > 0.0
                # slip of the contact (Leine et al. 2014, (46), (51))
                fast = math.sqrt(v_next[0] * v_next[0] + v_next[1] * v_next[1] + v_next[2] * v_next[2])
                s = s + h * fast if active > 0 else s * decay
                # (83), (86), (87)
                q = contact_attitude(J, h, q, w, free_turn, w_free, w_next)
                r = (middle[0] + 0.5 * h * v_next[0], middle[1] + 0.5 * h * v_next[1], middle[2] + 0.5 * h * v_next[2])
                v, w = v_next, w_next
                count += 1.0
                energy = 0.5 * fast * fast + 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / mass
                if not energy < np.inf:
                    reason = FAILED
                    break
                calm = calm + h if energy < stop[0] else 0.0
                if calm >= stop[1] and active > 0:
                    reason = REST
                elif off_map(heights, holes, cell[0], cell[1], r[0], r[1]):
                    reason = LEFT_MAP
                if reason != GOING:
                    break
            if reason == FAILED:
                break
            out[row, 0] = h * count
            out[row, 1], out[row, 2], out[row, 3] = r
            out[row, 4], out[row, 5], out[row, 6], out[row, 7] = q
            out[row, 8], out[row, 9], out[row, 10] = v
            out[row, 11], out[row, 12], out[row, 13] = w
            out[row, 14] = active
            row += 1
        state[0], state[1], state[2] = r
        state[3], state[4], state[5], state[6] = q
        state[7], state[8], state[9] = v
        state[10], state[11], state[12] = w
        state[SLIP], state[CALM], state[STEP], state[UNSOLVED], state[SCAR] = s, calm, count, unsolved, lowered
        return row, reason

    return march
