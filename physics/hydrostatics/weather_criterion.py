"""The weather criterion: a ship that rolls in beam waves is heeled by a gust (2008 IS Code, part A, 2.3).

IMO Resolution MSC.267(85), with the formula and the tables that it took over from Resolution A.749(18), 3.2.2.3. It is
for ships of one hull and of 24 m and more; its tables end at a breadth of 3.5 draughts and at a roll period of 20 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from physics.core.rotation import Array
from physics.core.wording import N_
from physics.hydrostatics.flotation import FloatingPose, Hydrostatics
from physics.hydrostatics.form import Form
from physics.hydrostatics.natural_periods import code_period
from physics.hydrostatics.righting_levers import DEGREE, Criterion, Righting, area_between, floods, held

PRESSURE = 504.0  # of the wind [Pa]
GUST = 1.5  # lever in the gust over that of the steady wind
LAST = 50.0 * DEGREE  # heel to which area b counts at most
STEADY, SHARE = 16.0 * DEGREE, 0.8  # heel under steady wind at most, and share of that which takes the deck's edge down
SHARP = 0.7  # k of sharp bilges
SHORTEST, WIDEST, SLOWEST = 24.0, 3.5, 20.0  # length [m], breadth over draught, and period [s] of the ships it is for
# factors over what they depend on; between, linearly
X1 = ((2.4, 1.0), (2.5, 0.98), (2.6, 0.96), (2.7, 0.95), (2.8, 0.93), (2.9, 0.91), (3.0, 0.9), (3.1, 0.88), (3.2, 0.86), (3.4, 0.82), (3.5, 0.8))  # fmt: skip  # noqa: E501
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
    windward, leeward : areas a and b between the lever of the gust and GZ [m rad]
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


def weather_of(
    found: Righting, at: Hydrostatics, form: Form, windage: Windage, gravity: float, trim: float | None = None
) -> Weather:
    """The criterion on the side to which the ship heels at rest.

    Parameters
    ----------
    found : the righting levers, with free surfaces and openings
    at, form : where the ship floats; windage : its side in the wind
    gravity : [m/s²]; trim : [rad] where it is fixed
    """
    load, side = found.rest.load, found.side
    steady = PRESSURE * windage.area * windage.lever / (gravity * load.mass)
    gust = GUST * steady
    period = code_period(at, form)
    period = period if math.isfinite(period) else math.inf
    roll = roll_angle(at, form, windage, period)

    def pose(heel: float) -> FloatingPose:
        return held(load, side * heel, trim, found.rest)

    heels, levers = found.heels, found.levers

    def crossing(lever: float, first: int, rising: bool) -> float:
        """The heel at which GZ comes to a lever after the degree of number ``first``; infinite where it does not."""
        passed = levers[first:] >= lever if rising else levers[first:] < lever
        if not passed.any():
            return math.inf
        from scipy.optimize import brentq  # here: it takes long to load, and a window waits for it

        i = first + int(np.argmax(passed))
        if i == 0:
            return 0.0
        return float(brentq(lambda heel: side * pose(heel).lever - lever, heels[i - 1], heels[i], xtol=1e-12))

    heel, start = crossing(steady, 0, True), crossing(gust, 0, True)
    reached = float(heels[-1])
    back = min(heel, reached) - roll
    second = crossing(gust, math.ceil(start / DEGREE), False) if math.isfinite(start) else math.inf
    end = min(LAST, found.flooding, second, reached)

    def area(low: float, high: float) -> float:
        """Area under GZ less that of the gust, between two heels [m rad]."""
        between = [one * DEGREE for one in range(math.floor(low / DEGREE) + 1, math.ceil(high / DEGREE))]
        return area_between([pose(one) for one in (low, *between, high)], side) - gust * (high - low)

    deck = floods(pose, side, [pose(one) for one in heels], windage.deck_edge)
    shown = np.unique(np.r_[back, np.arange(math.ceil(back / DEGREE), 0) * DEGREE]) if back < 0.0 else np.empty(0)
    return Weather(
        steady=steady,
        gust=gust,
        heel=heel,
        limit=min(STEADY, SHARE * (math.inf if deck is None else deck)),
        roll=roll,
        end=end,
        period=period,
        windward=-area(back, min(start, reached)),
        leeward=area(start, end) if start < end else 0.0,
        heels=np.r_[shown, heels],
        levers=np.concatenate([[side * pose(float(one)).lever for one in shown], levers]),
        outside=_outside(form, period),
    )


def _outside(form: Form, period: float) -> tuple[str, ...]:
    ratio = form.breadth / form.draught
    told = (
        (form.length < SHORTEST, N_("length {length:.3g} m, below 24 m", form.length)),
        (ratio > WIDEST, N_("breadth {ratio:.3g} draughts, above 3.5", ratio)),
        (period > SLOWEST, N_("roll period {period:.3g} s, above 20 s", period)),
    )
    return tuple(words for out, words in told if out)
