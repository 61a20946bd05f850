"""Rotations: unit quaternions (scalar first, body -> inertial), rotation vectors and matrices.

Conventions, everywhere in this package: ``v_inertial = R(q) v_body``, Hamilton product, ``q' = 1/2 q o (0, w)``
with the angular velocity ``w`` in the body frame [rad/s]. The functions on tuples are inlined into the
compiled kernels; those on arrays serve whole trajectories, shapes ``(..., 4)`` and ``(..., 3)``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physics.core.jit import formula

Array = NDArray[np.float64]
Real = TypeVar("Real", float, Array)
Vector = tuple[float, float, float]
Symmetric = tuple[float, float, float, float, float, float]  # matrix: xx, yy, zz, xy, xz, yz
Quaternion = tuple[float, float, float, float]
Field = tuple[  # see physics.core.potential
    float, float, float, float, float, float, float, float, float, float, float, float
]


# ---- tuples: for kernels ------------------------------------------------------------------------------


@formula
def cross(a: Vector, b: Vector) -> Vector:
    """Cross product of two vectors.

    Parameters
    ----------
    a, b : tuple of float, (3,)
        Vectors in any units.

    Returns
    -------
    tuple of float, (3,)
        a x b, in the product of the units of a and b.

    Examples
    --------
    >>> import physics
    >>> physics.cross((1.0, 0.0, 0.0), (0.0, 2.0, 0.0))
    (0.0, 0.0, 2.0)
    """
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@formula
def dot(a: Vector, b: Vector) -> float:
    """Scalar product of two vectors.

    Parameters
    ----------
    a, b : tuple of float, (3,)
        Vectors in any units.

    Returns
    -------
    float
        a . b, in the product of the units of a and b.

    Examples
    --------
    >>> import physics
    >>> physics.dot((1.0, 2.0, 3.0), (4.0, 0.0, -1.0))
    1.0
    """
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@formula
def added(a: Vector, t: float, b: Vector) -> Vector:
    """a + t b."""
    return (a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2])


@formula
def over(a: Vector, J: Vector | Array) -> Vector:
    """J⁻¹ a for principal moments J (3,)."""
    return (a[0] / J[0], a[1] / J[1], a[2] / J[2])


@formula
def vector_at(numbers: Array, first: int) -> Vector:
    """The vector in three entries of an array (n,)."""
    return (numbers[first], numbers[first + 1], numbers[first + 2])


@formula
def product(p: Quaternion, q: Quaternion) -> Quaternion:
    """Hamilton product of two quaternions.

    Parameters
    ----------
    p, q : tuple of float, (4,)
        Quaternions, scalar first, of length 1 or any other; without units.

    Returns
    -------
    tuple of float, (4,)
        p o q: as a rotation, first q and then p.

    Examples
    --------
    >>> import physics
    >>> physics.product((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))  # i j = k
    (0.0, 0.0, 0.0, 1.0)

    References
    ----------
    Betsch & Siebert (2009), (1).
    """
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@formula
def inverse(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion: its conjugate."""
    return (q[0], -q[1], -q[2], -q[3])


@formula
def normalised(q: Quaternion) -> Quaternion:
    """Unit quaternion in the direction of a quaternion.

    Parameters
    ----------
    q : tuple of float, (4,)
        Quaternion, scalar first, in any units.

    Returns
    -------
    tuple of float, (4,)
        q / |q|.

    Raises
    ------
    ZeroDivisionError
        If q is zero. A function that numba compiles returns numbers that are not finite instead.

    Examples
    --------
    >>> import physics
    >>> physics.normalised((2.0, 0.0, 0.0, 0.0))
    (1.0, 0.0, 0.0, 0.0)
    """
    s = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] * s, q[1] * s, q[2] * s, q[3] * s)


@formula
def renormalised(q: Quaternion) -> Quaternion:
    """q / |q| for a q that is a unit quaternion up to rounding: one Newton step for 1/|q|.

    The correction is added: a factor 1 + e would be rounded, and turn the attitude by 1e-18 a step one way.
    """
    e = 0.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] + e * q[0], q[1] + e * q[1], q[2] + e * q[2], q[3] + e * q[3])


