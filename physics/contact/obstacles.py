"""Obstacles above the ground, met at the end of a step: stems of trees, and barriers that stop a rock or break.

A stem is a vertical cylinder. It is met where the rock's support in the direction of its axis touches it, and pushes
horizontally through the centre of mass: the spin stays. At an angle θ between the horizontal velocity v_h and the
direction n of the axis the push can take m (v.n)²/2 at most. The stem takes

    E = min(m (v.n)²/2, f(sin θ) m v_h²/2)       and stands, if E is below its capacity at the height of the impact;
                                                 the rock leaves along -n with what is left of the motion along n
    E = capacity                                 else: it breaks, the rock goes on, and the tree is gone for this rock

f is the share that an impact takes beside the axis, ``offset_share``. It and the capacity at breast height, see
``physics.systems.rockfall.trees``, are quoted after Dorren & Berger (2006, Tree Physiology 26, 63-71) and section 3.4
of the description of Rockyfor3D without these texts at hand: approximate. Above breast height the capacity is that of
the diameter of a stem that tapers to its tip; this and what is left of the motion along n are ours.

A barrier is met by the centre of mass where that is lower than the barrier. It stops a rock of at most its capacity in
kinetic energy, and takes its capacity of a faster one as it breaks.
So kinetic energy falls by E, never more than there is, and position and so potential energy stay.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.contact.vertices import BodyMotion, Grid, Twist, axes_of, turned_back
from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Vector, dot
from physics.terrain.terrain import Kinds, patch

# a stem: x, y from the terrain's first node, radius, height of its foot, its own height [m], capacity [J]
X, Y, RADIUS, FOOT, TALL, CAPACITY = range(6)
STEM = CAPACITY + 1
# a piece of a barrier: x, y of both ends from the first node [m], number of the barrier, place of the first end along
# its line [m], height [m] and capacity [J] of the barrier
_BARRIER, _PLACE, _HIGH, _HOLDS = range(4, 8)
PIECE = _HOLDS + 1
# a note: number of the tree, or -1 - that of the barrier; time [s]; place along the barrier [m], or sin θ; kinetic
# energy before [J], velocity [m/s], rotation [rad/s], height [m] of the centre of mass above the ground, or the foot of
# the tree; energy taken [J]; what became of it
NUMBER, TIME, ALONG, ENERGY, SPEED, SPIN, HEIGHT, TAKEN, FATE = range(9)
NOTE = FATE + 1
_ON = 1e-6  # [m] from a barrier, on it: coordinates are rounded
HELD, BROKEN, OVER = 1, 2, 3  # stands after an impact, is gone, was overtopped
ROOM, SPARE = 1024, 512  # notes in a block of rows, those that one row may need

BREAST_HEIGHT = 1.3  # [m]
GROWTH = 2.31  # power of the diameter in a stem's capacity
AROUND = 2.0  # [m] about a rock in which stems are looked for: none of them is met until it has gone as far

Rock = tuple[Array, float, float, Vector]  # corners (n, 3) [m], radius [m], mass [kg], principal moments [kg m²]
Stems = tuple[Array, NDArray[np.int64], int, float, float]  # see physics.systems.rockfall.trees


class Obstacles(NamedTuple):
    """Obstacles of one rock: its corners (n, 3) [m], stems, pieces (n, PIECE) of barriers, room for notes (n, NOTE).

    standing, down : HELD, BROKEN or OVER of each stem and of each barrier that was met
    """

    corners: Array
    stems: Stems
    pieces: Array
    standing: Kinds
    down: Kinds
    notes: Array


@formula
def offset_share(offset: float) -> float:
    """Share of the horizontal energy that a stem takes of an impact beside its axis, over its radius."""
    return max(-0.046 + 1.026 / (1.0 + math.pow(10.0, 8.007 * (offset - 0.58))), 0.0)


@formula
def capacity_at(capacity: float, tall: float, height: float) -> float:
    """Energy [J] that breaks a stem at a height [m] above its foot; it tapers to its tip from breast height on."""
    if height <= BREAST_HEIGHT or tall <= BREAST_HEIGHT:
        return capacity
    return capacity * math.pow(max(tall - height, 0.0) / (tall - BREAST_HEIGHT), GROWTH)


@formula
def hit(mass: float, v: Vector, nx: float, ny: float, capacity: float) -> tuple[float, Vector, int, float]:
    """Energy [J] that a stem takes, the velocity after it, what became of it, and sin θ; it lies along nx, ny."""
    ahead, level = v[0] * nx + v[1] * ny, v[0] * v[0] + v[1] * v[1]
    offset = math.sqrt(max(1.0 - ahead * ahead / level, 0.0))
    taken = min(0.5 * mass * ahead * ahead, offset_share(offset) * 0.5 * mass * level)
    broken = taken > capacity
    taken = min(taken, capacity)
    left = math.sqrt(max(ahead * ahead - 2.0 * taken / mass, 0.0))
    change = (left if broken else -left) - ahead
    return taken, (v[0] + change * nx, v[1] + change * ny, v[2]), BROKEN if broken else HELD, offset


@formula
def _support(corners: Array, u: Vector) -> float:
    """Reach [m] of a body along u, both in its axes."""
    most = -math.inf
    for i in range(corners.shape[0]):
        most = max(most, corners[i, 0] * u[0] + corners[i, 1] * u[1] + corners[i, 2] * u[2])
    return most


@formula
def _axis_met(
    dx: float, dy: float, sx: float, sy: float, thick: float, corners: Array, radius: float, q: Quaternion
) -> tuple[bool, float, float]:
    """True if a rock touches an axis at dx, dy from the start of its way sx, sy; and the direction of the axis then."""
    way = sx * sx + sy * sy
    share = min(max((dx * sx + dy * sy) / way, 0.0), 1.0) if way > 0.0 else 1.0
    x, y = dx - share * sx, dy - share * sy
    near = math.sqrt(x * x + y * y)
    if near >= thick + radius or near == 0.0:
        return False, 0.0, 0.0
    reach = thick + _support(corners, turned_back(axes_of(q), (x / near, y / near, 0.0)))
    if near >= reach:
        return False, 0.0, 0.0
    along, outside = dx * sx + dy * sy, dx * dx + dy * dy - reach * reach
    first = (along - math.sqrt(max(along * along - way * outside, 0.0))) / way if outside > 0.0 and way > 0.0 else 1.0
    x, y = dx - first * sx, dy - first * sy
    near = math.sqrt(x * x + y * y)
    return near > 0.0, x / near, y / near


@formula
def meet_stems(
    stems: Stems, standing: Kinds, rock: Rock, before: Vector, motion: BodyMotion, time: float, notes: Array, noted: int
) -> tuple[Vector, int, float]:
    """The velocity after the stems between two places of a rock, and the number of notes; each notes a stem once.

    The third value is how far the rock can go before it may meet another [m]. standing: HELD or BROKEN of each stem
    that was met.
    """
    rows, first, columns, side, thickest = stems
    (corners, radius, mass, _), (r, q, v, w) = rock, motion
    clear, lines = AROUND, (first.shape[0] - 1) // columns
    reach = radius + thickest + clear
    low = max(int((min(before[0], r[0]) - reach) / side), 0)
    high = min(int((max(before[0], r[0]) + reach) / side), columns - 1)
    top = min(int((max(before[1], r[1]) + reach) / side), lines - 1)
    sx, sy = r[0] - before[0], r[1] - before[1]
    for line in range(max(int((min(before[1], r[1]) - reach) / side), 0), top + 1):
        for k in range(first[line * columns + low], first[line * columns + high + 1] if high >= low else 0):
            dx, dy, thick = rows[k, X] - before[0], rows[k, Y] - before[1], rows[k, RADIUS]
            clear = min(clear, math.sqrt((dx - sx) * (dx - sx) + (dy - sy) * (dy - sy)) - thick - radius)
            if max(abs(dx) - abs(sx), abs(dy) - abs(sy)) >= thick + radius or standing[k] == BROKEN:
                continue
            height = max(r[2] - rows[k, FOOT], 0.0)
            if height >= rows[k, TALL]:
                continue
            met, nx, ny = _axis_met(dx, dy, sx, sy, thick, corners, radius, q)
            if not met or v[0] * nx + v[1] * ny <= 0.0:
                continue
            taken, after, fate, offset = hit(mass, v, nx, ny, capacity_at(rows[k, CAPACITY], rows[k, TALL], height))
            if standing[k] < fate:
                standing[k] = fate
                noted = _note(notes, noted, (float(k), time, offset), rock, (v, w), (height, taken), fate)
            v = after
    return v, noted, clear


@formula
def crossing(piece: Array, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    """Share of a straight way at which it crosses a piece of a barrier, -1 if it does not; x, y; place along the line.

    A way crosses where it arrives at the piece, and not where it leaves it: a rock that starts there has not crossed.
    piece: x, y of both ends, number of the barrier, place of the first end along its line [m]
    """
    ax, ay = piece[0], piece[1]
    sx, sy = piece[2] - ax, piece[3] - ay
    square = sx * sx + sy * sy
    on = _ON * _ON * square  # sides are distances times the length of the piece
    side0, side1 = sx * (y0 - ay) - sy * (x0 - ax), sx * (y1 - ay) - sy * (x1 - ax)
    if side0 * side0 <= on or ((side0 < 0.0) == (side1 < 0.0) and side1 * side1 > on):
        return -1.0, 0.0, 0.0, 0.0
    share = min(side0 / (side0 - side1), 1.0)
    x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
    along = ((x - ax) * sx + (y - ay) * sy) / square
    if not 0.0 <= along < 1.0:
        return -1.0, 0.0, 0.0, 0.0
    return share, x, y, piece[_PLACE] + along * math.sqrt(square)


@formula
def meet_barriers(
    pieces: Array,
    down: Kinds,
    rock: Rock,
    grid: Grid,
    before: Vector,
    motion: BodyMotion,
    time: float,
    notes: Array,
    noted: int,
) -> tuple[Vector, Vector, int, bool]:
    """Velocities after the barriers between two places of a rock, the number of notes, whether one holds the rock."""
    (_, _, mass, J), (r, _, v, w) = rock, motion
    for k in range(pieces.shape[0]):
        number = int(pieces[k, _BARRIER])
        share, x, y, place = crossing(pieces[k], before[0], before[1], r[0], r[1])
        if share < 0.0 or down[number] == BROKEN:
            continue
        height = before[2] + share * (r[2] - before[2]) - patch(*grid, x, y)[0]
        energy = kinetic(mass, J, v, w)
        fate = OVER if height >= pieces[k, _HIGH] else HELD if energy <= pieces[k, _HOLDS] else BROKEN
        taken = 0.0 if fate == OVER else min(energy, pieces[k, _HOLDS])
        noted = _note(notes, noted, (-1.0 - number, time, place), rock, (v, w), (height, taken), fate)
        down[number] = fate
        if fate == HELD:
            return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), noted, True
        if fate == BROKEN:
            left = math.sqrt(1.0 - taken / energy)
            v, w = (left * v[0], left * v[1], left * v[2]), (left * w[0], left * w[1], left * w[2])
    return v, w, noted, False


@formula
def kinetic(mass: float, J: Vector, v: Vector, w: Vector) -> float:
    """Kinetic energy [J]."""
    return 0.5 * (mass * dot(v, v) + J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2])


@formula
def _note(
    notes: Array, noted: int, where: Vector, rock: Rock, twist: Twist, met: tuple[float, float], fate: int
) -> int:
    """Write a note, as long as there is room; where: number, time, place; met: height, energy taken. Their number."""
    if noted >= notes.shape[0]:
        return noted
    notes[noted, NUMBER], notes[noted, TIME], notes[noted, ALONG] = where
    (_, _, mass, J), (v, w) = rock, twist
    notes[noted, ENERGY] = kinetic(mass, J, v, w)
    notes[noted, SPEED], notes[noted, SPIN] = math.sqrt(dot(v, v)), math.sqrt(dot(w, w))
    notes[noted, HEIGHT], notes[noted, TAKEN], notes[noted, FATE] = met[0], met[1], fate
    return noted + 1
