"""How solids float up to their centre of mass: against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from physics.bodies import shapes
from physics.bodies.buoyancy import WATER, afloat


def test_a_box_floats_half_and_is_righted_by_its_waterplane() -> None:
    length, breadth, depth = 20.0, 8.0, 4.0
    found = afloat(shapes.cuboid((length, breadth, depth), density=1.0))
    draught = depth / 2
    assert found.mass == pytest.approx(WATER * length * breadth * draught, rel=1e-12)
    assert found.transverse == pytest.approx(breadth**2 / (12 * draught) - draught / 2, rel=1e-12)
    assert found.longitudinal == pytest.approx(length**2 / (12 * draught) - draught / 2, rel=1e-12)


def test_a_wedge_is_cut_where_the_water_is() -> None:
    """A prism with its edge down: triangle of height 3 and breadth 4, 10 long; its centre lies 2 above the edge."""
    wedge = shapes.hull([(x, y, z) for x in (-2.0, 8.0) for y, z in ((0, 0), (-2, 3), (2, 3))], density=1.0)
    found = afloat(wedge)
    broad, volume = 4.0 * 2 / 3, 0.5 * 4.0 * 2 / 3 * 2.0 * 10.0
    sunk = 2.0 / 3.0  # of the centre of buoyancy below the water
    assert found.mass == pytest.approx(WATER * volume, rel=1e-12)
    assert found.transverse == pytest.approx(10.0 * broad**3 / 12 / volume - sunk, rel=1e-12)
    assert found.longitudinal == pytest.approx(broad * 10.0**3 / 12 / volume - sunk, rel=1e-12)


def test_a_tower_would_fall_over_and_a_ball_stays_as_it_is() -> None:
    assert afloat(shapes.cuboid((1.0, 1.0, 9.0), density=1.0)).transverse < 0.0
    ball = afloat(shapes.hull(shapes._sphere(), density=1.0))
    assert np.abs((ball.transverse, ball.longitudinal)).max() < 0.01  # but for its 162 corners