@formula
def rotate(q: Quaternion, v: Vector) -> Vector:
    """Rotate a vector from the body frame to the inertial frame.

    Parameters
    ----------
    q : tuple of float, (4,)
        Attitude of the body, a unit quaternion, scalar first.
    v : tuple of float, (3,)
        Vector in body axes, in any units.

    Returns
    -------
    tuple of float, (3,)
        R(q) v, the same vector in inertial axes and in the same units.

    Examples
    --------
    A third of a turn about (1, 1, 1) takes x to y:

    >>> import physics
    >>> physics.rotate((0.5, 0.5, 0.5, 0.5), (1.0, 0.0, 0.0))
    (0.0, 1.0, 0.0)

    References
    ----------
    Betsch & Siebert (2009), (7) and (8).
    """
    e = (q[1], q[2], q[3])
    c = cross(e, v)
    d = cross(e, c)
    return (v[0] + 2.0 * (q[0] * c[0] + d[0]), v[1] + 2.0 * (q[0] * c[1] + d[1]), v[2] + 2.0 * (q[0] * c[2] + d[2]))


# series of cos and of sin x / 2 x in the square of x: as factors, because dividing takes several times as long
_COS = tuple((-1.0) ** n / math.factorial(2 * n) for n in range(1, 6))
_SIN = tuple(0.5 * (-1.0) ** n / math.factorial(2 * n + 1) for n in range(1, 6))


@formula
def exp_half(theta: Vector) -> Quaternion:
    """Unit quaternion of a rotation vector.

    Parameters
    ----------
    theta : tuple of float, (3,)
        Rotation vector [rad]: axis times angle.

    Returns
    -------
    tuple of float, (4,)
        (cos(|theta|/2), theta/|theta| sin(|theta|/2)), scalar first; (1, 0, 0, 0) for no rotation.

    Examples
    --------
    A quarter turn about z:

    >>> import math
    >>> import physics
    >>> [round(number, 6) for number in physics.exp_half((0.0, 0.0, math.pi / 2))]
    [0.707107, 0.0, 0.0, 0.707107]

    References
    ----------
    Betsch & Siebert (2009), (6).
    """
    e, good = exp_half_series(theta)
    if good:
        return e
    half = math.sqrt(0.25 * (theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]))
    c = math.cos(half)
    s = 0.5 * math.sin(half) / half
    return (c, s * theta[0], s * theta[1], s * theta[2])


@formula
def exp_half_series(theta: Vector) -> tuple[Quaternion, bool]:
    """``exp_half`` without trigonometric calls; also returns whether it is right to a unit in the last place."""
    x = 0.25 * (theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2])
    c = 1.0 + x * (_COS[0] + x * (_COS[1] + x * (_COS[2] + x * (_COS[3] + x * _COS[4]))))
    s = 0.5 + x * (_SIN[0] + x * (_SIN[1] + x * (_SIN[2] + x * (_SIN[3] + x * _SIN[4]))))
    return (c, s * theta[0], s * theta[1], s * theta[2]), x < 0.05


@formula
def arc(b: Vector, c: Vector) -> Quaternion:
    """The shortest rotation that takes the direction of b to that of c; the identity if either is zero.

    Leine et al. (2021), (72)-(75), without the arccos and without 0/0 when b and c are parallel.
    """
    bb, cc = dot(b, b), dot(c, c)
    if bb * cc > 1e280:  # whose square would be no number: the directions alone count
        r, s = 1.0 / math.sqrt(bb), 1.0 / math.sqrt(cc)
        b, c, bb, cc = (b[0] * r, b[1] * r, b[2] * r), (c[0] * s, c[1] * s, c[2] * s), 1.0, 1.0
    length = math.sqrt(bb * cc)
    if length == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    real = length + dot(b, c)
    k = cross(b, c)
    size = real * real + dot(k, k)
    if size <= 1e-30 * length * length:  # opposite directions: half a turn about any normal axis
        n = cross(b, (1.0, 0.0, 0.0)) if abs(b[0]) < abs(b[1]) else cross(b, (0.0, 1.0, 0.0))
        s = 1.0 / math.sqrt(dot(n, n))
        return (0.0, n[0] * s, n[1] * s, n[2] * s)
    s = 1.0 / math.sqrt(size)
    return (real * s, k[0] * s, k[1] * s, k[2] * s)


