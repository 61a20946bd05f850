"""Flotation of a loaded hull in calm water: attitude, immersed volume, hydrostatic numbers, equilibrium."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from physics.core.errors import PhysicsError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hydrostatics.hull import LoadedHull
from physics.hydrostatics.immersion import Integrals, immersed, risen

GRAVITY = 9.81  # [m/s²]


def attitude(heel: float, trim: float) -> Array:
    """The rotation (3, 3) body -> inertial of a heel and a trim [rad], at heading 0."""
    c, s, cosine, sine = math.cos(heel), math.sin(heel), math.cos(trim), math.sin(trim)
    return np.array([[cosine, sine * s, sine * c], [0.0, c, -s], [-sine, cosine * s, cosine * c]])


@dataclass(frozen=True)
class FloatingPose:
    """A loaded hull in calm water, at heading 0.

    Attributes
    ----------
    load : the hull and its mass
    heel, trim : [rad] positive to starboard, and bow down
    height : of the centre of gravity above the water [m]
    integrals : over the immersed part; horizontal places from the centre of gravity, along the heading and to port
    """

    load: LoadedHull
    heel: float
    trim: float
    height: float
    integrals: Integrals

    @property
    def rotation(self) -> Array:
        """(3, 3) body -> inertial."""
        return attitude(self.heel, self.trim)

    @property
    def lever(self) -> float:
        """GZ [m], from the line of buoyancy to the centre of gravity; above 0 it rights a heel to starboard."""
        return -self.integrals.y / self.integrals.volume

    @property
    def energy(self) -> float:
        """Potential energy over the weight of the displaced volume, zG - zB [m], where weight and buoyancy agree."""
        return self.height - self.integrals.z / self.integrals.volume

    @property
    def draught(self) -> float:
        """Depth of the hull's deepest point below the water [m]."""
        return -float((self.load.vertices @ self.rotation[2]).min()) - self.height

    @property
    def force(self) -> tuple[Array, Array]:
        """The buoyancy (3,) [N], and its moment (3,) about the centre of gravity [N m], in inertial axes."""
        i, weight = self.integrals, self.load.density * GRAVITY
        return weight * np.array([0.0, 0.0, i.volume]), weight * np.array([i.y, -i.x, 0.0])

    def in_hull_axes(self, x: float, y: float, z: float) -> Array:
        """A place of the water's axes, horizontally from the centre of gravity, in the axes of the hull (3,) [m]."""
        return np.asarray(self.rotation.T @ (x, y, z - self.height) + self.load.centre_of_gravity)


# of a hull that is all under water, where the integrals would be rounding
NO_WATERPLANE = dict.fromkeys(("area", "area_x", "area_y", "area_xx", "area_xy", "area_yy"), 0.0)


def placed(load: LoadedHull, heel: float, trim: float, height: float) -> FloatingPose:
    """The hull held with its centre of gravity at a height above the water [m], whatever it weighs."""
    rotation = attitude(heel, trim)
    found = immersed(load.vertices, load.hull.triangles, rotation, height)
    covered = height + float((load.vertices @ rotation[2]).max()) < 0.0
    return FloatingPose(load, heel, trim, height, found._replace(**NO_WATERPLANE) if covered else found)


def floating(load: LoadedHull, heel: float, trim: float, guess: float = 0.0) -> FloatingPose:
    """The hull held at a heel and a trim and free to rise: it displaces its mass. The guess is of its height [m]."""
    rotation = attitude(heel, trim)
    if load.neutral:  # it floats at any depth: with its highest point in the water's surface
        height = -float((load.vertices @ rotation[2]).max())
        found = immersed(load.vertices, load.hull.triangles, rotation, height)._replace(**NO_WATERPLANE)
    else:
        height, found = risen(load.vertices, load.hull.triangles, rotation, load.displacement, guess)
    return FloatingPose(load, heel, trim, height, found)


