"""The exact motion at any time, the order that a run shows, and what a step means."""

from __future__ import annotations

import numpy as np
import pytest

from physics import PhysicsError, Scenario
from physics.analysis.convergence import slope, study
from physics.analysis.stability import advice
from physics.simulation.exact_motion import degrees_between
from tests import small


def cuboid(**changes) -> Scenario:
    return small.cuboid(**({"schemes": ("exact",)} | changes))


def test_angles_between_attitudes():
    half = np.sqrt(0.5)
    one = np.array([[1.0, 0, 0, 0], [1.0, 0, 0, 0], [1.0, 0, 0, 0]])
    other = np.array([[half, half, 0, 0], [-1.0, 0, 0, 0], [0, 0, 1.0, 0]])
    np.testing.assert_allclose(degrees_between(one, other), [90.0, 0.0, 180.0], atol=1e-9)


@pytest.mark.parametrize(("scheme", "order"), [("explicit", 1), ("implicit", 2), ("quat-em", 2), ("magnus-4", 4)])
def test_halving_the_step_shows_the_order(scheme, order):
    points = list(study(cuboid(schemes=(scheme,))))
    assert [point.step for point in points][:2] == [0.01, 0.005]
    assert slope(points) == pytest.approx(order, abs=0.25)


def test_exact_schemes_show_no_slope_and_rocks_no_order():
    assert slope(list(study(cuboid()))) is None
    rock = cuboid(kind="rockfall", terrain={"profile": "ramp"}, schemes=("implicit",))
    with pytest.raises(PhysicsError, match="chaotic"):
        next(study(rock))


def test_step_advice_tells_growth_about_the_major_axis_only_from_the_scheme():
    moments = np.array([5.0, 10.0, 13.0]) / 12
    found = advice(moments, (1e-3, 1e-3, 10.0), 0.01)
    assert found.steps == pytest.approx(62.8, abs=0.1)
    assert found.axis == 2
    assert found.growth > 1.0
    assert found.true_growth == pytest.approx(1.0)
    assert advice(moments, (0.0, 10.0, 0.0), 0.01).true_growth > 10.0
    assert advice(moments, (10.0, 0.0, 0.0), 0.01).growth < 1.0
    assert advice(moments, (0.0, 0.0, 0.0), 0.01) is None
