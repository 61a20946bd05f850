"""The weather criterion: a ship that rolls in beam waves is heeled by a gust (2008 IS Code, part A, 2.3).

IMO Resolution MSC.267(85), with the formula and the tables that it took over from Resolution A.749(18), 3.2.2.3. It is
for ships of one hull and of 24 m and more; its tables end at a breadth of 3.5 draughts and at a roll period of 20 s.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from physics.core.errors import PhysicsError
from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hydrostatics.flotation import FloatingPose, Hydrostatics
from physics.hydrostatics.form import Form
from physics.hydrostatics.natural_periods import code_period
from physics.hydrostatics.righting_levers import DEGREE, Criterion, Righting, area_between, crossed, curve, floods

PRESSURE = 504.0  # of the wind [Pa]
GUST = 1.5  # lever in the gust over that of the steady wind
LAST = 50.0 * DEGREE  # heel to which area b counts at most
STEADY, SHARE = 16.0 * DEGREE, 0.8  # heel under steady wind at most, and share of that which takes the deck's edge down
SHARP = 0.7  # k of sharp bilges
SHORTEST, WIDEST, SLOWEST = 24.0, 3.5, 20.0  # length [m], breadth over draught, and period [s] of the ships it is for
# factors over what they depend on; between, linearly
X1 = (
    *((2.4, 1.0), (2.5, 0.98), (2.6, 0.96), (2.7, 0.95), (2.8, 0.93), (2.9, 0.91)),
    *((3.0, 0.9), (3.1, 0.88), (3.2, 0.86), (3.4, 0.82), (3.5, 0.8)),
)
X2 = ((0.45, 0.75), (0.5, 0.82), (0.55, 0.89), (0.6, 0.95), (0.65, 0.97), (0.7, 1.0))
K = ((0.0, 1.0), (1.0, 0.98), (1.5, 0.95), (2.0, 0.88), (2.5, 0.79), (3.0, 0.74), (3.5, 0.72), (4.0, 0.7))
S = ((6.0, 0.1), (7.0, 0.098), (8.0, 0.093), (12.0, 0.065), (14.0, 0.053), (16.0, 0.044), (18.0, 0.038), (20.0, 0.035))
BALANCE, MARGIN = N_("weather criterion: area b over area a"), N_("heel under wind, below its limit by")


@dataclass(frozen=True)
class Windage:
    """The side of a ship in the wind, and what damps its roll.

    Attributes
    ----------
    area : projected, of ship and cargo above the water [m²]
    lever : from its centre down to that of the area under water, or to half the draught [m]
    deck_edge : the place (x, y, z) of the deck's edge that comes to the water first, in the axes of the hull [m]
    keels : area of bilge keels and bar keel [m²]
    sharp : whether the bilges are sharp
    """

    area: float
    lever: float
    deck_edge: tuple[float, float, float]
    keels: float = 0.0
    sharp: bool = False


@dataclass(frozen=True)
class Weather:
    """The weather criterion of a ship; heels to leeward [rad].

    Attributes
    ----------
    steady, gust : levers of the wind [m]
    heel : under the steady wind; infinite where the ship does not withstand it
    limit : that it may have at most
    roll : angle by which it rolls to windward from there
    end : heel at which area b ends
    period : of roll [s]
    windward, leeward : areas a and b between the lever of the gust and GZ [m rad]; a is infinite, and not made good,
        where no trim balances the ship at the end of the roll
    heels, levers : (n,) GZ [m] from the end of the roll on
    outside : what of the ship lies outside the range of ships for which the criterion was made, in words
    """

    steady: float
    gust: float
    heel: float
    limit: float
    roll: float
    end: float
    period: float
    windward: float
    leeward: float
    heels: Array
    levers: Array
    outside: tuple[str, ...]

    @property
    def criteria(self) -> tuple[Criterion, Criterion]:
        """Area b at least area a, and the heel under steady wind below its limit."""
        ratio = self.leeward / self.windward if self.windward > 0.0 else 0.0
        return (
            Criterion(BALANCE, ratio, 1.0, ""),
            Criterion(MARGIN, math.degrees(self.limit - self.heel), 0.0, "°"),
        )


def roll_angle(at: Hydrostatics, form: Form, windage: Windage, period: float) -> float:
    """Angle of roll to windward, 109 k X1 X2 sqrt(r s) degrees [rad]."""

    def factor(table: tuple[tuple[float, float], ...], value: float) -> float:
        x, y = np.array(table).T
        return float(np.interp(value, x, y))

    keels = factor(K, 100.0 * windage.keels / (form.length * form.breadth))
    k = SHARP if windage.sharp else keels
    r = 0.73 + 0.6 * (at.kg - at.draught) / form.draught
    x1, x2 = factor(X1, form.breadth / form.draught), factor(X2, form.block)
    return math.radians(109.0 * k * x1 * x2 * math.sqrt(max(r, 0.0) * factor(S, period)))


def weather_of(found: Righting, at: Hydrostatics, form: Form, windage: Windage, gravity: float) -> Weather:
    """The criterion on the side to which the ship heels at rest.

    Parameters
    ----------
    found : the righting levers, with free surfaces and openings
    at, form : where the ship floats; windage : its side in the wind
    gravity : [m/s²]
    """
    load, side = found.rest.load, found.side
    steady = PRESSURE * windage.area * windage.lever / (gravity * load.mass)
    gust = GUST * steady
    period = code_period(at, form)
    period = period if math.isfinite(period) else math.inf
    roll = roll_angle(at, form, windage, period)
    heels, levers = found.heels, found.levers

    def crossing(lever: float, first: int, rising: bool) -> tuple[float, int]:
        """The heel at which GZ comes to a lever from a degree on, infinite where it does not, and the degree after."""
        passed = levers[first:] >= lever if rising else levers[first:] < lever
        if not passed.any():
            return math.inf, len(levers)
        if (i := first + int(np.argmax(passed))) == 0:
            return 0.0, 0
        return crossed(lambda heel: side * found.at(heel).lever - lever, heels[i - 1], heels[i]), i

    heel, _ = crossing(steady, 0, True)
    start, beyond = crossing(gust, 0, True)
    second, _ = crossing(gust, beyond, False)
    reached = float(heels[-1])
    back, end = min(heel, reached) - roll, min(LAST, found.flooding, second, reached)
    poses = [*_windward(found, back), *found.poses]

    def area(first: FloatingPose, last: FloatingPose) -> float:
        """Area under GZ less that of the gust, between two poses [m rad]."""
        low, high = side * first.heel, side * last.heel
        between = (one for one in poses if low < side * one.heel < high)
        return area_between([first, *between, last], side) - gust * (high - low)

    rolled = found.at(back) if back >= 0.0 else poses[0]
    whole = side * rolled.heel <= back
    deck = floods(found.at, side, found.poses, windage.deck_edge)
    return Weather(
        steady=steady,
        gust=gust,
        heel=heel,
        limit=min(STEADY, SHARE * (math.inf if deck is None else deck)),
        roll=roll,
        end=end,
        period=period,
        windward=-area(rolled, found.at(min(start, reached))) if whole else math.inf,
        leeward=area(found.at(start), found.at(end)) if start < end else 0.0,
        heels=side * np.array([one.heel for one in poses]),
        levers=side * np.array([one.lever for one in poses]),
        outside=_outside(form, period),
    )


def _windward(found: Righting, back: float) -> list[FloatingPose]:
    """Poses at each degree from a heel [rad] to windward up to 0, as far as a trim balances the ship."""
    poses: list[FloatingPose] = []
    if back < 0.0:
        heels = np.r_[-DEGREE * np.arange(math.ceil(-back / DEGREE)), back]
        with suppress(PhysicsError):
            poses.extend(curve(found.rest.load, found.side * heels, found.trim))
    return poses[:0:-1]


def _outside(form: Form, period: float) -> tuple[str, ...]:
    ratio = form.breadth / form.draught
    told = (
        (form.length < SHORTEST, N_("length {length:.3g} m, below 24 m", form.length)),
        (ratio > WIDEST, N_("breadth {ratio:.3g} draughts, above 3.5", ratio)),
        (period > SLOWEST, N_("roll period {period:.3g} s, above 20 s", period)),
    )
    return tuple(words for out, words in told if out)
