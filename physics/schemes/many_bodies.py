"""Many free bodies with the same moments under one scheme, some at once in the processor's vector registers.

A block is a row of numbers: WIDTH attitudes and angular velocities, component by component, then ROOM to work in. The
formulas are those of a single body, and no body's result depends on the others of its block: it has the same bits as
alone. Where a step of a body has no solution, or its numbers overflow, it is NaN from there on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from physics.core.jit import formula, kernel
from physics.core.rotation import Array, Quaternion, Vector

WIDTH = 16  # bodies of a block; with 8 steps take up to a quarter longer
# where columns begin: attitudes, angular velocities, those to work in; and where they end
Q, W, STATE, ROOM = 0, 4 * WIDTH, 7 * WIDTH, 15 * WIDTH
NO_FIELD = (0.0,) * 12  # of physics.core.potential

# march(J, h, every, blocks (m, ROOM), out (rows, 7, m WIDTH)): every-th states into the rows of out; blocks move on
MarchMany = Callable[[Array, float, int, Array, Array], None]


@formula
def vector_in(s: Array, first: int, i: int) -> Vector:
    """Three numbers of a body, whose columns begin at ``first``."""
    return s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i]


@formula
def put_vector(s: Array, first: int, i: int, x: Vector) -> None:
    """Three numbers into their columns."""
    s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i] = x


@formula
def quaternion_in(s: Array, first: int, i: int) -> Quaternion:
    """As ``vector_in``, four numbers."""
    return s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i], s[first + 3 * WIDTH + i]


@formula
def put_quaternion(s: Array, first: int, i: int, q: Quaternion) -> None:
    """As ``put_vector``, four numbers."""
    s[first + i], s[first + WIDTH + i], s[first + 2 * WIDTH + i], s[first + 3 * WIDTH + i] = q


def march_many_with(advance: Any) -> MarchMany:
    """The compiled loop of a scheme that moves a block on by ``advance(J, h, s)``, in loops over its bodies.

    What is to be compiled to vectors has no branch but for a choice between values, and calls no library.
    """

    @kernel
    def march(J: Array, h: float, every: int, blocks: Array, out: Array) -> None:
        moments = (J[0], J[1], J[2])
        for b in range(blocks.shape[0]):
            s = blocks[b]
            for row in range(out.shape[0]):
                for _ in range(every):
                    advance(moments, h, s)
                for k in range(7):
                    for i in range(WIDTH):
                        out[row, k, b * WIDTH + i] = s[k * WIDTH + i]

    return march


def marched(march: MarchMany, J: Array, h: float, every: int, states: Array, rows: int) -> Array:
    """Every-th states (rows, n, 7) of bodies from their states (n, 7): attitudes, angular velocities [rad/s].

    J (3,) [kg m²] in principal axes; h [s]. A body that has no finite numbers any more is NaN from there on.
    """
    n = len(states)
    padded = np.repeat(states[-1:], -(-n // WIDTH) * WIDTH, axis=0)  # the last block is filled with the last body
    padded[:n] = states
    blocks, out = np.empty((len(padded) // WIDTH, ROOM)), np.empty((rows, 7, len(padded)))
    blocks[:, :STATE] = padded.reshape(-1, WIDTH, 7).transpose(0, 2, 1).reshape(-1, STATE)
    march(np.ascontiguousarray(J, float), h, every, blocks, out)
    found = out.transpose(0, 2, 1)[:, :n]
    for body in np.flatnonzero(~np.isfinite(found[-1]).all(axis=1)):  # what is not finite stays so
        found[~np.isfinite(found[:, body]).all(axis=1), body] = np.nan
    return found