@dataclass(frozen=True)
class Hydrostatics:
    """The numbers of hydrostatics of a pose; lengths [m], places (3,) in the hull's axes.

    Attributes
    ----------
    volume : displaced [m³]
    draught : depth of the deepest point
    centre_of_buoyancy : B
    area : of the waterplane [m²]
    centroid : of the waterplane
    transverse, longitudinal : second moments of the waterplane about its centroid, about the axis of heel and across
        it, both level [m⁴]
    kb, kg : heights of B and of the centre of gravity above the deepest point
    bm_transverse, bm_longitudinal : metacentric radii I/V
    gm_transverse, gm_longitudinal : metacentric heights
    c33, c44, c55 : what restores heave [N/m], heel and trim [N m], about level axes through the origin of the hull's
    """

    volume: float
    draught: float
    centre_of_buoyancy: Array
    area: float
    centroid: Array
    transverse: float
    longitudinal: float
    kb: float
    kg: float
    bm_transverse: float
    bm_longitudinal: float
    gm_transverse: float
    gm_longitudinal: float
    c33: float
    c44: float
    c55: float


def hydrostatics(pose: FloatingPose, gravity: float = GRAVITY) -> Hydrostatics:
    """The numbers of a pose in which a part of the hull is under water, and a part is not; gravity [m/s²]."""
    i, weight = pose.integrals, pose.load.density * gravity
    sunk = i.z / i.volume  # z of B from the water: below 0
    area = i.area or math.inf  # a hull that its deck just covers has no waterplane, nor moments of one
    across, along = i.area_yy - i.area_y**2 / area, i.area_xx - i.area_x**2 / area
    transverse, longitudinal = across / i.volume, along / i.volume
    x, y, _ = pose.rotation @ -pose.load.centre_of_gravity  # the origin of the hull's axes
    righting = i.volume * (sunk - pose.height)
    return Hydrostatics(
        volume=i.volume,
        draught=pose.draught,
        centre_of_buoyancy=pose.in_hull_axes(i.x / i.volume, i.y / i.volume, sunk),
        area=i.area,
        centroid=pose.in_hull_axes(i.area_x / area, i.area_y / area, 0.0),
        transverse=across,
        longitudinal=along,
        kb=pose.draught + sunk,
        kg=pose.draught + pose.height,
        bm_transverse=transverse,
        bm_longitudinal=longitudinal,
        gm_transverse=sunk + transverse - pose.height,
        gm_longitudinal=sunk + longitudinal - pose.height,
        c33=weight * i.area,
        c44=weight * (i.area_yy - 2.0 * y * i.area_y + y * y * i.area + righting),
        c55=weight * (i.area_xx - 2.0 * x * i.area_x + x * x * i.area + righting),
    )


# ---- equilibrium: Newton's method with the analytic stiffness -----------------------------------------
# The energy over the displaced weight is u = zG - zB. At each attitude the hull first rises until it displaces its
# mass, which takes the height out; then u depends on the attitude alone. Turning about a level axis n changes it by
#
#     u' = (xB ny - yB nx),   u'' = [nx² (Iyy + V zB') + ny² (Ixx + V zB') - 2 nx ny Ixy - (nx Sy - ny Sx)²/A] / V
#
# with places from the centre of gravity G, zB' = zB - zG, S and I the first and second moments of the waterplane. An
# axis that is not level turns the heading too, on which nothing depends. The energy falls at every step, so that a
# start far away ends at a position in which the hull can stay; from one in which it cannot, it is pushed off.

STEPS = 200
LONGEST_TURN = 0.2  # [rad] of a step
PUSH = 0.02  # [rad] off a position that is not stable, to starboard where it may be either side
DONE = 1e-13  # [rad] of a step, and of the lever over the size of the hull
LEVEL = 1e-9  # a stiffness above minus this of the hull's size counts as none: a cylinder's, which is rounding
STEEPEST = math.radians(89.0)  # trim that balances a heel: beyond it heel and trim are no angles of their own


def equilibrium(load: LoadedHull, heel: float = 0.0, trim: float = 0.0, fixed_trim: bool = False) -> FloatingPose:
    """Pose in which a hull released at a heel and a trim [rad] comes to rest: a minimum of its potential energy.

    With ``fixed_trim`` the trim stays, and only the heel is free.
    """
    pose = floating(load, heel, trim)
    return _settled(pose, heel=True, trim=not fixed_trim)


