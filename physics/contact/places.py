"""Places: where a smooth body comes near the ground, each a row of numbers."""

from __future__ import annotations

import math

import numpy as np

from physics.contact.vertices import Grid, Rows, in_space, turned_back
from physics.core.jit import formula
from physics.core.rotation import Array, Vector, cross, dot
from physics.terrain.soil import SoilLaw
from physics.terrain.terrain import patch

# the numbers of a place
POINT = 0  # (3,) of the ground, inertial
NORMAL = POINT + 3  # (3,) there, inertial
ARM = NORMAL + 3  # (3,) the point of the body, in its axes
DEPTH = ARM + 3  # [m] of this point
END = DEPTH + 1  # -1, 1: it wanders along the surface, or the rim at this end of the axis; 0: it stays in the body
SPEED = END + 1  # (3,) of the point of the body that is nearest at the start of the step [m/s]
WIDTH = SPEED + 3
MAX_PLACES = 16  # places of a step
ALIKE = 1e-3  # share of the size: places that are nearer to each other are one
EVEN = 1e-9  # slopes that differ by less are the same


@formula
def _slot(places: Array, n: int, x: float, y: float, depth: float, near: float) -> int:
    """The row for a place that deep at x, y; -1: it is known, or shallower than all that there is room for."""
    shallowest = 0
    for m in range(n):
        if abs(places[m, POINT] - x) + abs(places[m, POINT + 1] - y) < near:
            return m if depth > places[m, DEPTH] else -1
        if places[m, DEPTH] < places[shallowest, DEPTH]:
            shallowest = m
    if n < places.shape[0]:
        return n
    return shallowest if depth > places[shallowest, DEPTH] else -1


@formula
def keep(
    places: Array, n: int, point: Vector, normal: Vector, arm: Vector, depth: float, end: float, near: float
) -> int:
    """Write a place beside n others if it is a new one, or deeper; its row, or -1.

    normal : (x, y, 1), of any length
    near : [m] places that are nearer to each other are one
    """
    m = _slot(places, n, point[0], point[1], depth, near)
    if m >= 0:
        s = 1.0 / math.sqrt(dot(normal, normal))
        for k in range(3):
            places[m, POINT + k], places[m, NORMAL + k], places[m, ARM + k] = point[k], s * normal[k], arm[k]
        places[m, DEPTH], places[m, END] = depth, end
    return m


@formula
def normal_at(grid: Grid, x: float, y: float) -> Vector:
    """The unit normal of the ground at x, y."""
    _, a, b = patch(*grid, x, y)
    s = 1.0 / math.sqrt(a * a + b * b + 1.0)
    return (a * s, b * s, s)


# ---- tilt: the normal of an impact leans away from that of the map ------------------------------------
# Three laws turn it, each off where its number is zero. A rock that presses the soil climbs out of its own scar, so the
# ground before it stands steeper (a ramp); ground is rough below the cells of the map; and no two impacts on one soil
# are alike (scatter). The lean is chosen at
# touch-down and holds until the rock has left the ground or comes down on another point, or a vertex sinks (see
# physics.contact.polyhedra); n' is along n + lean. Percussions act along n' as they would along n: their work is
# never positive, see physics.contact.percussions.

REFERENCE = 10.0  # [m/s] normal speed at which a ramp has the angle that is given
GROWTH = 0.4  # exponent of the angle with the normal speed: half of that of the depth, 0.8 (Gerber 2019)
STEEPEST = math.radians(60.0)
_GOLDEN, _FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@formula
def draw(key: np.uint64, count: int) -> float:
    """The random number, 0 <= x < 1, with this count in the stream of a key (SplitMix64, Steele et al. 2014)."""
    z = key + np.uint64(count) * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


_APART = np.uint64(0xD1B54A32D192ED03)  # added to a key: the stream of scatter is another than that of bumps


@formula
def chances(key: np.uint64, count: int) -> Vector:
    """Three random numbers, normally distributed (Box & Muller 1958), of an impact with this count."""
    own = key + _APART
    first, second = draw(own, 4 * count), draw(own, 4 * count + 1)
    third, fourth = draw(own, 4 * count + 2), draw(own, 4 * count + 3)
    size, more = math.sqrt(-2.0 * math.log(1.0 - first)), math.sqrt(-2.0 * math.log(1.0 - third))
    angle = 2.0 * math.pi * second
    return size * math.cos(angle), size * math.sin(angle), more * math.cos(2.0 * math.pi * fourth)


@formula
def varied_by(scatter: float, chance: float) -> float:
    """A lognormal factor of mean 1; scatter: standard deviation of its logarithm."""
    return math.exp(scatter * (chance - 0.5 * scatter))


@formula
def lean(law: SoilLaw, normal: Vector, v: Vector, key: np.uint64, count: int, chance: Vector) -> Vector:
    """Vector added to the normal of the ground at a touch-down; of the laws of the soil these:

    ramp: angle [rad] at REFERENCE; the tangent of an arc pressed d deep by a rock of radius r is at most sqrt(2 d / r)
    steep, and d grows as |v_n|^0.8.
    roughness: S / R, the height of what is rough over the radius of the rock (Pfeiffer & Bowen 1989): the ground rises
    against the motion with a slope between 0 and S / R, and across it between -S / R and S / R, drawn anew each time.
    key, count: what is drawn are the two numbers after 2 count.
    scatter: of the ramp from impact to impact, ``varied_by`` the first of ``chances``; the ground leans aside by the
    second, times as much of the ramp's tangent.
    """
    down = dot(v, normal)
    x, y, z = v[0] - down * normal[0], v[1] - down * normal[1], v[2] - down * normal[2]
    along = math.sqrt(x * x + y * y + z * z)
    if along == 0.0:
        return 0.0, 0.0, 0.0
    ahead = (x / along, y / along, z / along)
    aside = cross(normal, ahead)
    back = math.tan(min(law.ramp * math.pow(max(-down, 0.0) / REFERENCE, GROWTH), STEEPEST)) if law.ramp > 0.0 else 0.0
    over = 0.0
    if law.scatter > 0.0:
        over = law.scatter * chance[1] * back
        back *= varied_by(law.scatter, chance[0])
    if law.roughness > 0.0:
        back += law.roughness * draw(key, 2 * count)
        over += law.roughness * (2.0 * draw(key, 2 * count + 1) - 1.0)
    return (over * aside[0] - back * ahead[0], over * aside[1] - back * ahead[1], over * aside[2] - back * ahead[2])


@formula
def leaning(normal: Vector, rho: Vector, R: Rows, tilt: Vector) -> tuple[Vector, Vector]:
    """The unit normal with the lean of an impact, and the point of contact in the body [m], turned alike.

    normal: of the map; rho: the point that touches; R: the attitude.
    """
    if tilt[0] == 0.0 and tilt[1] == 0.0 and tilt[2] == 0.0:
        return normal, rho
    x, y, z = normal[0] + tilt[0], normal[1] + tilt[1], normal[2] + tilt[2]
    s = 1.0 / math.sqrt(x * x + y * y + z * z)
    new = (s * x, s * y, s * z)
    axis, arm = cross(normal, new), in_space(R, rho)
    once = cross(axis, arm)
    twice, share = cross(axis, once), 1.0 / (1.0 + dot(normal, new))
    moved = (
        arm[0] + once[0] + share * twice[0],
        arm[1] + once[1] + share * twice[1],
        arm[2] + once[2] + share * twice[2],
    )
    return new, turned_back(R, moved)
