"""Principal axes of a body, with the same digits on every processor.

LAPACK's digits depend on the processor that OpenBLAS finds (Haswell, SkylakeX, ...): the last ones of a rock's axes,
and after some impacts all of its path. Jacobi's method takes sums, products, quotients and square roots only, which
IEEE 754 defines to the last digit.
"""

from __future__ import annotations

import math

import numpy as np

from physics.core.rotation import Array

SWEEPS = 30  # six are enough for any matrix that was tried


def eigen(matrix: Array) -> tuple[Array, Array]:
    """Eigenvalues (3,), ascending, and eigenvectors, the columns (3, 3), of a symmetric matrix (3, 3).

    Cyclic Jacobi rotations (Golub & Van Loan, Matrix Computations, 8.5); errors: rounding of the largest eigenvalue.
    """
    a = [[float(x) for x in row] for row in matrix]
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(SWEEPS):
        if a[0][1] == a[0][2] == a[1][2] == 0.0:
            break
        for p, q in ((0, 1), (0, 2), (1, 2)):
            _rotate(a, v, p, q)
    moments = [a[i][i] for i in range(3)]
    order = sorted(range(3), key=lambda i: moments[i])
    return np.array([moments[i] for i in order]), np.array(v)[:, order]


def _rotate(a: list[list[float]], v: list[list[float]], p: int, q: int) -> None:
    """Turn by the angle that takes a[p][q] to zero; where it no longer counts, it is dropped."""
    if abs(a[p][q]) <= 1e-18 * (abs(a[p][p]) + abs(a[q][q])):
        a[p][q] = a[q][p] = 0.0
        return
    slope = (a[q][q] - a[p][p]) / (2.0 * a[p][q])
    t = math.copysign(1.0, slope) / (abs(slope) + math.sqrt(slope * slope + 1.0))
    c = 1.0 / math.sqrt(t * t + 1.0)
    s, r = t * c, 3 - p - q
    a[p][p], a[q][q] = a[p][p] - t * a[p][q], a[q][q] + t * a[p][q]
    a[p][q] = a[q][p] = 0.0
    a[p][r], a[q][r] = c * a[p][r] - s * a[q][r], s * a[p][r] + c * a[q][r]
    a[r][p], a[r][q] = a[p][r], a[q][r]
    for row in v:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