@formula
def from_rows(a: Vector, b: Vector, c: Vector) -> Quaternion:
    """The unit quaternion of the rotation matrix with rows a, b, c; Shepperd (1978), J. Guid. Control 1, 223."""
    trace = a[0] + b[1] + c[2]
    if trace >= a[0] and trace >= b[1] and trace >= c[2]:
        return normalised((1.0 + trace, c[1] - b[2], a[2] - c[0], b[0] - a[1]))
    if a[0] >= b[1] and a[0] >= c[2]:
        return normalised((c[1] - b[2], 1.0 + a[0] - b[1] - c[2], b[0] + a[1], c[0] + a[2]))
    if b[1] >= c[2]:
        return normalised((a[2] - c[0], b[0] + a[1], 1.0 + b[1] - c[2] - a[0], c[1] + b[2]))
    return normalised((b[0] - a[1], c[0] + a[2], c[1] + b[2], 1.0 + c[2] - a[0] - b[1]))


# ---- arrays: for whole trajectories -------------------------------------------------------------------


def multiply(p: ArrayLike, q: ArrayLike) -> Array:
    """Hamilton product of quaternions, shapes (..., 4)."""
    (w, *e), (z, *f) = _components(p), _components(q)
    c = _cross(e, f)
    real = w * z - (e[0] * f[0] + e[1] * f[1] + e[2] * f[2])
    return _joined(real, *(w * f[i] + z * e[i] + c[i] for i in range(3)))


def conjugate(q: ArrayLike) -> Array:
    """The inverse of unit quaternions, shape (..., 4)."""
    return np.asarray(np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0]))


def apply(q: ArrayLike, v: ArrayLike) -> Array:
    """R(q) v: body -> inertial, shapes (..., 4) and (..., 3)."""
    (w, *e), x = _components(q), _components(v)
    c = _cross(e, x)
    d = _cross(e, c)
    return _joined(*(x[i] + 2.0 * (w * c[i] + d[i]) for i in range(3)))


def _components(a: ArrayLike) -> Sequence[Any]:
    """Components of vectors (..., n); of one they are floats, which are a tenth of the work of arrays of one number."""
    a = np.asarray(a, float)
    return a.tolist() if a.ndim == 1 else [a[..., k] for k in range(a.shape[-1])]


def _joined(*components: Any) -> Array:
    """Vectors (..., n) of their components."""
    if isinstance(components[0], float):
        return np.array(components)
    out = np.empty((*components[0].shape, len(components)))
    for k, one in enumerate(components):
        out[..., k] = one
    return out


