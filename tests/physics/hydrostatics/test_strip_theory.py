"""Added mass by strip theory beside closed forms, Ursell's heaving cylinder, and programs in three dimensions."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assets
from physics.core.rotation import Array
from physics.hydrostatics.flotation import FloatingPose, equilibrium, hydrostatics, placed
from physics.hydrostatics.form import form_of
from physics.hydrostatics.hull import Hull, LoadedHull, box, read_hull, wigley
from physics.hydrostatics.natural_periods import Periods, periods_of
from physics.hydrostatics.strip_theory import Section, section_added, strips_of
from tests.physics.hydrostatics.test_form import catamaran, trimaran

FAST, SLOW = 1e4, 1e-4  # wavenumbers [1/m] of waves far shorter and far longer than a section


def added(breadth: float, draught: float, area: float, mode: Section, wavenumber: float) -> float:
    sections: tuple[Array, ...] = tuple(np.array([one]) for one in (breadth, draught, area))
    return float(section_added(*sections, mode, wavenumber)[0])


def test_a_half_immersed_cylinder_heaves_as_ursell_found() -> None:
    """Over half its own area of water: by the series of Ursell (1949) at w² R/g; 1 for fast motions."""
    known = {0.1: 1.4095, 0.3: 0.8000, 0.5: 0.6446, 1.0: 0.6050, 1.5: 0.6649, 3.0: 0.8134, FAST: 1.0}
    area = math.pi / 2.0
    found = [added(2.0, 1.0, area, "heave", one) / area for one in known]
    assert found == pytest.approx([*known.values()], rel=9e-3)
    assert added(2.0, 1.0, area, "roll", 0.5) == pytest.approx(0.0, abs=1e-12)  # about its axis nothing moves
    assert added(2.0, 1.0, area, "sway", FAST) / area == pytest.approx(4.0 / math.pi**2, rel=5e-3)
    assert added(2.0, 1.0, area, "sway", SLOW) / area == pytest.approx(1.0, rel=5e-3)


@pytest.mark.parametrize(("breadth", "draught"), [(4.0, 0.5), (2.0, 2.0), (2.0, 3.0)])
def test_fast_motions_of_ellipses_and_of_lewis_forms_have_closed_forms(breadth: float, draught: float) -> None:
    """Half of what an ellipse in unbounded water moves; C = ((1 + a1)² + 3 a3²) / (1 + a1 + a3)² of a Lewis form."""
    half, ellipse = 0.5 * breadth, math.pi / 4.0 * breadth * draught
    assert added(breadth, draught, ellipse, "heave", FAST) == pytest.approx(math.pi / 2.0 * half**2, rel=5e-3)
    roll = math.pi / 16.0 * (half**2 - draught**2) ** 2
    assert added(breadth, draught, ellipse, "roll", FAST) == pytest.approx(roll, rel=1.5e-2)
    for a3 in (-0.1, 0.05):
        a1 = (half - draught) / (half + draught) * (1.0 + a3)
        scale = half / (1.0 + a1 + a3)
        area = math.pi / 2.0 * scale**2 * (1.0 - a1**2 - 3.0 * a3**2)
        c = ((1.0 + a1) ** 2 + 3.0 * a3**2) / (1.0 + a1 + a3) ** 2
        assert added(breadth, draught, area, "heave", FAST) == pytest.approx(c * math.pi / 2.0 * half**2, rel=5e-3)


def periods(pose: FloatingPose, *radii: float, given: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Periods:
    """Periods at rest, with radii of gyration in roll and pitch [m]."""
    roll, pitch = (pose.load.mass * radius**2 for radius in radii)
    return periods_of(pose, hydrostatics(pose), form_of(pose), 9.81, (roll, pitch), given)


def held(hull: Hull, draught: float, height: float) -> FloatingPose:
    """Upright at a draught, with the centre of gravity at a height above the water [m], loaded with its mass."""
    centre = np.array([0.0, 0.0, hull.keel + draught + height])
    mass = 1025.0 * placed(LoadedHull(hull, 1.0, centre), 0.0, 0.0, height).integrals.volume
    return placed(LoadedHull(hull, mass, centre), 0.0, 0.0, height)


def test_a_tankers_periods_are_those_of_its_published_coefficients() -> None:
    """Heave, pitch, roll 9.664, 9.121, 12.576 s by WAMIT's table in the Marine Systems Simulator."""
    load = LoadedHull(read_hull(assets.HULLS / "tanker.ply"), 94_620_210.0, np.array([3.93187624, 0.0, 2.5]))
    found = periods(equilibrium(load), 17.02, 63.96)
    assert (found.heave, found.pitch, found.roll) == pytest.approx((9.664, 9.121, 12.576), rel=0.02)
    assert found.estimated == (True, True, True)
    assert found.code == pytest.approx(0.856 * 12.576, rel=1e-3)


