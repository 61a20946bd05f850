"""The mesh of a top: a spinning top, drawn in place of the polyhedron that stands for a cone. Pure geometry."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyvista as pv

from app.stage.actor_group import rgb
from app.stage.bodies.body_mesh import soup
from physics.bodies.body import Body
from physics.core.rotation import Array

SECTORS, SIDES = 8, 96  # painted sectors, and facets around
BEVEL = 0.05  # of the rim, in radii of the base
STEM = 0.28  # length of the stem above the base, in heights of the cone


def is_cone(body: Body) -> bool:
    """Whether the body is a cone on its tip about its z axis."""
    z = body.vertices[:, 2]
    lowest = int(np.argmin(z))
    rest = np.delete(body.vertices, lowest, axis=0)
    span = float(np.ptp(z))
    radii = np.linalg.norm(rest[:, :2], axis=1)
    return (
        len(rest) > SECTORS
        and float(np.ptp(rest[:, 2])) < 1e-9 * span
        and float(np.ptp(radii)) < 1e-9 * span
        and float(np.linalg.norm(body.vertices[lowest, :2])) < 1e-9 * span
    )


def spun(body: Body, colour: str, shades: tuple[str, str, str], tint: float = 0.0) -> pv.PolyData:
    """The top whose cone the body is: painted sectors, one of them, the rim and the stem in the lane's colour.

    tint : how much of the colour the other sectors take
    """
    foot, base = float(body.vertices[:, 2].min()), float(body.vertices[:, 2].max())
    height, radius = base - foot, float(np.linalg.norm(body.vertices[:, :2], axis=1).max())
    least = min(height, radius)  # the body may be a flat one
    bevel, thin = BEVEL * least, 0.09 * least
    crown = base + STEM * height
    # (distance from the axis, height) along the outline, and how the piece up to the next point is painted
    outline = (
        (0.0, foot, "sectors"),
        (radius * (1 - bevel / height), base - bevel, "rim"),
        (radius - bevel, base, "sectors"),
        (0.3 * radius, base, "rim"),
        (thin, base + 0.04 * height, "rim"),
        (thin, crown - thin, "rim"),
        (0.7 * thin, crown - 0.3 * thin, "rim"),
        (0.0, crown, ""),
    )
    own, dark, light = (0.86 * rgb(paint) for paint in (colour, shades[0], shades[2]))  # else the lights bleach them
    plain = [(1 - tint) * shade + tint * own for shade in (light, dark)]
    sectors = np.array([own] + [plain[k % 2] for k in range(1, SECTORS)])
    rings = [_ring(a, b, sectors, own) for a, b in pairwise(outline)]
    whole: pv.PolyData = pv.merge(rings, merge_points=False)
    return whole


def _ring(a: tuple[float, float, str], b: tuple[float, float, str], sectors: Array, rim: Array) -> pv.PolyData:
    """The frustum between two points of the outline."""
    turn = 2 * np.pi * np.arange(SIDES + 1) / SIDES
    around = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
    low, high = (p[0] * around + (0.0, 0.0, p[1]) for p in (a, b))
    out = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(b[1] - a[1], a[0] - b[0])
    normals = out[0] * around + (0.0, 0.0, out[1])
    fill = sectors[np.arange(SIDES) * SECTORS // SIDES] if a[2] == "sectors" else np.tile(rim, (SIDES, 1))
    n, m = normals[:-1], normals[1:]
    pieces = []  # corners and their normals
    if a[0] > 0:
        pieces.append(((low[:-1], low[1:], high[1:]), (n, m, m)))
    if b[0] > 0:
        pieces.append(((low[:-1], high[1:], high[:-1]), (n, m, n)))
    corners, smooth = (np.concatenate([np.stack(piece[k], axis=1) for piece in pieces]) for k in (0, 1))
    return soup(corners, smooth, np.tile(fill, (len(pieces), 1)))
