"""A vessel that is steered: what rights and damps it, torques of wind and current, and a bounded controller of heading.

Gustafsson's vessel (2010, section 5.2) with the control forces of his outlook. The heading ψ is the azimuth of the bow,
r the rate about the vessel's own z axis e, about which all of these act:

    wind and current:  sum n sin 2(ψ - β)
    controller:        s cut to [-L, L],  s = -Kp (ψ - ψ_d) - Kd r

n is half the density times the square of the speed, a coefficient, the area and the length; β the direction of travel.
ψ - ψ_d is taken between half a turn to either side. The laws and their sources: assets/help/vessel.md.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.jit import formula
from physics.core.potential import SIZE, torque, vertical
from physics.core.rotation import Array, Quaternion, Vector, added, rotate

PROPORTIONAL, DERIVATIVE, LIMIT, COURSE = range(4)  # of the gains


class Steered(NamedTuple):
    """Actions on a vessel beside torques that are given, in its principal axes.

    Attributes
    ----------
    acts : whether there is a vessel
    field : (12,) potential and damping, see physics.core.potential
    bow, mast : (3,) unit vectors along the vessel's x and z axes
    flows : (2, 2) of wind and current: n [N m], and β [rad]
    gains : (4,) Kp [N m], Kd [N m s], L [N m], ψ_d [rad]
    """

    acts: bool = False
    field: Array = np.zeros(SIZE)
    bow: Array = np.array([1.0, 0.0, 0.0])
    mast: Array = np.array([0.0, 0.0, 1.0])
    flows: Array = np.zeros((2, 2))
    gains: Array = np.zeros(4)


@formula
def heading(vessel: Steered, q: Quaternion) -> float:
    """ψ of an attitude of the principal axes, -pi to pi [rad]."""
    bow = rotate(q, (vessel.bow[0], vessel.bow[1], vessel.bow[2]))
    return math.atan2(bow[1], bow[0])


@formula
def along_mast(vessel: Steered, v: Vector) -> float:
    """The component of a vector along the vessel's z axis."""
    found: float = vessel.mast[0] * v[0] + vessel.mast[1] * v[1] + vessel.mast[2] * v[2]
    return found


@formula
def about_mast(vessel: Steered, n: float) -> Vector:
    """A torque n about the vessel's z axis, in principal axes."""
    return (n * vessel.mast[0], n * vessel.mast[1], n * vessel.mast[2])


@formula
def pushed_by_flows(vessel: Steered, q: Quaternion) -> float:
    """Torque of wind and current about the vessel's z axis [N m]."""
    psi, n = heading(vessel, q), 0.0
    for i in range(2):
        if vessel.flows[i, 0] != 0.0:
            n += vessel.flows[i, 0] * math.sin(2.0 * (psi - vessel.flows[i, 1]))
    return n


@formula
def by_attitude(vessel: Steered, q: Quaternion) -> Vector:
    """Torque of what rights it, of wind and current [N m]."""
    return added(torque(vessel.field, vertical(q)), 1.0, about_mast(vessel, pushed_by_flows(vessel, q)))


@formula
def by_heading(vessel: Steered, q: Quaternion) -> float:
    """The part -Kp (ψ - ψ_d) of what the controller wants [N m]."""
    off: float = heading(vessel, q) - vessel.gains[COURSE] + math.pi
    gain: float = vessel.gains[PROPORTIONAL]
    return -gain * (off - 2.0 * math.pi * math.floor(off / (2.0 * math.pi)) - math.pi)


@formula
def bounded(vessel: Steered, wanted: float) -> float:
    """Torque that the controller gives where it wants one [N m]: that, cut at its bound."""
    limit: float = vessel.gains[LIMIT]
    return min(max(wanted, -limit), limit)


@formula
def impulse(vessel: Steered, t: float, wanted: float, ease: float) -> float:
    """Impulse that the controller has given to a vessel held still after t [s], of either sign, exactly [N m s].

    wanted: s at the start; ease: e.J⁻¹ e [1/(kg m²)]. s' = -k (s cut to [-L, L]) with k = Kd e.J⁻¹ e: beyond the bound
    it falls evenly, below it decays, and the way back is the same.
    """
    limit: float = vessel.gains[LIMIT]
    k: float = vessel.gains[DERIVATIVE] * ease
    size, sign = abs(wanted), math.copysign(1.0, wanted)
    if k == 0.0 or size == 0.0:
        return bounded(vessel, wanted) * t
    if size > limit:
        met = (size - limit) / (k * limit)  # when it comes down to the bound
        if t <= met:
            return sign * limit * t
        return sign * limit * (met - math.expm1(-k * (t - met)) / k)
    met = -math.log(limit / size) / k  # when it came down to it
    if t >= met:
        return -wanted * math.expm1(-k * t) / k
    return sign * ((size - limit) / k + limit * (t - met))


@formula
def by_rate(vessel: Steered, w: Vector, wanted: float) -> Vector:
    """Torque of damping and controller at an angular velocity [N m], in principal axes; wanted: see ``by_heading``."""
    D = vessel.field
    n = bounded(vessel, wanted - vessel.gains[DERIVATIVE] * along_mast(vessel, w))
    return added((-D[6] * w[0], -D[7] * w[1], -D[8] * w[2]), n, (vessel.mast[0], vessel.mast[1], vessel.mast[2]))
