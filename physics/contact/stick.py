"""Stick: several contacts that are all held, by one linear system in place of sweeps.

An edge or a face on the ground sticks in nineteen steps of twenty, where sweeps from contact to contact took ten rounds
to a tolerance. What holds an edge or a face is not unique: the least percussions are found, by the method of
multipliers. A turn of it leaves about a millionth of what is wrong, so that two are as good as rounding. Of 112 000
solves of 120 rocks that were held so, sweeps came to the same velocities in all, to 5e-7 m/s, their own tolerance.
"""

from __future__ import annotations

from physics.contact.fallback import TOLERANCE
from physics.contact.vertices import APPROACH, LEVER, PERCUSSION, ROLLING, Rows, push, speed
from physics.core.jit import formula
from physics.core.rotation import Array, Symmetric, Vector, cross, dot

STIFFNESS = 1e6  # times the mass: what a multiplier grows by, over the velocity that is left
TURNS = 2


@formula
def stuck(
    contacts: Array, n: int, mu: float, mass: float, S: Symmetric, g: Vector, v: Vector, w: Vector
) -> tuple[Vector, Vector, bool]:
    """Velocities after percussions that hold all contacts, and whether these obey Signorini's and Coulomb's laws.

    v, w: the velocities without percussions, which are zero; S and g: the matrix S + hat(g) that answers torques.
    Where the laws are not obeyed, or a contact resists rolling, the percussions stay zero.

    Held contacts end with γ = W^T u = -(approach, slide), W their directions and levers. A turn of the multipliers,
    P -> P - s m (γ' - γ), takes the velocity u' at which (W W^T + M / (s m)) (u' - u) = -W (γ(u) - γ). As the
    directions of a contact are those of axes, the rows of v are solved by dividing, and 3 x 3 numbers are left.
    """
    soft = 1.0 / (STIFFNESS * mass)
    share = 1.0 / (n + soft * mass)
    b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)  # sum of directions times levers
    a = (
        (soft * S[0], soft * (S[3] - g[2]), soft * (S[4] + g[1])),
        (soft * (S[3] + g[2]), soft * S[1], soft * (S[5] - g[0])),
        (soft * (S[4] - g[1]), soft * (S[5] + g[0]), soft * S[2]),
    )
    for i in range(n):
        if contacts[i, ROLLING] > 0.0:
            return v, w, False
        for k in range(3):
            d, lever = _three(contacts[i], 3 * k), _three(contacts[i], LEVER + 3 * k)
            b, a = _with_product(b, d, lever), _with_product(a, lever, lever)
    for k in range(3):
        a = _with_product(a, (-share * b[k][0], -share * b[k][1], -share * b[k][2]), b[k])
    c = cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])  # over the determinant, the columns of the inverse
    over = 1.0 / dot(a[0], c[0])
    v_held, w_held = v, w
    for _ in range(TURNS):
        f = t = (0.0, 0.0, 0.0)
        for i in range(n):
            for k in range(3):
                left = _left(contacts[i], k, v_held, w_held)
                f = _plus(f, left, _three(contacts[i], 3 * k))
                t = _plus(t, left, _three(contacts[i], LEVER + 3 * k))
        for k in range(3):
            t = _plus(t, -share * f[k], b[k])
        turn = _plus(_plus(_plus((0.0, 0.0, 0.0), -over * t[0], c[0]), -over * t[1], c[1]), -over * t[2], c[2])
        move = f[0] + dot(b[0], turn), f[1] + dot(b[1], turn), f[2] + dot(b[2], turn)
        v_soft, w_soft = _plus(v_held, -share, move), _plus(w_held, 1.0, turn)
        sound = True
        for i in range(n):
            for k in range(3):
                step = -STIFFNESS * mass * _left(contacts[i], k, v_soft, w_soft)
                contacts[i, PERCUSSION + k] += step
                v_held, w_held = push(contacts[i], k, step, mass, v_held, w_held)
            sound = sound and _in_cone(contacts[i], mu)
        if not sound:
            break
    if sound and _most_left(contacts, n, v_held, w_held) <= TOLERANCE:
        return v_held, w_held, True
    for i in range(n):
        contacts[i, PERCUSSION] = contacts[i, PERCUSSION + 1] = contacts[i, PERCUSSION + 2] = 0.0
    return v, w, False


@formula
def _left(c: Array, k: int, v: Vector, w: Vector) -> float:
    """What is left of a velocity that is to be held [m/s]; its aims follow each other: SLIDE is APPROACH + 1."""
    return float(speed(c, k, v, w) + c[APPROACH + k])


@formula
def _most_left(contacts: Array, n: int, v: Vector, w: Vector) -> float:
    most = 0.0
    for i in range(n):
        for k in range(3):
            most = max(most, abs(_left(contacts[i], k, v, w)))
    return most


@formula
def _in_cone(c: Array, mu: float) -> bool:
    x, y, most = c[PERCUSSION + 1], c[PERCUSSION + 2], mu * c[PERCUSSION]
    return bool(most >= 0.0 and x * x + y * y <= most * most)


@formula
def _three(c: Array, first: int) -> Vector:
    return c[first], c[first + 1], c[first + 2]


@formula
def _plus(a: Vector, s: float, b: Vector) -> Vector:
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


@formula
def _with_product(a: Rows, x: Vector, y: Vector) -> Rows:
    """a + x y^T."""
    return _plus(a[0], x[0], y), _plus(a[1], x[1], y), _plus(a[2], x[2], y)
