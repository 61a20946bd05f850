"""Contact of a polyhedron with the ground: which vertices touch, and the percussions that stop and rub them.

Gaps are vertical and boolean (Leine et al. 2014, section 3.5): a vertex below the bilinear ground is in contact,
nothing is pushed back in position. Percussions obey Signorini's law with Newton's impact law and Coulomb's friction on
velocity level, solved contact by contact (projected Gauss-Seidel with proximal points).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import maximum_filter

from physics.compiled import formula
from physics.rotation import Array, Quaternion, Vector, cross, dot, rotate
from physics.schemes.explicit import solve
from physics.terrain import patch

SWEEPS = 1000  # Gauss-Seidel sweeps before a step is counted as not solved
TOLERANCE = 1e-9  # largest last change of a percussion, over the mass [m/s] or the largest percussion [1]

# One contact is a row of numbers: three directions n, t1, t2, each with its inertial vector (3), its lever arm in the
# body frame (3) and the answer of the angular velocity to a unit percussion (3); then percussions and constants.
LEVER, ANSWER, PERCUSSION, INVERSE_N, INVERSE_T, APPROACH, SLIDE, WIDTH = 9, 18, 27, 30, 31, 32, 33, 35


def ceiling(heights: Array, cell: tuple[float, float], radius: float) -> Array:
    """(ny, nx) highest ground [m] within a body's radius [m] of each cell: one look-up rules out contact."""
    reach = [2 * (math.ceil(radius / d) + 1) + 1 for d in (cell[1], cell[0])]
    return np.ascontiguousarray(maximum_filter(heights, size=reach, mode="nearest"))


@formula
def flies(ceilings: Array, dx: float, dy: float, r: Vector, radius: float) -> bool:
    """Whether the sphere around the body is above all ground below it."""
    ny, nx = ceilings.shape
    i = min(max(int(r[0] / dx), 0), nx - 1)
    j = min(max(int(r[1] / dy), 0), ny - 1)
    return bool(r[2] - radius > ceilings[j, i])


@formula
def touching(
    heights: Array,
    dx: float,
    dy: float,
    vertices: Array,
    r: Vector,
    q: Quaternion,
    J: Vector,
    g: Vector,
    mass: float,
    contacts: Array,
) -> int:
    """Fill ``contacts`` with the vertices at or below the ground at position r and attitude q; their number.

    J and g: the matrix Θ + hat(g) that answers torques; mass: the mass that answers forces [kg].
    """
    n = 0
    for v in range(vertices.shape[0]):
        rho = (vertices[v, 0], vertices[v, 1], vertices[v, 2])
        arm = rotate(q, rho)
        x, y = r[0] + arm[0], r[1] + arm[1]
        z, a, b = patch(heights, dx, dy, x, y)
        if r[2] + arm[2] - z > 0.0:
            continue
        s = 1.0 / math.sqrt(a * a + b * b + 1.0)
        normal = (a * s, b * s, s)
        # t1 is normal to the horizontal inertial axis that is farther from n
        axis = (1.0, 0.0, 0.0) if abs(normal[0]) <= abs(normal[1]) else (0.0, 1.0, 0.0)
        t1 = cross(axis, normal)
        s = 1.0 / math.sqrt(dot(t1, t1))
        t1 = (t1[0] * s, t1[1] * s, t1[2] * s)
        t2 = cross(normal, t1)
        _fill(contacts[n], 0, normal, rho, q, J, g)
        _fill(contacts[n], 1, t1, rho, q, J, g)
        _fill(contacts[n], 2, t2, rho, q, J, g)
        _weigh(contacts[n], mass)
        n += 1
    return n


@formula
def _fill(c: Array, k: int, d: Vector, rho: Vector, q: Quaternion, J: Vector, g: Vector) -> None:
    """Direction k of a contact: w = (d, rho x A^T d) (Leine et al. 2014), and (Θ + hat(g))^-1 of its lever."""
    body = rotate((q[0], -q[1], -q[2], -q[3]), d)
    lever = cross(rho, body)
    answer = solve(J, g, lever)
    for i in range(3):
        c[3 * k + i] = d[i]
        c[LEVER + 3 * k + i] = lever[i]
        c[ANSWER + 3 * k + i] = answer[i]


@formula
def _delassus(c: Array, i: int, j: int, mass: float) -> float:
    """Entry (i, j) of the contact's own 3 x 3 block of the Delassus matrix [1/kg]."""
    total = 1.0 / mass if i == j else 0.0
    for m in range(3):
        total += c[LEVER + 3 * i + m] * c[ANSWER + 3 * j + m]
    return total


