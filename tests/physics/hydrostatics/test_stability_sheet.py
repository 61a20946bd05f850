"""The sheet of a loaded hull: openings by which water comes in, free surfaces of tanks, round numbers of its curves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics.hydrostatics.flotation import floating
from physics.hydrostatics.hull import WATER, LoadedHull, box, loaded
from physics.hydrostatics.righting_levers import crossed, rest_of, righting
from physics.hydrostatics.stability_sheet import Sheet, SheetInputs, curves_of, round_numbers, sheet_of
from physics.hydrostatics.strip_theory import strips_of


def barge(z: float = 2.5) -> LoadedHull:
    """A box of 20 x 8 x 4 m at half its depth: it turns about the middle of its section, at any heel."""
    return loaded(box((20.0, 8.0, 4.0)), 328_000.0, (0.0, 0.0, z))


def flooded(*openings: tuple[float, float, float]) -> Sheet:
    return sheet_of(barge(), inputs=SheetInputs(openings=openings))


def test_an_opening_floods_where_the_geometry_of_a_box_says() -> None:
    """Height h above the water and y aside, at atan(h / y), on either side; one in the middle comes to it at 90."""
    found = flooded((3.0, 3.0, 4.5), (-5.0, -3.5, 3.0), (0.0, 0.0, 8.0)).levers
    expected = (math.atan(2.5 / 3.0), math.atan(1.0 / 3.5))
    assert found.openings[:2] == pytest.approx(expected, abs=1e-10)
    assert found.openings[2] is None  # the lever has vanished before
    assert found.flooding == pytest.approx(expected[1], abs=1e-10)
    assert flooded((0.0, 1.0, 1.9)).levers.flooding == 0.0
    assert flooded().levers.flooding == math.inf
    whole = np.radians(np.arange(1.0, 51.0))  # where the height is 0 at a degree of the curve, but for rounding
    assert flooded(*((0.0, 3.0, 2.0 + 3.0 * math.tan(one)) for one in whole)).levers.openings == pytest.approx(
        whole, abs=1e-10
    )


def test_where_rounding_leaves_one_sign_the_end_that_is_nearer_to_0_is_taken() -> None:
    assert crossed(lambda heel: heel - 0.3, 0.0, 1.0) == pytest.approx(0.3)
    assert crossed(lambda heel: 1.0 - heel + 1e-16, 0.0, 1.0) == 1.0
    assert crossed(lambda heel: -1e-16 - heel, 0.0, 1.0) == 0.0


def test_what_lies_beyond_flooding_does_not_count() -> None:
    """Up to the deck edge the area is the rise of zG - zB of a wall-sided ship; beyond 30 degrees as by the curve."""
    whole = flooded()
    early = flooded((0.0, 3.5, 3.0))  # at 15.9 degrees
    heel = early.levers.flooding
    area = 7 / 6 * (1.0 - math.cos(heel)) + 4 / 3 * (1.0 / math.cos(heel) + math.cos(heel) - 2.0)
    assert (early.levers.area_30, early.levers.area_40) == pytest.approx((area, area), abs=1e-10)
    judged = {one.name: (one.value, one.passed) for one in early.judged}
    assert judged["largest GZ at 30° or more"] == (0.0, False)
    assert judged["area under GZ from 30° to flooding"] == (0.0, False)
    assert judged["heel of the largest GZ before flooding"] == (pytest.approx(math.degrees(heel)), False)
    assert judged["area under GZ to flooding, before 30°"] == (pytest.approx(area), False)
    late = flooded((0.0, 3.0, 4.0))  # at 33.7 degrees, before the largest lever
    assert late.levers.area_30 == whole.levers.area_30
    assert whole.levers.area_30 < late.levers.area_40 < whole.levers.area_40
    load, heels = barge(), np.linspace(math.pi / 6, late.levers.flooding, 200)
    levers = [floating(load, one, 0.0).lever for one in heels]
    assert late.levers.area_40 - late.levers.area_30 == pytest.approx(np.trapezoid(levers, heels), abs=1e-6)
    assert late.levers.most_beyond_30 == pytest.approx(levers[-1], abs=1e-9)
    assert late.levers.most_dry_at == late.levers.flooding
    assert (late.levers.most, late.levers.most_at) == (whole.levers.most, whole.levers.most_at)
    assert flooded((0.0, 3.0, 4.3)).levers.most_dry_at == whole.levers.most_at  # at 37.5 degrees, after it


def test_free_surfaces_are_a_centre_of_gravity_that_is_higher_for_heel() -> None:
    """A rise of Σ ρ l b³ / 12 over the mass: of the levers and of GM transverse, and of nothing along the ship."""
    tanks = ((5.0, 4.0, 1000.0), (6.0, 2.0, 850.0))
    found, solid = sheet_of(barge(), inputs=SheetInputs(tanks=tanks)), sheet_of(barge())
    raised = (1000.0 * 5.0 * 64.0 + 850.0 * 6.0 * 8.0) / 12.0 / 328_000.0
    assert found.raised == pytest.approx(raised)
    assert found.at.gm_transverse == pytest.approx(7 / 6 - raised)
    assert (found.at.kg, found.at.gm_longitudinal) == pytest.approx((2.5, 91 / 6))
    assert found.at.c44 == pytest.approx(328_000.0 * 9.81 * (7 / 6 - raised))
    assert found.at.c55 == pytest.approx(solid.at.c55)
    assert found.judged[-1].value == pytest.approx(7 / 6 - raised)
    heels = solid.levers.heels[: len(found.levers.heels)]
    np.testing.assert_allclose(
        found.levers.levers, solid.levers.levers[: len(heels)] - raised * np.sin(heels), atol=1e-11
    )
    high = barge(2.5 + raised)
    assert found.levers.area_40 == pytest.approx(righting(high, rest_of(high)).area_40, abs=1e-12)


def test_with_free_surfaces_too_the_water_that_rolls_along_turns_about_the_solid_centre_of_gravity() -> None:
    inputs = SheetInputs(tanks=((5.0, 4.0, 1000.0), (6.0, 2.0, 850.0)), inertia=(2.6e6, 1e7))
    found = sheet_of(barge(), inputs=inputs).periods
    wavenumber = (2.0 * math.pi / found.roll) ** 2 / 9.81
    moved = WATER * strips_of(rest_of(barge())).added("roll", wavenumber)
    assert found.added[1] == pytest.approx(moved, rel=1e-3)


def test_curves_are_at_round_numbers_unless_others_are_asked_for() -> None:
    assert round_numbers(0.4, 3.8, 18) == pytest.approx(np.arange(0.4, 3.9, 0.2))
    assert round_numbers(1034.0, 5120.0, 6) == pytest.approx([2000, 3000, 4000, 5000])
    assert round_numbers(0.0031, 0.0198, 6) == pytest.approx([0.005, 0.01, 0.015])
    found = curves_of(box((20.0, 8.0, 4.0)), WATER, inputs=SheetInputs(draughts=(3.0, 1.0), masses=(3e5, 1e5)))
    assert [one.draught for one in found.form] == pytest.approx([1.0, 3.0])
    assert (found.masses.tolist(), found.kn.shape) == ([1e5, 3e5], (2, 19))
