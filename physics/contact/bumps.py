"""Bumps: heights of the ground below the cells of its map, the same at a place for every rock, scheme and process.

Between the nodes of a square lattice, whose heights follow from a key and their place alone, the ground is the bilinear
patch, as that of the map is. Rocks meet it with their own corners: no law is drawn, and nothing depends on the order of
contacts. A contact with a steeper face takes energy as any other does, see physics.contact.percussions.

A rock of radius R feels bumps of length l lower, by 1 / (1 + (R / 2 l)²), by half where its radius is as long as a bump
and a hollow: means over a length fall as the inverse of its root, and their slopes by as much again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.contact.places import draw
from physics.core.jit import formula, kernel, procedure
from physics.core.rotation import Array, Vector
from physics.terrain.terrain import between, patch

_EAST = np.uint64(0xA24BAED4963EE407)  # odd: columns of the lattice have streams of their own


class Bumps(NamedTuple):
    """Bumps of a ground: height [m] from the deepest hollow to the highest bump, 0 without; 1 / length [1/m].

    x, y : of the first node of the map [m]; key : of the heights
    """

    height: float
    over: float
    x: float
    y: float
    key: np.uint64


EVEN = Bumps(0.0, 1.0, 0.0, 0.0, np.uint64(0))
Ground = tuple[Array, float, float, Bumps]  # heights (ny, nx) at the nodes of the map, their spacing [m], and bumps


@formula
def _node(key: np.uint64, i: int, j: int) -> float:
    """The height of a node of the lattice, over that of the bumps, -1/2 .. 1/2."""
    return draw(key + np.uint64(i) * _EAST, j) - 0.5


@procedure
def bump(bumps: Bumps, x: float, y: float) -> Vector:
    """Height [m] that bumps add at x, y [m] from the first node of the map, and -dz/dx, -dz/dy."""
    u, v = (bumps.x + x) * bumps.over, (bumps.y + y) * bumps.over
    i, j = math.floor(u), math.floor(v)
    s, t = u - i, v - j
    a, b = _node(bumps.key, i, j), _node(bumps.key, i + 1, j)
    c, d = _node(bumps.key, i, j + 1), _node(bumps.key, i + 1, j + 1)
    zx, zy = (b - a) * (1.0 - t) + (d - c) * t, (c - a) * (1.0 - s) + (d - b) * s
    slope = -bumps.height * bumps.over
    return bumps.height * between(a, b, c, d, s, t), slope * zx, slope * zy


@formula
def level(ground: Ground, x: float, y: float) -> Vector:
    """Height [m] of the ground at x, y [m] from the first node of the map, and -dz/dx, -dz/dy."""
    heights, dx, dy, bumps = ground
    z, a, b = patch(heights, dx, dy, x, y)
    if bumps.height > 0.0:
        more, c, d = bump(bumps, x, y)
        z, a, b = z + more, a + c, b + d
    return z, a, b


@formula
def upright(ground: Ground, x: float, y: float) -> Vector:
    """The unit normal of the ground at x, y."""
    _, a, b = level(ground, x, y)
    s = 1.0 / math.sqrt(a * a + b * b + 1.0)
    return (a * s, b * s, s)


@kernel
def bumps_at(bumps: Bumps, x: Array, y: Array) -> Array:
    """``bump`` (n, 3) at x, y (n,) [m]."""
    found = np.empty((len(x), 3))
    for n in range(len(x)):
        found[n, 0], found[n, 1], found[n, 2] = bump(bumps, x[n], y[n])
    return found