def _cross(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, Any, Any]:
    """a x b by components: several times as fast as np.cross for some thousand vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def matrix(q: ArrayLike) -> Array:
    """Rotation matrices R(q), shape (..., 3, 3); columns are the body axes in the inertial frame."""
    q = np.asarray(q, float)
    if q.ndim == 1:  # 2 µs, not 16: floats are quicker than arrays of one number
        return np.array(_rows(*q.tolist()))
    return np.moveaxis(np.array(_rows(*(q[..., k] for k in range(4)))), (0, 1), (-2, -1))


def _rows(w: Real, x: Real, y: Real, z: Real) -> tuple[tuple[Real, Real, Real], ...]:
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def from_matrix(rotation: ArrayLike) -> Array:
    """The unit quaternion of one proper rotation matrix (3, 3)."""
    r = np.asarray(rotation, float).tolist()
    return np.array(from_rows(tuple(r[0]), tuple(r[1]), tuple(r[2])))


def slerp(p: ArrayLike, q: ArrayLike, fraction: ArrayLike) -> Array:
    """The rotations a fraction (0 to 1), one or (..., 1), of the shorter way from p to q, shapes (..., 4)."""
    p, q, fraction = np.asarray(p, float), np.asarray(q, float), np.asarray(fraction, float)
    cosine = np.sum(p * q, axis=-1, keepdims=True)
    q, cosine = np.where(cosine < 0.0, -q, q), np.abs(cosine)
    angle = np.arctan2(np.linalg.norm(q - p * cosine, axis=-1, keepdims=True), cosine)
    near = angle < 1e-9
    sine = np.where(near, 1.0, np.sin(angle))
    mixed = np.where(near, 1.0 - fraction, np.sin((1.0 - fraction) * angle) / sine) * p
    mixed += np.where(near, fraction, np.sin(fraction * angle) / sine) * q
    return np.asarray(mixed / np.linalg.norm(mixed, axis=-1, keepdims=True))


def cubic(a: ArrayLike, da: Array, b: Array, db: Array, span: Array, f: Array) -> Array:
    """The cubic through a and b with rates of change da and db there, at shares f (n, 1, ...) of the span [s]."""
    a, g = np.asarray(a, float), 1.0 - f
    return np.asarray(g * g * ((1.0 + 2.0 * f) * a + f * span * da) + f * f * ((1.0 + 2.0 * g) * b - g * span * db))


def angle_between(p: ArrayLike, q: ArrayLike) -> Array:
    """The angle [rad] of the rotation between two attitudes, shapes (..., 4); blind to sign and length of either."""
    p, q = _unit(p), _unit(q)
    apart, opposite = np.linalg.norm(p - q, axis=-1), np.linalg.norm(p + q, axis=-1)
    return np.asarray(4.0 * np.arctan2(np.minimum(apart, opposite), np.maximum(apart, opposite)))


def axis_between(p: ArrayLike, q: ArrayLike, axis: ArrayLike) -> Array:
    """The angle (...) [rad] between the directions of a body axis, a unit vector (3,), in two attitudes (..., 4)."""
    apart = np.linalg.norm(apply(_unit(p), axis) - apply(_unit(q), axis), axis=-1)
    return np.asarray(2.0 * np.arcsin(np.minimum(0.5 * apart, 1.0)))


def _unit(q: ArrayLike) -> Array:
    """Unit quaternions (..., 4) of others: some schemes keep no unit length."""
    q = np.asarray(q, float)
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def random_attitudes(generator: np.random.Generator, n: int) -> Array:
    """n attitudes, uniform on the rotations (normalised Gaussian quaternions), shape (n, 4)."""
    q = generator.standard_normal((n, 4))
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def unit_of(theta: ArrayLike) -> Array:
    """The unit quaternions (..., 4) of rotation vectors (..., 3) [rad]."""
    theta = np.asarray(theta, float)
    half = 0.5 * np.linalg.norm(theta, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * theta * np.sinc(half / np.pi)], axis=-1)


def rotation_vector(q: ArrayLike) -> Array:
    """The rotation vectors (..., 3) [rad] of unit quaternions (..., 4), of at most half a turn."""
    q = np.asarray(q, float)
    q = np.where(q[..., :1] < 0.0, -q, q)
    size = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    factor = np.divide(2.0 * np.arctan2(size, q[..., :1]), size, out=np.full_like(size, 2.0), where=size > 0.0)
    return np.asarray(factor * q[..., 1:])


def cross_product(a: ArrayLike, b: ArrayLike) -> Array:
    """a x b of vectors (..., 3)."""
    return _joined(*_cross(_components(a), _components(b)))


def yaw_pitch_roll(orientation: Array) -> Array:
    """Yaw, pitch and roll (..., 3) [deg] of attitudes (..., 4): the rotations z-y'-x'' that take a ship there.

    Yaw about the vertical z, then pitch about the ship's own new y axis, then roll about its own newest x axis, each
    by the right-hand rule: with x ahead, y to port and z up, a positive yaw turns the bow to port, a positive pitch
    lowers the bow, a positive roll lowers the starboard side. Yaw and roll lie within 180 degrees, pitch within 90.
    """
    x, y, z = (apply(orientation, axis) for axis in np.eye(3))
    level = np.hypot(x[..., 0], x[..., 1])
    upright = level < 1e-9  # the bow points straight up or down: all of the turn about the vertical is yaw
    yaw = np.where(upright, np.arctan2(-y[..., 0], y[..., 1]), np.arctan2(x[..., 1], x[..., 0]))
    pitch = np.where(upright, np.copysign(np.pi / 2, -x[..., 2]), np.arctan2(-x[..., 2], level))
    roll = np.where(upright, 0.0, np.arctan2(y[..., 2], z[..., 2]))
    return np.asarray(np.degrees(np.stack([yaw, pitch, roll], axis=-1)))


def upwards(orientation: Array) -> Array:
    """The vertical of space (..., 3), a unit vector, as a body of attitudes (..., 4) sees it."""
    return apply(conjugate(orientation), np.array([0.0, 0.0, 1.0]))


def nutation(orientation: Array) -> Array:
    """The angle (...) [deg] between a top's axis, the body's z axis, and the vertical at attitudes (..., 4)."""
    z = apply(orientation, np.array([0.0, 0.0, 1.0]))
    return np.asarray(np.degrees(np.arctan2(np.hypot(z[..., 0], z[..., 1]), z[..., 2])))


def ahead(rotation: Array) -> Array:
    """The level unit vector (3,) in which a ship of this attitude (3, 3) heads; x where its bow is upright."""
    length = math.hypot(rotation[0, 0], rotation[1, 0])
    return np.array([rotation[0, 0], rotation[1, 0], 0.0]) / length if length > 1e-12 else np.array([1.0, 0.0, 0.0])
