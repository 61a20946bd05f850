"""Fallback: percussions that do no work, where those that obey their laws were not found, or would do some."""

from __future__ import annotations

import math

from physics.contact.rolling_resistance import bound_of, rolled, work_of_rolling
from physics.contact.vertices import (
    APPROACH,
    BLOCK,
    BOUND,
    MOMENT,
    MOMENT_BOUND,
    PERCUSSION,
    ROLLING,
    SLIDE,
    push,
    speed,
)
from physics.core.jit import formula
from physics.core.rotation import Array, Vector

SWEEPS = 500  # of Gauss-Seidel
TOLERANCE = 1e-8  # largest last change of a percussion, over the mass [m/s] or the largest percussion [1]


@formula
def work_of(contacts: Array, n: int, v_before: Vector, w_before: Vector, v_next: Vector, w_next: Vector) -> float:
    """P.(γ^- + γ^+)/2, and M.(ω^- + ω^+)/2 of rolling resistance [J]."""
    work = 0.0
    for i in range(n):
        c = contacts[i]
        for k in range(3):
            work += 0.5 * c[PERCUSSION + k] * (speed(c, k, v_before, w_before) + speed(c, k, v_next, w_next))
        if c[ROLLING] > 0.0:
            work += work_of_rolling(c, w_before, w_next)
    return work


@formula
def bounded(contacts: Array, n: int, mu: float, mass: float, v: Vector, w: Vector) -> tuple[Vector, Vector]:
    """Friction, and rolling resistance, within fixed bounds: μ times the normal percussions reached so far.

    That is a convex problem (Tresca's), on which Gauss-Seidel converges from anywhere.
    """
    for i in range(n):
        contacts[i, BOUND] = mu * contacts[i, PERCUSSION]
        contacts[i, MOMENT_BOUND] = bound_of(contacts[i])
    for _ in range(SWEEPS):
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
            if c[ROLLING] > 0.0:
                w, moved = rolled(c, c[MOMENT_BOUND], w)
                change = max(change, moved)
        if change <= TOLERANCE * max(mass, largest):
            break
    return v, w


@formula
def harmless(
    contacts: Array,
    n: int,
    mass: float,
    v: Vector,
    w: Vector,
    v_before: Vector,
    w_before: Vector,
    v_next: Vector,
    w_next: Vector,
) -> tuple[Vector, Vector]:
    """Velocities from v, w towards v_next, w_next, as far as the percussions, all scaled alike, do no work."""
    whole = work_of(contacts, n, v_before, w_before, v_next, w_next)
    if whole <= 0.0:
        return v_next, w_next
    # the work of percussions scaled by s is s first + s² (whole - first)
    first = work_of(contacts, n, v_before, w_before, v, w)
    s = min(max(-first / (whole - first), 0.0), 1.0) if whole > first else 0.0
    for i in range(n):
        for k in range(3):
            contacts[i, PERCUSSION + k] *= s
            contacts[i, MOMENT + k] *= s
    return (
        (v[0] + s * (v_next[0] - v[0]), v[1] + s * (v_next[1] - v[1]), v[2] + s * (v_next[2] - v[2])),
        (w[0] + s * (w_next[0] - w[0]), w[1] + s * (w_next[1] - w[1]), w[2] + s * (w_next[2] - w[2])),
    )
