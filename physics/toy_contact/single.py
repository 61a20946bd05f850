"""One contact for a step: the mean velocity on which its laws act.

Percussions act in the middle of a step and change velocities by twice what they change their means by. The contact
stays closed in the mean, so that its percussion does no work there; friction acts against the mean slip. What rolling
and contour friction do beside it is found block by block (Gauss-Seidel).
"""

from __future__ import annotations

from typing import NamedTuple

from physics.bodies.surface import Shape, contour_lever, support
from physics.contact.friction import friction
from physics.contact.vertices import axes_of
from physics.core.jit import formula
from physics.core.rotation import Quaternion, Vector, added, cross, dot, over

SWEEPS = 400
SLIP, ROLL, CONTOUR = 1, 2, 4  # bits: which of the frictions stick

Levers = tuple[Vector, Vector, Vector, Vector]


class Laws(NamedTuple):
    """Laws of the contact.

    mu : of Coulomb friction; spin_radius [m]: of Coulomb-Contensou friction, |(F, M_n / r_s)| <= μ N
    rolling_arm [m] : |M_t| <= arm N against the angular velocity along the plane
    contour : |F_c| <= μ_r N against the velocity with which the contact point wanders on the body
    viscous [s/m] : F = -c N γ in place of Coulomb friction
    regularisation [m/s] : ε of F = -μ N γ / sqrt(γ² + ε²); 0: set-valued
    restitution : of impacts
    """

    mu: float
    spin_radius: float
    rolling_arm: float
    contour: float
    viscous: float
    regularisation: float
    restitution: float


class Solid(NamedTuple):
    """The moving body: moments J [kg m²], mass [kg], surface, and largest half extent [m]."""

    J: Vector
    mass: float
    shape: Shape
    size: float


class RigidMotion(NamedTuple):
    """Place of the centre of mass [m], attitude, velocity [m/s], and angular velocity in the body [rad/s]."""

    r: Vector
    q: Quaternion
    v: Vector
    w: Vector


class Answer(NamedTuple):
    """Means of the velocities over the step, and what acted.

    pressed : half of the normal percussion [N s]
    work : of friction in the step [J]
    sticks : which of the frictions do, as bits
    """

    v: Vector
    w: Vector
    pressed: float
    work: float
    sticks: int


@formula
def levers(shape: Shape, q: Quaternion, spin_radius: float) -> tuple[Levers, Vector, Vector, Vector]:
    """Arms in the body, of normal velocity, of slip along x and y, of drilling; and the table's axes in the body."""
    R = axes_of(q)
    rho = support(shape, R[2])
    drill = (spin_radius * R[2][0], spin_radius * R[2][1], spin_radius * R[2][2])
    return (cross(rho, R[2]), cross(rho, R[0]), cross(rho, R[1]), drill), R[0], R[1], R[2]


@formula
def slip(arms: Levers, v: Vector, w: Vector) -> Vector:
    """Slip of the material contact point along x and y, and drilling times the spin radius [m/s]."""
    return (v[0] + dot(arms[1], w), v[1] + dot(arms[2], w), dot(arms[3], w))


@formula
def apart(x: Vector, y: Vector) -> float:
    """|x - y|²."""
    d = added(x, -1.0, y)
    return dot(d, d)


