"""Union of solids that overlap, by Manifold (Lalish, github.com/elalish/manifold): again a closed surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_

ROUNDING = 1e-9  # share of a volume by which sums differ


def volume(points: Array, triangles: np.ndarray) -> float:
    """The volume [m³] inside a closed surface: signed tetrahedra from its middle."""
    a, b, c = np.moveaxis((points - points.mean(axis=0))[triangles], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


class Union(NamedTuple):
    """One surface around several closed ones.

    Attributes
    ----------
    points : (n, 3) [m]
    triangles : (m, 3), counter-clockwise from outside
    before, after : the sum of the volumes [m³] of the solids, and that of their union
    swallowed : numbers of the solids that lie in others
    """

    points: Array
    triangles: np.ndarray
    before: float
    after: float
    swallowed: tuple[int, ...]


def united(solids: Sequence[tuple[Array, np.ndarray]]) -> Union:
    """The union of closed surfaces; those that neither overlap nor touch each other in a face stay as they are.

    ScenarioError where there is no such surface.
    """
    import manifold3d  # here: few bodies have several parts

    volumes = [volume(*solid) for solid in solids]
    before = sum(volumes)
    middle = solids[0][0].mean(axis=0)  # digits count from near the solids
    first = manifold3d.Manifold.reserve_ids(len(solids))  # triangles of a union know the solid that they come from
    given = [
        manifold3d.Manifold(
            manifold3d.Mesh64(
                np.ascontiguousarray(points - middle),
                np.ascontiguousarray(triangles, np.uint64),
                run_index=np.array([0, triangles.size], np.uint64),
                run_original_id=np.array([first + i], np.uint32),
            )
        )
        for i, (points, triangles) in enumerate(solids)
    ]
    made = manifold3d.Manifold.batch_boolean(given, manifold3d.OpType.Add)
    after = float(made.volume())
    if made.status() != manifold3d.Error.NoError or not max(volumes) <= (1.0 + 1e-6) * after <= (1.0 + 2e-6) * before:
        raise ScenarioError(
            "", N_("the parts have no union: the surface of one cuts itself; mend it, or choose others")
        )
    overlap = before - after > ROUNDING * before
    area = sum(one.surface_area() for one in given)
    if not overlap and area - made.surface_area() <= ROUNDING * area:
        counts = np.cumsum([0, *(len(points) for points, _ in solids)])
        together = [triangles + at for (_, triangles), at in zip(solids, counts, strict=False)]
        return Union(np.concatenate([points for points, _ in solids]), np.concatenate(together), before, before, ())
    found = made.to_mesh64()
    ends = np.array(found.run_index) // 3
    seen = {int(one) - first for one, size in zip(found.run_original_id, np.diff(ends), strict=True) if size}
    swallowed = tuple(sorted(set(range(len(solids))) - seen))
    points = np.array(found.vert_properties)[:, :3] + middle
    return Union(points, np.array(found.tri_verts, np.int64), before, after if overlap else before, swallowed)
