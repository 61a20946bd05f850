"""Waves that all go one way, as Taylor series about a few places: a place then costs a series, and no wave a cosine.

With s along the waves and z up, the waves' part of the pressure in deep water is the real part of

    F(w) = sum a exp(k w + i e),  w = z + i s,

and F' and F'' are its derivatives over z and i s. In a depth d what the ground sends back is F again, of -z + i s and
with amplitudes a exp(-2 k d). F has a series about the middle of each square of a grid; the surface, of s alone, has
one about the middle of each stretch of a line. Squares and stretches are so small beside the shortest wave that what is
left out of a series and of its second derivative is below the rounding of the sum of the waves.
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.jit import formula
from physics.core.rotation import Array

# The largest wavenumber times the distance from the middle, and how many terms: of the second derivative 2 less
REACH, TERMS = 1.5, 24  # 1.5^22 / 22! is 7e-18
LINE_REACH, LINE_TERMS = 0.5, 16  # 0.5^14 / 14! is 7e-16, and the surface is bent little; a multiple of 4
FEWEST = 8  # waves: fewer are added up sooner than a series of TERMS
PLACES = 4  # or more for each series: fewer are added up sooner than the series is made

Line = tuple[Array, float, float]  # series about the middles of stretches (n, LINE_TERMS), where they begin, how long


@formula
def powers(k: Array, terms: int) -> Array:
    """k^m / m! (n, terms)."""
    found = np.empty((len(k), terms))
    for i in range(len(k)):
        term = 1.0
        for m in range(terms):
            found[i, m] = term
            term *= k[i] / (m + 1.0)
    return found


@formula
def line_of(a: Array, k: Array, phases: Array, s: Array) -> Line:
    """The surface about the middles of equal stretches from the least s on; no series where they are not worth it.

    Parameters
    ----------
    a, k, phases : of the waves at s = 0
    s : (m,) places along the waves, at least one
    """
    low, spacing = s.min(), 2.0 * LINE_REACH / k.max()
    stretches = (s.max() - low) / spacing
    if not stretches * PLACES < len(s):  # also where a place is no number
        return np.empty((0, LINE_TERMS)), low, spacing
    series, factors = np.zeros((int(stretches) + 1, LINE_TERMS)), powers(k, LINE_TERMS)
    for j in range(len(series)):
        middle = low + (j + 0.5) * spacing
        for i in range(len(k)):
            angle = k[i] * middle + phases[i]
            cosine, sine = a[i] * math.cos(angle), a[i] * math.sin(angle)
            for m in range(0, LINE_TERMS, 4):
                series[j, m] += factors[i, m] * cosine
                series[j, m + 1] -= factors[i, m + 1] * sine
                series[j, m + 2] -= factors[i, m + 2] * cosine
                series[j, m + 3] += factors[i, m + 3] * sine
    return series, low, spacing


@formula
def on_line(line: Line, s: float) -> tuple[float, float, float]:
    """The surface at a place, and its first and second derivative."""
    series, low, spacing = line
    j = min(int((s - low) / spacing), len(series) - 1)
    h = s - (low + (j + 0.5) * spacing)
    value, slope, bend = 0.0, 0.0, 0.0
    for m in range(LINE_TERMS - 1, -1, -1):
        bend = bend * h + slope
        slope = slope * h + value
        value = value * h + series[j, m]
    return value, slope, 2.0 * bend


@formula
def expand(a: Array, k: Array, phases: Array, factors: Array, z: float, s: float, out: Array) -> None:
    """Real and imaginary parts of the series of F about z + i s, out (2, TERMS); factors: of ``powers``."""
    out[:] = 0.0
    for i in range(len(k)):
        size, angle = a[i] * math.exp(k[i] * z), k[i] * s + phases[i]
        real, imaginary = size * math.cos(angle), size * math.sin(angle)
        for m in range(TERMS):
            out[0, m] += factors[i, m] * real
            out[1, m] += factors[i, m] * imaginary


@formula
def evaluated(series: Array, x: float, y: float) -> tuple[float, float, float, float, float]:
    """Re F, Re F', Im F', Re F'', Im F'' at x + i y from the middle of a series (2, TERMS)."""
    vr, vi, sr, si, br, bi = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(TERMS - 1, -1, -1):
        br, bi = br * x - bi * y + sr, br * y + bi * x + si
        sr, si = sr * x - si * y + vr, sr * y + si * x + vi
        vr, vi = vr * x - vi * y + series[0, m], vr * y + vi * x + series[1, m]
    return vr, sr, si, 2.0 * br, 2.0 * bi
