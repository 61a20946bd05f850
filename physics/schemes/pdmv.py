"""PDMV: the discrete Moser-Veselov step with modified moments, of orders 4 to 10, between half kicks.

The step of moser-veselov keeps energy and spin. It errs in the speed along its orbit and in the turn. Other moments
J~ in its place, with the momentum m = J w as it is, correct that to any order (McLachlan & Zanna 2005; Hairer & Vilmart
2006):

    1/J~_j = (1 + s1 h² + s2 h⁴ + ...)/J_j + d1 h² + d2 h⁴ + ...

where s_k and d_k are polynomials in H = m.J⁻¹ m/2, C = m.m/2 and the elementary symmetric functions e1, e2, e3 of the
moments, of degree k in H and C, over e3^k; order 2k + 2 takes k terms. The coefficients are exact fractions. Energy and
spin stay kept. J~ depends on H and C: the step is symplectic up to its error only. Under torque the order is 2.
"""

from __future__ import annotations

import math
from typing import Any

from physics.core.jit import formula
from physics.core.rotation import Field, Quaternion, Vector
from physics.schemes import moser_veselov
from physics.schemes.kicks import between_kicks


@formula
def series(H: float, C: float, e1: float, e2: float, e3: float, terms: int) -> tuple[float, float]:
    """The sums of s_k and of d_k; H and C carry h²/e3, terms: 1 to 4."""
    s, d = (H * -e2) / 3.0 + C * e1 / 6.0, H * e1 / 6.0 - C / 3.0
    if terms > 1:
        s2, d2 = _second(H, C, e1, e2, e3)
        s, d = s + s2, d + d2
    if terms > 2:
        s3, d3 = _third(H, C, e1, e2, e3)
        s, d = s + s3, d + d3
    if terms > 3:
        s4, d4 = _fourth(H, C, e1, e2, e3)
        s, d = s + s4, d + d4
    return s, d


@formula
def _second(H: float, C: float, e1: float, e2: float, e3: float) -> tuple[float, float]:
    """s2 and d2."""
    H2, C2 = H * H, C * C
    s = H2 * (2.0 * e2 * e2 - e1 * e3) / 60.0 + H * C * (-e1 * e2 + 4.0 * e3) / 30.0 + C2 * (e1 * e1 - 3.0 * e2) / 30.0
    d = H2 * (-e1 * e2 - 6.0 * e3) / 60.0 + H * C * (-e1 * e1 + 8.0 * e2) / 60.0 + C2 * (-e1) / 60.0
    return s, d


@formula
def _third(H: float, C: float, e1: float, e2: float, e3: float) -> tuple[float, float]:
    """s3 and d3."""
    H2, C2 = H * H, C * C
    H3, C3 = H2 * H, C2 * C
    s = (
        H3 * (-e2 * e2 * e2 + e1 * e2 * e3 + 18.0 * e3 * e3) / 630.0
        + H2 * C * (6.0 * e1 * e2 * e2 + 41.0 * e1 * e1 * e3 - 212.0 * e2 * e3) / 2520.0
        + H * C2 * (-6.0 * e1 * e1 * e2 + 22.0 * e2 * e2 - 5.0 * e1 * e3) / 420.0
        + C3 * (17.0 * e1 * e1 * e1 - 66.0 * e1 * e2 + 100.0 * e3) / 2520.0
    )
    d = (
        H3 * (e1 * e2 * e2 - 13.0 * e1 * e1 * e3 + 30.0 * e2 * e3) / 1260.0
        + H2 * C * (13.0 * e1 * e1 * e2 - 64.0 * e2 * e2 + 110.0 * e1 * e3) / 2520.0
        + H * C2 * (e1 * e1 * e1 - e1 * e2 - 88.0 * e3) / 1260.0
        + C3 * (-19.0 * e1 * e1 + 72.0 * e2) / 2520.0
    )
    return s, d


