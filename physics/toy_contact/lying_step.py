"""A step with points of a face or of a line: free motion, their percussions in its middle, free motion."""

from __future__ import annotations

import math
from typing import Any

from physics.bodies.surface import height, support
from physics.contact.vertices import PERCUSSION, axes_of
from physics.core.jit import procedure
from physics.core.rotation import Array, Vector, cross, dot
from physics.toy_contact.facets import END, GAP, MOST, NEAR, carried, facet, gap_of, take
from physics.toy_contact.single import Laws, RigidMotion, Solid, plus


def lying_step_with(drift: Any) -> Any:
    """The step with the free motion of one scheme, ``drift(J, h, q, w, memory) -> (q, w, residual)``."""

    @procedure
    def lain(
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
            pressed += contacts[n, PERCUSSION] > 0.0
        depth = 0.0 if line else height(shape, axes_of(q_next)[2]) - r_next[2]
        return RigidMotion(r_next, q_next, v_next, w_next), pressed, solved, residual, depth

    return lain
