"""Free rotation of a rigid body, exact to rounding: momentum and attitude after a step (Gustafsson 2010, section 4.1).

The principal axes are put in an order in which the momentum u (of length 1) reads

    u = (b cn τ, ± c sn τ, a dn τ),     τ = ω_p t + τ0,   a > 0,

so that its last component keeps its sign, whatever the body. sn, cn and dn come from theta functions: in the nome q
when k² <= 1/2 and, by Jacobi's imaginary transformation, in the complementary nome when k² > 1/2. Both nomes are at
most 0.0433, so a few terms give all digits, on the separatrix (k = 1, infinite period) as elsewhere. Amplitudes are
sums of terms of one sign, and 1 - k² is computed in numbers of two parts, so that nothing cancels. Times are those
since the start, never added up: rounding errors stay those of the phase.

The attitude follows by an angle ψ about the spin, dψ/dt = L/I3 + (2E/L - L/I3)/(1 + u3). Periods and τ0 are
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
from physics.core.rotation import Array, Quaternion, Vector, exp_half, product, renormalised

STEADY, SMALL, LARGE = 0.0, 1.0, 2.0  # kinds of motion: steady rotation; k² <= 1/2; k² > 1/2

# layout of the constants: scalars, then vectors by their first place
KIND, RATE, TAU0, PERIOD, KAPPA, BETA, NOME, SIGMA, SPIN, SLOPE, LAST = range(11)
AMPLITUDE, MOMENT, AXIS, FLIP, OMEGA, SERIES, SIZE = 11, 14, 17, 20, 23, 26, 38


# ---- elliptic integrals -------------------------------------------------------------------------------


@formula
def agm(a: float, b: float) -> float:
    """Arithmetic-geometric mean; K = π / (2 agm(1, k'))."""
    while abs(a - b) > 1e-15 * a:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return 0.5 * (a + b)


@formula
def carlson_rf(x: float, y: float, z: float) -> float:
    """R_F(x, y, z) by duplication (Carlson 1995, Numerical Algorithms 10, 13)."""
    for _ in range(500):  # some ten in practice; what is no number never gets near
        mean = (x + y + z) / 3.0
        dx, dy, dz = 1.0 - x / mean, 1.0 - y / mean, 1.0 - z / mean
        if max(abs(dx), abs(dy), abs(dz)) < 1e-3:
            e2, e3 = dx * dy - dz * dz, dx * dy * dz
            return (1.0 + (e2 / 24.0 - 0.1 - 3.0 * e3 / 44.0) * e2 + e3 / 14.0) / math.sqrt(mean)
        step = math.sqrt(x * y) + math.sqrt(y * z) + math.sqrt(z * x)
        x, y, z = 0.25 * (x + step), 0.25 * (y + step), 0.25 * (z + step)
    return math.nan


@formula
def first_kind(sine: float, cosine: float, complement: float) -> float:
    """F(φ, k), |φ| <= π/2, from any multiple of sin φ and cos φ and the complementary modulus."""
    if sine == 0.0:
        return 0.0
    size = math.hypot(sine, cosine)
    s, c = sine / size, cosine / size
    return s * carlson_rf(c * c, c * c + (complement * s) * (complement * s), 1.0)


# ---- setting up ---------------------------------------------------------------------------------------


@formula
def set_up(J: Vector, w: Vector, s: Array) -> None:
    """Fill the constants s (SIZE) for the moments J [kg m²] and the angular velocity w [rad/s] at the start."""
    s[KIND] = STEADY
    s[OMEGA], s[OMEGA + 1], s[OMEGA + 2] = w
    spin = math.hypot(math.hypot(J[0] * w[0], J[1] * w[1]), J[2] * w[2])
    s[SPIN] = spin
    if spin == 0.0:
        return
    # a component whose square underflows would take 350 e-foldings to be seen
    x, y, z = J[0] * w[0] / spin, J[1] * w[1] / spin, J[2] * w[2] / spin
    x, y, z = x if abs(x) > 1e-150 else 0.0, y if abs(y) > 1e-150 else 0.0, z if abs(z) > 1e-150 else 0.0
    if (J[1] - J[2]) * y * z == 0.0 and (J[2] - J[0]) * z * x == 0.0 and (J[0] - J[1]) * x * y == 0.0:
        return  # Euler's equations stand still: about a principal axis, or a body without preferred axes
    excess, size = _excess(J, (w[0] if x else 0.0, w[1] if y else 0.0, w[2] if z else 0.0))
    u = _order(J, (x, y, z), excess, s)
    A, B, C = s[MOMENT], s[MOMENT + 1], s[MOMENT + 2]
    ratio = A * (B - C) / (B * (A - C))
    m1 = u[0] * u[0] + u[1] * u[1] * ratio
    m3 = u[2] * u[2] + u[1] * u[1] * C * (B - A) / (B * (C - A))
    a, b, c = math.sqrt(m3), math.sqrt(m1), math.sqrt(m1 / ratio)
    inner, outer = abs(A - B) * C, abs(B - C) * A
    k = b / a * math.sqrt(inner / outer)
    complement = math.sqrt(abs(excess) * C / abs(B - C)) / (size * a)
    sigma = 1.0 if C > B else -1.0
    s[SIGMA], s[RATE] = sigma, a * spin / C * math.sqrt((C - A) * (C - B) / (A * B))
    s[AMPLITUDE], s[AMPLITUDE + 1], s[AMPLITUDE + 2] = b, sigma * c, a
    s[LAST] = a
    s[TAU0] = first_kind(sigma * u[1] / c, u[0] / b, complement)
    if k <= complement:
        _small_modulus(s, a, b, k, complement)
    else:
        _large_modulus(s, a, b, k, complement)


@formula
def _rising(J: Vector) -> tuple[int, int, int]:
    """The axes of the least, the intermediate and the largest moment."""
    low, middle, high = 0, 1, 2
    if J[low] > J[middle]:
        low, middle = middle, low
    if J[middle] > J[high]:
        middle, high = high, middle
    if J[low] > J[middle]:
        low, middle = middle, low
    return low, middle, high


@formula
def order(J: Vector, u: Vector) -> tuple[tuple[int, int, int], Vector]:
    """The ordered axes, and the signs of the components of u along them.

    The component along the last axis keeps its sign, and is positive; that along the first is positive at the start;
    the ordered axes are right-handed.
    """
    low, middle, high = _rising(J)
    below, above = J[middle] - J[low], J[high] - J[middle]
    return _ordered(J, u, u[low] * u[low] * below / J[low] - u[high] * u[high] * above / J[high])


@formula
def _ordered(J: Vector, u: Vector, excess: float) -> tuple[tuple[int, int, int], Vector]:
    """The same, by a positive multiple of 2E B/L² - 1, B the intermediate moment: the side of the separatrix."""
    low, middle, high = _rising(J)
    first, last = low, high
    if excess > 0.0 or (excess == 0.0 and J[high] == J[middle]):  # a body with equal moments has its own axis last
        first, last = high, low
    f1, f3 = 1.0 if u[first] >= 0.0 else -1.0, 1.0 if u[last] >= 0.0 else -1.0
    f2 = f1 * f3 if (middle - first) % 3 == 1 else -f1 * f3
    return (first, middle, last), (f1, f2, f3)


@formula
def _order(J: Vector, u: Vector, excess: float, s: Array) -> Vector:
    """Store the order of the axes; u in it."""
    (first, middle, last), (f1, f2, f3) = _ordered(J, u, excess)
    s[AXIS], s[AXIS + 1], s[AXIS + 2] = first, middle, last
    s[FLIP], s[FLIP + 1], s[FLIP + 2] = f1, f2, f3
    s[MOMENT], s[MOMENT + 1], s[MOMENT + 2] = J[first], J[middle], J[last]
    return (f1 * u[first], f2 * u[middle], f3 * u[last])


@formula
def _excess(J: Vector, w: Vector) -> tuple[float, float]:
    """2E B - L², B the intermediate moment, and L: both for J and w brought to numbers near 1 by powers of two.

    In numbers of two parts: next to the separatrix its two terms differ by their rounding alone, and the time to the
    next flip is the logarithm of what is left.
    """
    low, middle, high = _rising(J)
    _, j = math.frexp(J[high])
    _, k = math.frexp(max(abs(w[0]), abs(w[1]), abs(w[2])))
    least, most, between = math.ldexp(J[low], -j), math.ldexp(J[high], -j), math.ldexp(J[middle], -j)
    x, y, z = math.ldexp(w[low], -k), math.ldexp(w[middle], -k), math.ldexp(w[high], -k)
    a, a_rest = _twice_times(least, x, _exact_sum(between, -least))
    b, b_rest = _twice_times(most, z, _exact_sum(most, -between))
    difference, rest = _exact_sum(a, -b)
    return difference + (rest + (a_rest - b_rest)), math.hypot(math.hypot(least * x, between * y), most * z)


@formula
def _exact_sum(a: float, b: float) -> tuple[float, float]:
    """a + b and its rounding error (Knuth 1969, The Art of Computer Programming 2, section 4.2.2)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@formula
def _exact_product(a: float, b: float) -> tuple[float, float]:
    """a b and its rounding error (Dekker 1971, Numerische Mathematik 18, 224-242)."""
    s, t = 134217729.0 * a, 134217729.0 * b  # 2²⁷ + 1
    a1, b1 = s - (s - a), t - (t - b)
    a2, b2 = a - a1, b - b1
    p = a * b
    return p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)


@formula
def _twice_times(a: float, x: float, c: tuple[float, float]) -> tuple[float, float]:
    """a x² (c0 + c1) in two parts."""
    p, e = _exact_product(x, x)
    q, f = _exact_product(a, p)
    f += a * e
    r, g = _exact_product(q, c[0])
    return r, g + (f * c[0] + q * c[1])


@formula
def _thetas(nome: float) -> Vector:
    """θ2(0) / 2q^(1/4), θ3(0), θ4(0) for a nome q <= 0.0433."""
    n2, n4, n9 = nome**2, nome**4, nome**9
    return 1.0 + n2 + n2 * n4, 1.0 + 2.0 * (nome + n4 + n9), 1.0 - 2.0 * (nome - n4 + n9)


@formula
def _small_modulus(s: Array, a: float, b: float, k: float, complement: float) -> None:
    """Constants for k² <= 1/2: nome q = exp(-π K'/K), and those of Arg, see physics.schemes.exact."""
    K = 0.5 * math.pi / agm(1.0, complement)
    nome = near = far = 0.0
    if k > 0.0:
        quarter = 0.5 * math.pi / agm(1.0, k)  # K'
        y1 = first_kind(b, a * k, k)  # 2K' - y0
        nome = math.exp(-math.pi * quarter / K)
        near, far = math.exp(-math.pi * (2.0 * quarter - y1) / K), math.exp(-math.pi * (2.0 * quarter + y1) / K)
    n4 = nome**4
    s[KIND], s[PERIOD], s[NOME] = SMALL, K, nome
    s[SERIES], s[SERIES + 1] = near + far, n4 * (near * near + far * far)
    s[SERIES + 2], s[SERIES + 3] = near - far, n4 * (far * far - near * near)
    t2, t3, t4 = _thetas(nome)
    s[AMPLITUDE] *= t4 / t2
    s[AMPLITUDE + 1] *= t3 / t2
    s[AMPLITUDE + 2] *= t4 / t3
    turn = (2.0 * s[SERIES + 2] + 4.0 * s[SERIES + 3]) / (1.0 - s[SERIES] + s[SERIES + 1])
    s[SLOPE] = 0.5 * math.pi / K * (1.0 + turn)


@formula
def _large_modulus(s: Array, a: float, b: float, k: float, complement: float) -> None:
    """Constants for k² > 1/2: nome q' = exp(-π K/K'), and those of Arg, see physics.schemes.exact."""
    quarter = 0.5 * math.pi / agm(1.0, k)  # K'
    K = 0.5 * math.pi / agm(1.0, complement) if complement > 0.0 else math.inf
    y1 = first_kind(b, a * k, k)
    nome, root = math.exp(-math.pi * K / quarter), math.exp(-0.5 * math.pi * K / quarter)
    alpha, beta = 0.25 * math.pi * (2.0 - y1 / quarter), 0.25 * math.pi / quarter
    s[KIND], s[PERIOD], s[KAPPA], s[BETA], s[NOME] = LARGE, K, alpha / K, beta, nome
    sines = cosines = 0.0
    for n in range(6):
        weight = (1.0 - 2.0 * (n % 2)) * root ** (n * (n + 1))
        s[SERIES + n] = weight * math.sin((2 * n + 1) * alpha)
        s[SERIES + 6 + n] = weight * math.cos((2 * n + 1) * alpha)
        sines += s[SERIES + n]
        cosines += (2 * n + 1) * s[SERIES + 6 + n]
    t2, t3, t4 = _thetas(nome)
    s[AMPLITUDE] *= t2 / t4
    s[AMPLITUDE + 1] *= t3 / t4
    s[AMPLITUDE + 2] *= t2 / t3
    s[SLOPE] = s[KAPPA] + beta * cosines / sines


# ---- evaluating ---------------------------------------------------------------------------------------


@formula
def direction(s: Array, t: float) -> tuple[Vector, float, float]:
    """Direction u of the momentum in the ordered axes at time t [s], and a complex number whose argument is Arg."""
    tau = s[RATE] * t + s[TAU0]
    cn, sn, dn, re, im = _small(s, tau) if s[KIND] == SMALL else _large(s, tau)
    return (s[AMPLITUDE] * cn, s[AMPLITUDE + 1] * sn, s[AMPLITUDE + 2] * dn), re, im


@formula
def ordered(s: Array, v: Vector) -> Vector:
    """A vector in the body's own axes, in the ordered axes."""
    i, j, k = s[AXIS], s[AXIS + 1], s[AXIS + 2]
    a = v[0] if i == 0 else (v[1] if i == 1 else v[2])
    b = v[0] if j == 0 else (v[1] if j == 1 else v[2])
    c = v[0] if k == 0 else (v[1] if k == 1 else v[2])
    return (s[FLIP] * a, s[FLIP + 1] * b, s[FLIP + 2] * c)


@formula
def unordered(s: Array, v: Vector) -> Vector:
    """A vector in the ordered axes, in the body's own order and signs."""
    return restored(int(s[AXIS]), int(s[AXIS + 1]), (s[FLIP] * v[0], s[FLIP + 1] * v[1], s[FLIP + 2] * v[2]))


@formula
def restored(first: int, middle: int, v: Vector) -> Vector:
    """A vector along the axes first, middle and last (0 to 2), in their own order."""
    x = v[0] if first == 0 else (v[1] if middle == 0 else v[2])
    y = v[0] if first == 1 else (v[1] if middle == 1 else v[2])
    z = v[0] if first == 2 else (v[1] if middle == 2 else v[2])
    return (x, y, z)


@formula
def angular_velocity(s: Array, t: float) -> Vector:
    """Angular velocity [rad/s] in body axes at time t [s] after the start."""
    if s[KIND] == STEADY:
        return (s[OMEGA], s[OMEGA + 1], s[OMEGA + 2])
    u, _, _ = direction(s, t)
    g = s[SPIN]
    return unordered(s, (g / s[MOMENT] * u[0], g / s[MOMENT + 1] * u[1], g / s[MOMENT + 2] * u[2]))


@formula
def _small(s: Array, tau: float) -> tuple[float, float, float, float, float]:
    """cn, sn, dn up to their factors, and a complex number whose argument is Arg, for k² <= 1/2."""
    z = 0.5 * math.pi * tau / s[PERIOD]
    n1 = s[NOME]
    n2 = n1 * n1
    n4, n6 = n2 * n2, n2 * n2 * n2
    c1, s1 = math.cos(z), math.sin(z)
    c2, s2 = 1.0 - 2.0 * s1 * s1, 2.0 * s1 * c1
    c4, s4 = 2.0 * c2 * c2 - 1.0, 2.0 * s2 * c2
    c6 = 2.0 * c2 * c4 - c2
    s3, c3 = s1 * (2.0 * c2 + 1.0), c1 * (2.0 * c2 - 1.0)
    s5, c5 = 2.0 * c2 * s3 - s1, 2.0 * c2 * c3 - c1
    odd, even = n1 * c2 + n4 * n4 * n1 * c6, n4 * c4
    below = 1.0 / (1.0 - 2.0 * odd + 2.0 * even)
    cn, sn = (c1 + n2 * c3 + n6 * c5) * below, (s1 - n2 * s3 + n6 * s5) * below
    dn = (1.0 + 2.0 * odd + 2.0 * even) * below
    re, im = 1.0 - s[SERIES] * c2 + s[SERIES + 1] * c4, s[SERIES + 2] * s2 + s[SERIES + 3] * s4
    return cn, sn, dn, c1 * re - s1 * im, c1 * im + s1 * re


@formula
def _large(s: Array, tau: float) -> tuple[float, float, float, float, float]:
    """The same for k² > 1/2; the separatrix itself has an infinite period."""
    turns = 0.0
    if s[PERIOD] < math.inf:
        turns = math.floor(0.5 * tau / s[PERIOD] + 0.5)
        tau -= 2.0 * s[PERIOD] * turns
    flip = 1.0 if turns % 2.0 == 0.0 else -1.0
    beta = min(max(s[BETA] * tau, -40.0), 40.0)  # beyond, all functions have reached their limits in double
    up = math.exp(beta)
    down = 1.0 / up
    up2, down2 = up * up, down * down
    n1 = s[NOME]
    n2 = n1 * n1
    n4, n6 = n2 * n2, n2 * n2 * n2
    # θ of nome q' at i x, x = 2 β: exponentials of x are squares of those of β
    p1, m1 = up2, down2
    p2, m2 = p1 * p1, m1 * m1
    p3, m3, p4, m4 = p2 * p1, m2 * m1, p2 * p2, m2 * m2
    p5, m5, p6, m6 = p4 * p1, m4 * m1, p4 * p2, m4 * m2
    p7, m7, n12 = p6 * p1, m6 * m1, n6 * n6
    below = 2.0 / (p1 + m1 + n2 * (p3 + m3) + n6 * (p5 + m5) + n12 * (p7 + m7))
    sn = 0.5 * (p1 - m1 - n2 * (p3 - m3) + n6 * (p5 - m5) - n12 * (p7 - m7)) * below
    odd, even = n1 * (p2 + m2) + n4 * n4 * n1 * (p6 + m6), n4 * (p4 + m4)
    cn, dn = (1.0 - odd + even) * below, (1.0 + odd + even) * below
    re, im = 0.0, 0.0
    for n in range(6):
        re += s[SERIES + n] * (up + down)
        im += s[SERIES + 6 + n] * (up - down)
        up, down = up * up2, down * down2
    c, d = math.cos(s[KAPPA] * tau) * flip, math.sin(s[KAPPA] * tau) * flip
    return cn * flip, sn * flip, dn, c * re - d * im, c * im + d * re


# ---- two equal moments -----------------------------------------------------------------------------
# With J1 = J2 the attitude after h seconds is R0 exp(h m/J1) exp(h w3 (1 - J3/J1) e3), m the momentum in body axes, and
# the angular velocity turns by -h w3 (1 - J3/J1) about e3 (regular precession; Landau & Lifshitz, Mechanics, § 33).


@formula
def odd_axis(J: Vector) -> int:
    """The axis (0, 1 or 2) whose moment differs from the two others, which are equal; -1: no two are equal."""
    if J[0] == J[1]:
        return 2
    if J[1] == J[2]:
        return 0
    return 1 if J[2] == J[0] else -1


@formula
def _as_long(a: float, b: float, x: float, y: float) -> tuple[float, float]:
    """(x, y) with the length of (a, b), which it has up to rounding."""
    size = a * a + b * b
    if not 0.0 < size < math.inf:
        return x, y
    e = 0.5 * ((a - x) * (a + x) + (b - y) * (b + y)) / size
    return x + e * x, y + e * y


@formula
def rotated_symmetric(J: Vector, axis: int, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector]:
    """Attitude and angular velocity after h [s], for moments J [kg m²] whose axis ``odd_axis`` names.

    The angular velocity is turned twice by half the angle, with the cosine and sine of the attitude's own turn: of a
    steady precession the rounding of another pair would be the same in every step, and turn the spin one way.
    """
    if axis == 2:
        A, spin, odd, a, b = J[0], w[2], J[2], w[0], w[1]
    elif axis == 0:
        A, spin, odd, a, b = J[1], w[0], J[0], w[1], w[2]
    else:
        A, spin, odd, a, b = J[2], w[1], J[1], w[2], w[0]
    angle = h * spin * (1.0 - odd / A)
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    x, y = c * a + s * b, c * b - s * a
    x, y = _as_long(a, b, c * x + s * y, c * y - s * x)
    q = product(q, exp_half((h * J[0] * w[0] / A, h * J[1] * w[1] / A, h * J[2] * w[2] / A)))
    if axis == 2:
        return renormalised(product(q, (c, 0.0, 0.0, s))), (x, y, spin)
    if axis == 0:
        return renormalised(product(q, (c, s, 0.0, 0.0))), (spin, x, y)
    return renormalised(product(q, (c, 0.0, s, 0.0))), (y, spin, x)


# ---- steps by addition theorems --------------------------------------------------------------------


REACH = 0.3  # share of 2 y at first
DOUBLINGS = 2  # largest number of doublings
PART = REACH * 2**DOUBLINGS  # share of 2 y of a part
PARTS = 8  # largest number of parts
# nodes on (0, 1) and weights of the pairs; Abramowitz & Stegun (1964), table 25.4
_NODES = (0.2386191860831969, 0.6612093864662645, 0.9324695142031519)
_WEIGHTS = (0.46791393457269104, 0.3607615730481387, 0.17132449237917027)


class PartConstants(NamedTuple):
    """Constants shared by parts of one length on one curve.

    first, middle : the ordered axes, see physics.schemes.free_rotation
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
NO_PART = PartConstants(0, 0, _NOTHING, _NOTHING, 0.0, _NOTHING, (0.0, 0.0, 0.0, 0.0), 0.0, 0.0, (0.0, 0.0), 0)
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
def parted(J: Vector, h: float, w: Vector) -> tuple[bool, PartConstants, Vector]:
    """True if the step h [s] is not too long, a part of it, and the direction (3,) of the momentum in ordered axes.

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
    part = PartConstants(first, middle, (f1, f2, f3), speeds, a, half, curve, level, slant, (re, im), parts)
    return True, part, (x1, x2, x3)


@formula
def moved(part: PartConstants, start: Vector) -> tuple[Quaternion, Vector, Vector]:
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
def keep(part: PartConstants, memory: Array) -> None:
    """Write a part into memory (KEPT,)."""
    memory[0], memory[1], memory[2], memory[3] = part.first, part.middle, part.parts, part.top
    memory[4], memory[5], memory[6] = part.flips
    memory[7], memory[8], memory[9] = part.speeds
    memory[10], memory[11], memory[12] = part.half
    memory[13], memory[14], memory[15], memory[16] = part.curve
    memory[17], memory[18] = part.level, part.slant
    memory[19], memory[20] = part.turn


@formula
def kept(memory: Array) -> PartConstants:
    """The part that ``keep`` wrote."""
    return PartConstants(
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
    """True if ``parted`` holds, and the attitude and angular velocity [rad/s] after the step h [s]."""
    good, part, start = parted(J, h, w)
    if not good:
        return False, q, w
    turn, _, speed = moved(part, start)
    return True, renormalised(product(q, turn)), speed
