"""The friction law between rock and ground: a coefficient that grows with slip in contact and falls back in flight.

μ(s) = μ_min + 2/π (μ_max - μ_min) atan(κ s), with the slip s gathered in contact at the speed of the centre of mass and
forgotten at the rate β in flight (Leine et al. 2014, (46), (47), (51)). Percussions obey Coulomb's law with this
coefficient, see physics.contact.percussions.
"""

from __future__ import annotations

import math

from physics.bodies.surface import Matrix
from physics.contact.places import varied_by
from physics.contact.vertices import (
    LEVER,
    MOMENT,
    MOMENT_BEFORE,
    MOMENT_SHIFT,
    MOMENT_STEP,
    MOMENT_STEP_BEFORE,
    PERCUSSION,
    ROLLING,
    TURN,
    Inertia,
    answer,
)
from physics.core.jit import formula
from physics.core.rotation import Array, Vector, dot
from physics.terrain.soil import SoilLaw

# ---- friction of one contact --------------------------------------------------------------------------
# With γ(p) = b + A p the velocity that friction acts on and N(p) = n + k.p the normal percussion, a friction law is
# one of p = -γ / c with a single unknown number c >= 0:
#
#     stick     c = 0 and |p| <= μ N
#     Coulomb   c μ N = sqrt(|γ|² + ε²); ε = 0: set-valued Coulomb friction, else regularised
#     viscous   c κ N = 1
#
# so that friction never does work, |γ|² / c <= 0, however well c is known. Sliding with N >= 0 exists wherever the
# contact is closed without friction, because c = ∞ and c = 0 bracket it.

ITERATIONS = 60
STICKS, SLIDES = 1.0, 0.0


@formula
def inverse_times(A: Matrix, c: float, b: Vector) -> Vector:
    """(A + c I)^-1 b for a symmetric positive definite A."""
    x, y, z, d, e, f = A[0] + c, A[1] + c, A[2] + c, A[3], A[4], A[5]
    m1, m2, m3 = y * z - d * d, d * e - f * z, f * d - y * e
    i = 1.0 / (x * m1 + f * m2 + e * m3)
    m4, m5, m6 = x * z - e * e, e * f - x * d, x * y - f * f
    return (
        i * (m1 * b[0] + m2 * b[1] + m3 * b[2]),
        i * (m2 * b[0] + m4 * b[1] + m5 * b[2]),
        i * (m3 * b[0] + m5 * b[1] + m6 * b[2]),
    )


@formula
def friction(
    A: Matrix, b: Vector, n: float, k: Vector, mu: float, epsilon: float, viscous: float
) -> tuple[Vector, float]:
    """The percussion p of friction, and STICKS or SLIDES. n: the normal percussion without friction, above 0."""
    if mu == 0.0 and viscous == 0.0:
        return (0.0, 0.0, 0.0), SLIDES
    size = math.sqrt(dot(b, b) + epsilon * epsilon)
    if mu > 0.0 and epsilon == 0.0:
        p = inverse_times(A, 0.0, b)
        held = n - dot(k, p)
        if held >= 0.0 and math.sqrt(dot(p, p)) <= mu * held:
            return (-p[0], -p[1], -p[2]), STICKS
    c = size / (mu * n) if mu > 0.0 else 1.0 / (viscous * n)
    low, high = 0.0, math.inf
    p = (0.0, 0.0, 0.0)
    for _ in range(ITERATIONS):
        p = inverse_times(A, c, b)  # with the sign of -p
        turn = inverse_times(A, c, p)  # its derivative by c is -turn
        normal, grows = n - dot(k, p), dot(k, turn)
        if mu > 0.0:
            pp = dot(p, p)
            slip = math.sqrt(c * c * pp + epsilon * epsilon)
            value = c * mu * normal - slip
            slope = mu * (normal + c * grows) - (c * pp - c * c * dot(p, turn)) / slip
        else:
            value, slope = c * viscous * normal - 1.0, viscous * (normal + c * grows)
        if value < 0.0:
            low = c
        else:
            high = c
        step = -value / slope if slope != 0.0 else math.inf
        if abs(step) <= 1e-9 * c:  # Newton squares the error
            c += step
            p = inverse_times(A, c, b)
            break
        c += step
        if not low < c < high:
            c = 0.5 * (low + high) if high < math.inf else 2.0 * low
        if high < math.inf and high - low <= 1e-15 * high:
            break
    return (-p[0], -p[1], -p[2]), SLIDES


# ---- rolling resistance -------------------------------------------------------------------------------
# A moment against the angular velocity, |M| <= μ_r Σ a P_N, with a the distance of each contact from the centre of
# mass: a ball rolls down no slope whose tangent is below μ_r. In percussion form (Tasora & Anitescu 2013; Acary &
# Bourrier 2021), as friction. It resists pivoting like rolling: a rock that spins on the spot comes to rest too. The
# moments of all contacts are against one angular velocity, so that they are one moment, which the first keeps. It is
# along the body's principal axes.


_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@formula
def resist(contacts: Array, n: int, mu: float, inertia: Inertia) -> None:
    """Give n filled contacts, at least one, their rolling resistance; see physics.contact.polyhedra.touching."""
    for i in range(n):
        contacts[i, ROLLING] = mu * math.sqrt(square_of_arm(contacts[i]))
    c = contacts[0]
    for k in range(3):
        c[MOMENT + k] = c[MOMENT_SHIFT + k] = 0.0
        turn = answer(*inertia, _AXES[k])
        for i in range(3):
            c[TURN + 3 * k + i] = turn[i]