@formula
def contact_velocities(
    solid: Solid,
    arms: Levers,
    along: tuple[Vector, Vector, Vector],
    laws: Laws,
    v: Vector,
    w: Vector,
    shifts: tuple[Vector, Vector, Vector],
) -> Answer:
    """The mean velocities with the contact, from those without it.

    along: the table's axes in the body. shifts: what is taken from the mean slip, rolling and wandering before friction
    acts against it; half of the velocities before the step: then friction acts against the end velocities.
    """
    J, mass, shape, _ = solid
    ln, lx, ly, ls = arms
    jn, jx, jy, js = over(ln, J), over(lx, J), over(ly, J), over(ls, J)
    i = 1.0 / mass
    G = i + dot(ln, jn)
    g = (dot(lx, jn), dot(ly, jn), dot(ls, jn))
    k = (-g[0] / G, -g[1] / G, -g[2] / G)
    drills = laws.spin_radius > 0.0
    A = (
        i + dot(lx, jx) + g[0] * k[0],
        i + dot(ly, jy) + g[1] * k[1],
        dot(ls, js) + g[2] * k[2] if drills else 1.0,
        dot(ly, js) + g[1] * k[2],
        dot(lx, js) + g[0] * k[2],
        dot(lx, jy) + g[0] * k[1],
    )
    rolls, wanders = laws.rolling_arm > 0.0, laws.contour > 0.0
    t1, t2, _ = along
    c1 = c2 = (0.0, 0.0, 0.0)
    if wanders:
        c1, c2 = contour_lever(shape, along[2], t1), contour_lever(shape, along[2], t2)
    j1, j2, e1, e2 = over(t1, J), over(t2, J), over(c1, J), over(c2, J)
    B = (dot(t1, j1), dot(t2, j2), 1.0, 0.0, 0.0, dot(t1, j2))
    tiny = 1e-12 * (dot(c1, e1) + dot(c2, e2))  # the contour of an edge has one direction only
    C = (dot(c1, e1) + tiny, dot(c2, e2) + tiny, 1.0, 0.0, 0.0, dot(c1, e2))
    of_main = of_roll = of_contour = (0.0, 0.0, 0.0)
    p = x = y = nothing = (0.0, 0.0, 0.0)
    normal, main, roll, contour = 0.0, 0.0, 0.0, 0.0
    for _ in range(SWEEPS):
        last_main, last_roll, last_contour = of_main, of_roll, of_contour
        now = added(added(w, 1.0, of_roll), 1.0, of_contour)
        gap_rate = v[2] + dot(ln, now)
        if gap_rate >= 0.0:
            normal, p, main = 0.0, nothing, 0.0
        else:
            free = slip(arms, v, now)
            b = added(added(free, gap_rate, k), -1.0, shifts[0])
            p, main = friction(A, b, -gap_rate / G, k, laws.mu, laws.regularisation, laws.viscous)
            normal = -gap_rate / G + dot(k, p)
        of_main = added(added(added((normal * jn[0], normal * jn[1], normal * jn[2]), p[0], jx), p[1], jy), p[2], js)
        if not (rolls or wanders):
            break
        if normal <= 0.0:
            of_roll = of_contour = x = y = nothing
            break
        if rolls:
            now = added(added(w, 1.0, of_main), 1.0, of_contour)
            free = (dot(t1, now) - shifts[1][0], dot(t2, now) - shifts[1][1], 0.0)
            x, roll = friction(B, free, normal, nothing, laws.rolling_arm, 0.0, 0.0)
            of_roll = added((x[0] * j1[0], x[0] * j1[1], x[0] * j1[2]), x[1], j2)
        if wanders:
            now = added(added(w, 1.0, of_main), 1.0, of_roll)
            free = (dot(c1, now) - shifts[2][0], dot(c2, now) - shifts[2][1], 0.0)
            y, contour = friction(C, free, normal, nothing, laws.contour, 0.0, 0.0)
            of_contour = added((y[0] * e1[0], y[0] * e1[1], y[0] * e1[2]), y[1], e2)
        change = apart(of_main, last_main) + apart(of_roll, last_roll) + apart(of_contour, last_contour)
        if change <= 1e-30 * (dot(of_main, of_main) + dot(of_roll, of_roll) + dot(of_contour, of_contour)):
            break
    w = added(added(added(w, 1.0, of_main), 1.0, of_roll), 1.0, of_contour)
    v = (v[0] + i * p[0], v[1] + i * p[1], v[2] + i * normal)
    work = 2.0 * (
        dot(p, slip(arms, v, w)) + x[0] * dot(t1, w) + x[1] * dot(t2, w) + y[0] * dot(c1, w) + y[1] * dot(c2, w)
    )
    sticks = int(main) * SLIP + int(roll) * ROLL + int(contour) * CONTOUR
    return Answer(v, w, normal, work, sticks)


@formula
def wandering(shape: Shape, along: tuple[Vector, Vector, Vector], w: Vector) -> Vector:
    """The velocity of the contact point on the body along the table's axes x and y [m/s]."""
    u = along[2]
    return (dot(contour_lever(shape, u, along[0]), w), dot(contour_lever(shape, u, along[1]), w), 0.0)


@formula
def rolling(along: tuple[Vector, Vector, Vector], w: Vector) -> Vector:
    """The angular velocity along the table's axes x and y [rad/s]."""
    return (dot(along[0], w), dot(along[1], w), 0.0)
