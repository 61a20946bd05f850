"""Rigid bodies: mass, principal axes and shape."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.bodies.surface import Surface
from physics.core.errors import ScenarioError
from physics.core.rotation import Array, apply, conjugate, multiply
from physics.core.wording import N_

# ---- principal axes -----------------------------------------------------------------------------------
# LAPACK's digits depend on the processor that OpenBLAS finds: the last ones of a rock's axes, and after some impacts
# all of its path. Jacobi's method takes sums, products, quotients and square roots only, which IEEE 754 defines to
# the last digit.

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


# ---- the body -----------------------------------------------------------------------------------------

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
ROUND = 1e-6  # relative difference of moments and of corners that count as those of a body of revolution
SMALLEST = 1e-100  # [kg], [kg m²], and its inverse also [m]: the schemes square what they are given


class Origin(NamedTuple):
    """The file whose surface a body has: the parts that it takes, and the map to the body's axes.

    place : (3, 4) from the coordinates of the file, as they stand there, to the body's [m]
    """

    file: Path
    nodes: tuple[str, ...]
    place: Array

    def moved(self, turn: Array, shift: Array) -> Origin:
        """The same after a map by a matrix (3, 3) and a shift (3,) [m]."""
        placed = turn @ self.place
        placed[:, 3] += shift
        return self._replace(place=placed)


@dataclass(frozen=True, eq=False)  # compared by identity: caches are keyed by it
class Body:
    """A rigid body in its own axes, the centre of mass at the origin.

    Attributes
    ----------
    mass : [kg]
    inertia : (3,) principal moments about the centre of mass [kg m²], in the order of the principal axes
    axes : (4,) unit quaternion, principal axes -> body axes; the identity when the body was given in them
    vertices : (n, 3) [m] of the polyhedron that is drawn; without a surface they, and only they, touch the ground
    faces : (m, 3) triangles of vertex numbers, counter-clockwise seen from outside
    volume : [m³]
    convex : whether the polyhedron is its own convex hull
    notes : what was repaired in the file it came from, one sentence each
    surface : what touches a table or the ground where the body is smooth; None: it is the polyhedron
    centre : (3,) the centre of mass in the coordinates of the shape, the file or the parts [m]
    origins : the files whose surface it has, from which it can be drawn as they say; (): there is none
    """

    mass: float
    inertia: Array
    vertices: Array
    faces: np.ndarray
    volume: float
    axes: Array
    convex: bool = True
    notes: tuple[str, ...] = ()
    surface: Surface | None = None
    centre: Array = field(default_factory=lambda: np.zeros(3))
    origins: tuple[Origin, ...] = ()

    @cached_property
    def radius(self) -> float:
        """Distance of the farthest vertex from the centre of mass [m]."""
        return float(np.linalg.norm(self.vertices, axis=1).max())

    @cached_property
    def corners(self) -> Array:
        """(n, 3) the vertices in principal axes [m]."""
        return np.ascontiguousarray(apply(conjugate(self.axes), self.vertices))

    @property
    def extents(self) -> Array:
        """(3,) extents along the body axes [m]."""
        return np.asarray(np.ptp(self.vertices, axis=0), float)

    def is_round(self, axis: Array) -> bool:
        """True for a body of revolution, in shape and moments, about an axis through the centre of mass.

        axis : (3,) unit vector in principal axes. A polyhedron counts as round from a regular one of 12 sides on.
        """
        turn = np.linalg.svd(axis[None])[2]  # rows: the axis, and two across it
        moments = turn * self.inertia @ turn.T
        if np.abs(moments - np.diag([moments[0, 0], moments[1, 1], moments[1, 1]])).max() > ROUND * moments.max():
            return False
        if self.surface is not None:
            return self.surface.is_round(apply(self.axes, axis))
        along, across = self.corners @ turn[0], self.corners @ turn[1:].T
        r, angle = np.linalg.norm(across, axis=1) / self.radius, np.arctan2(across[:, 1], across[:, 0])
        return all(
            abs(weight @ np.exp(1j * n * angle)) <= ROUND * weight.sum()
            for weight in (r * (1.0 + k * along / self.radius) ** 2 for k in (-1.0, 0.0, 1.0))
            for n in range(1, 12)
        )

    def to_principal(self, orientation: Array, angular_velocity: Array) -> tuple[Array, Array]:
        """Attitude (..., 4) and angular velocity (..., 3) of the principal axes from those of the body axes."""
        return multiply(orientation, self.axes), apply(conjugate(self.axes), angular_velocity)

    def from_principal(self, orientation: Array, angular_velocity: Array) -> tuple[Array, Array]:
        """Attitude (..., 4) and angular velocity (..., 3) of the body axes from those of the principal axes."""
        return multiply(orientation, conjugate(self.axes)), apply(self.axes, angular_velocity)

    def spin(self, angular_velocity: Array) -> Array:
        """Angular momentum in the body frame (..., 3) [kg m²/s] of the angular velocity (..., 3) [rad/s]."""
        return apply(self.axes, self.inertia * apply(conjugate(self.axes), angular_velocity))


def check_numbers(body: Body, moments: Array) -> None:
    """ScenarioError for a body whose mass, moments or extents schemes cannot square: too large or too small ones."""
    numbers = np.array([body.mass, *body.inertia, *moments])
    sound = (numbers > SMALLEST) & (numbers < 1.0 / SMALLEST)
    if not (sound.all() and (np.abs(body.vertices) < 1.0 / SMALLEST).all()):
        raise ScenarioError("body", N_("mass, moments of inertia or extents are too large or too small for a number"))
