"""The weather criterion of boxes that are wall-sided as far as it looks, by closed forms."""

from __future__ import annotations

import math

import pytest

from physics import ScenarioError
from physics.hydrostatics.hull import box, loaded
from physics.hydrostatics.stability_sheet import Sheet, SheetInputs, sheet_of
from physics.hydrostatics.weather_criterion import Weather, Windage
from tests.physics.hydrostatics.test_form import trimaran

LENGTH, BREADTH, DEPTH, DRAUGHT, KG = 60.0, 12.0, 20.0, 5.0, 4.3
MASS = 1025.0 * LENGTH * BREADTH * DRAUGHT
GM, BM = DRAUGHT / 2 + BREADTH**2 / 12 / DRAUGHT - KG, BREADTH**2 / 12 / DRAUGHT
FLOODS = math.radians(30.5)
OPEN = (0.0, 6.0, 5.0 + 6.0 * math.tan(FLOODS))


def judged(windage: Windage, **inputs: object) -> Sheet:
    load = loaded(box((LENGTH, BREADTH, DEPTH)), MASS, (0.0, 0.0, KG))
    return sheet_of(load, inputs=SheetInputs(windage=windage, openings=(OPEN,), **inputs))


def weather(area: float = 500.0, lever: float = 6.0, **more: object) -> Weather:
    found = judged(Windage(area, lever, **{"deck_edge": (0.0, 6.0, 20.0)} | more)).weather
    assert found is not None
    return found


def area_to(heel: float) -> float:
    """The area under GZ of a wall-sided ship, its energy over the weight."""
    return GM * (1.0 - math.cos(heel)) + 0.5 * BM * (1.0 / math.cos(heel) + math.cos(heel) - 2.0)


def lever_at(heel: float) -> float:
    return math.sin(heel) * (GM + 0.5 * BM * math.tan(heel) ** 2)


def test_levers_heels_and_areas_are_those_of_a_wall_sided_ship() -> None:
    found = weather()
    steady = 504.0 * 500.0 * 6.0 / (1000.0 * 9.81 * MASS / 1000.0)  # the displacement in tonnes
    assert (found.steady, found.gust) == pytest.approx((steady, 1.5 * steady), rel=1e-12)
    assert lever_at(found.heel) == pytest.approx(steady, abs=1e-9)
    period = 2.0 * (0.373 + 0.023 * BREADTH / DRAUGHT - 0.043 * LENGTH / 100.0) * BREADTH / math.sqrt(GM)
    assert found.period == pytest.approx(period)
    assert 12.0 < period < 14.0
    s = 0.065 + (0.053 - 0.065) * (period - 12.0) / 2.0
    roll = 109.0 * math.sqrt((0.73 + 0.6 * (KG - DRAUGHT) / DRAUGHT) * s)  # B/d 2.4 and CB 1: X1, X2 and k are 1
    assert math.degrees(found.roll) == pytest.approx(roll)
    assert found.end == pytest.approx(FLOODS)
    low, high = 0.0, FLOODS
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if lever_at(middle) < found.gust else (low, middle)
    back, end = found.heel - found.roll, FLOODS
    assert back < 0.0
    assert found.windward == pytest.approx(found.gust * (low - back) - (area_to(low) - area_to(back)), abs=1e-9)
    assert found.leeward == pytest.approx(area_to(end) - area_to(low) - found.gust * (end - low), abs=1e-9)
    assert found.heels[0] == pytest.approx(back)
    assert found.levers[0] == pytest.approx(lever_at(back), abs=1e-9)
    assert found.outside == ()


def test_wind_may_heel_it_to_a_whole_degree() -> None:
    """The lever at a degree of the curve is that of the wind but for rounding, to either side."""
    per_lever = 9.81 * MASS / 504.0 / 6.0
    for degree in range(1, 26):
        heel = math.radians(degree)
        assert weather(lever_at(heel) * per_lever).heel == pytest.approx(heel, abs=1e-9)
        area = area_to(FLOODS) - area_to(heel) - lever_at(heel) * (FLOODS - heel)
        assert weather(lever_at(heel) / 1.5 * per_lever).leeward == pytest.approx(area, abs=1e-9)


def test_bilge_keels_sharp_bilges_and_the_edge_of_the_deck_count() -> None:
    bare = weather().roll
    assert weather(keels=1.75 / 100.0 * LENGTH * BREADTH).roll / bare == pytest.approx((0.95 + 0.88) / 2.0)
    assert weather(sharp=True).roll / bare == pytest.approx(0.7)
    assert weather().limit == pytest.approx(math.radians(16.0))
    low = weather(deck_edge=(0.0, -6.0, 6.0)).limit  # comes to the water at 9.5 degrees
    assert low == pytest.approx(0.8 * math.atan(1.0 / 6.0))


def test_more_wind_fails_it_and_what_no_lever_withstands_too() -> None:
    names = [one.name for one in judged(Windage(500.0, 6.0, (0.0, 6.0, 20.0))).judged[-2:]]
    assert names == ["weather criterion: area b over area a", "heel under wind, below its limit by"]
    calm, storm = (weather(area).criteria for area in (100.0, 2500.0))
    assert [one.passed for one in calm] == [True, True]
    assert [one.passed for one in storm] == [False, False]
    gone = weather(1e5)
    assert math.isinf(gone.heel)
    assert (gone.leeward, gone.criteria[0].value, gone.criteria[1].passed) == (0.0, 0.0, False)


def test_a_heel_without_a_trim_ends_the_roll_and_the_criterion_is_not_passed() -> None:
    """It rears up at 46 degrees, before the end of the roll: area a is not known."""
    load = loaded(box((7.5, 8.0, 2.0)), 0.15 * 1025.0 * 120.0, (0.6, 0.0, 2.0))
    sheet = sheet_of(load, inputs=SheetInputs(windage=Windage(20.0, 2.0, (0.0, 4.0, 2.0))))
    found = sheet.weather
    assert found is not None
    reached = sheet.levers.heels[-1]
    assert found.roll - found.heel > reached > math.radians(40.0)
    assert found.heels[[0, -1]] == pytest.approx([-reached, reached])
    assert math.isinf(found.windward)
    assert [(one.value, one.passed) for one in found.criteria[:1]] == [(0.0, False)]
    assert found.criteria[1].passed


def test_it_is_told_for_which_ships_it_is_not() -> None:
    load = loaded(box((20.0, 8.0, 4.0)), 328_000.0, (0.0, 0.0, 2.5))
    short = sheet_of(load, inputs=SheetInputs(windage=Windage(50.0, 2.0, (0.0, 4.0, 4.0)))).weather
    assert short is not None
    assert short.outside == ("length 20 m, below 24 m", "breadth 4 draughts, above 3.5")
    load = loaded(trimaran(), 1025.0 * 128.0, (0.0, 0.0, 2.0))
    with pytest.raises(ScenarioError, match=r"stability\.windage_area: .* for one hull, not for 3 side by side"):
        sheet_of(load, inputs=SheetInputs(windage=Windage(50.0, 2.0, (0.0, 4.0, 4.0))))
