"""Tilt: by how much the normal of an impact leans away from that of the map.

Two laws turn it, each off where its number is zero. A rock that presses the soil climbs out of its own scar, so the
ground before it stands steeper (a ramp); and ground is rough below the cells of the map. The lean is told at touch-down
and holds until the rock has left the ground or comes down on another point, or a vertex sinks (see
physics.contact.polyhedra); n' is along n + lean. Percussions act along n' as they would along n: their work is never
positive, see physics.contact.percussions.
"""

from __future__ import annotations

import math

import numpy as np

from physics.contact.places import turned, turned_back
from physics.contact.vertices import Rows
from physics.core.jit import formula
from physics.core.rotation import Vector, cross, dot

REFERENCE = 10.0  # [m/s] normal speed at which a ramp has the angle that is given
GROWTH = 0.4  # of the angle with the normal speed: half of that of the depth, 0.8 (Gerber 2019)
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


@formula
def lean(ramp: float, bump: float, normal: Vector, v: Vector, key: np.uint64, count: int) -> Vector:
    """What is added to the normal of the ground at a touch-down.

    ramp: angle [rad] at REFERENCE; the tangent of an arc pressed d deep by a rock of radius r is at most sqrt(2 d / r)
    steep, and d grows as |v_n|^0.8.
    bump: S / R, the height of what is rough over the radius of the rock (Pfeiffer & Bowen 1989): the ground rises
    against the motion with a slope between 0 and S / R, and across it between -S / R and S / R, drawn anew each time.
    key, count: what is drawn are the two numbers after 2 count.
    """
    down = dot(v, normal)
    x, y, z = v[0] - down * normal[0], v[1] - down * normal[1], v[2] - down * normal[2]
    along = math.sqrt(x * x + y * y + z * z)
    if along == 0.0:
        return 0.0, 0.0, 0.0
    ahead = (x / along, y / along, z / along)
    aside = cross(normal, ahead)
    back = math.tan(min(ramp * math.pow(max(-down, 0.0) / REFERENCE, GROWTH), STEEPEST)) if ramp > 0.0 else 0.0
    over = 0.0
    if bump > 0.0:
        back += bump * draw(key, 2 * count)
        over = bump * (2.0 * draw(key, 2 * count + 1) - 1.0)
    return (
        over * aside[0] - back * ahead[0],
        over * aside[1] - back * ahead[1],
        over * aside[2] - back * ahead[2],
    )


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
    axis, arm = cross(normal, new), turned(R, rho)
    once = cross(axis, arm)
    twice, share = cross(axis, once), 1.0 / (1.0 + dot(normal, new))
    moved = (
        arm[0] + once[0] + share * twice[0],
        arm[1] + once[1] + share * twice[1],
        arm[2] + once[2] + share * twice[2],
    )
    return new, turned_back(R, moved)
