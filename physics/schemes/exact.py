"""The exact motion of a free rigid body, at any time, to rounding error of the phase.

Angular momentum by Jacobi's elliptic functions (Gustafsson 2010, section 4.1), attitude by the angle ψ about the
spin (section 4.3.2, factorization) whose elliptic integral of the third kind is the argument of a theta
function. Both come from the same rapidly converging series in the nome: in q when k² <= 1/2, in the complementary
nome when k² > 1/2, so the separatrix and its neighbourhood cost no digits. Setting up costs a few arithmetic-
geometric means; evaluating costs the same for every t.

Derivation of ψ. Let u be the direction of the spin in the body, in principal axes ordered so that u3 > 0 keeps its
sign: u3 = a dn(τ), τ = ω_p t + τ0. With the attitude written as q_A o exp(ψ e3) o arc(u, e3),

    dψ/dt = (2E/L + u3 L/I3) / (1 + u3),

whose integral over τ has simple poles where dn = -1/a, at ±i y0, with K' < y0 < 2K'. Hence

    ψ/2 = ρ t/2 ± [Arg(τ) - Arg(τ0)],      Arg(τ) = arg θ1(π (τ - i y0) / 2K, nome q²),

and ρ follows from dψ/dt at τ = 0. The residues make the factor of Arg exactly one for every body.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import elliprf

from physics.compiled import formula, kernel
from physics.rotation import (
    Array,
    Quaternion,
    Vector,
    conjugate,
    exp_half,
    from_matrix,
    multiply,
    product,
    renormalised,
)

STEADY, SMALL, LARGE = 0, 1, 2  # kinds of motion: steady rotation; k² <= 1/2; k² > 1/2

# layout of the state vector: scalars, then vectors by their first place
KIND, STEPS, RATE, TAU0, RHO, SIGN, PERIOD, KAPPA, BETA, NOME = range(10)
AMPLITUDE, SPEED, AXIS, FLIP, OMEGA, FRONT, BACK, SERIES, SIZE = 10, 13, 16, 19, 22, 25, 29, 33, 45


# ---- setting up ---------------------------------------------------------------------------------------


def start(J: Array, q: Array, w: Array) -> Array:
    """The constants of the motion that starts with attitude q (4,) and angular velocity w (3,) [rad/s]."""
    state = np.zeros(SIZE)
    state[FRONT : FRONT + 4], state[OMEGA : OMEGA + 3] = q, w
    momentum = np.asarray(J, float) * w
    spin = math.hypot(*momentum)
    if spin == 0.0:
        return state
    direction = momentum / spin
    # a component whose square underflows would take 350 e-foldings to be seen
    direction = np.where(np.abs(direction) < 1e-150, 0.0, direction)
    if all((J[i - 1] - J[i - 2]) * direction[i - 1] * direction[i - 2] == 0.0 for i in range(3)):
        return state  # Euler's equations stand still: about a principal axis, or a body without preferred axes
    axis, flip = _order(J, direction)
    u, I = flip * direction[axis], np.asarray(J, float)[axis]
    # squared amplitudes of cn, sn, dn: each a sum of terms of one sign
    ratio = I[0] * (I[1] - I[2]) / (I[1] * (I[0] - I[2]))
    m1 = u[0] ** 2 + u[1] ** 2 * ratio
    m2 = m1 / ratio
    m3 = u[2] ** 2 + u[1] ** 2 * I[2] * (I[1] - I[0]) / (I[1] * (I[2] - I[0]))
    inner, outer = abs(I[0] - I[1]) * I[2], abs(I[1] - I[2]) * I[0]
    b, a = math.sqrt(m1), math.sqrt(m3)
    k = b / a * math.sqrt(inner / outer)
    # 1 - k² as a product of sum and difference: it loses no digit near the separatrix
    root3, root1 = abs(u[2]) * math.sqrt(outer), abs(u[0]) * math.sqrt(inner)
    complement = math.sqrt(max(root3 - root1, 0.0) / (a * outer)) * math.sqrt((root3 + root1) / a)
    sigma = 1.0 if I[2] > I[1] else -1.0
    rate = a * spin / I[2] * math.sqrt((I[2] - I[0]) * (I[2] - I[1]) / (I[0] * I[1]))
    sn, cn = sigma * u[1] / math.sqrt(m2), u[0] / b
    state[AMPLITUDE : AMPLITUDE + 3] = b, sigma * math.sqrt(m2), a
    modulus = _small_modulus if k <= complement else _large_modulus
    slope = modulus(state, a, b, k, complement)
    state[RATE], state[TAU0], state[SIGN] = rate, _first_kind(sn, cn, complement), -sigma
    state[RHO] = (spin * float(np.sum(u * u / I)) + a * spin / I[2]) / (1.0 + a) + 2.0 * sigma * rate * slope
    state[AXIS : AXIS + 3], state[FLIP : FLIP + 3], state[SPEED : SPEED + 3] = axis, flip, spin / I
    to_ordered = np.zeros((3, 3))
    to_ordered[np.arange(3), axis] = flip
    state[BACK : BACK + 4] = from_matrix(to_ordered)
    state[FRONT : FRONT + 4] = 1.0, 0.0, 0.0, 0.0
    state[FRONT : FRONT + 4] = multiply(q, conjugate(np.array(evaluate(state, 0.0)[0])))
    return state


def _order(J: Array, u: Array) -> tuple[Array, Array]:
    """Axis numbers and signs, det +1: last, and positive, the axis whose momentum keeps its sign; the first >= 0."""
    low, middle, high = np.argsort(J, kind="stable")
    excess = u[low] ** 2 * (J[middle] - J[low]) / J[low] - u[high] ** 2 * (J[high] - J[middle]) / J[high]
    equal = J[high] == J[middle]  # an oblate body, reversed: the axis that differs comes last
    axis = np.array([high, middle, low]) if excess > 0 or (excess == 0 and equal) else np.array([low, middle, high])
    flip = np.where(u[axis] < 0, -1.0, 1.0)
    parity = 1.0 if (axis[1] - axis[0]) % 3 == 1 else -1.0
    flip[1] = parity * flip[0] * flip[2]
    return axis, flip


def _agm(a: float, b: float) -> float:
    """Arithmetic-geometric mean."""
    while abs(a - b) > 1e-15 * a:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return 0.5 * (a + b)


def _first_kind(sine: float, cosine: float, complement: float) -> float:
    """F(φ, k), |φ| <= π/2, from any multiple of sin φ and cos φ and the complementary modulus (Carlson's R_F)."""
    size = math.hypot(sine, cosine)
    s, c = sine / size, cosine / size
    return 0.0 if s == 0.0 else s * float(elliprf(c * c, c * c + (complement * s) ** 2, 1.0))


def _thetas(nome: float) -> tuple[float, float, float]:
    """θ2(0) / 2q^(1/4), θ3(0), θ4(0) for a nome q <= 0.0433."""
    return 1 + nome**2 + nome**6, 1 + 2 * (nome + nome**4 + nome**9), 1 - 2 * (nome - nome**4 + nome**9)


def _small_modulus(state: Array, a: float, b: float, k: float, complement: float) -> float:
    """Constants for k² <= 1/2: series in the nome q = exp(-π K'/K). Returns dArg/dτ at τ = 0."""
    K = 0.5 * math.pi / _agm(1.0, complement)
    nome = near = far = 0.0
    if k > 0.0:
        quarter = 0.5 * math.pi / _agm(1.0, k)  # K'
        y1 = _first_kind(b, a * k, k)  # 2K' - y0
        nome = math.exp(-math.pi * quarter / K)
        near, far = math.exp(-math.pi * (2 * quarter - y1) / K), math.exp(-math.pi * (2 * quarter + y1) / K)
    s = near + far, nome**4 * (near**2 + far**2), near - far, nome**4 * (far**2 - near**2)
    state[KIND], state[PERIOD], state[NOME], state[SERIES : SERIES + 4] = SMALL, K, nome, s
    t2, t3, t4 = _thetas(nome)
    state[AMPLITUDE : AMPLITUDE + 3] *= t4 / t2, t3 / t2, t4 / t3
    return 0.5 * math.pi / K * (1.0 + (2 * s[2] + 4 * s[3]) / (1.0 - s[0] + s[1]))


def _large_modulus(state: Array, a: float, b: float, k: float, complement: float) -> float:
    """Constants for k² > 1/2, by Jacobi's imaginary transformation: hyperbolic series in exp(-π K/K')."""
    quarter = 0.5 * math.pi / _agm(1.0, k)  # K'
    K = 0.5 * math.pi / _agm(1.0, complement) if complement > 0.0 else math.inf
    y1 = _first_kind(b, a * k, k)
    nome, root = math.exp(-math.pi * K / quarter), math.exp(-0.5 * math.pi * K / quarter)
    alpha, beta = 0.25 * math.pi * (2.0 - y1 / quarter), 0.25 * math.pi / quarter
    n = np.arange(6)
    weight = (-1.0) ** n * root ** (n * (n + 1.0))
    sines, cosines = weight * np.sin((2 * n + 1) * alpha), weight * np.cos((2 * n + 1) * alpha)
    kappa = alpha / K
    state[KIND], state[PERIOD], state[KAPPA], state[BETA], state[NOME] = LARGE, K, kappa, beta, nome
    state[SERIES : SERIES + 6], state[SERIES + 6 : SERIES + 12] = sines, cosines
    t2, t3, t4 = _thetas(nome)
    state[AMPLITUDE : AMPLITUDE + 3] *= t2 / t4, t3 / t4, t2 / t3
    return kappa + beta * float(np.sum((2 * n + 1) * cosines) / np.sum(sines))


# ---- evaluating ---------------------------------------------------------------------------------------


@formula
def evaluate(s: Array, t: float) -> tuple[Quaternion, Vector]:
    """Attitude and angular velocity [rad/s] at time t [s] after the start."""
    front = (s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3])
    if s[KIND] == STEADY:
        w = (s[OMEGA], s[OMEGA + 1], s[OMEGA + 2])
        return product(front, exp_half((w[0] * t, w[1] * t, w[2] * t))), w
    tau = s[RATE] * t + s[TAU0]
    cn, sn, dn, re, im = _small(s, tau) if s[KIND] == SMALL else _large(s, tau)
    u1, u2, u3 = s[AMPLITUDE] * cn, s[AMPLITUDE + 1] * sn, s[AMPLITUDE + 2] * dn
    # exp(i ψ/2) = exp(i ρ t/2) (re ± i im) / |.|, then exp(ψ e3) o arc(u, e3) with arc ~ (1 + u3, u2, -u1, 0)
    c, d = math.cos(0.5 * s[RHO] * t), math.sin(0.5 * s[RHO] * t)
    im *= s[SIGN]
    x, y = c * re - d * im, c * im + d * re
    norm = 1.0 / math.sqrt((x * x + y * y) * (u1 * u1 + u2 * u2 + (1.0 + u3) * (1.0 + u3)))
    x, y = x * norm, y * norm
    turn = (x * (1.0 + u3), x * u2 + y * u1, y * u2 - x * u1, y * (1.0 + u3))
    back = (s[BACK], s[BACK + 1], s[BACK + 2], s[BACK + 3])
    q = renormalised(product(front, product(turn, back)))
    w1, w2, w3 = u1 * s[SPEED], u2 * s[SPEED + 1], u3 * s[SPEED + 2]
    w1, w2, w3 = w1 * s[FLIP], w2 * s[FLIP + 1], w3 * s[FLIP + 2]
    first, second = s[AXIS], s[AXIS + 1]
    wx = w1 if first == 0 else (w2 if second == 0 else w3)
    wy = w1 if first == 1 else (w2 if second == 1 else w3)
    wz = w1 if first == 2 else (w2 if second == 2 else w3)
    return q, (wx, wy, wz)


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


@kernel
def march(J: Array, h: float, every: int, state: Array, out: Array) -> tuple[int, float]:
    """The exact state after every further ``every`` steps, evaluated from the start: nothing adds up."""
    for row in range(out.shape[0]):
        state[STEPS] += every
        q, w = evaluate(state, h * state[STEPS])
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = q
        out[row, 4], out[row, 5], out[row, 6] = w
    return out.shape[0], 0.0
