"""The exact motion of a free rigid body, attitude included, at any time, to rounding error of the phase.

The momentum is that of physics.schemes.free_rotation; the attitude follows by one angle ψ about the spin, as in the
factorization of Gustafsson (2010), section 4.3.2. For its closed form, an elliptic integral of the third kind, he
refers to Celledoni, Fassò, Säfström & Zanna (2008) and Celledoni & Zanna (2008), his [7] and [11]; here it is written
as the argument of a theta function. Evaluating costs the same for every t.

Let u be the direction of the spin in the body, in the ordered axes: u3 = a dn τ > 0. With the attitude written as
q_A o exp(ψ e3) o arc(u, e3),

    dψ/dt = (2E/L + u3 L/I3) / (1 + u3),

whose integral over τ has simple poles where dn = -1/a, at ±i y0, with K' < y0 < 2K'. Hence

    ψ/2 = ρ t/2 ∓ [Arg(τ) - Arg(τ0)],      Arg(τ) = arg θ1(π (τ - i y0) / 2K, nome q²),

and ρ follows from dψ/dt at τ = 0. The residues make the factor of Arg exactly one for every body.
"""

from __future__ import annotations

import math

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector, exp_half, from_rows, inverse, product, renormalised
from physics.schemes import free_rotation
from physics.schemes.free_rotation import AXIS, FLIP, KIND, LAST, MOMENT, OMEGA, RATE, SIGMA, SLOPE, SPIN, STEADY
from physics.schemes.loop import start_by, store

# behind the constants of the momentum: those of the attitude, and the number of steps taken
RHO, FRONT, BACK, STEPS, SIZE = (free_rotation.SIZE + n for n in (0, 1, 5, 9, 10))
# behind those, inside Moreau's time stepping: a part of the curve, its step, the direction and velocity at its end
KEPT = SIZE
LAST_H, LAST_U, LAST_W, MEMORY = (SIZE + free_rotation.KEPT + n for n in (0, 1, 4, 7))


@formula
def set_up(J: Vector, q: Quaternion, w: Vector, s: Array) -> None:
    """Fill the constants s (SIZE) of the motion that starts with attitude q and angular velocity w [rad/s]."""
    free_rotation.set_up(J, w, s)
    s[STEPS] = 0.0
    s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3] = q
    if s[KIND] == STEADY:
        return
    a, L = s[LAST], s[SPIN]
    energy = 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2])
    s[RHO] = (2.0 * energy / L + a * L / s[MOMENT + 2]) / (1.0 + a) + 2.0 * s[SIGMA] * s[RATE] * s[SLOPE]
    _, re, im = free_rotation.direction(s, 0.0)
    face(J, q, w, s, re, -s[SIGMA] * im)


@formula
def face(J: Vector, q: Quaternion, w: Vector, s: Array, x: float, y: float) -> None:
    """Set front and back so that the attitude is q at the start, where exp(i ψ/2) ~ x + i y.

    Taken from w itself, not from the curve, which meets it up to rounding only: then a motion that is set up anew in
    every step keeps its spin in space without drift.
    """
    s[BACK], s[BACK + 1], s[BACK + 2], s[BACK + 3] = _to_ordered(s)
    s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3] = 1.0, 0.0, 0.0, 0.0
    L = s[SPIN]
    there = attitude(s, free_rotation.ordered(s, (J[0] * w[0] / L, J[1] * w[1] / L, J[2] * w[2] / L)), x, y)
    here = product(q, inverse(there))
    s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3] = here


start = start_by(set_up, SIZE)


@formula
def _to_ordered(s: Array) -> Quaternion:
    """The rotation from the body's axes to the ordered axes."""
    i, j, k = s[AXIS], s[AXIS + 1], s[AXIS + 2]
    f, g, h = s[FLIP], s[FLIP + 1], s[FLIP + 2]
    return from_rows(
        (f if i == 0 else 0.0, f if i == 1 else 0.0, f if i == 2 else 0.0),
        (g if j == 0 else 0.0, g if j == 1 else 0.0, g if j == 2 else 0.0),
        (h if k == 0 else 0.0, h if k == 1 else 0.0, h if k == 2 else 0.0),
    )


