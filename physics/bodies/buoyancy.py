"""Buoyancy: how a solid floats upright where the water reaches its centre of mass, and how far its form rights it.

Integrals over the wetted triangles alone: the lid in the plane of the water, z = 0, adds nothing to those of z and z².
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.bodies.body import Body
from physics.core.rotation import Array

WATER = 1025.0  # [kg/m³] of the sea


@dataclass(frozen=True)
class Flotation:
    """A body in calm water up to its centre of mass, upright in its own axes: x forward, z up.

    Attributes
    ----------
    mass : of the displaced sea water [kg], with which the body floats so
    transverse, longitudinal : metacentric heights [m]; below 0: it would fall over
    """

    mass: float
    transverse: float
    longitudinal: float


def afloat(body: Body) -> Flotation:
    """How a body floats whose surface is closed."""
    corners = wetted(body.vertices[body.faces])
    a, b, c = np.moveaxis(corners, 1, 0)
    area = 0.5 * np.cross(b - a, c - a)[:, 2]  # of each triangle seen from above; below 0 where it faces down
    x, y, z = np.moveaxis(corners, 2, 0)
    volume = float(area @ z.mean(axis=1))
    depth = 0.5 * float(area @ _product(z, z)) / volume  # of the centre of buoyancy, z of it: below 0
    waterplane, forward = -float(area.sum()), -float(area @ x.mean(axis=1))
    broad, long = -float(area @ _product(y, y)), -float(area @ _product(x, x))
    aside = -float(area @ y.mean(axis=1))
    transverse = (broad - aside * aside / waterplane) / volume + depth
    longitudinal = (long - forward * forward / waterplane) / volume + depth
    return Flotation(WATER * volume, transverse, longitudinal)


def _product(f: Array, g: Array) -> Array:
    """Means (n,) over triangles of the product of two quantities (n, 3) that are linear on each."""
    return np.asarray(((f * g).sum(axis=1) + f.sum(axis=1) * g.sum(axis=1)) / 12.0)


def wetted(corners: Array) -> Array:
    """The parts below z = 0 of triangles (n, 3, 3), as triangles (m, 3, 3) wound as before."""
    under = corners[..., 2] < 0.0
    count = under.sum(axis=1)
    whole = corners[count == 3]
    cut = (count == 1) | (count == 2)
    lone = under[cut] == (count[cut] == 1)[:, None]  # the corner on a side of its own
    order = (np.argmax(lone, axis=1)[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(corners[cut], order[..., None], axis=1), 1, 0)
    ab, ac = (a + (a[:, 2] / (a[:, 2] - p[:, 2]))[:, None] * (p - a) for p in (b, c))
    tip = np.stack([a, ab, ac], axis=1)[count[cut] == 1]
    rest = count[cut] == 2
    pair = [np.stack(piece, axis=1)[rest] for piece in ((ab, b, c), (ab, c, ac))]
    return np.concatenate([whole, tip, *pair])