@formula
def _fourth(H: float, C: float, e1: float, e2: float, e3: float) -> tuple[float, float]:
    """s4 and d4."""
    H2, C2 = H * H, C * C
    H3, C3 = H2 * H, C2 * C
    H4, C4 = H2 * H2, C2 * C2
    s = (
        H4
        * (2.0 * e2 * e2 * e2 * e2 - 3.0 * e1 * e2 * e2 * e3 + 153.0 * e1 * e1 * e3 * e3 - 486.0 * e2 * e3 * e3)
        / 45360.0
        + H3
        * C
        * (-e1 * e2 * e2 * e2 - 66.0 * e1 * e1 * e2 * e3 + 276.0 * e2 * e2 * e3 - 207.0 * e1 * e3 * e3)
        / 11340.0
        + H2
        * C2
        * (
            26.0 * e1 * e1 * e2 * e2
            - 102.0 * e2 * e2 * e2
            + 3.0 * e1 * e1 * e1 * e3
            + 30.0 * e1 * e2 * e3
            + 318.0 * e3 * e3
        )
        / 7560.0
        + H
        * C3
        * (-77.0 * e1 * e1 * e1 * e2 + 306.0 * e1 * e2 * e2 + 141.0 * e1 * e1 * e3 - 1128.0 * e2 * e3)
        / 22680.0
        + C4 * (62.0 * e1 * e1 * e1 * e1 - 342.0 * e1 * e1 * e2 + 378.0 * e2 * e2 + 291.0 * e1 * e3) / 45360.0
    )
    d = (
        H4 * (-e1 * e2 * e2 * e2 - 6.0 * e1 * e1 * e2 * e3 - 126.0 * e2 * e2 * e3 + 459.0 * e1 * e3 * e3) / 45360.0
        + H3
        * C
        * (
            -15.0 * e1 * e1 * e2 * e2
            + 64.0 * e2 * e2 * e2
            + 97.0 * e1 * e1 * e1 * e3
            - 276.0 * e1 * e2 * e3
            - 648.0 * e3 * e3
        )
        / 22680.0
        + H2 * C2 * (-5.0 * e1 * e1 * e1 * e2 + 19.0 * e1 * e2 * e2 - 133.0 * e1 * e1 * e3 + 356.0 * e2 * e3) / 7560.0
        + H * C3 * (-e1 * e1 * e1 * e1 + 222.0 * e1 * e1 * e2 - 864.0 * e2 * e2 + 684.0 * e1 * e3) / 45360.0
        + C4 * (-61.0 * e1 * e1 * e1 + 243.0 * e1 * e2 - 610.0 * e3) / 45360.0
    )
    return s, d


def by_terms(terms: int) -> Any:
    """The step of order 2 ``terms`` + 2 of a free body."""

    @formula
    def free(J: Vector, field: Field, h: float, q: Quaternion, w: Vector) -> tuple[Quaternion, Vector, float]:
        """A free step of length h [s]: attitude, angular velocity [rad/s], residual."""
        unit = 1.0 / (J[0] + J[1] + J[2])  # moments as shares of their sum: products of eight stay numbers
        a, b, c = unit * J[0], unit * J[1], unit * J[2]
        m = (a * w[0], b * w[1], c * w[2])
        e1, e2, e3 = a + b + c, a * b + b * c + c * a, a * b * c
        k = 0.5 * h * h / e3
        H = k * (m[0] * w[0] + m[1] * w[1] + m[2] * w[2])
        C = k * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
        s, d = series(H, C, e1, e2, e3, terms)
        x, y, z = (1.0 + s) / a + d, (1.0 + s) / b + d, (1.0 + s) / c + d
        if not (x > 0.0 and y > 0.0 and z > 0.0):
            return q, w, math.inf
        modified = (1.0 / x, 1.0 / y, 1.0 / z)
        v = (x * m[0], y * m[1], z * m[2])
        q, u, residual = moser_veselov.step(modified, field, h, q, v)
        # the change is added: factors that are the same in every step would let the spin drift by their rounding
        w = (w[0] + (u[0] - v[0]) / (x * a), w[1] + (u[1] - v[1]) / (y * b), w[2] + (u[2] - v[2]) / (z * c))
        return q, w, residual

    return between_kicks(free)