@formula
def evaluate(s: Array, t: float) -> tuple[Quaternion, Vector]:
    """Attitude and angular velocity [rad/s] at time t [s] after the start."""
    if s[KIND] == STEADY:
        return steady(s, t)
    u, re, im = free_rotation.direction(s, t)
    # exp(i ψ/2) = exp(i ρ t/2) (re ∓ i im) / |.|
    c, d = math.cos(0.5 * s[RHO] * t), math.sin(0.5 * s[RHO] * t)
    im *= -s[SIGMA]
    return attitude(s, u, c * re - d * im, c * im + d * re), velocity(s, u)


@formula
def steady(s: Array, t: float) -> tuple[Quaternion, Vector]:
    """Attitude and angular velocity [rad/s] at time t [s] of a body that turns steadily."""
    w = (s[OMEGA], s[OMEGA + 1], s[OMEGA + 2])
    front = (s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3])
    return renormalised(product(front, exp_half((w[0] * t, w[1] * t, w[2] * t)))), w


@formula
def attitude(s: Array, u: Vector, x: float, y: float) -> Quaternion:
    """front o exp(ψ e3) o arc(u, e3) o back, with x + i y any positive multiple of exp(i ψ/2)."""
    flat = u[0] * u[0] + u[1] * u[1]
    up = 0.5 + 0.5 * (flat + u[2] * u[2]) + u[2]  # arc ~ (|u| + u3, u2, -u1, 0), |u| = 1 up to rounding
    norm = 1.0 / math.sqrt((x * x + y * y) * (flat + up * up))
    x, y = x * norm, y * norm
    turn = (x * up, x * u[1] + y * u[0], y * u[1] - x * u[0], y * up)
    front = (s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3])
    back = (s[BACK], s[BACK + 1], s[BACK + 2], s[BACK + 3])
    return renormalised(product(front, product(turn, back)))


@formula
def velocity(s: Array, u: Vector) -> Vector:
    """Angular velocity [rad/s] in body axes where the momentum has the direction u in the ordered axes."""
    g = s[SPIN]
    return free_rotation.unordered(s, (g / s[MOMENT] * u[0], g / s[MOMENT + 1] * u[1], g / s[MOMENT + 2] * u[2]))


@kernel
def march(J: Array, field: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The exact state after every further ``every`` steps, evaluated from the start: nothing adds up."""
    for row in range(out.shape[0]):
        state[STEPS] += every
        q, w = evaluate(state, h * state[STEPS])
        store(out[row], q, w)
    return out.shape[0], 0.0


@formula
def free_velocity(
    J: Vector, h: float, q: Quaternion, w: Vector, memory: Array
) -> tuple[Vector, Quaternion, Vector, Vector, float]:
    """First part of the rotation inside Moreau's time stepping, as in physics.schemes.loop.

    The curve of the last step goes on while nothing has changed the angular velocity or the step. Where something has,
    physics.schemes.free_rotation finds the new one without elliptic integrals: 160 ns, where ``set_up`` takes 500. Only
    bodies with equal moments, and steps of many turns, need others.
    """
    part, start = free_rotation.kept(memory[KEPT:]), (memory[LAST_U], memory[LAST_U + 1], memory[LAST_U + 2])
    goes_on = memory[LAST_H] == h
    goes_on = goes_on and memory[LAST_W] == w[0] and memory[LAST_W + 1] == w[1] and memory[LAST_W + 2] == w[2]
    if not goes_on:
        axis = free_rotation.odd_axis(J)
        if axis >= 0:
            turn, w_next = free_rotation.rotated_symmetric(J, axis, h, (1.0, 0.0, 0.0, 0.0), w)
            return w_next, turn, w_next, (0.0, 0.0, 0.0), 0.0
        good, part, start = free_rotation.parted(J, h, w)
        if not good:
            set_up(J, (1.0, 0.0, 0.0, 0.0), w, memory)
            turn, w_next = evaluate(memory, h)
            return w_next, turn, w_next, (0.0, 0.0, 0.0), 0.0
        free_rotation.keep(part, memory[KEPT:])
        memory[LAST_H] = h
    turn, end, w_next = free_rotation.moved(part, start)
    memory[LAST_U], memory[LAST_U + 1], memory[LAST_U + 2] = end
    memory[LAST_W], memory[LAST_W + 1], memory[LAST_W + 2] = w_next
    return w_next, turn, w_next, (0.0, 0.0, 0.0), 0.0
