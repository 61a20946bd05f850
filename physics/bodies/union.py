"""Union of solids that overlap, by Manifold (Lalish, github.com/elalish/manifold): again a closed surface."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.rotation import Array
from physics.core.wording import N_

ROUNDING = 1e-9  # share of a volume by which sums differ


def volume(points: Array, triangles: np.ndarray) -> float:
    """The volume [m³] inside a closed surface: signed tetrahedra from its middle."""
    a, b, c = np.moveaxis((points - points.mean(axis=0))[triangles], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def united(solids: Sequence[tuple[Array, np.ndarray]]) -> tuple[Array, np.ndarray, float, float]:
    """One surface around closed ones: points (n, 3) [m] and triangles (m, 3), counter-clockwise from outside.

    Also the sum of their volumes [m³], and that of the union. Solids that do not overlap stay as they are.
    ScenarioError where there is no such surface.
    """
    import manifold3d  # here: few bodies have several parts

    volumes = [volume(*solid) for solid in solids]
    before = sum(volumes)
    middle = solids[0][0].mean(axis=0)  # digits count from near the solids
    made = manifold3d.Manifold.batch_boolean(
        [
            manifold3d.Manifold(
                manifold3d.Mesh64(np.ascontiguousarray(points - middle), np.ascontiguousarray(triangles, np.uint64))
            )
            for points, triangles in solids
        ],
        manifold3d.OpType.Add,
    )
    after = float(made.volume())
    if made.status() != manifold3d.Error.NoError or not max(volumes) <= (1.0 + 1e-6) * after <= (1.0 + 2e-6) * before:
        raise ScenarioError(
            "", N_("the parts have no union: the surface of one cuts itself; mend it, or choose others")
        )
    if before - after <= ROUNDING * before:
        counts = np.cumsum([0, *(len(points) for points, _ in solids)])
        together = [triangles + at for (_, triangles), at in zip(solids, counts, strict=False)]
        return np.concatenate([points for points, _ in solids]), np.concatenate(together), before, before
    found = made.to_mesh64()
    return np.array(found.vert_properties)[:, :3] + middle, np.array(found.tri_verts, np.int64), before, after
