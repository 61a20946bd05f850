"""Free rotation over a short step, exact to rounding, without setting up an elliptic curve.

The motion is that of physics.schemes.exact_momentum: in ordered axes the momentum has the direction

    u = (b cn τ, ± c sn τ, a dn τ),     τ = ω_p t + τ0,

and the attitude follows by an angle ψ about the spin, dψ/dt = (2E/L + u3 L/I3)/(1 + u3). Periods and τ0 are elliptic
integrals, which take 500 ns of 670. A short step needs neither. The addition theorems of sn, cn and dn (Abramowitz &
Stegun 1964, 16.17) take u from τ to τ + v with the functions of v = ω_p h alone, which a power series gives. ψ is a
quadrature of Gauss with six nodes around the middle of the step. That takes 160 ns.

For |v| <= REACH both err by less than rounding. The series is that of tanh in the worst case, and the first term left
out is 4e-17 of it. The integrand's next pole is at a distance of K' >= π/2 or more, so the quadrature errs by 9e-8
(0.3/1.57)^13 = 4e-17 of the turn.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Quaternion, Vector, product, renormalised
from physics.schemes.exact_momentum import order, restored

REACH = 0.3  # of v
# nodes on (0, 1) and weights of the pairs; Abramowitz & Stegun (1964), table 25.4
_NODES = (0.2386191860831969, 0.6612093864662645, 0.9324695142031519)
_WEIGHTS = (0.46791393457269104, 0.3607615730481387, 0.17132449237917027)


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
def functions(c: tuple[float, float, float, float, float, float, float], m: float, y: float) -> Vector:
    """sn, cn and dn of y, |y| <= REACH/2, for the parameter m = k²; c: ``series`` of m."""
    t = y * y
    sn = y + y * t * (c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * (c[5] + t * c[6]))))))
    square = sn * sn
    return sn, math.sqrt(1.0 - square), math.sqrt(1.0 - m * square)


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
def rotated(J: Vector, h: float, q: Quaternion, w: Vector) -> tuple[bool, Quaternion, Vector]:
    """Whether the step h [s] is short enough, and the attitude and angular velocity [rad/s] after it.

    Of a body with three different moments J [kg m²]. A body that turns about a principal axis, or is at rest, needs no
    exception; whatever is no number is left to others.
    """
    p = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    if not 1e-200 < square < 1e200:
        return False, q, w
    L = math.sqrt(square)
    d = (p[0] / L, p[1] / L, p[2] / L)
    (first, middle, last), (f1, f2, f3) = order(J, d)
    A, B, C = J[first], J[middle], J[last]
    x1, x2, x3 = f1 * d[first], f2 * d[middle], f3 * d[last]
    ratio = A * (B - C) / (B * (A - C))  # (b/c)²
    square = x3 * x3 + x2 * x2 * (C * (B - A) / (B * (C - A)))  # a²
    i = 1.0 / math.sqrt(square)  # 1/a
    rate = L / (i * C) * math.sqrt((C - A) * (C - B) / (A * B))
    if not abs(rate * h) <= REACH:
        return False, q, w
    # k² in terms of these: (b/a)² |A - B| C / (|B - C| A)
    g = abs(A - B) * C / (abs(B - C) * A)
    m = g * i * i * (x1 * x1 + x2 * x2 * ratio)
    root = math.sqrt(ratio)
    sigma = root if C > B else -root
    c = series(m)
    y = 0.5 * rate * h
    half, curve, start = functions(c, m, y), (sigma, ratio, g, i), (x1, x2, x3)
    x1, x2, x3 = further(curve, half, start)
    # the quadrature around the middle: dψ/dt = K + (E - K)/(1 + u3)
    energy = (p[0] * w[0] + p[1] * w[1] + p[2] * w[2]) / L
    rest, slow = L / C, energy - L / C
    change, kept = x1 * x2 * sigma * g * i, g * ratio * i * i * x2 * x2
    turn = 0.0
    for n in range(3):
        sn, cn, dn = functions(c, m, _NODES[n] * y)
        below = 1.0 - kept * sn * sn
        even, odd = below + x3 * dn, change * sn * cn
        turn += _WEIGHTS[n] * below * even / (even * even - odd * odd)
    psi = 0.5 * h * (rest + slow * turn)
    end = further(curve, half, (x1, x2, x3))
    # back from the first direction to e3, on by ψ, and to the second: in ordered axes, up to its length
    r = product((1.0 + start[2], -start[1], start[0], 0.0), (math.cos(psi), 0.0, 0.0, math.sin(psi)))
    r = product(r, (1.0 + end[2], end[1], -end[0], 0.0))
    s = 1.0 / math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3])
    v = restored(first, middle, (f1 * s * r[1], f2 * s * r[2], f3 * s * r[3]))
    speed = restored(first, middle, (f1 * L / A * end[0], f2 * L / B * end[1], f3 * L / C * end[2]))
    return True, renormalised(product(q, (s * r[0], v[0], v[1], v[2]))), speed
