"""Free rotation over a step, exact to rounding, without elliptic integrals.

The motion is that of physics.schemes.exact_momentum: in ordered axes the momentum has the direction

    u = (b cn τ, ± c sn τ, a dn τ),     τ = ω_p t + τ0,

and the attitude follows by an angle ψ about the spin, dψ/dt = L/I3 + (2E/L - L/I3)/(1 + u3). Periods and τ0 are
elliptic integrals, which take 500 ns of 700. A step needs neither. The addition theorems of sn, cn and dn (Abramowitz &
Stegun 1964, 16.17) take u from τ to τ + y with the functions of y alone. The same is true of ψ: over τ - y to τ + y, as
a function of τ, exp(iψ) is elliptic and even and has two zeros and two poles, hence it is a quotient of first degree
in dn τ:

    ψ(τ, y) = ψ(0, y) + 2 arg (dn τ - p)/(1 - p),     p = dn(y - i y0),     dn(i y0) = -1/a,
    ψ(0, 2y) = 2 ψ(y, y).

So the functions of a small y, by a power series, and ψ(0, y), by a quadrature of Gauss with six nodes, are doubled at
most twice. A longer step is made of equal parts, which share all this: 160 ns, and 20 for each further part. Steps of
one length that follow each other share it too, see ``keep``: they take 50 ns.

For |y| <= REACH/2 both err by less than rounding. The series is that of tanh in the worst case, and the first term left
out is 4e-17 of it. The integrand's next pole is at a distance of K' >= π/2 or more, so the quadrature errs by 9e-8
(0.3/1.57)^13 = 4e-17 of the turn. A part is so short that no denominator is below 0.7, whatever the modulus.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Vector, product, renormalised
from physics.schemes.exact_momentum import order, restored

REACH = 0.3  # of 2 y at first
DOUBLINGS = 2  # at most
PART = REACH * 2**DOUBLINGS  # of 2 y of a part
PARTS = 8  # at most
# nodes on (0, 1) and weights of the pairs; Abramowitz & Stegun (1964), table 25.4
_NODES = (0.2386191860831969, 0.6612093864662645, 0.9324695142031519)
_WEIGHTS = (0.46791393457269104, 0.3607615730481387, 0.17132449237917027)


class Part(NamedTuple):
    """What parts of one length on one curve have in common.

    first, middle : the ordered axes, see physics.schemes.exact_momentum
    flips : the signs of the components along them
    speeds : size of the spin over the ordered moments [rad/s]
    top : a
    half : sn, cn and dn of half of a part
    curve : see ``further``
    level, slant : see ``turned_from``
    turn : exp(iψ(0, y)/2)
    parts : of a step
    """

    first: int
    middle: int
    flips: Vector
    speeds: Vector
    top: float
    half: Vector
    curve: Quaternion
    level: float
    slant: float
    turn: tuple[float, float]
    parts: int


_NOTHING = (0.0, 0.0, 0.0)
NO_PART = Part(0, 0, _NOTHING, _NOTHING, 0.0, _NOTHING, (0.0, 0.0, 0.0, 0.0), 0.0, 0.0, (0.0, 0.0), 0)
KEPT = 21  # numbers of a part


@formula
def series(m: float) -> tuple[float, float, float, float, float, float, float]:
    """The coefficients of y³ to y¹⁵ in sn(y | m)."""
    return (
        -(1.0 + m) / 6.0,
        (1.0 + m * (14.0 + m)) / 120.0,
        -(1.0 + m * (135.0 + m * (135.0 + m))) / 5040.0,
        (1.0 + m * (1228.0 + m * (5478.0 + m * (1228.0 + m)))) / 362880.0,
        -(1.0 + m * (11069.0 + m * (165826.0 + m * (165826.0 + m * (11069.0 + m))))) / 39916800.0,
        (1.0 + m * (99642.0 + m * (4494351.0 + m * (13180268.0 + m * (4494351.0 + m * (99642.0 + m)))))) / 6227020800.0,
        -(
            1.0
            + m
            * (
                896803.0
                + m * (116294673.0 + m * (834687179.0 + m * (834687179.0 + m * (116294673.0 + m * (896803.0 + m)))))
            )
        )
        / 1307674368000.0,
    )


@formula
def sine(c: tuple[float, float, float, float, float, float, float], y: float) -> float:
    """sn(y | m), |y| <= REACH/2; c: ``series`` of m."""
    t = y * y
    return y + y * t * (c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * (c[5] + t * c[6]))))))


@formula
def further(curve: Quaternion, f: Vector, u: Vector) -> Vector:
    """The direction u (3,) of the momentum in ordered axes after the argument whose sn, cn and dn are f.

    curve: ± b/c, its square, |A - B| C / (|B - C| A), and 1/a
    """
    sigma, ratio, g, i = curve
    sn, cn, dn = f
    below = 1.0 / (1.0 - g * ratio * (i * u[1] * sn) * (i * u[1] * sn))
    return (
        (u[0] * cn - sigma * i * u[1] * u[2] * sn * dn) * below,
        (u[1] * cn * dn + sigma / ratio * i * u[0] * u[2] * sn) * below,
        (u[2] * dn - sigma * i * g * u[0] * u[1] * sn * cn) * below,
    )


@formula
def unit(u: Vector) -> Vector:
    """A vector brought to length 1, which it has up to rounding."""
    s = 1.5 - 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    return (s * u[0], s * u[1], s * u[2])


@formula
def turned_from(middle: float, top: float, level: float, slant: float) -> tuple[float, float]:
    """(u3 - a p) over (a - a p), up to a positive factor, as a complex number of the argument ψ(τ, y)/2 - ψ(0, y)/2.

    middle: u3 = a dn τ; top: a; level and slant: the real part and the imaginary part of -a p
    """
    return (middle + level) * (top + level) + slant * slant, slant * (top - middle)


@formula
def parted(J: Vector, h: float, w: Vector) -> tuple[bool, Part, Vector]:
    """Whether the step h [s] is not too long, a part of it, and the direction (3,) of the momentum in ordered axes.

    Of a body with three different moments J [kg m²]. A body that turns about a principal axis, or is at rest, needs no
    exception; whatever is no number is left to others.
    """
    p = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    if not 1e-200 < square < 1e200:
        return False, NO_PART, w
    L = math.sqrt(square)
    d = (p[0] / L, p[1] / L, p[2] / L)
    (first, middle, last), (f1, f2, f3) = order(J, d)
    A, B, C = J[first], J[middle], J[last]
    x1, x2, x3 = f1 * d[first], f2 * d[middle], f3 * d[last]
    ratio = A * (B - C) / (B * (A - C))  # (b/c)²
    a = math.sqrt(x3 * x3 + x2 * x2 * (C * (B - A) / (B * (C - A))))
    i = 1.0 / a
    length = abs(L * h / C * a * math.sqrt((C - A) * (C - B) / (A * B)))  # of τ
    if not length <= PARTS * PART:
        return False, NO_PART, w
    parts = max(1, math.ceil(length / PART))
    y, t = 0.5 * length / parts, h / parts
    doublings = 0
    while y > 0.5 * REACH:
        y, t, doublings = 0.5 * y, 0.5 * t, doublings + 1
    y = math.copysign(y, h)

    # the functions of y, and exp(iψ(0, y)/2) = re + i im
    g = abs(A - B) * C / (abs(B - C) * A)
    square = x1 * x1 + x2 * x2 * ratio  # b²
    wide = square * i * i  # (b/a)²
    m = g * wide  # k²
    c = series(m)
    turn = 0.0
    for n in range(3):
        sn = sine(c, _NODES[n] * y)
        turn += _WEIGHTS[n] / (1.0 + a * math.sqrt(1.0 - m * sn * sn))
    energy = (p[0] * w[0] + p[1] * w[1] + p[2] * w[2]) / L
    psi = 0.5 * t * (L / C + (energy - L / C) * turn)
    re, im = math.cos(psi), math.sin(psi)
    root = math.sqrt(ratio)
    sigma = root if C > B else -root
    slope = math.copysign(square * i * math.sqrt(1.0 + g), sigma)
    sn = sine(c, y)
    cn, dn = math.sqrt(1.0 - sn * sn), math.sqrt(1.0 - m * sn * sn)
    for _ in range(doublings):  # 1 - cn and 1 - dn without cancellation (A & S, 16.18)
        t = sn * sn
        below = 1.0 / (1.0 + wide * t)
        x, z = turned_from(a * dn, a, dn * below, slope * sn * cn * below)
        re, im = re * x - im * z, re * z + im * x
        below = 1.0 / (x * x + z * z)
        re, im = (re * re - im * im) * below, 2.0 * re * im * below
        below = 2.0 / (1.0 - m * t * t)
        sn, cn, dn = sn * cn * dn * below, 1.0 - t * dn * dn * below, 1.0 - m * t * cn * cn * below

    below = 1.0 / (1.0 + wide * sn * sn)
    level, slant = dn * below, slope * sn * cn * below
    speeds = (L / A, L / B, L / C)
    half, curve = (sn, cn, dn), (sigma, ratio, g, i)
    part = Part(first, middle, (f1, f2, f3), speeds, a, half, curve, level, slant, (re, im), parts)
    return True, part, (x1, x2, x3)


@formula
def moved(part: Part, start: Vector) -> tuple[Quaternion, Vector, Vector]:
    """The turn over a step, the direction of the momentum after it and the angular velocity [rad/s] there.

    start: the direction (3,) of the momentum in ordered axes before.
    """
    end, turned = start, (1.0, 0.0)
    re, im = part.turn
    for _ in range(part.parts):
        between = further(part.curve, part.half, end)
        end = unit(further(part.curve, part.half, between))  # else rounding grows from part to part
        x, z = turned_from(between[2], part.top, part.level, part.slant)
        x, z = re * x - im * z, re * z + im * x
        turned = (turned[0] * x - turned[1] * z, turned[0] * z + turned[1] * x)
    # back from the first direction to e3, on by ψ, and to the last: in ordered axes, up to its length
    r = product((1.0 + start[2], -start[1], start[0], 0.0), (turned[0], 0.0, 0.0, turned[1]))
    r = product(r, (1.0 + end[2], end[1], -end[0], 0.0))
    s = 1.0 / math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3])
    f, g = part.flips, part.speeds
    v = restored(part.first, part.middle, (f[0] * s * r[1], f[1] * s * r[2], f[2] * s * r[3]))
    speed = restored(part.first, part.middle, (f[0] * g[0] * end[0], f[1] * g[1] * end[1], f[2] * g[2] * end[2]))
    return (s * r[0], v[0], v[1], v[2]), end, speed


@formula
def keep(part: Part, memory: Array) -> None:
    """Write a part into memory (KEPT,)."""
    memory[0], memory[1], memory[2], memory[3] = part.first, part.middle, part.parts, part.top
    memory[4], memory[5], memory[6] = part.flips
    memory[7], memory[8], memory[9] = part.speeds
    memory[10], memory[11], memory[12] = part.half
    memory[13], memory[14], memory[15], memory[16] = part.curve
    memory[17], memory[18] = part.level, part.slant
    memory[19], memory[20] = part.turn


@formula
def kept(memory: Array) -> Part:
    """The part that ``keep`` wrote."""
    return Part(
        int(memory[0]),
        int(memory[1]),
        (memory[4], memory[5], memory[6]),
        (memory[7], memory[8], memory[9]),
        memory[3],
        (memory[10], memory[11], memory[12]),
        (memory[13], memory[14], memory[15], memory[16]),
        memory[17],
        memory[18],
        (memory[19], memory[20]),
        int(memory[2]),
    )


@formula
def rotated(J: Vector, h: float, q: Quaternion, w: Vector) -> tuple[bool, Quaternion, Vector]:
    """Whether ``parted`` holds, and the attitude and angular velocity [rad/s] after the step h [s]."""
    good, part, start = parted(J, h, w)
    if not good:
        return False, q, w
    turn, _, speed = moved(part, start)
    return True, renormalised(product(q, turn)), speed