@pytest.mark.parametrize(
    ("hull", "draught", "height", "radii", "known", "off"),
    [
        (wigley((100.0, 10.0, 6.25), (64, 32)), 6.25, -1.5, (3.5, 25.0), (4.832, 5.075, 10.636), 0.02),
        (box((100.0, 16.0, 12.0)), 6.0, 0.0, (5.6, 25.0), (6.950, 6.393, 17.672), 0.055),
        (box((20.0, 8.0, 4.0)), 2.0, 0.5, (2.8, 5.5), (4.345, 4.190, 6.295), 0.065),
    ],
)
def test_periods_are_near_those_in_three_dimensions(hull, draught, height, radii, known, off) -> None:
    """Heave, pitch and roll [s] by Capytaine 2.2, 640 to 704 panels: sharp bilges and short hulls are further off."""
    found = periods(held(hull, draught, height), *radii)
    assert (found.heave, found.pitch, found.roll) == pytest.approx(known, rel=off)
    assert found.heave == pytest.approx(known[0], rel=0.02)


def test_hulls_of_a_catamaran_move_water_each_by_itself() -> None:
    pose = held(catamaran(6.0), 2.0, 0.5)
    alone, both = strips_of(held(box((20.0, 2.0, 4.0)), 2.0, 0.5)), strips_of(pose)
    heave = alone.added("heave", 0.3)
    assert both.added("heave", 0.3) == pytest.approx(2.0 * heave)
    assert both.added("roll", 0.3) == pytest.approx(2.0 * (alone.added("roll", 0.3) + 9.0 * heave))


def test_an_outrigger_is_as_deep_as_it_is() -> None:
    found, middle, outrigger = (
        strips_of(held(*one))
        for one in (
            (trimaran(), 2.6, 0.5),
            (box((20.0, 2.0, 4.0)), 2.6, 0.5),
            (box((20.0, 1.0, 2.0)), 0.6, 0.5),
        )
    )
    heave = outrigger.added("heave", 0.3)
    assert found.added("heave", 0.3) == pytest.approx(middle.added("heave", 0.3) + 2.0 * heave)
    roll = middle.added("roll", 0.3) + 2.0 * (outrigger.added("roll", 0.3) + 5.5**2 * heave)
    assert found.added("roll", 0.3) == pytest.approx(roll)


def test_what_is_given_wins_and_what_is_not_known_is_not_guessed() -> None:
    pose = held(box((20.0, 8.0, 4.0)), 2.0, 0.5)
    found = periods(pose, 2.8, 5.5, given=(3e5, 0.0, 0.0))
    assert (found.added[0], found.estimated) == (3e5, (False, True, True))
    assert found.heave == pytest.approx(2.0 * math.pi * math.sqrt(628_000.0 / (1025.0 * 9.81 * 160.0)))
    bare = periods_of(pose, hydrostatics(pose), form_of(pose), 9.81, None, (0.0, 0.0, 0.0))
    assert bare.heave == pytest.approx(4.32, abs=0.01)
    assert np.isnan([bare.roll, bare.pitch, *bare.added[1:]]).all()
    sunk = placed(LoadedHull(box((20.0, 8.0, 4.0)), 1e5, np.zeros(3)), 0.0, 0.0, -5.0)
    assert math.isnan(periods(sunk, 2.8, 5.5).heave)
