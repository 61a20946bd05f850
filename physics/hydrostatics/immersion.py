"""Integrals over the part of a closed mesh below a level plane: exact for triangles, compiled.

The surface S is clipped at the water, z = 0. The lid in that plane need not be built: with the field (0, 0, f z) it
adds nothing to the integrals over the volume, and since the surface is closed its own integrals are those of the
wetted part, with the opposite sign (divergence theorem; Newman 1977, chapter 6):

    V = int_S z n_z dS,  int x dV = int_S x z n_z dS,  int z dV = 1/2 int_S z² n_z dS,  A = -int_S n_z dS.

A product of two functions that are linear on a triangle has a closed integral there: nothing is sampled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Vector

Sums = tuple[float, float, float, float, float, float, float, float, float, float]
NEWTON, BISECTIONS = 25, 60  # kinks of the volume over the height can hold Newton up, nothing holds up halving


class Integrals(NamedTuple):
    """Integrals over the immersed volume and the waterplane; horizontal places from the origin, heights from the water.

    Attributes
    ----------
    volume : [m³]
    x, y, z : of the volume, ``int x dV`` and so on [m⁴]
    area : of the waterplane [m²]
    area_x, area_y : ``int x dA``, ``int y dA`` [m³]
    area_xx, area_xy, area_yy : ``int x² dA`` and so on [m⁴]
    """

    volume: float
    x: float
    y: float
    z: float
    area: float
    area_x: float
    area_y: float
    area_xx: float
    area_xy: float
    area_yy: float


def immersed(vertices: Array, triangles: np.ndarray, rotation: Array, height: float) -> Integrals:
    """Integrals of the part of a closed mesh below z = 0.

    Parameters
    ----------
    vertices : (n, 3) in the body's axes, from the point about which horizontal places are counted [m]
    triangles : (m, 3) numbers of vertices, counter-clockwise from outside
    rotation : (3, 3) body -> inertial
    height : of that point above the water [m]
    """
    return Integrals(*integrals_below(vertices, triangles, rotation, height))


def risen(
    vertices: Array, triangles: np.ndarray, rotation: Array, volume: float, guess: float
) -> tuple[float, Integrals]:
    """The height at which a closed mesh in this attitude displaces a volume, and the integrals there.

    The volume lies above 0 and below that of the whole mesh [m³]; the guess is where the search begins [m].
    """
    height, found = _risen(vertices, triangles, rotation, volume, guess)
    return height, Integrals(*found)


@formula
def _cut(low: Vector, high: Vector) -> Vector:
    """Point at which an edge crosses z = 0; from its lower to its upper end, so that neighbours get the same point."""
    s = low[2] / (low[2] - high[2])
    return (low[0] + s * (high[0] - low[0]), low[1] + s * (high[1] - low[1]), 0.0)


@formula
def _added(t: Sums, a: Vector, b: Vector, c: Vector) -> Sums:
    """The integrals with those over one more triangle."""
    w = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 24.0  # n_z dS, over 12
    x, y, z = a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]
    return (
        t[0] + 4.0 * w * z,
        t[1] + w * (a[0] * a[2] + b[0] * b[2] + c[0] * c[2] + x * z),
        t[2] + w * (a[1] * a[2] + b[1] * b[2] + c[1] * c[2] + y * z),
        t[3] + 0.5 * w * (a[2] * a[2] + b[2] * b[2] + c[2] * c[2] + z * z),
        t[4] - 12.0 * w,
        t[5] - 4.0 * w * x,
        t[6] - 4.0 * w * y,
        t[7] - w * (a[0] * a[0] + b[0] * b[0] + c[0] * c[0] + x * x),
        t[8] - w * (a[0] * a[1] + b[0] * b[1] + c[0] * c[1] + x * y),
        t[9] - w * (a[1] * a[1] + b[1] * b[1] + c[1] * c[1] + y * y),
    )


@formula
def _turned(vertices: Array, rotation: Array) -> Array:
    """The vertices (n, 3) in inertial axes."""
    points = np.empty_like(vertices)
    for i in range(len(vertices)):
        x, y, z = vertices[i, 0], vertices[i, 1], vertices[i, 2]
        for k in range(3):
            points[i, k] = rotation[k, 0] * x + rotation[k, 1] * y + rotation[k, 2] * z
    return points


@formula
def _summed(points: Array, triangles: np.ndarray, height: float) -> Sums:
    """The integrals over the part below the water of points that are given in inertial axes."""
    t = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(len(triangles)):
        u, v, w = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        p, q, r = points[u, 2] + height, points[v, 2] + height, points[w, 2] + height
        if p >= 0.0 and q >= 0.0 and r >= 0.0:
            continue
        a, b, c = (points[u, 0], points[u, 1], p), (points[v, 0], points[v, 1], q), (points[w, 0], points[w, 1], r)
        under = (p < 0.0) + (q < 0.0) + (r < 0.0)
        if under == 3:
            t = _added(t, a, b, c)
            continue
        while (a[2] < 0.0) != (under == 1):  # until a is alone on its side
            a, b, c = b, c, a
        if under == 1:
            t = _added(t, a, _cut(a, b), _cut(a, c))
        else:
            ab, ac = _cut(b, a), _cut(c, a)
            t = _added(_added(t, ab, b, c), ab, c, ac)
    return t


@kernel
def integrals_below(vertices: Array, triangles: np.ndarray, rotation: Array, height: float) -> Sums:
    """The numbers of ``Integrals`` as a plain tuple, see ``immersed``."""
    return _summed(_turned(vertices, rotation), triangles, height)


@kernel
def _risen(vertices: Array, triangles: np.ndarray, rotation: Array, volume: float, guess: float) -> tuple[float, Sums]:
    """Newton's method in a bracket: the volume falls with the height, by the area of the waterplane."""
    points = _turned(vertices, rotation)
    low, high = -points[:, 2].max(), -points[:, 2].min()
    least = 2e-16 * (high - low)
    height = guess if low < guess < high else 0.5 * (low + high)
    t = _summed(points, triangles, height)
    for n in range(NEWTON + BISECTIONS):
        if t[0] > volume:
            low = height
        else:
            high = height
        new = height + (t[0] - volume) / t[4] if t[4] > 0.0 and n < NEWTON else 0.5 * (low + high)
        if abs(new - height) <= least:
            break
        if not low < new < high:
            new = 0.5 * (low + high)
        height = new
        t = _summed(points, triangles, height)
    return height, t
