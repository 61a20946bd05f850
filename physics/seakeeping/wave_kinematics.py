"""The surface and the pressure of a sea at one place, with the derivatives of the pressure: compiled formulas.

Pressure over rho g, from (16) and (17) of the laws below, at a height z above calm water:

    p = -z + sum a C(z') cos(theta),  C = exp(k z), or cosh(k (z + d)) / cosh(k d) in a depth d
    Wheeler: z' = d (z - zeta) / (d + zeta), which is z - zeta in deep water: p = 0 on the surface
    linear extrapolation: z' = z below calm water, and above it 0

The first and second derivatives cost no further cosine. Places are handled in blocks, component by component: the loops
over a block have no sum of their own, so that the compiler makes them loops of vectors. Waves that all go one way, as
those of a sea do, have series instead where that is quicker: the same but for rounding.
Sources: Newman 1977, chapter 6; Wheeler 1970; DNV-RP-C205, chapter 3.
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.jit import formula
from physics.core.rotation import Array

# ---- waves that all go one way, as Taylor series about a few places -----------------------------------
# With s along the waves and z up, the waves' part of the pressure in deep water is the real part of
#
#     F(w) = sum a exp(k w + i e),  w = z + i s,
#
# and F' and F'' are its derivatives over z and i s. In a depth d what the ground sends back is F again, of -z + i s
# and with amplitudes a exp(-2 k d). F has a series about the middle of each square of a grid; the surface, of s
# alone, has one about the middle of each stretch of a line. Squares and stretches are so small beside the shortest
# wave that what is left out of a series and of its second derivative is below the rounding of the sum of the waves.

# The largest wavenumber times the distance from the middle, and how many terms: of the second derivative 2 less
REACH, TERMS = 1.5, 24  # 1.5^22 / 22! is 7e-18
LINE_REACH, LINE_TERMS = 0.5, 16  # 0.5^14 / 14! is 7e-16, and the surface is bent little; a multiple of 4
FEWEST = 8  # waves: fewer are added up sooner than a series of TERMS
PLACES = 4  # or more for each series: fewer are added up sooner than the series is made

# series about the middles of stretches (n, LINE_TERMS), where they begin, how long
SeriesLine = tuple[Array, float, float]


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
def line_of(a: Array, k: Array, phases: Array, s: Array) -> SeriesLine:
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
def on_line(line: SeriesLine, s: float) -> tuple[float, float, float]:
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


# ---- cosine with sine, and the exponential of what is not far above 0, by Taylor series ---------------
# A library's functions take one number at a time; a loop over arrays that calls these is compiled to vectors and is
# two to five times faster. Both are right to 2e-16.

MIN_EXPONENT = -44.0  # exponent: below it the exponential stays at 8e-20
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
    """exp(u) for u up to 0.7, within 2e-16; below MIN_EXPONENT that of MIN_EXPONENT."""
    u = max(u, MIN_EXPONENT)
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


# ---- sums over the waves ------------------------------------------------------------------------------

X, Y, Z, P, PX, PY, PZ, PXX, PXY, PXZ, PYY, PYZ, PZZ = range(13)  # a row: place, pressure, derivatives
WIDTH = 13
AMPLITUDE, KX, KY, K, FREQUENCY, PHASE, STILL = range(7)  # rows of the table of Waves
H, HX, HY, HXX, HXY, HYY = range(6)  # the surface and its derivatives, and after them sums of the pressure
DYNAMIC, DX, DY, DZ, DXX, DXY, DXZ, DYY, DYZ = range(6, 15)
SUMS = 15
BLOCK = 64  # places: what is kept of them stays in the fastest memory


@formula
def phases_at(table: Array, x: float, y: float, t: float) -> Array:
    """Phases (n,) of the components at a place and a time; places are counted from there afterwards."""
    phases = np.empty(table.shape[1])
    for i in range(len(phases)):
        angle = table[KX, i] * x + table[KY, i] * y - table[FREQUENCY, i] * t + table[PHASE, i]
        phases[i] = angle % (2.0 * math.pi)  # however late it is, ``circular`` gets small angles
    return phases


@formula
def _one_way(table: Array) -> bool:
    """Return True if there are many waves, and all go one way."""
    for i in range(table.shape[1]):
        k, unit = table[K, i], 1e-15 * table[K, i] * table[K, 0]
        if abs(table[KX, i] * table[K, 0] - table[KX, 0] * k) > unit:
            return False
        if abs(table[KY, i] * table[K, 0] - table[KY, 0] * k) > unit:
            return False
    return len(table[K]) >= FEWEST


@formula
def heights(table: Array, phases: Array, x: Array, y: Array) -> Array:
    """The height of the surface (m,) at places (m,)."""
    found = np.zeros(len(x))
    if len(x) > 0 and _one_way(table):
        s = table[KX, 0] / table[K, 0] * x + table[KY, 0] / table[K, 0] * y
        line = line_of(table[AMPLITUDE], table[K], phases, s)
        if len(line[0]) > 0:
            for j in range(len(s)):
                found[j], _, _ = on_line(line, s[j])
            return found
    for i in range(len(phases)):
        a, kx, ky, phase = table[AMPLITUDE, i], table[KX, i], table[KY, i], phases[i]
        for j in range(len(x)):
            c, _ = circular(kx * x[j] + ky * y[j] + phase)
            found[j] += a * c
    return found


@formula
def _angles(table: Array, phases: Array, place: Array, cosines: Array, sines: Array) -> None:
    """Cosine and sine (n, BLOCK) of each component at a block of places (3, BLOCK)."""
    for i in range(len(phases)):
        kx, ky, phase = table[KX, i], table[KY, i], phases[i]
        for j in range(BLOCK):
            cosines[i, j], sines[i, j] = circular(kx * place[X, j] + ky * place[Y, j] + phase)


@formula
def _surface(table: Array, cosines: Array, sines: Array, sums: Array) -> None:
    """Add up the surface and its derivatives at a block of places."""
    for i in range(len(cosines)):
        a, kx, ky = table[AMPLITUDE, i], table[KX, i], table[KY, i]
        for j in range(BLOCK):
            c, s = a * cosines[i, j], a * sines[i, j]
            sums[H, j] += c
            sums[HX, j] -= kx * s
            sums[HY, j] -= ky * s
            sums[HXX, j] -= kx * kx * c
            sums[HXY, j] -= kx * ky * c
            sums[HYY, j] -= ky * ky * c


@formula
def _pressure(table: Array, z: Array, cosines: Array, sines: Array, sums: Array) -> None:
    """Add up the pressure of the waves and its derivatives over x, y and z', at a block of places with z' (BLOCK,)."""
    for i in range(len(cosines)):
        kx, ky, k, still = table[KX, i], table[KY, i], table[K, i], table[STILL, i]
        a = table[AMPLITUDE, i] / (1.0 + still)
        for j in range(BLOCK):
            c, s = cosines[i, j], sines[i, j]
            falling = exponential(k * z[j])
            rising = still / falling  # what the ground sends back
            even, odd = a * (falling + rising), a * k * (falling - rising)  # a C, and a dC/dz
            sums[DYNAMIC, j] += even * c
            sums[DX, j] -= kx * even * s
            sums[DY, j] -= ky * even * s
            sums[DZ, j] += odd * c
            sums[DXX, j] -= kx * kx * even * c
            sums[DXY, j] -= kx * ky * even * c
            sums[DXZ, j] -= kx * odd * s
            sums[DYY, j] -= ky * ky * even * c
            sums[DYZ, j] -= ky * odd * s


@formula
def pressures(
    table: Array, phases: Array, depth: float, wheeler: bool, rows: Array, above: np.ndarray, wanted: np.ndarray
) -> None:
    """Fill rows, which have their places, with the pressure over rho g and its derivatives.

    Parameters
    ----------
    table : (7, n) of Waves
    phases : (n,) of ``phases_at``
    rows : (m, WIDTH)
    above : (m,) with linear extrapolation, whether the law above calm water holds, or that below
    wanted : numbers of the rows to fill
    """
    if len(wanted) > 0 and _one_way(table) and _by_series(table, phases, depth, wheeler, rows, above, wanted):
        return
    place, sums = np.zeros((3, BLOCK)), np.zeros((SUMS, BLOCK))
    cosines, sines = np.empty((len(phases), BLOCK)), np.empty((len(phases), BLOCK))
    for start in range(0, len(wanted), BLOCK):
        size = min(BLOCK, len(wanted) - start)
        for j in range(size):
            row = wanted[start + j]
            place[X, j], place[Y, j] = rows[row, X], rows[row, Y]
            place[Z, j] = 0.0 if above[row] else rows[row, Z]
        sums[:] = 0.0
        _angles(table, phases, place, cosines, sines)
        if wheeler:
            _surface(table, cosines, sines, sums)
            for j in range(size):
                place[Z, j] = (place[Z, j] - sums[H, j]) / (1.0 + sums[H, j] / depth)
        _pressure(table, place[Z], cosines, sines, sums)
        for j in range(size):
            row = wanted[start + j]
            _store(sums[:, j], 1.0 / depth, 0.0 if above[row] else 1.0, rows, row)


@formula
def _by_series(
    table: Array, phases: Array, depth: float, wheeler: bool, rows: Array, above: np.ndarray, wanted: np.ndarray
) -> bool:
    """``pressures`` of waves that go one way; whether it was done: not where squares would be many for few rows."""
    k, ux, uy = table[K], table[KX, 0] / table[K, 0], table[KY, 0] / table[K, 0]
    s, z, surface = np.empty(len(wanted)), np.empty(len(wanted)), np.zeros((3, len(wanted)))
    for j in range(len(wanted)):
        row = wanted[j]
        s[j], z[j] = ux * rows[row, X] + uy * rows[row, Y], 0.0 if above[row] else rows[row, Z]
    low = s.min()
    if wheeler:
        line = line_of(table[AMPLITUDE], k, phases, s)
        if len(line[0]) == 0:
            return False
        for j in range(len(wanted)):
            surface[0, j], surface[1, j], surface[2, j] = on_line(line, s[j])
            z[j] = (z[j] - surface[0, j]) / (1.0 + surface[0, j] / depth)
    side = math.sqrt(2.0) * REACH / k.max()
    across, down = (s.max() - low) / side + 1.0, max(-z.min() / side, 0.0) + 1.0
    if not across * down * PLACES < len(wanted):  # also where a place is no number
        return False
    columns, levels = int(across), int(down)
    series, made = np.empty((columns * levels, 2, 2, TERMS)), np.zeros(columns * levels, np.bool_)
    a, factors, sums = table[AMPLITUDE] / (1.0 + table[STILL]), powers(k, TERMS), np.zeros(SUMS)
    shallow = table[STILL].max() > 0.0
    for j in range(len(wanted)):
        row, column = wanted[j], min(int((s[j] - low) / side), columns - 1)
        level = min(max(int(-z[j] / side), 0), levels - 1)
        cell, x, y = column * levels + level, -(level + 0.5) * side, low + (column + 0.5) * side
        if not made[cell]:
            made[cell] = True
            expand(a, k, phases, factors, x, y, series[cell, 0])
            if shallow:
                expand(a, k, phases, factors, -x - 2.0 * depth, y, series[cell, 1])
        value, real, imaginary, bend, twist = evaluated(series[cell, 0], z[j] - x, s[j] - y)
        if shallow:  # what the ground sends back
            p, q, r, u, v = evaluated(series[cell, 1], x - z[j], s[j] - y)
            value, bend, imaginary = value + p, bend + u, imaginary + r
            real, twist = real - q, twist - v
        sums[H], sums[HX], sums[HY] = surface[0, j], ux * surface[1, j], uy * surface[1, j]
        sums[HXX], sums[HXY], sums[HYY] = ux * ux * surface[2, j], ux * uy * surface[2, j], uy * uy * surface[2, j]
        sums[DYNAMIC], sums[DX], sums[DY], sums[DZ] = value, -ux * imaginary, -uy * imaginary, real
        sums[DXX], sums[DXY], sums[DYY] = -ux * ux * bend, -ux * uy * bend, -uy * uy * bend
        sums[DXZ], sums[DYZ] = -ux * twist, -uy * twist
        _store(sums, 1.0 / depth, 0.0 if above[row] else 1.0, rows, row)
    return True


@formula
def _store(s: Array, shallow: float, below: float, rows: Array, row: int) -> None:
    """Derivatives over the place from those over x, y and z', by the chain rule; without Wheeler the surface is 0.

    shallow is 1 over the depth, and below is 0 where z' stays at 0 and otherwise 1.
    """
    z = rows[row, Z]
    gz = below / (1.0 + s[H] * shallow)  # derivatives of z'
    slope = -(1.0 + z * shallow) * gz * gz  # of z' over the height of the surface
    bend = -2.0 * slope * gz * shallow
    gx, gy = slope * s[HX], slope * s[HY]
    gxz, gyz = -gz * gz * shallow * s[HX], -gz * gz * shallow * s[HY]
    gxx, gxy = slope * s[HXX] + bend * s[HX] * s[HX], slope * s[HXY] + bend * s[HX] * s[HY]
    gyy = slope * s[HYY] + bend * s[HY] * s[HY]
    dzz = -s[DXX] - s[DYY]  # Laplace
    rows[row, P] = s[DYNAMIC] - z
    rows[row, PX] = s[DX] + s[DZ] * gx
    rows[row, PY] = s[DY] + s[DZ] * gy
    rows[row, PZ] = s[DZ] * gz - 1.0
    rows[row, PXX] = s[DXX] + 2.0 * s[DXZ] * gx + dzz * gx * gx + s[DZ] * gxx
    rows[row, PXY] = s[DXY] + s[DXZ] * gy + s[DYZ] * gx + dzz * gx * gy + s[DZ] * gxy
    rows[row, PXZ] = (s[DXZ] + dzz * gx) * gz + s[DZ] * gxz
    rows[row, PYY] = s[DYY] + 2.0 * s[DYZ] * gy + dzz * gy * gy + s[DZ] * gyy
    rows[row, PYZ] = (s[DYZ] + dzz * gy) * gz + s[DZ] * gyz
    rows[row, PZZ] = dzz * gz * gz