@formula
def _weigh(c: Array, mass: float) -> None:
    """Step lengths of the proximal points: 1/G_NN, and one over the largest eigenvalue of the tangential block."""
    c[INVERSE_N] = 1.0 / _delassus(c, 0, 0, mass)
    a, d = _delassus(c, 1, 1, mass), _delassus(c, 2, 2, mass)
    b = 0.5 * (_delassus(c, 1, 2, mass) + _delassus(c, 2, 1, mass))
    c[INVERSE_T] = 1.0 / (0.5 * (a + d) + math.sqrt(0.25 * (a - d) * (a - d) + b * b))
    c[PERCUSSION] = c[PERCUSSION + 1] = c[PERCUSSION + 2] = 0.0


@formula
def speed(c: Array, k: int, v: Vector, w: Vector) -> float:
    """Velocity of the contact point along direction k [m/s]."""
    total = 0.0
    for m in range(3):
        total += c[3 * k + m] * v[m] + c[LEVER + 3 * k + m] * w[m]
    return total


@formula
def _push(c: Array, k: int, p: float, mass: float, v: Vector, w: Vector) -> tuple[Vector, Vector]:
    """Velocities after a percussion p [N s] along direction k."""
    a, b = 3 * k, ANSWER + 3 * k
    f = p / mass
    return (
        (v[0] + f * c[a], v[1] + f * c[a + 1], v[2] + f * c[a + 2]),
        (w[0] + p * c[b], w[1] + p * c[b + 1], w[2] + p * c[b + 2]),
    )


@formula
def percussions(
    contacts: Array,
    n: int,
    mu: float,
    restitution: float,
    mass: float,
    v: Vector,
    w: Vector,
    v_before: Vector,
    w_before: Vector,
    quantum: float,
) -> tuple[Vector, Vector, bool]:
    """Velocities after the percussions, and whether they were solved to TOLERANCE.

    v, w: the velocities without contact; v_before, w_before: those that the step starts with, for Newton's law and
    for the work of the percussions, P.(γ^- + γ^+)/2 summed over the contacts. Friction opposes the sliding at the end
    of the step, as in the papers. In a slow pivot that can do work, because gravity acts within the step: such a
    step is solved again with friction against the mean sliding of the step, whose work is never positive.
    ``quantum``: m (g h)², the scale of that work [J].
    """
    for i in range(n):
        before = speed(contacts[i], 0, v_before, w_before)
        # a vertex that leaves and is drawn back within the step is held at -γ^-: its percussion does no work
        contacts[i, APPROACH] = restitution * before if before < 0.0 else before
        contacts[i, SLIDE] = contacts[i, SLIDE + 1] = 0.0
    v_next, w_next, solved = _gauss_seidel(contacts, n, mu, mass, v, w)
    work = 0.0
    for i in range(n):
        for k in range(3):
            mean = 0.5 * (speed(contacts[i], k, v_before, w_before) + speed(contacts[i], k, v_next, w_next))
            work += contacts[i, PERCUSSION + k] * mean
    if work <= 1e-7 * quantum:
        return v_next, w_next, solved
    for i in range(n):
        contacts[i, SLIDE] = speed(contacts[i], 1, v_before, w_before)
        contacts[i, SLIDE + 1] = speed(contacts[i], 2, v_before, w_before)
        contacts[i, PERCUSSION] = contacts[i, PERCUSSION + 1] = contacts[i, PERCUSSION + 2] = 0.0
    return _gauss_seidel(contacts, n, mu, mass, v, w)


@formula
def _gauss_seidel(contacts: Array, n: int, mu: float, mass: float, v: Vector, w: Vector) -> tuple[Vector, Vector, bool]:
    """Contact by contact: 0 <= P_N complementary to γ_N + approach >= 0; |P_T| <= μ P_N against γ_T + slide."""
    change = largest = 0.0
    for sweep in range(SWEEPS):
        # friction above one couples normal and tangential percussions so strongly that full steps may go round in
        # circles; shorter steps settle
        relax = 1.0 if sweep < 200 else 0.3
        change = 0.0
        for i in range(n):
            c = contacts[i]
            normal = max(0.0, c[PERCUSSION] - relax * c[INVERSE_N] * (speed(c, 0, v, w) + c[APPROACH]))
            step = normal - c[PERCUSSION]
            c[PERCUSSION] = normal
            v, w = _push(c, 0, step, mass, v, w)
            change = max(change, abs(step))
            x = c[PERCUSSION + 1] - relax * c[INVERSE_T] * (speed(c, 1, v, w) + c[SLIDE])
            y = c[PERCUSSION + 2] - relax * c[INVERSE_T] * (speed(c, 2, v, w) + c[SLIDE + 1])
            size, most = math.sqrt(x * x + y * y), mu * normal
            if size > most:
                x, y = x * most / size, y * most / size
            step1, step2 = x - c[PERCUSSION + 1], y - c[PERCUSSION + 2]
            c[PERCUSSION + 1], c[PERCUSSION + 2] = x, y
            v, w = _push(c, 1, step1, mass, v, w)
            v, w = _push(c, 2, step2, mass, v, w)
            change = max(change, abs(step1), abs(step2))
            largest = max(largest, normal)
        if change <= TOLERANCE * max(mass, largest):
            return v, w, True
    return v, w, False
