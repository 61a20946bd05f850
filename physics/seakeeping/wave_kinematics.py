"""The surface and the pressure of a sea at one place, with the derivatives of the pressure: compiled formulas.

Pressure over rho g, from (16) and (17) of the laws below, at a height z above calm water:

    p = -z + sum a C(z') cos(theta),  C = exp(k z), or cosh(k (z + d)) / cosh(k d) in a depth d
    Wheeler: z' = d (z - zeta) / (d + zeta), which is z - zeta in deep water: p = 0 on the surface
    linear extrapolation: z' = z below calm water, and above it 0

The first and second derivatives cost no further cosine: one visit of a place tells the pressure around it.
Sources: Newman 1977, chapter 6; Wheeler 1970; DNV-RP-C205, chapter 3.
"""

from __future__ import annotations

import numpy as np

from physics.core.jit import formula
from physics.core.rotation import Array
from physics.seakeeping.elementary_functions import circular, exponential

X, Y, Z, P, PX, PY, PZ, PXX, PXY, PXZ, PYY, PYZ, PZZ = range(13)  # a row: place, pressure, derivatives
WIDTH = 13
AMPLITUDE, KX, KY, K, FREQUENCY, PHASE, STILL = range(7)  # rows of the table of Waves
# rows of the workspace (6, n): a cos(theta), a sin(theta), these times C, and times dC/dz
COS, SIN, EVEN_COS, EVEN_SIN, ODD_COS, ODD_SIN = range(6)
WORK = 6


@formula
def phases_at(table: Array, x: float, y: float, t: float) -> Array:
    """Phases (n,) of the components at a place and a time; places are counted from there afterwards."""
    phases = np.empty(table.shape[1])
    for i in range(len(phases)):
        phases[i] = table[KX, i] * x + table[KY, i] * y - table[FREQUENCY, i] * t + table[PHASE, i]
    return phases


@formula
def surface(table: Array, phases: Array, x: float, y: float, work: Array) -> float:
    """The height of the surface at a place; the workspace is left ready for ``pressure``."""
    n = len(phases)
    for i in range(n):  # no sum in this loop: it becomes one of vectors
        c, s = circular(table[KX, i] * x + table[KY, i] * y + phases[i])
        work[COS, i], work[SIN, i] = table[AMPLITUDE, i] * c, table[AMPLITUDE, i] * s
    height = 0.0
    for i in range(n):
        height += work[COS, i]
    return height


@formula
def pressure(
    table: Array, depth: float, wheeler: bool, above: bool, height: float, work: Array, rows: Array, row: int
) -> None:
    """Fill a row of rows (..., WIDTH), which has its place, with the pressure over rho g and its derivatives.

    Parameters
    ----------
    table : (7, n) of Waves
    above : with linear extrapolation, which law holds at z = 0: that above calm water, or that below
    height, work : what ``surface`` found there
    """
    n = table.shape[1]
    z = rows[row, Z]
    # z' (here g) and its derivatives
    g, gz, gx, gy, gxz, gyz, gxx, gxy, gyy = z, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if wheeler:
        sx, sy, sxx, sxy, syy = 0.0, 0.0, 0.0, 0.0, 0.0  # of the surface
        for i in range(n):
            kx, ky, c, s = table[KX, i], table[KY, i], work[COS, i], work[SIN, i]
            sx -= kx * s
            sy -= ky * s
            sxx -= kx * kx * c
            sxy -= kx * ky * c
            syy -= ky * ky * c
        gz = 1.0 / (1.0 + height / depth)
        g = (z - height) * gz
        slope = -(1.0 + z / depth) * gz * gz  # of z' over the height of the surface
        bend = -2.0 * slope * gz / depth
        gx, gy = slope * sx, slope * sy
        gxz, gyz = -gz * gz / depth * sx, -gz * gz / depth * sy
        gxx, gxy, gyy = slope * sxx + bend * sx * sx, slope * sxy + bend * sx * sy, slope * syy + bend * sy * sy
    elif above:
        g, gz = 0.0, 0.0
    for i in range(n):
        falling = exponential(table[K, i] * g)
        rising = table[STILL, i] / falling  # what the ground sends back
        part = 1.0 / (1.0 + table[STILL, i])
        even, odd = part * (falling + rising), part * table[K, i] * (falling - rising)
        work[EVEN_COS, i], work[EVEN_SIN, i] = even * work[COS, i], even * work[SIN, i]
        work[ODD_COS, i], work[ODD_SIN, i] = odd * work[COS, i], odd * work[SIN, i]
    p, px, py, pz, pxx, pxy, pxz, pyy, pyz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        kx, ky, c, s = table[KX, i], table[KY, i], work[EVEN_COS, i], work[EVEN_SIN, i]
        p += c
        pz += work[ODD_COS, i]
        px -= kx * s
        py -= ky * s
        pxx -= kx * kx * c
        pxy -= kx * ky * c
        pyy -= ky * ky * c
        pxz -= kx * work[ODD_SIN, i]
        pyz -= ky * work[ODD_SIN, i]
    pzz = -pxx - pyy  # Laplace
    rows[row, P] = p - z
    rows[row, PX] = px + pz * gx
    rows[row, PY] = py + pz * gy
    rows[row, PZ] = pz * gz - 1.0
    rows[row, PXX] = pxx + 2.0 * pxz * gx + pzz * gx * gx + pz * gxx
    rows[row, PXY] = pxy + pxz * gy + pyz * gx + pzz * gx * gy + pz * gxy
    rows[row, PXZ] = (pxz + pzz * gx) * gz + pz * gxz
    rows[row, PYY] = pyy + 2.0 * pyz * gy + pzz * gy * gy + pz * gyy
    rows[row, PYZ] = (pyz + pzz * gy) * gz + pz * gyz
    rows[row, PZZ] = pzz * gz * gz
