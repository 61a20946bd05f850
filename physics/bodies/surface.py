"""Surface: the support mapping of a smooth convex body, and how it is curved where it touches a plane.

In body axes, u the normal of the plane and S the centre of mass, the body touches at

    ρ(u) = c - M u / H - l sign(u.a) a - r u,   H = sqrt(u.M u),

c from S to the centre of the shape. An ellipsoid has M = F D² F^T with its semi-axes D along F; a disk is an ellipse
without thickness, M = (R - r)² (I - a a^T), swept along its axis a by ±l and rounded by a ball of radius r at the rim.
Then ρ' = -S u' with the operator S = (M - M u (M u)^T / H²) / H + r, whose eigenvalues across u are the radii of
curvature; a sharp edge has a radius of 0, and at u = ±a a disk touches with a face.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from physics.core.jit import formula
from physics.core.rotation import Array, Vector, cross, dot, matrix

Matrix = tuple[float, float, float, float, float, float]  # xx, yy, zz, yz, zx, xy of a symmetric one
Shape = tuple[Matrix, Vector, Vector, float, float]  # M, c, a, l, r

SIZE = 14


@dataclass(frozen=True)
class Surface:
    """The surface of a convex body in its body axes, the centre of mass at the origin.

    Attributes
    ----------
    form : (3, 3) the matrix M [m²]
    centre : (3,) from the centre of mass to the centre of the shape [m]
    axis : (3,) unit vector of the axis a, along which it is swept; the axis of a disk
    half_length : l [m]; 0 for what is not swept
    rounding : r [m] of the ball that rounds it
    """

    form: Array
    centre: Array
    axis: Array
    half_length: float = 0.0
    rounding: float = 0.0

    @property
    def numbers(self) -> Array:
        """(SIZE,) as the kernels take it."""
        M = self.form
        upper = (M[0, 0], M[1, 1], M[2, 2], M[1, 2], M[2, 0], M[0, 1])
        return np.array([*upper, *self.centre, *self.axis, self.half_length, self.rounding])

    def scaled(self, factor: float) -> Surface:
        """The same shape, all lengths times a factor."""
        form, centre = self.form * factor**2, self.centre * factor
        return Surface(form, centre, self.axis, self.half_length * factor, self.rounding * factor)

    @property
    def flat(self) -> bool:
        """True if it has faces, at both ends of its axis."""
        return float(self.axis @ self.form @ self.axis) == 0.0

    def is_round(self, axis: Array) -> bool:
        """True for a surface of revolution about an axis through the centre of mass, a unit vector (3,)."""
        turn = np.linalg.svd(axis[None])[2]  # rows: the axis, and two across it
        form = turn @ self.form @ turn.T
        off = [
            np.abs(form - np.diag([form[0, 0], form[1, 1], form[1, 1]])).max() / form.max(),
            np.linalg.norm(np.cross(axis, self.centre)) / math.sqrt(form.max()),
            np.linalg.norm(np.cross(axis, self.axis)) if self.half_length else 0.0,
        ]
        return bool(max(off) < 1e-6)

    def support(self, u: ArrayLike) -> Array:
        """ρ(u) (..., 3) [m] for normals (..., 3) of the plane; in the middle of a face where it touches with one."""
        u = np.asarray(u, float)
        H = np.sqrt(np.einsum("...i,ij,...j->...", u, self.form, u))[..., None]
        point = np.divide(u @ self.form, H, out=np.zeros(u.shape), where=H > 0.0)
        swept = self.half_length * np.sign(u @ self.axis)[..., None] * self.axis
        return np.asarray(self.centre - point - swept - self.rounding * u)

    def height(self, u: ArrayLike) -> Array:
        """-u.ρ(u) (...) [m]: of the centre of mass above the plane that it touches."""
        u = np.asarray(u, float)
        H = np.sqrt(np.einsum("...i,ij,...j->...", u, self.form, u))
        swept = self.half_length * np.abs(u @ self.axis)
        return np.asarray(H + swept + self.rounding - u @ self.centre)


def ellipsoid(semi_axes: ArrayLike, centre: ArrayLike = (0.0, 0.0, 0.0), axes: ArrayLike = (1.0, 0, 0, 0)) -> Surface:
    """An ellipsoid with semi-axes (3,) [m]; axes (4,): the quaternion that takes its axes to those of the body."""
    turn, half = matrix(axes), np.asarray(semi_axes, float)
    return Surface(turn * half**2 @ turn.T, np.asarray(centre, float), turn[:, 2])


def sphere(radius: float, centre: ArrayLike = (0.0, 0.0, 0.0)) -> Surface:
    """A sphere [m]; ``centre`` from its centre of mass to its own."""
    return ellipsoid([radius] * 3, centre)


def disk(
    semi_axes: ArrayLike,
    half_thickness: float,
    rim: float,
    centre: ArrayLike = (0.0, 0.0, 0.0),
    axes: ArrayLike = (1.0, 0, 0, 0),
) -> Surface:
    """A disk about its own z axis with semi-axes (2,) [m], the same where it is round.

    half_thickness [m], rim : radius [m] with which its rim is rounded, from 0 (two sharp edges) to half_thickness
    """
    turn, half = matrix(axes), np.array([*np.asarray(semi_axes, float) - rim, 0.0])
    form = turn * half**2 @ turn.T if not np.array_equal(turn, np.eye(3)) else np.diag(half**2)
    return Surface(form, np.asarray(centre, float), turn[:, 2], half_thickness - rim, rim)


# ---- for kernels --------------------------------------------------------------------------------------


@formula
def shape_of(numbers: Array) -> Shape:
    """A surface as tuples, from its ``numbers``."""
    s = numbers
    return (s[0], s[1], s[2], s[3], s[4], s[5]), (s[6], s[7], s[8]), (s[9], s[10], s[11]), s[12], s[13]


@formula
def times(M: Matrix, x: Vector) -> Vector:
    """M x."""
    return (
        M[0] * x[0] + M[5] * x[1] + M[4] * x[2],
        M[5] * x[0] + M[1] * x[1] + M[3] * x[2],
        M[4] * x[0] + M[3] * x[1] + M[2] * x[2],
    )


@formula
def height(shape: Shape, u: Vector) -> float:
    """-u.ρ(u): the height of the centre of mass above the plane that the body touches."""
    M, c, a, length, r = shape
    return math.sqrt(max(dot(u, times(M, u)), 0.0)) + length * abs(dot(u, a)) + r - dot(u, c)


@formula
def support(shape: Shape, u: Vector) -> Vector:
    """ρ(u)."""
    M, c, a, length, r = shape
    x = times(M, u)
    H = math.sqrt(max(dot(u, x), 0.0))
    i, along = (1.0 / H if H > 0.0 else 0.0), dot(u, a)
    s = length if along > 0.0 else (-length if along < 0.0 else 0.0)
    return (
        c[0] - i * x[0] - s * a[0] - r * u[0],
        c[1] - i * x[1] - s * a[1] - r * u[1],
        c[2] - i * x[2] - s * a[2] - r * u[2],
    )


@formula
def contour_lever(shape: Shape, u: Vector, t: Vector) -> Vector:
    """The vector whose product with the angular velocity is t.ρ': u x S t, see above."""
    M, r = shape[0], shape[4]
    x, y = times(M, u), times(M, t)
    H2 = dot(u, x)
    i = 1.0 / math.sqrt(H2) if H2 > 0.0 else 0.0
    k = dot(t, x) / H2 if H2 > 0.0 else 0.0
    return cross(
        u, (i * (y[0] - k * x[0]) + r * t[0], i * (y[1] - k * x[1]) + r * t[1], i * (y[2] - k * x[2]) + r * t[2])
    )
