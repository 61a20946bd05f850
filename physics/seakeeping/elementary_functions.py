"""Cosine with sine, and the exponential of what is not far above 0, by Taylor series: a compiler makes vectors of them.

A library's functions are called for one number at a time. A loop over arrays that calls these handles as many numbers
at once as the processor has room for: two to five times faster. Both are right to 2e-16.
"""

from __future__ import annotations

import math

from physics.core.jit import formula

LEAST = -44.0  # exponent: below it the exponential stays at 8e-20
_QUARTERS = 2.0 / math.pi
# pi/2 in three parts, the first two of 33 bits: multiples of them by up to 1e6 are exact
_FIRST, _SECOND, _THIRD = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
_HALVINGS = 1.0 / math.log(2.0)
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # the first of 32 bits
S3, S5, S7, S9, S11, S13, S15, S17 = ((-1.0) ** n / math.factorial(2 * n + 1) for n in range(1, 9))
C4, C6, C8, C10, C12, C14, C16, C18 = ((-1.0) ** n / math.factorial(2 * n) for n in range(2, 10))
E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12, E13, E14 = (1.0 / math.factorial(n) for n in range(2, 15))


@formula
def circular(angle: float) -> tuple[float, float]:
    """Cosine and sine of an angle below 1e6 [rad]."""
    n = math.floor(angle * _QUARTERS + 0.5)
    r = ((angle - n * _FIRST) - n * _SECOND) - n * _THIRD
    x = r * r
    sine = S9 + x * (S11 + x * (S13 + x * (S15 + x * S17)))
    sine = r + r * x * (S3 + x * (S5 + x * (S7 + x * sine)))
    cosine = C10 + x * (C12 + x * (C14 + x * (C16 + x * C18)))
    cosine = 1.0 - x * (0.5 - x * (C4 + x * (C6 + x * (C8 + x * cosine))))
    half, up = math.floor(0.5 * n), math.floor(0.5 * n + 0.5)
    swapped = n - 2.0 * half > 0.5
    c, s = (sine, cosine) if swapped else (cosine, sine)
    return c * (1.0 - 2.0 * (up - 2.0 * math.floor(0.5 * up))), s * (1.0 - 2.0 * (half - 2.0 * math.floor(0.5 * half)))


@formula
def exponential(u: float) -> float:
    """exp(u) for u up to 0.7, within 2e-16; below LEAST that of LEAST."""
    u = max(u, LEAST)
    n = min(math.floor(u * _HALVINGS + 0.5), 0.0)
    r = (u - n * _LN2_HIGH) - n * _LN2_LOW
    e = E8 + r * (E9 + r * (E10 + r * (E11 + r * (E12 + r * (E13 + r * E14)))))
    e = 1.0 + (r + r * r * (E2 + r * (E3 + r * (E4 + r * (E5 + r * (E6 + r * (E7 + r * e)))))))
    left = -n  # halvings still to do, at most 63
    e, left = (e * 2.0**-32, left - 32.0) if left >= 32.0 else (e, left)
    e, left = (e * 2.0**-16, left - 16.0) if left >= 16.0 else (e, left)
    e, left = (e * 2.0**-8, left - 8.0) if left >= 8.0 else (e, left)
    e, left = (e * 2.0**-4, left - 4.0) if left >= 4.0 else (e, left)
    e, left = (e * 2.0**-2, left - 2.0) if left >= 2.0 else (e, left)
    return e * 0.5 if left >= 1.0 else e