@formula
def square_of_arm(c: Array) -> float:
    """|ρ|² [m²]: three levers of one arm, |ρ x d|², add up to twice as much."""
    squares = 0.0
    for m in range(9):
        squares += c[LEVER + m] * c[LEVER + m]
    return 0.5 * squares


@formula
def bound_of(contacts: Array, n: int) -> float:
    """The largest moment [N m s] with the normal percussions as they are."""
    bound = 0.0
    for i in range(n):
        bound += contacts[i, ROLLING] * contacts[i, PERCUSSION]
    return bound


@formula
def rolled(c: Array, bound: float, w: Vector) -> tuple[Vector, float]:
    """Angular velocity with the moment that the other percussions ask for; how far that moved, over the arm [N s].

    bound: of the moment [N m s].
    """
    t, p = TURN, (c[MOMENT], c[MOMENT + 1], c[MOMENT + 2])
    # the gyroscopic matrix makes the answers unsymmetric: their symmetric part is solved, the sweeps do the rest
    A = (
        c[t],
        c[t + 4],
        c[t + 8],
        0.5 * (c[t + 5] + c[t + 7]),
        0.5 * (c[t + 2] + c[t + 6]),
        0.5 * (c[t + 1] + c[t + 3]),
    )
    new = (0.0, 0.0, 0.0)
    if bound > 0.0:
        free = (
            w[0] + c[MOMENT_SHIFT] - A[0] * p[0] - A[5] * p[1] - A[4] * p[2],
            w[1] + c[MOMENT_SHIFT + 1] - A[5] * p[0] - A[1] * p[1] - A[3] * p[2],
            w[2] + c[MOMENT_SHIFT + 2] - A[4] * p[0] - A[3] * p[1] - A[2] * p[2],
        )
        new, _ = friction(A, free, bound, (0.0, 0.0, 0.0), 1.0, 0.0, 0.0)
    step = (new[0] - p[0], new[1] - p[1], new[2] - p[2])
    for k in range(3):
        c[MOMENT_STEP + k] = step[k]
    moved = math.sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2])
    return turned_by(c, step, w), moved / c[ROLLING]


@formula
def turned_by(c: Array, step: Vector, w: Vector) -> Vector:
    """Angular velocity after a moment [N m s] more, which the contact keeps."""
    t = TURN
    for k in range(3):
        c[MOMENT + k] += step[k]
    return (
        w[0] + step[0] * c[t] + step[1] * c[t + 3] + step[2] * c[t + 6],
        w[1] + step[0] * c[t + 1] + step[1] * c[t + 4] + step[2] * c[t + 7],
        w[2] + step[0] * c[t + 2] + step[1] * c[t + 5] + step[2] * c[t + 8],
    )


@formula
def change_of_step(c: Array) -> tuple[float, float]:
    """step.d and d.d of the last two steps of the moment, d their difference, over the arm squared [N² s²]."""
    along = size = 0.0
    for k in range(3):
        d = c[MOMENT_STEP + k] - c[MOMENT_STEP_BEFORE + k]
        along += c[MOMENT_STEP + k] * d
        size += d * d
    s = 1.0 / (c[ROLLING] * c[ROLLING])
    return s * along, s * size


@formula
def extrapolated(c: Array, back: float, w: Vector) -> Vector:
    """Angular velocity with the moment moved by that much of its way since the last sweep, see percussions."""
    m, b = MOMENT, MOMENT_BEFORE
    step = (back * (c[b] - c[m]), back * (c[b + 1] - c[m + 1]), back * (c[b + 2] - c[m + 2]))
    for k in range(3):
        c[MOMENT_BEFORE + k], c[MOMENT_STEP_BEFORE + k] = c[MOMENT + k], c[MOMENT_STEP + k]
    return turned_by(c, step, w)


@formula
def work_of_rolling(c: Array, w_before: Vector, w_next: Vector) -> float:
    """M.(ω^- + ω^+)/2 [J]."""
    work = 0.0
    for k in range(3):
        work += 0.5 * c[MOMENT + k] * (w_before[k] + w_next[k])
    return work


# ---- the law of slip and the law of impact ------------------------------------------------------------


@formula
def coefficient(law: SoilLaw, slip: float) -> float:
    """μ(s); slip [m]; of the laws of the soil mu_min, mu_max, kappa [1/m]."""
    return law.mu_min + 2.0 / math.pi * (law.mu_max - law.mu_min) * math.atan(law.kappa * slip)


@formula
def slipped(slip: float, dt: float, speed: float, fading: float, rubs: bool) -> float:
    """Slip [m] after dt [s]: more where the rock rubs at a speed [m/s], else less, by the factor exp(-beta dt)."""
    return slip + dt * speed if rubs else slip * fading


@formula
def restitution_of(law: SoilLaw, chance: float) -> float:
    """The restitution ε of an impact; of the laws of the soil restitution and scatter; chance: drawn for the impact."""
    if law.scatter > 0.0:
        return min(law.restitution * varied_by(law.scatter, chance), 1.0)
    return law.restitution


@formula
def rebound(law: SoilLaw, restitution: float, before: float) -> float:
    """Rebound velocity with the sign of the impact velocity [m/s]: a smaller share of fast impacts.

    ε v / (1 + (v/K)²), ε the restitution of this impact, and of the laws of the soil fading = 1/K²; K = 9.144 m/s in
    Pfeiffer & Bowen (1989), fading 0 where restitution does not fade.
    """
    return restitution * before / (1.0 + law.fading * before * before)
