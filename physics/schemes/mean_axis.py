"""Steps that turn the body about the mean W of its angular velocities before and after: quat-em and algo-c1.

Both balance the momentum in the attitude half way. Let C = (1, c) / sqrt(1 + |c|²) be half of the turn, c parallel to W
= (w + w')/2, and u_half = C* o u o C the vertical in the body half way, for the potential a.u:

    C o J w' o C* = C* o J w o C + h f (u_half x a),          q' = q o C o C.                                     (B)

They differ in the angle and in the factor of the torque: c = h W/4 and f = 1 / (1 + |c|²) in quat-em, c = W/|W|
tan(h |W|/4) and f = 1 in algo-c1. (B) is solved for W by Newton's method with the analytic Jacobian. Without torque it
turns the momentum back as the body turns on, and along c it says W.J(w' - w) = 0: both keep spin and energy.

A vessel's potential a.u + u.Ku/2 counts with its discrete gradient in place of a, a + K (u + u')/2 (Gonzalez 1996,
Journal of Nonlinear Science 6, 449-467): multiplied by u' - u it is the change of the potential, so quat-em keeps the
energy of a vessel as well. Damping takes h D W from the momentum, and the energy falls by h W.D W.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.potential import gradient, vertical
from physics.core.rotation import Field, Quaternion, Vector, cross, dot, product, renormalised, rotate
from physics.schemes.newton import CLOSE, ITERATIONS, solve_rows, speed_squared

CLOSE_LINEAR = 1e-28  # squared relative correction where the convergence is linear


@formula
def stretch(t: float) -> tuple[float, float]:
    """tan(x)/x and its derivative with respect to t = x²."""
    if t < 1e-3:
        value = 1.0 + t * (1.0 / 3.0 + t * (2.0 / 15.0 + t * (17.0 / 315.0 + t * (62.0 / 2835.0))))
        return value, 1.0 / 3.0 + t * (4.0 / 15.0 + t * (17.0 / 105.0))
    x = math.sqrt(t)
    value = math.tan(x) / x
    return value, 0.5 * ((1.0 - value) / t + value * value)


@formula
def turn(
    J: Vector, field: Field, h: float, q: Quaternion, w: Vector, exponential: bool
) -> tuple[Quaternion, Vector, float]:
    """One step of length h [s]: attitude, angular velocity [rad/s], last Newton correction over |w| (inf if none).

    ``exponential``: the half turn is exactly that of h W/2 and the torque counts in full (algo-c1); else quat-em.
    """
    size = speed_squared(J, field, w)
    if size == 0.0:
        return q, w, 0.0
    a, u = (field[0], field[1], field[2]), vertical(q)
    stiff = _is_set((field[3], field[4], field[5])) or _is_set((field[9], field[10], field[11]))
    damped = _is_set((field[6], field[7], field[8]))
    pulled = stiff or dot(a, a) > 0.0
    close = CLOSE_LINEAR if stiff or damped else CLOSE
    k = 0.25 * h
    d = (0.0, 0.0, 0.0)  # W - w: less rounding than W itself
    for _ in range(ITERATIONS):
        W = (w[0] + d[0], w[1] + d[1], w[2] + d[2])
        long, slope = stretch(k * k * dot(W, W)) if exponential else (1.0, 0.0)
        n = k * long
        c = (n * W[0], n * W[1], n * W[2])
        M, D = (J[0] * W[0], J[1] * W[1], J[2] * W[2]), (J[0] * d[0], J[1] * d[1], J[2] * d[2])
        r, n1, n2, n3 = _balance(c, M, D)
        if stiff:  # its change with W is left out of the Jacobian, of order h²: hence the linear convergence
            a = gradient(field, _mean(u, c))
        if pulled:
            force, f1, f2, f3 = _pull(a, u, c, 0.5 * h, exponential)
            r = (r[0] - force[0], r[1] - force[1], r[2] - force[2])
            n1 = (n1[0] - f1[0], n1[1] - f1[1], n1[2] - f1[2])
            n2 = (n2[0] - f2[0], n2[1] - f2[1], n2[2] - f2[2])
            n3 = (n3[0] - f3[0], n3[1] - f3[1], n3[2] - f3[2])
        # dc/dW = n I + g W W^T
        g = 2.0 * k * k * k * slope
        m1, m2, m3 = _matrix(J, c, n, n1, n2, n3, W, g)
        if damped:
            f = 0.5 * h * (1.0 + dot(c, c))
            x1, x2, x3 = f * field[6], f * field[7], f * field[8]
            r = (r[0] + x1 * W[0], r[1] + x2 * W[1], r[2] + x3 * W[2])
            m1, m2, m3 = (m1[0] + x1, m1[1], m1[2]), (m2[0], m2[1] + x2, m2[2]), (m3[0], m3[1], m3[2] + x3)
        x, det = solve_rows(m1, m2, m3, r)
        if not det > 0.0:
            return q, w, math.inf
        d = (d[0] - x[0], d[1] - x[1], d[2] - x[2])
        change = dot(x, x)
        if change <= close * size:
            q_next, w_next = _advance(q, w, d, k, exponential)
            return q_next, w_next, math.sqrt(change / size)
    return q, w, math.inf


@formula
def _is_set(v: Vector) -> bool:
    """True if any of three numbers is not zero."""
    return v[0] != 0.0 or v[1] != 0.0 or v[2] != 0.0


@formula
def _mean(u: Vector, c: Vector) -> Vector:
    """(u + u')/2: the mean of the vertical before and after two turns (1, c)/sqrt(1 + |c|²)."""
    s = dot(c, c)
    i = 1.0 / (1.0 + s)
    n = (2.0 * i * c[0], 2.0 * i * c[1], 2.0 * i * c[2])
    end = rotate(((1.0 - s) * i, -n[0], -n[1], -n[2]), u)
    return (0.5 * (u[0] + end[0]), 0.5 * (u[1] + end[1]), 0.5 * (u[2] + end[2]))


@formula
def _balance(c: Vector, M: Vector, D: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """(B) times (1 + |c|²)/2 without torque, in M = J W and D = J (W - w); the rows N of its derivative by c alone.

    (1 - |c|²) D + 2 c x M + 2 c (c.D) and N = 2 [c D^T - D c^T - hat(M) + (c.D) I].
    """
    s, cM, cD = 1.0 - dot(c, c), cross(c, M), dot(c, D)
    e = 2.0 * cD
    return (
        (
            s * D[0] + 2.0 * (cM[0] + c[0] * cD),
            s * D[1] + 2.0 * (cM[1] + c[1] * cD),
            s * D[2] + 2.0 * (cM[2] + c[2] * cD),
        ),
        (e, 2.0 * (c[0] * D[1] - D[0] * c[1] + M[2]), 2.0 * (c[0] * D[2] - D[0] * c[2] - M[1])),
        (2.0 * (c[1] * D[0] - D[1] * c[0] - M[2]), e, 2.0 * (c[1] * D[2] - D[1] * c[2] + M[0])),
        (2.0 * (c[2] * D[0] - D[2] * c[0] + M[1]), 2.0 * (c[2] * D[1] - D[2] * c[1] - M[0]), e),
    )


@formula
def _matrix(
    J: Vector, c: Vector, n: float, n1: Vector, n2: Vector, n3: Vector, W: Vector, g: float
) -> tuple[Vector, Vector, Vector]:
    """The rows of [(1 - |c|²) I + 2 hat(c) + 2 c c^T] J + N (n I + g W W^T): the derivative of (B) by W."""
    s = 1.0 - dot(c, c)
    g1, g2, g3 = g * dot(n1, W), g * dot(n2, W), g * dot(n3, W)
    return (
        (
            (s + 2.0 * c[0] * c[0]) * J[0] + n * n1[0] + g1 * W[0],
            2.0 * (c[0] * c[1] - c[2]) * J[1] + n * n1[1] + g1 * W[1],
            2.0 * (c[0] * c[2] + c[1]) * J[2] + n * n1[2] + g1 * W[2],
        ),
        (
            2.0 * (c[1] * c[0] + c[2]) * J[0] + n * n2[0] + g2 * W[0],
            (s + 2.0 * c[1] * c[1]) * J[1] + n * n2[1] + g2 * W[1],
            2.0 * (c[1] * c[2] - c[0]) * J[2] + n * n2[2] + g2 * W[2],
        ),
        (
            2.0 * (c[2] * c[0] - c[1]) * J[0] + n * n3[0] + g3 * W[0],
            2.0 * (c[2] * c[1] + c[0]) * J[1] + n * n3[1] + g3 * W[1],
            (s + 2.0 * c[2] * c[2]) * J[2] + n * n3[2] + g3 * W[2],
        ),
    )


@formula
def _pull(a: Vector, u: Vector, c: Vector, half: float, full: bool) -> tuple[Vector, Vector, Vector, Vector]:
    """The torque of (B) times (1 + |c|²)/2 [N m s], with f = 1 when ``full``; the rows of its derivative by c.

    u_half changes with c by u_half x φ, φ = 2 (I - hat(c)) dc / (1 + |c|²).
    """
    s = dot(c, c)
    ca, cu = cross(c, u), dot(c, u)
    i = 1.0 / (1.0 + s)
    v = (
        i * ((1.0 - s) * u[0] - 2.0 * (ca[0] - c[0] * cu)),
        i * ((1.0 - s) * u[1] - 2.0 * (ca[1] - c[1] * cu)),
        i * ((1.0 - s) * u[2] - 2.0 * (ca[2] - c[2] * cu)),
    )
    f = half * (1.0 + s) if full else half
    va, av = cross(v, a), dot(v, a)
    # d(v x a) = [(a.v) I - v a^T] φ, and a^T (I - hat(c)) = a^T + (c x a)^T
    b, e = cross(c, a), 2.0 * i * f
    b = (b[0] + a[0], b[1] + a[1], b[2] + a[2])
    g = 2.0 * half if full else 0.0
    return (
        (f * va[0], f * va[1], f * va[2]),
        (
            e * (av - v[0] * b[0]) + g * va[0] * c[0],
            e * (av * c[2] - v[0] * b[1]) + g * va[0] * c[1],
            e * (-av * c[1] - v[0] * b[2]) + g * va[0] * c[2],
        ),
        (
            e * (-av * c[2] - v[1] * b[0]) + g * va[1] * c[0],
            e * (av - v[1] * b[1]) + g * va[1] * c[1],
            e * (av * c[0] - v[1] * b[2]) + g * va[1] * c[2],
        ),
        (
            e * (av * c[1] - v[2] * b[0]) + g * va[2] * c[0],
            e * (-av * c[0] - v[2] * b[1]) + g * va[2] * c[1],
            e * (av - v[2] * b[2]) + g * va[2] * c[2],
        ),
    )


@formula
def _advance(q: Quaternion, w: Vector, d: Vector, k: float, exponential: bool) -> tuple[Quaternion, Vector]:
    """q' = q o C o C and w' = w + 2 (W - w)."""
    W = (w[0] + d[0], w[1] + d[1], w[2] + d[2])
    long, _ = stretch(k * k * dot(W, W)) if exponential else (1.0, 0.0)
    n = k * long
    s = n * n * dot(W, W)
    i = 1.0 / (1.0 + s)
    t = 2.0 * n * i
    q_next = renormalised(product(q, ((1.0 - s) * i, t * W[0], t * W[1], t * W[2])))
    return q_next, (w[0] + 2.0 * d[0], w[1] + 2.0 * d[1], w[2] + 2.0 * d[2])
