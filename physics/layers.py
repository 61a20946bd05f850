"""Layers on the ground that slow a rock: forest.

All drags act at the centre of mass, against its velocity: m dv/dt = -m ν v. A step takes ν as it finds it and the mean
of the velocities before and after (θ = 1/2), so that the work of a drag is -m ν h |mean velocity|², never positive.
"""

from __future__ import annotations

from physics.compiled import formula
from physics.rotation import Array, Vector
from physics.terrain import patch


def forest(drag: float, height: float | None, mass: float, heights: Array) -> tuple[float, float, float]:
    """What the kernel knows of a forest: drag over mass [1/s], height of the layer [m], of the highest tree top [m].

    drag: force over velocity [kg/s], 0 without trees; mass: of the rock [kg]; heights (ny, nx): of the ground [m].
    """
    if drag == 0.0 or height is None:
        return 0.0, 0.0, 0.0
    return drag / mass, height, float(heights.max()) + height


@formula
def within(heights: Array, dx: float, dy: float, r: Vector, layer: tuple[float, float, float]) -> bool:
    """Whether the centre of mass is below the tree tops, measured plumb (Leine et al. 2014, (10), (11))."""
    if r[2] >= layer[2]:
        return False
    return bool(r[2] < patch(heights, dx, dy, r[0], r[1])[0] + layer[1])
