"""The form of a hull below the water: dimensions of its waterline, section amidships, wetted surface, coefficients.

The surface is cut at the water, and what is below it amidships. Since it is closed, the area of the section is the
integral of the normal's part ahead over what lies abaft of it, with the opposite sign: nothing is sampled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from physics.core.rotation import Array
from physics.hydrostatics.flotation import FloatingPose

APART = 1e-6  # share of the length: hulls that are nearer are one


@dataclass(frozen=True)
class Form:
    """The form of a hull where it floats, in level axes; NaN what has no meaning without a waterline.

    Attributes
    ----------
    hulls : number of hulls side by side at the waterline; 2 is a catamaran, 3 a trimaran
    length, breadth : of the waterline [m]; breadth is that of all hulls together, without the gaps between them
    draught : of the section amidships, in the middle of that length [m]
    volume : displaced [m³]
    waterplane, midship, wetted : areas of the waterplane, of the section amidships and of the wetted surface [m²]
    """

    hulls: int
    length: float
    breadth: float
    draught: float
    volume: float
    waterplane: float
    midship: float
    wetted: float

    @property
    def block(self) -> float:
        """Block coefficient CB = V / (L B T)."""
        return self.volume / (self.length * self.breadth * self.draught)

    @property
    def section(self) -> float:
        """Midship coefficient CM, of the section amidships in breadth times draught."""
        return self.midship / (self.breadth * self.draught)

    @property
    def prismatic(self) -> float:
        """Prismatic coefficient CP = V / (L AM) = CB / CM."""
        return self.volume / (self.length * self.midship) if self.midship else math.nan

    @property
    def plane(self) -> float:
        """Waterplane coefficient CWP = A / (L B)."""
        return self.waterplane / (self.length * self.breadth)

    def trimming(self, mass: float, height: float) -> float:
        """Moment over g that trims a mass [kg] by a metre over the length, by GM or BM longitudinal [m]: [kg m/m]."""
        return mass * height / self.length


def form_of(pose: FloatingPose) -> Form:
    """The form of the part of a hull that is under water."""
    wet, waterline = immersed(pose)
    wetted = 0.5 * float(np.linalg.norm(_doubled(wet), axis=1).sum())
    length = breadth = draught = midship = math.nan
    hulls = 1
    if len(waterline) and pose.integrals.area > 0.0:
        x = waterline[..., 0]
        length = float(np.ptp(x))
        hulls, breadth = _side_by_side(waterline[..., 1], APART * length)
        area, draught = section(wet, 0.5 * float(x.min() + x.max()))
        midship = max(0.0, area)
    i = pose.integrals
    return Form(hulls, length, breadth, draught, i.volume, i.area, midship, wetted)


def immersed(pose: FloatingPose) -> tuple[Array, Array]:
    """Triangles (k, 3, 3) of what is under water in level axes, and the segments (m, 2, 3) of the waterline."""
    corners = (pose.load.vertices @ pose.rotation.T + (0.0, 0.0, pose.height))[pose.load.hull.triangles]
    return _below(corners, corners[..., 2])


def section(wet: Array, place: float) -> tuple[float, float]:
    """Area [m²] and draught [m] of the section at a place along x of what is under water; NaN where it cuts nothing."""
    abaft, cut = _below(wet, wet[..., 0] - place)
    return -0.5 * float(_doubled(abaft)[:, 0].sum()), -float(cut[..., 2].min()) if len(cut) else math.nan


def between(wet: Array, low: float, high: float) -> Array:
    """Triangles (k, 3, 3) of what of triangles (n, 3, 3) lies between two places along y."""
    kept, _ = _below(wet, wet[..., 1] - high)
    return _below(kept, low - kept[..., 1])[0]


def _doubled(corners: Array) -> Array:
    """Normals (n, 3) of triangles (n, 3, 3), twice their areas long."""
    a, b, c = np.moveaxis(corners, 1, 0)
    return np.cross(b - a, c - a)


def _below(corners: Array, heights: Array) -> tuple[Array, Array]:
    """Triangles (k, 3, 3) of what lies below 0 of triangles (n, 3, 3) with heights (n, 3), and the cuts (m, 2, 3)."""
    under = heights < 0.0
    count = under.sum(axis=1)
    parts, cuts = [corners[count == 3]], [np.empty((0, 2, 3))]
    for number, lone in ((1, under), (2, ~under)):
        chosen = count == number
        turn = (np.argmax(lone[chosen], axis=1)[:, None] + np.arange(3)) % 3
        height = np.take_along_axis(heights[chosen], turn, axis=1)
        a, b, c = np.moveaxis(np.take_along_axis(corners[chosen], turn[..., None], axis=1), 1, 0)
        shares = height[:, :1] / (height[:, :1] - height[:, 1:])
        ab, ac = a + shares[:, :1] * (b - a), a + shares[:, 1:] * (c - a)
        kept = ((a, ab, ac),) if number == 1 else ((ab, b, c), (ab, c, ac))
        parts += [np.stack(one, axis=1) for one in kept]
        cuts.append(np.stack([ab, ac], axis=1))
    return np.concatenate(parts), np.concatenate(cuts)


def _side_by_side(y: Array, apart: float) -> tuple[int, float]:
    """Number of separate intervals that segments with ends (m, 2) cover, and their breadth together."""
    low, high = np.sort(y, axis=1).T
    order = np.argsort(low)
    low, reached = low[order], np.maximum.accumulate(high[order])
    gaps = np.maximum(low[1:] - reached[:-1], 0.0)
    gaps = gaps[gaps > apart]
    return 1 + len(gaps), float(reached[-1] - low[0] - gaps.sum())
