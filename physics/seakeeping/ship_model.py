"""The ship as compiled code takes it: its hull, its inertia, and what acts on it beside gravity.

Axes: principal ones of the ship, from its centre of gravity, for the attitude, the angular velocity and the hull;
those of the hull (x forward, y port, z up) for added mass, damping, wind and control.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.core.rotation import Array
from physics.core.wording import N_
from physics.seakeeping.waves import Waves

# ---- faces smaller than the waves: the same surface, closed -------------------------------------------
# Edges that are too long are halved, and a triangle is split by the middles of its one, two or three halved edges. An
# edge is halved for both of its triangles, so that no corner comes to lie within an edge.

FINE = 0.25  # wavenumber times the longest edge: motions then agree with those of finer faces to 1e-7
COARSE = 1.0  # the same to 1e-4, and forces to 1e-5
SHARE = 0.8  # share of the energy of the sea; its forces then agree with those on finer faces to 6e-5
MAX_TRIANGLES = 10_000  # triangles, or twice as many as there were
SHRINK = 0.8  # ratio from one length to the next, until the edges are fine or the triangles too many


def fit_for(
    waves: Waves, points: Array, triangles: np.ndarray, most: int = MAX_TRIANGLES
) -> tuple[Array, np.ndarray, str]:
    """A closed mesh with edges short against the waves, and a note where it could not be made so; calm needs none.

    Parameters
    ----------
    points : (n, 3) [m]
    triangles : (m, 3) numbers of points
    most : triangles that are allowed; twice those given where that is more
    """
    if waves.is_calm:
        return points, triangles, ""
    wavenumber, most = shortest(waves), max(most, 2 * len(triangles))
    corners = points[triangles]
    longest = reached = float(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).max())
    while longest * wavenumber > FINE:
        longest = max(SHRINK * longest, FINE / wavenumber)
        found = subdivided(points, triangles, longest, most)
        if found is None:
            break
        (points, triangles), reached = found, longest
    if reached * wavenumber <= COARSE:
        return points, triangles, ""
    note = N_(
        "faces of the hull are up to {reached:.3g} m long, which is coarse for waves of {wave:.3g} m: "
        "finer ones would be more than {most}",
        reached,
        2.0 * math.pi / wavenumber,
        most,
    )
    return points, triangles, note


def shortest(waves: Waves) -> float:
    """The wavenumber [rad/m] below which SHARE of the energy is: where the shortest waves are that matter."""
    order = np.argsort(waves.wavenumber, kind="stable")
    energy = np.cumsum(waves.amplitude[order] ** 2)
    return float(waves.wavenumber[order][np.searchsorted(energy, SHARE * energy[-1])])


def subdivided(points: Array, triangles: np.ndarray, longest: float, most: int) -> tuple[Array, np.ndarray] | None:
    """The same surface with no edge longer than that [m]; None where that takes more triangles than ``most``."""
    points, triangles = np.ascontiguousarray(points, float), np.ascontiguousarray(triangles, np.int64)
    while len(triangles) <= most:
        ends = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
        edges, which = np.unique(ends[:, 0] * len(points) + ends[:, 1], return_inverse=True)
        first, second = edges // len(points), edges % len(points)
        halved = np.linalg.norm(points[second] - points[first], axis=1) > longest
        if not halved.any():
            return points, triangles
        number = np.where(halved, len(points) + np.cumsum(halved) - 1, -1)
        points = np.concatenate([points, 0.5 * (points[first[halved]] + points[second[halved]])])
        triangles = _split(points, triangles, number[which].reshape(-1, 3))
    return None


def _split(points: Array, triangles: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Triangles of which some edges are halved; middle (m, 3) are the numbers of their middles, -1 of a whole edge.

    Edge j is that from corner j to the next.
    """
    count = (middle >= 0).sum(axis=1)
    parts = [triangles[count == 0]]
    # the corners are turned round until the halved edges are the first ones
    start = np.where(count == 1, np.argmax(middle >= 0, axis=1), (np.argmin(middle, axis=1) + 1) % 3)
    turn = (start[:, None] + np.arange(3)) % 3
    a, b, c = np.take_along_axis(triangles, turn, axis=1).T
    ab, bc, ca = np.take_along_axis(middle, turn, axis=1).T

    def pick(chosen: np.ndarray, *corners: np.ndarray) -> None:
        parts.append(np.stack([v[chosen] for v in corners], axis=1))

    one, two, three = count == 1, count == 2, count == 3
    pick(one, a, ab, c)
    pick(one, ab, b, c)
    pick(two, ab, b, bc)
    across = np.linalg.norm(points[bc] - points[a], axis=1) <= np.linalg.norm(points[c] - points[ab], axis=1)
    for chosen, from_a in ((two & across, True), (two & ~across, False)):  # the shorter diagonal of what is left
        pick(chosen, *((a, ab, bc) if from_a else (a, ab, c)))
        pick(chosen, *((a, bc, c) if from_a else (ab, bc, c)))
    pick(three, a, ab, ca)
    pick(three, ab, b, bc)
    pick(three, ca, bc, c)
    pick(three, ab, bc, ca)
    return np.concatenate(parts)


# ---- the model ----------------------------------------------------------------------------------------

NONE, FINS, GYRO = 0, 1, 2  # kinds of control


class ShipModel(NamedTuple):
    """The ship and the loads on it.

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
    waves : (7, n) the table of physics.seakeeping.waves.Waves; None in calm water, which compiles no law of theirs
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
    wind: Array = np.array([0.0, 1.0, math.inf])
    control: int = NONE
    settings: Array = np.zeros(5)
    waves: Array | None = None
    depth: float = math.inf
    wheeler: bool = True

    @property
    def passive(self) -> bool:
        """True if nothing but gravity and the pressure of calm water acts."""
        return not (self.linear.any() or self.quadratic.any() or self.driven)

    @property
    def driven(self) -> bool:
        """True if waves, wind or control may give energy to the motion."""
        return self.waves is not None or self.wind[0] != 0.0 or self.control != NONE