def balanced(load: LoadedHull, heel: float, trim: float = 0.0) -> FloatingPose:
    """The hull held at a heel and free to trim, from a guess of the trim [rad]; PhysicsError where no trim balances."""
    pose = _settled(floating(load, heel, trim), heel=False, trim=True)
    if abs(pose.trim) > STEEPEST:
        raise PhysicsError(
            N_(
                "{name}: at a heel of {heel:.4g}° no trim balances it; expected a hull that floats on "
                "its length, or a fixed trim",
                load.hull.name,
                math.degrees(heel),
            )
        )
    return pose


def _settled(pose: FloatingPose, heel: bool, trim: bool) -> FloatingPose:
    """The pose of least energy that is reached downhill, over what may change."""
    size = pose.load.size
    for _ in range(STEPS):
        slope, stiffness = _derivatives(pose, heel, trim)
        values, vectors = np.linalg.eigh(stiffness)
        if np.linalg.norm(slope) <= DONE * size:
            if values[0] > -LEVEL * size:
                return pose
            push = vectors[:, 0] if vectors[np.argmax(np.abs(vectors[:, 0])), 0] > 0.0 else -vectors[:, 0]
            pose = _turned(pose, PUSH * push, heel, trim)
            continue
        step = -vectors @ ((vectors.T @ slope) / np.maximum(np.abs(values), 1e-6 * size))
        length = float(np.linalg.norm(step))
        step *= min(1.0, LONGEST_TURN / length)
        for _ in range(40):
            new = _turned(pose, step, heel, trim)
            if new.energy <= pose.energy + 1e-4 * float(slope @ step) + 1e-14 * size:
                break
            step *= 0.5
        else:
            return pose  # nothing is lower, but for rounding
        pose = new
        if length <= DONE and values[0] > -LEVEL * size:
            return pose
    return pose


def _derivatives(pose: FloatingPose, heel: bool, trim: bool) -> tuple[Array, Array]:
    """Slope (k,) and stiffness (k, k) of the energy over the weight [m] in the angles that may change.

    Both: turns about the level axes x and y. Heel alone: about the hull's own axis, which the trim tilts.
    """
    i = pose.integrals
    under = i.z - i.volume * pose.height  # V zB'
    area = i.area or math.inf  # a hull just under water has no waterplane, nor moments of one
    if heel and not trim:
        c, s = math.cos(pose.trim), math.sin(pose.trim)
        slope = [-c * i.y]
        stiffness = [[c * (c * (i.area_yy + under) + s * i.x) - (c * i.area_y) ** 2 / area]]
    else:
        slope = [-i.y, i.x]
        coupling = -i.area_xy + i.area_x * i.area_y / area
        across, along = i.area_yy - i.area_y**2 / area, i.area_xx - i.area_x**2 / area
        stiffness = [[across + under, coupling], [coupling, along + under]]
    first = 0 if heel else 1
    return np.array(slope)[first:] / i.volume, np.array(stiffness)[first:, first:] / i.volume


def _turned(pose: FloatingPose, step: Array, heel: bool, trim: bool) -> FloatingPose:
    """The pose after turns [rad] about the axes of the derivatives, and free to rise."""
    if not heel:
        return floating(pose.load, pose.heel, pose.trim + float(step[0]), pose.height)
    if not trim:
        return floating(pose.load, pose.heel + float(step[0]), pose.trim, pose.height)
    across, along = step
    angle = math.hypot(across, along)
    x, y = across / angle, along / angle
    c, s = math.cos(angle), math.sin(angle)
    up = np.array([-s * y, s * x, c])  # the last row of the turn: nothing depends on the heading
    row = up @ attitude(pose.heel, pose.trim)
    return floating(pose.load, math.atan2(row[1], row[2]), -math.asin(max(-1.0, min(1.0, row[0]))), pose.height)
