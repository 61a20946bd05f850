"""Ground laws: the soil and the trees at a place, from maps of kinds and the table of their laws.

Between nodes every parameter is interpolated bilinearly, as heights are (Leine et al. 2014, section 3.5).
"""

from __future__ import annotations

from typing import Any

from physics.core.jit import formula
from physics.core.rotation import Array, Symmetric, Vector
from physics.terrain.terrain import Kinds, patch, spot

NO_TREES = 0.0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@formula
def between(kinds: Kinds, dx: float, dy: float, r: Vector) -> tuple[Any, ...]:
    """The kinds at the four nodes around r, their bilinear weights, and whether all four are one kind."""
    j, i, s, t = spot(kinds.shape[0], kinds.shape[1], dx, dy, r[0], r[1])
    a, b, c, d = kinds[j, i], kinds[j, i + 1], kinds[j + 1, i], kinds[j + 1, i + 1]
    weights = ((1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t)
    return (a, b, c, d), weights, a == b and a == c and a == d


@formula
def blend(table: Array, column: int, k: tuple[int, int, int, int], w: tuple[float, float, float, float]) -> float:
    """A column of the table between four nodes."""
    south = w[0] * table[k[0], column] + w[1] * table[k[1], column]
    north = w[2] * table[k[2], column] + w[3] * table[k[3], column]
    return float(south + north)


@formula
def soil_below(soil: tuple[Kinds, Array], dx: float, dy: float, r: Vector) -> tuple[Any, ...]:
    """The laws of the soil below r, see Cover.soil_laws.

    The last two: the pair of physics.terrain.scar; rolling resistance, ramp, bump and fading of the restitution.
    """
    kinds, t = soil
    if t.shape[0] == 1:
        return _row(t, 0)
    k, w, alike = between(kinds, dx, dy, r)
    if alike:
        return _row(t, k[0])
    return (
        blend(t, 0, k, w),
        blend(t, 1, k, w),
        blend(t, 2, k, w),
        blend(t, 3, k, w),
        blend(t, 4, k, w),
        blend(t, 5, k, w),
        (blend(t, 6, k, w), blend(t, 7, k, w)),
        (blend(t, 8, k, w), blend(t, 9, k, w), blend(t, 10, k, w), blend(t, 11, k, w)),
    )


@formula
def _row(t: Array, m: int) -> tuple[Any, ...]:
    """The laws of one kind of soil."""
    more = t[m, 8], t[m, 9], t[m, 10], t[m, 11]
    return t[m, 0], t[m, 1], t[m, 2], t[m, 3], t[m, 4], t[m, 5], (t[m, 6], t[m, 7]), more


@formula
def trees_around(
    forest: tuple[Kinds, Array, float], heights: Array, dx: float, dy: float, r: Vector
) -> tuple[float, Symmetric]:
    """Drag over mass [1/s] and rotational drag [N m s] at r: zero above the tree tops (Leine et al. 2014, (10), (11)).

    Heights are measured plumb below the centre of mass.
    """
    kinds, t, top = forest
    if r[2] >= top:
        return NO_TREES
    if t.shape[0] == 1:
        height, drag = t[0, 1], t[0, 0]
        turning = (t[0, 2], t[0, 3], t[0, 4], t[0, 5], t[0, 6], t[0, 7])
    else:
        k, w, _ = between(kinds, dx, dy, r)
        height, drag = blend(t, 1, k, w), blend(t, 0, k, w)
        turning = (
            blend(t, 2, k, w),
            blend(t, 3, k, w),
            blend(t, 4, k, w),
            blend(t, 5, k, w),
            blend(t, 6, k, w),
            blend(t, 7, k, w),
        )
    return (drag, turning) if r[2] < patch(heights, dx, dy, r[0], r[1])[0] + height else NO_TREES
