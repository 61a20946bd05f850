"""The ship as compiled code takes it: its hull, its inertia, and what acts on it beside gravity.

Axes: principal ones of the ship, from its centre of gravity, for the attitude, the angular velocity and the hull;
those of the hull (x forward, y port, z up) for added mass, damping, wind and control.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.rotation import Array

NONE, FINS, GYRO = 0, 1, 2  # kinds of control


class ShipModel(NamedTuple):
    """What moves, and what moves it.

    Attributes
    ----------
    vertices : (n, 3) of the hull [m], in principal axes
    triangles : (m, 3) numbers of vertices, counter-clockwise from outside
    mass : [kg]; moments : (3,) about the principal axes [kg m²]
    gravity : [m/s²]; density : of the water [kg/m³]
    frame : (3, 3) principal axes -> axes of the hull
    added : (6,) added mass, constant in the hull [kg], [kg m²]; the axes of the hull are then the principal ones
    linear, quadratic : (6,) damping in the axes of the hull, forces D v and Dq |v| v, moments alike
    wind : (3,) the moment about the x axis upright [N m], by which it is multiplied in the gust, and when that begins
        [s]: ship heeled by phi gets cos² phi of it
    control : one of NONE, FINS, GYRO
    waves : (7, n) the table of physics.seakeeping.waves.Waves; n = 0 is calm water
    depth : of the water [m]; wheeler : how the waves' pressure goes on to the surface, see there
    settings : (5,) of the control: fins: Kp [N m], Kd [N m s], limit [N m]; gyro: spin [N m s], and of the gimbal its
        inertia [kg m²], damping [N m s], stiffness [N m]
    """

    vertices: Array
    triangles: np.ndarray
    mass: float
    moments: Array
    gravity: float
    density: float
    frame: Array
    added: Array
    linear: Array
    quadratic: Array
    wind: Array
    control: int
    settings: Array
    waves: Array
    depth: float
    wheeler: bool

    @property
    def passive(self) -> bool:
        """Whether nothing but gravity and the pressure of calm water acts."""
        return not (self.linear.any() or self.quadratic.any() or self.driven)

    @property
    def driven(self) -> bool:
        """Whether something may give energy to the motion: waves, wind or control."""
        return self.waves.shape[1] > 0 or self.wind[0] != 0.0 or self.control != NONE


def bare(
    vertices: Array, triangles: np.ndarray, mass: float, moments: Array, gravity: float, density: float, frame: Array
) -> ShipModel:
    """A ship on which nothing acts but gravity and the pressure of calm water; more by ``_replace``."""
    nothing = np.zeros(6)
    return ShipModel(
        vertices=np.ascontiguousarray(vertices, float),
        triangles=np.ascontiguousarray(triangles, np.int64),
        mass=float(mass),
        moments=np.ascontiguousarray(moments, float),
        gravity=float(gravity),
        density=float(density),
        frame=np.ascontiguousarray(frame, float),
        added=nothing,
        linear=nothing,
        quadratic=nothing,
        wind=np.array([0.0, 1.0, math.inf]),
        control=NONE,
        settings=np.zeros(5),
        waves=np.empty((7, 0)),
        depth=math.inf,
        wheeler=True,
    )
