"""The righting lever GZ over heel, displacement constant: areas, the largest lever, the angle at which it vanishes.

Turned slowly about the heel, a hull that is free to trim gains d(zG - zB) = GZ cos(trim) d(heel). The area under GZ is
therefore the rise of zG - zB, which is exact, and the integral of GZ (1 - cos(trim)), which is small: kinks of the
lever, where a deck edge dips, cost no digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from physics.core.errors import PhysicsError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hydrostatics.flotation import FloatingPose, balanced, equilibrium, floating, hydrostatics
from physics.hydrostatics.hull import LoadedHull

DEGREE = math.pi / 180.0
LAST = 180  # [degrees] end of the curve
LEAST_LEVER = 1e-9  # share of the size of the hull: a lever that counts as none


@dataclass(frozen=True)
class Righting:
    """Results of the curve of righting levers, on the side to which the hull heels by itself.

    Attributes
    ----------
    side : +1 to starboard, -1 to port; angles are counted to that side
    rest : the pose in which it floats by itself
    trim : [rad] where it is fixed
    poses, heels, levers : (n,) poses, [rad] and [m], each degree up to where the lever vanishes, at least to 40
        degrees; fewer where no trim balances the hull
    area_30, area_40 : under the curve from 0 to 30 and to 40 degrees, or to flooding, if that is before; what lies
        below 0 counts below 0 [m rad]
    area : from rest to the vanishing angle [m rad], or None where there is none
    most, most_at : the largest lever [m] and its heel [rad]; 0 where none is above 0
    most_dry_at : the heel of the largest lever up to flooding [rad]
    most_beyond_30 : the largest lever from 30 degrees to flooding [m]; 0 where it floods before
    openings : the heel at which each opening comes to the water [rad]; None where it does not on this curve
    vanishing : the heel beyond which nothing rights it [rad]; None where the lever stays above 0 to the end of the
        curve, or is nowhere above 0
    """

    side: int
    rest: FloatingPose
    trim: float | None
    poses: tuple[FloatingPose, ...]
    heels: Array
    levers: Array
    area_30: float
    area_40: float
    area: float | None
    most: float
    most_at: float
    most_dry_at: float
    most_beyond_30: float
    openings: tuple[float | None, ...]
    vanishing: float | None

    @property
    def upright(self) -> FloatingPose:
        """The pose held at no heel."""
        return self.poses[0]

    def at(self, heel: float) -> FloatingPose:
        """The pose at a heel to the side [rad], 0 or more."""
        return _at(self.poses, self.side, self.trim, heel)

    @property
    def flooding(self) -> float:
        """The heel at which water comes in by the first opening [rad]; infinite where none comes to the water."""
        return min((one for one in self.openings if one is not None), default=math.inf)


def rest_of(load: LoadedHull, fixed_trim: bool = False) -> FloatingPose:
    """Pose in which the hull floats by itself; with ``fixed_trim`` at the trim that balances it upright."""
    if not fixed_trim:
        return equilibrium(load)
    return equilibrium(load, trim=balanced(load, 0.0).trim, fixed_trim=True)


def curve(load: LoadedHull, heels: Array, trim: float | None = None) -> Iterator[FloatingPose]:
    """The poses at heels (n,) [rad], held there: free to rise and, unless a trim [rad] is given, to trim.

    Raises PhysicsError where no trim balances the hull.
    """
    pose: FloatingPose | None = None
    for heel in heels:
        pose = held(load, float(heel), trim, pose)
        yield pose


def righting(
    load: LoadedHull,
    rest: FloatingPose,
    trim: float | None = None,
    openings: Sequence[tuple[float, float, float]] = (),
) -> Righting:
    """The curve on the side to which the hull heels at rest.

    Parameters
    ----------
    load : the hull with its mass; rest : the pose in which it floats
    trim : [rad] where it is fixed
    openings : places (x, y, z) in the hull's axes by which water comes in [m]; each counts as if there were one to both
        sides

    Raises PhysicsError where no trim balances the hull at a heel of 40 degrees or less.
    """
    side = -1 if rest.heel < -1e-6 else 1  # [rad] below: rounding
    found: list[FloatingPose] = []
    vanishes: int | None = None  # the first number of a degree at which the lever has come down to 0
    positive = False
    for degree in range(LAST + 1):
        try:
            pose = held(load, side * degree * DEGREE, trim, found[-1] if found else None)
        except PhysicsError:
            if degree <= 40:
                raise
            break
        found.append(pose)
        lever = side * pose.lever
        if positive and lever <= 0.0 and vanishes is None and degree < LAST:
            vanishes = degree
        positive = positive or lever > LEAST_LEVER * load.size
        if vanishes is not None and degree >= 40:
            break
    levers = np.array([side * pose.lever for pose in found])
    heels = np.array([DEGREE * degree for degree in range(len(found))])
    at = partial(_at, found, side, trim)
    vanishing, area = None, None
    if vanishes is not None:
        vanishing = crossed(lambda heel: side * at(heel).lever, (vanishes - 1) * DEGREE, vanishes * DEGREE)
        area = _area(found, side, at(vanishing)) - _area(found, side, at(abs(rest.heel)))
    floodings = tuple(floods(at, side, found, place) for place in openings)
    flooding = min((one for one in floodings if one is not None), default=math.inf)
    righted = slice(vanishes + 1 if vanishes else None)
    most, most_at = _largest(at, side, heels[righted], levers[righted]) if positive else (0.0, 0.0)
    dry = _until(at, side, heels[righted], levers[righted], flooding if positive else 0.0)
    beyond = _until(at, side, heels[30:], levers[30:], flooding)
    ends = (at(flooding) if flooding < degree * DEGREE else found[degree] for degree in (30, 40))
    areas = [_area(found, side, end) for end in ends]
    return Righting(
        side=side,
        rest=rest,
        trim=trim,
        poses=tuple(found),
        heels=heels,
        levers=levers,
        area_30=areas[0],
        area_40=areas[1],
        area=area,
        most=most,
        most_at=most_at,
        most_dry_at=_largest(at, side, *dry)[1],
        most_beyond_30=_largest(at, side, *beyond)[0] if flooding >= 30 * DEGREE else 0.0,
        openings=floodings,
        vanishing=vanishing,
    )


def _at(found: Sequence[FloatingPose], side: int, trim: float | None, heel: float) -> FloatingPose:
    """The pose at a heel to the side [rad], from the one found nearest below."""
    return held(found[0].load, side * heel, trim, found[min(int(heel / DEGREE), len(found) - 1)])


def _until(
    at: Callable[[float], FloatingPose], side: int, heels: Array, levers: Array, end: float
) -> tuple[Array, Array]:
    """The heels [rad] and levers [m] up to an end, and those there."""
    if end >= heels[-1]:
        return heels, levers
    before = heels < end
    return np.append(heels[before], end), np.append(levers[before], side * at(end).lever)


def crossed(value: Callable[[float], float], low: float, high: float) -> float:
    """The heel between two at which a value that changes its sign between them is 0 [rad].

    Where it is 0 at one of them but for rounding, both may have the same sign: the one nearer to 0 is taken.
    """
    first, last = value(low), value(high)
    if (first < 0.0) == (last < 0.0):
        return float(low if abs(first) <= abs(last) else high)
    from scipy.optimize import brentq  # here: it takes long to load, and a window waits for it

    return float(brentq(value, low, high, xtol=1e-13))


def floods(
    at: Callable[[float], FloatingPose], side: int, found: Sequence[FloatingPose], place: tuple[float, float, float]
) -> float | None:
    """The heel at which a place of the hull, on the side of the heel, comes to the water [rad]; None: on no pose.

    at : the pose at a heel to the side [rad]; found : those at each degree
    """
    point = np.array([place[0], -side * abs(place[1]), place[2]])

    def above(pose: FloatingPose) -> float:
        return float(pose.rotation[2] @ (point - pose.load.centre_of_gravity)) + pose.height

    if (first := next((i for i, pose in enumerate(found) if above(pose) <= 0.0), None)) is None:
        return None
    if first == 0:
        return 0.0
    return crossed(lambda heel: above(at(heel)), (first - 1) * DEGREE, first * DEGREE)


def held(load: LoadedHull, heel: float, trim: float | None, near: FloatingPose | None) -> FloatingPose:
    """Pose at a heel [rad], free to rise and, unless a trim [rad] is given, to trim; near: one to begin from."""
    if trim is not None:
        return floating(load, heel, trim, near.height if near else 0.0)
    return balanced(load, heel, near.trim if near else 0.0)


def _area(found: list[FloatingPose], side: int, end: FloatingPose) -> float:
    """Under the curve from 0 to a pose [m rad]."""
    return area_between([*(pose for pose in found if abs(pose.heel) < abs(end.heel)), end], side)


def area_between(poses: Sequence[FloatingPose], side: int) -> float:
    """Area under the curve from the first to the last of poses at heels that grow to a side [m rad]."""
    first, last = poses[0], poses[-1]
    heels, trims = np.array([(side * pose.heel, pose.trim) for pose in poses]).T
    if np.ptp(trims) == 0.0:
        return (last.energy - first.energy) / math.cos(last.trim)
    lost = side * np.array([pose.lever for pose in poses]) * (1.0 - np.cos(trims))
    return last.energy - first.energy + float(np.trapezoid(lost, heels))


def _largest(at: Callable[[float], FloatingPose], side: int, heels: Array, levers: Array) -> tuple[float, float]:
    """The largest lever [m], and its heel [rad]: between the heels (n,) around the largest of levers (n,)."""
    from scipy.optimize import minimize_scalar

    top = int(np.argmax(levers))
    low, high = float(heels[max(top - 1, 0)]), float(heels[min(top + 1, len(heels) - 1)])
    best, where = float(levers[top]), float(heels[top])
    if high > low:
        found = minimize_scalar(lambda heel: -side * at(heel).lever, bounds=(low, high), options={"xatol": 1e-9})
        if -found.fun > best:
            best, where = -float(found.fun), float(found.x)
    return best, where


# ---- the general criteria of the 2008 IS Code (IMO Resolution MSC.267(85), part A, 2.2) ---------------
# A demonstration, and no approval: rules for kinds of ships are left out. What lies beyond the heel at which water
# comes in by an opening does not count, as if there were no lever: a ship that floods before 30 degrees does not pass.

ASKED = (  # criteria: what is judged, its least value, its unit
    ("area under GZ to 30°", 0.055, "m rad"),
    ("area under GZ to 40°", 0.09, "m rad"),
    ("area under GZ from 30° to 40°", 0.03, "m rad"),
    ("largest GZ at 30° or more", 0.2, "m"),
    ("heel of the largest GZ", 25.0, "°"),
    ("GM upright", 0.15, "m"),
)
NOISE = 1e-8  # value that is rounding
FLOODED = {  # names where flooding cuts what is judged
    "area under GZ to 30°": "area under GZ to flooding, before 30°",
    "area under GZ to 40°": "area under GZ to flooding",
    "area under GZ from 30° to 40°": "area under GZ from 30° to flooding",
    "heel of the largest GZ": "heel of the largest GZ before flooding",
}
VERDICTS = (N_("not passed"), "passed")


@dataclass(frozen=True)
class Criterion:
    """A value of the ship, and the least that the code asks for."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def passed(self) -> bool:
        """True if the value is at least the limit."""
        return bool(self.value >= self.limit)

    @property
    def verdict(self) -> str:
        """Verdict in words."""
        return VERDICTS[self.passed]


def criteria(found: Righting) -> tuple[Criterion, ...]:
    """Values and limits of 2.2.1 to 2.2.4."""
    values = (  # each with the heel that it looks to [rad], before which flooding cuts it
        (found.area_30, 30.0 * DEGREE),
        (found.area_40, 40.0 * DEGREE),
        (found.area_40 - found.area_30, 40.0 * DEGREE),
        (found.most_beyond_30, 0.0),
        (math.degrees(found.most_dry_at), found.most_at),
        (hydrostatics(found.upright).gm_transverse, 0.0),
    )
    return tuple(
        Criterion(
            FLOODED.get(name, name) if found.flooding < heel else name,
            0.0 if abs(value) <= NOISE else value,
            limit,
            unit,
        )
        for (name, limit, unit), (value, heel) in zip(ASKED, values, strict=True)
    )
