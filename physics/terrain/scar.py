"""Scars in compactable soil (Lu et al. 2019): how deep a rock presses the ground, and the drag of the soil it ploughs.

From touch-down until it has left the ground again, a rock meets hard contact only on the ground lowered by d_max. In
the soil between, F = 1/2 C_d ρ A |v|² acts at the centre of mass against its velocity: C_d = 1 + C_s, A the area of the
overlap of rock and soil, projected on the plane normal to v. Steps take c = F/|v| as they find it and the mean of the
velocities before and after, so that the work is never positive, see physics.contact.forest_drag.
"""

from __future__ import annotations

import math

from physics.core.jit import formula
from physics.core.rotation import Array, Quaternion, Vector, cross_product, dot, inverse, rotate

FORM_DRAG = 1.0  # C_f
SHALLOWEST = 1e-9  # [m] tells an impact without vertical speed from none


def laws(modulus: float, coefficient: float, density: float, mass: float) -> tuple[float, float]:
    """What the kernel knows of a soil: d_max over |v_z|^0.8 [m (s/m)^0.8], drag rate over A |v| [1/m³].

    modulus: M_E [N/m²]; coefficient: C_s; density: of the soil [kg/m³]; mass: of the rock [kg].
    """
    # Gerber 2019, in Lu et al. (2019): M_E in kN/m²
    depth = 0.1 * mass ** (1.0 / 3.0) * (1e-3 * modulus) ** -0.4
    return float(depth), 0.5 * (FORM_DRAG + coefficient) * density / mass


@formula
def deepest(scar: tuple[float, float], vertical: float) -> float:
    """d_max [m] of an impact with this vertical speed of the centre of mass at touch-down [m/s]."""
    return max(scar[0] * math.pow(abs(vertical), 0.8), SHALLOWEST)


def double_areas(vertices: Array, faces: Array) -> Array:
    """Twice the area vectors (m, 3) [m²] of triangles, faces (m, 3), of vertices (n, 3) [m]."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return cross_product(b - a, c - a)


@formula
def swept(faces: Array, areas: Array, depths: Array, q: Quaternion, v: Vector) -> float:
    """A |v| [m³/s]: what the part of the rock below the ground sweeps a second.

    A convex closed surface with area vectors a_i casts the shadow 1/2 Σ |a_i . v| along v. The overlap of rock and
    ground is closed by the parts of the rock's triangles below the ground and by the section with the ground, whose
    area vector is minus the sum of the others. Between the vertices of a triangle the ground counts as flat.

    faces (m, 3): numbers of vertices, unsigned; areas (m, 3): see ``double_areas``; depths (n,): of the vertices [m].
    """
    u = rotate(inverse(q), v)
    shadow = closing = 0.0
    for m in range(faces.shape[0]):
        i, j, k = faces[m, 0], faces[m, 1], faces[m, 2]
        share = _share(depths[i], depths[j], depths[k])
        if share > 0.0:
            flow = share * 0.5 * dot((areas[m, 0], areas[m, 1], areas[m, 2]), u)
            shadow += abs(flow)
            closing += flow
    return 0.5 * (shadow + abs(closing))


@formula
def _share(a: float, b: float, c: float) -> float:
    """The share of a triangle's area that lies below the ground, by the depths of its vertices."""
    if max(a, b, c) <= 0.0:  # most triangles
        return 0.0
    if min(a, b, c) > 0.0:
        return 1.0
    # a: the vertex that is alone on its side
    one = int(a > 0.0) + int(b > 0.0) + int(c > 0.0) == 1
    second, third = (b > 0.0) == one, (c > 0.0) == one
    a, b, c = (b if second else (c if third else a)), (a if second else b), (a if third else c)
    alone = a / (a - b) * (a / (a - c))
    return alone if one else 1.0 - alone
