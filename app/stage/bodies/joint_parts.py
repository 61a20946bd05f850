"""Joints of a mechanism as solids: half of each is fixed to its first body or the ground, half to its second body.

So a joint that a scheme lets come apart is seen to. Solids are made along z, the axis of the joint, and with x towards
the body that carries them, in sizes of the joint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyvista as pv

from app.stage.actor_group import ActorGroup, tinted
from app.stage.bodies.arrows import sharp
from physics.core.rotation import Array
from physics.joints.mechanism import BALL, CYLINDRICAL, FIXED, HINGE, PLANAR, SLIDER, UNIVERSAL

ROUND, COARSE = 28, 12  # facets around; in mechanisms of many bodies
Solids = list[pv.PolyData]


def solid(mesh: pv.PolyData, colour: str, turn: Array, at: Array, size: float = 1.0) -> pv.PolyData:
    """A mesh in a colour, scaled, turned by (3, 3) and moved to (3,) [m]."""
    placed = sharp(mesh)
    placed.points = size * np.asarray(placed.points, float) @ turn.T + at
    placed.point_data.active_normals = np.asarray(placed.point_normals, float) @ turn.T
    placed.point_data["rgba"] = tinted(colour, np.full(placed.n_points, 255))
    return placed


def framed(axis: Array, towards: Array) -> Array:
    """Columns x, y, z (3, 3) of a frame with z along an axis (3,), and x as near as can be to another direction."""
    aside = towards - (towards @ axis) * axis
    if np.linalg.norm(aside) < 1e-6 * max(float(np.linalg.norm(towards)), 1e-300):
        aside = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    x = aside / np.linalg.norm(aside)
    return np.column_stack([x, np.cross(axis, x), axis])


def rod(radius: float, start: float, end: float, around: int = ROUND) -> pv.PolyData:
    """A cylinder along z, with so many facets around."""
    middle = (0.0, 0.0, 0.5 * (start + end))
    return pv.Cylinder(center=middle, direction=(0, 0, 1), radius=radius, height=end - start, resolution=around)


def box(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> pv.PolyData:
    """A box between two limits along each axis."""
    return pv.Box(bounds=(*x, *y, *z))


def _cup(_: float, __: float, around: int) -> Solids:
    """A socket, open away from its body."""
    cup = pv.Sphere(radius=1.3, theta_resolution=around + 8, phi_resolution=around // 2, end_phi=85.0)
    cup.points = np.asarray(cup.points)[:, [2, 1, 0]] * (1.0, 1.0, -1.0)  # its pole along x
    return [cup]


def _ball(_: float, __: float, around: int) -> Solids:
    return [pv.Sphere(radius=1.0, theta_resolution=around + 4, phi_resolution=around - 4)]


def _pin(wide: float, _: float, around: int) -> Solids:
    """An axle with heads."""
    end = wide + 0.55
    return [rod(0.4, -end, end, around), rod(0.66, end, end + 0.3, around), rod(0.66, -end - 0.3, -end, around)]


def _sleeve(wide: float, _: float, around: int) -> Solids:
    return [rod(0.85, -max(wide, 0.8) - 0.1, max(wide, 0.8) + 0.1, around)]


def _fork(_: float, __: float, around: int) -> Solids:
    """Two prongs that hold a pin, one of the two of a cross."""
    prongs = [box((-0.55, 2.3), (-0.5, 0.5), side) for side in ((1.05, 1.4), (-1.4, -1.05))]
    return [*prongs, box((2.0, 2.5), (-0.5, 0.5), (-1.4, 1.4)), rod(0.36, -1.55, 1.55, around)]


def _rail(_: float, long: float, ___: int) -> Solids:
    return [box((-0.4, 0.4), (-0.4, 0.4), (-long, long))]


def _carriage(_: float, __: float, ___: int) -> Solids:
    return [box((-0.9, 0.9), (-0.9, 0.9), (-1.5, 1.5))]


def _round_rail(_: float, long: float, around: int) -> Solids:
    return [rod(0.4, -long, long, around)]


def _round_carriage(_: float, __: float, around: int) -> Solids:
    return [rod(0.9, -1.5, 1.5, around)]


def _plate(_: float, long: float, ___: int) -> Solids:
    return [box((-long, long), (-long, long), (-0.2, -0.08))]


def _puck(_: float, __: float, around: int) -> Solids:
    return [rod(1.3, -0.08, 0.25, around)]


def _block(_: float, __: float, ___: int) -> Solids:
    return [box((-0.75, 0.75), (-0.75, 0.75), (-0.75, 0.75))]


def _nothing(_: float, __: float, ___: int) -> Solids:
    return []


Half = Callable[[float, float, int], Solids]
# of each type, the half on the first and that on the second body: by the half width of what turns on a pin, and the
# half length of what slides, both in sizes of the joint, and the number of facets around
HALVES: dict[int, tuple[Half, Half]] = {
    BALL: (_cup, _ball),
    HINGE: (_pin, _sleeve),
    UNIVERSAL: (_fork, _fork),
    SLIDER: (_rail, _carriage),
    CYLINDRICAL: (_round_rail, _round_carriage),
    PLANAR: (_plate, _puck),
    FIXED: (_block, _nothing),
}


def mount(kind: int, turn: Array, away: Array, wide: float) -> Solids:
    """Foot of the ground's half of a joint, in its frame (3, 3) of ``turn``, ``away`` (3,) from the body."""
    z = float(away @ turn[:, 2])
    if kind in (SLIDER, CYLINDRICAL, PLANAR):
        return []
    if kind == HINGE and abs(z) < 0.7:  # cheeks beside what turns, on a plate
        side = wide + 0.15
        cheeks = [box((-0.7, 2.6), (-0.7, 0.7), ends) for ends in ((side, side + 0.4), (-side - 0.4, -side))]
        return [*cheeks, box((2.6, 3.1), (-2.2, 2.2), (-side - 1.2, side + 1.2))]
    if kind == HINGE:  # a bearing around the end of a shaft
        foot = (-1.5, -1.0) if z < 0.0 else (1.0, 1.5)
        return [rod(2.6, *foot), rod(1.5, min(*foot, 0.0), max(*foot, 0.0))]
    end = 1.2 if kind == BALL else 2.4
    plate = box((end + 0.9, end + 1.4), (-2.2, 2.2), (-2.2, 2.2))
    return [box((end - 0.1, end + 1.0), (-0.45, 0.45), (-0.45, 0.45)), plate]


def merged(meshes: Sequence[pv.PolyData]) -> pv.PolyData:
    """Meshes as one, with their colours and normals."""
    return meshes[0] if len(meshes) == 1 else pv.merge(list(meshes), merge_points=False)


class Mounts(ActorGroup):
    """The ground's halves of joints, and what holds them."""

    def __init__(self, meshes: Sequence[pv.PolyData]) -> None:
        super().__init__()
        self.mesh = merged(meshes)
        self.add(self.mesh, specular=0.2, ambient=0.14)
